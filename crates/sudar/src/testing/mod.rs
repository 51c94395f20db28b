//! What unit tests of several rooms share: random things from a seed, small meshes, and triangles as they stand.

pub(crate) mod hulls;

use std::ops::{ControlFlow, Deref, DerefMut};

use glam::{DMat3, DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::convex::Convex;
use crate::math::Pose;
use crate::shape::{Mesh, Obb, Ray, Shape, Triangle};
use crate::tree::{CandidateVisitor, Child, LeafPair, WideTree};

/// A source of random things, the same for the same seed. For what has no method here it is a generator itself.
pub(crate) struct Random(Pcg64);

impl Deref for Random {
    type Target = Pcg64;

    fn deref(&self) -> &Pcg64 {
        &self.0
    }
}

impl DerefMut for Random {
    fn deref_mut(&mut self) -> &mut Pcg64 {
        &mut self.0
    }
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    /// A number of −1..1.
    pub fn number(&mut self) -> f64 {
        self.within(-1.0, 1.0)
    }

    /// A number of `low..high`.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    /// A whole number of `low..=high`.
    pub fn whole(&mut self, low: i32, high: i32) -> f64 {
        f64::from(self.0.random_range(low..=high))
    }

    /// A point of the cube −1..1.
    pub fn point(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    /// Points of the cube −1..1.
    pub fn points<const N: usize>(&mut self) -> [DVec3; N] {
        std::array::from_fn(|_| self.point())
    }

    /// A point with whole coordinates of at most `reach`.
    pub fn grid_point(&mut self, reach: i32) -> DVec3 {
        DVec3::new(self.whole(-reach, reach), self.whole(-reach, reach), self.whole(-reach, reach))
    }

    /// Points with whole coordinates of at most `reach`.
    pub fn grid_points<const N: usize>(&mut self, reach: i32) -> [DVec3; N] {
        std::array::from_fn(|_| self.grid_point(reach))
    }

    /// A unit vector.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.point();
            if (0.01..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    /// A rotation: four numbers of −1..1 brought to unit length.
    pub fn rotation(&mut self) -> DQuat {
        let [x, y, z, w] = [(); 4].map(|()| self.number());
        DQuat::from_xyzw(x, y, z, w).normalize()
    }

    /// A pose with that translation, turned about a random direction.
    pub fn pose(&mut self, translation: DVec3) -> Pose {
        let (axis, w) = (self.direction(), self.number());
        Pose::new(translation, DQuat::from_xyzw(axis.x, axis.y, axis.z, w).normalize()).unwrap()
    }

    /// A pose with that translation, turned by up to 3 radians about each axis.
    pub fn turned(&mut self, translation: DVec3) -> Pose {
        Pose::new(translation, DQuat::from_scaled_axis(self.point() * 3.0)).unwrap()
    }

    /// A box with its centre in the cube −1..1, turned at random, with half extents of 0.1..0.9.
    pub fn obb(&mut self) -> Obb {
        let turn = DQuat::from_scaled_axis(self.point() * 3.0);
        let half = DVec3::splat(0.5) + self.point() * 0.4;
        Obb { center: self.point(), axes: DMat3::from_quat(turn), half }
    }

    /// Triangles strewn about the cube −1..1, the size of each up to `size`.
    pub fn soup(&mut self, count: usize, size: f64) -> Mesh {
        let triangle = |_| {
            let center = self.point();
            [(); 3].map(|()| center + self.point() * size)
        };
        soup((0..count).flat_map(triangle).collect())
    }
}

/// The pose that only moves.
pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).unwrap()
}

pub(crate) fn ray(origin: [f64; 3], direction: [f64; 3]) -> Ray {
    Ray { origin: origin.into(), direction: direction.into() }
}

pub(crate) fn triangle(corners: [[f64; 3]; 3]) -> Triangle {
    Triangle::from(corners.map(DVec3::from_array))
}

/// All orders of three corners.
pub(crate) const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

pub(crate) fn convex(shape: impl Into<Shape>) -> Convex {
    Convex::of(&shape.into()).unwrap()
}

/// Triangles that share no vertices, three corners each.
pub(crate) fn soup(corners: Vec<DVec3>) -> Mesh {
    let count = corners.len() as u32 / 3;
    Mesh::new(corners, (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).unwrap()
}

/// A sheet of 2n² triangles over the square of side 1 about the origin, as high as `height(x, y)`.
pub(crate) fn sheet(n: u32, mut height: impl FnMut(f64, f64) -> f64) -> Mesh {
    let at = |k: u32| f64::from(k) / f64::from(n) - 0.5;
    let places = (0..(n + 1) * (n + 1)).map(|k| (at(k % (n + 1)), at(k / (n + 1))));
    let vertices = places.map(|(x, y)| DVec3::new(x, y, height(x, y))).collect();
    let cells = (0..n * n).map(|k| k / n * (n + 1) + k % n);
    let triangles = cells.flat_map(|k| [[k, k + 1, k + n + 1], [k + 1, k + n + 2, k + n + 1]]).collect();
    Mesh::new(vertices, triangles).unwrap()
}

/// The triangles of a mesh as they stand.
pub(crate) fn posed(mesh: &Mesh, pose: &Pose) -> Vec<Triangle> {
    let corners = |i: u32| mesh.triangle(i).corners().map(|p| pose.apply(p));
    (0..mesh.triangles().len() as u32).map(|i| Triangle::from(corners(i))).collect()
}

/// The triangles below a child of a tree.
pub(crate) fn triangles_below(tree: &WideTree, child: Child) -> Vec<u32> {
    match child {
        Child::Leaf(triangles) => triangles.to_vec(),
        Child::Node(n) => tree.children(n).flat_map(|(_, child)| triangles_below(tree, child)).collect(),
    }
}

/// Every pair of triangles that a traversal shows, and how often it showed some.
#[derive(Default)]
pub(crate) struct Shown {
    pub deepest_first: bool,
    pub pairs: Vec<[u32; 2]>,
    pub calls: usize,
}

impl CandidateVisitor for Shown {
    fn deepest_first(&self) -> bool {
        self.deepest_first
    }

    fn leaves(&mut self, leaves: &LeafPair) -> ControlFlow<()> {
        self.calls += 1;
        let pairs = (0..64).filter(|k| leaves.may_meet[k / 8] >> (k % 8) & 1 == 1);
        self.pairs.extend(pairs.map(|k| [leaves.a[k / 8], leaves.b[k % 8]]));
        ControlFlow::Continue(())
    }
}
