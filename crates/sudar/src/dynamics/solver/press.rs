//! The kernels: what a group of patches does to the velocities of its bodies.

#![allow(clippy::needless_range_loop, reason = "all lists of a kernel run over the same contacts")]

use fearless_simd::{Simd, f64x8, prelude::*};

use super::bodies::Twist;
use super::groups::lanes::{Group, LANES};
use super::twists::Twists;
use super::weigh::couple;
use crate::math::simd::Eight3;

/// Sweeps over the contacts of a patch.
const INNER: usize = 4;

/// Both bodies of each patch.
#[derive(Clone, Copy)]
struct Two<S: Simd>(Twists<S>, Twists<S>);

impl<S: Simd> Two<S> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn gather(simd: S, all: &[Twist], group: &Group) -> Self {
        Self(Twists::gather(simd, all, &group.slots[0]), Twists::gather(simd, all, &group.slots[1]))
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn scatter(self, all: &mut [Twist], group: &Group) {
        self.0.scatter(all, &group.slots[0], group.moves[0]);
        self.1.scatter(all, &group.slots[1], group.moves[1]);
    }

    /// How fast, or how far, the contacts open along the normal.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn along<const N: usize>(&self, simd: S, group: &Group, normal: Eight3<S>) -> [f64x8<S>; N] {
        let straight = normal.dot(self.1.way.sub(self.0.way));
        let mut all = [straight; N];
        for k in 0..N {
            let [first, second] = &group.spots[k].turns;
            let first = Eight3::of(simd, first).dot(self.0.turn);
            let second = Eight3::of(simd, second).dot(self.1.turn);
            all[k] = straight + (second - first);
        }
        all
    }

    /// Impulses along the normal.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn press<const N: usize>(&mut self, simd: S, group: &Group, normal: Eight3<S>, impulses: &[f64x8<S>; N]) {
        let zero = Eight3::of(simd, &[[0.0; LANES]; 3]);
        let (mut sum, mut first, mut second) = (zero.x, zero, zero);
        for k in 0..N {
            let [of_first, of_second] = &group.spots[k].turns;
            sum += impulses[k];
            first = first.add(Eight3::of(simd, of_first).times(impulses[k]));
            second = second.add(Eight3::of(simd, of_second).times(impulses[k]));
        }
        self.push(simd, group, normal.times(sum), first, second);
    }

    /// An impulse on the second body and against the first, with its moments about both.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn push(&mut self, simd: S, group: &Group, impulse: Eight3<S>, first: Eight3<S>, second: Eight3<S>) {
        let of_first: f64x8<S> = group.inverse_mass[0].simd_into(simd);
        let of_second: f64x8<S> = group.inverse_mass[1].simd_into(simd);
        self.0.way = self.0.way.sub(impulse.times(of_first));
        self.1.way = self.1.way.add(impulse.times(of_second));
        self.0.turn = self.0.turn.sub(first.turned_by(simd, &group.inverse_inertia[0]));
        self.1.turn = self.1.turn.add(second.turned_by(simd, &group.inverse_inertia[1]));
    }

    /// Impulses along the tangents and about the normal, at the middle.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn rub(&mut self, simd: S, group: &Group, normal: Eight3<S>, tangent: Eight3<S>, by: Eight3<S>) {
        let impulse = tangent.times(by.x).add(normal.cross(tangent).times(by.y));
        let twist = normal.times(by.z);
        let first = Eight3::of(simd, &group.rub.arms[0]).cross(impulse).add(twist);
        let second = Eight3::of(simd, &group.rub.arms[1]).cross(impulse).add(twist);
        self.push(simd, group, impulse, first, second);
    }

    /// Angular impulses about the tangents, on the second body and against the first.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn roll(&mut self, simd: S, group: &Group, [tangent, across]: [Eight3<S>; 2], by: [f64x8<S>; 2]) {
        let turn = tangent.times(by[0]).add(across.times(by[1]));
        self.0.turn = self.0.turn.sub(turn.turned_by(simd, &group.inverse_inertia[0]));
        self.1.turn = self.1.turn.add(turn.turned_by(simd, &group.inverse_inertia[1]));
    }
}

/// Applies the impulses that the contacts start with.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn warm<S: Simd>(simd: S, group: &Group, speeds: &mut [Twist]) {
    match group.count {
        1 => warm_of::<S, 1>(simd, group, speeds),
        2 => warm_of::<S, 2>(simd, group, speeds),
        _ => warm_of::<S, 4>(simd, group, speeds),
    }
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn warm_of<S: Simd, const N: usize>(simd: S, group: &Group, speeds: &mut [Twist]) {
    let (normal, tangent) = (Eight3::of(simd, &group.normal), Eight3::of(simd, &group.tangent));
    let mut two = Two::gather(simd, speeds, group);
    let mut impulses = [normal.x; N];
    for k in 0..N {
        impulses[k] = group.spots[k].impulse.simd_into(simd);
    }
    two.press(simd, group, normal, &impulses);
    two.rub(simd, group, normal, tangent, Eight3::of(simd, &group.rub.impulses));
    if group.rolls {
        let impulses = group.roll.impulses.map(|impulse| impulse.simd_into(simd));
        two.roll(simd, group, [tangent, normal.cross(tangent)], impulses);
    }
    two.scatter(speeds, group);
}

/// What is solved for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pass {
    /// With the push out of overlaps.
    Soft,
    /// Without it, after the bodies have moved, which opens or closes gaps.
    Relaxed,
}

/// Solves the patches of a group; returns the most by which impulses changed the speed of a body.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn solve<S: Simd>(simd: S, group: &mut Group, speeds: &mut [Twist], shifts: &[Twist], pass: Pass) -> f64 {
    match group.count {
        1 => solve_of::<S, 1>(simd, group, speeds, shifts, pass),
        2 => solve_of::<S, 2>(simd, group, speeds, shifts, pass),
        _ => solve_of::<S, 4>(simd, group, speeds, shifts, pass),
    }
}

/// With so many contacts in each patch; those that a patch does not have bear nothing.
#[cfg_attr(not(opt_level_0), inline(always))]
fn solve_of<S: Simd, const N: usize>(
    simd: S,
    group: &mut Group,
    speeds: &mut [Twist],
    shifts: &[Twist],
    pass: Pass,
) -> f64 {
    let (normal, tangent) = (Eight3::of(simd, &group.normal), Eight3::of(simd, &group.tangent));
    if pass == Pass::Relaxed {
        let moved = Two::gather(simd, shifts, group).along::<N>(simd, group, normal);
        for k in 0..N {
            let start: f64x8<S> = group.spots[k].start.simd_into(simd);
            group.spots[k].gap = (start + moved[k]).into();
        }
    }
    let mut two = Two::gather(simd, speeds, group);
    let speed = two.along::<N>(simd, group, normal);
    let (changes, sum) = sweep(simd, group, speed, pass);
    two.press(simd, group, normal, &changes);
    rub(simd, group, &mut two, normal, tangent, sum);
    if group.rolls {
        roll(simd, group, &mut two, [tangent, normal.cross(tangent)], sum[0]);
    }
    two.scatter(speeds, group);
    let mut most = changes[0].abs();
    for k in 1..N {
        most = most.max(changes[k].abs());
    }
    let light: f64x8<S> = group.inverse_mass[0].simd_into(simd);
    let other: f64x8<S> = group.inverse_mass[1].simd_into(simd);
    let changed: [f64; LANES] = (most * light.max(other)).into();
    changed.into_iter().fold(0.0, f64::max)
}

/// Sweeps to and fro over the contacts of each patch; returns by how much their impulses change, and the sums
/// of these, with the second weighted by the distances from the middle.
#[cfg_attr(not(opt_level_0), inline(always))]
fn sweep<S: Simd, const N: usize>(
    simd: S,
    group: &mut Group,
    speed: [f64x8<S>; N],
    pass: Pass,
) -> ([f64x8<S>; N], [f64x8<S>; 2]) {
    let zero = f64x8::splat(simd, 0.0);
    let (mut bias, mut mass, mut decay) = ([zero; N], [zero; N], [zero; N]);
    let (mut least, mut impulse) = ([zero; N], [zero; N]);
    for k in 0..N {
        [bias[k], mass[k], decay[k]] = resistance(simd, group, k, pass);
        least[k] = group.spots[k].least.simd_into(simd);
        impulse[k] = group.spots[k].impulse.simd_into(simd);
    }
    let (before, one) = (impulse, f64x8::splat(simd, 1.0));
    // What each impulse would be if it could pull, and by how much less it would be for each newton-second at another:
    // one wait for each contact is shorter so than if speeds were kept.
    let (mut wanted, mut less) = ([zero; N], [[zero; N]; N]);
    for k in 0..N {
        let faded = one - decay[k];
        wanted[k] = faded * impulse[k] - mass[k] * (bias[k] + speed[k]);
        for other in 0..N {
            let by: f64x8<S> = group.coupling[couple(k, other)].simd_into(simd);
            less[k][other] = mass[k] * by;
        }
        less[k][k] -= faded;
    }
    let rounds = if N == 1 { 1 } else { INNER };
    for round in 0..rounds {
        for k in 0..N {
            let k = if round % 2 == 0 { k } else { N - 1 - k };
            let next = wanted[k].max(least[k]);
            let more = next - impulse[k];
            impulse[k] = next;
            for other in 0..N {
                wanted[other] -= less[other][k] * more;
            }
        }
    }
    let (mut sum, mut spread, mut changes) = (zero, zero, [zero; N]);
    for k in 0..N {
        let spot = &mut group.spots[k];
        let lever: f64x8<S> = spot.lever.simd_into(simd);
        let pressed = impulse[k].max(zero);
        (sum, spread) = (sum + pressed, spread + pressed * lever);
        changes[k] = impulse[k] - before[k];
        spot.impulse = impulse[k].into();
    }
    (changes, [sum, spread])
}

/// The speed that a contact is to open with beyond its own, its mass, and how its impulse fades.
#[cfg_attr(not(opt_level_0), inline(always))]
fn resistance<S: Simd>(simd: S, group: &Group, k: usize, pass: Pass) -> [f64x8<S>; 3] {
    let (spot, zero) = (&group.spots[k], f64x8::splat(simd, 0.0));
    let gap: f64x8<S> = spot.gap.simd_into(simd);
    let own: f64x8<S> = spot.mass.simd_into(simd);
    let pace: f64x8<S> = group.pace.simd_into(simd);
    let relaxes: f64x8<S> = group.soft.relaxes.simd_into(simd);
    if pass == Pass::Relaxed {
        return [(gap * pace).max(zero), own * relaxes, zero];
    }
    let open = gap.simd_gt(zero);
    let rate: f64x8<S> = group.soft.rate.simd_into(simd);
    let yields: f64x8<S> = group.soft.mass.simd_into(simd);
    let fades: f64x8<S> = group.soft.impulse.simd_into(simd);
    let push: f64x8<S> = group.push.simd_into(simd);
    let bias = open.select(gap * pace, (rate * gap).max(-push));
    // What is to yield is not slowed down before it touches.
    [bias, own * open.select(relaxes, yields), open.select(f64x8::splat(simd, 1.0) - relaxes, fades)]
}

/// Friction within the cone of Coulomb.
#[cfg_attr(not(opt_level_0), inline(always))]
fn rub<S: Simd>(
    simd: S,
    group: &mut Group,
    two: &mut Two<S>,
    normal: Eight3<S>,
    tangent: Eight3<S>,
    [sum, spread]: [f64x8<S>; 2],
) {
    let across = normal.cross(tangent);
    let arms = [Eight3::of(simd, &group.rub.arms[0]), Eight3::of(simd, &group.rub.arms[1])];
    let slip = two.1.way.add(two.1.turn.cross(arms[1])).sub(two.0.way).sub(two.0.turn.cross(arms[0]));
    let [drift_x, drift_y]: [f64x8<S>; 2] = group.rub.drift.map(|drift| drift.simd_into(simd));
    let slip = Eight3 {
        x: tangent.dot(slip) - drift_x,
        y: across.dot(slip) - drift_y,
        z: normal.dot(two.1.turn.sub(two.0.turn)),
    };
    let friction: f64x8<S> = group.rub.friction.simd_into(simd);
    let before = Eight3::of(simd, &group.rub.impulses);
    let [xx, yy, zz, xy]: [f64x8<S>; 4] = group.rub.masses.map(|mass| mass.simd_into(simd));
    let [zx, yz]: [f64x8<S>; 2] = group.rub.mixed.map(|mixed| mixed.simd_into(simd));
    let (most, most_twist) = (friction * sum, friction * spread);
    // Turning first: where what holds against it is not enough, sliding must do without.
    let twist: f64x8<S> = before.z - zz * slip.z;
    let twist = twist.min(most_twist).max(-most_twist);
    let turned = twist - before.z;
    let (slip_x, slip_y) = (slip.x + zx * turned, slip.y + yz * turned);
    let wanted_x: f64x8<S> = before.x - (xx * slip_x + xy * slip_y);
    let wanted_y: f64x8<S> = before.y - (xy * slip_x + yy * slip_y);
    let length = (wanted_x * wanted_x + wanted_y * wanted_y).sqrt();
    let share = length.simd_gt(most).select(most / length, f64x8::splat(simd, 1.0));
    let next = Eight3 { x: wanted_x * share, y: wanted_y * share, z: twist };
    group.rub.impulses = [next.x.into(), next.y.into(), next.z.into()];
    two.rub(simd, group, normal, tangent, next.sub(before));
}

/// Friction against rolling: no more than its lever times what presses.
#[cfg_attr(not(opt_level_0), inline(always))]
fn roll<S: Simd>(simd: S, group: &mut Group, two: &mut Two<S>, tangents: [Eight3<S>; 2], sum: f64x8<S>) {
    let turning = two.1.turn.sub(two.0.turn);
    let [x, y] = [tangents[0].dot(turning), tangents[1].dot(turning)];
    let before: [f64x8<S>; 2] = group.roll.impulses.map(|impulse| impulse.simd_into(simd));
    let [xx, yy, xy]: [f64x8<S>; 3] = group.roll.masses.map(|mass| mass.simd_into(simd));
    let lever: f64x8<S> = group.roll.lever.simd_into(simd);
    let most = lever * sum;
    let wanted_x: f64x8<S> = before[0] - (xx * x + xy * y);
    let wanted_y: f64x8<S> = before[1] - (xy * x + yy * y);
    let length = (wanted_x * wanted_x + wanted_y * wanted_y).sqrt();
    let share = length.simd_gt(most).select(most / length, f64x8::splat(simd, 1.0));
    let next = [wanted_x * share, wanted_y * share];
    group.roll.impulses = next.map(Into::into);
    two.roll(simd, group, tangents, [next[0] - before[0], next[1] - before[1]]);
}

/// Notes the impulses at the end of a sub-step.
pub fn note(group: &mut Group) {
    for spot in &mut group.spots[..group.count] {
        for lane in 0..LANES {
            spot.most[lane] = spot.most[lane].max(spot.impulse[lane]);
            spot.total[lane] += spot.impulse[lane];
        }
    }
}
