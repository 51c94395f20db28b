//! Where boxes will be if they go on as they did.

use super::super::boxes::Boxes;
use super::super::rows::{Row, ToF32};
use super::layout::Layout;
use super::sweep::Source;
use crate::math::par::{for_each, mapped};
use crate::shape::Aabb;

/// For every box a straight course in `f32`: where its ends are in frame 0, and how far all of them go in a
/// frame. True for as long as every end is found within a tolerance of it, which is examined in every frame.
#[derive(Debug, Clone)]
pub(super) struct Course {
    map: ToF32,
    places: Vec<Place>,
    /// How far an end may be from its course on each axis.
    tolerance: f32,
    /// Of ways. So small that they are rounded by a part of the tolerance over all frames.
    unit: f32,
    /// The last frame that it is made for.
    pub last: u32,
}

/// One box and its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    min: [f32; 3],
    max: [f32; 3],
    /// In units of the course.
    way: [i16; 3],
}

impl Place {
    #[inline(always)]
    fn way(&self, k: usize, unit: f32) -> f32 {
        f32::from(self.way[k]) * unit
    }
}

/// What stands where no box is: it is left of nothing and right of nothing.
const NOWHERE: Place = Place { min: [f32::NAN; 3], max: [f32::NAN; 3], way: [0; 3] };

/// Boxes that one thread deals with at a time.
const CHUNK: usize = 1 << 14;

/// More than the rounding of all that is computed below from numbers up to 8 in size.
const ROUNDING: f32 = 1.0 / (1 << 17) as f32;

/// Smaller tolerances are not much more than the rounding.
const LEAST_TOLERANCE: f32 = 1.0 / (1 << 16) as f32;

/// Frame after the last: never.
pub(super) const NEVER: u32 = u32::MAX;

impl Course {
    /// From where boxes are now, up to a last frame, with a tolerance in their units and the greatest that it
    /// may be rounded up to. They go on as since the start of an earlier course, so many frames ago, or are
    /// expected to stay. `None` if `f32` is too coarse for that.
    pub fn new(
        boxes: &Boxes,
        layout: &Layout,
        tolerances: [f64; 2],
        last: u32,
        before: Option<(&Self, u32)>,
    ) -> Option<Self> {
        let map = layout.map;
        let [tolerance, most] = tolerances.map(|tolerance| (tolerance * map.scale()) as f32);
        let tolerance = tolerance.max(LEAST_TOLERANCE);
        // False for what is no number too.
        if !(tolerance <= most && most <= 1.0) {
            return None;
        }
        let unit = tolerance / (2 * last) as f32;
        let slots = boxes.slots();
        let mut places = vec![NOWHERE; slots.len()];
        let mut parts: Vec<_> = places.chunks_mut(CHUNK).zip(slots.chunks(CHUNK)).enumerate().collect();
        for_each(&mut parts, 1, |(chunk, (places, slots))| {
            for (k, (place, aabb)) in places.iter_mut().zip(*slots).enumerate() {
                if aabb.min.x.is_nan() {
                    continue;
                }
                (place.min, place.max) = (map.point(&aabb.min), map.point(&aabb.max));
                if let Some((course, frames)) = before {
                    let way = course.way_to(*chunk * CHUNK + k, aabb, &map, frames);
                    place.way = way.map(|way| (way / unit) as i16);
                }
            }
        });
        Some(Self { map, places, tolerance, unit, last })
    }

    /// The mean way in a frame since the start, in the `f32` of another map; none on axes on which ends are cut off.
    #[inline(always)]
    fn way_to(&self, i: usize, aabb: &Aabb, map: &ToF32, frames: u32) -> [f32; 3] {
        let Some(place) = self.places.get(i) else { return [0.0; 3] };
        let way = aabb.min - self.map.back(place.min) + (aabb.max - self.map.back(place.max));
        let per_frame = 0.5 / f64::from(frames.max(1));
        // False for what is no number too.
        map.way(way * per_frame).map(|way| if way.abs() < 0.25 { way } else { 0.0 })
    }

    /// Whether all boxes are on their course in a frame. Those that were removed are.
    pub fn holds(&self, boxes: &Boxes, frame: u32) -> bool {
        let slots = boxes.slots();
        if slots.len() != self.places.len() {
            return false;
        }
        let chunks = mapped(0..slots.len().div_ceil(CHUNK), 1, |chunk| {
            let part = chunk * CHUNK..((chunk + 1) * CHUNK).min(slots.len());
            self.holds_for(part.start, &slots[part], frame)
        });
        chunks.into_iter().all(|holds| holds)
    }

    /// Whether some boxes, the first with this number, are on their course in a frame.
    pub fn holds_for(&self, first: usize, some: &[Aabb], frame: u32) -> bool {
        let Some(places) = self.places.get(first..first + some.len()) else { return false };
        let (time, tolerance) = (frame as f32, self.tolerance);
        some.iter().zip(places).all(|(aabb, place)| {
            let (min, max) = (self.map.point(&aabb.min), self.map.point(&aabb.max));
            let mut on_course = true;
            for k in 0..3 {
                let way = place.way(k, self.unit) * time;
                on_course &= (min[k] - (place.min[k] + way)).abs() <= tolerance;
                on_course &= (max[k] - (place.max[k] + way)).abs() <= tolerance;
            }
            on_course || aabb.min.x.is_nan()
        })
    }

    /// The place of a box in frame 0.
    #[inline(always)]
    pub fn place(&self, i: u32) -> &Place {
        &self.places[i as usize]
    }

    /// How much the difference of two ends may be wrong.
    #[inline(always)]
    fn slack(&self) -> f32 {
        2.0 * self.tolerance + ROUNDING
    }

    /// Whether two boxes are together in a frame, where the courses tell.
    #[inline(always)]
    pub fn together(&self, a: &Place, b: &Place, frame: u32) -> Option<bool> {
        let most = self.gaps(a, b, frame as f32).into_iter().fold(f32::NEG_INFINITY, greater);
        if most > self.slack() {
            Some(false)
        } else if most < -self.slack() {
            Some(true)
        } else {
            None
        }
    }

    /// The first frame after `frame` in which two boxes may not be together any more, or no longer apart,
    /// whichever they are in `frame`; at most the last, or never.
    ///
    /// Boxes are apart if one of six differences of ends is positive. Each is linear in time up to the slack.
    #[inline(always)]
    pub fn next_change(&self, a: &Place, b: &Place, together: bool, frame: u32) -> u32 {
        if frame >= self.last {
            return NEVER;
        }
        let (soon, late, slack) = ((frame + 1) as f32, self.last as f32, self.slack());
        let (next_gaps, last_gaps) = (self.gaps(a, b, soon), self.gaps(a, b, late));
        let ends = || next_gaps.iter().zip(&last_gaps);
        // Linear in between, so that the ends tell whether there is anything to compute.
        let never = if together {
            ends().all(|(next, last)| greater(*next, *last) < -slack)
        } else {
            ends().any(|(next, last)| *next > slack && *last > slack)
        };
        if never {
            return NEVER;
        }
        let steps = 1.0 / (late - soon).max(1.0);
        let mut reached = if together { late } else { soon };
        for (next, last) in ends() {
            let rate = (last - next) * steps;
            if together && greater(*next, *last) >= -slack {
                let time = if *next >= -slack { 0.0 } else { (-slack - next) / rate };
                reached = reached.min(soon + time);
            } else if !together && *next > slack {
                reached = reached.max(soon + (slack - next) / rate);
            }
        }
        // The slack holds the rounding of times too; what is no number counts as soon.
        (reached.ceil() as u32).clamp(frame + 1, self.last)
    }

    /// How far apart two boxes are between each two of their ends.
    #[inline(always)]
    fn gaps(&self, a: &Place, b: &Place, time: f32) -> [f32; 6] {
        let gap = |k: usize| {
            let way = (a.way(k, self.unit) - b.way(k, self.unit)) * time;
            [a.min[k] - b.max[k] + way, b.min[k] - a.max[k] - way]
        };
        let ([x, far_x], [y, far_y], [z, far_z]) = (gap(0), gap(1), gap(2));
        [x, far_x, y, far_y, z, far_z]
    }

    /// The parts of space that boxes are in from one frame to the last, of all boxes or of some.
    pub fn from<'a>(&'a self, first: u32, some: Option<&'a [u32]>) -> Between<'a> {
        Between { course: self, first: first as f32, last: self.last as f32, some }
    }

    pub fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
    }
}

#[inline(always)]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Boxes grown by the tolerance and by their way between two frames.
pub(super) struct Between<'a> {
    course: &'a Course,
    first: f32,
    last: f32,
    /// If not all.
    some: Option<&'a [u32]>,
}

impl Source for Between<'_> {
    type Item = (Place, u32);

    fn len(&self) -> usize {
        self.some.map_or(self.course.places.len(), <[u32]>::len)
    }

    #[inline(always)]
    fn item(&self, i: usize) -> Option<Self::Item> {
        let i = self.some.map_or(i, |some| some[i] as usize);
        let place = &self.course.places[i];
        (!place.min[0].is_nan()).then_some((*place, i as u32))
    }

    #[inline(always)]
    fn row(&self, (place, index): &Self::Item) -> Row {
        let room = self.course.tolerance + ROUNDING;
        let grown = |k: usize| {
            let (from, to) =
                (place.way(k, self.course.unit) * self.first, place.way(k, self.course.unit) * self.last);
            let (low, high) = if from < to { (from, to) } else { (to, from) };
            [place.min[k] + (low - room), place.max[k] + (high + room)]
        };
        let ([x, far_x], [y, far_y], [z, far_z]) = (grown(0), grown(1), grown(2));
        Row { min: [x, y, z], max: [far_x, far_y, far_z], index: *index }
    }

    #[inline]
    fn confirm(&self, _one: &Self::Item, _other: &Self::Item) -> bool {
        true
    }
}
