//! ColDet.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::tree::{BuildRules, Descent, Siblings, SplitAxis, SplitPoint, TraversalOrder, UnsplitRule, visit};
use sudar::effort::{Budget, Meter};
use sudar::pair::{
    closest_point_triangle, ray_aabb, ray_triangle, sphere_aabb, sphere_triangle, triangle_intersection,
};
use sudar::{Aabb, DVec3, Mesh, Pose, Ray, Sphere};

use super::model::point_of;
use crate::{Found, Limits, Model};

/// Geva's library for games (2000): one tree of boxes, and three questions: mesh against mesh, ray, and ball,
/// each answered with the triangles and a point. Rules of the tree as in the library's source, version 1.1.
///
/// The tree is binary, of boxes along the axes of the model. It is split along the axis on which the centres of
/// triangles are farthest from their mean, absolute distances added, at the mean; triangles that all fall on
/// one side stay together in one leaf. Of two inner nodes the larger is opened, and the upper child comes first,
/// as on a stack. Boxes of two models are tested by separating axes.
#[derive(Debug, Clone)]
pub struct ColDet {
    model: Model<Aabb>,
}

const RULES: BuildRules = BuildRules {
    axis: SplitAxis::MostDeviation,
    point: SplitPoint::Mean,
    unsplit: UnsplitRule::Leaf,
    ties_alternate: false,
    leaf: 1,
};

impl ColDet {
    /// Which of two nodes is opened, and which child comes first.
    pub const ORDER: TraversalOrder =
        TraversalOrder { descent: Descent::Larger, siblings: Siblings::LastFirst };

    /// Builds the tree.
    pub fn new(mesh: Arc<Mesh>) -> Self {
        Self { model: Model::top_down(mesh, &RULES) }
    }

    /// The mesh and its tree.
    pub fn model(&self) -> &Model<Aabb> {
        &self.model
    }

    /// The pairs of triangles that meet.
    pub fn collide(&self, pose: &Pose, other: &Self, other_pose: &Pose, limits: Limits) -> Found {
        self.model.collide(pose, &other.model, other_pose, Self::ORDER, limits)
    }

    /// The first pair of triangles that meet, and a point that they have in common, in the world: where an edge
    /// of one goes through the other, as in the source; the middle of the corners of what they share where they
    /// lie in one plane, of which the source says nothing.
    pub fn collision_point(&self, pose: &Pose, other: &Self, other_pose: &Pose) -> Option<([u32; 2], DVec3)> {
        let found = self.collide(pose, other, other_pose, Limits::FIRST);
        let &[i, j] = found.pairs.first()?;
        let (first, second) = (self.model.posed(pose, i), other.model.posed(other_pose, j));
        let point = point_of(&triangle_intersection(&first, &second)?);
        Some(([i, j], point))
    }

    /// The first triangle that a ray in the world meets at a parameter of at most `max`, the parameter and
    /// the point. Of several at the same parameter that with the least number.
    pub fn ray(&self, pose: &Pose, ray: &Ray, max: f64) -> Option<(u32, f64, DVec3)> {
        // Rays are tested against triangles in the world, so boxes are met by a tube as thick as rounding.
        let local = Ray { origin: pose.unapply(ray.origin), direction: pose.unrotate(ray.direction) };
        let reach = self.model.mesh().aabb().reach() + local.origin.abs().max_element();
        let slack = 4.0 * pose.rounding(reach) + 64.0 * f64::EPSILON * reach;
        let best = std::cell::Cell::new((max, u32::MAX));
        let meets =
            |aabb: &Aabb| ray_aabb(&local, &aabb.grown(slack), best.get().0 * (1.0 + 1e-12)).is_some();
        let mut meter = Meter::new(&Budget::UNLIMITED);
        let _ = visit(self.model.tree(), &mut meter, meets, |leaf| {
            for &i in self.model.tree().items(leaf) {
                if let Some(hit) = ray_triangle(ray, &self.model.posed(pose, i), best.get().0)
                    && (hit.t, i) < best.get()
                {
                    best.set((hit.t, i));
                }
            }
            ControlFlow::Continue(())
        });
        let (t, triangle) = best.get();
        (triangle != u32::MAX).then(|| (triangle, t, ray.origin + ray.direction * t))
    }

    /// The triangles that a ball in the world meets, sorted, each with its point nearest to the centre; one alone
    /// if the first is enough.
    pub fn sphere(&self, pose: &Pose, sphere: &Sphere, first: bool) -> Vec<(u32, DVec3)> {
        let center = pose.unapply(sphere.center);
        let reach = self.model.mesh().aabb().reach() + center.abs().max_element();
        let slack = 4.0 * pose.rounding(reach) + 64.0 * f64::EPSILON * reach;
        // A matrix that is a rotation but for 1e-6 stretches by as much.
        let local = Sphere { center, radius: (sphere.radius + slack) * (1.0 + 4e-6) };
        let mut found = Vec::new();
        let mut meter = Meter::new(&Budget::UNLIMITED);
        let _ = visit(
            self.model.tree(),
            &mut meter,
            |aabb: &Aabb| sphere_aabb(&local, aabb),
            |leaf| {
                for &i in self.model.tree().items(leaf) {
                    let triangle = self.model.posed(pose, i);
                    if sphere_triangle(sphere, &triangle) {
                        found.push((i, closest_point_triangle(sphere.center, &triangle).b));
                        if first {
                            return ControlFlow::Break(());
                        }
                    }
                }
                ControlFlow::Continue(())
            },
        );
        found.sort_by_key(|&(i, _)| i);
        found
    }
}
