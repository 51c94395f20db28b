//! Damaged files of every format: refused or read, never a panic, never a hang.
//!
//! A short run is part of the tests. A long one, which also starts from the smaller files in `SUDAR_DATA`:
//! `SUDAR_STRESS_SECONDS=600 cargo test --release -p sudar-formats --test all mutations`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "tests may fail and tell")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use sudar::{Aabb, DQuat, DVec3, Mesh, Pose};
use sudar_formats::{Format, Model, read_bytes, write_bytes};
use sudar_testing::Random;
use sudar_testing::oracle::data;

/// Longest that reading a file of at most 200 kB may take, on a busy machine without optimisation.
const PATIENCE: Duration = Duration::from_secs(20);

/// Two instances of a box, one turned and one scaled out of its symmetry, and a tetrahedron.
fn assembly() -> Model {
    let cube = Arc::new(Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::new(1.0, 2.0, 3.0) }));
    let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let other = Arc::new(Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap());
    let turned = Pose::new(DVec3::X, DQuat::from_xyzw(0.6, 0.0, 0.0, 0.8)).unwrap();
    Model::assembled([
        ("a".to_owned(), Arc::clone(&cube), Pose::IDENTITY),
        ("b".to_owned(), other, Pose::IDENTITY),
        ("c".to_owned(), cube, turned),
    ])
}

/// Statements that the writers do not use.
const RICH_OBJ: &str = "# c\nmtllib x\ng a b\nv 0 0 0 1 .5\nv 4 0 0\nv 4 4 0\nv 2 1 0\nv 0 4 0\nvt 0 0\nvn 0 0 1\n\
    f 1/1/1 2//1 3/1 \\\n 4 5\nl 1 2\np 3\ng c\nf -1 -2 -3\ns off\ng a b\nf 1 2 3 4\ncurv 0 1\no x\nf 5 4 3\n";
const RICH_OFF: &str =
    "COFF # c\n5 2 0\n0 0 0 1 1 1\n4 0 0\n4 4 0\n2 1 0\n0 4 0\n5 0 1 2 3 4 255 0 0\n2 0 1\n";
const RICH_PLY: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n\
    property double z\nproperty uchar red\nelement tristrips 1\nproperty list int int vertex_indices\nelement face 1\n\
    property list uchar int vertex_index\nend_header\n0 0 0 1 1 0 0 1 1 1 0 1 0 1 0 1\n5 0 1 2 3 -1\n4 0 1 2 3\n";
const RICH_VRML: &str = "#VRML V2.0 utf8\nWorldInfo { info [ \"a\" \"b \\\" c\" ] } PROTO P [ field SFVec3f s 1 2 3 exposedField MFNode n [ ] ] {\n\
    Transform { scale IS s children [ Shape { geometry DEF G IndexedFaceSet { ccw FALSE coord Coordinate { point [ 0 0 0, 4 0 0,\n\
    4 4 0 2 1 0 0 4 0 ] } coordIndex [ 0 1 2 3 4 -1 2 1 0 -1 ] } } Group { children IS n } ] } }\nDEF A P { s 2 2 2 n Shape { geometry\n\
    Cone { bottomRadius 2 } } } Transform { translation 1 0 0 rotation 0 0 1 1.5 center 1 1 1 scaleOrientation 1 0 0 .5 children\n\
    [ USE A Shape { geometry Extrusion { crossSection [ 1 0 0 1 -1 0 1 0 ] spine [ 0 0 0 0 1 0 1 2 0 ] scale [ 1 1 2 2 ]\n\
    orientation [ 0 1 0 .1 ] } } Shape { geometry ElevationGrid { xDimension 2 zDimension 2 height [ 0 1 2 3 ] } }\n\
    Shape { geometry Sphere { } } Shape { geometry Cylinder { top FALSE } } Shape { geometry Box { } } LOD { level [ USE A ] } ] }\n\
    Switch { whichChoice 0 choice [ USE A ] } Script { field SFInt32 n 0x1F eventIn SFTime t url [ ] } ROUTE A.n TO B.m\n";
const RICH_COLLADA: &str = "<?xml version=\"1.0\"?><COLLADA xmlns=\"x\"><asset><contributor><authoring_tool>t</authoring_tool>\
    </contributor><unit meter=\".5\"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\"><mesh>\
    <source id=\"p\"><float_array id=\"a\" count=\"21\">0 0 0 4 0 0 4 4 0 2 1 0 0 4 0 3 2 0 2 2 0</float_array><technique_common>\
    <accessor source=\"#a\" count=\"7\" stride=\"3\"><param name=\"X\"/><param name=\"Y\"/><param name=\"Z\"/></accessor>\
    </technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\
    <polylist count=\"2\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"1\"/><input semantic=\"NORMAL\" source=\"#n\"/>\
    <vcount>3 5</vcount><p>0 0 0 1 0 2 0 0 0 1 0 2 0 3 0 4</p></polylist><triangles><input semantic=\"VERTEX\" source=\"#v\"/>\
    <p>0 1 2</p></triangles><tristrips><input semantic=\"VERTEX\" source=\"#v\"/><p>0 1 2 3</p></tristrips><polygons>\
    <input semantic=\"VERTEX\" source=\"#v\"/><ph><p>0 1 2 4</p><h>3 5 6</h></ph></polygons></mesh></geometry>\
    </library_geometries><library_controllers><controller id=\"c\"><skin source=\"#g\"><bind_shape_matrix>1 0 0 0 0 1 0 0 0 \
    0 1 0 0 0 0 1</bind_shape_matrix></skin></controller></library_controllers><library_nodes><node id=\"n\">\
    <instance_geometry url=\"#g\"/></node></library_nodes><library_visual_scenes><visual_scene id=\"s\"><node name=\"a\">\
    <translate>1 2 3</translate><rotate>1 1 0 30</rotate><scale>1 2 1</scale><skew>10 1 0 0 0 1 0</skew>\
    <instance_node url=\"#n\"/><node><instance_controller url=\"#c\"/></node></node></visual_scene></library_visual_scenes>\
    <scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";
const RICH_GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
    "nodes":[{"children":[1,2],"scale":[2,2,2]},{"mesh":0,"rotation":[0,0,1,0]},{"mesh":0,"scale":[1,-3,1]}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":5},{"attributes":{"POSITION":1},"indices":2}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
    {"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":2,"indices":{"bufferView":1,"byteOffset":1,
    "componentType":5121},"values":{"bufferView":0,"byteOffset":12}}},
    {"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}],
    "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":4}],
    "buffers":[{"byteLength":40,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAECAA=="}]}"#;

/// Small files that use as much of their format as possible.
fn seeds() -> Vec<(Format, Vec<u8>)> {
    let written = |format, ascii| (format, write_bytes(&assembly(), format, ascii, "x").unwrap().0);
    let mut seeds: Vec<_> =
        Format::WRITTEN.into_iter().flat_map(|f| [written(f, false), written(f, true)]).collect();
    let rich = [
        (Format::Obj, RICH_OBJ),
        (Format::Off, RICH_OFF),
        (Format::Ply, RICH_PLY),
        (Format::Gltf, RICH_GLTF),
        (Format::Vrml, RICH_VRML),
        (Format::Collada, RICH_COLLADA),
    ];
    seeds.extend(rich.map(|(format, text)| (format, text.as_bytes().to_vec())));
    let utf16: Vec<u8> = RICH_OBJ.encode_utf16().flat_map(u16::to_le_bytes).collect();
    seeds.push((Format::Obj, utf16));
    seeds
}

/// The smaller real files.
fn real_seeds() -> Vec<(Format, Vec<u8>)> {
    let Some(data) = data() else { return Vec::new() };
    let folders = ["messy", "formats", "cad", "pypi", "fcl", "vrml"].map(|f| data.join("meshes").join(f));
    let mut paths: Vec<_> = folders
        .iter()
        .flat_map(|f| std::fs::read_dir(f).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let seed =
        |path: &std::path::PathBuf| Some((Format::from_path(path).ok()?, std::fs::read(path).unwrap()));
    paths.iter().filter_map(seed).filter(|(_, bytes)| bytes.len() < 200_000).collect()
}

#[test]
fn the_seeds_are_sound() {
    for (format, bytes) in seeds() {
        read_bytes(&bytes, format, "x").unwrap();
    }
}

#[test]
fn every_prefix_is_read_or_refused() {
    for (format, bytes) in seeds() {
        for cut in 0..bytes.len() {
            // Reaching the next line is the test: whatever the result, it came without a panic.
            let _ = read_bytes(&bytes[..cut], format, "x");
        }
    }
}

/// Words that parsers trip over.
const WORDS: [&str; 16] = [
    "-1",
    "0",
    "4294967295",
    "18446744073709551616",
    "nan",
    "1e999",
    "1e91",
    "-0",
    "\\\n",
    "#",
    "\r",
    "\u{feff}",
    "null",
    "[]",
    "{",
    "3.5",
];

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let end = (at + 1 + random.below(16)).min(bytes.len());
    match random.below(8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let piece = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, piece);
        }
        3 => {
            let word = WORDS[random.below(WORDS.len())].bytes();
            bytes.splice(at..end, word);
        }
        4 => bytes[at..end].fill([0, 0xff, b' ', b'\n'][random.below(4)]),
        5 => {
            let digits: Vec<usize> =
                (at..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).take(20).collect();
            if let Some(&i) = digits.get(random.below(digits.len().max(1))) {
                bytes[i] = b'0' + random.below(10) as u8;
            }
        }
        _ => bytes[at] ^= 1 << random.below(8),
    }
}

#[test]
fn mutated_files_are_read_or_refused_in_time() {
    let seconds = std::env::var("SUDAR_STRESS_SECONDS").ok().and_then(|s| s.parse().ok());
    let (end, mut seeds) = (Instant::now() + Duration::from_secs(seconds.unwrap_or(3)), seeds());
    if seconds.is_some() {
        seeds.extend(real_seeds());
    }
    let mut random = Random::new(0x9e37);
    let (mut runs, mut sound) = (0u64, 0u64);
    while Instant::now() < end {
        let (format, bytes) = &seeds[random.below(seeds.len())];
        let mut bytes = bytes.clone();
        for _ in 0..=random.below(6) {
            if !bytes.is_empty() {
                mutate(&mut bytes, &mut random);
            }
        }
        check(&bytes, *format, &mut sound);
        runs += 1;
    }
    println!("{runs} files, {sound} of them read");
    assert!(runs > 100 && sound > 0);
}

/// What is read can be merged, and its numbers are those of the whole.
fn check(bytes: &[u8], format: Format, sound: &mut u64) {
    let start = Instant::now();
    let result =
        std::panic::catch_unwind(|| read_bytes(bytes, format, "x").map(|m| (m.triangles(), m.merged())));
    let Ok(result) = result else {
        let path = std::env::temp_dir().join(format!("sudar-panic.{}", format.ending()));
        std::fs::write(&path, bytes).unwrap();
        panic!("a reader panicked on {}", path.display());
    };
    match result {
        Ok((count, merged)) => {
            *sound += 1;
            assert!(merged.is_err() || merged.is_ok_and(|m| m.triangles().len() as u64 == count));
        }
        Err(error) => assert!(!error.to_string().contains(char::is_control), "{error}"),
    }
    assert!(start.elapsed() < PATIENCE, "{format:?} took {:?}", start.elapsed());
}

/// A grid with heights that have all their digits: about 10 MB of OBJ.
fn ten_megabytes() -> Vec<u8> {
    let n = 340u32;
    let point = |i: u32| {
        let (x, y) = (f64::from(i % n) / 3.0, f64::from(i / n) / 7.0);
        DVec3::new(x, y, (x * y).sqrt())
    };
    let cell = |i: u32| [[i, i + 1, i + n + 1], [i, i + n + 1, i + n]];
    let triangles = (0..n * (n - 1)).filter(|i| i % n != n - 1).flat_map(cell).collect();
    let mesh = Mesh::new((0..n * n).map(point).collect(), triangles).unwrap();
    write_bytes(&Model::from_mesh("grid", mesh), Format::Obj, false, "x").unwrap().0
}

#[test]
fn ten_megabytes_of_text_do_not_take_long() {
    let bytes = ten_megabytes();
    assert!(bytes.len() > 9_000_000, "{}", bytes.len());
    let start = Instant::now();
    read_bytes(&bytes, Format::Obj, "x").unwrap();
    println!("{} bytes in {:?}", bytes.len(), start.elapsed());
    // A tenth of that on an idle machine; tests share theirs.
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

proptest! {
    #[test]
    fn random_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400), head in 0..6usize) {
        let magic = ["", "solid", "ply\nformat ascii 1.0\n", "OFF\n", "glTF\u{2}\0\0\0", "v 0 0 0\nf "][head];
        let bytes = [magic.as_bytes(), &bytes].concat();
        for format in Format::ALL {
            let _ = read_bytes(&bytes, format, "x");
        }
    }
}
