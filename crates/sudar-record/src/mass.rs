//! The query `mass`, and how it is answered.

use serde::{Deserialize, Serialize};
use sudar::mass::{
    MassError, MassProperties, Resolution, VoxelMass, VoxelOptions, certified_mass, voxel_mass,
};
use sudar::math::Pose;
use sudar::shape::{Compound, Shape, Solid};

use crate::answer::Answer;
use crate::error::{RecordError, Result};
use crate::fields::Fields;

/// The fields of the query beside the shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct MassSpec {
    /// How to measure; exactly if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<MassMethod>,
    /// Cells along the longest side, for voxels; 100 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<u32>,
    /// Along how many axes rays go, for voxels; 3 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axes: Option<u32>,
}

/// How to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MassMethod {
    /// By integrals over the surface.
    #[default]
    Exact,
    /// By rays through a grid, which also does for open meshes.
    Voxel,
}

impl MassSpec {
    pub(super) fn read(fields: &mut Fields<'_>) -> Result<Self> {
        let method = fields.optional("method")?;
        Ok(Self { method, cells: fields.optional("cells")?, axes: fields.optional("axes")? })
    }
}

/// The shape where it stands, its closed meshes as solids.
pub(super) fn ready(shape: &Shape, pose: &Pose) -> Result<Shape> {
    let placed = Compound::new(vec![(shape.clone(), *pose)])?;
    let parts: Vec<_> = placed.parts().iter().map(|(part, pose)| (solid(part), *pose)).collect();
    Ok(match parts.as_slice() {
        [(only, pose)] if *pose == Pose::IDENTITY => only.clone(),
        _ => Compound::new(parts)?.into(),
    })
}

fn solid(shape: &Shape) -> Shape {
    let closed = if let Shape::Mesh(mesh) = shape { Solid::new(mesh.clone()).ok() } else { None };
    closed.map_or_else(|| shape.clone(), Shape::from)
}

/// Measures a shape that was made ready.
pub(super) fn measure(shape: &Shape, spec: MassSpec) -> Result<Answer> {
    let parts =
        if let Shape::Compound(whole) = shape { whole.parts() } else { &[(shape.clone(), Pose::IDENTITY)] };
    // An error of a single shape is not said to be that of its part 0.
    let refused = |e: MassError| RecordError::Mass(if parts.len() > 1 { e } else { e.of_whole() });
    let (found, [volume_lower, volume_upper], dropped_rays) = by_method(shape, spec).map_err(refused)?;
    let i = &found.inertia;
    Ok(Answer::Mass {
        volume: found.mass,
        volume_lower,
        volume_upper,
        center: found.center,
        inertia: [i.x_axis.x, i.y_axis.y, i.z_axis.z, i.x_axis.y, i.y_axis.z, i.z_axis.x],
        closed: !parts.iter().any(|(part, _)| matches!(part, Shape::Mesh(_))),
        dropped_rays,
    })
}

/// What is found, the ends of the interval of the volume, and how many rays were odd.
fn by_method(shape: &Shape, spec: MassSpec) -> Result<(MassProperties, [f64; 2], u64), MassError> {
    match spec.method.unwrap_or_default() {
        MassMethod::Exact => {
            let (found, volume) = certified_mass(shape)?;
            Ok((found, [volume.lower, volume.upper], 0))
        }
        MassMethod::Voxel => {
            let default = VoxelOptions::default();
            let resolution = spec.cells.map_or(default.resolution, Resolution::Cells);
            let options = VoxelOptions { resolution, axes: spec.axes.unwrap_or(default.axes), ..default };
            let VoxelMass { properties, error, odd_rays, .. } = voxel_mass(shape, &options)?;
            let ends = [properties.mass - error.mass, properties.mass + error.mass];
            Ok((properties, ends, odd_rays))
        }
    }
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
