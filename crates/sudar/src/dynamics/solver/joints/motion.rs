//! How eight bodies move, side by side.

use fearless_simd::{Simd, f64x8, prelude::*};
use glam::DVec3;

use super::coordinates::Spot;
use super::eights::{Places, Speeds, Weights, places_of, rotation, speeds_of, spot, three};
use super::turns::Turn;
use crate::dynamics::matter::Inertia;
use crate::dynamics::solver::groups::lanes::{LANES, Lane, Vector};
use crate::math::simd::{Eight3, Level, Three, dispatch};

/// What does not change in a step. Bodies that no impulse moves have no mass here, and moments of 1.
#[derive(Clone)]
pub struct Matter {
    pub mass: Lane,
    inverse_mass: Lane,
    moments: Vector,
    /// What they are greater by than they should be.
    scaled: Lane,
    /// The rotation from the axes of the moments to the body.
    axes: [Lane; 4],
    /// 1 where all moments are equal.
    is_round: Lane,
    /// Where the centres were at the start of the step.
    start: Vector,
    /// Of forces that do not change, and what drag leaves of velocities and spins after a kick.
    acceleration: Vector,
    left: [Lane; 2],
}

impl Default for Matter {
    fn default() -> Self {
        let (zero, one) = ([0.0; LANES], [1.0; LANES]);
        Self {
            mass: zero,
            inverse_mass: zero,
            moments: [one; 3],
            scaled: zero,
            axes: [zero, zero, zero, one],
            is_round: one,
            start: [zero; 3],
            acceleration: [zero; 3],
            left: [one; 2],
        }
    }
}

/// Angles of one sub-step beyond which turns are those of free flight.
pub const FAR: f64 = 0.5;
/// Most rounds of the midpoint rule.
const ROUNDS: u32 = 6;

impl Matter {
    /// Takes up a body that impulses move.
    pub fn set(&mut self, lane: usize, inertia: &Inertia, start: DVec3) {
        (self.mass[lane], self.inverse_mass[lane]) = (inertia.mass, inertia.inverse_mass);
        let axes = inertia.axes.to_array();
        (0..4).for_each(|k| self.axes[k][lane] = axes[k]);
        for k in 0..3 {
            self.moments[k][lane] = inertia.moments[k];
            self.start[k][lane] = start[k];
        }
        self.is_round[lane] = f64::from(u8::from(inertia.is_round()));
    }

    /// Makes moments of inertia greater by so much than they should be, if they are not yet.
    pub fn scale(&mut self, lane: usize, scaled: f64) -> bool {
        let more = scaled - self.scaled[lane];
        if more > 0.0 {
            self.scaled[lane] = scaled;
            self.moments.iter_mut().for_each(|moment| moment[lane] += more);
        }
        more > 0.0
    }

    /// Forces that act on a body in kicks.
    pub fn pull(&mut self, lane: usize, acceleration: DVec3, left: [f64; 2]) {
        (0..3).for_each(|k| self.acceleration[k][lane] = acceleration[k]);
        (0..2).for_each(|k| self.left[k][lane] = left[k]);
    }

    /// The speeds after forces have acted for a time.
    pub fn kick(&self, level: Level, speeds: &mut Speeds, time: f64) {
        dispatch!(level, simd => self.kick_at(simd, speeds, time));
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn kick_at<S: Simd>(&self, simd: S, speeds: &mut Speeds, time: f64) {
        let pull = Eight3::of(simd, &self.acceleration).times(f64x8::splat(simd, time));
        let [straight, turning]: [f64x8<S>; 2] = self.left.map(|left| left.simd_into(simd));
        let way = three(simd, speeds, 0).add(pull).times(straight);
        *speeds = speeds_of(way, three(simd, speeds, 3).times(turning));
    }

    /// What bodies weigh where they are.
    pub fn weights(&self, level: Level, places: &Places) -> Weights {
        dispatch!(level, simd => self.weights_at(simd, places))
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn weights_at<S: Simd>(&self, simd: S, places: &Places) -> Weights {
        let (zero, one) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 1.0));
        let [a, b, c] = rotation(simd, places, 3).after(rotation(simd, &self.axes, 0)).axes(simd);
        let mass: f64x8<S> = self.mass.simd_into(simd);
        let (moments, moves) = (Eight3::of(simd, &self.moments), mass.simd_gt(zero));
        let [x, y, z]: [f64x8<S>; 3] = [one / moments.x, one / moments.y, one / moments.z];
        let [ax, by, cz] = [a.times(x), b.times(y), c.times(z)];
        let is_round: f64x8<S> = self.is_round.simd_into(simd);
        let round = is_round.simd_gt(zero);
        let straight = ax.products(a).add(by.products(b)).add(cz.products(c));
        let mixed = [
            ax.x * a.y + by.x * b.y + cz.x * c.y,
            ax.y * a.z + by.y * b.z + cz.y * c.z,
            ax.z * a.x + by.z * b.x + cz.z * c.x,
        ];
        let [xx, yy, zz] = [straight.x, straight.y, straight.z];
        let [xx, yy, zz] = [round.select(x, xx), round.select(x, yy), round.select(x, zz)];
        let [xy, yz, zx] =
            [round.select(zero, mixed[0]), round.select(zero, mixed[1]), round.select(zero, mixed[2])];
        let [xx, yy, zz] = [moves.select(xx, zero), moves.select(yy, zero), moves.select(zz, zero)];
        let [xy, yz, zx] = [moves.select(xy, zero), moves.select(yz, zero), moves.select(zx, zero)];
        [self.inverse_mass, xx.into(), yy.into(), zz.into(), xy.into(), yz.into(), zx.into()]
    }

    /// Twice the energy of motion, without mass scaling.
    pub fn squares(&self, level: Level, places: &Places, speeds: &Speeds) -> Lane {
        dispatch!(level, simd => self.squares_at(simd, places, speeds))
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn squares_at<S: Simd>(&self, simd: S, places: &Places, speeds: &Speeds) -> Lane {
        let (way, turn) = (three(simd, speeds, 0), three(simd, speeds, 3));
        let frame = rotation(simd, places, 3).after(rotation(simd, &self.axes, 0));
        let own = frame.inverse(simd).turned(turn);
        let mass: f64x8<S> = self.mass.simd_into(simd);
        let scaled: f64x8<S> = self.scaled.simd_into(simd);
        let turning = own.products(own).dot(Eight3::of(simd, &self.moments)) - scaled * own.dot(own);
        let all = mass * way.dot(way) + turning;
        let zero = f64x8::splat(simd, 0.0);
        mass.simd_gt(zero).select(all, zero).into()
    }

    /// Energy that forces that do not change have stored since the start of the step.
    pub fn stored(&self, level: Level, places: &Places) -> Lane {
        dispatch!(level, simd => self.stored_at(simd, places))
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn stored_at<S: Simd>(&self, simd: S, places: &Places) -> Lane {
        let way = three(simd, places, 0).sub(Eight3::of(simd, &self.start));
        let mass: f64x8<S> = self.mass.simd_into(simd);
        let along = Eight3::of(simd, &self.acceleration).dot(way);
        (f64x8::splat(simd, 0.0) - along * mass).into()
    }

    /// Where bodies are after a time, and their spins there: by the midpoint rule of the rotation at an angular
    /// momentum that stays, which is of second order and the same backwards.
    pub fn look_ahead(&self, level: Level, places: &Places, speeds: &Speeds, time: f64) -> Ahead {
        dispatch!(level, simd => self.look_ahead_at(simd, places, speeds, time))
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn look_ahead_at<S: Simd>(&self, simd: S, places: &Places, speeds: &Speeds, time: f64) -> Ahead {
        let time = f64x8::splat(simd, time);
        let Spot { center, rotation: from } = spot(simd, places);
        let (way, spin) = (three(simd, speeds, 0), three(simd, speeds, 3));
        let square = spin.dot(spin) * time * time;
        let far = square.simd_gt(f64x8::splat(simd, FAR * FAR));
        let center = center.add(way.times(time));
        let zero = f64x8::splat(simd, 0.0);
        if !square.simd_gt(zero).any_true() {
            return Ahead {
                places: places_of(Spot { center, rotation: from }),
                spins: spin.stored(),
                far: [false; LANES],
            };
        }
        let frame = from.after(rotation(simd, &self.axes, 0));
        let is_round: f64x8<S> = self.is_round.simd_into(simd);
        let round = is_round.simd_gt(zero);
        let own = frame.inverse(simd).turned(spin);
        let mut halfway = own;
        let moments = Eight3::of(simd, &self.moments);
        let momentum = moments.products(own);
        if !round.all_true() {
            halfway = midpoint(simd, own, moments, time, !(round | far));
        }
        let straight = Three::select(round, spin, frame.turned(halfway));
        let turn = Turn::by(simd, straight.times(time));
        let there = turn.after(from).normalized(simd);
        // Angular momentum as the body sees it at the end, and the spin that it makes.
        let seen = Turn::by(simd, halfway.times(time)).inverse(simd).turned(momentum);
        let after = Three { x: seen.x / moments.x, y: seen.y / moments.y, z: seen.z / moments.z };
        let after = Three::select(round, spin, turn.turned(frame.turned(after)));
        let still = square.simd_eq(zero);
        let rotation =
            Turn { axis: Three::select(still, from.axis, there.axis), w: still.select(from.w, there.w) };
        let far: Lane = far.select(f64x8::splat(simd, 1.0), zero).into();
        let spins = Three::select(still, spin, after).stored();
        Ahead { places: places_of(Spot { center, rotation }), spins, far: far.map(|far| far > 0.0) }
    }
}

/// What [`Matter::look_ahead`] finds.
pub struct Ahead {
    pub places: Places,
    pub spins: Vector,
    /// Bodies that turn by more than [`FAR`], of which rotation and spin are not found.
    pub far: [bool; LANES],
}

/// The spin halfway of a free body, along the axes of its moments: turned by half of the time with it, the angular
/// momentum makes it. By Newton's method, in open lanes.
#[cfg_attr(not(opt_level_0), inline(always))]
fn midpoint<S: Simd>(
    simd: S,
    own: Eight3<S>,
    moments: Eight3<S>,
    time: f64x8<S>,
    open: <f64x8<S> as SimdBase<S>>::Mask,
) -> Eight3<S> {
    let half = time * f64x8::splat(simd, 0.5);
    let momentum = moments.products(own);
    let cofactors = Three { x: moments.y * moments.z, y: moments.z * moments.x, z: moments.x * moments.y };
    let (mut spin, mut open) = (own, open);
    let enough = f64x8::splat(simd, 1e-30);
    for _ in 0..ROUNDS {
        let seen = Turn::by(simd, spin.times(half)).inverse(simd).turned(momentum);
        let off = seen.sub(moments.products(spin));
        // Of more spin δ, I·δ is more on one side, and the turn takes δ × momentum·time/2 off the other: (I + a×)·δ is
        // to be what is off, by the adjugate of that matrix.
        let a = seen.times(f64x8::splat(simd, 0.0) - half);
        let scaled = moments.products(a);
        let determinant = moments.x * cofactors.x + scaled.dot(a);
        let change = cofactors.products(off).add(a.times(a.dot(off))).sub(scaled.cross(off));
        let change = change.times(f64x8::splat(simd, 1.0) / determinant);
        spin = Three::select(open, spin.add(change), spin);
        open &= change.dot(change).simd_gt(spin.dot(spin) * enough);
        if !open.any_true() {
            break;
        }
    }
    spin
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DQuat};

    use super::*;
    use crate::dynamics::matter::{BodyState, Flight, turn};
    use crate::dynamics::solver::joints::eights::{NOWHERE, of_body, set_body};
    use crate::math::simd::other_levels;
    use crate::testing::Random;

    /// A round body, one of two equal moments, others of any; the last is nobody.
    fn eight(random: &mut Random) -> (Matter, Places, Speeds, Vec<(Inertia, BodyState)>) {
        let (mut matter, mut places, mut speeds) = (Matter::default(), NOWHERE, [[0.0; LANES]; 6]);
        let mut bodies = Vec::new();
        for lane in 0..LANES - 1 {
            let moments = match lane {
                0 => DVec3::splat(0.3),
                1 => DVec3::new(0.1, 0.4, 0.4),
                _ => DVec3::new(random.within(0.4, 0.8), random.within(0.4, 0.8), random.within(0.5, 0.8)),
            };
            let axes = DMat3::from_quat(turn(random.point()));
            let tensor = axes * DMat3::from_diagonal(moments) * axes.transpose();
            let inertia = Inertia::new(random.within(1.0, 3.0), DVec3::ZERO, tensor);
            let state = BodyState {
                center: random.point(),
                rotation: turn(random.point() * 3.0),
                velocity: random.point(),
                angular_velocity: random.point() * 5.0,
            };
            matter.set(lane, &inertia, DVec3::ZERO);
            let ([a, b, c], [d, e, f, g]) = (state.center.to_array(), state.rotation.to_array());
            set_body(std::slice::from_mut(&mut places), lane, [a, b, c, d, e, f, g]);
            let ([a, b, c], [d, e, f]) = (state.velocity.to_array(), state.angular_velocity.to_array());
            set_body(std::slice::from_mut(&mut speeds), lane, [a, b, c, d, e, f]);
            bodies.push((inertia, state));
        }
        (matter, places, speeds, bodies)
    }

    #[test]
    fn eight_bodies_fly_as_each_alone() {
        let mut random = Random::new(11);
        for _ in 0..50 {
            let (matter, places, speeds, bodies) = eight(&mut random);
            let mut off = [0.0_f64; 2];
            for (k, time) in [0.02, 0.01].into_iter().enumerate() {
                let ahead = matter.look_ahead(Level::new(), &places, &speeds, time);
                for (lane, (inertia, state)) in bodies.iter().enumerate() {
                    let there = Flight::free(inertia, *state, 0.0).at(time);
                    let [x, y, z, a, b, c, w] = of_body(std::slice::from_ref(&ahead.places), lane);
                    assert!((DVec3::new(x, y, z) - there.center).length() < 1e-15);
                    let turned = DQuat::from_xyzw(a, b, c, w).angle_between(there.rotation);
                    let spin = DVec3::from(of_body(std::slice::from_ref(&ahead.spins), lane));
                    off[k] = off[k].max(turned).max((spin - there.angular_velocity).length() * time);
                    let before = inertia.spun(state.rotation, state.angular_velocity);
                    let after = inertia.spun(DQuat::from_xyzw(a, b, c, w), spin);
                    assert!((after - before).length() < 1e-13 * before.length());
                }
            }
            // The midpoint rule is off by the cube of the time in a step.
            assert!(off[0] < 1e-3 && off[1] < off[0] / 6.0, "{off:?}");
        }
    }

    #[test]
    fn weights_and_energies_are_those_of_each_body_and_every_simd_level_gives_the_same_bits() {
        let mut random = Random::new(12);
        let (matter, places, speeds, bodies) = eight(&mut random);
        let weights = matter.weights(Level::new(), &places);
        let squares = matter.squares(Level::new(), &places, &speeds);
        for (lane, (inertia, state)) in bodies.iter().enumerate() {
            let [mass, xx, yy, zz, xy, yz, zx] = of_body(std::slice::from_ref(&weights), lane);
            let expected = inertia.inverse_in_world(state.rotation);
            let found = DMat3::from_cols_array(&[xx, xy, zx, xy, yy, yz, zx, yz, zz]);
            assert!((found - expected).to_cols_array().iter().all(|off| off.abs() < 1e-14));
            let spun = inertia.spun(state.rotation, state.angular_velocity).dot(state.angular_velocity);
            let square = inertia.mass * state.velocity.length_squared() + spun;
            assert!(mass == inertia.inverse_mass && (squares[lane] - square).abs() < 1e-13 * square);
        }
        assert_eq!((weights.map(|all| all[LANES - 1]), squares[LANES - 1]), ([0.0; 7], 0.0));
        let ahead = |level: Level| {
            let ahead = matter.look_ahead(level, &places, &speeds, 0.01);
            (
                ahead.places,
                ahead.spins,
                matter.weights(level, &places),
                matter.squares(level, &places, &speeds),
            )
        };
        assert!(other_levels().into_iter().all(|level| ahead(level) == ahead(Level::new())));
    }
}
