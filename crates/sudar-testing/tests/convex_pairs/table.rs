//! What is counted, and how it is printed.

use std::collections::BTreeMap;
use sudar_testing::convex_bodies::Kind;
use sudar_testing::oracle::{Count, Table, print};

#[derive(Default, Clone)]
pub struct Stats {
    pub rows: Table,
    pub work: BTreeMap<[Kind; 2], Count>,
    /// Iterations of GJK by powers of two: polytopes, round bodies. Expansions likewise.
    pub iterations: [[u64; 10]; 2],
    pub expansions: [[u64; 11]; 2],
    /// The greatest |signed distance| of undecided pairs, in ulp of the coordinates; answers after moves that leave a
    /// small gap or depth, and how many of them are undecided.
    pub doubts: Count,
    /// How far off is each thing that is checked with some tolerance, at most, in its measure.
    pub worst: BTreeMap<&'static str, (f64, u64)>,
    pub faults: BTreeMap<&'static str, (u64, Vec<String>)>,
}

impl Stats {
    pub fn fault(&mut self, label: &'static str, detail: String) {
        let (count, first) = self.faults.entry(label).or_default();
        *count += 1;
        if first.len() < 4 {
            first.push(detail);
        }
    }

    pub fn measure(&mut self, label: &'static str, value: f64, case: u64) {
        let worst = self.worst.entry(label).or_insert((f64::NEG_INFINITY, 0));
        if value > worst.0 {
            *worst = (value, case);
        }
    }

    pub fn merge(&mut self, other: Self) {
        other.rows.iter().for_each(|(class, count)| self.rows.entry(class).or_default().merge(count));
        other.work.iter().for_each(|(kinds, count)| self.work.entry(*kinds).or_default().merge(count));
        add(&mut self.iterations, &other.iterations);
        add(&mut self.expansions, &other.expansions);
        self.doubts.merge(&other.doubts);
        for (label, (value, case)) in other.worst {
            self.measure(label, value, case);
        }
        for (label, (count, details)) in other.faults {
            let (all, first) = self.faults.entry(label).or_default();
            *all += count;
            first.extend(details);
            first.truncate(6);
        }
    }

    pub fn print(&self) {
        print(&self.rows);
        print(&self.work.iter().map(|([a, b], count)| (format!("{a:?}–{b:?}"), count.clone())).collect());
        println!("\n{:?}", self.doubts);
        println!("iterations of GJK below 2, 4, 8 … (polytopes, round): {:?}", self.iterations);
        println!("expansions below 2, 4, 8 … (polytopes, round): {:?}\n", self.expansions);
        for (label, (value, case)) in &self.worst {
            println!("worst {label}: {value:.3e} (pair {case})");
        }
        for (label, (count, first)) in &self.faults {
            println!("\n{count} × {label}\n    {}", first.join("\n    "));
        }
    }
}

fn add<const N: usize>(to: &mut [[u64; N]; 2], from: &[[u64; N]; 2]) {
    to.as_flattened_mut().iter_mut().zip(from.as_flattened()).for_each(|(x, y)| *x += y);
}
