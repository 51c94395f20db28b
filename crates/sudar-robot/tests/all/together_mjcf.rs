//! Robots of MJCF in one cell with others: each by its own rules, and all pairs of two robots.

use std::fmt::Write;

use sudar::dynamics::{Settings, World};
use sudar::query::{Batch, intersects};
use sudar::{DQuat, DVec3, Pose};
use sudar_robot::{
    CellOptions, JointKind, PairOptions, PairReason, Robot, RobotBodies, RobotCell, SelfPair, WorldOptions,
};
use sudar_testing::Random;

use crate::arms::random_arm;
use crate::mjcf::{bodies, model};

fn cell(robot: &Robot) -> RobotCell {
    let pairs = PairOptions { samples: 0, ..PairOptions::default() };
    RobotCell::new(robot, Vec::new(), &CellOptions { pairs, ..CellOptions::default() }).unwrap()
}

fn base(random: &mut Random, x: f64) -> Pose {
    let turn = DQuat::from_rotation_z(random.within(-3.0, 3.0));
    Pose::new(DVec3::new(x + 0.5 * random.number(), 0.5 * random.number(), 0.0), turn).unwrap()
}

/// An arm on a foot that stands: hinges and slides, bodies that are fixed to others, a branch, an exclude; on a floor,
/// or with geoms of which some do not collide.
fn arm(random: &mut Random, joints: usize, has_floor: bool) -> Robot {
    let mut text = String::new();
    if has_floor {
        text += "<geom type=\"plane\" pos=\"0 0 -0.3\"/>";
    }
    text += "<body name=\"foot\"><geom size=\"0.1\"/>";
    for i in 1..=joints {
        let [x, y, z] = [random.number(), random.number(), random.within(0.1, 0.4)];
        write!(text, "<body name=\"l{i}\" pos=\"{} {} {z}\" euler=\"{x} {y} {z}\">", 0.2 * x, 0.2 * y)
            .unwrap();
        let axis = random.one_of(&["0 0 1", "0 1 0", "1 0 0", "1 2 -1"]);
        match if i == 1 { 0 } else { random.below(5) } {
            0..3 => write!(text, "<joint name=\"j{i}\" axis=\"{axis}\" range=\"-2.5 2.5\"/>").unwrap(),
            3 => write!(text, "<joint name=\"j{i}\" type=\"slide\" axis=\"{axis}\" range=\"-0.3 0.3\"/>")
                .unwrap(),
            _ => {}
        }
        let masks = if has_floor { [1; 2] } else { [random.below(4), random.below(4)] };
        let shape = random.one_of(&["type=\"capsule\"", "type=\"box\"", "type=\"cylinder\""]);
        let [kind, affinity] = masks;
        write!(
            text,
            "<geom {shape} size=\"0.06 0.15 0.08\" pos=\"0 0 0.1\" contype=\"{kind}\" conaffinity=\"{affinity}\"/>"
        )
        .unwrap();
    }
    text += &"</body>".repeat(joints + 1);
    let exclude = "<contact><exclude body1=\"l1\" body2=\"l3\"/></contact>";
    model(&format!("<compiler angle=\"radian\"/><worldbody>{text}</worldbody>{exclude}"))
}

/// Pairs of parts by their names, without the name of the robot.
fn reasons(cell: &RobotCell, of: &str) -> Vec<([String; 2], PairReason)> {
    let own = |pair: &SelfPair| {
        let names = pair.parts.map(|part| cell.parts()[part].name.strip_prefix(of).map(str::to_owned));
        match names {
            [Some(a), Some(b)] => Some(([a, b], pair.reason.clone())),
            _ => None,
        }
    };
    cell.self_pairs().iter().filter_map(own).collect()
}

/// Names of pairs that the files leave out say the robot too.
fn without_names(pairs: Vec<([String; 2], PairReason)>) -> Vec<([String; 2], &'static str)> {
    pairs.into_iter().map(|(names, reason)| (names, reason.name())).collect()
}

/// An MJCF with a copy of it, with another and with a URDF, each with its bases.
fn pairs_of_robots(random: &mut Random, has_floor: bool) -> [[Robot; 2]; 3] {
    let one = arm(random, 5, has_floor);
    let other = arm(random, 4, has_floor);
    let urdf = random_arm(random, 4);
    [[one.clone(), one.clone()], [one.clone(), other], [urdf, one]]
}

#[test]
fn robots_that_stand_far_apart_answer_as_each_alone() {
    let (mut free, mut met, mut disabled) = (0, 0, 0);
    for seed in 0..8 {
        let mut random = Random::new(300 + seed);
        for robots in pairs_of_robots(&mut random, false) {
            let bases = [base(&mut random, 0.0), base(&mut random, 60.0)];
            let both = Robot::together(&[("a", &robots[0], bases[0]), ("b", &robots[1], bases[1])]).unwrap();
            let all = cell(&both);
            let own = [0, 1].map(|i: usize| {
                let mut cell = cell(&robots[i]);
                cell.set_base(bases[i]);
                cell
            });
            for (i, name) in ["a/", "b/"].into_iter().enumerate() {
                let found = without_names(reasons(&all, name));
                assert_eq!(found, without_names(reasons(&own[i], "")));
                disabled += found.iter().filter(|(_, reason)| *reason == "disabled by the files").count();
            }
            let q = both.sample(60, seed);
            for (q, found) in q.chunks(both.dof()).zip(all.check(&q, &Batch::default()).unwrap()) {
                let (first, second) = q.split_at(robots[0].dof());
                let alone = own[0].check(first, &Batch::default()).unwrap()[0]
                    && own[1].check(second, &Batch::default()).unwrap()[0];
                assert_eq!(found, alone, "seed {seed}");
                if found { free += 1 } else { met += 1 }
            }
        }
    }
    assert!(free > 200 && met > 200 && disabled > 100, "{free} {met} {disabled}");
}

/// Whether no joint that moves carries a link.
fn stands(robot: &Robot, mut link: usize) -> bool {
    while let Some(joint) = robot.links()[link].joint {
        if robot.joints()[joint].kind != JointKind::Fixed {
            return false;
        }
        link = robot.joints()[joint].parent;
    }
    true
}

/// Whether links of two robots meet, of which one moves.
fn meet(both: &Robot, first: usize, q: &[f64]) -> bool {
    let poses = both.forward(q).unwrap();
    let bodies: Vec<_> = (0..both.links().len()).map(|link| both.link_body(link).unwrap()).collect();
    let pair = |a: usize, b: usize| {
        let (Some(one), Some(other)) = (&bodies[a], &bodies[b]) else { return false };
        !(stands(both, a) && stands(both, b))
            && intersects(one.at(&poses[a]), other.at(&poses[b])).decided() != Some(false)
    };
    (1..=first).any(|a| (first + 1..poses.len()).any(|b| pair(a, b)))
}

#[test]
fn robots_that_stand_near_are_checked_link_by_link() {
    let (mut free, mut met) = (0, 0);
    for seed in 0..12 {
        let mut random = Random::new(400 + seed);
        // The floor of one is a part that the other is checked with.
        let has_floor = seed % 2 == 0;
        for robots in pairs_of_robots(&mut random, has_floor) {
            let bases = [base(&mut random, 0.0), base(&mut random, 0.6)];
            let both = Robot::together(&[("a", &robots[0], bases[0]), ("b", &robots[1], bases[1])]).unwrap();
            assert!(both.link("b/world").is_some());
            let all = cell(&both);
            let own = [0, 1].map(|i: usize| {
                let mut cell = cell(&robots[i]);
                cell.set_base(bases[i]);
                cell
            });
            let q = both.sample(40, seed);
            for (q, found) in q.chunks(both.dof()).zip(all.check(&q, &Batch::default()).unwrap()) {
                let (first, second) = q.split_at(robots[0].dof());
                let alone = own[0].check(first, &Batch::default()).unwrap()[0]
                    && own[1].check(second, &Batch::default()).unwrap()[0];
                let meets = meet(&both, robots[0].links().len(), q);
                assert_eq!(found, alone && !meets, "seed {seed}");
                if found {
                    free += 1;
                } else if alone {
                    met += 1;
                }
            }
        }
    }
    println!("{free} free, {met} meet");
    assert!(free > 100 && met > 50, "{free} {met}");
}

#[test]
fn what_stands_is_not_checked_and_one_of_them_drives_elsewhere() {
    let mut random = Random::new(5);
    let robots = [arm(&mut random, 4, true), arm(&mut random, 4, true)];
    let [here, first, there] = [base(&mut random, 0.0), base(&mut random, 0.5), base(&mut random, 0.4)];
    let both = |at: Pose| Robot::together(&[("a", &robots[0], here), ("b", &robots[1], at)]).unwrap();
    let mut moved = cell(&both(first));
    let reason = |one: &str, other: &str| {
        let part = |name: &str| moved.parts().iter().position(|part| part.name == name).unwrap();
        let parts = [part(one), part(other)];
        moved.self_pairs().iter().find(|pair| pair.parts == parts).map(|pair| pair.reason.clone()).unwrap()
    };
    // The feet are in the floors of each other.
    assert_eq!(reason("a/world", "b/world"), PairReason::Fixed);
    assert_eq!(reason("a/world", "b/foot"), PairReason::Fixed);
    assert_eq!(reason("a/foot", "b/foot"), PairReason::Fixed);
    assert_eq!(reason("a/world", "b/l1"), PairReason::Checked);
    assert_eq!(reason("a/l1", "b/l1"), PairReason::Checked);
    // What hangs on what stands is checked with it, and with nothing else that it hangs on.
    assert_eq!(reason("a/foot", "a/l1"), PairReason::Checked);
    moved.set_base_of("b", there).unwrap();
    let fresh = cell(&both(there));
    assert_eq!(moved.self_pairs(), fresh.self_pairs());
    let q = both(there).sample(200, 1);
    let explain = |cell: &RobotCell| cell.explain(&q, &Batch::default()).unwrap();
    assert_eq!(explain(&moved), explain(&fresh));
}

fn fallen(robot: &Robot, seconds: f64) -> (World, RobotBodies) {
    let settings = Settings { substeps: 1, sleeps: false, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let options = WorldOptions { hold: None, ..WorldOptions::default() };
    let made = robot.add_to(&mut world, robot.home(), &options).unwrap();
    for _ in 0..(seconds * 500.0).round() as u32 {
        world.step(2e-3).unwrap();
    }
    (world, made)
}

#[test]
fn loops_are_closed_in_a_world() {
    // A pendulum on a point of the world, and a weld.
    let robot = model(
        "<worldbody><body name=\"c\" pos=\"1 0 2\"><freejoint/><geom size=\"0.1\"/></body>
         <body name=\"d\" pos=\"3 0 2\"><freejoint/><geom size=\"0.1\"/></body></worldbody>
         <equality><connect body1=\"c\" anchor=\"-0.5 0 0\"/><weld body1=\"c\" body2=\"d\"/></equality>",
    );
    let bases = [-3.0, 4.0].map(|y| Pose::from_translation(DVec3::Y * y).unwrap());
    let both = Robot::together(&[("a", &robot, bases[0]), ("b", &robot, bases[1])]).unwrap();
    let (one, two) = (fallen(&robot, 0.3), fallen(&both, 0.3));
    for (i, base) in bases.iter().enumerate() {
        for link in 1..=2 {
            let alone = base.after(&one.1.link_pose(&one.0, link).unwrap());
            let found = two.1.link_pose(&two.0, 1 + 3 * i + link).unwrap();
            assert!(alone.translation().distance(found.translation()) < 1e-9);
            assert!(found.translation().z < 1.95);
        }
    }
}

#[test]
fn bodies_rest_on_the_planes_of_their_models_in_a_world() {
    let balls = |z: f64| {
        bodies(&format!(
            "<geom type=\"plane\" pos=\"0 0 {z}\"/><body name=\"a\" pos=\"0 0 0.4\"><freejoint/><geom size=\"0.1\"/>
             </body><body name=\"b\" pos=\"1 0 0.4\"><freejoint/>
             <geom size=\"0.1\" contype=\"2\" conaffinity=\"2\"/></body>"
        ))
    };
    let arm = crate::arms::planar();
    let away = Pose::from_translation(DVec3::new(0.0, 5.0, 0.0)).unwrap();
    // What the rules of its own model let fall through falls on, past the arm of a URDF.
    let both = Robot::together(&[("x", &balls(0.0), Pose::IDENTITY), ("y", &arm, away)]).unwrap();
    let (world, made) = fallen(&both, 1.5);
    let height = |made: &RobotBodies, world: &World, robot: &Robot, link: &str| {
        made.link_pose(world, robot.link(link).unwrap()).unwrap().translation().z
    };
    assert!((height(&made, &world, &both, "x/a") - 0.1).abs() < 1e-3);
    assert!(height(&made, &world, &both, "x/b") < -5.0);
    // The plane of another model holds it.
    let both = Robot::together(&[("x", &balls(0.0), Pose::IDENTITY), ("y", &balls(-0.5), away)]).unwrap();
    let (world, made) = fallen(&both, 1.5);
    for (link, z) in [("x/a", 0.1), ("x/b", 0.1), ("y/a", 0.1), ("y/b", 0.1)] {
        let found = height(&made, &world, &both, link);
        assert!((found - z).abs() < 1e-3, "{link} {found}");
    }
}
