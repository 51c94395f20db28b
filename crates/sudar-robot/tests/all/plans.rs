//! Plans: from the start to the goal, free by the pairwise library, the same for any number of threads.

use std::f64::consts::TAU;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sudar::query::{Batch, Body};
use sudar::{Cuboid, DVec3, Pose};
use sudar_robot::{
    CellOptions, EdgeAnswer, EdgeOptions, PlanEnd, PlanError, PlanOptions, Robot, RobotCell, RobotError,
};
use sudar_testing::Random;
use sudar_testing::oracle::data;

use crate::arms::{cell, pairwise, planar, random_arm, robot, scene};
use crate::planning;

type Scene = Vec<(String, Body, Pose)>;

fn cuboid(name: &str, center: [f64; 3], half: [f64; 3]) -> (String, Body, Pose) {
    let body = Body::new(Cuboid::new(DVec3::from(half)).unwrap());
    (name.to_owned(), body, Pose::from_translation(DVec3::from(center)).unwrap())
}

/// A box in the plane of [`planar`], which the arm has to fold to get past.
fn post() -> Scene {
    vec![cuboid("post", [1.2, 0.0, 0.0], [0.1, 0.1, 0.1])]
}

/// So many configurations evenly along a path, edge by edge.
fn samples(waypoints: &[f64], dof: usize, count: u32) -> Vec<Vec<f64>> {
    let rows: Vec<&[f64]> = waypoints.chunks(dof).collect();
    let edges = rows.len() - 1;
    let one = |k: u32| {
        let x = f64::from(k) / f64::from(count - 1) * edges as f64;
        let edge = (x as usize).min(edges - 1);
        let t = x - edge as f64;
        rows[edge].iter().zip(rows[edge + 1]).map(|(a, b)| a + t * (b - a)).collect()
    };
    if edges == 0 { vec![rows[0].to_vec()] } else { (0..count).map(one).collect() }
}

/// Asserts that the pairwise library finds no contact on a path.
fn is_free_by_pairs(cell: &RobotCell, scene: &Scene, waypoints: &[f64], count: u32) {
    for q in samples(waypoints, cell.robot().dof(), count) {
        assert_eq!(pairwise(cell, scene, &q), [], "{q:?}");
    }
}

fn short() -> PlanOptions {
    PlanOptions { rounds: 2000, time: None, ..PlanOptions::default() }
}

#[test]
fn an_arm_folds_to_get_past_a_post() {
    let scene = post();
    let cell = cell(&planar(), scene.clone());
    let (start, goals) = ([-0.8, 0.0], [0.8, 0.0]);
    let plan = cell.plan(&start, &goals, &PlanOptions::default(), &Batch::default()).unwrap();
    assert!(plan.is_certified() && plan.edges.len() == plan.waypoints.len() / 2 - 1);
    assert!(plan.waypoints.starts_with(&start) && plan.waypoints.ends_with(&goals));
    is_free_by_pairs(&cell, &scene, &plan.waypoints, 10_000);
    // The shoulder goes 1.6 at least, and the elbow bends by more than 1 and back.
    assert!((2.5..8.0).contains(&plan.length), "{}", plan.length);
    let rough = PlanOptions { shortcuts: 0, ..PlanOptions::default() };
    let rough = cell.plan(&start, &goals, &rough, &Batch::default()).unwrap();
    assert!(rough.length >= plan.length && rough.statistics.shortcuts == 0);
    is_free_by_pairs(&cell, &scene, &rough.waypoints, 1000);
}

/// Two free configurations of a random arm in a random scene.
fn ends(cell: &RobotCell, seed: u64) -> Option<[Vec<f64>; 2]> {
    let robot = cell.robot();
    let q = robot.sample(64, seed);
    let valid = cell.check(&q, &Batch::default()).unwrap();
    let mut free = q.chunks(robot.dof()).zip(valid).filter(|(_, valid)| *valid).map(|(q, _)| q.to_vec());
    Some([free.next()?, free.next()?])
}

#[test]
fn paths_of_random_arms_are_free_and_the_same_for_any_number_of_threads() {
    let pools =
        [1, 2, 5].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let (mut found, mut bent, mut lost) = (0, 0, 0);
    for seed in 0..60 {
        let mut random = Random::new(4000 + seed);
        let joints = 3 + random.below(4);
        let robot = random_arm(&mut random, joints);
        let scene = scene(&mut random, 6);
        let cell = cell(&robot, scene.clone());
        let Some([start, goal]) = ends(&cell, seed) else { continue };
        let options = PlanOptions { seed, rounds: 200, shortcuts: 6, ..short() };
        let plans = pools
            .each_ref()
            .map(|pool| pool.install(|| cell.plan(&start, &goal, &options, &Batch::default())));
        assert_eq!(plans[0], plans[1]);
        assert_eq!(plans[0], plans[2]);
        match &plans[0] {
            Ok(plan) => {
                assert!(plan.waypoints.starts_with(&start));
                // At the goal, but for whole turns of joints without limits.
                let last = &plan.waypoints[plan.waypoints.len() - robot.dof()..];
                for ((last, goal), turns) in last.iter().zip(&goal).zip(robot.turns()) {
                    let off = last - goal;
                    let off = if turns { off - TAU * (off / TAU).round() } else { off };
                    assert!(off == 0.0 || turns && off.abs() < 1e-12, "{last} {goal}");
                }
                let q = samples(&plan.waypoints, robot.dof(), 500);
                if plan.is_certified() {
                    is_free_by_pairs(&cell, &scene, &plan.waypoints, 500);
                }
                assert!(q.iter().all(|q| robot.within_limits(q, 0.0).unwrap() == [true]));
                found += 1;
                bent += usize::from(plan.edges.len() > 1);
            }
            Err(PlanError::NotFound { until: PlanEnd::Rounds, .. }) => lost += 1,
            Err(other) => panic!("{other}"),
        }
    }
    println!("{found} found, {bent} of them not straight, {lost} not");
    assert!(found > 20 && bent > 5, "{found} {bent} {lost}");
}

#[test]
fn another_seed_is_another_path() {
    let cell = cell(&planar(), post());
    let plan = |seed| {
        let options = PlanOptions { seed, shortcuts: 0, ..short() };
        cell.plan(&[-0.8, 0.0], &[0.8, 0.0], &options, &Batch::default()).unwrap()
    };
    assert_ne!(plan(1).waypoints, plan(2).waypoints);
}

#[test]
fn of_several_goals_one_that_is_free_is_reached() {
    let cell = cell(&planar(), post());
    // In contact, outside the limits, free.
    let goals = [0.0, 0.0, 0.0, 3.5, 0.8, 0.0];
    let plan = cell.plan(&[-0.8, 0.0], &goals, &short(), &Batch::default()).unwrap();
    assert_eq!((plan.goal, plan.waypoints.ends_with(&[0.8, 0.0])), (2, true));
    // A goal that is the start is reached without a search.
    let plan = cell.plan(&[-0.8, 0.0], &[0.8, 0.0, -0.8, 0.0], &short(), &Batch::default()).unwrap();
    assert_eq!((plan.goal, plan.length, &plan.waypoints[..]), (1, 0.0, &[-0.8, 0.0][..]));
    assert!(plan.is_certified());
}

#[test]
fn joints_that_may_not_move_keep_still() {
    let slide = "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" velocity=\"1\"/>";
    let rod = "<origin xyz=\"0.5 0 0\"/><geometry><box size=\"1 0.1 0.1\"/></geometry>";
    let lifted = robot(
        &[
            crate::arms::link("base", ""),
            crate::arms::link("post", ""),
            crate::arms::link("rod", rod),
            crate::arms::joint("lift", "prismatic", ["base", "post"], slide),
            crate::arms::joint("turn", "continuous", ["post", "rod"], "<axis xyz=\"0 0 1\"/>"),
        ]
        .concat(),
    );
    let cell = cell(&lifted, vec![cuboid("wall", [0.8, 0.0, 0.0], [0.05, 0.05, 0.3])]);
    let plan = |joints: &[&str], goal: [f64; 2]| {
        let joints = Some(joints.iter().map(|&name| name.to_owned()).collect());
        cell.plan(&[0.0, -1.0], &goal, &PlanOptions { joints, ..short() }, &Batch::default())
    };
    // Around the other way, since the rod may not be lifted over the wall; beyond pi that is another value.
    let around = plan(&["turn"], [0.0, 1.0 - TAU]).unwrap();
    assert!(around.waypoints.chunks(2).all(|q| q[0] == 0.0));
    assert!(plan(&["lift", "turn"], [0.0, 1.0]).unwrap().waypoints.chunks(2).any(|q| q[0].abs() > 0.3));
    assert!(matches!(plan(&["turn"], [0.5, 1.0]), Err(PlanError::Held { start: 0.0, goal: 0.5, .. })));
    assert!(matches!(plan(&["twist"], [0.0, 1.0]), Err(PlanError::Robot(RobotError::Unknown { .. }))));
}

#[test]
fn where_nothing_can_be_certified_the_plan_says_so() {
    let cell = cell(&planar(), post());
    let edge = EdgeOptions { steps: 1, ..EdgeOptions::default() };
    let options = PlanOptions { edge, rounds: 20, ..short() };
    let plan = cell.plan(&[-0.8, 0.0], &[0.8, 0.0], &options, &Batch::default()).unwrap();
    assert!(!plan.is_certified());
    let is_open = |edge: &EdgeAnswer| matches!(edge, EdgeAnswer::Free | EdgeAnswer::Undecided { .. });
    assert!(plan.edges.iter().all(is_open) && plan.statistics.refused > 0);
}

#[test]
fn what_is_no_problem_is_refused_in_words() {
    let cell = cell(&planar(), post());
    let options = short();
    let plan = |start: &[f64], goals: &[f64]| cell.plan(start, goals, &options, &Batch::default());
    let text = |found: Result<_, PlanError>| found.map(|_: sudar_robot::Plan| ()).unwrap_err().to_string();
    let free = [-0.8, 0.0];
    assert_eq!(
        text(plan(&[0.0, 0.0], &free)),
        "the start is in contact: 'lower' with 'post'; start from a configuration that is free"
    );
    assert_eq!(
        text(plan(&free, &[0.0, 9.0])),
        "no goal is free: the first is outside the limits: joint 'elbow' is 9, not from -3 to 3; give a goal that is free"
    );
    assert!(matches!(plan(&free, &[]), Err(PlanError::NoGoals)));
    assert!(matches!(plan(&[0.1, 0.2, 0.3, 0.4], &free), Err(PlanError::Starts { found: 2 })));
    assert!(matches!(plan(&free, &[0.1]), Err(PlanError::Robot(RobotError::Rows { .. }))));
    assert!(matches!(plan(&free, &[f64::NAN, 0.0]), Err(PlanError::Robot(RobotError::Value { .. }))));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = PlanOptions { range: bad, ..short() };
        let found = cell.plan(&free, &free, &options, &Batch::default());
        assert!(matches!(found, Err(PlanError::NotPositive { .. })));
    }
    let options = PlanOptions { resolution: 1e-9, ..short() };
    assert!(matches!(cell.plan(&free, &free, &options, &Batch::default()), Err(PlanError::TooFine { .. })));
}

#[test]
fn a_search_without_a_way_ends() {
    // The upper rod cannot pass: a wall on either side of the goal.
    let wall = |name, x: f64, y: f64| cuboid(name, [x, y, 0.0], [0.05, 0.05, 0.5]);
    let cell = cell(&planar(), vec![wall("left", 0.5, 0.3), wall("right", 0.5, -0.3)]);
    let (start, goal) = ([-2.0, 0.0], [0.0, 0.0]);
    let end = |options: &PlanOptions, batch: &Batch<'_>| match cell.plan(&start, &goal, options, batch) {
        Err(PlanError::NotFound { until, statistics }) => (until, statistics.rounds),
        other => panic!("{other:?}"),
    };
    let options = PlanOptions { rounds: 50, time: None, ..PlanOptions::default() };
    assert_eq!(end(&options, &Batch::default()), (PlanEnd::Rounds, 50));
    let soon = PlanOptions { time: Some(Duration::from_millis(1)), ..PlanOptions::default() };
    assert_eq!(end(&soon, &Batch::default()).0, PlanEnd::Time);
    let flag = AtomicBool::new(true);
    let found = cell.plan(&start, &goal, &options, &Batch::default().cancelled_by(&flag));
    // A flag that is set ends the first check already.
    assert!(matches!(found, Err(PlanError::NotFound { .. } | PlanError::Start { .. })), "{found:?}");
}

#[test]
fn a_robot_that_does_not_move_is_where_it_is() {
    let still = robot(&crate::arms::link("base", "<geometry><box size=\"1 1 1\"/></geometry>"));
    let plan = cell(&still, Vec::new()).plan(&[], &[], &short(), &Batch::default()).unwrap();
    assert!(plan.waypoints.is_empty() && plan.is_certified());
}

#[test]
fn values_far_away_end_in_time() {
    let turn = "<axis xyz=\"0 0 1\"/>";
    let rod = "<origin xyz=\"0.5 0 0\"/><geometry><box size=\"1 0.1 0.1\"/></geometry>";
    let joint = crate::arms::joint("turn", "continuous", ["base", "rod"], turn);
    let turned = robot(&[crate::arms::link("base", ""), crate::arms::link("rod", rod), joint].concat());
    let cell = cell(&turned, vec![cuboid("post", [0.0, 0.8, 0.0], [0.1, 0.1, 0.1])]);
    let options = PlanOptions { time: Some(Duration::from_millis(50)), ..PlanOptions::default() };
    let found = cell.plan(&[0.0], &[1e12 * TAU], &options, &Batch::default());
    assert!(matches!(found, Err(PlanError::NotFound { .. } | PlanError::Goals { .. })), "{found:?}");
}

/// Every path of real problems is certified, and free by 10 000 samples link by link.
fn real_problems(name: &str, urdf: &str, file: &str, arm: impl Fn(&str) -> bool) {
    let Some(data) = data() else { return };
    let robot: Robot = planning::robot(&data, name, urdf);
    let joints = robot.joint_names().into_iter().filter(|name| arm(name)).map(str::to_owned).collect();
    let options = PlanOptions { joints: Some(joints), time: None, rounds: 2000, ..PlanOptions::default() };
    let (mut found, mut tried) = (0, 0);
    for problem in planning::problems(&data, &robot, file, 70) {
        let cell_options = CellOptions { check_limits: false, ..CellOptions::default() };
        let cell = RobotCell::new(&robot, problem.scene.clone(), &cell_options).unwrap();
        tried += 1;
        match cell.plan(&problem.start, &problem.goals.concat(), &options, &Batch::default()) {
            Ok(plan) => {
                assert!(plan.is_certified());
                is_free_by_pairs(&cell, &problem.scene, &plan.waypoints, 10_000);
                found += 1;
            }
            Err(PlanError::NotFound { .. }) => {}
            Err(PlanError::Start { .. } | PlanError::Goals { .. }) => tried -= 1,
            Err(other) => panic!("{other}"),
        }
    }
    println!("{name} {urdf}: {found} of {tried} problems");
    assert!(tried > 5 && found * 20 >= tried * 19);
}

#[test]
fn panda_of_meshes() {
    real_problems("panda", "panda.urdf", "mbm_panda.json.gz", |name| name.starts_with("panda_joint"));
}

#[test]
fn ur5_of_meshes() {
    real_problems("ur5", "ur5.urdf", "mbm_ur5.json.gz", |name| !name.contains("robotiq"));
}

/// Two arms of seven joints each, side by side, with links of capsules.
fn two_arms() -> Robot {
    let mut text = crate::arms::link("base", "");
    for (side, x) in [("left", -0.35), ("right", 0.35)] {
        let mut parent = "base".to_owned();
        for i in 0..7 {
            let name = format!("{side}{i}");
            let capsule =
                "<origin xyz=\"0 0 0.1\"/><geometry><capsule radius=\"0.05\" length=\"0.12\"/></geometry>";
            text += &crate::arms::link(&name, capsule);
            let axis = ["0 0 1", "0 1 0"][i % 2];
            let at = if i == 0 { format!("{x} 0 0.1") } else { "0 0 0.2".to_owned() };
            let rest = format!(
                "<origin xyz=\"{at}\"/><axis xyz=\"{axis}\"/><limit lower=\"-2.8\" upper=\"2.8\" velocity=\"2\"/>"
            );
            text += &crate::arms::joint(&format!("{side}_joint{i}"), "revolute", [&parent, &name], &rest);
            parent = name;
        }
    }
    robot(&text)
}

#[test]
fn two_arms_of_seven_joints_change_places() {
    let arms = two_arms();
    assert_eq!(arms.dof(), 14);
    let mut scene = vec![cuboid("table", [0.0, 0.0, -0.1], [1.5, 1.5, 0.05])];
    scene.push(cuboid("shelf", [0.0, 0.6, 0.8], [0.6, 0.05, 0.02]));
    scene.push(cuboid("post", [0.0, 0.45, 0.4], [0.04, 0.04, 0.4]));
    let cell = cell(&arms, scene.clone());
    let q = arms.sample(4000, 3);
    let valid = cell.check(&q, &Batch::default()).unwrap();
    let free: Vec<&[f64]> = q.chunks(14).zip(valid).filter(|(_, valid)| *valid).map(|(q, _)| q).collect();
    let (mut found, mut longest) = (0, 0.0_f64);
    for pair in free.chunks(2).take(12) {
        let began = std::time::Instant::now();
        let plan = cell.plan(pair[0], pair[1], &short(), &Batch::default());
        let seconds = began.elapsed().as_secs_f64();
        longest = longest.max(seconds);
        if let Ok(plan) = plan {
            assert!(plan.is_certified());
            is_free_by_pairs(&cell, &scene, &plan.waypoints, 1000);
            found += 1;
            println!("{seconds:.3} s, {:?}", plan.statistics);
        }
    }
    println!("{found} of 12, the longest in {longest:.3} s");
    assert!(found >= 11, "{found} of 12");
}
