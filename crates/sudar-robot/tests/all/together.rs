//! Several robots in one cell.

use sudar::query::{Batch, intersects};
use sudar::{DQuat, DVec3, Pose};
use sudar_robot::{CellOptions, PairOptions, PairReason, Robot, RobotCell, RobotError};
use sudar_testing::Random;

use crate::arms::{planar, random_arm, scene};

fn samples(samples: usize) -> CellOptions {
    CellOptions { pairs: PairOptions { samples, ..PairOptions::default() }, ..CellOptions::default() }
}

fn base(random: &mut Random) -> Pose {
    let turn = DQuat::from_rotation_z(random.within(-3.0, 3.0));
    Pose::new(DVec3::new(random.number(), random.number(), 0.3 * random.number()), turn).unwrap()
}

#[test]
fn robots_stand_on_their_bases() {
    let mut random = Random::new(2);
    let (one, other) = (random_arm(&mut random, 4), random_arm(&mut random, 6));
    let bases = [base(&mut random), base(&mut random)];
    let both = Robot::together(&[("left", &one, bases[0]), ("right", &other, bases[1])]).unwrap();
    assert_eq!(both.dof(), one.dof() + other.dof());
    assert_eq!(both.joint_names()[one.dof()], format!("right/{}", other.joint_names()[0]));
    assert_eq!(both.links().len(), 1 + one.links().len() + other.links().len());
    let (p, q) = (one.sample(1, 1), other.sample(1, 2));
    let poses = both.forward(&[p.clone(), q.clone()].concat()).unwrap();
    let expected = [(&one, &p, bases[0]), (&other, &q, bases[1])].map(|(robot, q, base)| {
        robot.forward(q).unwrap().iter().map(|pose| base.after(pose)).collect::<Vec<Pose>>()
    });
    for (a, b) in poses[1..].iter().zip(expected.concat()) {
        assert!((a.translation() - b.translation()).length() < 1e-14);
    }
    assert_eq!(both.limits()[..one.dof()], one.limits());
    // The tree is sound: each joint carries the link that names it.
    for (i, link) in both.links().iter().enumerate().skip(1) {
        let joint = &both.joints()[link.joint.unwrap()];
        assert_eq!(joint.child, i);
        assert!(joint.parent < both.links().len());
    }
    assert_eq!(both.chain("world", "right/l2").unwrap().len(), other.chain("l0", "l2").unwrap().len());
}

#[test]
fn robots_are_checked_with_each_other_and_with_the_scene() {
    let (mut valid, mut invalid) = (0, 0);
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let robots = [random_arm(&mut random, 4), random_arm(&mut random, 4)];
        let bases = [base(&mut random), base(&mut random)];
        let objects = scene(&mut random, 3);
        let both = Robot::together(&[("a", &robots[0], bases[0]), ("b", &robots[1], bases[1])]).unwrap();
        let cell = RobotCell::new(&both, objects.clone(), &samples(0)).unwrap();
        let q = both.sample(40, seed);
        // Each by itself, and all pairs of links of the two.
        let own = [0, 1].map(|i: usize| {
            let mut cell = RobotCell::new(&robots[i], objects.clone(), &samples(0)).unwrap();
            cell.set_base(bases[i]);
            cell
        });
        for (q, free) in q.chunks(both.dof()).zip(cell.check(&q, &Batch::default()).unwrap()) {
            let split = q.split_at(robots[0].dof());
            let alone = own[0].check(split.0, &Batch::default()).unwrap()[0]
                && own[1].check(split.1, &Batch::default()).unwrap()[0];
            let poses = both.forward(q).unwrap();
            let meets = |a: usize, b: usize| {
                let bodies = [a, b].map(|link| both.link_body(link).unwrap());
                let [Some(one), Some(other)] = bodies else { return false };
                intersects(one.at(&poses[a]), other.at(&poses[b])).decided() != Some(false)
            };
            let first = 1..=robots[0].links().len();
            let second = first.end() + 1..both.links().len();
            // The bases stand, and so does what is fixed to them.
            let stands = |link: usize| {
                let mut link = link;
                while let Some(joint) = both.links()[link].joint {
                    if both.joints()[joint].kind != sudar_robot::JointKind::Fixed {
                        return false;
                    }
                    link = both.joints()[joint].parent;
                }
                true
            };
            let mut pairs = first.flat_map(|a| second.clone().map(move |b| (a, b)));
            let apart = !pairs.any(|(a, b)| !(stands(a) && stands(b)) && meets(a, b));
            assert_eq!(free, alone && apart, "seed {seed}");
            if free { valid += 1 } else { invalid += 1 }
        }
    }
    assert!(valid > 30 && invalid > 30, "{valid} {invalid}");
}

#[test]
fn one_of_them_drives_elsewhere() {
    let mut random = Random::new(4);
    let robots = [random_arm(&mut random, 4), random_arm(&mut random, 4)];
    let [here, first, there] = [base(&mut random), base(&mut random), base(&mut random)];
    let both = |at: Pose| Robot::together(&[("a", &robots[0], here), ("b", &robots[1], at)]).unwrap();
    let mut cell = RobotCell::new(&both(first), Vec::new(), &samples(200)).unwrap();
    cell.set_base_of("b", there).unwrap();
    let fresh = RobotCell::new(&both(there), Vec::new(), &samples(200)).unwrap();
    assert_eq!(cell.self_pairs(), fresh.self_pairs());
    let q = both(there).sample(200, 1);
    let explain = |cell: &RobotCell| cell.explain(&q, &Batch::default()).unwrap();
    assert_eq!(explain(&cell), explain(&fresh));
    assert!(matches!(cell.set_base_of("c", there), Err(RobotError::Unknown { .. })));
}

#[test]
fn robots_that_cannot_be_together_are_refused() {
    let arm = planar();
    let twice = Robot::together(&[("a", &arm, Pose::IDENTITY), ("a", &arm, Pose::IDENTITY)]);
    assert_eq!(twice.unwrap_err(), RobotError::Twice { what: "robot", name: "a".to_owned() });
    assert_eq!(Robot::together(&[]).unwrap_err(), RobotError::NoLinks);
    let one = Robot::together(&[("a", &arm, Pose::IDENTITY)]).unwrap();
    assert!(
        Robot::together(&[("b", &one, Pose::IDENTITY)]).unwrap_err().to_string().starts_with("robot 'b': ")
    );
    // The rods of two planar arms that lie in each other always meet at their bases, which is said.
    let both = Robot::together(&[("a", &arm, Pose::IDENTITY), ("b", &arm, Pose::IDENTITY)]).unwrap();
    let cell = RobotCell::new(&both, Vec::new(), &samples(50)).unwrap();
    let pair = cell.self_pairs().iter().find(|pair| pair.parts == [0, 2]).unwrap();
    assert_eq!(pair.reason, PairReason::AlwaysMet);
}
