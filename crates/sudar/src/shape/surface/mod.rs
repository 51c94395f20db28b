//! Bodies of many triangles or points, and how their triangles hang together.

pub(super) mod connection;
pub(super) mod facets;
pub(super) mod height_field;
pub(super) mod mesh;
pub(super) mod normal_cone;
mod parity;
pub(super) mod point_cloud;
pub(super) mod solid;
pub(super) mod stars;
pub(super) mod topology;
pub(super) mod weld;
