//! Patches: what a body is cut into, so that what moves little is told from what moves far.

use sudar::query::Body;
use sudar::{DVec3, Mesh, Pose};

use crate::ball::Ball;
use crate::frame::Frame;

/// A part of the surface of a mesh, or any other body as a whole.
#[derive(Debug, Clone)]
pub(crate) struct Patch {
    pub body: Body,
    /// In the frame of the link.
    pub ball: Ball,
}

/// So often a surface is cut in two.
const CUTS: u32 = 4;
/// Fewer triangles are not cut.
const FEW: usize = 24;

impl Patch {
    /// The patches of a body that stands at `at`: together they are its surface.
    pub fn all(body: &Body, at: &Pose) -> Vec<Self> {
        let whole = || vec![Self { ball: Ball::around(body, at), body: body.clone() }];
        let Some(mesh) = body.mesh() else { return whole() };
        let mut order: Vec<u32> = (0..mesh.triangles().len() as u32).collect();
        let middles: Vec<DVec3> =
            order.iter().map(|&i| mesh.triangle(i).corners().into_iter().sum::<DVec3>() / 3.0).collect();
        let mut patches = Vec::new();
        cut(&mut order, &middles, CUTS, &mut |some| {
            let body = Body::new(part(mesh, some)?);
            patches.push(Self { ball: Ball::around(&body, at), body });
            Some(())
        })
        .map_or_else(whole, |()| patches)
    }

    /// How far a mesh whose body stands at `frame` reaches along a direction; `None` for other bodies. O(vertices).
    pub fn support(&self, frame: &Frame, along: DVec3) -> Option<f64> {
        let own = frame.unrotate(along);
        let vertices = self.body.mesh()?.vertices().iter();
        Some(vertices.map(|v| own.dot(*v)).fold(f64::NEG_INFINITY, f64::max) + along.dot(frame.t))
    }
}

/// Halves the triangles along the longest side of the box around their middles.
fn cut(
    order: &mut [u32],
    middles: &[DVec3],
    cuts: u32,
    take: &mut impl FnMut(&[u32]) -> Option<()>,
) -> Option<()> {
    if cuts == 0 || order.len() < 2 * FEW {
        return take(order);
    }
    let around = sudar::Aabb::around(order.iter().map(|&i| middles[i as usize]));
    let extent = around.extent();
    let axis = (0..3).max_by(|&i, &j| extent[i].total_cmp(&extent[j]))?;
    let half = order.len() / 2;
    order.select_nth_unstable_by(half, |&i, &j| {
        middles[i as usize][axis].total_cmp(&middles[j as usize][axis]).then(i.cmp(&j))
    });
    let (first, second) = order.split_at_mut(half);
    cut(first, middles, cuts - 1, take)?;
    cut(second, middles, cuts - 1, take)
}

/// Some of the triangles of a mesh with their vertices.
fn part(mesh: &Mesh, triangles: &[u32]) -> Option<Mesh> {
    let mut vertices = Vec::new();
    let mut number = std::collections::HashMap::new();
    let mut numbered = |v: u32| {
        *number.entry(v).or_insert_with(|| {
            vertices.push(mesh.vertices()[v as usize]);
            vertices.len() as u32 - 1
        })
    };
    let triangles = triangles.iter().map(|&i| mesh.triangles()[i as usize].map(&mut numbered)).collect();
    Mesh::new(vertices, triangles).ok()
}

#[cfg(test)]
mod tests {
    use sudar_testing::meshes::torus;

    use super::*;

    #[test]
    fn the_patches_are_the_surface_once_and_each_is_in_its_ball() {
        let (mesh, at) = (torus(24, 16, 0.1), Pose::from_translation(DVec3::X).unwrap());
        let patches = Patch::all(&Body::new(mesh.clone()), &at);
        assert_eq!(patches.len(), 16);
        let corners = |mesh: &Mesh| -> Vec<[[u64; 3]; 3]> {
            let bits = |i| mesh.triangle(i).corners().map(|p| p.to_array().map(f64::to_bits));
            (0..mesh.triangles().len() as u32).map(bits).collect()
        };
        let mut found: Vec<_> =
            patches.iter().flat_map(|patch| corners(patch.body.mesh().unwrap())).collect();
        let mut all = corners(&mesh);
        found.sort_unstable();
        all.sort_unstable();
        assert_eq!(found, all);
        let most = patches.iter().map(|patch| patch.ball.radius).fold(0.0, f64::max);
        assert!(most < 0.5 * Ball::around(&Body::new(mesh), &at).radius, "{most}");
        for Patch { body, ball } in &patches {
            let mut points = body.mesh().unwrap().vertices().iter();
            assert!(points.all(|p| (at.apply(*p) - ball.center).length() <= ball.radius));
        }
    }

    #[test]
    fn few_triangles_and_other_shapes_are_one_patch() {
        let cube = Mesh::from_aabb(sudar::Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let ball = sudar::Sphere::new(DVec3::ZERO, 1.0).unwrap();
        for body in [Body::new(cube), Body::new(ball)] {
            assert_eq!(Patch::all(&body, &Pose::IDENTITY).len(), 1);
        }
    }
}
