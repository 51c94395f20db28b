//! Jacobians: how fast points and frames of links move with each number of the configuration.
//!
//! A number that turns a node about the axis a through o with a factor f moves a point p by f a × (p − o) and turns by
//! f a; one that slides moves by f a. Joints that mimic add to the column of the number that they copy. (Standard; see
//! Richard M. Murray, Zexiang Li, S. Shankar Sastry, "A Mathematical Introduction to Robotic Manipulation", 1994, 3.4.)

use sudar::DVec3;
use sudar::query::Batch;

use crate::frame::Frame;
use crate::node::Motion;
use crate::{CHUNK, Robot, RobotError};

impl Robot {
    /// The Jacobian of a frame that is fixed to a link, `point` in the link's frame being its origin: for each
    /// configuration 6 · dof numbers, row by row. The first three rows are the velocity of the origin, the others the
    /// angular velocity, both along the axes of the world, that is of the root link unless this stands elsewhere: m and
    /// rad per radian or metre of each number. O(links of the chain) a configuration, on all cores; the same bits for
    /// any number of them.
    ///
    /// # Errors
    /// As [`forward`](Self::forward); [`RobotError::Unknown`] for a link that does not exist, [`RobotError::Number`]
    /// for a point that is NaN, infinite or beyond 1e80.
    pub fn jacobian(&self, link: &str, point: DVec3, q: &[f64]) -> Result<Vec<f64>, RobotError> {
        let unknown =
            || RobotError::Unknown { by: "jacobian".to_owned(), what: "link", name: link.to_owned() };
        let node = self.link(link).map(|i| self.links[i].node).ok_or_else(unknown)?;
        if !(point.abs().max_element() <= 1e80 && point.is_finite()) {
            return Err(RobotError::Number { of: format!("the point of link '{link}'") });
        }
        let rows = self.rows(q)?;
        let chunks: Vec<usize> = (0..rows).step_by(CHUNK).collect();
        let found = Batch::default().each(&chunks, |_, first| {
            let mut frames = Vec::new();
            let mut numbers = Vec::with_capacity(CHUNK.min(rows - first) * 6 * self.dof());
            for row in *first..rows.min(first + CHUNK) {
                self.frames(self.row(q, row), &mut frames);
                self.add_jacobian(&frames, node, frames[node].apply(point), &mut numbers);
            }
            numbers
        });
        Ok(found.answers.concat())
    }

    fn add_jacobian(&self, frames: &[Frame], node: usize, point: DVec3, to: &mut Vec<f64>) {
        let (start, dof) = (to.len(), self.dof());
        to.resize(start + 6 * dof, 0.0);
        let matrix = &mut to[start..];
        self.each_motion(frames, node, point, |column, linear, angular| {
            let rows = linear.to_array().into_iter().chain(angular.to_array());
            rows.enumerate().for_each(|(row, x)| matrix[row * dof + column] += x);
        });
    }

    /// Each number that moves a node, from the node to the root, with the velocity of a point that moves with it and
    /// the angular velocity. A number may come several times.
    pub(crate) fn each_motion(
        &self,
        frames: &[Frame],
        mut node: usize,
        point: DVec3,
        mut take: impl FnMut(usize, DVec3, DVec3),
    ) {
        loop {
            let at = &self.nodes[node];
            let (linear, angular) = match &at.motion {
                Motion::None => (DVec3::ZERO, DVec3::ZERO),
                Motion::Turn(axis, _) => {
                    // An axis is not changed by its own turn.
                    let axis = frames[node].rotate(axis.direction());
                    (axis.cross(point - frames[node].t), axis)
                }
                Motion::Slide(axis, _) => (frames[node].rotate(axis.direction()), DVec3::ZERO),
            };
            if let Some(coordinate) = at.motion.coordinate() {
                take(coordinate.dof as usize, linear * coordinate.factor, angular * coordinate.factor);
            }
            if at.parent as usize == node {
                return;
            }
            node = at.parent as usize;
        }
    }
}
