//! What ties bodies and joints beyond the tree: `equality`, `contact`, `actuator`, `tendon`.

use std::collections::HashMap;

use sudar::{DVec3, Pose};

use super::attributes::Attributes;
use super::compiler::Compiler;
use super::defaults::{ACTUATORS, Defaults};
use super::document::{Document, Element};
use super::fault::MjcfFault;
use super::orientation;
use crate::frame::Frame;
use crate::notes::Notes;
use crate::robot::{Joint, JointKind, Loop, Mimic};
use crate::{DisabledPair, RobotError};

/// What the sections are about.
pub(super) struct Couplings<'c> {
    pub document: &'c Document,
    pub defaults: &'c Defaults,
    pub compiler: &'c Compiler,
    /// The links of bodies and the joints by their names.
    pub links: HashMap<String, usize>,
    pub joints: HashMap<String, usize>,
    /// Whether some bodies are not read, so that names may be theirs.
    pub has_gaps: bool,
}

impl Couplings<'_> {
    /// What names a body or a joint that is not read is left out with a note.
    fn known<T>(
        &self,
        result: Result<T, RobotError>,
        element: &Element,
        notes: &mut Notes,
    ) -> Result<Option<T>, RobotError> {
        match result {
            Err(RobotError::Mjcf { fault: MjcfFault::Unknown { what: "body" | "joint", .. }, .. })
                if self.has_gaps =>
            {
                notes.add(
                    &element.place,
                    &element.label(),
                    "what names bodies that are not read is left out",
                );
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    fn link(&self, found: &Attributes, name: &str) -> Result<usize, RobotError> {
        self.links.get(name).copied().ok_or_else(|| found.unknown("body", name))
    }

    fn joint(&self, found: &Attributes, name: &str) -> Result<usize, RobotError> {
        self.joints.get(name).copied().ok_or_else(|| found.unknown("joint", name))
    }

    /// The pairs of bodies that do not collide, and notes about pairs of geoms.
    pub fn excluded(&self, notes: &mut Notes) -> Result<Vec<DisabledPair>, RobotError> {
        let mut pairs = Vec::new();
        for element in self.document.within("contact") {
            let found = Attributes::new(None, element)?;
            match element.name.as_str() {
                "exclude" => {
                    let name = |key: &'static str| found.need(key, found.get(key));
                    let ends = [name("body1")?, name("body2")?];
                    let links = self.link(&found, ends[0]).and(self.link(&found, ends[1]));
                    if self.known(links, element, notes)?.is_some() {
                        let links = ends.map(str::to_owned);
                        pairs.push(DisabledPair { links, reason: "excluded".to_owned() });
                    }
                }
                _ => {
                    let what = "pairs of geoms are not read: contype and conaffinity say what collides";
                    notes.add(&found.place, &found.label, what);
                }
            }
        }
        Ok(pairs)
    }

    /// Couples joints that copy others; what ties bodies in loops. The references are the values of joints with one
    /// number in the pose of the file.
    pub fn equalities(
        &self,
        joints: &mut [Joint],
        references: &[f64],
        notes: &mut Notes,
    ) -> Result<Vec<Loop>, RobotError> {
        let mut loops = Vec::new();
        for element in self.document.within("equality") {
            let found = self.defaults.of("equality", element, None)?;
            if !found.flag("active", true)? {
                continue;
            }
            match element.name.as_str() {
                "joint" => {
                    let copied = self.copy(&found, (joints, references), notes);
                    self.known(copied, element, notes)?;
                }
                "connect" | "weld" => {
                    let tied = self.tie(element, &found, notes);
                    loops.extend(self.known(tied, element, notes)?.flatten());
                }
                other => {
                    notes.add(&found.place, &found.label, &format!("equalities of {other} are not read"));
                }
            }
        }
        Ok(loops)
    }

    /// A joint that is a linear function of another.
    fn copy(
        &self,
        found: &Attributes,
        (joints, references): (&mut [Joint], &[f64]),
        notes: &mut Notes,
    ) -> Result<(), RobotError> {
        let first = found.need("joint1", found.get("joint1"))?;
        let one = self.joint(found, first)?;
        let of = found.get("joint2").map(|name| self.joint(found, name)).transpose()?;
        let mut poly = [0.0, 1.0, 0.0, 0.0, 0.0];
        for (entry, given) in poly.iter_mut().zip(found.list("polycoef", 0, 5)?.unwrap_or_default()) {
            *entry = given;
        }
        let is_single = |joint: usize| {
            matches!(joints[joint].kind, JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic)
        };
        let runs_back = |of: usize| {
            let next = |joint: &usize| joints[*joint].mimics.map(|mimic| mimic.joint);
            std::iter::successors(Some(of), next).any(|joint| joint == one)
        };
        let usable = of.filter(|of| {
            poly[2..] == [0.0; 3]
                && is_single(one)
                && is_single(*of)
                && joints[one].mimics.is_none()
                && !runs_back(*of)
        });
        let Some(of) = usable else {
            let what = "only equalities that make one joint a linear function of another are read";
            notes.add(&found.place, &found.label, what);
            return Ok(());
        };
        let offset = references[one] + poly[0] - poly[1] * references[of];
        joints[one].mimics = Some(Mimic { joint: of, multiplier: poly[1], offset });
        Ok(())
    }

    /// Two bodies that are held together at a point, or as one.
    fn tie(
        &self,
        element: &Element,
        found: &Attributes,
        notes: &mut Notes,
    ) -> Result<Option<Loop>, RobotError> {
        if found.get("site1").is_some() || found.get("site2").is_some() {
            notes.add(&found.place, &found.label, "equalities between sites are not read");
            return Ok(None);
        }
        let one = self.link(found, found.need("body1", found.get("body1"))?)?;
        let other = found.get("body2").map_or(Ok(0), |name| self.link(found, name))?;
        let is_weld = element.name == "weld";
        let anchor = found.numbers::<3>("anchor")?;
        let anchor = if is_weld { anchor.or(Some([0.0; 3])) } else { anchor };
        let anchor = DVec3::from(found.need("anchor", anchor)?);
        let relative = match found.numbers::<7>("relpose")? {
            // A quaternion of zero stands for the pose in the file.
            Some([x, y, z, a, b, c, d]) if is_weld && [a, b, c, d] != [0.0; 4] => {
                let flat =
                    || found.refuse(MjcfFault::Direction { of: found.label.clone(), attribute: "relpose" });
                let turn = orientation::quaternion([a, b, c, d]).ok_or_else(flat)?;
                Frame { t: DVec3::new(x, y, z), ..turn }.pose()
            }
            _ => None,
        };
        let what = "it closes a loop in a world, and does not bind the configurations of a cell";
        notes.add(&found.place, &found.label, what);
        Ok(Some(Loop { links: [one, other], anchor, relative, is_weld }))
    }

    /// The efforts of joints: the most that their actuators do together.
    pub fn actuators(&self, joints: &mut [Joint], notes: &mut Notes) -> Result<(), RobotError> {
        let mut most: HashMap<usize, f64> = HashMap::new();
        for element in self.document.within("actuator") {
            if !ACTUATORS.contains(&element.name.as_str()) {
                notes.add(&element.place, &element.label(), "actuators of plugins are not read");
                continue;
            }
            let found = self.defaults.of("actuator", element, None)?;
            let Some(name) = found.get("joint") else {
                let what = "actuators of anything but joints are not read";
                notes.add(&found.place, &found.label, what);
                continue;
            };
            let joint = self.joint(&found, name);
            let Some(joint) = self.known(joint, element, notes)? else { continue };
            *most.entry(joint).or_default() += self.force(element, &found)?;
        }
        for (joint, force) in most {
            // Zero stands for no bound.
            joints[joint].effort = if force.is_finite() { force } else { 0.0 };
        }
        Ok(())
    }

    /// The most force of an actuator on its joint; infinite where nothing bounds it.
    fn force(&self, element: &Element, found: &Attributes) -> Result<f64, RobotError> {
        let gear = found.list("gear", 1, 6)?.map_or(1.0, |gear| gear[0].abs());
        let auto = self.compiler.auto_limits;
        let most = |[lower, upper]: [f64; 2]| lower.abs().max(upper.abs());
        let force = found.range("forcelimited", "forcerange", auto)?.map(most);
        let control = found.range("ctrllimited", "ctrlrange", auto)?.map(most);
        // The force of a motor is its control.
        let own = control.filter(|_| element.name == "motor");
        let least = [force, own].into_iter().flatten().fold(f64::INFINITY, f64::min);
        Ok(if gear == 0.0 { 0.0 } else { least * gear })
    }

    /// Tendons pull and bound, and are not read.
    pub fn tendons(&self, notes: &mut Notes) {
        for element in self.document.within("tendon") {
            notes.add(&element.place, &element.label(), "tendons are not read, neither springs nor limits");
        }
        for section in ["deformable", "extension"] {
            for element in self.document.within(section) {
                let what = format!("what stands in <{section}> is not read");
                notes.add(&element.place, &element.label(), &what);
            }
        }
    }
}

impl Loop {
    /// Where the second link is in the first, if the file does not say so: as in the pose of the file.
    pub(super) fn settle(&mut self, poses: &[Pose]) {
        let [one, other] = self.links.map(|link| poses[link]);
        if self.relative.is_none() {
            self.relative = Some(one.inverse().after(&other));
        }
    }
}
