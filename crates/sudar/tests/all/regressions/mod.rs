//! One file for each fault that was found, named after it.

mod a_ball_found_touching_too_late;
mod a_box_among_many_points;
mod a_hair_from_a_face_is_not_zero;
mod a_minimum_nearer_than_the_distance;
mod a_point_in_a_turned_solid;
mod a_short_ray_inside_a_face;
mod a_tiny_ball_in_a_long_box;
mod points_that_round_to_one;
mod points_within_a_distance;
mod round_bodies_beyond_a_tolerance;
mod the_normal_where_a_sweep_ends;
mod the_winding_number_a_hair_from_a_face;
