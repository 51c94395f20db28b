//! Directions in which a surface does not rise.

use glam::DVec3;
use num_traits::Signed;

use crate::math::RationalVec3;
use crate::shape::{Mesh, Simplex, Stars};

/// The *normal cone* of a vertex, edge or triangle of a mesh: the directions d in which no triangle that has it rises,
/// d·(p − x) ≤ 0 for every x in its interior and every p of its star (Rockafellar 1970, "Convex analysis", §6, for
/// convex bodies).
///
/// It is what decides nearest points: x is nearest to x + d among the points of the surface around it if and only if
/// d is in the cone. Of a triangle it is the line of its normals, both ways; of an edge a sector across it, from one
/// normal to the other where the surface is convex; where the surface bends both ways or the feature is concave it
/// may be {0}. Triangle orientation plays no part.
#[derive(Debug, Clone)]
pub struct NormalCone {
    /// Differences (from, to) along which the cone's directions do not rise.
    ways: Vec<[DVec3; 2]>,
}

impl NormalCone {
    /// The cone of a feature of the mesh that the stars are of.
    pub fn new(mesh: &Mesh, stars: &Stars, simplex: Simplex) -> Self {
        let at = |v: u32| mesh.vertices()[v as usize];
        let bases: Vec<u32> = match simplex {
            Simplex::Vertex(v) => vec![v],
            Simplex::Edge(u, v) => vec![u, v],
            Simplex::Triangle(t) => stars.corners(mesh, t).to_vec(),
        };
        let corners = stars.around(simplex).into_iter().flat_map(|t| stars.corners(mesh, t));
        let mut ends: Vec<u32> = corners.collect();
        ends.sort_unstable();
        ends.dedup();
        // From both ends of an edge to each other: along it a direction neither rises nor falls.
        let ways = bases.iter().flat_map(|&base| ends.iter().map(move |&end| [base, end]));
        Self { ways: ways.filter(|[base, end]| base != end).map(|way| way.map(at)).collect() }
    }

    /// Whether the direction is in the cone. Exact; zero is in every cone.
    pub fn contains(&self, direction: DVec3) -> bool {
        self.ways.iter().all(|&way| !rises(direction, way))
    }

    /// How far the surface rises in the direction at most, over the length of the way there: the sine of the slope,
    /// rounded; 0 or less in the cone. The direction is taken as of length 1, and must not be zero.
    pub fn slope(&self, direction: DVec3) -> f64 {
        let unit = |v: DVec3| {
            let v = v / v.abs().max_element();
            v / v.length()
        };
        let direction = unit(direction);
        self.ways
            .iter()
            .fold(f64::NEG_INFINITY, |most, [from, to]| most.max(direction.dot(unit(*to - *from))))
    }
}

/// Whether d·(to − from) > 0. Exact.
fn rises(d: DVec3, [from, to]: [DVec3; 2]) -> bool {
    let products = d * (to - from);
    let sum = products.element_sum();
    // One rounding for each difference, product and sum: at most 4 half-ulps of each term, and of underflow.
    let doubt = 4.0 * f64::EPSILON * products.abs().element_sum() + 1e-300;
    if sum.abs() > doubt {
        return sum > 0.0;
    }
    let [d, from, to] = [d, from, to].map(RationalVec3::from);
    d.dot(&(&to - &from)).is_positive()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Aabb;

    /// Corner 0 of the unit cube, the edges there and the diagonal of its bottom, in closed form.
    #[test]
    fn cones_of_a_cube_are_octants_sectors_and_lines() {
        let mesh = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let stars = mesh.stars();
        let number = |p: [f64; 3]| mesh.vertices().iter().position(|q| *q == p.into()).unwrap() as u32;
        let (origin, x) = (number([0.0; 3]), number([1.0, 0.0, 0.0]));
        let vertex = NormalCone::new(&mesh, &stars, Simplex::Vertex(origin));
        let edge = NormalCone::new(&mesh, &stars, Simplex::Edge(origin, x));
        // Triangle 0 lies in x = 0.
        let face = NormalCone::new(&mesh, &stars, Simplex::Triangle(0));
        for (d, expected) in [
            ([-1.0, -1.0, -1.0], [true, false, false]),
            ([0.0, -1.0, -2.0], [true, true, false]),
            ([0.0, 1e-300, -2.0], [false, false, false]),
            ([-3.0, 0.0, 0.0], [true, false, true]),
            ([3.0, 0.0, 0.0], [false, false, true]),
            ([0.0; 3], [true, true, true]),
        ] {
            let d = DVec3::from(d);
            assert_eq!([&vertex, &edge, &face].map(|cone| cone.contains(d)), expected, "{d}");
        }
        // Towards (1, 1, 0) the bottom rises along its diagonal with a slope of 1, and its edges with 1/√2.
        assert!((vertex.slope(DVec3::new(1.0, 1.0, 0.0)) - 1.0).abs() < 1e-15);
        assert!(edge.slope(-DVec3::Z) <= 0.0);
    }

    #[test]
    fn a_valley_is_nearest_only_to_points_below() {
        // A valley along x: both sides rise.
        let at = |x, y, z| DVec3::new(x, y, z);
        let valley = vec![at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0), at(0.0, 1.0, 1.0), at(0.0, -1.0, 1.0)];
        let mesh = Mesh::new(valley, vec![[0, 1, 2], [1, 0, 3]]).unwrap();
        let cone = NormalCone::new(&mesh, &mesh.stars(), Simplex::Edge(0, 1));
        assert!(!cone.contains(DVec3::Z) && cone.contains(-DVec3::Z) && cone.contains(at(0.0, -1.0, -1.0)));
        assert!(!cone.contains(at(1e-200, 0.0, -1.0)) && !cone.contains(at(0.0, 1.0, 0.0)));
    }
}
