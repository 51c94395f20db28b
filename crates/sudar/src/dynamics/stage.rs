//! A step of few bodies among many that rest: it costs what moves and what is near, whatever sleeps elsewhere.
//!
//! Bodies that move, those near them and all half-spaces are copied, in their order, and go through the step of the
//! solver as if there were no others; what comes of it is written back. It is the step that all bodies would do
//! together, to the bit. If a body leaves the box that it had to itself, others might have been in its way, and all do
//! the step instead.

use super::matter::Rigid;
use super::near::Near;
use super::settings::Settings;
use super::solver::{Contacts, Solved, Solver, Stance, resting_box, rouse};
use crate::math::par;
use crate::pair::aabb_aabb;
use crate::query::{BoxIndex, visit_meeting};
use crate::shape::Aabb;

/// The bodies that move, in order, as far as they are known and few.
#[derive(Debug, Clone, Default)]
pub struct Movers(Option<Vec<u32>>);

/// Worlds of fewer bodies always do the whole step, as long as any of them moves.
const MANY: usize = 64;
/// As do those of which at least one body of so many moves.
const FEW: usize = 8;

impl Movers {
    /// After bodies moved or changed of which nothing is known.
    pub fn find(&mut self, rigids: &[Rigid]) {
        let moving = (0..).zip(rigids).filter(|(_, rigid)| rigid.moves()).map(|(i, _)| i);
        let most = rigids.len() / FEW;
        let found: Vec<u32> = moving.take(most + 1).collect();
        self.0 = (found.len() <= most).then_some(found);
    }

    /// One more that may move.
    pub fn add(&mut self, i: u32) {
        if let Some(known) = &mut self.0
            && let Err(place) = known.binary_search(&i)
        {
            known.insert(place, i);
        }
    }

    /// Those that moved at the end of the last step, as far as they are known.
    pub fn known(&self) -> Option<&[u32]> {
        self.0.as_deref()
    }

    /// Those that move, if they are few.
    fn few(&mut self, rigids: &[Rigid]) -> Option<Vec<u32>> {
        let known = self.0.as_mut()?;
        known.retain(|&i| rigids[i as usize].moves());
        let is_few = known.is_empty() || rigids.len() >= MANY && known.len() <= rigids.len() / FEW;
        is_few.then(|| known.clone())
    }
}

/// The boxes by which searches find bodies.
pub fn boxes(rigids: &[Rigid]) -> Vec<Aabb> {
    let mut boxes = Vec::new();
    par::map_into(rigids, &mut boxes, 256, box_of);
    boxes
}

/// None of what has no end, which is looked at in every search.
pub fn box_of(rigid: &Rigid) -> Aabb {
    let is_in = rigid.is_here && rigid.radius.is_finite();
    if is_in { resting_box(rigid, &rigid.pose()) } else { Aabb::EMPTY }
}

/// The world at the start of a step, or of a part of one.
pub struct Stage<'s> {
    pub rigids: &'s mut [Rigid],
    pub near: &'s mut Near,
    pub solver: &'s mut Solver,
    pub settings: &'s Settings,
    pub index: &'s mut BoxIndex,
    pub movers: &'s mut Movers,
    pub seconds: f64,
    /// The number of the step.
    pub number: u64,
}

impl Stage<'_> {
    /// Advances all bodies, if few of them move.
    pub fn solve(&mut self) -> Option<Solved> {
        let movers = self.movers.few(self.rigids)?;
        if movers.is_empty() {
            return Some(Solved::default());
        }
        let (mut cast, mut contacts) = Cast::of(self, movers)?;
        let Self { near, solver, settings, seconds, .. } = self;
        let (mut joints, numbers) = solver.joints.cast(&cast.movers, |body| cast.place(body));
        joints.sort(&cast.bodies);
        std::mem::swap(&mut solver.contacts, &mut contacts);
        std::mem::swap(&mut solver.joints, &mut joints);
        let mut solved = solver.press(&mut cast.bodies, near, (settings, None), *seconds);
        std::mem::swap(&mut solver.contacts, &mut contacts);
        std::mem::swap(&mut solver.joints, &mut joints);
        let is_well = cast.bodies.iter().all(|rigid| rigid.motion.is_finite());
        if !is_well || solved.strays.iter().any(|space| cast.meets_others(self.index, self.rigids, space)) {
            return None;
        }
        let global = |pair: [u32; 2]| pair.map(|i| cast.slots[i as usize]);
        solved.touches.pairs.iter_mut().for_each(|(pair, _)| *pair = global(*pair));
        solved.touches.points.iter_mut().for_each(|point| point.pair = global(point.pair));
        contacts.rename(|i| cast.slots[i as usize]);
        solver.joints.replace(joints, &numbers);
        solver.contacts.replace(contacts, &cast.movers);
        cast.write_back(self);
        Some(solved)
    }
}

/// The bodies of such a step.
struct Cast {
    /// Their numbers in the world, in order.
    slots: Vec<u32>,
    bodies: Vec<Rigid>,
    /// The numbers of those that move.
    movers: Vec<u32>,
}

impl Cast {
    /// With the contacts at the start of the step, by the places of bodies here; none if a box is beyond the range of
    /// numbers. Bodies asleep that are touched wake up.
    fn of(stage: &mut Stage<'_>, mut movers: Vec<u32>) -> Option<(Self, Contacts)> {
        let Stage { rigids, near, solver, settings, seconds, index, .. } = stage;
        let mut contacts = solver.contacts.moving();
        let mut woken: Vec<u32> = Vec::new();
        loop {
            let mut tied = solver.joints.tied(&movers);
            tied.sort_unstable();
            tied.dedup();
            // What is joined to what moves, moves.
            let yields = |i: &u32| rigids[*i as usize].is_dynamic();
            let asleep = tied.iter().filter(|i| yields(i) && !rigids[**i as usize].moves());
            woken.extend(asleep);
            movers.extend(tied.iter().filter(|i| yields(i)));
            for list in [&mut movers, &mut woken] {
                list.sort_unstable();
                list.dedup();
            }
            let moving = moving(rigids, &movers, &woken, settings, *seconds);
            let mut pairs = near_pairs(rigids, near.endless(), index, &moving)?;
            pairs.retain(|pair| near.collide(*pair));
            near.count(pairs.len());
            let rests = |i: u32| movers.binary_search(&i).is_err();
            solver.contacts.lend(&mut contacts, &pairs);
            contacts.merge(&pairs, rests);
            let mut slots: Vec<u32> =
                pairs.iter().flatten().chain(&movers).chain(&tied).chain(near.endless()).copied().collect();
            slots.sort_unstable();
            slots.dedup();
            let mut bodies: Vec<Rigid> = slots.iter().map(|&i| rigids[i as usize].clone()).collect();
            let place = |i: u32| slots.binary_search(&i).unwrap_or_default() as u32;
            woken.iter().for_each(|&i| rouse(&mut bodies[place(i) as usize]));
            contacts.rename(place);
            contacts.stand(&bodies, settings, *seconds);
            if !contacts.meet(&mut bodies) {
                return Some((Self { slots, bodies, movers }, contacts));
            }
            let awake =
                (0..).zip(&bodies).filter(|(_, rigid)| rigid.moves()).map(|(k, _): (usize, _)| slots[k]);
            woken = awake.filter(|&i| !rigids[i as usize].moves()).collect();
            movers.extend(&woken);
            movers.sort_unstable();
            movers.dedup();
            contacts.rename(|k| slots[k as usize]);
        }
    }

    fn place(&self, body: u32) -> u32 {
        self.slots.binary_search(&body).unwrap_or_default() as u32
    }

    /// Whether a body that was left out may be met in a space.
    fn meets_others(&self, index: &mut BoxIndex, rigids: &[Rigid], space: &Aabb) -> bool {
        let is_known = space.min.is_finite() && space.max.is_finite();
        let mut found = !is_known;
        let tree = index.tree(|| boxes(rigids));
        visit_meeting(
            tree,
            |other| aabb_aabb(other, space),
            |j| found |= self.slots.binary_search(&j).is_err(),
        );
        found
    }

    fn write_back(self, stage: &mut Stage<'_>) {
        let mut moving = Vec::new();
        for (slot, body) in self.slots.into_iter().zip(self.bodies) {
            let rigid = &mut stage.rigids[slot as usize];
            if body.moves() {
                rigid.mark(stage.number);
            }
            (rigid.motion, rigid.asleep, rigid.slow_for) = (body.motion, body.asleep, body.slow_for);
            if rigid.moves() {
                moving.push(slot);
            }
            // It may have been pushed out of the box that it had to itself.
            if self.movers.binary_search(&slot).is_ok() {
                stage.index.set(slot, box_of(rigid));
            }
        }
        stage.movers.0 = Some(moving);
    }
}

/// The bodies that move, and the boxes that they keep to themselves.
fn moving(
    rigids: &[Rigid],
    movers: &[u32],
    woken: &[u32],
    settings: &Settings,
    seconds: f64,
) -> Vec<(u32, Aabb)> {
    let reserved = |&i: &u32| {
        let rigid = &rigids[i as usize];
        if woken.binary_search(&i).is_err() {
            return (i, Stance::new(rigid, settings, seconds).reserved);
        }
        let mut awake = rigid.clone();
        rouse(&mut awake);
        (i, Stance::new(&awake, settings, seconds).reserved)
    };
    movers.iter().map(reserved).collect()
}

/// The pairs whose boxes overlap and whose contacts count, sorted; none if a box has no end.
fn near_pairs(
    rigids: &[Rigid],
    endless: &[u32],
    index: &mut BoxIndex,
    moving: &[(u32, Aabb)],
) -> Option<Vec<[u32; 2]>> {
    index.tree(|| boxes(rigids));
    for &(i, aabb) in moving {
        if !(aabb.min.is_finite() && aabb.max.is_finite()) {
            return None;
        }
        index.set(i, aabb);
    }
    let tree = index.tree(|| {
        let mut boxes = boxes(rigids);
        moving.iter().for_each(|&(i, aabb)| boxes[i as usize] = aabb);
        boxes
    });
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    for &(i, aabb) in moving {
        let rigid = &rigids[i as usize];
        let mut add = |j: u32| pairs.push([i.min(j), i.max(j)]);
        visit_meeting(
            tree,
            |other| aabb_aabb(other, &aabb),
            |j| {
                let other = &rigids[j as usize];
                let meets = || match moving.binary_search_by_key(&j, |(j, _)| *j) {
                    Ok(place) => aabb_aabb(&moving[place].1, &aabb),
                    Err(_) => aabb_aabb(&box_of(other), &aabb),
                };
                if j != i && rigid.meets(other) && meets() {
                    add(j);
                }
            },
        );
        let planes = endless.iter().filter(|&&plane| plane != i && rigid.meets(&rigids[plane as usize]));
        planes
            .filter(|&&plane| super::near::reaches(&rigids[plane as usize], &aabb))
            .for_each(|&plane| add(plane));
    }
    pairs.sort_unstable();
    pairs.dedup();
    Some(pairs)
}
