//! The rules of the schemas of both versions, as far as we write them: which elements and attributes there are, in
//! which order, how often, and what is in them.

use std::collections::BTreeSet;

use super::*;

/// How often an element is there.
#[derive(Clone, Copy, PartialEq)]
enum Times {
    Once,
    AtMostOnce,
    Any,
    Some,
}
use Times::{Any, AtMostOnce, Once, Some as Several};

/// What an element may have in it, in order, and which attributes it must have and may have.
type Rule =
    (&'static str, &'static [(&'static str, Times)], &'static [&'static str], &'static [&'static str]);

const BOTH: &[Rule] = &[
    ("Topic/BimSnippet", &[("Reference", Once), ("ReferenceSchema", Once)], &["SnippetType"], &[]),
    ("PerspectiveCamera/CameraViewPoint", POINT, &[], &[]),
    ("PerspectiveCamera/CameraDirection", POINT, &[], &[]),
    ("PerspectiveCamera/CameraUpVector", POINT, &[], &[]),
    ("Comment/Viewpoint", &[], &["Guid"], &[]),
    ("/Component", &[("OriginatingSystem", AtMostOnce), ("AuthoringToolId", AtMostOnce)], &[], &["IfcGuid"]),
    ("Visibility/Exceptions", &[("Component", Several)], &[], &[]),
    ("Components/Selection", &[("Component", Several)], &[], &[]),
    ("Components/Coloring", &[("Color", Several)], &[], &[]),
    ("/Markup", &[("Header", AtMostOnce), ("Topic", Once), ("Comment", Any), ("Viewpoints", Any)], &[], &[]),
];
const POINT: &[(&str, Times)] = &[("X", Once), ("Y", Once), ("Z", Once)];
const COMMENT: &[(&str, Times)] = &[
    ("Date", Once),
    ("Author", Once),
    ("Comment", Once),
    ("Viewpoint", AtMostOnce),
    ("ModifiedDate", AtMostOnce),
    ("ModifiedAuthor", AtMostOnce),
];
const VIEW: &[(&str, Times)] = &[("Viewpoint", AtMostOnce), ("Snapshot", AtMostOnce), ("Index", AtMostOnce)];
const FILE: &[(&str, Times)] = &[("Filename", AtMostOnce), ("Date", AtMostOnce), ("Reference", AtMostOnce)];

const OLD: &[Rule] = &[
    ("/Version", &[("DetailedVersion", AtMostOnce)], &["VersionId"], &[]),
    ("Markup/Header", &[("File", Several)], &[], &[]),
    ("Header/File", FILE, &[], &["isExternal", "IfcProject"]),
    ("/ProjectExtension", &[("Project", AtMostOnce), ("ExtensionSchema", Once)], &[], &[]),
    ("ProjectExtension/Project", &[("Name", AtMostOnce)], &["ProjectId"], &[]),
    (
        "Markup/Topic",
        &[
            ("ReferenceLink", Any),
            ("Title", Once),
            ("Priority", AtMostOnce),
            ("Index", AtMostOnce),
            ("Labels", Any),
            ("CreationDate", Once),
            ("CreationAuthor", Once),
            ("ModifiedDate", AtMostOnce),
            ("ModifiedAuthor", AtMostOnce),
            ("DueDate", AtMostOnce),
            ("AssignedTo", AtMostOnce),
            ("Stage", AtMostOnce),
            ("Description", AtMostOnce),
            ("BimSnippet", AtMostOnce),
        ],
        &["Guid"],
        &["TopicType", "TopicStatus"],
    ),
    ("Markup/Comment", COMMENT, &["Guid"], &[]),
    ("Markup/Viewpoints", VIEW, &["Guid"], &[]),
    ("/VisualizationInfo", &[("Components", AtMostOnce), ("PerspectiveCamera", AtMostOnce)], &["Guid"], &[]),
    (
        "VisualizationInfo/Components",
        &[
            ("ViewSetupHints", AtMostOnce),
            ("Selection", AtMostOnce),
            ("Visibility", Once),
            ("Coloring", AtMostOnce),
        ],
        &[],
        &[],
    ),
    ("Components/Visibility", &[("Exceptions", AtMostOnce)], &[], &["DefaultVisibility"]),
    ("Coloring/Color", &[("Component", Several)], &["Color"], &[]),
    (
        "VisualizationInfo/PerspectiveCamera",
        &[
            ("CameraViewPoint", Once),
            ("CameraDirection", Once),
            ("CameraUpVector", Once),
            ("FieldOfView", Once),
        ],
        &[],
        &[],
    ),
];

const NEW: &[Rule] = &[
    ("/Version", &[], &["VersionId"], &[]),
    ("Markup/Header", &[("Files", AtMostOnce)], &[], &[]),
    ("Header/Files", &[("File", Any)], &[], &[]),
    ("Files/File", FILE, &[], &["IsExternal", "IfcProject"]),
    ("/ProjectInfo", &[("Project", Once)], &[], &[]),
    ("ProjectInfo/Project", &[("Name", AtMostOnce)], &["ProjectId"], &[]),
    (
        "Markup/Topic",
        &[
            ("ReferenceLinks", AtMostOnce),
            ("Title", Once),
            ("Priority", AtMostOnce),
            ("Index", AtMostOnce),
            ("Labels", AtMostOnce),
            ("CreationDate", Once),
            ("CreationAuthor", Once),
            ("ModifiedDate", AtMostOnce),
            ("ModifiedAuthor", AtMostOnce),
            ("DueDate", AtMostOnce),
            ("AssignedTo", AtMostOnce),
            ("Stage", AtMostOnce),
            ("Description", AtMostOnce),
            ("BimSnippet", AtMostOnce),
            ("DocumentReferences", AtMostOnce),
            ("RelatedTopics", AtMostOnce),
            ("Comments", AtMostOnce),
            ("Viewpoints", AtMostOnce),
        ],
        &["Guid", "TopicType", "TopicStatus"],
        &["ServerAssignedId"],
    ),
    ("Topic/Labels", &[("Label", Any)], &[], &[]),
    ("Topic/Comments", &[("Comment", Any)], &[], &[]),
    ("Comments/Comment", COMMENT, &["Guid"], &[]),
    ("Topic/Viewpoints", &[("ViewPoint", Any)], &[], &[]),
    ("Viewpoints/ViewPoint", VIEW, &["Guid"], &[]),
    ("/VisualizationInfo", &[("Components", AtMostOnce), ("PerspectiveCamera", Once)], &["Guid"], &[]),
    (
        "VisualizationInfo/Components",
        &[("Selection", AtMostOnce), ("Visibility", AtMostOnce), ("Coloring", AtMostOnce)],
        &[],
        &[],
    ),
    (
        "Components/Visibility",
        &[("ViewSetupHints", AtMostOnce), ("Exceptions", AtMostOnce)],
        &[],
        &["DefaultVisibility"],
    ),
    ("Coloring/Color", &[("Components", Once)], &["Color"], &[]),
    ("Color/Components", &[("Component", Several)], &[], &[]),
    (
        "VisualizationInfo/PerspectiveCamera",
        &[
            ("CameraViewPoint", Once),
            ("CameraDirection", Once),
            ("CameraUpVector", Once),
            ("FieldOfView", Once),
            ("AspectRatio", Once),
        ],
        &[],
        &[],
    ),
    (
        "/Extensions",
        &[
            ("TopicTypes", AtMostOnce),
            ("TopicStatuses", AtMostOnce),
            ("Priorities", AtMostOnce),
            ("TopicLabels", AtMostOnce),
            ("Users", AtMostOnce),
            ("SnippetTypes", AtMostOnce),
            ("Stages", AtMostOnce),
        ],
        &[],
        &[],
    ),
    ("Extensions/TopicTypes", &[("TopicType", Any)], &[], &[]),
    ("Extensions/TopicStatuses", &[("TopicStatus", Any)], &[], &[]),
    ("Extensions/Priorities", &[("Priority", Any)], &[], &[]),
    ("Extensions/TopicLabels", &[("TopicLabel", Any)], &[], &[]),
    ("Extensions/Users", &[("User", Any)], &[], &[]),
];

/// Asserts that a file written for a test follows the rules.
pub fn follows(bytes: &[u8]) {
    let files = unpack(bytes).unwrap();
    let (_, version) = version_of(&files).unwrap();
    assert!(files.contains_key("extensions.xml") || version == BcfVersion::V2_1);
    let mut guids = BTreeSet::new();
    for (name, content) in &files {
        if name.ends_with(".png") {
            assert!(content.starts_with(b"\x89PNG"));
            continue;
        }
        let root = parse(name, content).unwrap();
        let expected = match name.rsplit(['/', '.']).next().unwrap() {
            "version" => "Version",
            "bcf" => "Markup",
            "bcfv" => "VisualizationInfo",
            "bcfp" if version == BcfVersion::V2_1 => "ProjectExtension",
            "bcfp" => "ProjectInfo",
            _ => "Extensions",
        };
        assert_eq!(root.name, expected);
        element(version, "", &root);
        if let Some((folder, "markup.bcf")) = name.split_once('/') {
            markup(&files, version, folder, &root);
            assert!(guids.insert(folder.to_owned()));
        }
    }
}

/// What the schema does not say: folders are called as their topics, and every file that is named is there.
fn markup(files: &Files, version: BcfVersion, folder: &str, root: &Element) {
    let topic = Topic::read(&format!("{folder}/markup.bcf"), &write(root)).unwrap();
    assert_eq!(topic.guid(), folder);
    let views = topic.views();
    for View { guid, file, snapshot } in &views {
        let view = parse(file, &files[&format!("{folder}/{file}")]).unwrap();
        assert_eq!(view.attribute("Guid"), Some(guid.as_str()));
        assert!(snapshot.is_empty() || files.contains_key(&format!("{folder}/{snapshot}")));
    }
    let is_there = |name: &str| files.contains_key(&format!("{folder}/{name}"));
    assert!(views.is_empty() || (is_there("viewpoint.bcfv") && is_there("snapshot.png")));
    for comment in topic.comments() {
        assert!(comment.view.is_empty() || views.iter().any(|view| view.guid == comment.view));
    }
    if version == BcfVersion::V3_0 {
        assert_eq!(folder, folder.to_lowercase());
    }
}

fn element(version: BcfVersion, parent: &str, element: &Element) {
    let own = if version == BcfVersion::V2_1 { OLD } else { NEW };
    let path = format!("{parent}/{}", element.name);
    let rule = own.iter().chain(BOTH).find(|(key, ..)| path.ends_with(key));
    let Some((_, children, required, optional)) = rule else {
        assert!(element.elements().next().is_none(), "{path} is no element with others in it");
        assert!(element.attributes.is_empty(), "{path} has attributes");
        return value(version, &element.name, &element.text());
    };
    assert!(element.text().is_empty(), "{path} has text");
    for key in *required {
        assert!(element.attribute(key).is_some(), "{path} needs {key}");
    }
    for (key, text) in &element.attributes {
        assert!(required.contains(&key.as_str()) || optional.contains(&key.as_str()), "{path} has no {key}");
        value(version, key, text);
    }
    let mut rest = element.elements().peekable();
    for &(name, times) in *children {
        let mut count = 0;
        while rest.next_if(|child| child.name == name).is_some() {
            count += 1;
        }
        let is_right = match times {
            Once => count == 1,
            AtMostOnce => count <= 1,
            Any => true,
            Several => count >= 1,
        };
        assert!(is_right, "{path} has {count} {name}");
    }
    assert!(
        rest.peek().is_none(),
        "{path}: {:?} is not there or in another place",
        rest.peek().map(|e| &e.name)
    );
    element.elements().for_each(|child| self::element(version, &path, child));
}

/// What stands in an element or attribute of that name.
fn value(version: BcfVersion, name: &str, text: &str) {
    let is_right = match name {
        "Guid" => {
            let lengths: Vec<usize> = text.split('-').map(str::len).collect();
            lengths == [8, 4, 4, 4, 12] && text.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
        }
        "IfcGuid" => text.len() == 22 && text.chars().all(|c| c.is_ascii_alphanumeric() || "_$".contains(c)),
        "Color" => text.len() == 6 && text.chars().all(|c| matches!(c, '0'..='9' | 'A'..='F')),
        "X" | "Y" | "Z" => text.parse::<f64>().is_ok_and(f64::is_finite),
        "AspectRatio" => text.parse::<f64>().is_ok_and(|x| x > 0.0),
        "FieldOfView" => text.parse::<f64>().is_ok_and(|x| (45.0..=60.0).contains(&x)),
        "Index" => text.parse::<i32>().is_ok(),
        "CreationDate" | "ModifiedDate" | "DueDate" | "Date" => is_date(text),
        "isExternal" | "IsExternal" | "DefaultVisibility" => ["true", "false"].contains(&text),
        _ => version == BcfVersion::V2_1 || !text.trim().is_empty(),
    };
    assert!(is_right, "{name}: {text:?}");
}

/// As `2026-01-31T12:00:00` with a zone or without.
fn is_date(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    ["", "Z", "+00:00", "-00:00"].iter().any(|zone| shape == format!("0000-00-00T00:00:00{zone}"))
}
