//! An arm of six joints, made of boxes and capsules, among obstacles.

use sudar::query::Body;
use sudar::{Capsule, Compound, Cuboid, Cylinder, DQuat, DVec3, Pose, Shape};

use crate::demo::DemoError;

/// How many joints, and as many links that move.
pub const JOINTS: usize = 6;

/// Angles of all joints, in radians.
pub type Configuration = [f64; JOINTS];

/// A joint: where its axis goes through, in the frame of the joint before it, and the direction of the axis.
#[derive(Debug, Clone, Copy)]
struct Joint {
    at: DVec3,
    axis: DVec3,
    limits: [f64; 2],
}

const fn joint(z: f64, axis: DVec3, most: f64) -> Joint {
    Joint { at: DVec3::new(0.0, 0.0, z), axis, limits: [-most, most] }
}

/// Column, shoulder, elbow, roll of the forearm, bend and roll of the wrist.
const CHAIN: [Joint; JOINTS] = [
    joint(0.30, DVec3::Z, 3.1),
    joint(0.25, DVec3::Y, 2.2),
    joint(0.80, DVec3::Y, 2.6),
    joint(0.30, DVec3::Z, 3.1),
    joint(0.45, DVec3::Y, 2.1),
    joint(0.14, DVec3::Z, 3.1),
];

/// Bodies that stand still, links of the arm among them.
#[derive(Debug, Clone)]
pub struct Thing {
    pub name: &'static str,
    pub body: Body,
    pub pose: Pose,
}

/// The arm and what is around it.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Those that the joints move, in their order.
    pub links: Vec<Body>,
    /// The greatest distance of a point of each link from the axis of its joint's frame.
    reaches: Vec<f64>,
    /// What stands still; the first is the foot of the arm itself.
    pub obstacles: Vec<Thing>,
    /// Pairs of links that must keep apart: all but neighbours.
    pub apart: Vec<[usize; 2]>,
}

pub const LINKS: [&str; JOINTS] = ["column", "upper arm", "elbow", "forearm", "wrist", "gripper"];

/// Whether a link can touch an obstacle at all. The column stands on the foot, and the limits of the shoulder keep the
/// upper arm off the foot.
pub fn may_touch(link: usize, obstacle: usize) -> bool {
    !(link == 0 && obstacle <= 1 || link == 1 && obstacle == 0)
}

impl Cell {
    /// The arm in its cell.
    ///
    /// # Errors
    /// None in practice: the numbers make shapes.
    pub fn new() -> Result<Self, DemoError> {
        let links = links()?;
        let far = |body: &Body| {
            let aabb = body.aabb(&Pose::IDENTITY);
            aabb.min.abs().max(aabb.max.abs()).length()
        };
        let apart = (0..JOINTS).flat_map(|i| (i + 2..JOINTS).map(move |j| [i, j])).collect();
        Ok(Self { reaches: links.iter().map(far).collect(), links, obstacles: obstacles()?, apart })
    }

    /// Where the links are: each turns about the origin of its own frame.
    pub fn poses(configuration: &Configuration) -> [Pose; JOINTS] {
        let mut frame = Pose::IDENTITY;
        std::array::from_fn(|k| {
            let half = 0.5 * configuration[k];
            let axis = CHAIN[k].axis * libm::sin(half);
            let turn = DQuat::from_xyzw(axis.x, axis.y, axis.z, libm::cos(half));
            frame = frame.after(&Pose::new(CHAIN[k].at, turn).unwrap_or(Pose::IDENTITY));
            frame
        })
    }

    /// The point between the fingers.
    pub fn tool(configuration: &Configuration) -> DVec3 {
        Self::poses(configuration)[JOINTS - 1].apply(DVec3::Z * 0.22)
    }

    /// The limits of a joint.
    pub fn limits(joint: usize) -> [f64; 2] {
        CHAIN[joint].limits
    }

    /// How far any point of a link may be from the axis of a joint at or below it, in any configuration: the ways
    /// between the joints and the link's own reach add up.
    pub fn arm_length(&self, joint: usize, link: usize) -> f64 {
        let between: f64 = CHAIN[joint + 1..=link].iter().map(|joint| joint.at.length()).sum();
        between + self.reaches[link]
    }
}

fn part(shape: impl Into<Shape>, at: DVec3) -> Result<(Shape, Pose), DemoError> {
    Ok((shape.into(), Pose::from_translation(at).map_err(DemoError::of)?))
}

fn cuboid(half: [f64; 3], at: [f64; 3]) -> Result<(Shape, Pose), DemoError> {
    part(Cuboid::new(half.into()).map_err(DemoError::of)?, at.into())
}

/// A capsule along z between two heights.
fn bone(radius: f64, [low, high]: [f64; 2]) -> Result<(Shape, Pose), DemoError> {
    let capsule = Capsule::new(radius, 0.5 * (high - low)).map_err(DemoError::of)?;
    part(capsule, DVec3::Z * (0.5 * (low + high)))
}

fn links() -> Result<Vec<Body>, DemoError> {
    let parts = [
        vec![cuboid([0.13, 0.13, 0.1], [0.0, 0.0, 0.1])?],
        vec![bone(0.085, [0.02, 0.72])?, cuboid([0.1, 0.12, 0.09], [0.0, 0.0, 0.0])?],
        vec![cuboid([0.085, 0.1, 0.12], [0.0, 0.0, 0.06])?, bone(0.07, [0.1, 0.25])?],
        vec![bone(0.06, [-0.02, 0.38])?],
        vec![bone(0.05, [0.0, 0.1])?],
        vec![
            cuboid([0.05, 0.09, 0.025], [0.0, 0.0, 0.05])?,
            cuboid([0.02, 0.015, 0.07], [0.0, 0.07, 0.145])?,
            cuboid([0.02, 0.015, 0.07], [0.0, -0.07, 0.145])?,
        ],
    ];
    let body = |parts| Compound::new(parts).map(Body::new).map_err(DemoError::of);
    parts.into_iter().map(body).collect()
}

fn obstacles() -> Result<Vec<Thing>, DemoError> {
    let thing =
        |name: &'static str, (shape, pose): (Shape, Pose)| Thing { name, body: Body::new(shape), pose };
    let column = Cylinder::new(0.12, 0.6).map_err(DemoError::of)?;
    let foot = Cylinder::new(0.2, 0.14).map_err(DemoError::of)?;
    let ball = sudar::Sphere::new(DVec3::ZERO, 0.18).map_err(DemoError::of)?;
    Ok(vec![
        thing("foot", part(foot, DVec3::Z * 0.14)?),
        thing("floor", cuboid([2.2, 2.2, 0.05], [0.0, 0.0, -0.05])?),
        thing("table", cuboid([0.45, 0.7, 0.03], [0.95, 0.0, 0.47])?),
        thing("leg", cuboid([0.04, 0.04, 0.22], [1.3, 0.55, 0.22])?),
        thing("leg", cuboid([0.04, 0.04, 0.22], [1.3, -0.55, 0.22])?),
        thing("pillar", part(column, DVec3::new(0.75, 0.1, 1.1))?),
        thing("shelf", cuboid([0.3, 0.35, 0.02], [-0.1, 1.05, 0.75])?),
        thing("shelf", cuboid([0.3, 0.35, 0.02], [-0.1, 1.05, 1.35])?),
        thing("back", cuboid([0.3, 0.02, 0.7], [-0.1, 1.4, 0.7])?),
        thing("ball", part(ball, DVec3::new(-0.75, -0.75, 0.9))?),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stretched up, the heights of the joints add up; bent at the shoulder by 90 degrees the rest lies along x.
    #[test]
    fn joints_add_up() {
        let up = Cell::tool(&[0.0; JOINTS]);
        assert!((up - DVec3::Z * 2.46).length() < 1e-12, "{up}");
        let bent = Cell::tool(&[0.0, std::f64::consts::FRAC_PI_2, 0.0, 0.0, 0.0, 0.0]);
        assert!((bent - DVec3::new(1.91, 0.0, 0.55)).length() < 1e-12, "{bent}");
        let turned =
            Cell::tool(&[std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2, 0.0, 0.0, 0.0, 0.0]);
        assert!((turned - DVec3::new(0.0, 1.91, 0.55)).length() < 1e-12, "{turned}");
    }

    #[test]
    fn the_upper_arm_is_off_the_foot_at_every_angle() {
        let cell = Cell::new().unwrap();
        let [least, most] = Cell::limits(1);
        for k in 0..=100 {
            let angle = least + (most - least) * f64::from(k) / 100.0;
            let pose = Cell::poses(&[0.0, angle, 0.0, 0.0, 0.0, 0.0])[1];
            let foot = &cell.obstacles[0];
            assert!(
                !sudar::query::intersects(cell.links[1].at(&pose), foot.body.at(&foot.pose)).is_touching()
            );
        }
    }

    #[test]
    fn no_point_of_a_link_is_farther_from_a_joint_than_its_arm_is_long() {
        let cell = Cell::new().unwrap();
        for k in 0..40 {
            let angle = |j: usize| libm::sin(0.7 * f64::from(k) * (j as f64 + 1.0)) * 2.0;
            let configuration = std::array::from_fn(angle);
            let poses = Cell::poses(&configuration);
            for joint in 0..JOINTS {
                for link in joint..JOINTS {
                    let aabb = cell.links[link].aabb(&poses[link]);
                    let from = poses[joint].translation();
                    let far = (aabb.min - from).abs().max((aabb.max - from).abs()).max_element();
                    assert!(far <= cell.arm_length(joint, link), "{joint} {link}");
                }
            }
        }
    }
}
