//! Rigid bodies that fall, fly and bounce.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sudar::Ray;
use sudar::dynamics::{
    BodyType, Character, Combine, ContactRule, Filter, ForceField, Handle, JointHandle, MassSpec, Recording,
    Replay, RigidBody, Seek, Settings, Softness, TouchPhase, World,
};
use sudar::glam::{DQuat, DVec3};
use sudar::motion::Motion;
use sudar::query::SweepOptions;
use sudar_scene::Actors;

use crate::arrays::{Columns, points};
use crate::body::{PyBody, matrices, refused};
use crate::call::{Control, watched};
use crate::input::{Numbers, Poses, number, point};
use crate::pairs::sweeps;
use crate::single::ray_hits;

/// A world whose bodies are known by their places in the order in which they were added.
#[pyclass(name = "World", module = "sudar._core", frozen)]
pub struct PyWorld {
    state: Mutex<State>,
}

struct State {
    world: World,
    handles: Vec<Handle>,
    /// By handle.
    places: HashMap<Handle, usize>,
    step: f64,
    /// What moves by a plan of the scene.
    actors: Actors,
}

impl State {
    fn new(world: World, handles: Vec<Handle>, step: f64) -> Self {
        let places = handles.iter().enumerate().map(|(place, handle)| (*handle, place)).collect();
        Self { world, handles, places, step, actors: Actors::default() }
    }

    fn add(&mut self, rigid: RigidBody) -> PyResult<usize> {
        let (handle, place) = (self.world.add(rigid).map_err(refused)?, self.handles.len());
        self.handles.push(handle);
        self.places.insert(handle, place);
        Ok(place)
    }

    fn handle(&self, body: usize) -> PyResult<Handle> {
        self.handles
            .get(body)
            .copied()
            .ok_or_else(|| PyValueError::new_err(format!("there is no body {body}")))
    }

    fn joint(&self, number: u32) -> PyResult<JointHandle> {
        let found = self.world.joints().map(|(joint, _)| joint).find(|joint| joint.index() == number);
        found.ok_or_else(|| {
            PyValueError::new_err(format!("there is no joint {number}; it was removed, or broke"))
        })
    }

    /// What a search is about.
    fn seek(&self, (category, mask, without): &Sought) -> PyResult<impl Seek<RigidBody> + use<>> {
        let left_out = without.iter().map(|place| self.handle(*place)).collect::<PyResult<Vec<_>>>()?;
        let mut filter = Filter::new(*category, *mask);
        Ok(move |handle: Handle, body: &RigidBody| filter.wants(handle, body) && !left_out.contains(&handle))
    }

    /// The place of a body in the order of the package; −1 for a wall.
    fn place(&self, handle: Option<Handle>) -> i64 {
        handle.and_then(|handle| self.places.get(&handle)).map_or(-1, |place| *place as i64)
    }
}

/// Coordinates, anchors, gap and twist, force and torque.
type JointNumbers = ([f64; 6], [[f64; 3]; 2], [f64; 2], [[f64; 3]; 2]);

/// Category and mask of a search, and the places of bodies that it leaves out.
type Sought = (u32, u32, Vec<usize>);

impl PyWorld {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyWorld {
    /// An empty world; `response` is the name of how contacts are answered.
    #[new]
    fn new(gravity: &Bound<'_, PyAny>, response: &str, substeps: u32) -> PyResult<Self> {
        let response = sudar_classic::response(response).map_err(refused)?;
        let settings =
            Settings { gravity: point(gravity, "gravity")?, response, substeps, ..Settings::default() };
        let world = World::new(settings).map_err(refused)?;
        Ok(Self { state: Mutex::new(State::new(world, Vec::new(), 1.0 / 60.0)) })
    }

    /// The world of a scene file, or of a built-in scene, and the names of its bodies.
    #[staticmethod]
    fn load(py: Python<'_>, scene: std::path::PathBuf) -> PyResult<(Self, Vec<String>, f64)> {
        let (world, step, actors) = py.detach(|| {
            let mut scene = sudar_scene::read(&scene).map_err(|why| refused(&why))?;
            let (step, mut actors) = (scene.step, std::mem::take(&mut scene.actors));
            let world = scene.into_world().map_err(|why| refused(&why))?;
            actors.bind(&world);
            Ok::<_, PyErr>((world, step, actors))
        })?;
        let (handles, names) = world.bodies().map(|(handle, body)| (handle, body.name.clone())).unzip();
        let state = State { actors, ..State::new(world, handles, step) };
        Ok((Self { state: Mutex::new(state) }, names, step))
    }

    /// Adds a body and gives its place.
    #[pyo3(signature = (name, body, kind, settings))]
    fn add(
        &self,
        py: Python<'_>,
        name: String,
        body: &Bound<'_, PyBody>,
        kind: &str,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<usize> {
        let mut rigid = RigidBody::new(name, body.get().body.clone());
        rigid.kind = match kind {
            "dynamic" => BodyType::Dynamic,
            "static" => BodyType::Static,
            "kinematic" => BodyType::Kinematic,
            other => {
                return Err(PyValueError::new_err(format!(
                    "kind: must be 'dynamic', 'static' or 'kinematic', not {other:?}"
                )));
            }
        };
        for (name, value) in settings {
            set(&mut rigid, &name.extract::<String>()?, &value)?;
        }
        py.detach(|| self.lock().add(rigid))
    }

    /// Adds a joint, whose properties are JSON in the words of scene files, between bodies of these names; its number.
    fn join(&self, py: Python<'_>, properties: &str, names: HashMap<String, usize>) -> PyResult<u32> {
        py.detach(|| {
            let mut state = self.lock();
            let joint = sudar_scene::parse_joint(properties, &names).map_err(|why| refused(&why))?;
            let joint = joint.of(&state.handles);
            Ok(state.world.join(joint).map_err(refused)?.index())
        })
    }

    /// Removes a joint.
    fn unjoin(&self, py: Python<'_>, joint: u32) -> PyResult<()> {
        py.detach(|| {
            let mut state = self.lock();
            let joint = state.joint(joint)?;
            state.world.unjoin(joint).map_err(refused)
        })
    }

    /// Changes what is not None of a joint: motor, target, limits, steering, friction, anchor.
    fn change_joint(
        &self,
        py: Python<'_>,
        joint: u32,
        numbers: [Option<f64>; 4],
        limits: Option<[f64; 2]>,
        anchor: Option<[f64; 3]>,
    ) -> PyResult<()> {
        py.detach(|| {
            let mut state = self.lock();
            let joint = state.joint(joint)?;
            let mut joint = state.world.joint_mut(joint).map_err(refused)?;
            let [motor, target, steering, friction] = numbers;
            motor.map_or(Ok(()), |speed| joint.set_motor(speed)).map_err(refused)?;
            target.map_or(Ok(()), |target| joint.set_target(target)).map_err(refused)?;
            steering.map_or(Ok(()), |angle| joint.set_steering(angle)).map_err(refused)?;
            friction.map_or(Ok(()), |force| joint.set_friction(force)).map_err(refused)?;
            limits.map_or(Ok(()), |[lower, upper]| joint.set_limits(lower, upper)).map_err(refused)?;
            anchor.map_or(Ok(()), |point| joint.set_anchor(DVec3::from_array(point))).map_err(refused)
        })
    }

    /// Coordinates, anchors, gap and twist, force and torque of a joint.
    fn joint_state(&self, py: Python<'_>, joint: u32) -> PyResult<JointNumbers> {
        py.detach(|| {
            let state = self.lock();
            let found = state.world.joint_state(state.joint(joint)?).map_err(refused)?;
            let points = found.points.map(|point| point.to_array());
            let bears = [found.force, found.torque].map(|vector| vector.to_array());
            Ok((found.coordinates, points, [found.gap, found.twist], bears))
        })
    }

    /// The numbers of all joints.
    fn joints(&self, py: Python<'_>) -> Vec<u32> {
        py.detach(|| self.lock().world.joints().map(|(joint, _)| joint.index()).collect())
    }

    /// Steps of so many seconds each: pairs that touched in the last of them (−1 for a wall), whether that began (0),
    /// lasts (1) or ended (2), and the impulses.
    #[pyo3(signature = (seconds, steps, control))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        seconds: f64,
        steps: usize,
        control: Option<Control<'py>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let found = watched(py, &control.unwrap_or_default(), Some(steps), |flag, done| {
            let mut state = self.lock();
            let mut report = None;
            for i in 0..steps {
                if flag.load(std::sync::atomic::Ordering::Relaxed) {
                    break;
                }
                let State { world, actors, .. } = &mut *state;
                actors.act(world, seconds).map_err(refused)?;
                report = Some(world.step(seconds).map_err(refused)?);
                done.store(i + 1, std::sync::atomic::Ordering::Relaxed);
            }
            let touches = report.map(|report| report.touches).unwrap_or_default();
            let place = |handle| state.place(handle);
            Ok::<_, PyErr>(
                touches.iter().map(|t| (place(t.a), place(t.b), t.phase, t.impulse)).collect::<Vec<_>>(),
            )
        })??;
        let code = |phase| match phase {
            TouchPhase::Began => 0,
            TouchPhase::Lasts => 1,
            TouchPhase::Ended => 2,
        };
        Columns::default()
            .whole(found.iter().map(|touch| touch.0))
            .whole(found.iter().map(|touch| touch.1))
            .code(found.iter().map(|touch| code(touch.2)))
            .float(found.iter().map(|touch| touch.3))
            .into_tuple(py, &[found.len()])
    }

    /// The poses of all bodies (n, 4, 4).
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let poses = py.detach(|| {
            let state = self.lock();
            let pose = |handle: &Handle| state.world.pose(*handle).map_err(refused);
            state.handles.iter().map(pose).collect::<PyResult<Vec<_>>>()
        })?;
        matrices(py, &poses)
    }

    /// Velocities of the centres of mass and angular velocities, (n, 3) each.
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let found = py.detach(|| {
            let state = self.lock();
            let motion = |handle: &Handle| state.world.motion(*handle).map_err(refused);
            state.handles.iter().map(motion).collect::<PyResult<Vec<_>>>()
        })?;
        let list = |get: fn(&sudar::dynamics::BodyState) -> DVec3| found.iter().map(get).collect::<Vec<_>>();
        let (straight, turning) = (list(|m| m.velocity), list(|m| m.angular_velocity));
        Ok((points(py, &straight)?.into_any(), points(py, &turning)?.into_any()))
    }

    /// What the bodies do now, as JSON.
    fn snapshot(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| serde_json::to_string(&self.lock().world.snapshot())).map_err(refused)
    }

    /// Puts the bodies where a snapshot of a world of the same bodies has them.
    fn restore(&self, py: Python<'_>, snapshot: &str) -> PyResult<()> {
        py.detach(|| {
            let snapshot =
                serde_json::from_str(snapshot).map_err(|why| refused(format!("snapshot: {why}")))?;
            self.lock().world.restore(&snapshot).map_err(refused)
        })
    }

    /// The shape of a body.
    fn body(&self, py: Python<'_>, place: usize) -> PyResult<PyBody> {
        py.detach(|| {
            let state = self.lock();
            let handle = state.handle(place)?;
            let found = state.world.bodies().find(|(known, _)| *known == handle);
            let body =
                found.map(|(_, rigid)| rigid.body.clone()).ok_or_else(|| refused("there is no such body"))?;
            Ok(PyBody { body })
        })
    }

    fn apply_impulse(
        &self,
        py: Python<'_>,
        place: usize,
        impulse: &Bound<'_, PyAny>,
        at: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (impulse, at) = (point(impulse, "impulse")?, point(at, "point")?);
        py.detach(|| {
            let mut state = self.lock();
            let handle = state.handle(place)?;
            state.world.apply_impulse(handle, impulse, at).map_err(refused)
        })
    }

    /// The bodies on a ray by their places, in its order, with parameters, points, normals and features.
    fn ray_all<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'py, PyAny>,
        direction: &Bound<'py, PyAny>,
        most: f64,
        seek: Sought,
    ) -> PyResult<(Vec<i64>, Bound<'py, PyTuple>)> {
        number("max", most)?;
        let ray = Ray::new(point(origin, "origin")?, point(direction, "direction")?).map_err(refused)?;
        let (places, hits): (Vec<_>, Vec<_>) = py.detach(|| {
            let state = self.lock();
            let hits = state.world.ray_all(&ray, most, state.seek(&seek)?).into_iter();
            Ok::<_, PyErr>(hits.map(|(handle, hit)| (state.place(Some(handle)), hit)).unzip())
        })?;
        Ok((places, ray_hits(&hits).into_tuple(py, &[hits.len()])?))
    }

    /// The bodies by their places that are in a sensor since the last step.
    fn inside(&self, py: Python<'_>, place: usize) -> PyResult<Vec<i64>> {
        py.detach(|| {
            let state = self.lock();
            let found = state.world.inside(state.handle(place)?).map_err(refused)?;
            Ok(found.into_iter().map(|handle| state.place(Some(handle))).collect())
        })
    }

    /// Begins to record what is done to the world.
    fn record(&self) {
        self.lock().world.record();
    }

    /// Ends the recording; None where none was begun.
    fn stop_recording(&self) -> Option<PyRecording> {
        let recording = self.lock().world.stop_recording();
        recording.map(|recording| PyRecording { recording: Arc::new(recording) })
    }

    /// Moves a kinematic body such that it is at a pose after a step of so many seconds.
    fn move_to(
        &self,
        py: Python<'_>,
        place: usize,
        pose: Option<&Bound<'_, PyAny>>,
        seconds: f64,
    ) -> PyResult<()> {
        let pose = Poses::one(pose, "pose")?;
        py.detach(|| {
            let mut state = self.lock();
            let handle = state.handle(place)?;
            state.world.move_to(handle, &pose, seconds).map_err(refused)
        })
    }

    /// The bodies by their places that one more body touches.
    fn touching(
        &self,
        py: Python<'_>,
        body: &Bound<'_, PyBody>,
        pose: Option<&Bound<'_, PyAny>>,
        seek: Sought,
    ) -> PyResult<Vec<i64>> {
        let (body, pose) = (&body.get().body, Poses::one(pose, "pose")?);
        py.detach(|| {
            let state = self.lock();
            let found = state.world.touching(body.at(&pose), state.seek(&seek)?);
            Ok(found.into_iter().map(|handle| state.place(Some(handle))).collect())
        })
    }

    /// The first body by its place that a moving body meets while the world stands still, and when, or None.
    fn sweep<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyBody>,
        poses: [Option<Bound<'py, PyAny>>; 2],
        delta: f64,
        seek: Sought,
    ) -> PyResult<Option<(i64, Bound<'py, PyTuple>)>> {
        number("delta", delta)?;
        let body = &body.get().body;
        let [pose, end] = &poses;
        let motion =
            Motion::between(&Poses::one(pose.as_ref(), "pose")?, &Poses::one(end.as_ref(), "pose_end")?);
        let found = py.detach(|| {
            let state = self.lock();
            let found =
                state.world.sweep(body.moving(&motion), state.seek(&seek)?, &SweepOptions::within(delta));
            Ok::<_, PyErr>(found.map(|(handle, sweep)| (state.place(Some(handle)), sweep)))
        })?;
        found.map(|(place, sweep)| Ok((place, sweeps(&[sweep]).into_tuple(py, &[])?))).transpose()
    }

    /// Kinetic and potential energy in joules, momentum and angular momentum.
    fn energy(&self, py: Python<'_>) -> (f64, f64, [f64; 3], [f64; 3]) {
        let found = py.detach(|| self.lock().world.energy());
        (found.kinetic, found.potential, found.momentum.to_array(), found.angular_momentum.to_array())
    }

    /// Seconds since the beginning.
    #[getter]
    fn time(&self, py: Python<'_>) -> f64 {
        py.detach(|| self.lock().world.time())
    }

    /// The step that the scene file asks for, in seconds.
    #[getter]
    fn usual_step(&self, py: Python<'_>) -> f64 {
        py.detach(|| self.lock().step)
    }
}

/// Sets a property of a body by its name.
fn set(rigid: &mut RigidBody, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let number =
        || Ok::<f64, PyErr>(Numbers::one(value, name, &[])?.all().first().copied().unwrap_or(f64::NAN));
    match name {
        "position" => rigid.position = point(value, name)?,
        "rotation" => rigid.rotation = DQuat::from_slice(Numbers::one(value, name, &[4])?.all()),
        "velocity" => rigid.velocity = point(value, name)?,
        "angular_velocity" => rigid.angular_velocity = point(value, name)?,
        "density" => rigid.matter = MassSpec::Density(number()?),
        "restitution" => rigid.restitution = number()?,
        "friction" => rigid.friction = number()?,
        "rolling_friction" => rigid.rolling_friction = number()?,
        "linear_drag" => rigid.linear_drag = number()?,
        "angular_drag" => rigid.angular_drag = number()?,
        "adhesion" => rigid.adhesion = number()?,
        "gravity_scale" => rigid.gravity_scale = number()?,
        "force" => rigid.force = point(value, name)?,
        "torque" => rigid.torque = point(value, name)?,
        "restitution_rule" => rigid.restitution_rule = Some(rule(name, &value.extract::<String>()?)?),
        "friction_rule" => rigid.friction_rule = Some(rule(name, &value.extract::<String>()?)?),
        "surface_velocity" => rigid.surface_velocity = point(value, name)?,
        "contact_softness" => rigid.contact_softness = softness(value)?,
        "field" => rigid.field = Some(field(value)?),
        "sensor" => rigid.sensor = value.extract()?,
        "user_data" => rigid.user_data = value.extract()?,
        "one_way" => rigid.contact_rule = Some(ContactRule::one_way(point(value, name)?)),
        "category" => rigid.filter.category = value.extract()?,
        "mask" => rigid.filter.mask = value.extract()?,
        other => return Err(PyValueError::new_err(format!("a rigid body has no property {other:?}"))),
    }
    Ok(())
}

/// How a coefficient is combined, by its name in scene files.
fn rule(key: &str, name: &str) -> PyResult<Combine> {
    let found = Combine::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, rule)| rule);
    found.ok_or_else(|| {
        let known = Combine::ALL.map(|(known, _)| known).join(", ");
        PyValueError::new_err(format!("{key}: {name:?} is unknown; known are {known}"))
    })
}

/// How contacts yield, by a dict in the words of scene files.
fn softness(value: &Bound<'_, PyAny>) -> PyResult<Softness> {
    let given: HashMap<String, f64> = value.extract()?;
    let of = |key: &str| given.get(key).copied();
    let (pull, damping) = match (of("hertz"), of("stiffness")) {
        (Some(_), None) => ("hertz", "damping_ratio"),
        (None, Some(_)) => ("stiffness", "damping"),
        (None, None) | (Some(_), Some(_)) => ("", ""),
    };
    if pull.is_empty() || given.keys().any(|key| key != pull && key != damping) {
        let wanted = "contact_softness: must be {'hertz', 'damping_ratio'} or {'stiffness', 'damping'}";
        return Err(PyValueError::new_err(wanted));
    }
    let first = of(pull).unwrap_or_default();
    Ok(if pull == "hertz" {
        Softness::Frequency { hertz: first, damping_ratio: of(damping).unwrap_or(1.0) }
    } else {
        Softness::Stiffness { stiffness: first, damping: of(damping).unwrap_or(0.0) }
    })
}

/// What acts in a sensor, by a dict in the words of scene files.
fn field(value: &Bound<'_, PyAny>) -> PyResult<ForceField> {
    let mut field = ForceField::default();
    for (key, value) in value.cast::<PyDict>().map_err(PyErr::from)? {
        match key.extract::<String>()?.as_str() {
            "acceleration" => field.acceleration = point(&value, "acceleration")?,
            "force" => field.force = point(&value, "force")?,
            "attraction" => field.attraction = value.extract()?,
            "drag" => field.drag = value.extract()?,
            other => return Err(PyValueError::new_err(format!("a field has no property {other:?}"))),
        }
    }
    Ok(field)
}

/// What was done to a world, and what came of it.
#[pyclass(name = "Recording", module = "sudar._core", frozen)]
pub struct PyRecording {
    recording: Arc<Recording>,
}

#[pymethods]
impl PyRecording {
    /// Reads what `text` wrote.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        let read = py.detach(|| serde_json::from_str::<Recording>(text));
        let refused = |why| PyValueError::new_err(format!("is no recording of a world: {why}"));
        read.map(|recording| Self { recording: Arc::new(recording) }).map_err(refused)
    }

    /// The recording as JSON.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        let written = py.detach(|| serde_json::to_string(&*self.recording));
        written.map_err(|why| PyValueError::new_err(why.to_string()))
    }

    /// Number of steps.
    fn __len__(&self) -> usize {
        self.recording.steps()
    }

    /// Plays it; `show` is called with the number of each step, the names of the bodies and their poses. None, or step,
    /// time, body and words of the first difference.
    #[allow(clippy::type_complexity, reason = "a tuple for Python")]
    fn replay(
        &self,
        py: Python<'_>,
        show: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Option<(usize, f64, Option<String>, String)>> {
        let response = sudar_classic::response(self.recording.start().response()[0]).map_err(refused)?;
        let recording = Arc::clone(&self.recording);
        let mut replay = py.detach(|| Replay::with_response(recording, response)).map_err(refused)?;
        while !replay.is_over() {
            let difference = py.detach(|| replay.step()).map_err(refused)?;
            py.check_signals()?;
            if let Some(show) = &show {
                let world = replay.world();
                let bodies: Vec<_> = world.bodies().collect();
                let names: Vec<&str> = bodies.iter().map(|(_, body)| body.name.as_str()).collect();
                let poses = bodies.iter().map(|(body, _)| world.pose(*body)).collect::<Result<Vec<_>, _>>();
                show.call1((replay.done() - 1, names, matrices(py, &poses.map_err(refused)?)?))?;
            }
            if let Some(found) = difference {
                return Ok(Some((found.step, found.time, found.body.clone(), found.what())));
            }
        }
        Ok(None)
    }
}

/// A character that walks about in a world.
#[pyclass(name = "Character", module = "sudar._core", frozen)]
pub struct PyCharacter {
    character: Mutex<Character>,
}

/// What a character ran into: places of bodies, points and normals.
type Obstacles = Vec<(i64, [f64; 3], [f64; 3])>;

impl PyCharacter {
    fn lock(&self) -> MutexGuard<'_, Character> {
        self.character.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyCharacter {
    /// One of a shape at a place, with angles, lengths and weights by name.
    #[new]
    fn new(
        body: &Bound<'_, PyBody>,
        position: &Bound<'_, PyAny>,
        up: &Bound<'_, PyAny>,
        sizes: [f64; 6],
        filter: [u32; 2],
    ) -> PyResult<Self> {
        let [max_slope, step_height, snap, skin, mass, push] = sizes;
        let character = Character::new(body.get().body.clone())
            .up(point(up, "up")?)
            .max_slope(max_slope)
            .step_height(step_height)
            .snap(snap)
            .skin(skin)
            .push(mass, push)
            .filter(Filter::new(filter[0], filter[1]))
            .at(point(position, "position")?);
        Ok(Self { character: Mutex::new(character) })
    }

    /// Lets a kinematic body of a world go with it.
    fn go_with(&self, world: &PyWorld, place: usize) -> PyResult<()> {
        let own = world.lock().handle(place)?;
        let mut character = self.lock();
        *character = character.clone().with_body(own);
        Ok(())
    }

    /// Moves it: how far it came, what it ran into, its gap and whether it is crushed.
    fn walk(
        &self,
        py: Python<'_>,
        world: &PyWorld,
        velocity: &Bound<'_, PyAny>,
        seconds: f64,
    ) -> PyResult<([f64; 3], Obstacles, f64, bool)> {
        let velocity = point(velocity, "velocity")?;
        py.detach(|| {
            let mut state = world.lock();
            let walk = self.lock().walk(&mut state.world, velocity, seconds).map_err(refused)?;
            let obstacle = |one: &sudar::dynamics::Obstacle| {
                (state.place(Some(one.body)), one.point.to_array(), one.normal.to_array())
            };
            let obstacles = walk.obstacles.iter().map(obstacle).collect();
            Ok((walk.moved.to_array(), obstacles, walk.gap, walk.is_crushed))
        })
    }

    /// Jumps with a speed in the next move.
    fn jump(&self, speed: f64) {
        self.lock().jump(speed);
    }

    /// Puts it elsewhere.
    fn put(&self, position: &Bound<'_, PyAny>) -> PyResult<()> {
        let position = point(position, "position")?;
        self.lock().set_position(position);
        Ok(())
    }

    /// Where it is, how fast it rises, and whether it stands on ground.
    fn state(&self) -> ([f64; 3], f64, bool) {
        let character = self.lock();
        (character.position().to_array(), character.rising(), character.is_grounded())
    }
}
