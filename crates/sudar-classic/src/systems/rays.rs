//! A body stood for by a few rays.

use sudar::query::{Body, ray};
use sudar::{DVec3, Pose, Ray, ShapeError};

/// A ray of a body: from a foot on its surface outward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProbeRay {
    /// The point of the body's surface, in its frame.
    pub foot: DVec3,
    /// Outward, of length 1.
    pub direction: DVec3,
}

/// A body approximated by rays, as a car is by its wheels (Pandžić, lectures on virtual environments): each
/// is the distance of its foot from a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct RayBody {
    rays: Vec<ProbeRay>,
    depth: f64,
}

/// What one ray says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RayContact {
    /// The surface is so far ahead of the foot.
    Above(f64),
    /// The foot is on the surface.
    Touching,
    /// The surface was passed so far behind the foot.
    Inside(f64),
    /// No surface is met.
    Nothing,
}

impl RayBody {
    /// Rays that look for surfaces from `depth` behind their feet on: what is deeper inside is missed.
    ///
    /// # Errors
    /// As [`Ray::new`] for feet and directions; [`ShapeError::NotPositive`] for the depth.
    pub fn new(rays: Vec<(DVec3, DVec3)>, depth: f64) -> Result<Self, ShapeError> {
        if !depth.is_finite() {
            return Err(ShapeError::NotFinite { what: "a depth" });
        }
        if depth <= 0.0 {
            return Err(ShapeError::NotPositive { what: "a depth", value: depth });
        }
        let checked = |(foot, direction): (DVec3, DVec3)| {
            let ray = Ray::new(foot, direction)?;
            let size = ray.direction.abs().max_element();
            Ok(ProbeRay { foot, direction: (ray.direction / size).normalize() })
        };
        Ok(Self { rays: rays.into_iter().map(checked).collect::<Result<_, ShapeError>>()?, depth })
    }

    /// The rays.
    pub fn rays(&self) -> &[ProbeRay] {
        &self.rays
    }

    /// What each ray says of a body in the world, looking as far as `reach` ahead: d > 0 above it, d = 0
    /// touching, d < 0 inside.
    pub fn probe(&self, pose: &Pose, surface: &Body, surface_pose: &Pose, reach: f64) -> Vec<RayContact> {
        let one = |probe: &ProbeRay| {
            let direction = pose.rotate(probe.direction);
            let origin = pose.apply(probe.foot) - direction * self.depth;
            match ray(surface.at(surface_pose), &Ray { origin, direction }, self.depth + reach) {
                None => RayContact::Nothing,
                Some(hit) if hit.t > self.depth => RayContact::Above(hit.t - self.depth),
                Some(hit) if hit.t < self.depth => RayContact::Inside(self.depth - hit.t),
                Some(_) => RayContact::Touching,
            }
        };
        self.rays.iter().map(one).collect()
    }
}
