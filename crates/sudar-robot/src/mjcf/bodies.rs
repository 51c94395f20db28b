//! The bodies of `worldbody`, each with its joints, geoms and mass.

use std::collections::HashSet;
use std::rc::Rc;

use sudar::{DMat3, DVec3};

use super::attributes::Attributes;
use super::compiler::{Compiler, FromGeoms};
use super::defaults::Defaults;
use super::document::{Document, Element};
use super::fault::{MjcfFault, Place};
use super::geoms::{Geom, Reader};
use super::joints::{Joint, Kind, joint};
use super::orientation::{euler, frame};
use crate::RobotError;
use crate::frame::Frame;
use crate::inertial::Inertial;
use crate::notes::Notes;

/// Most bodies: pairs of them are looked at.
const MOST_BODIES: usize = 10_000;
/// Most elements with all copies.
const MOST_ELEMENTS: usize = 1_000_000;

/// A body in the frame of its parent. The first is the world.
#[derive(Debug)]
pub(super) struct Body {
    pub name: String,
    pub parent: usize,
    pub frame: Frame,
    pub joints: Vec<Joint>,
    pub geoms: Vec<Geom>,
    pub inertial: Option<Inertial>,
    pub place: Place,
    pub label: String,
}

/// An element that is still to be read.
struct Open<'d> {
    element: &'d Element,
    body: usize,
    /// The frame around it, in the body.
    around: Frame,
    class: Option<&'d str>,
    /// What names have at their end, of copies.
    suffix: Rc<str>,
}

/// Where bodies are read from.
struct Walk<'d, 'r, 'm> {
    document: &'d Document,
    defaults: &'d Defaults,
    reader: &'r mut Reader<'d, 'm>,
    bodies: Vec<Body>,
    /// Elements read so far, or to be read.
    elements: usize,
}

/// All bodies, each after its parent, in the order of MuJoCo.
pub(super) fn bodies<'d, 'm>(
    document: &'d Document,
    defaults: &'d Defaults,
    reader: &mut Reader<'d, 'm>,
) -> Result<Vec<Body>, RobotError> {
    let place = document.root().place.clone();
    let world = Body {
        name: "world".to_owned(),
        parent: 0,
        frame: Frame::IDENTITY,
        joints: Vec::new(),
        geoms: Vec::new(),
        inertial: None,
        place,
        label: "worldbody".to_owned(),
    };
    let mut walk = Walk { document, defaults, reader, bodies: vec![world], elements: 0 };
    let mut open = Vec::new();
    for section in document.sections("worldbody") {
        let root =
            Open { element: section, body: 0, around: Frame::IDENTITY, class: None, suffix: "".into() };
        walk.children(&root, &mut open)?;
        // One section after the other; what is last on the list comes first.
        while let Some(next) = open.pop() {
            walk.element(&next, &mut open)?;
        }
    }
    let Walk { mut bodies, reader, .. } = walk;
    for body in &mut bodies[1..] {
        body.weigh(reader.compiler)?;
    }
    bodies.iter().for_each(|body| body.note_masks(&mut reader.notes));
    total(&mut bodies, reader.compiler);
    name(&mut bodies)?;
    Ok(bodies)
}

impl<'d> Walk<'d, '_, '_> {
    /// What is within an element, to be read next; `of` says where it is.
    fn children(&mut self, of: &Open<'d>, open: &mut Vec<Open<'d>>) -> Result<(), RobotError> {
        self.elements += of.element.children.len();
        if self.elements > MOST_ELEMENTS {
            let fault = MjcfFault::TooMany { what: "elements with all copies", most: MOST_ELEMENTS };
            return Err(of.element.place.refuse(fault));
        }
        let Open { body, around, class, .. } = *of;
        let child = |element| Open { element, body, around, class, suffix: of.suffix.clone() };
        open.extend(self.document.children(of.element).rev().map(child));
        Ok(())
    }

    fn element(&mut self, next: &Open<'d>, open: &mut Vec<Open<'d>>) -> Result<(), RobotError> {
        let Open { element, body, around, class, suffix } = next;
        match element.name.as_str() {
            "body" => self.body(next, open),
            "frame" => {
                let found = Attributes::new(None, element)?;
                let around = around.after(&frame(&found, self.reader.compiler)?);
                let class = self.class(element)?.or(*class);
                self.children(&Open { element, body: *body, around, class, suffix: suffix.clone() }, open)
            }
            "replicate" => self.replicate(next, open),
            "joint" | "freejoint" => self.joint(next),
            "geom" => {
                let found = self.defaults.of("geom", element, *class)?;
                let has_inertial = self.bodies[*body].inertial.is_some();
                let geom = self.reader.geom(found, around, has_inertial || *body == 0)?;
                self.bodies[*body].geoms.push(geom);
                Ok(())
            }
            // Read with the body, before its geoms.
            "inertial" | "site" | "camera" | "light" => Ok(()),
            other => {
                self.reader.has_gaps |= other != "plugin";
                let known = ["composite", "flexcomp", "attach", "plugin"].contains(&other);
                let what = format!("elements <{other}> are not read");
                let what = if known { &what } else { "it is no element that is known, and not read" };
                self.reader.notes.add(&element.place, &element.label(), what);
                Ok(())
            }
        }
    }

    /// Copies of what is within, each moved and turned from the one before.
    fn replicate(&mut self, next: &Open<'d>, open: &mut Vec<Open<'d>>) -> Result<(), RobotError> {
        let found = Attributes::new(None, next.element)?;
        let compiler = self.reader.compiler;
        found.need("count", found.get("count"))?;
        let count = found.whole("count", 0)?.clamp(0, MOST_ELEMENTS as i64 + 1);
        let offset = DVec3::from(found.numbers::<3>("offset")?.unwrap_or([0.0; 3]));
        let angles = found.numbers::<3>("euler")?.unwrap_or([0.0; 3]).map(|angle| compiler.angle(angle));
        let class = self.class(next.element)?.or(next.class);
        let width = count.to_string().len();
        // Names of elements that are copied may be used without what copies have at their end.
        self.reader.has_gaps = true;
        let (mut copies, mut at) = (Vec::new(), DVec3::ZERO);
        for copy in 0..count {
            let turn = euler(angles.map(|angle| angle * copy as f64), compiler.euler);
            let around = next.around.after(&Frame { t: at, ..turn });
            at += turn.rotate(offset);
            let suffix =
                format!("{}{copy:0width$}{}", found.get("sep").unwrap_or_default(), next.suffix).into();
            let mut own = Vec::new();
            self.children(&Open { element: next.element, body: next.body, around, class, suffix }, &mut own)?;
            copies.push(own);
        }
        open.extend(copies.into_iter().rev().flatten());
        Ok(())
    }

    fn body(&mut self, next: &Open<'d>, open: &mut Vec<Open<'d>>) -> Result<(), RobotError> {
        let Open { element, body: parent, around, class, suffix } = next;
        if self.bodies.len() == MOST_BODIES {
            let fault = MjcfFault::TooMany { what: "bodies", most: MOST_BODIES };
            return Err(element.place.refuse(fault));
        }
        let found = Attributes::new(None, element)?;
        let frame = around.after(&frame(&found, self.reader.compiler)?);
        if found.number("gravcomp", 0.0)? != 0.0 {
            self.reader.notes.add(
                &found.place,
                &found.label,
                "gravcomp is not read: it falls like the others",
            );
        }
        let class = self.class(element)?.or(*class);
        let number = self.bodies.len();
        self.bodies.push(Body {
            name: element.get("name").map(|name| format!("{name}{suffix}")).unwrap_or_default(),
            parent: *parent,
            frame,
            joints: Vec::new(),
            geoms: Vec::new(),
            inertial: self.inertial(element)?,
            place: element.place.clone(),
            label: element.label(),
        });
        let around = Frame::IDENTITY;
        self.children(&Open { element, body: number, around, class, suffix: suffix.clone() }, open)
    }

    /// The class of what is within an element.
    fn class(&self, element: &'d Element) -> Result<Option<&'d str>, RobotError> {
        let class = element.get("childclass");
        class.map_or(Ok(()), |class| self.defaults.check(element, class))?;
        Ok(class)
    }

    fn joint(&mut self, next: &Open<'d>) -> Result<(), RobotError> {
        let Open { element, body, around, class, suffix } = next;
        let refused = |why| element.place.refuse(MjcfFault::Place { of: element.label(), why });
        if *body == 0 {
            return Err(refused("it is in no body; the world does not move"));
        }
        let mut found = if element.name == "freejoint" {
            // It has no defaults, and is of one type.
            Attributes::new(None, element)?
        } else {
            self.defaults.of("joint", element, *class)?
        };
        if element.name == "freejoint" {
            found.set("type", "free");
        }
        let mut joint = joint(&found, around, self.reader.compiler, &mut self.reader.notes)?;
        joint.name = joint.name.map(|name| format!("{name}{suffix}"));
        let of = &mut self.bodies[*body];
        if joint.kind == Kind::Free && of.parent != 0 {
            return Err(refused("only bodies of the world move freely; move the body there"));
        }
        if !of.joints.is_empty() && (joint.kind == Kind::Free || of.joints[0].kind == Kind::Free) {
            return Err(refused("a free joint is the only one of its body"));
        }
        let turns = matches!(joint.kind, Kind::Ball | Kind::Hinge);
        if turns && of.joints.iter().any(|before| before.kind == Kind::Ball) {
            return Err(refused("it turns after a ball joint, which turns everywhere already"));
        }
        of.joints.push(joint);
        let freedom = |joint: &Joint| if joint.kind == Kind::Ball { 3 } else { 1 };
        if of.joints.iter().map(freedom).sum::<usize>() > 6 {
            return Err(refused("its body has more than six ways to move"));
        }
        Ok(())
    }

    /// The element `inertial` of a body, if it has one.
    fn inertial(&self, body: &Element) -> Result<Option<Inertial>, RobotError> {
        let compiler = self.reader.compiler;
        let element = self.document.children(body).find(|child| child.name == "inertial");
        let Some(element) = element else { return Ok(None) };
        let found = Attributes::new(None, element)?;
        let refused = |why| found.refuse(MjcfFault::Inertia { of: body.label(), why });
        let mass = found.need("mass", found.numbers::<1>("mass")?)?[0];
        found.need("pos", found.get("pos"))?;
        let at = frame(&found, compiler)?;
        let full = found.numbers::<6>("fullinertia")?;
        let own = match (found.numbers::<3>("diaginertia")?, full) {
            (Some(_), Some(_)) => return Err(refused("has diaginertia and fullinertia; keep one")),
            (diagonal, None) => DMat3::from_diagonal(DVec3::from(diagonal.unwrap_or([0.0; 3]))),
            (None, Some([xx, yy, zz, xy, xz, yz])) => {
                DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
            }
        };
        let pose = at.pose().ok_or_else(|| refused("its pose is beyond 1e80"))?;
        Ok(Some(Inertial { mass, center: DVec3::ZERO, inertia: own }.seen_from(&pose)))
    }
}

impl Body {
    /// Links collide as a whole.
    fn note_masks(&self, notes: &mut Notes) {
        let mut masks = self.geoms.iter().filter(|geom| geom.body.is_some()).map(|geom| geom.mask);
        let first = masks.next();
        if masks.any(|mask| Some(mask) != first) {
            notes.add(
                &self.place,
                &self.label,
                "contype and conaffinity differ between its geoms, which collide as one",
            );
        }
    }

    /// Takes the mass of the geoms where it is theirs, and bounds it.
    fn weigh(&mut self, compiler: &Compiler) -> Result<(), RobotError> {
        // Geoms that weigh count first, or those of bodies without an inertial.
        let geoms = self.geoms.iter().filter_map(|geom| geom.inertial).reduce(Inertial::and);
        let none = Inertial { mass: 0.0, center: DVec3::ZERO, inertia: DMat3::ZERO };
        let own = match compiler.from_geoms {
            FromGeoms::Always => geoms.or(self.inertial),
            FromGeoms::Never | FromGeoms::Auto => self.inertial.or(geoms),
        };
        let own = own.unwrap_or(none);
        let refused = |why| self.place.refuse(MjcfFault::Inertia { of: self.label.clone(), why });
        let principal = sudar::math::symmetric_eigen(&own.inertia);
        let mut moments = principal.values;
        if !(own.mass >= 0.0 && moments.min_element() >= -1e-9 * moments.abs().max_element()) {
            return Err(refused("its mass or inertia is negative"));
        }
        moments = moments.max(DVec3::splat(compiler.least_inertia.max(0.0)));
        let sum = moments.element_sum();
        if sum - 2.0 * moments.max_element() < -1e-6 * sum {
            if !compiler.balances {
                return Err(refused("its inertia is that of no body: one moment is more than the other two"));
            }
            moments = DVec3::splat(sum / 3.0);
        }
        let is_as_read = moments == principal.values;
        let axes = principal.vectors;
        let bounded = axes * DMat3::from_diagonal(moments) * axes.transpose();
        self.inertial = Some(Inertial {
            mass: own.mass.max(compiler.least_mass),
            center: own.center,
            inertia: if is_as_read { own.inertia } else { bounded },
        });
        Ok(())
    }
}

/// Scales all masses to the total of the compiler.
fn total(bodies: &mut [Body], compiler: &Compiler) {
    let sum: f64 = bodies.iter().filter_map(|body| body.inertial).map(|own| own.mass).sum();
    if let (Some(total), true) = (compiler.total_mass, sum > 0.0) {
        let factor = total / sum;
        for own in bodies.iter_mut().filter_map(|body| body.inertial.as_mut()) {
            (own.mass, own.inertia) = (own.mass * factor, own.inertia * factor);
        }
    }
}

/// Names of their own for bodies without: `body` and their number.
fn name(bodies: &mut [Body]) -> Result<(), RobotError> {
    let mut known: HashSet<String> = HashSet::from(["world".to_owned()]);
    for body in bodies[1..].iter().filter(|body| !body.name.is_empty()) {
        if !known.insert(body.name.clone()) {
            return Err(body.place.refuse(MjcfFault::Twice { what: "bodies", name: body.name.clone() }));
        }
    }
    for (number, body) in bodies.iter_mut().enumerate().filter(|(_, body)| body.name.is_empty()) {
        body.name = unique(format!("body{number}"), &mut known);
    }
    Ok(())
}

/// A name that none has yet.
pub(super) fn unique(mut name: String, known: &mut HashSet<String>) -> String {
    while known.contains(&name) {
        name.push('_');
    }
    known.insert(name.clone());
    name
}
