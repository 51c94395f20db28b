//! Every ordered pair of shapes on random motions, against the distance at many instants.

use sudar::effort::Budget;
use sudar::motion::Motion;
use sudar::query::{Body, Sweep, SweepOptions, Work, sweep};
use sudar_testing::Random;
use sudar_testing::oracle::setting;
use sudar_testing::zoo::zoo;

use super::motions::{KINDS, check, motion};

fn each(mut test: impl FnMut([&Body; 2], [&Motion; 2], &SweepOptions, &str)) {
    let zoo = zoo();
    for (i, (name_a, a)) in zoo.iter().enumerate() {
        for (j, (name_b, b)) in zoo.iter().enumerate() {
            for case in 0..setting("SUDAR_ORACLE_SWEEPS", 6) {
                let mut rng = Random::new((i * 100 + j) as u64 + 10_000 * case);
                let at = (i + 3 * j + case as usize) % (KINDS.len() * KINDS.len());
                let kinds = [KINDS[at % KINDS.len()], KINDS[at / KINDS.len()]];
                let [m, n] = kinds.map(|kind| motion(&mut rng, kind));
                let separation = if case % 3 == 1 { 0.05 } else { 0.0 };
                let options = SweepOptions::within(1e-6).apart_by(separation);
                let name = format!("{name_a} {} – {name_b} {}, case {case}", kinds[0], kinds[1]);
                test([a, b], [&m, &n], &options, &name);
            }
        }
    }
}

#[test]
fn every_ordered_pair_of_shapes_agrees_with_its_distances() {
    let (mut hits, mut free, mut starts) = (0, 0, 0);
    each(|[a, b], [m, n], options, name| {
        let found = sweep(a.moving(m), b.moving(n), options);
        check([a, b], [m, n], options, &found, 60, name);
        match found {
            Sweep::Hit(impact) if impact.time.upper == 0.0 => starts += 1,
            Sweep::Hit(_) => hits += 1,
            Sweep::Free => free += 1,
            Sweep::Undecided { .. } => {}
        }
    });
    println!("{hits} hits, {starts} from the start, {free} free");
    assert!(hits > 20 && free > 40 && starts > 20);
}

#[test]
fn a_budget_gives_a_certain_time_that_grows() {
    each(|[a, b], [m, n], options, name| {
        let all = sweep(a.moving(m), b.moving(n), options);
        let mut before = 0.0;
        for nodes in [0, 1, 3, 10, 40, 1000] {
            let mut work = Work::new(Budget::nodes(nodes));
            let found = work.sweep(a.moving(m), b.moving(n), options);
            assert!(work.statistics().nodes <= nodes, "{name}");
            if found.decided().is_some() {
                assert_eq!(found, all, "{name}");
            }
            assert!(found.free_until() >= before && found.free_until() <= all.free_until(), "{name}");
            before = found.free_until();
        }
    });
}

#[test]
fn the_other_order_gives_the_same_contact() {
    each(|[a, b], [m, n], options, name| {
        let (found, other) =
            (sweep(a.moving(m), b.moving(n), options), sweep(b.moving(n), a.moving(m), options));
        match (&found, &other) {
            (Sweep::Hit(p), Sweep::Hit(q)) => {
                // Both are at most delta before contact; how long that takes depends on how steeply they meet.
                assert!((p.time.lower - q.time.lower).abs() < 2e-2, "{name}: {p:?} {q:?}");
            }
            _ => assert_eq!(found.decided(), other.decided(), "{name}"),
        }
    });
}
