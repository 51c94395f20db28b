//! One of two parts at the middle of a box of joint values, and how far its patches move within the box.

use sudar::DVec3;

use crate::cell::RobotCell;
use crate::frame::Frame;
use crate::node::Motion;
use crate::part::Part;
use crate::patch::Patch;
use crate::places::Places;

/// One of the two parts, and how it moves in a box.
pub(super) struct Side<'c> {
    pub number: usize,
    pub part: &'c Part,
    /// The nodes that carry it and not the other, from the part on.
    pub nodes: &'c [u32],
    pub patches: Vec<(usize, &'c Patch)>,
    pub frame: Frame,
    pub levers: Vec<Lever>,
    pub balls: Vec<Ball>,
    /// How the centre of each ball is moved by each lever, over half the width.
    pub moved: Vec<DVec3>,
    /// The angles of all turns together.
    pub angles: f64,
}

/// A ball around a patch at the middle of the box.
#[derive(Clone, Copy)]
pub(super) struct Ball {
    pub center: DVec3,
    pub radius: f64,
    /// How far its centre is moved, at most.
    pub most: f64,
}

/// What a joint does within a box.
#[derive(Clone, Copy)]
pub(super) struct Lever {
    pub dof: u32,
    pub axis: DVec3,
    /// A point of the axis; none if it slides.
    pub at: Option<DVec3>,
    pub by: f64,
}

/// Above the rounding of sums of a few products.
pub(super) const ROUNDED: f64 = 1.0 + 1e-12;

impl<'c> Side<'c> {
    pub fn new(cell: &'c RobotCell, part: u32, other: u32) -> Self {
        let number = part as usize;
        let part = &cell.parts[number];
        let pieces = part.pieces.iter().enumerate();
        Self {
            number,
            part,
            nodes: cell.nodes_beside(number, other as usize),
            patches: pieces
                .flat_map(|(k, piece)| piece.patches().iter().map(move |patch| (k, patch)))
                .collect(),
            frame: Frame::IDENTITY,
            levers: Vec::new(),
            balls: Vec::new(),
            moved: Vec::new(),
            angles: 0.0,
        }
    }

    pub fn stand(&mut self, cell: &RobotCell, places: &Places, half: &[f64]) {
        self.frame = places.frames[self.part.node];
        self.levers.clear();
        self.angles = 0.0;
        for &node in self.nodes {
            let frame = &places.frames[node as usize];
            let motion = &cell.robot.nodes[node as usize].motion;
            let (axis, of, at) = match motion {
                Motion::None => continue,
                Motion::Turn(axis, of) => (axis, of, Some(frame.t)),
                Motion::Slide(axis, of) => (axis, of, None),
            };
            let by = of.factor.abs() * half[of.dof as usize];
            self.angles += if at.is_some() { by } else { 0.0 };
            self.levers.push(Lever { dof: of.dof, axis: frame.rotate(axis.direction()), at, by });
        }
        self.balls.clear();
        self.moved.clear();
        for (_, patch) in &self.patches {
            let center = self.frame.apply(patch.ball.center);
            let most = self.levers.iter().fold(0.0, |most, lever| most + lever.far(center, most));
            self.moved.extend(self.levers.iter().map(|lever| lever.moved(center)));
            self.balls.push(Ball { center, radius: patch.ball.radius, most });
        }
    }

    /// How the centre of a ball is moved by each lever.
    #[inline]
    pub fn moved(&self, patch: u32) -> &[DVec3] {
        &self.moved[patch as usize * self.levers.len()..][..self.levers.len()]
    }

    #[inline]
    pub fn straight(&self, patch: u32, along: DVec3) -> f64 {
        self.moved(patch).iter().map(|moved| moved.dot(along).abs()).sum()
    }

    /// How far a point that moves so far comes off the straight way, at most.
    pub fn bend(&self, most: f64) -> f64 {
        (self.angles + 1e-12) * most
    }

    /// How far the centre of a ball is moved along a direction, at most.
    #[inline]
    pub fn approach(&self, patch: u32, along: DVec3) -> f64 {
        let most = self.balls[patch as usize].most;
        most.min(self.straight(patch, along) * ROUNDED + self.bend(most))
    }

    /// How far any point of a patch is moved, at most.
    pub fn most(&self, patch: u32) -> f64 {
        let Ball { center, radius, .. } = self.balls[patch as usize];
        self.levers.iter().fold(0.0, |most, lever| most + lever.far(center, radius + most))
    }

    /// How far a mesh reaches along a direction.
    pub fn support(&self, patch: u32, along: DVec3) -> Option<f64> {
        let (piece, patch) = self.patches[patch as usize];
        let frame = self.frame.after(&Frame::of(&self.part.pieces[piece].at));
        patch.support(&frame, along)
    }
}

impl Lever {
    /// How far it moves the points of a ball, at most.
    pub fn far(&self, center: DVec3, radius: f64) -> f64 {
        let far = match self.at {
            Some(at) => self.by.min(2.0) * (self.axis.cross(center - at).length() + radius),
            None => self.by,
        };
        far * ROUNDED
    }

    /// How it moves a point, at the velocity that it has in the middle.
    pub fn moved(&self, point: DVec3) -> DVec3 {
        self.at.map_or(self.axis, |at| self.axis.cross(point - at)) * self.by
    }

    /// How much more it moves the points of a ball than its centre along a direction, so.
    pub fn swing(&self, radius: f64, along: DVec3) -> f64 {
        if self.at.is_some() { self.by * radius * along.cross(self.axis).length() } else { 0.0 }
    }
}
