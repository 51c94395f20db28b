//! How far bodies reach.

use glam::DVec3;

use crate::convex::PosedConvex;
use crate::mass::mass_properties;
use crate::math::Pose;
use crate::query::Body;
use crate::shape::Shape;

/// The largest (p − c)·m over the points p of a body at a pose, for a centre c and a direction m of any length; none of
/// bodies without end.
pub fn reach_along(body: &Body, pose: &Pose, center: DVec3, m: DVec3) -> Option<f64> {
    if let Some(convex) = body.convex() {
        let posed = PosedConvex::new(convex, pose);
        let far = posed.center() - center + posed.support(m).offset;
        return Some(m.dot(far) + (convex.margin() + posed.slack()) * m.length());
    }
    if body.parts().is_empty() {
        let heights = body.mesh()?.vertices().iter().map(|&p| m.dot(pose.apply(p) - center));
        return heights.reduce(f64::max);
    }
    let parts = body.parts().iter().map(|(part, own)| reach_along(part, &pose.after(own), center, m));
    parts.reduce(|a, b| Some(a?.max(b?))).flatten()
}

/// How far the body reaches from its centre of mass, and about half of how thin it is.
pub fn extent(body: &Body, center: DVec3) -> (f64, f64) {
    if let Shape::Sphere(s) = body.shape() {
        return (s.radius + (s.center - center).length(), s.radius);
    }
    let own = body.aabb(&Pose::IDENTITY);
    if !own.extent().is_finite() {
        return (f64::INFINITY, f64::INFINITY);
    }
    let farthest = |points: &mut dyn Iterator<Item = DVec3>| {
        points.fold(0.0, |most: f64, p| most.max((p - center).length())) * (1.0 + 1e-12)
    };
    let is_box = matches!(body.shape(), Shape::Cuboid(_));
    let Some(mesh) = body.mesh().filter(|_| !is_box && body.parts().is_empty()) else {
        let whole = 0.5 * own.extent().min_element();
        let parts = body.parts().iter().map(|(part, _)| extent(part, part.aabb(&Pose::IDENTITY).center()).1);
        return (farthest(&mut own.corners().into_iter()), parts.fold(whole, f64::min));
    };
    let radius = farthest(&mut mesh.vertices().iter().copied());
    let count = mesh.triangles().len() as u32;
    let area: f64 = (0..count).map(|i| 0.5 * mesh.triangle(i).scaled_normal().length()).sum();
    let volume = mass_properties(body.shape()).map_or(0.0, |mass| mass.mass.abs());
    // Of a plate half its thickness, of a tetrahedron a third of the radius of the ball in it.
    (radius, if area > 0.0 { volume / area } else { 0.0 })
}
