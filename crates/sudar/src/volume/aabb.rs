//! Boxes along the axes of their body.

use glam::{DMat3, DVec3};

use super::{Relative, Volume};
use crate::pair::{aabb_aabb, aabb_obb};
use crate::shape::{Aabb, Obb};

impl Volume for Aabb {
    type Placed = Obb;
    type Motion = Relative;

    fn fit(points: &[DVec3]) -> Option<Self> {
        (!points.is_empty()).then(|| Self::around(points.iter().copied()))
    }

    fn merged(&self, other: &Self) -> Self {
        Self::union(*self, *other)
    }

    fn volume(&self) -> f64 {
        Self::extent(*self).element_product()
    }

    fn middle(&self) -> DVec3 {
        Self::center(*self)
    }

    fn extents(&self) -> DVec3 {
        Self::extent(*self)
    }

    fn holds(&self, p: DVec3) -> bool {
        Self::contains(*self, p)
    }

    fn overlaps(&self, other: &Self) -> bool {
        aabb_aabb(self, other)
    }

    fn under(motion: &Relative) -> Relative {
        *motion
    }

    fn placed(&self, motion: &Relative) -> Obb {
        let half = Self::extent(*self) * 0.5;
        let around = Obb { center: Self::center(*self), axes: DMat3::IDENTITY, half };
        // The middle and the half extents are rounded by less than this.
        let slack = 2.0 * f64::EPSILON * self.reach();
        around.placed(motion).grown(slack)
    }

    fn meets(&self, placed: &Obb) -> bool {
        aabb_obb(self, placed)
    }

    fn between(&self, placed: &Obb) -> f64 {
        (Self::center(*self) - placed.center).length_squared()
    }
}
