//! Boxes that bounce in a cubic container, and broad phases that follow them: the model of Dimitrijević 2019.

use std::collections::HashMap;

use sudar::DVec3;
use sudar::broad::{BroadError, BroadPhase, Counters, Handle, Mobility};
use sudar_classic::broad::{Tuning, broad_phase_with};
use sudar_scene::Container;

use crate::inputs::random::Random;
use crate::plan::{Plan, Result, ensure, timed};

/// What a frame may take where 60 of them are shown in a second, in seconds.
pub const FRAME: f64 = 1.0 / 60.0;

/// So many cubes anywhere in a container of width 1, as wide as `size`, on their ways in any direction by `speed` a
/// second.
pub fn cubes(count: usize, size: f64, speed: f64) -> Container {
    let mut random = Random::new(2019);
    let half = 0.5 * size;
    let centers: Vec<DVec3> = (0..count).map(|_| random.point(0.5 - half)).collect();
    // No direction is so short that it is none.
    let mut way = || loop {
        let way = random.point(1.0);
        if (0.1..1.0).contains(&way.length()) {
            return way.normalize() * speed;
        }
    };
    let mut container = Container::new(1.0);
    centers.into_iter().for_each(|center| container.add(center, DVec3::splat(half), way()));
    container
}

/// So many cubes of which a tenth of the container is full.
pub fn filled(count: usize, speed: f64) -> Container {
    let size = libm::cbrt(0.1 / count as f64);
    cubes(count, size, speed * size)
}

/// What a frame took.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    pub seconds: f64,
    pub counters: Counters,
    pub pairs: usize,
}

/// A broad phase that follows a container.
pub struct Follower {
    pub container: Container,
    pub phase: Box<dyn BroadPhase>,
    handles: Vec<Handle>,
    /// Whether boxes that overlap answer each other.
    answers: bool,
    /// What it took to begin, in seconds.
    begun: f64,
}

/// The pairs of each frame of so many boxes, which all algorithms must find.
#[derive(Debug, Default)]
pub struct Known(HashMap<(usize, usize), usize>);

impl Known {
    fn agree(&mut self, n: usize, frame: usize, pairs: usize) -> Result<()> {
        let known = *self.0.entry((n, frame)).or_insert(pairs);
        ensure(known == pairs, || {
            format!("two algorithms disagree about frame {frame} of {n} boxes: {known} and {pairs} pairs")
        })
    }
}

/// Seconds to begin, and bytes, beyond which more boxes are not tried: what is quick in a frame may be slow
/// to begin with, and memory may grow faster than the number of boxes.
const SLOW_START: f64 = 10.0;
const MUCH_MEMORY: usize = 1 << 29;

impl Follower {
    pub fn new(algorithm: &str, tuning: Tuning, container: Container) -> Result<Self> {
        let mut phase = broad_phase_with(algorithm, tuning)?;
        let boxes = container.boxes();
        let (handles, begun) = timed(|| {
            let handles = boxes.iter().map(|aabb| phase.insert(*aabb, Mobility::Moving)).collect();
            phase.step();
            handles
        });
        let handles: std::result::Result<_, BroadError> = handles;
        Ok(Self { container, phase, handles: handles?, answers: true, begun })
    }

    /// Boxes that pass through each other.
    pub fn passing(self) -> Self {
        Self { answers: false, ..self }
    }

    /// Moves all and finds the pairs; the time is that of the broad phase.
    pub fn frame(&mut self, seconds: f64) -> Result<Frame> {
        self.container.advance(seconds);
        let boxes = self.container.boxes();
        let (updated, seconds) = timed(|| {
            self.phase.update_all(&self.handles, &boxes)?;
            self.phase.step();
            Ok::<_, BroadError>(())
        });
        updated?;
        if self.answers {
            self.container.part(self.phase.pairs());
        }
        Ok(Frame { seconds, counters: self.phase.counters(), pairs: self.phase.pairs().len() })
    }

    /// Frames of a sixtieth of a second, after the first two; fewer, but one at least, where all of them take long.
    pub fn frames(&mut self, plan: &Plan, known: &mut Known) -> Result<Vec<Frame>> {
        let (count, most) = (plan.by_size(3, 7, 21), if plan.is_full() { 4.0 } else { 2.0 });
        let (mut frames, mut taken) = (Vec::new(), 0.0);
        while frames.len() < count + 2 && (frames.is_empty() || taken < most) {
            let frame = self.frame(FRAME)?;
            known.agree(self.phase.len(), frames.len(), frame.pairs)?;
            taken += frame.seconds;
            frames.push(frame);
        }
        Ok(frames.split_off(2.min(frames.len() - 1)))
    }

    /// Whether more boxes would take too long to begin with, or too much memory.
    pub fn is_full(&self) -> bool {
        self.begun > SLOW_START || self.phase.memory() > MUCH_MEMORY
    }
}

/// Time of a frame: the median of some, in frames of a sixtieth of a second.
pub fn relative(frames: &[Frame]) -> f64 {
    let mut times: Vec<f64> = frames.iter().map(|frame| frame.seconds).collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0) / FRAME
}

/// What is counted in a frame, on average.
pub fn mean(frames: &[Frame], count: impl Fn(&Frame) -> u64) -> f64 {
    frames.iter().map(count).sum::<u64>() as f64 / frames.len().max(1) as f64
}
