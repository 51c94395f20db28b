//! Whether two triangles meet, by the textbook way: an edge of one passes through the face of the other.
//!
//! A second algorithm to check [`crate::pair::triangles_intersect`] with. It is as exact and takes another path: edges
//! against faces one by one, and exact rational clipping wherever an edge lies in the plane of a face.

use super::exact_clip::inside_triangle;
use crate::math::{Sign, orient3d};
use crate::shape::{Segment, Triangle};

/// Whether two closed triangles meet; the same answers as [`crate::pair::triangles_intersect`]. About 0.2 µs where no
/// edge lies in the plane of a face, otherwise up to milliseconds.
///
/// ```
/// use sudar::pair::edge_in_face;
/// use sudar::{DVec3, Triangle};
///
/// let floor = Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::Y }; let up = |x: f64| Triangle { a: DVec3::new(x,
/// 0.1, -1.0), b: DVec3::new(x, 0.1, 1.0), c: DVec3::new(9.0, 0.1, 1.0) }; assert!(edge_in_face(&floor, &up(0.5)) &&
/// !edge_in_face(&floor, &up(1.5)));
/// ```
pub fn edge_in_face(a: &Triangle, b: &Triangle) -> bool {
    edges(a).iter().any(|e| passes_through(e, b)) || edges(b).iter().any(|e| passes_through(e, a))
}

fn edges(t: &Triangle) -> [Segment; 3] {
    [(t.a, t.b), (t.b, t.c), (t.c, t.a)].map(|(a, b)| Segment { a, b })
}

/// Whether the closed segment meets the closed face: its ends are on different sides of the plane, and the face's
/// edges all pass its line on the same side.
fn passes_through(edge: &Segment, face: &Triangle) -> bool {
    let [from, to] = [edge.a, edge.b].map(|p| orient3d(face.a, face.b, face.c, p));
    if from == Sign::Zero && to == Sign::Zero {
        // In the plane of the face, or the face has no plane.
        return !inside_triangle(vec![edge.a.into(), edge.b.into()], face).is_empty();
    }
    if from == to {
        return false;
    }
    let turns = edges(face).map(|side| orient3d(edge.a, edge.b, side.a, side.b));
    !(turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::triangle;

    #[test]
    fn an_edge_through_a_face_is_found_from_either_side() {
        let floor = triangle([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
        let nail = triangle([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.1, 1.0, 1.0]]);
        let beside = triangle([[3.0, 3.0, -1.0], [3.0, 3.0, 1.0], [3.1, 3.0, 1.0]]);
        assert!(edge_in_face(&floor, &nail) && edge_in_face(&nail, &floor));
        assert!(!edge_in_face(&floor, &beside) && !edge_in_face(&beside, &floor));
    }

    #[test]
    fn coplanar_faces_meet_also_when_no_edges_cross() {
        let large = triangle([[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0]]);
        let small = triangle([[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [1.0, 2.0, 0.0]]);
        let away = triangle([[5.0, 5.0, 0.0], [6.0, 5.0, 0.0], [5.0, 6.0, 0.0]]);
        assert!(edge_in_face(&large, &small) && edge_in_face(&small, &large));
        assert!(!edge_in_face(&large, &away));
    }
}
