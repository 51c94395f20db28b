//! Mechanisms of joints beside published solutions, by the number of sub-steps.

use std::f64::consts::FRAC_PI_2;

use sudar::DVec3;
use sudar::dynamics::DynamicsError;
use sudar_scene::mechanisms::{
    Mechanism, bricard, double_pendulum, four_bar, four_bars, governor, gyroscope, pendulum, slider_crank,
    squeezer,
};

use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result};

pub const TITLE: &str = "joints: mechanisms beside published solutions, by the length of the sub-step";

const NOTES: [&str; 3] = [
    "error: how far the watched point is from where it is known to be; of the squeezer, the end of a crank of a metre that turns with its angle beta. Steps of \
     1/240 s, of the squeezer of 1e-4 s.",
    "A01, A02 and A04: library of benchmark problems of IFToMM. A03: test set for initial value problem solvers (Mazzia and Magherini 2008). A05, of which no \
     digits are published, and the double pendulum: Lagrange's equations by an integrator of high order.",
    "gap, m: the largest of any joint on the way; drift: the largest change of energy, relative to the largest energy of motion, where nothing drives or damps.",
];

/// A mechanism, and where it is known to be.
struct Case {
    name: &'static str,
    title: &'static str,
    source: &'static str,
    model: fn(u32) -> std::result::Result<Mechanism, DynamicsError>,
    step: f64,
    /// What is drawn: the coordinate of the watched point, and its name.
    drawn: (usize, &'static str),
    known: &'static [(f64, DVec3)],
    /// Whether its energy stays.
    keeps: bool,
}

const fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

const CASES: [Case; 9] = [
    Case {
        name: "pendulum",
        title: "Pendulum (A01)",
        source: "IFToMM benchmark A01",
        model: |substeps| pendulum(FRAC_PI_2, substeps),
        step: 1.0 / 240.0,
        drawn: (0, "x in m"),
        known: &[
            (1.0, at(0.986_291_751_13, -0.165_010_853_13, 0.0)),
            (5.0, at(-0.942_305_435_04, -0.334_754_338_41, 0.0)),
            (10.0, at(-0.275_087_462_58, -0.961_419_205_10, 0.0)),
        ],
        keeps: true,
    },
    Case {
        name: "double pendulum",
        title: "Double pendulum",
        source: "An integrator of high order",
        model: double_pendulum,
        step: 1.0 / 240.0,
        drawn: (0, "x in m"),
        known: &[
            (1.0, at(-1.444_818_849_9, -1.321_794_461_4, 0.0)),
            (3.0, at(1.876_250_850_7, -0.224_038_497_9, 0.0)),
        ],
        keeps: true,
    },
    Case {
        name: "four-bars",
        title: "Four-bars in a row (A02, N = 2)",
        source: "IFToMM benchmark A02",
        model: |substeps| four_bars(2, substeps),
        step: 1.0 / 240.0,
        drawn: (0, "x in m"),
        known: &[(10.0, at(0.328_458_11, 0.944_518_54, 0.0))],
        keeps: true,
    },
    Case {
        name: "squeezer",
        title: "Andrews' squeezer (A03)",
        source: "Test set for initial value problem solvers",
        model: |substeps| Ok(squeezer(substeps)?.mechanism),
        step: 1e-4,
        drawn: (0, "cos β"),
        known: &[(0.03, at(-0.994_719_918_032, -0.102_626_919_813, 0.0))],
        keeps: false,
    },
    Case {
        name: "Bricard",
        title: "Bricard's mechanism (A04)",
        source: "IFToMM benchmark A04",
        model: bricard,
        step: 1.0 / 240.0,
        drawn: (0, "x in m"),
        known: &[
            (1.0, at(0.510_501_461, -1.649_167_599, 0.140_123_115)),
            (2.0, at(-0.969_340_345, -1.221_246_895, 0.754_278_011)),
        ],
        keeps: true,
    },
    Case {
        name: "governor",
        title: "Flyball governor (A05)",
        source: "Lagrange's equations of IFToMM benchmark A05",
        model: governor,
        step: 1.0 / 240.0,
        drawn: (2, "height of the slider in m"),
        known: &[
            (1.0, at(0.0, 0.0, 0.134_051_026_006)),
            (3.0, at(0.0, 0.0, 0.134_928_719_613)),
            (5.0, at(0.0, 0.0, 0.136_675_338_478)),
        ],
        keeps: false,
    },
    Case {
        name: "gyroscope",
        title: "Gyroscope on a ball joint",
        source: "I₁Ω² cos θ − I₃ω₃Ω + m g l = 0",
        model: precessing,
        step: 1.0 / 240.0,
        drawn: (0, "x in m"),
        known: &[
            (1.0, at(-0.105_052_646_512, 0.229_544_220_370, 0.162_090_691_760)),
            (2.0, at(-0.165_006_642_408, -0.191_048_202_310, 0.162_090_691_760)),
        ],
        keeps: true,
    },
    Case {
        name: "slider-crank",
        title: "Slider and crank",
        source: "x = r cos φ + √(l² − r² sin² φ)",
        model: |substeps| slider_crank([0.3, 0.8], 5.0, substeps),
        step: 1.0 / 240.0,
        drawn: (0, "x in m"),
        known: &[
            (0.5, at(0.539_249_628_453, 0.0, 0.0)),
            (1.0, at(0.831_584_945_661, 0.0, 0.0)),
            (2.0, at(0.531_453_932_094, 0.0, 0.0)),
        ],
        keeps: false,
    },
    Case {
        name: "four-bar",
        title: "Four-bar, driven",
        source: "Circles about both ends that meet",
        model: |substeps| four_bar([1.0, 0.3, 0.9, 0.7], 3.0, substeps),
        step: 1.0 / 240.0,
        drawn: (0, "x in m"),
        known: &[
            (1.0, at(0.489_816_543_878, 0.479_283_674_977, 0.0)),
            (2.0, at(0.785_377_692_229, 0.666_286_173_507, 0.0)),
            (4.0, at(0.688_366_204_400, 0.626_804_895_833, 0.0)),
        ],
        keeps: false,
    },
];

/// A top that precesses by two radians a second without nodding.
fn precessing(substeps: u32) -> std::result::Result<Mechanism, DynamicsError> {
    let (along, across, distance, angle, turn) = (0.02, 0.015, 0.3, 1.0_f64, 2.0);
    let momentum = ((across + distance * distance) * turn * turn * angle.cos() + 9.81 * distance) / turn;
    let spin = momentum / along - turn * angle.cos();
    gyroscope([along, across], distance, angle, [spin, turn], substeps)
}

/// Moments that are drawn of each mechanism.
const DRAWN: usize = 120;

/// What a run with so many sub-steps gives.
struct Way {
    /// Errors at the known times, and the places on the way.
    errors: Vec<(f64, f64)>,
    places: Vec<(f64, DVec3)>,
    gap: f64,
    drift: f64,
}

impl Case {
    fn end(&self) -> f64 {
        self.known.iter().map(|known| known.0).fold(0.0, f64::max)
    }

    fn place(&self, mechanism: &Mechanism) -> Result<DVec3> {
        if self.name == "squeezer" {
            let q = mechanism.world.motion(mechanism.bodies[0])?.rotation;
            return Ok(q * DVec3::X);
        }
        Ok(mechanism.point()?[0])
    }

    fn run(&self, substeps: u32) -> Result<Way> {
        let mut mechanism = (self.model)(substeps)?;
        let start = mechanism.world.energy();
        let mut way =
            Way { errors: Vec::new(), places: vec![(0.0, self.place(&mechanism)?)], gap: 0.0, drift: 0.0 };
        let (steps, mut most) = ((self.end() / self.step).round() as usize, start.kinetic);
        for number in 1..=steps {
            let report = mechanism.world.step(self.step)?;
            let (time, energy) = (self.step * number as f64, mechanism.world.energy());
            way.gap = way.gap.max(report.gap);
            most = most.max(energy.kinetic);
            way.drift = way.drift.max((energy.total() - start.total()).abs());
            if number * DRAWN / steps > (number - 1) * DRAWN / steps {
                way.places.push((time, self.place(&mechanism)?));
            }
            for (_, known) in self.known.iter().filter(|(known, _)| (known - time).abs() < 0.5 * self.step) {
                way.errors.push((time, self.place(&mechanism)?.distance(*known)));
            }
        }
        way.drift /= most;
        Ok(way)
    }

    /// The way of the point, and where it is known to be.
    fn panel(&self, way: &Way) -> Panel {
        let (axis, label) = self.drawn;
        let points =
            |places: &[(f64, DVec3)]| places.iter().map(|(time, place)| (*time, place[axis])).collect();
        let series = vec![
            Series::curve("Sudar, 4 sub-steps", 0, points(&way.places)),
            Series::marks("known", 1, points(self.known)),
        ];
        Panel::new(self.title, Axis::linear("seconds"), Axis::linear(label), series)
    }
}

pub fn run(plan: &Plan) -> Result<Output> {
    let counts = &[1, 4, 16][..plan.choose(2, 3)];
    let mut sheet = Sheet::new(&NOTES, "mechanism,substeps,time_s,error,gap_m,drift");
    let (mut panels, mut errors) = (Vec::new(), Vec::new());
    for (number, case) in CASES.iter().enumerate() {
        plan.tell(case.name);
        let mut last = Vec::new();
        for &substeps in counts {
            let way = case.run(substeps)?;
            let drift = if case.keeps { format!("{:.1e}", way.drift) } else { String::new() };
            for (time, error) in &way.errors {
                sheet.row(format_args!(
                    "{},{substeps},{time:.2},{error:.2e},{:.1e},{drift}",
                    case.name, way.gap
                ));
            }
            last.extend(way.errors.last().map(|(_, error)| (f64::from(substeps), *error)));
            if substeps == 4 {
                panels.push(case.panel(&way));
            }
        }
        errors.push(Series::line(case.title, number + 2, last));
    }
    let x = Axis::binary("sub-steps of a step");
    panels.push(Panel::new("Error at the last known time", x, Axis::decimal("error in m"), errors));
    let figure = Figure::new("Mechanisms beside published solutions", panels, &[&machine::version()]);
    plan.output(CASES.len() * counts.len()).sheet("mechanisms", sheet).figure("mechanisms", &figure)
}

/// Error in m that is none.
const EXACT: f64 = 1e-7;

/// Errors and orders, the same on every machine.
pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("mechanisms")?;
    let finding = |case: &Case| {
        let (time, place) = case.known[case.known.len() - 1];
        let time_text = format!("{time:.2}");
        let cells = [("mechanism", case.name), ("time_s", &time_text)];
        let errors = table.points(&cells, "substeps", "error")?;
        let [first, last] = [errors.first(), errors.last()].map(|e| e.copied().unwrap_or((1.0, f64::NAN)));
        let order = (first.1 / last.1).ln() / (last.0 / first.0).ln();
        let there =
            format!("the point is at ({:.6}, {:.6}, {:.6}) after {} s", place.x, place.y, place.z, say(time));
        // What is driven has no error that could fall.
        let is_exact = first.1 < EXACT;
        let falls = if is_exact {
            String::new()
        } else {
            format!(", and the error falls with the power {} of their length", say(order))
        };
        let here = format!("with {} sub-steps it is {} m from there{falls}", last.0, say(last.1));
        Ok(Finding::new(case.source, there, here, is_exact || order > 1.8 && last.1 < 1e-3))
    };
    CASES.iter().map(finding).collect()
}
