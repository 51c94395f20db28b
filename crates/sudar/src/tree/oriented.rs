//! A second layer of boxes over a [`WideTree`](super::WideTree): one oriented box a child, for distances.
//!
//! A box along the axes of the frame is thick along a slanted surface, by about the size of the patch it
//! holds; a box turned with the patch is only as thick as the patch is curved, about the square of its size
//! over its radius of curvature (Gottschalk, Lin and Manocha 1996, "OBBTree"). For a yes or no that rarely
//! pays, for distances by a factor of ten and more.

use glam::{DMat3, DVec3};

/// The oriented boxes of a node's eight children, side by side, in the frame of the tree.
///
/// A box holds the points `center + Σ uᵢ·axisᵢ` with `|uᵢ| ≤ halfᵢ`. That is meant exactly, with the numbers
/// as stored: the axes are unit vectors at right angles only up to rounding, and the half extents make up for
/// that. Slots without a child hold zeros.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(super) struct OrientedNode {
    pub center: [[f32; 8]; 3],
    /// `axes[i][k][child]`: coordinate k of axis i.
    pub axes: [[[f32; 8]; 3]; 3],
    pub half: [[f32; 8]; 3],
    /// A point of the surface below the child, off by at most [`POINT_ERROR`] in each coordinate.
    pub point: [[f32; 8]; 3],
    /// The triangle of the mesh on which this point lies.
    pub triangle: [u32; 8],
    /// Number of children; they fill the first slots.
    pub children: u32,
}

/// How far, in each coordinate of the frame, [`OrientedNode::point`] may be off the surface: it is the mean
/// of three stored corners, each off by 2⁻²⁴, after three roundings of half an ulp of numbers below four.
pub(super) const POINT_ERROR: f64 = 1.0 / (1 << 21) as f64;

impl OrientedNode {
    /// A node without children.
    pub const EMPTY: Self = Self {
        center: [[0.0; 8]; 3],
        axes: [[[0.0; 8]; 3]; 3],
        half: [[0.0; 8]; 3],
        point: [[0.0; 8]; 3],
        triangle: [0; 8],
        children: 0,
    };

    /// The box of one child.
    #[inline(always)]
    pub fn get(&self, slot: usize) -> OrientedBox {
        OrientedBox {
            center: column(&self.center, slot),
            axes: DMat3::from_cols(
                column(&self.axes[0], slot),
                column(&self.axes[1], slot),
                column(&self.axes[2], slot),
            ),
            half: column(&self.half, slot),
            point: column(&self.point, slot),
        }
    }
}

#[inline(always)]
fn column(rows: &[[f32; 8]; 3], slot: usize) -> DVec3 {
    DVec3::new(rows[0][slot].into(), rows[1][slot].into(), rows[2][slot].into())
}

/// A oriented box in the frame of its tree, with a point of the surface inside: all points `center + Σ uᵢ·axisᵢ` with
/// `|uᵢ| ≤ halfᵢ`, by these very numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrientedBox {
    /// Its centre.
    pub center: DVec3,
    /// Columns are its axes.
    pub axes: DMat3,
    /// Half extents along the axes.
    pub half: DVec3,
    /// A point of the surface in it.
    pub point: DVec3,
}

/// The oriented boxes of a whole [`WideTree`](super::WideTree), node by node. About 30 bytes a triangle.
///
/// Depends on the tree alone, not on threads, SIMD level or platform.
#[derive(Debug, Clone, PartialEq)]
pub struct Oriented {
    pub(super) nodes: Vec<OrientedNode>,
}

impl Oriented {
    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.nodes)
    }

    /// The oriented boxes of node `n`, in the order of [`WideTree::children`](super::WideTree::children), in
    /// the frame of the tree. For checking and drawing.
    pub fn children(&self, n: usize) -> impl Iterator<Item = OrientedBox> {
        let node = &self.nodes[n];
        (0..node.children as usize).map(|slot| node.get(slot))
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::shape::Mesh;
    use crate::testing::sheet;
    use crate::testing::{Random, triangles_below};
    use crate::tree::{Child, WideTree};

    /// A sheet z = x·y/2 of 2n² triangles, turned.
    fn saddle(n: u32) -> Mesh {
        let turn = DMat3::from_axis_angle(DVec3::new(0.6, 0.64, 0.48), 1.1);
        sheet(n, |x, y| 0.5 * x * y).mapped(|p| turn * p).unwrap()
    }

    /// Every corner below a child lies in its box, by the exact coordinates of the mesh.
    fn check(mesh: &Mesh) {
        let tree = WideTree::new(mesh);
        let layer = Oriented::new(&tree);
        for n in 0..tree.node_count() {
            assert_eq!(layer.children(n).count(), tree.children(n).count());
            for (turned, (_, child)) in layer.children(n).zip(tree.children(n)) {
                let triangles = triangles_below(&tree, child);
                let inverse = turned.axes.inverse();
                assert!(
                    (turned.axes.transpose() * turned.axes - DMat3::IDENTITY).abs_diff_eq(DMat3::ZERO, 1e-6)
                );
                for p in triangles.iter().flat_map(|&t| mesh.triangle(t).corners()) {
                    let u = inverse * (tree.frame().scaled(p) - turned.center);
                    assert!(u.abs().cmple(turned.half + 1e-15).all(), "{u} {}", turned.half);
                }
            }
        }
    }

    #[test]
    fn turned_boxes_hold_their_triangles() {
        let mut rng = Random::new(21);
        for n in [1, 2, 8, 9, 65, 1000, 5000] {
            check(&rng.soup(n, 0.05));
        }
        check(&saddle(40));
        check(&saddle(12).mapped(|p| p * 1e-80).unwrap());
        check(&saddle(12).mapped(|p| p * 1e80 + DVec3::splat(1e85)).unwrap());
        check(&rng.soup(300, 0.1).mapped(|p| DVec3::new(p.x, 0.0, 0.0)).unwrap());
        check(&Mesh::new(vec![DVec3::ONE], vec![[0, 0, 0]; 100]).unwrap());
    }

    #[test]
    fn boxes_lie_flat_on_a_slanted_surface() {
        // Patches of a saddle are curved by about the square of their size: a cell is 1/40 wide, a leaf a few
        // cells, and the deviation from a plane is at most x·y/2 over a patch of 4 by 2 cells.
        let tree = WideTree::new(&saddle(40));
        let layer = Oriented::new(&tree);
        let leaves = (0..tree.node_count()).flat_map(|n| {
            layer.children(n).zip(tree.children(n)).filter(|(_, (_, c))| matches!(c, Child::Leaf(_)))
        });
        for (turned, _) in leaves {
            assert!(turned.half.min_element() < 0.5 * 4.0 * 2.0 / 1600.0, "{}", turned.half);
        }
    }

    #[test]
    fn the_point_is_on_the_surface() {
        let mesh = Random::new(5).soup(500, 0.1);
        let tree = WideTree::new(&mesh);
        for node in &Oriented::new(&tree).nodes {
            for slot in 0..node.children as usize {
                let t = mesh.triangle(node.triangle[slot]).corners().map(|p| tree.frame().scaled(p));
                let center = (t[0] + t[1] + t[2]) / 3.0;
                assert!((center - node.get(slot).point).abs().max_element() <= POINT_ERROR);
            }
        }
    }

    #[test]
    fn tree_and_layer_take_less_than_100_bytes_a_triangle() {
        let tree = WideTree::new(&saddle(100));
        let bytes = tree.bytes() + Oriented::new(&tree).bytes();
        assert!(bytes < 100 * 20_000, "{} bytes a triangle", bytes as f64 / 20_000.0);
    }
}
