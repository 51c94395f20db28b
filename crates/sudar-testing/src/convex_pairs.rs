//! The classes of pairs.

use std::f64::consts::FRAC_PI_2;

use sudar::convex::Convex;
use sudar::query::Body;
use sudar::{DMat3, DQuat, DVec3, Pose, Shape};

use super::convex_bodies::{Kind, body, height, lattice_body, scaled};
use crate::Random;

pub const CLASSES: [&str; 16] = [
    "generic",
    "aspect to 1e4",
    "lattice",
    "kissing",
    "faces parallel",
    "standing",
    "same body and pose",
    "concentric",
    "coaxial",
    "nested deeply",
    "far off, 1e6",
    "1e-9 to 1e9",
    "1e-23",
    "1e60",
    "large and small",
    "close",
];

/// Two bodies in the world.
pub struct Case {
    pub class: &'static str,
    pub kinds: [Kind; 2],
    pub bodies: [Body; 2],
    pub poses: [Pose; 2],
    /// The greatest distance of a point of each body from its centre, summed with that of the centres.
    pub size: f64,
    /// The distance by construction, where it is known; a depth is at most that.
    pub gap: Option<f64>,
    /// An ulp of what the answer is computed from.
    pub unit: f64,
}

impl Case {
    pub fn new(class: &'static str, kinds: [Kind; 2], shapes: [Shape; 2], poses: [Pose; 2]) -> Self {
        let convex = shapes.each_ref().map(|s| Convex::of(s).unwrap());
        let centers = [0, 1].map(|i| poses[i].apply(convex[i].center()));
        let size = convex.iter().map(|c| c.radius() + c.margin()).sum::<f64>()
            + (centers[0] - centers[1]).abs().max_element();
        let reach: f64 = convex.iter().map(|c| c.reach() + c.margin()).sum();
        let far = poses.iter().map(|p| p.translation().abs().max_element()).sum::<f64>();
        Self {
            class,
            kinds,
            bodies: shapes.map(Body::new),
            poses,
            size,
            gap: None,
            unit: (f64::EPSILON * (reach + far)).max(1e-300),
        }
    }

    /// Pair number `i`.
    pub fn numbered(number: u64) -> Self {
        let mut random = Random::new(number);
        let class = (number % CLASSES.len() as u64) as usize;
        let kinds = [random.kind(), random.kind()];
        let (shapes, poses) = match gap(number, class) {
            Some(gap) => kissing(&mut random, kinds, gap),
            None => pair(&mut random, class, kinds),
        };
        Self { gap: gap(number, class), ..Self::new(CLASSES[class], kinds, shapes, poses) }
    }
}

const KISSES: [f64; 10] = [0.0, 0.0, 1e-16, -1e-16, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6];
const CLOSE: [f64; 11] = [1e-3, 1e-4, 1e-5, 1e-7, 1e-8, 1e-10, 1e-11, -1e-3, -1e-4, -1e-5, -1e-8];

/// The gap of pairs put beside each other.
fn gap(number: u64, class: usize) -> Option<f64> {
    let of = |gaps: &[f64]| Some(gaps[(number / CLASSES.len() as u64) as usize % gaps.len()]);
    match CLASSES[class] {
        "kissing" => of(&KISSES),
        "close" => of(&CLOSE),
        _ => None,
    }
}

type Pair = ([Shape; 2], [Pose; 2]);

fn pair(random: &mut Random, class: usize, kinds: [Kind; 2]) -> Pair {
    match CLASSES[class] {
        "generic" => generic(random, kinds, 1.0, 10.0, 3.0),
        "aspect to 1e4" => generic(random, kinds, 1.0, 1e4, 1.0),
        "lattice" => lattice(random, kinds),
        "faces parallel" => parallel(random, kinds),
        "standing" => standing(random, kinds),
        "same body and pose" => {
            let shape = body(random, kinds[0], 1.0, 10.0);
            let place = random.point();
            let pose = random.pose(place);
            ([shape.clone(), shape], [pose; 2])
        }
        "concentric" => concentric(random, kinds),
        "coaxial" => coaxial(random, kinds),
        "nested deeply" => {
            let shapes = [body(random, kinds[0], 10.0, 2.0), body(random, kinds[1], 0.05, 5.0)];
            let off = random.point() * 2.0;
            let poses = [random.pose(DVec3::ZERO), random.pose(off)];
            (shapes, poses)
        }
        "far off, 1e6" => {
            let (shapes, poses) = generic(random, kinds, 1.0, 10.0, 1.0);
            let off = random.point() * 1e6;
            (shapes, poses.map(|p| Pose::from_matrix(p.rotation(), p.translation() + off).unwrap()))
        }
        "1e-9 to 1e9" => {
            let k = 10f64.powf(random.within(-9.0, 9.0));
            generic(random, kinds, k, 10.0, 1.0)
        }
        "1e-23" => generic(random, kinds, 1e-23, 10.0, 1.0),
        "1e60" => generic(random, kinds, 1e60, 10.0, 1.0),
        "large and small" => {
            let k = 10f64.powf(random.within(1.0, 6.0));
            let shapes = [body(random, kinds[0], k, 3.0), body(random, kinds[1], 1.0, 3.0)];
            let gap = random.within(-1.0, 1.0);
            beside(random, shapes, gap)
        }
        _ => unreachable!(),
    }
}

fn radius(shape: &Shape) -> f64 {
    let convex = Convex::of(shape).unwrap();
    convex.radius() + convex.margin()
}

/// A pose that brings the middle of the shape to a place.
fn with_center_at(shape: &Shape, rotation: DMat3, place: DVec3) -> Pose {
    let center = Convex::of(shape).unwrap().center();
    Pose::from_matrix(rotation, place - rotation * center).unwrap()
}

fn turn(random: &mut Random) -> DMat3 {
    random.pose(DVec3::ZERO).rotation()
}

fn generic(random: &mut Random, kinds: [Kind; 2], size: f64, aspect: f64, spread: f64) -> Pair {
    let factor = 10f64.powf(random.within(-0.5, 0.5) * spread);
    let shapes = [body(random, kinds[0], size, aspect), body(random, kinds[1], size * factor, aspect)];
    let reach = radius(&shapes[0]) + radius(&shapes[1]);
    let way = random.direction() * (reach * random.within(0.0, 1.3));
    let place = random.point() * size;
    let (r, s) = (turn(random), turn(random));
    let poses = [with_center_at(&shapes[0], r, place), with_center_at(&shapes[1], s, place + way)];
    (shapes, poses)
}

/// The turns by right angles, exact.
fn quarter(random: &mut Random) -> DMat3 {
    let z = random.below(3);
    let x = (z + 1 + random.below(2)) % 3;
    let mut sign = || if random.below(2) == 0 { 1.0 } else { -1.0 };
    let (x, z) = (DVec3::AXES[x] * sign(), DVec3::AXES[z] * sign());
    DMat3::from_cols(x, z.cross(x), z)
}

fn lattice(random: &mut Random, kinds: [Kind; 2]) -> Pair {
    let shapes = kinds.map(|k| lattice_body(random, k));
    // Powers of two change nothing.
    let k = [1.0, 1.0, 1.0, 2f64.powi(-76), 2f64.powi(199)][random.below(5)];
    let poses = [0, 1].map(|_| {
        let t = random.grid_point(4);
        Pose::from_matrix(quarter(random), t * k).unwrap()
    });
    (shapes.map(|s| if k == 1.0 { s } else { scaled(&s, k) }), poses)
}

/// The second body put beside the first in a random direction, with a gap along that direction.
pub fn beside(random: &mut Random, shapes: [Shape; 2], gap: f64) -> Pair {
    let (place, n) = (random.point(), random.direction());
    let poses = [random.pose(place), random.pose(DVec3::ZERO)];
    // The points farthest along the direction are made to meet: the least distance is then along it.
    let [p, q] = [touch(&shapes[0], &poses[0], n), touch(&shapes[1], &poses[1], -n)];
    let moved = Pose::from_matrix(poses[1].rotation(), (p - q) + n * gap).unwrap();
    (shapes, [poses[0], moved])
}

/// A point of the body farthest in a direction.
fn touch(shape: &Shape, pose: &Pose, n: DVec3) -> DVec3 {
    let convex = Convex::of(shape).unwrap();
    let posed = sudar::convex::PosedConvex::new(&convex, pose);
    posed.center() + posed.support(n).offset + n * convex.margin()
}

fn kissing(random: &mut Random, kinds: [Kind; 2], gap: f64) -> Pair {
    let shapes = kinds.map(|k| body(random, k, 1.0, 10.0));
    beside(random, shapes, gap)
}

/// Axes along those of the world, faces about in one plane.
fn parallel(random: &mut Random, kinds: [Kind; 2]) -> Pair {
    let shapes = kinds.map(|k| body(random, k, 1.0, 10.0));
    let poses = [0, 1].map(|_| {
        let turned = DQuat::from_rotation_z(random.within(-3.0, 3.0));
        let yaw = if random.below(2) == 0 { DQuat::IDENTITY } else { turned };
        let about = [DQuat::IDENTITY, DQuat::from_rotation_x(FRAC_PI_2), DQuat::from_rotation_y(FRAC_PI_2)];
        Pose::new(DVec3::ZERO, yaw * about[random.below(3)]).unwrap()
    });
    on_top(random, shapes, poses)
}

/// The second body upright on or beside the first, as in a heap of boxes, cylinders and cones.
fn standing(random: &mut Random, kinds: [Kind; 2]) -> Pair {
    let shapes = kinds.map(|k| body(random, k, 1.0, 3.0));
    let flip = DQuat::from_rotation_x(std::f64::consts::PI);
    let pose = |random: &mut Random| {
        let up = if random.below(4) == 0 { flip } else { DQuat::IDENTITY };
        Pose::new(DVec3::ZERO, up).unwrap()
    };
    let poses = [pose(random), pose(random)];
    on_top(random, shapes, poses)
}

fn on_top(random: &mut Random, shapes: [Shape; 2], poses: [Pose; 2]) -> Pair {
    let axis = DVec3::AXES[random.below(3)];
    let gap = [0.0, 0.0, 1e-3, -1e-3, 1e-9, -1e-9, 0.3, -0.3][random.below(8)];
    let [h, k] =
        [height(&shapes[0], &poses[0], axis, DVec3::ZERO), height(&shapes[1], &poses[1], -axis, DVec3::ZERO)];
    let aside = random.point() * (DVec3::ONE - axis);
    let aside = if random.below(4) == 0 { DVec3::ZERO } else { aside };
    let moved = Pose::from_matrix(poses[1].rotation(), axis * (h + k + gap) + aside).unwrap();
    (shapes, [poses[0], moved])
}

fn concentric(random: &mut Random, kinds: [Kind; 2]) -> Pair {
    let shapes = kinds.map(|k| body(random, k, 1.0, 10.0));
    let place = if random.below(2) == 0 { DVec3::ZERO } else { random.point() };
    let (r, s) = (turn(random), if random.below(3) == 0 { DMat3::IDENTITY } else { turn(random) });
    let r = if s == DMat3::IDENTITY { s } else { r };
    let poses = [with_center_at(&shapes[0], r, place), with_center_at(&shapes[1], s, place)];
    (shapes, poses)
}

/// Centres on a common axis z.
fn coaxial(random: &mut Random, kinds: [Kind; 2]) -> Pair {
    let shapes = kinds.map(|k| body(random, k, 1.0, 10.0));
    let r = if random.below(2) == 0 { DMat3::IDENTITY } else { turn(random) };
    let place = random.point();
    let reach = radius(&shapes[0]) + radius(&shapes[1]);
    let way = r.z_axis * (reach * random.within(-1.2, 1.2));
    let poses = [with_center_at(&shapes[0], r, place), with_center_at(&shapes[1], r, place + way)];
    (shapes, poses)
}
