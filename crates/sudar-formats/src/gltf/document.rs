//! The part of a glTF document that says where triangles are; everything else in the file is skipped.
//!
//! Names and defaults are those of the specification (Khronos Group 2017, sections 3 and 5). Numbers that
//! name a kind are kept as they stand, so that a wrong one is reported where it is used; indices are not
//! checked here either.

use serde::Deserialize;

/// A whole document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Root {
    pub asset: Asset,
    pub scene: Option<usize>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub meshes: Vec<Mesh>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub extensions_used: Vec<String>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
}

/// Members that only documents of version 1.0 have.
#[derive(Debug, Deserialize)]
pub struct FirstVersion {
    pub meshes: std::collections::BTreeMap<String, serde::de::IgnoredAny>,
}

#[derive(Debug, Deserialize)]
pub struct Asset {
    pub version: String,
}

#[derive(Debug, Deserialize)]
pub struct Scene {
    #[serde(default)]
    pub nodes: Vec<usize>,
}

/// A transform with a mesh, children or both.
#[derive(Debug, Deserialize)]
pub struct Node {
    pub name: Option<String>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    #[serde(default)]
    pub children: Vec<usize>,
    /// Column by column.
    pub matrix: Option<[f32; 16]>,
    pub translation: Option<[f32; 3]>,
    /// Scalar last.
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    /// Whatever the application likes.
    pub extras: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
pub struct Mesh {
    pub name: Option<String>,
    pub primitives: Vec<Primitive>,
}

#[derive(Debug, Deserialize)]
pub struct Primitive {
    pub attributes: Attributes,
    pub indices: Option<usize>,
    #[serde(default = "triangles")]
    pub mode: u32,
    #[serde(default)]
    pub targets: Vec<serde::de::IgnoredAny>,
}

fn triangles() -> u32 {
    4
}

#[derive(Debug, Deserialize)]
pub struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: Option<usize>,
}

/// Numbers in a buffer view.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    /// `SCALAR`, `VEC3` and so on.
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<Sparse>,
}

/// Elements that replace those of a buffer view.
#[derive(Debug, Deserialize)]
pub struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    /// 0: elements follow each other without a gap.
    #[serde(default)]
    pub byte_stride: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
}

/// The type of a number in a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComponentType {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl ComponentType {
    /// By its number in the file, which is that of OpenGL.
    pub fn of(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    /// In bytes.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Whether it can number vertices.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32)
    }
}

/// What the indices of a primitive mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Points,
    Lines,
    Triangles,
    TriangleStrip,
    TriangleFan,
}

impl Mode {
    /// By its number in the file, which is that of OpenGL.
    pub fn of(code: u32) -> Option<Self> {
        Some(match code {
            0 => Self::Points,
            1..=3 => Self::Lines,
            4 => Self::Triangles,
            5 => Self::TriangleStrip,
            6 => Self::TriangleFan,
            _ => return None,
        })
    }
}
