//! Topics from one check to the next.

use super::*;
use ReviewStatus::{Accepted, Active, Ignored, New};

fn set_status(bcf: &mut Bcf, title: &str, status: &str) {
    topic(bcf, title).topic_mut().unwrap().set_attribute("TopicStatus", status);
}

/// Adds a comment as a tool does, and an answer to it.
fn comment(of: &mut Topic, version: BcfVersion, view: &str) {
    let one = |guid: &str, date: &str, author: &str, text: &str| {
        Element::new("Comment").with("Guid", guid).holding([
            Element::text_of("Date", date),
            Element::text_of("Author", author),
            Element::text_of("Comment", text),
            Element::new("Viewpoint").with("Guid", view),
        ])
    };
    let comments = [
        one("7ddc3ef0-0ab7-43f1-918a-45e38b42369c", "2026-01-02T10:00:00Z", "Ben", "no, <raise> it"),
        one("8ddc3ef0-0ab7-43f1-918a-45e38b42369c", "2026-01-01T10:00:00+01:00", "Ana", "lower it?"),
    ];
    match version {
        BcfVersion::V2_1 => {
            for comment in comments {
                of.markup.insert(comment, &topic::MARKUP);
            }
        }
        BcfVersion::V3_0 => {
            let list = Element::new("Comments").holding(comments);
            of.topic_mut().unwrap().insert(list, &topic::TOPIC);
        }
    }
}

#[test]
fn a_clash_lives_in_its_topic() {
    for version in BcfVersion::ALL {
        let mut bcf = Bcf::new(version);
        assert_eq!(check(&mut bcf, &row(0.0), &plain()), [New, New]);
        let mut bcf = reread(&bcf);
        assert_eq!(check(&mut bcf, &row(0.0), &plain()), [Active, Active]);
        // Moved away, and back.
        let mut bcf = reread(&bcf);
        assert_eq!(check(&mut bcf, &row(9.0), &plain()), [Active]);
        assert_eq!(topic(&mut bcf, "duct").attribute("TopicStatus"), "Resolved");
        let mut bcf = reread(&bcf);
        assert_eq!(check(&mut bcf, &row(0.0), &plain()), [Active, Active]);
        assert_eq!(bcf.len(), 2);
        // Accepted, until it is of another kind.
        set_status(&mut bcf, "duct", "Accepted");
        set_status(&mut bcf, "wall", "ignored");
        let mut bcf = reread(&bcf);
        assert_eq!(check(&mut bcf, &row(0.1), &plain()), [Ignored, Accepted]);
        assert_eq!(check(&mut bcf, &row(0.25), &plain()), [Ignored, Active]);
        let mut bcf = reread(&bcf);
        assert_eq!(topic(&mut bcf, "duct").text("Title"), "touch: beam × duct");
        assert_eq!(topic(&mut bcf, "duct").text("Priority"), "Low");
        assert_eq!(topic(&mut bcf, "duct").labels(), ["touch"]);
        assert_eq!(topic(&mut bcf, "wall").attribute("TopicStatus"), "ignored");
    }
}

#[test]
fn what_people_say_stays_and_is_told() {
    for version in BcfVersion::ALL {
        let mut bcf = written(version, &row(0.0), &plain());
        let duct = topic(&mut bcf, "duct");
        let view = duct.views()[0].guid.clone();
        comment(duct, version, &view);
        duct.set_text("AssignedTo", "Ana & Co");
        duct.set_text("DueDate", "2026-03-01T00:00:00Z");
        let text = duct.text("Description") + "\nmind the duct";
        duct.set_text("Description", &text);
        let mut bcf = reread(&bcf);
        let before = topic(&mut bcf, "duct").comments();
        let report = find_clashes(&row(0.1).assembly, &ClashOptions::default(), &|_, _| {}).unwrap();
        let moved = row(0.1);
        let mut document = Document::new(&moved.assembly.parts, &moved.details, &report, None);
        let mut log = bcf.reviews(&document);
        log.merge(&mut document, &crate::Growth::default(), &|_, _| true);
        let review = document.clashes[1].review.as_ref().unwrap();
        assert_eq!((&*review.assignee, review.status), ("Ana & Co", Active));
        assert_eq!(review.comment, "Ana: lower it?\nBen: no, <raise> it");
        // Moved a little, it has a new view; the one that people speak of stays.
        check(&mut bcf, &moved, &plain());
        let mut bcf = reread(&bcf);
        let duct = topic(&mut bcf, "duct");
        assert_eq!(duct.comments(), before);
        assert_eq!((duct.views().len(), &duct.views()[0].guid), (2, &view));
        assert!(duct.text("Description").ends_with("[sudar clash]\nmind the duct"));
        assert_eq!(
            (duct.text("AssignedTo"), duct.text("DueDate")),
            ("Ana & Co".into(), "2026-03-01T00:00:00Z".into())
        );
    }
}

#[test]
fn a_view_nobody_speaks_of_is_replaced_and_one_that_still_holds_is_kept() {
    let mut bcf = written(BcfVersion::V2_1, &row(0.0), &plain());
    let files = bcf.files.clone();
    let names: Vec<&String> = files.keys().filter(|name| !name.ends_with("markup.bcf")).collect();
    check(&mut bcf, &row(0.0), &plain());
    assert!(names.iter().all(|name| bcf.files[*name] == files[*name]));
    check(&mut bcf, &row(0.1), &plain());
    let bcf = reread(&bcf);
    assert_eq!(bcf.files.len(), files.len());
    let changed = names.iter().filter(|name| bcf.files[**name] != files[**name]).count();
    assert_eq!(changed, 2);
}

#[test]
fn texts_that_people_wrote_are_theirs() {
    let mut bcf = written(BcfVersion::V3_0, &row(0.0), &plain());
    let duct = topic(&mut bcf, "duct");
    duct.set_text("Title", "The duct again");
    duct.set_text("Description", "See the plan.");
    duct.set_text("Priority", "Blocker");
    duct.set_labels(BcfVersion::V3_0, &["hard".into(), "MEP".into()]);
    let mut bcf = reread(&bcf);
    check(&mut bcf, &row(0.25), &plain());
    let mut bcf = reread(&bcf);
    let duct = topic(&mut bcf, "The duct again");
    assert_eq!(
        (duct.text("Description").as_str(), duct.text("Priority").as_str()),
        ("See the plan.", "Blocker")
    );
    assert_eq!(duct.labels(), ["touch", "MEP"]);
}

#[test]
fn words_of_other_tools_stay_while_they_hold() {
    let mut bcf = written(BcfVersion::V2_1, &row(0.0), &plain());
    set_status(&mut bcf, "duct", "In Progress");
    set_status(&mut bcf, "wall", "Closed");
    assert_eq!(check(&mut bcf, &row(0.0), &plain()), [Active, Active]);
    assert_eq!(topic(&mut bcf, "duct").attribute("TopicStatus"), "In Progress");
    assert_eq!(topic(&mut bcf, "wall").attribute("TopicStatus"), "Active");
}

#[test]
fn who_changed_a_topic_and_when_is_said_once_it_is_changed() {
    let dated = |date: &str| BcfOptions { date: Some(date.to_owned()), author: "Ana".to_owned(), ..plain() };
    let mut bcf = written(BcfVersion::V2_1, &row(0.0), &dated("2026-01-01T00:00:00Z"));
    let duct = topic(&mut bcf, "duct");
    assert_eq!(
        (duct.text("CreationDate"), duct.text("ModifiedDate")),
        ("2026-01-01T00:00:00Z".into(), String::new())
    );
    for (date, expected) in
        [("2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z"), ("2026-01-03T00:00:00Z", "2026-01-02T00:00:00Z")]
    {
        check(&mut bcf, &row(0.0), &dated(date));
        bcf = reread(&bcf);
        let duct = topic(&mut bcf, "duct");
        assert_eq!(
            (duct.text("ModifiedDate").as_str(), duct.text("ModifiedAuthor").as_str()),
            (expected, "Ana")
        );
        assert_eq!(duct.text("CreationDate"), "2026-01-01T00:00:00Z");
    }
}

#[test]
fn namesakes_keep_their_decisions() {
    let plate = ("plate", "", [0.0; 3], [9.0, 1.0, 1.0]);
    let bolt = |x: f64| ("bolt", "", [x, 0.25, 0.5], [x + 0.5, 0.75, 1.5]);
    let mut bcf = written(BcfVersion::V2_1, &model(&[plate, bolt(1.0), bolt(3.0)]), &plain());
    let second = bcf.topics.iter().position(|topic| topic.text("Description").contains("point: 3.")).unwrap();
    bcf.topics[second].topic_mut().unwrap().set_attribute("TopicStatus", "Accepted");
    let mut bcf = reread(&bcf);
    // In another order, with one more before them.
    let found = check(&mut bcf, &model(&[bolt(3.0), bolt(5.0), bolt(1.0), plate]), &plain());
    assert_eq!(found, [Accepted, New, Active]);
    assert_eq!(bcf.len(), 3);
}

#[test]
fn where_a_tool_drops_the_views_topics_and_labels_still_know() {
    for version in BcfVersion::ALL {
        let mut bcf = written(version, &row(0.0), &plain());
        set_status(&mut bcf, "duct", "Accepted");
        for topic in &mut bcf.topics {
            let guid = topic.views()[0].guid.clone();
            topic.drop_view(&guid);
        }
        bcf.files.retain(|name, _| name.ends_with("markup.bcf") || !name.contains('/'));
        let mut bcf = reread(&bcf);
        assert_eq!(check(&mut bcf, &row(0.0), &plain()), [Active, Accepted]);
        assert_eq!((bcf.len(), bcf.topics[0].views().len()), (2, 1));
        set_status(&mut bcf, "duct", "Accepted");
        // Of another kind: the label says which it was.
        let mut bcf = reread(&bcf);
        bcf.files.retain(|name, _| name.ends_with("markup.bcf") || !name.contains('/'));
        assert_eq!(check(&mut bcf, &row(0.25), &plain()), [Active, Active]);
    }
}

#[test]
fn a_log_of_its_own_can_be_written_as_topics() {
    let row = row(0.0);
    let report = find_clashes(&row.assembly, &ClashOptions::default(), &|_, _| {}).unwrap();
    let mut document = Document::new(&row.assembly.parts, &row.details, &report, None);
    let text = "[[clash]]\nparts = ['wall', 'beam']\nkind = 'hard'\nstatus = 'accepted'\n";
    let mut log = ReviewLog::parse(text).unwrap();
    log.merge(&mut document, &crate::Growth::default(), &|_, _| true);
    let mut bcf = Bcf::new(BcfVersion::V2_1);
    bcf.update(&log, &row.assembly.parts, &document, &plain(), &|| {}).unwrap();
    let mut bcf = reread(&bcf);
    assert_eq!(topic(&mut bcf, "wall").attribute("TopicStatus"), "Accepted");
    assert_eq!(topic(&mut bcf, "duct").attribute("TopicStatus"), "New");
}

#[test]
fn titles_follow_parts_that_are_renamed() {
    let named = |beam: &'static str| model(&[cube("wall", IDS[0], 0.0), cube(beam, IDS[1], 0.75)]);
    for version in BcfVersion::ALL {
        let mut bcf = written(version, &named("beam"), &plain());
        assert_eq!(bcf.topics[0].text("Title"), "hard: wall × beam");
        check(&mut bcf, &named("girder: B 2"), &plain());
        let mut bcf = reread(&bcf);
        assert_eq!((bcf.len(), &*bcf.topics[0].text("Title")), (1, "hard: wall × girder: B 2"));
        let description = bcf.topics[0].text("Description");
        assert!(description.starts_with("hard, protruding: wall × girder: B 2\n"), "{description}");
        // One that people gave it stays, and the description follows all the same.
        bcf.topics[0].set_text("Title", "The beam at axis 3");
        check(&mut bcf, &named("beam"), &plain());
        assert_eq!(bcf.topics[0].text("Title"), "The beam at axis 3");
        assert!(bcf.topics[0].text("Description").starts_with("hard, protruding: wall × beam\n"));
        // Nothing is renamed: nothing is written.
        let mut bcf = reread(&bcf);
        check(&mut bcf, &named("beam"), &plain());
        let before = bcf.bytes().unwrap();
        check(&mut bcf, &named("beam"), &plain());
        assert_eq!(bcf.bytes().unwrap(), before);
    }
}
