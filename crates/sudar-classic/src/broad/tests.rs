//! Every broad phase beside brute force.

use rand::RngExt;
use sudar::glam::DVec3;

use sudar::broad::{
    self, Boxes as Store, BroadError, BroadPhase, Counters, FoundPairs, Handle, Listing, Mobility, Output,
    PairFinder, Region, candidate_pairs,
};
use sudar::math::Pose;
use sudar::shape::{Aabb, Frustum, Ray};
use sudar_testing::oracle::setting;

use super::testing::{Boxes, Kind};
use super::{ALL, Tuning, broad_phase, broad_phase_with, cells_and_portals};

/// Brute force without any haste, as a broad phase.
#[derive(Clone)]
struct Reference;

impl PairFinder for Reference {
    fn name(&self) -> &str {
        "reference"
    }

    fn gather(&mut self, boxes: &Store, found: &mut FoundPairs) {
        reference(boxes).into_iter().for_each(|[i, j]| found.keep(i, j));
    }
}

/// All pairs one after the other in `f64`, sorted.
fn reference(boxes: &Store) -> Vec<[u32; 2]> {
    let live: Vec<u32> = boxes.live().collect();
    let mut pairs = Vec::new();
    for (k, &i) in live.iter().enumerate() {
        pairs.extend(live[k + 1..].iter().filter(|&&j| boxes.meet(i, j)).map(|&j| [i, j]));
    }
    pairs
}

fn build(name: &str) -> Box<dyn BroadPhase> {
    broad_phase(name).unwrap()
}

fn list(name: &str, boxes: &[Aabb]) -> Result<Listing, BroadError> {
    build(name).list(boxes, Output::Pairs)
}

fn count(name: &str, boxes: &[Aabb]) -> Result<Listing, BroadError> {
    build(name).list(boxes, Output::Count)
}

/// All broad phases side by side, with the reference last.
struct Side {
    phases: Vec<(&'static str, Box<dyn BroadPhase>)>,
    live: Vec<Handle>,
}

impl Side {
    fn new() -> Self {
        Self::of(&ALL)
    }

    fn of(names: &[&'static str]) -> Self {
        let mut phases: Vec<(&str, Box<dyn BroadPhase>)> =
            names.iter().map(|name| (*name, build(name))).collect();
        phases.push(("reference", broad::broad_phase(Reference)));
        Self { phases, live: Vec::new() }
    }

    fn insert(&mut self, aabb: Aabb, mobility: Mobility) {
        let handles: Vec<Handle> =
            self.phases.iter_mut().map(|(_, phase)| phase.insert(aabb, mobility).unwrap()).collect();
        assert!(handles.iter().all(|handle| *handle == handles[0]));
        self.live.push(handles[0]);
    }

    /// Moves all boxes by calls for many.
    fn update_all(&mut self, mut new: impl FnMut(&Aabb) -> Aabb) {
        self.live.sort_unstable();
        let boxes: Vec<Aabb> = (0..self.live.len()).map(|place| new(&self.aabb(place))).collect();
        for (_, phase) in &mut self.phases {
            phase.update_all(&self.live, &boxes).unwrap();
        }
    }

    fn update(&mut self, place: usize, aabb: Aabb) {
        let handle = self.live[place];
        self.phases.iter_mut().for_each(|(_, phase)| phase.update(handle, aabb).unwrap());
    }

    fn remove(&mut self, place: usize) {
        let handle = self.live.swap_remove(place);
        self.phases.iter_mut().for_each(|(_, phase)| phase.remove(handle).unwrap());
    }

    fn aabb(&self, place: usize) -> Aabb {
        self.phases[0].1.aabb(self.live[place]).unwrap()
    }

    fn step_and_compare(&mut self, what: &str) -> usize {
        let (_, reference) = self.phases.last_mut().unwrap();
        let changes = reference.step();
        let (added, removed) = (changes.added.to_vec(), changes.removed.to_vec());
        let pairs = reference.pairs().to_vec();
        for (name, phase) in &mut self.phases {
            if *name != "reference" {
                let changes = phase.step();
                assert_eq!(changes.added, added, "added: {name}, {what}");
                assert_eq!(changes.removed, removed, "removed: {name}, {what}");
            }
            assert_eq!(phase.pairs(), pairs, "{name}, {what}");
        }
        pairs.len()
    }

    fn query_and_compare(&self, region: &Region<'_>, what: &str) -> usize {
        let meets = |handle: &&Handle| region.meets(&self.phases[0].1.aabb(**handle).unwrap());
        let mut expected: Vec<Handle> = self.live.iter().filter(meets).copied().collect();
        expected.sort_unstable();
        for (name, phase) in &self.phases {
            assert_eq!(phase.query(region), expected, "{name}, {what}, {region:?}");
        }
        expected.len()
    }
}

fn compare_on(kind: Kind, n: usize, steps: usize, seed: u64) -> usize {
    compare_side(Side::new(), kind, n, steps, seed)
}

fn compare_side(mut side: Side, kind: Kind, n: usize, steps: usize, seed: u64) -> usize {
    let mut boxes = Boxes::new(kind, n, seed);
    let mut found = 0;
    for i in 0..n {
        let mobility = if i % 5 == 0 { Mobility::Static } else { Mobility::Moving };
        side.insert(boxes.draw(), mobility);
    }
    for step in 0..steps {
        let what = format!("{kind:?}, step {step}, seed {seed}");
        found += side.step_and_compare(&what);
        let view = Frustum::perspective(&Pose::IDENTITY, [0.6, 0.4], 0.5, 30.0).unwrap();
        let (p, q) = (boxes.draw(), boxes.draw());
        let ray = Ray::new(p.min, q.max - p.min).unwrap_or(Ray { origin: p.min, direction: DVec3::X });
        for region in [Region::Box(p), Region::Point(q.min), Region::Ray(ray, 1.0), Region::Frustum(&view)] {
            found += side.query_and_compare(&region, &what);
        }
        // Calm steps, busy ones, and some in which nothing moves.
        let share = [1.0, 0.02, 0.0, 0.3][step % 4];
        for place in 0..side.live.len() {
            if boxes.rng.random_bool(share) {
                let moved = boxes.moved(&side.aabb(place));
                side.update(place, moved);
            }
        }
        for _ in 0..boxes.rng.random_range(0..=n / 16) {
            if side.live.len() > 2 {
                side.remove(boxes.rng.random_range(0..side.live.len()));
            }
        }
        while side.live.len() < n && boxes.rng.random_bool(0.8) {
            side.insert(boxes.draw(), Mobility::Moving);
        }
    }
    found
}

/// `SUDAR_BROAD_STEPS=1000 SUDAR_BROAD_BOXES=500 cargo test --release -p sudar-classic --lib broad` for the long run.
#[test]
fn every_broad_phase_lists_what_brute_force_lists() {
    let steps = setting("SUDAR_BROAD_STEPS", 24);
    let n = setting("SUDAR_BROAD_BOXES", 160);
    for kind in Kind::ALL {
        for (n, steps) in [(n, steps), (7, steps)] {
            let found = compare_on(kind, n, steps, 42);
            assert!(n < 100 || found > steps, "{kind:?}: the test lost its point");
        }
    }
}

/// The longest way to the pairs of boxes that may be empty.
fn brute_force(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    let meet = |a: &Aabb, b: &Aabb| a.min.max(b.min).cmple(a.max.min(b.max)).all();
    let n = boxes.len() as u32;
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j]));
    pairs.filter(|&[i, j]| meet(&boxes[i as usize], &boxes[j as usize])).collect()
}

#[test]
fn candidate_pairs_of_all_kinds_of_scenes_are_those_of_brute_force() {
    for (kind, n) in Kind::ALL.into_iter().flat_map(|kind| [1, 2, 40, 700, 2500].map(|n| (kind, n))) {
        let mut boxes = Boxes::new(kind, n, 7);
        let boxes: Vec<Aabb> = (0..n).map(|_| boxes.draw()).collect();
        let expected = brute_force(&boxes);
        assert_eq!(candidate_pairs(&boxes), expected, "{kind:?}, {n}");
        for algorithm in ["auto", "strips", "bsp"] {
            let listing = list(algorithm, &boxes).unwrap();
            assert_eq!(listing.pairs, expected, "{algorithm}, {kind:?}, {n}");
        }
    }
}

/// More than are put into strips at a time.
#[test]
fn strips_of_several_chunks_list_what_a_tree_lists() {
    for kind in [Kind::Uniform, Kind::ManySizes] {
        let mut boxes = Boxes::new(kind, 70_000, 3);
        let boxes: Vec<Aabb> = (0..70_000).map(|_| boxes.draw()).collect();
        let pairs = candidate_pairs(&boxes);
        assert!(pairs.len() > 1000 && pairs == list("kd", &boxes).unwrap().pairs, "{kind:?}");
    }
}

#[test]
fn boxes_that_move_little_for_long_are_followed() {
    for (kind, share) in
        [(Kind::Uniform, 0.0), (Kind::Clustered, 0.5), (Kind::ManySizes, 0.02), (Kind::FarAway, 0.0)]
    {
        let mut boxes = Boxes::new(kind, 400, 11);
        let mut side = Side::new();
        (0..400).for_each(|_| side.insert(boxes.draw(), Mobility::Moving));
        for step in 0..30 {
            side.step_and_compare(&format!("{kind:?}, step {step}"));
            let drift = DVec3::new(0.011, -0.007, 0.013) * if step % 10 == 9 { 30.0 } else { 1.0 };
            let mut sign = 1.0;
            side.update_all(|aabb| {
                sign = -sign;
                let jump = if boxes.rng.random_bool(share / 100.0) { DVec3::splat(2.0) } else { DVec3::ZERO };
                Aabb { min: aabb.min + drift * sign + jump, max: aabb.max + drift * sign + jump }
            });
            if step % 7 == 3 {
                side.remove(step);
            }
            if step == 20 {
                side.insert(boxes.draw(), Mobility::Moving);
            }
        }
    }
}

/// Boxes go straight on for longer than courses are made for; lattices touch and end to touch exactly, or
/// miss by an ulp.
#[test]
fn boxes_on_straight_courses_are_followed_from_agenda_to_agenda() {
    for kind in Kind::ALL {
        let mut boxes = Boxes::new(kind, 500, 31);
        let mut side = Side::of(&["strips"]);
        (0..500).for_each(|k| {
            side.insert(boxes.draw(), if k % 9 == 0 { Mobility::Static } else { Mobility::Moving });
        });
        let ways: Vec<DVec3> = (0..500)
            .map(|_| {
                DVec3::from_array(std::array::from_fn(|_| f64::from(boxes.rng.random_range(-2..=2)) / 256.0))
            })
            .collect();
        let mut followed = 0;
        for step in 0..80 {
            side.step_and_compare(&format!("{kind:?}, step {step}"));
            let counters = side.phases[0].1.counters();
            followed += usize::from(counters.visits > 0 && counters.swaps == 0);
            let mut way = ways.iter();
            side.update_all(|aabb| {
                let way = *way.next().unwrap();
                // One end turns back by an ulp now and then.
                let max = if step % 5 == 0 { (aabb.max + way).map(f64::next_down) } else { aabb.max + way };
                Aabb { min: aabb.min + way, max: max.max(aabb.min + way) }
            });
            if step == 40 {
                (0..5).for_each(|k| side.remove(50 * k));
            }
        }
        assert!(followed > 40, "{kind:?}: the test lost its point, {followed} steps were followed");
    }
}

/// The next agenda is made part by part while boxes move; a pair whose overlap moves from one part of space
/// into another meanwhile was once in none.
#[test]
fn no_pair_is_lost_between_parts_of_space() {
    let mut boxes = Boxes::new(Kind::Uniform, 12_000, 5);
    let mut now: Vec<Aabb> = (0..12_000).map(|_| boxes.draw()).collect();
    let mut way = || DVec3::from_array(std::array::from_fn(|_| boxes.rng.random_range(-0.05..0.05)));
    let ways: Vec<DVec3> = now.iter().map(|_| way()).collect();
    let mut phase = build("strips");
    let handles: Vec<_> = now.iter().map(|aabb| phase.insert(*aabb, Mobility::Moving).unwrap()).collect();
    for step in 0..60 {
        phase.step();
        // After the second agenda took over.
        if step % 15 == 14 {
            assert!(phase.pairs() == candidate_pairs(&now), "step {step}");
        }
        for (aabb, way) in now.iter_mut().zip(&ways) {
            *aabb = Aabb { min: aabb.min + *way, max: aabb.max + *way };
        }
        phase.update_all(&handles, &now).unwrap();
    }
}

#[test]
fn infinite_and_empty_boxes_are_no_trouble() {
    let half_space = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY.with_z(2.0) };
    let mut boxes: Vec<Aabb> = (0..300)
        .map({
            let mut lattice = Boxes::new(Kind::TouchingLattice, 300, 7);
            move |_| lattice.draw()
        })
        .collect();
    boxes.extend([half_space, Aabb::EMPTY, half_space]);
    assert_eq!(candidate_pairs(&boxes), brute_force(&boxes));
    assert_eq!(candidate_pairs(&[Aabb::EMPTY, Aabb::EMPTY]), [[0; 2]; 0]);
    assert_eq!(candidate_pairs(&[half_space, half_space]), [[0, 1]]);
    assert_eq!(candidate_pairs(&[]), [[0; 2]; 0]);
    // Each algorithm holds them too.
    let mut side = Side::new();
    boxes.iter().filter(|b| !b.is_empty()).for_each(|b| side.insert(*b, Mobility::Moving));
    assert!(side.step_and_compare("half-spaces") > 300);
    side.update(3, half_space);
    side.update(300, boxes[3]);
    side.step_and_compare("half-spaces that come and go");
    side.query_and_compare(&Region::Point(DVec3::ONE), "half-spaces");
}

#[test]
fn what_is_no_box_is_refused_by_name_and_changes_nothing() {
    let unit = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
    let nan = Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, f64::NAN, 1.0) };
    let inverted = Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, 1.0, -1.0) };
    for algorithm in ALL {
        assert_eq!(list(algorithm, &[unit, nan]), Err(BroadError::NotANumber { object: 1 }));
        let many = [vec![unit; 200], vec![inverted]].concat();
        assert_eq!(list(algorithm, &many), Err(BroadError::Inverted { object: 200, axis: 2 }));
        let mut phase = build(algorithm);
        assert!(phase.is_empty() && phase.query(&Region::Box(unit)).is_empty() && phase.pairs().is_empty());
        let a = phase.insert(unit, Mobility::Moving).unwrap();
        let b = phase.insert(unit, Mobility::Moving).unwrap();
        phase.step();
        assert_eq!(phase.insert(nan, Mobility::Moving), Err(BroadError::NotANumber { object: 2 }));
        assert_eq!(
            phase.insert(inverted, Mobility::Static),
            Err(BroadError::Inverted { object: 2, axis: 2 })
        );
        assert_eq!(phase.update(b, nan), Err(BroadError::NotANumber { object: 1 }));
        let far = Aabb { min: DVec3::splat(5.0), max: DVec3::splat(6.0) };
        assert_eq!(
            phase.update_all(&[a, b], &[far, inverted]),
            Err(BroadError::Inverted { object: 1, axis: 2 })
        );
        assert_eq!(phase.update_all(&[a], &[]), Err(BroadError::Lengths { handles: 1, boxes: 0 }));
        let changes = phase.step();
        assert!(changes.added.is_empty() && changes.removed.is_empty());
        assert_eq!((phase.pairs(), phase.len(), phase.aabb(a)), (&[[0, 1]][..], 2, Ok(unit)));
        phase.remove(a).unwrap();
        assert_eq!(phase.update(a, unit), Err(BroadError::Unknown { handle: a }));
        assert_eq!(phase.remove(a), Err(BroadError::Unknown { handle: a }));
        // Within a step the number is not used again: the pair that ends is not taken for one that begins.
        let c = phase.insert(unit, Mobility::Moving).unwrap();
        assert_eq!(c.index(), 2);
        let changes = phase.step();
        assert_eq!((changes.added, changes.removed), (&[[1, 2]][..], &[[0, 1]][..]));
        let d = phase.insert(unit, Mobility::Moving).unwrap();
        assert_eq!((d.index(), d.generation()), (0, 1));
    }
}

#[test]
fn names_are_those_of_query_files() {
    let expected = [
        "auto",
        "brute",
        "axis",
        "intervals",
        "sap",
        "grid2d",
        "grid3d",
        "uniform",
        "hash",
        "quadtree",
        "octree-dup",
        "octree",
        "kd",
        "bsp",
        "bvh",
        "strips",
    ];
    assert_eq!(ALL, expected);
    assert!(ALL.into_iter().all(|name| build(name).name() == name));
    assert!(broad_phase("none").is_err());
}

/// Candidates that were certain to stay a pair must not outlive their objects, nor boxes that shrink in place.
#[test]
fn strips_forget_what_is_removed_or_shrinks_while_little_moves() {
    let mut boxes = Boxes::new(Kind::Clustered, 600, 23);
    let mut side = Side::new();
    (0..600).for_each(|_| side.insert(boxes.draw(), Mobility::Moving));
    let mut sign = 1.0;
    for step in 0..24 {
        side.step_and_compare(&format!("step {step}"));
        sign = -sign;
        let drift = DVec3::splat(0.004 * sign);
        side.update_all(|aabb| Aabb { min: aabb.min + drift, max: aabb.max + drift });
        if step % 3 == 1 {
            side.remove(step * 7);
        }
        if step % 5 == 4 {
            let (place, center) = (step * 11, side.aabb(step * 11).center());
            side.update(place, Aabb { min: center, max: center });
        }
    }
}

#[test]
fn the_choice_follows_what_is_done() {
    let mut boxes = Boxes::new(Kind::Uniform, 400, 5);
    let mut phase = build("auto");
    let handles: Vec<Handle> =
        (0..400).map(|_| phase.insert(boxes.draw(), Mobility::Moving).unwrap()).collect();
    let mut chosen = |searches: usize, few: bool| {
        for _ in 0..8 {
            for handle in handles.iter().take(if few { 3 } else { 400 }) {
                let aabb = phase.aabb(*handle).unwrap();
                let way = DVec3::splat(boxes.rng.random_range(-0.01..0.01));
                phase.update(*handle, Aabb { min: aabb.min + way, max: aabb.max + way }).unwrap();
            }
            phase.step();
            (0..searches).for_each(|_| drop(phase.query(&Region::Point(DVec3::ONE))));
        }
        phase.choice().algorithm
    };
    assert_eq!(chosen(0, false), "strips");
    assert_eq!(chosen(0, true), "strips");
    assert_eq!(chosen(20, true), "bvh");
    assert_eq!(chosen(20, false), "strips");
    assert!(phase.choice().reason.starts_with("strips because 400 of 400 boxes changed"));
}

/// Strips were laid out as if clusters filled the space between them, and each held far too many boxes.
#[test]
fn clusters_far_apart_are_not_taken_for_one_even_scene() {
    let tests = |kind: Kind| {
        let mut boxes = Boxes::new(kind, 3000, 3);
        let boxes: Vec<Aabb> = (0..3000).map(|_| boxes.draw()).collect();
        let found = list("strips", &boxes).unwrap();
        assert_eq!(found.pairs, brute_force(&boxes));
        found.counters.tests as f64 / found.pairs.len() as f64
    };
    let (even, clustered) = (tests(Kind::Uniform), tests(Kind::Clustered));
    assert!(clustered < 2.0 * even, "{clustered} tests a pair, {even} in an even scene");
}

/// Strips began anew in every step in which some boxes jumped, however few.
#[test]
fn where_few_boxes_jump_trees_are_chosen_for_the_pairs_alone() {
    let mut boxes = Boxes::new(Kind::Uniform, 600, 11);
    let mut phase = build("auto");
    let handles: Vec<Handle> =
        (0..600).map(|_| phase.insert(boxes.draw(), Mobility::Moving).unwrap()).collect();
    for (share, chosen) in [(50, "bvh"), (1, "strips"), (50, "strips")] {
        for step in 0..12 {
            for handle in handles.iter().skip(step).step_by(share) {
                phase.update(*handle, boxes.draw()).unwrap();
            }
            phase.step();
        }
        assert_eq!(phase.choice().algorithm, chosen, "{}", phase.choice().reason);
    }
}

/// Boxes were grown by a share of their mean size, which a few that span the scene made larger than the
/// distances of all others.
#[test]
fn a_few_huge_boxes_do_not_make_candidates_of_all() {
    let mut boxes = Boxes::new(Kind::OneHuge, 1000, 7);
    let mut phase = build("strips");
    let handles: Vec<Handle> =
        (0..1000).map(|_| phase.insert(boxes.draw(), Mobility::Moving).unwrap()).collect();
    phase.step();
    for _ in 0..4 {
        for handle in &handles {
            let aabb = phase.aabb(*handle).unwrap();
            let way = DVec3::splat(boxes.rng.random_range(-0.01..0.01));
            phase.update(*handle, Aabb { min: aabb.min + way, max: aabb.max + way }).unwrap();
        }
        phase.step();
    }
    assert!(phase.counters().tests < 2 * phase.pairs().len() as u64, "{:?}", phase.counters());
}

#[test]
fn pairs_are_counted_as_they_are_listed() {
    for (kind, n) in Kind::ALL.into_iter().flat_map(|kind| [2, 40, 700].map(|n| (kind, n))) {
        let mut boxes = Boxes::new(kind, n, 5);
        let boxes: Vec<Aabb> = (0..n).map(|_| boxes.draw()).collect();
        let expected = brute_force(&boxes).len() as u64;
        for algorithm in ALL {
            assert_eq!(counted(build(algorithm), &boxes), expected, "{algorithm}, {kind:?}, {n}");
            assert_eq!(counted(used(build(algorithm)), &boxes), expected, "{algorithm}, {kind:?}, {n}, used");
        }
        assert_eq!(counted(broad::broad_phase(Reference), &boxes), expected);
        assert_eq!(counted(used(broad::broad_phase(Reference)), &boxes), expected);
    }
}

fn counted(phase: Box<dyn BroadPhase>, boxes: &[Aabb]) -> u64 {
    let listing = phase.list(boxes, Output::Count).unwrap();
    assert!(listing.pairs.is_empty());
    listing.count
}

/// A phase whose only pair has been removed.
fn used(mut phase: Box<dyn BroadPhase>) -> Box<dyn BroadPhase> {
    let unit = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
    let handles = [0, 1].map(|_| phase.insert(unit, Mobility::Moving).unwrap());
    assert_eq!(phase.step().added.len(), 1);
    handles.into_iter().for_each(|handle| phase.remove(handle).unwrap());
    phase
}

/// Every pair of n boxes at one place, more of them than are counted at a time, and boxes that just touch at
/// their corners.
#[test]
fn identical_boxes_are_counted_without_a_list() {
    let unit = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
    for algorithm in ALL {
        let n = 4000;
        let counted = count(algorithm, &vec![unit; n]).unwrap();
        assert_eq!(counted.count, (n * (n - 1) / 2) as u64, "{algorithm}");
        // A byte a pair and a list of ends, where a hash took 36.
        assert!(counted.memory < 2 * n * n, "{algorithm}: {} bytes", counted.memory);
        let corner = Aabb { min: DVec3::ONE, max: DVec3::splat(2.0) };
        let counted = count(algorithm, &[unit, corner, corner, unit]).unwrap();
        assert_eq!(counted.count, 6, "{algorithm}");
    }
}

/// A huge box made the cells of all others so large that they lay in one: then 20 000 boxes were compared
/// with each other.
#[test]
fn one_huge_box_leaves_the_cells_of_small_ones_small() {
    let n = 20_000;
    let mut boxes: Vec<Aabb> = (0..n)
        .map(|i| {
            let min = DVec3::new(f64::from(i % 27), f64::from(i / 27 % 27), f64::from(i / 729));
            Aabb { min, max: min + 0.9 }
        })
        .collect();
    for huge in [1e3, 1e6, 1e9, f64::INFINITY] {
        boxes.push(Aabb { min: DVec3::splat(-huge), max: DVec3::splat(huge) });
        for algorithm in ["uniform", "hash"] {
            let listing = list(algorithm, &boxes).unwrap();
            assert_eq!(listing.count, n as u64, "{algorithm}");
            assert!(listing.counters.operations() < 40 * n as u64, "{algorithm}: {:?}", listing.counters);
        }
        boxes.pop();
    }
}

/// Boxes over the middle of an octree of one level lie in all its leaves: there they are inserted and compared
/// once a leaf (Dimitrijević 2019, figure 3.2), unless copies are spared.
#[test]
fn copies_in_an_octree_are_inserted_and_compared_in_every_leaf() {
    let unit = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
    let counted = |spares_copies: bool| {
        let tuning = Tuning { leaf_size: 1, depth: 1, spares_copies };
        let phase = broad_phase_with("octree-dup", tuning).unwrap();
        let listing = phase.list(&[unit; 2], Output::Pairs).unwrap();
        assert_eq!(listing.pairs, [[0, 1]]);
        let Counters { tests, visits, swaps } = listing.counters;
        [tests, visits, swaps]
    };
    // Two boxes into the root, then both into eight leaves.
    assert_eq!(counted(false), [8, 9, 2 + 16]);
    assert_eq!(counted(true), [1, 1, 2]);
}

/// A cluster costs an octree with duplicates many times what it costs one without (Dimitrijević 2019, figure 5.6).
#[test]
fn a_cluster_is_copied_into_many_leaves_but_not_without_end() {
    let unit = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
    let tests = |name: &str| list(name, &[unit; 400]).unwrap().counters.tests;
    let (with, without) = (tests("octree-dup"), tests("octree"));
    assert_eq!(without, 400 * 399 / 2);
    assert!((8..=64).contains(&(with / without)), "{with} {without}");
}

/// Sticks in a bundle lie in every leaf along it: copies are made up to a limit.
#[test]
fn a_bundle_of_sticks_is_not_copied_without_end_into_leaves_of_an_octree() {
    let stick = |i: u32| {
        let min = DVec3::new(f64::from(i % 30), f64::from(i / 30), 0.0) * 0.01;
        Aabb { min, max: min + DVec3::new(0.005, 0.005, 1000.0) }
    };
    let sticks: Vec<Aabb> = (0..900).map(stick).collect();
    let start = std::time::Instant::now();
    let listing = list("octree-dup", &sticks).unwrap();
    assert_eq!(listing.count, 0);
    let with_all = start.elapsed();
    let start = std::time::Instant::now();
    assert_eq!(brute_force(&sticks).len(), 0);
    // In each of 2¹⁰ leaves it would take 2¹⁰ times as long as this.
    assert!(with_all < 300 * start.elapsed(), "{with_all:?}");
}

/// Rooms side by side on a floor of `n` by `n`, some left out.
fn rooms(n: usize, size: f64, is_room: impl Fn(usize) -> bool) -> Vec<Aabb> {
    let corner = |i: usize| DVec3::new((i % n) as f64, (i / n) as f64, 0.0) * size - DVec3::splat(2.0);
    let room = |i: usize| Aabb { min: corner(i), max: corner(i) + DVec3::new(size, size, 30.0) };
    (0..n * n).filter(|i| is_room(*i)).map(room).collect()
}

#[test]
fn cells_and_portals_pair_what_moves_through_rooms_and_walls() {
    let every = |_: usize| true;
    let some = |i: usize| i % 3 != 1;
    let halls = vec![Aabb { min: DVec3::splat(-5.0), max: DVec3::splat(60.0) }];
    for (cells, kinds) in [
        (rooms(4, 4.0, every), &Kind::ALL[..]),
        (rooms(4, 4.0, some), &Kind::ALL[..]),
        (halls, &[Kind::Uniform, Kind::ManySizes]),
        (Vec::new(), &[Kind::Uniform]),
    ] {
        for (seed, kind) in (0..).zip(kinds) {
            let mut side = Side::of(&["brute"]);
            side.phases.insert(0, ("portals", cells_and_portals(cells.clone())));
            let pairs = compare_side(side, *kind, 150, 12, seed);
            assert!(pairs > 0, "{kind:?}");
        }
    }
}

#[test]
fn a_room_is_not_compared_with_the_next() {
    // Ten rooms of ten objects, none at a door: 10·45 comparisons instead of 4950.
    let cells = rooms(10, 10.0, |i| i < 10);
    let mut phase = cells_and_portals(cells.clone());
    for i in 0..100 {
        let min = cells[i / 10].min + DVec3::new(1.0, 1.0, 1.0) + DVec3::splat(0.6) * (i % 10) as f64;
        phase.insert(Aabb { min, max: min + DVec3::splat(0.5) }, Mobility::Moving).unwrap();
    }
    phase.step();
    assert_eq!((phase.counters().tests, phase.counters().visits, phase.counters().swaps), (450, 100, 100));
}

/// Cells are for pictures: what is drawn is where the boxes are.
#[test]
fn cells_hold_the_centres_of_all_boxes() {
    let mut with_cells = Vec::new();
    for name in ALL {
        let mut side = Side::of(&[name]);
        let mut boxes = Boxes::new(Kind::Uniform, 300, 5);
        (0..300).for_each(|_| side.insert(boxes.draw(), Mobility::Moving));
        side.step_and_compare("cells");
        let cells = side.phases[0].1.cells();
        for place in 0..300 {
            let center = side.aabb(place).center();
            assert!(
                cells.is_empty() || cells.iter().any(|(_, cell)| cell.contains(center)),
                "{name}: {place}"
            );
        }
        let (deepest, all) = (cells.iter().map(|(level, _)| *level).max(), cells.len());
        let whole: Vec<&Aabb> = cells.iter().filter(|(level, _)| *level == 0).map(|(_, cell)| cell).collect();
        if deepest > Some(0) {
            let inside = |cell: &Aabb| {
                whole.iter().any(|w| w.min.cmple(cell.min).all() && cell.max.cmple(w.max).all())
            };
            assert!(whole.len() <= 2 && cells.iter().all(|(_, cell)| inside(cell)), "{name}: {all}");
        }
        with_cells.extend((all > 0).then_some(name));
    }
    let expected =
        ["grid2d", "grid3d", "uniform", "hash", "quadtree", "octree-dup", "octree", "kd", "bsp", "bvh"];
    assert_eq!(with_cells, expected);
}
