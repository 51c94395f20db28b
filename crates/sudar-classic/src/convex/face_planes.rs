//! Separating planes by brute force.

use sudar::glam::DVec3;

use sudar::convex::{Core, Difference, Polytope, PosedConvex};

/// A plane between two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeparatingPlane {
    /// Unit vector from the first to the second.
    pub normal: DVec3,
    /// A point of the plane, in the middle of the gap.
    pub point: DVec3,
    /// The width of the gap, certainly not less: the bodies are at least so far apart.
    pub gap: f64,
}

/// Tries the plane of every face of each polytope against all vertices of both (Huotari 2011, "Collision detection
/// in a 3D environment"): O(F·V). The first that separates them for certain.
///
/// Incomplete: polytopes may be apart, edge against edge, and no face tells. `None` says nothing, then, and also if
/// a core is no box or hull of dimension 3.
pub fn brute_force_face_plane(a: &PosedConvex, b: &PosedConvex) -> Option<SeparatingPlane> {
    let search = Search::new(a, b)?;
    let of_first = search.a.normals.iter().copied();
    of_first.chain(search.b.normals.iter().map(|n| -*n)).find_map(|n| search.try_normal(n))
}

/// As [`brute_force_face_plane`], and then every plane along one edge of each: O(F·V + E²·V). Complete: polytopes
/// without such a plane have a point in common, or are apart by less than rounding.
pub fn brute_force_separating_plane(a: &PosedConvex, b: &PosedConvex) -> Option<SeparatingPlane> {
    let search = Search::new(a, b)?;
    let pairs = search.a.edges.iter().flat_map(|u| search.b.edges.iter().map(move |v| u.cross(*v)));
    let both_ways = pairs.flat_map(|n| [n, -n]);
    brute_force_face_plane(a, b)
        .or_else(|| both_ways.map(DVec3::normalize_or_zero).find_map(|n| search.try_normal(n)))
}

/// The polytope of a box or a hull of dimension 3.
fn solid<'a>(body: &PosedConvex<'a>) -> Option<&'a Polytope> {
    let (Core::Cuboid(_, polytope) | Core::Polytope(polytope)) = body.convex().core() else { return None };
    (polytope.hull().dimension() == 3).then_some(polytope)
}

/// The unit normal of a polygon whose corners are seen counter-clockwise from its tip, by the sum of the triangles
/// from its first corner.
fn normal(points: &[DVec3], corners: impl Iterator<Item = u32>) -> DVec3 {
    let corners: Vec<DVec3> = corners.map(|i| points[i as usize]).collect();
    let sides = corners.windows(2).map(|side| (side[0] - corners[0]).cross(side[1] - corners[0]));
    sides.sum::<DVec3>().normalize_or_zero()
}

struct Search<'a> {
    difference: Difference<'a>,
    a: Parts,
    b: Parts,
}

/// Posed vertices as seen from the centre, unit normals of the faces, directions of the edges.
struct Parts {
    points: Vec<DVec3>,
    normals: Vec<DVec3>,
    edges: Vec<DVec3>,
}

impl Parts {
    fn new(body: &PosedConvex, polytope: &Polytope) -> Self {
        let hull = polytope.hull();
        let points: Vec<DVec3> = (0..hull.vertices().len() as u32).map(|i| body.offset(i)).collect();
        // Sizes do not matter for directions, and products of sizes as they are might overflow.
        let unit: Vec<DVec3> = points.iter().map(|p| *p / body.convex().radius()).collect();
        let normals = (0..hull.faces().len()).map(|i| normal(&unit, hull.face(i))).collect();
        let edges = hull.half_edges().iter().filter(|e| e.origin < hull.half_edges()[e.twin as usize].origin);
        let ends =
            edges.map(|e| [e.origin, hull.half_edges()[e.twin as usize].origin].map(|i| unit[i as usize]));
        Self { normals, edges: ends.map(|[p, q]| (q - p).normalize_or_zero()).collect(), points }
    }

    fn highest(&self, normal: DVec3) -> f64 {
        self.points.iter().fold(f64::NEG_INFINITY, |m, p| m.max(normal.dot(*p)))
    }
}

impl<'a> Search<'a> {
    fn new(a: &PosedConvex<'a>, b: &PosedConvex<'a>) -> Option<Self> {
        let (p, q) = (Parts::new(a, solid(a)?), Parts::new(b, solid(b)?));
        Some(Self { difference: Difference::new(*a, *b), a: p, b: q })
    }

    fn try_normal(&self, normal: DVec3) -> Option<SeparatingPlane> {
        let (first, second) = (self.a.highest(normal), self.b.highest(-normal));
        let gap = self.difference.between().dot(normal) - first - second - self.difference.slack();
        let point = self.difference.a.center() + normal * (first + gap * 0.5);
        (gap > 0.0).then_some(SeparatingPlane { normal, point, gap })
    }
}
