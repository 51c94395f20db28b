//! A tetrahedron of points of the difference to begin with, or the proof that the difference is flat.

use glam::DVec3;

use crate::convex::difference::inverse_power_of_two;
use crate::convex::{Difference, Vertex};
use crate::math::{Sign, orient3d};

/// A difference with its points multiplied by a power of two, so that they are of about size one and no product of a
/// few of their coordinates leaves the range of `f64`.
pub struct Scaled<'a> {
    pub difference: &'a Difference<'a>,
    pub scale: f64,
    /// [`Difference::slack`] in the same measure.
    pub slack: f64,
}

impl<'a> Scaled<'a> {
    pub fn new(difference: &'a Difference<'a>) -> Self {
        let far = difference.between().abs().max_element() + difference.radius();
        let scale = inverse_power_of_two(far);
        Self { difference, scale, slack: difference.slack() * scale }
    }

    /// Whether a core is round, and the sizes such that products of lengths stay within the range of `f64`.
    pub fn is_smooth(&self) -> bool {
        !self.difference.is_polytope() && self.difference.scale_to_compute_with() == 1.0
    }

    /// The farthest point, scaled; its origins a and b are not.
    #[inline]
    pub fn support(&self, direction: DVec3) -> Vertex {
        self.scaled(self.difference.support(direction))
    }

    #[inline]
    fn scaled(&self, vertex: Vertex) -> Vertex {
        Vertex { point: vertex.point * self.scale, ..vertex }
    }

    fn farthest(&self, direction: DVec3) -> Vertex {
        self.support(direction)
    }
}

/// No point of the difference is farther than `height ≥ 0` in the direction of the unit vector, and the difference is
/// not thicker than rounding.
pub struct Flat {
    pub normal: DVec3,
    pub height: f64,
}

/// The corners of the simplex if they make a tetrahedron worth the name, or else extreme points of the difference. The
/// first three are seen counter-clockwise from the fourth; the origin may be anywhere.
pub fn first_tetrahedron(difference: &Scaled, simplex: &[Vertex]) -> Result<[Vertex; 4], Flat> {
    if let [a, b, c, d] = simplex {
        let corners = [a, b, c, d].map(|v| difference.scaled(*v));
        if is_plump(&corners) {
            return oriented(corners);
        }
    }
    extreme_tetrahedron(difference)
}

/// Whether the volume is in proportion to the longest edge from the fourth corner: thinner ones make faces whose
/// normals are mostly rounding. Any bound will do, as what fails it is only replaced.
fn is_plump(corners: &[Vertex; 4]) -> bool {
    let [u, v, w] = [0, 1, 2].map(|i| corners[i].point - corners[3].point);
    let size = u.length_squared().max(v.length_squared()).max(w.length_squared());
    u.cross(v).dot(w).abs() > 1e-6 * size * size.sqrt()
}

fn oriented(corners: [Vertex; 4]) -> Result<[Vertex; 4], Flat> {
    let [a, b, c, d] = corners;
    match orient3d(a.point, b.point, c.point, d.point) {
        Sign::Positive => Ok([a, b, c, d]),
        Sign::Negative => Ok([b, a, c, d]),
        Sign::Zero => Err(Flat { normal: DVec3::X, height: 0.0 }),
    }
}

/// Two points far apart, one far from their line, one far from their plane. Whatever of it is not farther than the
/// support mapping may be off proves that the difference is a point, a segment or a polygon but for that.
fn extreme_tetrahedron(difference: &Scaled) -> Result<[Vertex; 4], Flat> {
    // Four times, for both ends of a width may be off, and so may be what it is measured from.
    let least = 4.0 * difference.slack;
    let [a, b] = longest(DVec3::AXES.map(|axis| width(difference, axis)));
    if (b.point - a.point).length() <= least {
        return Err(flat(difference, DVec3::X));
    }
    let [v, w] = perpendicular((b.point - a.point).normalize());
    let from_line = |p: &Vertex| (p.point - a.point).cross(b.point - a.point).length();
    let around = [v, -v, w, -w].map(|direction| difference.farthest(direction));
    let c = around.into_iter().fold(around[0], |m, p| if from_line(&p) > from_line(&m) { p } else { m });
    if from_line(&c) <= least * (b.point - a.point).length() {
        return Err(flat(difference, v));
    }
    let normal = (b.point - a.point).cross(c.point - a.point).normalize();
    let [below, above] = width(difference, normal);
    let from_plane = |p: &Vertex| normal.dot(p.point - a.point).abs();
    let d = if from_plane(&below) > from_plane(&above) { below } else { above };
    if from_plane(&d) <= least {
        return Err(flat(difference, normal));
    }
    oriented([a, b, c, d])
}

/// The farthest points against a direction and along it.
fn width(difference: &Scaled, direction: DVec3) -> [Vertex; 2] {
    [difference.farthest(-direction), difference.farthest(direction)]
}

fn longest(pairs: [[Vertex; 2]; 3]) -> [Vertex; 2] {
    let length = |[a, b]: &[Vertex; 2]| (b.point - a.point).length_squared();
    pairs.into_iter().fold(pairs[0], |m, p| if length(&p) > length(&m) { p } else { m })
}

fn perpendicular(unit: DVec3) -> [DVec3; 2] {
    let v = unit.any_orthonormal_vector();
    [v, unit.cross(v)]
}

/// Flat along a normal, which is turned to the side with less of the difference.
fn flat(difference: &Scaled, normal: DVec3) -> Flat {
    let height = |n: DVec3| difference.farthest(n).point.dot(n);
    let (along, against) = (height(normal), height(-normal));
    if along <= against {
        Flat { normal, height: along.max(0.0) }
    } else {
        Flat { normal: -normal, height: against.max(0.0) }
    }
}
