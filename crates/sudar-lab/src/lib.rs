//! The laboratory: programs in which one sees collisions happen.
//!
//! [`Lab`] is the whole of it: a gallery of [demos](demos::ALL), each a [`Demo`] with options that are controls,
//! arguments and parts of a link at once. It takes input and time from outside and draws with `sudar-view`, so that the
//! same code runs in a window, in a browser page and, for pictures and tests, without either.

mod app;
mod canvas;
mod chart;
mod clock;
mod demo;
pub mod demos;
mod input;
#[cfg(not(target_arch = "wasm32"))]
pub mod native;
pub mod options;
mod signs;
mod stage;
mod style;
#[cfg(target_arch = "wasm32")]
mod web;

pub use app::{Lab, Link, LinkError};
pub use chart::Chart;
pub use clock::Clock;
pub use demo::{Demo, DemoError, Entry, Hands};
pub use input::{Input, Pointer};
