//! Frames: rotation and translation as twelve numbers, multiplied by one documented formula.

use serde::{Deserialize, Serialize};
use sudar::{DMat3, DVec3, Pose};

/// A rotation by its columns and a translation.
///
/// The product takes a vector v to ((x·vx + y·vy) + z·vz), each operation rounded to `f64`, none fused.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Frame {
    pub x: DVec3,
    pub y: DVec3,
    pub z: DVec3,
    pub t: DVec3,
}

impl Frame {
    pub const IDENTITY: Self = Self { x: DVec3::X, y: DVec3::Y, z: DVec3::Z, t: DVec3::ZERO };

    pub fn of(pose: &Pose) -> Self {
        let r = pose.rotation();
        Self { x: r.x_axis, y: r.y_axis, z: r.z_axis, t: pose.translation() }
    }

    /// As URDF has it: turned by roll about x, then pitch about y, then yaw about z, then moved.
    pub fn of_rpy(xyz: [f64; 3], [roll, pitch, yaw]: [f64; 3]) -> Self {
        let ((sr, cr), (sp, cp), (sy, cy)) = (libm::sincos(roll), libm::sincos(pitch), libm::sincos(yaw));
        Self {
            x: DVec3::new(cy * cp, sy * cp, -sp),
            y: DVec3::new(cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr),
            z: DVec3::new(cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr),
            t: DVec3::from(xyz),
        }
    }

    /// The pose; `None` where a number is no longer that of a pose.
    #[inline]
    pub fn pose(&self) -> Option<Pose> {
        Pose::from_matrix(DMat3::from_cols(self.x, self.y, self.z), self.t).ok()
    }

    #[inline(always)]
    pub fn rotate(&self, v: DVec3) -> DVec3 {
        (self.x * v.x + self.y * v.y) + self.z * v.z
    }

    #[inline(always)]
    pub fn apply(&self, p: DVec3) -> DVec3 {
        self.rotate(p) + self.t
    }

    /// The coordinates of a direction in this frame, for rotations.
    #[inline(always)]
    pub fn unrotate(&self, v: DVec3) -> DVec3 {
        DVec3::new(self.x.dot(v), self.y.dot(v), self.z.dot(v))
    }

    /// First `inner`, then this.
    #[inline(always)]
    pub fn after(&self, inner: &Self) -> Self {
        Self {
            x: self.rotate(inner.x),
            y: self.rotate(inner.y),
            z: self.rotate(inner.z),
            t: self.apply(inner.t),
        }
    }

    /// How far the rotation is from one: the largest entry of RᵀR − I.
    pub fn shear(&self) -> f64 {
        let [x, y, z] = [self.x, self.y, self.z];
        let lengths = [x.dot(x) - 1.0, y.dot(y) - 1.0, z.dot(z) - 1.0];
        let others = [x.dot(y), y.dot(z), z.dot(x)];
        lengths.into_iter().chain(others).fold(0.0, |most: f64, e| most.max(e.abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roll_pitch_and_yaw_are_about_fixed_axes() {
        let quarter = std::f64::consts::FRAC_PI_2;
        // Roll takes y to z, then pitch takes z to x, then yaw takes x to y.
        let frame = Frame::of_rpy([1.0, 2.0, 3.0], [quarter, quarter, quarter]);
        assert!((frame.rotate(DVec3::Y) - DVec3::Y).length() < 1e-15);
        assert_eq!(frame.apply(DVec3::ZERO), DVec3::new(1.0, 2.0, 3.0));
        assert!(frame.shear() < 1e-15 && frame.pose().is_some());
        let v = DVec3::new(0.3, -0.4, 0.5);
        assert!((frame.unrotate(frame.rotate(v)) - v).length() < 1e-15);
    }
}
