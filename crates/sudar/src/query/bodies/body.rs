//! Bodies: shapes made ready for queries.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use glam::DVec3;

use super::halving::Halving;
use super::layers::Layer;
use super::surface::{PosedSurface, Surface, made};
use crate::convex::{Convex, PosedConvex};
use crate::math::Pose;
use crate::shape::{Aabb, Compound, CompoundError, Halfspace, Hull, Mesh, Shape, Solid, Triangle, flattened};
use crate::tree::{LayoutError, Oriented, Refit, TreeLayout, WideTree};

/// A shape with its tree, made once for many queries. Cheap to clone: clones share mesh and tree, so that a
/// thousand instances of a bolt need the memory of one.
#[derive(Debug, Clone)]
pub struct Body {
    /// The same for clones alone: what was learned about one body must not be used for another.
    identity: Identity,
    shape: Shape,
    form: Form,
    /// The triangles of boxes, hulls and simpler things, made when first needed.
    surface: Arc<OnceLock<Option<Surface>>>,
}

/// Tells bodies apart, however alike they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity(u64);

impl Identity {
    #[cfg(feature = "serde")]
    pub fn number(self) -> u64 {
        self.0
    }

    /// One that no body has yet.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What a body is to the queries.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    /// The triangles of a mesh or closed mesh, with a tree.
    Mesh,
    /// Convex and bounded.
    Convex(Convex),
    Halfspace(Halfspace),
    Compound(Arc<Parts>),
}

/// The parts of a compound with a tree over them.
#[derive(Debug)]
pub(crate) struct Parts {
    /// Each with its pose in the whole.
    pub list: Vec<(Body, Pose)>,
    /// Their boxes in the frame of the whole.
    pub tree: Halving,
    /// Bound on the absolute coordinates of anything here; of half-spaces, on how far their planes are from the origin.
    pub reach: f64,
}

impl Parts {
    fn new(list: Vec<(Body, Pose)>) -> Self {
        // A point posed in two steps and one posed by the product of both poses differ by rounding.
        let around =
            |(part, at): &(Body, Pose)| part.aabb(at).grown(8.0 * at.rounding(part.reach(&Pose::IDENTITY)));
        let boxes: Vec<Aabb> = list.iter().map(around).collect();
        let reach = list.iter().fold(0.0, |most: f64, (part, at)| most.max(part.reach(at)));
        Self { tree: Halving::new(&boxes), list, reach }
    }
}

impl<S: Into<Shape>> From<S> for Body {
    /// As [`Body::new`].
    fn from(shape: S) -> Self {
        Self::new(shape)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Body {
    /// As its shape.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.shape.serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Body {
    /// Makes a shape ready, which shares nothing with others.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(Shape::deserialize(deserializer)?))
    }
}

impl Body {
    /// Makes a shape ready; for meshes this builds the tree, O(n log n).
    pub fn new(shape: impl Into<Shape>) -> Self {
        let shape = shape.into();
        let form = form_of(&shape);
        let body = Self { identity: Identity::new(), shape, form, surface: Arc::default() };
        if matches!(body.form, Form::Mesh) {
            body.surface();
        }
        body
    }

    /// Makes a mesh, solid, height field or point cloud ready with a tree whose shape was kept, see
    /// [`WideTree::layout`]; any other shape as [`Body::new`] does. The body is the same to the last bit as one made
    /// anew, in less time. O(n).
    ///
    /// # Errors
    /// [`LayoutError`] for a layout that does not fit the triangles.
    pub fn with_layout(shape: impl Into<Shape>, layout: &TreeLayout) -> Result<Self, LayoutError> {
        let shape = shape.into();
        let Some((mesh, solid)) = triangles_of(&shape) else { return Ok(Self::new(shape)) };
        let tree = WideTree::with_layout(&mesh, layout)?;
        let surface = Arc::new(OnceLock::from(Some(Surface::with_tree(tree, mesh, solid))));
        Ok(Self { identity: Identity::new(), form: form_of(&shape), shape, surface })
    }

    /// Bodies put together, each posed in the frame of the whole: as [`Body::new`] of a [`Compound`], but the
    /// parts share mesh and tree with the bodies given. O(n log n) for n parts.
    ///
    /// # Errors
    /// [`CompoundError`], as [`Compound::new`].
    pub fn compound(parts: Vec<(Body, Pose)>) -> Result<Self, CompoundError> {
        let parts = flattened(parts, |part| part.parts().to_vec())?;
        let shapes = parts.iter().map(|(part, pose)| (part.shape.clone(), *pose)).collect();
        let shape = Compound::new(shapes)?.into();
        let form = Form::Compound(Arc::new(Parts::new(parts)));
        Ok(Self { identity: Identity::new(), shape, form, surface: Arc::default() })
    }

    /// Moves the parts of a compound: one new pose in the whole for each, in their order. Meshes and their
    /// trees stay; clones stay as they were. O(n log n) for n parts.
    ///
    /// # Errors
    /// [`CompoundError`] if there are not as many poses as parts, or no parts; the body then is as it was.
    ///
    /// ```
    /// use sudar::query::{Body, intersects};
    /// use sudar::{DVec3, Pose, Sphere};
    ///
    /// let (ball, far) = (Body::new(Sphere::new(DVec3::ZERO, 1.0)?), Pose::from_translation(DVec3::X * 9.0)?);
    /// let mut pair = Body::compound(vec![(ball.clone(), Pose::IDENTITY), (ball.clone(), far)])?;
    /// assert!(!intersects(pair.at(&Pose::IDENTITY), ball.at(&Pose::from_translation(DVec3::Y * 3.0)?)).is_touching());
    /// pair.move_parts(&[Pose::IDENTITY, Pose::from_translation(DVec3::Y * 4.0)?])?;
    /// assert!(intersects(pair.at(&Pose::IDENTITY), ball.at(&Pose::from_translation(DVec3::Y * 3.0)?)).is_touching());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_parts(&mut self, poses: &[Pose]) -> Result<(), CompoundError> {
        let parts = self.parts();
        if parts.len() != poses.len() {
            return Err(CompoundError::PoseCount { parts: parts.len(), poses: poses.len() });
        }
        let moved = parts.iter().zip(poses).map(|((part, _), pose)| (part.clone(), *pose)).collect();
        *self = Self::compound(moved)?;
        Ok(())
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The triangles that bound the body, if its faces are flat. For meshes, height fields and point clouds
    /// (each point a triangle of zero area), features are their numbers. A box has
    /// twelve, a triangle, segment or point one, a hull those that fan out from the first corner of each face.
    pub fn mesh(&self) -> Option<&Arc<Mesh>> {
        self.surface().map(|s| &s.mesh)
    }

    /// The tree over these triangles.
    pub fn tree(&self) -> Option<&WideTree> {
        self.surface().map(|s| &s.tree)
    }

    /// The oriented boxes over that tree, for distances; fitted now if this is the first time.
    pub fn oriented(&self) -> Option<&Oriented> {
        self.surface().map(Surface::oriented)
    }

    /// The closed surface, if the body is a solid with flat faces.
    pub fn solid(&self) -> Option<&Arc<Solid>> {
        self.surface().and_then(|s| s.solid.as_ref())
    }

    /// The body as the methods of room `convex` see it, if it is convex and bounded.
    #[inline]
    pub fn convex(&self) -> Option<&Convex> {
        match &self.form {
            Form::Convex(convex) => Some(convex),
            Form::Mesh | Form::Halfspace(_) | Form::Compound(_) => None,
        }
    }

    /// The bodies that make up a compound, each with its pose in the whole; empty for any other shape.
    pub fn parts(&self) -> &[(Body, Pose)] {
        match &self.form {
            Form::Compound(parts) => &parts.list,
            Form::Mesh | Form::Convex(_) | Form::Halfspace(_) => &[],
        }
    }

    /// Of a body made from a mesh, the least of a few tolerances that close it if it is welded, see
    /// [`Topology::closing_tolerance`](crate::shape::Topology::closing_tolerance); 0 if it is closed already.
    /// Found when first needed, O(n log n).
    pub fn closing_tolerance(&self) -> Option<f64> {
        let Shape::Mesh(mesh) = &self.shape else { return None };
        *made(&self.surface()?.closes_at, || mesh.topology().closing_tolerance(mesh))
    }

    /// Builds these layers now, of every part of a compound; those that are there already, and bodies without
    /// triangles such as balls, cost nothing. Clones share what is built. Answers do not depend on it: only
    /// the first query that would have built a layer is quicker. Each takes O(n) or O(n log n).
    ///
    /// ```
    /// use sudar::query::{Body, Layer};
    /// use sudar::{Aabb, DVec3, Mesh};
    ///
    /// let body = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
    /// assert_eq!(body.layer_bytes(Layer::OrientedBoxes), 0);
    /// body.prepare(&[Layer::OrientedBoxes]);
    /// assert!(body.layer_bytes(Layer::OrientedBoxes) > 0);
    /// ```
    pub fn prepare(&self, layers: &[Layer]) {
        for (part, _) in self.parts() {
            part.prepare(layers);
        }
        if layers.is_empty() {
            return;
        }
        if let Some(surface) = self.surface() {
            layers.iter().for_each(|layer| surface.build(*layer));
        }
    }

    /// The memory of a layer, with that of the parts of a compound; 0 if it is not built. The triangles
    /// themselves do not count.
    pub fn layer_bytes(&self, layer: Layer) -> usize {
        let parts: usize = self.parts().iter().map(|(part, _)| part.layer_bytes(layer)).sum();
        parts + self.built_surface().map_or(0, |surface| surface.bytes(layer))
    }

    /// Whether its features are the numbers of its triangles.
    pub(crate) fn is_numbered(&self) -> bool {
        matches!(self.form, Form::Mesh)
    }

    /// The number by which triangle `i` is reported: its own for meshes and the like, 0 for other shapes.
    pub(crate) fn feature(&self, i: u32) -> u32 {
        match &self.form {
            Form::Mesh => i,
            Form::Convex(_) | Form::Halfspace(_) | Form::Compound(_) => 0,
        }
    }

    /// Equal for clones of one body, and for no others.
    pub(crate) fn identity(&self) -> Identity {
        self.identity
    }

    pub(crate) fn form(&self) -> &Form {
        &self.form
    }

    /// The triangles of a body with flat faces; made now if this is the first time.
    #[inline]
    pub(crate) fn surface(&self) -> Option<&Surface> {
        made(&self.surface, || surface_of(&self.shape)).as_ref()
    }

    /// The same, if they are made already.
    pub(crate) fn built_surface(&self) -> Option<&Surface> {
        self.surface.get()?.as_ref()
    }

    /// Triangle `i` of [`Body::mesh`] as it stands in the world, by the formula of [`Pose::apply`].
    pub fn posed_triangle(&self, pose: &Pose, i: u32) -> Option<Triangle> {
        self.mesh().filter(|m| (i as usize) < m.triangles().len()).map(|m| m.triangle(i).posed(pose))
    }

    /// Takes on moved vertices: the new shape, its mesh, and its solid if it is one. The surface is changed in place
    /// if no clone shares it, else copied.
    pub(crate) fn take_on(&mut self, shape: Shape, mesh: Arc<Mesh>, solid: Option<Arc<Solid>>) -> Refit {
        let own = Arc::get_mut(&mut self.surface).and_then(OnceLock::take).flatten();
        let Some(mut surface) = own.or_else(|| self.surface().map(Surface::bare)) else {
            return Refit::default();
        };
        let done = surface.take_on(mesh, solid);
        // What was learned about the body is true no more.
        self.identity = Identity::new();
        self.shape = shape;
        self.surface = Arc::new(OnceLock::from(Some(surface)));
        done
    }

    /// The smallest box around the body in its own frame; known already for meshes.
    pub(crate) fn own_aabb(&self) -> Aabb {
        match &self.form {
            Form::Mesh => self.surface().map_or(Aabb::EVERYTHING, |surface| surface.mesh.aabb()),
            Form::Convex(_) | Form::Halfspace(_) | Form::Compound(_) => self.aabb(&Pose::IDENTITY),
        }
    }

    /// The smallest box around the posed body: exact for flat faces, rounded outward for round ones, everything for
    /// half-spaces. O(number of vertices).
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        match &self.form {
            Form::Mesh => self.surface().map_or(Aabb::EVERYTHING, |s| PosedSurface::new(s, pose).aabb()),
            Form::Convex(convex) => convex_aabb(convex, pose),
            Form::Halfspace(_) => Aabb::EVERYTHING,
            Form::Compound(parts) => {
                let boxes = parts.list.iter().map(|(part, at)| part.aabb(&pose.after(at)));
                boxes.fold(Aabb::EMPTY, Aabb::union)
            }
        }
    }

    /// A box around the posed body, rounded outward: wider than [`Body::aabb`], for O(1).
    pub fn bounds(&self, pose: &Pose) -> Aabb {
        match &self.form {
            Form::Mesh => self.surface().map_or(Aabb::EVERYTHING, |s| s.mesh.aabb().posed(pose)),
            Form::Convex(convex) => {
                let posed = PosedConvex::new(convex, pose);
                Aabb::around([posed.center()]).grown(convex.radius() + convex.margin() + posed.slack())
            }
            Form::Halfspace(_) => Aabb::EVERYTHING,
            Form::Compound(parts) => parts.tree.bounds(parts.tree.whole()).posed(pose),
        }
    }

    /// Bound on the absolute coordinates of anything here; of a half-space, on how far its plane is from the origin.
    #[inline]
    pub(crate) fn reach(&self, pose: &Pose) -> f64 {
        let far = || pose.translation().abs().max_element();
        match &self.form {
            Form::Mesh => self.surface().map_or(0.0, |s| PosedSurface::reach_of(s, pose)),
            Form::Convex(convex) => far() + convex.reach() + convex.margin(),
            Form::Halfspace(h) => {
                let Halfspace { normal, offset } = h.posed(pose);
                (offset / normal.abs().max_element()).abs()
            }
            Form::Compound(parts) => parts.reach + far(),
        }
    }
}

/// The box around a posed convex body: that of its vertices, or for round cores as far as its support points reach.
fn convex_aabb(convex: &Convex, pose: &Pose) -> Aabb {
    let core = match convex.core().points() {
        Some(points) => Aabb::around(points.iter().map(|&p| pose.apply(p))),
        None => {
            let posed = PosedConvex::new(convex, pose);
            let reach = |axis: DVec3| posed.support(axis).offset.dot(axis);
            let reaches = |sign: f64| DVec3::from(DVec3::AXES.map(|axis| reach(axis * sign)));
            let (below, above) = (reaches(-1.0), reaches(1.0));
            Aabb { min: posed.center() - below, max: posed.center() + above }.grown(posed.slack())
        }
    };
    if convex.margin() > 0.0 { core.grown(convex.margin()) } else { core }
}

fn form_of(shape: &Shape) -> Form {
    if let Shape::Halfspace(h) = shape {
        Form::Halfspace(*h)
    } else if let Shape::Compound(compound) = shape {
        let part = |(shape, pose): &(Shape, Pose)| (Body::new(shape.clone()), *pose);
        Form::Compound(Arc::new(Parts::new(compound.parts().iter().map(part).collect())))
    } else {
        Convex::of(shape).map_or(Form::Mesh, Form::Convex)
    }
}

/// The triangles of a shape that consists of them, with the solid that they bound.
fn triangles_of(shape: &Shape) -> Option<(Arc<Mesh>, Option<Arc<Solid>>)> {
    match shape {
        Shape::Mesh(mesh) => Some((mesh.clone(), None)),
        Shape::Solid(solid) => Some((solid.mesh().clone(), Some(solid.clone()))),
        Shape::HeightField(field) => Some((field.mesh().clone(), None)),
        Shape::PointCloud(cloud) => Some((cloud.mesh().clone(), None)),
        Shape::Triangle(_) | Shape::Segment(_) | Shape::Point(_) | Shape::Cuboid(_) | Shape::Hull(_) => None,
        Shape::Sphere(_) | Shape::Capsule(_) | Shape::Halfspace(_) | Shape::Compound(_) => None,
        Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_) => None,
    }
}

/// The triangles of a shape with flat faces.
fn surface_of(shape: &Shape) -> Option<Surface> {
    let one = |a, b, c| Surface::new(Arc::new(Mesh::from_triangle(Triangle { a, b, c })), None);
    let closed = |solid: Arc<Solid>| Surface::new(solid.mesh().clone(), Some(solid));
    if let Some((mesh, solid)) = triangles_of(shape) {
        return Some(Surface::new(mesh, solid));
    }
    Some(match shape {
        Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) | Shape::PointCloud(_) => return None,
        Shape::Triangle(t) => one(t.a, t.b, t.c),
        Shape::Segment(s) => one(s.a, s.b, s.b),
        Shape::Point(p) => one(*p, *p, *p),
        Shape::Cuboid(c) => closed(Arc::new(Solid::from(*c))),
        Shape::Hull(hull) => hull_surface(hull),
        Shape::Sphere(_) | Shape::Capsule(_) | Shape::Halfspace(_) | Shape::Compound(_) => return None,
        Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_) => return None,
    })
}

fn hull_surface(hull: &Hull) -> Surface {
    let mesh = Arc::new(Mesh::from_hull(hull));
    let solid = if hull.dimension() == 3 { Solid::new(mesh.clone()).ok().map(Arc::new) } else { None };
    Surface::new(mesh, solid)
}
