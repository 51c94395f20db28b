//! Cells that change answer as cells that are made anew.

use sudar::query::{Batch, Body};
use sudar::{Cuboid, DQuat, DVec3, Pose, Sphere};
use sudar_robot::{
    Attached, CellOptions, ClearanceOptions, EdgeOptions, PairOptions, PairReason, Robot, RobotCell,
    RobotError,
};
use sudar_testing::Random;

use crate::arms::{planar, random_arm, scene};

fn samples() -> CellOptions {
    CellOptions { pairs: PairOptions { samples: 100, ..PairOptions::default() }, ..CellOptions::default() }
}

/// All answers of a cell for some configurations, as text.
fn answers(cell: &RobotCell, q: &[f64]) -> String {
    let batch = Batch::default();
    let half = q.len() / 2 / cell.robot().dof() * cell.robot().dof();
    let options = ClearanceOptions { gradient: true, ..ClearanceOptions::default() };
    format!(
        "{:?} {:?} {:?} {:?} {:?}",
        cell.self_pairs(),
        cell.explain(q, &batch).unwrap(),
        cell.first_contact(q, &batch).unwrap(),
        cell.clearance(q, &options, &batch).unwrap(),
        cell.check_edges(&q[..half], &q[half..2 * half], &EdgeOptions::default(), &batch).unwrap()
    )
}

fn ball(name: &str, on: &str, x: f64) -> Attached {
    Attached {
        name: name.to_owned(),
        link: on.to_owned(),
        body: Sphere::new(DVec3::ZERO, 0.08).unwrap().into(),
        pose: Pose::from_translation(DVec3::X * x).unwrap(),
        touches: Vec::new(),
    }
}

/// Changes at random, and the same on lists from which a cell is made anew.
struct Twin {
    cell: RobotCell,
    robot: Robot,
    scene: Vec<(String, Body, Pose)>,
    options: CellOptions,
    count: usize,
}

impl Twin {
    fn change(&mut self, random: &mut Random) {
        self.count += 1;
        let some = (!self.scene.is_empty()).then(|| random.below(self.scene.len().max(1)));
        match (random.below(7), some) {
            (0 | 1, _) => {
                let (_, body, pose) = scene(random, 1).remove(0);
                let name = format!("new {}", self.count);
                self.cell.add(name.clone(), body.clone(), pose).unwrap();
                self.scene.push((name, body, pose));
            }
            (2, Some(i)) => {
                let (name, ..) = self.scene.remove(i);
                self.cell.remove(&name).unwrap();
                self.options.ignored.retain(|pair| !pair.contains(&name));
            }
            (3, Some(i)) => {
                let (_, _, pose) = scene(random, 1).remove(0);
                self.scene[i].2 = pose;
                let name = self.scene[i].0.clone();
                self.cell.set_pose(&name, pose).unwrap();
            }
            (4, _) => {
                let link = random.below(self.robot.links().len());
                let held = ball(&format!("held {}", self.count), &self.robot.links()[link].name, 0.3);
                self.cell.attach(&held).unwrap();
                self.options.attached.push(held);
            }
            (5, _) if !self.options.attached.is_empty() => {
                let gone = self.options.attached.remove(random.below(self.options.attached.len()));
                let back = self.cell.detach(&gone.name).unwrap();
                assert_eq!((back.name, back.link, back.pose), (gone.name.clone(), gone.link, gone.pose));
                self.options.ignored.retain(|pair| !pair.contains(&gone.name));
            }
            (_, some) => self.toggle(random, some),
        }
    }

    /// Allows a pair, or forbids it again.
    fn toggle(&mut self, random: &mut Random, object: Option<usize>) {
        let part = |random: &mut Random| {
            let parts = self.cell.parts();
            parts[random.below(parts.len())].name.clone()
        };
        let one = part(random);
        let other = match object {
            Some(i) if random.below(2) == 0 => self.scene[i].0.clone(),
            Some(_) | None => part(random),
        };
        if one == other {
            return;
        }
        let is = |pair: &[String; 2]| pair.contains(&one) && pair.contains(&other);
        if self.options.ignored.iter().any(is) {
            self.options.ignored.retain(|pair| !is(pair));
            self.cell.forbid(&other, &one).unwrap();
        } else {
            self.cell.allow(&one, &other).unwrap();
            self.options.ignored.push([one, other]);
        }
    }
}

#[test]
fn a_changed_cell_is_that_made_anew() {
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let robot = random_arm(&mut random, 5);
        let objects = scene(&mut random, 3);
        let cell = RobotCell::new(&robot, objects.clone(), &samples()).unwrap();
        let mut twin = Twin { cell, robot, scene: objects, options: samples(), count: 0 };
        for _ in 0..25 {
            twin.change(&mut random);
        }
        let fresh = RobotCell::new(&twin.robot, twin.scene.clone(), &twin.options).unwrap();
        assert_eq!(fresh.object_names(), twin.cell.object_names());
        let q = twin.robot.sample(40, seed);
        assert_eq!(answers(&twin.cell, &q), answers(&fresh, &q), "seed {seed}");
    }
}

#[test]
fn what_is_taken_stands_where_it_stood() {
    let body: Body = Cuboid::new(DVec3::splat(0.1)).unwrap().into();
    let at = Pose::new(DVec3::new(1.5, 1.0, 0.0), DQuat::from_rotation_z(0.3)).unwrap();
    let mut cell = RobotCell::new(&planar(), vec![("mug".to_owned(), body, at)], &samples()).unwrap();
    let q = [0.2, 0.7];
    let in_hand = cell.take("mug", "lower", &q, &["upper".to_owned()]).unwrap();
    assert!(cell.object_names().is_empty() && cell.parts().last().unwrap().name == "mug");
    let link = cell.robot().forward(&q).unwrap()[cell.robot().link("lower").unwrap()];
    assert!((link.after(&in_hand).translation() - at.translation()).length() < 1e-15);
    let reason =
        |cell: &RobotCell| cell.self_pairs().iter().find(|pair| pair.parts == [0, 2]).unwrap().reason.clone();
    assert_eq!(reason(&cell), PairReason::Ignored);
    // Turned by half a turn of the shoulder and put down.
    let put = cell.put("mug", &[0.2 + std::f64::consts::PI, 0.7]).unwrap();
    assert!((put.translation() + at.translation()).length() < 1e-14);
    assert_eq!(cell.object_names(), ["mug"]);
    assert!(cell.take("mug", "none", &q, &[]).is_err() && cell.take("mug", "lower", &q[..1], &[]).is_err());
    assert!(cell.take("cup", "lower", &q, &[]).is_err() && cell.put("mug", &q).is_err());
    assert_eq!(cell.object_names(), ["mug"]);
}

#[test]
fn a_base_moves_the_robot_as_the_scene_would_the_other_way() {
    let mut free = 0;
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let robot = random_arm(&mut random, 5);
        let objects = scene(&mut random, 6);
        let turn = DQuat::from_rotation_y(random.within(-2.0, 2.0));
        let base = Pose::new(DVec3::new(random.number(), random.number(), 0.3), turn).unwrap();
        let mut cell = RobotCell::new(&robot, objects.clone(), &samples()).unwrap();
        cell.set_base(base);
        assert!((cell.base().translation() - base.translation()).length() < 1e-15);
        let seen = |(name, body, pose): (String, Body, Pose)| (name, body, base.inverse().after(&pose));
        let other = RobotCell::new(&robot, objects.into_iter().map(seen).collect(), &samples()).unwrap();
        let q = robot.sample(60, seed);
        let options = ClearanceOptions::default();
        let gaps = |cell: &RobotCell| cell.clearance(&q, &options, &Batch::default()).unwrap();
        for (a, b) in gaps(&cell).iter().zip(gaps(&other)) {
            assert!(
                a.interval.lower <= b.interval.upper + 1e-9 && b.interval.lower <= a.interval.upper + 1e-9
            );
            free += usize::from(a.interval.lower > 1e-6);
        }
        // Far from the decision both say the same.
        let check = |cell: &RobotCell| cell.check(&q, &Batch::default()).unwrap();
        for ((a, b), gap) in check(&cell).iter().zip(check(&other)).zip(gaps(&cell)) {
            assert!(*a == b || gap.interval.upper < 1e-9);
        }
        // Poses of links are those of the root, seen in the world.
        let poses = cell.robot().forward(&q).unwrap();
        let own = robot.forward(&q).unwrap();
        assert!(poses.iter().zip(own).all(|(a, b)| {
            let b = base.after(&b);
            (a.translation() - b.translation()).length() < 1e-12
        }));
    }
    assert!(free > 100, "{free}");
}

#[test]
fn changes_that_cannot_be_are_refused_and_change_nothing() {
    let ball: Body = Sphere::new(DVec3::ZERO, 0.1).unwrap().into();
    let mut cell =
        RobotCell::new(&planar(), vec![("a".to_owned(), ball.clone(), Pose::IDENTITY)], &samples()).unwrap();
    let before = answers(&cell, &[0.0, 1.0, 2.0, 0.5]);
    assert_eq!(
        cell.add("a", ball.clone(), Pose::IDENTITY),
        Err(RobotError::Twice { what: "object", name: "a".to_owned() })
    );
    let unknown = cell.remove("b").unwrap_err().to_string();
    assert_eq!(unknown, "remove names the object 'b', which does not exist");
    assert!(cell.set_pose("b", Pose::IDENTITY).is_err() && cell.detach("upper").is_err());
    assert!(cell.allow("a", "b").is_err() && cell.forbid("b", "upper").is_err());
    assert!(cell.attach(&self::ball("upper", "lower", 0.0)).is_err());
    assert!(cell.attach(&self::ball("x", "none", 0.0)).is_err());
    assert_eq!(before, answers(&cell, &[0.0, 1.0, 2.0, 0.5]));
}
