//! Cells and tables, as every format has them.

/// What stands in a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Text(String),
    Number(f64),
    Empty,
}

impl Cell {
    pub fn text(text: Option<&str>) -> Self {
        text.filter(|text| !text.is_empty()).map_or(Self::Empty, |text| Self::Text(text.to_owned()))
    }

    pub fn number(number: Option<f64>) -> Self {
        number.map_or(Self::Empty, Self::Number)
    }
}

/// A table with its name, and how wide its columns are, in characters.
pub struct Sheet {
    pub name: &'static str,
    pub header: Vec<(String, f64)>,
    pub rows: Vec<Vec<Cell>>,
}
