//! `check`, `info` and `convert` do what they say.

use serde_json::json;

use crate::support::{CUBE, Folder, obj_boxes};

#[test]
fn check_tells_apart_touching_and_intersecting() {
    let folder = Folder::with_cube();
    let check =
        |x: &str| folder.sudar(&["check", "cube.obj", "cube.obj", "--pose-b", x, "--json", "--distance"]);
    // Both cubes are [−1, 1]³: a shift of 2.5 leaves a gap of 0.5, a shift of 2 none.
    let apart = check("2.5,0,0");
    assert_eq!((apart.status, apart.json()["intersects"].clone()), (0, json!(false)));
    let distance = apart.json();
    assert!(distance["distance"]["lower"].as_f64().unwrap() <= 0.5);
    assert!(distance["distance"]["upper"].as_f64().unwrap() >= 0.5);
    assert!(distance["distance"]["upper"].as_f64().unwrap() <= 0.5 + 1e-13);
    assert_eq!(distance["point_a"][0], json!(1.0));
    assert_eq!(distance["point_b"][0], json!(1.5));
    let touching = check("2,0,0");
    assert_eq!((touching.status, touching.json()["intersects"].clone()), (1, json!(true)));
    assert_eq!(touching.json()["distance"], json!({"lower": 0.0, "upper": 0.0}));
    assert_eq!(check("-1.5,0.25,0").status, 1);
    assert_eq!(check(r#"{"translation":[0,0,3]}"#).status, 0);
    // A quarter turn about z and a shift: the same cube again.
    let half = "0.7071067811865476";
    assert_eq!(check(&format!("5,0,0,0,0,{half},{half}")).status, 0);
}

#[test]
fn people_see_six_digits_of_a_distance() {
    let folder = Folder::with_cube();
    let check = |x: &str| folder.sudar(&["check", "cube.obj", "cube.obj", "--pose-b", x, "--distance"]).out;
    assert!(check("2.123456789,0,0").contains("distance 0.123457 between"), "{}", check("2.123456789,0,0"));
    assert!(check("2,0,0").contains("distance 0 between"), "{}", check("2,0,0"));
}

#[test]
fn shells_know_scenes_algorithms_and_formats() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.sudar(&["completions", shell]).out;
        for word in ["box-fighter", "octree-dup", "wrl", "micro"] {
            let expected = word != "micro";
            assert_eq!(script.contains(word), expected, "{shell}: {word}");
        }
    }
    // A scene may still be a file, and any of them is taken.
    let zsh = folder.sudar(&["completions", "zsh"]).out;
    assert!(zsh.contains("_alternative") && !zsh.contains("scene:(box"), "{zsh}");
    folder.write("own.toml", "[[body]]\nname = 'a'\nshape = { sphere = 1 }\n");
    assert_eq!(folder.sudar(&["simulate", "own.toml", "--seconds", "0.1"]).status, 0);
}

#[test]
fn tables_fit_the_columns_of_the_terminal() {
    let folder = Folder::with_cube();
    for (columns, fits) in [("60", true), ("90", true), ("400", false)] {
        let run = assert_cmd::cargo::cargo_bin_cmd!("sudar")
            .args(["clash"])
            .current_dir(folder.path())
            .env("COLUMNS", columns)
            .output()
            .unwrap();
        let table = String::from_utf8(run.stdout).unwrap();
        let is_row = |line: &&str| line.starts_with([' ', '─']);
        let widest = table.lines().filter(is_row).map(|line| line.chars().count()).max().unwrap();
        let limit: usize = columns.parse().unwrap();
        assert!(widest <= limit && fits == (widest + 10 > limit), "{columns}: {widest}\n{table}");
    }
}

#[test]
fn a_folder_is_one_table() {
    let folder = Folder::new();
    std::fs::create_dir(folder.join("parts")).unwrap();
    folder.write("parts/a.obj", CUBE);
    folder.write("parts/b.obj", CUBE.replace("v 1 1 1", "v 1 1 9"));
    folder.write("parts/a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    folder.write("parts/bad.stl", "solid x\nfacet");
    folder.write("parts/readme.txt", "not a model");
    let info = folder.sudar(&["info", "parts", "--json"]);
    assert_eq!((info.status, info.err.lines().count()), (2, 1));
    assert_eq!(info.json()["schema_version"], json!(1));
    let files: Vec<_> = info.json()["files"].as_array().unwrap().iter().map(|f| f["file"].clone()).collect();
    assert_eq!(files, [json!("parts/a.obj"), json!("parts/a.off"), json!("parts/b.obj")]);
    let table = folder.sudar(&["info", "parts"]).out;
    assert_eq!(table.lines().count(), 7, "{table}");
    // Files of one stem keep their endings; what cannot be read is said and keeps nothing else from being written.
    let made = folder.sudar(&["convert", "parts", "out", "--format", "stl", "--json"]);
    assert_eq!((made.status, made.err.lines().count()), (2, 1));
    assert_eq!(made.json()["schema_version"], json!(1));
    let rows = made.json()["files"].as_array().unwrap().clone();
    assert_eq!(
        (rows.len(), &rows[0]["from"], &rows[0]["file"]),
        (4, &json!("parts/a.obj"), &json!("out/a.obj.stl"))
    );
    assert!(rows[3]["error"].as_str().unwrap().contains("bad.stl"));
    for (name, triangles) in [("a.obj.stl", 12), ("a.off.stl", 1), ("b.stl", 12)] {
        let info = folder.sudar(&["info", &format!("out/{name}"), "--json"]).json();
        assert_eq!(info["files"][0]["triangles"], json!(triangles), "{name}");
    }
    folder.write("cube.obj", CUBE);
    let checked = folder.sudar(&["check", "out", "cube.obj", "--pose-b", "20,0,0", "--distance", "--json"]);
    assert_eq!((checked.status, checked.json()["schema_version"].clone()), (0, json!(1)));
    let checks = checked.json()["checks"].as_array().unwrap().clone();
    let off = |check: &serde_json::Value| (check["distance"]["upper"].as_f64().unwrap() - 18.0).abs();
    assert!(checks.len() == 3 && checks.iter().all(|check| off(check) < 1e-12), "{checks:?}");
    assert_eq!(folder.sudar(&["check", "out", "cube.obj"]).status, 1);
    let table = folder.sudar(&["check", "parts", "cube.obj", "--distance"]);
    assert_eq!((table.status, table.err.lines().count()), (2, 1), "{}", table.err);
    assert_eq!(
        (table.out.lines().count(), table.out.matches("not checked").count()),
        (8, 1),
        "{}",
        table.out
    );
}

#[test]
fn the_hull_of_vertices_alone_is_found() {
    let folder = Folder::new();
    // A corner of the unit cube: a sixth of it.
    folder.write("scan.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\n");
    let hull = folder.sudar(&["hull", "scan.obj", "--json"]).json();
    assert_eq!((&hull["vertices"], &hull["faces"]), (&json!(4), &json!(4)));
    assert!((hull["volume"].as_f64().unwrap() * 6.0 - 1.0).abs() < 1e-15);
    assert!(folder.sudar(&["info", "scan.obj"]).out.contains("a cloud of 5 points"));
}

#[test]
fn shells_and_man_learn_every_command() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.sudar(&["completions", shell]);
        assert!(script.status == 0 && script.out.contains("self-intersections"), "{shell}");
    }
    let page = folder.sudar(&["man"]);
    assert!(page.status == 0 && page.out.contains(".TH sudar 1"), "{}", page.out);
    assert_eq!(folder.sudar(&["man", "--out", "pages"]).status, 0);
    for name in ["sudar", "sudar-clash", "sudar-check", "sudar-completions", "sudar-man"] {
        let page = std::fs::read_to_string(folder.join("pages").join(format!("{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
    }
    assert!(!folder.join("pages/sudar-help.1").exists());
}

#[test]
fn check_shows_as_many_pairs_as_asked_for_and_counts_all() {
    let folder = Folder::with_cube();
    let args = ["check", "cube.obj", "cube.obj", "--pose-b", "1,1,1", "--json"];
    let all = folder.sudar(&[&args[..], &["--pairs", "1000"]].concat()).json();
    let two = folder.sudar(&[&args[..], &["--pairs", "2"]].concat()).json();
    let count = all["count"].as_u64().unwrap() as usize;
    assert_eq!(all["pairs"].as_array().unwrap().len(), count);
    assert_eq!(two["count"], all["count"]);
    assert_eq!(two["pairs"].as_array().unwrap()[..], all["pairs"].as_array().unwrap()[..2]);
    assert!(two.get("distance").is_none() && two.get("within").is_none());
    assert!(all.get("count_is_exact").is_none());
    let text = folder.sudar(&args[..5]);
    assert_eq!(text.status, 1);
    assert!(text.out.contains(&format!("{count} triangle pairs")));
    let some = folder.sudar(&[&args[..], &["--count-to", "1"]].concat()).json();
    assert_eq!((some["count"].as_u64(), some["count_is_exact"].as_bool()), (Some(1), Some(false)));
    let enough = folder.sudar(&[&args[..], &["--count-to", "1000"]].concat()).json();
    assert_eq!((&enough["count"], enough["count_is_exact"].as_bool()), (&all["count"], Some(true)));
    assert!(
        folder.sudar(&[&args[..5], &["--count-to", "1"]].concat()).out.contains("at least 1 triangle pair")
    );
}

#[test]
fn the_tolerance_is_reported_and_leaves_the_exit_status_alone() {
    let folder = Folder::with_cube();
    let within = |d: &str| {
        let run = folder.sudar(&[
            "check",
            "cube.obj",
            "cube.obj",
            "--pose-b",
            "2.5,0,0",
            "--json",
            "--tolerance",
            d,
        ]);
        assert_eq!(run.status, 0);
        run.json()["within"].clone()
    };
    assert_eq!(within("0.75"), json!(true));
    assert_eq!(within("0.25"), json!(false));
}

#[test]
fn the_tolerance_comes_with_what_shows_it() {
    let folder = Folder::with_cube();
    // The cubes are 2.5 − 2 = 0.5 apart.
    let check = |more: &[&str]| {
        let args = ["check", "cube.obj", "cube.obj", "--pose-b", "2.5,0,0"];
        let run = folder.sudar(&[&args[..], more].concat());
        assert_eq!(run.status, 0, "{}", run.err);
        run
    };
    let near = check(&["--json", "--tolerance", "0.75"]).json();
    let x = |point: &str| near["witness"][point][0].as_f64().unwrap();
    assert!(x("point_a") <= 1.0 && x("point_b") >= 1.5 && x("point_b") - x("point_a") <= 0.75, "{near}");
    assert!(near["witness"]["features"].is_array() && near.get("distance").is_none());
    let far = check(&["--json", "--tolerance", "0.25"]).json();
    let lower = far["witness"]["lower"].as_f64().unwrap();
    assert!(lower > 0.25 && lower <= 0.5, "{far}");
    let both = check(&["--json", "--tolerance", "0.25", "--distance"]).json();
    assert_eq!(both["witness"]["lower"], both["distance"]["lower"]);
    let text = |d: &str| check(&["--tolerance", d]).out;
    assert!(text("0.75").contains("within the tolerance: between ("), "{}", text("0.75"));
    assert!(text("0.25").contains("farther apart than the tolerance: at least 0."), "{}", text("0.25"));
    let touching =
        folder.sudar(&["check", "cube.obj", "cube.obj", "--pose-b", "2,0,0", "--tolerance", "0", "--json"]);
    assert_eq!((touching.status, &touching.json()["within"]), (1, &json!(true)));
}

#[test]
fn units_scale_files_that_say_none() {
    let folder = Folder::with_cube();
    let bounds = |more: &[&str]| {
        let info = folder.sudar(&[&["info", "--json", "cube.obj"], more].concat()).json();
        info["files"][0]["bounds"].clone()
    };
    assert_eq!(bounds(&[]), json!({"min": [-1.0, -1.0, -1.0], "max": [1.0, 1.0, 1.0]}));
    assert_eq!(bounds(&["--units", "mm"])["max"], json!([0.001, 0.001, 0.001]));
    assert_eq!(bounds(&["--scale", "0.5"])["max"], json!([0.5, 0.5, 0.5]));
    assert_eq!(folder.sudar(&["convert", "cube.obj", "cube.glb"]).status, 0);
    let glb = folder.sudar(&["info", "--json", "cube.glb", "--units", "mm"]).json();
    assert_eq!(glb["files"][0]["bounds"]["max"], json!([1.0, 1.0, 1.0]));
}

#[test]
fn info_counts_what_the_file_says() {
    let folder = Folder::new();
    // A closed cube; beside it a triangle, twice, and one whose corners lie on a line.
    let loose = "o loose\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 7 0 0\nf 9 10 11\nf 11 9 10\nf 9 10 12\n";
    folder.write("two.obj", format!("{CUBE}{loose}"));
    let info = folder.sudar(&["info", "--json", "two.obj"]);
    let file = info.json()["files"][0].clone();
    assert_eq!((info.status, &file["file"], &file["triangles"]), (0, &json!("two.obj"), &json!(15)));
    let [cube, loose] = [0, 1].map(|i| file["parts"][i].clone());
    assert_eq!((&cube["name"], &cube["triangles"]), (&json!("cube"), &json!(12)));
    assert_eq!((&cube["closed"], &cube["manifold"]), (&json!(true), &json!(true)));
    assert!(cube["faults"].as_object().unwrap().values().all(|n| n == 0), "{cube}");
    assert_eq!((&loose["triangles"], &loose["closed"]), (&json!(3), &json!(false)));
    assert_eq!((&loose["faults"]["degenerate"], &loose["faults"]["duplicate"]), (&json!(1), &json!(1)));
    assert_eq!(file["bounds"], json!({"min": [-1.0, -1.0, -1.0], "max": [7.0, 1.0, 1.0]}));
    let text = folder.sudar(&["info", "two.obj"]).out;
    assert!(text.contains("15 triangles, 2 parts") && text.contains("1 degenerate, 1 duplicate"), "{text}");
    // Asked for, meetings of a part with itself: the triangle that is there twice. The one without area only goes
    // along an edge that both of the others share with it.
    assert!(cube.get("self_intersections").is_none() && !text.contains("self-intersections"));
    let run = folder.sudar(&["info", "--json", "--self-intersections", "two.obj"]);
    let count = |i: usize| run.json()["files"][0]["parts"][i]["self_intersections"].clone();
    assert_eq!((run.status, count(0), count(1)), (0, json!(0), json!(1)));
    assert!(folder.sudar(&["info", "--self-intersections", "two.obj"]).out.contains("self-intersections"));
}

#[test]
fn convert_keeps_the_triangles_through_every_format() {
    let folder = Folder::new();
    folder.write("in.obj", obj_boxes(&[("a", [0.0; 3], [1.0; 3]), ("b", [2.0, 0.0, 0.0], [3.5, 1.0, 2.0])]));
    for name in ["o.obj", "o.stl", "o.ply", "o.off", "o.gltf", "o.glb", "o.stl.gz", "o.obj.gz"] {
        let run = folder.sudar(&["convert", "in.obj", name, "--json"]);
        assert_eq!((run.status, &run.json()["triangles"]), (0, &json!(24)), "{name}: {}", run.err);
        let info = folder.sudar(&["info", "--json", name]).json();
        assert_eq!(info["files"][0]["triangles"], json!(24), "{name}");
        assert_eq!(
            info["files"][0]["bounds"],
            json!({"min": [0.0, 0.0, 0.0], "max": [3.5, 1.0, 2.0]}),
            "{name}"
        );
    }
    let parts = folder.sudar(&["info", "--json", "o.glb"]).json()["files"][0]["parts"].clone();
    assert_eq!((&parts[0]["name"], &parts[1]["name"]), (&json!("a"), &json!("b")));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 9, "no temporary file stays behind: {left:?}");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::with_cube();
    let binary = assert_cmd::cargo::cargo_bin!("sudar");
    let many = vec![r#"{"query":"contains","a":{"sphere":1},"point":[0,0,0]}"#.to_owned(); 20_000];
    folder.write("q.jsonl", many.join("\n"));
    for command in ["replay q.jsonl", "info cube.obj", "clash --json", "--help"] {
        let script = format!("'{}' {command} | true; echo ${{PIPESTATUS[0]}}", binary.display());
        let run =
            std::process::Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output();
        let run = run.unwrap();
        assert_eq!(String::from_utf8_lossy(&run.stderr), "", "{command}");
        let status = String::from_utf8_lossy(&run.stdout).trim().to_owned();
        assert!(["0", "1"].contains(&status.as_str()), "{command}: {status}");
    }
}

#[test]
fn without_pairs_check_says_yes_or_no() {
    let folder = Folder::with_cube();
    let check = |x: &str, more: &[&str]| {
        let args = ["check", "cube.obj", "cube.obj", "--pairs", "0", "--pose-b", x];
        folder.sudar(&[&args, more].concat())
    };
    for (x, status, word) in [("1,0,0", 1, "intersect"), ("3,0,0", 0, "apart")] {
        let run = check(x, &[]);
        assert_eq!((run.status, run.out.lines().last()), (status, Some(word)));
        let json = check(x, &["--json"]).json();
        assert_eq!(
            (&json["intersects"], &json["count"], &json["pairs"]),
            (&json!(status == 1), &json!(null), &json!([]))
        );
    }
}

#[test]
fn quiet_commands_print_errors_and_data_only() {
    let folder = Folder::with_cube();
    for args in [
        &["check", "cube.obj", "cube.obj", "--quiet"][..],
        &["--quiet", "clash"],
        &["info", "cube.obj", "--quiet"],
    ] {
        let run = folder.sudar(args);
        assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""), "{args:?}");
        assert_eq!(run.status, i32::from(args[0] != "info"));
    }
    assert!(folder.sudar(&["info", "none.obj", "--quiet"]).error().contains("none.obj"));
    assert_eq!(
        folder.sudar(&["info", "cube.obj", "--json", "--quiet"]).json()["files"][0]["triangles"],
        json!(12)
    );
}

#[test]
fn names_cannot_turn_the_text_around_them() {
    let folder = Folder::new();
    folder.write("a\u{202e}b.obj", CUBE.replace("o cube", "o gnp\u{202e}x\u{1b}[31m"));
    for args in [&["info"][..], &["clash"], &["hull"]] {
        for more in [&[][..], &["--json"]] {
            let run = folder.sudar(&[args, &["a\u{202e}b.obj"], more].concat());
            assert_eq!(run.status, 0, "{}", run.err);
            assert!(!run.out.contains(['\u{202e}', '\u{1b}']), "{}", run.out);
            if !more.is_empty() {
                assert!(run.json().is_object());
            }
        }
    }
    let json = folder.sudar(&["info", "--json", "a\u{202e}b.obj"]).json();
    assert_eq!(json["files"][0]["file"], json!("a\u{202e}b.obj"), "escaped, it is the same name");
}

#[test]
fn every_command_with_an_output_file_knows_it_by_the_same_letter() {
    let folder = Folder::with_cube();
    folder.write("q.jsonl", "");
    for name in ["-o", "--out", "--output"] {
        assert_eq!(folder.sudar(&["hull", "cube.obj", name, "hull.obj"]).status, 0);
    }
    assert_eq!(folder.sudar(&["clash", "cube.obj", "-o", "clash.json"]).status, 0);
    assert_eq!(folder.sudar(&["replay", "q.jsonl", "-o", "answers.jsonl"]).status, 0);
    for (args, folder_name) in [
        (&["convert", "cube.obj", "none/a.obj"][..], "none"),
        (&["hull", "cube.obj", "-o", "no/ne/a.obj"], "no/ne"),
    ] {
        let run = folder.sudar(args);
        assert!(run.error().contains(&format!("there is no folder {folder_name};")), "{}", run.err);
    }
}

#[cfg(unix)]
#[test]
fn replay_reads_standard_input_and_an_interrupt_leaves_no_temporary_file() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    let replay = |args: &[&str]| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("sudar"));
        command.arg("replay").args(args).current_dir(folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
    };
    let line = r#"{"id":"x","query":"contains","a":{"sphere":1},"point":[0,0,0]}"#;
    let mut child = replay(&["-"]);
    child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "{\"id\":\"x\",\"inside\":true}\n");
    // It waits for more input while its answers are written aside.
    for signal in ["-INT", "-TERM"] {
        let mut child = replay(&["-", "--out", "answers.jsonl"]);
        let mut input = child.stdin.take().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        let files = || std::fs::read_dir(folder.path()).unwrap().count();
        let start = std::time::Instant::now();
        while files() == 0 {
            assert!(start.elapsed().as_secs() < 60, "no file is begun");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(files(), 0);
    }
}
