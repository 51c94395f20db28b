//! Triangle meshes of shapes, with a proved distance.

use std::f64::consts::FRAC_PI_2;

use glam::{DVec2, DVec3};
use thiserror::Error;

use super::globe::Globe;
use super::net::Net;
use crate::math::Pose;
use crate::shape::{
    Capsule, Compound, Cone, Cylinder, Ellipsoid, Mesh, MeshError, Shape, ShapeError, Sphere, Triangle,
};

/// A mesh that stands for a shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Tessellation {
    /// The triangles, counter-clockwise when seen from outside. Their corners are on the surface of the shape, to the
    /// rounding of coordinates.
    pub mesh: Mesh,
    /// No point of the surface is farther from the mesh than this, and none of the mesh farther from the surface: an
    /// upper bound of the Hausdorff distance of the two, rounded up, in metres. At most the tolerance; 0 of shapes that
    /// have flat faces.
    pub distance: f64,
}

/// Why a shape has no mesh.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum TessellationError {
    /// The tolerance is no length.
    #[error("the tolerance of a mesh must be a positive finite length, found {tolerance}")]
    Tolerance {
        /// The one given.
        tolerance: f64,
    },
    /// A half-space has no end.
    #[error("a half-space has no end, and therefore no mesh; take a large box below its plane")]
    Endless,
    /// The tolerance is too small for the size of the shape.
    #[error(
        "a mesh within {tolerance} of the shape needs over {} triangles or more digits than f64 has; allow more",
        Mesh::MOST_TRIANGLES
    )]
    TooFine {
        /// The tolerance.
        tolerance: f64,
    },
    /// The parameters of the shape are none of its kind.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The corners cannot be those of a mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

type Result<T> = std::result::Result<T, TessellationError>;

impl Mesh {
    /// Most triangles of a round body that [`Mesh::from_shape`] makes: 4 194 304.
    pub const MOST_TRIANGLES: usize = 1 << 22;

    /// The surface of a shape as a mesh that is at most `tolerance` metres away from it, with the proved distance.
    ///
    /// The mesh of a round body is closed, inside the body and in the same box; its corners have the body's planes of
    /// symmetry. By kind, with why the distance is right:
    ///
    /// - **Cylinder**: a prism over a regular polygon of `n` corners, n a multiple of four; 4n − 4 triangles. In every
    ///   cross section an arc and its chord are at most `r·(1 − cos(π/n))` apart.
    /// - **Cone**: a pyramid over the same polygon; 2n − 2 triangles. Its cross sections are such polygons in smaller
    ///   circles.
    /// - **Ball**: corners on parallels, evenly spaced; about 6.4·r/tolerance triangles, where equilateral ones would
    ///   be 4.8. With d the least distance of a triangle's plane from the centre, every ray from the centre meets the
    ///   mesh between d and r, so that r − d is a bound.
    /// - **Capsule**: the same with the corners of the equator drawn apart. Points of the halves move out as in the
    ///   ball, those between away from the axis, by no more.
    /// - **Ellipsoid**: the image of a mesh in the unit ball that is fine only in those places and directions in which
    ///   the image needs it. With S the map of the ball, a point m of that mesh moves along S⁻²m onto the sphere, in
    ///   the image by at most `(1 − |m|²)/(2·|S⁻¹m|)`; the bound is the greatest of these.
    ///
    /// Meshes, solids, height fields, boxes, hulls, triangles, and point clouds are the triangles that queries see
    /// ([`Body::mesh`](crate::query::Body::mesh)), with distance 0. That of a compound is those of its parts, one after
    /// another, which may pass through each other.
    ///
    /// The same bits on every platform; a shape that is scaled by a power of two has the same mesh, scaled.
    /// O(n) for n triangles, about a microsecond each.
    ///
    /// # Errors
    /// [`TessellationError`].
    ///
    /// ```
    /// use sudar::{Cylinder, Mesh, Solid};
    ///
    /// let pipe = Cylinder::new(0.5, 2.0)?.into();
    /// let fine = Mesh::from_shape(&pipe, 1e-3)?;
    /// assert!(fine.distance <= 1e-3 && fine.mesh.triangles().len() == 4 * 52 - 4);
    /// let solid = Solid::new(fine.mesh.into())?; // closed, so that it has an inside
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_shape(shape: &Shape, tolerance: f64) -> Result<Tessellation> {
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(TessellationError::Tolerance { tolerance });
        }
        match shape {
            Shape::Mesh(mesh) => Ok(exact((**mesh).clone())),
            Shape::Solid(solid) => Ok(exact((**solid.mesh()).clone())),
            Shape::HeightField(field) => Ok(exact((**field.mesh()).clone())),
            Shape::PointCloud(cloud) => Ok(exact((**cloud.mesh()).clone())),
            Shape::Triangle(t) => Ok(exact(Self::from_triangle(*t))),
            Shape::Segment(s) => Ok(exact(Self::from_triangle(Triangle { a: s.a, b: s.b, c: s.b }))),
            Shape::Point(p) => Ok(exact(Self::from_triangle(Triangle { a: *p, b: *p, c: *p }))),
            Shape::Cuboid(cuboid) => Ok(exact(Self::from_aabb(cuboid.aabb()))),
            Shape::Hull(hull) => Ok(exact(Self::from_hull(hull))),
            Shape::Sphere(sphere) => of_ball(*sphere, tolerance),
            Shape::Ellipsoid(ellipsoid) => of_ellipsoid(*ellipsoid, tolerance),
            Shape::Capsule(capsule) => of_capsule(*capsule, tolerance),
            Shape::Cylinder(cylinder) => of_cylinder(*cylinder, tolerance),
            Shape::Cone(cone) => of_cone(*cone, tolerance),
            Shape::Compound(compound) => of_compound(compound, tolerance),
            Shape::Halfspace(_) => Err(TessellationError::Endless),
        }
    }
}

fn exact(mesh: Mesh) -> Tessellation {
    Tessellation { mesh, distance: 0.0 }
}

fn of_ball(Sphere { center, radius }: Sphere, tolerance: f64) -> Result<Tessellation> {
    Sphere::new(center, radius)?;
    let rounding = 4.0 * f64::EPSILON * (center.abs().max_element() + radius);
    let fine = Fine::new(DVec3::splat(radius), tolerance, rounding)?;
    fine.mesh(&fine.net, |_, p| center + p * radius)
}

fn of_capsule(Capsule { radius, half_length }: Capsule, tolerance: f64) -> Result<Tessellation> {
    Capsule::new(radius, half_length)?;
    let rounding = 4.0 * f64::EPSILON * (half_length + radius);
    let fine = Fine::new(DVec3::splat(radius), tolerance, rounding)?;
    let (net, half) = fine.globe.net(fine.w, true, Mesh::MOST_TRIANGLES).ok_or(too_fine(tolerance))?;
    fine.mesh(&net, |k, p| p * radius + DVec3::Z * if k < half { -half_length } else { half_length })
}

/// The poles are on the axis whose semi-axis differs most from the other two: these are alike around it.
fn of_ellipsoid(Ellipsoid { radii }: Ellipsoid, tolerance: f64) -> Result<Tessellation> {
    Ellipsoid::new(radii)?;
    let mut axes = [0, 1, 2];
    axes.sort_by(|&i, &j| radii[j].total_cmp(&radii[i]));
    let [longest, middle, shortest] = axes.map(|i| radii[i] / radii.max_element());
    let pole = if longest * shortest >= middle * middle { axes[0] } else { axes[2] };
    // Back from the frame in which the pole is z.
    let turned = |p: DVec3| DVec3::from_array([0, 1, 2].map(|i| p[(i + 2 - pole) % 3]));
    let local = DVec3::from_array([1, 2, 3].map(|i| radii[(i + pole) % 3]));
    let rounding = 4.0 * f64::EPSILON * radii.max_element();
    let fine = Fine::new(local, tolerance, rounding)?;
    fine.mesh(&fine.net, |_, p| turned(p) * radii)
}

fn too_fine(tolerance: f64) -> TessellationError {
    TessellationError::TooFine { tolerance }
}

/// The coarsest net that is fine enough for a ball or ellipsoid.
struct Fine {
    globe: Globe,
    net: Net,
    /// The distance for which it was made.
    w: f64,
    /// The proved one, of what the net is stretched to.
    distance: f64,
}

/// How much finer the next attempt is.
const FINER: f64 = 0.87;
/// Attempts from twice the tolerance to a hundredth of it.
const ATTEMPTS: u32 = 40;

impl Fine {
    /// Of semi-axes whose corners are off by up to `rounding`.
    fn new(radii: DVec3, tolerance: f64, rounding: f64) -> Result<Self> {
        let size = radii.max_element();
        let most = ((tolerance - 2.0 * rounding) / size).min(1.0);
        let globe = Globe::new(radii / size, most);
        let mut w = 2.0 * most;
        for _ in 0..ATTEMPTS {
            let Some((net, _)) = globe.net(w, false, Mesh::MOST_TRIANGLES) else { break };
            if let Some(found) = globe.distance(&net, most) {
                let distance = (found * size + rounding).next_up();
                return Ok(Self { globe, net, w, distance });
            }
            w *= FINER;
        }
        Err(too_fine(tolerance))
    }

    fn mesh(&self, net: &Net, place: impl Fn(usize, DVec3) -> DVec3) -> Result<Tessellation> {
        let corners = net.vertices.iter().enumerate().map(|(k, p)| place(k, *p)).collect();
        Ok(Tessellation { mesh: Mesh::new(corners, net.triangles.clone())?, distance: self.distance })
    }
}

fn of_cylinder(Cylinder { radius, half_length }: Cylinder, tolerance: f64) -> Result<Tessellation> {
    Cylinder::new(radius, half_length)?;
    let (quarter, distance) = polygon(radius, tolerance, 16)?;
    let mut net = Net::default();
    let [lower, upper] = [-1.0, 1.0].map(|z| net.ring(&quarter, z));
    net.stitch(lower, upper);
    net.cap(lower, false);
    net.cap(upper, true);
    stretched(net, DVec3::new(radius, radius, half_length), distance)
}

fn of_cone(Cone { radius, half_length }: Cone, tolerance: f64) -> Result<Tessellation> {
    Cone::new(radius, half_length)?;
    let (quarter, distance) = polygon(radius, tolerance, 8)?;
    let mut net = Net::default();
    let base = net.ring(&quarter, -1.0);
    let apex = net.pole(1.0);
    net.stitch(base, apex);
    net.cap(base, false);
    stretched(net, DVec3::new(radius, radius, half_length), distance)
}

fn stretched(net: Net, by: DVec3, distance: f64) -> Result<Tessellation> {
    let corners = net.vertices.iter().map(|p| *p * by).collect();
    Ok(Tessellation { mesh: Mesh::new(corners, net.triangles)?, distance })
}

/// The first quarter of the coarsest regular polygon in a circle that is near enough, where a body has this many
/// triangles for each of its sides in a quarter; and the distance.
fn polygon(radius: f64, tolerance: f64, triangles: usize) -> Result<(Vec<DVec2>, f64)> {
    // 1 − cos(π/n) = 2·sin²(π/2n), with n = 4·sides.
    let distance = |sides: f64| {
        let sine = libm::sin(0.25 * FRAC_PI_2 / sides);
        (radius * (2.0 * sine * sine + 8.0 * f64::EPSILON)).next_up()
    };
    let widest = (0.5 * tolerance / radius).sqrt().min(1.0);
    let least = (0.25 * FRAC_PI_2 / libm::asin(widest)).ceil().max(1.0);
    let fits = |sides: &f64| *sides * triangles as f64 <= Mesh::MOST_TRIANGLES as f64;
    let mut several = [least, least + 1.0].into_iter().filter(fits);
    let sides = several.find(|&sides| distance(sides) <= tolerance).ok_or(too_fine(tolerance))?;
    let corner = |k: usize| {
        let (sine, cosine) = libm::sincos(FRAC_PI_2 * k as f64 / sides);
        DVec2::new(cosine, sine)
    };
    let mut quarter: Vec<DVec2> = (0..sides as usize).map(corner).collect();
    quarter.push(DVec2::Y);
    Ok((quarter, distance(sides)))
}

/// Posed points are taken as they are: a pose may stretch lengths by some 1e-6, and rounds them.
fn of_compound(compound: &Compound, tolerance: f64) -> Result<Tessellation> {
    let (mut meshes, mut worst): (_, f64) = (Vec::new(), 0.0);
    for (part, pose) in compound.parts() {
        let (mesh, distance) = posed(part, pose, tolerance)?;
        worst = worst.max(distance);
        meshes.push(mesh);
    }
    Ok(Tessellation { mesh: Mesh::joined(&meshes)?, distance: worst })
}

fn posed(part: &Shape, pose: &Pose, tolerance: f64) -> Result<(Mesh, f64)> {
    /// No length is stretched by more.
    const STRETCH: f64 = 1.0 + 4e-6;
    // The coarsest mesh of a part has its box.
    let coarse = Mesh::from_shape(part, f64::MAX)?;
    let rounding = 2.0 * pose.rounding(coarse.mesh.aabb().reach());
    let left = (tolerance - 2.0 * rounding) / STRETCH;
    let own = if coarse.distance == 0.0 {
        coarse
    } else if left > 0.0 {
        Mesh::from_shape(part, left)?
    } else {
        return Err(too_fine(tolerance));
    };
    let distance = if own.distance == 0.0 { 0.0 } else { (own.distance * STRETCH + rounding).next_up() };
    Ok((own.mesh.mapped(|p| pose.apply(p))?, distance))
}
