//! The responses of the sources that know a body by its centre and velocity alone: reflection, exchange of
//! momenta, least translation.

use glam::DVec3;

use super::hit::{Hit, Struck};
use crate::dynamics::settings::Response;
use crate::math::unit;

/// Changes the velocities of two bodies at their deepest contact. Spin stays.
pub fn answer(response: Response, list: &mut [Struck], hit: &mut Hit) {
    match response {
        Response::Momentum => exchange_momenta(list, hit),
        Response::Reflection
        | Response::Mtv
        | Response::Spring
        | Response::Impulse
        | Response::Simultaneous
        | Response::Solver => mirror(list, hit),
    }
}

/// Elastic: against what does not yield along the normal, v' = v − 2(v·n)n; of two that do along the line of
/// their centres, or along the normal where that would not part them.
fn mirror(list: &mut [Struck], hit: &mut Hit) {
    let [a, b] = hit.bodies;
    let relative = list[b].motion.velocity - list[a].motion.velocity;
    let mass = 1.0 / (list[a].inverse_mass + list[b].inverse_mass);
    let both = list[a].inverse_mass > 0.0 && list[b].inverse_mass > 0.0;
    let centers = unit(list[b].motion.center - list[a].motion.center).filter(|_| both);
    let parts = |way: &DVec3| {
        let along = relative.dot(*way);
        along < 0.0 && (relative - *way * (2.0 * along)).dot(hit.normal) >= 0.0
    };
    let way = centers.filter(parts).unwrap_or(hit.normal);
    let along = relative.dot(way);
    if along < 0.0 {
        apply(list, hit, way * (-2.0 * along * mass));
    }
}

/// As published: each takes on the length of the other's momentum, away from the contact.
fn exchange_momenta(list: &mut [Struck], hit: &mut Hit) {
    let lengths = hit.bodies.map(|k| {
        let body = &list[k];
        (body.inverse_mass > 0.0).then(|| body.motion.velocity.length() / body.inverse_mass)
    });
    for (side, k) in hit.bodies.into_iter().enumerate() {
        let Some(own) = lengths[side] else { continue };
        let momentum = lengths[1 - side].unwrap_or(own);
        let body = &mut list[k];
        let away = if side == 0 { -hit.normal } else { hit.normal };
        let way = unit(body.motion.center - hit.point).unwrap_or(away);
        body.motion.velocity = way * (momentum * body.inverse_mass);
        body.changed = true;
        hit.impulse = hit.impulse.max(momentum);
    }
}

fn apply(list: &mut [Struck], hit: &mut Hit, impulse: DVec3) {
    let [a, b] = hit.bodies;
    for (k, impulse) in [(a, -impulse), (b, impulse)] {
        let body = &mut list[k];
        body.motion.velocity += impulse * body.inverse_mass;
        body.changed |= body.inverse_mass > 0.0;
    }
    hit.impulse += impulse.dot(hit.normal);
}

/// Moves the two apart along the normal, each by half, or the one that yields by all.
pub fn part(list: &mut [Struck], hit: &Hit, by: f64) {
    let [a, b] = hit.bodies;
    let yields = [a, b].map(|k| if list[k].inverse_mass > 0.0 { 1.0 } else { 0.0 });
    let total: f64 = yields[0] + yields[1];
    for (side, k) in [a, b].into_iter().enumerate() {
        if yields[side] > 0.0 && by > 0.0 {
            let sign = if side == 0 { -1.0 } else { 1.0 };
            list[k].motion.center += hit.normal * (sign * by * yields[side] / total);
            list[k].changed = true;
        }
    }
}
