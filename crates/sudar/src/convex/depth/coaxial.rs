//! Two bodies of revolution around the same axis.

use glam::{DVec2, DVec3};

use crate::convex::{Core, CorePenetration, Difference, PosedConvex};
use crate::math::{Interval, shear};
use crate::shape::{Cylinder, Round};

/// Edges cut after which the search stops whatever the width; some 30 do.
const STEPS: u32 = 500;

/// The depth of two cores that are round about the same axis but for rounding, at any place along it: cylinders,
/// cones, ellipsoids with two equal radii, segments on the axis, points on it. To some 1e-15 of their sizes, in some
/// 30 steps. `None` if they are not, and if both are points or segments.
///
/// Their difference is a body of revolution, too, and where it is nearest to a point of the axis follows from its
/// profile in a half-plane. There the polygon expands as the polytope does in space (see
/// [`crate::convex::expanding_polytope`]), but each step cuts one edge in two. Of normals around the axis, one is
/// chosen.
pub fn coaxial(a: &PosedConvex, b: &PosedConvex) -> Option<CorePenetration> {
    let difference = Difference::new(*a, *b);
    let (first, second) = (Spun::new(a)?, Spun::new(b)?);
    let axis = first.axis.or(second.axis)?;
    let between = difference.between();
    let beside = (between - axis * between.dot(axis)).length();
    let off = beside + first.off(axis) + second.off(axis);
    if off > 4.0 * difference.slack() {
        return None;
    }
    let pair =
        Profiles { first: first.turned(axis), second: second.turned(axis), between: between.dot(axis) };
    let slack = difference.slack() + off;
    let found = pair.expand(slack)?;
    let upper = (found.upper + slack).next_up().max(0.0);
    let depth = Interval { lower: (found.lower - slack).next_down().max(0.0).min(upper), upper };
    let out = axis.any_orthonormal_vector();
    let place = |center: DVec3, p: DVec2| center + out * p.x + axis * p.y;
    let (a, b) = (place(a.center(), found.a), place(b.center(), found.b * DVec2::new(-1.0, 1.0)));
    let normal = out * found.normal.x + axis * found.normal.y;
    let (vertices, expansions) = ([[0; 2]; 3], found.steps);
    Some(CorePenetration { depth, normal: normal.normalize(), a, b, vertices, expansions })
}

/// A body of revolution.
struct Spun {
    solid: Round,
    /// Unit vector in the world; none for balls and points.
    axis: Option<DVec3>,
    radius: f64,
    /// How far the pose is from rigid.
    shear: f64,
}

/// Half of what a plane through the axis cuts from a body, in coordinates ρ away from the axis and z along it.
struct Profile {
    solid: Round,
    /// Whether its axis runs against that of z.
    against: bool,
}

impl Spun {
    fn new(body: &PosedConvex) -> Option<Self> {
        let thin = |half_length: f64| Round::Cylinder(Cylinder { radius: 0.0, half_length });
        let (solid, axis) = match body.convex().core() {
            Core::Point(_) => (thin(0.0), None),
            Core::Segment([a, b]) => (thin((*b - *a).length() * 0.5), Some((*b - *a).try_normalize()?)),
            Core::Round(round) => (*round, round.kind().axis()?),
            Core::Triangle(_) | Core::Cuboid(..) | Core::Polytope(_) => return None,
        };
        let rotation = body.pose().rotation();
        let axis = axis.map(|axis| (rotation * axis).normalize());
        Some(Self { solid, axis, radius: body.convex().radius(), shear: shear(&rotation) })
    }

    /// How far points of the body are from what they are if its axis is this one, either way.
    fn off(&self, axis: DVec3) -> f64 {
        let sine = self.axis.map_or(0.0, |own| own.cross(axis).length());
        // Both by the turn and the shear, which moves points by half the gram matrix' deviation, 3×3 entries of it.
        self.radius * (2.0 * sine + 3.0 * self.shear)
    }

    fn turned(&self, axis: DVec3) -> Profile {
        Profile { solid: self.solid, against: self.axis.is_some_and(|own| own.dot(axis) < 0.0) }
    }
}

impl Profile {
    /// The point farthest in a direction of any length but zero, with ρ ≥ 0.
    fn support(&self, direction: DVec2) -> DVec2 {
        let turn = DVec2::new(1.0, if self.against { -1.0 } else { 1.0 });
        self.solid.kind().section(direction * turn) * turn
    }
}

struct Profiles {
    first: Profile,
    second: Profile,
    /// From centre to centre along the axis.
    between: f64,
}

/// A point of the difference's profile, and of the two bodies'.
#[derive(Clone, Copy)]
struct Corner {
    at: DVec2,
    a: DVec2,
    b: DVec2,
}

struct Edge {
    ends: [Corner; 2],
    normal: DVec2,
    /// Of the line from the origin, certainly not less.
    distance: f64,
}

struct Found {
    lower: f64,
    upper: f64,
    normal: DVec2,
    a: DVec2,
    b: DVec2,
    steps: u32,
}

impl Profiles {
    /// The second body is mirrored in its centre, so on the far side of the axis, where it is the same.
    fn support(&self, direction: DVec2) -> Corner {
        let (a, b) =
            (self.first.support(direction), self.second.support(DVec2::new(direction.x, -direction.y)));
        Corner { at: DVec2::new(a.x + b.x, (a.y - b.y) - self.between), a, b }
    }

    /// Until lower and upper end are as near as what they are widened by.
    fn expand(&self, enough: f64) -> Option<Found> {
        let [top, side, bottom] = [DVec2::Y, DVec2::X, DVec2::NEG_Y].map(|d| self.support(d));
        let mut edges: Vec<Edge> =
            [Edge::new(top, side), Edge::new(side, bottom)].into_iter().flatten().collect();
        let mut found = Found::none();
        while found.steps < STEPS {
            let nearest =
                (0..edges.len()).reduce(|m, i| if edges[i].distance < edges[m].distance { i } else { m })?;
            let edge = &edges[nearest];
            let corner = self.support(edge.normal);
            found.take(edge, edge.normal.dot(corner.at) / edge.normal.length());
            let [p, q] = edge.ends;
            let progress = edge.normal.dot(corner.at - p.at) > 0.0 && corner.at != q.at;
            if !progress || found.upper - found.lower <= enough {
                return Some(found);
            }
            edges.swap_remove(nearest);
            edges.extend([Edge::new(p, corner), Edge::new(corner, q)].into_iter().flatten());
            found.steps += 1;
        }
        Some(found)
    }
}

impl Edge {
    /// From top to bottom; `None` for two equal points.
    fn new(p: Corner, q: Corner) -> Option<Self> {
        // From top to bottom z falls, and if it rises by rounding, no body is asked for a direction with ρ < 0.
        let normal = DVec2::new((p.at.y - q.at.y).max(0.0), q.at.x - p.at.x);
        let length = normal.length();
        // Two products and a division, of numbers off by u each: 6u of the products.
        let rounding = 4.0 * f64::EPSILON * normal.abs().dot(p.at.abs().max(q.at.abs()));
        let height = normal.dot(p.at).min(normal.dot(q.at));
        (length > 0.0).then(|| Self { ends: [p, q], normal, distance: (height - rounding) / length })
    }
}

impl Found {
    fn none() -> Self {
        let (lower, upper, normal) = (f64::NEG_INFINITY, f64::INFINITY, DVec2::Y);
        Self { lower, upper, normal, a: DVec2::ZERO, b: DVec2::ZERO, steps: 0 }
    }

    /// The nearest edge there is, and how high the profile is along its normal.
    fn take(&mut self, edge: &Edge, height: f64) {
        self.lower = self.lower.max(edge.distance);
        let [p, q] = edge.ends;
        let height = height + 4.0 * f64::EPSILON * height.abs();
        if height <= self.upper {
            let way = q.at - p.at;
            let along = (-p.at.dot(way) / way.length_squared()).clamp(0.0, 1.0);
            (self.upper, self.normal) = (height, edge.normal / edge.normal.length());
            (self.a, self.b) = (p.a.lerp(q.a, along), p.b.lerp(q.b, along));
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::convex::{Accuracy, Convex, expanding_polytope};
    use crate::math::Pose;
    use crate::shape::{Capsule, Cone, Cylinder, Ellipsoid, Shape, Sphere};
    use crate::testing::{Random, convex};

    fn at(z: f64) -> Pose {
        Pose::from_translation(DVec3::new(0.0, 0.0, z)).unwrap()
    }

    fn depth(a: &Convex, b: &Convex, z: f64) -> Interval {
        coaxial(&PosedConvex::new(a, &Pose::IDENTITY), &PosedConvex::new(b, &at(z))).unwrap().depth
    }

    #[test]
    fn closed_forms() {
        let cylinder = convex(Cylinder::new(1.0, 2.0).unwrap());
        let cone = convex(Cone::new(1.0, 2.0).unwrap());
        let capsule = convex(Capsule::new(0.5, 3.0).unwrap());
        let check = |a: &Convex, b: &Convex, z: f64, expected: f64| {
            let found = depth(a, b, z);
            assert!(found.contains(expected) && found.width() < 1e-13, "{expected} {found:?}");
        };
        // Both lengths minus the offset, or both radii.
        check(&cylinder, &cylinder, 3.5, 0.5);
        check(&cylinder, &cylinder, 0.5, 2.0);
        check(&cylinder, &capsule, 0.5, 1.0);
        check(&cylinder, &capsule, 4.75, 0.25);
        // The cone 4 high, 1 wide: the axis point at height 2 − z is 1/√17 times its depth below the apex from the
        // slanted side, and the base is 4 minus that away.
        check(&cone, &convex(Shape::Point(DVec3::ZERO)), 1.0, 1.0 / 17f64.sqrt());
        check(&cone, &convex(Shape::Point(DVec3::ZERO)), -1.75, 0.25);
        check(&convex(Sphere { center: DVec3::ZERO, radius: 1.0 }), &cone, 0.0, 2.0 / 17f64.sqrt());
        assert_eq!(depth(&cylinder, &cylinder, 4.5), Interval::point(0.0));
    }

    #[test]
    fn any_pair_against_the_expanding_polytope() {
        let mut random = Random::new(32);
        let mut steps = Vec::new();
        for case in 0..200 {
            let k = f64::powi(10.0, case % 19 - 9);
            let mut body = |kind: i32| {
                let mut size = || (0.1 + random.number().abs()) * k;
                match kind {
                    0 => convex(Cylinder::new(size(), size()).unwrap()),
                    1 => convex(Cone::new(size(), size()).unwrap()),
                    _ => {
                        let (r, h) = (size(), size());
                        convex(Ellipsoid::new(DVec3::new(r, r, h)).unwrap())
                    }
                }
            };
            let (a, b) = (body(case % 3), body(case / 3 % 3));
            let turn = DQuat::from_scaled_axis(random.point() * 3.0);
            let place = random.point() * k;
            let way = turn * DVec3::Z * random.number() * 0.3 * k;
            let (p, q) = (Pose::new(place, turn).unwrap(), Pose::new(place + way, turn).unwrap());
            let (a, b) = (PosedConvex::new(&a, &p), PosedConvex::new(&b, &q));
            let found = coaxial(&a, &b).unwrap();
            let accuracy = Accuracy { absolute: 0.0, relative: 1e-6 };
            let other = expanding_polytope(&Difference::new(a, b), &[], &accuracy, 512).depth;
            assert!(
                found.depth.lower <= other.upper && other.lower <= found.depth.upper,
                "{found:?} {other:?}"
            );
            assert!(found.depth.width() < 2e-13 * k, "{found:?}");
            assert!((found.a - found.b - found.normal * found.depth.upper).length() < 1e-6 * k, "{found:?}");
            steps.push(found.expansions);
        }
        steps.sort_unstable();
        println!("coaxial, steps: {steps:?}");
    }
}
