//! The objects of a scene by number, and which of them form pairs.

use super::among::Among;
use super::error::SceneError;
use super::group::Group;
use super::ignored::Ignored;
use super::object::Object;
use crate::broad::{BroadError, Filter, Handle, Mobility};
use crate::math::Pose;
use crate::query::Body;

/// What decides about pairs stands in short lists of its own, since it is read for every pair of boxes.
#[derive(Debug, Default)]
pub(super) struct Objects {
    objects: Vec<Option<(Handle, Object)>>,
    rules: Vec<Rules>,
    ignored: Ignored,
    groups: Vec<Option<Vec<Handle>>>,
    /// How often each place has got another object, body or pose.
    revisions: Vec<u64>,
    live: usize,
}

#[derive(Debug, Clone, Copy)]
struct Rules {
    filter: Filter,
    group: Option<Group>,
}

impl Objects {
    pub fn insert(&mut self, handle: Handle, object: Object) {
        let i = handle.index() as usize;
        if self.objects.len() <= i {
            self.objects.resize_with(i + 1, || None);
            self.rules.resize(i + 1, Rules { filter: Filter::NONE, group: None });
            self.revisions.resize(i + 1, 0);
        }
        self.revisions[i] += 1;
        self.rules[i] = Rules { filter: object.filter, group: None };
        self.objects[i] = Some((handle, object));
        self.live += 1;
    }

    pub fn remove(&mut self, handle: Handle) -> Result<Object, SceneError> {
        let i = self.place(handle)?;
        self.ignored.forget(handle.index());
        if let Some(members) =
            self.rules[i].group.and_then(|group| self.groups.get_mut(group.0 as usize)?.as_mut())
        {
            members.retain(|member| *member != handle);
        }
        self.live -= 1;
        self.objects[i].take().map(|(_, object)| object).ok_or(SceneError::Unknown { handle })
    }

    fn place(&self, handle: Handle) -> Result<usize, SceneError> {
        let i = handle.index() as usize;
        let is_here = matches!(self.objects.get(i), Some(Some((known, _))) if *known == handle);
        if is_here { Ok(i) } else { Err(SceneError::Unknown { handle }) }
    }

    pub fn get(&self, handle: Handle) -> Result<&Object, SceneError> {
        match self.objects.get(handle.index() as usize) {
            Some(Some((known, object))) if *known == handle => Ok(object),
            Some(_) | None => Err(SceneError::Unknown { handle }),
        }
    }

    fn get_mut(&mut self, handle: Handle) -> Result<&mut Object, SceneError> {
        match self.objects.get_mut(handle.index() as usize) {
            Some(Some((known, object))) if *known == handle => Ok(object),
            Some(_) | None => Err(SceneError::Unknown { handle }),
        }
    }

    /// Puts an object elsewhere.
    pub fn set_pose(&mut self, handle: Handle, pose: Pose) -> Result<(), SceneError> {
        let object = self.get_mut(handle)?;
        if object.pose != pose {
            object.pose = pose;
            self.revisions[handle.index() as usize] += 1;
        }
        Ok(())
    }

    pub fn set_body(&mut self, handle: Handle, body: Body) -> Result<(), SceneError> {
        self.get_mut(handle)?.body = body;
        self.revisions[handle.index() as usize] += 1;
        Ok(())
    }

    /// Numbers that change whenever one of two objects is moved or replaced.
    pub fn revisions(&self, pair: [Handle; 2]) -> [u64; 2] {
        pair.map(|handle| self.revisions.get(handle.index() as usize).copied().unwrap_or(0))
    }

    /// Two objects with their handles; `None` if one of them is no more.
    pub fn both(&self, [a, b]: [Handle; 2]) -> Option<[(Handle, &Object); 2]> {
        Some([(a, self.get(a).ok()?), (b, self.get(b).ok()?)])
    }

    pub fn iter(&self) -> impl Iterator<Item = (Handle, &Object)> {
        self.objects.iter().flatten().map(|(handle, object)| (*handle, object))
    }

    pub fn len(&self) -> usize {
        self.live
    }

    /// Handles of a pair of numbers; `None` if one of the objects is no more.
    pub fn handles(&self, pair: [u32; 2]) -> Option<[Handle; 2]> {
        let handle = |i: u32| Some(self.objects.get(i as usize)?.as_ref()?.0);
        Some([handle(pair[0])?, handle(pair[1])?])
    }

    pub fn set_filter(&mut self, handle: Handle, filter: Filter) -> Result<(), SceneError> {
        let i = self.place(handle)?;
        self.rules[i].filter = filter;
        self.get_mut(handle)?.filter = filter;
        Ok(())
    }

    pub fn ignore(&mut self, [a, b]: [Handle; 2], ignored: bool) -> Result<(), SceneError> {
        self.place(a).and(self.place(b))?;
        self.ignored.set([a.index(), b.index()], ignored);
        Ok(())
    }

    /// Whether filters and the list of ignored pairs let two objects be a pair; the broad phase takes care of
    /// static ones.
    pub fn may_pair(&self, [i, j]: [u32; 2]) -> bool {
        let filter = |i: u32| self.rules[i as usize].filter;
        filter(i).accepts(filter(j)) && !self.ignored.contains([i, j])
    }

    /// Whether the two are a pair, static ones included.
    pub fn are_pair(&self, pair: [u32; 2]) -> bool {
        let is_static = |i: u32| {
            let object = self.objects.get(i as usize).and_then(Option::as_ref);
            object.is_none_or(|(_, object)| object.mobility == Mobility::Static)
        };
        self.may_pair(pair) && !(is_static(pair[0]) && is_static(pair[1]))
    }

    pub fn add_group(&mut self, members: Vec<Handle>) -> Group {
        let group = Group(self.groups.len() as u32);
        for member in &members {
            self.rules[member.index() as usize].group = Some(group);
        }
        self.groups.push(Some(members));
        group
    }

    pub fn group(&self, group: Group) -> Result<&[Handle], SceneError> {
        let members = self.groups.get(group.0 as usize).and_then(Option::as_deref);
        members.ok_or(SceneError::UnknownGroup { group })
    }

    pub fn forget_group(&mut self, group: Group) {
        if let Some(members) = self.groups.get_mut(group.0 as usize) {
            *members = None;
        }
    }

    /// Whether a query is about a pair.
    pub fn covers(&self, among: Among, pair: [Handle; 2]) -> bool {
        let group = |handle: Handle| self.rules[handle.index() as usize].group;
        let [g, h] = pair.map(group);
        match among {
            Among::All => true,
            Among::Object(object) => pair.contains(&object),
            Among::Group(one) => g == Some(one) || h == Some(one),
            Among::Between(one, other) => {
                (g == Some(one) && h == Some(other)) || (g == Some(other) && h == Some(one))
            }
        }
    }

    /// What the broad phase refused, by the name of the object.
    pub fn refused(&self, refused: BroadError) -> SceneError {
        let number = match refused {
            BroadError::NotANumber { object }
            | BroadError::Inverted { object, .. }
            | BroadError::TooFar { object } => object,
            BroadError::Unknown { .. } | BroadError::Lengths { .. } | BroadError::Full => 0,
        };
        let known = self.objects.get(number as usize).and_then(Option::as_ref);
        SceneError::of(known.map_or("", |(_, object)| &object.name), refused)
    }

    pub fn bytes(&self) -> usize {
        let names: usize = self.iter().map(|(_, object)| object.name.capacity()).sum();
        let lists = self.objects.capacity() * size_of::<Option<(Handle, Object)>>()
            + self.rules.capacity() * size_of::<Rules>()
            + self.revisions.capacity() * size_of::<u64>();
        names + lists + self.ignored.bytes()
    }
}
