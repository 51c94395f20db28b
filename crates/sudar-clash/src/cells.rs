//! A cheap proof that two solids which touch do not overlap, for parts with faces along the axes: flush
//! beams, doors and windows in their openings.
//!
//! What both enclose lies in the common part of their bounding boxes. A cell of it that no triangle of a
//! solid enters is inside or outside of that solid as a whole, and one of its points decides which. Cells that both
//! surfaces enter are divided at a face that lies across them.

use sudar::Aabb;
use sudar::inside::{Location, Surface, locate};

/// Flush parts need some seven cells; where so many do not do, cells of this kind are of no help.
const MOST_CELLS: usize = 48;

/// Whether the solids certainly enclose no common point; `common` holds what their bounding boxes have in
/// common. Exact; false says nothing. O(n) for n triangles there, times [`MOST_CELLS`].
pub(crate) fn enclose_nothing_common(a: &dyn Surface, b: &dyn Surface, common: &Aabb) -> bool {
    let solids = [a, b];
    let mut cells = vec![Cell { bounds: *common, boxes: solids.map(|solid| boxes_near(solid, common)) }];
    for _ in 0..MOST_CELLS {
        let Some(mut cell) = cells.pop() else { return true };
        cell.forget_what_stays_out();
        if cell.is_outside_of_one(solids) {
            continue;
        }
        let Some(halves) = cell.halves() else { return false };
        cells.extend(halves);
    }
    cells.is_empty()
}

fn boxes_near(solid: &dyn Surface, region: &Aabb) -> Vec<Aabb> {
    let mut boxes = Vec::new();
    solid.near(region, &mut |i| boxes.push(solid.triangle(i).aabb()));
    boxes
}

/// An open box, and the boxes of the triangles of each solid that may enter it.
struct Cell {
    bounds: Aabb,
    boxes: [Vec<Aabb>; 2],
}

impl Cell {
    fn forget_what_stays_out(&mut self) {
        let Aabb { min, max } = self.bounds;
        for boxes in &mut self.boxes {
            boxes.retain(|b| b.min.cmplt(max).all() && b.max.cmpgt(min).all());
        }
    }

    /// Whether no triangle of one solid enters the cell, and a point of the cell is outside of that solid.
    fn is_outside_of_one(&self, solids: [&dyn Surface; 2]) -> bool {
        let Aabb { min, max } = self.bounds;
        let center = self.bounds.center();
        // A cell as thin as one ulp has no number in it.
        let is_inner = center.cmpgt(min).all() && center.cmplt(max).all();
        let outside = |solid| is_inner && locate(center, solid) == Location::Outside;
        min.cmpge(max).any()
            || self.boxes.iter().zip(solids).any(|(boxes, solid)| boxes.is_empty() && outside(solid))
    }

    /// The cell divided at the triangle that is flat along an axis and spans most of it; `None` if there is none, or if
    /// the cell lies in one of the solids.
    fn halves(self) -> Option<[Self; 2]> {
        if self.boxes.iter().any(Vec::is_empty) {
            return None;
        }
        let (k, x) = self.widest_face()?;
        let (mut below, mut above) = (self.bounds, self.bounds);
        below.max[k] = x;
        above.min[k] = x;
        Some([Self { bounds: below, boxes: self.boxes.clone() }, Self { bounds: above, boxes: self.boxes }])
    }

    /// The axis of that triangle and where on it it lies: strictly inside the cell, as it enters it.
    fn widest_face(&self) -> Option<(usize, f64)> {
        let mut best: Option<(f64, usize, f64)> = None;
        for b in self.boxes.iter().flatten() {
            for k in (0..3).filter(|&k| b.min[k] == b.max[k]) {
                let share = self.share(b, (k + 1) % 3) * self.share(b, (k + 2) % 3);
                if best.is_none_or(|(most, ..)| share > most) {
                    best = Some((share, k, b.min[k]));
                }
            }
        }
        best.map(|(_, k, x)| (k, x))
    }

    /// How much of the cell a box spans along an axis, rounded: it decides no more than where to divide.
    fn share(&self, b: &Aabb, k: usize) -> f64 {
        let Aabb { min, max } = self.bounds;
        (b.max[k].min(max[k]) - b.min[k].max(min[k])) / (max[k] - min[k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use std::sync::Arc;
    use sudar::inside::{ListedSurface, SolidRelation, solid_relation};
    use sudar::pair::triangles_intersect;
    use sudar::{DVec3, Mesh, Pose, Solid};
    use sudar_testing::Random;

    /// A solid of several boxes.
    fn boxes(list: &[([f64; 3], [f64; 3])]) -> Mesh {
        let aabb = |&(min, max): &([f64; 3], [f64; 3])| Aabb { min: min.into(), max: max.into() };
        let parts: Vec<Mesh> = list.iter().map(|b| Mesh::from_aabb(aabb(b))).collect();
        Mesh::joined(&parts).unwrap()
    }

    /// What the proof says, and the relation by the exact method, which it has nothing in common with but `locate`.
    fn both(a: &Mesh, b: &Mesh) -> (bool, SolidRelation) {
        let surface =
            |mesh: &Mesh| ListedSurface::new(&Solid::new(Arc::new(mesh.clone())).unwrap(), &Pose::IDENTITY);
        let (s, t) = (surface(a), surface(b));
        let mut pairs = vec![];
        for i in 0..s.triangles() {
            for j in 0..t.triangles() {
                if triangles_intersect(&s.triangle(i), &t.triangle(j)) {
                    pairs.push([i, j]);
                }
            }
        }
        let (x, y) = (a.aabb(), b.aabb());
        let common = Aabb { min: x.min.max(y.min), max: x.max.min(y.max) };
        (enclose_nothing_common(&s, &t, &common), solid_relation(&s, &t, &pairs))
    }

    /// A wall of four boxes around an opening of 1 × 2, 1/4 thick.
    fn wall() -> Mesh {
        boxes(&[
            ([0.0, 0.0, 0.0], [1.0, 0.25, 3.0]),
            ([2.0, 0.0, 0.0], [3.0, 0.25, 3.0]),
            ([1.0, 0.0, 2.0], [2.0, 0.25, 3.0]),
            ([1.0, 0.0, -0.5], [2.0, 0.25, 0.0]),
        ])
    }

    /// A door that fills the opening, with a casing before the wall that is wider.
    fn door(width: f64) -> Mesh {
        boxes(&[([1.0, -0.125, 0.0], [width, 0.375, 2.0]), ([0.875, 0.25, 0.0], [2.125, 0.3125, 2.125])])
    }

    #[test]
    fn a_door_in_its_opening_touches_the_wall() {
        assert_eq!(both(&wall(), &door(2.0)), (true, SolidRelation::Touch));
        assert_eq!(both(&door(1.9375), &wall()), (true, SolidRelation::Touch));
    }

    #[test]
    fn a_door_too_wide_by_an_ulp_does_not() {
        assert_eq!(both(&wall(), &door(2f64.next_up())), (false, SolidRelation::Overlap));
    }

    #[test]
    fn what_is_inside_is_not_apart() {
        let (outer, inner) = ([0.0; 3], [4.0; 3]);
        let around = boxes(&[(outer, inner)]);
        assert_eq!(both(&around, &boxes(&[([0.0; 3], [1.0; 3])])), (false, SolidRelation::BInA));
        assert_eq!(both(&around, &around), (false, SolidRelation::Equal));
    }

    #[test]
    fn faces_along_no_axis_prove_nothing() {
        let corner = |x: f64| {
            let v = [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]].map(DVec3::from);
            let slanted = v.map(|p| DVec3::new(p.x + p.y, p.y + p.z, p.z - 2.0 * p.x));
            Mesh::new(slanted.to_vec(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap()
        };
        let (proved, relation) = both(&corner(0.0), &corner(0.5));
        assert_eq!((proved, relation), (false, SolidRelation::Overlap));
    }

    #[test]
    fn of_boxes_on_a_lattice_nothing_that_overlaps_is_called_apart() {
        let mut rng = Random::new(20261121);
        let mut proofs = 0;
        for _ in 0..400 {
            let mut solid = || {
                let mut one = || {
                    let min = [0, 1, 2].map(|_| f64::from(rng.random_range(0..5)));
                    let max = min.map(|x| x + f64::from(rng.random_range(1..4)));
                    (min, max)
                };
                boxes(&[one(), one()])
            };
            let (a, b) = (solid(), solid());
            let (proved, relation) = both(&a, &b);
            let apart = matches!(relation, SolidRelation::Apart | SolidRelation::Touch);
            assert!(apart || !proved, "{relation:?}: {a:?} {b:?}");
            proofs += u32::from(proved && relation == SolidRelation::Touch);
        }
        // Some tenth of such pairs only touch.
        assert!(proofs > 10, "{proofs}");
    }
}
