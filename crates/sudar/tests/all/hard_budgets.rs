//! Every verb keeps its budget on meshes that are hard: one triangle many times, fans, piles of coplanar
//! triangles, needles, nested shells. No more nodes than allowed, and an answer that holds.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::time::{Duration, Instant};

use glam::DVec3;
use sudar::convex::Accuracy;
use sudar::effort::{Budget, Partial};
use sudar::query::{Body, DistanceOptions, Work};
use sudar::{Capsule, Compound, Cylinder, Halfspace, Interval, Mesh, Pose, Ray, Shape, Sphere};
use sudar_testing::Random;
use sudar_testing::meshes::{ball, fan, solid, soup};

/// Bodies with a shift of a second one.
fn hard(n: u32) -> Vec<(&'static str, Body, DVec3)> {
    let mut rng = Random::new(8);
    let same = soup((0..n).flat_map(|_| [DVec3::ZERO, DVec3::X, DVec3::Y]).collect());
    let pile = (0..n).flat_map(|_| {
        let center = rng.point() * 0.5;
        [(); 3].map(|()| (center + rng.point() * 0.3) * DVec3::new(1.0, 1.0, 0.0))
    });
    let pile = soup(pile.collect());
    let needles = (0..n).flat_map(|_| {
        let (middle, half) = (rng.point(), rng.point());
        [middle - half, middle + half, middle + half + rng.point() * (1e-4)]
    });
    let needles = soup(needles.collect());
    let shells: Vec<Mesh> = (0..6).map(|i| ball(2, DVec3::splat(1.0 - 0.05 * f64::from(i)))).collect();
    let shells = Mesh::joined(&shells).unwrap();
    vec![
        ("same", Body::new(same.clone()), DVec3::new(0.1, 0.1, 0.0)),
        ("same above", Body::new(same), DVec3::new(0.1, 0.1, 0.5)),
        ("fan", Body::new(fan(n)), DVec3::new(0.1, 0.0, 0.0)),
        ("fan above", Body::new(fan(n)), DVec3::Z),
        ("pile", Body::new(pile.clone()), DVec3::X * 0.01),
        ("pile above", Body::new(pile), DVec3::Z * 1e-3),
        ("needles", Body::new(needles), DVec3::new(0.3, 0.1, 0.2)),
        ("shells", solid(shells), DVec3::new(0.003, 0.002, 0.001)),
    ]
}

fn partners(own: &Body) -> Vec<(&'static str, Body)> {
    let globe: Shape = ball(2, DVec3::splat(0.7)).into();
    let at = |i: i32| Pose::from_translation(DVec3::X * 0.05 * f64::from(i)).unwrap();
    let compound = Compound::new((0..4).map(|i| (globe.clone(), at(i))).collect()).unwrap();
    vec![
        ("itself", own.clone()),
        ("sphere", Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap())),
        ("capsule", Body::new(Capsule::new(0.2, 0.5).unwrap())),
        ("cylinder", Body::new(Cylinder::new(0.2, 0.5).unwrap())),
        ("ground", Body::new(Halfspace::new(DVec3::Z, 0.0).unwrap())),
        ("compound", Body::new(compound)),
    ]
}

/// What an answer under a budget says.
#[derive(Debug)]
enum Said {
    /// A yes or no, if known.
    Decided(Option<bool>),
    /// Bounds on one number.
    Within(Interval),
    /// How many things are listed, and whether that is all.
    Listed(usize, bool),
}

use Said::{Decided, Listed, Within};

fn listed<T>(all: &Partial<Vec<T>>) -> Said {
    Listed(all.found.len(), all.complete)
}

type Verb = (&'static str, fn(&mut Work, &Body, &Body, &Pose) -> Said);

const HERE: &Pose = &Pose::IDENTITY;

fn down() -> Ray {
    Ray { origin: DVec3::new(0.1, 0.1, 5.0), direction: -DVec3::Z }
}

fn along() -> Ray {
    Ray { origin: DVec3::new(-5.0, 0.1, 0.0), direction: DVec3::X }
}

const BESIDE: DVec3 = DVec3::new(0.1, 0.2, 0.5);

const OF_PAIRS: [Verb; 12] = [
    ("intersects", |w, a, b, p| Decided(w.intersects(a.at(HERE), b.at(p)).decided())),
    ("contacts", |w, a, b, p| listed(&w.contacts(a.at(HERE), b.at(p)))),
    ("triangles_touching", |w, a, b, p| listed(&w.triangles_touching(a.at(HERE), b.at(p)))),
    ("distance", |w, a, b, p| Within(w.distance(a.at(HERE), b.at(p), &DistanceOptions::EXACT).interval)),
    ("within a hair", |w, a, b, p| Decided(w.within(a.at(HERE), b.at(p), 5e-4).decided())),
    ("within", |w, a, b, p| Decided(w.within(a.at(HERE), b.at(p), 0.75).decided())),
    ("local_minima", |w, a, b, p| listed(&w.local_minima(a.at(HERE), b.at(p), 1.5))),
    ("local_minima back", |w, a, b, p| listed(&w.local_minima(b.at(p), a.at(HERE), 1.5))),
    ("prominent_minima", |w, a, b, p| listed(&w.prominent_minima(a.at(HERE), b.at(p), 1.5, 0.1))),
    ("penetration", |w, a, b, p| Within(w.penetration(a.at(HERE), b.at(p)).signed)),
    ("depth_along", |w, a, b, p| {
        Within(w.depth_along(a.at(HERE), b.at(p), DVec3::ONE, &Accuracy::default()))
    }),
    ("surface_depth", |w, a, b, p| match w.surface_depth(b.at(p), a.at(HERE), &Accuracy::default()) {
        Ok(depth) => Within(depth.interval),
        Err(_) => Decided(None),
    }),
];

const OF_ONE: [Verb; 10] = [
    ("self_intersections", |w, a, _, _| listed(&w.self_intersections(a.at(HERE)))),
    ("self_intersects", |w, a, _, _| Decided(w.self_intersects(a.at(HERE)).decided())),
    ("ray", |w, a, _, _| {
        let hit = w.ray(a.at(HERE), &down(), 100.0);
        Listed(usize::from(hit.found.is_some()), hit.complete)
    }),
    ("ray along", |w, a, _, _| {
        let hit = w.ray(a.at(HERE), &along(), 100.0);
        Listed(usize::from(hit.found.is_some()), hit.complete)
    }),
    ("ray_all", |w, a, _, _| listed(&w.ray_all(a.at(HERE), &down(), 100.0))),
    ("ray_any", |w, a, _, _| {
        let hit = w.ray_any(a.at(HERE), &down(), 100.0);
        Decided((hit.found || hit.complete).then_some(hit.found))
    }),
    ("closest_point", |w, a, _, _| Within(w.closest_point(a.at(HERE), BESIDE).distance)),
    ("contains", |w, a, _, _| Decided(w.contains(a.at(HERE), BESIDE).ok().flatten())),
    ("winding_number", |w, a, _, _| Within(w.winding_number(a.at(HERE), BESIDE, 1e-9))),
    ("contains_by_winding", |w, a, _, _| {
        w.contains_by_winding(a.at(HERE), BESIDE);
        Decided(None)
    }),
];

/// The answer under a budget holds if that without one does.
fn holds(hasty: &Said, whole: &Said) -> bool {
    match (hasty, whole) {
        (Decided(hasty), Decided(whole)) => hasty.is_none() || hasty == whole,
        (Within(hasty), Within(whole)) => {
            let in_order = hasty.lower <= hasty.upper;
            // The parts of a depth that are found early may differ by rounding.
            in_order && hasty.lower <= whole.upper + 1e-9 && whole.lower <= hasty.upper + 1e-9
        }
        (&Listed(some, complete), &Listed(all, _)) => {
            if complete {
                some == all
            } else {
                some <= all
            }
        }
        (_, _) => false,
    }
}

/// Number of nodes up to which the whole answer is found for comparison.
const WHOLE: u64 = 200_000;

#[test]
fn every_verb_keeps_its_nodes_and_says_what_is_true() {
    let (mut cut_short, mut faults) = (0, Vec::new());
    for (name, a, shift) in hard(60) {
        let pose = Pose::from_translation(shift).unwrap();
        for (partner, b) in partners(&a) {
            let verbs = OF_PAIRS.iter().chain(OF_ONE.iter().filter(|_| partner == "itself"));
            for (verb, ask) in verbs {
                let what = format!("{name} {partner} {verb}");
                let mut work = Work::new(Budget::nodes(WHOLE));
                let whole = ask(&mut work, &a, &b, &pose);
                let needed = work.statistics().nodes;
                for nodes in [0, 1, 7, 40, 300, 2000] {
                    let mut work = Work::new(Budget::nodes(nodes));
                    let said = ask(&mut work, &a, &b, &pose);
                    let spent = work.statistics().nodes;
                    let at_its_end = work.was_stopped() || spent == needed;
                    if spent > nodes || !at_its_end || !holds(&said, &whole) {
                        faults.push(format!("{what}, {spent} of {nodes}: {said:?}, {needed}: {whole:?}"));
                    }
                    cut_short += usize::from(work.was_stopped());
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(cut_short > 500, "{cut_short}");
}

/// Far more than the limit, for the machine may be busy; without a look at the clock these take minutes.
#[test]
fn a_time_limit_ends_what_would_take_minutes() {
    for (name, a, shift) in hard(3000) {
        let pose = Pose::from_translation(shift).unwrap();
        for (verb, ask) in OF_PAIRS.iter().chain(&OF_ONE) {
            // What is built on first use.
            ask(&mut Work::new(Budget::nodes(50)), &a, &a, &pose);
            let start = Instant::now();
            ask(&mut Work::new(Budget::time(Duration::from_millis(5))), &a, &a, &pose);
            assert!(start.elapsed() < Duration::from_secs(2), "{name} {verb}: {:?}", start.elapsed());
        }
    }
}

/// All triangles around the centre were looked at for each of them, which took seconds whatever time was allowed.
#[test]
fn contacts_of_a_great_fan_look_at_its_star_once_and_keep_their_time() {
    let bent = fan(20_000);
    let raised =
        bent.vertices().iter().enumerate().map(|(i, v)| *v + DVec3::Z * f64::from(i as u32 % 2) * 0.3);
    let body = Body::new(Mesh::new(raised.collect(), bent.triangles().to_vec()).unwrap());
    let ground = Body::new(Halfspace::new(DVec3::Z, 0.0).unwrap());
    let cylinder = Body::new(Cylinder::new(0.6, 0.5).unwrap());
    let here = Pose::IDENTITY;
    let above = Pose::from_translation(DVec3::Z * 0.4).unwrap();
    for budget in [Budget::UNLIMITED, Budget::time(Duration::from_millis(20))] {
        let start = Instant::now();
        let found = Work::new(budget).manifold(body.at(&here), ground.at(&here), 0.0);
        assert!(found.complete || budget.time.is_some());
        Work::new(Budget::time(Duration::from_millis(20))).manifold(body.at(&here), cylinder.at(&above), 0.0);
        Work::new(Budget::time(Duration::from_millis(20))).manifold(body.at(&here), body.at(&above), 0.0);
        assert!(start.elapsed() < Duration::from_secs(3), "{budget:?} {:?}", start.elapsed());
    }
}
