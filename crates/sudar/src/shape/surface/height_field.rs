//! Terrain: heights over a regular grid.

use std::sync::Arc;

use glam::{DVec2, DVec3};
use thiserror::Error;

use crate::shape::{Aabb, Mesh, MeshError};

/// Why heights were refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum HeightFieldError {
    /// A cell needs two samples each way.
    #[error("a height field needs at least 2 columns and 2 rows of heights, found {columns} and {rows}")]
    TooFew {
        /// Samples along x.
        columns: usize,
        /// Samples along y.
        rows: usize,
    },
    /// A row has another length than the first.
    #[error("row {row} has {found} heights where the first has {expected}")]
    Ragged {
        /// Its number from 0.
        row: usize,
        /// Its length.
        found: usize,
        /// The length of the first row.
        expected: usize,
    },
    /// The size of a cell is not a positive number.
    #[error("a cell must have a positive and finite size, found {dx} × {dy}")]
    Cell {
        /// Along x.
        dx: f64,
        /// Along y.
        dy: f64,
    },
    /// A height is NaN or infinite.
    #[error("the height at column {column}, row {row} is not finite; leave the sample out to make a hole")]
    NotFinite {
        /// Place along x, from 0.
        column: usize,
        /// Place along y, from 0.
        row: usize,
    },
    /// No cell has all four corners.
    #[error("no cell of the height field has heights at all four corners")]
    OnlyHoles,
    /// A coordinate is too large.
    #[error("a coordinate of the height field is beyond 1e90; scale it down")]
    TooLarge,
    /// The whole field is smaller than can be computed with.
    #[error("no coordinate of the height field reaches 1e-90; scale it up")]
    TooSmall,
    /// More triangles or samples than `u32` can number.
    #[error(
        "a height field of {columns} × {rows} samples is too large (about 2.1e9 cells can be had); split it"
    )]
    TooMany {
        /// Samples along x.
        columns: usize,
        /// Samples along y.
        rows: usize,
    },
}

/// A surface over a regular grid in the plane of x and y, z up: the sample in column i and row j lies at
/// (i·dx, j·dy, height).
///
/// Four neighbouring samples make a cell of two triangles, cut along the diagonal from the sample of least column and
/// row to that of greatest: (i, j), (i+1, j), (i+1, j+1) below it, then (i, j), (i+1, j+1), (i, j+1); both are
/// counter-clockwise when seen from above. A cell with a sample missing at one of its corners is a hole. It is a
/// surface without thickness and without an inside.
///
/// Its features are triangles, numbered cell by cell along x, then y, two a cell. Holes take no numbers: without holes
/// the cell in column i and row j of cells has the triangles 2c and 2c+1, where c = j·(columns − 1) + i;
/// [`HeightField::cell`] says it in every case.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightField {
    mesh: Arc<Mesh>,
    columns: usize,
    cell: DVec2,
    heights: Vec<Option<f64>>,
}

impl HeightField {
    /// A field of samples row by row, `columns` a row, in cells of `cell.x` by `cell.y`. The heights are `f64`, or
    /// `Option<f64>` with `None` for samples that are missing.
    ///
    /// # Errors
    /// One variant of [`HeightFieldError`] per cause, naming the first offender. The last row must be full.
    pub fn new<H: Copy + Into<Option<f64>>>(
        columns: usize,
        heights: &[H],
        cell: DVec2,
    ) -> Result<Self, HeightFieldError> {
        let rows = heights.len().checked_div(columns).unwrap_or(0);
        check_counts(columns, rows)?;
        let rest = heights.len() % columns;
        if rest > 0 {
            return Err(HeightFieldError::Ragged { row: rows, found: rest, expected: columns });
        }
        Self::of(columns, heights.iter().map(|&h| h.into()).collect(), cell)
    }

    /// A field by its rows, which must be equally long; otherwise as [`HeightField::new`].
    ///
    /// # Errors
    /// [`HeightFieldError`].
    pub fn from_rows(rows: &[Vec<Option<f64>>], cell: DVec2) -> Result<Self, HeightFieldError> {
        let columns = rows.first().map_or(0, Vec::len);
        check_counts(columns, rows.len())?;
        if let Some(row) = rows.iter().position(|row| row.len() != columns) {
            return Err(HeightFieldError::Ragged { row, found: rows[row].len(), expected: columns });
        }
        Self::of(columns, rows.concat(), cell)
    }

    fn of(columns: usize, heights: Vec<Option<f64>>, cell: DVec2) -> Result<Self, HeightFieldError> {
        if !(cell.is_finite() && cell.cmpgt(DVec2::ZERO).all()) {
            return Err(HeightFieldError::Cell { dx: cell.x, dy: cell.y });
        }
        if let Some(bad) = heights.iter().position(|h| h.is_some_and(|h| !h.is_finite())) {
            return Err(HeightFieldError::NotFinite { column: bad % columns, row: bad / columns });
        }
        let triangles = triangles(columns, &heights);
        let mesh = Mesh::new(vertices(columns, &heights, cell), triangles)
            .map_err(|error| of_mesh(error, columns, heights.len() / columns))?;
        Ok(Self { mesh: Arc::new(mesh), columns, cell, heights })
    }

    /// How many samples there are along x.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many samples there are along y.
    pub fn rows(&self) -> usize {
        self.heights.len() / self.columns
    }

    /// The size of a cell along x and y.
    pub fn cell_size(&self) -> DVec2 {
        self.cell
    }

    /// The samples row by row; `None` where one is missing.
    pub fn heights(&self) -> &[Option<f64>] {
        &self.heights
    }

    /// The surface as triangles, whose numbers are the features. Vertex j·columns + i is the sample in column i, row j.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// The column and row of the cell that triangle `feature` lies in; `None` if there is no such triangle.
    pub fn cell(&self, feature: u32) -> Option<[usize; 2]> {
        // Both triangles of a cell begin with its sample of least column and row.
        let first = self.mesh.triangles().get(feature as usize)?[0] as usize;
        Some([first % self.columns, first / self.columns])
    }

    /// The smallest axis-aligned box around all triangles.
    pub fn aabb(&self) -> Aabb {
        self.mesh.aabb()
    }
}

fn check_counts(columns: usize, rows: usize) -> Result<(), HeightFieldError> {
    if columns < 2 || rows < 2 {
        return Err(HeightFieldError::TooFew { columns, rows });
    }
    // Twice as many triangles as cells; of samples there are fewer than four a cell.
    let fits = columns.checked_mul(rows).is_some_and(|samples| samples <= (u32::MAX / 2) as usize);
    if fits { Ok(()) } else { Err(HeightFieldError::TooMany { columns, rows }) }
}

/// All samples; one that is missing lies at height 0, and no triangle names it.
fn vertices(columns: usize, heights: &[Option<f64>], cell: DVec2) -> Vec<DVec3> {
    let at = |(k, height): (usize, &Option<f64>)| {
        let (i, j) = ((k % columns) as f64, (k / columns) as f64);
        DVec3::new(i * cell.x, j * cell.y, height.unwrap_or(0.0))
    };
    heights.iter().enumerate().map(at).collect()
}

fn triangles(columns: usize, heights: &[Option<f64>]) -> Vec<[u32; 3]> {
    let mut triangles = Vec::with_capacity(2 * heights.len());
    for first in 0..heights.len() - columns {
        let [a, b, c, d] = [first, first + 1, first + columns + 1, first + columns];
        let in_row = b % columns != 0;
        if in_row && [a, b, c, d].iter().all(|&k| heights[k].is_some()) {
            let [a, b, c, d] = [a, b, c, d].map(|k| k as u32);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    triangles
}

fn of_mesh(error: MeshError, columns: usize, rows: usize) -> HeightFieldError {
    match error {
        MeshError::Empty => HeightFieldError::OnlyHoles,
        // A product of a finite size and a count can only be too large.
        MeshError::TooLarge { .. } | MeshError::NotFinite { .. } => HeightFieldError::TooLarge,
        MeshError::TooSmall => HeightFieldError::TooSmall,
        MeshError::TooMany { .. } | MeshError::IndexOutOfRange { .. } | MeshError::VertexCount { .. } => {
            HeightFieldError::TooMany { columns, rows }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: DVec2 = DVec2::new(0.5, 2.0);

    #[test]
    fn a_cell_is_cut_from_its_least_sample_to_its_greatest_and_seen_from_above() {
        let field = HeightField::new(3, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], CELL).unwrap();
        assert_eq!(field.mesh().triangles(), [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]);
        assert_eq!(field.mesh().vertices()[5], DVec3::new(1.0, 2.0, 5.0));
        assert_eq!((field.columns(), field.rows()), (3, 2));
        for i in 0..4 {
            assert!(field.mesh().triangle(i).scaled_normal().z > 0.0);
            assert_eq!(field.cell(i), Some([i as usize / 2, 0]));
        }
        assert_eq!(field.cell(4), None);
    }

    #[test]
    fn a_missing_sample_takes_the_cells_around_it() {
        let mut rows = vec![vec![Some(1.0); 4]; 3];
        rows[0][1] = None;
        let field = HeightField::from_rows(&rows, CELL).unwrap();
        // Of six cells those in columns 0 and 1 of the first row are gone.
        let cells: Vec<_> = (0..8).map(|i| field.cell(i).unwrap()).collect();
        assert_eq!(cells, [[2, 0], [2, 0], [0, 1], [0, 1], [1, 1], [1, 1], [2, 1], [2, 1]]);
        assert_eq!(field.cell(8), None);
        assert_eq!(field.aabb().min, DVec3::new(0.0, 0.0, 1.0));
        rows[1][1] = None;
        rows[1][2] = None;
        assert_eq!(HeightField::from_rows(&rows, CELL), Err(HeightFieldError::OnlyHoles));
    }

    #[test]
    fn each_fault_has_its_error() {
        let make = |columns, heights: &[f64], cell| HeightField::new(columns, heights, cell).unwrap_err();
        let flat = [0.0; 6];
        assert_eq!(make(0, &flat, CELL), HeightFieldError::TooFew { columns: 0, rows: 0 });
        assert_eq!(make(6, &flat, CELL), HeightFieldError::TooFew { columns: 6, rows: 1 });
        assert_eq!(make(3, &[0.0; 8], CELL), HeightFieldError::Ragged { row: 2, found: 2, expected: 3 });
        let ragged = HeightField::from_rows(&[vec![Some(0.0); 2], vec![Some(0.0); 3]], CELL);
        assert_eq!(ragged, Err(HeightFieldError::Ragged { row: 1, found: 3, expected: 2 }));
        for cell in [DVec2::new(0.0, 1.0), DVec2::new(1.0, -1.0), DVec2::new(1.0, f64::INFINITY)] {
            assert_eq!(make(3, &flat, cell), HeightFieldError::Cell { dx: cell.x, dy: cell.y });
        }
        assert!(matches!(make(3, &flat, DVec2::new(f64::NAN, 1.0)), HeightFieldError::Cell { .. }));
        let bad = [0.0, 0.0, 0.0, 0.0, f64::NAN, 0.0];
        assert_eq!(make(3, &bad, CELL), HeightFieldError::NotFinite { column: 1, row: 1 });
        assert_eq!(make(3, &[-1e91; 6], CELL), HeightFieldError::TooLarge);
        assert_eq!(make(3, &flat, DVec2::splat(6e89)), HeightFieldError::TooLarge);
        assert_eq!(make(3, &flat, DVec2::splat(f64::MAX)), HeightFieldError::TooLarge);
        assert_eq!(make(3, &flat, DVec2::splat(1e-91)), HeightFieldError::TooSmall);
    }
}
