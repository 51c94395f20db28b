//! Keys for fingers: buttons over the picture, from the first touch on.

use egui::{Align2, Color32, Event, FontId, Key, Pos2, Rect, TouchId, TouchPhase, Ui, Vec2, pos2, vec2};

use crate::demo::Hands;
use crate::input::Input;

/// Edge of a button and space around it, in points.
const BUTTON: f32 = 58.0;
const SPACE: f32 = 6.0;

/// Fingers, and the buttons under them.
#[derive(Default)]
pub struct Pad {
    fingers: Vec<Finger>,
    /// As they were shown last.
    buttons: Vec<(Rect, Key)>,
    is_wanted: bool,
}

struct Finger {
    id: TouchId,
    at: Pos2,
    /// Whether it came down on a button.
    is_on_button: bool,
}

impl Pad {
    /// Follows the fingers; buttons under them are keys that are held. Beside them another finger turns the view.
    pub fn read(&mut self, events: &[Event], input: &mut Input) {
        let mut look = Vec2::ZERO;
        for event in events {
            if let Event::Touch { id, phase, pos, .. } = event {
                look += self.follow(*id, *phase, *pos);
            }
        }
        input.pointer.fingers = self.fingers.iter().any(|finger| finger.is_on_button).then_some(look);
        input.hold(self.keys());
    }

    /// How far a finger beside the buttons has moved.
    fn follow(&mut self, id: TouchId, phase: TouchPhase, at: Pos2) -> Vec2 {
        self.is_wanted = true;
        match phase {
            TouchPhase::Start => {
                let is_on_button = self.buttons.iter().any(|(rect, _)| rect.contains(at));
                self.fingers.push(Finger { id, at, is_on_button });
            }
            TouchPhase::Move => {
                if let Some(finger) = self.fingers.iter_mut().find(|finger| finger.id == id) {
                    let by = at - finger.at;
                    finger.at = at;
                    return if finger.is_on_button { Vec2::ZERO } else { by };
                }
            }
            TouchPhase::End | TouchPhase::Cancel => self.fingers.retain(|finger| finger.id != id),
        }
        Vec2::ZERO
    }

    fn keys(&self) -> impl Iterator<Item = Key> {
        let on = |rect: &Rect| self.fingers.iter().any(|f| f.is_on_button && rect.contains(f.at));
        self.buttons.iter().filter(move |(rect, _)| on(rect)).map(|(_, key)| *key)
    }

    /// There is no picture that buttons lie on.
    pub fn hide(&mut self) {
        self.buttons.clear();
    }

    /// Shows the buttons at the left and right edge of a picture.
    pub fn show(&mut self, ui: &Ui, picture: Rect, hands: Hands) {
        self.buttons.clear();
        if !self.is_wanted {
            return;
        }
        let painter = ui.painter_at(picture);
        for (side, buttons) in hands.into_iter().enumerate() {
            for (k, (name, key)) in buttons.iter().enumerate() {
                let rect = place(picture, side, k, buttons.len());
                let is_held =
                    self.fingers.iter().any(|finger| finger.is_on_button && rect.contains(finger.at));
                painter.rect_filled(rect, 8.0, Color32::from_black_alpha(if is_held { 220 } else { 130 }));
                painter.text(
                    rect.center(),
                    Align2::CENTER_CENTER,
                    name,
                    FontId::proportional(15.0),
                    Color32::WHITE,
                );
                self.buttons.push((rect, *key));
            }
        }
    }
}

/// Where a button is: two beside each other, around half the height.
fn place(picture: Rect, side: usize, k: usize, count: usize) -> Rect {
    let cell = BUTTON + SPACE;
    let left = if side == 0 { picture.left() + SPACE } else { picture.right() - 2.0 * cell };
    let top = picture.center().y - 0.5 * cell * count.div_ceil(2) as f32;
    let corner = pos2(left + cell * (k % 2) as f32, top + cell * (k / 2) as f32);
    Rect::from_min_size(corner, vec2(BUTTON, BUTTON))
}

#[cfg(test)]
mod tests {
    use egui::TouchDeviceId;

    use super::*;

    fn touch(id: u64, phase: TouchPhase, at: Pos2) -> Event {
        Event::Touch { device_id: TouchDeviceId(0), id: TouchId(id), phase, pos: at, force: None }
    }

    fn pad() -> Pad {
        let picture = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
        let buttons = [(place(picture, 0, 0, 4), Key::W), (place(picture, 1, 0, 2), Key::E)];
        Pad { buttons: buttons.to_vec(), ..Pad::default() }
    }

    #[test]
    fn buttons_under_fingers_are_held_and_the_others_turn_the_view() {
        let (mut pad, mut input) = (pad(), Input::default());
        let on = pad.buttons[0].0.center();
        pad.read(&[touch(1, TouchPhase::Start, on)], &mut input);
        assert!(input.is_held(Key::W) && !input.is_held(Key::E));
        let beside = pos2(400.0, 300.0);
        let events =
            [touch(2, TouchPhase::Start, beside), touch(2, TouchPhase::Move, beside + vec2(9.0, -4.0))];
        pad.read(&events, &mut input);
        assert_eq!(input.pointer.fingers, Some(vec2(9.0, -4.0)));
        // A finger that came from beside presses nothing.
        let mut input = Input::default();
        let other = pad.buttons[1].0.center();
        pad.read(&[touch(1, TouchPhase::End, on), touch(2, TouchPhase::Move, other)], &mut input);
        assert!(!input.is_held(Key::W) && !input.is_held(Key::E) && input.pointer.fingers.is_none());
    }

    #[test]
    fn buttons_lie_in_the_picture_and_on_no_other() {
        let picture = Rect::from_min_size(pos2(270.0, 30.0), vec2(640.0, 400.0));
        let all: Vec<Rect> =
            [0, 1].into_iter().flat_map(|side| (0..6).map(move |k| place(picture, side, k, 6))).collect();
        assert!(all.iter().all(|rect| picture.contains_rect(*rect)));
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| !a.intersects(*b)));
        }
    }
}
