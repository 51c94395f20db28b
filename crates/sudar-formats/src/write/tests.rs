//! What is written reads back.

use std::sync::Arc;

use proptest::prelude::*;
use sudar::{Aabb, DQuat, DVec3, Pose};

use super::*;
use crate::{read, read_bytes};

/// A mesh whose numbers have all their digits, some very small or large.
fn awkward() -> Mesh {
    let numbers = [0.1, -1.0 / 3.0, 1e-17, 6.02e23, -0.0, 7.0, 1e-30, 123_456_789.123_456_78, 5e20];
    let vertices =
        (0..9).map(|i| DVec3::new(numbers[i], numbers[(i + 1) % 9], numbers[(i + 4) % 9])).collect();
    let triangles = (0..7).map(|i| [i, i + 1, i + 2]).collect();
    Mesh::new(vertices, triangles).unwrap()
}

fn cube() -> Arc<Mesh> {
    Arc::new(Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::ONE }))
}

/// Two instances of a cube, one turned, and another mesh.
fn assembly() -> Model {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let turned = Pose::new(DVec3::new(1.0, 2.0, 3.0), DQuat::from_xyzw(0.0, half, 0.0, half)).unwrap();
    let moved = Pose::from_translation(DVec3::new(0.5, 0.0, 0.0)).unwrap();
    let (cube, other) = (cube(), Arc::new(awkward()));
    Model::assembled([
        ("a \"b\" \\".to_owned(), Arc::clone(&cube), turned),
        ("c".to_owned(), other, Pose::IDENTITY),
        ("a".to_owned(), cube, moved),
    ])
}

fn back(model: &Model, format: Format, ascii: bool) -> (Model, Vec<Note>) {
    let (bytes, notes) = write_bytes(model, format, ascii, "x").unwrap();
    (read_bytes(&bytes, format, "x").unwrap(), notes)
}

fn corners(mesh: &Mesh) -> Vec<[DVec3; 3]> {
    (0..mesh.triangles().len() as u32).map(|i| mesh.triangle(i).corners()).collect()
}

#[test]
fn text_and_wide_binary_formats_lose_no_bit() {
    let model = Model::from_mesh("x", awkward());
    for (format, ascii) in
        [(Format::Obj, false), (Format::Off, false), (Format::Ply, false), (Format::Ply, true)]
    {
        let (again, notes) = back(&model, format, ascii);
        assert_eq!(*again.meshes[0], awkward(), "{format:?}");
        assert!(notes.is_empty() && again.notes.is_empty(), "{format:?}");
    }
    let (again, notes) = back(&model, Format::Stl, true);
    assert_eq!(corners(&again.meshes[0]), corners(&awkward()));
    assert!(notes.is_empty());
}

#[test]
fn narrow_formats_round_to_32_bits_and_say_so() {
    let model = Model::from_mesh("x", awkward());
    let rounded = awkward().mapped(|p| p.as_vec3().as_dvec3()).unwrap();
    for format in [Format::Stl, Format::Gltf, Format::Glb] {
        let (again, notes) = back(&model, format, false);
        assert_eq!(corners(&again.meshes[0]), corners(&rounded), "{format:?}");
        assert_eq!(notes[0].kind, NoteKind::Rounded);
        let exact = Model::from_mesh("x", Mesh::clone(&cube()));
        let (again, notes) = back(&exact, format, false);
        assert_eq!(corners(&again.meshes[0]), corners(&cube()), "{format:?}");
        assert!(notes.is_empty());
    }
    let far = Model::from_mesh("x", cube().mapped(|p| p * 1e40).unwrap());
    let refusal = write_bytes(&far, Format::Stl, false, "x").unwrap_err();
    assert_eq!(refusal.cause, Cause::BeyondF32(-1e40));
}

#[test]
fn gltf_keeps_names_poses_and_shared_meshes() {
    for format in [Format::Gltf, Format::Glb] {
        let (again, _) = back(&assembly(), format, false);
        assert_eq!(again.meshes.len(), 2, "{format:?}");
        for (part, was) in again.parts.iter().zip(&assembly().parts) {
            assert_eq!((&part.name, part.mesh), (&was.name, was.mesh));
            assert!((part.pose.translation() - was.pose.translation()).length() < 1e-6);
            assert!((part.pose.apply(DVec3::ONE) - was.pose.apply(DVec3::ONE)).length() < 1e-6);
        }
    }
}

#[test]
fn obj_and_text_stl_keep_names_and_pose_the_vertices() {
    for (format, ascii) in [(Format::Obj, false), (Format::Stl, true)] {
        let (again, _) = back(&assembly(), format, ascii);
        // A backslash at the end would continue the line.
        let names: Vec<&str> = again.parts.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["a \"b\" \\_", "c", "a"]);
        assert_eq!(corners(&again.merged().unwrap()), corners(&assembly().merged().unwrap()), "{format:?}");
    }
}

#[test]
fn formats_without_parts_merge_them_and_say_so() {
    let whole = corners(&assembly().merged().unwrap());
    for format in [Format::Ply, Format::Off] {
        let (again, notes) = back(&assembly(), format, false);
        assert_eq!(corners(&again.meshes[0]), whole);
        assert_eq!((notes[0].kind, notes[0].count), (NoteKind::MergedPart, 3));
    }
}

#[test]
fn files_are_written_whole_compressed_and_over_old_ones() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.obj", "a.stl.gz", "a.ply.gz", "a.off", "a.gltf", "a.glb.GZ", "a.obj.gz"] {
        let path = folder.path().join(name);
        std::fs::write(&path, b"old").unwrap();
        write(&path, &assembly(), WriteOptions::default()).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes.starts_with(&[0x1f, 0x8b]), name.to_lowercase().ends_with("gz"), "{name}");
        assert_eq!(read(&path).unwrap().triangles(), assembly().triangles(), "{name}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 7, "no file is left beside them");
}

#[test]
fn what_cannot_be_written_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let model = assembly();
    let cause =
        |name: &str| write(&folder.path().join(name), &model, WriteOptions::default()).unwrap_err().cause;
    assert!(matches!(cause("a.step"), Cause::Unwritten { what: "STEP" }));
    assert_eq!(cause("a.xyz"), Cause::UnknownFormat);
    assert!(matches!(cause("none/a.obj"), Cause::NoFolder(folder) if folder.ends_with("none")));
    let empty = write(&folder.path().join("b.obj"), &Model::default(), WriteOptions::default());
    assert!(matches!(empty.unwrap_err().cause, Cause::NoTriangles { .. }));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_new_file_may_be_read_by_others_as_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
    let (usual, ours) = (folder.path().join("usual"), folder.path().join("a.obj"));
    std::fs::write(&usual, b"").unwrap();
    write(&ours, &assembly(), WriteOptions::default()).unwrap();
    assert_eq!(mode(&ours), mode(&usual));
}

proptest! {
    #[test]
    fn any_number_survives_text(bits in prop::collection::vec(any::<u64>(), 9)) {
        let number = |&b: &u64| Some(f64::from_bits(b)).filter(|x| x.abs() < 1e90).unwrap_or(1.0);
        let x: Vec<f64> = bits.iter().map(number).collect();
        let vertices = x.chunks(3).map(DVec3::from_slice).chain([DVec3::ONE]).collect();
        let mesh = Mesh::new(vertices, vec![[0, 1, 2]]).unwrap();
        let model = Model::from_mesh("x", mesh.clone());
        for (format, ascii) in [(Format::Obj, false), (Format::Off, false), (Format::Ply, true), (Format::Ply, false)] {
            prop_assert_eq!(&*back(&model, format, ascii).0.meshes[0], &mesh);
        }
    }
}
