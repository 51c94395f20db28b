//! Where a scene is seen from.

use glam::{DMat4, DVec3, DVec4};

/// A perspective camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where the eye is.
    pub eye: DVec3,
    /// The direction of the view, of length 1.
    pub forward: DVec3,
    /// A direction that is up in the picture, not along the view.
    pub up: DVec3,
    /// Height of the field of view, in radians.
    pub field: f64,
    /// Nearest and farthest distance that is drawn, in metres.
    pub range: [f64; 2],
}

impl Camera {
    /// An eye that looks at a point, with z up, a field of 50 degrees, and a range by the distance of the point.
    pub fn look_at(eye: DVec3, target: DVec3) -> Self {
        let way = target - eye;
        let forward = way.normalize_or(DVec3::Y);
        let up = if forward.cross(DVec3::Z).length() > 1e-6 { DVec3::Z } else { DVec3::Y };
        let distance = way.length().max(1e-9);
        Self { eye, forward, up, field: 50.0_f64.to_radians(), range: [distance * 1e-3, distance * 100.0] }
    }

    /// Right and up in the picture, of length 1.
    pub fn axes(&self) -> [DVec3; 2] {
        let right = self.forward.cross(self.up).normalize_or(self.forward.any_orthonormal_vector());
        [right, right.cross(self.forward)]
    }

    /// From points relative to the eye to clip coordinates of OpenGL; aspect is width by height of the picture.
    pub fn clip(&self, aspect: f64) -> DMat4 {
        let [right, up] = self.axes();
        let back = -self.forward;
        let view = DMat4::from_cols(
            DVec4::new(right.x, up.x, back.x, 0.0),
            DVec4::new(right.y, up.y, back.y, 0.0),
            DVec4::new(right.z, up.z, back.z, 0.0),
            DVec4::W,
        );
        let ([near, far], tangent) = (self.range, libm::tan(0.5 * self.field));
        let projection = DMat4::from_cols(
            DVec4::new(1.0 / (aspect * tangent), 0.0, 0.0, 0.0),
            DVec4::new(0.0, 1.0 / tangent, 0.0, 0.0),
            DVec4::new(0.0, 0.0, (near + far) / (near - far), -1.0),
            DVec4::new(0.0, 0.0, 2.0 * near * far / (near - far), 0.0),
        );
        projection * view
    }

    /// Where a point is in the picture: −1 to 1 from left to right and from bottom to top; `None` behind the eye.
    pub fn project(&self, point: DVec3, aspect: f64) -> Option<[f64; 2]> {
        let clip = self.clip(aspect) * (point - self.eye).extend(1.0);
        (clip.w > self.range[0]).then(|| [clip.x / clip.w, clip.y / clip.w])
    }

    /// The direction, of length 1, in which the eye sees a place of the picture, as of [`project`](Self::project).
    pub fn toward(&self, [x, y]: [f64; 2], aspect: f64) -> DVec3 {
        let ([right, up], tangent) = (self.axes(), libm::tan(0.5 * self.field));
        (self.forward + right * (x * tangent * aspect) + up * (y * tangent)).normalize()
    }
}

/// A camera that goes round a point: drag to turn, wheel to come nearer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    /// What it looks at.
    pub target: DVec3,
    /// Metres from there.
    pub distance: f64,
    /// Angle about z, in radians; at 0 the eye is on the side of −y.
    pub yaw: f64,
    /// Angle above the horizon, in radians.
    pub pitch: f64,
}

impl Orbit {
    /// Round a point, from above and aside.
    pub fn new(target: DVec3, distance: f64) -> Self {
        Self { target, distance, yaw: 0.6, pitch: 0.45 }
    }

    /// Turns by so many radians; never over the poles.
    pub fn turn(&mut self, yaw: f64, pitch: f64) {
        self.yaw += yaw;
        self.pitch = (self.pitch + pitch).clamp(-1.55, 1.55);
    }

    /// Comes nearer by a factor above 1, or goes away by one below.
    pub fn zoom(&mut self, factor: f64) {
        if factor.is_finite() && factor > 0.0 {
            self.distance = (self.distance / factor).clamp(1e-9, 1e12);
        }
    }

    /// Moves the target across the picture, in parts of its height.
    pub fn pan(&mut self, right: f64, up: f64) {
        let camera = self.camera();
        let ([x, y], height) = (camera.axes(), 2.0 * self.distance * libm::tan(0.5 * camera.field));
        self.target -= (x * right + y * up) * height;
    }

    /// What it sees.
    pub fn camera(&self) -> Camera {
        let (flat, high) = (libm::cos(self.pitch), libm::sin(self.pitch));
        let out = DVec3::new(libm::sin(self.yaw) * flat, -libm::cos(self.yaw) * flat, high);
        Camera::look_at(self.target + out * self.distance, self.target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_straight_ahead_is_in_the_middle() {
        let camera = Camera::look_at(DVec3::new(1.0, -5.0, 2.0), DVec3::new(1.0, 3.0, 2.0));
        let [x, y] = camera.project(DVec3::new(1.0, 3.0, 2.0), 1.5).unwrap();
        assert!(x.abs() < 1e-12 && y.abs() < 1e-12);
        // x is to the right and z is up.
        assert!(camera.project(DVec3::new(2.0, 3.0, 2.0), 1.5).unwrap()[0] > 0.0);
        assert!(camera.project(DVec3::new(1.0, 3.0, 3.0), 1.5).unwrap()[1] > 0.0);
        assert_eq!(camera.project(DVec3::new(1.0, -6.0, 2.0), 1.5), None);
    }

    #[test]
    fn the_edge_of_the_field_is_the_edge_of_the_picture() {
        let camera = Camera { field: 1.0, ..Camera::look_at(DVec3::ZERO, DVec3::Y) };
        let edge = DVec3::new(0.0, 10.0, 10.0 * libm::tan(0.5));
        assert!((camera.project(edge, 2.0).unwrap()[1] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn toward_and_project_are_inverse() {
        let camera =
            Orbit { target: DVec3::new(3.0, 1.0, -2.0), distance: 7.0, yaw: 2.0, pitch: 0.4 }.camera();
        for place in [[0.0, 0.0], [0.9, -0.3], [-1.0, 1.0]] {
            let seen = camera.project(camera.eye + camera.toward(place, 1.7) * 4.0, 1.7).unwrap();
            assert!((seen[0] - place[0]).abs() < 1e-9 && (seen[1] - place[1]).abs() < 1e-9);
        }
    }

    #[test]
    fn an_orbit_keeps_its_distance_and_its_target() {
        let mut orbit = Orbit::new(DVec3::X, 3.0);
        orbit.turn(1.0, 9.0);
        orbit.zoom(1.5);
        let camera = orbit.camera();
        assert!(((camera.eye - DVec3::X).length() - 2.0).abs() < 1e-12);
        assert!((camera.eye + camera.forward * 2.0 - DVec3::X).length() < 1e-9);
    }
}
