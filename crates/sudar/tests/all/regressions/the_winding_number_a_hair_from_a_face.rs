//! A hair from a face, the sign of its height was what rounding made of it, and the winding number that of
//! the other side, off by one; in the face itself it was that of one side only. Found by the oracle of mesh
//! queries.

use sudar::math::Fraction;
use sudar::query::{Body, contains_by_winding, winding_number};
use sudar::{DVec3, Mesh, Pose, Triangle};

#[test]
fn it_is_that_of_the_right_side() {
    let (mut before, mut behind) = (0, 0);
    // The face lies in the plane x + y + z = 1 and is seen from its front where the sum is greater.
    let mesh = Body::new(Mesh::from_triangle(Triangle { a: DVec3::X, b: DVec3::Y, c: DVec3::Z }));
    let inside = (1..20).flat_map(|i| (1..20 - i).map(move |j| [i, j, 20 - i - j]));
    for p in inside.map(|p| DVec3::from(p.map(|i| f64::from(i) / 20.0))) {
        let sum = &(&Fraction::from(p.x) + &Fraction::from(p.y)) + &Fraction::from(p.z);
        let height = &sum - &Fraction::from(1.0);
        let number = winding_number(mesh.at(&Pose::IDENTITY), p, 0.0);
        if height.is_zero() {
            assert!(number.contains(0.5) && number.contains(-0.5), "{p}: {number:?}");
            assert_eq!(contains_by_winding(mesh.at(&Pose::IDENTITY), p).inside, Some(true));
            continue;
        }
        // Half the sphere but for the height, of some 1e-17, in units of the way to the edges, which are 0.04 away.
        let expected = if height.is_negative() { 0.5 } else { -0.5 };
        assert!((number.lower - expected).abs() < 1e-12 && number.width() < 1e-12, "{p}: {number:?}");
        (before, behind) = if expected < 0.0 { (before + 1, behind) } else { (before, behind + 1) };
    }
    assert!(before > 10 && behind > 10, "{before} {behind}");
}
