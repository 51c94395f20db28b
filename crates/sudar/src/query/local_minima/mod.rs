//! Contact determination: all the places where two bodies come near each other.

mod flood;
mod hubs;
mod inside;
mod side;
mod surfaces;
mod wet;
mod whole;

use glam::DVec3;

use self::flood::{Flood, Low};
use self::hubs::Hubs;
use self::inside::{enclosed_pieces, is_outward};
use self::side::Side;
use self::surfaces::Surfaces;
use self::wet::Cell;
use self::whole::{AroundWhole, Whole};
use super::answer::{DistanceOptions, Found, rounding};
use super::bodies::{
    Part, Placed, PosedBody, PosedSurface, STOP, features_of, visit_pairs, visit_parts_near,
};
use super::distance::Measure;
use super::verb::PairVerb;
use crate::effort::{Meter, Partial};
use crate::math::Interval;
use crate::pair::{Nearest, disjoint_triangle_distance_bounds, triangle_intersection};
use crate::shape::Halfspace;

/// A place where two bodies are nearer to each other than around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalMinimum {
    /// Holds the distance there; zero exactly if the bodies meet there.
    pub interval: Interval,
    /// A point of the first body there.
    pub point_a: DVec3,
    /// A point of the second body there, the nearest to the other.
    pub point_b: DVec3,
    /// Unit direction from the first to the second; `None` where they meet, and have no direction to each other.
    pub normal: Option<DVec3>,
    /// The triangles that the points are on, the parts of compounds, 0 for other shapes.
    pub features: [u32; 2],
}

/// All local minima, up to `tolerance`, of the distance of points x of one body and y of the other.
///
/// A **minimum** is a connected set of pairs (x, y), all at one distance d, with all other pairs around the set
/// farther apart: a component of the pairs at most d apart that holds none less than d apart. Two cubes with parallel
/// faces have one, a stool over a plate one for each leg. A flat place that goes down somewhere at its rim is none,
/// and neither is a saddle. There is one answer for each minimum, sorted by distance, then by features; the least is
/// [`distance`](fn@crate::query::distance).
///
/// * A **mesh** counts as its surface: the triangles, glued where corners have equal positions. Boundaries of open
///   meshes, edges of three and more triangles and triangles of zero area need no exception. Triangles that end in the
///   middle of another's edge are not glued there, and a point on such an edge may be reported though the next triangle
///   goes on.
/// * A **solid** is its surface too, but what is nearest only through its own inside does not count: the way from
///   either point to the other leads out of its solid.
/// * A **convex shape** or half-space is full and counts as a whole; two of these have one minimum, their distance.
/// * Where surfaces **meet**, each connected piece of what they have in common is one minimum at distance 0. Where a
///   connected piece of one surface lies inside the other solid without touching its surface, it is one, too.
/// * **Compounds** are tested part by part, and features are parts. A minimum that has one of its points inside another
///   part of the same compound does not count; parts that merely touch are not merged.
///
/// Posed coordinates are rounded, so that two parallel faces of turned cubes are not quite parallel and not quite
/// plane. Minima count as different only if every way from the one to a lower one rises by more than the rounding of
/// distances, 2⁻⁴⁶ times the sum of the largest coordinates; see [`prominent_minima`] for more than that.
///
/// The list of nearest features is the contact determination of SWIFT++ (Ehmann and Lin 2001, "Accurate
/// and fast proximity queries between polyhedra using convex surface decomposition"). That minima are distinguished by
/// their rise, without a distance to cluster by, is persistence (Edelsbrunner, Letscher and Zomorodian 2002,
/// "Topological persistence and simplification").
///
/// `tolerance` is zero or more; NaN counts as 0. Cost: O(log n) for every triangle of the first mesh, half a
/// microsecond for every pair of triangles of which one has a point where the other's corners, edges or
/// inside may be nearest to it, and a microsecond or two for every pair that a minimum spreads over. What is
/// within the tolerance without that costs nothing, and a triangle that is there many times counts once.
pub fn local_minima(a: Placed, b: Placed, tolerance: f64) -> Vec<LocalMinimum> {
    prominent_minima(a, b, tolerance, 0.0)
}

/// The [`local_minima`] of at least a *prominence*: every way from there to a lower one, over pairs of points of both
/// bodies, gets farther apart by more than this at some place on the way, as the prominence of a mountain is what one
/// has to go down to get to a higher one.
///
/// What is less prominent is roughness of the surfaces, as of meshes whose coordinates were rounded to `f32`,
/// and is part of the lower minimum beside it. A prominence less than rounding (zero, NaN) counts as that.
/// Cost: as [`local_minima`], and a microsecond or two for every pair of triangles that is no farther apart
/// than a minimum and the prominence, around it.
pub fn prominent_minima(a: Placed, b: Placed, tolerance: f64, prominence: f64) -> Vec<LocalMinimum> {
    metered(a, b, [tolerance, prominence], &mut Meter::unlimited()).found
}

/// Those found until the meter stops are minima for certain, but the least need not be among them.
pub(super) fn metered(
    a: Placed,
    b: Placed,
    [tolerance, prominence]: [f64; 2],
    meter: &mut Meter,
) -> Partial<Vec<LocalMinimum>> {
    // Neither NaN nor a negative number is a length.
    let limits = Limits { tolerance: tolerance.max(0.0), prominence: prominence.max(0.0) };
    let mut found = limits.ask(a, b, meter);
    found.retain(|minimum| minimum.interval.lower <= limits.tolerance);
    found.sort_by(|m, n| {
        m.interval.upper.total_cmp(&n.interval.upper).then_with(|| m.features.cmp(&n.features))
    });
    Partial { found, complete: !meter.is_stopped() }
}

/// How far apart minima may be, and how prominent they are at least.
#[derive(Clone, Copy)]
struct Limits {
    tolerance: f64,
    prominence: f64,
}

/// Between bodies that count as wholes there is one minimum, their distance.
const EXACT: Measure = Measure { search: DistanceOptions::EXACT };

impl PairVerb for Limits {
    type Answer = Vec<LocalMinimum>;

    fn swapped(minima: Vec<LocalMinimum>) -> Vec<LocalMinimum> {
        minima.into_iter().map(LocalMinimum::swapped).collect()
    }

    fn meshes(&self, a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Vec<LocalMinimum> {
        mesh_mesh(a, b, *self, meter)
    }

    fn mesh_convex(&self, mesh: &PosedSurface, body: &PosedBody, meter: &mut Meter) -> Vec<LocalMinimum> {
        mesh_whole(mesh, Whole::Convex(body), *self, meter)
    }

    fn mesh_halfspace(&self, mesh: &PosedSurface, h: &Halfspace, meter: &mut Meter) -> Vec<LocalMinimum> {
        mesh_whole(mesh, Whole::Halfspace(h), *self, meter)
    }

    fn convexes(&self, a: &PosedBody, b: &PosedBody, meter: &mut Meter) -> Vec<LocalMinimum> {
        vec![LocalMinimum::of(&EXACT.convexes(a, b, meter))]
    }

    fn convex_halfspace(&self, body: &PosedBody, h: &Halfspace, meter: &mut Meter) -> Vec<LocalMinimum> {
        vec![LocalMinimum::of(&EXACT.convex_halfspace(body, h, meter))]
    }

    fn halfspaces(&self, a: &Halfspace, b: &Halfspace, meter: &mut Meter) -> Vec<LocalMinimum> {
        vec![LocalMinimum::of(&EXACT.halfspaces(a, b, meter))]
    }

    /// Every pair of parts by itself.
    fn compounds(&self, a: Placed, b: Placed, meter: &mut Meter) -> Vec<LocalMinimum> {
        let mut all = Vec::new();
        visit_pairs([a, b], self.tolerance, meter, |pair, meter| {
            if meter.spend(1).is_break() {
                return STOP;
            }
            let mut minima = self.ask_parts(pair, meter);
            minima.retain(|m| {
                m.interval.upper == 0.0
                    || in_no_other(a, pair[0], m.point_a, meter) && in_no_other(b, pair[1], m.point_b, meter)
            });
            let named = |m: LocalMinimum| LocalMinimum { features: features_of(pair, m.features), ..m };
            all.extend(minima.into_iter().map(named));
            self.tolerance
        });
        all
    }
}

impl LocalMinimum {
    fn of(found: &Found) -> Self {
        Self::between(found.interval, found.nearest.a, found.nearest.b, found.features)
    }

    fn between(interval: Interval, point_a: DVec3, point_b: DVec3, features: [u32; 2]) -> Self {
        let way = point_b - point_a;
        let size = way.abs().max_element();
        let meets = interval.upper == 0.0 || size == 0.0;
        let normal = (!meets).then(|| way / size).map(|way| way / way.length());
        Self { interval, point_a, point_b, normal, features }
    }

    fn at(point: DVec3, features: [u32; 2]) -> Self {
        Self::between(Interval::point(0.0), point, point, features)
    }

    fn swapped(self) -> Self {
        let [i, j] = self.features;
        Self {
            interval: self.interval,
            point_a: self.point_b,
            point_b: self.point_a,
            normal: self.normal.map(|n| -n),
            features: [j, i],
        }
    }
}

fn mesh_mesh(a: &PosedSurface, b: &PosedSurface, limits: Limits, meter: &mut Meter) -> Vec<LocalMinimum> {
    let slack = rounding(a.reach() + b.reach());
    let (a_side, b_side) = (Side::new(a), Side::new(b));
    let hubs = Hubs::new(&a_side, &b_side, limits.tolerance + slack, slack);
    let land = Surfaces { a: a_side, b: b_side, hubs, slack };
    let springs = land.springs(limits.tolerance + slack, meter);
    let meeting: Vec<Cell> = springs.iter().filter(|low| low.height == 0.0).map(|low| low.cell).collect();
    let basins = Flood::new(&land, limits.prominence, slack).basins(springs, meter);
    let mut found: Vec<LocalMinimum> = basins.iter().map(|low| of_triangles(&land, low)).collect();
    found.retain(|m| {
        is_outward(a, (m.point_a, m.point_b), slack, meter)
            && is_outward(b, (m.point_b, m.point_a), slack, meter)
    });
    if meter.is_stopped() {
        // Which pieces meet no triangle is not known.
        return found;
    }
    let of = |side: usize| meeting.iter().map(move |cell| cell[side]);
    found.extend(enclosed_pieces(a, b, of(0), meter).into_iter().map(|(t, p)| LocalMinimum::at(p, [t, 0])));
    found.extend(enclosed_pieces(b, a, of(1), meter).into_iter().map(|(t, p)| LocalMinimum::at(p, [0, t])));
    found
}

fn of_triangles(land: &Surfaces, low: &Low) -> LocalMinimum {
    let (t, u) = land.triangles(low.cell);
    let common = triangle_intersection(&t, &u).map(|common| common.middle());
    if let Some(point) = common {
        return LocalMinimum::at(point, low.cell);
    }
    let (Nearest { a, b, .. }, interval) = disjoint_triangle_distance_bounds(&t, &u);
    LocalMinimum::between(interval, a, b, low.cell)
}

fn mesh_whole(mesh: &PosedSurface, whole: Whole, limits: Limits, meter: &mut Meter) -> Vec<LocalMinimum> {
    let center = match &whole {
        Whole::Convex(body) => Some(body.convex.center()),
        Whole::Halfspace(_) => None,
    };
    let far = match &whole {
        Whole::Convex(body) => body.aabb().reach(),
        Whole::Halfspace(h) => h.offset.abs() / h.normal.abs().max_element(),
    };
    let slack = rounding(mesh.reach() + far);
    let land = AroundWhole { mesh: Side::new(mesh), whole, slack };
    let springs = land.springs(limits.tolerance + slack, meter);
    let meets = springs.iter().any(|low| low.height == 0.0);
    let basins = Flood::new(&land, limits.prominence, slack).basins(springs, meter);
    let of_basin = |low: &Low| {
        let Found { nearest, interval, .. } = land.whole.distance(&mesh.triangle(low.cell[0]), slack);
        LocalMinimum::between(interval, nearest.a, nearest.b, low.cell)
    };
    let mut found: Vec<LocalMinimum> = basins.iter().map(of_basin).collect();
    found.retain(|m| is_outward(mesh, (m.point_a, m.point_b), slack, meter));
    let center = center.filter(|_| !meets && !meter.is_stopped());
    let inside = center.filter(|&p| mesh.encloses_metered(p, meter) == Some(true));
    found.extend(inside.map(|p| LocalMinimum::at(p, [0, 0])));
    found
}

/// Whether a point of one part is in no other, or just on its surface as far as rounding lets one see. No if the meter
/// stopped it before it was known.
fn in_no_other(whole: Placed, own: &Part, point: DVec3, meter: &mut Meter) -> bool {
    let mut is_in = false;
    visit_parts_near(whole, point, 0.0, meter, |part, meter| {
        is_in = part.index != own.index && inside::is_well_inside(part, point, meter);
        if is_in { STOP } else { 0.0 }
    });
    !is_in && !meter.is_stopped()
}
