//! What changes in a cell, without making anew what stays as it is: objects come, move and go, links take them up and
//! put them down, pairs are allowed to touch, and the robot stands elsewhere.
//!
//! Whatever the way to it, a cell answers as one that is made of the same objects, attached bodies and pairs in the
//! same order.

use sudar::Pose;
use sudar::query::Body;

use super::names::{Named, NamedRef, unknown};
use super::{RobotCell, object};
use crate::part::Attached;
use crate::{PairReason, RobotError, SelfPair};

impl RobotCell {
    /// Adds an object after the others. O(parts), and for a mesh what its [`Body`] costs.
    ///
    /// # Errors
    /// [`RobotError::Twice`] if an object is called so.
    pub fn add(&mut self, name: impl Into<String>, body: Body, pose: Pose) -> Result<(), RobotError> {
        let name = name.into();
        if self.object_number(&name).is_some() {
            return Err(RobotError::Twice { what: "object", name });
        }
        self.by_name.insert(name.clone(), self.objects.len());
        self.objects.push(object((name, body, pose)));
        let number = self.objects.len() - 1;
        (0..self.parts.len()).for_each(|part| self.check_again(part, number));
        Ok(())
    }

    /// Removes an object; those after it have numbers less by one. Pairs with it that are allowed to touch are
    /// forgotten. O(parts · objects).
    ///
    /// # Errors
    /// [`RobotError::Unknown`]
    pub fn remove(&mut self, name: &str) -> Result<(Body, Pose), RobotError> {
        let gone = self.need_object(name, "remove")?;
        let object = self.objects.remove(gone);
        self.by_name.remove(name);
        self.by_name.values_mut().filter(|number| **number > gone).for_each(|number| *number -= 1);
        for with in &mut self.with {
            with.retain(|i| *i as usize != gone);
            with.iter_mut().filter(|i| **i as usize > gone).for_each(|i| *i -= 1);
        }
        self.ignored.forget(NamedRef::Object(name));
        Ok((object.body, object.pose))
    }

    /// Lets an object stand elsewhere. O(1).
    ///
    /// # Errors
    /// [`RobotError::Unknown`]
    pub fn set_pose(&mut self, name: &str, pose: Pose) -> Result<(), RobotError> {
        let number = self.need_object(name, "set_pose")?;
        let moved = &mut self.objects[number];
        moved.pose = pose;
        moved.core = crate::core::Core::new(&moved.body, &pose);
        Ok(())
    }

    /// Lets a link carry something more, after what is attached already, padded as [`CellOptions::padding`] says. Pairs
    /// of it with the other parts are sampled as those of the options; others are not.
    ///
    /// [`CellOptions::padding`]: super::CellOptions::padding
    ///
    /// # Errors
    /// [`RobotError::Unknown`] for a link that does not exist, [`RobotError::Twice`] if a part is called so.
    pub fn attach(&mut self, attached: &Attached) -> Result<(), RobotError> {
        let part = super::options::held(&self.robot, attached, &self.parts)?;
        self.parts.push(crate::Part { padding: self.padding, ..part });
        let added = self.parts.len() - 1;
        self.settle();
        let pair = |a| SelfPair { parts: [a, added], reason: PairReason::Checked, met: 0 };
        let mut pairs: Vec<SelfPair> = (0..added).map(pair).collect();
        self.classify(&mut pairs);
        self.all_pairs.append(&mut pairs);
        self.all_pairs.sort_by_key(|pair| pair.parts);
        self.with.push(Vec::new());
        (0..self.objects.len()).for_each(|number| self.check_again(added, number));
        self.settle();
        Ok(())
    }

    /// Removes what a link carries; parts after it have numbers less by one. Pairs with it that are allowed to touch
    /// are forgotten.
    ///
    /// # Errors
    /// [`RobotError::Unknown`]
    pub fn detach(&mut self, name: &str) -> Result<Attached, RobotError> {
        let is_it = |part: &crate::Part| part.is_attached && part.name == name;
        let gone = self.parts.iter().position(is_it);
        let gone = gone.ok_or_else(|| unknown("detach", "attached object", name))?;
        let attached = self.parts[gone].attached(&self.robot)?;
        self.parts.remove(gone);
        self.with.remove(gone);
        self.all_pairs.retain(|pair| !pair.parts.contains(&gone));
        let numbers = self.all_pairs.iter_mut().flat_map(|pair| &mut pair.parts);
        numbers.filter(|part| **part > gone).for_each(|part| *part -= 1);
        self.maps.retain(|map| !map.parts.contains(&(gone as u32)));
        let numbers = self.maps.iter_mut().flat_map(|map| &mut map.parts);
        numbers.filter(|part| **part as usize > gone).for_each(|part| *part -= 1);
        self.ignored.forget(NamedRef::Part(name));
        self.settle();
        Ok(attached)
    }

    /// Lets a link take up an object where it stands in a configuration: [`remove`](Self::remove), then
    /// [`attach`](Self::attach) with the pose that it has in the link.
    ///
    /// # Errors
    /// Those of the two, [`RobotError::Rows`] unless `q` is one configuration, [`RobotError::Value`].
    pub fn take(
        &mut self,
        name: &str,
        link: &str,
        q: &[f64],
        touches: &[String],
    ) -> Result<Pose, RobotError> {
        let number = self.need_object(name, "take")?;
        let carrier = self.robot.link(link).ok_or_else(|| unknown("take", "link", link))?;
        let at = self.pose_of_link(carrier, q)?;
        let object = &self.objects[number];
        let attached = Attached {
            name: name.to_owned(),
            link: link.to_owned(),
            body: object.body.clone(),
            pose: at.inverse().after(&object.pose),
            touches: touches.to_vec(),
        };
        self.attach(&attached)?;
        self.remove(name)?;
        Ok(attached.pose)
    }

    /// Lets what a link carries stand as an object where it is in a configuration: [`detach`](Self::detach), then
    /// [`add`](Self::add).
    ///
    /// # Errors
    /// Those of the two, [`RobotError::Rows`] unless `q` is one configuration, [`RobotError::Value`].
    pub fn put(&mut self, name: &str, q: &[f64]) -> Result<Pose, RobotError> {
        if self.object_number(name).is_some() {
            return Err(RobotError::Twice { what: "object", name: name.to_owned() });
        }
        let held = self.parts.iter().find(|part| part.is_attached && part.name == name);
        let link = held.ok_or_else(|| unknown("put", "attached object", name))?.link;
        let at = self.pose_of_link(link, q)?;
        let attached = self.detach(name)?;
        let pose = at.after(&attached.pose);
        self.add(name, attached.body, pose)?;
        Ok(pose)
    }

    /// Two parts, or a part and an object, that may touch from now on; their names as in
    /// [`CellOptions::ignored`](super::CellOptions::ignored).
    ///
    /// # Errors
    /// [`RobotError::Unknown`], [`RobotError::Ambiguous`]
    pub fn allow(&mut self, one: &str, other: &str) -> Result<(), RobotError> {
        let pair = [self.named(one, "allow")?, self.named(other, "allow")?];
        self.ignored.add(pair.clone());
        self.renew(&pair);
        Ok(())
    }

    /// The contrary: they are checked again, unless there is another reason why not.
    ///
    /// # Errors
    /// [`RobotError::Unknown`], [`RobotError::Ambiguous`]
    pub fn forbid(&mut self, one: &str, other: &str) -> Result<(), RobotError> {
        let pair = [self.named(one, "forbid")?, self.named(other, "forbid")?];
        self.ignored.remove(pair[0].borrow(), pair[1].borrow());
        self.renew(&pair);
        Ok(())
    }

    /// Lets the root link stand at a pose of the world, that of the objects. Where all links are in
    /// [`robot`](Self::robot) of the cell, and all answers, is in the world then. O(parts²).
    pub fn set_base(&mut self, base: Pose) {
        self.robot.set_base(base);
        self.settle();
    }

    /// Lets one of several robots stand elsewhere in the world; see [`Robot::together`](crate::Robot::together). Pairs
    /// of its parts with those of the others are sampled again. O(parts²), and the samples.
    ///
    /// # Errors
    /// [`RobotError::Unknown`] for a name that is none of theirs.
    pub fn set_base_of(&mut self, robot: &str, base: Pose) -> Result<(), RobotError> {
        let member = self.robot.member(robot).ok_or_else(|| unknown("set_base_of", "robot", robot))?;
        self.robot.set_base_of(member, &base);
        self.settle();
        let is_own = |part: usize| self.robot.member_of(self.parts[part].link) == Some(member);
        let moved: Vec<usize> = (0..self.all_pairs.len())
            .filter(|pair| {
                let [a, b] = self.all_pairs[*pair].parts;
                is_own(a) != is_own(b)
            })
            .collect();
        let again =
            |pair: &usize| SelfPair { reason: PairReason::Checked, met: 0, ..self.all_pairs[*pair].clone() };
        let mut pairs: Vec<SelfPair> = moved.iter().map(again).collect();
        self.classify(&mut pairs);
        for (pair, found) in moved.into_iter().zip(pairs) {
            // How its parts stand to each other depends on the bases as well.
            self.maps.retain(|map| map.parts.map(|part| part as usize) != found.parts);
            self.all_pairs[pair] = found;
        }
        self.settle();
        Ok(())
    }

    /// Where the root link stands.
    pub fn base(&self) -> Pose {
        self.robot.base()
    }

    fn pose_of_link(&self, link: usize, q: &[f64]) -> Result<Pose, RobotError> {
        let poses = self.robot.forward(q)?;
        let dof = self.robot.dof();
        match poses.get(link) {
            Some(pose) if poses.len() == self.robot.links().len() => Ok(*pose),
            _ => Err(RobotError::Rows { found: q.len(), dof }),
        }
    }

    fn need_object(&self, name: &str, by: &str) -> Result<usize, RobotError> {
        self.object_number(name).ok_or_else(|| unknown(by, "object", name))
    }

    fn named(&self, name: &str, by: &str) -> Result<Named, RobotError> {
        let is_part = |name: &str| self.parts.iter().any(|part| part.name == name);
        Named::new(name, by, is_part, |name| self.object_number(name).is_some())
    }

    /// Finds out again whether a pair is checked.
    fn renew(&mut self, pair: &[Named; 2]) {
        let part = |name: &str| self.parts.iter().position(|part| part.name == name);
        match pair {
            [Named::Part(one), Named::Part(other)] => {
                let numbers = [part(one), part(other)].map(Option::unwrap_or_default);
                let numbers = [numbers[0].min(numbers[1]), numbers[0].max(numbers[1])];
                let Some(at) = self.all_pairs.iter().position(|pair| pair.parts == numbers) else { return };
                let mut found = [SelfPair { parts: numbers, reason: PairReason::Checked, met: 0 }];
                self.classify(&mut found);
                let [found] = found;
                self.all_pairs[at] = found;
                self.settle();
            }
            [Named::Part(name), Named::Object(object)] | [Named::Object(object), Named::Part(name)] => {
                if let (Some(part), Some(number)) = (part(name), self.object_number(object)) {
                    self.check_again(part, number);
                }
            }
            [Named::Object(_), Named::Object(_)] => {}
        }
    }

    /// Finds out whether a part is checked with an object.
    fn check_again(&mut self, part: usize, object: usize) {
        let is_ignored = self
            .ignored
            .has(NamedRef::Part(&self.parts[part].name), NamedRef::Object(&self.objects[object].name));
        let with = &mut self.with[part];
        let number = object as u32;
        match (with.binary_search(&number), is_ignored) {
            (Ok(at), true) => {
                with.remove(at);
            }
            (Err(at), false) => with.insert(at, number),
            (Ok(_), false) | (Err(_), true) => {}
        }
    }
}
