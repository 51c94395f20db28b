//! Rotations by an angle about an axis, and back.

use glam::{DMat3, DVec3};

use super::vector::{length, unit};

/// Entries of `RᵀR − I` up to this are rounding.
const ROUNDED: f64 = 8.0 * f64::EPSILON;

/// A turn so near to 180° that rounding decides its sense; axes of such turns are as exact as this.
const HALF_TURN: f64 = 8.0 * f64::EPSILON;

/// The rotation by the vector `axis·angle`, orthonormal to rounding (Rodrigues' formula).
pub(crate) fn rotation_by(turn: DVec3) -> DMat3 {
    let angle = length(turn);
    let Some(axis) = unit(turn).filter(|_| angle > 0.0) else { return DMat3::IDENTITY };
    let (sine, half) = (libm::sin(angle), libm::sin(0.5 * angle));
    // 1 − cos, without its cancellation.
    let rest = 2.0 * half * half;
    let across = cross_matrix(axis);
    DMat3::IDENTITY + across * sine + (across * across) * rest
}

/// The matrix that takes x to `axis × x`.
fn cross_matrix(axis: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, axis.z, -axis.y),
        DVec3::new(-axis.z, 0.0, axis.x),
        DVec3::new(axis.y, -axis.x, 0.0),
    )
}

/// The vector `axis·angle` of the shortest turn of a rotation matrix, 0 ≤ angle ≤ π. At 180° up to rounding
/// the axis is the one whose first coordinate that is not zero is positive.
pub(crate) fn shortest_turn(rotation: &DMat3) -> DVec3 {
    let (vector, w) = quaternion(rotation);
    let size = length(vector);
    let Some(axis) = unit(vector) else { return DVec3::ZERO };
    if w.abs() <= HALF_TURN {
        let first = axis.to_array().into_iter().find(|x| x.abs() > HALF_TURN).unwrap_or(1.0);
        return axis * (std::f64::consts::PI * first.signum());
    }
    axis * (2.0 * libm::atan2(size, w.abs()) * w.signum())
}

/// The unit quaternion of a rotation, from the largest of its coordinates (Shepperd 1978, "Quaternion from
/// rotation matrix").
fn quaternion(m: &DMat3) -> (DVec3, f64) {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let squares =
        [1.0 + x.x + y.y + z.z, 1.0 + x.x - y.y - z.z, 1.0 - x.x + y.y - z.z, 1.0 - x.x - y.y + z.z];
    let largest = (1..4).fold(0, |best, i| if squares[i] > squares[best] { i } else { best });
    let (w, i, j, k) = (y.z - z.y, z.x - x.z, x.y - y.x, squares[largest]);
    let (xy, xz, yz) = (x.y + y.x, x.z + z.x, y.z + z.y);
    let (vector, real) = match largest {
        0 => (DVec3::new(w, i, j), k),
        1 => (DVec3::new(k, xy, xz), w),
        2 => (DVec3::new(xy, k, yz), i),
        _ => (DVec3::new(xz, yz, k), j),
    };
    let scale = 1.0 / (vector.length_squared() + real * real).sqrt();
    (vector * scale, real * scale)
}

/// How far a matrix is from one that keeps lengths: the greatest entry of `RᵀR − I`.
#[inline]
pub(crate) fn shear(matrix: &DMat3) -> f64 {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let lengths = DVec3::new(x.dot(x), y.dot(y), z.dot(z)) - DVec3::ONE;
    let angles = DVec3::new(x.dot(y), y.dot(z), z.dot(x));
    lengths.abs().max(angles.abs()).max_element()
}

/// The rotation nearest to a matrix that is one but for 1e-6; the matrix itself if it is one up to rounding.
///
/// The orthogonal factor of the polar decomposition by Newton's iteration (Higham 1986, "Computing the polar
/// decomposition"), whose error is squared in each step.
pub(crate) fn nearest_rotation(matrix: &DMat3) -> DMat3 {
    if shear(matrix) <= ROUNDED {
        return *matrix;
    }
    (0..3).fold(*matrix, |m, _| (m + m.inverse().transpose()) * 0.5)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn off(a: DMat3, b: DMat3) -> f64 {
        (a - b).to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()))
    }

    #[test]
    fn a_turn_comes_back() {
        for angle in [1e-12, 1e-3, 0.7, 2.0, 3.1, PI - 1e-9] {
            for axis in [DVec3::X, DVec3::new(0.6, 0.0, -0.8), DVec3::new(-2.0, 3.0, 6.0) / 7.0] {
                let turn = shortest_turn(&rotation_by(axis * angle));
                assert!((turn - axis * angle).length() < 2e-15 * (1.0 + angle), "{turn} {}", axis * angle);
            }
        }
    }

    #[test]
    fn half_a_turn_is_about_the_axis_that_begins_positive() {
        for axis in
            [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.0, 0.6, -0.8), DVec3::new(2.0, -3.0, 6.0) / 7.0]
        {
            for side in [1.0, -1.0] {
                let turn = shortest_turn(&rotation_by(axis * (side * PI)));
                assert!((turn - axis * PI).length() < 1e-14, "{turn} {axis}");
            }
        }
    }

    #[test]
    fn a_quarter_turn_and_any_number_of_turns() {
        let quarter = rotation_by(DVec3::Z * (0.5 * PI));
        assert!(off(quarter, DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z)) < 1e-15);
        let many = rotation_by(DVec3::new(1e6, 2e6, -3e6));
        assert!(off(many.transpose() * many, DMat3::IDENTITY) < 1e-15);
    }

    #[test]
    fn the_nearest_rotation_is_orthonormal_and_leaves_rotations_alone() {
        let turn = rotation_by(DVec3::new(0.3, -1.1, 0.7));
        assert_eq!(nearest_rotation(&turn), turn);
        let bent = turn + DMat3::from_cols(DVec3::splat(2e-7), DVec3::new(0.0, -3e-7, 1e-7), DVec3::X * 1e-7);
        let near = nearest_rotation(&bent);
        assert!(off(near.transpose() * near, DMat3::IDENTITY) < 1e-15 && off(near, turn) < 4e-7);
    }
}
