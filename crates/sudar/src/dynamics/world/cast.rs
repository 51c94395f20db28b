//! Rays, boxes and moving shapes against all bodies of a world.

use glam::DVec3;

use super::{BodyId, World};
use crate::broad::Region;
use crate::math::{Pose, PoseError};
use crate::query::{
    Body, CastHit, FirstMet, Moving, RayHit, ShapeCast, Sweep, SweepOptions, intersects, ray, sweep,
};
use crate::shape::Ray;

/// The first body on a ray.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cast {
    /// Which.
    pub body: BodyId,
    /// Where.
    pub hit: RayHit,
}

impl World {
    /// The first body that a ray hits, up to a parameter in units of the length of its direction; of several at the same parameter that of the
    /// least number. Walls of the room are not hit.
    pub fn ray(&mut self, along: &Ray, max: f64) -> Option<Cast> {
        self.refresh();
        let mut first: Option<Cast> = None;
        for slot in self.near.along(along, max) {
            let rigid = &self.rigids[slot as usize];
            if rigid.is_wall || !rigid.is_here {
                continue;
            }
            let limit = first.map_or(max, |cast| cast.hit.t);
            let found = ray(&rigid.given.body, &rigid.pose(), along, limit);
            if let Some(hit) = found.filter(|hit| first.is_none_or(|cast| hit.t < cast.hit.t)) {
                first = Some(Cast { body: self.id(slot as usize), hit });
            }
        }
        first
    }

    /// The bodies that a shape touches where it stands, by their numbers. Walls of the room are left out.
    pub fn overlaps(&mut self, body: &Body, pose: &Pose) -> Vec<BodyId> {
        self.refresh();
        let near = self.near.search(&Region::Box(body.bounds(pose)));
        let touches = |slot: &u32| {
            let rigid = &self.rigids[*slot as usize];
            rigid.is_here
                && !rigid.is_wall
                && intersects(body, pose, &rigid.given.body, &rigid.pose()).is_touching()
        };
        near.into_iter().filter(touches).map(|slot| self.id(slot as usize)).collect()
    }

    /// The first body that a moving shape meets while the world stands still, and when: as
    /// [`sweep`](fn@crate::query::sweep), with feature 1 and `point_b` on the body; of several at the same time that of the least
    /// number. Walls of the room are left out.
    pub fn sweep(&mut self, shape: Moving, options: &SweepOptions) -> Option<(BodyId, Sweep)> {
        self.refresh();
        let mut search = FirstMet::new(shape, options);
        while let Some(region) = search.region() {
            let near = self.near.search(&Region::Box(region));
            let here: Vec<_> = near
                .into_iter()
                .map(|slot| (slot, &self.rigids[slot as usize]))
                .filter(|(_, rigid)| rigid.is_here && !rigid.is_wall)
                .map(|(slot, rigid)| (slot, rigid, rigid.pose()))
                .collect();
            let boxed = here.iter().map(|(slot, rigid, pose)| {
                let placed = rigid.given.body.at(pose);
                (*slot, placed, placed.bounds())
            });
            search.look(boxed, |a, b, options| sweep(a.body(), a.motion(), b.body(), b.motion(), options));
        }
        search.found().map(|(slot, found)| (self.id(slot as usize), found))
    }

    /// How far a shape can go along a direction, of any length but zero, before it touches a body, and which; `None` if it gets as
    /// far as `length` without. As [`sweep`](Self::sweep) and [`cast_shape`](crate::query::cast_shape).
    ///
    /// # Errors
    /// [`PoseError`] for a direction that is zero or not finite, or lengths beyond 1e90.
    pub fn cast(
        &mut self,
        shape: &Body,
        pose: &Pose,
        direction: DVec3,
        length: f64,
    ) -> Result<Option<(BodyId, CastHit)>, PoseError> {
        let cast = ShapeCast::new(shape, pose, direction, length)?;
        let first = self.sweep(shape.moving(&cast.motion), &cast.options);
        Ok(first.and_then(|(body, found)| Some((body, cast.hit(&found)?))))
    }

    /// Brings the boxes of the broad phase up to date.
    fn refresh(&mut self) {
        let boxes = self.boxes();
        // Boxes of finite motions are never refused.
        let _ = self.near.pairs(&self.rigids, &boxes);
    }
}
