//! Cost of the algorithms for convex bodies against the number of vertices, and against how far the bodies move from
//! step to step.

use sudar::DVec3;

use crate::inputs::bodies::{Body, Run, near_contact, tumbling};
use crate::inputs::random::Random;
use crate::measure::{HOW_TIMED, ITERATIONS, Sequence, Tally, count, time};
use crate::methods::Method;
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::{Table, Tables};
use crate::plan::{Output, Plan, Result};

pub const VERTICES: &str = "convex algorithms against the number of vertices";
pub const MOTION: &str = "convex algorithms against the step of a motion";

/// Those that start afresh, in the order of the legend.
const COLD: [Method; 6] = [
    Method::Gjk,
    Method::GjkNesterov,
    Method::LinCanny,
    Method::GjkCases,
    Method::ChungWang,
    Method::FacePlanes,
];
/// Beyond so many vertices the planes of all faces take as long as all other methods together.
const MOST_BY_FACES: usize = 128;
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
/// Vertices of the bodies whose motion varies.
const MANY: usize = 200;
/// Steps in percent: a turn of 100 % is one radian, which moves points by their distance from the axis.
const STEPS: [f64; 10] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
const QUICK_STEPS: [f64; 3] = [0.1, 3.0, 100.0];
/// Semi-axes of the ellipsoid that the vertices lie on, in metres.
const RADII: DVec3 = DVec3::new(1.0, 0.8, 0.6);
/// Gaps of the random poses in metres; below zero the bodies overlap.
const GAPS: [f64; 2] = [-0.05, 0.05];
/// The gap of the motion in metres, and how far bodies turn a step in radians.
const GAP: f64 = 0.05;
const ANGLE: f64 = 0.01;

pub fn against_vertices(plan: &Plan) -> Result<Output> {
    let mut curves = Curves::default();
    for &vertices in if plan.is_quick() { &QUICK_SIZES[..] } else { &SIZES } {
        plan.tell(format!("convex bodies of {vertices} vertices"));
        let mut random = Random::new(vertices as u64);
        let bodies = pairs(plan, &mut random, vertices)?;
        let cold = &COLD[..if vertices > MOST_BY_FACES { COLD.len() - 1 } else { COLD.len() }];
        curves.measure(plan, (0, vertices as f64), Sequence::Cold, cold, &bodies, |bodies| {
            near_contact(&mut random, bodies, GAPS, steps(plan))
        })?;
        curves.measure(plan, (1, vertices as f64), Sequence::Coherent, &COHERENT, &bodies, |bodies| {
            tumbling(&mut random, bodies, GAP, ANGLE, steps(plan) + 1)
        })?;
    }
    curves.output(plan, &Frame {
        name: "convex-vertices",
        against: "the number of vertices",
        column: "vertices",
        scenes: &["random poses near contact", "smooth motion"],
        x: Axis::binary("vertices of each body"),
        notes: &[
            "Hulls of random points of an ellipsoid with semi-axes 1, 0.8, 0.6 m.",
            "Random poses: nothing remembered; gaps from −5 to 5 cm. Smooth motion: apart by up to 5 cm, 0.01 rad a step.",
        ],
    })
}

pub fn against_motion(plan: &Plan) -> Result<Output> {
    let mut random = Random::new(MANY as u64);
    let bodies = pairs(plan, &mut random, MANY)?;
    let mut curves = Curves::default();
    for &step in if plan.is_quick() { &QUICK_STEPS[..] } else { &STEPS } {
        plan.tell(format!("convex bodies in steps of {step} %"));
        curves.measure(plan, (0, step), Sequence::Coherent, &COHERENT, &bodies, |bodies| {
            tumbling(&mut random, bodies, GAP, step / 100.0, steps(plan) + 1)
        })?;
    }
    curves.output(plan, &Frame {
        name: "convex-motion",
        against: "the step of the motion",
        column: "step_percent",
        scenes: &["200 vertices each"],
        x: Axis::decimal("step in % of the radius"),
        notes: &[
            "Hulls of 200 random points of an ellipsoid with semi-axes 1, 0.8, 0.6 m, apart by up to 5 cm.",
            "Each step turns both bodies and the direction between them; 100 % is one radian.",
        ],
    })
}

/// The mean iterations of an algorithm, from the least to the greatest of the quantity that varies.
fn means(table: &Table, scene: &str, column: &str, method: Method) -> Result<Vec<(f64, f64)>> {
    table.points(&[("scene", scene), ("algorithm", method.name())], column, "iterations_mean")
}

/// The first and the last of some points.
fn ends(points: &[(f64, f64)]) -> Result<[(f64, f64); 2]> {
    points.first().zip(points.last()).map(|(a, b)| [*a, *b]).ok_or_else(|| "an algorithm has no row".into())
}

pub fn find_vertices(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("convex-vertices")?;
    let of = |scene: &str, method| ends(&means(table, scene, "vertices", method)?);
    let (cold, smooth) = ("random poses near contact", "smooth motion");
    let [few, many] = of(cold, Method::Gjk)?;
    let [_, momentum] = of(cold, Method::GjkNesterov)?;
    let [start, end] = of(smooth, Method::LinCanny)?;
    let [fresh, afresh] = of(cold, Method::LinCanny)?;
    let [_, planes] = of(cold, Method::FacePlanes)?;
    let cells = [("scene", cold), ("algorithm", Method::FacePlanes.name())];
    let sum = |column| -> Result<f64> { Ok(table.numbers(&cells, column)?.iter().sum()) };
    let (apart, queries, open) = (sum("apart")?, sum("queries")?, sum("undecided")?);
    // Of those that meet none is decided.
    let missed = open - (queries - apart);
    let span = format!("from {} to {} vertices", few.0, many.0);
    let mut findings = vec![
        Finding::new(
            "Gilbert, Johnson and Keerthi 1988",
            "the cost of GJK is linear in the vertices, for its iterations hardly grow with them",
            format!("{span} it takes {} to {} iterations", say(few.1), say(many.1)),
            many.1 < 2.5 * few.1,
        ),
        Finding::new(
            "Lin and Canny 1991",
            "on smooth motions the cost of the nearest features hardly depends on the vertices",
            format!(
                "{span} it takes {} to {} pairs of features on the smooth motion, {} to {} at random poses",
                say(start.1),
                say(end.1),
                say(fresh.1),
                say(afresh.1)
            ),
            end.1 < 3.0 && end.1 - start.1 < 0.5 * (afresh.1 - fresh.1),
        ),
        Finding::new(
            "Montaut et al. 2022",
            "momentum saves iterations of GJK",
            format!(
                "with {} vertices it takes {} iterations, GJK alone {}",
                many.0,
                say(momentum.1),
                say(many.1)
            ),
            momentum.1 < many.1,
        ),
        Finding::new(
            "Huotari 2011, section 5.1",
            "bodies meet if no face has all points of the other body outside",
            format!(
                "{} of {} pairs that are apart have no such face, only edges tell",
                say(missed),
                say(apart)
            ),
            missed == 0.0,
        ),
    ];
    if !table.is_quick {
        let vertices = planes.0.to_string();
        let time = |method: Method| {
            table.number(&[("scene", cold), ("vertices", &vertices), ("algorithm", method.name())], "time_ns")
        };
        let (slow, quick) = (time(Method::FacePlanes)? / 1e3, time(Method::Gjk)? / 1e3);
        findings.push(Finding::new(
            "Huotari 2011, section 5.1",
            "testing all faces of one body against all vertices of the other is simple, and other methods are faster",
            format!("with {vertices} vertices it takes {} µs, GJK {}", say(slow), say(quick)),
            slow > quick,
        ));
    }
    Ok(findings)
}

pub fn find_motion(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("convex-motion")?;
    let of = |method| means(table, "200 vertices each", "step_percent", method);
    let (memory, afresh, features) = (of(Method::GjkMemory)?, of(Method::Gjk)?, of(Method::LinCanny)?);
    let ([small, large], [_, none]) = (ends(&memory)?, ends(&afresh)?);
    let [slow, fast] = ends(&features)?;
    Ok(vec![
        Finding::new(
            "van den Bergen 1999",
            "what GJK found at the last step saves iterations where bodies move little from step to step",
            format!(
                "with steps of {} % of a radian it takes {} iterations instead of {}, with steps of a radian {} instead of {}",
                say(small.0),
                say(small.1),
                say(ends(&afresh)?[0].1),
                say(large.1),
                say(none.1)
            ),
            small.1 < 0.5 * none.1,
        ),
        Finding::new(
            "Lin and Canny 1991",
            "the nearest features are found in constant time if bodies move little",
            format!(
                "{} pairs of features with steps of {} %, {} with steps of {} %",
                say(slow.1),
                say(slow.0),
                say(fast.1),
                say(fast.0)
            ),
            slow.1 < 2.0,
        ),
    ])
}

fn pairs(plan: &Plan, random: &mut Random, vertices: usize) -> Result<Vec<[Body; 2]>> {
    let mut hull = || Body::hull(random, vertices, RADII);
    (0..plan.choose(2, 8)).map(|_| Ok([hull()?, hull()?])).collect()
}

/// Queries of a run.
fn steps(plan: &Plan) -> usize {
    plan.choose(20, 50)
}

/// What one algorithm took at one place.
struct Measured {
    /// The number of the scene, see [`Frame::scenes`].
    scene: usize,
    x: f64,
    method: Method,
    remembered: bool,
    tally: Tally,
    /// Nanoseconds of a query.
    time: f64,
}

/// All that was measured.
#[derive(Default)]
struct Curves(Vec<Measured>);

/// What stands around the measurements.
struct Frame {
    name: &'static str,
    against: &'static str,
    /// The column of the quantity that varies, with its unit.
    column: &'static str,
    /// What the panels are.
    scenes: &'static [&'static str],
    x: Axis,
    notes: &'static [&'static str],
}

impl Curves {
    /// Runs of each pair of bodies by several algorithms.
    fn measure<'b>(
        &mut self,
        plan: &Plan,
        (scene, x): (usize, f64),
        sequence: Sequence,
        methods: &[Method],
        bodies: &'b [[Body; 2]],
        mut run: impl FnMut((&'b Body, &'b Body)) -> Result<Run<'b>>,
    ) -> Result<()> {
        let mut runs = Vec::new();
        for [a, b] in bodies {
            for _ in 0..plan.choose(2, 8) {
                runs.push(run((a, b))?);
            }
        }
        let tallies = count(methods, &runs, sequence)?;
        for (&method, tally) in methods.iter().zip(tallies) {
            let remembered = method.remembers() && sequence == Sequence::Coherent;
            let time = time(method, &runs, sequence, plan.repetitions());
            self.0.push(Measured { scene, x, method, remembered, tally, time });
        }
        Ok(())
    }

    /// The files and what is to be said of them.
    fn output(&self, plan: &Plan, frame: &Frame) -> Result<Output> {
        let sum = |part: fn(&Tally) -> usize| self.0.iter().map(|m| part(&m.tally)).sum();
        let iterations = Axis::linear("iterations a query (mean)");
        let iterations =
            self.figure(frame, &iterations, "Iterations", &[&machine::version()], |m| m.tally.mean());
        let timed = [&*format!("Time: {HOW_TIMED}."), &machine::line()];
        let times = self.figure(frame, &Axis::decimal("time of a query in ns"), "Time", &timed, |m| m.time);
        let output = plan.output(sum(|t| t.queries)).leaving_open(sum(|t| t.undecided));
        output
            .sheet(frame.name, self.sheet(frame))
            .figure(&format!("{}-iterations", frame.name), &iterations)?
            .figure(&format!("{}-time", frame.name), &times)
    }

    fn sheet(&self, frame: &Frame) -> Sheet {
        let title = format!("Convex algorithms against {}", frame.against);
        let timed = format!("time_ns: {HOW_TIMED}");
        let comments = [&[&*title], frame.notes, &[ITERATIONS, &timed]].concat();
        let columns =
            "answers,remembers,queries,apart,undecided,iterations_mean,iterations_p99,iterations_max";
        let columns = format!("scene,{},algorithm,{columns},time_ns", frame.column);
        let mut sheet = Sheet::new(&comments, &columns);
        for Measured { scene, x, method, remembered, tally, time } in &self.0 {
            let answers = if method.measures() { "distance" } else { "yes or no" };
            let (scene, remembers) = (frame.scenes[*scene], if *remembered { "yes" } else { "no" });
            let Tally { queries, apart, undecided, .. } = tally;
            let (mean, p99, most) = (tally.mean(), tally.quantile(0.99), tally.quantile(1.0));
            sheet.row(format_args!(
                "{scene},{x},{},{answers},{remembers},{queries},{apart},{undecided},{mean:.3},{p99},{most},{time:.0}",
                method.name()
            ));
        }
        sheet
    }

    fn figure(
        &self,
        frame: &Frame,
        y: &Axis,
        what: &str,
        more: &[&str],
        value: fn(&Measured) -> f64,
    ) -> Figure {
        let is_timed = what == "Time";
        let panel = |(scene, title): (usize, &&str)| {
            let here = || self.0.iter().filter(move |m| m.scene == scene);
            let mut methods: Vec<Method> = here().map(|m| m.method).collect();
            // Those of the next x are the same.
            methods.truncate(here().take_while(|m| Some(m.x) == here().next().map(|m| m.x)).count());
            // Faces are no iterations of a search, and so many that the others could not be told apart.
            methods.retain(|method| is_timed || *method != Method::FacePlanes);
            let points = |method| here().filter(|m| m.method == method).map(|m| (m.x, value(m))).collect();
            let series = methods.iter().map(|method| method.line(points(*method))).collect();
            Panel::new(*title, frame.x.clone(), y.clone(), series)
        };
        let legend = "Full lines measure the distance, dashed ones only say yes or no.";
        let caption = [frame.notes, &[legend], more].concat();
        let title = format!("{what} of convex algorithms against {}", frame.against);
        Figure::new(title, frame.scenes.iter().enumerate().map(panel).collect(), &caption)
    }
}
