//! Random worlds of joints of every kind, which change while they run.

use sudar::dynamics::{
    Axis, BodyType, DynamicsError, Handle, Joint, JointHandle, MassSpec, Measure, RigidBody, Row, Settings,
    Softness, World,
};
use sudar::{Capsule, Cuboid, DVec3, Halfspace, Shape, Sphere};

use crate::Random;

/// What came of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The largest gap on the way, in m, and the largest twist.
    pub gap: f64,
    pub twist: f64,
    /// The largest speed of a body at the end of any step.
    pub speed: f64,
    /// Whether nothing drives a body and no spring holds it, nor limits that it begins beyond.
    pub is_passive: bool,
    /// Whether nothing drives a body with a force without bounds.
    pub is_sane: bool,
    /// Energy at the start and the most at the end of any step, in J.
    pub energy: [f64; 2],
}

/// A world of up to a dozen bodies, and how it is driven.
pub struct Jumble {
    random: Random,
    world: World,
    bodies: Vec<Handle>,
    joints: Vec<JointHandle>,
    is_passive: bool,
    is_sane: bool,
}

impl std::fmt::Debug for Jumble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jumble").field("bodies", &self.bodies.len()).finish_non_exhaustive()
    }
}

impl Jumble {
    /// The same for the same seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let gravity = DVec3::Z * random.one_of(&[0.0, -9.81]);
        let world = World::new(Settings { gravity, ..Settings::default() }).unwrap();
        let mut it =
            Self { random, world, bodies: Vec::new(), joints: Vec::new(), is_passive: true, is_sane: true };
        if it.random.below(2) == 0 {
            it.world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, -3.0).unwrap())).unwrap();
        }
        let moves = it.random.below(2) == 0;
        for number in 0..2 + it.random.below(10) {
            it.add(number, moves);
        }
        for _ in 0..1 + it.random.below(2 * it.bodies.len()) {
            it.join();
        }
        it
    }

    fn add(&mut self, number: usize, moves: bool) {
        let random = &mut self.random;
        let size = random.within(0.1, 0.5);
        let shape: Shape = match random.below(3) {
            0 => Sphere::new(DVec3::ZERO, size).unwrap().into(),
            1 => Cuboid::new(DVec3::new(size, 0.6 * size, 0.2 * size)).unwrap().into(),
            _ => Capsule::new(0.3 * size, size).unwrap().into(),
        };
        let mut body = RigidBody::new(format!("body {number}"), shape);
        body.position = DVec3::new(number as f64 * 1.1, random.number(), random.number());
        body.rotation = random.rotation();
        body.matter = MassSpec::Mass(10_f64.powf(random.within(-1.0, 2.0)));
        if moves {
            (body.velocity, body.angular_velocity) = (random.point() * 3.0, random.point() * 3.0);
        }
        if random.below(8) == 0 {
            body.kind = random.one_of(&[BodyType::Static, BodyType::Kinematic]);
            self.is_passive &= body.kind == BodyType::Static || !moves;
            self.is_sane &= body.kind == BodyType::Static || !moves;
        }
        self.bodies.push(self.world.add(body).unwrap());
    }

    /// A body or the world.
    fn end(&mut self) -> Option<Handle> {
        let place = self.random.below(self.bodies.len() + 1);
        self.bodies.get(place).copied()
    }

    fn softness(&mut self) -> Softness {
        let random = &mut self.random;
        match random.below(3) {
            0 => Softness::Hard,
            1 => Softness::Frequency {
                hertz: random.within(0.5, 30.0),
                damping_ratio: random.within(0.0, 2.0),
            },
            _ => Softness::Stiffness {
                stiffness: 10_f64.powf(random.within(0.0, 5.0)),
                damping: 10_f64.powf(random.within(-1.0, 3.0)),
            },
        }
    }

    /// A joint of any kind near its bodies; where it is refused there is none.
    fn join(&mut self) {
        let [a, b] = [self.end(), self.end()];
        let place = |body: Option<Handle>| body.and_then(|body| self.world.motion(body).ok());
        let centers = [place(a), place(b)].map(|motion| motion.map_or(DVec3::ZERO, |motion| motion.center));
        let random = &mut self.random;
        let pivot = centers[0].lerp(centers[1], random.within(0.0, 1.0)) + random.point() * 0.3;
        let (axis, other) = (random.direction(), random.direction());
        let points = [centers[0] + random.point() * 0.3, centers[1] + random.point() * 0.3];
        let length = points[0].distance(points[1]);
        let mut joint = match random.below(13) {
            0 => Joint::fixed(a, b, pivot),
            1 | 2 => Joint::ball(a, b, pivot),
            3 | 4 => Joint::hinge(a, b, pivot, axis),
            5 => Joint::slider(a, b, pivot, axis),
            6 => Joint::cone(a, b, pivot, axis, random.within(0.1, 1.5)),
            7 => Joint::distance(a, b, points),
            8 => Joint::rope(a, b, points, length * random.within(1.0, 1.5)),
            9 => Joint::gear(a, b, [axis, other], random.within(-2.0, 2.0)),
            10 => Joint::rack(a, b, [axis, other], random.within(-0.5, 0.5)),
            11 => {
                let over = [points[0] + DVec3::Z * 2.0, points[1] + DVec3::Z * 2.0];
                Joint::pulley(a, b, points, over, (4.0 * random.within(1.0, 1.2), 1.0))
            }
            _ => {
                let axes = [0; 3].map(|_| random.one_of(&Axis::ALL));
                axes.into_iter()
                    .fold(Joint::generic(a, b, pivot, axis), |joint, axis| joint.row(axis, Row::LOCKED))
            }
        };
        joint.collides = random.below(4) == 0;
        let is_length = !matches!(joint.measure, Measure::Axes | Measure::Cone);
        if random.below(3) == 0 && !joint.main_row().is_locked() && !is_length {
            joint = joint.limits(-random.within(0.0, 1.0), random.within(0.0, 1.0));
        }
        if random.below(4) == 0 {
            let force = random.one_of(&[1.0, 30.0, f64::INFINITY]);
            self.is_sane &= force.is_finite();
            joint = joint.motor(random.number() * 3.0, force);
            self.is_passive = false;
        }
        if random.below(4) == 0 {
            joint = joint.friction(random.within(0.1, 50.0));
        }
        if self.random.below(4) == 0 {
            let (softness, target) = (self.softness(), self.random.number() * 0.5);
            let force = self.random.one_of(&[10.0, f64::INFINITY]);
            self.is_sane &= force.is_finite();
            joint = joint.servo(target, softness, force);
            self.is_passive = false;
        }
        if self.random.below(6) == 0 {
            joint = joint.soft(self.softness());
            self.is_passive = false;
        }
        if self.random.below(8) == 0 {
            joint = joint.breaking(1000.0, 1000.0);
        }
        self.joints.extend(self.world.join(joint).ok());
    }

    /// Something is taken away, added or driven otherwise.
    fn change(&mut self) {
        let choice = self.random.below(5);
        let joint = (!self.joints.is_empty()).then(|| self.random.below(self.joints.len()));
        self.is_passive = false;
        match (choice, joint) {
            (0, Some(joint)) => {
                // It may be broken, or gone with a body.
                let _ = self.world.unjoin(self.joints.swap_remove(joint));
            }
            (1, _) => self.join(),
            (2, _) if self.bodies.len() > 1 => {
                let place = self.random.below(self.bodies.len());
                self.world.remove(self.bodies.swap_remove(place)).unwrap();
            }
            (3, Some(joint)) => {
                let speed = self.random.number() * 5.0;
                if let Ok(mut joint) = self.world.joint_mut(self.joints[joint]) {
                    joint.set_motor(speed).unwrap();
                }
            }
            _ => {
                let body = self.bodies[self.random.below(self.bodies.len())];
                let mass = self.world.inertia(body).unwrap().mass;
                let (impulse, point) =
                    (self.random.point() * 3.0 * mass, self.world.motion(body).unwrap().center);
                let impulse = if impulse.is_finite() { impulse } else { DVec3::ZERO };
                self.world.apply_impulse(body, impulse, point).unwrap();
            }
        }
    }

    /// So many steps of 1/60 s; with changes now and then if `changes`.
    pub fn run(mut self, steps: u32, changes: bool) -> Outcome {
        let start = self.world.energy().total();
        let mut outcome = Outcome {
            gap: 0.0,
            twist: 0.0,
            speed: 0.0,
            is_passive: self.is_passive,
            is_sane: self.is_sane,
            energy: [start; 2],
        };
        for number in 1..=steps {
            if changes && number % 20 == 0 {
                self.change();
            }
            let report = match self.world.step(1.0 / 60.0) {
                // What is torn by forces without bounds may leave the range of numbers, and is named.
                Err(DynamicsError::OutOfRange { .. }) if !self.is_sane => break,
                report => report.unwrap(),
            };
            assert!(report.gap.is_finite() && report.twist.is_finite());
            (outcome.is_passive, outcome.is_sane) = (self.is_passive, self.is_sane);
            outcome.gap = outcome.gap.max(report.gap);
            outcome.twist = outcome.twist.max(report.twist);
            let energy = self.world.energy();
            assert!(energy.total().is_finite() && energy.momentum.is_finite());
            outcome.energy[1] = outcome.energy[1].max(energy.total());
            for body in &self.bodies {
                let motion = self.world.motion(*body).unwrap();
                outcome.speed = outcome.speed.max(motion.velocity.length());
            }
        }
        outcome
    }
}
