//! How time is taken: whole sweeps over the inputs, repeated, the median reported.

use std::time::{Duration, Instant};

/// Sweeps go on until they have taken this long together, so that a case of a few microseconds is not decided
/// by the clock.
const LEAST_TOTAL: Duration = Duration::from_millis(50);
/// However fast a case is, this many sweeps are enough.
const MOST_SWEEPS: usize = 10_000;

/// What a query costs, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Median over the sweeps of the mean over the inputs.
    pub mean: f64,
    /// The least of these means: what is left of it on a machine that does other things as well.
    pub least: f64,
    /// Median over the inputs of the median over as many sweeps; each input is timed alone, clock included, but never
    /// twice in a row: a repeated one would find its data in cache.
    pub median: f64,
}

/// Runs `f` on every input, at least `repeat` times over, and returns the cost and the answers of one sweep.
pub fn sweep<T, R>(inputs: &[T], repeat: usize, mut f: impl FnMut(&T) -> R) -> (Cost, Vec<R>) {
    let answers: Vec<R> = inputs.iter().map(&mut f).collect();
    let mut means = Vec::new();
    let start = Instant::now();
    while means.len() < repeat || (start.elapsed() < LEAST_TOTAL && means.len() < MOST_SWEEPS) {
        let sweep = Instant::now();
        for input in inputs {
            std::hint::black_box(f(std::hint::black_box(input)));
        }
        means.push(micros(sweep.elapsed()) / inputs.len() as f64);
    }
    let least = means.iter().copied().fold(f64::INFINITY, f64::min);
    (Cost { mean: median(&mut means), least, median: median(&mut alone(inputs, repeat, f)) }, answers)
}

/// For each input the median of its times in several sweeps.
fn alone<T, R>(inputs: &[T], repeat: usize, mut f: impl FnMut(&T) -> R) -> Vec<f64> {
    let mut times = vec![Vec::new(); inputs.len()];
    for _ in 0..repeat.max(1) {
        for (input, times) in inputs.iter().zip(&mut times) {
            times.push(time(1, || f(std::hint::black_box(input))));
        }
    }
    times.iter_mut().map(|times| median(times)).collect()
}

/// The median time of `repeat` calls, in microseconds.
pub fn time<R>(repeat: usize, mut f: impl FnMut() -> R) -> f64 {
    prepared(repeat, || (), |()| f())
}

/// As [`time`], with something made before each call that does not count.
pub fn prepared<T, R>(repeat: usize, mut make: impl FnMut() -> T, mut f: impl FnMut(T) -> R) -> f64 {
    let mut times: Vec<f64> = (0..repeat.max(1))
        .map(|_| {
            let input = std::hint::black_box(make());
            let start = Instant::now();
            let answer = std::hint::black_box(f(input));
            let time = micros(start.elapsed());
            drop(answer);
            time
        })
        .collect();
    median(&mut times)
}

fn micros(d: Duration) -> f64 {
    d.as_secs_f64() * 1e6
}

/// The middle value, the mean of the two middle ones for an even number, NaN for none.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values {
        [] => f64::NAN,
        v if v.len() % 2 == 1 => v[v.len() / 2],
        v => f64::midpoint(v[v.len() / 2 - 1], v[v.len() / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&mut []).is_nan());
    }

    #[test]
    fn a_sweep_answers_every_input_in_order() {
        let (cost, answers) = sweep(&[1, 2, 3], 1, |x| x * x);
        assert_eq!(answers, [1, 4, 9]);
        assert!(cost.mean >= 0.0 && cost.median >= 0.0);
    }
}
