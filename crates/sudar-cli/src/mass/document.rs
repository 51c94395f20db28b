//! What was measured, for programs and for people.

use serde::Serialize;
use sudar::mass::{MassProperties, VoxelMass};
use sudar::{Aabb, DMat3, DVec3};

use super::stored::Stored;
use crate::report;

#[derive(Debug, Serialize)]
pub struct Document {
    pub file: String,
    pub density: f64,
    pub parts: Vec<Measured>,
    pub whole: Measured,
    pub aabb: Aabb,
    pub sphere: Sphere,
    pub info: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<Stored>,
    pub written: Option<Written>,
    pub notes: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Sphere {
    pub center: DVec3,
    pub radius: f64,
}

#[derive(Debug, Serialize)]
pub struct Written {
    pub file: String,
    /// Which method found the centre.
    pub center_of: &'static str,
}

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

/// A table of both methods for each part and the whole, and what else there is to say.
pub fn text(document: &Document) -> String {
    let mut text = String::new();
    let several = document.parts.len() > 1;
    for measured in document.parts.iter().filter(|_| several).chain([&document.whole]) {
        let title = if several { measured.name.as_str() } else { document.file.as_str() };
        text += &section(title, measured);
    }
    let size = document.aabb.extent();
    text += &format!(
        "box: {} × {} × {}, from {}\n",
        report::short(size.x),
        report::short(size.y),
        report::short(size.z),
        report::place(document.aabb.min)
    );
    text += &format!(
        "sphere: radius {} around {}\n",
        report::short(document.sphere.radius),
        report::place(document.sphere.center)
    );
    for line in &document.info {
        text += &format!("info: {line}\n");
    }
    if let Some(stored) = &document.stored {
        text += if stored.agrees {
            "the figures that the file holds agree\n"
        } else {
            "the figures that the file holds are others\n"
        };
    }
    if let Some(Written { file, center_of }) = &document.written {
        text += &format!("{file}: written around the centre of mass ({center_of})\n");
    }
    for note in &document.notes {
        text += &format!("note: {note}\n");
    }
    text
}

fn section(title: &str, measured: &Measured) -> String {
    let exact = measured.exact.as_ref().map(|e| &e.figures);
    let voxel = measured.voxel.as_ref().map(|v| &v.figures);
    let error = measured.voxel.as_ref().map(|v| &v.error);
    let cell = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
    let row = |name: &str, of: &dyn Fn(&Figures) -> String, off: Option<f64>| {
        vec![name.to_owned(), cell(exact.map(of)), cell(voxel.map(of)), cell(off.map(report::short))]
    };
    let tensor = |k: usize| move |f: &Figures| report::short(f.inertia[k]);
    let mut rows = vec![
        row("volume", &|f| report::short(f.volume), error.map(|e| e.volume)),
        row("mass", &|f| report::short(f.mass), None),
        row("centre", &|f| report::place(f.center), error.map(|e| e.center)),
    ];
    for (k, name) in ["inertia xx", "yy", "zz", "xy", "yz", "zx"].into_iter().enumerate() {
        rows.push(row(name, &tensor(k), error.map(|e| e.inertia).filter(|_| k == 0)));
    }
    rows.push(row("principal moments", &|f| spaced(f.principal_moments), None));
    rows.push(row("radii of gyration", &|f| spaced(f.radii_of_gyration), None));
    rows.push(row("seconds", &|f| report::short(f.seconds), None));
    let mut text = report::table(&[title, "exact", "voxel", "estimated error"], &[1, 2, 3], rows);
    if let Some(exact) = &measured.exact {
        text += &format!("volume within {:e} and {:e}\n", exact.volume_lower, exact.volume_upper);
        if exact.figures.inward {
            text += "the surface faces inward: volume, mass and tensor are below 0\n";
        }
    }
    for (method, why) in [("exact", &measured.why), ("voxel", &measured.why_no_voxel)] {
        if let Some(why) = why {
            text += &format!("not {method}: {why}\n");
        }
    }
    if let Some(voxel) = &measured.voxel {
        let [x, y, z] = voxel.cells;
        text += &format!("{x} × {y} × {z} cells, {} rays, {} of them odd\n", voxel.rays, voxel.odd_rays);
    }
    text
}

fn spaced(v: DVec3) -> String {
    v.to_array().map(report::short).join(", ")
}
