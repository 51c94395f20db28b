//! Plane polygons in space.

use glam::DVec3;
use thiserror::Error;

use super::{MAX_COORDINATE, Plane};

/// Where signed areas cancel to less than this part of their sizes, their sum says little about the plane.
const CANCELLED: f64 = 1e-6;

/// Sine of an angle below which points count as on one line: the plane through them would be mere rounding.
const ON_A_LINE: f64 = 8.0 * f64::EPSILON;

/// Why a polygon was refused.
///
/// ```
/// use sudar::DVec3;
/// use sudar::shape::{Polygon, PolygonError};
///
/// assert_eq!(Polygon::new(vec![DVec3::ZERO, DVec3::X, DVec3::X * 2.0]), Err(PolygonError::OnALine));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolygonError {
    /// Fewer than three vertices.
    #[error("a polygon needs at least three vertices, found {count}")]
    TooFew {
        /// How many there are.
        count: usize,
    },
    /// A vertex has a coordinate that is NaN or infinite.
    #[error("vertex {vertex} of a polygon has a coordinate that is NaN or infinite")]
    NotFinite {
        /// The vertex' number from 0.
        vertex: usize,
    },
    /// A vertex lies too far out.
    #[error("vertex {vertex} of a polygon has a coordinate beyond 1e90; scale the scene down")]
    TooLarge {
        /// The vertex' number from 0.
        vertex: usize,
    },
    /// All vertices are on one line, so that they have no plane.
    #[error("the vertices of a polygon are all on one line, within rounding; use a segment")]
    OnALine,
}

/// A closed loop of points in a plane, perhaps concave, perhaps crossing itself.
///
/// Its plane goes through the mean of the vertices. The normal is by Newell's method (Sutherland, Sproull and
/// Schumacker 1974, "A characterization of ten hidden-surface algorithms"): the sum of the signed areas along each
/// axis, so that it points to where the loop runs counter-clockwise. Where these cancel, as those of a figure eight
/// do, it is that of the vertex farthest from the first and the one farthest from the line through both.
///
/// Vertices that are not exactly in the plane are taken as the points of the plane that they are seen at along the
/// axis of the normal's largest coordinate, [`Polygon::axis`].
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    vertices: Vec<DVec3>,
    middle: DVec3,
    normal: DVec3,
}

impl Polygon {
    /// The polygon with these vertices in order; the last is joined to the first.
    ///
    /// # Errors
    /// [`PolygonError::TooFew`], [`PolygonError::NotFinite`], [`PolygonError::TooLarge`] beyond 1e90,
    /// [`PolygonError::OnALine`].
    pub fn new(vertices: Vec<DVec3>) -> Result<Self, PolygonError> {
        let &[first, _, _, ..] = vertices.as_slice() else {
            return Err(PolygonError::TooFew { count: vertices.len() });
        };
        if let Some(vertex) = vertices.iter().position(|p| !p.is_finite()) {
            return Err(PolygonError::NotFinite { vertex });
        }
        if let Some(vertex) = vertices.iter().position(|p| p.abs().max_element() > MAX_COORDINATE) {
            return Err(PolygonError::TooLarge { vertex });
        }
        // Seen from the first vertex and in units of the extent, products stay in range and round least.
        let extent = vertices.iter().fold(0.0, |m: f64, p| m.max((*p - first).abs().max_element()));
        if extent == 0.0 {
            return Err(PolygonError::OnALine);
        }
        let local: Vec<DVec3> = vertices.iter().map(|p| (*p - first) / extent).collect();
        let normal = newell(&local).or_else(|| widest(&local)).ok_or(PolygonError::OnALine)?;
        let middle = first + local.iter().sum::<DVec3>() / local.len() as f64 * extent;
        Ok(Self { vertices, middle, normal })
    }

    /// The vertices, in order.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The unit normal.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// A point of the plane: the mean of the vertices, rounded.
    pub fn middle(&self) -> DVec3 {
        self.middle
    }

    /// The plane, with a unit normal.
    pub fn plane(&self) -> Plane {
        Plane { normal: self.normal, offset: self.normal.dot(self.middle) }
    }

    /// The axis along which the polygon has the largest shadow, 0 for x, 1 for y, 2 for z.
    pub fn axis(&self) -> usize {
        self.normal.abs().max_position()
    }

    /// The edges, each from its first vertex to its second, the last back to the first vertex.
    pub fn edges(&self) -> impl Iterator<Item = (DVec3, DVec3)> + '_ {
        let next = self.vertices.iter().cycle().skip(1);
        self.vertices.iter().copied().zip(next.copied())
    }
}

/// The unit normal by the sum of the areas; `None` if they cancel.
fn newell(local: &[DVec3]) -> Option<DVec3> {
    let areas = || local.windows(2).map(|pair| pair[0].cross(pair[1]));
    let (sum, sizes) = (areas().sum::<DVec3>(), areas().map(DVec3::length).sum::<f64>());
    let length = sum.length();
    // Each area is off by ε at most.
    let sure = length > CANCELLED * sizes && length > ON_A_LINE * local.len() as f64;
    sure.then(|| sum / length)
}

/// The unit normal of the triangle of the first vertex, the one farthest from it, and the one farthest from the line
/// through both; `None` if that is on the line too.
fn widest(local: &[DVec3]) -> Option<DVec3> {
    let farthest = |best: DVec3, v: DVec3| if v.length_squared() > best.length_squared() { v } else { best };
    let far = local.iter().copied().fold(DVec3::ZERO, farthest);
    let normal = local.iter().map(|p| far.cross(*p)).fold(DVec3::ZERO, farthest);
    let length = normal.length();
    (length > ON_A_LINE * far.length_squared()).then(|| normal / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(points: &[[f64; 3]]) -> Result<Polygon, PolygonError> {
        Polygon::new(points.iter().map(|&p| DVec3::from(p)).collect())
    }

    #[test]
    fn the_normal_is_where_the_loop_runs_counter_clockwise() {
        for k in [1e-80, 1.0, 1e80] {
            // An L in the plane x = 4.
            let ell = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
            let found = polygon(&ell.map(|[y, z]| [4.0 * k, y * k, z * k])).unwrap();
            assert_eq!((found.normal(), found.axis()), (DVec3::X, 0));
            assert!((found.plane().offset - 4.0 * k).abs() < 1e-15 * k);
            assert_eq!(found.edges().last().unwrap().1, found.vertices()[0]);
        }
    }

    #[test]
    fn a_figure_eight_has_a_plane_too() {
        // Both halves have area 1, run round in opposite ways.
        let eight = polygon(&[[0.0, 0.0, 5.0], [2.0, 2.0, 5.0], [2.0, 0.0, 5.0], [0.0, 2.0, 5.0]]).unwrap();
        assert_eq!(eight.normal().abs(), DVec3::Z);
        let spike = polygon(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0; 3], [0.0, 1.0, 0.0]]).unwrap();
        assert_eq!(spike.normal().abs(), DVec3::Z);
    }

    #[test]
    fn what_is_no_polygon_is_refused() {
        assert_eq!(polygon(&[[0.0; 3], [1.0; 3]]), Err(PolygonError::TooFew { count: 2 }));
        assert_eq!(polygon(&[[0.0; 3], [0.1; 3], [0.3; 3], [0.7; 3]]), Err(PolygonError::OnALine));
        assert_eq!(polygon(&[[0.5; 3]; 3]), Err(PolygonError::OnALine));
        assert_eq!(polygon(&[[0.0; 3], [1.0; 3], [f64::NAN; 3]]), Err(PolygonError::NotFinite { vertex: 2 }));
        assert_eq!(polygon(&[[0.0; 3], [1e91; 3], [1.0; 3]]), Err(PolygonError::TooLarge { vertex: 1 }));
    }
}
