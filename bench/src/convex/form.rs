//! The shapes compared, as plain numbers that every library can be fed with, and their support mappings.

use anyhow::{Context, Result};
use glam::{DVec2, DVec3};
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;

/// A convex shape in its own frame, the origin inside. Capsules, cylinders and cones lie along z; a cone's apex is
/// at +z.
#[derive(Debug, Clone)]
pub enum Form {
    /// Vertices in general position with their triangles, counter-clockwise seen from outside.
    Hull {
        /// Each is a corner.
        vertices: Vec<DVec3>,
        /// Three vertices a face.
        triangles: Vec<[u32; 3]>,
    },
    /// Half extents.
    Cuboid(DVec3),
    /// Radius.
    Sphere(f64),
    /// A ball swept along a segment.
    Capsule {
        /// Radius.
        radius: f64,
        /// Half the length without the round ends.
        half_length: f64,
    },
    /// A round cylinder.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Half the length.
        half_length: f64,
    },
    /// A round cone.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Half the height.
        half_length: f64,
    },
    /// Semi-axes.
    Ellipsoid(DVec3),
}

impl Form {
    /// The hull of points about their mean.
    ///
    /// The faces are found by parry3d-f64, so that all libraries get the same ones.
    ///
    /// # Errors
    /// If the points have no inside.
    pub fn hull(points: &[DVec3]) -> Result<Self> {
        let mean = points.iter().sum::<DVec3>() / points.len() as f64;
        let points: Vec<_> = points.iter().map(|&p| Vector::from_array((p - mean).to_array())).collect();
        let (vertices, triangles) = try_convex_hull(&points).ok().context("the points of a hull are flat")?;
        Ok(Self::Hull { vertices: vertices.iter().map(|v| DVec3::from(v.to_array())).collect(), triangles })
    }

    /// The radius of the ball that is added to the core: the shape is every point at most this far from the core.
    pub fn margin(&self) -> f64 {
        match self {
            Self::Sphere(radius) | Self::Capsule { radius, .. } => *radius,
            Self::Hull { .. }
            | Self::Cuboid(_)
            | Self::Cylinder { .. }
            | Self::Cone { .. }
            | Self::Ellipsoid(_) => 0.0,
        }
    }

    /// How far the core reaches in direction `d` of its frame: the greatest `d·p` over its points. By closed form,
    /// or by asking every vertex.
    pub fn reach(&self, d: DVec3) -> f64 {
        match self {
            Self::Hull { vertices, .. } => {
                vertices.iter().map(|v| v.dot(d)).fold(f64::NEG_INFINITY, f64::max)
            }
            Self::Cuboid(half) => half.dot(d.abs()),
            Self::Sphere(_) => 0.0,
            Self::Capsule { half_length, .. } => half_length * d.z.abs(),
            Self::Cylinder { radius, half_length } => radius * across(d) + half_length * d.z.abs(),
            // The apex or the far side of the base.
            Self::Cone { radius, half_length } => {
                (half_length * d.z).max(radius * across(d) - half_length * d.z)
            }
            Self::Ellipsoid(radii) => (*radii * d).length(),
        }
    }
}

/// The part of a direction across the axis.
fn across(d: DVec3) -> f64 {
    DVec2::new(d.x, d.y).length()
}
