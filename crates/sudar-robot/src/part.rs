//! Parts: what is checked of a robot, links with geometry and objects attached to links.

use std::sync::OnceLock;

use sudar::Pose;
use sudar::query::Body;

use crate::ball::Ball;
use crate::core::Core;
use crate::frame::Frame;
use crate::patch::Patch;
use crate::{Robot, RobotError};

/// Something that is carried by a link, such as what a gripper holds.
#[derive(Debug, Clone)]
pub struct Attached {
    /// What it is called; not as any link.
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
    /// Links that it may touch, if it is attached.
    pub(crate) touches: Vec<String>,
    pub(crate) ball: Ball,
    pub(crate) pieces: Vec<Piece>,
}

/// One body of a part.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub body: Body,
    /// Made when first asked for.
    patches: OnceLock<Vec<Patch>>,
    pub at: Pose,
    pub ball: Ball,
    /// Balls whose union holds it, if they are better than the one.
    pub cover: Vec<Ball>,
    /// Whether the ball is the body.
    pub is_ball: bool,
    /// Where the place of its ball is kept, see [`Places`](crate::places::Places); those of its cover follow.
    pub slot: usize,
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
        Self { name, link, is_attached: false, padding: 0.0, node, touches: Vec::new(), ball, pieces }
    }

    /// Numbers the balls of its pieces from `slot` on, and returns the next number.
    pub(crate) fn number(&mut self, mut slot: usize) -> usize {
        for piece in &mut self.pieces {
            piece.slot = slot;
            slot += piece.slots();
        }
        slot
    }

    /// What was attached.
    pub(crate) fn attached(&self, robot: &Robot) -> Result<Attached, RobotError> {
        let missing = || RobotError::Unknown {
            by: "detach".to_owned(),
            what: "attached object",
            name: self.name.clone(),
        };
        let piece = self.pieces.first().filter(|_| self.is_attached).ok_or_else(missing)?;
        Ok(Attached {
            name: self.name.clone(),
            link: robot.links()[self.link].name.clone(),
            body: piece.body.clone(),
            pose: piece.at,
            touches: self.touches.clone(),
        })
    }

    /// Its bodies, with their poses in the frame of the link.
    pub fn bodies(&self) -> impl Iterator<Item = (&Body, &Pose)> {
        self.pieces.iter().map(|piece| (&piece.body, &piece.at))
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
        let ball = Ball::around(body, at).and_centers(&cover);
        Self { ball, cover, is_ball, body: body.clone(), patches: OnceLock::new(), at: *at, slot: 0 }
    }

    /// Its surface in patches, if it is a mesh; else it as a whole.
    pub fn patches(&self) -> &[Patch] {
        self.patches.get_or_init(|| Patch::all(&self.body, &self.at))
    }

    /// How many balls it has.
    pub fn slots(&self) -> usize {
        1 + self.cover.len()
    }

    /// Where it stands; `None` where a pose cannot hold its numbers.
    #[inline]
    pub fn pose(&self, frame: &Frame) -> Option<Pose> {
        Some(frame.pose()?.after(&self.at))
    }
}
