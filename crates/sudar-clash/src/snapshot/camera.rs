//! Where one looks from.

use sudar::DVec3;

use super::marks::Marks;
use super::raster::{Depths, fill};
use super::{SIZE, Soup};

/// A camera in the world.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Camera {
    pub eye: DVec3,
    /// Unit vector into the scene.
    pub forward: DVec3,
    /// Unit vector, normal to the other.
    pub up: DVec3,
}

/// A picture to be: a camera that looks at the origin, and the pixels.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub right: DVec3,
    pub up: DVec3,
    pub forward: DVec3,
    /// From the eye to the origin.
    pub distance: f64,
    pub size: [usize; 2],
}

/// Half the height of a picture beside its distance from the eye, inverted: 1 / tan 30°.
const FOCAL: f64 = 1.732_050_807_568_877_2;
/// From the eye to the place, beside the radius that is to be seen.
const DISTANCE: f64 = 2.0;
/// What is nearer to the eye, beside the distance of the place, is cut off.
const NEAR: f64 = 0.02;

impl View {
    /// One that looks at the origin from there, with `up` upward as far as may be.
    fn from(side: DVec3, up: DVec3, radius: f64, size: [usize; 2]) -> Self {
        let forward = (DVec3::ZERO - side).normalize_or(DVec3::Y);
        let right = forward.cross(up).normalize_or(DVec3::X);
        Self { right, up: right.cross(forward), forward, distance: DISTANCE * radius, size }
    }

    /// The camera of a view at a place in the world.
    pub fn camera(&self, origin: DVec3) -> Camera {
        Camera { eye: origin - self.forward * self.distance, forward: self.forward, up: self.up }
    }

    /// What is nearer is not drawn.
    pub fn near(&self) -> f64 {
        NEAR * self.distance
    }

    /// A point to the right, up, and away from the eye.
    #[inline(always)]
    pub fn seen(&self, p: DVec3) -> DVec3 {
        DVec3::new(p.dot(self.right), p.dot(self.up), p.dot(self.forward) + self.distance)
    }

    /// Where a seen point before the eye is in the picture: pixels from the left and from the top, and its distance.
    #[inline(always)]
    pub fn pixel(&self, p: DVec3) -> DVec3 {
        let (width, height) = (0.5 * self.size[0] as f64, 0.5 * self.size[1] as f64);
        let scale = FOCAL * height / p.z;
        DVec3::new(width + p.x * scale, height - p.y * scale, p.z)
    }
}

/// From where one may look, around the way that is up: a little aside from the diagonals, since many parts stand along
/// axes. With each, how much it is liked beside what one sees.
fn sides(up: DVec3) -> Vec<(DVec3, f64)> {
    let first = up.any_orthonormal_vector();
    let second = up.cross(first);
    let turns = [(1.0, 1.3), (-1.3, 1.0), (-1.0, -1.3), (1.3, -1.0)];
    let heights = [(0.9, 1.0), (0.35, 0.9), (-0.7, 0.7)];
    let side = |(x, y): (f64, f64), z: f64| first * x + second * y + up * z;
    heights.iter().flat_map(|&(z, liked)| turns.map(|turn| (side(turn, z), liked))).collect()
}

/// The pictures that are compared are small.
const SMALL: [usize; 2] = [SIZE[0] / 8, SIZE[1] / 8];
/// No more triangles of a part are looked at.
const TRIANGLES: usize = 6_000;
/// No more marks are looked at.
const MARKS: usize = 400;

/// A later view has to be better by so much, so that rounding decides nothing.
const CLEARLY: f64 = 0.02;

/// The view from which most of the place is seen, and of both parts.
pub(super) fn best(pair: &[Soup; 2], marks: &Marks, radius: f64, up: DVec3) -> View {
    let near = pair.each_ref().map(|soup| near(soup, 2.5 * radius));
    let points = marks.points();
    let step = points.len().div_ceil(MARKS).max(1);
    let points: Vec<DVec3> = points.into_iter().step_by(step).collect();
    let mut best: Option<(f64, View)> = None;
    for (side, liked) in sides(up) {
        let view = View::from(side, up, radius, SMALL);
        let score = liked * score(&view, &near, &points);
        if best.as_ref().is_none_or(|(most, _)| score > *most + CLEARLY) {
            best = Some((score, view));
        }
    }
    let view = best.map_or_else(|| View::from(DVec3::ONE, up, radius, SIZE), |(_, view)| view);
    View { size: SIZE, ..view }
}

/// The triangles that come near the place.
fn near(soup: &Soup, reach: f64) -> Soup {
    let is_near = |triangle: &&[DVec3; 3]| {
        let [a, b, c] = **triangle;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        low.max_element() <= reach && high.min_element() >= -reach
    };
    soup.iter().filter(is_near).take(TRIANGLES).copied().collect()
}

/// What is seen of the place, and of the part of which less is seen.
fn score(view: &View, pair: &[Soup; 2], points: &[DVec3]) -> f64 {
    let mut front = Depths::new(view.size);
    let mut owner = vec![2; view.size[0] * view.size[1]];
    for (side, soup) in pair.iter().enumerate() {
        for &[a, b, c] in soup {
            fill(view, [view.seen(a), view.seen(b), view.seen(c)], &mut |pixel, depth| {
                if front.put(pixel, depth) {
                    owner[pixel] = side;
                }
            });
        }
    }
    let count = |side: usize| owner.iter().filter(|&&owner| owner == side).count();
    let fewer = count(0).min(count(1)) as f64 / owner.len() as f64;
    let is_visible = |p: &&DVec3| front.shows(view, view.seen(**p));
    let visible = points.iter().filter(is_visible).count() as f64 / points.len().max(1) as f64;
    visible + 2.0 * fewer.min(0.25)
}
