//! Scenes that move, against brute force over all pairs with the plain queries.

mod boxes_and_arms;
mod brute_force;
mod character;
mod edges;
mod random_scenes;
mod sweeps;
