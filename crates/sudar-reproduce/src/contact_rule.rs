//! The contact rule of Maštera 2007 on bodies in a room, and why the energy of its fighters grew.

use sudar::{Aabb, DVec3};
use sudar_classic::contact_rule::{ContactRule, Flyers, StepBack};
use sudar_scene::{Scene, box_cubes, box_fighter, box_turned_fighters};

use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, Verdict, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::{Table, Tables};
use crate::plan::{Output, Plan, Result};

pub const TITLE: &str = "why the energy of bodies grew under the contact rule of Maštera 2007, and the cure";

const NOTES: [&str; 5] = [
    "Elastic bodies without gravity in a closed room, 60 steps a second. energy: kinetic, over that at the start; a series ends where a body has left the room.",
    "rule: {Maštera 2007}, chapters 4, 7.5, 9 and 10: bodies move one after another; of each pair whose triangles meet one contact, at the mean of the \
     points of intersection that are found more than once, with the mean normal of the side with fewer triangles; the impulse with restitution 1, whether \
     the bodies approach or not; then both go back to where they last touched nothing.",
    "constant spin: in flight the angular velocity stays, as formulas 4.8 to 4.20 have it; free spin: the angular momentum stays. full: the tensor of the body; \
     diagonal: without its products, which section 10.1 takes for rounding.",
    "fighter: the tensor is nearly diagonal in its frame; turned fighter: the same body, turned in its frame, so that products are up to two fifths of the largest moment.",
    "ours: response simultaneous, all contacts of an instant at once, at the certified time of first contact.",
];

const PUBLISHED: ContactRule = ContactRule::PUBLISHED;
const FREE: ContactRule = ContactRule { has_constant_spin: false, ..PUBLISHED };
const METHODS: [(&str, ContactRule); 5] = [
    ("constant spin and diagonal", PUBLISHED),
    ("constant spin and full", ContactRule { has_diagonal_tensor: false, ..PUBLISHED }),
    ("free spin and diagonal", FREE),
    ("free spin and full", ContactRule { step_back: StepBack::AfterImpulse, ..ContactRule::CURED }),
    ("cure", ContactRule::CURED),
];
const OURS: &str = "ours";
const STEP: f64 = 1.0 / 60.0;

/// What became of a room of bodies.
struct Run {
    method: &'static str,
    /// Time, energy over that at the start.
    rows: Vec<(f64, f64)>,
    collisions: Option<[usize; 2]>,
    /// Seconds after which a body was outside.
    left: Option<f64>,
}

pub fn run(plan: &Plan) -> Result<Output> {
    let mut sheet = Sheet::new(&NOTES, "model,method,time_s,energy_ratio");
    let mut counts =
        Sheet::new(&NOTES, "model,method,seconds,collisions,above_first_energy,largest_energy,left_after_s");
    let seconds = plan.by_size(4, 900, 3600) as f64;
    let mut panels = Vec::new();
    let mut output = plan.output(0);
    for (model, scene) in models()? {
        plan.tell(format!("flying: {model}"));
        let runs = runs(&scene, (seconds / STEP).round() as usize)?;
        for run in &runs {
            for (time, energy) in &run.rows {
                sheet.row(format_args!("{model},{},{time:.1},{energy:.6e}", run.method));
            }
            let last = run.rows.last().map_or(0.0, |row| row.0);
            let largest = run.rows.iter().map(|row| row.1).fold(0.0, f64::max);
            let [all, above] =
                run.collisions.map_or([String::new(), String::new()], |n| n.map(|n| n.to_string()));
            let left = run.left.map_or(String::new(), |time| format!("{time:.2}"));
            counts.row(format_args!("{model},{},{last:.2},{all},{above},{largest:.6e},{left}", run.method));
            output.queries += run.rows.len();
        }
        panels.push(panel(model, &runs));
    }
    let figure = Figure::new("The contact rule of 2007 in a room", panels, &[&machine::version()]);
    let output = output.sheet("contact-rule", sheet).sheet("contact-rule-collisions", counts);
    output.figure("contact-rule", &figure)
}

/// Four bodies of a kind.
fn models() -> Result<[(&'static str, Scene); 4]> {
    let (mut cubes, mut cuboids) = (box_cubes()?, box_cubes()?);
    cuboids.bodies.drain(..4);
    cubes.bodies.truncate(4);
    let fighters = box_fighter(4)?;
    Ok([
        ("cube", cubes),
        ("cuboid", cuboids),
        ("turned fighter", box_turned_fighters(4)?),
        ("fighter", fighters),
    ])
}

fn panel(model: &str, runs: &[Run]) -> Panel {
    let series = runs.iter().enumerate().map(|(i, run)| {
        let draw = if run.method == OURS { Series::line } else { Series::dashed };
        draw(run.method, i, run.rows.iter().map(|(time, energy)| (*time, shown(*energy))).collect())
    });
    let y = Axis::decimal("kinetic energy over that at the start");
    Panel::new(model, Axis::linear("time in s"), y, series.collect())
}

/// Without what rounding does to it.
fn shown(energy: f64) -> f64 {
    (energy * 1e6).round() * 1e-6
}

fn runs(scene: &Scene, steps: usize) -> Result<Vec<Run>> {
    let bounds = scene.settings.bounds.map(|b| Aabb { min: b.min, max: b.max });
    let room = bounds.unwrap_or(Aabb { min: DVec3::splat(-6.0), max: DVec3::splat(6.0) });
    let mut all =
        METHODS.into_iter().map(|method| by_rule(scene, room, steps, method)).collect::<Result<Vec<_>>>()?;
    all.push(ours(scene, steps)?);
    Ok(all)
}

/// Steps between two of sixty rows.
fn between_rows(steps: usize) -> usize {
    (steps / 60).max(1)
}

fn by_rule(
    scene: &Scene,
    room: Aabb,
    steps: usize,
    (method, rule): (&'static str, ContactRule),
) -> Result<Run> {
    let mut flyers = Flyers::new(&scene.bodies, room, rule)?;
    let first = flyers.energy().kinetic;
    let (mut rows, mut left) = (Vec::new(), None);
    for k in 1..=steps {
        flyers.step(STEP);
        let time = k as f64 * STEP;
        let inside = flyers.outside().next().is_none();
        if k % between_rows(steps) == 0 || !inside {
            rows.push((time, flyers.energy().kinetic / first));
        }
        if !inside {
            left = Some(time);
            break;
        }
    }
    Ok(Run { method, rows, collisions: Some([flyers.collisions(), flyers.gains()]), left })
}

fn ours(scene: &Scene, steps: usize) -> Result<Run> {
    let mut world = scene.world()?;
    let first = world.energy().kinetic;
    let mut rows = Vec::new();
    for k in 1..=steps {
        world.step(STEP)?;
        if k % between_rows(steps) == 0 {
            rows.push((k as f64 * STEP, world.energy().kinetic / first));
        }
    }
    Ok(Run { method: OURS, rows, collisions: None, left: None })
}

/// What the rules came to, of the table of collisions.
struct Found<'a>(&'a Table);

impl Found<'_> {
    fn of(&self, model: &str, method: &str, column: &str) -> Result<f64> {
        self.0.number(&[("model", model), ("method", method)], column)
    }

    /// Collisions after which there is more energy than at first, in %.
    fn share(&self, model: &str) -> Result<f64> {
        let above = self.of(model, METHODS[0].0, "above_first_energy")?;
        Ok(100.0 * above / self.of(model, METHODS[0].0, "collisions")?.max(1.0))
    }

    /// The largest energy of all runs with this cell.
    fn largest(&self, cell: (&str, &str)) -> Result<f64> {
        Ok(self.0.numbers(&[cell], "largest_energy")?.into_iter().fold(0.0, f64::max))
    }

    /// Runs in which a body leaves the room.
    fn left(&self, model: &str) -> Result<usize> {
        Ok(self.0.numbers(&[("model", model)], "left_after_s")?.len())
    }
}

/// Counts and energies, the same on every machine.
pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let found = Found(tables.get("contact-rule-collisions")?);
    let mut findings = vec![cubes_and_cuboids(&found)?, diagonal_tensor(&found)?];
    let [cuboids, turned] = ["cuboid", "turned fighter"].map(|model| found.largest(("model", model)));
    // A quick run ends before.
    if cuboids?.max(turned?) > 10.0 {
        findings.extend([growing_energy(&found)?, cause(&found)?]);
    }
    Ok(findings)
}

fn cubes_and_cuboids(found: &Found) -> Result<Finding> {
    let (cube, cuboid) = (found.share("cube")?, found.share("cuboid")?);
    let seconds = found.of("cube", "cure", "seconds")?;
    Ok(Finding::new(
        "Maštera 2007, section 10.4",
        "cubes and cuboids exceed their first energy in less than 1 % of the collisions of an hour",
        format!("in {} s, in {} % for cubes and {} % for cuboids", say(seconds), say(cube), say(cuboid)),
        cube < 1.0 && cuboid < 1.0,
    ))
}

fn diagonal_tensor(found: &Found) -> Result<Finding> {
    let turned = |method: usize| found.of("turned fighter", METHODS[method].0, "largest_energy");
    let (diagonal, full) = (turned(0)?, turned(1)?);
    Ok(Finding::new(
        "Maštera 2007, section 10.1",
        "the rule works with the diagonal of the tensor and not with all of it, for the products of a centred body are nearly 0",
        format!(
            "of the fighter turned in its frame, whose products are up to two fifths of its largest moment, the energy reaches {} times the first with the diagonal \
             and {} times with the full tensor",
            say(diagonal),
            say(full)
        ),
        diagonal < 1.01 && full > 1.01,
    ))
}

fn growing_energy(found: &Found) -> Result<Finding> {
    let largest = |model| found.largest(("model", model));
    let (fighters, turned, cuboids) = (largest("fighter")?, largest("turned fighter")?, largest("cuboid")?);
    let left = found.left("fighter")? + found.left("turned fighter")?;
    Ok(Finding::new(
        "Maštera 2007, section 10.4",
        "the energy of fighters grows again and again, until one leaves the room",
        format!(
            "that of fighters reaches {} times the first, of fighters turned in their frame {} times, and in {left} runs one leaves the room; of cuboids it \
             reaches {} times, and in {} runs one leaves",
            say(fighters),
            say(turned),
            say(cuboids),
            found.left("cuboid")?
        ),
        Verdict::of(fighters.min(turned) > 1.5, &[(left.min(1) as f64, 1.0)]),
    ))
}

fn cause(found: &Found) -> Result<Finding> {
    let cured = found.largest(("method", "cure"))?;
    Ok(Finding::new(
        "Maštera 2007, section 10.4",
        "the cause is taken to be the tensor, which stands for a body of another shape",
        format!(
            "it is the step back, which joins an earlier rotation with a later angular velocity: where it comes before the impulse and takes the velocities \
             along, the largest energy of all runs is {cured:.6} times the first"
        ),
        // The tensor of the cure is the full one as well.
        cured > 1.01,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_a_fighter_in_its_frame_gives_it_products_and_leaves_its_moments() {
        let upright = box_fighter(4).unwrap();
        let tensor = |scene: &Scene| scene.bodies[0].inertia().unwrap().tensor;
        let (before, after) = (tensor(&upright), tensor(&box_turned_fighters(1).unwrap()));
        let largest = |t: &sudar::DMat3| {
            let moments = t.x_axis.x.max(t.y_axis.y).max(t.z_axis.z);
            t.x_axis.y.abs().max(t.x_axis.z.abs()).max(t.y_axis.z.abs()) / moments
        };
        assert!(largest(&before) < 0.01 && (0.4..0.42).contains(&largest(&after)), "{}", largest(&after));
        // Invariants of a tensor under rotation.
        let trace = |t: &sudar::DMat3| t.x_axis.x + t.y_axis.y + t.z_axis.z;
        assert!((trace(&after) / trace(&before) - 1.0).abs() < 1e-9);
        assert!((after.determinant() / before.determinant() - 1.0).abs() < 1e-9);
    }
}
