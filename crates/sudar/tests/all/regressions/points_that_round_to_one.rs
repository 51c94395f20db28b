//! Nearest points that round to the same coordinates have no direction from one to the other: the normal of
//! `penetration` was NaN, and so was the nearest point of a point beside a mesh. Found by relating the verbs
//! to each other.

use sudar::query::{Body, DistanceOptions, distance, penetration};
use sudar::{DVec3, Mesh, Pose, Triangle};

/// Far off, a corner 1e-11 beside a face rounds to a point of it.
#[test]
fn a_normal_is_a_unit_vector() {
    let far = DVec3::new(624_559.746_091_272_7, -758_334.801_644_918_3, 186_693.637_544_747_47);
    let triangle =
        |a: DVec3, b: DVec3, c: DVec3| Mesh::new(vec![far + a, far + b, far + c], vec![[0, 1, 2]]).unwrap();
    let mut apart = 0;
    for k in 0..400 {
        let t = f64::from(k) / 400.0;
        let slanted =
            triangle(DVec3::new(-1.0, -1.3, -0.7), DVec3::new(1.1, 0.2, 0.4 + t), DVec3::new(-0.3, 1.0, 0.6));
        let mesh = Body::new(slanted.clone());
        let corners = slanted.triangle(0).corners();
        let inside = (corners[0] + corners[1] + corners[2]) / 3.0;
        let other = Body::new(Mesh::new(vec![inside; 3], vec![[0, 1, 2]]).unwrap());
        let found = penetration(mesh.at(&Pose::IDENTITY), other.at(&Pose::IDENTITY));
        assert!((found.normal.length() - 1.0).abs() < 1e-9, "{found:?}");
        apart += usize::from(found.signed.lower > 0.0);
        let point = Body::new(inside);
        let found = distance(mesh.at(&Pose::IDENTITY), point.at(&Pose::IDENTITY), &DistanceOptions::EXACT);
        assert!(found.point_a.is_finite() && found.point_b.is_finite(), "{found:?}");
        let one = Body::new(Triangle::from(corners));
        let found = penetration(one.at(&Pose::IDENTITY), point.at(&Pose::IDENTITY));
        assert!((found.normal.length() - 1.0).abs() < 1e-9, "{found:?}");
    }
    assert!(apart > 10, "{apart}");
}
