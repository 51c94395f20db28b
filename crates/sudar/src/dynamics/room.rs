//! A closed room, which nothing leaves whatever happens.

use glam::DVec3;

use super::matter::Rigid;

/// How far bodies may be in walls.
#[derive(Debug, Clone, Copy)]
pub enum Depth {
    /// A fraction of their thickness: contacts push them out.
    Little,
    /// Most of their thickness: springs yield.
    Most,
}

/// Puts back what is deeper in a wall. It no longer moves into the wall; of springs it comes back as fast as it went.
pub fn keep_inside(rigids: &mut [Rigid], depth: Depth) {
    let walls: Vec<(DVec3, f64)> =
        rigids.iter().filter(|rigid| rigid.is_wall).filter_map(Rigid::plane).collect();
    for rigid in rigids.iter_mut().filter(|rigid| rigid.is_dynamic() && !rigid.asleep && !walls.is_empty()) {
        for &(normal, offset) in &walls {
            let slack = match depth {
                Depth::Little => (0.25 * rigid.thin).min(0.1 * rigid.radius),
                Depth::Most => 0.8 * rigid.thin,
            };
            if normal.dot(rigid.motion.center) - rigid.radius < offset - slack {
                put_back(rigid, normal, offset - slack, depth);
            }
        }
    }
}

fn put_back(rigid: &mut Rigid, normal: DVec3, offset: f64, depth: Depth) {
    // Walls are along the axes, so the box of the body says exactly how far it reaches.
    let own = rigid.given.body.aabb(&rigid.pose());
    let lowest = normal.dot(own.center()) - normal.abs().dot(own.extent() * 0.5);
    if lowest >= offset {
        return;
    }
    rigid.motion.center += normal * (offset - lowest);
    let speed = normal.dot(rigid.motion.velocity).min(0.0);
    let share = match depth {
        Depth::Little => 1.0,
        Depth::Most => 2.0,
    };
    rigid.motion.velocity -= normal * (speed * share);
}
