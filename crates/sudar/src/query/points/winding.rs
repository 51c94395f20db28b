//! How often a surface winds around a point, and what is inside of a surface with holes.

use glam::DVec3;

use super::contains;
use crate::effort::Meter;
use crate::inside::winding_of_triangle;
use crate::math::Interval;
use crate::query::bodies::{Placed, Posed, PosedSurface, parts};
use crate::tree::Windings;

/// The generalised winding number of the posed body around the point: the signed solid angle of its surface, seen from
/// the point, divided by 4π. An interval no wider than `accuracy`, unless rounding of `f64` makes it so.
///
/// For a closed mesh, oriented outward, it is 1 inside and 0 outside; where pieces overlap it is their
/// number; for an open one it falls off smoothly across the holes, for terrain it is about ½ below and −½
/// above. It does not need triangles to be connected, only to be oriented alike. On the surface itself it
/// jumps by 1, and the interval holds both sides. Triangles, segments and points count as the meshes that
/// they are; round bodies and half-spaces as 1 inside and on the surface, 0 outside; compounds as the sum of
/// their parts.
///
/// By Jacobson, Kavan and Sorkine-Hornung 2013, "Robust inside-outside segmentation using generalized winding
/// numbers", with far triangles summed up as in Barill et al. 2018, "Fast winding numbers for soups and
/// clouds", and a proven bound on the error. Expected cost O(log n) for an accuracy such as 0.01; all
/// triangles are visited for 0. The first time for a body sums are made, O(n).
///
/// ```
/// use sudar::query::{Body, winding_number};
/// use sudar::{Aabb, DVec3, Mesh, Pose};
///
/// let cube = Mesh::from_aabb(Aabb { min: DVec3::splat(-1.0), max: DVec3::ONE });
/// // Without its upper face: five sixths of the sphere are covered from the centre.
/// let open = Mesh::new(cube.vertices().to_vec(), cube.triangles()[..10].to_vec())?;
/// let number = winding_number(Body::new(open).at(&Pose::IDENTITY), DVec3::ZERO, 1e-6);
/// assert!(number.contains(5.0 / 6.0) && number.width() <= 1e-6);
/// # Ok::<(), sudar::MeshError>(())
/// ```
pub fn winding_number(a: Placed, point: DVec3, accuracy: f64) -> Interval {
    metered(a, point, &Wanted::within(accuracy), &mut Meter::unlimited())
}

/// Whether a point is inside of a surface that may have holes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ByWinding {
    /// Whether it is, if that is certain.
    pub inside: Option<bool>,
    /// The winding number as far as it was needed; 1 or 0 for bodies whose inside is tested exactly.
    pub number: Interval,
}

/// Whether the point is inside the posed body or on its surface, also for open meshes and soups of triangles.
///
/// Bodies with an inside are tested exactly, as by [`contains`](fn@crate::query::contains). All others by
/// their winding number: inside is where it is above ½, that is, where more than half of the sphere around
/// the point is covered by triangles seen from their backs. Undecided if the number is ½ up to rounding: in
/// the middle of a hole, on the plane of a flat body. On the surface counts as inside, exactly. Expected cost
/// O(log n), more where the number is near ½.
pub fn contains_by_winding(a: Placed, point: DVec3) -> ByWinding {
    contains_metered(a, point, &mut Meter::unlimited())
}

/// Undecided if the meter stopped the search.
pub(crate) fn contains_metered(a: Placed, point: DVec3, meter: &mut Meter) -> ByWinding {
    if contains::has_inside(a.body()) {
        let inside = contains::metered(a, point, meter);
        let number = inside
            .map_or(Interval { lower: 0.0, upper: 1.0 }, |yes| Interval::point(f64::from(u8::from(yes))));
        return ByWinding { inside, number };
    }
    let number = metered(a, point, &Wanted { accuracy: 0.0, besides: 0.5 }, meter);
    let inside = match number {
        Interval { lower, .. } if lower > 0.5 => Some(true),
        Interval { upper, .. } if upper < 0.5 => Some(false),
        Interval { .. } => None,
    };
    // Near the surface the number tells nothing of the surface itself.
    if inside != Some(true) && is_on_surface(a, point, meter) {
        return ByWinding { inside: Some(true), number };
    }
    // That it is not on the surface is part of the answer.
    ByWinding { inside: inside.filter(|&yes| yes || !meter.is_stopped()), number }
}

/// When a winding number is known well enough.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// Its interval is no wider than this,
    pub accuracy: f64,
    /// or does not hold this.
    pub besides: f64,
}

impl Wanted {
    /// No wider than this.
    pub fn within(accuracy: f64) -> Self {
        Self { accuracy, besides: f64::NAN }
    }

    fn accepts(&self, w: Interval) -> bool {
        w.width() <= self.accuracy || w.lower > self.besides || w.upper < self.besides
    }
}

/// If the meter stops the search the interval is wider, perhaps everything.
pub(crate) fn metered(a: Placed, point: DVec3, wanted: &Wanted, meter: &mut Meter) -> Interval {
    match a.form() {
        Posed::Mesh(surface) => around(&surface, point, wanted, meter),
        Posed::Convex(body) => match body.surface() {
            Some(surface) => around(&surface, point, wanted, meter),
            None => full(a, point, meter),
        },
        Posed::Halfspace(_) => full(a, point, meter),
        Posed::Compound => {
            // Each part has its share of the width; which side of a number their sum lies on is no matter of one.
            let share = Wanted::within(wanted.accuracy / a.body().parts().len() as f64);
            parts(a).fold(Interval::point(0.0), |sum, part| {
                let w = metered(part.at(), point, &share, meter);
                Interval { lower: (sum.lower + w.lower).next_down(), upper: (sum.upper + w.upper).next_up() }
            })
        }
    }
}

/// A body whose inside is tested exactly.
fn full(a: Placed, point: DVec3, meter: &mut Meter) -> Interval {
    let inside = contains::metered(a, point, meter) == Some(true);
    Interval::point(f64::from(u8::from(inside)))
}

fn around(surface: &PosedSurface, p: DVec3, wanted: &Wanted, meter: &mut Meter) -> Interval {
    let tree = &surface.surface.tree;
    let windings = Windings { tree, moments: surface.surface.windings(), pose: surface.pose };
    windings.around(p, meter, &|i| winding_of_triangle(&surface.triangle(i), p), &|w| wanted.accepts(w))
}

/// Whether a triangle holds the point. Exact, but `false` if the meter stopped the search.
fn is_on_surface(a: Placed, point: DVec3, meter: &mut Meter) -> bool {
    let holds = |surface: PosedSurface, meter: &mut Meter| surface.holds_metered(point, meter) == Some(true);
    parts(a).any(|part| part.at().surface().is_some_and(|surface| holds(surface, meter)))
}
