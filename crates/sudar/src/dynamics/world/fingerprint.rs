//! A number that tells whether two worlds are the same to the bit.

use crate::dynamics::matter::{BodyState, Rigid};
use crate::dynamics::solver::Held;

/// Bits of the numbers of bodies.
const BITS: usize = 32;

/// What a world is after a step, in a few numbers, however many bodies it has: for lockstep and recordings. Two worlds
/// that differ in any bit of what moves have different fingerprints, but for one in 2⁶⁴; and where a single body
/// differs, they say which.
///
/// ```
/// use sudar::dynamics::{Odd, RigidBody, Settings, World};
/// use sudar::{DVec3, Sphere};
///
/// let mut world = World::new(Settings::default())?;
/// let mut add = |x: f64| -> Result<_, Box<dyn std::error::Error>> {
///     let ball = RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.5)?);
///     Ok(world.add(RigidBody { position: DVec3::X * x, ..ball })?)
/// };
/// let [_, b, _] = [add(0.0)?, add(2.0)?, add(4.0)?];
/// let mut other = world.clone();
/// world.step(1.0 / 60.0)?;
/// other.step(1.0 / 60.0)?;
/// assert!(world.fingerprint() == other.fingerprint());
/// other.apply_impulse(b, DVec3::X * 1e-9, DVec3::ZERO)?;
/// assert_eq!(world.fingerprint().compare(&other.fingerprint()), Odd::One(b.index()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fingerprint {
    /// Of all that moves, joints among it.
    pub whole: u64,
    /// The sum over all bodies, and over those whose number has a bit.
    bodies: u32,
    parts: [u32; BITS],
}

/// In what two worlds differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Odd {
    /// In nothing.
    Nothing,
    /// In one body, by its number.
    One(u32),
    /// In several bodies.
    Several,
    /// Not in bodies: in joints or in time.
    Else,
}

impl Fingerprint {
    /// Of a time, of bodies that are here, and of joints with their numbers and generations.
    pub(super) fn of<'r>(
        time: f64,
        rigids: impl Iterator<Item = &'r Rigid>,
        joints: impl Iterator<Item = (u32, u32, &'r Held)>,
    ) -> Self {
        let mut found = Self { whole: time.to_bits(), bodies: 0, parts: [0; BITS] };
        for rigid in rigids {
            let own = of_body(rigid);
            found.whole = found.whole.wrapping_add(own);
            // The upper half is the better mixed one.
            let short = (own >> 32) as u32;
            found.bodies = found.bodies.wrapping_add(short);
            for (bit, part) in found.parts.iter_mut().enumerate() {
                if rigid.slot >> bit & 1 == 1 {
                    *part = part.wrapping_add(short);
                }
            }
        }
        for (number, generation, held) in joints {
            let own = [held.turned.to_bits(), u64::from(number), u64::from(generation)];
            found.whole = found.whole.wrapping_add(mixed(own));
        }
        found
    }

    /// In what two worlds differ whose fingerprints these are.
    pub fn compare(&self, other: &Self) -> Odd {
        if self == other {
            return Odd::Nothing;
        }
        let mut number = 0;
        let mut is_any = self.bodies != other.bodies;
        for (bit, (a, b)) in self.parts.iter().zip(&other.parts).enumerate() {
            let with = a != b;
            let without = self.bodies.wrapping_sub(*a) != other.bodies.wrapping_sub(*b);
            is_any |= with;
            if with && without {
                return Odd::Several;
            }
            number |= u32::from(with) << bit;
        }
        if is_any { Odd::One(number) } else { Odd::Else }
    }
}

fn of_body(rigid: &Rigid) -> u64 {
    let BodyState { center, rotation, velocity, angular_velocity } = rigid.motion;
    let vectors = [center, velocity, angular_velocity].map(|v| v.to_array());
    let numbers = vectors.into_iter().flatten().chain(rotation.to_array()).chain([rigid.slow_for]);
    let state = [u64::from(rigid.slot), u64::from(rigid.generation), u64::from(rigid.asleep)];
    mixed(numbers.map(f64::to_bits).chain(state))
}

/// Numbers mixed one after another: the finaliser of splitmix64 (Steele, Lea and Flood 2014, "Fast splittable
/// pseudorandom number generators").
fn mixed(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0x9E37_79B9_7F4A_7C15, |hash: u64, number| {
        let mut z = hash.wrapping_add(number).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    })
}
