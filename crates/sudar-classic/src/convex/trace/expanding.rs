//! The expanding polytope, plainly.

use sudar::DVec3;
use sudar::convex::Difference;
use sudar::math::{Interval, Sign, orient3d};

use super::super::Separation;
use super::gjk::trace_gjk;
use super::{Trace, TraceStep, swollen};

/// How deep two bodies are in each other with every expansion told (van den Bergen 2001, "Proximity queries and
/// penetration depth computation on 3D game objects"): from the tetrahedron in which GJK ends, each time beyond the
/// face nearest to the origin, until that lies on the boundary. At most `limit` expansions. Bodies that are apart, or
/// touch so that there is no tetrahedron, have no steps. Up to rounding; for certainty there is
/// [`sudar::convex::expanding_polytope`].
pub fn trace_expanding_polytope(difference: &Difference, limit: u32) -> Trace {
    let gjk = trace_gjk(difference, 4 * limit.max(16));
    let mut trace = Trace { steps: Vec::new(), outcome: gjk.outcome };
    let first = gjk.steps.last().map(|step| step.points.clone()).and_then(Polytope::of_tetrahedron);
    let Some(mut polytope) = first.filter(|_| gjk.outcome == Separation::Colliding) else { return trace };
    let mut upper = f64::INFINITY;
    while (trace.steps.len() as u32) < limit {
        let Some((normal, lower)) = polytope.nearest() else { break };
        let support = swollen(difference, normal).point;
        upper = normal.dot(support).min(upper);
        trace.steps.push(TraceStep {
            direction: normal,
            support,
            points: polytope.points.clone(),
            faces: polytope.faces.clone(),
            nearest: Some(normal * lower),
            bounds: Interval { lower: lower.min(upper), upper },
        });
        if upper - lower <= 1e-9 * upper.max(difference.slack()) || !polytope.expand(support) {
            break;
        }
    }
    trace
}

/// A convex polytope around the origin.
struct Polytope {
    points: Vec<DVec3>,
    faces: Vec<[u32; 3]>,
}

impl Polytope {
    /// Faces counter-clockwise from outside; `None` of what is no tetrahedron.
    fn of_tetrahedron(points: Vec<DVec3>) -> Option<Self> {
        let [a, b, c, d] = *points.as_slice() else { return None };
        let faces = match orient3d(a, b, c, d) {
            Sign::Negative => vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]],
            Sign::Positive => vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
            Sign::Zero => return None,
        };
        Some(Self { points, faces })
    }

    fn corners(&self, face: [u32; 3]) -> [DVec3; 3] {
        face.map(|k| self.points[k as usize])
    }

    /// Normal and distance of the face nearest to the origin. Those without an area have no plane.
    fn nearest(&self) -> Option<(DVec3, f64)> {
        let plane = |face: &[u32; 3]| {
            let [a, b, c] = self.corners(*face);
            let normal = (b - a).cross(c - a).try_normalize()?;
            Some((normal, normal.dot(a)))
        };
        self.faces.iter().filter_map(plane).min_by(|(_, d), (_, e)| d.total_cmp(e))
    }

    /// Takes in a point: the faces that it sees go, and the edges around these are joined to it. `false` if it sees
    /// none.
    fn expand(&mut self, point: DVec3) -> bool {
        let new = self.points.len() as u32;
        let sees = |face: &[u32; 3]| {
            let [a, b, c] = self.corners(*face);
            orient3d(a, b, c, point) == Sign::Positive
        };
        let (seen, kept): (Vec<_>, Vec<_>) = self.faces.iter().copied().partition(sees);
        let edges: Vec<[u32; 2]> = seen.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect();
        let horizon = edges.iter().filter(|[a, b]| !edges.contains(&[*b, *a]));
        self.faces = kept;
        self.faces.extend(horizon.map(|[a, b]| [*a, *b, new]));
        self.points.push(point);
        !seen.is_empty()
    }
}
