//! Convex shapes made ready for support mappings.

use std::sync::Arc;

use glam::DVec3;

use super::Polytope;
use crate::shape::{Aabb, Hull, Round, Shape};

/// A convex shape in its own frame: all points at most [`Convex::margin`] from its core.
///
/// Balls and capsules are a point and a segment with a margin; for all others the margin is 0. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Convex {
    core: Core,
    margin: f64,
    center: DVec3,
    reach: f64,
    radius: f64,
    centered: bool,
}

/// What the margin of a convex shape is around.
#[derive(Debug, Clone)]
pub enum Core {
    /// A point.
    Point(DVec3),
    /// A segment by its ends.
    Segment([DVec3; 2]),
    /// A triangle by its corners.
    Triangle([DVec3; 3]),
    /// A box around the origin by half its edges; the polytope is the same box.
    Cuboid(DVec3, Arc<Polytope>),
    /// The hull of points.
    Polytope(Arc<Polytope>),
    /// A solid without vertices around the origin.
    Round(Round),
}

impl Convex {
    /// A core with a margin around it.
    pub fn new(core: Core, margin: f64) -> Self {
        let center = core.center();
        let (reach, radius) = (core.reach(DVec3::ZERO), core.reach(center));
        Self { core, margin, center, reach, radius, centered: center == DVec3::ZERO }
    }

    /// The shape made ready; `None` if it is not convex (meshes, compounds) or not bounded (half-spaces).
    pub fn of(shape: &Shape) -> Option<Self> {
        let (core, margin) = match shape {
            Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) | Shape::PointCloud(_) => return None,
            Shape::Halfspace(_) | Shape::Compound(_) => return None,
            Shape::Triangle(t) => (Core::Triangle(t.corners()), 0.0),
            Shape::Segment(s) => (Core::Segment([s.a, s.b]), 0.0),
            Shape::Point(p) => (Core::Point(*p), 0.0),
            Shape::Sphere(s) => (Core::Point(s.center), s.radius),
            Shape::Capsule(c) => (Core::Segment([c.axis().a, c.axis().b]), c.radius),
            Shape::Cuboid(c) => {
                (Core::Cuboid(c.half, Arc::new(Polytope::new(Arc::new(Hull::from(*c))))), 0.0)
            }
            Shape::Hull(hull) => (Core::Polytope(Arc::new(Polytope::new(hull.clone()))), 0.0),
            Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_) => (Core::Round(shape.round()?), 0.0),
        };
        Some(Self::new(core, margin))
    }

    /// What the margin is around.
    #[inline]
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// How far the shape reaches beyond its core on all sides.
    #[inline]
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// The smallest box around the core. O(1).
    pub(crate) fn core_bounds(&self) -> Aabb {
        match &self.core {
            Core::Point(p) => Aabb { min: *p, max: *p },
            Core::Segment(ends) => Aabb::around(*ends),
            Core::Triangle(corners) => Aabb::around(*corners),
            Core::Cuboid(_, polytope) | Core::Polytope(polytope) => polytope.bounds(),
            Core::Round(round) => {
                let half = round.kind().half_extent();
                Aabb { min: -half, max: half }
            }
        }
    }

    /// A point of the core, about in its middle.
    #[inline]
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// Whether the centre is the origin of the frame, so that its posed place is the translation of the pose.
    #[inline]
    pub(super) fn is_centered(&self) -> bool {
        self.centered
    }

    /// The greatest distance of a point of the core from the origin of the frame, rounded up.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// The greatest distance of a point of the core from [`Convex::center`], rounded up.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// How many vertices the core has; 1 for round cores, which have none.
    #[inline]
    pub fn vertex_count(&self) -> u32 {
        self.core.points().map_or(1, |points| points.len() as u32)
    }

    /// Whether the core is the hull of finitely many points.
    #[inline]
    pub fn is_polytope(&self) -> bool {
        self.core.round().is_none()
    }
}

impl Core {
    /// The points whose hull it is; `None` if it is round.
    #[inline]
    pub(crate) fn points(&self) -> Option<&[DVec3]> {
        match self {
            Self::Point(p) => Some(std::slice::from_ref(p)),
            Self::Segment(ends) => Some(ends),
            Self::Triangle(corners) => Some(corners),
            Self::Cuboid(_, polytope) | Self::Polytope(polytope) => Some(polytope.hull().vertices()),
            Self::Round(_) => None,
        }
    }

    /// The solid without vertices that it is, if it is one.
    #[inline]
    pub(crate) fn round(&self) -> Option<&Round> {
        if let Self::Round(round) = self { Some(round) } else { None }
    }

    /// Half the edges of the box that it is, if it is one.
    #[inline]
    pub(crate) fn half_extent(&self) -> Option<DVec3> {
        if let Self::Cuboid(half, _) = self { Some(*half) } else { None }
    }

    /// Whether it is a point.
    #[inline]
    pub(crate) fn is_point(&self) -> bool {
        matches!(self, Self::Point(_))
    }

    /// Whether it is a triangle, box or hull, which has faces.
    pub(crate) fn has_faces(&self) -> bool {
        matches!(self, Self::Triangle(_) | Self::Cuboid(..) | Self::Polytope(_))
    }

    /// A point of it, about in its middle.
    fn center(&self) -> DVec3 {
        match self {
            Self::Point(p) => *p,
            Self::Segment([a, b]) => *a + (*b - *a) * 0.5,
            Self::Triangle([a, b, c]) => *a + ((*b - *a) + (*c - *a)) / 3.0,
            Self::Polytope(polytope) => polytope.center(),
            Self::Cuboid(..) | Self::Round(_) => DVec3::ZERO,
        }
    }

    /// The greatest distance of a point of it from `p`, its centre or the origin, rounded up.
    fn reach(&self, p: DVec3) -> f64 {
        let farthest = |points: &[DVec3]| points.iter().fold(0.0, |m: f64, q| m.max((*q - p).length()));
        let distance =
            self.round().map_or_else(|| self.points().map_or(0.0, farthest), |round| round.kind().reach());
        distance * (1.0 + 4.0 * f64::EPSILON)
    }
}
