//! What topics say in words, and which of these words are still ours.

use super::topic::Topic;
use crate::depth::BOX;
use crate::document::{ClashInfo, Document, Group};
use crate::options::ClashKind;
use crate::regions::Form;
use crate::severity::Severity;

/// Stands at the end of what is written here. What people add behind it stays; a description without it is theirs.
const MARK: &str = "[sudar clash]";

/// No more clashes of a group are named.
const NAMED: usize = 50;

/// How urgent a clash is: by the matrix, otherwise by its kind.
pub(super) fn priority(clash: &ClashInfo<'_>) -> &'static str {
    match clash.severity {
        Some(Severity::Critical) => "Critical",
        Some(Severity::Major) => "High",
        Some(Severity::Minor) => "Low",
        None => priority_of(clash.kind),
    }
}

/// How urgent a kind is.
pub(super) const fn priority_of(kind: ClashKind) -> &'static str {
    match kind {
        ClashKind::Duplicate | ClashKind::Contained | ClashKind::Hard => "High",
        ClashKind::Clearance => "Normal",
        ClashKind::Touch => "Low",
    }
}

/// The priorities that are written.
pub(super) const PRIORITIES: [&str; 4] = ["Critical", "High", "Normal", "Low"];

/// The names of all kinds and forms, each once: labels that are ours.
pub(super) fn own_labels() -> Vec<&'static str> {
    let forms =
        [Form::Piercing, Form::Protruding, Form::Touching, Form::Contained, Form::Duplicate].map(Form::name);
    let mut all: Vec<&str> = ClashKind::ALL.iter().map(|kind| kind.name()).chain(forms).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The labels of a topic about these clashes, and those that others gave it.
pub(super) fn labels(clashes: &[&ClashInfo<'_>], before: &[String]) -> Vec<String> {
    let has = |name: &str| {
        clashes
            .iter()
            .any(|clash| clash.kind.name() == name || clash.form.is_some_and(|form| form.name() == name))
    };
    let own = own_labels();
    let foreign = before.iter().filter(|label| !own.contains(&label.as_str())).cloned();
    own.iter().filter(|name| has(name)).map(|name| (*name).to_owned()).chain(foreign).collect()
}

/// What a topic is called.
pub(super) fn title(group: Option<&Group>, clash: &ClashInfo<'_>) -> String {
    match group {
        Some(group) if group.name.trim().is_empty() => "clashes of parts without names".to_owned(),
        Some(group) => group.name.clone(),
        None => format!("{}: {}", clash.kind.name(), pair(clash)),
    }
}

/// Whether the title of a topic is the one that was written for these parts, of whatever kind they were and whatever
/// they were called then.
pub(super) fn is_own_title(topic: &Topic, clash: &ClashInfo<'_>) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (title, [a, b]) = (words(&topic.text("Title")), clash.names);
    let pairs = [pair(clash), format!("{b} × {a}")].into_iter().chain(said_pair(topic));
    let own = pairs.flat_map(|pair| ClashKind::ALL.map(|kind| format!("{}: {pair}", kind.name())));
    own.into_iter().any(|own| words(&own) == title)
}

/// The names of both parts as the first line of a description says them, if that is ours and of one clash.
pub(super) fn said_pair(topic: &Topic) -> Option<String> {
    let text = topic.text("Description");
    let (own, _) = text.split_once(MARK)?;
    let (what, pair) = own.lines().next()?.split_once(": ")?;
    let kind = what.split(',').next().unwrap_or_default();
    ClashKind::ALL.iter().any(|known| known.name() == kind).then(|| pair.to_owned())
}

/// The names of both parts.
pub(super) fn pair(clash: &ClashInfo<'_>) -> String {
    format!("{} × {}", clash.names[0], clash.names[1])
}

/// What a topic says, with what people have added to it before.
pub(super) fn description(
    document: &Document<'_>,
    group: Option<&Group>,
    clashes: &[&ClashInfo<'_>],
    before: &Topic,
) -> String {
    let old = before.text("Description");
    let added = match old.split_once(MARK) {
        Some((_, added)) => added,
        None if old.is_empty() => "",
        None => return old,
    };
    let own = match (group, clashes) {
        (None, [clash]) => one(document, clash),
        (_, clashes) => several(document, group, clashes),
    };
    format!("{own}\n{MARK}{added}")
}

/// The lines about one clash.
fn one(document: &Document<'_>, clash: &ClashInfo<'_>) -> String {
    let mut lines = vec![format!("{} {}", what(clash), pair(clash))];
    lines.extend(measure(document, clash));
    lines.extend(clash.separation.map(|out| {
        let length = digits(out.length.upper);
        format!("to separate them, move the second part by {length} {} along {}", unit(document), out.along())
    }));
    lines.push(format!("point: {} {}", document.place(clash.point), unit(document)));
    lines.extend(clash.place.as_ref().map(|place| format!("place: {place}")));
    lines.extend(clash.zone.as_ref().map(|zone| format!("zone: {zone}")));
    for (side, part) in ["first part", "second part"].into_iter().zip([clash.a, clash.b]) {
        let part = &document.parts[part];
        let known =
            ["class", "storey"].into_iter().filter_map(|key| Some(format!("{key} {}", part.property(key)?)));
        let known: Vec<String> = known.collect();
        lines.extend((!known.is_empty()).then(|| format!("{side}: {}", known.join(", "))));
    }
    lines.extend(group_of(document, clash).map(|group| format!("group: {}", group.name)));
    lines.join("\n")
}

fn several(document: &Document<'_>, group: Option<&Group>, clashes: &[&ClashInfo<'_>]) -> String {
    let count = group.map_or(clashes.len(), |group| group.count.max(clashes.len()));
    let mut lines = vec![format!("{count} clashes")];
    for clash in clashes.iter().take(NAMED) {
        let measure = measure(document, clash).map_or(String::new(), |measure| format!(", {measure}"));
        lines.push(format!("{} {}{measure}", what(clash), pair(clash)));
    }
    let left = count - clashes.len().min(NAMED);
    lines.extend((left > 0).then(|| format!("and {left} more")));
    lines.join("\n")
}

/// "hard, piercing:"
fn what(clash: &ClashInfo<'_>) -> String {
    let kind = clash.kind.name();
    match clash.form.filter(|form| form.name() != kind) {
        Some(form) => format!("{kind}, {}:", form.name()),
        None => format!("{kind}:"),
    }
}

/// The depth, or how far apart parts are.
fn measure(document: &Document<'_>, clash: &ClashInfo<'_>) -> Option<String> {
    let unit = unit(document);
    match (clash.depth_at_least, clash.depth) {
        // A bound by boxes may be many times the depth.
        (Some(_), Some(most)) if clash.depth_is == Some(BOX) => {
            Some(format!("depth: at most {} {unit}, by boxes", digits(most)))
        }
        (Some(least), Some(most)) => Some(format!("depth: {} to {} {unit}", digits(least), digits(most))),
        _ => (clash.distance > 0.0).then(|| format!("distance: {} {unit}", digits(clash.distance))),
    }
}

fn unit(document: &Document<'_>) -> &'static str {
    document.origin.unit.unwrap_or("(unit not known, taken for metres)")
}

fn group_of<'d>(document: &'d Document<'_>, clash: &ClashInfo<'_>) -> Option<&'d Group> {
    document.groups.get(clash.group?).filter(|group| group.count > 1)
}

/// Six significant digits.
fn digits(x: f64) -> String {
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits() {
        let cases = [(0.1234567, "0.123457"), (-1234567.0, "-1234570"), (0.0, "0"), (-0.0, "0"), (2.0, "2")];
        for (x, text) in cases {
            assert_eq!(digits(x), text);
        }
    }

    #[test]
    fn labels_name_every_kind() {
        let own = own_labels();
        assert!(ClashKind::ALL.iter().all(|kind| own.contains(&kind.name())));
        assert_eq!(own.len(), 8);
        assert!(ClashKind::ALL.iter().all(|&kind| PRIORITIES.contains(&priority_of(kind))));
    }
}
