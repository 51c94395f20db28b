//! Tables read back, so that sentences follow from what the files say.

use std::collections::BTreeMap;

use crate::output::file::{File, Result};

/// The tables of an experiment, by the names of their files without `.csv`.
#[derive(Debug, Default)]
pub struct Tables(BTreeMap<String, Table>);

impl Tables {
    /// Those among these files.
    pub fn of(files: &[File]) -> Result<Self> {
        let tables = files.iter().filter_map(|file| Some((file.name.strip_suffix(".csv")?, file)));
        tables
            .map(|(name, file)| Ok((name.to_owned(), Table::parse(&file.text)?)))
            .collect::<Result<_>>()
            .map(Self)
    }

    pub fn get(&self, name: &str) -> Result<&Table> {
        self.0.get(name).ok_or_else(|| format!("{name}.csv is missing").into())
    }
}

/// Rows below names of columns.
#[derive(Debug)]
pub struct Table {
    /// Whether it is of a quick run: too small for sentences on times.
    pub is_quick: bool,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A column and what stands in it.
pub type Cell<'a> = (&'a str, &'a str);

impl Table {
    /// Lines that begin with `#` are comments.
    pub fn parse(text: &str) -> Result<Self> {
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let columns = reader.headers()?.iter().map(str::to_owned).collect();
        let rows = reader.records().map(|row| Ok(row?.iter().map(str::to_owned).collect()));
        let is_quick = text.lines().any(|line| line.starts_with("# quick run"));
        Ok(Self { is_quick, columns, rows: rows.collect::<Result<_>>()? })
    }

    fn column(&self, name: &str) -> Result<usize> {
        let place = self.columns.iter().position(|column| column == name);
        place.ok_or_else(|| format!("there is no column {name} among {}", self.columns.join(", ")).into())
    }

    /// Texts of a column in the rows with these cells.
    pub fn texts(&self, cells: &[Cell<'_>], column: &str) -> Result<Vec<&str>> {
        let wanted: Vec<(usize, &str)> =
            cells.iter().map(|(name, text)| Ok((self.column(name)?, *text))).collect::<Result<_>>()?;
        let place = self.column(column)?;
        let fits = |row: &&Vec<String>| wanted.iter().all(|(place, text)| row[*place] == *text);
        Ok(self.rows.iter().filter(fits).map(|row| row[place].as_str()).collect())
    }

    /// Numbers of a column in the rows with these cells; what is empty is left out.
    pub fn numbers(&self, cells: &[Cell<'_>], column: &str) -> Result<Vec<f64>> {
        let filled = self.texts(cells, column)?.into_iter().filter(|text| !text.is_empty());
        filled.map(|text| Ok(text.parse()?)).collect()
    }

    /// The number in the only row with these cells.
    pub fn number(&self, cells: &[Cell<'_>], column: &str) -> Result<f64> {
        match self.numbers(cells, column)?[..] {
            [one] => Ok(one),
            ref all => Err(format!("{} rows instead of one have {cells:?}", all.len()).into()),
        }
    }

    /// Two columns in the rows with these cells.
    pub fn points(&self, cells: &[Cell<'_>], x: &str, y: &str) -> Result<Vec<(f64, f64)>> {
        Ok(self.numbers(cells, x)?.into_iter().zip(self.numbers(cells, y)?).collect())
    }
}

/// Where a line through points, straight between logarithms, first reaches a height, if it does.
pub fn reaches(points: &[(f64, f64)], height: f64) -> Option<f64> {
    let beyond = points.iter().position(|(_, y)| *y >= height)?;
    let [a, b] = [points.get(beyond.checked_sub(1)?)?, &points[beyond]];
    let share = libm::log(height / a.1) / libm::log(b.1 / a.1);
    Some(a.0 * libm::pow(b.0 / a.0, share))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# 1, 2\na,b,c\nx,1,10\n\"y, z\",2,\nx,3,30\n";

    #[test]
    fn cells_choose_rows() {
        let table = Table::parse(TEXT).unwrap();
        assert_eq!(table.points(&[("a", "x")], "b", "c").unwrap(), [(1.0, 10.0), (3.0, 30.0)]);
        assert_eq!(table.number(&[("a", "y, z")], "b").unwrap(), 2.0);
        assert!(table.number(&[("a", "x")], "b").is_err() && table.number(&[("d", "x")], "b").is_err());
        assert_eq!(table.numbers(&[], "c").unwrap(), [10.0, 30.0]);
    }

    #[test]
    fn lines_reach_heights_between_their_points() {
        let line = [(1.0, 0.1), (10.0, 1.0), (100.0, 100.0)];
        assert_eq!(reaches(&line, 1.0), Some(10.0));
        assert!((reaches(&line, 10.0).unwrap() - libm::pow(10.0, 1.5)).abs() < 1e-9);
        assert_eq!((reaches(&line, 200.0), reaches(&line, 0.01)), (None, None));
    }
}
