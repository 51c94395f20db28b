//! Depths and contacts under a budget: true however little may be done, the same as without where that is enough.
//! `SUDAR_ORACLE_BUDGETS=N` asks N poses of each pair of shapes instead of 2.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use glam::DVec3;
use sudar::convex::Accuracy;
use sudar::effort::{Budget, Partial, Progress};
use sudar::query::{
    Body, Contact, DistanceOptions, Penetration, Work, closest_point, distance, intersects, manifold,
    penetration,
};
use sudar::{Aabb, Compound, Halfspace, Interval, Mesh, Pose, Sphere};
use sudar_testing::meshes::{ball, cube, solid};
use sudar_testing::zoo::zoo;
use sudar_testing::{Random, moved};

/// Two posed bodies.
type Pair<'a> = [(&'a Body, &'a Pose); 2];

fn depth_under(nodes: u64, [(a, pose_a), (b, pose_b)]: Pair) -> (Penetration, u64) {
    let mut work = Work::new(Budget::nodes(nodes));
    (work.penetration(a.at(pose_a), b.at(pose_b)), work.statistics().nodes)
}

fn contacts_under(nodes: u64, [(a, pose_a), (b, pose_b)]: Pair, margin: f64) -> Partial<Vec<Contact>> {
    Work::new(Budget::nodes(nodes)).manifold(a.at(pose_a), b.at(pose_b), margin)
}

/// Budgets up to and beyond what a query needs: all small ones, then ever fewer.
fn budgets(needed: u64) -> impl Iterator<Item = u64> {
    (0..12).chain((4..40).map(|k| (1.5f64).powi(k) as u64)).take_while(move |&n| n < needed)
}

/// Round shapes touch within rounding, which `f64` cannot tell.
const ROUNDING: f64 = 1e-9;

/// The interval of a depth under a budget holds what is known without, and its normal leads out of the overlap.
fn check_depth(what: &str, pair: Pair, whole: &Penetration, found: &Penetration) {
    let [(a, pose_a), (b, pose_b)] = pair;
    let said = format!("{what}: {found:?}, without a budget {whole:?}");
    assert!(found.signed.lower <= found.signed.upper, "{said}");
    assert!(found.signed.upper >= whole.signed.upper - ROUNDING, "{said}");
    assert!(found.signed.lower <= whole.signed.upper + ROUNDING, "{said}");
    assert!((found.normal.length() - 1.0).abs() < 1e-12, "{said}");
    if found.signed.lower < 0.0 && found.signed.lower.is_finite() {
        let apart = moved(found.normal * (1e-4 - found.signed.lower)).after(pose_b);
        assert!(!intersects(a.at(pose_a), b.at(&apart)).is_touching(), "{said}");
    }
}

/// Contacts found early hold: their points are points of the bodies as far apart as they say.
fn check_contacts(what: &str, [(a, pose_a), (b, pose_b)]: Pair, found: &[Contact], margin: f64) {
    for c in found {
        let between = (c.point_b - c.point_a).dot(c.normal);
        assert!((c.normal.length() - 1.0).abs() < 1e-9 && c.depth >= -margin - 1e-12, "{what}: {c:?}");
        assert!((between + c.depth).abs() < 1e-9, "{what}: {c:?}");
        for (body, pose, point) in [(a, pose_a, c.point_a), (b, pose_b, c.point_b)] {
            let off = closest_point(body.at(pose), point).distance.lower;
            // On round bodies no better than the search for the depth.
            assert!(off < 1e-7, "{what}: {off} {c:?}");
        }
    }
}

#[test]
fn depths_and_contacts_of_every_pair_under_every_budget() {
    let poses = std::env::var("SUDAR_ORACLE_BUDGETS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let zoo = zoo();
    let mut rng = Random::new(1);
    let (mut wider, mut partial) = (0, 0);
    for (name_a, a) in &zoo {
        for (name_b, b) in &zoo {
            for _ in 0..poses {
                let (pose_a, pose_b) = (rng.any_pose(0.5), rng.any_pose(0.5));
                let (pair, what) = ([(a, &pose_a), (b, &pose_b)], format!("{name_a}-{name_b}"));
                wider += depths(&what, pair);
                partial += contacts(&what, pair);
            }
        }
    }
    println!("{wider} depths wider, {partial} lists of contacts in part");
    assert!(wider > 1000 && partial > 500, "{wider} wider, {partial} in part: the test lost its point");
}

/// Asks for the depth under all budgets; returns how many answers were wider than without.
fn depths(what: &str, pair: Pair) -> usize {
    let [(a, pose_a), (b, pose_b)] = pair;
    let whole = penetration(a.at(pose_a), b.at(pose_b));
    let (again, needed) = depth_under(u64::MAX, pair);
    assert_eq!(again, whole, "{what}");
    assert_eq!(depth_under(needed, pair).0, whole, "{what}");
    let mut wider = 0;
    for nodes in budgets(needed) {
        let (found, spent) = depth_under(nodes, pair);
        assert!(spent <= nodes, "{what}");
        check_depth(&format!("{what} {nodes}"), pair, &whole, &found);
        wider += usize::from(found.signed.width() > whole.signed.width() + ROUNDING);
    }
    wider
}

/// Asks for the contacts under all budgets; returns how many lists were incomplete.
fn contacts(what: &str, pair: Pair) -> usize {
    let [(a, pose_a), (b, pose_b)] = pair;
    let margin = 0.05;
    let whole = Partial { found: manifold(a.at(pose_a), b.at(pose_b), margin), complete: true };
    let mut work = Work::default();
    assert_eq!(work.manifold(a.at(pose_a), b.at(pose_b), margin), whole, "{what}");
    let needed = work.statistics().nodes;
    assert_eq!(contacts_under(needed, pair, margin), whole, "{what}");
    let all = budgets(needed).map(|nodes| contacts_under(nodes, pair, margin));
    all.filter(|found| {
        assert!(!found.complete, "{what}: less than it needs was enough");
        check_contacts(what, pair, &found.found, margin);
        true
    })
    .count()
}

/// The box from (x, −1, −1) to (x + 2, 1, 1), as a solid, a surface and a compound of two halves.
fn cubes(x: f64) -> [Body; 3] {
    let aabb = |from: f64, to: f64| Aabb { min: DVec3::new(from, -1.0, -1.0), max: DVec3::new(to, 1.0, 1.0) };
    let mesh = || Mesh::from_aabb(aabb(x, x + 2.0));
    let half = |from: f64| (Mesh::from_aabb(aabb(from, from + 1.0)).into(), Pose::IDENTITY);
    [solid(mesh()), Body::new(mesh()), Body::new(Compound::new(vec![half(x), half(x + 1.0)]).unwrap())]
}

#[test]
fn cubes_of_known_depth() {
    // Apart, flush, and overlapping by 2 − x, which along the axes is the least way out.
    for (x, signed) in [(3.0, 1.0), (2.0, 0.0), (1.25, -0.75), (0.5, -1.5)] {
        for (a, b) in cubes(0.0).iter().flat_map(|a| cubes(x).map(|b| (a.clone(), b))) {
            let pair = [(&a, &Pose::IDENTITY), (&b, &Pose::IDENTITY)];
            let needed = depth_under(u64::MAX, pair).1;
            for nodes in 0..=needed {
                let found = depth_under(nodes, pair).0.signed;
                let held = found.widened(1e-12).contains(signed);
                assert!(held, "{x} under {nodes} of {needed} nodes: {found:?}");
            }
        }
    }
}

#[test]
fn a_body_inside_a_solid_is_not_said_to_be_apart_from_it() {
    let (outer, inner) = (solid(ball(3, DVec3::ONE)), Body::new(ball(2, DVec3::splat(0.2))));
    let pair = [(&outer, &Pose::IDENTITY), (&inner, &Pose::IDENTITY)];
    let needed = depth_under(u64::MAX, pair).1;
    for nodes in 0..=needed {
        let found = depth_under(nodes, pair).0.signed;
        // The way out along the coarser of two polyhedra: between those of the spheres inside and around.
        assert!(found.lower <= -1.0 && found.upper >= 0.0, "{nodes}: {found:?}");
        let contacts = contacts_under(nodes, pair, 0.0);
        assert!(contacts.found.is_empty() || contacts.complete, "{nodes}: {contacts:?}");
    }
    assert_eq!(contacts_under(u64::MAX, pair, 0.0).found.len(), 1);
}

#[test]
fn a_mesh_on_the_ground_has_the_contacts_of_the_triangles_asked() {
    let (mesh, ground) = (Body::new(ball(3, DVec3::ONE)), Body::new(Halfspace::new(DVec3::Z, -0.9).unwrap()));
    let pair = [(&mesh, &Pose::IDENTITY), (&ground, &Pose::IDENTITY)];
    let found: Vec<_> = (0..=512 / 8).map(|nodes| contacts_under(nodes, pair, 0.0)).collect();
    // A few nodes of the tree, not the 64 of all 512 triangles.
    let needed = found.iter().position(|found| found.complete).unwrap();
    assert!(found[0].found.is_empty() && needed > 1 && needed < 16, "{needed}");
    assert_eq!(found[needed].found, manifold(mesh.at(pair[0].1), ground.at(pair[1].1), 0.0));
}

#[test]
fn a_flag_set_on_the_way_ends_the_search() {
    let (a, b) = (solid(ball(5, DVec3::ONE)), solid(ball(5, DVec3::new(0.9, 1.1, 1.0))));
    let (here, there) = (Pose::IDENTITY, moved(DVec3::new(0.5, 0.1, 0.2)));
    let whole = penetration(a.at(&here), b.at(&there));
    let flag = AtomicBool::new(false);
    let seen = Cell::new(0);
    let watch = |progress: &Progress| {
        // What is said on the way holds the answer.
        let Interval { lower, upper } = progress.bounds;
        assert!(lower <= whole.signed.upper && whole.signed.upper <= upper + 1e-12, "{progress:?}");
        seen.set(seen.get() + 1);
        flag.store(seen.get() == 3, Ordering::Relaxed);
    };
    let mut work = Work::default().cancelled_by(&flag).reporting(&watch);
    let pair = [(&a, &here), (&b, &there)];
    let found = work.penetration_within(a.at(&here), b.at(&there), &Accuracy::default());
    check_depth("cancelled", pair, &whole, &found);
    assert!(seen.get() > 2 && found != whole, "{found:?}");
    flag.store(true, Ordering::Relaxed);
    let mut work = Work::default().cancelled_by(&flag);
    assert_eq!(work.manifold(a.at(&here), b.at(&there), 0.1), Partial { found: Vec::new(), complete: false });
    assert_eq!(work.statistics().nodes, 0);
}

#[test]
fn what_is_said_on_the_way_of_parts_is_not_said_of_the_whole() {
    // The first part is far away from the ball, the second one around it.
    let far = (ball(4, DVec3::ONE).into(), moved(DVec3::X * 9.0));
    let near = (ball(4, DVec3::ONE).into(), Pose::IDENTITY);
    let both = Body::new(Compound::new(vec![far, near]).unwrap());
    let ball = solid(ball(4, DVec3::splat(0.8)));
    let at = moved(DVec3::new(0.3, 0.2, 0.1));
    let signed = penetration(both.at(&Pose::IDENTITY), ball.at(&at)).signed;
    let apart = distance(both.at(&Pose::IDENTITY), ball.at(&at), &DistanceOptions::EXACT).interval;
    let asked = Cell::new(signed);
    let watch = |progress: &Progress| {
        let Interval { lower, upper } = progress.bounds;
        assert!(lower <= asked.get().upper && asked.get().lower <= upper, "{progress:?} {:?}", asked.get());
    };
    let mut work = Work::default().reporting(&watch);
    work.penetration(both.at(&Pose::IDENTITY), ball.at(&at));
    asked.set(apart);
    work.distance(both.at(&Pose::IDENTITY), ball.at(&at), &DistanceOptions::EXACT);
    let small = Body::new(Sphere::new(DVec3::ZERO, 0.1).unwrap());
    asked.set(penetration(Body::new(cube(1.0)).at(&Pose::IDENTITY), small.at(&at)).signed);
    work.penetration(Body::new(cube(1.0)).at(&Pose::IDENTITY), small.at(&at));
}
