//! Degenerate bodies and extreme sizes: finite answers that keep their promises.

use glam::DVec3;
use rand::RngExt;
use sudar::query::{Body, Contact, manifold, penetration};
use sudar::{Capsule, Cone, Cylinder, Ellipsoid, Pose, Segment, Sphere, Triangle};
use sudar_testing::{Random, at};

use super::{cuboid, turned, zoo};

fn is_sound(c: &Contact) -> bool {
    let finite = c.point_a.is_finite() && c.point_b.is_finite() && c.depth.is_finite();
    finite && (c.normal.length() - 1.0).abs() < 1e-9
}

/// Bodies of one size, some without area or volume.
fn bodies(size: f64) -> Vec<Body> {
    let p = |x: f64, y: f64, z: f64| DVec3::new(x, y, z) * size;
    let triangle = |a, b, c| Body::new(Triangle::new(a, b, c).unwrap());
    vec![
        cuboid(size, size, size),
        cuboid(size, size, size * 1e-9),
        triangle(p(0.0, 0.0, 0.0), p(1.0, 0.0, 0.0), p(0.0, 1.0, 0.0)),
        triangle(p(0.0, 0.0, 0.0), p(1.0, 1.0, 1.0), p(0.5, 0.5, 0.5)),
        triangle(p(1.0, 0.0, 0.0), p(1.0, 0.0, 0.0), p(1.0, 0.0, 0.0)),
        Body::new(Segment::new(p(-1.0, 0.0, 0.0), p(1.0, 0.0, 0.0)).unwrap()),
        Body::new(p(0.0, 0.5, 0.0)),
        Body::new(Sphere::new(DVec3::ZERO, size).unwrap()),
        Body::new(Capsule::new(size * 0.5, size).unwrap()),
        Body::new(Cylinder::new(size, size).unwrap()),
        Body::new(Cone::new(size, size).unwrap()),
        Body::new(Ellipsoid::new(p(1.0, 0.5, 0.25)).unwrap()),
    ]
}

#[test]
fn bodies_of_all_sizes_in_one_place_and_nearby() {
    let sizes = [1e-80, 1e-23, 1e-6, 1.0, 1e6, 1e60];
    for large in sizes {
        for small in sizes.into_iter().filter(|s| *s <= large) {
            for a in &bodies(large) {
                for b in &bodies(small) {
                    for offset in [DVec3::ZERO, DVec3::Z * (large + small), DVec3::new(1.0, 0.0, 0.5) * large]
                    {
                        let pose = Pose::from_translation(offset).unwrap();
                        let contacts = manifold(a.at(&Pose::IDENTITY), b.at(&pose), small);
                        let what = format!("{:?} {:?} {offset} {contacts:?}", a.shape(), b.shape());
                        assert!(contacts.len() <= 4 && contacts.iter().all(is_sound), "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn resting_bodies_keep_their_four_contacts_while_rounding_tilts_them() {
    let mut rng = Random::new(31);
    let bodies = [cuboid(1.0, 0.5, 0.25), Body::new(Cylinder::new(0.5, 0.25).unwrap())];
    for body in &bodies {
        for tilt in [0.0, 1e-16, 1e-14, 1e-12, 1e-9, 1e-6] {
            // Gaps too, from those that rounding hides to those it does not.
            for depth in [1e-3, 1e-9, 1e-14, 0.0, -1e-15, -1e-14, -1e-13, -1e-12, -1e-11, -1e-9, -1e-6] {
                for _ in 0..20 {
                    let all = rng.any_pose(3.0);
                    let lean =
                        turned(tilt, DVec3::new(rng.random(), rng.random(), 0.01), DVec3::Z * (0.25 - depth));
                    let spin = turned(rng.random_range(0.0..6.0), DVec3::Z, DVec3::ZERO);
                    let (ground, pose) = (all.after(&at(0.0, 0.0, -1.0)), all.after(&lean.after(&spin)));
                    let contacts = manifold(cuboid(3.0, 3.0, 1.0).at(&ground), body.at(&pose), 1e-5);
                    let what = format!("{:?} {tilt} {depth} {contacts:?}", body.shape());
                    assert_eq!(contacts.len(), 4, "{what}");
                    for c in &contacts {
                        // The far end of a body 1 from its middle is up by no more than the tilt.
                        assert!((c.depth - depth).abs() < 2.0 * tilt + 1e-9, "{what}");
                        assert!((all.unrotate(c.normal) - DVec3::Z).length() < 2.0 * tilt + 1e-9, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn bodies_far_from_the_origin_have_contacts_as_good_as_their_coordinates() {
    let mut rng = Random::new(32);
    let zoo = zoo(&mut rng);
    for (name_a, a) in &zoo {
        for (name_b, b) in &zoo {
            let far = DVec3::new(1e6, -2e6, 3e6);
            let place = |pose: Pose| Pose::from_matrix(pose.rotation(), pose.translation() + far).unwrap();
            let (pose_a, pose_b) = (place(rng.any_pose(0.5)), place(rng.any_pose(0.5)));
            let found = penetration(a.at(&pose_a), b.at(&pose_b));
            let contacts = manifold(a.at(&pose_a), b.at(&pose_b), 0.5);
            let what = format!("{name_a}-{name_b} {found:?} {contacts:?}");
            assert_eq!(contacts.is_empty(), found.signed.lower > 0.5, "{what}");
            assert!(contacts.iter().all(is_sound), "{what}");
            if let Some(c) = contacts.first() {
                // An ulp of 3e6 is 5e-10.
                assert!((c.depth + found.signed.lower).abs() < 1e-7, "{what}");
            }
        }
    }
}

/// Fourth powers of such coordinates overflow.
#[test]
fn boxes_near_the_end_of_the_range() {
    let (large, small) = (cuboid(1e80, 1e80, 1e80), cuboid(1e-80, 1e-80, 1e-80));
    let contacts = manifold(large.at(&Pose::IDENTITY), small.at(&at(1e80, 0.0, 5e79)), 0.0);
    assert!(contacts.iter().all(is_sound), "{contacts:?}");
}
