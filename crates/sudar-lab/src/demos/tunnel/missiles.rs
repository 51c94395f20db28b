//! Missiles: balls that fly fast ahead and explode at their first contact (sections 4.3 and 9.1).

use sudar::dynamics::{
    BodyState, BodyType, DynamicsError, Explosion, Filter, Handle, MassSpec, RigidBody, StepReport,
    TouchPhase, World,
};
use sudar::query::Body;
use sudar::{DVec3, Ray, Sphere};

/// Categories of bodies: the fighter, missiles, things that move, and what stands still.
pub const FIGHTER: u32 = 1;
pub const MISSILE: u32 = 2;
pub const THING: u32 = 4;
pub const WALL: u32 = 8;

/// Radius in metres.
pub const RADIUS: f64 = 0.1;

/// Metres ahead of the centre of mass of the fighter where a missile begins, within its nose; the two do not collide.
const MUZZLE: f64 = 1.0;

/// Seconds after which one explodes without a contact.
const LASTS: f64 = 8.0;

/// At the place of an explosion in N·s, and how far it reaches in m.
pub const BLAST: [f64; 2] = [3000.0, 6.0];

/// Bodies below this mass are shot to pieces, in kg; others are thrown.
const SMALL: f64 = 300.0;

/// Missiles in flight.
#[derive(Debug)]
pub struct Missiles {
    body: Body,
    flying: Vec<(Handle, f64)>,
}

/// An explosion of a missile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blast {
    pub at: DVec3,
    /// Whether a body was shot to pieces.
    pub has_destroyed: bool,
}

impl Missiles {
    /// None so far.
    ///
    /// # Errors
    /// None in practice.
    pub fn new() -> Result<Self, sudar::shape::ShapeError> {
        Ok(Self { body: Body::new(Sphere::new(DVec3::ZERO, RADIUS)?), flying: Vec::new() })
    }

    /// Lets one leave the fighter along its nose, so much faster than it.
    pub fn fire(&mut self, world: &mut World, from: &BodyState, speed: f64) -> Result<(), DynamicsError> {
        let ahead = from.rotation * DVec3::X;
        let missile = RigidBody {
            position: from.center + ahead * free_way(world, from.center, ahead),
            velocity: from.velocity + ahead * speed,
            matter: MassSpec::Mass(5.0),
            // Bodies that bounce are advanced to the instant, so that the contact is where they meet.
            restitution: 0.5,
            filter: Filter::new(MISSILE, THING | WALL),
            gravity_scale: 0.0,
            ..RigidBody::new("missile", self.body.clone())
        };
        self.flying.push((world.add(missile)?, 0.0));
        Ok(())
    }

    /// After a step: those that have touched something explode there. The explosion pushes bodies at the start of the
    /// next step.
    pub fn explode(
        &mut self,
        world: &mut World,
        report: &StepReport,
        seconds: f64,
    ) -> Result<Vec<Blast>, DynamicsError> {
        self.flying.iter_mut().for_each(|(_, age)| *age += seconds);
        let mut blasts = Vec::new();
        for (missile, age) in std::mem::take(&mut self.flying) {
            let Some((at, hit)) = contact(world, report, missile)?.or(old(world, missile, age)?) else {
                self.flying.push((missile, age));
                continue;
            };
            world.remove(missile)?;
            let has_destroyed = hit.is_some_and(|body| is_small(world, body));
            if let Some(body) = hit.filter(|_| has_destroyed) {
                world.remove(body)?;
            }
            let [impulse, radius] = BLAST;
            world.schedule_explosion(Explosion { time: world.time(), position: at, impulse, radius })?;
            blasts.push(Blast { at, has_destroyed });
        }
        Ok(blasts)
    }

    /// Those that fly.
    pub fn flying(&self) -> impl Iterator<Item = Handle> + '_ {
        self.flying.iter().map(|(missile, _)| *missile)
    }
}

/// How far ahead of the fighter a missile begins: on the same side of every wall as its middle, also where its nose is
/// in one.
fn free_way(world: &World, center: DVec3, ahead: DVec3) -> f64 {
    let hit = Ray::new(center, ahead).ok();
    let hit = hit.and_then(|ray| world.ray(&ray, MUZZLE + RADIUS, Filter::new(1, THING | WALL)));
    hit.map_or(MUZZLE, |(_, hit)| (hit.t - 1.5 * RADIUS).clamp(0.0, MUZZLE))
}

type Hit = Option<(DVec3, Option<Handle>)>;

/// Where a missile touched in the step, and what.
fn contact(world: &World, report: &StepReport, missile: Handle) -> Result<Hit, DynamicsError> {
    let touch = report.touches.iter().find(|touch| {
        touch.phase != TouchPhase::Ended && (touch.a == Some(missile) || touch.b == Some(missile))
    });
    let Some(touch) = touch else { return Ok(None) };
    let other = if touch.a == Some(missile) { touch.b } else { touch.a };
    let center = world.motion(missile)?.center;
    Ok(Some((report.points(touch).first().map_or(center, |point| point.point), other)))
}

/// Where a missile is that has flown long enough.
fn old(world: &World, missile: Handle, age: f64) -> Result<Hit, DynamicsError> {
    let center = world.motion(missile)?.center;
    Ok((age > LASTS).then_some((center, None)))
}

/// Whether a body is dynamic and small; one that another missile has just shot to pieces is no more.
fn is_small(world: &World, id: Handle) -> bool {
    let body = world.bodies().find(|(known, _)| *known == id).map(|(_, body)| body);
    body.filter(|body| body.kind == BodyType::Dynamic)
        .and_then(|body| body.inertia().ok())
        .is_some_and(|inertia| inertia.mass < SMALL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::dynamics::Settings;
    use sudar::{Cuboid, DQuat};

    const STEP: f64 = 1.0 / 60.0;

    fn world() -> World {
        World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap()
    }

    fn block(name: &str, half: f64, x: f64) -> RigidBody {
        let body = RigidBody::new(name, Cuboid::new(DVec3::splat(half)).unwrap());
        RigidBody { position: DVec3::X * x, matter: MassSpec::Density(100.0), ..body }
    }

    fn from() -> BodyState {
        let (center, velocity) = (DVec3::ZERO, DVec3::X * 7.0);
        BodyState { center, rotation: DQuat::IDENTITY, velocity, angular_velocity: DVec3::ZERO }
    }

    /// The first explosion, and after how many steps.
    fn first(world: &mut World, missiles: &mut Missiles) -> (Blast, u32) {
        for step in 1..=600 {
            let report = world.step(STEP).unwrap();
            if let Some(blast) = missiles.explode(world, &report, STEP).unwrap().pop() {
                return (blast, step);
            }
        }
        panic!("no explosion")
    }

    #[test]
    fn a_missile_explodes_where_it_touches_however_fast_it_is() {
        for speed in [30.0, 100.0, 3000.0] {
            let mut world = world();
            let wall = RigidBody { kind: BodyType::Static, ..block("wall", 5.0, 25.0) };
            world.add(wall).unwrap();
            let mut missiles = Missiles::new().unwrap();
            missiles.fire(&mut world, &from(), speed).unwrap();
            let (blast, steps) = first(&mut world, &mut missiles);
            assert!((blast.at - DVec3::X * 20.0).length() < 0.02, "{speed}: {}", blast.at);
            // It has 20 − 1 − 0.1 m to fly.
            let expected = 18.9 / (speed + 7.0) / STEP;
            assert!((f64::from(steps) - expected.ceil()).abs() <= 1.0, "{speed}: {steps} {expected}");
            assert!(missiles.flying().next().is_none() && world.bodies().count() == 1);
        }
    }

    #[test]
    fn small_bodies_are_shot_to_pieces_and_large_ones_thrown() {
        for (half, is_destroyed) in [(0.6, true), (1.0, false)] {
            let mut world = world();
            let body = world.add(block("block", half, 20.0)).unwrap();
            let mut missiles = Missiles::new().unwrap();
            missiles.fire(&mut world, &from(), 80.0).unwrap();
            let (blast, _) = first(&mut world, &mut missiles);
            assert_eq!(blast.has_destroyed, is_destroyed);
            assert_eq!(world.motion(body).is_err(), is_destroyed);
            if !is_destroyed {
                world.step(STEP).unwrap();
                // The impulse falls to 0 at the radius, and the middle is a metre away.
                let [impulse, radius] = BLAST;
                let thrown = impulse * (1.0 - 1.0 / radius) / 800.0;
                let speed = world.motion(body).unwrap().velocity.x;
                assert!(speed > thrown && speed < thrown + 1.0, "{speed} {thrown}");
            }
        }
    }

    #[test]
    fn missiles_pass_their_fighter_and_each_other_and_end_some_day() {
        let mut world = world();
        let fighter = RigidBody { filter: Filter::new(FIGHTER, !0), ..block("fighter", 2.0, 0.0) };
        let fighter = world.add(fighter).unwrap();
        let mut missiles = Missiles::new().unwrap();
        (0..3).for_each(|_| missiles.fire(&mut world, &from(), 50.0).unwrap());
        let (_, steps) = first(&mut world, &mut missiles);
        assert!((f64::from(steps) * STEP - LASTS).abs() < 2.0 * STEP);
        assert_eq!(world.motion(fighter).unwrap().velocity, DVec3::ZERO);
    }
}
