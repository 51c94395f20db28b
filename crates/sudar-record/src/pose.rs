//! Poses as they are written in query lines.

use serde::Serialize;
use sudar::glam::{DMat3, DMat4, DQuat, DVec3};
use sudar::math::Pose;
use sudar::shape::Shape;

use crate::error::{RecordError, Result};
use crate::fields::Fields;

/// A pose as written: `{"translation":[x,y,z],"rotation":[x,y,z,w]}`, either of which may be left out, or
/// `{"matrix":[16 numbers, row by row]}`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PoseSpec {
    /// A translation and a unit quaternion, scalar last.
    Quaternion {
        /// Where the body's origin goes.
        translation: DVec3,
        /// How the body is turned.
        rotation: DQuat,
    },
    /// A rigid homogeneous matrix.
    Matrix {
        /// Row-major; the last row is 0 0 0 1.
        matrix: [f64; 16],
    },
}

impl PoseSpec {
    /// No displacement.
    pub const IDENTITY: Self = Self::Quaternion { translation: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// Whether it is written as no displacement.
    pub(super) fn is_identity(&self) -> bool {
        *self == Self::IDENTITY
    }

    /// Reads a pose.
    ///
    /// # Errors
    /// [`RecordError`] if the text is not such an object. Whether the pose is rigid is seen by [`PoseSpec::pose`].
    pub fn parse(text: &str) -> Result<Self> {
        Fields::read(text, "a pose", |fields| {
            let (matrix, translation) = (fields.optional("matrix")?, fields.optional("translation")?);
            match (matrix, translation, fields.optional("rotation")?) {
                (Some(matrix), None, None) => Ok(Self::Matrix { matrix }),
                (Some(_), ..) => Err(RecordError::Both("`matrix` or `translation` and `rotation`")),
                (None, translation, rotation) => Ok(Self::Quaternion {
                    translation: translation.unwrap_or_default(),
                    rotation: rotation.unwrap_or_default(),
                }),
            }
        })
    }

    /// Writes a pose down, exactly: as the matrix that it is.
    pub fn of(pose: &Pose) -> Self {
        if *pose == Pose::IDENTITY {
            return Self::IDENTITY;
        }
        let columns = DMat4::from_mat3_translation(pose.rotation(), pose.translation());
        Self::Matrix { matrix: columns.transpose().to_cols_array() }
    }

    /// The pose. A matrix is taken as it stands for meshes and points, as its nearest rotation for other shapes.
    ///
    /// # Errors
    /// [`RecordError::Pose`] if it is not finite or not rigid within 1e-6.
    pub fn pose(&self, shape: &Shape) -> Result<Pose> {
        match *self {
            Self::Quaternion { translation, rotation } => Ok(Pose::new(translation, rotation)?),
            Self::Matrix { ref matrix } => {
                let pose = Pose::from_row_major(matrix)?;
                if takes_matrices_as_they_stand(shape) { Ok(pose) } else { nearest_rotation(pose) }
            }
        }
    }
}

fn takes_matrices_as_they_stand(shape: &Shape) -> bool {
    match shape {
        Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) | Shape::PointCloud(_) => true,
        Shape::Point(_) | Shape::Hull(_) => true,
        Shape::Triangle(_) | Shape::Segment(_) | Shape::Sphere(_) | Shape::Cuboid(_) => false,
        Shape::Capsule(_) | Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_) => false,
        Shape::Halfspace(_) | Shape::Compound(_) => false,
    }
}

/// The rotation with the least squared difference of entries: the orthogonal factor of the polar decomposition,
/// by Newton's iteration R ← (R + R⁻ᵀ)/2 (Higham, Computing the polar decomposition, 1986).
///
/// A matrix that is orthogonal to rounding already is left as it is, bit for bit, so that recorded poses replay.
fn nearest_rotation(pose: Pose) -> Result<Pose> {
    const ROUNDING: f64 = 16.0 * f64::EPSILON;
    let mut r = pose.rotation();
    // The error is squared each time: 1e-6, 1e-12, below rounding.
    for _ in 0..4 {
        if distance_from_orthogonal(r) <= ROUNDING {
            break;
        }
        r = (r + r.inverse().transpose()) * 0.5;
    }
    Ok(Pose::from_matrix(r, pose.translation())?)
}

fn distance_from_orthogonal(r: DMat3) -> f64 {
    let gram = r.transpose() * r - DMat3::IDENTITY;
    gram.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

#[cfg(test)]
mod tests {
    use sudar::shape::Sphere;

    use super::*;

    fn ball() -> Shape {
        Shape::Sphere(Sphere { center: DVec3::ZERO, radius: 1.0 })
    }

    #[test]
    fn a_stretched_matrix_becomes_a_rotation_for_a_ball_and_stays_for_a_point() {
        // 1 + 1e-7 along x: RᵀR − I is 2e-7 there, inside the 1e-6 that counts as rigid.
        let mut matrix = [0.0; 16];
        (matrix[0], matrix[5], matrix[10], matrix[15]) = (1.0 + 1e-7, 1.0, 1.0, 1.0);
        let spec = PoseSpec::Matrix { matrix };
        assert_eq!(spec.pose(&Shape::Point(DVec3::ZERO)).unwrap().apply(DVec3::X).x, 1.0 + 1e-7);
        assert!((spec.pose(&ball()).unwrap().apply(DVec3::X).x - 1.0).abs() <= f64::EPSILON);
    }

    #[test]
    fn recorded_poses_come_back_bit_for_bit() {
        let turn = DQuat::from_xyzw(0.1, -0.7, 0.5, 0.5).normalize();
        let pose = Pose::new(DVec3::new(1.0 / 3.0, -1e-7, 4e5), turn).unwrap();
        let text = serde_json::to_string(&PoseSpec::of(&pose)).unwrap();
        let back = PoseSpec::parse(&text).unwrap();
        assert_eq!(back.pose(&ball()), Ok(pose));
        assert_eq!(back.pose(&Shape::Point(DVec3::ZERO)), Ok(pose));
        assert_eq!(PoseSpec::of(&Pose::IDENTITY), PoseSpec::IDENTITY);
    }

    #[test]
    fn bad_poses_say_what_is_wrong() {
        let error = |text: &str| {
            let pose = PoseSpec::parse(text).and_then(|p| p.pose(&ball()));
            pose.unwrap_err().to_string()
        };
        assert!(error(r#"{"translation":[1,2]}"#).starts_with("`translation`: invalid length 2"));
        assert!(error(r#"{"rotation":[0,0,0,2]}"#).contains("length 1 within 1e-6"));
        assert!(
            error(r#"{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],"rotation":[0,0,0,1]}"#).contains("either")
        );
        assert!(error(r#"{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]}"#).contains("last row"));
        assert!(error(r#"{"matrix":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}"#).contains("rigid"));
        assert!(error(r#"{"rotate":[0,0,0,1]}"#).contains("no field `rotate`"));
    }
}
