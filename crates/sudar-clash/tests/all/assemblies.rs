//! Real assemblies against the pairs of parts that two other libraries found in them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::sync::Arc;

use sudar::glam::DVec3;

use sudar::query::{DistanceOptions, distance};
use sudar::{Mesh, Pose};
use sudar_clash::{Assembly, ClashKind, ClashOptions, Part, body_of, find_clashes};
use sudar_testing::oracle::data;

/// One part per `o`; vertices and triangles only, which is all these files have.
fn read_parts(text: &str) -> Assembly {
    let mut vertices = Vec::new();
    let mut parts: Vec<(String, Vec<[usize; 3]>)> = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let keyword = words.next();
        let numbers = || line.split_whitespace().skip(1).map(|w| w.parse::<f64>().unwrap());
        match keyword {
            Some("o") => parts.push((words.next().unwrap().to_owned(), Vec::new())),
            Some("v") => vertices.push(DVec3::from_slice(&numbers().collect::<Vec<f64>>())),
            Some("f") => {
                let face: Vec<usize> = numbers().map(|i| i as usize - 1).collect();
                parts.last_mut().unwrap().1.push(face.try_into().unwrap());
            }
            _ => {}
        }
    }
    let part = |(name, faces): (String, Vec<[usize; 3]>)| {
        let mut local = BTreeMap::new();
        let mut own = Vec::new();
        let mut number = |i: usize| {
            *local.entry(i).or_insert_with(|| {
                own.push(vertices[i]);
                own.len() as u32 - 1
            })
        };
        let triangles = faces.iter().map(|f| f.map(&mut number)).collect();
        let mesh = Mesh::new(own, triangles).unwrap();
        Part { name, body: body_of(Arc::new(mesh)), pose: Pose::IDENTITY }
    };
    Assembly { parts: parts.into_iter().map(part).collect() }
}

/// Pairs that Coal reports and that do not meet, with the square of their distance in m², from the vertices of the file
/// by exact rational arithmetic (all pairs of triangles). See docs/clash-differences.md.
const ONLY_COAL: [(&str, usize, usize, f64); 3] = [
    ("fzk_haus", 12, 23, 3.037190383252753e-17),
    ("fzk_haus", 14, 22, 3.037190383252753e-17),
    ("fzk_haus", 16, 22, 8.504451469319453e-18),
];

/// The house of the Karlsruhe Institute of Technology, in metres, if the data are there.
pub fn house() -> Option<Assembly> {
    load("fzk_haus").map(|case| case.assembly)
}

struct Case {
    assembly: Assembly,
    box_pairs: usize,
    fcl: BTreeSet<(usize, usize)>,
    coal: BTreeSet<(usize, usize)>,
}

fn load(name: &str) -> Option<Case> {
    let folder = data()?.join("assemblies");
    let packed = std::fs::File::open(folder.join(format!("{name}.obj.gz"))).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    let report = std::fs::read_to_string(folder.join(format!("{name}_clash.json"))).unwrap();
    let fcl = pairs_after(&report, "fcl_clashing_pairs");
    let coal = &(&fcl | &pairs_after(&report, "coal_only")) - &pairs_after(&report, "fcl_only");
    let box_pairs = numbers_after(&report, "aabb_pairs")[0];
    Some(Case { assembly: read_parts(&text), box_pairs, fcl, coal })
}

/// The numbers that follow a key of these reports, up to the next key.
fn numbers_after(report: &str, key: &str) -> Vec<usize> {
    let value = report.split_once(&format!("\"{key}\":")).unwrap().1;
    let value = value.split('"').next().unwrap();
    value.split(|c: char| !c.is_ascii_digit()).filter_map(|w| w.parse().ok()).collect()
}

fn pairs_after(report: &str, key: &str) -> BTreeSet<(usize, usize)> {
    numbers_after(report, key).chunks_exact(2).map(|p| (p[0], p[1])).collect()
}

fn compare(name: &str) {
    let Some(case) = load(name) else { return };
    let report = find_clashes(&case.assembly, &ClashOptions::default(), &|_, _| {}).unwrap();
    assert_eq!(report.candidates, case.box_pairs);
    // Those libraries compare surfaces, so a part inside another without contact is none of theirs.
    let meeting = report.clashes.iter().filter(|c| c.triangle_pairs > 0);
    let ours: BTreeSet<(usize, usize)> = meeting.map(|c| (c.a, c.b)).collect();
    assert_eq!(ours, case.fcl);
    assert!(ours.is_subset(&case.coal));
    let here = ONLY_COAL.iter().filter(|d| d.0 == name).map(|d| (d.1, d.2));
    assert_eq!(&case.coal - &ours, here.collect());
}

#[test]
fn the_bracket_assembly_has_the_pairs_that_others_found() {
    compare("as1");
}

#[test]
fn the_engine_has_the_pairs_that_others_found() {
    compare("2CylinderEngine");
}

#[test]
fn the_house_has_the_pairs_that_others_found() {
    compare("fzk_haus");
}

#[test]
fn the_large_building_has_the_pairs_that_others_found() {
    compare("large_building");
}

#[test]
fn what_coal_alone_reports_is_apart_by_nanometres() {
    for (name, a, b, squared) in ONLY_COAL {
        let Some(Case { assembly, .. }) = load(name) else { return };
        let [p, q] = [&assembly.parts[a], &assembly.parts[b]];
        let found = distance(p.body.at(&p.pose), q.body.at(&q.pose), &DistanceOptions::EXACT).interval;
        assert!(found.lower > 0.0, "{found:?}");
        assert!(found.widened(1e-15).contains(squared.sqrt()), "{found:?} {squared}");
    }
}

/// The same parts with every coordinate in single precision, as GLB and STL have them.
fn in_single_precision(assembly: &Assembly) -> Assembly {
    let part = |part: &Part| {
        let mesh = part.body.mesh().unwrap();
        let vertices = mesh.vertices().iter().map(|p| p.as_vec3().as_dvec3()).collect();
        let mesh = Mesh::new(vertices, mesh.triangles().to_vec()).unwrap();
        Part { body: body_of(Arc::new(mesh)), ..part.clone() }
    };
    Assembly { parts: assembly.parts.iter().map(part).collect() }
}

#[test]
fn the_house_has_the_same_clashes_in_single_precision() {
    let Some(case) = load("fzk_haus") else { return };
    let single = in_single_precision(&case.assembly);
    let found = |assembly: &Assembly, band: f64| -> BTreeMap<(usize, usize), ClashKind> {
        let mut options = ClashOptions::default();
        options.set_touch(band).unwrap();
        let report = find_clashes(assembly, &options, &|_, _| {}).unwrap();
        report.clashes.iter().map(|clash| ((clash.a, clash.b), clash.kind)).collect()
    };
    let differ = |band: f64| {
        let (double, single) = (found(&case.assembly, band), found(&single, band));
        let both: BTreeSet<_> = double.keys().chain(single.keys()).copied().collect();
        both.into_iter().filter(|pair| double.get(pair) != single.get(pair)).collect::<Vec<_>>()
    };
    // Exact kinds hang on the last bit of the file.
    assert!(differ(0.0).len() > 50);
    assert_eq!(differ(2e-5), []);
}
