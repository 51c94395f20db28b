//! The parts of a shape, each with one kind of inside.

use std::cell::OnceCell;

use glam::DVec3;

use crate::kind::Measured;
use crate::mass::border::Border;
use crate::mass::polyhedron::hull_triangles;
use crate::mass::{MassError, mass_properties};
use crate::math::Pose;
use crate::shape::{Aabb, Ellipsoid, Mesh, Shape};
use crate::tree::{WideTree, WindingTree};

/// A body with one kind of inside.
pub(super) enum Part {
    /// A surface, its vertices where they stand.
    Surface(Surface),
    /// A convex body, its pose, and a box around it.
    Convex(Box<dyn Measured>, Pose, Aabb),
}

pub(super) struct Surface {
    pub mesh: Mesh,
    pub inside: Inside,
}

/// What counts as inside.
pub(super) enum Inside {
    /// As often as the surface winds around it, all triangles facing outward alike.
    Winding,
    /// An odd number of crossings away from infinity.
    Parity,
    /// Where the winding number of a surface with holes is above ½, and so on.
    Open(Holes),
}

/// Evaluator of the winding numbers of a surface with holes.
pub(super) enum Holes {
    /// Its border, where that is short.
    Border(Border),
    /// Its triangles.
    Triangles(OnceCell<Box<(WideTree, WindingTree)>>),
}

/// Borders of more edges than this take longer than the tree of the triangles.
const LONG: usize = 1 << 14;

impl Part {
    pub fn aabb(&self) -> Aabb {
        match self {
            Self::Surface(surface) => surface.mesh.aabb(),
            Self::Convex(_, _, aabb) => *aabb,
        }
    }
}

/// All parts of a shape, posed.
pub(super) fn collect(shape: &Shape, pose: &Pose, parts: &mut Vec<Part>) -> Result<(), MassError> {
    match shape {
        Shape::Mesh(mesh) => parts.push(surface(mesh, pose)?),
        Shape::Solid(solid) if solid.is_oriented() => {
            parts.push(Part::Surface(Surface { mesh: posed(solid.mesh(), pose)?, inside: Inside::Winding }));
        }
        Shape::Solid(solid) => parts.push(surface(solid.mesh(), pose)?),
        Shape::Hull(hull) if hull.dimension() == 3 => {
            let mesh =
                Mesh::new(hull.vertices().to_vec(), hull_triangles(hull)).map_err(|_| too_far(pose))?;
            parts.push(surface(&mesh, pose)?);
        }
        Shape::Compound(compound) => {
            for (part, (shape, own)) in compound.parts().iter().enumerate() {
                let whole = together(pose, own).ok_or_else(|| too_far(own))?;
                collect(shape, &whole, parts).map_err(|e| MassError::Part { part, error: e.into() })?;
            }
        }
        Shape::Sphere(s) => {
            let moved =
                Pose::from_matrix(pose.rotation(), pose.apply(s.center)).map_err(|_| too_far(pose))?;
            parts.push(convex(Ellipsoid { radii: DVec3::splat(s.radius) }, &moved));
        }
        Shape::Cuboid(c) => parts.push(convex(*c, pose)),
        Shape::Capsule(c) => parts.push(convex(*c, pose)),
        Shape::Cylinder(c) => parts.push(convex(*c, pose)),
        Shape::Cone(c) => parts.push(convex(*c, pose)),
        Shape::Ellipsoid(e) => parts.push(convex(*e, pose)),
        // They have no inside, and the exact method says why.
        Shape::Hull(_) | Shape::Halfspace(_) | Shape::HeightField(_) => {
            return mass_properties(shape).map(drop);
        }
        Shape::Triangle(_) | Shape::Segment(_) | Shape::Point(_) | Shape::PointCloud(_) => {
            return mass_properties(shape).map(drop);
        }
    }
    Ok(())
}

fn too_far(pose: &Pose) -> MassError {
    MassError::OutOfRange { size: pose.translation().abs().max_element() }
}

fn together(outer: &Pose, inner: &Pose) -> Option<Pose> {
    Pose::from_matrix(outer.rotation() * inner.rotation(), outer.apply(inner.translation())).ok()
}

fn surface(mesh: &Mesh, pose: &Pose) -> Result<Part, MassError> {
    let mesh = posed(mesh, pose)?;
    let topology = mesh.topology();
    let inside = match (topology.is_closed(), topology.turned_edges()) {
        (true, 0) => Inside::Winding,
        (true, _) => Inside::Parity,
        (false, _) => {
            let border = Border::new(&mesh, &topology);
            let is_short = border.len() <= LONG;
            Inside::Open(if is_short { Holes::Border(border) } else { Holes::Triangles(OnceCell::new()) })
        }
    };
    Ok(Part::Surface(Surface { mesh, inside }))
}

fn posed(mesh: &Mesh, pose: &Pose) -> Result<Mesh, MassError> {
    if *pose == Pose::IDENTITY {
        Ok(mesh.clone())
    } else {
        mesh.mapped(|p| pose.apply(p)).map_err(|_| too_far(pose))
    }
}

fn convex(solid: impl Measured + 'static, pose: &Pose) -> Part {
    let aabb = solid.aabb_at(pose);
    Part::Convex(Box::new(solid), *pose, aabb)
}
