//! Objects of every shape that come, go, move and change.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rand::RngExt;
use sudar::broad::{self, Handle, Region};
use sudar::effort::Budget;
use sudar::glam::DVec3;
use sudar::many::{Among, CollisionManager, Filter, Object};
use sudar::query::{Body, Penetration, Placed, intersects, penetration, ray, ray_any};
use sudar::{Aabb, Frustum, Pose, Ray, Shape};
use sudar_testing::Random;
use sudar_testing::zoo::zoo;

use super::brute_force::Plain;

/// A scene and its plain counterpart.
struct Both {
    scene: CollisionManager,
    plain: Plain,
    rng: Random,
    zoo: Vec<(&'static str, Body)>,
    drawn: usize,
    far: f64,
}

impl Both {
    fn new(scene: CollisionManager, seed: u64, far: f64) -> Self {
        Self { scene, plain: Plain::default(), rng: Random::new(seed), zoo: zoo(), drawn: 0, far }
    }

    /// An object of the next shape.
    fn draw(&mut self) -> Object {
        let (name, body) = &self.zoo[self.drawn % self.zoo.len()];
        self.drawn += 1;
        let object = Object::new(format!("{name} {}", self.drawn), body.clone(), self.rng.any_pose(self.far));
        let object = if self.drawn.is_multiple_of(5) { object.fixed() } else { object };
        match self.drawn % 7 {
            3 => object.filtered(Filter::new(2, 1)),
            _ => object,
        }
    }

    fn insert(&mut self) {
        let object = self.draw();
        let handle = self.scene.insert(object.clone()).unwrap();
        self.plain.objects.insert(handle, object);
    }

    fn any(&mut self) -> Handle {
        let place = self.rng.random_range(0..self.plain.objects.len());
        *self.plain.objects.keys().nth(place).unwrap()
    }

    fn set_pose(&mut self, handle: Handle, pose: Pose) {
        self.scene.set_pose(handle, pose).unwrap();
        self.plain.objects.get_mut(&handle).unwrap().pose = pose;
    }

    /// Some move a little, some far, some come, go, change or are ignored.
    fn change(&mut self) {
        let handles: Vec<Handle> = self.plain.objects.keys().copied().collect();
        for handle in handles {
            let before = self.plain.objects[&handle].pose;
            match self.rng.random_range(0..8) {
                0 => {
                    let jump = self.rng.any_pose(self.far);
                    self.set_pose(handle, jump);
                }
                1..5 => {
                    let step = Pose::from_translation(self.rng.point() * 0.1).unwrap();
                    self.set_pose(handle, step.after(&before));
                }
                _ => {}
            }
        }
        if self.rng.random_bool(0.3) {
            let clearance = if self.scene.clearance() > 0.0 { 0.0 } else { 0.1 };
            self.scene.set_clearance(clearance).unwrap();
        }
        for _ in 0..8 {
            let (changed, body) = (self.any(), self.draw().body);
            self.scene.replace(changed, body.clone()).unwrap();
            self.plain.objects.get_mut(&changed).unwrap().body = body;
        }
        let gone = self.any();
        self.scene.remove(gone).unwrap();
        self.plain.remove(gone);
        self.insert();
        let (a, b) = (self.any(), self.any());
        if a != b {
            self.scene.ignore(a, b).unwrap();
            self.plain.ignored.insert([a.min(b), a.max(b)]);
        }
    }

    fn compare(&mut self, what: &str) -> usize {
        let clearance = self.scene.clearance();
        let events = self.scene.step();
        let [began, stayed, ended] = self.plain.step(clearance);
        assert_eq!((events.began, events.stayed, events.ended), (began, stayed, ended), "{what}");
        assert!(events.undecided.is_empty());
        let together = self.plain.within(clearance);
        assert_eq!(self.scene.pairs_together(), together);
        let collisions = self.scene.collisions(Among::All);
        assert_eq!(collisions.found.iter().map(|c| c.pair).collect::<Vec<_>>(), together, "{what}");
        assert_eq!(self.scene.first_collision(Among::All).found, together.first().copied());
        for tolerance in [0.0, 0.05, 0.4] {
            let near = self.scene.within(Among::All, tolerance).unwrap();
            assert_eq!(
                near.found.iter().map(|n| n.pair).collect::<Vec<_>>(),
                self.plain.within(tolerance),
                "{what}"
            );
            // Up to what GJK leaves of round bodies.
            for found in &near.found {
                assert!(
                    (found.distance.interval.upper - self.plain.distance(found.pair)).abs() < 1e-9,
                    "{what}"
                );
            }
        }
        assert_eq!(self.scene.pairs_touching(Among::All).found, together, "{what}");
        self.compare_nearest(what);
        self.compare_deepest(what);
        self.compare_one_body(what);
        self.compare_regions(what);
        together.len()
    }

    fn compare_nearest(&mut self, what: &str) {
        let pairs = self.plain.pairs();
        let nearest = self.scene.nearest(Among::All);
        let least = pairs.iter().map(|pair| self.plain.distance(*pair)).min_by(f64::total_cmp);
        let found = nearest.found.unwrap();
        assert!(nearest.complete && (found.distance.interval.upper - least.unwrap()).abs() < 1e-9, "{what}");
        if least == Some(0.0) {
            assert_eq!(Some(found.pair), pairs.into_iter().find(|pair| self.plain.is_within(*pair, 0.0)));
        }
        let object = self.any();
        let of_one = self.scene.nearest(Among::Object(object)).found;
        let own = self.plain.pairs().into_iter().filter(|pair| pair.contains(&object));
        let least = own.map(|pair| self.plain.distance(pair)).min_by(f64::total_cmp);
        assert_eq!(of_one.is_some(), least.is_some());
        assert!(
            of_one.is_none_or(|found| (found.distance.interval.upper - least.unwrap()).abs() < 1e-9),
            "{what}"
        );
    }

    fn compare_deepest(&mut self, what: &str) {
        let most = |pairs: Vec<[Handle; 2]>, plain: &Plain| {
            pairs.into_iter().filter_map(|pair| plain.depth(pair)).max_by(f64::total_cmp)
        };
        let object = self.any();
        let own = self.plain.pairs().into_iter().filter(|pair| pair.contains(&object)).collect();
        for (among, pairs) in [(Among::All, self.plain.pairs()), (Among::Object(object), own)] {
            let (found, most) = (self.scene.deepest(among), most(pairs, &self.plain));
            assert_eq!(found.is_some(), most.is_some(), "{what}");
            let Some((found, most)) = found.zip(most) else { continue };
            assert!((found.penetration.signed.lower + most).abs() < 1e-8, "{what}: {found:?}, {most}");
            assert!((self.plain.depth(found.pair).unwrap() - most).abs() < 1e-8, "{what}");
        }
        let (body, pose) = (self.draw().body, self.rng.any_pose(self.far));
        let depth = |object: &Object| {
            body.convex().and(object.body.convex())?;
            let signed = penetration(body.at(&pose), object.at()).signed;
            (signed.lower < 0.0).then_some(-signed.lower)
        };
        let most = self.plain.objects.values().filter_map(depth).max_by(f64::total_cmp);
        let found = self.scene.deepest_in(body.at(&pose), Filter::new(!0, !0));
        assert_eq!(found.is_some(), most.is_some(), "{what}");
        let near =
            |((_, found), most): ((Handle, Penetration), f64)| (found.signed.lower + most).abs() < 1e-8;
        assert!(found.zip(most).is_none_or(near), "{what}: {found:?}, {most:?}");
    }

    fn compare_one_body(&mut self, what: &str) {
        let (body, pose) = (self.draw().body, self.rng.any_pose(self.far));
        let placed = body.at(&pose);
        let touching = self.scene.touching(placed, Filter::ALL);
        let expected: Vec<Handle> = self.accepted(&self.plain.near(&body, &pose, 0.0));
        assert_eq!((touching.found, touching.undecided.len()), (expected, 0), "{what}");
        let near = self.scene.near(placed, 0.3, Filter::ALL).unwrap();
        let expected = self.accepted(&self.plain.near(&body, &pose, 0.3));
        assert_eq!(near.found.iter().map(|n| n.object).collect::<Vec<_>>(), expected, "{what}");
        let nearest = self.scene.nearest_to(placed, Filter::new(!0, !0)).found.unwrap().distance.interval;
        let least = |placed: Placed| {
            let distance = |object: &Object| {
                let options = sudar::query::DistanceOptions::EXACT;
                sudar::query::distance(
                    placed.body().at(placed.pose()),
                    object.body.at(&object.pose),
                    &options,
                )
                .interval
                .upper
            };
            self.plain.objects.values().map(distance).min_by(f64::total_cmp).unwrap()
        };
        // Filters with mask 1 refuse category 2 alone; all bits set are accepted by all.
        assert!((nearest.upper - least(placed)).abs() < 1e-9, "{what}");
    }

    /// Those that a plain object forms pairs with.
    fn accepted(&self, handles: &[Handle]) -> Vec<Handle> {
        let accepts = |handle: &Handle| self.plain.objects[handle].filter.accepts(Filter::ALL);
        handles.iter().copied().filter(accepts).collect()
    }

    fn compare_regions(&mut self, what: &str) {
        let (p, q) = (self.rng.point() * self.far, self.rng.point() * self.far);
        let all = Filter::new(!0, !0);
        let aabb = Aabb::around([p, q]);
        let view = Frustum::perspective(&self.rng.any_pose(self.far), [0.4, 0.3], 0.3, self.far).unwrap();
        let objects = |is_met: &dyn Fn(&Object) -> bool| -> Vec<Handle> {
            self.plain.objects.iter().filter(|(_, o)| is_met(o)).map(|(handle, _)| *handle).collect()
        };
        let pick = |region: &Region<'_>| self.scene.query_region(region, all).unwrap().found;
        for (region, corners) in [
            (Region::Box(aabb), aabb.corners()),
            (Region::Point(p), [p; 8]),
            (Region::Frustum(&view), *view.corners()),
        ] {
            let body = match corners[0] == corners[7] {
                true => Body::new(Shape::Point(p)),
                false => Body::new(sudar::hull::convex_hull(&corners).unwrap()),
            };
            let met = |o: &Object| intersects(body.at(&Pose::IDENTITY), o.body.at(&o.pose)).is_touching();
            assert_eq!(pick(&region), objects(&met), "{what}");
        }
        let sight = Ray::new(p, q - p).unwrap();
        for most in [1.0, f64::INFINITY] {
            let hit = |o: &Object| ray_any(o.body.at(&o.pose), &sight, most);
            assert_eq!(pick(&Region::Ray(sight, most)), objects(&hit), "{what}");
            let hits = self.plain.objects.iter();
            let hits = hits.filter_map(|(h, o)| Some((*h, ray(o.body.at(&o.pose), &sight, most)?)));
            let first = hits.min_by(|(a, s), (b, t)| s.t.total_cmp(&t.t).then(a.cmp(b)));
            assert_eq!(self.scene.ray(&sight, most, all).found, first, "{what}");
        }
    }
}

#[test]
fn every_query_gives_what_brute_force_gives() {
    for (k, algorithm) in broad::NAMES.into_iter().enumerate() {
        let clearance = [0.0, 0.1][k % 2];
        let scene =
            CollisionManager::with_broad_phase(clearance, broad::by_name(algorithm).unwrap()).unwrap();
        let mut both = Both::new(scene, 17 + k as u64, 4.0);
        (0..48).for_each(|_| both.insert());
        let mut together = 0;
        for step in 0..5 {
            together += both.compare(&format!("{algorithm:?}, step {step}"));
            both.change();
        }
        assert!(together > 50, "{algorithm:?}: {together}");
    }
}

/// Everything that a scene answers in some steps.
fn answers(algorithm: &str, budget: Budget) -> String {
    let phase = broad::by_name(algorithm).unwrap();
    let mut both = Both::new(CollisionManager::with_broad_phase(0.05, phase).unwrap(), 5, 4.0);
    (0..40).for_each(|_| both.insert());
    let mut told = String::new();
    both.scene.set_budget(budget);
    for _ in 0..4 {
        let events = both.scene.step();
        let collisions = both.scene.collisions(Among::All);
        let near = both.scene.within(Among::All, 0.3).unwrap();
        let nearest = both.scene.nearest(Among::All);
        told += &format!("{events:?} {collisions:?} {near:?} {nearest:?}");
        both.change();
    }
    told
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_and_any_broad_phase_gives_the_same_bits() {
    for budget in [Budget::UNLIMITED, Budget::nodes(3)] {
        let on = |threads, algorithm| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| answers(algorithm, budget))
        };
        let one = on(1, "auto");
        assert!(one == on(2, "auto") && one == on(5, "strips"));
        assert!(one == on(3, "bvh"));
    }
}

#[test]
fn a_budget_leaves_open_and_never_answers_wrong() {
    let mut open = 0;
    for nodes in [0, 2, 10, 100] {
        let mut both = Both::new(CollisionManager::default(), 11, 3.0);
        (0..48).for_each(|_| both.insert());
        both.scene.set_budget(Budget::nodes(nodes));
        let together = both.plain.within(0.0);
        let found = both.scene.collisions(Among::All);
        let sure: Vec<_> = found.found.iter().map(|c| c.pair).collect();
        assert!(sure.iter().all(|pair| together.contains(pair)));
        assert!(together.iter().all(|pair| sure.contains(pair) || found.undecided.contains(pair)));
        let near = both.scene.within(Among::All, 0.2).unwrap();
        let within = both.plain.within(0.2);
        assert!(near.found.iter().all(|n| within.contains(&n.pair)));
        assert!(
            within
                .iter()
                .all(|pair| near.found.iter().any(|n| n.pair == *pair) || near.undecided.contains(pair))
        );
        let nearest = both.scene.nearest(Among::All);
        let least =
            both.plain.pairs().into_iter().map(|pair| both.plain.distance(pair)).min_by(f64::total_cmp);
        if let Some(found) = nearest.found {
            assert!(found.distance.interval.contains(least.unwrap()), "{found:?} {least:?}");
        }
        open += found.undecided.len() + near.undecided.len();
    }
    assert!(open > 20, "{open}");
}

#[test]
fn what_is_open_stays_as_it_was() {
    let mut both = Both::new(CollisionManager::default(), 11, 3.0);
    (0..32).for_each(|_| both.insert());
    let before = both.scene.step();
    assert!(!before.began.is_empty() && before.stayed.is_empty());
    let flag = Arc::new(AtomicBool::new(true));
    // All is stopped before the first node, and memories are asked about other poses.
    let handles: Vec<Handle> = both.plain.objects.keys().copied().collect();
    let nudge = Pose::from_translation(DVec3::splat(1e-3)).unwrap();
    for handle in handles {
        let moved = nudge.after(&both.plain.objects[&handle].pose);
        both.set_pose(handle, moved);
    }
    both.scene.set_cancellation(Some(flag));
    let events = both.scene.step();
    assert!(!events.undecided.is_empty());
    for pair in &events.undecided {
        assert_eq!(before.began.contains(pair), events.stayed.contains(pair));
        assert!(!events.began.contains(pair) && !events.ended.contains(pair));
    }
}
