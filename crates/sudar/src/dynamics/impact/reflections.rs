//! Simultaneous impacts by generalised reflections.
//!
//! Smith, Kaufman, Vouga, Tamstorf and Grinspun 2012, "Reflections on simultaneous impact": contacts that
//! approach are reflected together about the nearest velocity that does not approach; those that then
//! approach, again. That is symmetric, keeps the energy at restitution 1, and lets waves run through chains
//! of touching bodies. Each nearest velocity is a quadratic program with λ ≥ 0, solved by sweeps; whatever
//! they leave open, the length of the reflection along the impulse found is such that the energy is right to
//! rounding.

use super::hit::{Hit, Struck};
use super::sequence::settle;

/// Reflections, at most.
const ROUNDS: usize = 200;
/// Sweeps of one quadratic program, at most.
const SWEEPS: usize = 3000;

/// Reflects until no contact approaches faster than `quiet`.
pub fn reflect(list: &mut [Struck], hits: &mut [Hit], quiet: f64) {
    for _ in 0..ROUNDS {
        let approaching: Vec<usize> = (0..hits.len()).filter(|&i| hits[i].speed(list) < -quiet).collect();
        match approaching[..] {
            [] => return,
            [one] => single(list, &mut hits[one]),
            _ => together(list, hits, &approaching),
        }
    }
    // A cycle, which has not been seen: the energy is given up, not the bodies.
    settle(list, hits, quiet);
}

fn single(list: &mut [Struck], hit: &mut Hit) {
    let n = hit.normal;
    let impulse = -(1.0 + hit.restitution) * hit.speed(list) / n.dot(hit.yields(list, n));
    hit.impulse += impulse;
    hit.push(list, n * impulse);
}

fn together(list: &mut [Struck], hits: &mut [Hit], chosen: &[usize]) {
    let before: Vec<f64> = chosen.iter().map(|&i| hits[i].speed(list)).collect();
    let mut rest = list.to_vec();
    let lambda = nearest(&mut rest, hits, chosen);
    // With λ exact, λ·u = −λ·A·λ.
    let work: f64 = lambda.iter().zip(&before).map(|(l, u)| l * u).sum();
    let change = |hit: &Hit, l: f64| l * (hit.speed(&rest) - hit.speed(list));
    let square: f64 = chosen.iter().zip(&lambda).map(|(&i, &l)| change(&hits[i], l)).sum();
    if square.is_nan() || square <= 0.0 {
        return;
    }
    let share = (-work / square).max(0.0);
    let bounce = bounce(hits, chosen, &lambda);
    for (&i, &l) in chosen.iter().zip(&lambda) {
        let impulse = l * share * (1.0 + bounce);
        hits[i].impulse += impulse;
        let hit = hits[i];
        hit.push(list, hit.normal * impulse);
    }
}

/// The restitution of contacts that act together: the mean by impulse, so that the energy lost is between
/// that of the one and of the other.
fn bounce(hits: &[Hit], chosen: &[usize], lambda: &[f64]) -> f64 {
    let first = hits[chosen[0]].restitution;
    if chosen.iter().all(|&i| hits[i].restitution == first) {
        return first;
    }
    let total: f64 = lambda.iter().sum();
    chosen.iter().zip(lambda).map(|(&i, l)| hits[i].restitution * l).sum::<f64>() / total
}

/// The impulses λ ≥ 0 that bring the bodies to the nearest velocities that do not approach, by projected
/// sweeps to and fro.
fn nearest(list: &mut [Struck], hits: &[Hit], chosen: &[usize]) -> Vec<f64> {
    let weights: Vec<f64> =
        chosen.iter().map(|&i| hits[i].normal.dot(hits[i].yields(list, hits[i].normal))).collect();
    let mut lambda = vec![0.0; chosen.len()];
    let scale = chosen.iter().map(|&i| hits[i].speed(list).abs()).fold(0.0, f64::max);
    for sweep in 0..SWEEPS {
        let mut worst: f64 = 0.0;
        for step in 0..chosen.len() {
            let k = if sweep % 2 == 0 { step } else { chosen.len() - 1 - step };
            let hit = &hits[chosen[k]];
            let next = (lambda[k] - hit.speed(list) / weights[k]).max(0.0);
            let more: f64 = next - lambda[k];
            lambda[k] = next;
            worst = worst.max(more.abs() * weights[k]);
            hit.push(list, hit.normal * more);
        }
        if worst <= 1e-16 * scale {
            break;
        }
    }
    lambda
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::matter::{Inertia, Motion};
    use glam::{DMat3, DQuat, DVec3};

    fn momentum(list: &[Struck]) -> DVec3 {
        list.iter().map(|body| body.motion.velocity / body.inverse_mass).sum()
    }

    fn chain(speeds: &[f64]) -> (Vec<Struck>, Vec<Hit>) {
        let ball = Inertia::new(1.0, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(0.1)));
        let at = |(i, speed): (usize, &f64)| Struck {
            slot: i as u32,
            motion: Motion {
                center: DVec3::X * i as f64,
                rotation: DQuat::IDENTITY,
                velocity: DVec3::X * *speed,
                angular_velocity: DVec3::ZERO,
            },
            inverse_mass: 1.0,
            inverse_inertia: ball.inverse,
            changed: false,
        };
        let list: Vec<Struck> = speeds.iter().enumerate().map(at).collect();
        let hit = |i: usize| Hit {
            bodies: [i, i + 1],
            point: DVec3::X * (i as f64 + 0.5),
            normal: DVec3::X,
            restitution: 1.0,
            friction: 0.0,
            depth: 0.0,
            impulse: 0.0,
        };
        let hits = (0..speeds.len() - 1).map(hit).collect();
        (list, hits)
    }

    #[test]
    fn as_many_balls_leave_a_cradle_as_arrive() {
        for (before, after) in [
            ([1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0]),
            ([1.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 1.0]),
            ([1.0, 0.0, 0.0, 0.0, -1.0], [-1.0, 0.0, 0.0, 0.0, 1.0]),
        ] {
            let (mut list, mut hits) = chain(&before);
            let first = momentum(&list);
            reflect(&mut list, &mut hits, 1e-14);
            for (body, speed) in list.iter().zip(after) {
                assert!(
                    (body.motion.velocity.x - speed).abs() < 1e-14,
                    "{before:?} {}",
                    body.motion.velocity.x
                );
            }
            assert!((momentum(&list) - first).length() < 1e-14);
        }
    }
}
