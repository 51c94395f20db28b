//! Boxes along the axes in a container, and a broad phase that follows them.

use sudar::broad::{BroadError, BroadPhase, Counters, Handle, Mobility};
use sudar::{Aabb, DVec3};
use sudar_classic::broad::broad_phase_with;
use sudar_scene::Container;

use super::settings::{NONE, Settings};
use super::work::Work;
use crate::clock::Clock;
use crate::demos::random::Random;

/// Acceleration by overlap of springs, in 1/s²: a box of a metre at 3 m/s goes in by a fifth.
const STIFFNESS: f64 = 200.0;

/// The boxes.
pub struct Crowd {
    pub container: Container,
    blocks: Vec<Aabb>,
    phase: Option<Box<dyn BroadPhase>>,
    handles: Vec<Handle>,
    boxes: Vec<Aabb>,
}

impl Crowd {
    /// Boxes anywhere between the blocks, on their ways in any direction.
    pub fn new(settings: &Settings, blocks: &[Aabb]) -> Self {
        let mut random = Random::new(settings.seed);
        let width = settings.width();
        let mut container = Container::new(width);
        for _ in 0..settings.count() {
            let half = DVec3::from_array(
                [0; 3].map(|_| 0.5 * settings.size * (1.0 + settings.spread * random.between(-1.0, 1.0))),
            );
            let most = (DVec3::splat(0.5 * width) - half).max(DVec3::ZERO);
            let center = free_place(&mut random, most, half, blocks);
            container.add(center, half, random.direction() * settings.speed);
        }
        let boxes = container.boxes();
        Self { container, blocks: blocks.to_vec(), phase: None, handles: Vec::new(), boxes }
    }

    /// Lets another broad phase follow the boxes; the old one goes before, for its memory.
    pub fn follow(&mut self, settings: &Settings) -> Result<(), String> {
        (self.phase, self.handles) = (None, Vec::new());
        if settings.algorithm == NONE {
            return Ok(());
        }
        let mut phase = broad_phase_with(settings.algorithm, settings.tuning()).map_err(|e| e.to_string())?;
        let insert = |phase: &mut Box<dyn BroadPhase>| {
            for block in &self.blocks {
                phase.insert(*block, Mobility::Static)?;
            }
            self.boxes.iter().map(|aabb| phase.insert(*aabb, Mobility::Moving)).collect()
        };
        let handles: Result<Vec<Handle>, BroadError> = insert(&mut phase);
        self.handles = handles.map_err(|error| error.to_string())?;
        self.phase = Some(phase);
        Ok(())
    }

    /// Moves on, finds the pairs, and lets those that overlap answer.
    pub fn step(&mut self, resolution: &str, seconds: f64, clock: Clock) -> Work {
        let ((), motion) = clock.timed(|| {
            self.container.advance(seconds);
            self.boxes = self.container.boxes();
        });
        let ((), broad) = clock.timed(|| self.find());
        let ((), response) = clock.timed(|| self.answer(resolution, seconds));
        Work {
            pairs: self.pairs().len(),
            counters: self.phase.as_ref().map_or(Counters::default(), |phase| phase.counters()),
            bytes: self.phase.as_ref().map_or(0, |phase| phase.memory()),
            phases: [broad, 0.0, motion + response],
        }
    }

    fn find(&mut self) {
        if let Some(phase) = &mut self.phase {
            // Boxes of finite numbers are never refused.
            if phase.update_all(&self.handles, &self.boxes).is_ok() {
                phase.step();
            }
        }
    }

    fn answer(&mut self, resolution: &str, seconds: f64) {
        let Some(phase) = &self.phase else { return };
        let first = self.blocks.len() as u32;
        let (fixed, mut moving): (Vec<[u32; 2]>, Vec<[u32; 2]>) =
            phase.pairs().iter().filter(|[_, j]| *j >= first).partition(|[i, _]| *i < first);
        for [block, i] in fixed {
            self.container.bounce((i - first) as usize, &self.blocks[block as usize]);
        }
        moving.iter_mut().for_each(|pair| *pair = pair.map(|i| i - first));
        match resolution {
            "springs" => self.container.spring(&moving, STIFFNESS, seconds),
            "translation" => self.container.part(&moving),
            _ => {}
        }
    }

    /// Pairs of which the boxes overlap; blocks come first.
    pub fn pairs(&self) -> &[[u32; 2]] {
        self.phase.as_ref().map_or(&[], |phase| phase.pairs())
    }

    pub fn phase(&self) -> Option<&dyn BroadPhase> {
        self.phase.as_deref()
    }

    /// The boxes as the broad phase sees them, without blocks.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// The number of blocks, which come first in pairs.
    pub fn first(&self) -> u32 {
        self.blocks.len() as u32
    }
}

/// A place where a box is in no block, after a few tries.
fn free_place(random: &mut Random, most: DVec3, half: DVec3, blocks: &[Aabb]) -> DVec3 {
    const TRIES: u32 = 16;
    let mut place = random.within(most);
    for _ in 0..TRIES {
        let is_free =
            |block: &Aabb| ((place - block.center()).abs().cmpge(half + 0.5 * block.extent())).any();
        if blocks.iter().all(is_free) {
            break;
        }
        place = random.within(most);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All algorithms lead to the same motion, step by step.
    #[test]
    fn every_algorithm_leads_to_the_same_motion() {
        let blocks = [Aabb { min: DVec3::splat(-1.0), max: DVec3::ONE }];
        let mut first: Option<Vec<DVec3>> = None;
        for algorithm in sudar_classic::ALL_BROAD_PHASES {
            let settings = Settings { objects: 300, algorithm, ..Settings::default() };
            let mut crowd = Crowd::new(&settings, &blocks);
            crowd.follow(&settings).unwrap();
            for _ in 0..60 {
                crowd.step("translation", 1.0 / 60.0, Clock::default());
            }
            let centers = crowd.container.centers().to_vec();
            assert!(first.get_or_insert_with(|| centers.clone()) == &centers, "{algorithm}");
        }
    }

    #[test]
    fn boxes_stay_out_of_blocks() {
        let block = Aabb { min: DVec3::splat(-2.0), max: DVec3::splat(2.0) };
        let settings = Settings { objects: 200, ..Settings::default() };
        let mut crowd = Crowd::new(&settings, &[block]);
        crowd.follow(&settings).unwrap();
        for _ in 0..600 {
            crowd.step("off", 1.0 / 60.0, Clock::default());
        }
        let deep = block.grown(-0.2);
        assert!(crowd.boxes().iter().all(|b| !deep.contains(b.center())));
    }
}
