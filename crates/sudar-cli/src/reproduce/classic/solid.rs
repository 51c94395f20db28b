//! SOLID's choices: where to split, and re-fitting or building anew under deformation (van den Bergen 1997).

use std::sync::Arc;

use anyhow::{Result, ensure};
use sudar::{Mesh, Pose};
use sudar_classic::tree::SplitPoint;
use sudar_classic::{Limits, Rapid, Solid};

use super::super::axis::{Axis, Scale};
use super::super::figure::{Figure, Panel};
use super::super::sheet::Sheet;
use super::super::{File, Output, Plan, machine};
use super::{close, keep, line, models, number, seconds};

pub const TITLE: &str = "SOLID: where to split, and re-fitting against building anew (van den Bergen 1997)";

/// Twists the ring, as strongly as the amount says.
fn twisted(mesh: &Mesh, amount: f64) -> Result<Arc<Mesh>> {
    let twist = |p: sudar::DVec3| {
        let angle = amount * p.x;
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        sudar::DVec3::new(p.x, cos * p.y - sin * p.z, sin * p.y + cos * p.z)
    };
    Ok(Arc::new(mesh.mapped(twist)?))
}

fn micros(plan: &Plan, first: &Solid, second: &Solid, poses: &[Pose]) -> (f64, f64, usize) {
    let (mut tests, mut pairs) = (0, 0);
    for pose in poses {
        let found = first.collide(&Pose::IDENTITY, second, pose, Limits::ALL);
        tests += found.effort.volume_tests;
        pairs += found.pairs.len();
    }
    let time = seconds(plan, || {
        for pose in poses {
            keep(first.collide(&Pose::IDENTITY, second, pose, Limits::ALL));
        }
    });
    let count = poses.len() as f64;
    (time * 1e6 / count, tests as f64 / count, pairs)
}

/// A ring and a ball, and poses of the ball.
struct Scene {
    ring: Arc<Mesh>,
    ball: Arc<Mesh>,
    poses: Vec<Pose>,
}

impl Scene {
    fn new(plan: &Plan) -> Result<Self> {
        let ring = Arc::new(models::torus(plan.choose(12, 60) as u32)?);
        let ball = Arc::new(models::bumpy(plan.choose(8, 40) as u32)?);
        let mut poses = Vec::new();
        for (_, gap) in close::GAPS {
            poses.extend(close::poses(&ring, &ball, gap, plan.choose(2, 6))?);
        }
        Ok(Self { ring, ball, poses })
    }

    /// Building and searching with each rule, and building oriented boxes.
    fn splits(&self, plan: &Plan, sheet: &mut Sheet) -> Result<()> {
        let mut expected = None;
        for point in [SplitPoint::Median, SplitPoint::LeastOverlap, SplitPoint::Midpoint] {
            let made = |mesh: &Arc<Mesh>| Solid::with_split(mesh.clone(), point);
            let build = seconds(plan, || keep((made(&self.ring), made(&self.ball))));
            let (time, tests, pairs) = micros(plan, &made(&self.ring), &made(&self.ball), &self.poses);
            ensure!(*expected.get_or_insert(pairs) == pairs, "the rules find other pairs");
            let (build, time, tests) = (number(build * 1e3), number(time), number(tests));
            sheet.row(&["split", point.name(), &build, "", &time, "", &tests, ""].map(str::to_owned));
        }
        let made = || (Rapid::new(self.ring.clone()), Rapid::new(self.ball.clone()));
        let build = number(seconds(plan, || keep(made())) * 1e3);
        sheet.row(&["split", "oriented boxes", &build, "", "", "", "", ""].map(str::to_owned));
        Ok(())
    }

    /// Tests of boxes with a tree that is re-fitted and with one built anew, for a ring that is ever more twisted.
    fn deformations(&self, plan: &Plan, sheet: &mut Sheet) -> Result<[Vec<(f64, f64)>; 2]> {
        let other = Solid::new(self.ball.clone());
        let mut points = [Vec::new(), Vec::new()];
        for amount in [0.0, 0.5, 1.0, 2.0, 4.0] {
            let bent = twisted(&self.ring, amount)?;
            let build = seconds(plan, || keep(Solid::new(bent.clone())));
            let mut kept = Solid::new(self.ring.clone());
            let refit = seconds(plan, || kept.refit(bent.clone()));
            let (time, tests, pairs) = micros(plan, &kept, &other, &self.poses);
            let (time_anew, tests_anew, pairs_anew) = micros(plan, &Solid::new(bent), &other, &self.poses);
            ensure!(pairs == pairs_anew, "a re-fitted tree finds other pairs");
            points[0].push((amount, tests));
            points[1].push((amount, tests_anew));
            let numbers = [build * 1e3, refit * 1e3, time, time_anew, tests, tests_anew].map(number);
            let mut cells = vec!["deformation".to_owned(), amount.to_string()];
            cells.extend(numbers);
            sheet.row(&cells);
        }
        Ok(points)
    }
}

pub fn run(plan: &Plan) -> Result<Output> {
    let comments = [
        TITLE,
        "a ring and a bumpy sphere, all contacts, microseconds a pose",
        "source: the midpoint best; a tree of boxes is built in a third of the time of one of oriented boxes; re-fitting about ten times quicker than building",
    ];
    let columns = [
        "what",
        "choice",
        "build_ms",
        "refit_ms",
        "us",
        "us_rebuilt",
        "volume_tests",
        "volume_tests_rebuilt",
    ];
    let mut sheet = Sheet::new(&comments, &columns);
    let scene = Scene::new(plan)?;
    scene.splits(plan, &mut sheet)?;
    let [refitted, rebuilt] = scene.deformations(plan, &mut sheet)?;
    let panel = Panel {
        title: "a ring that is twisted".to_owned(),
        x: Axis::new("twist in radians a unit of length", Scale::Linear),
        y: Axis::new("tests of two boxes", Scale::Linear),
        series: vec![line("re-fitted", 0, refitted), line("built anew", 1, rebuilt)],
    };
    let figure = Figure { title: TITLE.to_owned(), panels: vec![panel], caption: vec![machine::version()] };
    let files = vec![
        File { name: "solid.csv".to_owned(), text: sheet.text() },
        File { name: "solid.svg".to_owned(), text: figure.svg()? },
    ];
    Ok(Output { files, queries: 8 * scene.poses.len(), undecided: 0 })
}
