//! What moves by a plan: kinematic bodies along paths, and characters.

use sudar::dynamics::{Character, DynamicsError, Handle, World};
use sudar::{DQuat, DVec3, Pose};

/// A place on a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathKey {
    /// When it is there, in seconds, later than the key before.
    pub time: f64,
    /// The origin of its frame.
    pub position: DVec3,
    /// Its rotation, a unit quaternion.
    pub rotation: DQuat,
}

/// What a body does at the end of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PathEnd {
    /// It stays there.
    #[default]
    Stay,
    /// It begins again from the first key, at once.
    Loop,
    /// It goes back the way it came, and begins again.
    Back,
}

/// The path of a kinematic body: straight from key to key, turning evenly.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The number of the body in the scene.
    pub body: usize,
    /// At least one.
    pub keys: Vec<PathKey>,
    /// What comes after the last.
    pub end: PathEnd,
}

impl Path {
    /// Where the body is at a time.
    pub fn at(&self, time: f64) -> (DVec3, DQuat) {
        let [Some(first), Some(last)] = [self.keys.first(), self.keys.last()] else {
            return (DVec3::ZERO, DQuat::IDENTITY);
        };
        let length = last.time - first.time;
        let passed = time - first.time;
        let time = match self.end {
            PathEnd::Loop if length > 0.0 && passed > 0.0 => first.time + passed % length,
            PathEnd::Back if length > 0.0 && passed > 0.0 => {
                let within = passed % (2.0 * length);
                first.time + within.min(2.0 * length - within)
            }
            PathEnd::Stay | PathEnd::Loop | PathEnd::Back => time,
        };
        let next = self.keys.partition_point(|key| key.time <= time);
        match (next.checked_sub(1).map(|k| self.keys[k]), self.keys.get(next)) {
            (Some(from), Some(to)) => {
                let share = (time - from.time) / (to.time - from.time);
                (from.position.lerp(to.position, share), from.rotation.slerp(to.rotation, share))
            }
            (Some(key), None) => (key.position, key.rotation),
            (None, _) => (first.position, first.rotation),
        }
    }
}

/// What a character is to do from a time on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Order {
    /// From when on, in seconds.
    pub time: f64,
    /// How it walks, in m/s.
    pub velocity: DVec3,
    /// How fast it jumps once then, in m/s; 0 for not at all.
    pub jump: f64,
}

/// A character with its orders.
#[derive(Debug, Clone)]
pub struct SceneCharacter {
    /// The number of the kinematic body in the scene that goes with it.
    pub body: usize,
    /// The character at its start, without that body.
    pub character: Character,
    /// In the order of their times.
    pub orders: Vec<Order>,
}

/// All that moves by a plan in a scene. Each step begins with [`act`](Self::act).
#[derive(Debug, Clone, Default)]
pub struct Actors {
    /// Kinematic bodies on paths.
    pub paths: Vec<Path>,
    /// Characters.
    pub characters: Vec<SceneCharacter>,
    /// Characters as they are, and how many orders of each are done; empty before the first step.
    running: Vec<(Character, usize)>,
    /// The bodies of the scene in its world.
    handles: Vec<Handle>,
}

impl Actors {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.characters.is_empty()
    }

    /// Looks its bodies up in the world of the scene, to which nothing was added yet. [`act`](Self::act) does so at
    /// first.
    pub fn bind(&mut self, world: &World) {
        self.handles = world.bodies().map(|(handle, _)| handle).collect();
        let own = |actor: &SceneCharacter| {
            let (body, character) = (self.handles.get(actor.body), actor.character.clone());
            (body.map_or(character.clone(), |body| character.with_body(*body)), 0)
        };
        self.running = self.characters.iter().map(own).collect();
    }

    /// Moves everything for a step of the world of the scene, which is to follow. Bodies that are gone no longer move.
    ///
    /// # Errors
    /// [`DynamicsError`] for numbers that the world does not take.
    pub fn act(&mut self, world: &mut World, seconds: f64) -> Result<(), DynamicsError> {
        if self.is_empty() {
            return Ok(());
        }
        if self.handles.is_empty() {
            self.bind(world);
        }
        let end = world.time() + seconds;
        for path in &self.paths {
            let Some(body) = self.handles.get(path.body).filter(|body| world.body(**body).is_ok()) else {
                continue;
            };
            let (position, rotation) = path.at(end);
            let Ok(pose) = Pose::new(position, rotation) else { continue };
            world.move_to(*body, &pose, seconds)?;
        }
        for (actor, (character, done)) in self.characters.iter().zip(&mut self.running) {
            if self.handles.get(actor.body).is_none_or(|body| world.body(*body).is_err()) {
                continue;
            }
            let due = actor.orders.partition_point(|order| order.time <= world.time());
            for order in &actor.orders[*done..due] {
                if order.jump > 0.0 {
                    character.jump(order.jump);
                }
            }
            *done = due;
            let now = due.checked_sub(1).map(|k| actor.orders[k].velocity);
            character.walk(world, now.unwrap_or(DVec3::ZERO), seconds)?;
        }
        Ok(())
    }

    /// The characters as they are, in the order of the scene; none before the first step.
    pub fn running(&self) -> impl Iterator<Item = &Character> {
        self.running.iter().map(|(character, _)| character)
    }
}
