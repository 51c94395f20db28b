//! Points, rays, half-spaces and chords of round solids in closed form and against searches.

mod inside {
    use glam::DVec3;

    use crate::kind::Kind;
    use crate::shape::{Cone, Cylinder, Ellipsoid};

    const SCALES: [i32; 5] = [-260, -60, 0, 60, 260];

    #[test]
    fn the_wall_and_the_caps_of_a_cylinder_belong_to_it_to_the_last_bit() {
        for k in SCALES.map(|e| f64::powi(2.0, e)) {
            let c = Cylinder { radius: 5.0 * k, half_length: 2.0 * k };
            // 3² + 4² = 5²
            let inside = |x: f64, y: f64, z: f64| c.contains(DVec3::new(x, y, z) * k);
            assert!(inside(3.0, -4.0, 2.0) && inside(-5.0, 0.0, -2.0));
            assert!(!inside(3.0f64.next_up(), -4.0, 2.0) && !inside(0.0, 0.0, 2.0f64.next_up()));
            assert!(!inside(3.0, 4.0f64.next_up(), 0.0));
        }
    }

    #[test]
    fn the_slope_and_the_apex_of_a_cone_belong_to_it_to_the_last_bit() {
        for k in SCALES.map(|e| f64::powi(2.0, e)) {
            let c = Cone { radius: 10.0 * k, half_length: 8.0 * k };
            // Half way up, at z = 0, the radius is 5.
            let inside = |x: f64, y: f64, z: f64| c.contains(DVec3::new(x, y, z) * k);
            assert!(inside(3.0, 4.0, 0.0) && inside(0.0, 0.0, 8.0) && inside(6.0, -8.0, -8.0));
            assert!(!inside(3.0f64.next_up(), 4.0, 0.0) && !inside(3.0, 4.0, f64::EPSILON));
            assert!(!inside(0.0, 0.0, 8.0f64.next_up()) && !inside(0.0, 1e-200, 8.0));
            assert!(!inside(6.0, -8.0, (-8.0f64).next_down()));
        }
    }

    #[test]
    fn the_surface_of_an_ellipsoid_belongs_to_it_to_the_last_bit() {
        for k in SCALES.map(|e| f64::powi(2.0, e)) {
            let e = Ellipsoid { radii: DVec3::new(7.0, 14.0, 3.5) * k };
            // (2/7)² + (6/14)² + (3/3.5)² = (2² + 3² + 6²)/7² = 1
            let inside = |x: f64, y: f64, z: f64| e.contains(DVec3::new(x, y, z) * k);
            assert!(
                inside(2.0, 6.0, 3.0)
                    && !inside(2.0, 6.0f64.next_up(), 3.0)
                    && !inside(2.0, 6.0, 3.0f64.next_up())
            );
            assert!(inside(7.0, 0.0, 0.0) && !inside(7.0, 1e-200, 0.0));
        }
    }

    #[test]
    fn sizes_far_apart_are_no_obstacle() {
        let needle = Cylinder { radius: 1e-80, half_length: 1e80 };
        assert!(needle.contains(DVec3::new(1e-80, 0.0, 1e80)));
        assert!(!needle.contains(DVec3::new(1e-80, 1e-90, 0.0)));
        let spike = Cone { radius: 1e-80, half_length: 1e80 };
        assert!(
            spike.contains(DVec3::new(5e-81, 0.0, 0.0)) && !spike.contains(DVec3::new(5e-81, 1e-96, 0.0))
        );
        let leaf = Ellipsoid { radii: DVec3::new(1e80, 1e-80, 1.0) };
        assert!(leaf.contains(DVec3::new(1e80, 0.0, 0.0)));
        assert!(!leaf.contains(DVec3::new(1e80, 1e-200, 0.0)));
    }
}

mod surface {
    use glam::DVec3;

    use crate::kind::Kind;
    use crate::pair::surface_point::tests::check_surface;
    use crate::pair::{Nearest, length};
    use crate::shape::{Cone, Cylinder, Round};
    use crate::testing::Random;

    /// Checks the nearest point of a body to random points: it is in the body up to rounding, and no point of the body
    /// in any direction is farther towards `p` than it (the angle there is obtuse), which proves it nearest.
    fn check_nearest(
        size: DVec3,
        support: impl Fn(DVec3) -> f64,
        inside: impl Fn(DVec3) -> bool,
        found: impl Fn(DVec3) -> Nearest,
    ) {
        let mut random = Random::new(51);
        for _ in 0..4000 {
            let p = random.point() * size * 2.0;
            let nearest = found(p);
            assert_eq!(nearest.distance_squared == 0.0, inside(p), "{p}");
            assert!(inside(nearest.b * (1.0 - 1e-13)), "{p} {nearest:?}");
            let away = p - nearest.b;
            if away != DVec3::ZERO {
                let unit = away / length(away);
                let room = support(unit) - unit.dot(nearest.b);
                // The direction is as rough as the point is close.
                let reach = size.max_element() + length(p);
                let rough = 4.0 * f64::EPSILON * reach / length(away);
                assert!(room <= (1e-13 + rough) * reach, "{p} {nearest:?} {room}");
            }
        }
    }

    #[test]
    fn cylinders_of_many_proportions() {
        for (radius, half_length) in [(1.0, 1.0), (1e-3, 1.0), (2.0, 1e-4), (1e-80, 1e-80), (1e80, 1e80)] {
            let c = Cylinder { radius, half_length };
            let support = |u: DVec3| radius * length(u.with_z(0.0)) + half_length * u.z.abs();
            let size = DVec3::new(radius, radius, half_length);
            check_nearest(size, support, |p| c.contains(p), |p| Round::Cylinder(c).closest_point(p));
            check_surface(size, |p| c.contains(p), |p| c.closest_surface_point(p));
        }
    }

    #[test]
    fn cones_of_many_proportions() {
        for (radius, half_length) in [(1.0, 1.0), (1e-3, 1.0), (2.0, 1e-2), (1e-60, 1e-60), (1e60, 1e60)] {
            let c = Cone { radius, half_length };
            let support =
                |u: DVec3| (radius * length(u.with_z(0.0)) - half_length * u.z).max(half_length * u.z);
            let size = DVec3::new(radius, radius, half_length);
            check_nearest(size, support, |p| c.contains(p), |p| Round::Cone(c).closest_point(p));
            check_surface(size, |p| c.contains(p), |p| c.closest_surface_point(p));
        }
    }

    #[test]
    fn known_points_of_a_cone() {
        // The wall of this cone falls 4 on 3: its normal is (4, 0, 3)/5; from (1.5, 0, 0) outward by 5.
        let c = Cone { radius: 3.0, half_length: 2.0 };
        let found = Round::Cone(c).closest_point(DVec3::new(5.5, 0.0, 3.0));
        assert!((found.b - DVec3::X * 1.5).length() < 1e-15 && (found.distance() - 5.0).abs() < 1e-15);
        assert_eq!(Round::Cone(c).closest_point(DVec3::new(0.0, 0.0, 7.0)).b, DVec3::Z * 2.0);
        assert_eq!(Round::Cone(c).closest_point(DVec3::new(0.0, 1.0, -7.0)).b, DVec3::new(0.0, 1.0, -2.0));
        assert_eq!(Round::Cone(c).closest_point(DVec3::new(0.0, 6.0, -6.0)).b, DVec3::new(0.0, 3.0, -2.0));
        // On the axis: the wall is as near as the base where 2 + z = (2 − z)·3/5, at z = −1/2.
        let low = c.closest_surface_point(DVec3::Z * -0.6);
        assert!((low.depth - 1.4).abs() < 1e-15 && low.normal == -DVec3::Z);
        let high = c.closest_surface_point(DVec3::Z * -0.4);
        assert!(
            (high.depth - 1.44).abs() < 1e-15 && (high.normal - DVec3::new(0.8, 0.0, 0.6)).length() < 1e-15
        );
    }
}

mod halfspace {
    use glam::DVec3;

    use crate::math::Interval;
    use crate::shape::{Cone, Cylinder, Ellipsoid, Halfspace, Round};

    fn sure(found: Interval, expected: f64, scale: f64) {
        assert!(found.contains(expected) && found.width() < 1e-13 * scale, "{found:?} {expected}");
    }

    #[test]
    fn lowest_points_of_all_three() {
        for k in [-200, 0, 200].map(|e| f64::powi(2.0, e)) {
            // The normal (0, 3, 4)/5, of some length; the plane is 10 below the origin.
            let plane = Halfspace { normal: DVec3::new(0.0, 3.0, 4.0) * 0.1, offset: -5.0 * k };
            // 5·(3/5) + 2·(4/5) = 4.6 below the origin; the cone's rim reaches (5·3 + 2·4)/5 as low.
            let cylinder = Cylinder { radius: 5.0 * k, half_length: 2.0 * k };
            sure(Round::Cylinder(cylinder).height_above(&plane), 5.4 * k, 10.0 * k);
            let cone = Cone { radius: 5.0 * k, half_length: 2.0 * k };
            sure(Round::Cone(cone).height_above(&plane), 5.4 * k, 10.0 * k);
            // Upside down the rim reaches (15 − 8)/5 = 1.4, the apex 1.6.
            let turned = Halfspace { normal: -plane.normal, ..plane };
            sure(Round::Cone(cone).height_above(&turned), 8.4 * k, 10.0 * k);
            // √((5·3/5)² + (5·4/5)²) = 5.
            let ellipsoid = Ellipsoid { radii: DVec3::new(1.0, 5.0, 5.0) * k };
            sure(Round::Ellipsoid(ellipsoid).height_above(&plane), 5.0 * k, 10.0 * k);
            // √((20·3/5)² + (6.25·4/5)²) = √(144 + 25) = 13: 3 deep.
            let ellipsoid = Ellipsoid { radii: DVec3::new(1.0, 20.0, 6.25) * k };
            sure(Round::Ellipsoid(ellipsoid).height_above(&plane), -3.0 * k, 30.0 * k);
        }
    }
}

mod rays_and_cones {
    use glam::DVec3;

    use crate::pair::ray::chord::tests::agrees_with_search;
    use crate::pair::{EntryPoint, START, length};
    use crate::shape::{Cone, Ray, Round};

    const FAR: f64 = f64::INFINITY;

    fn hit(origin: [f64; 3], direction: [f64; 3], k: f64) -> Option<EntryPoint> {
        let ray = Ray { origin: DVec3::from(origin) * k, direction: direction.into() };
        Round::Cone(Cone { radius: 3.0 * k, half_length: 2.0 * k }).ray(&ray, FAR)
    }

    #[test]
    fn from_above_below_and_the_side() {
        for k in [-200, 0, 200].map(|e| f64::powi(2.0, e)) {
            assert_eq!(
                hit([0.0, 0.0, 8.0], [0.0, 0.0, -3.0], k),
                Some(EntryPoint { t: 2.0 * k, normal: DVec3::Z })
            );
            assert_eq!(
                hit([1.0, 1.0, -8.0], [0.0, 0.0, 3.0], k),
                Some(EntryPoint { t: 2.0 * k, normal: -DVec3::Z })
            );
            // At z = 0 the radius is 1.5, and the wall falls 4 on 3: its normal is (4, 0, 3)/5.
            let side = hit([5.5, 0.0, 0.0], [-2.0, 0.0, 0.0], k);
            assert!(side.is_some_and(|hit| {
                (hit.t - 2.0 * k).abs() < 1e-15 * k
                    && (hit.normal - DVec3::new(0.8, 0.0, 0.6)).length() < 1e-15
            }));
            assert_eq!(
                hit([5.5, 0.0, 2.5], [-2.0, 0.0, 0.0], k),
                None,
                "through the mirror image above the apex"
            );
            assert_eq!(hit([0.0, 0.0, 8.0], [0.0, 0.0, 3.0], k), None);
            assert_eq!(hit([0.0, 0.0, -2.0], [0.0, 0.0, -3.0], k), Some(START));
            assert_eq!(hit([9.0, 0.0, 2.0], [-1.0, 0.0, 0.0], k).map(|hit| hit.t), Some(9.0 * k), "the apex");
            assert_eq!(hit([9.0, 0.0, 2.0f64.next_up()], [-1.0, 0.0, 0.0], k), None);
            // Straight down half way out, 1.5 from the axis: the wall is met at z = 0.
            assert!(
                hit([0.0, 1.5, 8.0], [0.0, 0.0, -4.0], k)
                    .is_some_and(|hit| (hit.t - 2.0 * k).abs() < 1e-15 * k)
            );
            // Tangent to the circle of radius 1.5 at z = 0.
            assert!(
                hit([1.5, -4.0, 0.0], [0.0, 1.0, 0.0], k)
                    .is_some_and(|hit| (hit.t - 4.0 * k).abs() < 1e-7 * k)
            );
            assert_eq!(hit([1.5f64.next_up(), -4.0, 0.0], [0.0, 1.0, 0.0], k), None);
        }
    }

    #[test]
    fn parallel_to_a_line_of_the_wall() {
        // (3, 0, −4) is the direction of the wall: inside by 1 in x it comes in where x = −(2 − z)·3/4: at z = 2/3.
        let found = hit([-4.0, 0.0, 14.0 / 3.0], [3.0, 0.0, -4.0], 1.0);
        assert!(found.is_some_and(|hit| (hit.t - 1.0).abs() < 1e-14), "{found:?}");
        assert_eq!(hit([-2.0, 0.0, 6.0], [3.0, 0.0, -4.0], 1.0), None);
    }

    #[test]
    fn searching_along_the_ray_agrees() {
        for (r, h) in [(1.0, 1.0), (3.0, 2.0), (1e-3, 1e2), (1e3, 1e-2), (1e-20, 1e-20), (1e40, 1e40)] {
            let cone = Cone { radius: r, half_length: h };
            // The height over the wall's planes: scaled by the sine and cosine of the slope.
            let size = f64::max(r, h);
            let slope = DVec3::new(2.0 * h / size, r / size, 0.0).normalize();
            let wall = |p: DVec3| slope.x * length(DVec3::new(p.x, p.y, 0.0)) - slope.y * (h - p.z);
            let outside = |p: DVec3| wall(p).max(-h - p.z).max(p.z - h);
            agrees_with_search(DVec3::new(r, r, h), |ray| Round::Cone(cone).ray(ray, FAR), outside);
        }
    }

    #[test]
    fn far_away_bodies_are_hit_where_they_are() {
        // From 10¹² away at a slant, towards points inside cones, cylinders and ellipsoids a few units large.
        let mut random = crate::testing::Random::new(45);
        let (cone, cylinder) = (
            Cone { radius: 3.0, half_length: 2.0 },
            crate::shape::Cylinder { radius: 3.0, half_length: 2.0 },
        );
        let ellipsoid = crate::shape::Ellipsoid { radii: DVec3::new(3.0, 2.0, 1.0) };
        for _ in 0..1000 {
            let target = random.point() * 0.3;
            let direction = random.point();
            let ray = Ray { origin: target - direction * 1e12, direction: direction * 1e12 };
            let hits = [
                Round::Cone(cone).ray(&ray, FAR),
                Round::Cylinder(cylinder).ray(&ray, FAR),
                Round::Ellipsoid(ellipsoid).ray(&ray, FAR),
            ];
            for hit in hits {
                assert!(hit.is_some_and(|hit| (hit.t - 1.0).abs() < 1e-11 / direction.length()
                    && hit.normal.dot(direction) < 1e-3));
            }
        }
    }
}

mod rays_and_cylinders {
    use glam::DVec3;

    use crate::pair::ray::chord::tests::agrees_with_search;
    use crate::pair::{EntryPoint, START, length};
    use crate::shape::{Cylinder, Round};
    use crate::testing::ray;

    const FAR: f64 = f64::INFINITY;

    #[test]
    fn along_the_axis_across_and_tangent_to_a_cylinder() {
        for k in [-60, 0, 60].map(|e| f64::powi(2.0, e)) {
            let c = Cylinder { radius: 5.0 * k, half_length: 2.0 * k };
            let hit = |origin: [f64; 3], direction| {
                Round::Cylinder(c).ray(&ray((DVec3::from(origin) * k).into(), direction), FAR)
            };
            assert_eq!(
                hit([3.0, 4.0, 8.0], [0.0, 0.0, -3.0]),
                Some(EntryPoint { t: 2.0 * k, normal: DVec3::Z })
            );
            assert_eq!(hit([3.0, 4.0f64.next_up(), 8.0], [0.0, 0.0, -3.0]), None);
            assert_eq!(hit([3.0, 4.0, 8.0], [0.0, 0.0, 3.0]), None);
            assert_eq!(
                hit([-9.0, 0.0, 2.0], [2.0, 0.0, 0.0]),
                Some(EntryPoint { t: 2.0 * k, normal: -DVec3::X })
            );
            assert_eq!(hit([-9.0, 0.0, 2.0f64.next_up()], [2.0, 0.0, 0.0]), None);
            assert_eq!(hit([1.0, 1.0, 1.0], [2.0, 0.0, 0.0]), Some(START));
            // (3, 4) is on the wall; (4, −3) is along it there.
            let tangent = |x: f64| hit([x - 8.0, 4.0 + 6.0, -1.0], [4.0, -3.0, 0.5]);
            assert!(tangent(3.0).is_some_and(|hit| (hit.t - 2.0 * k).abs() < 1e-7 * k));
            assert_eq!(tangent(3.0 + 4.0 * f64::EPSILON), None);
        }
    }

    #[test]
    fn searching_along_the_ray_agrees_for_cylinders() {
        for (r, h) in [(1.0, 1.0), (1e-3, 1e3), (1e3, 1e-3), (1e-20, 1e-20), (1e40, 1e40)] {
            let size = DVec3::new(r, r, h);
            let cylinder = Cylinder { radius: r, half_length: h };
            let wall = |p: DVec3| length(DVec3::new(p.x, p.y, 0.0)) - r;
            agrees_with_search(
                size,
                |ray| Round::Cylinder(cylinder).ray(ray, FAR),
                |p| wall(p).max(p.z.abs() - h),
            );
        }
    }
}

mod rays_and_ellipsoids {
    use glam::DVec3;

    use crate::pair::ray::chord::tests::agrees_with_search;
    use crate::pair::{EntryPoint, START, length};
    use crate::shape::{Ellipsoid, Ray, Round};

    const FAR: f64 = f64::INFINITY;

    #[test]
    fn along_the_axes_inside_and_tangent() {
        for k in [-200, 0, 200].map(|e| f64::powi(2.0, e)) {
            let e = Ellipsoid { radii: DVec3::new(1.0, 2.0, 3.0) * k };
            let hit = |origin: [f64; 3], direction: [f64; 3], max: f64| {
                let ray = Ray { origin: DVec3::from(origin) * k, direction: direction.into() };
                Round::Ellipsoid(e).ray(&ray, max * k)
            };
            assert_eq!(
                hit([0.0, 0.0, 9.0], [0.0, 0.0, -2.0], FAR),
                Some(EntryPoint { t: 3.0 * k, normal: DVec3::Z })
            );
            assert_eq!(hit([0.0, 0.0, 9.0], [0.0, 0.0, -2.0], 2.9), None);
            assert_eq!(hit([0.0, 0.0, 9.0], [0.0, 0.0, 2.0], FAR), None);
            assert_eq!(hit([0.0, 1.0, 1.0], [0.0, 0.0, 2.0], FAR), Some(START));
            let tangent = |y: f64| hit([-5.0, y, 0.0], [1.0, 0.0, 0.0], FAR);
            assert!(tangent(2.0).is_some_and(|hit| hit.t == 5.0 * k && hit.normal == DVec3::Y));
            assert_eq!(tangent(2.0f64.next_up()), None);
        }
    }

    #[test]
    fn searching_along_the_ray_agrees() {
        for radii in [[1.0, 2.0, 3.0], [1e-3, 1.0, 1e2], [1e-30, 2e-30, 1e-30], [1e50, 1e50, 3e50]] {
            let radii = DVec3::from(radii);
            // How far outside, about: the value grows as the distance along the shortest axis does.
            let outside = |p: DVec3| (length(p / radii) - 1.0) * radii.min_element();
            agrees_with_search(radii, |ray| Round::Ellipsoid(Ellipsoid { radii }).ray(ray, FAR), outside);
        }
    }
}

mod chords {
    use crate::testing::Random;
    use glam::DVec3;
    use rand::RngExt;

    use crate::kind::{Kind, Measured};
    use crate::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Ray};

    #[test]
    fn chords_hold_just_the_points_inside() {
        let (h, r) = (1.5, 0.7);
        let (cone_, cylinder_) = (Cone::new(r, h).unwrap(), Cylinder::new(r, h).unwrap());
        let capsule_ = Capsule::new(r, h).unwrap();
        let cuboid_ = Cuboid::new(DVec3::new(0.4, 0.9, 1.2)).unwrap();
        let ellipsoid_ = Ellipsoid::new(DVec3::new(0.5, 1.0, 2.0)).unwrap();
        let mut random = Random::new(5);
        let mut seen = [0; 5];
        for case in 0..4000 {
            let mut point = || DVec3::from([0; 3].map(|_| random.random_range(-2.0..2.0)));
            let (origin, mut direction) = (point(), point());
            if case % 4 == 0 {
                direction = DVec3::AXES[case / 4 % 3];
            }
            let line = Ray { origin, direction };
            let found = [
                cone_.chord(&line),
                cylinder_.chord(&line),
                capsule_.chord(&line),
                cuboid_.chord(&line),
                ellipsoid_.chord(&line),
            ];
            for k in -40..40 {
                let t = f64::from(k) * 0.1 + 0.013;
                let p = origin + direction * t;
                let near = p - DVec3::Z * p.z.clamp(-h, h);
                let inside = [
                    cone_.contains(p),
                    cylinder_.contains(p),
                    near.length() <= r,
                    p.abs().cmple(cuboid_.half).all(),
                    ellipsoid_.contains(p),
                ];
                for (shape, (chord, inside)) in found.iter().zip(inside).enumerate() {
                    let within = chord.is_some_and(|c| c.enter <= t && t <= c.exit);
                    assert_eq!(within, inside, "shape {shape} at {p}");
                    seen[shape] += usize::from(inside);
                }
            }
        }
        assert!(seen.iter().all(|&n| n > 2000), "{seen:?}");
    }
}
