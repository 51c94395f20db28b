//! Polyhedra as the referee sees them: vertices, face normals and edges, and the depth of two by trying all facets.

use ::sudar::Pose;
use glam::DVec3;

use super::difference::Difference;
use super::form::Form;

/// Two edges as good as parallel make no facet: sine below this.
const PARALLEL: f64 = 1e-12;
/// Slack of the test whether arcs of normals cross; it only lets more directions be tried.
const SLACK: f64 = 1e-9;

/// A polyhedron around the origin of its frame.
#[derive(Debug, Clone)]
pub struct Polytope {
    faces: Vec<Face>,
    edges: Vec<Edge>,
}

/// A plane `normal·p = offset` that the body lies below.
#[derive(Debug, Clone, Copy)]
struct Face {
    normal: DVec3,
    offset: f64,
}

/// An edge by its direction and the normals of its two faces: all normals at the edge lie on the arc between them.
#[derive(Debug, Clone, Copy)]
struct Edge {
    along: DVec3,
    normals: [DVec3; 2],
}

impl Polytope {
    /// The polyhedron of a shape that is one.
    pub fn of(form: &Form) -> Option<Self> {
        match form {
            Form::Hull { vertices, triangles } => Some(Self::new(vertices, triangles)),
            Form::Cuboid(half) => Some(cuboid(*half)),
            Form::Sphere(_)
            | Form::Capsule { .. }
            | Form::Cylinder { .. }
            | Form::Cone { .. }
            | Form::Ellipsoid(_) => None,
        }
    }

    fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let face = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| vertices[i as usize]);
            let normal = (b - a).cross(c - a).normalize();
            Face { normal, offset: normal.dot(a) }
        };
        let faces: Vec<_> = triangles.iter().map(face).collect();
        // Both sides of an edge stand next to each other once sorted by its ends.
        let mut sides: Vec<_> = triangles
            .iter()
            .enumerate()
            .flat_map(|(f, &[i, j, k])| [(i, j), (j, k), (k, i)].map(|(i, j)| (i.min(j), i.max(j), f)))
            .collect();
        sides.sort_unstable();
        let edge = |two: &[(u32, u32, usize)]| {
            let along = vertices[two[0].1 as usize] - vertices[two[0].0 as usize];
            Edge { along: along.normalize(), normals: [two[0].2, two[1].2].map(|f| faces[f].normal) }
        };
        Self { edges: sides.chunks_exact(2).map(edge).collect(), faces }
    }

    /// The same with its directions turned into the world; the offsets stay, from the body's origin.
    pub fn posed(&self, pose: &Pose) -> Self {
        let turn = |v| pose.rotate(v);
        let face = |f: &Face| Face { normal: turn(f.normal), offset: f.offset };
        let edge = |e: &Edge| Edge { along: turn(e.along), normals: e.normals.map(turn) };
        Self { faces: self.faces.iter().map(face).collect(), edges: self.edges.iter().map(edge).collect() }
    }

    /// The least overlap over the normals of all facets of the difference.
    ///
    /// Left out are only those that cannot count: along `n` the bodies overlap by at least the sum of their inner
    /// radii minus `n·t`, `t` from origin to origin.
    pub fn depth(&self, other: &Self, difference: &Difference) -> f64 {
        let inner = [self.inner_radius(), other.inner_radius()];
        let t = difference.between();
        let mut least = f64::INFINITY;
        let outward = self.faces.iter().map(|f| (f.normal, f.offset + inner[1]));
        let inward = other.faces.iter().map(|f| (-f.normal, f.offset + inner[0]));
        for (n, reach) in outward.chain(inward) {
            if reach - n.dot(t) < least {
                least = least.min(difference.overlap(n));
            }
        }
        let needed = inner[0] + inner[1] - least;
        let [mine, theirs] =
            [(self, 1.0), (other, -1.0)].map(|(body, sign)| body.edges_towards(t, sign, needed));
        for e in &mine {
            for n in theirs.iter().filter_map(|f| shared_normal(e, f)) {
                least = least.min(difference.overlap(n));
            }
        }
        least
    }

    fn inner_radius(&self) -> f64 {
        self.faces.iter().map(|f| f.offset).fold(f64::INFINITY, f64::min)
    }

    /// The edges with a normal `n` on the arc for which `sign·n·t` may reach `needed`; normals times `sign`.
    fn edges_towards(&self, t: DVec3, sign: f64, needed: f64) -> Vec<Edge> {
        let may = |e: &Edge| {
            let [p, q] = e.normals;
            p.dot(t).max(q.dot(t)) + p.distance(q) * t.length() >= needed
        };
        let signed = |e: &Edge| Edge { along: e.along, normals: e.normals.map(|n| n * sign) };
        self.edges.iter().map(signed).filter(may).collect()
    }
}

/// The unit vector where the arcs of normals cross: the ends of each are on both sides of the other's great circle, and
/// the two are on the same half of the sphere.
fn shared_normal(e: &Edge, f: &Edge) -> Option<DVec3> {
    let [a, b] = e.normals;
    let [c, d] = f.normals;
    // An edge is perpendicular to the normals of its faces, so it is the axis of their great circle.
    let [c_side, d_side] = [c, d].map(|n| n.dot(e.along));
    let [a_side, b_side] = [a, b].map(|n| n.dot(f.along));
    if c_side * d_side > SLACK || a_side * b_side > SLACK {
        return None;
    }
    let n = e.along.cross(f.along);
    let [on_e, on_f] = [n.dot(a + b), n.dot(c + d)];
    (n.length() > PARALLEL && on_e * on_f >= 0.0).then(|| n.normalize() * on_e.signum())
}

fn cuboid(half: DVec3) -> Polytope {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let faces =
        (0..3).flat_map(|i| [axes[i], -axes[i]].map(|normal| Face { normal, offset: half[i] })).collect();
    let edges = (0..3).flat_map(|i| {
        let [j, k] = [(i + 1) % 3, (i + 2) % 3];
        [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
            .map(|(s, t)| Edge { along: axes[i], normals: [s * axes[j], t * axes[k]] })
    });
    Polytope { faces, edges: edges.collect() }
}
