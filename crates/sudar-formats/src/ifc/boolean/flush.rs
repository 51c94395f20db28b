//! Faces of what is cut out that lie in faces of what it is cut out of, but for rounding. Left as they are, they would
//! leave a film over an opening that is as deep as its wall is thick: they are moved out of it a little, where there is
//! nothing to cut.

use sudar::DVec3;

use super::{Surface, Tree};

/// A face is flush up to so many steps of the grid: about five micrometres, half of what files usually call one point.
const NEAR: f64 = 640.0;
/// So many steps of the grid beyond the face it is moved to: about a micrometre.
const BEYOND: f64 = 128.0;
/// Normals of flush faces agree at least so far; slivers have any.
const SAME_WAY: f64 = 0.9;

/// The plane of a face: its unit normal, and its height along that.
#[derive(Debug, Clone, Copy)]
struct Plane {
    normal: DVec3,
    height: f64,
}

impl Plane {
    fn of(surface: &Surface, t: &[u32; 3]) -> Option<Self> {
        let [a, b, c] = t.map(|i| surface.vertices[i as usize]);
        let normal = (b - a).cross(c - a).try_normalize()?;
        Some(Self { normal, height: normal.dot(a) })
    }

    fn above(&self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.height
    }

    fn is_near(&self, other: &Self, grid: f64) -> bool {
        self.normal.dot(other.normal) > 1.0 - 1e-12 && (self.height - other.height).abs() < grid
    }
}

/// The solids, those that are cut out reaching beyond faces with which they are flush. `None` beyond the steps that are
/// left.
pub(super) fn reaching(solids: &[Surface], tree: &Tree, grid: f64, steps: &mut u64) -> Option<Vec<Surface>> {
    let mut is_cut = vec![false; solids.len()];
    mark(tree, false, &mut is_cut);
    let mut planes: Vec<Plane> = Vec::new();
    for (solid, _) in solids.iter().zip(&is_cut).filter(|(_, is_cut)| !**is_cut) {
        for plane in solid.triangles.iter().filter_map(|t| Plane::of(solid, t)) {
            // The next triangle is most often of the same face.
            if !planes.iter().rev().take(4).any(|known| known.is_near(&plane, grid)) {
                planes.push(plane);
            }
        }
    }
    let moved = |(solid, is_cut): (&Surface, bool)| {
        let mut solid = solid.clone();
        if is_cut {
            *steps = steps.checked_sub((solid.triangles.len() * planes.len() / 8) as u64)?;
            move_out(&mut solid, &planes, grid);
        }
        Some(solid)
    };
    solids.iter().zip(is_cut).map(moved).collect()
}

/// Which solids are taken away from others.
fn mark(tree: &Tree, is_away: bool, is_cut: &mut [bool]) {
    match tree {
        Tree::Solid(i) => is_cut[*i] = is_away,
        Tree::Union(both) | Tree::Intersection(both) => {
            both.iter().for_each(|one| mark(one, is_away, is_cut));
        }
        Tree::Difference(first, others) => {
            mark(first, is_away, is_cut);
            others.iter().for_each(|one| mark(one, !is_away, is_cut));
        }
    }
}

/// Moves the corners of faces that lie in one of the planes and face the same way.
fn move_out(solid: &mut Surface, planes: &[Plane], grid: f64) {
    let own: Vec<Option<Plane>> = solid.triangles.iter().map(|t| Plane::of(solid, t)).collect();
    let given = solid.vertices.clone();
    for (t, own) in solid.triangles.iter().zip(own) {
        let Some(own) = own else { continue };
        let is_flush = |plane: &&Plane| {
            plane.normal.dot(own.normal) > SAME_WAY
                && t.iter().all(|&i| plane.above(given[i as usize]).abs() <= NEAR * grid)
        };
        for plane in planes.iter().filter(is_flush) {
            for &i in t {
                let p = &mut solid.vertices[i as usize];
                // A corner of two faces is moved by both, once each.
                *p += plane.normal * (BEYOND * grid - plane.above(*p)).max(0.0);
            }
        }
    }
}
