//! `pack`, and stores in the place of files.

use std::fs;
use std::path::Path;

use serde_json::Value;
use sudar_clash::gearbox::gearbox;
use sudar_formats::{Model, WriteOptions};
use sudar_testing::oracle::data;

use crate::support::{Folder, obj_box, write_row};

/// The documents of a check of files, and of the store that they are packed to.
fn documents(folder: &Folder, files: &[&str], more: &[&str]) -> [String; 2] {
    let packed = folder.sudar(&[&["pack"], files, more, &["-o", "all.sudar", "--json"]].concat());
    assert!(packed.status == 0 || packed.status == 2, "{}", packed.err);
    let check = |scenes: &[&str], more: &[&str]| {
        let args = [&["clash"], scenes, more, &["--json", "--no-times", "--clearance", "0.01"]].concat();
        let run = folder.sudar(&args);
        assert!(!run.out.is_empty(), "{}", run.err);
        run.out
    };
    [check(files, more), check(&["all.sudar"], &[])]
}

fn assert_same(folder: &Folder, files: &[&str], more: &[&str]) -> Value {
    let [of_files, of_store] = documents(folder, files, more);
    assert!(of_files == of_store, "{of_files}\n{of_store}");
    serde_json::from_str(&of_store).unwrap()
}

#[test]
fn clash_of_a_store_says_what_clash_of_its_files_says() {
    let folder = Folder::new();
    write_row(&folder, 0.1);
    folder.write("brick.obj", obj_box("brick", [0.5, 0.5, 0.5], [0.9, 0.9, 0.9], 1));
    folder.write("bad.obj", "v 0 0 0\nf 1 2 3\n");
    let axes = ["x", "y", "z"].map(|axis| format!("property float {axis}\n")).concat();
    let cloud = format!("ply\nformat ascii 1.0\nelement vertex 1\n{axes}end_header\n1 2 3\n");
    folder.write("cloud.ply", cloud);
    let scene = "[[model]]\nfile = 'brick.obj'\n[[model]]\nfile = 'row.obj'\n[[model]]\nfile = 'brick.obj'\nname = 'second'\n\
                 translation = [0.75, 0, 0]\nrotation = [0, 0, 0.6, 0.8]\n";
    folder.write("site.toml", scene);
    let document = assert_same(&folder, &["site.toml"], &["--units", "m"]);
    assert_eq!(document["parts"].as_array().unwrap().len(), 5);
    assert_same(&folder, &["row.obj"], &[]);
    assert_same(&folder, &["row.obj", "brick.obj"], &["--weld"]);
    let document =
        assert_same(&folder, &["row.obj", "bad.obj", "cloud.ply", "site.toml"], &["--scale", "0.3"]);
    assert_eq!(document["failed"].as_array().unwrap().len(), 2, "{document}");
    // A store as a model of a scene file.
    folder.sudar(&["pack", "row.obj", "-o", "row.sudar"]);
    let placed = "name = 'there'\ntranslation = [0.1, 0, 0]\n[[model]]\nfile = 'brick.obj'\n";
    let check = |file: &str| {
        folder.write("placed.toml", format!("[[model]]\nfile = '{file}'\n{placed}"));
        folder.sudar(&["clash", "placed.toml", "--json", "--no-times"]).out
    };
    assert_eq!(check("row.obj"), check("row.sudar"));
    // A file that says its unit, and then one that does not.
    folder.sudar(&["convert", "row.obj", "row.glb", "--units", "in"]);
    let document = assert_same(&folder, &["row.glb", "brick.obj"], &[]);
    assert!(document["unit"].is_null());
    let document = assert_same(&folder, &["row.glb", "brick.obj"], &["--units", "mm"]);
    assert_eq!(document["unit"], "mm");
}

#[test]
fn clash_of_the_gearbox_and_of_buildings_is_the_same_from_a_store() {
    let folder = Folder::new();
    let written = folder.sudar(&["clash", "--write-benchmark", "benchmark"]);
    assert_eq!(written.status, 0, "{}", written.err);
    let ifc = |folder: &Path| {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut all: Vec<_> =
            names.filter(|path| path.extension().is_some_and(|ending| ending == "ifc")).collect();
        all.sort();
        all
    };
    let benchmark = ifc(&folder.join("benchmark"));
    assert!(!benchmark.is_empty());
    let name = |path: &Path| path.to_str().unwrap().to_owned();
    let all: Vec<String> = benchmark.iter().map(|path| name(path)).collect();
    assert_same(&folder, &all.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
    let parts = gearbox().unwrap().parts.into_iter();
    let meshes = parts.map(|part| (part.name, part.body.mesh().unwrap().clone(), part.pose));
    let options = WriteOptions::default();
    sudar_formats::write(&folder.join("gearbox.glb"), &Model::assembled(meshes), options).unwrap();
    let document = assert_same(&folder, &["gearbox.glb"], &["--units", "mm"]);
    assert_eq!(document["parts"].as_array().unwrap().len(), 69);
    assert!(document["clashes"].as_array().unwrap().len() > 7);
}

#[test]
fn clash_of_real_assemblies_is_the_same_from_a_store() {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    for name in ["as1.obj.gz", "fzk_haus.obj.gz"] {
        let path = data.join("assemblies").join(name);
        assert_same(&folder, &[path.to_str().unwrap()], &["--units", "mm"]);
    }
}

#[test]
fn an_update_writes_new_meshes_alone() {
    let folder = Folder::with_cube();
    write_row(&folder, 0.0);
    let pack = |args: &[&str]| folder.sudar(&[&["pack", "-o", "a.sudar", "--json"], args].concat()).json();
    let first = pack(&["row.obj"]);
    assert_eq!((first["meshes"]["new"].as_u64(), first["revision"].as_u64()), (Some(3), Some(1)));
    let second = pack(&["row.obj", "cube.obj", "--update"]);
    assert_eq!((second["meshes"]["new"].as_u64(), second["meshes"]["kept"].as_u64()), (Some(1), Some(3)));
    let anew = pack(&["row.obj", "cube.obj"]);
    assert_eq!((&anew["fingerprint"], anew["meshes"]["new"].as_u64()), (&second["fingerprint"], Some(4)));
    let text = folder.sudar(&["pack", "-o", "a.sudar", "cube.obj", "--update"]).out;
    assert!(text.starts_with("a.sudar: 1 part of 1 mesh (0 new, 1 kept), 12 triangles, "), "{text}");
}

#[test]
fn every_command_takes_a_store_where_it_takes_a_file() {
    let folder = Folder::with_cube();
    write_row(&folder, 0.0);
    assert_eq!(folder.sudar(&["pack", "row.obj", "-o", "row.sudar"]).status, 0);
    let same = |args: &[&str]| {
        let run = |file: &str| {
            let args: Vec<&str> = args.iter().map(|arg| if *arg == "FILE" { file } else { arg }).collect();
            let run = folder.sudar(&args);
            assert!(run.status < 2, "{}", run.err);
            (run.status, run.out.replace(file, "FILE"))
        };
        assert_eq!(run("row.obj"), run("row.sudar"));
    };
    same(&["info", "FILE", "--json"]);
    same(&["check", "FILE", "cube.obj", "--distance", "--json"]);
    same(&["check", "cube.obj", "FILE", "--json"]);
    same(&["ray", "FILE", "--from", "0,0,9", "--towards", "0.5,0.5,0", "--json"]);
    same(&["convert", "FILE", "out.obj", "--json"]);
    let there = |file: &str| {
        folder.sudar(&["convert", file, "out.obj"]);
        fs::read_to_string(folder.join("out.obj")).unwrap()
    };
    assert_eq!(there("row.obj"), there("row.sudar"));
}

#[test]
fn a_bad_store_is_one_line() {
    let folder = Folder::with_cube();
    fs::create_dir(folder.join("empty.sudar")).unwrap();
    let error = |args: &[&str]| folder.sudar(args).error().to_owned();
    assert_eq!(
        error(&["clash", "empty.sudar"]),
        "empty.sudar: is no store: the folder holds no head.bin; name a folder that sudar pack wrote"
    );
    assert!(
        error(&["pack", "cube.obj", "-o", "empty.sudar"]).starts_with("empty.sudar: exists and is no store")
    );
    assert!(error(&["pack", "nothing.obj", "-o", "b.sudar"]).starts_with("nothing.obj: "));
    assert!(!folder.join("b.sudar").exists());
    assert!(error(&["pack", "cube.obj", "-o", "nowhere/b.sudar"]).starts_with("nowhere/b.sudar: "));
    assert_eq!(folder.sudar(&["pack", "cube.obj", "-o", "b.sudar"]).status, 0);
    let head = fs::read(folder.join("b.sudar/head.bin")).unwrap();
    let with = |at: usize, byte: u8| {
        let mut bytes = head.clone();
        bytes[at] = byte;
        folder.write("b.sudar/head.bin", bytes);
        error(&["info", "b.sudar"])
    };
    assert!(with(8, 2).starts_with("b.sudar: is a store of version 2"));
    assert!(with(30, head[30] ^ 1).starts_with("b.sudar: head.bin is damaged"));
    folder.write("b.sudar/head.bin", &head);
    folder.write("b.sudar/parts-000001.bin", "");
    assert!(
        error(&["info", "b.sudar"]).starts_with("b.sudar: parts-000001.bin has 0 bytes and should have 136")
    );
    // Packed anew it is whole again.
    assert_eq!(folder.sudar(&["pack", "cube.obj", "-o", "b.sudar"]).status, 0);
    assert_eq!(folder.sudar(&["info", "b.sudar"]).status, 0);
}
