//! Inverse kinematics: configurations at which a link has a pose.
//!
//! Damped least squares (Wampler 1986, "Manipulator Inverse Kinematic Solutions Based on Vector Formulations and Damped
//! Least-Squares Methods") from many seeds. With J the Jacobian of the link and e what is missing, three lengths and
//! three angles, a step is Jᵀ (J Jᵀ + λ I)⁻¹ e, where λ grows with the square of e (Sugihara 2011, "Solvability-
//! Unconcerned Inverse Kinematics by the Levenberg–Marquardt Method"). Joints stop at their limits.

use sudar::query::Batch;
use sudar::{DMat3, DVec3, Interval, Pose};

use crate::frame::Frame;
use crate::node::Motion;
use crate::{Robot, RobotError};

/// What is asked of inverse kinematics.
#[derive(Debug, Clone, PartialEq)]
pub struct ReachOptions {
    /// How far the origin of the link may be from that of the pose, in metres.
    pub position: f64,
    /// How far the link may be turned from the pose, in radians; π or more for any orientation.
    pub angle: f64,
    /// From so many random configurations it is searched, besides `from`.
    pub seeds: usize,
    /// Where the random numbers begin.
    pub seed: u64,
    /// Steps from each of them, at most.
    pub steps: usize,
    /// A configuration to begin with, from which joints that may not move have their values; [`Robot::home`] if there
    /// is none. What is found is in the order of the distance from it.
    pub from: Option<Vec<f64>>,
    /// The joints that may move, by their names among [`Robot::joint_names`]; `None` for all.
    pub joints: Option<Vec<String>>,
}

impl Default for ReachOptions {
    fn default() -> Self {
        Self { position: 1e-6, angle: 1e-6, seeds: 32, seed: 0, steps: 200, from: None, joints: None }
    }
}

/// No joint moves further in one step, in radians or metres.
const LONGEST: f64 = 0.5;
/// Configurations nearer to each other, by every joint, are one.
const SAME: f64 = 1e-3;

/// A search from one configuration.
struct Solver<'r> {
    robot: &'r Robot,
    node: usize,
    target: Frame,
    /// Values that each joint may have; of those that may not move one.
    ranges: Vec<Interval>,
    options: &'r ReachOptions,
    /// Whether the orientation plays a part.
    turns: bool,
}

impl Robot {
    /// Configurations within the limits of the joints at which a link has a pose, in the frame of the root link, as
    /// near as the options ask: row by row, those nearest to where the search begins first. Empty if none is found,
    /// which does not prove that there is none. Contacts play no part: [`RobotCell::plan`](crate::RobotCell::plan)
    /// takes the rows as goals and leaves out those that are not free.
    ///
    /// The same bits for any number of threads. Some ten microseconds for a step of a search.
    ///
    /// # Errors
    /// [`RobotError::Unknown`] for names of no link or joint, [`RobotError::NotALength`] for tolerances below 0,
    /// [`RobotError::Rows`] and [`RobotError::Value`] for a `from` that is no configuration.
    pub fn reach(
        &self,
        link: &str,
        pose: &Pose,
        options: &ReachOptions,
        batch: &Batch<'_>,
    ) -> Result<Vec<f64>, RobotError> {
        let unknown = |what, name: &str| RobotError::Unknown {
            by: "inverse kinematics".to_owned(),
            what,
            name: name.to_owned(),
        };
        for (what, value) in
            [("a distance of a pose", options.position), ("an angle of a pose", options.angle)]
        {
            if value.is_nan() || value < 0.0 {
                return Err(RobotError::NotALength { what: what.to_owned(), value });
            }
        }
        let node = self.links[self.link(link).ok_or_else(|| unknown("link", link))?].node;
        let from = options.from.as_deref().unwrap_or(self.home());
        if self.rows(from)? != 1 {
            return Err(RobotError::Rows { found: from.len(), dof: self.dof() });
        }
        let mut ranges: Vec<Interval> = match options.joints {
            None => self.limits(),
            Some(_) => from.iter().map(|q| Interval::point(*q)).collect(),
        };
        for name in options.joints.iter().flatten() {
            let at = self.dofs.iter().position(|dof| dof.name == *name);
            let at = at.ok_or_else(|| unknown("joint", name))?;
            ranges[at] = self.dofs[at].limits;
        }
        let turns = options.angle < std::f64::consts::PI;
        let solver = Solver { robot: self, node, target: Frame::of(pose), ranges, options, turns };
        Ok(solver.all(from, batch))
    }
}

impl Solver<'_> {
    /// From the given configuration and random ones, each result once.
    fn all(&self, from: &[f64], batch: &Batch<'_>) -> Vec<f64> {
        let mut starts: Vec<Vec<f64>> = vec![from.to_vec()];
        let random = self.robot.sample(self.options.seeds, self.options.seed);
        starts.extend(random.chunks(self.robot.dof().max(1)).map(<[f64]>::to_vec));
        let found = batch.each(&starts, |_, start| self.solved(start)).answers;
        let mut kept: Vec<Vec<f64>> = Vec::new();
        for q in found.into_iter().flatten() {
            let is_same = |other: &Vec<f64>| q.iter().zip(other).all(|(a, b)| (a - b).abs() < SAME);
            if !kept.iter().any(is_same) {
                kept.push(q);
            }
        }
        let way = |q: &[f64]| q.iter().zip(from).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        kept.sort_by(|a, b| way(a).total_cmp(&way(b)));
        kept.concat()
    }

    fn solved(&self, start: &[f64]) -> Option<Vec<f64>> {
        let clamped = |(q, range): (&f64, &Interval)| {
            // Limits that hold nothing leave nothing to choose.
            if range.lower <= range.upper { q.clamp(range.lower, range.upper) } else { *q }
        };
        let mut q: Vec<f64> = start.iter().zip(&self.ranges).map(clamped).collect();
        let mut frames = Vec::new();
        for _ in 0..=self.options.steps {
            self.robot.frames(&q, &mut frames);
            let [way, turn] = self.missing(&frames[self.node]);
            if way.length() <= self.options.position && turn.length() <= self.options.angle {
                return self.robot.outside_limits(&q, 0.0).is_none().then_some(q);
            }
            let step = self.step(&frames, way, if self.turns { turn } else { DVec3::ZERO })?;
            let most = step.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let scale = if most > LONGEST { LONGEST / most } else { 1.0 };
            let moved: Vec<f64> = q.iter().zip(&step).map(|(q, x)| q + scale * x).collect();
            q = moved.iter().zip(&self.ranges).map(clamped).collect();
        }
        None
    }

    /// The way and the turn from where the link is to where it should be.
    fn missing(&self, at: &Frame) -> [DVec3; 2] {
        let columns = |frame: &Frame| DMat3::from_cols(frame.x, frame.y, frame.z);
        let turn = columns(&self.target) * columns(at).transpose();
        [self.target.t - at.t, if self.turns { rotation_vector(turn) } else { DVec3::ZERO }]
    }

    /// The step of damped least squares; `None` where numbers leave their range.
    fn step(&self, frames: &[Frame], way: DVec3, turn: DVec3) -> Option<Vec<f64>> {
        let jacobian = self.jacobian(frames);
        let missing = way.length_squared() + turn.length_squared();
        let damping = 0.5 * missing.min(1.0) + 1e-12;
        // J Jᵀ in blocks of 3 by 3, the first for lengths, the last for angles.
        let mut blocks = [DMat3::from_diagonal(DVec3::splat(damping)); 3];
        blocks[1] = DMat3::ZERO;
        for [v, w] in &jacobian {
            for (block, (a, b)) in blocks.iter_mut().zip([(v, v), (v, w), (w, w)]) {
                *block += DMat3::from_cols(*a * b.x, *a * b.y, *a * b.z);
            }
        }
        let [lengths, mixed, angles] = blocks;
        let inverse = lengths.inverse();
        let rest = (angles - mixed.transpose() * inverse * mixed).inverse();
        let y = rest * (turn - mixed.transpose() * (inverse * way));
        let x = inverse * (way - mixed * y);
        let step: Vec<f64> = jacobian.iter().map(|[v, w]| v.dot(x) + w.dot(y)).collect();
        step.iter().all(|x| x.is_finite()).then_some(step)
    }

    /// How the link moves and turns with each number of a configuration that may change.
    fn jacobian(&self, frames: &[Frame]) -> Vec<[DVec3; 2]> {
        let mut columns = vec![[DVec3::ZERO; 2]; self.robot.dof()];
        let (mut at, point) = (self.node, frames[self.node].t);
        loop {
            let node = &self.robot.nodes[at];
            let frame = &frames[at];
            match node.motion {
                Motion::None => {}
                Motion::Slide(axis, by) => {
                    columns[by.dof as usize][0] += frame.rotate(axis.direction()) * by.factor;
                }
                Motion::Turn(axis, by) => {
                    let axis = frame.rotate(axis.direction()) * by.factor;
                    let [v, w] = &mut columns[by.dof as usize];
                    *v += axis.cross(point - frame.t);
                    *w += if self.turns { axis } else { DVec3::ZERO };
                }
            }
            if node.parent as usize == at {
                break;
            }
            at = node.parent as usize;
        }
        for (column, range) in columns.iter_mut().zip(&self.ranges) {
            if range.lower == range.upper {
                *column = [DVec3::ZERO; 2];
            }
        }
        columns
    }
}

/// The axis of a rotation times its angle, from 0 to π.
fn rotation_vector(r: DMat3) -> DVec3 {
    let [x, y, z] = [r.x_axis, r.y_axis, r.z_axis];
    let sine = DVec3::new(y.z - z.y, z.x - x.z, x.y - y.x) * 0.5;
    let cosine = 0.5 * (x.x + y.y + z.z - 1.0);
    let angle = libm::atan2(sine.length(), cosine);
    if sine.length() > 1e-8 {
        return sine * (angle / sine.length());
    }
    if cosine > 0.0 {
        return sine;
    }
    // Half a turn: the columns of R + I are along the axis.
    let columns = [x + DVec3::X, y + DVec3::Y, z + DVec3::Z];
    let longest = columns.into_iter().fold(DVec3::ZERO, |a, b| if b.length() > a.length() { b } else { a });
    longest * (angle / longest.length().max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vector_of_a_rotation_is_its_axis_times_its_angle() {
        for axis in [DVec3::X, DVec3::Z, DVec3::new(0.6, 0.0, -0.8), DVec3::new(1.0, 2.0, -2.0) / 3.0] {
            for angle in [0.0, 1e-10, 1e-3, 1.0, 3.0, std::f64::consts::PI] {
                let vector = rotation_vector(DMat3::from_axis_angle(axis, angle));
                let is_same = (vector - axis * angle).length() < 1e-7;
                assert!(is_same || (vector + axis * angle).length() < 1e-7 && angle > 3.1, "{axis} {angle}");
            }
        }
    }
}
