//! Meshes of shapes: closed, outward, with corners on the surface, and as near as they say, by dense samples of either
//! surface and closed forms of the distance to the other.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]
#![expect(clippy::wildcard_enum_match_arm, reason = "most shapes are not round")]

use std::f64::consts::{PI, TAU};

use sudar::glam::DVec2;
use sudar::hull::convex_hull;
use sudar::mass::mass_properties;
use sudar::query::{Body, closest_point};
use sudar::{
    Capsule, Compound, Cone, Cuboid, Cylinder, DQuat, DVec3, Ellipsoid, Halfspace, Mesh, Pose, Segment,
    Shape, Solid, Sphere, Tessellation, TessellationError, Triangle,
};
use sudar_testing::Random;

/// Round bodies of any proportions, each with its size.
fn bodies() -> Vec<(Shape, f64)> {
    let mut all: Vec<(Shape, f64)> = vec![
        (Sphere::new(DVec3::ZERO, 1.0).unwrap().into(), 1.0),
        (Sphere::new(DVec3::new(5.0, -3.0, 2.0), 0.25).unwrap().into(), 0.25),
    ];
    for (r, h) in [(1.0, 1.0), (1.0, 50.0), (50.0, 1.0), (1.0, 1e-3), (1e-3, 1.0)] {
        let size = f64::max(r, h);
        all.push((Cylinder::new(r, h).unwrap().into(), size));
        all.push((Cone::new(r, h).unwrap().into(), size));
        all.push((Capsule::new(r, h).unwrap().into(), size));
    }
    let radii = [
        [1.0, 2.0, 3.0],
        [100.0, 1.0, 1.0],
        [1.0, 100.0, 100.0],
        [1.0, 1.0, 1000.0],
        [30.0, 1.0, 10.0],
        [1.0, 1e-4, 0.5],
    ];
    all.extend(radii.map(|radii| {
        let radii = DVec3::from(radii);
        (Ellipsoid::new(radii).unwrap().into(), radii.max_element())
    }));
    all
}

/// From a point to the segments of a line in the half-plane of distance from the axis and height.
fn to_profile(p: DVec3, line: &[[f64; 2]]) -> f64 {
    let at = DVec2::new(p.truncate().length(), p.z);
    let to = |w: &[[f64; 2]]| {
        let [a, b] = [DVec2::from(w[0]), DVec2::from(w[1])];
        let along = ((at - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        at.distance(a + along * (b - a))
    };
    line.windows(2).map(to).fold(f64::INFINITY, f64::min)
}

/// The distance of a point near an ellipsoid: the foot is at S²(S² + λ)⁻¹p for the greatest λ that puts it on the
/// surface, found by halving.
fn to_ellipsoid(p: DVec3, radii: DVec3) -> f64 {
    let squares = radii * radii;
    let foot = |lambda: f64| squares * p / (squares + lambda);
    let beyond = |lambda: f64| (foot(lambda) / radii).length_squared() > 1.0;
    let (mut low, mut high) = (-squares.min_element(), radii.max_element() * (p.length() + 1.0));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if beyond(middle) { low = middle } else { high = middle }
    }
    p.distance(foot(high))
}

fn to_surface(shape: &Shape, p: DVec3) -> f64 {
    match shape {
        Shape::Sphere(s) => (p.distance(s.center) - s.radius).abs(),
        Shape::Capsule(c) => {
            let inner = DVec3::Z * p.z.clamp(-c.half_length, c.half_length);
            (p.distance(inner) - c.radius).abs()
        }
        Shape::Cylinder(c) => {
            let (r, h) = (c.radius, c.half_length);
            to_profile(p, &[[0.0, -h], [r, -h], [r, h], [0.0, h]])
        }
        Shape::Cone(c) => {
            let (r, h) = (c.radius, c.half_length);
            to_profile(p, &[[0.0, -h], [r, -h], [0.0, h]])
        }
        Shape::Ellipsoid(e) => to_ellipsoid(p, e.radii),
        other => panic!("{other:?} is not round"),
    }
}

/// A point of the surface from two numbers between 0 and 1.
fn on_surface(shape: &Shape, u: f64, v: f64) -> DVec3 {
    let (sine, cosine) = libm::sincos(TAU * u);
    let around = DVec3::new(cosine, sine, 0.0);
    let ball = |turn: f64| around * libm::sin(PI * turn) - DVec3::Z * libm::cos(PI * turn);
    match shape {
        Shape::Sphere(s) => s.center + ball(v) * s.radius,
        Shape::Ellipsoid(e) => ball(v) * e.radii,
        Shape::Capsule(c) => {
            let z = DVec3::Z * c.half_length;
            match (3.0 * v).floor() {
                0.0 => ball(1.5 * v) * c.radius - z,
                1.0 => around * c.radius + z * (6.0 * v - 3.0),
                _ => ball(1.5 * v - 0.5) * c.radius + z,
            }
        }
        Shape::Cylinder(c) => {
            let z = DVec3::Z * c.half_length;
            match (3.0 * v).floor() {
                0.0 => around * c.radius * (3.0 * v) - z,
                1.0 => around * c.radius + z * (6.0 * v - 3.0),
                _ => around * c.radius * (3.0 - 3.0 * v) + z,
            }
        }
        Shape::Cone(c) => {
            let z = DVec3::Z * c.half_length;
            if v < 0.5 {
                return around * c.radius * (2.0 * v) - z;
            }
            around * c.radius * (2.0 - 2.0 * v) + z * (4.0 * v - 3.0)
        }
        other => panic!("{other:?} is not round"),
    }
}

fn volume(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere(s) => 4.0 / 3.0 * PI * s.radius.powi(3),
        Shape::Ellipsoid(e) => 4.0 / 3.0 * PI * e.radii.element_product(),
        Shape::Capsule(c) => PI * c.radius.powi(2) * (4.0 / 3.0 * c.radius + 2.0 * c.half_length),
        Shape::Cylinder(c) => PI * c.radius.powi(2) * 2.0 * c.half_length,
        Shape::Cone(c) => PI * c.radius.powi(2) * 2.0 * c.half_length / 3.0,
        other => panic!("{other:?} is not round"),
    }
}

fn made(shape: &Shape, tolerance: f64) -> Tessellation {
    let made = Mesh::from_shape(shape, tolerance).unwrap();
    assert!(made.distance <= tolerance, "{shape:?} {tolerance}: {}", made.distance);
    made
}

#[test]
fn meshes_are_closed_and_outward_inside_the_body_and_of_its_box() {
    for (shape, size) in bodies() {
        for part in [3.0, 0.3, 0.05, 3e-3] {
            let tolerance = part * size;
            let Tessellation { mesh, distance } = made(&shape, tolerance);
            assert!(mesh.topology().is_closed(), "{shape:?} {tolerance}");
            for &p in mesh.vertices() {
                let off = to_surface(&shape, p);
                let whole = size + p.length();
                assert!(off <= 1e-14 * whole, "{shape:?} {tolerance}: a corner {off} off at {p}");
            }
            let [own, round] = [mesh.aabb(), Body::new(shape.clone()).aabb(&Pose::IDENTITY)];
            assert!((own.min - round.min).abs().max_element() <= 1e-14 * (size + round.reach()), "{shape:?}");
            assert!((own.max - round.max).abs().max_element() <= 1e-14 * (size + round.reach()), "{shape:?}");
            // Inside, and no more volume is missing than a layer as thick as the distance has.
            let solid = Solid::new(mesh.into()).unwrap();
            let found = mass_properties(&solid.into()).unwrap().mass;
            let extent = round.extent();
            let box_area = 2.0 * (extent.x * extent.y + extent.y * extent.z + extent.z * extent.x);
            let missing = volume(&shape) - found;
            assert!(found > 0.0 && missing > 0.0 && missing <= distance * box_area, "{shape:?} {tolerance}");
        }
    }
}

/// How far samples of the true surface are from the mesh, and how far samples of the mesh from the true surface.
fn sampled(shape: &Shape, mesh: &Mesh, random: &mut Random) -> [f64; 2] {
    let body = Body::new(mesh.clone());
    let there = |p: DVec3| closest_point(body.at(&Pose::IDENTITY), p).point.distance(p);
    let out = (0..3000)
        .map(|_| there(on_surface(shape, 0.5 + 0.5 * random.number(), 0.5 + 0.499_999 * random.number())))
        .fold(0.0, f64::max);
    let mut back: f64 = 0.0;
    for t in mesh.triangles().iter().step_by(mesh.triangles().len().div_ceil(3000)) {
        let [a, b, c] = t.map(|k| mesh.vertices()[k as usize]);
        for p in [(a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0, (a + b + c) / 3.0] {
            back = back.max(to_surface(shape, p));
        }
    }
    [out, back]
}

#[test]
fn no_sample_is_farther_than_the_proved_distance() {
    let mut random = Random::new(41);
    for (shape, size) in bodies() {
        for part in [3.0, 0.3, 0.05, 3e-3, 3e-4] {
            let tolerance = part * size;
            let Tessellation { mesh, distance } = made(&shape, tolerance);
            let [there, back] = sampled(&shape, &mesh, &mut random);
            let rounding = 1e-14 * (size + mesh.aabb().reach());
            let message = format!("{shape:?} {tolerance}: {there} {back} {distance}");
            assert!(there <= distance + rounding && back <= distance + rounding, "{message}");
            if part < 1e-2 {
                let n = mesh.triangles().len();
                println!("{shape:?} {part}: {n} triangles, {:.3} of proved", there.max(back) / distance);
            }
        }
    }
}

/// Few triangles: of cylinders and cones those of the coarsest polygon with corners on both axes; of balls at most 1.5
/// times the fewest that equilateral triangles with the same circumradius could do with, 4.84·r/tolerance.
#[test]
fn no_more_triangles_than_needed() {
    let count = |shape: Shape, tolerance: f64| made(&shape, tolerance).mesh.triangles().len();
    for tolerance in [1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-6] {
        let sides = (1..).map(|k| 4 * k).find(|&n| 1.0 - (PI / f64::from(n)).cos() <= tolerance).unwrap();
        assert_eq!(count(Cylinder::new(1.0, 3.0).unwrap().into(), tolerance), 4 * sides as usize - 4);
        assert_eq!(count(Cone::new(1.0, 3.0).unwrap().into(), tolerance), 2 * sides as usize - 2);
    }
    for tolerance in [1e-2, 1e-3, 1e-4] {
        let found = count(Sphere::new(DVec3::ZERO, 1.0).unwrap().into(), tolerance) as f64;
        println!("ball, {tolerance}: {found}, {:.2}/tolerance", found * tolerance);
        assert!(found <= 1.5 * 4.84 / tolerance, "{found}");
    }
    assert_eq!(count(Sphere::new(DVec3::ZERO, 1.0).unwrap().into(), 0.5), 8);
    // A needle takes no more than a ball of its own size would.
    let needle = count(Ellipsoid::new(DVec3::new(100.0, 1.0, 1.0)).unwrap().into(), 0.01);
    assert!(needle < 3000, "{needle}");
}

#[test]
fn powers_of_two_scale_the_mesh_and_nothing_else() {
    for (shape, size) in bodies() {
        let base = made(&shape, 0.01 * size);
        for k in [-190, -20, 1, 200] {
            let by = 2f64.powi(k);
            let scaled = match &shape {
                Shape::Sphere(s) => Sphere::new(s.center * by, s.radius * by).unwrap().into(),
                Shape::Capsule(c) => Capsule::new(c.radius * by, c.half_length * by).unwrap().into(),
                Shape::Cylinder(c) => Cylinder::new(c.radius * by, c.half_length * by).unwrap().into(),
                Shape::Cone(c) => Cone::new(c.radius * by, c.half_length * by).unwrap().into(),
                Shape::Ellipsoid(e) => Ellipsoid::new(e.radii * by).unwrap().into(),
                other => panic!("{other:?} is not round"),
            };
            let other = made(&scaled, 0.01 * size * by);
            assert_eq!(other.mesh, base.mesh.mapped(|p| p * by).unwrap(), "{shape:?} 2^{k}");
            assert_eq!(other.distance, base.distance * by, "{shape:?} 2^{k}");
        }
    }
}

/// The same bits on every platform: a sum over all coordinates and indices.
#[test]
fn the_bits_are_those_of_any_platform() {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bits: u64| sum = (sum ^ bits).wrapping_mul(0x0100_0000_01b3);
    for (shape, size) in bodies() {
        let found = made(&shape, 0.01 * size);
        found.mesh.vertices().iter().flat_map(DVec3::to_array).for_each(|x| add((x + 0.0).to_bits()));
        found.mesh.triangles().iter().flatten().for_each(|&k| add(u64::from(k)));
        add(found.distance.to_bits());
    }
    assert_eq!(sum, 0xa5b5_bd31_d976_fc03, "{sum:#x}");
}

#[test]
fn flat_shapes_are_the_triangles_of_queries() {
    let points: Vec<DVec3> =
        (0..20).map(|i| DVec3::new(f64::from(i), f64::from(i * i % 7), f64::from(i % 3))).collect();
    let cube: Shape = Cuboid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap().into();
    let shapes: [Shape; 6] = [
        cube.clone(),
        convex_hull(&points).unwrap().into(),
        Triangle::new(DVec3::X, DVec3::Y, DVec3::Z).unwrap().into(),
        Segment::new(DVec3::X, DVec3::Y).unwrap().into(),
        DVec3::ONE.into(),
        made(&cube, 1.0).mesh.into(),
    ];
    for shape in shapes {
        let found = made(&shape, 1e-300);
        assert_eq!(Some(&found.mesh), Body::new(shape.clone()).mesh().map(|mesh| &**mesh), "{shape:?}");
        assert_eq!(found.distance, 0.0);
    }
}

#[test]
fn a_compound_is_its_parts_where_they_are() {
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 2.0) / 3.0, 0.7);
    let pose = Pose::new(DVec3::new(1.0, 2.0, 3.0), turn).unwrap();
    let ball: Shape = Sphere::new(DVec3::ZERO, 1.0).unwrap().into();
    let cube: Shape = Cuboid::new(DVec3::ONE).unwrap().into();
    let both = Compound::new(vec![(ball.clone(), pose), (cube, Pose::IDENTITY)]).unwrap().into();
    let found = made(&both, 0.01);
    let alone = made(&ball, 0.01);
    assert_eq!(found.mesh.triangles().len(), alone.mesh.triangles().len() + 12);
    assert!(found.distance > 0.0);
    for &p in &found.mesh.vertices()[..alone.mesh.vertices().len()] {
        assert!((p.distance(pose.translation()) - 1.0).abs() < 1e-14);
    }
}

#[test]
fn what_has_no_mesh_has_an_error() {
    let ball: Shape = Sphere::new(DVec3::ZERO, 1.0).unwrap().into();
    let error = |shape: &Shape, tolerance: f64| Mesh::from_shape(shape, tolerance).unwrap_err();
    for tolerance in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(error(&ball, tolerance), TessellationError::Tolerance { tolerance });
    }
    assert!(matches!(error(&ball, f64::NAN), TessellationError::Tolerance { .. }));
    let floor: Shape = Halfspace::new(DVec3::Z, 0.0).unwrap().into();
    assert_eq!(error(&floor, 1.0), TessellationError::Endless);
    let mut shapes: Vec<Shape> = bodies().into_iter().map(|(shape, _)| shape).collect();
    shapes.push(Compound::new(vec![(ball.clone(), Pose::IDENTITY)]).unwrap().into());
    for shape in shapes {
        for tolerance in [1e-11, 1e-17, 5e-324] {
            // The sides of a cylinder grow with the root alone: some have few enough for 1e-11.
            if let Err(found) = Mesh::from_shape(&shape, tolerance) {
                assert!(matches!(found, TessellationError::TooFine { .. }), "{shape:?} {found}");
            } else {
                assert!(tolerance > 1e-16, "{shape:?}");
            }
        }
    }
    // A ball so far out that its own coordinates are coarser.
    let far: Shape = Sphere::new(DVec3::X * 1e15, 1.0).unwrap().into();
    assert_eq!(error(&far, 0.01), TessellationError::TooFine { tolerance: 0.01 });
}

/// Sizes at the ends of the range, and parameters that no constructor lets through.
#[test]
fn nothing_panics() {
    let numbers = [0.0, 5e-324, 1e-200, 1e-60, 1.0, 1e60, 1e90, 1e200, f64::INFINITY, f64::NAN, -1.0];
    for r in numbers {
        for h in numbers {
            for tolerance in [5e-324, 1e-62, 0.3, 1e58, 1e300] {
                let shapes: [Shape; 6] = [
                    Shape::Sphere(Sphere { center: DVec3::splat(h), radius: r }),
                    Shape::Capsule(Capsule { radius: r, half_length: h }),
                    Shape::Cylinder(Cylinder { radius: r, half_length: h }),
                    Shape::Cone(Cone { radius: r, half_length: h }),
                    Shape::Ellipsoid(Ellipsoid { radii: DVec3::new(r, h, 1.0) }),
                    Shape::Ellipsoid(Ellipsoid { radii: DVec3::new(1.0, r, h) }),
                ];
                for shape in shapes {
                    if let Ok(found) = Mesh::from_shape(&shape, tolerance) {
                        assert!(found.distance <= tolerance && r > 0.0, "{shape:?} {tolerance}");
                    }
                }
            }
        }
    }
    let tiny = Sphere::new(DVec3::ZERO, 1e-60).unwrap().into();
    assert!(made(&tiny, 1e-62).mesh.topology().is_closed());
    let huge = Ellipsoid::new(DVec3::new(1e90, 1e60, 1e-60)).unwrap().into();
    assert!(made(&huge, 1e88).mesh.topology().is_closed());
}
