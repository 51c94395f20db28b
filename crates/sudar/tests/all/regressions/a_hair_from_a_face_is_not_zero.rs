//! The point nearest to one that lies a hair beside a triangle rounds to that very point. Its distance was
//! given as zero exactly. Found by the oracle of mesh queries.

use sudar::query::{Body, closest_point};
use sudar::{DVec3, Pose, Triangle};

#[test]
fn the_interval_holds_a_distance_below_rounding() {
    let triangle = Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::Y };
    let mesh = Body::new(sudar::Mesh::from_triangle(triangle));
    // As `f64`, 0.1 and 0.9 are 0.1 + 5.55e-18 and 0.9 + 2.22e-17: beyond the edge x + y = 1 by 2.77e-17/√2.
    let point = DVec3::new(0.1, 0.9, 0.0);
    let found = closest_point(mesh.at(&Pose::IDENTITY), point).distance;
    assert!(found.lower <= 1.9e-17 && 2.0e-17 <= found.upper, "{found:?}");
    // On the edge it is zero.
    let found = closest_point(mesh.at(&Pose::IDENTITY), DVec3::new(0.25, 0.75, 0.0)).distance;
    assert!(found.lower == 0.0 && found.upper == 0.0, "{found:?}");
}
