//! Scales and their ticks, also in the terms of the plotting library.

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// A number for people: six significant digits.
pub fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    if (1e-4..1e7).contains(&rounded.abs()) { rounded.to_string() } else { format!("{rounded:e}") }
}

/// How values are laid out along an axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Scale {
    /// With zero, at one end unless there are values on both sides of it.
    Linear,
    /// By the logarithm, with ticks at round decimal numbers.
    Decimal,
    /// By the logarithm, with ticks at powers of two.
    Binary,
    /// Values 0, 1, 2, … that stand for names.
    Named(Vec<String>),
}

/// What an axis shows: a quantity with its unit, along a scale.
#[derive(Debug, Clone)]
pub struct Axis {
    pub(crate) label: String,
    pub(crate) scale: Scale,
}

impl Axis {
    fn new(label: impl Into<String>, scale: Scale) -> Self {
        Self { label: label.into(), scale }
    }

    /// With zero, at one end unless there are values on both sides of it.
    pub fn linear(label: impl Into<String>) -> Self {
        Self::new(label, Scale::Linear)
    }

    /// By the logarithm, with ticks at round decimal numbers.
    pub fn decimal(label: impl Into<String>) -> Self {
        Self::new(label, Scale::Decimal)
    }

    /// By the logarithm, with ticks at powers of two.
    pub fn binary(label: impl Into<String>) -> Self {
        Self::new(label, Scale::Binary)
    }

    /// Values 0, 1, 2, … that stand for names.
    pub fn named(label: impl Into<String>, names: Vec<String>) -> Self {
        Self::new(label, Scale::Named(names))
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
/// Decades that have a tick each.
const MANY_DECADES: f64 = 9.0;
/// Ticks of a linear axis, at most.
const MOST_TICKS: f64 = 6.0;
/// Fewer ticks do not tell what scale an axis has.
const FEWEST_TICKS: usize = 3;

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
        let is_linear = *self == Self::Linear;
        if is_linear {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if low >= high {
            (low, high) = if low.is_finite() && !is_linear { (low - 0.5, low + 0.5) } else { (0.0, 1.0) };
        }
        let margin = MARGIN * (high - low);
        // Nothing is beyond zero where it is an end.
        [
            if is_linear && low == 0.0 { low } else { low - margin },
            if is_linear && high == 0.0 { high } else { high + margin },
        ]
    }

    /// Ticks in a range of places.
    pub fn ticks(&self, range: [f64; 2]) -> Vec<Tick> {
        let [low, high] = range;
        let tick = |place: f64, text: String| Tick { place, text };
        let mut ticks: Vec<Tick> = match self {
            Self::Named(names) => names.iter().enumerate().map(|(i, n)| tick(i as f64, n.clone())).collect(),
            Self::Binary => {
                whole(low, high).map(|k| tick(f64::from(k), short(libm::exp2(f64::from(k))))).collect()
            }
            Self::Decimal => decimal(range),
            Self::Linear => multiples(range).map(|v| tick(v, short(v))).collect(),
        };
        ticks.retain(|t| (low..=high).contains(&t.place));
        let raised = match self {
            Self::Binary => libm::exp2,
            Self::Decimal => libm::exp10,
            Self::Linear | Self::Named(_) => return ticks,
        };
        if ticks.len() < FEWEST_TICKS {
            // Between two round numbers of the logarithm there are round numbers all the same.
            let steps = multiples([raised(low), raised(high)]);
            ticks = steps.filter_map(|v| Some(tick(self.place(v)?, short(v)))).collect();
            ticks.retain(|t| (low..=high).contains(&t.place));
        }
        ticks
    }
}

/// Powers of ten, with 2 and 5 of each where they are few.
fn decimal([low, high]: [f64; 2]) -> Vec<Tick> {
    let apart = ((high - low) / MANY_DECADES).ceil().max(1.0) as i32;
    let of = |k: i32, digits: &[u32]| -> Vec<Tick> {
        let value = |d: &u32| f64::from(*d) * libm::pow(10.0, f64::from(k));
        let tick = |v: f64| Tick { place: libm::log10(v), text: short(v) };
        digits.iter().map(value).map(tick).filter(|t| (low..=high).contains(&t.place)).collect()
    };
    let with = |digits: &[u32]| -> Vec<Tick> {
        whole(low, high).filter(|k| k.rem_euclid(apart) == 0).flat_map(|k| of(k, digits)).collect()
    };
    let powers = with(&[1]);
    if powers.len() < FEWEST_TICKS || high - low <= FEW_DECADES { with(&[1, 2, 5]) } else { powers }
}

/// Multiples of a round number in a range, few of them.
fn multiples([low, high]: [f64; 2]) -> impl Iterator<Item = f64> {
    let step = step(high - low);
    ((low / step).ceil() as i64..=(high / step).floor() as i64).map(move |k| k as f64 * step)
}

/// Whole numbers around a range.
fn whole(low: f64, high: f64) -> std::ops::RangeInclusive<i32> {
    low.floor() as i32..=high.ceil() as i32
}

/// The least of 1, 2, 2.5, 5, 10, … that makes few ticks.
fn step(span: f64) -> f64 {
    let rough = span / MOST_TICKS;
    let power = libm::pow(10.0, libm::log10(rough).floor());
    let fits = |digit: &f64| digit * power >= rough;
    [1.0, 2.0, 2.5, 5.0].into_iter().find(fits).unwrap_or(10.0) * power
}

/// Places and ticks of an axis, as the plotting library wants them.
pub struct Ruler {
    range: [f64; 2],
    ticks: Vec<Tick>,
}

impl Ruler {
    pub fn new(axis: &Axis, values: impl Iterator<Item = f64>) -> Self {
        let range = axis.scale.range(values);
        Self { range, ticks: axis.scale.ticks(range) }
    }

    /// The same axis, its ticks without texts.
    pub fn without_texts(mut self) -> Self {
        self.ticks.iter_mut().for_each(|tick| tick.text.clear());
        self
    }

    /// The place where the axis begins.
    pub fn low(&self) -> f64 {
        self.range[0]
    }
}

impl Ranged for Ruler {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, place: &f64, (first, last): (i32, i32)) -> i32 {
        let [low, high] = self.range;
        first + (f64::from(last - first) * (place - low) / (high - low)).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<f64> {
        // Between the lines at ticks there are no lighter ones.
        let light = hint.weight().allow_light_points();
        if light { Vec::new() } else { self.ticks.iter().map(|t| t.place).collect() }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.range[0]..self.range[1]
    }
}

impl ValueFormatter<f64> for Ruler {
    fn format(place: &f64) -> String {
        place.to_string()
    }

    /// The text of the tick at a place.
    fn format_ext(&self, place: &f64) -> String {
        let off = |t: &&Tick| (t.place - place).abs();
        self.ticks.iter().min_by(|s, t| off(s).total_cmp(&off(t))).map(|t| t.text.clone()).unwrap_or_default()
    }
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
        assert_eq!(
            texts(&Scale::Decimal, &[1e-17, 0.1]),
            ["1e-16", "1e-14", "1e-12", "1e-10", "1e-8", "1e-6", "0.0001", "0.01"]
        );
        assert_eq!(texts(&Scale::Named(vec!["a".to_owned(), "b".to_owned()]), &[]), ["a", "b"]);
    }

    #[test]
    fn values_below_zero_have_room_and_ticks() {
        assert_eq!(texts(&Scale::Linear, &[0.0, -0.73]), ["-0.6", "-0.4", "-0.2", "0"]);
        assert_eq!(texts(&Scale::Linear, &[2.0, -1.9e-14]), ["0", "0.5", "1", "1.5", "2"]);
        let [low, high] = Scale::Linear.range([-3.0, 5.0].into_iter());
        assert!(low < -3.0 && high > 5.0);
    }

    #[test]
    fn a_narrow_logarithmic_axis_has_ticks() {
        for values in [[0.17, 0.24], [1010.0, 1030.0], [0.9, 1.1], [3.0, 4.9]] {
            for scale in [Scale::Decimal, Scale::Binary] {
                let texts = texts(&scale, &values);
                assert!(texts.len() >= FEWEST_TICKS, "{scale:?} {values:?}: {texts:?}");
            }
        }
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
