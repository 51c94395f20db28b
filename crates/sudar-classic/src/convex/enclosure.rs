//! Whether points surrounded by rounding surround the origin.

use sudar::glam::DVec3;

/// Of more points than this only the latest are tried.
const MOST: usize = 14;

/// Four directions to the corners of a regular tetrahedron, turned so that they lie in no plane of symmetry of
/// bodies along the axes.
const CORNERS: [DVec3; 4] = [
    DVec3::new(0.922, -0.126, -0.365),
    DVec3::new(-0.670, -0.166, -0.723),
    DVec3::new(-0.100, 0.936, 0.338),
    DVec3::new(-0.153, -0.644, 0.750),
];

/// Whether the origin lies in the hull of the points for certain, even if each of them is off by `slack`.
///
/// First with the newest point as one corner of a tetrahedron; then, because of bodies whose points are opposite in
/// pairs so that the origin lies on an edge of every tetrahedron, with points made on the faces of the hull in four
/// fixed directions. `false` says nothing. At most 4·C(14, 3) small systems of equations.
pub(super) fn surely_encloses(points: &[DVec3], slack: f64) -> bool {
    let size = points.iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
    if points.len() < 4 || size == 0.0 {
        return false;
    }
    let latest: Vec<DVec3> = points[points.len().saturating_sub(MOST)..].iter().map(|p| *p / size).collect();
    // A scaled point and a combination of three are off by a few more roundings of numbers up to 1.
    let slack = slack / size + 8.0 * f64::EPSILON;
    newest_tetrahedron(&latest, slack) || tetrahedron_along(&latest, slack)
}

/// Whether the last point and some three before it hold the origin.
fn newest_tetrahedron(points: &[DVec3], slack: f64) -> bool {
    let (last, before) = (points[points.len() - 1], &points[..points.len() - 1]);
    triples(before).any(|[a, b, c]| holds_origin([a, b, c, last], slack))
}

/// Whether the points of the hull in four fixed directions hold the origin.
fn tetrahedron_along(points: &[DVec3], slack: f64) -> bool {
    let mut corners = [DVec3::ZERO; 4];
    for (corner, direction) in corners.iter_mut().zip(CORNERS) {
        let farthest = triples(points)
            .filter_map(|triple| pierced(triple, direction))
            .max_by(|p, q| p.dot(direction).total_cmp(&q.dot(direction)));
        match farthest {
            Some(point) => *corner = point,
            None => return false,
        }
    }
    holds_origin(corners, slack)
}

fn triples(points: &[DVec3]) -> impl Iterator<Item = [DVec3; 3]> + '_ {
    let n = points.len();
    (0..n).flat_map(move |i| {
        (i + 1..n).flat_map(move |j| (j + 1..n).map(move |k| [points[i], points[j], points[k]]))
    })
}

/// The point of the triangle where a ray from the origin goes through it, if it does. A combination of the corners
/// with weights that are not negative, however much those are off.
fn pierced([a, b, c]: [DVec3; 3], direction: DVec3) -> Option<DVec3> {
    let weights = [b.cross(c), c.cross(a), a.cross(b)].map(|normal| normal.dot(direction));
    let [x, y, z] = if weights.iter().all(|w| *w <= 0.0) { weights.map(|w| -w) } else { weights };
    let sum = (x + y) + z;
    if x < 0.0 || y < 0.0 || z < 0.0 || sum == 0.0 {
        return None;
    }
    let point = ((a * x + b * y) + c * z) / sum;
    (point.dot(direction) > 0.0).then_some(point)
}

/// Whether a ball of radius `slack` around the origin lies inside the tetrahedron, for certain: then the tetrahedron
/// still holds the origin if its corners move by as much, because its width in every direction shrinks by no more.
/// Coordinates of at most about 1.
fn holds_origin([a, b, c, d]: [DVec3; 4], slack: f64) -> bool {
    let sides = [[a, b, c], [a, d, b], [a, c, d], [b, d, c]].map(|face| side(face, slack));
    sides[0] != 0 && sides.iter().all(|s| *s == sides[0])
}

/// On which side of the plane of the triangle the origin lies if its distance from it surely exceeds `slack`, else 0.
fn side([a, b, c]: [DVec3; 3], slack: f64) -> i8 {
    let (u, v) = (b - a, c - a);
    let normal = u.cross(v);
    let height = normal.dot(a);
    // Products of two lengths below 4, each rounded, with sums, times a third below 2: 64ε covers them.
    let doubt = 64.0 * f64::EPSILON + slack * (normal.length() + 64.0 * f64::EPSILON);
    if height > doubt {
        1
    } else if height < -doubt {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OCTAHEDRON: [DVec3; 6] = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];

    #[test]
    fn a_tetrahedron_encloses_up_to_its_inner_radius() {
        let corners = [
            DVec3::ONE,
            DVec3::new(1.0, -1.0, -1.0),
            DVec3::new(-1.0, 1.0, -1.0),
            DVec3::new(-1.0, -1.0, 1.0),
        ];
        // Inner radius 1/√3 = 0.577, at every scale.
        for scale in [1.0, 1e-80, 1e90] {
            assert!(surely_encloses(&corners.map(|p| p * scale), 0.577 * scale));
            assert!(!surely_encloses(&corners.map(|p| p * scale), 0.578 * scale));
        }
        assert!(!surely_encloses(&corners.map(|p| p + DVec3::splat(1.01)), 0.0));
    }

    #[test]
    fn opposite_points_enclose_only_together() {
        assert!(surely_encloses(&OCTAHEDRON, 1e-3));
        assert!(!surely_encloses(&OCTAHEDRON[..5], 0.0));
        assert!(!surely_encloses(&OCTAHEDRON[1..], 0.0));
    }

    #[test]
    fn the_corners_are_about_those_of_a_regular_tetrahedron() {
        for (i, p) in CORNERS.iter().enumerate() {
            for q in &CORNERS[..i] {
                assert!((p.normalize().dot(q.normalize()) + 1.0 / 3.0).abs() < 0.01, "{p} {q}");
            }
        }
    }
}
