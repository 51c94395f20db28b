//! What can be chosen in a demo, once for controls, command line, links and files.
//!
//! A demo shows its fields to a [`Visit`]; what is done with them is the visitor's business: [`Controls`] draws them,
//! [`assign`] sets one by its name, [`values`] lists them, [`describe`] says what there is.

use std::ops::RangeInclusive;

/// Name and meaning of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// As in `--name` and `#demo&name=`.
    pub name: &'static str,
    /// One phrase, with its unit.
    pub about: &'static str,
}

/// Somebody who goes over the options of a demo.
pub trait Visit {
    /// Those that follow belong together.
    fn heading(&mut self, _text: &'static str) {}

    /// Those that follow have no effect while another option is as it is; `None`: they have.
    fn overridden(&mut self, _by: Option<&'static str>) {}

    /// A sentence about the last one.
    fn remark(&mut self, _text: String) {}

    /// A number within bounds.
    fn number(&mut self, field: Field, value: &mut f64, range: RangeInclusive<f64>);

    /// A whole number within bounds.
    fn count(&mut self, field: Field, value: &mut u32, range: RangeInclusive<u32>);

    /// Yes or no.
    fn switch(&mut self, field: Field, value: &mut bool);

    /// One of some names.
    fn choice(&mut self, field: Field, value: &mut &'static str, names: &[&'static str]);
}

/// Name and meaning together.
pub const fn field(name: &'static str, about: &'static str) -> Field {
    Field { name, about }
}

/// Draws options and changes them.
#[allow(missing_debug_implementations, reason = "the toolkit's has none")]
pub struct Controls<'u> {
    ui: &'u mut egui::Ui,
    overridden: Option<&'static str>,
}

impl<'u> Controls<'u> {
    /// In this place.
    pub fn new(ui: &'u mut egui::Ui) -> Self {
        Self { ui, overridden: None }
    }

    fn row(&mut self, field: Field, widget: impl FnOnce(&mut egui::Ui)) {
        self.shaded(|ui| {
            ui.horizontal(|ui| {
                let label = egui::Label::new(field.name.replace('-', " ")).truncate();
                ui.add_sized([96.0, ui.spacing().interact_size.y], label).on_hover_text(field.about);
                widget(ui);
            });
        });
    }

    /// Grey where another option overrides it, with the reason under the pointer.
    fn shaded(&mut self, show: impl FnOnce(&mut egui::Ui)) {
        let overridden = self.overridden;
        let shown = self.ui.add_enabled_ui(overridden.is_none(), show).response;
        if let Some(by) = overridden {
            shown.on_hover_text(format!("No effect: {by} overrides it"));
        }
    }
}

impl Visit for Controls<'_> {
    fn overridden(&mut self, by: Option<&'static str>) {
        self.overridden = by;
    }

    fn remark(&mut self, text: String) {
        self.ui.weak(egui::RichText::new(text).small());
    }

    fn heading(&mut self, text: &'static str) {
        self.ui.add_space(6.0);
        self.ui.strong(text);
    }

    fn number(&mut self, field: Field, value: &mut f64, range: RangeInclusive<f64>) {
        let is_wide = *range.start() > 0.0 && range.end() / range.start() > 100.0;
        self.row(field, |ui| {
            ui.add(egui::Slider::new(value, range).logarithmic(is_wide)).on_hover_text(field.about);
        });
    }

    fn count(&mut self, field: Field, value: &mut u32, range: RangeInclusive<u32>) {
        let is_wide = range.end() / (*range.start()).max(1) > 100;
        self.row(field, |ui| {
            ui.add(egui::Slider::new(value, range).logarithmic(is_wide)).on_hover_text(field.about);
        });
    }

    fn switch(&mut self, field: Field, value: &mut bool) {
        self.shaded(|ui| {
            ui.checkbox(value, field.name.replace('-', " ")).on_hover_text(field.about);
        });
    }

    fn choice(&mut self, field: Field, value: &mut &'static str, names: &[&'static str]) {
        self.row(field, |ui| {
            egui::ComboBox::from_id_salt(field.name)
                .selected_text(*value)
                .show_ui(ui, |ui| {
                    names.iter().for_each(|name| {
                        ui.selectable_value(value, name, *name);
                    });
                })
                .response
                .on_hover_text(field.about);
        });
    }
}

/// An option as it is told to somebody.
#[derive(Debug, Clone, PartialEq)]
pub struct Described {
    /// Name and meaning.
    pub field: Field,
    /// Its value as text.
    pub value: String,
    /// What it may be, in words.
    pub may_be: String,
    /// Whether it is yes or no.
    pub is_switch: bool,
}

struct Describe(Vec<Described>);

impl Describe {
    fn add(&mut self, field: Field, value: &dyn ToString, may_be: String, is_switch: bool) {
        self.0.push(Described { field, value: value.to_string(), may_be, is_switch });
    }
}

impl Visit for Describe {
    fn number(&mut self, field: Field, value: &mut f64, range: RangeInclusive<f64>) {
        self.add(field, value, format!("{} to {}", range.start(), range.end()), false);
    }

    fn count(&mut self, field: Field, value: &mut u32, range: RangeInclusive<u32>) {
        self.add(field, value, format!("{} to {}", range.start(), range.end()), false);
    }

    fn switch(&mut self, field: Field, value: &mut bool) {
        self.add(field, &if *value { "on" } else { "off" }, "on or off".to_owned(), true);
    }

    fn choice(&mut self, field: Field, value: &mut &'static str, names: &[&'static str]) {
        self.add(field, value, names.join(", "), false);
    }
}

/// All options, in order.
pub fn describe(visited: impl FnOnce(&mut dyn Visit)) -> Vec<Described> {
    let mut describe = Describe(Vec::new());
    visited(&mut describe);
    describe.0
}

/// Names and values of all options.
pub fn values(visited: impl FnOnce(&mut dyn Visit)) -> Vec<(String, String)> {
    describe(visited).into_iter().map(|d| (d.field.name.to_owned(), d.value)).collect()
}

struct Assign<'t> {
    name: &'t str,
    text: &'t str,
    done: Option<Result<(), String>>,
    known: Vec<&'static str>,
}

impl Assign<'_> {
    fn is_this(&mut self, field: Field) -> bool {
        self.known.push(field.name);
        field.name == self.name
    }

    fn keep<T>(&mut self, read: Option<T>, value: &mut T, range: RangeInclusive<T>)
    where
        T: PartialOrd + std::fmt::Display,
    {
        let (name, text) = (self.name, self.text);
        self.done = Some(match read {
            Some(read) if range.contains(&read) => {
                *value = read;
                Ok(())
            }
            _ => Err(format!("{name} is {} to {}, not {text:?}", range.start(), range.end())),
        });
    }
}

impl Visit for Assign<'_> {
    fn number(&mut self, field: Field, value: &mut f64, range: RangeInclusive<f64>) {
        if self.is_this(field) {
            self.keep(self.text.parse().ok(), value, range);
        }
    }

    fn count(&mut self, field: Field, value: &mut u32, range: RangeInclusive<u32>) {
        if self.is_this(field) {
            self.keep(self.text.parse().ok(), value, range);
        }
    }

    fn switch(&mut self, field: Field, value: &mut bool) {
        if self.is_this(field) {
            let read = match self.text {
                "on" | "true" | "yes" | "" => Some(true),
                "off" | "false" | "no" => Some(false),
                _ => None,
            };
            self.done = Some(match read {
                Some(read) => {
                    *value = read;
                    Ok(())
                }
                None => Err(format!("{} is on or off, not {:?}", self.name, self.text)),
            });
        }
    }

    fn choice(&mut self, field: Field, value: &mut &'static str, names: &[&'static str]) {
        if self.is_this(field) {
            let (name, text) = (self.name, self.text);
            self.done = Some(match names.iter().find(|known| **known == text) {
                Some(known) => {
                    *value = known;
                    Ok(())
                }
                None => Err(format!("{name} is one of {}, not {text:?}", names.join(", "))),
            });
        }
    }
}

/// Sets the option of that name from a text.
///
/// # Errors
/// A sentence that says what the option may be, or which options there are; then nothing has changed.
pub fn assign(name: &str, text: &str, visited: impl FnOnce(&mut dyn Visit)) -> Result<(), String> {
    let mut assign = Assign { name, text, done: None, known: Vec::new() };
    visited(&mut assign);
    let known = assign.known.join(", ");
    assign.done.unwrap_or_else(|| Err(format!("there is no option {name:?}; there are: {known}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Some3 {
        size: f64,
        count: u32,
        on: bool,
        kind: &'static str,
    }

    impl Some3 {
        fn options(&mut self, visit: &mut dyn Visit) {
            visit.number(field("size", "Edge in m"), &mut self.size, 0.1..=10.0);
            visit.count(field("count", "How many"), &mut self.count, 1..=100);
            visit.switch(field("on", "Whether"), &mut self.on);
            visit.choice(field("kind", "Which"), &mut self.kind, &["a", "b"]);
        }
    }

    fn three() -> Some3 {
        Some3 { size: 1.0, count: 2, on: false, kind: "a" }
    }

    #[test]
    fn what_is_assigned_is_listed() {
        let mut three = three();
        for (name, text) in [("size", "2.5"), ("count", "7"), ("on", "on"), ("kind", "b")] {
            assign(name, text, |v| three.options(v)).unwrap();
        }
        let values = values(|v| three.options(v));
        let texts: Vec<&str> = values.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["2.5", "7", "on", "b"]);
    }

    #[test]
    fn what_is_wrong_changes_nothing_and_says_what_may_be() {
        let mut three = three();
        for (name, text, says) in [
            ("size", "11", "size is 0.1 to 10, not \"11\""),
            ("size", "NaN", "size is 0.1 to 10, not \"NaN\""),
            ("count", "0", "count is 1 to 100, not \"0\""),
            ("on", "maybe", "on is on or off, not \"maybe\""),
            ("kind", "c", "kind is one of a, b, not \"c\""),
            ("size_", "1", "there is no option \"size_\"; there are: size, count, on, kind"),
        ] {
            assert_eq!(assign(name, text, |v| three.options(v)).unwrap_err(), says);
        }
        assert_eq!((three.size, three.count, three.on, three.kind), (1.0, 2, false, "a"));
    }
}
