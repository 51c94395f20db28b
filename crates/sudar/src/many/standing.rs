//! Rays and moving bodies against many that stand still, whoever holds these.

use glam::DVec3;

use crate::broad::{Filter, Handle};
use crate::effort::Partial;
use crate::math::{Pose, PoseError};
use crate::query::{Batch, Body, CastHit, FirstMet, Moving, Placed, RayHit, ShapeCast, Sweep, SweepOptions};
use crate::shape::{Aabb, Ray};

/// Bodies that stand still and are found by their boxes.
pub(crate) trait Standing {
    /// Calls `visit` with the bodies that a ray may meet up to a finite parameter, about in its order; `visit` returns
    /// the parameter up to which others are of interest.
    fn along(&self, ray: &Ray, most: f64, visit: &mut dyn FnMut(Handle) -> f64);

    /// The bodies whose boxes meet one, of those that the filter accepts, sorted, with boxes around them.
    fn near(&self, region: &Aabb, filter: Filter) -> Vec<(Handle, Aabb)>;

    /// A body and its pose, if the filter accepts it.
    fn body(&self, handle: Handle, filter: Filter) -> Option<(&Body, Pose)>;

    /// The limits of each query.
    fn limits(&self) -> Batch<'_>;

    /// The first body that a ray hits, of several at one parameter the first by handle.
    fn first_on(&self, ray: &Ray, most: f64, filter: Filter) -> Partial<Option<(Handle, RayHit)>> {
        // What is not met has no bound.
        let most = if most.is_nan() { f64::MAX } else { most.min(f64::MAX) };
        let limits = self.limits();
        let (mut first, mut complete) = (None::<(Handle, RayHit)>, true);
        self.along(ray, most, &mut |handle| {
            let upto = first.map_or(most, |(_, hit)| hit.t);
            let Some((body, pose)) = self.body(handle, filter) else { return upto };
            let found = limits.work().ray(body.at(&pose), ray, upto);
            complete &= found.complete;
            let is_first = |hit: &RayHit| first.is_none_or(|(known, best)| (hit.t, handle) < (best.t, known));
            first = found.found.filter(is_first).map(|hit| (handle, hit)).or(first);
            first.map_or(most, |(_, hit)| hit.t)
        });
        Partial { found: first, complete }
    }

    /// The first body that a moving one meets, of several at one time the first by handle.
    fn first_met(&self, moving: Moving, filter: Filter, options: &SweepOptions) -> Option<(Handle, Sweep)> {
        let mut search = FirstMet::new(moving, options);
        while let Some(region) = search.region() {
            let near = self.near(&region, filter).into_iter();
            let posed: Vec<_> =
                near.filter_map(|(handle, aabb)| Some((handle, self.body(handle, filter)?, aabb))).collect();
            let boxed = posed.iter().map(|(handle, (body, pose), aabb)| (*handle, body.at(pose), *aabb));
            search.look(boxed, |a, b, options| self.limits().work().sweep(a, b, options));
        }
        search.found()
    }

    /// How far a body can go along a direction before it touches another, and which.
    fn first_ahead(
        &self,
        body: Placed,
        direction: DVec3,
        length: f64,
        filter: Filter,
    ) -> Result<Option<(Handle, CastHit)>, PoseError> {
        let cast = ShapeCast::new(body, direction, length)?;
        let first = self.first_met(body.body().moving(&cast.motion), filter, &cast.options);
        Ok(first.and_then(|(handle, found)| Some((handle, cast.hit(&found)?))))
    }
}
