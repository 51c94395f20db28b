//! A ball inside two solids, as large as a search on foot finds one.

use sudar::DVec3;
use sudar::query::{ClosestPoint, Work, contains};

use crate::posed::Posed;

/// A ball that is certainly inside both solids.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ball {
    pub center: DVec3,
    /// Not above the distance to either surface.
    pub radius: f64,
    /// From where it touches the first solid, or nearly, to where it touches the second.
    pub across: DVec3,
}

/// Steps of one search.
const STEPS: u32 = 32;
/// A step shorter than this part of the radius ends it.
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

/// The largest ball found from a point that both solids hold, near these triangles of them: a step is never longer than
/// the ball at hand, so that the way stays in one connected part of what the solids have in common.
pub(crate) fn largest_from(
    parts: [&Posed<'_>; 2],
    start: DVec3,
    first: [u32; 2],
    work: &mut Work<'_>,
) -> Option<Ball> {
    let mut at = start;
    let mut room = Room::at(parts, at, first, work)?;
    let mut step = room.least().1;
    for _ in 0..STEPS {
        let radius = room.least().1;
        let way = room.away(at);
        // Between two surfaces that face each other the middle is best.
        let next = match way {
            Some(way) => at + way * step,
            None => room.near[0].point.midpoint(room.near[1].point),
        };
        let there = Room::at(parts, next, room.features(), work)?;
        let more = there.least().1;
        if more > radius && (next - at).length() <= radius {
            let is_slow = more <= radius * (1.0 + SHORTEST);
            (at, room) = (next, there);
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
    let radius = room.least().1;
    let is_inside = |part: &Posed<'_>| contains(part.at(), at).unwrap_or(false);
    let across = room.near[1].point - room.near[0].point;
    (radius > 0.0 && parts.into_iter().all(is_inside)).then_some(Ball { center: at, radius, across })
}
