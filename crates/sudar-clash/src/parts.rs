//! Parts under examination, with what is found of each once.

use std::sync::OnceLock;

use sudar::Aabb;
use sudar::many::SceneError;
use sudar::query::Batch;

use crate::corners::Corners;
use crate::deviation::Deviations;
use crate::options::{ClashError, Terms};
use crate::pair::Pair;
use crate::part::Part;
use crate::posed::Posed;

/// Parts in their places.
pub(crate) struct Parts<'a> {
    pub boxes: Vec<Aabb>,
    parts: &'a [Part],
    corners: Vec<OnceLock<Option<Corners>>>,
}

impl<'a> Parts<'a> {
    /// O(n) of all vertices.
    ///
    /// # Errors
    /// [`ClashError::NotAMesh`], [`ClashError::Refused`].
    pub fn of(parts: &'a [Part]) -> Result<Self, ClashError> {
        if let Some((part, culprit)) = parts.iter().enumerate().find(|(_, p)| p.body.mesh().is_none()) {
            return Err(ClashError::NotAMesh { part, name: culprit.name.clone() });
        }
        let boxes = Batch::default().each(parts, |_, part| part.body.aabb(&part.pose)).answers;
        if let Some((part, _)) = parts.iter().zip(&boxes).find(|(_, aabb)| !aabb.extent().is_finite()) {
            return Err(SceneError::NotANumber { name: part.name.clone() }.into());
        }
        let corners = parts.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { boxes, parts, corners })
    }

    /// How many triangles part `i` has.
    pub fn triangles(&self, i: usize) -> usize {
        self.parts[i].body.mesh().map_or(0, |mesh| mesh.triangles().len())
    }

    /// Two parts that are called by these numbers, to be examined on these terms.
    pub fn pair(&self, [a, b]: [usize; 2], numbers: [usize; 2], terms: &Terms) -> Pair<'_> {
        Pair {
            a: self.posed(a),
            b: self.posed(b),
            numbers,
            depth_measure: terms.depth,
            clearance: terms.clearance,
            touch: terms.touch,
            deviations: Deviations(terms.deviations),
        }
    }

    fn posed(&self, i: usize) -> Posed<'_> {
        let Part { body, pose, .. } = &self.parts[i];
        Posed { body, pose, bounds: &self.boxes[i], corners: &self.corners[i] }
    }
}
