//! The same boxes under several algorithms, side by side.

use sudar::broad::Mobility;
use sudar::dynamics::BodyState;
use sudar::{Aabb, DQuat, DVec3, Ray};
use sudar_scene::Container;
use sudar_view::{Color, Look, Placement, Scene};

use crate::clock::Clock;
use crate::demos::hand::Holdable;
use crate::demos::random::Random;

/// Width of each container, in m.
const WIDTH: f64 = 12.0;

/// Metres between containers.
const GAP: f64 = 3.0;

/// An algorithm at work on its copy of the boxes.
struct Stage {
    name: &'static str,
    phase: Box<dyn sudar::broad::BroadPhase>,
    handles: Vec<sudar::broad::Handle>,
    seconds: f64,
}

/// One crowd, and some algorithms that follow it.
pub struct Side {
    container: Container,
    stages: Vec<Stage>,
}

impl Side {
    /// So many cubes of a metre with a speed, followed by each algorithm of that name.
    pub fn new(names: &[&'static str], count: u32, speed: f64) -> Result<Self, String> {
        let mut random = Random::new(7);
        let mut container = Container::new(WIDTH);
        for _ in 0..count {
            let half = DVec3::splat(0.5) * random.between(0.5, 1.0);
            container.add(random.within(DVec3::splat(0.5 * WIDTH) - half), half, random.direction() * speed);
        }
        let boxes = container.boxes();
        let begin = |name: &&'static str| -> Result<Stage, String> {
            let mut phase = sudar_classic::broad_phase(name).map_err(|error| error.to_string())?;
            let insert = |aabb: &Aabb| phase.insert(*aabb, Mobility::Moving);
            let handles: Result<Vec<_>, _> = boxes.iter().map(insert).collect();
            phase.step();
            Ok(Stage { name, handles: handles.map_err(|error| error.to_string())?, phase, seconds: 0.0 })
        };
        Ok(Self { stages: names.iter().map(begin).collect::<Result<_, _>>()?, container })
    }

    /// Changes the speed by a factor.
    pub fn hasten(&mut self, factor: f64) {
        self.container.scale(1.0, factor);
    }

    /// Moves on; all algorithms find the same pairs.
    pub fn step(&mut self, seconds: f64, clock: Clock) {
        self.container.advance(seconds);
        let boxes = self.container.boxes();
        for stage in &mut self.stages {
            let ((), taken) = clock.timed(|| {
                // Boxes of finite numbers are never refused.
                let _ = stage.phase.update_all(&stage.handles, &boxes);
                stage.phase.step();
            });
            stage.seconds = 0.9 * stage.seconds + 0.1 * taken;
        }
        if let Some(stage) = self.stages.first() {
            self.container.part(stage.phase.pairs());
        }
    }

    /// Whether all algorithms list the same pairs.
    pub fn agree(&self) -> bool {
        self.stages.windows(2).all(|two| two[0].phase.pairs() == two[1].phase.pairs())
    }

    /// Containers beside each other: so many that the picture is filled best.
    fn columns(&self, aspect: f64) -> usize {
        let count = self.stages.len().max(1);
        let side = |columns: usize| {
            let rows = count.div_ceil(columns);
            (aspect / columns as f64).min(1.0 / rows as f64)
        };
        (1..=count).max_by(|a, b| side(*a).total_cmp(&side(*b))).unwrap_or(1)
    }

    /// The middle of a container.
    fn place(&self, k: usize, aspect: f64) -> DVec3 {
        let columns = self.columns(aspect);
        let middle = |count: usize, k: usize| (k as f64 - 0.5 * (count as f64 - 1.0)) * (WIDTH + GAP);
        let rows = self.stages.len().div_ceil(columns);
        DVec3::new(middle(columns, k % columns), 0.0, -middle(rows, k / columns))
    }

    /// How far one must go back to see all containers in a picture of that aspect; `tangent`: of half its height.
    pub fn distance(&self, aspect: f64, tangent: f64) -> f64 {
        let columns = self.columns(aspect);
        let rows = self.stages.len().div_ceil(columns);
        let [across, high] = [columns, rows].map(|count| 0.5 * (count as f64 * (WIDTH + GAP) + GAP));
        // The front of the containers is nearer than their middle.
        0.5 * WIDTH + (across / aspect).max(high) / tangent
    }

    pub fn draw(&self, scene: &mut Scene, level: u32, aspect: f64) {
        let (mut is_hit, first) = (vec![false; self.container.len()], self.stages.first());
        for i in first.iter().flat_map(|stage| stage.phase.pairs()).flatten() {
            is_hit[*i as usize] = true;
        }
        for (k, stage) in self.stages.iter().enumerate() {
            let aside = self.place(k, aspect);
            let room =
                Aabb { min: aside - DVec3::splat(0.5 * WIDTH), max: aside + DVec3::splat(0.5 * WIDTH) };
            scene.edges(&room, Color::STONE, 1.5);
            let all = self.container.centers().iter().zip(self.container.halves()).zip(&is_hit);
            for ((at, half), hit) in all {
                let place = Placement { at: aside + *at, rotation: DQuat::IDENTITY, scale: *half };
                scene.cube(place, if *hit { Color::VERMILION } else { Color::SKY }, Look::Plain);
            }
            let cells: Vec<(u32, Aabb)> =
                stage.phase.cells().into_iter().map(|(l, cell)| (l, moved(cell, aside))).collect();
            crate::demos::overlay::cells(scene, &cells, level, &room);
            scene.label(room.min.with_z(room.max.z + 0.02 * WIDTH), stage.title(), Color::WHITE);
        }
    }

    /// A line for each algorithm: name, time, counters.
    pub fn lines(&self) -> Vec<String> {
        self.stages.iter().map(Stage::line).collect()
    }

    /// Milliseconds of each.
    pub fn times(&self) -> Vec<f64> {
        self.stages.iter().map(|stage| stage.seconds * 1e3).collect()
    }
}

/// The boxes of every container, each of which is the same box in another place.
pub struct Places<'s> {
    pub side: &'s mut Side,
    pub aspect: f64,
}

impl Holdable for Places<'_> {
    /// The container, and the box in it.
    type Id = (usize, usize);

    fn first(&self, ray: &Ray) -> Option<(Self::Id, DVec3)> {
        let side = &self.side;
        let hit = |k: usize| {
            let aside = side.place(k, self.aspect);
            let ray = Ray::new(ray.origin - aside, ray.direction).ok()?;
            let (i, point) = side.container.first(&ray)?;
            Some(((k, i), point + aside))
        };
        let hits = (0..side.stages.len()).filter_map(hit);
        hits.min_by(|a, b| ray.origin.distance(a.1).total_cmp(&ray.origin.distance(b.1)))
    }

    fn motion(&self, (k, i): Self::Id) -> Option<(BodyState, f64)> {
        let (motion, mass) = self.side.container.motion(i)?;
        Some((BodyState { center: motion.center + self.side.place(k, self.aspect), ..motion }, mass))
    }

    fn nudge(&mut self, (_, i): Self::Id, impulse: DVec3, point: DVec3) {
        self.side.container.nudge(i, impulse, point);
    }
}

fn moved(cell: Aabb, by: DVec3) -> Aabb {
    Aabb { min: cell.min + by, max: cell.max + by }
}

impl Stage {
    fn title(&self) -> String {
        let counters = self.phase.counters();
        format!("{}, {} operations", self.name, counters.operations())
    }

    fn line(&self) -> String {
        let (counters, pairs) = (self.phase.counters(), self.phase.pairs().len());
        // Without a clock nothing is measured.
        let time = if self.seconds > 0.0 { format!("{:7.3} ms", self.seconds * 1e3) } else { String::new() };
        format!(
            "{:10} {time} {pairs:4} pairs {:7} tests {:6} visits {:6} swaps {:4} kB",
            self.name,
            counters.tests,
            counters.visits,
            counters.swaps,
            self.phase.memory() / 1000
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_algorithms_side_by_side_agree_for_a_minute() {
        let mut side = Side::new(&sudar_classic::ALL_BROAD_PHASES, 60, 6.0).unwrap();
        for step in 0..3600 {
            side.step(1.0 / 60.0, Clock::default());
            assert!(side.agree(), "{step}");
        }
    }
}
