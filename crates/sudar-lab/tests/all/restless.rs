//! Every demo under a restless user: keys, pointer and options at random. Nothing panics, and every picture is finite.

use egui::{Key, Vec2};
use sudar_lab::options::{self, Described};
use sudar_lab::{Demo, Input, demos};
use sudar_view::{Camera, Scene};

const KEYS: [Key; 30] = [
    Key::W,
    Key::A,
    Key::S,
    Key::D,
    Key::Q,
    Key::E,
    Key::F,
    Key::G,
    Key::T,
    Key::R,
    Key::V,
    Key::X,
    Key::Z,
    Key::C,
    Key::M,
    Key::L,
    Key::N,
    Key::B,
    Key::K,
    Key::J,
    Key::U,
    Key::Num1,
    Key::Num2,
    Key::Tab,
    Key::Enter,
    Key::Space,
    Key::ArrowUp,
    Key::ArrowDown,
    Key::ArrowLeft,
    Key::ArrowRight,
];

/// Numbers that are the same everywhere (Knuth's congruences).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn part(&mut self) -> f64 {
        self.below(1001) as f64 / 1000.0
    }

    /// A value that an option may have.
    fn value(&mut self, option: &Described) -> String {
        if option.is_switch {
            return ["on", "off"][self.below(2)].to_owned();
        }
        match option.may_be.split_once(" to ") {
            Some((low, high)) if low.parse::<f64>().is_ok() => {
                let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
                // Small numbers of things, so that a test is quick.
                let number = low + (high - low).min(300.0) * self.part();
                let is_whole = !option.value.contains('.') && low.fract() == 0.0;
                if is_whole { format!("{number:.0}") } else { format!("{number}") }
            }
            _ => {
                let names: Vec<&str> = option.may_be.split(", ").collect();
                names[self.below(names.len())].to_owned()
            }
        }
    }

    fn input(&mut self) -> Input {
        let keys: Vec<Key> = (0..self.below(3)).map(|_| KEYS[self.below(KEYS.len())]).collect();
        let mut input = if self.below(4) == 0 { Input::of_keys(&keys) } else { Input::of_held(&keys) };
        let side = |numbers: &mut Self| 2.2 * numbers.part() - 1.1;
        input.pointer.at = (self.below(5) > 0).then(|| [side(self), side(self)]);
        input.pointer.aspect = 0.3 + 2.5 * self.part();
        input.pointer.down = self.below(3) > 0;
        input.pointer.clicked = self.below(9) == 0;
        input.pointer.zoom = 0.5 + self.part();
        input.pointer.drag = Vec2::new(80.0 * side(self) as f32, 80.0 * side(self) as f32);
        input.modifiers.ctrl = self.below(9) == 0;
        input.modifiers.shift = self.below(9) == 0;
        input
    }
}

/// More of them by `RESTLESS=500 cargo test --release -p sudar-lab restless`.
fn rounds() -> usize {
    std::env::var("RESTLESS").ok().and_then(|text| text.parse().ok()).unwrap_or(4)
}

fn look(demo: &mut dyn Demo) {
    let mut scene = Scene::new(Camera::look_at(sudar::DVec3::NEG_Y, sudar::DVec3::ZERO));
    demo.draw(&mut scene);
    let Camera { eye, forward, .. } = scene.camera;
    assert!(eye.is_finite() && forward.is_finite(), "{eye} {forward}");
    let (_, _, _, _) = (demo.status(), demo.legend(), demo.banner(), demo.timer());
    assert!(demo.tasks().iter().all(|task| !task.says.is_empty()));
}

#[test]
fn no_input_is_too_much_for_a_demo() {
    for (number, entry) in demos::ALL.iter().enumerate() {
        for round in 0..rounds() {
            let mut numbers = Numbers(1000 * number as u64 + round as u64);
            let mut demo = (entry.make)();
            for _ in 0..round {
                let described = options::describe(|visit| demo.options(visit));
                let option = &described[numbers.below(described.len())];
                let value = numbers.value(option);
                // A file that was not dropped is no choice.
                let _ = options::assign(option.field.name, &value, |visit| demo.options(visit));
            }
            if demo.begin().is_err() {
                continue;
            }
            for step in 0..120 {
                if numbers.below(25) == 0 {
                    let described = options::describe(|visit| demo.options(visit));
                    let option = &described[numbers.below(described.len())];
                    let value = numbers.value(option);
                    let _ = options::assign(option.field.name, &value, |visit| demo.options(visit));
                }
                let seconds = if numbers.below(10) == 0 { 0.0 } else { 1.0 / 60.0 };
                demo.step(&numbers.input(), seconds);
                if step % 20 == 0 {
                    look(&mut *demo);
                }
            }
        }
    }
}
