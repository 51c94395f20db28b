//! CD, the library of a thesis.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::hull::convex_patches;
use crate::tree::{
    BuildRules, Descent, End, Fate, Items, Siblings, SplitAxis, SplitPoint, TraversalOrder, UnsplitRule,
    Visit, VolumeTree, traverse, traverse_watched,
};
use crate::volume::{AlignedSlabs, Dop18, SlabBound};
use sudar::effort::{Budget, Meter};
use sudar::pair::{IntervalAnswer, triangle_intervals};
use sudar::volume::{Relative, Volume};
use sudar::{DVec3, Mesh, MeshError, Pose, PoseError, Triangle};
use thiserror::Error;

use super::cd_patch::{Patch, Scratch};
use crate::{Effort, RefitKernel};

/// Why a call was refused: the thesis' `CInconsistency`.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum CdError {
    /// The triangles of an object were not processed.
    #[error("process_triangles must be called before check_collision, on both objects")]
    NotProcessed,
    /// A triangle came too late.
    #[error("add_triangle must be called before process_triangles; make a new object")]
    AlreadyProcessed,
    /// Triangles do not make a mesh: there are none, or numbers are not finite or out of range.
    #[error("the triangles cannot be processed: {0}")]
    Mesh(#[from] MeshError),
    /// The matrix is no pose.
    #[error("the matrix is refused: {0}")]
    Pose(#[from] PoseError),
}

/// An object of CD (Daneu 2002, "Algorithms for collision detection", appendix): triangles are added,
/// processed, moved by a matrix, and checked against those of another object.
///
/// The tree is binary, of 18-DOPs, split at the mean along the axis of the greatest variance of the centres
/// of patches, ties in turn to the left and the right. A leaf is one convex patch of at most six triangles.
/// Both objects may move. Of two inner nodes the larger is opened; beside a leaf the smaller child comes
/// first. The second object is brought into the frame of the first: its 18-DOPs by [`SlabBound`] (Zachmann
/// 1998), where the source says no more than that their limits are transformed.
///
/// ```
/// use sudar::DVec3;
/// use sudar_classic::Cd;
///
/// let mut objects = [Cd::new(), Cd::new()];
/// for object in &mut objects {
///     object.add_triangle(DVec3::ZERO, DVec3::X, DVec3::Y)?;
///     object.process_triangles()?;
/// }
/// let [first, second] = &mut objects;
/// let matrix = [1.0, 0.0, 0.0, 0.2, 0.0, 0.0, -1.0, 0.3, 0.0, 1.0, 0.0, -0.1, 0.0, 0.0, 0.0, 1.0];
/// second.set_transform_matrix(&matrix)?;
/// assert!(first.check_collision(second, None)? && first.collision_points().len() == 2);
/// # Ok::<(), sudar_classic::CdError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Cd {
    added: Vec<[DVec3; 3]>,
    object: Option<Object>,
    pose: Pose,
    most_in_patch: usize,
    most_points: usize,
    points: Vec<DVec3>,
    effort: Effort,
    timed_out: bool,
}

#[derive(Debug, Clone)]
struct Object {
    mesh: Mesh,
    patches: Vec<Patch>,
    tree: VolumeTree<Dop18>,
    bound: SlabBound<9>,
    reach: f64,
}

const RULES: BuildRules = BuildRules {
    axis: SplitAxis::Splatter,
    point: SplitPoint::Mean,
    unsplit: UnsplitRule::Median,
    ties_alternate: true,
    leaf: 1,
};

const ORDER: TraversalOrder = TraversalOrder { descent: Descent::Larger, siblings: Siblings::SmallerFirst };

impl Cd {
    /// An object without triangles (`newCollisionObject`), with the thesis' choice of at most six triangles
    /// in a patch and two collision points.
    pub fn new() -> Self {
        Self {
            added: Vec::new(),
            object: None,
            pose: Pose::IDENTITY,
            most_in_patch: 6,
            most_points: 2,
            points: Vec::new(),
            effort: Effort::default(),
            timed_out: false,
        }
    }

    /// The same with other limits, each at least 1.
    #[must_use]
    pub fn with_limits(self, most_in_patch: usize, most_points: usize) -> Self {
        Self { most_in_patch: most_in_patch.max(1), most_points: most_points.max(1), ..self }
    }

    /// Adds a triangle, counter-clockwise from outside (`addTriangle`).
    ///
    /// # Errors
    /// [`CdError::AlreadyProcessed`].
    pub fn add_triangle(&mut self, v1: DVec3, v2: DVec3, v3: DVec3) -> Result<(), CdError> {
        if self.object.is_some() {
            return Err(CdError::AlreadyProcessed);
        }
        self.added.push([v1, v2, v3]);
        Ok(())
    }

    /// Adds all triangles of a mesh.
    ///
    /// # Errors
    /// [`CdError::AlreadyProcessed`].
    pub fn add_mesh(&mut self, mesh: &Mesh) -> Result<(), CdError> {
        (0..mesh.triangles().len() as u32).try_for_each(|i| {
            let [a, b, c] = mesh.triangle(i).corners();
            self.add_triangle(a, b, c)
        })
    }

    /// Cuts the triangles into patches and builds the tree (`processTriangles`).
    ///
    /// # Errors
    /// [`CdError::AlreadyProcessed`], [`CdError::Mesh`].
    pub fn process_triangles(&mut self) -> Result<(), CdError> {
        if self.object.is_some() {
            return Err(CdError::AlreadyProcessed);
        }
        let count = self.added.len() as u32;
        let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mesh = Mesh::new(self.added.concat(), triangles)?;
        let neighbours = mesh.topology().neighbours;
        let patches = convex_patches(&mesh, self.most_in_patch);
        let tree = VolumeTree::top_down(&Items::patches(&mesh, &patches), &RULES);
        let patches = patches.into_iter().map(|patch| Patch::new(patch, &neighbours)).collect();
        let reach = mesh.aabb().reach();
        self.object = Some(Object { mesh, patches, tree, bound: SlabBound::new(), reach });
        Ok(())
    }

    /// Where the object is, by a row-major matrix that takes columns (`SetTransformMatrix`).
    ///
    /// # Errors
    /// [`CdError::Pose`] if it is not rigid.
    pub fn set_transform_matrix(&mut self, matrix: &[f64; 16]) -> Result<(), CdError> {
        self.pose = Pose::from_row_major(matrix)?;
        Ok(())
    }

    /// Where the object is.
    pub fn set_pose(&mut self, pose: &Pose) {
        self.pose = *pose;
    }

    /// Whether the objects collide (`CheckCollision`). If a time is given and runs out, the answer is yes, on the
    /// safe side, with two points if none was found: one on the surface of either of the two volumes that were to
    /// be tested next, on the way from its middle to that of the other.
    ///
    /// Leaves are tested as in the thesis: from the first triangle of a patch towards the plane of the other
    /// triangle, with Möller's test for those that it cuts. Where a patch is bent around like a horseshoe the
    /// way there may lead away first and is not found; and the test is rounded, so that triangles that touch
    /// may be answered either way. [`Cd::check_all`] leaves out the first of these.
    ///
    /// # Errors
    /// [`CdError::NotProcessed`].
    pub fn check_collision(&mut self, other: &Self, timeout: Option<Duration>) -> Result<bool, CdError> {
        let budget = timeout.map_or(Budget::UNLIMITED, Budget::time);
        self.check(other, budget, true)
    }

    /// The same with every triangle of a patch tested against every one of the other.
    ///
    /// # Errors
    /// [`CdError::NotProcessed`].
    pub fn check_all(&mut self, other: &Self, budget: Budget) -> Result<bool, CdError> {
        self.check(other, budget, false)
    }

    /// [`Cd::check_within`]; every pair of nodes that is tested is reported in order. Hits of leaves are counted as far
    /// as points are wanted.
    ///
    /// # Errors
    /// [`CdError::NotProcessed`].
    pub fn check_watched(
        &mut self,
        other: &Self,
        budget: Budget,
        tell: &mut dyn FnMut(Visit),
    ) -> Result<bool, CdError> {
        self.check_by(other, budget, true, |(a, b), kernel, meter, leaf| {
            let show = |x, y| {
                let before = (leaf.tests, leaf.hits);
                let flow = leaf.show(x, y);
                let (tests, hits) = (leaf.tests - before.0, leaf.hits - before.1);
                (flow, Fate::Leaves { tests, hits })
            };
            traverse_watched((&a.tree, &b.tree), kernel, ORDER, meter, show, tell)
        })
    }

    /// [`Cd::check_collision`] under any budget.
    ///
    /// # Errors
    /// [`CdError::NotProcessed`].
    pub fn check_within(&mut self, other: &Self, budget: Budget) -> Result<bool, CdError> {
        self.check(other, budget, true)
    }

    /// How many pairs of volumes a check under this budget tests, without looking into patches: the traversal alone,
    /// to be timed beside the whole.
    ///
    /// # Errors
    /// [`CdError::NotProcessed`].
    pub fn traverse_alone(&self, other: &Self, budget: Budget) -> Result<u64, CdError> {
        let (Some(a), Some(b)) = (&self.object, &other.object) else { return Err(CdError::NotProcessed) };
        let motion = Relative::new(&self.pose, a.reach, &other.pose, b.reach);
        let mut kernel = RefitKernel::by_slabs(&a.tree, &b.tree, &a.bound, &motion);
        let mut meter = Meter::new(&budget);
        traverse((&a.tree, &b.tree), &mut kernel, ORDER, &mut meter, |_, _| ControlFlow::Continue(()));
        Ok(meter.statistics().nodes)
    }

    /// The points of the last check, at most as many as wanted, in the world (`GetCollisionPoint`).
    pub fn collision_points(&self) -> &[DVec3] {
        &self.points
    }

    /// Whether the last check ran out of time.
    pub fn is_timed_out(&self) -> bool {
        self.timed_out
    }

    /// What the last check took.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// How many patches there are, and the sum of the volumes of the tree; nothing before triangles are processed.
    pub fn size(&self) -> Option<(usize, f64)> {
        self.object.as_ref().map(|object| (object.patches.len(), object.tree.total_volume()))
    }

    /// The memory of the tree in bytes.
    pub fn bytes(&self) -> usize {
        self.object.as_ref().map_or(0, |object| object.tree.bytes())
    }

    /// The tree over the patches, and the triangles of each patch in the order in which they were added; nothing before
    /// triangles are processed.
    pub fn tree(&self) -> Option<(&VolumeTree<Dop18>, Vec<&[u32]>)> {
        let object = self.object.as_ref()?;
        Some((&object.tree, object.patches.iter().map(Patch::triangles).collect()))
    }

    fn check(&mut self, other: &Self, budget: Budget, walks: bool) -> Result<bool, CdError> {
        self.check_by(other, budget, walks, |(a, b), kernel, meter, leaf| {
            traverse((&a.tree, &b.tree), kernel, ORDER, meter, |x, y| leaf.show(x, y))
        })
    }

    fn check_by(
        &mut self,
        other: &Self,
        budget: Budget,
        walks: bool,
        search: impl FnOnce((&Object, &Object), &mut CdKernel<'_>, &mut Meter, &mut LeafTest<'_>) -> End,
    ) -> Result<bool, CdError> {
        let (Some(a), Some(b)) = (&self.object, &other.object) else { return Err(CdError::NotProcessed) };
        let motion = Relative::new(&self.pose, a.reach, &other.pose, b.reach);
        let mut kernel = RefitKernel::by_slabs(&a.tree, &b.tree, &a.bound, &motion);
        let mut meter = Meter::new(&budget);
        let mut leaf = LeafTest {
            a,
            b,
            motion: &motion,
            scratch: Scratch::default(),
            most: self.most_points,
            points: Vec::new(),
            tests: 0,
            hits: 0,
            walks,
        };
        let end = search((a, b), &mut kernel, &mut meter, &mut leaf);
        let (mut hit, mut points, triangle_tests) = (leaf.hits > 0, leaf.points, leaf.tests);
        points.iter_mut().for_each(|p| *p = self.pose.apply(*p));
        self.timed_out = matches!(end, End::OutOfBudget(..));
        if let End::OutOfBudget(x, y) = end {
            hit = true;
            if points.is_empty() {
                let volumes = (&a.tree.node(x).volume, &b.tree.node(y).volume);
                points.extend(facing_points((volumes.0, &self.pose), (volumes.1, &other.pose)));
                points.truncate(self.most_points);
            }
        }
        self.points = points;
        self.effort = Effort { volume_tests: meter.statistics().nodes, triangle_tests };
        Ok(hit)
    }
}

impl Default for Cd {
    fn default() -> Self {
        Self::new()
    }
}

/// A point on the surface of either volume, in the world, where the way from middle to middle leaves it.
fn facing_points(a: (&Dop18, &Pose), b: (&Dop18, &Pose)) -> [DVec3; 2] {
    let middles = [a, b].map(|(volume, pose)| pose.apply(volume.middle()));
    let way = middles[1] - middles[0];
    [(a, way), (b, -way)].map(|((volume, pose), way)| pose.apply(way_out(volume, pose.unrotate(way))))
}

/// Where a ray from the middle of a k-DOP, which is always inside, leaves it.
fn way_out(volume: &Dop18, way: DVec3) -> DVec3 {
    let way = if way == DVec3::ZERO { DVec3::X } else { way };
    let middle = volume.middle();
    let until = |i: usize| {
        let (direction, [low, high]) = (Dop18::direction(i), [volume.low[i], volume.high[i]]);
        let (start, speed) = (direction.dot(middle), direction.dot(way));
        let room = if speed > 0.0 { high - start } else { low - start };
        if speed == 0.0 { f64::INFINITY } else { (room / speed).max(0.0) }
    };
    middle + way * (0..9).map(until).fold(f64::INFINITY, f64::min)
}

/// What tests the volumes of two objects.
type CdKernel<'a> = RefitKernel<'a, AlignedSlabs<9>, 9>;

/// Two patches against each other, in the frame of the first object.
struct LeafTest<'a> {
    a: &'a Object,
    b: &'a Object,
    motion: &'a Relative,
    scratch: Scratch,
    most: usize,
    /// In the frame of the first object.
    points: Vec<DVec3>,
    tests: u64,
    /// Pairs of triangles that meet.
    hits: u64,
    walks: bool,
}

impl LeafTest<'_> {
    /// The patches of two leaves against each other.
    fn show(&mut self, x: u32, y: u32) -> ControlFlow<()> {
        let (a, b) = (self.a, self.b);
        let stop = a.tree.items(x).iter().any(|&p| b.tree.items(y).iter().any(|&q| self.test(p, q)));
        if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether that is enough.
    fn test(&mut self, p: u32, q: u32) -> bool {
        let (a, b) = (self.a, self.b);
        let inner = &a.patches[p as usize];
        let at = |i: u32| a.mesh.triangle(i);
        for &t in b.patches[q as usize].triangles() {
            let outer: Triangle = b.mesh.triangle(t).corners().map(|p| self.motion.apply(p)).into();
            let corners = outer.corners();
            let enough = if self.walks {
                let mut scratch = std::mem::take(&mut self.scratch);
                let enough = inner.search(at, &outer, &mut scratch, |answer| self.take(&corners, answer));
                self.scratch = scratch;
                enough
            } else {
                let mut all = inner.triangles().iter();
                all.any(|&i| self.take(&corners, triangle_intervals(&outer, &at(i))))
            };
            if enough {
                return true;
            }
        }
        false
    }

    /// Keeps the points of two triangles that meet; whether there are enough.
    fn take(&mut self, outer: &[DVec3; 3], answer: IntervalAnswer) -> bool {
        self.tests += 1;
        let pair = match answer {
            IntervalAnswer::Apart => return false,
            IntervalAnswer::Segment(s) => [s.a, s.b],
            // Any two points of the triangle will do, says the source.
            IntervalAnswer::Coplanar => [outer[0], outer[1]],
        };
        self.hits += 1;
        let room = self.most.saturating_sub(self.points.len());
        self.points.extend(pair.into_iter().take(room));
        self.points.len() >= self.most
    }
}
