//! The example programs run. What they assert, they know from closed forms.

#[path = "../../examples/bouncing_ball.rs"]
mod bouncing_ball;
#[path = "../../examples/character.rs"]
pub mod character;
#[path = "../../examples/distance.rs"]
mod distance;
#[path = "../../examples/game_tasks.rs"]
mod game_tasks;
#[path = "../../examples/hull.rs"]
mod hull;
#[path = "../../examples/many_bodies.rs"]
mod many_bodies;
#[path = "../../examples/mass.rs"]
mod mass;
#[path = "../../examples/ray.rs"]
mod ray;
#[path = "../../examples/sliding_box.rs"]
mod sliding_box;
#[path = "../../examples/sweep.rs"]
mod sweep;
#[path = "../../examples/touch.rs"]
mod touch;

type Program = (&'static str, fn() -> Result<(), Box<dyn std::error::Error>>);

const PROGRAMS: [Program; 11] = [
    ("bouncing_ball", bouncing_ball::main),
    ("character", character::main),
    ("distance", distance::main),
    ("game_tasks", game_tasks::main),
    ("hull", hull::main),
    ("many_bodies", many_bodies::main),
    ("mass", mass::main),
    ("ray", ray::main),
    ("sliding_box", sliding_box::main),
    ("sweep", sweep::main),
    ("touch", touch::main),
];

#[test]
fn every_example_runs() {
    for (name, main) in PROGRAMS {
        main().unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
