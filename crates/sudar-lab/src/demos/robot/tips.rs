//! Balls at the tips of the two poses, which are dragged.

use sudar::DVec3;
use sudar_view::Camera;

use crate::input::Pointer;

/// How near the pointer must be, in parts of half the height of the picture.
const NEAR: f64 = 0.07;

/// What is dragged.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tips {
    held: Option<Held>,
    was_down: bool,
    /// The pose whose ball is under the pointer.
    pub under: Option<usize>,
    /// The pose that was held last.
    pub last: usize,
    /// How often one was let go.
    pub drags: u32,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    pose: usize,
    /// How far the ball is in front of the eye.
    depth: f64,
}

impl Tips {
    /// The pose that is dragged and where its tip is wanted: as far from the eye as it was, but for the wheel.
    pub fn act(&mut self, pointer: &Pointer, camera: &Camera, tips: [DVec3; 2]) -> Option<(usize, DVec3)> {
        let goes_down = pointer.down && !self.was_down;
        self.was_down = pointer.down;
        let depth = |pose: usize| (tips[pose] - camera.eye).dot(camera.forward);
        self.under = pointer.at.and_then(|at| under(at, pointer.aspect, camera, tips));
        if goes_down {
            self.held = self.under.map(|pose| Held { pose, depth: depth(pose) });
        }
        if !pointer.down {
            self.drags += u32::from(self.held.take().is_some());
        }
        let held = self.held.as_mut()?;
        held.depth /= pointer.zoom;
        (self.under, self.last) = (Some(held.pose), held.pose);
        let way = pointer.at.map(|at| camera.toward(at, pointer.aspect));
        let point = way.map(|way| camera.eye + way * (held.depth / way.dot(camera.forward).max(1e-3)));
        Some((held.pose, point.unwrap_or(tips[held.pose])))
    }
}

/// The pose whose ball is nearest to the pointer, if it is near: of two at one place the goal.
fn under(at: [f64; 2], aspect: f64, camera: &Camera, tips: [DVec3; 2]) -> Option<usize> {
    let away = |pose: &usize| {
        let seen = camera.project(tips[*pose], aspect);
        seen.map_or(f64::INFINITY, |[x, y]| libm::hypot((x - at[0]) * aspect, y - at[1]))
    };
    let nearest = [1, 0].into_iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    nearest.filter(|pose| away(pose) < NEAR)
}
