//! The nearest features of two polyhedra, kept from step to step, as in I-COLLIDE.
//!
//! Lin and Canny 1991, "A fast algorithm for incremental distance calculation"; Cohen, Lin, Manocha and Ponamgi 1995,
//! "I-COLLIDE: an interactive and exact collision detection system for large-scale environments". From the pair of
//! features that were nearest a step ago a few steps lead to those that are now, for any number of features. The
//! steps are those of [`walk`], after Lin–Canny and V-Clip; what they end with is measured in closed form and proven by
//! support points ([`Closest::certified`]), so rounding on the way can cost the answer but not make it wrong.

mod certify;
mod feature_map;
mod pseudo_voronoi;
mod region;
mod walk;

use sudar::glam::{DMat3, DVec3};

use certify::certify;
use sudar::convex::{Core, Difference, PosedConvex};
use walk::{Side, Step, step};

pub use certify::Closest;
pub use feature_map::{Feature, FeatureMap};
pub use pseudo_voronoi::{PseudoVoronoi, pseudo_voronoi_penetration};
pub use region::VoronoiRegion;

/// A polyhedron with its features as it stands in the world.
#[derive(Debug, Clone, Copy)]
pub struct PosedFeatures<'a> {
    map: &'a FeatureMap,
    body: PosedConvex<'a>,
}

impl<'a> PosedFeatures<'a> {
    /// The body at its pose; `None` if the features are those of another hull.
    pub fn new(map: &'a FeatureMap, body: PosedConvex<'a>) -> Option<Self> {
        match body.convex().core() {
            Core::Cuboid(_, polytope) | Core::Polytope(polytope) => {
                std::sync::Arc::ptr_eq(map.hull(), polytope.hull()).then_some(Self { map, body })
            }
            Core::Point(_) | Core::Segment(_) | Core::Triangle(_) | Core::Round(_) => None,
        }
    }

    /// The features in the body's own frame.
    pub fn map(&self) -> &'a FeatureMap {
        self.map
    }

    /// The body at its pose.
    pub fn body(&self) -> &PosedConvex<'a> {
        &self.body
    }
}

/// What the walk came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FeatureOutcome {
    /// The bodies are apart for certain.
    Apart(Closest),
    /// These features are so near each other that rounding could hide a common point, and no overlap was proven: the
    /// lower end of [`Closest::certified`] is 0.
    Touching(Closest),
    /// The bodies have a common point for certain.
    Penetrating,
    /// The walk went round in circles, took too many steps, or found a common point that rounding could have made up.
    /// Another algorithm must decide.
    GaveUp,
}

/// The answer of a walk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureAnswer {
    /// What was found.
    pub outcome: FeatureOutcome,
    /// Pairs of features that were tested.
    pub steps: u32,
}

/// The pair of features that a walk ended with, and where the next begins.
///
/// As in I-COLLIDE: Lin and Canny 1991, "A fast algorithm for incremental distance calculation", with steps of Mirtich
/// 1998, "V-Clip: fast and robust polyhedral collision detection".
/// One of these belongs to one pair of bodies, always in the same order. Features that a body does not have count as
/// not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClosestFeatures {
    features: Option<[Feature; 2]>,
}

impl ClosestFeatures {
    /// No features are known: the first walk begins at the vertices that face each other.
    pub const fn new() -> Self {
        Self { features: None }
    }

    /// A walk that begins at the given features.
    pub const fn from_features(features: [Feature; 2]) -> Self {
        Self { features: Some(features) }
    }

    /// The features the last walk ended with.
    pub fn features(&self) -> Option<[Feature; 2]> {
        self.features
    }

    /// The nearest features of the bodies as they stand now, margins left aside.
    ///
    /// At most four steps for every feature of the two bodies; from features that were nearest a moment ago, about
    /// one or two. A step tests the neighbours of the two features.
    pub fn update(&mut self, a: &PosedFeatures, b: &PosedFeatures) -> FeatureAnswer {
        self.update_told(a, b, &mut |_| {})
    }

    /// The same, and tells each pair of features that is tested, in order, with their nearest points: the last is the
    /// answer. To be drawn; slower.
    pub fn trace(&mut self, a: &PosedFeatures, b: &PosedFeatures) -> (FeatureAnswer, Vec<Closest>) {
        let (difference, mut steps) = (Difference::new(a.body, b.body), Vec::new());
        let answer = self
            .update_told(a, b, &mut |features| steps.push(certify(&difference, [a.map, b.map], features)));
        (answer, steps)
    }

    fn update_told(
        &mut self,
        a: &PosedFeatures,
        b: &PosedFeatures,
        tell: &mut dyn FnMut([Feature; 2]),
    ) -> FeatureAnswer {
        let difference = Difference::new(a.body, b.body);
        let start = self.features.filter(|f| a.map.has(f[0]) && b.map.has(f[1]));
        let mut walk = Walk::new(a, b, &difference, start.unwrap_or_else(|| facing(&difference)));
        let limit = 4 * (a.map.features() + b.map.features()) as u32;
        let ended = walk.run(limit, tell);
        let features = [walk.at.0, walk.at.1];
        self.features = Some(features);
        let outcome = match ended {
            Some(Step::Nearest) => walk.measured(&difference, features),
            Some(Step::Inside) => FeatureOutcome::Penetrating,
            Some(Step::Lost | Step::To(..)) | None => walk.abandoned(features),
        };
        FeatureAnswer { outcome, steps: walk.steps }
    }
}

/// The vertices of two bodies farthest towards each other's centres.
fn facing(difference: &Difference) -> [Feature; 2] {
    let between = difference.between();
    let direction = if between == DVec3::ZERO { DVec3::X } else { between };
    difference.support(direction).vertices.map(Feature::Vertex)
}

/// More than what rounding moves a point by on the way from one body's frame to the other's: that takes two products
/// with matrices whose entries were rounded twice, of numbers up to the distance of the farthest points.
fn doubt(difference: &Difference) -> f64 {
    16.0 * difference.slack()
}

struct Walk<'a> {
    sides: [Side<'a>; 2],
    doubt: f64,
    at: (Feature, Feature),
    steps: u32,
}

impl<'a> Walk<'a> {
    fn new(
        a: &PosedFeatures<'a>,
        b: &PosedFeatures<'a>,
        difference: &Difference,
        start: [Feature; 2],
    ) -> Self {
        let back = [a, b].map(|x| x.body.pose().rotation().inverse());
        let side = |a: &PosedFeatures<'a>, back: DMat3, b: &PosedFeatures<'a>, between: DVec3| {
            let (turn, shift) = (back * b.body.pose().rotation(), back * between);
            Side { map: a.map, turn, shift, other: turn * b.map.middle + shift, back }
        };
        let sides = [side(a, back[0], b, difference.between()), side(b, back[1], a, -difference.between())];
        Self { sides, doubt: doubt(difference), at: (start[0], start[1]), steps: 0 }
    }

    /// What nearest features say of the bodies.
    fn measured(&self, difference: &Difference, features: [Feature; 2]) -> FeatureOutcome {
        let closest = certify(difference, [self.sides[0].map, self.sides[1].map], features);
        if closest.certified.lower > 0.0 {
            FeatureOutcome::Apart(closest)
        } else if closest.certified.upper > self.doubt {
            FeatureOutcome::GaveUp
        } else if self.meet_near(difference, &closest) {
            FeatureOutcome::Penetrating
        } else {
            FeatureOutcome::Touching(closest)
        }
    }

    /// What is left to say where the walk came to no end: bodies that share a plane or an edge may send it in circles
    /// although they overlap plainly.
    fn abandoned(&self, features: [Feature; 2]) -> FeatureOutcome {
        let [a, b] = &self.sides;
        let meets = |x: &Side, from: &Side, feature: Feature| {
            let corners = from.map.corners(feature);
            corners.iter().any(|v| x.surely_meets(x.import(from.map.vertices[*v as usize]), self.doubt))
        };
        let overlap = meets(b, a, features[0]) || meets(a, b, features[1]);
        if overlap { FeatureOutcome::Penetrating } else { FeatureOutcome::GaveUp }
    }

    /// Whether bodies whose features meet there overlap for certain.
    fn meet_near(&self, difference: &Difference, closest: &Closest) -> bool {
        let [a, b] = &self.sides;
        let a_in_b = b.back * (closest.point_a - difference.b.center());
        let b_in_a = a.back * (closest.point_b - difference.a.center());
        b.surely_meets(a_in_b, self.doubt) || a.surely_meets(b_in_a, self.doubt)
    }

    /// Walks until there is nowhere to go; `None` if that comes to no end. A pair met again means a circle, as every
    /// step depends on nothing but the pair; to notice it is enough to remember one, a later one at every doubling of
    /// the number of steps (Brent 1980, "An improved Monte Carlo factorization algorithm").
    fn run(&mut self, limit: u32, tell: &mut dyn FnMut([Feature; 2])) -> Option<Step> {
        let mut remembered = self.at;
        while self.steps < limit {
            self.steps += 1;
            tell([self.at.0, self.at.1]);
            match step(&self.sides[0], &self.sides[1], self.at, self.doubt) {
                Step::To(a, b) => self.at = (a, b),
                ended @ (Step::Nearest | Step::Inside | Step::Lost) => return Some(ended),
            }
            if self.at == remembered {
                return None;
            }
            if self.steps.is_power_of_two() {
                remembered = self.at;
            }
        }
        None
    }
}
