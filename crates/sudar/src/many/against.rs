//! One more body, a ray or a region against the whole scene.

use super::among::Answers;
use super::collisions::distance_within;
use super::error::{SceneError, check_tolerance};
use super::manager::CollisionManager;
use super::object::Object;
use super::standing::{Standing, Wants};
use crate::broad::{Handle, Region, Seek};
use crate::effort::Partial;
use crate::hull::convex_hull;
use crate::math::Pose;
use crate::query::{Batch, Body, Distance, Placed, RayHit};
use crate::shape::{Aabb, Ray, Shape};

/// An object and how far it is from a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearObject {
    /// The object.
    pub object: Handle,
    /// The distance; `point_a` and feature 0 belong to the body.
    pub distance: Distance,
}

impl CollisionManager {
    /// The objects that a body has a point in common with, of those that are sought. The body need
    /// not be in the scene; one that is touches itself.
    pub fn touching(&self, body: Placed, seek: impl Seek<Object>) -> Answers<Handle, Handle> {
        let candidates = self.accepted(&Region::Box(body.aabb()), seek);
        let told = self.limits.batch().each(&candidates, |work, &(handle, object)| {
            match work.intersects(body, object.at()).decided() {
                Some(true) => Some(Ok(handle)),
                Some(false) => None,
                None => Some(Err(handle)),
            }
        });
        Answers::of(told.answers.into_iter().flatten().collect(), told.statistics)
    }

    /// The first object, in the order of handles, that `body` has a point in common with: as
    /// [`touching`](Self::touching), but it ends there. `None` is certain only if the answer is complete.
    ///
    /// ```
    /// use sudar::many::{CollisionManager, Filter, Object};
    /// use sudar::query::Body;
    /// use sudar::{DVec3, Pose, Sphere};
    ///
    /// let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0)?);
    /// let mut scene = CollisionManager::default();
    /// let first = scene.insert(Object::new("ball", ball.clone(), Pose::IDENTITY))?;
    /// let beside = Pose::from_translation(DVec3::X)?;
    /// assert_eq!(scene.first_touching(ball.at(&beside), Filter::ALL).found, Some(first));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_touching(&self, body: Placed, seek: impl Seek<Object>) -> Partial<Option<Handle>> {
        let mut complete = true;
        for (handle, object) in self.accepted(&Region::Box(body.aabb()), seek) {
            match self.limits.batch().work().intersects(body, object.at()).decided() {
                Some(true) => return Partial { found: Some(handle), complete: true },
                Some(false) => {}
                None => complete = false,
            }
        }
        Partial { found: None, complete }
    }

    /// The objects at most `tolerance` from a body, with their distances as narrow as `f64` allows.
    ///
    /// # Errors
    /// [`SceneError::Clearance`] if `tolerance` is no finite length of zero or more.
    pub fn near(
        &self,
        body: Placed,
        tolerance: f64,
        seek: impl Seek<Object>,
    ) -> Result<Answers<NearObject, Handle>, SceneError> {
        check_tolerance(tolerance)?;
        let candidates = self.accepted(&Region::Box(body.aabb().grown(tolerance)), seek);
        let told = self.limits.batch().each(&candidates, |work, &(handle, object)| {
            let near = distance_within(work, [body, object.at()], tolerance)?;
            Some(near.map(|distance| NearObject { object: handle, distance }).ok_or(handle))
        });
        Ok(Answers::of(told.answers.into_iter().flatten().collect(), told.statistics))
    }

    /// The objects that a box, point, ray or frustum has a point in common with, of those that are
    /// sought. Of a frustum these are the points of the convex hull of its corners. Exact, as
    /// [`intersects`](fn@crate::query::intersects) and [`ray_any`](crate::query::ray_any) are; for boxes alone
    /// query the [`broad_phase`](Self::broad_phase).
    ///
    /// # Errors
    /// [`SceneError::Region`] for a box or a point that has not finite corners, or ends before it begins.
    pub fn query_region(
        &self,
        region: &Region,
        seek: impl Seek<Object>,
    ) -> Result<Answers<Handle, Handle>, SceneError> {
        let hull = |corners: &[_]| convex_hull(corners).map(Body::new).map_err(|_| SceneError::Region);
        let body = match region {
            Region::Box(aabb) if aabb.is_empty() => return Err(SceneError::Region),
            Region::Box(aabb) => hull(&aabb.corners())?,
            Region::Point(p) if !p.is_finite() => return Err(SceneError::Region),
            Region::Point(p) => Body::new(Shape::Point(*p)),
            Region::Frustum(frustum) => hull(frustum.corners())?,
            Region::Ray(ray, most) => return Ok(self.on_ray(ray, *most, seek)),
        };
        Ok(self.touching(body.at(&Pose::IDENTITY), seek))
    }

    fn on_ray(&self, ray: &Ray, most: f64, seek: impl Seek<Object>) -> Answers<Handle, Handle> {
        let candidates = self.accepted(&Region::Ray(*ray, limit(most)), seek);
        let told = self.limits.batch().each(&candidates, |work, &(handle, object)| {
            let Partial { found: is_hit, complete } = work.ray_any(object.at(), ray, most);
            if is_hit { Some(Ok(handle)) } else { (!complete).then_some(Err(handle)) }
        });
        Answers::of(told.answers.into_iter().flatten().collect(), told.statistics)
    }

    /// The first object that a ray hits at a parameter of at most `most`, of several the first by handle, and
    /// where. The nearest boxes first, on the calling thread. Complete if no budget ended the search within
    /// an object; else there may be others before it.
    pub fn ray(
        &self,
        ray: &Ray,
        most: f64,
        mut seek: impl Seek<Object>,
    ) -> Partial<Option<(Handle, RayHit)>> {
        self.first_on(ray, most, &mut |handle| self.wants(&mut seek, handle))
    }

    /// All objects that a ray hits at a parameter of at most `most`, each where it is hit first, in the order of the
    /// parameters, at equal ones of the handles. As [`ray`](Self::ray).
    pub fn ray_all(
        &self,
        ray: &Ray,
        most: f64,
        mut seek: impl Seek<Object>,
    ) -> Partial<Vec<(Handle, RayHit)>> {
        self.all_on(ray, most, &mut |handle| self.wants(&mut seek, handle))
    }

    /// Whether a search is about an object.
    pub(super) fn wants(&self, seek: &mut impl Seek<Object>, handle: Handle) -> bool {
        self.objects.get(handle).is_ok_and(|object| seek.wants(handle, object))
    }

    /// Objects whose boxes meet a region, of those that are sought, sorted.
    pub(super) fn accepted(&self, region: &Region, mut seek: impl Seek<Object>) -> Vec<(Handle, &Object)> {
        let met = self.phase.query(region).into_iter();
        let known = met.filter_map(|handle| Some((handle, self.objects.get(handle).ok()?)));
        known.filter(|(handle, object)| seek.wants(*handle, object)).collect()
    }
}

impl Standing for CollisionManager {
    fn along(&self, ray: &Ray, most: f64, visit: &mut dyn FnMut(Handle) -> f64) {
        self.phase.along(ray, most, visit);
    }

    fn near(&self, region: &Aabb, wants: &mut Wants) -> Vec<(Handle, Aabb)> {
        let near = self.phase.query(&Region::Box(*region)).into_iter().filter(|handle| wants(*handle));
        near.map(|handle| (handle, self.phase.aabb(handle).unwrap_or(Aabb::EVERYTHING))).collect()
    }

    fn body(&self, handle: Handle) -> Option<(&Body, Pose)> {
        let object = self.objects.get(handle).ok()?;
        Some((&object.body, object.pose))
    }

    fn limits(&self) -> Batch<'_> {
        self.limits.batch()
    }
}

/// NaN is no limit.
fn limit(most: f64) -> f64 {
    if most.is_nan() { f64::INFINITY } else { most }
}
