//! What the user does, as demos see it.

use std::collections::BTreeSet;

use egui::{Key, Modifiers, Vec2};

/// Keys and pointer during one step.
#[derive(Debug, Clone, Default)]
pub struct Input {
    held: BTreeSet<Key>,
    struck: Vec<Key>,
    /// Shift, control and alt.
    pub modifiers: Modifiers,
    /// Mouse or finger over the picture.
    pub pointer: Pointer,
}

/// Mouse or finger over the picture.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pointer {
    /// Where it is: −1 to 1 from left to right and from bottom to top; `None`: not over the picture.
    pub at: Option<[f64; 2]>,
    /// Width by height of the picture.
    pub aspect: f64,
    /// How far the first button or one finger dragged, in points, y down.
    pub drag: Vec2,
    /// How far the other buttons or two fingers dragged, in parts of the height of the picture, y up.
    pub pan: Vec2,
    /// How much nearer wheel or fingers bring things: 1 not at all.
    pub zoom: f64,
    /// How far the mouse moved while the demo has caught it, in points, y down.
    pub look: Vec2,
    /// Whether the first button went down and up at one place.
    pub clicked: bool,
    /// Whether the first button is down.
    pub down: bool,
    /// While fingers hold keys: how far others dragged, in points, y down.
    pub fingers: Option<Vec2>,
}

impl Input {
    /// Whether a key is down, or was since the last step: a tap shorter than a frame moves too.
    pub fn is_held(&self, key: Key) -> bool {
        self.held.contains(&key) || self.is_struck(key)
    }

    /// Whether a key went down since the last step.
    pub fn is_struck(&self, key: Key) -> bool {
        self.struck.contains(&key)
    }

    /// How often a key went down since the last step.
    pub fn strikes(&self, key: Key) -> usize {
        self.struck.iter().filter(|struck| **struck == key).count()
    }

    /// Whether a key that switches between two states has switched since the last step: two taps cancel out.
    pub fn toggles(&self, key: Key) -> bool {
        self.strikes(key) % 2 == 1
    }

    /// 1 for one key, −1 for the other, 0 for none or both.
    pub fn axis(&self, plus: Key, minus: Key) -> f64 {
        f64::from(u8::from(self.is_held(plus))) - f64::from(u8::from(self.is_held(minus)))
    }

    /// What arrow keys or W A S D say: forth and left 1, back and right −1.
    pub fn ways(&self) -> [f64; 2] {
        let both = |plus: [Key; 2], minus: [Key; 2]| {
            (self.axis(plus[0], minus[0]) + self.axis(plus[1], minus[1])).clamp(-1.0, 1.0)
        };
        [
            both([Key::ArrowUp, Key::W], [Key::ArrowDown, Key::S]),
            both([Key::ArrowLeft, Key::A], [Key::ArrowRight, Key::D]),
        ]
    }

    /// Takes over the keys of the window.
    pub(crate) fn read_keys(&mut self, state: &egui::InputState) {
        self.modifiers = state.modifiers;
        self.held = state.keys_down.iter().copied().collect();
        for event in &state.events {
            if let egui::Event::Key { key, pressed: true, repeat: false, .. } = event {
                self.struck.push(*key);
            }
        }
    }

    /// These keys are down too.
    pub(crate) fn hold(&mut self, keys: impl Iterator<Item = Key>) {
        self.held.extend(keys);
    }

    /// Nothing is down any more: somebody types into a field.
    pub(crate) fn release(&mut self) {
        self.held.clear();
        self.struck.clear();
    }

    /// After a step: what happened once is over.
    pub(crate) fn pass(&mut self) {
        self.struck.clear();
        self.pointer.drag = Vec2::ZERO;
        self.pointer.pan = Vec2::ZERO;
        self.pointer.look = Vec2::ZERO;
        self.pointer.zoom = 1.0;
        self.pointer.clicked = false;
    }

    /// For tests: these keys are down, and went down just now.
    pub fn of_keys(keys: &[Key]) -> Self {
        let pointer = Pointer { zoom: 1.0, aspect: 1.0, ..Pointer::default() };
        let held = keys.iter().copied().collect();
        Self { held, struck: keys.to_vec(), modifiers: Modifiers::NONE, pointer }
    }

    /// For tests: these keys have been down for some time.
    pub fn of_held(keys: &[Key]) -> Self {
        Self { struck: Vec::new(), ..Self::of_keys(keys) }
    }
}
