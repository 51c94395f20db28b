//! Contact manifolds: where two convex bodies press against each other, as up to four points.
//!
//! Each body shows the other a feature: the face, edge or vertex that faces it. Seen along the contact normal these
//! are two flat outlines, and where the outlines overlap the bodies are in contact. At each corner of the overlap the
//! height of the one feature above the other is the depth there, so that both points of a contact lie on the surfaces
//! themselves. Of more than four corners those are kept that hold a resting body best.
//!
//! Outlines are clipped by Sutherland and Hodgman 1974, "Reentrant polygon clipping". Clipping one body's face against
//! the other's, and the choice of four: Gregorius 2015, "Robust contact creation for physics simulations" (Game
//! Developers Conference). He projects on a reference face; here both features are treated alike, so that the answer
//! does not depend on the order of the bodies.

mod facet;
mod frame;
mod list;
mod outline;
mod overlap;
mod point;
mod polytope;
mod quads;
mod reduce;
mod round;
mod shown;
mod wall;

use glam::DVec3;

use super::PosedConvex;
use crate::math::Interval;
use frame::Frame;
use outline::{Kind, Outline, Side};
use overlap::{Slack, Touch, none, overlap};
use quads::quads;
use shown::shown;

pub use facet::{FacetTriangle, OnFacet, OverFacet};
pub use point::{ContactFeature, ContactId, ManifoldPoint, SignedDistance};
pub use reduce::{ContactSpot, reduce_manifold};
pub use wall::manifold_on_wall;

/// At most four contacts with one normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manifold {
    /// Unit direction from the first body to the second.
    pub normal: DVec3,
    points: [ManifoldPoint; 4],
    count: usize,
}

impl Manifold {
    /// The contacts, the deepest first.
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points[..self.count]
    }

    fn empty(normal: DVec3) -> Self {
        let id = ContactId { a: ContactFeature::Vertex(0), b: ContactFeature::Vertex(0) };
        let nothing = ManifoldPoint { point_a: DVec3::ZERO, point_b: DVec3::ZERO, depth: 0.0, id };
        Self { normal, points: [nothing; 4], count: 0 }
    }

    /// The four most useful of the touches, in the world.
    fn of(touches: &[Touch], frame: &Frame, slack: f64) -> Self {
        let mut manifold = Self::empty(frame.normal());
        let spot = |t: &Touch| ContactSpot { place: DVec3::new(t.x, t.y, 0.0), depth: t.depth() };
        let (chosen, count) = reduce_manifold(touches.len(), |i| spot(&touches[i]), DVec3::Z, slack);
        for (point, &i) in manifold.points.iter_mut().zip(&chosen[..count]) {
            *point = touches[i].in_world(frame);
        }
        manifold.count = count;
        manifold
    }

    fn swapped(mut self) -> Self {
        self.normal = -self.normal;
        for point in &mut self.points[..self.count] {
            let ManifoldPoint { point_a, point_b, id, .. } = *point;
            (point.point_a, point.point_b) = (point_b, point_a);
            point.id = ContactId { a: id.b, b: id.a };
        }
        self
    }
}

/// The contacts of two convex bodies of depth at least `−margin`, at most four; none if they are certainly
/// farther apart than that.
///
/// The contact of the separation is among them, up to rounding, and none is deeper. The others are where the
/// outlines of the two features that face each other overlap: of a face if its normal is within 60° of the
/// contact normal, else of an edge if it is at least 30° off, else of a vertex alone. Two edges that cross
/// make one contact. The discs of cylinders and cones are known by eight points on their rim, of which the
/// nearest gives way to the deepest; the sides by the line that faces the other body. Swapping the bodies
/// swaps the points and turns the normal, and changes nothing else if the separation does so.
///
/// Where the gap is so small that rounding, or the accuracy of the search, hides its direction, and a face is
/// at a right angle to it within that doubt, the normal is that of the face.
///
/// Cost: about half a microsecond for boxes, a third of one where a single point touches; for large faces in proportion
/// to the product of their corners.
pub fn convex_manifold(
    a: &PosedConvex,
    b: &PosedConvex,
    separation: &SignedDistance,
    margin: f64,
) -> Manifold {
    if separation.signed.lower > margin {
        return Manifold::empty(separation.normal);
    }
    if comes_first(b, a) {
        return ordered(b, a, &separation.swapped(), margin).swapped();
    }
    ordered(a, b, separation, margin)
}

/// An order of bodies by size and place, so that it does not matter which is called the first.
fn comes_first(a: &PosedConvex, b: &PosedConvex) -> bool {
    let key = |c: &PosedConvex| {
        let center = c.center();
        [c.convex().radius(), c.convex().margin(), center.x, center.y, center.z]
    };
    key(a) < key(b)
}

fn ordered(a: &PosedConvex, b: &PosedConvex, separation: &SignedDistance, margin: f64) -> Manifold {
    let shown = Shown::new(a, b, separation);
    match shown.steadier_normal(separation) {
        Some(normal) => {
            Shown::new(a, b, &SignedDistance { normal, ..*separation }).manifold(separation, margin)
        }
        None => shown.manifold(separation, margin),
    }
}

/// What two bodies show each other.
struct Shown {
    frame: Frame,
    ours: Outline,
    theirs: Outline,
    slack: Slack,
    /// Both margins together.
    margins: f64,
    /// How far the nearest points of the cores may be off.
    aside: f64,
}

impl Shown {
    #[inline]
    fn new(a: &PosedConvex, b: &PosedConvex, separation: &SignedDistance) -> Self {
        let frame = Frame::new(separation, a, b);
        let margins = a.convex().margin() + b.convex().margin();
        let aside = frame.slack + frame.scaled(aside(separation, margins));
        let polytopes = a.convex().is_polytope() && b.convex().is_polytope();
        // Of polytopes the nearest features are found for certain, and rounding is all there is.
        let place = if polytopes { frame.slack } else { aside };
        Self {
            ours: shown(a, &frame, Side::Below, separation.point_a),
            theirs: shown(b, &frame, Side::Above, separation.point_b),
            slack: Slack { rounding: frame.slack, place },
            frame,
            margins,
            aside,
        }
    }

    /// The direction across a gap is known only up to the angle by which the nearest points may be off. If within that
    /// it is the normal of a face, it is taken to be: so bodies a hair apart still rest on each other.
    fn steadier_normal(&self, separation: &SignedDistance) -> Option<DVec3> {
        let gap = self.frame.scaled(separation.signed.lower + self.margins);
        let slope = |outline: &Outline| match outline.kind {
            Kind::Face { slope, .. } => Some(slope),
            Kind::Edge | Kind::Point => None,
        };
        let slopes = [&self.ours, &self.theirs].into_iter().filter_map(slope);
        let least = slopes.min_by(|s, t| s.length_squared().total_cmp(&t.length_squared()))?;
        let off = least.length();
        (gap > 0.0 && off > 4.0 * f64::EPSILON && off * gap <= self.aside)
            .then(|| self.frame.direction(DVec3::new(-least.x, -least.y, 1.0)).normalize())
    }

    fn manifold(&self, separation: &SignedDistance, margin: f64) -> Manifold {
        let Self { frame, ours, theirs, .. } = self;
        let least = -frame.scaled(margin) - frame.slack;
        let mut touches = none();
        if !quads(ours, theirs, self.slack, least, &mut touches) {
            touches = overlap(ours, theirs, self.slack);
        }
        // Whatever rounding did to the outlines, the contact that is known for certain is not lost.
        let known = Touch::known(frame, separation, ours.name(), theirs.name());
        touches.keep(|t| t.depth() >= least);
        include(&mut touches, known, frame.slack);
        Manifold::of(touches.as_slice(), frame, frame.slack)
    }
}

/// How far one core may be off sideways, as seen from the other along the normal, because the separation is
/// not known better. The search ended with a nearest point v of the difference and the plane at the height of
/// the lower end, which the true nearest point v* is beyond: |v − v*|² ≤ upper² − lower².
fn aside(separation: &SignedDistance, margins: f64) -> f64 {
    let Interval { lower, upper } = separation.signed;
    let far = lower.abs().max(upper.abs()) + margins;
    (2.0 * far).sqrt() * (upper - lower).sqrt()
}

/// Puts the known deepest touch in the place of that nearest to it, unless one is as deep.
fn include(touches: &mut list::List<Touch>, known: Touch, slack: f64) {
    let touches_known = |t: &Touch| t.depth() >= known.depth() - slack;
    if touches.as_slice().iter().any(touches_known) {
        return;
    }
    let distance = |t: &Touch| libm::hypot(t.x - known.x, t.y - known.y);
    let nearest = touches.as_mut_slice().iter_mut().min_by(|s, t| distance(s).total_cmp(&distance(t)));
    match nearest {
        Some(touch) => *touch = Touch { id: touch.id, ..known },
        None => touches.push(known),
    }
}
