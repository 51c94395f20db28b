//! A picture to be, and the camera that takes it.

use sudar::DVec3;

/// Width and height in pixels.
pub(crate) const SIZE: [usize; 2] = [480, 360];

/// Triangles relative to the point of the clash.
pub(super) type Soup = Vec<[DVec3; 3]>;

/// A camera in the world.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Camera {
    pub eye: DVec3,
    /// Unit vector into the scene.
    pub forward: DVec3,
    /// Unit vector, normal to the other.
    pub up: DVec3,
}

/// A picture to be: a camera that looks at the origin, and the pixels.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub right: DVec3,
    pub up: DVec3,
    pub forward: DVec3,
    /// From the eye to the origin.
    pub distance: f64,
    pub size: [usize; 2],
}

/// Half the height of a picture beside its distance from the eye, inverted: 1 / tan 30°.
const FOCAL: f64 = 1.732_050_807_568_877_2;
/// From the eye to the place, beside the radius that is to be seen.
const DISTANCE: f64 = 2.0;
/// What is nearer to the eye, beside the distance of the place, is cut off.
const NEAR: f64 = 0.02;

impl View {
    /// One that looks at the origin from there, with `up` upward as far as may be.
    pub fn from(side: DVec3, up: DVec3, radius: f64, size: [usize; 2]) -> Self {
        let forward = (DVec3::ZERO - side).normalize_or(DVec3::Y);
        let right = forward.cross(up).normalize_or(DVec3::X);
        Self { right, up: right.cross(forward), forward, distance: DISTANCE * radius, size }
    }

    /// The camera of a view at a place in the world.
    pub fn camera(&self, origin: DVec3) -> Camera {
        Camera { eye: origin - self.forward * self.distance, forward: self.forward, up: self.up }
    }

    /// What is nearer is not drawn.
    pub fn near(&self) -> f64 {
        NEAR * self.distance
    }

    /// A point to the right, up, and away from the eye.
    #[inline(always)]
    pub fn seen(&self, p: DVec3) -> DVec3 {
        DVec3::new(p.dot(self.right), p.dot(self.up), p.dot(self.forward) + self.distance)
    }

    /// Whether a seen triangle is certainly beside the picture: beyond one of the planes through the eye and an edge of
    /// it. Most of what is near a clash is.
    pub fn misses(&self, seen: &[DVec3; 3]) -> bool {
        // A little more than the picture, so that rounding leaves nothing out.
        let high = (1.0 + 1e-9) / FOCAL;
        let wide = high * self.size[0] as f64 / self.size[1] as f64;
        let beyond = |is: &dyn Fn(&DVec3) -> bool| seen.iter().all(is);
        beyond(&|p| p.x > wide * p.z)
            || beyond(&|p| -p.x > wide * p.z)
            || beyond(&|p| p.y > high * p.z)
            || beyond(&|p| -p.y > high * p.z)
            || beyond(&|p| p.z < self.near())
    }

    /// Where a seen point before the eye is in the picture: pixels from the left and from the top, and its distance.
    #[inline(always)]
    pub fn pixel(&self, p: DVec3) -> DVec3 {
        let (width, height) = (0.5 * self.size[0] as f64, 0.5 * self.size[1] as f64);
        let scale = FOCAL * height / p.z;
        DVec3::new(width + p.x * scale, height - p.y * scale, p.z)
    }
}
