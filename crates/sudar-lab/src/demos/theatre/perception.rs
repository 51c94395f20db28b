//! Exact tests under a budget, the best seen first (Daneu 2002, 4.1.4; Dingliana and O'Sullivan 2000).

use sudar::broad::{BroadPhase, Handle, Mobility};
use sudar::dynamics::BodyState;
use sudar::effort::Budget;
use sudar::query::{Body, Work};
use sudar::{Aabb, DQuat, DVec3, Frustum, Pose, Ray};
use sudar_classic::schedule::{Eye, Frame, Policy, Scheduler, Tested};
use sudar_view::{Camera, Color, Figure, Scene};

use crate::demos::hand::Holdable;
use crate::demos::random::Random;

/// Orders of tests, by name.
pub const POLICIES: [&str; 3] = ["sequential", "queues", "shares"];

/// Half width of the field of bodies, in m.
const FIELD: f64 = 12.0;

/// Colours of fighters and of lines between them.
pub const LEGEND: [(Color, &str); 5] = [
    (Color::STONE, "near no other"),
    (Color::GREEN, "tested now (in this order): apart"),
    (Color::VERMILION, "tested now: collide"),
    (Color::PURPLE, "cut off: not decided"),
    (Color::YELLOW, "left for later"),
];

struct Flyer {
    pose: Pose,
    rotation: DQuat,
    velocity: DVec3,
    spin: DVec3,
}

/// Fighters that fly through each other, tested as well as there is work for it.
pub struct Perception {
    body: Body,
    figure: Figure,
    flyers: Vec<Flyer>,
    phase: Box<dyn BroadPhase>,
    handles: Vec<Handle>,
    scheduler: Scheduler,
    frame: Frame,
}

impl Perception {
    pub fn new(count: u32, policy: &str) -> Result<Self, String> {
        let shape = sudar_scene::fighter().map_err(|error| error.to_string())?;
        let (body, figure) = (Body::new(shape.clone()), Figure::new(&shape));
        let mut random = Random::new(11);
        let flyers: Vec<Flyer> = (0..count)
            .map(|_| Flyer {
                pose: Pose::IDENTITY,
                rotation: random.rotation(),
                velocity: random.direction() * random.between(0.5, 2.0),
                spin: random.direction() * random.between(0.2, 1.0),
            })
            .collect();
        let scheduler = Scheduler::new(policy_of(policy, count));
        let phase = sudar::broad::auto();
        let mut made =
            Self { body, figure, flyers, phase, handles: Vec::new(), scheduler, frame: Frame::default() };
        for i in 0..made.flyers.len() {
            let at = random.within(DVec3::new(FIELD, FIELD, 0.4 * FIELD));
            made.place(i, at);
            let aabb = made.aabb(i);
            made.handles.push(made.phase.insert(aabb, Mobility::Moving).map_err(|error| error.to_string())?);
        }
        Ok(made)
    }

    fn place(&mut self, i: usize, at: DVec3) {
        let flyer = &mut self.flyers[i];
        flyer.pose = Pose::new(at, flyer.rotation).unwrap_or(flyer.pose);
    }

    fn aabb(&self, i: usize) -> Aabb {
        self.body.aabb(&self.flyers[i].pose)
    }

    /// Moves on, then tests as much as the budget allows.
    pub fn step(&mut self, seconds: f64, budget: &Budget, camera: &Camera, aspect: f64) {
        let room = DVec3::new(FIELD, FIELD, 0.4 * FIELD);
        for i in 0..self.flyers.len() {
            let flyer = &mut self.flyers[i];
            flyer.rotation = (DQuat::from_scaled_axis(flyer.spin * seconds) * flyer.rotation).normalize();
            let at = flyer.pose.translation() + flyer.velocity * seconds;
            for k in 0..3 {
                if at[k].abs() > room[k] {
                    flyer.velocity[k] = -flyer.velocity[k].abs().copysign(at[k]);
                }
            }
            self.place(i, at);
            let aabb = self.aabb(i);
            // A box of finite numbers is never refused.
            let _ = self.phase.update(self.handles[i], aabb);
        }
        self.phase.step();
        self.test(budget, camera, aspect);
    }

    fn test(&mut self, budget: &Budget, camera: &Camera, aspect: f64) {
        let boxes: Vec<Aabb> = (0..self.flyers.len()).map(|i| self.aabb(i)).collect();
        let eye = Eye { position: camera.eye, view: view(camera, aspect) };
        let importance = |[i, j]: [u32; 2]| eye.importance(&boxes[i as usize], &boxes[j as usize]);
        let (body, flyers) = (&self.body, &self.flyers);
        let test = |[i, j]: [u32; 2], budget: &Budget| {
            let mut work = Work::new(*budget);
            let [a, b] = [i, j].map(|k| &flyers[k as usize].pose);
            let found = work.intersects(body.at(a), body.at(b));
            Tested { collides: found.decided(), nodes: work.statistics().nodes }
        };
        let pairs = self.phase.pairs();
        self.frame = self.scheduler.run(pairs, importance, budget, test).clone();
    }

    /// Fighters by what is known of them, and a line for each active pair.
    pub fn draw(&self, scene: &mut Scene) {
        let mut colors = vec![Color::STONE; self.flyers.len()];
        let lists: [(&[[u32; 2]], Color); 4] = [
            (&self.frame.tested, Color::GREEN),
            (&self.frame.late, Color::YELLOW),
            (&self.frame.undecided, Color::PURPLE),
            (&self.frame.real, Color::VERMILION),
        ];
        for (pairs, color) in lists {
            for [i, j] in pairs {
                let [a, b] = [*i, *j].map(|k| self.flyers[k as usize].pose.translation());
                scene.line_on_top(a, b, color, 2.5);
                [*i, *j].into_iter().for_each(|k| colors[k as usize] = color);
            }
        }
        for (order, [i, j]) in self.frame.tested.iter().enumerate() {
            let [a, b] = [*i, *j].map(|k| self.flyers[k as usize].pose.translation());
            scene.label(0.5 * (a + b), (order + 1).to_string(), Color::WHITE);
        }
        for (flyer, color) in self.flyers.iter().zip(colors) {
            scene.figure(&self.figure, &flyer.pose, color);
        }
    }

    /// Whether a test was cut off or left for later in this frame.
    pub fn is_cut_off(&self) -> bool {
        !self.frame.undecided.is_empty()
    }

    pub fn lines(&self) -> Vec<String> {
        let Frame { real, undecided, late, tested, nodes } = &self.frame;
        vec![
            format!("{} active pairs, {nodes} nodes of work", self.phase.pairs().len()),
            format!("{} tested now, {} later", tested.len(), late.len()),
            format!("{} cut off, {} collide", undecided.len(), real.len()),
        ]
    }

    #[cfg(test)]
    pub fn frame(&self) -> &Frame {
        &self.frame
    }
}

impl Holdable for Perception {
    /// In the first place of the theatre, and which fighter.
    type Id = (usize, usize);

    fn first(&self, ray: &Ray) -> Option<(Self::Id, DVec3)> {
        let hit = |i: usize| {
            let hit = sudar::query::ray(self.body.at(&self.flyers[i].pose), ray, f64::INFINITY)?;
            Some((i, hit))
        };
        let hits = (0..self.flyers.len()).filter_map(hit);
        let (i, hit) = hits.min_by(|(_, a), (_, b)| a.t.total_cmp(&b.t))?;
        Some(((0, i), hit.point))
    }

    fn motion(&self, (_, i): Self::Id) -> Option<(BodyState, f64)> {
        let Flyer { pose, rotation, velocity, spin } = self.flyers.get(i)?;
        let center = pose.translation();
        Some((BodyState { center, rotation: *rotation, velocity: *velocity, angular_velocity: *spin }, 1.0))
    }

    /// They go on turning as they do.
    fn nudge(&mut self, (_, i): Self::Id, impulse: DVec3, _: DVec3) {
        self.flyers[i].velocity += impulse;
    }
}

fn policy_of(name: &str, objects: u32) -> Policy {
    match name {
        "queues" => Policy::queues(),
        "shares" => Policy::Shares { objects },
        _ => Policy::Sequential,
    }
}

/// What the camera sees.
fn view(camera: &Camera, aspect: f64) -> Option<Frustum> {
    let [right, up] = camera.axes();
    let rotation = sudar::DMat3::from_cols(right, up, -camera.forward);
    let pose = Pose::from_matrix(rotation, camera.eye).ok()?;
    let tangent = libm::tan(0.5 * camera.field);
    Frustum::perspective(&pose, [tangent * aspect, tangent], 0.1, 200.0).ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_small_budget_leaves_pairs_for_later_and_a_large_one_none() {
        let camera = Camera::look_at(DVec3::new(0.0, -20.0, 8.0), DVec3::ZERO);
        for policy in POLICIES {
            let mut perception = Perception::new(60, policy).unwrap();
            let (mut short, mut tested) = (0, 0);
            for _ in 0..60 {
                perception.step(1.0 / 60.0, &Budget::nodes(60), &camera, 1.6);
                short += perception.frame().late.len() + perception.frame().undecided.len();
                tested += perception.frame().tested.len();
            }
            assert!(tested > 60, "{policy}");
            assert!(short > 0, "{policy}");
            perception.step(1.0 / 60.0, &Budget::nodes(1_000_000), &camera, 1.6);
            assert!(
                perception.frame().late.is_empty() && perception.frame().undecided.is_empty(),
                "{policy}"
            );
        }
    }

    #[test]
    fn time_ends_the_tests_too() {
        let camera = Camera::look_at(DVec3::new(0.0, -20.0, 8.0), DVec3::ZERO);
        for policy in POLICIES {
            let mut perception = Perception::new(60, policy).unwrap();
            let mut short = |time| {
                perception.step(1.0 / 60.0, &Budget::time(time), &camera, 1.6);
                perception.frame().late.len() + perception.frame().undecided.len()
            };
            let (none, plenty) = (short(Duration::ZERO), short(Duration::from_secs(60)));
            assert!(none > 0 && plenty == 0, "{policy}: {none} {plenty}");
        }
    }

    #[test]
    fn what_is_near_is_tested_first() {
        let camera = Camera::look_at(DVec3::new(0.0, -14.0, 2.0), DVec3::ZERO);
        let mut perception = Perception::new(60, "sequential").unwrap();
        perception.step(1.0 / 60.0, &Budget::nodes(1_000_000), &camera, 1.6);
        let away = |[i, j]: &[u32; 2]| {
            let at = |k: u32| perception.aabb(k as usize).center();
            (at(*i) - camera.eye).length().min((at(*j) - camera.eye).length())
        };
        let all = &perception.frame().tested;
        let half = all.len() / 2;
        let mean = |pairs: &[[u32; 2]]| pairs.iter().map(away).sum::<f64>() / pairs.len() as f64;
        assert!(half > 3 && mean(&all[..half]) < mean(&all[half..]));
    }
}
