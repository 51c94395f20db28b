//! Pictures for tests.

use std::io::Write;

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

/// The picture alone, without controls, of a link after so many frames.
pub fn picture(link: &str, frames: u32) -> Picture {
    let mut lab = Lab::default();
    lab.go(&Link::read(link)).unwrap();
    lab.hide_panels(true);
    let mut headless = Headless::new(lab, SIZE, 1.0).unwrap();
    // The first frame brings the fonts along; what nobody sees is not drawn.
    headless.frame(Vec::new());
    (2..frames).for_each(|_| headless.advance(Vec::new()));
    headless.frame(Vec::new());
    headless.picture()
}

/// How many pixels are like a colour, by red, green and blue.
pub fn count(picture: &Picture, is_like: impl Fn([u8; 3]) -> bool) -> usize {
    picture.rgba.chunks_exact(4).filter(|pixel| is_like([pixel[0], pixel[1], pixel[2]])).count()
}
