//! Scenes that move, against brute force over all pairs with the plain queries.

mod brute_force;
mod character;
mod edges;
mod examples;
mod random_scenes;
mod sweeps;
