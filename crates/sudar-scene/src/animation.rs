//! A run as animated nodes of glTF 2.0.

use std::sync::Arc;

use serde_json::{Value, json};
use sudar::dynamics::{BodyType, DynamicsError, Handle, World};
use sudar::query::Body;
use sudar::{DQuat, DVec3, Mesh, Pose, Shape};
use sudar_formats::{Cause, glb};

/// Where bodies are, time after time, as animated nodes of glTF 2.0.
#[derive(Debug, Clone)]
pub struct Animation {
    bodies: Vec<Track>,
    times: Vec<f32>,
}

#[derive(Debug, Clone)]
struct Track {
    id: Handle,
    name: String,
    mesh: Option<Arc<Mesh>>,
    moves: bool,
    places: Vec<DVec3>,
    turns: Vec<DQuat>,
}

impl Animation {
    /// An animation of the bodies that the world has now, without a moment yet.
    pub fn new(world: &World) -> Self {
        let track = |(id, body): (Handle, &sudar::dynamics::RigidBody)| Track {
            id,
            name: body.name.clone(),
            mesh: body.drawn.clone().or_else(|| drawn(&body.body)),
            moves: body.kind != BodyType::Static,
            places: Vec::new(),
            turns: Vec::new(),
        };
        Self { bodies: world.bodies().map(track).collect(), times: Vec::new() }
    }

    /// Adds where all bodies are now; `time` in seconds, later than the last.
    ///
    /// # Errors
    /// [`DynamicsError`] if a body is no more.
    pub fn add(&mut self, time: f64, world: &World) -> Result<(), DynamicsError> {
        self.times.push(time as f32);
        for track in self.bodies.iter_mut().filter(|track| track.moves || track.places.is_empty()) {
            let (place, turn) = world.frame(track.id)?;
            // The nearer of q and −q, so that players turn the short way.
            let back = track.turns.last().is_some_and(|last| last.dot(turn) < 0.0);
            track.places.push(place);
            track.turns.push(if back { -turn } else { turn });
        }
        Ok(())
    }

    /// The binary file: a node a body, with its mesh; half-spaces are drawn as squares, round bodies as hulls of points
    /// on them.
    ///
    /// # Errors
    /// [`Cause::TooMany`] beyond 4 GiB.
    pub fn glb(&self) -> Result<Vec<u8>, Cause> {
        let mut buffer = Buffer::default();
        let times: Vec<[f32; 1]> = self.times.iter().map(|t| [*t]).collect();
        let input = buffer.floats(&times, "SCALAR", true);
        let (mut nodes, mut meshes, mut samplers, mut channels) = (vec![], vec![], vec![], vec![]);
        for track in &self.bodies {
            let (Some(place), Some(turn)) = (track.places.first(), track.turns.first()) else { continue };
            let mut node = json!({
                "name": track.name,
                "translation": place.to_array().map(|x| x as f32),
                "rotation": turn.to_array().map(|x| x as f32),
            });
            if let Some(mesh) = &track.mesh {
                node["mesh"] = json!(meshes.len());
                meshes.push(buffer.mesh(mesh));
            }
            if track.moves {
                let places: Vec<[f32; 3]> =
                    track.places.iter().map(|p| p.to_array().map(|x| x as f32)).collect();
                let turns: Vec<[f32; 4]> =
                    track.turns.iter().map(|q| q.to_array().map(|x| x as f32)).collect();
                let outputs = [
                    ("translation", buffer.floats(&places, "VEC3", false)),
                    ("rotation", buffer.floats(&turns, "VEC4", false)),
                ];
                for (path, output) in outputs {
                    channels.push(
                        json!({"sampler": samplers.len(), "target": {"node": nodes.len(), "path": path}}),
                    );
                    samplers.push(json!({"input": input, "output": output, "interpolation": "LINEAR"}));
                }
            }
            nodes.push(node);
        }
        let mut document = json!({
            "asset": {"version": "2.0", "generator": "Sudar"},
            "scene": 0,
            "scenes": [{"nodes": (0..nodes.len()).collect::<Vec<_>>()}],
            "nodes": nodes,
            "accessors": buffer.accessors,
            "bufferViews": buffer.views,
            "buffers": [{"byteLength": buffer.bytes.len()}],
        });
        // Empty lists are not allowed.
        if !meshes.is_empty() {
            document["meshes"] = Value::Array(meshes);
        }
        if !channels.is_empty() {
            document["animations"] =
                json!([{"name": "simulation", "samplers": samplers, "channels": channels}]);
        }
        glb(document.to_string().into_bytes(), buffer.bytes)
    }
}

#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    accessors: Vec<Value>,
    views: Vec<Value>,
}

impl Buffer {
    /// Appends numbers and returns their accessor.
    fn floats<const N: usize>(&mut self, rows: &[[f32; N]], kind: &str, bounded: bool) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(rows.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        let mut accessor =
            json!({"bufferView": self.views.len(), "componentType": 5126, "count": rows.len(), "type": kind});
        if bounded {
            let end = |k: usize, better: fn(f32, f32) -> f32| {
                rows.iter().map(|row| row[k]).reduce(better).unwrap_or(0.0)
            };
            accessor["min"] = (0..N).map(|k| end(k, f32::min)).collect();
            accessor["max"] = (0..N).map(|k| end(k, f32::max)).collect();
        }
        self.view(start, accessor)
    }

    fn view(&mut self, start: usize, accessor: Value) -> usize {
        self.views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start}));
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn mesh(&mut self, mesh: &Mesh) -> Value {
        let points: Vec<[f32; 3]> = mesh.vertices().iter().map(|p| p.to_array().map(|x| x as f32)).collect();
        let position = self.floats(&points, "VEC3", true);
        let start = self.bytes.len();
        self.bytes.extend(mesh.triangles().as_flattened().iter().flat_map(|i| i.to_le_bytes()));
        let count = 3 * mesh.triangles().len();
        let accessor =
            json!({"bufferView": self.views.len(), "componentType": 5125, "count": count, "type": "SCALAR"});
        let indices = self.view(start, accessor);
        json!({"primitives": [{"attributes": {"POSITION": position}, "indices": indices}]})
    }
}

/// Half the side of the square that stands for a half-space.
const SQUARE: f64 = 20.0;

/// How far triangles may be from a round body, beside its longest side.
const COARSE: f64 = 0.01;

/// The triangles that stand for a body.
fn drawn(body: &Body) -> Option<Arc<Mesh>> {
    if !body.parts().is_empty() {
        return together(body);
    }
    if let Shape::Halfspace(h) = body.shape() {
        let normal = h.normal.normalize();
        let across = normal.any_orthonormal_vector();
        let [s, t] = [across, normal.cross(across)].map(|v| v * SQUARE);
        let middle = normal * (h.offset / h.normal.length());
        let corners = vec![middle - s - t, middle + s - t, middle + s + t, middle - s + t];
        return Mesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).ok().map(Arc::new);
    }
    if let Some(mesh) = body.mesh() {
        return Some(Arc::clone(mesh));
    }
    let size = body.aabb(&Pose::IDENTITY).extent().max_element();
    Mesh::from_shape(body.shape(), COARSE * size).ok().map(|round| Arc::new(round.mesh))
}

/// The parts of a compound as one mesh.
fn together(body: &Body) -> Option<Arc<Mesh>> {
    let posed = |(part, pose): &(Body, Pose)| drawn(part)?.mapped(|p| pose.apply(p)).ok();
    let parts: Option<Vec<Mesh>> = body.parts().iter().map(posed).collect();
    Mesh::joined(&parts?).ok().map(Arc::new)
}
