//! Groups of joints: a robot of which the others stand still, such as one arm of two.

use crate::kinematics::moved;
use crate::node::Motion;
use crate::robot::{JointKind, Whole};
use crate::{Keyframe, Robot, RobotError};

impl Robot {
    /// The same robot with the numbers of these names only, in this order, while the others stand at those of `rest`, a
    /// whole configuration. All else is as of any robot: a cell of a group checks the group with what stands still.
    /// Joints that stand still are fixed; pairs of links that do not move against each other are not checked, which
    /// one check of the whole robot makes up for.
    ///
    /// # Errors
    /// [`RobotError::Unknown`] for names that are none of [`joint_names`](Self::joint_names), [`RobotError::Twice`],
    /// [`RobotError::PartOfJoint`], [`RobotError::Rows`] unless `rest` is one configuration, [`RobotError::Value`].
    pub fn group(&self, names: &[&str], rest: &[f64]) -> Result<Self, RobotError> {
        if self.rows(rest)? != usize::from(self.dof() > 0) {
            return Err(RobotError::Rows { found: rest.len(), dof: self.dof() });
        }
        let numbers = self.numbers_of(names)?;
        let mut group = self.clone();
        for node in &mut group.nodes {
            let Some(coordinate) = node.motion.coordinate().copied() else { continue };
            match numbers.iter().position(|number| *number == coordinate.dof as usize) {
                Some(place) => node.motion.renumber(place as u32),
                None => {
                    node.origin = moved(node.origin, node, rest);
                    node.motion = Motion::None;
                }
            }
        }
        let stays = |joint: usize| !numbers.iter().any(|number| self.dofs[*number].joint == joint);
        for (i, joint) in group.joints.iter_mut().enumerate() {
            if stays(joint.mimics.map_or(i, |_| self.leader(i))) {
                (joint.kind, joint.mimics) = (JointKind::Fixed, None);
            }
        }
        // Groups of which it has no part are none of its own.
        group.groups.retain(|own| own.joints.iter().all(|joint| names.contains(&joint.as_str())));
        let of = |q: &[f64]| numbers.iter().map(|number| q[*number]).collect::<Vec<f64>>();
        group.dofs = numbers.iter().map(|number| self.dofs[*number].clone()).collect();
        group.home = of(&self.home);
        let keyframe =
            |frame: &Keyframe| Keyframe { name: frame.name.clone(), configuration: of(&frame.configuration) };
        group.keyframes = self.keyframes.iter().map(keyframe).collect();
        group.whole = Some(self.whole.as_ref().map_or_else(
            || Whole { numbers: numbers.clone(), rest: rest.to_vec() },
            |outer| outer.inside(&numbers, rest),
        ));
        Ok(group)
    }

    /// Configurations of a group as those of the robot that it is of; the same of any other robot.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn whole(&self, q: &[f64]) -> Result<Vec<f64>, RobotError> {
        let rows = self.rows(q)?;
        let Some(whole) = &self.whole else { return Ok(q.to_vec()) };
        Ok((0..rows).flat_map(|row| whole.with(self.row(q, row))).collect())
    }

    /// How many numbers a configuration of the robot has that a group is of; those of any other robot.
    pub fn whole_dof(&self) -> usize {
        self.whole.as_ref().map_or(self.dof(), |whole| whole.rest.len())
    }

    /// The names of the numbers that move one link against another that it hangs on, from there on: what makes an arm
    /// of a robot, between its shoulder and its hand.
    ///
    /// # Errors
    /// [`RobotError::Unknown`] for a link that does not exist, and for a base that does not carry the tip.
    pub fn chain(&self, base: &str, tip: &str) -> Result<Vec<&str>, RobotError> {
        let unknown = |by: &str, name: &str| {
            let (by, name) = (by.to_owned(), name.to_owned());
            RobotError::Unknown { by, what: "link", name }
        };
        let find = |name: &str| self.link(name).ok_or_else(|| unknown("chain", name));
        let (base_link, mut at) = (find(base)?, find(tip)?);
        let mut numbers = Vec::new();
        while at != base_link {
            let joint =
                self.links[at].joint.ok_or_else(|| unknown(&format!("the chain to '{tip}'"), base))?;
            let leader = self.leader(joint);
            let own = (0..self.dofs.len()).rev().filter(|number| self.dofs[*number].joint == leader);
            numbers.extend(own);
            at = self.joints[joint].parent;
        }
        numbers.reverse();
        let mut seen = std::collections::HashSet::new();
        numbers.retain(|number| seen.insert(*number));
        Ok(numbers.into_iter().map(|number| self.dofs[number].name.as_str()).collect())
    }

    /// The joint that has the numbers which move a joint.
    fn leader(&self, mut joint: usize) -> usize {
        while let Some(mimic) = self.joints[joint].mimics {
            joint = mimic.joint;
        }
        joint
    }

    fn numbers_of(&self, names: &[&str]) -> Result<Vec<usize>, RobotError> {
        let mut numbers = Vec::new();
        for name in names {
            let unknown =
                || RobotError::Unknown { by: "a group".to_owned(), what: "joint", name: (*name).to_owned() };
            let number = self.dofs.iter().position(|dof| dof.name == *name).ok_or_else(unknown)?;
            if numbers.contains(&number) {
                return Err(RobotError::Twice { what: "joint", name: (*name).to_owned() });
            }
            numbers.push(number);
        }
        let count = |joint: usize, among: &[usize]| {
            among.iter().filter(|number| self.dofs[**number].joint == joint).count()
        };
        let all: Vec<usize> = (0..self.dofs.len()).collect();
        let joint = |number: &usize| self.dofs[*number].joint;
        match numbers.iter().map(joint).find(|joint| count(*joint, &numbers) != count(*joint, &all)) {
            Some(joint) => Err(RobotError::PartOfJoint { joint: self.joints[joint].name.clone() }),
            None => Ok(numbers),
        }
    }
}

impl Whole {
    /// A configuration of the whole with these numbers of the group.
    fn with(&self, q: &[f64]) -> Vec<f64> {
        let mut whole = self.rest.clone();
        for (number, value) in self.numbers.iter().zip(q) {
            whole[*number] = *value;
        }
        whole
    }

    /// That of a group of the group, of which others stand at `rest`.
    fn inside(&self, numbers: &[usize], rest: &[f64]) -> Self {
        Self { numbers: numbers.iter().map(|number| self.numbers[*number]).collect(), rest: self.with(rest) }
    }
}
