//! Which cells an eye sees through portals.

use sudar::{Aabb, DVec3, Pose};

use crate::cells::Cells;

/// A part of the picture: least and greatest place across and up.
type Window = [f64; 4];

/// Marks the cells that an eye may see: its own, and those beyond portals that fall into what is seen through the
/// portals before them (Airey, Rohlf, Brooks 1990; Luebke and Georges 1995, "Portals and mirrors"). The eye stands at
/// the pose, looks along its −z axis with +y upwards, and sees to `tangents` times the depth sideways and upwards, as
/// [`Frustum::perspective`](sudar::Frustum::perspective) has it. Portals are where two cells touch in more than an
/// edge; no cell that is seen is missing, some that are hidden may be marked. An eye in no cell may see all.
/// O(portals) times the ways to a cell that show more of it.
///
/// ```
/// use sudar::{Aabb, DQuat, DVec3, Pose};
///
/// let room = |x: f64| Aabb { min: DVec3::new(x, 0.0, 0.0), max: DVec3::new(x + 4.0, 4.0, 3.0) };
/// let rooms = [room(0.0), room(4.0), room(8.0)];
/// // From the first room, looking along x, all are seen; looking back, it alone.
/// let along_x = Pose::new(DVec3::new(1.0, 2.0, 1.5), DQuat::from_rotation_y(-std::f64::consts::FRAC_PI_2))?;
/// let back = Pose::new(DVec3::new(1.0, 2.0, 1.5), DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2))?;
/// let seen = |eye| sudar_classic::broad::cells_in_sight(&rooms, eye, [1.0, 1.0]);
/// assert_eq!(seen(&along_x), [true, true, true]);
/// assert_eq!(seen(&back), [true, false, false]);
/// # Ok::<(), sudar::PoseError>(())
/// ```
pub fn cells_in_sight(cells: &[Aabb], eye: &Pose, tangents: [f64; 2]) -> Vec<bool> {
    let Some(home) = cells.iter().position(|cell| cell.contains(eye.translation())) else {
        return vec![true; cells.len()];
    };
    let is_face = |portal: &Aabb| (0..3).filter(|&k| portal.min[k] == portal.max[k]).count() <= 1;
    let graph = Cells::new(cells.to_vec(), is_face);
    let [across, up] = tangents;
    let mut sight = Sight { graph, eye, windows: vec![None; cells.len()] };
    sight.look(home as u32, [-across, across, -up, up]);
    sight.windows.iter().map(Option::is_some).collect()
}

struct Sight<'e> {
    graph: Cells,
    eye: &'e Pose,
    /// Through what each cell is seen, all ways to it together.
    windows: Vec<Option<Window>>,
}

impl Sight<'_> {
    fn look(&mut self, cell: u32, window: Window) {
        let known = self.windows[cell as usize];
        let wider = known.map_or(window, |known| union(known, window));
        // Nothing new is seen on a way back, nor on a second way that shows no more.
        if known == Some(wider) {
            return;
        }
        self.windows[cell as usize] = Some(wider);
        let doors: Vec<(u32, Aabb)> = self.graph.doors(cell).to_vec();
        for (next, portal) in doors {
            if let Some(through) = clipped(wider, window_of(self.eye, &portal)) {
                self.look(next, through);
            }
        }
    }
}

fn union(a: Window, b: Window) -> Window {
    [a[0].min(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].max(b[3])]
}

/// The part of the picture that a portal covers; `None` behind the eye. What reaches behind it may cover all.
fn window_of(eye: &Pose, portal: &Aabb) -> Option<Window> {
    let corners = portal.corners().map(|corner| eye.unapply(corner));
    let is_ahead = |p: &DVec3| p.z < 0.0;
    if !corners.iter().any(is_ahead) {
        return None;
    }
    if !corners.iter().all(is_ahead) {
        return Some([f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY]);
    }
    let places = corners.map(|p| [p.x / -p.z, p.y / -p.z]);
    let least = |k: usize| places.iter().map(|place| place[k]).fold(f64::INFINITY, f64::min);
    let most = |k: usize| places.iter().map(|place| place[k]).fold(f64::NEG_INFINITY, f64::max);
    Some([least(0), most(0), least(1), most(1)])
}

fn clipped(window: Window, other: Option<Window>) -> Option<Window> {
    let other = other?;
    let both =
        [window[0].max(other[0]), window[1].min(other[1]), window[2].max(other[2]), window[3].min(other[3])];
    (both[0] <= both[1] && both[2] <= both[3]).then_some(both)
}

#[cfg(test)]
mod tests {
    use sudar::{DQuat, Ray};

    use super::*;

    /// Three rooms by three, with doors of a metre between some, which are cells as well.
    fn plan() -> Vec<Aabb> {
        let cell = |x: f64, y: f64, w: f64, h: f64| Aabb {
            min: DVec3::new(x, y, 0.0),
            max: DVec3::new(x + w, y + h, 3.0),
        };
        let mut cells = Vec::new();
        for i in 0..3 {
            for j in 0..3 {
                let (x, y) = (f64::from(i) * 5.0, f64::from(j) * 5.0);
                cells.push(cell(x, y, 4.0, 4.0));
                if i < 2 && (i + j) % 2 == 0 {
                    cells.push(cell(x + 4.0, y + 1.5, 1.0, 1.0));
                }
                if j < 2 {
                    cells.push(cell(x + 1.0, y + 4.0, 1.0, 1.0));
                }
            }
        }
        cells
    }

    /// Along rays that go from cell to cell without leaving them, every cell that is passed is seen.
    #[test]
    fn no_cell_that_a_ray_reaches_is_missing() {
        let cells = plan();
        let (mut reached, mut hidden) = (0, 0);
        for k in 0..200_u32 {
            let turn = |step: u32| libm::sin(f64::from(k * step) * 0.37);
            let home = cells[(k as usize * 7) % cells.len()];
            let at = home.center() + 0.4 * home.extent() * DVec3::new(turn(3), turn(5), turn(11));
            let rotation = DQuat::from_rotation_z(f64::from(k)) * DQuat::from_rotation_x(1.4);
            let eye = Pose::new(at, rotation).unwrap();
            let seen = cells_in_sight(&cells, &eye, [0.8, 0.6]);
            hidden += seen.iter().filter(|seen| !**seen).count();
            for i in -8_i32..=8 {
                let way = eye.rotate(DVec3::new(0.1 * f64::from(i), 0.05 * f64::from(i % 3), -1.0));
                for cell in passed(&cells, &Ray::new(at, way).unwrap()) {
                    assert!(seen[cell], "{k}: {cell}");
                    reached += 1;
                }
            }
        }
        assert!(reached > 2000 && hidden > 1000, "{reached} {hidden}");
    }

    /// Cells along a ray as long as it stays in cells, by small steps.
    fn passed(cells: &[Aabb], ray: &Ray) -> Vec<usize> {
        let mut found = Vec::new();
        for k in 0..4000 {
            let at = ray.origin + ray.direction * (0.005 * f64::from(k));
            let Some(cell) = cells.iter().position(|cell| cell.contains(at)) else { break };
            found.push(cell);
        }
        found.dedup();
        found
    }

    #[test]
    fn an_eye_outside_may_see_all() {
        let eye = Pose::from_translation(DVec3::splat(-9.0)).unwrap();
        assert!(cells_in_sight(&plan(), &eye, [1.0, 1.0]).iter().all(|seen| *seen));
    }
}
