//! The clashes as a table for other programs: CSV or an Excel workbook.

mod cell;
mod workbook;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sudar::DVec3;
use sudar_clash::{Change, ClashInfo, Document, Form, GLOBAL_ID};

use crate::report;
use cell::{Cell, Sheet};

/// A name that ends in .csv or .xlsx.
pub fn file_name(text: &str) -> Result<PathBuf> {
    let path = PathBuf::from(text);
    match ending(&path).as_str() {
        "csv" | "xlsx" => Ok(path),
        _ => bail!("let its name end in .csv or .xlsx"),
    }
}

fn ending(path: &Path) -> String {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
}

/// Writes the clashes of a document, a row each, to a file of the kind that its name says.
pub fn write(path: &Path, document: &Document<'_>) -> Result<()> {
    let clashes = clashes(document);
    let bytes = match ending(path).as_str() {
        "xlsx" => {
            let sheets = [clashes, groups(document), settings(document)];
            workbook::bytes(&sheets, document.origin.date.as_deref())
        }
        _ => csv(&clashes),
    };
    report::write_whole(path, bytes.with_context(|| path.display().to_string())?)
}

/// With commas, in UTF-8, a line of titles first.
fn csv(sheet: &Sheet) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(sheet.header.iter().map(|(title, _)| title))?;
    for row in &sheet.rows {
        writer.write_record(row.iter().map(plain))?;
    }
    Ok(writer.into_inner().map_err(csv::IntoInnerError::into_error)?)
}

/// A cell of CSV. Programs for tables take a text that begins like a formula for one, and names of parts come from
/// anywhere: an apostrophe before it makes it a text.
fn plain(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) => format!("'{text}"),
        Cell::Text(text) => text.clone(),
        Cell::Number(number) => number.to_string(),
        Cell::Empty => String::new(),
    }
}

/// Columns: a title, its width, and what a row has there.
type Column<'d> = (String, f64, Value<'d>);
type Value<'d> = Box<dyn Fn(usize, &ClashInfo<'_>) -> Cell + 'd>;

fn clashes(document: &Document<'_>) -> Sheet {
    let columns = columns(document);
    let row = |(number, clash)| columns.iter().map(|(_, _, value)| value(number, clash)).collect();
    let rows = document.clashes.iter().enumerate().map(row).collect();
    let header = columns.iter().map(|(title, width, _)| (title.clone(), *width)).collect();
    Sheet { name: "clashes", header, rows }
}

fn columns<'d>(document: &'d Document<'_>) -> Vec<Column<'d>> {
    let column = |title: &str, width: f64, value: Value<'d>| (title.to_owned(), width, value);
    let length = |title: &str, value: fn(&ClashInfo<'_>) -> Option<f64>| {
        let value = Box::new(move |_: usize, clash: &ClashInfo<'_>| Cell::number(value(clash)));
        (in_unit(title, document), 14.0, value as Value<'d>)
    };
    let property = |title: &str, key: &'static str, side: usize| {
        let value = move |_: usize, clash: &ClashInfo<'_>| {
            let part = [clash.a, clash.b][side];
            Cell::text(document.parts[part].property(key))
        };
        column(title, 16.0, Box::new(value))
    };
    let file = |title: &str, side: usize| {
        let value = move |_: usize, clash: &ClashInfo<'_>| {
            let number = document.parts[[clash.a, clash.b][side]].file;
            Cell::text(number.and_then(|number| document.origin.files.get(number)).map(String::as_str))
        };
        column(title, 16.0, Box::new(value))
    };
    let review = |title: &str, width: f64, value: for<'c> fn(&'c ClashInfo<'_>) -> Option<&'c str>| {
        column(title, width, Box::new(move |_, clash| Cell::text(value(clash))))
    };
    let group = move |clash: &ClashInfo<'_>| Some(document.groups.get(clash.group?)?.name.as_str());
    vec![
        column("number", 8.0, Box::new(|number, _| Cell::Number(number as f64))),
        review("kind", 11.0, |clash| Some(clash.kind.name())),
        review("form", 11.0, |clash| clash.form.map(Form::name)),
        review("part a", 28.0, |clash| Some(clash.names[0])),
        review("part b", 28.0, |clash| Some(clash.names[1])),
        property("GlobalId a", GLOBAL_ID, 0),
        property("GlobalId b", GLOBAL_ID, 1),
        property("class a", "class", 0),
        property("class b", "class", 1),
        property("storey a", "storey", 0),
        property("storey b", "storey", 1),
        length("depth at least", |clash| clash.depth_at_least),
        length("depth at most", |clash| clash.depth),
        review("depth is", 11.0, |clash| clash.depth_is),
        length("separated by", |clash| Some(clash.separation?.length.upper)),
        column(
            "separated along",
            16.0,
            Box::new(|_, clash| Cell::text(clash.separation.map(|out| out.along()).as_deref())),
        ),
        length("distance", |clash| Some(clash.distance)),
        length("x", |clash| Some(clash.point.x)),
        length("y", |clash| Some(clash.point.y)),
        length("z", |clash| Some(clash.point.z)),
        column("place", 28.0, Box::new(|_, clash| Cell::text(clash.place.as_deref()))),
        column("zone", 28.0, Box::new(|_, clash| Cell::text(clash.zone.as_deref()))),
        file("file a", 0),
        file("file b", 1),
        review("severity", 11.0, |clash| clash.severity.map(sudar_clash::Severity::name)),
        column("group", 28.0, Box::new(move |_, clash| Cell::text(group(clash)))),
        review("status", 11.0, |clash| clash.review.as_ref().map(|review| review.status.name())),
        review("assignee", 16.0, |clash| clash.review.as_ref().map(|review| &*review.assignee)),
        review("comment", 40.0, |clash| clash.review.as_ref().map(|review| &*review.comment)),
        column(
            "open again",
            24.0,
            Box::new(|_, clash| changed(clash.review.as_ref().and_then(|review| review.reopened))),
        ),
        review("since baseline", 14.0, |clash| clash.status.map(sudar_clash::Status::name)),
        column("change", 24.0, Box::new(|_, clash| changed(clash.change))),
    ]
}

/// Both figures of a change, if there is one.
fn changed(change: Option<Change>) -> Cell {
    Cell::text(change.map(|change| change.to_string()).as_deref())
}

/// A title with the unit of what stands below.
fn in_unit(title: &str, document: &Document<'_>) -> String {
    format!("{title} ({})", document.origin.unit.unwrap_or("unit not known"))
}

fn groups(document: &Document<'_>) -> Sheet {
    let unit = |title: &str| (in_unit(title, document), 14.0);
    let header = [("group".to_owned(), 40.0), ("by".to_owned(), 12.0), ("clashes".to_owned(), 9.0)];
    let header = header.into_iter().chain([("kinds".to_owned(), 28.0)]);
    let header = header.chain(["depth at least", "depth at most", "x", "y", "z"].map(unit)).collect();
    let rows = document.groups.iter().map(|group| {
        let kinds: Vec<String> = group.kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let DVec3 { x, y, z } = group.point;
        let numbers = [group.depth_at_least, group.depth, Some(x), Some(y), Some(z)].map(Cell::number);
        let texts =
            [Cell::text(Some(&group.name)), Cell::text(Some(group.by)), Cell::Number(group.count as f64)];
        texts.into_iter().chain([Cell::text(Some(&kinds.join(", ")))]).chain(numbers).collect()
    });
    Sheet { name: "groups", header, rows: rows.collect() }
}

/// What was asked, and of what.
fn settings(document: &Document<'_>) -> Sheet {
    let origin = &document.origin;
    let text = |name: &str, text: &str| vec![Cell::text(Some(name)), Cell::text(Some(text))];
    let number = |name: &str, number: f64| vec![Cell::text(Some(name)), Cell::Number(number)];
    let mut rows = vec![text("version of sudar", document.version)];
    rows.extend(origin.date.as_deref().map(|date| text("date", date)));
    rows.push(text("unit of lengths", origin.unit.unwrap_or("not known")));
    rows.push(number("clearance", origin.clearance));
    rows.push(number("touch", document.touch.unwrap_or(0.0)));
    rows.push(text("grouped by", document.grouped_by));
    rows.extend(document.group_radius.map(|radius| number("radius of groups", radius)));
    rows.extend(origin.rules.iter().map(|file| text("rules", file)));
    rows.extend(origin.files.iter().map(|file| text("file", file)));
    rows.extend(
        origin
            .failed
            .iter()
            .map(|failed| text("file left out", &format!("{}: {}", failed.file, failed.error))),
    );
    rows.extend(
        origin
            .lost
            .iter()
            .map(|lost| text("element lost", &format!("{}: {}: {}", lost.file, lost.name, lost.error))),
    );
    rows.push(number("parts", document.parts.len() as f64));
    rows.push(number("clashes", document.clashes.len() as f64));
    rows.push(number("clashes of equal parts not listed", document.unlisted as f64));
    rows.push(number("pairs examined", document.candidates as f64));
    Sheet { name: "settings", header: vec![("what".to_owned(), 32.0), ("value".to_owned(), 60.0)], rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_look_like_formulas_are_texts_and_numbers_are_numbers() {
        let text = |text: &str| plain(&Cell::Text(text.to_owned()));
        for hostile in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(text(hostile), format!("'{hostile}"));
        }
        assert_eq!(text("beam = 1"), "beam = 1");
        assert_eq!(plain(&Cell::Number(-1.5e-7)), "-0.00000015");
        assert_eq!(plain(&Cell::Empty), "");
    }

    #[test]
    fn cells_with_commas_quotes_and_lines_are_one_cell() {
        let sheet = Sheet {
            name: "x",
            header: vec![("a".to_owned(), 1.0), ("b".to_owned(), 1.0)],
            rows: vec![vec![Cell::Text("1, \"2\"\n3".to_owned()), Cell::Number(0.5)]],
        };
        let bytes = csv(&sheet).unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), "a,b\n\"1, \"\"2\"\"\n3\",0.5\n");
    }

    #[test]
    fn names_say_the_kind() {
        assert!(file_name("a.csv").is_ok() && file_name("A.XLSX").is_ok());
        assert!(file_name("a.xls").is_err() && file_name("csv").is_err());
    }
}
