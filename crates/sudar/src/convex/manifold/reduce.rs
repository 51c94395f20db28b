//! Four points that stand for many.

use glam::DVec3;

/// A place on a contact plane and the depth there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSpot {
    /// Where it is.
    pub place: DVec3,
    /// How deep the bodies are in each other there.
    pub depth: f64,
}

/// The numbers of up to four spots that hold a body best, and how many there are: the deepest, that farthest from it,
/// that which makes the largest triangle with both, and that which adds most to the triangle (Gregorius 2015, "Robust
/// contact creation for physics simulations").
///
/// Areas are seen along `normal`. Of several spots equally deep up to `slack`, a length, that farthest from
/// their common middle is taken, so that flat contacts keep their extent; of spots equally far or with the
/// same area the deepest, and of spots equal in all the first. The deepest of all comes first.
pub fn reduce_manifold(
    count: usize,
    spot: impl Fn(usize) -> ContactSpot,
    normal: DVec3,
    slack: f64,
) -> ([usize; 4], usize) {
    let mut chosen = Chosen { numbers: [0; 4], count: 0 };
    let Some(first) = deepest(count, &spot, slack) else { return (chosen.numbers, 0) };
    chosen.push(first);
    if count <= 4 {
        (0..count).filter(|&i| i != first).for_each(|i| chosen.push(i));
        return (chosen.numbers, chosen.count);
    }
    let among = Among { count, spot: &spot, normal, slack };
    let second = among.most(slack, |i| Some(among.way(first, i).length()).filter(|d| *d > slack));
    let Some(second) = second else { return (chosen.numbers, 1) };
    chosen.push(second);
    let [third, fourth] = among.sides(first, second);
    third.into_iter().chain(fourth).for_each(|i| chosen.push(i));
    (chosen.numbers, chosen.count)
}

/// The deepest spot, of several that farthest from the middle of all.
fn deepest(count: usize, spot: impl Fn(usize) -> ContactSpot, slack: f64) -> Option<usize> {
    let depth = (0..count).map(|i| spot(i).depth).fold(f64::NEG_INFINITY, f64::max);
    let as_deep = |i: &usize| spot(*i).depth >= depth - slack;
    let mut deepest = (0..count).filter(as_deep);
    let (first, others) = (deepest.next(), deepest.next());
    if others.is_none() {
        return first;
    }
    let middle = (0..count).fold(DVec3::ZERO, |sum, i| sum + spot(i).place / count as f64);
    let eccentric = |i: usize| (spot(i).place - middle).length();
    let most = (0..count).filter(as_deep).map(eccentric).fold(0.0, f64::max);
    (0..count).filter(as_deep).find(|&i| eccentric(i) >= most - slack)
}

struct Chosen {
    numbers: [usize; 4],
    count: usize,
}

impl Chosen {
    fn push(&mut self, number: usize) {
        if let Some(place) = self.numbers.get_mut(self.count) {
            *place = number;
            self.count += 1;
        }
    }
}

/// What is chosen from.
struct Among<'a, F> {
    count: usize,
    spot: &'a F,
    normal: DVec3,
    slack: f64,
}

impl<F: Fn(usize) -> ContactSpot> Among<'_, F> {
    fn way(&self, from: usize, to: usize) -> DVec3 {
        (self.spot)(to).place - (self.spot)(from).place
    }

    /// Twice the area of a triangle, seen along the normal.
    fn area(&self, i: usize, j: usize, k: usize) -> f64 {
        self.normal.dot(self.way(i, j).cross(self.way(i, k)))
    }

    /// The greatest triangle over two spots, and what adds most to it.
    fn sides(&self, first: usize, second: usize) -> [Option<usize>; 2] {
        // Rounding of the corners adds to an area, or makes of a line, at most this much.
        let thin = 8.0 * self.slack * self.way(first, second).length();
        let wide = |area: f64| Some(area).filter(|a| *a > thin);
        let Some(third) = self.most(thin, |i| wide(self.area(first, second, i).abs())) else {
            // All on a line: its two ends, if the deepest is not one of them.
            let end = self.most(self.slack, |i| Some(self.way(second, i).length()));
            return [end.filter(|&end| self.way(first, end).length() > self.slack), None];
        };
        let turn = self.area(first, second, third).signum();
        let beyond = |i: usize| {
            let sides = [(first, second), (second, third), (third, first)];
            sides.into_iter().map(|(j, k)| -turn * self.area(j, k, i)).fold(0.0, f64::max)
        };
        [Some(third), self.most(thin, |i| wide(beyond(i)))]
    }

    /// That with the greatest value up to `doubt`, of several the deepest.
    fn most(&self, doubt: f64, value: impl Fn(usize) -> Option<f64>) -> Option<usize> {
        let greatest = (0..self.count).filter_map(&value).fold(f64::NEG_INFINITY, f64::max);
        let equal = |i: &usize| value(*i).is_some_and(|v| v >= greatest - doubt);
        let deeper = |i: usize, j: usize| {
            if (self.spot)(j).depth > (self.spot)(i).depth + self.slack { j } else { i }
        };
        (0..self.count).filter(equal).reduce(deeper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(places: &[[f64; 2]], depths: &[f64]) -> Vec<usize> {
        let spot =
            |i: usize| ContactSpot { place: DVec3::new(places[i][0], places[i][1], 0.0), depth: depths[i] };
        let (numbers, count) = reduce_manifold(places.len(), spot, DVec3::Z, 1e-12);
        numbers[..count].to_vec()
    }

    #[test]
    fn the_deepest_the_farthest_and_two_to_the_sides() {
        // Deepest at the origin, the corner (9, 0) farthest; (4, 7) and (5, −6) at either side; the rest is between.
        let places = [[4.0, 7.0], [3.0, 1.0], [0.0, 0.0], [5.0, -6.0], [9.0, 0.0], [5.0, 1.0]];
        assert_eq!(chosen(&places, &[0.0, 0.0, 1.0, 0.0, 0.5, 0.0]), [2, 4, 0, 3]);
    }

    #[test]
    fn on_a_line_both_ends_and_the_deepest() {
        let places = [[1.0, 0.0], [3.0, 0.0], [2.0, 0.0], [0.0, 0.0], [9.0, 0.0]];
        assert_eq!(chosen(&places, &[0.0, 0.0, 1.0, 0.0, 0.0]), [2, 4, 3]);
        assert_eq!(chosen(&places, &[0.0, 0.0, 0.0, 1.0, 0.0]), [3, 4]);
        assert_eq!(chosen(&[[1.0, 1.0]; 6], &[0.0; 6]), [0]);
    }

    #[test]
    fn four_or_less_are_all_kept_the_deepest_first() {
        assert_eq!(chosen(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], &[0.0, 0.5, 1.0]), [2, 0, 1]);
        assert!(chosen(&[], &[]).is_empty());
    }
}
