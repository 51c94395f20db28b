//! What is true of two meshes, found without trees: every pair of triangles is looked at.

use std::sync::Arc;

use sudar::math::Fraction;
use sudar::{DVec3, Interval, Mesh, Pose, Triangle};
use sudar_testing::Random;
use sudar_testing::meshes::{meeting_pairs, posed};

use super::exact_distance::{Corners, rough, scale_of, squared_distance};
use super::exact_ray::encloses;

/// The facts about two posed surfaces.
pub struct Truth {
    /// The square of their distance; of solids, zero if one lies inside the other.
    pub squared: Fraction,
    /// The pairs of triangles that meet, sorted. By `triangles_intersect`, which has an oracle of its own.
    pub pairs: Vec<[u32; 2]>,
}

/// A mesh where it stands, with an inside or without.
pub struct Placed {
    pub mesh: Arc<Mesh>,
    pub solid: bool,
    pub pose: Pose,
    pub triangles: Vec<Triangle>,
}

impl Placed {
    pub fn new(mesh: &Arc<Mesh>, solid: bool, pose: Pose) -> Self {
        Self { mesh: mesh.clone(), solid, pose, triangles: posed(mesh, &pose) }
    }

    /// The largest coordinate anywhere on the way to the posed triangles.
    pub fn reach(&self) -> f64 {
        let own = self.mesh.aabb();
        let largest = own.min.abs().max(own.max.abs()).max_element();
        2.0 * largest + self.pose.translation().abs().max_element()
    }

    /// Whether a piece of the other, whose triangles meet none of these, is inside.
    fn holds(&self, other: &Self, random: &mut Random) -> bool {
        self.solid && other.corners_of_pieces().any(|p| encloses(&self.triangles, p, random))
    }

    /// One corner of all triangles that hang together by vertices.
    fn corners_of_pieces(&self) -> impl Iterator<Item = DVec3> {
        let triangles = self.mesh.triangles();
        let mut piece: Vec<u32> = (0..self.mesh.vertices().len() as u32).collect();
        let mut grows = true;
        while grows {
            grows = false;
            for t in triangles {
                let least = t.map(|i| piece[i as usize]).into_iter().min().expect("three corners");
                for &i in t {
                    grows |= piece[i as usize] != least;
                    piece[i as usize] = least;
                }
            }
        }
        // The least vertex of each piece has its own number.
        let firsts = piece.into_iter().zip(0..).filter(|(piece, i)| piece == i).map(|(_, i)| i);
        let used = firsts.filter(|i| triangles.iter().flatten().any(|j| i == j));
        used.map(|i| self.pose.apply(self.mesh.vertices()[i as usize])).collect::<Vec<_>>().into_iter()
    }
}

impl Truth {
    pub fn of(a: &Placed, b: &Placed, random: &mut Random) -> Self {
        let pairs = meeting_pairs(&a.triangles, &b.triangles);
        let touching = !pairs.is_empty() || a.holds(b, random) || b.holds(a, random);
        let squared = if touching { Fraction::zero() } else { least_squared(&a.triangles, &b.triangles) };
        assert_eq!(touching, squared.is_zero(), "a distance of zero is a common point");
        Self { squared, pairs }
    }

    pub fn touching(&self) -> bool {
        self.squared.is_zero()
    }

    /// About the distance; good to an ulp or two.
    pub fn distance(&self) -> f64 {
        root(&self.squared)
    }

    /// Whether an interval contains the distance.
    pub fn is_held_by(&self, interval: Interval) -> bool {
        at_most_root(interval.lower, &self.squared) && root_at_most(&self.squared, interval.upper)
    }

    /// The distance, if an `f64` is exactly it.
    pub fn exact_distance(&self) -> Option<f64> {
        let root = self.distance();
        is_root(root, &self.squared).then_some(root)
    }
}

/// About the square root.
pub fn root(square: &Fraction) -> f64 {
    square.to_f64().sqrt()
}

/// Whether `x² = square`.
pub fn is_root(x: f64, square: &Fraction) -> bool {
    let x = Fraction::from(x);
    &x * &x == *square
}

/// Whether `x ≤ √square`, for `x` of any sign.
pub fn at_most_root(x: f64, square: &Fraction) -> bool {
    let exact = Fraction::from(x);
    x <= 0.0 || &exact * &exact <= *square
}

/// Whether `√square ≤ x`.
pub fn root_at_most(square: &Fraction, x: f64) -> bool {
    let exact = Fraction::from(x);
    x == f64::INFINITY || (x >= 0.0 && *square <= &exact * &exact)
}

/// The least squared distance of all pairs. Those whose lower bound in `f64` is above a distance found are left out.
pub fn least_squared(a: &[Triangle], b: &[Triangle]) -> Fraction {
    let [a, b] = [a, b].map(|all| all.iter().map(Triangle::corners).collect::<Vec<Corners>>());
    let scale = scale_of(a.iter().chain(&b).flatten());
    let small = |all: &[Corners]| all.iter().map(|t| t.map(|p| p * scale)).collect::<Vec<_>>();
    let (small_a, small_b) = (small(&a), small(&b));
    let mut upper = f64::INFINITY;
    let mut open = Vec::new();
    for (i, t) in small_a.iter().enumerate() {
        for (j, u) in small_b.iter().enumerate() {
            if gap(t, u) > upper {
                continue;
            }
            let rough = rough(t, u);
            upper = upper.min(rough.upper);
            open.push((rough.lower, i, j));
        }
    }
    open.retain(|(lower, ..)| *lower <= upper);
    open.into_iter().map(|(_, i, j)| squared_distance(&a[i], &b[j])).min().expect("there is a triangle")
}

/// At most the distance of the boxes.
fn gap(t: &Corners, u: &Corners) -> f64 {
    let box_of = |t: &Corners| (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]));
    let ((low, high), (other_low, other_high)) = (box_of(t), box_of(u));
    (other_low - high).max(low - other_high).max(DVec3::ZERO).length() * (1.0 - 1e-14)
}
