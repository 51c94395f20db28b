//! Two bodies in one small `f32` frame: how any scale fits, and by how much culling must be inflated for it.

use glam::{DMat3, DVec3, Vec3};

use crate::math::{Pose, binary_exponent, power_of_two};
use crate::shape::Aabb;

/// The frame in which a tree stores its `f32` numbers: `(x − origin)·2^exponent`, so that every coordinate of
/// the body lies in [−1, 1]. Powers of two keep the map exact up to one rounding, at any scale of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Centre of the body's box, in body coordinates.
    pub origin: DVec3,
    /// Power of two by which offsets from the origin are multiplied.
    pub exponent: i32,
    /// Largest absolute body coordinate.
    pub reach: f64,
}

impl Frame {
    /// The frame that fits `aabb`.
    pub fn around(aabb: Aabb) -> Self {
        let origin = aabb.center();
        let half = (aabb.max - origin).abs().max((origin - aabb.min).abs()).max_element();
        // One more than the exponent of `half`, so that half·2^exponent lies in [1/2, 1).
        let exponent = if half > 0.0 { -(binary_exponent(half) + 1) } else { 0 };
        Self { origin, exponent, reach: aabb.reach() }
    }

    /// `x` in this frame, rounded once to `f64`.
    #[inline]
    pub fn scaled(&self, x: DVec3) -> DVec3 {
        (x - self.origin) * power_of_two(self.exponent)
    }
}

/// Largest error, per coordinate, of a point of the body stored in `f32`: half an ulp of a number below one,
/// and the rounding in `f64` before it, which is far smaller.
pub const STORED: f32 = 1.0 / (1 << 24) as f32;

/// Bound on the error of every box or point comparison that is made in `f32` on coordinates of size at most 8:
/// the worst chain of operations (a turned centre difference measured along the other body's axes) adds up to
/// 6.6e-6, and this is 7.6e-6.
const ARITHMETIC: f32 = 1.0 / (1 << 17) as f32;

/// By how much a length may seem longer than it is: a pose's matrix stretches it by 4·10⁻⁶ at most, axes that
/// are taken for unit vectors are longer by as much, and turned by such a matrix by twice that; the rest is
/// for rounding of these in `f32`.
pub const STRETCH: f64 = 1.0 + 1.0 / (1 << 15) as f64;

/// Bodies so small beside the margin that `f32` could not tell how far apart they are, or not hold it, lie in
/// one place: all their boxes meet.
const WIDE: f64 = (1 << 20) as f64;

/// How the frame of body b lies in the frame of body a, for culling: `x_a = turn·x_b + shift`.
///
/// Body a must be the one with the larger frame (see [`Relative::within`]), so that every number stays below 8.
#[derive(Debug, Clone, Copy)]
pub struct Relative {
    /// Columns of the linear part: the rotation from b to a, times `scale`.
    pub turn: [Vec3; 3],
    /// Translation.
    pub shift: Vec3,
    /// Columns of the rotation from a back to b, without the scale.
    pub back: [Vec3; 3],
    /// Size of one unit of frame b in frame a; at most 1.
    pub scale: f32,
    /// By how much every comparison has to be inflated so that none is wrong.
    pub slack: f32,
    /// By how much any difference of two corners may be off, in each coordinate.
    pub corner_slack: f32,
    /// How far apart in this frame things may be and still count as meeting.
    pub margin: f32,
}

/// Whether the first body's frame is at least as large as the second's.
pub fn is_larger(a: &Frame, b: &Frame) -> bool {
    a.exponent <= b.exponent
}

impl Relative {
    /// The relative frame of two posed bodies, the first with the larger frame. Things at most `margin` apart
    /// in the world count as meeting; `None` if the boxes are certainly farther apart, beyond all rounding.
    pub fn within(a: &Frame, pose_a: &Pose, b: &Frame, pose_b: &Pose, margin: f64) -> Option<Self> {
        // Most scenes stand as they are in the world, and a body is asked about many times beside one.
        let is_turned = pose_a.rotation() != DMat3::IDENTITY;
        let inverse_a = if is_turned { pose_a.rotation().inverse() } else { DMat3::IDENTITY };
        let rotation = if is_turned { inverse_a * pose_b.rotation() } else { pose_b.rotation() };
        let to_a = power_of_two(a.exponent);
        let scale = power_of_two((a.exponent - b.exponent).max(-200));
        let from_a = (pose_b.rotate(b.origin) - pose_a.rotate(a.origin))
            + (pose_b.translation() - pose_a.translation());
        let shift = inverse_a * from_a * to_a;
        let wide = margin * to_a * STRETCH;
        let world = world_rounding(a, pose_a, b, pose_b) * to_a;
        // Coordinates are at most 8 and what the margin adds.
        let slack = f64::from(ARITHMETIC) * (1.0 + wide) + world;
        // |x_a| ≤ 1 and |turn·x_b| ≤ √3: a shift of more than 3 leaves a gap.
        if shift.abs().max_element() > 3.0 + slack + wide {
            return None;
        }
        let shift = if wide < WIDE { shift } else { DVec3::ZERO };
        let corners = corners_off(scale, shift) + 2.0 * world;
        Some(Self {
            turn: columns(rotation * scale),
            shift: shift.as_vec3(),
            back: columns(rotation.inverse()),
            scale: scale as f32,
            // Slack so large that all boxes meet: slow, never wrong. Kept finite for the arithmetic's sake.
            slack: (slack.min(1e30) as f32).next_up(),
            corner_slack: (corners.min(1e30) as f32).next_up(),
            margin: if margin > 0.0 { (wide.min(1e30) as f32).next_up() } else { 0.0 },
        })
    }
}

impl Relative {
    /// A posed body beside itself, at rest in its own frame: a pose moves all of it alike, up to the rounding
    /// that the slack makes up for.
    pub fn to_itself(frame: &Frame, pose: &Pose) -> Self {
        let world = world_rounding(frame, pose, frame, pose) * power_of_two(frame.exponent);
        let slack = ((f64::from(ARITHMETIC) + world).min(1e30) as f32).next_up();
        // Nothing is turned.
        let corner_slack = ((5.0 * f64::from(STORED) + 2.0 * world).min(1e30) as f32).next_up();
        let same = [Vec3::X, Vec3::Y, Vec3::Z];
        Self { turn: same, shift: Vec3::ZERO, back: same, scale: 1.0, slack, corner_slack, margin: 0.0 }
    }

    /// By how much boxes are made larger.
    #[inline(always)]
    pub fn wide(&self) -> f32 {
        self.slack + self.margin
    }
}

/// Bound on how far, in world units and per coordinate, posed points and the relative frame are off by
/// rounding in `f64`: a few dozen operations on numbers no larger than the sum.
fn world_rounding(a: &Frame, pose_a: &Pose, b: &Frame, pose_b: &Pose) -> f64 {
    let far = |p: &Pose| p.translation().abs().max_element();
    64.0 * f64::EPSILON * (a.reach + b.reach + far(pose_a) + far(pose_b))
}

/// By how much the difference of any two corners, in `f32` and in the frame of a, is off in each coordinate.
///
/// In ε = 2⁻²⁴: a corner of a is stored up to 1, and two of a differ up to 2 and round by as much, 4 in all. With the
/// scale S and the shift T, a corner of b is stored up to √3S; the entries by which it is turned, three products and
/// two sums are each up to √3S more; the shift rounds by T, and the last sum by √3S + T: 10.4S + 2T. Two of b share
/// the rounding of the shift, and their difference of at most 2√3S rounds by that: 24.3S + 2T; one of each differ by
/// at most 1 + √3S + T: 12.2S + 3T + 2. The sum here is more than each.
fn corners_off(scale: f64, shift: DVec3) -> f64 {
    f64::from(STORED) * (25.0 * scale + 3.1 * shift.abs().max_element() + 4.5)
}

fn columns(m: DMat3) -> [Vec3; 3] {
    [m.x_axis.as_vec3(), m.y_axis.as_vec3(), m.z_axis.as_vec3()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_fills_the_unit_cube_at_any_scale() {
        for size in [1e-89, 3e-7, 1.0, 1024.0, 7e89] {
            let aabb = Aabb { min: DVec3::new(-size, 0.0, 0.0), max: DVec3::new(size, size, size / 3.0) };
            let frame = Frame::around(aabb);
            let corner = frame.scaled(aabb.max).abs().max_element();
            assert!((0.5..=1.0).contains(&corner), "{size}: {corner}");
        }
    }

    #[test]
    fn powers_of_two_are_exact() {
        assert_eq!((power_of_two(0), power_of_two(-3), power_of_two(70)), (1.0, 0.125, 2f64.powi(70)));
        assert_eq!([1.0, 1.99, 2.0, 0.75, 5e-324].map(binary_exponent), [0, 0, 1, -1, -1074]);
    }

    #[test]
    fn bodies_far_apart_have_no_common_frame() {
        let frame = Frame::around(Aabb { min: -DVec3::ONE, max: DVec3::ONE });
        let at = |x| Pose::from_translation(DVec3::new(x, 0.0, 0.0)).unwrap();
        assert!(Relative::within(&frame, &Pose::IDENTITY, &frame, &at(2.0), 0.0).is_some());
        assert!(Relative::within(&frame, &Pose::IDENTITY, &frame, &at(7.0), 0.0).is_none());
    }
}
