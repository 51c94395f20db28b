//! How two solids lie to each other, exactly, also where their surfaces touch.
//!
//! Both surfaces together cut space into open cells; each cell is inside or outside each solid as a whole. Which of
//! the four combinations occur is the answer. Every bounded cell has a triangle on its boundary, so it is enough
//! to look just beside the triangles: beside every open region into which the other triangles that meet a
//! triangle divide it. A triangle that meets none of the other solid looks on both sides at the same parity of the
//! other, and so does everything connected with it up to the first triangle that does meet; so one per piece
//! does for pieces that meet nothing, and the others are seen from the triangles that touch.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::facets::Facet;
use super::facets_exact::look_exactly;
use super::labels::{Flip, Labels, Search};
use super::surface::Surface;
use crate::math::sets::{find, join};
use crate::pair::flat::coplanar_interiors_overlap;
use crate::pair::interiors_cross;

/// Relation of two solids A and B: apart, touching, overlapping, or one inside the other. "Inside" means the
/// points that an odd number of crossings makes so, without the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SolidRelation {
    /// No point in common.
    Apart,
    /// The surfaces meet, but no point is inside both.
    Touch,
    /// A is contained in B; their surfaces may meet.
    AInB,
    /// B is contained in A; their surfaces may meet.
    BInA,
    /// The same points are inside both, for any triangulation.
    Equal,
    /// Some points are inside both, some only inside A, some only inside B.
    Overlap,
}

/// Relation of two solids. Exact: no tolerance, for any triangulation, also for solids that touch
/// themselves, have coincident faces, or are nested.
///
/// `pairs` are all pairs (triangle of `a`, triangle of `b`) that intersect, sorted. Where triangles pass through each
/// other the answer is found at once; where surfaces touch, the cost is some microseconds for each pair of
/// touching triangles, and milliseconds where gaps are so thin that `f64` cannot look into them.
pub fn solid_relation(a: &dyn Surface, b: &dyn Surface, pairs: &[[u32; 2]]) -> SolidRelation {
    if overlap_for_certain(a, b, pairs) {
        return SolidRelation::Overlap;
    }
    let mut search = Search { solids: [a, b], found: Labels::default(), all_flip: true };
    let partners = [partners(pairs, 0), partners(pairs, 1)];
    for (side, touching) in partners.iter().enumerate() {
        search.look_at_free_pieces(side, touching);
    }
    search.look_at_touching(&partners);
    if !search.all_flip && !search.found.is_complete() {
        search.look_at_free_patches(&partners);
    }
    relation(search.found, !pairs.is_empty())
}

/// What the combinations say of two solids whose surfaces meet, or do not.
fn relation(found: Labels, meet: bool) -> SolidRelation {
    match (found.both, found.only_a, found.only_b) {
        (false, ..) if meet => SolidRelation::Touch,
        (false, ..) => SolidRelation::Apart,
        (true, true, true) => SolidRelation::Overlap,
        (true, false, true) => SolidRelation::AInB,
        (true, true, false) => SolidRelation::BInA,
        (true, false, false) => SolidRelation::Equal,
    }
}

/// The triangles of one solid that meet the other, each with those it meets.
type Partners = BTreeMap<u32, Vec<u32>>;

fn partners(pairs: &[[u32; 2]], side: usize) -> Partners {
    let mut all = Partners::new();
    for pair in pairs {
        all.entry(pair[side]).or_default().push(pair[1 - side]);
    }
    all
}

/// Whether two triangles of solids pass through each other, each the only one of its solid there: then all four
/// combinations of inside and outside occur around the segment that they have in common, and the relation is
/// [`SolidRelation::Overlap`]. Quick beside [`solid_relation`], which finds out where this says no.
pub fn overlap_for_certain(a: &dyn Surface, b: &dyn Surface, pairs: &[[u32; 2]]) -> bool {
    let mut crossing =
        pairs.iter().filter(|[i, j]| interiors_cross(&a.triangle(*i), &b.triangle(*j))).peekable();
    if crossing.peek().is_none() {
        return false;
    }
    let (of_a, of_b) = (partners(pairs, 0), partners(pairs, 1));
    let alone = |surface: &dyn Surface, i: u32, there: &[u32]| {
        let t = surface.triangle(i);
        there.iter().all(|&k| k == i || !coplanar_interiors_overlap(&t, &surface.triangle(k)))
    };
    crossing.any(|&[i, j]| alone(a, i, &of_b[&j]) && alone(b, j, &of_a[&i]))
}

impl Search<'_> {
    /// Looks beside a triangle of `solids[side]` that meets `partners` of the other solid.
    fn look_beside(&mut self, side: usize, triangle: u32, partners: &[u32]) -> Flip {
        let Some(facet) = Facet::new(self.solids, side, triangle, partners) else { return Flip::No };
        let (flip, narrow) = facet.look(self);
        if narrow.is_empty() { flip } else { flip.or(look_exactly(&facet, &narrow, self)) }
    }

    /// Looks beside one triangle of every piece that meets nothing: the first that divides inside from outside.
    fn look_at_free_pieces(&mut self, side: usize, touching: &Partners) {
        let surface = self.solids[side];
        let mut done: Vec<u32> = touching.keys().map(|&i| surface.piece(i)).collect();
        done.sort_unstable();
        done.dedup();
        for i in 0..surface.triangles() {
            let piece = surface.piece(i);
            let Err(place) = done.binary_search(&piece) else { continue };
            if self.found.is_complete() {
                return;
            }
            let all_flip = self.all_flip;
            if self.look_beside(side, i, &[]) == Flip::Yes {
                done.insert(place, piece);
            }
            // The piece was searched for a triangle that does, so one that does not matters nothing.
            self.all_flip = all_flip;
        }
    }

    /// Looks beside all triangles that meet the other solid, into narrow gaps only if the rest does not tell.
    fn look_at_touching(&mut self, partners: &[Partners; 2]) {
        let mut narrow = vec![];
        for (side, touching) in partners.iter().enumerate() {
            for (&i, partners) in touching {
                if self.is_complete() {
                    return;
                }
                let Some(facet) = Facet::new(self.solids, side, i, partners) else { continue };
                let (_, cuts) = facet.look(self);
                if !cuts.is_empty() {
                    narrow.push((facet, cuts));
                }
            }
        }
        for (facet, cuts) in narrow {
            look_exactly(&facet, &cuts, self);
        }
    }

    /// Looks beside every patch of triangles that do not touch: needed where faces of one solid coincide, so that
    /// the triangles that touch need not have seen what those connected with them see.
    fn look_at_free_patches(&mut self, touching: &[Partners; 2]) {
        for (side, touching) in touching.iter().enumerate() {
            let free: Vec<u32> =
                (0..self.solids[side].triangles()).filter(|i| !touching.contains_key(i)).collect();
            let mut done = BTreeSet::new();
            for (&i, patch) in free.iter().zip(patches(self.solids[side], &free)) {
                if self.is_complete() {
                    return;
                }
                if !done.contains(&patch) && self.look_beside(side, i, &[]) == Flip::Yes {
                    done.insert(patch);
                }
            }
        }
    }
}

/// For each of some triangles a number that is the same for those connected at corners by others of them.
fn patches(surface: &dyn Surface, triangles: &[u32]) -> Vec<usize> {
    let mut parent: Vec<u32> = (0..triangles.len() as u32).collect();
    let mut first_at: HashMap<[u64; 3], u32> = HashMap::new();
    for (n, &i) in (0..).zip(triangles) {
        for corner in surface.triangle(i).corners() {
            let position = corner.to_array().map(|x| (x + 0.0).to_bits());
            let other = *first_at.entry(position).or_insert(n);
            join(&mut parent, n, other);
        }
    }
    (0..triangles.len() as u32).map(|n| find(&mut parent, n) as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::ListedSurface;
    use crate::math::Pose;
    use crate::pair::triangles_intersect;
    use crate::shape::{Aabb, Mesh, Solid};
    use glam::{DMat3, DVec3};
    use std::sync::Arc;

    /// The box between two corners.
    fn cuboid(min: [f64; 3], max: [f64; 3]) -> Mesh {
        Mesh::from_aabb(Aabb { min: min.into(), max: max.into() })
    }

    fn surface(mesh: &Mesh, pose: &Pose) -> ListedSurface {
        ListedSurface::new(&Solid::new(Arc::new(mesh.clone())).unwrap(), pose)
    }

    fn posed_relation(a: &Mesh, b: &Mesh, pose: &Pose) -> SolidRelation {
        let (a, b) = (surface(a, pose), surface(b, pose));
        let all = (0..a.triangles()).flat_map(|i| (0..b.triangles()).map(move |j| [i, j]));
        let meet = |p: &[u32; 2]| triangles_intersect(&a.triangle(p[0]), &b.triangle(p[1]));
        solid_relation(&a, &b, &all.filter(meet).collect::<Vec<_>>())
    }

    /// The relation, which must be the same the other way round.
    fn relation(a: &Mesh, b: &Mesh) -> SolidRelation {
        let there = posed_relation(a, b, &Pose::IDENTITY);
        let back = posed_relation(b, a, &Pose::IDENTITY);
        let expected = match there {
            SolidRelation::AInB => SolidRelation::BInA,
            SolidRelation::BInA => SolidRelation::AInB,
            same @ (SolidRelation::Apart
            | SolidRelation::Touch
            | SolidRelation::Equal
            | SolidRelation::Overlap) => same,
        };
        assert_eq!(back, expected);
        there
    }

    #[test]
    fn cubes_side_by_side_touch() {
        let cube = cuboid([0.0; 3], [1.0; 3]);
        for min in [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 0.3, -0.4], [1.0, 1.0, 0.2]] {
            let other = cuboid(min, min.map(|x| x + 1.0));
            assert_eq!(relation(&cube, &other), SolidRelation::Touch, "{min:?}");
            let away = cuboid([1.0_f64.next_up(), min[1], min[2]], [2.0; 3]);
            assert_eq!(relation(&cube, &away), SolidRelation::Apart, "{min:?}");
        }
    }

    #[test]
    fn a_box_flush_with_one_to_six_faces_is_contained() {
        let outer = cuboid([0.0; 3], [3.0; 3]);
        for flush in 0..64 {
            let low = std::array::from_fn(|i| if flush >> i & 1 == 1 { 0.0 } else { 1.0 });
            let high = std::array::from_fn(|i| if flush >> (i + 3) & 1 == 1 { 3.0 } else { 2.0 });
            let expected = if flush == 63 { SolidRelation::Equal } else { SolidRelation::BInA };
            assert_eq!(relation(&outer, &cuboid(low, high)), expected, "{low:?} {high:?}");
        }
    }

    #[test]
    fn aligned_boxes_overlap_without_any_triangles_passing_through_each_other() {
        // Same cross section, moved along it: sides are coplanar, ends lie inside.
        let (a, b) = (cuboid([0.0; 3], [2.0, 1.0, 1.0]), cuboid([1.0, 0.0, 0.0], [3.0, 1.0, 1.0]));
        assert_eq!(relation(&a, &b), SolidRelation::Overlap);
        // A cross of two bars of the same thickness.
        let (a, b) = (cuboid([-2.0, -1.0, 0.0], [2.0, 1.0, 1.0]), cuboid([-1.0, -2.0, 0.0], [1.0, 2.0, 1.0]));
        assert_eq!(relation(&a, &b), SolidRelation::Overlap);
    }

    #[test]
    fn interlocking_parts_touch() {
        // An L of two boxes (sharing a face, so that it is there twice) around the corner of a cube.
        let l = Mesh::joined(&[cuboid([0.0; 3], [1.0, 3.0, 1.0]), cuboid([1.0, 0.0, 0.0], [3.0, 1.0, 1.0])])
            .unwrap();
        let cube = cuboid([1.0, 1.0, 0.0], [2.0, 2.0, 1.0]);
        assert_eq!(relation(&l, &cube), SolidRelation::Touch);
        let deeper = cuboid([0.5, 1.0, 0.0], [2.0, 2.0, 1.0]);
        assert_eq!(relation(&l, &deeper), SolidRelation::Overlap);
        // A box across the doubled face is inside.
        let across = cuboid([0.5, 0.25, 0.25], [1.5, 0.75, 0.75]);
        assert_eq!(relation(&l, &across), SolidRelation::BInA);
    }

    #[test]
    fn a_box_in_a_cavity_is_not_inside() {
        let hollow = Mesh::joined(&[cuboid([0.0; 3], [9.0; 3]), cuboid([3.0; 3], [6.0; 3])]).unwrap();
        assert_eq!(relation(&hollow, &cuboid([4.0; 3], [5.0; 3])), SolidRelation::Apart);
        assert_eq!(relation(&hollow, &cuboid([3.0, 4.0, 4.0], [5.0; 3])), SolidRelation::Touch);
        assert_eq!(relation(&hollow, &cuboid([3.0; 3], [6.0; 3])), SolidRelation::Touch);
        assert_eq!(relation(&hollow, &cuboid([1.0; 3], [2.0; 3])), SolidRelation::BInA);
        assert_eq!(relation(&hollow, &cuboid([1.0; 3], [3.0; 3])), SolidRelation::BInA);
        assert_eq!(relation(&hollow, &cuboid([0.0; 3], [9.0; 3])), SolidRelation::AInB);
    }

    #[test]
    fn a_gap_and_an_overlap_of_an_ulp_are_seen() {
        let a = cuboid([0.0; 3], [1.0; 3]);
        let into = cuboid([1.0_f64.next_down(), 0.0, 0.0], [2.0, 1.0, 1.0]);
        assert_eq!(relation(&a, &into), SolidRelation::Overlap);
        let thin = cuboid([0.0; 3], [1.0_f64.next_down(), 1.0, 1.0]);
        assert_eq!(relation(&a, &thin), SolidRelation::BInA);
    }

    #[test]
    fn a_turn_by_exact_numbers_changes_nothing() {
        // Rows of a rational rotation times 9, so all corners are whole numbers and no rounding happens.
        let turn = DMat3::from_cols_array(&[1.0, 8.0, 4.0, 4.0, -4.0, 7.0, 8.0, 1.0, -4.0]);
        let turned = |m: &Mesh| m.mapped(|p| turn * p).unwrap();
        let cube = turned(&cuboid([0.0; 3], [2.0; 3]));
        let beside = turned(&cuboid([2.0, 1.0, -1.0], [3.0, 3.0, 1.0]));
        let flush = turned(&cuboid([0.0, 0.0, 1.0], [1.0, 2.0, 2.0]));
        let through = turned(&cuboid([1.0, 0.0, 0.0], [3.0, 2.0, 2.0]));
        assert_eq!(relation(&cube, &beside), SolidRelation::Touch);
        assert_eq!(relation(&cube, &flush), SolidRelation::BInA);
        assert_eq!(relation(&cube, &through), SolidRelation::Overlap);
    }

    #[test]
    fn a_common_pose_with_rounding_keeps_the_relation_of_distant_parts() {
        let turn = DMat3::from_rotation_z(0.3) * DMat3::from_rotation_x(1.1);
        let pose = Pose::from_matrix(turn, DVec3::new(3.3, -7.7, 1e3)).unwrap();
        let (a, b) = (cuboid([0.0; 3], [1.0; 3]), cuboid([0.5, -2.0, 0.3], [0.9, 2.0, 0.7]));
        assert_eq!(posed_relation(&a, &b, &pose), SolidRelation::Overlap);
        assert_eq!(posed_relation(&a, &cuboid([0.2; 3], [0.8; 3]), &pose), SolidRelation::BInA);
        assert_eq!(posed_relation(&a, &a, &pose), SolidRelation::Equal);
    }
}
