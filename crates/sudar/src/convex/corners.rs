//! The vertices of small polytopes, posed once for all support points of a query.

use glam::DVec3;

use super::polytope::{Block, LANES, Polytope, argmax};
use super::{Core, PosedConvex, SupportPoint};

/// Polytopes of more vertices than this are not posed beforehand: a query asks for fewer points than that.
const MOST: usize = 32;

/// The posed vertices of a body as seen from its centre, in blocks of four.
#[derive(Debug, Clone, Copy)]
pub(super) enum Corners {
    /// Up to eight vertices.
    Few([Block; 2]),
    /// Up to 32, and how many blocks of four.
    More([Block; MOST / LANES], usize),
    /// The core is round, or has more vertices than are worth it.
    None,
}

impl Corners {
    #[inline]
    pub fn new(body: &PosedConvex) -> Self {
        match body.convex().core() {
            Core::Cuboid(_, polytope) => Self::few(body, polytope),
            Core::Polytope(polytope) => match polytope.blocks().len() {
                1 | 2 => Self::few(body, polytope),
                n if n <= MOST / LANES => Self::more(body, polytope, n),
                _ => Self::None,
            },
            Core::Point(_)
            | Core::Segment(_)
            | Core::Triangle(_)
            | Core::Cylinder { .. }
            | Core::Cone { .. }
            | Core::Ellipsoid(_) => Self::None,
        }
    }

    #[inline]
    fn few(body: &PosedConvex, polytope: &Polytope) -> Self {
        let blocks = polytope.blocks();
        Self::Few([0, 1].map(|i| posed(body, &blocks[i.min(blocks.len() - 1)])))
    }

    #[inline]
    fn more(body: &PosedConvex, polytope: &Polytope, count: usize) -> Self {
        let mut all = [[[0.0; LANES]; 3]; MOST / LANES];
        for (place, block) in all.iter_mut().zip(polytope.blocks()) {
            *place = posed(body, block);
        }
        Self::More(all, count)
    }

    /// The farthest vertex in a direction, if they are known.
    #[inline]
    pub fn support(&self, direction: DVec3) -> Option<SupportPoint> {
        let (blocks, vertex): (&[Block], usize) = match self {
            Self::Few(blocks) => (blocks, argmax(blocks, direction)),
            Self::More(blocks, count) => (blocks, argmax(&blocks[..*count], direction)),
            Self::None => return None,
        };
        Some(SupportPoint { offset: at(blocks, vertex), vertex: vertex as u32 })
    }

    /// Vertex `i` as seen from the centre, if they are known.
    #[inline]
    pub fn offset(&self, i: u32) -> Option<DVec3> {
        match self {
            Self::Few(blocks) => Some(at(blocks, i as usize)),
            Self::More(blocks, _) => Some(at(blocks, i as usize)),
            Self::None => None,
        }
    }
}

#[inline]
fn at(blocks: &[Block], i: usize) -> DVec3 {
    let ([x, y, z], lane) = (&blocks[i / LANES], i % LANES);
    DVec3::new(x[lane], y[lane], z[lane])
}

/// By the formula of [`Pose::apply`](crate::Pose::apply), operation by operation, and seen from the centre.
#[inline]
fn posed(body: &PosedConvex, [x, y, z]: &Block) -> Block {
    let (rotation, translation, center) = (body.pose().rotation(), body.pose().translation(), body.center());
    [0, 1, 2].map(|axis| {
        let [p, q, r] = [0, 1, 2].map(|column| rotation.col(column)[axis]);
        let (t, c) = (translation[axis], center[axis]);
        std::array::from_fn(|lane| (((p * x[lane] + q * y[lane]) + r * z[lane]) + t) - c)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::classic_solids::{Random, Solid};
    use crate::convex::{Convex, PosedConvex};
    use crate::hull::convex_hull;

    #[test]
    fn corners_are_where_the_pose_puts_them_to_the_bit() {
        let mut random = Random::new(3);
        for count in [4, 5, 8, 9, 20, 32] {
            let points: Vec<DVec3> = (0..count).map(|_| random.direction()).collect();
            let solid = Solid::new(convex_hull(&points).unwrap());
            let pose = random.pose(DVec3::new(1e3, 0.1, -7.0));
            let body = PosedConvex::new(&solid.convex, &pose);
            let corners = Corners::new(&body);
            for i in 0..solid.hull.vertices().len() as u32 {
                assert_eq!(corners.offset(i), Some(body.offset(i)));
            }
            for _ in 0..50 {
                let direction = random.direction();
                assert_eq!(corners.support(direction), Some(body.support(direction, 0)));
            }
        }
        let segment = Convex::new(Core::Segment([DVec3::X, DVec3::Y]), 1.0);
        let body = PosedConvex::new(&segment, &crate::Pose::IDENTITY);
        assert_eq!(Corners::new(&body).support(DVec3::X), None);
    }
}
