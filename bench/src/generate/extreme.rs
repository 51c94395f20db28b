//! Meshes that are hard in one way each: slender, flat and parallel, repeated, nested, tiny or huge. Every
//! family exists in any number of triangles, so that growth can be seen.

use std::f64::consts::TAU;

use anyhow::{Result, ensure};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::{Mesh, Pose};

use super::{direction, globe};

/// A way of being hard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Triangles a thousand times as long as wide, at random in a ball that grows with their number.
    Needles,
    /// One long zigzag band, a hundred times as long as wide, coiled up.
    Strip,
    /// A disc of triangles around one corner.
    Fan,
    /// A flat square of equal cells.
    Sheet,
    /// A bar with teeth.
    Comb,
    /// Eight spheres one in the other.
    Shells,
    /// One triangle again and again.
    Repeated,
    /// A sphere of a radius of 1e-12.
    Tiny,
    /// A sphere of a radius of 1e9.
    Huge,
}

/// All of them.
pub const FAMILIES: [Family; 9] = [
    Family::Needles,
    Family::Strip,
    Family::Fan,
    Family::Sheet,
    Family::Comb,
    Family::Shells,
    Family::Repeated,
    Family::Tiny,
    Family::Huge,
];

/// Two bodies of one mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Side by side, near each other.
    Apart,
    /// One in the other.
    Across,
}

impl Family {
    /// As in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Needles => "needles",
            Self::Strip => "strip",
            Self::Fan => "fan",
            Self::Sheet => "sheet",
            Self::Comb => "comb",
            Self::Shells => "shells",
            Self::Repeated => "repeated",
            Self::Tiny => "tiny",
            Self::Huge => "huge",
        }
    }

    /// About its size.
    pub fn size(self, n: u32) -> f64 {
        match self {
            Self::Needles => needle_ball(n),
            Self::Strip | Self::Fan | Self::Sheet | Self::Comb | Self::Shells | Self::Repeated => 1.0,
            Self::Tiny => 1e-12,
            Self::Huge => 1e9,
        }
    }

    /// A mesh of `n` triangles or a few less.
    ///
    /// # Errors
    /// If `n` is below 200.
    pub fn mesh(self, n: u32) -> Result<Mesh> {
        ensure!(n >= 200, "these meshes need at least 200 triangles");
        match self {
            Self::Needles => needles(n),
            Self::Strip => strip(n),
            Self::Fan => fan(n),
            Self::Sheet => sheet(n),
            Self::Comb => comb(n),
            Self::Shells => shells(n),
            Self::Repeated => repeated(n),
            Self::Tiny | Self::Huge => Ok(sphere(n)?.mapped(|p| p * self.size(n))?),
        }
    }

    /// Where the second of two such meshes stands, by the first.
    ///
    /// # Errors
    /// None that is known.
    pub fn pose(self, place: Place, n: u32) -> Result<Pose> {
        let size = self.size(n);
        let way = match (self, place) {
            (Self::Fan | Self::Sheet | Self::Repeated, Place::Apart) => DVec3::new(0.01, 0.02, 0.1),
            (Self::Repeated, Place::Across) => DVec3::new(0.3, 0.2, 0.0),
            (Self::Fan | Self::Sheet, Place::Across) => DVec3::new(0.31, 0.23, 0.0),
            (Self::Comb, Place::Apart) => DVec3::new(0.0, 0.0, 0.21),
            (Self::Strip, Place::Apart) => DVec3::new(0.0, 0.0, 0.11),
            (Self::Needles | Self::Shells | Self::Tiny | Self::Huge, Place::Apart) => {
                DVec3::new(1.6, 1.2, 0.0) * 1.05
            }
            (
                Self::Needles | Self::Strip | Self::Comb | Self::Shells | Self::Tiny | Self::Huge,
                Place::Across,
            ) => DVec3::new(0.11, 0.07, 0.031),
        };
        Ok(Pose::from_translation(way * size)?)
    }
}

/// Three corners of its own for each triangle.
fn soup(corners: Vec<DVec3>) -> Result<Mesh> {
    let count = (corners.len() / 3) as u32;
    Ok(Mesh::new(corners, (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())?)
}

/// The radius of a ball with as many needles in each part of it, however many there are.
fn needle_ball(n: u32) -> f64 {
    libm::cbrt(f64::from(n) / 1000.0)
}

fn needles(n: u32) -> Result<Mesh> {
    let mut random = Pcg64::seed_from_u64(1);
    let mut needle = || {
        let middle = DVec3::from(direction::<3>(&mut random)) * libm::cbrt(random.random_range(0.0..1.0));
        let (along, across) = (direction::<3>(&mut random).into(), DVec3::from(direction::<3>(&mut random)));
        let (middle, half): (DVec3, DVec3) = (middle * needle_ball(n), along);
        [middle - half * 0.1, middle + half * 0.1, middle + half * 0.1 + across * 2e-4]
    };
    soup((0..n).flat_map(|_| needle()).collect())
}

/// Two rows of corners and the triangles between them.
fn band(count: u32, corner: impl Fn(u32, u32) -> DVec3) -> Result<Mesh> {
    let corners = (0..=count).flat_map(|i| [corner(i, 0), corner(i, 1)]).collect();
    Ok(Mesh::new(corners, (0..2 * count).map(|i| [i, i + 1, i + 2]).collect())?)
}

fn strip(n: u32) -> Result<Mesh> {
    let turns = 100.0 / TAU;
    let corner = |i: u32, side: u32| {
        let angle = TAU * turns * f64::from(i) / f64::from(n / 2);
        let radius = 0.4 + 0.6 * f64::from(i) / f64::from(n / 2);
        let (s, c) = libm::sincos(angle);
        DVec3::new(radius * c, radius * s, 0.1 * f64::from(side))
    };
    band(n / 2, corner)
}

fn fan(n: u32) -> Result<Mesh> {
    let rim = |i: u32| {
        let (s, c) = libm::sincos(TAU * f64::from(i) / f64::from(n));
        DVec3::new(c, s, 0.0)
    };
    let corners = std::iter::once(DVec3::ZERO).chain((0..n).map(rim)).collect();
    Ok(Mesh::new(corners, (0..n).map(|i| [0, 1 + i, 1 + (i + 1) % n]).collect())?)
}

fn sheet(n: u32) -> Result<Mesh> {
    let cells = f64::from(n / 2).sqrt() as u32;
    let number = |i: u32, j: u32| i * (cells + 1) + j;
    let all = |end: u32| (0..end).flat_map(move |i| (0..end).map(move |j| (i, j)));
    let corners = all(cells + 1).map(|(i, j)| DVec3::new(f64::from(i), f64::from(j), 0.0) / f64::from(cells));
    let halves = all(cells).flat_map(|(i, j)| {
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    Ok(Mesh::new(corners.collect(), halves.collect())?)
}

fn comb(n: u32) -> Result<Mesh> {
    let teeth = n / 12;
    let pitch = 1.0 / f64::from(teeth);
    let tooth = |i: u32| {
        let x = pitch * f64::from(i);
        let (min, max) = (DVec3::new(x, 0.0, 0.0), DVec3::new(x + 0.4 * pitch, 0.02, 0.2));
        Mesh::from_aabb(sudar::Aabb { min, max })
    };
    Ok(Mesh::joined(&(0..teeth).map(tooth).collect::<Vec<_>>())?)
}

fn sphere(n: u32) -> Result<Mesh> {
    let rings = (f64::from(n).sqrt() / 2.0) as u32;
    globe(rings.max(3), 2 * rings.max(3))
}

fn shells(n: u32) -> Result<Mesh> {
    let one = sphere(n / 8)?;
    let all: Result<Vec<Mesh>, _> = (0..8).map(|i| one.mapped(|p| p * (1.0 - 0.05 * f64::from(i)))).collect();
    Ok(Mesh::joined(&all?)?)
}

fn repeated(n: u32) -> Result<Mesh> {
    soup((0..n).flat_map(|_| [DVec3::ZERO, DVec3::X, DVec3::Y]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_about_as_many_triangles_as_it_is_told() {
        for family in FAMILIES {
            for n in [200, 3000] {
                let count = family.mesh(n).unwrap().triangles().len() as f64 / f64::from(n);
                assert!((0.6..=1.0).contains(&count), "{}: {count}", family.name());
            }
            assert!(family.mesh(100).is_err());
        }
    }

    #[test]
    fn sizes_are_what_they_say() {
        for family in FAMILIES {
            let aabb = family.mesh(400).unwrap().aabb();
            let size = (aabb.max - aabb.min).max_element() / family.size(400);
            assert!((0.8..2.5).contains(&size), "{}: {size}", family.name());
        }
    }
}
