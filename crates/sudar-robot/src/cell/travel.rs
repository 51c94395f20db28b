//! How far any point of a part can move while the joints go on by a little.
//!
//! Let all joints stand where they are at a time m, and let the joints that carry a part move to where they are at most h
//! later or earlier, one after the other, beginning with the one next to the part. A joint that turns by at most δ about
//! an axis moves a point by at most δ times its distance from the axis; before that the point has been moved by what the
//! joints nearer to the part did. With ρ the greatest distance of a point of the part from the axis at the time m,
//!
//! > M ← M + δ (ρ + M) for a turn, M ← M + δ for a slide,
//!
//! from M = 0 bounds the displacement of every point of the part from the time m, for all times within h of it. Of two
//! parts only the joints count that carry one of them and not the other.
//!
//! Rounding: frames are products of at most `depth` others, each with errors of a few units in the last place of the
//! lengths along the chain, and joint values have errors of a few units in their own last place.
//! [`rounding`](Chain::rounding) is 64 (depth + 4) ε (1 + greatest value) times these lengths. With it a bound holds for
//! the true motion as well as for every pose that [`Robot::forward`] computes on the way.

use sudar::DVec3;

use crate::Robot;
use crate::frame::Frame;
use crate::part::Part;
use crate::robot::Motion;

/// What moves a part.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    /// The nodes that move, from the part to the root.
    nodes: Vec<u32>,
    /// The sum of all fixed steps on the way, and how far the part is from the origin of its link.
    length: f64,
    depth: f64,
}

impl Chain {
    pub fn new(robot: &Robot, part: &Part) -> Self {
        let (mut nodes, mut length, mut at) = (Vec::new(), part.reach(), part.node);
        loop {
            let node = &robot.nodes[at];
            length += node.origin.t.length();
            if node.motion != Motion::None {
                nodes.push(at as u32);
            }
            if node.parent as usize == at {
                break;
            }
            at = node.parent as usize;
        }
        Self { nodes, length, depth: f64::from(robot.nodes[part.node].depth) }
    }

    /// How many nodes that is.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many of the nodes do not carry the part of the other chain.
    pub fn apart_from(&self, other: &Self) -> usize {
        let shared = self.nodes.iter().rev().zip(other.nodes.iter().rev()).take_while(|(a, b)| a == b).count();
        self.nodes.len() - shared
    }

    /// Bound on the error of every computed position of a point of the part, on the way from one configuration to
    /// another.
    pub fn rounding(&self, robot: &Robot, ends: [&[f64]; 2]) -> f64 {
        let (mut length, mut greatest) = (self.length, 0.0_f64);
        for &i in &self.nodes {
            let motion = &robot.nodes[i as usize].motion;
            let Some(coordinate) = motion.coordinate() else { continue };
            let values = ends.map(|q| {
                (coordinate.factor * q[coordinate.dof as usize]).abs() + coordinate.offset.abs()
            });
            let value = values[0].max(values[1]);
            greatest = greatest.max(value);
            if matches!(motion, Motion::Slide(..)) {
                length += value;
            }
        }
        64.0 * (self.depth + 4.0) * f64::EPSILON * length * (1.0 + greatest)
    }

    /// Bounds on the displacement of any point of the part: entry k is for the first k nodes, of which the joint values
    /// change by at most `half` times those of `change`.
    pub fn travel(&self, robot: &Robot, part: &Part, frames: &[Frame], change: &[f64], half: f64, to: &mut Vec<f64>) {
        let center = frames[part.node].apply(part.ball.center);
        let mut moved = 0.0;
        to.push(moved);
        for &i in &self.nodes {
            let (frame, motion) = (&frames[i as usize], &robot.nodes[i as usize].motion);
            moved = match motion {
                Motion::None => moved,
                Motion::Slide(_, by) => moved + (by.factor * change[by.dof as usize]).abs() * half,
                Motion::Turn(axis, by) => {
                    let angle = (by.factor * change[by.dof as usize]).abs() * half;
                    let from_axis = distance_from_axis(center - frame.t, frame.rotate(axis.direction()));
                    // A chord is no longer than the diameter.
                    moved + angle.min(2.0) * (from_axis + part.ball.radius + moved)
                }
            };
            to.push(moved * (1.0 + 1e-12));
        }
    }
}

fn distance_from_axis(p: DVec3, axis: DVec3) -> f64 {
    p.cross(axis).length()
}
