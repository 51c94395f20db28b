//! The order of boxes along the strip.

use super::super::rows::Row;

/// Sorts boxes by their least coordinate on axis 0, with memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    keys: Vec<u64>,
    counts: Vec<u32>,
    order: Vec<u32>,
}

impl Sorter {
    /// Places of the boxes in order; equal ones as they are.
    ///
    /// Where boxes are spread, by putting them into as many buckets as there are boxes and mending the rest by insertion.
    pub fn order(&mut self, rows: &[Row]) -> &[u32] {
        self.keys.clear();
        self.keys.extend(
            rows.iter().enumerate().map(|(place, row)| u64::from(ordered(row.min[0])) << 32 | place as u64),
        );
        if rows.len() < 32 || !self.sort_by_buckets(rows) {
            self.keys.sort_unstable();
            self.order.clear();
            self.order.extend(self.keys.iter().map(|key| *key as u32));
        }
        &self.order
    }

    /// False where buckets are of no use.
    fn sort_by_buckets(&mut self, rows: &[Row]) -> bool {
        let (low, high) = rows.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), row| {
            (low.min(row.min[0]), high.max(row.min[0]))
        });
        let per_unit = rows.len() as f32 / (high - low);
        if !per_unit.is_finite() {
            return false;
        }
        let bucket = |row: &Row| (((row.min[0] - low) * per_unit) as usize).min(rows.len());
        self.counts.clear();
        self.counts.resize(rows.len() + 1, 0);
        rows.iter().for_each(|row| self.counts[bucket(row)] += 1);
        if self.counts.iter().any(|&count| count > 32) {
            return false;
        }
        let mut sum = 0;
        for count in &mut self.counts {
            sum += *count;
            *count = sum;
        }
        self.order.clear();
        self.order.resize(rows.len(), 0);
        for (place, row) in rows.iter().enumerate().rev() {
            let next = &mut self.counts[bucket(row)];
            *next -= 1;
            self.order[*next as usize] = place as u32;
        }
        insertion_sort(&mut self.order, &self.keys);
        true
    }
}

fn insertion_sort(order: &mut [u32], keys: &[u64]) {
    for k in 1..order.len() {
        let moving = order[k];
        let key = keys[moving as usize];
        let mut place = k;
        while place > 0 && keys[order[place - 1] as usize] > key {
            order[place] = order[place - 1];
            place -= 1;
        }
        order[place] = moving;
    }
}

/// A number that compares as `x` does, −0 below 0.
#[inline(always)]
fn ordered(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}
