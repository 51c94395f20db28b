//! Box–Cubes, Box–Objects and Box–Fighter (Maštera 2007): bodies that collide in a closed room.

use egui::Key;
use sudar::DVec3;
use sudar::dynamics::World;
use sudar_scene::{Scene as Setup, box_cubes};
use sudar_view::{Color, Figure, Orbit, Scene};

use crate::demo::{Demo, DemoError, Entry};
use crate::input::Input;
use crate::options::Visit;

pub const CUBES: Entry = Entry {
    name: "box-cubes",
    title: "Box – Cubes",
    about: "Boxes fly about in a closed room and strike each other and its walls.",
    source: "M. Maštera 2007, chapter 7",
    make: || Box::new(Boxes::new()),
    picture_at: 1.5,
};

struct Boxes {
    world: Option<World>,
    figures: Vec<Figure>,
    orbit: Orbit,
}

impl Boxes {
    fn new() -> Self {
        Self { world: None, figures: Vec::new(), orbit: Orbit::new(DVec3::ZERO, 18.0) }
    }
}

impl Demo for Boxes {
    fn begin(&mut self) -> Result<(), DemoError> {
        let setup: Setup = box_cubes().map_err(DemoError::of)?;
        let world = setup.world().map_err(DemoError::of)?;
        self.figures = world.bodies().map(|(_, body)| Figure::new(body.body.shape())).collect();
        self.world = Some(world);
        Ok(())
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        self.orbit.turn(-0.01 * f64::from(input.pointer.drag.x), 0.01 * f64::from(input.pointer.drag.y));
        self.orbit.zoom(input.pointer.zoom);
        if let Some(world) = self.world.as_mut().filter(|_| seconds > 0.0 && !input.is_held(Key::Space)) {
            let _ = world.step(seconds);
        }
    }

    fn draw(&mut self, scene: &mut Scene) {
        scene.camera = self.orbit.camera();
        scene.sun.shadows = Some((DVec3::ZERO, 9.0));
        let Some(world) = &self.world else { return };
        let room = sudar::Aabb { min: DVec3::splat(-5.0), max: DVec3::splat(5.0) };
        scene.edges(&room, Color::STONE, 1.5);
        let floor = sudar_view::Placement {
            at: DVec3::Z * -5.05,
            rotation: sudar::DQuat::IDENTITY,
            scale: DVec3::new(5.0, 5.0, 0.05),
        };
        scene.cube(floor, Color::rgb(92, 98, 108), sudar_view::Look::Grid);
        for (i, ((id, _), figure)) in world.bodies().zip(&self.figures).enumerate() {
            if let Ok(pose) = world.pose(id) {
                scene.figure(figure, &pose, Color::cycle(i));
            }
        }
    }

    fn options(&mut self, _visit: &mut dyn Visit) {}

    fn keys(&self) -> Vec<[&'static str; 2]> {
        vec![["drag", "Turn the view"]]
    }
}
