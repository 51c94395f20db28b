//! The point of a simplex that is nearest to the origin.

use sudar::{DMat3, DVec3};

/// The nearest point of the hull of at most four points, and those of them that it needs.
pub(super) fn nearest(points: &[DVec3]) -> (DVec3, Vec<DVec3>) {
    let count = points.len().min(4);
    let mut best = (DVec3::INFINITY, Vec::new());
    for chosen in 1_u32..1 << count {
        let some: Vec<DVec3> = (0..count).filter(|i| chosen >> i & 1 == 1).map(|i| points[i]).collect();
        if let Some(point) = of_plane(&some).filter(|p| p.length_squared() < best.0.length_squared()) {
            best = (point, some);
        }
    }
    best
}

/// The nearest point of the plane through points, if it is between them.
fn of_plane(points: &[DVec3]) -> Option<DVec3> {
    let (&first, others) = points.split_first()?;
    let sides: Vec<DVec3> = others.iter().map(|p| *p - first).collect();
    let along = |i: usize, j: usize| sides[i].dot(sides[j]);
    let down = |i: usize| -sides[i].dot(first);
    let shares: Vec<f64> = match sides.len() {
        0 => Vec::new(),
        1 => vec![down(0) / along(0, 0)],
        2 => {
            let determinant = along(0, 0) * along(1, 1) - along(0, 1) * along(1, 0);
            let one = (down(0) * along(1, 1) - along(0, 1) * down(1)) / determinant;
            let other = (along(0, 0) * down(1) - down(0) * along(1, 0)) / determinant;
            vec![one, other]
        }
        _ => {
            let column = |k: usize| DVec3::new(along(0, k), along(1, k), along(2, k));
            let matrix = DMat3::from_cols(column(0), column(1), column(2));
            (matrix.inverse() * DVec3::new(down(0), down(1), down(2))).to_array().to_vec()
        }
    };
    let is_between = shares.iter().all(|share| *share >= 0.0) && shares.iter().sum::<f64>() <= 1.0;
    is_between.then(|| first + sides.iter().zip(&shares).map(|(side, share)| *side * *share).sum::<DVec3>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_that_of_a_fine_grid() {
        let points = |seed: f64| {
            let number = |i: usize, k: usize| libm::sin(seed * 7.1 + (i * 3 + k) as f64 * 2.3);
            (0..4).map(|i| DVec3::new(number(i, 0) + 0.6, number(i, 1), number(i, 2))).collect::<Vec<DVec3>>()
        };
        for seed in 0..40 {
            let points = points(f64::from(seed));
            let (found, some) = nearest(&points);
            let mut least = f64::INFINITY;
            for i in 0..=40_u32 {
                for j in 0..=40 - i {
                    for k in 0..=40 - i - j {
                        let shares = [i, j, k, 40 - i - j - k].map(|n| f64::from(n) / 40.0);
                        let at = points.iter().zip(shares).map(|(p, share)| *p * share).sum::<DVec3>();
                        least = least.min(at.length());
                    }
                }
            }
            assert!(found.length() <= least + 1e-12 && least < found.length() + 0.1, "{found} {least}");
            assert!(found == DVec3::ZERO || some.len() < 4 || found.length() < 1e-9);
        }
    }
}
