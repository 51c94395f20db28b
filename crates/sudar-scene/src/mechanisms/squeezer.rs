//! A03: Andrews' squeezer, seven bodies in a plane that a torque drives against a spring.
//!
//! Schiehlen 1990, "Multibody Systems Handbook"; data and solution: Mazzia and Magherini 2008, "Test set for initial
//! value problem solvers", problem Andrews.

use sudar::dynamics::{DynamicsError, Handle, Joint, Softness};
use sudar::{DQuat, DVec3};

use super::{Mechanism, empty, part};

/// The squeezer, and the bodies whose angles are its coordinates.
#[derive(Debug, Clone)]
pub struct Squeezer {
    /// Its bodies, K1 to K7; the joint of the first three rods is watched.
    pub mechanism: Mechanism,
}

/// Angles at the start, from which the bodies of the world are turned: β, Θ, γ, Φ, δ, Ω, ε.
const START: [f64; 7] = [
    -0.061_713_890_014_276_45,
    0.0,
    0.455_279_819_163_070_4,
    0.222_668_390_165_885_9,
    0.487_364_979_543_842_55,
    -0.222_668_390_165_885_9,
    1.230_547_444_549_821_2,
];
/// Masses, and moments about the centres.
const MASSES: [(f64, f64); 7] = [
    (0.043_25, 2.194e-6),
    (0.003_65, 4.410e-7),
    (0.023_73, 5.255e-6),
    (0.007_06, 5.667e-7),
    (0.070_50, 1.169e-5),
    (0.007_06, 5.667e-7),
    (0.054_98, 1.912e-5),
];
const A: DVec3 = DVec3::new(-0.069_34, -0.002_27, 0.0);
const B: DVec3 = DVec3::new(-0.036_35, 0.032_73, 0.0);
const C: DVec3 = DVec3::new(0.014, 0.072, 0.0);

fn at(angle: f64) -> DVec3 {
    DVec3::new(libm::cos(angle), libm::sin(angle), 0.0)
}

fn turn(angle: f64) -> DQuat {
    DQuat::from_xyzw(0.0, 0.0, libm::sin(0.5 * angle), libm::cos(0.5 * angle))
}

/// Andrews' squeezer at rest.
///
/// # Errors
/// Those of [`World::add`](sudar::dynamics::World::add) and `join`.
pub fn squeezer(substeps: u32) -> Result<Squeezer, DynamicsError> {
    let mut world = empty(DVec3::ZERO, substeps)?;
    let [beta, theta, gamma, phi, delta, omega, epsilon] = START;
    // Directions of the rods; those of K3, K4 and K7 are a quarter turn behind their angles.
    let quarter = std::f64::consts::FRAC_PI_2;
    let angles = [beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon];
    let elbow = at(beta) * 0.007;
    let e = elbow - at(beta + theta) * 0.028;
    let (g, h) = (A + at(delta) * 0.04, A + at(epsilon - quarter) * 0.04);
    let pivoted = |pivot: DVec3, angle: f64, x: f64, y: f64| pivot + turn(angle) * DVec3::new(x, y, 0.0);
    let centers = [
        at(beta) * 0.000_92,
        elbow - at(beta + theta) * 0.0115,
        pivoted(B, gamma, 0.010_43, -0.018_74),
        g + at(phi + delta - quarter) * (0.02 - 0.014_21),
        pivoted(A, delta, 0.023_08, 0.009_16),
        h + at(omega + epsilon) * (0.02 - 0.014_21),
        pivoted(A, epsilon, 0.004_49, -0.012_28),
    ];
    let mut bodies: Vec<Handle> = Vec::new();
    for (k, (mass, moment)) in MASSES.into_iter().enumerate() {
        let moments = DVec3::new(0.6 * moment, 0.6 * moment, moment);
        let half = DVec3::new(0.012, 0.002, 0.002);
        bodies.push(world.add(part(
            &format!("K{}", k + 1),
            half,
            (mass, moments),
            (centers[k], turn(angles[k])),
        )?)?);
    }
    let hinge =
        |a: Option<usize>, b: usize, pivot| Joint::hinge(a.map(|k| bodies[k]), bodies[b], pivot, DVec3::Z);
    let all = [
        hinge(None, 0, DVec3::ZERO),
        hinge(Some(0), 1, elbow),
        hinge(None, 2, B),
        hinge(Some(1), 2, e),
        hinge(Some(1), 3, e),
        hinge(Some(1), 5, e),
        hinge(None, 4, A),
        hinge(Some(4), 3, g),
        hinge(None, 6, A),
        hinge(Some(6), 5, h),
    ];
    for joint in all {
        world.join(joint)?;
    }
    let d = pivoted(B, gamma, 0.02, -0.018);
    let softness = Softness::Stiffness { stiffness: 4530.0, damping: 0.0 };
    world.join(Joint::spring(None, bodies[2], [C, d], 0.077_85, softness))?;
    world.modify(bodies[0], |body| body.torque = DVec3::Z * 0.033)?;
    let local = turn(-(beta + theta)) * (e - centers[1]);
    Ok(Squeezer { mechanism: Mechanism { world, watched: (bodies[1], local), bodies } })
}

impl Squeezer {
    /// The coordinates β, Θ, γ, Φ, δ, Ω, ε, angles but for whole turns, and their rates.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`] if a body was removed.
    pub fn coordinates(&self) -> Result<[[f64; 7]; 2], DynamicsError> {
        let Mechanism { world, bodies, .. } = &self.mechanism;
        let mut own = [[0.0; 2]; 7];
        for (own, body) in own.iter_mut().zip(bodies) {
            let motion = world.motion(*body)?;
            *own = [2.0 * libm::atan2(motion.rotation.z, motion.rotation.w), motion.angular_velocity.z];
        }
        let value = |k: usize| {
            let [first, second, third, fourth, fifth, sixth, seventh] = own.map(|pair| pair[k]);
            [first, second - first, third, fourth - fifth, fifth, sixth - seventh, seventh]
        };
        Ok([value(0), value(1)])
    }
}
