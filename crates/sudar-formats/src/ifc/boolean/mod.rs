//! Union, difference and intersection of solids, exactly.
//!
//! All corners are put on a fine grid, and from there on every decision is exact: each triangle is cut along all others
//! that meet it, in rational coordinates, and each piece is kept if the result is on one side of it alone. A whole tree
//! of operations is evaluated at once, so that nothing is rounded in between, and what is closed stays closed. Ideas
//! from: Q. Zhou, E. Grinspun, D. Zorin, A. Jacobson 2016, "Mesh arrangements for solid geometry".

mod facet;
pub(super) mod flat;
mod flush;
mod inside;
mod lines;
mod meet;
pub(super) mod points;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use sudar::DVec3;

use facet::{Facet, root};
use inside::Place;
use meet::Meetings;
use points::{Plane, Points, Whole};

/// A closed surface of triangles that face outwards.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Surface {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// What is made of solids, which are named by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tree {
    Solid(usize),
    Union(Box<[Tree; 2]>),
    Intersection(Box<[Tree; 2]>),
    /// The first without all others.
    Difference(Box<Tree>, Vec<Tree>),
}

/// Why nothing can be made of solids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// A solid has a hole, or edges that face both ways.
    Open,
    /// It would take more steps than are allowed.
    Steps,
    /// Corners are farther apart than the grid reaches.
    Size,
}

/// Coordinates of the grid are below this, so that the plane of three points fits 128 bits.
const MOST: f64 = (1_u64 << 38) as f64;

/// Corners that differ by less along an axis, in steps of the grid, are put on one plane: what a file means to be flush
/// is so only to its last digits.
const FLUSH: i64 = 64;

/// Steps for each triangle, before anything is known of it.
const PRICE: u64 = 20;

impl Tree {
    /// Whether a point is in the whole, given which solids it is in.
    fn holds(&self, is_in: &impl Fn(usize) -> bool) -> bool {
        match self {
            Self::Solid(i) => is_in(*i),
            Self::Union(both) => both.iter().any(|one| one.holds(is_in)),
            Self::Intersection(both) => both.iter().all(|one| one.holds(is_in)),
            Self::Difference(first, others) => {
                first.holds(is_in) && !others.iter().any(|one| one.holds(is_in))
            }
        }
    }
}

/// The boundary of what a tree makes of solids. `grid` is the distance of points of the grid, a power of two; corners
/// move by half of it, and by up to [`FLUSH`] of it where they are flush; what is cut out reaches beyond faces in which
/// its own lie. `steps` is what may be spent, and is lowered.
pub(super) fn evaluate(
    solids: &[Surface],
    tree: &Tree,
    grid: f64,
    steps: &mut u64,
) -> Result<Surface, Failure> {
    let triangles: usize = solids.iter().map(|solid| solid.triangles.len()).sum();
    *steps = steps.checked_sub(PRICE * triangles as u64).ok_or(Failure::Steps)?;
    let solids = flush::reaching(solids, tree, grid, steps).ok_or(Failure::Steps)?;
    let mut work = Work::new(&solids, grid)?;
    let meetings = work.meetings(steps).ok_or(Failure::Steps)?;
    let cells = work.cells(&meetings, steps).ok_or(Failure::Steps)?;
    let kept = work.kept(&cells, &meetings, tree, steps).ok_or(Failure::Steps)?;
    Ok(work.surface(&kept))
}

/// All triangles of all solids on the grid.
struct Work {
    points: Points,
    /// Where the grid begins, and its step.
    origin: DVec3,
    grid: f64,
    /// What the coordinates of corners were before they were put on the grid.
    before: [HashMap<i64, f64>; 3],
    triangles: Vec<Facet>,
    /// Of each solid its triangles, and its bounds.
    solids: Vec<(Range<usize>, [Whole; 2])>,
}

/// A piece of a triangle.
#[derive(Debug, Clone, Copy)]
struct Cell {
    facet: usize,
    corners: [u32; 3],
}

/// The pieces of all triangles, and which edges lie on surfaces of other solids.
struct Cells {
    cells: Vec<Cell>,
    foreign: BTreeSet<(usize, u32, u32)>,
}

impl Work {
    fn new(solids: &[Surface], grid: f64) -> Result<Self, Failure> {
        let all = || solids.iter().flat_map(|solid| &solid.vertices);
        let (min, max) =
            all().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), p| (min.min(*p), max.max(*p)));
        let origin = ((min + max) / 2.0 / grid).round() * grid;
        let reach = ((max - min) / 2.0 / grid).max_element();
        if all().next().is_some() && (reach.is_nan() || reach >= MOST) {
            return Err(Failure::Size);
        }
        let on_grid = |p: &DVec3| ((*p - origin) / grid).round().to_array().map(|x| x as i64);
        let mut rows: Vec<Vec<Whole>> =
            solids.iter().map(|solid| solid.vertices.iter().map(on_grid).collect()).collect();
        (0..3).for_each(|axis| level(&mut rows, axis));
        let mut work = Self {
            points: Points::default(),
            origin,
            grid,
            before: before(solids, &rows),
            triangles: Vec::new(),
            solids: Vec::with_capacity(solids.len()),
        };
        for (number, (solid, row)) in solids.iter().zip(&rows).enumerate() {
            work.add(number, solid, row)?;
        }
        Ok(work)
    }

    /// Adds a solid whose corners are on the grid. Triangles that have become points are left out, which leaves it
    /// closed; those that have become lines cannot be.
    fn add(&mut self, solid: usize, surface: &Surface, row: &[Whole]) -> Result<(), Failure> {
        let (first, mut bounds) = (self.triangles.len(), [[i64::MAX; 3], [i64::MIN; 3]]);
        let mut edges: HashMap<(Whole, Whole), i64> = HashMap::new();
        for t in &surface.triangles {
            let whole = t.map(|i| row[i as usize]);
            let [a, b, c] = whole;
            if a == b || b == c || c == a {
                continue;
            }
            for (p, q) in [(a, b), (b, c), (c, a)] {
                *edges.entry((p, q)).or_default() += 1;
                *edges.entry((q, p)).or_default() -= 1;
            }
            for p in whole {
                bounds =
                    [[0, 1, 2].map(|i| p[i].min(bounds[0][i])), [0, 1, 2].map(|i| p[i].max(bounds[1][i]))];
            }
            let corners = whole.map(|p| self.points.add_whole(p));
            self.triangles.push(Facet { solid, corners, whole, plane: Plane::of(whole) });
        }
        self.solids.push((first..self.triangles.len(), bounds));
        if edges.values().all(|count| *count == 0) { Ok(()) } else { Err(Failure::Open) }
    }

    fn meetings(&mut self, steps: &mut u64) -> Option<Meetings> {
        meet::meetings(&mut self.points, &self.triangles, steps)
    }

    /// Cuts every triangle along what others make on it.
    fn cells(&mut self, meetings: &Meetings, steps: &mut u64) -> Option<Cells> {
        let (mut cells, mut foreign) = (Vec::new(), BTreeSet::new());
        let lines = lines::Lines::new(&self.points, &self.triangles);
        for (facet, triangle) in self.triangles.iter().enumerate() {
            let segments = meetings.segments(facet);
            if triangle.plane.is_flat() {
                // Without an area it bounds nothing; those beside it are cut at its corners.
                continue;
            }
            let on_edges = lines.segments(triangle);
            if segments.is_empty() && on_edges.is_empty() {
                cells.push(Cell { facet, corners: triangle.corners });
                continue;
            }
            let (pieces, own) =
                flat::cut(&mut self.points, triangle.flat(), triangle.corners, segments, &on_edges, steps)?;
            cells.extend(pieces.into_iter().map(|corners| Cell { facet, corners }));
            foreign.extend(own.into_iter().map(|[p, q]| (triangle.solid, p.min(q), p.max(q))));
        }
        Some(Cells { cells, foreign })
    }

    /// The pieces that bound the result, as they face there.
    fn kept(
        &self,
        cells: &Cells,
        meetings: &Meetings,
        tree: &Tree,
        steps: &mut u64,
    ) -> Option<Vec<[u32; 3]>> {
        let patches = self.patches(cells);
        let mut places: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
        let mut kept = Vec::new();
        for (cell, patch) in cells.cells.iter().zip(patches) {
            if let std::collections::btree_map::Entry::Vacant(entry) = places.entry(patch) {
                entry.insert(self.places(&cells.cells[patch], meetings, steps)?);
            }
            kept.extend(self.facing(*cell, &places[&patch], tree));
        }
        Some(kept)
    }

    /// Pieces that are on the same side of everything have the number of one of them: those of one solid that are
    /// joined by edges which lie on no other surface.
    fn patches(&self, cells: &Cells) -> Vec<usize> {
        let mut sets: Vec<usize> = (0..cells.cells.len()).collect();
        let mut at_edges: BTreeMap<(usize, u32, u32), usize> = BTreeMap::new();
        for (number, cell) in cells.cells.iter().enumerate() {
            let [a, b, c] = cell.corners;
            for (p, q) in [(a, b), (b, c), (c, a)] {
                let edge = (self.triangles[cell.facet].solid, p.min(q), p.max(q));
                if cells.foreign.contains(&edge) {
                    continue;
                }
                let other = *at_edges.entry(edge).or_insert(number);
                let (i, j) = (root(&mut sets, number), root(&mut sets, other));
                sets[i.max(j)] = i.min(j);
            }
        }
        (0..sets.len()).map(|i| root(&mut sets, i)).collect()
    }

    /// Where a piece is to each solid.
    fn places(&self, cell: &Cell, meetings: &Meetings, steps: &mut u64) -> Option<Vec<Place>> {
        let own = self.triangles[cell.facet].solid;
        let sample = inside::middle(&self.points, cell.corners);
        let mut places = vec![Place::Outside; self.solids.len()];
        for (solid, place) in places.iter_mut().enumerate() {
            let (range, bounds) = &self.solids[solid];
            if !sample.is_near(bounds) {
                continue;
            }
            if solid == own {
                *place = Place::On { same: true };
                continue;
            }
            let on = meetings.in_plane(cell.facet).find(|&(other, _)| {
                self.triangles[other].solid == solid && inside::is_in(&sample, &self.triangles[other])
            });
            *place = match on {
                Some((_, same)) => Place::On { same },
                None => inside::place(&sample, &self.triangles[range.clone()], steps)?,
            };
        }
        Some(places)
    }

    /// A piece as it bounds the result, if it does; of several in one place the first alone does.
    fn facing(&self, cell: Cell, places: &[Place], tree: &Tree) -> Option<[u32; 3]> {
        let own = self.triangles[cell.facet].solid;
        if places[..own].iter().any(|place| matches!(place, Place::On { .. })) {
            return None;
        }
        let [a, b, c] = cell.corners;
        match (tree.holds(&|i| places[i].is_in_below()), tree.holds(&|i| places[i].is_in_above())) {
            (true, false) => Some([a, b, c]),
            (false, true) => Some([a, c, b]),
            (true, true) | (false, false) => None,
        }
    }

    /// A point in floating point: coordinates that corners have are as they were given.
    fn place(&self, i: u32) -> DVec3 {
        let p = self.origin + self.points.near(i) * self.grid;
        let given = |axis: usize| self.before[axis].get(&self.points.coordinate(i, axis)?).copied();
        DVec3::from_array([0, 1, 2].map(|axis| given(axis).unwrap_or(p[axis])))
    }

    /// Triangles in floating point. What rounding makes one point becomes one, and closed stays closed.
    fn surface(&self, kept: &[[u32; 3]]) -> Surface {
        let mut surface = Surface::default();
        let mut numbers: HashMap<[u64; 3], u32> = HashMap::new();
        let mut place = |i: u32, vertices: &mut Vec<DVec3>| {
            let p = self.place(i);
            // Minus zero is zero.
            *numbers.entry(p.to_array().map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                vertices.push(p);
                vertices.len() as u32 - 1
            })
        };
        for triangle in kept {
            let [a, b, c] = triangle.map(|i| place(i, &mut surface.vertices));
            if a != b && b != c && c != a {
                surface.triangles.push([a, b, c]);
            }
        }
        surface
    }
}

/// What each coordinate of the grid was in the first solid that has it.
fn before(solids: &[Surface], rows: &[Vec<Whole>]) -> [HashMap<i64, f64>; 3] {
    let mut before: [HashMap<i64, f64>; 3] = Default::default();
    for (solid, row) in solids.iter().zip(rows) {
        for (given, whole) in solid.vertices.iter().zip(row) {
            for (axis, known) in before.iter_mut().enumerate() {
                known.entry(whole[axis]).or_insert(given[axis]);
            }
        }
    }
    before
}

/// Gives coordinates that differ by little the value of the first solid that has one of them.
fn level(rows: &mut [Vec<Whole>], axis: usize) {
    let mut all: Vec<(i64, usize)> =
        rows.iter().enumerate().flat_map(|(solid, row)| row.iter().map(move |p| (p[axis], solid))).collect();
    all.sort_unstable();
    all.dedup();
    let mut values: HashMap<i64, i64> = HashMap::new();
    let mut rest = &all[..];
    while let Some(&(start, _)) = rest.first() {
        let count = rest.iter().take_while(|(value, _)| value - start <= FLUSH).count();
        let (near, after) = rest.split_at(count);
        let value =
            near.iter().min_by_key(|(value, solid)| (*solid, *value)).map_or(start, |(value, _)| *value);
        values.extend(near.iter().map(|(known, _)| (*known, value)));
        rest = after;
    }
    for p in rows.iter_mut().flatten() {
        p[axis] = values.get(&p[axis]).copied().unwrap_or(p[axis]);
    }
}

#[cfg(test)]
mod tests;
