//! Random convex hulls, and hulls by brute force.

use std::sync::Arc;

use glam::DVec3;

use super::Random;
use crate::convex::{Convex, Core, Polytope};
use crate::shape::Hull;

/// The outward unit normal and the offset of each facet plane of the hull of points in general position, and the
/// corners, counter-clockwise: of all triples those with all points on one side. O(n⁴).
pub fn facets(points: &[DVec3]) -> Vec<(DVec3, f64, [usize; 3])> {
    let mut found = Vec::new();
    for i in 0..points.len() {
        for j in i + 1..points.len() {
            for k in j + 1..points.len() {
                let normal = (points[j] - points[i]).cross(points[k] - points[i]);
                // No facet, and no normal: three of a line.
                if normal.length()
                    < 1e-12 * (points[j] - points[i]).length() * (points[k] - points[i]).length()
                {
                    continue;
                }
                let normal = normal.normalize();
                let offset = normal.dot(points[i]);
                let slack = 1e-13 * (points[i].abs().max_element() + (points[j] - points[i]).length());
                if points.iter().all(|p| normal.dot(*p) <= offset + slack) {
                    found.push((normal, offset, [i, j, k]));
                } else if points.iter().all(|p| normal.dot(*p) >= offset - slack) {
                    found.push((-normal, -offset, [i, k, j]));
                }
            }
        }
    }
    found
}

/// The hull of points in general position.
pub fn hull(points: &[DVec3]) -> Convex {
    let facets = facets(points);
    let mut kept: Vec<usize> = facets.iter().flat_map(|f| f.2).collect();
    kept.sort_unstable();
    kept.dedup();
    let number = |i: usize| kept.binary_search(&i).unwrap() as u32;
    let loops: Vec<Vec<u32>> = facets.iter().map(|f| f.2.map(number).to_vec()).collect();
    polytope(kept.iter().map(|i| points[*i]).collect(), &loops)
}

pub fn polytope(vertices: Vec<DVec3>, loops: &[Vec<u32>]) -> Convex {
    let sources = (0..vertices.len() as u32).collect();
    let hull = Hull::from_loops(vertices, sources, loops);
    Convex::new(Core::Polytope(Arc::new(Polytope::new(Arc::new(hull)))), 0.0)
}

/// The hull of random points of a cube, or of the unit sphere.
pub fn random_hull(random: &mut Random, count: usize, on_sphere: bool) -> Convex {
    let points: Vec<DVec3> =
        (0..count).map(|_| if on_sphere { random.point().normalize() } else { random.point() }).collect();
    hull(&points)
}

/// An icosahedron whose triangles are cut in four so many times, its vertices moved to the ellipsoid.
pub fn round_hull(times: usize, radii: DVec3) -> Convex {
    let golden = 0.5 + 1.25f64.sqrt();
    let signs = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(|(s, t)| (s, t * golden));
    let corners = |(x, y)| [DVec3::new(0.0, x, y), DVec3::new(x, y, 0.0), DVec3::new(y, 0.0, x)];
    let points: Vec<DVec3> = signs.into_iter().flat_map(corners).collect();
    let mut loops: Vec<[u32; 3]> = facets(&points).iter().map(|f| f.2.map(|i| i as u32)).collect();
    let mut points: Vec<DVec3> = points.into_iter().map(DVec3::normalize).collect();
    for _ in 0..times {
        let mut middles = std::collections::HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                points.push((points[a as usize] + points[b as usize]).normalize());
                points.len() as u32 - 1
            })
        };
        loops = loops
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    polytope(
        points.iter().map(|p| *p * radii).collect(),
        &loops.iter().map(|l| l.to_vec()).collect::<Vec<_>>(),
    )
}
