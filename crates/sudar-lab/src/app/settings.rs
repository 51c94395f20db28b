//! What is kept from one day to the next.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Options that were chosen, best scores and what was tried, by demo.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    options: BTreeMap<String, Vec<(String, String)>>,
    best: BTreeMap<String, f64>,
    /// Which things to try were done.
    done: BTreeMap<String, [bool; 3]>,
    /// Whether the tour was begun.
    pub has_toured: bool,
}

impl Settings {
    /// Reads them; what is no settings is none.
    pub fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub fn options(&self, demo: &str) -> &[(String, String)] {
        self.options.get(demo).map_or(&[], Vec::as_slice)
    }

    pub fn set_options(&mut self, demo: &str, options: Vec<(String, String)>) {
        self.options.insert(demo.to_owned(), options);
    }

    pub fn best(&self, demo: &str) -> Option<f64> {
        self.best.get(demo).copied()
    }

    pub fn done(&self, demo: &str) -> [bool; 3] {
        self.done.get(demo).copied().unwrap_or_default()
    }

    pub fn set_done(&mut self, demo: &str, done: [bool; 3]) {
        self.done.insert(demo.to_owned(), done);
    }

    /// Keeps a score if none is better.
    pub fn set_best(&mut self, demo: &str, score: f64) {
        let best = self.best.entry(demo.to_owned()).or_insert(score);
        *best = best.max(score);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_and_nonsense_is_none() {
        let mut settings = Settings::default();
        settings.set_options("explorer", vec![("objects".to_owned(), "7".to_owned())]);
        settings.set_best("cars", 3.0);
        settings.set_best("cars", 2.0);
        settings.set_done("cars", [true, false, true]);
        let back = Settings::read(&settings.text());
        assert_eq!(back, settings);
        assert_eq!(back.best("cars"), Some(3.0));
        assert_eq!((back.done("cars"), back.done("tunnel")), ([true, false, true], [false; 3]));
        assert_eq!(Settings::read("{\"options\": 7}"), Settings::default());
        assert_eq!(Settings::read("{}"), Settings::default());
    }
}
