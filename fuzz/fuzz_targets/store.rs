//! Stores with changed bytes, with right checksums or wrong ones: `cargo +nightly fuzz run store`.
//!
//! The input is a list of edits of four bytes each: which file, where in it (two bytes), and the new byte. Its first
//! byte says whether the checksums are made right again.
#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use sudar::query::{DistanceOptions, distance};
use sudar::{Aabb, DVec3, Mesh, Pose};
use sudar_store::{NewPart, Packer, Store, StoreError};
use sudar_testing::meshes::torus;
use sudar_testing::stores::{self, Files};

/// A small store with something in every file.
fn whole() -> &'static Files {
    static WHOLE: OnceLock<Files> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let path = std::env::temp_dir().join(format!("sudar-fuzz-{}.sudar", std::process::id()));
        let mut packer = Packer::create(&path, Some(1.0)).unwrap();
        let file = packer.add_file("a.ifc");
        let cube = Mesh::from_aabb(Aabb { min: DVec3::NEG_ONE, max: DVec3::ONE });
        let meshes = packer.add_meshes(&[cube, torus(6, 8, 0.3)].map(Arc::new)).unwrap();
        for mesh in meshes {
            let properties = [("storey".to_owned(), "ground".to_owned())];
            let part = NewPart {
                name: "part",
                mesh,
                pose: Pose::IDENTITY,
                properties: &properties,
                deviation: 0.0,
                file,
                weld: None,
            };
            packer.add_part(&part).unwrap();
        }
        packer.finish().unwrap();
        let files = stores::read(&path);
        std::fs::remove_dir_all(&path).unwrap();
        files
    })
}

fn read_all(path: &std::path::Path) -> Result<(), StoreError> {
    let store = Store::open(path)?;
    let parts = store.parts()?;
    for number in 0..store.meshes()?.len() {
        let body = store.body(number)?;
        let _ = distance(body.at(&Pose::IDENTITY), body.at(&Pose::IDENTITY), &DistanceOptions::EXACT);
    }
    for number in 0..parts.len() {
        parts.properties(number).for_each(drop);
    }
    store.model().map(drop)
}

fuzz_target!(|input: &[u8]| {
    let Some((first, edits)) = input.split_first() else { return };
    let mut files = whole().clone();
    let names: Vec<String> = files.keys().cloned().collect();
    for edit in edits.chunks_exact(4) {
        let bytes = files.get_mut(&names[usize::from(edit[0]) % names.len()]).unwrap();
        let at = usize::from(edit[1]) << 8 | usize::from(edit[2]);
        match bytes.len() {
            0 => {}
            length if edit[0] >= 240 => bytes.truncate(at % length),
            length => bytes[at % length] = edit[3],
        }
    }
    if first % 2 == 0 {
        stores::seal(&mut files);
    }
    let path = std::env::temp_dir().join(format!("sudar-fuzzed-{}.sudar", std::process::id()));
    stores::write(&files, &path);
    let _ = read_all(&path);
    std::fs::remove_dir_all(&path).unwrap();
});
