//! Stores that are cut, damaged or forged: an error of one line, or an answer that is right for what is there.
#![allow(clippy::unwrap_used, clippy::panic, reason = "all of this is test code")]

use std::path::Path;
use std::sync::{Arc, OnceLock};

use proptest::prelude::*;
use sudar::query::{self, DistanceOptions};
use sudar::{Aabb, DVec3, Mesh, Pose};
use sudar_formats::{Level, LostElement};
use sudar_store::{Cause, NewPart, Packer, Store, StoreError};
use sudar_testing::meshes::torus;
use sudar_testing::stores::{self, Files};

/// A small store with something in every file.
fn whole() -> Files {
    static WHOLE: OnceLock<Files> = OnceLock::new();
    WHOLE.get_or_init(packed).clone()
}

fn packed() -> Files {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sudar");
    let mut packer = Packer::create(&path, Some(1.0)).unwrap();
    let file = packer.add_file("a.ifc");
    let cube = Mesh::from_aabb(Aabb { min: DVec3::NEG_ONE, max: DVec3::ONE });
    let soup: Vec<DVec3> = (0..12).flat_map(|i| cube.triangle(i).corners()).collect();
    let triangles: Vec<[u32; 3]> = (0..12).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let open = Mesh::new(soup.clone(), triangles[1..].to_vec()).unwrap();
    let meshes = [cube, Mesh::new(soup, triangles).unwrap(), open, torus(6, 8, 0.3)].map(Arc::new);
    for (i, mesh) in packer.add_meshes(&meshes).unwrap().into_iter().enumerate() {
        let pose = Pose::from_translation(DVec3::X * i as f64).unwrap();
        let properties = [("storey".to_owned(), format!("level {i}"))];
        let name = &format!("part {i}");
        packer
            .add_part(&NewPart {
                name,
                mesh,
                pose,
                properties: &properties,
                deviation: 0.0,
                file,
                weld: None,
            })
            .unwrap();
    }
    packer.add_level(Level { name: "ground".to_owned(), elevation: 0.5 });
    packer.add_lost(
        file,
        LostElement { name: "x".to_owned(), error: "y".to_owned(), ..LostElement::default() },
    );
    packer.finish().unwrap();
    stores::read(&path)
}

/// Reads all that a store has, and compares what its trees and closed meshes say with the meshes alone.
fn read_all(path: &Path) -> Result<usize, StoreError> {
    let store = Store::open(path)?;
    let (about, parts) = (store.about()?, store.parts()?);
    let names: usize = parts.iter().map(|part| part.name.len()).sum();
    let properties: usize = (0..parts.len()).map(|i| parts.properties(i).count()).sum();
    let other = query::Body::new(Mesh::from_aabb(Aabb { min: DVec3::splat(2.5), max: DVec3::splat(3.0) }));
    for number in 0..store.meshes()?.len() {
        let (mesh, body) = (store.mesh(number)?, store.body(number)?);
        assert!(body.solid().is_none() || mesh.topology().is_closed());
        let ask = |body: &query::Body| {
            let (at, there) = (body.at(&Pose::IDENTITY), other.at(&Pose::IDENTITY));
            query::distance(at, there, &DistanceOptions::EXACT).interval
        };
        let fresh = match sudar::Solid::new(mesh.clone()) {
            Ok(solid) if body.solid().is_some() => query::Body::new(solid),
            Ok(_) | Err(_) => query::Body::new(sudar::Shape::Mesh(mesh)),
        };
        let (stored, fresh) = (ask(&body), ask(&fresh));
        assert!(stored.lower <= fresh.upper && fresh.lower <= stored.upper, "{stored:?} {fresh:?}");
    }
    store.model()?;
    Ok(names + properties + about.levels.len())
}

/// The same store, its files changed.
fn result_of(files: &Files) -> Result<usize, StoreError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sudar");
    stores::write(files, &path);
    let found = read_all(&path);
    if let Err(error) = &found {
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
    found
}

#[test]
fn the_description_of_the_format_seals_what_the_packer_wrote() {
    let files = whole();
    let mut sealed = files.clone();
    stores::seal(&mut sealed);
    assert!(sealed == files);
    assert!(result_of(&files).is_ok());
}

#[test]
fn every_file_that_is_cut_or_missing_is_named() {
    let files = whole();
    for name in files.keys() {
        let mut cut = files.clone();
        cut.get_mut(name).unwrap().pop();
        let error = result_of(&cut).unwrap_err();
        let is_named = error.to_string().contains(name.as_str());
        assert!(is_named, "{error}");
        cut.remove(name);
        let error = result_of(&cut).unwrap_err();
        assert!(error.to_string().contains(name.as_str()), "{error}");
    }
    let mut text = files;
    text.insert("head.bin".to_owned(), b"[package]\nname = 'x'\n".to_vec());
    assert!(matches!(result_of(&text).unwrap_err().cause, Cause::NotAStore(_)));
}

#[test]
fn every_byte_that_changes_is_noticed() {
    let files = whole();
    let mut unnoticed = 0;
    for (name, bytes) in &files {
        let step = if name.starts_with("geometry") { 7 } else { 3 };
        for at in (0..bytes.len()).step_by(step) {
            let mut damaged = files.clone();
            damaged.get_mut(name).unwrap()[at] ^= 0x10;
            // Between the arrays of meshes lie zeros that nobody reads.
            unnoticed += usize::from(result_of(&damaged).is_ok());
        }
    }
    let padding: usize = 4 * 64;
    assert!(unnoticed <= padding / 7, "{unnoticed}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn no_forged_store_panics_or_lies(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in prop::option::of((any::<prop::sample::Index>(), any::<prop::sample::Index>())),
        is_sealed in any::<bool>(),
    ) {
        let mut files = whole();
        let names: Vec<String> = files.keys().cloned().collect();
        if let Some((file, length)) = cut {
            let bytes = files.get_mut(file.get(&names)).unwrap();
            bytes.truncate(length.index(bytes.len().max(1)));
        }
        for (file, at, byte) in edits {
            let bytes = files.get_mut(file.get(&names)).unwrap();
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        if is_sealed {
            stores::seal(&mut files);
        }
        let _ = result_of(&files);
    }
}
