//! The responses of the sources that know a body by its centre and velocity alone: reflection, exchange of
//! momenta, least translation.

use sudar::DVec3;
use sudar::dynamics::{DynamicsError, ImpactBody, ImpactContact, ImpactGroup, ImpactLaw, Response, Step};

/// A response by the centres of two bodies at their deepest contact. Spin stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByCentres {
    /// Against what does not yield v' = v − 2(v·n)n; two dynamic bodies exchange elastically along the line of
    /// centres, by mass (Maštera 2007). Where that does not part them their centres recede from each other as if they
    /// were repelled, which keeps energy and both momenta.
    Reflection,
    /// v₁' = |p₂|/m₁ from the contact to the centre of the first, and so for the second; |p₁|/m₁ from what does not
    /// yield. As published in 2002 (Daneu): keeps neither energy nor momentum in general.
    Momentum,
    /// As reflection, and half the least translation each where bodies overlap (Dimitrijević 2019).
    Mtv,
}

impl ByCentres {
    /// At the deepest contact, as published: without a look at whether the bodies approach.
    pub(super) fn strike_overlap(self, list: &mut [ImpactBody], hits: &mut [ImpactContact]) {
        let Some(deepest) = deepest(hits) else { return };
        match self {
            Self::Momentum => exchange_momenta(list, &mut hits[deepest]),
            Self::Reflection => mirror(list, &mut hits[deepest]),
            Self::Mtv => {
                let hit = hits[deepest];
                part(list, &hit, hit.depth);
                mirror(list, &mut hits[deepest]);
            }
        }
    }
}

impl ImpactLaw for ByCentres {
    fn has_restitution(&self) -> bool {
        false
    }

    fn turns(&self) -> bool {
        false
    }

    /// Where spin brings the bodies together, or the line of centres does not part them, they are moved apart by as
    /// much.
    fn strike(&self, impact: &mut ImpactGroup<'_>) {
        let ImpactGroup { bodies: list, contacts: hits, remaining, band, .. } = impact;
        let Some(deepest) = deepest(hits) else { return };
        match self {
            Self::Momentum => exchange_momenta(list, &mut hits[deepest]),
            Self::Reflection => mirror_centres(list, &mut hits[deepest]),
            Self::Mtv => mirror_approaching(list, &mut hits[deepest]),
        }
        let hit = hits[deepest];
        if *self == Self::Mtv {
            part(list, &hit, hit.depth);
        }
        let approach = hits.iter().map(|hit| -hit.speed(list)).fold(0.0, f64::max);
        if approach > 0.0 {
            let [a, b] = hit.bodies.map(|k| list[k].radius);
            let by = (approach * *remaining + 4.0 * *band).min(0.05 * a.min(b));
            match self {
                Self::Reflection if line_of_centres(list, &hit).is_some() => recede(list, &hit, by),
                Self::Reflection | Self::Momentum | Self::Mtv => part(list, &hit, by),
            }
        }
    }
}

impl Response for ByCentres {
    fn name(&self) -> &str {
        match self {
            Self::Reflection => "reflection",
            Self::Momentum => "momentum",
            Self::Mtv => "mtv",
        }
    }

    fn advance(&self, step: &mut dyn Step) -> Result<(), DynamicsError> {
        step.collide(self)
    }
}

/// The number of the deepest contact, the first of equals.
fn deepest(hits: &[ImpactContact]) -> Option<usize> {
    (0..hits.len()).reduce(|m, i| if hits[i].depth > hits[m].depth { i } else { m })
}

/// The vector at unit length; `None` for zero.
fn unit(v: DVec3) -> Option<DVec3> {
    let size = v.abs().max_element();
    (size > 0.0).then(|| (v / size).normalize())
}

/// Elastic: v' = v − 2(v·n)n against what does not yield, along the line of their centres of two that do.
fn mirror(list: &mut [ImpactBody], hit: &mut ImpactContact) {
    let way = line_of_centres(list, hit).unwrap_or(hit.normal);
    mirror_along(list, hit, way);
}

/// The same if the centres approach along it, or what does not yield is approached: the angular momentum stays.
fn mirror_centres(list: &mut [ImpactBody], hit: &mut ImpactContact) {
    let way = line_of_centres(list, hit).unwrap_or(hit.normal);
    if relative_velocity(list, hit).dot(way) < 0.0 {
        mirror_along(list, hit, way);
    }
}

/// The same where they approach; along the normal where the line of centres would not part them.
fn mirror_approaching(list: &mut [ImpactBody], hit: &mut ImpactContact) {
    let relative = relative_velocity(list, hit);
    let parts = |way: &DVec3| {
        let along = relative.dot(*way);
        along < 0.0 && (relative - *way * (2.0 * along)).dot(hit.normal) >= 0.0
    };
    let way = line_of_centres(list, hit).filter(parts).unwrap_or(hit.normal);
    if relative.dot(way) < 0.0 {
        mirror_along(list, hit, way);
    }
}

fn mirror_along(list: &mut [ImpactBody], hit: &mut ImpactContact, way: DVec3) {
    let [a, b] = hit.bodies;
    let mass = 1.0 / (list[a].inverse_mass + list[b].inverse_mass);
    let along = relative_velocity(list, hit).dot(way);
    apply(list, hit, way * (-2.0 * along * mass));
}

/// Velocity of the centre of the second body as the first sees it.
fn relative_velocity(list: &[ImpactBody], hit: &ImpactContact) -> DVec3 {
    let [a, b] = hit.bodies;
    list[b].motion.velocity - list[a].motion.velocity
}

/// From the centre of the first body to that of the second, of length 1, if both yield.
fn line_of_centres(list: &[ImpactBody], hit: &ImpactContact) -> Option<DVec3> {
    let [a, b] = hit.bodies;
    let both = list[a].inverse_mass > 0.0 && list[b].inverse_mass > 0.0;
    unit(list[b].motion.center - list[a].motion.center).filter(|_| both)
}

/// The velocity of a body after a collision as Daneu 2002 has it ("Algorithms for collision detection", section 4.3.3):
/// along the line from the contact to the centre of the body, so fast that the length of its momentum is that which
/// the other body had. `otherwise`, of length 1, is the way of a body whose centre is at the contact; an inverse mass
/// of 0 is that of a body which does not yield.
///
/// ```
/// use sudar::DVec3;
/// use sudar_classic::response::exchanged_velocity;
///
/// // What weighs 2 kg and is hit at its left side by a momentum of 6 kg m/s goes to the right at 3 m/s.
/// let after = exchanged_velocity(DVec3::ZERO, -DVec3::X, DVec3::Z, 6.0, 0.5);
/// assert_eq!(after, DVec3::X * 3.0);
/// ```
pub fn exchanged_velocity(
    center: DVec3,
    point: DVec3,
    otherwise: DVec3,
    momentum: f64,
    inverse_mass: f64,
) -> DVec3 {
    unit(center - point).unwrap_or(otherwise) * (momentum * inverse_mass)
}

/// As published: each takes on the length of the other's momentum, away from the contact.
fn exchange_momenta(list: &mut [ImpactBody], hit: &mut ImpactContact) {
    let lengths = hit.bodies.map(|k| {
        let body = &list[k];
        (body.inverse_mass > 0.0).then(|| body.motion.velocity.length() / body.inverse_mass)
    });
    for (side, k) in hit.bodies.into_iter().enumerate() {
        let Some(own) = lengths[side] else { continue };
        let momentum = lengths[1 - side].unwrap_or(own);
        let body = &mut list[k];
        let away = if side == 0 { -hit.normal } else { hit.normal };
        let center = body.motion.center;
        body.set_velocity(exchanged_velocity(center, hit.point, away, momentum, body.inverse_mass));
        hit.impulse = hit.impulse.max(momentum);
    }
}

fn apply(list: &mut [ImpactBody], hit: &mut ImpactContact, impulse: DVec3) {
    let [a, b] = hit.bodies;
    for (k, impulse) in [(a, -impulse), (b, impulse)] {
        let body = &mut list[k];
        if body.inverse_mass > 0.0 {
            body.set_velocity(body.motion.velocity + impulse * body.inverse_mass);
        }
    }
    hit.impulse += impulse.dot(hit.normal);
}

/// Moves two bodies that yield apart by so much along the normal, as if their centres had repelled each other:
/// momenta and energy stay. Their way is in the plane in which the centres go around each other.
fn recede(list: &mut [ImpactBody], hit: &ImpactContact, by: f64) {
    let [a, b] = hit.bodies;
    let (between, relative) = (list[b].motion.center - list[a].motion.center, relative_velocity(list, hit));
    let around = between.cross(relative);
    let in_plane = unit(around).map_or(hit.normal, |axis| hit.normal - axis * axis.dot(hit.normal));
    let along = in_plane.dot(hit.normal);
    let outward = between.normalize_or(hit.normal) * by;
    let shift =
        Some(in_plane * (by / along)).filter(|way| along > 0.1 && way.dot(between) >= 0.0).unwrap_or(outward);
    let after = between + shift;
    let across = around.cross(after) / after.length_squared();
    let straight = (relative.length_squared() - across.length_squared()).max(0.0).sqrt();
    let turned = across + after.normalize_or(hit.normal) * straight.copysign(relative.dot(between));
    let total = list[a].inverse_mass + list[b].inverse_mass;
    for (k, sign) in [(a, -1.0), (b, 1.0)] {
        let body = &mut list[k];
        let share = sign * body.inverse_mass / total;
        body.shift(shift * share);
        body.set_velocity(body.motion.velocity + (turned - relative) * share);
    }
}

/// Moves the two apart along the normal, each by half, or the one that yields by all.
fn part(list: &mut [ImpactBody], hit: &ImpactContact, by: f64) {
    let [a, b] = hit.bodies;
    let yields = [a, b].map(|k| if list[k].inverse_mass > 0.0 { 1.0 } else { 0.0 });
    let total: f64 = yields[0] + yields[1];
    for (side, k) in [a, b].into_iter().enumerate() {
        if yields[side] > 0.0 && by > 0.0 {
            let sign = if side == 0 { -1.0 } else { 1.0 };
            list[k].shift(hit.normal * (sign * by * yields[side] / total));
        }
    }
}
