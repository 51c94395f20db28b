//! The meshes of `asset`: read when a geom first needs one.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use sudar::hull::convex_hull;
use sudar::math::symmetric_eigen;
use sudar::{DVec3, Hull};

use super::attributes::Attributes;
use super::compiler::{Compiler, MeshMass};
use super::defaults::Defaults;
use super::document::Document;
use super::fault::{MjcfFault, Place};
use super::mass::{Measure, of_triangles};
use super::orientation;
use crate::frame::Frame;
use crate::notes::Notes;
use crate::{LoadOptions, RobotError};

/// A mesh as an element names it.
#[derive(Debug)]
struct Asset {
    name: String,
    place: Place,
    /// The file, or the points and corners of triangles that the element has itself.
    file: Option<String>,
    points: Vec<DVec3>,
    corners: Vec<[usize; 3]>,
    /// What moves its points: seen from the reference, then scaled.
    scale: DVec3,
    reference: Frame,
    mass: MeshMass,
}

/// The triangles of a mesh, and the points where it has none.
#[derive(Debug)]
pub(super) struct Mesh {
    pub hull: Hull,
    triangles: Vec<[DVec3; 3]>,
    mass: MeshMass,
}

/// All meshes of a model.
pub(super) struct Meshes<'m> {
    assets: Vec<Asset>,
    names: HashMap<String, usize>,
    read: HashMap<usize, Option<Rc<Mesh>>>,
    /// Names of meshes that are left out.
    unread: HashSet<String>,
    folder: &'m Path,
    options: &'m LoadOptions,
}

impl<'m> Meshes<'m> {
    pub fn read(
        document: &Document,
        defaults: &Defaults,
        compiler: &Compiler,
        (folder, options): (&'m Path, &'m LoadOptions),
        notes: &mut Notes,
    ) -> Result<Self, RobotError> {
        let mut meshes = Self {
            assets: Vec::new(),
            names: HashMap::new(),
            read: HashMap::new(),
            unread: HashSet::new(),
            folder,
            options,
        };
        for element in document.within("asset").filter(|element| element.name == "mesh") {
            let found = defaults.of("mesh", element, None)?;
            if document.children(element).any(|child| child.name == "plugin")
                || found.get("builtin").is_some()
            {
                notes.add(&found.place, &found.label, "meshes that a program makes are not read");
                meshes.unread.extend(found.get("name").map(str::to_owned));
                continue;
            }
            let asset = asset(&found, compiler)?;
            if meshes.names.insert(asset.name.clone(), meshes.assets.len()).is_some() {
                return Err(found.refuse(MjcfFault::Twice { what: "meshes", name: asset.name }));
            }
            meshes.assets.push(asset);
        }
        Ok(meshes)
    }

    /// The mesh of this name; none of one that is left out.
    pub fn get(
        &mut self,
        found: &Attributes,
        name: &str,
        notes: &mut Notes,
    ) -> Result<Option<Rc<Mesh>>, RobotError> {
        if self.unread.contains(name) {
            return Ok(None);
        }
        let number = self.names.get(name).copied().ok_or_else(|| found.unknown("mesh", name))?;
        if let Some(mesh) = self.read.get(&number) {
            return Ok(mesh.clone());
        }
        let asset = &self.assets[number];
        let mesh = match &asset.file {
            None => Some(asset.mesh(&asset.points, &asset.corners)?),
            Some(file) => match self.find(file) {
                Some(path) => match asset.load(&path) {
                    Err(error) if self.options.skip_missing_meshes => {
                        let what = format!("cannot be read and is not checked: {error}");
                        notes.add(&asset.place, &format!("mesh '{name}'"), &what);
                        None
                    }
                    loaded => Some(loaded?),
                },
                None if self.options.skip_missing_meshes => {
                    notes.add(
                        &asset.place,
                        &format!("mesh '{name}'"),
                        "its file is not found and not checked",
                    );
                    None
                }
                None => {
                    let why = format!("{file} is not found; check meshdir, or have missing meshes skipped");
                    return Err(asset.refuse(why));
                }
            },
        };
        let mesh = mesh.map(Rc::new);
        self.read.insert(number, mesh.clone());
        Ok(mesh)
    }

    fn find(&self, file: &str) -> Option<PathBuf> {
        let path = self.folder.join(file);
        path.is_file().then_some(path)
    }
}

fn asset(found: &Attributes, compiler: &Compiler) -> Result<Asset, RobotError> {
    let file = found.get("file").map(|file| {
        let file = if compiler.strips_path { file.rsplit(['/', '\\']).next().unwrap_or(file) } else { file };
        compiler.mesh_folder.join(file).display().to_string()
    });
    let stem = || {
        let stem = Path::new(found.get("file")?).file_stem()?;
        Some(stem.to_string_lossy().into_owned())
    };
    let name = found.need("name", found.get("name").map(str::to_owned).or_else(stem))?;
    let refquat = match found.numbers::<4>("refquat")? {
        None => Frame::IDENTITY,
        Some(quat) => orientation::quaternion(quat).ok_or_else(|| {
            found.refuse(MjcfFault::Direction { of: found.label.clone(), attribute: "refquat" })
        })?,
    };
    let refpos = found.numbers::<3>("refpos")?.map_or(DVec3::ZERO, DVec3::from);
    let masses = [MeshMass::Convex, MeshMass::Exact, MeshMass::Legacy, MeshMass::Shell];
    let mass = found.word("inertia", &["convex", "exact", "legacy", "shell"])?;
    let (points, corners) = if file.is_some() { (Vec::new(), Vec::new()) } else { inline(found)? };
    Ok(Asset {
        name,
        place: found.place.clone(),
        file,
        points,
        corners,
        scale: found.numbers::<3>("scale")?.map_or(DVec3::ONE, DVec3::from),
        reference: Frame { t: refpos, ..refquat },
        mass: mass.map_or(compiler.mesh_mass, |mass| masses[mass]),
    })
}

/// The points and triangles that an element has itself.
fn inline(found: &Attributes) -> Result<(Vec<DVec3>, Vec<[usize; 3]>), RobotError> {
    let numbers = found.list("vertex", 0, usize::MAX)?;
    let numbers = found.need("file", numbers)?;
    let by_three = |attribute, count: usize| {
        let (of, expected) = (found.label.clone(), "three for each".to_owned());
        found.refuse(MjcfFault::Count { of, attribute, found: count, expected })
    };
    if !numbers.len().is_multiple_of(3) || numbers.is_empty() {
        return Err(by_three("vertex", numbers.len()));
    }
    let points: Vec<DVec3> = numbers.chunks_exact(3).map(DVec3::from_slice).collect();
    let faces = found.list("face", 0, usize::MAX)?.unwrap_or_default();
    if !faces.len().is_multiple_of(3) {
        return Err(by_three("face", faces.len()));
    }
    let corner = |x: f64| (x >= 0.0 && x == x.trunc() && x < points.len() as f64).then_some(x as usize);
    let corners = faces
        .chunks_exact(3)
        .map(|face| Some([corner(face[0])?, corner(face[1])?, corner(face[2])?]))
        .collect::<Option<Vec<_>>>();
    let corners = corners.ok_or_else(|| {
        let why = "a number of face is that of no vertex".to_owned();
        found.refuse(MjcfFault::Shape { of: found.label.clone(), why })
    })?;
    Ok((points, corners))
}

impl Asset {
    fn refuse(&self, why: String) -> RobotError {
        self.place.refuse(MjcfFault::Mesh { mesh: self.name.clone(), why })
    }

    /// Reads the file, all its parts together.
    fn load(&self, path: &Path) -> Result<Mesh, RobotError> {
        let refused = |why: String| self.refuse(why.split_whitespace().collect::<Vec<_>>().join(" "));
        let model = sudar_formats::read(path).map_err(|error| refused(error.to_string()))?;
        // A file without faces is a cloud of points, of which the hull is meant.
        let (mut points, mut corners) = (model.points.clone(), Vec::new());
        for part in &model.parts {
            let mesh = model.posed(part).map_err(|error| refused(error.to_string()))?;
            let first = points.len();
            points.extend_from_slice(mesh.vertices());
            corners.extend(mesh.triangles().iter().map(|t| t.map(|i| first + i as usize)));
        }
        self.mesh(&points, &corners)
    }

    fn mesh(&self, points: &[DVec3], corners: &[[usize; 3]]) -> Result<Mesh, RobotError> {
        let points: Vec<DVec3> =
            points.iter().map(|p| self.reference.unrotate(*p - self.reference.t) * self.scale).collect();
        if !points.iter().all(|p| p.abs().max_element() <= super::attributes::MOST) {
            return Err(self.refuse("a coordinate is NaN, infinite or beyond 1e80".to_owned()));
        }
        let hull = convex_hull(&points).map_err(|error| self.refuse(error.to_string()))?;
        // A mirrored mesh has its triangles turned back.
        let is_mirrored = self.scale.x * self.scale.y * self.scale.z < 0.0;
        let triangle = |[a, b, c]: &[usize; 3]| {
            let [a, b, c] = [points[*a], points[*b], points[*c]];
            if is_mirrored { [a, c, b] } else { [a, b, c] }
        };
        let is_hull = corners.is_empty() || self.mass == MeshMass::Convex;
        let triangles = if is_hull { of_hull(&hull) } else { corners.iter().map(triangle).collect() };
        Ok(Mesh { hull, triangles, mass: self.mass })
    }
}

/// The faces of a hull as triangles.
fn of_hull(hull: &Hull) -> Vec<[DVec3; 3]> {
    let points = hull.vertices();
    let fan = |face: usize| {
        let corners: Vec<DVec3> = hull.face(face).map(|corner| points[corner as usize]).collect();
        (2..corners.len()).map(move |k| [corners[0], corners[k - 1], corners[k]])
    };
    (0..hull.faces().len()).flat_map(fan).collect()
}

impl Mesh {
    /// The frame of its principal axes, the least moment along z, and half the sides of the box there that has its
    /// moments, or that is around it.
    pub fn fit(&self, is_around: bool) -> Option<(Frame, DVec3)> {
        let found = self.measure()?;
        let principal = symmetric_eigen(&found.inertia);
        let (axes, moments) = (principal.vectors, principal.values);
        let frame = Frame { x: axes.x_axis, y: axes.y_axis, z: axes.z_axis, t: found.center };
        if !is_around {
            let others = DVec3::splat(moments.element_sum()) - moments * 2.0;
            return Some((frame, (others * 1.5).max(DVec3::ZERO).map(f64::sqrt)));
        }
        let seen = self.hull.vertices().iter().map(|p| frame.unrotate(*p - frame.t));
        let (least, most) =
            seen.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
        let middle = frame.apply((least + most) * 0.5);
        Some((Frame { t: middle, ..frame }, (most - least) * 0.5))
    }

    /// Its volume and inertia.
    pub fn measure(&self) -> Option<Measure> {
        of_triangles(&self.triangles, self.mass)
    }
}
