//! Scene stores that are forged: bytes are changed, and their checksums made right again, by the description of the
//! format in docs/scale.md and not by the code that writes it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The files of a store by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// All files of a folder.
pub fn read(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// Writes them to a folder, which is emptied before.
pub fn write(files: &Files, folder: &Path) {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).unwrap();
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

/// The first 16 bytes of BLAKE3.
fn digest(pieces: &[&[u8]]) -> [u8; 16] {
    let mut sum = blake3::Hasher::new();
    for piece in pieces {
        sum.update(piece);
    }
    sum.finalize().as_bytes()[..16].try_into().unwrap()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?)).ok()
}

const STEMS: [&str; 7] = ["meshes", "places", "parts", "properties", "strings", "about", "geometry"];

/// The names in the list of files of a head, with the place of each entry.
fn listed(head: &[u8]) -> Vec<(usize, usize, String)> {
    let count = u32_at(head, 12).unwrap_or(0).min(1000);
    let entry = |i: usize| {
        let at = 88 + 32 * i;
        let (kind, number) = (u32_at(head, at)?, u32_at(head, at + 4)?);
        let stem = STEMS.get(kind.checked_sub(1)?)?;
        let ending = if *stem == "about" { "json" } else { "bin" };
        Some((at, kind, format!("{stem}-{number:06}.{ending}")))
    };
    (0..count).filter_map(entry).collect()
}

/// Makes lengths and checksums fit, as far as the files still make sense.
pub fn seal(files: &mut Files) {
    seal_meshes(files);
    let Some(mut head) = files.get("head.bin").cloned().filter(|head| head.len() >= 104) else { return };
    let mut sums = [[0; 16]; 7];
    for (at, kind, name) in listed(&head) {
        let Some(bytes) = files.get(&name).filter(|_| at + 32 <= head.len() - 16) else { continue };
        head[at + 8..at + 16].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        if kind < 7 {
            sums[kind - 1] = digest(&[bytes]);
            head[at + 16..at + 32].copy_from_slice(&sums[kind - 1]);
        }
    }
    // Meshes, parts, properties, strings, about; places are not part of the contents.
    let contents = [0, 2, 3, 4, 5].map(|kind: usize| sums[kind]).concat();
    let fingerprint = digest(&[&head[..12], &head[40..88], &contents]);
    head[24..40].copy_from_slice(&fingerprint);
    let end = head.len() - 16;
    let sum = digest(&[&head[..end]]);
    head[end..].copy_from_slice(&sum);
    files.insert("head.bin".to_owned(), head);
}

/// Makes the checksums of meshes fit their arrays.
fn seal_meshes(files: &mut Files) {
    let Some(head) = files.get("head.bin") else { return };
    let listed = listed(head);
    let named =
        |kind: usize| listed.iter().filter(move |(_, k, _)| *k == kind).map(|(_, _, name)| name.clone());
    let segments: Vec<String> = named(7).collect();
    let (Some(table), Some(places)) = (named(1).next(), named(2).next()) else { return };
    let (Some(mut meshes), Some(places)) = (files.get(&table).cloned(), files.get(&places).cloned()) else {
        return;
    };
    for (record, place) in meshes.chunks_exact_mut(160).zip(places.chunks_exact(16)) {
        let _ = seal_mesh(record, place, &segments, files);
    }
    files.insert(table, meshes);
}

fn seal_mesh(record: &mut [u8], place: &[u8], segments: &[String], files: &Files) -> Option<()> {
    let segment = files.get(segments.get(u32_at(place, 0)?)?)?;
    let [vertices, triangles, layout, flags] = [32, 36, 40, 44].map(|at| u32_at(record, at).unwrap());
    let start = u64_at(place, 8)?;
    let ends = [
        24 * vertices,
        12 * triangles,
        4 * triangles + layout + if flags & 2 != 0 { 4 * vertices } else { 0 },
    ];
    let first = start.checked_add(ends[0])?;
    let second = first + ends[1];
    let [a, b, c] =
        [segment.get(start..first)?, segment.get(first..second)?, segment.get(second..second + ends[2])?];
    let lengths = [(a.len() as u64).to_le_bytes(), (b.len() as u64).to_le_bytes()].concat();
    record[..16].copy_from_slice(&digest(&[&lengths, a, b]));
    record[16..32].copy_from_slice(&digest(&[c]));
    Some(())
}
