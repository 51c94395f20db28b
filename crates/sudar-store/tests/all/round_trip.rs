//! What is packed comes back to the last bit.
#![allow(clippy::unwrap_used, reason = "all of this is test code")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use sudar::query::{Body, DistanceOptions, distance};
use sudar::{Aabb, DQuat, DVec3, Mesh, Pose, Shape, Solid, WeldReport};
use sudar_store::{Cause, NewPart, Packed, Packer, Store};
use sudar_testing::{hard_meshes, meshes::torus};

/// A box, open or closed, as STL stores it: three corners of its own for each triangle.
fn soup(size: f64, triangles: usize) -> Arc<Mesh> {
    let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::splat(size) });
    let vertices = (0..triangles as u32).flat_map(|i| cube.triangle(i).corners()).collect();
    let corners = (0..triangles as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Arc::new(Mesh::new(vertices, corners).unwrap())
}

fn cube(size: f64) -> Arc<Mesh> {
    Arc::new(Mesh::from_aabb(Aabb { min: DVec3::NEG_ONE, max: DVec3::splat(size) }))
}

fn pose(i: usize) -> Pose {
    // Without sines, which differ by platform.
    let turn =
        [DQuat::IDENTITY, DQuat::from_xyzw(0.6, 0.0, 0.0, 0.8), DQuat::from_xyzw(0.0, 0.28, -0.96, 0.0)]
            [i % 3];
    Pose::new(DVec3::new(i as f64 / 3.0, -0.0, 1e9), turn).unwrap()
}

/// Packs meshes, each once, as parts of one file.
fn pack(mut packer: Packer, meshes: &[Arc<Mesh>]) -> Packed {
    let file = packer.add_file("all.obj");
    let numbers = packer.add_meshes(meshes).unwrap();
    for (i, mesh) in numbers.into_iter().enumerate() {
        let properties = [("class".to_owned(), "bolt".to_owned()), ("number".to_owned(), i.to_string())];
        let weld =
            (i % 2 == 1).then_some(WeldReport { tolerance: 0.1, moved: i, farthest: 0.05, collapsed: 0 });
        let name = &format!("part {i} ö");
        let part =
            NewPart { name, mesh, pose: pose(i), properties: &properties, deviation: 0.25, file, weld };
        packer.add_part(&part).unwrap();
    }
    packer.finish().unwrap()
}

fn create(path: &Path) -> Packer {
    Packer::create(path, Some(0.001)).unwrap()
}

fn bits(mesh: &Mesh) -> (Vec<[u64; 3]>, &[[u32; 3]]) {
    (mesh.vertices().iter().map(|p| p.to_array().map(f64::to_bits)).collect(), mesh.triangles())
}

#[test]
fn meshes_and_bodies_come_back_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sudar");
    let minus_zero = Mesh::new(vec![DVec3::new(-0.0, 5e-324, 1.0), DVec3::X, DVec3::Y], vec![[0, 1, 2]]);
    let mut meshes = vec![cube(1.0), soup(2.0, 12), soup(2.0, 11), Arc::new(minus_zero.unwrap())];
    let hard = [
        hard_meshes::pipes(5, 8, DVec3::Z, 1),
        hard_meshes::needles(50, 1),
        hard_meshes::fan(20, 0.5, 1.0),
        hard_meshes::pile(30, 2),
        hard_meshes::repeated(5),
        hard_meshes::shells(3, 8, 1.0),
        torus(12, 20, 0.3),
    ];
    meshes.extend(hard.map(Arc::new));
    pack(create(&path), &meshes);
    let store = Store::open(&path).unwrap();
    assert_eq!(
        (store.mesh_count(), store.part_count(), store.unit()),
        (meshes.len(), meshes.len(), Some(0.001))
    );
    for (i, mesh) in meshes.iter().enumerate() {
        assert_eq!(bits(&store.mesh(i).unwrap()), bits(mesh));
        let (topology, record) = (mesh.topology(), store.meshes().unwrap()[i]);
        assert_eq!((record.faults, record.is_solid), (topology.faults, topology.is_closed()));
        assert_eq!(record.closes_at, topology.closing_tolerance(mesh).filter(|_| !record.is_solid));
        assert_eq!((record.aabb.min, record.aabb.max), (mesh.aabb().min, mesh.aabb().max));
        let fresh = match Solid::new(mesh.clone()) {
            Ok(solid) => Body::new(solid),
            Err(_) => Body::new(Shape::Mesh(mesh.clone())),
        };
        let stored = store.body(i).unwrap();
        assert_eq!(stored.tree().unwrap().layout(), fresh.tree().unwrap().layout());
        let pieces = |body: &Body| body.solid().map(|solid| (solid.pieces().to_vec(), solid.is_oriented()));
        assert_eq!(pieces(&stored), pieces(&fresh));
        let other = Body::new(Mesh::from_aabb(Aabb { min: DVec3::splat(7.0), max: DVec3::splat(8.0) }));
        let ask = |body: &Body| {
            distance(body.at(&pose(1)), other.at(&Pose::IDENTITY), &DistanceOptions::EXACT).interval
        };
        assert_eq!(ask(&stored), ask(&fresh));
    }
}

#[test]
fn parts_and_the_model_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sudar");
    let meshes = [cube(1.0), cube(2.0), cube(1.0)];
    let packed = pack(create(&path), &meshes);
    assert_eq!((packed.parts, packed.new_meshes, packed.triangles), (3, 2, 36));
    let store = Store::open(&path).unwrap();
    let parts = store.parts().unwrap();
    for (i, part) in parts.iter().enumerate() {
        assert_eq!((part.name, part.mesh), (&*format!("part {i} ö"), [0, 1, 0][i]));
        assert_eq!((part.pose, part.deviation, part.file), (pose(i), 0.25, 0));
        assert_eq!(part.weld.map(|weld| weld.moved), (i % 2 == 1).then_some(i));
        let properties: Vec<_> = parts.properties(i).collect();
        assert_eq!(properties, [("class", "bolt"), ("number", &*i.to_string())]);
    }
    assert!(parts.get(3).is_none() && parts.properties(3).next().is_none());
    let model = store.model().unwrap();
    assert_eq!((model.meshes.len(), model.parts.len(), model.unit), (2, 3, Some(0.001)));
    assert!(Arc::ptr_eq(&model.meshes[model.parts[0].mesh], &model.meshes[model.parts[2].mesh]));
    assert_eq!(store.mesh(2).unwrap_err().cause, Cause::NoSuch { what: "mesh", number: 2, count: 2 });
}

#[test]
fn an_update_keeps_meshes_and_gives_what_packing_anew_gives() {
    let folder = tempfile::tempdir().unwrap();
    let (updated, fresh) = (folder.path().join("updated.sudar"), folder.path().join("fresh.sudar"));
    pack(create(&updated), &[cube(1.0), cube(2.0), cube(3.0)]);
    let before = Store::open(&updated).unwrap();
    let meshes = [cube(4.0), cube(3.0), cube(1.0)];
    let again = pack(Packer::update(&updated, Some(0.001)).unwrap(), &meshes);
    let anew = pack(create(&fresh), &meshes);
    assert_eq!((again.new_meshes, again.kept_meshes, again.revision), (1, 2, 2));
    assert_eq!((anew.new_meshes, anew.kept_meshes, anew.unused_bytes), (3, 0, 0));
    assert_eq!(again.fingerprint, anew.fingerprint);
    assert_ne!(again.fingerprint, before.fingerprint());
    let store = Store::open(&updated).unwrap();
    for (i, mesh) in meshes.iter().enumerate() {
        assert_eq!(bits(&store.mesh(i).unwrap()), bits(mesh));
    }
    // Who has the old revision open goes on with it.
    assert_eq!(bits(&before.mesh(1).unwrap()), bits(&cube(2.0)));
    // Packed anew, nothing of the old geometry is left.
    let last = pack(create(&updated), &meshes);
    assert_eq!((last.new_meshes, last.revision, last.fingerprint), (3, 3, anew.fingerprint));
    assert_eq!(fs::read_dir(&updated).unwrap().count(), fs::read_dir(&fresh).unwrap().count() + 1);
}

#[test]
fn nothing_else_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.sudar");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("thesis.txt"), "x").unwrap();
    assert_eq!(Packer::create(&path, None).unwrap_err().cause, Cause::Occupied);
    let file = folder.path().join("run.sudar");
    fs::write(&file, "a recording").unwrap();
    assert_eq!(Packer::create(&file, None).unwrap_err().cause, Cause::Occupied);
    let path = folder.path().join("a.sudar");
    drop(Packer::create(&path, None).unwrap());
    assert!(!path.exists());
    pack(create(&path), &[cube(1.0)]);
    let one = Packer::update(&path, None).unwrap();
    assert_eq!(Packer::update(&path, None).unwrap_err().cause, Cause::Busy);
    drop(one);
    assert_eq!(Store::open(&path).unwrap().revision(), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn many_updates_do_not_leave_ever_more_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sudar");
    let meshes: Vec<Arc<Mesh>> = (1..70).map(|i| cube(f64::from(i))).collect();
    let mut rewritten = 0;
    for count in 1..=meshes.len() {
        let packed = pack(Packer::update(&path, Some(0.001)).unwrap(), &meshes[..count]);
        rewritten += usize::from(packed.kept_meshes == 0);
    }
    // The first, and the one that found more than 64 segments.
    assert_eq!(rewritten, 2);
    assert!(fs::read_dir(&path).unwrap().count() < 20);
    let store = Store::open(&path).unwrap();
    for (i, mesh) in meshes.iter().enumerate() {
        assert_eq!(bits(&store.mesh(i).unwrap()), bits(mesh));
    }
}

#[test]
fn a_store_has_the_same_bits_on_every_platform() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sudar");
    let packed = pack(create(&path), &[cube(1.0), soup(2.0, 12), soup(0.1, 11)]);
    // As the first platform wrote it. Another number is another format, which needs another version.
    assert_eq!(format!("{:032x}", packed.fingerprint), "abe293c3737eb2c2c6dcbded6df475d3");
}

#[test]
fn threads_read_one_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sudar");
    let meshes: Vec<Arc<Mesh>> = (1..9).map(|i| cube(f64::from(i))).collect();
    pack(create(&path), &meshes);
    let store = &Store::open(&path).unwrap();
    std::thread::scope(|scope| {
        let read = |i: usize, mesh: &Arc<Mesh>| {
            for _ in 0..50 {
                assert_eq!(bits(&store.mesh(i).unwrap()), bits(mesh));
                assert!(store.body(i).unwrap().solid().is_some());
            }
        };
        let threads: Vec<_> =
            meshes.iter().enumerate().map(|(i, mesh)| scope.spawn(move || read(i, mesh))).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}
