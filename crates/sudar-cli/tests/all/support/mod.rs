//! Runs the `sudar` binary on files made for the purpose.
#![allow(dead_code, reason = "each test crate uses a part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "all of this is test code")]

pub mod browser;
pub mod many_clashes;
pub mod queries;

use std::path::{Path, PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

/// The surface of the cube [−1, 1]³ as an OBJ file: quads, so that triangles 2k and 2k+1 lie on the k-th of the
/// faces −x +x −y +y −z +z.
pub const CUBE: &str = "\
o cube
v -1 -1 -1
v 1 -1 -1
v -1 1 -1
v 1 1 -1
v -1 -1 1
v 1 -1 1
v -1 1 1
v 1 1 1
f 1 5 7 3
f 2 4 8 6
f 1 2 6 5
f 3 7 8 4
f 1 3 4 2
f 5 6 8 7
";

/// What a run of the command left behind.
pub struct Run {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Standard output as one JSON document and nothing else.
    pub fn json(&self) -> Value {
        assert!(self.out.ends_with('\n') && self.out.trim_end().lines().count() == 1, "{}", self.out);
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}{}", self.out, self.err))
    }

    /// Standard output, one JSON document a line.
    pub fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The one line of an error with exit status 2.
    pub fn error(&self) -> &str {
        assert_eq!(self.status, 2, "{}{}", self.out, self.err);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        self.err.trim_end().strip_prefix("sudar: ").unwrap()
    }
}

/// A folder of files, and `sudar` run in it.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with `cube.obj`.
    pub fn with_cube() -> Self {
        let folder = Self::new();
        folder.write("cube.obj", CUBE);
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.join(name), text).unwrap();
    }

    pub fn sudar(&self, args: &[&str]) -> Run {
        let output = cargo_bin_cmd!("sudar").args(args).current_dir(self.path()).output().unwrap();
        Run {
            status: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Answers of `replay` to these lines.
    pub fn replay(&self, lines: &[String], more: &[&str]) -> Run {
        self.write("queries.jsonl", lines.join("\n"));
        self.sudar(&[&["replay", "queries.jsonl"], more].concat())
    }
}

/// A box as the lines of an OBJ object, its vertices numbered from `first`.
pub fn obj_box(name: &str, min: [f64; 3], max: [f64; 3], first: usize) -> String {
    let mut text = format!("o {name}\n");
    for corner in 0..8 {
        let pick = |axis: usize| if corner >> axis & 1 == 1 { max[axis] } else { min[axis] };
        text += &format!("v {} {} {}\n", pick(0), pick(1), pick(2));
    }
    for face in [[1, 5, 7, 3], [2, 4, 8, 6], [1, 2, 6, 5], [3, 7, 8, 4], [1, 3, 4, 2], [5, 6, 8, 7]] {
        let [a, b, c, d] = face.map(|i: usize| i + first - 1);
        text += &format!("f {a} {b} {c} {d}\n");
    }
    text
}

/// Boxes as the parts of one OBJ file.
pub fn obj_boxes(boxes: &[(&str, [f64; 3], [f64; 3])]) -> String {
    boxes.iter().enumerate().map(|(i, (name, min, max))| obj_box(name, *min, *max, 8 * i + 1)).collect()
}

/// `row.obj`: three boxes in a row, each overlapping the next by a quarter; the last `far` away from its place.
pub fn write_row(folder: &Folder, far: f64) {
    let cube = |x: f64| ([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
    let named = [("a", cube(0.0)), ("b", cube(0.75)), ("c", cube(1.5 + far))];
    folder.write("row.obj", obj_boxes(&named.map(|(name, (min, max))| (name, min, max))));
}
