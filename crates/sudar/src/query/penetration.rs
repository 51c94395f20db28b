//! How deep two bodies are in each other.

use glam::DVec3;

use super::answer::{DistanceOptions, Penetration};
use super::bodies::{Placed, PosedBody, PosedSurface, STOP, visit_pairs};
use super::distance::{Measure, in_both};
use super::pairs::convex_depth::{convex_convex, of_pair};
use super::pairs::halfspace::{Lowest, height, lowest_of_mesh, unit};
use super::pairs::meeting::all_hits;
use super::penetration_bounds::{Pieces, of_triangle};
use super::verb::PairVerb;
use crate::convex::{Accuracy, PosedConvex};
use crate::effort::Meter;
use crate::math::{Interval, Pose};
use crate::pair::{disjoint_triangle_distance, widest_direction};
use crate::shape::Halfspace;

/// The signed distance of two posed bodies to 1e-9 of its size: [`penetration_within`].
#[inline]
pub fn penetration(a: Placed, b: Placed) -> Penetration {
    penetration_within(a, b, &Accuracy::default())
}

/// The signed distance of two posed bodies, above zero apart and below where they overlap, as an interval.
///
/// For convex shapes the interval is as narrow as requested, unless rounding of the coordinates or the number of faces
/// that a search may make (for cylinders, cones and ellipsoids) ends it before. Balls, capsules, boxes and half-spaces
/// by closed forms, all else by GJK and the expanding polytope.
///
/// For meshes and compounds that overlap it is a bound from both sides: the depth is at least that of each pair of
/// triangles or parts that meet, and at most the length of the translations tried, which are along the normals of these
/// pairs and the axes of the world.
#[inline]
pub fn penetration_within(a: Placed, b: Placed, accuracy: &Accuracy) -> Penetration {
    Depth { accuracy: *accuracy }.ask(a, b, &mut Meter::unlimited())
}

/// The signed distance. If the meter stops the search, the interval ends at what is certain by then: fewer
/// pieces were compared, and fewer translations tried. Besides the nodes of trees, each pair of pieces costs
/// a node, and each direction tried after the first one for every eight triangles.
pub(super) struct Depth {
    pub accuracy: Accuracy,
}

/// How far bodies are apart that are made of pieces.
const EXACT: Measure = Measure { search: DistanceOptions::EXACT };

impl PairVerb for Depth {
    type Answer = Penetration;

    fn swapped(found: Penetration) -> Penetration {
        found.swapped()
    }

    #[inline]
    fn convexes(&self, a: &PosedBody, b: &PosedBody, _: &mut Meter) -> Penetration {
        convex_convex(a, b, &self.accuracy)
    }

    fn meshes(&self, a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Penetration {
        let apart = Pieces::begin(meter, |meter| EXACT.meshes(a, b, meter));
        if let Some(far) = apart.far(|[i, j]| {
            let (t, u) = (a.triangle(i), b.triangle(j));
            widest_direction(&t, &u, &disjoint_triangle_distance(&t, &u))
        }) {
            return far;
        }
        let mut found = Pieces::new(&apart);
        for [i, j] in all_hits(a, b, meter) {
            if meter.spend(1).is_break() {
                break;
            }
            let (t, u) = (of_triangle(&a.triangle(i)), of_triangle(&b.triangle(j)));
            let [t, u] = [&t, &u].map(|convex| PosedConvex::new(convex, &Pose::IDENTITY));
            found.add(&of_pair(&t, &u, &self.accuracy), meter);
        }
        found.bounded(a, b, meter)
    }

    fn mesh_convex(&self, mesh: &PosedSurface, body: &PosedBody, meter: &mut Meter) -> Penetration {
        let apart = Pieces::begin(meter, |meter| EXACT.mesh_convex(mesh, body, meter));
        if let Some(far) = apart.far(|_| apart.way()) {
            return far;
        }
        let mut found = Pieces::new(&apart);
        for i in mesh.in_box(&body.aabb(), meter) {
            if meter.spend(1).is_break() {
                break;
            }
            meter.count_triangles(1);
            let triangle = of_triangle(&mesh.triangle(i));
            let triangle = PosedConvex::new(&triangle, &Pose::IDENTITY);
            found.add(&of_pair(&triangle, &body.convex, &self.accuracy), meter);
        }
        found.bounded(mesh, body, meter)
    }

    /// The normal points down.
    fn convex_halfspace(&self, body: &PosedBody, halfspace: &Halfspace, _: &mut Meter) -> Penetration {
        of_height(height(&body.convex, halfspace))
    }

    fn mesh_halfspace(&self, mesh: &PosedSurface, halfspace: &Halfspace, meter: &mut Meter) -> Penetration {
        of_height(lowest_of_mesh(mesh, halfspace, 0, meter))
    }

    fn halfspaces(&self, a: &Halfspace, b: &Halfspace, _: &mut Meter) -> Penetration {
        halfspaces(a, b)
    }

    fn compounds(&self, a: Placed, b: Placed, meter: &mut Meter) -> Penetration {
        let apart = Pieces::begin(meter, |meter| EXACT.compounds(a, b, meter));
        if let Some(far) = apart.far(|_| apart.way()) {
            return far;
        }
        let mut found = Pieces::new(&apart);
        visit_pairs([a, b], 0.0, meter, |pair, meter| {
            if meter.spend(1).is_break() {
                return STOP;
            }
            let piece = meter.in_part(|meter| self.ask_parts(pair, meter));
            found.add(&piece, meter);
            0.0
        });
        found.bounded(&a, &b, meter)
    }
}

fn of_height(Lowest { height: signed, point, normal, .. }: Lowest) -> Penetration {
    let middle = signed.lower + (signed.upper - signed.lower) * 0.5;
    Penetration { signed, normal: -normal, point_a: point, point_b: point - normal * middle }
}

/// Half-spaces meet for ever unless their normals are exactly opposite.
fn halfspaces(a: &Halfspace, b: &Halfspace) -> Penetration {
    let ((m, d), (n, e)) = (unit(a), unit(b));
    let opposite = a.normal.cross(b.normal) == DVec3::ZERO && m.dot(n) < 0.0;
    if !opposite {
        let point = in_both(a, b);
        return Penetration {
            signed: Interval::point(f64::NEG_INFINITY),
            normal: m,
            point_a: point,
            point_b: point,
        };
    }
    // Heights along m: the first reaches up to d, the second down to −e.
    let signed = Interval::point(-e - d).widened(4.0 * f64::EPSILON * (e.abs() + d.abs()));
    Penetration { signed, normal: m, point_a: m * d, point_b: m * -e }
}
