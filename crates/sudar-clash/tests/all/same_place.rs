//! Parts that are the same in the same place: found first, examined once, listed up to a limit.
#![allow(clippy::unwrap_used, reason = "all of this is test code")]

use std::sync::Arc;

use sudar::{Aabb, DVec3, Mesh, Pose};
use sudar_clash::{
    Assembly, Clash, ClashKind, ClashOptions, ClashReport, Part, PartSet, body_of, find_clashes,
};

fn cube(min: [f64; 3], size: f64) -> Mesh {
    let min = DVec3::from_array(min);
    Mesh::from_aabb(Aabb { min, max: min + size })
}

fn part(mesh: &Mesh, x: f64) -> Part {
    let pose = Pose::from_translation(DVec3::new(x, 0.0, 0.0)).unwrap();
    // A mesh of its own, as in a file that says each part again.
    Part { name: format!("at {x}"), body: body_of(Arc::new(mesh.clone())), pose }
}

fn check(parts: Vec<Part>, options: &ClashOptions) -> ClashReport {
    find_clashes(&Assembly { parts }, options, &|_, _| {}).unwrap()
}

fn pairs(report: &ClashReport) -> Vec<(usize, usize, ClashKind)> {
    report.clashes.iter().map(|clash| (clash.a, clash.b, clash.kind)).collect()
}

#[test]
fn every_pair_of_a_few_is_what_it_is_alone() {
    let (block, small) = (cube([0.0; 3], 1.0), cube([0.75, 0.1, 0.2], 0.5));
    let others = [(&small, 0.0), (&block, 0.0), (&block, 1.0), (&small, 0.0), (&block, 0.0), (&small, 0.125)];
    let parts: Vec<Part> = others.iter().map(|&(mesh, x)| part(mesh, x)).collect();
    let report = check(parts.clone(), &ClashOptions::new(0.1).unwrap());
    assert_eq!(report.same_place, [vec![0, 3], vec![1, 4]]);
    assert_eq!(report.unlisted, 0);
    let mut alone: Vec<Clash> = Vec::new();
    for a in 0..parts.len() {
        for b in a + 1..parts.len() {
            let two = check(vec![parts[a].clone(), parts[b].clone()], &ClashOptions::new(0.1).unwrap());
            alone.extend(two.clashes.into_iter().map(|clash| Clash { a, b, ..clash }));
        }
    }
    assert_eq!(pairs(&report).len(), alone.len());
    for (clash, alone) in report.clashes.iter().zip(&alone) {
        assert_eq!((clash.a, clash.b, clash.kind, clash.form), (alone.a, alone.b, alone.kind, alone.form));
        assert_eq!((clash.normal, clash.triangle_pairs), (alone.normal, alone.triangle_pairs));
        let depths = [clash, alone].map(|clash| clash.depth.map(|depth| depth.upper));
        assert_eq!(depths[0], depths[1], "{clash:?} {alone:?}");
    }
}

#[test]
fn of_very_many_the_clashes_with_the_first_are_listed() {
    let block = cube([0.0; 3], 1.0);
    let mut parts = vec![part(&block, 0.5)];
    parts.extend((0..1000).map(|_| part(&block, 0.0)));
    let start = std::time::Instant::now();
    let report = check(parts, &ClashOptions::default());
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(report.same_place, [(1..=1000).collect::<Vec<_>>()]);
    // Of 1000 parts in one place 32 · 31 / 2 pairs among the first 32, and 968 with the first; and 32 with part 0.
    assert_eq!(report.clashes.len(), 496 + 968 + 32);
    assert_eq!(report.unlisted + report.clashes.len(), 1000 * 999 / 2 + 1000);
    assert_eq!(report.candidates, 1000 * 999 / 2 + 1000);
    assert!(report.clashes.is_sorted_by_key(|clash| (clash.a, clash.b)));
    let of = |kind| report.clashes.iter().filter(|clash| clash.kind == kind).count();
    assert_eq!((of(ClashKind::Duplicate), of(ClashKind::Hard)), (496 + 968, 32));
    println!("1001 parts: {seconds} s");
    assert!(seconds < 1.0, "{seconds}");
}

#[test]
fn rules_tell_parts_of_one_place_apart() {
    let (block, beside) = (cube([0.0; 3], 1.0), cube([1.1, 0.0, 0.0], 1.0));
    let parts = vec![part(&block, 0.0), part(&block, 0.0), part(&block, 0.0), part(&beside, 0.0)];
    let set = |i: usize| (0..4).map(|k| k == i).collect::<PartSet>();
    let mut options = ClashOptions::default();
    options.set_clearance(set(1), set(3), 0.2).unwrap();
    options.ignore(set(0), set(2), &[ClashKind::Duplicate]);
    let found = pairs(&check(parts, &options));
    assert_eq!(
        found,
        [(0, 1, ClashKind::Duplicate), (1, 2, ClashKind::Duplicate), (1, 3, ClashKind::Clearance)]
    );
}

#[test]
fn other_triangles_or_poses_are_another_place() {
    let block = cube([0.0; 3], 1.0);
    let turned: Vec<[u32; 3]> = block.triangles().iter().rev().copied().collect();
    let reversed = Mesh::new(block.vertices().to_vec(), turned).unwrap();
    let report = check(vec![part(&block, 0.0), part(&reversed, 0.0)], &ClashOptions::default());
    assert_eq!(report.same_place, Vec::<Vec<usize>>::new());
    assert_eq!(pairs(&report), [(0, 1, ClashKind::Duplicate)]);
}
