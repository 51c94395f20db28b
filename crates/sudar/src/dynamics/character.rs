//! A body that walks: it is moved as its player wants, as far as what stands around lets it.

use glam::{DQuat, DVec3};

use super::error::DynamicsError;
use super::matter::{BodyState, BodyType, PairBody, RigidBody, reach_along};
use super::world::World;
use crate::broad::{Filter, Handle, Seek};
use crate::math::Pose;
use crate::query::{Body, Placed, penetration};
use crate::shape::Ray;

/// A character that walks about in a world: it slides along walls, steps up and down, walks up slopes that are not too
/// steep, stays on the ground on its way down, rides on what moves and on belts, and pushes bodies.
///
/// It is no body of the world, and its shape does not turn. Each move is a few shape casts, so that it passes through
/// nothing at any speed, and ends with a gap to all that is around which is certain. Give it a kinematic body of the
/// same shape ([`Character::with_body`]) for others to run into. The walls of a room ([`Settings::bounds`]) do not stop
/// it.
///
/// [`Settings::bounds`]: super::Settings::bounds
///
/// ```
/// use sudar::dynamics::{Character, RigidBody, Settings, World};
/// use sudar::{Capsule, Cuboid, DVec3, Halfspace};
///
/// let mut world = World::new(Settings::default())?;
/// world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?))?;
/// let step = RigidBody::fixed("step", Cuboid::new(DVec3::new(5.0, 5.0, 0.15))?);
/// world.add(RigidBody { position: DVec3::X * 7.0, ..step })?;
///
/// let tall = Capsule::new(0.3, 0.5)?;
/// let mut hero = Character::new(tall).step_height(0.35).snap(0.2).at(DVec3::Z);
/// for _ in 0..120 {
///     hero.walk(&mut world, DVec3::X * 2.0, 1.0 / 60.0)?;
///     world.step(1.0 / 60.0)?;
/// }
/// // It walked four metres and up the step, on which it stands.
/// assert!((hero.position().x - 4.0).abs() < 0.02 && hero.is_grounded());
/// assert!((hero.position().z - (0.15 + 0.8)).abs() < 0.02);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Character {
    body: Body,
    position: DVec3,
    up: DVec3,
    max_slope: f64,
    step_height: f64,
    snap: f64,
    skin: f64,
    mass: f64,
    push: f64,
    filter: Filter,
    own: Option<Handle>,
    /// Speed upwards, in m/s.
    rising: f64,
    ground: Option<Ground>,
}

/// What a character stands on.
#[derive(Debug, Clone, Copy)]
struct Ground {
    body: Handle,
    normal: DVec3,
    /// A point of the character's, in the frame of the body, and where it was.
    local: DVec3,
    point: DVec3,
}

/// What a character met on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obstacle {
    /// The body.
    pub body: Handle,
    /// Where it was touched.
    pub point: DVec3,
    /// Unit normal of the contact, out of the body.
    pub normal: DVec3,
}

/// What became of a move of a character.
#[derive(Debug, Clone, PartialEq)]
pub struct Walk {
    /// How far it came, the ride on what it stands on included.
    pub moved: DVec3,
    /// What it ran into.
    pub obstacles: Vec<Obstacle>,
    /// It is certainly farther from all that it may touch, up to its skin; zero where it is crushed.
    pub gap: f64,
    /// Whether it is in something that came upon it and from which it found no way out.
    pub is_crushed: bool,
}

/// Where a move comes to.
struct Course {
    pose: Pose,
    /// The velocity across what is up.
    flat: DVec3,
    ground: Option<Ground>,
    rising: f64,
    obstacles: Vec<Obstacle>,
    gap: f64,
}

/// A hit on the way.
struct Hit {
    obstacle: Obstacle,
    free: f64,
}

/// A move under way.
struct Mover<'m> {
    character: &'m Character,
    world: &'m World,
    /// As it was at the start, for contact rules.
    start: PairBody<'m>,
    at: DVec3,
    /// How far it is above where it stood, while it looks whether it can step up.
    lifted: f64,
    /// What it stands on while that carries it.
    except: Option<Handle>,
    obstacles: Vec<Obstacle>,
}

/// Planes that one slide comes to, at most, and ways out of what came upon it.
const PLANES: usize = 6;
const WAYS: u32 = 8;
/// How far behind an edge the ground is looked at, relative to the skin.
const EDGE: f64 = 0.1;
/// Ways shorter than this, relative to the skin, are none.
const LEAST: f64 = 1e-6;
/// A way that is this much longer is worth a step up, relative to the skin.
const WORTH: f64 = 1e-2;

impl Character {
    /// A character of a convex shape, or any body, that stands at the origin: up is z, slopes up to 0.8 rad (46°) are
    /// walked on, steps up to 0.35 m are walked up, the ground is kept to within 0.2 m, the skin is a hundredth of a
    /// metre, its mass 80 kg, and it pushes with 500 N.
    pub fn new(body: impl Into<Body>) -> Self {
        Self {
            body: body.into(),
            position: DVec3::ZERO,
            up: DVec3::Z,
            max_slope: 0.8,
            step_height: 0.35,
            snap: 0.2,
            skin: 0.01,
            mass: 80.0,
            push: 500.0,
            filter: Filter::ALL,
            own: None,
            rising: 0.0,
            ground: None,
        }
    }

    /// Where its frame is, in metres; it falls from there.
    #[must_use]
    pub fn at(mut self, position: DVec3) -> Self {
        self.set_position(position);
        self
    }

    /// Which way is up, of any length but zero.
    #[must_use]
    pub fn up(self, up: DVec3) -> Self {
        Self { up: up.normalize_or(DVec3::Z), ..self }
    }

    /// The steepest slope that it walks on, as an angle to the horizontal in radians.
    #[must_use]
    pub fn max_slope(self, max_slope: f64) -> Self {
        Self { max_slope, ..self }
    }

    /// The highest step that it walks up, in metres.
    #[must_use]
    pub fn step_height(self, step_height: f64) -> Self {
        Self { step_height, ..self }
    }

    /// How far below it the ground may fall off in a move for it to stay on it, in metres.
    #[must_use]
    pub fn snap(self, snap: f64) -> Self {
        Self { snap, ..self }
    }

    /// The gap that it keeps, in metres.
    #[must_use]
    pub fn skin(self, skin: f64) -> Self {
        Self { skin, ..self }
    }

    /// Its mass, in kilograms, which presses on what it stands on, and the most force with which it pushes, in newtons.
    #[must_use]
    pub fn push(self, mass: f64, force: f64) -> Self {
        Self { mass, push: force, ..self }
    }

    /// What it collides with: bodies that accept its filter and whose contact rule allows it. Sensors never stop it.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Self {
        Self { filter, ..self }
    }

    /// A kinematic body that goes with it, which others run into and it does not. What that body
    /// [ignores](World::ignore) does not stop it.
    #[must_use]
    pub fn with_body(self, own: Handle) -> Self {
        Self { own: Some(own), ..self }
    }

    /// Where its frame is.
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// Puts it elsewhere, from where it falls.
    pub fn set_position(&mut self, position: DVec3) {
        (self.position, self.ground, self.rising) = (position, None, 0.0);
    }

    /// Whether it stands on ground that it can walk on.
    pub fn is_grounded(&self) -> bool {
        self.ground.is_some()
    }

    /// The body that it stands on.
    pub fn ground(&self) -> Option<Handle> {
        self.ground.map(|ground| ground.body)
    }

    /// Its speed upwards, in m/s: below zero where it falls.
    pub fn rising(&self) -> f64 {
        self.rising
    }

    /// Jumps with a speed, in m/s, in the next move.
    pub fn jump(&mut self, speed: f64) {
        (self.rising, self.ground) = (speed, None);
    }

    /// Moves with a velocity, of which what is across `up` counts, for a time, in seconds; and falls, or stays on the
    /// ground.
    ///
    /// A handful of shape casts and distances: some 20 to 35 µs in a level of 100 000 triangles.
    ///
    /// # Errors
    /// [`DynamicsError::Body`] for numbers that are none, where it has left the range of numbers, or if its body is no
    /// kinematic one of the world; then nothing has changed.
    pub fn walk(&mut self, world: &mut World, velocity: DVec3, seconds: f64) -> Result<Walk, DynamicsError> {
        let course = self.plan(world, velocity, seconds)?;
        self.take(world, course, seconds)
    }

    /// Moves many characters, each with a velocity, on all threads: each as [`walk`](Self::walk) does in the world
    /// as it is, then what they ran into is pushed, in their order.
    ///
    /// ```
    /// use sudar::dynamics::{Character, RigidBody, Settings, World};
    /// use sudar::{Capsule, DVec3, Halfspace};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?))?;
    /// let tall = Capsule::new(0.3, 0.5)?;
    /// let place = |k: u32| DVec3::new(f64::from(k), 0.0, 0.9);
    /// let mut crowd: Vec<Character> = (0..10).map(|k| Character::new(tall).at(place(k))).collect();
    /// for _ in 0..60 {
    ///     Character::walk_all(&mut crowd, &mut world, &[DVec3::Y; 10], 1.0 / 60.0)?;
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!(crowd.iter().all(|one| (one.position().y - 1.0).abs() < 0.01 && one.is_grounded()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`walk`](Self::walk), of the first that has one, and for another number of velocities than characters;
    /// then nothing has changed.
    pub fn walk_all(
        crowd: &mut [Self],
        world: &mut World,
        velocities: &[DVec3],
        seconds: f64,
    ) -> Result<Vec<Walk>, DynamicsError> {
        if crowd.len() != velocities.len() {
            return refuse("velocity", "there must be one for each character");
        }
        let questions: Vec<(&Self, DVec3)> = crowd.iter().zip(velocities.iter().copied()).collect();
        let plans = world.batch(&questions, |world, (one, velocity)| one.plan(world, *velocity, seconds));
        let plans = plans.into_iter().collect::<Result<Vec<Course>, _>>()?;
        crowd.iter_mut().zip(plans).map(|(one, course)| one.take(world, course, seconds)).collect()
    }

    /// Where it comes to.
    fn plan(&self, world: &World, velocity: DVec3, seconds: f64) -> Result<Course, DynamicsError> {
        self.check(velocity, seconds)?;
        if self.own.is_some_and(|own| world.body(own).map(|own| own.kind) != Ok(BodyType::Kinematic)) {
            return refuse("kind", "the body that goes with it must be a kinematic one of this world");
        }
        let flat = velocity - self.up * velocity.dot(self.up);
        let own = self.in_pair(world, flat)?;
        let mut mover = Mover {
            character: self,
            world,
            start: own,
            at: self.position,
            lifted: 0.0,
            except: None,
            obstacles: Vec::new(),
        };
        if let Some(ground) = self.ground {
            mover.ride(&ground, seconds)?;
        }
        mover.get_out()?;
        mover.go(flat * seconds)?;
        let (ground, rising) = mover.fall(world.settings().gravity.length(), seconds)?;
        let gap = mover.gap()?;
        let Mover { at, obstacles, .. } = mover;
        Ok(Course { pose: self.pose(at)?, flat, ground, rising, obstacles, gap })
    }

    /// Goes there, and pushes what is in the way.
    fn take(&mut self, world: &mut World, course: Course, seconds: f64) -> Result<Walk, DynamicsError> {
        let Course { pose, flat, ground, rising, obstacles, gap } = course;
        let moved = pose.translation() - self.position;
        (self.position, self.ground, self.rising) = (pose.translation(), ground, rising);
        self.press(world, &obstacles, flat, seconds)?;
        if let Some(own) = self.own {
            world.move_to(own, &pose, seconds)?;
        }
        Ok(Walk { moved, obstacles, gap, is_crushed: gap <= 0.0 })
    }

    fn check(&self, velocity: DVec3, seconds: f64) -> Result<(), DynamicsError> {
        let numbers = [self.max_slope, self.step_height, self.snap, self.skin, self.mass, self.push];
        let is_well = numbers.iter().all(|x| (0.0..1e80).contains(x)) && self.skin > 0.0;
        if !is_well {
            return refuse("size", "slope, step, snap, mass and push are 0 or more, the skin is above 0");
        }
        if !(velocity.is_finite() && velocity.length() < 1e40) {
            return refuse("velocity", "must be finite numbers");
        }
        if !(seconds > 0.0 && seconds.is_finite()) {
            return refuse("step", "must be above 0 and finite");
        }
        Ok(())
    }

    /// As a contact rule sees it, with a velocity across `up`.
    fn in_pair<'m>(&'m self, world: &'m World, flat: DVec3) -> Result<PairBody<'m>, DynamicsError> {
        let own = self.own.and_then(|own| world.body(own).ok());
        let motion = BodyState {
            center: self.position,
            rotation: DQuat::IDENTITY,
            velocity: flat + self.up * self.rising,
            angular_velocity: DVec3::ZERO,
        };
        Ok(PairBody {
            name: own.map_or("character", |own| own.name.as_str()),
            shape: &self.body,
            filter: self.filter,
            user_data: own.map_or(0, |own| own.user_data),
            motion,
            pose: self.pose(self.position)?,
        })
    }

    fn pose(&self, at: DVec3) -> Result<Pose, DynamicsError> {
        Pose::from_translation(at).or_else(|_| refuse("position", "it has left the range of numbers"))
    }

    fn is_walkable(&self, normal: DVec3) -> bool {
        normal.dot(self.up) >= libm::cos(self.max_slope)
    }

    /// Pushes what it ran into, and weighs on what it stands on.
    fn press(
        &self,
        world: &mut World,
        obstacles: &[Obstacle],
        velocity: DVec3,
        seconds: f64,
    ) -> Result<(), DynamicsError> {
        let is_dynamic =
            |world: &World, body: Handle| world.body(body).is_ok_and(|body| body.kind == BodyType::Dynamic);
        let mut pushed: Vec<Handle> = Vec::new();
        for Obstacle { body, point, normal } in obstacles {
            if pushed.contains(body) || self.is_walkable(*normal) || !is_dynamic(world, *body) {
                continue;
            }
            pushed.push(*body);
            let closing = (world.motion(*body)?.velocity_at(*point) - velocity).dot(*normal);
            let light = world.inertia(*body)?.inverse_mass + 1.0 / self.mass.max(f64::MIN_POSITIVE);
            let impulse = (closing / light).min(self.push * seconds);
            if impulse > 0.0 {
                world.apply_impulse(*body, *normal * -impulse, *point)?;
            }
        }
        if let Some(ground) = self.ground.filter(|ground| is_dynamic(world, ground.body)) {
            let weight = world.settings().gravity * (self.mass * seconds);
            world.apply_impulse(ground.body, weight, ground.point - self.up * self.skin)?;
        }
        Ok(())
    }
}

/// How far up the lowest point of a body is.
fn lowest(body: &Body, pose: &Pose, up: DVec3) -> f64 {
    let reach = reach_along(body, pose, pose.translation(), -up).unwrap_or(0.0);
    pose.translation().dot(up) - reach
}

fn refuse<T>(key: &'static str, problem: &str) -> Result<T, DynamicsError> {
    Err(DynamicsError::body("character", key, problem.to_owned()))
}

impl Mover<'_> {
    /// What it collides with.
    fn seek(&self) -> impl Seek<RigidBody> + use<'_> {
        let Character { filter, own, .. } = *self.character;
        let except = self.except;
        move |handle: Handle, body: &RigidBody| {
            !body.sensor
                && Some(handle) != own
                && Some(handle) != except
                && filter.accepts(body.filter)
                && !own.is_some_and(|own| self.world.ignores(own, handle) == Ok(true))
                && self.is_allowed(handle, body)
        }
    }

    /// Whether the contact rule of a body, if it has one, counts a contact with it.
    fn is_allowed(&self, handle: Handle, body: &RigidBody) -> bool {
        let Some(rule) = &body.contact_rule else { return true };
        let (Ok(motion), Ok(pose)) = (self.world.motion(handle), self.world.pose(handle)) else {
            return true;
        };
        let RigidBody { ref name, body: ref shape, filter, user_data, .. } = *body;
        rule.allows(PairBody { name, shape, filter, user_data, motion, pose }, self.start)
    }

    fn pose(&self) -> Result<Pose, DynamicsError> {
        self.character.pose(self.at)
    }

    /// The first thing on a way.
    fn ahead(&self, way: DVec3) -> Result<Option<Hit>, DynamicsError> {
        let (length, pose) = (way.length(), self.pose()?);
        let placed: Placed = self.character.body.at(&pose);
        // As far as its skin reaches beyond.
        let reach = length + 4.0 * self.character.skin;
        let found = self.world.cast_shape(placed, way / length, reach, self.seek());
        let Ok(found) = found else { return refuse("velocity", "it would leave the range of numbers") };
        Ok(found.map(|(body, hit)| Hit {
            obstacle: Obstacle { body, point: hit.point, normal: hit.normal },
            free: hit.distance.lower,
        }))
    }

    /// How far it may go along a direction for its skin; never farther than is certainly free.
    fn free(&self, hit: &Hit, direction: DVec3) -> f64 {
        let against = -hit.obstacle.normal.dot(direction);
        if against <= 0.0 { hit.free } else { (hit.free - self.character.skin / against).max(0.0) }
    }

    /// Whether it can stand where it touches something: on what is not too steep, or on an edge with such behind it
    /// that is no higher above its feet than a step.
    fn is_ground(&self, &Obstacle { point, normal, .. }: &Obstacle) -> bool {
        let Character { up, step_height, skin, ref body, .. } = *self.character;
        if self.character.is_walkable(normal) {
            return true;
        }
        let flat = (normal - up * normal.dot(up)).normalize_or_zero();
        let Ok(pose) = self.pose() else { return false };
        let feet = lowest(body, &pose, up) - self.lifted;
        let from = point - flat * (EDGE * skin) + up * skin;
        let Ok(ray) = Ray::new(from, -up) else { return false };
        let is_low = normal.dot(up) > 0.0 && point.dot(up) - feet <= step_height + skin;
        is_low
            && self
                .world
                .ray(&ray, 2.0 * skin, self.seek())
                .is_some_and(|(_, hit)| self.character.is_walkable(hit.normal))
    }

    /// Goes a way as far as it can, and along what is in it. Steep ground is a wall to what walks.
    fn slide(&mut self, way: DVec3, walks: bool) -> Result<(), DynamicsError> {
        let (up, least) = (self.character.up, LEAST * self.character.skin);
        let mut planes: Vec<DVec3> = Vec::new();
        let mut rest = way;
        for _ in 0..PLANES {
            let length = rest.length();
            if length <= least {
                return Ok(());
            }
            let direction = rest / length;
            let Some(hit) = self.ahead(rest)? else {
                self.at += rest;
                return Ok(());
            };
            let gone = self.free(&hit, direction).min(length);
            self.at += direction * gone;
            if gone >= length {
                return Ok(());
            }
            self.obstacles.push(hit.obstacle);
            let normal = hit.obstacle.normal;
            let flat = (normal - up * normal.dot(up)).normalize_or_zero();
            let is_wall = walks && flat != DVec3::ZERO && !self.is_ground(&hit.obstacle);
            planes.push(if is_wall { flat } else { normal });
            rest = along(direction * (length - gone), &planes);
            if rest.dot(way) <= 0.0 {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Goes with what it stands on, and with its surface if that is a belt.
    fn ride(&mut self, ground: &Ground, seconds: f64) -> Result<(), DynamicsError> {
        let (Ok(pose), Ok(body)) = (self.world.pose(ground.body), self.world.body(ground.body)) else {
            return Ok(());
        };
        let surface = pose.rotate(body.surface_velocity);
        let belt = surface - ground.normal * surface.dot(ground.normal);
        let way = pose.apply(ground.local) - ground.point + belt * seconds;
        if way.length() > LEAST * self.character.skin {
            self.except = Some(ground.body);
            let seen = self.obstacles.len();
            self.slide(way, false)?;
            self.obstacles.truncate(seen);
            self.except = None;
        }
        Ok(())
    }

    /// Leaves what came upon it, by the shortest ways.
    fn get_out(&mut self) -> Result<(), DynamicsError> {
        for _ in 0..WAYS {
            let pose = self.pose()?;
            let found = self.world.nearest_to(self.character.body.at(&pose), 0.0, self.seek());
            let Some((body, _)) = found else { return Ok(()) };
            let (Ok(given), Ok(other)) = (self.world.body(body), self.world.pose(body)) else {
                return Ok(());
            };
            let out = penetration(given.body.at(&other), self.character.body.at(&pose));
            let way = out.normal * (self.character.skin - out.signed.lower);
            if !way.is_finite() {
                return Ok(());
            }
            self.at += way;
        }
        Ok(())
    }

    /// Walks a way, up a step where that is farther.
    fn go(&mut self, way: DVec3) -> Result<(), DynamicsError> {
        let Character { up, step_height, skin, ground, .. } = *self.character;
        if way.length() <= LEAST * skin {
            return Ok(());
        }
        let (from, met) = (self.at, self.obstacles.len());
        let tilt = ground.map_or(up, |ground| ground.normal);
        // As far along a slope as on the level, seen from above.
        self.slide(way - up * (tilt.dot(way) / tilt.dot(up).max(0.1)), true)?;
        let (level, seen) = (self.at, self.obstacles.len());
        let gain = |at: DVec3| (at - from).dot(way) / way.length();
        let is_blocked =
            self.obstacles[met..].iter().any(|obstacle| !self.character.is_walkable(obstacle.normal));
        if ground.is_none() || step_height == 0.0 || !is_blocked {
            return Ok(());
        }
        self.at = from;
        self.lift(step_height)?;
        self.lifted = (self.at - from).dot(up);
        self.slide(way, true)?;
        let over = self.at;
        let stands = self.drop(self.lifted + skin)?.is_some();
        self.lifted = 0.0;
        if stands && gain(over) > gain(level) + WORTH * skin {
            return Ok(());
        }
        self.at = level;
        self.obstacles.truncate(seen);
        Ok(())
    }

    /// Goes straight up.
    fn lift(&mut self, most: f64) -> Result<(), DynamicsError> {
        let up = self.character.up;
        let free = self.ahead(up * most)?.map_or(most, |hit| self.free(&hit, up).min(most));
        self.at += up * free;
        Ok(())
    }

    /// Goes straight down to ground that it can walk on, if there is such within a way.
    fn drop(&mut self, most: f64) -> Result<Option<Ground>, DynamicsError> {
        let down = -self.character.up;
        let Some(hit) = self.ahead(down * most)? else { return Ok(None) };
        let free = self.free(&hit, down);
        let Obstacle { body, normal, .. } = hit.obstacle;
        if free > most || !self.is_ground(&hit.obstacle) {
            return Ok(None);
        }
        self.at += down * free;
        let Ok(pose) = self.world.pose(body) else { return Ok(None) };
        Ok(Some(Ground { body, normal, local: pose.unapply(self.at), point: self.at }))
    }

    /// Stays on the ground, or falls or rises; returns what it stands on, and how fast it rises.
    fn fall(&mut self, gravity: f64, seconds: f64) -> Result<(Option<Ground>, f64), DynamicsError> {
        let Character { up, snap, skin, ground, rising, .. } = *self.character;
        if ground.is_some()
            && let Some(ground) = self.drop(snap.max(skin))?
        {
            return Ok((Some(ground), 0.0));
        }
        let next = rising - gravity * seconds;
        let way = 0.5 * (rising + next) * seconds;
        if way <= 0.0
            && let Some(ground) = self.drop(-way)?
        {
            return Ok((Some(ground), 0.0));
        }
        let from = self.at;
        self.slide(up * way, false)?;
        let came = (self.at - from).dot(up);
        // What stops it from above ends its rise; what it slides down takes the rest.
        let stops = way > 0.0 && came < way - LEAST * skin;
        Ok((None, if stops { 0.0 } else { next.max(came / seconds - gravity * seconds) }))
    }

    /// The least distance to all that it may touch, up to its skin.
    fn gap(&self) -> Result<f64, DynamicsError> {
        let skin = self.character.skin;
        let pose = self.pose()?;
        let found = self.world.nearest_to(self.character.body.at(&pose), skin, self.seek());
        Ok(found.map_or(skin, |(_, distance)| distance.interval.lower.min(skin)))
    }
}

/// What is left of a way beside planes that it does not go into, given by their normals.
fn along(way: DVec3, planes: &[DVec3]) -> DVec3 {
    const INTO: f64 = -1e-12;
    let is_free = |way: DVec3| planes.iter().all(|plane| plane.dot(way) >= INTO * way.length());
    let Some((last, others)) = planes.split_last() else { return way };
    let one = way - *last * way.dot(*last).min(0.0);
    if is_free(one) {
        return one;
    }
    for other in others {
        let edge = last.cross(*other).normalize_or_zero();
        let two = edge * way.dot(edge);
        if two != DVec3::ZERO && is_free(two) {
            return two;
        }
    }
    DVec3::ZERO
}
