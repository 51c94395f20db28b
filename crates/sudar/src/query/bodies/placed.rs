//! Bodies where they stand: what every query begins with.

use super::body::{Body, Form};
use super::surface::PosedSurface;
use crate::convex::PosedConvex;
use crate::math::Pose;
use crate::shape::{Aabb, Halfspace};

/// A body at a pose, see [`Body::at`].
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    body: &'a Body,
    pose: &'a Pose,
}

impl Body {
    /// The body at a pose.
    #[inline]
    pub fn at<'a>(&'a self, pose: &'a Pose) -> Placed<'a> {
        Placed { body: self, pose }
    }
}

impl<'a> Placed<'a> {
    /// The body.
    pub fn body(&self) -> &'a Body {
        self.body
    }

    /// Its pose.
    pub fn pose(&self) -> &'a Pose {
        self.pose
    }

    /// The smallest box around it, see [`Body::aabb`]. O(number of vertices).
    pub fn aabb(&self) -> Aabb {
        self.body.aabb(self.pose)
    }

    /// A box around it, rounded outward, see [`Body::bounds`]. O(1).
    pub fn bounds(&self) -> Aabb {
        self.body.bounds(self.pose)
    }

    /// Bound on the absolute coordinates of anything here; of a half-space, on how far its plane is from the origin.
    #[inline]
    pub(crate) fn reach(&self) -> f64 {
        self.body.reach(self.pose)
    }

    /// The convex body that it is, if it is bounded and one.
    #[inline]
    pub(crate) fn convex(&self) -> Option<PosedBody<'a>> {
        let convex = self.body.convex()?;
        Some(PosedBody { body: self.body, convex: PosedConvex::new(convex, self.pose) })
    }

    /// Its triangles, made now if nobody needed them before; round bodies, half-spaces and compounds have none.
    #[inline]
    pub(crate) fn surface(&self) -> Option<PosedSurface<'a>> {
        self.body.surface().map(|surface| PosedSurface::new(surface, self.pose))
    }

    /// Its triangles in world coordinates, if they enclose something; found through its tree.
    pub fn closed_surface(&self) -> Option<impl crate::inside::Surface + use<'a>> {
        self.surface().filter(|surface| surface.surface.solid.is_some())
    }

    /// The body by what it takes to answer for it.
    #[inline]
    pub(crate) fn form(&self) -> Posed<'a> {
        match self.body.form() {
            Form::Mesh => self.surface().map_or(Posed::Compound, Posed::Mesh),
            Form::Convex(convex) => {
                Posed::Convex(PosedBody { body: self.body, convex: PosedConvex::new(convex, self.pose) })
            }
            Form::Halfspace(halfspace) => Posed::Halfspace(halfspace.posed(self.pose)),
            Form::Compound(_) => Posed::Compound,
        }
    }
}

/// A posed body by what it takes to answer for it.
pub(crate) enum Posed<'a> {
    Mesh(PosedSurface<'a>),
    Convex(PosedBody<'a>),
    Halfspace(Halfspace),
    /// Of parts, each a posed body of its own.
    Compound,
}

/// A convex body with its triangles, if its faces are flat.
#[derive(Clone, Copy)]
pub(crate) struct PosedBody<'a> {
    body: &'a Body,
    pub convex: PosedConvex<'a>,
}

impl<'a> PosedBody<'a> {
    /// The triangles, made now if nobody needed them before; of balls and other round bodies there are none.
    pub fn surface(&self) -> Option<PosedSurface<'a>> {
        self.body.surface().map(|surface| PosedSurface::new(surface, self.convex.pose()))
    }

    /// Bound on the absolute coordinates of anything here.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.body.reach(self.convex.pose())
    }

    /// The smallest box around it, rounded outward.
    pub fn aabb(&self) -> Aabb {
        self.body.aabb(self.convex.pose())
    }
}
