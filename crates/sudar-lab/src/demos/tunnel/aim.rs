//! Where the nose of the fighter points.

use sudar::dynamics::{BodyState, Filter, World};
use sudar::{DVec3, Ray};

use super::missiles::{THING, WALL};

/// The line of sight ends here, in metres.
const FAR: f64 = 400.0;

/// Metres from the centre of mass to the tip of the nose.
const NOSE: f64 = 2.0;

/// From the nose to what is hit first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aim {
    pub from: DVec3,
    pub to: DVec3,
    /// In metres; `None`: nothing is near enough.
    pub distance: Option<f64>,
}

impl Aim {
    /// Along the nose of a fighter, which is not hit itself.
    pub fn of(fighter: &BodyState, world: &World) -> Option<Self> {
        let ahead = fighter.rotation * DVec3::X;
        let from = fighter.center + ahead * NOSE;
        let ray = Ray::new(from, ahead).ok()?;
        let hit = world.ray(&ray, FAR, Filter::new(1, THING | WALL)).map(|(_, hit)| hit.t);
        Some(Self { from, to: from + ahead * hit.unwrap_or(FAR), distance: hit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demos::tunnel::missiles::FIGHTER;
    use sudar::dynamics::{RigidBody, Settings};
    use sudar::{Cuboid, DQuat};

    #[test]
    fn the_first_thing_ahead_is_aimed_at() {
        let mut world = World::new(Settings::default()).unwrap();
        let block = RigidBody::fixed("block", Cuboid::new(DVec3::ONE).unwrap());
        for (x, category) in [(0.0, FIGHTER), (5.0, FIGHTER), (30.0, THING), (60.0, WALL)] {
            let filter = Filter::new(category, !0);
            world.add(RigidBody { position: DVec3::X * x, filter, ..block.clone() }).unwrap();
        }
        let (center, velocity) = (DVec3::ZERO, DVec3::ZERO);
        let fighter = |rotation| BodyState { center, rotation, velocity, angular_velocity: DVec3::ZERO };
        let aim = Aim::of(&fighter(DQuat::IDENTITY), &world).unwrap();
        assert_eq!((aim.to, aim.distance), (DVec3::X * 29.0, Some(27.0)));
        let aim = Aim::of(&fighter(DQuat::from_rotation_z(1.0)), &world).unwrap();
        assert_eq!(aim.distance, None);
    }
}
