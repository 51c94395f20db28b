//! The same scene without broad phase, memories or filters made ready: every pair by itself.

use std::collections::{BTreeMap, BTreeSet};

use sudar::Pose;
use sudar::broad::{Handle, Mobility};
use sudar::many::Object;
use sudar::query::{Body, DistanceOptions, distance, intersects, penetration, within};

/// All objects by handle.
#[derive(Default)]
pub struct Plain {
    pub objects: BTreeMap<Handle, Object>,
    pub ignored: BTreeSet<[Handle; 2]>,
    together: Vec<[Handle; 2]>,
}

impl Plain {
    /// Pairs that are not both static, whose filters accept each other, and that are not ignored.
    pub fn pairs(&self) -> Vec<[Handle; 2]> {
        let handles: Vec<Handle> = self.objects.keys().copied().collect();
        let all = handles.iter().enumerate().flat_map(|(k, a)| handles[k + 1..].iter().map(|b| [*a, *b]));
        all.filter(|pair| self.is_pair(*pair)).collect()
    }

    fn is_pair(&self, pair: [Handle; 2]) -> bool {
        let [a, b] = pair.map(|handle| &self.objects[&handle]);
        let is_static = |object: &Object| object.mobility == Mobility::Static;
        a.filter.category & b.filter.mask != 0
            && b.filter.category & a.filter.mask != 0
            && !(is_static(a) && is_static(b))
            && !self.ignored.contains(&pair)
    }

    /// Whether two objects are so near; none of the scenes comes so near to the limit that rounding leaves it open.
    pub fn is_within(&self, [a, b]: [Handle; 2], tolerance: f64) -> bool {
        let (a, b) = (&self.objects[&a], &self.objects[&b]);
        if tolerance > 0.0 {
            within(a.body.at(&a.pose), b.body.at(&b.pose), tolerance).decided().unwrap()
        } else {
            intersects(a.body.at(&a.pose), b.body.at(&b.pose)).decided().unwrap()
        }
    }

    pub fn within(&self, tolerance: f64) -> Vec<[Handle; 2]> {
        self.pairs().into_iter().filter(|pair| self.is_within(*pair, tolerance)).collect()
    }

    pub fn distance(&self, [a, b]: [Handle; 2]) -> f64 {
        let (a, b) = (&self.objects[&a], &self.objects[&b]);
        distance(a.body.at(&a.pose), b.body.at(&b.pose), &DistanceOptions::EXACT).interval.upper
    }

    /// How deep two objects are in each other, if both are convex and overlap.
    pub fn depth(&self, [a, b]: [Handle; 2]) -> Option<f64> {
        let (a, b) = (&self.objects[&a], &self.objects[&b]);
        a.body.convex().and(b.body.convex())?;
        let signed = penetration(a.body.at(&a.pose), b.body.at(&b.pose)).signed;
        (signed.lower < 0.0).then_some(-signed.lower)
    }

    /// Pairs that begin, stay and end.
    pub fn step(&mut self, clearance: f64) -> [Vec<[Handle; 2]>; 3] {
        let now = self.within(clearance);
        let before = std::mem::replace(&mut self.together, now.clone());
        let only = |list: &[[Handle; 2]], other: &[[Handle; 2]], inside: bool| {
            list.iter().filter(|pair| other.contains(pair) == inside).copied().collect::<Vec<_>>()
        };
        [only(&now, &before, false), only(&now, &before, true), only(&before, &now, false)]
    }

    pub fn remove(&mut self, handle: Handle) {
        self.objects.remove(&handle);
        self.ignored.retain(|pair| !pair.contains(&handle));
    }

    /// Objects that a body at a pose is so near to.
    pub fn near(&self, body: &Body, pose: &Pose, tolerance: f64) -> Vec<Handle> {
        let is_near = |object: &Object| {
            within(body.at(pose), object.body.at(&object.pose), tolerance).decided().unwrap()
        };
        self.objects.iter().filter(|(_, object)| is_near(object)).map(|(handle, _)| *handle).collect()
    }
}
