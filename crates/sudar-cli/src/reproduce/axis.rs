//! Scales and their ticks.

use crate::report::short;

/// How values are laid out along an axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Scale {
    /// From zero.
    Linear,
    /// By the logarithm, with ticks at round decimal numbers.
    Decimal,
    /// By the logarithm, with ticks at powers of two.
    Binary,
    /// Values 0, 1, 2, … that stand for names.
    Named(Vec<String>),
}

/// What an axis shows.
#[derive(Debug, Clone)]
pub struct Axis {
    /// The quantity and its unit.
    pub label: String,
    pub scale: Scale,
}

impl Axis {
    pub fn new(label: &str, scale: Scale) -> Self {
        Self { label: label.to_owned(), scale }
    }
}

/// A mark on an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    pub place: f64,
    pub text: String,
}

/// Part of the range left free at either end.
const MARGIN: f64 = 0.04;
/// Decades that still have ticks at 2 and 5.
const FEW_DECADES: f64 = 2.2;
/// Ticks of a linear axis, at most.
const MOST_TICKS: f64 = 6.0;

impl Scale {
    /// Where a value is; `None` if it is nowhere, such as 0 on a logarithmic axis.
    pub fn place(&self, value: f64) -> Option<f64> {
        let place = match self {
            Self::Linear | Self::Named(_) => value,
            Self::Decimal => libm::log10(value),
            Self::Binary => libm::log2(value),
        };
        place.is_finite().then_some(place)
    }

    /// The places from which to which the axis goes to show these values.
    pub fn range(&self, values: impl Iterator<Item = f64>) -> [f64; 2] {
        if let Self::Named(names) = self {
            return [-0.6, names.len() as f64 - 0.4];
        }
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for place in values.filter_map(|v| self.place(v)) {
            (low, high) = (low.min(place), high.max(place));
        }
        if *self == Self::Linear {
            low = 0.0;
        }
        if low >= high {
            (low, high) = if low.is_finite() { (low - 0.5, low + 0.5) } else { (0.0, 1.0) };
        }
        let margin = MARGIN * (high - low);
        [if *self == Self::Linear { low } else { low - margin }, high + margin]
    }

    /// Ticks in a range of places.
    pub fn ticks(&self, [low, high]: [f64; 2]) -> Vec<Tick> {
        let tick = |place: f64, text: String| Tick { place, text };
        let ticks: Vec<Tick> = match self {
            Self::Named(names) => names.iter().enumerate().map(|(i, n)| tick(i as f64, n.clone())).collect(),
            Self::Binary => {
                whole(low, high).map(|k| tick(f64::from(k), short(libm::exp2(f64::from(k))))).collect()
            }
            Self::Decimal => {
                let digits: &[u32] = if high - low <= FEW_DECADES { &[1, 2, 5] } else { &[1] };
                let of = |k: i32| digits.iter().map(move |d| f64::from(*d) * libm::pow(10.0, f64::from(k)));
                whole(low, high).flat_map(of).map(|v| tick(libm::log10(v), short(v))).collect()
            }
            Self::Linear => {
                let step = step(high - low);
                (0..=(high / step) as u32).map(|k| f64::from(k) * step).map(|v| tick(v, short(v))).collect()
            }
        };
        ticks.into_iter().filter(|t| (low..=high).contains(&t.place)).collect()
    }
}

/// Whole numbers around a range.
fn whole(low: f64, high: f64) -> std::ops::RangeInclusive<i32> {
    low.floor() as i32..=high.ceil() as i32
}

/// The least of 1, 2, 5, 10, … that makes few ticks.
fn step(span: f64) -> f64 {
    let rough = span / MOST_TICKS;
    let power = libm::pow(10.0, libm::log10(rough).floor());
    let fits = |digit: &f64| digit * power >= rough;
    [1.0, 2.0, 5.0].into_iter().find(fits).unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(scale: &Scale, values: &[f64]) -> Vec<String> {
        scale.ticks(scale.range(values.iter().copied())).into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn ticks_are_round_numbers_in_the_range() {
        assert_eq!(texts(&Scale::Linear, &[7.0, 23.0]), ["0", "5", "10", "15", "20"]);
        assert_eq!(texts(&Scale::Decimal, &[0.1, 100.0]), ["0.1", "1", "10", "100"]);
        assert_eq!(texts(&Scale::Decimal, &[4.0, 60.0]), ["5", "10", "20", "50"]);
        assert_eq!(texts(&Scale::Binary, &[8.0, 64.0]), ["8", "16", "32", "64"]);
        assert_eq!(texts(&Scale::Named(vec!["a".to_owned(), "b".to_owned()]), &[]), ["a", "b"]);
    }

    #[test]
    fn nothing_to_show_still_has_a_range() {
        for scale in [Scale::Linear, Scale::Decimal, Scale::Binary] {
            for values in [&[][..], &[0.0], &[1.0], &[f64::NAN]] {
                let [low, high] = scale.range(values.iter().copied());
                assert!(low < high, "{scale:?} {values:?}");
            }
        }
    }
}
