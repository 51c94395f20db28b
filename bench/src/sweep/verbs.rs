//! What is asked, and what may be spent on it.

use glam::DVec3;
use sudar::effort::{Budget, Partial, Statistics};
use sudar::query::{Body, DistanceEnd, DistanceOptions, StopReason, Work};
use sudar::{Pose, Ray};

/// A query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// First hit of two meshes.
    Intersects,
    /// All pairs of triangles that meet.
    Contacts,
    /// Exact distance.
    Distance,
    /// A tolerance a little above the distance.
    Within,
    /// Local minima up to half the size.
    LocalMinima,
    /// Pairs of triangles of one mesh that meet.
    SelfIntersections,
    /// Contacts with a margin of a hundredth of the size.
    Manifold,
    /// First hit of a ray through the middle.
    Ray,
    /// Nearest point to one beside the mesh.
    ClosestPoint,
    /// Winding number at that point, which any mesh has.
    Contains,
}

/// All of them.
pub const VERBS: [Verb; 10] = [
    Verb::Intersects,
    Verb::Contacts,
    Verb::Distance,
    Verb::Within,
    Verb::LocalMinima,
    Verb::SelfIntersections,
    Verb::Manifold,
    Verb::Ray,
    Verb::ClosestPoint,
    Verb::Contains,
];

/// What may be spent for each unit of (n + hits)·log₂ n, n being the triangles of both meshes.
#[derive(Debug, Clone, Copy)]
pub struct Bound {
    /// Nodes and triangles looked at.
    pub steps: f64,
    /// Nanoseconds.
    pub nanoseconds: f64,
    /// Bytes of memory, for each of (n + hits) alone, layers of the tree that are built on first use included.
    pub bytes: f64,
}

/// What was done.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    /// How much there is to tell: pairs, minima, contacts.
    pub hits: u64,
    /// Whether the query came to its end.
    pub complete: bool,
    /// What it counted.
    pub statistics: Statistics,
}

impl Verb {
    /// As in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Intersects => "intersects",
            Self::Contacts => "contacts",
            Self::Distance => "distance",
            Self::Within => "within",
            Self::LocalMinima => "local_minima",
            Self::SelfIntersections => "self_intersections",
            Self::Manifold => "manifold",
            Self::Ray => "ray",
            Self::ClosestPoint => "closest_point",
            Self::Contains => "winding_number",
        }
    }

    /// The stated bound. Of counts some three times what well-behaved meshes need; of time what counts cost where exact
    /// arithmetic decides most of them.
    pub fn bound(self) -> Bound {
        let bound = |steps, nanoseconds, bytes| Bound { steps, nanoseconds, bytes };
        match self {
            Self::Intersects | Self::Within | Self::Distance => bound(2.0, 1000.0, 500.0),
            Self::Contacts | Self::SelfIntersections => bound(4.0, 2000.0, 500.0),
            Self::LocalMinima => bound(8.0, 4000.0, 2000.0),
            Self::Manifold => bound(4.0, 4000.0, 1000.0),
            Self::Ray | Self::ClosestPoint | Self::Contains => bound(0.5, 500.0, 200.0),
        }
    }

    /// Asks under a budget.
    pub fn ask(self, body: &Body, pose: &Pose, size: f64, budget: Budget) -> Answer {
        let mut work = Work::new(budget);
        let here = Pose::IDENTITY;
        let beside = DVec3::new(0.31, 0.22, 0.57) * size;
        let (hits, complete) = match self {
            Self::Intersects => (1, work.intersects(body.at(&here), body.at(pose)).decided().is_some()),
            Self::Contacts => listed(&work.contacts(body.at(&here), body.at(pose))),
            Self::Distance => {
                let end = work.distance(body.at(&here), body.at(pose), &DistanceOptions::EXACT).end;
                (1, end != DistanceEnd::Stopped(StopReason::Budget))
            }
            Self::Within => {
                let said = work.within(body.at(&here), body.at(pose), 0.1 * size);
                (1, said.decided().is_some())
            }
            Self::LocalMinima => listed(&work.local_minima(body.at(&here), body.at(pose), 0.5 * size)),
            Self::SelfIntersections => listed(&work.self_intersections(body.at(&here))),
            Self::Manifold => listed(&work.manifold(body.at(&here), body.at(pose), 0.01 * size)),
            Self::Ray => {
                let ray = Ray { origin: beside, direction: DVec3::new(-0.3, -0.2, -0.6) * size };
                (1, work.ray(body.at(&here), &ray, 100.0).complete)
            }
            Self::ClosestPoint => {
                work.closest_point(body.at(&here), beside);
                (1, !work.was_stopped())
            }
            Self::Contains => {
                work.winding_number(body.at(&here), beside, 1e-6);
                (1, !work.was_stopped())
            }
        };
        Answer { hits, complete, statistics: work.statistics() }
    }
}

fn listed<T>(all: &Partial<Vec<T>>) -> (u64, bool) {
    (all.found.len() as u64, all.complete)
}
