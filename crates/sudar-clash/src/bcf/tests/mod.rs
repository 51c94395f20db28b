use super::guid::{Guid, What};
use super::topic::View;
use super::*;
use crate::document::{Document, GLOBAL_ID, ReviewStatus};
use crate::options::{ClashKind, ClashOptions};
use crate::part::{Assembly, Part, body_of};
use crate::review::ReviewLog;
use crate::{GroupBy, Grouping, PartDetails, find_clashes};
use sudar::{Aabb, Mesh, Pose};

mod foreign;
mod growth;
mod life;
mod schema;

/// A part: name, `GlobalId`, least and greatest corner.
type Made<'a> = (&'a str, &'a str, [f64; 3], [f64; 3]);

/// Parts and what is known of them.
struct Model {
    assembly: Assembly,
    details: Vec<PartDetails>,
    unit: Option<&'static str>,
    clearance: f64,
}

fn model(parts: &[Made<'_>]) -> Model {
    let part = |&(name, _, min, max): &Made<'_>| Part {
        name: name.to_owned(),
        body: body_of(Mesh::from_aabb(Aabb { min: min.into(), max: max.into() }).into()),
        pose: Pose::IDENTITY,
    };
    let detail = |&(_, id, ..): &Made<'_>| {
        let properties = if id.is_empty() { vec![] } else { vec![(GLOBAL_ID.to_owned(), id.to_owned())] };
        PartDetails { properties, ..PartDetails::default() }
    };
    Model {
        assembly: Assembly { parts: parts.iter().map(part).collect() },
        details: parts.iter().map(detail).collect(),
        unit: Some("m"),
        clearance: 0.0,
    }
}

/// A unit cube at a place along x.
fn cube<'a>(name: &'a str, id: &'a str, x: f64) -> Made<'a> {
    (name, id, [x, 0.0, 0.0], [x + 1.0, 1.0, 1.0])
}

/// Three cubes, each in the next, two with identities.
fn row(x: f64) -> Model {
    model(&[cube("wall", IDS[0], 0.0), cube("beam", IDS[1], 0.75), cube("duct", "", 1.5 + x)])
}

const IDS: [&str; 3] = ["0K7w7jYlr0Oh2AT7sU$0_m", "1K7w7jYlr0Oh2AT7sU$0_m", "2K7w7jYlr0Oh2AT7sU$0_m"];

/// A check of a model that brings a file up to date, and the statuses of its clashes.
fn check(bcf: &mut Bcf, model: &Model, options: &BcfOptions) -> Vec<ReviewStatus> {
    let asked = ClashOptions::new(model.clearance).unwrap();
    let report = find_clashes(&model.assembly, &asked, &|_, _| {}).unwrap();
    let mut document = Document::new(&model.assembly.parts, &model.details, &report, None);
    document.origin.unit = model.unit;
    document.origin.files = vec!["house.ifc".to_owned()];
    let mut log = bcf.reviews(&document);
    log.merge(&mut document, &crate::Growth::default(), &|_, _| true);
    document.group(&Grouping { by: GroupBy::Part, radius: None, sets: &[], rules: &[] }, &asked);
    bcf.update(&log, &model.assembly.parts, &document, options, &|| {}).unwrap();
    document.clashes.iter().map(|clash| clash.review.as_ref().unwrap().status).collect()
}

/// The file of a check, read again, which follows the rules of the format.
fn written(version: BcfVersion, model: &Model, options: &BcfOptions) -> Bcf {
    let mut bcf = Bcf::new(version);
    check(&mut bcf, model, options);
    reread(&bcf)
}

fn reread(bcf: &Bcf) -> Bcf {
    let bytes = bcf.bytes().unwrap();
    schema::follows(&bytes);
    Bcf::read(&bytes).unwrap()
}

/// The topic whose title has that in it.
fn topic<'b>(bcf: &'b mut Bcf, title: &str) -> &'b mut Topic {
    bcf.topics.iter_mut().find(|topic| topic.text("Title").contains(title)).unwrap()
}

fn view(bcf: &Bcf, topic: &Topic) -> Element {
    let name = format!("{}{}", topic.folder, topic.views()[0].file);
    parse(&name, &bcf.files[&name]).unwrap()
}

/// Every kind has topics.
fn plain() -> BcfOptions {
    BcfOptions { kinds: ClashKind::ALL.to_vec(), ..BcfOptions::default() }
}

#[test]
fn what_is_no_mistake_gets_a_topic_only_where_it_is_wanted() {
    let parts =
        [cube("wall", "", 0.0), cube("beam", "", 0.75), cube("duct", "", 1.75), cube("pipe", "", 2.8)];
    let four = Model { clearance: 0.1, ..model(&parts) };
    let titles = |kinds: &[ClashKind]| {
        let options = BcfOptions { kinds: kinds.to_vec(), ..BcfOptions::default() };
        let bcf = written(BcfVersion::V3_0, &four, &options);
        bcf.topics.iter().map(|topic| topic.text("Title")).collect::<Vec<_>>()
    };
    assert_eq!(titles(&[]), ["hard: wall × beam"]);
    assert_eq!(titles(&[ClashKind::Touch]), ["touch: beam × duct"]);
    assert_eq!(titles(&ClashKind::ALL).len(), 3);
    // A topic that is there is brought up to date whatever its clash has become.
    let mut bcf = written(BcfVersion::V2_1, &row(0.0), &BcfOptions::default());
    check(&mut bcf, &row(0.25), &BcfOptions::default());
    assert!(bcf.topics.iter().any(|topic| topic.text("Title") == "touch: beam × duct"));
}

#[test]
fn the_project_is_named_once() {
    let project = BcfProject { id: IDS[2].to_owned(), name: "Anna's house".to_owned() };
    for version in BcfVersion::ALL {
        let of = |project: Option<BcfProject>| BcfOptions { project, ..plain() };
        let read = |bcf: &Bcf| {
            let root = parse("project.bcfp", &bcf.files["project.bcfp"]).unwrap();
            let project = root.child("Project").unwrap();
            (project.attribute("ProjectId").unwrap().to_owned(), project.text_in("Name"))
        };
        let mut bcf = written(version, &row(0.0), &of(Some(project.clone())));
        assert_eq!(read(&bcf), (IDS[2].to_owned(), "Anna's house".to_owned()));
        let header = bcf.topics[0].markup.child("Header").unwrap();
        let files = header.child("Files").unwrap_or(header);
        assert_eq!(files.child("File").unwrap().attribute("IfcProject"), Some(IDS[2]));
        // What the file says stays.
        check(&mut bcf, &row(0.0), &of(Some(BcfProject { id: IDS[0].to_owned(), name: String::new() })));
        assert_eq!(read(&reread(&bcf)).0, IDS[2]);
        // Without a project the files stand for one, always the same.
        let unnamed = written(version, &row(0.0), &of(None));
        assert_eq!(read(&unnamed).1, "house.ifc");
        assert_eq!(read(&unnamed), read(&written(version, &row(0.0), &of(None))));
    }
}

#[test]
fn every_kind_is_a_topic_in_both_versions() {
    let parts = [
        cube("base", "", 0.0),
        cube("over", "", 0.9),
        cube("flush", "", -1.0),
        ("inner", "", [0.25; 3], [0.5; 3]),
        ("twin", "", [0.0, 1.05, 0.0], [0.5, 2.0, 1.0]),
        ("twin again", "", [0.0, 1.05, 0.0], [0.5, 2.0, 1.0]),
    ];
    let near = Model { clearance: 0.1, ..model(&parts) };
    for version in BcfVersion::ALL {
        let bcf = written(version, &near, &plain());
        let mut kinds: Vec<String> = bcf
            .topics
            .iter()
            .map(|topic| topic.text("Title").split(':').next().unwrap().to_owned())
            .collect();
        kinds.sort();
        kinds.dedup();
        assert_eq!(kinds, ["clearance", "contained", "duplicate", "hard", "touch"]);
        for topic in &bcf.topics {
            assert_eq!((topic.attribute("TopicType"), topic.attribute("TopicStatus")), ("Clash", "New"));
            assert_eq!(topic.text("CreationDate"), NO_DATE);
            let kind = topic.text("Title").split(':').next().unwrap().to_owned();
            assert!(topic.labels().contains(&kind), "{:?}", topic.labels());
            assert!(topic.text("Description").ends_with("[sudar clash]"));
            let names: Vec<View> = topic.views();
            assert_eq!(
                (names[0].file.as_str(), names[0].snapshot.as_str()),
                ("viewpoint.bcfv", "snapshot.png")
            );
        }
        let depths = bcf.topics.iter().filter(|topic| topic.text("Description").contains("depth: ")).count();
        assert_eq!(depths, bcf.topics.iter().filter(|topic| topic.text("Priority") == "High").count());
    }
}

#[test]
fn no_clashes_are_a_file_without_topics() {
    for version in BcfVersion::ALL {
        let bcf = written(version, &model(&[cube("a", "", 0.0), cube("b", "", 3.0)]), &plain());
        assert!(bcf.is_empty() && bcf.version() == version);
        assert_eq!(bcf.files.contains_key("extensions.xml"), version == BcfVersion::V3_0);
    }
}

#[test]
fn identifiers_do_not_hang_on_the_order_of_parts_nor_bytes_on_threads() {
    let parts = [cube("a", IDS[0], 0.0), cube("b", "", 0.75), cube("c", "", 1.5), cube("c", "", 1.25)];
    let guids = |parts: &[Made<'_>]| {
        let bcf = written(BcfVersion::V2_1, &model(parts), &plain());
        let of = |topic: &Topic| {
            let view = Guid::read(&topic.views()[0].guid).unwrap();
            (topic.guid().to_owned(), view.identity, view.what)
        };
        let mut all: Vec<(String, u64, What)> = bcf.topics.iter().map(of).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    };
    let [a, b, c, d] = parts;
    assert_eq!(guids(&parts), guids(&[d, b, a, c]));
    let bytes = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| written(BcfVersion::V3_0, &model(&parts), &plain()).bytes().unwrap())
    };
    assert_eq!(bytes(1), bytes(3));
}

#[test]
fn places_are_in_metres_whatever_the_unit() {
    let eye = |unit: Option<&'static str>, scale: f64| {
        let corner = |p: [f64; 3]| p.map(|x| x * scale);
        let parts = [
            ("a", "", corner([0.0; 3]), corner([1.0; 3])),
            ("b", "", corner([0.75, 0.0, 0.0]), corner([1.75, 1.0, 1.0])),
        ];
        let mut bcf = written(BcfVersion::V2_1, &Model { unit, ..model(&parts) }, &plain());
        let text = topic(&mut bcf, "hard").text("Description");
        let view = view(&bcf, &bcf.topics[0]);
        let point = view.child("PerspectiveCamera").unwrap().child("CameraViewPoint").unwrap();
        (["X", "Y", "Z"].map(|axis| point.text_in(axis).parse::<f64>().unwrap()), text)
    };
    let (metres, _) = eye(Some("m"), 1.0);
    for (unit, scale) in [(Some("mm"), 1000.0), (Some("ft"), 1.0 / 0.3048), (None, 1.0)] {
        let (other, text) = eye(unit, scale);
        // The parts look alike from several sides, between which rounding chooses: all are as far from the middle.
        let from_middle =
            |eye: [f64; 3]| sudar::DVec3::from(eye).distance(sudar::DVec3::new(0.875, 0.5, 0.5));
        let far = (from_middle(metres) - from_middle(other)).abs();
        assert!(far < 1e-6, "{unit:?}: {metres:?} {other:?}");
        assert!(text.contains(unit.unwrap_or("unit not known, taken for metres")), "{text}");
    }
}

#[test]
fn any_name_and_identity_is_written_well() {
    let nasty = "<a href=\"x\">&amp; 'é' \u{1f600} ]]> \u{7}";
    let parts = [
        (nasty, "no id of IFC", [0.0; 3], [1.0; 3]),
        ("", "", [0.5, 0.0, 0.0], [1.5, 1.0, 1.0]),
        ("  ", IDS[0], [1.25, 0.0, 0.0], [2.0, 1.0, 1.0]),
    ];
    for version in BcfVersion::ALL {
        let model = model(&parts);
        let mut bcf = written(version, &model, &plain());
        assert_eq!(bcf.len(), 2);
        let bytes = bcf.bytes().unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("<a href"));
        // Though XML cannot hold the name, the clash is known again.
        assert_eq!(check(&mut bcf, &model, &plain()), [ReviewStatus::Active; 2]);
        assert_eq!(bcf.len(), 2);
    }
}

#[test]
fn parts_are_selected_by_identity_and_else_by_name() {
    let bcf = written(BcfVersion::V2_1, &row(0.0), &plain());
    let duct = bcf.topics.iter().find(|topic| topic.text("Title").contains("duct")).unwrap();
    let named = viewpoint::selected(&view(&bcf, duct));
    let of = |id: &str, name: &str| viewpoint::Component { id: id.to_owned(), name: name.to_owned() };
    assert_eq!(named, [of(IDS[1], "beam"), of("", "duct")]);
}

#[test]
fn versions_are_read_and_others_refused() {
    let with = |text: &str| {
        let files = Files::from([("x/bcf.version".to_owned(), text.as_bytes().to_vec())]);
        Bcf::read(&pack(&files).unwrap()).map(|bcf| (bcf.version(), bcf.root))
    };
    assert_eq!(with("<Version VersionId=' 3.0 '/>").unwrap(), (BcfVersion::V3_0, "x/".to_owned()));
    for text in ["<Version VersionId='2.0'/>", "<Version/>"] {
        let message = with(text).unwrap_err().to_string();
        assert!(message.ends_with("; save it as 2.1 or 3.0"), "{message}");
    }
    let none = Bcf::read(&pack(&Files::from([("readme".to_owned(), vec![])])).unwrap()).unwrap();
    assert_eq!((none.version(), none.len()), (BcfVersion::V2_1, 0));
}

#[test]
fn groups_are_topics_with_a_view_of_each_clash() {
    // A beam through three plates, and a plate in a wall of its own.
    let plate = |name, x: f64| (name, "", [x, -1.0, -1.0], [x + 0.1, 2.0, 2.0]);
    let parts = [
        ("beam", "", [0.0; 3], [4.0, 1.0, 1.0]),
        plate("p1", 1.0),
        plate("p2", 2.0),
        plate("p3", 3.0),
        cube("x", "", 10.0),
        cube("y", "", 10.5),
    ];
    let options = BcfOptions { by: BcfBy::Group, ..plain() };
    for version in BcfVersion::ALL {
        let mut bcf = written(version, &model(&parts), &options);
        assert_eq!(bcf.len(), 2);
        let beam = topic(&mut bcf, "beam");
        assert_eq!(beam.views().len(), 3);
        assert!(beam.text("Description").starts_with("3 clashes\nhard, piercing: beam × p1, depth: "));
        assert_eq!(beam.own_guid().unwrap().what, What::Group);
        beam.topic_mut().unwrap().set_attribute("TopicStatus", "Accepted");
        let mut bcf = reread(&bcf);
        use ReviewStatus::{Accepted, Active, New};
        assert_eq!(check(&mut bcf, &model(&parts), &options), [Accepted, Accepted, Accepted, Active]);
        assert_eq!(topic(&mut bcf, "beam").attribute("TopicStatus"), "Accepted");
        // One more plate: the group is to be looked at again.
        let more: Vec<Made<'_>> = parts.iter().copied().chain([plate("p4", 3.5)]).collect();
        assert_eq!(check(&mut bcf, &model(&more), &options), [Accepted, Accepted, Accepted, New, Active]);
        let bcf = &mut reread(&bcf);
        assert_eq!((bcf.len(), topic(bcf, "beam").views().len()), (2, 4));
        assert_eq!(topic(bcf, "beam").attribute("TopicStatus"), "Active");
    }
}
