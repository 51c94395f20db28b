//! Lengths and directions of vectors of any size, also where squares overflow or vanish.

use glam::DVec3;

/// `|v|`, rounded.
pub(crate) fn length(v: DVec3) -> f64 {
    let size = v.abs().max_element();
    if size > 0.0 { size * (v / size).length() } else { 0.0 }
}

/// `v` made of length 1; `None` for zero.
pub(crate) fn unit(v: DVec3) -> Option<DVec3> {
    let size = v.abs().max_element();
    (size > 0.0).then(|| (v / size).normalize())
}
