//! A world written down with the shapes of its bodies.

use super::snapshot::Snapshot;

/// A world to be written down whole, with the shapes of its bodies, each once however many bodies have it; and read
/// again anywhere. [`World`](super::World) is written by serde as this.
///
/// A response goes by its name: a world of another one than [`SoftContacts`](crate::dynamics::SoftContacts) is read as
/// this, and told which. What is code is not written: a [`ContactRule`](crate::dynamics::ContactRule) of your own is an
/// error.
#[cfg_attr(
    feature = "serde",
    doc = r#"
```
use sudar::dynamics::{RigidBody, Settings, World};
use sudar::{DVec3, Sphere};

let mut world = World::new(Settings::default())?;
world.add(RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.5)?))?;
let text = serde_json::to_string(&world)?;
let mut other: World = serde_json::from_str(&text)?;
world.step(1.0 / 60.0)?;
other.step(1.0 / 60.0)?;
assert!(world.fingerprint() == other.fingerprint());
# Ok::<(), Box<dyn std::error::Error>>(())
```"#
)]
#[derive(Debug, Clone)]
pub struct SavedWorld(pub(super) Snapshot);

impl SavedWorld {
    /// The name of its response, and the parameters of that in words.
    pub fn response(&self) -> [&str; 2] {
        self.0.response()
    }
}

#[cfg(feature = "serde")]
mod written {
    use std::borrow::Cow;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use glam::DVec3;
    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{SavedWorld, Snapshot};
    use crate::dynamics::matter::RigidBody;
    use crate::query::Body;
    use crate::shape::Shape;

    /// The state, each shape once, and of each place the number of the shape and the body that has it.
    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Written<'s> {
        state: Cow<'s, Snapshot>,
        shapes: Vec<Body>,
        bodies: Vec<Option<(usize, RigidBody)>>,
    }

    /// What tells shapes apart: meshes by where they are, others by the body that they are.
    fn key(body: &Body) -> (u8, u64) {
        if let Shape::Mesh(mesh) = body.shape() {
            (0, Arc::as_ptr(mesh) as usize as u64)
        } else if let Shape::Solid(solid) = body.shape() {
            (1, Arc::as_ptr(solid.mesh()) as usize as u64)
        } else {
            (2, body.identity().number())
        }
    }

    impl Serialize for SavedWorld {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut known = BTreeMap::new();
            let (mut shapes, mut bodies) = (Vec::new(), Vec::new());
            for (saved, given) in self.0.given() {
                let Some(given) = given else {
                    if saved {
                        return Err(S::Error::custom("a snapshot that was read from a text has no shapes"));
                    }
                    bodies.push(None);
                    continue;
                };
                let number = *known.entry(key(&given.body)).or_insert_with(|| {
                    shapes.push(given.body.clone());
                    shapes.len() - 1
                });
                bodies.push(Some((number, RigidBody { body: DVec3::ZERO.into(), ..(**given).clone() })));
            }
            Written { state: Cow::Borrowed(&self.0), shapes, bodies }.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for SavedWorld {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Written { state, shapes, bodies } = Written::deserialize(deserializer)?;
            let mut given = Vec::new();
            for place in bodies {
                let with_shape = |(number, body): (usize, RigidBody)| {
                    let shape = shapes.get(number).cloned();
                    shape.map(|shape| Arc::new(RigidBody { body: shape, ..body }))
                };
                let missing = || D::Error::custom("a body has a shape that is not there");
                given.push(place.map(|place| with_shape(place).ok_or_else(missing)).transpose()?);
            }
            state.into_owned().with_given(given).map(SavedWorld).map_err(D::Error::custom)
        }
    }
}
