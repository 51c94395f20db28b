//! Bodies in a closed room, by the engine or by the contact rule of 2007.

use sudar::dynamics::{BodyState, Energy, Filter, Handle, RigidBody, TouchPhase, World};
use sudar::query;
use sudar::{Aabb, DVec3, Pose, Ray};
use sudar_classic::contact_rule::{Flyers, RuleContact};
use sudar_scene::Scene as Setup;

use super::choice::Choice;
use crate::clock::Clock;
use crate::demo::DemoError;
use crate::demos::hand::Holdable;

/// The speed that a push gives a body, in m/s.
const PUSH: f64 = 4.0;

/// A contact of the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    pub point: DVec3,
    pub normal: DVec3,
    pub impulse: f64,
}

/// Bodies in a closed room.
pub struct Room {
    bodies: Vec<RigidBody>,
    bounds: Aabb,
    engine: Engine,
    /// What holds now.
    choice: Choice,
    marks: Vec<Mark>,
    /// Energy at the start, or at the last change from outside.
    first: f64,
    /// Kilograms of all bodies.
    mass: f64,
    time: f64,
    clock: Clock,
}

enum Engine {
    World(Box<World>, Vec<Handle>),
    Rule(Box<Flyers>),
}

impl Room {
    /// The bodies of a scene with walls.
    pub fn new(setup: &Setup, choice: &Choice, clock: Clock) -> Result<Self, DemoError> {
        let bounds = setup.settings.bounds.ok_or_else(|| DemoError("the scene has no room".to_owned()))?;
        let bounds = Aabb { min: bounds.min, max: bounds.max };
        let world = setup.world().map_err(DemoError::of)?;
        let ids = world.bodies().map(|(id, _)| id).collect();
        let inertias = setup.bodies.iter().map(RigidBody::inertia).collect::<Result<Vec<_>, _>>();
        let mass = inertias.map_err(DemoError::of)?.iter().map(|inertia| inertia.mass).sum();
        let mut room = Self {
            bodies: setup.bodies.clone(),
            bounds,
            engine: Engine::World(Box::new(world), ids),
            choice: *choice,
            marks: Vec::new(),
            first: 0.0,
            mass,
            time: 0.0,
            clock,
        };
        room.set_clock(clock);
        room.take_on(choice)?;
        Ok(room)
    }

    /// Takes over what has been changed; motions stay.
    pub fn apply(&mut self, choice: &Choice) -> Result<(), DemoError> {
        if *choice == self.choice { Ok(()) } else { self.take_on(choice) }
    }

    fn take_on(&mut self, choice: &Choice) -> Result<(), DemoError> {
        let has_new_forces = choice.forces() != self.choice.forces();
        self.choose_engine(choice)?;
        match &mut self.engine {
            Engine::Rule(flyers) => {
                flyers.set_forces(choice.forces());
                flyers.set_restitution(choice.restitution);
            }
            Engine::World(world, ids) => {
                let mut settings = world.settings().clone();
                settings.gravity = choice.forces().gravity;
                settings.response = choice.response().map_err(DemoError::of)?;
                world.set_settings(settings).map_err(DemoError::of)?;
                for id in ids {
                    let change = |body: &mut RigidBody| {
                        (body.restitution, body.linear_drag, body.angular_drag) =
                            (choice.restitution, choice.drag, choice.drag);
                    };
                    world.modify(*id, change).map_err(DemoError::of)?;
                }
            }
        }
        self.choice = *choice;
        if has_new_forces || self.time == 0.0 {
            self.begin_anew();
        }
        Ok(())
    }

    /// Moves the bodies from the engine to the rule or back.
    fn choose_engine(&mut self, choice: &Choice) -> Result<(), DemoError> {
        match (&mut self.engine, choice.rule()) {
            (Engine::Rule(flyers), Some(rule)) => flyers.set_rule(rule),
            (Engine::World(..), None) => {}
            (Engine::World(world, ids), Some(rule)) => {
                let motions = motions(world, ids)?;
                let mut flyers = Flyers::new(&self.bodies, self.bounds, rule).map_err(DemoError::of)?;
                (0..).zip(motions).for_each(|(number, motion)| flyers.set_motion(number, motion));
                self.engine = Engine::Rule(Box::new(flyers));
            }
            (Engine::Rule(flyers), None) => {
                let motions: Vec<BodyState> = flyers.motions().copied().collect();
                let world = self.world_with(&motions, choice)?;
                let ids = world.bodies().map(|(id, _)| id).collect();
                self.engine = Engine::World(Box::new(world), ids);
                self.set_clock(self.clock);
            }
        }
        Ok(())
    }

    /// A world with the bodies in motion; those that have left the room are put back to its walls.
    fn world_with(&self, motions: &[BodyState], choice: &Choice) -> Result<World, DemoError> {
        let mut setup = Setup::new(sudar::dynamics::Settings {
            gravity: choice.forces().gravity,
            bounds: Some(sudar::dynamics::Bounds { min: self.bounds.min, max: self.bounds.max }),
            ..sudar::dynamics::Settings::default()
        });
        setup.bodies.clone_from(&self.bodies);
        let mut world = setup.world().map_err(DemoError::of)?;
        let ids: Vec<Handle> = world.bodies().map(|(id, _)| id).collect();
        for ((id, motion), body) in ids.iter().zip(motions).zip(&self.bodies) {
            let motion = self.brought_back(body, motion).map_err(DemoError::of)?;
            world.set_motion(*id, motion).map_err(DemoError::of)?;
        }
        Ok(world)
    }

    fn brought_back(
        &self,
        body: &RigidBody,
        motion: &BodyState,
    ) -> Result<BodyState, sudar::dynamics::DynamicsError> {
        let inertia = body.inertia()?;
        let is_well =
            motion.center.is_finite() && motion.velocity.is_finite() && motion.angular_velocity.is_finite();
        let motion = if is_well {
            *motion
        } else {
            BodyState { center: DVec3::ZERO, velocity: DVec3::ZERO, angular_velocity: DVec3::ZERO, ..*motion }
        };
        let own = body.body.aabb(&motion.pose(inertia.center));
        let below = (self.bounds.min - own.min).max(DVec3::ZERO);
        let above = (own.max - self.bounds.max).max(DVec3::ZERO);
        Ok(BodyState { center: motion.center + below - above, ..motion })
    }

    /// Advances by a step.
    pub fn step(&mut self, seconds: f64) -> Result<(), DemoError> {
        self.marks.clear();
        match &mut self.engine {
            Engine::Rule(flyers) => {
                flyers.step(seconds);
                let mark = |c: &RuleContact| Mark { point: c.point, normal: c.normal, impulse: c.impulse };
                self.marks.extend(flyers.contacts().iter().map(mark));
            }
            Engine::World(world, _) => {
                let report = world.step(seconds).map_err(DemoError::of)?;
                for touch in report.touches.iter().filter(|touch| touch.phase != TouchPhase::Ended) {
                    let points = report.points(touch).iter();
                    self.marks.extend(points.map(|p| Mark {
                        point: p.point,
                        normal: p.normal,
                        impulse: p.impulse,
                    }));
                }
            }
        }
        self.time += seconds;
        Ok(())
    }

    /// Pushes the body on a ray along it; whether there is one.
    pub fn push(&mut self, ray: &Ray) -> Result<bool, DemoError> {
        let Some((number, point)) = self.pick(ray) else { return Ok(false) };
        let mass = self.bodies[number].inertia().map_err(DemoError::of)?.mass;
        let impulse = ray.direction.normalize_or_zero() * (PUSH * mass);
        match &mut self.engine {
            Engine::Rule(flyers) => flyers.push(number, impulse, point),
            Engine::World(world, ids) => {
                world.apply_impulse(ids[number], impulse, point).map_err(DemoError::of)?;
            }
        }
        self.begin_anew();
        Ok(true)
    }

    /// The first body on a ray, and where it is hit.
    fn pick(&self, ray: &Ray) -> Option<(usize, DVec3)> {
        match &self.engine {
            Engine::World(world, ids) => {
                let (id, hit) = world.ray(ray, f64::INFINITY, Filter::ALL)?;
                Some((ids.iter().position(|known| *known == id)?, hit.point))
            }
            Engine::Rule(flyers) => {
                let hits = (0..).zip(flyers.bodies().zip(flyers.poses()));
                let hits = hits.filter_map(|(number, (body, pose))| {
                    Some((number, query::ray(body.body.at(&pose), ray, f64::INFINITY)?))
                });
                let first = hits.min_by(|(_, a), (_, b)| a.t.total_cmp(&b.t))?;
                Some((first.0, first.1.point))
            }
        }
    }

    /// From now on the energy is compared with that of now.
    pub fn begin_anew(&mut self) {
        self.first = self.energy().total();
    }
}

impl Holdable for Room {
    type Id = usize;

    fn first(&self, ray: &Ray) -> Option<(usize, DVec3)> {
        self.pick(ray)
    }

    fn motion(&self, number: usize) -> Option<(BodyState, f64)> {
        let mass = self.bodies[number].inertia().ok()?.mass;
        match &self.engine {
            Engine::Rule(flyers) => Some((*flyers.motions().nth(number)?, mass)),
            Engine::World(world, ids) => Some((world.motion(ids[number]).ok()?, mass)),
        }
    }

    fn nudge(&mut self, number: usize, impulse: DVec3, point: DVec3) {
        match &mut self.engine {
            Engine::Rule(flyers) => flyers.push(number, impulse, point),
            Engine::World(world, ids) => world.nudge(ids[number], impulse, point),
        }
        self.begin_anew();
    }
}

/// What there is to see.
impl Room {
    /// The bodies and their poses; under the rule with the triangles that it sees.
    pub fn bodies(&self) -> Vec<(&RigidBody, Pose)> {
        match &self.engine {
            Engine::Rule(flyers) => flyers.bodies().zip(flyers.poses()).collect(),
            Engine::World(world, ids) => {
                let pose = |id: &Handle| world.pose(*id).unwrap_or(Pose::IDENTITY);
                self.bodies.iter().zip(ids).map(|(body, id)| (body, pose(id))).collect()
            }
        }
    }

    /// How many bodies there are.
    pub fn count(&self) -> usize {
        self.bodies.len()
    }

    /// Inner sides of the walls.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Whether the contact rule of 2007 moves the bodies.
    pub fn is_by_rule(&self) -> bool {
        matches!(self.engine, Engine::Rule(_))
    }

    /// The contacts of the last step.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Energy and momenta, with the potential energy above the floor.
    pub fn energy(&self) -> Energy {
        let mut energy = match &self.engine {
            Engine::World(world, _) => world.energy(),
            Engine::Rule(flyers) => flyers.energy(),
        };
        energy.potential -= self.mass * self.choice.gravity * self.bounds.min.z;
        energy
    }

    /// Kinetic, potential and total energy over that at the start, or since forces changed or somebody pushed.
    pub fn shares(&self) -> [f64; 3] {
        let (energy, first) = (self.energy(), self.first);
        let over = |part: f64| if first > 0.0 { part / first } else { 0.0 };
        [over(energy.kinetic), over(energy.potential), over(energy.total())]
    }

    /// How many bodies have left the room.
    pub fn outside(&self) -> usize {
        match &self.engine {
            Engine::World(world, _) => world.out_of_bounds().count(),
            Engine::Rule(flyers) => flyers.outside().count(),
        }
    }

    /// Collisions by the rule so far, and those after which there was more energy than at the start.
    pub fn collisions(&self) -> Option<[usize; 2]> {
        match &self.engine {
            Engine::World(..) => None,
            Engine::Rule(flyers) => Some([flyers.collisions(), flyers.gains()]),
        }
    }

    /// The world, unless the rule moves the bodies.
    pub fn world(&self) -> Option<&World> {
        match &self.engine {
            Engine::World(world, _) => Some(world),
            Engine::Rule(_) => None,
        }
    }

    /// A clock to measure steps with.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
        if let Engine::World(world, _) = &mut self.engine {
            world.set_clock(clock.0);
        }
    }
}

fn motions(world: &World, ids: &[Handle]) -> Result<Vec<BodyState>, DemoError> {
    ids.iter().map(|id| world.motion(*id).map_err(DemoError::of)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar_classic::ALL_RESPONSES;
    use sudar_scene::{room_of_cubes, room_of_objects};

    const STEP: f64 = 1.0 / 60.0;

    fn room(choice: &Choice) -> Room {
        Room::new(&room_of_cubes(choice.bodies as usize).unwrap(), choice, Clock::default()).unwrap()
    }

    fn run(room: &mut Room, seconds: f64) {
        for _ in 0..(seconds / STEP).round() as u32 {
            room.step(STEP).unwrap();
        }
    }

    fn centers(room: &Room) -> Vec<DVec3> {
        room.bodies().iter().map(|(_, pose)| pose.translation()).collect()
    }

    #[test]
    fn elastic_bodies_keep_their_energy_and_stay() {
        let mut room = room(&Choice::new(8));
        run(&mut room, 5.0);
        assert!((room.shares()[2] - 1.0).abs() < 1e-9 && room.outside() == 0);
    }

    #[test]
    fn motions_stay_where_anything_is_switched() {
        let mut choice = Choice::new(8);
        let mut room = room(&choice);
        run(&mut room, 0.5);
        for response in ALL_RESPONSES {
            for faults in ["off", "published", "cure", "off"] {
                let before = (centers(&room), room.energy());
                choice = Choice { response, faults, ..choice };
                room.apply(&choice).unwrap();
                let (moved, energy) = (centers(&room), room.energy());
                let farthest =
                    moved.iter().zip(&before.0).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
                assert!(farthest < 1e-9, "{response} {faults}: {farthest}");
                assert!((energy.kinetic - before.1.kinetic).abs() < 1e-6 * before.1.kinetic);
                assert_eq!(room.is_by_rule(), faults != "off");
                run(&mut room, STEP);
            }
        }
    }

    #[test]
    fn gravity_and_drag_begin_at_once_and_the_energy_is_that_of_then() {
        let mut choice = Choice::new(8);
        let mut room = room(&choice);
        for faults in ["off", "cure"] {
            choice = Choice { faults, gravity: 9.81, ..choice };
            room.apply(&choice).unwrap();
            assert!((room.shares()[2] - 1.0).abs() < 1e-9 && room.shares()[1] > 0.5);
            choice.gravity = 0.0;
            room.apply(&choice).unwrap();
            assert_eq!(room.shares()[1], 0.0);
        }
        choice = Choice { faults: "off", drag: 1.0, ..choice };
        room.apply(&choice).unwrap();
        run(&mut room, 1.0);
        // Of elastic bodies drag alone takes energy: e^(−2) in a second.
        assert!((room.shares()[2] / libm::exp(-2.0) - 1.0).abs() < 0.02, "{}", room.shares()[2]);
    }

    #[test]
    fn the_published_rule_gains_energy_and_its_cure_does_not() {
        let of = |faults| {
            let mut room = room(&Choice { faults, ..Choice::new(8) });
            run(&mut room, 20.0);
            (room.shares()[2], room.collisions().unwrap())
        };
        let (published, [all, gains]) = of("published");
        assert!(published > 1.001 && gains > 0 && all > gains, "{published} {all} {gains}");
        let (cured, [all, gains]) = of("cure");
        assert!((cured - 1.0).abs() < 1e-6 && all > 0 && gains == 0, "{cured}");
    }

    #[test]
    fn who_has_left_by_the_rule_is_counted_and_comes_back_to_the_engine() {
        let choice = Choice { faults: "published", ..Choice::new(8) };
        let mut room = room(&choice);
        let Engine::Rule(flyers) = &mut room.engine else { panic!("not by the rule") };
        let far = BodyState { center: DVec3::X * 40.0, ..*flyers.motions().next().unwrap() };
        flyers.set_motion(0, far);
        assert_eq!(room.outside(), 1);
        room.apply(&Choice { faults: "off", ..choice }).unwrap();
        assert_eq!(room.outside(), 0);
        run(&mut room, 1.0);
        assert_eq!(room.outside(), 0);
    }

    #[test]
    fn a_push_moves_the_body_that_is_hit_away() {
        for faults in ["off", "cure"] {
            let mut room = room(&Choice { faults, ..Choice::new(1) });
            let before = room.energy().momentum;
            let ray = Ray::new(DVec3::Y * -4.0, DVec3::Y * 2.0).unwrap();
            assert!(room.push(&ray).unwrap());
            let gained = room.energy().momentum - before;
            assert!((gained - DVec3::Y * (PUSH * room.mass)).length() < 1e-6 * gained.length(), "{gained}");
            let aside = Ray::new(DVec3::new(4.0, -4.0, 0.0), DVec3::Y).unwrap();
            assert!(!room.push(&aside).unwrap());
        }
    }

    #[test]
    fn round_bodies_have_triangles_under_the_rule_alone() {
        let setup = room_of_objects(8).unwrap();
        let mut choice = Choice::new(8);
        let mut room = Room::new(&setup, &choice, Clock::default()).unwrap();
        assert!(room.bodies()[0].0.body.mesh().is_none());
        choice.faults = "cure";
        room.apply(&choice).unwrap();
        assert!(room.bodies().iter().all(|(body, _)| body.body.mesh().is_some()));
    }
}
