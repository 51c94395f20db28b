//! Cost of the algorithms for convex bodies against how far the bodies move from step to step.

use anyhow::Result;
use sudar::DVec3;

use super::axis::{Axis, Scale};
use super::bodies::{Body, Random, Run, tumbling};
use super::curves::{Curves, Frame, Measured};
use super::measure::{Sequence, count, time};
use super::methods::Method;
use super::{Output, Plan};
use crate::progress::Progress;

pub const TITLE: &str = "convex algorithms against the step of a motion";

const METHODS: [Method; 7] = [
    Method::Gjk,
    Method::GjkNesterov,
    Method::GjkMemory,
    Method::LinCanny,
    Method::GjkCases,
    Method::ChungWang,
    Method::SeparatingVector,
];
const VERTICES: usize = 200;
const RADII: DVec3 = DVec3::new(1.0, 0.8, 0.6);
/// The gap between the bodies along the line of their middles in metres.
const GAP: f64 = 0.05;
/// Steps in percent: a turn of 100 % is one radian, which moves points by their distance from the axis.
const STEPS: [f64; 10] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
const QUICK_STEPS: [f64; 3] = [0.1, 3.0, 100.0];

pub fn run(plan: &Plan) -> Result<Output> {
    let steps = if plan.quick { &QUICK_STEPS[..] } else { &STEPS[..] };
    let progress = Progress::new("convex-motion", Some((steps.len() * METHODS.len()) as u64));
    let mut random = Random::new(VERTICES as u64);
    let hull = |random: &mut Random| Body::hull(random, VERTICES, RADII);
    let bodies: Vec<[Body; 2]> =
        (0..plan.pairs()).map(|_| Ok([hull(&mut random)?, hull(&mut random)?])).collect::<Result<_>>()?;
    let mut curves = Curves::default();
    for &step in steps {
        let runs = motions(plan, &mut random, &bodies, step / 100.0)?;
        let tallies = count(&METHODS, &runs, Sequence::Coherent)?;
        for (method, tally) in METHODS.into_iter().zip(tallies) {
            let time = time(method, &runs, Sequence::Coherent, plan.repetitions());
            curves.add(Measured { scene: 0, x: step, method, remembered: method.remembers(), tally, time });
            progress.advance(1);
        }
    }
    curves.output(&Frame {
        name: "convex-motion",
        against: "the step of the motion",
        column: "step_percent",
        scenes: &["200 vertices each"],
        x: Axis::new("step in % of the radius", Scale::Decimal),
        notes: &[
            "Hulls of 200 random points of an ellipsoid with semi-axes 1, 0.8, 0.6 m, apart by up to 5 cm.",
            "Each step turns both bodies and the direction between them; 100 % is one radian.",
        ],
    })
}

fn motions<'a>(
    plan: &Plan,
    random: &mut Random,
    bodies: &'a [[Body; 2]],
    angle: f64,
) -> Result<Vec<Run<'a>>> {
    let mut runs = Vec::new();
    for [a, b] in bodies {
        for _ in 0..plan.runs() {
            runs.push(tumbling(random, (a, b), GAP, angle, plan.steps() + 1)?);
        }
    }
    Ok(runs)
}
