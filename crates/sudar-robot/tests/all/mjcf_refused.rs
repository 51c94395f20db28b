//! MJCF files: includes and meshes, and what is refused on one line with the file and the line.

use sudar::{Aabb, DVec3, Mesh};
use sudar_formats::{Model, WriteOptions};
use sudar_robot::{LoadOptions, MjcfFault, Robot, RobotError};

use crate::mjcf::model;

fn error(elements: &str) -> RobotError {
    let text = format!("<mujoco>\n{elements}</mujoco>");
    Robot::parse(&text, "bad.xml", &LoadOptions::default()).unwrap_err()
}

fn message(elements: &str) -> String {
    let text = error(elements).to_string();
    assert!(!text.contains('\n'), "{text}");
    text
}

fn body(elements: &str) -> String {
    message(&format!("<worldbody>\n<body name=\"b\">{elements}</body></worldbody>"))
}

#[test]
fn numbers_and_words_must_make_sense() {
    assert_eq!(
        body("<geom name=\"g\" size=\"big\"/>"),
        "bad.xml, line 3: geom 'g': size has 'big'; numbers must be finite and within 1e80"
    );
    for number in ["nan", "inf", "1e300", "--1", "1,2"] {
        assert!(body(&format!("<geom size=\"{number}\"/>")).contains("line 3: geom: size has"), "{number}");
    }
    assert_eq!(body("<geom size=\"1\" pos=\"1 2\"/>"), "bad.xml, line 3: geom: pos has 2 numbers; give 3");
    assert!(body("<geom size=\"1 2 3 4\"/>").contains("size has 4 numbers; give 0 to 3"));
    assert!(body("<geom type=\"blob\"/>").contains("type is 'blob'; give one of: sphere, plane"));
    assert!(body("<geom size=\"0\"/>").contains("line 3: geom: a sphere's radius must be positive"));
    assert!(body("<geom size=\"-1\"/>").contains("must be positive"));
    assert!(body("<geom size=\"1\" density=\"-1\"/>").contains("negative or too large"));
    assert!(body("<geom size=\"1\" contype=\"0.5\"/>").contains("contype has '0.5'"));
    assert!(body("<geom size=\"1\" quat=\"0 0 0 0\"/>").contains("quat has no direction"));
    assert!(body("<geom size=\"1\" xyaxes=\"1 0 0 2 0 0\"/>").contains("xyaxes has no direction"));
    assert!(
        body("<geom size=\"1\" quat=\"1 0 0 0\" euler=\"0 0 0\"/>").contains("more than one orientation")
    );
    assert!(body("<geom type=\"capsule\" size=\"1\" fromto=\"0 0 0 0 0 0\"/>").contains("are one"));
    assert!(
        body("<geom type=\"capsule\" size=\"1\" fromto=\"0 0 0 0 0 1\" pos=\"1 0 0\"/>").contains("both")
    );
    assert!(body("<geom size=\"1\" fromto=\"0 0 0 0 0 1\"/>").contains("fromto is for"));
    assert!(body("<geom type=\"capsule\" size=\"1\"/>").contains("line 3: geom"));
    assert!(body("<joint axis=\"0 0 0\"/>").contains("axis has no direction"));
    assert_eq!(
        body("<joint name=\"j\" range=\"2 1\"/><geom size=\"1\"/>"),
        "bad.xml, line 3: joint 'j': range from 2 to 1 is empty; give the lower end first"
    );
    assert!(body("<joint limited=\"perhaps\"/>").contains("give one of: false, true, auto"));
    assert!(body("<joint damping=\"-1\"/><geom size=\"1\"/>").contains("damping has '-1, below 0'"));
    assert!(body("<inertial mass=\"1\"/>").contains("inertial: has no pos"));
    assert!(body("<inertial pos=\"0 0 0\"/>").contains("has no mass"));
    assert!(
        body("<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 9\"/>").contains("body 'b': its inertia")
    );
    assert!(body("<inertial pos=\"0 0 0\" mass=\"-1\"/>").contains("negative"));
    assert!(message("<compiler coordinate=\"global\"/>").contains("global coordinates are not read"));
    assert!(message("<compiler eulerseq=\"xyw\"/>").contains("eulerseq is 'xyw'"));
    let limits = "<compiler autolimits=\"false\"/><worldbody><body><joint range=\"0 1\"/></body></worldbody>";
    assert!(message(limits).contains("joint: has no limited"));
}

#[test]
fn elements_must_be_where_they_belong() {
    assert!(message("<worldbody><joint/></worldbody>").contains("line 2: joint: it is in no body"));
    assert!(body("<body><freejoint name=\"f\"/></body>").contains("freejoint 'f': only bodies of the world"));
    assert!(body("<joint/><freejoint/>").contains("a free joint is the only one"));
    assert!(body("<joint type=\"ball\"/><joint/>").contains("turns after a ball joint"));
    let seven = "<joint type=\"slide\"/>".repeat(7);
    assert!(body(&seven).contains("more than six ways"));
    assert!(
        body("<joint/><geom type=\"plane\" size=\"1 1 1\"/>")
            .contains("planes are for bodies that do not move")
    );
    let twice = message("<worldbody><body name=\"a\"/>\n<body name=\"a\"/></worldbody>");
    assert_eq!(twice, "bad.xml, line 3: two bodies are named 'a'; rename one");
    assert!(
        body("<joint name=\"j\"/><joint name=\"j\"/><geom size=\"1\"/>").contains("two joints are named 'j'")
    );
}

#[test]
fn names_must_belong_to_something() {
    let unknown = error("<worldbody><body><geom class=\"none\" size=\"1\"/></body></worldbody>");
    let fault = MjcfFault::Unknown { of: "geom".into(), what: "class", name: "none".into() };
    assert_eq!(unknown, RobotError::Mjcf { file: "bad.xml".into(), line: 2, fault });
    assert!(message("<worldbody><body childclass=\"none\"/></worldbody>").contains("the class 'none'"));
    assert!(body("<geom type=\"mesh\" mesh=\"none\"/>").contains("the mesh 'none', which does not exist"));
    assert!(body("<geom type=\"mesh\"/>").contains("geom: has no mesh"));
    let with = |section: &str| message(&format!("<worldbody><body name=\"b\"/></worldbody>{section}"));
    assert!(with("<contact><exclude body1=\"b\" body2=\"z\"/></contact>").contains("the body 'z'"));
    assert!(with("<contact><exclude body1=\"b\"/></contact>").contains("has no body2"));
    assert!(with("<equality><weld body1=\"z\"/></equality>").contains("the body 'z'"));
    assert!(with("<equality><connect body1=\"b\"/></equality>").contains("has no anchor"));
    assert!(with("<equality><joint joint1=\"z\"/></equality>").contains("the joint 'z'"));
    assert!(with("<actuator><motor joint=\"z\"/></actuator>").contains("the joint 'z'"));
    assert!(with("<keyframe><key qpos=\"1\"/></keyframe>").contains("qpos has 1 numbers; give 0"));
    assert!(
        message("<default><default class=\"a\"/><default class=\"a\"/></default>").contains("two classes")
    );
    assert!(message("<default><default/></default>").contains("has no class"));
}

#[test]
fn hostile_files_end_with_an_error() {
    let parse = |text: &str| Robot::parse(text, "bad.xml", &LoadOptions::default());
    let refused = |text: &str| parse(text).unwrap_err().to_string();
    assert!(refused("<mujoco><worldbody>").contains("is no MJCF file: it is cut off"));
    assert!(refused("<mujoco></worldbody></mujoco>").contains("is no MJCF file: line 1"));
    assert!(refused("<mujoco/><mujoco/>").contains("more than one root"));
    assert!(refused("<mujoco a=\"1\" a=\"2\"/>").starts_with("bad.xml: is no MJCF file"));
    assert!(refused("<!DOCTYPE mujoco [<!ENTITY a \"b\">]><mujoco/>").contains("DOCTYPE"));
    let deep = |n: usize| format!("{}{}", "<body>".repeat(n), "</body>".repeat(n));
    let nested = |n| format!("<mujoco><worldbody>{}</worldbody></mujoco>", deep(n));
    assert!(refused(&nested(100_000)).contains("nested deeper than 512"));
    assert_eq!(parse(&nested(400)).unwrap().links().len(), 401);
    let many = format!("<mujoco><worldbody>{}</worldbody></mujoco>", "<body/>".repeat(20_000));
    assert!(refused(&many).contains("more than 10000 bodies"));
    for count in ["1000000000", "1e5", "-3", "2.5", "many"] {
        let nest = |inner: &str| format!("<replicate count=\"{count}\">{inner}</replicate>");
        let nested = nest(&nest(&nest("<geom size=\"1\"/>")));
        let found = parse(&format!("<mujoco><worldbody>{nested}</worldbody></mujoco>"));
        // Fewer than none are none.
        assert_eq!(found.is_ok(), count == "-3", "{count}");
    }
    // As many classes as nest, and as long lists of numbers as one likes.
    let classes: String = (0..400).map(|k| format!("<default class=\"c{k}\"><geom size=\"1\"/>")).collect();
    let classes = format!("<mujoco><default>{classes}{}</default></mujoco>", "</default>".repeat(400));
    assert!(parse(&classes).is_ok());
    let flat: String = (0..3000).map(|k| format!("<default class=\"c{k}\"/>")).collect();
    assert!(
        refused(&format!("<mujoco><default>{flat}</default></mujoco>")).contains("more than 2000 classes")
    );
    let wide: String = (0..300).map(|k| format!(" a{k}=\"1\"")).collect();
    assert!(refused(&format!("<mujoco><body{wide}/></mujoco>")).contains("more than 256 attributes"));
    // A list that every geom of a class inherits is not read to its end.
    let numbers = "1 ".repeat(1_000_000);
    let geoms = "<geom size=\"1\"/>".repeat(2000);
    let inherited = format!(
        "<mujoco><default><geom size=\"{numbers}\" pos=\"{numbers}\"/></default>
         <worldbody><body>{geoms}</body></worldbody></mujoco>"
    );
    assert!(refused(&inherited).contains("numbers; give"));
    let lines =
        refused("<mujoco><worldbody><body name=\"a&#10;b\"/><body name=\"a&#10;b\"/></worldbody></mujoco>");
    assert_eq!(lines, "bad.xml, line 1: two bodies are named 'a b'; rename one");
    let numbers = "1 ".repeat(100_000);
    let long = format!("<mujoco><asset><mesh name=\"m\" vertex=\"{numbers}\"/></asset></mujoco>");
    assert!(refused(&long).contains("vertex has 100000 numbers"));
    let far = "<mujoco><worldbody><body pos=\"1e80 0 0\"><body pos=\"1e80 0 0\"><geom size=\"1\"/></body></body></worldbody></mujoco>";
    assert!(parse(far).is_ok());
    let inside = "<mujoco><asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 9\"/></asset>
        <worldbody><body><geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>";
    assert!(refused(inside).contains("a number of face is that of no vertex"));
}

/// A model over four files and two folders.
#[test]
fn included_files_are_part_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    };
    let load = |text: &str| Robot::load(write("main.xml", text), &LoadOptions::default());
    let main = "<mujoco><include file=\"parts/defaults.xml\"/><worldbody><include file=\"parts/arm.xml\"/></worldbody>
        </mujoco>";
    write("parts/defaults.xml", "<mujoco><default><geom size=\"0.5\"/></default></mujoco>");
    // The hand is in the folder of the file that names it.
    write(
        "parts/arm.xml",
        "<mujocoinclude><body name=\"arm\"><geom/><include file=\"hand.xml\"/></body></mujocoinclude>",
    );
    write("parts/hand.xml", "<x>\n<body name=\"hand\"><joint name=\"j\"/><geom mass=\"3\"/></body></x>");
    let robot = load(main).unwrap();
    assert_eq!(robot.link_names(), ["world", "arm", "hand"]);
    assert!((robot.links()[2].inertial.unwrap().inertia.x_axis.x - 0.4 * 3.0 * 0.25).abs() < 1e-12);
    // Errors name the file and its line.
    write("parts/hand.xml", "<x>\n<body name=\"hand\"><geom size=\"z\"/></body></x>");
    let wrong = load(main).unwrap_err();
    assert!(
        matches!(&wrong, RobotError::Mjcf { file, line: 2, .. } if file.ends_with("hand.xml")),
        "{wrong}"
    );
    let refused = |text: &str| load(text).unwrap_err().to_string();
    let include = |file: &str| format!("<mujoco>\n<include file=\"{file}\"/></mujoco>");
    assert!(refused(&include("none.xml")).contains("main.xml, line 2: include 'none.xml': is not found"));
    assert!(refused("<mujoco><include/></mujoco>").contains("names no file"));
    assert!(refused(&include("main.xml")).contains("is included already"));
    assert!(refused(&include("main.xml/")).contains("include 'main.xml/'"));
    write("a.xml", &include("b.xml"));
    write("b.xml", &include("a.xml"));
    assert!(refused(&include("a.xml")).contains("include 'a.xml': is included already"));
    // Each includes the next.
    for k in 0..100 {
        write(&format!("chain{k}.xml"), &include(&format!("chain{}.xml", k + 1)));
    }
    assert!(refused(&include("chain0.xml")).contains("too many files are included"));
    // Files that nest where the one before ends.
    let nested =
        format!("<x>{}<include file=\"deep2.xml\"/>{}</x>", "<body>".repeat(300), "</body>".repeat(300));
    write("deep1.xml", &nested);
    write("deep2.xml", &format!("<x>{}{}</x>", "<body>".repeat(300), "</body>".repeat(300)));
    let text = "<mujoco><worldbody><include file=\"deep1.xml\"/></worldbody></mujoco>";
    assert!(refused(text).contains("deep2.xml: is no MJCF file: its elements are nested deeper"));
}

#[test]
fn meshes_are_read_where_they_are_needed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("meshes")).unwrap();
    let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
    let model_of = Model::from_mesh("cube", cube);
    sudar_formats::write(&at("meshes/cube.stl"), &model_of, WriteOptions::default()).unwrap();
    std::fs::write(at("meshes/points.obj"), "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\n").unwrap();
    let load = |geom: &str, options: &LoadOptions| {
        let text = format!(
            "<mujoco><compiler meshdir=\"meshes\"/><default><mesh scale=\"2 2 2\"/></default>
             <asset><mesh file=\"cube.stl\"/><mesh name=\"corner\" file=\"points.obj\" scale=\"1 1 1\"/>
             <mesh name=\"lost\" file=\"lost.stl\"/></asset>
             <worldbody><body name=\"b\"><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><geom type=\"mesh\" {geom}/></body>
             <body name=\"c\"><geom type=\"mesh\" mesh=\"corner\"/></body></worldbody></mujoco>"
        );
        std::fs::write(at("model.xml"), text).unwrap();
        Robot::load(at("model.xml"), options)
    };
    let none = LoadOptions::default();
    let robot = load("mesh=\"cube\"", &none).unwrap();
    assert_eq!(robot.links()[1].bodies[0].0.aabb(&sudar::Pose::IDENTITY).max, DVec3::splat(2.0));
    // A third of a half of a cube, by the hull of its points.
    assert!((robot.links()[2].inertial.unwrap().mass - 8000.0 / 6.0).abs() < 1e-9);
    // What only shows, of a body with a mass of its own, is not looked for.
    let shown = load("mesh=\"lost\" contype=\"0\" conaffinity=\"0\"", &none).unwrap();
    assert!(shown.links()[1].bodies.is_empty() && shown.notes().is_empty());
    let lost = load("mesh=\"lost\"", &none).unwrap_err().to_string();
    assert!(lost.contains("model.xml, line 3: mesh 'lost': meshes/lost.stl is not found"), "{lost}");
    let skipped = load("mesh=\"lost\"", &LoadOptions { skip_missing_meshes: true, ..none }).unwrap();
    assert!(skipped.notes()[0].ends_with("line 3: mesh 'lost': its file is not found and not checked"));
}

#[test]
fn models_are_known_by_their_root() {
    assert_eq!(model("").name(), "test");
    let text =
        "<?xml version=\"1.0\"?><!-- a model --><mujoco><worldbody><body name=\"b\"/></worldbody></mujoco>";
    let robot = Robot::parse(text, "robot.urdf", &LoadOptions::default()).unwrap();
    assert_eq!(robot.link_names(), ["world", "b"]);
    let none = Robot::parse("<other/>", "x.xml", &LoadOptions::default()).unwrap_err().to_string();
    assert!(none.contains("first element is not <robot>"), "{none}");
}
