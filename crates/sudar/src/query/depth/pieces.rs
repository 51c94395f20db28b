//! Pieces of a triangle: how they are cut, and how deep they are at most.

use glam::DVec3;

/// The parts of a triangle on either side of a line, given by the heights of its corners over it, of which
/// some are above zero and some below.
pub(super) fn cut(corners: &[DVec3; 3], heights: [f64; 3]) -> Vec<[DVec3; 3]> {
    // The corner that is alone on its side, and the two others.
    let positive = heights.iter().filter(|&&h| h > 0.0).count();
    let alone = heights.iter().position(|&h| (h > 0.0) == (positive == 1)).unwrap_or(0);
    let [i, j, k] = [alone, (alone + 1) % 3, (alone + 2) % 3];
    let [a, b, c] = [i, j, k].map(|i| corners[i]);
    let between = |p: DVec3, q: DVec3, from: f64, to: f64| p + (q - p) * (from / (from - to));
    let (p, q) = (between(a, b, heights[i], heights[j]), between(a, c, heights[i], heights[k]));
    vec![[a, p, q], [p, b, c], [p, c, q]]
}

/// The halves of a triangle on either side of the middle of its longest side; none if there is no such point.
pub(super) fn halved(corners: &[DVec3; 3]) -> Vec<[DVec3; 3]> {
    let square = |i: usize| corners[i].distance_squared(corners[(i + 1) % 3]);
    let longest = (1..3).fold(0, |best, i| if square(i) > square(best) { i } else { best });
    let [a, b, c] = [0, 1, 2].map(|i| corners[(longest + i) % 3]);
    let middle = a + (b - a) * 0.5;
    if middle == a || middle == b { Vec::new() } else { vec![[a, middle, c], [middle, b, c]] }
}

/// A bound on the least of two linear functions on a triangle, given by their values at its corners: every
/// mean of the two is one, and the best is at the greatest value of one of them at a corner or where the
/// means at two corners cross.
pub(super) fn top_of_lower(f: &[f64; 3], g: &[f64; 3]) -> f64 {
    let top = |share: f64| (0..3).fold(0.0, |top: f64, i| top.max(f[i] + (g[i] - f[i]) * share));
    let mut least = top(0.0).min(top(1.0));
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        let (rise, gap) = ((g[i] - f[i]) - (g[j] - f[j]), f[j] - f[i]);
        let share = gap / rise;
        if (0.0..=1.0).contains(&share) {
            least = least.min(top(share));
        }
    }
    // Three roundings of numbers no larger than the values.
    least + 4.0 * f64::EPSILON * f.iter().chain(g).fold(0.0, |m: f64, x| m.max(*x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_the_lower_of_two_ramps() {
        // Up and down along one side: they cross at half the height.
        assert!((top_of_lower(&[0.0, 1.0, 0.0], &[1.0, 0.0, 0.0]) - 0.5).abs() < 1e-12);
        assert!((top_of_lower(&[3.0, 1.0, 2.0], &[9.0, 9.0, 9.0]) - 3.0).abs() < 1e-12);
    }
}
