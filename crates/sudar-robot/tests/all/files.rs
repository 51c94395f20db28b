//! Files: what is read, and what is refused on one line.

use std::path::Path;

use sudar::query::{Body, DistanceOptions, distance};
use sudar::{Aabb, DVec3, Mesh, Pose, Shape, Sphere};
use sudar_formats::{Model, WriteOptions};
use sudar_robot::{LoadOptions, Robot, RobotError};

use crate::arms::{joint, link, parsed};

fn message(elements: &str) -> String {
    let text = parsed(elements).unwrap_err().to_string();
    assert!(!text.contains('\n'), "{text}");
    text
}

fn text_message(text: &str) -> String {
    let error = Robot::parse(text, "arm.urdf", &LoadOptions::default()).unwrap_err().to_string();
    assert!(!error.contains('\n'), "{error}");
    error
}

#[test]
fn what_is_no_urdf_is_refused() {
    assert_eq!(text_message(""), "arm.urdf: is no URDF file: it is empty");
    assert_eq!(text_message(" \n "), "arm.urdf: is no URDF file: it is empty");
    assert_eq!(text_message("hello"), "arm.urdf: is no URDF file: it has no element");
    assert_eq!(text_message("<sdf/>"), "arm.urdf: is no URDF file: its first element is not <robot>");
    assert!(text_message("<robot name=\"x\"><link").starts_with("arm.urdf: is no URDF file: "));
    assert!(text_message("<robot name=\"x\"><link name=\"a\">").contains("cut off"));
    assert!(text_message("<robot name=\"x\"></link></robot>").starts_with("arm.urdf: is no URDF file: "));
    assert_eq!(
        text_message("<robot>\n<xacro:macro name=\"x\"/></robot>"),
        "arm.urdf, line 2: has the element xacro:macro of xacro, which is not expanded; run xacro and name its output"
    );
    assert!(
        text_message("<robot><link name=\"${a}_b\"/></robot>").contains("the expression '${a}_b' of xacro")
    );
    assert!(text_message("<robot/><robot/>").contains("more than one root"));
    assert!(text_message("<!DOCTYPE robot [<!ENTITY a \"b\">]><robot/>").contains("DOCTYPE"));
    let deep = format!("<robot>{}{}</robot>", "<a>".repeat(100_000), "</a>".repeat(100_000));
    assert!(text_message(&deep).contains("nested deeper than 64"));
    assert_eq!(message(""), "the robot has no links");
    assert_eq!(message("<link/>"), "test.urdf: line 1: robot 'test', link: has no name; give it one");
    assert_eq!(
        message(&link("a", "<geometry><sphere radius=\"many\"/></geometry>")),
        "test.urdf: line 1: link 'a', sphere: radius has 'many', which is no number"
    );
    assert_eq!(
        message(&link("a", "<geometry><blob/></geometry>")),
        "test.urdf, line 1: link 'a': geometry blob is not read; have missing meshes skipped, or replace it"
    );
}

#[test]
fn joints_must_make_a_tree_of_links() {
    let links = ["a", "b", "c"].map(|name| link(name, "")).concat();
    let fixed = |name: &str, a: &str, b: &str| joint(name, "fixed", [a, b], "");
    let error = |joints: &[String]| message(&(links.clone() + &joints.concat()));
    assert_eq!(
        error(&[fixed("x", "a", "b"), fixed("y", "c", "b")]),
        "link 'b' is the child of joints 'x' and 'y'; links form a tree"
    );
    assert!(error(&[fixed("x", "a", "b")]).contains("link 'c' is not below the root"));
    assert!(error(&[fixed("x", "b", "c"), fixed("y", "c", "b")]).contains("run in a circle"));
    assert!(error(&[fixed("x", "a", "b"), fixed("y", "b", "c"), fixed("z", "c", "a")]).contains("circle"));
    assert!(error(&[fixed("x", "a", "a"), fixed("y", "a", "b"), fixed("z", "b", "c")]).contains("'a'"));
    assert_eq!(error(&[fixed("x", "a", "z")]), "joint 'x' names the link 'z', which does not exist");
    assert_eq!(error(&[fixed("x", "a", "b"), fixed("x", "b", "c")]), "two joints are named 'x'; rename one");
    assert_eq!(message(&(link("a", "") + &link("a", ""))), "two links are named 'a'; rename one");
}

#[test]
fn numbers_of_joints_must_make_sense() {
    let links = ["a", "b", "c"].map(|name| link(name, "")).concat();
    let one = |kind: &str, rest: &str| {
        message(&(links.clone() + &joint("j", kind, ["a", "b"], rest) + &joint("k", "fixed", ["b", "c"], "")))
    };
    assert_eq!(one("revolute", "<axis xyz=\"0 0 0\"/>"), "joint 'j': its axis is the zero vector");
    assert!(one("revolute", "<axis xyz=\"0 0 nan\"/>").starts_with("joint 'j': a number is NaN"));
    assert!(one("revolute", "<origin xyz=\"inf 0 0\"/>").starts_with("joint 'j': a number is NaN"));
    assert!(one("revolute", "<origin xyz=\"1e200 0 0\"/>").contains("beyond 1e80"));
    assert!(one("prismatic", "<limit lower=\"nan\" upper=\"1\" velocity=\"1\"/>").starts_with("joint 'j'"));
    assert!(one("revolute", "<mimic joint=\"j\"/>").contains("in a circle"));
    assert!(one("revolute", "<mimic joint=\"k\"/>").contains("it has not one number"));
    assert!(one("floating", "<mimic joint=\"k\"/>").contains("only joints with one number"));
    assert!(one("wobbly", "").contains("its type is 'wobbly'; give one of: fixed, revolute"));
    assert_eq!(
        message(&link("a", "<geometry><sphere radius=\"-1\"/></geometry>")),
        "link 'a': a sphere's radius must be positive, found -1"
    );
    assert!(message(&link("a", "<geometry><box size=\"1 nan 1\"/></geometry>")).starts_with("link 'a': "));
}

#[test]
fn unreadable_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let load = |path: &Path| Robot::load(path, &LoadOptions::default()).unwrap_err();
    assert!(matches!(load(&folder.path().join("none.urdf")), RobotError::Unreadable { .. }));
    assert!(load(folder.path()).to_string().contains("not a regular file"));
    let bytes = folder.path().join("bytes.urdf");
    std::fs::write(&bytes, [0xff, 0xfe, 0x00]).unwrap();
    assert!(matches!(load(&bytes), RobotError::Unreadable { .. }));
    let mut robot = parsed(&link("a", "")).unwrap();
    assert!(
        robot.disable("<srdf/>", "x.srdf").unwrap_err().to_string().starts_with("x.srdf: is no SRDF file")
    );
    assert!(robot.disable("<robot><disable_collisions link1=\"a\"/></robot>", "x.srdf").is_err());
}

#[test]
fn meshes_are_found_by_package_and_by_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for sub in ["arm/urdf", "arm/meshes", "elsewhere/parts"] {
        std::fs::create_dir_all(at(sub)).unwrap();
    }
    let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
    let apart = cube.mapped(|p| p + DVec3::X * 5.0).unwrap();
    let two = Mesh::joined([&cube, &apart]).unwrap();
    let write = |mesh: &Mesh, name: &str| {
        let model = Model::from_mesh("x", mesh.clone());
        sudar_formats::write(&at(name), &model, WriteOptions::default()).unwrap();
    };
    write(&cube, "arm/meshes/cube.stl");
    write(&two, "elsewhere/parts/two.obj");
    let mesh = |uri: &str, scale: &str| {
        link("a", &format!("<geometry><mesh filename=\"{uri}\"{scale}/></geometry>"))
    };
    let load = |uri: &str, scale: &str, options: &LoadOptions| {
        std::fs::write(at("arm/urdf/arm.urdf"), format!("<robot name=\"x\">{}</robot>", mesh(uri, scale)))
            .unwrap();
        Robot::load(at("arm/urdf/arm.urdf"), options)
    };
    let none = LoadOptions::default();
    let given =
        LoadOptions { packages: vec![("parts".into(), at("elsewhere/parts"))], ..LoadOptions::default() };
    let shape = |robot: &Robot| robot.links()[0].bodies[0].0.shape().clone();
    for uri in [
        "package://arm/meshes/cube.stl",
        "../meshes/cube.stl",
        "package://x/meshes/cube.stl",
        "package:///arm/meshes/cube.stl",
    ] {
        assert!(matches!(shape(&load(uri, "", &none).unwrap()), Shape::Hull(_)), "{uri}");
    }
    let file = format!("file://{}", at("arm/meshes/cube.stl").display());
    assert!(load(&file, "", &none).is_ok());
    assert!(matches!(shape(&load("package://parts/two.obj", "", &given).unwrap()), Shape::Solid(_)));
    let missing = load("package://parts/two.obj", "", &none).unwrap_err();
    assert!(matches!(&missing, RobotError::NoMesh { link, .. } if link == "a"), "{missing}");
    let skipped =
        load("package://parts/two.obj", "", &LoadOptions { skip_missing_meshes: true, ..none.clone() });
    let skipped = skipped.unwrap();
    assert!(skipped.links()[0].bodies.is_empty());
    assert_eq!(skipped.notes().len(), 1);
    let note = &skipped.notes()[0];
    assert!(
        note.ends_with(
            "arm.urdf, line 1: link 'a': mesh package://parts/two.obj is not found and not checked"
        ),
        "{note}"
    );
    // Scaled and mirrored.
    let large = load("../meshes/cube.stl", " scale=\"2 3 -4\"", &none).unwrap();
    let aabb = large.links()[0].bodies[0].0.aabb(&Pose::IDENTITY);
    assert_eq!((aabb.min, aabb.max), (DVec3::new(0.0, 0.0, -4.0), DVec3::new(2.0, 3.0, 0.0)));
    assert!(load("../meshes/cube.stl", " scale=\"0 1 1\"", &none).unwrap_err().to_string().contains("not 0"));
    std::fs::write(at("arm/meshes/bad.stl"), "solid x\nfacet").unwrap();
    let bad = load("../meshes/bad.stl", "", &none).unwrap_err().to_string();
    assert!(bad.starts_with("link 'a': ") && bad.contains("bad.stl"), "{bad}");
    let skips = LoadOptions { skip_missing_meshes: true, ..LoadOptions::default() };
    let without = load("../meshes/bad.stl", "", &skips).unwrap();
    assert!(without.links()[0].bodies.is_empty());
    assert!(without.notes()[0].contains("cannot be read and is not checked"), "{:?}", without.notes());
    // COLLADA has a unit.
    std::fs::write(at("arm/meshes/triangle.dae"), TRIANGLE).unwrap();
    let inches = load("../meshes/triangle.dae", " scale=\"1 2 1\"", &none).unwrap();
    let aabb = inches.links()[0].bodies[0].0.aabb(&Pose::IDENTITY);
    assert_eq!((aabb.min, aabb.max), (DVec3::ZERO, DVec3::new(0.5, 2.0, 0.0)));
}

/// The triangle (0, 0), (1, 0), (0, 2) in units of half a metre.
const TRIANGLE: &str = "<COLLADA><asset><unit meter=\"0.5\"/><up_axis>Y_UP</up_axis></asset><library_geometries>\
    <geometry id=\"g\"><mesh><source id=\"s\"><float_array>0 0 0 1 0 0 0 2 0</float_array></source><triangles>\
    <input semantic=\"POSITION\" source=\"#s\" offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry>\
    </library_geometries></COLLADA>";

/// The notes of a robot of links a, b and c, of which b hangs on a by a joint j and c on b.
fn notes(link: &str, kind: &str, rest: &str) -> (Robot, Vec<String>) {
    let text = format!(
        "<robot name=\"x\">\n{link}\n<link name=\"b\"/>\n{}\n</robot>",
        joint("j", kind, ["a", "b"], rest)
    );
    let robot = Robot::parse(&text, "arm.urdf", &LoadOptions::default()).unwrap();
    let notes = robot.notes().to_vec();
    (robot, notes)
}

const FULL: &str = "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>";

#[test]
fn defects_of_joints_are_notes_with_their_lines() {
    let plain = link("a", "");
    let endless = sudar::Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
    assert!(notes(&plain, "revolute", FULL).1.is_empty());
    let (robot, found) = notes(&plain, "revolute", "");
    assert_eq!(found, ["arm.urdf, line 4: joint 'j': is revolute without a limit; it moves without limits"]);
    assert_eq!(robot.limits(), [endless]);
    let (robot, found) = notes(&plain, "prismatic", "<limit upper=\"2\" effort=\"1\"/>");
    assert_eq!(
        found,
        ["arm.urdf, line 4: joint 'j': its limit has no lower, velocity; 0 is taken, as URDF has it"]
    );
    assert_eq!(robot.limits(), [sudar::Interval { lower: 0.0, upper: 2.0 }]);
    let turned = "<limit lower=\"2\" upper=\"1\" effort=\"1\" velocity=\"1\"/>";
    let (robot, found) = notes(&plain, "prismatic", turned);
    assert!(found[0].ends_with("its lower limit 2 is above the upper one 1; it moves without limits"));
    assert_eq!(robot.limits(), [endless]);
    let (robot, found) = notes(&plain, "revolute", &format!("{FULL}<mimic joint=\"z\"/>"));
    assert!(found[0].ends_with("joint 'j': mimics joint 'z', which does not exist; it moves by itself"));
    assert_eq!((robot.dof(), robot.joints()[0].mimics), (1, None));
    assert!(notes(&plain, "revolute", &format!("{FULL}<mimic/>")).1[0].contains("names no joint"));
    // No limits are needed where there are none.
    assert!(notes(&plain, "continuous", "").1.is_empty());
}

#[test]
fn what_only_shows_or_weighs_refuses_no_robot() {
    let visual =
        "<visual><geometry><mesh/></geometry><material><texture/><color rgba=\"a\"/></material></visual>";
    let link = |inside: &str| format!("<link name=\"a\">{visual}{inside}</link><x:y z=\"1\"/>");
    assert!(notes(&link(""), "fixed", "").1.is_empty());
    let (robot, found) =
        notes(&link("<inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"x\"/></inertial>"), "fixed", "");
    assert!(
        found[0].ends_with("link 'a': inertia has no number as ixy, ixz, iyy, iyz, izz; 0 is taken"),
        "{found:?}"
    );
    assert_eq!(robot.links()[0].inertial.unwrap().mass, 2.0);
    let (robot, found) = notes(&link("<inertial><inertia ixx=\"1\"/></inertial>"), "fixed", "");
    assert!(found[0].ends_with("inertial has no mass and is left out"));
    assert!(robot.links()[0].inertial.is_none());
    let nothing = "<collision><geometry><cylinder radius=\"0\" length=\"0\"/></geometry></collision>";
    assert!(notes(&link(nothing), "fixed", "").1[0].ends_with("collision has no size and is not checked"));
    assert!(
        notes(&link("<collision/>"), "fixed", "").1[0]
            .ends_with("collision has no geometry and is not checked")
    );
}

#[test]
fn planes_stand() {
    let plane = "<geometry><plane normal=\"0 0 1\"/></geometry>";
    let (robot, found) = notes(&link("a", plane), "revolute", FULL);
    assert!(matches!(robot.links()[0].bodies[0].0.shape(), Shape::Halfspace(_)));
    assert!(found[0].contains("has a plane, which URDF does not have"));
    let text = link("a", "") + &link("b", plane) + &joint("j", "revolute", ["a", "b"], FULL);
    let moving = parsed(&text).unwrap();
    assert!(moving.links()[1].bodies.is_empty());
    assert!(moving.notes()[0].ends_with("link 'b': has a plane that moves, which is not checked"));
}

#[test]
fn flat_geometry_is_that_of_the_file() {
    let body = |geometry: &str| {
        let (robot, _) = notes(&link("a", &format!("<geometry>{geometry}</geometry>")), "fixed", "");
        let (body, _) = robot.links()[0].bodies[0].clone();
        body
    };
    let gap = |body: &Body, x: f64, y: f64, z: f64| {
        let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap());
        let at = Pose::from_translation(DVec3::new(x, y, z)).unwrap();
        distance(body.at(&Pose::IDENTITY), ball.at(&at), &DistanceOptions::default()).interval.lower
    };
    let sheet = body("<box size=\"2 4 0\"/>");
    assert!(
        (gap(&sheet, 2.0, 0.0, 0.0) - 0.5).abs() < 1e-12 && (gap(&sheet, 0.0, 0.0, 2.0) - 1.5).abs() < 1e-12
    );
    let wire = body("<cylinder radius=\"0\" length=\"2\"/>");
    assert!((gap(&wire, 0.0, 0.0, 2.0) - 0.5).abs() < 1e-12);
    // The polygon around a disc of 1 m reaches between 1 m and 1 m / cos(180° / 64).
    let disc = body("<cylinder radius=\"1\" length=\"0\"/>");
    for i in 0..1000 {
        let (sin, cos) = (f64::from(i) * 0.00628).sin_cos();
        let reach = 2.0 - gap(&disc, 2.5 * cos, 2.5 * sin, 0.0);
        assert!((1.0..1.001_21).contains(&reach), "{reach}");
    }
    assert!((gap(&disc, 0.0, 0.0, 2.0) - 1.5).abs() < 1e-12);
}
