//! Joints of scene files.

use std::collections::HashMap;

use sudar::DVec3;
use sudar::dynamics::{Axis, Handle, Joint, Row, Softness};
use toml::{Table, Value};

use crate::error::SceneCause;
use crate::keys::Keys;

type Result<T> = std::result::Result<T, SceneCause>;

/// A joint between two bodies of a scene, by their numbers; none of the world.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneJoint {
    /// Numbers of the bodies.
    pub bodies: [Option<usize>; 2],
    /// The joint, without bodies.
    pub joint: Joint,
}

impl SceneJoint {
    /// The joint of these bodies of a world, by number.
    #[must_use]
    pub fn of(&self, handles: &[Handle]) -> Joint {
        let bodies = self.bodies.map(|body| body.and_then(|body| handles.get(body).copied()));
        Joint { bodies, ..self.joint.clone() }
    }
}

const KINDS: &str =
    "fixed, ball, hinge, slider, distance, rope, spring, cone, wheel, gear, rack, pulley, locks, generic";

/// A joint whose properties are JSON, in the words of scene files, between bodies that are known by name.
///
/// # Errors
/// A [`SceneCause`] that names the key.
pub fn parse_joint(properties: &str, names: &HashMap<String, usize>) -> Result<SceneJoint> {
    let table: Table = serde_json::from_str(properties)
        .map_err(|error| SceneCause::Key { key: "joint".to_owned(), problem: error.to_string() })?;
    joint(Keys::new("joint", table), names)
}

/// Reads a joint between bodies that are known by name.
pub(crate) fn joint(mut keys: Keys, names: &HashMap<String, usize>) -> Result<SceneJoint> {
    let mut body = |key: &'static str| match keys.text(key)? {
        None => Ok(None),
        Some(name) => match names.get(&name) {
            Some(number) => Ok(Some(*number)),
            None => keys.refuse(key, &format!("there is no body \"{name}\"")),
        },
    };
    let bodies = [body("a")?, body("b")?];
    let Some(kind) = keys.text("kind")? else {
        return keys.refuse("kind", &format!("is missing; known are {KINDS}"));
    };
    let mut joint = of_kind(&mut keys, &kind)?;
    if let Some([lower, upper]) = keys.numbers::<2>("limits")? {
        joint = joint.limits(lower, upper);
    }
    if let Some(mut own) = table(&mut keys, "motor")? {
        let (speed, force) = (needed(&mut own, "speed")?, own.number("force")?.unwrap_or(f64::INFINITY));
        own.finish()?;
        joint = joint.motor(speed, force);
    }
    if let Some(mut own) = table(&mut keys, "servo")? {
        let (target, force) = (needed(&mut own, "target")?, own.number("force")?.unwrap_or(f64::INFINITY));
        joint = joint.servo(target, softness(&mut own)?, force);
        own.finish()?;
    }
    joint = joint.friction(keys.number("friction")?.unwrap_or(0.0));
    if let Some(mut own) = table(&mut keys, "soft")? {
        joint = joint.soft(softness(&mut own)?);
        own.finish()?;
    }
    if let Some([force, torque]) = keys.numbers::<2>("breaks")? {
        joint = joint.breaking(force, torque);
    }
    joint.collides = keys.flag("collides")?.unwrap_or(false);
    keys.finish()?;
    Ok(SceneJoint { bodies, joint })
}

fn of_kind(keys: &mut Keys, kind: &str) -> Result<Joint> {
    let none = || None::<Handle>;
    Ok(match kind {
        "fixed" => Joint::fixed(none(), none(), vector(keys, "point")?),
        "ball" => Joint::ball(none(), none(), vector(keys, "point")?),
        "hinge" => Joint::hinge(none(), none(), vector(keys, "point")?, vector(keys, "axis")?),
        "slider" => Joint::slider(none(), none(), vector(keys, "point")?, vector(keys, "axis")?),
        "distance" => Joint::distance(none(), none(), pair(keys, "points")?),
        "rope" => {
            let points = pair(keys, "points")?;
            let own = (points[1] - points[0]).length();
            Joint::rope(none(), none(), points, keys.number("length")?.unwrap_or(own))
        }
        "spring" => {
            let points = pair(keys, "points")?;
            let own = (points[1] - points[0]).length();
            let length = keys.number("length")?.unwrap_or(own);
            Joint::spring(none(), none(), points, length, softness(keys)?)
        }
        "cone" => {
            let (point, axis) = (vector(keys, "point")?, vector(keys, "axis")?);
            Joint::cone(none(), none(), point, axis, needed(keys, "angle")?)
        }
        "wheel" => wheel(keys)?,
        "gear" => Joint::gear(none(), none(), pair(keys, "axes")?, needed(keys, "ratio")?),
        "rack" => Joint::rack(none(), none(), pair(keys, "axes")?, needed(keys, "radius")?),
        "pulley" => {
            let (points, over) = (pair(keys, "points")?, pair(keys, "over")?);
            let ratio = keys.number("ratio")?.unwrap_or(1.0);
            Joint::pulley(none(), none(), points, over, (needed(keys, "length")?, ratio))
        }
        "locks" => {
            let point = keys.vector("point")?.unwrap_or(DVec3::ZERO);
            let [ways, turns] = [axes(keys, "ways")?, axes(keys, "turns")?];
            Joint::locks(none(), point, ways, turns)
        }
        "generic" => generic(keys)?,
        other => return keys.refuse("kind", &format!("\"{other}\" is unknown; known are {KINDS}")),
    })
}

fn wheel(keys: &mut Keys) -> Result<Joint> {
    let (point, axis) = (vector(keys, "point")?, vector(keys, "axis")?);
    let up = keys.vector("up")?.unwrap_or(DVec3::Z);
    let mut joint = Joint::wheel(None::<Handle>, None::<Handle>, point, axis, up);
    if let Some(mut own) = table(keys, "suspension")? {
        let travel = own.numbers::<2>("travel")?.unwrap_or([-0.1, 0.1]);
        joint = joint.suspension(travel, softness(&mut own)?);
        own.finish()?;
    }
    if let Some(angle) = keys.number("steering")? {
        joint = joint.steering(angle);
    }
    Ok(joint)
}

/// Which axes of the world a list names.
fn axes(keys: &mut Keys, key: &'static str) -> Result<[bool; 3]> {
    named(keys, key, ["x", "y", "z"])
}

/// Which of some words a list has.
fn named<const N: usize>(keys: &mut Keys, key: &'static str, words: [&str; N]) -> Result<[bool; N]> {
    let mut found = [false; N];
    let list = match keys.take(key) {
        None => Vec::new(),
        Some(Value::Array(list)) => list,
        Some(_) => return keys.refuse(key, &format!("must be a list of {}", words.join(", "))),
    };
    for value in list {
        let place = value.as_str().and_then(|word| words.iter().position(|name| *name == word));
        let Some(place) = place else {
            return keys.refuse(key, &format!("{value} is unknown; known are {}", words.join(", ")));
        };
        found[place] = true;
    }
    Ok(found)
}

/// A joint that locks the coordinates that it names.
fn generic(keys: &mut Keys) -> Result<Joint> {
    let mut joint = Joint::generic(
        None::<Handle>,
        None::<Handle>,
        vector(keys, "point")?,
        keys.vector("axis")?.unwrap_or(DVec3::X),
    );
    let locked = named(keys, "lock", ["x", "y", "z", "twist", "swing_y", "swing_z"])?;
    for (axis, _) in Axis::ALL.into_iter().zip(locked).filter(|(_, locked)| *locked) {
        joint = joint.row(axis, Row::LOCKED);
    }
    Ok(joint)
}

/// `hertz` and `damping_ratio`, or `stiffness` and `damping`.
fn softness(keys: &mut Keys) -> Result<Softness> {
    let damping = keys.number("damping")?;
    let (hertz, ratio) = (keys.number("hertz")?, keys.number("damping_ratio")?);
    match (keys.number("stiffness")?, hertz) {
        (Some(stiffness), None) => Ok(Softness::Stiffness { stiffness, damping: damping.unwrap_or(0.0) }),
        (None, Some(hertz)) => Ok(Softness::Frequency { hertz, damping_ratio: ratio.unwrap_or(1.0) }),
        _ => keys.refuse("stiffness", "give stiffness and damping, or hertz and damping_ratio"),
    }
}

fn table(keys: &mut Keys, key: &'static str) -> Result<Option<Keys>> {
    match keys.take(key) {
        None => Ok(None),
        Some(Value::Table(table)) => Ok(Some(Keys::new(format!("joint: {key}"), table))),
        Some(_) => keys.refuse(key, "must be a table, such as { speed = 1.0, force = 10.0 }"),
    }
}

fn needed(keys: &mut Keys, key: &'static str) -> Result<f64> {
    match keys.number(key)? {
        Some(number) => Ok(number),
        None => keys.refuse(key, "is missing"),
    }
}

fn vector(keys: &mut Keys, key: &'static str) -> Result<DVec3> {
    match keys.vector(key)? {
        Some(vector) => Ok(vector),
        None => keys.refuse(key, "is missing; three numbers, in the world"),
    }
}

/// Two vectors of three numbers.
fn pair(keys: &mut Keys, key: &'static str) -> Result<[DVec3; 2]> {
    const FORM: &str = "must be two lists of three numbers, in the world";
    let Some(Value::Array(list)) = keys.take(key) else { return keys.refuse(key, FORM) };
    let Ok([first, second]) = <[Value; 2]>::try_from(list) else { return keys.refuse(key, FORM) };
    let mut found = [DVec3::ZERO; 2];
    for (found, value) in found.iter_mut().zip([first, second]) {
        let mut own = Table::new();
        own.insert("vector".to_owned(), value);
        let Ok(Some(vector)) = Keys::new("joint", own).vector("vector") else {
            return keys.refuse(key, FORM);
        };
        *found = vector;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sudar::DVec3;

    use crate::parse;

    const BODIES: &str = "[[body]]\nname = 'a'\nshape = { sphere = 0.2 }\nmask = 0\n\
                          [[body]]\nname = 'b'\nshape = { sphere = 0.2 }\nposition = [1, 0, 0]\nmask = 0\n";

    fn file(joint: &str) -> String {
        format!("{BODIES}[[joint]]\na = 'a'\nb = 'b'\n{joint}\n")
    }

    #[test]
    fn every_kind_is_read_and_holds() {
        let kinds = [
            "kind = 'fixed'\npoint = [0, 0, 0]",
            "kind = 'ball'\npoint = [0.5, 0, 0]\ncollides = true\nbreaks = [1e6, 1e6]",
            "kind = 'hinge'\npoint = [0.5, 0, 0]\naxis = [0, 1, 0]\nlimits = [-1, 1]\nmotor = { speed = 2.0 }\nfriction = 1",
            "kind = 'slider'\npoint = [0.5, 0, 0]\naxis = [1, 0, 0]\nservo = { target = 0.1, hertz = 3.0, force = 50 }",
            "kind = 'distance'\npoints = [[0, 0, 0], [1, 0, 0]]\nsoft = { stiffness = 1e4, damping = 10 }",
            "kind = 'rope'\npoints = [[0, 0, 0], [1, 0, 0]]\nlength = 1.5",
            "kind = 'spring'\npoints = [[0, 0, 0], [1, 0, 0]]\nstiffness = 100",
            "kind = 'cone'\npoint = [0.5, 0, 0]\naxis = [1, 0, 0]\nangle = 0.5",
            "kind = 'wheel'\npoint = [1, 0, 0]\naxis = [0, 1, 0]\nsuspension = { hertz = 2 }\nsteering = 0.1",
            "kind = 'gear'\naxes = [[0, 0, 1], [0, 0, 1]]\nratio = 2",
            "kind = 'rack'\naxes = [[0, 0, 1], [1, 0, 0]]\nradius = 0.2",
            "kind = 'pulley'\npoints = [[0, 0, 0], [1, 0, 0]]\nover = [[0, 0, 2], [1, 0, 2]]\nlength = 4.0",
            "kind = 'locks'\nways = ['x']\nturns = ['y', 'z']",
            "kind = 'generic'\npoint = [0.5, 0, 0]\nlock = ['x', 'twist', 'swing_y']",
        ];
        for kind in kinds {
            let scene = parse(&file(kind), Path::new(".")).unwrap_or_else(|error| panic!("{kind}: {error}"));
            let mut world = scene.world().unwrap();
            assert_eq!(world.joints().count(), 1, "{kind}");
            let mut off = 0.0;
            for _ in 0..30 {
                let report = world.step(scene.step).unwrap();
                off = report.gap.max(report.twist);
            }
            assert!(off < 1e-6, "{kind}: {off}");
            let at: Vec<DVec3> = world.bodies().map(|(body, _)| world.motion(body).unwrap().center).collect();
            assert!(at.iter().all(|at| at.is_finite() && at.length() < 9.0), "{kind}: {at:?}");
        }
    }

    #[test]
    fn what_is_no_joint_is_refused_with_its_key() {
        let bad = [
            ("point = [0, 0, 0]", "joint 1: kind"),
            ("kind = 'screw'", "joint 1: kind"),
            ("kind = 'ball'", "joint 1: point"),
            ("kind = 'ball'\npoint = [0, 0]", "joint 1: point"),
            ("kind = 'ball'\npoint = [0, 0, 0]\ncolour = 1", "joint 1: colour"),
            ("kind = 'spring'\npoints = [[0, 0, 0], [1, 0, 0]]", "joint 1: stiffness"),
            ("kind = 'gear'\naxes = [[0, 0, 1]]\nratio = 2", "joint 1: axes"),
            ("kind = 'generic'\npoint = [0, 0, 0]\nlock = ['w']", "joint 1: lock"),
            ("kind = 'hinge'\npoint = [0, 0, 0]\naxis = [0, 0, 1]\nmotor = 3", "joint 1: motor"),
            (
                "kind = 'hinge'\npoint = [0, 0, 0]\naxis = [0, 0, 1]\nmotor = { force = 3 }",
                "joint: motor: speed",
            ),
        ];
        for (joint, key) in bad {
            let error = parse(&file(joint), Path::new(".")).map(|_| ()).unwrap_err().to_string();
            assert!(error.starts_with(key) && !error.contains('\n'), "{joint}: {error}");
        }
        let stranger = file("kind = 'ball'\npoint = [0, 0, 0]").replace("b = 'b'", "b = 'c'");
        assert!(parse(&stranger, Path::new(".")).unwrap_err().to_string().starts_with("joint 1: b: "));
        // What a world refuses is found when it is made.
        let backwards = file("kind = 'hinge'\npoint = [0, 0, 0]\naxis = [0, 0, 1]\nlimits = [1, -1]");
        let error = parse(&backwards, Path::new(".")).unwrap().world().unwrap_err().to_string();
        assert!(error.starts_with("joint: limits: "), "{error}");
    }
}
