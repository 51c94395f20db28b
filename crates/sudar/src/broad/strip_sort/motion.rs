//! How far boxes move in a frame, and how straight, estimated from some of them.

use crate::shape::Aabb;

/// Every so-manieth box as it was in the last three frames, the latest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    frames: [Vec<Aabb>; 3],
}

/// What the sample says of the motion, if it is slow enough to be followed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Motion {
    /// Whether boxes are better expected to go on as they did than to stay.
    pub straight: bool,
    /// How far from where they are expected boxes may be, and the most that pays.
    pub tolerances: [f64; 2],
    /// The same if they are expected to stay.
    pub still_tolerances: [f64; 2],
    /// Frames for which boxes are followed.
    pub horizon: u32,
}

/// Boxes looked at, at most, and every so-manieth at most.
const SIZE: usize = 512;
const STEP: usize = 8;

/// Boxes that are expected to stay do so within the tolerance for so many frames of the usual way.
const FRAMES: f64 = 8.0;

/// The tolerance is at most this share of the usual size of a box, beyond which too many pairs were
/// uncertain, and boxes that go half as far in a frame are not followed.
const MOST: f64 = 0.15;

/// It is at least this share.
const LEAST: f64 = 1.0 / 2048.0;

/// Boxes are followed for so many of their usual sizes, and frames: the farther, the more pairs may meet.
const FAR: f64 = 0.4;
const HORIZONS: [f64; 2] = [8.0, 32.0];

impl Sample {
    /// Takes the boxes of a frame.
    pub fn record(&mut self, slots: &[Aabb]) {
        self.frames.rotate_right(1);
        self.frames[0].clear();
        let step = slots.len().div_ceil(SIZE).max(STEP);
        self.frames[0].extend(slots.iter().step_by(step));
    }

    /// Compares the frames.
    pub fn motion(&self) -> Option<Motion> {
        let [now, last, before] = &self.frames;
        if last.len() != now.len() {
            return None;
        }
        let far = |way: &dyn Fn(usize) -> [glam::DVec3; 2]| {
            usual_length((0..now.len()).map(|k| {
                let [min, max] = way(k);
                min.abs().max(max.abs()).max_element()
            }))
        };
        let way = far(&|k| [now[k].min - last[k].min, now[k].max - last[k].max])?;
        let size = usual_size(now);
        let most = MOST * size;
        if most <= 0.0 || 2.0 * way > most {
            return None;
        }
        let within = |tolerance: f64| tolerance.clamp(LEAST * size, most);
        let still_tolerance = within(FRAMES * way);
        // What turns by so much a frame is off by half of that times the square of the frames.
        let bend = (before.len() == now.len()).then(|| {
            far(&|k| {
                [
                    now[k].min - 2.0 * last[k].min + before[k].min,
                    now[k].max - 2.0 * last[k].max + before[k].max,
                ]
            })
        });
        let curved = bend.flatten().map_or(f64::INFINITY, |bend| 0.5 * FRAMES * FRAMES * bend);
        let straight = within(curved) < still_tolerance;
        let tolerance = if straight { within(curved) } else { still_tolerance };
        let [least, longest] = HORIZONS;
        let horizon = if straight { (FAR * size / way).clamp(least, longest) } else { longest } as u32;
        let still_tolerances = [still_tolerance, most];
        Some(Motion { straight, tolerances: [tolerance, most], still_tolerances, horizon })
    }

    pub fn bytes(&self) -> usize {
        self.frames.iter().map(Vec::capacity).sum::<usize>() * size_of::<Aabb>()
    }
}

/// The greatest of some lengths but for few, which are why courses are left now and then.
fn usual_length(lengths: impl Iterator<Item = f64>) -> Option<f64> {
    let mut lengths: Vec<f64> = lengths.filter(|length| length.is_finite()).collect();
    let few = lengths.len() / 64;
    (!lengths.is_empty()).then(|| *lengths.select_nth_unstable_by(few, |a, b| b.total_cmp(a)).1)
}

/// The mean of the longest edges of boxes without the largest: a few that span the scene do not say how far
/// the others may move.
fn usual_size(boxes: &[Aabb]) -> f64 {
    let mut sizes: Vec<f64> =
        boxes.iter().map(|aabb| aabb.extent().max_element()).filter(|size| size.is_finite()).collect();
    if sizes.is_empty() {
        return 0.0;
    }
    let most = sizes.len() - 1 - sizes.len() / 16;
    sizes.select_nth_unstable_by(most, f64::total_cmp);
    sizes.truncate(most + 1);
    sizes.iter().sum::<f64>() / sizes.len() as f64
}
