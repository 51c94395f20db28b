//! Elementary frames: what joints are made of.

use serde::{Deserialize, Serialize};
use sudar::DVec3;

use crate::frame::Frame;

/// An elementary frame: a fixed step from its parent and at most one motion. Every joint is one of these or several.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Node {
    /// The node before, which has a smaller number; of the root itself.
    pub parent: u32,
    /// From the parent to the axis.
    pub origin: Frame,
    pub motion: Motion,
    /// Nodes above it.
    pub depth: u32,
}

/// How a node moves with a number of the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Motion {
    None,
    Turn(Axis, Coordinate),
    Slide(Axis, Coordinate),
}

impl Motion {
    /// A turn; about the negative of an axis it is the negative turn about the axis.
    pub fn turn(direction: DVec3, by: Coordinate) -> Self {
        match Axis::along(-direction) {
            Axis::Other(_) => Self::Turn(Axis::along(direction), by),
            along @ (Axis::X | Axis::Y | Axis::Z) => {
                Self::Turn(along, Coordinate { factor: -by.factor, offset: -by.offset, ..by })
            }
        }
    }

    pub fn slide(direction: DVec3, by: Coordinate) -> Self {
        Self::Slide(Axis::along(direction), by)
    }

    /// The turns by roll, pitch and yaw, about fixed axes in this order.
    pub fn turned(roll: Coordinate, pitch: Coordinate, yaw: Coordinate) -> [Self; 3] {
        [Self::Turn(Axis::Z, yaw), Self::Turn(Axis::Y, pitch), Self::Turn(Axis::X, roll)]
    }

    /// Lets it be moved by another number.
    pub fn renumber(&mut self, dof: u32) {
        match self {
            Self::None => {}
            Self::Turn(_, coordinate) | Self::Slide(_, coordinate) => coordinate.dof = dof,
        }
    }

    pub fn coordinate(&self) -> Option<&Coordinate> {
        match self {
            Self::None => None,
            Self::Turn(_, coordinate) | Self::Slide(_, coordinate) => Some(coordinate),
        }
    }
}

/// A unit direction in the frame of the joint. Those along the axes of the frame turn with fewer operations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Axis {
    X,
    Y,
    Z,
    Other(DVec3),
}

impl Axis {
    /// Of a unit direction.
    pub fn along(direction: DVec3) -> Self {
        if direction == DVec3::X {
            Self::X
        } else if direction == DVec3::Y {
            Self::Y
        } else if direction == DVec3::Z {
            Self::Z
        } else {
            Self::Other(direction)
        }
    }

    pub fn direction(&self) -> DVec3 {
        match self {
            Self::X => DVec3::X,
            Self::Y => DVec3::Y,
            Self::Z => DVec3::Z,
            Self::Other(direction) => *direction,
        }
    }
}

/// Which number of the configuration moves a node: value = factor · q\[dof\] + offset.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Coordinate {
    pub dof: u32,
    pub factor: f64,
    pub offset: f64,
}

impl Coordinate {
    #[inline(always)]
    pub fn value(&self, q: &[f64]) -> f64 {
        self.factor * q[self.dof as usize] + self.offset
    }
}

/// The nodes of a joint, and of one with one number how its value is that of the node: `sign · value + zero`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub first: usize,
    pub last: usize,
    pub sign: f64,
    pub zero: f64,
}

impl Place {
    /// Of a joint about or along a direction, that is a motion about or along it or its negative.
    pub fn new(nodes: [usize; 2], direction: DVec3, motion: &Motion, zero: f64) -> Self {
        let is_turned = match motion {
            Motion::None => false,
            Motion::Turn(axis, _) | Motion::Slide(axis, _) => axis.direction().dot(direction) < 0.0,
        };
        Self { first: nodes[0], last: nodes[1], sign: if is_turned { -1.0 } else { 1.0 }, zero }
    }
}
