//! Bodies in a closed room.

use sudar::dynamics::{BodyState, Energy, RigidBody};
use sudar::query::Body;
use sudar::{Aabb, DVec3, Mesh, Pose};

use super::contact::contact;
use super::flyer::Flyer;
use super::{ContactRule, ContactRuleError, Forces, StepBack};

/// What 32-bit numbers leave of an energy.
const ROUNDING: f64 = 1e-6;

/// Bodies in a closed room that collide by a [`ContactRule`]. They are numbered from 0 in the order in which they were
/// given.
pub struct Flyers {
    all: Vec<Flyer>,
    bounds: Aabb,
    room: Body,
    rule: ContactRule,
    forces: Forces,
    contacts: Vec<RuleContact>,
    collisions: usize,
    gains: usize,
    first: f64,
}

/// A collision of the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RuleContact {
    /// The body that moved, and the one that it met; `None`: the room.
    pub bodies: (usize, Option<usize>),
    /// Where, in the world.
    pub point: DVec3,
    /// The mean normal, of length 1, out of the surface of the side that it is taken from.
    pub normal: DVec3,
    /// The length of the impulse, in N·s.
    pub impulse: f64,
}

impl std::fmt::Debug for Flyers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Flyers")
            .field("bodies", &self.all.len())
            .field("rule", &self.rule)
            .field("collisions", &self.collisions)
            .finish_non_exhaustive()
    }
}

impl Flyers {
    /// Bodies in a room, without forces. Shapes without triangles get a surface of some
    /// ([`with_triangles`](super::with_triangles)), and keep their mass.
    ///
    /// # Errors
    /// [`ContactRuleError`] of the first body that cannot be.
    pub fn new(bodies: &[RigidBody], room: Aabb, rule: ContactRule) -> Result<Self, ContactRuleError> {
        let all = bodies.iter().map(Flyer::new).collect::<Result<Vec<_>, _>>()?;
        let mut flyers = Self {
            all,
            bounds: room,
            room: Body::new(Mesh::from_aabb(room)),
            rule,
            forces: Forces::default(),
            contacts: Vec::new(),
            collisions: 0,
            gains: 0,
            first: 0.0,
        };
        flyers.begin_anew();
        Ok(flyers)
    }

    /// Advances all bodies, one after another; each is tested at once with all others and the room (section 7.5.1).
    pub fn step(&mut self, seconds: f64) {
        self.contacts.clear();
        for i in 0..self.all.len() {
            if self.all[i].is_lost() {
                continue;
            }
            self.all[i].fly(seconds, self.forces, self.rule);
            let others = (0..self.all.len()).filter(|&j| j != i);
            let struck = others.filter(|&j| self.strike(i, Some(j))).count();
            if !self.strike(i, None) && struck == 0 {
                self.all[i].free = self.all[i].motion;
            }
        }
    }

    /// The impulse of section 4.2 at the one contact with another body or the room, whether the bodies approach or
    /// not; after it they go back, or before.
    fn strike(&mut self, i: usize, other: Option<usize>) -> bool {
        let at_other = other.map(|j| (self.all[j].body(), self.all[j].pose()));
        let (body, pose) = at_other.unwrap_or((&self.room, Pose::IDENTITY));
        let Some((point, n)) = contact(&self.all[i], (body, &pose), other.is_none()) else { return false };
        let struck = [(Some(i), -1.0), (other, 1.0)].into_iter().filter_map(|(k, sign)| Some((k?, sign)));
        if self.rule.step_back == StepBack::BeforeImpulse {
            struck.clone().for_each(|(k, _)| self.all[k].motion = self.all[k].free);
        }
        let speed: f64 =
            struck.clone().map(|(k, sign)| sign * self.all[k].motion.velocity_at(point).dot(n)).sum();
        let yields: f64 = struck.clone().map(|(k, _)| self.all[k].yields(n, point, self.rule)).sum();
        let share = -(1.0 + self.restitution(i, other));
        for (k, sign) in struck {
            let flyer = &mut self.all[k];
            flyer.push(n * (share * sign * speed / yields), point, self.rule);
            match self.rule.step_back {
                StepBack::AfterImpulse => flyer.step_back(),
                StepBack::BeforeImpulse => flyer.free = flyer.motion,
                StepBack::Never => {}
            }
        }
        let impulse = (share * speed / yields).abs();
        self.contacts.push(RuleContact { bodies: (i, other), point, normal: n, impulse });
        self.collisions += 1;
        self.gains += usize::from(self.energy().total() > self.first + ROUNDING * self.first.abs());
        true
    }

    /// The larger of the two; the room has that of the body.
    fn restitution(&self, i: usize, other: Option<usize>) -> f64 {
        let of = |k: usize| self.all[k].given.restitution;
        other.map_or(of(i), |j| of(i).max(of(j)))
    }

    /// From now on the energy of now is that of the start.
    fn begin_anew(&mut self) {
        self.first = self.energy().total();
    }
}

/// What there is, and what may be changed between two steps.
impl Flyers {
    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The bodies as they were given, with triangles as their surfaces.
    pub fn bodies(&self) -> impl Iterator<Item = &RigidBody> {
        self.all.iter().map(|flyer| &flyer.given)
    }

    /// Where the bodies are and how they move.
    pub fn motions(&self) -> impl Iterator<Item = &BodyState> {
        self.all.iter().map(|flyer| &flyer.motion)
    }

    /// The poses of their frames.
    pub fn poses(&self) -> impl Iterator<Item = Pose> + '_ {
        self.all.iter().map(Flyer::pose)
    }

    /// The collisions of the last step, in their order.
    pub fn contacts(&self) -> &[RuleContact] {
        &self.contacts
    }

    /// Collisions so far.
    pub fn collisions(&self) -> usize {
        self.collisions
    }

    /// Collisions after which the energy was above that at the start, or at the last change from outside.
    pub fn gains(&self) -> usize {
        self.gains
    }

    /// Energy and momenta of all bodies.
    pub fn energy(&self) -> Energy {
        let mut sum = Energy::default();
        for flyer in &self.all {
            let BodyState { center, velocity, .. } = flyer.motion;
            let (mass, scale) = (flyer.inertia.mass, flyer.given.gravity_scale);
            sum.kinetic += flyer.kinetic();
            sum.potential -= mass * scale * self.forces.gravity.dot(center);
            sum.momentum += velocity * mass;
            sum.angular_momentum += center.cross(velocity * mass) + flyer.angular_momentum();
        }
        sum
    }

    /// The bodies whose centres are not in the room.
    pub fn outside(&self) -> impl Iterator<Item = usize> + '_ {
        let Aabb { min, max } = self.bounds;
        let is_in = move |c: DVec3| c.is_finite() && c.cmpge(min).all() && c.cmple(max).all();
        (0..self.all.len()).filter(move |&i| !is_in(self.all[i].motion.center))
    }

    /// The rule.
    pub fn rule(&self) -> ContactRule {
        self.rule
    }

    /// Changes the rule; motions stay.
    pub fn set_rule(&mut self, rule: ContactRule) {
        self.rule = rule;
    }

    /// What acts on all bodies.
    pub fn forces(&self) -> Forces {
        self.forces
    }

    /// Changes what acts on all bodies; a drag that is negative or no number is none.
    pub fn set_forces(&mut self, forces: Forces) {
        self.forces = Forces { drag: forces.drag.max(0.0), ..forces };
        self.begin_anew();
    }

    /// Changes the restitution of all bodies, 0 to 1.
    pub fn set_restitution(&mut self, restitution: f64) {
        let restitution = restitution.clamp(0.0, 1.0);
        self.all.iter_mut().for_each(|flyer| flyer.given.restitution = restitution);
    }

    /// Puts a body somewhere, with other velocities; a number that no body has changes nothing.
    pub fn set_motion(&mut self, number: usize, motion: BodyState) {
        if let Some(flyer) = self.all.get_mut(number) {
            (flyer.motion, flyer.free) = (motion, motion);
        }
        self.begin_anew();
    }

    /// Pushes a body by an impulse in N·s at a point of the world; a number that no body has changes nothing.
    pub fn push(&mut self, number: usize, impulse: DVec3, point: DVec3) {
        let rule = self.rule;
        if let Some(flyer) = self.all.get_mut(number) {
            flyer.push(impulse, point, rule);
        }
        self.begin_anew();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::Cuboid;

    const RULES: [ContactRule; 5] = {
        let rule =
            ContactRule { has_constant_spin: false, has_diagonal_tensor: false, ..ContactRule::PUBLISHED };
        [
            ContactRule::PUBLISHED,
            ContactRule { has_constant_spin: true, ..rule },
            ContactRule { has_diagonal_tensor: true, ..rule },
            rule,
            ContactRule::CURED,
        ]
    };

    /// A cube of side 1.
    fn cube(center: DVec3, velocity: DVec3) -> RigidBody {
        let mesh = Mesh::from_aabb(Aabb { min: DVec3::splat(-0.5), max: DVec3::splat(0.5) });
        RigidBody { position: center, velocity, restitution: 1.0, ..RigidBody::new("cube", mesh) }
    }

    fn room(half: f64) -> Aabb {
        Aabb { min: DVec3::splat(-half), max: DVec3::splat(half) }
    }

    #[test]
    fn a_cube_comes_back_from_a_wall_with_its_energy() {
        for rule in RULES {
            let body = cube(DVec3::new(0.1, 0.2, 0.0), DVec3::X * 3.0);
            let mut flyers = Flyers::new(&[body], room(2.0), rule).unwrap();
            let first = flyers.energy().kinetic;
            let mut farthest: f64 = 0.0;
            for _ in 0..60 {
                flyers.step(0.01);
                farthest = farthest.max(flyers.all[0].motion.center.x);
            }
            // The wall is 1.4 m away: after 46 steps it is not reached, and the 47th is taken back. The rule takes the
            // contact beside the middle of the face, where more edges pierce the wall, so that the cube spins.
            assert!((farthest - (0.1 + 46.0 * 0.03)).abs() < 1e-9, "{farthest}");
            let motion = flyers.all[0].motion;
            assert!(motion.velocity.x < 0.0 && motion.angular_velocity != DVec3::ZERO);
            assert!(flyers.collisions() > 0 && flyers.gains() == 0);
            let energy = flyers.energy().kinetic / first;
            assert!((energy - 1.0).abs() < 1e-12, "{energy}");
        }
    }

    #[test]
    fn what_does_not_step_back_stays_in_the_wall() {
        let rule = ContactRule { step_back: StepBack::Never, ..ContactRule::CURED };
        let mut flyers = Flyers::new(&[cube(DVec3::X * 1.45, DVec3::X * 6.0)], room(2.0), rule).unwrap();
        flyers.step(0.01);
        // 1.45 + 0.06 is a centimetre too far, and there it is turned.
        assert!((flyers.all[0].motion.center.x - 1.51).abs() < 1e-12);
        let contact = flyers.contacts()[0];
        assert_eq!((contact.bodies, contact.normal), ((0, None), DVec3::X));
        assert!((contact.point.x - 2.0).abs() < 1e-12 && contact.impulse > 0.0);
    }

    /// Gravity and drag as their closed form says, for either kind of spin.
    #[test]
    fn forces_act_as_their_equation_says() {
        for rule in [ContactRule::PUBLISHED, ContactRule::CURED] {
            let body = RigidBody { angular_velocity: DVec3::Z * 2.0, ..cube(DVec3::ZERO, DVec3::X) };
            let mut flyers = Flyers::new(&[body], room(1e3), rule).unwrap();
            flyers.set_forces(Forces { gravity: DVec3::Z * -9.81, drag: 0.5 });
            (0..120).for_each(|_| flyers.step(1.0 / 60.0));
            let (left, motion) = (libm::exp(-1.0), flyers.motions().next().unwrap());
            let velocity = DVec3::new(left, 0.0, -9.81 / 0.5 * (1.0 - left));
            assert!((motion.velocity - velocity).length() < 1e-9, "{}", motion.velocity);
            assert!((motion.angular_velocity - DVec3::Z * (2.0 * left)).length() < 1e-9);
            // It has turned by 2/c·(1 − e^(−ct)), about z.
            let turned = 2.0 / 0.5 * (1.0 - left);
            assert!(
                (motion.rotation * DVec3::X - DVec3::new(libm::cos(turned), libm::sin(turned), 0.0)).length()
                    < 1e-9
            );
        }
    }

    #[test]
    fn restitution_leaves_its_share_of_the_speed() {
        let mut flyers =
            Flyers::new(&[cube(DVec3::ZERO, DVec3::X * 3.0)], room(2.0), ContactRule::CURED).unwrap();
        flyers.set_restitution(0.5);
        let point = |flyers: &Flyers| flyers.contacts().first().copied();
        let hit = (0..60).find_map(|_| {
            flyers.step(0.01);
            point(&flyers)
        });
        let hit = hit.unwrap();
        let speed = flyers.motions().next().unwrap().velocity_at(hit.point).dot(hit.normal);
        assert!((speed + 1.5).abs() < 1e-12, "{speed}");
    }

    #[test]
    fn what_is_pushed_too_fast_leaves_and_is_counted() {
        let mut flyers =
            Flyers::new(&[cube(DVec3::ZERO, DVec3::ZERO)], room(2.0), ContactRule::CURED).unwrap();
        let mass = 1000.0;
        flyers.push(0, DVec3::X * (300.0 * mass), DVec3::ZERO);
        flyers.push(7, DVec3::X, DVec3::ZERO);
        flyers.step(1.0 / 60.0);
        assert_eq!(flyers.outside().collect::<Vec<_>>(), [0]);
        let lost = BodyState { center: DVec3::X * 1e7, ..*flyers.motions().next().unwrap() };
        flyers.set_motion(0, lost);
        flyers.step(1.0);
        assert_eq!(flyers.motions().next(), Some(&lost));
    }

    #[test]
    fn two_bodies_exchange_their_momenta_and_keep_the_sum() {
        let other = RigidBody::new("slab", Cuboid::new(DVec3::new(0.4, 0.6, 0.5)).unwrap());
        let other = RigidBody { position: DVec3::new(1.5, 0.3, 0.1), restitution: 1.0, ..other };
        let mut flyers =
            Flyers::new(&[cube(DVec3::ZERO, DVec3::X * 3.0), other], room(50.0), ContactRule::CURED).unwrap();
        let before = flyers.energy();
        (0..120).for_each(|_| flyers.step(0.01));
        let after = flyers.energy();
        assert!(flyers.collisions() > 0 && flyers.motions().nth(1).unwrap().velocity.x > 0.5);
        assert!((after.momentum - before.momentum).length() < 1e-9 * before.momentum.length());
        assert!((after.kinetic / before.kinetic - 1.0).abs() < 1e-12);
    }
}
