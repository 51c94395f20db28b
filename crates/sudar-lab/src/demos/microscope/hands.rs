//! What keys and pointer do: the camera, the handles, walks through searches.

use egui::Key;
use sudar::DVec3;
use sudar_view::{Camera, Orbit};

use super::desk::Desk;
use super::gizmo::{Drag, Gizmo, Handle};
use super::settings::{HANDLES, Settings};
use crate::demos::orbit;
use crate::input::Input;

/// Metres or radians a second that keys move and turn.
const PACE: f64 = 0.6;

/// Seconds from here to the end of the way.
const WAY: f64 = 4.0;

/// Visits and rounds a second that go by themselves.
const RATE: f64 = 8.0;

const TOGGLES: [Key; 8] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8];

/// Camera, handles and what goes on by itself.
#[derive(Debug)]
pub struct Hands {
    pub orbit: Orbit,
    /// Whether the bodies make room for the view of the difference.
    is_aside: bool,
    pub aspect: f64,
    drag: Option<Drag>,
    /// The handle under the pointer.
    pub hover: Option<Handle>,
    was_down: bool,
    /// 1 towards the end of the way, −1 back.
    sense: f64,
    /// Parts of a visit that have passed.
    waited: f64,
}

impl Hands {
    /// Looks at both bodies from aside.
    pub fn new() -> Self {
        let orbit = Orbit { target: DVec3::new(1.0, 0.0, 0.25), distance: 6.2, yaw: 0.35, pitch: 0.35 };
        Self {
            orbit,
            is_aside: false,
            aspect: 1.6,
            drag: None,
            hover: None,
            was_down: false,
            sense: 1.0,
            waited: 0.0,
        }
    }

    /// A step.
    pub fn act(&mut self, input: &Input, settings: &mut Settings, desk: &Desk, seconds: f64) {
        self.aspect = input.pointer.aspect;
        self.is_aside = settings.difference;
        strike(input, settings, desk);
        // Keys act too while time stands still.
        push(input, settings, if seconds > 0.0 { seconds } else { 1.0 / 60.0 });
        if !self.drag_handle(input, settings) {
            orbit::turn(&mut self.orbit, &input.pointer);
        }
        self.go_on(settings, desk, seconds);
    }

    /// What is seen.
    pub fn camera(&self) -> Camera {
        let mut camera = self.orbit.camera();
        if self.is_aside {
            camera.eye += camera.axes()[0] * (0.22 * self.orbit.distance);
        }
        camera
    }

    /// The gizmo of the body that is handled.
    pub fn gizmo(&self, settings: &mut Settings) -> Option<Gizmo> {
        let at = settings.handled()?.at;
        Some(Gizmo::new(at, &self.camera()))
    }

    /// What is dragged or under the pointer.
    pub fn active(&self) -> Option<Handle> {
        self.drag.as_ref().map(Drag::handle).or(self.hover)
    }

    /// Whether a handle is dragged.
    fn drag_handle(&mut self, input: &Input, settings: &mut Settings) -> bool {
        let pointer = &input.pointer;
        let is_pressed = pointer.down && !self.was_down;
        self.was_down = pointer.down;
        let view = (self.camera(), self.aspect);
        let gizmo = self.gizmo(settings);
        let (Some(at), Some(gizmo), Some(stand)) = (pointer.at, gizmo, settings.handled()) else {
            (self.drag, self.hover) = (None, None);
            return false;
        };
        if !pointer.down {
            self.drag = None;
            self.hover = gizmo.pick(view, at);
        } else if is_pressed {
            let picked = gizmo.pick(view, at);
            self.drag = picked.and_then(|handle| gizmo.grab(handle, *stand, view, at));
        }
        if let Some(drag) = &self.drag {
            *stand = drag.to(view, at);
        }
        self.drag.is_some()
    }

    fn go_on(&mut self, settings: &mut Settings, desk: &Desk, seconds: f64) {
        if settings.is_playing {
            let along = settings.along + self.sense * seconds / WAY;
            if !(0.0..=1.0).contains(&along) {
                self.sense = if along > 1.0 { -1.0 } else { 1.0 };
            }
            settings.along = along.clamp(0.0, 1.0);
        }
        if !settings.is_auto {
            return;
        }
        self.waited += seconds * RATE;
        let more = self.waited as u32;
        self.waited -= f64::from(more);
        if settings.walks {
            settings.visit = (settings.visit + more).min(visits(desk));
        }
        if settings.features {
            settings.pair = (settings.pair + more).min(pairs(desk));
        }
        if settings.difference {
            settings.round = (settings.round + more).min(rounds(desk));
        }
    }
}

/// How many visits there are to go through, at least 1.
pub fn visits(desk: &Desk) -> u32 {
    desk.trees.as_ref().map_or(1, |trees| trees.visits().len() as u32).max(1)
}

/// How many pairs of features the walk has, at least 1.
pub fn pairs(desk: &Desk) -> u32 {
    desk.features.as_ref().map_or(1, |walk| walk.steps.len() as u32).max(1)
}

/// How many rounds the method has, at least 1.
pub fn rounds(desk: &Desk) -> u32 {
    desk.difference.as_ref().map_or(1, |shown| shown.trace.steps.len() as u32).max(1)
}

/// What keys do once.
fn strike(input: &Input, settings: &mut Settings, desk: &Desk) {
    for (key, switch) in TOGGLES.into_iter().zip(settings.switches()) {
        *switch ^= input.toggles(key);
    }
    settings.difference ^= input.toggles(Key::D);
    settings.features ^= input.toggles(Key::F);
    for (key, forth) in [(Key::X, true), (Key::Z, false)] {
        for _ in 0..input.strikes(key) {
            settings.features = true;
            settings.pair = stepped(settings.pair, forth, pairs(desk));
        }
    }
    settings.is_playing ^= input.toggles(Key::Space);
    let now = HANDLES.iter().position(|name| *name == settings.handle).unwrap_or(0);
    settings.handle = HANDLES[(now + input.strikes(Key::Tab)) % HANDLES.len()];
    for (key, forth) in [(Key::N, true), (Key::B, false)] {
        for _ in 0..input.strikes(key) {
            settings.walks = true;
            settings.visit = stepped(settings.visit, forth, visits(desk));
        }
    }
    for (key, forth) in [(Key::K, true), (Key::J, false)] {
        for _ in 0..input.strikes(key) {
            settings.difference = true;
            settings.round = stepped(settings.round, forth, rounds(desk));
        }
    }
}

/// One more or less, from 1 to the last.
pub fn stepped(now: u32, forth: bool, last: u32) -> u32 {
    if forth { now + 1 } else { now.saturating_sub(1) }.clamp(1, last)
}

/// What keys do as long as they are down.
fn push(input: &Input, settings: &mut Settings, seconds: f64) {
    let way = DVec3::new(
        input.axis(Key::ArrowRight, Key::ArrowLeft),
        input.axis(Key::ArrowUp, Key::ArrowDown),
        input.axis(Key::PageUp, Key::PageDown),
    );
    let Some(stand) = settings.handled().filter(|_| way != DVec3::ZERO) else { return };
    let by = PACE * seconds;
    *stand = if input.modifiers.shift { stand.turned(way.normalize(), by) } else { stand.moved(way * by) };
}

#[cfg(test)]
mod tests {
    use egui::Vec2;

    use super::*;
    use crate::input::Pointer;

    fn start() -> (Hands, Settings, Desk) {
        let settings = Settings::default();
        let desk = Desk::new(&settings).unwrap();
        (Hands::new(), settings, desk)
    }

    /// Keys: 0.6 metres and radians a second.
    #[test]
    fn keys_move_and_turn_what_is_handled() {
        let (mut hands, mut settings, desk) = start();
        let before = settings.stands[1];
        for _ in 0..60 {
            hands.act(&Input::of_held(&[Key::ArrowRight, Key::PageUp]), &mut settings, &desk, 1.0 / 60.0);
        }
        let moved = settings.stands[1].at - before.at;
        assert!((moved - DVec3::new(0.6, 0.0, 0.6)).length() < 1e-9);
        hands.act(&Input::of_keys(&[Key::Tab]), &mut settings, &desk, 0.0);
        assert_eq!(settings.handle, "end");
        let mut turn = Input::of_held(&[Key::PageUp]);
        turn.modifiers.shift = true;
        let end = settings.end;
        (0..60).for_each(|_| hands.act(&turn, &mut settings, &desk, 1.0 / 60.0));
        let expected = end.turned(DVec3::Z, 0.6);
        assert!((settings.end.turn - expected.turn).length() < 1e-9);
    }

    #[test]
    fn the_way_goes_to_and_fro_in_four_seconds_each() {
        let (mut hands, mut settings, desk) = start();
        hands.act(&Input::of_keys(&[Key::Space]), &mut settings, &desk, 0.0);
        let idle = Input::of_held(&[]);
        (0..120).for_each(|_| hands.act(&idle, &mut settings, &desk, 1.0 / 60.0));
        assert!((settings.along - 0.5).abs() < 1e-9);
        (0..240).for_each(|_| hands.act(&idle, &mut settings, &desk, 1.0 / 60.0));
        assert!((settings.along - 0.5).abs() < 0.02);
        (0..121).for_each(|_| hands.act(&idle, &mut settings, &desk, 1.0 / 60.0));
        assert!(settings.along < 0.02);
    }

    /// Pressed on the tip of the arrow along z and dragged by a metre's worth of pixels.
    #[test]
    fn the_pointer_drags_a_handle_and_not_the_camera() {
        let (mut hands, mut settings, desk) = start();
        hands.act(&Input::of_held(&[]), &mut settings, &desk, 0.0);
        hands.aspect = 1.6;
        let (camera, orbit) = (hands.orbit.camera(), hands.orbit);
        let tip = hands.gizmo(&mut settings).unwrap().tip(2);
        let at = |point: DVec3, down: bool| {
            let mut input = Input::of_held(&[]);
            let drag = Vec2::new(3.0, 4.0);
            input.pointer = Pointer {
                at: camera.project(point, 1.6),
                aspect: 1.6,
                zoom: 1.0,
                down,
                drag: if down { drag } else { Vec2::ZERO },
                ..Pointer::default()
            };
            input
        };
        let before = settings.stands[1];
        hands.act(&at(tip, false), &mut settings, &desk, 0.0);
        assert_eq!(hands.active(), Some(Handle::Arrow(2)));
        hands.act(&at(tip, true), &mut settings, &desk, 0.0);
        hands.act(&at(tip + DVec3::Z * 0.5, true), &mut settings, &desk, 0.0);
        assert!((settings.stands[1].at - before.at - DVec3::Z * 0.5).length() < 1e-9);
        assert_eq!(hands.orbit, orbit);
        // Beside the handles the same drag turns the camera.
        hands.act(&at(tip, false), &mut settings, &desk, 0.0);
        hands.act(&at(tip + DVec3::Z * 3.0, true), &mut settings, &desk, 0.0);
        assert!(hands.orbit != orbit);
    }

    #[test]
    fn visits_are_gone_through_one_by_one() {
        let (mut hands, mut settings, mut desk) = start();
        settings.system = "rapid";
        settings.walks = true;
        desk.refresh(&settings);
        let last = visits(&desk);
        for _ in 0..5 {
            hands.act(&Input::of_keys(&[Key::N]), &mut settings, &desk, 0.0);
        }
        assert_eq!(settings.visit, 6.min(last));
        for _ in 0..9 {
            hands.act(&Input::of_keys(&[Key::B]), &mut settings, &desk, 0.0);
        }
        assert_eq!(settings.visit, 1);
        settings.is_auto = true;
        (0..60).for_each(|_| hands.act(&Input::of_held(&[]), &mut settings, &desk, 1.0 / 60.0));
        assert_eq!(settings.visit, 9.min(last));
    }
}
