//! The check of a whole certificate.

use sudar::query::Batch;
use sudar::{DMat3, DVec3};

use super::enclosure::{Standing, are_outside};
use super::error::{CERTIFICATE_FORMAT, CertificateError, malformed};
use super::figure::{Figure, Form};
use super::leaf::Pair;
use super::model::{Certificate, CertificateContent, PairProof};
use super::motion::{Chain, Tree};
use super::tree::{Leaves, Region};
use crate::RobotCell;

/// What a certificate shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// How many edges there are.
    pub edges: usize,
    /// How many pairs of bodies are apart on each of them.
    pub pairs: usize,
    /// How many intervals of time with parts of two bodies were looked at.
    pub leaves: usize,
    /// The pairs that are not looked at, with the reasons that the certificate gives: both names, and why.
    pub left_out: Vec<[String; 3]>,
}

/// What all leaves need.
pub(super) struct Model {
    pub tree: Tree,
    pub figures: Vec<Figure>,
    pub pairs: Vec<[u32; 2]>,
}

/// One edge and one pair of bodies.
pub(super) struct Question<'c> {
    pub chains: [Chain; 2],
    /// The two must be farther apart than this.
    pub margin: f64,
    pub ends: [&'c [f64]; 2],
    change: Vec<f64>,
}

impl Certificate {
    /// Verifies the certificate from what is in it: that on every edge every pair of bodies, but for those that
    /// [`Verified::left_out`] names, is apart at every time, and that all is within the limits.
    ///
    /// Computed in `f64` with bounds on its rounding. On all cores; O(leaves · corners).
    ///
    /// # Errors
    /// [`CertificateError`] with the first thing that does not hold.
    pub fn check(&self) -> Result<Verified, CertificateError> {
        if self.format != CERTIFICATE_FORMAT {
            return Err(CertificateError::Format { found: self.format });
        }
        let model = self.model()?;
        self.check_limits()?;
        let edges = self.ends();
        if self.edges.len() != edges.len() {
            return Err(CertificateError::Pairs { edge: edges.len().min(self.edges.len()) });
        }
        for (edge, proofs) in self.edges.iter().enumerate() {
            if !proofs.iter().map(|proof| &proof.bodies).eq(&model.pairs) {
                return Err(CertificateError::Pairs { edge });
            }
        }
        let count = model.pairs.len();
        let all: Vec<[usize; 2]> =
            (0..edges.len()).flat_map(|edge| (0..count).map(move |pair| [edge, pair])).collect();
        let found = Batch::default().each(&all, |_, &[edge, pair]| {
            self.check_pair(&model, edge, edges[edge], &self.edges[edge][pair])
        });
        let found = found.answers.into_iter().collect::<Result<Vec<(usize, bool)>, _>>()?;
        for (pair, bodies) in model.pairs.iter().enumerate() {
            // Apart as wholes once: then they are outside of each other at all times.
            let is_whole = (0..edges.len()).any(|edge| found[edge * count + pair].1);
            if !is_whole && !self.are_outside(&model, *bodies) {
                let [one, other] = self.names(*bodies);
                return Err(CertificateError::Inside { one, other });
            }
        }
        let leaves = found.iter().map(|(leaves, _)| leaves).sum();
        Ok(Verified { edges: edges.len(), pairs: count, leaves, left_out: self.left_out() })
    }

    /// Whether the certificate is of this cell: its robot, objects, limits, padding and pairs, bit for bit.
    ///
    /// # Errors
    /// [`CertificateError::OtherCell`] with the first thing that differs.
    pub fn is_of(&self, cell: &RobotCell) -> Result<(), CertificateError> {
        let (own, its) = (&self.content, CertificateContent::of(cell)?);
        let CertificateContent { robot, joints, limit_tolerance, nodes, owners, bodies, left_out } = own;
        let same = [
            ("the name of the robot", *robot == its.robot),
            ("a joint or its limits", *joints == its.joints && *limit_tolerance == its.limit_tolerance),
            ("the kinematics or where the robot stands", *nodes == its.nodes),
            ("a part, an object or the padding", *owners == its.owners),
            ("the shape or the place of a body", *bodies == its.bodies),
            ("which pairs are left out", *left_out == its.left_out),
        ];
        match same.into_iter().find(|(_, is_same)| !is_same) {
            None => Ok(()),
            Some((what, _)) => Err(CertificateError::OtherCell { what: what.to_owned() }),
        }
    }

    /// The robot and the bodies, made ready.
    pub(super) fn model(&self) -> Result<Model, CertificateError> {
        let CertificateContent { nodes, owners, bodies, left_out, .. } = &self.content;
        let tree = Tree::new(&self.content)?;
        for body in bodies {
            let owner = owners.get(body.owner as usize).ok_or_else(|| malformed("the owner of a body"))?;
            let is_carried = body.node.is_some_and(|node| (node as usize) < nodes.len());
            if owner.is_object == is_carried || owner.is_object && body.node.is_some() {
                return Err(malformed("what carries a body"));
            }
        }
        if owners.iter().any(|owner| !(owner.padding >= 0.0 && owner.padding.is_finite())) {
            return Err(malformed("a padding"));
        }
        let count = owners.len() as u32;
        if left_out.iter().any(|pair| pair.owners[0] >= pair.owners[1] || pair.owners[1] >= count) {
            return Err(malformed("a pair that is left out"));
        }
        let figures = bodies.iter().map(Figure::new).collect::<Result<Vec<Figure>, _>>()?;
        Ok(Model { tree, figures, pairs: self.pairs() })
    }

    /// Every waypoint is a configuration within the limits; so is what is between.
    pub(super) fn check_limits(&self) -> Result<(), CertificateError> {
        let CertificateContent { joints, limit_tolerance, .. } = &self.content;
        if limit_tolerance.is_some_and(|tolerance| !(tolerance >= 0.0 && tolerance.is_finite())) {
            return Err(malformed("the tolerance of limits"));
        }
        if self.waypoints.is_empty() {
            return Err(malformed("a path without a waypoint"));
        }
        for (waypoint, q) in self.waypoints.iter().enumerate() {
            if q.len() != joints.len() || !q.iter().all(|x| x.abs() < 1e80) {
                return Err(malformed("a waypoint"));
            }
            let Some(tolerance) = limit_tolerance else { continue };
            for (joint, x) in joints.iter().zip(q) {
                let least = joint.lower.map_or(f64::NEG_INFINITY, |lower| lower - tolerance);
                let most = joint.upper.map_or(f64::INFINITY, |upper| upper + tolerance);
                if !(least <= *x && *x <= most) {
                    return Err(CertificateError::Limits { waypoint, joint: joint.name.clone() });
                }
            }
        }
        Ok(())
    }

    /// The ends of the edges.
    pub(super) fn ends(&self) -> Vec<[&[f64]; 2]> {
        let count = self.waypoints.len();
        let edges = count.saturating_sub(1).max(count.min(1));
        let at = |i: usize| &self.waypoints[i.min(count - 1)][..];
        (0..edges).map(|i| [at(i), at(i + 1)]).collect()
    }

    pub(super) fn question<'c>(&self, model: &Model, bodies: [u32; 2], ends: [&'c [f64]; 2]) -> Question<'c> {
        let of = |k: usize| &self.content.bodies[bodies[k] as usize];
        let chains = model.tree.chains([0, 1].map(|k| of(k).node.map(|node| node as usize)));
        let owners = [0, 1].map(|k| &self.content.owners[of(k).owner as usize]);
        let is_mixed = owners[0].is_object != owners[1].is_object;
        let padding =
            if is_mixed { owners.iter().map(|owner| owner.padding).fold(0.0, f64::max) } else { 0.0 };
        let rounding = |k: usize| {
            let figure = &model.figures[bodies[k] as usize];
            let reach = figure.reach();
            model.tree.rounding(&chains[k], reach, ends) + 8.0 * figure.shear * reach
        };
        let margin = padding + rounding(0) + rounding(1);
        let change = ends[0].iter().zip(ends[1]).map(|(a, b)| b - a).collect();
        Question { chains, margin, ends, change }
    }

    /// How many leaves there are, and whether one has all pieces of both.
    fn check_pair(
        &self,
        model: &Model,
        edge: usize,
        ends: [&[f64]; 2],
        proof: &PairProof,
    ) -> Result<(usize, bool), CertificateError> {
        let question = self.question(model, proof.bodies, ends);
        let figures = proof.bodies.map(|body| &model.figures[body as usize]);
        let [one, other] = self.names(proof.bodies);
        let root = question.root(figures);
        let mut pair: Option<(f64, Pair<'_>)> = None;
        let (mut count, mut is_whole) = (0, false);
        let mut leaves = Leaves::new(&proof.tree, root);
        for region in leaves.by_ref() {
            let middle = region.middle();
            if pair.as_ref().is_none_or(|(at, _)| *at != middle) {
                pair = Some((middle, question.at(model, figures, middle)?));
            }
            let direction = proof.directions.get(count).map(|d| DVec3::from(*d).normalize());
            let Some((_, pair)) = &pair else { continue };
            let is_apart = direction.is_some_and(|direction| {
                let direction = pair.direction(direction);
                pair.gap(region.ranges, direction, region.half()) > question.margin
            });
            if !is_apart {
                let (from, to) = (region.from, region.to);
                return Err(CertificateError::TooNear { edge, one, other, from, to });
            }
            is_whole |= region.ranges == root.ranges;
            count += 1;
        }
        if !leaves.is_whole() || count != proof.directions.len() {
            return Err(CertificateError::Tree { edge, one, other });
        }
        Ok((count, is_whole))
    }

    /// Whether neither of two bodies is inside the other at the first waypoint.
    pub(super) fn are_outside(&self, model: &Model, bodies: [u32; 2]) -> bool {
        let frames = self.waypoints.first().map(|q| model.tree.frames(q)).unwrap_or_default();
        let [one, other] = bodies.map(|i| {
            let body = &self.content.bodies[i as usize];
            let frame = body.node.and_then(|node| frames.get(node as usize));
            let frame = frame.copied().unwrap_or((DMat3::IDENTITY, DVec3::ZERO));
            Standing { body, figure: &model.figures[i as usize], frame }
        });
        are_outside(one, other)
    }

    fn left_out(&self) -> Vec<[String; 3]> {
        let name = |owner: u32| self.content.owners[owner as usize].name.clone();
        let pairs = self.content.left_out.iter();
        pairs.map(|pair| [name(pair.owners[0]), name(pair.owners[1]), pair.why.clone()]).collect()
    }
}

impl Question<'_> {
    /// All times, and all pieces.
    pub fn root(&self, figures: [&Figure; 2]) -> Region {
        Region { from: 0.0, to: 1.0, ranges: figures.map(Figure::all) }
    }

    /// The two at a time.
    pub fn at<'m>(
        &self,
        model: &Model,
        figures: [&'m Figure; 2],
        time: f64,
    ) -> Result<Pair<'m>, CertificateError> {
        let q: Vec<f64> =
            self.ends[0].iter().zip(&self.change).map(|(a, change)| a + time * change).collect();
        let frames = model.tree.frames(&q);
        let [one, other] = &self.chains;
        let stands =
            [model.tree.stand(one, &frames, &self.change), model.tree.stand(other, &frames, &self.change)];
        let is_endless = [0, 1].map(|k| matches!(figures[k].form, Form::Halfspace { .. }));
        if is_endless == [true; 2] || (0..2).any(|k| is_endless[k] && !stands[k].stands()) {
            return Err(malformed("a half-space that moves"));
        }
        Ok(Pair { figures, stands })
    }
}
