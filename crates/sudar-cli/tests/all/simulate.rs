//! `simulate` runs scene files and built-in scenes, and writes down what it promises.

use crate::support::Folder;

const SCENE: &str = "\
[world]
gravity = [0, 0, -10]
step = 0.01
response = 'impulse'
bounds = { min = [-5, -5, 0], max = [5, 5, 10] }

[[body]]
name = 'ball, red'
shape = { sphere = 0.5 }
position = [0, 0, 2]
velocity = [1, 0, 0]
mass = 2
restitution = 1
friction = 0

[[body]]
name = 'table'
kind = 'static'
shape = { box = [1, 1, 0.1] }
position = [4, 4, 1]

[[event]]
kind = 'explosion'
time = 0.1
position = [0, 0, 100]
impulse = 1
radius = 1
";

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn rows(text: &str) -> Vec<Vec<f64>> {
    let numbers = |line: &str| line.split(',').filter_map(|cell| cell.parse().ok()).collect();
    text.lines().skip(1).map(numbers).collect()
}

#[test]
fn a_scene_file_runs_and_its_numbers_are_those_of_closed_forms() {
    let folder = Folder::new();
    folder.write("scene.toml", SCENE);
    let run = folder.sudar(&[
        "simulate",
        "scene.toml",
        "--seconds",
        "1",
        "--out",
        "trace.csv",
        "--every",
        "30",
        "--energy",
        "energy.csv",
        "--plot",
        "energy.svg",
        "--gltf",
        "run.glb",
        "--json",
    ]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let document = run.json();
    assert_eq!(
        (&document["bodies"], &document["steps"], &document["outside"]),
        (&2.into(), &100.into(), &0.into())
    );
    let change = &document["energy"]["largest_relative_change"];
    assert!(change.as_f64().unwrap() < 1e-9, "{change}");
    let trace = read(&folder, "trace.csv");
    assert!(
        trace.starts_with(
            "time,body,px,py,pz,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz\n0,\"ball, red\",0,0,2,0,0,0,1,1,0,0,"
        ),
        "{trace}"
    );
    // Steps 0, 30, 60, 90 and the last.
    assert_eq!(trace.lines().count(), 1 + 5);
    // It falls 1.5 m in √0.3 s and rises again: after 0.3 s it is at 2 − 5·0.09, still falling.
    let line = trace.lines().nth(2).unwrap().rsplit("\",").next().unwrap().to_owned();
    let at: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
    assert!(
        (at[0] - 0.3).abs() < 1e-12 && (at[2] - (2.0 - 0.45)).abs() < 1e-12 && (at[9] + 3.0).abs() < 1e-12,
        "{at:?}"
    );
    let energy = rows(&read(&folder, "energy.csv"));
    assert_eq!(energy.len(), 101);
    // ½·2·1 + 2·10·2, and momentum 2 along x.
    assert!((energy[0][3] - 41.0).abs() < 1e-12 && energy.iter().all(|row| (row[4] - 2.0).abs() < 1e-12));
    assert_eq!(energy.iter().map(|row| row[10]).sum::<f64>(), 1.0);
    assert!(read(&folder, "energy.svg").contains("<svg"));
    let glb = std::fs::read(folder.join("run.glb")).unwrap();
    assert_eq!(
        (&glb[..4], u32::from_le_bytes(glb[8..12].try_into().unwrap()) as usize),
        (&b"glTF"[..], glb.len())
    );
    assert!(folder.sudar(&["info", "run.glb"]).out.contains("table"));
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let folder = Folder::new();
    for threads in ["1", "2"] {
        let out = format!("trace{threads}.csv");
        let run = folder.sudar(&[
            "simulate",
            "box-objects",
            "--seconds",
            "0.3",
            "--out",
            &out,
            "--threads",
            threads,
        ]);
        assert_eq!(run.status, 0, "{}", run.err);
    }
    assert_eq!(read(&folder, "trace1.csv"), read(&folder, "trace2.csv"));
}

#[test]
fn errors_name_file_body_and_key() {
    let folder = Folder::new();
    folder.write("bad.toml", SCENE.replace("mass = 2", "mass = -2"));
    let run = folder.sudar(&["simulate", "bad.toml"]);
    assert_eq!(
        (run.status, run.err.trim_end()),
        (2, "sudar: bad.toml: body \"ball, red\": mass: must be above 0, found -2")
    );
    folder.write("beyond.toml", SCENE.replace("position = [0, 0, 2]", "position = [0, 0, 20]"));
    let run = folder.sudar(&["simulate", "beyond.toml"]);
    assert!(
        run.status == 2 && run.err.starts_with("sudar: beyond.toml: body \"ball, red\": position: "),
        "{}",
        run.err
    );
    let run = folder.sudar(&["simulate", "no-such-scene"]);
    assert!(run.status == 2 && run.err.contains("these are box-cubes"), "{}", run.err);
    folder.write(
        "tunnel.txt",
        "I (0 0 0)(0 0 1) 0.0 END END\nI (0 0 -1)(0 0 1) 0.0 none.wrl (0 0 0)(0 0 1) 0 END END\n",
    );
    let run = folder.sudar(&["simulate", "tunnel.txt"]);
    assert!(run.status == 2 && run.err.starts_with("sudar: tunnel.txt: line 2: none.wrl: "), "{}", run.err);
    assert_eq!(folder.sudar(&["simulate"]).status, 2);
}

#[test]
fn built_in_scenes_are_listed() {
    let folder = Folder::new();
    let list = folder.sudar(&["simulate", "--list"]).out;
    for name in [
        "box-cubes",
        "box-objects",
        "box-fighter",
        "cradle",
        "billiard",
        "gas",
        "dominoes",
        "pyramid",
        "stack",
        "incline",
        "wall",
        "tunnel",
        "bridge",
        "ropes",
        "cloth",
        "ragdolls",
        "cars",
        "crane",
    ] {
        assert!(list.contains(name), "{name}");
    }
}

/// Coordinates of marks in an SVG file: of circles, squares and triangles, as far as they are in the panels.
fn marks(svg: &str) -> Vec<[f64; 2]> {
    let tags = svg.split('<').filter(|tag| tag.starts_with("circle") || tag.starts_with("polygon"));
    let number =
        |tag: &str, name: &str| tag.split_once(&format!(" {name}=\""))?.1.split('"').next()?.parse().ok();
    let place = |tag: &str| -> Option<[f64; 2]> {
        if tag.starts_with("circle") {
            return Some([number(tag, "cx")?, number(tag, "cy")?]);
        }
        let points = tag.split_once("points=\"")?.1.split('"').next()?;
        let corners: Vec<[f64; 2]> = points
            .split_whitespace()
            .filter_map(|p| p.split_once(','))
            .filter_map(|(x, y)| Some([x.parse().ok()?, y.parse().ok()?]))
            .collect();
        let mean = |k: usize| corners.iter().map(|c| c[k]).sum::<f64>() / corners.len() as f64;
        Some([mean(0), mean(1)])
    };
    tags.filter_map(place).collect()
}

#[test]
fn the_energy_plot_shows_losses_and_keeps_its_marks_inside() {
    let folder = Folder::new();
    // A ball that comes down on a dull floor below the origin: potential and total energy are below zero, and it loses.
    folder.write(
        "drop.toml",
        "[[body]]\nname = 'ball'\nshape = { sphere = 0.5 }\nposition = [0, 0, 3]\nmass = 2\n
        [[body]]\nname = 'floor'\nkind = 'static'\nshape = { halfspace = [0, 0, 1, -2] }\n",
    );
    let run = folder.sudar(&["simulate", "drop.toml", "--seconds", "3", "--plot", "e.svg", "--json"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let energy = &run.json()["energy"];
    assert!(energy["last"].as_f64().unwrap() < -20.0 && energy["first"].as_f64().unwrap() > 50.0, "{energy}");
    let svg = read(&folder, "e.svg");
    // Two panels of 470 × 350 below a head of 44; margins of 12, 62 beside and 44 below for the axes.
    let inside = |[x, y]: [f64; 2]| {
        (0..2).any(|k| (74.0..=458.0).contains(&(x - 470.0 * f64::from(k)))) && (56.0..=338.0).contains(&y)
    };
    let in_legend = |[x, _]: [f64; 2]| x > 940.0;
    let marks = marks(&svg);
    assert!(marks.len() > 30, "{}", marks.len());
    assert!(marks.iter().all(|m| inside(*m) || in_legend(*m)), "{marks:?}");
    // The axis of the change has ticks below zero, and the curve goes there.
    let ticks: Vec<f64> = svg.lines().filter_map(|line| line.trim().parse().ok()).collect();
    assert!(ticks.iter().any(|t| (-2.0..0.0).contains(t)) && ticks.iter().any(|t| *t < -10.0), "{ticks:?}");
}

#[test]
fn columns_say_what_each_step_took() {
    let folder = Folder::new();
    let rows = |threads: &str| {
        let run = folder.sudar(&[
            "simulate",
            "box-objects",
            "--seconds",
            "0.5",
            "--columns",
            "steps.csv",
            "--threads",
            threads,
            "--quiet",
        ]);
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        let text = std::fs::read_to_string(folder.join("steps.csv")).unwrap();
        let mut lines = text.lines();
        assert!(lines.next().unwrap().contains("response simultaneous; broad phase auto"), "{text}");
        let header = "step,time,wall_time,objects,size,algorithm,pairs,tests,visits,swaps,bytes,broad_time,narrow_time,response_time";
        assert_eq!(lines.next().unwrap(), header);
        lines.map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let one = rows("1");
    assert_eq!(one.len(), 30);
    let number = |row: &[String], column: usize| row[column].parse::<f64>().unwrap();
    let mut before = 0.0;
    for (k, row) in (1..).zip(&one) {
        assert_eq!((number(row, 0), row[5].as_str()), (f64::from(k), "brute"));
        assert!((number(row, 1) - f64::from(k) / 60.0).abs() < 1e-9);
        // Phases are parts of the time that passed, and none is missing or counted twice.
        let phases: f64 = (11..14).map(|column| number(row, column)).sum();
        let passed = number(row, 2) - before;
        assert!((11..14).all(|column| number(row, column) >= 0.0) && phases > 0.0, "{row:?}");
        assert!(phases <= passed + 1e-6, "{row:?}");
        before = number(row, 2);
        // Brute force compares all pairs of eight boxes, once a step.
        assert_eq!((number(row, 3), number(row, 7)), (8.0, 28.0), "{row:?}");
    }
    let counts = |rows: &[Vec<String>]| rows.iter().map(|row| row[3..11].to_vec()).collect::<Vec<_>>();
    assert_eq!(counts(&one), counts(&rows("2")));
}

#[test]
fn a_recording_is_verified_and_the_first_step_and_body_that_differ_are_named() {
    let folder = Folder::new();
    folder.write("scene.toml", SCENE);
    let recorded = folder.sudar(&["simulate", "scene.toml", "--seconds", "2", "--record", "run.sudar"]);
    assert_eq!(recorded.status, 0, "{}", recorded.err);
    let same = folder.sudar(&["simulate", "run.sudar", "--verify"]);
    assert!(same.status == 0 && same.out.contains("all 200 steps are the same"), "{}{}", same.out, same.err);
    // A run of another scene: the ball bounces less, from its first bounce on, after √0.3 s.
    let text = read(&folder, "run.sudar");
    folder.write("other.sudar", text.replace("restitution = 1", "restitution = 0.999"));
    let other = folder.sudar(&["simulate", "other.sudar", "--verify", "--json"]);
    let document = other.json();
    assert_eq!(other.status, 1, "{}", other.err);
    assert_eq!((&document["same"], &document["difference"]["body"]), (&false.into(), &"ball, red".into()));
    assert_eq!(document["difference"]["step"], 55);
    // The size is that of the scene and of the steps, whatever the number of bodies.
    let size = |scene: &str, name: &str| {
        let run = folder.sudar(&["simulate", scene, "--seconds", "1", "--record", name]);
        assert_eq!(run.status, 0, "{}", run.err);
        read(&folder, name).len() as f64
    };
    let [few, many] = [size("cradle", "few.sudar"), size("gas", "many.sudar")];
    assert!(many < 1.5 * few, "{few} {many}");
    // What a program recorded of its world.
    let mut world = sudar_scene::read(std::path::Path::new("cradle")).unwrap().into_world().unwrap();
    world.record();
    let first = world.bodies().next().unwrap().0;
    for step in 0..30 {
        if step == 10 {
            world.apply_impulse(first, sudar::DVec3::Y, sudar::DVec3::ZERO).unwrap();
        }
        world.step(1.0 / 60.0).unwrap();
    }
    let of_world = serde_json::to_string(&world.stop_recording().unwrap()).unwrap();
    folder.write("world.sudar", &of_world);
    let same = folder.sudar(&["simulate", "world.sudar", "--verify"]);
    assert!(same.status == 0 && same.out.contains("all 30 steps are the same"), "{}{}", same.out, same.err);
    let (before, after) = of_world.split_once("\"impulse\":[").unwrap();
    let changed = after.replacen("1.0", "2.0", 1);
    folder.write("changed.sudar", format!("{before}\"impulse\":[{changed}"));
    let other = folder.sudar(&["simulate", "changed.sudar", "--verify", "--json"]);
    assert_eq!((other.status, &other.json()["difference"]["step"]), (1, &11.into()), "{}", other.err);
    for (name, text, words) in [
        ("half.sudar", &of_world[..of_world.len() / 2], "broken recording"),
        ("short.sudar", &text[..text.len() / 2], "ends before step"),
        ("none.sudar", "hello", "is no recording"),
        ("form.sudar", r#"{"sudar_recording":9,"scene":"stack","text":null,"steps":1}"#, "is of form 9"),
    ] {
        folder.write(name, text);
        let broken = folder.sudar(&["simulate", name, "--verify"]);
        assert!(broken.error().contains(words), "{}", broken.err);
    }
}
