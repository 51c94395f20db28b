//! Scene files.

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};
use std::path::Path as FilePath;
use std::sync::Arc;

use sudar_classic::ALL_BROAD_PHASES;
use sudar_classic::response::{Detection, Spring, UnknownResponse, response_with};

use crate::actors::{Order, Path, PathEnd, PathKey, SceneCharacter};
use crate::groups::Groups;
use crate::scenes::Scene;
use sudar::dynamics::{
    BodyType, Bounds, Character, Combine, ContactRule, Explosion, Filter, ForceField, MassSpec, RigidBody,
    Settings, Softness,
};
use sudar::mass::mass_properties;
use sudar::query::Body;
use sudar::{DMat3, DQuat, DVec3, Mesh, Pose};
use sudar_formats::{FormatError, Model};
use sudar_record::ShapeSpec;
use toml::{Table, Value};

use crate::error::SceneCause;
use crate::joints::joint;
use crate::keys::{Keys, is_finite};

type Result<T> = std::result::Result<T, SceneCause>;

/// Reads the text of a scene file, in time linear in its length. Paths of meshes start from `folder`; each file is read
/// once, and bodies of equal shape share one [`Body`].
///
/// # Errors
/// A [`SceneCause`] that names the body and the key.
pub fn parse(text: &str, folder: &FilePath) -> Result<Scene> {
    // The tree of a file of a million bodies takes 5 GB: bodies are read one by one. Errors, which name lines and come
    // in the order of the file, are those of the file as a whole.
    by_bodies(text, folder).map_or_else(|| whole(text, folder), Ok)
}

fn whole(text: &str, folder: &FilePath) -> Result<Scene> {
    let table: Table = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = 1 + text.bytes().take(start).filter(|&b| b == b'\n').count();
        SceneCause::line(line, error.message().trim().replace('\n', "; "))
    })?;
    file(table, |tables| {
        let mut bodies = Bodies::new(folder);
        tables.into_iter().try_for_each(|table| bodies.read(table))?;
        Ok(bodies)
    })
}

/// The same in little memory, or nothing if anything is wrong, or a key stands in two parts.
fn by_bodies(text: &str, folder: &FilePath) -> Option<Scene> {
    let (mut rest, mut bodies) = (Table::new(), Bodies::new(folder));
    for part in parts(text) {
        let mut table: Table = toml::from_str(part).ok()?;
        let list = table.remove("body");
        if list.is_some() != part.starts_with(HEADER) || table.keys().any(|key| rest.contains_key(key)) {
            return None;
        }
        rest.extend(table);
        tables(list, "body").ok()?.into_iter().try_for_each(|table| bodies.read(table)).ok()?;
    }
    file(rest, |_| Ok(bodies)).ok()
}

const HEADER: &str = "[[body]]";

/// The text before the first line that begins with the header of a body, and from each of them to the next. If a header
/// is inside a text of several lines, the part before it is no TOML.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut left = Some(text);
    std::iter::from_fn(move || {
        let text = left?;
        let next = text
            .match_indices(HEADER)
            .map(|(at, _)| at)
            .find(|&at| at > 0 && text.as_bytes()[at - 1] == b'\n');
        let (part, others) = text.split_at(next.unwrap_or(text.len()));
        left = next.map(|_| others);
        Some(part)
    })
}

/// The scene of a file, with the bodies of its tables.
fn file<'p>(table: Table, bodies: impl FnOnce(Vec<Table>) -> Result<Bodies<'p>>) -> Result<Scene> {
    let mut keys = Keys::new("file", table);
    let mut scene = match keys.take("world") {
        None => Scene::new(Settings::default()),
        Some(Value::Table(table)) => world(Keys::new("world", table))?,
        Some(_) => return Err(refused("world", "must be a table; write [world]")),
    };
    let mut bodies = bodies(tables(keys.take("body"), "body")?)?;
    for (i, table) in tables(keys.take("character"), "character")?.into_iter().enumerate() {
        let character = bodies.character(Keys::new(format!("character {}", i + 1), table))?;
        scene.actors.characters.push(character);
    }
    (scene.bodies, scene.actors.paths) = (bodies.list, bodies.paths);
    let joints = tables(keys.take("joint"), "joint")?;
    if !joints.is_empty() {
        let numbers = (0..).zip(&scene.bodies).map(|(number, body)| (body.name.clone(), number));
        let names: HashMap<String, usize> = numbers.collect();
        for (i, table) in joints.into_iter().enumerate() {
            scene.joints.push(joint(Keys::new(format!("joint {}", i + 1), table), &names)?);
        }
    }
    for (i, table) in tables(keys.take("event"), "event")?.into_iter().enumerate() {
        scene.explosions.push(event(Keys::new(format!("event {}", i + 1), table))?);
    }
    keys.finish()?;
    Ok(scene)
}

/// The bodies of a file so far.
struct Bodies<'p> {
    list: Vec<RigidBody>,
    names: HashSet<String>,
    shapes: Shapes<'p>,
    groups: Groups,
    paths: Vec<Path>,
}

impl<'p> Bodies<'p> {
    fn new(folder: &'p FilePath) -> Self {
        let (list, paths) = (Vec::new(), Vec::new());
        Self { list, names: HashSet::new(), shapes: Shapes::new(folder), groups: Groups::default(), paths }
    }

    fn read(&mut self, table: Table) -> Result<()> {
        let number = self.list.len() + 1;
        let mut keys = Keys::new(format!("body {number}"), table);
        let made = body(&mut keys, &mut self.shapes, &mut self.groups)?;
        self.paths.extend(path(&mut keys, &made, number - 1)?);
        keys.finish()?;
        self.add("body", made)
    }

    fn character(&mut self, mut keys: Keys) -> Result<SceneCharacter> {
        let (made, character, orders) = character(&mut keys, &mut self.shapes, &mut self.groups)?;
        keys.finish()?;
        self.add("character", made)?;
        Ok(SceneCharacter { body: self.list.len() - 1, character, orders })
    }

    fn add(&mut self, kind: &str, body: RigidBody) -> Result<()> {
        if !self.names.insert(body.name.clone()) {
            let key = format!("{kind} \"{}\": name", body.name);
            return Err(refused(&key, "another body has this name; give every body a name of its own"));
        }
        self.list.push(body);
        Ok(())
    }
}

fn refused(key: &str, problem: &str) -> SceneCause {
    SceneCause::Key { key: key.to_owned(), problem: problem.to_owned() }
}

fn tables(value: Option<Value>, key: &str) -> Result<Vec<Table>> {
    let refused = || refused(key, &format!("must be a list of tables; write [[{key}]]"));
    let Some(value) = value else { return Ok(Vec::new()) };
    let Value::Array(list) = value else { return Err(refused()) };
    let table = |value: Value| if let Value::Table(table) = value { Ok(table) } else { Err(refused()) };
    list.into_iter().map(table).collect()
}

fn world(mut keys: Keys) -> Result<Scene> {
    let mut scene = Scene::new(Settings::default());
    let settings = &mut scene.settings;
    settings.gravity = keys.vector("gravity")?.unwrap_or(settings.gravity);
    scene.step = keys.number("step")?.unwrap_or(scene.step);
    if scene.step <= 0.0 {
        return keys.refuse("step", &format!("must be above 0, found {}", scene.step));
    }
    let detection = detection(&mut keys)?;
    let name = keys.text("response")?.unwrap_or_else(|| settings.response.name().to_owned());
    settings.response = match response_with(&name, detection) {
        Ok(response) => response,
        Err(unknown @ UnknownResponse::Name { .. }) => return keys.refuse("response", &unknown.to_string()),
        Err(unknown) => return keys.refuse("detection", &unknown.to_string()),
    };
    if let Some(name) = keys.text("broad_phase")? {
        if !ALL_BROAD_PHASES.contains(&name.as_str()) {
            let known = ALL_BROAD_PHASES.join(", ");
            return keys.refuse("broad_phase", &format!("\"{name}\" is unknown; known are {known}"));
        }
        scene.broad_phase = name;
    }
    settings.bounds = match keys.take("bounds") {
        None => None,
        Some(Value::Table(table)) => Some(bounds(Keys::new("world: bounds", table))?),
        Some(_) => return keys.refuse("bounds", "must be { min = [x, y, z], max = [x, y, z] }"),
    };
    let spring = Spring::new(keys.number("stiffness")?, keys.number("damping")?.unwrap_or(0.0))?;
    scene.spring = spring.with_detection(detection);
    if settings.response.name() == "spring" {
        settings.response = Arc::new(scene.spring);
    }
    keys.finish()?;
    Ok(scene)
}

fn detection(keys: &mut Keys) -> Result<Detection> {
    let Some(name) = keys.text("detection")? else { return Ok(Detection::Continuous) };
    let unknown = || {
        let known = Detection::ALL.map(Detection::name).join(", ");
        keys.refuse("detection", &format!("\"{name}\" is unknown; known are {known}"))
    };
    Detection::from_name(&name).map_or_else(unknown, Ok)
}

fn bounds(mut keys: Keys) -> Result<Bounds> {
    let [min, max] = [keys.vector("min")?, keys.vector("max")?];
    let (Some(min), Some(max)) = (min, max) else { return keys.refuse("min", "both min and max are needed") };
    if !min.cmplt(max).all() {
        return keys.refuse("min", "must be below max in every coordinate; swap them");
    }
    keys.finish()?;
    Ok(Bounds { min, max })
}

fn body(keys: &mut Keys, shapes: &mut Shapes<'_>, groups: &mut Groups) -> Result<RigidBody> {
    let Some(name) = keys.text("name")? else {
        return keys.refuse("name", "is missing; every body needs one");
    };
    keys.rename(format!("body \"{name}\""));
    let mut body = RigidBody::new(name, shapes.take(keys)?);
    body.kind = match keys.text("kind")?.as_deref() {
        None | Some("dynamic") => BodyType::Dynamic,
        Some("static") => BodyType::Static,
        Some("kinematic") => BodyType::Kinematic,
        Some(other) => {
            return keys
                .refuse("kind", &format!("\"{other}\" is unknown; known are dynamic, static, kinematic"));
        }
    };
    let vectors: [(&'static str, &mut DVec3); 6] = [
        ("position", &mut body.position),
        ("velocity", &mut body.velocity),
        ("angular_velocity", &mut body.angular_velocity),
        ("force", &mut body.force),
        ("torque", &mut body.torque),
        ("surface_velocity", &mut body.surface_velocity),
    ];
    for (key, vector) in vectors {
        *vector = keys.vector(key)?.unwrap_or(*vector);
    }
    if let Some([x, y, z, w]) = keys.numbers::<4>("rotation")? {
        body.rotation = DQuat::from_xyzw(x, y, z, w);
    }
    let numbers: [(&'static str, &mut f64); 7] = [
        ("restitution", &mut body.restitution),
        ("friction", &mut body.friction),
        ("rolling_friction", &mut body.rolling_friction),
        ("linear_drag", &mut body.linear_drag),
        ("angular_drag", &mut body.angular_drag),
        ("adhesion", &mut body.adhesion),
        ("gravity_scale", &mut body.gravity_scale),
    ];
    for (key, number) in numbers {
        *number = keys.number(key)?.unwrap_or(*number);
    }
    body.restitution_rule = combine(keys, "restitution_rule")?;
    body.friction_rule = combine(keys, "friction_rule")?;
    body.sensor = keys.flag("sensor")?.unwrap_or(false);
    if let Some(up) = keys.vector("one_way")? {
        if up == DVec3::ZERO {
            return keys.refuse("one_way", "must be the direction of the body that is up, not zero");
        }
        body.contact_rule = Some(ContactRule::one_way(up));
    }
    body.field = table(keys, "field")?.map(field).transpose()?;
    body.contact_softness = table(keys, "contact_softness")?.map_or(Ok(body.contact_softness), softness)?;
    body.filter = filter(keys, groups)?;
    body.matter = matter(keys, &body)?;
    Ok(body)
}

/// The groups of a body, and those it meets: all, if nothing is said.
fn filter(keys: &mut Keys, groups: &mut Groups) -> Result<Filter> {
    let (category, mask) = (groups.take(keys, "group")?, groups.take(keys, "mask")?);
    Ok(Filter::new(category.unwrap_or(!0), mask.unwrap_or(!0)))
}

/// A table in braces, whose errors name the body and the key.
fn table(keys: &mut Keys, key: &'static str) -> Result<Option<Keys>> {
    match keys.take(key) {
        None => Ok(None),
        Some(Value::Table(table)) => Ok(Some(Keys::new(keys.path(key), table))),
        Some(_) => keys.refuse(key, "must be a table in braces"),
    }
}

fn field(mut keys: Keys) -> Result<ForceField> {
    let mut field = ForceField::default();
    field.acceleration = keys.vector("acceleration")?.unwrap_or(field.acceleration);
    field.force = keys.vector("force")?.unwrap_or(field.force);
    field.attraction = keys.number("attraction")?.unwrap_or(field.attraction);
    field.drag = keys.number("drag")?.unwrap_or(field.drag);
    keys.finish()?;
    Ok(field)
}

fn softness(mut keys: Keys) -> Result<Softness> {
    let (hertz, stiffness) = (keys.number("hertz")?, keys.number("stiffness")?);
    let damping_ratio = keys.number("damping_ratio")?.unwrap_or(1.0);
    let damping = keys.number("damping")?.unwrap_or(0.0);
    let softness = match (hertz, stiffness) {
        (Some(hertz), None) => Softness::Frequency { hertz, damping_ratio },
        (None, Some(stiffness)) => Softness::Stiffness { stiffness, damping },
        _ => return keys.refuse("hertz", "is needed, with damping_ratio; or stiffness, with damping"),
    };
    keys.finish()?;
    Ok(softness)
}

/// The path of a kinematic body, by its number.
fn path(keys: &mut Keys, body: &RigidBody, number: usize) -> Result<Option<Path>> {
    let list = tables(keys.take("path"), "path")?;
    let end = match keys.text("path_end")?.as_deref() {
        None | Some("stay") => PathEnd::Stay,
        Some("loop") => PathEnd::Loop,
        Some("back") => PathEnd::Back,
        Some(other) => {
            return keys.refuse("path_end", &format!("\"{other}\" is unknown; known are stay, loop, back"));
        }
    };
    if list.is_empty() {
        return Ok(None);
    }
    if body.kind != BodyType::Kinematic {
        return keys.refuse("path", "is of a kinematic body; write kind = \"kinematic\"");
    }
    let mut path = Path { body: number, keys: Vec::new(), end };
    for (i, table) in list.into_iter().enumerate() {
        let mut key = Keys::new(keys.path(&format!("path {}", i + 1)), table);
        let Some(time) = key.number("time")? else { return key.refuse("time", "is missing") };
        if path.keys.last().is_some_and(|last| last.time >= time) {
            return key.refuse("time", "must be later than that before");
        }
        let position = key.vector("position")?.unwrap_or(body.position);
        let rotation = match key.numbers::<4>("rotation")? {
            None => body.rotation,
            Some([x, y, z, w]) => DQuat::from_xyzw(x, y, z, w),
        };
        if Pose::new(position, rotation).is_err() {
            return key.refuse("rotation", "must be a quaternion [x, y, z, w] of length 1; normalise it");
        }
        key.finish()?;
        path.keys.push(PathKey { time, position, rotation: rotation.normalize() });
    }
    Ok(Some(path))
}

/// A character, with the kinematic body that goes with it.
fn character(
    keys: &mut Keys,
    shapes: &mut Shapes<'_>,
    groups: &mut Groups,
) -> Result<(RigidBody, Character, Vec<Order>)> {
    let Some(name) = keys.text("name")? else {
        return keys.refuse("name", "is missing; every character needs one");
    };
    keys.rename(format!("character \"{name}\""));
    let shape = shapes.take(keys)?;
    let position = keys.vector("position")?.unwrap_or(DVec3::ZERO);
    let filter = filter(keys, groups)?;
    let mut made = Character::new(shape.clone()).filter(filter);
    if let Some(up) = keys.vector("up")? {
        made = made.up(up);
    }
    for (key, set) in SIZES {
        made = keys.number(key)?.map_or(made.clone(), |value| set(made, value));
    }
    let (mass, push) = (keys.number("mass")?.unwrap_or(80.0), keys.number("push")?.unwrap_or(500.0));
    let made = made.push(mass, push).at(position);
    let mut orders: Vec<Order> = Vec::new();
    for (i, table) in tables(keys.take("walk"), "walk")?.into_iter().enumerate() {
        let mut order = Keys::new(keys.path(&format!("walk {}", i + 1)), table);
        let (time, jump) = (order.number("time")?.unwrap_or(0.0), order.number("jump")?.unwrap_or(0.0));
        if orders.last().is_some_and(|last| last.time >= time) {
            return order.refuse("time", "must be later than that before");
        }
        let before = orders.last().map_or(DVec3::ZERO, |last| last.velocity);
        let velocity = order.vector("velocity")?.unwrap_or(before);
        order.finish()?;
        orders.push(Order { time, velocity, jump });
    }
    let body = RigidBody { kind: BodyType::Kinematic, position, filter, ..RigidBody::new(name, shape) };
    Ok((body, made, orders))
}

/// What sets a length or an angle of a character.
type Size = fn(Character, f64) -> Character;

/// Sizes of characters by their keys.
const SIZES: [(&str, Size); 4] = [
    ("max_slope", Character::max_slope),
    ("step_height", Character::step_height),
    ("snap", Character::snap),
    ("skin", Character::skin),
];

/// How a coefficient is combined with that of another body.
fn combine(keys: &mut Keys, key: &'static str) -> Result<Option<Combine>> {
    let Some(name) = keys.text(key)? else { return Ok(None) };
    match Combine::ALL.into_iter().find(|(known, _)| *known == name) {
        Some((_, rule)) => Ok(Some(rule)),
        None => {
            let known = Combine::ALL.map(|(known, _)| known).join(", ");
            keys.refuse(key, &format!("\"{name}\" is unknown; known are {known}"))
        }
    }
}

/// The shapes of a file so far, by how they are written, and the files of meshes that they name.
struct Shapes<'p> {
    folder: &'p FilePath,
    bodies: HashMap<String, Body>,
    models: HashMap<String, Model>,
}

impl<'p> Shapes<'p> {
    fn new(folder: &'p FilePath) -> Self {
        Self { folder, bodies: HashMap::new(), models: HashMap::new() }
    }

    fn take(&mut self, keys: &mut Keys) -> Result<Body> {
        let Some(value) = keys.take("shape") else {
            return keys.refuse("shape", "is missing; such as { sphere = 0.5 }");
        };
        if !is_finite(&value) {
            return keys.refuse("shape", "holds a number that is not finite");
        }
        let made =
            serde_json::to_string(&value).map_err(|error| error.to_string()).and_then(|json| self.body(json));
        made.or_else(|problem| keys.refuse("shape", &problem))
    }

    fn body(&mut self, json: String) -> std::result::Result<Body, String> {
        if let Some(known) = self.bodies.get(&json) {
            return Ok(known.clone());
        }
        let spec = ShapeSpec::parse(&json).map_err(|error| error.to_string())?;
        let load = |file: &str, part: Option<&str>| self.mesh(file, part).map_err(|error| error.to_string());
        let body = Body::new(spec.shape(load).map_err(|error| error.to_string())?);
        self.bodies.insert(json, body.clone());
        Ok(body)
    }

    /// The mesh of a file, or of one part of it.
    fn mesh(&mut self, file: &str, part: Option<&str>) -> std::result::Result<Arc<Mesh>, FormatError> {
        let path = self.folder.join(file);
        let model = match self.models.entry(file.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(sudar_formats::read(&path)?),
        };
        mesh_of(model, &path, part)
    }
}

/// The mesh of a file, or of one part of it.
pub fn mesh(path: &FilePath, part: Option<&str>) -> std::result::Result<Arc<Mesh>, FormatError> {
    mesh_of(&sudar_formats::read(path)?, path, part)
}

fn mesh_of(
    model: &Model,
    path: &FilePath,
    part: Option<&str>,
) -> std::result::Result<Arc<Mesh>, FormatError> {
    let mesh = match part {
        Some(part) => model.mesh_named(part),
        None => model.merged().map(Arc::new),
    };
    mesh.map_err(|cause| FormatError { file: path.display().to_string(), cause })
}

fn matter(keys: &mut Keys, body: &RigidBody) -> Result<MassSpec> {
    let (density, mass) = (keys.number("density")?, keys.number("mass")?);
    let (inertia, center) = (keys.numbers::<6>("inertia")?, keys.vector("center")?);
    if density.is_some() && mass.is_some() {
        return keys.refuse("mass", "stands beside a density; give one of them");
    }
    if center.is_some() && inertia.is_none() {
        return keys.refuse("center", "needs `mass` and `inertia` beside it");
    }
    for (key, value) in [("density", density), ("mass", mass)] {
        if let Some(value) = value.filter(|value| *value <= 0.0) {
            return keys.refuse(key, &format!("must be above 0, found {value}"));
        }
    }
    match (density, mass, inertia) {
        (Some(density), _, None) => Ok(MassSpec::Density(density)),
        (None, Some(mass), None) => Ok(MassSpec::Mass(mass)),
        (None, None, None) => Ok(body.matter),
        (_, None, Some(_)) => keys.refuse("inertia", "needs `mass` beside it, and no density"),
        (_, Some(mass), Some([xx, yy, zz, xy, yz, zx])) => {
            let inertia =
                DMat3::from_cols(DVec3::new(xx, xy, zx), DVec3::new(xy, yy, yz), DVec3::new(zx, yz, zz));
            let measured = || mass_properties(body.body.shape()).map_or(DVec3::ZERO, |mass| mass.center);
            Ok(MassSpec::Given { mass, inertia, center: center.unwrap_or_else(measured) })
        }
    }
}

fn event(mut keys: Keys) -> Result<Explosion> {
    match keys.text("kind")?.as_deref() {
        Some("explosion") => {}
        Some(other) => return keys.refuse("kind", &format!("\"{other}\" is unknown; there is explosion")),
        None => return keys.refuse("kind", "is missing; there is explosion"),
    }
    let mut needed = |key: &'static str| match keys.number(key)? {
        Some(number) => Ok(number),
        None => keys.refuse(key, "is missing"),
    };
    let (time, impulse, radius) = (needed("time")?, needed("impulse")?, needed("radius")?);
    let position = keys.vector("position")?.unwrap_or(DVec3::ZERO);
    if time < 0.0 {
        return keys.refuse("time", &format!("must be 0 or more, found {time}"));
    }
    if radius <= 0.0 {
        return keys.refuse("radius", &format!("must be above 0, found {radius}"));
    }
    keys.finish()?;
    Ok(Explosion { time, position, impulse, radius })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        let read = parse(text, FilePath::new(".")).and_then(|scene| Ok(scene.world().map(|_| ())?));
        read.unwrap_err().to_string()
    }

    const BALL: &str = "[[body]]\nname = 'ball'\nshape = { sphere = 0.5 }\n";

    #[test]
    fn what_is_not_said_has_its_default() {
        let scene = parse(BALL, FilePath::new(".")).unwrap();
        assert_eq!((scene.step, scene.settings.response.name()), (1.0 / 60.0, "solver"));
        let body = &scene.bodies[0];
        assert_eq!(
            (body.kind, body.friction, body.restitution, body.filter.category),
            (BodyType::Dynamic, 0.5, 0.0, u32::MAX)
        );
        assert!(scene.world().is_ok());
    }

    #[test]
    fn sensors_belts_and_rules_are_read_and_what_they_are_not_is_said() {
        let text = format!(
            "{BALL}sensor = true\n[[body]]\nname = 'belt'\nkind = 'static'\nshape = {{ box = [1, 1, 1] }}\n\
             surface_velocity = [1, 0, 0]\nfriction_rule = 'min'\nrestitution_rule = 'geometric_mean'\n\
             one_way = [0, 0, 1]\nposition = [0, 0, -9]\n"
        );
        let scene = parse(&text, FilePath::new(".")).unwrap();
        let [ball, belt] = &scene.bodies[..] else { panic!("{:?}", scene.bodies) };
        assert!(ball.sensor && ball.contact_rule.is_none() && ball.friction_rule.is_none());
        assert_eq!((belt.surface_velocity, belt.friction_rule), (DVec3::X, Some(Combine::Min)));
        assert!(belt.restitution_rule == Some(Combine::GeometricMean) && belt.contact_rule.is_some());
        assert!(scene.world().is_ok());
        for (line, words) in [
            ("sensor = 1", "sensor: must be true or false"),
            ("friction_rule = 'least'", "\"least\" is unknown; known are geometric_mean, average, min"),
            ("one_way = [0, 0, 0]", "one_way: must be the direction"),
            ("surface_velocity = [nan, 0, 0]", "surface_velocity"),
        ] {
            let problem = refusal(&format!("{BALL}{line}\n"));
            assert!(problem.contains(words), "{line}: {problem}");
        }
    }

    #[test]
    fn fields_soft_contacts_groups_by_name_paths_and_characters_are_read() {
        let text = format!(
            "{BALL}group = 'ball'\nmask = ['floor', 'ball']\ncontact_softness = {{ hertz = 3, damping_ratio = 0.5 }}\n\
             [[body]]\nname = 'wind'\nkind = 'static'\nsensor = true\nshape = {{ box = [1, 1, 1] }}\n\
             field = {{ acceleration = [0, 0, 12], drag = 0.5 }}\ngroup = 'wind'\n\
             [[body]]\nname = 'lift'\nkind = 'kinematic'\nshape = {{ box = [1, 1, 0.1] }}\ngroup = 'floor'\n\
             path = [{{ time = 0, position = [5, 0, 0] }}, {{ time = 2, position = [5, 0, 4] }}]\npath_end = 'back'\n\
             [[character]]\nname = 'hero'\nshape = {{ capsule = [0.3, 0.5] }}\nposition = [0, 0, 1]\nmax_slope = 0.7\n\
             walk = [{{ velocity = [1, 0, 0] }}, {{ time = 1, jump = 4 }}]\n"
        );
        let scene = parse(&text, FilePath::new(".")).unwrap();
        let [ball, wind, lift, hero] = &scene.bodies[..] else { panic!("{:?}", scene.bodies) };
        assert_eq!([ball, wind, lift, hero].map(|body| body.filter.category), [1, 4, 2, !0]);
        assert_eq!([ball, wind].map(|body| body.filter.mask), [3, !0]);
        assert_eq!(ball.contact_softness, Softness::Frequency { hertz: 3.0, damping_ratio: 0.5 });
        assert_eq!(wind.field.map(|field| (field.acceleration.z, field.drag)), Some((12.0, 0.5)));
        let path = &scene.actors.paths[0];
        assert_eq!([0.0, 1.0, 2.0, 3.0, 5.0].map(|time| path.at(time).0.z), [0.0, 2.0, 4.0, 2.0, 2.0]);
        let actor = &scene.actors.characters[0];
        assert_eq!((hero.kind, actor.body, actor.orders.len()), (BodyType::Kinematic, 3, 2));
        assert_eq!((actor.orders[1].velocity, actor.orders[1].jump), (DVec3::X, 4.0));
        let lifted = "[[body]]\nname = 'a'\nkind = 'kinematic'\nshape = { sphere = 1 }\n";
        let walker = "[[character]]\nname = 'a'\nshape = { sphere = 1 }\n";
        for (text, words) in [
            (format!("{BALL}field = {{ drag = 1 }}\n"), "sensor"),
            (
                format!("{BALL}field = {{ drags = 1 }}\n"),
                "body \"ball\": field: drags: unknown key; known are",
            ),
            (format!("{BALL}contact_softness = {{ damping = 1 }}\n"), "contact_softness: hertz: is needed"),
            (format!("{BALL}contact_softness = {{ hertz = 0 }}\n"), "contact_softness"),
            (format!("{BALL}group = 1\nmask = 'wall'\n"), "by numbers in one place and by names"),
            (format!("{BALL}group = [1]\n"), "names of groups"),
            (format!("{BALL}group = {:?}\n", (0..33).map(|k| k.to_string()).collect::<Vec<_>>()), "too many"),
            (format!("{BALL}path = [{{ time = 0 }}]\n"), "kinematic"),
            (format!("{lifted}path = [{{ time = 0 }}, {{ time = 0 }}]\n"), "path 2: time: must be later"),
            (format!("{lifted}path = [{{ time = 0, rotation = [1, 1, 0, 0] }}]\n"), "length 1"),
            (format!("{lifted}path = [{{ time = 0 }}]\npath_end = 'turn'\n"), "known are stay, loop, back"),
            (format!("{walker}speed = 1\n"), "character \"a\": speed: unknown key"),
            (format!("{lifted}{walker}"), "character \"a\": name: another body has this name"),
            (format!("{walker}walk = [{{ time = 1 }}, {{ time = 0 }}]\n"), "walk 2: time: must be later"),
        ] {
            let problem = refusal(&text);
            assert!(problem.contains(words), "{text}: {problem}");
        }
    }

    /// Names were compared with all before: 30 000 bodies took 3 s, so many would take half a minute at least.
    #[test]
    fn a_scene_of_many_bodies_is_read_in_linear_time() {
        let start = std::time::Instant::now();
        let count = 100_000;
        let line = |i: u32| {
            let [x, y, z] = [i % 50, i / 50 % 50, i / 2500];
            format!("[[body]]\nname = 'b{i}'\nshape = {{ sphere = 0.4 }}\nposition = [{x}, {y}, {z}]\n")
        };
        let text: String = (0..count).map(line).collect();
        let scene = by_bodies(&text, FilePath::new(".")).unwrap();
        assert_eq!(scene.into_world().unwrap().bodies().count(), count as usize);
        assert!(start.elapsed().as_secs_f64() < 15.0, "{:?}", start.elapsed());
        let twice =
            parse(&format!("{text}{}", line(7)), FilePath::new(".")).map(drop).unwrap_err().to_string();
        assert!(twice.starts_with("body \"b7\": name: another body"), "{twice}");
    }

    #[test]
    fn bodies_one_by_one_are_those_of_the_whole() {
        let (ball, second) = (BALL, BALL.replace("ball", "second"));
        let event = "[[event]]\nkind = 'explosion'\ntime = 1\nimpulse = 1\nradius = 1\n";
        let plain = [
            String::new(),
            format!("{ball}{second}"),
            format!(
                "# two\r\n{ball}\n[[body]] # second\nname = 's'\n[body.shape]\nsphere = 1\n[world]\nstep = 1\n"
            ),
            format!(
                "[world]\nstep = 0.5\n{ball}  [[body]]\nname = 's'\nshape = {{ sphere = 1 }}\n{second}{event}{event}"
            ),
        ];
        // Their shapes, as each scene has bodies of its own.
        let said = |scene: &Scene| {
            let bodies: Vec<_> = scene.bodies.iter().map(|body| (&body.name, body.body.shape())).collect();
            format!("{} {bodies:?} {:?}", scene.step, scene.explosions)
        };
        for text in plain {
            let [parts, whole] =
                [by_bodies(&text, FilePath::new(".")).unwrap(), whole(&text, FilePath::new(".")).unwrap()];
            assert_eq!(said(&parts), said(&whole), "{text}");
        }
        // Each is read in the whole: a header inside a text, lists that go on, bodies before the first header.
        let long = format!("{ball}[[body]]\nname = '''\n{ball}'''\nshape = {{ sphere = 1 }}\n");
        let other = format!("{event}{ball}{event}{second}");
        let list = "body = [{ name = 'a', shape = { sphere = 1 } }]\n".to_owned();
        for (text, bodies) in [(long, 2), (other, 2), (list, 1), (format!("  {ball}{second}"), 2)] {
            assert!(by_bodies(&text, FilePath::new(".")).is_none(), "{text}");
            assert_eq!(parse(&text, FilePath::new(".")).unwrap().bodies.len(), bodies, "{text}");
        }
        // Errors are those of the whole: that of the form before that of a value, each in its line.
        let late = format!("[[body]]\nname = 1\n{ball}mass = [\n{ball}");
        assert!(refusal(&late).starts_with("line 8: "), "{}", refusal(&late));
        assert!(refusal(&format!("{list}{ball}", list = "body = []\n")).starts_with("line 2: "));
        assert!(
            refusal(&format!("{ball}[world]\nstep = 1\n{second}[world]\nstep = 1\n")).starts_with("line 9: ")
        );
    }

    #[test]
    fn bodies_of_equal_shape_share_it_and_a_file_is_read_once() {
        let folder = std::env::temp_dir().join(format!("sudar-scene-shapes-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let part = |name: &str, x: f64| format!("o {name}\nv {x} 0 0\nv {x} 1 0\nv {x} 0 1\n");
        let [one, two] = [part("one", 0.0), part("two", 1.0)];
        std::fs::write(folder.join("m.obj"), format!("{one}f 1 2 3\n{two}f 4 5 6\n")).unwrap();
        let body = |name: &str, shape: &str| {
            format!("[[body]]\nname = '{name}'\nkind = 'static'\nshape = {shape}\n")
        };
        let (one, two) = ("{ mesh = 'm.obj', part = 'one' }", "{ mesh = 'm.obj', part = 'two' }");
        let text = [("a", one), ("b", two), ("c", one)].map(|(name, shape)| body(name, shape)).concat();
        let scene = parse(&text, &folder).unwrap();
        let mut shapes = Shapes::new(&folder);
        assert!(shapes.mesh("m.obj", Some("one")).is_ok());
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(shapes.mesh("m.obj", Some("two")).is_ok() && shapes.mesh("n.obj", None).is_err());
        let mesh = |i: usize| {
            let sudar::Shape::Mesh(mesh) = scene.bodies[i].body.shape() else { panic!("no mesh") };
            Arc::clone(mesh)
        };
        assert!(Arc::ptr_eq(&mesh(0), &mesh(2)));
        assert_eq!((mesh(0).vertices()[0].x, mesh(1).vertices()[0].x), (0.0, 1.0));
    }

    #[test]
    fn the_detection_goes_with_every_response_but_the_solver() {
        for response in ["reflection", "momentum", "mtv", "spring", "impulse", "simultaneous"] {
            for detection in Detection::ALL {
                let text =
                    format!("[world]\nresponse = '{response}'\ndetection = '{}'\n{BALL}", detection.name());
                let scene = parse(&text, FilePath::new(".")).unwrap();
                let parameters = scene.settings.response.parameters();
                assert_eq!(
                    parameters.contains(detection.name()),
                    detection != Detection::Continuous,
                    "{text}"
                );
            }
        }
        assert!(parse("[world]\ndetection = 'continuous'\n", FilePath::new(".")).is_ok());
        let solver = refusal("[world]\ndetection = 'sampled'\n");
        assert!(
            solver.starts_with("world: detection: \"solver\" takes no detection but continuous"),
            "{solver}"
        );
        let unknown = refusal("[world]\ndetection = 'swept'\n");
        let known = "\"swept\" is unknown; known are static, sampled, bisected, continuous";
        assert_eq!(unknown, format!("world: detection: {known}"));
    }

    #[test]
    fn every_error_names_the_body_and_the_key() {
        let cases = [
            ("mas = 1", "body \"ball\": mas: unknown key; known are"),
            ("mass = 0", "body \"ball\": mass: must be above 0"),
            ("density = -1.0", "body \"ball\": density: must be above 0"),
            ("density = 1\nmass = 1", "body \"ball\": mass: stands beside"),
            ("position = [0, 0]", "body \"ball\": position: must be a list of 3 numbers, found 2"),
            ("position = [0, 0, nan]", "body \"ball\": position: must be finite"),
            ("velocity = 'fast'", "body \"ball\": velocity: must be a list of 3 numbers, found a text"),
            ("restitution = 1.5", "body \"ball\": restitution: must be from 0 to 1"),
            ("friction = -0.1", "body \"ball\": friction: must be 0 or more"),
            ("rotation = [0, 0, 0, 2]", "body \"ball\": rotation: must be a quaternion"),
            ("kind = 'fixed'", "body \"ball\": kind: \"fixed\" is unknown"),
            ("group = -1", "body \"ball\": group: must be a whole number"),
            ("inertia = [1, 1, 1, 0, 0, 0]", "body \"ball\": inertia: needs `mass`"),
            ("mass = 1\ninertia = [1, 1, 3, 0, 0, 0]", "body \"ball\": inertia: the principal moment 3"),
            ("mass = 1\ninertia = [1, 1, 1, 2, 0, 0]", "body \"ball\": inertia: must be positive definite"),
        ];
        for (line, expected) in cases {
            let found = refusal(&format!("{BALL}{line}\n"));
            assert!(found.starts_with(expected), "{line}: {found}");
        }
        let twice = refusal(&format!("{BALL}{BALL}"));
        assert!(twice.starts_with("body \"ball\": name: another body"), "{twice}");
        assert!(refusal("[[body]]\nshape = { sphere = 1 }\n").starts_with("body 1: name: is missing"));
        assert!(refusal("[[body]]\nname = 'a'\nshape = { ball = 1 }\n").starts_with("body \"a\": shape: "));
        assert!(
            refusal("[[body]]\nname = 'a'\nshape = { sphere = nan }\n").starts_with("body \"a\": shape: ")
        );
        assert!(refusal("[[body]]\nname = 'a'\nshape = { mesh = 'none.obj' }\n").contains("none.obj"));
        let flat = "[[body]]\nname = 'a'\nshape = { segment = [[0, 0, 0], [1, 0, 0]] }\n";
        assert!(refusal(flat).starts_with("body \"a\": shape: "), "{}", refusal(flat));
        assert!(
            parse(&format!("{flat}mass = 1\ninertia = [0.1, 1, 1, 0, 0, 0]\n"), FilePath::new("."))
                .unwrap()
                .world()
                .is_ok()
        );
        let plane = "[[body]]\nname = 'a'\nshape = { halfspace = [0, 0, 1, 0] }\n";
        assert!(refusal(plane).starts_with("body \"a\": kind: "), "{}", refusal(plane));
    }

    #[test]
    fn settings_are_checked_by_key() {
        assert!(refusal("[world]\nstep = 0\n").starts_with("world: step: must be above 0"));
        assert!(
            refusal("[world]\nresponse = 'magic'\n").starts_with("world: response: \"magic\" is unknown")
        );
        assert!(refusal("[world]\ngravit = 1\n").starts_with("world: gravit: unknown key"));
        let inverted = "[world]\nbounds = { min = [0, 0, 0], max = [1, -1, 1] }\n";
        assert!(refusal(inverted).starts_with("world: bounds: min: must be below max"));
        let beyond = format!(
            "[world]\nbounds = {{ min = [-5, -5, -5], max = [5, 5, 5] }}\n{BALL}position = [4.6, 0, 0]\n"
        );
        assert!(refusal(&beyond).starts_with("body \"ball\": position: "), "{}", refusal(&beyond));
        assert!(
            refusal("[[event]]\nkind = 'explosion'\ntime = 1\nimpulse = 1\n")
                .starts_with("event 1: radius: is missing")
        );
        assert!(refusal("[world\n").starts_with("line 1: "));
        assert!(refusal("[[world]]\n").starts_with("world: must be a table"));
    }
}
