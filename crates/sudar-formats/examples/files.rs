//! Reading and writing: an OBJ file of named parts becomes a GLB file, which is read back and weighed.
//!
//! `cargo run --release -p sudar-formats --example files`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use std::sync::Arc;

use sudar::Solid;
use sudar::mass::mass_properties;
use sudar_formats::{Format, WriteOptions, read, read_bytes, write};

/// A block of 1 × 2 × 3 and, beside it, a tetrahedron with legs of 1.
const OBJ: &[u8] = b"
v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3
v 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1
o block\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8
o corner\nf 9 11 10\nf 9 10 12\nf 9 12 11\nf 10 11 12
";

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = read_bytes(OBJ, Format::Obj, "parts.obj")?;
    assert_eq!((model.parts.len(), model.triangles()), (2, 12 + 4));

    // The ending tells the format. The file appears under its name when it is whole.
    let path = std::env::temp_dir().join(format!("sudar-example-{}.glb", std::process::id()));
    write(&path, &model, WriteOptions::default())?;
    let model = read(&path);
    std::fs::remove_file(&path)?;
    let model = model?;
    // 1·2·3, and a sixth of the cube that the corner is cut from.
    for (part, expected) in model.parts.iter().zip([6.0, 1.0 / 6.0]) {
        // A closed mesh is a solid, which has an inside and a volume.
        let found = mass_properties(&Solid::new(Arc::clone(model.mesh_of(part)?))?.into())?;
        println!("{}: volume {:.6}, centre of mass {:.6}", part.name, found.mass, found.center);
        assert!((found.mass - expected).abs() < 1e-12);
    }
    Ok(())
}
