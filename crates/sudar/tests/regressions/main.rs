//! One file for each fault that was found, named after it.

mod a_hair_from_a_face_is_not_zero;
mod a_short_ray_inside_a_face;
mod points_within_a_distance;
mod the_winding_number_a_hair_from_a_face;
