//! How far apart two posed trees are along one direction: bounds that are cheap and, where the direction is about that
//! between the nearest points of what is compared, as good as any.
//!
//! Boxes are bounded by their reach along the direction, a dozen operations each; that is all it takes to see again that
//! pairs are farther apart than another that lies in the same direction.

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{DVec3, Vec3};

use super::apart::{Apart, Below, Group, Layered, Pair, Place};
use super::apart_leaves::{Candidate, Leaf, Pending};
use super::lanes::Lanes3;
use super::oriented::OrientedNode;
use super::wide::LEAF_SIZE;
use crate::math::simd::dispatch;

/// Two posed trees and a direction.
#[derive(Clone, Copy)]
pub(crate) struct Along<'s, 'a> {
    pub apart: &'s Apart<'a>,
    /// Of unit length, along the axes of either body; `None` if none is known.
    ways: Option<[DVec3; 2]>,
    /// How far the origin of the second frame is along it, as seen from that of the first, in working units.
    shift: f64,
}

impl<'s, 'a> Along<'s, 'a> {
    /// A direction along the axes of the first body, from it to the second, of any length.
    pub fn new(apart: &'s Apart<'a>, way: Option<DVec3>) -> Self {
        let way = way.and_then(DVec3::try_normalize);
        // What is along `way` from the frame of b is along this in it: (way · turn p) = (turnᵀ way · p).
        let ways = way.map(|way| [way, apart.turn.transpose() * way]);
        Self { apart, ways, shift: way.map_or(0.0, |way| way.dot(apart.shift)) }
    }

    /// How far apart the pairs of a group are along the direction, at least, in the order of the children; of slots without a
    /// child it means nothing. `None` where that is not known without looking closer.
    #[inline(always)]
    pub fn group(&self, group: Group) -> Option<[f64; 8]> {
        let apart = self.apart;
        match group {
            Group::OfA { triangles: true, .. } | Group::OfB { triangles: true, .. } => None,
            Group::OfA { node, b, triangles: false } => {
                let low = self.shift - self.reach(1, b)?;
                self.eight(0, node, low)
            }
            Group::OfB { node, a, triangles: false } => {
                let high = self.reach(0, a)?;
                self.eight(1, node, self.shift - high)
            }
        }
        .map(|gaps| gaps.map(|gap| apart.world_lower(gap)))
    }

    fn side(&self, side: usize) -> (&Layered<'a>, f64) {
        let apart = self.apart;
        if side == 0 { (&apart.a, apart.scale_a) } else { (&apart.b, apart.scale_b) }
    }

    /// The direction towards the other body, as one of them sees it.
    #[inline(always)]
    fn out_of(&self, side: usize) -> Option<DVec3> {
        self.ways.map(|ways| if side == 0 { ways[0] } else { -ways[1] })
    }

    /// How far a place of one body reaches towards the other, from the origin of its frame.
    #[inline(always)]
    fn reach(&self, side: usize, place: Place) -> Option<f64> {
        let (layered, scale) = self.side(side);
        let (one, way) = (layered.turned_box(place), self.out_of(side)?);
        Some((way.dot(one.center) + (one.axes.transpose() * way).abs().dot(one.half)) * scale)
    }

    /// What is left of a gap when the reach of each child of a node towards the other body is taken from it.
    #[inline(always)]
    fn eight(&self, side: usize, node: u32, gap: f64) -> Option<[f64; 8]> {
        let (layered, scale) = self.side(side);
        if !self.apart.near {
            let reach =
                |slot: u32| self.reach(side, 8 * node + slot).map(|reach| gap - reach - self.apart.rounding);
            let mut gaps = [f64::INFINITY; 8];
            for slot in 0..layered.boxes.nodes[node as usize].children {
                gaps[slot as usize] = reach(slot)?;
            }
            return Some(gaps);
        }
        let (eight, way) = (&layered.boxes.nodes[node as usize], self.out_of(side)?.as_vec3());
        let gap = gap - f64::from(self.apart.slack.corners);
        let reach = dispatch!(self.apart.level, simd => eight_reaches(simd, eight, way));
        Some(reach.map(|reach| gap - f64::from(reach) * scale))
    }

    /// How far the triangles of a leaf reach towards the other body; of what is no leaf, and without a direction, any distance.
    #[inline(always)]
    pub fn leaf(&self, side: usize, place: Place) -> LeafReach {
        let (layered, scale) = self.side(side);
        let (Some(way), Below::Leaf(first, count)) = (self.out_of(side), layered.below(place)) else {
            return LeafReach::ANY;
        };
        let leaf = Leaf::of(layered.tree, first, count);
        let mut reach = LeafReach { each: [f64::NEG_INFINITY; LEAF_SIZE], most: f64::NEG_INFINITY };
        for (i, reach) in reach.each.iter_mut().enumerate().take(leaf.len()) {
            let [x, y, z] = leaf.triangle(i).map(|p| way.dot(p));
            *reach = x.max(y).max(z) * scale;
        }
        reach.most = reach.each.into_iter().fold(f64::NEG_INFINITY, f64::max);
        reach
    }

    /// How far apart the triangles of two leaves are along the direction, at least.
    #[inline(always)]
    pub fn leaf_gap(&self, a: &LeafReach, b: &LeafReach) -> f64 {
        self.apart.world_lower(self.shift - a.most - b.most - self.apart.slack_wide())
    }

    /// As [`Apart::leaves`], of what is not farther apart than `upper` along the direction.
    pub fn leaves(
        &self,
        pair: Pair,
        [a, b]: [&LeafReach; 2],
        upper: f64,
        pending: &mut Pending,
        found: &mut Vec<Candidate>,
    ) {
        let Some(leaves) = self.apart.two_leaves(pair) else { return };
        let room = self.shift - self.apart.slack_wide() - self.apart.working(upper);
        let masks = a.each.map(|a| {
            // Nothing of b reaches as far as that for most triangles of a.
            if b.most < room - a {
                0
            } else {
                (0..8).fold(0, |mask, j| mask | u32::from(b.each[j] >= room - a) << j)
            }
        });
        self.apart.leaves_where(leaves, &masks, upper, pending, found);
    }
}

/// How far each triangle of a leaf reaches along a direction, from the origin of its frame, in working units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeafReach {
    /// Those beyond its number of triangles reach nowhere.
    each: [f64; LEAF_SIZE],
    most: f64,
}

impl LeafReach {
    const ANY: Self = Self { each: [f64::INFINITY; LEAF_SIZE], most: f64::INFINITY };
}

/// How far each of the eight boxes of a node reaches along a direction, from the origin of their frame.
///
/// Off by less than 64 half ulps of one: with |way| ≤ 1 + u, centres and half extents up to √3 and a sum of the latter of at most
/// 3√3, the centre's part is off by 3u (the direction, rounded) and 9u (products and sums), that of the half extents by 6u and 4u
/// times their sum.
#[inline(always)]
fn eight_reaches<S: Simd>(simd: S, node: &OrientedNode, way: Vec3) -> [f32; 8] {
    let half = Lanes3::load(simd, &node.half);
    let reaches: [f32x8<S>; 3] = [
        Lanes3::load(simd, &node.axes[0]).dot_one(way).abs() * half.x,
        Lanes3::load(simd, &node.axes[1]).dot_one(way).abs() * half.y,
        Lanes3::load(simd, &node.axes[2]).dot_one(way).abs() * half.z,
    ];
    let [x, y, z] = reaches;
    (Lanes3::load(simd, &node.center).dot_one(way) + (x + y + z)).into()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::super::apart::tests::{Model, Rng, point, pose, soup};
    use super::*;
    use crate::math::Pose;
    use crate::math::simd::Level;
    use crate::math::simd::other_levels;

    /// Two clouds of triangles, the second so far along x.
    fn side_by_side(rng: &mut Rng, shift: f64) -> (Model, Model, Pose) {
        let (a, b) = (Model::new(soup(200, 0.1, rng)), Model::new(soup(200, 0.1, rng)));
        let pose_b = Pose::from_translation(DVec3::X * shift).unwrap().after(&pose(rng, 0.0, false));
        (a, b, pose_b)
    }

    #[test]
    fn along_their_shift_distant_bodies_are_nearly_as_far_apart_as_they_are() {
        let mut rng = Rng::seed_from_u64(51);
        for shift in [8.0, 1e3, 1e6] {
            let (a, b, pose_b) = side_by_side(&mut rng, shift);
            let apart = Apart::new(a.at(&Pose::IDENTITY), b.at(&pose_b));
            let along = Along::new(&apart, Some(DVec3::X));
            let group = Group::OfB { node: 0, a: 0, triangles: false };
            let gaps = along.group(group).unwrap();
            // Both reach to less than 2 from their origins.
            let widest = gaps[..apart.b.places(0).len()].iter().copied().fold(0.0, f64::max);
            assert!((widest - shift).abs() < 4.0, "{widest} of {shift}");
        }
    }

    #[test]
    fn without_a_direction_everything_may_be_near() {
        let mut rng = Rng::seed_from_u64(52);
        let (a, b, pose_b) = side_by_side(&mut rng, 3.0);
        let apart = Apart::new(a.at(&Pose::IDENTITY), b.at(&pose_b));
        let along = Along::new(&apart, Some(DVec3::ZERO));
        assert_eq!(along.group(Group::OfB { node: 0, a: 0, triangles: false }), None);
        assert_eq!(along.leaf_gap(&along.leaf(0, 0), &along.leaf(1, 0)), 0.0);
    }

    #[test]
    fn every_simd_level_gives_the_same_bits() {
        let mut rng = Rng::seed_from_u64(53);
        for _ in 0..20 {
            let (a, b, pose_b) = side_by_side(&mut rng, 2.5);
            let way = point(&mut rng);
            let at = |level| {
                let apart = Apart::at(level, a.at(&Pose::IDENTITY), b.at(&pose_b));
                let along = Along::new(&apart, Some(way));
                apart
                    .a
                    .places(0)
                    .map(|a| along.group(Group::OfB { node: 0, a, triangles: false }))
                    .collect::<Vec<_>>()
            };
            let best = at(Level::new());
            other_levels().into_iter().for_each(|level| assert_eq!(at(level), best, "{level:?}"));
        }
    }
}
