//! Simultaneous impacts by generalised reflections.
//!
//! Smith, Kaufman, Vouga, Tamstorf and Grinspun 2012, "Reflections on simultaneous impact": contacts that
//! approach are reflected together about the nearest velocity that does not approach; those that then
//! approach, again. That is symmetric, keeps the energy at restitution 1, and lets waves run through chains
//! of touching bodies. Each nearest velocity is a quadratic program with λ ≥ 0, solved by sweeps. The
//! length of the reflection along the impulse found is chosen such that the energy is right to rounding, also
//! where the sweeps end early.

use sudar::dynamics::{DynamicsError, ImpactBody, ImpactContact, ImpactGroup, ImpactLaw, Response, Step};

/// Reflections, at most.
const ROUNDS: usize = 200;
/// Sweeps of one quadratic program, at most.
const SWEEPS: usize = 3000;

/// Generalised reflections: all contacts of an instant at once, without friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Simultaneous;

impl ImpactLaw for Simultaneous {
    fn takes_together(&self) -> bool {
        true
    }

    fn strike(&self, impact: &mut ImpactGroup<'_>) {
        reflect(impact);
    }
}

impl Response for Simultaneous {
    fn name(&self) -> &str {
        "simultaneous"
    }

    fn advance(&self, step: &mut dyn Step) -> Result<(), DynamicsError> {
        step.collide(self)
    }
}

/// Reflects until no contact approaches faster than rounding.
fn reflect(impact: &mut ImpactGroup<'_>) {
    for _ in 0..ROUNDS {
        let ImpactGroup { bodies: list, contacts: hits, quiet, .. } = impact;
        let approaching: Vec<usize> = (0..hits.len()).filter(|&i| hits[i].speed(list) < -*quiet).collect();
        match approaching[..] {
            [] => return,
            [one] => single(list, &mut hits[one]),
            _ => together(list, hits, &approaching),
        }
    }
    // A cycle, which has not been seen: the energy is given up, not the bodies.
    impact.settle();
}

fn single(list: &mut [ImpactBody], hit: &mut ImpactContact) {
    let n = hit.normal;
    let impulse = -(1.0 + hit.restitution) * hit.speed(list) / n.dot(hit.yields(list, n));
    hit.impulse += impulse;
    hit.push(list, n * impulse);
}

fn together(list: &mut [ImpactBody], hits: &mut [ImpactContact], chosen: &[usize]) {
    let before: Vec<f64> = chosen.iter().map(|&i| hits[i].speed(list)).collect();
    let mut rest = list.to_vec();
    let lambda = nearest(&mut rest, hits, chosen);
    // With λ exact, λ·u = −λ·A·λ.
    let work: f64 = lambda.iter().zip(&before).map(|(l, u)| l * u).sum();
    let change = |hit: &ImpactContact, l: f64| l * (hit.speed(&rest) - hit.speed(list));
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
fn bounce(hits: &[ImpactContact], chosen: &[usize], lambda: &[f64]) -> f64 {
    let first = hits[chosen[0]].restitution;
    if chosen.iter().all(|&i| hits[i].restitution == first) {
        return first;
    }
    let total: f64 = lambda.iter().sum();
    chosen.iter().zip(lambda).map(|(&i, l)| hits[i].restitution * l).sum::<f64>() / total
}

/// The impulses λ ≥ 0 that bring the bodies to the nearest velocities that do not approach, by projected
/// sweeps to and fro.
fn nearest(list: &mut [ImpactBody], hits: &[ImpactContact], chosen: &[usize]) -> Vec<f64> {
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
    use sudar::dynamics::BodyState;
    use sudar::{DMat3, DQuat, DVec3};

    fn momentum(list: &[ImpactBody]) -> DVec3 {
        list.iter().map(|body| body.motion.velocity / body.inverse_mass).sum()
    }

    fn chain(speeds: &[f64]) -> (Vec<ImpactBody>, Vec<ImpactContact>) {
        let at = |(i, speed): (usize, &f64)| {
            let motion = BodyState {
                center: DVec3::X * i as f64,
                rotation: DQuat::IDENTITY,
                velocity: DVec3::X * *speed,
                angular_velocity: DVec3::ZERO,
            };
            ImpactBody::new(motion, 1.0, DMat3::from_diagonal(DVec3::splat(10.0)))
        };
        let list: Vec<ImpactBody> = speeds.iter().enumerate().map(at).collect();
        let hit = |i: usize| ImpactContact {
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
            reflect(&mut ImpactGroup {
                bodies: &mut list,
                contacts: &mut hits,
                quiet: 1e-14,
                remaining: 0.0,
                band: 0.0,
            });
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
