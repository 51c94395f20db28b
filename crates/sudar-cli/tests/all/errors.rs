//! Every way to be refused: one line that names the file and the mend, nothing on standard output, status 2.

use crate::support::{CUBE, Folder};

#[track_caller]
fn refused(folder: &Folder, args: &[&str], expected: &[&str]) {
    let run = folder.sudar(args);
    assert_eq!(run.out, "", "{args:?}");
    let error = run.error();
    for part in expected {
        assert!(error.contains(part), "{args:?}: {error}");
    }
}

#[test]
fn files_that_are_no_models() {
    let folder = Folder::with_cube();
    folder.write("empty.obj", "");
    folder.write("nan.obj", CUBE.replace("v 1 1 1", "v 1 nan 1"));
    folder.write("index.obj", CUBE.replace("f 5 6 8 7", "f 5 6 9 7"));
    folder.write("text.xyz", "hello");
    folder.write("points.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");
    folder.write("cut.stl.gz", [0x1f, 0x8b, 8, 0, 0]);
    folder.write(
        "claims.ply",
        "ply\nformat ascii 1.0\nelement vertex 300000000000\nproperty float x\nproperty float y\n\
         property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n",
    );
    std::fs::create_dir(folder.join("folder")).unwrap();
    for command in [&["info"][..], &["clash"], &["convert"], &["hull"], &["check", "cube.obj"]] {
        let refused = |file: &str, expected: &[&str]| {
            let mut args = [command, &[file]].concat();
            if command[0] == "convert" {
                args.push("out.obj");
            }
            refused(&folder, &args, expected);
        };
        refused("missing.obj", &["missing.obj", "check the name"]);
        refused("empty.obj", &["empty.obj", "empty"]);
        refused("nan.obj", &["nan.obj", "line 9"]);
        refused("index.obj", &["index.obj", "line 15", "9"]);
        refused("text.xyz", &["text.xyz", "known format"]);
        refused("points.obj", &["points.obj", "no triangle"]);
        refused("cut.stl.gz", &["cut.stl.gz", "gzip"]);
        refused("claims.ply", &["claims.ply", "300000000000"]);
        match command[0] {
            "hull" => refused("folder", &["folder", "regular file"]),
            "convert" => refused("folder", &["folder", "--format"]),
            _ => refused("folder", &["folder", "no model file", ".wrl"]),
        }
    }
    folder.write("cloud.obj", "v 0 0 0\nv 1 0 0\n");
    refused(&folder, &["clash", "cloud.obj"], &["cloud.obj", "a cloud of 2 points"]);
    assert!(!folder.join("out.obj").exists());
}

#[test]
fn of_several_bad_files_the_first_by_name_is_named() {
    let folder = Folder::new();
    // The first takes longer to read than the others to fail.
    let long: String = (0..20_000).map(|i| format!("v {i} 0 0\n")).collect();
    folder.write("b.obj", long + "v x\n");
    for name in ["a.obj", "z.obj"] {
        folder.write(name, CUBE);
    }
    for name in ["c.obj", "d.obj", "e.obj"] {
        folder.write(name, "");
    }
    for threads in ["0", "2", "7"] {
        for _ in 0..8 {
            refused(&folder, &["clash", ".", "--strict", "--threads", threads], &["b.obj: line 20001"]);
        }
    }
    // Otherwise the rest is checked, each bad file is a line, and the exit status tells.
    let run = folder.sudar(&["clash", ".", "--json"]);
    assert_eq!(run.status, 2);
    let lines: Vec<&str> = run.err.lines().collect();
    let bad = ["b.obj", "c.obj", "d.obj", "e.obj"];
    assert!(lines.len() == 4 && lines.iter().zip(bad).all(|(line, name)| line.contains(name)), "{lines:?}");
    assert!(lines[0].starts_with("sudar: ./b.obj: left out: line 20001"), "{}", lines[0]);
    let document = run.json();
    assert_eq!(document["clashes"].as_array().unwrap().len(), 1);
    let failed = document["failed"].as_array().unwrap();
    assert!(failed.iter().zip(bad).all(|(entry, name)| entry["file"] == format!("./{name}")), "{failed:?}");
    // If all are bad, that is an error as for one.
    refused(&folder, &["clash", "c.obj", "b.obj"], &["c.obj"]);
}

#[cfg(unix)]
#[test]
fn help_into_a_full_device_is_an_error() {
    for args in [&["--help"][..], &["-h"], &["clash", "--help"], &["--version"], &["pairs", "--help"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let Ok(full) = full else { return println!("left out: there is no /dev/full") };
        let sudar = assert_cmd::cargo::cargo_bin_cmd!("sudar");
        let run = std::process::Command::new(sudar.get_program()).args(args).stdout(full).output().unwrap();
        let error = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{args:?}");
        assert!(error.starts_with("sudar: standard output cannot be written"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_not_opened() {
    let folder = Folder::with_cube();
    refused(&folder, &["info", "/dev/zero"], &["/dev/zero", "regular file"]);
    refused(&folder, &["replay", "/dev/zero"], &["/dev/zero", "regular file"]);
    refused(&folder, &["clash", "cube.obj", "--ignore", "/dev/zero"], &["/dev/zero", "regular file"]);
    let pipe = folder.join("pipe.obj");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    refused(&folder, &["info", "pipe.obj"], &["pipe.obj", "regular file"]);
    refused(&folder, &["replay", "pipe.obj"], &["pipe.obj", "regular file"]);
}

#[cfg(unix)]
#[test]
fn devices_are_not_replaced_by_outputs() {
    let folder = Folder::with_cube();
    folder.write("q.jsonl", "");
    for args in [
        &["convert", "cube.obj", "/dev/null"][..],
        &["replay", "q.jsonl", "--out", "/dev/null"],
        &["clash", "cube.obj", "--out", "/dev/null"],
    ] {
        refused(&folder, args, &["/dev/null", "not a regular file"]);
    }
    use std::os::unix::fs::FileTypeExt;
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn outputs_that_cannot_be_written() {
    let folder = Folder::with_cube();
    folder.write("q.jsonl", "");
    std::fs::create_dir(folder.join("folder")).unwrap();
    refused(&folder, &["convert", "cube.obj", "none/out.stl"], &["none/out.stl", "written"]);
    refused(&folder, &["convert", "cube.obj", "out.xyz"], &["out.xyz", "known format"]);
    refused(&folder, &["convert", "cube.obj", "out.step"], &["out.step", "is STEP, which is not written"]);
    refused(&folder, &["info", "house.3ds"], &["house.3ds", "3D Studio", "which is not read"]);
    refused(&folder, &["simulate", "cradle", "--gltf", "x.txt"], &["x.txt", "binary glTF only", ".glb"]);
    refused(&folder, &["simulate", "cradle", "--gltf", "x.gltf"], &["x.gltf", ".glb"]);
    refused(&folder, &["simulate", "cradle", "--plot", "x.png"], &["x.png", ".svg"]);
    let moving = ["check", "cube.obj", "cube.obj", "--sweep", "--plot", "x.png"];
    refused(&folder, &moving, &["x.png", ".svg"]);
    refused(&folder, &["convert", "cube.obj", "folder"], &["folder"]);
    refused(&folder, &["replay", "q.jsonl", "--out", "none/a.jsonl"], &["none/a.jsonl", "folder"]);
    refused(&folder, &["replay", "q.jsonl", "--out", "folder"], &["folder", "not a regular file"]);
    refused(&folder, &["clash", "cube.obj", "--out", "none/a.json"], &["none/a.json", "folder"]);
    refused(&folder, &["clash", "cube.obj", "--json", "--out", "none/a.json"], &["none/a.json", "folder"]);
}

#[test]
fn poses_that_are_none() {
    let folder = Folder::with_cube();
    let pose = |text: &str, expected: &[&str]| {
        refused(&folder, &["check", "cube.obj", "cube.obj", "--pose-b", text], expected);
    };
    pose("nan,0,0", &["--pose-b", "finite"]);
    pose("1,2", &["x,y,z", "2 numbers"]);
    pose("1,b,2", &["'b'"]);
    pose("0,0,0,0,0,0,2", &["length 1"]);
    pose("{\"rotation\":[0,0,0,1}", &["rotation"]);
    pose("{\"matrix\":[1,0,0,0, 0,1,0,0, 0,0,2,0, 0,0,0,1]}", &["rigid"]);
    pose("1e91,0,0", &["1e90"]);
}

#[test]
fn numbers_that_are_none() {
    let folder = Folder::with_cube();
    let clash = |option: &str, value: &str, expected: &[&str]| {
        refused(&folder, &["clash", "cube.obj", option, value], expected);
    };
    clash("--clearance", "-1", &["--clearance", "negative"]);
    clash("--clearance", "nan", &["--clearance", "finite"]);
    clash("--clearance", "wide", &["--clearance", "'wide' is no length", "5mm"]);
    clash("--scale", "0", &["--scale", "above 0"]);
    clash("--scale", "inf", &["--scale", "finite"]);
    clash("--units", "parsec", &["--units", "parsec"]);
    clash("--threads", "-1", &["--threads"]);
    clash("--threads", "1000000", &["--threads", "1024"]);
    clash("--allow", "tuch", &["--allow", "tuch"]);
    refused(&folder, &["check", "cube.obj", "cube.obj", "--tolerance", "-0.5"], &["--tolerance", "negative"]);
    refused(&folder, &["check", "cube.obj", "cube.obj", "--pairs", "x"], &["--pairs"]);
    refused(&folder, &["replay", "q.jsonl", "--time", "--repeat", "0"], &["--repeat"]);
    refused(&folder, &["replay", "q.jsonl", "--repeat", "3"], &["--time"]);
    refused(&folder, &["info", "cube.obj", "--scale", "2", "--units", "mm"], &["--units"]);
    refused(&folder, &["info", "cube.obj", "--scale", "1e200"], &["cube.obj", "1e90"]);
}

#[test]
fn arguments_that_are_missing_or_unknown() {
    let folder = Folder::with_cube();
    refused(&folder, &["check", "cube.obj"], &["<B>"]);
    refused(&folder, &["info"], &["<FILE>"]);
    refused(&folder, &["convert", "cube.obj"], &["<OUT>"]);
    refused(&folder, &["replay"], &["QUERIES.jsonl"]);
    refused(&folder, &["dance"], &["dance"]);
    refused(&folder, &["clash", "--htm", "x.html"], &["--htm"]);
    refused(&folder, &["clash", "--html"], &["--html"]);
    let run = folder.sudar(&[]);
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    assert!(run.err.contains("Usage: sudar"));
}

#[test]
fn rules_that_are_none() {
    let folder = Folder::with_cube();
    folder.write("bad.toml", "[[ignore]]\na = 'x'\nb = 'y'\nkind = ['tuch']\n");
    folder.write("glob.toml", "[[ignore]]\na = 'x['\nb = 'y'\n");
    folder.write("nan.toml", "[[pair]]\na = 'x'\nb = 'y'\nclearance = nan\n");
    folder.write("bytes.toml", [0xff, 0xfe, 0x00]);
    let rules = |file: &str, expected: &[&str]| {
        refused(&folder, &["clash", "cube.obj", "--ignore", file], expected);
    };
    rules("none.toml", &["none.toml", "check the name"]);
    rules("bad.toml", &["bad.toml", "line 4", "tuch"]);
    rules("glob.toml", &["glob.toml", "line 2"]);
    rules("nan.toml", &["nan.toml", "line 4", "finite"]);
    rules("bytes.toml", &["bytes.toml"]);
    rules(".", &["regular file"]);
}

#[test]
fn query_files_that_cannot_be_read() {
    let folder = Folder::new();
    folder.write("cut.jsonl.gz", [0x1f, 0x8b, 8, 0, 0]);
    refused(&folder, &["replay", "none.jsonl"], &["none.jsonl", "check the name"]);
    refused(&folder, &["replay", "."], &["regular file"]);
    refused(&folder, &["replay", "cut.jsonl.gz"], &["cut.jsonl.gz"]);
}

#[test]
fn a_bad_file_among_good_ones_is_named_and_the_others_are_shown() {
    let folder = Folder::with_cube();
    let run = folder.sudar(&["info", "--json", "none.obj", "cube.obj"]);
    assert!(run.error().starts_with("none.obj: "));
    assert_eq!(run.json()["files"][0]["file"], "cube.obj");
}

#[test]
fn a_name_with_line_breaks_stays_on_one_line() {
    let folder = Folder::new();
    refused(&folder, &["info", "a\nb.obj"], &["a\u{fffd}b.obj"]);
    refused(&folder, &["replay", "a\nb.jsonl"], &["a\u{fffd}b.jsonl"]);
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = Folder::new();
    for args in [
        &["--help"][..],
        &["--version"],
        &["check", "--help"],
        &["clash", "--help"],
        &["info", "--help"],
        &["convert", "--help"],
        &["hull", "--help"],
        &["replay", "--help"],
    ] {
        let run = folder.sudar(args);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{args:?}");
        assert!(args.len() < 2 || run.out.contains("Example"), "{args:?}");
    }
}
