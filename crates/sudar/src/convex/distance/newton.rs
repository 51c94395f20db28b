//! Nearest points of two cores on smooth pieces of their boundaries, by Newton's method on the direction between them.
//!
//! The height h(n) of the difference in a unit direction n is minus the gap between two supporting planes,
//! and its derivative is the support point. Where it is least the support point is opposite to n, and the gap
//! is the distance. Of bodies that are apart, h is convex around there: on smooth pieces, whose support
//! points have derivatives themselves, Newton's method doubles the digits with each step, while GJK gains
//! about one. What is found proves itself: the points are points of the bodies, and any direction is a bound.

use glam::{DMat3, DVec3};

use super::boundary::{Circle, Line, View, piece};
use crate::convex::{Difference, Vertex};
use crate::kind::Piece;

/// Two points with the unit direction from the first body to the second in which they are nearest.
pub struct Polished {
    pub normal: DVec3,
    /// As seen from the centre of the first body.
    pub a: DVec3,
    /// As seen from the centre of the second body.
    pub b: DVec3,
    /// a − b as a point of the difference.
    pub point: DVec3,
}

/// Newton steps in all; three or four are the rule.
const STEPS: u32 = 16;
/// How often a step is halved.
const HALVINGS: u32 = 3;
/// How often the search may change from piece to piece.
const CHANGES: u32 = 5;

/// Nearest points close to those that a search found, which goes on from the direction in which it saw a gap,
/// of any length; `None` where the pieces suggested do not have them. `relative` is the width of the interval
/// wanted.
pub fn nearest_points(
    difference: &Difference,
    simplex: &[Vertex],
    axis: DVec3,
    relative: f64,
) -> Option<Polished> {
    let mut search = Search::new(difference, simplex, axis / axis.length(), relative)?;
    search.run()
}

/// As [`nearest_points`], of cores that overlap: deepest points close to a unit direction in which they reach
/// little beyond each other, and a lower end of the depth; `None` also where nothing is known of that.
///
/// A ball inside of each body, that touches its boundary from inside where the body is deepest, makes a ball
/// inside of the difference. If that is larger than the depth along the direction, all of the ball around the
/// origin that the direction allows is in it: so it is the depth, in all directions, and not only the least
/// close by.
pub fn deepest_points(difference: &Difference, simplex: &[Vertex], normal: DVec3) -> Option<(Polished, f64)> {
    let mut search = Search::new(difference, simplex, normal, 0.0)?;
    let holds_balls =
        search.pieces.iter().any(|piece| piece.holds_balls() || matches!(piece, Piece::Rim { .. }));
    if !holds_balls || !difference.a.is_rigid() || !difference.b.is_rigid() {
        return None;
    }
    search.deep = true;
    // The depth is known twice as well as the points, which are to be opposite each other along the normal to 1e-8.
    search.enough = [1e-17, 1e-3 * difference.slack()];
    let found = search.run()?;
    let lower = search.radius_of_ball(&found);
    Some((found, lower))
}

struct Search<'a> {
    difference: &'a Difference<'a>,
    pieces: [Piece; 2],
    normal: DVec3,
    /// The direction to begin with, along which there is a gap for certain.
    start: DVec3,
    /// Whether a flat piece was tried, and the other body is nearest beside it.
    beside_flat: bool,
    /// Widths, relative and absolute, one of which will do.
    enough: [f64; 2],
    /// Whether the cores overlap: then the gap is less than zero, and minus the depth.
    deep: bool,
    steps: u32,
}

enum Outcome {
    Found(Polished),
    /// The nearest points are on other pieces.
    Changed([Piece; 2]),
    Lost,
}

impl<'a> Search<'a> {
    fn new(difference: &'a Difference<'a>, simplex: &[Vertex], normal: DVec3, relative: f64) -> Option<Self> {
        let ours = piece(&difference.a, simplex, 0, normal)?;
        let theirs = piece(&difference.b, simplex, 1, -normal)?;
        let enough = [0.125 * relative, 0.25 * difference.slack()];
        let pieces = [ours, theirs];
        Some(Self {
            difference,
            pieces,
            normal,
            start: normal,
            beside_flat: false,
            enough,
            deep: false,
            steps: 0,
        })
    }

    fn run(&mut self) -> Option<Polished> {
        for _ in 0..CHANGES {
            match self.on_these_pieces() {
                Outcome::Found(found) => return Some(found),
                Outcome::Changed(pieces) => self.pieces = pieces,
                Outcome::Lost => return None,
            }
        }
        None
    }

    /// The radius of a ball around the origin that is certainly in the difference, but for rounding; below
    /// zero if there is none.
    fn radius_of_ball(&self, found: &Polished) -> f64 {
        let Difference { a, b, .. } = self.difference;
        let (p, r) = self.pieces[0].ball(a, found.a, found.normal);
        let (q, s) = self.pieces[1].ball(b, found.b, -found.normal);
        if r + s > 0.0 {
            return (r + s) - ((p - q) - self.difference.between()).length();
        }
        let radius = self.radius_in_ellipsoid(found).unwrap_or(0.0);
        radius - (found.point - found.normal * radius).length()
    }

    /// The radius of a ball that touches the difference from inside, where a rim is next to a rim or an edge.
    ///
    /// A disc is the image of the unit ball under a symmetric matrix M, and so is a segment. For any rotation
    /// S, the points (M₁ + M₂Sᵀ)u for |u| ≤ 1 are sums of points of both: an ellipsoid, which reaches as far
    /// along the normal as they do if S turns M₂n into the direction of M₁n (Kurzhanski and Vályi 1997,
    /// "Ellipsoidal calculus for estimation and control"). For the ball in it see [`Piece::ball`].
    fn radius_in_ellipsoid(&self, found: &Polished) -> Option<f64> {
        let first = self.pieces[0].image_of_ball(&self.difference.a, found.a)?;
        let second = self.pieces[1].image_of_ball(&self.difference.b, found.b)?;
        let (p, q) = (first * found.normal, second * found.normal);
        let sum = first + second * turn(q, p)?.transpose();
        // The product of the two greater singular values is at most half the sum of all squares.
        let squares = sum.x_axis.length_squared() + sum.y_axis.length_squared() + sum.z_axis.length_squared();
        let least = 2.0 * sum.determinant().abs() / squares;
        Some((1.0 - 1e-9) * least * least / (p.length() + q.length()))
    }

    fn on_these_pieces(&mut self) -> Outcome {
        let [p, q] = self.pieces;
        let (a, b) = (&self.difference.a, &self.difference.b);
        match (p.normal(a, self.normal), q.normal(b, -self.normal)) {
            (Some(normal), None) => self.on_flat(0, normal),
            (None, Some(normal)) => self.on_flat(1, normal),
            (Some(m), Some(n)) => {
                // Unless they are parallel, the one that is farther from facing the other touches with its border.
                let side = usize::from(m.dot(self.normal) > -n.dot(self.normal));
                let Piece::Disc { radius, z } = self.pieces[side] else { return Outcome::Lost };
                self.changed(side, Piece::Rim { radius, z })
            }
            (None, None) => match (p.circle(a), q.circle(b).map(Circle::opposite)) {
                (None, None) => self.free(),
                (Some(circle), None) => self.on_circle(0, &circle),
                (None, Some(circle)) => self.on_circle(1, &circle),
                (Some(first), Some(second)) => self.where_circles_cross(&first, &second),
            },
        }
    }

    /// Both pieces as seen from the other, and the point of the difference that they make.
    fn views(&self) -> ([View; 2], DVec3) {
        let a = self.pieces[0].view(&self.difference.a, self.normal);
        let b = self.pieces[1].view(&self.difference.b, -self.normal);
        ([a, b], (a.at - b.at) - self.difference.between())
    }

    /// Whether a point this far aside of the normal at this height is as good as wanted: then the distance of the point
    /// and the gap along the normal differ by aside²/(2·gap).
    fn is_enough(&self, aside_squared: f64, gap: f64) -> bool {
        let [relative, absolute] = self.enough;
        (gap > 0.0) != self.deep && aside_squared <= 2.0 * gap.abs() * (relative * gap.abs()).max(absolute)
    }

    /// A flat face and a single point of the other body: its foot.
    fn on_flat(&mut self, side: usize, normal: DVec3) -> Outcome {
        let Difference { a, b, .. } = self.difference;
        let between = self.difference.between();
        let (own, flat) = if side == 0 { (a, self.pieces[0]) } else { (b, self.pieces[1]) };
        self.normal = if side == 0 { normal } else { -normal };
        let other = if side == 0 { b.support(-normal).offset } else { a.support(-normal).offset };
        let seen = if side == 0 { other + between } else { other - between };
        match flat.foot(own, seen) {
            Some(foot) => self.found(if side == 0 { [foot, other] } else { [other, foot] }),
            None => match flat.beside(own, seen) {
                Some(next) => {
                    (self.normal, self.beside_flat) = (self.start, true);
                    self.changed(side, next)
                }
                None => Outcome::Lost,
            },
        }
    }

    /// Neither piece limits the direction.
    fn free(&mut self) -> Outcome {
        let mut climb = Climb::new();
        while self.steps < STEPS {
            self.steps += 1;
            let ([a, b], point) = self.views();
            let gap = -self.normal.dot(point);
            let aside = point + self.normal * gap;
            if self.is_enough(aside.length_squared(), gap) {
                return self.found([a.at, b.at]);
            }
            match climb.judge(self.normal, gap, self.deep) {
                Judgement::Higher => {}
                Judgement::Back(normal) => {
                    self.normal = normal.normalize();
                    continue;
                }
                Judgement::Lost => return Outcome::Lost,
            }
            let (u, v) = self.normal.any_orthonormal_pair();
            let bend = |s: DVec3, t: DVec3| a.bend(s, t) + b.bend(s, t);
            let (xx, xy, yy) = (bend(u, u) + gap, bend(u, v), bend(v, v) + gap);
            let (x, y) = (aside.dot(u), aside.dot(v));
            let determinant = xx * yy - xy * xy;
            if xx <= 0.0 || determinant <= 0.0 {
                return Outcome::Lost;
            }
            let (s, t) = ((xy * y - yy * x) / determinant, (xy * x - xx * y) / determinant);
            let next = (self.normal + (u * s + v * t)).normalize();
            if let Some(pieces) = self.turned_to(next) {
                return Outcome::Changed(pieces);
            }
        }
        Outcome::Lost
    }

    /// Turns the normal. Returns the pieces that face each other from then on, if they are others.
    fn turned_to(&mut self, next: DVec3) -> Option<[Piece; 2]> {
        let before = std::mem::replace(&mut self.normal, next);
        let [p, q] = self.pieces;
        let or_not = |piece: &Piece| !(self.beside_flat && matches!(piece, Piece::Disc { .. }));
        let ours = p.after(&self.difference.a, before, next).filter(or_not);
        let theirs = q.after(&self.difference.b, -before, -next).filter(or_not);
        (ours.is_some() || theirs.is_some()).then(|| [ours.unwrap_or(p), theirs.unwrap_or(q)])
    }

    /// One piece is a line, which limits the direction to a circle.
    fn on_circle(&mut self, side: usize, circle: &Circle) -> Outcome {
        let Some(normal) = circle.nearest(self.normal) else { return Outcome::Lost };
        self.normal = normal;
        let mut climb = Climb::new();
        while self.steps < STEPS {
            self.steps += 1;
            let ([a, b], point) = self.views();
            let (n, gap) = (self.normal, -self.normal.dot(point));
            let along = circle.axis.cross(n).normalize();
            let aside = point.dot(along);
            if self.is_enough(aside * aside, gap) {
                return self.on_line(side, [a.at, b.at], point);
            }
            match climb.judge(n, gap, self.deep) {
                Judgement::Higher => {}
                Judgement::Back(middle) => {
                    let Some(normal) = circle.nearest(middle) else { return Outcome::Lost };
                    self.normal = normal;
                    continue;
                }
                Judgement::Lost => return Outcome::Lost,
            }
            let arm = n - circle.axis * circle.height;
            let bend = a.bend(along, along) + b.bend(along, along) - point.dot(arm) / arm.length_squared();
            // Of bodies that overlap, the direction may be one of greatest height.
            if bend <= 0.0 {
                return Outcome::Lost;
            }
            let next = arm - along * (aside / bend);
            let next = circle.axis * circle.height + next * (arm.length() / next.length());
            if let Some(pieces) = self.turned_to(next) {
                return Outcome::Changed(pieces);
            }
        }
        Outcome::Lost
    }

    /// Where on the line of one body the other is nearest.
    fn on_line(&self, side: usize, [a, b]: [DVec3; 2], point: DVec3) -> Outcome {
        let Some(line) = self.line(side) else { return Outcome::Lost };
        let ahead = line.way.dot(point) / line.way.length_squared();
        let t = if side == 0 { -ahead } else { ahead };
        match line.within(t) {
            Some(t) if side == 0 => self.found([line.start + line.way * t, b]),
            Some(t) => self.found([a, line.start + line.way * t]),
            None => self.changed(side, self.pieces[side].beyond(self.body(side), t)),
        }
    }

    fn body(&self, side: usize) -> &crate::convex::PosedConvex<'_> {
        if side == 0 { &self.difference.a } else { &self.difference.b }
    }

    fn line(&self, side: usize) -> Option<Line> {
        self.pieces[side].line(self.body(side), if side == 0 { self.normal } else { -self.normal })
    }

    /// Two lines limit the direction to that across both.
    fn where_circles_cross(&mut self, first: &Circle, second: &Circle) -> Outcome {
        let Some(normal) = first.crossing(second, self.normal) else { return Outcome::Lost };
        self.normal = normal;
        let (Some(p), Some(q)) = (self.line(0), self.line(1)) else { return Outcome::Lost };
        let (way, across) = ((q.start + self.difference.between()) - p.start, p.way.cross(q.way));
        let square = across.length_squared();
        let (s, t) = (across.dot(way.cross(q.way)) / square, across.dot(way.cross(p.way)) / square);
        match (p.within(s), q.within(t)) {
            (Some(s), Some(t)) => self.found([p.start + p.way * s, q.start + q.way * t]),
            (None, Some(_)) => self.changed(0, self.pieces[0].beyond(&self.difference.a, s)),
            (Some(_), None) => self.changed(1, self.pieces[1].beyond(&self.difference.b, t)),
            (None, None) => {
                let ours = self.pieces[0].beyond(&self.difference.a, s);
                // That which is farther beyond its end gives way first.
                if p.excess(s) >= q.excess(t) {
                    self.changed(0, ours)
                } else {
                    self.changed(1, self.pieces[1].beyond(&self.difference.b, t))
                }
            }
        }
    }

    fn changed(&self, side: usize, next: Piece) -> Outcome {
        let mut pieces = self.pieces;
        pieces[side] = next;
        Outcome::Changed(pieces)
    }

    fn found(&self, [a, b]: [DVec3; 2]) -> Outcome {
        let point = (a - b) - self.difference.between();
        Outcome::Found(Polished { normal: self.normal, a, b, point })
    }
}

/// The rotation in one plane from the direction of a vector to that of another, none if one of them is zero;
/// `None` if they point away from each other.
fn turn(from: DVec3, to: DVec3) -> Option<DMat3> {
    let (Some(from), Some(to)) = (from.try_normalize(), to.try_normalize()) else {
        return Some(DMat3::IDENTITY);
    };
    let (axis, cosine) = (from.cross(to), from.dot(to));
    let cross = DMat3::from_cols(
        DVec3::new(0.0, axis.z, -axis.y),
        DVec3::new(-axis.z, 0.0, axis.x),
        DVec3::new(axis.y, -axis.x, 0.0),
    );
    (cosine > -0.5).then(|| DMat3::IDENTITY + cross + cross * cross * (1.0 / (1.0 + cosine)))
}

/// Steps that have to widen the gap.
struct Climb {
    normal: DVec3,
    gap: f64,
    halvings: u32,
}

enum Judgement {
    /// The gap is wider than before.
    Higher,
    /// It is not: half the step is tried.
    Back(DVec3),
    Lost,
}

impl Climb {
    fn new() -> Self {
        Self { normal: DVec3::ZERO, gap: f64::NEG_INFINITY, halvings: 0 }
    }

    fn judge(&mut self, normal: DVec3, gap: f64, deep: bool) -> Judgement {
        if gap > self.gap {
            *self = Self { normal, gap, halvings: 0 };
            return if (gap > 0.0) == deep { Judgement::Lost } else { Judgement::Higher };
        }
        self.halvings += 1;
        if self.halvings > HALVINGS { Judgement::Lost } else { Judgement::Back((self.normal + normal) * 0.5) }
    }
}

impl Line {
    /// The parameter, if the line goes that far.
    fn within(&self, t: f64) -> Option<f64> {
        let [least, most] = self.range;
        (least <= t && t <= most).then_some(t)
    }

    fn excess(&self, t: f64) -> f64 {
        let [least, most] = self.range;
        (t - most).max(least - t) * self.way.length()
    }
}

impl Circle {
    /// The same circle for the opposite directions.
    fn opposite(self) -> Self {
        Self { height: -self.height, ..self }
    }

    /// The direction of the circle nearest to a unit vector.
    fn nearest(&self, n: DVec3) -> Option<DVec3> {
        let arm = (n - self.axis * n.dot(self.axis)).try_normalize()?;
        Some(self.axis * self.height + arm * (1.0 - self.height * self.height).max(0.0).sqrt())
    }

    /// The direction of both circles nearer to a unit vector; `None` if they are parallel or do not meet.
    fn crossing(&self, other: &Self, n: DVec3) -> Option<DVec3> {
        let (p, q, cosine) = (self.height, other.height, self.axis.dot(other.axis));
        let across = self.axis.cross(other.axis);
        let sine = across.length_squared();
        if sine < 1e-12 {
            return None;
        }
        let (s, t) = ((p - q * cosine) / sine, (q - p * cosine) / sine);
        let rest = (1.0 - (s * p + t * q)) / sine;
        (rest >= 0.0).then(|| {
            let side = across * rest.sqrt().copysign(across.dot(n));
            ((self.axis * s + other.axis * t) + side).normalize()
        })
    }
}

#[cfg(test)]
mod tests;
