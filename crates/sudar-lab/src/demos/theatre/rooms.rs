//! Cells and portals (Dimitrijević 2019, 3.4): walkers in rooms, compared with those whom they can reach, and drawn
//! where an eye can see them.

use sudar::broad::{BroadPhase, Handle, Mobility};
use sudar::{Aabb, DQuat, DVec3, Pose};
use sudar_classic::broad::{cells_and_portals, cells_in_sight};
use sudar_view::{Color, Look, Placement, Scene};

use crate::demos::random::Random;

/// Rooms along a side, width of a room, thickness of walls, width of doors, height: in m.
const SIDE: usize = 4;
const ROOM: f64 = 6.0;
const WALL: f64 = 0.5;
const DOOR: f64 = 1.6;
const HIGH: f64 = 3.0;

/// Tangents of half the angles of the eye's view.
const TANGENTS: [f64; 2] = [0.7, 0.5];

/// Colours of rooms and walkers.
pub const LEGEND: [(Color, &str); 4] = [
    (Color::YELLOW, "room that the eye sees through the doors"),
    (Color::SKY, "walker in a room that is seen"),
    (Color::rgb(70, 90, 110), "walker in another room"),
    (Color::VERMILION, "walkers whose boxes overlap"),
];

/// Somebody who walks from room to room.
struct Walker {
    at: DVec3,
    room: usize,
    /// Where to: through a door, then to the middle of the next room.
    goals: Vec<DVec3>,
    next: usize,
    speed: f64,
}

/// Rooms, doors between them, walkers, and an eye that turns.
pub struct Rooms {
    cells: Vec<Aabb>,
    /// Neighbours of each room with the middle of the door.
    doors: Vec<Vec<(usize, DVec3)>>,
    walkers: Vec<Walker>,
    phase: Box<dyn BroadPhase>,
    handles: Vec<Handle>,
    random: Random,
    eye: Pose,
    seen: Vec<bool>,
    time: f64,
}

impl Rooms {
    pub fn new(count: u32) -> Result<Self, String> {
        let (cells, doors) = plan();
        let mut random = Random::new(5);
        let mut phase = cells_and_portals(cells.clone());
        let (mut walkers, mut handles) = (Vec::new(), Vec::new());
        for i in 0..count as usize {
            let room = i % (SIDE * SIDE);
            let at = cells[room].center() + random.within(DVec3::new(0.4 * ROOM, 0.4 * ROOM, 0.0)) - DVec3::Z;
            let walker = Walker { at, room, goals: Vec::new(), next: room, speed: random.between(0.8, 2.0) };
            handles.push(phase.insert(body(&walker), Mobility::Moving).map_err(|error| error.to_string())?);
            walkers.push(walker);
        }
        let seen = vec![true; cells.len()];
        Ok(Self { cells, doors, walkers, phase, handles, random, eye: Pose::IDENTITY, seen, time: 0.0 })
    }

    pub fn step(&mut self, seconds: f64) {
        self.time += seconds;
        for i in 0..self.walkers.len() {
            if self.walkers[i].goals.is_empty() {
                self.choose(i);
            }
            self.walkers[i].walk(seconds);
            // A box of finite numbers is never refused.
            let _ = self.phase.update(self.handles[i], body(&self.walkers[i]));
        }
        self.phase.step();
        self.look();
    }

    fn choose(&mut self, i: usize) {
        let room = self.walkers[i].next;
        let doors = &self.doors[room];
        let pick = (self.random.between(0.0, doors.len() as f64) as usize).min(doors.len() - 1);
        let (next, door) = doors[pick];
        let aside = self.random.within(DVec3::new(0.35 * ROOM, 0.35 * ROOM, 0.0));
        let walker = &mut self.walkers[i];
        let floor = walker.at.z;
        let goal = self.cells[next].center() + aside;
        walker.goals = vec![goal.with_z(floor), door.with_z(floor)];
        (walker.room, walker.next) = (room, next);
    }

    /// The eye stands in the second room and turns.
    fn look(&mut self) {
        let at = self.cells[SIDE + 1].center();
        let turn =
            DQuat::from_rotation_z(0.4 * self.time) * DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        self.eye = Pose::new(at, turn).unwrap_or(self.eye);
        self.seen = cells_in_sight(&self.cells, &self.eye, TANGENTS);
    }

    pub fn draw(&self, scene: &mut Scene) {
        for (cell, seen) in self.cells.iter().zip(&self.seen) {
            let color = if *seen { Color::rgb(150, 140, 90) } else { Color::rgb(60, 66, 76) };
            let flat = 0.5 * cell.extent().with_z(0.1);
            let place = Placement {
                at: cell.center().with_z(cell.min.z - 0.05),
                rotation: DQuat::IDENTITY,
                scale: flat,
            };
            scene.cube(place, color, Look::Plain);
            scene.edges(cell, if *seen { Color::YELLOW } else { Color::STONE.faded(0.5) }, 1.5);
        }
        let mut colors: Vec<Color> = self.walkers.iter().map(|walker| self.color(walker)).collect();
        for [i, j] in self.phase.pairs() {
            [*i, *j].into_iter().for_each(|k| colors[k as usize] = Color::VERMILION);
        }
        for (walker, color) in self.walkers.iter().zip(colors) {
            scene.aabb(&body(walker), color);
        }
        self.draw_eye(scene);
    }

    fn color(&self, walker: &Walker) -> Color {
        let is_seen = |(cell, seen): (&Aabb, &bool)| *seen && cell.contains(walker.at);
        if self.cells.iter().zip(&self.seen).any(is_seen) { Color::SKY } else { Color::rgb(70, 90, 110) }
    }

    fn draw_eye(&self, scene: &mut Scene) {
        let at = self.eye.translation();
        scene.ball(at, 0.25, Color::WHITE);
        for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
            let way = self.eye.rotate(DVec3::new(x * TANGENTS[0], y * TANGENTS[1], -1.0));
            scene.line(at, at + way * 9.0, Color::WHITE.faded(0.7), 1.5);
        }
    }

    pub fn lines(&self) -> Vec<String> {
        let (seen, all) = (self.seen.iter().filter(|seen| **seen).count(), self.cells.len());
        let (counters, n) = (self.phase.counters(), self.walkers.len());
        vec![
            format!("{seen} of {all} cells can be seen (yellow)"),
            format!(
                "{} tests instead of {}, {} pairs",
                counters.tests,
                n * n.saturating_sub(1) / 2,
                self.phase.pairs().len()
            ),
        ]
    }
}

impl Walker {
    fn walk(&mut self, seconds: f64) {
        let Some(goal) = self.goals.last().copied() else { return };
        let (way, step) = (goal - self.at, self.speed * seconds);
        if way.length() <= step {
            self.at = goal;
            self.goals.pop();
        } else {
            self.at += way.normalize() * step;
        }
    }
}

fn body(walker: &Walker) -> Aabb {
    // Off the floor, which touches nothing below.
    let half = DVec3::new(0.3, 0.3, 0.45);
    Aabb { min: walker.at - half, max: walker.at + half }
}

type Doors = Vec<Vec<(usize, DVec3)>>;

/// Rooms first, then doors, which are cells in the walls.
fn plan() -> (Vec<Aabb>, Doors) {
    let (pitch, middle) = (ROOM + WALL, 0.5 * (SIDE as f64 - 1.0));
    let center =
        |i: usize, j: usize| DVec3::new((i as f64 - middle) * pitch, (j as f64 - middle) * pitch, 0.5 * HIGH);
    let all = || (0..SIDE * SIDE).map(|k| (k % SIDE, k / SIDE));
    let half = DVec3::new(0.5 * ROOM, 0.5 * ROOM, 0.5 * HIGH);
    let mut cells: Vec<Aabb> =
        all().map(|(i, j)| Aabb { min: center(i, j) - half, max: center(i, j) + half }).collect();
    let mut doors: Doors = vec![Vec::new(); SIDE * SIDE];
    for (i, j) in all() {
        for (k, [p, q]) in [[1, 0], [0, 1]].into_iter().enumerate() {
            // Some walls have no door.
            if i + p >= SIDE || j + q >= SIDE || (i + 2 * j + k) % 5 == 4 {
                continue;
            }
            let (a, b) = (j * SIDE + i, (j + q) * SIDE + i + p);
            let at = 0.5 * (center(i, j) + center(i + p, j + q));
            let mut size = DVec3::new(0.5 * DOOR, 0.5 * DOOR, 0.5 * HIGH);
            size[k] = 0.5 * WALL;
            cells.push(Aabb { min: at - size, max: at + size });
            doors[a].push((b, at));
            doors[b].push((a, at));
        }
    }
    (cells, doors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walkers_stay_in_cells_and_meet_those_that_all_would_meet() {
        let mut rooms = Rooms::new(80).unwrap();
        let (mut met, mut walked) = (0, 0);
        for _ in 0..1200 {
            rooms.step(1.0 / 30.0);
            let boxes: Vec<Aabb> = rooms.walkers.iter().map(body).collect();
            assert_eq!(rooms.phase.pairs(), sudar::broad::candidate_pairs(&boxes));
            met += rooms.phase.pairs().len();
            walked +=
                rooms.walkers.iter().filter(|w| !rooms.cells[..16].iter().any(|c| c.contains(w.at))).count();
            assert!(rooms.walkers.iter().all(|w| rooms.cells.iter().any(|c| c.contains(w.at))));
        }
        assert!(met > 100 && walked > 100, "{met} {walked}");
    }

    #[test]
    fn rooms_hide_rooms() {
        let mut rooms = Rooms::new(10).unwrap();
        let (mut least, mut most) = (usize::MAX, 0);
        for _ in 0..400 {
            rooms.step(1.0 / 20.0);
            let seen = rooms.seen.iter().filter(|seen| **seen).count();
            (least, most) = (least.min(seen), most.max(seen));
        }
        assert!(least < 6 && most > least && most < rooms.cells.len(), "{least} {most}");
    }
}
