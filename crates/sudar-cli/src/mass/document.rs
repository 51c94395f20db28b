//! What was measured, for programs and for people.

use serde::Serialize;
use sudar::{Aabb, DVec3, Sphere};

use super::measured::{Exact, Figures, Measured};
use super::stored::Stored;
use crate::{load, report};

#[derive(Debug, Serialize)]
pub struct Document {
    pub file: String,
    pub density: f64,
    pub parts: Vec<Measured>,
    /// What is certain where only some parts are closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<Closed>,
    pub whole: Measured,
    pub aabb: Aabb,
    /// The smallest around all points.
    pub sphere: Option<Sphere>,
    pub info: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<Stored>,
    pub written: Option<Written>,
    pub notes: Vec<String>,
}

/// The parts that are closed, together.
#[derive(Debug, Serialize)]
pub struct Closed {
    pub parts: usize,
    pub of: usize,
    pub exact: Exact,
}

#[derive(Debug, Serialize)]
pub struct Written {
    pub file: String,
    /// Which method found the centre.
    pub center_of: &'static str,
}

/// A table of both methods for each part and the whole, and what else there is to say.
pub fn text(document: &Document) -> String {
    let mut text = String::new();
    let several = document.parts.len() > 1;
    for measured in document.parts.iter().filter(|_| several).chain([&document.whole]) {
        let title = if several { measured.name.as_str() } else { document.file.as_str() };
        text += &section(title, measured);
    }
    if let Some(Closed { parts, of, exact }) = &document.closed {
        text += &format!(
            "exactly, of the {parts} of {of} parts that are closed: volume within {:e} and {:e}, mass {}, centre {}\n",
            exact.volume_lower,
            exact.volume_upper,
            report::short(exact.figures.mass),
            report::place(exact.figures.center)
        );
    }
    let aabb = &document.aabb;
    text += &format!("box: {}, from {}\n", report::size(aabb), report::place(aabb.min));
    if let Some(Sphere { center, radius }) = document.sphere {
        text += &format!("sphere: radius {} around {}\n", report::short(radius), report::place(center));
    }
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
    text + &load::footer(None, &document.notes)
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
