//! What moves by a plan in scene files.

use std::path::Path;

use sudar::DVec3;
use sudar::dynamics::{Handle, World};
use sudar_scene::parse;

const TEXT: &str = "
[[body]]
name = 'floor'
kind = 'static'
shape = { halfspace = [0, 0, 1, 0] }

[[body]]
name = 'lift'
kind = 'kinematic'
shape = { box = [1, 1, 0.1] }
path = [{ time = 1, position = [4, 0, 0.1] }, { time = 3, position = [4, 0, 2.1] }, { time = 4, position = [4, 1, 2.1] }]
path_end = 'back'

[[body]]
name = 'load'
shape = { box = [0.3, 0.3, 0.3] }
position = [4, 0, 0.5]

[[character]]
name = 'hero'
shape = { capsule = [0.3, 0.5] }
position = [-3, 0, 0.81]
walk = [{ velocity = [2, 0, 0] }, { time = 1, velocity = [0, 1, 0], jump = 4 }, { time = 3, velocity = [0, 0, 0] }]
";

fn named(world: &World, name: &str) -> Handle {
    world.bodies().find(|(_, body)| body.name == name).unwrap().0
}

#[test]
fn bodies_follow_their_paths_and_characters_their_orders() {
    let scene = parse(TEXT, Path::new(".")).unwrap();
    let (mut actors, step) = (scene.actors.clone(), scene.step);
    let mut world = scene.world().unwrap();
    let [lift, load, hero] = ["lift", "load", "hero"].map(|name| named(&world, name));
    let mut highest: f64 = 0.0;
    for k in 1..=300 {
        actors.act(&mut world, step).unwrap();
        world.step(step).unwrap();
        let at = |body: Handle| world.motion(body).unwrap().center;
        highest = highest.max(at(hero).z);
        match k {
            120 => {
                assert!((at(lift) - DVec3::new(4.0, 0.0, 1.1)).length() < 1e-9, "{}", at(lift));
                assert!((at(load) - DVec3::new(4.0, 0.0, 1.5)).length() < 0.02, "{}", at(load));
            }
            240 => {
                assert!((at(lift) - DVec3::new(4.0, 1.0, 2.1)).length() < 1e-9);
                // The load went on upwards for 0.2 s as the lift turned aside.
                assert!((at(load) - DVec3::new(4.0, 0.8, 2.5)).length() < 0.1, "{}", at(load));
            }
            300 => assert!((at(lift) - DVec3::new(4.0, 0.0, 2.1)).length() < 1e-9),
            _ => {}
        }
    }
    // Two metres along x in the first second, two along y in the two after it, and a jump of v²/2g.
    let end = world.motion(hero).unwrap().center;
    assert!((end - DVec3::new(-1.0, 2.0, 0.81)).length() < 0.06, "{end}");
    assert!((highest - 0.81 - 16.0 / (2.0 * 9.81)).abs() < 0.05, "{highest}");
    assert!(actors.running().all(sudar::dynamics::Character::is_grounded));
}
