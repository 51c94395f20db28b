//! Every intersection test between two simple things: the answer is the same at every scale, and nothing that one
//! test says contradicts another that asks the same question of other types.

use glam::{DMat3, DQuat, DVec3};
use rand::RngExt;
use sudar::pair::*;
use sudar::{Aabb, Halfspace, Obb, Ray, Segment, Sphere, Triangle};
use sudar_testing::Random;

/// One thing of each kind, twice.
#[derive(Clone, Copy)]
struct Things {
    sphere: [Sphere; 2],
    point: [DVec3; 2],
    segment: [Segment; 2],
    triangle: [Triangle; 2],
    aabb: [Aabb; 2],
    obb: [Obb; 2],
    halfspace: [Halfspace; 2],
}

impl Things {
    /// Things with whole coordinates of at most 3 (except for the turn of the oriented boxes), so that touching is
    /// frequent.
    fn random(random: &mut Random) -> Self {
        let mut pair = || {
            let mut whole = || f64::from(random.random_range(-3..=3));
            let mut point = || DVec3::new(whole(), whole(), whole());
            let (a, b, c, d, e, f, g, h) =
                (point(), point(), point(), point(), point(), point(), point(), point());
            let normal = if g == DVec3::ZERO { DVec3::X } else { g };
            let axes = DMat3::from_quat(DQuat::from_scaled_axis(h));
            (
                Sphere { center: a, radius: 1.0 + b.x.abs() },
                c,
                Segment { a: b, b: d },
                Triangle { a: c, b: d, c: e },
                Aabb::around([e, f]),
                Obb { center: f, axes, half: e.abs() },
                Halfspace { normal, offset: a.y },
            )
        };
        let (p, q) = (pair(), pair());
        Self {
            sphere: [p.0, q.0],
            point: [p.1, q.1],
            segment: [p.2, q.2],
            triangle: [p.3, q.3],
            aabb: [p.4, q.4],
            obb: [p.5, q.5],
            halfspace: [p.6, q.6],
        }
    }

    fn scaled(self, k: f64) -> Self {
        Self {
            sphere: self.sphere.map(|s| Sphere { center: s.center * k, radius: s.radius * k }),
            point: self.point.map(|p| p * k),
            segment: self.segment.map(|s| Segment { a: s.a * k, b: s.b * k }),
            triangle: self.triangle.map(|t| Triangle::from(t.corners().map(|p| p * k))),
            aabb: self.aabb.map(|b| Aabb { min: b.min * k, max: b.max * k }),
            obb: self.obb.map(|b| Obb { center: b.center * k, half: b.half * k, ..b }),
            halfspace: self.halfspace.map(|h| Halfspace { offset: h.offset * k, ..h }),
        }
    }

    /// The answers of all 28 tests, the first thing of the pair with index `i`, the other with `1 − i`.
    fn answers(&self, i: usize) -> [bool; 28] {
        let j = 1 - i;
        let Self { sphere, point, segment, triangle, aabb, obb, halfspace } = self;
        [
            sphere_sphere(&sphere[i], &sphere[j]),
            sphere_point(&sphere[i], point[j]),
            sphere_segment(&sphere[i], &segment[j]),
            sphere_triangle(&sphere[i], &triangle[j]),
            sphere_aabb(&sphere[i], &aabb[j]),
            sphere_obb(&sphere[i], &obb[j]),
            sphere_halfspace(&sphere[i], &halfspace[j]),
            point_point(point[i], point[j]),
            point_segment(point[i], &segment[j]),
            point_triangle(point[i], &triangle[j]),
            point_aabb(point[i], &aabb[j]),
            point_obb(point[i], &obb[j]),
            point_halfspace(point[i], &halfspace[j]),
            segment_segment(&segment[i], &segment[j]),
            segment_triangle(&segment[i], &triangle[j]),
            segment_aabb(&segment[i], &aabb[j]),
            segment_obb(&segment[i], &obb[j]),
            segment_halfspace(&segment[i], &halfspace[j]),
            triangles_intersect(&triangle[i], &triangle[j]),
            triangle_aabb(&triangle[i], &aabb[j]),
            triangle_obb(&triangle[i], &obb[j]),
            triangle_halfspace(&triangle[i], &halfspace[j]),
            aabb_aabb(&aabb[i], &aabb[j]),
            aabb_obb(&aabb[i], &obb[j]),
            aabb_halfspace(&aabb[i], &halfspace[j]),
            obb_obb(&obb[i], &obb[j]),
            obb_halfspace(&obb[i], &halfspace[j]),
            halfspace_halfspace(&halfspace[i], &halfspace[j]),
        ]
    }
}

#[test]
fn no_answer_depends_on_the_scale() {
    let mut random = Random::new(1);
    let mut yes = [0; 28];
    for _ in 0..400 {
        let things = Things::random(&mut random);
        let answers = things.answers(0);
        for exponent in [-200, -60, -1, 60, 200] {
            assert_eq!(things.scaled(f64::powi(2.0, exponent)).answers(0), answers, "2^{exponent}");
        }
        for (count, answer) in yes.iter_mut().zip(answers) {
            *count += usize::from(answer);
        }
    }
    // Every test says both: only two equal points are rare, and half-spaces that miss each other.
    assert!(yes.iter().enumerate().all(|(i, &n)| n > 0 && n < 400 || i == 7 || i == 27), "{yes:?}");
}

#[test]
fn no_answer_between_equal_kinds_depends_on_the_order() {
    let mut random = Random::new(2);
    for _ in 0..3000 {
        let things = Things::random(&mut random);
        let (one, other) = (things.answers(0), things.answers(1));
        for equal_kinds in [0, 7, 13, 18, 22, 25, 27] {
            assert_eq!(one[equal_kinds], other[equal_kinds], "test {equal_kinds}");
        }
    }
}

#[test]
fn a_point_is_a_segment_and_a_triangle_and_a_box_without_extent() {
    let mut random = Random::new(3);
    for _ in 0..3000 {
        let mut things = Things::random(&mut random);
        let [p, _] = things.point;
        things.segment[0] = Segment { a: p, b: p };
        things.triangle[0] = Triangle { a: p, b: p, c: p };
        things.aabb[0] = Aabb { min: p, max: p };
        let [_, s] = things.sphere;
        let expected = sphere_point(&s, p);
        assert_eq!(sphere_segment(&s, &things.segment[0]), expected);
        assert_eq!(sphere_triangle(&s, &things.triangle[0]), expected);
        assert_eq!(sphere_aabb(&s, &things.aabb[0]), expected);
        let [_, t] = things.triangle;
        let expected = point_triangle(p, &t);
        assert_eq!(segment_triangle(&things.segment[0], &t), expected);
        assert_eq!(triangles_intersect(&things.triangle[0], &t), expected);
        assert_eq!(triangle_aabb(&t, &things.aabb[0]), expected);
        let [_, h] = things.halfspace;
        let expected = point_halfspace(p, &h);
        assert_eq!(segment_halfspace(&things.segment[0], &h), expected);
        assert_eq!(triangle_halfspace(&things.triangle[0], &h), expected);
        assert_eq!(aabb_halfspace(&things.aabb[0], &h), expected);
    }
}

#[test]
fn a_ray_that_reaches_its_target_is_the_segment_to_it() {
    let mut random = Random::new(4);
    let mut hits = [0; 3];
    for _ in 0..4000 {
        let things = Things::random(&mut random);
        let segment = things.segment[0];
        let ray = Ray { origin: segment.a, direction: segment.b - segment.a };
        if ray.direction == DVec3::ZERO {
            continue;
        }
        let found = [
            // Where a ball is entered is rounded, and the target may lie on its surface.
            ray_sphere(&ray, &things.sphere[1], 1.0 + 1e-12).is_some(),
            ray_aabb(&ray, &things.aabb[1], 1.0).is_some(),
            ray_halfspace(&ray, &things.halfspace[1], 1.0).is_some(),
        ];
        let expected = [
            sphere_segment(&things.sphere[1], &segment),
            segment_aabb(&segment, &things.aabb[1]),
            segment_halfspace(&segment, &things.halfspace[1]),
        ];
        assert_eq!(found, expected, "{ray:?}");
        for (count, hit) in hits.iter_mut().zip(found) {
            *count += usize::from(hit);
        }
    }
    assert!(hits.iter().all(|&n| n > 300), "{hits:?}");
}
