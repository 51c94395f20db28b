//! What a room of bodies looks like.

use sudar::{Aabb, DQuat, DVec3};
use sudar_view::{Color, Figure, Look, Placement, Scene};

use super::marks::Marks;
use super::room::Room;

const WALL: Color = Color::rgb(70, 77, 90);
const FLOOR: Color = Color::rgb(92, 98, 108);

/// Half the thickness of what is drawn of a wall, in metres.
const THIN: f64 = 0.05;

/// Metres that the normal of a contact is drawn long.
const NORMAL: f64 = 1.2;

/// Draws the room, its bodies and their contacts.
pub fn draw(scene: &mut Scene, room: &Room, figures: &[Figure], marks: &Marks) {
    let bounds = room.bounds();
    scene.sun.shadows = Some((bounds.center(), 0.5 * bounds.extent().length()));
    draw_room(scene, &bounds);
    for (i, ((_, pose), figure)) in room.bodies().into_iter().zip(figures).enumerate() {
        scene.figure(figure, &pose, Color::cycle(i));
    }
    for (mark, left) in marks.all() {
        scene.dot(mark.point, 2.0 + 5.0 * left, Color::VERMILION.faded(0.3 + 0.7 * left));
        let end = mark.point + mark.normal * (NORMAL * left);
        scene.line_on_top(mark.point, end, Color::YELLOW.faded(left), 3.0);
    }
}

/// The sides that one looks at from inside, but for those between the sun and the bodies.
fn draw_room(scene: &mut Scene, bounds: &Aabb) {
    scene.edges(bounds, Color::STONE, 1.5);
    let (middle, half) = (bounds.center(), 0.5 * bounds.extent());
    let (eye, sun) = (scene.camera.eye, scene.sun.toward);
    for out in DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]) {
        let at = middle + out * half;
        if (eye - at).dot(out) >= 0.0 || sun.dot(out) > 0.0 {
            continue;
        }
        let scale = (DVec3::ONE - out.abs()) * half + out.abs() * THIN;
        let place = Placement { at: at + out * THIN, rotation: DQuat::IDENTITY, scale };
        scene.cube(place, if out.z < 0.0 { FLOOR } else { WALL }, Look::Grid);
    }
}
