//! What the contacts of a group weigh: how much speed an impulse makes at each, from the arms and masses.

#![allow(clippy::needless_range_loop, reason = "all lists of a kernel run over the same contacts")]

use fearless_simd::{Simd, f64x8, prelude::*};

use super::groups::lanes::Group;
use crate::math::simd::{Eight3, Level, dispatch_to_avx2};

/// Turns arms into moments along the normal and fills in the masses, the coupling and those of friction.
pub fn weigh(group: &mut Group) {
    dispatch_to_avx2!(Level::new(), simd => weigh_at(simd, group));
    for lane in 0..group.lanes {
        if group.soft.relaxes[lane] == 0.0 {
            spread(group, lane);
        }
    }
}

/// Shares the spring of a patch among its contacts, such that together they are as stiff as it is to be.
fn spread(group: &mut Group, lane: usize) {
    let light = group.inverse_mass[0][lane] + group.inverse_mass[1][lane];
    let together: f64 = group.spots.iter().map(|spot| spot.mass[lane]).sum();
    let (own, shared) = (group.soft.mass[lane], together * light);
    (group.soft.mass[lane], group.soft.impulse[lane]) = (own / (own + shared), shared / (own + shared));
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn weigh_at<S: Simd>(simd: S, group: &mut Group) {
    match group.count {
        1 => weigh_of::<S, 1>(simd, group),
        2 => weigh_of::<S, 2>(simd, group),
        _ => weigh_of::<S, 4>(simd, group),
    }
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn weigh_of<S: Simd, const N: usize>(simd: S, group: &mut Group) {
    let zero = f64x8::splat(simd, 0.0);
    let normal = Eight3::of(simd, &group.normal);
    let middle = Eight3::of(simd, &group.rub.arms[0]);
    let mut moments = [[normal; 2]; N];
    let mut turned = [[normal; 2]; N];
    let mut far = zero;
    for k in 0..N {
        let first = Eight3::of(simd, &group.spots[k].turns[0]);
        let second = Eight3::of(simd, &group.spots[k].turns[1]);
        let here: f64x8<S> = group.spots[k].mass.simd_into(simd);
        let aside = first.sub(middle).cross(normal);
        let lever = aside.dot(aside).sqrt() * here;
        far = far.max(lever);
        group.spots[k].lever = lever.into();
        moments[k] = [first.cross(normal), second.cross(normal)];
        turned[k] = [
            moments[k][0].turned_by(simd, &group.inverse_inertia[0]),
            moments[k][1].turned_by(simd, &group.inverse_inertia[1]),
        ];
        group.spots[k].turns = [moments[k][0].stored(), moments[k][1].stored()];
    }
    let linear = straight(simd, group);
    for i in 0..N {
        for j in i..N {
            let spin = moments[i][0].dot(turned[j][0]) + moments[i][1].dot(turned[j][1]);
            group.coupling[couple(i, j)] = (linear + spin).into();
        }
        let here: f64x8<S> = group.spots[i].mass.simd_into(simd);
        let weight: f64x8<S> = group.coupling[couple(i, i)].simd_into(simd);
        let is_here = here.simd_gt(zero) & weight.simd_gt(zero);
        group.spots[i].mass = is_here.select(f64x8::splat(simd, 1.0) / weight, zero).into();
    }
    rub(simd, group, normal, far);
    if group.rolls {
        roll(simd, group, normal);
    }
}

/// The sum of the inverse masses.
#[cfg_attr(not(opt_level_0), inline(always))]
fn straight<S: Simd>(simd: S, group: &Group) -> f64x8<S> {
    let first: f64x8<S> = group.inverse_mass[0].simd_into(simd);
    let second: f64x8<S> = group.inverse_mass[1].simd_into(simd);
    first + second
}

/// The inverses of what impulses along the tangents, and one about the normal, do to the motion there. Where
/// no lever is longer than the least, nothing holds against turning.
#[cfg_attr(not(opt_level_0), inline(always))]
fn rub<S: Simd>(simd: S, group: &mut Group, normal: Eight3<S>, far: f64x8<S>) {
    let (zero, one) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 1.0));
    let tangent = Eight3::of(simd, &group.tangent);
    let across = normal.cross(tangent);
    let linear = straight(simd, group);
    let (mut xx, mut yy, mut zz, mut xy, mut yz, mut zx) = (linear, linear, zero, zero, zero, zero);
    for side in 0..2 {
        let arm = Eight3::of(simd, &group.rub.arms[side]);
        let inertia = &group.inverse_inertia[side];
        let (x, y) = (arm.cross(tangent), arm.cross(across));
        let (to_x, to_y, to_z) =
            (x.turned_by(simd, inertia), y.turned_by(simd, inertia), normal.turned_by(simd, inertia));
        (xx, yy, zz) = (xx + x.dot(to_x), yy + y.dot(to_y), zz + normal.dot(to_z));
        (xy, yz, zx) = (xy + x.dot(to_y), yz + y.dot(to_z), zx + normal.dot(to_x));
    }
    let least: f64x8<S> = group.rub.least.simd_into(simd);
    let twists = far.simd_gt(least) & zz.simd_gt(zero);
    let determinant = xx * yy - xy * xy;
    let share = determinant.simd_gt(zero).select(one / determinant, zero);
    group.rub.masses = [
        (yy * share).into(),
        (xx * share).into(),
        twists.select(one / zz, zero).into(),
        (-(xy * share)).into(),
    ];
    group.rub.mixed = [zx.into(), yz.into()];
}

/// The inverses of what angular impulses about the tangents do to turning about them.
#[cfg_attr(not(opt_level_0), inline(always))]
fn roll<S: Simd>(simd: S, group: &mut Group, normal: Eight3<S>) {
    let (zero, one) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 1.0));
    let tangent = Eight3::of(simd, &group.tangent);
    let across = normal.cross(tangent);
    let (mut xx, mut yy, mut xy) = (zero, zero, zero);
    for side in 0..2 {
        let inertia = &group.inverse_inertia[side];
        let (to_x, to_y) = (tangent.turned_by(simd, inertia), across.turned_by(simd, inertia));
        (xx, yy, xy) = (xx + tangent.dot(to_x), yy + across.dot(to_y), xy + tangent.dot(to_y));
    }
    let determinant = xx * yy - xy * xy;
    let share = determinant.simd_gt(zero).select(one / determinant, zero);
    group.roll.masses = [(yy * share).into(), (xx * share).into(), (-(xy * share)).into()];
}

/// The place in [`Group::coupling`] of two contacts.
#[inline(always)]
pub fn couple(i: usize, j: usize) -> usize {
    const PLACES: [[usize; 4]; 4] = [[6, 0, 1, 2], [0, 7, 3, 4], [1, 3, 8, 5], [2, 4, 5, 9]];
    PLACES[i][j]
}
