//! Triangles to pixels: which pixels' middles a triangle covers, and how far away it is there.

use std::ops::Range;

use sudar::DVec3;

use super::view::View;

/// How far away what is nearest is, for each pixel.
#[derive(Debug)]
pub(super) struct Depths {
    size: [usize; 2],
    depth: Vec<f64>,
}

/// A mark that lies on a surface is seen though rounding puts it behind, beside its distance.
const ON_SURFACE: f64 = 4e-3;

impl Depths {
    pub fn new(size: [usize; 2]) -> Self {
        Self { size, depth: vec![f64::INFINITY; size[0] * size[1]] }
    }

    pub fn at(&self, pixel: usize) -> f64 {
        self.depth[pixel]
    }

    /// Takes a depth if it is the nearest at its pixel, and says so.
    pub fn put(&mut self, pixel: usize, depth: f64) -> bool {
        let is_nearest = depth < self.depth[pixel];
        if is_nearest {
            self.depth[pixel] = depth;
        }
        is_nearest
    }

    /// Whether a seen point is in the picture with nothing before it.
    pub fn shows(&self, view: &View, p: DVec3) -> bool {
        p.z > view.near()
            && pixel_of(view.pixel(p), self.size).is_some_and(|pixel| self.is_before(pixel, p.z))
    }

    /// Whether what is nearest here is no farther than that.
    pub fn is_before_or_at(&self, pixel: usize, depth: f64) -> bool {
        self.depth[pixel] <= depth * (1.0 + ON_SURFACE)
    }

    /// Whether something at this depth is not hidden.
    pub fn is_before(&self, pixel: usize, depth: f64) -> bool {
        depth <= self.depth[pixel] * (1.0 + ON_SURFACE)
    }
}

/// The number of the pixel that holds a place in the picture.
pub(super) fn pixel_of(place: DVec3, [width, height]: [usize; 2]) -> Option<usize> {
    let (x, y) = (place.x.floor(), place.y.floor());
    let is_inside = x >= 0.0 && y >= 0.0 && x < width as f64 && y < height as f64;
    is_inside.then(|| y as usize * width + x as usize)
}

/// Calls `put` for each pixel whose middle a triangle covers, with its depth there. The corners are as the eye sees
/// them. Triangles that share an edge share no pixel and leave none out.
pub(super) fn fill(view: &View, corners: [DVec3; 3], put: &mut impl FnMut(usize, f64)) {
    let near = view.near();
    if corners.iter().all(|p| p.z >= near) {
        return fill_before(view, corners, put);
    }
    let cut = clipped(corners, near);
    for pair in cut.windows(2).skip(1) {
        fill_before(view, [cut[0], pair[0], pair[1]], put);
    }
}

/// What of a triangle is not nearer than `near`: a polygon (Sutherland and Hodgman, 1974).
fn clipped(corners: [DVec3; 3], near: f64) -> Vec<DVec3> {
    let mut kept = Vec::new();
    for (i, &p) in corners.iter().enumerate() {
        let q = corners[(i + 1) % 3];
        if p.z >= near {
            kept.push(p);
        }
        if (p.z >= near) != (q.z >= near) {
            let t = (near - p.z) / (q.z - p.z);
            kept.push((p + (q - p) * t).with_z(near));
        }
    }
    kept
}

/// An edge in the picture, from its lesser end to its greater one, so that both triangles at it compute the same.
struct Edge {
    from: DVec3,
    way: DVec3,
    is_left: bool,
}

impl Edge {
    fn new(p: DVec3, q: DVec3, third: DVec3) -> Option<Self> {
        let is_turned = (q.x, q.y) < (p.x, p.y);
        let (from, to) = if is_turned { (q, p) } else { (p, q) };
        let edge = Self { from, way: to - from, is_left: true };
        let side = edge.side(third.x, third.y);
        (side != 0.0 && side.is_finite()).then_some(Self { is_left: side > 0.0, ..edge })
    }

    #[inline(always)]
    fn side(&self, x: f64, y: f64) -> f64 {
        self.way.x * (y - self.from.y) - self.way.y * (x - self.from.x)
    }

    /// Narrows down what of a row may be on the triangle's side, roughly.
    fn narrow(&self, y: f64, between: &mut (f64, f64)) {
        if self.way.y == 0.0 {
            return;
        }
        let x = self.from.x + self.way.x * ((y - self.from.y) / self.way.y);
        // The left side is where x is less, if the edge goes down the picture.
        if (self.way.y > 0.0) == self.is_left {
            between.1 = between.1.min(x);
        } else {
            between.0 = between.0.max(x);
        }
    }

    /// Whether a point on that side belongs to the triangle. What is on the edge belongs to the left one alone.
    #[inline(always)]
    fn covers(&self, side: f64) -> bool {
        if self.is_left { side >= 0.0 } else { side < 0.0 }
    }
}

fn fill_before(view: &View, corners: [DVec3; 3], put: &mut impl FnMut(usize, f64)) {
    let [width, height] = view.size;
    let [a, b, c] = [view.pixel(corners[0]), view.pixel(corners[1]), view.pixel(corners[2])];
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let (rows, columns) = (range(low.y, high.y, height), range(low.x, high.x, width));
    // Most triangles of fine meshes lie between the middles of pixels.
    if rows.is_empty() || columns.is_empty() {
        return;
    }
    let edges = (Edge::new(b, c, a), Edge::new(c, a, b), Edge::new(a, b, c));
    let (Some(ea), Some(eb), Some(ec)) = edges else { return };
    let (ia, ib, ic) = (1.0 / a.z, 1.0 / b.z, 1.0 / c.z);
    for row in rows {
        let y = row as f64 + 0.5;
        let mut between = (columns.start as f64, columns.end as f64);
        [&ea, &eb, &ec].iter().for_each(|edge| edge.narrow(y, &mut between));
        // In these pixels, and in two more, the exact test decides: most rows of a thin triangle are short.
        let first = columns.start.max((between.0 - 2.0).max(0.0) as usize);
        let last = columns.end.min((between.1 + 2.0).max(0.0) as usize);
        let mut column = first;
        while column < last {
            let x = column as f64 + 0.5;
            let (u, v, w) = (ea.side(x, y), eb.side(x, y), ec.side(x, y));
            if ea.covers(u) && eb.covers(v) && ec.covers(w) {
                let (u, v, w) = (u.abs(), v.abs(), w.abs());
                put(row * width + column, (u + v + w) / (u * ia + v * ib + w * ic));
            }
            column += 1;
        }
    }
}

/// The pixels whose middles lie between two places.
fn range(low: f64, high: f64, most: usize) -> Range<usize> {
    let first = (low - 0.5).ceil().max(0.0);
    let last = (high - 0.5).floor().min(most as f64 - 1.0);
    if first <= last { first as usize..last as usize + 1 } else { 0..0 }
}

/// Calls `put` for the pixels of a segment, with their depths.
pub(super) fn line(view: &View, [p, q]: [DVec3; 2], put: &mut impl FnMut(usize, f64)) {
    let near = view.near();
    if p.z < near && q.z < near {
        return;
    }
    let cut = |p: DVec3, q: DVec3| if p.z < near { p + (q - p) * ((near - p.z) / (q.z - p.z)) } else { p };
    let (a, b) = (view.pixel(cut(p, q)), view.pixel(cut(q, p)));
    // What leaves the picture far away has no more steps than what crosses it.
    let most = 2.0 * (view.size[0] + view.size[1]) as f64;
    let steps = (b - a).truncate().abs().max_element().ceil().min(most).max(1.0);
    for step in 0..=steps as usize {
        let t = step as f64 / steps;
        let place = a + (b - a) * t;
        if let Some(pixel) = pixel_of(place, view.size) {
            put(pixel, 1.0 / (1.0 / a.z + (1.0 / b.z - 1.0 / a.z) * t));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One that looks along z from two units away.
    fn view() -> View {
        let (right, up) = (DVec3::X, DVec3::Y);
        View { right, up, forward: DVec3::Z, distance: 2.0, size: [64, 48] }
    }

    fn filled(triangles: &[[DVec3; 3]]) -> Vec<usize> {
        let view = view();
        let mut count = vec![0; 64 * 48];
        for triangle in triangles {
            fill(&view, triangle.map(|p| view.seen(p)), &mut |pixel, _| count[pixel] += 1);
        }
        count
    }

    #[test]
    fn triangles_with_a_common_edge_share_no_pixel_and_leave_none_out() {
        // A fan around a point in the middle of a pixel, far beyond the picture, with thin and with large triangles.
        let middle = DVec3::new(0.01, 0.03, 0.2);
        let corner = |n: usize| {
            let angle = (n * n) as f64 * 0.01;
            DVec3::new(20.0 * angle.cos(), 20.0 * angle.sin(), 0.1)
        };
        let turns = (1..).take_while(|&n| (n * n) as f64 * 0.01 < std::f64::consts::TAU).count();
        let fan: Vec<[DVec3; 3]> =
            (0..=turns).map(|n| [middle, corner(n), corner(if n == turns { 0 } else { n + 1 })]).collect();
        assert!(filled(&fan).iter().all(|&count| count == 1));
    }

    #[test]
    fn depths_are_those_of_the_plane() {
        let view = view();
        let slope = [DVec3::new(-9.0, -9.0, -1.0), DVec3::new(9.0, -9.0, 3.0), DVec3::new(0.0, 18.0, 1.0)];
        fill(&view, slope.map(|p| view.seen(p)), &mut |pixel, depth| {
            // z = 2 + 1 + 2 x / 9, where x is z times how far the pixel is to the right.
            let right = ((pixel % 64) as f64 + 0.5 - 32.0) / (24.0 * 3f64.sqrt());
            let expected = 3.0 / (1.0 - 2.0 / 9.0 * right);
            assert!((depth - expected).abs() < 1e-9, "{depth} {expected}");
        });
    }

    #[test]
    fn what_is_behind_the_eye_is_cut_off() {
        let through = [DVec3::new(-1.0, -1.0, -9.0), DVec3::new(1.0, -1.0, -9.0), DVec3::new(0.0, 1.0, 4.0)];
        let count = filled(&[through]).iter().sum::<usize>();
        assert!(count > 0 && count < 64 * 48, "{count}");
        assert_eq!(filled(&[through.map(|p| p - DVec3::Z * 20.0)]).iter().sum::<usize>(), 0);
    }
}
