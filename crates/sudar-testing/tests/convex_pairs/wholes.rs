//! Meshes, solids and compounds against all their parts; rays, points and motions on every shape.

use std::sync::Arc;

use sudar::pair::closest_point_triangle;
use sudar::query::{
    Body, Distance, DistanceOptions, Intersection, closest_point, contains, distance, intersects,
    penetration, ray,
};
use sudar::{Compound, DVec3, Halfspace, Interval, Mesh, Pose, Ray, Shape, Solid};
use sudar_testing::Random;
use sudar_testing::convex_bodies::{KINDS, Kind, body, excess, hull, scaled};
use sudar_testing::convex_pairs::Case;
use sudar_testing::meshes::posed;

/// The triangles around a convex mesh of some 30 points, all outward.
fn globe(random: &mut Random) -> Mesh {
    let points: Vec<DVec3> = (0..24).map(|_| random.direction() * DVec3::new(1.0, 0.7, 0.5)).collect();
    let Shape::Hull(hull) = hull(points.into_iter()) else { unreachable!() };
    Body::new(Shape::Hull(hull)).mesh().unwrap().as_ref().clone()
}

/// Yes, no or unknown of any of several.
fn any(answers: impl Iterator<Item = Intersection>) -> Option<bool> {
    let answers: Vec<_> = answers.map(Intersection::decided).collect();
    if answers.contains(&Some(true)) {
        Some(true)
    } else if answers.contains(&None) {
        None
    } else {
        Some(false)
    }
}

/// The least of several distances.
fn least(all: impl Iterator<Item = Distance>) -> Interval {
    let none = Interval { lower: f64::INFINITY, upper: f64::INFINITY };
    all.fold(none, |l, d| Interval {
        lower: l.lower.min(d.interval.lower),
        upper: l.upper.min(d.interval.upper),
    })
}

fn agree(a: Interval, b: Interval, by: f64) -> bool {
    a.lower <= b.upper + by && b.lower <= a.upper + by
}

/// Every convex kind against a mesh and a solid; returns how many were apart, crossed the surface and were inside.
pub fn meshes(count: u64) -> [u64; 3] {
    let mut random = Random::new(31);
    let mut counted = [0; 3];
    for i in 0..count {
        let mesh = Arc::new(globe(&mut random));
        let (surface, solid) =
            (Body::new(Shape::Mesh(mesh.clone())), Body::new(Solid::new(mesh.clone()).unwrap()));
        let kind = KINDS[i as usize % KINDS.len()];
        let other = Body::new(body(&mut random, kind, 0.3, 4.0));
        let (at, away) = (random.point(), random.point() * 0.9);
        let (p, q) = (random.pose(at), random.pose(at + away));
        let all: Vec<Body> = posed(&mesh, &Pose::IDENTITY).into_iter().map(Body::new).collect();
        let what = format!("{i} {kind:?} {:?} at {q:?}", other.shape());
        let met = any(all.iter().map(|t| intersects(t.at(&p), other.at(&q))));
        let found = intersects(surface.at(&p), other.at(&q)).decided();
        assert!(met == found || met.is_none() || found.is_none(), "{met:?} {found:?} {what}");
        let near = distance(surface.at(&p), other.at(&q), &DistanceOptions::EXACT);
        let expected = least(all.iter().map(|t| distance(t.at(&p), other.at(&q), &DistanceOptions::EXACT)));
        assert!(agree(near.interval, expected, 1e-14), "{expected:?} {near:?} {what}");
        assert!(near.interval.width() < 1e-9, "{near:?} {what}");
        // Full: also if the whole body is on the inner side of all triangles.
        let inner = posed(&mesh, &Pose::IDENTITY).iter().all(|t| {
            let c = p.unapply(near.point_b);
            t.scaled_normal().dot(c - t.a) < 0.0
        });
        let full = intersects(solid.at(&p), other.at(&q));
        assert!(
            full.is_touching() == (inner || found == Some(true)) || full.decided().is_none(),
            "{full:?} {what}"
        );
        assert_eq!(
            distance(solid.at(&p), other.at(&q), &DistanceOptions::EXACT).interval.upper == 0.0,
            full.is_touching(),
            "{what}"
        );
        let signed = penetration(solid.at(&p), other.at(&q)).signed;
        assert!(
            signed.lower <= signed.upper && (signed.lower <= 0.0 || !full.is_touching()),
            "{signed:?} {what}"
        );
        counted[if found == Some(true) {
            1
        } else if inner {
            2
        } else {
            0
        }] += 1;
    }
    println!(
        "meshes and solids: apart {}, through the surface {}, inside {}",
        counted[0], counted[1], counted[2]
    );
    counted
}

fn compound(random: &mut Random) -> Compound {
    let part = |random: &mut Random| {
        let kind = loop {
            let kind = random.kind();
            if !matches!(kind, Kind::Point | Kind::Segment | Kind::Triangle | Kind::FlatHull) {
                break kind;
            }
        };
        let place = random.point();
        (body(random, kind, 0.5, 4.0), random.pose(place))
    };
    Compound::new((0..3).map(|_| part(random)).collect()).unwrap()
}

/// Compounds answer as their parts do; returns how many were apart and met.
pub fn compounds(count: u64) -> [u64; 2] {
    let mut random = Random::new(32);
    let mut counted = [0; 2];
    for i in 0..count {
        let whole = Body::new(compound(&mut random));
        let kind = random.kind();
        let other = match i % 8 {
            0 => Body::new(compound(&mut random)),
            1 => Body::new(Halfspace::new(random.direction(), random.within(-1.5, 0.5)).unwrap()),
            2 => Body::new(globe(&mut random)),
            _ => Body::new(body(&mut random, kind, 0.5, 4.0)),
        };
        let (at, away) = (random.point(), random.point() * 2.0);
        let (p, q) = (random.pose(at), random.pose(at + away));
        let parts = || whole.parts().iter().map(|(part, inner)| (part, p.after(inner)));
        let met = any(parts().map(|(part, pose)| intersects(part.at(&pose), other.at(&q))));
        let found = intersects(whole.at(&p), other.at(&q)).decided();
        assert_eq!(found, met, "{i}");
        assert_eq!(intersects(other.at(&q), whole.at(&p)).decided(), met, "{i}");
        let expected = least(
            parts().map(|(part, pose)| distance(part.at(&pose), other.at(&q), &DistanceOptions::EXACT)),
        );
        let near = distance(whole.at(&p), other.at(&q), &DistanceOptions::EXACT);
        assert!(agree(near.interval, expected, 0.0), "{i} {near:?} {expected:?}");
        assert!((near.interval.upper - expected.upper).abs() <= 1e-9, "{i} {near:?} {expected:?}");
        let deep = penetration(whole.at(&p), other.at(&q)).signed;
        assert!(deep.lower <= near.interval.upper, "{i}: {deep:?}");
        // The whole reaches at least as deep as its deepest part.
        let deepest = parts()
            .map(|(part, pose)| penetration(part.at(&pose), other.at(&q)).signed.upper)
            .fold(f64::INFINITY, f64::min);
        assert!(found != Some(true) || deep.lower <= deepest + 1e-9, "{i}: {deep:?} {deepest}");
        let point = at + random.point() * 2.0;
        let inside = parts().any(|(part, pose)| contains(part.at(&pose), point).unwrap());
        assert_eq!(contains(whole.at(&p), point), Ok(inside), "{i}");
        let expected = parts()
            .map(|(part, pose)| closest_point(part.at(&pose), point).distance.upper)
            .fold(f64::INFINITY, f64::min);
        assert_eq!(closest_point(whole.at(&p), point).distance.upper, expected, "{i}");
        let shot = Ray::new(point, random.direction()).unwrap();
        let first = parts()
            .filter_map(|(part, pose)| ray(part.at(&pose), &shot, f64::INFINITY).map(|h| h.t))
            .reduce(f64::min);
        assert_eq!(ray(whole.at(&p), &shot, f64::INFINITY).map(|h| h.t), first, "{i}");
        counted[usize::from(found == Some(true))] += 1;
    }
    println!("compounds: apart {}, met {}", counted[0], counted[1]);
    counted
}

/// How far a point is from the shape, by closed forms.
fn off(body: &Body, pose: &Pose, p: DVec3) -> f64 {
    if let Shape::Halfspace(h) = body.shape() {
        return ((h.normal.dot(pose.unapply(p)) - h.offset) / h.normal.length()).max(0.0);
    }
    let Shape::Mesh(mesh) = body.shape() else {
        return excess(body, pose, p);
    };
    let there = pose.unapply(p);
    posed(mesh, &Pose::IDENTITY)
        .iter()
        .map(|t| closest_point_triangle(there, t).distance())
        .fold(f64::INFINITY, f64::min)
}

fn zoo(random: &mut Random, i: u64) -> Body {
    match i % 14 {
        12 => Body::new(Halfspace::new(random.direction() * 3.0, random.within(-1.0, 1.0)).unwrap()),
        13 => Body::new(globe(random)),
        k => Body::new(body(random, KINDS[k as usize], 1.0, 8.0)),
    }
}

/// Points and rays on every shape; returns how many points were inside and how many rays hit.
pub fn points_and_rays(count: u64) -> [u64; 2] {
    let mut random = Random::new(33);
    let mut counted = [0; 2];
    for i in 0..count {
        let body = zoo(&mut random, i);
        let at = random.point();
        let pose = random.pose(at);
        let point = at + random.point() * 1.5;
        let what = format!("{i} {:?} {pose:?} {point:?}", body.shape());
        let away = off(&body, &pose, point);
        let near = closest_point(body.at(&pose), point);
        assert!(
            near.distance.lower <= away + 1e-14 && away <= near.distance.upper + 1e-14,
            "{near:?} {away} {what}"
        );
        assert!(near.distance.width() < 1e-12, "{near:?} {what}");
        assert!(off(&body, &pose, near.point) < 1e-14, "{near:?} {what}");
        if let Ok(inside) = contains(body.at(&pose), point) {
            assert!(
                if inside { away < 1e-14 } else { away > 0.0 || near.distance.upper > 0.0 },
                "{away} {what}"
            );
            counted[0] += u64::from(inside);
        }
        counted[1] += u64::from(shoot(&mut random, &body, &pose, point));
    }
    println!("points inside {}, rays that hit {}", counted[0], counted[1]);
    counted
}

fn shoot(random: &mut Random, body: &Body, pose: &Pose, from: DVec3) -> bool {
    let target = pose.apply(random.point() * 0.7);
    let shot = Ray::new(from, (target - from) * random.within(0.2, 3.0)).unwrap();
    let hit = ray(body.at(pose), &shot, f64::INFINITY);
    let what = format!("{:?} {pose:?} {shot:?} {hit:?}", body.shape());
    // Nothing of the body before the hit; nothing at all without one.
    let end = hit.map_or(8.0, |h| h.t);
    for k in 0..if end > 0.0 { 32 } else { 0 } {
        let t = end * f64::from(k) / 32.0;
        assert!(off(body, pose, shot.at(t)) > 0.0, "{t} {what}");
    }
    let Some(hit) = hit else { return false };
    assert!(off(body, pose, hit.point) < 1e-12, "{what}");
    assert!(ray(body.at(pose), &shot, hit.t * 0.999_999).is_none() || hit.t == 0.0, "{what}");
    if hit.t > 0.0 && hit.normal != DVec3::ZERO {
        // Surfaces without an inside and flat hulls show either face.
        let flat = matches!(body.shape(), Shape::Hull(hull) if hull.dimension() < 3);
        let facing = flat || hit.normal.dot(shot.direction) < 1e-9 || contains(body.at(pose), from).is_err();
        assert!((hit.normal.length() - 1.0).abs() < 1e-12 && facing, "{what}");
    }
    true
}

/// The same pair scaled by a power of two answers the same; moved rigidly, intervals still hold the same number.
pub fn scales_and_motions(first: u64, count: u64) {
    let mut equal = 0;
    for number in first..first + count {
        let case = Case::numbered(number);
        let ([a, b], [p, q]) = (&case.bodies, &case.poses);
        let found = intersects(a.at(p), b.at(q));
        let near = distance(a.at(p), b.at(q), &DistanceOptions::EXACT).interval;
        let deep = penetration(a.at(p), b.at(q)).signed;
        let what = format!("pair {number} {} {:?}", case.class, case.kinds);
        for k in [2f64.powi(-41), 2f64.powi(13)] {
            let [c, d] = [a, b].map(|body| Body::new(scaled(body.shape(), k)));
            let [r, s] =
                [p, q].map(|pose| Pose::from_matrix(pose.rotation(), pose.translation() * k).unwrap());
            let again = intersects(c.at(&r), d.at(&s));
            assert_eq!(again, found, "{what}");
            let larger = distance(c.at(&r), d.at(&s), &DistanceOptions::EXACT).interval;
            assert!(agree(larger, Interval { lower: near.lower * k, upper: near.upper * k }, 0.0), "{what}");
            let deeper = penetration(c.at(&r), d.at(&s)).signed;
            assert!(agree(deeper, Interval { lower: deep.lower * k, upper: deep.upper * k }, 0.0), "{what}");
            equal += u64::from(larger.upper == near.upper * k && deeper.lower == deep.lower * k);
        }
        let mut random = Random::new(number);
        let place = random.point() * case.size;
        let motion = random.pose(place);
        let (r, s) = (motion.after(p), motion.after(q));
        // Vertices and centres are rounded anew where they come to stand.
        let rounding = 32.0 * (case.unit + f64::EPSILON * case.size);
        let moved = penetration(a.at(&r), b.at(&s)).signed;
        assert!(agree(moved, deep, rounding), "{what}: {deep:?} {moved:?}");
        let moved = distance(a.at(&r), b.at(&s), &DistanceOptions::EXACT).interval;
        assert!(agree(moved, near, rounding), "{what}: {near:?} {moved:?}");
    }
    println!("of {} scaled pairs {equal} have the same digits", 2 * count);
}
