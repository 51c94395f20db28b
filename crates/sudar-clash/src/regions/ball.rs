//! A ball inside two solids, as large as a search finds one: among the planes of the triangles that limit it, which is
//! exact where what they have in common is convex, and on foot.

use sudar::query::{ClosestPoint, Work, contains};
use sudar::{Aabb, DVec3};

use crate::between_planes::BetweenPlanes;
use crate::depth::unit;
use crate::posed::Posed;

/// A ball that is certainly inside both solids.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ball {
    pub center: DVec3,
    /// Not above the distance to either surface.
    pub radius: f64,
    /// From where it touches the first solid, or nearly, to where it touches the second.
    pub across: DVec3,
    /// The points of both surfaces that are nearest to the center.
    pub near: [DVec3; 2],
    /// The balls around the center that are inside either solid have to move so far apart.
    pub apart: f64,
}

/// Steps of one walk.
const STEPS: u32 = 32;
/// Places at which one search looks for planes.
const CUTS: usize = 24;
/// Searches among planes, with a walk in between.
const ROUNDS: usize = 2;
/// Points nearer to a triangle, relative to their coordinates, do not say which way it faces.
const AT_TRIANGLE: f64 = 1e-12;
/// What is less than this part of the radius is no gain.
const SHORTEST: f64 = 1e-3;

/// How far a point is from both surfaces.
#[derive(Debug, Clone, Copy)]
struct Room {
    near: [ClosestPoint; 2],
}

impl Room {
    /// Triangles that may be near make it quick.
    fn at(parts: [&Posed<'_>; 2], p: DVec3, first: [u32; 2], work: &mut Work<'_>) -> Option<Self> {
        let mut near = |k: usize| work.closest_on_surface(parts[k].at(), p, first[k]);
        Some(Self { near: [near(0)?, near(1)?] })
    }

    fn features(&self) -> [u32; 2] {
        self.near.map(|near| near.feature)
    }

    /// Which surface is nearer, and how near it is.
    fn least(&self) -> (usize, f64) {
        let [a, b] = self.near.map(|near| near.distance.lower);
        if a <= b { (0, a) } else { (1, b) }
    }

    /// Where there is more room: away from the nearer surface, and from both where they are about as near.
    fn away(&self, p: DVec3) -> Option<DVec3> {
        let (nearer, least) = self.least();
        let way = |k: usize| (p - self.near[k].point).try_normalize();
        let first = way(nearer)?;
        if self.near[1 - nearer].distance.lower > 1.05 * least {
            return Some(first);
        }
        let both = first + way(1 - nearer)?;
        (both.length() > 0.01).then(|| both.normalize())
    }
}

/// From outside a triangle's plane is taken where the way to it makes at least this cosine with its normal.
const STEEP: f64 = 0.01;
/// From inside where it is this straight: the plane is the same from everywhere then, to the last bit.
const STRAIGHT: f64 = 0.9999;

/// A place inside both solids with the room around it.
#[derive(Debug, Clone, Copy)]
struct Place {
    at: DVec3,
    room: Room,
}

impl Place {
    fn radius(&self) -> f64 {
        self.room.least().1
    }
}

/// The largest ball found from a point that both solids hold, near these triangles of them, with its center in a box. A
/// radius that is `enough` ends the search.
pub(crate) fn largest_from(
    parts: [&Posed<'_>; 2],
    start: DVec3,
    first: [u32; 2],
    bounds: &Aabb,
    enough: f64,
    work: &mut Work<'_>,
) -> Option<Ball> {
    let mut best = Place { at: start, room: Room::at(parts, start, first, work)? };
    for _ in 0..ROUNDS {
        cut(parts, bounds, &mut best, work)?;
        let before = best.radius();
        if before >= enough {
            break;
        }
        walk(parts, &mut best, work)?;
        if best.radius() <= before * (1.0 + SHORTEST) {
            break;
        }
    }
    let Place { at, room } = best;
    let radius = best.radius();
    let is_inside = |part: &Posed<'_>| contains(part.at(), at).unwrap_or(false);
    let across = room.near[1].point - room.near[0].point;
    let apart = room.near.iter().map(|near| near.distance.lower).sum();
    let near = room.near.map(|near| near.point);
    (radius > 0.0 && parts.into_iter().all(is_inside)).then_some(Ball {
        center: at,
        radius,
        across,
        near,
        apart,
    })
}

/// Goes from the widest ball between the planes that are known to the triangles that cut it, which are the next planes.
/// Where what is common is not convex, planes may cut off more than they should.
fn cut(parts: [&Posed<'_>; 2], bounds: &Aabb, best: &mut Place, work: &mut Work<'_>) -> Option<()> {
    // Relative to the start, for the sake of what rounding leaves of thin regions.
    let origin = best.at;
    let around = Aabb { min: bounds.min - origin, max: bounds.max - origin };
    let Some(mut planes) = BetweenPlanes::in_box(&around) else { return Some(()) };
    for (k, part) in parts.into_iter().enumerate() {
        add(&mut planes, part, true, best, k, origin);
    }
    for _ in 0..CUTS {
        if planes.radius() <= best.radius() * (1.0 + SHORTEST) {
            break;
        }
        let at = origin + planes.center();
        let here = Place { at, room: Room::at(parts, at, best.room.features(), work)? };
        let held = parts.map(|part| part.holds(at));
        if held == [true; 2] && here.radius() > best.radius() {
            *best = here;
        }
        let cuts = |k: usize| !held[k] || here.room.near[k].distance.lower < planes.radius();
        let mut is_new = false;
        for k in [0, 1].into_iter().filter(|&k| cuts(k)).collect::<Vec<_>>() {
            is_new |= add(&mut planes, parts[k], held[k], &here, k, origin);
        }
        if !is_new {
            break;
        }
    }
    Some(())
}

/// Adds the plane through the nearest point of a part: that of the triangle there where the place is outside of it,
/// which cuts deepest, else across the way there.
fn add(
    planes: &mut BetweenPlanes,
    part: &Posed<'_>,
    is_inside: bool,
    here: &Place,
    k: usize,
    origin: DVec3,
) -> bool {
    let near = &here.room.near[k];
    let way = unit(if is_inside { here.at - near.point } else { near.point - here.at });
    let is_clear = near.distance.lower > AT_TRIANGLE * here.at.abs().max_element();
    let face = || facing(part, near.feature).map(|outward| -outward);
    let least = if is_inside { STRAIGHT } else { STEEP };
    let inward = match way.filter(|_| is_clear) {
        Some(way) => face().filter(|inward| inward.dot(way) > least).or(Some(way)),
        None => face(),
    };
    inward.is_some_and(|inward| planes.add(near.point - origin, inward))
}

/// The outward normal of a triangle.
fn facing(part: &Posed<'_>, triangle: u32) -> Option<DVec3> {
    let normal = unit(part.triangle(triangle)?.scaled_normal())?;
    part.corners()?.faces_outward(triangle).map(|outward| if outward { normal } else { -normal })
}

/// Walks to where there is more room: a step is never longer than the ball at hand, so that the way stays in one
/// connected part of what the solids have in common.
fn walk(parts: [&Posed<'_>; 2], best: &mut Place, work: &mut Work<'_>) -> Option<()> {
    let mut step = best.radius();
    for _ in 0..STEPS {
        let radius = best.radius();
        let way = best.room.away(best.at);
        // Between two surfaces that face each other the middle is best.
        let at = match way {
            Some(way) => best.at + way * step,
            None => best.room.near[0].point.midpoint(best.room.near[1].point),
        };
        let next = Place { at, room: Room::at(parts, at, best.room.features(), work)? };
        let more = next.radius();
        if more > radius && (at - best.at).length() <= radius {
            let is_slow = more <= radius * (1.0 + SHORTEST);
            *best = next;
            step = (2.0 * step).min(more);
            if is_slow && way.is_none() {
                break;
            }
        } else {
            step *= 0.5;
            if way.is_none() || step <= SHORTEST * radius {
                break;
            }
        }
    }
    Some(())
}
