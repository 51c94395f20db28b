//! Eigenvalues and eigenvectors of symmetric 3×3 matrices.

use glam::{DMat3, DVec3};

/// Most sweeps of rotations; four or five suffice for any matrix.
const SWEEPS: usize = 32;

/// Eigenvalues and eigenvectors of a symmetric 3×3 matrix, see [`symmetric_eigen`].
///
/// ```
/// use sudar::glam::DMat3;
/// use sudar::math::symmetric_eigen;
/// use sudar::DVec3;
///
/// let found = symmetric_eigen(&DMat3::from_diagonal(DVec3::new(1.0, 3.0, 2.0)));
/// assert_eq!(found.values, DVec3::new(3.0, 2.0, 1.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SymmetricEigen {
    /// The eigenvalues, greatest first.
    pub values: DVec3,
    /// Columns are unit eigenvectors in the same order, orthogonal and right-handed.
    pub vectors: DMat3,
}

/// The eigenvalues and eigenvectors of a symmetric matrix, of which the upper triangle is read.
///
/// By cyclic Jacobi rotations (Jacobi 1846, "Über ein leichtes Verfahren…"; rotations as in Rutishauser 1966, "The
/// Jacobi method for real symmetric matrices"): each makes one entry beside the diagonal zero, and soon all are.
/// The matrix is brought to size one by a power of two first, so entries may be as small as 1e-300 or as large as
/// 1e300. Errors are a few ulp of the largest eigenvalue. For equal eigenvalues the vectors are some orthonormal
/// basis of their space; for the zero matrix the axes, and so for a matrix that is not finite, whose values are NaN.
pub fn symmetric_eigen(matrix: &DMat3) -> SymmetricEigen {
    let size = matrix.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if !matrix.is_finite() {
        return SymmetricEigen { values: DVec3::NAN, vectors: DMat3::IDENTITY };
    }
    let scale = power_of_two_near(size);
    let column = |j: usize| [0, 1, 2].map(|i: usize| matrix.col(i.max(j))[i.min(j)] / scale);
    let mut a = [column(0), column(1), column(2)];
    let mut vectors = DVec3::AXES;
    for _ in 0..SWEEPS {
        if a[0][1] == 0.0 && a[0][2] == 0.0 && a[1][2] == 0.0 {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut a, &mut vectors, p, q);
        }
    }
    sorted([a[0][0] * scale, a[1][1] * scale, a[2][2] * scale], vectors)
}

/// One rotation in the plane of axes `p < q`, which makes entry (p, q) of `a` zero.
fn rotate(a: &mut [[f64; 3]; 3], vectors: &mut [DVec3; 3], p: usize, q: usize) {
    let beside = a[p][q];
    if beside == 0.0 {
        return;
    }
    if negligible(beside, a[p][p]) && negligible(beside, a[q][q]) {
        (a[p][q], a[q][p]) = (0.0, 0.0);
        return;
    }
    // The smaller root t = tan φ of t² + 2θt − 1 = 0.
    let theta = (a[q][q] - a[p][p]) / (2.0 * beside);
    let t = 1.0f64.copysign(theta) / (theta.abs() + theta.hypot_one());
    let cos = 1.0 / t.hypot_one();
    let sin = t * cos;
    let r = 3 - p - q;
    a[p][p] -= t * beside;
    a[q][q] += t * beside;
    let (x, y) = (a[r][p], a[r][q]);
    let (x, y) = (cos * x - sin * y, sin * x + cos * y);
    (a[p][q], a[q][p], a[r][p], a[p][r], a[r][q], a[q][r]) = (0.0, 0.0, x, x, y, y);
    let (x, y) = (vectors[p], vectors[q]);
    (vectors[p], vectors[q]) = (x * cos - y * sin, x * sin + y * cos);
}

/// Whether adding `x`, even many times over, leaves `y` as it is.
fn negligible(x: f64, y: f64) -> bool {
    y.abs() + 64.0 * x.abs() == y.abs()
}

trait HypotOne {
    /// `√(1 + x²)`, also where the square overflows.
    fn hypot_one(self) -> f64;
}

impl HypotOne for f64 {
    fn hypot_one(self) -> f64 {
        if self.abs() > 1e100 { self.abs() } else { (1.0 + self * self).sqrt() }
    }
}

/// The power of two at or below `x`, and 1 for zero; in the range in which its inverse is a normal number.
fn power_of_two_near(x: f64) -> f64 {
    let exponent_bits = x.to_bits() & (0x7ff << 52);
    if x == 0.0 { 1.0 } else { f64::from_bits(exponent_bits).max(f64::MIN_POSITIVE) }
}

/// Values and vectors in descending order, the last vector turned so that all are right-handed.
fn sorted(values: [f64; 3], vectors: [DVec3; 3]) -> SymmetricEigen {
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| values[j].total_cmp(&values[i]));
    let [x, y, _] = order.map(|i| vectors[i]);
    let values = order.map(|i| values[i]);
    SymmetricEigen { values: values.into(), vectors: orthonormal(x, y) }
}

/// The right-handed orthonormal basis next to `x`, `y` and a third, which are so up to rounding.
fn orthonormal(x: DVec3, y: DVec3) -> DMat3 {
    let x = x / x.length();
    let y = y - x * x.dot(y);
    let y = y / y.length();
    DMat3::from_cols(x, y, x.cross(y))
}

#[cfg(test)]
mod tests {
    use crate::testing::Random;
    use rand::RngExt;

    use super::*;

    fn symmetric(diagonal: [f64; 3], [xy, xz, yz]: [f64; 3]) -> DMat3 {
        let [x, y, z] = diagonal;
        DMat3::from_cols(DVec3::new(x, xy, xz), DVec3::new(xy, y, yz), DVec3::new(xz, yz, z))
    }

    /// The largest entry of `V·diag·Vᵀ − m` relative to `m`, and of `VᵀV − I`.
    fn residual(m: &DMat3, found: &SymmetricEigen) -> f64 {
        let v = found.vectors;
        let largest = |m: DMat3| m.to_cols_array().into_iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        let size = largest(*m);
        let scaled = |x: f64| x / size;
        let again = v * DMat3::from_diagonal(found.values.map(scaled)) * v.transpose();
        let m = DMat3::from_cols_array(&m.to_cols_array().map(scaled));
        assert!(
            v.determinant() > 0.0 && found.values.x >= found.values.y && found.values.y >= found.values.z
        );
        largest(again - m).max(largest(v.transpose() * v - DMat3::IDENTITY))
    }

    #[test]
    fn known_matrices() {
        // [2 1; 1 2] has 3 along (1, 1) and 1 along (1, −1); 5 stands alone.
        let found = symmetric_eigen(&symmetric([2.0, 2.0, 5.0], [1.0, 0.0, 0.0]));
        assert!((found.values - DVec3::new(5.0, 3.0, 1.0)).length() < 1e-15);
        assert_eq!(found.vectors.x_axis.abs(), DVec3::Z);
        let diagonal = found.vectors.y_axis.dot(DVec3::new(1.0, 1.0, 0.0).normalize());
        assert!((diagonal.abs() - 1.0).abs() < 1e-15);
        // All ones: 3 along (1, 1, 1), else 0.
        let ones = symmetric_eigen(&symmetric([1.0; 3], [1.0; 3]));
        assert!((ones.values - DVec3::new(3.0, 0.0, 0.0)).length() < 1e-15);
        assert!((ones.vectors.x_axis.dot(DVec3::ONE).abs() - 3.0f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn equal_eigenvalues_and_zero_leave_a_basis() {
        for m in [DMat3::ZERO, DMat3::IDENTITY, -DMat3::IDENTITY] {
            let found = symmetric_eigen(&m);
            assert_eq!(found.values, m.x_axis.x * DVec3::ONE);
            assert_eq!(found.vectors, DMat3::IDENTITY);
        }
        assert!(
            residual(
                &symmetric([1.0, 1.0, 1.0], [1e-20; 3]),
                &symmetric_eigen(&symmetric([1.0; 3], [1e-20; 3]))
            ) < 1e-15
        );
    }

    #[test]
    fn the_matrix_is_rebuilt_at_every_scale() {
        let mut random = Random::new(19);
        for case in 0..5000 {
            let k = f64::powi(10.0, case % 301 - 150);
            let mut number = |size: f64| random.random_range(-1.0..1.0) * size * k;
            let small = f64::powi(10.0, -(case % 20));
            let m = symmetric(
                [number(1.0), number(1.0), number(small)],
                [number(small), number(1.0), number(small)],
            );
            let worst = residual(&m, &symmetric_eigen(&m));
            assert!(worst < 1e-14, "{worst} for {m}");
        }
    }

    #[test]
    fn a_power_of_two_scales_the_values_exactly() {
        let m = symmetric([1.0, 2.0, 4.0], [0.3, 0.1, 0.7]);
        let base = symmetric_eigen(&m);
        for exponent in [-900, -1, 900] {
            let k = f64::powi(2.0, exponent);
            let found = symmetric_eigen(&(m * k));
            assert_eq!((found.values, found.vectors), (base.values * k, base.vectors));
        }
    }

    #[test]
    fn what_is_not_finite_ends_too() {
        let found = symmetric_eigen(&symmetric([f64::NAN, 1.0, f64::INFINITY], [0.0; 3]));
        assert!(found.values.is_nan() && found.vectors == DMat3::IDENTITY);
    }
}
