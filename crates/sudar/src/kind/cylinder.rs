//! Round cylinders.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use super::measured::{Measured, Moments, both, slab, tube};
use super::{Facing, Kind, Piece, TINY, end, flat, on_disc};
use crate::math::Pose;
use crate::math::simd::{Number, Three};
use crate::pair::{Chord, EntryPoint, SurfacePoint, in_tube, length};
use crate::shape::{Cylinder, Ray};

impl Kind for Cylinder {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        on_disc(self.radius, direction).with_z(if direction.z > 0.0 {
            self.half_length
        } else {
            -self.half_length
        })
    }

    fn contains(&self, p: DVec3) -> bool {
        p.z.abs() <= self.half_length && in_tube(p, self.radius)
    }

    fn closest_surface_point(&self, p: DVec3) -> SurfacePoint {
        let (r, h) = (self.radius, self.half_length);
        let beside = length(flat(p));
        let out = if beside > 0.0 { flat(p) / beside } else { DVec3::X };
        let up = if p.z < 0.0 { -1.0 } else { 1.0 };
        if !self.contains(p) {
            let otherwise = if p.z.abs() > h { DVec3::Z * up } else { out };
            let across = if beside > r { flat(p) * (r / beside) } else { flat(p) };
            return SurfacePoint::outside(p, across.with_z(p.z.clamp(-h, h)), otherwise);
        }
        let (to_wall, to_cap) = ((r - beside).max(0.0), h - p.z.abs());
        if to_wall <= to_cap {
            SurfacePoint { point: (out * r).with_z(p.z), normal: out, depth: to_wall }
        } else {
            SurfacePoint { point: p.with_z(up * h), normal: DVec3::Z * up, depth: to_cap }
        }
    }

    /// What the line has inside the round wall and between the caps.
    fn entry(&self, ray: &Ray) -> Option<EntryPoint> {
        let wall = Chord::tube(ray, self.radius)?;
        let caps = Chord::slab(ray.origin.z, ray.direction.z, self.half_length)?;
        let t = wall.and(caps)?.entry()?;
        let out = flat(ray.at(t));
        let through_cap = caps.enter > wall.enter;
        let normal = if through_cap { DVec3::Z * -ray.direction.z.signum() } else { out / length(out) };
        Some(EntryPoint { t, normal })
    }

    fn section(&self, direction: DVec2) -> DVec2 {
        let rim = if direction.x > 0.0 { self.radius } else { 0.0 };
        DVec2::new(rim, self.half_length.copysign(direction.y))
    }

    fn piece(&self, _: &Pose, [low, high]: [f64; 2], steep: f64) -> Piece {
        let Self { radius, half_length } = *self;
        if low * high < 0.0 {
            Piece::Wall { radius, half_length }
        } else {
            end(radius, half_length.copysign(low), steep)
        }
    }

    fn beside_rim(&self, z: f64, to: DVec3) -> Option<Piece> {
        let Self { radius, half_length } = *self;
        (to.z * z < 0.0).then_some(Piece::Wall { radius, half_length })
    }

    fn ball_on_disc(&self, across: f64) -> f64 {
        (self.radius - across).min(self.half_length)
    }

    /// The disc or the line on the side, whichever faces the contact more: within 45° of it.
    fn facing(&self, direction: DVec3) -> Facing {
        let Self { radius, half_length } = *self;
        let sideways = flat(direction);
        if direction.z.abs() >= sideways.length() {
            let (z, number) = (half_length.copysign(direction.z), u32::from(direction.z > 0.0));
            return Facing::Disc { radius, z, number };
        }
        let foot = sideways.normalize() * radius;
        Facing::Line(foot.with_z(-half_length), foot.with_z(half_length))
    }

    fn is_square(&self) -> bool {
        true
    }
}

impl Measured for Cylinder {
    fn half_extent(&self) -> DVec3 {
        DVec3::new(self.radius, self.radius, self.half_length)
    }

    fn moments(&self) -> Moments {
        let (r, h) = (self.radius, self.half_length);
        Moments::round(r, h, PI * r * r * (2.0 * h), [r * r / 4.0, h * h / 3.0])
    }

    fn chord(&self, line: &Ray) -> Option<Chord> {
        both(tube(line, self.radius), slab(line, 2, self.half_length))
    }
}

#[cfg_attr(not(opt_level_0), inline(always))]
pub(super) fn foot<N: Number>(token: N::Token, radius: N, half_length: N, p: Three<N>) -> Three<N> {
    let far = (p.x * p.x + p.y * p.y).root().greatest(N::constant(token, TINY));
    let share = (radius / far).least(N::constant(token, 1.0));
    let z = p.z.greatest(N::constant(token, 0.0) - half_length).least(half_length);
    Three { x: p.x * share, y: p.y * share, z }
}
