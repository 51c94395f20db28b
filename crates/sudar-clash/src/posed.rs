//! A part in its place, and what is asked of it alone.

use std::sync::OnceLock;

use sudar::inside::Surface;
use sudar::query::{Body, Placed, Work, contains};
use sudar::{Aabb, DVec3, Pose, Triangle};

use crate::corners::Corners;

/// Points this close to a surface, relative to the size of the part, are not said to be inside.
const AT_SURFACE: f64 = 1e-12;

/// A part in its place.
pub(crate) struct Posed<'a> {
    pub body: &'a Body,
    pub pose: &'a Pose,
    /// The smallest box around it.
    pub bounds: &'a Aabb,
    /// Which triangles meet at its corners, if it is a solid; found when first needed.
    pub corners: &'a OnceLock<Option<Corners>>,
}

impl<'a> Posed<'a> {
    pub fn at(&self) -> Placed<'a> {
        self.body.at(self.pose)
    }

    /// Its surface, if that encloses something.
    pub fn solid(&self) -> Option<impl Surface + use<'a>> {
        self.at().closed_surface()
    }

    pub fn corners(&self) -> Option<&'a Corners> {
        self.corners.get_or_init(|| Corners::of(self.body)).as_ref()
    }

    /// Whether all its corners are in another solid, or at most so far from it.
    pub fn corners_are_in(&self, other: &Self, band: f64, work: &mut Work<'_>) -> bool {
        let Some(mesh) = self.body.mesh() else { return false };
        let mut used =
            mesh.triangles().as_flattened().iter().map(|&v| self.pose.apply(mesh.vertices()[v as usize]));
        used.all(|p| other.holds(p) || work.closest_point(other.at(), p).distance.lower <= band)
    }

    /// Whether some corner is farther than that from all of another solid.
    pub fn sticks_out_of(&self, other: &Self, by: f64, work: &mut Work<'_>) -> bool {
        let around = other.bounds.grown(by);
        let is_near = around.contains(self.bounds.min) && around.contains(self.bounds.max);
        !(is_near && self.corners_are_in(other, by, work))
    }

    /// Whether it encloses a point or has it on its surface.
    pub fn holds(&self, p: DVec3) -> bool {
        self.bounds.contains(p) && contains(self.at(), p).unwrap_or(false)
    }

    /// Whether it encloses a point, not at its surface.
    pub fn holds_inside(&self, p: DVec3) -> bool {
        let least = AT_SURFACE * self.bounds.extent().max_element();
        let is_deep = |work: &mut Work<'_>| {
            work.closest_on_surface(self.at(), p, 0).is_some_and(|near| near.distance.lower > least)
        };
        self.holds(p) && is_deep(&mut Work::default())
    }

    pub fn triangle(&self, i: u32) -> Option<Triangle> {
        self.body.posed_triangle(self.pose, i)
    }

    /// The first corner of the first piece of its surface that has it in the other solid.
    pub fn corner_in(&self, other: &Self) -> Option<DVec3> {
        let (solid, _) = (self.body.solid().filter(|_| self.solid().is_some())?, other.solid()?);
        let corners =
            solid.representatives().iter().map(|&i| self.pose.apply(solid.mesh().vertices()[i as usize]));
        corners
            .into_iter()
            .find(|&p| other.bounds.contains(p) && contains(other.body.at(other.pose), p).unwrap_or(false))
    }
}
