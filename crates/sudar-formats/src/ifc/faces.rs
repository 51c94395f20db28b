//! Surfaces from faces, which are polygons with holes.

use std::collections::HashMap;

use sudar::DVec3;

use super::boolean::Surface;
use crate::holes::{self, Looks};
use crate::polygon::Splitter;

/// A surface in the making. Corners in the same place are one.
#[derive(Debug, Default)]
pub(super) struct Faces {
    surface: Surface,
    numbers: HashMap<[u64; 3], u32>,
    splitter: Splitter,
    /// Faces that could not be cut to triangles rightly.
    pub unclean: usize,
}

impl Faces {
    pub fn corner(&mut self, p: DVec3) -> u32 {
        let vertices = &mut self.surface.vertices;
        // Minus zero is zero.
        *self.numbers.entry(p.to_array().map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
            vertices.push(p);
            vertices.len() as u32 - 1
        })
    }

    /// Adds a face. Corners that follow themselves are one; what has fewer than three encloses nothing.
    pub fn add(&mut self, outer: &[DVec3], holes: &[Vec<DVec3>]) {
        let mut ring = self.ring(outer);
        let mut holes: Vec<Vec<u32>> = holes.iter().map(|hole| self.ring(hole)).collect();
        holes.retain(|hole| hole.len() >= 3);
        if ring.len() < 3 {
            return;
        }
        if !holes.is_empty() && !holes::join(&mut ring, holes, &self.surface.vertices, &mut Looks::default())
        {
            self.unclean += 1;
        }
        if !self.splitter.split(&ring, &self.surface.vertices, &mut self.surface.triangles) {
            self.unclean += 1;
        }
    }

    pub fn triangle(&mut self, [a, b, c]: [DVec3; 3]) {
        let [a, b, c] = [a, b, c].map(|p| self.corner(p));
        if a != b && b != c && c != a {
            self.surface.triangles.push([a, b, c]);
        }
    }

    /// Two triangles, cut so that both sides of a row of such strips fit.
    pub fn strip(&mut self, [a, b, c, d]: [DVec3; 4]) {
        self.triangle([a, b, c]);
        self.triangle([a, c, d]);
    }

    pub fn finish(self) -> Surface {
        self.surface
    }

    fn ring(&mut self, points: &[DVec3]) -> Vec<u32> {
        let mut ring: Vec<u32> = points.iter().map(|p| self.corner(*p)).collect();
        holes::without_repeats(&mut ring);
        ring
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, size: f64) -> Vec<DVec3> {
        [[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]]
            .map(|[u, v]| DVec3::new(x + u, y + v, x))
            .to_vec()
    }

    fn area(surface: &Surface) -> f64 {
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| surface.vertices[i as usize]);
            (b - a).cross(c - a).z / 2.0
        };
        surface.triangles.iter().map(of).inspect(|area| assert!(*area >= 0.0)).sum()
    }

    #[test]
    fn holes_are_left_out_whatever_way_they_run() {
        for is_reversed in [false, true] {
            let mut holes = Vec::new();
            for i in 0..7 {
                for j in 0..7 {
                    let mut hole = square(0.0, 0.0, 0.5);
                    hole.iter_mut().for_each(|p| {
                        *p += DVec3::new(f64::from(i) + 0.25, f64::from(j) + 0.25, 0.0);
                        p.z = p.x;
                    });
                    if is_reversed {
                        hole.reverse();
                    }
                    holes.push(hole);
                }
            }
            let mut outer = square(0.0, 0.0, 7.0);
            outer.iter_mut().for_each(|p| p.z = p.x);
            let mut faces = Faces::default();
            faces.add(&outer, &holes);
            assert_eq!(faces.unclean, 0);
            let surface = faces.finish();
            assert!((area(&surface) - (49.0 - 49.0 * 0.25)).abs() < 1e-12);
            // Each corner once, and each edge of the outlines once.
            assert_eq!(surface.vertices.len(), 4 + 4 * 49);
        }
    }
}
