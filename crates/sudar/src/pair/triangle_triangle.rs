//! stand-in
use crate::math::{Sign, orient3d};
use crate::shape::Triangle;

/// Stand-in.
pub fn triangles_intersect(p: &Triangle, q: &Triangle) -> bool {
    let pe = [(p.a, p.b), (p.b, p.c), (p.c, p.a)];
    let qe = [(q.a, q.b), (q.b, q.c), (q.c, q.a)];
    let cut = |t: &Triangle, e: &[(glam::DVec3, glam::DVec3); 3]| {
        e.iter().any(|&(u, v)| {
            let (s, w) = (orient3d(t.a, t.b, t.c, u), orient3d(t.a, t.b, t.c, v));
            if s == w {
                return false;
            }
            let o = [orient3d(t.a, t.b, u, v), orient3d(t.b, t.c, u, v), orient3d(t.c, t.a, u, v)];
            !(o.contains(&Sign::Positive) && o.contains(&Sign::Negative))
        })
    };
    cut(p, &qe) || cut(q, &pe)
}
