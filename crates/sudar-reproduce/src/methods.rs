//! The algorithms, all for the same query.

use sudar::convex::{Acceleration, Difference, Gjk, GjkMemory, GjkOptions, PosedConvex, gjk};
use sudar::{DVec3, Interval, Pose};
use sudar_classic::convex::{
    ChungWang, ClosestFeatures, FeatureAnswer, FeatureOutcome, PosedFeatures, SeparatingVector, Separation,
    brute_force_face_plane, chung_wang, chung_wang_reflections_only, gjk_cases,
};

use crate::inputs::bodies::{Body, Poses, difference};
use crate::output::figure::Series;
use crate::plan::{Result, ensure};

/// Support points or steps after which an algorithm that only says yes or no gives up.
pub const LIMIT: u32 = 1000;

/// An algorithm for two convex bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Gjk,
    GjkNesterov,
    GjkMemory,
    LinCanny,
    GjkCases,
    ChungWang,
    SeparatingVector,
    ReflectionsOnly,
    FacePlanes,
}

impl Method {
    /// The name in tables and legends.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gjk => "GJK",
            Self::GjkNesterov => "Nesterov GJK",
            Self::GjkMemory => "GJK with memory",
            Self::LinCanny => "Lin–Canny",
            Self::GjkCases => "GJK by cases",
            Self::ChungWang => "Chung–Wang",
            Self::SeparatingVector => "separating vector",
            Self::ReflectionsOnly => "Chung–Wang without switch",
            Self::FacePlanes => "planes of all faces",
        }
    }

    /// Whether it measures the distance; the others only say yes or no.
    pub const fn measures(self) -> bool {
        matches!(self, Self::Gjk | Self::GjkNesterov | Self::GjkMemory | Self::LinCanny)
    }

    /// Whether it begins with what it found on the same bodies before.
    pub const fn remembers(self) -> bool {
        matches!(self, Self::GjkMemory | Self::SeparatingVector | Self::LinCanny)
    }

    /// Algorithms look the same in all figures: full lines for those that measure.
    pub fn line(self, points: Vec<(f64, f64)>) -> Series {
        let draw = if self.measures() { Series::line } else { Series::dashed };
        draw(self.name().to_owned(), self as usize, points)
    }

    /// Asks about two bodies as they stand.
    pub fn ask(self, a: &Body, b: &Body, poses: &Poses, memory: &mut Memory) -> Answer {
        let difference = || difference(a, b, poses);
        match self {
            Self::Gjk => plain(&difference(), Acceleration::None),
            Self::GjkNesterov => plain(&difference(), Acceleration::Nesterov),
            Self::GjkMemory => with_memory(&difference(), &mut memory.gjk),
            Self::GjkCases => {
                let found = gjk_cases(&difference(), DVec3::ZERO, LIMIT);
                Answer::yes_or_no(found.outcome, found.iterations)
            }
            Self::ChungWang => Answer::from(chung_wang(&difference(), DVec3::ZERO, LIMIT)),
            Self::ReflectionsOnly => {
                Answer::from(chung_wang_reflections_only(&difference(), DVec3::ZERO, LIMIT))
            }
            Self::SeparatingVector => {
                let outcome = memory.vector.update(&difference(), LIMIT);
                Answer::yes_or_no(outcome, memory.vector.statistics().last_rounds)
            }
            Self::FacePlanes => face_planes(a, b, poses),
            Self::LinCanny => lin_canny(a, b, poses, &mut memory.features).unwrap_or(Answer::UNKNOWN),
        }
    }
}

fn plain(difference: &Difference, acceleration: Acceleration) -> Answer {
    let options = GjkOptions { acceleration, ..GjkOptions::DISTANCE };
    Answer::from(gjk(difference, &GjkMemory::NONE, &options))
}

fn with_memory(difference: &Difference, memory: &mut GjkMemory) -> Answer {
    let found = gjk(difference, memory, &GjkOptions::DISTANCE);
    *memory = GjkMemory::of(difference, &found);
    Answer::from(found)
}

/// `None` for round bodies, which have no features.
fn lin_canny(a: &Body, b: &Body, poses: &Poses, features: &mut ClosestFeatures) -> Option<Answer> {
    let (a, b) = (posed_features(a, &poses[0])?, posed_features(b, &poses[1])?);
    Some(Answer::from(features.update(&a, &b)))
}

/// Every face against all vertices (Huotari 2011); where no face tells it does not know. There is no telling how many
/// faces it tried: all count.
fn face_planes(a: &Body, b: &Body, poses: &Poses) -> Answer {
    let [first, second] =
        [(a, &poses[0]), (b, &poses[1])].map(|(body, pose)| PosedConvex::new(&body.convex, pose));
    let apart = brute_force_face_plane(&first, &second).map(|_| true);
    Answer { apart, distance: None, iterations: a.faces + b.faces }
}

fn posed_features<'a>(body: &'a Body, pose: &'a Pose) -> Option<PosedFeatures<'a>> {
    PosedFeatures::new(body.features.as_ref()?, PosedConvex::new(&body.convex, pose))
}

/// What is kept of the last question on the same bodies.
#[derive(Debug, Clone, Copy, Default)]
pub struct Memory {
    gjk: GjkMemory,
    vector: SeparatingVector,
    features: ClosestFeatures,
}

/// What an algorithm says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// Whether the bodies are apart; `None` if the algorithm does not know.
    pub apart: Option<bool>,
    /// Holds the distance, if that was measured.
    pub distance: Option<Interval>,
    /// Support points of the difference, or pairs of features looked at.
    pub iterations: u32,
}

impl Answer {
    /// Nothing was found.
    const UNKNOWN: Self = Self { apart: None, distance: None, iterations: 0 };

    fn yes_or_no(outcome: Separation, iterations: u32) -> Self {
        let apart = match outcome {
            Separation::Separated { .. } => Some(true),
            Separation::Colliding => Some(false),
            Separation::Undecided => None,
        };
        Self { apart, distance: None, iterations }
    }

    fn measured(distance: Interval, iterations: u32) -> Self {
        let apart = (distance.lower > 0.0).then_some(true);
        Self { apart, distance: Some(distance), iterations }
    }
}

impl From<Gjk> for Answer {
    fn from(found: Gjk) -> Self {
        let answer = Self::measured(found.distance, found.iterations);
        if found.encloses { Self { apart: Some(false), ..answer } } else { answer }
    }
}

impl From<ChungWang> for Answer {
    fn from(found: ChungWang) -> Self {
        Self::yes_or_no(found.outcome, found.rounds)
    }
}

impl From<FeatureAnswer> for Answer {
    fn from(found: FeatureAnswer) -> Self {
        let unmeasured = |apart| Self { apart, distance: None, iterations: found.steps };
        match found.outcome {
            FeatureOutcome::Apart(closest) | FeatureOutcome::Touching(closest) => {
                Self::measured(closest.certified, found.steps)
            }
            FeatureOutcome::Penetrating => unmeasured(Some(false)),
            FeatureOutcome::GaveUp => unmeasured(None),
        }
    }
}

/// What all algorithms together say of one question. Each answer is certain, so any two must agree: on apart or not,
/// and their intervals must have a distance in common.
#[derive(Debug, Clone, Copy)]
pub struct Agreement {
    apart: Option<(bool, Method)>,
    distance: Interval,
}

impl Agreement {
    /// Nothing is said yet.
    pub const NONE: Self = Self { apart: None, distance: Interval { lower: 0.0, upper: f64::INFINITY } };

    /// Takes one more answer in.
    pub fn join(&mut self, method: Method, answer: &Answer) -> Result<()> {
        if let Some(apart) = answer.apart {
            let (other, by) = *self.apart.get_or_insert((apart, method));
            let names = || format!("{} and {}", by.name(), method.name());
            ensure(other == apart, || format!("{} disagree on whether two bodies are apart", names()))?;
        }
        if let Some(Interval { lower, upper }) = answer.distance {
            let Interval { lower: least, upper: most } = self.distance;
            self.distance = Interval { lower: lower.max(least), upper: upper.min(most) };
            ensure(self.distance.lower <= self.distance.upper, || {
                format!("{}: distance in [{lower}, {upper}], but others say [{least}, {most}]", method.name())
            })?;
        }
        Ok(())
    }

    /// Whether the bodies are apart, if anyone knows.
    pub fn apart(&self) -> Option<bool> {
        self.apart.map(|(apart, _)| apart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_cannot_both_be_true_are_an_error() {
        let yes = |apart| Answer { apart: Some(apart), distance: None, iterations: 1 };
        let far = |lower, upper| Answer::measured(Interval { lower, upper }, 1);
        let mut agreement = Agreement::NONE;
        agreement.join(Method::Gjk, &far(1.0, 2.0)).unwrap();
        agreement.join(Method::LinCanny, &far(1.5, 3.0)).unwrap();
        agreement.join(Method::ChungWang, &yes(true)).unwrap();
        assert_eq!(agreement.apart(), Some(true));
        let mut other = agreement;
        assert!(other.join(Method::GjkCases, &yes(false)).unwrap_err().to_string().contains("GJK by cases"));
        // [1, 2] and [1.5, 3] leave [1.5, 2].
        assert!(agreement.join(Method::GjkNesterov, &far(1.0, 1.4)).is_err());
    }
}
