//! How the surfaces of two bodies make one coefficient.

/// How the coefficients of two surfaces make that of a pair. Where two bodies have different rules, the later one in
/// this list counts.
///
/// ```
/// use sudar::dynamics::{Combine, RigidBody};
/// use sudar::{Cuboid, DVec3};
///
/// // Ice under everything, however rough that is.
/// let pond = RigidBody {
///     friction: 0.02,
///     friction_rule: Some(Combine::Min),
///     ..RigidBody::fixed("pond", Cuboid::new(DVec3::new(9.0, 9.0, 1.0))?)
/// };
/// # let _ = pond;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Combine {
    /// The root of the product, which is usual for friction.
    GeometricMean,
    /// Half of the sum.
    Average,
    /// The smaller one.
    Min,
    /// The product.
    Multiply,
    /// The larger one, which is usual for restitution.
    Max,
}

impl Combine {
    /// All, with the names that scene files have for them.
    pub const ALL: [(&'static str, Self); 5] = [
        ("geometric_mean", Self::GeometricMean),
        ("average", Self::Average),
        ("min", Self::Min),
        ("multiply", Self::Multiply),
        ("max", Self::Max),
    ];

    /// The coefficient of a pair.
    pub(super) fn of(self, [a, b]: [f64; 2]) -> f64 {
        match self {
            // The square of a large or small number may be none.
            Self::GeometricMean if a == b => a,
            Self::GeometricMean => (a * b).sqrt(),
            Self::Average => 0.5 * (a + b),
            Self::Min => a.min(b),
            Self::Multiply => a * b,
            Self::Max => a.max(b),
        }
    }
}
