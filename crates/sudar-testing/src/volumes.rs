//! What every bounding volume promises.

use sudar::volume::{Relative, Volume};
use sudar::{DQuat, DVec3, Pose};

use crate::{Random, moved};

/// Points of every kind that is hard on a fit: needles, plates, lines, repeated ones, on a grid, far out,
/// tiny and huge.
pub fn clouds() -> Vec<(String, Vec<DVec3>)> {
    let mut random = Random::new(1);
    let mut clouds = Vec::new();
    for k in [1e-9, 1.0, 1e9] {
        let mut add = |name: &str, points: Vec<DVec3>| clouds.push((format!("{name} of size {k}"), points));
        let mut cloud = |scale: DVec3, count: usize| -> Vec<DVec3> {
            let turn = DQuat::from_scaled_axis(random.point() * 3.0);
            (0..count).map(|_| turn * (random.point() * scale) * k).collect()
        };
        add("cloud", cloud(DVec3::ONE, 60));
        add("needle", cloud(DVec3::new(1.0, 1e-7, 1e-9), 40));
        add("plate", cloud(DVec3::new(1.0, 0.7, 1e-8), 40));
        add("plane", cloud(DVec3::new(1.0, 0.7, 0.0), 40));
        add("line", cloud(DVec3::X, 20));
        add("one point", cloud(DVec3::ONE, 1));
        add("two points", cloud(DVec3::ONE, 2));
        add("three points", cloud(DVec3::ONE, 3));
        add("far out", cloud(DVec3::ONE, 30).iter().map(|p| *p + DVec3::new(1e6, -3e5, 7e5) * k).collect());
        add("repeated", cloud(DVec3::ONE, 5).repeat(6));
        add("grid", (0..50).map(|_| random.grid_point(2) * k).collect());
    }
    clouds
}

/// Whether the trait's promises hold on all clouds: fits contain, unions contain, placed volumes contain what
/// moved, and volumes that share a point overlap.
pub fn keeps_its_promises<V: Volume>(seed: u64) {
    let mut random = Random::new(seed);
    assert!(V::fit(&[]).is_none());
    for (name, points) in clouds() {
        let (front, back) = points.split_at(points.len() / 2);
        let whole = V::fit(&points).unwrap();
        assert!(whole.volume() >= 0.0 && whole.extents().min_element() >= 0.0, "{name}");
        assert!(points.iter().all(|&p| whole.holds(p)), "{name}");
        if let (Some(first), Some(second)) = (V::fit(front), V::fit(back)) {
            let merged = first.merged(&second);
            assert!(points.iter().all(|&p| merged.holds(p)), "{name}: merged");
        }
        let size = points.iter().fold(0.0, |most: f64, p| most.max(p.abs().max_element()));
        for &shared in points.iter().take(6) {
            // The body moved so that one of its points falls on a point of the body that stays.
            let turn = random.turned(DVec3::ZERO);
            let other = points[points.len() / 3];
            let pose = Pose::from_matrix(turn.rotation(), shared - turn.rotation() * other).unwrap();
            let motion = Relative::new(&Pose::IDENTITY, size, &pose, size);
            assert!(whole.meets(&whole.placed(&V::under(&motion))), "{name}: placed");
            assert!(whole.between(&whole.placed(&V::under(&motion))) >= 0.0);
            assert!(whole.overlaps(&V::fit(&[shared, shared + random.point() * size]).unwrap()), "{name}");
        }
        // Far away they do not meet.
        let away = moved(DVec3::X * 9.0 * (size + f64::MIN_POSITIVE));
        let motion = Relative::new(&Pose::IDENTITY, size, &away, size);
        assert!(!whole.meets(&whole.placed(&V::under(&motion))), "{name}: far");
    }
}
