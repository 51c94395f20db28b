//! Boxes with faces along the world axes.

use glam::{DMat3, DVec3};

use crate::math::Pose;

/// Axis-aligned bounding box: the points `p` with `min ≤ p ≤ max` in each coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// Least corner.
    pub min: DVec3,
    /// Greatest corner.
    pub max: DVec3,
}

impl Aabb {
    /// The empty box: its union with another box is the other box.
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The box that holds every point.
    pub const EVERYTHING: Self = Self { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };

    /// The smallest box around the points; [`Aabb::EMPTY`] for none. Exact.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }

    /// The smallest box around this one and `p`. Exact.
    #[inline]
    pub fn with(self, p: DVec3) -> Self {
        Self { min: self.min.min(p), max: self.max.max(p) }
    }

    /// The smallest box around both. Exact.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The box grown by `by` on every side, rounded outward.
    pub fn grown(self, by: f64) -> Self {
        let down =
            |v: DVec3| DVec3::new((v.x - by).next_down(), (v.y - by).next_down(), (v.z - by).next_down());
        let up = |v: DVec3| DVec3::new((v.x + by).next_up(), (v.y + by).next_up(), (v.z + by).next_up());
        Self { min: down(self.min), max: up(self.max) }
    }

    /// A box around the points of this one at the pose, rounded outward; [`Aabb::EVERYTHING`] if that has no bounds.
    #[inline]
    pub fn posed(self, pose: &Pose) -> Self {
        let turn = pose.rotation();
        let spread = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        // A posed point, the posed centre and the spread are each off by less than this.
        let half = spread * (self.extent() * 0.5) + 4.0 * pose.rounding(self.reach());
        let center = pose.apply(self.center());
        let posed = Self { min: center - half, max: center + half };
        if posed.min.is_finite() && posed.max.is_finite() { posed } else { Self::EVERYTHING }
    }

    /// A number that the distance of any two points of the boxes does not fall below.
    pub fn gap(&self, other: &Self) -> f64 {
        let gap = (other.min - self.max).max(self.min - other.max).max(DVec3::ZERO);
        gap.length() * (1.0 - 8.0 * f64::EPSILON)
    }

    /// Whether it holds no point.
    pub fn is_empty(self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// The middle, rounded.
    #[inline]
    pub fn center(self) -> DVec3 {
        self.min + (self.max - self.min) * 0.5
    }

    /// Edge lengths, rounded; zero or more unless empty.
    #[inline]
    pub fn extent(self) -> DVec3 {
        self.max - self.min
    }

    /// The largest absolute coordinate of any point inside.
    pub fn reach(self) -> f64 {
        self.min.abs().max(self.max.abs()).max_element()
    }

    /// Whether `p` is inside or on the boundary. Exact.
    #[inline]
    pub fn contains(self, p: DVec3) -> bool {
        self.min.cmple(p).all() && p.cmple(self.max).all()
    }

    /// The eight corners; bit 0, 1, 2 of the index chooses the greater x, y, z.
    pub fn corners(self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let pick = |axis: usize| if i >> axis & 1 == 1 { self.max[axis] } else { self.min[axis] };
            DVec3::new(pick(0), pick(1), pick(2))
        })
    }
}
