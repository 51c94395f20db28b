//! The vertices of small polytopes, points, segments and triangles among them, posed once for all support points of a
//! query.

use glam::DVec3;

use super::blocks::{Block, LANES};
use super::polytope::Polytope;
use super::{Core, PosedConvex};

/// Polytopes of more vertices than this are not posed beforehand: a query needs fewer points than that.
const MOST: usize = 32;

/// The posed vertices of a body as seen from its centre, in blocks of eight.
#[expect(
    clippy::large_enum_variant,
    reason = "it is made once a query and not moved; on the heap it would cost more"
)]
#[derive(Debug, Clone, Copy)]
pub(super) enum Corners {
    /// Up to eight vertices.
    Few([Block; 1]),
    /// Up to 32; the last is repeated.
    More([Block; MOST / LANES]),
    /// The core is round, or has more vertices than are worth it.
    None,
}

impl Corners {
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn new(body: &PosedConvex) -> Self {
        match body.convex().core() {
            Core::Cuboid(_, polytope) => Self::few(body, polytope),
            Core::Polytope(polytope) => match polytope.blocks().len() {
                1 => Self::few(body, polytope),
                n if n <= MOST / LANES => Self::more(body, polytope),
                _ => Self::None,
            },
            Core::Point(_) => Self::Few([[[0.0; LANES]; 3]]),
            Core::Segment([a, b]) => Self::Few([posed(body, &repeated([*a, *b, *b]))]),
            Core::Triangle(corners) => Self::Few([posed(body, &repeated(*corners))]),
            Core::Round(_) => Self::None,
        }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn few(body: &PosedConvex, polytope: &Polytope) -> Self {
        Self::Few([posed(body, &polytope.blocks()[0])])
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn more(body: &PosedConvex, polytope: &Polytope) -> Self {
        let blocks = polytope.blocks();
        let last = blocks.len() - 1;
        Self::More([
            posed(body, &blocks[0]),
            posed(body, &blocks[1.min(last)]),
            posed(body, &blocks[2.min(last)]),
            posed(body, &blocks[3.min(last)]),
        ])
    }

    /// The vertices in blocks; none if they are not known.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn blocks(&self) -> &[Block] {
        match self {
            Self::Few(blocks) => blocks,
            Self::More(blocks) => blocks,
            Self::None => &[],
        }
    }
}

/// Three points in a block, the last again and again.
#[cfg_attr(not(opt_level_0), inline(always))]
fn repeated([a, b, c]: [DVec3; 3]) -> Block {
    [0, 1, 2].map(|axis| {
        let [p, q, r] = [a[axis], b[axis], c[axis]];
        [p, q, r, r, r, r, r, r]
    })
}

/// By the formula of [`Pose::apply`](crate::Pose::apply), operation by operation, and seen from the centre.
#[cfg_attr(not(opt_level_0), inline(always))]
fn posed(body: &PosedConvex, [x, y, z]: &Block) -> Block {
    let (rotation, translation, center) = (body.pose().rotation(), body.pose().translation(), body.center());
    let mut result = [[0.0; LANES]; 3];
    for (axis, row) in result.iter_mut().enumerate() {
        let (p, q, r) = (rotation.x_axis[axis], rotation.y_axis[axis], rotation.z_axis[axis]);
        let (t, c) = (translation[axis], center[axis]);
        for lane in 0..LANES {
            row[lane] = (((p * x[lane] + q * y[lane]) + r * z[lane]) + t) - c;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::super::blocks::{at, farthest, farthest_of_two};
    use super::*;
    use crate::convex::{Convex, PosedConvex};
    use crate::hull::convex_hull;
    use crate::math::simd::Level;
    use crate::testing::Random;

    #[test]
    fn corners_are_where_the_pose_puts_them_to_the_bit() {
        let mut random = Random::new(3);
        for count in [4, 5, 8, 9, 20, 32] {
            let points: Vec<DVec3> = (0..count).map(|_| random.direction()).collect();
            let convex = Convex::of(&convex_hull(&points).unwrap().into()).unwrap();
            let pose = random.pose(DVec3::new(1e3, 0.1, -7.0));
            let body = PosedConvex::new(&convex, &pose);
            let corners = Corners::new(&body);
            for i in 0..count {
                assert_eq!(at(corners.blocks(), i as usize), body.offset(i));
            }
            for _ in 0..50 {
                let direction = random.direction();
                let found = farthest(Level::new(), corners.blocks(), direction);
                assert_eq!(found as u32, body.support(direction).vertex);
                let opposite = farthest(Level::new(), corners.blocks(), -direction);
                let both = farthest_of_two(Level::new(), corners.blocks(), corners.blocks(), direction);
                assert_eq!(both, [found, opposite]);
            }
        }
    }

    #[test]
    fn points_segments_and_triangles_have_corners_too() {
        let mut random = Random::new(4);
        let [a, b, c] = [0, 1, 2].map(|_| random.point());
        for core in [Core::Point(a), Core::Segment([a, b]), Core::Triangle([a, b, c])] {
            let convex = Convex::new(core, 0.0);
            let pose = random.pose(DVec3::new(-3.0, 40.0, 0.7));
            let body = PosedConvex::new(&convex, &pose);
            let corners = Corners::new(&body);
            for _ in 0..50 {
                let direction = random.direction();
                let found = farthest(Level::new(), corners.blocks(), direction);
                assert_eq!(found as u32, body.support(direction).vertex);
                assert_eq!(at(corners.blocks(), found), body.offset(found as u32));
            }
        }
    }
}
