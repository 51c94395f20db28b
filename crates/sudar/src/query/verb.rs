//! The spine of all queries on two bodies: the one place where kinds of pairs are distinguished.

use super::bodies::{Part, Placed, Posed, PosedBody, PosedSurface};
use crate::effort::Meter;
use crate::shape::Halfspace;

/// A query on two bodies, by what it does with each kind of pair. Features of meshes are the numbers of
/// triangles, those of all else are 0.
pub(super) trait PairVerb {
    /// What it answers.
    type Answer;

    /// The answer for the bodies in the other order.
    fn swapped(answer: Self::Answer) -> Self::Answer;

    fn meshes(&self, a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Self::Answer;

    fn mesh_convex(&self, mesh: &PosedSurface, body: &PosedBody, meter: &mut Meter) -> Self::Answer;

    fn convexes(&self, a: &PosedBody, b: &PosedBody, meter: &mut Meter) -> Self::Answer;

    fn mesh_halfspace(&self, mesh: &PosedSurface, halfspace: &Halfspace, meter: &mut Meter) -> Self::Answer;

    fn convex_halfspace(&self, body: &PosedBody, halfspace: &Halfspace, meter: &mut Meter) -> Self::Answer;

    fn halfspaces(&self, a: &Halfspace, b: &Halfspace, meter: &mut Meter) -> Self::Answer;

    /// Bodies of which at least one is a compound: how the answers of
    /// [`visit_pairs`](super::bodies::visit_pairs) join.
    fn compounds(&self, a: Placed, b: Placed, meter: &mut Meter) -> Self::Answer;

    /// The answer for any two bodies.
    #[inline]
    fn ask(&self, a: Placed, b: Placed, meter: &mut Meter) -> Self::Answer {
        // The shortest way for the shortest queries.
        if let (Some(a), Some(b)) = (a.convex(), b.convex()) {
            return self.convexes(&a, &b, meter);
        }
        self.dispatch(a, b, meter)
    }

    /// The same without a limit: convex bodies need no meter, and none is made for them.
    #[inline]
    fn ask_without_limit(&self, a: Placed, b: Placed) -> Self::Answer {
        if let (Some(a), Some(b)) = (a.convex(), b.convex()) {
            return self.convexes(&a, &b, &mut Meter::unlimited());
        }
        self.dispatch_without_limit(a, b)
    }

    #[inline(never)]
    fn dispatch_without_limit(&self, a: Placed, b: Placed) -> Self::Answer {
        self.dispatch(a, b, &mut Meter::unlimited())
    }

    /// The answer for two parts.
    fn ask_parts(&self, [p, q]: [&Part; 2], meter: &mut Meter) -> Self::Answer {
        self.ask(p.at(), q.at(), meter)
    }

    #[inline(never)]
    fn dispatch(&self, a: Placed, b: Placed, meter: &mut Meter) -> Self::Answer {
        match (a.form(), b.form()) {
            (Posed::Compound, _) | (_, Posed::Compound) => self.compounds(a, b, meter),
            (Posed::Mesh(a), Posed::Mesh(b)) => self.meshes(&a, &b, meter),
            (Posed::Mesh(a), Posed::Convex(b)) => self.mesh_convex(&a, &b, meter),
            (Posed::Convex(a), Posed::Mesh(b)) => Self::swapped(self.mesh_convex(&b, &a, meter)),
            (Posed::Convex(a), Posed::Convex(b)) => self.convexes(&a, &b, meter),
            (Posed::Mesh(a), Posed::Halfspace(b)) => self.mesh_halfspace(&a, &b, meter),
            (Posed::Halfspace(a), Posed::Mesh(b)) => Self::swapped(self.mesh_halfspace(&b, &a, meter)),
            (Posed::Convex(a), Posed::Halfspace(b)) => self.convex_halfspace(&a, &b, meter),
            (Posed::Halfspace(a), Posed::Convex(b)) => Self::swapped(self.convex_halfspace(&b, &a, meter)),
            (Posed::Halfspace(a), Posed::Halfspace(b)) => self.halfspaces(&a, &b, meter),
        }
    }
}
