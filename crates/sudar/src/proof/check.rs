//! The checker.

use glam::DVec3;

use super::enclosure::may_hold;
use super::exact::{Point, Real, dot, mean, minus, point, real, root_up, up};
use super::gap::apart_by;
use super::membership::{Located, in_piece, located};
use super::placed::{Form, Placed};
use super::simplex::hulls_meet;
use super::tiling::check_tiling;
use super::{Certified, Footing, Lower, Near, PROOF_FORMAT, Proof, ProofError, Spot, Upper};
use crate::math::Pose;
use crate::shape::Shape;

impl Proof {
    /// Verifies the proof for these bodies. Any change of a shape, a pose or the proof that makes it wrong is
    /// found out; what is accepted holds in exact arithmetic.
    ///
    /// The cost is about that of posing all corners once for every block they are in, and of sorting the blocks; a
    /// solid is tested once for each connected part of the other body that lies in its box, O(triangles) each.
    ///
    /// # Errors
    /// [`ProofError`] with the first thing that does not hold.
    pub fn check(&self, a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Result<Certified, ProofError> {
        if self.format != PROOF_FORMAT {
            return Err(ProofError::Format { found: self.format });
        }
        let (a, b) = (Placed::new(a, pose_a), Placed::new(b, pose_b));
        let mut certified = Certified { lower: 0.0, upper: f64::INFINITY, disjoint: false, stray: [0.0; 2] };
        if let Some(lower) = &self.lower {
            check_lower(lower, &a, &b)?;
            certified = Certified { lower: lower.bound, disjoint: true, ..certified };
        }
        if let Some(upper) = &self.upper {
            let stray = check_upper(upper, &a, &b)?;
            certified = Certified { upper: upper.bound, stray, ..certified };
        }
        Ok(certified)
    }
}

fn check_bound(bound: f64, what: &'static str) -> Result<(), ProofError> {
    if bound.is_finite() && bound >= 0.0 { Ok(()) } else { Err(ProofError::Number { what }) }
}

fn check_lower(lower: &Lower, a: &Placed, b: &Placed) -> Result<(), ProofError> {
    check_bound(lower.bound, "the lower bound")?;
    check_tiling(lower, a.count(), b.count())?;
    for (i, block) in lower.blocks.iter().enumerate() {
        if !block.direction.is_finite() {
            return Err(ProofError::Number { what: "a direction" });
        }
        let range = |[from, to]: [u32; 2]| from as usize..to as usize;
        let (ours, theirs) = (&lower.order_a[range(block.a)], &lower.order_b[range(block.b)]);
        if !apart_by((a, ours), (b, theirs), block.direction, lower.bound) {
            return Err(ProofError::TooNear { block: i });
        }
    }
    if may_hold(a, b) || may_hold(b, a) { Err(ProofError::Inside) } else { Ok(()) }
}

/// Returns how far the points named are from their pieces, at most.
fn check_upper(upper: &Upper, a: &Placed, b: &Placed) -> Result<[f64; 2], ProofError> {
    check_bound(upper.bound, "the upper bound")?;
    match &upper.near {
        Near::Pieces { a: i, b: j } => {
            let (ours, theirs) = (flat_corners(a, *i)?, flat_corners(b, *j)?);
            if hulls_meet(&ours, &theirs) { Ok([0.0; 2]) } else { Err(ProofError::TooFar) }
        }
        Near::Points { a: p, b: q } => {
            let (ours, theirs) = (Ball::of(p, a, "a")?, Ball::of(q, b, "b")?);
            let reach = real(upper.bound) + &ours.radius + &theirs.radius;
            if !within(&ours.center, &theirs.center, &reach) {
                return Err(ProofError::TooFar);
            }
            Ok([p.stray, q.stray])
        }
    }
}

fn flat_corners(body: &Placed, piece: u32) -> Result<Vec<Point>, ProofError> {
    if piece >= body.count() || body.form(piece) != (Form::Hull { radius: 0.0 }) {
        return Err(ProofError::NoSuchPiece);
    }
    Ok(body.corners(piece).map(point).collect())
}

fn within(p: &Point, q: &Point, reach: &Real) -> bool {
    let apart = minus(p, q);
    dot(&apart, &apart) <= reach * reach
}

/// A set of points that belong to a body.
struct Ball {
    center: Point,
    radius: Real,
}

impl Ball {
    /// What a spot shows to belong to the body.
    fn of(spot: &Spot, body: &Placed, name: &'static str) -> Result<Self, ProofError> {
        check_bound(spot.stray, "a witness' distance from its piece")?;
        if !spot.point.is_finite() {
            return Err(ProofError::Number { what: "a witness" });
        }
        if spot.piece >= body.count() {
            return Err(ProofError::NoSuchPiece);
        }
        let ball = Self::unchecked(spot, body)?;
        let holds = match &spot.footing {
            Footing::Corners(_) => {
                within(&ball.center, &point(spot.point), &(&ball.radius + real(spot.stray)))
            }
            Footing::Itself => in_piece(spot.point, body, spot.piece),
            Footing::Enclosed => body
                .solids()
                .iter()
                .any(|s| s.contains(&spot.piece) && located(spot.point, body, s) != Located::Outside),
        };
        if holds { Ok(ball) } else { Err(ProofError::OffPiece { body: name }) }
    }

    fn unchecked(spot: &Spot, body: &Placed) -> Result<Self, ProofError> {
        let Footing::Corners(weights) = &spot.footing else {
            return Ok(Self { center: point(spot.point), radius: real(0.0) });
        };
        let corners: Vec<DVec3> = body.corners(spot.piece).collect();
        let mut weighted = Vec::with_capacity(weights.len());
        for &(corner, weight) in weights {
            check_bound(weight, "a weight")?;
            let &p = corners.get(corner as usize).ok_or(ProofError::NoSuchPiece)?;
            weighted.push((real(weight), point(p)));
        }
        let center = mean(&weighted).ok_or(ProofError::Weights)?;
        let radius = match body.form(spot.piece) {
            Form::Hull { radius } => real(radius),
            Form::Round(..) | Form::Halfspace { .. } => real(0.0),
        };
        Ok(Self { center, radius })
    }
}

/// Whether the checker accepts an upper half.
pub(crate) fn upper_holds(upper: &Upper, a: &Placed, b: &Placed) -> bool {
    check_upper(upper, a, b).is_ok()
}

/// The least upper bound that two spots prove, rounded up; `None` if one is not even well formed.
pub(crate) fn upper_bound(p: (&Spot, &Placed), q: (&Spot, &Placed)) -> Option<f64> {
    let (ours, theirs) = (Ball::unchecked(p.0, p.1).ok()?, Ball::unchecked(q.0, q.1).ok()?);
    let apart = minus(&ours.center, &theirs.center);
    let bound = root_up(&dot(&apart, &apart)) - ours.radius - theirs.radius;
    Some(up(&bound).max(0.0))
}

/// How far the point of a spot is from what its weights show to belong to the piece, rounded up.
pub(crate) fn stray(spot: &Spot, body: &Placed) -> Option<f64> {
    let ball = Ball::unchecked(spot, body).ok()?;
    let off = minus(&ball.center, &point(spot.point));
    Some(up(&(root_up(&dot(&off, &off)) - ball.radius)).max(0.0))
}
