//! The two resolutions of Dimitrijević 2019, springs and least translations, by the length of the step.

use sudar_scene::box_objects;

use sudar::dynamics::DynamicsError;
use sudar_classic::response::{Detection, response_with};

use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result, timed};

pub const TITLE: &str = "springs against least translations by the length of the step (Dimitrijević 2019)";

const NOTES: [&str; 4] = [
    "Eight bodies of all shapes, elastic, without gravity, in a closed room. energy_change: largest change of the kinetic energy, relative; inf: a body left \
     the range of numbers. depth: largest overlap at the end of a step.",
    "Bodies are tested at the end of each step. spring: a force of the default stiffness, undamped, once a step. mtv: half the least translation each and \
     elastic velocities along the line of centres; spin stays as it is.",
    "spring in sub-steps: as many as the spring needs. simultaneous: at certified times of first contact. Both for comparison.",
    "seconds: of the run, on one thread.",
];

const RESPONSES: [(&str, &str, Detection); 4] = [
    ("spring", "spring", Detection::Static),
    ("mtv", "mtv", Detection::Static),
    ("spring in sub-steps", "spring", Detection::Continuous),
    ("simultaneous", "simultaneous", Detection::Continuous),
];
const RATES: [u32; 5] = [30, 60, 120, 240, 480];

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("stepping bodies");
    let mut sheet = Sheet::new(&NOTES, "response,steps_a_second,energy_change,depth_m,seconds");
    let time = plan.choose(6, 20) as f64;
    let rates = &RATES[..plan.choose(2, RATES.len())];
    let [mut energies, mut depths] = [Vec::new(), Vec::new()];
    for (number, (label, response, detection)) in RESPONSES.into_iter().enumerate() {
        let [mut changes, mut overlaps] = [Vec::new(), Vec::new()];
        for &rate in rates {
            let (measured, seconds) = timed(|| measured(response, detection, f64::from(rate), time));
            let [change, depth] = measured?;
            sheet.row(format_args!("{label},{rate},{change:.2e},{depth:.2e},{seconds:.3}"));
            changes.extend(change.is_finite().then_some((f64::from(rate), change)));
            overlaps.push((f64::from(rate), depth));
        }
        energies.push(Series::line(label, number, changes));
        depths.push(Series::line(label, number, overlaps));
    }
    let x = Axis::binary("steps a second");
    let panels = vec![
        Panel::new("Energy", x.clone(), Axis::decimal("largest relative change"), energies),
        // From zero, which two of them do not leave.
        Panel::new("Overlap", x, Axis::linear("largest depth in m"), depths),
    ];
    let title = "Springs and least translations by the length of the step";
    let figure = Figure::new(title, panels, &[&machine::version()]);
    plan.output(RESPONSES.len() * rates.len()).sheet("spring-mtv", sheet).figure("spring-mtv", &figure)
}

/// The largest change of energy, and the largest depth.
fn measured(response: &str, detection: Detection, rate: f64, time: f64) -> Result<[f64; 2]> {
    let mut scene = box_objects()?;
    scene.settings.response = response_with(response, detection)?;
    let mut world = scene.world()?;
    let first = world.energy().total();
    let (mut change, mut depth): (f64, f64) = (0.0, 0.0);
    for _ in 0..(time * rate) as u32 {
        match world.step(1.0 / rate) {
            Err(DynamicsError::OutOfRange { .. }) => return Ok([f64::INFINITY, depth]),
            stepped => stepped?,
        };
        depth = depth.max(world.deepest());
        // A body in a spring has lent it energy: only flights between contacts are compared.
        if response != "spring" || world.deepest() == 0.0 {
            change = change.max((world.energy().total() / first - 1.0).abs());
        }
    }
    Ok([change, depth])
}

/// Energies and depths, the same on every machine.
pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("spring-mtv")?;
    let of = |response, column| table.numbers(&[("response", response)], column);
    let worst =
        |response, column| -> Result<f64> { Ok(of(response, column)?.into_iter().fold(0.0, f64::max)) };
    let springs = table.points(&[("response", "spring")], "steps_a_second", "energy_change")?;
    let said: Vec<String> = springs
        .iter()
        .map(|(rate, change)| {
            let change = if change.is_finite() {
                format!("{} %", say(100.0 * change))
            } else {
                "any amount".to_owned()
            };
            format!("{change} at {rate}")
        })
        .collect();
    let [first, last] = [springs.first(), springs.last()].map(|p| p.map_or(f64::NAN, |p| p.1));
    let (energy, depth) = (worst("mtv", "energy_change")?, worst("mtv", "depth_m")?);
    Ok(vec![
        Finding::new(
            "Dimitrijević 2019, section 2.6",
            "the stiffer the spring, the shorter the steps must be",
            format!(
                "a spring of the same stiffness changes the energy by {} steps a second",
                said.join(", ")
            ),
            first > 2.0 * last,
        ),
        Finding::new(
            "Dimitrijević 2019, section 2.6",
            "the analytic way computes all changes once, and suits hard impacts",
            format!(
                "half the least translation each and elastic velocities change the energy by {} of it and leave overlaps of {} mm at any length of step",
                say(energy),
                say(1000.0 * depth)
            ),
            energy < 1e-9,
        ),
    ])
}
