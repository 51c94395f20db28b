//! Iterations and time of several algorithms against one quantity: a table and two figures.

use anyhow::Result;

use super::axis::{Axis, Scale};
use super::figure::{Figure, Kind, Look, Panel, Series};
use super::measure::{HOW_TIMED, Tally};
use super::methods::Method;
use super::sheet::Sheet;
use super::{File, Output, machine};

/// What one algorithm took at one place.
#[derive(Debug)]
pub struct Measured {
    /// The number of the scene, see [`Frame::scenes`].
    pub scene: usize,
    pub x: f64,
    pub method: Method,
    /// Whether it began with what it had found before.
    pub remembered: bool,
    pub tally: Tally,
    /// Nanoseconds of a query.
    pub time: f64,
}

/// All that was measured.
#[derive(Debug, Default)]
pub struct Curves(Vec<Measured>);

/// What stands around the measurements.
#[derive(Debug)]
pub struct Frame {
    /// The beginning of the names of files.
    pub name: &'static str,
    /// What the cost is against, in the title.
    pub against: &'static str,
    /// The column of the quantity that varies, with its unit.
    pub column: &'static str,
    /// What the panels are.
    pub scenes: &'static [&'static str],
    pub x: Axis,
    pub notes: &'static [&'static str],
}

impl Curves {
    pub fn add(&mut self, measured: Measured) {
        self.0.push(measured);
    }

    /// The files and what is to be said of them.
    pub fn output(&self, frame: &Frame) -> Result<Output> {
        let iterations = Axis::new("iterations a query (mean)", Scale::Linear);
        let times = Axis::new("time of a query in ns", Scale::Decimal);
        let timed = format!("Time: {HOW_TIMED}.");
        let file = |name: String, text| File { name, text };
        let files = vec![
            file(format!("{}.csv", frame.name), self.sheet(frame)),
            file(
                format!("{}-iterations.svg", frame.name),
                self.figure(frame, &iterations, "Iterations", &[&machine::version()], |m| m.tally.mean())
                    .svg()?,
            ),
            file(
                format!("{}-time.svg", frame.name),
                self.figure(frame, &times, "Time", &[&timed, &machine::line()], |m| m.time).svg()?,
            ),
        ];
        let sum = |part: fn(&Tally) -> usize| self.0.iter().map(|m| part(&m.tally)).sum();
        Ok(Output { files, queries: sum(|t| t.queries), undecided: sum(|t| t.undecided) })
    }

    fn sheet(&self, frame: &Frame) -> String {
        let title = format!("Convex algorithms against {}", frame.against);
        let mut comments = vec![title.as_str()];
        comments.extend(frame.notes);
        comments.push(ITERATIONS);
        let timed = format!("time_ns: {HOW_TIMED}");
        comments.push(&timed);
        let columns = [
            "scene",
            frame.column,
            "algorithm",
            "answers",
            "remembers",
            "queries",
            "apart",
            "undecided",
            "iterations_mean",
            "iterations_p99",
            "iterations_max",
            "time_ns",
        ];
        let mut sheet = Sheet::new(&comments, &columns);
        for Measured { scene, x, method, remembered, tally, time } in &self.0 {
            sheet.row(&[
                frame.scenes[*scene].to_owned(),
                x.to_string(),
                method.name().to_owned(),
                if method.measures() { "distance" } else { "yes or no" }.to_owned(),
                if *remembered { "yes" } else { "no" }.to_owned(),
                tally.queries.to_string(),
                tally.apart.to_string(),
                tally.undecided.to_string(),
                format!("{:.3}", tally.mean()),
                tally.quantile(0.99).to_string(),
                tally.most().to_string(),
                format!("{time:.0}"),
            ]);
        }
        sheet.text()
    }

    fn figure(
        &self,
        frame: &Frame,
        y: &Axis,
        what: &str,
        more: &[&str],
        value: fn(&Measured) -> f64,
    ) -> Figure {
        let panel = |(scene, title): (usize, &&str)| Panel {
            title: (*title).to_owned(),
            x: frame.x.clone(),
            y: y.clone(),
            series: self.series(scene, value),
        };
        let panels = frame.scenes.iter().enumerate().map(panel).collect();
        let legend = "Full lines measure the distance, dashed ones only say yes or no.";
        let caption =
            frame.notes.iter().chain(&[legend]).chain(more).map(|line| (*line).to_owned()).collect();
        Figure { title: format!("{what} of convex algorithms against {}", frame.against), panels, caption }
    }

    fn series(&self, scene: usize, value: fn(&Measured) -> f64) -> Vec<Series> {
        let mut methods: Vec<Method> = Vec::new();
        let here = || self.0.iter().filter(move |m| m.scene == scene);
        for measured in here() {
            if !methods.contains(&measured.method) {
                methods.push(measured.method);
            }
        }
        let points = |method| here().filter(|m| m.method == method).map(|m| (m.x, value(m))).collect();
        let series = |method: Method| Series {
            label: method.name().to_owned(),
            look: look(method),
            points: points(method),
        };
        methods.into_iter().map(series).collect()
    }
}

/// What an iteration is.
pub const ITERATIONS: &str = "iterations: support points of the difference of the bodies; of Lin–Canny pairs of features; of queries that were \
     decided";

/// Algorithms look the same in all figures.
pub fn look(method: Method) -> Look {
    let number = match method {
        Method::Gjk => 0,
        Method::GjkNesterov => 1,
        Method::GjkMemory => 2,
        Method::LinCanny => 3,
        Method::GjkCases => 4,
        Method::ChungWang => 5,
        Method::SeparatingVector => 6,
        Method::ReflectionsOnly => 7,
    };
    Look { number, kind: if method.measures() { Kind::Line } else { Kind::DashedLine } }
}
