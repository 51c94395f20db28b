//! Bodies that fly and collide as Maštera 2007 describes it.

use sudar::dynamics::{BodyState, Flight, Inertia, RigidBody};
use sudar::pair::{TriangleIntersection, triangle_intersection};
use sudar::query::{Body, contacts};
use sudar::{Aabb, DMat3, DQuat, DVec3, Pose};

use crate::plan::Result;

/// How bodies fly and what impulses reckon with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Method {
    pub name: &'static str,
    /// Whether flights keep the angular momentum.
    pub is_free: bool,
    /// Whether products of inertia are left out.
    pub is_diagonal: bool,
    /// Whether bodies go back before the impulse, velocities included.
    pub is_back_first: bool,
}

/// What 32-bit numbers leave of an energy.
const ROUNDING: f64 = 1e-6;

/// A body by the rule.
struct Flyer {
    body: Body,
    inertia: Inertia,
    /// What impulses reckon with.
    tensor: DMat3,
    motion: BodyState,
    /// Where it last touched nothing.
    free: BodyState,
}

impl Flyer {
    fn new(body: &RigidBody, method: Method) -> Result<Self> {
        let inertia = body.inertia()?;
        let (center, rotation) = (body.position + body.rotation * inertia.center, body.rotation);
        let motion =
            BodyState { center, rotation, velocity: body.velocity, angular_velocity: body.angular_velocity };
        let t = inertia.tensor;
        let diagonal = DMat3::from_diagonal(DVec3::new(t.x_axis.x, t.y_axis.y, t.z_axis.z));
        let tensor = if method.is_diagonal { diagonal } else { t };
        Ok(Self { body: body.body.clone(), inertia, tensor, motion, free: motion })
    }

    fn pose(&self) -> Pose {
        self.motion.pose(self.inertia.center)
    }

    fn energy(&self) -> f64 {
        let spin = self.motion.rotation.inverse() * self.motion.angular_velocity;
        0.5 * (self.inertia.mass * self.motion.velocity.length_squared()
            + spin.dot(self.inertia.tensor * spin))
    }

    /// Without forces: either as a rigid body does, or at the same angular velocity, as if its tensor did not turn
    /// with it.
    fn fly(&mut self, seconds: f64, method: Method) {
        if method.is_free {
            self.motion = Flight::free(&self.inertia, self.motion, 0.0).at(seconds);
            return;
        }
        let turn = DQuat::from_scaled_axis(self.motion.angular_velocity * seconds);
        self.motion.center += self.motion.velocity * seconds;
        self.motion.rotation = (turn * self.motion.rotation).normalize();
    }

    /// Back to where it last touched nothing, with the velocities of now.
    fn step_back(&mut self) {
        let BodyState { velocity, angular_velocity, .. } = self.motion;
        self.motion = BodyState { velocity, angular_velocity, ..self.free };
    }

    /// How an impulse at an arm turns the body.
    fn turned(&self, moment: DVec3) -> DVec3 {
        let turn = self.motion.rotation;
        turn * (self.tensor.inverse() * (turn.inverse() * moment))
    }

    fn push(&mut self, impulse: DVec3, point: DVec3) {
        let turned = self.turned((point - self.motion.center).cross(impulse));
        self.motion.velocity += impulse / self.inertia.mass;
        self.motion.angular_velocity += turned;
    }

    /// The part of the denominator of the impulse.
    fn yields(&self, n: DVec3, point: DVec3) -> f64 {
        let arm = point - self.motion.center;
        1.0 / self.inertia.mass + n.dot(self.turned(arm.cross(n)).cross(arm))
    }
}

/// Bodies in a closed room.
pub(super) struct Flyers {
    all: Vec<Flyer>,
    room: Body,
    method: Method,
    /// Collisions so far, and those after which the energy was above that at the start.
    pub collisions: [usize; 2],
    first: f64,
}

impl Flyers {
    pub fn new(bodies: &[RigidBody], room: Aabb, method: Method) -> Result<Self> {
        let all = bodies.iter().map(|body| Flyer::new(body, method)).collect::<Result<Vec<_>>>()?;
        let first = all.iter().map(Flyer::energy).sum();
        let room = Body::new(sudar::Mesh::from_aabb(room));
        Ok(Self { all, room, method, collisions: [0, 0], first })
    }

    /// Over that at the start.
    pub fn energy(&self) -> f64 {
        self.all.iter().map(Flyer::energy).sum::<f64>() / self.first
    }

    /// Moves one after another; each is tested at once with all others and the room (section 7.5.1).
    pub fn step(&mut self, seconds: f64) {
        for i in 0..self.all.len() {
            self.all[i].fly(seconds, self.method);
            let others = (0..self.all.len()).filter(|&j| j != i);
            let struck = others.filter(|&j| self.strike(i, Some(j))).count();
            if !self.strike(i, None) && struck == 0 {
                self.all[i].free = self.all[i].motion;
            }
        }
    }

    /// The impulse of section 4.2 at the one contact with another body or the room, elastic, whether the bodies
    /// approach or not; then they go back, or before.
    fn strike(&mut self, i: usize, other: Option<usize>) -> bool {
        let at_other = other.map(|j| (&self.all[j].body, self.all[j].pose()));
        let (body, pose) = at_other.unwrap_or((&self.room, Pose::IDENTITY));
        let Some((point, n)) = contact(&self.all[i], (body, &pose), other.is_none()) else { return false };
        let struck = [(Some(i), -1.0), (other, 1.0)].into_iter().filter_map(|(k, sign)| Some((k?, sign)));
        if self.method.is_back_first {
            struck.clone().for_each(|(k, _)| self.all[k].motion = self.all[k].free);
        }
        let speed: f64 =
            struck.clone().map(|(k, sign)| sign * self.all[k].motion.velocity_at(point).dot(n)).sum();
        let yields: f64 = struck.clone().map(|(k, _)| self.all[k].yields(n, point)).sum();
        for (k, sign) in struck {
            let flyer = &mut self.all[k];
            flyer.push(n * (-2.0 * sign * speed / yields), point);
            if self.method.is_back_first {
                flyer.free = flyer.motion;
            } else {
                flyer.step_back();
            }
        }
        self.collisions[0] += 1;
        self.collisions[1] += usize::from(self.energy() > 1.0 + ROUNDING);
        true
    }

    /// Whether all centres are in the room.
    pub fn are_inside(&self, room: &Aabb) -> bool {
        self.all.iter().all(|flyer| {
            let c = flyer.motion.center;
            c.is_finite() && c.cmpge(room.min).all() && c.cmple(room.max).all()
        })
    }
}

/// The one contact of section 9.3: the centre of the points of intersection that are found more than once, and the
/// mean normal of the triangles that collide of a body that stands still, else of the one with fewer of them.
fn contact(a: &Flyer, (b, bt): (&Body, &Pose), is_static: bool) -> Option<(DVec3, DVec3)> {
    let at = &a.pose();
    let pairs = contacts(a.body.at(at), b.at(bt));
    let mut points = Vec::new();
    for [i, j] in &pairs {
        let (Some(s), Some(t)) = (a.body.posed_triangle(at, *i), b.posed_triangle(bt, *j)) else { continue };
        match triangle_intersection(&s, &t) {
            Some(TriangleIntersection::Point(p)) => points.push(p),
            Some(TriangleIntersection::Segment(s)) => points.extend([s.a, s.b]),
            Some(TriangleIntersection::Polygon(corners)) => points.extend(corners),
            None => {}
        }
    }
    let points = found_twice(points);
    let sides = [0, 1].map(|side| {
        let mut numbers: Vec<u32> = pairs.iter().map(|pair| pair[side]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    });
    let own = !is_static && sides[0].len() < sides[1].len();
    let (body, pose, numbers) = if own { (&a.body, at, &sides[0]) } else { (b, bt, &sides[1]) };
    let triangles = numbers.iter().filter_map(|i| body.posed_triangle(pose, *i));
    let normal = triangles.map(|t| t.scaled_normal().normalize_or_zero()).sum::<DVec3>().normalize_or_zero();
    let center = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    (!points.is_empty() && normal != DVec3::ZERO).then_some((center, normal))
}

/// Points nearer than this are one, in metres.
const SAME: f64 = 1e-9;

/// Each point that is there more than once, once; all where there is none ("workIntersectionPoints").
fn found_twice(points: Vec<DVec3>) -> Vec<DVec3> {
    let mut groups: Vec<(DVec3, usize)> = Vec::new();
    for point in &points {
        match groups.iter_mut().find(|(first, _)| (*first - *point).length() < SAME) {
            Some((_, count)) => *count += 1,
            None => groups.push((*point, 1)),
        }
    }
    let twice: Vec<DVec3> = groups.iter().filter(|(_, count)| *count > 1).map(|(point, _)| *point).collect();
    if twice.is_empty() { points } else { twice }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::Mesh;

    /// A cube of side 1.
    fn cube(center: DVec3, velocity: DVec3) -> RigidBody {
        let mesh = Mesh::from_aabb(Aabb { min: DVec3::splat(-0.5), max: DVec3::splat(0.5) });
        RigidBody { position: center, velocity, ..RigidBody::new("cube", mesh) }
    }

    #[test]
    fn a_cube_comes_back_from_a_wall_with_its_energy() {
        let room = Aabb { min: DVec3::splat(-2.0), max: DVec3::splat(2.0) };
        for method in super::super::METHODS {
            let body = cube(DVec3::new(0.1, 0.2, 0.0), DVec3::X * 3.0);
            let mut flyers = Flyers::new(&[body], room, method).unwrap();
            let mut farthest: f64 = 0.0;
            for _ in 0..60 {
                flyers.step(0.01);
                farthest = farthest.max(flyers.all[0].motion.center.x);
            }
            // The wall is 1.4 m away: after 46 steps it is not reached, and the 47th is taken back. The rule takes the
            // contact beside the middle of the face, where more edges pierce the wall, so that the cube spins.
            assert!((farthest - (0.1 + 46.0 * 0.03)).abs() < 1e-9, "{farthest}");
            let motion = flyers.all[0].motion;
            assert!(motion.velocity.x < 0.0 && motion.angular_velocity != DVec3::ZERO);
            assert!(flyers.collisions[0] > 0 && flyers.collisions[1] == 0);
            assert!((flyers.energy() - 1.0).abs() < 1e-12, "{}", flyers.energy());
        }
    }

    #[test]
    fn points_on_edges_are_found_twice() {
        let points = [0.0, 1.0, 1.0 + 1e-12, 2.0].map(|x| DVec3::X * x).to_vec();
        assert_eq!(found_twice(points), [DVec3::X]);
        assert_eq!(found_twice(vec![DVec3::X, DVec3::Y]).len(), 2);
    }
}
