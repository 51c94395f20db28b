//! Bodies without extent, far apart for their size, were passed by in `f32` when it was asked whether they
//! are within their distance. Found by the oracle of mesh queries and by fuzzing.

use sudar::query::{Body, Within, within};
use sudar::{DVec3, Mesh, Pose};

#[test]
fn they_are_within_their_distance_and_no_less() {
    for scale in [1e-80, 1e-20, 1.0, 1e20, 2_f64.powi(224)] {
        let point = |p: DVec3| Body::new(Mesh::new(vec![p * scale; 3], vec![[0, 1, 2]]).unwrap());
        // 3, 4 and 0 apart.
        let (a, b) = (point(DVec3::ONE), point(DVec3::new(4.0, 5.0, 1.0)));
        let ask = |tolerance: f64| within(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY), tolerance);
        let distance = (DVec3::ONE * scale).distance(DVec3::new(4.0, 5.0, 1.0) * scale);
        for times in [1.0 + 1e-9, 1.5, 1e3, 1e9] {
            assert!(matches!(ask(distance * times), Within::Yes { .. }), "{scale:e} {times}");
        }
        for times in [1.0 - 1e-9, 1.0 - 5e-6, 0.5, 0.0] {
            let Within::No { lower, .. } = ask(distance * times) else { panic!("{scale:e} {times}") };
            assert!(lower <= distance * (1.0 + 1e-15), "{scale:e} {times}: {lower:e}");
        }
    }
}
