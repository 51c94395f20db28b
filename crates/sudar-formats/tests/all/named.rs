//! Bytes with a name give what the file of this name gives.

use sudar_formats::{Cause, Format, Model, read, read_bytes, read_named, write_bytes};

const OBJ: &[u8] = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\no plate\nf 1 2 3 4\nl 1 2\n";

/// What the file `name` with these bytes gives, read by its path.
fn of_file(bytes: &[u8], name: &str) -> Result<Model, Cause> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    read(&path).map_err(|e| e.cause)
}

fn of_bytes(bytes: &[u8], name: &str) -> Result<Model, Cause> {
    read_named(bytes, name).map_err(|e| e.cause)
}

fn refusal(bytes: &[u8], name: &str) -> String {
    let cause = of_bytes(bytes, name).unwrap_err();
    assert_eq!(cause, of_file(bytes, name).unwrap_err(), "{name}");
    cause.to_string()
}

#[test]
fn every_format_is_read_as_its_file() {
    let model = read_bytes(OBJ, Format::Obj, "plate.obj").unwrap();
    for format in Format::WRITTEN {
        for gz in [false, true] {
            let name = format!("plate.{}{}", format.ending(), if gz { ".gz" } else { "" });
            let (bytes, _) = write_bytes(&model, format, gz, &name).unwrap();
            let found = of_bytes(&bytes, &name).unwrap();
            assert_eq!(found.triangles(), 2, "{name}");
            let file = of_file(&bytes, &name).unwrap();
            assert_eq!(format!("{found:?}"), format!("{file:?}"), "{name}");
        }
    }
}

#[test]
fn names_without_ending_leave_it_to_the_first_bytes() {
    let model = read_bytes(OBJ, Format::Obj, "plate.obj").unwrap();
    for format in [Format::Ply, Format::Off, Format::Gltf, Format::Glb, Format::Vrml] {
        let (bytes, _) = write_bytes(&model, format, true, "plate").unwrap();
        assert_eq!(of_bytes(&bytes, "plate").unwrap().triangles(), 2, "{format:?}");
    }
}

#[test]
fn what_a_file_is_refused_for_the_bytes_are_too() {
    assert!(refusal(b"", "x.obj").starts_with("is empty"));
    assert!(refusal(OBJ, "x.step").starts_with("is STEP"));
    assert!(refusal(OBJ, "x").starts_with("is of no known format"));
    assert!(refusal(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "x.stl").starts_with("is no STL file but OBJ"));
    assert!(refusal(b"v 0 0 0\nf 1 2 3\n", "x.obj").starts_with("line 2: vertex 2 does not exist"));
    let error = read_named(b"", "folder/x.obj").unwrap_err();
    assert!(error.to_string().starts_with("folder/x.obj: is empty"));
}

#[test]
fn materials_are_left_aside_and_other_files_refused() {
    let with_materials = [b"mtllib none.mtl\nusemtl red\n", OBJ].concat();
    assert_eq!(of_bytes(&with_materials, "x.obj").unwrap().triangles(), 2);
    let inline = b"#VRML V2.0 utf8\nInline { url \"other.wrl\" }\n";
    let refusal = of_bytes(inline, "x.wrl").unwrap_err().to_string();
    assert!(refusal.contains("put everything into one file"), "{refusal}");
    let gltf = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"other.bin"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}]}"#;
    let refusal = of_bytes(gltf.as_bytes(), "x.gltf").unwrap_err();
    assert!(
        matches!(&refusal, Cause::Buffer { why, .. } if why.contains("put everything into one file")),
        "{refusal}"
    );
}
