//! A robot among objects, made ready for many checks.

mod changes;
mod check;
mod clearance;
mod contact;
mod edges;
mod halving;
mod lanes;
mod maps;
mod names;
mod options;
mod pairs;
mod patches;
mod reason;
mod scratch;
mod screen;
mod signed;
mod travel;

use std::collections::{HashMap, HashSet};

use sudar::Pose;
use sudar::query::{Batch, Body, Work};

use crate::core::Core;
use crate::part::{Object, Part};
use crate::{Robot, RobotError};
pub use clearance::{CLEARANCE_CHUNK, Clearance, ClearanceOptions, Nearest};
pub use contact::{Contact, Other};
pub use edges::{EDGE_CHUNK, EdgeAnswer, EdgeHit, EdgeOptions, PathAnswer};
use maps::PairMap;
pub use maps::{MAP_BOXES, MapReport};
use names::Ignored;
pub use options::{CellOptions, LIMIT_TOLERANCE, NeverMet, PairOptions};
pub use pairs::{PairReason, SelfPair};
pub use reason::Reason;
pub(crate) use scratch::Scratch;
pub use signed::{SignedDistance, SignedOptions};
use travel::Chain;

/// A robot in a scene: which parts of it, which objects and which of their pairs are checked. Made once; all checks
/// take configurations in lists, use all cores, and give the same bits for any number of threads.
///
/// Poses of the scene are in the frame of the robot's root link, unless [`set_base`](Self::set_base) lets that stand
/// elsewhere; lengths are metres, angles radians. [`add`](Self::add), [`attach`](Self::attach) and others change the
/// cell and make nothing anew that stays. A robot is in contact where a part and an object, or two parts, have a point
/// in common; touching counts. This is decided as [`intersects`](sudar::query::intersects) does it for the bodies at
/// the poses of [`Robot::forward`].
#[derive(Debug)]
pub struct RobotCell {
    robot: Robot,
    parts: Vec<Part>,
    objects: Vec<Object>,
    /// For each part the objects that it is checked with.
    with: Vec<Vec<u32>>,
    /// Pairs of parts that are checked.
    pairs: Vec<[u32; 2]>,
    all_pairs: Vec<SelfPair>,
    /// For each part what moves it.
    chains: Vec<Chain>,
    /// For each two parts how many nodes carry the first and not the second.
    apart: Vec<u32>,
    /// Where pairs are certainly apart, by [`map_pairs`](Self::map_pairs).
    maps: Vec<PairMap>,
    /// For each two parts the number of their map; of others the greatest number.
    map_at: Vec<u32>,
    /// How many balls all parts have.
    slots: usize,
    /// The numbers of objects by their names.
    by_name: HashMap<String, usize>,
    ignored: Ignored,
    pair_options: PairOptions,
    /// Of parts that have no padding of their own.
    padding: f64,
    /// By how much joints may be outside their limits; none if limits are not checked.
    limit_tolerance: Option<f64>,
}

impl RobotCell {
    /// Prepares a robot among named objects, bodies with their poses.
    ///
    /// # Errors
    /// [`RobotError::Unknown`] for names in the options that belong to nothing, [`RobotError::Twice`] for names that
    /// belong to two objects or two parts, [`RobotError::Ambiguous`] for an ignored name of a part and an object,
    /// [`RobotError::NotALength`] for a padding or tolerance below 0.
    pub fn new(
        robot: &Robot,
        scene: Vec<(String, Body, Pose)>,
        options: &CellOptions,
    ) -> Result<Self, RobotError> {
        let mut cell = Self {
            parts: options.parts(robot)?,
            robot: robot.clone(),
            objects: Vec::new(),
            with: Vec::new(),
            pairs: Vec::new(),
            chains: Vec::new(),
            apart: Vec::new(),
            all_pairs: Vec::new(),
            maps: Vec::new(),
            map_at: Vec::new(),
            slots: 0,
            by_name: HashMap::new(),
            ignored: Ignored::default(),
            pair_options: options.pairs,
            padding: options.padding,
            limit_tolerance: options.tolerance_of_limits()?,
        };
        let named: HashSet<&str> = scene.iter().map(|(name, ..)| name.as_str()).collect();
        let is_part = |name: &str| cell.parts.iter().any(|part| part.name == name);
        cell.ignored = options.ignored_pairs(is_part, |name| named.contains(name))?;
        cell.with = vec![Vec::new(); cell.parts.len()];
        cell.settle();
        cell.all_pairs = cell.classified();
        cell.settle();
        scene.into_iter().try_for_each(|(name, body, pose)| cell.add(name, body, pose))?;
        Ok(cell)
    }

    /// Makes what depends on which parts there are and where their links begin.
    fn settle(&mut self) {
        self.slots = self.parts.iter_mut().fold(0, |slot, part| part.number(slot));
        self.pairs = self.all_pairs.iter().filter(|pair| pair.is_checked()).map(SelfPair::numbers).collect();
        self.chains = self.parts.iter().map(|part| Chain::new(&self.robot, part)).collect();
        let apart = |a: &Chain| self.chains.iter().map(|b| a.apart_from(b) as u32).collect::<Vec<u32>>();
        self.apart = self.chains.iter().flat_map(apart).collect();
        self.index_maps();
    }

    fn object_number(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The robot.
    pub fn robot(&self) -> &Robot {
        &self.robot
    }

    /// The links with geometry, in the order of the robot, then what is attached, in the order of the options.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The names of the objects, in the order given.
    pub fn object_names(&self) -> Vec<&str> {
        self.objects.iter().map(|object| object.name.as_str()).collect()
    }

    /// The objects with their poses, in the order given.
    pub fn objects(&self) -> impl Iterator<Item = (&str, &Body, &Pose)> {
        self.objects.iter().map(|object| (object.name.as_str(), &object.body, &object.pose))
    }

    /// All pairs of parts, whether they are checked, and why not.
    pub fn self_pairs(&self) -> &[SelfPair] {
        &self.all_pairs
    }

    /// How many configurations were sampled to find the pairs that always or never meet.
    pub fn samples(&self) -> usize {
        self.pair_options.samples
    }

    /// The name of what a part is in contact with.
    pub fn name_of(&self, other: Other) -> &str {
        match other {
            Other::Part(i) => &self.parts[i].name,
            Other::Object(i) => &self.objects[i].name,
        }
    }

    /// By how much joints may be outside their limits, in radians or metres; `None` if limits are not checked.
    pub fn limit_tolerance(&self) -> Option<f64> {
        self.limit_tolerance
    }

    /// Whether a part is checked with an object, both by number.
    pub(crate) fn is_checked_with(&self, part: usize, object: usize) -> bool {
        self.with[part].contains(&(object as u32))
    }

    /// The first number of a configuration that is outside its limits, if these are checked.
    pub(crate) fn outside_limits(&self, q: &[f64]) -> Option<usize> {
        self.robot.outside_limits(q, self.limit_tolerance?)
    }

    /// Answers for each row, in chunks.
    fn each_row<T: Send>(
        &self,
        rows: usize,
        chunk: usize,
        batch: &Batch<'_>,
        ask: impl Fn(&mut Work<'_>, &mut Scratch, usize) -> T + Sync,
    ) -> Vec<T> {
        let chunks: Vec<usize> = (0..rows).step_by(chunk).collect();
        let found = batch.each(&chunks, |work, first| {
            let mut scratch = Scratch::default();
            let rows = *first..rows.min(first + chunk);
            rows.map(|row| ask(work, &mut scratch, row)).collect::<Vec<T>>()
        });
        found.answers.into_iter().flatten().collect()
    }
}

fn object((name, body, pose): (String, Body, Pose)) -> Object {
    Object { core: Core::new(&body, &pose), name, body, pose }
}
