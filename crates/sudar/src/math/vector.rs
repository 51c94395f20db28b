//! Lengths and directions of vectors of any size, also where squares overflow or vanish; products of two.

use glam::{DMat3, DVec3};

/// Between these a sum of squares neither overflows nor loses digits that count.
const PLAIN: std::ops::Range<f64> = 1e-200..1e200;

/// `|v|`, rounded.
#[inline]
pub(crate) fn length(v: DVec3) -> f64 {
    let squared = v.length_squared();
    if PLAIN.contains(&squared) || v == DVec3::ZERO { squared.sqrt() } else { length_of_any_size(v) }
}

/// `v` made of length 1; `None` for zero.
#[inline]
pub(crate) fn unit(v: DVec3) -> Option<DVec3> {
    let squared = v.length_squared();
    if PLAIN.contains(&squared) { Some(v * squared.sqrt().recip()) } else { unit_of_any_size(v) }
}

#[cold]
fn length_of_any_size(v: DVec3) -> f64 {
    let size = v.abs().max_element();
    if size > 0.0 { size * (v / size).length() } else { 0.0 }
}

#[cold]
fn unit_of_any_size(v: DVec3) -> Option<DVec3> {
    let size = v.abs().max_element();
    (size > 0.0).then(|| (v / size).normalize())
}

/// The vector brought to a largest coordinate of about one, so that products of three neither under- nor overflow.
#[inline]
pub(crate) fn sized(v: DVec3) -> DVec3 {
    let size = v.abs().max_element();
    let scaled = v / size;
    if scaled.is_finite() { scaled } else { DVec3::ZERO }
}

/// The matrix `p qᵀ`.
#[inline]
pub(crate) fn outer(p: DVec3, q: DVec3) -> DMat3 {
    DMat3::from_cols(p * q.x, p * q.y, p * q.z)
}
