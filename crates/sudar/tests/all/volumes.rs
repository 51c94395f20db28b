//! Bounding volumes: what the trait promises, and that fits contain every point, in exact arithmetic.

use sudar::math::{Fraction, FractionVec3};
use sudar::volume::{ObbFit, fit_obb, ritter_sphere, smallest_sphere};
use sudar::{Aabb, Obb, Sphere};
use sudar_testing::volumes::{clouds, keeps_its_promises};

#[test]
fn boxes_along_the_axes_keep_what_the_trait_promises() {
    keeps_its_promises::<Aabb>(1);
}

#[test]
fn oriented_boxes_keep_what_the_trait_promises() {
    keeps_its_promises::<Obb>(2);
}

#[test]
fn spheres_keep_what_the_trait_promises() {
    keeps_its_promises::<Sphere>(3);
}

#[test]
fn every_fit_contains_every_point_exactly() {
    for (name, points) in clouds() {
        for fit in ObbFit::ALL {
            let Obb { center, axes, half } = fit_obb(&points, fit).unwrap();
            // p = center + axes·u with |u| ≤ half, by Cramer's rule.
            let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis].map(FractionVec3::from);
            let det = x.dot(&y.cross(&z));
            let most = half.to_array().map(|half| &Fraction::from(half) * &det);
            for p in &points {
                let way = &FractionVec3::from(*p) - &FractionVec3::from(center);
                let u = [way.dot(&y.cross(&z)), way.dot(&z.cross(&x)), way.dot(&x.cross(&y))];
                let inside = |(u, most): (&Fraction, &Fraction)| {
                    !(u - most).is_positive() && !(u + most).is_negative()
                };
                assert!(u.iter().zip(&most).all(inside), "{name}, {fit:?}: {p}");
            }
        }
    }
    assert_eq!(fit_obb(&[], ObbFit::Points), None);
}

#[test]
fn every_sphere_contains_every_point_exactly() {
    for (name, points) in clouds() {
        let (smallest, ritter) = (smallest_sphere(&points).unwrap(), ritter_sphere(&points).unwrap());
        for p in &points {
            let holds = |sphere: &Sphere| {
                let way = &FractionVec3::from(*p) - &FractionVec3::from(sphere.center);
                let radius = Fraction::from(sphere.radius);
                way.dot(&way) <= &radius * &radius
            };
            assert!(holds(&smallest) && holds(&ritter), "{name}: {p}");
        }
        assert!(smallest.radius <= ritter.radius * (1.0 + 1e-12), "{name}");
    }
    assert!(smallest_sphere(&[]).is_none() && ritter_sphere(&[]).is_none());
}
