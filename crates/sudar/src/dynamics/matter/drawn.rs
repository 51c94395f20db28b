//! A mesh to draw, written down.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::shape::Mesh;

pub fn serialize<S: Serializer>(drawn: &Option<Arc<Mesh>>, to: S) -> Result<S::Ok, S::Error> {
    drawn.as_deref().serialize(to)
}

pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Arc<Mesh>>, D::Error> {
    Ok(Option::<Mesh>::deserialize(from)?.map(Arc::new))
}
