//! The oriented boxes of a tree one by one, in the frame of its mesh: for searches that bound more than a distance.

use std::ops::Range;

use super::frame::power_of_two;
use super::obb_pair::Place;
use super::wide::{Child, WideTree};
use crate::shape::Obb;

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

    /// The oriented box around what is below a place, up to rounding of the coordinates of the mesh. Its axes are orthonormal up
    /// to that of `f32`.
    #[inline]
    pub(crate) fn oriented_box(&self, place: Place) -> Obb {
        let inner = self.oriented().nodes[(place >> 3) as usize].get((place & 7) as usize);
        let unit = power_of_two(-self.frame.exponent);
        Obb { center: self.frame.origin + inner.center * unit, axes: inner.axes, half: inner.half * unit }
    }
}
