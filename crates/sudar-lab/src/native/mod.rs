//! What only a machine of one's own has: a command line, a window, files.

mod command;
mod measure;
mod picture;
mod script;
mod window;

pub use command::run;
pub use picture::{Headless, Picture};
pub use script::{Script, ScriptError};
