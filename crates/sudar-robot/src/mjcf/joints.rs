//! Joints of a body.

use sudar::{DVec3, Interval};

use super::attributes::Attributes;
use super::compiler::Compiler;
use super::fault::MjcfFault;
use super::orientation::direction;
use crate::RobotError;
use crate::frame::Frame;
use crate::notes::Notes;

/// How a joint moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Free,
    Ball,
    Slide,
    Hinge,
}

/// A joint in the frame of its body. Angles are radians.
#[derive(Debug)]
pub(super) struct Joint {
    pub name: Option<String>,
    pub kind: Kind,
    pub anchor: DVec3,
    pub axis: DVec3,
    /// Infinite where there is none.
    pub limits: Interval,
    /// Its value in the pose of the file, and that of its spring.
    pub reference: f64,
    pub rest: f64,
    pub stiffness: f64,
    pub damping: f64,
    pub friction: f64,
    /// The most force of actuators on it, if it says so.
    pub most: Option<f64>,
    pub place: super::fault::Place,
}

const NONE: Interval = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

/// Reads a joint that stands in a frame of its body.
pub(super) fn joint(
    found: &Attributes,
    around: &Frame,
    compiler: &Compiler,
    notes: &mut Notes,
) -> Result<Joint, RobotError> {
    let kinds = [Kind::Free, Kind::Ball, Kind::Slide, Kind::Hinge];
    let kind =
        found.word("type", &["free", "ball", "slide", "hinge"])?.map_or(Kind::Hinge, |kind| kinds[kind]);
    let angle = |value: f64| if kind == Kind::Hinge { compiler.angle(value) } else { value };
    let axis = DVec3::from(found.numbers::<3>("axis")?.unwrap_or([0.0, 0.0, 1.0]));
    let flat = || found.refuse(MjcfFault::Direction { of: found.label.clone(), attribute: "axis" });
    let axis = match kind {
        Kind::Free | Kind::Ball => DVec3::Z,
        Kind::Slide | Kind::Hinge => around.rotate(direction(axis).ok_or_else(flat)?),
    };
    let anchor = DVec3::from(found.numbers::<3>("pos")?.unwrap_or([0.0; 3]));
    note(found, kind, notes)?;
    let most = found.range("actuatorfrclimited", "actuatorfrcrange", compiler.auto_limits)?;
    Ok(Joint {
        name: found.get("name").map(str::to_owned),
        kind,
        anchor: if kind == Kind::Free { DVec3::ZERO } else { around.apply(anchor) },
        axis,
        limits: limits(found, kind, compiler, notes)?,
        reference: angle(found.number("ref", 0.0)?),
        rest: angle(found.number("springref", 0.0)?),
        stiffness: first(found, "stiffness", notes)?,
        damping: first(found, "damping", notes)?,
        friction: not_negative(found, "frictionloss", found.number("frictionloss", 0.0)?)?,
        most: most.map(|[lower, upper]| lower.abs().max(upper.abs())),
        place: found.place.clone(),
    })
}

fn limits(
    found: &Attributes,
    kind: Kind,
    compiler: &Compiler,
    notes: &mut Notes,
) -> Result<Interval, RobotError> {
    if kind == Kind::Free {
        return Ok(NONE);
    }
    let Some([lower, upper]) = found.range("limited", "range", compiler.auto_limits)? else {
        return Ok(NONE);
    };
    match kind {
        Kind::Free => Ok(NONE),
        Kind::Ball if lower != 0.0 => {
            let why = "the range of a ball joint begins at 0".to_owned();
            Err(found.refuse(MjcfFault::Shape { of: found.label.clone(), why }))
        }
        Kind::Ball => {
            notes.add(&found.place, &found.label, "limits of ball joints are not read");
            Ok(NONE)
        }
        Kind::Slide | Kind::Hinge if lower >= upper => {
            Err(found.refuse(MjcfFault::Range { of: found.label.clone(), lower, upper }))
        }
        Kind::Slide => Ok(Interval { lower, upper }),
        Kind::Hinge => Ok(Interval { lower: compiler.angle(lower), upper: compiler.angle(upper) }),
    }
}

/// A coefficient, which may be the first of a polynomial.
fn first(found: &Attributes, attribute: &'static str, notes: &mut Notes) -> Result<f64, RobotError> {
    let list = found.list(attribute, 1, 8)?.unwrap_or(vec![0.0]);
    if list[1..].iter().any(|x| *x != 0.0) {
        notes.add(&found.place, &found.label, &format!("only the first number of {attribute} is read"));
    }
    not_negative(found, attribute, list[0])
}

fn not_negative(found: &Attributes, attribute: &'static str, x: f64) -> Result<f64, RobotError> {
    let fault = || MjcfFault::Number { of: found.label.clone(), attribute, found: format!("{x}, below 0") };
    if x >= 0.0 { Ok(x) } else { Err(found.refuse(fault())) }
}

/// Says what of the motion is not read.
fn note(found: &Attributes, kind: Kind, notes: &mut Notes) -> Result<(), RobotError> {
    let mut add = |what| notes.add(&found.place, &found.label, what);
    if found.number("armature", 0.0)? != 0.0 {
        add("armature is not read: rotors have no inertia");
    }
    if kind != Kind::Free && found.number("margin", 0.0)? != 0.0 {
        add("margin of joints is not read: the limits are those of the range");
    }
    if kind == Kind::Free && found.word("align", &["false", "true", "auto"])? == Some(1) {
        add("align is not read: the frame of the body stays where the file has it");
    }
    if found.numbers::<2>("springdamper")?.is_some_and(|numbers| numbers != [0.0; 2]) {
        add("springdamper is not read");
    }
    let is_many = matches!(kind, Kind::Ball | Kind::Free);
    let resists = ["stiffness", "damping", "frictionloss"].into_iter().any(|key| {
        found.get(key).is_some_and(|text| text.split_whitespace().any(|word| word.parse() != Ok(0.0)))
    });
    if is_many && resists {
        add("stiffness, damping and friction of ball and free joints are not read");
    }
    Ok(())
}
