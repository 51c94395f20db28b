//! Rays, boxes and moving shapes against all bodies of a world.

use glam::DVec3;

use super::World;
use crate::broad::{Handle, Seek, visit_all_along, visit_along};
use crate::dynamics::matter::{BodyState, Rigid, RigidBody};
use crate::dynamics::stage::boxes;
use crate::effort::Meter;
use crate::many::{Best, Standing, Wants};
use crate::math::par::map_into;
use crate::math::{Pose, PoseError};
use crate::pair::aabb_aabb;
use crate::query::{
    Batch, Body, CastHit, Distance, DistanceOptions, Halving, Moving, Placed, RayHit, Sweep, SweepOptions,
    distance, intersects, visit_by, visit_meeting,
};
use crate::shape::{Aabb, Ray};

/// Questions that a thread takes at a time.
const QUESTIONS: usize = 16;

impl World {
    /// The first body that a ray hits, up to a parameter in units of the length of its direction, of those
    /// that are sought; of several at the same parameter that of the least number. Walls of the room
    /// are not hit. Expected O(log n), the nearest boxes first; the first ray after bodies moved looks at all of
    /// them, and the next search, of any kind, makes a tree, O(n).
    ///
    /// Which bodies a search is about is said by a [`Filter`](crate::broad::Filter), of which `ALL` finds every body
    /// but those of the filter `NONE`, by one without a body ([`Filter::without`](crate::broad::Filter::without)), or
    /// by a function, see [`Seek`].
    ///
    /// ```
    /// use sudar::dynamics::{Filter, RigidBody, Settings, World};
    /// use sudar::{DVec3, Ray, Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let ball = world.add(RigidBody::fixed("ball", Sphere::new(DVec3::ZERO, 1.0)?))?;
    /// let down = Ray::new(DVec3::Z * 5.0, -DVec3::Z)?;
    /// assert!(world.ray(&down, f64::INFINITY, Filter::ALL).is_some_and(|(body, hit)| body == ball && hit.t == 4.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(&self, ray: &Ray, max: f64, mut seek: impl Seek<RigidBody>) -> Option<(Handle, RayHit)> {
        self.first_on(ray, max, &mut |handle| self.wants(&mut seek, handle)).found
    }

    /// All bodies that a ray hits up to a parameter, of those that are sought, each where it is hit first, in the
    /// order of the parameters, at equal ones of the numbers. As [`ray`](Self::ray).
    pub fn ray_all(&self, ray: &Ray, max: f64, mut seek: impl Seek<RigidBody>) -> Vec<(Handle, RayHit)> {
        self.all_on(ray, max, &mut |handle| self.wants(&mut seek, handle)).found
    }

    fn wants(&self, seek: &mut impl Seek<RigidBody>, handle: Handle) -> bool {
        seek.wants(handle, &self.rigids[handle.index as usize].given)
    }

    /// The bodies that a shape touches where it stands, of those that are sought, by their numbers.
    /// Walls of the room are left out.
    pub fn touching(&self, body: Placed, mut seek: impl Seek<RigidBody>) -> Vec<Handle> {
        let near = Standing::near(self, &body.bounds(), &mut |handle| self.wants(&mut seek, handle));
        let near = near.into_iter().map(|(handle, _)| handle);
        near.filter(|handle| {
            let rigid = &self.rigids[handle.index as usize];
            intersects(body, rigid.given.body.at(&rigid.pose())).is_touching()
        })
        .collect()
    }

    /// The first body that a moving shape meets while the world stands still, of those that are
    /// sought, and when: as [`sweep`](fn@crate::query::sweep), with feature 1 and `point_b` on the body; of
    /// several at the same time that of the least number. Walls of the room are left out.
    pub fn sweep(
        &self,
        shape: Moving,
        mut seek: impl Seek<RigidBody>,
        options: &SweepOptions,
    ) -> Option<(Handle, Sweep)> {
        self.first_met(shape, &mut |handle| self.wants(&mut seek, handle), options)
    }

    /// How far a shape can go along a direction, of any length but zero, before it touches a body that is
    /// sought, and which; `None` if it gets as far as `length` without. As [`sweep`](Self::sweep) and
    /// [`cast_shape`](crate::query::cast_shape).
    ///
    /// # Errors
    /// [`PoseError`] for a direction that is zero or not finite, or lengths beyond 1e90.
    pub fn cast_shape(
        &self,
        shape: Placed,
        direction: DVec3,
        length: f64,
        mut seek: impl Seek<RigidBody>,
    ) -> Result<Option<(Handle, CastHit)>, PoseError> {
        self.first_ahead(shape, direction, length, &mut |handle| self.wants(&mut seek, handle))
    }

    /// The body nearest to a shape, of those that are sought and of several the first, with the distance, which is zero
    /// of one that it touches; none farther than `most`, in metres. The interval holds the least distance of all. Walls
    /// of the room are left out.
    pub fn nearest_to(
        &self,
        shape: Placed,
        most: f64,
        mut seek: impl Seek<RigidBody>,
    ) -> Option<(Handle, Distance)> {
        let mut best = Best::up_to(most);
        let mut look = |best: &mut Best<Handle>, slot: u32| {
            let handle = self.id(slot as usize);
            if best.is_of_interest(handle) && self.wants(&mut seek, handle) {
                let rigid = &self.rigids[slot as usize];
                let options = DistanceOptions::up_to(best.upper);
                let found = distance(shape, rigid.given.body.at(&rigid.pose()), &options);
                if found.interval.lower <= most {
                    best.take(handle, found);
                }
            }
        };
        self.endless().for_each(|slot| look(&mut best, slot));
        let (tree, around) = (self.tree(), shape.aabb());
        let upto = best.upper;
        let gap = |aabb: &Aabb| aabb.gap(&around);
        let rest = visit_by(tree, gap, upto, &mut Meter::unlimited(), |slot, _| {
            look(&mut best, slot);
            best.upper
        });
        best.found(rest)
    }

    /// Asks many questions on all threads; the answers are in the order of the questions.
    ///
    /// ```
    /// use sudar::dynamics::{Filter, RigidBody, Settings, World};
    /// use sudar::{DVec3, Ray, Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let ball = world.add(RigidBody::fixed("ball", Sphere::new(DVec3::ZERO, 1.0)?))?;
    /// let down = |x: f64| Ray::new(DVec3::new(x, 0.0, 9.0), -DVec3::Z);
    /// let rays = [down(0.0)?, down(0.5)?, down(2.0)?];
    /// let hits = world.batch(&rays, |world, ray| world.ray(ray, 99.0, Filter::ALL).map(|(body, _)| body));
    /// assert_eq!(hits, [Some(ball), Some(ball), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn batch<Q: Sync, A: Send>(&self, questions: &[Q], ask: impl Fn(&Self, &Q) -> A + Sync) -> Vec<A> {
        // What all need is made once.
        self.tree();
        let mut answers = Vec::new();
        map_into(questions, &mut answers, QUESTIONS, |question| ask(self, question));
        answers
    }

    /// Visits the bodies that a ray may meet: those without end, then the others by their boxes.
    fn visit_along(&self, ray: &Ray, most: f64, meter: &mut Meter, mut visit: impl FnMut(Handle) -> f64) {
        let mut look = |slot: u32| visit(self.id(slot as usize));
        // What is not met has no bound.
        let upto = self.endless().map(&mut look).fold(most.min(f64::MAX), f64::min);
        if self.index.is_first_ray() {
            let number = |rigid: &Rigid| (rigid.is_here && rigid.radius.is_finite()).then_some(rigid.slot);
            visit_all_along(self.balls(), number, ray, upto, look);
        } else {
            visit_along(self.tree(), ray, upto, meter, look);
        }
    }

    /// Bodies without end but for the walls of the room.
    fn endless(&self) -> impl Iterator<Item = u32> {
        self.near.endless().iter().copied().filter(|slot| !self.rigids[*slot as usize].is_wall)
    }

    /// The boxes around balls that hold the bodies, also those that are gone or without end: of each no more is read
    /// than where it is. For rays, which allow for more than they are rounded by.
    fn balls(&self) -> impl Iterator<Item = (&Rigid, Aabb)> {
        self.rigids.iter().map(|rigid| {
            let Rigid { motion: BodyState { center, .. }, radius, .. } = rigid;
            (rigid, Aabb { min: *center - *radius, max: *center + *radius })
        })
    }

    /// Over the boxes of all other bodies as they are.
    fn tree(&self) -> &Halving {
        self.index.tree(|| boxes(&self.rigids))
    }
}

impl Standing for World {
    fn along(&self, ray: &Ray, most: f64, visit: &mut dyn FnMut(Handle) -> f64) {
        self.visit_along(ray, most, &mut Meter::unlimited(), visit);
    }

    fn near(&self, region: &Aabb, wants: &mut Wants) -> Vec<(Handle, Aabb)> {
        let mut slots: Vec<u32> = self.endless().collect();
        visit_meeting(self.tree(), |aabb| aabb_aabb(aabb, region), |slot| slots.push(slot));
        slots.sort_unstable();
        let handles = slots.into_iter().map(|slot| self.id(slot as usize));
        let boxed = |handle| Standing::body(self, handle).map(|(body, pose)| (handle, body.bounds(&pose)));
        handles.filter(|handle| wants(*handle)).filter_map(boxed).collect()
    }

    fn body(&self, handle: Handle) -> Option<(&Body, Pose)> {
        let rigid = &self.rigids[handle.index as usize];
        Some((&rigid.given.body, rigid.pose()))
    }

    fn limits(&self) -> Batch<'_> {
        Batch::default()
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;
    use rand::RngExt;

    use super::*;
    use crate::broad::Filter;
    use crate::dynamics::{RigidBody, Settings};
    use crate::query::Body;
    use crate::shape::{Capsule, Cone, Cuboid, Halfspace, Mesh, Shape, Sphere};
    use crate::testing::Random;

    /// Unit boxes 2 m apart in a square, asleep or not.
    fn plain(side: u32) -> World {
        let mut world = World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
        let cube = Body::new(Cuboid::new(DVec3::splat(0.5)).unwrap());
        for i in 0..side * side {
            let position = DVec3::new(f64::from(i % side), f64::from(i / side), 0.0) * 2.0;
            world.add(RigidBody { position, ..RigidBody::new(format!("box {i}"), cube.clone()) }).unwrap();
        }
        world
    }

    fn down(x: f64, y: f64) -> Ray {
        Ray { origin: DVec3::new(x, y, 9.0), direction: -DVec3::Z }
    }

    /// Every ray stepped the broad phase: in a world of 10 000 bodies that took 4.7 ms.
    #[test]
    fn rays_after_the_first_open_only_nodes_on_their_way() {
        let mut world = plain(100);
        for _ in 0..3 {
            for i in [0_u32, 99, 100, 4321, 9999] {
                let mut meter = Meter::unlimited();
                let (x, y) = (2.0 * f64::from(i % 100), 2.0 * f64::from(i / 100));
                let ray = down(x + 0.4, y - 0.4);
                let hit = world.ray(&ray, f64::INFINITY, Filter::ALL);
                assert!(hit.is_some_and(|(body, hit)| body.index() == i && hit.t == 8.5), "{hit:?}");
                let to_hit = |handle: Handle| if handle.index() == i { 8.5 } else { f64::MAX };
                world.visit_along(&ray, f64::MAX, &mut meter, to_hit);
                // 14 halvings, three at a time, lead to one box of 2^14. What a search shares with others cannot be
                // fitted again through `&World`.
                let nodes = meter.statistics().nodes;
                assert!((5..=12).contains(&nodes), "{nodes} nodes");
            }
            world.step(1.0 / 60.0).unwrap();
        }
    }

    /// Bodies of all sorts, turned and off their centres of mass; one has no end, and one was removed.
    fn mixed(random: &mut Random) -> World {
        let mut world = World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
        let away = Aabb { min: DVec3::splat(0.5), max: DVec3::new(1.5, 0.9, 2.0) };
        let shapes: [Shape; 5] = [
            Sphere::new(DVec3::new(0.3, 0.0, -0.4), 0.4).unwrap().into(),
            Cuboid::new(DVec3::new(0.2, 0.5, 0.9)).unwrap().into(),
            Capsule::new(0.2, 0.7).unwrap().into(),
            Mesh::from_aabb(away).into(),
            Cone::new(0.4, 0.5).unwrap().into(),
        ];
        for (i, shape) in shapes.iter().cycle().take(60).enumerate() {
            let place = random.point() * 6.0;
            let pose = random.pose(place);
            let body = RigidBody::new(format!("{i}"), Body::new(shape.clone()));
            let position = pose.translation();
            world.add(RigidBody { position, rotation: DQuat::from_mat3(&pose.rotation()), ..body }).unwrap();
        }
        let floor = Halfspace::new(DVec3::Z, -7.0).unwrap();
        world.add(RigidBody::fixed("floor", floor)).unwrap();
        let gone = world.id(5);
        world.remove(gone).unwrap();
        world
    }

    /// The first search after a change looks at all bodies, the second makes a tree, the third has it.
    #[test]
    fn the_first_ray_after_a_change_finds_what_all_others_find() {
        let mut random = Random::new(9);
        let mut world = mixed(&mut random);
        let mut hits = 0;
        for _ in 0..300 {
            world.step(0.01).unwrap();
            world.index.changed();
            let from = random.point() * 12.0;
            let ray = Ray { origin: from, direction: random.point() * 6.0 - from };
            let max = if random.random_bool(0.5) { f64::INFINITY } else { random.within(0.0, 2.0) };
            let first = world.ray(&ray, max, Filter::ALL);
            assert_eq!(world.ray(&ray, max, Filter::ALL), first);
            assert_eq!(world.ray(&ray, max, Filter::ALL), first);
            world.index.changed();
            let all = world.ray_all(&ray, max, Filter::ALL);
            assert_eq!(all.first(), first.as_ref());
            assert_eq!(world.ray_all(&ray, max, Filter::ALL), all);
            hits += all.len();
        }
        assert!(hits > 200, "{hits}");
    }

    /// Beyond the box around all and past every box within it, to the end of the world, first and later.
    #[test]
    fn a_ray_without_end_that_meets_no_box_is_shown_no_body() {
        let mut world = plain(20);
        for (x, y) in [(-5.0, -5.0), (1.0, 1.0)] {
            world.index.changed();
            for _ in 0..3 {
                let mut shown = 0;
                let count = |_| {
                    shown += 1;
                    f64::INFINITY
                };
                world.visit_along(&down(x, y), f64::INFINITY, &mut Meter::unlimited(), count);
                assert_eq!(shown, 0, "{x} {y}");
            }
        }
    }

    /// Balls of radius 0.5 at x = 2, 4, …, each with a filter.
    fn row(filters: &[Filter]) -> (World, Vec<Handle>) {
        let mut world = World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
        let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap());
        let add = |(i, filter): (usize, &Filter)| {
            let position = DVec3::X * (2.0 * i as f64 + 2.0);
            let body = RigidBody::new(format!("ball {i}"), ball.clone());
            world.add(RigidBody { position, filter: *filter, ..body }).unwrap()
        };
        let handles = filters.iter().enumerate().map(add).collect();
        (world, handles)
    }

    const ALONG: Ray = Ray { origin: DVec3::ZERO, direction: DVec3::X };

    /// What each search finds first or in all.
    fn found(world: &World, mut seek: impl Seek<RigidBody>) -> Vec<Handle> {
        let mut seek = |handle: Handle, body: &RigidBody| seek.wants(handle, body);
        let all: Vec<Handle> =
            world.ray_all(&ALONG, 99.0, &mut seek).into_iter().map(|(body, _)| body).collect();
        let first = all.first().copied();
        assert_eq!(world.ray(&ALONG, 99.0, &mut seek).map(|(body, _)| body), first);
        let ball = Body::new(Sphere::new(DVec3::ZERO, 0.1).unwrap());
        let here = ball.at(&Pose::IDENTITY);
        let cast = world.cast_shape(here, DVec3::X, 99.0, &mut seek).unwrap();
        assert_eq!(cast.map(|(body, _)| body), first);
        let flight = crate::motion::Motion::linear(&Pose::IDENTITY, DVec3::X * 99.0).unwrap();
        let met = world.sweep(ball.moving(&flight), &mut seek, &SweepOptions::within(1e-6));
        assert_eq!(met.map(|(body, _)| body), first);
        let long = Body::new(Cuboid::new(DVec3::new(99.0, 0.1, 0.1)).unwrap());
        assert_eq!(world.touching(long.at(&Pose::IDENTITY), &mut seek), all);
        all
    }

    /// A body in no category, or with a mask without category 1, was not found by a search for all.
    #[test]
    fn a_search_for_all_finds_every_filter_but_none() {
        let filters = [
            Filter::new(0, !0),
            Filter::new(2, 4),
            Filter::ALL,
            Filter::NONE,
            Filter::new(0, 2),
            Filter::new(!0, !0),
            Filter::new(1 << 31, 0),
        ];
        let (world, balls) = row(&filters);
        let picked = |places: &[usize]| places.iter().map(|&i| balls[i]).collect::<Vec<_>>();
        assert_eq!(found(&world, Filter::ALL), picked(&[0, 1, 2, 4, 5, 6]));
        assert_eq!(found(&world, Filter::NONE), []);
        // Others find what they accept, as bodies do.
        assert_eq!(found(&world, Filter::new(4, 2)), picked(&[1, 5]));
        assert_eq!(found(&world, Filter::new(!0, !0)), picked(&[1, 2, 5]));
    }

    #[test]
    fn a_search_leaves_out_a_body_or_what_a_function_says() {
        let (mut world, balls) = row(&[Filter::ALL; 5]);
        assert_eq!(found(&world, Filter::ALL.without(balls[0])), balls[1..]);
        let odd = |handle: Handle, body: &RigidBody| {
            assert_eq!(body.name, format!("ball {}", handle.index()));
            handle.index() % 2 == 1
        };
        assert_eq!(found(&world, odd), [balls[1], balls[3]]);
        assert_eq!(found(&world, Filter::new(2, 1).without(balls[4])), balls[..4]);
        // Another body in the place of the one that is left out is another body.
        world.remove(balls[0]).unwrap();
        let ball = Sphere::new(DVec3::ZERO, 0.5).unwrap();
        let again =
            world.add(RigidBody { position: DVec3::X * 2.0, ..RigidBody::new("again", ball) }).unwrap();
        assert_eq!(again.index(), balls[0].index());
        assert_eq!(found(&world, Filter::ALL.without(balls[0])).first(), Some(&again));
    }

    #[test]
    fn all_hits_of_a_ray_are_in_its_order_and_at_one_parameter_in_that_of_numbers() {
        let mut world = World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
        let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap());
        let places = [7.0, 3.0, 5.0, 3.0, 20.0, -4.0];
        let handles = places.map(|x| {
            let body = RigidBody { position: DVec3::X * x, ..RigidBody::new("ball", ball.clone()) };
            world.add(body).unwrap()
        });
        let wall = Halfspace::new(-DVec3::X, -11.0).unwrap();
        let wall = world.add(RigidBody::fixed("wall", wall)).unwrap();
        let hits = world.ray_all(&ALONG, 15.0, Filter::ALL);
        let expected = [(1, 2.5), (3, 2.5), (2, 4.5), (0, 6.5)].map(|(i, t): (usize, f64)| (handles[i], t));
        let expected: Vec<_> = expected.into_iter().chain([(wall, 11.0)]).collect();
        assert_eq!(hits.iter().map(|(body, hit)| (*body, hit.t)).collect::<Vec<_>>(), expected);
        assert_eq!(world.ray_all(&ALONG, 5.0, Filter::ALL).len(), 3);
        assert_eq!(world.ray_all(&ALONG, f64::NAN, Filter::ALL).len(), 6);
        assert_eq!(world.ray(&ALONG, f64::NAN, Filter::ALL), hits.first().copied());
    }
}
