//! The one contact of section 9.3.

use sudar::pair::{TriangleIntersection, triangle_intersection};
use sudar::query::{Body, contacts};
use sudar::{DVec3, Pose};

use super::flyer::Flyer;

/// The centre of the points of intersection that are found more than once, and the mean normal of the triangles that
/// collide: of a body that stands still, else of the one with fewer of them.
pub fn contact(a: &Flyer, (b, bt): (&Body, &Pose), is_static: bool) -> Option<(DVec3, DVec3)> {
    let at = &a.pose();
    let pairs = contacts(a.body().at(at), b.at(bt));
    let mut points = Vec::new();
    for [i, j] in &pairs {
        let (Some(s), Some(t)) = (a.body().posed_triangle(at, *i), b.posed_triangle(bt, *j)) else {
            continue;
        };
        match triangle_intersection(&s, &t) {
            Some(TriangleIntersection::Point(p)) => points.push(p),
            Some(TriangleIntersection::Segment(s)) => points.extend([s.a, s.b]),
            Some(TriangleIntersection::Polygon(corners)) => points.extend(corners),
            None => {}
        }
    }
    let points = found_twice(points);
    let sides = [0, 1].map(|side| {
        let mut numbers: Vec<u32> = pairs.iter().map(|pair| pair[side]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    });
    let own = !is_static && sides[0].len() < sides[1].len();
    let (body, pose, numbers) = if own { (a.body(), at, &sides[0]) } else { (b, bt, &sides[1]) };
    let triangles = numbers.iter().filter_map(|i| body.posed_triangle(pose, *i));
    let normal = triangles.map(|t| t.scaled_normal().normalize_or_zero()).sum::<DVec3>().normalize_or_zero();
    let center = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    (!points.is_empty() && normal != DVec3::ZERO).then_some((center, normal))
}

/// Points nearer than this are one, in metres.
const SAME: f64 = 1e-9;

/// Each point that is there more than once, once; all where there is none ("workIntersectionPoints").
fn found_twice(points: Vec<DVec3>) -> Vec<DVec3> {
    let mut groups: Vec<(DVec3, usize)> = Vec::new();
    for point in &points {
        match groups.iter_mut().find(|(first, _)| (*first - *point).length() < SAME) {
            Some((_, count)) => *count += 1,
            None => groups.push((*point, 1)),
        }
    }
    let twice: Vec<DVec3> = groups.iter().filter(|(_, count)| *count > 1).map(|(point, _)| *point).collect();
    if twice.is_empty() { points } else { twice }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_edges_are_found_twice() {
        let points = [0.0, 1.0, 1.0 + 1e-12, 2.0].map(|x| DVec3::X * x).to_vec();
        assert_eq!(found_twice(points), [DVec3::X]);
        assert_eq!(found_twice(vec![DVec3::X, DVec3::Y]).len(), 2);
    }
}
