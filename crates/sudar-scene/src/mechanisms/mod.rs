//! Mechanisms with published or computed reference values, made of bodies and joints.
//!
//! A01 to A05 are problems of the IFToMM library of computational benchmark problems.

mod linkages;
mod spatial;
mod squeezer;

pub use linkages::{double_pendulum, four_bar, four_bars, pendulum, slider_crank};
pub use spatial::{bricard, governor, gyroscope};
pub use squeezer::{Squeezer, squeezer};

use sudar::broad::Filter;
use sudar::dynamics::{DynamicsError, Handle, MassSpec, RigidBody, Settings, World};
use sudar::{Cuboid, DMat3, DQuat, DVec3};

/// Bodies joined to each other, and a point of one of them to watch.
#[derive(Debug, Clone)]
pub struct Mechanism {
    /// The world that it is in.
    pub world: World,
    /// Its bodies.
    pub bodies: Vec<Handle>,
    /// The body of the point, and where it is in the frame of that.
    pub watched: (Handle, DVec3),
}

impl Mechanism {
    /// Where the watched point is, and how fast it goes.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`] if the body was removed.
    pub fn point(&self) -> Result<[DVec3; 2], DynamicsError> {
        let (body, local) = self.watched;
        let (position, rotation) = self.world.frame(body)?;
        let point = position + rotation * local;
        Ok([point, self.world.motion(body)?.velocity_at(point)])
    }

    /// Steps until a time, by equal steps of about a length.
    ///
    /// # Errors
    /// Those of [`World::step`].
    pub fn run(&mut self, until: f64, step: f64) -> Result<(), DynamicsError> {
        let count = (until / step).round().max(1.0);
        for _ in 0..count as u64 {
            self.world.step(until / count)?;
        }
        Ok(())
    }
}

/// A world without bodies, under a gravity, with so many sub-steps in a step.
fn empty(gravity: DVec3, substeps: u32) -> Result<World, DynamicsError> {
    World::new(Settings { gravity, substeps, sleeps: false, ..Settings::default() })
}

/// A body that meets no other: a box of these half edges, of a mass and principal moments, at a place.
fn part(
    name: &str,
    half: DVec3,
    (mass, moments): (f64, DVec3),
    at: (DVec3, DQuat),
) -> Result<RigidBody, DynamicsError> {
    let shape = Cuboid::new(half).map_err(|error| DynamicsError::Body {
        body: name.to_owned(),
        key: "shape",
        problem: error.to_string(),
    })?;
    let matter = MassSpec::Given { mass, inertia: DMat3::from_diagonal(moments), center: DVec3::ZERO };
    let filter = Filter { mask: 0, ..Filter::ALL };
    Ok(RigidBody { matter, filter, position: at.0, rotation: at.1, ..RigidBody::new(name, shape) })
}

/// A slender rod of a mass and length along its x axis, from one point to another.
fn rod(name: &str, mass: f64, ends: [DVec3; 2]) -> Result<RigidBody, DynamicsError> {
    let way = ends[1] - ends[0];
    let length = way.length();
    let moment = mass * length * length / 12.0;
    // Moments must be possible; about its own axis none counts.
    let moments = DVec3::new(1e-3 * moment, moment, moment);
    let turn = DQuat::from_rotation_arc(DVec3::X, way / length);
    part(name, DVec3::new(0.5 * length, 0.02, 0.02), (mass, moments), ((ends[0] + ends[1]) * 0.5, turn))
}
