//! A vertex against a face and an edge against an edge, with corners on straight lines: queries that meet by
//! construction, in exact numbers, and those of public collections.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "all of this is test code")]

use std::path::Path;

use rand::RngExt;
use sudar::pair::{closest_point_triangle, closest_points_segments};
use sudar::{DVec3, Segment, Triangle};
use sudar_classic::motion::{Passage, PassageOptions, edge_edge, vertex_face};
use sudar_testing::Random;
use sudar_testing::oracle::data;

mod exact;

type Four = [DVec3; 4];

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    VertexFace,
    EdgeEdge,
}

impl Kind {
    fn ask(self, start: &Four, end: &Four, options: &PassageOptions) -> Passage {
        match self {
            Self::VertexFace => vertex_face(start, end, options),
            Self::EdgeEdge => edge_edge(start, end, options),
        }
    }

    fn distance(self, start: &Four, end: &Four, time: f64) -> f64 {
        let [a, b, c, d] = std::array::from_fn(|i| start[i] + (end[i] - start[i]) * time);
        match self {
            Self::VertexFace => closest_point_triangle(a, &Triangle { a: b, b: c, c: d }).distance(),
            Self::EdgeEdge => closest_points_segments(&Segment { a, b }, &Segment { a: c, b: d }).distance(),
        }
    }
}

fn size(start: &Four, end: &Four) -> f64 {
    let aabb = sudar::Aabb::around(start.iter().chain(end).copied());
    aabb.extent().max_element()
}

/// What an answer claims must be so: near at both ends of the time of a hit or in between, apart at all
/// instants before.
fn check(kind: Kind, start: &Four, end: &Four, options: &PassageOptions, found: &Passage) {
    let far = start.iter().chain(end).fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
    let rounding = 1e-13 * far;
    let until = match found {
        Passage::Free => 1.0,
        Passage::Hit(time) => time.lower,
        Passage::Undecided(time) => *time,
    };
    for i in 0..=40 {
        let time = until * f64::from(i) / 40.0 * (1.0 - 1e-12);
        let apart = kind.distance(start, end, time);
        assert!(apart > options.separation - rounding || until == 0.0, "missed at {time}: {apart} {found:?}");
    }
    if let Passage::Hit(time) = found {
        let ends = [time.lower, time.upper].map(|time| kind.distance(start, end, time));
        let least = ends[0].min(ends[1]);
        assert!(
            least <= options.separation + options.delta + rounding,
            "{kind:?} {least} {found:?} {start:?} {end:?}"
        );
    }
}

#[test]
fn contacts_by_construction_are_found() {
    // All numbers are multiples of 2⁻²⁰ and small, so that the corners meet exactly at the time.
    let mut rng = Random::new(77);
    let mut exact = 0;
    for case in 0..20_000 {
        let kind = if case % 2 == 0 { Kind::VertexFace } else { Kind::EdgeEdge };
        let coarse = [1.0, 16.0, 256.0][case % 3];
        let mut grid = |n: f64| {
            DVec3::from_array(std::array::from_fn(|_| (rng.random_range(-n..=n) * coarse).round() / coarse))
        };
        let (mut at, way): (Four, Four) =
            (std::array::from_fn(|_| grid(4.0)), std::array::from_fn(|_| grid(4.0)));
        let mut share = || f64::from(rng.random_range(0..=8)) / 8.0;
        let (time, u, v) = (share(), share(), share());
        match kind {
            Kind::VertexFace => {
                let (u, v) = if u + v <= 1.0 { (u, v) } else { (1.0 - u, 1.0 - v) };
                at[0] = at[1] + (at[2] - at[1]) * u + (at[3] - at[1]) * v;
            }
            Kind::EdgeEdge => {
                let meet = at[0] + (at[1] - at[0]) * u;
                let other = at[2] + (at[3] - at[2]) * v;
                (at[2], at[3]) = (at[2] + (meet - other), at[3] + (meet - other));
            }
        }
        let start = std::array::from_fn(|i| at[i] - way[i] * time);
        let end = std::array::from_fn(|i| at[i] + way[i] * (1.0 - time));
        let options = PassageOptions { separation: 0.0, delta: 1e-6 };
        let found = kind.ask(&start, &end, &options);
        let hit =
            found.time().unwrap_or_else(|| panic!("missed: {kind:?} {start:?} {end:?} at {time}: {found:?}"));
        assert!(hit.lower <= time, "{hit:?} {time}");
        exact += u32::from(hit.contains(time));
        check(kind, &start, &end, &options, &found);
    }
    // All others meet earlier as well.
    println!("{exact} of 20000 contain the time of the construction");
    assert!(exact > 10_000);
}

#[test]
fn random_corners_of_any_size_and_shape() {
    let mut rng = Random::new(78);
    let mut hits = 0;
    for case in 0..20_000 {
        let kind = if case % 2 == 0 { Kind::VertexFace } else { Kind::EdgeEdge };
        let scale = [1.0, 1e-9, 1e9, 1.0][case / 2 % 4];
        let squash = match case / 8 % 5 {
            0 => DVec3::new(1.0, 1.0, 0.0),
            1 => DVec3::new(1.0, 1e-4, 1.0),
            2 => DVec3::new(1.0, 0.0, 0.0),
            _ => DVec3::ONE,
        } * scale;
        let mut corners = || std::array::from_fn(|_| rng.point() * squash);
        let (mut start, mut end): (Four, Four) = (corners(), corners());
        if case % 7 == 0 {
            (start[1], end[1]) = (start[0], end[0]);
        }
        if case % 11 == 0 {
            (start[3], end[3]) = (start[2], end[2]);
        }
        if case % 13 == 0 {
            end = start;
        }
        let separation = if case % 3 == 0 { 0.01 * scale } else { 0.0 };
        let options = PassageOptions { separation, delta: 1e-6 * scale };
        let found = kind.ask(&start, &end, &options);
        assert!(found.decided().is_some(), "{case}: {found:?} {start:?} {end:?}");
        check(kind, &start, &end, &options, &found);
        hits += u32::from(found.decided() == Some(true));
    }
    assert!(hits > 5000, "{hits}");
}

#[test]
fn what_no_number_is_is_undecided() {
    let four = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let mut bad = four;
    bad[2].x = f64::NAN;
    for kind in [Kind::VertexFace, Kind::EdgeEdge] {
        let found = kind.ask(&four, &bad, &PassageOptions { separation: 0.0, delta: 1e-6 });
        assert_eq!(found, Passage::Undecided(0.0));
    }
}

/// The queries of a file: eight lines each of `x, y, z` as fractions, four corners at the start and four at
/// the end; the seventh column, if there is one, is whether they meet.
fn read(path: &Path) -> Vec<(Four, Four, Option<bool>)> {
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| -> (DVec3, Option<bool>) {
        let n: Vec<f64> = line.split(',').map(|x| x.trim().parse().unwrap()).collect();
        (DVec3::new(n[0] / n[1], n[2] / n[3], n[4] / n[5]), n.get(6).map(|x| *x != 0.0))
    };
    let rows: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).map(row).collect();
    rows.chunks_exact(8)
        .map(|q| (std::array::from_fn(|i| q[i].0), std::array::from_fn(|i| q[4 + i].0), q[0].1))
        .collect()
}

#[test]
fn no_sample_query_is_missed() {
    let Some(folder) = data().map(|data| data.join("ccd")) else { return };
    let mut files: Vec<_> =
        std::fs::read_dir(folder.join("sample-queries")).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    let (mut queries, mut contacts, mut false_hits) = (0, 0, 0);
    for path in &files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let kind = if name.contains("vertex-face") { Kind::VertexFace } else { Kind::EdgeEdge };
        for (i, (start, end, truth)) in read(path).into_iter().enumerate() {
            let options = PassageOptions { separation: 0.0, delta: 1e-6 * size(&start, &end) };
            let found = kind.ask(&start, &end, &options);
            queries += 1;
            contacts += u32::from(truth == Some(true));
            if truth == Some(true) {
                assert!(found.decided() == Some(true), "{name} {i}: missed {found:?}");
            }
            false_hits += u32::from(truth == Some(false) && found.decided() != Some(false));
            assert!(found.decided().is_some(), "{name} {i}: {found:?}");
            check(kind, &start, &end, &options, &found);
        }
    }
    println!("{queries} queries, {contacts} contacts, {false_hits} hits within delta");
    assert!(queries > 2000 && contacts > 100 && false_hits * 10 < queries);
}

#[test]
fn times_of_the_cloth_in_a_funnel_are_in_the_interval() {
    let Some(data) = data() else { return };
    let folder = data.join("ccd/scalable-ccd/cloth-funnel");
    for (name, kind) in [("227vf", Kind::VertexFace), ("227ee", Kind::EdgeEdge)] {
        let queries = read(&folder.join(format!("queries/{name}.csv")));
        let text = std::fs::read_to_string(folder.join(format!("toi/{name}_toi.csv"))).unwrap();
        let truth: std::collections::BTreeMap<usize, f64> = text
            .lines()
            .skip(1)
            .map(|line| line.split(',').collect::<Vec<_>>())
            .map(|f| (f[0].parse().unwrap(), f[2].parse().unwrap()))
            .collect();
        let mut inside = 0;
        for (i, (start, end, _)) in queries.iter().enumerate() {
            let options = PassageOptions { separation: 0.0, delta: 1e-6 * size(start, end) };
            let found = kind.ask(start, end, &options);
            check(kind, start, end, &options, &found);
            if let Some(time) = truth.get(&i) {
                let hit = found.time().unwrap_or_else(|| panic!("{name} {i} missed: {found:?}"));
                // The times are rounded to f64 as they are read.
                assert!(hit.lower <= *time + 1e-15, "{name} {i}: {hit:?} {time}");
                inside += u32::from(hit.upper >= *time - 1e-15);
                if hit.upper < *time - 1e-15 {
                    println!("{name} {i}: {hit:?} {time:e} by {:e}", time - hit.upper);
                }
            }
        }
        println!("{name}: {inside} of {} times inside, {} queries", truth.len(), queries.len());
        assert_eq!(inside as usize, truth.len());
    }
}
