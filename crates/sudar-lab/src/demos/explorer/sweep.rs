//! The figures of Dimitrijević 2019, chapter 5, measured here, step by step beside the window.

use sudar::DVec3;

use super::crowd::Crowd;
use super::settings::{NONE, Settings};
use crate::clock::Clock;

/// A frame of sixty a second, the unit of the source's "relative dt".
const FRAME: f64 = 1.0 / 60.0;

/// Steps of which the median counts, after two that do not.
const STEPS: usize = 5;

/// What is measured along the axis below.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Along {
    /// Numbers of objects.
    Objects(&'static [u32]),
    /// Most objects in a leaf, of so many objects.
    Leaves(u32, &'static [u32]),
    /// Seconds during which all are drawn to the middle, of so many objects.
    Gathering(u32),
    /// Seconds of steps as long as the last took, of so many objects.
    Feedback(u32),
}

/// A figure of the source.
#[derive(Debug, Clone, Copy)]
pub struct Figure {
    /// Its number there.
    pub number: &'static str,
    pub title: &'static str,
    pub along: Along,
    /// Name of the curve, broad phase, speed in widths a second, whether it is drawn too.
    pub curves: &'static [(&'static str, &'static str, f64, bool)],
    /// What the source gives in its text: curve, and its points.
    pub published: &'static [(&'static str, &'static [[f64; 2]])],
}

const COUNTS: &[u32] = &[500, 1000, 2000, 3000, 5000, 8000, 12_000, 16_000, 20_000];
const MANY: &[u32] = &[5000, 10_000, 20_000, 30_000, 50_000];
const W5: f64 = 0.2;

/// All figures that its text gives numbers for, or that need none.
pub const FIGURES: [Figure; 12] = [
    Figure {
        number: "5.1",
        title: "Motion and drawing alone",
        along: Along::Objects(&[1000, 5000, 10_000, 24_000, 50_000]),
        curves: &[("drawing on", NONE, W5, true), ("drawing off", NONE, W5, false)],
        published: &[("drawing on, 2019", &[[24_000.0, 1.0], [50_000.0, 2.0]])],
    },
    Figure {
        number: "5.2",
        title: "Brute force",
        along: Along::Objects(&[250, 500, 1000, 1500, 2000, 2500]),
        curves: &[("brute force", "brute", W5, false)],
        published: &[("brute force, 2019", &[[2000.0, 1.0], [2500.0, 2.0]])],
    },
    Figure {
        number: "5.3",
        title: "Octree with duplicates, leaves of 4",
        along: Along::Objects(COUNTS),
        curves: &[("octree", "octree-dup", W5, false)],
        published: &[("octree, 2019", &[[12_000.0, 1.0], [20_000.0, 2.0]])],
    },
    Figure {
        number: "5.4",
        title: "Octree with duplicates, more objects",
        along: Along::Objects(MANY),
        curves: &[("octree", "octree-dup", W5, false)],
        published: &[("octree, 2019", &[[12_000.0, 1.0], [20_000.0, 2.0]])],
    },
    Figure {
        number: "5.5",
        title: "Octrees with and without duplicates",
        along: Along::Objects(MANY),
        curves: &[("with duplicates", "octree-dup", W5, false), ("without", "octree", W5, false)],
        published: &[("with duplicates, 2019", &[[12_000.0, 1.0], [20_000.0, 2.0]])],
    },
    Figure {
        number: "5.6",
        title: "All drawn to the middle",
        along: Along::Gathering(2000),
        curves: &[("with duplicates", "octree-dup", W5, false), ("without", "octree", W5, false)],
        published: &[],
    },
    Figure {
        number: "5.7",
        title: "Most objects in a leaf",
        along: Along::Leaves(10_000, &[1, 2, 4, 8, 16, 32, 64, 128]),
        curves: &[("octree", "octree-dup", W5, false)],
        published: &[("octree, 2019", &[[4.0, 60.0 / 69.0], [32.0, 60.0 / 94.0]])],
    },
    Figure {
        number: "5.8",
        title: "Sweep and prune",
        along: Along::Objects(COUNTS),
        curves: &[("sweep and prune", "sap", W5, false)],
        published: &[("sweep and prune, 2019", &[[11_000.0, 1.0]])],
    },
    Figure {
        number: "5.9",
        title: "Sweep and prune feeds back on itself",
        along: Along::Feedback(12_800),
        curves: &[("sweep and prune", "sap", W5, false)],
        published: &[],
    },
    Figure {
        number: "5.10",
        title: "Sweep and prune at three speeds",
        along: Along::Objects(COUNTS),
        curves: &[
            ("w/5", "sap", W5, false),
            ("w/10", "sap", 0.5 * W5, false),
            ("w/20", "sap", 0.25 * W5, false),
        ],
        published: &[("w/5, 2019", &[[11_000.0, 1.0]])],
    },
    Figure {
        number: "5.11",
        title: "Sweep and prune, 64 times slower",
        along: Along::Objects(&[10_000, 30_000, 50_000, 75_000, 92_000]),
        curves: &[("w/320", "sap", W5 / 64.0, false)],
        published: &[("w/320, 2019", &[[75_000.0, 1.0], [92_000.0, 2.0]])],
    },
    Figure {
        number: "5.12",
        title: "All of them",
        along: Along::Objects(COUNTS),
        curves: &[
            ("brute force", "brute", W5, false),
            ("sweep and prune", "sap", W5, false),
            ("with duplicates", "octree-dup", W5, false),
            ("without", "octree", W5, false),
        ],
        published: &[
            ("brute force, 2019", &[[2000.0, 1.0], [2500.0, 2.0]]),
            ("sweep and prune, 2019", &[[11_000.0, 1.0]]),
            ("with duplicates, 2019", &[[12_000.0, 1.0], [20_000.0, 2.0]]),
        ],
    },
];

/// A figure that is being measured: one step of the work at each call, so that the window stays alive.
pub struct Sweep {
    pub figure: Figure,
    /// Points of each curve: along the axis, relative dt.
    pub curves: Vec<Vec<[f64; 2]>>,
    /// Where a curve ended before its last point, for its frames took too long.
    pub ends: Vec<Option<f64>>,
    /// Swaps beside the times, of figure 5.9.
    pub swaps: Vec<[f64; 2]>,
    curve: usize,
    point: usize,
    crowd: Option<Crowd>,
    taken: Vec<f64>,
    time: f64,
    /// Seconds of the last frame, for curves with drawing.
    pub frame: f64,
}

/// Frames over a time, of figures 5.6 and 5.9.
const MOMENTS: usize = 120;

/// Longer frames than this end a curve over numbers of objects, as they end the source's.
const TOO_LONG: f64 = 4.0;

impl Sweep {
    pub fn new(figure: Figure) -> Self {
        Self {
            figure,
            curves: vec![Vec::new(); figure.curves.len()],
            ends: vec![None; figure.curves.len()],
            swaps: Vec::new(),
            curve: 0,
            point: 0,
            crowd: None,
            taken: Vec::new(),
            time: 0.0,
            frame: 0.0,
        }
    }

    /// Whether all is measured.
    pub fn is_done(&self) -> bool {
        self.curve >= self.figure.curves.len()
    }

    /// How much is measured, from 0 to 1.
    pub fn part(&self) -> f64 {
        let points = self.points().max(1) as f64;
        (self.curve as f64 + self.point as f64 / points) / self.figure.curves.len() as f64
    }

    /// What is measured now is to be drawn.
    pub fn shown(&self) -> Option<&Crowd> {
        let (.., is_drawn) = self.figure.curves.get(self.curve)?;
        self.crowd.as_ref().filter(|_| *is_drawn)
    }

    /// Sentences about curves that ended early.
    pub fn remarks(&self) -> impl Iterator<Item = String> + '_ {
        let curves = self.figure.curves.iter().zip(&self.ends);
        curves.filter_map(|((name, ..), end)| {
            let frames = TOO_LONG / 60.0;
            Some(format!("{name} ends at {:.0}: more than {frames:.3} s from picture to picture", (*end)?))
        })
    }

    fn points(&self) -> usize {
        match self.figure.along {
            Along::Objects(counts) | Along::Leaves(_, counts) => counts.len(),
            Along::Gathering(_) | Along::Feedback(_) => MOMENTS,
        }
    }

    /// One step of one crowd.
    pub fn step(&mut self, clock: Clock) -> Result<(), String> {
        let Some((_, algorithm, speed, is_drawn)) = self.figure.curves.get(self.curve).copied() else {
            return Ok(());
        };
        if self.crowd.is_none() {
            self.crowd = Some(self.begin(algorithm, speed)?);
        }
        let Some(crowd) = &mut self.crowd else { return Ok(()) };
        let last = self.taken.last().copied().unwrap_or(FRAME);
        let (seconds, resolution) = match self.figure.along {
            Along::Feedback(_) => (last.clamp(1e-4, 1.0), "translation"),
            Along::Gathering(_) => (5.0 / MOMENTS as f64, "off"),
            Along::Objects(_) | Along::Leaves(..) => (FRAME, "translation"),
        };
        let work = crowd.step(resolution, seconds, clock);
        let all = if algorithm == NONE { work.seconds() } else { work.phases[0] };
        self.taken.push(if is_drawn { self.frame } else { all });
        self.time += seconds;
        self.note(work.counters.swaps as f64);
        Ok(())
    }

    fn begin(&self, algorithm: &'static str, speed: f64) -> Result<Crowd, String> {
        let (objects, leaf_size) = match self.figure.along {
            Along::Objects(counts) => (counts[self.point], 4),
            Along::Leaves(objects, sizes) => (objects, sizes[self.point]),
            Along::Gathering(objects) | Along::Feedback(objects) => (objects, 4),
        };
        // Boxes of a hundredth of the width, as in the source's default picture.
        let settings = Settings {
            objects,
            size: 1.0,
            spread: 0.0,
            container: 100.0,
            speed: speed * 100.0,
            algorithm,
            leaf_size,
            ..Settings::default()
        };
        let mut crowd = Crowd::new(&settings, &[]);
        crowd.follow(&settings)?;
        if matches!(self.figure.along, Along::Gathering(_)) {
            crowd.container.pull(DVec3::ZERO);
        }
        Ok(crowd)
    }

    fn note(&mut self, swaps: f64) {
        let curve = &mut self.curves[self.curve];
        let last = self.taken.last().copied().unwrap_or(0.0) / FRAME;
        let along = match self.figure.along {
            Along::Gathering(_) | Along::Feedback(_) => {
                curve.push([self.time, last]);
                self.swaps.push([self.time, swaps]);
                self.point += 1;
                if self.point >= MOMENTS {
                    self.next_curve();
                }
                return;
            }
            Along::Objects(counts) | Along::Leaves(_, counts) => f64::from(counts[self.point]),
        };
        if self.taken.len() < STEPS + 2 && last < 60.0 {
            return;
        }
        let mut counted: Vec<f64> = self.taken.iter().skip(2.min(self.taken.len() - 1)).copied().collect();
        counted.sort_unstable_by(f64::total_cmp);
        let median = counted[counted.len() / 2] / FRAME;
        curve.push([along, median]);
        (self.crowd, self.taken, self.point) = (None, Vec::new(), self.point + 1);
        if self.point >= self.points() || median > TOO_LONG {
            self.ends[self.curve] = (self.point < self.points()).then_some(along);
            self.next_curve();
        }
    }

    fn next_curve(&mut self) {
        (self.crowd, self.taken, self.time) = (None, Vec::new(), 0.0);
        (self.curve, self.point) = (self.curve + 1, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each call comes a millisecond after the last.
    fn ticking() -> f64 {
        use std::cell::Cell;
        thread_local!(static NOW: Cell<f64> = const { Cell::new(0.0) });
        NOW.set(NOW.get() + 1e-3);
        NOW.get()
    }

    #[test]
    fn every_figure_names_a_broad_phase_and_has_its_number() {
        for (i, figure) in FIGURES.iter().enumerate() {
            assert_eq!(figure.number, format!("5.{}", i + 1));
            assert!(
                figure
                    .curves
                    .iter()
                    .all(|(_, name, ..)| *name == NONE || sudar_classic::broad_phase(name).is_ok())
            );
        }
    }

    #[test]
    fn a_sweep_has_a_point_for_each_number_and_ends() {
        let counts: &[u32] = &[50, 100, 200];
        let mut sweep = Sweep::new(Figure { along: Along::Objects(counts), ..FIGURES[11] });
        let mut calls = 0;
        while !sweep.is_done() {
            sweep.step(Clock(Some(ticking))).unwrap();
            calls += 1;
            assert!(calls < 1000 && sweep.part() <= 1.0);
        }
        assert_eq!(sweep.curves.iter().map(Vec::len).collect::<Vec<_>>(), [3; 4]);
        // One tick of the clock is 0.06 of a frame.
        assert!(sweep.curves.iter().flatten().all(|[_, dt]| (dt - 0.06).abs() < 1e-9));
    }

    /// The source's dt is the time from one picture to the next.
    #[test]
    fn what_is_drawn_takes_as_long_as_its_frames() {
        let counts: &[u32] = &[50];
        let mut sweep = Sweep::new(Figure { along: Along::Objects(counts), ..FIGURES[0] });
        while !sweep.is_done() {
            sweep.frame = 0.05;
            sweep.step(Clock(Some(ticking))).unwrap();
        }
        assert_eq!(sweep.curves[0], [[50.0, 3.0]]);
        assert!(sweep.curves[1][0][1] < 1.0);
    }

    #[test]
    fn a_curve_that_takes_too_long_ends_with_a_word() {
        let counts: &[u32] = &[50, 100];
        let mut sweep = Sweep::new(Figure { along: Along::Objects(counts), ..FIGURES[0] });
        while !sweep.is_done() {
            sweep.frame = 0.1;
            sweep.step(Clock(Some(ticking))).unwrap();
        }
        assert_eq!((sweep.curves[0].len(), sweep.curves[1].len()), (1, 2));
        let says: Vec<String> = sweep.remarks().collect();
        assert!(says.len() == 1 && says[0].starts_with("drawing on ends at 50"), "{says:?}");
    }

    #[test]
    fn where_all_gather_the_octree_with_duplicates_works_most() {
        let mut sweep = Sweep::new(Figure { along: Along::Gathering(200), ..FIGURES[5] });
        while !sweep.is_done() {
            sweep.step(Clock::default()).unwrap();
        }
        assert_eq!(sweep.curves[0].len(), MOMENTS);
        let swaps: Vec<f64> = sweep.swaps[..MOMENTS].iter().map(|[_, swaps]| *swaps).collect();
        let most = swaps.iter().copied().fold(0.0, f64::max);
        assert!(most > 4.0 * swaps[0], "{most} {}", swaps[0]);
    }
}
