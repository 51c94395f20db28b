//! The order of separating axes: which of the fifteen axes of two boxes separate how often.

use anyhow::{Result, ensure};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::pair::obb_separating_axis;
use sudar::{DMat3, DQuat, DVec3, Obb};

use super::super::axis::{Axis, Scale};
use super::super::figure::{Figure, Kind, Look, Panel, Series};
use super::super::sheet::Sheet;
use super::super::{File, Output, Plan, machine};
use super::{keep, number, seconds};

pub const TITLE: &str = "Fifteen separating axes of two oriented boxes, in which order";

/// Pairs of boxes near each other, of all shapes from cubes to plates and needles.
fn pairs(count: usize) -> Vec<(Obb, Obb)> {
    let mut random = Pcg64::seed_from_u64(23);
    let mut number = move || random.random_range(-1.0..1.0);
    let mut point = || DVec3::new(number(), number(), number());
    let mut obb = || {
        let turn = DQuat::from_scaled_axis(point() * 3.0);
        let half = point().map(|x| libm::exp(-2.0 * x.abs()));
        Obb { center: point() * 1.3, axes: DMat3::from_quat(turn), half }
    };
    (0..count).map(|_| (obb(), obb())).collect()
}

fn time(plan: &Plan, pairs: &[(Obb, Obb)], order: &[u8]) -> f64 {
    let all = || {
        for (first, second) in pairs {
            keep(obb_separating_axis(first, second, order));
        }
    };
    seconds(plan, all) * 1e9 / pairs.len() as f64
}

/// How often each axis separates first, in this order.
fn firsts(pairs: &[(Obb, Obb)], order: &[u8]) -> [usize; 15] {
    let mut hits = [0; 15];
    for (first, second) in pairs {
        if let Some(axis) = obb_separating_axis(first, second, order) {
            hits[usize::from(axis)] += 1;
        }
    }
    hits
}

pub fn run(plan: &Plan) -> Result<Output> {
    let pairs = pairs(plan.choose(2000, 200_000));
    let natural: Vec<u8> = (0..15).collect();
    // How often each separates at all, whatever others do.
    let alone: Vec<usize> = natural.iter().map(|&axis| firsts(&pairs, &[axis]).iter().sum()).collect();
    let first = firsts(&pairs, &natural);
    let text = table(plan, &pairs, &alone, &first)?;
    let apart: usize = first.iter().sum();
    let share = |n: usize| n as f64 / apart.max(1) as f64;
    let bars = |label: &str, place: usize, values: &[usize]| Series {
        label: label.to_owned(),
        look: Look { number: place, kind: Kind::Bar { place, of: 2 } },
        points: values.iter().enumerate().map(|(i, &n)| (i as f64, share(n))).collect(),
    };
    let panel = Panel {
        title: "of all boxes that are apart".to_owned(),
        x: Axis::new("axis", Scale::Named((0..15).map(|i: i32| i.to_string()).collect())),
        y: Axis::new("part", Scale::Linear),
        series: vec![bars("separates", 0, &alone), bars("separates first", 1, &first)],
    };
    let figure = Figure { title: TITLE.to_owned(), panels: vec![panel], caption: vec![machine::version()] };
    let files = vec![
        File { name: "sat-axes.csv".to_owned(), text },
        File { name: "sat-axes.svg".to_owned(), text: figure.svg()? },
    ];
    Ok(Output { files, queries: pairs.len(), undecided: 0 })
}

fn table(plan: &Plan, pairs: &[(Obb, Obb)], alone: &[usize], first: &[usize; 15]) -> Result<String> {
    let comments = [
        TITLE,
        "axes 0 to 2 of the first box, 3 to 5 of the second, 6 to 14 products of edges; random boxes from cubes to needles and plates",
        "separates: pairs that the axis separates; first: those that no earlier axis does; source: the products separate in 15 % of the cases (van den Bergen 1997)",
    ];
    let columns = ["what", "axis_or_order", "pairs", "separates", "first", "ns"];
    let mut sheet = Sheet::new(&comments, &columns);
    let count = pairs.len().to_string();
    for (axis, (alone, first)) in alone.iter().zip(first).enumerate() {
        let cells = ["axis", &axis.to_string(), &count, &alone.to_string(), &first.to_string(), ""];
        sheet.row(&cells.map(str::to_owned));
    }
    let natural: Vec<u8> = (0..15).collect();
    let mut best = natural.clone();
    best.sort_by_key(|&axis| std::cmp::Reverse(alone[usize::from(axis)]));
    let edges_first: Vec<u8> = (6..15).chain(0..6).collect();
    let orders = [
        ("as numbered", natural.as_slice()),
        ("most often first", &best),
        ("products first", &edges_first),
        ("first six alone", &natural[..6]),
    ];
    for (name, order) in orders {
        let found: usize = firsts(pairs, order).iter().sum();
        ensure!(
            order.len() < 15 || found == first.iter().sum::<usize>(),
            "another order finds another answer"
        );
        let ns = number(time(plan, pairs, order));
        sheet.row(&["order", name, &count, &found.to_string(), "", &ns].map(str::to_owned));
    }
    Ok(sheet.text())
}
