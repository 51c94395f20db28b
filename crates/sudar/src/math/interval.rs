//! Closed intervals of reals with `f64` ends.

/// The reals `x` with `lower ≤ x ≤ upper`: how every measured answer of this library is given.
///
/// The true value lies inside; a budget or a coarse tolerance widens the interval and never makes it wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interval {
    /// Greatest number known not to exceed the value.
    pub lower: f64,
    /// Least number known not to be exceeded by the value.
    pub upper: f64,
}

impl Interval {
    /// The interval that holds just `x`.
    pub const fn point(x: f64) -> Self {
        Self { lower: x, upper: x }
    }

    /// The interval from `lower` to `upper`; the ends are swapped if they come in the wrong order.
    pub fn new(lower: f64, upper: f64) -> Self {
        if lower <= upper { Self { lower, upper } } else { Self { lower: upper, upper: lower } }
    }

    /// `upper − lower`, rounded up.
    pub fn width(self) -> f64 {
        if self.lower == self.upper { 0.0 } else { (self.upper - self.lower).next_up() }
    }

    /// Whether `x` lies inside, ends included.
    pub fn contains(self, x: f64) -> bool {
        self.lower <= x && x <= self.upper
    }

    /// The interval widened by `by ≥ 0` on both sides, rounded outward.
    pub fn widened(self, by: f64) -> Self {
        if by == 0.0 {
            return self;
        }
        Self { lower: (self.lower - by).next_down(), upper: (self.upper + by).next_up() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_by_less_than_an_ulp_still_widens() {
        let one = Interval::point(1.0).widened(1e-300);
        assert!(one.lower < 1.0 && one.upper > 1.0 && one.contains(1.0));
    }

    #[test]
    fn ends_are_put_in_order() {
        assert_eq!(Interval::new(2.0, 1.0), Interval { lower: 1.0, upper: 2.0 });
        assert_eq!(Interval::point(3.0).width(), 0.0);
    }
}
