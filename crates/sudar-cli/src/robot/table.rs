//! What is known of the robot, its configurations or edges, for people.

use std::collections::BTreeMap;

use super::answers::Document;
use crate::report::{count, short, table};

pub fn text(document: &Document) -> String {
    let Document { file, robot, links, joints, parts, objects, pairs, .. } = document;
    let mut text = format!(
        "{file}: robot {robot}, {}, {} with geometry, {} that move; {} in the scene\n",
        count(*links, "link"),
        parts.len(),
        count(joints.len(), "joint"),
        count(*objects, "object")
    );
    if let Some(plan) = &document.plan {
        text += &plan.text(&joints.iter().map(|joint| joint.name.as_str()).collect::<Vec<&str>>());
    } else if let Some(verified) = &document.verified {
        text += &verified.text();
    } else if document.checked == 0 {
        let limit = |x: Option<f64>| x.map_or("none".to_owned(), short_signed);
        let rows =
            joints.iter().map(|joint| vec![joint.name.clone(), limit(joint.lower), limit(joint.upper)]);
        text += &table(&["joint", "lower", "upper"], &[1, 2], rows);
    } else {
        text += &summary(document);
    }
    let mut why: BTreeMap<&str, usize> = BTreeMap::new();
    pairs.left_out.iter().for_each(|pair| *why.entry(pair.why).or_default() += 1);
    let why: Vec<String> = why.iter().map(|(why, n)| format!("{n} {why}")).collect();
    let left_out = if why.is_empty() { "none".to_owned() } else { why.join(", ") };
    text += &format!(
        "pairs of links: {} checked, of which {} never met in {}; left out: {left_out}\n",
        pairs.checked,
        pairs.never_met,
        count(pairs.samples, "sample")
    );
    text + &document.notes.iter().map(|note| format!("note: {note}\n")).collect::<String>()
}

fn short_signed(x: f64) -> String {
    if x < 0.0 { format!("-{}", short(-x)) } else { short(x) }
}

fn summary(document: &Document) -> String {
    let what = if document.is_edges { "edge" } else { "configuration" };
    let rows = [
        ("valid", document.valid),
        ("outside limits", document.outside_limits),
        ("in contact with the scene", document.scene_contact),
        ("in contact with itself", document.self_contact),
        ("undecided", document.undecided),
    ];
    let rows = rows.into_iter().map(|(name, n)| vec![name.to_owned(), n.to_string()]);
    let mut text = table(&[&count(document.checked, what), "number"], &[1], rows);
    if let Some(nearest) = &document.nearest {
        let names = [&nearest.part, &nearest.other].map(|name| name.as_deref().unwrap_or("nothing"));
        let (row, at) = (nearest.row, short_signed(nearest.upper));
        text += &format!("least clearance {at} m in row {row}: {} and {}\n", names[0], names[1]);
    }
    for found in &document.found {
        let names = [&found.part, &found.other].map(|name| name.as_deref().unwrap_or_default());
        let pair =
            if found.part.is_some() { format!(": {} and {}", names[0], names[1]) } else { String::new() };
        let time = found.t.map_or(String::new(), |[lower, upper]| format!(", t in [{lower}, {upper}]"));
        let joint = found.joint.as_ref().map_or(String::new(), |joint| format!(": joint {joint}"));
        text += &format!("row {}: {}{joint}{pair}{time}\n", found.row, found.what);
    }
    let unlisted = document.checked - document.valid - document.found.len();
    if unlisted > 0 {
        text += &format!("{unlisted} more; --limit 0 lists all\n");
    }
    text
}
