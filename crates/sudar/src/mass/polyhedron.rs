//! Bodies bounded by triangles, and which way each shape is measured.

use glam::{DMat3, DVec3};

use super::bounds::{self, MassBounds};
use super::kernel::{Sums, sums};
use super::{MassError, MassProperties, check_size};
use crate::kind::{Measured, Moments};
use crate::math::{Interval, Pose};
use crate::shape::{Aabb, Compound, Hull, Mesh, Shape, Solid, Topology};

/// Volume, centre and inertia tensor of a body of density 1, exact but for rounding.
///
/// Round bodies have closed forms. Solids, closed meshes and hulls are summed up over their triangles, where
/// each point counts as often as the surface winds around it: pieces that overlap count twice, a hollow with
/// its surface turned inward is left out, and a surface that faces inward encloses a negative volume. The
/// parts of a compound are added up, also where they overlap.
///
/// O(n); for [`Shape::Mesh`] O(n log n), since it has to be found out first whether it is closed: a [`Solid`] knows.
///
/// # Errors
/// One variant of [`MassError`] per cause; each says what can be done instead.
///
/// ```
/// use sudar::mass::mass_properties;
/// use sudar::{Cuboid, DVec3, Shape};
///
/// let cube = mass_properties(&Shape::from(Cuboid::new(DVec3::splat(250.0))?))?;
/// // A cube of side a has moments of a²/6 per unit of mass.
/// assert_eq!(cube.mass, 500.0 * 500.0 * 500.0);
/// assert!((cube.inertia.x_axis.x / cube.mass - 500.0 * 500.0 / 6.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mass_properties(shape: &Shape) -> Result<MassProperties, MassError> {
    certified_mass(shape).map(|(properties, _)| properties)
}

/// As [`mass_properties`], with an interval that holds the exact volume in spite of rounding.
///
/// # Errors
/// As [`mass_properties`].
pub fn certified_mass(shape: &Shape) -> Result<(MassProperties, Interval), MassError> {
    const THIN: &str = "measure a body, or hull points first";
    match shape {
        Shape::Mesh(mesh) => surface(closed(mesh, &mesh.topology())?.measured()?),
        Shape::Solid(solid) => surface(mesh_bounds(solid)?),
        Shape::Hull(hull) => of_hull(hull),
        Shape::Sphere(s) => closed_form(&Moments::of_ball(s)),
        Shape::Cuboid(c) => closed_form(&c.moments()),
        Shape::Capsule(c) => closed_form(&c.moments()),
        Shape::Cylinder(c) => closed_form(&c.moments()),
        Shape::Cone(c) => closed_form(&c.moments()),
        Shape::Ellipsoid(e) => closed_form(&e.moments()),
        Shape::Compound(compound) => of_compound(compound),
        Shape::Halfspace(_) => Err(MassError::Unbounded),
        Shape::HeightField(_) => {
            Err(no_volume("a height field", "close it to a mesh with walls and a bottom"))
        }
        Shape::Triangle(_) => Err(no_volume("a triangle", THIN)),
        Shape::Segment(_) => Err(no_volume("a segment", THIN)),
        Shape::Point(_) => Err(no_volume("a point", THIN)),
        Shape::PointCloud(_) => Err(no_volume("a cloud of points", THIN)),
    }
}

/// Mass properties of a closed mesh with proven bounds of all of them.
///
/// The bounds are those of the polyhedron whose vertices are the numbers given.
///
/// # Errors
/// As [`mass_properties`].
pub fn mesh_bounds(solid: &Solid) -> Result<(MassProperties, MassBounds), MassError> {
    check_oriented(solid)?;
    Surface::of_mesh(solid.mesh())?.measured()
}

type Certified = Result<(MassProperties, Interval), MassError>;

fn surface((properties, bounds): (MassProperties, MassBounds)) -> Certified {
    Ok((properties, bounds.volume))
}

/// A closed form: a handful of factors, each rounded.
fn closed_form(m: &Moments) -> Certified {
    check_size(m.size.max_element())?;
    check_size(m.size.min_element())?;
    let second = DMat3::from_diagonal(m.squares * m.volume);
    let volume = Interval::point(m.volume).widened(16.0 * f64::EPSILON * m.volume);
    Ok((MassProperties::from_second_moment(m.volume, m.center, second), volume))
}

pub(super) fn no_volume(what: &'static str, way_out: &'static str) -> MassError {
    MassError::NoVolume { what, way_out }
}

fn flat() -> MassError {
    no_volume("the body is flat up to rounding, which", "give it a thickness")
}

fn of_compound(compound: &Compound) -> Certified {
    let (mut parts, mut volume, mut size) = (Vec::new(), Interval::point(0.0), 0.0);
    for (part, (shape, pose)) in compound.parts().iter().enumerate() {
        let inside = |error: MassError| MassError::Part { part, error: error.into() };
        let (own, bounds) = certified_mass(shape).map_err(inside)?;
        // What the matrix of a pose is off a rotation, and its rounding.
        let off =
            if *pose == Pose::IDENTITY { 0.0 } else { (pose.rotation().determinant() - 1.0).abs() + 1e-15 };
        let bounds = bounds.widened(off * bounds.lower.abs().max(bounds.upper.abs()));
        volume = Interval { lower: volume.lower + bounds.lower, upper: volume.upper + bounds.upper };
        size += bounds.lower.abs().max(bounds.upper.abs());
        parts.push(own.posed(pose));
    }
    let whole = if let [only] = parts[..] { only } else { MassProperties::combined(&parts)? };
    Ok((whole, volume.widened(parts.len() as f64 * f64::EPSILON * size)))
}

/// A mesh of which it is not known yet whether it is closed.
fn closed<'a>(mesh: &'a Mesh, topology: &Topology) -> Result<Surface<'a>, MassError> {
    topology.check_closed(mesh)?;
    match topology.turned_edges() {
        0 => Surface::of_mesh(mesh),
        edges => Err(MassError::NotOriented { edges }),
    }
}

fn check_oriented(solid: &Solid) -> Result<(), MassError> {
    if solid.is_oriented() {
        return Ok(());
    }
    match solid.mesh().topology().turned_edges() {
        0 => Ok(()),
        edges => Err(MassError::NotOriented { edges }),
    }
}

fn of_hull(hull: &Hull) -> Certified {
    if hull.dimension() < 3 {
        return Err(no_volume("a flat hull", "give it points beside its plane"));
    }
    let triangles = hull_triangles(hull);
    let aabb = Aabb::around(hull.vertices().iter().copied());
    surface(Surface::new(hull.vertices(), &triangles, aabb)?.measured()?)
}

/// The triangles of all faces.
pub(super) fn hull_triangles(hull: &Hull) -> Vec<[u32; 3]> {
    (0..hull.faces().len()).flat_map(|i| hull.fan(i)).collect()
}

/// A closed surface, all faces alike.
struct Surface<'a> {
    vertices: &'a [DVec3],
    triangles: &'a [[u32; 3]],
    /// Amid the body, so that not much cancels.
    origin: DVec3,
    /// No vertex is farther from the origin along an axis.
    reach: DVec3,
}

impl<'a> Surface<'a> {
    fn of_mesh(mesh: &'a Mesh) -> Result<Self, MassError> {
        Self::new(mesh.vertices(), mesh.triangles(), mesh.aabb())
    }

    fn new(vertices: &'a [DVec3], triangles: &'a [[u32; 3]], aabb: Aabb) -> Result<Self, MassError> {
        let origin = aabb.center();
        let reach = (aabb.max - origin).max(origin - aabb.min) * (1.0 + 4.0 * f64::EPSILON);
        if reach.max_element() == 0.0 {
            return Err(flat());
        }
        check_size(reach.max_element())?;
        Ok(Self { vertices, triangles, origin, reach })
    }

    fn measured(&self) -> Result<(MassProperties, MassBounds), MassError> {
        let sums = sums(self.vertices, self.triangles, self.origin);
        let bounds = bounds::bounds(&sums, self.origin, self.reach).ok_or_else(flat)?;
        Ok((self.properties(&sums), bounds))
    }

    fn properties(&self, sums: &Sums) -> MassProperties {
        let mass = sums.six_volumes / 6.0;
        let offset = sums.first / (4.0 * sums.six_volumes);
        let [xx, yy, zz, xy, yz, zx] = sums.second.map(|s| s / 120.0);
        let about_origin =
            DMat3::from_cols(DVec3::new(xx, xy, zx), DVec3::new(xy, yy, yz), DVec3::new(zx, yz, zz));
        let own = DMat3::from_cols(offset * offset.x, offset * offset.y, offset * offset.z) * mass;
        MassProperties::from_second_moment(mass, self.origin + offset, about_origin - own)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::hull::convex_hull;
    use crate::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, Sphere};

    /// A surface of revolution around z: radii at heights, `n` corners around, closed by points at both ends.
    fn revolved(profile: &[(f64, f64)], n: u32) -> Mesh {
        let (bottom, top) = (profile[0].1, profile[profile.len() - 1].1);
        let mut vertices = vec![DVec3::Z * bottom, DVec3::Z * top];
        for &(r, z) in profile {
            for k in 0..n {
                let angle = std::f64::consts::TAU * f64::from(k) / f64::from(n);
                vertices.push(DVec3::new(r * libm::cos(angle), r * libm::sin(angle), z));
            }
        }
        let at = |ring: usize, k: u32| 2 + ring as u32 * n + k % n;
        let mut triangles = Vec::new();
        for k in 0..n {
            triangles.push([0, at(0, k + 1), at(0, k)]);
            triangles.push([1, at(profile.len() - 1, k), at(profile.len() - 1, k + 1)]);
            for ring in 1..profile.len() {
                let [a, b, c, d] = [at(ring - 1, k), at(ring - 1, k + 1), at(ring, k + 1), at(ring, k)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        Mesh::new(vertices, triangles).unwrap()
    }

    fn agree(shape: impl Into<Shape>, mesh: Mesh, tolerance: f64) {
        let (exact, of_mesh) =
            (mass_properties(&shape.into()).unwrap(), mass_properties(&mesh.into()).unwrap());
        assert!((of_mesh.mass / exact.mass - 1.0).abs() < tolerance, "{of_mesh:?} {exact:?}");
        assert!((of_mesh.center - exact.center).length() < tolerance, "{of_mesh:?} {exact:?}");
        let difference = of_mesh.inertia - exact.inertia;
        assert!(difference.abs_diff_eq(DMat3::ZERO, tolerance * exact.mass * 20.0), "{of_mesh:?} {exact:?}");
    }

    /// A half circle of radius 1 from angle to angle, moved along z.
    fn arc(from: f64, to: f64, shift: f64, n: u32) -> impl Iterator<Item = (f64, f64)> {
        (0..=n).map(move |k| {
            let angle = from + (to - from) * f64::from(k) / f64::from(n);
            (libm::cos(angle), libm::sin(angle) + shift)
        })
    }

    #[test]
    fn closed_forms_are_those_of_fine_meshes() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let (n, fine) = (256, 1e-3);
        let cone = Cone::new(1.0, 1.5).unwrap();
        agree(cone, revolved(&[(1.0, -1.5), (0.0, 1.5)], n), fine);
        agree(Cylinder::new(1.0, 1.5).unwrap(), revolved(&[(1.0, -1.5), (1.0, 1.5)], n), fine);
        let ball: Vec<_> = arc(-quarter, quarter, 0.0, n).collect();
        agree(Sphere::new(DVec3::ZERO, 1.0).unwrap(), revolved(&ball, n), fine);
        let pill: Vec<_> = arc(-quarter, 0.0, -1.5, n).chain(arc(0.0, quarter, 1.5, n)).collect();
        agree(Capsule::new(1.0, 1.5).unwrap(), revolved(&pill, n), fine);
        let radii = DVec3::new(1.0, 2.0, 3.0);
        let egg = revolved(&ball, n).mapped(|p| p * radii).unwrap();
        agree(Ellipsoid::new(radii).unwrap(), egg, fine);
        let cuboid = Cuboid::new(radii).unwrap();
        agree(cuboid, Mesh::from_aabb(cuboid.aabb()), 1e-14);
        let hull = Hull::from(cuboid);
        agree(cuboid, Mesh::new(hull.vertices().to_vec(), hull_triangles(&hull)).unwrap(), 1e-14);
    }

    #[test]
    fn a_tetrahedron_far_away_and_at_every_scale() {
        // The corner of a cube: volume 1/6, centre ¼, and about it m·(3/80 + 3/80), products m·(1/80).
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        for scale in [1e-45, 1e-6, 1.0, 1e6, 1e45] {
            for far in [0.0, 1024.0] {
                let points = corners.map(|p| (p + DVec3::new(far, -far, far)) * scale);
                let hull = convex_hull(&points).unwrap();
                let found = mass_properties(&Shape::from(hull)).unwrap();
                let m = scale * scale * scale / 6.0;
                assert!((found.mass / m - 1.0).abs() < 1e-12);
                let center = DVec3::new(far + 0.25, 0.25 - far, far + 0.25) * scale;
                assert!((found.center - center).length() < 1e-12 * scale * (1.0 + far));
                let unit = found.inertia * (80.0 / (m * scale * scale));
                let expected = DMat3::from_cols_array(&[6.0, 1.0, 1.0, 1.0, 6.0, 1.0, 1.0, 1.0, 6.0]);
                assert!(unit.abs_diff_eq(expected, 1e-10), "{unit}");
            }
        }
        let small = convex_hull(&corners.map(|p| p * 1e-60)).unwrap();
        assert!(matches!(mass_properties(&Shape::from(small)), Err(MassError::OutOfRange { .. })));
    }

    #[test]
    fn an_inward_mesh_says_so_and_a_hollow_is_left_out() {
        let cube = |half: f64| Mesh::from_aabb(Cuboid::new(DVec3::splat(half)).unwrap().aabb());
        let turned = |mesh: &Mesh| {
            let triangles = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
            Mesh::new(mesh.vertices().to_vec(), triangles).unwrap()
        };
        let inward = mass_properties(&turned(&cube(1.0)).into()).unwrap();
        assert!(inward.is_inward() && inward.mass == -8.0 && inward.outward().mass == 8.0);
        assert_eq!(inward.outward(), mass_properties(&cube(1.0).into()).unwrap());
        let hollow = Mesh::joined([&cube(2.0), &turned(&cube(1.0))]).unwrap();
        assert_eq!(mass_properties(&hollow.into()).unwrap().mass, 56.0);
    }

    #[test]
    fn what_has_no_mass_says_why_and_what_to_do() {
        let cube = Mesh::from_aabb(Cuboid::new(DVec3::ONE).unwrap().aabb());
        let open = Mesh::new(cube.vertices().to_vec(), cube.triangles()[..10].to_vec()).unwrap();
        let refused = |shape: Shape| mass_properties(&shape).unwrap_err();
        assert!(refused(open.into()).to_string().contains("4 edges have an odd number of triangles"));
        let mut one = cube.triangles().to_vec();
        one[0].swap(1, 2);
        let mixed = Mesh::new(cube.vertices().to_vec(), one).unwrap();
        assert_eq!(refused(mixed.clone().into()), MassError::NotOriented { edges: 3 });
        let solid = Solid::new(Arc::new(mixed)).unwrap();
        assert_eq!(refused(solid.into()), MassError::NotOriented { edges: 3 });
        let half = Halfspace::new(DVec3::X, 0.0).unwrap();
        assert!(refused(half.into()).to_string().contains("use a box"));
        assert!(refused(DVec3::ONE.into()).to_string().starts_with("a point has no volume; "));
        let within = Compound::new(vec![
            (Cuboid::new(DVec3::ONE).unwrap().into(), Pose::IDENTITY),
            (half.into(), Pose::IDENTITY),
        ]);
        assert!(matches!(refused(within.unwrap().into()), MassError::Part { part: 1, .. }));
        // Both sides of a square on a slant, and a mesh of one point: closed, and flat.
        let [p, q, r] = [DVec3::new(0.1, 0.2, 0.3), DVec3::new(0.7, 0.3, 0.9), DVec3::new(0.2, 0.8, 0.4)];
        let sheet = Mesh::new(vec![p, q, r, q + (r - p)], vec![[0, 1, 2], [0, 2, 1], [1, 3, 2], [1, 2, 3]]);
        let error = refused(sheet.unwrap().into()).to_string();
        assert!(error.contains("flat up to rounding"), "{error}");
    }

    #[test]
    fn a_compound_is_the_sum_of_its_parts() {
        let cube = Shape::from(Cuboid::new(DVec3::splat(0.5)).unwrap());
        let at = |x: f64| (cube.clone(), Pose::from_translation(DVec3::X * x).unwrap());
        let pair = mass_properties(&Compound::new(vec![at(0.0), at(3.0)]).unwrap().into()).unwrap();
        assert_eq!((pair.mass, pair.center), (2.0, DVec3::X * 1.5));
        // Each 1/6 of its own, and 1·1.5² for its distance.
        assert!((pair.inertia.y_axis.y - (2.0 / 6.0 + 4.5)).abs() < 1e-14);
        assert!((pair.inertia.x_axis.x - 2.0 / 6.0).abs() < 1e-14);
        let turn = Pose::new(DVec3::ONE, glam::DQuat::from_xyzw(0.6, 0.0, 0.0, 0.8)).unwrap();
        let cone = Shape::from(Cone::new(1.0, 1.5).unwrap());
        let (_, volume) =
            certified_mass(&Compound::new(vec![at(0.0), (cone, turn)]).unwrap().into()).unwrap();
        assert!(volume.contains(1.0 + std::f64::consts::PI) && volume.width() < 1e-13, "{volume:?}");
    }
}
