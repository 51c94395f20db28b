//! View frustum and ball.

use glam::DVec3;

use crate::math::{Sign, orient3d};
use crate::pair::triangle::sphere_triangle::sphere_triangle;
use crate::shape::{Frustum, Sphere};

/// How something is to a frustum.
///
/// One rule for all: what touches the boundary from without or within is `Intersecting`, and so is what the test in
/// question cannot tell from that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Containment {
    /// No point in common.
    Outside,
    /// All strictly inside.
    Inside,
    /// Some of it on the boundary.
    Intersecting,
}

/// The part of a frustum that is nearer to three of its planes, one of each opposite pair, than to the other three.
///
/// In the camera's own frame these are the signs of the three coordinates, seen from the middle, if the frustum is
/// symmetric: then a caller knows the octant without asking [`frustum_octant`].
///
/// ```
/// use sudar::pair::{Octant, frustum_octant};
/// use sudar::shape::Frustum;
/// use sudar::{DVec3, Pose};
///
/// let camera = Frustum::perspective(&Pose::IDENTITY, [1.0, 1.0], 1.0, 10.0)?; // looks along −z
/// let octant: Octant = frustum_octant(&camera, DVec3::Z * -2.0);
/// assert_eq!(octant, frustum_octant(&camera, DVec3::Z * -2.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Octant {
    /// Nearer to the right plane than to the left.
    pub right: bool,
    /// Nearer to the top plane than to the bottom.
    pub top: bool,
    /// Nearer to the far plane than to the near.
    pub far: bool,
}

/// How the ball is to the frustum, by its distance from each of the six planes: `Outside` if it is beyond one of them,
/// `Inside` if it is below all of them.
///
/// `Outside` and `Inside` are certain. Quick, and for culling: a ball outside near an edge or a corner, beyond none of
/// the planes, is reported as `Intersecting`. [`frustum_sphere_exact`] is not.
pub fn frustum_sphere(frustum: &Frustum, sphere: &Sphere) -> Containment {
    by_planes(frustum, sphere, 0..6)
}

/// The same answer, to the bit, by the three planes nearest to the ball's centre alone: `octant` must be that of the
/// centre, see [`frustum_octant`].
///
/// ```
/// use sudar::pair::{frustum_octant, frustum_sphere, frustum_sphere_octant};
/// use sudar::shape::Frustum;
/// use sudar::{DVec3, Pose, Sphere};
///
/// let camera = Frustum::perspective(&Pose::IDENTITY, [1.0, 1.0], 1.0, 10.0)?; // looks along −z
/// let ball = Sphere::new(DVec3::new(2.0, 3.0, -7.0), 1.0)?;
/// let octant = frustum_octant(&camera, ball.center);
/// assert_eq!(frustum_sphere_octant(&camera, &ball, octant), frustum_sphere(&camera, &ball));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn frustum_sphere_octant(frustum: &Frustum, sphere: &Sphere, octant: Octant) -> Containment {
    let planes = [usize::from(octant.right), 2 + usize::from(octant.top), 4 + usize::from(octant.far)];
    by_planes(frustum, sphere, planes)
}

/// The octant of a point, also of one outside. Of two planes that are equally near, the left, bottom or near one.
///
/// ```
/// use sudar::pair::frustum_octant;
/// use sudar::shape::Frustum;
/// use sudar::{DVec3, Pose};
///
/// let camera = Frustum::perspective(&Pose::IDENTITY, [1.0, 1.0], 1.0, 10.0)?; // looks along −z
/// let [right, left] = [1.0, -1.0].map(|x| frustum_octant(&camera, DVec3::new(x, 1.0, -5.0)));
/// assert_ne!(right, left);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn frustum_octant(frustum: &Frustum, p: DVec3) -> Octant {
    let nearer = |axis: usize| height(frustum, 2 * axis + 1, p) > height(frustum, 2 * axis, p);
    Octant { right: nearer(0), top: nearer(1), far: nearer(2) }
}

/// How the ball is to the frustum, which here is the polyhedron of the twelve triangles between its corners. Exact;
/// a microsecond.
///
/// ```
/// use sudar::pair::{Containment, frustum_sphere_exact};
/// use sudar::shape::Frustum;
/// use sudar::{DVec3, Pose, Sphere};
///
/// let camera = Frustum::perspective(&Pose::IDENTITY, [1.0, 1.0], 1.0, 10.0)?; // looks along −z
/// let ball = |z: f64| Sphere::new(DVec3::Z * z, 1.0);
/// assert_eq!(frustum_sphere_exact(&camera, &ball(-5.0)?), Containment::Inside);
/// assert_eq!(frustum_sphere_exact(&camera, &ball(0.0)?), Containment::Intersecting); // touches the near plane
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn frustum_sphere_exact(frustum: &Frustum, sphere: &Sphere) -> Containment {
    if frustum.triangles().iter().any(|t| sphere_triangle(sphere, t)) {
        Containment::Intersecting
    } else if encloses(frustum, sphere.center) {
        Containment::Inside
    } else {
        Containment::Outside
    }
}

/// Whether the point is strictly inside the polyhedron between the corners. Exact.
pub fn encloses(frustum: &Frustum, p: DVec3) -> bool {
    frustum.triangles().iter().all(|t| orient3d(t.a, t.b, t.c, p) == Sign::Negative)
}

fn by_planes(frustum: &Frustum, sphere: &Sphere, planes: impl IntoIterator<Item = usize>) -> Containment {
    // A height is off by the roundings of the unit normal, the offset and the sum of products: less than 16 ε of the
    // coordinates of frustum and centre. The same for all planes, so that it does not matter which are tested.
    let doubt = 16.0 * f64::EPSILON * (frustum.reach() + sphere.center.abs().max_element() + sphere.radius);
    let highest =
        planes.into_iter().map(|i| height(frustum, i, sphere.center)).fold(f64::NEG_INFINITY, f64::max);
    if highest - sphere.radius > doubt {
        Containment::Outside
    } else if highest + sphere.radius < -doubt {
        Containment::Inside
    } else {
        Containment::Intersecting
    }
}

/// The height of a point above a plane, negative inside.
fn height(frustum: &Frustum, plane: usize, p: DVec3) -> f64 {
    let plane = frustum.planes()[plane];
    plane.normal.dot(p) - plane.offset
}

#[cfg(test)]
pub mod tests {
    use glam::DQuat;

    use super::*;
    use crate::math::Pose;
    use crate::pair::closest_point_triangle;
    use crate::testing::Random;

    /// A frustum about two units large, turned at random.
    pub fn random_frustum(random: &mut Random) -> Frustum {
        let pose = Pose::new(random.point(), DQuat::from_scaled_axis(random.point() * 3.0)).unwrap();
        let tangents = [0.6 + 0.4 * random.number(), 0.6 + 0.4 * random.number()];
        let near = 0.6 + 0.4 * random.number();
        Frustum::perspective(&pose, tangents, near, near + 1.5 + random.number()).unwrap()
    }

    /// A point inside or about as far outside as the frustum is large.
    pub fn near_frustum(frustum: &Frustum, random: &mut Random) -> DVec3 {
        frustum.corners().iter().sum::<DVec3>() / 8.0 + random.point() * 1.5
    }

    #[test]
    fn three_planes_say_what_six_say() {
        let mut random = Random::new(91);
        let mut seen = [0; 3];
        for _ in 0..20_000 {
            let frustum = random_frustum(&mut random);
            let sphere =
                Sphere { center: near_frustum(&frustum, &mut random), radius: random.number().abs().powi(3) };
            let found = frustum_sphere(&frustum, &sphere);
            let octant = frustum_octant(&frustum, sphere.center);
            assert_eq!(frustum_sphere_octant(&frustum, &sphere, octant), found);
            seen[found as usize] += 1;
        }
        assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
    }

    #[test]
    fn a_symmetric_frustum_has_octants_by_sign() {
        let frustum = Frustum::perspective(&Pose::IDENTITY, [0.75, 0.5], 1.0, 9.0).unwrap();
        for (p, right, top, far) in
            [([0.1, 0.1, -5.1], true, true, true), ([-0.1, -0.1, -4.9], false, false, false)]
        {
            assert_eq!(frustum_octant(&frustum, p.into()), Octant { right, top, far });
        }
    }

    #[test]
    fn touching_the_near_plane_from_both_sides() {
        // The near plane z = −1 is exact, so are these balls.
        let frustum = Frustum::perspective(&Pose::IDENTITY, [1.0, 1.0], 1.0, 9.0).unwrap();
        let ball =
            |z: f64, radius: f64| frustum_sphere_exact(&frustum, &Sphere { center: DVec3::Z * z, radius });
        assert_eq!(ball(-0.5, 0.5), Containment::Intersecting);
        assert_eq!(ball(-0.5, 0.5f64.next_down()), Containment::Outside);
        assert_eq!(ball(-1.5, 0.5), Containment::Intersecting);
        assert_eq!(ball(-1.5, 0.5f64.next_down()), Containment::Inside);
        assert_eq!(ball(-5.0, 50.0), Containment::Intersecting);
    }

    #[test]
    fn the_exact_test_is_the_distance_and_the_quick_one_never_loses_a_ball() {
        let mut random = Random::new(92);
        let (mut seen, mut kept) = ([0; 3], 0);
        for _ in 0..5000 {
            let frustum = random_frustum(&mut random);
            let sphere =
                Sphere { center: near_frustum(&frustum, &mut random), radius: random.number().abs().powi(2) };
            let surface = frustum.triangles();
            let distance = surface.iter().map(|t| closest_point_triangle(sphere.center, t).distance());
            let distance = distance.fold(f64::INFINITY, f64::min);
            let inside = (0..6).all(|i| height(&frustum, i, sphere.center) < 0.0);
            let expected = match (distance <= sphere.radius, inside) {
                (true, _) => Containment::Intersecting,
                (false, true) => Containment::Inside,
                (false, false) => Containment::Outside,
            };
            let (quick, exact) = (frustum_sphere(&frustum, &sphere), frustum_sphere_exact(&frustum, &sphere));
            assert_eq!(exact, expected);
            let agree =
                quick == exact || (quick == Containment::Intersecting && exact == Containment::Outside);
            assert!(agree, "{quick:?} {exact:?}");
            kept += u32::from(quick != exact);
            seen[exact as usize] += 1;
        }
        assert!(kept > 50 && seen.iter().all(|&n| n > 100), "{kept} {seen:?}");
    }
}
