//! Everything that can be chosen in the explorer (Dimitrijević 2019, section 4.2, "controller").

use sudar_classic::ALL_BROAD_PHASES;
use sudar_classic::broad::Tuning;

use crate::options::{Visit, field};

/// No broad phase: what motion and drawing cost alone.
pub const NONE: &str = "none";

/// What happens to bodies that overlap.
pub const RESOLUTIONS: [&str; 4] = ["off", "springs", "translation", "solver"];

/// What the objects are.
pub const SHAPES: [&str; 8] =
    ["boxes", "turned-boxes", "balls", "capsules", "cylinders", "cones", "icosahedra", "mixed"];

/// How long a step is.
pub const TIMES: [&str; 2] = ["fixed", "measured"];

/// The names of all broad phases and [`NONE`].
pub const ALGORITHMS: [&str; 17] = {
    let mut names = [NONE; 17];
    let mut i = 0;
    while i < ALL_BROAD_PHASES.len() {
        names[i] = ALL_BROAD_PHASES[i];
        i += 1;
    }
    names
};

/// More objects than this are too many for the algorithm: a step would take seconds, or gigabytes.
pub fn most(algorithm: &str) -> u32 {
    match algorithm {
        "brute" => 100_000,
        "intervals" => 50_000,
        "sap" | "axis" => 200_000,
        "quadtree" | "grid2d" | "octree" | "octree-dup" | "kd" | "bsp" => 300_000,
        _ => 1_000_000,
    }
}

/// A world of rigid bodies takes no more.
pub const MOST_BODIES: u32 = 20_000;

/// What was chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub objects: u32,
    /// Edge of a box, in m.
    pub size: f64,
    /// How much larger or smaller than that, as a part of it.
    pub spread: f64,
    /// In m/s.
    pub speed: f64,
    /// Width in m; 0: as wide as the objects need.
    pub container: f64,
    pub shapes: &'static str,
    pub seed: u32,
    pub algorithm: &'static str,
    pub leaf_size: u32,
    pub depth: u32,
    pub resolution: &'static str,
    pub time_step: &'static str,
    pub drawing: bool,
    pub lamps: u32,
    pub boxes: bool,
    pub cells: bool,
    pub level: u32,
    pub pairs: bool,
    pub ends: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            objects: 1000,
            size: 1.0,
            spread: 0.3,
            speed: 3.0,
            container: 0.0,
            shapes: "boxes",
            seed: 1,
            algorithm: "auto",
            leaf_size: 32,
            depth: 10,
            resolution: "translation",
            time_step: "fixed",
            drawing: true,
            lamps: 0,
            boxes: false,
            cells: false,
            level: 3,
            pairs: false,
            ends: false,
        }
    }
}

impl Settings {
    pub fn visit(&mut self, visit: &mut dyn Visit) {
        visit.heading("Objects");
        visit.count(field("objects", "Number of objects"), &mut self.objects, 0..=1_000_000);
        visit.number(field("size", "Edge of an object, in m"), &mut self.size, 0.05..=20.0);
        visit.number(field("spread", "Differences of size, as a part of it"), &mut self.spread, 0.0..=0.9);
        visit.number(field("speed", "Speed at the start, in m/s"), &mut self.speed, 0.0..=100.0);
        let wide = field("container", "Width of the container in m; 0: so wide that a 25th is filled");
        visit.number(wide, &mut self.container, 0.0..=2000.0);
        if self.container == 0.0 {
            visit.remark(format!("container 0: as wide as the objects need, {:.1} m", self.width()));
        }
        visit.choice(field("shapes", "What the objects are"), &mut self.shapes, &SHAPES);
        visit.count(field("seed", "Number of the random beginning"), &mut self.seed, 0..=9999);
        visit.heading("Collisions");
        visit.choice(field("algorithm", "Broad phase"), &mut self.algorithm, &ALGORITHMS);
        visit.count(field("leaf-size", "Octrees: most objects in a leaf"), &mut self.leaf_size, 1..=512);
        visit.count(field("depth", "Octrees: deepest level"), &mut self.depth, 1..=21);
        visit.choice(field("resolution", "What objects that overlap do"), &mut self.resolution, &RESOLUTIONS);
        let times =
            field("time-step", "A sixtieth, or as long as the last step took: then slowness feeds back");
        visit.choice(times, &mut self.time_step, &TIMES);
        visit.heading("Picture");
        visit.switch(field("drawing", "Draw the objects"), &mut self.drawing);
        visit.count(field("lamps", "Lamps on the blocks"), &mut self.lamps, 0..=8);
        visit.switch(field("boxes", "Draw the boxes that the broad phase sees"), &mut self.boxes);
        visit.switch(field("cells", "Draw the cells or nodes of the broad phase"), &mut self.cells);
        visit.count(field("level", "Level of the nodes that are drawn"), &mut self.level, 0..=21);
        visit.switch(
            field("pairs", "Draw a line between objects of which the boxes overlap"),
            &mut self.pairs,
        );
        visit.switch(field("ends", "Draw where boxes begin and end on the first axis"), &mut self.ends);
    }

    /// Parameters of octrees.
    pub fn tuning(&self) -> Tuning {
        Tuning { leaf_size: self.leaf_size as usize, depth: self.depth, spares_copies: false }
    }

    /// Whether boxes along the axes suffice: they are many times quicker than bodies.
    pub fn is_of_boxes(&self) -> bool {
        self.shapes == "boxes" && self.resolution != "solver"
    }

    /// How many objects there are at most, with these choices.
    pub fn most(&self) -> u32 {
        let by_kind = if self.is_of_boxes() { u32::MAX } else { MOST_BODIES };
        most(self.algorithm).min(by_kind)
    }

    /// How many objects there are.
    pub fn count(&self) -> u32 {
        self.objects.min(self.most())
    }

    /// The width of the container, in m.
    pub fn width(&self) -> f64 {
        let filled = f64::from(self.count()) * self.size.powi(3);
        if self.container > 0.0 {
            self.container.max(2.0 * self.size)
        } else {
            libm::cbrt(25.0 * filled).max(12.0 * self.size)
        }
    }

    /// Whether the objects must be made anew after a change.
    pub fn differs_in_objects(&self, other: &Self) -> bool {
        let key = |s: &Self| {
            let numbers =
                [f64::from(s.count()), s.spread, f64::from(s.seed), f64::from(u8::from(s.is_of_boxes()))];
            (numbers, s.shapes)
        };
        key(self) != key(other)
    }

    /// Whether another broad phase is needed.
    pub fn differs_in_algorithm(&self, other: &Self) -> bool {
        let key = |s: &Self| (s.algorithm, s.leaf_size, s.depth);
        key(self) != key(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_broad_phases_are_there_and_none() {
        assert!(ALL_BROAD_PHASES.iter().all(|name| ALGORITHMS.contains(name)));
        assert_eq!(ALGORITHMS[16], NONE);
    }

    #[test]
    fn of_the_container_a_25th_is_full_or_it_is_as_wide_as_was_said() {
        let settings = Settings { objects: 100_000, spread: 0.0, ..Settings::default() };
        assert!((settings.width().powi(3) / 25.0 - 100_000.0).abs() < 1.0);
        assert_eq!(Settings { container: 30.0, ..settings }.width(), 30.0);
    }

    #[test]
    fn slow_algorithms_take_fewer_objects() {
        let settings = Settings { objects: 1_000_000, algorithm: "brute", ..Settings::default() };
        assert_eq!(settings.count(), 100_000);
        assert_eq!(Settings { resolution: "solver", ..settings }.count(), MOST_BODIES);
    }
}
