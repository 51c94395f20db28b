//! Bodies and what is built over them, from the triangles up to where a body stands.

mod body;
mod box_index;
mod deform;
mod halving;
mod layers;
mod parts;
mod placed;
mod search;
mod skin;
mod surface;
mod wireframe;

pub use body::Body;
pub(crate) use body::{Form, Identity, Parts};
pub(crate) use box_index::BoxIndex;
pub(crate) use halving::{Half, Halving};
pub use layers::Layer;
pub(crate) use parts::{
    Part, features_of, part, parts, visit_pairs, visit_pairs_by, visit_parts, visit_parts_near,
};
pub use placed::Placed;
pub(crate) use placed::{Posed, PosedBody};
pub(crate) use search::{STOP, visit_by, visit_meeting, visit_own_pairs};
pub(crate) use skin::Skin;
pub(crate) use surface::{PosedSurface, Surface};
