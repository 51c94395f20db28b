//! Where one looks from.

use sudar::DVec3;

use super::marks::Marks;
use super::raster::{Depths, fill};
use super::view::{SIZE, Soup, View};

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
