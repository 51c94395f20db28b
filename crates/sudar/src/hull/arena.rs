//! The surface while it grows: triangles in an arena, with the points that each of them sees.

use glam::DVec3;

use super::maximal::{NONE, Surface};
use crate::math::predicates::{LEAST_PERMANENT, ROUNDING_3D, normal_and_size};
use crate::math::{Sign, orient3d};

/// Edge i of face f, from its corner i to the next, as one number.
fn edge(face: u32, i: u32) -> u32 {
    face << 2 | i
}

/// A triangle of the surface, counter-clockwise seen from outside.
#[derive(Debug, Clone)]
struct Face {
    plane: FacePlane,
    /// Height of the farthest point in its list.
    height: f64,
    farthest: u32,
    /// Length of its list.
    count: u32,
    /// First of the points in its list.
    head: u32,
    corners: [u32; 3],
    /// For each edge the edge of the neighbour that runs the other way.
    twins: [u32; 3],
    /// Two numbers for each insertion: even, then it is not visible; odd, then it is.
    mark: u32,
}

/// The plane of a face, positive outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct FacePlane {
    pub normal: DVec3,
    /// The first corner of the face.
    pub base: DVec3,
    /// Heights further from zero than this have the right sign.
    pub rounding: f64,
}

impl FacePlane {
    /// `extent` is the size of the box that all points lie in. No coordinate difference of points is larger, not
    /// even after rounding, so the error of a height is at most that of the plain determinant in [`orient3d`] with
    /// the largest permanent that there can be.
    #[inline(always)]
    fn through([a, b, c]: [DVec3; 3], extent: DVec3) -> Self {
        let (normal, size) = normal_and_size(a, b, c);
        let permanent = size.dot(extent);
        let rounding = if permanent > LEAST_PERMANENT { ROUNDING_3D * permanent } else { f64::INFINITY };
        Self { normal, base: a, rounding }
    }

    /// Distance of a point times twice the area of the face, rounded.
    #[inline(always)]
    fn height(&self, p: DVec3) -> f64 {
        self.normal.dot(p - self.base)
    }
}

impl Face {
    #[inline(always)]
    fn new(plane: FacePlane, corners: [u32; 3]) -> Self {
        Self {
            plane,
            height: f64::NEG_INFINITY,
            farthest: NONE,
            count: 0,
            head: NONE,
            corners,
            twins: [NONE; 3],
            mark: 0,
        }
    }

    fn is_removed(&self) -> bool {
        self.corners[0] == NONE
    }

    /// Whether a point is strictly above the plane, exactly.
    #[inline(always)]
    fn sees(&self, points: &[DVec3], p: DVec3) -> bool {
        let (height, rounding) = (self.plane.height(p), self.plane.rounding);
        height > rounding || (height >= -rounding && self.sees_exactly(points, p))
    }

    #[cold]
    #[inline(never)]
    fn sees_exactly(&self, points: &[DVec3], p: DVec3) -> bool {
        let [a, b, c] = self.corners.map(|i| points[i as usize]);
        orient3d(a, b, c, p) == Sign::Positive
    }
}

/// An edge of the horizon: it separates a face that sees the new point from one that does not.
#[derive(Debug, Clone, Copy)]
struct Ridge {
    /// The edge of the face that stays.
    outer: u32,
    /// Its ends, in the order of the face that goes.
    ends: [u32; 2],
}

/// A surface of triangles that is convex and closed after every step, and the points still outside of it, each in the
/// list of one face that sees it. Removed faces leave their places to new ones; nothing else is allocated as it grows.
#[derive(Debug)]
pub(super) struct Arena {
    points: Vec<DVec3>,
    /// For each point the next in its list.
    links: Vec<u32>,
    extent: DVec3,
    faces: Vec<Face>,
    free: Vec<u32>,
    mark: u32,
    /// Buffers of [`Arena::insert`].
    stack: Vec<u32>,
    horizon: Vec<Ridge>,
    orphans: Vec<u32>,
    fresh: Vec<u32>,
    /// The planes of those, side by side for [`Arena::adopt`].
    planes: Vec<FacePlane>,
}

impl Arena {
    /// The tetrahedron of the first four points; the last of these lies below the triangle of the others.
    pub fn tetrahedron(points: Vec<DVec3>, extent: DVec3) -> Self {
        const CORNERS: [[u32; 3]; 4] = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
        let plane = |c: [u32; 3]| FacePlane::through(c.map(|i| points[i as usize]), extent);
        let mut faces: Vec<Face> = CORNERS.iter().map(|&c| Face::new(plane(c), c)).collect();
        // Edge i of face 0 is edge 2 of face i + 1, whose edges 0 and 1 it shares with the two beside it.
        for i in 0..3 {
            let (left, right) = (edge(1 + (i + 2) % 3, 1), edge(1 + (i + 1) % 3, 0));
            faces[0].twins[i as usize] = edge(i + 1, 2);
            faces[i as usize + 1].twins = [left, right, edge(0, i)];
        }
        let links = vec![NONE; points.len()];
        Self {
            points,
            links,
            extent,
            faces,
            free: Vec::new(),
            mark: 0,
            stack: Vec::new(),
            horizon: Vec::new(),
            orphans: Vec::new(),
            fresh: Vec::new(),
            planes: Vec::new(),
        }
    }

    /// How many faces there have been places for.
    pub fn places(&self) -> u32 {
        self.faces.len() as u32
    }

    /// The faces made by the last insertion.
    pub fn fresh(&self) -> &[u32] {
        &self.fresh
    }

    /// The first face that sees a point, if one does.
    #[inline]
    pub fn first_to_see(&self, p: DVec3) -> Option<u32> {
        let sees = |face: &Face| !face.is_removed() && face.sees(&self.points, p);
        self.faces.iter().position(sees).map(|face| face as u32)
    }

    /// The faces with their planes.
    pub fn planes(&self) -> impl Iterator<Item = (u32, FacePlane)> + '_ {
        let standing = self.faces.iter().enumerate().filter(|(_, face)| !face.is_removed());
        standing.map(|(place, face)| (place as u32, face.plane))
    }

    /// Whether a face sees a point.
    pub fn sees(&self, face: u32, p: DVec3) -> bool {
        self.faces[face as usize].sees(&self.points, p)
    }

    /// Adds more points, not yet in any list; their numbers follow those of the others.
    pub fn extend(&mut self, points: impl Iterator<Item = DVec3>) {
        self.points.extend(points);
        self.links.resize(self.points.len(), NONE);
    }

    /// Puts a point into the list of a face that sees it.
    pub fn enlist(&mut self, point: u32, face: u32) {
        let height = self.faces[face as usize].plane.height(self.points[point as usize]);
        enlist(&mut self.faces[face as usize], &mut self.links, point, height);
    }

    /// The farthest of the points in the list of a face.
    pub fn farthest(&self, face: u32) -> Option<u32> {
        let face = &self.faces[face as usize];
        (!face.is_removed() && face.farthest != NONE).then_some(face.farthest)
    }

    /// How many points are in the list of a face.
    pub fn count(&self, face: u32) -> u32 {
        self.faces[face as usize].count
    }

    /// Makes the surface that of the hull with one more point, which the face sees. The faces that see the point go,
    /// their points are shared out among those that come; a point that none of these sees is inside.
    pub fn insert(&mut self, point: u32, face: u32) {
        self.find_horizon(point, face);
        self.raise_cone(point);
        self.share_out(point);
    }

    /// Walks over the faces that see the point, depth first and each counter-clockwise from where it was entered, so
    /// that the edges of the horizon are met in their order (as in Barber, Dobkin & Huhdanpaa 1996, "The quickhull
    /// algorithm for convex hulls"). Visible faces are removed.
    fn find_horizon(&mut self, point: u32, face: u32) {
        let p = self.points[point as usize];
        self.mark += 2;
        let (hidden, visible) = (self.mark, self.mark + 1);
        self.horizon.clear();
        self.orphans.clear();
        self.faces[face as usize].mark = visible;
        self.remove(face);
        self.stack.extend([edge(face, 2), edge(face, 1), edge(face, 0)]);
        while let Some(inner) = self.stack.pop() {
            let from = &self.faces[(inner >> 2) as usize];
            let outer = from.twins[(inner & 3) as usize];
            let across = &mut self.faces[(outer >> 2) as usize];
            if across.mark == visible {
                continue;
            }
            if across.mark != hidden {
                if across.sees(&self.points, p) {
                    across.mark = visible;
                    let (next, last) = ((outer & 3) + 1, (outer & 3) + 2);
                    self.stack.extend([edge(outer >> 2, last % 3), edge(outer >> 2, next % 3)]);
                    self.remove(outer >> 2);
                    continue;
                }
                across.mark = hidden;
            }
            let i = (outer & 3) as usize;
            let ends = [across.corners[(i + 1) % 3], across.corners[i]];
            self.horizon.push(Ridge { outer, ends });
        }
    }

    /// Frees the place of a face and keeps its list for [`Arena::share_out`].
    fn remove(&mut self, face: u32) {
        let removed = &mut self.faces[face as usize];
        removed.corners[0] = NONE;
        if removed.head != NONE {
            self.orphans.push(removed.head);
        }
        self.free.push(face);
    }

    /// Joins the horizon with the point.
    fn raise_cone(&mut self, point: u32) {
        self.fresh.clear();
        self.planes.clear();
        let p = self.points[point as usize];
        for ridge in &self.horizon {
            let [u, v] = ridge.ends;
            let ends = ridge.ends.map(|i| self.points[i as usize]);
            let plane = FacePlane::through([ends[0], ends[1], p], self.extent);
            self.planes.push(plane);
            let face = Face::new(plane, [u, v, point]);
            let place = self.free.pop().unwrap_or(self.faces.len() as u32);
            match self.faces.get_mut(place as usize) {
                Some(free) => *free = face,
                None => self.faces.push(face),
            }
            self.fresh.push(place);
        }
        let count = self.fresh.len();
        for (k, ridge) in self.horizon.iter().enumerate() {
            let (place, next) = (self.fresh[k], self.fresh[if k + 1 == count { 0 } else { k + 1 }]);
            self.faces[(ridge.outer >> 2) as usize].twins[(ridge.outer & 3) as usize] = edge(place, 0);
            self.faces[place as usize].twins[0] = ridge.outer;
            self.faces[place as usize].twins[1] = edge(next, 2);
            self.faces[next as usize].twins[2] = edge(place, 1);
        }
    }

    /// Gives each point of the removed faces to the first new face that sees it. A point outside the new hull that
    /// saw a removed face sees a new one (Barber, Dobkin & Huhdanpaa 1996). Equal points stay in the same list.
    fn share_out(&mut self, point: u32) {
        for k in 0..self.orphans.len() {
            let mut orphan = self.orphans[k];
            while orphan != NONE {
                let next = self.links[orphan as usize];
                if orphan != point {
                    self.adopt(orphan);
                }
                orphan = next;
            }
        }
    }

    #[inline(always)]
    fn adopt(&mut self, orphan: u32) {
        let p = self.points[orphan as usize];
        for (plane, &place) in self.planes.iter().zip(&self.fresh) {
            let height = plane.height(p);
            if height < -plane.rounding {
                continue;
            }
            let face = &mut self.faces[place as usize];
            if height > plane.rounding || face.sees_exactly(&self.points, p) {
                enlist(face, &mut self.links, orphan, height);
                return;
            }
        }
    }

    /// The surface without the places that are free, and the points that it is made of.
    pub fn into_surface(self) -> (Surface, Vec<DVec3>) {
        let mut numbers = vec![NONE; self.faces.len()];
        let standing = || self.faces.iter().enumerate().filter(|(_, face)| !face.is_removed());
        for (number, (place, _)) in standing().enumerate() {
            numbers[place] = number as u32;
        }
        let renumbered = |twin: u32| 3 * numbers[(twin >> 2) as usize] + (twin & 3);
        let triangles = standing().map(|(_, face)| face.corners).collect();
        let twins = standing().flat_map(|(_, face)| face.twins.map(renumbered)).collect();
        (Surface { triangles, twins }, self.points)
    }
}

/// Equally far points are taken in the order of their numbers, so that the first of equals becomes the vertex.
#[inline(always)]
fn enlist(face: &mut Face, links: &mut [u32], point: u32, height: f64) {
    links[point as usize] = face.head;
    face.head = point;
    face.count += 1;
    if height > face.height || (height == face.height && point < face.farthest) {
        (face.height, face.farthest) = (height, point);
    }
}
