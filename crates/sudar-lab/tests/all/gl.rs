//! Pictures for tests.

use std::io::Write;

use egui::{Event, Key};
use sudar_lab::native::{Headless, Picture};
use sudar_lab::{Lab, Link};
use sudar_view::Gl;

/// The size of pictures in tests.
pub const SIZE: [u32; 2] = [640, 360];

/// Whether there is OpenGL without a window. Where there is none a line says so, and the variable `REQUIRE_GL` makes it
/// an error.
pub fn is_there() -> bool {
    let Err(error) = Gl::headless(16, 16) else { return true };
    assert!(std::env::var_os("REQUIRE_GL").is_none(), "REQUIRE_GL is set, and there is no OpenGL: {error}");
    writeln!(std::io::stderr(), "LEFT OUT: a test of pictures, for there is no OpenGL: {error}").unwrap();
    false
}

/// A laboratory without controls that has opened a link.
pub fn lab(link: &str) -> Headless {
    let mut lab = Lab::default();
    lab.go(&Link::read(link)).unwrap();
    lab.hide_panels(true);
    Headless::new(lab, SIZE, 1.0).unwrap()
}

/// The picture alone, without controls, of a link after so many frames.
pub fn picture(link: &str, frames: u32) -> Picture {
    let mut headless = lab(link);
    // The first frame brings the fonts along; what nobody sees is not drawn.
    headless.frame(Vec::new());
    (2..frames).for_each(|_| headless.advance(Vec::new()));
    headless.frame(Vec::new());
    headless.picture()
}

/// What one sees after so many more frames, with these events in the first.
pub fn go_on(headless: &mut Headless, events: Vec<Event>, frames: u32) -> Picture {
    headless.frame(events);
    (1..frames).for_each(|_| headless.frame(Vec::new()));
    headless.picture()
}

/// A key goes down.
pub fn press(key: Key) -> Vec<Event> {
    vec![turned(key, true)]
}

/// A key goes up.
pub fn release(key: Key) -> Vec<Event> {
    vec![turned(key, false)]
}

fn turned(key: Key, pressed: bool) -> Event {
    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: egui::Modifiers::NONE }
}

/// How many pixels are like a colour, by red, green and blue.
pub fn count(picture: &Picture, is_like: impl Fn([u8; 3]) -> bool) -> usize {
    picture.rgba.chunks_exact(4).filter(|pixel| is_like([pixel[0], pixel[1], pixel[2]])).count()
}

/// Whether a colour is nearly another, up to a difference in each of its parts.
pub fn near(color: [u8; 3], within: u8) -> impl Fn([u8; 3]) -> bool {
    move |pixel| pixel.iter().zip(color).all(|(have, want)| have.abs_diff(want) <= within)
}

/// How many pixels differ between two pictures by more than a little.
pub fn difference(a: &Picture, b: &Picture) -> usize {
    let pairs = a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4));
    pairs.filter(|(p, q)| p.iter().zip(*q).any(|(x, y)| x.abs_diff(*y) > 12)).count()
}
