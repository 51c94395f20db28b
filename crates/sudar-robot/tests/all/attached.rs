//! What links carry, which pairs of parts are checked, and robots of any size.

use sudar::query::{Batch, Body};
use sudar::{Cuboid, DVec3, Pose, Sphere};
use sudar_robot::{
    Attached, CellOptions, EdgeAnswer, EdgeOptions, Other, PairOptions, PairReason, Robot, RobotCell,
    RobotError,
};
use sudar_testing::Random;

use crate::arms::{cell, joint, link, planar, random_arm, robot, scene};

fn ball(name: &str, on: &str, touches: &[&str]) -> Attached {
    Attached {
        name: name.to_owned(),
        link: on.to_owned(),
        body: Sphere::new(DVec3::ZERO, 0.25).unwrap().into(),
        pose: Pose::from_translation(DVec3::X * 1.2).unwrap(),
        touches: touches.iter().map(|&name| name.to_owned()).collect(),
    }
}

fn carrying(attached: Vec<Attached>) -> CellOptions {
    CellOptions { attached, ..CellOptions::default() }
}

#[test]
fn what_a_link_carries_is_part_of_the_robot() {
    let wall: Body = Cuboid::new(DVec3::splat(0.5)).unwrap().into();
    // From x = 2.2 on: beyond the arm, and within the ball of 0.25 m around (2.2, 0, 0).
    let scene = vec![("wall".to_owned(), wall, Pose::from_translation(DVec3::X * 2.7).unwrap())];
    let bare = cell(&planar(), scene.clone());
    assert_eq!(bare.check(&[0.0, 0.0], &Batch::default()).unwrap(), [true]);
    let cell = RobotCell::new(&planar(), scene, &carrying(vec![ball("ball", "lower", &[])])).unwrap();
    let first = cell.first_contact(&[0.0, 0.0, 0.6, 0.0], &Batch::default()).unwrap();
    assert_eq!(first[0].map(|contact| (contact.part, contact.other)), Some((2, Other::Object(0))));
    assert_eq!(first[1], None);
    assert!(cell.parts()[2].is_attached && cell.parts()[2].name == "ball");
    let reasons: Vec<&PairReason> = cell.self_pairs().iter().map(|pair| &pair.reason).collect();
    // The rods are adjacent, the ball is fixed to the lower rod, and adjacent to none.
    assert_eq!(reasons[0], &PairReason::Adjacent);
    assert_eq!(reasons[2], &PairReason::Fixed);
    // Folded back, the ball meets the upper rod.
    let folded = cell.first_contact(&[0.0, 3.0], &Batch::default()).unwrap()[0].unwrap();
    assert_eq!((folded.part, folded.other), (0, Other::Part(2)));
    // It is carried along edges too.
    let ends = ([1.0, 0.0], [0.0, 0.0]);
    let answer = cell.check_edges(&ends.0, &ends.1, &EdgeOptions::default(), &Batch::default()).unwrap()[0];
    assert!(matches!(answer, EdgeAnswer::Hit(hit) if hit.part == 2), "{answer:?}");
}

#[test]
fn it_may_touch_what_it_is_told_to() {
    let options = carrying(vec![ball("ball", "lower", &["upper"])]);
    let cell = RobotCell::new(&planar(), Vec::new(), &options).unwrap();
    assert_eq!(cell.check(&[0.0, 3.0], &Batch::default()).unwrap(), [true]);
    let wrong = |attached: Vec<Attached>| {
        RobotCell::new(&planar(), Vec::new(), &carrying(attached)).unwrap_err().to_string()
    };
    assert!(wrong(vec![ball("ball", "none", &[])]).contains("names the link 'none'"));
    assert!(wrong(vec![ball("ball", "lower", &["none"])]).contains("names the link 'none'"));
    assert!(wrong(vec![ball("lower", "upper", &[])]).contains("two parts are named 'lower'"));
    assert!(
        wrong(vec![ball("x", "upper", &[]), ball("x", "upper", &[])]).contains("two parts are named 'x'")
    );
}

#[test]
fn objects_need_names_of_their_own() {
    let one =
        |name: &str| (name.to_owned(), Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap()), Pose::IDENTITY);
    let refused = |names: [&str; 2]| {
        let scene = names.map(one).to_vec();
        RobotCell::new(&planar(), scene, &CellOptions::default()).unwrap_err()
    };
    let twice = |name: &str| RobotError::Twice { what: "object", name: name.to_owned() };
    assert_eq!(refused(["a", "a"]), twice("a"));
    // Parts and objects may have one name: which of them is ignored has to be said where it is not clear.
    let both = |ignored: &[[&str; 2]]| {
        let ignored = ignored.iter().map(|pair| pair.map(str::to_owned)).collect();
        let options = CellOptions { ignored, ..CellOptions::default() };
        let near = Body::new(Sphere::new(DVec3::ZERO, 0.2).unwrap());
        let scene = vec![("upper".to_owned(), near, Pose::from_translation(DVec3::X * 0.5).unwrap())];
        let cell = RobotCell::new(&planar(), scene, &options)?;
        Ok::<bool, RobotError>(cell.check(&[0.0, 0.0], &Batch::default())?[0])
    };
    assert_eq!(both(&[]), Ok(false));
    assert_eq!(both(&[["upper", "lower"]]), Err(RobotError::Ambiguous { name: "upper".to_owned() }));
    assert_eq!(both(&[["part:upper", "lower"]]), Ok(false));
    assert_eq!(both(&[["part:upper", "object:upper"]]), Ok(true));
    assert!(both(&[["object:lower", "upper"]]).is_err());
}

/// A base with a fixed plate, a fixed link without geometry, a slide on that, and a ball far on.
fn branched() -> Robot {
    let ball = "<geometry><sphere radius=\"0.1\"/></geometry>";
    let slide = "<origin xyz=\"0 0 1\"/><axis xyz=\"0 0 1\"/><limit lower=\"0\" upper=\"1\" velocity=\"1\"/>";
    let high =
        "<origin xyz=\"0 0 0.15\"/><axis xyz=\"1 0 0\"/><limit lower=\"-0.1\" upper=\"0.1\" velocity=\"1\"/>";
    robot(
        &[
            ["base", "plate", "sled", "big", "tip"].map(|name| link(name, ball)).concat(),
            link("mount", ""),
            joint("to plate", "fixed", ["base", "plate"], ""),
            joint("to mount", "fixed", ["base", "mount"], ""),
            joint("slide", "prismatic", ["mount", "sled"], slide),
            joint("second", "prismatic", ["sled", "big"], slide),
            joint("third", "revolute", ["big", "tip"], high),
        ]
        .concat(),
    )
}

#[test]
fn pairs_are_left_out_for_a_reason() {
    let mut robot = branched();
    let srdf = "<robot name=\"x\"><disable_collisions link1=\"tip\" link2=\"base\" reason=\"Never\"/>\
                <disable_collisions link1=\"tip\" link2=\"gone\"/></robot>";
    robot.disable(srdf, "x.srdf").unwrap();
    let last = robot.notes().last().map(String::as_str);
    assert_eq!(last, Some("x.srdf: link 'gone' of a disabled pair does not exist"));
    let cell = RobotCell::new(&robot, Vec::new(), &CellOptions::default()).unwrap();
    let reason = |a: &str, b: &str| {
        let pair = |names: [&str; 2]| names == [a, b] || names == [b, a];
        let found =
            cell.self_pairs().iter().find(|one| pair(one.parts.map(|i| cell.parts()[i].name.as_str())));
        found.unwrap().reason.clone()
    };
    assert_eq!(cell.self_pairs().len(), 10);
    assert_eq!(reason("base", "plate"), PairReason::Fixed);
    // Through the mount, which has no geometry; from the plate the way is through the base, which has.
    assert_eq!(reason("base", "sled"), PairReason::Adjacent);
    assert_eq!(reason("plate", "sled"), PairReason::NeverMet);
    assert_eq!(reason("big", "tip"), PairReason::Adjacent);
    assert_eq!(reason("tip", "base"), PairReason::Disabled("Never".to_owned()));
    assert_eq!(reason("sled", "tip"), PairReason::NeverMet);
    assert_eq!(cell.samples(), 1000);
}

#[test]
fn a_pair_that_always_meets_is_left_out_and_counted() {
    let big = "<geometry><sphere radius=\"0.5\"/></geometry>";
    let turn = "<origin xyz=\"0 0 0.1\"/><axis xyz=\"0 0 1\"/>";
    let text = [
        ["a", "b", "c"].map(|name| link(name, big)).concat(),
        joint("ab", "continuous", ["a", "b"], turn),
        joint("bc", "continuous", ["b", "c"], turn),
    ];
    let robot = robot(&text.concat());
    let cell = cell(&robot, Vec::new());
    let pair = cell.self_pairs().iter().find(|pair| pair.parts == [0, 2]).unwrap();
    assert_eq!((&pair.reason, pair.met, pair.is_checked()), (&PairReason::AlwaysMet, 1000, false));
    assert_eq!(cell.check(&[0.0, 0.0], &Batch::default()).unwrap(), [true]);
    // Without samples it is checked.
    let pairs = PairOptions { samples: 0, ..PairOptions::default() };
    let all = RobotCell::new(&robot, Vec::new(), &CellOptions { pairs, ..CellOptions::default() }).unwrap();
    assert_eq!(all.check(&[0.0, 0.0], &Batch::default()).unwrap(), [false]);
}

/// The robot and scene of a seed, all lengths multiplied.
fn scaled(factor: f64) -> (Robot, Vec<(String, Body, Pose)>) {
    let s = |x: f64| x * factor;
    let rod = format!(
        "<origin xyz=\"{} 0 0\"/><geometry><box size=\"{} {} {}\"/></geometry>",
        s(0.5),
        s(1.0),
        s(0.1),
        s(0.1)
    );
    let turn = "<axis xyz=\"0 0 1\"/><limit lower=\"-3\" upper=\"3\" velocity=\"1\"/>";
    let next = format!("<origin xyz=\"{} 0 0\" rpy=\"1 0 0\"/>{turn}", s(1.0));
    let text = [
        ["l0", "l1", "l2", "l3"].map(|name| link(name, &rod)).concat(),
        joint("j0", "revolute", ["l0", "l1"], &next),
        joint("j1", "revolute", ["l1", "l2"], &next),
        joint("j2", "revolute", ["l2", "l3"], &next),
    ];
    let ball: Body = Sphere::new(DVec3::ZERO, s(0.5)).unwrap().into();
    let pose = Pose::from_translation(DVec3::new(s(1.5), s(1.0), s(0.5))).unwrap();
    (robot(&text.concat()), vec![("ball".to_owned(), ball, pose)])
}

#[test]
fn tiny_and_huge_robots_answer_alike() {
    let answers = |factor: f64| {
        let (robot, scene) = scaled(factor);
        let cell = cell(&robot, scene);
        let q = robot.sample(200, 7);
        let edges =
            cell.check_edges(&q[..300], &q[300..], &EdgeOptions::default(), &Batch::default()).unwrap();
        let edges: Vec<bool> = edges.iter().map(EdgeAnswer::is_free).collect();
        let lengths = cell.clearance(&q, &Default::default(), &Batch::default()).unwrap();
        let lengths: Vec<f64> = lengths.iter().map(|found| found.interval.upper / factor).collect();
        (cell.check(&q, &Batch::default()).unwrap(), edges, lengths)
    };
    let usual = answers(1.0);
    assert!(usual.0.contains(&true) && usual.0.contains(&false));
    for factor in [1e-9, 1e-3, 1e6, 1e12] {
        let other = answers(factor);
        assert_eq!((&usual.0, &usual.1), (&other.0, &other.1), "{factor}");
        assert!(usual.2.iter().zip(&other.2).all(|(a, b)| (a - b).abs() < 1e-9), "{factor}");
    }
}

#[test]
fn a_robot_without_joints_has_one_configuration() {
    let ball = "<geometry><sphere radius=\"0.5\"/></geometry>";
    let robot = robot(&link("only", ball));
    assert_eq!((robot.dof(), robot.forward(&[]).unwrap().len()), (0, 1));
    let cell = cell(&robot, scene(&mut Random::new(1), 30));
    assert_eq!(cell.check(&[], &Batch::default()).unwrap().len(), 1);
    assert!(cell.check(&[1.0], &Batch::default()).is_err());
}

#[test]
fn large_values_of_joints_are_computed_with() {
    let robot = random_arm(&mut Random::new(9), 5);
    let q: Vec<f64> = (0..robot.dof()).map(|_| 1e79).collect();
    let cell = cell(&robot, scene(&mut Random::new(2), 5));
    assert_eq!(robot.forward(&q).unwrap().len(), 6);
    assert!(!cell.check(&q, &Batch::default()).unwrap()[0]);
    let origin = vec![0.0; q.len()];
    let options = CellOptions { check_limits: false, ..CellOptions::default() };
    let free = RobotCell::new(&robot, scene(&mut Random::new(2), 5), &options).unwrap();
    let options = EdgeOptions { steps: 500, ..EdgeOptions::default() };
    let answer = free.check_edges(&origin, &q, &options, &Batch::default()).unwrap()[0];
    assert!(!answer.is_free());
    assert_eq!(free.clearance(&q, &Default::default(), &Batch::default()).unwrap().len(), 1);
}
