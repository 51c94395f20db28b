//! Bodies: shapes made ready for queries.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use glam::DVec3;

use super::Layer;
use super::skin::Skin;
use crate::convex::{Convex, Core, PosedConvex};
use crate::effort::Meter;
use crate::math::Pose;
use crate::shape::{Aabb, Connection, Halfspace, Hull, Mesh, Shape, Solid, Stars, Triangle};
use crate::tree::{Oriented, Refit, Whole, WideTree, WindingTree};

/// A shape with its tree, made once and asked many times. Cheap to clone: clones share mesh and tree, so that a
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
    Compound(Arc<[(Body, Pose)]>),
}

/// The triangles that bound a body of flat faces, with their tree.
#[derive(Debug)]
pub(crate) struct Surface {
    pub mesh: Arc<Mesh>,
    pub tree: WideTree,
    /// Present if the body has an inside.
    pub solid: Option<Arc<Solid>>,
    /// Of a mesh without inside; found when first needed.
    connection: OnceLock<Arc<Connection>>,
    /// Found when a traversal becomes long.
    whole: OnceLock<Whole>,
    /// Found when first needed.
    stars: OnceLock<Stars>,
    /// Found when contacts are first asked for.
    skin: OnceLock<Skin>,
    /// Summed up when a winding number is first asked for.
    windings: OnceLock<WindingTree>,
    /// See [`Body::closing_tolerance`].
    closes_at: OnceLock<Option<f64>>,
}

/// What the cell holds, made now if this is the first time. It is made before the cell is locked: work in tasks of a thread
/// pool may be stolen by a thread that waits for the same cell, which would then wait for ever.
fn made<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    match cell.get() {
        Some(made) => made,
        None => {
            let new = make();
            cell.get_or_init(|| new)
        }
    }
}

impl Surface {
    fn new(mesh: Arc<Mesh>, solid: Option<Arc<Solid>>) -> Self {
        Self::with_tree(WideTree::new(&mesh), mesh, solid)
    }

    /// The moments of the triangles; summed up now if this is the first time.
    pub fn windings(&self) -> &WindingTree {
        self.windings.get_or_init(|| WindingTree::new(&self.tree, &self.mesh))
    }

    /// With a tree that fits the mesh; all else is found when first needed.
    fn with_tree(tree: WideTree, mesh: Arc<Mesh>, solid: Option<Arc<Solid>>) -> Self {
        Self {
            tree,
            mesh,
            solid,
            connection: OnceLock::new(),
            whole: OnceLock::new(),
            stars: OnceLock::new(),
            skin: OnceLock::new(),
            windings: OnceLock::new(),
            closes_at: OnceLock::new(),
        }
    }

    /// A copy that is about to move, without what a motion makes void.
    fn bare(&self) -> Self {
        let bare = Self::with_tree(self.tree.clone(), self.mesh.clone(), self.solid.clone());
        Self { connection: self.connection.clone(), ..bare }
    }

    /// Takes on the same triangles over moved vertices.
    fn take_on(&mut self, mesh: Arc<Mesh>, solid: Option<Arc<Solid>>) -> Refit {
        let done = self.tree.refit(&mesh);
        if self.connection.get().is_some_and(|connection| !connection.holds(&mesh)) {
            self.connection = OnceLock::new();
        }
        (self.whole, self.stars, self.skin) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        (self.windings, self.closes_at) = (OnceLock::new(), OnceLock::new());
        (self.mesh, self.solid) = (mesh, solid);
        done
    }

    /// The turned boxes over the tree; fitted now if this is the first time.
    pub fn oriented(&self) -> &Oriented {
        self.tree.oriented()
    }

    /// One box around all of it; found now if this is the first time.
    pub fn whole(&self) -> &Whole {
        self.whole.get_or_init(|| Whole::of(&self.mesh))
    }

    /// The triangles around each vertex and edge, the first of those with the same corners; found now if this is the first
    /// time.
    pub fn stars(&self) -> &Stars {
        self.stars.get_or_init(|| self.mesh.stars_of_distinct())
    }

    /// The memory of a layer, 0 if it is not built. Pieces of a solid belong to its shape and are there from the start.
    pub fn bytes(&self, layer: Layer) -> usize {
        let connection = self.solid.as_ref().map(|solid| solid.connection()).or(self.connection.get());
        match layer {
            Layer::Tree => self.tree.bytes() - self.tree.slab_bytes(),
            Layer::OrientedBoxes => self.tree.oriented_bytes(),
            Layer::Slabs => self.tree.slab_bytes(),
            Layer::Pieces => connection.map_or(0, |connection| connection.bytes()),
            Layer::Stars => self.stars.get().map_or(0, Stars::bytes),
            Layer::Windings => self.windings.get().map_or(0, WindingTree::bytes),
            Layer::Facets => self.skin.get().map_or(0, Skin::bytes),
        }
    }

    /// The facets of the surface; found now if this is the first time.
    pub fn skin(&self) -> &Skin {
        self.skin.get_or_init(|| Skin::of(self, &mut Meter::unlimited()).unwrap_or_default())
    }

    /// Finds the facets if they are not known; false if the meter stops before the end, and nothing is kept.
    pub fn finds_skin(&self, meter: &mut Meter) -> bool {
        if self.skin.get().is_none() {
            // One that was found at the same time is the same.
            if let Some(skin) = Skin::of(self, meter) {
                self.skin.get_or_init(|| skin);
            }
        }
        self.skin.get().is_some()
    }

    /// The first triangle of each connected piece.
    pub fn first_of_each_piece(&self) -> &[u32] {
        let find = || Arc::new(Connection::of(&self.mesh));
        let connection = match &self.solid {
            Some(solid) => solid.connection(),
            None => self.connection.get_or_init(find),
        };
        &connection.first_triangles
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

    /// The turned boxes over that tree, for distances; fitted now if this is the first time.
    pub fn oriented(&self) -> Option<&Oriented> {
        self.surface().map(Surface::oriented)
    }

    /// The closed surface, if the body is a solid with flat faces.
    pub fn solid(&self) -> Option<&Arc<Solid>> {
        self.surface().and_then(|s| s.solid.as_ref())
    }

    /// The body as the methods of room `convex` see it, if it is convex and bounded.
    pub fn convex(&self) -> Option<&Convex> {
        match &self.form {
            Form::Convex(convex) => Some(convex),
            Form::Mesh | Form::Halfspace(_) | Form::Compound(_) => None,
        }
    }

    /// The bodies that make up a compound, each with its pose in the whole; empty for any other shape.
    pub fn parts(&self) -> &[(Body, Pose)] {
        match &self.form {
            Form::Compound(parts) => parts,
            Form::Mesh | Form::Convex(_) | Form::Halfspace(_) => &[],
        }
    }

    /// Of a body made from a mesh, the least of a few tolerances that close it if it is welded, see
    /// [`Topology::closing_tolerance`](crate::shape::Topology::closing_tolerance); 0 if it is closed already. Found when first
    /// needed, O(n log n).
    pub fn closing_tolerance(&self) -> Option<f64> {
        let Shape::Mesh(mesh) = &self.shape else { return None };
        *made(&self.surface()?.closes_at, || mesh.topology().closing_tolerance(mesh))
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
    pub(crate) fn surface(&self) -> Option<&Surface> {
        made(&self.surface, || surface_of(&self.shape)).as_ref()
    }

    /// The same, if they are made already.
    pub(super) fn built_surface(&self) -> Option<&Surface> {
        self.surface.get()?.as_ref()
    }

    /// Triangle `i` of [`Body::mesh`] as it stands in the world, by the formula of [`Pose::apply`].
    pub fn posed_triangle(&self, pose: &Pose, i: u32) -> Option<Triangle> {
        self.mesh().filter(|m| (i as usize) < m.triangles().len()).map(|m| posed(m, pose, i))
    }

    /// Takes on moved vertices: the new shape, its mesh, and its solid if it is one. The surface is changed in place
    /// if no clone shares it, else copied.
    pub(super) fn take_on(&mut self, shape: Shape, mesh: Arc<Mesh>, solid: Option<Arc<Solid>>) -> Refit {
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
            Form::Mesh => self.surface().map_or(EVERYTHING, |surface| surface.mesh.aabb()),
            Form::Convex(_) | Form::Halfspace(_) | Form::Compound(_) => self.aabb(&Pose::IDENTITY),
        }
    }

    /// The smallest box around the posed body: exact for flat faces, rounded outward for round ones, everything for
    /// half-spaces. O(number of vertices).
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        match &self.form {
            Form::Mesh => self.surface().map_or(EVERYTHING, |s| posed_aabb(&s.mesh, pose)),
            Form::Convex(convex) => convex_aabb(convex, pose),
            Form::Halfspace(_) => EVERYTHING,
            Form::Compound(parts) => Aabb::around(parts.iter().flat_map(|(part, at)| {
                let aabb = part.aabb(&pose.after(at));
                [aabb.min, aabb.max]
            })),
        }
    }
}

const EVERYTHING: Aabb = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };

/// Triangle `i` of a mesh as it stands in the world.
#[inline(always)]
pub(crate) fn posed(mesh: &Mesh, pose: &Pose, i: u32) -> Triangle {
    let t = mesh.triangle(i);
    Triangle { a: pose.apply(t.a), b: pose.apply(t.b), c: pose.apply(t.c) }
}

fn posed_aabb(mesh: &Mesh, pose: &Pose) -> Aabb {
    mesh.around(|p| pose.apply(p))
}

/// The box around a posed convex body: that of its vertices, or for round cores as far as its support points reach.
fn convex_aabb(convex: &Convex, pose: &Pose) -> Aabb {
    let posed = PosedConvex::new(convex, pose);
    let around = |points: &[DVec3]| Aabb::around(points.iter().map(|&p| pose.apply(p)));
    let core = match convex.core() {
        Core::Point(p) => around(&[*p]),
        Core::Segment(ends) => around(ends),
        Core::Triangle(corners) => around(corners),
        Core::Cuboid(_, polytope) | Core::Polytope(polytope) => around(polytope.hull().vertices()),
        Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_) => {
            let reach = |axis: DVec3| posed.support(axis).offset.dot(axis);
            let reaches = |sign: f64| DVec3::from(DVec3::AXES.map(|axis| reach(axis * sign)));
            let (below, above) = (reaches(-1.0), reaches(1.0));
            Aabb { min: posed.center() - below, max: posed.center() + above }.grown(posed.slack())
        }
    };
    if convex.margin() > 0.0 { core.grown(convex.margin()) } else { core }
}

fn form_of(shape: &Shape) -> Form {
    match shape {
        Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) | Shape::PointCloud(_) => Form::Mesh,
        Shape::Halfspace(h) => Form::Halfspace(*h),
        Shape::Compound(compound) => Form::Compound(
            compound.parts().iter().map(|(shape, pose)| (Body::new(shape.clone()), *pose)).collect(),
        ),
        Shape::Triangle(_)
        | Shape::Segment(_)
        | Shape::Point(_)
        | Shape::Sphere(_)
        | Shape::Cuboid(_)
        | Shape::Capsule(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Ellipsoid(_)
        | Shape::Hull(_) => Convex::of(shape).map_or(Form::Mesh, Form::Convex),
    }
}

/// The triangles of a shape with flat faces.
fn surface_of(shape: &Shape) -> Option<Surface> {
    let one = |a, b, c| Surface::new(Arc::new(Mesh::from_triangle(Triangle { a, b, c })), None);
    let closed = |solid: Arc<Solid>| Surface::new(solid.mesh().clone(), Some(solid));
    Some(match shape {
        Shape::Mesh(mesh) => Surface::new(mesh.clone(), None),
        Shape::Solid(solid) => closed(solid.clone()),
        Shape::HeightField(field) => Surface::new(field.mesh().clone(), None),
        Shape::PointCloud(cloud) => Surface::new(cloud.mesh().clone(), None),
        Shape::Triangle(t) => one(t.a, t.b, t.c),
        Shape::Segment(s) => one(s.a, s.b, s.b),
        Shape::Point(p) => one(*p, *p, *p),
        Shape::Cuboid(c) => closed(Arc::new(Solid::from(*c))),
        Shape::Hull(hull) => hull_surface(hull),
        Shape::Sphere(_)
        | Shape::Capsule(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Ellipsoid(_)
        | Shape::Halfspace(_)
        | Shape::Compound(_) => return None,
    })
}

fn hull_surface(hull: &Hull) -> Surface {
    let mesh = Arc::new(Mesh::from_hull(hull));
    let solid = if hull.dimension() == 3 { Solid::new(mesh.clone()).ok().map(Arc::new) } else { None };
    Surface::new(mesh, solid)
}
