//! Bodies of the experiments, and their poses.

use std::sync::Arc;

use sudar::convex::{Convex, Difference, GjkMemory, GjkOptions, PosedConvex, gjk};
use sudar::{DQuat, DVec3, Pose, Shape, hull};
use sudar_classic::convex::FeatureMap;

use crate::inputs::random::{Random, turn};
use crate::plan::Result;

/// A convex body made ready for every algorithm.
pub struct Body {
    pub convex: Convex,
    /// `None` for round bodies.
    pub features: Option<FeatureMap>,
    /// 0 for bodies that are no hulls.
    pub faces: u32,
}

impl Body {
    pub fn new(shape: impl Into<Shape>) -> Result<Self> {
        let shape = shape.into();
        let faces = if let Shape::Hull(hull) = &shape { hull.faces().len() as u32 } else { 0 };
        let convex = Convex::of(&shape).ok_or("the body is not convex")?;
        let features = FeatureMap::of(&convex);
        Ok(Self { convex, features, faces })
    }

    /// The hull of random points of an ellipsoid around the origin: all of them are vertices.
    pub fn hull(random: &mut Random, points: usize, radii: DVec3) -> Result<Self> {
        let points: Vec<DVec3> = (0..points).map(|_| random.direction() * radii).collect();
        // A few points may have the origin outside; the mean is inside.
        let mean = points.iter().sum::<DVec3>() / points.len() as f64;
        let centred: Vec<DVec3> = points.iter().map(|p| *p - mean).collect();
        Self::new(Shape::Hull(Arc::new(hull::convex_hull(&centred)?)))
    }

    /// How far it reaches from the origin of its frame.
    pub fn reach(&self) -> f64 {
        self.convex.reach() + self.convex.margin()
    }
}

/// Where two bodies stand.
pub type Poses = [Pose; 2];

/// Turns of two bodies, and the direction from the origin of the first to that of the second.
#[derive(Clone, Copy)]
pub struct Stance {
    pub turns: [DQuat; 2],
    pub toward: DVec3,
}

impl Stance {
    pub fn random(random: &mut Random) -> Self {
        Self { turns: [random.rotation(), random.rotation()], toward: random.direction() }
    }

    /// The bodies moved apart along the direction: by as much as makes them touch and `gap` more; below zero they
    /// overlap.
    pub fn placed(&self, a: &Body, b: &Body, gap: f64) -> Result<Poses> {
        self.at(self.contact(a, b)? + gap)
    }

    /// The bodies so far apart from origin to origin.
    pub fn at(&self, distance: f64) -> Result<Poses> {
        Ok([Pose::new(DVec3::ZERO, self.turns[0])?, Pose::new(self.toward * distance, self.turns[1])?])
    }

    /// How far apart the origins are when the bodies touch. Conservative advancement: planes with nothing between
    /// them allow the second body a step towards the first.
    fn contact(&self, a: &Body, b: &Body) -> Result<f64> {
        let size = a.reach() + b.reach();
        let mut distance = 1.01 * size;
        for _ in 0..MOST_ADVANCES {
            let poses = self.at(distance)?;
            let difference = difference(a, b, &poses);
            let found = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
            let gap = found.distance.lower;
            let along = self.toward.dot(found.axis) / found.axis.length();
            if gap <= NEAR_CONTACT * size || along <= 0.0 {
                break;
            }
            distance -= gap / along;
        }
        Ok(distance)
    }
}

/// Steps towards contact; most pairs need less than ten.
const MOST_ADVANCES: u32 = 60;
/// A gap that counts as none beside the size of the bodies: far below those of the experiments.
const NEAR_CONTACT: f64 = 1e-9;

/// The difference of two bodies as they stand.
pub fn difference<'a>(a: &'a Body, b: &'a Body, poses: &'a Poses) -> Difference<'a> {
    Difference::new(PosedConvex::new(&a.convex, &poses[0]), PosedConvex::new(&b.convex, &poses[1]))
}

/// A row of poses of two bodies, for one query after the other.
pub struct Run<'a> {
    pub a: &'a Body,
    pub b: &'a Body,
    pub poses: Vec<Poses>,
}

/// Bodies near contact at random poses, the gaps random between two bounds.
pub fn near_contact<'a>(
    random: &mut Random,
    (a, b): (&'a Body, &'a Body),
    gaps: [f64; 2],
    count: usize,
) -> Result<Run<'a>> {
    let pose = |_| Stance::random(random).placed(a, b, random.between(gaps[0], gaps[1]));
    Ok(Run { a, b, poses: (0..count).map(pose).collect::<Result<_>>()? })
}

/// Two bodies that tumble while one flies around the other at a small distance. Each step turns either body and the
/// direction between them by `angle` radians, each around an axis of its own.
pub fn tumbling<'a>(
    random: &mut Random,
    (a, b): (&'a Body, &'a Body),
    gap: f64,
    angle: f64,
    count: usize,
) -> Result<Run<'a>> {
    let mut stance = Stance::random(random);
    let turns = [(); 3].map(|()| turn(random.direction(), angle));
    let mut poses = Vec::with_capacity(count);
    for _ in 0..count {
        poses.push(stance.placed(a, b, gap)?);
        stance.turns = [0, 1].map(|i| (turns[i] * stance.turns[i]).normalize());
        stance.toward = (turns[2] * stance.toward).normalize();
    }
    Ok(Run { a, b, poses })
}
