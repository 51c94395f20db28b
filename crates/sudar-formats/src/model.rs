//! What a file holds: meshes, and the named parts that show them.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sudar::{DVec3, Mesh, Pose};

use crate::levels::{GridAxis, Level};
use crate::{Cause, Note, gltf, solids};

/// Most triangles of [`Model::merged`]: instances are cheap in a file, and their copies are not.
pub const MAX_MERGED: u64 = 1 << 28;

/// The contents of a file.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The meshes, each in the frame of its parts.
    pub meshes: Vec<Arc<Mesh>>,
    /// The parts in the order of the file. Names may repeat.
    pub parts: Vec<Part>,
    /// What was noticed and not refused.
    pub notes: Vec<Note>,
    /// The points of a file that holds points and no faces, such as a scan; then there are no parts.
    pub points: Vec<DVec3>,
    /// What the file says about itself, line by line: `WorldInfo` and `Info` of VRML. Other formats keep none.
    pub info: Vec<String>,
    /// How many metres the number 1 means, if the file says it: 1 in glTF. Most formats keep no unit.
    pub unit: Option<f64>,
    /// Elements of the file that should be parts and are none, or not wholly.
    pub lost: Vec<LostElement>,
    /// The storeys of a building. Other formats than IFC keep none.
    pub levels: Vec<Level>,
    /// The axes of its grids.
    pub axes: Vec<GridAxis>,
}

/// A named piece of a model: a mesh and where it stands. Instances share a mesh.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its name in the file, otherwise the file's name without folder and endings.
    pub name: String,
    /// Which of [`Model::meshes`] it shows.
    pub mesh: usize,
    /// Where it stands.
    pub pose: Pose,
    /// What the file says of it otherwise, keys and values: `extras` of the nodes of glTF; class, identity, storey and
    /// the like of IFC. Other formats keep none.
    pub properties: Vec<(String, String)>,
    /// How far its triangles are at most from the surface that the file means, in the unit of the model: 0 but for
    /// curves of IFC. The corners lie on that surface.
    pub deviation: f64,
    numbers: Vec<Range<u64>>,
}

/// A piece of a file that should be a part and is none, or not wholly.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LostElement {
    /// Its name.
    pub name: String,
    /// What the file says of it otherwise: keys and values.
    #[serde(default)]
    pub properties: Vec<(String, String)>,
    /// Why.
    pub error: String,
}

impl Part {
    pub(crate) fn new(name: String, mesh: usize, pose: Pose, numbers: Vec<Range<u64>>) -> Self {
        Self { name, mesh, pose, properties: Vec::new(), deviation: 0.0, numbers }
    }

    /// The numbers that the part's triangles have in the whole file, in the order of its mesh.
    ///
    /// One range, unless the file comes back to a group that it had left.
    pub fn numbers(&self) -> &[Range<u64>] {
        &self.numbers
    }
}

impl Model {
    /// A model of the given parts. Parts that share a mesh by its [`Arc`] share it in the model.
    pub fn assembled(parts: impl IntoIterator<Item = (String, Arc<Mesh>, Pose)>) -> Self {
        let mut model = Self::default();
        let mut known = std::collections::HashMap::new();
        let mut first = 0;
        for (name, mesh, pose) in parts {
            let count = mesh.triangles().len() as u64;
            let index = *known.entry(Arc::as_ptr(&mesh)).or_insert_with(|| {
                model.meshes.push(mesh);
                model.meshes.len() - 1
            });
            model.parts.push(Part::new(name, index, pose, std::iter::once(first..first + count).collect()));
            first += count;
        }
        model
    }

    /// A model of one part at the origin.
    pub fn from_mesh(name: impl Into<String>, mesh: Mesh) -> Self {
        Self::assembled([(name.into(), Arc::new(mesh), Pose::IDENTITY)])
    }

    /// The parts of that name, in order, each with its number.
    pub fn parts_named(&self, name: &str) -> impl Iterator<Item = (usize, &Part)> {
        self.parts.iter().enumerate().filter(move |(_, part)| part.name == name)
    }

    /// How many triangles all parts have together.
    pub fn triangles(&self) -> u64 {
        let of = |part: &Part| self.meshes.get(part.mesh).map_or(0, |mesh| mesh.triangles().len() as u64);
        self.parts.iter().map(of).sum()
    }

    /// All parts, posed, as one mesh whose triangles are numbered as in the file.
    ///
    /// # Errors
    /// [`Cause::TooMany`] beyond [`MAX_MERGED`] triangles, [`Cause::NoTriangles`] without any,
    /// [`Cause::Mesh`] if a pose carries a vertex too far, [`Cause::NoSuchMesh`].
    pub fn merged(&self) -> Result<Mesh, Cause> {
        if let ([part], [mesh]) = (&*self.parts, &*self.meshes)
            && part.pose == Pose::IDENTITY
            && part.mesh == 0
        {
            return Ok(Mesh::clone(mesh));
        }
        let (vertices, triangles) = self.all_posed()?;
        Mesh::new(vertices, triangles)
            .map_err(|error| Cause::Mesh { part: "of all merged".to_owned(), error })
    }

    /// All coordinates multiplied.
    ///
    /// # Errors
    /// [`Cause::Mesh`], [`Cause::Pose`] if a vertex or a part comes too far out.
    pub fn scaled(mut self, factor: f64) -> Result<Self, Cause> {
        if factor == 1.0 {
            return Ok(self);
        }
        for mesh in &mut self.meshes {
            let scaled = mesh.mapped(|p| p * factor);
            *mesh = Arc::new(scaled.map_err(|error| Cause::Mesh { part: "of the file".to_owned(), error })?);
        }
        self.points.iter_mut().for_each(|p| *p *= factor);
        self.levels.iter_mut().for_each(|level| level.elevation *= factor);
        self.axes.iter_mut().flat_map(|axis| &mut axis.line).flatten().for_each(|x| *x *= factor);
        for part in &mut self.parts {
            let pose = Pose::from_matrix(part.pose.rotation(), part.pose.translation() * factor);
            part.pose = pose.map_err(|error| Cause::Pose { part: part.name.clone(), error })?;
            part.deviation *= factor.abs();
        }
        self.unit = self.unit.map(|unit| unit / factor);
        Ok(self)
    }

    /// The same with a part for each solid, where a mesh has several, with the place and the properties of its part.
    pub(crate) fn by_solids(self) -> Result<Self, Cause> {
        let solids: Vec<Vec<Arc<Mesh>>> = self.meshes.iter().map(solids::solids).collect::<Result<_, _>>()?;
        let (mut parts, mut about) = (Vec::new(), Vec::new());
        let mut taken: HashSet<String> = self.parts.iter().map(|part| part.name.clone()).collect();
        for part in self.parts {
            let missing = || Cause::NoSuchMesh { part: part.name.clone(), mesh: part.mesh };
            let own = solids.get(part.mesh).ok_or_else(missing)?;
            for (number, mesh) in own.iter().enumerate() {
                let name = match own.len() {
                    1 => part.name.clone(),
                    _ => gltf::unique(&format!("{}/solid {}", part.name, number + 1), &mut taken),
                };
                parts.push((name, Arc::clone(mesh), part.pose));
                about.push((part.properties.clone(), part.deviation));
            }
        }
        let mut model =
            Self { notes: self.notes, info: self.info, unit: self.unit, ..Self::assembled(parts) };
        for (part, about) in model.parts.iter_mut().zip(about) {
            (part.properties, part.deviation) = about;
        }
        Ok(model)
    }

    /// The mesh of a part.
    ///
    /// # Errors
    /// [`Cause::NoSuchMesh`] if the part belongs to another model.
    pub fn mesh_of(&self, part: &Part) -> Result<&Arc<Mesh>, Cause> {
        let missing = || Cause::NoSuchMesh { part: part.name.clone(), mesh: part.mesh };
        self.meshes.get(part.mesh).ok_or_else(missing)
    }

    /// The mesh of a part where it stands, its triangles numbered from 0.
    ///
    /// # Errors
    /// [`Cause::NoSuchMesh`], [`Cause::Mesh`] if the pose carries a vertex too far.
    pub fn posed(&self, part: &Part) -> Result<Arc<Mesh>, Cause> {
        let mesh = self.mesh_of(part)?;
        if part.pose == Pose::IDENTITY {
            return Ok(Arc::clone(mesh));
        }
        let posed = mesh.mapped(|p| part.pose.apply(p));
        posed.map(Arc::new).map_err(|error| Cause::Mesh { part: part.name.clone(), error })
    }

    /// The mesh of the one part of this name where it stands.
    ///
    /// # Errors
    /// [`Cause::NoSuchPart`], [`Cause::Namesakes`], and those of [`posed`](Self::posed).
    pub fn mesh_named(&self, name: &str) -> Result<Arc<Mesh>, Cause> {
        let mut named = self.parts_named(name);
        let Some((_, part)) = named.next() else {
            return Err(Cause::NoSuchPart { name: name.to_owned(), known: self.first_names() });
        };
        match named.count() {
            0 => self.posed(part),
            others => Err(Cause::Namesakes { name: name.to_owned(), count: others + 1 }),
        }
    }

    /// The names of the first parts, and how many there are beside them.
    fn first_names(&self) -> String {
        const SHOWN: usize = 8;
        let shown: Vec<&str> = self.parts.iter().take(SHOWN).map(|part| part.name.as_str()).collect();
        let rest = self.parts.len() - shown.len();
        shown.join(", ") + &if rest > 0 { format!(" and {rest} more") } else { String::new() }
    }

    /// The posed vertices of every part after one another, and the triangles in the order of the file.
    fn all_posed(&self) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), Cause> {
        self.check_size()?;
        let mut vertices: Vec<DVec3> = Vec::new();
        let mut pieces = Vec::new();
        for part in &self.parts {
            let mesh = self.mesh_of(part)?;
            let base = vertices.len() as u32;
            vertices.extend(mesh.vertices().iter().map(|&p| part.pose.apply(p)));
            let mut rest = mesh.triangles();
            for range in &part.numbers {
                let length = usize::try_from(range.end - range.start).unwrap_or(usize::MAX).min(rest.len());
                let (piece, after) = rest.split_at(length);
                pieces.push((range.start, base, piece));
                rest = after;
            }
        }
        pieces.sort_by_key(|&(first, base, _)| (first, base));
        let shifted = |base: u32, t: &[u32; 3]| t.map(|i| base + i);
        let triangles =
            pieces.iter().flat_map(|&(_, base, piece)| piece.iter().map(move |t| shifted(base, t))).collect();
        Ok((vertices, triangles))
    }

    /// That there are none, and what there is instead.
    pub(crate) fn no_triangles(&self) -> Cause {
        let found = match self.points.len() {
            0 => String::new(),
            1 => " but a cloud of 1 point".to_owned(),
            n => format!(" but a cloud of {n} points"),
        };
        Cause::NoTriangles { found }
    }

    fn check_size(&self) -> Result<(), Cause> {
        let mut vertices = 0;
        for part in &self.parts {
            vertices += self.mesh_of(part)?.vertices().len() as u64;
        }
        let too_many = |what, count, limit| Err(Cause::TooMany { what, count, limit });
        match self.triangles() {
            0 => Err(self.no_triangles()),
            count if count > MAX_MERGED => too_many("triangles", count, MAX_MERGED),
            _ if vertices > 3 * MAX_MERGED => too_many("vertices", vertices, 3 * MAX_MERGED),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use sudar::Aabb;

    use super::*;

    #[test]
    fn instances_share_a_mesh_and_are_numbered_apart() {
        let cube = Arc::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
        let at = |x: f64| Pose::from_translation(DVec3::new(x, 0.0, 0.0)).unwrap();
        let part = |name: &str, x| (name.to_owned(), Arc::clone(&cube), at(x));
        let model = Model::assembled([part("a", 0.0), part("b", 5.0)]);
        assert_eq!((model.meshes.len(), model.triangles()), (1, 24));
        assert_eq!(model.parts[1].numbers(), std::slice::from_ref(&(12..24)));
        let merged = model.merged().unwrap();
        assert_eq!(merged.aabb(), Aabb { min: DVec3::ZERO, max: DVec3::new(6.0, 1.0, 1.0) });
        assert_eq!(merged.triangle(12).a, cube.triangle(0).a + 5.0 * DVec3::X);
    }

    #[test]
    fn merging_a_flood_of_instances_is_refused() {
        let mesh = Arc::new(Mesh::new(vec![DVec3::ONE], vec![[0; 3]; 1 << 20]).unwrap());
        let part = || ("a".to_owned(), Arc::clone(&mesh), Pose::IDENTITY);
        let model = Model::assembled((0..=MAX_MERGED >> 20).map(|_| part()));
        assert!(matches!(model.merged(), Err(Cause::TooMany { .. })));
    }

    #[test]
    fn an_empty_model_has_nothing_to_merge() {
        assert!(matches!(Model::default().merged(), Err(Cause::NoTriangles { .. })));
    }
}
