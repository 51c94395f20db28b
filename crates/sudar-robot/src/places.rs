//! Where the balls of a robot are in one configuration, each computed once.

use sudar::DVec3;

use crate::Part;
use crate::ball::Ball;
use crate::core::{Core, ROUNDING, Verdict};
use crate::frame::Frame;
use crate::part::Piece;

/// The frames of a configuration, and the centres of balls in it.
#[derive(Debug, Default)]
pub(crate) struct Places {
    pub frames: Vec<Frame>,
    /// Of the ball around each part.
    pub parts: Vec<DVec3>,
    /// Of the balls of pieces, by their slots.
    centers: Vec<DVec3>,
    is_ready: Vec<bool>,
    /// Bound on the rounding of distances between any of these.
    pub slack: f64,
}

impl Places {
    /// To be called when the frames are those of another configuration.
    pub fn renew(&mut self, parts: &[Part], slots: usize) {
        let Self { frames, parts: centers, .. } = self;
        centers.clear();
        centers.reserve(parts.len());
        let mut reach = 0.0_f64;
        for part in parts {
            let center = frames[part.node].apply(part.ball.center);
            // What has no end, such as a floor, is never apart by its ball.
            if part.ball.radius.is_finite() {
                reach = reach.max(center.abs().max_element() + part.ball.reach());
            }
            centers.push(center);
        }
        self.slack = 8.0 * ROUNDING * reach;
        self.is_ready.clear();
        self.is_ready.resize(parts.len(), false);
        self.centers.resize(slots, DVec3::ZERO);
    }

    /// Lets the balls of a part be where they are.
    #[inline]
    pub fn ready(&mut self, i: usize, part: &Part) {
        if std::mem::replace(&mut self.is_ready[i], true) {
            return;
        }
        let frame = self.frames[part.node];
        for piece in &part.pieces {
            self.centers[piece.slot] = frame.apply(piece.ball.center);
            for (k, ball) in piece.cover.iter().enumerate() {
                self.centers[piece.slot + 1 + k] = frame.apply(ball.center);
            }
        }
    }

    /// The balls of a piece with their centres: its cover, or the one around it.
    #[inline]
    pub fn cover<'a>(&'a self, piece: &'a Piece) -> (&'a [Ball], &'a [DVec3]) {
        if piece.cover.is_empty() {
            (std::slice::from_ref(&piece.ball), &self.centers[piece.slot..=piece.slot])
        } else {
            (&piece.cover, &self.centers[piece.slot + 1..][..piece.cover.len()])
        }
    }

    #[inline]
    pub fn center(&self, piece: &Piece) -> DVec3 {
        self.centers[piece.slot]
    }

    /// Whether balls are certainly apart.
    #[inline(always)]
    pub fn are_apart(&self, p: DVec3, q: DVec3, reach: f64) -> bool {
        let outer = reach + self.slack;
        (p - q).length_squared() > outer * outer
    }

    /// Tests a piece against an object, padded by `padding`, by their balls.
    #[inline]
    pub fn verdict(&self, piece: &Piece, core: &Core, padding: f64) -> Verdict {
        let verdict = core.verdict(self.center(piece), piece.ball.radius, piece.is_ball, padding);
        if verdict != Verdict::Unknown || piece.cover.is_empty() {
            return verdict;
        }
        let (balls, centers) = self.cover(piece);
        let mut all = balls.iter().zip(centers);
        let is_apart = all.all(|(ball, p)| core.verdict(*p, ball.radius, false, padding) == Verdict::Apart);
        if is_apart { Verdict::Apart } else { Verdict::Unknown }
    }

    /// A distance that a piece is at least from an object.
    pub fn least(&self, piece: &Piece, core: &Core) -> f64 {
        let whole = core.least(self.center(piece), piece.ball.radius);
        let (balls, centers) = self.cover(piece);
        let covered = balls.iter().zip(centers).map(|(ball, p)| core.least(*p, ball.radius));
        if piece.cover.is_empty() { whole } else { whole.max(covered.fold(f64::INFINITY, f64::min)) }
    }

    /// Tests two pieces by their balls.
    #[inline]
    pub fn verdict_of(&self, a: &Piece, b: &Piece) -> Verdict {
        let (p, q) = (self.center(a), self.center(b));
        let (square, reach) = ((p - q).length_squared(), a.ball.radius + b.ball.radius);
        let (outer, inner) = (reach + self.slack, reach - self.slack);
        if square > outer * outer {
            Verdict::Apart
        } else if a.is_ball && b.is_ball {
            if inner > 0.0 && square < inner * inner { Verdict::Touching } else { Verdict::Unknown }
        } else if self.covers_are_apart(a, b) {
            Verdict::Apart
        } else {
            Verdict::Unknown
        }
    }

    fn covers_are_apart(&self, a: &Piece, b: &Piece) -> bool {
        if a.cover.is_empty() && b.cover.is_empty() {
            return false;
        }
        let ((balls, centers), (others, their)) = (self.cover(a), self.cover(b));
        balls.iter().zip(centers).all(|(ball, p)| {
            self.are_apart(*p, self.center(b), ball.radius + b.ball.radius)
                || others
                    .iter()
                    .zip(their)
                    .all(|(other, q)| self.are_apart(*p, *q, ball.radius + other.radius))
        })
    }

    /// A distance that two pieces are at least apart.
    pub fn least_of(&self, a: &Piece, b: &Piece) -> f64 {
        let ((balls, centers), (others, their)) = (self.cover(a), self.cover(b));
        let mut least = f64::INFINITY;
        for (ball, p) in balls.iter().zip(centers) {
            for (other, q) in others.iter().zip(their) {
                least = least.min((*p - *q).length() - (ball.radius + other.radius));
            }
        }
        let whole = (self.center(a) - self.center(b)).length() - (a.ball.radius + b.ball.radius);
        least.max(whole) - self.slack
    }
}
