//! The farthest vertex of a large polyhedron without a search: by lists of those that can be.
//!
//! The directions are divided into the cells of a cube map. Which vertices are farthest in some direction of a cell is
//! found once, and with about as many cells as vertices that is a dozen or so: fewer than climbing from neighbour to
//! neighbour looks at (Gino van den Bergen 1999 and others after him climb; Dobkin and Kirkpatrick 1985 search a
//! hierarchy). All are compared at once, and none can be missed.

use glam::DVec3;

use super::blocks::{Block, LANES, farthest};
use super::climb::Climber;
use crate::math::simd::Level;
use crate::shape::Hull;

/// More cells along an edge of the cube map than this are not worth their room.
const MAX_CELLS: usize = 96;
/// Cells are taken larger by this fraction of their cube's edge on all sides, so that rounding does not put a direction
/// beside its cell.
const OVERLAP: f64 = 1e-9;

/// For each cell of a cube map the vertices that may be farthest in one of its directions.
#[derive(Debug)]
pub(super) struct Candidates {
    /// Cells along an edge of the cube map.
    cells: usize,
    /// The blocks of cell i are `first[i]..first[i + 1]`.
    first: Vec<u32>,
    blocks: Vec<Block>,
    /// The numbers of the vertices in the blocks.
    vertices: Vec<[u32; LANES]>,
}

impl Candidates {
    /// The lists of a hull of dimension 3; O(n log n) or so for hulls whose vertices are spread.
    pub fn new(hull: &Hull) -> Self {
        let mut cells = 1;
        while 36 * (cells + 1) * (cells + 1) <= 6 * hull.vertices().len() && cells < MAX_CELLS {
            cells += 1;
        }
        let mut lists = Self { cells, first: vec![0], blocks: Vec::new(), vertices: Vec::new() };
        let mut listing = Listing::new(hull);
        for cell in 0..6 * cells * cells {
            listing.list(cell, cells);
            lists.add(hull, &listing.found);
        }
        lists
    }

    /// The vertex farthest in a direction, for certain but for rounding of the heights; of equals, the first.
    #[inline]
    pub fn farthest(&self, direction: DVec3) -> u32 {
        let cell = cell(direction, self.cells);
        let range = self.first[cell] as usize..self.first[cell + 1] as usize;
        let found = farthest(Level::new(), &self.blocks[range.clone()], direction);
        self.vertices[range.start + found / LANES][found % LANES]
    }

    fn add(&mut self, hull: &Hull, found: &[u32]) {
        for numbers in found.chunks(LANES) {
            // The last block is filled up with its last vertex.
            let numbers: [u32; LANES] = std::array::from_fn(|lane| numbers[lane.min(numbers.len() - 1)]);
            let at = |lane: usize| hull.vertices()[numbers[lane] as usize];
            self.blocks.push([0, 1, 2].map(|axis| std::array::from_fn(|lane| at(lane)[axis])));
            self.vertices.push(numbers);
        }
        self.first.push(self.blocks.len() as u32);
    }
}

struct Listing<'a> {
    climber: Climber<'a>,
    /// The cell for which each vertex was looked at last, counted from 1.
    seen: Vec<u32>,
    found: Vec<u32>,
    start: u32,
}

impl<'a> Listing<'a> {
    fn new(hull: &'a Hull) -> Self {
        Self {
            climber: Climber::new(hull),
            seen: vec![0; hull.vertices().len()],
            found: Vec::new(),
            start: 0,
        }
    }

    /// Finds all vertices that may be farthest in a direction of the cell, ascending.
    ///
    /// Every direction of a cell is a combination of those to its corners. A vertex that is lower than some other one
    /// towards every corner is so in the whole cell; the others compared with are those farthest towards the corners
    /// and the middle. As a direction moves through the cell the farthest vertex moves from neighbour to neighbour, so
    /// that it is enough to look at neighbours of those that may be.
    fn list(&mut self, cell: usize, cells: usize) {
        let corners = cell_corners(cell, cells);
        let towards = [corners[0], corners[1], corners[2], corners[3], cell_direction(cell, cells)];
        let farthest = towards.map(|direction| self.climber.climb(direction, self.start));
        self.start = farthest[4];
        self.found.clear();
        for vertex in farthest {
            self.look(vertex, cell as u32 + 1);
        }
        let mut next = 0;
        while next < self.found.len() {
            for k in 0..self.climber.neighbors(self.found[next]).len() {
                let vertex = self.climber.neighbors(self.found[next])[k];
                if self.may_be_farthest(vertex, &farthest, &corners) {
                    self.look(vertex, cell as u32 + 1);
                }
            }
            next += 1;
        }
        self.found.sort_unstable();
    }

    fn look(&mut self, vertex: u32, cell: u32) {
        if self.seen[vertex as usize] != cell {
            self.seen[vertex as usize] = cell;
            self.found.push(vertex);
        }
    }

    fn may_be_farthest(&self, vertex: u32, others: &[u32; 5], corners: &[DVec3; 4]) -> bool {
        others.iter().all(|&other| {
            let ahead = self.climber.position(vertex) - self.climber.position(other);
            corners.iter().any(|corner| corner.dot(ahead) >= -self.climber.doubt())
        })
    }
}

/// The direction through a point of a face of the cube map: faces in the order +x −x +y −y +z −z.
fn on_face(face: usize, u: f64, v: f64) -> DVec3 {
    let w = if face.is_multiple_of(2) { 1.0 } else { -1.0 };
    match face / 2 {
        0 => DVec3::new(w, u, v),
        1 => DVec3::new(u, w, v),
        _ => DVec3::new(u, v, w),
    }
}

/// The middle of a cell.
fn cell_direction(cell: usize, cells: usize) -> DVec3 {
    let (face, row, column) = (cell / (cells * cells), cell / cells % cells, cell % cells);
    let middle = |k: usize| (2 * k + 1) as f64 / cells as f64 - 1.0;
    on_face(face, middle(column), middle(row))
}

/// The corners of a cell that is a little larger.
fn cell_corners(cell: usize, cells: usize) -> [DVec3; 4] {
    let (face, row, column) = (cell / (cells * cells), cell / cells % cells, cell % cells);
    let edge = |k: usize, out: f64| (2 * k) as f64 / cells as f64 - 1.0 + out * OVERLAP;
    let (left, right) = (edge(column, -1.0), edge(column + 1, 1.0));
    let (low, high) = (edge(row, -1.0), edge(row + 1, 1.0));
    [(left, low), (right, low), (right, high), (left, high)].map(|(u, v)| on_face(face, u, v))
}

/// The number of the cell that a direction passes through.
#[inline]
fn cell(direction: DVec3, cells: usize) -> usize {
    let size = direction.abs();
    let (axis, u, v, w) = if size.x >= size.y && size.x >= size.z {
        (0, direction.y, direction.z, direction.x)
    } else if size.y >= size.z {
        (1, direction.x, direction.z, direction.y)
    } else {
        (2, direction.x, direction.y, direction.z)
    };
    let half = 0.5 * cells as f64;
    let scale = half / w.abs();
    // What is not a number becomes 0, as does anything below it.
    let place = |x: f64| ((x * scale + half) as usize).min(cells - 1);
    let face = 2 * axis + usize::from(w < 0.0);
    (face * cells + place(v)) * cells + place(u)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hull::convex_hull;
    use crate::testing::Random;

    #[test]
    fn the_middle_of_a_cell_is_in_the_cell() {
        for cells in [1, 2, 5, 16] {
            for i in 0..6 * cells * cells {
                assert_eq!(cell(cell_direction(i, cells) * 3.7, cells), i);
            }
        }
    }

    #[test]
    fn no_vertex_is_farther_than_the_one_listed() {
        let mut random = Random::new(8);
        for (count, stretch) in [(40, 1.0), (300, 1.0), (300, 1e-3), (2000, 1.0), (2000, 1e4)] {
            // Half of the points close together, so that lists are long in some cells.
            let point = |random: &mut Random, i: usize| {
                let p = random.direction();
                if i.is_multiple_of(2) { p } else { (p * 0.01 + DVec3::new(0.3, 0.4, 0.8)).normalize() }
            };
            let points: Vec<DVec3> =
                (0..count).map(|i| point(&mut random, i) * DVec3::new(1.0, 1.0, stretch)).collect();
            let hull = convex_hull(&points).unwrap();
            let lists = Candidates::new(&hull);
            for _ in 0..2000 {
                let direction = random.direction() * DVec3::new(1.0, 1.0, 1.0 / stretch);
                let height = |p: &DVec3| direction.dot(*p);
                let farthest = hull.vertices().iter().map(height).fold(f64::NEG_INFINITY, f64::max);
                let found = height(&hull.vertices()[lists.farthest(direction) as usize]);
                assert!(found >= farthest - 1e-15 * farthest.abs() - 1e-15, "{found} {farthest}");
            }
            let listed = lists.vertices.len() * LANES;
            assert!(listed < 60 * hull.vertices().len(), "{listed} for {}", hull.vertices().len());
        }
    }

    #[test]
    fn faces_edges_and_corners_of_a_lattice_ball_are_found() {
        // Many vertices in common planes: every direction along the axes and diagonals has ties.
        let range = -6i32..=6;
        let points: Vec<DVec3> = range
            .clone()
            .flat_map(|x| range.clone().flat_map(move |y| (-6i32..=6).map(move |z| [x, y, z])))
            .filter(|[x, y, z]| x * x + y * y + z * z <= 37)
            .map(|p| DVec3::from(p.map(f64::from)))
            .collect();
        let hull = convex_hull(&points).unwrap();
        let lists = Candidates::new(&hull);
        for x in -4..=4 {
            for y in -4..=4 {
                for z in (-4..=4).filter(|&z| (x, y, z) != (0, 0, 0)) {
                    let direction = DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                    let farthest = hull.vertices().iter().map(|p| direction.dot(*p)).fold(f64::MIN, f64::max);
                    assert_eq!(direction.dot(hull.vertices()[lists.farthest(direction) as usize]), farthest);
                }
            }
        }
    }
}
