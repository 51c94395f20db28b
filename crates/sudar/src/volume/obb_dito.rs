//! Axes from a few extreme points (Larsson and Källberg 2011, "Fast computation of tight-fitting oriented
//! bounding boxes").

use glam::{DMat3, DVec3};

/// Along these the points farthest either way are looked for: the axes and the diagonals of the cube, DiTO-14.
const DIRECTIONS: [[f64; 3]; 7] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [1.0, -1.0, -1.0],
];

/// The axes of the box with the least surface around the fourteen extreme points, among those that stand on a
/// face and an edge of the double tetrahedron over the large base triangle; those of the frame where the
/// points are nearly on a line and nothing is better.
pub(super) fn dito_axes(points: &[DVec3]) -> DMat3 {
    let extreme = extreme_points(points);
    let mut best = (DMat3::IDENTITY, half_area(&extreme, &DMat3::IDENTITY));
    let mut consider = |axes: DMat3| {
        let area = half_area(&extreme, &axes);
        if area < best.1 {
            best = (axes, area);
        }
    };
    let Some([p, q, r]) = base_triangle(points, &extreme) else {
        if let Some(axes) = along_pair(&extreme) {
            consider(axes);
        }
        return best.0;
    };
    let mut faces = vec![[p, q, r]];
    for apex in apices(points, [p, q, r]) {
        faces.extend([[p, q, apex], [q, r, apex], [r, p, apex]]);
    }
    for [a, b, c] in faces {
        for (from, to, other) in [(a, b, c), (b, c, a), (c, a, b)] {
            if let Some(axes) = standing(to - from, other - from) {
                consider(axes);
            }
        }
    }
    best.0
}

/// For each direction the first point that is least and the first that is farthest along it.
fn extreme_points(points: &[DVec3]) -> [DVec3; 14] {
    let mut found = [points.first().copied().unwrap_or(DVec3::ZERO); 14];
    for (i, direction) in DIRECTIONS.iter().enumerate() {
        let along = |p: DVec3| DVec3::from_array(*direction).dot(p);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &p in points {
            let height = along(p);
            if height < low {
                (low, found[2 * i]) = (height, p);
            }
            if height > high {
                (high, found[2 * i + 1]) = (height, p);
            }
        }
    }
    found
}

/// The farthest of the seven pairs, and the point farthest from the line through it.
fn base_triangle(points: &[DVec3], extreme: &[DVec3; 14]) -> Option<[DVec3; 3]> {
    let [p, q] = farthest_pair(extreme);
    let along = (q - p).try_normalize()?;
    let away = |r: DVec3| {
        let way = (r - p) / (q - p).length();
        (way - along * along.dot(way)).length_squared()
    };
    let (mut most, mut third) = (1e-20, None);
    for &r in points {
        if away(r) > most {
            (most, third) = (away(r), Some(r));
        }
    }
    third.map(|r| [p, q, r])
}

fn farthest_pair(extreme: &[DVec3; 14]) -> [DVec3; 2] {
    let mut best = [extreme[0], extreme[1]];
    for pair in extreme.chunks_exact(2) {
        if (pair[1] - pair[0]).length() > (best[1] - best[0]).length() {
            best = [pair[0], pair[1]];
        }
    }
    best
}

/// Some axes with the first along the farthest pair.
fn along_pair(extreme: &[DVec3; 14]) -> Option<DMat3> {
    let [p, q] = farthest_pair(extreme);
    let along = (q - p).try_normalize()?;
    standing(along, along.any_orthogonal_vector())
}

/// The points farthest to either side of the triangle, where any are off its plane.
fn apices(points: &[DVec3], [p, q, r]: [DVec3; 3]) -> impl Iterator<Item = DVec3> {
    let size = (q - p).length();
    let normal = ((q - p) / size).cross((r - p) / size).normalize_or_zero();
    let (mut low, mut high) = ((-1e-10, None), (1e-10, None));
    for &s in points {
        let height = normal.dot((s - p) / size);
        if height < low.0 {
            low = (height, Some(s));
        }
        if height > high.0 {
            high = (height, Some(s));
        }
    }
    [low.1, high.1].into_iter().flatten()
}

/// Axes along an edge, in the plane of it and `beside`, and across that plane.
fn standing(edge: DVec3, beside: DVec3) -> Option<DMat3> {
    let x = edge.try_normalize()?;
    let y = (beside - x * x.dot(beside)).try_normalize()?;
    Some(DMat3::from_cols(x, y, x.cross(y)))
}

fn half_area(points: &[DVec3; 14], axes: &DMat3) -> f64 {
    let across = axes.transpose();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &p in points {
        let u = across * (p - points[0]);
        (low, high) = (low.min(u), high.max(u));
    }
    let DVec3 { x, y, z } = high - low;
    x * y + y * z + z * x
}
