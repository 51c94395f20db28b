//! Fans: triangles around one corner.
//!
//! The boxes of any two of them meet in that corner. Seen from there each takes up some directions; where
//! those of two sets of triangles are disjoint, they meet in the corner and nowhere else.

use glam::DVec3;

use super::distance::obb_pair::Place;
use super::wide::WideTree;
use crate::shape::Triangle;

/// Of each place of a tree the corner that all triangles below have in common, if there is one, and in which
/// directions they lie.
pub(crate) struct Fans {
    fans: Vec<Fan>,
}

/// A corner and a cone of directions: those at most `reach` from the axis, as points of the unit sphere.
#[derive(Debug, Clone, Copy)]
struct Fan {
    apex: DVec3,
    axis: DVec3,
    /// Infinite where there is no such corner, or the cone would be too wide to hold what lies between its directions.
    reach: f64,
}

/// What rounding may add to a direction, which is some units in the last place of one.
const ROUNDING: f64 = 1e-14;

/// A little below √2, the chord of a right angle: a narrower cone is convex.
const WIDEST: f64 = 1.4;

impl Fan {
    const NONE: Self = Self { apex: DVec3::ZERO, axis: DVec3::ZERO, reach: f64::INFINITY };

    /// Around all of these, seen from the apex.
    fn around(apex: DVec3, cones: impl Iterator<Item = (DVec3, f64)> + Clone) -> Self {
        let sum: DVec3 = cones.clone().map(|(axis, _)| axis).sum();
        let Some(axis) = sum.try_normalize() else { return Self::NONE };
        let reach = cones.fold(0.0, |reach: f64, (other, width)| reach.max(axis.distance(other) + width));
        let reach = reach + ROUNDING;
        if reach < WIDEST { Self { apex, axis, reach } } else { Self::NONE }
    }
}

impl Fans {
    /// The fans of a tree whose triangles stand where `triangle` says; O(triangles).
    pub fn new(tree: &WideTree, triangle: impl Fn(u32) -> Triangle) -> Self {
        let mut fans = vec![Fan::NONE; 8 * tree.nodes.len()];
        let apexes = apexes(tree, &triangle);
        // A node stands before its descendants.
        for n in (0..tree.nodes.len()).rev() {
            let node = &tree.nodes[n];
            for slot in 0..8 {
                let Some(apex) = apexes[8 * n + slot].first() else { continue };
                let first = node.first[slot] as usize;
                fans[8 * n + slot] = match node.count[slot] {
                    0 => {
                        let below = &fans[8 * first..8 * first + children(tree, first)];
                        Fan::around(apex, below.iter().map(|fan| (fan.axis, fan.reach)))
                    }
                    count => {
                        let leaf = tree.leaf(first as u32, count).iter().map(|&t| triangle(t));
                        of_leaf(apex, leaf)
                    }
                };
            }
        }
        Self { fans }
    }

    /// Whether all triangles below either place meet in one corner and nowhere else.
    #[inline(always)]
    pub fn are_parted(&self, [a, b]: [Place; 2]) -> bool {
        let (a, b) = (&self.fans[a as usize], &self.fans[b as usize]);
        a.reach + b.reach < a.axis.distance(b.axis) && a.apex == b.apex
    }
}

fn children(tree: &WideTree, node: usize) -> usize {
    (0..8).take_while(|&slot| tree.nodes[node].half[0][slot] >= 0.0).count()
}

fn of_leaf(apex: DVec3, leaf: impl Iterator<Item = Triangle> + Clone) -> Fan {
    let away = leaf.flat_map(|t| t.corners()).filter(|p| *p != apex);
    // Too near to decide which way: none that any cone holds.
    let ways = away.map(|p| ((p - apex).try_normalize().unwrap_or(DVec3::INFINITY), 0.0));
    Fan::around(apex, ways)
}

/// Up to three points.
#[derive(Clone, Copy)]
struct Corners {
    points: [DVec3; 3],
    count: usize,
}

impl Corners {
    const NONE: Self = Self { points: [DVec3::ZERO; 3], count: 0 };

    fn of(triangle: &Triangle) -> Self {
        Self { points: triangle.corners(), count: 3 }
    }

    fn first(&self) -> Option<DVec3> {
        (self.count > 0).then_some(self.points[0])
    }

    fn has(&self, p: DVec3) -> bool {
        self.points[..self.count].contains(&p)
    }

    fn common(mut self, other: &Self) -> Self {
        let all = self;
        self.count = 0;
        for &p in all.points[..all.count].iter().filter(|p| other.has(**p)) {
            self.points[self.count] = p;
            self.count += 1;
        }
        self
    }
}

/// Of each place the corners that all triangles below it share, that first of which what is above it is a fan around.
fn apexes(tree: &WideTree, triangle: &impl Fn(u32) -> Triangle) -> Vec<Corners> {
    let mut common = vec![Corners::NONE; 8 * tree.nodes.len()];
    let join = |all: Option<Corners>, next: Corners| Some(all.map_or(next, |all| all.common(&next)));
    for n in (0..tree.nodes.len()).rev() {
        for slot in 0..children(tree, n) {
            let first = tree.nodes[n].first[slot];
            let shared = match tree.nodes[n].count[slot] {
                0 => {
                    let first = first as usize;
                    common[8 * first..8 * first + children(tree, first)].iter().copied().fold(None, join)
                }
                count => tree.leaf(first, count).iter().map(|&t| Corners::of(&triangle(t))).fold(None, join),
            };
            common[8 * n + slot] = shared.unwrap_or(Corners::NONE);
        }
    }
    for n in 0..tree.nodes.len() {
        for slot in (0..children(tree, n)).filter(|&slot| tree.nodes[n].count[slot] == 0) {
            let Some(apex) = common[8 * n + slot].first() else { continue };
            let first = tree.nodes[n].first[slot] as usize;
            for below in &mut common[8 * first..8 * first + children(tree, first)] {
                below.points = [apex; 3];
            }
        }
    }
    common
}
