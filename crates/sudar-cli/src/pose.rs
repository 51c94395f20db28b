//! Poses as arguments.

use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use sudar::{DQuat, DVec3, Pose, Shape};
use sudar_record::PoseSpec;

use crate::report;

/// A pose as written on the command line: JSON, `x,y,z` or `x,y,z,qx,qy,qz,qw`.
#[derive(Debug, Clone, Copy)]
pub struct PoseArg(Pose);

impl PoseArg {
    /// The pose.
    pub fn pose(self) -> Pose {
        self.0
    }
}

impl FromStr for PoseArg {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let spec = if text.trim_start().starts_with('{') { PoseSpec::parse(text)? } else { from_list(text)? };
        // Meshes and points take a matrix as it stands.
        Ok(Self(spec.pose(&Shape::Point(DVec3::ZERO))?))
    }
}

/// A point or direction as written on the command line: `x,y,z`.
#[derive(Debug, Clone, Copy)]
pub struct PointArg(DVec3);

impl PointArg {
    /// The point.
    pub fn point(self) -> DVec3 {
        self.0
    }
}

impl FromStr for PointArg {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let numbers = numbers(text)?;
        let &[x, y, z] = numbers.as_slice() else {
            bail!("a point is x,y,z, found {}", report::count(numbers.len(), "number"));
        };
        let point = DVec3::new(x, y, z);
        ensure!(point.is_finite(), "a point needs finite numbers");
        Ok(Self(point))
    }
}

fn numbers(text: &str) -> Result<Vec<f64>> {
    let number =
        |part: &str| part.trim().parse::<f64>().with_context(|| format!("'{}' is not a number", part.trim()));
    text.split(',').map(number).collect()
}

fn from_list(text: &str) -> Result<PoseSpec> {
    let numbers = numbers(text)?;
    match *numbers.as_slice() {
        [x, y, z] => Ok(PoseSpec::Quaternion { translation: DVec3::new(x, y, z), rotation: DQuat::IDENTITY }),
        [x, y, z, qx, qy, qz, qw] => Ok(PoseSpec::Quaternion {
            translation: DVec3::new(x, y, z),
            rotation: DQuat::from_xyzw(qx, qy, qz, qw),
        }),
        _ => bail!(
            "a pose is x,y,z or x,y,z,qx,qy,qz,qw or JSON, found {}",
            report::count(numbers.len(), "number")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_ways_to_write_a_pose_agree() {
        let pose = |text: &str| text.parse::<PoseArg>().unwrap().pose();
        let moved = Pose::from_translation(DVec3::new(1.0, -2.0, 0.5)).unwrap();
        assert_eq!(pose("1,-2,.5"), moved);
        assert_eq!(pose(" 1, -2, 0.5, 0, 0, 0, 1"), moved);
        assert_eq!(pose(r#"{"translation":[1,-2,0.5]}"#), moved);
        assert_eq!(pose(r#"{"matrix":[1,0,0,1, 0,1,0,-2, 0,0,1,0.5, 0,0,0,1]}"#), moved);
    }

    #[test]
    fn bad_poses_are_refused() {
        let error = |text: &str| text.parse::<PoseArg>().unwrap_err().to_string();
        assert!(error("nan,0,0").contains("finite"));
        assert!(error("1,2").contains("found 2 numbers"));
        assert!(error("1,b,2").contains("'b' is not a number"));
        assert!(error("0,0,0,0,0,0,2").contains("length 1"));
        assert!(error("{").contains("not JSON: it ends in the middle of an object"));
    }
}
