//! Which pairs of parts are checked for self-collision, and why the others are not.

use sudar::query::Batch;

use super::names::NamedRef;
use super::options::NeverMet;
use super::{Other, RobotCell};
use crate::part::Part;
use crate::robot::{Joint, JointKind};
use crate::{CHUNK, Robot};

/// A pair of parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfPair {
    /// The parts, by their numbers in [`RobotCell::parts`], the smaller first.
    pub parts: [usize; 2],
    /// Whether it is checked, and why not.
    pub reason: PairReason,
    /// In how many of the sampled configurations they met; 0 for pairs that were not sampled.
    pub met: usize,
}

/// Why a pair of parts is checked or left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairReason {
    /// Checked: it met in some of the samples, or there are no samples.
    Checked,
    /// Checked, though it never met among the samples.
    NeverMet,
    /// Left out: it never met among the samples, and the options say so.
    LeftOutNeverMet,
    /// Left out: it met in every sample, so that checking it would make every configuration invalid.
    AlwaysMet,
    /// Left out: fixed to each other, they do not move.
    Fixed,
    /// Left out: joined by one joint that moves, with nothing but links without geometry between.
    Adjacent,
    /// Left out by the SRDF, or by MJCF's excludes and rules, for the reason given there.
    Disabled(String),
    /// Left out by the options.
    Ignored,
}

impl SelfPair {
    /// Whether it is checked.
    pub fn is_checked(&self) -> bool {
        match self.reason {
            PairReason::Checked | PairReason::NeverMet => true,
            PairReason::LeftOutNeverMet
            | PairReason::AlwaysMet
            | PairReason::Fixed
            | PairReason::Adjacent
            | PairReason::Disabled(_)
            | PairReason::Ignored => false,
        }
    }

    pub(super) fn numbers(&self) -> [u32; 2] {
        self.parts.map(|i| i as u32)
    }
}

impl PairReason {
    /// In a word or two.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Checked => "checked",
            Self::NeverMet => "checked, never met",
            Self::LeftOutNeverMet => "never met",
            Self::AlwaysMet => "always met",
            Self::Fixed => "fixed to each other",
            Self::Adjacent => "adjacent",
            Self::Disabled(_) => "disabled by the files",
            Self::Ignored => "ignored",
        }
    }
}

impl RobotCell {
    /// All pairs of parts with the reasons.
    pub(super) fn classified(&self) -> Vec<SelfPair> {
        let count = self.parts.len();
        let pair = |a, b| SelfPair { parts: [a, b], reason: PairReason::Checked, met: 0 };
        let mut pairs: Vec<SelfPair> =
            (0..count).flat_map(|a| (a + 1..count).map(move |b| pair(a, b))).collect();
        self.classify(&mut pairs);
        pairs
    }

    /// Finds the reasons of pairs.
    pub(super) fn classify(&self, pairs: &mut [SelfPair]) {
        pairs.iter_mut().for_each(|pair| pair.reason = self.reason(pair.parts));
        if self.pair_options.samples > 0 {
            self.sample(pairs);
        }
    }

    fn reason(&self, [a, b]: [usize; 2]) -> PairReason {
        let [one, other] = [&self.parts[a], &self.parts[b]];
        let disabled = |pair: &&crate::DisabledPair| {
            let [x, y] = &pair.links;
            !one.is_attached
                && !other.is_attached
                && (*x == one.name && *y == other.name || *x == other.name && *y == one.name)
        };
        if self.ignored.has(NamedRef::Part(&one.name), NamedRef::Part(&other.name))
            || may_touch(one, other, &self.robot)
        {
            PairReason::Ignored
        } else if let Some(pair) = self.robot.disabled_pairs().iter().find(disabled) {
            PairReason::Disabled(pair.reason.clone())
        } else if let Some(reason) = filtered(&self.robot, one, other) {
            PairReason::Disabled(reason.to_owned())
        } else {
            joined(&self.robot, one, other).unwrap_or(PairReason::Checked)
        }
    }

    /// Counts in how many samples the pairs meet that are checked so far.
    fn sample(&self, pairs: &mut [SelfPair]) {
        let options = &self.pair_options;
        let open: Vec<usize> = (0..pairs.len()).filter(|&i| pairs[i].is_checked()).collect();
        let q = self.robot.sample(options.samples, options.seed);
        let chunks: Vec<usize> = (0..options.samples).step_by(CHUNK).collect();
        let counted = Batch::default().each(&chunks, |work, first| {
            let mut scratch = super::Scratch::default();
            let mut met = vec![0; open.len()];
            for row in *first..options.samples.min(first + CHUNK) {
                self.stand(self.robot.row(&q, row), &mut scratch.places);
                for (met, &i) in met.iter_mut().zip(&open) {
                    let [a, b] = pairs[i].parts;
                    *met += usize::from(self.pair_meets(work, &mut scratch, a, Other::Part(b)).is_some());
                }
            }
            met
        });
        for (k, &i) in open.iter().enumerate() {
            let met: usize = counted.answers.iter().map(|met| met[k]).sum();
            pairs[i].met = met;
            pairs[i].reason = if met == options.samples {
                PairReason::AlwaysMet
            } else if met > 0 {
                PairReason::Checked
            } else {
                match options.never_met {
                    NeverMet::Checked => PairReason::NeverMet,
                    NeverMet::LeftOut => PairReason::LeftOutNeverMet,
                }
            };
        }
    }
}

/// Whether one of the two is attached and may touch the other.
fn may_touch(one: &Part, other: &Part, robot: &Robot) -> bool {
    let touches =
        |held: &Part, link: &Part| !link.is_attached && held.touches.contains(&robot.links()[link.link].name);
    touches(one, other) || touches(other, one)
}

/// Why the rules of MJCF leave a pair out, if they do. What is attached has no rules.
fn filtered(robot: &Robot, one: &Part, other: &Part) -> Option<&'static str> {
    let is_own = !one.is_attached && !other.is_attached;
    if is_own { robot.filtered(one.link, other.link) } else { None }
}

/// How two parts are joined, if closely.
fn joined(robot: &Robot, one: &Part, other: &Part) -> Option<PairReason> {
    // All joints on the way from one to the other, through the last link that carries both.
    let (up, down) = (carriers(robot, one.link), carriers(robot, other.link));
    let shared = up.iter().rev().zip(down.iter().rev()).take_while(|(a, b)| a == b).count();
    let (up, down) = (&up[..up.len() - shared], &down[..down.len() - shared]);
    let moving = |joint: &&usize| robot.joints()[**joint].kind != JointKind::Fixed;
    match up.iter().chain(down).filter(moving).count() {
        0 => Some(PairReason::Fixed),
        // Nothing but the world is between two robots.
        _ if robot.member_of(one.link) != robot.member_of(other.link) => None,
        // What hangs on the world of an MJCF collides with it.
        1 if robot.stands(one.link) || robot.stands(other.link) => None,
        1 => {
            let inner = between(robot, up).chain(between(robot, down));
            let top = (!up.is_empty() && !down.is_empty()).then(|| robot.joints()[up[up.len() - 1]].parent);
            // What is attached is beyond the link that carries it.
            let carried = [one, other].into_iter().filter(|part| part.is_attached).map(|part| part.link);
            let mut links = inner.chain(top).chain(carried);
            links.all(|link| robot.links()[link].bodies.is_empty()).then_some(PairReason::Adjacent)
        }
        _ => None,
    }
}

/// The joints from a link up to the root.
fn carriers(robot: &Robot, link: usize) -> Vec<usize> {
    let up = |joint: &usize| robot.links()[robot.joints()[*joint].parent].joint;
    std::iter::successors(robot.links()[link].joint, up).collect()
}

/// The links between the joints of a way up.
fn between<'r>(robot: &'r Robot, joints: &'r [usize]) -> impl Iterator<Item = usize> + 'r {
    joints.iter().skip(1).map(|&joint| {
        let Joint { child, .. } = robot.joints()[joint];
        child
    })
}
