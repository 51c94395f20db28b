//! What was measured of a part, by each method.

use serde::Serialize;
use sudar::mass::{MassProperties, VoxelMass};
use sudar::{DMat3, DVec3};

/// A part, or all together.
#[derive(Debug, Clone, Serialize)]
pub struct Measured {
    pub name: String,
    pub triangles: usize,
    pub exact: Option<Exact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    pub voxel: Option<Voxel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_no_voxel: Option<String>,
}

impl Measured {
    /// The exact result if there is one, otherwise that by voxels, at density 1.
    pub fn best(&self) -> Option<(MassProperties, &'static str)> {
        let exact = self.exact_properties().map(|found| (found, "exact"));
        exact.or_else(|| self.voxel_properties().map(|found| (found, "voxel")))
    }

    pub fn exact_properties(&self) -> Option<MassProperties> {
        self.exact.as_ref().map(|exact| exact.figures.properties())
    }

    pub fn voxel_properties(&self) -> Option<MassProperties> {
        self.voxel.as_ref().map(|voxel| voxel.figures.properties())
    }
}

/// What both methods find, of the density that was wanted.
#[derive(Debug, Clone, Serialize)]
pub struct Figures {
    pub volume: f64,
    pub mass: f64,
    pub center: DVec3,
    /// xx, yy, zz, xy, yz, zx.
    pub inertia: [f64; 6],
    pub principal_moments: DVec3,
    pub principal_axes: [DVec3; 3],
    pub radii_of_gyration: DVec3,
    pub inward: bool,
    pub seconds: f64,
    #[serde(skip)]
    density: f64,
}

impl Figures {
    fn new(found: &MassProperties, density: f64, seconds: f64) -> Self {
        let dense = found.at_density(density);
        let axes = dense.principal_axes();
        Self {
            volume: found.mass,
            mass: dense.mass,
            center: dense.center,
            inertia: listed(&dense.inertia),
            principal_moments: axes.moments,
            principal_axes: [axes.axes.x_axis, axes.axes.y_axis, axes.axes.z_axis],
            radii_of_gyration: dense.radii_of_gyration(),
            inward: found.is_inward(),
            seconds,
            density,
        }
    }

    /// At density 1.
    fn properties(&self) -> MassProperties {
        let [xx, yy, zz, xy, yz, zx] = self.inertia.map(|i| i / self.density);
        let inertia =
            DMat3::from_cols(DVec3::new(xx, xy, zx), DVec3::new(xy, yy, yz), DVec3::new(zx, yz, zz));
        MassProperties { mass: self.volume, center: self.center, inertia }
    }
}

/// xx, yy, zz, xy, yz, zx.
pub fn listed(m: &DMat3) -> [f64; 6] {
    [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.y_axis.z, m.z_axis.x]
}

#[derive(Debug, Clone, Serialize)]
pub struct Exact {
    #[serde(flatten)]
    pub figures: Figures,
    pub volume_lower: f64,
    pub volume_upper: f64,
}

impl Exact {
    pub fn new(
        found: &MassProperties,
        [volume_lower, volume_upper]: [f64; 2],
        density: f64,
        seconds: f64,
    ) -> Self {
        Self { figures: Figures::new(found, density, seconds), volume_lower, volume_upper }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct Voxel {
    #[serde(flatten)]
    pub figures: Figures,
    pub error: Error,
    pub cells: [u32; 3],
    pub rays: u64,
    pub odd_rays: u64,
}

/// Estimated.
#[derive(Debug, Clone, Serialize)]
pub struct Error {
    pub volume: f64,
    pub center: f64,
    pub inertia: f64,
}

impl Voxel {
    pub fn new(found: &VoxelMass, density: f64, seconds: f64) -> Self {
        let error = &found.error;
        Self {
            figures: Figures::new(&found.properties, density, seconds),
            error: Error { volume: error.mass, center: error.center, inertia: error.inertia * density },
            cells: found.cells,
            rays: found.rays,
            odd_rays: found.odd_rays,
        }
    }
}
