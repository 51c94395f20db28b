//! Files that are dropped.

use std::path::Path;

use sudar::{DVec3, Mesh, MeshError};
use sudar_formats::read_named;

use super::model::Model;
use crate::demo::DemoError;

/// More triangles than this are too slow to play with.
const MOST: usize = 300_000;

/// What a dropped file is.
#[derive(Debug)]
pub enum Dropped {
    /// A mesh.
    Model(Box<Model>),
    /// Queries, of which this is the first line.
    Line(String),
}

/// Reads a file from its bytes: the first line of queries, or all parts of a model as one mesh.
///
/// # Errors
/// [`DemoError`], one line that says what is wrong with the file.
pub fn read(name: &str, bytes: &[u8]) -> Result<Dropped, DemoError> {
    if name.to_ascii_lowercase().ends_with(".jsonl") {
        let text = std::str::from_utf8(bytes).map_err(|error| DemoError(format!("{name}: {error}")))?;
        let line = text.lines().find(|line| !line.trim().is_empty());
        return line
            .map(|line| Dropped::Line(line.to_owned()))
            .ok_or_else(|| DemoError(format!("{name}: there is no line in it")));
    }
    let model = read_named(bytes, name).map_err(DemoError::of)?;
    let mesh = model.merged().map_err(|cause| DemoError(format!("{name}: {cause}")))?;
    let count = mesh.triangles().len();
    if count > MOST {
        return Err(DemoError(format!("{name}: {count} triangles are too many here; at most {MOST}")));
    }
    let mesh = handy(mesh).map_err(|error| DemoError(format!("{name}: {error}")))?;
    let short = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    Ok(Dropped::Model(Box::new(Model::of_mesh(&short, mesh))))
}

/// Scaled by a power of ten to some metres, and brought to the origin if it is far from there: sliders and the camera
/// are made for that.
fn handy(mesh: Mesh) -> Result<Mesh, MeshError> {
    let size = 0.5 * mesh.aabb().extent().max_element();
    let scale = if size > 0.0 { libm::pow(10.0, -libm::floor(libm::log10(size / 0.4))) } else { 1.0 };
    let middle = mesh.aabb().center();
    let shift = if middle.length() * scale > 8.0 { middle } else { DVec3::ZERO };
    if scale == 1.0 && shift == DVec3::ZERO { Ok(mesh) } else { mesh.mapped(|p| (p - shift) * scale) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_any_size_become_handy() {
        for (scale, shift) in [(1.0, 0.0), (1000.0, 0.0), (1e-4, 7.0), (50.0, 1e6)] {
            let cube = Mesh::from_aabb(sudar::Aabb { min: DVec3::splat(-0.5), max: DVec3::splat(0.5) });
            let there = cube.mapped(|p| (p + DVec3::X * shift) * scale).unwrap();
            let made = handy(there).unwrap();
            let half = 0.5 * made.aabb().extent().max_element();
            assert!((0.39..4.0).contains(&half), "{scale} {half}");
            assert!(made.aabb().center().length() < 9.0);
        }
    }

    fn refused(name: &str, bytes: &[u8]) -> String {
        let error = read(name, bytes).unwrap_err().0;
        assert!(!error.contains('\n') && error.starts_with(name), "{error}");
        error
    }

    #[test]
    fn a_mesh_and_a_line_are_read() {
        let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
        let Dropped::Model(model) = read("a/tetra.obj", text).unwrap() else { panic!("no model") };
        assert_eq!((model.name.as_str(), model.mesh.as_ref().unwrap().triangles().len()), ("tetra", 4));
        let Dropped::Line(line) = read("q.jsonl", b"\n{\"query\":1}\nx\n").unwrap() else {
            panic!("no line")
        };
        assert_eq!(line, "{\"query\":1}");
    }

    #[test]
    fn what_is_wrong_is_said_in_one_line() {
        refused("x.obj", b"v 0 0\nf 1 2 3\n");
        refused("x.stl", b"");
        refused("x.step", b"ISO-10303-21;");
        refused("x.jsonl", b"\n\n");
        refused("x.jsonl", b"\xff\xfe");
        refused("empty.obj", b"v 0 0 0\n");
    }
}
