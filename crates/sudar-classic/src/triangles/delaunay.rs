//! Delaunay tetrahedra of points on a lattice, with exact predicates (Bowyer 1981, Watson 1981).
//!
//! Coordinates are whole numbers below 2²¹, so that the determinants which tell sides and spheres fit 128
//! bits: 63 bits for the volume of a tetrahedron, 112 for a sphere. A new point takes the place of the
//! tetrahedra in whose sphere it lies strictly inside. By exact signs these are connected and their boundary
//! is seen from the point face by face, never edge-on; so every new tetrahedron has a positive volume,
//! also where points lie on a common plane or sphere.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::broad::CellHasher;
use crate::cells::NumberSet;

/// A point of the lattice.
pub(super) type Site = [i32; 3];

/// Tetrahedra that fill the cube of the lattice.
#[derive(Debug, Clone)]
pub(super) struct Delaunay {
    pub sites: Vec<Site>,
    /// Corners of the tetrahedra, each of positive volume.
    pub cells: Vec<[u32; 4]>,
    /// The tetrahedron across the face opposite of each corner; [`NONE`] at the border.
    pub across: Vec<[u32; 4]>,
    /// Places to be used again.
    free: Vec<u32>,
    /// Where the last point was put: the next one is often near.
    last: u32,
}

pub(super) const NONE: u32 = u32::MAX;

/// Corners of the lattice's cube.
pub(super) const LAST: i32 = 1 << 20;

/// A face of a cavity: corners of the tetrahedron inside, which of these is opposite of the face, and the
/// tetrahedron beyond with the number of its corner opposite.
type Border = ([u32; 4], usize, Option<(u32, usize)>);

type FaceMap = HashMap<[i32; 3], (u32, usize), BuildHasherDefault<CellHasher>>;

impl Delaunay {
    /// The tetrahedra of sites strictly inside the cube, and of its corners. Repeated sites count once.
    pub fn of(mut sites: Vec<Site>) -> Self {
        sites.sort_unstable_by_key(|site| interleaved(*site));
        sites.dedup();
        let mut found = Self::cube();
        sites.into_iter().for_each(|site| found.insert(site));
        found.drop_free_places();
        found
    }

    /// The cube in six tetrahedra around a diagonal.
    fn cube() -> Self {
        let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 1 { LAST } else { 0 });
        let sites: Vec<Site> = (0..8).map(corner).collect();
        let mut cells = Vec::new();
        for [first, second] in [[1, 2], [2, 1], [1, 4], [4, 1], [2, 4], [4, 2]] {
            let cell = [0, first, first + second, 7];
            let positive = volume(cell.map(|i: u32| sites[i as usize])) > 0;
            cells.push(if positive { cell } else { [cell[1], cell[0], cell[2], cell[3]] });
        }
        let across = vec![[NONE; 4]; cells.len()];
        let mut cube = Self { sites, cells, across, free: Vec::new(), last: 0 };
        let mut open = FaceMap::default();
        (0..cube.cells.len() as u32).for_each(|cell| (0..4).for_each(|k| cube.join(&mut open, cell, k)));
        cube
    }

    /// Joins a face with the one of the same corners, if that was met before.
    fn join(&mut self, open: &mut FaceMap, cell: u32, k: usize) {
        let mut face: Vec<i32> =
            (0..4).filter(|&c| c != k).map(|c| self.cells[cell as usize][c] as i32).collect();
        face.sort_unstable();
        let face = [face[0], face[1], face[2]];
        match open.remove(&face) {
            Some((other, l)) => {
                self.across[cell as usize][k] = other;
                self.across[other as usize][l] = cell;
            }
            None => {
                open.insert(face, (cell, k));
            }
        }
    }

    fn corners(&self, cell: u32) -> [Site; 4] {
        self.cells[cell as usize].map(|i| self.sites[i as usize])
    }

    /// A tetrahedron that holds the point, by going on across a face that has the point beyond it. In a
    /// Delaunay mesh this never goes in a circle (Edelsbrunner 1990, "An acyclicity theorem for cell
    /// complexes in d dimensions").
    fn locate(&self, site: Site) -> u32 {
        let mut cell = self.last;
        loop {
            let corners = self.corners(cell);
            let beyond = (0..4).find(|&k| volume(with(corners, k, site)) < 0);
            match beyond.map(|k| self.across[cell as usize][k]) {
                Some(next) if next != NONE => cell = next,
                _ => return cell,
            }
        }
    }

    fn insert(&mut self, site: Site) {
        let first = self.locate(site);
        if self.corners(first).contains(&site) {
            return;
        }
        let point = self.sites.len() as u32;
        self.sites.push(site);
        let (cavity, border) = self.cavity(first, site);
        self.free.extend(&cavity);
        let mut open = FaceMap::default();
        for (corners, k, outer) in border {
            let mut corners = corners;
            corners[k] = point;
            let cell = self.add(corners);
            self.across[cell as usize][k] = outer.map_or(NONE, |(other, _)| other);
            if let Some((other, l)) = outer {
                self.across[other as usize][l] = cell;
            }
            (0..4).filter(|&l| l != k).for_each(|l| self.join(&mut open, cell, l));
            self.last = cell;
        }
    }

    /// The tetrahedra with the point strictly inside their sphere, and the faces around them.
    fn cavity(&self, first: u32, site: Site) -> (Vec<u32>, Vec<Border>) {
        let (mut cavity, mut border) = (vec![first], Vec::new());
        let mut inside = NumberSet::default();
        inside.insert(first);
        let mut next = 0;
        while next < cavity.len() {
            let cell = cavity[next];
            next += 1;
            for k in 0..4 {
                let other = self.across[cell as usize][k];
                if other == NONE {
                    border.push((self.cells[cell as usize], k, None));
                } else if inside.contains(&other) {
                } else if in_sphere(self.corners(other), site) {
                    inside.insert(other);
                    cavity.push(other);
                } else {
                    let back = (0..4).find(|&l| self.across[other as usize][l] == cell);
                    border.push((self.cells[cell as usize], k, back.map(|l| (other, l))));
                }
            }
        }
        (cavity, border)
    }

    fn add(&mut self, corners: [u32; 4]) -> u32 {
        if let Some(place) = self.free.pop() {
            self.cells[place as usize] = corners;
            self.across[place as usize] = [NONE; 4];
            return place;
        }
        self.cells.push(corners);
        self.across.push([NONE; 4]);
        self.cells.len() as u32 - 1
    }

    /// Moves the last tetrahedra to places that are not used.
    fn drop_free_places(&mut self) {
        self.free.sort_unstable();
        while let Some(place) = self.free.pop() {
            let last = self.cells.len() as u32 - 1;
            self.cells.swap_remove(place as usize);
            self.across.swap_remove(place as usize);
            if place == last {
                continue;
            }
            for other in self.across[place as usize] {
                if let Some(back) = self.across.get_mut(other as usize) {
                    *back = back.map(|cell| if cell == last { place } else { cell });
                }
            }
        }
    }
}

fn with(mut corners: [Site; 4], k: usize, site: Site) -> [Site; 4] {
    corners[k] = site;
    corners
}

/// Six times the volume, positive if the first three corners are seen counter-clockwise from the side away
/// from the fourth.
fn volume([a, b, c, d]: [Site; 4]) -> i128 {
    determinant([a, b, c].map(|p| [0, 1, 2].map(|k| i128::from(p[k] - d[k]))))
}

fn determinant([u, v, w]: [[i128; 3]; 3]) -> i128 {
    u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0])
        + u[2] * (v[0] * w[1] - v[1] * w[0])
}

/// Whether a point is strictly inside the sphere around a tetrahedron of positive volume.
fn in_sphere(corners: [Site; 4], site: Site) -> bool {
    let rows = corners.map(|p| [0, 1, 2].map(|k| i128::from(p[k] - site[k])));
    let lift = rows.map(|[x, y, z]| x * x + y * y + z * z);
    let minor = |a: usize, b: usize, c: usize| determinant([rows[a], rows[b], rows[c]]);
    // The determinant of the rows (x, y, z, x² + y² + z²), by its last column.
    let sum = lift[3] * minor(0, 1, 2) - lift[2] * minor(0, 1, 3) + lift[1] * minor(0, 2, 3)
        - lift[0] * minor(1, 2, 3);
    sum > 0
}

/// The bits of the coordinates in turn (Morton 1966): sites in this order are near those before.
fn interleaved(site: Site) -> u64 {
    (0..21).fold(0, |key, bit| (0..3).fold(key, |key, k| key | (site[k] as u64 >> bit & 1) << (3 * bit + k)))
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use sudar_testing::Random;

    /// No site inside any sphere, neighbours that agree, and volumes that fill the cube.
    fn check(mesh: &Delaunay) {
        let mut sum = 0;
        for cell in 0..mesh.cells.len() as u32 {
            let corners = mesh.corners(cell);
            assert!(volume(corners) > 0);
            sum += volume(corners);
            assert!(mesh.sites.iter().all(|site| !in_sphere(corners, *site)));
            for k in 0..4 {
                let other = mesh.across[cell as usize][k];
                let face: Vec<u32> =
                    (0..4).filter(|&l| l != k).map(|l| mesh.cells[cell as usize][l]).collect();
                if other == NONE {
                    let on = |axis: usize, x: i32| face.iter().all(|&i| mesh.sites[i as usize][axis] == x);
                    assert!((0..3).any(|axis| on(axis, 0) || on(axis, LAST)));
                } else {
                    assert!(mesh.across[other as usize].contains(&cell));
                    assert!(face.iter().all(|i| mesh.cells[other as usize].contains(i)));
                }
            }
        }
        assert_eq!(sum, 6 * i128::from(LAST).pow(3));
    }

    #[test]
    fn a_point_is_inside_a_sphere_or_not() {
        // The sphere around these has its centre at (1, 1, 1) and goes through (2, 2, 2).
        let corners = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]];
        let corners =
            if volume(corners) > 0 { corners } else { [corners[1], corners[0], corners[2], corners[3]] };
        assert!(in_sphere(corners, [1, 1, 1]) && in_sphere(corners, [2, 2, 1]));
        assert!(!in_sphere(corners, [2, 2, 2]) && !in_sphere(corners, [3, 1, 1]));
    }

    #[test]
    fn meshes_are_delaunay_and_fill_the_cube() {
        let mut rng = Random::new(3);
        for range in [3, 40, LAST - 1] {
            let one = |_: usize| [0; 3].map(|_| rng.random_range(1..=range));
            check(&Delaunay::of((0..60).map(one).collect()));
        }
        // All in one plane, in a row, and on a sphere, as corners of boxes are.
        check(&Delaunay::of((0..25).map(|i| [1 + i % 5, 1 + i / 5, 7]).collect()));
        check(&Delaunay::of((0..20).map(|i| [1 + i, 1 + i, 1 + i]).collect()));
        check(&Delaunay::of((0..27).map(|i| [9 + i % 3, 9 + i / 3 % 3, 9 + i / 9]).collect()));
        check(&Delaunay::of(Vec::new()));
    }
}
