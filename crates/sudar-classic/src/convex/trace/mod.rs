//! The methods for two convex bodies step by step, to be drawn around the origin of their difference.
//!
//! | trace | what is traced |
//! |---|---|
//! | [`trace_gjk_cases`] | [`gjk_cases`](super::gjk_cases()): lines, triangles, tetrahedra, by signs alone |
//! | [`trace_chung_wang`] | [`chung_wang`](super::chung_wang()): vectors reflected until one separates |
//! | [`trace_gjk`] | GJK for the distance, as Gilbert, Johnson and Keerthi 1988 describe it |
//! | [`trace_expanding_polytope`] | van den Bergen's expanding polytope (2001) for the depth |
//!
//! The first two are those that answer, told while they run. The other two are plain versions written to be read and
//! watched; [`sudar::convex`] has the ones to use. All see the difference A − B with its margins.
//!
//! ```
//! use sudar::convex::{Convex, Difference, PosedConvex};
//! use sudar::{Cuboid, DVec3, Pose, Shape};
//! use sudar_classic::convex::trace::trace_gjk;
//!
//! let cube = Shape::from(Cuboid::new(DVec3::ONE)?);
//! let away = Pose::from_translation(DVec3::new(5.0, 1.0, 0.5))?;
//! if let Some(cube) = Convex::of(&cube) {
//!     let difference = Difference::new(PosedConvex::new(&cube, &Pose::IDENTITY), PosedConvex::new(&cube, &away));
//!     let trace = trace_gjk(&difference, 32);
//!     // Two sides that face each other, 3 apart.
//!     assert!(trace.bounds().contains(3.0) && trace.bounds().width() < 1e-9);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod expanding;
mod gjk;
mod told;

pub use expanding::trace_expanding_polytope;
pub use gjk::trace_gjk;
pub use told::{trace_chung_wang, trace_gjk_cases};

use sudar::DVec3;
use sudar::convex::{Difference, Vertex};
use sudar::math::Interval;

use super::Separation;

/// A round of a method: one support point of the difference, and what is kept after it.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceStep {
    /// The direction, of length 1, in which the support point was looked for.
    pub direction: DVec3,
    /// That point of the difference.
    pub support: DVec3,
    /// The corners that are kept: a simplex, a polytope, or all points so far.
    pub points: Vec<DVec3>,
    /// The triangles of a polytope by their corners, counter-clockwise from outside; none of other methods.
    pub faces: Vec<[u32; 3]>,
    /// The point of what is kept that is nearest to the origin, where the method knows it.
    pub nearest: Option<DVec3>,
    /// What is certain so far, up to rounding, of the distance; of an expanding polytope, of the depth.
    pub bounds: Interval,
}

/// All rounds of a method, and what came of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The rounds in order.
    pub steps: Vec<TraceStep>,
    /// The answer, as far as the method knows.
    pub outcome: Separation,
}

impl Trace {
    /// What is certain at last.
    pub fn bounds(&self) -> Interval {
        self.steps.last().map_or(UNKNOWN, |step| step.bounds)
    }
}

const UNKNOWN: Interval = Interval { lower: 0.0, upper: f64::INFINITY };

/// The support point of the difference with its margins.
fn swollen(difference: &Difference, unit: DVec3) -> Vertex {
    let vertex = difference.support(unit);
    Vertex { point: vertex.point + unit * difference.margin(), ..vertex }
}

/// The difference itself, for the picture: points of its boundary, margins included, whose hull it is, or nearly is for
/// round bodies and for more than `most` pairs of vertices. In the same place as the points of all steps.
pub fn points_of_difference(difference: &Difference, most: usize) -> Vec<DVec3> {
    let corners = |side: &sudar::convex::PosedConvex| {
        let convex = side.convex();
        let round = !convex.is_polytope() || convex.margin() > 0.0;
        (!round).then(|| convex.vertex_count())
    };
    match (corners(&difference.a), corners(&difference.b)) {
        (Some(a), Some(b)) if a.saturating_mul(b) as usize <= most => {
            (0..a).flat_map(|i| (0..b).map(move |j| difference.vertex([i, j]).point)).collect()
        }
        _ => directions(most).map(|unit| swollen(difference, unit).point).collect(),
    }
}

/// Unit vectors that are spread evenly (the spiral of Fibonacci's angles).
fn directions(count: usize) -> impl Iterator<Item = DVec3> {
    const GOLDEN: f64 = 2.399_963_229_728_653;
    (0..count).map(move |i| {
        let z = 1.0 - (2.0 * i as f64 + 1.0) / count as f64;
        let (flat, angle) = ((1.0 - z * z).sqrt(), GOLDEN * i as f64);
        DVec3::new(flat * libm::cos(angle), flat * libm::sin(angle), z)
    })
}
