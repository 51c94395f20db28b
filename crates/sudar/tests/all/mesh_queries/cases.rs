//! Pairs of small meshes by class, most of them degenerate in some way.

use std::sync::Arc;

use rand::RngExt;
use sudar::{Aabb, DQuat, DVec3, Mesh, Pose};
use sudar_testing::meshes::{self, sheet};
use sudar_testing::{Random, moved};

use super::truth::Placed;

/// What is special about a pair, and how one is made.
pub type Class = (&'static str, fn(&mut Random) -> [Placed; 2]);

/// All classes.
pub const CLASSES: [Class; 18] = [
    ("soups", soups),
    ("soups on one grid", |r| on_grid(r, 0..=3)),
    ("soups on a grid, apart", |r| on_grid(r, 5..=9)),
    ("patches with shared edges", |r| patches(r, 5)),
    ("patch of 288 triangles", |r| patches(r, 12)),
    ("slivers", slivers),
    ("without area", degenerate),
    ("all in one plane", one_plane),
    ("boxes, touching in all ways", boxes),
    ("solids, nested", nested),
    ("spheres, one in the other", shells),
    ("the same mesh twice", same),
    ("parallel faces", parallel_faces),
    ("ulps from touching", ulp_gaps),
    ("far off, to 1e15", far_off),
    ("1e-80 to 1e80", scaled),
    ("large and small", large_and_small),
    ("whole distances", pythagorean),
];

/// A rotation that takes axes to axes, so that whole numbers stay whole.
fn turn(r: &mut Random, by: DVec3) -> Pose {
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

fn place(mesh: Mesh, pose: Pose) -> Placed {
    Placed::new(&Arc::new(mesh), false, pose)
}

fn soup(r: &mut Random, most: usize, size: f64) -> Mesh {
    let n = r.random_range(1..=most);
    let corners = (0..n).flat_map(|_| {
        let at = r.point();
        [r.point(), r.point(), r.point()].map(|p| at + p * size)
    });
    meshes::soup(corners.collect())
}

fn soups(r: &mut Random) -> [Placed; 2] {
    let far = if r.random() { 1.0 } else { 4.0 };
    let size = if r.random() { 0.5 } else { 0.1 };
    [place(soup(r, 24, size), r.any_pose(1.0)), place(soup(r, 24, size), r.any_pose(far))]
}

fn grid_soup(r: &mut Random, most: usize) -> Mesh {
    let n = r.random_range(1..=most);
    let mut corners: Vec<_> = (0..3 * n).map(|_| r.grid_point(2)).collect();
    // A mesh of nothing but the origin would be fine, too, but is refused if it is anything but exactly that.
    corners[0].x += 1.0;
    meshes::soup(corners)
}

fn on_grid(r: &mut Random, away: std::ops::RangeInclusive<i32>) -> [Placed; 2] {
    let mut by = r.grid_point(2);
    by[r.random_range(0..3)] = f64::from(r.random_range(away));
    [place(grid_soup(r, 10), turn(r, DVec3::ZERO)), place(grid_soup(r, 10), turn(r, by))]
}

fn rough_patch(r: &mut Random, n: u32) -> Mesh {
    let rough = [0.0, 0.02, 0.3][r.random_range(0..3)];
    sheet(n, |_, _| r.random_range(-1.0..=1.0) * rough)
}

fn patches(r: &mut Random, n: u32) -> [Placed; 2] {
    let other = if n > 8 { soup(r, 6, 0.2) } else { rough_patch(r, 3) };
    let far = if r.random() { 0.4 } else { 1.5 };
    [place(rough_patch(r, n), r.any_pose(0.1)), place(other, r.any_pose(far))]
}

fn slivers(r: &mut Random) -> [Placed; 2] {
    let sliver = |r: &mut Random| {
        let (p, q) = (r.point(), r.point());
        [p, q, p + (q - p) * r.random_range(-0.5..1.5) + r.point() * 10_f64.powi(r.random_range(-17..-3))]
    };
    let mut mesh = || meshes::soup((0..r.random_range(1..10)).flat_map(|_| sliver(r)).collect());
    let (a, b) = (mesh(), mesh());
    [place(a, r.any_pose(0.5)), place(b, r.any_pose(2.0))]
}

fn without_area(r: &mut Random) -> [DVec3; 3] {
    let p = r.grid_point(2) + DVec3::splat(0.25);
    let q = if r.random() { p } else { p + r.grid_point(2) };
    let t = [p, q, p + (q - p) * f64::from(r.random_range(-1..=2))];
    if r.random_range(0..4) == 0 { [r.point(), p, q] } else { t }
}

fn degenerate(r: &mut Random) -> [Placed; 2] {
    let mut mesh = || meshes::soup((0..r.random_range(1..8)).flat_map(|_| without_area(r)).collect());
    let (a, b) = (mesh(), mesh());
    let by = r.grid_point(3) * if r.random() { 1.0 } else { 0.5 };
    let pose = if r.random() { turn(r, by) } else { r.any_pose(4.0) };
    [place(a, Pose::IDENTITY), place(b, pose)]
}

/// Corners i·u + j·v, exactly.
fn one_plane(r: &mut Random) -> [Placed; 2] {
    let (u, v) = ([DVec3::X, DVec3::new(1.0, 2.0, -1.0)][r.random_range(0..2)], DVec3::new(0.0, 1.0, 3.0));
    let mut mesh = |away: i32| {
        let mut point = || u * f64::from(r.random_range(0..4) + away) + v * f64::from(r.random_range(-3..4));
        meshes::soup((0..15).map(|_| point()).collect())
    };
    let (a, b) = (mesh(0), mesh(3));
    let away = f64::from(r.random_range(0..3));
    [place(a, Pose::IDENTITY), place(b, moved(u * away))]
}

fn cuboid(r: &mut Random) -> Mesh {
    let size = DVec3::from_array(std::array::from_fn(|_| f64::from(r.random_range(1..=3))));
    Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: size })
}

fn solid(mesh: Mesh, solid: bool, pose: Pose) -> Placed {
    Placed::new(&Arc::new(mesh), solid, pose)
}

/// Whole boxes in whole places: corners, edges and faces touch, coincide or miss by whole numbers.
fn boxes(r: &mut Random) -> [Placed; 2] {
    let (first, second) = (r.random(), r.random());
    let by = r.grid_point(4);
    [solid(cuboid(r), first, turn(r, DVec3::ZERO)), solid(cuboid(r), second, turn(r, by))]
}

fn nested(r: &mut Random) -> [Placed; 2] {
    let outer = Mesh::from_aabb(Aabb { min: DVec3::splat(-2.0), max: DVec3::splat(2.0) });
    let inner = if r.random() { sphere(r, 1, 0.5) } else { cuboid(r).mapped(|p| p * 0.4).unwrap() };
    let (first, second) = (r.random_range(0..4) > 0, r.random());
    [solid(outer, first, r.any_pose(0.3)), solid(inner, second, r.any_pose(2.0))]
}

/// A closed ball of `12 n²` triangles with bumps.
fn sphere(r: &mut Random, n: u32, radius: f64) -> Mesh {
    let unit = Aabb { min: -DVec3::ONE, max: DVec3::ONE };
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let face = sheet(n, |_, _| 0.5 * side);
            let first = vertices.len() as u32;
            vertices.extend(face.vertices().iter().map(|p| {
                let mut q = DVec3::ZERO;
                (q[axis], q[(axis + 1) % 3], q[(axis + 2) % 3]) = (p.z, p.x, p.y);
                q.clamp(unit.min, unit.max).normalize()
            }));
            triangles.extend(face.triangles().iter().map(|t| t.map(|i| i + first)));
        }
    }
    let waves = r.point() * 4.0;
    // A wave without a sine.
    let wave = |x: f64| 2.0 * x / (1.0 + x * x);
    let bump = |p: DVec3| p * radius * (1.0 + 0.1 * wave(waves.dot(p)));
    Mesh::new(vertices, triangles).unwrap().mapped(bump).unwrap()
}

fn shells(r: &mut Random) -> [Placed; 2] {
    let ratio = r.random_range(0.5..1.05);
    let (first, second) = (r.random_range(0..3) == 0, r.random_range(0..3) == 0);
    let (a, b) = (sphere(r, 2, 1.0), sphere(r, 2, ratio));
    [solid(a, first, r.any_pose(0.02)), solid(b, second, r.any_pose(0.02))]
}

fn same(r: &mut Random) -> [Placed; 2] {
    let mesh = Arc::new(if r.random() { soup(r, 12, 0.4) } else { grid_soup(r, 8) });
    let pose = r.any_pose(1.0);
    let other = match r.random_range(0..3) {
        0 => pose,
        1 => Pose::from_matrix(pose.rotation(), pose.translation() + r.point() * 1e-9).unwrap(),
        _ => r.any_pose(3.0),
    };
    [Placed::new(&mesh, false, pose), Placed::new(&mesh, false, other)]
}

/// Flat sheets above each other: many pairs are equally near.
fn parallel_faces(r: &mut Random) -> [Placed; 2] {
    let (n, m) = (r.random_range(1..4), r.random_range(1..4));
    let (a, b) = (sheet(n, |_, _| 0.0), sheet(m, |_, _| 0.0));
    let height = 2_f64.powi(r.random_range(-20..2));
    let by = DVec3::new(r.random_range(-1.5..1.5), r.random_range(-0.5..0.5), height);
    let tilt = if r.random() { r.any_pose(1.0) } else { Pose::IDENTITY };
    [place(a, tilt), place(b, tilt.after(&moved(by)))]
}

/// Something that touches, moved by a few units in the last place.
fn ulp_gaps(r: &mut Random) -> [Placed; 2] {
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
    let ulps = r.grid_point(3) * f64::EPSILON;
    let moved = Pose::from_matrix(b.pose.rotation(), b.pose.translation() + ulps).unwrap();
    let b = Placed::new(&b.mesh, b.solid, moved);
    [a, b]
}

fn any_of(r: &mut Random) -> [Placed; 2] {
    match r.random_range(0..6) {
        0 => on_grid(r, 2..=5),
        1 => patches(r, 4),
        2 => boxes(r),
        3 => parallel_faces(r),
        4 => degenerate(r),
        _ => soups(r),
    }
}

fn far_off(r: &mut Random) -> [Placed; 2] {
    let by = r.point() * 10_f64.powf(r.random_range(3.0..15.0));
    any_of(r).map(|p| {
        let pose = Pose::from_matrix(p.pose.rotation(), p.pose.translation() + by).unwrap();
        Placed::new(&p.mesh, false, pose)
    })
}

fn scaled(r: &mut Random) -> [Placed; 2] {
    let size = 10_f64.powf(r.random_range(-80.0..80.0));
    any_of(r).map(|p| {
        let mesh = p.mesh.mapped(|v| v * size).unwrap();
        let pose = Pose::from_matrix(p.pose.rotation(), p.pose.translation() * size).unwrap();
        solid(mesh, p.solid, pose)
    })
}

/// The second is up to 1e20 times smaller and sits near a corner of the first.
fn large_and_small(r: &mut Random) -> [Placed; 2] {
    let size = 10_f64.powf(r.random_range(-20.0..-1.0));
    let (a, b) = (soup(r, 12, 0.4), soup(r, 12, 0.4).mapped(|p| p * size).unwrap());
    let first = r.any_pose(1.0);
    let near = first.apply(a.vertices()[0]) + r.point() * size * 3.0;
    let pose = Pose::from_matrix(r.any_pose(1.0).rotation(), near).unwrap();
    [place(a, first), place(b, pose)]
}

/// Whole coordinates and a gap that is often a whole number: flat sides, or corners apart by (1, 2, 2) and the like.
fn pythagorean(r: &mut Random) -> [Placed; 2] {
    const GAPS: [[f64; 3]; 6] =
        [[1., 2., 2.], [2., 3., 6.], [3., 4., 0.], [0., 0., 5.], [1., 4., 8.], [4., 4., 7.]];
    let by = DVec3::from(GAPS[r.random_range(0..6)]) * f64::from(r.random_range(1..4));
    let (a, b) = (cuboid(r), cuboid(r));
    let corner = a.aabb().max;
    let beside = if r.random() { DVec3::ZERO } else { r.grid_point(2) * DVec3::new(1.0, 1.0, 0.0) };
    let both = 2_f64.powi(r.random_range(-30..30));
    let scaled = |m: Mesh| m.mapped(|p| p * both).unwrap();
    [place(scaled(a), Pose::IDENTITY), place(scaled(b), moved((corner + by + beside) * both))]
}
