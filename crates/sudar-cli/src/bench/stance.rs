//! Where two copies of a mesh stand while queries are measured.

use std::f64::consts::{PI, TAU};

use anyhow::Result;
use libm::{cos, sin};
use sudar::query::{self, Body, DistanceOptions};
use sudar::{DVec3, Mesh, MeshError, Pose};
use sudar_reproduce::Random;

/// How far the second body is from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// As far as it is large.
    Far,
    /// A hundredth of that.
    Near,
    /// As much in each other.
    Touching,
}

impl Place {
    pub const ALL: [Self; 3] = [Self::Far, Self::Near, Self::Touching];

    pub fn name(self) -> &'static str {
        match self {
            Self::Far => "far",
            Self::Near => "near",
            Self::Touching => "touching",
        }
    }

    /// The gap between the two, for bodies of size 1; below zero for how far they are moved in after the first contact.
    fn gap(self) -> f64 {
        match self {
            Self::Far => 1.0,
            Self::Near => 0.01,
            Self::Touching => -0.01,
        }
    }
}

/// Poses of two bodies, and a point beside the first.
#[derive(Debug, Clone, Copy)]
pub struct Stance {
    pub here: Pose,
    pub there: Pose,
    pub beside: DVec3,
}

impl Stance {
    /// From the point beside the first body to the place of this body.
    pub fn way(&self) -> DVec3 {
        self.here.translation() - self.beside
    }
}

/// Random turns and directions, the second body moved towards the first until the gap is that of the place.
pub fn stances(body: &Body, place: Place, count: u32) -> Result<Vec<Stance>> {
    // The same poses for every query and on every machine.
    let mut random = Random::new(7);
    (0..count).map(|_| stance(body, place, &mut random)).collect()
}

fn stance(body: &Body, place: Place, random: &mut Random) -> Result<Stance> {
    let bounds = body.bounds(&Pose::IDENTITY);
    let size = bounds.extent().length();
    let about_center =
        |turn, at: DVec3| -> Result<Pose> { Ok(Pose::new(at - turn * bounds.center(), turn)?) };
    let here = about_center(random.rotation(), DVec3::ZERO)?;
    let (turn, way) = (random.rotation(), random.direction());
    let gap = place.gap() * size;
    let mut along = 2.0 * size + gap.max(0.0);
    // Moved by what is left of the gap, a body cannot come nearer than that.
    for _ in 0..40 {
        let there = about_center(turn, way * along)?;
        let found = query::distance(body.at(&here), body.at(&there), &DistanceOptions::EXACT).interval.lower;
        let left = found - gap.max(0.0);
        along -= left.max(0.0);
        if left <= 1e-3 * gap.abs() {
            break;
        }
    }
    let there = about_center(turn, way * (along + gap.min(0.0)))?;
    let beside = way * 0.5 * (size + gap.max(0.0));
    Ok(Stance { here, there, beside })
}

/// A closed mesh of 4n·(n − 1) triangles: a sphere of radius 1 with waves of a tenth.
pub fn bumpy_sphere(n: u32) -> Result<Mesh, MeshError> {
    let around = 2 * n;
    let point = |i: u32, j: u32| {
        let (up, turn) = (PI * f64::from(i) / f64::from(n), TAU * f64::from(j) / f64::from(around));
        let radius = 1.0 + 0.1 * sin(5.0 * up) * sin(up) * sin(7.0 * turn);
        radius * DVec3::new(sin(up) * cos(turn), sin(up) * sin(turn), cos(up))
    };
    let mut vertices = vec![DVec3::Z];
    vertices.extend((1..n).flat_map(|i| (0..around).map(move |j| (i, j))).map(|(i, j)| point(i, j)));
    vertices.push(-DVec3::Z);
    let last = vertices.len() as u32 - 1;
    let at = |i: u32, j: u32| match i {
        0 => 0,
        i if i == n => last,
        i => 1 + (i - 1) * around + j % around,
    };
    let cell = |i: u32, j: u32| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    let triangles = (0..n).flat_map(|i| (0..around).flat_map(move |j| cell(i, j)));
    Mesh::new(vertices, triangles.filter(|[a, b, c]| a != b && b != c && c != a).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use sudar::{Aabb, Solid};

    #[test]
    fn the_bumpy_sphere_is_closed() {
        let sphere = bumpy_sphere(10).unwrap();
        assert_eq!(sphere.triangles().len(), 4 * 10 * 9);
        assert!(Solid::new(Arc::new(sphere)).is_ok());
    }

    #[test]
    fn bodies_stand_as_far_apart_as_their_place_says() {
        let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
        let size = f64::sqrt(3.0);
        for place in Place::ALL {
            for at in stances(&cube, place, 20).unwrap() {
                let apart = query::distance(cube.at(&at.here), cube.at(&at.there), &DistanceOptions::EXACT);
                let (found, gap) = (apart.interval.upper, place.gap().max(0.0) * size);
                assert!((found - gap).abs() <= 0.01 * gap, "{place:?}: {found} for {gap}");
            }
        }
    }
}
