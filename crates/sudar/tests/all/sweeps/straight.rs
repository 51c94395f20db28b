//! Convex bodies that go straight over meshes.

use sudar::hull::convex_hull;
use sudar::motion::Motion;
use sudar::query::{Body, SweepOptions, sweep};
use sudar::shape::{Capsule, Cuboid, Cylinder, Mesh, Shape, Sphere};
use sudar::{DVec3, Pose};
use sudar_testing::Random;

/// A convex body that goes straight meets a mesh when it meets the first of its triangles, each by itself.
#[test]
fn a_straight_sweep_over_a_mesh_is_that_over_its_triangles() {
    let mut random = Random::new(41);
    let height = |x: f64, y: f64| 0.5 * (1.3 * x).sin() * (0.9 * y).cos();
    let corner = |i: u32| {
        let [x, y] = [i % 17, i / 17].map(|k| 0.4 * f64::from(k) - 3.2);
        DVec3::new(x, y, height(x, y))
    };
    let cell = |i: u32| {
        let a = i % 16 + 17 * (i / 16);
        [[a, a + 1, a + 18], [a, a + 18, a + 17]]
    };
    let mesh = Mesh::new((0..289).map(corner).collect(), (0..256).flat_map(cell).collect()).unwrap();
    let triangles: Vec<Body> = (0..512).map(|i| Body::new(mesh.triangle(i))).collect();
    let ground = Body::new(mesh);
    let bodies = [
        Body::new(Capsule::new(0.3, 0.5).unwrap()),
        Body::new(Cuboid::new(DVec3::new(0.3, 0.2, 0.6)).unwrap()),
        Body::new(Cylinder::new(0.3, 0.5).unwrap()),
        Body::new(Sphere::new(DVec3::ZERO, 0.4).unwrap()),
        Body::new(Shape::from(convex_hull(&random.cloud(24)).unwrap())),
    ];
    let mut hits = 0;
    for round in 0..200 {
        let body = &bodies[round % 5];
        let place = DVec3::new(random.within(-2.0, 2.0), random.within(-2.0, 2.0), random.within(1.5, 3.0));
        let start = Pose::new(place, random.rotation()).unwrap();
        let way = DVec3::new(random.within(-3.0, 3.0), random.within(-3.0, 3.0), random.within(-4.0, 0.5));
        let pose = random.pose(DVec3::new(0.3, -0.2, 0.1));
        let frame = if round % 2 == 0 { Pose::IDENTITY } else { pose };
        let (start, way) = (frame.after(&start), frame.rotate(way));
        let (flight, still) = (Motion::linear(&start, way).unwrap(), Motion::still(&frame));
        let options = SweepOptions::within(1e-9);
        let found = sweep(body.moving(&flight), ground.moving(&still), &options);
        let times = triangles.iter().filter_map(|one| {
            sweep(body.moving(&flight), one.moving(&still), &options).impact().map(|impact| impact.time.lower)
        });
        let first = times.fold(f64::INFINITY, f64::min);
        match found.impact() {
            Some(impact) => {
                hits += 1;
                assert!((impact.time.lower - first).abs() < 1e-7, "{round}: {impact:?} {first}");
            }
            None => assert!(first == f64::INFINITY, "{round}: {first}"),
        }
    }
    assert!(hits > 80, "{hits}");
}
