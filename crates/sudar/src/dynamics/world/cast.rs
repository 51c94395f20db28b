//! Rays and boxes against all bodies of a world.

use super::{BodyId, World};
use crate::broad::Region;
use crate::math::Pose;
use crate::query::{Body, RayHit, intersects, ray};
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

    /// Brings the boxes of the broad phase up to date.
    fn refresh(&mut self) {
        let boxes = self.boxes();
        // Boxes of finite motions are never refused.
        let _ = self.near.pairs(&self.rigids, &boxes);
    }
}
