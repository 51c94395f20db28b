//! How queries about things that move are answered.

use sudar::math::{Interval, Pose};
use sudar::motion::Motion;
use sudar::query::{Body, Impact, StopReason, Sweep, SweepOptions, Work};
use sudar::shape::Aabb;
use sudar_classic::motion::{Passage, PassageOptions, edge_edge, vertex_face};

use crate::answer::FirstContactAnswer;
use crate::found::written;
use crate::query::{Corners, PassageSpec, ToleranceSpec};

/// Of the size of the scene.
const DELTA: f64 = 1e-6;

impl PassageSpec {
    pub(super) fn ask(&self) -> FirstContactAnswer {
        let size = Aabb::around(self.start.into_iter().chain(self.end)).extent().max_element();
        let options = PassageOptions {
            separation: self.tolerance.separation.unwrap_or(0.0),
            delta: self.tolerance.delta.unwrap_or(DELTA * size),
        };
        let found = match self.corners {
            Corners::VertexFace => vertex_face(&self.start, &self.end, &options),
            Corners::EdgeEdge => edge_edge(&self.start, &self.end, &options),
        };
        match found {
            Passage::Free => FirstContactAnswer { hit: Some(false), ..FirstContactAnswer::default() },
            Passage::Hit(time) => FirstContactAnswer::at(time),
            Passage::Undecided(free_until) => FirstContactAnswer::undecided(free_until, StopReason::Budget),
        }
    }
}

impl FirstContactAnswer {
    fn at(time: Interval) -> Self {
        Self { hit: Some(true), t_lower: Some(time.lower), t_upper: Some(time.upper), ..Self::default() }
    }

    fn undecided(free_until: f64, reason: StopReason) -> Self {
        let undecided = Some(written(reason));
        Self { t_lower: Some(free_until), undecided, ..Self::default() }
    }
}

/// Two bodies on their way.
#[derive(Debug, Clone)]
pub(super) struct Motions {
    pub bodies: [Body; 2],
    pub motions: [Motion; 2],
    pub options: SweepOptions,
}

impl Motions {
    /// From the poses at both ends of the time.
    pub fn new(bodies: [Body; 2], starts: [Pose; 2], ends: [Pose; 2], tolerance: &ToleranceSpec) -> Self {
        let motions = [0, 1].map(|i| Motion::between(&starts[i], &ends[i]));
        let options = SweepOptions::of_scene([0, 1].map(|i| bodies[i].moving(&motions[i])))
            .apart_by(tolerance.separation.unwrap_or(0.0));
        let options = tolerance.delta.map_or(options, |delta| options.to_within(delta));
        Self { motions, bodies, options }
    }

    pub fn ask(&self, work: &mut Work<'_>) -> FirstContactAnswer {
        let [a, b] = [0, 1].map(|i| self.bodies[i].moving(&self.motions[i]));
        match work.sweep(a, b, &self.options) {
            Sweep::Free => FirstContactAnswer { hit: Some(false), ..FirstContactAnswer::default() },
            Sweep::Hit(Impact { time, point_a, point_b, normal, features, .. }) => FirstContactAnswer {
                point_a: Some(point_a),
                point_b: Some(point_b),
                normal: Some(normal),
                features: Some(features),
                ..FirstContactAnswer::at(time)
            },
            Sweep::Undecided { free_until, reason } => FirstContactAnswer::undecided(free_until, reason),
        }
    }
}
