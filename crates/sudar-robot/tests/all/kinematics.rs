//! Forward kinematics against closed forms.

use sudar::{DMat3, DVec3, Pose};
use sudar_robot::{LoadOptions, Robot};
use sudar_testing::Random;

use crate::arms::{joint, link, planar, random_arm, robot};

fn differ(a: &Pose, b: &Pose) -> f64 {
    let turn = a.rotation() - b.rotation();
    let turn = [turn.x_axis, turn.y_axis, turn.z_axis].map(|c| c.abs().max_element());
    (a.translation() - b.translation()).abs().max_element().max(turn.into_iter().fold(0.0, f64::max))
}

#[test]
fn a_planar_arm_is_where_its_angles_add_up() {
    let robot = planar();
    assert_eq!(robot.joint_names(), ["shoulder", "elbow"]);
    let mut random = Random::new(1);
    let q: Vec<f64> = (0..400).map(|_| random.within(-3.0, 3.0)).collect();
    for (q, poses) in q.chunks(2).zip(robot.forward(&q).unwrap().chunks(3)) {
        // The elbow is at (cos a, sin a), the lower rod turned by a + b.
        let (a, b) = (q[0], q[0] + q[1]);
        let elbow = DVec3::new(a.cos(), a.sin(), 0.0);
        let expected = Pose::from_matrix(DMat3::from_rotation_z(b), elbow).unwrap();
        assert!(differ(&poses[2], &expected) < 1e-15);
        let tip = poses[2].apply(DVec3::X);
        assert!((tip - elbow - DVec3::new(b.cos(), b.sin(), 0.0)).length() < 1e-15);
    }
}

/// The matrix of Denavit and Hartenberg 1955, distal: Rz(θ) Tz(d) Tx(a) Rx(α).
fn denavit_hartenberg(theta: f64, [a, alpha, d]: [f64; 3]) -> Pose {
    let (s, c) = theta.sin_cos();
    let (sa, ca) = alpha.sin_cos();
    let rotation = DMat3::from_cols(
        DVec3::new(c, s, 0.0),
        DVec3::new(-s * ca, c * ca, sa),
        DVec3::new(s * sa, -c * sa, ca),
    );
    Pose::from_matrix(rotation, DVec3::new(a * c, a * s, d)).unwrap()
}

#[test]
fn an_arm_by_its_denavit_hartenberg_table() {
    // The table of a six-jointed arm; in URDF the step after a joint is the origin of the next.
    let quarter = std::f64::consts::FRAC_PI_2;
    let table = [
        [0.0, quarter, 0.089159],
        [-0.425, 0.0, 0.0],
        [-0.39225, 0.0, 0.0],
        [0.0, quarter, 0.10915],
        [0.0, -quarter, 0.09465],
        [0.0, 0.0, 0.0823],
    ];
    let mut text = link("l0", "");
    for i in 0..6 {
        let [a, alpha, d] = if i == 0 { [0.0; 3] } else { table[i - 1] };
        let rest = format!("<origin xyz=\"{a} 0 {d}\" rpy=\"{alpha} 0 0\"/><axis xyz=\"0 0 1\"/>");
        text += &link(&format!("l{}", i + 1), "");
        text += &joint(&format!("j{i}"), "continuous", [&format!("l{i}"), &format!("l{}", i + 1)], &rest);
    }
    let robot = robot(&text);
    let q = robot.sample(200, 3);
    for (q, poses) in q.chunks(6).zip(robot.forward(&q).unwrap().chunks(7)) {
        let mut tip = Pose::IDENTITY;
        for (theta, row) in q.iter().zip(&table[..5]) {
            tip = tip * denavit_hartenberg(*theta, *row);
        }
        tip = tip * denavit_hartenberg(q[5], [0.0; 3]);
        assert!(differ(&poses[6], &tip) < 1e-14, "{}", differ(&poses[6], &tip));
    }
}

#[test]
fn copies_follow_copies() {
    let slide = "<axis xyz=\"1 0 0\"/><limit lower=\"-9\" upper=\"9\" velocity=\"1\"/>";
    let copy = |of: &str, by: &str| format!("{slide}<mimic joint=\"{of}\" {by}/>");
    let text = format!(
        "<robot name=\"test\">{}</robot>",
        [
            ["a", "b", "c", "d"].map(|name| link(name, "")).concat(),
            // The copy of a copy comes before what it copies.
            joint("third", "prismatic", ["c", "d"], &copy("second", "multiplier=\"3\" offset=\"0.5\"")),
            joint("second", "prismatic", ["b", "c"], &copy("first", "multiplier=\"-2\" offset=\"0.25\"")),
            joint("first", "prismatic", ["a", "b"], slide),
        ]
        .concat(),
    );
    let load = |narrow_by_mimics| {
        let options = LoadOptions { narrow_by_mimics, ..LoadOptions::default() };
        Robot::parse(&text, "test.urdf", &options).unwrap()
    };
    let robot = load(false);
    assert_eq!(robot.joint_names(), ["first"]);
    let poses = robot.forward(&[1.0]).unwrap();
    // first 1; second −2 + 0.25 = −1.75; third 3 · −1.75 + 0.5 = −4.75.
    let x: Vec<f64> = poses.iter().map(|pose| pose.translation().x).collect();
    assert_eq!(x, [0.0, 1.0, -0.75, -5.5]);
    // The limits of copies narrow nothing, and the notes say what they would.
    assert_eq!(robot.limits()[0], sudar::Interval { lower: -9.0, upper: 9.0 });
    let text = |ends: &str| {
        let text = format!("its limits do not narrow those of joint 'first', which it mimics, to {ends}");
        assert!(robot.notes().iter().any(|note| note.contains(&text)), "{:?}", robot.notes());
    };
    text("-1.29");
    text("-4.375..4.625");
    // Unless they shall: third ≥ −9 keeps first ≤ (−9.5/3 − 0.25)/−2, less than the 9 and the 4.6 of the others.
    let robot = load(true);
    let limits = robot.limits()[0];
    assert!(
        (limits.upper - (9.5 / 3.0 + 0.25) / 2.0).abs() < 1e-12
            && (limits.lower + (8.5 / 3.0 - 0.25) / 2.0).abs() < 1e-12
    );
    assert_eq!(robot.within_limits(&[1.7, 1.8, -1.3], 0.0).unwrap(), [true, false, false]);
}

#[test]
fn joints_with_several_numbers_are_made_of_simple_ones() {
    let text = [
        ["a", "b", "c", "d"].map(|name| link(name, "")).concat(),
        joint("float", "floating", ["a", "b"], "<origin xyz=\"0 0 1\"/>"),
        joint("plane", "planar", ["b", "c"], "<axis xyz=\"0 0 1\"/>"),
        joint("ball", "spherical", ["c", "d"], ""),
    ]
    .concat();
    let robot = robot(&text);
    let names = robot.joint_names().join(" ");
    let floating = "float.x float.y float.z float.roll float.pitch float.yaw";
    assert_eq!(names, format!("{floating} plane.u plane.v plane.turn ball.roll ball.pitch ball.yaw"));
    let mut q = vec![0.0; 12];
    (q[0], q[5], q[6]) = (2.0, std::f64::consts::FRAC_PI_2, 3.0);
    let poses = robot.forward(&q).unwrap();
    // Floated to (2, 0, 1), turned so that x is along y, and 3 along that.
    assert!((poses[2].translation() - DVec3::new(2.0, 3.0, 1.0)).length() < 1e-15);
    let (roll, pitch, yaw) = (0.3, -0.4, 0.5);
    (q[9], q[10], q[11]) = (roll, pitch, yaw);
    let turned = robot.forward(&q).unwrap()[3];
    let by_axes = DMat3::from_rotation_z(yaw) * DMat3::from_rotation_y(pitch) * DMat3::from_rotation_x(roll);
    let expected = Pose::from_matrix(poses[2].rotation() * by_axes, poses[2].translation()).unwrap();
    assert!(differ(&turned, &expected) < 1e-15);
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let robot = random_arm(&mut Random::new(5), 9);
    let q = robot.sample(1000, 1);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| robot.forward(&q).unwrap())
    };
    let one = on(1);
    assert!(one == on(2) && one == on(7));
    let alone = robot.forward(&q[..robot.dof()]).unwrap();
    assert_eq!(alone, one[..robot.links().len()]);
}
