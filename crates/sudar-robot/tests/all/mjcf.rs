//! MJCF models: masses and poses against closed forms and against MuJoCo, and what collides.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, FRAC_PI_6, PI};

use sudar::query::{Batch, Body};
use sudar::{DMat3, DVec3, Interval, Pose, Shape, Sphere};
use sudar_robot::{
    CellOptions, ClearanceOptions, EdgeAnswer, EdgeOptions, Inertial, JointKind, LoadOptions, PairOptions,
    PairReason, Robot, RobotCell,
};

/// A body that moves freely with a leg on several joints, and an arm on three hinges.
pub const TWO: &str = include_str!("../two.xml");

pub fn model(elements: &str) -> Robot {
    let text = format!("<mujoco model=\"test\">{elements}</mujoco>");
    Robot::parse(&text, "test.xml", &LoadOptions::default()).unwrap()
}

/// A model of bodies of the world.
pub fn bodies(elements: &str) -> Robot {
    model(&format!("<compiler angle=\"radian\"/><worldbody>{elements}</worldbody>"))
}

fn inertial(robot: &Robot, link: &str) -> Inertial {
    robot.links()[robot.link(link).unwrap()].inertial.unwrap()
}

fn moments(own: &Inertial) -> DVec3 {
    DVec3::new(own.inertia.x_axis.x, own.inertia.y_axis.y, own.inertia.z_axis.z)
}

pub fn pose(robot: &Robot, link: &str, q: &[f64]) -> Pose {
    robot.forward(q).unwrap()[robot.link(link).unwrap()]
}

pub fn near(a: DVec3, b: DVec3) -> bool {
    a.distance(b) < 1e-12
}

#[test]
fn primitives_weigh_what_their_closed_forms_say() {
    let weigh = |geom: &str| inertial(&bodies(&format!("<body name=\"b\"><geom {geom}/></body>")), "b");
    let ball = weigh("size=\"0.3\"");
    assert!((ball.mass - 1000.0 * 4.0 / 3.0 * PI * 0.027).abs() < 1e-12);
    assert!(near(moments(&ball), DVec3::splat(0.4 * ball.mass * 0.09)));
    let cuboid = weigh("type=\"box\" size=\"0.1 0.2 0.3\" density=\"500\" pos=\"1 2 3\"");
    assert!(
        (cuboid.mass - 500.0 * 8.0 * 0.006).abs() < 1e-12 && near(cuboid.center, DVec3::new(1.0, 2.0, 3.0))
    );
    assert!(near(moments(&cuboid), DVec3::new(0.13, 0.1, 0.05) * cuboid.mass / 3.0));
    let rod = weigh("type=\"cylinder\" size=\"0.1 0.4\" mass=\"3\"");
    let across = 3.0 * (3.0 * 0.01 + 0.64) / 12.0;
    assert!(near(moments(&rod), DVec3::new(across, across, 0.015)));
    let egg = weigh("type=\"ellipsoid\" size=\"0.1 0.2 0.3\" mass=\"5\"");
    assert!(near(moments(&egg), DVec3::new(0.13, 0.1, 0.05)));
    // A capsule from one point to another: a cylinder of 0.5 m with two halves of a ball, along the line.
    let capsule = weigh("type=\"capsule\" fromto=\"0 0 1 0.3 0.4 1\" size=\"0.1\"");
    let (cylinder, ends) = (1000.0 * PI * 0.01 * 0.5, 1000.0 * 4.0 / 3.0 * PI * 1e-3);
    assert!((capsule.mass - cylinder - ends).abs() < 1e-12);
    assert!(near(capsule.center, DVec3::new(0.15, 0.2, 1.0)));
    let along = DVec3::new(0.6, 0.8, 0.0);
    let found = (capsule.inertia * along).dot(along);
    assert!((found - cylinder * 0.005 - ends * 0.004).abs() < 1e-12);
    // Across, half a ball has its centre 3/8 r beyond the end and 83/320 m r² about that.
    let half = 83.0 / 320.0 * 0.01 + (0.25_f64 + 0.0375).powi(2);
    let across = cylinder * (3.0 * 0.01 + 0.25) / 12.0 + ends * half;
    assert!((capsule.inertia.z_axis.z - across).abs() < 1e-12, "{} {across}", capsule.inertia.z_axis.z);
}

#[test]
fn a_mesh_is_its_hull_and_weighs_what_its_triangles_enclose() {
    let corners = "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 0.5 0.5 0.5";
    let scaled = model(&format!(
        "<asset><mesh name=\"cube\" vertex=\"{corners}\" refpos=\"0.5 0.5 0.5\" scale=\"0.2 0.4 -0.6\"/></asset>
         <worldbody><body name=\"b\"><geom type=\"mesh\" mesh=\"cube\" pos=\"0 0 1\" quat=\"0 0 0 2\"/></body>
         </worldbody>"
    ));
    let own = inertial(&scaled, "b");
    assert!((own.mass - 1000.0 * 0.048).abs() < 1e-9 && near(own.center, DVec3::Z));
    let expected = DVec3::new(0.16 + 0.36, 0.04 + 0.36, 0.04 + 0.16) * own.mass / 12.0;
    assert!(moments(&own).distance(expected) < 1e-9);
    let (body, at) = &scaled.links()[1].bodies[0];
    assert!(matches!(body.shape(), Shape::Hull(hull) if hull.vertices().len() == 8));
    let aabb = body.aabb(at);
    assert!(near(aabb.min, DVec3::new(-0.1, -0.2, 0.7)) && near(aabb.max, DVec3::new(0.1, 0.2, 1.3)));
    // A box that is fitted to a box is that box, with its sides in the order of its moments.
    let fitted = model(&format!(
        "<asset><mesh name=\"cube\" vertex=\"{corners}\" scale=\"0.2 0.4 0.6\"/></asset>
         <worldbody><body name=\"b\"><geom type=\"box\" mesh=\"cube\"/></body></worldbody>"
    ));
    let own = inertial(&fitted, "b");
    assert!((own.mass - 48.0).abs() < 1e-9 && near(own.center, DVec3::new(0.1, 0.2, 0.3)));
    assert!(moments(&own).distance(expected) < 1e-9);
}

#[test]
fn masses_come_from_where_the_compiler_says() {
    let text = |compiler: &str| {
        format!(
            "<compiler {compiler}/><worldbody><geom size=\"1\"/>
             <body name=\"a\" pos=\"0 0 3\"><inertial mass=\"2\" pos=\"0 0 0.1\" fullinertia=\"3 4 5 0.1 0.2 0.3\"/>
               <geom size=\"0.1\" mass=\"7\" group=\"3\"/><geom size=\"0.1\" mass=\"1\" pos=\"0.5 0 0\"/></body>
             <body name=\"b\" pos=\"3 0 3\"><geom size=\"0.1\" mass=\"0.5\" group=\"3\"/></body></worldbody>"
        )
    };
    let weigh = |compiler: &str| ["a", "b"].map(|link| inertial(&model(&text(compiler)), link));
    let [a, b] = weigh("");
    assert_eq!((a.mass, b.mass), (2.0, 0.5));
    let full = DMat3::from_cols_array(&[3.0, 0.1, 0.2, 0.1, 4.0, 0.3, 0.2, 0.3, 5.0]);
    assert!((a.inertia - full).to_cols_array().iter().all(|x| x.abs() < 1e-12));
    let [a, _] = weigh("inertiafromgeom=\"true\"");
    assert!((a.mass - 8.0).abs() < 1e-12 && near(a.center, DVec3::X / 16.0));
    // Without a geom in the groups it keeps what it has.
    let [a, b] = weigh("inertiafromgeom=\"true\" inertiagrouprange=\"0 2\" boundmass=\"0.25\"");
    assert_eq!((a.mass, b.mass), (1.0, 0.25));
    let [a, b] = weigh("settotalmass=\"10\"");
    assert!((a.mass - 8.0).abs() < 1e-12 && (b.mass - 2.0).abs() < 1e-12);
    assert!((a.inertia.x_axis.x - 12.0).abs() < 1e-12);
    let [_, b] = weigh("boundinertia=\"0.7\"");
    assert!(near(moments(&b), DVec3::splat(0.7)));
    let odd = "<compiler balanceinertia=\"true\"/><worldbody><body name=\"a\">
        <inertial mass=\"1\" pos=\"0 0 0\" diaginertia=\"1 2 9\"/></body></worldbody>";
    assert!(near(moments(&inertial(&model(odd), "a")), DVec3::splat(4.0)));
}

#[test]
fn orientations_are_read_in_all_five_ways() {
    let turned = |compiler: &str, how: &str| {
        let text = format!("<compiler {compiler}/><worldbody><body name=\"b\" {how}/></worldbody>");
        pose(&model(&text), "b", &[])
    };
    let axes = |pose: &Pose| [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| pose.rotate(axis));
    let is = |pose: &Pose, expected: [DVec3; 3]| axes(pose).iter().zip(expected).all(|(a, b)| near(*a, b));
    let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
    // A quarter of a turn about z, of any length.
    assert!(is(&turned("", "quat=\"3 0 0 3\""), [y, -x, z]));
    assert!(is(&turned("", "axisangle=\"0 0 5 90\""), [y, -x, z]));
    assert!(is(&turned("angle=\"radian\"", "axisangle=\"0 0 -1 -1.5707963267948966\""), [y, -x, z]));
    assert!(is(&turned("", "xyaxes=\"0 2 0 -3 1 0\""), [y, -x, z]));
    assert!(is(&turned("", "zaxis=\"0 7 0\""), [x, -z, y]));
    assert!(is(&turned("", "zaxis=\"0 0 -1\""), [x, -y, -z]));
    // About x, then about the y axis that was turned: Rx Ry takes x to Rx (−z) = y, y to z, and z to x.
    assert!(is(&turned("", "euler=\"90 90 0\""), [y, z, x]));
    // About fixed axes x stays x, then goes to −z.
    let fixed = axes(&turned("eulerseq=\"XYZ\"", "euler=\"90 90 0\""));
    assert!(near(fixed[0], -z) && near(fixed[1], x) && near(fixed[2], -y), "{fixed:?}");
    let last = axes(&turned("eulerseq=\"zyx\"", "euler=\"0 0 90\""));
    assert!(near(last[0], x) && near(last[1], z));
}

#[test]
fn frames_move_what_is_within_them() {
    let robot = bodies(
        "<body name=\"a\" pos=\"1 0 0\"><frame pos=\"0 1 0\" axisangle=\"0 0 1 1.5707963267948966\">
           <joint name=\"j\" type=\"slide\" axis=\"1 0 0\"/><geom name=\"g\" size=\"0.1\" pos=\"0.5 0 0\"/>
           <frame pos=\"1 0 0\"><body name=\"b\" pos=\"1 0 0\"/></frame></frame></body>",
    );
    assert!(near(inertial(&robot, "a").center, DVec3::new(0.0, 1.5, 0.0)));
    // The slide goes along y, and b is 2 m along that.
    assert!(near(pose(&robot, "a", &[0.25]).translation(), DVec3::new(1.0, 0.25, 0.0)));
    assert!(near(pose(&robot, "b", &[0.25]).translation(), DVec3::new(1.0, 3.25, 0.0)));
}

/// Four sides of a wheel, of two balls each.
#[test]
fn replicated_elements_are_moved_and_turned_from_one_to_the_next() {
    let robot = model(
        "<worldbody><replicate count=\"4\" offset=\"1 0 0\" euler=\"0 0 90\" sep=\"-\"><body name=\"b\" pos=\"0.5 0 0\">
           <joint name=\"j\"/><replicate count=\"12\" offset=\"0 0 0.1\"><geom size=\"0.01\"/></replicate>
         </body></replicate></worldbody>",
    );
    assert_eq!(robot.link_names(), ["world", "b-0", "b-1", "b-2", "b-3"]);
    assert_eq!(robot.joint_names(), ["j-0", "j-1", "j-2", "j-3"]);
    assert!(robot.links()[1..].iter().all(|link| link.bodies.len() == 12));
    // Around a square, from (0, 0) by (1, 0), (0, 1), (−1, 0), each half a metre on.
    let expected = [[0.5, 0.0], [1.0, 0.5], [0.5, 1.0], [0.0, 0.5]];
    for (pose, [x, y]) in robot.forward(&[0.0; 4]).unwrap()[1..].iter().zip(expected) {
        assert!(near(pose.translation(), DVec3::new(x, y, 0.0)), "{pose:?}");
    }
    assert!(near(inertial(&robot, "b-3").center, DVec3::Z * 0.55));
}

#[test]
fn classes_are_inherited_and_overridden() {
    let robot = model(
        "<compiler angle=\"radian\"/>
         <default><geom mass=\"1\" size=\"0.1 0.2 0.3\"/>
           <default class=\"box\"><geom type=\"box\" euler=\"0.3 0 0\"/>
             <default class=\"heavy\"><geom mass=\"5\" zaxis=\"1 0 0\"/><joint range=\"-1 2\" axis=\"0 1 0\"/></default>
           </default></default>
         <worldbody>
           <body name=\"plain\"><geom/></body>
           <body name=\"named\"><geom class=\"box\" quat=\"1 0 0 0\"/></body>
           <body name=\"child\" childclass=\"heavy\"><joint name=\"j\"/><geom/>
             <body name=\"grandchild\"><joint name=\"k\" class=\"main\"/><geom size=\"0.5\"/></body>
             <body name=\"other\" childclass=\"box\"><geom/></body></body>
         </worldbody>",
    );
    let shape = |name: &str| robot.links()[robot.link(name).unwrap()].bodies[0].clone();
    assert!(matches!(shape("plain").0.shape(), Shape::Sphere(_)));
    // An orientation of the class that is no quaternion counts also over a quaternion, as in MuJoCo.
    let (named, at) = shape("named");
    assert!(matches!(named.shape(), Shape::Cuboid(_)) && near(at.rotate(DVec3::X), DVec3::X));
    assert!(at.rotate(DVec3::Y).distance(DVec3::Y) > 0.1);
    assert!(near(shape("child").1.rotate(DVec3::Z), DVec3::X));
    assert_eq!(["plain", "child", "other"].map(|link| inertial(&robot, link).mass), [1.0, 5.0, 1.0]);
    // Fewer sizes than those of the class leave the others.
    let Shape::Cuboid(cuboid) = shape("grandchild").0.shape().clone() else { panic!() };
    assert_eq!(cuboid.half, DVec3::new(0.5, 0.2, 0.3));
    assert_eq!(robot.limits()[0], Interval { lower: -1.0, upper: 2.0 });
    assert_eq!(
        robot
            .joints()
            .iter()
            .map(|joint| joint.kind)
            .filter(|kind| *kind != JointKind::Fixed)
            .collect::<Vec<_>>(),
        [JointKind::Revolute, JointKind::Continuous]
    );
}

#[test]
fn limits_are_in_the_units_of_the_compiler() {
    let joint = |compiler: &str, joint: &str| {
        let robot = model(&format!(
            "<compiler {compiler}/><worldbody><body><joint {joint}/><geom size=\"1\"/></body></worldbody>"
        ));
        (robot.joints()[0].kind, robot.limits()[0])
    };
    let (kind, limits) = joint("", "range=\"-30 60\"");
    assert_eq!(kind, JointKind::Revolute);
    assert!((limits.lower + FRAC_PI_6).abs() < 1e-15 && (limits.upper - FRAC_PI_3).abs() < 1e-15);
    assert_eq!(joint("", "type=\"slide\" range=\"-30 60\"").1, Interval { lower: -30.0, upper: 60.0 });
    assert_eq!(joint("angle=\"radian\"", "range=\"-2 -1\"").1, Interval { lower: -2.0, upper: -1.0 });
    assert_eq!(joint("", "range=\"-30 60\" limited=\"false\"").0, JointKind::Continuous);
    assert_eq!(joint("autolimits=\"false\"", "range=\"-30 60\" limited=\"true\"").0, JointKind::Revolute);
}

#[test]
fn joints_of_a_body_move_it_one_after_the_other_about_their_anchors() {
    let robot = bodies(
        "<body name=\"a\" pos=\"0 0 1\"><joint name=\"s\" type=\"slide\" axis=\"1 0 0\" ref=\"0.5\"/>
           <joint name=\"h\" axis=\"0 0 1\" pos=\"0 1 0\"/><joint name=\"k\" axis=\"1 0 0\"/><geom size=\"0.1\"/>
         </body>",
    );
    assert_eq!(robot.link_names(), ["world", "a.s", "a.h", "a"]);
    assert_eq!((robot.joint_names(), robot.home()), (vec!["s", "h", "k"], &[0.5, 0.0, 0.0][..]));
    assert!(near(pose(&robot, "a", robot.home()).translation(), DVec3::Z));
    // Slid by 2, turned by a quarter about (2, 1): the origin, 1 below that, goes to its left. Then y goes up.
    let moved = pose(&robot, "a", &[2.5, FRAC_PI_2, FRAC_PI_2]);
    assert!(near(moved.translation(), DVec3::new(3.0, 1.0, 1.0)), "{moved:?}");
    assert!(near(moved.rotate(DVec3::X), DVec3::Y) && near(moved.rotate(DVec3::Y), DVec3::Z));
}

#[test]
fn what_moves_freely_has_the_numbers_of_its_pose_in_the_world() {
    let robot = Robot::parse(TWO, "two.xml", &LoadOptions::default()).unwrap();
    let names = ["root.x", "root.y", "root.z", "root.roll", "root.pitch", "root.yaw"];
    assert_eq!(robot.joint_names()[..6], names);
    assert_eq!(robot.joints()[0].kind, JointKind::Floating);
    assert!(near(pose(&robot, "trunk", robot.home()).translation(), DVec3::new(0.1, -0.2, 1.4)));
    // The first keyframe: half a turn about z, at 2 m.
    let key = &robot.keyframes()[0];
    assert_eq!((key.name.as_str(), key.configuration.len()), ("bent", robot.dof()));
    let trunk = pose(&robot, "trunk", &key.configuration);
    assert!(near(trunk.translation(), DVec3::Z * 2.0) && near(trunk.rotate(DVec3::X), -DVec3::X));
    assert_eq!(key.configuration[6..], [0.1, 0.2, -0.3, 0.04, 0.5, 0.6, 0.7]);
}

/// MuJoCo 3.17.0: `bench/mjcf.py two=crates/sudar-robot/tests/two.xml --expected`; mass, centre, moments.
const WEIGHTS: [(&str, f64, [f64; 3], [f64; 6]); 5] = [
    ("trunk", 38.4, [0.02, 0.0, 0.1], [1.664, 0.0, 0.0, 1.28, 0.0, 0.64]),
    (
        "thigh",
        3.6517119918188508,
        [0.020207727214192606, 0.0, -0.23833818228645917],
        [0.07931050826213328, 0.0, 0.0036815348834609734, 0.08047797057506263, 0.0, 0.005760382547583284],
    ),
    (
        "shin",
        1.6218995672932903,
        [0.0, 0.0, -0.175],
        [0.02276175193152269, 0.0, 0.0, 0.02276175193152269, 0.0, 0.0012632050844770223],
    ),
    ("rod", 0.5, [0.0, 0.01, 0.1], [0.00325, 0.0, -0.001299038105676658, 0.004, 0.0, 0.00175]),
    (
        "arm",
        2.1430251955944137,
        [0.33391653886493927, 0.07097913471623482, 0.0],
        [
            0.006482509897445094,
            -0.011205566276373391,
            0.0013547589369303295,
            0.05546668398400737,
            0.0,
            0.055259228103921185,
        ],
    ),
];

#[test]
fn masses_of_a_model_are_those_of_mujoco() {
    let robot = Robot::parse(TWO, "two.xml", &LoadOptions::default()).unwrap();
    for (link, mass, center, [xx, xy, xz, yy, yz, zz]) in WEIGHTS {
        let own = inertial(&robot, link);
        assert!((own.mass - mass).abs() < 1e-12 && near(own.center, DVec3::from(center)), "{link}");
        let expected = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
        let off = (own.inertia - expected).to_cols_array();
        assert!(off.iter().all(|x| x.abs() < 1e-12), "{link}: {off:?}");
    }
}

fn reasons(robot: &Robot, objects: &[[&str; 2]]) -> Vec<PairReason> {
    let pairs = PairOptions { samples: 0, ..PairOptions::default() };
    let cell = RobotCell::new(robot, Vec::new(), &CellOptions { pairs, ..CellOptions::default() }).unwrap();
    let part = |name: &str| cell.parts().iter().position(|part| part.name == name).unwrap();
    let reason = |[a, b]: &[&str; 2]| {
        let [a, b] = [part(a), part(b)];
        let pair = cell.self_pairs().iter().find(|pair| pair.parts == [a.min(b), a.max(b)]).unwrap();
        pair.reason.clone()
    };
    objects.iter().map(reason).collect()
}

#[test]
fn pairs_collide_by_the_rules_of_mujoco() {
    let robot = model(
        "<worldbody><geom name=\"floor\" type=\"plane\"/>
         <body name=\"a\" pos=\"0 0 2\"><joint/><geom size=\"0.1\"/>
           <body name=\"fixed\" pos=\"1 0 0\"><geom size=\"0.1\"/>
             <body name=\"b\" pos=\"1 0 0\"><joint/><joint axis=\"1 0 0\"/><geom size=\"0.1\"/>
               <body name=\"c\" pos=\"1 0 0\"><joint/><geom size=\"0.1\"/></body></body></body></body>
         <body name=\"shy\" pos=\"0 5 2\"><freejoint/><geom size=\"0.1\" contype=\"2\" conaffinity=\"4\"/></body>
         <body name=\"one\" pos=\"0 9 2\"><freejoint/><geom size=\"0.1\" contype=\"4\" conaffinity=\"0\"/></body>
         <body name=\"seen\" pos=\"0 7 2\"><freejoint/><geom size=\"0.1\" contype=\"0\" conaffinity=\"0\"/></body>
         </worldbody>
         <contact><exclude body1=\"a\" body2=\"c\"/></contact>",
    );
    let disabled = |why: &str| PairReason::Disabled(why.to_owned());
    let found = reasons(
        &robot,
        &[
            ["a", "fixed"],
            ["a", "b"],
            ["fixed", "b"],
            ["a", "c"],
            ["fixed", "c"],
            ["b", "c"],
            ["world", "a"],
            ["world", "shy"],
            ["shy", "one"],
            ["a", "one"],
        ],
    );
    let family = disabled("parent and child");
    let rules = disabled("contype and conaffinity");
    assert_eq!(
        found,
        [
            PairReason::Fixed,
            family.clone(),
            family.clone(),
            disabled("excluded"),
            PairReason::Checked,
            family,
            PairReason::Checked,
            rules.clone(),
            PairReason::Checked,
            rules,
        ]
    );
    // What only shows is no part.
    assert!(robot.links()[robot.link("seen").unwrap()].bodies.is_empty());
}

#[test]
fn a_robot_on_a_plane_is_checked_with_it() {
    let robot = bodies(
        "<geom type=\"plane\" pos=\"0 0 0.1\"/><body name=\"a\" pos=\"0 0 1\"><joint axis=\"0 1 0\"/>
         <geom type=\"capsule\" fromto=\"0 0 0 1 0 0\" size=\"0.05\"/></body>",
    );
    let cell = RobotCell::new(&robot, Vec::new(), &CellOptions::default()).unwrap();
    // The end of the rod goes down by its sine.
    let free = cell.check(&[0.0, 1.0, 1.1, -1.1], &Batch::default()).unwrap();
    assert_eq!(free, [true, true, false, true]);
}

/// Several joints of a body, with anchors beside its origin, in clearances and edges, above a floor without an end.
#[test]
fn clearances_and_edges_know_where_joints_turn() {
    let robot = Robot::parse(TWO, "two.xml", &LoadOptions::default()).unwrap();
    let first = robot.joint_names().iter().position(|name| *name == "lift").unwrap();
    let at = |arm: [f64; 3]| [&robot.home()[..first], &arm].concat();
    // In the middle of the edge below the end of the arm is in the middle of the ball.
    let ends = [[1.5, 0.7, -0.3], [-0.3, 1.2, 0.4]];
    let middle = [0, 1, 2].map(|k| (ends[0][k] + ends[1][k]) / 2.0);
    let center = pose(&robot, "arm", &at(middle)).apply(DVec3::new(0.5, 0.1, 0.0));
    let ball = Body::new(Sphere::new(center, 0.05).unwrap());
    let ignored = ["trunk", "thigh", "shin"].map(|link| [link.to_owned(), "arm".to_owned()]).to_vec();
    let options = CellOptions { ignored, ..CellOptions::default() };
    let scene = vec![("ball".to_owned(), ball, Pose::IDENTITY)];
    let cell = RobotCell::new(&robot, scene, &options).unwrap();
    let q = at([0.4, 0.7, -0.3]);
    let gradient = ClearanceOptions { gradient: true, ..ClearanceOptions::default() };
    let clearance = |q: &[f64]| cell.clearance(q, &gradient, &Batch::default()).unwrap().remove(0);
    let here = clearance(&q);
    assert_eq!(
        here.nearest.as_ref().map(|near| robot.links()[cell.parts()[near.part].link].name.as_str()),
        Some("arm")
    );
    for k in first..robot.dof() {
        let moved = |way: f64| {
            let mut q = q.clone();
            q[k] += way;
            clearance(&q).interval.upper
        };
        let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        assert!((here.gradient[k] - difference).abs() < 1e-5, "{k}: {} {difference}", here.gradient[k]);
    }
    // From one side of the ball to the other the arm meets it; dense samples find the same.
    let [from, to] = ends.map(at);
    let edge = cell.check_edges(&from, &to, &EdgeOptions::default(), &Batch::default()).unwrap().remove(0);
    let sampled = (0..=2000).map(f64::from).find(|step| {
        let at: Vec<f64> = from.iter().zip(&to).map(|(a, b)| a + (b - a) * step / 2000.0).collect();
        !cell.check(&at, &Batch::default()).unwrap()[0]
    });
    let (EdgeAnswer::Hit(hit), Some(step)) = (edge, sampled) else { panic!("{edge:?} {sampled:?}") };
    assert!(hit.time.lower <= step / 2000.0 && hit.time.upper >= (step - 1.0) / 2000.0, "{hit:?} {step}");
}

#[test]
fn actuators_bound_the_effort_of_joints() {
    let robot = model(
        "<compiler angle=\"radian\"/><default><motor ctrlrange=\"-1 1\"/>
           <default class=\"servo\"><position forcerange=\"-2 3\" kp=\"50\"/></default></default>
         <worldbody><body name=\"a\"><joint name=\"m\"/><geom size=\"0.1\"/>
           <body><joint name=\"p\"/><geom size=\"0.1\"/><body><joint name=\"g\" actuatorfrcrange=\"-4 4\"/><geom size=\"0.1\"/>
           <body><joint name=\"free\"/><geom size=\"0.1\"/></body></body></body></body></worldbody>
         <actuator><motor joint=\"m\" gear=\"-40\"/><motor joint=\"m\" gear=\"2\"/>
           <position class=\"servo\" joint=\"p\" gear=\"2\"/><motor joint=\"g\" gear=\"10\"/>
           <position joint=\"free\" ctrlrange=\"-1 1\"/><motor site=\"s\"/></actuator>",
    );
    let effort: Vec<f64> = robot.joints().iter().map(|joint| joint.effort).collect();
    assert_eq!(effort, [42.0, 6.0, 4.0, 0.0]);
    assert!(robot.notes().iter().any(|note| note.contains("actuators of anything but joints")));
}

#[test]
fn what_is_not_read_and_matters_is_noted_once_with_its_line() {
    let robot = model(
        "<worldbody>
         <body name=\"a\"><joint name=\"j\" armature=\"0.1\"/><joint name=\"k\" armature=\"0.1\"/><geom size=\"0.1\"/>
           <site name=\"s\"/><camera/><light/></body>
         <composite count=\"3\"><geom size=\"1\"/></composite></worldbody>
         <tendon><fixed name=\"t\"><joint joint=\"j\" coef=\"1\"/></fixed></tendon>
         <sensor><jointpos joint=\"j\"/></sensor><visual/><statistic/><custom/><size/>
         <contact><exclude body1=\"a\" body2=\"of the composite\"/></contact>",
    );
    assert_eq!(
        robot.notes(),
        [
            "test.xml, line 2: joint 'j' (and 1 more): armature is not read: rotors have no inertia",
            "test.xml, line 4: composite: elements <composite> are not read",
            "test.xml, line 5: fixed 't': tendons are not read, neither springs nor limits",
            "test.xml, line 7: exclude: what names bodies that are not read is left out",
        ]
    );
}
