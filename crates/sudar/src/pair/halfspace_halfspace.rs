//! Half-space and half-space.

use glam::DVec2;
use num_traits::Signed;

use super::flat::SHADOWS;
use crate::math::exact::rational;
use crate::math::{Sign, orient2d};
use crate::shape::Halfspace;

/// Whether the half-spaces have a point in common: always, unless their normals are exactly opposite and their
/// planes apart. Exact.
pub fn halfspace_halfspace(first: &Halfspace, second: &Halfspace) -> bool {
    let parallel =
        SHADOWS.iter().all(|f| orient2d(DVec2::ZERO, f(first.normal), f(second.normal)) == Sign::Zero);
    let axis = first.normal.abs().max_position();
    let (m, n) = (first.normal[axis], second.normal[axis]);
    if !parallel || Sign::of(m) != -Sign::of(n) {
        return true;
    }
    // Along the axis' normal the first ends at o₁/|m|, the second begins at −o₂/|n|.
    let room = rational(first.offset) * rational(n.abs()) + rational(second.offset) * rational(m.abs());
    !room.is_negative()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn only_opposite_half_spaces_can_miss_each_other() {
        let below = |normal: [f64; 3], offset| Halfspace { normal: normal.into(), offset };
        // z ≤ 1 against z ≥ 1, z ≥ 1 + an ulp; then slightly tilted; then both looking the same way.
        let floor = below([0.0, 0.0, 1.0], 1.0);
        assert!(halfspace_halfspace(&floor, &below([0.0, 0.0, -3.0], -3.0)));
        let above = below([0.0, 0.0, -3.0], (-3.0f64).next_down());
        assert!(!halfspace_halfspace(&floor, &above) && !halfspace_halfspace(&above, &floor));
        assert!(halfspace_halfspace(&floor, &below([1e-300, 0.0, -3.0], -30.0)));
        assert!(halfspace_halfspace(&floor, &below([0.0, 0.0, 3.0], -30.0)));
        let slanted = Halfspace { normal: DVec3::new(1.0, 2.0, 3.0), offset: -1.0 };
        let opposite = Halfspace { normal: DVec3::new(-2.0, -4.0, -6.0), offset: 1.0 };
        assert!(!halfspace_halfspace(&slanted, &opposite));
        assert!(halfspace_halfspace(&slanted, &Halfspace { offset: 2.0, ..opposite }));
    }
}
