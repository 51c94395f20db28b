//! Two features measured and the measure proven.

use sudar::glam::DVec3;

use super::{Feature, FeatureMap};
use sudar::convex::Difference;
use sudar::math::Interval;
use sudar::pair::{Nearest, closest_point_segment, closest_point_triangle, closest_points_segments};
use sudar::shape::{Segment, Triangle};

/// The nearest points of two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closest {
    /// The distance between the two points.
    pub distance: f64,
    /// The point of the first body, in the world.
    pub point_a: DVec3,
    /// The point of the second body, in the world.
    pub point_b: DVec3,
    /// The features they lie on, of the first and the second body.
    pub features: [Feature; 2],
    /// Holds the distance of the bodies: above it is bounded by the two points, below by two parallel planes with
    /// nothing of the bodies between them. A few roundings wide if the features are nearest.
    pub certified: Interval,
}

/// The nearest points of two features and how far apart the bodies are for certain.
pub(super) fn certify(difference: &Difference, maps: [&FeatureMap; 2], features: [Feature; 2]) -> Closest {
    let measure = Measure { difference, maps };
    let found = measure.nearest(features);
    let center = difference.a.center();
    // Either point is a combination of points of its body, evaluated in a few roundings of what slack is made of.
    let upper = found.distance() * (1.0 + 8.0 * f64::EPSILON) + difference.slack();
    let lower = measure.normals(features, &found).map(|n| measure.gap(n)).into_iter().fold(0.0, f64::max);
    Closest {
        distance: found.distance(),
        point_a: found.a + center,
        point_b: found.b + center,
        features,
        certified: Interval { lower: lower.min(upper), upper },
    }
}

/// Points as seen from the centre of the first body, turned as the world is.
struct Measure<'a> {
    difference: &'a Difference<'a>,
    maps: [&'a FeatureMap; 2],
}

impl Measure<'_> {
    fn vertex(&self, body: usize, v: u32) -> DVec3 {
        if body == 0 {
            self.difference.a.offset(v)
        } else {
            self.difference.b.offset(v) + self.difference.between()
        }
    }

    fn segment(&self, body: usize, e: u32) -> Segment {
        let [a, b] = self.maps[body].ends(e).map(|v| self.vertex(body, v));
        Segment { a, b }
    }

    fn nearest(&self, features: [Feature; 2]) -> Nearest {
        match features {
            [Feature::Vertex(v), Feature::Vertex(w)] => {
                Nearest::between(self.vertex(0, v), self.vertex(1, w))
            }
            [Feature::Vertex(v), Feature::Edge(e)] => {
                closest_point_segment(self.vertex(0, v), &self.segment(1, e))
            }
            [Feature::Edge(e), Feature::Vertex(v)] => {
                closest_point_segment(self.vertex(1, v), &self.segment(0, e)).swapped()
            }
            [Feature::Edge(e), Feature::Edge(f)] => {
                closest_points_segments(&self.segment(0, e), &self.segment(1, f))
            }
            [Feature::Vertex(v), Feature::Face(f)] => self.on_face(self.vertex(0, v), 1, f),
            [Feature::Face(f), Feature::Vertex(v)] => self.on_face(self.vertex(1, v), 0, f).swapped(),
            // The walk never ends with these; any point of theirs bounds the distance.
            [Feature::Edge(e), Feature::Face(f)] => self.on_face(self.segment(0, e).a, 1, f),
            [Feature::Face(f), Feature::Edge(e)] => self.on_face(self.segment(1, e).a, 0, f).swapped(),
            [Feature::Face(f), Feature::Face(g)] => {
                self.on_face(self.vertex(0, self.maps[0].ends(self.maps[0].ring(f).start)[0]), 1, g)
            }
        }
    }

    /// The point of a face nearest to `p`, by triangles around its first corner: that which `p` lies above.
    fn on_face(&self, p: DVec3, body: usize, face: u32) -> Nearest {
        let corner = |e: u32| self.vertex(body, self.maps[body].ends(e)[0]);
        let ring = self.maps[body].ring(face);
        let first = corner(ring.start);
        let normal = self.normal(body, face);
        let (mut second, mut third) = (corner(ring.start + 1), corner(ring.start + 2));
        for e in ring.start + 3..ring.end {
            // Beyond the diagonal to the third corner, seen from the second?
            if normal.dot((third - first).cross(p - first)) <= 0.0 {
                break;
            }
            (second, third) = (third, corner(e));
        }
        closest_point_triangle(p, &Triangle { a: first, b: second, c: third })
    }

    /// The normal of a face in the world.
    fn normal(&self, body: usize, face: u32) -> DVec3 {
        let side = if body == 0 { &self.difference.a } else { &self.difference.b };
        side.pose().rotate(self.maps[body].faces[face as usize].normal)
    }

    /// Directions from the first body to the second along which the gap should be seen in full: one of the features
    /// alone, exact however near they are, and that between the points.
    fn normals(&self, features: [Feature; 2], found: &Nearest) -> [DVec3; 2] {
        let between = found.b - found.a;
        let upright = |s: Segment| {
            let along = (s.b - s.a) / (s.b - s.a).abs().max_element();
            between - along * (along.dot(between) / along.dot(along))
        };
        let facing = |n: DVec3| if n.dot(between) < 0.0 { -n } else { n };
        let across = |s: Segment, t: Segment| {
            let unit = |s: Segment| (s.b - s.a) / (s.b - s.a).abs().max_element();
            facing(unit(s).cross(unit(t)))
        };
        let normal = match features {
            [Feature::Vertex(_), Feature::Vertex(_)] => between,
            [Feature::Vertex(_), Feature::Edge(e)] => upright(self.segment(1, e)),
            [Feature::Edge(e), Feature::Vertex(_)] => upright(self.segment(0, e)),
            [Feature::Edge(e), Feature::Edge(f)] => across(self.segment(0, e), self.segment(1, f)),
            [Feature::Face(f), Feature::Vertex(_) | Feature::Edge(_) | Feature::Face(_)] => self.normal(0, f),
            [Feature::Vertex(_) | Feature::Edge(_), Feature::Face(f)] => -self.normal(1, f),
        };
        [normal, between]
    }

    /// The gap between the bodies along a direction from the first to the second.
    fn gap(&self, direction: DVec3) -> f64 {
        let size = direction.abs().max_element();
        if size == 0.0 || !size.is_finite() {
            return 0.0;
        }
        let direction = direction / size;
        let found = self.difference.support(direction);
        let height = -direction.dot(found.point) - 4.0 * f64::EPSILON * found.point.length();
        height / direction.length() * (1.0 - 4.0 * f64::EPSILON) - self.difference.slack()
    }
}
