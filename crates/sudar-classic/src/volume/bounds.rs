//! All bounding volumes around the same points.

use sudar::glam::DVec3;

use super::{Dop6, Dop14, Dop18, Dop26};
use sudar::hull::convex_hull;
use sudar::shape::{Aabb, Obb, Sphere};
use sudar::volume::{ObbFit, Volume, fit_obb, ritter_sphere, smallest_sphere};

/// Every bounding volume around some points; each contains all of them exactly.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Bounds {
    /// The box along the axes.
    pub aabb: Aabb,
    /// The smallest sphere.
    pub sphere: Sphere,
    /// Ritter's sphere.
    pub ritter: Sphere,
    /// The oriented boxes, in the order of [`ObbFit::ALL`].
    pub obbs: [Obb; 5],
    /// With 6 faces.
    pub dop6: Dop6,
    /// With 14 faces.
    pub dop14: Dop14,
    /// With 18 faces.
    pub dop18: Dop18,
    /// With 26 faces.
    pub dop26: Dop26,
}

/// One of the volumes of [`Bounds`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum NamedVolume {
    /// The box along the axes.
    Aabb(Aabb),
    /// The smallest sphere.
    Sphere(Sphere),
    /// Ritter's sphere.
    RitterSphere(Sphere),
    /// An oriented box, and how it was fitted.
    Obb(ObbFit, Obb),
    /// With 14 faces.
    Dop14(Dop14),
    /// With 18 faces.
    Dop18(Dop18),
    /// With 26 faces.
    Dop26(Dop26),
}

impl NamedVolume {
    /// What it is called in tables.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Aabb(_) => "AABB (6-DOP)",
            Self::Sphere(_) => "smallest sphere",
            Self::RitterSphere(_) => "Ritter's sphere",
            Self::Obb(ObbFit::Points, _) => "OBB, principal axes of points",
            Self::Obb(ObbFit::HullVertices, _) => "OBB, principal axes of hull vertices",
            Self::Obb(ObbFit::HullSurface, _) => "OBB, principal axes of hull surface",
            Self::Obb(ObbFit::Dito, _) => "OBB, DiTO-14",
            Self::Obb(ObbFit::Calipers, _) => "OBB, rotating calipers",
            Self::Dop14(_) => "14-DOP",
            Self::Dop18(_) => "18-DOP",
            Self::Dop26(_) => "26-DOP",
        }
    }

    /// Its volume.
    pub fn volume(&self) -> f64 {
        match self {
            Self::Aabb(v) => v.volume(),
            Self::Sphere(v) | Self::RitterSphere(v) => v.volume(),
            Self::Obb(_, v) => v.volume(),
            Self::Dop14(v) => v.volume(),
            Self::Dop18(v) => v.volume(),
            Self::Dop26(v) => v.volume(),
        }
    }
}

impl Bounds {
    /// Around the points; `None` for none. O(n log n), for the convex hull on whose vertices the rest is done.
    pub fn of(points: &[DVec3]) -> Option<Self> {
        let hull = convex_hull(points).ok();
        // What is convex and contains the vertices of the hull contains all points.
        let vertices = hull.as_ref().map_or(points, |hull| hull.vertices());
        let fit = |fit| fit_obb(if fit == ObbFit::Points { points } else { vertices }, fit);
        let [first, second, third, fourth, fifth] = ObbFit::ALL.map(fit);
        let points = vertices;
        Some(Self {
            aabb: Aabb::fit(points)?,
            sphere: smallest_sphere(points)?,
            ritter: ritter_sphere(points)?,
            obbs: [first?, second?, third?, fourth?, fifth?],
            dop6: Dop6::fit(points)?,
            dop14: Dop14::fit(points)?,
            dop18: Dop18::fit(points)?,
            dop26: Dop26::fit(points)?,
        })
    }

    /// Around all points at most `by` from one of these: of balls and capsules from those of their centres and axes.
    #[must_use]
    pub fn grown(mut self, by: f64) -> Self {
        let by = by.max(0.0);
        self.aabb = self.aabb.grown(by);
        for sphere in [&mut self.sphere, &mut self.ritter] {
            sphere.radius = (sphere.radius + by).next_up();
        }
        // Axes are of length 1 up to some ulp.
        self.obbs = self.obbs.map(|obb| obb.grown(by * (1.0 + 1e-14)));
        self.dop6 = self.dop6.grown(by);
        self.dop14 = self.dop14.grown(by);
        self.dop18 = self.dop18.grown(by);
        self.dop26 = self.dop26.grown(by);
        self
    }

    /// The oriented box of least volume.
    pub fn tightest_obb(&self) -> Obb {
        let mut best = self.obbs[0];
        for obb in self.obbs {
            if obb.volume() < best.volume() {
                best = obb;
            }
        }
        best
    }

    /// All volumes, the smallest first; equal ones in the order of [`NamedVolume`]. The 6-DOP is the box
    /// along the axes.
    pub fn tightest_first(&self) -> Vec<NamedVolume> {
        let mut all = vec![
            NamedVolume::Aabb(self.aabb),
            NamedVolume::Sphere(self.sphere),
            NamedVolume::RitterSphere(self.ritter),
        ];
        all.extend(ObbFit::ALL.iter().zip(self.obbs).map(|(&fit, obb)| NamedVolume::Obb(fit, obb)));
        all.extend([
            NamedVolume::Dop14(self.dop14),
            NamedVolume::Dop18(self.dop18),
            NamedVolume::Dop26(self.dop26),
        ]);
        let mut keyed: Vec<(f64, NamedVolume)> = all.into_iter().map(|v| (v.volume(), v)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        keyed.into_iter().map(|(_, v)| v).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar_testing::volumes::clouds;

    #[test]
    fn every_point_is_in_every_volume() {
        for (name, points) in clouds() {
            let bounds = Bounds::of(&points).unwrap();
            let all = bounds.tightest_first();
            assert_eq!(all.len(), 11);
            assert!(all.windows(2).all(|w| w[0].volume() <= w[1].volume()));
            for p in &points {
                for volume in &all {
                    let holds = match volume {
                        NamedVolume::Aabb(v) => v.holds(*p),
                        NamedVolume::Sphere(v) | NamedVolume::RitterSphere(v) => v.holds(*p),
                        NamedVolume::Obb(_, v) => v.holds(*p),
                        NamedVolume::Dop14(v) => v.holds(*p),
                        NamedVolume::Dop18(v) => v.holds(*p),
                        NamedVolume::Dop26(v) => v.holds(*p),
                    };
                    assert!(holds, "{name}, {}: {p}", volume.name());
                }
            }
        }
        assert!(Bounds::of(&[]).is_none());
    }
}
