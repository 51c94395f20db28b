//! Pairs of triangles by class, most of them degenerate.

use glam::DVec3;
use rand::RngExt;
use sudar::Triangle;
use sudar_testing::Random;

/// What is special about a pair.
pub struct Class {
    pub name: &'static str,
    /// Whether all its pairs meet by construction.
    pub always_meets: bool,
    /// Makes a random pair.
    pub pair: fn(&mut Random) -> (Triangle, Triangle),
}

/// All classes.
pub const CLASSES: [Class; 18] = [
    // Nothing: corners anywhere in a cube.
    Class { name: "generic", always_meets: false, pair: |r| (generic(r), generic(r)) },
    // Corners on a grid of 3×3×3 points.
    Class { name: "grid of 3³ points", always_meets: false, pair: |r| (grid(r, 1), grid(r, 1)) },
    // Corners on a grid of 7×7×7 points.
    Class { name: "grid of 7³ points", always_meets: false, pair: |r| (grid(r, 3), grid(r, 3)) },
    // A corner in common.
    Class {
        name: "shared vertex",
        always_meets: true,
        pair: |r| {
            let a = either(r);
            let b = Triangle { a: a.b, ..either(r) };
            (a, shuffled(r, &b))
        },
    },
    // An edge in common.
    Class { name: "shared edge", always_meets: true, pair: shared_edge },
    // The same three corners, in some order.
    Class {
        name: "same corners",
        always_meets: true,
        pair: |r| {
            let a = either(r);
            (a, shuffled(r, &a))
        },
    },
    // Both in one plane parallel to two axes, on a grid.
    Class { name: "coplanar, along axes", always_meets: false, pair: |r| coplanar(r, DVec3::X, DVec3::Y) },
    // Both in one slanted plane that holds all corners exactly.
    Class { name: "coplanar, slanted", always_meets: false, pair: coplanar_slanted },
    // Coplanar and touching just along an edge or at a corner.
    Class { name: "coplanar, touching", always_meets: true, pair: coplanar_touching },
    // One or both are needles, a thousand million times longer than wide.
    Class { name: "needles", always_meets: false, pair: needle },
    // One or both are segments.
    Class { name: "segments", always_meets: false, pair: segments },
    // One or both are points.
    Class { name: "points", always_meets: false, pair: points },
    // A corner of one in the plane, on an edge or on a corner of the other, up to a few ulps.
    Class { name: "touching up to ulps", always_meets: false, pair: ulp_touching },
    // A small grid, and every coordinate moved by up to one ulp.
    Class {
        name: "grid moved by ulps",
        always_meets: false,
        pair: |r| {
            let mut moved = || mapped(&grid(r, 1), |p| p + DVec3::splat(3.0));
            let (a, b) = (moved(), moved());
            (mapped(&a, |p| nudged_point(r, p)), mapped(&b, |p| nudged_point(r, p)))
        },
    },
    // Sizes from 1e-30 to 1e30, one for the pair.
    Class {
        name: "1e-30 to 1e30",
        always_meets: false,
        pair: |r| {
            let size = power(r);
            (mapped(&either(r), |p| p * size), mapped(&either(r), |p| p * size))
        },
    },
    // Sizes from 1e-30 to 1e30, one for every coordinate.
    Class { name: "1e-30 to 1e30 mixed", always_meets: false, pair: mixed },
    // A degenerate pair, far from the origin.
    Class { name: "far off", always_meets: false, pair: far_off },
    // Edge across edge.
    Class { name: "edge on edge", always_meets: false, pair: edge_on_edge },
];

fn generic(r: &mut Random) -> Triangle {
    Triangle::from(std::array::from_fn(|_| r.point()))
}

fn grid(r: &mut Random, n: i32) -> Triangle {
    Triangle::from(std::array::from_fn(|_| r.grid_point(n)))
}

/// From the grid or not.
fn either(r: &mut Random) -> Triangle {
    if r.random() { grid(r, 2) } else { generic(r) }
}

fn mapped(t: &Triangle, f: impl FnMut(DVec3) -> DVec3) -> Triangle {
    Triangle::from(t.corners().map(f))
}

fn shuffled(r: &mut Random, t: &Triangle) -> Triangle {
    let mut p = t.corners();
    for i in [1, 2] {
        p.swap(i, r.random_range(0..=i));
    }
    Triangle::from(p)
}

fn shared_edge(r: &mut Random) -> (Triangle, Triangle) {
    let a = either(r);
    let b = Triangle { c: if r.random() { r.grid_point(2) } else { r.point() }, ..a };
    (a, shuffled(r, &b))
}

/// Corners i·u + j·v with small whole i and j.
fn in_plane(r: &mut Random, u: DVec3, v: DVec3) -> Triangle {
    Triangle::from(std::array::from_fn(|_| {
        u * f64::from(r.random_range(-4..=4)) + v * f64::from(r.random_range(-4..=4))
    }))
}

fn coplanar(r: &mut Random, u: DVec3, v: DVec3) -> (Triangle, Triangle) {
    let (u, v) = match r.random_range(0..3) {
        0 => (u, v),
        1 => (DVec3::new(u.z, u.x, u.y), DVec3::new(v.z, v.x, v.y)),
        _ => (DVec3::new(u.y, u.z, u.x), DVec3::new(v.y, v.z, v.x)),
    };
    (in_plane(r, u, v), in_plane(r, u, v))
}

/// Vectors of 40 bits times small whole numbers are exact.
fn coplanar_slanted(r: &mut Random) -> (Triangle, Triangle) {
    let mut direction = || (r.point() * 2_f64.powi(40)).round() * 2_f64.powi(-40);
    let (u, v) = (direction(), direction());
    coplanar(r, u, v)
}

/// One triangle left of a line through a corner or along an edge, the other right of it.
fn coplanar_touching(r: &mut Random) -> (Triangle, Triangle) {
    let mut whole = |range: std::ops::RangeInclusive<i32>| f64::from(r.random_range(range));
    let point = |x: f64, y: f64| DVec3::new(x, y, 2.0 * x - 3.0 * y);
    let low = whole(-3..=0);
    let left = [(0.0, low), (0.0, whole(0..=3)), (whole(-4..=-1), whole(-4..=4))];
    let right = [(0.0, whole(-4..=0)), (whole(0..=1), whole(0..=4)), (whole(1..=4), whole(-4..=4))];
    let spin = |t: [(f64, f64); 3]| Triangle::from(t.map(|(x, y)| point(x, y)));
    // Both hold points of the line x = 0; moved so that they share at least one.
    let (a, mut b) = (spin(left), spin(right));
    b = mapped(&b, |p| p + (a.a - b.a));
    (shuffled(r, &a), shuffled(r, &b))
}

fn needle(r: &mut Random) -> (Triangle, Triangle) {
    let (p, q) = (r.point(), r.point());
    let thin = Triangle { a: p, b: q, c: p + (q - p) * r.random::<f64>() + r.point() * 1e-9 };
    let through = p + (q - p) * r.random::<f64>();
    let mut other = either(r);
    if r.random() {
        other.c = through + (through - other.a) * 0.5;
        other.b = through + r.point() * 1e-9;
    }
    (shuffled(r, &thin), shuffled(r, &other))
}

/// A triangle on one line, exactly.
fn segment(r: &mut Random) -> Triangle {
    let (p, step) = (r.grid_point(2), r.grid_point(1));
    let t = if r.random() {
        Triangle { a: p, b: p + step, c: p + step * f64::from(r.random_range(-2..=3)) }
    } else {
        let q = r.point();
        Triangle { a: p, b: q, c: q }
    };
    shuffled(r, &t)
}

fn with_one(r: &mut Random, special: fn(&mut Random) -> Triangle) -> (Triangle, Triangle) {
    let other = if r.random() { special(r) } else { grid(r, 2) };
    let special = special(r);
    if r.random() { (special, other) } else { (other, special) }
}

/// Two segments on one line, a segment in the plane of a triangle, or anything.
fn segments(r: &mut Random) -> (Triangle, Triangle) {
    match r.random_range(0..3) {
        0 => {
            let (p, step) = (r.grid_point(2), r.point());
            let step = (step * 1024.0).round() / 1024.0;
            let mut on_line =
                || Triangle::from(std::array::from_fn(|_| p + step * f64::from(r.random_range(-3..=3))));
            (on_line(), on_line())
        }
        1 => {
            let (a, mut b) = coplanar(r, DVec3::X, DVec3::new(0.0, 1.0, 0.5));
            b.c = b.a;
            (a, shuffled(r, &b))
        }
        _ => with_one(r, segment),
    }
}

fn points(r: &mut Random) -> (Triangle, Triangle) {
    let (a, b) = with_one(r, |r| {
        let p = r.grid_point(1);
        Triangle::from([p; 3])
    });
    // A flatter grid has more points on triangles.
    let flat = |p: DVec3| DVec3::new(p.x, p.y, 0.0);
    if r.random() { (mapped(&a, flat), mapped(&b, flat)) } else { (a, b) }
}

fn nudged(r: &mut Random, x: f64) -> f64 {
    match r.random_range(0..4) {
        0 => x.next_up(),
        1 => x.next_down(),
        _ => x,
    }
}

fn nudged_point(r: &mut Random, p: DVec3) -> DVec3 {
    DVec3::new(nudged(r, p.x), nudged(r, p.y), nudged(r, p.z))
}

fn ulp_touching(r: &mut Random) -> (Triangle, Triangle) {
    let a = either(r);
    let weights = match r.random_range(0..3) {
        0 => DVec3::new(r.random(), r.random(), r.random()),
        1 => DVec3::new(r.random(), r.random(), 0.0),
        _ => DVec3::X,
    };
    let sum = weights.element_sum();
    let on_a = (a.a * weights.x + a.b * weights.y + a.c * weights.z) / sum;
    // The other's two corners on one side, or coplanar as far as rounding goes.
    let normal = a.scaled_normal();
    let mut away = || on_a + normal * r.random_range(0.0..1.0) + r.point() * 0.2;
    let mut b = Triangle { a: on_a, b: away(), c: away() };
    if r.random_range(0..4) == 0 {
        b.b = a.a + (on_a - a.a) * r.random_range(1.0..2.0);
        b.c = a.b + (on_a - a.b) * r.random_range(1.0..2.0);
    }
    (a, mapped(&shuffled(r, &b), |p| nudged_point(r, p)))
}

fn power(r: &mut Random) -> f64 {
    10_f64.powf(r.random_range(-30.0..30.0))
}

fn mixed(r: &mut Random) -> (Triangle, Triangle) {
    let spread = |r: &mut Random| {
        let t = either(r);
        mapped(&t, |p| p * DVec3::new(power(r), power(r), power(r)))
    };
    let a = spread(r);
    let mut b = spread(r);
    if r.random() {
        b.a = a.a.midpoint(a.b);
    }
    (a, b)
}

fn far_off(r: &mut Random) -> (Triangle, Triangle) {
    let offset = r.point() * 10_f64.powf(r.random_range(3.0..15.0));
    let (a, b) = match r.random_range(0..4) {
        0 => shared_edge(r),
        1 => (grid(r, 1), grid(r, 1)),
        2 => coplanar_slanted(r),
        _ => ulp_touching(r),
    };
    (mapped(&a, |p| p + offset), mapped(&b, |p| p + offset))
}

/// The midpoints of two edges coincide.
fn edge_on_edge(r: &mut Random) -> (Triangle, Triangle) {
    let middle = r.grid_point(2);
    let ((u, v), (s, t)) = ((r.grid_point(2), r.grid_point(3)), (r.grid_point(2), r.grid_point(3)));
    let a = Triangle { a: middle - u, b: middle + u, c: v };
    let b = Triangle { a: middle - s, b: middle + s, c: t };
    let gap = if r.random() { DVec3::ZERO } else { r.grid_point(1) * 0.125 };
    (shuffled(r, &a), shuffled(r, &mapped(&b, |p| p + gap)))
}
