//! Lists of configurations: checked once, then cut into rows.

use crate::{Robot, RobotError};

/// Joint values beyond this are refused: products of them would leave the range of `f64`.
const MOST: f64 = 1e80;

impl Robot {
    /// How many configurations the numbers are.
    pub(crate) fn rows(&self, q: &[f64]) -> Result<usize, RobotError> {
        let dof = self.dof();
        // A robot that does not move has one configuration, without numbers.
        let rows = q.len().checked_div(dof).unwrap_or(1);
        if rows * dof != q.len() {
            return Err(RobotError::Rows { found: q.len(), dof });
        }
        match q.iter().position(|q| q.is_nan() || q.abs() > MOST) {
            None => Ok(rows),
            Some(at) => Err(RobotError::Value {
                row: at / dof,
                joint: self.dofs[at % dof].name.clone(),
                value: q[at],
            }),
        }
    }

    /// One of them.
    pub(crate) fn row<'q>(&self, q: &'q [f64], row: usize) -> &'q [f64] {
        &q[row * self.dof()..][..self.dof()]
    }
}
