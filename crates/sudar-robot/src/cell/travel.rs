//! How far any point of a part can move while the joints go on by a little.
//!
//! Let all joints stand where they are at a time m, and let the joints that carry a part move to where they are at most
//! h later or earlier, one after the other, beginning with the one next to the part. A joint that turns by at most δ
//! about an axis moves a point by at most δ times its distance from the axis; before that the point has been moved by
//! what the joints nearer to the part did. With ρ the greatest distance of a point of the part from the axis at the
//! time m,
//!
//! > M ← M + δ (ρ + M) for a turn, M ← M + δ for a slide,
//!
//! from M = 0 bounds the displacement of every point of the part from the time m, for all times within h of it. Of two
//! parts only the joints count that carry one of them and not the other.
//!
//! The sum of the lengths of what the joints do is much more than the length of their sum. So there is a second bound:
//! with v the velocity of a point at the time m, it is within H of a place on the segment from −h v to h v about where
//! it was, the same place on the segments of all points. H bounds what accelerations add. An acceleration is a sum over
//! two joints, in either order, of both rates times the distance from the axis of the inner one, or times 1 if that
//! slides; only the outer one has to turn. With W the sum of the rates of all turns it is at most 2 W (M/h), so that H
//! = W h M.
//!
//! Rounding: frames are products of at most `depth` others, each with errors of a few units in the last place of the
//! lengths along the chain, and joint values have errors of a few units in their own last place.
//! [`rounding`](Chain::rounding) is 64 (depth + 4) ε (1 + greatest value) times these lengths. With it a bound holds
//! for the true motion as well as for every pose that [`Robot::forward`] computes on the way.

use sudar::DVec3;

use crate::Robot;
use crate::frame::Frame;
use crate::node::Motion;
use crate::part::Part;

/// What moves a part.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    /// The nodes that move, from the part to the root.
    nodes: Vec<u32>,
    /// The sum of all fixed steps on the way, and how far the part is from the origin of its link.
    length: f64,
    depth: f64,
}

/// How a part moves by the first of its nodes, in half of an interval of time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Travel {
    /// Bound on the displacement of any of its points.
    pub most: f64,
    /// The angles of the turns together, at most.
    angle: f64,
    /// The displacement of the centre of its ball at the velocity of the middle.
    center: DVec3,
    /// The turn of the part at that velocity.
    turn: DVec3,
}

impl Travel {
    const NONE: Self = Self { most: 0.0, angle: 0.0, center: DVec3::ZERO, turn: DVec3::ZERO };

    /// Where a point of the part would be, beside where it is, at the velocity of the middle.
    #[inline]
    pub fn of(&self, from_center: DVec3) -> DVec3 {
        self.center + self.turn.cross(from_center)
    }

    /// How far it is from there, at most.
    #[inline]
    pub fn bend(&self) -> f64 {
        self.angle * self.most + 1e-12 * self.most
    }

    /// Bound on the displacement of any point of a ball that moves with the part.
    #[inline]
    pub fn of_ball(&self, from_center: DVec3, radius: f64) -> f64 {
        let straight = self.of(from_center).length() + self.turn.length() * radius;
        self.most.min(straight + self.bend())
    }
}

impl Chain {
    pub fn new(robot: &Robot, part: &Part) -> Self {
        let (mut nodes, mut length, mut at) = (Vec::new(), 0.0, part.node);
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
        // What has no end and no joint, such as a floor, has the same pose at all times.
        if !nodes.is_empty() || part.reach().is_finite() {
            length += part.reach();
        }
        Self { nodes, length, depth: f64::from(robot.nodes[part.node].depth) }
    }

    /// The nodes that move the part, from it to the root.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// How many nodes that is.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many of the nodes do not carry the part of the other chain.
    pub fn apart_from(&self, other: &Self) -> usize {
        let shared =
            self.nodes.iter().rev().zip(other.nodes.iter().rev()).take_while(|(a, b)| a == b).count();
        self.nodes.len() - shared
    }

    /// Bound on the error of every computed position of a point of the part, on the way from one configuration to
    /// another.
    pub fn rounding(&self, robot: &Robot, ends: [&[f64]; 2]) -> f64 {
        let (mut length, mut greatest) = (self.length, 0.0_f64);
        for &i in &self.nodes {
            let motion = &robot.nodes[i as usize].motion;
            let Some(coordinate) = motion.coordinate() else { continue };
            let values = ends
                .map(|q| (coordinate.factor * q[coordinate.dof as usize]).abs() + coordinate.offset.abs());
            let value = values[0].max(values[1]);
            greatest = greatest.max(value);
            if matches!(motion, Motion::Slide(..)) {
                length += value;
            }
        }
        64.0 * (self.depth + 4.0) * f64::EPSILON * length * (1.0 + greatest)
    }

    /// How the part moves: entry k is by the first k nodes, of which the joint values change by `half` times those of
    /// `change`.
    pub fn travel(
        &self,
        robot: &Robot,
        part: &Part,
        frames: &[Frame],
        change: &[f64],
        half: f64,
        to: &mut Vec<Travel>,
    ) {
        let center = frames[part.node].apply(part.ball.center);
        let mut travel = Travel::NONE;
        to.push(travel);
        for &i in &self.nodes {
            let (frame, motion) = (&frames[i as usize], &robot.nodes[i as usize].motion);
            match motion {
                Motion::None => {}
                Motion::Slide(axis, by) => {
                    let slide = by.factor * change[by.dof as usize] * half;
                    travel.most += slide.abs() * (1.0 + 1e-12);
                    travel.center += frame.rotate(axis.direction()) * slide;
                }
                Motion::Turn(axis, by) => {
                    let angle = by.factor * change[by.dof as usize] * half;
                    let (axis, from) = (frame.rotate(axis.direction()), center - frame.t);
                    let across = axis.cross(from);
                    let reach = across.length() + part.ball.radius + travel.most;
                    travel.most += angle.abs() * reach * (1.0 + 1e-12);
                    travel.angle += angle.abs();
                    travel.center += across * angle;
                    travel.turn += axis * angle;
                }
            }
            to.push(travel);
        }
    }
}
