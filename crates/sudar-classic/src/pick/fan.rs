//! A fan of rays in front of a car, by which it is steered.

use sudar::query::Body;
use sudar::{DVec3, Pose, ShapeError};

use crate::{RayBody, RayContact};

/// Rays from the front of a car to the left and right: the lecture's object that is approximated by rays, used to
/// steer.
///
/// In the frame of the car x is ahead and y to the left.
///
/// ```
/// use sudar::query::Body;
/// use sudar::{Cuboid, DVec3, Pose};
/// use sudar_classic::pick::Fan;
///
/// let fan = Fan::new(9, 0.8, DVec3::X * 0.5, 10.0)?;
/// let wall = Body::new(Cuboid::new(DVec3::new(0.1, 2.0, 1.0))?);
/// let ahead_to_the_right = Pose::from_translation(DVec3::new(4.0, -1.9, 0.0))?;
/// let free = fan.free(&Pose::IDENTITY, &[(&wall, &ahead_to_the_right)]);
/// let steering = fan.steer(&free);
/// assert!(steering.turn > 0.0 && (steering.ahead - 3.4).abs() < 1e-12); // to the left
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Fan {
    body: RayBody,
    angles: Vec<f64>,
    reach: f64,
}

/// What free distances mean for a driver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steering {
    /// The angle to turn to, in radians, to the left if positive: that of the sum of the rays as far as they are free.
    pub turn: f64,
    /// The free distance along the ray in the middle.
    pub ahead: f64,
    /// The least of all.
    pub least: f64,
}

impl Fan {
    /// So many rays, an odd number so that one is in the middle and at least three, spread evenly from `spread` to the
    /// right to as much to the left, in radians, all from a point of the car, as long as `reach`.
    ///
    /// # Errors
    /// [`ShapeError`] for a reach or spread that is not positive and finite, or a point that is no point.
    pub fn new(count: usize, spread: f64, from: DVec3, reach: f64) -> Result<Self, ShapeError> {
        for (what, value) in [("the reach of a fan", reach), ("the spread of a fan", spread)] {
            if !value.is_finite() {
                return Err(ShapeError::NotFinite { what });
            }
            if value <= 0.0 {
                return Err(ShapeError::NotPositive { what, value });
            }
        }
        let half = (count / 2).max(1) as i64;
        let angles: Vec<f64> = (-half..=half).map(|k| spread * k as f64 / half as f64).collect();
        let rays = angles.iter().map(|angle| (from, direction(*angle))).collect();
        Ok(Self { body: RayBody::new(rays, reach)?, angles, reach })
    }

    /// The rays.
    pub fn body(&self) -> &RayBody {
        &self.body
    }

    /// Their angles, from the right to the left, in radians.
    pub fn angles(&self) -> &[f64] {
        &self.angles
    }

    /// How far each ray is free of all obstacles, at most its reach; 0 where its foot is in one or behind its surface.
    pub fn free(&self, pose: &Pose, obstacles: &[(&Body, &Pose)]) -> Vec<f64> {
        let mut free = vec![self.reach; self.angles.len()];
        for (body, at) in obstacles {
            for (free, contact) in free.iter_mut().zip(self.body.probe(pose, body, at, self.reach)) {
                let distance = match contact {
                    RayContact::Above(distance) => distance,
                    RayContact::Touching | RayContact::Inside(_) => 0.0,
                    RayContact::Nothing => self.reach,
                };
                *free = free.min(distance);
            }
        }
        free
    }

    /// Steers to where there is most room. Straight ahead if there is none.
    pub fn steer(&self, free: &[f64]) -> Steering {
        let room: DVec3 = self.angles.iter().zip(free).map(|(angle, free)| direction(*angle) * *free).sum();
        let turn = if room == DVec3::ZERO { 0.0 } else { libm::atan2(room.y, room.x) };
        let ahead = free.get(self.angles.len() / 2).copied().unwrap_or(0.0);
        Steering { turn, ahead, least: free.iter().copied().fold(self.reach, f64::min) }
    }
}

fn direction(angle: f64) -> DVec3 {
    let (sine, cosine) = libm::sincos(angle);
    DVec3::new(cosine, sine, 0.0)
}

#[cfg(test)]
mod tests {
    use sudar::{Cuboid, Halfspace, Sphere};

    use super::*;

    #[test]
    fn an_empty_world_and_a_wall_across_leave_the_car_straight() {
        let fan = Fan::new(7, 0.9, DVec3::ZERO, 8.0).unwrap();
        let free = fan.free(&Pose::IDENTITY, &[]);
        assert_eq!(free, [8.0; 7]);
        assert!(fan.steer(&free).turn.abs() < 1e-15);
        let wall = Body::new(Halfspace::new(-DVec3::X, -3.0).unwrap());
        let free = fan.free(&Pose::IDENTITY, &[(&wall, &Pose::IDENTITY)]);
        for (angle, free) in fan.angles().iter().zip(&free) {
            assert!((free - 3.0 / angle.cos()).abs() < 1e-12);
        }
        let steering = fan.steer(&free);
        assert!(steering.turn.abs() < 1e-15 && (steering.least - 3.0).abs() < 1e-12);
    }

    #[test]
    fn it_turns_away_from_what_is_near() {
        let fan = Fan::new(9, 0.8, DVec3::ZERO, 10.0).unwrap();
        let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap());
        let block = Body::new(Cuboid::new(DVec3::splat(0.5)).unwrap());
        for side in [1.0, -1.0] {
            let at = Pose::from_translation(DVec3::new(2.0, side, 0.0)).unwrap();
            for body in [&ball, &block] {
                let free = fan.free(&Pose::IDENTITY, &[(body, &at)]);
                assert!(fan.steer(&free).turn * side < -1e-3, "{side}: {free:?}");
            }
        }
    }

    #[test]
    fn what_is_no_fan_is_refused() {
        assert!(Fan::new(5, 0.0, DVec3::ZERO, 1.0).is_err());
        assert!(Fan::new(5, 1.0, DVec3::ZERO, f64::NAN).is_err());
        assert!(Fan::new(5, 1.0, DVec3::splat(f64::INFINITY), 1.0).is_err());
        assert_eq!(Fan::new(0, 1.0, DVec3::ZERO, 1.0).unwrap().angles().len(), 3);
    }
}
