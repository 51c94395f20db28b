//! Bounding volumes of any kind, to be drawn.

use std::sync::Arc;

use sudar::{Aabb, DMat3, DVec3, Hull, Obb, Sphere};

use crate::volume::{Kdop, Polytope};

/// What bounds a node, in the frame of its body.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Outline {
    /// A box along the axes.
    Aabb(Aabb),
    /// A box that is turned.
    Obb(Obb),
    /// A ball.
    Sphere(Sphere),
    /// A k-DOP.
    Polytope(Polytope),
    /// A convex hull.
    Hull(Arc<Hull>),
}

impl Outline {
    /// Its edges; none of a ball. Those of k-DOPs come once for each of their two faces.
    pub fn edges(&self) -> Vec<[DVec3; 2]> {
        match self {
            Self::Aabb(aabb) => edges_of_box(aabb.center(), DMat3::IDENTITY, 0.5 * aabb.extent()),
            Self::Obb(obb) => edges_of_box(obb.center, obb.axes, obb.half),
            Self::Sphere(_) => Vec::new(),
            Self::Polytope(polytope) => polytope.faces().flat_map(|face| edges_of_loop(&face)).collect(),
            Self::Hull(hull) => edges_of_hull(hull),
        }
    }
}

fn edges_of_box(center: DVec3, axes: DMat3, half: DVec3) -> Vec<[DVec3; 2]> {
    let corner = |i: u32| {
        let sign = |k: u32| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
        center + axes * (DVec3::new(sign(0), sign(1), sign(2)) * half)
    };
    let from =
        |i: u32| [1, 2, 4].into_iter().filter(move |k| i & k == 0).map(move |k| [corner(i), corner(i | k)]);
    (0..8).flat_map(from).collect()
}

fn edges_of_loop(face: &[DVec3]) -> Vec<[DVec3; 2]> {
    (0..face.len()).map(|i| [face[i], face[(i + 1) % face.len()]]).collect()
}

fn edges_of_hull(hull: &Hull) -> Vec<[DVec3; 2]> {
    let mut edges = Vec::new();
    for face in 0..hull.faces().len() {
        let corners: Vec<u32> = hull.face(face).collect();
        for (k, &from) in corners.iter().enumerate() {
            let to = corners[(k + 1) % corners.len()];
            if from < to {
                edges.push([from, to].map(|v| hull.vertices()[v as usize]));
            }
        }
    }
    edges
}

/// A volume that can be drawn.
pub(super) trait Outlined {
    /// As it is drawn.
    fn outline(&self) -> Outline;
}

impl Outlined for Aabb {
    fn outline(&self) -> Outline {
        Outline::Aabb(*self)
    }
}

impl Outlined for Obb {
    fn outline(&self) -> Outline {
        Outline::Obb(*self)
    }
}

impl Outlined for Sphere {
    fn outline(&self) -> Outline {
        Outline::Sphere(*self)
    }
}

impl<const SLABS: usize> Outlined for Kdop<SLABS> {
    fn outline(&self) -> Outline {
        Outline::Polytope(self.polytope())
    }
}

#[cfg(test)]
mod tests {
    use sudar::hull::convex_hull;

    use super::*;
    use crate::volume::Dop6;

    #[test]
    fn a_box_has_the_same_edges_in_every_form() {
        let aabb = Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, 2.0, 3.0) };
        let corners: Vec<DVec3> = edges_of_box(aabb.center(), DMat3::IDENTITY, 0.5 * aabb.extent()).concat();
        let obb = Obb { center: aabb.center(), axes: DMat3::IDENTITY, half: 0.5 * aabb.extent() };
        let hull = Outline::Hull(Arc::new(convex_hull(&corners).unwrap()));
        let dop = Dop6::around(corners).outline();
        let total = |outline: &Outline| outline.edges().iter().map(|[a, b]| a.distance(*b)).sum::<f64>();
        // Four edges of each length.
        for outline in [Outline::Aabb(aabb), Outline::Obb(obb), hull] {
            assert!((total(&outline) - 24.0).abs() < 1e-12, "{outline:?}");
            assert_eq!(outline.edges().len(), 12);
        }
        assert!((total(&dop) - 48.0).abs() < 1e-12);
        assert!(Outline::Sphere(Sphere { center: DVec3::ZERO, radius: 1.0 }).edges().is_empty());
    }
}
