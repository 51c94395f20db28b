//! What a line has inside a convex body, rounded: two parameters, or nothing.

use glam::DVec3;

use crate::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid};

/// The points `origin + t·direction` of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub origin: DVec3,
    pub direction: DVec3,
}

/// The least and the greatest parameter inside.
pub(super) type Chord = Option<(f64, f64)>;

pub(super) fn cuboid(line: &Line, c: &Cuboid) -> Chord {
    (0..3).try_fold(ALL, |chord, axis| both(Some(chord), slab(line, axis, c.half[axis])))
}

pub(super) fn ellipsoid(line: &Line, e: &Ellipsoid) -> Chord {
    let (p, d) = (line.origin / e.radii, line.direction / e.radii);
    between_roots(d.dot(d), p.dot(d), p.dot(p) - 1.0)
}

pub(super) fn cylinder(line: &Line, c: &Cylinder) -> Chord {
    both(tube(line, c.radius), slab(line, 2, c.half_length))
}

/// The cylinder between the balls at its ends, and what these add.
pub(super) fn capsule(line: &Line, c: &Capsule) -> Chord {
    let middle = both(tube(line, c.radius), slab(line, 2, c.half_length));
    let ball = |z: f64| {
        let p = line.origin - DVec3::Z * z;
        let d = line.direction;
        between_roots(d.dot(d), p.dot(d), p.dot(p) - c.radius * c.radius)
    };
    let chords = [middle, ball(c.half_length), ball(-c.half_length)];
    chords.into_iter().flatten().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// The double cone through its wall, of which the ends leave one half.
pub(super) fn cone(line: &Line, c: &Cone) -> Chord {
    let ends = slab(line, 2, c.half_length)?;
    let slope = c.radius / (2.0 * c.half_length);
    // The radius falls to 0 at the apex: x² + y² ≤ slope²·w² with w = half_length − z.
    let (p, d) = (line.origin, line.direction);
    let (w, dw) = ((c.half_length - p.z) * slope, -d.z * slope);
    let square = d.x * d.x + d.y * d.y - dw * dw;
    let (half, rest) = (p.x * d.x + p.y * d.y - w * dw, p.x * p.x + p.y * p.y - w * w);
    if square > 0.0 {
        return both(between_roots(square, half, rest), Some(ends));
    }
    // Steeper than the wall: the line is in one half of the double cone up to a root, and in the other from
    // the next on.
    let (low, high) = roots(square, half, rest)?;
    let pieces =
        [both(Some((f64::NEG_INFINITY, low)), Some(ends)), both(Some((high, f64::INFINITY)), Some(ends))];
    pieces.into_iter().flatten().max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)))
}

const ALL: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// Within `half` of zero along an axis.
fn slab(line: &Line, axis: usize, half: f64) -> Chord {
    let (p, d) = (line.origin[axis], line.direction[axis]);
    if d == 0.0 {
        return (p.abs() <= half).then_some(ALL);
    }
    let (s, t) = ((-half - p) / d, (half - p) / d);
    Some((s.min(t), s.max(t)))
}

/// Within a cylinder around z that has no ends.
fn tube(line: &Line, radius: f64) -> Chord {
    let (p, d) = (line.origin.truncate(), line.direction.truncate());
    between_roots(d.dot(d), p.dot(d), p.dot(p) - radius * radius)
}

/// Where square·t² + 2·half·t + rest ≤ 0, for square ≥ 0.
fn between_roots(square: f64, half: f64, rest: f64) -> Chord {
    if square == 0.0 {
        return (rest <= 0.0).then_some(ALL);
    }
    roots(square, half, rest)
}

/// Both roots, the lesser first; infinite where the square is nothing.
fn roots(square: f64, half: f64, rest: f64) -> Chord {
    let discriminant = half * half - square * rest;
    if discriminant < 0.0 {
        return None;
    }
    // The root that does not cancel, and the other by their product.
    let far = -half - discriminant.sqrt().copysign(half);
    let (s, t) = (far / square, if far == 0.0 { 0.0 } else { rest / far });
    Some((s.min(t), s.max(t)))
}

fn both(a: Chord, b: Chord) -> Chord {
    let ((a, b), (c, d)) = (a?, b?);
    let (enter, exit) = (a.max(c), b.min(d));
    (enter < exit).then_some((enter, exit))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::pair::{point_cone, point_cylinder, point_ellipsoid};

    #[test]
    fn chords_hold_just_the_points_inside() {
        let (h, r) = (1.5, 0.7);
        let (cone_, cylinder_) = (Cone::new(r, h).unwrap(), Cylinder::new(r, h).unwrap());
        let capsule_ = Capsule::new(r, h).unwrap();
        let cuboid_ = Cuboid::new(DVec3::new(0.4, 0.9, 1.2)).unwrap();
        let ellipsoid_ = Ellipsoid::new(DVec3::new(0.5, 1.0, 2.0)).unwrap();
        let mut random = Pcg64::seed_from_u64(5);
        let mut seen = [0; 5];
        for case in 0..4000 {
            let mut point = || DVec3::from([0; 3].map(|_| random.random_range(-2.0..2.0)));
            let (origin, mut direction) = (point(), point());
            if case % 4 == 0 {
                direction = DVec3::AXES[case / 4 % 3];
            }
            let line = Line { origin, direction };
            let found = [
                cone(&line, &cone_),
                cylinder(&line, &cylinder_),
                capsule(&line, &capsule_),
                cuboid(&line, &cuboid_),
                ellipsoid(&line, &ellipsoid_),
            ];
            for k in -40..40 {
                let t = f64::from(k) * 0.1 + 0.013;
                let p = origin + direction * t;
                let near = p - DVec3::Z * p.z.clamp(-h, h);
                let inside = [
                    point_cone(p, &cone_),
                    point_cylinder(p, &cylinder_),
                    near.length() <= r,
                    p.abs().cmple(cuboid_.half).all(),
                    point_ellipsoid(p, &ellipsoid_),
                ];
                for (shape, (chord, inside)) in found.iter().zip(inside).enumerate() {
                    let within = chord.is_some_and(|(a, b)| a <= t && t <= b);
                    assert_eq!(within, inside, "shape {shape} at {p}");
                    seen[shape] += usize::from(inside);
                }
            }
        }
        assert!(seen.iter().all(|&n| n > 2000), "{seen:?}");
    }
}
