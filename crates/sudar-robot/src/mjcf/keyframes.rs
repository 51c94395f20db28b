//! Keyframes: configurations that the file names.

use super::attributes::Attributes;
use super::document::Document;
use super::fault::MjcfFault;
use super::joints::Kind;
use super::orientation::{quaternion, roll_pitch_yaw};
use crate::RobotError;

/// The name of a keyframe, and the values of each joint that moves.
type Key = (String, Vec<Vec<f64>>);

/// The keyframes; `kinds` are those of all joints that move.
pub(super) fn keyframes(document: &Document, kinds: &[Kind]) -> Result<Vec<Key>, RobotError> {
    let width = |kind: &Kind| match kind {
        Kind::Free => 7,
        Kind::Ball => 4,
        Kind::Slide | Kind::Hinge => 1,
    };
    let whole: usize = kinds.iter().map(width).sum();
    let mut keys = Vec::new();
    for element in document.within("keyframe").filter(|element| element.name == "key") {
        let found = Attributes::new(None, element)?;
        let Some(qpos) = found.list("qpos", whole, whole)? else { continue };
        let name = found.get("name").unwrap_or_default().to_owned();
        let mut values = Vec::new();
        let mut rest = &qpos[..];
        for kind in kinds {
            let (own, others) = rest.split_at(width(kind));
            rest = others;
            let own = numbers(own).ok_or_else(|| {
                found.refuse(MjcfFault::Direction { of: found.label.clone(), attribute: "qpos" })
            })?;
            values.push(own);
        }
        keys.push((name, values));
    }
    Ok(keys)
}

/// The numbers of a joint: a quaternion becomes three angles.
fn numbers(own: &[f64]) -> Option<Vec<f64>> {
    let turn = |quat: [f64; 4]| Some(roll_pitch_yaw(&quaternion(quat)?));
    match *own {
        [x, y, z, a, b, c, d] => {
            let [roll, pitch, yaw] = turn([a, b, c, d])?;
            Some(vec![x, y, z, roll, pitch, yaw])
        }
        [a, b, c, d] => turn([a, b, c, d]).map(|angles| angles.to_vec()),
        _ => Some(own.to_vec()),
    }
}
