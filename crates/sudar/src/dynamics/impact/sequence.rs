//! One contact after another: impulses with the full inertia tensor, restitution and Coulomb friction.

use glam::{DMat3, DVec3};

use super::hit::{ImpactBody, ImpactContact, ImpactGroup, ImpactLaw};

/// Impulses until no contact approaches, at most.
const MOST: usize = 200;

/// One contact after another, with the full inertia tensor, restitution and Coulomb friction (Maštera 2007): what the
/// solver does with bodies in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SequentialImpulses;

impl ImpactLaw for SequentialImpulses {
    fn rubs(&self) -> bool {
        true
    }

    fn strike(&self, impact: &mut ImpactGroup<'_>) {
        sequence(impact.bodies, impact.contacts, impact.quiet);
    }
}

impl ImpactGroup<'_> {
    /// Brings contacts to rest against each other: impulses without restitution, in sweeps over all contacts until
    /// none approaches, friction in its cone.
    pub fn settle(&mut self) {
        settle(self.bodies, self.contacts, self.quiet);
    }
}

/// Strikes the contact that approaches fastest, again and again, until none approaches faster than `quiet`.
///
/// Without friction the impulse is J = −(1 + e) v·n / (1/m₁ + 1/m₂ + n·[(I₁⁻¹(r₁×n))×r₁ + (I₂⁻¹(r₂×n))×r₂])
/// along n (Maštera 2007), which keeps the energy at e = 1. With friction it is that which stops the contact
/// from sliding, if it is in the cone of Coulomb, else the one on the cone against the sliding.
fn sequence(list: &mut [ImpactBody], hits: &mut [ImpactContact], quiet: f64) {
    for _ in 0..MOST {
        let speeds = hits.iter().map(|hit| hit.speed(list)).enumerate();
        let Some((worst, speed)) = speeds.min_by(|x, y| x.1.total_cmp(&y.1).then(x.0.cmp(&y.0))) else {
            return;
        };
        if speed >= -quiet {
            return;
        }
        strike(list, hits, worst, speed);
    }
}

/// Contacts of two bodies that approach as fast as each other up to this share are struck as one.
const EVEN: f64 = 1e-6;

/// Strikes a contact, in the middle of those of the same bodies and normal that approach as fast: a cube that
/// falls flat is struck below its centre, not at one corner first.
fn strike(list: &mut [ImpactBody], hits: &mut [ImpactContact], worst: usize, speed: f64) {
    let mut one = hits[worst];
    let is_even = |hit: &ImpactContact| {
        let beside = hit.bodies == one.bodies && hit.normal.dot(one.normal) > 1.0 - EVEN;
        beside && (hit.speed(list) - speed).abs() <= -EVEN * speed
    };
    let even: Vec<usize> = (0..hits.len()).filter(|&i| is_even(&hits[i])).collect();
    if even.len() > 1 {
        one.point = even.iter().map(|&i| hits[i].point).sum::<DVec3>() / even.len() as f64;
    }
    let speed = one.speed(list);
    let impulse = impulse(&one, list, speed);
    let share = impulse.dot(one.normal) / even.len().max(1) as f64;
    even.into_iter().for_each(|i| hits[i].impulse += share);
    one.push(list, impulse);
}

/// The impulse of a contact that approaches with the normal speed `speed` < 0.
fn impulse(hit: &ImpactContact, list: &[ImpactBody], speed: f64) -> DVec3 {
    let n = hit.normal;
    let bounced = -(1.0 + hit.restitution) * speed;
    let straight = n * (bounced / n.dot(hit.yields(list, n)));
    if hit.friction == 0.0 {
        return straight;
    }
    let velocity = hit.velocity(list);
    let slide = velocity - n * speed;
    let matrix = hit.matrix(list);
    let wanted = n * (-hit.restitution * speed) - velocity;
    let sticking = matrix.inverse() * wanted;
    let pressed = sticking.dot(n);
    let found = if (sticking - n * pressed).length() <= hit.friction * pressed {
        sticking
    } else {
        let against = crate::math::unit(slide).unwrap_or(DVec3::ZERO);
        let direction = n - against * hit.friction;
        let gain = n.dot(matrix * direction);
        // With strong friction on a slanted body the cone may push the contact together: then no friction.
        if gain > 0.0 { direction * (bounced / gain) } else { straight }
    };
    no_gain(found, velocity, &matrix)
}

/// The impulse made shorter if it would add energy: J·u + J·K·J/2 ≤ 0. Newton's restitution with friction can
/// (Kane 1984).
fn no_gain(impulse: DVec3, velocity: DVec3, matrix: &DMat3) -> DVec3 {
    let (linear, square) = (impulse.dot(velocity), impulse.dot(*matrix * impulse));
    if linear + 0.5 * square <= 0.0 || square <= 0.0 {
        return impulse;
    }
    impulse * (-2.0 * linear / square).clamp(0.0, 1.0)
}

/// Brings contacts to rest against each other: impulses without restitution, as many sweeps as it takes,
/// friction in its cone.
fn settle(list: &mut [ImpactBody], hits: &mut [ImpactContact], quiet: f64) {
    let mut pressed = vec![(0.0, DVec3::ZERO); hits.len()];
    for _ in 0..MOST {
        let mut worst: f64 = 0.0;
        for (hit, (normal, slide)) in hits.iter_mut().zip(&mut pressed) {
            let n = hit.normal;
            let speed = hit.speed(list);
            worst = worst.max(if *normal > 0.0 { speed.abs() } else { -speed });
            let next = (*normal - speed / n.dot(hit.yields(list, n))).max(0.0);
            let along = n * (next - *normal);
            hit.impulse += next - *normal;
            *normal = next;
            hit.push(list, along);
            if hit.friction > 0.0 {
                rub(hit, list, next, slide);
            }
        }
        if worst <= quiet {
            return;
        }
    }
}

/// Friction of one contact pressed by a normal impulse.
fn rub(hit: &ImpactContact, list: &mut [ImpactBody], normal: f64, slide: &mut DVec3) {
    let velocity = hit.velocity(list);
    let sliding = velocity - hit.normal * velocity.dot(hit.normal);
    let Some(way) = crate::math::unit(sliding) else { return };
    let wanted = *slide - way * (sliding.length() / way.dot(hit.yields(list, way)));
    let (most, length) = (hit.friction * normal, wanted.length());
    let next = if length > most { wanted * (most / length) } else { wanted };
    hit.push(list, next - *slide);
    *slide = next;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::matter::{BodyState, Inertia};
    use glam::DQuat;

    fn struck(inertia: &Inertia, center: DVec3, velocity: DVec3) -> ImpactBody {
        let motion = BodyState { center, rotation: DQuat::IDENTITY, velocity, angular_velocity: DVec3::ZERO };
        ImpactBody::new(motion, inertia.inverse_mass, inertia.inverse_in_world(DQuat::IDENTITY))
    }

    fn hit(point: DVec3, normal: DVec3, restitution: f64, friction: f64) -> ImpactContact {
        ImpactContact { bodies: [0, 1], point, normal, restitution, friction, depth: 0.0, impulse: 0.0 }
    }

    #[test]
    fn an_impulse_with_products_of_inertia_is_that_by_hand() {
        // I = [2 −1 0; −1 2 0; 0 0 1], so I⁻¹ = [2/3 1/3 0; 1/3 2/3 0; 0 0 1]. The contact is at r = (0, 1, 0)
        // of the second body, n = z: r × n = (1, 0, 0); I⁻¹(r × n) = (2/3, 1/3, 0); (…) × r = (0, 0, 2/3).
        // The first is a wall. J = −(1 + e)(−3)/(1/2 + 2/3) with e = 1/2: 4.5·6/7 = 27/7.
        let tensor = DMat3::from_cols(DVec3::new(2.0, -1.0, 0.0), DVec3::new(-1.0, 2.0, 0.0), DVec3::Z);
        let body = Inertia::new(2.0, DVec3::ZERO, tensor);
        let wall = struck(&Inertia::fixed(DVec3::ZERO), DVec3::ZERO, DVec3::ZERO);
        let mut list = [wall, struck(&body, -DVec3::Y, DVec3::Z * -3.0)];
        let mut hits = [hit(DVec3::ZERO, DVec3::Z, 0.5, 0.0)];
        sequence(&mut list, &mut hits, 1e-12);
        assert!((hits[0].impulse - 27.0 / 7.0).abs() < 1e-14);
        let after = list[1].motion;
        assert!((after.velocity.z - (-3.0 + 27.0 / 14.0)).abs() < 1e-14);
        let spin = DVec3::new(18.0 / 7.0, 9.0 / 7.0, 0.0);
        assert!((after.angular_velocity - spin).length() < 1e-14);
    }

    #[test]
    fn a_ball_that_slides_and_hits_the_floor_gets_the_friction_of_coulomb() {
        // μ J = 0.1·(1 + e) m v, which is less than stops the contact: 2/7 m u.
        let ball = Inertia::new(1.0, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(0.4)));
        let floor = struck(&Inertia::fixed(DVec3::ZERO), DVec3::ZERO, DVec3::ZERO);
        let mut list = [floor, struck(&ball, DVec3::Z, DVec3::new(5.0, 0.0, -2.0))];
        let mut hits = [hit(DVec3::ZERO, DVec3::Z, 0.5, 0.1)];
        sequence(&mut list, &mut hits, 1e-12);
        let after = list[1].motion;
        assert!((after.velocity - DVec3::new(5.0 - 0.3, 0.0, 1.0)).length() < 1e-14);
        // r × J = (0, 0, −1) × (−0.3, 0, 3) = (0, 0.3, 0); / 0.4.
        assert!((after.angular_velocity - DVec3::Y * 0.75).length() < 1e-14);
        // With much friction it grips: the contact stands still.
        let mut list = [floor, struck(&ball, DVec3::Z, DVec3::new(0.5, 0.0, -2.0))];
        let mut hits = [hit(DVec3::ZERO, DVec3::Z, 0.5, 0.9)];
        sequence(&mut list, &mut hits, 1e-12);
        let slide = hits[0].velocity(&list);
        assert!(slide.x.abs() < 1e-15 && (slide.z - 1.0).abs() < 1e-15);
    }

    #[test]
    fn impulses_never_add_energy() {
        // A slanted rod on its tip: Newton's restitution with friction would gain (Kane's example).
        let rod = Inertia::new(1.0, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(1.0 / 12.0)));
        let floor = struck(&Inertia::fixed(DVec3::ZERO), DVec3::ZERO, DVec3::ZERO);
        let energy =
            |m: &BodyState| 0.5 * m.velocity.length_squared() + m.angular_velocity.length_squared() / 24.0;
        for k in 0..40 {
            let angle = 0.05 + 0.035 * f64::from(k);
            let center = DVec3::new(libm::cos(angle), 0.0, libm::sin(angle)) * 0.5;
            for slide in [-3.0, -0.5, 0.5, 3.0] {
                let mut list = [floor, struck(&rod, center, DVec3::new(slide, 0.0, -1.0))];
                let before = energy(&list[1].motion);
                let mut hits = [hit(DVec3::ZERO, DVec3::Z, 1.0, 0.8)];
                sequence(&mut list, &mut hits, 1e-12);
                assert!(energy(&list[1].motion) <= before * (1.0 + 1e-14), "{angle} {slide}");
            }
        }
    }
}
