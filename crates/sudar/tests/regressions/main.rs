//! One file for each fault that was found, named after it.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod a_hair_from_a_face_is_not_zero;
mod a_short_ray_inside_a_face;
