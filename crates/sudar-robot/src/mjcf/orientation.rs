//! Positions and orientations of elements.

use sudar::DVec3;

use super::attributes::Attributes;
use super::compiler::Compiler;
use super::fault::MjcfFault;
use crate::RobotError;
use crate::frame::Frame;

/// Shorter vectors have no direction.
const LEAST: f64 = 1e-14;

/// The frame of `pos` and the orientation.
pub(super) fn frame(found: &Attributes, compiler: &Compiler) -> Result<Frame, RobotError> {
    let t = found.numbers::<3>("pos")?.map_or(DVec3::ZERO, DVec3::from);
    Ok(Frame { t, ..orientation(found, compiler)? })
}

/// One of `axisangle`, `xyaxes`, `zaxis` and `euler`, or `quat`, or none.
pub(super) fn orientation(found: &Attributes, compiler: &Compiler) -> Result<Frame, RobotError> {
    let flat = |attribute| found.refuse(MjcfFault::Direction { of: found.label.clone(), attribute });
    if let Some([x, y, z, angle]) = found.numbers::<4>("axisangle")? {
        let axis = direction(DVec3::new(x, y, z)).ok_or_else(|| flat("axisangle"))?;
        return Ok(about(axis, compiler.angle(angle)));
    }
    if let Some([a, b, c, d, e, f]) = found.numbers::<6>("xyaxes")? {
        let x = direction(DVec3::new(a, b, c)).ok_or_else(|| flat("xyaxes"))?;
        let y = DVec3::new(d, e, f);
        let y = direction(y - x * x.dot(y)).ok_or_else(|| flat("xyaxes"))?;
        return Ok(Frame { x, y, z: x.cross(y), t: DVec3::ZERO });
    }
    if let Some(z) = found.numbers::<3>("zaxis")? {
        return Ok(to_z(direction(DVec3::from(z)).ok_or_else(|| flat("zaxis"))?));
    }
    if let Some(angles) = found.numbers::<3>("euler")? {
        return Ok(euler(angles.map(|angle| compiler.angle(angle)), compiler.euler));
    }
    match found.numbers::<4>("quat")? {
        None => Ok(Frame::IDENTITY),
        Some(quat) => quaternion(quat).ok_or_else(|| flat("quat")),
    }
}

/// A unit vector; none of what is too short.
pub(super) fn direction(v: DVec3) -> Option<DVec3> {
    let size = v.abs().max_element();
    // Divided first, so that squares stay in range.
    (size > LEAST).then(|| {
        let v = v / size;
        v / v.length()
    })
}

/// A turn about a unit axis.
pub(super) fn about(axis: DVec3, angle: f64) -> Frame {
    let (s, c) = libm::sincos(angle * 0.5);
    let v = axis * s;
    unit_quaternion([c, v.x, v.y, v.z])
}

/// A quaternion, the real part first, of any length but zero.
pub(super) fn quaternion(quat: [f64; 4]) -> Option<Frame> {
    let size = quat.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if size <= LEAST {
        return None;
    }
    let quat = quat.map(|x| x / size);
    let length = quat.iter().map(|x| x * x).sum::<f64>().sqrt();
    Some(unit_quaternion(quat.map(|x| x / length)))
}

fn unit_quaternion([w, x, y, z]: [f64; 4]) -> Frame {
    Frame {
        x: DVec3::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        y: DVec3::new(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
        z: DVec3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
        t: DVec3::ZERO,
    }
}

/// The least turn that takes z to a unit vector; to its opposite half a turn about x.
pub(super) fn to_z(z: DVec3) -> Frame {
    let across = DVec3::Z.cross(z);
    let sine = across.length();
    let axis = if sine < 1e-10 { DVec3::X } else { across / sine };
    about(axis, libm::atan2(sine, z.z))
}

/// Turns about axes one after the other: axes of the sequence that turn along are those of what was turned so far.
pub(super) fn euler(angles: [f64; 3], sequence: [(usize, bool); 3]) -> Frame {
    let mut whole = Frame::IDENTITY;
    for (angle, (axis, turns_along)) in angles.into_iter().zip(sequence) {
        let turn = about(DVec3::AXES[axis], angle);
        whole = if turns_along { whole.after(&turn) } else { turn.after(&whole) };
    }
    whole
}

/// Roll, pitch and yaw of a rotation, as in URDF's `rpy`.
pub(super) fn roll_pitch_yaw(frame: &Frame) -> [f64; 3] {
    let across = libm::hypot(frame.x.x, frame.x.y);
    let pitch = libm::atan2(-frame.x.z, across);
    if across > 1e-12 {
        [libm::atan2(frame.y.z, frame.z.z), pitch, libm::atan2(frame.x.y, frame.x.x)]
    } else {
        // Straight up or down yaw and roll are about one axis.
        [libm::atan2(-frame.z.y, frame.y.y), pitch, 0.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roll_pitch_and_yaw_give_the_rotation_back() {
        let half = std::f64::consts::FRAC_PI_2;
        for rpy in [[0.3, -0.4, 2.0], [3.0, 1.2, -3.0], [0.5, half, 0.0], [0.5, -half, 0.0], [0.0; 3]] {
            let frame = Frame::of_rpy([0.0; 3], rpy);
            let again = Frame::of_rpy([0.0; 3], roll_pitch_yaw(&frame));
            let off = [frame.x - again.x, frame.y - again.y, frame.z - again.z];
            assert!(off.iter().all(|d| d.length() < 1e-12), "{rpy:?}");
        }
    }

    #[test]
    fn z_goes_anywhere() {
        for z in [DVec3::Z, -DVec3::Z, DVec3::X, DVec3::new(0.6, 0.0, -0.8)] {
            assert!((to_z(z).z - z).length() < 1e-15);
        }
    }
}
