//! What can be drawn over the objects: how the broad phase sees them.

use sudar::{Aabb, DQuat, DVec3};
use sudar_view::{Color, Placement, Scene};

/// More lines than this say nothing, and take long.
const MOST: usize = 6000;

/// The boxes that the broad phase sees.
pub fn boxes(scene: &mut Scene, boxes: &[Aabb]) {
    boxes.iter().take(MOST / 12).for_each(|aabb| scene.edges(aabb, Color::YELLOW.faded(0.8), 1.0));
}

/// Cells or nodes of one level; of grids, all.
pub fn cells(scene: &mut Scene, cells: &[(u32, Aabb)], level: u32, room: &Aabb) -> usize {
    let deepest = cells.iter().map(|(level, _)| *level).max().unwrap_or(0);
    let shown: Vec<&(u32, Aabb)> = cells.iter().filter(|(at, _)| *at == level.min(deepest)).collect();
    for (_, cell) in shown.iter().take(MOST / 12) {
        let part = Aabb { min: cell.min.max(room.min), max: cell.max.min(room.max) };
        if part.min.cmple(part.max).all() {
            scene.edges(&part, Color::GREEN, 1.5);
        }
    }
    shown.len()
}

/// A line between the middles of boxes that overlap.
pub fn pairs(scene: &mut Scene, pairs: impl Iterator<Item = [DVec3; 2]>) {
    pairs.take(MOST).for_each(|[a, b]| scene.line_on_top(a, b, Color::VERMILION, 2.0));
}

/// Where boxes begin (below) and end (above) along the first axis, on a rule at the front edge of the floor: what
/// sweep and prune keeps sorted.
pub fn ends(scene: &mut Scene, boxes: &[Aabb], room: &Aabb) {
    let rule = DVec3::new(0.0, room.min.y, room.min.z);
    let tick = 0.02 * (room.max.x - room.min.x);
    scene.line_on_top(rule + DVec3::X * room.min.x, rule + DVec3::X * room.max.x, Color::WHITE, 2.0);
    for aabb in boxes.iter().take(MOST / 2) {
        for (x, way, color) in [(aabb.min.x, -1.0, Color::SKY), (aabb.max.x, 1.0, Color::ORANGE)] {
            let at = rule + DVec3::X * x;
            scene.line_on_top(at, at + DVec3::Z * way * tick, color, 1.5);
        }
    }
}

/// The room: its floor with a line every metre, and its edges.
pub fn room(scene: &mut Scene, room: &Aabb) {
    let half = 0.5 * room.extent();
    let place = Placement {
        at: DVec3::new(0.0, 0.0, room.min.z - 0.01 * half.z),
        rotation: DQuat::IDENTITY,
        scale: DVec3::new(half.x, half.y, 0.01 * half.z),
    };
    scene.cube(place, Color::rgb(88, 94, 104), sudar_view::Look::Grid);
    scene.edges(room, Color::STONE, 1.5);
}
