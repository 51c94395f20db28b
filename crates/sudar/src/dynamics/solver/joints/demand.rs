//! What a row of a joint asks for: a value of its coordinate, at the end of a sub-step, and with how much impulse.
//!
//! Springs and dampers act by the mean of their pulls at the start of a sub-step and at its end (the implicit midpoint
//! rule, of second order and stable), and the more by that at the end the quicker they swing against the sub-step.

use crate::dynamics::joint::{Axis, Joint, Row, Softness};

/// One thing that a coordinate of a joint is to do.
#[derive(Clone, Copy, PartialEq)]
pub struct Demand {
    pub axis: Axis,
    role: Role,
    softness: Softness,
    /// Bounds; the target of a spring twice; the speed of a motor.
    range: [f64; 2],
    /// The most force or torque.
    force: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Lock,
    Limit,
    Spring,
    Motor,
}

/// A row in a sub-step.
#[derive(Clone, Copy)]
pub struct Now {
    /// The coordinate at the start of the sub-step, and as it will be at its end.
    pub from: f64,
    pub to: f64,
    /// The impulse so far, and the speed that a unit of it makes.
    pub impulse: f64,
    pub weight: f64,
    /// The length of the sub-step, and the time for which forces act.
    pub step: f64,
    pub span: f64,
}

/// What is missing.
#[derive(Clone, Copy, PartialEq)]
pub struct Asked {
    /// The speed that is too much.
    pub excess: f64,
    /// Speed that an impulse costs besides what it makes.
    pub compliance: f64,
    /// Bounds of the impulse.
    pub bounds: [f64; 2],
    pub is_active: bool,
}

impl Asked {
    pub const NOTHING: Self =
        Self { excess: 0.0, compliance: 0.0, bounds: [f64::NEG_INFINITY, f64::INFINITY], is_active: false };

    /// Not where the impulse is at a bound already, and more of it is wanted.
    fn within(self, impulse: f64) -> Self {
        let [least, most] = self.bounds;
        let is_spent = impulse <= least && self.excess >= 0.0 || impulse >= most && self.excess <= 0.0;
        Self { is_active: !is_spent, ..self }
    }
}

/// The demands of a joint, in the order of its coordinates.
pub fn demands(joint: &Joint) -> Vec<Demand> {
    Axis::ALL.into_iter().zip(&joint.rows).flat_map(|(axis, row)| of_row(axis, row)).collect()
}

fn of_row(axis: Axis, row: &Row) -> Vec<Demand> {
    let mut all = Vec::new();
    let plain =
        Demand { axis, role: Role::Lock, softness: Softness::Hard, range: [0.0; 2], force: f64::INFINITY };
    let range = [row.lower, row.upper];
    match (row.is_locked(), row.softness) {
        (true, Softness::Hard) => all.push(Demand { range, ..plain }),
        (true, softness) => all.push(Demand { role: Role::Spring, softness, range, ..plain }),
        (false, softness) if row.lower.is_finite() || row.upper.is_finite() => {
            all.push(Demand { role: Role::Limit, softness, range, ..plain });
        }
        (false, _) => {}
    }
    if let Some(spring) = row.spring {
        let (softness, range) = (spring.softness, [spring.target; 2]);
        all.push(Demand { role: Role::Spring, softness, range, force: spring.force, ..plain });
    }
    let motor = row.motor.map(|motor| (motor.speed, motor.force));
    let friction = (row.friction > 0.0).then_some((0.0, row.friction));
    for (speed, force) in motor.into_iter().chain(friction) {
        all.push(Demand { role: Role::Motor, range: [speed; 2], force, ..plain });
    }
    all
}

/// The share of the speed from which bodies alone could be braked.
const BRAKES: f64 = 0.5;

/// The share of their weight by which locks yield.
pub const YIELDS: f64 = 1e-10;

impl Demand {
    /// Where a hard lock holds its coordinate.
    pub fn lock(&self) -> Option<f64> {
        (self.role == Role::Lock).then_some(self.range[0])
    }

    /// Whether it is a lock or hard bounds, which gaps are measured by.
    pub fn is_hard(&self) -> bool {
        matches!(self.role, Role::Lock | Role::Limit) && self.softness == Softness::Hard
    }

    /// Whether it does work of its own.
    pub fn works(&self) -> bool {
        match self.role {
            Role::Lock => false,
            Role::Limit => self.softness != Softness::Hard,
            Role::Motor => self.range[0] != 0.0,
            Role::Spring => true,
        }
    }

    /// The most force, and the speed that it drives a coordinate to from where it is, in a step of a length; none where
    /// no work is done but that of a spring.
    pub fn drives(&self, value: f64, step: f64) -> Option<[f64; 2]> {
        match self.role {
            Role::Motor if self.range[0] != 0.0 => Some([self.force, self.range[0]]),
            Role::Spring if self.softness == Softness::Hard && step > 0.0 => {
                // With any force it is there at once, and rests.
                let time = if self.force.is_finite() { step } else { 1.0 };
                Some([self.force, (self.range[0] - value).clamp(-1.0, 1.0) / time])
            }
            Role::Lock | Role::Limit | Role::Motor | Role::Spring => None,
        }
    }

    /// By how much a coordinate is beyond what a lock or hard bounds allow.
    pub fn violation(&self, value: f64) -> f64 {
        if self.is_hard() { (self.range[0] - value).max(value - self.range[1]).max(0.0) } else { 0.0 }
    }

    /// The energy of a spring, in J; of soft bounds too.
    pub fn energy(&self, value: f64, weight: f64) -> f64 {
        let [stiffness, _] = self.stiffness(weight);
        let off = match self.role {
            Role::Spring => value - self.range[0],
            Role::Limit => (self.range[0] - value).max(value - self.range[1]).max(0.0),
            Role::Lock | Role::Motor => 0.0,
        };
        if off == 0.0 || stiffness.is_infinite() { 0.0 } else { 0.5 * stiffness * off * off }
    }

    /// Stiffness and damping, where a unit impulse makes this speed.
    fn stiffness(&self, weight: f64) -> [f64; 2] {
        match self.softness {
            Softness::Hard => [f64::INFINITY, 0.0],
            Softness::Stiffness { stiffness, damping } => [stiffness, damping],
            Softness::Frequency { hertz, damping_ratio } => {
                let omega = std::f64::consts::TAU * hertz;
                [omega * omega / weight, 2.0 * damping_ratio * omega / weight]
            }
        }
    }

    /// What is missing for the coordinate to be right at the end of a sub-step.
    pub fn at_the_end(&self, now: &Now) -> Asked {
        let most = self.force * now.span;
        let bounds = [-most, most];
        match self.role {
            Role::Lock => self.hard((now.to - self.range[0]) / now.step, bounds, now),
            Role::Spring => self.go_to(self.range[0], bounds, now).within(now.impulse),
            Role::Motor => {
                let excess = (now.to - now.from) / now.step - self.range[0];
                self.hard(excess, bounds, now).within(now.impulse)
            }
            Role::Limit => match self.side(now.to, now.impulse) {
                Some((bound, bounds)) => self.go_to(bound, bounds, now).within(now.impulse),
                None => Asked::NOTHING,
            },
        }
    }

    /// The bound that counts, and the impulses that it may have.
    fn side(&self, value: f64, impulse: f64) -> Option<(f64, [f64; 2])> {
        let [lower, upper] = self.range;
        if impulse > 0.0 || impulse == 0.0 && value < lower {
            Some((lower, [0.0, f64::INFINITY]))
        } else if impulse < 0.0 || value > upper {
            Some((upper, [f64::NEG_INFINITY, 0.0]))
        } else {
            None
        }
    }

    /// What yields by next to nothing: where a mechanism is singular, impulses without end would follow. Where two
    /// demands contradict each other, limits hold before locks, and these before motors of any force.
    fn hard(&self, excess: f64, bounds: [f64; 2], now: &Now) -> Asked {
        let share = match self.role {
            Role::Limit => 1e-12,
            Role::Spring | Role::Motor if self.force.is_infinite() => 1e-8,
            Role::Lock | Role::Spring | Role::Motor => YIELDS,
        };
        let compliance = share * now.weight;
        Asked { excess: excess + compliance * now.impulse, compliance, bounds, is_active: true }
    }

    fn go_to(&self, target: f64, bounds: [f64; 2], now: &Now) -> Asked {
        let Now { from, to, impulse, weight, step, span } = *now;
        let [stiffness, damping] = self.stiffness(weight);
        if stiffness.is_infinite() && self.role == Role::Spring {
            return self.hard((to - from) / step - self.pace(now), bounds, now);
        }
        if stiffness.is_infinite() {
            return self.hard((to - target) / step, bounds, now);
        }
        // The share of the pull at the end.
        let swings = (stiffness * weight).sqrt() * step;
        let late = (1.0 - 0.5 / swings).clamp(0.5, 1.0);
        let rate = stiffness * late + damping / step;
        if rate == 0.0 {
            return Asked::NOTHING;
        }
        let before = stiffness * ((1.0 - late) * from - target) - damping / step * from;
        let compliance = 1.0 / (span * rate * step);
        let excess = to / step + before / (rate * step) + compliance * impulse;
        Asked { excess, compliance, bounds, is_active: true }
    }

    /// What is missing for the coordinate to stay after it has moved: `now.to` is how fast it changes. `before` is the
    /// impulse of the first part of the sub-step, and the second has as much again if it is halved.
    pub fn after(&self, now: &Now, before: f64, is_halved: bool) -> Asked {
        let (excess, spent) = (now.to, if is_halved { 0.0 } else { before });
        let still = self.hard(excess, Asked::NOTHING.bounds, now);
        let most = self.force * now.span;
        let bounds = [-most - spent, most - spent];
        let is_soft = self.softness != Softness::Hard;
        match self.role {
            Role::Lock => still,
            Role::Motor => {
                Asked { excess: still.excess - self.range[0], bounds, ..still }.within(now.impulse)
            }
            Role::Spring | Role::Limit if is_soft => Asked::NOTHING,
            Role::Spring => {
                let pace = if self.force.is_infinite() { 0.0 } else { self.pace(now) };
                Asked { excess: still.excess - pace, bounds, ..still }.within(now.impulse)
            }
            Role::Limit => match self.side(now.from, before) {
                Some((_, [least, most])) => {
                    Asked { bounds: [least - spent, most - spent], ..still }.within(now.impulse)
                }
                None => Asked::NOTHING,
            },
        }
    }

    /// The speed at which a motor goes to its position: there at once, but no faster than it can brake again.
    fn pace(&self, now: &Now) -> f64 {
        let way = self.range[0] - now.from;
        let at_once = way / now.step;
        if self.force.is_infinite() {
            return at_once;
        }
        // What hangs on the bodies makes them slower than they are alone.
        let most = BRAKES * (2.0 * self.force * now.weight * way.abs()).sqrt();
        at_once.clamp(-most, most)
    }

    /// Whether the second half of a sub-step has the same impulse as the first: that of a spring.
    pub fn repeats(&self) -> bool {
        matches!(self.role, Role::Spring | Role::Limit) && self.softness != Softness::Hard
    }
}
