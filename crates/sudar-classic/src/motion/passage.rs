//! When a vertex meets a face, or an edge an edge, for corners that move at constant velocities of their own.

use sudar::glam::DVec3;

use super::corners::{Corners, Kind, Passage, PassageOptions};
use super::inclusion;
use super::planes::{Advance, advance};

/// When a vertex first meets a triangle: `start` and `end` are the vertex and the three corners at times 0
/// and 1, between which they move at constant velocities.
///
/// Never a contact is missed, and what is called a contact is one to within `delta`: the guarantee of Wang,
/// Ferguson, Schneider, Jiang, Attene and Panozzo 2021, "A large-scale benchmark and an inclusion-based
/// algorithm for continuous collision detection". Mostly a few planes settle it, each moving no faster than
/// the corners do (`planes.rs`); what takes many of these is searched by their inclusion functions, the
/// earliest times first. Coordinates are exact inputs; NaN or infinite ones give [`Passage::Undecided`] at 0.
/// About 0.1 µs if the vertex stays clear, 0.5 µs for a contact.
///
/// ```
/// use sudar_classic::motion::{PassageOptions, vertex_face};
/// use sudar::DVec3;
///
/// let face = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let (above, below) = (DVec3::new(0.2, 0.2, 1.0), DVec3::new(0.2, 0.2, -3.0));
/// let with = |p| [p, face[0], face[1], face[2]];
/// let found = vertex_face(&with(above), &with(below), &PassageOptions { separation: 0.0, delta: 1e-9 });
/// assert!(found.time().is_some_and(|time| time.contains(0.25) && time.width() < 1e-9));
/// ```
pub fn vertex_face(start: &[DVec3; 4], end: &[DVec3; 4], options: &PassageOptions) -> Passage {
    passage(&Corners::new(Kind::VertexFace, start, end, options))
}

/// When two edges first meet: `start` and `end` are the two ends of the one, then those of the other, at
/// times 0 and 1. As [`vertex_face`].
pub fn edge_edge(start: &[DVec3; 4], end: &[DVec3; 4], options: &PassageOptions) -> Passage {
    passage(&Corners::new(Kind::EdgeEdge, start, end, options))
}

fn passage(corners: &Corners) -> Passage {
    if corners.is_clear() {
        return Passage::Free;
    }
    match advance(corners) {
        Advance::Free => Passage::Free,
        Advance::Hit(time) => Passage::Hit(time),
        Advance::Slow(time) => inclusion::search(corners, time),
    }
}
