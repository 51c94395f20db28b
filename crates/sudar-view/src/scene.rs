//! What one frame shows.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DQuat, DVec3};
use sudar::many::{DebugColor, DebugDraw};
use sudar::{Aabb, Pose};

use super::camera::Camera;
use super::color::Color;
use super::figure::Figure;
use super::geometry::Geometry;
use super::lights::{Lamp, Sun};
use super::round::{BALL, CUBE};

/// Everything that one frame shows, filled anew for each.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Where it is seen from.
    pub camera: Camera,
    /// What is behind everything.
    pub background: Color,
    /// Light from far away.
    pub sun: Sun,
    /// Lights in the scene, at most eight.
    pub lamps: Vec<Lamp>,
    /// The distance in metres at which half of a colour is lost in the background; infinite: none.
    pub fog: f64,
    /// Texts, which whoever shows the picture writes over it: the renderer has no fonts.
    pub labels: Vec<Label>,
    pub(crate) batches: Vec<Batch>,
    /// The batch of each geometry, by its address, with a look: all of them live as long as the scene.
    places: HashMap<(usize, Look), usize>,
    pub(crate) lines: Vec<Line>,
    pub(crate) billboards: Vec<Billboard>,
}

/// A text at a place in the scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// Where.
    pub at: DVec3,
    /// What.
    pub text: String,
    /// Its colour.
    pub color: Color,
}

/// A picture that turns towards the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Billboard {
    /// Its middle.
    pub at: DVec3,
    /// Its half width, in metres; below 0: in pixels.
    pub size: f64,
    /// Its colour.
    pub color: Color,
    /// `None`: a disc. From 0 to 1: so much of an explosion has passed.
    pub age: Option<f64>,
}

/// Where an instance is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Its middle.
    pub at: DVec3,
    /// Its rotation, of length 1.
    pub rotation: DQuat,
    /// Its size along the axes of its frame.
    pub scale: DVec3,
}

/// How a surface looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Look {
    /// Lit, with a soft highlight.
    Plain,
    /// Lit, with lines every metre of the world.
    Grid,
    /// As bright everywhere, without shadows.
    Bright,
}

#[derive(Debug, Clone)]
pub(crate) struct Batch {
    pub geometry: Arc<Geometry>,
    pub look: Look,
    pub instances: Vec<Instance>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Instance {
    pub place: Placement,
    pub color: Color,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Line {
    pub from: DVec3,
    pub to: DVec3,
    pub color: Color,
    pub width: f32,
    pub on_top: bool,
}

impl Scene {
    /// An empty scene seen from there.
    pub fn new(camera: Camera) -> Self {
        Self {
            camera,
            background: Color::rgb(24, 28, 36),
            sun: Sun::default(),
            lamps: Vec::new(),
            fog: f64::INFINITY,
            labels: Vec::new(),
            batches: Vec::new(),
            places: HashMap::new(),
            lines: Vec::new(),
            billboards: Vec::new(),
        }
    }

    /// A shape at a pose.
    pub fn figure(&mut self, figure: &Figure, pose: &Pose, color: Color) {
        self.figure_with(figure, pose, color, Look::Plain);
    }

    /// As [`figure`](Self::figure), with a look of one's own.
    pub fn figure_with(&mut self, figure: &Figure, pose: &Pose, color: Color, look: Look) {
        let rotation = DQuat::from_mat3(&pose.rotation());
        for part in figure.parts.iter() {
            let at = pose.apply(part.at);
            let place = Placement { at, rotation: rotation * part.rotation, scale: part.scale };
            self.instance(&part.geometry, look, Instance { place, color });
        }
    }

    /// A box by its middle, rotation and half extents.
    pub fn cube(&mut self, place: Placement, color: Color, look: Look) {
        self.instance(&CUBE, look, Instance { place, color });
    }

    /// A box along the axes.
    pub fn aabb(&mut self, aabb: &Aabb, color: Color) {
        let place = Placement { at: aabb.center(), rotation: DQuat::IDENTITY, scale: 0.5 * aabb.extent() };
        self.cube(place, color, Look::Plain);
    }

    /// A ball.
    pub fn ball(&mut self, at: DVec3, radius: f64, color: Color) {
        let place = Placement { at, rotation: DQuat::IDENTITY, scale: DVec3::splat(radius) };
        self.instance(&BALL, Look::Plain, Instance { place, color });
    }

    /// A line of so many pixels' width.
    pub fn line(&mut self, from: DVec3, to: DVec3, color: Color, width: f32) {
        self.lines.push(Line { from, to, color, width, on_top: false });
    }

    /// The same, also where something is before it.
    pub fn line_on_top(&mut self, from: DVec3, to: DVec3, color: Color, width: f32) {
        self.lines.push(Line { from, to, color, width, on_top: true });
    }

    /// A line with a head at its end.
    pub fn arrow(&mut self, from: DVec3, to: DVec3, color: Color, width: f32) {
        self.line_on_top(from, to, color, width);
        let way = to - from;
        let aside = way.cross(self.camera.forward).normalize_or_zero() * 0.08 * way.length();
        for side in [aside, -aside] {
            self.line_on_top(to, to - 0.18 * way + side, color, width);
        }
    }

    /// The edges of a box along the axes.
    pub fn edges(&mut self, aabb: &Aabb, color: Color, width: f32) {
        let place = Placement { at: aabb.center(), rotation: DQuat::IDENTITY, scale: 0.5 * aabb.extent() };
        self.cube_edges(place, color, width);
    }

    /// The edges of a box.
    pub fn cube_edges(&mut self, Placement { at, rotation, scale }: Placement, color: Color, width: f32) {
        let corner = |i: usize| {
            let sign = DVec3::new(
                f64::from(i as u32 & 1),
                f64::from(i as u32 >> 1 & 1),
                f64::from(i as u32 >> 2 & 1),
            );
            at + rotation * ((sign * 2.0 - 1.0) * scale)
        };
        for i in 0..8_usize {
            for k in [1, 2, 4].into_iter().filter(|k| i & k == 0) {
                self.line(corner(i), corner(i | k), color, width);
            }
        }
    }

    /// The three great circles of a ball.
    pub fn circles(&mut self, at: DVec3, radius: f64, color: Color, width: f32) {
        const STEPS: u32 = 24;
        for (u, v) in [(DVec3::X, DVec3::Y), (DVec3::Y, DVec3::Z), (DVec3::Z, DVec3::X)] {
            let on = |i: u32| {
                let angle = std::f64::consts::TAU * f64::from(i) / f64::from(STEPS);
                at + (u * libm::cos(angle) + v * libm::sin(angle)) * radius
            };
            (0..STEPS).for_each(|i| self.line(on(i), on(i + 1), color, width));
        }
    }

    /// A picture that turns towards the camera.
    pub fn billboard(&mut self, billboard: Billboard) {
        self.billboards.push(billboard);
    }

    /// A disc of so many pixels' radius.
    pub fn dot(&mut self, at: DVec3, pixels: f64, color: Color) {
        self.billboards.push(Billboard { at, size: -pixels, color, age: None });
    }

    /// A text.
    pub fn label(&mut self, at: DVec3, text: impl Into<String>, color: Color) {
        self.labels.push(Label { at, text: text.into(), color });
    }

    /// How many solids there are.
    pub fn solids(&self) -> usize {
        self.batches.iter().map(|batch| batch.instances.len()).sum()
    }

    fn instance(&mut self, geometry: &Arc<Geometry>, look: Look, instance: Instance) {
        let next = self.batches.len();
        let place = *self.places.entry((Arc::as_ptr(geometry) as usize, look)).or_insert(next);
        if place == next {
            self.batches.push(Batch { geometry: geometry.clone(), look, instances: Vec::new() });
        }
        self.batches[place].instances.push(instance);
    }
}

/// Lines, dots and texts of the library's own drawing of a world or a manager.
impl DebugDraw for Scene {
    fn line(&mut self, from: DVec3, to: DVec3, color: DebugColor) {
        Self::line(self, from, to, meaning(color), 1.5);
    }

    fn point(&mut self, at: DVec3, color: DebugColor) {
        self.dot(at, 3.0, meaning(color));
    }

    fn text(&mut self, at: DVec3, text: &str, color: DebugColor) {
        self.label(at, text, meaning(color));
    }
}

fn meaning(color: DebugColor) -> Color {
    match color {
        DebugColor::Static => Color::STONE,
        DebugColor::Moving => Color::SKY,
        DebugColor::Asleep => Color::BLUE,
        DebugColor::Contact => Color::VERMILION,
        DebugColor::Velocity => Color::YELLOW,
        DebugColor::Joint => Color::PURPLE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_geometries_go_into_one_batch() {
        let mut scene = Scene::new(Camera::look_at(DVec3::NEG_Y, DVec3::ZERO));
        for i in 0..5 {
            scene.ball(DVec3::X * f64::from(i), 0.5, Color::BLUE);
            scene.aabb(&Aabb { min: DVec3::ZERO, max: DVec3::ONE }, Color::BLUE);
        }
        assert_eq!((scene.batches.len(), scene.solids()), (2, 10));
    }

    #[test]
    fn a_box_has_twelve_edges_of_its_lengths() {
        let mut scene = Scene::new(Camera::look_at(DVec3::NEG_Y, DVec3::ZERO));
        scene.edges(&Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, 2.0, 3.0) }, Color::BLUE, 1.0);
        let mut lengths: Vec<f64> = scene.lines.iter().map(|line| (line.to - line.from).length()).collect();
        lengths.sort_unstable_by(f64::total_cmp);
        assert_eq!(lengths, [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0]);
    }
}
