//! Balls around bodies: what is tested before a body itself is.

use sudar::query::Body;
use sudar::volume::smallest_sphere;
use sudar::{Aabb, DVec3, Pose, Shape};

use crate::frame::Frame;

/// A ball in the frame of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ball {
    pub center: DVec3,
    /// Infinite around half-spaces.
    pub radius: f64,
}

/// Radii are this much larger than computed: far above their rounding, far below anything that costs time.
const WIDER: f64 = 1.0 + 1e-9;
/// Most balls that cover one body.
const MOST: f64 = 6.0;

impl Ball {
    /// Around a body that stands at `at`.
    pub fn around(body: &Body, at: &Pose) -> Self {
        if let Shape::Sphere(ball) = body.shape() {
            return Self { center: ball.center, radius: ball.radius }.posed(at);
        }
        around_points(body).unwrap_or_else(|| Self::of_box(body.aabb(&Pose::IDENTITY))).posed(at)
    }

    /// Several whose union holds the body: its box is cut along the longest side. One for bodies that are not long.
    pub fn cover(body: &Body, at: &Pose) -> Vec<Self> {
        let aabb = body.aabb(&Pose::IDENTITY);
        let extent = aabb.extent().to_array();
        let mut sorted = [0, 1, 2];
        sorted.sort_by(|&i, &j| extent[j].total_cmp(&extent[i]));
        let [long, next, _] = sorted;
        let pieces = (extent[long] / extent[next]).ceil().clamp(1.0, MOST);
        // Without a width or an end, and for what one ball fits best.
        if matches!(body.shape(), Shape::Sphere(_)) || !pieces.is_finite() || pieces < 2.0 {
            return vec![Self::around(body, at)];
        }
        let step = extent[long] / pieces;
        let cut = |i: u32| {
            let mut piece = aabb;
            piece.min[long] = aabb.min[long] + step * f64::from(i);
            piece.max[long] = aabb.min[long] + step * f64::from(i + 1);
            Self::of_box(piece).posed(at)
        };
        (0..pieces as u32).map(cut).collect()
    }

    /// Grown to hold the centres of others: bounds on the motion of what is in it then hold for these as well.
    pub fn and_centers(self, others: &[Self]) -> Self {
        let reach = others.iter().map(|other| (other.center - self.center).length() * WIDER);
        Self { radius: reach.fold(self.radius, f64::max), ..self }
    }

    /// Around a box in the frame of a body that stands at `at`.
    pub fn around_box(aabb: Aabb, at: &Pose) -> Self {
        Self::of_box(aabb).posed(at)
    }

    fn of_box(aabb: Aabb) -> Self {
        let radius = aabb.extent().length() * 0.5 * WIDER;
        if radius.is_finite() {
            Self { center: aabb.center(), radius }
        } else {
            Self { center: DVec3::ZERO, radius: f64::INFINITY }
        }
    }

    fn posed(self, at: &Pose) -> Self {
        let stretch = 1.0 + 4.0 * Frame::of(at).shear();
        Self { center: at.apply(self.center), radius: self.radius * stretch }
    }

    /// The least found around several balls: about the centre of their box.
    pub fn around_all(balls: &[Self]) -> Self {
        let boxes = balls.iter().map(|ball| Aabb::around([ball.center]).grown(ball.radius));
        let center = boxes.fold(Aabb::EMPTY, Aabb::union).center();
        if !center.is_finite() {
            return Self { center: DVec3::ZERO, radius: f64::INFINITY };
        }
        let reach = |ball: &Self| ((ball.center - center).length() + ball.radius) * WIDER;
        Self { center, radius: balls.iter().map(reach).fold(0.0, f64::max) }
    }

    /// How far from the origin of its frame anything in it is.
    pub fn reach(&self) -> f64 {
        self.center.length() + self.radius
    }
}

/// Around the vertices of bodies that have some.
fn around_points(body: &Body) -> Option<Ball> {
    let points = if let Shape::Mesh(mesh) = body.shape() {
        mesh.vertices()
    } else if let Shape::Solid(solid) = body.shape() {
        solid.mesh().vertices()
    } else if let Shape::Hull(hull) = body.shape() {
        hull.vertices()
    } else {
        return None;
    };
    let ball = smallest_sphere(points)?;
    Some(Ball { center: ball.center, radius: ball.radius * WIDER })
}

#[cfg(test)]
mod tests {
    use sudar::{Cuboid, Cylinder};

    use super::*;

    #[test]
    fn a_ball_grows_to_hold_the_centres_of_others() {
        let ball = |x: f64, radius| Ball { center: DVec3::X * x, radius };
        let grown = ball(1.0, 0.5).and_centers(&[ball(1.25, 9.0), ball(-1.0, 0.1)]);
        assert!(grown.center == DVec3::X && (2.0..2.0 + 1e-8).contains(&grown.radius));
        assert_eq!(ball(1.0, 0.5).and_centers(&[ball(1.25, 9.0)]), ball(1.0, 0.5));
    }

    #[test]
    fn long_bodies_are_covered_by_several_balls() {
        let at = Pose::from_translation(DVec3::X).unwrap();
        let rod = Body::new(Cylinder::new(0.1, 1.0).unwrap());
        let balls = Ball::cover(&rod, &at);
        assert_eq!(balls.len(), 6);
        for k in 0..=1000 {
            let z = f64::from(k - 500) / 500.0;
            for rim in [DVec3::new(1.1, 0.0, z), DVec3::new(1.0, -0.1, z)] {
                assert!(balls.iter().any(|ball| (ball.center - rim).length() <= ball.radius), "{rim}");
            }
        }
        let all = Ball::around_all(&balls);
        assert!((all.center - DVec3::X).length() < 1e-12 && all.radius < 1.1);
        assert_eq!(Ball::cover(&Body::new(Cuboid::new(DVec3::ONE).unwrap()), &at).len(), 1);
    }
}
