//! Convex shapes made ready for support mappings.

use std::sync::Arc;

use glam::DVec3;

use super::Polytope;
use crate::shape::{Aabb, Hull, Shape};

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
    /// A round cylinder along z around the origin.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Half the length of the axis.
        half_length: f64,
    },
    /// A round cone along z with its apex at z = +half_length.
    Cone {
        /// Radius of the base at z = −half_length.
        radius: f64,
        /// Half the height.
        half_length: f64,
    },
    /// An ellipsoid around the origin by its semi-axes.
    Ellipsoid(DVec3),
}

impl Convex {
    /// A core with a margin around it.
    pub fn new(core: Core, margin: f64) -> Self {
        let center = center(&core);
        let (reach, radius) = (reach(&core, DVec3::ZERO), reach(&core, center));
        Self { core, margin, center, reach, radius, centered: center == DVec3::ZERO }
    }

    /// The shape made ready; `None` if it is not convex (meshes, compounds) or not bounded (half-spaces).
    pub fn of(shape: &Shape) -> Option<Self> {
        let (core, margin) = match shape {
            Shape::Mesh(_)
            | Shape::Solid(_)
            | Shape::HeightField(_)
            | Shape::PointCloud(_)
            | Shape::Halfspace(_)
            | Shape::Compound(_) => return None,
            Shape::Triangle(t) => (Core::Triangle(t.corners()), 0.0),
            Shape::Segment(s) => (Core::Segment([s.a, s.b]), 0.0),
            Shape::Point(p) => (Core::Point(*p), 0.0),
            Shape::Sphere(s) => (Core::Point(s.center), s.radius),
            Shape::Capsule(c) => (Core::Segment([c.axis().a, c.axis().b]), c.radius),
            Shape::Cuboid(c) => {
                (Core::Cuboid(c.half, Arc::new(Polytope::new(Arc::new(Hull::from(*c))))), 0.0)
            }
            Shape::Hull(hull) => (Core::Polytope(Arc::new(Polytope::new(hull.clone()))), 0.0),
            Shape::Cylinder(c) => (Core::Cylinder { radius: c.radius, half_length: c.half_length }, 0.0),
            Shape::Cone(c) => (Core::Cone { radius: c.radius, half_length: c.half_length }, 0.0),
            Shape::Ellipsoid(e) => (Core::Ellipsoid(e.radii), 0.0),
        };
        Some(Self::new(core, margin))
    }

    /// What the margin is around.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// How far the shape reaches beyond its core on all sides.
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// The smallest box around the core. O(1).
    pub(crate) fn core_bounds(&self) -> Aabb {
        let symmetric = |half: DVec3| Aabb { min: -half, max: half };
        match &self.core {
            Core::Point(p) => Aabb { min: *p, max: *p },
            Core::Segment(ends) => Aabb::around(*ends),
            Core::Triangle(corners) => Aabb::around(*corners),
            Core::Cuboid(half, _) => symmetric(*half),
            Core::Polytope(polytope) => polytope.bounds(),
            Core::Cylinder { radius, half_length } | Core::Cone { radius, half_length } => {
                symmetric(DVec3::new(*radius, *radius, *half_length))
            }
            Core::Ellipsoid(radii) => symmetric(*radii),
        }
    }

    /// A point of the core, about in its middle.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// Whether the centre is the origin of the frame, so that its posed place is the translation of the pose.
    #[inline]
    pub(super) fn is_centered(&self) -> bool {
        self.centered
    }

    /// The greatest distance of a point of the core from the origin of the frame, rounded up.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// The greatest distance of a point of the core from [`Convex::center`], rounded up.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// How many vertices the core has; 1 for round cores, which have none.
    #[inline]
    pub(super) fn vertex_count(&self) -> u32 {
        match &self.core {
            Core::Point(_) | Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_) => 1,
            Core::Segment(_) => 2,
            Core::Triangle(_) => 3,
            Core::Cuboid(..) => 8,
            Core::Polytope(polytope) => polytope.hull().vertices().len() as u32,
        }
    }

    /// Whether the core is the hull of finitely many points.
    pub fn is_polytope(&self) -> bool {
        match &self.core {
            Core::Point(_) | Core::Segment(_) | Core::Triangle(_) | Core::Cuboid(..) | Core::Polytope(_) => {
                true
            }
            Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_) => false,
        }
    }
}

fn center(core: &Core) -> DVec3 {
    match core {
        Core::Point(p) => *p,
        Core::Segment([a, b]) => *a + (*b - *a) * 0.5,
        Core::Triangle([a, b, c]) => *a + ((*b - *a) + (*c - *a)) / 3.0,
        Core::Polytope(polytope) => polytope.center(),
        Core::Cuboid(..) | Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_) => DVec3::ZERO,
    }
}

/// The greatest distance of a point of the core from `p`, rounded up.
fn reach(core: &Core, p: DVec3) -> f64 {
    let farthest = |points: &[DVec3]| points.iter().fold(0.0, |m: f64, q| m.max((*q - p).length()));
    let distance = match core {
        Core::Point(q) => farthest(&[*q]),
        Core::Segment(ends) => farthest(ends),
        Core::Triangle(corners) => farthest(corners),
        Core::Cuboid(half, _) => half.length(),
        Core::Polytope(polytope) => farthest(polytope.hull().vertices()),
        Core::Cylinder { radius, half_length } | Core::Cone { radius, half_length } => {
            (radius * radius + half_length * half_length).sqrt()
        }
        Core::Ellipsoid(radii) => radii.max_element(),
    };
    distance * (1.0 + 4.0 * f64::EPSILON)
}
