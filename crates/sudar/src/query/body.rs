//! Bodies: shapes made ready for queries.

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use crate::math::Pose;
use crate::shape::{Aabb, Halfspace, Mesh, Shape, Solid, Sphere, Triangle};
use crate::tree::WideTree;

/// A shape with its tree, made once and asked many times. Cheap to clone: clones share mesh and tree, so that a
/// thousand instances of a bolt need the memory of one.
#[derive(Debug, Clone)]
pub struct Body {
    shape: Shape,
    form: Form,
}

/// What a body is to the queries.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    /// Flat faces: triangles with a tree.
    Flat(Arc<Surface>),
    Ball(Sphere),
    Halfspace(Halfspace),
}

/// The triangles that bound a body of flat faces, with their tree.
#[derive(Debug)]
pub(crate) struct Surface {
    pub mesh: Arc<Mesh>,
    pub tree: WideTree,
    /// Present if the body has an inside.
    pub solid: Option<Arc<Solid>>,
    /// Found when first needed.
    pieces: OnceLock<Vec<u32>>,
}

impl Surface {
    fn new(mesh: Arc<Mesh>, solid: Option<Arc<Solid>>) -> Self {
        Self { tree: WideTree::new(&mesh), mesh, solid, pieces: OnceLock::new() }
    }

    /// The first triangle of each connected piece.
    pub fn first_of_each_piece(&self) -> &[u32] {
        self.pieces.get_or_init(|| {
            let found;
            let pieces = match &self.solid {
                Some(solid) => solid.pieces(),
                None => {
                    found = self.mesh.topology().pieces(&self.mesh);
                    &found
                }
            };
            // Pieces are numbered in the order of their first triangles.
            let mut first = Vec::new();
            for (i, &piece) in pieces.iter().enumerate() {
                if piece as usize == first.len() {
                    first.push(i as u32);
                }
            }
            first
        })
    }
}

impl Body {
    /// Makes a shape ready; for meshes this builds the tree, O(n log n).
    pub fn new(shape: impl Into<Shape>) -> Self {
        let shape = shape.into();
        let form = form_of(&shape);
        Self { shape, form }
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The triangles that bound the body, if its faces are flat: features are their numbers. A box has twelve,
    /// a triangle, segment or point one.
    pub fn mesh(&self) -> Option<&Arc<Mesh>> {
        self.surface().map(|s| &s.mesh)
    }

    /// The tree over these triangles.
    pub fn tree(&self) -> Option<&WideTree> {
        self.surface().map(|s| &s.tree)
    }

    /// The closed surface, if the body is a solid with flat faces.
    pub fn solid(&self) -> Option<&Arc<Solid>> {
        self.surface().and_then(|s| s.solid.as_ref())
    }

    /// The number by which triangle `i` is reported: its own for meshes, 0 for other shapes.
    pub(crate) fn feature(&self, i: u32) -> u32 {
        match self.shape {
            Shape::Mesh(_) | Shape::Solid(_) => i,
            Shape::Triangle(_)
            | Shape::Segment(_)
            | Shape::Point(_)
            | Shape::Sphere(_)
            | Shape::Cuboid(_)
            | Shape::Halfspace(_) => 0,
        }
    }

    pub(crate) fn form(&self) -> &Form {
        &self.form
    }

    pub(crate) fn surface(&self) -> Option<&Surface> {
        match &self.form {
            Form::Flat(surface) => Some(surface),
            Form::Ball(_) | Form::Halfspace(_) => None,
        }
    }

    /// Triangle `i` of [`Body::mesh`] as it stands in the world, by the formula of [`Pose::apply`].
    pub fn posed_triangle(&self, pose: &Pose, i: u32) -> Option<Triangle> {
        self.mesh().filter(|m| (i as usize) < m.triangles().len()).map(|m| posed(m, pose, i))
    }

    /// The smallest box around the posed body: exact for flat faces, rounded outward for balls, everything for
    /// half-spaces. O(number of vertices).
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        match &self.form {
            Form::Flat(surface) => posed_aabb(&surface.mesh, pose),
            Form::Ball(ball) => {
                let center = pose.apply(ball.center);
                Aabb { min: center, max: center }.grown(ball.radius)
            }
            Form::Halfspace(_) => Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY },
        }
    }
}

/// Triangle `i` of a mesh as it stands in the world.
#[inline(always)]
pub(crate) fn posed(mesh: &Mesh, pose: &Pose, i: u32) -> Triangle {
    let t = mesh.triangle(i);
    Triangle { a: pose.apply(t.a), b: pose.apply(t.b), c: pose.apply(t.c) }
}

fn posed_aabb(mesh: &Mesh, pose: &Pose) -> Aabb {
    let corners = mesh.triangles().iter().flatten().map(|&i| mesh.vertices()[i as usize]);
    Aabb::around(corners.map(|p| pose.apply(p)))
}

fn form_of(shape: &Shape) -> Form {
    let flat = |mesh: Arc<Mesh>, solid| Form::Flat(Arc::new(Surface::new(mesh, solid)));
    let one = |a, b, c| flat(Arc::new(Mesh::from_triangle(Triangle { a, b, c })), None);
    let closed = |solid: Arc<Solid>| flat(solid.mesh().clone(), Some(solid));
    match shape {
        Shape::Mesh(mesh) => flat(mesh.clone(), None),
        Shape::Solid(solid) => closed(solid.clone()),
        Shape::Triangle(t) => one(t.a, t.b, t.c),
        Shape::Segment(s) => one(s.a, s.b, s.b),
        Shape::Point(p) => one(*p, *p, *p),
        Shape::Cuboid(c) => closed(Arc::new(Solid::from(*c))),
        Shape::Sphere(s) => Form::Ball(*s),
        Shape::Halfspace(h) => Form::Halfspace(*h),
    }
}
