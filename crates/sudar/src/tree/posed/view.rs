//! One posed tree seen from the world: nearest triangles, triangles along a segment, triangles in a box.
//!
//! Boxes are compared in the tree's own frame, inflated by all rounding, so that no triangle is missed; what the
//! visitor is shown it decides on the posed triangles themselves. Children are opened nearest first from a stack: that
//! costs a few nodes more than a queue over the whole tree, and far less for each (as in Wald et al. 2014, "Embree").

use std::ops::ControlFlow;

use fearless_simd::Simd;
use glam::{DMat3, DVec3};

use super::probe::{CutSegment, FAR, FarPoint, NearPoint, Probe, Region};
use super::round_probe::{FarRound, NearRound, Placed, Seen};
use super::wedges::{InWedges, Wedges};
use crate::effort::Meter;
use crate::kind::Profile;
use crate::math::power_of_two;
use crate::math::simd::{Level, dispatch_to_avx2};
use crate::math::{Interval, Pose};
use crate::shape::Aabb;
use crate::tree::pairs::frame_pair::METRIC;
use crate::tree::wide::WideTree;

/// A limit below every key: the traversal ends.
const STOP: f32 = -1.0;

/// A convex body of simple form in the world.
#[derive(Debug, Clone)]
pub struct Around {
    /// Where the origin of its frame is.
    pub center: DVec3,
    /// The rotation of its frame.
    pub axes: DMat3,
    /// The body in that frame.
    pub profile: Profile,
    /// The points of a hull in that frame; empty for others.
    pub points: Vec<DVec3>,
}

/// A posed tree, with what it takes to bring world points into its frame.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    tree: &'a WideTree,
    pose: &'a Pose,
    inverse: DMat3,
    to_tree: f64,
}

impl<'a> View<'a> {
    /// The tree at a pose.
    #[inline]
    pub fn new(tree: &'a WideTree, pose: &'a Pose) -> Self {
        Self { tree, pose, inverse: pose.rotation().inverse(), to_tree: power_of_two(tree.frame.exponent) }
    }

    /// `p` in the tree's frame, and a bound on its error together with that of the posed triangles.
    fn place(&self, p: DVec3) -> (DVec3, f64) {
        let in_body = self.inverse * (p - self.pose.translation());
        let far = self.tree.frame.reach + self.pose.translation().abs().max_element() + p.abs().max_element();
        let slack = 64.0 * f64::EPSILON * far * self.to_tree;
        (self.tree.frame.scaled(in_body), slack)
    }

    /// Shows the visitor the triangles around `p`, about nearest first, while they may have a point at a
    /// distance of at most `upper` (in the world). The visitor returns the new upper bound; one below zero
    /// ends the traversal. Returns a number that the distance of every triangle not shown does not fall
    /// below: the last upper bound, or less if the meter stopped the traversal.
    pub fn visit_nearest(
        &self,
        p: DVec3,
        upper: f64,
        meter: &mut Meter,
        visitor: impl FnMut(u32) -> f64,
    ) -> f64 {
        self.visit_nearest_at(Level::new(), p, upper, meter, visitor)
    }

    fn visit_nearest_at(
        &self,
        level: Level,
        p: DVec3,
        mut upper: f64,
        meter: &mut Meter,
        mut visitor: impl FnMut(u32) -> f64,
    ) -> f64 {
        let (p, slack) = self.place(p);
        let scale = self.to_tree / METRIC;
        if p.abs().max_element() <= FAR {
            let limit = |upper: f64| if upper < 0.0 { STOP } else { NearPoint::limit(upper * scale) };
            let first = limit(upper);
            let mut shown = |i: u32, ()| {
                upper = visitor(i).min(upper);
                limit(upper)
            };
            let rest = self.traverse(level, &NearPoint::new(p, slack), first, meter, &mut shown);
            return rest.map_or(upper, |key| upper.min(NearPoint::distance(key) / scale));
        }
        let probe = FarPoint::new(p, slack);
        let limit = |upper: f64| if upper < 0.0 { STOP } else { probe.limit(upper * scale) };
        let first = limit(upper);
        let mut shown = |i: u32, ()| {
            upper = visitor(i).min(upper);
            limit(upper)
        };
        let rest = self.traverse(level, &probe, first, meter, &mut shown);
        rest.map_or(upper, |key| upper.min(probe.distance(key) / scale))
    }

    /// Shows the visitor the triangles around a convex body, about nearest first, with an interval that holds
    /// their distance from it, while that may be at most `upper`. The visitor returns the new upper bound;
    /// one below zero ends the traversal. Returns what [`View::visit_nearest`] does.
    pub fn visit_around(
        &self,
        body: &Around,
        upper: f64,
        meter: &mut Meter,
        visitor: impl FnMut(u32, Interval) -> f64,
    ) -> f64 {
        self.visit_around_at(Level::new(), body, upper, meter, visitor)
    }

    fn visit_around_at(
        &self,
        level: Level,
        body: &Around,
        mut upper: f64,
        meter: &mut Meter,
        mut visitor: impl FnMut(u32, Interval) -> f64,
    ) -> f64 {
        let (center, slack) = self.place(body.center);
        let profile = body.profile.map(|x| x * self.to_tree);
        let points = body.points.iter().map(|p| *p * self.to_tree).collect();
        let placed = Placed { center, axes: self.inverse * body.axes, profile, points, slack };
        let (scale, begin) = (self.to_tree / METRIC, upper);
        let mut visit = |i: u32, lower: f64, most: f64| {
            let most = most / (self.to_tree * METRIC);
            let lower = if lower > 0.0 { lower / scale } else { 0.0 };
            upper = visitor(i, Interval { lower, upper: most }).min(upper);
            upper
        };
        let rest = if placed.is_near() {
            let limit = |upper: f64| if upper < 0.0 { STOP } else { NearRound::limit(upper * scale) };
            let first = limit(begin);
            let mut shown = |i: u32, seen: Seen<f32>| limit(visit(i, seen.lower.into(), seen.upper.into()));
            self.traverse(level, &NearRound::new(&placed), first, meter, &mut shown).map(f64::from)
        } else {
            let probe = FarRound::new(&placed);
            let limit = |upper: f64| if upper < 0.0 { STOP } else { probe.limit(upper * scale) };
            let first = limit(begin);
            let mut shown = |i: u32, seen: Seen<f64>| limit(visit(i, seen.lower, seen.upper));
            self.traverse(level, &probe, first, meter, &mut shown).map(|key| probe.distance(key))
        };
        rest.map_or(upper, |rest| upper.min((rest / scale).max(0.0)))
    }

    /// Shows the visitor the triangles that the segment from `a` to `b` may meet, about in its order. The
    /// visitor returns the fraction of the segment that is still of interest, 1 at first; one below zero ends
    /// the traversal.
    pub fn visit_segment(&self, a: DVec3, b: DVec3, meter: &mut Meter, visitor: impl FnMut(u32) -> f64) {
        self.visit_segment_at(Level::new(), a, b, meter, visitor);
    }

    fn visit_segment_at(
        &self,
        level: Level,
        a: DVec3,
        b: DVec3,
        meter: &mut Meter,
        mut visitor: impl FnMut(u32) -> f64,
    ) {
        let ((a, slack_a), (b, slack_b)) = (self.place(a), self.place(b));
        let slack = slack_a.max(slack_b);
        let Some((enter, leave)) = cut(a, b - a, slack) else { return };
        let (origin, way) = (a + (b - a) * enter, (b - a) * (leave - enter));
        let mut upto: f64 = 1.0;
        let mut shown = |i: u32, ()| {
            upto = visitor(i).min(upto);
            let fraction = (upto - enter) / (leave - enter);
            // Where the segment only grazes the cube there is nothing to divide by, and everything is of interest.
            if upto < 0.0 {
                STOP
            } else if fraction.is_nan() {
                1.0
            } else {
                (fraction as f32).next_up().max(0.0)
            }
        };
        self.traverse(level, &CutSegment::new(origin, way, slack), 1.0, meter, &mut shown);
    }

    /// Shows the visitor every triangle whose box may meet the region, which may reach to infinity, until it breaks.
    pub fn visit_box(
        &self,
        region: &Aabb,
        meter: &mut Meter,
        mut visitor: impl FnMut(u32) -> ControlFlow<()>,
    ) {
        let Some(region) = self.framed(region) else { return };
        let mut shown = |i: u32, ()| if visitor(i).is_break() { STOP } else { 0.0 };
        self.traverse(Level::new(), &region, 0.0, meter, &mut shown);
    }

    /// The same for triangles whose box may meet one of the wedges besides.
    pub fn visit_wedges(
        &self,
        region: &Aabb,
        wedges: &Wedges,
        meter: &mut Meter,
        mut visitor: impl FnMut(u32) -> ControlFlow<()>,
    ) {
        let Some(region) = self.framed(region) else { return };
        let slack =
            64.0 * f64::EPSILON * (self.tree.frame.reach + self.pose.translation().abs().max_element());
        let wedges = &wedges.in_frame(&self.tree.frame, self.pose, slack);
        let mut shown = |i: u32, ()| if visitor(i).is_break() { STOP } else { 0.0 };
        self.traverse(Level::new(), &InWedges { region, wedges }, 0.0, meter, &mut shown);
    }

    /// The region in the tree's frame; `None` if the tree does not reach it.
    fn framed(&self, region: &Aabb) -> Option<Region> {
        let region = self.clipped(region)?;
        let (center, slack) = self.place(region.center());
        let turn =
            DMat3::from_cols(self.inverse.x_axis.abs(), self.inverse.y_axis.abs(), self.inverse.z_axis.abs());
        let half = turn * (region.extent() * 0.5) * self.to_tree + DVec3::splat(slack);
        Some(Region::new(center, half))
    }

    /// The part of the region that the tree can reach; `None` if there is none.
    fn clipped(&self, region: &Aabb) -> Option<Aabb> {
        let unit = 1.0 / self.to_tree;
        let origin = self.pose.apply(self.tree.frame.origin);
        // The frame is a cube of half edge 1, turned by less than any rotation can.
        let reach = 2.0 * unit + 64.0 * f64::EPSILON * (origin.abs().max_element() + self.tree.frame.reach);
        let (min, max) = (region.min.max(origin - reach), region.max.min(origin + reach));
        min.cmple(max).all().then_some(Aabb { min, max })
    }

    /// Shows triangles while their keys do not exceed the limit, which the visitor lowers. If the meter stops
    /// the traversal, the least key of what was not visited.
    fn traverse<P: Probe>(
        &self,
        level: Level,
        probe: &P,
        limit: f32,
        meter: &mut Meter,
        shown: &mut dyn FnMut(u32, P::Seen) -> f32,
    ) -> Option<f32> {
        if limit < 0.0 {
            return None;
        }
        let traverse = Traverse { tree: self.tree, probe };
        dispatch_to_avx2!(level, simd => traverse.run(simd, limit, meter, shown))
    }
}

/// Where the line `a + t·d` is in the cube that holds every box of a tree, 0 ≤ t ≤ 1; `None` if certainly nowhere.
fn cut(a: DVec3, d: DVec3, slack: f64) -> Option<(f64, f64)> {
    let half = 1.0 + 1e-3 + slack;
    let (mut enter, mut leave): (f64, f64) = (0.0, 1.0);
    for k in 0..3 {
        if d[k].abs() < f64::MIN_POSITIVE {
            if a[k].abs() > half {
                return None;
            }
            continue;
        }
        let (low, high) = ((-half - a[k]) / d[k], (half - a[k]) / d[k]);
        enter = enter.max(low.min(high));
        leave = leave.min(low.max(high));
    }
    // The quotients carry three roundings each.
    let margin = 4.0 * f64::EPSILON * enter.abs().max(leave.abs());
    (enter - margin <= leave + margin).then_some(((enter - margin).max(0.0), (leave + margin).min(1.0)))
}

/// A child that waits to be opened: its node's number times eight plus its slot.
#[derive(Clone, Copy)]
struct Waiting {
    key: f32,
    place: u32,
}

struct Traverse<'a, P> {
    tree: &'a WideTree,
    probe: &'a P,
}

impl<P: Probe> Traverse<'_, P> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn run<S: Simd>(
        &self,
        simd: S,
        mut limit: f32,
        meter: &mut Meter,
        shown: &mut dyn FnMut(u32, P::Seen) -> f32,
    ) -> Option<f32> {
        if meter.spend(1).is_break() {
            return Some(0.0);
        }
        let mut todo = Vec::with_capacity(64);
        self.open(simd, 0, limit, &mut todo);
        while let Some(next) = todo.pop() {
            if next.key > limit {
                continue;
            }
            let (node, slot) = (&self.tree.nodes[(next.place >> 3) as usize], (next.place & 7) as usize);
            if node.count[slot] > 0 {
                limit = self.leaf(simd, next, limit, meter, shown);
                if limit < 0.0 {
                    return None;
                }
            } else if meter.spend(1).is_continue() {
                self.open(simd, node.first[slot], limit, &mut todo);
            } else {
                return Some(todo.iter().fold(next.key, |least, waiting| least.min(waiting.key)));
            }
        }
        None
    }

    /// Puts the children of a node on the stack, the nearest on top.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn open<S: Simd>(&self, simd: S, n: u32, limit: f32, todo: &mut Vec<Waiting>) {
        let (mut mask, keys) = self.probe.children(simd, &self.tree.nodes[n as usize], limit);
        let start = todo.len();
        while mask != 0 {
            let slot = mask.trailing_zeros();
            mask &= mask - 1;
            let next = Waiting { key: keys[slot as usize], place: 8 * n + slot };
            todo.push(next);
            let mut i = todo.len() - 1;
            // Of equal keys the first child is to come first.
            while i > start && todo[i - 1].key <= next.key {
                todo[i] = todo[i - 1];
                i -= 1;
            }
            todo[i] = next;
        }
    }

    /// Shows the triangles of a leaf that may matter.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn leaf<S: Simd>(
        &self,
        simd: S,
        leaf: Waiting,
        mut limit: f32,
        meter: &mut Meter,
        shown: &mut dyn FnMut(u32, P::Seen) -> f32,
    ) -> f32 {
        let (node, slot) = (&self.tree.nodes[(leaf.place >> 3) as usize], (leaf.place & 7) as usize);
        let triangles = self.tree.leaf(node.first[slot], node.count[slot]);
        let corners = &self.tree.corners[9 * node.first[slot] as usize..];
        let (mask, seen) = self.probe.triangles(simd, corners, triangles.len(), leaf.key, limit);
        for ((_, &i), seen) in
            triangles.iter().enumerate().zip(seen).filter(|((bit, _), _)| mask >> bit & 1 == 1)
        {
            meter.count_triangles(1);
            limit = shown(i, seen).min(limit);
            if limit < 0.0 {
                break;
            }
        }
        limit
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::kind::Form;
    use crate::math::simd::other_levels;
    use crate::shape::Mesh;
    use crate::testing::Random;

    /// What a traversal shows, in order, with what it returns.
    type Shown = (Vec<u32>, Option<u64>);

    const BODIES: [Profile; 4] = [
        Profile { form: Form::Cylinder, lengths: [0.01, 0.01, 0.7] },
        Profile { form: Form::Cone, lengths: [0.4, 0.4, 0.3] },
        Profile { form: Form::Ellipsoid, lengths: [0.5, 0.2, 0.01] },
        Profile::HULL,
    ];

    /// The points of a hull: an octahedron.
    fn hull(profile: Profile, size: f64) -> Vec<DVec3> {
        if profile.form != Form::Hull {
            return Vec::new();
        }
        [DVec3::X, DVec3::Y * 0.5, DVec3::Z * 0.2].into_iter().flat_map(|p| [p * size, -p * size]).collect()
    }

    /// The triangles around a body with the intervals shown, bit for bit.
    fn around(view: &View, level: Level, center: DVec3, profile: Profile) -> Vec<(u32, [u64; 2])> {
        let axes = DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.0);
        let mut shown = Vec::new();
        let mut upper: f64 = 2.0;
        let body = Around { center, axes, profile, points: hull(profile, 1.0) };
        let rest = view.visit_around_at(level, &body, upper, &mut Meter::unlimited(), |i, seen| {
            shown.push((i, [seen.lower.to_bits(), seen.upper.to_bits()]));
            upper = upper.min(seen.upper);
            upper
        });
        shown.push((u32::MAX, [rest.to_bits(), 0]));
        shown
    }

    fn traversals(view: &View, level: Level, p: DVec3, q: DVec3) -> [Shown; 2] {
        let mut nearest = Vec::new();
        let mut upper = 2.0;
        let rest = view.visit_nearest_at(level, p, upper, &mut Meter::unlimited(), |i| {
            nearest.push(i);
            upper *= 0.9;
            upper
        });
        let mut along = Vec::new();
        view.visit_segment_at(level, p, q, &mut Meter::unlimited(), |i| {
            along.push(i);
            1.0
        });
        [(nearest, Some(rest.to_bits())), (along, None)]
    }

    #[test]
    fn every_level_traverses_alike() {
        let mut rng = Random::new(5);
        let mut point = |size: f64| rng.point() * size;
        let corners: Vec<DVec3> = (0..900).map(|i| point(0.9) + point(0.1) * f64::from(i % 3)).collect();
        let mesh = Mesh::new(corners, (0..300).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap();
        let tree = WideTree::new(&mesh);
        let pose = Pose::new(DVec3::ONE, DQuat::from_xyzw(0.1, 0.7, -0.1, 0.7).normalize()).unwrap();
        let view = View::new(&tree, &pose);
        let mut seen = 0;
        for case in 0..200 {
            let (p, q) = (point(2.0), point([2.0, 1e4][case % 2]));
            let best = traversals(&view, Level::new(), p, q);
            for level in other_levels() {
                assert_eq!(traversals(&view, level, p, q), best, "{level:?}");
            }
            let profile = BODIES[case % 4];
            let round = around(&view, Level::new(), p * 1.5, profile);
            for level in other_levels() {
                assert_eq!(around(&view, level, p * 1.5, profile), round, "{level:?}");
            }
            seen += best[0].0.len() + best[1].0.len() + round.len();
        }
        assert!(seen > 500, "{seen}");
    }

    /// Bodies beside, on and far from a mesh of triangles far smaller and larger than they are: no triangle
    /// is farther or nearer than shown. The judge tests many points of the triangle and of the body's
    /// surface.
    #[test]
    fn intervals_hold_distances_to_points_of_triangles() {
        let mut rng = Random::new(6);
        let mut point = |size: f64| rng.point() * size;
        let corners: Vec<DVec3> = (0..300).map(|i| point(0.9) * f64::from(1 + i % 3)).collect();
        let mesh = Mesh::new(corners, (0..100).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap();
        let tree = WideTree::new(&mesh);
        let view = View::new(&tree, &Pose::IDENTITY);
        for case in 0..120 {
            let (factor, away) = [(1.0, 2.0), (1e-9, 2.0), (30.0, 60.0), (1e6, 1e6), (1.0, 1e7)][case % 5];
            let profile = BODIES[case / 5 % 4].map(|x| x * factor);
            let points = hull(profile, factor);
            let body = Around { center: point(away), axes: DMat3::IDENTITY, profile, points };
            let on_body = |t: DVec3| {
                let t = t.normalize_or(DVec3::X);
                let lengths = DVec3::from(profile.lengths);
                let (radius, half_length) = (lengths.x, lengths.z);
                let p = match profile.form {
                    Form::Cylinder => {
                        t.with_z(0.0).normalize_or(DVec3::X) * radius + DVec3::Z * half_length * t.z
                    }
                    Form::Cone => {
                        let rim = t.with_z(0.0).normalize_or(DVec3::X) * radius - DVec3::Z * half_length;
                        rim.lerp(DVec3::Z * half_length, t.z.abs())
                    }
                    Form::Ellipsoid => t * lengths,
                    Form::Hull => {
                        let sum = t.abs().element_sum() / factor;
                        DVec3::new(t.x, t.y * 0.5, t.z * 0.2) / sum
                    }
                };
                body.center + p
            };
            view.visit_around(&body, f64::INFINITY, &mut Meter::unlimited(), |i, seen| {
                let [a, b, c] = mesh.triangle(i).corners();
                assert!(seen.lower <= seen.upper, "{seen:?}");
                for _ in 0..20 {
                    let (u, v) = (point(0.5).x + 0.5, point(0.5).x + 0.5);
                    let on_triangle = a + (b - a) * (u * v) + (c - a) * (u * (1.0 - v));
                    let apart = on_triangle.distance(on_body(point(1.0)));
                    assert!(seen.lower <= apart * (1.0 + 1e-9), "{seen:?} {apart} {profile:?}");
                }
                f64::INFINITY
            });
        }
    }

    #[test]
    fn a_stopped_traversal_returns_a_bound_on_what_is_left() {
        let mesh = Mesh::from_aabb(Aabb { min: DVec3::splat(-1.0), max: DVec3::ONE });
        let tree = WideTree::new(&mesh);
        let view = View::new(&tree, &Pose::IDENTITY);
        let mut none = Meter::new(&crate::effort::Budget::nodes(0));
        let mut shown = 0;
        let rest = view.visit_nearest(DVec3::X * 3.0, 9.0, &mut none, |_| {
            shown += 1;
            9.0
        });
        assert!(shown == 0 && (0.0..=2.0).contains(&rest), "{rest}");
        let all = view.visit_nearest(DVec3::X * 3.0, 9.0, &mut Meter::unlimited(), |_| 9.0);
        assert_eq!(all, 9.0);
    }
}
