//! Two boxes of which one moves along a line: by separating axes in time.
//!
//! Along each of the fifteen axes of the separating axis test (Gottschalk 1996, "Separating axis theorem and
//! oriented bounding boxes") the shadows of the boxes overlap from one time to another, both known in closed
//! form. The boxes meet from the last of the first times until the first of the last. Every axis is certain
//! with a bound on the rounding of all products; the points of contact follow from the axis that was last,
//! and prove how near the boxes are then.

use glam::{DMat3, DVec3};

/// Two boxes as the first sees them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxCast {
    /// Half extents.
    pub halves: [DVec3; 2],
    /// The axes of the second box.
    pub axes: DMat3,
    /// From the first centre to the second.
    pub between: DVec3,
    pub velocity: DVec3,
    /// How far any length along a unit direction may be off, also at the end of the time.
    pub slack: f64,
}

/// What two boxes do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum BoxesMeet {
    /// They stay apart. Certain.
    Never,
    /// Certainly not before `time`. They are in contact at `later`, if they ever are, up to rounding.
    At { time: f64, later: f64, a: DVec3, b: DVec3, normal: DVec3 },
    /// They overlap at the beginning, graze, or stand so nearly parallel that the axes are not certain.
    Open,
}

/// Which axis was last.
#[derive(Clone, Copy)]
enum Axis {
    First(usize),
    Second(usize),
    Edges(usize, usize),
}

/// Edges whose directions differ by less than this are parallel or leave the question open.
const PARALLEL: f64 = 1e-6;

/// The times at which the shadows overlap along all axes so far.
struct Overlap {
    enter: f64,
    leave: f64,
    /// The same of boxes a little smaller.
    surely_enter: f64,
    surely_leave: f64,
    last: Axis,
}

impl Overlap {
    /// Takes in an axis along which the centres are `height` apart, part at `speed`, and the boxes reach as
    /// far as `reach` together. Whether they may meet.
    #[inline(always)]
    fn along(&mut self, axis: Axis, height: f64, speed: f64, reach: f64, slack: f64) -> bool {
        let (outer, inner) = (reach + slack, reach - slack);
        if height.abs() > outer && height * speed >= 0.0 {
            return false;
        }
        let slowness = 1.0 / speed;
        // Infinite and NaN for no speed along an axis on which they overlap: no limit.
        let (middle, size) = (-height * slowness, slowness.abs());
        let (enter, leave) = (middle - outer * size, middle + outer * size);
        if enter > self.enter {
            (self.enter, self.last) = (enter, axis);
        }
        if leave < self.leave {
            self.leave = leave;
        }
        let (enter, leave) = (middle - inner * size, middle + inner * size);
        if enter > self.surely_enter {
            self.surely_enter = enter;
        }
        if leave < self.surely_leave {
            self.surely_leave = leave;
        }
        self.enter <= self.leave
    }
}

impl BoxCast {
    /// When the boxes meet until a time; points and normal are in the frame of the first, seen from its
    /// centre, at the time of contact.
    pub fn meet(&self, until: f64) -> BoxesMeet {
        let mut overlap = Overlap {
            enter: 0.0,
            leave: f64::INFINITY,
            surely_enter: 0.0,
            surely_leave: f64::INFINITY,
            last: Axis::First(0),
        };
        match self.overlap(&mut overlap) {
            Some(true) if overlap.enter <= until => {}
            Some(_) => return BoxesMeet::Never,
            None => return BoxesMeet::Open,
        }
        if overlap.enter <= 0.0 || overlap.surely_enter > overlap.surely_leave.min(until) {
            return BoxesMeet::Open;
        }
        let time = overlap.enter.next_down();
        let at = self.between + self.velocity * time;
        let Some((a, b, normal)) = self.touching(overlap.last, at) else { return BoxesMeet::Open };
        BoxesMeet::At { time, later: overlap.surely_enter.next_up().min(until), a, b, normal }
    }

    /// Takes in all axes; whether they may meet, if the axes are certain.
    #[inline]
    fn overlap(&self, overlap: &mut Overlap) -> Option<bool> {
        let ([half, other], slack) = (self.halves, self.slack);
        let (t, v, turn) = (self.between, self.velocity, &self.axes);
        let sizes = turn.abs();
        let reach = half + sizes * other;
        for i in 0..3 {
            if !overlap.along(Axis::First(i), t[i], v[i], reach[i], slack) {
                return Some(false);
            }
        }
        let (across_t, across_v) = (turn.transpose() * t, turn.transpose() * v);
        let reach = other + sizes.transpose() * half;
        for j in 0..3 {
            if !overlap.along(Axis::Second(j), across_t[j], across_v[j], reach[j], slack) {
                return Some(false);
            }
        }
        for j in 0..3 {
            let (edge, size) = (turn.col(j), sizes.col(j));
            let (next, last) = (sizes.col((j + 1) % 3), sizes.col((j + 2) % 3));
            let (side, rest) = (other[(j + 1) % 3], other[(j + 2) % 3]);
            for i in 0..3 {
                // The axis is the unit vector i × the edge, whose other coordinates are −q along k and p along l.
                let (k, l) = ((i + 1) % 3, (i + 2) % 3);
                let (p, q) = (edge[k], edge[l]);
                if size[k].max(size[l]) < PARALLEL {
                    // Turned onto each other they would not move by more than rounding.
                    if size[k].max(size[l]) > 8.0 * f64::EPSILON {
                        return None;
                    }
                    continue;
                }
                let reach = half[k] * size[l] + half[l] * size[k] + side * last[i] + rest * next[i];
                let (height, speed) = (t[l] * p - t[k] * q, v[l] * p - v[k] * q);
                if !overlap.along(Axis::Edges(i, j), height, speed, reach, slack) {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Points of the boxes that touch where the second is at `at`, and the direction from the first to the second.
    fn touching(&self, axis: Axis, at: DVec3) -> Option<(DVec3, DVec3, DVec3)> {
        let [half, other] = self.halves;
        match axis {
            Axis::First(i) => {
                let sign = 1.0_f64.copysign(at[i]);
                let (a, b) = on_face(half, other, &self.axes, at, DVec3::AXES[i] * sign, self.slack);
                Some((a, b, DVec3::AXES[i] * sign))
            }
            Axis::Second(j) => {
                let back = self.axes.transpose();
                let seen = back * -at;
                let sign = 1.0_f64.copysign(seen[j]);
                let (b, a) = on_face(other, half, &back, seen, DVec3::AXES[j] * sign, self.slack);
                Some((self.axes * a + at, self.axes * b + at, self.axes.col(j) * -sign))
            }
            Axis::Edges(i, j) => self.on_edges(i, j, at),
        }
    }

    /// The nearest points of an edge of either box.
    fn on_edges(&self, i: usize, j: usize, at: DVec3) -> Option<(DVec3, DVec3, DVec3)> {
        let [half, other] = self.halves;
        let (mine, edge) = (DVec3::AXES[i], self.axes.col(j));
        let normal = crate::math::unit(mine.cross(edge))?;
        let normal = if normal.dot(at) < 0.0 { -normal } else { normal };
        let mut from = half * normal.signum();
        from[i] = 0.0;
        let mut corner = -other * (self.axes.transpose() * normal).signum();
        corner[j] = 0.0;
        let to = at + self.axes * corner;
        let (way, lean) = (to - from, edge[i]);
        let room = 1.0 - lean * lean;
        let s = (way[i] - lean * way.dot(edge)) / room;
        let t = (lean * way[i] - way.dot(edge)) / room;
        let (s, t) = (s.clamp(-half[i], half[i]), t.clamp(-other[j], other[j]));
        Some((from + mine * s, to + edge * t, normal))
    }
}

/// A point of a face of the box at the origin, and one of the other box on it. Where that box touches with an
/// edge or a face, a point toward the middle.
fn on_face(half: DVec3, other: DVec3, axes: &DMat3, at: DVec3, normal: DVec3, slack: f64) -> (DVec3, DVec3) {
    let lean = axes.transpose() * normal;
    let is_level: [bool; 3] = std::array::from_fn(|j| lean[j].abs() * other[j] <= slack);
    let point = |toward: DVec3| {
        let seen = axes.transpose() * (toward - at);
        let place = |j: usize| {
            if is_level[j] { seen[j].clamp(-other[j], other[j]) } else { -other[j] * lean[j].signum() }
        };
        at + axes * DVec3::new(place(0), place(1), place(2))
    };
    let mut mine = DVec3::ZERO;
    let mut theirs = point(mine);
    // A point of the face nearest to that, and back; two rounds do for an edge, and for a face on a face.
    for _ in 0..if is_level == [false; 3] { 1 } else { 3 } {
        mine = theirs.clamp(-half, half);
        theirs = point(mine);
    }
    (theirs.clamp(-half, half), theirs)
}
