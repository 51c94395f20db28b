//! What is counted, and how it is printed.

use std::collections::BTreeMap;

use sudar_testing::convex_bodies::Kind;

/// Of one class of pairs.
#[derive(Default, Clone)]
pub struct Row {
    pub pairs: u64,
    pub apart: u64,
    pub touching: u64,
    pub undecided: u64,
    /// Greatest width of a distance or signed distance: in ulp of the coordinates, and relative to the sizes.
    pub apart_case: u64,
    pub depth_case: u64,
    pub distance_ulp: f64,
    pub distance_width: f64,
    pub depth_width: f64,
}

/// Of one pair of kinds.
#[derive(Default, Clone)]
pub struct Work {
    pub pairs: u64,
    pub iterations: u64,
    pub most_iterations: u32,
    pub depths: u64,
    pub expansions: u64,
    pub most_expansions: u32,
    /// Depths that ended at the limit of expansions.
    pub limited: u64,
    pub undecided: u64,
    pub distance_width: f64,
    pub depth_width: f64,
}

#[derive(Default, Clone)]
pub struct Stats {
    pub rows: BTreeMap<&'static str, Row>,
    pub work: BTreeMap<[Kind; 2], Work>,
    /// Iterations of GJK by powers of two: polytopes, round bodies. Expansions likewise.
    pub iterations: [[u64; 10]; 2],
    pub expansions: [[u64; 11]; 2],
    /// The greatest |signed distance| of undecided pairs, in ulp of the coordinates.
    pub undecided_ulp: f64,
    /// Answers after moves that leave a small gap or depth, and how many of them are undecided.
    pub moves: u64,
    pub unsure: u64,
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
        for (class, r) in other.rows {
            let row = self.rows.entry(class).or_default();
            row.pairs += r.pairs;
            row.apart += r.apart;
            row.touching += r.touching;
            row.undecided += r.undecided;
            if r.distance_ulp > row.distance_ulp {
                row.apart_case = r.apart_case;
            }
            if r.depth_width > row.depth_width {
                row.depth_case = r.depth_case;
            }
            row.distance_ulp = row.distance_ulp.max(r.distance_ulp);
            row.distance_width = row.distance_width.max(r.distance_width);
            row.depth_width = row.depth_width.max(r.depth_width);
        }
        for (kinds, w) in other.work {
            let work = self.work.entry(kinds).or_default();
            work.pairs += w.pairs;
            work.iterations += w.iterations;
            work.most_iterations = work.most_iterations.max(w.most_iterations);
            work.depths += w.depths;
            work.expansions += w.expansions;
            work.most_expansions = work.most_expansions.max(w.most_expansions);
            work.limited += w.limited;
            work.undecided += w.undecided;
            work.distance_width = work.distance_width.max(w.distance_width);
            work.depth_width = work.depth_width.max(w.depth_width);
        }
        add(&mut self.iterations, &other.iterations);
        add(&mut self.expansions, &other.expansions);
        self.undecided_ulp = self.undecided_ulp.max(other.undecided_ulp);
        self.moves += other.moves;
        self.unsure += other.unsure;
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
        println!(
            "| class | pairs | apart | touching | undecided | distance/size | distance/ulp | depth/size |"
        );
        println!("|---|---|---|---|---|---|---|---|");
        for (class, r) in &self.rows {
            println!(
                "| {class} | {} | {} | {} | {} | {:.1e} | {:.1e} ({}) | {:.1e} ({}) |",
                r.pairs,
                r.apart,
                r.touching,
                r.undecided,
                r.distance_width,
                r.distance_ulp,
                r.apart_case,
                r.depth_width,
                r.depth_case
            );
        }
        println!("\nundecided within {:.1} ulp of the coordinates", self.undecided_ulp);
        println!("undecided after {} of {} moves that leave a small gap or depth", self.unsure, self.moves);
        println!(
            "\n| kinds | pairs | undecided | GJK mean | most | expansions mean | most | at the limit | distance/size | depth/size |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|");
        for ([a, b], w) in &self.work {
            println!(
                "| {a:?}–{b:?} | {} | {} | {:.1} | {} | {:.1} | {} | {} | {:.1e} | {:.1e} |",
                w.pairs,
                w.undecided,
                w.iterations as f64 / w.pairs as f64,
                w.most_iterations,
                w.expansions as f64 / w.depths.max(1) as f64,
                w.most_expansions,
                w.limited,
                w.distance_width,
                w.depth_width
            );
        }
        println!("\niterations of GJK below 2, 4, 8 … (polytopes, round): {:?}", self.iterations);
        println!("expansions below 2, 4, 8 … (polytopes, round): {:?}", self.expansions);
        println!();
        for (label, (value, case)) in &self.worst {
            println!("worst {label}: {value:.3e} (pair {case})");
        }
        for (label, (count, first)) in &self.faults {
            println!("\n{count} × {label}");
            for detail in first {
                println!("    {detail}");
            }
        }
    }
}

fn add<const N: usize>(to: &mut [[u64; N]; 2], from: &[[u64; N]; 2]) {
    for (row, other) in to.iter_mut().zip(from) {
        for (x, y) in row.iter_mut().zip(other) {
            *x += y;
        }
    }
}
