//! Closed sums along runs.

use glam::{DMat3, DVec3};

use crate::mass::MassProperties;
use crate::mass::kernel::Total;
use crate::mass::rays::{Rays, Rows};

/// ∫ 1, ∫ r and ∫ r rᵀ about the middle of the box; xx, yy, zz, xy, yz, zx.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moments([f64; 10]);

impl Moments {
    pub fn mean(all: &[Self]) -> Self {
        let sum = |k: usize| all.iter().fold(0.0, |sum, m| sum + m.0[k]);
        Self(std::array::from_fn(|k| sum(k) / all.len() as f64))
    }

    /// `None` without a volume.
    pub fn properties(&self, origin: DVec3) -> Option<MassProperties> {
        let [mass, x, y, z, xx, yy, zz, xy, yz, zx] = self.0;
        let offset = DVec3::new(x, y, z) / mass;
        if mass == 0.0 || !offset.is_finite() {
            return None;
        }
        let about = DMat3::from_cols(DVec3::new(xx, xy, zx), DVec3::new(xy, yy, yz), DVec3::new(zx, yz, zz));
        let own = DMat3::from_cols(offset * offset.x, offset * offset.y, offset * offset.z) * mass;
        Some(MassProperties::from_second_moment(mass, origin + offset, about - own))
    }
}

/// Runs along rays, being summed up.
pub(super) struct Runs<'a> {
    pub rays: &'a Rays,
    origin: DVec3,
    /// Whether runs end at whole cells.
    snap: bool,
    /// In the order of axis, `u`, `v`: 1, t, u, v, tt, uu, vv, tu, uv, vt.
    totals: [Total; 10],
}

impl<'a> Runs<'a> {
    pub fn new(rays: &'a Rays, origin: DVec3, snap: bool) -> Self {
        Self { rays, origin, snap, totals: [Total::default(); 10] }
    }

    /// What is below `t` on the ray of a cell, times a weight: closed sums over the run, as wide as the cell.
    pub fn add(&mut self, i: u32, j: u32, t: f64, weight: f64) {
        let Rays { axis, along, u, v } = self.rays;
        // What ends a run has a weight above 0.
        let t = if self.snap { along.snapped(t, weight.signum()) } else { t };
        let middle = |rows: &Rows, k: u32| rows.middle(k) - self.origin[rows.axis];
        let (x, y, t) = (middle(u, i), middle(v, j), t - self.origin[*axis]);
        let first = weight * t;
        let (square, across) = (first * t / 2.0, [u, v].map(|rows| rows.width * rows.width / 12.0));
        let terms = [
            first,
            square,
            first * x,
            first * y,
            square * t * (2.0 / 3.0),
            first * (x * x + across[0]),
            first * (y * y + across[1]),
            square * x,
            first * x * y,
            square * y,
        ];
        for (total, term) in self.totals.iter_mut().zip(terms) {
            total.add(term);
        }
    }

    /// The moments, in the order of x, y, z.
    pub fn moments(self) -> Moments {
        let area = self.rays.u.width * self.rays.v.width;
        let values = self.totals.map(|total| total.value() * area);
        // Where x, y and z are found when the axis comes first.
        let place = |k: usize| (k + 3 - self.rays.axis) % 3;
        let mut out = [values[0]; 10];
        for k in 0..3 {
            for group in [1, 4, 7] {
                out[group + k] = values[group + place(k)];
            }
        }
        Moments(out)
    }
}
