//! Where bodies are in a configuration, how they move there, and how far from straight.
//!
//! On an edge q(t) = q(s) + (t − s) Δ the rate of a joint is r = factor · Δ. A point x that is carried by joints, of
//! which j is farther out than i, has the velocity v = Σ r (a × (x − o)) over turns about a through o, plus Σ r a over
//! slides. Its acceleration is the sum over all i, j of rᵢ rⱼ times the second derivative, which is aᵢ × (∂x/∂qⱼ) for a
//! turn i that is j or nearer to the root than j, and 0 for a slide i. |∂x/∂qⱼ| is the distance of x from the axis of a
//! turn, and 1 of a slide. Within h of s that distance is at most the one at s and what the joints farther out move x
//! by. So with the joints from the outermost inwards, M what they move x by and S the sum of their speeds,
//!
//! > L = distance at s + M;  A ← A + |r| (|r| L + 2 S);  M ← M + h |r| L;  S ← S + |r| L   for a turn,
//! > M ← M + h |r|;  S ← S + |r|   for a slide,
//!
//! |x(t) − x(s) − (t − s) v| ≤ A h² / 2. Of two bodies only the joints count that carry one of them: seen from the last
//! frame that carries both.

use sudar::{DMat3, DVec3};

use super::error::{CertificateError, malformed};
use super::figure::{Ball, frame_of, shear_of};
use super::model::{CertificateContent, CertificateMotion};

/// The kinematics of a robot.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    parent: usize,
    rotation: DMat3,
    translation: DVec3,
    shear: f64,
    motion: Option<CertificateMotion>,
}

/// The nodes that move one body and not another, the outermost first.
#[derive(Debug, Clone, Default)]
pub(super) struct Chain {
    /// What carries the body.
    node: Option<usize>,
    moving: Vec<usize>,
}

/// A body's frame at a time, and how it moves there.
#[derive(Debug, Clone)]
pub(super) struct Stand {
    pub rotation: DMat3,
    pub translation: DVec3,
    /// Of the origin of the frame.
    pub velocity: DVec3,
    pub spin: DVec3,
    joints: Vec<Rate>,
}

#[derive(Debug, Clone)]
struct Rate {
    /// Axis and a point of it; of a slide none.
    turn: Option<(DVec3, DVec3)>,
    rate: f64,
}

impl Tree {
    pub fn new(content: &CertificateContent) -> Result<Self, CertificateError> {
        let mut nodes = Vec::new();
        for (i, node) in content.nodes.iter().enumerate() {
            let parent = node.parent as usize;
            if parent >= i.max(1) {
                return Err(malformed("a frame before its parent"));
            }
            if let Some(motion) = &node.motion {
                let is_unit = (DVec3::from(motion.axis).length() - 1.0).abs() < 1e-14;
                let is_known = (motion.dof as usize) < content.joints.len();
                if !(is_unit && is_known && motion.factor.is_finite() && motion.offset.is_finite()) {
                    return Err(malformed("the motion of a frame"));
                }
            }
            let shear = shear_of(&node.origin)?;
            let (rotation, translation) = frame_of(&node.origin);
            nodes.push(Node { parent, rotation, translation, shear, motion: node.motion.clone() });
        }
        Ok(Self { nodes })
    }

    /// All nodes from one to the root.
    fn up(&self, node: Option<usize>) -> Vec<usize> {
        let mut all = Vec::new();
        let mut next = node;
        while let Some(i) = next {
            all.push(i);
            next = (i > 0).then(|| self.nodes[i].parent);
        }
        all
    }

    /// What moves each of two bodies against the other.
    pub fn chains(&self, ends: [Option<usize>; 2]) -> [Chain; 2] {
        let ways = ends.map(|end| self.up(end));
        let [one, other] = &ways;
        let shared = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
        let chain = |k: usize| Chain {
            node: ends[k],
            moving: {
                let own = &ways[k][..ways[k].len() - shared];
                own.iter().copied().filter(|&i| self.nodes[i].motion.is_some()).collect()
            },
        };
        [chain(0), chain(1)]
    }

    /// The frames of all nodes.
    pub fn frames(&self, q: &[f64]) -> Vec<(DMat3, DVec3)> {
        let mut frames: Vec<(DMat3, DVec3)> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let (r, t) = frames.get(node.parent).copied().unwrap_or((DMat3::IDENTITY, DVec3::ZERO));
            let (mut rotation, mut translation) = (r * node.rotation, r * node.translation + t);
            if let Some(motion) = &node.motion {
                let (axis, value) = (DVec3::from(motion.axis), value(motion, q));
                if motion.turns {
                    rotation *= turn(axis, value);
                } else {
                    translation += rotation * axis * value;
                }
            }
            frames.push((rotation, translation));
        }
        frames
    }

    /// How a body stands and moves at a configuration, while the joints go at the rates `change`.
    pub fn stand(&self, chain: &Chain, frames: &[(DMat3, DVec3)], change: &[f64]) -> Stand {
        let (rotation, translation) = chain.node.map_or((DMat3::IDENTITY, DVec3::ZERO), |i| frames[i]);
        let mut stand = Stand {
            rotation,
            translation,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            joints: Vec::with_capacity(chain.moving.len()),
        };
        for &i in &chain.moving {
            let Some(motion) = &self.nodes[i].motion else { continue };
            let (rotation, origin) = frames[i];
            let axis = rotation * DVec3::from(motion.axis);
            let rate = motion.factor * change[motion.dof as usize];
            if motion.turns {
                stand.spin += axis * rate;
                stand.velocity += axis.cross(translation - origin) * rate;
            } else {
                stand.velocity += axis * rate;
            }
            stand.joints.push(Rate { turn: motion.turns.then_some((axis, origin)), rate });
        }
        stand
    }

    /// How far a computed position may be from the true one: each frame is a product with a few roundings for each
    /// entry, and turns are off by the rounding of their angles. The factor is well above their sum.
    pub fn rounding(&self, chain: &Chain, reach: f64, ends: [&[f64]; 2]) -> f64 {
        let (mut length, mut greatest, mut shear, mut depth) = (reach, 0.0_f64, 0.0_f64, 4.0);
        for i in self.up(chain.node) {
            let node = &self.nodes[i];
            length += node.translation.length();
            shear += node.shear;
            depth += 1.0;
            if let Some(motion) = &node.motion {
                let most = ends.map(|q| (motion.factor * q[motion.dof as usize]).abs() + motion.offset.abs());
                let most = most[0].max(most[1]);
                greatest = greatest.max(most);
                length += if motion.turns { 0.0 } else { most };
            }
        }
        length * (1.0 + greatest) * (depth * 1e-13 + 8.0 * shear)
    }
}

impl Stand {
    /// How far points of a ball in the frame are from where they would be at the velocity of the middle, within `half`
    /// of it.
    pub fn bend(&self, ball: Ball, half: f64) -> f64 {
        let center = self.rotation * ball.center + self.translation;
        let (mut bend, mut moved, mut speed) = (0.0, 0.0, 0.0);
        for Rate { turn, rate } in &self.joints {
            let rate = rate.abs();
            if let Some((axis, origin)) = turn {
                let reach = axis.cross(center - *origin).length() + ball.radius + moved;
                bend += rate * (rate * reach + 2.0 * speed);
                moved += half * rate * reach;
                speed += rate * reach;
            } else {
                moved += half * rate;
                speed += rate;
            }
        }
        0.5 * half * half * bend * (1.0 + 1e-9)
    }

    /// Whether nothing moves it against the other body.
    pub fn stands(&self) -> bool {
        self.joints.is_empty()
    }
}

fn value(motion: &CertificateMotion, q: &[f64]) -> f64 {
    motion.factor * q[motion.dof as usize] + motion.offset
}

/// Rodrigues' formula.
fn turn(axis: DVec3, angle: f64) -> DMat3 {
    let (s, c) = libm::sincos(angle);
    let column = |e: DVec3| e * c + axis.cross(e) * s + axis * ((1.0 - c) * axis.dot(e));
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}
