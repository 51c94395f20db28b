//! Round cones.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use super::measured::{Measured, Moments, between_roots, both, roots, slab};
use super::{Facing, Kind, Piece, TINY, end, flat, is_facing, on_disc};
use crate::math::exact::{rational, rounded};
use crate::math::simd::{Number, Three};
use crate::math::{Pose, Rational, RationalVec3};
use crate::pair::{
    Chord, EntryPoint, Nearest, SurfacePoint, across_squared, compare_squares, foot_on_segment, length,
    locally,
};
use crate::shape::{Cone, Ray};

impl Kind for Cone {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        let rim = on_disc(self.radius, direction).with_z(-self.half_length);
        let apex = DVec3::new(0.0, 0.0, self.half_length);
        if direction.dot(apex) > direction.dot(rim) { apex } else { rim }
    }

    fn contains(&self, p: DVec3) -> bool {
        let (r, h) = (self.radius, self.half_length);
        if p.z.abs() > h {
            return false;
        }
        // √(x² + y²)·2h ≤ r·(h − z): each side is squared, and off by five roundings at most.
        let below = r * (h - p.z);
        compare_squares((p.x * p.x + p.y * p.y) * (4.0 * h * h), below * below).unwrap_or_else(|| {
            let (r, h) = (rational(r), rational(h));
            let below = r * (&h - rational(p.z));
            across_squared(p) * &h * &h * rational(4.0) <= &below * &below
        })
    }

    fn closest_surface_point(&self, p: DVec3) -> SurfacePoint {
        let (r, h) = (self.radius, self.half_length);
        let beside = length(flat(p));
        let out = if beside > 0.0 { flat(p) / beside } else { DVec3::X };
        // The wall's normal is (2h, r) in the half plane of axis and point, where the wall goes through (0, h).
        let slope = DVec3::new(2.0 * h, 0.0, r);
        let slope = slope / length(slope);
        let normal = (out * slope.x).with_z(slope.z);
        if !self.contains(p) {
            let otherwise = if p.z < -h { -DVec3::Z } else { normal };
            return SurfacePoint::outside(p, self.foot(p, beside), otherwise);
        }
        let to_wall = (slope.z * (h - p.z) - slope.x * beside).max(0.0);
        let to_base = p.z + h;
        if to_wall <= to_base {
            let point = (out * (beside + slope.x * to_wall)).with_z(p.z + slope.z * to_wall);
            SurfacePoint { point, normal, depth: to_wall }
        } else {
            SurfacePoint { point: p.with_z(-h), normal: -DVec3::Z, depth: to_base }
        }
    }

    /// What the line has inside the cone without end and between apex and base.
    fn entry(&self, ray: &Ray) -> Option<EntryPoint> {
        let wall = self.inside_wall(ray)?;
        let ends = Chord::slab(ray.origin.z, ray.direction.z, self.half_length)?;
        let t = wall.and(ends)?.entry()?;
        let through_end = ends.enter >= wall.enter;
        let normal = if through_end { DVec3::Z * -ray.direction.z.signum() } else { self.outward(ray.at(t)) };
        Some(EntryPoint { t, normal })
    }

    fn section(&self, direction: DVec2) -> DVec2 {
        let rim = if direction.x > 0.0 { self.radius } else { 0.0 };
        let (top, base) = (DVec2::new(0.0, self.half_length), DVec2::new(rim, -self.half_length));
        if direction.dot(top) > direction.dot(base) { top } else { base }
    }

    fn piece(&self, pose: &Pose, [low, high]: [f64; 2], steep: f64) -> Piece {
        let Self { radius, half_length } = *self;
        if low * high < 0.0 {
            Piece::Slope { radius, half_length }
        } else if low < 0.0 {
            end(radius, -half_length, steep)
        } else {
            Piece::Corner(pose.rotate(DVec3::new(0.0, 0.0, half_length)))
        }
    }

    fn beside_rim(&self, _: f64, to: DVec3) -> Option<Piece> {
        let Self { radius, half_length } = *self;
        (to.z > Piece::rise(radius, half_length)).then_some(Piece::Slope { radius, half_length })
    }

    /// On the base the ball touches the slope as well.
    fn ball_on_disc(&self, across: f64) -> f64 {
        let (radius, height) = (self.radius, 2.0 * self.half_length);
        height * (radius - across) / (radius + (radius * radius + height * height).sqrt())
    }

    /// The base or the line on the side, whichever faces the contact more, if one does.
    fn facing(&self, direction: DVec3) -> Facing {
        let Self { radius, half_length } = *self;
        let sideways = flat(direction);
        // The normal of the side rises as the side falls: `radius` in `2·half_length`.
        let rise = radius / (2.0 * half_length);
        let steep = (1.0 + rise * rise).sqrt();
        let of_side = (sideways.length() + rise * direction.z) / steep;
        if is_facing(-direction.z) && -direction.z >= of_side {
            return Facing::Disc { radius, z: -half_length, number: 0 };
        }
        if !is_facing(of_side) || sideways == DVec3::ZERO {
            return Facing::Point(if direction.z > 0.0 { 17 } else { 16 });
        }
        let foot = sideways.normalize() * radius;
        Facing::Line(foot.with_z(-half_length), DVec3::new(0.0, 0.0, half_length))
    }
}

impl Measured for Cone {
    fn half_extent(&self) -> DVec3 {
        DVec3::new(self.radius, self.radius, self.half_length)
    }

    /// The centre of mass is a quarter of the height above the base.
    fn moments(&self) -> Moments {
        let (r, h) = (self.radius, self.half_length);
        // A cone of height H has a variance of 3/80 H² along its axis.
        let whole = Moments::round(r, h, PI * r * r * (2.0 * h) / 3.0, [0.15 * r * r, 0.15 * h * h]);
        Moments { center: DVec3::new(0.0, 0.0, -0.5 * h), ..whole }
    }

    /// The double cone through its wall, of which the ends leave one half.
    fn chord(&self, line: &Ray) -> Option<Chord> {
        let ends = slab(line, 2, self.half_length)?;
        let slope = self.radius / (2.0 * self.half_length);
        // The radius falls to 0 at the apex: x² + y² ≤ slope²·w² with w = half_length − z.
        let (p, d) = (line.origin, line.direction);
        let (w, dw) = ((self.half_length - p.z) * slope, -d.z * slope);
        let square = d.x * d.x + d.y * d.y - dw * dw;
        let (half, rest) = (p.x * d.x + p.y * d.y - w * dw, p.x * p.x + p.y * p.y - w * w);
        if square > 0.0 {
            return both(between_roots(square, half, rest), Some(ends));
        }
        // Steeper than the wall: the line is in one half of the double cone up to a root, and in the other from
        // the next on.
        let Chord { enter: low, exit: high } = roots(square, half, rest)?;
        let pieces = [Chord { exit: low, ..Chord::ALL }, Chord { enter: high, ..Chord::ALL }];
        let inside = pieces.into_iter().filter_map(|piece| both(Some(piece), Some(ends)));
        inside.max_by(|a, b| (a.exit - a.enter).total_cmp(&(b.exit - b.enter)))
    }
}

/// Discriminants below this are computed in exact arithmetic: the size of their rounding is 1e-15 and more.
const NEAR_TANGENT: f64 = 1e-9;

/// The middle of the unit cone, and the radius of a ball around it that surely holds the cone (√5/2).
const MIDDLE: DVec3 = DVec3::new(0.0, 0.0, 0.5);
const AROUND: f64 = 1.2;

impl Cone {
    /// The nearest point to one outside: in the half plane through the axis and the point the cone is a triangle.
    fn foot(&self, p: DVec3, beside: f64) -> DVec3 {
        let (r, h) = (self.radius, self.half_length);
        let seen = DVec3::new(beside, 0.0, p.z);
        let corners = [seen, DVec3::new(0.0, 0.0, h), DVec3::new(r, 0.0, -h)];
        let wall = locally(corners, |[p, a, b]| Nearest::between(p, foot_on_segment(p, a, b)));
        let base = Nearest::between(seen, DVec3::new(beside.min(r), 0.0, -h));
        let foot = wall.or_closer(base).b;
        let across = if beside > 0.0 { flat(p) * (foot.x / beside) } else { DVec3::X * foot.x };
        across.with_z(foot.z)
    }

    /// What the line has in the cone without end. In units of radius and height, and with the depth below the apex for
    /// the third coordinate, that is √(x² + y²) ≤ w.
    fn inside_wall(&self, ray: &Ray) -> Option<Chord> {
        let (r, h) = (self.radius, self.half_length);
        let origin = DVec3::new(ray.origin.x / r, ray.origin.y / r, (h - ray.origin.z) / h * 0.5);
        let direction = DVec3::new(ray.direction.x / r, ray.direction.y / r, -ray.direction.z / h * 0.5);
        let speed = length(direction);
        if speed == 0.0 {
            return None;
        }
        let unit = direction / speed;
        // Seen from the point nearest to the middle of the cone, no number is large.
        let ahead = -unit.dot(origin - MIDDLE);
        let p = origin + unit * ahead;
        if length(p - MIDDLE) > AROUND {
            return None;
        }
        let rounding = 64.0 * f64::EPSILON * (1.0 + origin.abs().max_element());
        let discriminant = discriminant(p, unit);
        let discriminant = if discriminant.abs() > NEAR_TANGENT.max(rounding) {
            discriminant
        } else {
            rounded(&self.exact_discriminant(ray))
        };
        let Chord { enter, exit } = below_apex(p, unit, discriminant)?;
        Some(Chord { enter: (ahead + enter) / speed, exit: (ahead + exit) / speed })
    }

    /// [`discriminant`], exactly.
    fn exact_discriminant(&self, ray: &Ray) -> Rational {
        let (r, h) = (rational(self.radius), rational(self.half_length));
        let height = &h + &h;
        let scaled = |x: f64, y: f64, w: Rational| RationalVec3 {
            x: rational(x) / &r,
            y: rational(y) / &r,
            z: w / &height,
        };
        let p = scaled(ray.origin.x, ray.origin.y, &h - rational(ray.origin.z));
        let d = scaled(ray.direction.x, ray.direction.y, -rational(ray.direction.z));
        let turns = p.cross(&d);
        (&turns.x * &turns.x + &turns.y * &turns.y - &turns.z * &turns.z) / d.dot(&d)
    }

    /// The unit normal of the wall at `p`.
    fn outward(&self, p: DVec3) -> DVec3 {
        let out = flat(p);
        let beside = length(out);
        if beside == 0.0 {
            return DVec3::Z;
        }
        let size = self.radius.max(self.half_length);
        let normal = out / beside * (2.0 * (self.half_length / size)) + DVec3::Z * (self.radius / size);
        normal / normal.length()
    }
}

/// The parameters at which `p + t·unit` is inside the unit cone and below its apex, where the line's points below the
/// apex are inside at all; what is above the apex has to be left out by the caller.
fn below_apex(p: DVec3, unit: DVec3, discriminant: f64) -> Option<Chord> {
    let across = unit.x * unit.x + unit.y * unit.y;
    let beside = (p.x * p.x + p.y * p.y).sqrt();
    // x² + y² − w² = a·t² + 2b·t + c
    let a = across - unit.z * unit.z;
    let b = p.x * unit.x + p.y * unit.y - p.z * unit.z;
    let c = (beside - p.z) * (beside + p.z);
    if discriminant < 0.0 && a >= 0.0 {
        return None;
    }
    let root = discriminant.max(0.0).sqrt();
    // The two roots without cancellation.
    let sum = if b > 0.0 { -b - root } else { -b + root };
    if sum == 0.0 && a == 0.0 {
        return (c <= 0.0).then_some(Chord::ALL);
    }
    let (first, second) = if sum == 0.0 { (0.0, 0.0) } else { (sum / a, c / sum) };
    let (near, far) = (first.min(second), first.max(second));
    if a >= 0.0 {
        Some(Chord { enter: near, exit: far })
    } else if unit.z > 0.0 {
        Some(Chord { enter: far, exit: f64::INFINITY })
    } else {
        Some(Chord { enter: f64::NEG_INFINITY, exit: near })
    }
}

/// `b² − a·c` of [`below_apex`] as a difference of two squares, which are the same from every point of the line.
fn discriminant(p: DVec3, unit: DVec3) -> f64 {
    let (x, y) = (p.x * unit.z - unit.x * p.z, p.y * unit.z - unit.y * p.z);
    let turn = p.x * unit.y - p.y * unit.x;
    (x * x + y * y) - turn * turn
}

/// In the half-plane of the axis and the point: the nearer of those on the base and on the side, or the point itself.
#[cfg_attr(not(opt_level_0), inline(always))]
pub(super) fn foot<N: Number>(token: N::Token, radius: N, half_length: N, p: Three<N>) -> Three<N> {
    let (none, one) = (N::constant(token, 0.0), N::constant(token, 1.0));
    let far = (p.x * p.x + p.y * p.y).root();
    let (height, up) = (half_length + half_length, p.z + half_length);
    let along = (height * up - radius * (far - radius)) / (radius * radius + height * height);
    let along = along.greatest(none).least(one);
    let side = (radius - radius * along, height * along);
    let base = far.least(radius);
    let square = |x: N| x * x;
    let to_side = square(far - side.0) + square(up - side.1);
    let to_base = square(far - base) + square(up);
    let out = to_side.if_less(to_base, side.0, base);
    let z = to_side.if_less(to_base, side.1, none);
    // Inside: above the base and on the inner side of the slanted line.
    let beyond = (height * (far - radius) + radius * up).greatest(none - up);
    let out = none.if_less(beyond, out, far);
    let z = none.if_less(beyond, z, up);
    let share = out / far.greatest(N::constant(token, TINY));
    Three { x: p.x * share, y: p.y * share, z: z - half_length }
}
