//! The life of one clash over many runs, kept by a review file, by topics and by baselines.

use super::*;
use crate::ReviewStatus::{self, Accepted, Active, New, Resolved};
use crate::{Baseline, Change, Check, Checked, Earlier, Measure, Status, Subject, TouchBand, Unit};

/// Two walls, in each other by so many millimetres, or apart.
fn walls(depth: f64) -> Subject {
    let wall = |name: &str, x: f64| Part {
        name: name.to_owned(),
        body: body_of(
            Mesh::from_aabb(Aabb { min: [x, 0.0, 0.0].into(), max: [x + 800.0, 3000.0, 2700.0].into() })
                .into(),
        ),
        pose: Pose::IDENTITY,
    };
    Subject {
        unit: Some(Unit::Mm),
        ..Subject::given(vec![wall("wall", 0.0), wall("other wall", 800.0 - depth)])
    }
}

fn run(subject: &Subject, earlier: Earlier<'_>, tell: &mut dyn FnMut(&Checked<'_>)) {
    let check = Check { touch: TouchBand::Usual, ..Check::default() };
    tell(&check.run(subject, earlier, &Default::default(), &|_, _| {}).unwrap());
}

/// Where a clash stands after a run, and why it is open again; resolved where there is none.
type Standing = (ReviewStatus, Option<Change>);

/// What keeps decisions from one run to the next.
trait Keeper {
    fn run(&mut self, depth: f64) -> Standing;
    /// What a person does.
    fn accept(&mut self);
}

/// The text of a review file.
struct File(String);

impl Keeper for File {
    fn run(&mut self, depth: f64) -> Standing {
        let earlier = Earlier { reviews: Some(ReviewLog::parse(&self.0).unwrap()), ..Earlier::default() };
        let mut standing = (Resolved, None);
        run(&walls(depth), earlier, &mut |checked| {
            let log = checked.log.as_ref().unwrap();
            self.0 = log.text().unwrap();
            assert_eq!(log.count(Resolved), usize::from(checked.document.clashes.is_empty()));
            standing = stands(checked);
        });
        standing
    }

    fn accept(&mut self) {
        let statuses = ReviewStatus::ALL.map(|status| format!("status = \"{}\"", status.name()));
        for status in statuses {
            self.0 = self.0.replace(&status, "status = \"accepted\"");
        }
    }
}

/// The bytes of a BCF file.
struct Topics(Vec<u8>);

impl Keeper for Topics {
    fn run(&mut self, depth: f64) -> Standing {
        let bcf = Bcf::read(&self.0).unwrap();
        let subject = walls(depth);
        let mut standing = (Resolved, None);
        run(&subject, Earlier { bcf: Some(&bcf), ..Earlier::default() }, &mut |checked| {
            let (log, parts) = (checked.log.as_ref().unwrap(), &subject.assembly.parts);
            let mut written = Bcf::read(&self.0).unwrap();
            written.update(log, parts, &checked.document, &BcfOptions::default(), &|| {}).unwrap();
            self.0 = written.bytes().unwrap();
            standing = stands(checked);
        });
        schema::follows(&self.0);
        let bcf = Bcf::read(&self.0).unwrap();
        assert_eq!(bcf.len(), 1);
        if let Some(change) = standing.1 {
            let said = bcf.topics[0].said();
            let expected = format!("sudar clash: open again: wall × other wall: {change} mm");
            assert_eq!(said.lines().last(), Some(&*expected), "{said}");
        }
        standing
    }

    fn accept(&mut self) {
        let mut bcf = Bcf::read(&self.0).unwrap();
        bcf.topics[0].topic_mut().unwrap().set_attribute("TopicStatus", "Approved");
        self.0 = bcf.bytes().unwrap();
    }
}

fn stands(checked: &Checked<'_>) -> Standing {
    let review = checked.document.clashes.first().map(|clash| clash.review.clone().unwrap());
    review.map_or((Resolved, None), |review| (review.status, review.reopened))
}

/// Checks where a clash stands, and of what it was before it was opened again, within what identifiers round.
fn expect(keeper: &mut dyn Keeper, depth: f64, status: ReviewStatus, was: Option<f64>) {
    let (found, reopened) = keeper.run(depth);
    assert_eq!(found, status, "at {depth}");
    if let (Some(was), Some(change)) = (was, reopened) {
        assert!((change.was / was - 1.0).abs() < 2e-4 && (change.now - depth).abs() < 1e-6, "{change:?}");
        assert_eq!(change.of, Measure::Depth);
    }
    assert_eq!(reopened.is_some(), was.is_some(), "at {depth}: {reopened:?}");
}

#[test]
fn what_was_accepted_is_open_again_once_it_has_grown() {
    let empty = |version| Bcf::new(version).bytes().unwrap();
    let mut keepers: [Box<dyn Keeper>; 3] = [
        Box::new(File(String::new())),
        Box::new(Topics(empty(BcfVersion::V2_1))),
        Box::new(Topics(empty(BcfVersion::V3_0))),
    ];
    for keeper in &mut keepers {
        let keeper = keeper.as_mut();
        expect(keeper, 100.0, New, None);
        expect(keeper, 90.0, Active, None);
        expect(keeper, 100.0, Active, None);
        keeper.accept();
        // Each step is less than a tenth, and all together are more.
        expect(keeper, 108.0, Accepted, None);
        expect(keeper, 109.5, Accepted, None);
        expect(keeper, 60.0, Accepted, None);
        expect(keeper, 109.5, Accepted, None);
        expect(keeper, 117.0, Active, Some(100.0));
        keeper.accept();
        expect(keeper, 117.0, Accepted, None);
        expect(keeper, 700.0, Active, Some(117.0));
        keeper.accept();
        expect(keeper, 300.0, Accepted, None);
        // Gone, and back.
        expect(keeper, -5.0, Resolved, None);
        expect(keeper, -5.0, Resolved, None);
        expect(keeper, 300.0, Active, None);
    }
}

#[test]
fn a_baseline_tells_what_grew_shrank_vanished_and_came_back() {
    let steps = [
        (100.0, None),
        (105.0, Some(Status::Same)),
        (700.0, Some(Status::Deeper)),
        (300.0, Some(Status::Shallower)),
        (-5.0, None),
        (300.0, Some(Status::New)),
    ];
    let mut before: Option<String> = None;
    for (depth, expected) in steps {
        let old = before.as_deref().map(|text| Baseline::parse(text).unwrap());
        let earlier = Earlier { baseline: old.as_ref(), ..Earlier::default() };
        run(&walls(depth), earlier, &mut |checked| {
            let document = &checked.document;
            assert_eq!(document.clashes.first().and_then(|clash| clash.status), expected, "{depth}");
            let gone = document.gone.as_ref().map_or(0, Vec::len);
            assert_eq!(gone, usize::from(depth < 0.0), "{depth}");
            // Only what is new or worse counts.
            let counts =
                matches!(expected, Some(Status::New | Status::Deeper)) || (depth > 0.0 && old.is_none());
            assert_eq!(checked.is_open(&[], true), counts, "{depth}");
            before = Some(serde_json::to_string(document).unwrap());
        });
    }
}
