//! Surfaces of which it is known where they meet themselves.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};
use sudar::effort::Budget;
use sudar::query::{Body, Intersection, StopReason, Work, contacts, self_intersections, self_intersects};
use sudar::{Aabb, Mesh, Pose, Sphere};
use sudar_testing::Random;
use sudar_testing::meshes::{cells, ring};

fn found(mesh: &Mesh) -> Vec<[u32; 2]> {
    self_intersections(Body::new(mesh.clone()).at(&Pose::IDENTITY))
}

fn turned() -> Pose {
    Pose::new(DVec3::new(0.3, -7.0, 2.0), DQuat::from_xyzw(0.1, -0.7, 0.4, 0.5).normalize()).unwrap()
}

/// Rows from pole to pole; the poles are vertices of triangles without area as well.
fn ball(n: u32, bulge: impl Fn(DVec3) -> f64) -> Mesh {
    let point = |k: u32| {
        let (theta, phi) = (f64::from(k / n) / f64::from(n) * PI, f64::from(k % n) / f64::from(n) * TAU);
        let p = match k / n {
            0 => DVec3::Z,
            row if row == n => -DVec3::Z,
            _ => DVec3::new(theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos()),
        };
        p * bulge(p)
    };
    Mesh::new((0..(n + 1) * n).map(point).collect(), cells(n, n, |i, j| i * n + j % n)).unwrap()
}

#[test]
fn clean_surfaces_do_not_meet_themselves_wherever_they_stand() {
    let torus =
        ring(60, 24, |u, v| DVec3::new((2.0 + v.cos()) * u.cos(), (2.0 + v.cos()) * u.sin(), v.sin()));
    let dented = ball(30, |p| 1.0 + 0.2 * (5.0 * p.x).sin() * (4.0 * p.y).cos());
    let cuboid = Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::splat(3.0) });
    for mesh in [torus, ball(20, |_| 1.0), dented, cuboid] {
        let body = Body::new(mesh);
        for pose in [Pose::IDENTITY, turned()] {
            assert_eq!(self_intersections(body.at(&pose)), Vec::<[u32; 2]>::new());
            assert_eq!(self_intersects(body.at(&pose)), Intersection::Apart);
        }
    }
    let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
    assert!(self_intersections(ball.at(&Pose::IDENTITY)).is_empty());
}

#[test]
fn two_boxes_in_one_mesh_meet_as_two_bodies_do() {
    let first = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
    for by in [DVec3::splat(0.3), DVec3::new(1.0, 0.25, 0.125), DVec3::new(0.5, 0.0, 0.0625)] {
        let second = first.mapped(|p| p + by).unwrap();
        let vertices = [first.vertices(), second.vertices()].concat();
        let triangles = first.triangles().iter().copied();
        let triangles = triangles.chain(second.triangles().iter().map(|t| t.map(|i| i + 8)));
        let both = Mesh::new(vertices, triangles.collect()).unwrap();
        let (a, b) = (Body::new(first.clone()), Body::new(second));
        let of_two = contacts(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY));
        let expected: Vec<_> = of_two.into_iter().map(|[i, j]| [i, j + 12]).collect();
        assert!(!expected.is_empty());
        assert_eq!(found(&both), expected);
    }
}

#[test]
fn a_strip_folded_flat_meets_itself_cell_by_cell_and_not_before() {
    let (half, rows) = (6, 3);
    // Folded at x = half by an angle: flat at π.
    let strip = |turn: f64| {
        let place = |k: u32| {
            let (x, y) = (f64::from(k % (2 * half + 1)), f64::from(k / (2 * half + 1)));
            let beyond = (x - f64::from(half)).max(0.0);
            DVec3::new(x.min(f64::from(half)) + beyond * turn, y, beyond * (1.0 + turn))
        };
        let vertices = (0..(2 * half + 1) * (rows + 1)).map(place).collect();
        Mesh::new(vertices, cells(rows, 2 * half, |i, j| i * (2 * half + 1) + j)).unwrap()
    };
    assert!(found(&strip(1.0)).is_empty());
    assert!(found(&strip(-1.0 + f64::EPSILON)).is_empty());
    // The diagonals of a cell and of the one that comes to lie on it cross: each of the two triangles overlaps both
    // of the other. All else touches along edges and at corners that coincide.
    let mut expected = Vec::new();
    for row in 0..rows {
        for cell in 0..half {
            let [low, high] = [cell, 2 * half - 1 - cell].map(|j| 2 * (row * 2 * half + j));
            expected.extend([[low, high], [low, high + 1], [low + 1, high], [low + 1, high + 1]]);
        }
    }
    expected.sort_unstable();
    assert_eq!(found(&strip(-1.0)), expected);
}

#[test]
fn a_klein_bottle_meets_itself_along_its_circle() {
    let (n, m) = (80, 40);
    // The figure-8 immersion with radius 3: it passes through itself at v = 0 and π, on the circle of radius 3.
    let point = |u: f64, v: f64| {
        let (sin, cos) = (u / 2.0).sin_cos();
        let out = 3.0 + cos * v.sin() - sin * (2.0 * v).sin();
        DVec3::new(out * u.cos(), out * u.sin(), sin * v.sin() + cos * (2.0 * v).sin())
    };
    let angle = |i: u32, n: u32, offset: f64| (f64::from(i) + offset) / f64::from(n) * TAU;
    let vertices = (0..n * m).map(|k| point(angle(k / m, n, 0.0), angle(k % m, m, 0.5))).collect();
    // After one turn v has become −v: column j, half a step beyond v = 0, is then column m − 1 − j.
    let at = |i: u32, j: u32| if i == n { m - 1 - j % m } else { i * m + j % m };
    let mesh = Mesh::new(vertices, cells(n, m, at)).unwrap();
    assert!(mesh.topology().is_closed() && mesh.topology().is_manifold());
    let pairs = found(&mesh);
    let from_circle = |p: DVec3| DVec3::new(p.truncate().length() - 3.0, p.z, 0.0).length();
    let mut round = vec![0; n as usize];
    for t in pairs.iter().flatten() {
        let corners = mesh.triangle(*t).corners();
        // No edge is longer than 0.6, so that a triangle that reaches the circle lies within that of it.
        assert!(corners.iter().all(|p| from_circle(*p) < 0.6), "triangle {t}");
        round[*t as usize / (2 * m) as usize] += 1;
    }
    assert!(round.iter().all(|&n| n > 0), "the two sheets cross all the way round");
}

/// A ball whose vertices were moved anyhow.
fn crumpled(seed: u64) -> Mesh {
    let mut r = Random::new(seed);
    ball(24, |_| 1.0).mapped(|p| p + r.point() * 0.1).unwrap()
}

#[test]
fn joining_goes_by_position_and_turning_changes_nothing() {
    let mesh = ball(24, |p| 1.0 - 1.3 * (3.0 * p.x + 2.0 * p.y).sin().abs());
    let n = mesh.triangles().len() as u32;
    let own_corners = (0..n).flat_map(|i| mesh.triangle(i).corners()).collect();
    let soup = Mesh::new(own_corners, (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap();
    let pairs = found(&mesh);
    assert!(pairs.len() > 20);
    assert_eq!(found(&soup), pairs);
    let wild = crumpled(1);
    let pairs = found(&wild);
    assert!(pairs.len() > 50);
    // No two triangles in the same plane or just touching here, so that rounding decides nothing.
    assert_eq!(self_intersections(Body::new(wild).at(&turned())), pairs);
}

#[test]
fn a_budget_shortens_the_list_and_says_so() {
    let body = Body::new(crumpled(2));
    let all = self_intersections(body.at(&Pose::IDENTITY));
    let mut known = 0;
    for nodes in [0, 1, 10, 100, 1000, 100_000] {
        let mut work = Work::new(Budget::nodes(nodes));
        let some = work.self_intersections(body.at(&Pose::IDENTITY));
        assert!(work.statistics().nodes <= nodes);
        assert!(some.found.iter().all(|pair| all.binary_search(pair).is_ok()));
        assert!(some.found.is_sorted() && some.found.len() >= known);
        assert!(!some.complete || some.found == all);
        known = some.found.len();
    }
    assert_eq!(known, all.len());
    let mut none = Work::new(Budget::nodes(0));
    let unknown = Intersection::Undecided(StopReason::Budget);
    assert_eq!(none.self_intersects(body.at(&Pose::IDENTITY)), unknown);
}
