//! What stands still in the level: floors, stairs, slopes, walls.

use sudar::dynamics::{Filter, RigidBody, World};
use sudar::hull::convex_hull;
use sudar::query::Body;
use sudar::{Cuboid, DVec3, Halfspace};

use crate::demo::DemoError;

/// Categories: what stands still or runs on rails, what is pushed, what senses, and what the camera looks past.
pub const SCENERY: u32 = 1;
pub const MOVER: u32 = 2;
pub const SENSOR: u32 = 4;
pub const CLEAR: u32 = 8;

/// Heights of the terrace, the gallery, the platform above it with the belt, and the landing, in metres.
pub const TERRACE: f64 = 1.6;
pub const GALLERY: f64 = 5.0;
pub const SHELF: f64 = 7.1;
pub const LANDING: f64 = 3.0;

/// Middle and width of the swing door and of the gap beside it, along x, in the wall of this y.
pub const DOOR: [f64; 2] = [-2.0, 1.3];
pub const GAP: [f64; 2] = [2.0, 0.56];
pub const WALL: f64 = 12.0;

/// Middle of the gate along x, its width and its height, in the wall of this y.
pub const GATE: [f64; 3] = [7.25, 2.0, 2.2];
pub const YARD: f64 = -6.0;

/// Where the beam is that the dolls hang from: y and z.
pub const BEAM: [f64; 2] = [15.0, 4.1];

/// Boxes that stand still: name, and their ranges along x, y and z.
const BLOCKS: [(&str, [[f64; 2]; 3]); 25] = [
    ("terrace", [[-6.0, 5.0], [6.8, 18.0], [0.0, TERRACE]]),
    // The wall with the doors.
    ("wall", [[-6.0, DOOR[0] - 0.5 * DOOR[1]], [WALL - 0.1, WALL + 0.1], [TERRACE, 4.4]]),
    ("wall", [[DOOR[0] + 0.5 * DOOR[1], GAP[0] - 0.5 * GAP[1]], [WALL - 0.1, WALL + 0.1], [TERRACE, 4.4]]),
    ("wall", [[GAP[0] + 0.5 * GAP[1], 5.0], [WALL - 0.1, WALL + 0.1], [TERRACE, 4.4]]),
    ("lintel", [[DOOR[0] - 0.5 * DOOR[1], DOOR[0] + 0.5 * DOOR[1]], [WALL - 0.1, WALL + 0.1], [3.9, 4.4]]),
    ("lintel", [[GAP[0] - 0.5 * GAP[1], GAP[0] + 0.5 * GAP[1]], [WALL - 0.1, WALL + 0.1], [3.9, 4.4]]),
    // The hall behind it.
    ("wall", [[-6.0, -5.8], [WALL, 18.2], [TERRACE, 4.4]]),
    ("wall", [[4.8, 5.0], [WALL, 18.0], [TERRACE, 4.4]]),
    ("wall", [[-6.0, -1.0], [18.0, 18.2], [TERRACE, 4.4]]),
    // The shaft of the lift.
    ("pit", [[-1.2, 1.0], [18.0, 20.8], [0.0, TERRACE - 0.2]]),
    ("wall", [[-1.2, -1.0], [18.2, 20.8], [TERRACE - 0.2, 6.0]]),
    ("wall", [[-1.2, 1.0], [20.6, 20.8], [TERRACE - 0.2, 6.0]]),
    ("gallery", [[1.0, 9.0], [18.0, 20.6], [0.0, GALLERY]]),
    ("wall", [[1.0, 9.2], [20.6, 20.8], [0.0, 6.0]]),
    ("wall", [[9.0, 9.2], [18.0, 20.6], [0.0, 6.0]]),
    ("pillar", [[7.1, 7.4], [15.0, 15.3], [0.0, SHELF - 0.3]]),
    ("pillar", [[7.1, 7.4], [9.5, 9.8], [0.0, SHELF - 0.3]]),
    ("landing", [[5.5, 9.0], [2.5, 8.0], [0.0, LANDING]]),
    // The yard of the goal.
    ("wall", [[3.75, GATE[0] - 0.5 * GATE[1]], [YARD - 0.1, YARD + 0.1], [0.0, 2.6]]),
    ("wall", [[GATE[0] + 0.5 * GATE[1], 10.75], [YARD - 0.1, YARD + 0.1], [0.0, 2.6]]),
    (
        "lintel",
        [[GATE[0] - 0.5 * GATE[1], GATE[0] + 0.5 * GATE[1]], [YARD - 0.1, YARD + 0.1], [GATE[2], 2.6]],
    ),
    ("wall", [[3.75, 3.95], [-11.0, YARD], [0.0, 2.6]]),
    ("wall", [[10.55, 10.75], [-11.0, YARD], [0.0, 2.6]]),
    ("wall", [[3.75, 10.75], [-11.2, -11.0], [0.0, 2.6]]),
    // A bench to jump on.
    ("bench", [[2.6, 4.2], [-2.2, -1.4], [0.0, 0.5]]),
];

/// Stairs: how many, their height, their depth, and where the first begins.
const STAIRS: (u32, f64, f64, f64) = (8, 0.2, 0.35, 4.0);

/// Slopes: name, range along x, the y of the foot and of the top, and the height.
const SLOPES: [(&str, [f64; 2], [f64; 2], f64); 3] = [
    ("slope", [-4.8, -2.2], [3.6, 6.8], TERRACE),
    ("steep slope", [2.2, 4.8], [5.8, 6.8], TERRACE),
    ("slope", [5.5, 9.0], [-3.0, 2.5], LANDING),
];

/// Adds all of it.
pub fn build(world: &mut World) -> Result<(), DemoError> {
    let ground = Halfspace::new(DVec3::Z, 0.0).map_err(DemoError::of)?;
    add(world, still(RigidBody::fixed("floor", ground)))?;
    for (name, ranges) in BLOCKS {
        add(world, still(block(name, ranges)?))?;
    }
    let (count, rise, run, from) = STAIRS;
    for k in 0..count {
        let (y, top) = (from + run * f64::from(k), rise * f64::from(k + 1));
        let end = from + run * f64::from(count);
        add(world, still(block("stairs", [[-1.6, 1.6], [y, end], [top - rise, top]])?))?;
    }
    for (name, across, along, height) in SLOPES {
        add(world, still(slope(name, across, along, height)?))?;
    }
    Ok(())
}

/// Adds a body.
pub fn add(world: &mut World, body: RigidBody) -> Result<sudar::dynamics::Handle, DemoError> {
    world.add(body).map_err(DemoError::of)
}

/// A box by its ranges along x, y and z.
pub fn block(name: &str, ranges: [[f64; 2]; 3]) -> Result<RigidBody, DemoError> {
    let half = DVec3::from_array(ranges.map(|[low, high]| 0.5 * (high - low)));
    let position = DVec3::from_array(ranges.map(|[low, high]| 0.5 * (low + high)));
    let shape = Cuboid::new(half).map_err(DemoError::of)?;
    Ok(RigidBody { position, ..RigidBody::fixed(name, shape) })
}

/// Part of the scenery.
pub fn still(body: RigidBody) -> RigidBody {
    RigidBody { filter: Filter::new(SCENERY, !0), friction: 0.7, ..body }
}

fn slope(
    name: &str,
    [left, right]: [f64; 2],
    [foot, top]: [f64; 2],
    height: f64,
) -> Result<RigidBody, DemoError> {
    let corners: Vec<DVec3> = [left, right]
        .into_iter()
        .flat_map(|x| [(foot, 0.0), (top, 0.0), (top, height)].map(|(y, z)| DVec3::new(x, y, z)))
        .collect();
    let hull = convex_hull(&corners).map_err(DemoError::of)?;
    Ok(RigidBody::fixed(name, Body::new(hull)))
}
