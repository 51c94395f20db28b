//! A proof that two solids which meet have nothing wider than a length in common, also where faces that are meant to be
//! flush are off by what was rounded away.
//!
//! Space is divided at planes of triangles, with a thin slab in place of the plane, wide enough for all triangles that
//! lie flush there. What is left are convex cells. A cell that no triangle of a solid enters is inside or outside of
//! that solid as a whole; if it is outside of one, nothing in it is common. So the common part lies in the slabs, and
//! no ball in it is wider than all of them together (T. Bang, "A solution of the plank problem", 1951).

use sudar::inside::Surface;
use sudar::{Aabb, DVec3, Triangle};

use crate::between_planes::BetweenPlanes;
use crate::depth::unit;
use crate::posed::Posed;

/// Where it does not do to look at each triangle in so many cells on average, slabs are of no help.
const MOST_LOOKS: usize = 16;
/// A few triangles may be looked at so often together.
const FEW_LOOKS: usize = 4096;
/// So many triangles say about how well a plane divides them all.
const SAMPLES: usize = 128;
/// More than a computed coordinate is off by, relative to the largest one.
const ROUNDING: f64 = 256.0 * f64::EPSILON;
/// No convex body is wider than so many times the radius of the largest ball in it, 2√3 (P. Steinhagen, 1922).
const WIDTH: f64 = 3.465;
/// Cells with balls so wide, in units of what is rounded, count as slabs.
const THIN: f64 = 4.0;
/// How many faces of each solid are tried to divide at.
const CANDIDATES: usize = 3;

/// What is known of what two solids have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Common {
    /// It lies in slabs.
    Thin {
        /// How wide they are together; 0 says that nothing is inside both.
        width: f64,
        /// Whether something certainly is.
        is_certain: bool,
    },
    /// Something that is too wide is inside both.
    Wide,
}

/// Whether what two solids have in common lies in slabs that are no wider than `most` together; `None` if that is not
/// found out. O(n) for n triangles near, at most [`MOST_LOOKS`] times.
pub(crate) fn common(parts: [&Posed<'_>; 2], most: f64) -> Option<Common> {
    let [a, b] = parts.map(|part| part.bounds);
    let both = Aabb { min: a.min.max(b.min), max: a.max.min(b.max) };
    let mut search = Search {
        parts,
        origin: both.center(),
        margin: ROUNDING * a.reach().max(b.reach()),
        reach: both.extent().length(),
        most,
        width: 0.0,
        is_certain: false,
        looked_at: 0,
    };
    let cell = search.cell(&both)?;
    match search.divide(cell) {
        Ok(()) if search.width <= most => {
            Some(Common::Thin { width: search.width, is_certain: search.is_certain })
        }
        Err(End::Wide) => Some(Common::Wide),
        Ok(()) | Err(End::Unknown) => None,
    }
}

/// The points p with normal · p ≥ height are above it.
#[derive(Debug, Clone, Copy)]
struct Plane {
    /// Of length 1.
    normal: DVec3,
    height: f64,
}

impl Plane {
    fn of(&self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.height
    }

    fn turned(&self) -> Self {
        Self { normal: -self.normal, height: -self.height }
    }
}

/// Polygons: what is in a cell of the triangles of both solids.
#[derive(Debug, Clone, Default)]
struct Faces {
    points: Vec<DVec3>,
    faces: Vec<Face>,
}

#[derive(Debug, Clone, Copy)]
struct Face {
    side: usize,
    /// Normal of the whole triangle, of length 1; zero if it has no area.
    normal: DVec3,
    /// Where its corners end in the list.
    end: usize,
}

impl Faces {
    fn add(&mut self, side: usize, triangle: Triangle, origin: DVec3) {
        self.points.extend(triangle.corners().map(|p| p - origin));
        let normal = unit(triangle.scaled_normal()).unwrap_or_default();
        self.faces.push(Face { side, normal, end: self.points.len() });
    }

    fn iter(&self) -> impl Iterator<Item = (&Face, &[DVec3])> {
        let starts = std::iter::once(0).chain(self.faces.iter().map(|face| face.end));
        self.faces.iter().zip(starts).map(|(face, start)| (face, &self.points[start..face.end]))
    }

    fn has(&self, side: usize) -> bool {
        self.faces.iter().any(|face| face.side == side)
    }

    /// What lies above a plane, and up to `slack` below it.
    fn above(&self, plane: &Plane, slack: f64) -> Self {
        let mut left = Self {
            points: Vec::with_capacity(self.points.len()),
            faces: Vec::with_capacity(self.faces.len()),
        };
        for (face, corners) in self.iter() {
            let before = left.points.len();
            clip(corners, |p| plane.of(p) + slack, &mut left.points);
            if left.points.len() > before {
                left.faces.push(Face { end: left.points.len(), ..*face });
            }
        }
        left
    }

    /// Of the planes of the widest faces of each solid the one that leaves the fewest pairs of faces together.
    fn plane(&self, margin: f64) -> Option<Plane> {
        let planes = [0, 1].into_iter().flat_map(|side| self.widest(side));
        planes.min_by_key(|plane| self.left_by(plane, margin))
    }

    /// The planes of the widest faces of a solid.
    fn widest(&self, side: usize) -> Vec<Plane> {
        let own = self.iter().filter(|(face, _)| face.side == side);
        let mut sized: Vec<(f64, Plane)> = own
            .map(|(face, corners)| {
                let height = face.normal.dot(corners[0]);
                (area(face.normal, corners), Plane { normal: face.normal, height })
            })
            .filter(|(area, _)| *area > 0.0)
            .collect();
        sized.sort_by(|a, b| b.0.total_cmp(&a.0));
        sized.into_iter().map(|(_, plane)| plane).take(CANDIDATES).collect()
    }

    /// About how many pairs of faces of both solids are on the same side of a plane.
    fn left_by(&self, plane: &Plane, margin: f64) -> usize {
        let mut counts = [[0; 2]; 2];
        for (face, corners) in self.iter().step_by(self.faces.len().div_ceil(SAMPLES).max(1)) {
            let heights = corners.iter().map(|&p| plane.of(p));
            let (low, high) = heights.fold((0.0f64, 0.0f64), |(low, high), h| (low.min(h), high.max(h)));
            counts[face.side][0] += usize::from(low < -margin);
            counts[face.side][1] += usize::from(high > margin);
        }
        (0..2).map(|k| (counts[0][k] + 1) * (counts[1][k] + 1)).sum()
    }
}

/// The part of a polygon where a height is not negative.
fn clip(corners: &[DVec3], height: impl Fn(DVec3) -> f64, kept: &mut Vec<DVec3>) {
    let Some(&last) = corners.last() else { return };
    let (mut before, mut high) = (last, height(last));
    for &p in corners {
        let h = height(p);
        if (h < 0.0) != (high < 0.0) {
            kept.push(before + (p - before) * (high / (high - h)));
        }
        if h >= 0.0 {
            kept.push(p);
        }
        (before, high) = (p, h);
    }
}

fn area(normal: DVec3, corners: &[DVec3]) -> f64 {
    let from = corners[0];
    corners.windows(2).map(|edge| (edge[0] - from).cross(edge[1] - from).dot(normal)).sum::<f64>().abs()
}

/// A convex part of space.
struct Cell {
    /// Whether it lies inside of each solid, as far as that is known: no triangle of that solid enters it then.
    inside: [Option<bool>; 2],
    space: BetweenPlanes,
    faces: Faces,
}

struct Search<'a> {
    parts: [&'a Posed<'a>; 2],
    /// Cells have coordinates relative to it.
    origin: DVec3,
    margin: f64,
    /// No point of a cell is farther from there.
    reach: f64,
    most: f64,
    /// Of all slabs that may hold common points.
    width: f64,
    /// Whether a cell is inside both.
    is_certain: bool,
    /// How many triangles in cells.
    looked_at: usize,
}

/// Why a search ends before all is seen.
enum End {
    /// Something common is too wide.
    Wide,
    Unknown,
}

impl Search<'_> {
    /// A box with the triangles that enter it; none of a box without volume and of what is no solid.
    fn cell(&self, bounds: &Aabb) -> Option<Cell> {
        let around = Aabb { min: bounds.min - self.origin, max: bounds.max - self.origin };
        let mut faces = Faces::default();
        for (side, part) in self.parts.into_iter().enumerate() {
            let surface = part.solid()?;
            surface.near(bounds, &mut |i| {
                let triangle = surface.triangle(i);
                let Aabb { min, max } = triangle.aabb();
                // What lies in the boundary of the box does not enter it.
                if min.cmplt(bounds.max).all() && max.cmpgt(bounds.min).all() {
                    faces.add(side, triangle, self.origin);
                }
            });
        }
        for (normal, k) in DVec3::AXES.into_iter().zip(0..) {
            let lower = Plane { normal, height: around.min[k] };
            let upper = Plane { normal, height: around.max[k] }.turned();
            faces = faces.above(&lower, 0.5 * self.margin).above(&upper, 0.5 * self.margin);
        }
        Some(Cell { inside: [None; 2], space: BetweenPlanes::in_box(&around)?, faces })
    }

    /// Goes through a cell and what becomes of it.
    fn divide(&mut self, cell: Cell) -> Result<(), End> {
        let most = FEW_LOOKS + MOST_LOOKS * cell.faces.faces.len();
        let mut todo = vec![cell];
        while let Some(mut cell) = todo.pop() {
            self.looked_at += 1 + cell.faces.faces.len();
            if self.looked_at > most {
                return Err(End::Unknown);
            }
            if !self.is_done(&mut cell)? {
                let plane = cell.faces.plane(self.margin).ok_or(End::Unknown)?;
                todo.extend(self.halves(&cell, &plane));
            }
        }
        Ok(())
    }

    /// Whether nothing in the cell is common, or nothing but a slab.
    fn is_done(&mut self, cell: &mut Cell) -> Result<bool, End> {
        let most = cell.space.most(self.reach);
        if most <= THIN * self.margin {
            self.width += if most < -self.margin { 0.0 } else { WIDTH * THIN * self.margin };
            return Ok(true);
        }
        if cell.space.room() < self.margin {
            return Err(End::Unknown);
        }
        for side in 0..2 {
            if cell.inside[side].is_none() && !cell.faces.has(side) {
                cell.inside[side] = Some(self.parts[side].holds(self.origin + cell.space.center()));
            }
        }
        if cell.inside == [Some(true); 2] {
            self.is_certain = true;
            self.width += WIDTH * most;
            return if self.width > self.most { Err(End::Wide) } else { Ok(true) };
        }
        Ok(cell.inside.contains(&Some(false)))
    }

    /// The cell on both sides of a slab around a plane.
    fn halves(&mut self, cell: &Cell, plane: &Plane) -> [Cell; 2] {
        let (mut low, mut high, mut sides) = (0.0f64, 0.0f64, [false; 2]);
        for (face, corners) in cell.faces.iter() {
            let heights = || corners.iter().map(|&p| plane.of(p));
            if heights().all(|h| h.abs() <= self.margin) {
                low = heights().fold(low, f64::min);
                high = heights().fold(high, f64::max);
                sides[face.side] = true;
            }
        }
        let upper = Plane { height: plane.height + high + self.margin, ..*plane };
        let lower = Plane { height: plane.height + low - self.margin, ..*plane }.turned();
        if !self.is_free(cell, sides, [&upper, &lower]) {
            self.width += high - low + 2.0 * self.margin;
        }
        [upper, lower].map(|side| self.half(cell, &side))
    }

    /// Whether the slab between two planes is outside of a solid, given of which solids triangles lie flush in it.
    fn is_free(&self, cell: &Cell, sides: [bool; 2], [upper, lower]: [&Plane; 2]) -> bool {
        let slab = || cell.faces.above(&upper.turned(), self.margin).above(&lower.turned(), self.margin);
        let Some(other) = (0..2).find(|&side| !sides[side]) else { return false };
        if cell.inside[other] == Some(true) || slab().has(other) {
            return false;
        }
        let mut space = cell.space.clone();
        space.add(upper.normal * upper.height, -upper.normal);
        space.add(lower.normal * lower.height, -lower.normal);
        space.room() > 0.25 * self.margin && !self.parts[other].holds(self.origin + space.center())
    }

    /// The part of a cell above a plane. Triangles a little below count as in it, for what is rounded.
    fn half(&self, cell: &Cell, plane: &Plane) -> Cell {
        let mut space = cell.space.clone();
        space.add(plane.normal * plane.height, plane.normal);
        Cell { inside: cell.inside, space, faces: cell.faces.above(plane, 0.5 * self.margin) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, OnceLock};

    use super::*;
    use rand::RngExt;
    use sudar::inside::{ListedSurface, SolidRelation, solid_relation};
    use sudar::pair::triangles_intersect;
    use sudar::query::{Body, Work};
    use sudar::{Mesh, Pose, Shape, Solid};
    use sudar_testing::Random;

    /// Two boxes of a lattice, as one solid.
    fn boxes(random: &mut Random) -> Solid {
        let mut one = || {
            let min = [0, 1, 2].map(|_| f64::from(random.random_range(0..5)));
            let max = min.map(|x| x + f64::from(random.random_range(1..4)));
            Mesh::from_aabb(Aabb { min: min.into(), max: max.into() })
        };
        Solid::new(Arc::new(Mesh::joined(&[one(), one()]).unwrap())).unwrap()
    }

    /// How two solids lie to each other, by the exact method.
    fn relation(a: &Solid, pose_a: &Pose, b: &Solid, pose_b: &Pose) -> SolidRelation {
        let (s, t) = (ListedSurface::new(a, pose_a), ListedSurface::new(b, pose_b));
        let all = (0..s.triangles()).flat_map(|i| (0..t.triangles()).map(move |j| [i, j]));
        let meet = |p: &[u32; 2]| triangles_intersect(&s.triangle(p[0]), &t.triangle(p[1]));
        solid_relation(&s, &t, &all.filter(meet).collect::<Vec<_>>())
    }

    /// The radius of the largest ball inside both around a point of a grid.
    fn largest(parts: [&Posed<'_>; 2], bounds: &Aabb) -> f64 {
        let mut work = Work::default();
        let mut room = |p: DVec3| {
            let both = parts.map(|part| match part.holds(p) {
                true => work.closest_on_surface(part.at(), p, 0).unwrap().distance.lower,
                false => 0.0,
            });
            both[0].min(both[1])
        };
        let step = bounds.extent() / 12.0;
        let at = |i: i32, j: i32, k: i32| bounds.min + step * DVec3::new(i.into(), j.into(), k.into());
        let all = (0..13).flat_map(|i| (0..13).flat_map(move |j| (0..13).map(move |k| (i, j, k))));
        all.map(|(i, j, k)| room(at(i, j, k))).fold(0.0, f64::max)
    }

    /// Boxes of a lattice are flush in many ways. Turned, they are so up to rounding alone; moved a little, they
    /// overlap by as much.
    #[test]
    fn slabs_agree_with_the_exact_relation_and_hold_every_ball() {
        let mut random = Random::new(20261129);
        let (mut thin, mut wide, mut certain, mut known) = (0, 0, 0, 0);
        for round in 0..300 {
            let (a, b) = (boxes(&mut random), boxes(&mut random));
            let pose =
                if round % 3 == 0 { Pose::IDENTITY } else { random.turned(DVec3::new(30.0, -7.0, 2.0)) };
            let off = [0.0, 1e-3, 1e-6][round % 3];
            let moved = Pose::from_translation(random.direction() * off).unwrap().after(&pose);
            let [s, t] = [&a, &b].map(|solid| Body::new(Shape::Solid(Arc::new(solid.clone()))));
            let (x, y) = (s.aabb(&pose), t.aabb(&moved));
            let empty = [OnceLock::new(), OnceLock::new()];
            let first = Posed { body: &s, pose: &pose, bounds: &x, corners: &empty[0] };
            let second = Posed { body: &t, pose: &moved, bounds: &y, corners: &empty[1] };
            let exact = relation(&a, &pose, &b, &moved);
            let is_apart = matches!(exact, SolidRelation::Apart | SolidRelation::Touch);
            for most in [0.0, 0.01] {
                match common([&first, &second], most) {
                    Some(Common::Thin { width, is_certain }) => {
                        let both = Aabb { min: x.min.max(y.min), max: x.max.min(y.max) };
                        assert!(width <= most && (is_apart || width > 0.0), "{round}: {exact:?}");
                        assert!(!(is_apart && is_certain), "{round}: {exact:?}");
                        assert!(2.0 * largest([&first, &second], &both) <= width, "{round}: {width}");
                        thin += 1;
                        certain += usize::from(is_certain);
                    }
                    Some(Common::Wide) => {
                        assert!(!is_apart, "{round}: {exact:?}");
                        wide += 1;
                    }
                    // Without slabs what is flush up to rounding is not settled.
                    None => known += usize::from(most > 0.0),
                }
            }
        }
        println!("{thin} thin, {certain} of them certain, {wide} wide, {known} unknown");
        assert!(thin > 60 && wide > 200 && certain > 10 && known < 30, "{thin} {certain} {wide} {known}");
    }
}
