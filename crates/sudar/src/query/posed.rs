//! Bodies as they stand in the world.

use glam::DVec3;

use super::body::{Body, Form, Surface, posed};
use crate::inside;
use crate::math::Pose;
use crate::shape::{Aabb, Halfspace, Sphere, Triangle};
use crate::tree::View;

/// A posed body by what it takes to answer for it. Flat faces are triangles, whatever the shape.
pub(crate) enum Posed<'a> {
    Flat(PosedSurface<'a>),
    Ball(Sphere),
    Halfspace(Halfspace),
}

impl<'a> Posed<'a> {
    /// The body at the pose. The centre of a ball is posed like any point; a half-space `n·x ≤ d` becomes
    /// `(R n)·x ≤ d + (R n)·t`, rounded.
    pub fn new(body: &'a Body, pose: &'a Pose) -> Self {
        if let Some(surface) = body.surface() {
            return Self::Flat(PosedSurface::new(surface, pose));
        }
        match body.form() {
            Form::Convex(c) => Self::Ball(Sphere { center: pose.apply(c.center()), radius: c.margin() }),
            Form::Halfspace(halfspace) => Self::Halfspace(posed_halfspace(halfspace, pose)),
            Form::Mesh | Form::Compound(_) => todo!(),
        }
    }
}

fn posed_halfspace(h: &Halfspace, pose: &Pose) -> Halfspace {
    let normal = pose.rotate(h.normal);
    Halfspace { normal, offset: h.offset + normal.dot(pose.translation()) }
}

/// The triangles of a body in the world, found through its tree.
#[derive(Clone, Copy)]
pub(crate) struct PosedSurface<'a> {
    pub surface: &'a Surface,
    pub pose: &'a Pose,
    pub view: View<'a>,
}

impl<'a> PosedSurface<'a> {
    pub fn new(surface: &'a Surface, pose: &'a Pose) -> Self {
        Self { surface, pose, view: View::new(&surface.tree, pose) }
    }

    /// Triangle `i` as it stands.
    #[inline(always)]
    pub fn triangle(&self, i: u32) -> Triangle {
        posed(&self.surface.mesh, self.pose, i)
    }

    /// Vertex `i` as it stands.
    pub fn vertex(&self, i: u32) -> DVec3 {
        self.pose.apply(self.surface.mesh.vertices()[i as usize])
    }

    /// Whether the body has an inside and the point is in it or on its surface. Exact.
    pub fn encloses(&self, p: DVec3) -> bool {
        self.surface.solid.is_some() && inside::locate(p, self) != inside::Location::Outside
    }

    /// Bound on the absolute coordinates of anything here.
    pub fn reach(&self) -> f64 {
        2.0 * self.surface.mesh.aabb().reach() + self.pose.translation().abs().max_element()
    }
}

impl inside::Surface for PosedSurface<'_> {
    fn triangles(&self) -> u32 {
        self.surface.mesh.triangles().len() as u32
    }

    fn triangle(&self, i: u32) -> Triangle {
        posed(&self.surface.mesh, self.pose, i)
    }

    fn piece(&self, i: u32) -> u32 {
        self.surface.solid.as_ref().map_or(0, |s| s.pieces()[i as usize])
    }

    fn near(&self, region: &Aabb, visit: &mut dyn FnMut(u32)) {
        self.view.visit_box(region, |triangles| triangles.iter().for_each(|&i| visit(i)));
    }
}
