//! The separating axis test of polytopes.

use glam::DVec3;

use super::first_tetrahedron::Scaled;
use crate::convex::{Core, Difference, Polytope, PosedConvex};
use crate::math::Interval;
use crate::shape::HalfEdge;

/// Which features of two polytopes an axis belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisFeature {
    /// The normal of this face of the first, outward.
    FaceOfA(u32),
    /// The normal of this face of the second, inward.
    FaceOfB(u32),
    /// At right angles to these edges of first and second: numbers of half-edges of hulls, and of axes for
    /// [`crate::convex::cuboid_axes`].
    Edges([u32; 2]),
}

/// The axis along which two polytopes are farthest apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisAnswer {
    /// The greatest signed gap between the shadows of the two on an axis. If positive, they are apart by at least
    /// that; if negative, minus it is the depth of their overlap.
    pub gap: Interval,
    /// Unit vector of that axis, from the first to the second.
    pub normal: DVec3,
    /// What the axis belongs to.
    pub feature: AxisFeature,
    /// How many axes were measured.
    pub tested: u32,
}

/// The greatest gap over all axes that can be the normal of a face of the difference: normals of faces of either
/// body, and products of two edges whose arcs on the Gauss map cross (Gregorius 2013, "The separating axis test
/// between convex polyhedra").
///
/// `None` unless both cores are boxes or hulls of dimension 3. Time grows with faces times vertices and with the
/// product of the numbers of edges; above some 30 vertices [`crate::convex::expanding_polytope`] is faster.
pub fn separating_axes(a: &PosedConvex, b: &PosedConvex) -> Option<AxisAnswer> {
    let (p, q) = (solid(a)?, solid(b)?);
    let difference = Difference::new(*a, *b);
    let scaled = Scaled::new(&difference);
    let (first, second) = (Facets::new(a, p, scaled.scale), Facets::new(b, q, scaled.scale));
    let mut axes = Axes { difference: &scaled, best: None, tested: 0 };
    for (i, normal) in first.normals.iter().enumerate() {
        axes.measure(*normal, AxisFeature::FaceOfA(i as u32));
    }
    for (i, normal) in second.normals.iter().enumerate() {
        axes.measure(-*normal, AxisFeature::FaceOfB(i as u32));
    }
    axes.edge_pairs(&first, &second);
    axes.answer()
}

/// The polytope of a box or a hull of dimension 3.
pub fn solid<'a>(body: &PosedConvex<'a>) -> Option<&'a Polytope> {
    match body.convex().core() {
        Core::Cuboid(_, polytope) | Core::Polytope(polytope) if polytope.hull().dimension() == 3 => {
            Some(polytope)
        }
        Core::Cuboid(..) | Core::Polytope(_) | Core::Point(_) | Core::Segment(_) | Core::Triangle(_) => None,
        Core::Round(_) => None,
    }
}

/// A posed hull as the test needs it, in the measure of [`Scaled`].
struct Facets {
    /// Outward unit normals, zero for faces too thin to have one.
    normals: Vec<DVec3>,
    edges: Vec<Edge>,
}

/// An edge once, with the faces left and right of it.
struct Edge {
    number: u32,
    /// A point of it as seen from the centre of the body.
    point: DVec3,
    /// From end to end, unit.
    direction: DVec3,
    faces: [usize; 2],
}

impl Facets {
    fn new(body: &PosedConvex, polytope: &Polytope, scale: f64) -> Self {
        let hull = polytope.hull();
        let points: Vec<DVec3> = (0..hull.vertices().len() as u32).map(|i| body.offset(i) * scale).collect();
        let normals = (0..hull.faces().len()).map(|i| normal(&points, hull.face(i))).collect();
        let half_edges = hull.half_edges();
        let edge = |(i, edge): (usize, &HalfEdge)| {
            let twin = half_edges[edge.twin as usize];
            let (point, end) = (points[edge.origin as usize], points[twin.origin as usize]);
            let direction = (end - point).normalize_or_zero();
            let faces = [edge.face as usize, twin.face as usize];
            Edge { number: i as u32, point, direction, faces }
        };
        let once = |(i, edge): &(usize, &HalfEdge)| *i < edge.twin as usize;
        Self { normals, edges: half_edges.iter().enumerate().filter(once).map(edge).collect() }
    }
}

/// The unit normal of a polygon whose corners are seen counter-clockwise from its tip, by the sum of the triangles
/// from its first corner.
fn normal(points: &[DVec3], mut corners: impl Iterator<Item = u32>) -> DVec3 {
    let Some(first) = corners.next().map(|i| points[i as usize]) else {
        return DVec3::ZERO;
    };
    let (mut sum, mut before) = (DVec3::ZERO, DVec3::ZERO);
    for i in corners {
        let way = points[i as usize] - first;
        sum += before.cross(way);
        before = way;
    }
    sum.normalize_or_zero()
}

struct Axes<'a> {
    difference: &'a Scaled<'a>,
    /// Gap in the measure of [`Scaled`], unit axis, feature.
    best: Option<(f64, DVec3, AxisFeature)>,
    tested: u32,
}

impl Axes<'_> {
    /// The gap along an axis is minus the height of the difference: true for any axis, whatever it was meant to be.
    fn measure(&mut self, axis: DVec3, feature: AxisFeature) {
        if axis == DVec3::ZERO {
            return;
        }
        self.tested += 1;
        let gap = -self.difference.support(axis).point.dot(axis);
        if self.best.is_none_or(|best| gap > best.0) {
            self.best = Some((gap, axis, feature));
        }
    }

    fn edge_pairs(&mut self, first: &Facets, second: &Facets) {
        let between = self.difference.difference.between() * self.difference.scale;
        for a in &first.edges {
            let heights: Vec<f64> = second.normals.iter().map(|n| n.dot(a.direction)).collect();
            for b in &second.edges {
                let [left, right] = a.faces.map(|i| first.normals[i].dot(b.direction));
                if !arcs_cross(b.faces.map(|i| heights[i]), [left, right]) {
                    continue;
                }
                let axis = a.direction.cross(b.direction).normalize_or_zero();
                let outside = first.normals[a.faces[0]] + first.normals[a.faces[1]];
                let axis = if axis.dot(outside) < 0.0 { -axis } else { axis };
                // On a face of the difference these two points are farthest along the axis, so this is the gap.
                let gap = (between + b.point - a.point).dot(axis);
                if self.best.is_none_or(|best| gap > best.0) {
                    self.measure(axis, AxisFeature::Edges([a.number, b.number]));
                }
            }
        }
    }

    fn answer(&self) -> Option<AxisAnswer> {
        let (gap, normal, feature) = self.best?;
        // The axis is off by some ulp of the true one, which moves the gap by as much of the size.
        let gap =
            Interval::point(gap / self.difference.scale).widened(4.0 * self.difference.difference.slack());
        Some(AxisAnswer { gap, normal, feature, tested: self.tested })
    }
}

/// Whether the arc between the normals n₁, n₂ of the faces left and right of edge e of A crosses that between −m₁,
/// −m₂ of edge f of B, given mᵢ·e and nᵢ·f. As n₁×n₂ is along e and m₁×m₂ along f, the ends of each arc must lie on
/// different sides of the other's great circle, and the arcs on the same half of the sphere. What is undecided counts
/// as crossing: the gap along any axis is true.
fn arcs_cross([m1, m2]: [f64; 2], [n1, n2]: [f64; 2]) -> bool {
    // Products of unit vectors, whose rounding is a few ulp; thin faces may have normals that are further off.
    const UNDECIDED: f64 = 1e-12;
    m1 * m2 < UNDECIDED && n1 * n2 < UNDECIDED && m1 * n2 < UNDECIDED
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::{Accuracy, Convex, Meeting, cuboid_axes, cuboids_meet, expanding_polytope};
    use crate::math::Pose;
    use crate::shape::{Cuboid, Shape, Sphere};
    use crate::testing::Random;
    use crate::testing::hulls::random_hull;

    fn cuboid(half: DVec3) -> Convex {
        Convex::of(&Shape::from(Cuboid::new(half).unwrap())).unwrap()
    }

    /// The two answers overlap, and both are narrow.
    fn agree(a: Interval, b: Interval, size: f64) {
        assert!(a.lower <= b.upper && b.lower <= a.upper, "{a:?} {b:?}");
        assert!(a.width().max(b.width()) < 1e-12 * size, "{a:?} {b:?}");
    }

    #[test]
    fn hulls_against_the_expanding_polytope() {
        let mut random = Random::new(21);
        let (mut apart, mut by_edges) = (0, 0);
        for case in 0..2000 {
            let (a, b) = (
                random_hull(&mut random, 4 + case % 9, true),
                random_hull(&mut random, 4 + case / 9 % 5, true),
            );
            let way = random.point() * 1.7;
            let (p, q) = (random.turned(DVec3::ZERO), random.turned(way));
            let (a, b) = (PosedConvex::new(&a, &p), PosedConvex::new(&b, &q));
            let axes = separating_axes(&a, &b).unwrap();
            let depth = expanding_polytope(&Difference::new(a, b), &[], &Accuracy::BEST, 512).depth;
            if axes.gap.lower > 0.0 {
                assert_eq!(depth, Interval::point(0.0));
                apart += 1;
                by_edges += u32::from(matches!(axes.feature, AxisFeature::Edges(_)));
            } else {
                agree(Interval { lower: -axes.gap.upper, upper: -axes.gap.lower }, depth, 1.0);
            }
        }
        assert!(apart > 200 && by_edges > 20, "{apart} {by_edges}");
    }

    #[test]
    fn moving_by_the_depth_separates() {
        let mut random = Random::new(22);
        for case in 0..500 {
            let (a, b) =
                (random_hull(&mut random, 5 + case % 9, true), random_hull(&mut random, 5 + case % 7, true));
            let way = random.point() * 0.5;
            let (p, q) = (random.turned(DVec3::ZERO), random.turned(way));
            let difference = Difference::new(PosedConvex::new(&a, &p), PosedConvex::new(&b, &q));
            let found = expanding_polytope(&difference, &[], &Accuracy::BEST, 512);
            if found.depth.upper == 0.0 {
                continue;
            }
            for (by, separates) in [(1.0 + 1e-12, true), (1.0 - 1e-12, false)] {
                let moved =
                    Pose::from_matrix(q.rotation(), way + found.normal * (found.depth.upper * by)).unwrap();
                let axes = separating_axes(&PosedConvex::new(&a, &p), &PosedConvex::new(&b, &moved)).unwrap();
                let gap = axes.gap.lower + axes.gap.upper;
                assert!((gap > 0.0) == separates || gap.abs() < 1e-13, "{found:?} {axes:?}");
            }
        }
    }

    #[test]
    fn boxes_in_closed_form_against_all_pairs_of_features() {
        let mut random = Random::new(23);
        let mut met = [0; 3];
        for case in 0..4000 {
            let k = f64::powi(10.0, case % 19 - 9);
            let mut half = || (random.point().abs() + 0.05) * k;
            let (a, b) = (cuboid(half()), cuboid(half()));
            let way = random.point() * 1.3 * k;
            let p = random.turned(DVec3::ONE * k);
            // Some with all, some with one direction in common, but for rounding.
            let q = match case % 3 {
                0 => random.turned(DVec3::ONE * k + way),
                1 => Pose::from_matrix(p.rotation(), DVec3::ONE * k + way).unwrap(),
                _ => {
                    let turn = glam::DMat3::from_axis_angle(p.rotation().x_axis, random.number());
                    Pose::from_matrix(turn * p.rotation(), DVec3::ONE * k + way).unwrap()
                }
            };
            let (a, b) = (PosedConvex::new(&a, &p), PosedConvex::new(&b, &q));
            let (fast, slow) = (cuboid_axes(&a, &b).unwrap(), separating_axes(&a, &b).unwrap());
            // If they are apart, the product of edges parallel but for rounding may tell more than any axis need.
            if slow.gap.upper < 0.0 || case % 3 == 0 {
                agree(fast.gap, slow.gap, k);
            } else {
                assert!(fast.gap.lower > 0.0 || slow.gap.lower < 1e-12 * k, "{fast:?} {slow:?}");
            }
            assert!(fast.normal.dot(b.center() - a.center()) >= 0.0);
            let meeting = cuboids_meet(&a, &b).unwrap();
            met[meeting as usize] += 1;
            match meeting {
                Meeting::Apart => assert!(slow.gap.upper > 0.0),
                Meeting::Overlap => assert!(slow.gap.lower < 0.0),
                Meeting::Undecided => assert!(slow.gap.lower.abs() < 1e-12 * k, "{slow:?}"),
            }
            if slow.gap.upper < 0.0 {
                let depth = expanding_polytope(&Difference::new(a, b), &[], &Accuracy::BEST, 512).depth;
                agree(Interval { lower: -fast.gap.upper, upper: -fast.gap.lower }, depth, k);
            }
        }
        println!("boxes apart, overlapping, undecided: {met:?}");
    }

    #[test]
    fn which_face_it_is() {
        let (a, b) = (cuboid(DVec3::ONE), cuboid(DVec3::new(1.0, 2.0, 3.0)));
        for (way, feature) in
            [(DVec3::X, AxisFeature::FaceOfA(1)), (DVec3::NEG_Y * 2.5, AxisFeature::FaceOfA(2))]
        {
            let (p, q) = (Pose::IDENTITY, Pose::from_translation(way).unwrap());
            let (a, b) = (PosedConvex::new(&a, &p), PosedConvex::new(&b, &q));
            let (fast, slow) = (cuboid_axes(&a, &b).unwrap(), separating_axes(&a, &b).unwrap());
            assert_eq!((fast.feature, slow.feature), (feature, feature));
            assert_eq!((fast.normal, slow.normal), (way.normalize(), way.normalize()));
        }
    }

    #[test]
    fn only_solid_polytopes() {
        let ball = Convex::of(&Shape::from(Sphere { center: DVec3::ZERO, radius: 1.0 })).unwrap();
        let (a, b) = (cuboid(DVec3::ONE), Pose::IDENTITY);
        let (a, b) = (PosedConvex::new(&a, &b), PosedConvex::new(&ball, &b));
        assert_eq!((separating_axes(&a, &b), cuboid_axes(&a, &b), cuboids_meet(&b, &a)), (None, None, None));
    }
}
