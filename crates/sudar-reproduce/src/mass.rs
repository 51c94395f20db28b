//! Inertia by voxels against exact integrals, on the bodies of Maštera 2007.

use std::f64::consts::TAU;
use std::sync::Arc;

use sudar::mass::{MassProperties, Resolution, VoxelOptions, mass_properties, voxel_mass};
use sudar::{Aabb, DVec3, Mesh, Shape, Solid};

use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::plan::{Output, Plan, Result, ensure, timed};

pub const TITLE: &str = "inertia tensors by voxels and exactly, on the cube, cone and bomber of Maštera 2007";

const NOTES: [&str; 4] = [
    "Moments of inertia xx, yy, zz about the centre of mass, per unit of mass, and seconds. source: P. Maštera 2007, \"Simulation of collisions \
     on a physical model\", appendices III to V, three axes, 32-bit sums;",
    "voxel: the same method with rays through the same grid, runs that end at the surface and 64-bit sums; error: its own estimate; \
     exact: integrals over the polyhedron.",
    "The source's cube has sides of 500, its cone a height of 300 and 48 sides of radius 100: the same bodies. Its bomber of 278 triangles \
     is not published: that of the rows here has as many triangles and the same length, and is another body.",
    "seconds_exact: one integration. Measured on one thread.",
];

/// A row of the source: step, moments, seconds.
type Row = (f64, [f64; 3], f64);

const CUBE: [Row; 9] = [
    (50.0, [45565.1, 45612.4, 45565.0], 1.0),
    (10.0, [42262.4, 42262.4, 42262.5], 2.0),
    (5.0, [41953.8, 41956.3, 41958.8], 10.0),
    (2.5, [41730.1, 41733.2, 41736.4], 75.0),
    (1.25, [34719.1, 34107.2, 33495.3], 772.0),
    (0.833_333, [20664.6, 20664.6, 20664.6], 2114.0),
    (0.625, [16748.4, 16748.4, 16748.4], 5370.0),
    (0.5, [15352.7, 15352.7, 15352.7], 11481.0),
    (0.416_667, [14735.5, 14735.5, 14735.5], 15666.0),
];
const CONE: [Row; 8] = [
    (30.0, [5427.86, 3369.5, 5446.58], 0.0),
    (1.5, [4919.67, 3004.41, 4920.54], 16.0),
    (0.75, [4857.09, 2958.3, 4864.62], 95.0),
    (0.5, [4717.6, 2863.78, 4784.88], 395.0),
    (0.375, [4085.53, 2570.28, 4214.26], 640.0),
    (0.3, [3436.52, 1846.7, 3657.75], 1229.0),
    (0.25, [3108.38, 1551.35, 3171.52], 2060.0),
    (0.2, [2589.25, 1381.33, 2642.15], 3801.0),
];
const BOMBER: [Row; 11] = [
    (39.4, [2953.75, 5132.97, 7305.88], 0.0),
    (7.88, [3414.3, 4100.75, 7023.78], 1.0),
    (3.94, [3047.98, 3907.76, 6698.66], 2.0),
    (1.97, [2830.86, 3950.19, 6473.39], 7.0),
    (0.985, [2827.53, 3922.72, 6420.65], 31.0),
    (0.656_667, [2817.08, 3939.21, 6427.45], 85.0),
    (0.4925, [2799.11, 3869.25, 6354.58], 171.0),
    (0.394, [2719.61, 3794.16, 6251.98], 319.0),
    (0.328_333, [2539.67, 3666.47, 5764.39], 515.0),
    (0.262_667, [2376.26, 3370.88, 5028.1], 946.0),
    (0.197, [2225.04, 2721.16, 4155.43], 2065.0),
];

/// A body, and what the source has of it.
struct Case {
    name: &'static str,
    mesh: Mesh,
    rows: &'static [Row],
}

/// What stands in `mass.csv`.
const COLUMNS: &str = "body,triangles,step,source_xx,source_yy,source_zz,source_seconds,voxel_xx,voxel_yy,voxel_zz,\
voxel_error,voxel_seconds,exact_xx,exact_yy,exact_zz,exact_seconds";

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("measuring bodies");
    let mut sheet = Sheet::new(&NOTES, COLUMNS);
    let (mut panels, mut queries) = (Vec::new(), 0);
    for Case { name, mesh, rows } in cases()? {
        let triangles = mesh.triangles().len();
        let shape = Shape::Solid(Arc::new(Solid::new(Arc::new(mesh))?));
        let (measured, exact_seconds) = timed(|| mass_properties(&shape));
        let measured = measured?;
        let exact = moments(&measured);
        // Nothing stands on a logarithmic axis at 0.
        let off = |values: [f64; 3]| {
            values.iter().zip(exact).map(|(x, exact)| (x / exact - 1.0).abs()).fold(1e-16, f64::max)
        };
        let [mut of_source, mut of_voxels] = [Vec::new(), Vec::new()];
        for &(step, source, source_seconds) in &rows[..plan.choose(4, rows.len()).min(rows.len())] {
            let options = VoxelOptions { resolution: Resolution::Step(step), ..VoxelOptions::default() };
            let (voxel, seconds) = timed(|| voxel_mass(&shape, &options));
            let voxel = voxel?;
            let error = voxel.error.inertia / measured.mass + voxel.error.mass / measured.mass * exact[0];
            let voxel = moments(&voxel.properties);
            let is_near = voxel.iter().zip(exact).all(|(x, exact)| (x - exact).abs() <= error);
            ensure(is_near, || format!("{name}: step {step} is off by more than was estimated"))?;
            let [[a, b, c], [d, e, f], [g, h, i]] = [source, voxel, exact];
            sheet.row(format_args!(
                "{name},{triangles},{step},{a},{b},{c},{source_seconds},{d},{e},{f},{error},{seconds},{g},{h},{i},{exact_seconds}"
            ));
            of_source.push((step, off(source)));
            of_voxels.push((step, off(voxel)));
            queries += 2;
        }
        if name == "bomber" {
            // That of the source is another one.
            of_source.clear();
        }
        let series = vec![Series::line("source", 1, of_source), Series::line("voxels", 0, of_voxels)];
        panels.push(Panel::new(name, Axis::decimal("step"), Axis::decimal("relative error"), series));
    }
    let caption = "Greatest relative error of the three moments against the exact integrals.";
    let figure = Figure::new("Error of moments of inertia by voxels", panels, &[caption, &machine::line()]);
    plan.output(queries).sheet("mass", sheet).figure("mass", &figure)
}

/// xx, yy, zz per unit of mass.
fn moments(found: &MassProperties) -> [f64; 3] {
    let i = found.inertia;
    [i.x_axis.x, i.y_axis.y, i.z_axis.z].map(|moment| moment / found.mass)
}

fn cases() -> Result<[Case; 3]> {
    let cube = Mesh::from_aabb(Aabb { min: DVec3::splat(-250.0), max: DVec3::splat(250.0) });
    let cone = revolved(&[(100.0, 0.0)], [0.0, 300.0], 48)?;
    let bomber = bomber()?;
    let as_published = cone.vertices().len() == 50 && bomber.triangles().len() == 278;
    ensure(as_published, || "the bodies are not those of the source".to_owned())?;
    Ok([
        Case { name: "cube", mesh: cube, rows: &CUBE },
        Case { name: "cone", mesh: cone, rows: &CONE },
        Case { name: "bomber", mesh: bomber, rows: &BOMBER },
    ])
}

/// Rings of radii at heights y, closed by points on the axis below and above.
fn revolved(rings: &[(f64, f64)], [bottom, top]: [f64; 2], sides: u32) -> Result<Mesh> {
    let mut vertices = vec![DVec3::Y * bottom, DVec3::Y * top];
    for &(r, y) in rings {
        let angle = |k: u32| TAU * f64::from(k) / f64::from(sides);
        vertices.extend((0..sides).map(|k| DVec3::new(r * libm::sin(angle(k)), y, r * libm::cos(angle(k)))));
    }
    let at = |ring: usize, k: u32| 2 + ring as u32 * sides + k % sides;
    let mut triangles = Vec::new();
    for k in 0..sides {
        triangles.push([0, at(0, k + 1), at(0, k)]);
        triangles.push([1, at(rings.len() - 1, k), at(rings.len() - 1, k + 1)]);
        for ring in 1..rings.len() {
            let [a, b, c, d] = [at(ring - 1, k), at(ring - 1, k + 1), at(ring, k + 1), at(ring, k)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Ok(Mesh::new(vertices, triangles)?)
}

/// A hull of nine sides along x, two wings and two tailplanes, fin and three tanks: 278 triangles, 197 long,
/// no piece in another.
fn bomber() -> Result<Mesh> {
    const RADII: [f64; 11] = [4.0, 7.5, 9.5, 11.0, 11.5, 11.5, 11.0, 9.5, 7.5, 5.0, 2.5];
    let rings: Vec<(f64, f64)> = (0..11).map(|i| (RADII[i], 8.0 + 18.1 * i as f64)).collect();
    let hull = revolved(&rings, [0.0, 197.0], 9)?.mapped(|p| DVec3::new(98.5 - p.y, p.x, p.z))?;
    let slab = |min: [f64; 3], max: [f64; 3]| Mesh::from_aabb(Aabb { min: min.into(), max: max.into() });
    let wing = |side: f64, root: f64, tip: f64, sweep: [f64; 4]| -> Result<Mesh> {
        // A triangle seen from above, of constant thickness.
        let [front, back, end, thick] = sweep;
        let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y * side, z);
        let flat = |z: f64| [corner(front, root, z), corner(back, root, z), corner(end, tip, z)];
        let vertices = [flat(-thick), flat(thick)].concat();
        let mut triangles =
            vec![[0, 1, 2], [3, 5, 4], [0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2], [2, 5, 3], [2, 3, 0]];
        if side < 0.0 {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        Ok(Mesh::new(vertices, triangles)?)
    };
    let pieces = [
        hull,
        wing(1.0, 12.0, 95.0, [30.0, -25.0, -40.0, 1.5])?,
        wing(-1.0, 12.0, 95.0, [30.0, -25.0, -40.0, 1.5])?,
        wing(1.0, 12.0, 38.0, [-72.0, -92.0, -96.0, 1.0])?,
        wing(-1.0, 12.0, 38.0, [-72.0, -92.0, -96.0, 1.0])?,
        slab([-96.0, -1.0, 12.0], [-72.0, 1.0, 36.0]),
        slab([-15.0, 30.0, -9.0], [15.0, 36.0, -3.0]),
        slab([-15.0, -36.0, -9.0], [15.0, -30.0, -3.0]),
        slab([-20.0, -3.0, -22.0], [20.0, 3.0, -16.0]),
    ];
    Ok(Mesh::joined(&pieces)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bodies_are_closed_and_face_outward() {
        for case in cases().unwrap() {
            let whole = mass_properties(&Shape::from(case.mesh.clone())).unwrap();
            let topology = case.mesh.topology();
            assert!(whole.mass > 0.0 && topology.is_closed() && topology.is_oriented(), "{}", case.name);
            let pieces = topology.pieces(&case.mesh);
            for piece in 0..=*pieces.iter().max().unwrap() {
                let own =
                    case.mesh.triangles().iter().zip(&pieces).filter(|(_, p)| **p == piece).map(|(t, _)| *t);
                let own = Mesh::new(case.mesh.vertices().to_vec(), own.collect()).unwrap();
                assert!(mass_properties(&own.into()).unwrap().mass > 0.0, "{} piece {piece}", case.name);
            }
        }
        // The cone's base has 48 sides: area 48/2·r²·sin(2π/48).
        let [_, cone, _] = cases().unwrap();
        let base = 24.0 * 10_000.0 * libm::sin(TAU / 48.0);
        let found = mass_properties(&cone.mesh.into()).unwrap();
        assert!((found.mass / (base * 100.0) - 1.0).abs() < 1e-12 && (found.center.y - 75.0).abs() < 1e-10);
    }
}
