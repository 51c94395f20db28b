//! Files as other tools write them.

use super::*;
use ReviewStatus::{Accepted, Active, New, Resolved};

/// In the style of a tool of .NET: a mark at the beginning, namespaces that nothing uses, names of its own, and `\` in
/// the archive.
fn old(status: &str) -> Files {
    let markup = format!(
        "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<Markup xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\">\r\n  <Header><File IfcProject=\"{}\"/></Header>\r\n  \
         <Topic Guid=\"7DDC3EF0-0AB7-43F1-918A-45E38B42369C\" TopicType=\"Issue\" TopicStatus=\"{status}\">\r\n    \
         <Title>Please look</Title>\r\n    <CreationDate>2025-01-01T00:00:00+01:00</CreationDate>\r\n    \
         <CreationAuthor>ana@example.org</CreationAuthor>\r\n    <AssignedTo>ben@example.org</AssignedTo>\r\n  </Topic>\r\n  \
         <Comment Guid=\"6DDC3EF0-0AB7-43F1-918A-45E38B42369C\"><Date>2025-01-01T00:00:00Z</Date><Author>Ana</Author>\
         <Comment>Here</Comment><Viewpoint Guid=\"5ddc3ef0-0ab7-43f1-918a-45e38b42369c\"/></Comment>\r\n  \
         <Viewpoints Guid=\"5ddc3ef0-0ab7-43f1-918a-45e38b42369c\"><Viewpoint>View_1.BCFV</Viewpoint></Viewpoints>\r\n</Markup>",
        IDS[0]
    );
    let view = format!(
        "<VisualizationInfo Guid=\"5ddc3ef0-0ab7-43f1-918a-45e38b42369c\"><Components><Selection><Component \
         IfcGuid=\"{}\"/><Component IfcGuid=\"{}\"><OriginatingSystem>X</OriginatingSystem></Component></Selection>\
         <Visibility DefaultVisibility=\"true\"/></Components></VisualizationInfo>",
        IDS[1], IDS[0]
    );
    let folder = "7DDC3EF0-0AB7-43F1-918A-45E38B42369C";
    Files::from([
        ("bcf.version".into(), b"<Version VersionId=\"2.1\"/>".to_vec()),
        (format!("{folder}/markup.bcf"), markup.into_bytes()),
        (format!("{folder}/View_1.BCFV"), view.into_bytes()),
        (format!("{folder}/plan.pdf"), b"%PDF".to_vec()),
        ("project.bcfp".into(), b"<ProjectExtension/>".to_vec()),
    ])
}

/// In the style of a tool that writes prefixes, and little else.
fn new() -> Files {
    let markup = "<b:Markup xmlns:b='urn:b'><b:Topic Guid='7ddc3ef0-0ab7-43f1-918a-45e38b42369c' TopicType='Clash' \
        TopicStatus='Closed'><b:Title>t</b:Title><b:CreationDate>2025-01-01T00:00:00</b:CreationDate><b:CreationAuthor>a\
        </b:CreationAuthor><b:Comments/><b:Viewpoints><b:ViewPoint Guid='5ddc3ef0-0ab7-43f1-918a-45e38b42369c'>\
        <b:Viewpoint>v.bcfv</b:Viewpoint></b:ViewPoint></b:Viewpoints></b:Topic></b:Markup>";
    let view = "<b:VisualizationInfo xmlns:b='urn:b' Guid='5ddc3ef0-0ab7-43f1-918a-45e38b42369c'><b:Components>\
        <b:Selection><b:Component><b:AuthoringToolId>duct</b:AuthoringToolId></b:Component><b:Component>\
        <b:AuthoringToolId>beam</b:AuthoringToolId></b:Component></b:Selection></b:Components></b:VisualizationInfo>";
    Files::from([
        ("export/bcf.version".into(), b"<Version VersionId='3.0'/>".to_vec()),
        ("export/t/markup.bcf".into(), markup.as_bytes().to_vec()),
        ("export/t/v.bcfv".into(), view.as_bytes().to_vec()),
        ("export/extensions.xml".into(), b"<Extensions><Users><User>a</User></Users></Extensions>".to_vec()),
    ])
}

fn read(files: &Files) -> Bcf {
    Bcf::read(&pack(files).unwrap()).unwrap()
}

#[test]
fn topics_of_others_about_a_clash_are_taken_for_it() {
    let files = old("Approved");
    let mut bcf = read(&files);
    // The other clash gets a topic; this one has it, and keeps every byte of it.
    assert_eq!(check(&mut bcf, &row(0.0), &plain()), [Accepted, New]);
    assert_eq!(bcf.len(), 2);
    let after = unpack(&bcf.bytes().unwrap()).unwrap();
    assert!(files.iter().all(|(name, content)| after[name] == *content));
    // It was solved, and is still there.
    let mut bcf = read(&old("Closed"));
    assert_eq!(check(&mut bcf, &row(0.0), &plain()), [Active, New]);
    let bcf = Bcf::read(&bcf.bytes().unwrap()).unwrap();
    let theirs = bcf.topics.iter().find(|topic| topic.own_guid().is_none()).unwrap();
    assert_eq!((theirs.attribute("TopicStatus"), theirs.text("Title").as_str()), ("Active", "Please look"));
    assert_eq!(
        (theirs.said().as_str(), theirs.text("AssignedTo").as_str()),
        ("Ana: Here", "ben@example.org")
    );
}

#[test]
fn topics_of_others_about_no_clash_are_none_of_ours() {
    for status in ["Open", "Closed", "Whatever"] {
        let files = old(status);
        let mut bcf = read(&files);
        let apart = model(&[cube("wall", IDS[0], 0.0), cube("beam", IDS[1], 5.0)]);
        assert_eq!(check(&mut bcf, &apart, &plain()), []);
        assert_eq!(unpack(&bcf.bytes().unwrap()).unwrap(), files);
    }
}

#[test]
fn names_and_prefixes_will_do() {
    let mut bcf = read(&new());
    assert_eq!(check(&mut bcf, &row(0.0), &plain()), [New, Active]);
    let files = unpack(&bcf.bytes().unwrap()).unwrap();
    let markup = String::from_utf8(files["export/t/markup.bcf"].clone()).unwrap();
    assert!(markup.contains("<b:Topic ") && markup.contains("TopicStatus=\"Active\""), "{markup}");
    let users = String::from_utf8(files["export/extensions.xml"].clone()).unwrap();
    assert!(users.contains("<User>a</User>") && users.contains("<TopicType>Clash</TopicType>"), "{users}");
    assert!(files.keys().all(|name| name.starts_with("export/")));
    assert_eq!(Bcf::read(&pack(&files).unwrap()).unwrap().len(), 2);
}

#[test]
fn a_topic_of_ours_counts_before_one_of_others() {
    let mut bcf = written(BcfVersion::V2_1, &row(0.0), &plain());
    let others = read(&old("Closed"));
    bcf.files.extend(others.files.clone());
    topic(&mut bcf, "wall").topic_mut().unwrap().set_attribute("TopicStatus", "Accepted");
    let mut bcf = Bcf::read(&bcf.bytes().unwrap()).unwrap();
    assert_eq!(bcf.len(), 3);
    assert_eq!(check(&mut bcf, &row(0.0), &plain()), [Accepted, Active]);
    let theirs = bcf.topics.iter().find(|topic| topic.own_guid().is_none()).unwrap();
    assert!(!theirs.is_changed());
    assert_ne!(theirs.attribute("TopicStatus"), status::written(Resolved));
}

#[test]
fn damaged_and_hostile_files_are_refused_by_name() {
    let with = |name: &str, content: &str| {
        let mut files = old("Open");
        files.insert(name.to_owned(), content.as_bytes().to_vec());
        Bcf::read(&pack(&files).unwrap()).unwrap_err().to_string()
    };
    let entity = "<!DOCTYPE m [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><Markup><Topic/></Markup>";
    for (content, expected) in [
        (entity, "x/markup.bcf: has a document type"),
        ("<Markup>", "x/markup.bcf: byte 8"),
        ("<Markup/>", "x/markup.bcf: has no topic"),
        (&"<a>".repeat(99), "x/markup.bcf: elements are nested"),
    ] {
        let message = with("x/markup.bcf", content);
        assert!(message.starts_with(expected) && !message.contains('\n'), "{message}");
    }
    // A view that cannot be read is none.
    let mut files = old("Open");
    files.insert("7DDC3EF0-0AB7-43F1-918A-45E38B42369C/View_1.BCFV".into(), b"<a>".to_vec());
    assert_eq!(check(&mut read(&files), &row(0.0), &plain()), [New, New]);
}

#[test]
fn no_cut_of_a_file_makes_trouble() {
    let bytes = written(BcfVersion::V2_1, &row(0.0), &plain()).bytes().unwrap();
    for cut in (0..bytes.len()).step_by(bytes.len() / 97) {
        assert!(Bcf::read(&bytes[..cut]).is_err());
        let mut changed = bytes.clone();
        changed[cut] ^= 0x55;
        // Read or refused, but not more.
        let _ = Bcf::read(&changed).map(|mut bcf| check(&mut bcf, &row(0.0), &plain()));
    }
}
