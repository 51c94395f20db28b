//! Cylinders, cones, capsules and ellipsoids of all sizes and proportions against points and rays: what is told by one
//! function must fit what is told by the others.
//!
//! `SUDAR_ORACLE_ROUND=1000000 cargo test --release -p sudar --test all round_bodies` for a long run.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use rand::RngExt;
use sudar::pair::{EntryPoint, Nearest, SurfacePoint, closest_point_capsule, point_capsule, ray_capsule};
use sudar::shape::Round as Solid;
use sudar::{Capsule, Cone, Cylinder, DVec3, Ellipsoid, Ray};
use sudar_testing::Random;
use sudar_testing::oracle::setting;

const FAR: f64 = f64::INFINITY;

fn cases() -> u64 {
    setting("SUDAR_ORACLE_ROUND", 4000)
}

type RayTest = Box<dyn Fn(&Ray) -> Option<EntryPoint>>;
type ToSurface = Box<dyn Fn(DVec3) -> SurfacePoint>;

/// A body with all that can be asked of it.
struct Round {
    size: DVec3,
    holds: Box<dyn Fn(DVec3) -> bool>,
    ray: RayTest,
    nearest: Box<dyn Fn(DVec3) -> Nearest>,
    surface: Option<ToSurface>,
}

fn round(size: DVec3, solid: Solid) -> Round {
    Round {
        size,
        holds: Box::new(move |p| solid.contains(p)),
        ray: Box::new(move |ray| solid.ray(ray, FAR)),
        nearest: Box::new(move |p| solid.closest_point(p)),
        surface: Some(Box::new(move |p| solid.closest_surface_point(p))),
    }
}

fn bodies(size: DVec3) -> [Round; 4] {
    let (r, h) = (size.x, size.z);
    let around = DVec3::new(r, r, h);
    let capsule = Capsule::new(r, h).unwrap();
    [
        round(around, Solid::Cylinder(Cylinder::new(r, h).unwrap())),
        round(around, Solid::Cone(Cone::new(r, h).unwrap())),
        round(size, Solid::Ellipsoid(Ellipsoid::new(size).unwrap())),
        Round {
            size: around + DVec3::Z * r,
            holds: Box::new(move |p| point_capsule(p, &capsule.axis(), r)),
            ray: Box::new(move |ray| ray_capsule(ray, &capsule, FAR)),
            nearest: Box::new(move |p| closest_point_capsule(p, &capsule.axis(), r)),
            surface: None,
        },
    ]
}

/// `|v|` for any size of it.
fn length(v: DVec3) -> f64 {
    let size = v.abs().max_element();
    if size == 0.0 { 0.0 } else { size * (v / size).length() }
}

fn check_points(body: &Round, p: DVec3) {
    let nearest = (body.nearest)(p);
    let inside = (body.holds)(p);
    let reach = length(p) + body.size.max_element();
    assert!(nearest.b.is_finite() && nearest.distance_squared >= 0.0, "{p} {nearest:?}");
    assert_eq!(nearest.b == p, inside || length(p - nearest.b) == 0.0, "{p} {nearest:?}");
    let Some(surface) = &body.surface else { return };
    let found = surface(p);
    assert!(found.point.is_finite() && (found.normal.length() - 1.0).abs() < 1e-14, "{p} {found:?}");
    assert!(if inside { found.depth >= 0.0 } else { found.depth <= 0.0 }, "{p} {found:?}");
    assert!((found.depth.abs() - length(p - found.point)).abs() <= 1e-14 * reach);
    if !inside {
        assert!((length(p - nearest.b) + found.depth).abs() <= 1e-14 * reach, "{p} {nearest:?} {found:?}");
    }
}

/// A ray towards a point inside must hit, on the surface, and before that point.
fn check_ray(body: &Round, origin: DVec3, target: DVec3, speed: f64) {
    let direction = target - origin;
    let ray = Ray { origin, direction: direction / length(direction) * speed };
    if ray.direction.abs().max_element() == 0.0 {
        return;
    }
    let found = (body.ray)(&ray);
    let hit = found.unwrap_or_else(|| panic!("{ray:?} misses {target} in {}", body.size));
    let (way, reach) = (length(direction), length(origin) + body.size.max_element());
    assert!(hit.t >= 0.0 && hit.t * speed <= way + 1e-14 * reach, "{ray:?} {hit:?}");
    if (body.holds)(origin) {
        assert!(hit == EntryPoint { t: 0.0, normal: DVec3::ZERO });
        return;
    }
    assert!((hit.normal.length() - 1.0).abs() < 1e-14 && hit.normal.is_finite(), "{ray:?} {hit:?}");
    let entry = ray.at(hit.t);
    let off = length(entry - (body.nearest)(entry).b);
    assert!(off <= 1e-13 * reach, "{ray:?} {hit:?} {off}");
}

#[test]
fn one_function_fits_the_others_at_all_sizes() {
    let mut random = Random::new(101);
    let mut rays = 0;
    for case in 0..cases() {
        let spread = [0.0, 1.0, 8.0, 40.0][case as usize % 4];
        let base = random.random_range(-40.0..40.0);
        let mut power = |spread: f64| f64::powf(10.0, base + random.random_range(-1.0..1.0) * spread);
        let size = DVec3::new(power(spread), power(spread), power(spread));
        let (away, speed) = (power(spread + 1.0), power(30.0));
        for body in bodies(size) {
            let mut p = random.point();
            if case % 3 == 0 {
                p[case as usize % 9 / 3] = 0.0;
            }
            check_points(&body, p * away);
            check_points(&body, p * body.size);
            let mut target = random.point() * body.size;
            for _ in 0..60 {
                if (body.holds)(target * 1.001) {
                    break;
                }
                target = random.point() * body.size * 0.9;
            }
            // From farther away the direction is too rough to hit for certain.
            let reach = (length(p * away) + body.size.max_element()) * 1e-15;
            if (body.holds)(target * 1.001) && reach < 1e-6 * body.size.min_element() {
                rays += 1;
                check_ray(&body, p * away, target, speed);
            }
        }
    }
    assert!(rays > cases(), "{rays}");
}
