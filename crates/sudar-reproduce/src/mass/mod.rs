//! Inertia by voxels against exact integrals, on the bodies of Maštera 2007.

mod bodies;
pub mod carried;
mod program;
mod source;

use std::sync::Arc;

use sudar::mass::{
    GridShift, MassProperties, Resolution, VoxelMass, VoxelOptions, mass_properties, voxel_mass,
};
use sudar::{Shape, Solid};

use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::{Table, Tables};
use crate::plan::{Output, Plan, Result, ensure, timed};
use bodies::{Case, cases};
use program::Body;
use source::{COARSE, Row};

pub const TITLE: &str = "inertia tensors by voxels and exactly, on the cube, cone and bomber of Maštera 2007";

const SOURCE: &str = "source: {Maštera 2007}, appendices II to V";

const NOTES: [&str; 8] = [
    "Moments of inertia xx, yy, zz about the centre of mass, per unit of mass, and seconds.",
    SOURCE,
    "program: the source's method in 32 bits, rebuilt: planes a third of a step off, runs of whole cells, rays with an odd number of hits",
    "left out, two of three moments summed point by point. odd: such rays in the passes along x, y and z. center: of the cube its correction.",
    "snapped: the same planes and runs with sums of 64 bits; voxel: rays through the same grid, runs that end at the surface, 64 bits;",
    "error: its own estimate; exact: integrals over the polyhedron; exact_seconds: one integration. Measured on one thread.",
    "The source's cube has sides of 500, its cone a height of 300 and 48 sides of radius 100: the same bodies. Its bomber of 278 triangles",
    "is not published: that of the rows here has as many triangles and the same length, and is another body.",
];

/// What stands in `mass.csv`.
const COLUMNS: &str = "body,triangles,step,\
source_xx,source_yy,source_zz,source_odd_center,source_odd_inertia,source_center_x,source_center_y,source_center_z,source_seconds,\
program_xx,program_yy,program_zz,program_odd_center,program_odd_inertia,program_center_x,program_center_y,program_center_z,program_seconds,\
snapped_xx,snapped_yy,snapped_zz,voxel_xx,voxel_yy,voxel_zz,voxel_error,voxel_seconds,exact_xx,exact_yy,exact_zz,exact_seconds";

/// A grid with one step, by all methods.
struct Step {
    source: &'static Row,
    program: (program::Passes, program::Passes),
    program_seconds: f64,
    snapped: [f64; 3],
    voxel: [f64; 3],
    voxel_error: f64,
    voxel_seconds: f64,
}

pub fn run(plan: &Plan) -> Result<Output> {
    let mut sheet = Sheet::new(&NOTES, COLUMNS);
    let (mut panels, mut queries) = (Vec::new(), 0);
    for case in cases()? {
        plan.tell(format!("measuring the {}", case.name));
        let triangles = case.mesh.triangles().len();
        let body = Body::new(&case.mesh);
        let shape = Shape::Solid(Arc::new(Solid::new(Arc::new(case.mesh.clone()))?));
        let (exact, exact_seconds) = timed(|| mass_properties(&shape));
        let exact = exact?;
        let mut steps = Vec::new();
        for row in &case.rows[..plan.choose(4, case.rows.len()).min(case.rows.len())] {
            let step = measured(&case, &shape, &body, &exact, row)?;
            let [g, h, i] = moments(&exact);
            let (name, cells) = (case.name, step.cells());
            sheet.row(format_args!("{name},{triangles},{cells},{g},{h},{i},{exact_seconds}"));
            steps.push(step);
            queries += 4;
        }
        panels.push(panel(&case, &steps, moments(&exact)));
    }
    let captions = [
        "Greatest relative error of the three moments against the exact integrals.",
        "Source and program: sums of 32 bits. Whole cells: the same runs with sums of 64 bits.",
        &machine::line(),
    ];
    let figure = Figure::new("Error of moments of inertia by voxels", panels, &captions);
    plan.output(queries).sheet("mass", sheet).sheet("mass-coarse", coarse()?).figure("mass", &figure)
}

fn measured(
    case: &Case,
    shape: &Shape,
    body: &Body,
    exact: &MassProperties,
    row: &'static Row,
) -> Result<Step> {
    let options = VoxelOptions { resolution: Resolution::Step(row.step), ..VoxelOptions::default() };
    let (voxel, voxel_seconds) = timed(|| voxel_mass(shape, &options));
    let VoxelMass { properties, error, .. } = voxel?;
    let voxel = moments(&properties);
    let voxel_error = error.inertia / exact.mass + error.mass / exact.mass * moments(exact)[0];
    let is_near = voxel.iter().zip(moments(exact)).all(|(x, exact)| (x - exact).abs() <= voxel_error);
    ensure(is_near, || format!("{}: step {} is off by more than was estimated", case.name, row.step))?;
    let whole_cells = VoxelOptions { shift: GridShift::Third, snap: true, ..options };
    let snapped = moments(&voxel_mass(shape, &whole_cells)?.properties);
    let (program, program_seconds) = timed(|| body.measured(row.step as f32));
    Ok(Step { source: row, program, program_seconds, snapped, voxel, voxel_error, voxel_seconds })
}

impl Step {
    /// The cells of a row of `mass.csv` from the step to the exact moments.
    fn cells(&self) -> String {
        let listed = |values: [f64; 3]| values.map(|x| x.to_string()).join(",");
        let odd = |values: [u32; 3]| values.map(|n| n.to_string()).join(" ");
        let Row { step, seconds, odd_center, center, odd_inertia, moments } = *self.source;
        let (found_center, found) = self.program;
        let source =
            [listed(moments), odd(odd_center), odd(odd_inertia), listed(center), seconds.to_string()];
        let program = [
            listed(found.mean().map(f64::from)),
            odd(found_center.odd),
            odd(found.odd),
            listed(found_center.mean().map(f64::from)),
            self.program_seconds.to_string(),
        ];
        let ours = [
            listed(self.snapped),
            listed(self.voxel),
            self.voxel_error.to_string(),
            self.voxel_seconds.to_string(),
        ];
        format!("{step},{},{},{}", source.join(","), program.join(","), ours.join(","))
    }
}

fn panel(case: &Case, steps: &[Step], exact: [f64; 3]) -> Panel {
    // Nothing stands on a logarithmic axis at 0.
    let off = |values: [f64; 3]| {
        values.iter().zip(exact).map(|(x, exact)| (x / exact - 1.0).abs()).fold(1e-16, f64::max)
    };
    let line = |name: &'static str, color: usize, values: &dyn Fn(&Step) -> [f64; 3]| {
        Series::line(name, color, steps.iter().map(|step| (step.source.step, off(values(step)))).collect())
    };
    // The bomber of the source is another one.
    let source =
        if case.name == "bomber" { Vec::new() } else { vec![line("source", 1, &|s| s.source.moments)] };
    let series = source.into_iter().chain([
        line("program, 32 bits", 2, &|s| s.program.1.mean().map(f64::from)),
        line("whole cells, 64 bits", 3, &|s| s.snapped),
        line("voxels", 0, &|s| s.voxel),
    ]);
    Panel::new(case.name, Axis::decimal("step"), Axis::decimal("relative error"), series.collect())
}

/// Appendix II: passes along each axis of coarse grids.
fn coarse() -> Result<Sheet> {
    let notes = [
        "Moments of inertia of a cube of side 500 about its middle per unit of mass, by rays along one axis on a coarse grid.",
        SOURCE,
        "shift: where planes are between the borders of cells, from the source's moments across the rays; odd: rays left out.",
    ];
    let columns = "step,axis,shift,source_xx,source_yy,source_zz,source_odd,program_xx,program_yy,program_zz,program_odd";
    let mut sheet = Sheet::new(&notes, columns);
    let [cube, ..] = cases()?;
    let body = Body::new(&cube.mesh);
    for row in &COARSE {
        let found = body.moments(row.step as f32, row.shift as f32);
        for (axis, (source, odd)) in row.passes.iter().enumerate() {
            let listed = |values: [f64; 3]| values.map(|x| x.to_string()).join(",");
            let [of_source, program] = [*source, found.found[axis].map(f64::from)].map(listed);
            let (name, other) = (["x", "y", "z"][axis], found.odd[axis]);
            let (step, shift) = (row.step, row.shift);
            sheet.row(format_args!("{step},{name},{shift},{of_source},{odd},{program},{other}"));
        }
    }
    Ok(sheet)
}

/// xx, yy, zz per unit of mass.
fn moments(found: &MassProperties) -> [f64; 3] {
    let i = found.inertia;
    [i.x_axis.x, i.y_axis.y, i.z_axis.z].map(|moment| moment / found.mass)
}

/// The greatest relative difference of three columns to three others, in rows with these cells.
fn off(table: &Table, cells: &[(&str, &str)], [found, expected]: [&str; 2]) -> Result<f64> {
    let mut most = 0.0f64;
    for axis in ["xx", "yy", "zz"] {
        let points = table.points(cells, &format!("{found}_{axis}"), &format!("{expected}_{axis}"))?;
        most = points.iter().map(|(a, b)| (a / b - 1.0).abs()).fold(most, f64::max);
    }
    Ok(most)
}

pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let mut findings = vec![coarse_grids(tables.get("mass-coarse")?)?];
    let table = tables.get("mass")?;
    // Sums are wrong on the finest grids alone.
    if !table.is_quick {
        findings.extend([cube(table)?, correction(table)?, odd_rays(table)?, cone(table)?, bomber(table)?]);
    }
    Ok(findings)
}

fn coarse_grids(table: &Table) -> Result<Finding> {
    let even = off(table, &[("source_odd", "0")], ["program", "source"])?;
    Ok(Finding::new(
        "Maštera 2007, appendix II",
        "on coarse grids the cube's moments are far too large in two of three passes, 72 304 instead of 41 667",
        format!(
            "the program rebuilt in 32 bits gives the numbers of all passes without odd rays to {} %",
            say(100.0 * even)
        ),
        even < 1e-4,
    ))
}

/// xx, yy and zz of a method in the only row with these cells.
fn three(table: &Table, cells: &[(&str, &str)], method: &str) -> Result<[f64; 3]> {
    let of = |axis: &str| table.number(cells, &format!("{method}_{axis}"));
    Ok([of("xx")?, of("yy")?, of("zz")?])
}

fn cube(table: &Table) -> Result<Finding> {
    let finest = [("body", "cube"), ("step", "0.416667")];
    let of = |method| Ok::<_, Box<dyn std::error::Error + Send + Sync>>(three(table, &finest, method)?[0]);
    let mut most = 0.0f64;
    for step in ["0.833333", "0.625", "0.5", "0.416667"] {
        most = most.max(off(table, &[("body", "cube"), ("step", step)], ["program", "source"])?);
    }
    Ok(Finding::new(
        "Maštera 2007, appendix III",
        "from a step of 0.8333 on the three moments of the cube are the same, and fall to 14 735.5",
        format!(
            "the program rebuilt in 32 bits gives {}, the same runs in 64 bits {}, exact is {}; from 0.8333 on it is within {} % of the \
             source, before within {} %: two of its three sums end at 2⁴¹, where no term reaches half the last place, so that the mean goes to a third",
            whole(of("program")?),
            whole(of("snapped")?),
            whole(of("exact")?),
            say(100.0 * most),
            say(100.0 * off(table, &[("body", "cube")], ["program", "source"])?)
        ),
        most < 0.01,
    ))
}

/// A number without decimals.
fn whole(x: f64) -> String {
    let text = format!("{x:.0}");
    let (head, tail) = text.split_at(text.len().saturating_sub(3));
    if head.is_empty() || text.len() < 5 { text } else { format!("{head} {tail}") }
}

fn correction(table: &Table) -> Result<Finding> {
    let cube = [("body", "cube")];
    let columns = ["source_center_x", "program_center_x"].map(|column| table.points(&cube, "step", column));
    let [there, here] = columns;
    // In steps: a plane a third of a step off has the middle of what is between the hits a sixth off.
    let in_steps =
        |points: Vec<(f64, f64)>| -> Vec<f64> { points.iter().map(|(step, x)| -x / step).collect() };
    let (there, here) = (in_steps(there?), in_steps(here?));
    let range = |x: &[f64]| {
        let (least, most) = x.iter().fold((f64::INFINITY, 0.0f64), |(l, m), &x| (l.min(x), m.max(x)));
        format!("{} to {}", say(least), say(most))
    };
    let near = there.iter().zip(&here).all(|(a, b)| (a / b - 1.0).abs() < 0.25);
    Ok(Finding::new(
        "Maštera 2007, appendix III, corrected centres of mass",
        format!("the centre of the cube is off by {} of a step", range(&there)),
        format!(
            "by {} of a step, for a grid that is shifted by a third leaves its points off by a sixth",
            range(&here)
        ),
        near,
    ))
}

fn odd_rays(table: &Table) -> Result<Finding> {
    let most = |column: &str| -> Result<f64> {
        let texts = table.texts(&[], column)?;
        let numbers = texts.iter().flat_map(|text| text.split(' '));
        Ok(numbers.filter_map(|n| n.parse::<f64>().ok()).fold(0.0, f64::max))
    };
    let (there, here) = (most("source_odd_center")?, most("program_odd_center")?);
    Ok(Finding::new(
        "Maštera 2007, appendices III to V, counts of odd rays",
        format!("with the shifted grid few rays are lost in a pass, at most {there} of millions"),
        format!(
            "at most {here}: which rays depends on how the source's files list their corners, and they are not published"
        ),
        (there / 3.0..=3.0 * there).contains(&here),
    ))
}

fn cone(table: &Table) -> Result<Finding> {
    let finest = [("body", "cone"), ("step", "0.2")];
    let [source, program, snapped, exact] =
        ["source", "program", "snapped", "exact"].map(|method| three(table, &finest, method));
    let (source, program, snapped, exact) = (source?, program?, snapped?, exact?);
    let listed = |x: [f64; 3]| x.map(whole).join(", ");
    let off = |a: [f64; 3]| a.iter().zip(source).map(|(x, s)| (x / s - 1.0).abs()).fold(0.0, f64::max);
    let nearest = off(program);
    Ok(Finding::new(
        "Maštera 2007, appendix IV",
        format!("the moments of the cone fall to {}", listed(source)),
        format!(
            "in 32 bits to {}, which is within {} %; in 64 bits they are {}, exact are {}",
            listed(program),
            say(100.0 * nearest),
            listed(snapped),
            listed(exact)
        ),
        nearest < 0.02,
    ))
}

fn bomber(table: &Table) -> Result<Finding> {
    let half = [("body", "bomber"), ("step", "0.4925")];
    let finest = [("body", "bomber"), ("step", "0.197")];
    let [enough, end] = [&half, &finest].map(|cells| off(table, cells, ["program", "snapped"]));
    let (enough, end) = (100.0 * enough?, 100.0 * end?);
    Ok(Finding::new(
        "Maštera 2007, appendix V and section 6.4.2",
        "for the bomber a step of 0.5 is enough; on finer grids the moments fall, by 17 % at a step of 0.197",
        format!(
            "of our bomber, another body of as many triangles, sums of 32 bits are off by {} % at 0.4925 and by {} % at 0.197",
            say(enough),
            say(end)
        ),
        enough < 3.0 && end > enough,
    ))
}
