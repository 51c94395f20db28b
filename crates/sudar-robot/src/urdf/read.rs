//! The elements of a URDF, as far as they say where links are and what collides.
//!
//! Files in use have many defects that other readers forgive. One that leaves no doubt about geometry and motion is a
//! note with its file, line and element; others are refused. What only shows (`visual`, `material`) or drives
//! (`transmission`, `gazebo`) is not looked at.

use std::sync::Arc;

use sudar::{DVec3, Interval};

use super::attributes::Found;
use crate::RobotError;
use crate::frame::Frame;
use crate::notes::Notes;
use crate::robot::JointKind;
use crate::xml::{Element, Place, Step, Steps};

/// Deepest nesting of elements: robots have five or six, but simulators add elements of their own.
const DEEPEST: usize = 64;
/// Most elements of a file.
const MOST_ELEMENTS: usize = 1_000_000;

/// What a file describes.
pub(crate) struct Description {
    pub name: String,
    pub links: Vec<LinkElement>,
    pub joints: Vec<JointElement>,
    pub notes: Notes,
}

/// A `link`.
pub(crate) struct LinkElement {
    pub name: String,
    pub place: Place,
    pub inertial: Option<InertialElement>,
    pub collisions: Vec<Collision>,
}

/// An `inertial` with a mass.
pub(crate) struct InertialElement {
    pub origin: Frame,
    pub mass: f64,
    /// xx, xy, xz, yy, yz, zz.
    pub inertia: [f64; 6],
}

/// A `collision`.
pub(crate) struct Collision {
    pub origin: Frame,
    pub geometry: Geometry,
    pub place: Place,
}

/// A `geometry`.
pub(crate) enum Geometry {
    Box(DVec3),
    Sphere {
        radius: f64,
    },
    Cylinder {
        radius: f64,
        length: f64,
    },
    Capsule {
        radius: f64,
        length: f64,
    },
    Plane {
        normal: DVec3,
    },
    Mesh {
        uri: String,
        scale: DVec3,
    },
    /// An element that is none of URDF.
    Other(String),
}

impl Geometry {
    /// Whether all its sizes are 0, as of placeholders.
    fn is_point(&self) -> bool {
        match *self {
            Self::Box(size) => size == DVec3::ZERO,
            Self::Sphere { radius } => radius == 0.0,
            Self::Cylinder { radius, length } | Self::Capsule { radius, length } => {
                radius == 0.0 && length == 0.0
            }
            Self::Plane { .. } | Self::Mesh { .. } | Self::Other(_) => false,
        }
    }
}

/// A `joint`.
pub(crate) struct JointElement {
    pub name: String,
    pub place: Place,
    pub kind: JointKind,
    pub origin: Frame,
    pub axis: DVec3,
    pub parent: String,
    pub child: String,
    pub limits: Interval,
    pub effort: f64,
    pub velocity: f64,
    pub friction: f64,
    pub damping: f64,
    pub mimic: Option<MimicElement>,
}

/// A `mimic`.
pub(crate) struct MimicElement {
    pub joint: String,
    pub multiplier: f64,
    pub offset: f64,
}

/// Limits of joints that have none.
pub(super) const NO_LIMITS: Interval = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

/// What the text of a file describes.
pub(crate) fn describe(text: &str, file: &str) -> Result<Description, RobotError> {
    let elements = elements(text, file)?;
    let (root, mut notes) = (Found::new(&elements, 0), Notes::default());
    let name = root.text("name")?.unwrap_or_default().to_owned();
    let (mut links, mut joints) = (Vec::new(), Vec::new());
    for found in root.all("link") {
        links.push(link(&found, &mut notes)?);
    }
    for found in root.all("joint") {
        joints.push(joint(&found, &mut notes)?);
    }
    Ok(Description { name, links, joints, notes })
}

/// The elements of a text with a root `robot`.
fn elements(text: &str, file: &str) -> Result<Vec<Element>, RobotError> {
    let file: Arc<str> = file.into();
    let refused = |why: String| RobotError::NotXml { file: file.to_string(), what: "URDF", why };
    if text.trim().is_empty() {
        return Err(refused("it is empty".to_owned()));
    }
    let mut steps = Steps::new(text, file.clone(), "URDF", DEEPEST);
    let (mut elements, mut open): (Vec<Element>, Vec<usize>) = (Vec::new(), Vec::new());
    while let Some(step) = steps.next()? {
        let Step::Open { element, is_empty } = step else {
            open.pop();
            continue;
        };
        if element.name.starts_with("xacro:") {
            return Err(RobotError::Xacro {
                file: file.to_string(),
                line: element.place.line,
                what: format!("the element {}", element.name),
            });
        }
        if elements.is_empty() && element.name != "robot" {
            return Err(refused("its first element is not <robot>".to_owned()));
        }
        if elements.len() == MOST_ELEMENTS {
            return Err(refused(format!("it has more than {MOST_ELEMENTS} elements; split it")));
        }
        let number = elements.len();
        if let Some(parent) = open.last().and_then(|parent| elements.get_mut(*parent)) {
            parent.children.push(number);
        }
        elements.push(element);
        if !is_empty {
            open.push(number);
        }
    }
    Ok(elements)
}

fn link(found: &Found<'_>, notes: &mut Notes) -> Result<LinkElement, RobotError> {
    let name = found.need("name")?.to_owned();
    let mut collisions = Vec::new();
    for element in found.all("collision") {
        collisions.extend(collision(&element, notes)?);
    }
    let inertial = match found.first("inertial") {
        Some(element) => inertial(&element, notes),
        None => None,
    };
    Ok(LinkElement { name, place: found.element.place.clone(), inertial, collisions })
}

/// Mass and inertia. Nothing else depends on them: what is wrong with them is a note.
fn inertial(found: &Found<'_>, notes: &mut Notes) -> Option<InertialElement> {
    let mut note = |what: &str| notes.add(&found.element.place, &found.label, what);
    let mass = found.first("mass").and_then(|mass| mass.number("value").ok().flatten());
    let Some(mass) = mass else {
        note("inertial has no mass and is left out");
        return None;
    };
    let Ok(origin) = origin(found) else {
        note("inertial has an origin that cannot be read and is left out");
        return None;
    };
    let keys = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"];
    let moments = found.first("inertia");
    let moment = |key| moments.as_ref().and_then(|element| element.number(key).ok().flatten());
    let inertia = keys.map(moment);
    let missing: Vec<&str> =
        keys.into_iter().zip(inertia).filter(|(_, x)| x.is_none()).map(|(key, _)| key).collect();
    if !missing.is_empty() {
        note(&format!("inertia has no number as {}; 0 is taken", missing.join(", ")));
    }
    // No mass is what links have that are only frames.
    (mass > 0.0).then_some(InertialElement { origin, mass, inertia: inertia.map(|x| x.unwrap_or(0.0)) })
}

fn collision(found: &Found<'_>, notes: &mut Notes) -> Result<Option<Collision>, RobotError> {
    let place = found.element.place.clone();
    let origin = origin(found)?;
    let Some(shape) = found.first("geometry").and_then(|geometry| geometry.children().next()) else {
        notes.add(&place, &found.label, "collision has no geometry and is not checked");
        return Ok(None);
    };
    let geometry = match shape.element.name.as_str() {
        "box" => Geometry::Box(shape.need_vector("size")?),
        "sphere" => Geometry::Sphere { radius: shape.need_number("radius")? },
        "cylinder" => {
            Geometry::Cylinder { radius: shape.need_number("radius")?, length: shape.need_number("length")? }
        }
        "capsule" => {
            Geometry::Capsule { radius: shape.need_number("radius")?, length: shape.need_number("length")? }
        }
        "plane" => Geometry::Plane { normal: shape.vector("normal")?.unwrap_or(DVec3::Z) },
        "mesh" => Geometry::Mesh {
            uri: shape.need("filename")?.to_owned(),
            scale: shape.scale("scale", notes)?.unwrap_or(DVec3::ONE),
        },
        other => Geometry::Other(other.to_owned()),
    };
    if geometry.is_point() {
        notes.add(&place, &found.label, "collision has no size and is not checked");
        return Ok(None);
    }
    Ok(Some(Collision { origin, geometry, place }))
}

/// The element `origin` of another.
fn origin(of: &Found<'_>) -> Result<Frame, RobotError> {
    let Some(found) = of.first("origin") else { return Ok(Frame::IDENTITY) };
    let vector = |key| Ok(found.vector(key)?.unwrap_or(DVec3::ZERO).to_array());
    Ok(Frame::of_rpy(vector("xyz")?, vector("rpy")?))
}

fn joint(found: &Found<'_>, notes: &mut Notes) -> Result<JointElement, RobotError> {
    let kind = kind(found)?;
    let end = |name: &'static str| match found.first(name) {
        Some(end) => Ok(end.need("link")?.to_owned()),
        None => Err(found.refuse(&format!("has no element {name}"))),
    };
    let axis = match found.first("axis") {
        Some(axis) if kind != JointKind::Fixed => axis.vector("xyz")?,
        Some(_) | None => None,
    };
    // Friction, damping and effort matter in a world that steps, and there only what is above 0.
    let positive = |element: &str, key| {
        let number = found.first(element).and_then(|element| element.number(key).ok().flatten());
        number.filter(|x| *x > 0.0).unwrap_or(0.0)
    };
    Ok(JointElement {
        name: found.need("name")?.to_owned(),
        place: found.element.place.clone(),
        kind,
        origin: origin(found)?,
        axis: axis.unwrap_or(DVec3::X),
        parent: end("parent")?,
        child: end("child")?,
        limits: limits(found, kind, notes)?,
        effort: positive("limit", "effort"),
        velocity: positive("limit", "velocity"),
        friction: positive("dynamics", "friction"),
        damping: positive("dynamics", "damping"),
        mimic: mimic(found, notes)?,
    })
}

fn kind(found: &Found<'_>) -> Result<JointKind, RobotError> {
    let word = found.need("type")?;
    JointKind::ALL.into_iter().find(|kind| kind.name() == word).ok_or_else(|| {
        let known = JointKind::ALL.map(JointKind::name).join(", ");
        found.refuse(&format!("its type is '{word}'; give one of: {known}"))
    })
}

/// Limits of joints that have some by their kind.
fn limits(found: &Found<'_>, kind: JointKind, notes: &mut Notes) -> Result<Interval, RobotError> {
    if !matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
        return Ok(NO_LIMITS);
    }
    let mut note = |what: &str| notes.add(&found.element.place, &found.label, what);
    let Some(limit) = found.first("limit") else {
        note(&format!("is {} without a limit; it moves without limits", kind.name()));
        return Ok(NO_LIMITS);
    };
    let missing: Vec<&str> = ["lower", "upper", "effort", "velocity"]
        .into_iter()
        .filter(|key| limit.element.get(key).is_none())
        .collect();
    if !missing.is_empty() {
        note(&format!("its limit has no {}; 0 is taken, as URDF has it", missing.join(", ")));
    }
    let [lower, upper] = [limit.bound("lower")?, limit.bound("upper")?];
    if lower > upper {
        note(&format!("its lower limit {lower} is above the upper one {upper}; it moves without limits"));
        return Ok(NO_LIMITS);
    }
    Ok(Interval { lower, upper })
}

fn mimic(found: &Found<'_>, notes: &mut Notes) -> Result<Option<MimicElement>, RobotError> {
    let Some(mimic) = found.first("mimic") else { return Ok(None) };
    let Some(joint) = mimic.text("joint")? else {
        notes.add(&found.element.place, &found.label, "its mimic names no joint; it moves by itself");
        return Ok(None);
    };
    Ok(Some(MimicElement {
        joint: joint.to_owned(),
        multiplier: mimic.number("multiplier")?.unwrap_or(1.0),
        offset: mimic.number("offset")?.unwrap_or(0.0),
    }))
}
