//! `robot` describes a robot, checks configurations and edges, and writes what it finds.

use serde_json::json;

use crate::support::{Folder, obj_boxes};

/// An arm of two rods of a metre in the plane z = 0, and a box around (1.5, 1, 0).
fn folder() -> Folder {
    let folder = Folder::new();
    let rod =
        "<collision><origin xyz=\"0.5 0 0\"/><geometry><box size=\"1 0.1 0.1\"/></geometry></collision>";
    let joint = |name: &str, a: &str, b: &str, x: f64| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><parent link=\"{a}\"/><child link=\"{b}\"/><origin xyz=\"{x} 0 0\"/>\
             <axis xyz=\"0 0 1\"/><limit lower=\"-3\" upper=\"3\" velocity=\"1\"/></joint>"
        )
    };
    let links =
        format!("<link name=\"base\"/><link name=\"upper\">{rod}</link><link name=\"lower\">{rod}</link>");
    let joints = joint("shoulder", "base", "upper", 0.0) + &joint("elbow", "upper", "lower", 1.0);
    folder.write("arm.urdf", format!("<robot name=\"arm\">{links}{joints}</robot>"));
    folder.write("scene.obj", obj_boxes(&[("box", [1.4, 0.9, -0.1], [1.6, 1.1, 0.1])]));
    folder.write("q.csv", "shoulder,elbow\n0,0\n0,1.2\n0,4\n2,0\n");
    folder
}

#[test]
fn a_robot_is_described() {
    let folder = folder();
    let run = folder.sudar(&["robot", "arm.urdf", "--json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let document = run.json();
    assert_eq!(document["joints"][1], json!({"name": "elbow", "lower": -3.0, "upper": 3.0}));
    assert_eq!(document["parts"], json!(["upper", "lower"]));
    assert_eq!(document["pairs"]["left_out"][0]["why"], json!("adjacent"));
    let text = folder.sudar(&["robot", "arm.urdf"]).out;
    assert!(text.contains("3 links") && text.contains("shoulder") && text.contains("1 adjacent"), "{text}");
}

/// A rod of MuJoCo's XML that turns about y above a floor, and a scene of a ball in the way of a URDF arm.
#[test]
fn a_robot_may_be_mjcf_and_a_scene_as_well() {
    let folder = folder();
    folder.write(
        "rod.xml",
        "<mujoco model=\"rod\"><worldbody><geom type=\"plane\"/><body name=\"rod\" pos=\"0 0 0.5\">
           <joint name=\"j\" axis=\"0 1 0\" armature=\"1\"/><geom type=\"capsule\" fromto=\"0 0 0 1 0 0\" size=\"0.05\"/>
         </body></worldbody></mujoco>",
    );
    folder.write("turns.csv", "j\n0\n0.4\n0.6\n-0.6\n");
    let run = folder.sudar(&["robot", "rod.xml", "--configs", "turns.csv", "--json"]);
    assert_eq!(run.status, 1, "{}", run.err);
    let document = run.json();
    assert_eq!((&document["robot"], &document["valid"]), (&json!("rod"), &json!(3)));
    // The end of the rod goes down by the sine.
    assert_eq!(document["found"][0]["row"], json!(2));
    assert!(document["notes"][0].as_str().unwrap().contains("rod.xml, line 2: joint 'j': armature"));
    folder.write(
        "ball.xml",
        "<mujoco><worldbody><body pos=\"1.5 1 0\"><geom size=\"0.2\"/></body></worldbody></mujoco>",
    );
    let args = ["robot", "arm.urdf", "--scene", "ball.xml", "--configs", "q.csv", "--json"];
    let document = folder.sudar(&args).json();
    assert_eq!((&document["scene_contact"], &document["found"][0]["other"]), (&json!(1), &json!("body1")));
}

#[test]
fn a_scene_may_be_a_store() {
    let folder = folder();
    assert_eq!(folder.sudar(&["pack", "scene.obj", "-o", "scene.sudar"]).status, 0);
    let check = |scene: &str| {
        let args = ["robot", "arm.urdf", "--scene", scene, "--configs", "q.csv", "--clearance", "--json"];
        let mut document = folder.sudar(&args).json();
        document["seconds"] = json!(null);
        document
    };
    assert_eq!(check("scene.obj"), check("scene.sudar"));
    folder.write("bad.obj", "f 1 2 3\n");
    assert_eq!(folder.sudar(&["pack", "scene.obj", "bad.obj", "-o", "bad.sudar"]).status, 2);
    let run = folder.sudar(&["robot", "arm.urdf", "--scene", "bad.sudar", "--configs", "q.csv"]);
    assert!(
        run.error().starts_with("bad.sudar: bad.obj could not be read when it was packed"),
        "{}",
        run.err
    );
}

#[test]
fn configurations_are_checked_and_written() {
    let folder = folder();
    let args = ["robot", "arm.urdf", "--scene", "scene.obj", "--configs", "q.csv", "--clearance"];
    let run = folder.sudar(&[&args[..], &["-o", "valid.npy", "--json"]].concat());
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let document = run.json();
    let numbers =
        ["checked", "valid", "outside_limits", "scene_contact", "self_contact"].map(|key| &document[key]);
    assert_eq!(numbers, [&json!(4), &json!(2), &json!(1), &json!(1), &json!(0)]);
    let first = &document["found"][0];
    assert_eq!((&first["row"], &first["part"], &first["other"]), (&json!(1), &json!("lower"), &json!("box")));
    assert_eq!((&first["what"], &first["joint"]), (&json!("contact"), &json!(null)));
    let second = &document["found"][1];
    assert_eq!((&second["what"], &second["joint"]), (&json!("outside limits"), &json!("elbow")));
    let valid = std::fs::read(folder.join("valid.npy")).unwrap();
    assert!(valid.ends_with(&[1, 0, 0, 1]));
    assert!(folder.join("valid.clearance.npy").is_file());
    folder.sudar(&[&args[..], &["-o", "all.csv"]].concat());
    let table = std::fs::read_to_string(folder.join("all.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("row,valid,within_limits,part,other,lower,upper,nearest_part"), "{table}");
    assert!(lines[0].ends_with(",what,joint") && lines[1].ends_with(",free,"), "{table}");
    assert!(lines[2].ends_with(",contact,") && lines[3].ends_with(",outside limits,elbow"), "{table}");
    assert!(lines[2].starts_with("1,false,true,lower,box,0,0,lower,box,"), "{table}");
    let people = folder.sudar(&args);
    for text in ["4 configurations", "least clearance 0 m in row 1", "row 1: contact: lower and box"] {
        assert!(people.out.contains(text), "{text}: {}", people.out);
    }
}

#[test]
fn edges_are_checked_over_all_of_the_motion() {
    let folder = folder();
    // Past the box with the arm straight: free at both ends, in contact between.
    folder.write("path.csv", "0,0\n1.2,0\n1.2,0.1\n");
    let args = ["robot", "arm.urdf", "--scene", "scene.obj", "--configs", "path.csv"];
    let run = folder.sudar(&[&args[..], &["--edges", "--json"]].concat());
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let document = run.json();
    assert_eq!((&document["checked"], &document["valid"]), (&json!(2), &json!(1)));
    let t = document["found"][0]["t"].as_array().unwrap();
    // The rod's upper edge meets the corner (1.6, 0.9): atan2(0.9, 1.6) − asin(0.05 / |(1.6, 0.9)|) of 1.2 radians.
    let corner = libm_hypot(1.6, 0.9);
    let time = (0.9_f64.atan2(1.6) - (0.05 / corner).asin()) / 1.2;
    assert!(t[0].as_f64().unwrap() <= time && time <= t[1].as_f64().unwrap() + 1e-9, "{t:?} {time}");
    // Maps change the time alone.
    let mapped = folder.sudar(&[&args[..], &["--edges", "--json", "--map-pairs=500"]].concat());
    assert_eq!((mapped.status, &mapped.json()["found"]), (1, &document["found"]));
    let pairs = folder.sudar(&[&args[..], &["--edges=pairs"]].concat());
    assert_eq!(pairs.status, 2);
    assert!(pairs.err.contains("3 rows are no pairs"), "{}", pairs.err);
}

fn libm_hypot(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// A scan of two points, one of them far above.
#[test]
fn scanned_points_are_objects() {
    let folder = folder();
    let head = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
    folder.write("scan.ply", format!("{head}1.4 0.8 0.0\n0 0 9\n"));
    // The second rod passes the point on one side in the second row, and on the other in the third.
    folder.write("rows.csv", "0,0\n0,1.2\n0,1.0\n");
    let args = ["robot", "arm.urdf", "--scene", "scan.ply", "scan.ply", "--configs", "rows.csv", "--json"];
    let run =
        folder.sudar(&[&args[..], &["--clearance", "-o", "rows.out.csv", "--page", "page.html"]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(run.json()["objects"], json!(2));
    let table = std::fs::read_to_string(folder.join("rows.out.csv")).unwrap();
    // By the distance of (1.4, 0.8) from the line of the rod's middle, less half its width.
    for (row, angle) in [(1, 1.2_f64), (2, 1.0)] {
        let expected = (0.4 * libm::sin(angle) - 0.8 * libm::cos(angle)).abs() - 0.05;
        let lower: f64 = table.lines().nth(row + 1).unwrap().split(',').nth(5).unwrap().parse().unwrap();
        assert!((lower - expected).abs() < 1e-9, "{lower} {expected}: {table}");
    }
    assert!(
        std::fs::read_to_string(folder.join("page.html")).unwrap().contains("nearest lower and points, ")
    );
    folder.write("one.ply", format!("{}1 1 0\n", head.replace("vertex 2", "vertex 1")));
    let one = ["robot", "arm.urdf", "--scene", "one.ply", "--configs", "rows.csv", "--page", "one.html"];
    assert_eq!(folder.sudar(&one).status, 0);
    let padded = folder.sudar(&[&args[..], &["--padding", "0.04"]].concat());
    assert_eq!((padded.status, &padded.json()["scene_contact"]), (1, &json!(1)));
}

#[test]
fn a_page_shows_what_is_nearest() {
    let folder = folder();
    folder.write(
        "ball.urdf",
        "<robot name=\"x\"><link name=\"ball\"><collision><origin xyz=\"1 1 0\"/><geometry><sphere radius=\"0.2\"/></geometry>\
         </collision></link></robot>",
    );
    let args = ["robot", "arm.urdf", "--scene", "scene.obj", "ball.urdf", "--configs", "q.csv"];
    let run = folder.sudar(&[&args[..], &["--page", "page.html", "--show", "3"]].concat());
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.contains("row 3: valid; nearest upper and ball"), "{}", &page[..400]);
    let wrong = folder.sudar(&[&args[..], &["--page", "page.html", "--show", "4"]].concat());
    assert_eq!((wrong.status, wrong.error()), (2, "--show 4: there are 4 rows, numbered from 0"));
}

#[test]
fn spheres_cover_links() {
    let folder = folder();
    let run =
        folder.sudar(&["robot", "arm.urdf", "--spheres", "s.json", "--spheres-per-link", "8", "--quiet"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let text = std::fs::read_to_string(folder.join("s.json")).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let spheres = document["collision_spheres"]["upper"].as_array().unwrap();
    assert!(!spheres.is_empty() && spheres.len() <= 8 && document["not_covered"] == json!([]));
    // Every corner of the rod from 0 to 1 m, 0.1 m wide, is in one of them.
    for i in 0..8 {
        let corner = [f64::from(i & 1), f64::from(i & 2) * 0.05 - 0.05, f64::from(i & 4) * 0.025 - 0.05];
        let is_in = |sphere: &serde_json::Value| {
            let square: f64 =
                (0..3).map(|k| (sphere["center"][k].as_f64().unwrap() - corner[k]).powi(2)).sum();
            square.sqrt() <= sphere["radius"].as_f64().unwrap()
        };
        assert!(spheres.iter().any(is_in), "{corner:?}");
    }
    assert_eq!(folder.sudar(&["robot", "arm.urdf", "--spheres", "s.txt"]).status, 2);
}

#[test]
fn mistakes_are_one_line() {
    let folder = folder();
    folder.write("wide.csv", "1,2,3\n");
    folder.write("bad.csv", "1,nan\n");
    let error = |args: &[&str]| {
        let run = folder.sudar(&[&["robot"], args].concat());
        assert_eq!(run.status, 2, "{}", run.out);
        run.error().to_owned()
    };
    assert!(error(&["none.urdf"]).starts_with("none.urdf: cannot be read"));
    let wide = error(&["arm.urdf", "--configs", "wide.csv"]);
    assert_eq!(wide, "wide.csv: has 3 columns, and arm.urdf has 2 joints that move: shoulder, elbow");
    assert!(error(&["arm.urdf", "--configs", "bad.csv"]).contains("configuration 0: joint 'elbow' is NaN"));
    assert!(error(&["arm.urdf", "--configs", "q.csv", "-o", "x.txt"]).contains(".npy or .csv only"));
    assert!(error(&["arm.urdf", "--ignore", "upper,none"]).contains("'none', which does not exist"));
    assert!(error(&["arm.urdf", "--package", "x"]).contains("NAME=DIR"));
    assert!(error(&["scene.obj"]).contains("is no URDF file"));
}

/// From beside the box to its other side: the arm has to fold.
#[test]
fn a_path_is_planned_written_and_certified() {
    let folder = folder();
    folder.write("ends.csv", "shoulder,elbow\n0.2,0.2\n0,1.2\n1.4,-0.2\n");
    let plan = ["robot", "arm.urdf", "--scene", "scene.obj", "--configs", "ends.csv", "--plan"];
    let run = folder.sudar(&[&plan[..], &["--json", "-o", "path.csv", "--acceleration", "2"]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let found = &run.json()["plan"];
    assert_eq!(
        [&found["found"], &found["certified"], &found["goal"]],
        [&json!(true), &json!(true), &json!(1)]
    );
    let waypoints = found["waypoints"].as_array().unwrap();
    assert_eq!([&waypoints[0], waypoints.last().unwrap()], [&json!([0.2, 0.2]), &json!([1.4, -0.2])]);
    let text = std::fs::read_to_string(folder.join("path.csv")).unwrap();
    assert!(text.starts_with("time,shoulder,elbow\n0,0.2,0.2\n"), "{text}");
    assert_eq!(text.lines().count(), waypoints.len() + 1);
    // The path that is written is free by the check of edges, and the same with another number of threads.
    let run = folder.sudar(&[&plan[..], &["-o", "path.npy", "--threads", "1"]].concat());
    assert!(
        run.status == 0 && run.out.contains("certified: free of contact at every instant"),
        "{}",
        run.out
    );
    let edges = ["robot", "arm.urdf", "--scene", "scene.obj", "--configs", "path.npy", "--edges"];
    assert_eq!(folder.sudar(&edges).status, 0);
    let again = folder.sudar(&[&plan[..], &["-o", "again.npy", "--threads", "3"]].concat());
    assert_eq!(again.status, 0);
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert_eq!(read("path.npy"), read("again.npy"));
}

/// Shorter, certified, and the same for any number of threads.
#[test]
fn a_path_is_improved() {
    let folder = folder();
    folder.write("ends.csv", "shoulder,elbow\n0.2,0.2\n1.4,-0.2\n");
    let plan = |more: &[&str]| {
        let plan = ["robot", "arm.urdf", "--scene", "scene.obj", "--configs", "ends.csv", "--plan", "--json"];
        let run = folder.sudar(&[&plan[..], more].concat());
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        let found = run.json()["plan"].clone();
        assert_eq!(found["certified"], json!(true));
        found
    };
    let first = plan(&[]);
    let improved = plan(&["--improve=60", "--map-pairs=1000"]);
    let length = |found: &serde_json::Value| found["length"].as_f64().unwrap();
    assert!(length(&improved) < length(&first) - 1e-3, "{} {}", length(&improved), length(&first));
    // The straight way is in contact: nothing is shorter.
    assert!(length(&improved) > libm_hypot(1.2, 0.4));
    let alone = plan(&["--improve=60", "--threads", "1"]);
    assert_eq!(alone["waypoints"], improved["waypoints"]);
}

#[test]
fn a_certificate_is_written_and_verified_for_its_scene_alone() {
    let folder = folder();
    folder.write("ends.csv", "shoulder,elbow\n0.2,0.2\n1.4,-0.2\n");
    let cell = ["robot", "arm.urdf", "--scene", "scene.obj"];
    let plan = [&cell[..], &["--configs", "ends.csv", "--plan", "--certificate", "path.json"]].concat();
    let run = folder.sudar(&plan);
    assert!(run.status == 0 && run.out.contains("path.json: holds; free of contact"), "{}", run.out);
    let verify = |more: &[&str]| folder.sudar(&[&cell[..], &["--verify", "path.json"], more].concat());
    let run = verify(&["--json"]);
    let found = &run.json()["verified"];
    assert_eq!((run.status, &found["holds"]), (0, &json!(true)));
    assert!(found["edges"].as_u64().unwrap() > 1 && found["leaves"].as_u64() > found["edges"].as_u64());
    // With padding, or without the box, it is another cell.
    let run = verify(&["--padding", "0.01"]);
    assert!(run.status == 1 && run.out.contains("does NOT hold: is that of another cell"), "{}", run.out);
    assert_eq!(folder.sudar(&["robot", "arm.urdf", "--verify", "path.json"]).status, 1);
    // A forged one: an interval less.
    let text = std::fs::read_to_string(folder.join("path.json")).unwrap();
    folder.write("path.json", text.replacen("\"tree\":\"t", "\"tree\":\"", 1));
    let run = verify(&[]);
    assert!(run.status == 1 && run.out.contains("does NOT hold: edge "), "{}", run.out);
    folder.write("path.json", "{}");
    assert!(verify(&[]).out.contains("is no certificate"));
    assert_eq!(folder.sudar(&["robot", "arm.urdf", "--verify", "none.json"]).status, 2);
    assert_eq!(folder.sudar(&["robot", "arm.urdf", "--certificate", "path.json"]).status, 2);
}

#[test]
fn a_page_shows_the_path_with_what_is_nearest() {
    let folder = folder();
    folder.write("ends.csv", "shoulder,elbow\n0.2,0.2\n1.4,-0.2\n");
    let plan = ["robot", "arm.urdf", "--scene", "scene.obj", "--configs", "ends.csv", "--plan"];
    let run = folder.sudar(&[&plan[..], &["--html", "path.html", "--json"]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let page = std::fs::read_to_string(folder.join("path.html")).unwrap();
    assert!(page.contains("certified: free of contact at every instant") && !page.contains("://"));
    let text = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(text).unwrap();
    let (times, near) = (data["times"].as_array().unwrap(), data["nearest"].as_array().unwrap());
    let duration = run.json()["plan"]["duration"].as_f64().unwrap();
    assert!((times.last().unwrap().as_f64().unwrap() - duration).abs() < 1e-9);
    assert_eq!([near.len(), data["poses"].as_array().unwrap().len()], [times.len(); 2]);
    // What is shown is as far apart as it says, and the arm never touches.
    for near in near {
        let point = |name: &str| -> Vec<f64> {
            near[name].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
        };
        let (one, other) = (point("point"), point("other_point"));
        let square: f64 = one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum();
        let upper = near["upper"].as_f64().unwrap();
        assert!(upper > 0.0 && (square.sqrt() - upper).abs() < 1e-9);
    }
}

#[test]
fn where_there_is_no_path_the_reason_is_said() {
    let folder = folder();
    folder.write("ends.csv", "shoulder,elbow\n0.2,0.2\n0,1.2\n");
    folder.write("one.csv", "shoulder,elbow\n0.2,0.2\n");
    let plan = |ends: &str, more: &[&str]| {
        let args = ["robot", "arm.urdf", "--scene", "scene.obj", "--plan", "--configs", ends];
        folder.sudar(&[&args[..], more].concat())
    };
    let run = plan("ends.csv", &[]);
    assert_eq!(run.status, 1);
    assert!(
        run.out.contains("no path: no goal is free: the first is in contact: 'lower' with 'box'"),
        "{}",
        run.out
    );
    let run = plan("one.csv", &[]);
    assert!(run.status == 2 && run.err.contains("a plan needs two rows or more"), "{}", run.err);
    let run = plan("ends.csv", &["--joint", "wrist"]);
    assert!(run.status == 2 && run.err.contains("wrist"), "{}", run.err);
    assert_eq!(plan("ends.csv", &["--edges"]).status, 2);
}
