//! Which bodies may touch: a broad phase over their boxes, and half-spaces apart from it.

use crate::broad::{BroadError, BroadPhase, Handle, Mobility};
use crate::shape::Aabb;

use super::error::DynamicsError;
use super::matter::{BodyType, Outline, Rigid};
use super::work::{StepWork, Watch};

/// The broad phase of a world. Bodies without end are not in it.
#[derive(Clone)]
pub struct Near {
    phase: Box<dyn BroadPhase>,
    /// Of each body.
    handles: Vec<Option<Handle>>,
    /// The body of each number in the broad phase.
    slots: Vec<u32>,
    endless: Vec<u32>,
    /// Pairs that do not collide, since a joint ties them; sorted.
    apart: Vec<[u32; 2]>,
    pub watch: Watch,
    /// Of the step so far.
    pub work: StepWork,
}

impl std::fmt::Debug for Near {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Near").field("broad_phase", &self.phase.name()).finish_non_exhaustive()
    }
}

impl Near {
    pub fn new(phase: Box<dyn BroadPhase>) -> Self {
        Self {
            phase,
            handles: Vec::new(),
            slots: Vec::new(),
            endless: Vec::new(),
            apart: Vec::new(),
            watch: Watch::default(),
            work: StepWork::default(),
        }
    }

    /// The same over other bodies, of which many are the same; none if all are.
    ///
    /// # Errors
    /// [`DynamicsError::OutOfRange`].
    pub fn with_bodies(&self, before: &[Rigid], now: &[Rigid]) -> Result<Option<Self>, DynamicsError> {
        let mut near: Option<Self> = None;
        let lost = |name: &str| DynamicsError::OutOfRange { body: name.to_owned() };
        for slot in 0..before.len().max(now.len()) {
            let [old, new] = [before, now].map(|all| all.get(slot).filter(|rigid| rigid.is_here));
            if let (Some(old), Some(new)) = (old, new)
                && old.is_same(new)
            {
                continue;
            }
            if old.is_none() && new.is_none() {
                continue;
            }
            let near = near.get_or_insert_with(|| self.clone());
            if let Some(old) = old {
                near.remove(slot as u32).map_err(|_| lost(&old.given.name))?;
            }
            if let Some(new) = new {
                near.insert(slot as u32, new).map_err(|_| lost(&new.given.name))?;
            }
        }
        Ok(near)
    }

    pub fn insert(&mut self, slot: u32, rigid: &Rigid) -> Result<(), BroadError> {
        self.handles.resize(self.handles.len().max(slot as usize + 1), None);
        if !rigid.radius.is_finite() {
            self.endless.push(slot);
            return Ok(());
        }
        let mobility = if rigid.kind() == BodyType::Static { Mobility::Static } else { Mobility::Moving };
        let handle = self.phase.insert(rigid.given.body.bounds(&rigid.pose()), mobility)?;
        let number = handle.index() as usize;
        self.slots.resize(self.slots.len().max(number + 1), 0);
        self.slots[number] = slot;
        self.handles[slot as usize] = Some(handle);
        Ok(())
    }

    pub fn remove(&mut self, slot: u32) -> Result<(), BroadError> {
        self.endless.retain(|s| *s != slot);
        match self.handles[slot as usize].take() {
            Some(handle) => self.phase.remove(handle),
            None => Ok(()),
        }
    }

    /// The pairs of bodies whose boxes overlap and whose contacts count, sorted. `boxes` are those of all bodies.
    pub fn pairs(&mut self, rigids: &[Rigid], boxes: &[Aabb]) -> Result<Vec<[u32; 2]>, BroadError> {
        let start = self.watch.now();
        let pairs = self.search(rigids, boxes)?;
        self.work.searches += 1;
        self.work.pairs = pairs.len();
        self.work.counters += self.phase.counters();
        self.work.broad_seconds += self.watch.now() - start;
        Ok(pairs)
    }

    /// Counts a search that needed no broad phase.
    pub fn count(&mut self, pairs: usize) {
        self.work.searches += 1;
        self.work.pairs = pairs;
    }

    /// Calls `narrow` and counts its time, but for that of the broad phase in it.
    pub fn narrow<T>(&mut self, narrow: impl FnOnce(&mut Self) -> T) -> T {
        let (start, broad) = (self.watch.now(), self.work.broad_seconds);
        let found = narrow(self);
        self.work.narrow_seconds += self.watch.now() - start - (self.work.broad_seconds - broad);
        found
    }

    /// The broad phase.
    pub fn phase(&self) -> &dyn BroadPhase {
        &*self.phase
    }

    fn search(&mut self, rigids: &[Rigid], boxes: &[Aabb]) -> Result<Vec<[u32; 2]>, BroadError> {
        let live = self.handles.iter().zip(boxes).filter_map(|(handle, aabb)| handle.map(|h| (h, *aabb)));
        let (handles, boxes_now): (Vec<Handle>, Vec<Aabb>) = live.unzip();
        self.phase.update_all(&handles, &boxes_now)?;
        self.phase.step();
        let counts = |[i, j]: [u32; 2]| {
            let (a, b) = (&rigids[i as usize], &rigids[j as usize]);
            a.meets(b) && (a.moves() || b.moves()) && self.collide([i, j])
        };
        let slots = &self.slots;
        let ordered = |[i, j]: &[u32; 2]| {
            let (i, j) = (slots[*i as usize], slots[*j as usize]);
            [i.min(j), i.max(j)]
        };
        // Planes are often the first bodies, and then all is sorted.
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for &plane in &self.endless {
            let rows = (0..rigids.len() as u32).filter(|&i| i != plane && self.handles[i as usize].is_some());
            let near = rows.filter(|&i| reaches(&rigids[plane as usize], &boxes[i as usize]));
            pairs.extend(near.map(|i| [i.min(plane), i.max(plane)]).filter(|pair| counts(*pair)));
        }
        pairs.extend(self.phase.pairs().iter().map(ordered).filter(|pair| counts(*pair)));
        pairs.sort_unstable();
        Ok(pairs)
    }

    /// Pairs that do not collide from now on, sorted.
    pub fn set_apart(&mut self, apart: &[[u32; 2]]) {
        self.apart = apart.to_vec();
    }

    /// Whether no joint keeps two bodies from colliding.
    pub fn collide(&self, pair: [u32; 2]) -> bool {
        self.apart.is_empty() || self.apart.binary_search(&pair).is_err()
    }

    /// Bodies without end.
    pub fn endless(&self) -> &[u32] {
        &self.endless
    }
}

/// Whether a half-space may reach into a box.
pub fn reaches(plane: &Rigid, aabb: &Aabb) -> bool {
    match plane.form {
        Outline::Wall { normal, offset } => {
            let (middle, half) = (aabb.center(), aabb.extent() * 0.5);
            normal.dot(middle) - normal.abs().dot(half) <= offset + 1e-9 * aabb.reach()
        }
        Outline::Convex | Outline::Other => true,
    }
}
