//! Rays and moving bodies against many that stand still, whoever holds these.

use glam::DVec3;

use crate::broad::Handle;
use crate::effort::Partial;
use crate::math::{Pose, PoseError};
use crate::query::{Batch, Body, CastHit, FirstMet, Moving, Placed, RayHit, ShapeCast, Sweep, SweepOptions};
use crate::shape::{Aabb, Ray};

/// Whether a search is about a body.
pub(crate) type Wants<'w> = dyn FnMut(Handle) -> bool + 'w;

/// Bodies that stand still and are found by their boxes.
pub(crate) trait Standing {
    /// Calls `visit` with the bodies that a ray may meet up to a finite parameter, about in its order; `visit` returns
    /// the parameter up to which others are of interest.
    fn along(&self, ray: &Ray, most: f64, visit: &mut dyn FnMut(Handle) -> f64);

    /// The wanted bodies whose boxes meet one, sorted, with boxes around them.
    fn near(&self, region: &Aabb, wants: &mut Wants) -> Vec<(Handle, Aabb)>;

    /// A body and its pose.
    fn body(&self, handle: Handle) -> Option<(&Body, Pose)>;

    /// The limits of each query.
    fn limits(&self) -> Batch<'_>;

    /// The first body that a ray hits, of several at one parameter the first by handle.
    fn first_on(&self, ray: &Ray, most: f64, wants: &mut Wants) -> Partial<Option<(Handle, RayHit)>>
    where
        Self: Sized,
    {
        let most = bounded(most);
        let (mut first, mut complete) = (None::<(Handle, RayHit)>, true);
        self.hits_on(ray, most, wants, |handle, found| {
            complete &= found.complete;
            let is_first = |hit: &RayHit| first.is_none_or(|(known, best)| (hit.t, handle) < (best.t, known));
            first = found.found.filter(is_first).map(|hit| (handle, hit)).or(first);
            first.map_or(most, |(_, hit)| hit.t)
        });
        Partial { found: first, complete }
    }

    /// All bodies that a ray hits, each where it is hit first, in the order of the parameters and then of the handles.
    fn all_on(&self, ray: &Ray, most: f64, wants: &mut Wants) -> Partial<Vec<(Handle, RayHit)>>
    where
        Self: Sized,
    {
        let most = bounded(most);
        let (mut hits, mut complete) = (Vec::new(), true);
        self.hits_on(ray, most, wants, |handle, found: Partial<Option<RayHit>>| {
            complete &= found.complete;
            hits.extend(found.found.map(|hit| (handle, hit)));
            most
        });
        hits.sort_by(|(a, hit), (b, other)| hit.t.total_cmp(&other.t).then(a.cmp(b)));
        Partial { found: hits, complete }
    }

    /// Calls `visit` with the wanted bodies on a ray and whether it hits them up to the parameter that `visit` returned
    /// last, about in its order.
    fn hits_on(
        &self,
        ray: &Ray,
        most: f64,
        wants: &mut Wants,
        mut visit: impl FnMut(Handle, Partial<Option<RayHit>>) -> f64,
    ) where
        Self: Sized,
    {
        let limits = self.limits();
        let mut upto = most;
        self.along(ray, most, &mut |handle| {
            if let Some((body, pose)) = self.body(handle).filter(|_| wants(handle)) {
                upto = visit(handle, limits.work().ray(body.at(&pose), ray, upto));
            }
            upto
        });
    }

    /// The first body that a moving one meets, of several at one time the first by handle.
    fn first_met(
        &self,
        moving: Moving,
        wants: &mut Wants,
        options: &SweepOptions,
    ) -> Option<(Handle, Sweep)> {
        let mut search = FirstMet::new(moving, options);
        while let Some(region) = search.region() {
            let near = self.near(&region, wants).into_iter();
            let posed: Vec<_> =
                near.filter_map(|(handle, aabb)| Some((handle, self.body(handle)?, aabb))).collect();
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
        wants: &mut Wants,
    ) -> Result<Option<(Handle, CastHit)>, PoseError> {
        let cast = ShapeCast::new(body, direction, length)?;
        let first = self.first_met(body.body().moving(&cast.motion), wants, &cast.options);
        Ok(first.and_then(|(handle, found)| Some((handle, cast.hit(&found)?))))
    }
}

/// What is not met has no bound.
fn bounded(most: f64) -> f64 {
    if most.is_nan() { f64::MAX } else { most.min(f64::MAX) }
}
