//! Vertices that are nearly at one place become one point.
//!
//! Two vertices are *near* if their distance is at most the tolerance, decided exactly. A cluster is a set of vertices
//! that chains of near ones connect (single linkage), so the clusters depend on neither the order of the vertices nor
//! that of the triangles. They are found with a union-find over a k-d tree (J. L. Bentley, "Multidimensional binary
//! search trees used for associative searching", 1975) that is traversed against itself.

use std::cmp::Ordering;

use glam::DVec3;
use thiserror::Error;

use crate::math::sets::{find, join};
use crate::math::{Fraction, length};
use crate::shape::{Aabb, Edge, Mesh, MeshError, Topology};

/// Why a mesh was not welded.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum WeldError {
    /// The tolerance is no length.
    #[error("a tolerance must be a finite number of 0 or more, found {value}")]
    NotALength {
        /// The tolerance given.
        value: f64,
    },
    /// What is left is too small to be a mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

/// Counts of what welding changed in a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WeldReport {
    /// Vertices at most so far apart became one point.
    pub tolerance: f64,
    /// How many vertices have another position than before.
    pub moved: usize,
    /// No vertex moved farther than this; rounded up. Above the tolerance where a chain of vertices was
    /// pulled together.
    pub farthest: f64,
    /// How many triangles had three different corners and have no longer.
    pub collapsed: usize,
}

impl Mesh {
    /// The mesh with all vertices that are at most `tolerance` apart at one position, and what that changed.
    ///
    /// Numbers stay: vertices keep theirs and so do triangles, which may lose their area. Clusters are joined through
    /// chains: vertices in a row, each near the next, become one point however long the row is, and
    /// [`WeldReport::farthest`] is how far one moved. Every vertex of a cluster takes the position that most corners
    /// of triangles have there; among equals the one with the least x, then y, then z. Vertices without a triangle
    /// stay where they are. With tolerance 0 nothing moves, since vertices of equal position (−0 equals 0) are one
    /// point already.
    ///
    /// Welding never opens a closed mesh. O(n log n) as long as few vertices that stay apart are near the tolerance.
    ///
    /// # Errors
    /// [`WeldError::NotALength`]; [`WeldError::Mesh`] if all that is left is smaller than 1e-90.
    pub fn welded(&self, tolerance: f64) -> Result<(Self, WeldReport), WeldError> {
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(WeldError::NotALength { value: tolerance });
        }
        let uses = corner_counts(self);
        let used = (0..).zip(self.vertices()).filter(|(i, _)| uses[*i as usize] > 0);
        let mut clusters = Clusters::of(self.vertices().len(), used.map(|(i, p)| (*p, i)).collect());
        clusters.join_near(tolerance);
        let places = places(self.vertices(), &uses, &mut clusters);
        let mut report = WeldReport { tolerance, moved: 0, farthest: 0.0, collapsed: 0 };
        for (before, after) in self.vertices().iter().zip(&places).filter(|(before, after)| before != after) {
            report.moved += 1;
            // Rounded up.
            report.farthest = report.farthest.max(length(*after - *before) * (1.0 + 8.0 * f64::EPSILON));
        }
        let mesh = self.with_vertices(places)?;
        let lost = |i: &u32| has_three_corners(self, *i) && !has_three_corners(&mesh, *i);
        report.collapsed = (0..self.triangles().len() as u32).filter(lost).count();
        Ok((mesh, report))
    }
}

/// The tolerances that [`Topology::closing_tolerance`] tries, as parts of the longest side of the bounding box.
const TRIED: [f64; 4] = [1e-9, 1e-8, 1e-7, 1e-6];

impl Topology {
    /// The least of a few tolerances with which [`Mesh::welded`] makes a closed mesh of `mesh`, whose
    /// topology this is: about 1e-9, 1e-8, 1e-7 and 1e-6 of its longest side, rounded to two digits. 0 if it
    /// is closed already, `None` if none of them closes it by joining vertices of its open edges. O(n log n)
    /// in the number of open edges, and as much as welding if there is an answer.
    ///
    /// An edge is open if it has an odd number of triangles. Welding is a simplicial map, so the open edges of the
    /// welded mesh are, modulo two, the images of the open edges before: what is closed stays closed, and only the
    /// vertices of open edges have to be compared.
    pub fn closing_tolerance(&self, mesh: &Mesh) -> Option<f64> {
        if self.is_closed() {
            return Some(0.0);
        }
        let open = self.open_edges();
        let mut ends: Vec<u32> = open.as_flattened().to_vec();
        ends.sort_unstable();
        ends.dedup();
        let points = ends.into_iter().map(|i| (mesh.vertices()[i as usize], i)).collect();
        let mut clusters = Clusters::of(mesh.vertices().len(), points);
        let tried = TRIED.map(|part| two_digits(part * mesh.aabb().extent().max_element()));
        let mut most = clusters.clone();
        if !most.closes(&open, tried[TRIED.len() - 1]) {
            return None;
        }
        let found = tried.into_iter().find(|&tolerance| clusters.closes(&open, tolerance))?;
        let (welded, _) = mesh.welded(found).ok()?;
        welded.topology().is_closed().then_some(found)
    }

    /// The edges with an odd number of triangles.
    fn open_edges(&self) -> Vec<[u32; 2]> {
        let is_open = |e: &&Edge| (e.forward + e.backward) % 2 == 1;
        self.edges.iter().filter(is_open).map(|e| [e.low, e.high]).collect()
    }
}

/// The number rounded to two significant decimal digits, so that people can type it.
fn two_digits(x: f64) -> f64 {
    format!("{x:.1e}").parse().unwrap_or(x)
}

/// How many corners of triangles each vertex is.
fn corner_counts(mesh: &Mesh) -> Vec<u32> {
    let mut counts = vec![0; mesh.vertices().len()];
    for &i in mesh.triangles().iter().flatten() {
        counts[i as usize] += 1;
    }
    counts
}

fn has_three_corners(mesh: &Mesh, i: u32) -> bool {
    let [a, b, c] = mesh.triangle(i).corners();
    a != b && b != c && c != a
}

/// Where each vertex goes.
fn places(vertices: &[DVec3], uses: &[u32], clusters: &mut Clusters) -> Vec<DVec3> {
    let mut places = vertices.to_vec();
    let mut members: Vec<(u32, u32)> = (0..vertices.len() as u32).map(|i| (clusters.root(i), i)).collect();
    members.sort_unstable_by(|(r, i), (s, j)| {
        r.cmp(s).then_with(|| by_position(&vertices[*i as usize], &vertices[*j as usize]))
    });
    for cluster in members.chunk_by(|(r, _), (s, _)| r == s) {
        // Zeros lose their sign, so that the bits do not depend on the order of the vertices.
        let place = most_used(vertices, uses, cluster) + 0.0;
        for &(_, i) in cluster {
            if places[i as usize] != place {
                places[i as usize] = place;
            }
        }
    }
    places
}

/// By x, then y, then z, with −0 equal to 0.
fn by_position(p: &DVec3, q: &DVec3) -> Ordering {
    let compare = |i: usize| (p[i] + 0.0).total_cmp(&(q[i] + 0.0));
    compare(0).then_with(|| compare(1)).then_with(|| compare(2))
}

/// The position in a cluster, sorted by position, at which most corners of triangles are; the first of equals.
fn most_used(vertices: &[DVec3], uses: &[u32], cluster: &[(u32, u32)]) -> DVec3 {
    let at = |(_, i): &(u32, u32)| vertices[*i as usize];
    let mut best = (0, at(&cluster[0]));
    for equal in cluster.chunk_by(|one, other| at(one) == at(other)) {
        let count: u64 = equal.iter().map(|(_, i)| u64::from(uses[*i as usize])).sum();
        if count > best.0 {
            best = (count, at(&equal[0]));
        }
    }
    best.1
}

/// What floating point says about a distance beside the tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nearness {
    Near,
    Far,
    /// Too close to the tolerance to tell.
    Open,
}

/// The tolerance, ready for comparisons.
#[derive(Debug, Clone, Copy)]
struct Tolerance {
    length: f64,
    square: f64,
}

/// Far more than the relative rounding error of a square of length as it is computed here.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Below this, squares may have lost digits to underflow.
const LEAST_SQUARE: f64 = 1e-280;

impl Tolerance {
    fn new(length: f64) -> Self {
        Self { length, square: length * length }
    }

    /// Compares the length of a vector whose coordinates are rounded differences.
    fn of_length(&self, v: DVec3) -> Nearness {
        if v == DVec3::ZERO {
            return Nearness::Near;
        }
        let square = v.length_squared();
        let sound = square >= LEAST_SQUARE || self.square >= LEAST_SQUARE;
        if sound && square > self.square * (1.0 + ROUNDING) {
            Nearness::Far
        } else if sound && square < self.square * (1.0 - ROUNDING) {
            Nearness::Near
        } else {
            Nearness::Open
        }
    }

    /// Whether two points are at most the tolerance apart, exactly.
    fn holds(&self, p: DVec3, q: DVec3) -> bool {
        match self.of_length(p - q) {
            Nearness::Near => true,
            Nearness::Far => false,
            Nearness::Open => {
                let square = |i: usize| {
                    let difference = &Fraction::from(p[i]) - &Fraction::from(q[i]);
                    &difference * &difference
                };
                let length = Fraction::from(self.length);
                let distance = &(&square(0) + &square(1)) + &square(2);
                !(&distance - &(&length * &length)).is_positive()
            }
        }
    }
}

/// A node of the k-d tree: a range of the points, and its two halves unless it is a leaf.
#[derive(Debug, Clone, Copy)]
struct Node {
    from: u32,
    to: u32,
    around: Aabb,
    halves: Option<[u32; 2]>,
    /// Whether all its points are known to be of one cluster.
    is_one: bool,
}

/// Points of one leaf at most.
const LEAF: usize = 8;

/// Points and the clusters that they are joined to.
#[derive(Clone)]
struct Clusters {
    points: Vec<(DVec3, u32)>,
    nodes: Vec<Node>,
    parent: Vec<u32>,
}

impl Clusters {
    /// Clusters of single points, with numbers below `numbers`.
    fn of(numbers: usize, points: Vec<(DVec3, u32)>) -> Self {
        let mut clusters = Self { points, nodes: Vec::new(), parent: (0..numbers as u32).collect() };
        if !clusters.points.is_empty() {
            clusters.build(0, clusters.points.len());
        }
        clusters
    }

    /// The least number in the cluster of point `i`.
    fn root(&mut self, i: u32) -> u32 {
        find(&mut self.parent, i)
    }

    /// Joins the clusters of all points that are at most `tolerance` apart.
    fn join_near(&mut self, tolerance: f64) {
        if !self.nodes.is_empty() {
            self.join_within(0, &Tolerance::new(tolerance));
        }
    }

    /// Joins at this tolerance and returns whether the open edges cancel: those with one cluster at both ends vanish,
    /// and each of the others is there an even number of times.
    fn closes(&mut self, open: &[[u32; 2]], tolerance: f64) -> bool {
        self.join_near(tolerance);
        let joined = open.iter().map(|edge| edge.map(|i| find(&mut self.parent, i)));
        let mut left: Vec<[u32; 2]> =
            joined.filter(|[i, j]| i != j).map(|[i, j]| [i.min(j), i.max(j)]).collect();
        left.sort_unstable();
        left.chunk_by(|one, other| one == other).all(|equal| equal.len() % 2 == 0)
    }

    /// A node of the points from `from` to `to`, halved along the longest side of their box; returns its number.
    fn build(&mut self, from: usize, to: usize) -> u32 {
        let points = &mut self.points[from..to];
        let around = Aabb::around(points.iter().map(|(p, _)| *p));
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { from: from as u32, to: to as u32, around, halves: None, is_one: false });
        if points.len() > LEAF {
            let axis = longest(&around);
            let middle = points.len() / 2;
            points.select_nth_unstable_by(middle, |(p, _), (q, _)| p[axis].total_cmp(&q[axis]));
            let halves = [self.build(from, from + middle), self.build(from + middle, to)];
            self.nodes[number as usize].halves = Some(halves);
        }
        number
    }

    fn join_within(&mut self, node: u32, tolerance: &Tolerance) {
        let Node { around, halves, .. } = self.nodes[node as usize];
        if tolerance.of_length(around.max - around.min) == Nearness::Near {
            return self.join_all(node);
        }
        match halves {
            None => self.join_points(node, node, tolerance),
            Some([low, high]) => {
                self.join_within(low, tolerance);
                self.join_within(high, tolerance);
                self.join_across(low, high, tolerance);
            }
        }
        self.nodes[node as usize].is_one = self.is_one(node);
    }

    /// Joins the near ones of two nodes, each of which is joined within itself.
    fn join_across(&mut self, a: u32, b: u32, tolerance: &Tolerance) {
        let [x, y] = [a, b].map(|node| self.nodes[node as usize]);
        let gap = (x.around.min - y.around.max).max(y.around.min - x.around.max).max(DVec3::ZERO);
        if tolerance.of_length(gap) == Nearness::Far || self.are_one(&x, &y) {
            return;
        }
        let a_first = x.to - x.from >= y.to - y.from;
        let pairs = match (x.halves, y.halves) {
            (None, None) => return self.join_points(a, b, tolerance),
            (Some(halves), None) => halves.map(|half| [half, b]),
            (Some(halves), Some(_)) if a_first => halves.map(|half| [half, b]),
            (_, Some(halves)) => halves.map(|half| [a, half]),
        };
        for [a, b] in pairs {
            self.join_across(a, b, tolerance);
        }
    }

    /// Tries every pair of points of two leaves, or of one with itself.
    fn join_points(&mut self, a: u32, b: u32, tolerance: &Tolerance) {
        let [x, y] = [a, b].map(|node| self.nodes[node as usize]);
        for i in x.from..x.to {
            let first = if a == b { i + 1 } else { y.from };
            for j in first..y.to {
                let [(p, one), (q, other)] = [self.points[i as usize], self.points[j as usize]];
                if tolerance.holds(p, q) {
                    join(&mut self.parent, one, other);
                }
            }
        }
    }

    fn join_all(&mut self, node: u32) {
        let Node { from, to, halves, .. } = self.nodes[node as usize];
        let first = self.points[from as usize].1;
        for i in from + 1..to {
            join(&mut self.parent, first, self.points[i as usize].1);
        }
        self.mark(node, halves);
    }

    /// Notes that all nodes from this one down are of one cluster.
    fn mark(&mut self, node: u32, halves: Option<[u32; 2]>) {
        self.nodes[node as usize].is_one = true;
        for half in halves.into_iter().flatten() {
            self.mark(half, self.nodes[half as usize].halves);
        }
    }

    /// Whether the points of a node are of one cluster, as far as its halves know.
    fn is_one(&mut self, node: u32) -> bool {
        let Node { from, to, halves, .. } = self.nodes[node as usize];
        match halves {
            None => {
                let first = self.points[from as usize].1;
                (from + 1..to).all(|i| self.root(self.points[i as usize].1) == self.root(first))
            }
            Some(halves) => {
                let [x, y] = halves.map(|half| self.nodes[half as usize]);
                self.are_one(&x, &y)
            }
        }
    }

    /// Whether the points of two nodes are known to be of one cluster.
    fn are_one(&mut self, x: &Node, y: &Node) -> bool {
        let [one, other] = [x, y].map(|node| self.points[node.from as usize].1);
        x.is_one && y.is_one && self.root(one) == self.root(other)
    }
}

fn longest(around: &Aabb) -> usize {
    let extent = around.extent();
    if extent.x >= extent.y && extent.x >= extent.z { 0 } else { 1 + usize::from(extent.y < extent.z) }
}

#[cfg(test)]
mod tests {
    use crate::testing::Random;
    use rand::RngExt;
    use rand::seq::SliceRandom;

    use super::*;

    /// A mesh that uses each of these vertices once.
    fn mesh(points: Vec<DVec3>) -> Mesh {
        let count = points.len() as u32;
        Mesh::new(points, (0..count.div_ceil(3)).map(|t| [0, 1, 2].map(|c| (3 * t + c) % count)).collect())
            .unwrap()
    }

    /// The cluster of each point: every pair is compared in exact arithmetic until nothing changes.
    fn clusters_by_brute_force(points: &[DVec3], tolerance: f64) -> Vec<usize> {
        let square = |x: f64, y: f64| {
            let difference = &Fraction::from(x) - &Fraction::from(y);
            &difference * &difference
        };
        let limit = square(tolerance, 0.0);
        let mut cluster: Vec<usize> = (0..points.len()).collect();
        for (i, p) in points.iter().enumerate() {
            for (j, q) in points.iter().enumerate().skip(i + 1) {
                let distance = &(&square(p.x, q.x) + &square(p.y, q.y)) + &square(p.z, q.z);
                if distance <= limit {
                    let (low, high) = (cluster[i].min(cluster[j]), cluster[i].max(cluster[j]));
                    cluster.iter_mut().filter(|c| **c == high).for_each(|c| *c = low);
                }
            }
        }
        cluster
    }

    fn agrees_with_brute_force(points: &[DVec3], tolerance: f64) {
        let (welded, report) = mesh(points.to_vec()).welded(tolerance).unwrap();
        let cluster = clusters_by_brute_force(points, tolerance);
        let mut place = std::collections::HashMap::new();
        for (vertex, own) in welded.vertices().iter().zip(&cluster) {
            assert_eq!(place.entry(own).or_insert(vertex), &vertex, "one cluster, one point");
        }
        let distinct: std::collections::HashSet<_> =
            place.values().map(|p| (**p + 0.0).to_array().map(f64::to_bits)).collect();
        assert_eq!(distinct.len(), place.len(), "two clusters, two points");
        let moved = points.iter().zip(welded.vertices()).filter(|(p, q)| p != q);
        assert_eq!(moved.clone().count(), report.moved);
        assert!(moved.clone().all(|(p, q)| p.distance(*q) <= report.farthest * (1.0 + 1e-15)));
    }

    #[test]
    fn clusters_agree_with_brute_force_at_any_scale_and_spread() {
        let mut random = Random::new(1);
        for case in 0..24 {
            let scale = [1.0, 1e-80, 1e80, 1e-3][case % 4];
            let side = [1.0, 4.0, 1000.0][case % 3];
            // On a grid there are many distances of exactly the tolerance; thin and flat clouds come too.
            let flat =
                [DVec3::ONE, DVec3::new(1.0, 1.0, 0.0), DVec3::X, DVec3::new(1e-9, 1.0, 1.0)][case / 3 % 4];
            let on_grid = case % 2 == 0;
            let mut number = || {
                let x: f64 = random.random_range(-side..side);
                if on_grid { x.round() } else { x }
            };
            let points: Vec<DVec3> =
                (0..80).map(|_| DVec3::new(number(), number(), number()) * flat * scale).collect();
            if points.iter().all(|p| *p == DVec3::ZERO) {
                continue;
            }
            for tolerance in [0.0, 0.1, 1.0, 3.0_f64.sqrt(), 50.0] {
                agrees_with_brute_force(&points, tolerance * scale);
            }
        }
    }

    #[test]
    fn a_distance_of_exactly_the_tolerance_is_near_and_one_more_ulp_is_not() {
        // 3² + 4² = 5², and 0.1 + 0.2 is above 0.3.
        let [p, q] = [DVec3::new(1.0, 1.0, 1.0), DVec3::new(4.0, 5.0, 1.0)];
        let moved = |q: DVec3, tolerance| mesh(vec![p, q, p]).welded(tolerance).unwrap().1.moved;
        assert_eq!((moved(q, 5.0), moved(q, 5.0_f64.next_down())), (1, 0));
        for y in [5.0_f64.next_up(), 5.0 + 1e-14] {
            assert_eq!(moved(DVec3::new(4.0, y, 1.0), 5.0), 0);
        }
        for scale in [1e-300, 1e-170] {
            // Beside the unit that keeps the mesh in range.
            let points = vec![DVec3::ZERO, DVec3::X * scale, DVec3::ONE];
            let moved = |tolerance| mesh(points.clone()).welded(tolerance).unwrap().1.moved;
            assert_eq!((moved(scale), moved(scale.next_down())), (1, 0));
        }
    }

    #[test]
    fn the_order_of_the_vertices_does_not_matter() {
        let mut random = Random::new(2);
        let mut number = || (random.random_range(-3.0..3.0_f64) * 8.0).round() / 8.0;
        let points: Vec<DVec3> = (0..300).map(|_| DVec3::new(number(), number(), number())).collect();
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.shuffle(&mut Random::new(3));
        let (straight, report) = mesh(points.clone()).welded(0.4).unwrap();
        let shuffled = order.iter().map(|&i| points[i]).collect();
        let (shuffled, again) = mesh(shuffled).welded(0.4).unwrap();
        assert!(report.moved > 50, "{report:?}");
        assert_eq!((report.moved, report.farthest), (again.moved, again.farthest));
        for (new, &old) in order.iter().enumerate() {
            assert_eq!(shuffled.vertices()[new], straight.vertices()[old]);
        }
    }

    #[test]
    fn the_place_that_most_corners_have_is_kept() {
        let [near, at] = [DVec3::new(-1e-9, 0.0, 0.0), DVec3::ZERO];
        let triangles = vec![[0, 2, 3], [1, 2, 3], [1, 3, 2]];
        let mesh = Mesh::new(vec![near, at, DVec3::Y, DVec3::Z], triangles).unwrap();
        let (welded, report) = mesh.welded(1e-8).unwrap();
        assert_eq!(welded.vertices()[..2], [at, at]);
        assert_eq!((report.moved, report.collapsed), (1, 0));
        assert!((1e-9..1.0000001e-9).contains(&report.farthest));
        // One corner each: the lesser x.
        let two = Mesh::new(vec![at, near, DVec3::Y], vec![[0, 1, 2]]).unwrap().welded(1e-8).unwrap();
        assert_eq!(two.0.vertices()[..2], [near, near]);
        assert_eq!(two.1.collapsed, 1);
    }

    #[test]
    fn tolerance_zero_changes_no_bit_and_loose_vertices_stay() {
        let points = vec![DVec3::ZERO, -DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X * 1e-9];
        let mesh = Mesh::new(points.clone(), vec![[0, 2, 3], [1, 3, 2]]).unwrap();
        let bits = |m: &Mesh| m.vertices().iter().map(|p| p.to_array().map(f64::to_bits)).collect::<Vec<_>>();
        for tolerance in [0.0, -0.0, 1e-6] {
            let (same, report) = mesh.welded(tolerance).unwrap();
            assert_eq!((bits(&same), report.moved), (bits(&mesh), 0));
        }
        for value in [-1e-300, f64::INFINITY] {
            assert_eq!(mesh.welded(value), Err(WeldError::NotALength { value }));
        }
        assert!(mesh.welded(f64::NAN).is_err());
    }

    #[test]
    fn a_chain_becomes_one_point_and_says_how_far_it_moved() {
        let chain: Vec<DVec3> = (0..999).map(|i| DVec3::X * f64::from(i)).collect();
        let (welded, report) = mesh(chain.clone()).welded(1.0).unwrap();
        assert_eq!((report.moved, report.collapsed), (998, 333));
        assert!((998.0..998.0001).contains(&report.farthest));
        assert_eq!(welded.aabb().extent(), DVec3::ZERO);
        assert_eq!(mesh(chain).welded(0.999).unwrap().1.moved, 0);
    }

    #[test]
    fn crowds_of_points_weld_in_less_than_quadratic_time() {
        // Two crowds of 50 000 points each, a little more than the tolerance apart and each closer than that
        // within itself; all pairs would take minutes here.
        let mut random = Random::new(4);
        let mut number = || random.random_range(0.0..0.25);
        let points: Vec<DVec3> =
            (0..100_002).map(|i| DVec3::new(f64::from(i % 2) * 1.3 + number(), number(), number())).collect();
        let (welded, report) = mesh(points).welded(1.0).unwrap();
        assert_eq!(report.moved, 100_000);
        assert_eq!(welded.topology().faults.unwelded, 100_000);
    }

    /// The box of these corners with three own vertices to each triangle, each coordinate moved by at most `by`.
    fn shaken_box(max: DVec3, by: f64) -> Mesh {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max });
        let mut random = Random::new(5);
        let mut shaken = |p: DVec3| p + DVec3::from([0; 3].map(|_| random.random_range(-1.0..1.0) * by));
        let points = (0..12).flat_map(|i| cube.triangle(i).corners()).map(&mut shaken).collect();
        Mesh::new(points, (0..12).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap()
    }

    #[test]
    fn the_tolerance_that_closes_a_mesh_is_found() {
        for scale in [1.0, 1e-60, 1e60] {
            let size = DVec3::new(1.0, 2.0, 4.0) * scale;
            let at = |by: f64| {
                let mesh = shaken_box(size, by * scale);
                let found = mesh.topology().closing_tolerance(&mesh);
                if let Some(tolerance) = found {
                    assert!(mesh.welded(tolerance).unwrap().0.topology().is_closed());
                }
                found.map(|tolerance| tolerance / scale)
            };
            assert_eq!(at(0.0), Some(0.0));
            // 4e-9, 4e-8, 4e-7 and 4e-6 are tried; copies lie up to 2√3 times as far apart as each is moved.
            let near = |found: Option<f64>, tolerance: f64| (found.unwrap() / tolerance - 1.0).abs() < 0.05;
            assert!(near(at(1e-16), 4e-9) && near(at(1e-9), 4e-9) && near(at(1e-7), 4e-7), "{scale}");
            assert_eq!(at(1e-5), None);
        }
        let mut open = shaken_box(DVec3::ONE, 1e-10);
        open.clone_from(&Mesh::new(open.vertices().to_vec(), open.triangles()[1..].to_vec()).unwrap());
        assert_eq!(open.topology().closing_tolerance(&open), None, "a hole stays a hole");
    }
}
