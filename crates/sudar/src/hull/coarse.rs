//! A coarse hull of few extreme points, to throw away most of the others before they cost anything (Akl & Toussaint
//! 1978, "A fast convex hull algorithm").

use glam::DVec3;

use super::arena::{Arena, FacePlane};
use super::input::Bounds;
use super::maximal::NONE;

/// The points farthest towards the faces and corners of their box, sorted: 14 at most.
pub(super) fn extremes(points: &[DVec3], bounds: &Bounds) -> Vec<u32> {
    // Corners of the box count alike, whatever its proportions. Large factors would overflow.
    let weight = bounds.extent().recip().min(DVec3::splat(1e200));
    let middle = bounds.min + bounds.extent() * 0.5;
    let mut found = bounds.extremes();
    let (mut greatest, mut at) = ([f64::NEG_INFINITY; 8], [0; 8]);
    for (i, &p) in points.iter().enumerate() {
        let q = (p - middle) * weight;
        let (sum, difference) = (q.y + q.z, q.y - q.z);
        let heights = [
            q.x + sum,
            q.x + difference,
            q.x - difference,
            q.x - sum,
            sum - q.x,
            difference - q.x,
            -difference - q.x,
            -sum - q.x,
        ];
        for k in 0..8 {
            if heights[k] > greatest[k] {
                (greatest[k], at[k]) = (heights[k], i as u32);
            }
        }
    }
    found.extend(at);
    found.sort_unstable();
    found.dedup();
    found
}

/// A box inside the hull of these points, on its boundary at most, which throws away points faster than faces can;
/// `None` if there is no large one.
pub(super) fn inner_box(corners: &[DVec3], coarse: &Arena) -> Option<[DVec3; 2]> {
    let middle = corners.iter().fold(DVec3::ZERO, |sum, &p| sum + p / corners.len() as f64);
    let (mut min, mut max) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
    for corner in corners.iter().map(|&p| p - middle) {
        // The side that this point is farthest out on is not limited by it, nor by points near the middle of a side.
        let reach = corner.abs().max_element() * 0.5;
        for axis in 0..3 {
            if corner.abs().min_element() > reach * 0.25 {
                if corner[axis] > 0.0 {
                    max[axis] = max[axis].min(corner[axis]);
                } else {
                    min[axis] = min[axis].max(corner[axis]);
                }
            }
        }
    }
    (min.is_finite() && max.is_finite()).then_some(())?;
    // What is asked of the box is only that all its corners are in the hull, exactly.
    [1.0, 0.9, 0.75].into_iter().find_map(|size| {
        let (min, max) = (middle + min * size, middle + max * size);
        let corner =
            |k: usize| DVec3::from_array([0, 1, 2].map(|i| if k >> i & 1 == 0 { min[i] } else { max[i] }));
        (0..8).all(|k| coarse.first_to_see(corner(k)).is_none()).then_some([min, max])
    })
}

/// Planes tested at a time: two or one vectors of the processor.
const LANES: usize = 4;

/// The planes of a surface in blocks of four, so that four are tested in the time of one or two. Inside are
/// most points, and for those every plane has to be tested.
#[derive(Debug)]
pub(super) struct Planes(Vec<Block>);

#[derive(Debug)]
struct Block {
    normal: [[f64; LANES]; 3],
    base: [[f64; LANES]; 3],
    least: [f64; LANES],
    faces: [u32; LANES],
}

impl Planes {
    /// Those of all faces.
    pub fn of(coarse: &Arena) -> Self {
        let all: Vec<(u32, FacePlane)> = coarse.planes().collect();
        Self(all.chunks(LANES).map(Block::of).collect())
    }

    /// As [`Arena::first_to_see`].
    #[inline]
    pub fn first_to_see(&self, coarse: &Arena, p: DVec3) -> Option<u32> {
        self.0.iter().find_map(|block| {
            let heights = block.heights(p);
            let below = (0..LANES).fold(true, |below, k| below & (heights[k] < block.least[k]));
            if below { None } else { block.first_to_see(&heights, coarse, p) }
        })
    }
}

impl Block {
    fn of(planes: &[(u32, FacePlane)]) -> Self {
        let at = |k: usize| planes.get(k).map(|(_, plane)| plane);
        let lanes =
            |f: &dyn Fn(&FacePlane) -> f64, empty: f64| std::array::from_fn(|k| at(k).map_or(empty, f));
        Self {
            normal: [0, 1, 2].map(|axis| lanes(&|plane| plane.normal[axis], 0.0)),
            base: [0, 1, 2].map(|axis| lanes(&|plane| plane.base[axis], 0.0)),
            // Everything is below a lane without a plane.
            least: lanes(&|plane| -plane.rounding, f64::INFINITY),
            faces: std::array::from_fn(|k| planes.get(k).map_or(NONE, |(face, _)| *face)),
        }
    }

    /// The same heights as those of the faces, bit for bit.
    #[inline(always)]
    fn heights(&self, p: DVec3) -> [f64; LANES] {
        std::array::from_fn(|k| {
            let w = p - DVec3::new(self.base[0][k], self.base[1][k], self.base[2][k]);
            (self.normal[0][k] * w.x + self.normal[1][k] * w.y) + self.normal[2][k] * w.z
        })
    }

    fn first_to_see(&self, heights: &[f64; LANES], coarse: &Arena, p: DVec3) -> Option<u32> {
        let sees = |k: &usize| heights[*k] >= self.least[*k] && coarse.sees(self.faces[*k], p);
        (0..LANES).find(sees).map(|k| self.faces[k])
    }
}
