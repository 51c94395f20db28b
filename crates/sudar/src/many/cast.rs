//! What a moving body meets first in the scene, which stands still meanwhile.

use glam::DVec3;

use super::manager::CollisionManager;
use super::object::Object;
use super::standing::Standing;
use crate::broad::{Handle, Seek};
use crate::math::PoseError;
use crate::query::{CastHit, Moving, Placed, Sweep, SweepOptions};

impl CollisionManager {
    /// The first object that a moving body meets, of those that are sought, and when, with feature 1 and
    /// `point_b` on the object; `None` if the motion is certainly free of all of them. Of several met at the same time
    /// that with the least handle. The body need not be in the scene; one that is meets itself unless it is left
    /// out. Undecided if a budget or a flag ended the search within this object: nothing at all is met before
    /// [`Sweep::free_until`].
    ///
    /// Certain, as [`sweep`](fn@crate::query::sweep). By branch and bound: boxes along the way in the order
    /// in which they can be met, each sweep up to the first contact so far. On the calling thread.
    ///
    /// ```
    /// use sudar::motion::Motion;
    /// use sudar::query::{Body, SweepOptions};
    /// use sudar::many::{CollisionManager, Filter, Object};
    /// use sudar::{Cuboid, DVec3, Pose, Sphere};
    ///
    /// let mut scene = CollisionManager::default();
    /// let plate = Body::new(Cuboid::new(DVec3::new(0.0005, 1.0, 1.0))?);
    /// for x in [3.0, 2.0] {
    ///     scene.insert(Object::new(format!("plate at {x}"), plate.clone(), Pose::from_translation(DVec3::X * x)?))?;
    /// }
    /// let bullet = Body::new(Sphere::new(DVec3::ZERO, 0.01)?);
    /// let flight = Motion::linear(&Pose::IDENTITY, DVec3::X * 1000.0)?;
    /// let first = scene.sweep(bullet.moving(&flight), Filter::ALL, &SweepOptions::within(1e-6));
    /// // At 2 m, less half the plate and the radius.
    /// assert!(first.is_some_and(|(plate, found)| scene.object(plate).is_ok_and(|o| o.name == "plate at 2")
    ///     && found.impact().is_some_and(|impact| impact.time.contains(0.0019895))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep(
        &self,
        body: Moving,
        mut seek: impl Seek<Object>,
        options: &SweepOptions,
    ) -> Option<(Handle, Sweep)> {
        self.first_met(body, &mut |handle| self.wants(&mut seek, handle), options)
    }

    /// How far a body can go along a direction, of any length but zero, before it touches an object, and
    /// which; `None` if it gets as far as `length` without. As [`cast_shape`](crate::query::cast_shape) and
    /// [`sweep`](Self::sweep).
    ///
    /// # Errors
    /// [`PoseError`] for a direction that is zero or not finite, or lengths beyond 1e90.
    pub fn cast_shape(
        &self,
        body: Placed,
        direction: DVec3,
        length: f64,
        mut seek: impl Seek<Object>,
    ) -> Result<Option<(Handle, CastHit)>, PoseError> {
        self.first_ahead(body, direction, length, &mut |handle| self.wants(&mut seek, handle))
    }
}
