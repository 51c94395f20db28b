//! The same question of bodies that are given in different ways.

use std::sync::Arc;

use rand::RngExt;
use sudar::query::{Body, LocalMinimum, contains, local_minima};
use sudar::{Cuboid, DVec3, Pose, Solid};
use sudar_testing::Random;

use super::mesh;
use super::random::{KINDS, Kind};

fn apart(found: &[LocalMinimum]) -> Vec<f64> {
    let distance = |m: &LocalMinimum| m.point_a.distance(m.point_b);
    found.iter().filter(|m| m.interval.upper > 0.0).map(distance).collect()
}

fn agree(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(d, e)| (d - e).abs() < 1e-11)
}

/// A box is taken as a whole, by distances of its support mapping; the solid of its twelve triangles by pairs of
/// triangles and what lies inside. Where they meet, the one counts common parts, the other lines on its surface.
#[test]
fn a_box_and_the_solid_of_its_triangles_have_the_same_minima_apart() {
    let mut count = 0;
    for kind in KINDS {
        for seed in 0..60 {
            let mut random = Random::new(500 + seed);
            let body = Body::new(mesh(&kind.soup(&mut random)));
            let mut whole = |least: i32, most: i32| f64::from(random.random_range(least..=most));
            let cuboid = Cuboid::new(DVec3::new(whole(1, 6), whole(1, 6), whole(1, 6)) * 0.5).unwrap();
            let pose = Pose::from_translation(DVec3::new(whole(-9, 9), whole(-9, 9), whole(-9, 9))).unwrap();
            let (as_whole, as_solid) = (Body::new(cuboid), Body::new(Solid::from(cuboid)));
            let [one, other] =
                [&as_whole, &as_solid].map(|b| local_minima(body.at(&Pose::IDENTITY), b.at(&pose), 15.0));
            assert!(agree(&apart(&one), &apart(&other)), "{kind:?} {seed}\n{one:?}\n{other:?}");
            assert_eq!(one.len() == apart(&one).len(), other.len() == apart(&other).len(), "{kind:?} {seed}");
            count += one.len();
        }
    }
    assert!(count > 500);
}

/// Between solids count those minima of their surfaces where a small step from either point towards the other is
/// outside. Boxes of whole coordinates have nothing else within the step.
#[test]
fn minima_of_solids_are_those_of_surfaces_that_lead_outward() {
    let (mut inward, mut outward) = (0, 0);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let meshes = [(); 2].map(|()| mesh(&Kind::Boxes.soup(&mut random)));
        let surfaces = meshes.clone().map(Body::new);
        let solids = meshes.map(|mesh| Body::new(Solid::new(Arc::new(mesh)).unwrap()));
        let ask = |[a, b]: &[Body; 2]| local_minima(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY), 6.0);
        let leads_out = |m: &LocalMinimum| {
            let step = m.normal.unwrap_or(DVec3::ZERO) * 1e-6;
            let inside = |body: &Body, p: DVec3| contains(body.at(&Pose::IDENTITY), p).unwrap();
            !inside(&solids[0], m.point_a + step) && !inside(&solids[1], m.point_b - step)
        };
        let mut expected = ask(&surfaces);
        let all = expected.len();
        expected.retain(|m| m.interval.upper == 0.0 || leads_out(m));
        inward += all - expected.len();
        outward += expected.len();
        let found = ask(&solids);
        assert!(agree(&apart(&found), &apart(&expected)), "{seed}\n{found:?}\n{expected:?}");
    }
    assert!(inward > 10 && outward > 500, "{inward} {outward}");
}
