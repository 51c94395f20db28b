//! Every static index beside brute force.

use sudar::glam::DVec3;

use super::StaticIndex;
use super::finder::Probe;
use super::static_index::{IndexKind, cells_and_portals};
use sudar::broad::BroadError;
use sudar::shape::{Aabb, Segment, Triangle};
use sudar_testing::Random;

type Draw = &'static dyn Fn(&mut Random) -> DVec3;

fn triangle(rng: &mut Random, draw: &dyn Fn(&mut Random) -> DVec3, size: f64) -> Triangle {
    let at = draw(rng);
    let mut near = || at + (draw(rng) - draw(rng)) * size;
    Triangle { a: near(), b: near(), c: near() }
}

fn probes(rng: &mut Random, draw: &dyn Fn(&mut Random) -> DVec3) -> Vec<Probe> {
    let mut probes = Vec::new();
    for k in 0..30 {
        let (p, q) = (draw(rng), draw(rng));
        // Short, long, and from beyond everything.
        let q = if k % 3 == 0 { p + (q - p) * 0.125 } else { q };
        let beyond = if k % 5 == 0 { (q - p) * 64.0 } else { DVec3::ZERO };
        probes.push(Probe::Segment(Segment { a: p - beyond, b: q + beyond }));
        probes.push(Probe::Box(Aabb { min: p.min(q), max: p.max(q) }));
    }
    let all = Aabb { min: DVec3::splat(-1e80), max: DVec3::splat(1e80) };
    let nowhere = Aabb { min: DVec3::splat(1e30), max: DVec3::splat(1e31) };
    probes.extend([Probe::Box(all), Probe::Box(nowhere)]);
    probes
}

fn compare(indices: &[Box<dyn StaticIndex>], probe: &Probe, what: &str) -> usize {
    let expected = indices[0].query(probe).triangles;
    for index in indices {
        assert_eq!(index.query(probe).triangles, expected, "{}, {what}, {probe:?}", index.kind().name());
    }
    expected.len()
}

#[test]
fn every_index_meets_what_brute_force_meets() {
    let kinds: [(&str, Draw, f64); 5] = [
        ("soup", &Random::point, 0.2),
        ("large", &Random::point, 2.0),
        // Few coordinates, so that much touches, lies in one plane or has no area.
        ("lattice", &|r| r.grid_point(2), 0.5),
        ("flat", &|r| r.grid_point(4).with_z(3.0), 0.3),
        ("far", &|r| r.point() * 1e-3 + DVec3::new(1e6, -2e6, 3e6), 0.3),
    ];
    for (what, draw, size) in kinds {
        let mut met = 0;
        for n in [0, 1, 9, 120] {
            let mut rng = Random::new(n);
            let triangles: Vec<Triangle> = (0..n).map(|_| triangle(&mut rng, draw, size)).collect();
            let mut indices: Vec<_> =
                IndexKind::ALL.iter().map(|kind| kind.build(triangles.clone()).unwrap()).collect();
            // Two cells that overlap, one apart, and much in none.
            let cell = |x: f64, y: f64| Aabb { min: DVec3::splat(x), max: DVec3::splat(y) };
            indices.push(
                cells_and_portals(triangles, vec![cell(-0.5, 0.5), cell(0.0, 2.5), cell(3.0, 4.0)]).unwrap(),
            );
            met += probes(&mut rng, draw).iter().map(|probe| compare(&indices, probe, what)).sum::<usize>();
        }
        assert!(met > 300, "{what}: {met}, the test lost its point");
    }
}

#[test]
fn a_triangle_that_is_none_is_refused_by_number() {
    let good = Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::Y };
    let refused = |bad: DVec3| {
        let triangles = vec![good, Triangle { a: bad, ..good }];
        IndexKind::ALL.map(|kind| kind.build(triangles.clone()).err())
    };
    assert_eq!(refused(DVec3::NAN), [Some(BroadError::NotANumber { object: 1 }); 5]);
    assert_eq!(refused(DVec3::splat(1e91)), [Some(BroadError::TooFar { object: 1 }); 5]);
    let inverted = Aabb { min: DVec3::ONE, max: DVec3::ZERO };
    let cells = vec![Aabb { min: DVec3::ZERO, max: DVec3::ONE }, inverted];
    assert_eq!(cells_and_portals(vec![good], cells).err(), Some(BroadError::Inverted { object: 1, axis: 0 }));
}

#[test]
fn indices_look_at_a_small_part_of_a_large_surface() {
    // A bumpy floor of 2·40² triangles.
    let height = |x: i32, y: i32| DVec3::new(x.into(), y.into(), f64::from((x * 7 + y * 3) % 5) * 0.25);
    let mut triangles = Vec::new();
    for (x, y) in (0..40).flat_map(|x| (0..40).map(move |y| (x, y))) {
        let [a, b, c, d] = [height(x, y), height(x + 1, y), height(x + 1, y + 1), height(x, y + 1)];
        triangles.extend([Triangle { a, b, c }, Triangle { a, b: c, c: d }]);
    }
    let indices: Vec<_> = IndexKind::ALL.iter().map(|kind| kind.build(triangles.clone()).unwrap()).collect();
    let here = DVec3::new(17.25, 22.5, 0.5);
    let small = Aabb { min: here, max: here + DVec3::ONE };
    let moving =
        Probe::moving_box(&small, &Aabb { min: here + DVec3::X, max: here + DVec3::new(2.0, 1.0, 1.0) });
    let down = Probe::Segment(Segment { a: here + 5.0 * DVec3::Z, b: here - 5.0 * DVec3::Z });
    for probe in [moving, down] {
        assert!(compare(&indices, &probe, "floor") > 0);
        for index in &indices[1..] {
            let tests = index.query(&probe).counters.tests;
            assert!(tests < 150, "{}: {tests} of {} triangles", index.kind().name(), triangles.len());
        }
    }
}
