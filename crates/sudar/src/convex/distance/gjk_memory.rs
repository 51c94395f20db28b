//! What one search of GJK leaves for the next.

use glam::DVec3;

use crate::convex::{Difference, Gjk, GjkSimplex, PosedConvex};

/// Where a search begins: what is worth to keep of an earlier one on the same two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GjkMemory {
    /// A direction that may separate, from the first body to the second; zero if none is known.
    pub axis: DVec3,
    /// The vertices that made up the last simplex, if both bodies are polytopes.
    pub vertices: [[u32; 2]; 4],
    /// How many of these there are.
    pub count: u8,
}

impl GjkMemory {
    /// Nothing is known.
    pub const NONE: Self = Self { axis: DVec3::ZERO, vertices: [[0, 0]; 4], count: 0 };

    /// What to keep of a search.
    pub fn of(difference: &Difference, found: &Gjk) -> Self {
        let mut memory = Self { axis: found.axis, ..Self::NONE };
        if difference.is_polytope() {
            for vertex in found.simplex.vertices() {
                memory.vertices[memory.count as usize] = vertex.vertices;
                memory.count += 1;
            }
        }
        memory
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::NONE
    }

    /// Whether two bodies still meet or are still apart for the same reason as before; `None` if that reason no longer
    /// holds. Costs one support point of each, or four vertices.
    pub fn still_decides(&self, a: &PosedConvex, b: &PosedConvex) -> Option<bool> {
        let difference = Difference::unposed(*a, *b);
        if self.count == 4 && self.fits(&difference) {
            let mut simplex = self.simplex(&difference);
            let meets = simplex.reduce().is_none() && simplex.holds_ball(difference.slack());
            return meets.then_some(true);
        }
        self.parts(&difference, 0.0).then_some(false)
    }

    /// Whether two bodies are certainly farther apart than this along the direction remembered. Costs one support
    /// point of each.
    pub fn parts(&self, difference: &Difference, max: f64) -> bool {
        let length = self.axis.length();
        if length == 0.0 || !length.is_finite() {
            return false;
        }
        let gap = -self.axis.dot(difference.support(self.axis).point) / length * (1.0 - 4.0 * f64::EPSILON);
        gap > (max + difference.margin()) * (1.0 + 2.0 * f64::EPSILON) + difference.slack()
    }

    /// Whether it holds nothing that no search leaves.
    pub fn is_valid(&self) -> bool {
        self.axis.is_finite() && self.count <= 4
    }

    /// The simplex remembered, where the bodies are now; its vertices must be theirs.
    pub fn simplex(&self, difference: &Difference) -> GjkSimplex {
        let mut simplex = GjkSimplex::new(difference.vertex(self.vertices[0]));
        for vertices in &self.vertices[1..self.count.clamp(1, 4) as usize] {
            simplex.push(difference.vertex(*vertices));
        }
        simplex
    }

    /// Whether the simplex remembered is one of these bodies, as far as the numbers of its vertices tell.
    pub fn fits(&self, difference: &Difference) -> bool {
        let known = self.vertices.get(..self.count as usize).unwrap_or(&[]);
        let [p, q] = [&difference.a, &difference.b].map(|body| body.convex().vertex_count());
        !known.is_empty() && difference.is_polytope() && known.iter().all(|&[i, j]| i < p && j < q)
    }
}

impl Default for GjkMemory {
    fn default() -> Self {
        Self::NONE
    }
}
