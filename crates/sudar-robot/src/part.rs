//! Parts: what is checked of a robot, links with geometry and objects attached to links.

use sudar::Pose;
use sudar::query::Body;

use crate::ball::Ball;
use crate::core::{Core, Told, told_balls};
use crate::frame::Frame;

/// Something that is carried by a link, such as what a gripper holds.
#[derive(Debug, Clone)]
pub struct Attached {
    /// What it is called; not as any link or object of the scene.
    pub name: String,
    /// The link that carries it.
    pub link: String,
    /// Its body.
    pub body: Body,
    /// Where it is in the frame of the link.
    pub pose: Pose,
    /// Links that it may touch besides its own and those fixed to that.
    pub touches: Vec<String>,
}

/// A link with geometry, or something attached to a link.
#[derive(Debug, Clone)]
pub struct Part {
    /// The name of the link or of what is attached.
    pub name: String,
    /// The link, or that which carries it, by its number in [`Robot::links`](crate::Robot::links).
    pub link: usize,
    /// Whether it is attached.
    pub is_attached: bool,
    /// How much farther than its surface it reaches towards objects of the scene, in metres.
    pub padding: f64,
    pub(crate) node: usize,
    pub(crate) ball: Ball,
    pub(crate) pieces: Vec<Piece>,
}

/// One body of a part.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub body: Body,
    pub at: Pose,
    pub ball: Ball,
    /// Balls whose union holds it, if they are better than the one.
    pub cover: Vec<Ball>,
    /// Whether the ball is the body.
    pub is_ball: bool,
}

/// Something in the scene.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub name: String,
    pub body: Body,
    pub pose: Pose,
    pub core: Core,
}

impl Part {
    pub(crate) fn new(name: String, link: usize, node: usize, bodies: &[(Body, Pose)]) -> Self {
        let pieces: Vec<Piece> = bodies.iter().map(|(body, at)| Piece::new(body, at)).collect();
        let balls: Vec<Ball> = pieces.iter().map(|piece| piece.ball).collect();
        let ball = if let [ball] = balls[..] { ball } else { Ball::around_all(&balls) };
        Self { name, link, is_attached: false, padding: 0.0, node, ball, pieces }
    }

    /// How far from the origin of its link anything of it is.
    pub(crate) fn reach(&self) -> f64 {
        self.pieces.iter().map(|piece| piece.ball.reach()).fold(0.0, f64::max)
    }
}

impl Piece {
    fn new(body: &Body, at: &Pose) -> Self {
        let is_ball = matches!(body.shape(), sudar::Shape::Sphere(_));
        let cover = Ball::cover(body, at);
        let cover = if cover.len() > 1 { cover } else { Vec::new() };
        Self { ball: Ball::around(body, at), cover, is_ball, body: body.clone(), at: *at }
    }

    /// Whether balls tell that it is within `padding` of an object, or is not.
    #[inline]
    pub fn told(&self, frame: &Frame, core: &Core, padding: f64) -> Told {
        let told = core.told(frame.apply(self.ball.center), self.ball.radius, self.is_ball, padding);
        if told != Told::Unknown || self.cover.is_empty() {
            return told;
        }
        let apart =
            |ball: &Ball| core.told(frame.apply(ball.center), ball.radius, false, padding) == Told::Apart;
        if self.cover.iter().all(apart) { Told::Apart } else { Told::Unknown }
    }

    /// A distance that it is at least from an object.
    #[inline]
    pub fn least(&self, frame: &Frame, core: &Core) -> f64 {
        let of = |ball: &Ball| core.least(frame.apply(ball.center), ball.radius);
        let covered = self.cover.iter().map(of).fold(f64::INFINITY, f64::min);
        let whole = of(&self.ball);
        if self.cover.is_empty() { whole } else { whole.max(covered) }
    }

    /// The balls of its cover, or the one around it.
    fn balls(&self) -> &[Ball] {
        if self.cover.is_empty() { std::slice::from_ref(&self.ball) } else { &self.cover }
    }

    /// Whether balls tell that it touches another piece, or does not.
    #[inline]
    pub fn told_of(&self, frame: &Frame, other: &Self, its: &Frame) -> Told {
        let of = |a: &Ball, b: &Ball, is_exact| {
            let centers = [frame.apply(a.center), its.apply(b.center)];
            told_balls(centers, [a.radius, b.radius], is_exact)
        };
        let told = of(&self.ball, &other.ball, self.is_ball && other.is_ball);
        if told != Told::Unknown || self.cover.is_empty() && other.cover.is_empty() {
            return told;
        }
        let apart = |a: &Ball| other.balls().iter().all(|b| of(a, b, false) == Told::Apart);
        if self.balls().iter().all(apart) { Told::Apart } else { Told::Unknown }
    }

    /// A distance that it is at least from another piece.
    pub fn least_of(&self, frame: &Frame, other: &Self, its: &Frame) -> f64 {
        let of = |a: &Ball, b: &Ball| {
            crate::core::least_balls([frame.apply(a.center), its.apply(b.center)], [a.radius, b.radius])
        };
        let mut least = f64::INFINITY;
        for a in self.balls() {
            for b in other.balls() {
                least = least.min(of(a, b));
            }
        }
        least.max(of(&self.ball, &other.ball))
    }

    /// Where it stands; `None` where a pose cannot hold its numbers.
    #[inline]
    pub fn pose(&self, frame: &Frame) -> Option<Pose> {
        Some(frame.pose()?.after(&self.at))
    }
}
