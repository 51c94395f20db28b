//! What a ray hits first, and whether it hits at all.

use glam::{BVec3, DVec3};

use crate::convex::Core;
use crate::effort::{Meter, Partial};
use crate::math::unit;
use crate::pair::{
    NearEdges, RayTriangleHit, ray_aabb, ray_capsule, ray_halfspace, ray_sphere, ray_triangle_near,
};
use crate::query::bodies::{Placed, Posed, PosedBody, PosedSurface, STOP, visit_parts};
use crate::query::pairs::sphere_capsule::ball;
use crate::shape::{Aabb, Capsule, Ray};

/// Result of a ray cast: the first point of a body on a ray.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// Where on the ray, in units of the length of its direction; 0 if it starts inside a solid.
    pub t: f64,
    /// The point, rounded.
    pub point: DVec3,
    /// Unit normal of the surface there: of a triangle that from which its corners are counter-clockwise,
    /// whichever side the ray comes from. Zero if the ray starts inside a solid, or where a normal is undefined
    /// (triangles of zero area, segments, points).
    pub normal: DVec3,
    /// The triangle hit, 0 for other shapes and rays that start inside a solid.
    pub feature: u32,
}

/// The first hit of a ray on the posed body at a parameter of at most `max`, on either face of triangles.
///
/// Watertight: no ray passes between two triangles that share an edge or a corner. Which triangles are hit is
/// exact; of several at the same parameter the least number is given. Expected cost O(log n).
///
/// ```
/// use sudar::query::{Body, ray};
/// use sudar::{Aabb, DVec3, Mesh, Pose, Ray};
///
/// let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
/// // Straight down on the middle of the top, where two triangles share an edge.
/// let down = Ray { origin: DVec3::new(0.5, 0.5, 3.0), direction: -DVec3::Z };
/// let hit = ray(cube.at(&Pose::IDENTITY), &down, f64::INFINITY).expect("the ray meets the cube");
/// assert!(hit.t == 2.0 && hit.normal == DVec3::Z);
/// assert!(ray(cube.at(&Pose::IDENTITY), &down, 1.0).is_none(), "the ray ends above the cube");
/// ```
pub fn ray(a: Placed, ray: &Ray, max: f64) -> Option<RayHit> {
    metered(a, ray, max, &mut Meter::unlimited()).found
}

/// If the meter stops the search, the first hit found, before which there may be others.
pub(crate) fn metered(a: Placed, ray: &Ray, max: f64, meter: &mut Meter) -> Partial<Option<RayHit>> {
    let found = checked_max(max).and_then(|max| first(a, ray, max, meter));
    Partial { found, complete: !meter.is_stopped() }
}

/// Whether a ray hits the posed body at a parameter of at most `max`: what [`ray`] finds, but the search ends at the
/// first triangle found, wherever it is. For shadows and lines of sight. Exact where [`ray`] is.
pub fn ray_any(a: Placed, ray: &Ray, max: f64) -> bool {
    any_metered(a, ray, max, &mut Meter::unlimited()).found
}

/// A hit is a hit, however early the search ends; that there is none is certain only if it is complete.
pub(crate) fn any_metered(a: Placed, ray: &Ray, max: f64, meter: &mut Meter) -> Partial<bool> {
    let found = checked_max(max).is_some_and(|max| is_hit(a, ray, max, meter));
    Partial { found, complete: found || !meter.is_stopped() }
}

/// NaN is no limit one can respect; a negative one leaves nothing.
pub(crate) fn checked_max(max: f64) -> Option<f64> {
    let max = if max.is_nan() { f64::INFINITY } else { max };
    (max >= 0.0).then_some(max)
}

fn is_hit(a: Placed, ray: &Ray, max: f64, meter: &mut Meter) -> bool {
    match a.form() {
        Posed::Mesh(surface) => {
            let mut hit = false;
            along(&surface, ray, max, meter, |_, _| {
                hit = true;
                None
            });
            hit || surface.encloses_metered(ray.origin, meter).unwrap_or(false)
        }
        Posed::Convex(_) | Posed::Halfspace(_) => first(a, ray, max, meter).is_some(),
        Posed::Compound => {
            let mut hit = false;
            visit_parts(
                a,
                max,
                |aabb| entry(ray, aabb),
                meter,
                |part, meter| {
                    hit = is_hit(part.at(), ray, max, meter);
                    if hit { STOP } else { max }
                },
            );
            hit
        }
    }
}

fn first(a: Placed, ray: &Ray, max: f64, meter: &mut Meter) -> Option<RayHit> {
    match a.form() {
        Posed::Mesh(surface) => first_on(&surface, ray, max, meter),
        Posed::Convex(convex) => on_convex(&convex, ray, max),
        Posed::Halfspace(halfspace) => ray_halfspace(ray, &halfspace, max).map(|hit| at(ray, hit)),
        Posed::Compound => on_parts(a, ray, max, meter),
    }
}

pub(crate) fn at(ray: &Ray, hit: crate::pair::EntryPoint) -> RayHit {
    RayHit { t: hit.t, point: ray.at(hit.t), normal: hit.normal, feature: 0 }
}

/// The first of the parts of a compound; of those hit at the same parameter, the first.
fn on_parts(a: Placed, to: &Ray, max: f64, meter: &mut Meter) -> Option<RayHit> {
    let mut best: Option<RayHit> = None;
    visit_parts(
        a,
        max,
        |aabb| entry(to, aabb),
        meter,
        |part, meter| {
            let upto = best.map_or(max, |hit| hit.t);
            if let Some(hit) = first(part.at(), to, upto, meter) {
                let hit = RayHit { feature: part.feature(hit.feature), ..hit };
                if best.is_none_or(|b| (hit.t, hit.feature) < (b.t, b.feature)) {
                    best = Some(hit);
                }
            }
            best.map_or(max, |hit| hit.t)
        },
    );
    best
}

/// A parameter before which a ray is in no point of a box, with room for rounding of parameters; infinity if
/// it misses the box.
pub(crate) fn entry(ray: &Ray, aabb: &Aabb) -> f64 {
    let room = 1e-8 * (aabb.reach() + ray.origin.abs().max_element());
    if room == f64::INFINITY {
        return ray_aabb(ray, aabb, f64::INFINITY).map_or(f64::INFINITY, |hit| hit.t * (1.0 - 1e-8));
    }
    // By slabs, as there; the room is far wider than what rounding could take off a parameter.
    let (mut enter, mut exit) = (0.0, f64::INFINITY);
    for axis in 0..3 {
        let (low, high) = (aabb.min[axis] - room, aabb.max[axis] + room);
        let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
        if (origin < low && direction <= 0.0) || (origin > high && direction >= 0.0) {
            return f64::INFINITY;
        }
        if direction != 0.0 {
            let (near, far) = if direction > 0.0 { (low, high) } else { (high, low) };
            enter = f64::max(enter, (near - origin) / direction);
            exit = f64::min(exit, (far - origin) / direction);
        }
    }
    if enter > exit { f64::INFINITY } else { enter * (1.0 - 1e-8) }
}

/// The same for many boxes, all within one: the ray's part is made once.
pub(crate) struct RayEntry<'r> {
    ray: &'r Ray,
    inverse: DVec3,
    backward: BVec3,
    /// Infinite where numbers are out of range; then each box is tested by [`entry`].
    room: f64,
    /// A little more than the squared length of the direction.
    square: f64,
}

impl<'r> RayEntry<'r> {
    pub fn new(ray: &'r Ray, around: &Aabb) -> Self {
        // A quotient by a component that is smaller could be out of range.
        let is_usual = |d: f64| d == 0.0 || d.abs() > 1e-100;
        let usual = ray.direction.to_array().into_iter().all(is_usual);
        let reach = if usual { around.reach() + ray.origin.abs().max_element() } else { f64::INFINITY };
        // Of zero of either sign the same, for the sides that `backward` tells.
        let inverse = |d: f64| if d == 0.0 { f64::INFINITY } else { 1.0 / d };
        let DVec3 { x, y, z } = ray.direction;
        let inverse = DVec3::new(inverse(x), inverse(y), inverse(z));
        let room = if reach < 1e100 { 1e-8 * reach } else { f64::INFINITY };
        let square = ray.direction.length_squared() * (1.0 + 1e-6);
        Self { ray, inverse, backward: ray.direction.cmplt(DVec3::ZERO), room, square }
    }

    /// For boxes anywhere, each to be asked about by [`RayEntry::of_any`].
    pub fn anywhere(ray: &'r Ray) -> Self {
        Self::new(ray, &Aabb::around([ray.origin]))
    }

    /// As [`entry`].
    #[inline]
    pub fn of(&self, aabb: &Aabb) -> f64 {
        self.grown(aabb, self.room)
    }

    /// The same of a box that need not be within the one around all.
    #[inline]
    pub fn of_any(&self, aabb: &Aabb) -> f64 {
        let reach = aabb.reach();
        self.grown(aabb, if reach < 1e100 { self.room + 1e-8 * reach } else { f64::INFINITY })
    }

    /// Whether the line of the ray certainly misses a ball around the box. It costs half of what
    /// [`RayEntry::of_any`] does, and tells it of most where boxes are many.
    ///
    /// Its distance from the middle c, as seen from the origin, is |c × d| / |d|, off by some ulp of c and the origin,
    /// for which there are 1e-8 of both. Where numbers are out of range a comparison fails or its sides are infinite.
    #[inline]
    pub fn passes(&self, aabb: &Aabb) -> bool {
        let middle = (aabb.min + aabb.max) * 0.5 - self.ray.origin;
        let half = (aabb.max - aabb.min) * 0.5;
        let radius = half.element_sum() + self.room + 1e-8 * middle.abs().element_sum();
        middle.cross(self.ray.direction).length_squared() > radius * radius * self.square + 1e-290
    }

    #[inline]
    fn grown(&self, aabb: &Aabb, room: f64) -> f64 {
        if room == f64::INFINITY {
            return entry(self.ray, aabb);
        }
        let low = (aabb.min - room - self.ray.origin) * self.inverse;
        let high = (aabb.max + room - self.ray.origin) * self.inverse;
        let near = DVec3::select(self.backward, high, low);
        let far = DVec3::select(self.backward, low, high);
        // A ray within a plane of a slab gives 0 · ∞ there, which `max` and `min` pass over.
        let enter = 0.0_f64.max(near.x).max(near.y).max(near.z);
        let exit = f64::INFINITY.min(far.x).min(far.y).min(far.z);
        if enter > exit { f64::INFINITY } else { enter * (1.0 - 1e-8) }
    }
}

/// Flat faces by their triangles, as all hits of a ray are found; round bodies in their own frame, where the ray is
/// rounded once.
pub(crate) fn on_convex(body: &PosedBody, to: &Ray, max: f64) -> Option<RayHit> {
    let pose = body.convex.pose();
    let there = Ray { origin: pose.unapply(to.origin), direction: pose.unrotate(to.direction) };
    let back = |hit: crate::pair::EntryPoint| {
        at(to, crate::pair::EntryPoint { normal: pose.rotate(hit.normal), ..hit })
    };
    let margin = body.convex.convex().margin();
    match *body.convex.convex().core() {
        Core::Point(_) if margin > 0.0 => ray_sphere(to, &ball(&body.convex), max).map(|hit| at(to, hit)),
        Core::Segment([_, end]) if margin > 0.0 => {
            ray_capsule(&there, &Capsule { half_length: end.z, radius: margin }, max).map(back)
        }
        Core::Round(round) => round.ray(&there, max).map(back),
        Core::Point(_) | Core::Segment(_) | Core::Triangle(_) | Core::Cuboid(..) | Core::Polytope(_) => {
            let hit = body.surface().and_then(|surface| first_on(&surface, to, max, &mut Meter::unlimited()));
            hit.map(|hit| RayHit { feature: 0, ..hit })
        }
    }
}

fn first_on(surface: &PosedSurface, ray: &Ray, max: f64, meter: &mut Meter) -> Option<RayHit> {
    if surface.encloses_metered(ray.origin, meter) == Some(true) {
        return Some(RayHit { t: 0.0, point: ray.origin, normal: DVec3::ZERO, feature: 0 });
    }
    let mut best: Option<(f64, u32)> = None;
    along(surface, ray, max, meter, |i, hit| {
        if best.is_none_or(|(t, j)| hit.t < t || (hit.t == t && i < j)) {
            best = Some((hit.t, i));
        }
        best.map(|(t, _)| t)
    });
    best.map(|(t, feature)| on_triangle(surface, ray, t, feature))
}

/// The hit on a triangle at the parameter.
pub(crate) fn on_triangle(surface: &PosedSurface, ray: &Ray, t: f64, feature: u32) -> RayHit {
    let normal = unit(surface.triangle(feature).scaled_normal()).unwrap_or(DVec3::ZERO);
    RayHit { t, point: ray.at(t), normal, feature }
}

/// Shows `hit` the triangles that the ray meets up to `max`, about in its order. It returns the parameter up to which
/// others are of interest, `None` for no more.
pub(crate) fn along(
    surface: &PosedSurface,
    ray: &Ray,
    max: f64,
    meter: &mut Meter,
    mut hit: impl FnMut(u32, &RayTriangleHit) -> Option<f64>,
) {
    let end = max.min(beyond(surface, ray));
    let mut upto = max;
    let mut near = NearEdges::new();
    surface.view().visit_segment(ray.origin, ray.at(end), meter, |i| {
        if let Some(found) = ray_triangle_near(ray, &surface.triangle(i), upto, &mut near) {
            match hit(i, &found) {
                Some(t) => upto = upto.min(t),
                None => return -1.0,
            }
        }
        // Parameters are good to nine digits; look a little farther.
        if upto < end { upto / end * (1.0 + 1e-8) } else { 1.0 }
    });
}

/// A parameter beyond every point of the surface.
fn beyond(surface: &PosedSurface, ray: &Ray) -> f64 {
    let distance = 4.0 * (surface.reach() + ray.origin.abs().max_element());
    let longest = ray.direction.abs().max_element();
    (distance / longest).min(f64::MAX)
}
