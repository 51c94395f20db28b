//! The judge: do two triangles share a point? Decided in integers of any size, by a method of its own.
//!
//! Coordinates of `f64` are whole multiples of one small power of two, so everything below is integer
//! arithmetic and exact. Two closed triangles meet exactly if an edge of one meets the other: their common part
//! is convex, and its corners lie on edges. That also holds for triangles flattened to a segment or a point.
//! Slow on purpose: nothing here is shared with the library that it judges.

use glam::DVec3;
use num_bigint::{BigInt, Sign};
use sudar::{Mesh, Pose};

type Vec3 = [BigInt; 3];
type Vec2<'a> = [&'a BigInt; 2];

/// Whether two closed triangles, degenerate ones included, have a point in common. Coordinates must be finite.
pub fn triangles_meet(s: [DVec3; 3], t: [DVec3; 3]) -> bool {
    let unit = s.iter().chain(&t).flat_map(DVec3::to_array).map(lowest_bit).min().unwrap_or(0);
    let [s, t] = [s, t].map(|t| t.map(|p| p.to_array().map(|x| scaled(x, unit))));
    if apart_by_plane(&s, &t) || apart_by_plane(&t, &s) {
        return false;
    }
    edges(&s).any(|e| segment_meets_triangle(e, &t)) || edges(&t).any(|e| segment_meets_triangle(e, &s))
}

/// All pairs of triangles that share a point, sorted: a sweep along x over their exact boxes, the judge for
/// every pair whose boxes overlap.
pub fn all_pairs(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose) -> Vec<[u32; 2]> {
    let (a, b) = (posed(a, pose_a), posed(b, pose_b));
    let mut pairs = Vec::new();
    let widest = b.iter().map(|t| t.max.x - t.min.x).fold(0.0, f64::max).next_up();
    for s in &a {
        // A box that starts further left than the widest is wide ends before `s` begins.
        let first = b.partition_point(|t| t.min.x < (s.min.x - widest).next_down());
        let near = b[first..].iter().take_while(|t| t.min.x <= s.max.x).filter(|t| s.touches(t));
        pairs.extend(near.filter(|t| triangles_meet(s.corners, t.corners)).map(|t| [s.number, t.number]));
    }
    pairs.sort_unstable();
    pairs
}

/// A triangle in the world, with its box.
struct Posed {
    number: u32,
    corners: [DVec3; 3],
    min: DVec3,
    max: DVec3,
}

impl Posed {
    fn touches(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

/// The triangles of a posed mesh, by their least x.
fn posed(mesh: &Mesh, pose: &Pose) -> Vec<Posed> {
    let one = |number| {
        let corners @ [p, q, r] = mesh.triangle(number).corners().map(|p| pose.apply(p));
        Posed { number, corners, min: p.min(q).min(r), max: p.max(q).max(r) }
    };
    let mut all: Vec<_> = (0..mesh.triangles().len() as u32).map(one).collect();
    all.sort_by(|s, t| s.min.x.total_cmp(&t.min.x));
    all
}

/// The exponent of the power of two that `x` is a multiple of; large for zero.
fn lowest_bit(x: f64) -> i32 {
    if x == 0.0 { i32::MAX } else { exponent(x) + mantissa(x).trailing_zeros() as i32 }
}

/// `|x| = mantissa(x) · 2^exponent(x)`.
fn mantissa(x: f64) -> u64 {
    let (fraction, biased) = (x.to_bits() & ((1 << 52) - 1), x.to_bits() >> 52 & 0x7ff);
    if biased == 0 { fraction } else { fraction | 1 << 52 }
}

fn exponent(x: f64) -> i32 {
    (x.to_bits() >> 52 & 0x7ff).max(1) as i32 - 1075
}

/// `x / 2^unit`, which is whole.
fn scaled(x: f64, unit: i32) -> BigInt {
    if x == 0.0 {
        return BigInt::ZERO;
    }
    let bits = mantissa(x).trailing_zeros();
    let size = BigInt::from(mantissa(x) >> bits) << (exponent(x) + bits as i32 - unit);
    if x < 0.0 { -size } else { size }
}

/// Whether all corners of `t` lie strictly on one side of the plane of `s`.
fn apart_by_plane(s: &[Vec3; 3], t: &[Vec3; 3]) -> bool {
    let n = normal(s);
    let side = |p: &Vec3| dot(&n, &sub(p, &s[0])).sign();
    let first = side(&t[0]);
    first != Sign::NoSign && side(&t[1]) == first && side(&t[2]) == first
}

fn edges(t: &[Vec3; 3]) -> impl Iterator<Item = [&Vec3; 2]> {
    (0..3).map(move |i| [&t[i], &t[(i + 1) % 3]])
}

fn segment_meets_triangle([p, q]: [&Vec3; 2], t: &[Vec3; 3]) -> bool {
    let n = normal(t);
    let Some(axis) = n.iter().position(|x| x.sign() != Sign::NoSign) else {
        return edges(t).any(|e| segments_meet([p, q], e));
    };
    let (mut at_p, mut at_q) = (dot(&n, &sub(p, &t[0])), dot(&n, &sub(q, &t[0])));
    if at_p.sign() == Sign::NoSign && at_q.sign() == Sign::NoSign {
        return flat_segment_meets_triangle([p, q], t, axis);
    }
    if at_p < at_q {
        (at_p, at_q) = (-at_p, -at_q);
    }
    if at_p.sign() == Sign::Minus || at_q.sign() == Sign::Plus {
        return false;
    }
    // The segment pierces the plane at p + (q − p)·at_p/whole; compared as multiples of `whole` > 0.
    let whole = &at_p - &at_q;
    let piercing: Vec3 = std::array::from_fn(|k| &p[k] * &whole + (&q[k] - &p[k]) * &at_p);
    edges(t).all(|[u, v]| {
        let from_u: Vec3 = std::array::from_fn(|k| &piercing[k] - &u[k] * &whole);
        dot(&n, &cross(&sub(v, u), &from_u)).sign() != Sign::Minus
    })
}

/// For a segment in the plane of `t`, seen along `axis`, along which the plane does not stand on edge.
fn flat_segment_meets_triangle([p, q]: [&Vec3; 2], t: &[Vec3; 3], axis: usize) -> bool {
    let corners = [&t[0], &t[1], &t[2]].map(|c| flat(c, axis));
    let (p, q) = (flat(p, axis), flat(q, axis));
    let turns = |x: Vec2<'_>| [0, 1, 2].map(|i| turn(corners[i], corners[(i + 1) % 3], x));
    let inside = |x| !(turns(x).contains(&Sign::Minus) && turns(x).contains(&Sign::Plus));
    inside(p) || (0..3).any(|i| flat_segments_meet([p, q], [corners[i], corners[(i + 1) % 3]]))
}

fn segments_meet([a, b]: [&Vec3; 2], [c, d]: [&Vec3; 2]) -> bool {
    let (ab, cd, ac) = (sub(b, a), sub(d, c), sub(c, a));
    let n = cross(&ab, &cd);
    if let Some(axis) = n.iter().position(|x| x.sign() != Sign::NoSign) {
        let coplanar = dot(&n, &ac).sign() == Sign::NoSign;
        return coplanar
            && flat_segments_meet([flat(a, axis), flat(b, axis)], [flat(c, axis), flat(d, axis)]);
    }
    // Parallel, or one of them is a point: they meet if they lie on one line and their boxes overlap.
    let along = if is_zero(&ab) { &cd } else { &ab };
    is_zero(&cross(along, &ac)) && (0..3).all(|k| ranges_meet([&a[k], &b[k]], [&c[k], &d[k]]))
}

fn flat_segments_meet([a, b]: [Vec2<'_>; 2], [c, d]: [Vec2<'_>; 2]) -> bool {
    let [abc, abd, cda, cdb] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
    let on = |turn, [u, v]: [Vec2<'_>; 2], x: Vec2<'_>| {
        turn == Sign::NoSign && (0..2).all(|k| ranges_meet([u[k], v[k]], [x[k], x[k]]))
    };
    let crossing = opposite(abc, abd) && opposite(cda, cdb);
    crossing || on(abc, [a, b], c) || on(abd, [a, b], d) || on(cda, [c, d], a) || on(cdb, [c, d], b)
}

fn opposite(s: Sign, t: Sign) -> bool {
    matches!((s, t), (Sign::Minus, Sign::Plus) | (Sign::Plus, Sign::Minus))
}

fn ranges_meet([a, b]: [&BigInt; 2], [c, d]: [&BigInt; 2]) -> bool {
    a.min(b) <= c.max(d) && c.min(d) <= a.max(b)
}

/// The sign of (b − a) × (c − a).
fn turn(a: Vec2<'_>, b: Vec2<'_>, c: Vec2<'_>) -> Sign {
    ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).sign()
}

fn flat(p: &Vec3, axis: usize) -> Vec2<'_> {
    [&p[(axis + 1) % 3], &p[(axis + 2) % 3]]
}

fn normal(t: &[Vec3; 3]) -> Vec3 {
    cross(&sub(&t[1], &t[0]), &sub(&t[2], &t[0]))
}

fn sub(p: &Vec3, q: &Vec3) -> Vec3 {
    std::array::from_fn(|k| &p[k] - &q[k])
}

fn dot(p: &Vec3, q: &Vec3) -> BigInt {
    &p[0] * &q[0] + &p[1] * &q[1] + &p[2] * &q[2]
}

fn cross(p: &Vec3, q: &Vec3) -> Vec3 {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &p[i] * &q[j] - &p[j] * &q[i]
    })
}

fn is_zero(p: &Vec3) -> bool {
    p.iter().all(|x| x.sign() == Sign::NoSign)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(numbers: [f64; 9]) -> [DVec3; 3] {
        [0, 3, 6].map(|i| DVec3::from_slice(&numbers[i..i + 3]))
    }

    const FLOOR: [f64; 9] = [0., 0., 0., 4., 0., 0., 0., 4., 0.];

    /// Both orders, and rotated corners: the answer depends on neither.
    fn meet(s: [f64; 9], t: [f64; 9]) -> bool {
        let (s, t) = (triangle(s), triangle(t));
        let answer = triangles_meet(s, t);
        assert_eq!(answer, triangles_meet(t, s));
        assert_eq!(answer, triangles_meet([s[1], s[2], s[0]], [t[2], t[1], t[0]]));
        answer
    }

    #[test]
    fn piercing_touching_and_missing() {
        assert!(meet(FLOOR, [1., 1., -1., 1., 1., 1., 2., 1., 1.]));
        assert!(meet(FLOOR, [1., 1., 0., 1., 1., 1., 2., 1., 1.]));
        assert!(meet(FLOOR, [2., 2., 0., 3., 3., 1., 3., 3., 2.]), "a corner on the hypotenuse");
        assert!(!meet(FLOOR, [2., 2., f64::MIN_POSITIVE, 3., 3., 1., 3., 3., 2.]));
        assert!(!meet(FLOOR, [2.0_f64.next_up(), 2., 0., 3., 3., 1., 3., 3., 2.]));
        assert!(!meet(FLOOR, [5., 5., -1., 5., 5., 1., 6., 5., 1.]));
    }

    #[test]
    fn coplanar_ones() {
        assert!(meet(FLOOR, [1., 1., 0., 1.5, 1., 0., 1., 1.5, 0.]), "inside");
        assert!(meet(FLOOR, [-9., -9., 0., 20., -9., 0., -9., 20., 0.]), "around");
        assert!(meet(FLOOR, [-1., 1., 0., 5., 1., 0., 5., 2., 0.]), "across");
        assert!(meet(FLOOR, [4., 0., 0., 5., 0., 0., 5., 1., 0.]), "corner to corner");
        assert!(!meet(FLOOR, [3., 3., 0., 4., 3., 0., 3., 4., 0.]));
    }

    #[test]
    fn flattened_ones() {
        let point = |x, y, z| [x, y, z, x, y, z, x, y, z];
        assert!(meet(FLOOR, point(2., 2., 0.)));
        assert!(!meet(FLOOR, point(2., 2., 1e-300)));
        assert!(meet(point(1., 2., 3.), point(1., 2., 3.)));
        assert!(!meet(point(1., 2., 3.), point(1., 2., 4.)));
        let segment = [0., 0., 0., 2., 2., 2., 1., 1., 1.];
        assert!(meet(segment, point(1.5, 1.5, 1.5)));
        assert!(!meet(segment, point(2.5, 2.5, 2.5)));
        assert!(meet(segment, [2., 2., 2., 3., 3., 3., 5., 5., 5.]), "end to end on one line");
        assert!(!meet(segment, [2.5, 2.5, 2.5, 3., 3., 3., 5., 5., 5.]), "a gap on one line");
        assert!(meet(segment, [0., 2., 1., 2., 0., 1., 2., 0., 1.]), "crossing");
    }

    #[test]
    fn scale_does_not_matter() {
        for scale in [1e-90, 1e-7, 1e90] {
            let floor = FLOOR.map(|x| x * scale);
            assert!(meet(floor, [1., 1., -1e-9, 1., 1., 1e-9, 2., 1., 1.].map(|x| x * scale)));
            assert!(!meet(floor, [1., 1., 1e-9, 1., 1., 2e-9, 2., 1., 1.].map(|x| x * scale)));
        }
    }

    #[test]
    fn the_sweep_finds_what_the_double_loop_finds() {
        let mesh = crate::generate::torus(12, 8).unwrap();
        let pose = Pose::from_translation(DVec3::new(0.9, 0.1, 0.05)).unwrap();
        let corners = |i, pose: &Pose| mesh.triangle(i).corners().map(|p| pose.apply(p));
        let n = mesh.triangles().len() as u32;
        let all = (0..n).flat_map(|i| (0..n).map(move |j| [i, j]));
        let meet = |&[i, j]: &[u32; 2]| triangles_meet(corners(i, &Pose::IDENTITY), corners(j, &pose));
        let expected: Vec<_> = all.filter(meet).collect();
        assert!(!expected.is_empty());
        assert_eq!(all_pairs(&mesh, &Pose::IDENTITY, &mesh, &pose), expected);
    }
}
