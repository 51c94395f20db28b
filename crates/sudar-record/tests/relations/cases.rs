//! Two posed bodies by the number of their case.

use std::collections::BTreeSet;

use rand::RngExt;
use sudar::query::{Body, DistanceOptions, distance};
use sudar::{Aabb, DQuat, DVec3, Pose, Shape};
use sudar_testing::Random;

use crate::bodies::{KINDS, Maker, STYLES, Style};

/// How the bodies are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Several sizes apart.
    Far,
    /// 1e-12 to 1 of their size apart.
    Near,
    /// Moved along the way between their nearest points until these coincide but for rounding, or on the grid, until
    /// their boxes touch.
    Touching,
    /// Moved on by 1e-9 to 1 of their size.
    Overlapping,
    /// The middle of one at about that of the other; on the grid exactly there.
    Deep,
}

const PLACES: [Place; 5] = [Place::Far, Place::Near, Place::Touching, Place::Overlapping, Place::Deep];

pub struct Case {
    pub number: u64,
    pub kinds: [&'static str; 2],
    pub style: Style,
    pub place: Place,
    pub a: Body,
    pub pose_a: Pose,
    pub b: Body,
    pub pose_b: Pose,
    /// The largest extent of the bounded bodies.
    pub size: f64,
    /// The largest coordinate.
    pub reach: f64,
    pub rng: Random,
}

impl Case {
    /// Every ordered pair of kinds comes once in as many cases as there are pairs, and with every style and place in 40
    /// times as many.
    pub fn numbered(number: u64) -> Self {
        let pairs = (KINDS.len() * KINDS.len()) as u64;
        let (pair, round) = (number % pairs, number / pairs);
        let kinds = [pair / KINDS.len() as u64, pair % KINDS.len() as u64].map(|k| KINDS[k as usize]);
        let class = (round + pair * 7) as usize % (STYLES.len() * PLACES.len());
        let (style, place) = (STYLES[class % STYLES.len()], PLACES[class / STYLES.len()]);
        let mut rng = Random::new(number);
        let size = style.size();
        let other = if style == Style::Uneven { f64::powf(10.0, rng.random_range(-8.0..-3.0)) } else { 1.0 };
        let (first, second) = if rng.random_bool(0.5) { (size, size * other) } else { (size * other, size) };
        let a = Body::new(Maker { rng: &mut rng, style, size: first }.shape(kinds[0]));
        let b = Body::new(Maker { rng: &mut rng, style, size: second }.shape(kinds[1]));
        let [pose_a, pose_b] = Placer { rng: &mut rng, style, size }.place([&a, &b], place);
        let mut case = Self { number, kinds, style, place, a, pose_a, b, pose_b, size: 0.0, reach: 0.0, rng };
        case.measure();
        case
    }

    fn measure(&mut self) {
        for (body, pose) in [(&self.a, &self.pose_a), (&self.b, &self.pose_b)] {
            let aabb = body.aabb(pose);
            if let Shape::Halfspace(h) = body.shape() {
                let offset = h.offset.abs() / h.normal.length() + pose.translation().abs().max_element();
                self.reach = self.reach.max(offset);
            } else if aabb.min.is_finite() && aabb.max.is_finite() {
                self.size = self.size.max(aabb.extent().max_element());
                // Coordinates are rounded in the frame of the body as well.
                let own = body.aabb(&Pose::IDENTITY);
                let own = own.min.abs().max(own.max.abs()).max_element();
                self.reach = self.reach.max(2.0 * own + pose.translation().abs().max_element());
            }
        }
        self.reach = self.reach.max(self.size);
    }

    pub fn name(&self) -> String {
        format!("{} × {}, {:?}, {:?}", self.kinds[0], self.kinds[1], self.style, self.place)
    }

    /// Whether one of the bodies is of one of these kinds, or a compound with such a part.
    pub fn has(&self, kinds: &[&str]) -> bool {
        let names: BTreeSet<_> =
            [&self.a, &self.b].into_iter().flat_map(|body| names(body.shape())).collect();
        kinds.iter().any(|kind| names.contains(kind))
    }

    /// Whether a cylinder, cone or ellipsoid takes part: what touches within rounding may stay open.
    pub fn is_round(&self) -> bool {
        self.has(&["cylinder", "cone", "ellipsoid"])
    }

    pub fn ulp(&self) -> f64 {
        f64::EPSILON * self.reach
    }

    pub fn swapped(&self) -> Self {
        Self {
            kinds: [self.kinds[1], self.kinds[0]],
            a: self.b.clone(),
            pose_a: self.pose_b,
            b: self.a.clone(),
            pose_b: self.pose_a,
            rng: self.rng.clone(),
            ..*self
        }
    }
}

pub fn names(shape: &Shape) -> Vec<&'static str> {
    if let Shape::Compound(compound) = shape {
        return compound.parts().iter().flat_map(|(part, _)| names(part)).collect();
    }
    vec![sudar_testing::zoo::name(shape)]
}

struct Placer<'r> {
    rng: &'r mut Random,
    style: Style,
    size: f64,
}

impl Placer<'_> {
    fn unit(&mut self) -> DVec3 {
        if self.style.is_on_grid() {
            return DVec3::AXES[self.rng.random_range(0..3)] * [1.0, -1.0][self.rng.random_range(0..2)];
        }
        loop {
            let v = self.rng.point();
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    /// On the grid one of the twelve whose matrices are not rounded.
    fn rotation(&mut self) -> DQuat {
        let half = |rng: &mut Random| if rng.random_bool(0.5) { 0.5 } else { -0.5 };
        if self.style.is_on_grid() {
            return match self.rng.random_range(0..4) {
                0 => DQuat::IDENTITY,
                1 => DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0),
                2 => DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0),
                _ => DQuat::from_xyzw(half(self.rng), half(self.rng), half(self.rng), half(self.rng)),
            };
        }
        let [x, y, z, w] = std::array::from_fn(|_| self.rng.random_range(-1.0..1.0));
        DQuat::from_xyzw(x, y, z, w).normalize()
    }

    fn small(&mut self, least: f64) -> f64 {
        f64::powf(10.0, self.rng.random_range(least..0.0)) * self.size
    }

    fn place(mut self, [a, b]: [&Body; 2], place: Place) -> [Pose; 2] {
        let grid = self.style.is_on_grid();
        let off = if self.style == Style::FarOff { self.unit() * (1e6 * self.size) } else { DVec3::ZERO };
        let near = if grid { DVec3::ZERO } else { self.rng.point() * (0.5 * self.size) };
        let pose_a = Pose::new(off + near, self.rotation()).unwrap();
        let turn = self.rotation();
        let at = |p: DVec3| Pose::new(p, turn).unwrap();
        let unit = self.unit();
        let from = middle(&a.aabb(&pose_a), off + near);
        let to = middle(&b.aabb(&at(DVec3::ZERO)), DVec3::ZERO);
        // Half-spaces are outside of half-spaces and other bodies in one of two directions, if at all.
        let away = |side: f64| at(from - to + unit * (4.0 * side * self.size));
        let gap = |pose: &Pose| distance(a.at(&pose_a), b.at(pose), &DistanceOptions::EXACT);
        let pose_b = if gap(&away(1.0)).interval.lower > 0.0 { away(1.0) } else { away(-1.0) };
        let found = gap(&pose_b);
        let way = found.point_a - found.point_b;
        let moved = |by: DVec3| at(pose_b.translation() + by);
        let pose_b = match place {
            Place::Far => moved(way * (-0.1 * self.rng.random_range(0.0..9.0f64).powi(2)).round()),
            Place::Deep if grid => at(from - to),
            Place::Deep => {
                let off = self.unit() * self.small(-4.0) * 0.1;
                at(from - to + off)
            }
            Place::Near => {
                let rest = self.small(-12.0);
                moved(way * (1.0 - rest / way.length().max(rest)))
            }
            Place::Touching if grid => self.flush(&a.aabb(&pose_a), &b.aabb(&at(DVec3::ZERO)), at(from - to)),
            Place::Touching => moved(way),
            Place::Overlapping => {
                let more = self.small(-9.0);
                moved(way + way.normalize_or_zero() * more)
            }
        };
        [pose_a, pose_b]
    }

    /// The boxes beside each other along an axis.
    fn flush(&mut self, a: &Aabb, b: &Aabb, at: Pose) -> Pose {
        let mut place = at.translation();
        let axis = self.rng.random_range(0..3);
        let beside =
            if self.rng.random_bool(0.5) { a.max[axis] - b.min[axis] } else { a.min[axis] - b.max[axis] };
        if beside.is_finite() {
            place[axis] = beside;
        }
        Pose::from_matrix(at.rotation(), place).unwrap()
    }
}

/// The middle of a box, `or` where it has none.
fn middle(aabb: &Aabb, or: DVec3) -> DVec3 {
    let middle = aabb.min * 0.5 + aabb.max * 0.5;
    if middle.is_finite() { middle } else { or }
}
