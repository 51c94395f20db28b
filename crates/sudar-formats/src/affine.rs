//! Where things stand in the world, with scale and shear, and what of that a pose can hold.

use sudar::{DMat3, DVec3, Mesh, MeshError, Pose, PoseError};

/// The map x → linear·x + offset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Affine {
    /// Rotation, scale and shear.
    pub linear: DMat3,
    /// Translation.
    pub offset: DVec3,
}

impl Affine {
    /// The map that leaves everything where it is.
    pub const IDENTITY: Self = Self { linear: DMat3::IDENTITY, offset: DVec3::ZERO };

    /// First `inner`, then this one.
    pub fn after(&self, inner: &Self) -> Self {
        Self { linear: self.linear * inner.linear, offset: self.linear * inner.offset + self.offset }
    }

    /// What has to be baked into a mesh, and the pose that remains.
    pub fn separate(&self) -> Result<(Baked, Pose), PoseError> {
        if let Ok(pose) = Pose::from_matrix(self.linear, self.offset) {
            return Ok((Baked::Nothing, pose));
        }
        // The scale in 32 bits, as files have it: nodes that are turned differently then share a copy.
        let length = self.linear.x_axis.length() * self.linear.determinant().signum();
        let scale = f64::from(length as f32);
        if scale != 0.0
            && let Ok(pose) = Pose::from_matrix(self.linear * scale.recip(), self.offset)
        {
            return Ok((Baked::Scale(scale), pose));
        }
        Ok((Baked::Linear(self.linear), Pose::from_translation(self.offset)?))
    }
}

/// What is baked into a copy of a mesh.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Baked {
    Nothing,
    Scale(f64),
    Linear(DMat3),
}

/// Key by which equal copies are found.
pub(crate) type Key = (u8, [u64; 9]);

impl Baked {
    /// The same kind and bits, the same copy.
    pub fn key(&self) -> Key {
        match self {
            Self::Nothing => (0, [0; 9]),
            Self::Scale(s) => (1, [s.to_bits(); 9]),
            Self::Linear(m) => (2, m.to_cols_array().map(f64::to_bits)),
        }
    }

    /// The copy, wound the other way if it is mirrored.
    pub fn into_mesh(self, mesh: &Mesh) -> Result<Mesh, MeshError> {
        let vertices = mesh.vertices().iter().map(|&p| self.apply(p)).collect();
        let mirrors = self.mirrors();
        let wound = |&[a, b, c]: &[u32; 3]| if mirrors { [a, c, b] } else { [a, b, c] };
        Mesh::new(vertices, mesh.triangles().iter().map(wound).collect())
    }

    fn apply(&self, p: DVec3) -> DVec3 {
        match self {
            Self::Nothing => p,
            Self::Scale(s) => p * *s,
            Self::Linear(m) => *m * p,
        }
    }

    fn mirrors(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Scale(s) => *s < 0.0,
            Self::Linear(m) => m.determinant() < 0.0,
        }
    }
}

/// About an axis of any length by an angle; none about no axis.
pub(crate) fn rotation([x, y, z, angle]: [f64; 4]) -> DMat3 {
    let axis = DVec3::new(x, y, z);
    let size = axis.abs().max_element();
    if size == 0.0 || angle == 0.0 {
        return DMat3::IDENTITY;
    }
    let axis = axis / size;
    let axis = axis / axis.length();
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let cross = DMat3::from_cols(
        DVec3::new(0.0, axis.z, -axis.y),
        DVec3::new(-axis.z, 0.0, axis.x),
        DVec3::new(axis.y, -axis.x, 0.0),
    );
    let outer = DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
    DMat3::IDENTITY * cos + cross * sin + outer * (1.0 - cos)
}
