//! The oriented boxes of a tree one by one, in the frame of its mesh: for searches that bound more than a distance.

use std::ops::Range;

use super::distance::obb_pair::Place;
use super::wide::{Child, WideTree};
use crate::math::power_of_two;
use crate::shape::Obb;

/// Eight oriented boxes side by side, `[coordinate][box]`.
#[derive(Debug, Clone)]
pub(crate) struct EightBoxes {
    pub center: [[f64; 8]; 3],
    /// `axes[i][k][box]`: coordinate k of axis i.
    pub axes: [[[f64; 8]; 3]; 3],
    pub half: [[f64; 8]; 3],
}

impl EightBoxes {
    /// Points at the origin.
    pub const NONE: Self = Self { center: [[0.0; 8]; 3], axes: [[[0.0; 8]; 3]; 3], half: [[0.0; 8]; 3] };

    /// Puts a box in a place.
    pub fn set(&mut self, slot: usize, one: &Obb) {
        for k in 0..3 {
            self.center[k][slot] = one.center[k];
            self.half[k][slot] = one.half[k];
            for i in 0..3 {
                self.axes[i][k][slot] = one.axes.col(i)[k];
            }
        }
    }
}

impl WideTree {
    /// The places of a node's children.
    #[inline]
    pub(crate) fn places(&self, node: usize) -> Range<Place> {
        let children = self.oriented().nodes[node].children;
        8 * node as Place..8 * node as Place + children
    }

    /// What is below a place.
    #[inline]
    pub(crate) fn child_at(&self, place: Place) -> Child<'_> {
        let (node, slot) = (&self.nodes[(place >> 3) as usize], (place & 7) as usize);
        match node.count[slot] {
            0 => Child::Node(node.first[slot] as usize),
            count => Child::Leaf(self.leaf(node.first[slot], count)),
        }
    }

    /// The oriented boxes of a node's children side by side, as [`oriented_box`](Self::oriented_box) has them.
    #[inline]
    pub(crate) fn eight_boxes(&self, node: usize) -> EightBoxes {
        let (inner, origin) = (&self.oriented().nodes[node], self.frame.origin.to_array());
        let unit = power_of_two(-self.frame.exponent);
        let mut boxes = EightBoxes::NONE;
        for (k, origin) in origin.into_iter().enumerate() {
            for slot in 0..8 {
                boxes.center[k][slot] = origin + f64::from(inner.center[k][slot]) * unit;
                boxes.half[k][slot] = f64::from(inner.half[k][slot]) * unit;
                for i in 0..3 {
                    boxes.axes[i][k][slot] = inner.axes[i][k][slot].into();
                }
            }
        }
        boxes
    }

    /// The oriented box around what is below a place, up to rounding of the coordinates of the mesh. Its axes
    /// are orthonormal up to that of `f32`.
    #[inline]
    pub(crate) fn oriented_box(&self, place: Place) -> Obb {
        let inner = self.oriented().nodes[(place >> 3) as usize].get((place & 7) as usize);
        let unit = power_of_two(-self.frame.exponent);
        Obb { center: self.frame.origin + inner.center * unit, axes: inner.axes, half: inner.half * unit }
    }
}
