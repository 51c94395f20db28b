//! The two resolutions of Dimitrijević 2019, springs and least translations, by the length of the step.

use sudar_scene::box_objects;

use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::plan::{Output, Plan, Result, timed};

pub const TITLE: &str = "springs against least translations by the length of the step (Dimitrijević 2019)";

const NOTES: [&str; 3] = [
    "Eight bodies of all shapes, elastic, without gravity, in a closed room. energy_change: largest change of the kinetic energy, relative; depth: \
     largest overlap at the end of a step.",
    "spring: the default stiffness, undamped, in sub-steps. mtv: half the least translation each and elastic velocities along the line of centres, at \
     the time of first contact; spin stays as it is. simultaneous: for comparison.",
    "seconds: of the run, on one thread.",
];

const RESPONSES: [&str; 3] = ["spring", "mtv", "simultaneous"];
const RATES: [u32; 5] = [30, 60, 120, 240, 480];

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("stepping bodies");
    let mut sheet = Sheet::new(&NOTES, "response,steps_a_second,energy_change,depth_m,seconds");
    let time = plan.choose(1, 20) as f64;
    let rates = &RATES[..plan.choose(2, RATES.len())];
    let [mut energies, mut depths] = [Vec::new(), Vec::new()];
    for (number, response) in RESPONSES.into_iter().enumerate() {
        let [mut changes, mut overlaps] = [Vec::new(), Vec::new()];
        for &rate in rates {
            let (measured, seconds) = timed(|| measured(response, f64::from(rate), time));
            let [change, depth] = measured?;
            sheet.row(format_args!("{response},{rate},{change},{depth},{seconds:.3}"));
            changes.push((f64::from(rate), change));
            overlaps.push((f64::from(rate), depth));
        }
        energies.push(Series::line(response, number, changes));
        depths.push(Series::line(response, number, overlaps));
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
fn measured(response: &str, rate: f64, time: f64) -> Result<[f64; 2]> {
    let mut scene = box_objects()?;
    scene.settings.response = sudar_classic::response(response)?;
    let mut world = scene.world()?;
    let first = world.energy().total();
    let (mut change, mut depth): (f64, f64) = (0.0, 0.0);
    for _ in 0..(time * rate) as u32 {
        world.step(1.0 / rate)?;
        depth = depth.max(world.deepest());
        // A body in a spring has lent it energy: only flights between contacts are compared.
        if response != "spring" || world.deepest() == 0.0 {
            change = change.max((world.energy().total() / first - 1.0).abs());
        }
    }
    Ok([change, depth])
}
