//! The bodies and poses of the entries of a call.

use pyo3::prelude::*;
use sudar::query::{Body, Placed, Work};
use sudar::{Pose, PoseError};

use crate::call::{Control, Refused, each};
use crate::input::{Bodies, Pick, Poses, PosesView, broadcast, index_text};

/// Two operands of a query, each one or many bodies in one or many poses.
pub struct Operands<'py> {
    bodies: [Bodies<'py>; 2],
    poses: [Poses<'py>; 2],
    /// The dimensions that all go together to.
    pub lead: Vec<usize>,
}

/// The names of arguments in messages.
const SIDES: [[&str; 2]; 2] = [["a", "pose_a"], ["b", "pose_b"]];

impl<'py> Operands<'py> {
    pub fn new(bodies: [&Bound<'py, PyAny>; 2], poses: [Option<&Bound<'py, PyAny>>; 2]) -> PyResult<Self> {
        let bodies = [Bodies::new(bodies[0], SIDES[0][0])?, Bodies::new(bodies[1], SIDES[1][0])?];
        let poses = [Poses::new(poses[0], SIDES[0][1])?, Poses::new(poses[1], SIDES[1][1])?];
        let lead = broadcast(&[
            (SIDES[0][0], &bodies[0].lead),
            (SIDES[0][1], poses[0].lead()),
            (SIDES[1][0], &bodies[1].lead),
            (SIDES[1][1], poses[1].lead()),
        ])?;
        Ok(Self { bodies, poses, lead })
    }

    pub fn count(&self) -> usize {
        self.lead.iter().product()
    }

    /// What a query needs, without the interpreter.
    pub fn sides(&self) -> PyResult<[Side<'_>; 2]> {
        let side = |i: usize| Side::new(&self.bodies[i], &self.poses[i], &self.lead, SIDES[i][1]);
        Ok([side(0)?, side(1)?])
    }

    /// A query for each entry.
    pub fn each<T: Send>(
        &self,
        py: Python<'py>,
        control: &Control<'py>,
        ask: impl Fn(&mut Work<'_>, Placed, Placed) -> T + Sync,
    ) -> PyResult<Vec<T>> {
        self.try_each(py, control, |work, a, b, _| Ok(ask(work, a, b)))
    }

    /// The same where the answer to an entry, whose number is told, may be refused.
    pub fn try_each<T: Send>(
        &self,
        py: Python<'py>,
        control: &Control<'py>,
        ask: impl Fn(&mut Work<'_>, Placed, Placed, usize) -> Result<T, Refused> + Sync,
    ) -> PyResult<Vec<T>> {
        let [a, b] = &self.sides()?;
        each(py, self.count(), control, |work, i| {
            let [mut at, mut to] = [Pose::IDENTITY; 2];
            ask(work, a.placed(i, &mut at)?, b.placed(i, &mut to)?, i)
        })
    }
}

/// One operand.
pub struct Side<'a> {
    pub bodies: Vec<&'a Body>,
    body: Pick,
    pub pose: EachPose<'a>,
}

impl<'a> Side<'a> {
    /// With poses that have this name in messages.
    pub fn new(bodies: &'a Bodies, poses: &'a Poses, lead: &[usize], name: &'static str) -> PyResult<Self> {
        let pose = EachPose::new(poses, lead, name)?;
        Ok(Self { bodies: bodies.list(), body: Pick::new(&bodies.lead, lead), pose })
    }

    /// The body of entry `i` where it stands, its pose perhaps in `here`.
    #[inline(always)]
    pub fn placed<'p>(&'p self, i: usize, here: &'p mut Pose) -> Result<Placed<'p>, Refused> {
        Ok(self.body(i).at(self.pose.at(i, here)?))
    }

    /// The body of entry `i`.
    #[inline]
    pub fn body(&self, i: usize) -> &'a Body {
        self.bodies[self.body.at(i)]
    }
}

/// The poses of the entries.
pub struct EachPose<'a> {
    poses: PosesView<'a>,
    pick: Pick,
    lead: &'a [usize],
    name: &'static str,
    /// The pose, if it is the same for all.
    only: Option<Pose>,
}

impl<'a> EachPose<'a> {
    /// For entries with these leading dimensions. A pose that all have in common is refused here, others by themselves.
    pub fn new(poses: &'a Poses, lead: &[usize], name: &'static str) -> PyResult<Self> {
        let (pick, view) = (Pick::new(poses.lead(), lead), poses.view());
        let mut each = Self { poses: view, pick, lead: poses.lead(), name, only: None };
        if matches!(each.pick, Pick::First) && !lead.contains(&0) {
            each.only = Some(each.read(0)?);
        }
        Ok(each)
    }

    /// The pose of entry `i`, read into `here` unless all have it in common.
    #[inline(always)]
    pub fn at<'p>(&'p self, i: usize, here: &'p mut Pose) -> Result<&'p Pose, Refused> {
        if let Some(pose) = &self.only {
            return Ok(pose);
        }
        *here = self.read(i)?;
        Ok(here)
    }

    #[inline(always)]
    fn read(&self, i: usize) -> Result<Pose, Refused> {
        let place = self.pick.at(i);
        self.poses.at(place).map_err(|why| self.refused(place, why))
    }

    #[cold]
    fn refused(&self, place: usize, why: PoseError) -> Refused {
        Refused(format!("{}{}: {why}", self.name, index_text(place, self.lead)))
    }
}
