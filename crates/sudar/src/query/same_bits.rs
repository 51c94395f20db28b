//! The same bits on any platform: a hash over answers of every verb for pairs of all kinds of shapes,
//! compared with one number. What changes an answer on purpose changes the number.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::{
    Body, DistanceOptions, Memory, Work, closest_point, distance, intersects, manifold, penetration, ray,
};
use crate::hull::convex_hull;
use crate::math::Pose;
use crate::shape::{
    Aabb, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Mesh, Ray, Segment, Shape, Solid, Sphere, Triangle,
};
use crate::testing::sheet;

/// FNV-1a of 64 bits.
struct Hash(u64);

impl Hash {
    fn number(&mut self, x: f64) {
        // Zeros of either sign are equal, and so are all numbers that are none.
        let bits = if x == 0.0 { 0 } else { x.to_bits() };
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn point(&mut self, p: DVec3) {
        p.to_array().into_iter().for_each(|x| self.number(x));
    }
}

/// Numbers from −1 to 1 by a linear congruential generator of 64 bits (constants of Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / f64::powi(2.0, 52) - 1.0
    }

    fn point(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    /// Made with a root and a division alone: the sines of platforms differ.
    fn rotation(&mut self) -> DQuat {
        let v = self.point();
        DQuat::from_xyzw(v.x, v.y, v.z, self.next()).normalize()
    }
}

fn bodies(numbers: &mut Numbers) -> Vec<Body> {
    let waves = sheet(12, |x, y| 0.2 * libm::sin(7.0 * x) * libm::cos(5.0 * y));
    let cube = Mesh::from_aabb(Aabb { min: DVec3::splat(-0.4), max: DVec3::splat(0.4) });
    let hull = convex_hull(&(0..20).map(|_| numbers.point() * 0.6).collect::<Vec<_>>()).unwrap();
    let [p, q, r] = [numbers.point(), numbers.point(), numbers.point()];
    vec![
        Body::new(waves),
        Body::new(Shape::Solid(Arc::new(Solid::new(Arc::new(cube)).unwrap()))),
        Body::new(hull),
        Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap()),
        Body::new(Cuboid::new(DVec3::new(0.5, 0.3, 0.2)).unwrap()),
        Body::new(Capsule::new(0.2, 0.5).unwrap()),
        Body::new(Cylinder::new(0.3, 0.4).unwrap()),
        Body::new(Cone::new(0.4, 0.5).unwrap()),
        Body::new(Ellipsoid::new(DVec3::new(0.6, 0.4, 0.2)).unwrap()),
        Body::new(Triangle { a: p, b: q, c: r }),
        Body::new(Segment { a: p, b: q }),
    ]
}

fn add(hash: &mut Hash, [a, b]: [&Body; 2], poses: [&Pose; 2]) {
    let [pose_a, pose_b] = poses;
    hash.number(if intersects(a.at(pose_a), b.at(pose_b)).is_touching() { 1.0 } else { 2.0 });
    let found = distance(a.at(pose_a), b.at(pose_b), &DistanceOptions::EXACT);
    [found.interval.lower, found.interval.upper].into_iter().for_each(|x| hash.number(x));
    [found.point_a, found.point_b].into_iter().for_each(|p| hash.point(p));
    let deep = penetration(a.at(pose_a), b.at(pose_b));
    [deep.signed.lower, deep.signed.upper].into_iter().for_each(|x| hash.number(x));
    for contact in manifold(a.at(pose_a), b.at(pose_b), 0.05) {
        hash.point(contact.normal);
        hash.number(contact.depth);
    }
    let mut memory = Memory::default();
    let mut work = Work::default().remembering(&mut memory);
    hash.number(work.distance(a.at(pose_a), b.at(pose_b), &DistanceOptions::EXACT).interval.upper);
}

fn hash_of_answers() -> u64 {
    let (mut numbers, mut hash) = (Numbers(1), Hash(0xcbf2_9ce4_8422_2325));
    let bodies = bodies(&mut numbers);
    for a in &bodies {
        for b in &bodies {
            let turn = numbers.rotation();
            let here = Pose::new(numbers.point(), turn).unwrap();
            let there = Pose::new(numbers.point() * 1.5, turn.inverse()).unwrap();
            add(&mut hash, [a, b], [&here, &there]);
        }
        let (origin, direction) = (numbers.point() * 3.0, numbers.point());
        let found = ray(a.at(&Pose::IDENTITY), &Ray { origin, direction }, 10.0);
        hash.number(found.map_or(-1.0, |hit| hit.t));
        hash.point(closest_point(a.at(&Pose::IDENTITY), origin).point);
    }
    hash.0
}

#[test]
fn all_platforms_answer_alike() {
    let hash = hash_of_answers();
    assert_eq!(hash, 0xdd0d_c436_1c5b_3e99, "{hash:#x}");
}
