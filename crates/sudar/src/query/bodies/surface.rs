//! The triangles of a body with everything that is built over them, in its own frame and in the world.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use glam::DVec3;

use super::layers::Layer;
use super::skin::Skin;
use crate::effort::Meter;
use crate::inside;
use crate::math::Pose;
use crate::shape::{Aabb, Connection, Mesh, Solid, Stars, Triangle, has_zero_area};
use crate::tree::{Layered, Oriented, Refit, View, Whole, WideTree, WindingTree};

/// The triangles that bound a body of flat faces, with their tree.
#[derive(Debug)]
pub(crate) struct Surface {
    pub mesh: Arc<Mesh>,
    pub tree: WideTree,
    /// Present if the body has an inside.
    pub solid: Option<Arc<Solid>>,
    /// Of a mesh without inside; found when first needed.
    connection: OnceLock<Arc<Connection>>,
    /// Found when a traversal becomes long.
    whole: OnceLock<Whole>,
    /// Found when first needed.
    stars: OnceLock<Stars>,
    /// Found by the first query for contacts.
    skin: OnceLock<Skin>,
    /// Summed up by the first query for a winding number.
    windings: OnceLock<WindingTree>,
    /// See [`Body::closing_tolerance`](crate::query::Body::closing_tolerance).
    pub closes_at: OnceLock<Option<f64>>,
}

/// What the cell holds, made now if this is the first time. It is made before the cell is locked: work in
/// tasks of a thread pool may be stolen by a thread that waits for the same cell, which would then wait for
/// ever.
pub(crate) fn made<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    match cell.get() {
        Some(made) => made,
        None => {
            let new = make();
            cell.get_or_init(|| new)
        }
    }
}

impl Surface {
    pub fn new(mesh: Arc<Mesh>, solid: Option<Arc<Solid>>) -> Self {
        Self::with_tree(WideTree::new(&mesh), mesh, solid)
    }

    /// The moments of the triangles; summed up now if this is the first time.
    pub fn windings(&self) -> &WindingTree {
        self.windings.get_or_init(|| WindingTree::new(&self.tree, &self.mesh))
    }

    /// With a tree that fits the mesh; all else is found when first needed.
    pub fn with_tree(tree: WideTree, mesh: Arc<Mesh>, solid: Option<Arc<Solid>>) -> Self {
        Self {
            tree,
            mesh,
            solid,
            connection: OnceLock::new(),
            whole: OnceLock::new(),
            stars: OnceLock::new(),
            skin: OnceLock::new(),
            windings: OnceLock::new(),
            closes_at: OnceLock::new(),
        }
    }

    /// A copy that is about to move, without what a motion makes void.
    pub fn bare(&self) -> Self {
        let bare = Self::with_tree(self.tree.clone(), self.mesh.clone(), self.solid.clone());
        Self { connection: self.connection.clone(), ..bare }
    }

    /// Takes on the same triangles over moved vertices.
    pub fn take_on(&mut self, mesh: Arc<Mesh>, solid: Option<Arc<Solid>>) -> Refit {
        let done = self.tree.refit(&mesh);
        if self.connection.get().is_some_and(|connection| !connection.holds(&mesh)) {
            self.connection = OnceLock::new();
        }
        (self.whole, self.stars, self.skin) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        (self.windings, self.closes_at) = (OnceLock::new(), OnceLock::new());
        (self.mesh, self.solid) = (mesh, solid);
        done
    }

    /// The oriented boxes over the tree; fitted now if this is the first time.
    pub fn oriented(&self) -> &Oriented {
        self.tree.oriented()
    }

    /// One box around all of it; found now if this is the first time.
    pub fn whole(&self) -> &Whole {
        self.whole.get_or_init(|| Whole::of(&self.mesh))
    }

    /// The triangles around each vertex and edge, the first of those with the same corners; found now if this
    /// is the first time.
    pub fn stars(&self) -> &Stars {
        self.stars.get_or_init(|| self.mesh.stars_of_distinct())
    }

    /// Builds a layer unless it is there.
    pub fn build(&self, layer: Layer) {
        match layer {
            Layer::Tree => {}
            Layer::OrientedBoxes => {
                self.oriented();
                self.whole();
            }
            Layer::Slabs => self.tree.fit_slabs(),
            Layer::Pieces => drop(self.first_of_each_piece()),
            Layer::Stars => drop(self.stars()),
            Layer::Windings => drop(self.windings()),
            Layer::Facets => drop(self.skin()),
        }
    }

    /// The memory of a layer, 0 if it is not built. Pieces of a solid belong to its shape and are there from the start.
    pub fn bytes(&self, layer: Layer) -> usize {
        let connection = self.solid.as_ref().map(|solid| solid.connection()).or(self.connection.get());
        match layer {
            Layer::Tree => self.tree.bytes() - self.tree.slab_bytes(),
            Layer::OrientedBoxes => self.tree.oriented_bytes(),
            Layer::Slabs => self.tree.slab_bytes(),
            Layer::Pieces => connection.map_or(0, |connection| connection.bytes()),
            Layer::Stars => self.stars.get().map_or(0, Stars::bytes),
            Layer::Windings => self.windings.get().map_or(0, WindingTree::bytes),
            Layer::Facets => self.skin.get().map_or(0, Skin::bytes),
        }
    }

    /// The facets of the surface; found now if this is the first time.
    pub fn skin(&self) -> &Skin {
        self.skin.get_or_init(|| self.find_skin(&mut Meter::unlimited()).unwrap_or_default())
    }

    /// Finds the facets if they are not known; false if the meter stops before the end, and nothing is kept.
    pub fn finds_skin(&self, meter: &mut Meter) -> bool {
        if self.skin.get().is_none() {
            // One that was found at the same time is the same.
            if let Some(skin) = self.find_skin(meter) {
                self.skin.get_or_init(|| skin);
            }
        }
        self.skin.get().is_some()
    }

    fn find_skin(&self, meter: &mut Meter) -> Option<Skin> {
        meter.check().is_continue().then(|| self.stars())?;
        let posed = PosedSurface::new(self, &Pose::IDENTITY);
        let encloses = |p: DVec3| posed.encloses(p);
        Skin::of(&self.mesh, self.solid.is_some().then_some(&encloses), meter)
    }

    /// The first triangle of each connected piece.
    pub fn first_of_each_piece(&self) -> &[u32] {
        let find = || Arc::new(Connection::of(&self.mesh));
        let connection = match &self.solid {
            Some(solid) => solid.connection(),
            None => self.connection.get_or_init(find),
        };
        &connection.first_triangles
    }
}

/// The triangles of a body in the world, found through its tree.
#[derive(Clone, Copy)]
pub(crate) struct PosedSurface<'a> {
    pub surface: &'a Surface,
    pub pose: &'a Pose,
}

impl<'a> PosedSurface<'a> {
    #[inline]
    pub fn new(surface: &'a Surface, pose: &'a Pose) -> Self {
        Self { surface, pose }
    }

    /// Its tree seen from the world. Inverts the pose.
    #[inline]
    pub fn view(&self) -> View<'a> {
        View::new(&self.surface.tree, self.pose)
    }

    /// The smallest box around it. O(number of vertices).
    pub fn aabb(&self) -> Aabb {
        self.surface.mesh.around(|p| self.pose.apply(p))
    }

    /// The tree with its oriented boxes, for distances.
    pub fn layered(&self) -> Layered<'a> {
        let surface = self.surface;
        Layered { tree: &surface.tree, boxes: surface.oriented(), pose: self.pose }
    }

    /// A number that the distance to another surface does not fall below: how far they are apart as wholes.
    pub fn gap_of_wholes(&self, other: &Self) -> f64 {
        self.surface.whole().gap(self.pose, other.surface.whole(), other.pose)
    }

    /// How many triangles there are.
    pub fn count(&self) -> u32 {
        self.surface.mesh.triangles().len() as u32
    }

    /// Triangle `i` as it stands.
    #[inline(always)]
    pub fn triangle(&self, i: u32) -> Triangle {
        self.surface.mesh.triangle(i).posed(self.pose)
    }

    /// Vertex `i` as it stands.
    pub fn vertex(&self, i: u32) -> DVec3 {
        self.pose.apply(self.surface.mesh.vertices()[i as usize])
    }

    /// The triangles whose boxes may meet the region.
    pub fn in_box(&self, region: &Aabb, meter: &mut Meter) -> Vec<u32> {
        let mut near = Vec::new();
        self.view().visit_box(region, meter, |i| {
            near.push(i);
            ControlFlow::Continue(())
        });
        near
    }

    /// Whether the body has an inside and the point is in it or on its surface. Exact.
    pub fn encloses(&self, p: DVec3) -> bool {
        self.encloses_metered(p, &mut Meter::unlimited()).unwrap_or(false)
    }

    /// The same; `None` if the meter stopped it before it was known.
    pub fn encloses_metered(&self, p: DVec3, meter: &mut Meter) -> Option<bool> {
        if self.surface.solid.is_none() {
            return Some(false);
        }
        let bounds = self.surface.mesh.aabb().posed(self.pose);
        if !bounds.contains(p) {
            return Some(false);
        }
        let mut parity = inside::Parity::new(p);
        let mut fed = |i: u32| {
            let t = self.triangle(i);
            if !has_zero_area(&t) {
                parity.feed(i, &t);
            }
            if parity.is_on_surface() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        // The box of a long ray holds much of a body that is turned; only what the ray itself may meet counts.
        let end = DVec3::new(bounds.max.x, p.y, p.z);
        if end.x.is_finite() {
            self.view().visit_segment(p, end, meter, |i| if fed(i).is_break() { -1.0 } else { 1.0 });
        } else {
            self.view().visit_box(&inside::Parity::new(p).reach(), meter, fed);
        }
        let outside = parity.result() == inside::Location::Outside;
        (parity.is_on_surface() || !meter.is_stopped()).then_some(!outside)
    }

    /// Whether the point lies on a triangle, exactly; `None` if the meter stopped it before it was known.
    pub fn holds_metered(&self, p: DVec3, meter: &mut Meter) -> Option<bool> {
        let mut on = false;
        self.view().visit_box(&Aabb { min: p, max: p }, meter, |i| {
            on = inside::is_on_triangle(&p, &self.triangle(i));
            if on { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (on || !meter.is_stopped()).then_some(on)
    }

    /// Bound on the absolute coordinates of anything here.
    pub fn reach(&self) -> f64 {
        Self::reach_of(self.surface, self.pose)
    }

    /// The same of a surface at a pose.
    pub fn reach_of(surface: &Surface, pose: &Pose) -> f64 {
        2.0 * surface.mesh.aabb().reach() + pose.translation().abs().max_element()
    }
}

impl inside::Surface for PosedSurface<'_> {
    fn triangles(&self) -> u32 {
        self.count()
    }

    fn triangle(&self, i: u32) -> Triangle {
        self.surface.mesh.triangle(i).posed(self.pose)
    }

    fn piece(&self, i: u32) -> u32 {
        self.surface.solid.as_ref().map_or(0, |s| s.pieces()[i as usize])
    }

    fn near(&self, region: &Aabb, visit: &mut dyn FnMut(u32)) {
        self.view().visit_box(region, &mut Meter::unlimited(), |i| {
            visit(i);
            ControlFlow::Continue(())
        });
    }
}
