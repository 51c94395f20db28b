//! Rays, boxes and moving shapes against all bodies of a world.

use glam::DVec3;

use super::World;
use crate::broad::{Filter, Handle};
use crate::dynamics::matter::Rigid;
use crate::effort::Meter;
use crate::many::{Standing, quick_box};
use crate::math::{Pose, PoseError};
use crate::pair::aabb_aabb;
use crate::query::{
    Batch, Body, CastHit, Halving, Moving, Placed, RayEntry, RayHit, Sweep, SweepOptions, intersects,
    visit_by, visit_meeting,
};
use crate::shape::{Aabb, Ray};

impl World {
    /// The first body that a ray hits, up to a parameter in units of the length of its direction, of those
    /// that the filter accepts; of several at the same parameter that of the least number. Walls of the room
    /// are not hit. Expected O(log n), the nearest boxes first; as all searches here, O(n) once after bodies
    /// moved.
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
    pub fn ray(&self, ray: &Ray, max: f64, filter: Filter) -> Option<(Handle, RayHit)> {
        self.first_on(ray, max, filter).found
    }

    /// The bodies that a shape touches where it stands, of those that the filter accepts, by their numbers.
    /// Walls of the room are left out.
    pub fn touching(&self, body: Placed, filter: Filter) -> Vec<Handle> {
        let near = Standing::near(self, &body.bounds(), filter).into_iter().map(|(handle, _)| handle);
        near.filter(|handle| {
            let rigid = &self.rigids[handle.index as usize];
            intersects(body, rigid.given.body.at(&rigid.pose())).is_touching()
        })
        .collect()
    }

    /// The first body that a moving shape meets while the world stands still, of those that the filter
    /// accepts, and when: as [`sweep`](fn@crate::query::sweep), with feature 1 and `point_b` on the body; of
    /// several at the same time that of the least number. Walls of the room are left out.
    pub fn sweep(&self, shape: Moving, filter: Filter, options: &SweepOptions) -> Option<(Handle, Sweep)> {
        self.first_met(shape, filter, options)
    }

    /// How far a shape can go along a direction, of any length but zero, before it touches a body that the
    /// filter accepts, and which; `None` if it gets as far as `length` without. As [`sweep`](Self::sweep) and
    /// [`cast_shape`](crate::query::cast_shape).
    ///
    /// # Errors
    /// [`PoseError`] for a direction that is zero or not finite, or lengths beyond 1e90.
    pub fn cast_shape(
        &self,
        shape: Placed,
        direction: DVec3,
        length: f64,
        filter: Filter,
    ) -> Result<Option<(Handle, CastHit)>, PoseError> {
        self.first_ahead(shape, direction, length, filter)
    }

    /// Visits the bodies that a ray may meet: those without end, then the others by their boxes.
    fn visit_along(&self, ray: &Ray, most: f64, meter: &mut Meter, mut visit: impl FnMut(Handle) -> f64) {
        let mut look = |slot: u32| visit(self.id(slot as usize));
        let upto = self.endless().map(&mut look).fold(most, f64::min);
        let tree = self.tree();
        let entry = RayEntry::new(ray, &tree.bounds(tree.whole()));
        visit_by(tree, |aabb| entry.of(aabb), upto, meter, |slot, _| look(slot));
    }

    /// Bodies without end but for the walls of the room.
    fn endless(&self) -> impl Iterator<Item = u32> {
        self.near.endless().iter().copied().filter(|slot| !self.rigids[*slot as usize].is_wall)
    }

    /// Over the boxes of all other bodies as they are.
    fn tree(&self) -> &Halving {
        let aabb = |rigid: &Rigid| {
            let is_in = rigid.is_here && rigid.radius.is_finite();
            if is_in { quick_box(&rigid.given.body, &rigid.pose()) } else { Aabb::EMPTY }
        };
        self.index.tree(|| self.rigids.iter().map(aabb).collect())
    }
}

impl Standing for World {
    fn along(&self, ray: &Ray, most: f64, visit: &mut dyn FnMut(Handle) -> f64) {
        self.visit_along(ray, most, &mut Meter::unlimited(), visit);
    }

    fn near(&self, region: &Aabb, filter: Filter) -> Vec<(Handle, Aabb)> {
        let mut slots: Vec<u32> = self.endless().collect();
        visit_meeting(self.tree(), |aabb| aabb_aabb(aabb, region), |slot| slots.push(slot));
        slots.sort_unstable();
        let handles = slots.into_iter().map(|slot| self.id(slot as usize));
        let boxed = |handle| self.body(handle, filter).map(|(body, pose)| (handle, body.bounds(&pose)));
        handles.filter_map(boxed).collect()
    }

    fn body(&self, handle: Handle, filter: Filter) -> Option<(&Body, Pose)> {
        let rigid = &self.rigids[handle.index as usize];
        rigid.given.filter.accepts(filter).then(|| (&rigid.given.body, rigid.pose()))
    }

    fn limits(&self) -> Batch<'_> {
        Batch::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{RigidBody, Settings};
    use crate::query::Body;
    use crate::shape::Cuboid;

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
                // 14 halvings lead to one box of 2^14. What a search shares with others cannot be fitted
                // again through `&World`.
                let nodes = meter.statistics().nodes;
                assert!((14..=30).contains(&nodes), "{nodes} nodes");
            }
            world.step(1.0 / 60.0).unwrap();
        }
    }
}
