//! A convex body of simple form as a tree sees it: how far it reaches in a direction, and which of its points is
//! about nearest to another.
//!
//! Any direction n of length one bounds the distance of two convex sets from below: by `n·(b − a) − h_a(n) − h_b(−n)`
//! with the support functions h about points a and b of theirs (Gilbert, Johnson and Keerthi 1988, "A fast procedure
//! for computing the distance between complex objects"). What is computed here to find a good direction need
//! therefore not be accurate; only the support functions have to be.

use glam::DVec3;

use super::number::Number;
use crate::math::simd::Three;
use crate::shape::{Cone, Cylinder, Round};

/// A convex body around the origin of its own frame, or the core of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Profile<T = f64> {
    /// A round cylinder along z: a segment if the radius is zero.
    Cylinder {
        /// Radius.
        radius: T,
        /// Half the length of the axis.
        half_length: T,
    },
    /// A round cone along z with its apex at z = +half_length.
    Cone {
        /// Radius of the base at z = −half_length.
        radius: T,
        /// Half the height.
        half_length: T,
    },
    /// An ellipsoid by its semi-axes.
    Ellipsoid([T; 3]),
    /// A box by half its edges.
    Cuboid([T; 3]),
    /// The hull of points that are listed beside it; the origin is one of its points.
    Hull,
}

impl From<&Round> for Profile {
    fn from(round: &Round) -> Self {
        match *round {
            Round::Cylinder(Cylinder { radius, half_length }) => Self::Cylinder { radius, half_length },
            Round::Cone(Cone { radius, half_length }) => Self::Cone { radius, half_length },
            Round::Ellipsoid(e) => Self::Ellipsoid(e.radii.to_array()),
        }
    }
}

impl Profile {
    /// The greatest distance of a point from the centre, rounded up; of a hull that of the farthest of its points.
    pub fn radius(&self, points: &[DVec3]) -> f64 {
        let length = |v: [f64; 3]| v.iter().fold(0.0, |sum: f64, x| sum + x * x).sqrt();
        let radius = match *self {
            Self::Cylinder { radius, half_length } | Self::Cone { radius, half_length } => {
                length([radius, half_length, 0.0])
            }
            Self::Ellipsoid(radii) => radii.into_iter().fold(0.0, f64::max),
            Self::Cuboid(half) => length(half),
            Self::Hull => points.iter().fold(0.0, |far: f64, p| far.max(length(p.to_array()))),
        };
        radius * (1.0 + 4.0 * f64::EPSILON)
    }

    /// With every length put through a function.
    pub(super) fn map<T>(&self, f: impl Fn(f64) -> T) -> Profile<T> {
        match *self {
            Self::Cylinder { radius, half_length } => {
                Profile::Cylinder { radius: f(radius), half_length: f(half_length) }
            }
            Self::Cone { radius, half_length } => {
                Profile::Cone { radius: f(radius), half_length: f(half_length) }
            }
            Self::Ellipsoid(radii) => Profile::Ellipsoid(radii.map(f)),
            Self::Cuboid(half) => Profile::Cuboid(half.map(f)),
            Self::Hull => Profile::Hull,
        }
    }
}

/// Keeps quotients of zero and zero numbers.
const TINY: f64 = 1e-30;

/// Steps towards the foot of a point on an ellipsoid.
const STEPS: usize = 3;

/// A body in the frame of a tree; places are as seen from its centre.
#[derive(Debug, Clone)]
pub(super) struct RoundCore<T> {
    pub center: [T; 3],
    /// The axes of its own frame: orthonormal but for what poses may be off.
    pub axes: [[T; 3]; 3],
    pub profile: Profile<T>,
    /// Of a hull.
    pub points: Vec<[T; 3]>,
}

impl<T: Copy> RoundCore<T> {
    /// About the point of the body nearest to `p`: a point of it, up to rounding.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn foot<N: Number<Scalar = T>>(&self, token: N::Token, p: Three<N>) -> Three<N> {
        let [u, v, w] = self.axes;
        let (u, v, w) =
            (Three::of_scalars(token, u), Three::of_scalars(token, v), Three::of_scalars(token, w));
        let local = Three { x: u.dot(p), y: v.dot(p), z: w.dot(p) };
        let q = self.profile.foot(token, local, &self.points);
        u.times(q.x).add(v.times(q.y)).add(w.times(q.z))
    }

    /// How far the body reaches from its centre along `n`, times the length of `n`.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn height<N: Number<Scalar = T>>(&self, token: N::Token, n: Three<N>) -> N {
        let [u, v, w] = self.axes;
        let local = Three {
            x: Three::of_scalars(token, u).dot(n),
            y: Three::of_scalars(token, v).dot(n),
            z: Three::of_scalars(token, w).dot(n),
        };
        self.profile.height(token, local, &self.points)
    }
}

impl<T: Copy> Profile<T> {
    /// The support function.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn height<N: Number<Scalar = T>>(&self, token: N::Token, n: Three<N>, points: &[[T; 3]]) -> N {
        match *self {
            Self::Cylinder { radius, half_length } => {
                let flat = (n.x * n.x + n.y * n.y).root();
                N::of(token, half_length) * n.z.size() + N::of(token, radius) * flat
            }
            Self::Cone { radius, half_length } => {
                let flat = (n.x * n.x + n.y * n.y).root();
                let apex = N::of(token, half_length) * n.z;
                apex.greatest(N::of(token, radius) * flat - apex)
            }
            Self::Ellipsoid(radii) => {
                let scaled = Three::of_scalars(token, radii).products(n);
                scaled.dot(scaled).root()
            }
            Self::Cuboid(half) => Three::of_scalars(token, half).dot(n.size()),
            Self::Hull => farthest(token, points, n).0,
        }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn foot<N: Number<Scalar = T>>(&self, token: N::Token, p: Three<N>, points: &[[T; 3]]) -> Three<N> {
        match *self {
            Self::Cylinder { radius, half_length } => {
                on_cylinder(token, N::of(token, radius), N::of(token, half_length), p)
            }
            Self::Cone { radius, half_length } => {
                on_cone(token, N::of(token, radius), N::of(token, half_length), p)
            }
            Self::Ellipsoid(radii) => on_ellipsoid(token, Three::of_scalars(token, radii), p),
            Self::Cuboid(half) => p.within(token, Three::of_scalars(token, half)),
            Self::Hull => on_hull(token, points, p),
        }
    }
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn on_cylinder<N: Number>(token: N::Token, radius: N, half_length: N, p: Three<N>) -> Three<N> {
    let far = (p.x * p.x + p.y * p.y).root().greatest(N::constant(token, TINY));
    let share = (radius / far).least(N::constant(token, 1.0));
    let z = p.z.greatest(N::constant(token, 0.0) - half_length).least(half_length);
    Three { x: p.x * share, y: p.y * share, z }
}

/// In the half-plane of the axis and the point: the nearer of those on the base and on the side, or the point itself.
#[cfg_attr(not(opt_level_0), inline(always))]
fn on_cone<N: Number>(token: N::Token, radius: N, half_length: N, p: Three<N>) -> Three<N> {
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

/// How far points reach along `n`, at least as far as the origin, and the one that does.
#[cfg_attr(not(opt_level_0), inline(always))]
fn farthest<N: Number>(token: N::Token, points: &[[N::Scalar; 3]], n: Three<N>) -> (N, Three<N>) {
    let none = N::constant(token, 0.0);
    let (mut most, mut best) = (none, Three { x: none, y: none, z: none });
    for point in points {
        let point = Three::of_scalars(token, *point);
        let height = n.dot(point);
        best = Three::if_less(most, height, point, best);
        most = most.greatest(height);
    }
    (most, best)
}

/// A few steps from the origin towards the point nearest to `p`, each to the farthest of the points (Frank and Wolfe
/// 1956, "An algorithm for quadratic programming").
#[cfg_attr(not(opt_level_0), inline(always))]
fn on_hull<N: Number>(token: N::Token, points: &[[N::Scalar; 3]], p: Three<N>) -> Three<N> {
    let (none, one) = (N::constant(token, 0.0), N::constant(token, 1.0));
    let mut on = Three { x: none, y: none, z: none };
    for _ in 0..STEPS {
        let left = p.sub(on);
        let way = farthest(token, points, left).1.sub(on);
        let share = left.dot(way) / way.dot(way).greatest(N::constant(token, TINY));
        on = on.add(way.times(share.greatest(none).least(one)));
    }
    on
}

/// The foot has the normal `p / (radii² + λ)` with λ ≥ 0 where `|radii·p / (radii² + λ)| = 1`: steps of Hebden's and
/// Moré's on the reciprocal of that length, which come from below (Moré and Sorensen 1983, "Computing a trust
/// region step").
#[cfg_attr(not(opt_level_0), inline(always))]
fn on_ellipsoid<N: Number>(token: N::Token, radii: Three<N>, p: Three<N>) -> Three<N> {
    let (none, one, tiny) = (N::constant(token, 0.0), N::constant(token, 1.0), N::constant(token, TINY));
    let squares = radii.products(radii);
    let scaled = radii.products(p);
    let most = squares.x.greatest(squares.y).greatest(squares.z);
    let mut lambda = (scaled.dot(scaled).root() - most).greatest(none);
    for _ in 0..STEPS {
        let inverse = inverse(one, squares, lambda);
        let g = scaled.products(inverse);
        let square = g.dot(g);
        let slope = g.products(inverse).dot(g).greatest(tiny);
        lambda = (lambda + (square.root() - one) * square / slope).greatest(none);
    }
    let n = p.products(inverse(one, squares, lambda));
    let reach = radii.products(n);
    let on = squares.products(n).times(one / reach.dot(reach).root().greatest(tiny));
    let inner = Three { x: p.x / radii.x, y: p.y / radii.y, z: p.z / radii.z };
    Three::if_less(one, inner.dot(inner), on, p)
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn inverse<N: Number>(one: N, squares: Three<N>, lambda: N) -> Three<N> {
    Three { x: one / (squares.x + lambda), y: one / (squares.y + lambda), z: one / (squares.z + lambda) }
}
