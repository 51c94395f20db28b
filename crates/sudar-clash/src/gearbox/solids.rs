//! Clean closed meshes of turned and extruded parts, built ring by ring so that they are welded by construction.

use sudar::glam::{DVec2, DVec3};
use sudar::math::{Sign, orient2d};
use sudar::{Mesh, MeshError};

/// A closed loop of vertices at one height, counter-clockwise from above.
pub struct Ring(Vec<u32>);

/// Collects vertices and triangles of one part.
#[derive(Default)]
pub struct Builder {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl Builder {
    pub fn vertex(&mut self, p: DVec3) -> u32 {
        self.vertices.push(p);
        self.vertices.len() as u32 - 1
    }

    pub fn ring(&mut self, outline: &[DVec2], z: f64) -> Ring {
        Ring(outline.iter().map(|p| self.vertex(p.extend(z))).collect())
    }

    /// The wall between two rings of as many vertices, facing away from the axis if `lower` is below `upper`, and
    /// towards it otherwise.
    pub fn wall(&mut self, lower: &Ring, upper: &Ring) {
        let n = lower.0.len().min(upper.0.len());
        for i in 0..n {
            let j = (i + 1) % n;
            self.triangles.push([lower.0[i], lower.0[j], upper.0[j]]);
            self.triangles.push([lower.0[i], upper.0[j], upper.0[i]]);
        }
    }

    /// Triangles from a ring to one point above it.
    pub fn roof(&mut self, ring: &Ring, apex: u32) {
        let n = ring.0.len();
        self.triangles.extend((0..n).map(|i| [ring.0[i], ring.0[(i + 1) % n], apex]));
    }

    /// Triangles from a ring to one point below it.
    pub fn funnel(&mut self, ring: &Ring, apex: u32) {
        let n = ring.0.len();
        self.triangles.extend((0..n).map(|i| [ring.0[(i + 1) % n], ring.0[i], apex]));
    }

    /// The flat face within `outline` and without `holes`, seen from above.
    pub fn top(&mut self, outline: &Ring, holes: &[&Ring]) {
        let face = self.face(outline, holes);
        self.triangles.extend(face);
    }

    /// The same seen from below.
    pub fn bottom(&mut self, outline: &Ring, holes: &[&Ring]) {
        let face = self.face(outline, holes);
        self.triangles.extend(face.into_iter().map(|[a, b, c]| [a, c, b]));
    }

    pub fn mesh(self) -> Result<Mesh, MeshError> {
        Mesh::new(self.vertices, self.triangles)
    }

    fn face(&self, outline: &Ring, holes: &[&Ring]) -> Vec<[u32; 3]> {
        let at = |i: u32| self.vertices[i as usize].truncate();
        let mut holes: Vec<Vec<u32>> = holes.iter().map(|h| h.0.iter().rev().copied().collect()).collect();
        let mut rim = outline.0.clone();
        while !holes.is_empty() {
            open_nearest_hole(&at, &mut rim, &mut holes);
        }
        clip_ears(&at, rim)
    }
}

/// Joins the hole nearest to the loop to it, by a cut from vertex to vertex that crosses no edge.
fn open_nearest_hole(at: &impl Fn(u32) -> DVec2, rim: &mut Vec<u32>, holes: &mut Vec<Vec<u32>>) {
    let mut cuts: Vec<(f64, usize, usize, usize)> = Vec::new();
    for (k, hole) in holes.iter().enumerate() {
        for (i, &h) in hole.iter().enumerate() {
            let to = |j: usize| at(h).distance_squared(at(rim[j]));
            let nearest = (0..rim.len()).map(|j| (to(j), k, i, j)).min_by(|x, y| x.0.total_cmp(&y.0));
            cuts.extend(nearest);
        }
    }
    cuts.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2, x.3).cmp(&(y.1, y.2, y.3))));
    let clear = |&&(_, k, i, j): &&(f64, usize, usize, usize)| {
        let (p, q) = (at(holes[k][i]), at(rim[j]));
        std::iter::once(&*rim).chain(holes.iter()).all(|l| edges(l).all(|e| !crosses(p, q, e.map(at))))
    };
    let Some(&(_, k, i, j)) = cuts.iter().find(clear).or(cuts.first()) else { return holes.clear() };
    let hole = holes.swap_remove(k);
    let around = hole[i..].iter().chain(&hole[..=i]).copied();
    let insert: Vec<u32> = around.chain([rim[j]]).collect();
    rim.splice(j + 1..j + 1, insert);
}

fn edges(l: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    (0..l.len()).map(move |i| [l[i], l[(i + 1) % l.len()]])
}

/// Whether the segments cross at a point inside both.
fn crosses(p: DVec2, q: DVec2, [r, s]: [DVec2; 2]) -> bool {
    let opposite = |x: Sign, y: Sign| x != Sign::Zero && x == -y;
    opposite(orient2d(p, q, r), orient2d(p, q, s)) && opposite(orient2d(r, s, p), orient2d(r, s, q))
}

/// Triangles that fill a counter-clockwise loop, by cutting off convex corners that hold no other vertex.
fn clip_ears(at: &impl Fn(u32) -> DVec2, mut rim: Vec<u32>) -> Vec<[u32; 3]> {
    let mut triangles = Vec::with_capacity(rim.len());
    let (mut i, mut since_last) = (0, 0);
    while rim.len() > 2 && since_last <= rim.len() {
        let n = rim.len();
        let ear = [rim[(i + n - 1) % n], rim[i % n], rim[(i + 1) % n]];
        if is_ear(at, &rim, ear) {
            triangles.push(ear);
            rim.remove(i % n);
            since_last = 0;
        } else {
            since_last += 1;
        }
        i = (i + 1) % rim.len();
    }
    triangles
}

fn is_ear(at: &impl Fn(u32) -> DVec2, rim: &[u32], ear: [u32; 3]) -> bool {
    let [a, b, c] = ear.map(at);
    if orient2d(a, b, c) != Sign::Positive {
        return false;
    }
    let (min, max) = (a.min(b).min(c), a.max(b).max(c));
    let left = |p, q, r| orient2d(p, q, r) != Sign::Negative;
    let holds = |p: DVec2| {
        p.cmpge(min).all() && p.cmple(max).all() && left(a, b, p) && left(b, c, p) && left(c, a, p)
    };
    !rim.iter().any(|&v| !ear.contains(&v) && holds(at(v)))
}

#[cfg(test)]
mod tests {
    use super::super::profile::circle;
    use super::*;

    /// Area of the triangles of a face, and of the polygon by the shoelace formula.
    fn areas(b: &Builder, outline: &Ring, holes: &[&Ring]) -> (f64, f64) {
        let at = |i: u32| b.vertices[i as usize].truncate();
        let shoelace = |r: &Ring| edges(&r.0).map(|[p, q]| at(p).perp_dot(at(q)) / 2.0).sum::<f64>();
        let face = b.face(outline, holes);
        let triangle = |t: &[u32; 3]| (at(t[1]) - at(t[0])).perp_dot(at(t[2]) - at(t[0])) / 2.0;
        let hollow: f64 = holes.iter().map(|h| shoelace(h)).sum();
        (face.iter().map(triangle).sum(), shoelace(outline) - hollow)
    }

    #[test]
    fn a_face_with_many_holes_is_filled_exactly_once() {
        let mut b = Builder::default();
        let outline = b.ring(&circle(80.0, 96), 0.0);
        let bore = b.ring(&circle(15.0, 64), 0.0);
        let hole = |k: usize| {
            let (sin, cos) = libm::sincos(k as f64);
            circle(4.5, 24).into_iter().map(|p| p + DVec2::new(cos, sin) * 70.0).collect::<Vec<_>>()
        };
        let holes: Vec<Ring> = (0..6).map(|k| b.ring(&hole(k), 0.0)).collect();
        let all: Vec<&Ring> = holes.iter().chain([&bore]).collect();
        let (filled, expected) = areas(&b, &outline, &all);
        assert!((filled - expected).abs() < 1e-9 * expected, "{filled} {expected}");
    }

    #[test]
    fn a_concave_face_is_filled_exactly_once() {
        let mut b = Builder::default();
        let star: Vec<DVec2> =
            circle(1.0, 14).into_iter().enumerate().map(|(i, p)| p * (1.0 + 2.0 * (i % 2) as f64)).collect();
        let star = b.ring(&star, 0.0);
        let (filled, expected) = areas(&b, &star, &[]);
        assert!((filled - expected).abs() < 1e-12, "{filled} {expected}");
    }
}
