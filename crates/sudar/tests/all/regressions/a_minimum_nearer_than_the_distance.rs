//! A million metres from the origin, a point 3e-12 beside the apex of a cone was a local minimum at a
//! distance of 0 to 2e-15, for the nearest points were compared as coordinates in the world. Found by
//! relating the verbs to each other.

use sudar::query::{Body, DistanceOptions, distance, local_minima};
use sudar::{Cone, DQuat, DVec3, PointCloud, Pose};

#[test]
fn the_least_minimum_and_the_distance_meet() {
    let cone = Body::new(Cone::new(0.64, 0.42).unwrap());
    let mut beside = 0;
    for k in 0..60 {
        let turn = DQuat::from_scaled_axis(DVec3::new(0.3, -1.1, 0.7) * f64::from(k) * 0.1);
        let far = DVec3::new(124_551.645 + f64::from(k), -98_328.235, -987_329.303);
        let there = Pose::new(far, turn).unwrap();
        // The point rounds to a coordinate up to 1e-10 beside the apex.
        let point = Body::new(PointCloud::new(vec![there.apply(DVec3::Z * 0.42)]).unwrap());
        let plain = distance(cone.at(&there), point.at(&Pose::IDENTITY), &DistanceOptions::EXACT).interval;
        for minimum in local_minima(cone.at(&there), point.at(&Pose::IDENTITY), 1e-9) {
            let found = minimum.interval;
            assert!(found.lower <= plain.upper && plain.lower <= found.upper, "{found:?} {plain:?}");
            beside += usize::from(plain.lower > 0.0);
        }
    }
    assert!(beside > 10, "{beside}");
}
