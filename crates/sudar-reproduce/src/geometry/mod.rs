//! Single steps of the sources: fitting oriented boxes, a point in a triangle.

pub mod angles;
pub mod fits;
