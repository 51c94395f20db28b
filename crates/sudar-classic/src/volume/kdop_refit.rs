//! Re-fitting a k-DOP after a rotation, in three ways.
//!
//! A k-DOP that is rotated has other directions, so that a new one must be put around it.
//!
//! - [`KdopClimber`]: around the points themselves, whose farthest in each direction are found by climbing
//!   over their convex hull from those that were it before. The smallest; it needs the hull and depends on
//!   small motions for speed.
//! - [`KdopCorners`]: around the corners of the k-DOP, kept from when it was built. O(k·corners).
//! - [`SlabBound`]: a bound on each direction from three of the slabs. O(k), nothing to keep.

use std::sync::OnceLock;

use sudar::glam::{DMat3, DVec3};

use super::kdop::Kdop;
use sudar::hull::convex_hull;
use sudar::shape::Hull;
use sudar::volume::Relative;

/// Re-fits by a bound on each direction from three slabs.
///
/// A direction that is a sum Σ λᵢdᵢ with λᵢ ≥ 0 of directions of faces reaches no farther than Σ λᵢhᵢ. Which
/// three give the least bound depends on the k-DOP; here it is the three around it on the sphere of
/// directions, which are those of a k-DOP with all faces at the same distance, and the same for all volumes
/// of a tree (as Zachmann 1998, "Rapid collision detection by dynamically aligned DOP-trees"). Exact for
/// boxes and never wrong.
#[derive(Debug, Clone, Copy)]
pub struct SlabBound<const SLABS: usize> {
    /// Cones of three directions each that cover the sphere.
    cones: &'static [Cone],
}

#[derive(Debug, Clone, Copy)]
struct Cone {
    /// Twice the number of a slab, plus one for its opposite direction.
    faces: [usize; 3],
    /// From a direction to its factors.
    inverse: DMat3,
}

fn face_direction<const SLABS: usize>(face: usize) -> DVec3 {
    let direction = Kdop::<SLABS>::direction(face / 2);
    if face.is_multiple_of(2) { direction } else { -direction }
}

impl<const SLABS: usize> SlabBound<SLABS> {
    /// The cones: those over the triangles of the convex hull of all directions brought to length 1. Made
    /// once in a program.
    pub fn new() -> Self {
        static CONES: [OnceLock<Vec<Cone>>; 4] = [const { OnceLock::new() }; 4];
        let place = match SLABS {
            3 => 0,
            7 => 1,
            9 => 2,
            _ => 3,
        };
        Self { cones: CONES[place].get_or_init(cones::<SLABS>) }
    }

    /// Ready for all volumes under one motion. O(k²).
    pub fn under(&self, motion: &Relative) -> AlignedSlabs<SLABS> {
        let (rotation, translation) = (motion.pose().rotation(), motion.pose().translation());
        let rows = std::array::from_fn(|i| {
            let direction = Kdop::<SLABS>::direction(i);
            let before = rotation.transpose() * direction;
            let (cone, factors) = self.around(before);
            Row { faces: cone.faces, factors: factors.to_array(), shift: direction.dot(translation) }
        });
        let shift = translation.abs().max_element();
        AlignedSlabs { rows, slack: motion.slack(), shift }
    }

    /// The cone that a direction lies deepest in, and its factors there.
    fn around(&self, direction: DVec3) -> (Cone, DVec3) {
        let mut best = (Cone { faces: [0, 2, 4], inverse: DMat3::IDENTITY }, DVec3::NEG_INFINITY);
        for cone in self.cones {
            let factors = cone.inverse * direction;
            if factors.min_element() > best.1.min_element() {
                best = (*cone, factors);
            }
        }
        best
    }
}

fn cones<const SLABS: usize>() -> Vec<Cone> {
    let units: Vec<DVec3> = (0..2 * SLABS).map(|i| face_direction::<SLABS>(i).normalize()).collect();
    // Units that are finite always have a hull.
    let Ok(hull) = convex_hull(&units) else { return Vec::new() };
    let mut cones = Vec::new();
    for fan in (0..hull.faces().len()).flat_map(|face| hull.fan(face).collect::<Vec<_>>()) {
        let faces = fan.map(|v| hull.sources()[v as usize] as usize);
        let [a, b, c] = faces.map(face_direction::<SLABS>);
        cones.push(Cone { faces, inverse: DMat3::from_cols(a, b, c).inverse() });
    }
    cones
}

impl<const SLABS: usize> Default for SlabBound<SLABS> {
    fn default() -> Self {
        Self::new()
    }
}

/// A [`SlabBound`] under one motion.
#[derive(Debug, Clone, Copy)]
pub struct AlignedSlabs<const SLABS: usize> {
    rows: [Row; SLABS],
    slack: f64,
    shift: f64,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    faces: [usize; 3],
    factors: [f64; 3],
    shift: f64,
}

impl<const SLABS: usize> AlignedSlabs<SLABS> {
    /// A k-DOP around the given one after the motion.
    #[inline]
    pub fn place(&self, kdop: &Kdop<SLABS>) -> Kdop<SLABS> {
        let mut placed = Kdop::EMPTY;
        let mut size = self.shift;
        for i in 0..3 {
            size += kdop.low[i].abs().max(kdop.high[i].abs());
        }
        // Factors are rounded, and may be some ulp below zero: then a slab counts from its wrong side, which
        // is off by as many ulp of its width.
        let slack = 1.75 * self.slack + 64.0 * f64::EPSILON * size;
        for (i, row) in self.rows.iter().enumerate() {
            let (mut low, mut high) = (row.shift, row.shift);
            for (face, factor) in row.faces.iter().zip(row.factors) {
                let slab = face / 2;
                let (near, far) = (kdop.low[slab] * factor, kdop.high[slab] * factor);
                if face.is_multiple_of(2) {
                    (low, high) = (low + near, high + far);
                } else {
                    (low, high) = (low - far, high - near);
                }
            }
            (placed.low[i], placed.high[i]) = (low - slack, high + slack);
        }
        placed
    }
}

/// Re-fits by the corners of the k-DOP.
#[derive(Debug, Clone, PartialEq)]
pub struct KdopCorners {
    corners: Vec<DVec3>,
    slack: f64,
    reach: f64,
}

impl KdopCorners {
    /// The corners, each once. O(k²).
    pub fn of<const SLABS: usize>(kdop: &Kdop<SLABS>) -> Self {
        let mut corners = kdop.polytope().corners();
        let size = corners.iter().fold(0.0, |most: f64, p| most.max(p.abs().max_element()));
        // Corners of several faces differ by rounding, and all of them from the true ones.
        let slack = 1e-12 * size;
        let mut kept: Vec<DVec3> = Vec::new();
        for p in corners {
            if !kept.iter().any(|q| (p - *q).abs().max_element() <= slack) {
                kept.push(p);
            }
        }
        corners = kept;
        if corners.is_empty() {
            // Flat along all directions of some face: the box will do.
            let at = |i: usize, k: usize| if i >> k & 1 == 1 { kdop.high[k] } else { kdop.low[k] };
            corners = (0..8).map(|i| DVec3::new(at(i, 0), at(i, 1), at(i, 2))).collect();
        }
        let reach = corners.iter().fold(0.0, |most: f64, p| most.max(p.abs().max_element()));
        Self { corners, slack: 2.0 * slack, reach }
    }

    /// A k-DOP around these corners after the motion. [`AlignedCorners`] is quicker for many.
    pub fn place<const SLABS: usize>(&self, motion: &Relative) -> Kdop<SLABS> {
        AlignedCorners::under(motion).place(self)
    }

    /// How many corners there are.
    pub fn len(&self) -> usize {
        self.corners.len()
    }

    /// Never: a k-DOP has a corner.
    pub fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }
}

/// The directions of k-DOPs brought into the frame of a body that moves, to re-fit by [`KdopCorners`].
#[derive(Debug, Clone, Copy)]
pub struct AlignedCorners<const SLABS: usize> {
    directions: [DVec3; SLABS],
    shifts: [f64; SLABS],
    motion: Relative,
}

impl<const SLABS: usize> AlignedCorners<SLABS> {
    /// Ready for all volumes under one motion.
    pub fn under(motion: &Relative) -> Self {
        let (across, translation) = (motion.pose().rotation().transpose(), motion.pose().translation());
        Self {
            directions: std::array::from_fn(|i| across * Kdop::<SLABS>::direction(i)),
            shifts: std::array::from_fn(|i| Kdop::<SLABS>::direction(i).dot(translation)),
            motion: *motion,
        }
    }

    /// A k-DOP around the corners after the motion.
    #[inline]
    pub fn place(&self, corners: &KdopCorners) -> Kdop<SLABS> {
        let mut placed = Kdop::EMPTY;
        // Products and sums are rounded as those of a pose, and directions are no longer than √3.
        let rounding = 8.0 * self.motion.pose().rounding(corners.reach);
        let slack = 1.75 * (self.motion.slack() + corners.slack) + rounding;
        for (i, direction) in self.directions.iter().enumerate() {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for p in &corners.corners {
                let height = direction.dot(*p);
                low = if height < low { height } else { low };
                high = if height > high { height } else { high };
            }
            (placed.low[i], placed.high[i]) = (low + self.shifts[i] - slack, high + self.shifts[i] + slack);
        }
        placed
    }
}

/// Re-fits by climbing over the convex hull of the body from the vertices that were farthest at the last pose.
#[derive(Debug, Clone)]
pub struct KdopClimber<const SLABS: usize> {
    hull: Hull,
    /// The neighbours of vertex i are `neighbours[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    least: [u32; SLABS],
    greatest: [u32; SLABS],
    reach: f64,
}

impl<const SLABS: usize> KdopClimber<SLABS> {
    /// Over this hull.
    pub fn new(hull: Hull) -> Self {
        let count = hull.vertices().len();
        let mut edges: Vec<(u32, u32)> = hull
            .half_edges()
            .iter()
            .map(|edge| (edge.origin, hull.half_edges()[edge.next as usize].origin))
            .collect();
        if edges.is_empty() && count == 2 {
            edges = vec![(0, 1), (1, 0)];
        }
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0; count + 1];
        for &(from, _) in &edges {
            starts[from as usize + 1] += 1;
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let neighbours = edges.into_iter().map(|(_, to)| to).collect();
        let reach = hull.vertices().iter().fold(0.0, |most: f64, p| most.max(p.abs().max_element()));
        Self { hull, starts, neighbours, least: [0; SLABS], greatest: [0; SLABS], reach }
    }

    /// The smallest k-DOP around the hull after the motion, up to rounding on the outside.
    pub fn place(&mut self, motion: &Relative) -> Kdop<SLABS> {
        let across = motion.pose().rotation().transpose();
        let mut ends = Vec::with_capacity(2 * SLABS);
        for i in 0..SLABS {
            let direction = across * Kdop::<SLABS>::direction(i);
            self.greatest[i] = self.climb(self.greatest[i], direction);
            self.least[i] = self.climb(self.least[i], -direction);
            ends.extend([self.greatest[i], self.least[i]].map(|v| self.hull.vertices()[v as usize]));
        }
        // A climb may end where all edges on rise by rounding only.
        let rounding = 2.0 * motion.pose().rounding(self.reach) + 1e-12 * self.reach;
        Kdop::around(ends.into_iter().map(|p| motion.apply(p))).grown(motion.slack() + rounding)
    }

    /// The vertex farthest along a direction: of a convex polyhedron the one with no higher neighbour.
    fn climb(&self, from: u32, direction: DVec3) -> u32 {
        let vertices = self.hull.vertices();
        let mut at = from;
        // Rounding could lead around in a circle.
        for _ in vertices {
            let (start, end) = (self.starts[at as usize] as usize, self.starts[at as usize + 1] as usize);
            let here = vertices[at as usize];
            let (mut next, mut most) = (at, 0.0);
            for &v in &self.neighbours[start..end] {
                // Differences of vertices, so that short edges count by their slope and not by the rounding
                // of far vertices.
                let rise = direction.dot(vertices[v as usize] - here);
                if rise > most {
                    (next, most) = (v, rise);
                }
            }
            if next == at {
                break;
            }
            at = next;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Dop14, Dop18, Dop26};
    use super::*;
    use sudar::volume::Volume;
    use sudar_testing::Random;
    use sudar_testing::volumes::clouds;

    #[test]
    fn all_three_hold_every_moved_point_and_climbing_is_the_tightest() {
        let mut random = Random::new(9);
        for (name, points) in clouds() {
            let hull = convex_hull(&points).unwrap();
            let mut climber = KdopClimber::<9>::new(hull);
            let kdop = Dop18::around(points.iter().copied());
            let corners = KdopCorners::of(&kdop);
            for _ in 0..4 {
                let motion = Relative::exact(random.any_pose(1.0));
                let all = [
                    climber.place(&motion),
                    corners.place(&motion),
                    SlabBound::new().under(&motion).place(&kdop),
                ];
                for p in &points {
                    for (i, placed) in all.iter().enumerate() {
                        assert!(placed.holds(motion.apply(*p)), "{name}: {i}");
                    }
                }
                let reach = kdop.low.iter().chain(&kdop.high).fold(1.0, |most: f64, x| most.max(x.abs()));
                let size = |k: &Dop18| k.extents().element_sum();
                assert!(size(&all[0]) <= size(&all[1]) + 1e-10 * reach, "{name}");
                assert!(size(&all[1]) <= size(&all[2]) + 1e-10 * reach, "{name}");
            }
        }
    }

    #[test]
    fn the_slab_bound_of_a_box_is_exact() {
        // Of a box the three slabs are the only ones: corners and bound agree.
        let mut random = Random::new(10);
        for _ in 0..50 {
            let kdop = Kdop::<3>::around([random.point(), random.point()]);
            let motion = Relative::exact(random.any_pose(1.0));
            let (by_slabs, by_corners) =
                (SlabBound::new().under(&motion).place(&kdop), KdopCorners::of(&kdop).place::<3>(&motion));
            for i in 0..3 {
                assert!((by_slabs.low[i] - by_corners.low[i]).abs() < 1e-10);
                assert!((by_slabs.high[i] - by_corners.high[i]).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn cones_cover_all_directions() {
        let mut random = Random::new(11);
        fn worst<const N: usize>(random: &mut Random) -> f64 {
            let bound = SlabBound::<N>::new();
            (0..500).map(|_| bound.around(random.point().normalize()).1.min_element()).fold(1.0, f64::min)
        }
        assert!(worst::<3>(&mut random) > -1e-12 && worst::<7>(&mut random) > -1e-12);
        assert!(worst::<9>(&mut random) > -1e-12 && worst::<13>(&mut random) > -1e-12);
        let _ = (Dop14::EMPTY, Dop26::EMPTY);
    }
}
