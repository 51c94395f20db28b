//! Forward kinematics: the frames of all nodes in one pass, parents first.
//!
//! Each frame is `parent · origin · motion`, twelve numbers by the formula of [`Frame`]; sine and cosine are those of
//! crate libm. So the bits depend on the robot and the configuration alone.

use sudar::query::Batch;
use sudar::{DVec3, Pose};

use crate::frame::Frame;
use crate::node::{Axis, Motion, Node};
use crate::{Robot, RobotError};

/// Configurations that one task does; batches report their progress in these.
pub const CHUNK: usize = 64;

impl Robot {
    /// The poses of all links in the frame of the root link: n configurations times the number of links, in the
    /// order of [`link_names`](Robot::link_names). O(n · links), on all cores; the same bits for any number of them.
    ///
    /// # Errors
    /// [`RobotError::Rows`] unless `q` is n · dof numbers, [`RobotError::Value`] for NaN, infinity and what is beyond
    /// 1e80.
    pub fn forward(&self, q: &[f64]) -> Result<Vec<Pose>, RobotError> {
        let rows = self.rows(q)?;
        let chunks: Vec<usize> = (0..rows).step_by(CHUNK).collect();
        let found = Batch::default().each(&chunks, |_, first| {
            let mut frames = Vec::new();
            let mut poses = Vec::with_capacity(CHUNK.min(rows - first) * self.links.len());
            for row in *first..rows.min(first + CHUNK) {
                self.frames(self.row(q, row), &mut frames);
                // Numbers of a robot and of configurations that were validated are those of poses.
                poses.extend(self.links.iter().map(|link| frames[link.node].pose().unwrap_or_default()));
            }
            poses
        });
        Ok(found.answers.concat())
    }

    /// The frames of all nodes, in place of what `frames` holds.
    #[inline]
    pub(crate) fn frames(&self, q: &[f64], frames: &mut Vec<Frame>) {
        frames.clear();
        frames.reserve(self.nodes.len());
        for node in &self.nodes {
            let at = match frames.get(node.parent as usize) {
                Some(parent) => parent.after(&node.origin),
                None => node.origin,
            };
            frames.push(moved(at, node, q));
        }
    }
}

/// A frame after the motion of its node.
#[inline(always)]
pub(crate) fn moved(at: Frame, node: &Node, q: &[f64]) -> Frame {
    match &node.motion {
        Motion::None => at,
        Motion::Slide(axis, coordinate) => {
            Frame { t: at.t + at.rotate(axis.direction() * coordinate.value(q)), ..at }
        }
        Motion::Turn(axis, coordinate) => {
            let (s, c) = libm::sincos(coordinate.value(q));
            match axis {
                Axis::X => Frame { y: at.y * c + at.z * s, z: at.z * c - at.y * s, ..at },
                Axis::Y => Frame { z: at.z * c + at.x * s, x: at.x * c - at.z * s, ..at },
                Axis::Z => Frame { x: at.x * c + at.y * s, y: at.y * c - at.x * s, ..at },
                Axis::Other(axis) => at.after(&turn(*axis, s, c)),
            }
        }
    }
}

/// Rodrigues' formula: R v = c v + s (a × v) + (1 − c) (a·v) a.
fn turn(a: DVec3, s: f64, c: f64) -> Frame {
    let column = |e: DVec3, k: f64| (e * c + a.cross(e) * s) + a * ((1.0 - c) * k);
    Frame { x: column(DVec3::X, a.x), y: column(DVec3::Y, a.y), z: column(DVec3::Z, a.z), t: DVec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_about_any_axis_is_that_of_its_formula() {
        let (s, c) = libm::sincos(0.7);
        let at = |axis| moved(Frame::IDENTITY, &node(axis), &[0.7]);
        for (short, long) in [(Axis::X, DVec3::X), (Axis::Y, DVec3::Y), (Axis::Z, DVec3::Z)] {
            let (short, long) = (at(short), turn(long, s, c));
            assert!(
                [short.x - long.x, short.y - long.y, short.z - long.z].iter().all(|d| d.length() < 1e-16)
            );
        }
        // About the diagonal by a third of a turn x goes to y.
        let diagonal = DVec3::ONE / libm::sqrt(3.0);
        let (s, c) = libm::sincos(std::f64::consts::TAU / 3.0);
        assert!((turn(diagonal, s, c).x - DVec3::Y).length() < 1e-15);
    }

    fn node(axis: Axis) -> Node {
        let coordinate = crate::node::Coordinate { dof: 0, factor: 1.0, offset: 0.0 };
        Node { parent: 0, origin: Frame::IDENTITY, motion: Motion::Turn(axis, coordinate), depth: 0 }
    }
}
