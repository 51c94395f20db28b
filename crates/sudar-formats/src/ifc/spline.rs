//! B-splines (L. Piegl and W. Tiller 1997, "The NURBS Book").

use sudar::DVec3;
use sudar::glam::DVec4;

use super::row::Row;

/// The basis of a B-spline: its degree, its knots, and its number of control points.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spline {
    degree: usize,
    knots: Vec<f64>,
    count: usize,
}

const MOST_DEGREE: usize = 24;
/// Points that are looked at between two points of a row, to see how far the curve is from their line.
const LOOKS: usize = 7;
const DEEPEST: usize = 12;

/// Knots as often as their multiplicities say.
pub(super) fn knots(multiplicities: &[f64], values: &[f64]) -> Vec<f64> {
    let all = multiplicities.iter().zip(values);
    all.flat_map(|(m, x)| std::iter::repeat_n(*x, m.clamp(0.0, 64.0) as usize)).collect()
}

impl Spline {
    /// `None` if the knots do not fit the number of points, or fall.
    pub fn new(degree: usize, knots: Vec<f64>, count: usize) -> Option<Self> {
        let fits = (1..=MOST_DEGREE).contains(&degree) && count > degree && knots.len() == count + degree + 1;
        let rises = knots.windows(2).all(|w| w[0] <= w[1]);
        let spline = Self { degree, knots, count };
        (fits && rises && {
            let [from, to] = spline.range();
            from < to
        })
        .then_some(spline)
    }

    /// The parameters from the first to the last.
    pub fn range(&self) -> [f64; 2] {
        [self.knots[self.degree], self.knots[self.count]]
    }

    /// The parameters at which the polynomial changes, with both ends.
    pub fn spans(&self) -> Vec<f64> {
        let mut spans = self.knots[self.degree..=self.count].to_vec();
        spans.dedup();
        spans
    }

    /// The first control point that counts at a parameter, and what each counts, by Cox and de Boor.
    pub fn basis(&self, u: f64) -> (usize, Vec<f64>) {
        let p = self.degree;
        let u = u.clamp(self.knots[p], self.knots[self.count]);
        let span = self.knots[p..self.count].partition_point(|k| *k <= u) + p - 1;
        let mut basis = vec![1.0];
        for j in 1..=p {
            let mut next = vec![0.0; j + 1];
            for (r, value) in basis.iter().enumerate() {
                let (left, right) = (self.knots[span + 1 + r - j], self.knots[span + 1 + r]);
                let share = if right > left { value / (right - left) } else { 0.0 };
                next[r] += (right - u) * share;
                next[r + 1] += (u - left) * share;
            }
            basis = next;
        }
        (span - p, basis)
    }

    fn at(&self, points: &[DVec4], u: f64) -> DVec3 {
        let (first, basis) = self.basis(u);
        let sum = basis.iter().zip(&points[first..]).fold(DVec4::ZERO, |sum, (b, p)| sum + *p * *b);
        sum.truncate() / sum.w
    }

    /// Points of a curve so near to each other that, by looks between them, it is within `deflection` of their lines.
    /// The deviation is twice what the looks found.
    pub fn row(&self, points: &[DVec3], weights: &[f64], deflection: f64) -> Row {
        let points: Vec<DVec4> = points.iter().zip(weights).map(|(p, w)| (*p * *w).extend(*w)).collect();
        let spans = self.spans();
        let mut row = Row { points: vec![self.at(&points, spans[0])], deviation: 0.0 };
        for span in spans.windows(2) {
            self.refine(&points, [span[0], span[1]], deflection, DEEPEST, &mut row);
        }
        row
    }

    fn refine(&self, points: &[DVec4], [from, to]: [f64; 2], deflection: f64, depth: usize, row: &mut Row) {
        let (a, b) = (self.at(points, from), self.at(points, to));
        let off = (1..=LOOKS).map(|i| {
            let p = self.at(points, from + (to - from) * i as f64 / (LOOKS + 1) as f64);
            let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            if t.is_finite() { p.distance(a + (b - a) * t) } else { p.distance(a) }
        });
        let off = 2.0 * off.fold(0.0, f64::max);
        if off > deflection && depth > 0 {
            let middle = from.midpoint(to);
            self.refine(points, [from, middle], deflection, depth - 1, row);
            self.refine(points, [middle, to], deflection, depth - 1, row);
        } else {
            row.points.push(b);
            row.deviation = row.deviation.max(off);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_a_circle_is_a_rational_spline() {
        let spline = Spline::new(2, knots(&[3.0, 3.0], &[0.0, 1.0]), 3).unwrap();
        let points = [DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
        let row = spline.row(&points, &[1.0, 0.5_f64.sqrt(), 1.0], 1e-4);
        assert!(row.points.iter().all(|p| (p.length() - 1.0).abs() < 1e-12));
        assert!(row.deviation <= 1e-4 && row.points.len() < 200);
        let sagitta = row.points.windows(2).map(|w| 1.0 - w[0].midpoint(w[1]).length()).fold(0.0, f64::max);
        assert!(sagitta <= row.deviation && row.deviation <= 2.1 * sagitta);
    }

    #[test]
    fn knots_that_do_not_fit_are_none() {
        assert_eq!(Spline::new(2, vec![0.0, 0.0, 1.0, 1.0], 3), None);
        assert_eq!(Spline::new(1, vec![0.0, 1.0, 0.5, 1.0], 2), None);
        assert_eq!(Spline::new(1, vec![1.0; 4], 2), None);
        assert!(Spline::new(1, vec![0.0, 0.0, 1.0, 1.0], 2).is_some());
    }
}
