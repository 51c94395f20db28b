//! What moves in the container: boxes along the axes, or bodies of any shape.

use sudar::broad::{BroadPhase, Choice};
use sudar::dynamics::BodyState;
use sudar::{Aabb, DQuat, DVec3, Ray};
use sudar_view::{Color, Look, Placement, Scene};

use super::bodies::Bodies;
use super::crowd::Crowd;
use super::settings::NONE;
use crate::demos::hand::Holdable;

/// Most objects that are drawn.
const MOST_DRAWN: usize = 200_000;

/// What moves.
pub enum Engine {
    Nothing,
    Crowd(Crowd),
    Bodies(Box<Bodies>),
}

impl Engine {
    /// The boxes that the broad phase sees.
    pub fn boxes(&self) -> Vec<Aabb> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Crowd(crowd) => crowd.boxes().to_vec(),
            Self::Bodies(bodies) => bodies.boxes(),
        }
    }

    /// The broad phase that follows them.
    pub fn phase(&self) -> Option<&dyn BroadPhase> {
        match self {
            Self::Nothing => None,
            Self::Crowd(crowd) => crowd.phase(),
            Self::Bodies(bodies) => Some(bodies.world.broad_phase()),
        }
    }

    /// The algorithm that does the work, and why.
    pub fn choice(&self) -> Choice {
        let (algorithm, reason) = (NONE.to_owned(), "none: nothing is looked for".to_owned());
        self.phase().map_or(Choice { algorithm, reason }, BroadPhase::choice)
    }

    /// Sends all to a point, as fast as they are.
    pub fn gather(&mut self, to: DVec3) {
        match self {
            Self::Nothing => {}
            Self::Crowd(crowd) => crowd.container.pull(to),
            Self::Bodies(bodies) => bodies.redirect(Some(to), 1.0),
        }
    }

    /// The middles of objects that overlap, pair by pair.
    pub fn middles(&self) -> Vec<[DVec3; 2]> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Crowd(crowd) => {
                let (first, centers) = (crowd.first(), crowd.container.centers());
                let middle = |i: u32| centers.get(i.checked_sub(first)? as usize).copied();
                crowd.pairs().iter().filter_map(|[i, j]| Some([middle(*i)?, middle(*j)?])).collect()
            }
            Self::Bodies(bodies) => {
                let middle = |handle| Some(bodies.world.motion(handle).ok()?.center);
                bodies.touching.iter().filter_map(|[a, b]| Some([middle(*a)?, middle(*b)?])).collect()
            }
        }
    }

    /// Draws them, those that overlap in another colour.
    pub fn draw(&self, scene: &mut Scene) {
        match self {
            Self::Nothing => {}
            Self::Crowd(crowd) => draw_crowd(scene, crowd),
            Self::Bodies(bodies) => {
                let mut together: Vec<_> = bodies.touching.iter().flatten().collect();
                together.sort_unstable();
                for (i, (handle, figure)) in bodies.list.iter().enumerate() {
                    let hit = together.binary_search(&handle).is_ok();
                    let color = if hit { Color::VERMILION } else { calm(i) };
                    if let Ok(pose) = bodies.world.pose(*handle) {
                        scene.figure(figure, &pose, color);
                    }
                }
            }
        }
    }
}

impl Holdable for Engine {
    type Id = usize;

    fn first(&self, ray: &Ray) -> Option<(usize, DVec3)> {
        match self {
            Self::Nothing => None,
            Self::Crowd(crowd) => crowd.container.first(ray),
            Self::Bodies(bodies) => {
                let (held, point) = bodies.world.first(ray)?;
                Some((bodies.list.iter().position(|(handle, _)| *handle == held)?, point))
            }
        }
    }

    fn motion(&self, i: usize) -> Option<(BodyState, f64)> {
        match self {
            Self::Nothing => None,
            Self::Crowd(crowd) => crowd.container.motion(i),
            Self::Bodies(bodies) => Holdable::motion(&bodies.world, bodies.list.get(i)?.0),
        }
    }

    fn nudge(&mut self, i: usize, impulse: DVec3, point: DVec3) {
        match self {
            Self::Nothing => {}
            Self::Crowd(crowd) => crowd.container.nudge(i, impulse, point),
            Self::Bodies(bodies) => bodies.world.nudge(bodies.list[i].0, impulse, point),
        }
    }
}

/// Colours of boxes that touch nothing.
fn calm(i: usize) -> Color {
    const CALM: [Color; 4] = [Color::BLUE, Color::SKY, Color::rgb(60, 140, 200), Color::rgb(110, 150, 190)];
    CALM[i % CALM.len()]
}

/// Draws boxes along the axes.
pub fn draw_crowd(scene: &mut Scene, crowd: &Crowd) {
    let (first, count) = (crowd.first(), crowd.container.len());
    let mut is_hit = vec![false; count];
    for i in crowd.pairs().iter().flatten() {
        if let Some(hit) = i.checked_sub(first).and_then(|i| is_hit.get_mut(i as usize)) {
            *hit = true;
        }
    }
    let all = crowd.container.centers().iter().zip(crowd.container.halves()).zip(is_hit);
    for (i, ((at, half), hit)) in all.enumerate().take(MOST_DRAWN) {
        let place = Placement { at: *at, rotation: DQuat::IDENTITY, scale: *half };
        scene.cube(place, if hit { Color::VERMILION } else { calm(i) }, Look::Plain);
    }
}
