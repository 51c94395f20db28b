//! A convex body of simple form as a tree sees it: how far it reaches in a direction, and which of its points is
//! about nearest to another.
//!
//! Any direction n of length one bounds the distance of two convex sets from below: by `n·(b − a) − h_a(n) − h_b(−n)`
//! with the support functions h about points a and b of theirs (Gilbert, Johnson and Keerthi 1988, "A fast procedure
//! for computing the distance between complex objects"). What is computed here to find a good direction need
//! therefore not be accurate; only the support functions have to be.

use glam::DVec3;

use super::{TINY, cone, cylinder, ellipsoid};
use crate::math::simd::{Number, Three};
use crate::shape::Round;

/// A convex body around the origin of its own frame, or the core of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Profile<T = f64> {
    pub form: Form,
    /// Half the smallest box around it; zero for a hull.
    pub lengths: [T; 3],
}

/// What a profile is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A round cylinder along z: a segment if the radius is zero.
    Cylinder,
    /// A round cone along z with its apex above.
    Cone,
    Ellipsoid,
    /// The hull of points that are listed beside it; the origin is one of its points.
    Hull,
}

impl From<&Round> for Profile {
    fn from(round: &Round) -> Self {
        let form = match round {
            Round::Cylinder(_) => Form::Cylinder,
            Round::Cone(_) => Form::Cone,
            Round::Ellipsoid(_) => Form::Ellipsoid,
        };
        Self { form, lengths: round.kind().half_extent().to_array() }
    }
}

impl Profile {
    /// Of a segment along z, or a point.
    pub fn segment(half_length: f64) -> Self {
        Self { form: Form::Cylinder, lengths: [0.0, 0.0, half_length] }
    }

    /// Of the hull of points.
    pub const HULL: Self = Self { form: Form::Hull, lengths: [0.0; 3] };

    /// The greatest distance of a point from the centre, rounded up; of a hull that of the farthest of its points.
    pub fn radius(&self, points: &[DVec3]) -> f64 {
        let length = |v: [f64; 3]| v.iter().fold(0.0, |sum: f64, x| sum + x * x).sqrt();
        let [x, y, z] = self.lengths;
        let radius = match self.form {
            Form::Cylinder | Form::Cone => length([x, z, 0.0]),
            Form::Ellipsoid => x.max(y).max(z),
            Form::Hull => points.iter().fold(0.0, |far: f64, p| far.max(length(p.to_array()))),
        };
        radius * (1.0 + 4.0 * f64::EPSILON)
    }

    /// With every length put through a function.
    pub fn map<T>(&self, f: impl Fn(f64) -> T) -> Profile<T> {
        Profile { form: self.form, lengths: self.lengths.map(f) }
    }
}

/// Steps towards the foot of a point on a hull.
const STEPS: usize = 3;

impl<T: Copy> Profile<T> {
    /// The support function.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn height<N: Number<Scalar = T>>(&self, token: N::Token, n: Three<N>, points: &[[T; 3]]) -> N {
        let lengths = Three::<N>::of_scalars(token, self.lengths);
        match self.form {
            Form::Cylinder => lengths.z * n.z.size() + lengths.x * (n.x * n.x + n.y * n.y).root(),
            Form::Cone => {
                let apex = lengths.z * n.z;
                apex.greatest(lengths.x * (n.x * n.x + n.y * n.y).root() - apex)
            }
            Form::Ellipsoid => {
                let scaled = lengths.products(n);
                scaled.dot(scaled).root()
            }
            Form::Hull => farthest(token, points, n).0,
        }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn foot<N: Number<Scalar = T>>(&self, token: N::Token, p: Three<N>, points: &[[T; 3]]) -> Three<N> {
        let lengths = Three::<N>::of_scalars(token, self.lengths);
        match self.form {
            Form::Cylinder => cylinder::foot(token, lengths.x, lengths.z, p),
            Form::Cone => cone::foot(token, lengths.x, lengths.z, p),
            Form::Ellipsoid => ellipsoid::foot(token, lengths, p),
            Form::Hull => on_hull(token, points, p),
        }
    }
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
