//! What a query about shapes starts from and ends with.

use sudar::math::Pose;
use sudar::query::{Body, Placed, StopReason, Work};

use crate::answer::Answer;
use crate::error::Result;
use crate::pose::PoseSpec;
use crate::shape::{Posed, ShapeSpec};

/// A query that is ready to run.
pub(super) type Ask = dyn Fn(&mut Work<'_>) -> Result<Answer> + Send + Sync;

/// A body where it stands.
pub(super) struct Stand {
    pub body: Body,
    pub pose: Pose,
}

impl Stand {
    /// Errors name the field at fault.
    pub fn new(
        posed: &Posed,
        [shape_field, pose_field]: [&'static str; 2],
        body: &mut impl FnMut(&ShapeSpec) -> Result<Body>,
    ) -> Result<Self> {
        let body = body(&posed.shape).map_err(|e| e.inside(shape_field))?;
        let pose = posed.pose.pose(body.shape()).map_err(|e| e.inside(pose_field))?;
        Ok(Self { body, pose })
    }

    pub fn placed(&self) -> Placed<'_> {
        self.body.at(&self.pose)
    }

    /// The pose at the end of a motion; a body without one stays where it is.
    pub fn end(&self, end: &Option<Box<PoseSpec>>, field: &str) -> Result<Pose> {
        end.as_ref().map_or(Ok(self.pose), |end| end.pose(self.body.shape()).map_err(|e| e.inside(field)))
    }
}

/// The doubt of an answer that the budget ended, unless it is complete.
pub(super) fn unless(complete: bool) -> Option<StopReason> {
    (!complete).then_some(StopReason::Budget)
}
