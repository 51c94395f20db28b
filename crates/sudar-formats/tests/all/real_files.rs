//! Every file of the folder in `SUDAR_DATA` is read with the triangles it holds, or refused for the right reason.
//!
//! Expected numbers come from the statements in the files (faces and their corners, headers) and from
//! manifest.csv, which another library (trimesh) filled. Where that one differs the comment says why.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "tests may fail and tell")]

use std::collections::BTreeMap;
use std::path::Path;

use sudar_formats::{Cause, Model, NoteKind, Place, read};
use sudar_testing::oracle::data;

/// The column `tris` of the manifest by file, where the other library could read it.
fn manifest(data: &Path) -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(data.join("manifest.csv")).unwrap();
    let columns = |line: &str| {
        let mut columns = line.split(',').map(str::to_owned);
        (columns.next(), columns.nth(2).and_then(|tris| tris.parse().ok()))
    };
    text.lines().map(columns).filter_map(|(file, tris)| Some((file?, tris?))).collect()
}

/// What a file must give if not the triangles of the manifest.
enum Outcome {
    Triangles(u64),
    Refused(fn(&Cause) -> bool),
}

fn foreign(cause: &Cause) -> bool {
    matches!(cause, Cause::Foreign { .. })
}

fn no_triangles(cause: &Cause) -> bool {
    matches!(cause, Cause::NoTriangles { .. })
}

/// Files that do not simply have the triangles of the manifest.
fn exceptions() -> BTreeMap<&'static str, Outcome> {
    use Outcome::{Refused, Triangles};
    BTreeMap::from([
        // A sphere of 32 sides; a text is left out.
        ("meshes/formats/HelloWorld.wrl", Triangles(32 * 2 * 15)),
        // Polygons counted by a script that knows of VRML only `coordIndex`.
        ("meshes/vrml/SW_Kailh_Choc_V1.wrl", Triangles(7516)),
        ("meshes/vrml/bot2.wrl", Triangles(486)),
        ("meshes/vrml/sextant.wrl", Triangles(3920)),
        ("meshes/vrml/teapot.wrl", Triangles(2378)),
        ("meshes/formats/HelloWorld.x3d", Refused(foreign)),
        ("meshes/formats/Wuson.wrl", Triangles(3732)),
        // 353535235358 vertices are claimed on line 2.
        (
            "meshes/formats/OutOfMemory.off",
            Refused(|c| matches!(c, Cause::Claim { place: Place::Line(2), claimed: 353_535_235_358, .. })),
        ),
        // The face "2" lacks its corners.
        (
            "meshes/formats/invalid.off",
            Refused(|c| matches!(c, Cause::Expected { place: Place::Line(7), .. })),
        ),
        // f 4 12 2 1, with eight vertices.
        (
            "meshes/formats/malformed.obj",
            Refused(|c| matches!(c, Cause::NoSuchVertex { place: Place::Line(23), index: 12, count: 8 })),
        ),
        // "3.1+e2" is no number; the other library drops the sign.
        (
            "meshes/formats/number_formats.obj",
            Refused(|c| matches!(c, Cause::Expected { place: Place::Line(11), .. })),
        ),
        // Comments, a solid without facets, line elements, points: no triangles, as the other library says.
        ("meshes/messy/empty.obj", Refused(no_triangles)),
        ("meshes/messy/empty.stl", Refused(no_triangles)),
        ("meshes/messy/obj_wireframe.obj", Refused(no_triangles)),
        ("meshes/messy/points_emptyface.ply", Triangles(0)),
        // Six quadrilaterals, counted backwards, which the other library cannot.
        ("meshes/messy/negative_indices.obj", Triangles(12)),
        ("assemblies/machinist.3DXML", Refused(foreign)),
        ("assemblies/rod.3DXML", Refused(foreign)),
    ])
}

fn files(data: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for folder in ["messy", "formats", "classic", "cad", "pypi", "fcl", "vrml"].map(|f| format!("meshes/{f}"))
    {
        for entry in std::fs::read_dir(data.join(&folder)).unwrap() {
            files.push(format!("{folder}/{}", entry.unwrap().file_name().to_str().unwrap()));
        }
    }
    let assemblies = ["2CylinderEngine.obj.gz", "as1.obj.gz", "fzk_haus.obj.gz", "large_building.obj.gz"];
    let others = ["machinist.obj", "machinist.3DXML", "rod.3DXML"];
    files.extend(assemblies.iter().chain(&others).map(|f| format!("assemblies/{f}")));
    files.sort();
    files
}

/// Everything wrong with the reading of one file, if anything.
fn fault(
    data: &Path,
    file: &str,
    expected: Option<&Outcome>,
    manifest: &BTreeMap<String, u64>,
) -> Option<String> {
    let result = read(&data.join(file));
    let message = match &result {
        Ok(model) => format!("{} triangles", model.triangles()),
        Err(error) => error.to_string(),
    };
    let right = match (&result, expected) {
        (Ok(model), Some(Outcome::Triangles(n))) => model.triangles() == *n,
        (Err(error), Some(Outcome::Refused(cause))) => cause(&error.cause),
        (Ok(model), None) => manifest.get(file) == Some(&model.triangles()),
        (Ok(_), Some(Outcome::Refused(_))) | (Err(_), Some(Outcome::Triangles(_)) | None) => false,
    };
    let one_line = !message.contains('\n');
    (!right || !one_line).then(|| format!("{file}: {message}, the manifest has {:?}", manifest.get(file)))
}

#[test]
fn every_file_is_read_or_refused_with_its_reason() {
    let Some(data) = data() else { return };
    let (manifest, exceptions) = (manifest(&data), exceptions());
    let files = files(&data);
    assert!(files.len() > 80, "only {} files", files.len());
    let faults: Vec<String> = files
        .iter()
        .filter_map(|file| fault(&data, file, exceptions.get(file.as_str()), &manifest))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The files that the manifest calls watertight: there the other library joins vertices that agree in eight digits.
fn watertight(data: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(data.join("manifest.csv")).unwrap();
    let is_closed = |line: &&str| line.split(',').nth(5) == Some("True");
    text.lines().filter(is_closed).filter_map(|line| line.split(',').next().map(str::to_owned)).collect()
}

#[test]
fn almost_closed_meshes_say_where_they_close() {
    let Some(data) = data() else { return };
    let (mut closed, mut almost, mut open) = (0, Vec::new(), Vec::new());
    let watertight = watertight(&data);
    for file in files(&data).into_iter().filter(|file| watertight.contains(file)) {
        let Ok(mesh) = read(&data.join(&file)).map(|model| model.merged().unwrap()) else { continue };
        match mesh.topology().closing_tolerance(&mesh) {
            Some(0.0) => closed += 1,
            Some(tolerance) => {
                let (welded, report) = mesh.welded(tolerance).unwrap();
                assert!(welded.topology().is_closed() && report.moved > 0, "{file}");
                almost.push(file);
            }
            None => open.push(file),
        }
    }
    println!("{closed} closed; almost: {almost:?}; open: {open:?}");
    assert!(closed > 20, "{closed}");
    assert_eq!(open, Vec::<String>::new());
}

fn load(file: &str) -> Option<Model> {
    Some(read(&data()?.join(file)).unwrap())
}

fn names(model: &Model) -> Vec<&str> {
    model.parts.iter().map(|p| p.name.as_str()).collect()
}

fn notes(model: &Model) -> Vec<(NoteKind, u64)> {
    model.notes.iter().map(|n| (n.kind, n.count)).collect()
}

#[test]
fn assemblies_have_their_parts() {
    let Some(data) = data() else { return };
    for (file, parts) in [("as1", 18), ("fzk_haus", 110), ("large_building", 114), ("2CylinderEngine", 115)] {
        let model = read(&data.join(format!("assemblies/{file}.obj.gz"))).unwrap();
        assert_eq!((model.parts.len(), notes(&model)), (parts, vec![]), "{file}");
        let merged = model.merged().unwrap();
        assert_eq!(merged.triangles().len() as u64, model.triangles());
        assert!(model.parts.iter().all(|p| p.name != file), "{file}");
    }
}

#[test]
fn solids_groups_and_objects_are_parts() {
    if data().is_none() {
        return;
    }
    let parts = |file: &str| names(&load(file).unwrap()).into_iter().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(parts("meshes/formats/triangle_with_two_solids.stl"), ["testTriangle_1", "testTriangle_2"]);
    assert_eq!(parts("meshes/messy/multibody.stl").len(), 2);
    assert_eq!(parts("meshes/messy/joined_tetrahedra.obj"), ["joined_tetrahedra", "bottom"]);
    assert_eq!(parts("meshes/messy/two_objects.obj").len(), 2);
    // Nineteen groups and no object.
    assert_eq!(parts("meshes/formats/spider.obj").len(), 19);
    // Binary, though it begins with "solid plate_holes".
    assert_eq!(parts("meshes/messy/plate_holes.STL"), ["plate_holes"]);
}

#[test]
fn what_is_skipped_is_noted() {
    if data().is_none() {
        return;
    }
    let noted = |file: &str| notes(&load(file).unwrap());
    assert_eq!(noted("meshes/formats/testmixed.obj"), [(NoteKind::Line, 6), (NoteKind::Point, 6)]);
    assert_eq!(noted("meshes/formats/malformed2.obj"), [(NoteKind::ShortFace, 1)]);
    assert_eq!(noted("meshes/messy/notenoughindices.obj"), [(NoteKind::ShortFace, 1)]);
    assert_eq!(noted("meshes/formats/triangle_with_empty_solid.stl"), [(NoteKind::EmptyPart, 1)]);
    // Its first line is "6540 2180", which is no statement.
    assert_eq!(noted("meshes/fcl/env.obj"), [(NoteKind::UnknownStatement, 1)]);
    assert_eq!(noted("meshes/messy/nancolor.obj"), []);
}

/// Corners with a hole joined by a bridge: as many triangles as corners less two, none crossing another.
#[test]
fn concave_polygons_with_bridges_are_cut_without_overlap() {
    if data().is_none() {
        return;
    }
    for file in ["meshes/formats/concave_polygon.obj", "meshes/messy/wallhole.obj"] {
        let model = load(file).unwrap();
        assert!(model.notes.is_empty(), "{file}: {:?}", model.notes);
    }
    let mesh = &load("meshes/formats/concave_polygon.obj").unwrap().meshes[0];
    // One flat polygon of 66 corners: a cover without overlap has the area that the corners give directly,
    // and the areas of the triangles add up to no more.
    let area = |i: u32| mesh.triangle(i).scaled_normal();
    let (sum, total) = (0..64).map(area).fold((0.0, sudar::DVec3::ZERO), |(s, t), n| (s + n.length(), t + n));
    assert!((sum - total.length()).abs() < 1e-12 * sum, "{sum} {total}");
}
