//! Scenes of rigid bodies from files, and what is written down of their runs.
//!
//! [`read`] opens a scene file (TOML), a tunnel file of Maštera 2007 or a built-in scene by its name. A [`Scene`]
//! becomes a [`World`](sudar::dynamics::World); of its run [`Trace`] and [`energy_row`] make lines of CSV, and
//! [`Animation`] makes a binary glTF file.
//!
//! ```
//! use sudar_scene::{Trace, parse};
//!
//! let text = "[[body]]\nname = 'ball'\nshape = { sphere = 0.5 }\nposition = [0, 0, 5]\n";
//! let scene = parse(text, std::path::Path::new("."))?;
//! let mut world = scene.world()?;
//! world.step(scene.step)?;
//! let rows = Trace::new(&world).rows(scene.step, &world)?;
//! assert!(rows.starts_with("0.016666666666666666,ball,0,0,4.99"), "{rows}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`models`] makes meshes by formulas.
//!
//! Units are metres, seconds, kilograms, radians.

mod actors;
mod animation;
mod columns;
mod container;
mod error;
mod file;
mod groups;
mod joints;
mod keys;
pub mod mechanisms;
pub mod models;
mod rows;
mod scenes;
mod trace;
mod tunnel;

pub use actors::{Actors, Order, Path, PathEnd, PathKey, SceneCharacter};
pub use animation::Animation;
pub use columns::{Columns, StepRow};
pub use container::Container;
pub use error::{SceneCause, SceneFileError};
pub use file::parse;
pub use joints::{SceneJoint, parse_joint};
pub use rows::Rows;
pub use scenes::*;
pub use trace::{ENERGY_HEADER, Trace, energy_row};
pub use tunnel::{Tunnel, parse_tunnel, parse_tunnel_with};

use error::text_of;

/// The scene of a file, or the built-in scene of this name if no such file is there.
///
/// A name that ends in `.toml` is a scene file, one that ends in `.txt` a tunnel file. Paths of meshes start from
/// the folder of the file.
///
/// # Errors
/// [`SceneFileError`], which names the file and the cause on one line.
pub fn read(path: &std::path::Path) -> Result<Scene, SceneFileError> {
    let refused = |cause| SceneFileError { file: path.display().to_string(), cause };
    if let Some(built_in) = path.to_str().and_then(BuiltIn::by_name)
        && !path.is_file()
    {
        return built_in.scene().map_err(|error| refused(error.into()));
    }
    let parse = match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("toml") => parse,
        Some("txt") => parse_tunnel,
        Some(_) | None if path.exists() => return Err(refused(SceneCause::Ending)),
        Some(_) | None => return Err(refused(SceneCause::Unknown)),
    };
    let folder = path.parent().unwrap_or(std::path::Path::new("."));
    text_of(path).and_then(|text| parse(&text, folder)).map_err(refused)
}
