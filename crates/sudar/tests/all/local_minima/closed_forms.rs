//! Minima that one can count in one's head.

use std::f64::consts::TAU;

use sudar::glam::DQuat;
use sudar::query::{Body, LocalMinimum, local_minima, prominent_minima};
use sudar::{Capsule, Compound, Cuboid, Cylinder, DVec3, Halfspace, Mesh, Pose, Shape, Sphere};
use sudar_testing::at;
use sudar_testing::meshes::{cuboid, direction, round, solid};

fn distances(found: &[LocalMinimum]) -> Vec<f64> {
    // Twelve digits: halfway points of round numbers are round.
    found.iter().map(|m| (m.point_a.distance(m.point_b) * 1e12).round() / 1e12).collect()
}

fn still(a: &Body, b: &Body, tolerance: f64) -> Vec<LocalMinimum> {
    local_minima(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY), tolerance)
}

#[test]
fn a_cube_over_a_cube_has_one_minimum_at_every_angle() {
    let (low, high) = (cuboid([0.0; 3], [1.0; 3]), cuboid([0.2, 0.3, 1.5], [1.2, 1.3, 2.5]));
    let axes = [DVec3::ZERO, DVec3::X * 0.5, DVec3::Y * 2.2, DVec3::ONE, DVec3::new(0.3, -1.7, 2.9)];
    for turn in axes.map(DQuat::from_scaled_axis) {
        for shift in [DVec3::ZERO, DVec3::new(3.0, -70.0, 2e3)] {
            let pose = Pose::new(shift, turn).unwrap();
            for (a, b) in [
                (Body::new(low.clone()), Body::new(high.clone())),
                (solid(low.clone()), solid(high.clone())),
                (Body::new(Cuboid::new(DVec3::ONE).unwrap()), Body::new(Cuboid::new(DVec3::ONE).unwrap())),
            ] {
                let cuboids = matches!(a.shape(), Shape::Cuboid(_));
                let other = if cuboids { pose.after(&at(0.2, 0.3, 2.5)) } else { pose };
                let found = local_minima(a.at(&pose), b.at(&other), 0.9);
                // 1.5 − 1, or 2.5 minus both half edges.
                assert_eq!(found.len(), 1, "{turn} {shift} {found:?}");
                assert!((distances(&found)[0] - 0.5).abs() < 1e-12);
                let up = pose.rotate(DVec3::Z);
                assert!((found[0].normal.unwrap() - up).length() < 1e-9, "{turn} {shift}");
            }
        }
    }
}

#[test]
fn a_stool_has_one_minimum_for_each_leg_and_a_solid_plate_hides_its_underside() {
    let leg = |x: f64, low: f64| cuboid([x, 0.0, low], [x + 0.25, 1.0, 2.0]);
    let stool =
        Mesh::joined(&[leg(0.0, 0.125), leg(2.0, 0.25), cuboid([0.0, 0.0, 2.0], [2.25, 1.0, 2.25])]).unwrap();
    let plate = cuboid([-5.0, -5.0, -0.5], [5.0, 5.0, 0.0]);
    let found = still(&solid(stool.clone()), &solid(plate.clone()), 1.0);
    assert_eq!(distances(&found), [0.125, 0.25]);
    // As surfaces, the underside of the plate is half a metre farther; the stool has no underside within reach of it:
    // the tops of the legs are 2 up.
    let found = still(&Body::new(stool.clone()), &Body::new(plate.clone()), 1.0);
    assert_eq!(distances(&found), [0.125, 0.25, 0.625, 0.75]);
    // The same over a half-space and over a box.
    let ground = Body::new(Halfspace { normal: DVec3::Z, offset: 0.0 });
    assert_eq!(distances(&still(&Body::new(stool.clone()), &ground, 1.0)), [0.125, 0.25]);
    assert_eq!(distances(&still(&ground, &Body::new(stool.clone()), 0.2)), [0.125]);
    let block = Body::new(Cuboid::new(DVec3::new(5.0, 5.0, 0.25)).unwrap());
    let found = local_minima(block.at(&at(0.0, 0.0, -0.25)), Body::new(stool).at(&Pose::IDENTITY), 1.0);
    assert_eq!(distances(&found), [0.125, 0.25]);
    assert!((found[0].normal.unwrap() - DVec3::Z).length() < 1e-12);
}

#[test]
fn two_globes_have_one_minimum_wherever_they_are() {
    // Convex solids that are apart have one; surfaces that far apart see no far side within the tolerance.
    let globe = round(13, 17, direction);
    let (surface, full) = (Body::new(globe.clone()), solid(globe));
    for (i, way) in [DVec3::X, DVec3::Z, DVec3::ONE, DVec3::new(0.3, -1.0, 0.2)].into_iter().enumerate() {
        let pose = Pose::new(
            way.normalize() * 2.3,
            DQuat::from_scaled_axis(DVec3::new(way.y, way.z, way.x) * i as f64),
        )
        .unwrap();
        for body in [&surface, &full] {
            let found = local_minima(body.at(&Pose::IDENTITY), body.at(&pose), 1.0);
            assert_eq!(found.len(), 1, "{way}: {found:?}");
            // The globes lie within unit balls, and reach to at least 0.96.
            let d = distances(&found)[0];
            assert!((0.3 - 1e-12..0.4).contains(&d), "{d}");
        }
    }
}

#[test]
fn crossing_surfaces_have_one_minimum_for_each_line_of_crossing() {
    // A bar through a plate: its surface crosses that of the plate above and below.
    let plate = cuboid([-5.0, -5.0, 0.0], [5.0, 5.0, 1.0]);
    let bar = cuboid([0.0, 0.0, -3.0], [1.0, 1.0, 3.0]);
    for (a, b) in [(Body::new(plate.clone()), Body::new(bar.clone())), (solid(plate.clone()), solid(bar))] {
        let found = still(&a, &b, 0.1);
        assert_eq!(distances(&found), [0.0; 2]);
        assert!(found.iter().all(|m| m.normal.is_none() && m.interval.upper == 0.0));
    }
    // What is inside without touching the surface counts too, each piece by itself, and hides the way to the walls.
    let inside = Mesh::joined(&[
        cuboid([0.0, 0.0, 0.25], [1.0, 1.0, 0.75]),
        cuboid([2.0, 0.0, 0.25], [3.0, 1.0, 0.75]),
    ])
    .unwrap();
    assert_eq!(distances(&still(&solid(plate.clone()), &solid(inside.clone()), 0.3)), [0.0; 2]);
    // Over the surface alone: each has the plate's top and bottom a quarter away.
    let found = still(&Body::new(plate), &Body::new(inside), 0.3);
    assert_eq!(distances(&found), [0.25; 4]);
}

#[test]
fn a_gear_in_a_ring_has_a_minimum_for_each_tooth_and_a_ball_in_a_trough_two() {
    let teeth = 7;
    let wheel = |radius: &dyn Fn(u32) -> f64, n: u32| -> Mesh {
        let point = |i: u32, z: f64| {
            let turn = TAU * f64::from(i % n) / f64::from(n);
            DVec3::new(radius(i % n) * turn.cos(), radius(i % n) * turn.sin(), z)
        };
        let vertices = (0..n).flat_map(|i| [point(i, -1.0), point(i, 1.0)]).collect();
        let around = (0..n).map(|i| (2 * i, 2 * i + 1, 2 * ((i + 1) % n), 2 * ((i + 1) % n) + 1));
        Mesh::new(vertices, around.flat_map(|(a, b, c, d)| [[a, c, b], [b, c, d]]).collect()).unwrap()
    };
    // Teeth at radius 1 and gaps at 0.5, in a ring of 14 corners at radius 1.25 turned by nothing: a tooth
    // looks at a corner of the ring. The edges of the ring are nearer: 1.25·cos(π/14) at their middle, and
    // the foot of the tooth on each of the two edges is at 1·sin(π/14) from the corner's ray, in the edge.
    let gear = wheel(&|i| if i % 2 == 0 { 1.0 } else { 0.5 }, 2 * teeth);
    let ring = wheel(&|_| 1.25, 2 * teeth);
    let found = still(&Body::new(gear), &Body::new(ring), 0.3);
    let expected = 0.25 * (TAU / 2.0 / 14.0).cos();
    assert_eq!(found.len(), 14);
    assert!(distances(&found).iter().all(|d| (d - expected).abs() < 1e-12));
    // A ball of radius 1 in a trough of 90°, its centre 2 above the bottom line: √2 − 1 to either side.
    let trough = Mesh::new(
        [
            [-9.0, -5.0, 9.0],
            [-9.0, 5.0, 9.0],
            [0.0, -5.0, 0.0],
            [0.0, 5.0, 0.0],
            [9.0, -5.0, 9.0],
            [9.0, 5.0, 9.0],
        ]
        .map(DVec3::from)
        .to_vec(),
        vec![[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]],
    )
    .unwrap();
    let trough = Body::new(trough);
    let axis = Pose::new(DVec3::Z * 2.0, DQuat::from_rotation_x(TAU / 4.0)).unwrap();
    for body in [
        Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap()),
        Body::new(Capsule::new(1.0, 2.0).unwrap()),
        Body::new(Cylinder::new(1.0, 2.0).unwrap()),
    ] {
        let found = local_minima(body.at(&axis), trough.at(&Pose::IDENTITY), 1.0);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().all(|m| m.interval.contains(2f64.sqrt() - 1.0)), "{found:?}");
    }
}

#[test]
fn roughness_is_below_a_prominence() {
    // A saw of teeth 0.01 and 0.02 high over a plate.
    let n = 20;
    let height = |i: u32| if i.is_multiple_of(2) { 1.0 } else { 1.01 + 0.001 * f64::from(i) };
    let vertices = (0..=n)
        .flat_map(|i| [DVec3::new(f64::from(i), -9.0, height(i)), DVec3::new(f64::from(i), 9.0, height(i))]);
    let triangles = (0..n).map(|i| 2 * i).flat_map(|a| [[a, a + 2, a + 1], [a + 1, a + 2, a + 3]]).collect();
    let saw = Body::new(Mesh::new(vertices.collect(), triangles).unwrap());
    let plate = Body::new(cuboid([-50.0; 3], [50.0, 50.0, 0.0]));
    let count = |p: f64| prominent_minima(saw.at(&Pose::IDENTITY), plate.at(&Pose::IDENTITY), 1.5, p).len();
    // Eleven tips at height 1 with gaps of 0.011, 0.013, …, 0.029 between neighbours: of those equally high one of two
    // goes with each gap.
    assert_eq!([0.0, 0.0115, 0.02, 0.0295].map(count), [11, 10, 6, 1]);
}

#[test]
fn compounds_are_asked_part_by_part_and_hide_what_is_inside_another() {
    let cube = || Shape::from(Cuboid::new(DVec3::ONE).unwrap());
    // Two cubes, one a little lower inside the other's outline: the bottom of the one at −1, of the other at
    // −0.5, in it.
    let small = Shape::from(Cuboid::new(DVec3::splat(0.5)).unwrap());
    let pair = Compound::new(vec![(cube(), Pose::IDENTITY), (small, Pose::IDENTITY)]).unwrap();
    let floor = Body::new(Halfspace { normal: DVec3::Z, offset: -2.0 });
    let found = still(&Body::new(pair), &floor, 5.0);
    assert_eq!((distances(&found), found[0].features), (vec![1.0], [0, 0]));
    let table = Compound::new(vec![(cube(), Pose::IDENTITY), (cube(), at(4.0, 0.0, 0.5))]).unwrap();
    let found = still(&floor, &Body::new(table), 5.0);
    assert_eq!(distances(&found), [1.0, 1.5]);
    assert_eq!(found[1].features, [0, 1]);
}
