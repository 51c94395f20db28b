use glam::DQuat;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::*;
use crate::hull::convex_hull;
use crate::shape::{Capsule, Compound, Cone, Cuboid, Cylinder, Halfspace};

fn cells(n: u32) -> VoxelOptions {
    VoxelOptions { resolution: Resolution::Cells(n), ..VoxelOptions::default() }
}

struct Maker(Pcg64);

impl Maker {
    fn number(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    fn point(&mut self) -> DVec3 {
        DVec3::from([0; 3].map(|_| self.number(-1.0, 1.0)))
    }

    fn pose(&mut self) -> Pose {
        let turn = DQuat::from_axis_angle(self.point().normalize(), self.number(0.0, 3.0));
        Pose::new(self.point() * 5.0, turn).unwrap()
    }

    /// A ring whose thickness waves, of any proportions.
    fn ring(&mut self) -> Mesh {
        let (n, m) = (24u32, 12u32);
        let (thin, waves, depth) = (self.number(0.1, 0.6), self.number(1.0, 6.0).floor(), self.number(0.0, 0.5));
        let at = |i: u32, j: u32| {
            let turn = std::f64::consts::TAU;
            let (a, b) = (turn * f64::from(i % n) / f64::from(n), turn * f64::from(j % m) / f64::from(m));
            let r = thin * (1.0 + depth * libm::sin(waves * a));
            let out = 1.0 + r * libm::cos(b);
            DVec3::new(out * libm::cos(a), out * libm::sin(a), r * libm::sin(b))
        };
        let vertices = (0..n * m).map(|k| at(k / m, k % m)).collect();
        let number = |i: u32, j: u32| i % n * m + j % m;
        let cell = |k: u32| {
            let (i, j) = (k / m, k % m);
            let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
            [[a, b, c], [a, c, d]]
        };
        Mesh::new(vertices, (0..n * m).flat_map(cell).collect()).unwrap()
    }

    fn body(&mut self, kind: usize) -> Shape {
        let thin = DVec3::new(1.0, 1.0, [1.0, 0.3, 0.05][kind / 8 % 3]);
        let (r, h) = (self.number(0.1, 1.0), self.number(0.1, 1.0));
        match kind % 8 {
            0 | 1 => {
                let points: Vec<DVec3> = (0..4 + kind % 30).map(|_| self.point() * thin).collect();
                convex_hull(&points).unwrap().into()
            }
            2 => self.ring().into(),
            3 => Cone::new(r, h).unwrap().into(),
            4 => Cylinder::new(r, h).unwrap().into(),
            5 => Capsule::new(r, h).unwrap().into(),
            6 => Ellipsoid { radii: (self.point().abs() + 0.1) * thin }.into(),
            _ => Cuboid::new((self.point().abs() + 0.1) * thin).unwrap().into(),
        }
    }
}

#[test]
fn the_estimated_error_covers_the_exact_value() {
    let mut maker = Maker(Pcg64::seed_from_u64(15));
    let (mut total, mut missed, mut width) = (0, [0; 3], 0.0);
    let many: usize = std::env::var("SUDAR_STRESS_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    for kind in 0..many {
        let mut parts = vec![(maker.body(kind), maker.pose())];
        if kind % 5 == 0 {
            parts.push((maker.body(kind / 5), maker.pose()));
        }
        let shape = Shape::from(Compound::new(parts).unwrap());
        let exact = mass_properties(&shape).unwrap();
        let n = [8, 15, 20, 33][kind / 3 % 4];
        let options = VoxelOptions { axes: 1 + kind as u32 % 3, ..cells(n) };
        let Ok(found) = voxel_mass(&shape, &options) else { continue };
        assert_eq!(found.odd_rays, 0);
        let (p, e) = (found.properties, found.error);
        let inertia = (p.inertia - exact.inertia).to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let off = [(p.mass - exact.mass).abs(), (p.center - exact.center).length(), inertia];
        for (k, (off, bound)) in off.into_iter().zip([e.mass, e.center, e.inertia]).enumerate() {
            missed[k] += usize::from(off > bound);
            width += if off > 0.0 { libm::log(bound / off) } else { 0.0 };
        }
        total += 1;
    }
    println!("{missed:?} of {total} missed; the estimate is about {:.1} times the error", libm::exp(width / (3 * total) as f64));
    assert!(total > many * 9 / 10 && missed.iter().all(|m| m * 100 <= total), "{missed:?} of {total}");
}
