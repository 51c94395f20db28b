//! What the tests of this room share.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::glam::{DQuat, DVec3};

use super::Kdop;
use sudar::math::{Fraction, FractionVec3, Pose};
use sudar::volume::{Relative, Volume};

/// A source of points, the same for the same seed.
pub struct Random(Pcg64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    /// A number of −1..1.
    pub fn number(&mut self) -> f64 {
        self.0.random_range(-1.0..1.0)
    }

    /// A point of the cube −1..1.
    pub fn point(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    /// A point with whole coordinates of at most `reach`.
    pub fn grid_point(&mut self, reach: i32) -> DVec3 {
        (self.point() * (f64::from(reach) + 0.5)).round()
    }

    /// A rotation and a translation of up to 1.
    pub fn pose(&mut self) -> Pose {
        let turn = DQuat::from_scaled_axis(self.point() * 3.0);
        Pose::new(self.point(), turn).unwrap()
    }
}

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
            let turn = random.pose();
            let other = points[points.len() / 3];
            let pose = Pose::from_matrix(turn.rotation(), shared - turn.rotation() * other).unwrap();
            let motion = Relative::new(&Pose::IDENTITY, size, &pose, size);
            assert!(whole.meets(&whole.placed(&V::under(&motion))), "{name}: placed");
            assert!(whole.between(&whole.placed(&V::under(&motion))) >= 0.0);
            assert!(whole.overlaps(&V::fit(&[shared, shared + random.point() * size]).unwrap()), "{name}");
        }
        // Far away they do not meet.
        let away = Pose::from_translation(DVec3::new(9.0, 0.0, 0.0) * (size + f64::MIN_POSITIVE)).unwrap();
        let motion = Relative::new(&Pose::IDENTITY, size, &away, size);
        assert!(!whole.meets(&whole.placed(&V::under(&motion))), "{name}: far");
    }
}

fn exact(p: DVec3) -> FractionVec3 {
    FractionVec3 { x: p.x.into(), y: p.y.into(), z: p.z.into() }
}

pub fn exactly_in_kdop<const SLABS: usize>(p: DVec3, kdop: &Kdop<SLABS>) -> bool {
    (0..SLABS).all(|i| {
        let height = exact(Kdop::<SLABS>::direction(i)).dot(&exact(p));
        let (low, high) = (Fraction::from(kdop.low[i]), Fraction::from(kdop.high[i]));
        !(&height - &low).is_negative() && !(&height - &high).is_positive()
    })
}
