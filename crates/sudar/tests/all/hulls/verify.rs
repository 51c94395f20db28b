//! Whether something is a hull, by exact predicates.

use sudar::math::orient3d;
use sudar::{DVec3, Hull, Sign};

/// Everything that the documentation promises of the hull of these points.
pub fn verify(points: &[DVec3], hull: &Hull) {
    structure(points, hull);
    if hull.dimension() == 3 {
        convexity(hull);
        for i in 0..hull.faces().len() {
            let [a, b, c] = triangle(hull, i);
            assert!(points.iter().all(|&p| orient3d(a, b, c, p) != Sign::Positive), "{hull:?}");
        }
    }
    assert!(points.iter().all(|&p| hull.contains(p)), "{hull:?}");
}

/// Vertices, loops and half-edges are as documented.
pub fn structure(points: &[DVec3], hull: &Hull) {
    assert!(hull.sources().is_sorted_by(|i, j| i < j));
    let mut found = std::collections::HashSet::new();
    let bits = |p: DVec3| (p + DVec3::ZERO).to_array().map(f64::to_bits);
    let first: std::collections::HashSet<u32> =
        (0..points.len() as u32).filter(|&i| found.insert(bits(points[i as usize]))).collect();
    for (&v, &i) in hull.vertices().iter().zip(hull.sources()) {
        assert!(v == points[i as usize] && first.contains(&i), "vertex from point {i}");
    }
    let (edges, faces) = (hull.half_edges(), hull.faces());
    let euler = hull.vertices().len() as i64 - edges.len() as i64 / 2 + faces.len() as i64;
    assert_eq!(euler, [1, 2, 2, 2][hull.dimension()], "Euler");
    for (i, edge) in edges.iter().enumerate() {
        let (twin, next) = (edges[edge.twin as usize], edges[edge.next as usize]);
        assert_eq!((twin.twin as usize, twin.origin, next.face), (i, next.origin, edge.face));
        assert_ne!(twin.face, edge.face);
    }
    let loops: Vec<Vec<u32>> = (0..faces.len()).map(|i| hull.face(i).collect()).collect();
    assert!(loops.is_sorted_by(|p, q| p < q));
    assert!(loops.iter().all(|l| l.len() >= 3 && l.iter().min() == l.first()));
}

/// Every face is flat, and at every edge the surface is bent towards the inside, strictly. A closed surface that is
/// locally convex everywhere and goes around once, which Euler's formula tells, is convex.
pub fn convexity(hull: &Hull) {
    let at = |v: u32| hull.vertices()[v as usize];
    for i in 0..hull.faces().len() {
        let [a, b, c] = triangle(hull, i);
        assert!(hull.face(i).all(|v| orient3d(a, b, c, at(v)) == Sign::Zero));
    }
    let edges = hull.half_edges();
    for edge in edges {
        let [a, b, c] = triangle(hull, edge.face as usize);
        let beyond = edges[edges[edges[edge.twin as usize].next as usize].next as usize].origin;
        assert_eq!(orient3d(a, b, c, at(beyond)), Sign::Negative);
    }
}

/// As the last part of [`verify`] for hulls with many faces: the vertices may not be farther out than a face in any of
/// many directions, and each point is tested against the faces around the vertex that is farthest in its direction
/// from the middle, and on from there to the face that it is farthest out on.
pub fn containment_by_climbing(points: &[DVec3], hull: &Hull) {
    let edges = hull.half_edges();
    let middle = hull.vertices().iter().sum::<DVec3>() / hull.vertices().len() as f64;
    let mut face = 0;
    for &p in points {
        // Across the edge whose plane with the middle has the point on its other side, until there is none.
        for _ in 0..hull.faces().len() {
            let start = hull.faces()[face] as usize;
            let count = hull.face(face).count();
            let passed = (start..start + count).find(|&e| {
                let (u, v) = (edges[e].origin, edges[edges[e].next as usize].origin);
                let at = |v: u32| hull.vertices()[v as usize];
                orient3d(middle, at(u), at(v), p) == Sign::Negative
            });
            match passed {
                Some(e) => face = edges[edges[e].twin as usize].face as usize,
                None => break,
            }
        }
        let [a, b, c] = triangle(hull, face);
        assert_ne!(orient3d(a, b, c, p), Sign::Positive, "{p}");
    }
}

fn triangle(hull: &Hull, i: usize) -> [DVec3; 3] {
    let corners: Vec<DVec3> = hull.face(i).take(3).map(|v| hull.vertices()[v as usize]).collect();
    corners.try_into().unwrap()
}
