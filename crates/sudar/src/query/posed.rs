//! Bodies as they stand in the world.

use std::ops::ControlFlow;

use glam::DVec3;

use super::body::{Body, Form, Surface, posed};
use crate::convex::PosedConvex;
use crate::effort::Meter;
use crate::inside;
use crate::math::Pose;
use crate::shape::{Aabb, Halfspace, Triangle, has_zero_area};
use crate::tree::{Layered, View};

/// A posed body by what it takes to answer for it.
pub(crate) enum Posed<'a> {
    Mesh(PosedSurface<'a>),
    Convex(PosedBody<'a>),
    Halfspace(Halfspace),
}

impl<'a> Posed<'a> {
    /// The body at the pose. A half-space `n·x ≤ d` becomes `(R n)·x ≤ d + (R n)·t`, rounded. `None` for compounds,
    /// which are asked part by part, see [`parts`].
    #[inline]
    pub fn new(body: &'a Body, pose: &'a Pose) -> Option<Self> {
        match body.form() {
            Form::Mesh => body.surface().map(|surface| Self::Mesh(PosedSurface::new(surface, pose))),
            Form::Convex(convex) => {
                Some(Self::Convex(PosedBody { body, convex: PosedConvex::new(convex, pose) }))
            }
            Form::Halfspace(halfspace) => Some(Self::Halfspace(posed_halfspace(halfspace, pose))),
            Form::Compound(_) => None,
        }
    }
}

impl Posed<'_> {
    /// Bound on the absolute coordinates of anything here; of a half-space, on how far its plane is from the origin.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Mesh(surface) => surface.reach(),
            Self::Convex(body) => body.reach(),
            Self::Halfspace(h) => (h.offset / h.normal.abs().max_element()).abs(),
        }
    }
}

/// Bound on the absolute coordinates of a body, see [`Posed::reach`].
pub(crate) fn reach_of(body: &Body, pose: &Pose) -> f64 {
    let reach = |part: &Part| Posed::new(part.body, &part.pose).map_or(0.0, |posed| posed.reach());
    parts(body, pose).iter().map(reach).fold(0.0, f64::max)
}

/// A part of a body, or all of it, where it stands.
pub(crate) struct Part<'a> {
    pub index: u32,
    pub body: &'a Body,
    pub pose: Pose,
}

/// The parts of a compound; any other body is a single part.
pub(crate) fn parts<'a>(body: &'a Body, pose: &Pose) -> Vec<Part<'a>> {
    match body.form() {
        Form::Mesh | Form::Convex(_) | Form::Halfspace(_) => vec![Part { index: 0, body, pose: *pose }],
        Form::Compound(parts) => {
            let part = |(index, (body, at)): (usize, &'a (Body, Pose))| Part {
                index: index as u32,
                body,
                pose: pose.after(at),
            };
            parts.iter().enumerate().map(part).collect()
        }
    }
}

/// Whether a body has to be asked part by part.
pub(crate) fn is_compound(body: &Body) -> bool {
    !body.parts().is_empty()
}

/// The feature to report for one of a part: the number of the part if the whole is a compound.
pub(crate) fn feature_of_whole(whole: &Body, part: &Part, feature: u32) -> u32 {
    if is_compound(whole) { part.index } else { feature }
}

/// A convex body with its triangles, if its faces are flat.
#[derive(Clone, Copy)]
pub(crate) struct PosedBody<'a> {
    body: &'a Body,
    pub convex: PosedConvex<'a>,
}

impl<'a> PosedBody<'a> {
    /// The body at the pose, if it is convex and bounded.
    #[inline]
    pub fn new(body: &'a Body, pose: &'a Pose) -> Option<Self> {
        match body.form() {
            Form::Convex(convex) => Some(Self { body, convex: PosedConvex::new(convex, pose) }),
            Form::Mesh | Form::Halfspace(_) | Form::Compound(_) => None,
        }
    }

    /// The triangles, made now if nobody needed them before; of balls and other round bodies there are none.
    pub fn surface(&self) -> Option<PosedSurface<'a>> {
        self.body.surface().map(|surface| PosedSurface::new(surface, self.convex.pose()))
    }

    /// Bound on the absolute coordinates of anything here.
    #[inline]
    pub fn reach(&self) -> f64 {
        let convex = self.convex.convex();
        self.convex.pose().translation().abs().max_element() + convex.reach() + convex.margin()
    }

    /// The smallest box around it, rounded outward.
    pub fn aabb(&self) -> Aabb {
        self.body.aabb(self.convex.pose())
    }
}

fn posed_halfspace(h: &Halfspace, pose: &Pose) -> Halfspace {
    let normal = pose.rotate(h.normal);
    Halfspace { normal, offset: h.offset + normal.dot(pose.translation()) }
}

/// The triangles of a body in the world, found through its tree.
#[derive(Clone, Copy)]
pub(crate) struct PosedSurface<'a> {
    pub surface: &'a Surface,
    pub pose: &'a Pose,
    pub view: View<'a>,
}

impl<'a> PosedSurface<'a> {
    pub fn new(surface: &'a Surface, pose: &'a Pose) -> Self {
        Self { surface, pose, view: View::new(&surface.tree, pose) }
    }

    /// The tree with its turned boxes, for distances.
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
        posed(&self.surface.mesh, self.pose, i)
    }

    /// Vertex `i` as it stands.
    pub fn vertex(&self, i: u32) -> DVec3 {
        self.pose.apply(self.surface.mesh.vertices()[i as usize])
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
        let mut parity = inside::Parity::new(p);
        self.view.visit_box(&parity.reach(), meter, |i| {
            let t = self.triangle(i);
            if !has_zero_area(&t) {
                parity.feed(i, &t);
            }
            if parity.is_on_surface() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let outside = parity.result() == inside::Location::Outside;
        (parity.is_on_surface() || !meter.is_stopped()).then_some(!outside)
    }

    /// Whether the point lies on a triangle, exactly; `None` if the meter stopped it before it was known.
    pub fn holds_metered(&self, p: DVec3, meter: &mut Meter) -> Option<bool> {
        let mut on = false;
        self.view.visit_box(&Aabb { min: p, max: p }, meter, |i| {
            on = inside::is_on_triangle(&p, &self.triangle(i));
            if on { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (on || !meter.is_stopped()).then_some(on)
    }

    /// Bound on the absolute coordinates of anything here.
    pub fn reach(&self) -> f64 {
        2.0 * self.surface.mesh.aabb().reach() + self.pose.translation().abs().max_element()
    }
}

impl inside::Surface for PosedSurface<'_> {
    fn triangles(&self) -> u32 {
        self.count()
    }

    fn triangle(&self, i: u32) -> Triangle {
        posed(&self.surface.mesh, self.pose, i)
    }

    fn piece(&self, i: u32) -> u32 {
        self.surface.solid.as_ref().map_or(0, |s| s.pieces()[i as usize])
    }

    fn near(&self, region: &Aabb, visit: &mut dyn FnMut(u32)) {
        self.view.visit_box(region, &mut Meter::unlimited(), |i| {
            visit(i);
            ControlFlow::Continue(())
        });
    }
}
