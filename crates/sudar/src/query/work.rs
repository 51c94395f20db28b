//! Queries under a budget, with progress, and counted.

use std::sync::atomic::AtomicBool;

use glam::DVec3;

use super::answer::{Distance, DistanceOptions, Intersection, Penetration, Within};
use super::depth::{metered_along, metered_surface};
use super::intersects::Intersects;
use super::pairs::surface_within::{disjoint_surface_distance, surfaces_within};
use super::penetration::Depth;
use super::points::{closest_point, contains, ray, ray_all, winding};
use super::verb::PairVerb;
use super::within;
use super::{
    Blocked, ByWinding, ClosestPoint, Contact, LocalMinimum, Memory, Moving, NoFlatFaces, NotSolid,
    PartContacts, Path, Placed, RayHit, SurfaceDepth, Sweep, SweepOptions, contacts, distance, local_minima,
    manifold, prove, self_intersection, sweep, touching,
};
use crate::convex::Accuracy;
use crate::effort::{Budget, Meter, Partial, Progress, Statistics};
use crate::mass::{MassError, VoxelMass, VoxelOptions, voxel_mass_metered};
use crate::math::Interval;
use crate::proof::{Lower, Proof};
use crate::shape::{Ray, Shape};

/// Context of queries: a budget for each, a flag that cancels them, a callback that reports progress.
///
/// Every query is a method here, with the arguments of the function of the same name; bodies are given where
/// they stand, see [`Body::at`](super::Body::at). The budget is for each query; what all of them did is added
/// up. An answer that was stopped early is true all the same: intervals are wider, lists and hits come as
/// [`Partial`] with `complete: false`, a yes or no becomes [`StopReason::Budget`](super::StopReason::Budget).
///
/// ```
/// use sudar::effort::Budget;
/// use sudar::query::{Body, DistanceEnd, StopReason, DistanceOptions, Work};
/// use sudar::{Aabb, DVec3, Mesh, Pose};
///
/// let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
/// let away = Pose::from_translation(DVec3::new(3.0, 0.0, 0.0))?;
/// let mut hasty = Work::new(Budget::nodes(0));
/// let found = hasty.distance(cube.at(&Pose::IDENTITY), cube.at(&away), &DistanceOptions::EXACT);
/// assert!(found.end == DistanceEnd::Stopped(StopReason::Budget) && found.interval.contains(2.0));
/// # Ok::<(), sudar::PoseError>(())
/// ```
#[derive(Default)]
pub struct Work<'w> {
    budget: Budget,
    cancelled: Option<&'w AtomicBool>,
    report: Option<&'w dyn Fn(&Progress)>,
    memory: Option<&'w mut Memory>,
    statistics: Statistics,
    was_stopped: bool,
}

impl<'w> Work<'w> {
    /// Creates a context that gives each query this budget.
    pub fn new(budget: Budget) -> Self {
        Self { budget, ..Self::default() }
    }

    /// Queries end soon after the flag is set, and at once while it is.
    #[must_use]
    pub fn cancelled_by(self, flag: &'w AtomicBool) -> Self {
        Self { cancelled: Some(flag), ..self }
    }

    /// Tells `report` every few microseconds how far a query has come.
    #[must_use]
    pub fn reporting(self, report: &'w dyn Fn(&Progress)) -> Self {
        Self { report: Some(report), ..self }
    }

    /// Repeated queries on the same two bodies begin where the last one on them ended, see [`Memory`]:
    /// whether they intersect, their distance, whether they are within a tolerance, and the penetration of
    /// convex shapes. A query that was stopped leaves the memory whole, and the next goes on from there.
    #[must_use]
    pub fn remembering(self, memory: &'w mut Memory) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// Counts of the work of all queries so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Whether the last query was stopped before its end, so that its answer may be wider or less than without a limit.
    pub fn was_stopped(&self) -> bool {
        self.was_stopped
    }

    /// Does one query with a meter of its own.
    fn metered<T>(&mut self, query: impl FnOnce(&mut Meter<'w>) -> T) -> T {
        self.remembered(|_, meter| query(meter))
    }

    /// The same with the memory, if there is one.
    fn remembered<T>(&mut self, query: impl FnOnce(Option<&mut Memory>, &mut Meter<'w>) -> T) -> T {
        let mut meter = Meter::new(&self.budget);
        if let Some(flag) = self.cancelled {
            meter = meter.cancelled_by(flag);
        }
        if let Some(report) = self.report {
            meter = meter.reporting(report);
        }
        let answer = query(self.memory.as_deref_mut(), &mut meter);
        self.statistics += meter.statistics();
        if let Some(memory) = self.memory.as_deref_mut() {
            memory.count(meter.statistics());
        }
        self.was_stopped = meter.is_stopped();
        answer
    }

    /// [`intersects`](fn@super::intersects).
    pub fn intersects(&mut self, a: Placed, b: Placed) -> Intersection {
        self.remembered(|memory, meter| match memory {
            Some(memory) => memory.intersects_metered(a, b, meter),
            None => Intersects.ask(a, b, meter),
        })
    }

    /// [`contacts`](fn@super::contacts): those found until the budget was used up.
    pub fn contacts(&mut self, a: Placed, b: Placed) -> Partial<Vec<[u32; 2]>> {
        self.metered(|meter| contacts::metered(a, b, usize::MAX, meter))
    }

    /// [`contacts_up_to`](fn@super::contacts_up_to): those found until the budget was used up.
    pub fn contacts_up_to(&mut self, a: Placed, b: Placed, most: usize) -> Partial<Vec<[u32; 2]>> {
        self.metered(|meter| contacts::metered(a, b, most, meter))
    }

    /// [`contacts_of_parts`](fn@super::contacts_of_parts): those found until the budget was used up.
    pub fn contacts_of_parts(&mut self, a: Placed, b: Placed) -> Partial<Vec<PartContacts>> {
        self.metered(|meter| contacts::of_parts(a, b, [usize::MAX; 2], meter))
    }

    /// [`self_intersections`](fn@super::self_intersections): those found until the budget was used up.
    pub fn self_intersections(&mut self, body: Placed) -> Partial<Vec<[u32; 2]>> {
        self.metered(|meter| self_intersection::metered(body, meter))
    }

    /// [`self_intersects`](fn@super::self_intersects).
    pub fn self_intersects(&mut self, body: Placed) -> Intersection {
        self.metered(|meter| self_intersection::first(body, meter))
    }

    /// [`distance`](fn@super::distance).
    pub fn distance(&mut self, a: Placed, b: Placed, search: &DistanceOptions) -> Distance {
        self.remembered(|memory, meter| match memory {
            Some(memory) => memory.distance_metered(a, b, search, meter),
            None => distance::metered(a, b, search, meter),
        })
    }

    /// [`prove_distance`](super::prove_distance): a half that was not found when the budget was used up is absent.
    pub fn prove_distance(&mut self, a: Placed, b: Placed, found: &Distance) -> Proof {
        self.metered(|meter| prove::distance_metered(a, b, found, meter))
    }

    /// [`prove_apart`](super::prove_apart): `None` as well if the budget was used up, see [`Work::was_stopped`].
    pub fn prove_apart(&mut self, a: Placed, b: Placed, at_least: f64) -> Option<Lower> {
        self.metered(|meter| prove::apart_metered(a, b, at_least, meter))
    }

    /// [`sweep`](fn@super::sweep): undecided if it was stopped, with the time before which there is certainly
    /// no contact. Each pair of pieces tested costs a node, and so do those that the query whether the
    /// bodies overlap at time 0 opens.
    pub fn sweep(&mut self, a: Moving, b: Moving, options: &SweepOptions) -> Sweep {
        self.metered(|meter| sweep::metered(a, b, options, meter))
    }

    /// [`first_collision_on_path`](fn@super::first_collision_on_path): a segment that the budget, which is
    /// for all of the path, left undecided is not proved free.
    pub fn first_collision_on_path(&mut self, path: &Path, options: &SweepOptions) -> Option<Blocked> {
        self.metered(|meter| sweep::first_metered(path, options, meter))
    }

    /// [`voxel_mass`](crate::mass::voxel_mass): each ray costs a node, see [`VoxelOptions::rays`].
    ///
    /// # Errors
    /// As there, and [`MassError::Stopped`].
    pub fn voxel_mass(&mut self, shape: &Shape, options: &VoxelOptions) -> Result<VoxelMass, MassError> {
        self.metered(|meter| voxel_mass_metered(shape, options, meter))
    }

    /// [`local_minima`](fn@super::local_minima): those found until the budget was used up, not always the least.
    pub fn local_minima(&mut self, a: Placed, b: Placed, tolerance: f64) -> Partial<Vec<LocalMinimum>> {
        self.prominent_minima(a, b, tolerance, 0.0)
    }

    /// [`prominent_minima`](super::prominent_minima), as [`Work::local_minima`].
    pub fn prominent_minima(
        &mut self,
        a: Placed,
        b: Placed,
        tolerance: f64,
        prominence: f64,
    ) -> Partial<Vec<LocalMinimum>> {
        self.metered(|meter| local_minima::metered(a, b, [tolerance, prominence], meter))
    }

    /// [`manifold`](fn@super::manifold): contacts of the pieces tested until the budget was used up. There
    /// each pair of triangles or parts costs a node besides those of the trees.
    pub fn manifold(&mut self, a: Placed, b: Placed, margin: f64) -> Partial<Vec<Contact>> {
        self.metered(|meter| manifold::metered(a, b, margin, meter))
    }

    /// [`penetration`](fn@super::penetration), as [`Work::penetration_within`].
    pub fn penetration(&mut self, a: Placed, b: Placed) -> Penetration {
        self.penetration_within(a, b, &Accuracy::DEFAULT)
    }

    /// [`penetration_within`](super::penetration_within): if it was stopped, the interval is wider, and may
    /// hold zero. There each pair of triangles or parts costs a node besides those of the trees, and each
    /// direction in which separation is tried one for every eight triangles.
    pub fn penetration_within(&mut self, a: Placed, b: Placed, accuracy: &Accuracy) -> Penetration {
        self.remembered(|memory, meter| match memory {
            Some(memory) => memory.penetration_metered(a, b, accuracy, meter),
            None => Depth { accuracy: *accuracy }.ask(a, b, meter),
        })
    }

    /// [`depth_along`](super::depth_along).
    pub fn depth_along(&mut self, a: Placed, b: Placed, direction: DVec3, accuracy: &Accuracy) -> Interval {
        self.metered(|meter| metered_along(a, b, direction, accuracy, meter))
    }

    /// [`surface_depth`](super::surface_depth).
    ///
    /// # Errors
    /// As there.
    pub fn surface_depth(
        &mut self,
        a: Placed,
        b: Placed,
        accuracy: &Accuracy,
    ) -> Result<SurfaceDepth, NoFlatFaces> {
        self.metered(|meter| metered_surface(a, b, accuracy, meter))
    }

    /// [`within`](fn@super::within).
    pub fn within(&mut self, a: Placed, b: Placed, tolerance: f64) -> Within {
        self.remembered(|memory, meter| match memory {
            Some(memory) => memory.within_metered(a, b, tolerance, meter),
            None => within::metered(a, b, tolerance, meter),
        })
    }

    /// [`ray`](fn@super::ray): if it was stopped, the first hit found, and there may be others before it.
    pub fn ray(&mut self, a: Placed, ray: &Ray, max: f64) -> Partial<Option<RayHit>> {
        self.metered(|meter| ray::metered(a, ray, max, meter))
    }

    /// [`ray_any`](super::ray_any): a hit is certain, that there is none only if the answer is complete.
    pub fn ray_any(&mut self, a: Placed, ray: &Ray, max: f64) -> Partial<bool> {
        self.metered(|meter| ray::any_metered(a, ray, max, meter))
    }

    /// [`ray_all`](fn@super::ray_all): if it was stopped, hits may be missing anywhere in the list.
    pub fn ray_all(&mut self, a: Placed, ray: &Ray, max: f64) -> Partial<Vec<RayHit>> {
        self.metered(|meter| ray_all::metered(a, ray, max, meter))
    }

    /// Whether time and flag allow more work, for callers whose own work has no limit.
    pub fn may_go_on(&mut self) -> bool {
        self.metered(|meter| meter.check().is_continue())
    }

    /// The numbers of two triangles, one of each of two bodies with flat faces, that are at most `tolerance ≥ 0` apart,
    /// or `Some(None)` if there are none, as far as one short traversal of their trees finds; `None` where it does not,
    /// if it was stopped, and of bodies without triangles. Unlike [`within`](Self::within) of solids, the surface of a
    /// body deep inside another is far from it.
    pub fn surfaces_within(&mut self, a: Placed, b: Placed, tolerance: f64) -> Option<Option<[u32; 2]>> {
        let (a, b) = (a.surface()?, b.surface()?);
        self.metered(|meter| surfaces_within(&a, &b, tolerance, meter))
    }

    /// The distance between the surfaces of two meshes or solids that do not meet; `None` of other bodies. Unlike
    /// [`distance`](Self::distance) of solids it is above 0 where one surface lies inside the other. Small distances
    /// beside the size of the surfaces take some short traversals and no oriented boxes.
    pub fn disjoint_surface_distance(
        &mut self,
        a: Placed,
        b: Placed,
        search: &DistanceOptions,
    ) -> Option<Distance> {
        let numbered = |placed: &Placed| placed.body().is_numbered();
        let (a, b) = (a.surface().filter(|_| numbered(&a))?, b.surface().filter(|_| numbered(&b))?);
        Some(self.metered(|meter| disjoint_surface_distance(&a, &b, search, meter)))
    }

    /// [`closest_point`](fn@super::closest_point): if it was stopped, the interval reaches down to the least
    /// distance of what was not visited.
    pub fn closest_point(&mut self, a: Placed, point: DVec3) -> ClosestPoint {
        self.metered(|meter| closest_point::metered(a, point, meter))
    }

    /// The point of a surface nearest to `point`: as [`Work::closest_point`], but also from inside a solid. `None` for
    /// bodies without triangles. The search is the shorter the nearer triangle `first` is; any will do.
    pub fn closest_on_surface(&mut self, a: Placed, point: DVec3, first: u32) -> Option<ClosestPoint> {
        self.metered(|meter| closest_point::on_surface(a, point, first, meter))
    }

    /// [`contains`](fn@super::contains): `None` if it was stopped before that was known.
    ///
    /// # Errors
    /// [`NotSolid`], as the function.
    pub fn contains(&mut self, a: Placed, point: DVec3) -> Result<Option<bool>, NotSolid> {
        if !contains::has_inside(a.body()) {
            return Err(NotSolid::of(a.body()));
        }
        Ok(self.metered(|meter| contains::metered(a, point, meter)))
    }

    /// [`winding_number`](super::winding_number): if it was stopped, the interval is wider, perhaps everything.
    pub fn winding_number(&mut self, a: Placed, point: DVec3, accuracy: f64) -> Interval {
        self.metered(|meter| winding::metered(a, point, &winding::Wanted::within(accuracy), meter))
    }

    /// [`contains_by_winding`](super::contains_by_winding): undecided if it was stopped before.
    pub fn contains_by_winding(&mut self, a: Placed, point: DVec3) -> ByWinding {
        self.metered(|meter| winding::contains_metered(a, point, meter))
    }

    /// [`triangles_touching`](super::triangles_touching): those found until the budget was used up.
    pub fn triangles_touching(&mut self, a: Placed, b: Placed) -> Partial<Vec<u32>> {
        self.metered(|meter| touching::metered(a, b, meter))
    }
}

impl Memory {
    /// [`intersects`](fn@super::intersects), begun from the last answer.
    pub fn intersects(&mut self, a: Placed, b: Placed) -> Intersection {
        Work::default().remembering(self).intersects(a, b)
    }

    /// [`distance`](fn@super::distance), begun from the last answer.
    pub fn distance(&mut self, a: Placed, b: Placed, search: &DistanceOptions) -> Distance {
        Work::default().remembering(self).distance(a, b, search)
    }

    /// [`within`](fn@super::within), begun from the last answer.
    pub fn within(&mut self, a: Placed, b: Placed, tolerance: f64) -> Within {
        Work::default().remembering(self).within(a, b, tolerance)
    }

    /// [`penetration`](fn@super::penetration), begun from the last answer; between convex shapes; for others
    /// as without.
    pub fn penetration(&mut self, a: Placed, b: Placed) -> Penetration {
        Work::default().remembering(self).penetration(a, b)
    }
}

impl std::fmt::Debug for Work<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Work").field("budget", &self.budget).field("statistics", &self.statistics).finish()
    }
}
