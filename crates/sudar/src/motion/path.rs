//! Motions: a pose that changes with time at constant velocity and constant angular velocity.

use glam::DVec3;

use crate::math::{Pose, PoseError, nearest_rotation, rotation_by, shortest_turn};

/// Greatest coordinate of a velocity.
const MAX_SPEED: f64 = 1e90;

/// A rigid motion at constant velocity of one point, the centre, and constant angular velocity about it.
///
/// At time t the point `x` of the body's frame is at `c + v·t + exp(t·[ω]×)·(R·x + T − c)`, with R and T of
/// the pose at time 0, c the centre and v its velocity, ω the angular velocity in radians per unit of time,
/// all in the world. Turns of any size are made, many times around where ω is large. A screw is the case of v
/// along ω. R is the rotation nearest to the pose's matrix, which a pose may be off by 1e-6.
///
/// ```
/// use std::f64::consts::PI;
/// use sudar::motion::Motion;
/// use sudar::{DVec3, Pose};
///
/// // A wheel of radius 1 rolls along x: in half a turn it comes as far as half its circumference.
/// let wheel = Motion::new(Pose::IDENTITY, DVec3::ZERO, DVec3::X * PI, DVec3::Y * PI)?;
/// let top = wheel.at(1.0).apply(DVec3::Z);
/// assert!((top - DVec3::new(PI, 0.0, -1.0)).length() < 1e-15);
/// # Ok::<(), sudar::PoseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    start: Pose,
    center: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

impl Motion {
    /// From the pose at time 0, the place of the centre at that time, its velocity, and the angular velocity.
    ///
    /// # Errors
    /// [`PoseError::NotFinite`], [`PoseError::TooFar`] for coordinates beyond 1e90.
    pub fn new(start: Pose, center: DVec3, velocity: DVec3, spin: DVec3) -> Result<Self, PoseError> {
        if !(center.is_finite() && velocity.is_finite() && spin.is_finite()) {
            return Err(PoseError::NotFinite);
        }
        let most = [start.translation(), center, velocity, spin]
            .into_iter()
            .fold(0.0, |most: f64, v| most.max(v.abs().max_element()));
        if most > MAX_SPEED {
            return Err(PoseError::TooFar);
        }
        let start = Pose::raw(nearest_rotation(&start.rotation()), start.translation());
        Ok(Self { start, center, velocity, spin })
    }

    /// No motion.
    pub fn still(pose: &Pose) -> Self {
        Self::between(pose, pose)
    }

    /// Without turning.
    ///
    /// # Errors
    /// As [`Motion::new`].
    pub fn linear(start: &Pose, velocity: DVec3) -> Result<Self, PoseError> {
        Self::new(*start, start.translation(), velocity, DVec3::ZERO)
    }

    /// The motion that takes the body from one pose at time 0 to another at time 1: its origin at constant
    /// velocity, turning about it by the shortest turn. At 180° up to rounding that is about the axis whose
    /// first coordinate that is not zero is positive.
    pub fn between(start: &Pose, end: &Pose) -> Self {
        let [from, to] = [start, end].map(|pose| nearest_rotation(&pose.rotation()));
        let spin = if from == to { DVec3::ZERO } else { shortest_turn(&(to * from.transpose())) };
        let velocity = end.translation() - start.translation();
        Self { start: Pose::raw(from, start.translation()), center: start.translation(), velocity, spin }
    }

    /// The pose at a time, its rotation orthonormal to rounding. At time 0 it is the first pose, to the bit.
    pub fn at(&self, time: f64) -> Pose {
        if time == 0.0 {
            return self.start;
        }
        let shift = self.velocity * time;
        if self.spin == DVec3::ZERO {
            return Pose::raw(self.start.rotation(), self.start.translation() + shift);
        }
        let turn = rotation_by(self.spin * time);
        let arm = turn * (self.start.translation() - self.center);
        Pose::raw(turn * self.start.rotation(), (self.center + shift) + arm)
    }

    /// The pose at time 0.
    pub fn start(&self) -> &Pose {
        &self.start
    }

    /// Where the centre is at time 0.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The velocity of the centre.
    pub fn velocity(&self) -> DVec3 {
        self.velocity
    }

    /// The angular velocity in radians per unit of time.
    pub fn spin(&self) -> DVec3 {
        self.spin
    }

    /// Where the centre is in the frame of the body; there it stays.
    pub fn center_in_body(&self) -> DVec3 {
        self.start.rotation().transpose() * (self.center - self.start.translation())
    }

    /// Whether the body turns.
    pub fn turns(&self) -> bool {
        self.spin != DVec3::ZERO
    }

    /// The motion seen from a given time on, which becomes time 0.
    #[must_use]
    pub fn from(&self, time: f64) -> Self {
        Self { start: self.at(time), center: self.center + self.velocity * time, ..*self }
    }

    /// The same way at so many times the speed; 0.5 makes the motion of the first half last as long as all of it.
    #[must_use]
    pub fn faster(&self, factor: f64) -> Self {
        Self { velocity: self.velocity * factor, spin: self.spin * factor, ..*self }
    }

    /// The same motion of a body that stands at a pose in the frame of this one.
    #[must_use]
    pub fn of_part(&self, at: &Pose) -> Self {
        Self { start: self.start.after(at), ..*self }
    }

    /// Bound on how far, per coordinate, a point of the body at most `reach` from the origin of its frame may
    /// be from where it is by the formula when it is posed at a time from 0 to `until`.
    pub fn rounding(&self, reach: f64, until: f64) -> f64 {
        let most = |v: DVec3| v.abs().max_element();
        let far = 3.0 * (reach + most(self.start.translation())) + most(self.velocity) * until;
        // Without turning about a centre elsewhere, twice the first part is more than all of it.
        if self.spin == DVec3::ZERO && self.center == self.start.translation() {
            return 16.0 * f64::EPSILON * far;
        }
        let arm = 3.0 * (reach + most(self.center - self.start.translation()));
        // Poses and points: some eight operations on numbers up to `far` and the centre. The angle has two
        // roundings more.
        let angle = most(self.spin) * until;
        f64::EPSILON * (8.0 * (far + 2.0 * most(self.center)) + (8.0 + 4.0 * angle) * arm)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use glam::{DMat3, DQuat};

    use super::*;

    fn posed(x: f64, turn: DQuat) -> Pose {
        Pose::new(DVec3::new(x, -0.5, 2.0), turn).unwrap()
    }

    fn off(a: &Pose, b: &Pose) -> f64 {
        let turn = (a.rotation() - b.rotation()).to_cols_array();
        turn.into_iter().fold((a.translation() - b.translation()).length(), |most, x| most.max(x.abs()))
    }

    #[test]
    fn a_motion_begins_and_ends_where_it_is_said_to() {
        for turn in [DQuat::IDENTITY, DQuat::from_rotation_x(3.0), DQuat::from_xyzw(0.5, -0.5, 0.5, 0.5)] {
            let (start, end) = (posed(1.0, DQuat::from_rotation_z(0.4)), posed(-3.0, turn));
            let motion = Motion::between(&start, &end);
            assert_eq!(motion.at(0.0), start);
            assert!(off(&motion.at(1.0), &end) < 1e-14);
            let later = motion.from(0.25);
            assert!(off(&later.at(0.5), &motion.at(0.75)) < 1e-14);
            assert!(off(&motion.faster(0.5).at(1.0), &motion.at(0.5)) < 1e-14);
            let part = posed(0.7, DQuat::from_rotation_y(-1.0));
            assert!(off(&motion.of_part(&part).at(0.3), &motion.at(0.3).after(&part)) < 1e-14);
        }
    }

    #[test]
    fn a_turn_about_a_center_leaves_it_where_it_is() {
        let center = DVec3::new(3.0, 1.0, -2.0);
        let motion =
            Motion::new(posed(1.0, DQuat::IDENTITY), center, DVec3::ZERO, DVec3::new(0.0, 0.0, 100.0 * PI))
                .unwrap();
        let inside = motion.center_in_body();
        for time in [0.0, 0.001, 0.37, 1.0, 12.3] {
            assert!((motion.at(time).apply(inside) - center).length() < 1e-13);
        }
    }

    #[test]
    fn a_matrix_that_is_no_rotation_is_made_one() {
        let bent = DMat3::IDENTITY + DMat3::from_cols(DVec3::splat(3e-7), DVec3::ZERO, DVec3::X * 1e-7);
        let pose = Pose::from_matrix(bent, DVec3::X).unwrap();
        for motion in [Motion::still(&pose), Motion::linear(&pose, DVec3::Y).unwrap()] {
            let turn = motion.at(0.5).rotation();
            let gram = turn.transpose() * turn - DMat3::IDENTITY;
            assert!(gram.to_cols_array().into_iter().all(|x| x.abs() < 1e-15));
        }
    }

    #[test]
    fn what_is_no_motion_is_refused() {
        let new = |center, velocity, spin| Motion::new(Pose::IDENTITY, center, velocity, spin);
        for bad in [DVec3::NAN, DVec3::INFINITY] {
            assert_eq!(new(bad, DVec3::X, DVec3::X), Err(PoseError::NotFinite));
            assert_eq!(new(DVec3::X, bad, DVec3::X), Err(PoseError::NotFinite));
            assert_eq!(new(DVec3::X, DVec3::X, bad), Err(PoseError::NotFinite));
        }
        assert_eq!(new(DVec3::X, DVec3::X * 1e91, DVec3::X), Err(PoseError::TooFar));
    }
}
