//! Spheres whose union covers a link, for planners that know nothing else, as those on graphics processors.
//!
//! The box around each body is cut in two along its longest side, again and again the one whose sphere is largest. A
//! piece that the pairwise library proves to be apart from the body is left out; the sides of the others are moved in
//! as far as what they leave out is proved to be apart. Each point of the body is in one of the boxes that remain, and
//! so in the sphere around it.

use std::collections::BinaryHeap;

use sudar::query::{Batch, Body, DistanceOptions, Work};
use sudar::{Aabb, Cuboid, DVec3, Pose, Shape, Sphere};

use crate::ball::Ball;
use crate::{Robot, RobotError};

/// How finely links are covered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SphereOptions {
    /// Most spheres of a link, but at least one for each of its bodies.
    pub most: usize,
    /// Spheres of at most this radius are not cut further, in metres.
    pub radius: f64,
}

impl Default for SphereOptions {
    fn default() -> Self {
        Self { most: 64, radius: 0.0 }
    }
}

/// The spheres of a link.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkSpheres {
    /// The link, by its number in [`Robot::links`].
    pub link: usize,
    /// Centres in the frame of the link, and radii.
    pub spheres: Vec<(DVec3, f64)>,
    /// No point of a sphere is farther than this from the geometry of the link, in metres.
    pub beyond: f64,
    /// Whether all geometry of the link is covered: not half-spaces, which have no end.
    pub is_covered: bool,
}

/// A box that a body may have points in, by the number of the body.
struct Cell {
    body: usize,
    aabb: Aabb,
    ball: Ball,
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    /// The largest sphere first; of equals the first body, and the one towards smaller coordinates.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let corner = |cell: &Self| cell.aabb.min;
        let (a, b) = (corner(self), corner(other));
        let place = a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z));
        self.ball.radius.total_cmp(&other.ball.radius).then(other.body.cmp(&self.body)).then(place.reverse())
    }
}

/// How often a side is moved in: by at most 1 − 2⁻³ of what could be left out.
const MOVES: u32 = 3;

impl Robot {
    /// For each link with geometry, spheres whose union covers it, proved: rounding is within their radii. A body that
    /// is a ball is its own sphere. O(spheres) queries on the bodies, a link a task; the same bits for any number of
    /// threads.
    ///
    /// # Errors
    /// [`RobotError::NotALength`] for a radius that is NaN, infinite or below 0.
    pub fn spheres(&self, options: &SphereOptions) -> Result<Vec<LinkSpheres>, RobotError> {
        if !(0.0..=f64::MAX).contains(&options.radius) {
            return Err(RobotError::NotALength {
                what: "the radius of spheres".to_owned(),
                value: options.radius,
            });
        }
        let links: Vec<usize> =
            (0..self.links.len()).filter(|link| !self.links[*link].bodies.is_empty()).collect();
        let found = Batch::default().each(&links, |work, link| self.cover(*link, options, work));
        Ok(found.answers)
    }

    fn cover(&self, link: usize, options: &SphereOptions, work: &mut Work<'_>) -> LinkSpheres {
        let bodies = &self.links[link].bodies;
        let (mut done, mut open) = (Vec::new(), BinaryHeap::new());
        let mut is_covered = true;
        for (i, (body, at)) in bodies.iter().enumerate() {
            let ball = Ball::around(body, at);
            if !ball.radius.is_finite() {
                is_covered = false;
            } else if matches!(body.shape(), Shape::Sphere(_)) {
                done.push((i, ball));
            } else {
                let aabb = body.aabb(&Pose::IDENTITY);
                open.push(Cell { body: i, aabb, ball: Ball::around_box(aabb, at) });
            }
        }
        while let Some(cell) = open.pop() {
            let is_last = done.len() + open.len() + 2 > options.most;
            let halves = if is_last || cell.ball.radius <= options.radius { None } else { halves(cell.aabb) };
            let Some(halves) = halves else {
                done.push((cell.body, cell.ball));
                continue;
            };
            let (body, at) = &bodies[cell.body];
            for half in halves {
                if let Some(aabb) = tightened(body, half, work) {
                    open.push(Cell { body: cell.body, aabb, ball: Ball::around_box(aabb, at) });
                }
            }
        }
        let beyond = done.iter().map(|(body, ball)| beyond(&bodies[*body], ball, work)).fold(0.0, f64::max);
        let spheres = done.iter().map(|(_, ball)| (ball.center, ball.radius)).collect();
        LinkSpheres { link, spheres, beyond, is_covered }
    }
}

/// The halves of a box across its longest side; none of one that cannot be cut.
fn halves(aabb: Aabb) -> Option<[Aabb; 2]> {
    let axis = aabb.extent().max_position();
    let middle = aabb.center()[axis];
    let (mut lower, mut upper) = (aabb, aabb);
    lower.max[axis] = middle;
    upper.min[axis] = middle;
    (aabb.min[axis] < middle && middle < aabb.max[axis]).then_some([lower, upper])
}

/// The box without what is proved to be apart from the body; none if that is all.
fn tightened(body: &Body, mut aabb: Aabb, work: &mut Work<'_>) -> Option<Aabb> {
    if is_apart(body, aabb, work) {
        return None;
    }
    for axis in 0..3 {
        for is_lower in [true, false] {
            for _ in 0..MOVES {
                let middle = aabb.center()[axis];
                let (mut outer, mut inner) = (aabb, aabb);
                let [gone, kept] = if is_lower {
                    [&mut outer.max, &mut inner.min]
                } else {
                    [&mut outer.min, &mut inner.max]
                };
                (gone[axis], kept[axis]) = (middle, middle);
                if !is_apart(body, outer, work) {
                    break;
                }
                aabb = inner;
            }
        }
    }
    Some(aabb)
}

/// Whether a body certainly has no point in a box.
fn is_apart(body: &Body, aabb: Aabb, work: &mut Work<'_>) -> bool {
    // A little wider, so that rounding of its corners leaves nothing out.
    let half = aabb.extent() * 0.5 + DVec3::splat(1e-12 * aabb.min.abs().max(aabb.max.abs()).max_element());
    let (Ok(cuboid), Ok(at)) = (Cuboid::new(half), Pose::from_translation(aabb.center())) else {
        return false;
    };
    work.intersects(body.at(&Pose::IDENTITY), Body::new(cuboid).at(&at)).decided() == Some(false)
}

/// How far any point of a ball is from a body, at most.
fn beyond((body, pose): &(Body, Pose), ball: &Ball, work: &mut Work<'_>) -> f64 {
    if matches!(body.shape(), Shape::Sphere(_)) {
        return 0.0;
    }
    let Ok(point) = Sphere::new(ball.center, ball.radius * 1e-9) else { return 2.0 * ball.radius };
    let gap = work.distance(body.at(pose), Body::new(point).at(&Pose::IDENTITY), &DistanceOptions::default());
    gap.interval.upper + ball.radius * (1.0 + 1e-8)
}
