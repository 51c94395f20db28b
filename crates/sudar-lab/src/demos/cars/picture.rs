//! What the arena looks like.

use std::f64::consts::TAU;

use sudar::glam::DVec2;
use sudar::{Cylinder, DQuat, DVec3, Shape};
use sudar_scene::models::{CarPart, car_parts};
use sudar_view::{Billboard, Camera, Color, Figure, Look, Placement, Scene};

use super::arena::RADIUS;
use super::car::Car;
use super::game::Game;
use super::grid::{CELLS, SIDE, corner};
use super::referee::{CARS, Outcome, model};
use crate::demo::DemoError;

/// What the cars are called.
pub const NAMES: [&str; CARS] = ["you", "hunter", "dodger", "wanderer"];

/// Seconds that a hit is seen.
const FLASH: f64 = 0.6;

/// Boxes of the wall.
const WALL: u32 = 64;

/// The figures, the camera that follows, and what is left of hits.
#[derive(Debug, Default)]
pub struct Picture {
    cars: Vec<Vec<(CarPart, Figure)>>,
    floor: Option<Figure>,
    /// Where the chase camera looks, in radians.
    yaw: f64,
    eye: DVec3,
    /// Where hits were, and how long ago.
    flashes: Vec<(DVec3, f64)>,
}

/// The colour of a car.
pub fn color(car: usize) -> Color {
    [Color::YELLOW, Color::VERMILION, Color::SKY, Color::GREEN][car % CARS]
}

impl Picture {
    /// For a game that begins.
    pub fn new(game: &Game) -> Result<Self, DemoError> {
        let figures = |i: usize| -> Result<Vec<(CarPart, Figure)>, DemoError> {
            let parts = car_parts(model(i)).map_err(DemoError::of)?;
            Ok(parts.into_iter().map(|(part, mesh)| (part, Figure::new(&mesh.into()))).collect())
        };
        let floor: Shape = Cylinder::new(RADIUS, 0.05).map_err(DemoError::of)?.into();
        let mut made = Self {
            cars: (0..CARS).map(figures).collect::<Result<_, _>>()?,
            floor: Some(Figure::new(&floor)),
            yaw: game.cars[0].heading,
            ..Self::default()
        };
        made.eye = made.wanted(&game.cars[0]);
        Ok(made)
    }

    /// After a step.
    pub fn follow(&mut self, game: &Game, seconds: f64) {
        self.flashes.iter_mut().for_each(|(_, age)| *age += seconds);
        self.flashes.retain(|(_, age)| *age < FLASH);
        self.flashes.extend(game.struck().iter().map(|at| (*at, 0.0)));
        // As quick as needed to see where one drives, too slow to shake at hits.
        let car = &game.cars[0];
        self.yaw += (car.heading - self.yaw) * (1.0 - libm::exp(-4.0 * seconds));
        let wanted = self.wanted(car);
        self.eye += (wanted - self.eye) * (1.0 - libm::exp(-8.0 * seconds));
    }

    fn wanted(&self, car: &Car) -> DVec3 {
        car.center() + DVec3::new(-8.5 * libm::cos(self.yaw), -8.5 * libm::sin(self.yaw), 4.6)
    }

    /// The camera behind the car of the player, or above the arena.
    pub fn camera(&self, game: &Game, is_from_top: bool) -> Camera {
        let camera = if is_from_top {
            Camera::look_at(DVec3::new(0.0, -9.0, 54.0), DVec3::new(0.0, -1.0, 0.0))
        } else {
            let ahead = DVec3::new(libm::cos(self.yaw), libm::sin(self.yaw), 0.0);
            Camera::look_at(self.eye, game.cars[0].center() + ahead * 3.0 + DVec3::Z)
        };
        Camera { range: [0.1, 400.0], ..camera }
    }

    /// Draws all of it.
    pub fn draw(&self, game: &Game, scene: &mut Scene, camera: Camera, is_explained: bool) {
        scene.camera = camera;
        scene.sun.shadows = Some((DVec3::ZERO, RADIUS + 2.0));
        self.draw_arena(scene);
        for (i, car) in game.cars.iter().enumerate() {
            self.draw_car(scene, car, i);
            let name_at = car.center() + DVec3::Z * 2.1;
            scene.label(name_at, NAMES[i], color(i).mix(Color::WHITE, 0.3));
        }
        for (at, age) in &self.flashes {
            let age = age / FLASH;
            scene.billboard(Billboard {
                at: *at + DVec3::Z * 0.4,
                size: 1.4,
                color: Color::WHITE,
                age: Some(age),
            });
        }
        if is_explained {
            draw_grid(scene, game);
            draw_tests(scene, game);
        }
    }

    fn draw_arena(&self, scene: &mut Scene) {
        if let Some(floor) = &self.floor {
            let low = sudar::Pose::from_translation(DVec3::Z * -0.05).unwrap_or(sudar::Pose::IDENTITY);
            scene.figure_with(floor, &low, Color::rgb(104, 110, 122), Look::Grid);
        }
        let step = TAU / f64::from(WALL);
        for k in 0..WALL {
            let angle = step * f64::from(k);
            let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
            let rotation = DQuat::from_xyzw(0.0, 0.0, libm::sin(0.5 * angle), libm::cos(0.5 * angle));
            let at = DVec3::new(cosine, sine, 0.0) * (RADIUS + 0.25) + DVec3::Z * 0.45;
            let scale = DVec3::new(0.25, 0.5 * step * (RADIUS + 0.5), 0.45);
            let color = if k % 2 == 0 { Color::rgb(225, 228, 233) } else { Color::BLUE };
            scene.cube(Placement { at, rotation, scale }, color, Look::Plain);
        }
    }

    fn draw_car(&self, scene: &mut Scene, car: &Car, i: usize) {
        let pose = car.pose();
        for (part, figure) in self.cars.get(i).into_iter().flatten() {
            let color = match part {
                CarPart::Wheel => Color::rgb(40, 42, 48),
                CarPart::Body => color(i),
                CarPart::Cabin => color(i).mix(Color::BLACK, 0.45),
                CarPart::Slab => Color::rgb(205, 208, 214),
                CarPart::Flag => Color::WHITE,
            };
            scene.figure(figure, &pose, color);
        }
    }
}

/// The cells of the grid, and in the colour of each car the one that it is in.
fn draw_grid(scene: &mut Scene, game: &Game) {
    let at = |v: DVec2| v.extend(0.02);
    for k in 1..CELLS {
        let aside = SIDE * k as f64 - RADIUS;
        // The grid is a square, the floor is round.
        let far = (RADIUS * RADIUS - aside * aside).sqrt();
        for turned in [false, true] {
            let end = |far: f64| if turned { DVec2::new(far, aside) } else { DVec2::new(aside, far) };
            scene.line(at(end(-far)), at(end(far)), Color::WHITE.faded(0.5), 2.0);
        }
    }
    for i in 0..CARS {
        let Some(cell) = game.referee().grid().cell(i) else { continue };
        let middle = corner(cell) + DVec2::splat(0.5 * SIDE);
        let inset = 0.5 * SIDE - 0.35 - 0.25 * i as f64;
        let ring = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|c| (middle + DVec2::from(c) * inset).clamp_length_max(RADIUS - 0.4));
        for k in 0..4 {
            scene.line(at(ring[k]), at(ring[(k + 1) % 4]), color(i).faded(0.55), 2.0);
        }
    }
}

/// A line between cars that were tested, by what came of it.
fn draw_tests(scene: &mut Scene, game: &Game) {
    for turn in game.turns() {
        let [a, b] = turn.pair.map(|i| game.cars[i].center() + DVec3::Z * 0.25);
        match turn.outcome {
            Outcome::NotNeeded => {}
            Outcome::Apart => scene.line(a, b, Color::STONE.faded(0.8), 1.5),
            Outcome::Hit(point) => {
                scene.line_on_top(a, b, Color::WHITE, 3.0);
                scene.dot(point, 6.0, Color::WHITE);
            }
            Outcome::Assumed(point) => {
                scene.line_on_top(a, b, Color::PURPLE, 3.0);
                scene.dot(point, 6.0, Color::PURPLE);
                scene.label(point + DVec3::Z * 0.6, "assumed", Color::PURPLE.mix(Color::WHITE, 0.4));
            }
        }
    }
}
