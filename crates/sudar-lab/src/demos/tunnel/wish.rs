//! What the pilot wants.

use egui::Key;
use sudar::DVec3;

use crate::input::Input;

/// Around its middle the pointer wants nothing.
const DEAD: f64 = 0.06;

/// What turns the fighter.
pub const TURNING: [&str; 2] = ["keyboard", "mouse"];

/// What the pilot wants in this moment, in the frame of the fighter: x ahead, y to the left, z up.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wish {
    /// Which way, −1 to 1 along each axis.
    pub along: DVec3,
    /// How to turn, −1 to 1 about each axis: about x the left wing up, about y the nose down, about z to the left.
    pub about: DVec3,
    /// Whether all motion is to end.
    pub brakes: bool,
    /// Whether a missile is to leave.
    pub fires: bool,
}

impl Wish {
    /// From keys and pointer. `is_by_mouse`: the pointer turns the fighter as fast as it is away from the middle of the
    /// picture; the source moves it back to the middle in each frame (section 7.4.2), which no browser allows.
    pub fn read(input: &Input, is_by_mouse: bool) -> Self {
        let along =
            DVec3::new(input.axis(Key::W, Key::S), input.axis(Key::A, Key::D), input.axis(Key::E, Key::Q));
        let [right, up] = if is_by_mouse { by_mouse(input) } else { by_keys(input) };
        let about =
            if input.modifiers.ctrl { DVec3::new(right, -up, 0.0) } else { DVec3::new(0.0, -up, -right) };
        Self { along, about, brakes: input.is_held(Key::Space), fires: input.is_held(Key::F) }
    }

    /// Whether there is any wish but to brake.
    pub fn is_any(&self) -> bool {
        self.along != DVec3::ZERO || self.about != DVec3::ZERO || self.fires
    }
}

fn by_keys(input: &Input) -> [f64; 2] {
    [input.axis(Key::ArrowRight, Key::ArrowLeft), input.axis(Key::ArrowUp, Key::ArrowDown)]
}

fn by_mouse(input: &Input) -> [f64; 2] {
    let beyond = |x: f64| ((x.abs() - DEAD).max(0.0) / (1.0 - DEAD)).min(1.0).copysign(x);
    input.pointer.at.map_or([0.0; 2], |at| at.map(beyond))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Modifiers;

    #[test]
    fn each_key_has_its_axis() {
        for (key, along) in [
            (Key::W, DVec3::X),
            (Key::S, DVec3::NEG_X),
            (Key::A, DVec3::Y),
            (Key::D, DVec3::NEG_Y),
            (Key::E, DVec3::Z),
            (Key::Q, DVec3::NEG_Z),
        ] {
            assert_eq!(Wish::read(&Input::of_held(&[key]), false), Wish { along, ..Wish::default() });
        }
        for (key, about) in [
            (Key::ArrowLeft, DVec3::Z),
            (Key::ArrowRight, DVec3::NEG_Z),
            (Key::ArrowUp, DVec3::NEG_Y),
            (Key::ArrowDown, DVec3::Y),
        ] {
            assert_eq!(Wish::read(&Input::of_held(&[key]), false), Wish { about, ..Wish::default() });
        }
        let both = Wish::read(&Input::of_held(&[Key::W, Key::S, Key::Space, Key::F]), false);
        assert!(both.brakes && both.fires && both.along == DVec3::ZERO && both.is_any());
    }

    #[test]
    fn control_makes_a_roll_of_a_turn() {
        let mut input = Input::of_held(&[Key::ArrowRight]);
        input.modifiers = Modifiers::CTRL;
        assert_eq!(Wish::read(&input, false).about, DVec3::X);
        input.pointer.at = Some([-1.0, 0.0]);
        assert_eq!(Wish::read(&input, true).about, DVec3::NEG_X);
    }

    #[test]
    fn the_pointer_turns_as_far_as_it_is_from_the_middle() {
        let mut input = Input::of_held(&[]);
        let mut about = |at| {
            input.pointer.at = at;
            Wish::read(&input, true).about
        };
        assert_eq!(about(None), DVec3::ZERO);
        assert_eq!(about(Some([0.05, -0.05])).length(), 0.0);
        let there = about(Some([0.53, 1.0]));
        assert!((there - DVec3::new(0.0, -1.0, -0.5)).length() < 1e-9, "{there}");
    }
}
