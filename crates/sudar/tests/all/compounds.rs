//! Compounds against all pairs of their parts, and what many parts cost.

use glam::DVec3;
use rand::RngExt;
use sudar::effort::Budget;
use sudar::query::{
    Body, Distance, DistanceOptions, Intersection, Within, Work, closest_point, contacts, contacts_of_parts,
    contacts_up_to, contains, distance, intersects, ray, ray_all, ray_any, within,
};
use sudar::{Aabb, Capsule, Cuboid, Cylinder, Halfspace, Mesh, Pose, Ray, Segment, Shape, Sphere};
use sudar_testing::Random;

/// A body of about unit size; far from the origin of its frame now and then.
fn part(r: &mut Random) -> Body {
    let far = if r.random_range(0..4) == 0 { DVec3::splat(1e6) } else { DVec3::ZERO };
    let shape: Shape = match r.random_range(0..5) {
        0 => Sphere::new(far, 0.4).unwrap().into(),
        1 => Cuboid::new(DVec3::new(0.5, 0.2, 0.3)).unwrap().into(),
        2 => Capsule::new(0.5, 0.2).unwrap().into(),
        3 => Cylinder::new(0.3, 0.4).unwrap().into(),
        _ => Mesh::from_aabb(Aabb { min: far - 0.4, max: far + 0.3 }).into(),
    };
    Body::new(shape)
}

fn compound(r: &mut Random, count: usize, size: f64) -> Body {
    let place = |r: &mut Random| {
        let (part, at) = (part(r), r.any_pose(size));
        // What is far from its own origin is brought back.
        let center = part.aabb(&Pose::IDENTITY).center();
        let back =
            Pose::from_translation(if center.length() > 1e3 { -at.rotate(center) } else { DVec3::ZERO });
        (part, back.unwrap().after(&at))
    };
    Body::compound((0..count).map(|_| place(r)).collect()).unwrap()
}

/// All parts where they stand.
fn parts<'a>(body: &'a Body, at: &Pose) -> Vec<(&'a Body, Pose)> {
    body.parts().iter().map(|(part, own)| (part, at.after(own))).collect()
}

#[test]
fn compounds_answer_as_all_pairs_of_their_parts() {
    let mut r = Random::new(4711);
    let (mut met, mut apart) = (0, 0);
    for round in 0..60 {
        let size = [2.0, 6.0, 20.0][round % 3];
        let (m, n) = (r.random_range(1..20), r.random_range(1..20));
        let (a, b) = (compound(&mut r, m, size), compound(&mut r, n, size));
        let (p, q) = (r.any_pose(1.0), r.any_pose(size));
        let mut nearest = f64::INFINITY;
        let mut touching = Vec::new();
        let mut listed = Vec::new();
        for (i, (body, at)) in parts(&a, &p).iter().enumerate() {
            for (j, (other, there)) in parts(&b, &q).iter().enumerate() {
                let pair = [i as u32, j as u32];
                nearest = nearest
                    .min(distance(body.at(at), other.at(there), &DistanceOptions::EXACT).interval.upper);
                if intersects(body.at(at), other.at(there)).is_touching() {
                    touching.push(pair);
                }
                let triangles = contacts(body.at(at), other.at(there));
                if !triangles.is_empty() {
                    listed.push((pair, triangles));
                }
            }
        }
        let found = distance(a.at(&p), b.at(&q), &DistanceOptions::EXACT);
        assert_eq!(found.interval.upper, nearest, "round {round}");
        match intersects(a.at(&p), b.at(&q)) {
            Intersection::Touching { features } => assert!(touching.contains(&features)),
            other @ (Intersection::Apart | Intersection::Undecided(_)) => {
                assert!(touching.is_empty() && other == Intersection::Apart, "round {round}: {other:?}");
            }
        }
        for tolerance in [0.5 * nearest, 2.0 * nearest] {
            let answer = within(a.at(&p), b.at(&q), tolerance);
            assert_eq!(answer.decided(), Some(nearest <= tolerance), "round {round}");
            if let Within::No { lower, .. } = answer {
                assert!(lower >= tolerance && lower <= nearest, "round {round}");
            }
        }
        let by_parts = contacts_of_parts(a.at(&p), b.at(&q));
        let by_parts: Vec<_> = by_parts.into_iter().map(|c| (c.parts, c.triangles)).collect();
        assert_eq!(by_parts, listed, "round {round}");
        let pairs: Vec<_> = listed.into_iter().map(|(pair, _)| pair).collect();
        assert_eq!(contacts(a.at(&p), b.at(&q)), pairs, "round {round}");
        for most in [0, 1, 2] {
            let some = contacts_up_to(a.at(&p), b.at(&q), most);
            assert!(some.found.iter().all(|pair| pairs.contains(pair)), "round {round}");
            assert_eq!((some.found.len(), some.complete), (most.min(pairs.len()), pairs.len() < most));
        }
        met += u32::from(nearest == 0.0);
        apart += u32::from(nearest > 0.0);
    }
    assert!(met > 10 && apart > 10, "{met} met, {apart} were apart: the test lost its point");
}

#[test]
fn points_and_rays_find_the_part_that_a_look_at_all_parts_finds() {
    let mut r = Random::new(42);
    let mut hits = 0;
    for round in 0..200 {
        let body = compound(&mut r, 12, 3.0);
        let (at, p) = (r.any_pose(2.0), r.point() * 6.0);
        let all = parts(&body, &at);
        let nearest = all.iter().map(|(b, at)| closest_point(b.at(at), p).distance.upper);
        assert_eq!(closest_point(body.at(&at), p).distance.upper, nearest.fold(f64::INFINITY, f64::min));
        let line = Ray::new(p, r.point() * 4.0 - p).unwrap();
        let first = all.iter().filter_map(|(b, at)| ray(b.at(at), &line, 100.0));
        let first = first.min_by(|g, h| g.t.total_cmp(&h.t)).map(|hit| hit.t);
        assert_eq!(ray(body.at(&at), &line, 100.0).map(|hit| hit.t), first, "round {round}");
        assert_eq!(ray_any(body.at(&at), &line, 100.0), first.is_some());
        let count: usize = all.iter().map(|(b, at)| ray_all(b.at(at), &line, 100.0).len()).sum();
        assert_eq!(ray_all(body.at(&at), &line, 100.0).len(), count);
        hits += u32::from(first.is_some());
        let solid = body.parts().iter().all(|(part, _)| contains(part.at(&Pose::IDENTITY), p).is_ok());
        if solid {
            let inside = all.iter().any(|(b, at)| contains(b.at(at), p) == Ok(true));
            assert_eq!(contains(body.at(&at), p), Ok(inside));
        }
    }
    assert!(hits > 20, "{hits} rays hit: the test lost its point");
}

/// A sheet of n² balls of radius 0.4, one apart.
fn sheet(n: u32) -> Body {
    let ball = Body::new(Sphere::new(DVec3::ZERO, 0.4).unwrap());
    let at = |i: u32| DVec3::new(f64::from(i % n), f64::from(i / n), 0.0);
    let place = |i: u32| (ball.clone(), Pose::from_translation(at(i)).unwrap());
    Body::compound((0..n * n).map(place).collect()).unwrap()
}

/// All the work of a query, for two sheets of n² balls.
fn nodes<T>(n: u32, up: f64, ask: impl Fn(&mut Work<'_>, &Body, &Pose) -> T) -> u64 {
    let mut work = Work::default();
    let sheet = sheet(n);
    ask(&mut work, &sheet, &Pose::from_translation(DVec3::new(0.3, 0.2, up)).unwrap());
    work.statistics().nodes
}

#[test]
fn ten_thousand_parts_on_ten_thousand_cost_n_log_n() {
    let here = Pose::IDENTITY;
    for n in [10, 100] {
        let parts = f64::from(n * n);
        let most = (60.0 * parts * parts.log2()) as u64;
        // So far apart that no two balls touch, and so near that each touches one.
        for up in [0.9, 0.7] {
            let asked = [
                nodes(n, up, |work, b, at| work.intersects(b.at(&here), b.at(at))),
                nodes(n, up, |work, b, at| work.distance(b.at(&here), b.at(at), &DistanceOptions::EXACT)),
                nodes(n, up, |work, b, at| work.within(b.at(&here), b.at(at), 0.05)),
                nodes(n, up, |work, b, at| work.penetration(b.at(&here), b.at(at))),
                nodes(n, up, |work, b, at| work.manifold(b.at(&here), b.at(at), 0.05)),
            ];
            for (verb, nodes) in asked.into_iter().enumerate() {
                assert!(nodes <= most, "verb {verb}, {n}² parts {up} apart: {nodes} nodes");
            }
        }
        // As wholes far apart: next to nothing.
        assert!(nodes(n, 50.0, |work, b, at| work.intersects(b.at(&here), b.at(at))) <= 1);
    }
}

#[test]
fn a_budget_for_parts_only_widens() {
    let (sheet, at) = (sheet(10), Pose::from_translation(DVec3::new(0.3, 0.2, 1.5)).unwrap());
    let truth = distance(sheet.at(&Pose::IDENTITY), sheet.at(&at), &DistanceOptions::EXACT).interval;
    let mut stopped = 0;
    for nodes in 0..40 {
        let mut work = Work::new(Budget::nodes(nodes));
        let Distance { interval, point_a, point_b, .. } =
            work.distance(sheet.at(&Pose::IDENTITY), sheet.at(&at), &DistanceOptions::EXACT);
        assert!(interval.lower <= truth.lower && truth.upper <= interval.upper, "{nodes}: {interval:?}");
        assert!((point_a.distance(point_b) - interval.upper).abs() < 1e-12);
        let near = work.within(sheet.at(&Pose::IDENTITY), sheet.at(&at), 0.5 * truth.lower);
        assert!(
            near.decided() != Some(true)
                && work.intersects(sheet.at(&Pose::IDENTITY), sheet.at(&at))
                    != Intersection::Touching { features: [0, 0] }
        );
        stopped += u32::from(interval != truth);
    }
    assert!(stopped > 5, "{stopped} were stopped: the test lost its point");
}

#[test]
fn moved_parts_are_where_they_were_moved_to() {
    let mut r = Random::new(7);
    let mut body = compound(&mut r, 9, 4.0);
    let before = body.clone();
    let poses: Vec<Pose> = (0..9).map(|_| r.any_pose(4.0)).collect();
    assert!(body.move_parts(&poses[..8]).is_err());
    body.move_parts(&poses).unwrap();
    let moved = before.parts().iter().zip(&poses).map(|((part, _), at)| (part.clone(), *at)).collect();
    let anew = Body::compound(moved).unwrap();
    let probe = Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap());
    let ask =
        |body: &Body| distance(body.at(&Pose::IDENTITY), probe.at(&Pose::IDENTITY), &DistanceOptions::EXACT);
    assert_eq!(ask(&body), ask(&anew));
    assert_ne!(ask(&body).interval, ask(&before).interval);
    assert!(Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap()).move_parts(&poses).is_err());
}

#[test]
fn boxes_in_constant_time_hold_the_exact_ones() {
    let mut r = Random::new(99);
    for round in 0..300 {
        let body = if round % 3 == 0 { compound(&mut r, 5, 10.0) } else { part(&mut r) };
        let at = r.any_pose([1.0, 1e3, 1e9][round % 3]);
        let (exact, bounds) = (body.aabb(&at), body.bounds(&at));
        assert!(bounds.union(exact) == bounds, "{bounds:?} does not hold {exact:?}");
    }
    let wall = Body::new(Halfspace::new(DVec3::Z, 0.0).unwrap());
    assert_eq!(wall.bounds(&Pose::IDENTITY), Aabb::EVERYTHING);
}

#[test]
fn half_spaces_find_the_lowest_corner_through_the_tree() {
    let mut r = Random::new(5);
    let terrain = |r: &mut Random| {
        let heights: Vec<DVec3> = (0..400)
            .map(|i| DVec3::new(f64::from(i % 20), f64::from(i / 20), r.random_range(-0.4..0.4)))
            .collect();
        let squares = (0..19u32).flat_map(|y| (0..19u32).map(move |x| 20 * y + x));
        let triangles = squares.flat_map(|k| [[k, k + 1, k + 20], [k + 1, k + 21, k + 20]]).collect();
        Body::new(Mesh::new(heights, triangles).unwrap())
    };
    let (mut met, mut opened) = (0, 0);
    for _ in 0..40 {
        let (mesh, at) = (terrain(&mut r), r.any_pose(5.0));
        let n = r.point();
        let low = mesh.mesh().unwrap().vertices().iter().map(|p| n.dot(at.apply(*p)));
        let low = low.fold(f64::INFINITY, f64::min);
        let offset = low + r.random_range(-1.0..1.0) * n.length();
        let wall = Body::new(Halfspace::new(n, offset).unwrap());
        let mut work = Work::default();
        let yes = work.intersects(mesh.at(&at), wall.at(&Pose::IDENTITY)).is_touching();
        opened += work.statistics().nodes;
        assert_eq!(yes, low <= offset);
        let gap = distance(mesh.at(&at), wall.at(&Pose::IDENTITY), &DistanceOptions::EXACT).interval;
        let expected = ((low - offset) / n.length()).max(0.0);
        assert!((gap.upper - expected).abs() < 1e-12 && gap.contains(expected), "{gap:?} {expected}");
        met += u32::from(yes);
    }
    assert!(met > 8 && met < 32, "{met} of 40 met");
    assert!(opened < 40 * 12, "{opened} nodes were opened of a tree of some hundred");
}

#[test]
fn a_wall_opens_the_parts_near_it_only() {
    let mut r = Random::new(6);
    let sheet = sheet(30);
    for round in 0..40 {
        let (at, n) = (r.any_pose(5.0), r.point() * 2.0);
        let heights =
            parts(&sheet, &at).into_iter().map(|(_, at)| n.dot(at.translation()) / n.length() - 0.4);
        let low = heights.fold(f64::INFINITY, f64::min);
        let expected = [0.0, 0.3, 50.0][round % 3];
        let wall = Body::new(Halfspace::new(n, (low - expected) * n.length()).unwrap());
        for swapped in [false, true] {
            let mut work = Work::default();
            let (a, b) = (sheet.at(&at), wall.at(&Pose::IDENTITY));
            let (a, b) = if swapped { (b, a) } else { (a, b) };
            let gap = work.distance(a, b, &DistanceOptions::EXACT).interval;
            let near = work.within(a, b, expected + 0.01).decided();
            assert!((gap.upper - expected).abs() < 1e-12, "round {round}: {gap:?} instead of {expected}");
            assert_eq!(near, Some(true), "round {round}");
            let opened = work.statistics().nodes;
            assert!(opened < 200, "round {round}: {opened} nodes of 900 parts");
        }
    }
}

#[test]
fn segments_as_parts_have_boxes_without_volume() {
    let segment = Segment::new(DVec3::ZERO, DVec3::X).unwrap();
    let cross =
        Body::compound(vec![(Body::new(segment), Pose::IDENTITY), (Body::new(DVec3::Y), Pose::IDENTITY)])
            .unwrap();
    let found = distance(
        cross.at(&Pose::IDENTITY),
        Body::new(DVec3::new(0.5, 0.0, 2.0)).at(&Pose::IDENTITY),
        &DistanceOptions::EXACT,
    );
    assert!(found.features == [0, 0] && found.interval.contains(2.0) && found.interval.width() < 1e-13);
}
