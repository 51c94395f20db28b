//! Scanned points.

use std::sync::Arc;

use glam::DVec3;
use thiserror::Error;

use crate::shape::{Aabb, Mesh, MeshError};

/// Why points were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PointCloudError {
    /// There is no point.
    #[error("a point cloud needs at least one point")]
    Empty,
    /// A coordinate is NaN or infinite.
    #[error("point {point} has a coordinate that is not finite")]
    NotFinite {
        /// Number of the first such point.
        point: usize,
    },
    /// A coordinate is too large to be computed with.
    #[error("point {point} has a coordinate beyond 1e90; scale the points down")]
    TooLarge {
        /// Number of the first such point.
        point: usize,
    },
    /// All points together are smaller than can be computed with.
    #[error("no coordinate of the points reaches 1e-90; scale them up")]
    TooSmall,
    /// More points than `u32` can number.
    #[error("{count} points are more than one cloud can hold (about 4.29e9); split it")]
    TooMany {
        /// How many there are.
        count: usize,
    },
}

/// Point cloud, such as that of a laser scan, which moves as one body: the set of just these points, without
/// size, surface or inside. Its features are their numbers in the order given; equal points are kept under
/// their own numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct PointCloud {
    mesh: Arc<Mesh>,
}

impl PointCloud {
    /// A cloud of at least one point.
    ///
    /// # Errors
    /// One variant of [`PointCloudError`] per cause, naming the first offender.
    pub fn new(points: Vec<DVec3>) -> Result<Self, PointCloudError> {
        let count = points.len();
        // Checked by the mesh again; here so that the numbers below do not wrap.
        if u32::try_from(count).is_err() {
            return Err(PointCloudError::TooMany { count });
        }
        let triangles = (0..count as u32).map(|i| [i, i, i]).collect();
        let mesh = Mesh::new(points, triangles).map_err(|error| of_mesh(error, count))?;
        Ok(Self { mesh: Arc::new(mesh) })
    }

    /// The points, in the order they were given.
    pub fn points(&self) -> &[DVec3] {
        self.mesh.vertices()
    }

    /// The points as a mesh of triangles of zero area: triangle i has point i for all three corners.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// The smallest axis-aligned box around the points.
    pub fn aabb(&self) -> Aabb {
        self.mesh.aabb()
    }
}

fn of_mesh(error: MeshError, count: usize) -> PointCloudError {
    match error {
        MeshError::Empty => PointCloudError::Empty,
        MeshError::NotFinite { vertex } => PointCloudError::NotFinite { point: vertex },
        MeshError::TooLarge { vertex } => PointCloudError::TooLarge { point: vertex },
        MeshError::TooSmall => PointCloudError::TooSmall,
        MeshError::TooMany { .. } | MeshError::IndexOutOfRange { .. } | MeshError::VertexCount { .. } => {
            PointCloudError::TooMany { count }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_keep_their_numbers_also_equal_ones() {
        let points = vec![DVec3::X, DVec3::Y, DVec3::X];
        let cloud = PointCloud::new(points.clone()).unwrap();
        assert_eq!(cloud.points(), points);
        assert_eq!(cloud.mesh().triangles(), [[0, 0, 0], [1, 1, 1], [2, 2, 2]]);
        assert_eq!(cloud.aabb(), Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, 1.0, 0.0) });
    }

    #[test]
    fn each_fault_has_its_error() {
        let make = |x| PointCloud::new(vec![DVec3::ZERO, DVec3::splat(x)]);
        assert_eq!(PointCloud::new(vec![]), Err(PointCloudError::Empty));
        assert_eq!(make(f64::NAN), Err(PointCloudError::NotFinite { point: 1 }));
        assert_eq!(make(-2e90), Err(PointCloudError::TooLarge { point: 1 }));
        assert_eq!(make(1e-91), Err(PointCloudError::TooSmall));
        assert!(make(0.0).is_ok());
    }
}
