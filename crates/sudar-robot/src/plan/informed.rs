//! Where a path can be that is shorter than one that is known.
//!
//! A path through q from s to g is no shorter than |q − s| + |g − q|. The configurations for which that is less than a
//! length are an ellipsoid about s and g, which is sampled evenly; after Gammell, Srinivasa and Barfoot 2014, "Informed
//! RRT*: Optimal Sampling-based Path Planning Focused via Direct Sampling of an Admissible Ellipsoidal Heuristic".

use super::tree::distance;
use crate::pcg::Pcg;

/// The configurations that can be on a shorter path.
pub(super) struct Informed {
    ends: [Vec<f64>; 2],
    length: f64,
}

impl Informed {
    /// Those on paths from one end to the other that are shorter than `length`.
    pub fn new(ends: [Vec<f64>; 2], length: f64) -> Self {
        Self { ends, length }
    }

    /// Whether a configuration is one of them.
    pub fn has(&self, q: &[f64]) -> bool {
        distance(&self.ends[0], q) + distance(q, &self.ends[1]) < self.length
    }

    /// One of them at random, evenly.
    pub fn sample(&self, random: &mut Pcg) -> Vec<f64> {
        let [start, goal] = &self.ends;
        let count = start.len();
        let least = distance(start, goal);
        let mut ball = ball(count, random);
        let across = 0.5 * (self.length * self.length - least * least).max(0.0).sqrt();
        for (i, x) in ball.iter_mut().enumerate() {
            *x *= if i == 0 { 0.5 * self.length } else { across };
        }
        turned(&mut ball, start, goal, least);
        ball.iter().zip(start.iter().zip(goal)).map(|(x, (a, b))| x + 0.5 * (a + b)).collect()
    }
}

/// A point of the unit ball at random: a direction of normal numbers (Box and Muller 1958), and a radius.
fn ball(count: usize, random: &mut Pcg) -> Vec<f64> {
    let mut normal = || {
        let (one, angle) = (1.0 - random.number(), std::f64::consts::TAU * random.number());
        (-2.0 * libm::log(one)).sqrt() * libm::cos(angle)
    };
    let mut point: Vec<f64> = (0..count).map(|_| normal()).collect();
    let length = point.iter().map(|x| x * x).sum::<f64>().sqrt();
    let radius = libm::pow(random.number(), 1.0 / count.max(1) as f64);
    if length > 0.0 {
        point.iter_mut().for_each(|x| *x *= radius / length);
    }
    point
}

/// Mirrors the first axis onto the direction from one end to the other.
fn turned(point: &mut [f64], start: &[f64], goal: &[f64], least: f64) {
    if least <= 0.0 {
        return;
    }
    let mut mirror: Vec<f64> = start.iter().zip(goal).map(|(a, b)| (a - b) / least).collect();
    if let Some(first) = mirror.first_mut() {
        *first += 1.0;
    }
    let square: f64 = mirror.iter().map(|x| x * x).sum();
    // The same direction needs no mirror.
    if square < 1e-24 {
        return;
    }
    let along: f64 = 2.0 * mirror.iter().zip(point.iter()).map(|(m, x)| m * x).sum::<f64>() / square;
    point.iter_mut().zip(&mirror).for_each(|(x, m)| *x -= along * m);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_those_of_the_ellipsoid() {
        let ends = [vec![0.2, -0.4, 1.0, 0.0], vec![1.2, 0.3, 0.4, -0.9]];
        let least = distance(&ends[0], &ends[1]);
        let informed = Informed::new(ends.clone(), 1.3 * least);
        let mut random = Pcg::new(5);
        let all: Vec<Vec<f64>> = (0..4000).map(|_| informed.sample(&mut random)).collect();
        assert!(all.iter().all(|q| informed.has(q)));
        // Half of the volume of an ellipsoid of 4 dimensions is within 2^(-1/4) of its size; each half of it is alike.
        let middle: Vec<f64> = ends[0].iter().zip(&ends[1]).map(|(a, b)| 0.5 * (a + b)).collect();
        let along = |q: &[f64]| {
            q.iter()
                .zip(&middle)
                .zip(ends[0].iter().zip(&ends[1]))
                .map(|((x, m), (a, b))| (x - m) * (b - a))
                .sum::<f64>()
                / least
        };
        let across = 0.5 * (1.3_f64 * 1.3 - 1.0).sqrt() * least;
        let inner = |q: &&Vec<f64>| {
            let x = along(q) / (0.65 * least);
            let square: f64 = q.iter().zip(&middle).map(|(a, b)| (a - b) * (a - b)).sum();
            let y = (square - along(q) * along(q)).max(0.0).sqrt() / across;
            (x * x + y * y).sqrt() < 0.5_f64.powf(0.25)
        };
        let count = all.iter().filter(inner).count();
        assert!((1850..2150).contains(&count), "{count}");
        let before = all.iter().filter(|q| along(q) < 0.0).count();
        assert!((1850..2150).contains(&before), "{before}");
        assert!(!informed.has(&[9.0, 0.0, 0.0, 0.0]));
    }
}
