//! Files: what is read, and what is refused on one line.

use std::path::Path;

use sudar::{Aabb, DVec3, Mesh, Shape};
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
    assert_eq!(text_message("hello"), "arm.urdf: is no URDF file: it has no element <robot>");
    assert_eq!(text_message("<sdf/>"), "arm.urdf: is no URDF file: its first element is not <robot>");
    assert!(text_message("<robot name=\"x\"><link").starts_with("arm.urdf: is no URDF file: "));
    assert!(text_message("<robot name=\"x\"><link name=\"a\">").contains("cut off"));
    assert!(text_message("<robot name=\"x\"></link></robot>").starts_with("arm.urdf: is no URDF file: "));
    assert!(text_message("<robot><xacro:macro name=\"x\"/></robot>").contains("run xacro"));
    assert!(text_message("<!DOCTYPE robot [<!ENTITY a \"b\">]><robot/>").contains("DOCTYPE"));
    let deep = format!("<robot>{}{}</robot>", "<a>".repeat(100_000), "</a>".repeat(100_000));
    assert!(text_message(&deep).contains("nested deeper than 64"));
    assert_eq!(message(""), "the robot has no links");
    assert!(message("<link/>").starts_with("test.urdf: "));
    assert!(message(&link("a", "<geometry><sphere radius=\"many\"/></geometry>")).starts_with("test.urdf: "));
    assert!(message(&link("a", "<geometry><blob/></geometry>")).starts_with("test.urdf: "));
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
    let limits = "<limit lower=\"2\" upper=\"1\" velocity=\"1\"/>";
    assert_eq!(one("prismatic", limits), "joint 'j': the lower limit 2 is above the upper limit 1");
    assert!(one("prismatic", "<limit lower=\"nan\" upper=\"1\" velocity=\"1\"/>").starts_with("joint 'j'"));
    assert!(one("revolute", "<mimic joint=\"z\"/>").contains("names the joint 'z', which does not exist"));
    assert!(one("revolute", "<mimic joint=\"j\"/>").contains("in a circle"));
    assert!(one("revolute", "<mimic joint=\"k\"/>").contains("it has not one number"));
    assert!(one("floating", "<mimic joint=\"k\"/>").contains("only joints with one number"));
    assert!(one("wobbly", "").starts_with("test.urdf: "));
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
    for uri in ["package://arm/meshes/cube.stl", "../meshes/cube.stl", "package://x/meshes/cube.stl"] {
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
    assert_eq!(skipped.notes(), ["link 'a': mesh package://parts/two.obj is not found and not checked"]);
    // Scaled and mirrored.
    let large = load("../meshes/cube.stl", " scale=\"2 3 -4\"", &none).unwrap();
    let aabb = large.links()[0].bodies[0].0.aabb(&sudar::Pose::IDENTITY);
    assert_eq!((aabb.min, aabb.max), (DVec3::new(0.0, 0.0, -4.0), DVec3::new(2.0, 3.0, 0.0)));
    assert!(load("../meshes/cube.stl", " scale=\"0 1 1\"", &none).unwrap_err().to_string().contains("not 0"));
    std::fs::write(at("arm/meshes/bad.stl"), "solid x\nfacet").unwrap();
    let bad = load("../meshes/bad.stl", "", &none).unwrap_err().to_string();
    assert!(bad.starts_with("link 'a': ") && bad.contains("bad.stl"), "{bad}");
}
