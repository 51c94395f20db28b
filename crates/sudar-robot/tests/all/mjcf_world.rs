//! MJCF models as bodies and joints of a world, beside MuJoCo.

use sudar::DVec3;
use sudar::dynamics::{Settings, World};
use sudar_robot::{LoadOptions, Robot, RobotBodies, WorldOptions};

use crate::mjcf::{TWO, bodies, model, near, pose};

/// MuJoCo 3.17.0: `bench/mjcf.py two=crates/sudar-robot/tests/two.xml --expected`; translation and rotation, row by
/// row, after half a second from the pose of the file.
const FALLEN: [(&str, [f64; 12]); 5] = [
    (
        "trunk",
        [
            0.09951780736855406,
            -0.20016931092827975,
            0.17281522928557752,
            0.8560736335035873,
            -0.5168119177539666,
            -0.006586022125338625,
            0.4958679100739264,
            0.8176533827070326,
            0.2925029256377892,
            -0.14578391467814503,
            -0.25366983938816373,
            0.9562419478384648,
        ],
    ),
    (
        "thigh",
        [
            0.22116048113189613,
            -0.3565245079581961,
            0.012328119892201866,
            0.8521968668813242,
            -0.5167909593452475,
            -0.08177777458867384,
            0.5194226768868782,
            0.8168131613458247,
            0.2510305602668967,
            -0.0629331614757035,
            -0.2564046875376132,
            0.9645185604203863,
        ],
    ),
    (
        "shin",
        [
            0.2909476087330859,
            -0.4487431507150026,
            -0.4221052706121584,
            0.8220802670843526,
            -0.5167909593452475,
            0.23897936900398115,
            0.38986476637511897,
            0.8168131613458247,
            0.42523137630179203,
            -0.4149572247952747,
            -0.2564046875376132,
            0.8729645684670972,
        ],
    ),
    (
        "rod",
        [
            0.23017444454929314,
            -0.5800059069311385,
            -0.7177711797611823,
            0.41231459914859636,
            -0.5167909593452475,
            0.7502824639213911,
            -0.02500796970672997,
            0.8168131613458247,
            0.5763600098058413,
            -0.910698233653762,
            -0.25640468753761303,
            0.3238600985435831,
        ],
    ),
    (
        "arm",
        [
            1.0045827503708962,
            0.05000278171943143,
            0.9874089968281207,
            0.469780173361469,
            -0.6969180841870287,
            0.5418595506674676,
            -0.4022970583173401,
            0.37735554853926173,
            0.8341222133811375,
            -0.7857885629007862,
            -0.6098425812615209,
            -0.10309394014491141,
        ],
    ),
];

fn fallen(robot: &Robot, seconds: f64, step: f64) -> (World, RobotBodies) {
    let settings = Settings { substeps: 1, sleeps: false, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let options = WorldOptions { hold: None, ..WorldOptions::default() };
    let bodies = robot.add_to(&mut world, robot.home(), &options).unwrap();
    for _ in 0..(seconds / step).round() as u32 {
        world.step(step).unwrap();
    }
    (world, bodies)
}

/// Free, on two hinges that are one joint here, on a slide, on a spring and dampers, and on three hinges with a light
/// body between them, of which two end at their limits.
#[test]
fn a_model_falls_as_in_mujoco() {
    let robot = Robot::parse(TWO, "two.xml", &LoadOptions::default()).unwrap();
    let (world, bodies) = fallen(&robot, 0.5, 1e-3);
    assert_eq!(bodies.notes.len(), 1, "{:?}", bodies.notes);
    assert!(bodies.notes[0].contains("'arm': its joints are not one joint here"), "{}", bodies.notes[0]);
    for (link, expected) in FALLEN {
        let found = bodies.link_pose(&world, robot.link(link).unwrap()).unwrap();
        let rows = found.rotation().transpose().to_cols_array();
        let numbers = found.translation().to_array().into_iter().chain(rows);
        let off = numbers.zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // Impacts at limits take a step here and five of 1e-5 s there.
        let most = if link == "arm" { 3e-4 } else { 2e-6 };
        println!("{link}: {off:.1e}");
        assert!(off < most, "{link}: {off:e}");
    }
    // The configuration is that of the poses, also of links between joints.
    let q = bodies.configuration(&world).unwrap();
    for (link, pose) in robot.forward(&q).unwrap().iter().enumerate() {
        let found = bodies.link_pose(&world, link).unwrap();
        if link > robot.link("rod").unwrap() {
            assert!(found.translation().distance(pose.translation()) < 1e-6, "{link}");
            let off = (found.rotation() - pose.rotation()).to_cols_array();
            assert!(off.iter().all(|x| x.abs() < 1e-6), "{link}: {off:?}");
        }
    }
    let limits = robot.limits();
    let within = |k: usize| (limits[k].lower - 1e-3..=limits[k].upper + 1e-3).contains(&q[k]);
    assert!((6..robot.dof()).all(within), "{q:?}");
}

/// Slides and a hinge of one body are one joint, so that nothing is between them.
#[test]
fn slides_and_a_hinge_are_one_joint() {
    let robot = bodies(
        "<body name=\"b\" pos=\"0 0 1\"><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/>
           <joint name=\"z\" type=\"slide\" axis=\"0 0 1\" range=\"-0.5 1\"/><joint name=\"turn\" axis=\"0 1 0\"/>
           <geom type=\"box\" size=\"0.1 0.1 0.1\" mass=\"2\"/></body>",
    );
    let (world, bodies) = fallen(&robot, 0.2, 1e-3);
    assert!(bodies.notes.is_empty() && world.joints().count() == 1);
    // ½ g t².
    let q = bodies.configuration(&world).unwrap();
    assert!(q[0].abs() < 1e-12 && (q[1] + 0.1962).abs() < 1e-9 && q[2].abs() < 1e-12, "{q:?}");
    let (world, bodies) = fallen(&robot, 1.0, 1e-3);
    assert!((bodies.configuration(&world).unwrap()[1] + 0.5).abs() < 1e-6);
}

#[test]
fn motors_hold_and_lead_several_joints_of_one_body() {
    let robot = Robot::parse(TWO, "two.xml", &LoadOptions::default()).unwrap();
    let settings = Settings { sleeps: false, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let start = robot.home();
    let bodies = robot.add_to(&mut world, start, &WorldOptions::default()).unwrap();
    let goal = [[0.0; 6].as_slice(), &[0.3, -0.4, 0.1, 0.05, 0.3, 0.2, -0.4]].concat();
    for step in 1..=240 {
        let share = f64::from(step) / 240.0;
        let q: Vec<f64> = start.iter().zip(&goal).map(|(a, b)| a + (b - a) * share).collect();
        bodies.hold(&mut world, &q).unwrap();
        world.step(1.0 / 480.0).unwrap();
    }
    let q = bodies.configuration(&world).unwrap();
    let off = (6..robot.dof()).map(|k| (q[k] - goal[k]).abs()).fold(0.0, f64::max);
    assert!(off < 0.02, "{off} {q:?}");
}

#[test]
fn a_ball_rests_on_the_plane_of_its_model() {
    let robot = bodies(
        "<geom type=\"plane\"/><body name=\"a\" pos=\"0 0 0.4\"><freejoint/><geom size=\"0.1\"/></body>
         <body name=\"b\" pos=\"1 0 0.4\"><freejoint/><geom size=\"0.1\" contype=\"2\" conaffinity=\"2\"/></body>",
    );
    let (world, bodies) = fallen(&robot, 1.5, 1.0 / 240.0);
    let height = |link| bodies.link_pose(&world, link).unwrap().translation().z;
    assert!((height(1) - 0.1).abs() < 1e-3, "{}", height(1));
    // The other has no bit in common with the plane, and falls through.
    assert!(height(2) < -5.0, "{}", height(2));
}

#[test]
fn equalities_couple_joints_and_close_loops() {
    let robot = model(
        "<compiler angle=\"radian\"/><worldbody>
         <body name=\"a\"><joint name=\"a\" axis=\"0 1 0\" range=\"-1 1\"/><geom size=\"0.1\" pos=\"0.5 0 0\"/></body>
         <body name=\"b\" pos=\"0 1 0\"><joint name=\"b\" axis=\"0 1 0\" ref=\"0.25\" range=\"-1 3\"/>
           <geom size=\"0.1\" pos=\"0.5 0 0\"/></body>
         <body name=\"c\" pos=\"1 0 2\"><freejoint/><geom size=\"0.1\"/></body>
         <body name=\"d\" pos=\"3 0 2\"><freejoint/><geom size=\"0.1\"/></body></worldbody>
         <equality><joint joint1=\"b\" joint2=\"a\" polycoef=\"0.5 2 0 0 0\"/>
           <joint joint1=\"a\" joint2=\"b\"/><connect body1=\"c\" anchor=\"-0.5 0 0\"/><weld body1=\"c\" body2=\"d\"/>
         </equality>",
    );
    // b − 0.25 = 0.5 + 2 a, which would limit a to −0.875 and 1; b is turned by what it is beyond its reference.
    assert_eq!(robot.joint_names()[0], "a");
    assert_eq!(robot.dof(), 1 + 6 + 6);
    let limits = robot.limits()[0];
    assert_eq!((limits.lower, limits.upper), (-1.0, 1.0));
    assert!(
        robot
            .notes()
            .iter()
            .any(|note| note.contains("joint 'b': its limits do not narrow those of joint 'a'"))
    );
    let mut q = robot.home().to_vec();
    q[0] = 0.3;
    let turned = pose(&robot, "b", &q).rotate(DVec3::X);
    assert!(near(turned, DVec3::new(1.1_f64.cos(), 0.0, -1.1_f64.sin())), "{turned}");
    // The second equality would run in a circle.
    assert!(robot.notes().iter().any(|note| note.contains("linear function")), "{:?}", robot.notes());
    // c hangs on a point of the world, and d is part of it: a pendulum that starts level.
    let (world, bodies) = fallen(&robot, 0.3, 1e-3);
    let [c, d] = [3, 4].map(|link| bodies.link_pose(&world, link).unwrap());
    assert!((c.apply(DVec3::X * -0.5) - DVec3::new(0.5, 0.0, 2.0)).length() < 1e-6);
    assert!((c.inverse().after(&d).translation() - DVec3::X * 2.0).length() < 1e-6);
    assert!(c.translation().z < 1.95);
}

/// A joint about the negative of an axis has its own limits and numbers, not those about the axis.
#[test]
fn joints_about_negative_axes_move_their_own_way() {
    let urdf = r#"<robot name="rod"><link name="base"/>
        <link name="rod"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
          <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 -1 0"/>
          <limit lower="-0.5" upper="2" velocity="1"/></joint></robot>"#;
    let mjcf = "<compiler angle=\"radian\"/><worldbody><body name=\"rod\"><joint name=\"j\" axis=\"0 -1 0\" range=\"-0.5 2\"/>
        <inertial pos=\"0.5 0 0\" mass=\"1\" diaginertia=\"0.1 0.1 0.1\"/></body></worldbody>";
    let urdf = Robot::parse(urdf, "rod.urdf", &LoadOptions::default()).unwrap();
    for robot in [urdf, model(mjcf)] {
        let (world, bodies) = fallen(&robot, 2.0, 1e-3);
        // It falls, which is a negative turn about −y, to its lower limit.
        let q = bodies.configuration(&world).unwrap();
        assert!((q[0] + 0.5).abs() < 1e-6, "{q:?}");
        let (found, expected) = (bodies.link_pose(&world, 1).unwrap(), pose(&robot, "rod", &q));
        assert!(found.rotate(DVec3::X).distance(expected.rotate(DVec3::X)) < 1e-6);
    }
}
