//! Rings of corners around the z axis, and the triangles between them.

use glam::{DVec2, DVec3};

/// Corners and triangles in the making, from the lowest ring up.
#[derive(Default)]
pub(super) struct Net {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// A ring of `4·quarter` corners with consecutive numbers, counter-clockwise from +x seen from +z; a single corner on
/// the axis has `quarter` 0.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    first: u32,
    quarter: u32,
}

impl Ring {
    fn corner(self, k: u32) -> u32 {
        self.first + k % (4 * self.quarter).max(1)
    }
}

impl Net {
    /// A corner on the axis.
    pub fn pole(&mut self, z: f64) -> Ring {
        let first = self.vertices.len() as u32;
        self.vertices.push(DVec3::new(0.0, 0.0, z));
        Ring { first, quarter: 0 }
    }

    /// A ring from those of its corners in the quarter between +x and +y, both included; the other three are its images
    /// in the planes x = 0 and y = 0.
    pub fn ring(&mut self, quarter: &[DVec2], z: f64) -> Ring {
        let (first, last) = (self.vertices.len() as u32, quarter.len() - 1);
        for signs in [DVec2::ONE, DVec2::NEG_ONE] {
            self.vertices.extend(quarter[..last].iter().map(|p| (*p * signs).extend(z)));
            let mirrored = signs * DVec2::new(-1.0, 1.0);
            self.vertices.extend(quarter[1..].iter().rev().map(|p| (*p * mirrored).extend(z)));
        }
        Ring { first, quarter: last as u32 }
    }

    /// The triangles between two rings that both have corners at every quarter turn: the shorter diagonal first, the
    /// one from the upper ring of equals.
    pub fn stitch(&mut self, lower: Ring, upper: Ring) {
        for turn in 0..4 {
            let (mut i, mut j) = (turn * lower.quarter, turn * upper.quarter);
            let (end, top) = (i + lower.quarter, j + upper.quarter);
            while i < end || j < top {
                let [a, b] = [lower.corner(i), upper.corner(j)];
                let [next, above] = [lower.corner(i + 1), upper.corner(j + 1)];
                if j == top || i < end && self.apart(next, b) <= self.apart(a, above) {
                    self.triangles.push([a, next, b]);
                    i += 1;
                } else {
                    self.triangles.push([a, above, b]);
                    j += 1;
                }
            }
        }
    }

    fn apart(&self, a: u32, b: u32) -> f64 {
        self.vertices[a as usize].distance_squared(self.vertices[b as usize])
    }

    /// The flat polygon of a ring in strips from side to side, seen from +z or from −z.
    pub fn cap(&mut self, ring: Ring, from_above: bool) {
        let (mut low, mut high) = (0, 4 * ring.quarter - 1);
        while high - low > 1 {
            let middle = if (low + high) % 2 == 1 { low + 1 } else { high - 1 };
            let [a, b, c] = [low, middle, high].map(|k| ring.corner(k));
            self.triangles.push(if from_above { [a, b, c] } else { [a, c, b] });
            if middle == low + 1 { low += 1 } else { high -= 1 }
        }
    }
}
