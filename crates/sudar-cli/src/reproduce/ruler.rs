//! Axes in the terms of the plotting library.

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use super::axis::{Axis, Tick};

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
