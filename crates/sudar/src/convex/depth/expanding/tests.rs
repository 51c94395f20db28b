//! The expanding polytope against closed forms, brute force and itself.

use glam::DMat3;

use crate::convex::depth::expanding::*;
use crate::convex::{Convex, Core, PosedConvex, cuboid_axes};
use crate::math::Pose;
use crate::shape::{Cone, Cuboid, Cylinder, Ellipsoid, Segment, Shape, Triangle};
use crate::testing::hulls::{facets, random_hull, round_hull};
use crate::testing::{Random, convex};

const LIMIT: u32 = 512;

fn cuboid(x: f64, y: f64, z: f64) -> Convex {
    convex(Cuboid::new(DVec3::new(x, y, z)).unwrap())
}

fn posed(a: &Convex, p: &Pose, b: &Convex, q: &Pose, accuracy: Accuracy) -> CorePenetration {
    let (a, b) = (PosedConvex::new(a, p), PosedConvex::new(b, q));
    let difference = Difference::new(a, b);
    let simplex = nearest_triangle(&difference);
    let found = expanding_polytope(&difference, &simplex, &accuracy, LIMIT);
    check(&difference, &found);
    found
}

/// Three differences of vertices, with the nearest point of their triangle the nearest of all to the origin: what
/// flat differences need.
fn nearest_triangle(difference: &Difference) -> Vec<Vertex> {
    let count = |body: &PosedConvex| match body.convex().core() {
        Core::Point(_) => 1,
        Core::Segment(_) => 2,
        Core::Triangle(_) => 3,
        Core::Cuboid(..) | Core::Polytope(_) | Core::Round(_) => 0,
    };
    let (m, n) = (count(&difference.a), count(&difference.b));
    let all: Vec<Vertex> = (0..m * n).map(|i| difference.vertex([i % m, i / m])).collect();
    let triples = all
        .iter()
        .flat_map(|a| all.iter().map(move |b| [*a, *b]))
        .flat_map(|[a, b]| all.iter().map(move |c| [a, b, *c]));
    let distance = |t: &[Vertex; 3]| {
        let points = t.map(|v| v.point);
        let w = nearest_weights(points);
        (points[0] * w[0] + points[1] * w[1] + points[2] * w[2]).length_squared()
    };
    triples.min_by(|s, t| distance(s).total_cmp(&distance(t))).map_or(Vec::new(), |t| t.to_vec())
}

fn moved(a: &Convex, b: &Convex, way: DVec3) -> CorePenetration {
    posed(a, &Pose::IDENTITY, b, &Pose::from_translation(way).unwrap(), Accuracy::BEST)
}

/// What holds of any answer: no point of the difference is higher along the normal than the upper end, and the
/// witnesses are about as far apart.
fn check(difference: &Difference, found: &CorePenetration) {
    let height = difference.support(found.normal).point.dot(found.normal);
    assert!((found.normal.length() - 1.0).abs() < 1e-15);
    assert!(found.depth.lower >= 0.0 && found.depth.lower <= found.depth.upper);
    let size = difference.radius() + difference.between().length();
    assert!(height <= found.depth.upper + 1e-15 * size, "{height} {found:?}");
    let far = difference.a.center().length() + size;
    let way = found.a - found.b - found.normal * found.depth.upper;
    if found.depth.upper == 0.0 {
        return;
    }
    let width = found.depth.width();
    // The face that the witnesses are on is up to the width nearer, and turned by √(2·width/upper).
    assert!(way.length() <= 2.0 * width + (4.0 * width * size).sqrt() + 1e-14 * far, "{way} {found:?}");
}

/// The depth of polytopes: least offset of a facet of the hull of all differences of vertices.
fn by_facets(a: &PosedConvex, b: &PosedConvex) -> f64 {
    let points = |body: &PosedConvex| {
        let count = crate::convex::depth::axes::solid(body).unwrap().hull().vertices().len() as u32;
        (0..count).map(|i| body.offset(i)).collect::<Vec<_>>()
    };
    let (p, q) = (points(a), points(b));
    let way = b.center() - a.center();
    let differences: Vec<DVec3> = p.iter().flat_map(|p| q.iter().map(move |q| *p - *q - way)).collect();
    facets(&differences).iter().fold(f64::INFINITY, |m, f| m.min(f.1))
}

#[test]
fn boxes_along_the_axes() {
    let mut random = Random::new(1);
    for _ in 0..2000 {
        let (p, q) = (random.point().abs() + 0.1, random.point().abs() + 0.1);
        let way = random.point() * (p + q);
        // Overlaps along the axes, and the least of them.
        let depth = (p + q - way.abs()).min_element();
        let found = moved(&cuboid(p.x, p.y, p.z), &cuboid(q.x, q.y, q.z), way);
        assert!(found.depth.contains(depth) && found.depth.width() < 1e-12, "{depth} {found:?}");
        assert!(found.normal.abs().max_element() > 1.0 - 1e-15);
    }
}

#[test]
fn boxes_that_touch_and_boxes_that_do_not() {
    for way in
        [DVec3::X * 2.0, DVec3::new(2.0, 2.0, 0.0), DVec3::new(2.0, -2.0, 2.0), DVec3::new(0.3, 2.0, -1.0)]
    {
        let found = moved(&cuboid(1.0, 1.0, 1.0), &cuboid(1.0, 1.0, 1.0), way);
        assert!(found.depth.lower == 0.0 && found.depth.upper < 1e-13, "{found:?}");
        let apart = moved(&cuboid(1.0, 1.0, 1.0), &cuboid(1.0, 1.0, 1.0), way * 1.01);
        assert_eq!((apart.depth, apart.normal.dot(way) > 0.0), (Interval::point(0.0), true), "{apart:?}");
    }
}

#[test]
fn the_same_body_twice_is_as_deep_as_its_least_width() {
    let found = moved(&cuboid(1.0, 0.25, 3.0), &cuboid(1.0, 0.25, 3.0), DVec3::ZERO);
    assert!(found.depth.contains(0.5) && found.depth.width() < 1e-13);
    let mut random = Random::new(4);
    for _ in 0..20 {
        let body = random_hull(&mut random, 6, true);
        let pose = random.turned(DVec3::ZERO);
        let found = posed(&body, &pose, &body, &pose, Accuracy::BEST);
        let body = PosedConvex::new(&body, &pose);
        let depth = by_facets(&body, &body);
        assert!((found.depth.lower - depth).abs() < 1e-13, "{depth} {found:?}");
    }
}

#[test]
fn hulls_against_the_facets_of_the_difference() {
    let mut random = Random::new(2);
    let mut histogram = [0; 40];
    for case in 0..cases(1500) {
        let k = f64::powi(10.0, case % 19 - 9);
        let (m, n) = (4 + case as usize % 4, 4 + case as usize / 4 % 4);
        let scaled = |random: &mut Random, n: usize| {
            let points: Vec<DVec3> = (0..n).map(|_| random.point() * k).collect();
            crate::testing::hulls::hull(&points)
        };
        let (a, b) = (scaled(&mut random, m), scaled(&mut random, n));
        let (way, far) =
            (random.point() * 0.4 * k, random.point() * if case % 3 == 0 { 1e6 * k } else { 0.0 });
        let (p, q) = (random.turned(far), random.turned(far + way));
        let found = posed(&a, &p, &b, &q, Accuracy::BEST);
        let depth = by_facets(&PosedConvex::new(&a, &p), &PosedConvex::new(&b, &q)).max(0.0);
        let rounding = 1e-14 * k;
        assert!(
            found.depth.lower <= depth + rounding && depth <= found.depth.upper + rounding,
            "{depth} {found:?}"
        );
        let width = 1e-13 * k + 1e-14 * far.length();
        assert!(found.depth.width() < width, "{} {found:?}", found.depth.width());
        histogram[(found.expansions as usize).min(39)] += 1;
    }
    println!("hulls of 4 to 7 vertices, number of cases by expansions: {histogram:?}");
}

#[test]
fn flat_bodies_have_no_depth() {
    let triangle =
        |a: [f64; 3], b: [f64; 3], c: [f64; 3]| convex(Triangle { a: a.into(), b: b.into(), c: c.into() });
    let flat = triangle([-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]);
    let segment = convex(Segment { a: DVec3::new(-1.0, -0.5, 0.0), b: DVec3::new(1.0, 0.5, 0.0) });
    let point = convex(Shape::Point(DVec3::ZERO));
    for (a, b) in
        [(&flat, &flat), (&flat, &segment), (&segment, &segment), (&segment, &point), (&point, &point)]
    {
        let found = moved(a, b, DVec3::ZERO);
        assert!(found.depth.lower == 0.0 && found.depth.upper < 1e-13, "{found:?}");
    }
    // A segment through the middle of a triangle: the difference is a prism with the origin at depth 1/√5 of a
    // slanted side (from the centre to the side through (1, −1), (0, 1): |2·0 + 0 − 1|/√5).
    let needle = convex(Segment { a: DVec3::new(0.0, 0.0, -1.0), b: DVec3::new(0.0, 0.0, 1.0) });
    let found = moved(&flat, &needle, DVec3::ZERO);
    assert!(found.depth.contains(1.0 / 5f64.sqrt()) && found.depth.width() < 1e-13, "{found:?}");
}

#[test]
fn the_limit_widens_the_interval_and_keeps_it_right() {
    let radii = DVec3::new(1.0, 0.7, 0.4);
    let body = convex(Ellipsoid::new(radii).unwrap());
    // In the same pose the difference is the ellipsoid twice as large.
    let way = DVec3::new(0.1, 0.05, 0.0);
    let best = moved(&body, &body, way).depth;
    for limit in [0, 1, 2, 5, 10, 20, 50, 100] {
        let pose = Pose::from_translation(way).unwrap();
        let difference =
            Difference::new(PosedConvex::new(&body, &Pose::IDENTITY), PosedConvex::new(&body, &pose));
        let found = expanding_polytope(&difference, &[], &Accuracy::BEST, limit).depth;
        assert!(found.lower <= best.upper && best.lower <= found.upper, "{limit} {found:?}");
    }
}

#[test]
fn round_bodies() {
    let mut random = Random::new(3);
    let mut widths = Vec::new();
    let size = |random: &mut Random| 0.2 + random.number().abs();
    for case in 0..300 {
        let mut body = |kind: usize| match kind {
            0 => convex(Ellipsoid::new(random.point().abs() + 0.2).unwrap()),
            1 => convex(Cylinder::new(size(&mut random), size(&mut random)).unwrap()),
            _ => convex(Cone::new(size(&mut random), size(&mut random)).unwrap()),
        };
        let (a, b) = (body(case % 3), body(case / 3 % 3));
        let way = random.point() * 0.4;
        let (p, q) = (random.turned(DVec3::ZERO), random.turned(way));
        for relative in [1e-6, 1e-9] {
            let found = posed(&a, &p, &b, &q, Accuracy { absolute: 0.0, relative });
            if relative == 1e-9 {
                widths.push((found.depth.width() / found.depth.upper.max(1e-3), found.expansions, case % 9));
            }
        }
    }
    for kind in 0..9 {
        let mut of_kind: Vec<_> = widths.iter().filter(|w| w.2 == kind).map(|w| (w.0, w.1)).collect();
        of_kind.sort_by(|a, b| a.0.total_cmp(&b.0));
        println!(
            "kind {kind}: median and greatest {:?} {:?}",
            of_kind[of_kind.len() / 2],
            of_kind[of_kind.len() - 1]
        );
        let mut counts: Vec<_> = of_kind.iter().map(|w| w.1).collect();
        counts.sort_unstable();
        println!("   expansions {counts:?}");
    }
}

#[test]
fn round_hulls_take_few_expansions() {
    let mut random = Random::new(5);
    for times in [0, 1, 2, 3] {
        let (a, b) = (round_hull(times, DVec3::ONE), round_hull(times, DVec3::new(0.8, 1.0, 1.2)));
        let mut counts: Vec<u32> = (0..100)
            .map(|_| {
                let way = random.point().normalize() * 1.7;
                let (p, q) = (random.turned(DVec3::ZERO), random.turned(way));
                let found = posed(&a, &p, &b, &q, Accuracy::BEST);
                assert!(found.depth.width() < 1e-13);
                found.expansions
            })
            .collect();
        counts.sort_unstable();
        println!("round hulls {times}: {counts:?}");
    }
}

/// Boxes turned against each other by next to nothing, with equal sizes and places: the difference has thin faces and
/// corners almost at the same place.
#[test]
fn boxes_almost_parallel() {
    let mut random = Random::new(7);
    let mut worst = [0.0f64; 2];
    for case in 0..cases(3000) {
        let k = f64::powi(10.0, case % 19 - 9);
        let mut half = || (random.grid_point(3).abs() + 1.0) * k;
        let (a, b) = (half(), half());
        let (a, b) = (cuboid(a.x, a.y, a.z), cuboid(b.x, b.y, b.z));
        let way = random.grid_point(4) * 0.5 * k;
        let p = if case % 2 == 0 { Pose::IDENTITY } else { random.turned(DVec3::ONE * k) };
        let turn = DMat3::from_axis_angle(random.point().normalize(), f64::powi(10.0, -(case / 7 % 18)));
        let q = Pose::from_matrix(turn * p.rotation(), p.translation() + way).unwrap();
        let (a, b) = (PosedConvex::new(&a, &p), PosedConvex::new(&b, &q));
        let difference = Difference::new(a, b);
        let found = expanding_polytope(&difference, &[], &Accuracy::BEST, LIMIT);
        check(&difference, &found);
        let axes = cuboid_axes(&a, &b).unwrap().gap;
        assert!(
            found.depth.lower <= (-axes.lower).max(0.0) && -axes.upper <= found.depth.upper,
            "{axes:?} {found:?}"
        );
        if axes.upper < 0.0 {
            worst[0] = worst[0].max(found.depth.width() / difference.slack());
            worst[1] = worst[1].max(f64::from(found.expansions));
        }
    }
    println!("boxes almost parallel: greatest width over slack, and expansions: {worst:?}");
    assert!(worst[0] < 8.0, "{worst:?}");
}

/// How many cases: `SUDAR_ORACLE_DEPTH` times as many as by default.
fn cases(count: i32) -> i32 {
    std::env::var("SUDAR_ORACLE_DEPTH")
        .ok()
        .and_then(|n| n.parse().ok())
        .map_or(count, |times: i32| count * times)
}
