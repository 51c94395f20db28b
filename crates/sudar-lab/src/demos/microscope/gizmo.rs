//! Handles that move and turn a body: arrows along the axes of the world, rings about them.

use sudar::DVec3;
use sudar_view::Camera;

use super::stand::Stand;

/// A part of the gizmo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handle {
    /// Moves along this axis.
    Arrow(usize),
    /// Turns about this axis.
    Ring(usize),
}

pub const AXES: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

/// How near the pointer must be, in parts of half the height of the picture.
const NEAR: f64 = 0.045;

/// Points of a ring that are looked at.
pub const RING: u32 = 48;

/// A gizmo around a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gizmo {
    pub at: DVec3,
    /// Length of the arrows; the rings are a little smaller.
    pub size: f64,
}

/// What is dragged, from where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drag {
    handle: Handle,
    gizmo: Gizmo,
    from: Stand,
    /// Along the axis in metres, or around it in radians.
    start: f64,
}

/// Camera, and width by height of the picture.
pub type View = (Camera, f64);

impl Gizmo {
    /// As large as an eighth of the height of the picture, whatever the distance.
    pub fn new(at: DVec3, camera: &Camera) -> Self {
        let away = (at - camera.eye).dot(camera.forward).max(1e-9);
        Self { at, size: 0.34 * away * libm::tan(0.5 * camera.field) }
    }

    /// The points of a ring, the first again at the end.
    pub fn ring(&self, axis: usize) -> impl Iterator<Item = DVec3> {
        let (at, size, [u, v]) = (self.at, 0.8 * self.size, across(axis));
        (0..=RING).map(move |i| {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(RING);
            at + (u * libm::cos(angle) + v * libm::sin(angle)) * size
        })
    }

    /// The end of an arrow.
    pub fn tip(&self, axis: usize) -> DVec3 {
        self.at + AXES[axis] * self.size
    }

    /// The handle under the pointer: arrows before rings, which they cross.
    pub fn pick(&self, view: View, pointer: [f64; 2]) -> Option<Handle> {
        let away = |point: DVec3| {
            let seen = view.0.project(point, view.1);
            seen.map_or(f64::INFINITY, |[x, y]| libm::hypot((x - pointer[0]) * view.1, y - pointer[1]))
        };
        let arrow = |axis: usize| {
            let points = (3..=10).map(|i| self.at + (self.tip(axis) - self.at) * (f64::from(i) / 10.0));
            points.map(away).fold(f64::INFINITY, f64::min)
        };
        let ring = |axis: usize| self.ring(axis).map(away).fold(f64::INFINITY, f64::min);
        let nearest = |far: &dyn Fn(usize) -> f64| {
            (0..3).map(|axis| (axis, far(axis))).filter(|(_, d)| *d < NEAR).min_by(|a, b| a.1.total_cmp(&b.1))
        };
        nearest(&arrow)
            .map(|(axis, _)| Handle::Arrow(axis))
            .or_else(|| nearest(&ring).map(|(axis, _)| Handle::Ring(axis)))
    }

    /// Begins to drag a handle of a body that stands so.
    pub fn grab(&self, handle: Handle, from: Stand, view: View, pointer: [f64; 2]) -> Option<Drag> {
        let start = self.measure(handle, view, pointer)?;
        Some(Drag { handle, gizmo: *self, from, start })
    }

    /// How far along or around the axis of a handle the pointer is.
    fn measure(&self, handle: Handle, (camera, aspect): View, pointer: [f64; 2]) -> Option<f64> {
        let way = camera.toward(pointer, aspect);
        let to = self.at - camera.eye;
        match handle {
            // The point of the axis that is nearest to the line of sight.
            Handle::Arrow(axis) => {
                let axis = AXES[axis];
                let slant = axis.dot(way);
                let square = 1.0 - slant * slant;
                (square > 1e-4).then(|| (slant * to.dot(way) - to.dot(axis)) / square)
            }
            // The angle of the point where the line of sight goes through the plane of the ring.
            Handle::Ring(axis) => {
                let ([u, v], steep) = (across(axis), way.dot(AXES[axis]));
                let on = way * (to.dot(AXES[axis]) / steep) - to;
                (steep.abs() > 0.03).then(|| libm::atan2(on.dot(v), on.dot(u)))
            }
        }
    }
}

impl Drag {
    /// Where the body stands with the pointer there.
    pub fn to(&self, view: View, pointer: [f64; 2]) -> Stand {
        let Some(now) = self.gizmo.measure(self.handle, view, pointer) else { return self.from };
        match self.handle {
            Handle::Arrow(axis) => self.from.moved(AXES[axis] * (now - self.start)),
            Handle::Ring(axis) => self.from.turned(AXES[axis], now - self.start),
        }
    }

    /// What is dragged.
    pub fn handle(&self) -> Handle {
        self.handle
    }
}

/// Two directions across an axis, counter-clockwise about it.
fn across(axis: usize) -> [DVec3; 2] {
    [AXES[(axis + 1) % 3], AXES[(axis + 2) % 3]]
}

#[cfg(test)]
mod tests {
    use sudar_view::Orbit;

    use super::*;

    const ASPECT: f64 = 1.6;

    fn view() -> View {
        (Orbit { target: DVec3::new(0.5, 0.2, 0.1), distance: 8.0, yaw: 0.7, pitch: 0.5 }.camera(), ASPECT)
    }

    fn seen(point: DVec3) -> [f64; 2] {
        view().0.project(point, ASPECT).unwrap()
    }

    #[test]
    fn a_dragged_arrow_brings_the_body_as_far_along_as_the_pointer_goes() {
        let stand = Stand::new(1.0, -0.5, 0.3);
        let gizmo = Gizmo::new(stand.at, &view().0);
        for axis in 0..3 {
            let tip = gizmo.tip(axis);
            assert_eq!(gizmo.pick(view(), seen(tip)), Some(Handle::Arrow(axis)));
            let drag = gizmo.grab(Handle::Arrow(axis), stand, view(), seen(tip)).unwrap();
            let moved = drag.to(view(), seen(tip + AXES[axis] * 0.7));
            assert!((moved.at - stand.at - AXES[axis] * 0.7).length() < 1e-9);
            // What is dragged aside stays on the axis.
            let aside = drag.to(view(), seen(tip + AXES[(axis + 1) % 3] * 0.2)).at - stand.at;
            assert!((aside - AXES[axis] * aside.dot(AXES[axis])).length() < 1e-12);
        }
    }

    #[test]
    fn a_dragged_ring_turns_the_body_by_the_angle() {
        let stand = Stand { turn: DVec3::new(0.2, 0.1, -0.4), ..Stand::new(0.0, 0.5, 0.0) };
        let gizmo = Gizmo::new(stand.at, &view().0);
        for (axis, about) in AXES.into_iter().enumerate() {
            let [u, v] = across(axis);
            let on = |angle: f64| gizmo.at + (u * libm::cos(angle) + v * libm::sin(angle)) * 0.8 * gizmo.size;
            // Where no other handle is before it.
            let is_free = |angle: &f64| gizmo.pick(view(), seen(on(*angle))) == Some(Handle::Ring(axis));
            let angle = (0..20).map(|k| 0.3 * f64::from(k)).find(is_free).unwrap();
            let drag = gizmo.grab(Handle::Ring(axis), stand, view(), seen(on(angle))).unwrap();
            let turned = drag.to(view(), seen(on(angle + 0.5)));
            let expected = stand.turned(about, 0.5);
            assert!((turned.turn - expected.turn).length() < 1e-9, "{turned:?} {expected:?}");
        }
    }

    #[test]
    fn beside_the_handles_nothing_is_picked() {
        let gizmo = Gizmo::new(DVec3::ZERO, &view().0);
        assert_eq!(gizmo.pick(view(), [0.95, 0.95]), None);
    }
}
