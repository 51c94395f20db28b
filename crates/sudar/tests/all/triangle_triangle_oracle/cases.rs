//! Pairs of triangles by class, most of them degenerate.

use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64;
use sudar::Triangle;

/// What is special about a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Nothing: corners anywhere in a cube.
    Generic,
    /// Corners on a grid of 3×3×3 points.
    SmallGrid,
    /// Corners on a grid of 7×7×7 points.
    LargeGrid,
    /// A corner in common.
    SharedVertex,
    /// An edge in common.
    SharedEdge,
    /// The same three corners, in some order.
    Same,
    /// Both in one plane parallel to two axes, on a grid.
    CoplanarGrid,
    /// Both in one slanted plane that holds all corners exactly.
    CoplanarSlanted,
    /// Coplanar and touching just along an edge or at a corner.
    CoplanarTouching,
    /// One or both are needles, a thousand million times longer than wide.
    Needle,
    /// One or both are segments.
    Segments,
    /// One or both are points.
    Points,
    /// A corner of one in the plane, on an edge or on a corner of the other, up to a few ulps.
    UlpTouching,
    /// A small grid, and every coordinate moved by up to one ulp.
    UlpGrid,
    /// Sizes from 1e-30 to 1e30, one for the pair.
    Scaled,
    /// Sizes from 1e-30 to 1e30, one for every coordinate.
    MixedScale,
    /// A degenerate pair, far from the origin.
    FarOff,
    /// Edge across edge.
    EdgeOnEdge,
}

/// All classes.
pub const CLASSES: [Class; 18] = [
    Class::Generic,
    Class::SmallGrid,
    Class::LargeGrid,
    Class::SharedVertex,
    Class::SharedEdge,
    Class::Same,
    Class::CoplanarGrid,
    Class::CoplanarSlanted,
    Class::CoplanarTouching,
    Class::Needle,
    Class::Segments,
    Class::Points,
    Class::UlpTouching,
    Class::UlpGrid,
    Class::Scaled,
    Class::MixedScale,
    Class::FarOff,
    Class::EdgeOnEdge,
];

impl Class {
    /// For the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::SmallGrid => "grid of 3³ points",
            Self::LargeGrid => "grid of 7³ points",
            Self::SharedVertex => "shared vertex",
            Self::SharedEdge => "shared edge",
            Self::Same => "same corners",
            Self::CoplanarGrid => "coplanar, along axes",
            Self::CoplanarSlanted => "coplanar, slanted",
            Self::CoplanarTouching => "coplanar, touching",
            Self::Needle => "needles",
            Self::Segments => "segments",
            Self::Points => "points",
            Self::UlpTouching => "touching up to ulps",
            Self::UlpGrid => "grid moved by ulps",
            Self::Scaled => "1e-30 to 1e30",
            Self::MixedScale => "1e-30 to 1e30 mixed",
            Self::FarOff => "far off",
            Self::EdgeOnEdge => "edge on edge",
        }
    }

    /// Whether all its pairs meet by construction.
    pub fn always_meets(self) -> bool {
        matches!(self, Self::SharedVertex | Self::SharedEdge | Self::Same | Self::CoplanarTouching)
    }

    /// A random pair of this class.
    pub fn pair(self, r: &mut Pcg64) -> (Triangle, Triangle) {
        match self {
            Self::Generic => (generic(r), generic(r)),
            Self::SmallGrid => (grid(r, 1), grid(r, 1)),
            Self::LargeGrid => (grid(r, 3), grid(r, 3)),
            Self::SharedVertex => shared_vertex(r),
            Self::SharedEdge => shared_edge(r),
            Self::Same => same(r),
            Self::CoplanarGrid => coplanar(r, DVec3::X, DVec3::Y),
            Self::CoplanarSlanted => coplanar_slanted(r),
            Self::CoplanarTouching => coplanar_touching(r),
            Self::Needle => needle(r),
            Self::Segments => segments(r),
            Self::Points => points(r),
            Self::UlpTouching => ulp_touching(r),
            Self::UlpGrid => ulp_grid(r),
            Self::Scaled => scaled(r),
            Self::MixedScale => mixed(r),
            Self::FarOff => far_off(r),
            Self::EdgeOnEdge => edge_on_edge(r),
        }
    }
}

fn vector(r: &mut Pcg64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| r.random_range(-1.0..1.0)))
}

fn generic(r: &mut Pcg64) -> Triangle {
    Triangle::from(std::array::from_fn(|_| vector(r)))
}

fn grid_point(r: &mut Pcg64, n: i32) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| f64::from(r.random_range(-n..=n))))
}

fn grid(r: &mut Pcg64, n: i32) -> Triangle {
    Triangle::from(std::array::from_fn(|_| grid_point(r, n)))
}

/// From the grid or not.
fn either(r: &mut Pcg64) -> Triangle {
    if r.random() { grid(r, 2) } else { generic(r) }
}

fn mapped(t: &Triangle, f: impl FnMut(DVec3) -> DVec3) -> Triangle {
    Triangle::from(t.corners().map(f))
}

fn shuffled(r: &mut Pcg64, t: &Triangle) -> Triangle {
    let mut p = t.corners();
    for i in [1, 2] {
        p.swap(i, r.random_range(0..=i));
    }
    Triangle::from(p)
}

fn shared_vertex(r: &mut Pcg64) -> (Triangle, Triangle) {
    let a = either(r);
    let b = Triangle { a: a.b, ..either(r) };
    (a, shuffled(r, &b))
}

fn shared_edge(r: &mut Pcg64) -> (Triangle, Triangle) {
    let a = either(r);
    let b = Triangle { c: if r.random() { grid_point(r, 2) } else { vector(r) }, ..a };
    (a, shuffled(r, &b))
}

fn same(r: &mut Pcg64) -> (Triangle, Triangle) {
    let a = either(r);
    (a, shuffled(r, &a))
}

/// Corners i·u + j·v with small whole i and j.
fn in_plane(r: &mut Pcg64, u: DVec3, v: DVec3) -> Triangle {
    Triangle::from(std::array::from_fn(|_| {
        u * f64::from(r.random_range(-4..=4)) + v * f64::from(r.random_range(-4..=4))
    }))
}

fn coplanar(r: &mut Pcg64, u: DVec3, v: DVec3) -> (Triangle, Triangle) {
    let (u, v) = match r.random_range(0..3) {
        0 => (u, v),
        1 => (DVec3::new(u.z, u.x, u.y), DVec3::new(v.z, v.x, v.y)),
        _ => (DVec3::new(u.y, u.z, u.x), DVec3::new(v.y, v.z, v.x)),
    };
    (in_plane(r, u, v), in_plane(r, u, v))
}

/// Vectors of 40 bits times small whole numbers are exact.
fn coplanar_slanted(r: &mut Pcg64) -> (Triangle, Triangle) {
    let mut direction = || (vector(r) * 2_f64.powi(40)).round() * 2_f64.powi(-40);
    let (u, v) = (direction(), direction());
    coplanar(r, u, v)
}

/// One triangle left of a line through a corner or along an edge, the other right of it.
fn coplanar_touching(r: &mut Pcg64) -> (Triangle, Triangle) {
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

fn needle(r: &mut Pcg64) -> (Triangle, Triangle) {
    let (p, q) = (vector(r), vector(r));
    let thin = Triangle { a: p, b: q, c: p + (q - p) * r.random::<f64>() + vector(r) * 1e-9 };
    let through = p + (q - p) * r.random::<f64>();
    let mut other = either(r);
    if r.random() {
        other.c = through + (through - other.a) * 0.5;
        other.b = through + vector(r) * 1e-9;
    }
    (shuffled(r, &thin), shuffled(r, &other))
}

/// A triangle on one line, exactly.
fn segment(r: &mut Pcg64) -> Triangle {
    let (p, step) = (grid_point(r, 2), grid_point(r, 1));
    let t = if r.random() {
        Triangle { a: p, b: p + step, c: p + step * f64::from(r.random_range(-2..=3)) }
    } else {
        let q = vector(r);
        Triangle { a: p, b: q, c: q }
    };
    shuffled(r, &t)
}

fn with_one(r: &mut Pcg64, special: fn(&mut Pcg64) -> Triangle) -> (Triangle, Triangle) {
    let other = if r.random() { special(r) } else { grid(r, 2) };
    let special = special(r);
    if r.random() { (special, other) } else { (other, special) }
}

/// Two segments on one line, a segment in the plane of a triangle, or anything.
fn segments(r: &mut Pcg64) -> (Triangle, Triangle) {
    match r.random_range(0..3) {
        0 => {
            let (p, step) = (grid_point(r, 2), vector(r));
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

fn points(r: &mut Pcg64) -> (Triangle, Triangle) {
    let (a, b) = with_one(r, |r| {
        let p = grid_point(r, 1);
        Triangle::from([p; 3])
    });
    // A flatter grid has more points on triangles.
    let flat = |p: DVec3| DVec3::new(p.x, p.y, 0.0);
    if r.random() { (mapped(&a, flat), mapped(&b, flat)) } else { (a, b) }
}

fn nudged(r: &mut Pcg64, x: f64) -> f64 {
    match r.random_range(0..4) {
        0 => x.next_up(),
        1 => x.next_down(),
        _ => x,
    }
}

fn nudged_point(r: &mut Pcg64, p: DVec3) -> DVec3 {
    DVec3::new(nudged(r, p.x), nudged(r, p.y), nudged(r, p.z))
}

fn ulp_touching(r: &mut Pcg64) -> (Triangle, Triangle) {
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
    let mut away = || on_a + normal * r.random_range(0.0..1.0) + vector(r) * 0.2;
    let mut b = Triangle { a: on_a, b: away(), c: away() };
    if r.random_range(0..4) == 0 {
        b.b = a.a + (on_a - a.a) * r.random_range(1.0..2.0);
        b.c = a.b + (on_a - a.b) * r.random_range(1.0..2.0);
    }
    (a, mapped(&shuffled(r, &b), |p| nudged_point(r, p)))
}

fn ulp_grid(r: &mut Pcg64) -> (Triangle, Triangle) {
    let moved = |r: &mut Pcg64| {
        let t = grid(r, 1);
        mapped(&t, |p| nudged_point(r, p + DVec3::splat(3.0)))
    };
    (moved(r), moved(r))
}

fn power(r: &mut Pcg64) -> f64 {
    10_f64.powf(r.random_range(-30.0..30.0))
}

fn scaled(r: &mut Pcg64) -> (Triangle, Triangle) {
    let size = power(r);
    (mapped(&either(r), |p| p * size), mapped(&either(r), |p| p * size))
}

fn mixed(r: &mut Pcg64) -> (Triangle, Triangle) {
    let spread = |r: &mut Pcg64| {
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

fn far_off(r: &mut Pcg64) -> (Triangle, Triangle) {
    let offset = vector(r) * 10_f64.powf(r.random_range(3.0..15.0));
    let (a, b) = match r.random_range(0..4) {
        0 => shared_edge(r),
        1 => (grid(r, 1), grid(r, 1)),
        2 => coplanar_slanted(r),
        _ => ulp_touching(r),
    };
    (mapped(&a, |p| p + offset), mapped(&b, |p| p + offset))
}

/// The midpoints of two edges coincide.
fn edge_on_edge(r: &mut Pcg64) -> (Triangle, Triangle) {
    let middle = grid_point(r, 2);
    let ((u, v), (s, t)) = ((grid_point(r, 2), grid_point(r, 3)), (grid_point(r, 2), grid_point(r, 3)));
    let a = Triangle { a: middle - u, b: middle + u, c: v };
    let b = Triangle { a: middle - s, b: middle + s, c: t };
    let gap = if r.random() { DVec3::ZERO } else { grid_point(r, 1) * 0.125 };
    (shuffled(r, &a), shuffled(r, &mapped(&b, |p| p + gap)))
}
