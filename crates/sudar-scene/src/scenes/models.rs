//! Models for tunnels, of our own making, where there are no files.

use sudar::hull::convex_hull;
use sudar::shape::{Compound, Cuboid, Shape, Sphere};
use sudar::{DVec3, Pose};
use thiserror::Error;

use super::SceneError;

/// Corners around an axis.
const AROUND: u32 = 16;

/// No model has that name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("\"{name}\" is no model; known are {}", TUNNEL_MODELS.map(|model| model.0).join(", "))]
pub struct UnknownModel {
    /// The name as it was given.
    pub name: String,
}

type Make = fn() -> Result<Shape, SceneError>;

/// The models that [`tunnel_model`] knows, by name. y is along what is long, the middle is the origin.
const TUNNEL_MODELS: [(&str, Make); 8] = [
    ("Frustum", frustum),
    ("Kostka", || Ok(Cuboid::new(DVec3::ONE)?.into())),
    ("Crate", || Ok(Cuboid::new(DVec3::splat(0.6))?.into())),
    ("Ball", || Ok(Sphere::new(DVec3::ZERO, 1.0)?.into())),
    ("Column", || prism(&[(0.6, -5.0), (0.6, 5.0)])),
    ("Beam", || Ok(Cuboid::new(DVec3::new(0.5, 5.0, 0.5))?.into())),
    ("Gate", gate),
    ("Fighter", super::fighter),
];

/// A model by the name that a tunnel file gives it, with or without an ending, in large or small letters: `Frustum` and
/// `Kostka` (a cube of 2 m) of Maštera 2007, and `Crate` (a cube of 1.2 m), `Ball` (radius 1 m), `Column` and `Beam`
/// (from wall to wall, round and square), `Gate` (closes a cube but for 4 m by 4 m in its middle) and `Fighter`. y is
/// along the axis of what is long, z through a gate.
///
/// # Errors
/// [`SceneError::Model`], which lists the names.
pub fn tunnel_model(name: &str) -> Result<Shape, SceneError> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let known = TUNNEL_MODELS.iter().find(|(known, _)| known.eq_ignore_ascii_case(stem));
    known.map_or_else(|| Err(UnknownModel { name: name.to_owned() }.into()), |(_, make)| make())
}

/// Four metres high, its broad side at y = −2.
fn frustum() -> Result<Shape, SceneError> {
    prism(&[(2.0, -2.0), (0.8, 2.0)])
}

/// The hull of rings around y, each by its radius and height.
fn prism(rings: &[(f64, f64)]) -> Result<Shape, SceneError> {
    let at = |radius: f64, y: f64, i: u32| {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(AROUND);
        DVec3::new(radius * libm::cos(angle), y, radius * libm::sin(angle))
    };
    let points: Vec<DVec3> =
        rings.iter().flat_map(|&(radius, y)| (0..AROUND).map(move |i| at(radius, y, i))).collect();
    Ok(Shape::Hull(convex_hull(&points)?.into()))
}

/// Four slabs around a hole.
fn gate() -> Result<Shape, SceneError> {
    let slab = |half: DVec3, at: DVec3| -> Result<(Shape, Pose), SceneError> {
        Ok((Cuboid::new(half)?.into(), Pose::from_translation(at).unwrap_or(Pose::IDENTITY)))
    };
    let (wide, high) = (DVec3::new(5.0, 1.5, 0.3), DVec3::new(1.5, 2.0, 0.3));
    let sides = [(wide, DVec3::Y), (wide, DVec3::NEG_Y), (high, DVec3::X), (high, DVec3::NEG_X)];
    let slabs =
        sides.into_iter().map(|(half, side)| slab(half, side * 3.5)).collect::<Result<Vec<_>, _>>()?;
    Ok(Compound::new(slabs)?.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::query::Body;

    #[test]
    fn models_are_as_large_as_is_said() {
        for (name, half) in [
            ("Frustum.wrl", DVec3::new(2.0, 2.0, 2.0)),
            ("kostka", DVec3::ONE),
            ("CRATE.obj", DVec3::splat(0.6)),
            ("Ball", DVec3::ONE),
            ("Column", DVec3::new(0.6, 5.0, 0.6)),
            ("Beam", DVec3::new(0.5, 5.0, 0.5)),
            ("Gate", DVec3::new(5.0, 5.0, 0.3)),
        ] {
            let aabb = Body::new(tunnel_model(name).unwrap()).aabb(&Pose::IDENTITY);
            assert!((0.5 * aabb.extent() - half).abs().max_element() < 1e-12, "{name} {aabb:?}");
        }
        assert!(matches!(tunnel_model("fighter"), Ok(Shape::Solid(_))));
    }

    #[test]
    fn through_a_gate_one_can_fly() {
        let gate = Body::new(tunnel_model("Gate").unwrap());
        let is_hit = |x: f64| {
            let ray = sudar::Ray { origin: DVec3::new(x, 0.0, 5.0), direction: DVec3::NEG_Z };
            sudar::query::ray_any(gate.at(&Pose::IDENTITY), &ray, f64::INFINITY)
        };
        assert!(!is_hit(0.0) && !is_hit(1.9) && is_hit(2.1));
    }

    #[test]
    fn an_unknown_model_is_refused_with_the_known_ones() {
        let error = tunnel_model("Kuzel.wrl").unwrap_err().to_string();
        assert!(error.starts_with("\"Kuzel.wrl\" is no model; known are Frustum, Kostka,"), "{error}");
    }
}
