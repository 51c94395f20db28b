//! What a clash check says to people.

use anstyle::AnsiColor;
use sudar_clash::{
    ClashInfo, ClashKind, Document, Gone, Review, ReviewLog, ReviewStatus, Separation, Status, gearbox,
};

use crate::report::{self, short};

/// How much of a document to list.
#[derive(Debug, Clone, Copy)]
pub struct Listing {
    /// The built-in assembly, whose faults are known.
    pub built_in: bool,
    /// Only what the baseline does not have.
    pub new_only: bool,
    /// How many rows a table has at most.
    pub limit: usize,
}

/// The summary, the groups if they are fewer than the clashes, the table, and notes below.
pub fn text(
    title: &str,
    notes: &[String],
    document: &Document<'_>,
    log: Option<&ReviewLog>,
    listing: Listing,
) -> String {
    let mut text = format!("{title}: {}\n", summary(document, log));
    text += &groups(document, listing);
    let (rows, more) = rows(document, listing);
    if !rows.is_empty() {
        text += &table(document, listing, rows);
    }
    if more > 0 {
        text += &format!("{more} more; --limit 0 lists all, --out and --html hold all\n");
    }
    if listing.built_in {
        text += "Your own: sudar clash FILE… or FOLDER, see sudar clash --help\n";
    }
    let open = document.parts.iter().filter(|part| !part.closed).count();
    if open > 0 {
        text += &format!("note: {} not closed and so without an inside{}\n", verb(open), closing(document));
    }
    for note in notes {
        text += &format!("note: {note}\n");
    }
    text
}

/// What was found, in one line.
pub fn headline(title: &str, document: &Document<'_>, log: Option<&ReviewLog>) -> String {
    let summary = summary(document, log);
    format!("{title}: {}", summary.lines().next().unwrap_or_default())
}

/// How kinds are painted on a terminal.
pub const COLOURS: &[(&str, AnsiColor)] = &[
    ("duplicate", AnsiColor::Magenta),
    ("contained", AnsiColor::Magenta),
    ("hard", AnsiColor::Red),
    ("touch", AnsiColor::Yellow),
    ("clearance", AnsiColor::Cyan),
];

/// From so many clashes on groups are listed.
const MANY: usize = 12;

/// The groups, if there are many clashes and half as many groups or fewer.
fn groups(document: &Document<'_>, listing: Listing) -> String {
    let Document { groups, clashes, grouped_by, group_radius, .. } = document;
    if groups.is_empty() || clashes.len() < MANY || 2 * groups.len() > clashes.len() {
        return String::new();
    }
    let radius = group_radius.map(|radius| format!(" of radius {}", short(radius))).unwrap_or_default();
    let rows = groups.iter().take(listing.limit).map(|group| {
        let kinds = ClashKind::ALL.into_iter().filter_map(|kind| {
            let count = group.kinds.get(kind.name())?;
            Some(format!("{count} {}", kind.name()))
        });
        let depth = depth(group.depth_at_least, group.depth);
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        vec![group.name.clone(), group.count.to_string(), depth, kinds, document.place(group.point)]
    });
    let left = groups.len().saturating_sub(listing.limit);
    let more = if left > 0 { format!("{left} more groups\n") } else { String::new() };
    let header = ["group", "clashes", "depth", "kinds", "near"];
    format!(
        "{} by {grouped_by}{radius}\n{}{more}",
        report::count(groups.len(), "group"),
        report::table(&header, &[1, 2], rows)
    )
}

/// "; 2 of them close if welded at 1e-7", or nothing.
fn closing(document: &Document<'_>) -> String {
    let tolerances: Vec<f64> = document.parts.iter().filter_map(|part| part.closes_at).collect();
    match tolerances.iter().copied().reduce(f64::max) {
        None => String::new(),
        Some(most) if tolerances.len() == 1 => format!("; 1 of them closes if welded at {most:e}"),
        Some(most) => format!("; {} of them close if welded at {most:e}", tolerances.len()),
    }
}

fn verb(n: usize) -> String {
    format!("{} {}", report::count(n, "part"), if n == 1 { "is" } else { "are" })
}

fn summary(document: &Document<'_>, log: Option<&ReviewLog>) -> String {
    let Document { parts, clashes, gone, candidates, seconds, unlisted, origin, .. } = document;
    let kinds =
        ClashKind::ALL.map(|kind| (clashes.iter().filter(|clash| clash.kind == kind).count(), kind.name()));
    let kinds: Vec<String> =
        kinds.iter().filter(|(n, _)| *n > 0).map(|(n, name)| format!("{n} {name}")).collect();
    let triangles: usize = parts.iter().map(|part| part.triangles).sum();
    let found = match clashes.len() {
        0 => "no clashes".to_owned(),
        1 => format!("1 clash ({})", kinds.join(", ")),
        n => format!("{n} clashes ({})", kinds.join(", ")),
    };
    let since = gone.as_ref().map(|gone| since(clashes, gone)).unwrap_or_default();
    let reviews = log.map(|log| reviews(clashes, log)).unwrap_or_default();
    let size = format!("{}, {}", report::count(parts.len(), "part"), report::count(triangles, "triangle"));
    let unit = origin.unit.map_or(String::new(), |unit| format!("; lengths in {unit}"));
    let took = seconds.map_or(String::new(), |seconds| format!(" in {seconds:.3} s"));
    let equal = if *unlisted > 0 {
        format!("\n{} of equal parts in one place: not listed", report::count(*unlisted, "more clash"))
            .replace("clashs", "clashes")
    } else {
        String::new()
    };
    format!(
        "{found}{since}{reviews}{equal}\n{size}; {} examined{took}{unit}",
        report::count(*candidates, "pair")
    )
}

/// "; 1 new, 2 changed, 3 same, 4 gone since the baseline".
fn since(clashes: &[ClashInfo<'_>], gone: &[Gone]) -> String {
    let of = |status: Status| clashes.iter().filter(|clash| clash.status == Some(status)).count();
    let all = [Status::New, Status::Changed, Status::Deeper, Status::Shallower, Status::Same];
    let [new, changed, deeper, shallower, same] = all.map(of);
    let count = |n: usize, name: &str| if n > 0 { format!(", {n} {name}") } else { String::new() };
    let grown = count(deeper, "deeper") + &count(shallower, "shallower");
    format!("; {new} new, {changed} changed{grown}, {same} same, {} gone since the baseline", gone.len())
}

/// "; 1 new, 2 active, 0 resolved, 3 accepted, 1 ignored": of the clashes that are not left out, and of those that are
/// no more.
fn reviews(clashes: &[ClashInfo<'_>], log: &ReviewLog) -> String {
    let has =
        |status| move |clash: &&ClashInfo<'_>| clash.review.as_ref().is_some_and(|r| r.status == status);
    let counts = ReviewStatus::ALL.map(|status| {
        let count = match status {
            ReviewStatus::Resolved => log.count(status),
            ReviewStatus::New | ReviewStatus::Active | ReviewStatus::Accepted | ReviewStatus::Ignored => {
                clashes.iter().filter(has(status)).count()
            }
        };
        format!("{count} {}", status.name())
    });
    format!("; {}", counts.join(", "))
}

/// The title of the column with the ways that separate parts, which is left out where there are none.
const WAY: &str = "move b by";

fn table(document: &Document<'_>, listing: Listing, rows: Vec<Vec<String>>) -> String {
    let last = if listing.built_in { "planted fault" } else { "near" };
    let mut header = vec!["kind", "part", "part", "depth", WAY, "gap", "pairs", last];
    let mut rows = rows;
    let place = rows[0].len() - header.len() + 4;
    let has_ways = rows.iter().any(|row| !row[place].is_empty());
    if !has_ways {
        header.retain(|title| *title != WAY);
        rows.iter_mut().for_each(|row| drop(row.remove(place)));
    }
    let status: &[&str] = if document.gone.is_some() { &["status"] } else { &[] };
    let has_reviews = document.clashes.iter().any(|clash| clash.review.is_some());
    let severity: &[&str] = if has_severities(document) { &["severity"] } else { &[] };
    let review: &[&str] = if has_reviews { &["review", "assignee"] } else { &[] };
    let before = status.len() + review.len() + severity.len();
    let numbers = if has_ways { [3, 5, 6] } else { [3, 4, 5] };
    report::table(&[status, review, severity, &header].concat(), &numbers.map(|column| column + before), rows)
}

/// Whether there is a clash matrix.
fn has_severities(document: &Document<'_>) -> bool {
    document.clashes.iter().any(|clash| clash.severity.is_some())
}

/// The rows, what is worst first: by severity if there is a matrix, by kind,
/// then by depth or gap; and how many more there are.
fn rows(document: &Document<'_>, listing: Listing) -> (Vec<Vec<String>>, usize) {
    let is_listed = |clash: &&ClashInfo<'_>| clash.is_open() && !(listing.new_only && clash.is_known());
    let listed = document.clashes.iter().filter(is_listed);
    let mut listed: Vec<&ClashInfo<'_>> = listed.collect();
    let depth = |clash: &ClashInfo<'_>| {
        clash.depth_at_least.filter(|_| clash.depth_is != Some("box")).unwrap_or(-1.0)
    };
    listed.sort_by(|a, b| {
        let order = a.severity.cmp(&b.severity).then(a.kind.cmp(&b.kind)).then(depth(b).total_cmp(&depth(a)));
        order.then(a.distance.total_cmp(&b.distance))
    });
    let mut rows: Vec<Vec<String>> =
        listed.iter().take(listing.limit).map(|clash| row(document, clash, listing.built_in)).collect();
    let mut all = listed.len();
    if let (Some(gone), false) = (&document.gone, listing.new_only) {
        let has_reviews = document.clashes.iter().any(|clash| clash.review.is_some());
        rows.extend(gone.iter().take(listing.limit).map(|gone| gone_row(document, gone, has_reviews)));
        all += gone.len();
    }
    let more = all - rows.len();
    (rows, more)
}

fn row(document: &Document<'_>, clash: &ClashInfo<'_>, built_in: bool) -> Vec<String> {
    let gap = if clash.kind == ClashKind::Clearance { short(clash.distance) } else { String::new() };
    let [a, b] = clash.names;
    let fault = gearbox::FAULTS.iter().find(|f| [f.a, f.b] == [a, b] && f.kind == clash.kind);
    let last = match fault {
        _ if !built_in => {
            let place = clash.place.clone().unwrap_or_else(|| document.place(clash.point));
            clash.zone.as_ref().map_or(place.clone(), |zone| format!("{place}, in zone '{zone}'"))
        }
        Some(fault) => fault.cause.to_owned(),
        None => "no: an unexpected clash".to_owned(),
    };
    let mut kind = clash.kind.name().to_owned();
    if let Some(form) = clash.form.filter(|form| form.name() != kind) {
        kind += &format!(", {}", form.name());
    }
    if clash.uncertain {
        kind += ", uncertain";
    }
    if let Some(was) = clash.was {
        kind += &format!(", was {}", was.name());
    }
    // A bound by boxes may be many times the depth, which people would take it for: it is left out.
    let bounds = if clash.depth_is == Some("box") { [None; 2] } else { [clash.depth_at_least, clash.depth] };
    let cells = [
        kind,
        a.to_owned(),
        b.to_owned(),
        depth(bounds[0], bounds[1]),
        clash.separation.map(|out| way(&out)).unwrap_or_default(),
        gap,
        clash.triangle_pairs.to_string(),
        last,
    ];
    let change = clash.change.map_or(String::new(), |change| format!(": {change}"));
    let status = clash.status.map(|status| status.name().to_owned() + &change);
    let reviewed = |review: &Review| {
        let why = review.reopened.map_or(String::new(), |change| format!(", again: {change}"));
        [review.status.name().to_owned() + &why, review.assignee.clone()]
    };
    let review = clash.review.iter().flat_map(reviewed);
    let severity = clash.severity.map(|severity| severity.name().to_owned());
    status.into_iter().chain(review).chain(severity).chain(cells).collect()
}

/// How deep parts are in each other, in three digits: a number, or where it lies between.
fn depth(least: Option<f64>, most: Option<f64>) -> String {
    let (Some(least), Some(most)) = (least, most) else { return String::new() };
    match [least, most].map(digits) {
        [_, upper] if least >= NEARLY * most => upper,
        [lower, upper] if lower == "0" => format!("≤ {upper}"),
        [lower, upper] => format!("{lower} to {upper}"),
    }
}

/// The shortest way known that takes parts out of each other.
fn way(out: &Separation) -> String {
    format!("{} along {}", digits(out.length.upper), out.along())
}

/// An interval whose ends are this near to each other is one number.
const NEARLY: f64 = 0.95;

/// Three significant digits.
fn digits(x: f64) -> String {
    let rounded: f64 = format!("{x:.2e}").parse().unwrap_or(x);
    short(rounded)
}

fn gone_row(document: &Document<'_>, gone: &Gone, has_reviews: bool) -> Vec<String> {
    let [a, b] = &gone.names;
    let place = gone.point.map(|p| document.place(p.into())).unwrap_or_default();
    let review: &[&str] = if has_reviews { &["", ""] } else { &[] };
    let severity: &[&str] = if has_severities(document) { &[""] } else { &[] };
    let cells = [&["gone"], review, severity, &[gone.kind.name(), a, b, "", "", "", "", &place]].concat();
    cells.into_iter().map(str::to_owned).collect()
}
