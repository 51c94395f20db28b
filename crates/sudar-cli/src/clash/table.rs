//! What a clash check says to people.

use sudar_clash::{ClashInfo, ClashKind, Document, Gone, Status, gearbox};

use crate::report::{self, short};

/// How much of a document to list.
#[derive(Debug, Clone, Copy)]
pub struct Listing {
    /// The built-in assembly, whose faults are known.
    pub built_in: bool,
    /// Only what the baseline does not have.
    pub new_only: bool,
}

/// The table with a summary above and notes below.
pub fn text(title: &str, notes: &[String], document: &Document<'_>, listing: Listing) -> String {
    let mut text = format!("{title}: {}\n", summary(document));
    let rows = rows(document, listing);
    if !rows.is_empty() {
        text += &table(document, listing, rows);
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

fn summary(document: &Document<'_>) -> String {
    let Document { parts, clashes, gone, candidates, seconds, touch: _ } = document;
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
    let size = format!("{}, {}", report::count(parts.len(), "part"), report::count(triangles, "triangle"));
    let took = seconds.map_or(String::new(), |seconds| format!(" in {seconds:.3} s"));
    format!("{found}{since}\n{size}; {} examined{took}", report::count(*candidates, "pair"))
}

/// "; 1 new, 2 changed, 3 same, 4 gone since the baseline".
fn since(clashes: &[ClashInfo<'_>], gone: &[Gone]) -> String {
    let of = |status: Status| clashes.iter().filter(|clash| clash.status == Some(status)).count();
    let [new, changed, same] = [Status::New, Status::Changed, Status::Same].map(of);
    format!("; {new} new, {changed} changed, {same} same, {} gone since the baseline", gone.len())
}

fn table(document: &Document<'_>, listing: Listing, rows: Vec<Vec<String>>) -> String {
    let last = if listing.built_in { "planted fault" } else { "near" };
    let header = ["kind", "part", "part", "depth", "gap", "pairs", last];
    if document.gone.is_some() {
        let header = [&["status"], &header[..]].concat();
        report::table(&header, &[4, 5, 6], rows)
    } else {
        report::table(&header, &[3, 4, 5], rows)
    }
}

fn rows(document: &Document<'_>, listing: Listing) -> Vec<Vec<String>> {
    let listed = document.clashes.iter().filter(|clash| !(listing.new_only && clash.is_known()));
    let mut rows: Vec<Vec<String>> = listed.map(|clash| row(clash, listing.built_in)).collect();
    if let (Some(gone), false) = (&document.gone, listing.new_only) {
        rows.extend(gone.iter().map(gone_row));
    }
    rows
}

fn row(clash: &ClashInfo<'_>, built_in: bool) -> Vec<String> {
    let gap = if clash.kind == ClashKind::Clearance { short(clash.distance) } else { String::new() };
    let [a, b] = clash.names;
    let fault = gearbox::FAULTS.iter().find(|f| [f.a, f.b] == [a, b] && f.kind == clash.kind);
    let last = match fault {
        _ if !built_in => report::place(clash.point),
        Some(fault) => fault.cause.to_owned(),
        None => "no: an unexpected clash".to_owned(),
    };
    let mut kind = clash.kind.name().to_owned();
    if let Some(form) = clash.form.filter(|form| form.name() != kind) {
        kind += &format!(", {}", form.name());
    }
    if let Some(was) = clash.was {
        kind += &format!(", was {}", was.name());
    }
    let cells = [kind, a.to_owned(), b.to_owned(), depth(clash), gap, clash.triangle_pairs.to_string(), last];
    clash.status.map(|status| status.name().to_owned()).into_iter().chain(cells).collect()
}

/// How deep the parts are in each other, in three digits: a number, or where it lies between. A bound by boxes may be
/// many times the depth, which people would take it for: it is left out.
fn depth(clash: &ClashInfo<'_>) -> String {
    let (Some(most), Some(least)) = (clash.depth, clash.depth_at_least) else { return String::new() };
    if clash.depth_is == Some("box") {
        return String::new();
    }
    match [least, most].map(digits) {
        [_, most] if least >= NEARLY * clash.depth.unwrap_or(0.0) => most,
        [least, most] if least == "0" => format!("≤ {most}"),
        [least, most] => format!("{least} to {most}"),
    }
}

/// An interval whose ends are this near to each other is one number.
const NEARLY: f64 = 0.95;

/// Three significant digits.
fn digits(x: f64) -> String {
    let rounded: f64 = format!("{x:.2e}").parse().unwrap_or(x);
    short(rounded)
}

fn gone_row(gone: &Gone) -> Vec<String> {
    let [a, b] = &gone.names;
    let place = gone.point.map(|p| report::place(p.into())).unwrap_or_default();
    let cells = ["gone", gone.kind.name(), a, b, "", "", "", &place];
    cells.map(str::to_owned).to_vec()
}
