//! Boxes.

use glam::DVec3;

use super::measured::{Measured, Moments, both, slab};
use crate::pair::Chord;
use crate::shape::{Cuboid, Ray};

impl Measured for Cuboid {
    fn half_extent(&self) -> DVec3 {
        self.half
    }

    fn moments(&self) -> Moments {
        let half = self.half;
        let volume = 8.0 * half.x * half.y * half.z;
        Moments { center: DVec3::ZERO, volume, squares: half * half / 3.0, size: half }
    }

    fn chord(&self, line: &Ray) -> Option<Chord> {
        (0..3).try_fold(Chord::ALL, |chord, axis| both(Some(chord), slab(line, axis, self.half[axis])))
    }
}
