//! Kinds, distances and counts of clashes where they are known beforehand.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use sudar::effort::Budget;
use sudar::glam::{DMat3, DVec3};
use sudar::query::{Batch, Body};
use sudar::{Aabb, Mesh, Pose, Sphere};
use sudar_clash::{
    Assembly, Clash, ClashError, ClashKind, ClashOptions, ClashReport, Part, PartSet, body_of, find_clashes,
    find_clashes_under,
};

fn part(mesh: Mesh, translation: DVec3) -> Part {
    let pose = Pose::from_translation(translation).unwrap();
    Part { name: "part".to_owned(), body: body_of(Arc::new(mesh)), pose }
}

fn cuboid(min: [f64; 3], max: [f64; 3]) -> Part {
    part(Mesh::from_aabb(Aabb { min: min.into(), max: max.into() }), DVec3::ZERO)
}

/// The square [0, 1]² at height `z`, an open surface.
fn sheet(z: f64) -> Part {
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| DVec3::new(x, y, z));
    part(Mesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap(), DVec3::ZERO)
}

fn check(parts: Vec<Part>, clearance: f64) -> ClashReport {
    find_clashes(&Assembly { parts }, &ClashOptions::new(clearance).unwrap(), &|_, _| {}).unwrap()
}

/// The clash of two parts, which must be of the same kind with the parts exchanged.
fn between(a: Part, b: Part, clearance: f64) -> Option<Clash> {
    let exchanged = check(vec![b.clone(), a.clone()], clearance).clashes;
    let clashes = check(vec![a, b], clearance).clashes;
    assert_eq!(clashes.len(), exchanged.len());
    for (c, x) in clashes.iter().zip(&exchanged) {
        assert_eq!((c.kind, c.form, c.triangle_pairs), (x.kind, x.form, x.triangle_pairs));
        let depths = [c, x].map(|clash| clash.depth.map_or(0.0, |depth| depth.upper));
        assert!((depths[0] - depths[1]).abs() <= 1e-9 * depths[0], "{depths:?}");
    }
    clashes.into_iter().next()
}

fn kind(a: Part, b: Part) -> Option<ClashKind> {
    between(a, b, 0.0).map(|c| c.kind)
}

/// The depth is known to a thousandth, and never too small.
fn is_depth(clash: &Clash, expected: f64) {
    let depth = clash.depth.unwrap();
    assert!(depth.upper >= expected && depth.upper <= expected * (1.0 + 1e-9), "{depth:?} {expected}");
    assert!(depth.lower <= expected && depth.lower >= expected * (1.0 - 1e-3), "{depth:?} {expected}");
}

#[test]
fn boxes_that_overlap_are_hard_and_separated_by_the_shallowest_way_out() {
    let a = cuboid([0.0; 3], [1.0; 3]);
    let clash = between(a, cuboid([0.5, 0.25, 0.75], [1.5, 1.25, 1.75]), 0.0).unwrap();
    assert_eq!(clash.kind, ClashKind::Hard);
    // They overlap by 0.5, 0.75 and 0.25 along x, y and z.
    assert_eq!((clash.depth_is, clash.normal), (Some("region"), Some(DVec3::Z)));
    is_depth(&clash, 0.25);
    assert_eq!((clash.distance.lower, clash.distance.upper), (0.0, 0.0));
    let both = Aabb { min: DVec3::new(0.5, 0.25, 0.75), max: DVec3::ONE };
    assert!(both.contains(clash.point), "{}", clash.point);
    assert!(clash.triangle_pairs > 0);
}

/// Two plates that lean by 45°: their boxes are far in each other, they themselves are not.
#[test]
fn depth_is_not_that_of_boxes() {
    let slab = |z: f64| {
        // A plate of 10√2 × 10 × √½ that leans along (1, 0, 1), with corners at halves.
        let h = |x: f64, y: f64, up: f64| DVec3::new(x - up, y, z + x + up);
        let mut vertices = Vec::new();
        for (x, y, up) in [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)]
            .into_iter()
            .flat_map(|(x, y)| [(x, y, 0.0), (x, y, 0.5)])
        {
            vertices.push(h(x, y, up));
        }
        Body::new(sudar::hull::convex_hull(&vertices).unwrap())
    };
    let solid = |body: &Body| body_of(body.mesh().unwrap().clone());
    let part = |name: &str, body: Body, x: f64| Part {
        name: name.to_owned(),
        body,
        pose: Pose::from_translation(DVec3::new(x, 0.0, 0.0)).unwrap(),
    };
    // Both lean along (1, 0, 1): a shift by 0.5 in x is one of 0.5/√2 across. Each is 0.5·√2 thick.
    let (low, high) = (solid(&slab(0.0)), solid(&slab(0.0)));
    let clash = between(part("low", low, 0.5), part("high", high, 0.0), 0.0).unwrap();
    let expected = 0.5 * 2f64.sqrt() - 0.5 / 2f64.sqrt();
    assert_eq!((clash.kind, clash.depth_is), (ClashKind::Hard, Some("region")));
    is_depth(&clash, expected);
    assert!((clash.normal.unwrap() - DVec3::new(-1.0, 0.0, 1.0).normalize()).length() < 1e-6, "{clash:?}");
}

#[test]
fn interiors_decide_where_no_triangles_cross() {
    // The faces ±x and ±y of both lie in the same planes, their ends do not meet: not one pair of triangles crosses.
    let clash = between(cuboid([0.0; 3], [1.0; 3]), cuboid([0.0, 0.0, 0.5], [1.0, 1.0, 1.5]), 0.0).unwrap();
    assert_eq!(clash.kind, ClashKind::Hard);
    is_depth(&clash, 0.5);
}

#[test]
fn faces_edges_and_corners_that_meet_touch() {
    let shifts = [[1.0, 0.0, 0.0], [1.0, 0.5, 0.25], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [-1.0, 0.5, 1.0]];
    for shift in shifts.map(DVec3::from) {
        let cube = cuboid([0.0; 3], [1.0; 3]);
        let other = Part { pose: Pose::from_translation(shift).unwrap(), ..cube.clone() };
        let clash = between(cube, other, 0.0).unwrap();
        assert_eq!((clash.kind, clash.depth, clash.depth_is), (ClashKind::Touch, None, None), "{shift}");
        assert!(clash.normal.unwrap().dot(shift) > 0.0, "{shift} {:?}", clash.normal);
    }
}

#[test]
fn an_ulp_is_the_difference_between_touching_and_not() {
    let cube = || cuboid([0.0; 3], [1.0; 3]);
    let beyond = 1f64.next_up();
    assert_eq!(kind(cube(), cuboid([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])), Some(ClashKind::Touch));
    assert_eq!(kind(cube(), cuboid([beyond, 0.0, 0.0], [2.0, 1.0, 1.0])), None);
    let within = 1f64.next_down();
    assert_eq!(kind(cube(), cuboid([within, 0.25, 0.25], [2.0, 0.5, 0.5])), Some(ClashKind::Hard));
}

#[test]
fn a_solid_inside_another_is_contained_also_where_they_are_flush() {
    let big = || cuboid([0.0; 3], [4.0; 3]);
    let free = between(big(), cuboid([1.0; 3], [2.0; 3]), 0.0).unwrap();
    assert_eq!((free.kind, free.triangle_pairs), (ClashKind::Contained, 0));
    assert!(Aabb { min: DVec3::ONE, max: DVec3::splat(2.0) }.contains(free.point));
    // Of [0, 4] and [1, 2] the shallowest way out is 2, back over 0.
    let depth = free.depth.unwrap();
    assert_eq!((depth.upper, free.normal), (2.0, Some(-DVec3::X)));
    // Around the middle of the small box a ball of radius 1/2 is in it and one of 3/2 in the other.
    assert!(depth.lower <= 2.0 && depth.lower > 1.999, "{depth:?}");
    assert_eq!(kind(big(), cuboid([0.0, 1.0, 1.0], [1.0, 2.0, 2.0])), Some(ClashKind::Contained));
    assert_eq!(kind(big(), cuboid([0.0; 3], [4.0, 4.0, 1.0])), Some(ClashKind::Contained));
}

#[test]
fn the_same_box_with_other_diagonals_is_contained_and_no_duplicate() {
    let a = cuboid([0.0; 3], [1.0; 3]);
    let mesh = a.body.mesh().unwrap();
    let mut flipped = mesh.triangles().to_vec();
    // Triangles 0 and 1 tile the face −x, whose corners in order are 0, 4, 6, 2.
    (flipped[0], flipped[1]) = ([0, 4, 2], [4, 6, 2]);
    let b = part(Mesh::new(mesh.vertices().to_vec(), flipped).unwrap(), DVec3::ZERO);
    assert_eq!(kind(a.clone(), b), Some(ClashKind::Contained));
    assert_eq!(kind(a.clone(), a), Some(ClashKind::Duplicate));
}

#[test]
fn a_shell_holds_what_is_in_its_wall_and_not_what_is_in_its_cavity() {
    // The cavity [1, 3]³ in the cube [0, 4]³: by parity its inside is outside.
    let (outer, cavity) = (cuboid([0.0; 3], [4.0; 3]), cuboid([1.0; 3], [3.0; 3]));
    let (o, c) = (outer.body.mesh().unwrap(), cavity.body.mesh().unwrap());
    let vertices: Vec<DVec3> = o.vertices().iter().chain(c.vertices()).copied().collect();
    let walls = c.triangles().iter().map(|t| t.map(|i| i + 8));
    let triangles: Vec<[u32; 3]> = o.triangles().iter().copied().chain(walls).collect();
    let shell = || part(Mesh::new(vertices.clone(), triangles.clone()).unwrap(), DVec3::ZERO);
    assert_eq!(kind(shell(), cuboid([1.5; 3], [2.5; 3])), None);
    assert_eq!(kind(shell(), cuboid([0.25; 3], [0.75; 3])), Some(ClashKind::Contained));
    assert_eq!(kind(shell(), cuboid([1.0; 3], [3.0; 3])), Some(ClashKind::Touch));
    assert_eq!(kind(shell(), cuboid([0.5; 3], [2.0; 3])), Some(ClashKind::Hard));
    let near = between(shell(), cuboid([1.5; 3], [2.5; 3]), 0.5).unwrap();
    assert_eq!(near.kind, ClashKind::Clearance);
}

#[test]
fn open_surfaces_go_by_their_triangles() {
    let cube = || cuboid([0.25, 0.25, 0.0], [0.75, 0.75, 1.0]);
    assert_eq!(kind(cube(), sheet(0.5)), Some(ClashKind::Hard));
    assert_eq!(kind(cube(), sheet(1.0)), Some(ClashKind::Touch));
    assert_eq!(kind(sheet(0.5), sheet(0.5)), Some(ClashKind::Duplicate));
    let half = Part { pose: Pose::from_translation(DVec3::X * 0.5).unwrap(), ..sheet(0.5) };
    assert_eq!(kind(sheet(0.5), half), Some(ClashKind::Touch));
}

#[test]
fn a_solid_around_a_surface_does_not_touch_it() {
    let around = || cuboid([-1.0; 3], [2.0; 3]);
    assert_eq!(kind(around(), sheet(0.5)), None);
    // The nearest faces of the box are 1 from the edges of the sheet, and 1.5 above and below.
    let near = between(around(), sheet(0.5), 1.0).unwrap();
    assert_eq!((near.kind, near.depth), (ClashKind::Clearance, None));
    assert!(near.distance.contains(1.0));
    assert!(between(around(), sheet(0.5), 0.99).is_none());
}

#[test]
fn parts_within_the_clearance_are_reported_with_their_distance() {
    let a = cuboid([0.0; 3], [1.0; 3]);
    let b = cuboid([1.25, 0.0, 0.0], [2.0, 1.0, 1.0]);
    let clash = between(a.clone(), b.clone(), 0.25).unwrap();
    assert_eq!((clash.kind, clash.depth, clash.triangle_pairs), (ClashKind::Clearance, None, 0));
    assert!(clash.distance.contains(0.25) && clash.distance.width() < 1e-12);
    assert_eq!(clash.normal, Some(DVec3::X));
    assert_eq!(clash.point.x, 1.125);
    assert!(between(a.clone(), b.clone(), 0.249_999).is_none());
    // Boxes that come near diagonally are apart by more than on any axis: here by √3/4.
    let diagonal = cuboid([1.25; 3], [2.0; 3]);
    assert!(between(a.clone(), diagonal.clone(), 0.43).is_none());
    assert!(between(a, diagonal, 0.434).unwrap().distance.contains(3f64.sqrt() / 4.0));
}

#[test]
fn answers_do_not_depend_on_the_unit() {
    let parts = |scale: f64| {
        let scaled = |p: Part| part(p.body.mesh().unwrap().mapped(|v| v * scale).unwrap(), DVec3::ZERO);
        let all = [
            cuboid([0.0; 3], [1.0; 3]),
            cuboid([0.5; 3], [1.5; 3]),
            cuboid([1.0, 0.0, 0.0], [2.0, 0.5, 0.5]),
            cuboid([0.125; 3], [0.25; 3]),
            cuboid([3.0; 3], [4.0; 3]),
        ];
        all.map(scaled).to_vec()
    };
    let kinds = |scale: f64| {
        let report = check(parts(scale), 2.75 * scale);
        report.clashes.iter().map(|c| (c.a, c.b, c.kind)).collect::<Vec<_>>()
    };
    let expected = kinds(1.0);
    assert_eq!(expected.iter().map(|c| c.2).collect::<BTreeSet<_>>().len(), 4);
    for exponent in [-200, -20, -1, 3, 30, 200] {
        assert_eq!(kinds(2f64.powi(exponent)), expected, "2^{exponent}");
    }
}

#[test]
fn ignored_kinds_and_clearances_of_groups_are_heeded() {
    let row: Vec<Part> =
        (0..4).map(|i| f64::from(i) * 1.5).map(|x| cuboid([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0])).collect();
    let set = |members: &[usize]| (0..4).map(|i| members.contains(&i)).collect::<PartSet>();
    let found = |options: &ClashOptions| {
        let report = find_clashes(&Assembly { parts: row.clone() }, options, &|_, _| {}).unwrap();
        report.clashes.iter().map(|c| (c.a, c.b)).collect::<Vec<_>>()
    };
    // Neighbours are 0.5 apart, those beyond 2.
    let mut options = ClashOptions::new(0.5).unwrap();
    assert_eq!(found(&options), [(0, 1), (1, 2), (2, 3)]);
    options.set_clearance(set(&[0]), set(&[1, 2]), 2.0).unwrap();
    options.set_clearance(set(&[2]), set(&[3]), 0.25).unwrap();
    assert_eq!(found(&options), [(0, 1), (0, 2), (1, 2)]);
    options.ignore(set(&[1]), set(&[0, 2]), &[ClashKind::Clearance]);
    assert_eq!(found(&options), [(0, 2)]);
}

#[test]
fn a_ball_is_refused_by_name() {
    let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
    let parts =
        vec![cuboid([0.0; 3], [1.0; 3]), Part { name: "ball".into(), body: ball, pose: Pose::IDENTITY }];
    let refused = find_clashes(&Assembly { parts }, &ClashOptions::default(), &|_, _| {});
    assert_eq!(refused, Err(ClashError::NotAMesh { part: 1, name: "ball".into() }));
}

#[test]
fn progress_counts_every_candidate_once() {
    let parts: Vec<Part> = (0..20).map(|i| cuboid([0.0; 3], [1.0 + f64::from(i); 3])).collect();
    let calls = Mutex::new(Vec::new());
    let report = find_clashes(&Assembly { parts }, &ClashOptions::default(), &|done, total| {
        calls.lock().unwrap().push((done, total));
    });
    let mut calls = calls.into_inner().unwrap();
    calls.sort_unstable();
    // Two boxes have 24 triangles.
    assert_eq!(calls, (0..=190).map(|done| (24 * done, 24 * 190)).collect::<Vec<_>>());
    assert_eq!(report.unwrap().candidates, 190);
}

#[test]
fn an_empty_scene_is_clean() {
    assert_eq!(check(Vec::new(), 1.0), ClashReport::default());
}

/// Two pyramids of 15 triangles on a common base, their tips at x = ±1.
fn spindle() -> Mesh {
    let rim = (0..15).map(|i| {
        let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / 15.0).sin_cos();
        DVec3::new(0.0, 0.4 * cos, 0.4 * sin)
    });
    let vertices = rim.chain([DVec3::X, -DVec3::X]).collect();
    let sides = (0..15).flat_map(|i| [[i, (i + 1) % 15, 15], [(i + 1) % 15, i, 16]]);
    Mesh::new(vertices, sides.collect()).unwrap()
}

/// 100 rows of 50 spindles along x, by turns 1.5 apart (they overlap by half a length) and 2 apart (tip to tip).
/// Every tip is a number of few bits, so tip to tip is exact.
fn rows_of_spindles(body_of_each: impl Fn() -> Body) -> Assembly {
    let place = |i: u32| {
        let (row, k) = (i / 50, i % 50);
        let x = f64::from(k / 2) * 3.5 + f64::from(k % 2) * 1.5;
        DVec3::new(x, f64::from(row / 10), f64::from(row % 10))
    };
    let part = |i: u32| Part {
        name: format!("spindle {i}"),
        body: body_of_each(),
        pose: Pose::from_translation(place(i)).unwrap(),
    };
    Assembly { parts: (0..5000).map(part).collect() }
}

#[test]
fn five_thousand_parts_take_well_under_a_second() {
    let mesh = Arc::new(spindle());
    assert_eq!(mesh.triangles().len(), 30);
    let assembly = rows_of_spindles(|| body_of(mesh.clone()));
    let timed = || {
        let start = std::time::Instant::now();
        let report = find_clashes(&assembly, &ClashOptions::default(), &|_, _| {}).unwrap();
        (start.elapsed(), report)
    };
    // The least of five, since other tests run beside this one.
    let (elapsed, report) = (0..5).map(|_| timed()).min_by_key(|(elapsed, _)| *elapsed).unwrap();
    let count = |kind| report.clashes.iter().filter(|c| c.kind == kind).count();
    // Per row 25 pairs overlap and 24 meet tip to tip; the rows are 1 apart and the spindles 0.8 thick.
    assert_eq!((count(ClashKind::Hard), count(ClashKind::Touch)), (2500, 2400));
    assert_eq!((report.clashes.len(), report.candidates), (4900, 4900));
    assert!(report.clashes.iter().all(|c| c.kind == ClashKind::Hard || c.normal == Some(DVec3::X)));
    println!("5000 parts: {elapsed:?}");
    // The bound is for machines that are busy otherwise, and for builds that optimise little.
    assert!(elapsed.as_secs_f64() < 1.0, "{elapsed:?}");
}

#[test]
fn the_report_has_the_same_bits_for_any_number_of_threads() {
    let turned = |i: usize| {
        let angle = i as f64;
        let rotation = DMat3::from_rotation_y(angle) * DMat3::from_rotation_x(0.7 * angle);
        Pose::from_matrix(rotation, DVec3::new(angle * 0.11, 0.3 * angle.sin(), 0.0)).unwrap()
    };
    let body = body_of(Arc::new(spindle()));
    let parts = (0..60).map(|i| Part { name: String::new(), body: body.clone(), pose: turned(i) }).collect();
    let assembly = Assembly { parts };
    let options = ClashOptions::new(0.05).unwrap();
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| find_clashes(&assembly, &options, &|_, _| {}).unwrap())
    };
    let one = with_threads(1);
    assert!(one.clashes.iter().any(|c| c.kind == ClashKind::Clearance));
    assert!(one.clashes.iter().any(|c| c.kind == ClashKind::Hard));
    assert!(one.clashes.is_sorted_by_key(|c| (c.a, c.b)));
    assert_eq!(with_threads(2), one);
    assert_eq!(with_threads(5), one);
}

#[test]
fn a_budget_or_a_flag_leaves_pairs_open_and_changes_no_other() {
    let turned = |i: u32| {
        let angle = f64::from(i);
        let rotation = DMat3::from_rotation_y(angle) * DMat3::from_rotation_x(0.7 * angle);
        Pose::from_matrix(rotation, DVec3::new(angle * 0.11, 0.3 * angle.sin(), 0.0)).unwrap()
    };
    let body = body_of(Arc::new(spindle()));
    let part = |i| Part { name: String::new(), body: body.clone(), pose: turned(i) };
    let assembly = Assembly { parts: (0..40).map(part).collect() };
    let options = ClashOptions::new(0.05).unwrap();
    let under = |batch: &Batch| find_clashes_under(&assembly, &options, batch, &|_, _| {}).unwrap();
    let whole = under(&Batch::default());
    assert!(whole.undecided.is_empty() && whole.statistics.nodes > 0 && whole.clashes.len() > 50);
    assert_eq!(whole, find_clashes(&assembly, &options, &|_, _| {}).unwrap());
    let (mut open, mut found) = (0, 0);
    for nodes in [0, 1, 3, 10, 30, 1000] {
        let part = under(&Batch::new(Budget::nodes(nodes)));
        assert_eq!(part.candidates, whole.candidates);
        for clash in &part.clashes {
            let same = whole.clashes.iter().find(|c| (c.a, c.b) == (clash.a, clash.b)).unwrap();
            assert_eq!((same.kind, same.triangle_pairs), (clash.kind, clash.triangle_pairs));
            let [inner, outer] = [same.distance, clash.distance];
            assert!(outer.lower <= inner.upper && inner.lower <= outer.upper, "{clash:?}");
        }
        let is_there = |c: &Clash| {
            part.clashes.iter().any(|p| (p.a, p.b) == (c.a, c.b)) || part.undecided.contains(&[c.a, c.b])
        };
        assert!(whole.clashes.iter().all(is_there) && part.undecided.is_sorted());
        open += part.undecided.len();
        found += part.clashes.len();
    }
    assert!(open > 100 && found > 100, "{open} {found}");
    let flag = std::sync::atomic::AtomicBool::new(true);
    let stopped = under(&Batch::default().cancelled_by(&flag));
    assert_eq!((stopped.clashes.len(), stopped.undecided.len()), (0, whole.candidates));
}

#[test]
fn a_part_at_no_finite_place_is_refused_by_name() {
    let far = Pose::from_translation(DVec3::splat(9e89)).unwrap();
    let beyond = (0..900).fold(far, |pose, _| pose.after(&pose));
    let lost = Part { name: "lost".into(), pose: beyond, ..cuboid([0.0; 3], [1.0; 3]) };
    let assembly = Assembly { parts: vec![cuboid([0.0; 3], [1.0; 3]), lost] };
    let refused = find_clashes(&assembly, &ClashOptions::default(), &|_, _| {}).unwrap_err();
    assert!(matches!(refused, ClashError::Refused(_)) && refused.to_string().contains("'lost'"), "{refused}");
}
