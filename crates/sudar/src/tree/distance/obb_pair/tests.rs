//! Bounds for pairs against brute force, and what other tests of distances build on.

use crate::testing::{self, Random};

use crate::pair::{disjoint_triangle_distance_bounds, triangles_intersect};
use crate::shape::{Mesh, Triangle};
use crate::tree::distance::obb_pair::*;
use crate::tree::{Candidate, Pending};

/// Triangles strewn about, every fifth a needle or a point, the size of each up to `size`.
pub fn soup(n: u32, size: f64, rng: &mut Random) -> Mesh {
    let mut vertices = Vec::new();
    for t in 0..n {
        let center = rng.point();
        let (p, q) = (rng.point() * size, rng.point() * size);
        let r = match t % 5 {
            0 => p + (q - p) * 0.4 + rng.point() * 1e-9 * size,
            1 if t % 10 == 1 => p,
            _ => rng.point() * size,
        };
        vertices.extend([center + p, center + q, center + r]);
    }
    testing::soup(vertices)
}

pub struct Model {
    pub mesh: Mesh,
    pub tree: WideTree,
    pub boxes: Oriented,
}

impl Model {
    pub fn new(mesh: Mesh) -> Self {
        let tree = WideTree::new(&mesh);
        Self { boxes: Oriented::new(&tree), tree, mesh }
    }

    pub fn at<'a>(&'a self, pose: &'a Pose) -> Layered<'a> {
        Layered { tree: &self.tree, boxes: &self.boxes, pose }
    }

    pub fn triangle(&self, pose: &Pose, i: u32) -> Triangle {
        Triangle::from(self.mesh.triangle(i).corners().map(|p| pose.apply(p)))
    }
}

/// A pose off a rotation by as much as is allowed, if `loose`.
pub fn pose(rng: &mut Random, shift: f64, loose: bool) -> Pose {
    let rotation = DMat3::from_quat(rng.rotation());
    let stretch = if loose { 1.0 + 4e-7 } else { 1.0 };
    Pose::from_matrix(rotation * stretch, rng.point() * shift).unwrap()
}

fn below(side: &Layered, place: Place) -> Vec<u32> {
    match side.below(place) {
        Below::Leaf(first, count) => side.tree.leaf(first, count).to_vec(),
        Below::Node(n) => side.places(n).flat_map(|place| below(side, place)).collect(),
    }
}

/// Bounds of the distance of two triangles as they stand.
fn truth(t: &Triangle, u: &Triangle) -> [f64; 2] {
    if triangles_intersect(t, u) {
        return [0.0, 0.0];
    }
    let (_, bounds) = disjoint_triangle_distance_bounds(t, u);
    [bounds.lower, bounds.upper]
}

struct Case {
    a: Model,
    pose_a: Pose,
    b: Model,
    pose_b: Pose,
}

impl Case {
    fn check(&self, pair: &PairBounds, apart: &ObbPair) {
        let (ours, theirs) = (below(&apart.a, pair.pair.a), below(&apart.b, pair.pair.b));
        let pairs = ours.iter().flat_map(|&i| theirs.iter().map(move |&j| [i, j]));
        let least =
            pairs.map(|ij| self.truth(ij)).fold([f64::INFINITY; 2], |m, d| [m[0].min(d[0]), m[1].min(d[1])]);
        assert!(pair.lower <= least[1], "{pair:?} {least:?}");
        let named = [apart.a.triangle_below(pair.pair.a), apart.b.triangle_below(pair.pair.b)];
        assert!(pair.upper >= self.truth(named)[0], "{pair:?}");
    }

    fn truth(&self, [i, j]: [u32; 2]) -> [f64; 2] {
        truth(&self.a.triangle(&self.pose_a, i), &self.b.triangle(&self.pose_b, j))
    }

    /// Opens everything and checks every bound on the way.
    fn check_all(&self) -> usize {
        let apart = ObbPair::new(self.a.at(&self.pose_a), self.b.at(&self.pose_b));
        let (mut todo, mut found, mut candidates) = (Vec::new(), Vec::new(), Vec::new());
        let mut pending = Pending::default();
        apart.roots(&mut todo);
        while let Some(next) = todo.pop() {
            self.check(&next, &apart);
            self.check(&apart.bound(next.pair), &apart);
            apart.expand(next.pair, &mut found);
            apart.leaves(next.pair, DVec3::Y, f64::INFINITY, &mut pending, &mut candidates);
            todo.append(&mut found);
        }
        apart.flush(f64::INFINITY, &mut pending, &mut candidates);
        assert_eq!(candidates.len(), self.a.mesh.triangles().len() * self.b.mesh.triangles().len());
        for Candidate { lower, upper, triangles, .. } in &candidates {
            let truth = self.truth(*triangles);
            assert!(*lower <= truth[1] && truth[0] <= *upper, "{lower} {upper} {truth:?}");
        }
        candidates.len()
    }
}

#[test]
fn every_bound_holds_at_any_scale_and_distance() {
    let mut rng = Random::new(31);
    // Scales of the bodies, where they stand, and how far apart in units of their sizes.
    let sizes = [(1.0, 1.0), (1.0, 1e-3), (1e-12, 1.0), (1e-70, 1e-70), (1e80, 1e80), (1e-60, 1e60)];
    for (case, (size_a, size_b)) in sizes.into_iter().cycle().take(36).enumerate() {
        let shift = [0.0, 2.0, 5.0, 40.0, 1e6][case % 5];
        let mesh_a = soup(23, 0.3, &mut rng).mapped(|p| p * size_a).unwrap();
        let mesh_b = soup(17, 0.5, &mut rng).mapped(|p| p * size_b).unwrap();
        let case = Case {
            a: Model::new(mesh_a),
            pose_a: pose(&mut rng, 0.0, case % 2 == 0),
            b: Model::new(mesh_b),
            pose_b: pose(&mut rng, shift * f64::max(size_a, size_b), case % 3 == 0),
        };
        assert_eq!(case.check_all(), 23 * 17);
    }
}

#[test]
fn bounds_are_close_to_the_truth() {
    // Two small flat sheets, tilted against each other: bounds by boxes are off by their sizes and no more.
    let mut rng = Random::new(32);
    for shift in [3.0, 1e3, 1e6] {
        let flat = |rng: &mut Random| soup(40, 0.1, rng).mapped(|p| DVec3::new(p.x, p.y, 0.0)).unwrap();
        let (a, b) = (Model::new(flat(&mut rng)), Model::new(flat(&mut rng)));
        let (pose_a, pose_b) = (Pose::IDENTITY, Pose::from_translation(DVec3::Z * shift).unwrap());
        let apart = ObbPair::new(a.at(&pose_a), b.at(&pose_b));
        let mut found = Vec::new();
        apart.roots(&mut found);
        let lower = found.iter().map(|pair| pair.lower).fold(f64::INFINITY, f64::min);
        assert!((shift - 1e-4..=shift).contains(&lower), "{lower} of {shift}");
    }
}
