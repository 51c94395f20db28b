//! The parts of the gearbox as they are shown, and which of them the pointer is on.

use std::collections::HashMap;

use sudar::query::{Body, ray};
use sudar::{DVec3, Pose, Ray};
use sudar_clash::Assembly;
use sudar_view::{Color, Figure};

use crate::demo::DemoError;

/// How a part is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    #[default]
    Whole,
    /// Seen through; the pointer goes through it too.
    Clear,
    Hidden,
}

/// The parts of an assembly, in its order.
#[derive(Debug)]
pub struct Parts {
    pub assembly: Assembly,
    figures: Vec<Figure>,
    pub views: Vec<View>,
}

impl Parts {
    /// Of an assembly; parts that share a mesh share a figure.
    pub fn new(assembly: Assembly) -> Self {
        let mut known: HashMap<usize, Figure> = HashMap::new();
        let figure = |body: &Body| {
            let key = body.mesh().map_or(0, |mesh| std::sync::Arc::as_ptr(mesh) as usize);
            known.entry(key).or_insert_with(|| Figure::new(body.shape())).clone()
        };
        let figures = assembly.parts.iter().map(|part| &part.body).map(figure).collect();
        Self { figures, views: vec![View::Whole; assembly.parts.len()], assembly }
    }

    /// Whether a part is hidden.
    pub fn is_any_hidden(&self) -> bool {
        self.views.contains(&View::Hidden)
    }

    /// The name of a part.
    pub fn name(&self, part: usize) -> &str {
        self.assembly.parts.get(part).map_or("", |part| part.name.as_str())
    }

    pub fn figure(&self, part: usize) -> &Figure {
        &self.figures[part]
    }

    /// Where a part is shown: along the axis the parts may be drawn apart, by 0 to 1.
    pub fn pose(&self, part: usize, apart: f64) -> Pose {
        let part = &self.assembly.parts[part];
        let aabb = part.body.aabb(&part.pose);
        let away = DVec3::Z * (apart * 2.2 * (aabb.center().z - MIDDLE));
        let at = part.pose.translation() + away;
        Pose::from_matrix(part.pose.rotation(), at).unwrap_or(part.pose)
    }

    /// The part that a ray meets first, of those that are shown whole.
    ///
    /// # Errors
    /// [`DemoError`] if the ray has no direction.
    pub fn pick(&self, origin: DVec3, direction: DVec3, apart: f64) -> Result<Option<usize>, DemoError> {
        let sight = Ray::new(origin, direction).map_err(DemoError::of)?;
        let mut first: Option<(f64, usize)> = None;
        for part in (0..self.views.len()).filter(|part| self.views[*part] == View::Whole) {
            let pose = self.pose(part, apart);
            let most = first.map_or(f64::INFINITY, |(t, _)| t);
            if let Some(hit) = ray(self.assembly.parts[part].body.at(&pose), &sight, most) {
                first = Some((hit.t, part));
            }
        }
        Ok(first.map(|(_, part)| part))
    }
}

/// The middle of the gearbox along its axis, in mm.
pub const MIDDLE: f64 = 30.0;

/// The colours of parts by what they are, and their names: parts that work together differ.
pub const LEGEND: [(Color, &str); 9] = [
    (Color::rgb(150, 158, 170), "housing"),
    (Color::BLUE, "ring gear"),
    (Color::YELLOW, "sun gear"),
    (Color::ORANGE, "planets"),
    (Color::rgb(196, 160, 96), "bushes and thrust washers"),
    (Color::rgb(205, 210, 218), "pins"),
    (Color::GREEN, "carrier"),
    (Color::PURPLE, "input and output shafts"),
    (Color::SKY, "bearings"),
];

/// The colour of a part by the first word of its name.
pub fn color(name: &str) -> Color {
    let first = name.split(' ').next().unwrap_or_default();
    let known = LEGEND.iter().find(|(_, says)| says.split(' ').any(|word| word.starts_with(first)));
    known.map_or(Color::rgb(112, 118, 130), |(color, _)| *color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_work_together_differ_in_colour() {
        let of = |name| color(name);
        assert_eq!(
            (of("planet 3"), of("bush 1"), of("thrust washer 2")),
            (Color::ORANGE, LEGEND[4].0, LEGEND[4].0)
        );
        assert_eq!(
            (of("input shaft"), of("output shaft"), of("ring gear")),
            (Color::PURPLE, Color::PURPLE, Color::BLUE)
        );
        assert!(LEGEND.iter().all(|(other, _)| *other != of("bolt 1")));
    }

    #[test]
    fn the_pointer_finds_the_first_part_that_is_whole() {
        let mut parts = Parts::new(sudar_clash::gearbox::gearbox().unwrap());
        let from = DVec3::new(200.0, 3.0, 10.0);
        let first = parts.pick(from, DVec3::NEG_X, 0.0).unwrap().unwrap();
        assert_eq!(parts.name(first), "housing front");
        for view in [View::Clear, View::Hidden] {
            parts.views[first] = view;
            let next = parts.pick(from, DVec3::NEG_X, 0.0).unwrap().unwrap();
            assert!(next != first, "{}", parts.name(next));
        }
        assert_eq!(parts.pick(from, DVec3::X, 0.0).unwrap(), None);
        assert!(parts.pick(from, DVec3::ZERO, 0.0).is_err());
    }

    #[test]
    fn drawn_apart_the_parts_keep_their_order_along_the_axis() {
        let parts = Parts::new(sudar_clash::gearbox::gearbox().unwrap());
        let middle = |part: usize, apart: f64| {
            parts.assembly.parts[part].body.aabb(&parts.pose(part, apart)).center().z
        };
        for part in 0..parts.views.len() {
            let [home, away] = [0.0, 1.0].map(|apart| middle(part, apart));
            assert!((away - MIDDLE - 3.2 * (home - MIDDLE)).abs() < 1e-9);
        }
    }
}
