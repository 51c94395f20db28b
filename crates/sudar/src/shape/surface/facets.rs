//! What a mesh is without its triangulation: flat facets, the creases between them, and their corners.

use glam::DVec3;

use crate::effort::Meter;
use crate::math::{Sign, orient2d, orient3d, unit};
use crate::shape::hull_measure::{collinear, projection};
use crate::shape::{Mesh, NO_TRIANGLE, Topology, has_zero_area};

/// Mark for "none" in the tables of [`Facets`].
pub(crate) const NONE: u32 = u32::MAX;

/// The facets, creases and corners of a mesh.
///
/// A *facet* is a greatest set of triangles that are connected across edges and lie in one plane, exactly.
/// Edges inside a facet are *inner*; all others belong to a *crease*, which is a greatest straight line of
/// edges between the same facets. A vertex is a *corner* unless it is inside a facet or inside a crease. None
/// of them depends on how facets are cut into triangles, and each has a normal cone of its own, which inner
/// edges and vertices have not.
///
/// Triangles without area belong to no facet, and all their edges are creases. 20 bytes a triangle, one a vertex, 28 a
/// facet and 24 a crease.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facets {
    /// For each triangle the number of its facet, in order of first triangles.
    pub of_triangle: Vec<u32>,
    /// For each triangle the creases along its edges 0–1, 1–2, 2–0.
    pub creases_of: Vec<[u32; 3]>,
    pub facets: Vec<Facet>,
    pub creases: Vec<Crease>,
    /// The triangles along the first edge of each crease.
    wings: Vec<u32>,
    /// For each vertex whether it is a corner. Vertices of equal position are one.
    corners: Vec<bool>,
}

/// A flat part of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Facet {
    /// Unit normal on the side from which the first triangle is seen counter-clockwise.
    pub normal: DVec3,
    /// The first triangle.
    pub first: u32,
}

/// A straight line where facets meet or end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Crease {
    /// The vertices at its ends.
    pub ends: [u32; 2],
    /// How the second of two wings lies to the first: below it if the first one is seen counter-clockwise from above.
    pub bend: Bend,
    /// Where its wings begin, and how many there are.
    wings: [u32; 2],
}

/// How two triangles meet at an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bend {
    /// The second one is below the first.
    Down,
    /// It is above the first.
    Up,
    /// They are not two, or folded flat.
    Other,
}

impl Facets {
    /// The flat facets of a mesh, and where they meet; O(n log n). `None` if the meter stops.
    pub fn of(mesh: &Mesh, meter: &mut Meter) -> Option<Self> {
        let mut go_on = || meter.check().is_continue().then_some(());
        go_on()?;
        let topology = mesh.topology();
        go_on()?;
        let mut build = Build::new(mesh, &topology);
        build.find_flat_neighbours(&mut go_on)?;
        let (of_triangle, facets) = build.facets();
        go_on()?;
        let mut sides = build.sides();
        sides.sort_unstable();
        go_on()?;
        let mut rims = build.rims(&sides, &of_triangle);
        go_on()?;
        let corners = build.corners(&rims);
        build.join(&mut rims, &corners);
        go_on()?;
        Some(build.finish(of_triangle, facets, &sides, &rims, corners))
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.of_triangle)
            + size_of_val(&*self.creases_of)
            + size_of_val(&*self.facets)
            + size_of_val(&*self.creases)
            + size_of_val(&*self.wings)
            + size_of_val(&*self.corners)
    }

    /// The triangles along one edge of a crease.
    pub fn wings(&self, crease: &Crease) -> &[u32] {
        let [first, count] = crease.wings;
        &self.wings[first as usize..(first + count) as usize]
    }

    /// The ends of the first edge that two triangles have in common, in the order of the first of them.
    pub fn edge_of_wings(&self, mesh: &Mesh, t: u32, u: u32) -> [DVec3; 2] {
        let [ours, theirs] = [t, u].map(|t| mesh.triangle(t).corners());
        let shared = |i: &usize| theirs.contains(&ours[*i]) && theirs.contains(&ours[(i + 1) % 3]);
        let side = (0..3).find(shared).unwrap_or(0);
        [ours[side], ours[(side + 1) % 3]]
    }

    /// Whether vertex `v` is a corner.
    pub fn is_corner(&self, v: u32) -> bool {
        self.corners[v as usize]
    }

    /// The facet of a triangle, if it has an area.
    pub fn facet(&self, triangle: u32) -> Option<u32> {
        Some(self.of_triangle[triangle as usize]).filter(|&f| f != NONE)
    }
}

/// A side of a triangle on a crease.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    low: u32,
    high: u32,
    triangle: u32,
    side: u8,
}

/// An edge on a crease.
struct Rim {
    low: u32,
    high: u32,
    /// Its sides in the sorted list.
    sides: [usize; 2],
    /// The facets along it, sorted.
    facets: Vec<u32>,
    /// Another edge of the same crease, or itself: a tree with the first one for its root.
    parent: usize,
    /// The ends of the crease, known at the root.
    ends: [u32; 2],
}

struct Build<'a> {
    mesh: &'a Mesh,
    topology: &'a Topology,
    has_area: Vec<bool>,
    /// For each triangle those across its sides that lie flat beside it.
    flat: Vec<[Option<u32>; 3]>,
}

impl<'a> Build<'a> {
    fn new(mesh: &'a Mesh, topology: &'a Topology) -> Self {
        let has_area: Vec<bool> =
            (0..mesh.triangles().len() as u32).map(|t| !has_zero_area(&mesh.triangle(t))).collect();
        let flat = vec![[None; 3]; has_area.len()];
        Self { mesh, topology, has_area, flat }
    }

    /// Each pair is tested once: in one plane exact arithmetic decides, which takes long.
    fn find_flat_neighbours(&mut self, go_on: &mut impl FnMut() -> Option<()>) -> Option<()> {
        for t in 0..self.has_area.len() as u32 {
            if t % 32 == 0 {
                go_on()?;
            }
            for side in 0..3 {
                let Some(other) = self.flat_neighbour(t, side) else { continue };
                self.flat[t as usize][side] = Some(other);
                let shared = (0..3).find(|&s| self.topology.neighbours[other as usize][s] == t);
                shared.into_iter().for_each(|s| self.flat[other as usize][s] = Some(t));
            }
        }
        Some(())
    }

    fn welded(&self, triangle: u32) -> [u32; 3] {
        self.mesh.triangles()[triangle as usize].map(|v| self.topology.welded[v as usize])
    }

    fn at(&self, v: u32) -> DVec3 {
        self.mesh.vertices()[v as usize]
    }

    /// The later triangle across a side, if both lie flat beside each other.
    fn flat_neighbour(&self, t: u32, side: usize) -> Option<u32> {
        let other = self.topology.neighbours[t as usize][side];
        if other == NO_TRIANGLE || other < t || !self.has_area[t as usize] || !self.has_area[other as usize] {
            return None;
        }
        let corners = self.welded(t);
        let [from, to, apex] = [0, 1, 2].map(|k| self.at(corners[(side + k) % 3]));
        let across = self.at(opposite(self.welded(other), corners[side], corners[(side + 1) % 3]));
        if orient3d(from, to, apex, across) != Sign::Zero {
            return None;
        }
        let shadow = projection([from, to, apex]);
        let turn = |p: DVec3| orient2d(shadow(from), shadow(to), shadow(p));
        (turn(across) == -turn(apex)).then_some(other)
    }

    fn facets(&self) -> (Vec<u32>, Vec<Facet>) {
        let count = self.has_area.len();
        let (mut of_triangle, mut facets) = (vec![NONE; count], Vec::new());
        let mut open = Vec::new();
        for first in (0..count as u32).filter(|&t| self.has_area[t as usize]) {
            if of_triangle[first as usize] != NONE {
                continue;
            }
            let number = facets.len() as u32;
            let start = self.mesh.triangle(first).scaled_normal();
            let mut sum = DVec3::ZERO;
            of_triangle[first as usize] = number;
            open.push(first);
            while let Some(t) = open.pop() {
                let area = self.area(t);
                sum += if area.dot(start) < 0.0 { -area } else { area };
                for other in self.flat[t as usize].into_iter().flatten() {
                    if of_triangle[other as usize] == NONE {
                        of_triangle[other as usize] = number;
                        open.push(other);
                    }
                }
            }
            let normal = if sum == DVec3::ZERO { start } else { sum };
            facets.push(Facet { normal: unit(normal).unwrap_or(DVec3::ZERO), first });
        }
        (of_triangle, facets)
    }

    /// Twice the area of a triangle along its normal, in the unit of the size of the mesh.
    fn area(&self, t: u32) -> DVec3 {
        let size = self.mesh.aabb().extent().max_element();
        let t = self.mesh.triangle(t);
        ((t.b - t.a) / size).cross((t.c - t.a) / size)
    }

    /// Every side but those of inner edges.
    fn sides(&self) -> Vec<Side> {
        let mut sides = Vec::new();
        for triangle in 0..self.has_area.len() as u32 {
            let corners = self.welded(triangle);
            for side in (0..3).filter(|&side| self.flat[triangle as usize][side].is_none()) {
                let (u, v) = (corners[side], corners[(side + 1) % 3]);
                if u != v {
                    sides.push(Side { low: u.min(v), high: u.max(v), triangle, side: side as u8 });
                }
            }
        }
        sides
    }

    fn rims(&self, sides: &[Side], of_triangle: &[u32]) -> Vec<Rim> {
        let mut rims = Vec::new();
        let mut first = 0;
        for group in sides.chunk_by(|s, t| (s.low, s.high) == (t.low, t.high)) {
            let mut facets: Vec<u32> = group.iter().map(|s| of_triangle[s.triangle as usize]).collect();
            facets.sort_unstable();
            let Side { low, high, .. } = group[0];
            let range = [first, first + group.len()];
            rims.push(Rim { low, high, sides: range, facets, parent: rims.len(), ends: [low, high] });
            first += group.len();
        }
        rims
    }

    /// Whether each vertex is one at which more ends than one straight line.
    fn corners(&self, rims: &[Rim]) -> Vec<bool> {
        let mut corners = vec![false; self.mesh.vertices().len()];
        for (v, around) in self.around(rims).into_iter().enumerate() {
            corners[v] = match around {
                Around::Nothing => false,
                Around::Many | Around::One(_) => true,
                Around::Two(i, j) => !self.is_straight(v as u32, &rims[i], &rims[j]),
            };
        }
        // A vertex that no edge has may be that of a triangle whose corners are one point.
        for t in (0..self.has_area.len() as u32).filter(|&t| !self.has_area[t as usize]) {
            self.welded(t).into_iter().for_each(|v| corners[v as usize] = true);
        }
        for v in 0..corners.len() {
            corners[v] = corners[self.topology.welded[v] as usize];
        }
        corners
    }

    fn around(&self, rims: &[Rim]) -> Vec<Around> {
        let mut around = vec![Around::Nothing; self.mesh.vertices().len()];
        for (i, rim) in rims.iter().enumerate() {
            for v in [rim.low, rim.high] {
                let now = &mut around[v as usize];
                *now = match *now {
                    Around::Nothing => Around::One(i),
                    Around::One(first) => Around::Two(first, i),
                    Around::Two(..) | Around::Many => Around::Many,
                };
            }
        }
        around
    }

    fn is_straight(&self, v: u32, one: &Rim, other: &Rim) -> bool {
        let far = |rim: &Rim| self.at(if rim.low == v { rim.high } else { rim.low });
        let (p, q, at) = (far(one), far(other), self.at(v));
        let between = (p - at).dot(q - at) < 0.0;
        between && one.facets == other.facets && !one.facets.contains(&NONE) && collinear(p, at, q)
    }

    /// Joins edges of one straight line.
    fn join(&self, rims: &mut [Rim], corners: &[bool]) {
        for (v, around) in self.around(rims).into_iter().enumerate() {
            let Around::Two(i, j) = around else { continue };
            let (i, j) = (root(rims, i), root(rims, j));
            if corners[v] || i == j {
                continue;
            }
            let far = |rim: &Rim| if rim.ends[0] == v as u32 { rim.ends[1] } else { rim.ends[0] };
            let ends = [far(&rims[i.min(j)]), far(&rims[i.max(j)])];
            rims[i.max(j)].parent = i.min(j);
            rims[i.min(j)].ends = ends;
        }
    }

    fn finish(
        &self,
        of_triangle: Vec<u32>,
        facets: Vec<Facet>,
        sides: &[Side],
        rims: &[Rim],
        corners: Vec<bool>,
    ) -> Facets {
        let mut creases_of = vec![[NONE; 3]; of_triangle.len()];
        let (mut creases, mut wings) = (Vec::new(), Vec::new());
        let mut numbers = vec![NONE; rims.len()];
        for i in 0..rims.len() {
            let root = root_of(rims, i);
            let [from, to] = rims[i].sides;
            if root == i {
                numbers[i] = creases.len() as u32;
                let ours: Vec<u32> = sides[from..to].iter().map(|side| side.triangle).collect();
                let bend = self.bend(&sides[from..to]);
                creases.push(Crease {
                    ends: rims[i].ends,
                    bend,
                    wings: [wings.len() as u32, ours.len() as u32],
                });
                wings.extend(ours);
            }
            for side in &sides[from..to] {
                creases_of[side.triangle as usize][side.side as usize] = numbers[root];
            }
        }
        Facets { of_triangle, creases_of, facets, creases, wings, corners }
    }

    fn bend(&self, sides: &[Side]) -> Bend {
        let &[Side { low, high, triangle: t, .. }, Side { triangle: u, .. }] = sides else {
            return Bend::Other;
        };
        if !(self.has_area[t as usize] && self.has_area[u as usize]) {
            return Bend::Other;
        }
        let [a, b, c] = self.welded(t).map(|v| self.at(v));
        match orient3d(a, b, c, self.at(opposite(self.welded(u), low, high))) {
            Sign::Negative => Bend::Down,
            Sign::Zero => Bend::Other,
            Sign::Positive => Bend::Up,
        }
    }
}

/// The edges on creases at a vertex.
#[derive(Debug, Clone, Copy)]
enum Around {
    Nothing,
    One(usize),
    Two(usize, usize),
    Many,
}

/// The corner that is neither of two others.
fn opposite(corners: [u32; 3], u: u32, v: u32) -> u32 {
    corners.into_iter().find(|&w| w != u && w != v).unwrap_or(corners[0])
}

fn root(rims: &mut [Rim], mut i: usize) -> usize {
    while rims[i].parent != i {
        rims[i].parent = rims[rims[i].parent].parent;
        i = rims[i].parent;
    }
    i
}

fn root_of(rims: &[Rim], mut i: usize) -> usize {
    while rims[i].parent != i {
        i = rims[i].parent;
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Aabb;

    #[test]
    fn a_cube_has_six_facets_twelve_creases_and_eight_corners() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let facets = Facets::of(&cube, &mut Meter::unlimited()).unwrap();
        assert_eq!((facets.facets.len(), facets.creases.len()), (6, 12));
        assert!((0..8).all(|v| facets.is_corner(v)));
        assert!(facets.creases.iter().all(|c| c.bend == Bend::Down && facets.wings(c).len() == 2));
        let inner = facets.creases_of.iter().flatten().filter(|c| **c == NONE).count();
        assert_eq!(inner, 12);
    }

    #[test]
    fn a_grid_is_one_facet_with_four_creases_however_it_is_cut() {
        let n = 4;
        let row = |j: u32| (0..=n).map(move |i| DVec3::new(f64::from(i), f64::from(j), 0.5));
        let vertices: Vec<DVec3> = (0..=n).flat_map(row).collect();
        let square = |i: u32, j: u32| {
            let p = j * (n + 1) + i;
            let (q, r, s) = (p + 1, p + n + 2, p + n + 1);
            // Either diagonal, and every other triangle turned over.
            if (i + j).is_multiple_of(2) { [[p, q, r], [p, s, r]] } else { [[p, q, s], [q, r, s]] }
        };
        let triangles = (0..n).flat_map(|j| (0..n).flat_map(move |i| square(i, j))).collect();
        let mesh = Mesh::new(vertices, triangles).unwrap();
        let facets = Facets::of(&mesh, &mut Meter::unlimited()).unwrap();
        assert_eq!((facets.facets.len(), facets.creases.len()), (1, 4));
        assert_eq!(facets.facets[0].normal, DVec3::Z);
        let corners: Vec<u32> = (0..25).filter(|&v| facets.is_corner(v)).collect();
        assert_eq!(corners, [0, 4, 20, 24]);
        let mut ends: Vec<[u32; 2]> = facets.creases.iter().map(|c| c.ends).collect();
        ends.iter_mut().for_each(|e| e.sort_unstable());
        ends.sort_unstable();
        assert_eq!(ends, [[0, 4], [0, 20], [4, 24], [20, 24]]);
    }

    #[test]
    fn a_ridge_bends_down_and_a_valley_up() {
        for (rise, bend) in [(-1e-80, Bend::Down), (1e-80, Bend::Up)] {
            let at = |x, y, z| DVec3::new(x, y, z);
            let vertices = vec![at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0), at(0.0, 1.0, 0.0), at(0.0, -1.0, rise)];
            let mesh = Mesh::new(vertices, vec![[0, 1, 2], [1, 0, 3]]).unwrap();
            let facets = Facets::of(&mesh, &mut Meter::unlimited()).unwrap();
            assert_eq!(facets.facets.len(), 2);
            let inner: Vec<Bend> =
                facets.creases.iter().filter(|c| facets.wings(c).len() == 2).map(|c| c.bend).collect();
            assert_eq!(inner, [bend]);
        }
    }
}
