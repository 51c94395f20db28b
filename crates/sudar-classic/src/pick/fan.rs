//! A fan of rays in front of a car, by which it is steered.

use sudar::query::{Body, ray};
use sudar::{DVec3, Pose, Ray, ShapeError};

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
    from: DVec3,
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
        let from = Ray::new(from, DVec3::X)?.origin;
        let half = (count / 2).max(1) as i64;
        let angles = (-half..=half).map(|k| spread * k as f64 / half as f64).collect();
        Ok(Self { from, angles, reach })
    }

    /// The angles of the rays, from the right to the left, in radians.
    pub fn angles(&self) -> &[f64] {
        &self.angles
    }

    /// How long the rays are.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// The rays of a car in a pose, in the world, with directions of length 1.
    pub fn rays(&self, pose: &Pose) -> Vec<Ray> {
        let origin = pose.apply(self.from);
        self.angles.iter().map(|angle| Ray { origin, direction: pose.rotate(direction(*angle)) }).collect()
    }

    /// How far each ray is free of all obstacles, at most its reach; 0 if it begins in a solid one.
    pub fn free(&self, pose: &Pose, obstacles: &[(&Body, &Pose)]) -> Vec<f64> {
        let to =
            |line: &Ray, (body, at): &(&Body, &Pose)| ray(body.at(at), line, self.reach).map(|hit| hit.t);
        let free = |line: &Ray| obstacles.iter().filter_map(|one| to(line, one)).fold(self.reach, f64::min);
        self.rays(pose).iter().map(free).collect()
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

    /// What is behind the car is in nobody's way; from within a wall no ray is free.
    #[test]
    fn only_what_is_ahead_counts() {
        let fan = Fan::new(5, 0.8, DVec3::ZERO, 10.0).unwrap();
        let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap());
        let [behind, around] = [-3.0, 0.0].map(|x| Pose::from_translation(DVec3::X * x).unwrap());
        assert_eq!(fan.free(&Pose::IDENTITY, &[(&ball, &behind)]), [10.0; 5]);
        assert_eq!(fan.free(&Pose::IDENTITY, &[(&ball, &behind), (&ball, &around)]), [0.0; 5]);
    }

    #[test]
    fn what_is_no_fan_is_refused() {
        assert!(Fan::new(5, 0.0, DVec3::ZERO, 1.0).is_err());
        assert!(Fan::new(5, 1.0, DVec3::ZERO, f64::NAN).is_err());
        assert!(Fan::new(5, 1.0, DVec3::splat(f64::INFINITY), 1.0).is_err());
        assert_eq!(Fan::new(0, 1.0, DVec3::ZERO, 1.0).unwrap().angles().len(), 3);
    }
}
