//! Where two faces of four corners overlap, as those of boxes do.

use glam::DVec2;

use super::ContactId;
use super::list::List;
use super::outline::{Corner, Kind, Outline};
use super::overlap::{Slack, Touch, add, blur, height};

/// Adds what [`overlap`](super::overlap::overlap) finds of two such faces, less what is not as deep as `least`. Returns
/// whether the outlines are such.
///
/// A corner of the overlap is a corner of one face over the other, or a side of one crosses a side of the
/// other. As most corners are above the other face, most sides need no cut: depths rise evenly along them.
pub(super) fn quads(a: &Outline, b: &Outline, slack: Slack, least: f64, touches: &mut List<Touch>) -> bool {
    let (Some(ours), Some(theirs)) = (Quad::new(a, slack), Quad::new(b, slack)) else { return false };
    let [p, q, r, s] = ours.corners;
    let at_corners = [over(p, b), over(q, b), over(r, b), over(s, b)];
    let sides = |c: &Corner| theirs.sides(c.shadow());
    let sides = [sides(p), sides(q), sides(r), sides(s)];
    for i in 0..4 {
        if at_corners[i].depth() >= least && theirs.holds(&sides[i]) {
            add(touches, Touch { blur: slack.place, ..at_corners[i] });
        }
    }
    for (i, next) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
        if at_corners[i].depth().max(at_corners[next].depth()) >= least {
            let side = Cut { ours: &ours, theirs: &theirs, side: i, ends: [&sides[i], &sides[next]] };
            side.add_ends(slack, touches);
        }
    }
    for corner in theirs.corners {
        let touch = over(corner, a);
        if touch.depth() <= -least && ours.holds(&ours.sides(corner.shadow())) {
            add(touches, Touch { blur: slack.place, ..touch.flipped() });
        }
    }
    true
}

/// A corner as if it touched a face.
#[inline]
fn over(corner: &Corner, face: &Outline) -> Touch {
    let id = ContactId { a: corner.vertex, b: face.name() };
    Touch::at(corner.shadow(), [corner.at.z, height(face, corner.shadow())], id)
}

/// A face of four corners with its sides.
struct Quad<'a> {
    outline: &'a Outline,
    corners: &'a [Corner; 4],
    /// From each corner to the next.
    ways: [DVec2; 4],
    /// No less than the lengths of the sides.
    lengths: [f64; 4],
    /// Bound on the rounding of the areas beside them.
    doubts: [f64; 4],
}

impl<'a> Quad<'a> {
    #[inline]
    fn new(outline: &'a Outline, slack: Slack) -> Option<Self> {
        let corners: &[Corner; 4] = match outline.kind {
            Kind::Face { .. } => outline.corners().try_into().ok()?,
            Kind::Edge | Kind::Point => return None,
        };
        let [p, q, r, s] = corners;
        let way = |from: &Corner, to: &Corner| to.shadow() - from.shadow();
        let ways = [way(p, q), way(q, r), way(r, s), way(s, p)];
        let (mut lengths, mut doubts) = ([0.0; 4], [0.0; 4]);
        for j in 0..4 {
            lengths[j] = ways[j].x.abs() + ways[j].y.abs();
            doubts[j] = slack.rounding * lengths[j];
        }
        Some(Self { outline, corners, ways, lengths, doubts })
    }

    /// How far a place is to the left of each side, times the length of that.
    #[inline(always)]
    fn sides(&self, place: DVec2) -> [f64; 4] {
        let side = |j: usize| self.ways[j].perp_dot(place - self.corners[j].shadow());
        [side(0), side(1), side(2), side(3)]
    }

    /// Whether a place is over the face but for rounding.
    #[inline(always)]
    fn holds(&self, sides: &[f64; 4]) -> bool {
        (0..4).all(|j| sides[j] >= -self.doubts[j])
    }
}

/// A side of the first face over the second.
struct Cut<'a> {
    ours: &'a Quad<'a>,
    theirs: &'a Quad<'a>,
    side: usize,
    /// Where its ends are beside each side of the second.
    ends: [&'a [f64; 4]; 2],
}

/// Where along a side it enters or leaves the face, which side of that it crosses, and how far off that may be.
#[derive(Clone, Copy)]
struct End {
    t: f64,
    across: usize,
    blur: f64,
}

impl Cut<'_> {
    /// Adds the ends of the part over the second face (Cyrus and Beck 1978), but for the ends of the side itself.
    fn add_ends(&self, slack: Slack, touches: &mut List<Touch>) {
        let (mut enters, mut leaves): (Option<End>, Option<End>) = (None, None);
        for j in 0..4 {
            let (s, t, doubt) = (self.ends[0][j], self.ends[1][j], self.theirs.doubts[j]);
            if s.min(t) >= -doubt {
                continue;
            }
            // All of it is beside the face; or all but an end, which is known by now.
            if s.max(t) <= doubt {
                return;
            }
            let lengths = self.ours.lengths[self.side] * self.theirs.lengths[j];
            let end = End { t: s / (s - t), across: j, blur: blur(slack.place, (s, t), lengths) };
            if s < t {
                enters = Some(enters.filter(|known| known.t >= end.t).unwrap_or(end));
            } else {
                leaves = Some(leaves.filter(|known| known.t <= end.t).unwrap_or(end));
            }
        }
        if enters.map_or(0.0, |end| end.t) <= leaves.map_or(1.0, |end| end.t) {
            enters.into_iter().chain(leaves).for_each(|end| add(touches, self.touch(end)));
        }
    }

    fn touch(&self, end: End) -> Touch {
        let (a, b) = (self.ours, self.theirs);
        let corner = &a.corners[self.side];
        let place = corner.shadow() + a.ways[self.side] * end.t;
        let id = ContactId { a: corner.edge, b: b.corners[end.across].edge };
        let heights = [height(a.outline, place), height(b.outline, place)];
        Touch { blur: end.blur, ..Touch::at(place, heights, id) }
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3};

    use super::super::overlap::{none, overlap};
    use super::super::{ContactFeature, Shown, SignedDistance};
    use super::*;
    use crate::convex::{Convex, PosedConvex, cuboid_axes, cuboid_points};
    use crate::math::Pose;
    use crate::shape::Cuboid;
    use crate::testing::Random;

    fn cuboid(half: DVec3) -> Convex {
        Convex::of(&Cuboid::new(half).unwrap().into()).unwrap()
    }

    /// Which features touch, where, and how deep.
    fn sorted(touches: &List<Touch>) -> Vec<(ContactId, DVec3)> {
        let mut all: Vec<_> =
            touches.as_slice().iter().map(|t| (t.id, DVec3::new(t.x, t.y, t.depth()))).collect();
        all.sort_by_key(|(id, _)| *id);
        all
    }

    #[test]
    fn boxes_touch_where_clipping_one_face_by_the_other_says() {
        let mut random = Random::new(31);
        let mut counts = [0; 9];
        for case in 0..40_000 {
            let k = f64::powi(10.0, case % 19 - 9);
            let mut half =
                || (DVec3::new(random.number(), random.number(), random.number()).abs() + 0.05) * k;
            let (a, b) = (cuboid(half()), cuboid(half()));
            let p = random.pose(DVec3::ONE * k);
            let way = DVec3::ONE * k + random.direction() * (0.9 * k);
            // Turned about an axis of the first in half of the cases, so that more corners of faces are as deep.
            let q = if case % 2 == 0 {
                random.pose(way)
            } else {
                let turn = DMat3::from_axis_angle(p.rotation().x_axis, random.number());
                Pose::from_matrix(turn * p.rotation(), way).unwrap()
            };
            let (a, b) = (PosedConvex::new(&a, &p), PosedConvex::new(&b, &q));
            let axis = cuboid_axes(&a, &b).unwrap();
            let Some([point_a, point_b]) = cuboid_points(&a, &b, &axis) else { continue };
            let found = SignedDistance { normal: axis.normal, signed: axis.gap, point_a, point_b };
            let shown = Shown::new(&a, &b, &found);
            let least = [0.0, -0.3, -10.0][case as usize % 3] - shown.frame.slack;
            let mut touches = none();
            assert!(quads(&shown.ours, &shown.theirs, shown.slack, least, &mut touches));
            touches.keep(|t| t.depth() >= least);
            let mut clipped = overlap(&shown.ours, &shown.theirs, shown.slack);
            clipped.keep(|t| t.depth() >= least);
            let (fast, slow) = (sorted(&touches), sorted(&clipped));
            assert_eq!(fast.len(), slow.len(), "{fast:?}\n{slow:?}");
            counts[fast.len()] += 1;
            for ((id, at), (other, there)) in fast.iter().zip(&slow) {
                assert!(id == other && (*at - *there).length() < 1e-9, "{fast:?}\n{slow:?}");
            }
        }
        assert!(counts.iter().all(|n| *n > 20), "{counts:?}");
    }

    #[test]
    fn of_one_box_on_an_equal_one_the_corners_count_once() {
        let cube = cuboid(DVec3::ONE);
        let above = Pose::from_translation(DVec3::Z * 1.9).unwrap();
        let (a, b) = (PosedConvex::new(&cube, &Pose::IDENTITY), PosedConvex::new(&cube, &above));
        let axis = cuboid_axes(&a, &b).unwrap();
        let [point_a, point_b] = cuboid_points(&a, &b, &axis).unwrap();
        let found = SignedDistance { normal: axis.normal, signed: axis.gap, point_a, point_b };
        let shown = Shown::new(&a, &b, &found);
        let mut touches = none();
        assert!(quads(&shown.ours, &shown.theirs, shown.slack, 0.0, &mut touches));
        let upper = |t: &Touch| matches!(t.id.a, ContactFeature::Vertex(4..8));
        assert!(touches.as_slice().len() == 4 && touches.as_slice().iter().all(upper), "{touches:?}");
    }
}
