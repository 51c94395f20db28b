//! Draws bodies of Sudar: a small renderer on OpenGL ES 3 and WebGL 2.
//!
//! A program fills a [`Scene`] — solids, lines, billboards, labels, lights and a [`Camera`] — and a [`Renderer`] draws
//! it into the current framebuffer. The crate opens no window and reads no clock: [`Gl`] wraps the context of whatever
//! window, page or [headless surface](Gl::headless) there is. z is up.
//!
//! ```no_run
//! use sudar::{Cuboid, DVec3, Pose};
//! use sudar_view::{Camera, Color, Figure, Gl, Renderer, Scene, Viewport};
//!
//! let gl = Gl::headless(640, 360)?;
//! let mut renderer = Renderer::new(gl)?;
//! let mut scene = Scene::new(Camera::look_at(DVec3::new(4.0, -6.0, 3.0), DVec3::ZERO));
//! let crate_ = Figure::new(&Cuboid::new(DVec3::splat(0.5))?.into());
//! scene.figure(&crate_, &Pose::IDENTITY, Color::BLUE);
//! renderer.paint(&scene, Viewport::whole(640, 360));
//! let rgba = renderer.gl().read_pixels(640, 360);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod camera;
mod color;
mod figure;
mod geometry;
mod gl;
mod lights;
mod order;
mod programs;
mod renderer;
mod round;
mod scene;
mod upload;

pub use camera::{Camera, Orbit};
pub use color::Color;
pub use figure::Figure;
pub use geometry::Geometry;
pub use gl::{Gl, GlError};
pub use lights::{Lamp, Sun};
pub use renderer::{Renderer, Viewport};
pub use scene::{Billboard, Label, Look, Placement, Scene};
