//! Lists of configurations, which are tested several at a time, against the same one by one.

use sudar::hull::convex_hull;
use sudar::query::{Batch, Body};
use sudar::{Cuboid, DVec3, Halfspace, Pose, Solid, Sphere};
use sudar_robot::{Attached, CellOptions, Robot, RobotCell};
use sudar_testing::Random;
use sudar_testing::meshes::torus;

use crate::arms::{joint, link, random_arm, robot, scene};

/// How many of a list are free and how many are not; each is as it is by itself.
fn compared(cell: &RobotCell, q: &[f64], what: &str) -> [usize; 2] {
    let batch = Batch::default();
    let list = cell.check(q, &batch).unwrap();
    let mut counts = [0; 2];
    for (i, (row, valid)) in q.chunks(cell.robot().dof()).zip(&list).enumerate() {
        assert_eq!([*valid], cell.check(row, &batch).unwrap()[..], "{what}, row {i}");
        counts[usize::from(*valid)] += 1;
    }
    counts
}

/// Configurations between free ones and others, as near to where these meet as numbers allow, on both sides.
fn grazing(cell: &RobotCell, q: &[f64]) -> Vec<f64> {
    let batch = Batch::default();
    let is_free = |q: &[f64]| cell.check(q, &batch).unwrap()[0];
    let rows: Vec<&[f64]> = q.chunks(cell.robot().dof()).collect();
    let mut found = Vec::new();
    for two in rows.windows(2).filter(|two| is_free(two[0]) != is_free(two[1])) {
        let (mut one, mut other) = (two[0].to_vec(), two[1].to_vec());
        let free = is_free(&one);
        for halving in 0..52 {
            let middle: Vec<f64> = one.iter().zip(&other).map(|(a, b)| 0.5 * (a + b)).collect();
            if is_free(&middle) == free {
                one = middle;
            } else {
                other = middle;
            }
            if halving % 4 == 3 {
                found.extend_from_slice(&one);
                found.extend_from_slice(&other);
            }
        }
    }
    found
}

/// Balls, boxes, capsules, cylinders, solid meshes, hulls, a floor without an end.
fn everything(random: &mut Random) -> (Robot, Vec<(String, Body, Pose)>, CellOptions) {
    let joints = 2 + random.below(9);
    let robot = random_arm(random, joints);
    let count = random.below(9);
    let mut scene = scene(random, count);
    if random.below(3) == 0 {
        let floor: Body = Halfspace::new(DVec3::Z, -0.3).unwrap().into();
        scene.push(("floor".to_owned(), floor, Pose::IDENTITY));
    }
    let ring = torus(16, 10, 0.4).mapped(|p| p * DVec3::new(0.2, 0.2, 0.5)).unwrap();
    let solid: Body = Solid::new(ring.clone().into()).unwrap().into();
    scene.push(("ring".to_owned(), solid.clone(), random.any_pose(1.0)));
    let bodies =
        [solid, ring.into(), convex_hull(&[DVec3::X, DVec3::Y, DVec3::Z, DVec3::ZERO]).unwrap().into()];
    let attached = Attached {
        name: "held".to_owned(),
        link: format!("l{joints}"),
        body: bodies[random.below(3)].clone(),
        pose: random.any_pose(0.1),
        touches: Vec::new(),
    };
    let padding = random.one_of(&[0.0, 0.0, 0.02]);
    (robot, scene, CellOptions { padding, attached: vec![attached], ..CellOptions::default() })
}

#[test]
fn lists_are_as_one_by_one() {
    let mut all = [0; 2];
    for seed in 0..60 {
        let mut random = Random::new(4700 + seed);
        let (robot, scene, options) = everything(&mut random);
        let mut cell = RobotCell::new(&robot, scene, &options).unwrap();
        let x = random.one_of(&[0.0, 0.0, 1.0, 1e3, 1e7]);
        cell.set_base(random.turned(DVec3::new(x, -x, 0.5 * x)));
        let what = format!("seed {seed}");
        let q = robot.sample(16 + random.below(200), seed);
        let mut counts = vec![compared(&cell, &q, &what)];
        counts.push(compared(&cell, &grazing(&cell, &q[..16 * robot.dof()]), &what));
        // Many turns and long slides, beyond what is computed in lanes.
        let options = CellOptions { check_limits: false, ..options };
        let scene = cell.objects().map(|(name, body, pose)| (name.to_owned(), body.clone(), *pose)).collect();
        let free = RobotCell::new(&robot, scene, &options).unwrap();
        for factor in [30.0, 1e5, 1e9, 1e30] {
            let far: Vec<f64> = q.iter().map(|q| factor * q).collect();
            counts.push(compared(&free, &far, &what));
        }
        counts.iter().for_each(|[met, free]| all = [all[0] + met, all[1] + free]);
    }
    assert!(all.iter().all(|count| *count > 5000), "{all:?}");
}

/// The same arm from a hundredth of a millimetre to a hundred kilometres.
#[test]
fn lists_are_as_one_by_one_of_any_size() {
    for exponent in -5..=5 {
        let unit = 10.0_f64.powi(exponent);
        let ball =
            format!("<origin xyz=\"0 0 {unit}\"/><geometry><sphere radius=\"{}\"/></geometry>", 0.2 * unit);
        let mut text = link("l0", "");
        for i in 1..=6 {
            text += &link(&format!("l{i}"), &ball);
            let axis = ["0 0 1", "0 1 0", "1 1 0"][i % 3];
            let rest = format!(
                "<origin xyz=\"0 0 {unit}\"/><axis xyz=\"{axis}\"/><limit lower=\"-3\" upper=\"3\" velocity=\"1\"/>"
            );
            text += &joint(&format!("j{i}"), "revolute", [&format!("l{}", i - 1), &format!("l{i}")], &rest);
        }
        let robot = robot(&text);
        let mut random = Random::new(4800);
        let object = |i: usize, random: &mut Random| {
            let place = random.any_pose(3.0);
            let pose = Pose::from_matrix(place.rotation(), place.translation() * unit).unwrap();
            let body: Body = if i.is_multiple_of(2) {
                Cuboid::new(DVec3::new(0.3, 0.5, 0.8) * unit).unwrap().into()
            } else {
                Sphere::new(DVec3::ZERO, 0.6 * unit).unwrap().into()
            };
            (format!("object {i}"), body, pose)
        };
        let scene = (0..8).map(|i| object(i, &mut random)).collect();
        let cell = RobotCell::new(&robot, scene, &CellOptions::default()).unwrap();
        let q = robot.sample(400, 9);
        let [met, free] = compared(&cell, &q, "sizes");
        assert!(met > 50 && free > 50, "{exponent}: {met} met, {free} free");
        compared(&cell, &grazing(&cell, &q[..60 * robot.dof()]), "sizes, grazing");
    }
}

/// Lists of every length: no configuration is left out and none is taken for another.
#[test]
fn lists_may_have_any_length() {
    let mut random = Random::new(4900);
    let robot = random_arm(&mut random, 5);
    let cell = RobotCell::new(&robot, scene(&mut random, 6), &CellOptions::default()).unwrap();
    let q = robot.sample(150, 1);
    let all = cell.check(&q, &Batch::default()).unwrap();
    for rows in 0..150 {
        let some = cell.check(&q[..rows * robot.dof()], &Batch::default()).unwrap();
        assert_eq!(some, all[..rows], "{rows}");
    }
    // A robot that does not move has one configuration without numbers.
    let still = crate::arms::robot(&link("l0", "<geometry><box size=\"1 1 1\"/></geometry>"));
    let cell = RobotCell::new(&still, Vec::new(), &CellOptions::default()).unwrap();
    assert_eq!(cell.check(&[], &Batch::default()).unwrap(), [true]);
}
