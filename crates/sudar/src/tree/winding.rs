//! The winding number of a tree of triangles around a point, as near as requested.
//!
//! The generalised winding number (Jacobson, Kavan and Sorkine-Hornung 2013, "Robust inside-outside
//! segmentation using generalized winding numbers") is the sum of the solid angles of all triangles. Groups
//! of them that are far enough away are summed up by their [`Moments`] (Barill et al. 2018). Here each group
//! has a bound on its error, and the groups with the largest are opened until the sum is narrow enough, so
//! that the answer is an interval that holds the number.

use std::ops::ControlFlow;

use glam::{DMat3, DVec3};

use super::wide::WideTree;
use crate::effort::Meter;
use crate::inside::Moments;
use crate::math::power_of_two;
use crate::math::{Interval, Pose};
use crate::search::{Queue, Waiting, best_first};
use crate::shape::{Mesh, Triangle};

/// The moments of the children of a tree's nodes. About 25 bytes a triangle.
#[derive(Debug, Clone)]
pub struct WindingTree {
    /// At eight times the number of the node plus the slot.
    moments: Vec<Moments>,
}

/// A posed tree of triangles and its moments.
#[derive(Debug, Clone, Copy)]
pub struct Windings<'a> {
    /// The tree.
    pub tree: &'a WideTree,
    /// Its moments.
    pub moments: &'a WindingTree,
    /// Where it stands.
    pub pose: &'a Pose,
}

impl WindingTree {
    /// Sums up the triangles of a mesh from the leaves of its tree to the root. O(n).
    pub fn new(tree: &WideTree, mesh: &Mesh) -> Self {
        let mut moments = vec![Moments::NONE; 8 * tree.nodes.len()];
        let scaled = |i: u32| Triangle::from(mesh.triangle(i).corners().map(|p| tree.frame.scaled(p)));
        // A node stands before its descendants.
        for (n, node) in tree.nodes.iter().enumerate().rev() {
            for slot in (0..8).filter(|&slot| node.half[0][slot] >= 0.0) {
                moments[8 * n + slot] = match node.count[slot] {
                    0 => {
                        let (child, from) =
                            (&tree.nodes[node.first[slot] as usize], 8 * node.first[slot] as usize);
                        let groups: Vec<Moments> =
                            (0..8).filter(|&i| child.half[0][i] >= 0.0).map(|i| moments[from + i]).collect();
                        Moments::joined(&groups)
                    }
                    count => {
                        let triangles = tree.leaf(node.first[slot], count).iter();
                        Moments::joined(&triangles.map(|&i| Moments::of(&scaled(i))).collect::<Vec<_>>())
                    }
                };
            }
        }
        Self { moments }
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.moments)
    }
}

/// A sum of intervals, and the group whose share of the doubt it is to reduce next.
struct Sum<'a> {
    windings: &'a Windings<'a>,
    cofactor: DMat3,
    p: DVec3,
    slack: f64,
    /// The groups summed up, by their width.
    groups: Queue<Waiting<(u32, [u64; 2])>>,
    /// The triangles summed up one by one.
    single: Interval,
    /// Groups of which nothing is known but that they are there.
    unknown: u64,
    /// The width of all, about.
    width: f64,
    /// The width when all was added up last; 0 if it never was.
    looked: f64,
}

impl Windings<'_> {
    /// The winding number around `p`, by `exact` for single triangles, which are those of the posed mesh by
    /// number. Groups are opened until `enough` accepts the interval, nothing is left to open, or the meter
    /// ends it.
    pub fn around(
        &self,
        p: DVec3,
        meter: &mut Meter,
        exact: &dyn Fn(u32) -> Interval,
        enough: &dyn Fn(Interval) -> bool,
    ) -> Interval {
        let mut sum = Sum::new(self, p);
        if meter.spend(1).is_break() {
            return Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        }
        sum.open(0);
        if let Some(total) = sum.review(enough) {
            return total;
        }
        let ended = best_first(
            &mut sum,
            |sum| &mut sum.groups,
            |sum, next| {
                if meter.spend(1).is_break() {
                    sum.groups.push(next);
                    return ControlFlow::Break(sum.total());
                }
                sum.resolve(&next, meter, exact);
                sum.review(enough).map_or(ControlFlow::Continue(()), ControlFlow::Break)
            },
        );
        ended.unwrap_or_else(|| sum.total())
    }
}

impl<'a> Sum<'a> {
    fn new(windings: &'a Windings<'a>, p: DVec3) -> Self {
        let (frame, pose) = (windings.tree.frame, windings.pose);
        let unit = power_of_two(frame.exponent);
        let turn = pose.rotation();
        let far = frame.reach + pose.translation().abs().max_element() + p.abs().max_element();
        let (x, y, z) = (turn.x_axis, turn.y_axis, turn.z_axis);
        Self {
            windings,
            cofactor: DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y)),
            p: (p - pose.apply(frame.origin)) * unit,
            // Of the place of the point and of every posed corner.
            slack: 64.0 * f64::EPSILON * far * unit,
            groups: Queue::default(),
            single: Interval::point(0.0),
            unknown: 0,
            width: 0.0,
            looked: 0.0,
        }
    }

    /// The total if it is accepted, or if no group is left to open. To add everything up again takes long; it is
    /// worth it when the width has shrunk by a good part.
    fn review(&mut self, enough: &dyn Fn(Interval) -> bool) -> Option<Interval> {
        let is_last = self.groups.len() == 0;
        let is_due = self.width <= 0.75 * self.looked || self.looked == 0.0 || is_last;
        if self.unknown > 0 || !is_due {
            return None;
        }
        self.looked = self.width;
        let total = self.total();
        (is_last || enough(total)).then_some(total)
    }

    /// Adds the children of a node.
    fn open(&mut self, n: u32) {
        let node = &self.windings.tree.nodes[n as usize];
        for slot in (0..8).filter(|&slot| node.half[0][slot as usize] >= 0.0) {
            let place = 8 * n + slot;
            let moments = &self.windings.moments.moments[place as usize];
            let w =
                moments.turned(&self.windings.pose.rotation(), &self.cofactor).winding(self.p, self.slack);
            let width = w.upper - w.lower;
            if width == f64::INFINITY {
                self.unknown += 1;
            } else {
                self.width += width;
            }
            // The widest comes first; the least bound does.
            let bits = [w.lower.to_bits(), w.upper.to_bits()];
            self.groups.push(Waiting { bound: -width, place: (place, bits) });
        }
    }

    /// Replaces a group by its parts.
    fn resolve(
        &mut self,
        group: &Waiting<(u32, [u64; 2])>,
        meter: &mut Meter,
        exact: &dyn Fn(u32) -> Interval,
    ) {
        if group.bound == f64::NEG_INFINITY {
            self.unknown -= 1;
        } else {
            self.width += group.bound;
        }
        let place = group.place.0;
        let (node, slot) = (&self.windings.tree.nodes[(place >> 3) as usize], (place & 7) as usize);
        if node.count[slot] == 0 {
            return self.open(node.first[slot]);
        }
        for &i in self.windings.tree.leaf(node.first[slot], node.count[slot]) {
            meter.count_triangles(1);
            let w = exact(i);
            self.single = plus(self.single, w);
            self.width += w.upper - w.lower;
        }
    }

    /// The sum of all groups and triangles, rounded outward.
    fn total(&self) -> Interval {
        self.groups.iter().fold(self.single, |sum, group| {
            let [lower, upper] = group.place.1.map(f64::from_bits);
            plus(sum, Interval { lower, upper })
        })
    }
}

/// The sum of two intervals, rounded outward.
fn plus(a: Interval, b: Interval) -> Interval {
    Interval { lower: (a.lower + b.lower).next_down(), upper: (a.upper + b.upper).next_up() }
}
