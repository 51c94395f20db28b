//! Scenes on which broad phases go wrong or get slow.

use rand::RngExt;
use sudar::glam::DVec3;

use sudar::shape::Aabb;
use sudar_testing::Random;

/// How boxes are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Uniform,
    Clustered,
    OnePoint,
    Planar,
    ManySizes,
    OneHuge,
    FarAway,
    TouchingLattice,
    OneUlpApart,
}

impl Kind {
    pub const ALL: [Self; 9] = [
        Self::Uniform,
        Self::Clustered,
        Self::OnePoint,
        Self::Planar,
        Self::ManySizes,
        Self::OneHuge,
        Self::FarAway,
        Self::TouchingLattice,
        Self::OneUlpApart,
    ];
}

/// Makes boxes of a kind.
pub(super) struct Boxes {
    pub rng: Random,
    kind: Kind,
    side: f64,
    drawn: usize,
}

impl Boxes {
    /// For about `n` boxes.
    pub fn new(kind: Kind, n: usize, seed: u64) -> Self {
        Self { rng: Random::new(seed), kind, side: 1.6 * (n as f64).cbrt(), drawn: 0 }
    }

    fn cube(&mut self, side: f64) -> DVec3 {
        let mut one = || self.rng.random_range(0.0..side);
        DVec3::new(one(), one(), one())
    }

    /// The next box.
    pub fn draw(&mut self) -> Aabb {
        let side = self.side;
        self.drawn += 1;
        let (center, size) = match self.kind {
            Kind::Uniform => (self.cube(side), 1.0),
            Kind::Clustered => {
                let cluster = DVec3::splat(self.rng.random_range(0..3) as f64 * 20.0 * side);
                (cluster + self.cube(0.5 * side), 1.0)
            }
            Kind::OnePoint => (DVec3::splat(3.0), 1.0),
            Kind::Planar => (self.cube(side) * DVec3::new(2.0, 2.0, 0.0), 1.0),
            Kind::ManySizes => (self.cube(4.0 * side), libm::pow(10.0, self.rng.random_range(-3.0..1.0))),
            Kind::OneHuge if self.drawn % 50 == 7 => (self.cube(side), 1e4),
            Kind::OneHuge => (self.cube(side), 1.0),
            Kind::FarAway => (self.cube(side) + DVec3::new(1e9, -2e9, 3e9), 1.0),
            Kind::TouchingLattice | Kind::OneUlpApart => return self.lattice(),
        };
        let half = (self.cube(0.4) + DVec3::splat(0.8)) * (0.5 * size);
        Aabb { min: center - half, max: center + half }
    }

    /// Unit boxes side by side, some flat; of every second kind, some end an ulp before the next begins.
    fn lattice(&mut self) -> Aabb {
        let most = self.side as i32;
        let mut one = |most: i32| f64::from(self.rng.random_range(0..=most));
        let min = DVec3::new(one(most), one(most), one(most)) * 0.5;
        let mut max = min + DVec3::new(one(2), one(2), one(2)) * 0.5;
        if self.kind == Kind::OneUlpApart {
            let nudge = |x: f64, low: f64| if x > low { x.next_down() } else { x };
            max = DVec3::new(nudge(max.x, min.x), nudge(max.y, min.y), max.z);
        }
        Aabb { min, max }
    }

    /// Where a box of the kind is a step later.
    pub fn moved(&mut self, aabb: &Aabb) -> Aabb {
        match (self.kind, self.rng.random_range(0..8)) {
            (_, 0) => self.draw(),
            (Kind::TouchingLattice | Kind::OneUlpApart, _) => self.lattice(),
            _ => {
                let step = self.cube(0.2) - DVec3::splat(0.1);
                Aabb { min: aabb.min + step, max: aabb.max + step }
            }
        }
    }
}
