//! Pairs of small meshes by class, most of them degenerate in some way.

use std::sync::Arc;

use rand::RngExt;
use rand_pcg::Pcg64;
use sudar::{Aabb, DQuat, DVec3, Mesh, Pose};

use super::truth::Placed;

/// What is special about a pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    Soups,
    GridSoups,
    GridsApart,
    Patches,
    LargePatch,
    Slivers,
    Degenerate,
    OnePlane,
    BoxesAtPlay,
    Nested,
    Shells,
    SameMesh,
    ParallelFaces,
    UlpGaps,
    FarOff,
    TinyOrHuge,
    LargeAndSmall,
    Pythagorean,
}

/// All classes.
pub const CLASSES: [Class; 18] = [
    Class::Soups,
    Class::GridSoups,
    Class::GridsApart,
    Class::Patches,
    Class::LargePatch,
    Class::Slivers,
    Class::Degenerate,
    Class::OnePlane,
    Class::BoxesAtPlay,
    Class::Nested,
    Class::Shells,
    Class::SameMesh,
    Class::ParallelFaces,
    Class::UlpGaps,
    Class::FarOff,
    Class::TinyOrHuge,
    Class::LargeAndSmall,
    Class::Pythagorean,
];

impl Class {
    /// For the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Soups => "soups",
            Self::GridSoups => "soups on one grid",
            Self::GridsApart => "soups on a grid, apart",
            Self::Patches => "patches with shared edges",
            Self::LargePatch => "patch of 288 triangles",
            Self::Slivers => "slivers",
            Self::Degenerate => "without area",
            Self::OnePlane => "all in one plane",
            Self::BoxesAtPlay => "boxes, touching in all ways",
            Self::Nested => "solids, nested",
            Self::Shells => "spheres, one in the other",
            Self::SameMesh => "the same mesh twice",
            Self::ParallelFaces => "parallel faces",
            Self::UlpGaps => "ulps from touching",
            Self::FarOff => "far off, to 1e15",
            Self::TinyOrHuge => "1e-80 to 1e80",
            Self::LargeAndSmall => "large and small",
            Self::Pythagorean => "whole distances",
        }
    }

    /// A random pair of this class.
    pub fn pair(self, r: &mut Pcg64) -> [Placed; 2] {
        match self {
            Self::Soups => soups(r),
            Self::GridSoups => on_grid(r, 0..=3),
            Self::GridsApart => on_grid(r, 5..=9),
            Self::Patches => patches(r, 5),
            Self::LargePatch => patches(r, 12),
            Self::Slivers => slivers(r),
            Self::Degenerate => degenerate(r),
            Self::OnePlane => one_plane(r),
            Self::BoxesAtPlay => boxes(r),
            Self::Nested => nested(r),
            Self::Shells => shells(r),
            Self::SameMesh => same(r),
            Self::ParallelFaces => parallel_faces(r),
            Self::UlpGaps => ulp_gaps(r),
            Self::FarOff => far_off(r),
            Self::TinyOrHuge => scaled(r),
            Self::LargeAndSmall => large_and_small(r),
            Self::Pythagorean => pythagorean(r),
        }
    }
}

pub fn vector(r: &mut Pcg64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| r.random_range(-1.0..1.0)))
}

pub fn whole(r: &mut Pcg64, n: i32) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| f64::from(r.random_range(-n..=n))))
}

/// A random rotation and a translation of up to `far` in each coordinate.
pub fn any_pose(r: &mut Pcg64, far: f64) -> Pose {
    let q = loop {
        let q = DQuat::from_array(std::array::from_fn(|_| r.random_range(-1.0..1.0)));
        if q.length_squared() > 0.01 {
            break q.normalize();
        }
    };
    Pose::new(vector(r) * far, q).unwrap()
}

fn shift(by: DVec3) -> Pose {
    Pose::from_translation(by).unwrap()
}

/// A rotation that takes axes to axes, so that whole numbers stay whole.
fn turn(r: &mut Pcg64, by: DVec3) -> Pose {
    const TURNS: [[f64; 4]; 6] = [
        [0., 0., 0., 1.],
        [1., 0., 0., 0.],
        [0., 1., 0., 0.],
        [0., 0., 1., 0.],
        [0.5, 0.5, 0.5, 0.5],
        [-0.5, 0.5, -0.5, 0.5],
    ];
    Pose::new(by, DQuat::from_array(TURNS[r.random_range(0..6)])).unwrap()
}

fn loose(corners: Vec<DVec3>) -> Mesh {
    let triangles = (0..corners.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Mesh::new(corners, triangles).unwrap()
}

fn place(mesh: Mesh, pose: Pose) -> Placed {
    Placed::new(&Arc::new(mesh), false, pose)
}

fn soup(r: &mut Pcg64, most: usize, size: f64) -> Mesh {
    let n = r.random_range(1..=most);
    let corners = (0..n).flat_map(|_| {
        let at = vector(r);
        [vector(r), vector(r), vector(r)].map(|p| at + p * size)
    });
    loose(corners.collect())
}

fn soups(r: &mut Pcg64) -> [Placed; 2] {
    let far = if r.random() { 1.0 } else { 4.0 };
    let size = if r.random() { 0.5 } else { 0.1 };
    [place(soup(r, 24, size), any_pose(r, 1.0)), place(soup(r, 24, size), any_pose(r, far))]
}

fn grid_soup(r: &mut Pcg64, most: usize) -> Mesh {
    let n = r.random_range(1..=most);
    let mut corners: Vec<_> = (0..3 * n).map(|_| whole(r, 2)).collect();
    // A mesh of nothing but the origin would be fine, too, but is refused if it is anything but exactly that.
    corners[0].x += 1.0;
    loose(corners)
}

fn on_grid(r: &mut Pcg64, away: std::ops::RangeInclusive<i32>) -> [Placed; 2] {
    let mut by = whole(r, 2);
    by[r.random_range(0..3)] = f64::from(r.random_range(away));
    [place(grid_soup(r, 10), turn(r, DVec3::ZERO)), place(grid_soup(r, 10), turn(r, by))]
}

/// A sheet of `n × n` cells over the unit square, its vertices shared.
pub fn patch(n: u32, mut height: impl FnMut(u32, u32) -> f64) -> Mesh {
    let at = |i: u32| f64::from(i) / f64::from(n) - 0.5;
    let points = (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j)));
    let vertices = points.map(|(i, j)| DVec3::new(at(i), at(j), height(i, j))).collect();
    let number = |i: u32, j: u32| i * (n + 1) + j;
    let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    Mesh::new(vertices, triangles.collect()).unwrap()
}

fn rough_patch(r: &mut Pcg64, n: u32) -> Mesh {
    let rough = [0.0, 0.02, 0.3][r.random_range(0..3)];
    patch(n, |_, _| r.random_range(-1.0..=1.0) * rough)
}

fn patches(r: &mut Pcg64, n: u32) -> [Placed; 2] {
    let other = if n > 8 { soup(r, 6, 0.2) } else { rough_patch(r, 3) };
    let far = if r.random() { 0.4 } else { 1.5 };
    [place(rough_patch(r, n), any_pose(r, 0.1)), place(other, any_pose(r, far))]
}

fn sliver(r: &mut Pcg64) -> [DVec3; 3] {
    let (p, q) = (vector(r), vector(r));
    [p, q, p + (q - p) * r.random_range(-0.5..1.5) + vector(r) * 10_f64.powi(r.random_range(-17..-3))]
}

fn slivers(r: &mut Pcg64) -> [Placed; 2] {
    let mut mesh = || loose((0..r.random_range(1..10)).flat_map(|_| sliver(r)).collect());
    let (a, b) = (mesh(), mesh());
    [place(a, any_pose(r, 0.5)), place(b, any_pose(r, 2.0))]
}

fn without_area(r: &mut Pcg64) -> [DVec3; 3] {
    let p = whole(r, 2) + DVec3::splat(0.25);
    let q = if r.random() { p } else { p + whole(r, 2) };
    let t = [p, q, p + (q - p) * f64::from(r.random_range(-1..=2))];
    if r.random_range(0..4) == 0 { [vector(r), p, q] } else { t }
}

fn degenerate(r: &mut Pcg64) -> [Placed; 2] {
    let mut mesh = || loose((0..r.random_range(1..8)).flat_map(|_| without_area(r)).collect());
    let (a, b) = (mesh(), mesh());
    let by = whole(r, 3) * if r.random() { 1.0 } else { 0.5 };
    let pose = if r.random() { turn(r, by) } else { any_pose(r, 4.0) };
    [place(a, Pose::IDENTITY), place(b, pose)]
}

/// Corners i·u + j·v, exactly.
fn one_plane(r: &mut Pcg64) -> [Placed; 2] {
    let (u, v) = ([DVec3::X, DVec3::new(1.0, 2.0, -1.0)][r.random_range(0..2)], DVec3::new(0.0, 1.0, 3.0));
    let mut mesh = |away: i32| {
        let mut point = || u * f64::from(r.random_range(0..4) + away) + v * f64::from(r.random_range(-3..4));
        loose((0..15).map(|_| point()).collect())
    };
    let (a, b) = (mesh(0), mesh(3));
    let away = f64::from(r.random_range(0..3));
    [place(a, Pose::IDENTITY), place(b, shift(u * away))]
}

fn cuboid(r: &mut Pcg64) -> Mesh {
    let size = DVec3::from_array(std::array::from_fn(|_| f64::from(r.random_range(1..=3))));
    Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: size })
}

fn solid(mesh: Mesh, solid: bool, pose: Pose) -> Placed {
    Placed::new(&Arc::new(mesh), solid, pose)
}

/// Whole boxes in whole places: corners, edges and faces touch, coincide or miss by whole numbers.
fn boxes(r: &mut Pcg64) -> [Placed; 2] {
    let (first, second) = (r.random(), r.random());
    let by = whole(r, 4);
    [solid(cuboid(r), first, turn(r, DVec3::ZERO)), solid(cuboid(r), second, turn(r, by))]
}

fn nested(r: &mut Pcg64) -> [Placed; 2] {
    let outer = Mesh::from_aabb(Aabb { min: DVec3::splat(-2.0), max: DVec3::splat(2.0) });
    let inner = if r.random() { sphere(r, 1, 0.5) } else { cuboid(r).mapped(|p| p * 0.4).unwrap() };
    let (first, second) = (r.random_range(0..4) > 0, r.random());
    [solid(outer, first, any_pose(r, 0.3)), solid(inner, second, any_pose(r, 2.0))]
}

/// A closed ball of `12 n²` triangles with bumps.
fn sphere(r: &mut Pcg64, n: u32, radius: f64) -> Mesh {
    let unit = Aabb { min: -DVec3::ONE, max: DVec3::ONE };
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let sheet = patch(n, |_, _| 0.5 * side);
            let first = vertices.len() as u32;
            vertices.extend(sheet.vertices().iter().map(|p| {
                let mut q = DVec3::ZERO;
                (q[axis], q[(axis + 1) % 3], q[(axis + 2) % 3]) = (p.z, p.x, p.y);
                q.clamp(unit.min, unit.max).normalize()
            }));
            triangles.extend(sheet.triangles().iter().map(|t| t.map(|i| i + first)));
        }
    }
    let waves = vector(r) * 4.0;
    let bump = |p: DVec3| p * radius * (1.0 + 0.1 * libm_free_wave(waves.dot(p)));
    Mesh::new(vertices, triangles).unwrap().mapped(bump).unwrap()
}

/// Something smooth between −1 and 1 without the platform's sine.
fn libm_free_wave(x: f64) -> f64 {
    2.0 * x / (1.0 + x * x)
}

fn shells(r: &mut Pcg64) -> [Placed; 2] {
    let ratio = r.random_range(0.5..1.05);
    let (first, second) = (r.random_range(0..3) == 0, r.random_range(0..3) == 0);
    let (a, b) = (sphere(r, 2, 1.0), sphere(r, 2, ratio));
    [solid(a, first, any_pose(r, 0.02)), solid(b, second, any_pose(r, 0.02))]
}

fn same(r: &mut Pcg64) -> [Placed; 2] {
    let mesh = Arc::new(if r.random() { soup(r, 12, 0.4) } else { grid_soup(r, 8) });
    let pose = any_pose(r, 1.0);
    let other = match r.random_range(0..3) {
        0 => pose,
        1 => Pose::from_matrix(pose.rotation(), pose.translation() + vector(r) * 1e-9).unwrap(),
        _ => any_pose(r, 3.0),
    };
    [Placed::new(&mesh, false, pose), Placed::new(&mesh, false, other)]
}

/// Flat sheets above each other: many pairs are equally near.
fn parallel_faces(r: &mut Pcg64) -> [Placed; 2] {
    let (n, m) = (r.random_range(1..4), r.random_range(1..4));
    let (a, b) = (patch(n, |_, _| 0.0), patch(m, |_, _| 0.0));
    let height = 2_f64.powi(r.random_range(-20..2));
    let by = DVec3::new(r.random_range(-1.5..1.5), r.random_range(-0.5..0.5), height);
    let tilt = if r.random() { any_pose(r, 1.0) } else { Pose::IDENTITY };
    [place(a, tilt), place(b, tilt.after(&shift(by)))]
}

/// Something that touches, moved by a few units in the last place.
fn ulp_gaps(r: &mut Pcg64) -> [Placed; 2] {
    let [a, b] = match r.random_range(0..3) {
        0 => boxes(r),
        1 => on_grid(r, 3..=4),
        _ => {
            let [a, b] = soups(r);
            let (p, q) = (a.triangles[0].a, b.triangles[0].b);
            let onto = Pose::from_matrix(b.pose.rotation(), b.pose.translation() + (p - q)).unwrap();
            [a, Placed::new(&b.mesh, false, onto)]
        }
    };
    let ulps = whole(r, 3) * f64::EPSILON;
    let moved = Pose::from_matrix(b.pose.rotation(), b.pose.translation() + ulps).unwrap();
    let b = Placed::new(&b.mesh, b.solid, moved);
    [a, b]
}

fn any_of(r: &mut Pcg64) -> [Placed; 2] {
    match r.random_range(0..6) {
        0 => on_grid(r, 2..=5),
        1 => patches(r, 4),
        2 => boxes(r),
        3 => parallel_faces(r),
        4 => degenerate(r),
        _ => soups(r),
    }
}

fn far_off(r: &mut Pcg64) -> [Placed; 2] {
    let by = vector(r) * 10_f64.powf(r.random_range(3.0..15.0));
    any_of(r).map(|p| {
        let pose = Pose::from_matrix(p.pose.rotation(), p.pose.translation() + by).unwrap();
        Placed::new(&p.mesh, false, pose)
    })
}

fn scaled(r: &mut Pcg64) -> [Placed; 2] {
    let size = 10_f64.powf(r.random_range(-80.0..80.0));
    any_of(r).map(|p| {
        let mesh = p.mesh.mapped(|v| v * size).unwrap();
        let pose = Pose::from_matrix(p.pose.rotation(), p.pose.translation() * size).unwrap();
        solid(mesh, p.solid, pose)
    })
}

/// The second is up to 1e20 times smaller and sits near a corner of the first.
fn large_and_small(r: &mut Pcg64) -> [Placed; 2] {
    let size = 10_f64.powf(r.random_range(-20.0..-1.0));
    let (a, b) = (soup(r, 12, 0.4), soup(r, 12, 0.4).mapped(|p| p * size).unwrap());
    let first = any_pose(r, 1.0);
    let near = first.apply(a.vertices()[0]) + vector(r) * size * 3.0;
    let pose = Pose::from_matrix(any_pose(r, 1.0).rotation(), near).unwrap();
    [place(a, first), place(b, pose)]
}

/// Whole coordinates and a gap that is often a whole number: flat sides, or corners apart by (1, 2, 2) and the like.
fn pythagorean(r: &mut Pcg64) -> [Placed; 2] {
    const GAPS: [[f64; 3]; 6] =
        [[1., 2., 2.], [2., 3., 6.], [3., 4., 0.], [0., 0., 5.], [1., 4., 8.], [4., 4., 7.]];
    let by = DVec3::from(GAPS[r.random_range(0..6)]) * f64::from(r.random_range(1..4));
    let (a, b) = (cuboid(r), cuboid(r));
    let corner = a.aabb().max;
    let beside = if r.random() { DVec3::ZERO } else { whole(r, 2) * DVec3::new(1.0, 1.0, 0.0) };
    let both = 2_f64.powi(r.random_range(-30..30));
    let scaled = |m: Mesh| m.mapped(|p| p * both).unwrap();
    [place(scaled(a), Pose::IDENTITY), place(scaled(b), shift((corner + by + beside) * both))]
}
