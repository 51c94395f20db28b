//! Bodies whose vertices move: they answer as bodies made anew, at about the same cost, however long they have moved.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "all of this file is test code")]

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::{DQuat, DVec3};
use rand::RngExt;
use sudar::effort::Budget;
use sudar::query::{
    Body, DistanceOptions, Work, contacts, contains, distance, intersects, self_intersections,
};
use sudar::tree::Refit;
use sudar::{Mesh, Pose, Solid};
use sudar_testing::{Random, meshes};

/// A torus of radii 2 and 0.7 over angles u and v.
fn torus(rows: u32, columns: u32) -> Mesh {
    meshes::torus(rows, columns, 0.35).mapped(|p| p * 2.0).unwrap()
}

/// A sheet of 2n² triangles over the square from −1 to 1.
fn sheet(n: u32) -> Mesh {
    meshes::sheet(n, |_, _| 0.0).mapped(|p| p * 2.0).unwrap()
}

fn rotation(axis: DVec3, angle: f64, p: DVec3) -> DVec3 {
    DQuat::from_axis_angle(axis, angle) * p
}

/// Some motion of all vertices: a wave, a twist, noise, a flattening, turned inside out, elsewhere and another size.
fn motion(r: &mut Random) -> Box<dyn FnMut(DVec3) -> DVec3> {
    let (a, b) = (r.random_range(-2.0..2.0), r.random_range(0.5..4.0));
    let mut noise = Random::new(r.random());
    match r.random_range(0..7) {
        0 => Box::new(move |p| p + DVec3::Z * a * (b * p.x).sin()),
        1 => Box::new(move |p| rotation(DVec3::X, a * p.x, p)),
        2 => Box::new(move |p| p + noise.point() * 0.1),
        3 => Box::new(move |p| p + noise.point() * 2.0),
        4 => Box::new(|p| DVec3::new(p.x, p.y, 0.0)),
        5 => Box::new(move |p| -p * 10f64.powi((a * 10.0) as i32)),
        _ => Box::new(move |p| p + DVec3::splat(a * 100.0)),
    }
}

/// The body as if made now.
fn anew(body: &Body) -> Body {
    let mesh = Mesh::clone(body.mesh().unwrap());
    let mesh = Mesh::new(mesh.vertices().to_vec(), mesh.triangles().to_vec()).unwrap();
    match body.solid() {
        Some(_) => Body::new(Solid::new(Arc::new(mesh)).unwrap()),
        None => Body::new(mesh),
    }
}

/// Every box of the tree holds every triangle below it.
fn boxes_hold(body: &Body) {
    let (tree, mesh) = (body.tree().unwrap(), body.mesh().unwrap());
    let mut seen = vec![0; mesh.triangles().len()];
    fn walk(tree: &sudar::tree::WideTree, mesh: &Mesh, node: usize, seen: &mut [u32]) -> Vec<u32> {
        let mut all = Vec::new();
        for (aabb, child) in tree.children(node) {
            let below = match child {
                sudar::tree::Child::Node(n) => walk(tree, mesh, n, seen),
                sudar::tree::Child::Leaf(triangles) => {
                    triangles.iter().for_each(|&t| seen[t as usize] += 1);
                    triangles.to_vec()
                }
            };
            let held = |&t: &u32| mesh.triangle(t).corners().iter().all(|p| aabb.contains(*p));
            assert!(below.iter().all(held), "a triangle leaves a box of node {node}");
            all.extend(below);
        }
        all
    }
    walk(tree, mesh, 0, &mut seen);
    assert!(seen.iter().all(|&n| n == 1));
}

/// Asks a moved body and one made anew the same questions.
fn compare(moved: &Body, r: &mut Random) -> usize {
    let fresh = anew(moved);
    boxes_hold(moved);
    let aabb = moved.aabb(&Pose::IDENTITY);
    let size = aabb.extent().max_element().max(1e-60);
    let other = Body::new(sheet(12).mapped(|p| p * size * 0.6).unwrap());
    let mut met = 0;
    for _ in 0..3 {
        let offset = aabb.center() + r.point() * size;
        let pose = Pose::from_translation(offset).unwrap().after(&r.any_pose(0.0));
        let pairs = contacts(moved.at(&Pose::IDENTITY), other.at(&pose));
        assert_eq!(pairs, contacts(fresh.at(&Pose::IDENTITY), other.at(&pose)));
        met += usize::from(!pairs.is_empty());
        let touching = |body: &Body| intersects(body.at(&Pose::IDENTITY), other.at(&pose)).decided().unwrap();
        assert_eq!(touching(moved), touching(&fresh));
        let gap = |body: &Body| {
            distance(other.at(&pose), body.at(&Pose::IDENTITY), &DistanceOptions::EXACT).interval
        };
        let (ours, theirs) = (gap(moved), gap(&fresh));
        assert!(ours.lower <= theirs.upper && theirs.lower <= ours.upper, "{ours:?} and {theirs:?}");
        if moved.solid().is_some() {
            let p = aabb.center() + r.point() * (size / 2.0);
            let inside = |body: &Body| contains(body.at(&Pose::IDENTITY), p).unwrap();
            assert_eq!(inside(moved), inside(&fresh));
        }
    }
    met
}

#[test]
fn after_violent_motions_every_answer_is_that_of_a_new_body() {
    let mut r = Random::new(3);
    let solid = Solid::new(Arc::new(torus(24, 12))).unwrap();
    let bodies = [Body::new(sheet(16)), Body::new(torus(30, 10)), Body::new(solid), Body::new(sheet(1))];
    let (mut met, mut done) = (0, Refit::default());
    for (which, start) in bodies.iter().enumerate() {
        for _ in 0..8 {
            let mut body = start.clone();
            for _ in 0..5 {
                let mut motion = motion(&mut r);
                let moved = body.mesh().unwrap().vertices().iter().map(|p| motion(*p)).collect();
                let refit = body.move_vertices(moved).unwrap();
                done.rebuilt_triangles += refit.rebuilt_triangles;
                done.rebuilt_subtrees += refit.rebuilt_subtrees;
                met += compare(&body, &mut r);
            }
            assert_eq!(body.solid().is_some(), which == 2);
        }
    }
    assert!(met > 100 && done.rebuilt_subtrees > 30, "{met} met, {done:?}: the test lost its point");
}

#[test]
fn where_a_mesh_meets_itself_is_found_in_motion_as_at_rest() {
    let mut body = Body::new(torus(40, 12));
    let mut counts = Vec::new();
    for step in 0..12 {
        // Ends bent towards each other, and in the end through each other.
        let squeeze = |p: &DVec3| DVec3::new(p.x, p.y * (1.0 - 0.2 * f64::from(step)), p.z + 0.1 * p.x);
        let moved = torus(40, 12).vertices().iter().map(squeeze).collect();
        body.move_vertices(moved).unwrap();
        let pairs = self_intersections(body.at(&Pose::IDENTITY));
        assert_eq!(pairs, self_intersections(anew(&body).at(&Pose::IDENTITY)));
        counts.push(pairs.len());
    }
    // Flattened onto a plane at step 5, where all triangles lie in it, and clean before and after.
    assert!(counts[0] == 0 && counts[5] > 500 && counts[6] == 0, "{counts:?}");
}

/// The nodes that contacts and distances cost at a few poses.
fn nodes(body: &Body, other: &Body) -> u64 {
    let mut work = Work::new(Budget::UNLIMITED);
    let mut r = Random::new(77);
    for _ in 0..12 {
        let pose = r.any_pose(1.5);
        work.contacts(body.at(&Pose::IDENTITY), other.at(&pose));
        work.distance(body.at(&Pose::IDENTITY), other.at(&pose), &DistanceOptions::EXACT);
        work.intersects(body.at(&Pose::IDENTITY), other.at(&pose));
    }
    work.statistics().nodes
}

/// Moves a mesh over 1000 steps and compares, every 40, what queries cost with what they do for a new body. Tells the
/// worst and the mean ratio, and what part of the triangles was built again in a step on average.
fn long_path(start: &Mesh, place: impl Fn(DVec3, f64) -> DVec3) -> (f64, f64, f64) {
    let other = Body::new(torus(24, 12).mapped(|p| p * 0.25).unwrap());
    let mut body = Body::new(start.clone());
    let (mut rebuilt, mut worst, mut sum) = (0, 0.0f64, 0.0);
    for step in 1..=1000 {
        let moved = start.vertices().iter().map(|p| place(*p, f64::from(step) / 1000.0)).collect();
        rebuilt += body.move_vertices(moved).unwrap().rebuilt_triangles;
        if step % 40 == 0 {
            let ratio = nodes(&body, &other) as f64 / nodes(&anew(&body), &other) as f64;
            worst = worst.max(ratio);
            sum += ratio;
        }
    }
    (worst, sum / 25.0, rebuilt as f64 / 1000.0 / start.triangles().len() as f64)
}

#[test]
fn over_a_long_path_queries_stay_as_cheap_as_on_new_bodies() {
    let wave = |p: DVec3, t: f64| {
        let swing = 6.0 * TAU * t;
        let lift = 0.3 * (3.0 * p.x + swing).sin() + 0.2 * (4.0 * p.y - 1.7 * swing).cos();
        DVec3::new(p.x * (1.0 - 0.3 * swing.sin().abs()), p.y, p.z + lift)
    };
    let twist = |p: DVec3, t: f64| {
        let (radius, angle) = (p.truncate().length(), p.y.atan2(p.x));
        // Round the tube by more and more, and up to an eight.
        let out = rotation(DVec3::Y, 9.0 * t * angle.sin(), DVec3::new(radius - 2.0, 0.0, p.z));
        let along = 2.0 + out.x;
        DVec3::new(
            along * angle.cos(),
            along * angle.sin() * (1.0 - 0.8 * t),
            out.z + t * (2.0 * angle).sin(),
        )
    };
    let roll = |p: DVec3, t: f64| {
        // Rolled up ever more tightly, then shaken into a heap.
        let angle = 12.0 * t * (p.x + 1.0) + 1e-3;
        let out = 0.2 + 0.05 * angle;
        DVec3::new(out * angle.sin(), p.y * (1.0 - t * t), out * angle.cos())
    };
    let paths: [(&str, (f64, f64, f64)); 3] = [
        ("waving sheet", long_path(&sheet(30), wave)),
        ("twisted torus", long_path(&torus(60, 20), twist)),
        ("rolled sheet", long_path(&sheet(30), roll)),
    ];
    for (name, (worst, mean, rebuilt)) in paths {
        println!(
            "{name:<14} nodes at most {worst:.2}, on average {mean:.2} times those of a new body; {rebuilt:.4} of the triangles built again in a step"
        );
        assert!(worst < 2.0 && rebuilt < 0.2, "{name}: {worst} times the nodes, {rebuilt} built again");
    }
}

#[test]
fn a_crowd_of_clones_is_left_where_it_was() {
    let start = Body::new(sheet(8));
    let before = start.clone();
    let mut moving = start;
    for step in 0..4 {
        let by = DVec3::Z * f64::from(step);
        let moved = before.mesh().unwrap().vertices().iter().map(|p| *p + by).collect();
        moving.move_vertices(moved).unwrap();
        let probe = Body::new(sheet(2));
        let touching =
            |body: &Body| intersects(body.at(&Pose::IDENTITY), probe.at(&Pose::IDENTITY)).is_touching();
        assert!(touching(&before));
        assert_eq!(touching(&moving), step == 0);
    }
}
