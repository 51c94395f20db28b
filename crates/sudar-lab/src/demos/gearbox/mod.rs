//! The gearbox with seven faults: find them, or see what the clash check finds.

mod panel;
mod parts;
mod picture;
mod search;

use egui::{Key, Ui};
use sudar_clash::Clash;
use sudar_clash::gearbox::FAULTS;
use sudar_view::{Color, Orbit, Scene};

use crate::clock::Clock;
use crate::demo::{Demo, DemoError, Entry, Task};
use crate::demos::orbit;
use crate::input::Input;
use crate::options::{Visit, field};
use parts::{Parts, View};
use picture::{Seen, home};
use search::Search;

pub const ENTRY: Entry = Entry {
    name: "gearbox",
    title: "Gearbox",
    about: "Seven faults are hidden in a planetary gearbox of 69 parts: click on two parts that are in each other's way, \
            or let the clash check show them.",
    source: "The built-in assembly of sudar clash",
    make: || Box::new(Gearbox::new()),
    picture_at: 0.2,
};

struct Gearbox {
    parts: Option<Parts>,
    search: Search,
    /// What the check found, once it was run, and the seconds it took.
    clashes: Vec<Clash>,
    took: f64,
    /// Which of these is shown, from 1; 0: none.
    fault: u32,
    shown: u32,
    apart: f64,
    housing: &'static str,
    placed: &'static str,
    orbit: Orbit,
    /// Where the camera is going.
    wanted: Option<Orbit>,
    aspect: f64,
    /// The part under the pointer.
    hover: Option<usize>,
    clock: Clock,
}

/// How the two halves of the housing are shown.
const HOUSING: [&str; 3] = ["whole", "clear", "hidden"];

impl Gearbox {
    fn new() -> Self {
        Self {
            parts: None,
            search: Search::default(),
            clashes: Vec::new(),
            took: 0.0,
            fault: 0,
            shown: 0,
            apart: 0.35,
            housing: "clear",
            placed: "",
            orbit: home(),
            wanted: None,
            aspect: 1.6,
            hover: None,
            clock: Clock::default(),
        }
    }

    /// Runs the check, if it was not, and goes to a fault.
    fn show(&mut self, fault: u32) -> Result<(), DemoError> {
        let Some(parts) = &self.parts else { return Ok(()) };
        if self.clashes.is_empty() {
            let (found, took) = self.clock.timed(|| search::check(&parts.assembly));
            (self.clashes, self.took) = (found?, took);
        }
        self.fault = fault.min(self.clashes.len() as u32);
        self.shown = self.fault;
        self.wanted = Some(match self.clash() {
            Some(clash) => picture::toward(clash),
            None => home(),
        });
        Ok(())
    }

    /// How far the parts are drawn apart: where a fault is shown they are together.
    fn apart(&self) -> f64 {
        if self.clash().is_some() { 0.0 } else { self.apart }
    }

    fn clash(&self) -> Option<&Clash> {
        self.clashes.get((self.fault as usize).checked_sub(1)?)
    }

    fn next_fault(&mut self, forth: bool) {
        let count = FAULTS.len() as u32;
        let next = if forth { panel::after(self.fault, count) } else { panel::before(self.fault, count) };
        // The check has no errors on parts of our own.
        let _ = self.show(next);
    }

    /// The housing follows its option when that changes; else parts stay as the user has them.
    fn place_housing(&mut self) {
        let Some(parts) = self.parts.as_mut().filter(|_| self.placed != self.housing) else { return };
        self.placed = self.housing;
        let view = match self.housing {
            "clear" => View::Clear,
            "hidden" => View::Hidden,
            _ => View::Whole,
        };
        let halves = (0..parts.views.len()).filter(|part| parts.name(*part).starts_with("housing"));
        for part in halves.collect::<Vec<_>>() {
            parts.views[part] = view;
        }
    }

    fn point(&mut self, input: &Input) {
        let (camera, apart) = (self.orbit.camera(), self.apart());
        let Some(parts) = &mut self.parts else { return };
        let at = input.pointer.at.filter(|_| !input.pointer.down || input.pointer.clicked);
        let pick = |at| parts.pick(camera.eye, camera.toward(at, self.aspect), apart).ok().flatten();
        self.hover = at.and_then(pick);
        let Some(part) = self.hover else { return };
        if input.pointer.clicked {
            self.search.choose(part, parts);
        }
        if input.is_struck(Key::X) {
            parts.views[part] = View::Hidden;
        }
        if input.is_struck(Key::C) {
            parts.views[part] = View::Clear;
        }
    }

    fn strike(&mut self, input: &Input) {
        if input.is_struck(Key::U)
            && let Some(parts) = &mut self.parts
        {
            parts.views.fill(View::Whole);
            (self.housing, self.placed) = ("whole", "whole");
        }
        for (key, forth) in [(Key::N, true), (Key::B, false)] {
            (0..input.strikes(key)).for_each(|_| self.next_fault(forth));
        }
    }

    /// The camera glides to what is shown.
    fn glide(&mut self, input: &Input, seconds: f64) {
        let pointer = &input.pointer;
        if pointer.drag != egui::Vec2::ZERO || pointer.pan != egui::Vec2::ZERO || pointer.zoom != 1.0 {
            self.wanted = None;
        }
        let Some(wanted) = self.wanted else { return };
        let part = 1.0 - libm::exp(-6.0 * if seconds > 0.0 { seconds } else { 1.0 / 60.0 });
        picture::approach(&mut self.orbit, &wanted, part);
        if (self.orbit.target - wanted.target).length() < 0.01 {
            self.wanted = None;
        }
    }
}

impl Demo for Gearbox {
    fn begin(&mut self) -> Result<(), DemoError> {
        self.parts = Some(search::built()?);
        (self.search, self.placed, self.shown) = (Search::default(), "", 0);
        (self.orbit, self.wanted) = (home(), None);
        self.place_housing();
        if self.fault > 0 {
            self.show(self.fault)?;
            // A picture does not wait for the camera.
            self.orbit = self.wanted.take().unwrap_or(self.orbit);
        }
        Ok(())
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        self.aspect = input.pointer.aspect;
        if self.fault != self.shown {
            let _ = self.show(self.fault);
        }
        self.place_housing();
        self.strike(input);
        self.glide(input, seconds);
        orbit::turn(&mut self.orbit, &input.pointer);
        self.point(input);
    }

    fn draw(&mut self, scene: &mut Scene) {
        if let Some(parts) = &self.parts {
            let (clash, apart) = (self.clash(), self.apart());
            let seen = Seen { clash, hover: self.hover, search: &self.search, apart };
            picture::draw(parts, &seen, &self.orbit, scene);
        }
    }

    fn options(&mut self, visit: &mut dyn Visit) {
        visit.choice(
            field("housing", "How the two halves of the housing are shown"),
            &mut self.housing,
            &HOUSING,
        );
        visit.number(
            field("apart", "How far the parts are drawn apart along the axis"),
            &mut self.apart,
            0.0..=1.0,
        );
        visit.count(
            field("fault", "Which fault of the check is shown: N and B; 0 is none"),
            &mut self.fault,
            0..=7,
        );
    }

    fn tasks(&self) -> [Task; 3] {
        let found = self.search.found.len();
        let is_hidden = self.parts.as_ref().is_some_and(Parts::is_any_hidden);
        [
            Task::new("Hide a part (X) or make it clear (C), to look inside", is_hidden),
            Task::new("Find a fault: click on two parts that are in each other's way", found > 0),
            Task::new("Let the check show the last of the seven (N)", self.fault as usize == FAULTS.len()),
        ]
    }

    fn legend(&self) -> Vec<(Color, &'static str)> {
        if self.clash().is_some() {
            return vec![
                (Color::SKY, "first part"),
                (Color::ORANGE, "second part"),
                (Color::VERMILION, "where they are in each other's way"),
            ];
        }
        parts::LEGEND.to_vec()
    }

    fn ui(&mut self, ui: &mut Ui) {
        let Some(parts) = &mut self.parts else { return };
        panel::show_found(ui, &self.search, parts);
        ui.separator();
        let wanted = panel::show_check(ui, parts, &self.clashes, self.fault, self.took);
        ui.separator();
        panel::show_parts(ui, parts);
        if let Some(fault) = wanted {
            // The check has no errors on parts of our own.
            let _ = self.show(fault);
        }
    }

    fn status(&self) -> Vec<String> {
        let Some(parts) = &self.parts else { return Vec::new() };
        if let Some(clash) = self.clash() {
            return panel::clash(clash, self.fault, parts).into();
        }
        let hover = self.hover.map(|part| parts.name(part).to_owned());
        let found = format!("{} of {} faults found", self.search.found.len(), FAULTS.len());
        [found, panel::guess(&self.search, parts)].into_iter().chain(hover).collect()
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        let mut keys = vec![
            ["click on two parts", "Are they in each other's way?"],
            ["X", "Hide the part under the pointer"],
            ["C", "Make it clear: the pointer goes through it"],
            ["U", "Show all parts whole"],
            ["N, B", "The next and the last fault that the check finds"],
        ];
        keys.extend(orbit::KEYS);
        keys
    }

    fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Pointer;

    fn at(point: sudar::DVec3, gearbox: &Gearbox, clicked: bool) -> Input {
        let mut input = Input::of_held(&[]);
        let place = gearbox.orbit.camera().project(point, 1.6);
        input.pointer = Pointer { at: place, aspect: 1.6, zoom: 1.0, clicked, ..Pointer::default() };
        input
    }

    /// Clicks on the planet and the ring where they are seen from the front, with the front taken away.
    #[test]
    fn clicks_find_a_fault() {
        let mut gearbox = Gearbox::new();
        gearbox.housing = "hidden";
        gearbox.begin().unwrap();
        let parts = gearbox.parts.as_mut().unwrap();
        let number =
            |parts: &Parts, name: &str| parts.assembly.parts.iter().position(|p| p.name == name).unwrap();
        let [planet, ring] = ["planet 3", "ring gear"].map(|name| number(parts, name));
        for part in 0..parts.views.len() {
            parts.views[part] = if part == planet || part == ring { View::Whole } else { View::Hidden };
        }
        gearbox.apart = 0.0;
        gearbox.orbit = Orbit { target: sudar::DVec3::Z * 20.0, distance: 300.0, yaw: 0.0, pitch: -1.5 };
        // From below: a point of the planet's rim off its pin, and one of the ring.
        let parts = gearbox.parts.as_ref().unwrap();
        let seat = parts.assembly.parts[planet].pose.translation();
        let rim = seat + seat.with_z(0.0).normalize() * -12.0;
        gearbox.step(&at(rim.with_z(20.0), &gearbox, true), 0.0);
        assert_eq!(gearbox.search.chosen, Some(planet), "{:?}", gearbox.status());
        gearbox.step(&at(sudar::DVec3::new(64.0, 0.0, 20.0), &gearbox, true), 0.0);
        assert_eq!(gearbox.search.found.len(), 1, "{:?}", gearbox.status());
        gearbox.step(&Input::of_keys(&[Key::U]), 0.0);
        assert!(gearbox.parts.as_ref().unwrap().views.iter().all(|view| *view == View::Whole));
    }

    #[test]
    fn every_fault_is_shown_with_its_measure_and_the_camera_goes_there() {
        let mut gearbox = Gearbox::new();
        gearbox.begin().unwrap();
        for k in 1..=7 {
            gearbox.step(&Input::of_keys(&[Key::N]), 0.0);
            assert_eq!(gearbox.fault, k);
            let lines = gearbox.status();
            assert!(lines[0].contains(FAULTS[k as usize - 1].a) && lines[1].contains(" at "), "{lines:?}");
            (0..120).for_each(|_| gearbox.step(&Input::of_held(&[]), 1.0 / 60.0));
            let clash = gearbox.clash().unwrap();
            let away = gearbox.orbit.target - clash.point;
            assert!(away.length() < 0.1, "{away}");
        }
        gearbox.step(&Input::of_keys(&[Key::N]), 0.0);
        assert_eq!(gearbox.fault, 1);
        gearbox.step(&Input::of_keys(&[Key::B]), 0.0);
        assert_eq!(gearbox.fault, 7);
    }
}
