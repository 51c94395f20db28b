//! What large comparisons share: settings from the environment, all threads, tables of what was seen.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::str::FromStr;
use std::thread;

/// The number in an environment variable, else the usual one.
pub fn setting<T: FromStr>(name: &str, usual: T) -> T {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// The folder of real models; where `SUDAR_DATA` names none, a message that a test is skipped.
pub fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("SUDAR_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: SUDAR_DATA names no folder of models");
    }
    folder
}

/// Looks at each number on some thread, and returns what each thread gathered.
pub fn on_all_threads<T: Default + Send>(numbers: Range<u64>, look: impl Fn(u64, &mut T) + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, Into::into);
    let work = |t: usize| {
        let mut gathered = T::default();
        numbers.clone().skip(t).step_by(threads).for_each(|n| look(n, &mut gathered));
        gathered
    };
    let work = &work;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|t| scope.spawn(move || work(t))).collect();
        workers.into_iter().map(|w| w.join().unwrap_or_else(|fault| resume_unwind(fault))).collect()
    })
}

/// Sums and greatest values by column.
#[derive(Debug, Default, Clone)]
pub struct Count {
    sums: BTreeMap<&'static str, u64>,
    greatest: BTreeMap<&'static str, f64>,
}

impl Count {
    pub fn add(&mut self, column: &'static str, n: impl TryInto<u64>) {
        *self.sums.entry(column).or_default() += n.try_into().unwrap_or(u64::MAX);
    }

    /// Keeps the greatest value.
    pub fn raise(&mut self, column: &'static str, value: f64) {
        let greatest = self.greatest.entry(column).or_insert(value);
        *greatest = greatest.max(value);
    }

    /// The sum of a column.
    pub fn of(&self, column: &str) -> u64 {
        self.sums.get(column).copied().unwrap_or(0)
    }

    pub fn merge(&mut self, other: &Self) {
        other.sums.iter().for_each(|(column, n)| self.add(column, *n));
        other.greatest.iter().for_each(|(column, value)| self.raise(column, *value));
    }
}

/// Counts by class.
pub type Table = BTreeMap<&'static str, Count>;

/// Checks each number on some thread, prints what was seen by class, and fails if a check panicked.
pub fn count_by_class(
    numbers: Range<u64>,
    class: impl Fn(u64) -> &'static str + Sync,
    check: impl Fn(u64, &mut Count) + Sync,
) -> Table {
    let look = |n: u64, table: &mut Table| {
        let count = table.entry(class(n)).or_default();
        if catch_unwind(AssertUnwindSafe(|| check(n, count))).is_err() {
            println!("case {n} ({}) went wrong", class(n));
            count.add("faults", 1u64);
        }
    };
    let mut table = Table::new();
    for (class, count) in on_all_threads(numbers, look).into_iter().flatten() {
        table.entry(class).or_default().merge(&count);
    }
    print(&table);
    assert!(table.values().all(|count| count.of("faults") == 0), "cases went wrong, see above");
    table
}

/// Prints a table of all columns, the last row for all together.
pub fn print<K: Ord + Display>(rows: &BTreeMap<K, Count>) {
    let mut all = Count::default();
    rows.values().for_each(|count| all.merge(count));
    let columns: Vec<&str> = all.sums.keys().chain(all.greatest.keys()).copied().collect();
    println!("| | {} |\n|---{}|", columns.join(" | "), "|---".repeat(columns.len()));
    let named = rows.iter().map(|(name, count)| (name.to_string(), count));
    for (name, count) in named.chain([("all".to_owned(), &all)]) {
        let sums = all.sums.keys().map(|column| count.of(column).to_string());
        let greatest = all
            .greatest
            .keys()
            .map(|column| count.greatest.get(column).map_or(String::new(), |x| format!("{x:.1e}")));
        println!("| {name} | {} |", sums.chain(greatest).collect::<Vec<_>>().join(" | "));
    }
}
