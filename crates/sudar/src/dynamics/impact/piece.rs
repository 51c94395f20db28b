//! The triangles of a mesh that a convex body may meet soon.
//!
//! A plane seldom keeps a body apart from a whole mesh, but nearly always from one of its triangles. So where a
//! convex body comes near a mesh, each of the few triangles within its reach is advanced on its own, and what comes
//! first of them comes first of the mesh.

use std::ops::ControlFlow;

use glam::DVec3;

use crate::convex::{Convex, Core, Difference, GjkMemory, GjkOptions, PosedConvex, gjk};
use crate::dynamics::matter::Rigid;
use crate::effort::Meter;
use crate::math::{Pose, unit};
use crate::shape::Triangle;

/// Triangles above which the mesh is looked at as a whole.
const FEW: usize = 64;

/// How wide bounds on distances may be, relative to these.
const LOOSE: f64 = 0.05;

/// A triangle of one of two bodies, which is a mesh.
#[derive(Clone, Copy)]
pub struct Piece {
    /// Which of the two has it.
    pub side: usize,
    /// In coordinates of the mesh.
    triangle: Triangle,
}

impl Piece {
    /// The triangles that may come within a reach of a convex body; none where neither is a mesh and the other
    /// convex, where there are many, and where the convex body is inside of a solid.
    pub fn near([a, b]: [&Rigid; 2], poses: &[Pose; 2], reach: f64) -> Option<Vec<Self>> {
        let side = [b, a].iter().position(|other| other.given.body.convex().is_some())?;
        let [mesh, convex] = if side == 0 { [a, b] } else { [b, a] };
        if mesh.given.body.convex().is_some() {
            return None;
        }
        let surface = mesh.given.body.at(&poses[side]).surface()?;
        let body = convex.given.body.at(&poses[1 - side]);
        let mut meter = Meter::unlimited();
        let mut near = Vec::new();
        surface.view().visit_box(&body.bounds().grown(reach), &mut meter, |i| {
            near.push(i);
            if near.len() > FEW { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let center = body.convex()?.convex.center();
        if near.len() > FEW || surface.encloses_metered(center, &mut meter) != Some(false) {
            return None;
        }
        let piece = |i| Self { side, triangle: surface.surface.mesh.triangle(i) };
        Some(near.into_iter().map(piece).collect())
    }

    /// Its corners where its body is.
    pub fn at(&self, poses: &[Pose; 2]) -> Triangle {
        let pose = &poses[self.side];
        let Triangle { a, b, c } = self.triangle;
        Triangle { a: pose.apply(a), b: pose.apply(b), c: pose.apply(c) }
    }

    /// A lower bound on its distance from the other body if that is no more than `most`, and the direction from the
    /// first of the two to the second.
    pub fn gap(
        &self,
        rigids: [&Rigid; 2],
        poses: &[Pose; 2],
        absolute: f64,
        most: f64,
    ) -> Option<(f64, DVec3)> {
        let other = 1 - self.side;
        let body = PosedConvex::new(rigids[other].given.body.convex()?, &poses[other]);
        let Triangle { a, b, c } = self.at(poses);
        let triangle = Convex::new(Core::Triangle([a, b, c]), 0.0);
        let difference = Difference::unposed(body, PosedConvex::new(&triangle, &Pose::IDENTITY));
        let margin = difference.margin() * (1.0 + 2.0 * f64::EPSILON);
        let options = GjkOptions { absolute, relative: LOOSE, beyond: most + margin, ..GjkOptions::DISTANCE };
        let found = gjk(&difference, &GjkMemory::NONE, &options);
        let lower = (found.distance.lower - margin).max(0.0);
        Some((lower, if other == 0 { found.axis } else { -found.axis }))
    }

    /// The normal of its plane, from the first body to the second.
    pub fn normal(&self, poses: &[Pose; 2], centers: [DVec3; 2]) -> Option<DVec3> {
        let triangle = self.at(poses);
        let normal = unit(triangle.scaled_normal())?;
        let other = 1 - self.side;
        let above = normal.dot(centers[other] - triangle.a) > 0.0;
        Some(if above == (other == 1) { normal } else { -normal })
    }
}
