//! Sheets to the bytes of an Excel workbook.

use anyhow::{Result, ensure};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet};
use sudar_clash::NO_DATE;

use super::cell::{Cell, Sheet};

/// Excel has no more rows, that of titles included.
const MAX_ROWS: usize = 1 << 20;
/// Excel has no longer texts, in units of UTF-16.
const MAX_TEXT: usize = 32_767;

/// The bytes of a workbook: titles that stay in sight, filters and widths. Equal sheets of one date give equal bytes.
pub fn bytes(sheets: &[Sheet], date: Option<&str>) -> Result<Vec<u8>> {
    let mut workbook = Workbook::new();
    let created = ExcelDateTime::parse_from_str(date.unwrap_or(NO_DATE))?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
    for sheet in sheets {
        fill(workbook.add_worksheet(), sheet)?;
    }
    Ok(workbook.save_to_buffer()?)
}

fn fill(page: &mut Worksheet, sheet: &Sheet) -> Result<()> {
    let count = sheet.rows.len();
    ensure!(count < MAX_ROWS, "Excel has {MAX_ROWS} rows and not {count}; let its name end in .csv");
    let title = Format::new().set_bold().set_text_wrap();
    page.set_name(sheet.name)?;
    page.set_freeze_panes(1, 0)?;
    for (column, (text, width)) in (0..).zip(&sheet.header) {
        page.write_string_with_format(0, column, text, &title)?;
        page.set_column_width(column, *width)?;
    }
    for (row, cells) in (1..).zip(&sheet.rows) {
        for (column, cell) in (0..).zip(cells) {
            match cell {
                Cell::Text(text) => page.write_string(row, column, shortened(text))?,
                Cell::Number(number) => page.write_number(row, column, *number)?,
                Cell::Empty => page,
            };
        }
    }
    page.autofilter(0, 0, count as u32, sheet.header.len().saturating_sub(1) as u16)?;
    Ok(())
}

/// As much of a text as a cell holds.
fn shortened(text: &str) -> String {
    if text.encode_utf16().count() <= MAX_TEXT {
        return text.to_owned();
    }
    let mut left = MAX_TEXT - 1;
    let fits = |c: &char| {
        let fits = c.len_utf16() <= left;
        left -= c.len_utf16().min(left);
        fits
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sheets_give_equal_bytes() {
        let sheet = || Sheet {
            name: "x",
            header: vec![("a".to_owned(), 10.0)],
            rows: vec![vec![Cell::Text("=1+1 <&> é".to_owned())], vec![Cell::Number(0.1)], vec![Cell::Empty]],
        };
        let first = bytes(&[sheet()], None).unwrap();
        assert_eq!(first, bytes(&[sheet()], None).unwrap());
        assert_ne!(first, bytes(&[sheet()], Some("2026-01-02T03:04:05Z")).unwrap());
    }

    #[test]
    fn long_texts_are_cut() {
        let long = shortened(&"é😀".repeat(20_000));
        assert!(long.ends_with('…') && long.encode_utf16().count() <= MAX_TEXT);
        assert_eq!(shortened("short"), "short");
    }
}
