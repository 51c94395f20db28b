//! The unit bodies that all primitives are drawn from, made once.

use std::f32::consts::TAU;
use std::sync::{Arc, LazyLock};

use glam::{DVec3, Vec3};

use super::geometry::{Geometry, vertex};

/// Sides of what is round, and of its coarser versions, each with the radius in pixels below which it does.
const SIDES: u32 = 32;
const COARSER: [(f32, u32); 2] = [(60.0, 16), (16.0, 8)];

/// The box from −1 to 1: three faces, of which each instance shows those towards the eye.
pub static CUBE: LazyLock<Arc<Geometry>> = LazyLock::new(|| {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for k in 0..3 {
        let (u, v) = (Vec3::AXES[(k + 1) % 3], Vec3::AXES[(k + 2) % 3]);
        let normal = Vec3::AXES[k];
        let first = vertices.len() as u32;
        vertices.extend(
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
                .map(|[s, t]| vertex(normal + u * s + v * t, normal)),
        );
        triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    open(vertices, triangles, true)
});

/// The ball of radius 1.
pub static BALL: LazyLock<Arc<Geometry>> =
    LazyLock::new(|| with_coarser(|sides| dome(0.0, sides / 2, sides)));

/// The upper half of it.
pub static DOME: LazyLock<Arc<Geometry>> =
    LazyLock::new(|| with_coarser(|sides| dome(0.5, sides / 4, sides)));

/// The cylinder of radius 1 between z = −1 and z = 1, with its ends.
pub static CYLINDER: LazyLock<Arc<Geometry>> = LazyLock::new(|| {
    with_coarser(|sides| {
        let mut parts = Parts::new(sides);
        parts.band(&[[1.0, -1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0]]);
        parts.band(&[[1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]]);
        parts.band(&[[0.0, -1.0, 0.0, -1.0], [1.0, -1.0, 0.0, -1.0]]);
        parts.unit()
    })
});

/// The side of that cylinder.
pub static TUBE: LazyLock<Arc<Geometry>> = LazyLock::new(|| {
    with_coarser(|sides| {
        let mut parts = Parts::new(sides);
        parts.band(&[[1.0, -1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0]]);
        parts.unit()
    })
});

/// The cone with its base of radius 1 at z = −1 and its apex at z = 1.
pub static CONE: LazyLock<Arc<Geometry>> = LazyLock::new(|| {
    with_coarser(|sides| {
        let mut parts = Parts::new(sides);
        let (out, up) = (2.0 / 5.0_f32.sqrt(), 1.0 / 5.0_f32.sqrt());
        parts.band(&[[1.0, -1.0, out, up], [0.0, 1.0, out, up]]);
        parts.band(&[[0.0, -1.0, 0.0, -1.0], [1.0, -1.0, 0.0, -1.0]]);
        parts.unit()
    })
});

/// The square from −1 to 1 at z = 0.
pub static SQUARE: LazyLock<Arc<Geometry>> = LazyLock::new(|| {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .map(|[x, y]| vertex(Vec3::new(x, y, 0.0), Vec3::Z));
    open(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]], false)
});

fn open(vertices: Vec<[f32; 6]>, triangles: Vec<[u32; 3]>, is_box: bool) -> Arc<Geometry> {
    Arc::new(geometry(vertices, triangles, [is_box, false]))
}

fn geometry(vertices: Vec<[f32; 6]>, triangles: Vec<[u32; 3]>, [is_box, is_closed]: [bool; 2]) -> Geometry {
    let reach = vertices.iter().map(|v| Vec3::from_slice(v).length()).fold(0.0, f32::max);
    Geometry { origin: DVec3::ZERO, vertices, triangles, is_closed, reach, is_box, coarser: Vec::new() }
}

fn with_coarser(make: impl Fn(u32) -> Geometry) -> Arc<Geometry> {
    let coarser = COARSER.into_iter().map(|(below, sides)| (below, Arc::new(make(sides)))).collect();
    Arc::new(Geometry { coarser, ..make(SIDES) })
}

/// The ball from a height (as a part of the half turn from pole to pole) up.
fn dome(from: f32, rows: u32, sides: u32) -> Geometry {
    let mut parts = Parts::new(sides);
    let profile: Vec<[f32; 4]> = (0..=rows)
        .map(|i| {
            let angle = (from + (1.0 - from) * i as f32 / rows as f32) * 0.5 * TAU;
            let (out, up) = (angle.sin(), -angle.cos());
            [out, up, out, up]
        })
        .collect();
    parts.band(&profile);
    parts.unit()
}

struct Parts {
    sides: u32,
    vertices: Vec<[f32; 6]>,
    triangles: Vec<[u32; 3]>,
}

impl Parts {
    fn new(sides: u32) -> Self {
        Self { sides, vertices: Vec::new(), triangles: Vec::new() }
    }

    fn unit(self) -> Geometry {
        geometry(self.vertices, self.triangles, [false, true])
    }

    /// Turns a profile about z: radius, height, and the normal's parts out and up. With the outside to the
    /// right it goes up, so that triangles turn their backs inward.
    fn band(&mut self, profile: &[[f32; 4]]) {
        let first = self.vertices.len() as u32;
        for side in 0..=self.sides {
            let angle = TAU * side as f32 / self.sides as f32;
            let out = Vec3::new(angle.cos(), angle.sin(), 0.0);
            self.vertices.extend(
                profile.iter().map(|[r, z, o, u]| vertex(out * *r + Vec3::Z * *z, out * *o + Vec3::Z * *u)),
            );
        }
        let rows = profile.len() as u32;
        for side in 0..self.sides {
            for row in 0..rows - 1 {
                let a = first + side * rows + row;
                let b = a + rows;
                self.triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(geometry: &Geometry) -> (Vec3, Vec3) {
        let points = geometry.vertices.iter().map(|v| Vec3::from_slice(v));
        (points.clone().reduce(Vec3::min).unwrap(), points.reduce(Vec3::max).unwrap())
    }

    #[test]
    fn unit_bodies_reach_from_minus_one_to_one() {
        for body in [&BALL, &CYLINDER, &TUBE, &CONE] {
            let (least, most) = reach(body);
            assert!((least + Vec3::ONE).length() < 1e-5 && (most - Vec3::ONE).length() < 1e-5);
        }
        let (least, most) = reach(&DOME);
        assert!((least - Vec3::new(-1.0, -1.0, 0.0)).length() < 1e-5 && (most - Vec3::ONE).length() < 1e-5);
    }

    #[test]
    fn backs_are_inside() {
        for body in [&BALL, &DOME, &CYLINDER, &TUBE, &CONE] {
            assert!(body.is_closed);
            let whole: &Arc<Geometry> = body;
            let levels = std::iter::once(whole).chain(body.coarser.iter().map(|(_, level)| level));
            for (level, t) in levels.flat_map(|level| level.triangles.iter().map(move |t| (level, t))) {
                let [a, b, c] = t.map(|k| &level.vertices[k as usize]);
                let at = |v: &[f32; 6]| Vec3::from_slice(v);
                let face = (at(b) - at(a)).cross(at(c) - at(a));
                let out: Vec3 = [a, b, c].iter().map(|v| Vec3::from_slice(&v[3..])).sum();
                assert!(face.dot(out) > -1e-6, "{a:?} {b:?} {c:?}");
            }
        }
    }

    #[test]
    fn normals_point_out() {
        for body in [&BALL, &DOME, &CYLINDER, &TUBE, &CONE, &CUBE] {
            for v in &body.vertices {
                let (at, normal) = (Vec3::from_slice(v), Vec3::from_slice(&v[3..]));
                assert!((normal.length() - 1.0).abs() < 1e-5 && at.dot(normal) >= -1e-6, "{v:?}");
            }
        }
    }
}
