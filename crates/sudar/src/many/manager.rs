//! The collision manager: its objects, and what holds them.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use super::among::{Among, Answers};
use super::boxes::BoxTree;
use super::cache::{Cache, Entry, Known};
use super::error::SceneError;
use super::error::check_tolerance;
use super::group::Group;
use super::limits::{Limits, Report};
use super::object::{Object, quick_box};
use super::objects::Objects;
use crate::broad::{self, BroadPhase, Filter, Handle};
use crate::effort::Budget;
use crate::math::Pose;
use crate::query::{Batch, BatchResult, Body, Work};
use crate::shape::Aabb;

/// Holds named objects that move and answers for all of them at once: what robotics calls a collision manager
/// and BIM an assembly.
///
/// Objects are inserted, moved, replaced and removed by [`Handle`]. Two objects are a *pair* unless both are
/// [`Static`](crate::broad::Mobility::Static), their [`Filter`]s do not accept each other, or the pair is
/// ignored. A pair whose boxes come within the *clearance* of each other is a candidate, and a candidate
/// whose bodies do is *together*. With a clearance of zero, together means that they have a point in common.
///
/// | task | method |
/// |---|---|
/// | what begins, stays and ends since the last step | [`step`](Self::step) |
/// | which pairs are together, with their contacts | [`collisions`](Self::collisions) |
/// | the pairs that are together | [`pairs_touching`](Self::pairs_touching) |
/// | the first pair that is together | [`first_collision`](Self::first_collision) |
/// | all pairs within a tolerance, with their distances | [`within`](Self::within) |
/// | the two objects nearest to each other | [`nearest`](Self::nearest) |
/// | the two convex objects deepest in each other | [`deepest`](Self::deepest) |
/// | what one more body touches, or is near | [`touching`](Self::touching), [`near`](Self::near) |
/// | the object nearest to one more body | [`nearest_to`](Self::nearest_to) |
/// | what a ray, box, point or frustum meets | [`ray`](Self::ray), [`query_region`](Self::query_region) |
/// | what a moving body meets first | [`sweep`](Self::sweep), [`cast_shape`](Self::cast_shape) |
/// | anything else of every candidate | [`each_pair`](Self::each_pair) |
///
/// [`set_budget`](Self::set_budget) limits each pair, [`set_cancellation`](Self::set_cancellation) stops queries
/// from elsewhere, [`set_progress`](Self::set_progress) counts pairs. A pair that a budget, or rounding, leaves open
/// is listed as undecided. The scene keeps a [`Memory`](crate::query::Memory) for each candidate, so that queries on
/// objects that move a little begin where the last ended, and what is certain until one of the two moves. All is the
/// same bits for any number of threads and any broad phase.
///
/// ```
/// use sudar::query::Body;
/// use sudar::many::{Among, CollisionManager, Object};
/// use sudar::{Cuboid, DVec3, Pose};
///
/// let cube = Body::new(Cuboid::new(DVec3::splat(0.5))?);
/// let at = |x: f64| Pose::from_translation(DVec3::X * x);
/// let mut scene = CollisionManager::default();
/// let a = scene.insert(Object::new("left", cube.clone(), at(0.0)?))?;
/// let b = scene.insert(Object::new("right", cube.clone(), at(3.0)?))?;
/// assert!(scene.step().began.is_empty());
/// scene.set_pose(b, at(1.0)?)?; // now they touch
/// assert_eq!(scene.step().began, [[a, b]]);
/// assert_eq!(scene.collisions(Among::All).found[0].contacts.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CollisionManager {
    pub(super) objects: Objects,
    pub(super) phase: Box<dyn BroadPhase>,
    pub(super) cache: Cache,
    pub(super) clearance: f64,
    pub(super) limits: Limits,
    /// Pairs that were together in the last step, sorted.
    pub(super) together: Vec<[Handle; 2]>,
    /// Over the boxes as they are, made when first needed.
    pub(super) tree: OnceLock<BoxTree>,
}

impl Default for CollisionManager {
    /// Without clearance, with the broad phase chosen automatically.
    fn default() -> Self {
        Self {
            objects: Objects::default(),
            phase: broad::auto(),
            cache: Cache::default(),
            clearance: 0.0,
            limits: Limits::default(),
            together: Vec::new(),
            tree: OnceLock::new(),
        }
    }
}

impl CollisionManager {
    /// An empty scene in which objects are together if they are at most `clearance` apart, a length of zero or more.
    ///
    /// # Errors
    /// [`SceneError::Clearance`] for what is no such length.
    pub fn new(clearance: f64) -> Result<Self, SceneError> {
        Self::with_broad_phase(clearance, broad::auto())
    }

    /// As [`new`](Self::new) over an empty broad phase, which changes the cost and never an answer.
    ///
    /// # Errors
    /// [`SceneError::Clearance`].
    pub fn with_broad_phase(clearance: f64, phase: Box<dyn BroadPhase>) -> Result<Self, SceneError> {
        check_tolerance(clearance)?;
        Ok(Self { clearance, phase, ..Self::default() })
    }

    /// Up to what distance objects are together.
    pub fn clearance(&self) -> f64 {
        self.clearance
    }

    /// Changes the clearance: a length of zero or more. Ends the bounds that
    /// [`set_pose_with_bounds`](Self::set_pose_with_bounds) gave, as a move does. O(n).
    ///
    /// # Errors
    /// [`SceneError::Clearance`], [`SceneError::NotANumber`] if a box would have no finite corners; then nothing has
    /// changed.
    pub fn set_clearance(&mut self, clearance: f64) -> Result<(), SceneError> {
        check_tolerance(clearance)?;
        let (handles, poses): (Vec<Handle>, Vec<Pose>) =
            self.iter().map(|(handle, object)| (handle, object.pose)).unzip();
        let before = std::mem::replace(&mut self.clearance, clearance);
        self.set_poses(&handles, &poses).inspect_err(|_| self.clearance = before)?;
        self.cache.forget_answers();
        Ok(())
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All objects, ascending by handle.
    pub fn iter(&self) -> impl Iterator<Item = (Handle, &Object)> {
        self.objects.iter()
    }

    /// An object.
    ///
    /// # Errors
    /// [`SceneError::Unknown`].
    pub fn object(&self, handle: Handle) -> Result<&Object, SceneError> {
        self.objects.get(handle)
    }

    /// The first object of that name. O(n).
    pub fn find(&self, name: &str) -> Option<Handle> {
        self.iter().find(|(_, object)| object.name == name).map(|(handle, _)| handle)
    }

    /// The broad phase, to look at: its pairs, the boxes, its counters and why it was chosen.
    pub fn broad_phase(&self) -> &dyn BroadPhase {
        &*self.phase
    }

    /// Adds an object. Expected cost: that of its box, O(number of vertices), and of the broad phase.
    ///
    /// # Errors
    /// [`SceneError::NotANumber`], [`SceneError::Margin`], [`SceneError::Full`]; then nothing has changed.
    pub fn insert(&mut self, object: Object) -> Result<Handle, SceneError> {
        let aabb = self.checked_box(&object)?;
        self.insert_boxed(object, aabb)
    }

    /// Adds many objects, whose boxes are made on all cores. In their order; if one is refused none is added.
    ///
    /// # Errors
    /// Those of [`insert`](Self::insert), for the first object that is refused.
    pub fn insert_all(&mut self, objects: Vec<Object>) -> Result<Vec<Handle>, SceneError> {
        let boxes = Batch::default().each(&objects, |_, object| self.checked_box(object)).answers;
        let boxes = boxes.into_iter().collect::<Result<Vec<_>, _>>()?;
        if self.len() + objects.len() > 1 << 31 {
            return Err(SceneError::Full);
        }
        objects.into_iter().zip(boxes).map(|(object, aabb)| self.insert_boxed(object, aabb)).collect()
    }

    /// Adds the objects of a group, such as the links of a robot, and ignores the listed pairs of them, by
    /// their places in the list. They move by [`set_group_poses`](Self::set_group_poses), and [`Among`]
    /// restricts queries to groups.
    ///
    /// # Errors
    /// [`SceneError::NoSuchLink`] for a pair that names no two objects of the list; those of
    /// [`insert_all`](Self::insert_all).
    pub fn insert_group(
        &mut self,
        objects: Vec<Object>,
        ignored: &[[usize; 2]],
    ) -> Result<Group, SceneError> {
        let count = objects.len();
        if let Some(&pair) = ignored.iter().find(|[i, j]| i == j || i.max(j) >= &count) {
            return Err(SceneError::NoSuchLink { pair, links: count });
        }
        let members = self.insert_all(objects)?;
        for &[i, j] in ignored {
            self.ignore(members[i], members[j])?;
        }
        Ok(self.objects.add_group(members))
    }

    /// The objects of a group in the order in which they were given, without those that were removed.
    ///
    /// # Errors
    /// [`SceneError::UnknownGroup`].
    pub fn group(&self, group: Group) -> Result<&[Handle], SceneError> {
        self.objects.group(group)
    }

    /// Moves an object. The broad phase takes notice when the next step or query begins. O(1) for meshes; for
    /// other shapes O(number of vertices).
    ///
    /// # Errors
    /// [`SceneError::Unknown`], [`SceneError::NotANumber`]; then nothing has changed.
    pub fn set_pose(&mut self, handle: Handle, pose: Pose) -> Result<(), SceneError> {
        self.set_poses(&[handle], &[pose])
    }

    /// Moves many objects, which is quicker than one by one: all of them, or none if one is refused. Objects that are
    /// left out stay where they are, at no cost: a caller that knows which objects moved gives these alone, see
    /// [`BroadPhase::update_all`].
    ///
    /// # Errors
    /// Those of [`set_pose`](Self::set_pose), for the first object that is refused; [`SceneError::Lengths`].
    pub fn set_poses(&mut self, handles: &[Handle], poses: &[Pose]) -> Result<(), SceneError> {
        if handles.len() != poses.len() {
            return Err(SceneError::Lengths { handles: handles.len(), poses: poses.len() });
        }
        let moved: Vec<_> = handles.iter().zip(poses).collect();
        let boxes = Batch::default().each(&moved, |_, (handle, pose)| {
            let object = self.objects.get(**handle)?;
            object.checked(quick_box(&object.body, pose), self.clearance)
        });
        let boxes = boxes.answers.into_iter().collect::<Result<Vec<_>, _>>()?;
        self.put(handles, poses, &boxes)
    }

    /// Moves an object and lets its box be wide enough to hold `bounds` as well, until it is moved again:
    /// such as where it is on its way through a step.
    ///
    /// # Errors
    /// [`SceneError::Unknown`]; [`SceneError::NotANumber`] or [`SceneError::Inverted`] for `bounds`; then
    /// nothing has changed.
    pub fn set_pose_with_bounds(
        &mut self,
        handle: Handle,
        pose: Pose,
        bounds: &Aabb,
    ) -> Result<(), SceneError> {
        let object = self.objects.get(handle)?;
        object.checked(*bounds, 0.0)?;
        let aabb = object.checked(quick_box(&object.body, &pose).union(*bounds), self.clearance)?;
        self.put(&[handle], &[pose], &[aabb])
    }

    /// Moves the objects of a group: a pose for each, in their order.
    ///
    /// # Errors
    /// [`SceneError::UnknownGroup`], and those of [`set_poses`](Self::set_poses); then nothing has changed.
    pub fn set_group_poses(&mut self, group: Group, poses: &[Pose]) -> Result<(), SceneError> {
        let members = self.objects.group(group)?.to_vec();
        self.set_poses(&members, poses)
    }

    /// Gives an object another body; its handle, pose and all else stay.
    ///
    /// # Errors
    /// [`SceneError::Unknown`], [`SceneError::NotANumber`]; then nothing has changed.
    pub fn replace(&mut self, handle: Handle, body: Body) -> Result<(), SceneError> {
        let object = self.objects.get(handle)?;
        let pose = object.pose;
        let aabb = object.checked(body.aabb(&pose), self.clearance)?;
        self.put(&[handle], &[pose], &[aabb])?;
        self.objects.set_body(handle, body)
    }

    /// Removes an object. Its handle is refused from now on, and pairs it was in end with the next step.
    ///
    /// # Errors
    /// [`SceneError::Unknown`].
    pub fn remove(&mut self, handle: Handle) -> Result<Object, SceneError> {
        let object = self.objects.remove(handle)?;
        self.phase.remove(handle).map_err(|refused| SceneError::of(&object.name, refused))?;
        self.changed();
        Ok(object)
    }

    /// Removes all objects of a group, and the group. The objects, in their order.
    ///
    /// # Errors
    /// [`SceneError::UnknownGroup`].
    pub fn remove_group(&mut self, group: Group) -> Result<Vec<Object>, SceneError> {
        let members = self.objects.group(group)?.to_vec();
        let removed = members.into_iter().map(|member| self.remove(member)).collect();
        self.objects.forget_group(group);
        removed
    }

    /// Which other objects one forms pairs with.
    ///
    /// # Errors
    /// [`SceneError::Unknown`].
    pub fn set_filter(&mut self, handle: Handle, filter: Filter) -> Result<(), SceneError> {
        self.objects.set_filter(handle, filter)?;
        self.cache.forget_filters();
        Ok(())
    }

    /// From now on two objects are no pair, until one of them is removed or [`unignore`](Self::unignore) is called.
    ///
    /// # Errors
    /// [`SceneError::Unknown`].
    pub fn ignore(&mut self, a: Handle, b: Handle) -> Result<(), SceneError> {
        self.objects.ignore([a, b], true)?;
        self.cache.forget_filters();
        Ok(())
    }

    /// Two objects that were ignored are a pair again.
    ///
    /// # Errors
    /// [`SceneError::Unknown`].
    pub fn unignore(&mut self, a: Handle, b: Handle) -> Result<(), SceneError> {
        self.objects.ignore([a, b], false)?;
        self.cache.forget_filters();
        Ok(())
    }

    /// Ignores all pairs that are together now, such as the neighbouring links of robots, and returns them. Pairs
    /// left undecided are not ignored.
    pub fn ignore_touching(&mut self, among: Among) -> Answers<[Handle; 2], [Handle; 2]> {
        let answers = self.pairs_touching(among);
        for &[a, b] in &answers.found {
            // Both are in the scene.
            let _ = self.objects.ignore([a, b], true);
        }
        self.cache.forget_filters();
        answers
    }

    /// Pairs of objects whose boxes come within the clearance of each other, sorted: what queries look at.
    /// Brings the broad phase up to date.
    pub fn candidates(&mut self) -> Vec<[Handle; 2]> {
        self.refresh();
        self.cache.pairs().collect()
    }

    /// Runs a query on every candidate, in parallel; its answers, sorted by pair. The [`Work`] has the limits of
    /// the manager and the memory of the pair.
    pub fn each_pair<T: Send>(
        &mut self,
        among: Among,
        ask: impl Fn(&mut Work<'_>, [(Handle, &Object); 2]) -> Option<T> + Sync,
    ) -> BatchResult<T> {
        let limits = self.limits.clone();
        self.each_pair_under(&limits.batch(), among, ask)
    }

    /// As [`each_pair`](Self::each_pair) under the limits of a batch instead of those of the manager.
    pub fn each_pair_under<T: Send>(
        &mut self,
        batch: &Batch,
        among: Among,
        ask: impl Fn(&mut Work<'_>, [(Handle, &Object); 2]) -> Option<T> + Sync,
    ) -> BatchResult<T> {
        self.each_known(batch, among, |work, _, pair| ask(work, pair))
    }

    /// The same with what is known of the pair.
    pub(super) fn each_known<T: Send>(
        &mut self,
        batch: &Batch,
        among: Among,
        ask: impl Fn(&mut Work<'_>, &mut Known, [(Handle, &Object); 2]) -> Option<T> + Sync,
    ) -> BatchResult<T> {
        self.refresh();
        let objects = &self.objects;
        let mut chosen = self.cache.chosen(|pair| objects.covers(among, pair));
        let told = batch.each_mut(&mut chosen, |work, entry| {
            let Entry { pair, memory, known } = &mut **entry;
            let mut work = work.remembering(memory);
            known.refresh(objects.revisions(*pair));
            let told = objects.both(*pair).and_then(|pair| ask(&mut work, known, pair));
            (told, work.statistics())
        });
        BatchResult { answers: told.answers.into_iter().flatten().collect(), statistics: told.statistics }
    }

    /// Memory in use beyond the bodies, in bytes.
    pub fn memory(&self) -> usize {
        let lists = self.together.capacity() * size_of::<[Handle; 2]>();
        self.objects.bytes() + self.phase.memory() + self.cache.bytes() + lists
    }

    fn checked_box(&self, object: &Object) -> Result<Aabb, SceneError> {
        object.checked(object.body.aabb(&object.pose), self.clearance)
    }

    fn insert_boxed(&mut self, object: Object, aabb: Aabb) -> Result<Handle, SceneError> {
        let inserted = self.phase.insert(aabb, object.mobility);
        let handle = inserted.map_err(|refused| SceneError::of(&object.name, refused))?;
        self.objects.insert(handle, object);
        self.changed();
        Ok(handle)
    }

    /// Moves objects whose new boxes were checked.
    fn put(&mut self, handles: &[Handle], poses: &[Pose], boxes: &[Aabb]) -> Result<(), SceneError> {
        self.phase.update_all(handles, boxes).map_err(|refused| self.objects.refused(refused))?;
        for (handle, pose) in handles.iter().zip(poses) {
            self.objects.set_pose(*handle, *pose)?;
        }
        self.changed();
        Ok(())
    }

    fn changed(&mut self) {
        self.cache.forget_boxes();
        self.tree = OnceLock::new();
    }

    /// Brings the broad phase and the list of candidates up to date.
    pub(super) fn refresh(&mut self) {
        self.cache.refresh(&mut *self.phase, &self.objects);
    }
}

impl CollisionManager {
    /// Limits each query on one pair from now on; unlimited at first. What a budget leaves open is listed as undecided.
    pub fn set_budget(&mut self, budget: Budget) {
        self.limits.budget = budget;
    }

    /// Once the flag is set, queries end soon with what is certain; `None` for no flag.
    pub fn set_cancellation(&mut self, flag: Option<Arc<AtomicBool>>) {
        self.limits.cancelled = flag;
    }

    /// Calls `report` with the number of pairs done, after each, from any thread; numbers may come out of order. `None`
    /// for no report.
    pub fn set_progress(&mut self, report: Option<Report>) {
        self.limits.report = report;
    }
}

impl std::fmt::Debug for CollisionManager {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CollisionManager")
            .field("objects", &self.len())
            .field("broad_phase", &self.phase.name())
            .field("clearance", &self.clearance)
            .finish_non_exhaustive()
    }
}
