//! Cost of the algorithms for convex bodies against the number of vertices.

use anyhow::Result;
use sudar::DVec3;

use super::axis::{Axis, Scale};
use super::bodies::{Body, Random, Run, near_contact, tumbling};
use super::curves::{Curves, Frame, Measured};
use super::measure::{Sequence, count, time};
use super::methods::Method;
use super::{Output, Plan};
use crate::progress::Progress;

pub const TITLE: &str = "convex algorithms against the number of vertices";

/// Those that start afresh, in the order of the legend.
const COLD: [Method; 5] =
    [Method::Gjk, Method::GjkNesterov, Method::LinCanny, Method::GjkCases, Method::ChungWang];
const COHERENT: [Method; 7] = [
    Method::Gjk,
    Method::GjkNesterov,
    Method::GjkMemory,
    Method::LinCanny,
    Method::GjkCases,
    Method::ChungWang,
    Method::SeparatingVector,
];
/// Numbers of vertices.
const SIZES: [usize; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];
const QUICK_SIZES: [usize; 3] = [8, 32, 128];
/// Semi-axes of the ellipsoid that the vertices lie on, in metres.
const RADII: DVec3 = DVec3::new(1.0, 0.8, 0.6);
/// Gaps of the random poses in metres; below zero the bodies overlap.
const GAPS: [f64; 2] = [-0.05, 0.05];
/// The gap of the motion in metres, and how far bodies turn a step in radians.
const GAP: f64 = 0.05;
const ANGLE: f64 = 0.01;

pub fn run(plan: &Plan) -> Result<Output> {
    let sizes = if plan.quick { &QUICK_SIZES[..] } else { &SIZES[..] };
    let progress =
        Progress::new("convex-vertices", Some((sizes.len() * (COLD.len() + COHERENT.len())) as u64));
    let mut curves = Curves::default();
    for &vertices in sizes {
        measure(plan, vertices, &mut curves, &progress)?;
    }
    curves.output(&Frame {
        name: "convex-vertices",
        against: "the number of vertices",
        column: "vertices",
        scenes: &["random poses near contact", "smooth motion"],
        x: Axis::new("vertices of each body", Scale::Binary),
        notes: &[
            "Hulls of random points of an ellipsoid with semi-axes 1, 0.8, 0.6 m.",
            "Random poses: nothing remembered; gaps from −5 to 5 cm. Smooth motion: apart by up to 5 cm, 0.01 rad a step.",
        ],
    })
}

fn measure(plan: &Plan, vertices: usize, curves: &mut Curves, progress: &Progress) -> Result<()> {
    let mut random = Random::new(vertices as u64);
    let bodies: Vec<[Body; 2]> =
        (0..plan.pairs()).map(|_| pair(&mut random, vertices)).collect::<Result<_>>()?;
    let scenes = [(Sequence::Cold, &COLD[..]), (Sequence::Coherent, &COHERENT[..])];
    for (scene, (sequence, methods)) in scenes.into_iter().enumerate() {
        let runs = runs(plan, &mut random, &bodies, sequence)?;
        let tallies = count(methods, &runs, sequence)?;
        for (&method, tally) in methods.iter().zip(tallies) {
            let remembered = method.remembers() && sequence == Sequence::Coherent;
            let time = time(method, &runs, sequence, plan.repetitions());
            curves.add(Measured { scene, x: vertices as f64, method, remembered, tally, time });
            progress.advance(1);
        }
    }
    Ok(())
}

fn pair(random: &mut Random, vertices: usize) -> Result<[Body; 2]> {
    Ok([Body::hull(random, vertices, RADII)?, Body::hull(random, vertices, RADII)?])
}

fn runs<'a>(
    plan: &Plan,
    random: &mut Random,
    bodies: &'a [[Body; 2]],
    sequence: Sequence,
) -> Result<Vec<Run<'a>>> {
    let mut runs = Vec::new();
    for [a, b] in bodies {
        for _ in 0..plan.runs() {
            runs.push(match sequence {
                Sequence::Cold => near_contact(random, (a, b), GAPS, plan.steps())?,
                Sequence::Coherent => tumbling(random, (a, b), GAP, ANGLE, plan.steps() + 1)?,
            });
        }
    }
    Ok(runs)
}
