//! Whether a body is outside of a solid, of whose surface it is known to be apart.
//!
//! A line from a point to infinity crosses the surface an even number of times if the point is outside. Lines that pass
//! an edge too near to tell are not counted; another is tried.

use sudar::{DMat3, DVec3};

use super::figure::{Figure, Form};
use super::model::{CertificateBody, CertificateShape};

/// A body where it stands.
#[derive(Clone, Copy)]
pub(super) struct Standing<'b> {
    pub body: &'b CertificateBody,
    pub figure: &'b Figure,
    pub frame: (DMat3, DVec3),
}

impl Standing<'_> {
    fn is_solid(&self) -> bool {
        matches!(self.body.shape, CertificateShape::Hulls { is_solid: true, .. })
    }

    fn place(&self, p: DVec3) -> DVec3 {
        self.frame.0 * p + self.frame.1
    }

    /// The corners of its pieces, one piece after another.
    fn pieces(&self) -> Vec<Vec<DVec3>> {
        let Form::Hulls { corners, first } = &self.figure.form else { return Vec::new() };
        let piece = |ends: &[u32]| {
            corners[ends[0] as usize..ends[1] as usize].iter().map(|p| self.place(*p)).collect()
        };
        first.windows(2).map(piece).collect()
    }

    /// A point of each of its connected parts.
    fn representatives(&self) -> Vec<DVec3> {
        match (&self.figure.form, &self.body.shape) {
            (Form::Hulls { corners, first }, CertificateShape::Hulls { points, pieces, .. }) => {
                let mut sets: Vec<u32> = (0..points.len() as u32).collect();
                for piece in pieces {
                    let ends: Vec<u32> = piece.iter().map(|&i| root(&mut sets, i)).collect();
                    ends.iter().for_each(|&end| sets[end as usize] = ends[0]);
                }
                let mut seen = std::collections::HashSet::new();
                let mut is_new = |piece: &[u32]| seen.insert(root(&mut sets, piece[0]));
                let firsts = pieces.iter().zip(first).filter(|(piece, _)| is_new(piece));
                firsts.map(|(_, &at)| self.place(corners[at as usize])).collect()
            }
            (Form::Discs { discs, .. }, _) => {
                discs.first().map(|(p, _)| self.place(*p)).into_iter().collect()
            }
            (Form::Ellipsoid { center, .. }, _) => vec![self.place(*center)],
            // Without end, so it is in no solid that it is apart from.
            (Form::Halfspace { .. } | Form::Hulls { .. }, _) => Vec::new(),
        }
    }
}

/// The set that a point is in.
fn root(sets: &mut [u32], mut i: u32) -> u32 {
    while sets[i as usize] != i {
        let next = sets[sets[i as usize] as usize];
        sets[i as usize] = next;
        i = next;
    }
    i
}

/// Whether neither of two bodies with surfaces apart is inside the other.
pub(super) fn are_outside(one: Standing<'_>, other: Standing<'_>) -> bool {
    is_outside(one, other) && is_outside(other, one)
}

/// Whether the first is not inside the second.
fn is_outside(one: Standing<'_>, solid: Standing<'_>) -> bool {
    if !solid.is_solid() {
        return true;
    }
    let triangles = solid.pieces();
    one.representatives().into_iter().all(|p| parity(p, &triangles) == Some(false))
}

/// Whether a line from a point crosses triangles an odd number of times; `None` if no line could tell.
fn parity(from: DVec3, triangles: &[Vec<DVec3>]) -> Option<bool> {
    let lines = [
        [0.61, 0.53, 0.59],
        [-0.41, 0.87, 0.27],
        [0.23, -0.31, 0.92],
        [-0.71, -0.47, -0.52],
        [0.13, 0.97, -0.2],
    ];
    lines.iter().find_map(|line| {
        let line = DVec3::from(*line);
        triangles.iter().try_fold(false, |odd, corners| Some(odd ^ crosses(from, line, corners)?))
    })
}

/// Whether a line crosses a triangle; `None` if it passes an edge or the point is too near to its plane to tell.
fn crosses(from: DVec3, line: DVec3, corners: &[DVec3]) -> Option<bool> {
    let [a, b, c] = corners else { return None };
    let [a, b, c] = [*a - from, *b - from, *c - from];
    let size = a.length().max(b.length()).max(c.length());
    let sides = [a.cross(b).dot(line), b.cross(c).dot(line), c.cross(a).dot(line)];
    let open = 1e-13 * size * size;
    let (above, below) = (sides.iter().all(|x| *x > open), sides.iter().all(|x| *x < -open));
    if !above && !below {
        // Beside it, for certain, if one side is clearly seen from the other hand than another.
        let is_beside = sides.iter().any(|x| *x > open) && sides.iter().any(|x| *x < -open);
        return is_beside.then_some(false);
    }
    // Where the line meets the plane: a · n / (line · n), n = (b − a) × (c − a).
    let normal = (b - a).cross(c - a);
    let (height, slope) = (a.dot(normal), line.dot(normal));
    let open = 1e-13 * size * size * size;
    if height.abs() <= open {
        return None;
    }
    Some((height > 0.0) == (slope > 0.0))
}

#[cfg(test)]
mod tests {
    use sudar_testing::meshes::torus;

    use super::*;

    #[test]
    fn points_in_a_torus_are_told_from_those_in_its_hole() {
        let mesh = torus(24, 16, 0.1);
        let triangles: Vec<Vec<DVec3>> =
            (0..mesh.triangles().len() as u32).map(|i| mesh.triangle(i).corners().to_vec()).collect();
        // The torus has the radius 1 about z, and a tube of radius 0.1, of which the polygons hold the middle circle.
        for k in 0..50 {
            let (s, c) = libm::sincos(f64::from(k) * 0.41);
            let at = |r: f64| parity(DVec3::new(r * c, r * s, 0.003), &triangles);
            assert_eq!([at(0.98), at(0.2), at(1.4)], [Some(true), Some(false), Some(false)], "{k}");
        }
    }
}
