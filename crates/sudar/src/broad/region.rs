//! What a broad phase can be searched with.

use glam::DVec3;

use super::boxes::overlap;
use crate::pair::{Containment, frustum_aabb, ray_aabb};
use crate::shape::{Aabb, Frustum, Ray};

/// A part of space. Boundaries belong to it.
#[derive(Debug, Clone, Copy)]
pub enum Region<'a> {
    /// A box.
    Box(Aabb),
    /// One point.
    Point(DVec3),
    /// The points of a ray up to a parameter, in units of the length of its direction; may be infinite.
    Ray(Ray, f64),
    /// What a camera sees: all that is beyond none of its six planes, see [`frustum_aabb`].
    Frustum(&'a Frustum),
}

impl Region<'_> {
    /// Whether the box and the region have a point in common. Exact, so a box never meets what its surroundings do not.
    pub fn meets(&self, aabb: &Aabb) -> bool {
        match self {
            Self::Box(region) => overlap(region, aabb),
            Self::Point(p) => aabb.contains(*p),
            Self::Ray(ray, most) => ray_aabb(ray, aabb, *most).is_some(),
            Self::Frustum(frustum) => frustum_aabb(frustum, &within_range(aabb)) != Containment::Outside,
        }
    }

    /// A box that holds what of the region is in any box, if there is one that is quick to tell.
    pub fn bounds(&self) -> Option<Aabb> {
        match self {
            Self::Box(region) => Some(*region),
            Self::Point(p) => Some(Aabb { min: *p, max: *p }),
            Self::Ray(..) | Self::Frustum(_) => None,
        }
    }
}

/// The box with infinite ends at 1e90, beyond which no frustum reaches.
fn within_range(aabb: &Aabb) -> Aabb {
    let range = DVec3::splat(1e90);
    Aabb { min: aabb.min.clamp(-range, range), max: aabb.max.clamp(-range, range) }
}
