//! Depths of random meshes of whole coordinates, against direct computation. `SUDAR_ORACLE_DEPTHS=N` runs N
//! pairs of each kind instead of 100.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::convex::Accuracy;
use sudar::effort::Budget;
use sudar::glam::DVec2;
use sudar::query::{Body, Work, depth_along, intersects, penetration, surface_depth};
use sudar::{Aabb, DVec3, Mesh, Pose, Solid};

fn cases() -> u64 {
    std::env::var("SUDAR_ORACLE_DEPTHS").ok().and_then(|n| n.parse().ok()).unwrap_or(100)
}

/// Triangles between a few points with coordinates up to `most`.
fn soup(random: &mut Pcg64, most: i32) -> Mesh {
    let mut whole = || f64::from(random.random_range(-most..=most));
    let vertices: Vec<DVec3> = (0..6).map(|_| DVec3::new(whole(), whole(), whole())).collect();
    let triangles = (0..7).map(|_| std::array::from_fn(|_| random.random_range(0..6))).collect();
    Mesh::new(vertices, triangles).unwrap()
}

/// The height of a mesh over a point of the plane at corners and edges: all that matters where one body comes
/// to rest on another from above.
struct Lifted {
    points: Vec<DVec3>,
    edges: Vec<[DVec3; 2]>,
    faces: Vec<[DVec3; 3]>,
}

impl Lifted {
    fn new(mesh: &Mesh) -> Self {
        let faces: Vec<[DVec3; 3]> =
            (0..mesh.triangles().len()).map(|i| mesh.triangle(i as u32).corners()).collect();
        let edges = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        Self { points: faces.iter().flatten().copied().collect(), edges, faces }
    }
}

/// Heights of a face over the shadow of a point; none if the face stands upright, whose edges then tell.
fn on_face(p: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let area = |a: DVec3, b: DVec3, c: DVec3| (b - a).truncate().perp_dot((c - a).truncate());
    let all = area(a, b, c);
    let [u, v, w] = [area(p, b, c), area(p, c, a), area(p, a, b)];
    let inside = all != 0.0 && [u, v, w].iter().all(|&x| x * all >= 0.0);
    inside.then(|| (a.z * u + b.z * v + c.z * w) / all)
}

/// Heights of a point and of an edge where their shadows meet.
fn on_edge(p: DVec3, [a, b]: [DVec3; 2]) -> Vec<f64> {
    let along = (b - a).truncate();
    if along == DVec2::ZERO {
        return if p.truncate() == a.truncate() { vec![a.z, b.z] } else { vec![] };
    }
    let t = along.dot((p - a).truncate()) / along.length_squared();
    let on = along.perp_dot((p - a).truncate()) == 0.0 && (0.0..=1.0).contains(&t);
    if on { vec![a.z + (b.z - a.z) * t] } else { vec![] }
}

/// By how much the first edge is above the second where their shadows cross.
fn crossing([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Option<f64> {
    let (u, v, r) = ((b - a).truncate(), (d - c).truncate(), (c - a).truncate());
    let det = u.perp_dot(v);
    let (s, t) = (r.perp_dot(v) / det, r.perp_dot(u) / det);
    let crosses = det != 0.0 && (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    crosses.then_some((a.z + (b.z - a.z) * s) - (c.z + (d.z - c.z) * t))
}

/// The longest way up after which `b` still touches `a`, and 0.
fn way_up(a: &Lifted, b: &Lifted) -> f64 {
    let mut most: f64 = 0.0;
    for p in &a.points {
        let below = b
            .faces
            .iter()
            .filter_map(|f| on_face(*p, *f))
            .chain(b.edges.iter().flat_map(|e| on_edge(*p, *e)));
        most = below.fold(most, |most, z| most.max(p.z - z));
    }
    for q in &b.points {
        let above = a
            .faces
            .iter()
            .filter_map(|f| on_face(*q, *f))
            .chain(a.edges.iter().flat_map(|e| on_edge(*q, *e)));
        most = above.fold(most, |most, z| most.max(z - q.z));
    }
    for e in &a.edges {
        most = b.edges.iter().filter_map(|f| crossing(*e, *f)).fold(most, f64::max);
    }
    most
}

#[test]
fn the_way_out_is_that_of_corners_on_faces_and_edges_on_edges() {
    let (mut wide, mut deep) = (0, 0);
    for (seed, most) in (0..cases()).flat_map(|seed| [(seed, 2), (seed, 9), (seed, 60)]) {
        let mut random = Pcg64::seed_from_u64(seed);
        let (a, b) = (soup(&mut random, most), soup(&mut random, most));
        let expected = way_up(&Lifted::new(&a), &Lifted::new(&b));
        let (a, b) = (Body::new(a), Body::new(b));
        let still = Pose::IDENTITY;
        let found = depth_along(a.at(&still), b.at(&still), DVec3::Z * 3.0, &Accuracy::default());
        let doubt = 1e-12 * f64::from(most);
        assert!(
            found.lower <= expected + doubt && expected - doubt <= found.upper,
            "{most} {seed}: {found:?}, {expected}"
        );
        wide += usize::from(found.width() > 1e-8 * expected.max(1.0));
        deep += usize::from(expected > 0.0);
        // Moved that far they meet, and a little farther they are apart.
        let up = |t: f64| Pose::from_translation(DVec3::Z * t).unwrap();
        let meet = |t: f64| intersects(a.at(&still), b.at(&up(t))).is_touching();
        assert!(found.lower == 0.0 || meet(found.lower), "{most} {seed}");
        assert!((1..20).all(|i| !meet(found.upper + 0.01 * f64::from(i * i))), "{most} {seed}");
    }
    println!("{deep} deep, {wide} of them not narrow");
    // Triangles without area are segments, and two of these meet at a moment that no number hits.
    assert!(deep as u64 > cases() && wide * 15 < deep, "{wide} of {deep}");
}

fn boxes(random: &mut Pcg64) -> Aabb {
    let mut whole = |least: i32, most: i32| f64::from(random.random_range(least..=most));
    let min = DVec3::new(whole(-2, 2), whole(-2, 2), whole(-2, 2));
    Aabb { min, max: min + DVec3::new(whole(1, 6), whole(1, 6), whole(1, 6)) }
}

/// The depth of the surface of one box in another: on a grid of half units its faces are sampled, and the deepest point
/// is on it, for where distances from two faces are equal coordinates are halves, and of quarters where three are.
fn sampled(a: &Aabb, b: &Aabb) -> f64 {
    let steps = |axis: usize| {
        let count = ((a.max[axis] - a.min[axis]) * 4.0) as i32;
        (0..=count).map(move |i| (axis, f64::from(i) * 0.25))
    };
    let mut most: f64 = 0.0;
    for (face, side) in (0..3).flat_map(|face| [(face, a.min[face]), (face, a.max[face])]) {
        let (u, v) = ((face + 1) % 3, (face + 2) % 3);
        for (_, s) in steps(u) {
            for (_, t) in steps(v) {
                let mut p = DVec3::ZERO;
                (p[face], p[u], p[v]) = (side, a.min[u] + s, a.min[v] + t);
                most = most.max((p - b.min).min(b.max - p).min_element());
            }
        }
    }
    most
}

#[test]
fn surface_depths_of_boxes_are_those_of_a_grid_and_no_more_than_the_translational() {
    let mut deep = 0;
    for seed in 0..cases() {
        let mut random = Pcg64::seed_from_u64(seed);
        let (a, b) = (boxes(&mut random), boxes(&mut random));
        let body = |aabb: Aabb| Body::new(Solid::new(Arc::new(Mesh::from_aabb(aabb))).unwrap());
        let (inner, outer, still) = (body(a), body(b), Pose::IDENTITY);
        let found = surface_depth(inner.at(&still), outer.at(&still), &Accuracy::default()).unwrap();
        let expected = sampled(&a, &b);
        assert!(found.interval.contains(expected), "{seed}: {found:?} {expected}");
        assert!(
            found.interval.width() <= 2e-9 * expected + if expected > 0.0 { 1e-11 } else { 1e-6 },
            "{seed}: {found:?} {expected}"
        );
        let translational = penetration(inner.at(&still), outer.at(&still)).signed;
        assert!(
            found.interval.lower <= (-translational.lower).max(0.0) + 1e-12,
            "{seed} {found:?} {translational:?} {a:?} {b:?}"
        );
        deep += usize::from(expected > 0.0);
        // A budget widens the interval and does not make it wrong.
        for nodes in [0, 1, 5, 25] {
            let mut work = Work::new(Budget::nodes(nodes));
            let some = work.surface_depth(inner.at(&still), outer.at(&still), &Accuracy::default()).unwrap();
            assert!(some.interval.contains(expected), "{seed} {nodes}: {some:?} {expected}");
            let along = work.depth_along(inner.at(&still), outer.at(&still), DVec3::X, &Accuracy::default());
            let whole = depth_along(inner.at(&still), outer.at(&still), DVec3::X, &Accuracy::default());
            assert!(along.lower <= whole.upper && whole.lower <= along.upper, "{seed} {nodes}: {along:?}");
        }
    }
    println!("{deep} deep");
    assert!(deep as u64 > cases() / 4);
}
