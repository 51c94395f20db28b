//! How the query `mass` is answered.

use std::sync::Arc;

use sudar::mass::{MassError, MassProperties, Resolution, VoxelOptions, certified_mass, voxel_mass};
use sudar::math::Pose;
use sudar::shape::{Compound, Shape, Solid};

use crate::answer::MassAnswer;
use crate::error::RecordError;
use crate::query::{MassMethod, MassSpec};

/// A query with its shape made ready: closed meshes are known to be so.
#[derive(Debug, Clone)]
pub(super) struct Measuring {
    shape: Shape,
    closed: bool,
    spec: MassSpec,
}

impl Measuring {
    pub fn new(shape: &Shape, pose: &Pose, spec: MassSpec) -> Result<Self, RecordError> {
        let mut closed = true;
        let mut parts = Vec::new();
        if let Shape::Compound(compound) = shape {
            for (part, own) in compound.parts() {
                parts.push((solid(part, &mut closed), together(pose, own)?));
            }
        } else {
            parts.push((solid(shape, &mut closed), *pose));
        }
        let shape = match parts.as_slice() {
            // Of one part alone errors are not said to be of part 0.
            [(only, pose)] if *pose == Pose::IDENTITY => only.clone(),
            _ => Compound::new(parts)?.into(),
        };
        Ok(Self { shape, closed, spec })
    }

    pub fn ask(&self) -> Result<MassAnswer, RecordError> {
        match self.spec.method.unwrap_or_default() {
            MassMethod::Exact => {
                let (found, volume) = certified_mass(&self.shape).map_err(|e| self.refused(e))?;
                Ok(self.answer(&found, [volume.lower, volume.upper], 0))
            }
            MassMethod::Voxel => {
                let default = VoxelOptions::default();
                let resolution = self.spec.cells.map_or(default.resolution, Resolution::Cells);
                let axes = self.spec.axes.unwrap_or(default.axes);
                let found = voxel_mass(&self.shape, &VoxelOptions { resolution, axes, ..default })
                    .map_err(|e| self.refused(e))?;
                let (volume, error) = (found.properties.mass, found.error.mass);
                Ok(self.answer(&found.properties, [volume - error, volume + error], found.odd_rays))
            }
        }
    }

    /// An error of a single shape is not said to be that of its part 0.
    fn refused(&self, error: MassError) -> RecordError {
        let several = matches!(&self.shape, Shape::Compound(compound) if compound.parts().len() > 1);
        RecordError::Mass(if several { error } else { error.of_whole() })
    }

    fn answer(
        &self,
        found: &MassProperties,
        [volume_lower, volume_upper]: [f64; 2],
        dropped_rays: u64,
    ) -> MassAnswer {
        let i = &found.inertia;
        MassAnswer {
            volume: found.mass,
            volume_lower,
            volume_upper,
            center: found.center,
            inertia: [i.x_axis.x, i.y_axis.y, i.z_axis.z, i.x_axis.y, i.y_axis.z, i.z_axis.x],
            closed: self.closed,
            dropped_rays,
        }
    }
}

/// The shape as a solid if it is a closed mesh; clears `closed` if it is an open one.
fn solid(shape: &Shape, closed: &mut bool) -> Shape {
    let Shape::Mesh(mesh) = shape else { return shape.clone() };
    match Solid::new(mesh.clone()) {
        Ok(solid) => Shape::Solid(Arc::new(solid)),
        Err(_) => {
            *closed = false;
            shape.clone()
        }
    }
}

fn together(outer: &Pose, inner: &Pose) -> Result<Pose, RecordError> {
    let turn = outer.rotation() * inner.rotation();
    Ok(Pose::from_matrix(turn, outer.apply(inner.translation()))?)
}

#[cfg(test)]
mod tests {
    use sudar::query::Body;

    use crate::{QueryLine, RecordError};

    fn ask(line: &str) -> Result<String, RecordError> {
        let read = QueryLine::parse(line.as_bytes()).map_err(|bad| bad.error)?;
        assert_eq!(read.to_json().unwrap(), line);
        let prepared =
            read.query.prepare(|spec| Ok(Body::new(spec.shape(|_, _| Err("no file".to_owned()))?)))?;
        Ok(serde_json::to_string(&prepared.ask()?).unwrap())
    }

    const OPEN: &str = r#""a":{"vertices":[[0.0,0.0,0.0],[1.0,0.0,0.0],[0.0,1.0,0.0],[0.0,0.0,1.0]],"triangles":[[0,2,1],[0,1,3],[0,3,2]]}"#;

    #[test]
    fn a_posed_box_is_measured_both_ways() {
        let answer = ask(
            r#"{"query":"mass","a":{"box":[1.0,2.0,3.0]},"pose_a":{"translation":[5.0,0.0,0.0],"rotation":[0.0,0.0,0.0,1.0]}}"#,
        );
        let answer = answer.unwrap();
        assert!(answer.starts_with(r#"{"volume":48.0,"volume_lower":47.99"#), "{answer}");
        // m/3·(b² + c²) with m = 48.
        assert!(
            answer.contains(r#""center":[5.0,0.0,0.0],"inertia":[208.0,160.0,80.0,0.0,0.0,0.0]"#),
            "{answer}"
        );
        assert!(answer.ends_with(r#""closed":true,"dropped_rays":0}"#), "{answer}");
        let voxel =
            ask(r#"{"query":"mass","a":{"box":[1.0,2.0,3.0]},"method":"voxel","cells":9,"axes":2}"#).unwrap();
        let number =
            |name: &str| serde_json::from_str::<serde_json::Value>(&voxel).unwrap()[name].as_f64().unwrap();
        assert!((number("volume") - 48.0).abs() < 1e-9 && number("volume_lower") <= 48.0);
    }

    #[test]
    fn an_open_mesh_needs_voxels() {
        let error = ask(&format!(r#"{{"query":"mass",{OPEN}}}"#)).unwrap_err().to_string();
        assert!(error.contains("3 edges have an odd number") && error.contains("by voxels"), "{error}");
        let answer = ask(&format!(r#"{{"query":"mass",{OPEN},"method":"voxel","cells":12}}"#)).unwrap();
        assert!(
            answer.contains(r#""closed":false"#) && !answer.ends_with(r#""dropped_rays":0}"#),
            "{answer}"
        );
    }
}
