//! The contact rule of Maštera 2007 on bodies in a room, and why the energy of its fighters grew.

mod flyer;

use sudar::dynamics::RigidBody;
use sudar::shape::{Shape, Solid};
use sudar::{Aabb, DQuat, DVec3, Mesh};
use sudar_scene::{Scene, box_cubes, box_fighter};

use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::plan::{Output, Plan, Result};
use flyer::Flyers;

pub const TITLE: &str = "why the energy of bodies grew under the contact rule of Maštera 2007, and the cure";

const NOTES: [&str; 5] = [
    "Elastic bodies without gravity in a closed room, 60 steps a second. energy: kinetic, over that at the start; bite: largest depth of a contact \
     between bodies, and beyond a wall, in metres. A series ends where a body has left the room.",
    "rule: M. Maštera 2007, chapters 4, 7.5, 9 and 10: bodies move one after another; of each pair whose triangles meet one contact, at the mean of the \
     points of intersection that are found more than once, with the mean normal of the side with fewer triangles; the impulse with restitution 1, whether \
     the bodies approach or not; then both go back to where they last touched nothing.",
    "constant spin: in flight the angular velocity stays, as formulas 4.8 to 4.20 have it; free spin: the angular momentum stays. full: the tensor of the body; \
     diagonal: without its products, which section 10.1 takes for rounding.",
    "fighter: the tensor is nearly diagonal in its frame; turned fighter: the same body, turned in its frame, so that products are up to a third of the moments.",
    "ours: response simultaneous, all contacts of an instant at once, at the certified time of first contact.",
];

/// How bodies fly and what impulses reckon with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Method {
    name: &'static str,
    /// Whether flights keep the angular momentum.
    is_free: bool,
    /// Whether products of inertia are left out.
    is_diagonal: bool,
    /// Whether bodies go back before the impulse, velocities included.
    is_back_first: bool,
}

const RULE: Method = Method { name: "", is_free: false, is_diagonal: false, is_back_first: false };
const METHODS: [Method; 5] = [
    Method { name: "constant spin, diagonal", is_diagonal: true, ..RULE },
    Method { name: "constant spin, full", ..RULE },
    Method { name: "free spin, diagonal", is_free: true, is_diagonal: true, ..RULE },
    Method { name: "free spin, full", is_free: true, ..RULE },
    Method { name: "cure", is_free: true, is_back_first: true, ..RULE },
];
const OURS: &str = "ours";
const STEP: f64 = 1.0 / 60.0;

/// What became of a room of bodies.
struct Run {
    method: &'static str,
    /// Time, energy, bite.
    rows: Vec<[f64; 3]>,
    collisions: Option<[usize; 2]>,
    /// Seconds after which a body was outside.
    left: Option<f64>,
}

pub fn run(plan: &Plan) -> Result<Output> {
    let mut sheet = Sheet::new(&NOTES, "model,method,time_s,energy_ratio,bite_m");
    let mut counts =
        Sheet::new(&NOTES, "model,method,seconds,collisions,above_first_energy,largest_energy,left_after_s");
    let seconds = plan.by_size(4, 60, 3600) as f64;
    let mut panels = Vec::new();
    let mut output = plan.output(0);
    for (model, scene) in models()? {
        plan.tell(format!("flying: {model}"));
        let runs = runs(&scene, (seconds / STEP).round() as usize)?;
        for run in &runs {
            for [time, energy, bite] in &run.rows {
                sheet.row(format_args!("{model},\"{}\",{time:.3},{energy:.6e},{bite:.4}", run.method));
            }
            let last = run.rows.last().map_or(0.0, |row| row[0]);
            let largest = run.rows.iter().map(|row| row[1]).fold(0.0, f64::max);
            let [all, above] =
                run.collisions.map_or([String::new(), String::new()], |n| n.map(|n| n.to_string()));
            let left = run.left.map_or(String::new(), |time| format!("{time:.2}"));
            counts
                .row(format_args!("{model},\"{}\",{last:.2},{all},{above},{largest:.6e},{left}", run.method));
            output.queries += run.rows.len();
        }
        panels.push(panel(format!("{model}: energy"), "kinetic energy over that at the start", &runs, 1));
        if model == "turned fighter" {
            panels.push(panel(format!("{model}: bite"), "largest depth in m", &runs, 2));
        }
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
    Ok([("cube", cubes), ("cuboid", cuboids), ("turned fighter", turned(&fighters)?), ("fighter", fighters)])
}

fn panel(title: String, y: &str, runs: &[Run], column: usize) -> Panel {
    let series = runs.iter().enumerate().map(|(i, run)| {
        let draw = if run.method == OURS { Series::line } else { Series::dashed };
        let value = |row: &[f64; 3]| (row[0], row[column]);
        draw(run.method, i, run.rows.iter().map(value).collect())
    });
    let axis = if column == 1 { Axis::decimal(y) } else { Axis::linear(y) };
    Panel::new(title, Axis::linear("time in s"), axis, series.collect())
}

fn runs(scene: &Scene, steps: usize) -> Result<Vec<Run>> {
    let bounds = scene.settings.bounds.map(|b| Aabb { min: b.min, max: b.max });
    let room = bounds.unwrap_or(Aabb { min: DVec3::splat(-6.0), max: DVec3::splat(6.0) });
    let mut all =
        METHODS.iter().map(|method| by_rule(scene, room, steps, *method)).collect::<Result<Vec<_>>>()?;
    all.push(ours(scene, steps)?);
    Ok(all)
}

/// Steps between two rows: sixty rows a run at least.
fn between_rows(steps: usize) -> usize {
    (steps / 360).max(1)
}

fn by_rule(scene: &Scene, room: Aabb, steps: usize, method: Method) -> Result<Run> {
    let meshes = scene.bodies.iter().map(as_mesh).collect::<Result<Vec<_>>>()?;
    let mut flyers = Flyers::new(&meshes, room, method)?;
    let (mut rows, mut bite, mut left) = (Vec::new(), 0.0, None);
    for k in 1..=steps {
        flyers.step(STEP);
        let time = k as f64 * STEP;
        if k % between_rows(steps) == 0 {
            bite = f64::max(bite, flyers.deepest(&room));
            rows.push([time, flyers.energy(), bite]);
            bite = 0.0;
        }
        if !flyers.are_inside(&room) {
            left = Some(time);
            rows.push([time, flyers.energy(), bite]);
            break;
        }
    }
    Ok(Run { method: method.name, rows, collisions: Some(flyers.collisions), left })
}

fn ours(scene: &Scene, steps: usize) -> Result<Run> {
    let mut world = scene.world()?;
    let first = world.energy().kinetic;
    let (mut rows, mut bite) = (Vec::new(), 0.0);
    for k in 1..=steps {
        world.step(STEP)?;
        bite = f64::max(bite, world.deepest());
        if k % between_rows(steps) == 0 {
            rows.push([k as f64 * STEP, world.energy().kinetic / first, bite]);
            bite = 0.0;
        }
    }
    Ok(Run { method: OURS, rows, collisions: None, left: None })
}

/// The body with triangles as its surface, which the rule needs.
fn as_mesh(body: &RigidBody) -> Result<RigidBody> {
    let Shape::Cuboid(cuboid) = body.body.shape() else { return Ok(body.clone()) };
    let half = cuboid.half;
    let mesh = Mesh::from_aabb(Aabb { min: -half, max: half });
    Ok(RigidBody { body: Solid::new(mesh.into())?.into(), ..body.clone() })
}

/// The same fighters with their mesh turned in their frame.
fn turned(fighters: &Scene) -> Result<Scene> {
    let mut scene = fighters.clone();
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -1.0).normalize(), 0.8);
    for body in &mut scene.bodies {
        let Shape::Solid(solid) = body.body.shape() else { continue };
        let mesh = solid.mesh();
        let corners = mesh.vertices().iter().map(|v| turn * *v).collect();
        let mesh = Mesh::new(corners, mesh.triangles().to_vec())?;
        body.body = Solid::new(mesh.into())?.into();
        body.rotation *= turn.inverse();
    }
    Ok(scene)
}
