//! The parts of compounds: one search over pairs of them, for every query.

use glam::DVec3;

use super::body::{Body, Form, Parts};
use super::halving::Half;
use super::placed::Placed;
use super::search::{descend, search_two};
use crate::effort::Meter;
use crate::math::{Pose, length};
use crate::shape::{Aabb, Halfspace};
use crate::tree::{FrameBeside, FrameBox, FramePair, METRIC};

/// A part of a compound where it stands; any other body is its own single part.
pub(crate) struct Part<'a> {
    /// Its number in the compound.
    pub index: Option<u32>,
    pub body: &'a Body,
    pub pose: Pose,
}

impl Part<'_> {
    pub fn at(&self) -> Placed<'_> {
        self.body.at(&self.pose)
    }

    /// The feature of the whole body that stands for a feature of this part.
    pub fn feature(&self, own: u32) -> u32 {
        self.index.unwrap_or(own)
    }
}

/// The features of two whole bodies that stand for those of their parts.
pub(crate) fn features_of([p, q]: [&Part; 2], [i, j]: [u32; 2]) -> [u32; 2] {
    [p.feature(i), q.feature(j)]
}

/// All parts, in order.
pub(crate) fn parts<'a>(whole: Placed<'a>) -> impl Iterator<Item = Part<'a>> {
    (0..whole.body().parts().len().max(1) as u32).map(move |i| part(whole, i))
}

/// Part `i`; the whole if it is no compound.
pub(crate) fn part(whole: Placed<'_>, i: u32) -> Part<'_> {
    match whole.body().parts().get(i as usize) {
        Some((body, at)) => Part { index: Some(i), body, pose: whole.pose().after(at) },
        None => Part { index: None, body: whole.body(), pose: *whole.pose() },
    }
}

/// Shows the visitor pairs of parts of two bodies, those of the nearest boxes first, while these are no
/// farther apart than `upper`. The visitor returns the new `upper`, which never rises. Returns a bound for
/// the distance of all pairs not shown. Each pair of nodes opened costs a node; one pair of parts costs none.
pub(crate) fn visit_pairs(
    bodies: [Placed; 2],
    upper: f64,
    meter: &mut Meter,
    mut visit: impl FnMut([&Part; 2], &mut Meter) -> f64,
) -> f64 {
    let sides = bodies.map(Side::new);
    let mut show =
        |[p, q]: [Half; 2], meter: &mut Meter| visit([&sides[0].part(p), &sides[1].part(q)], meter);
    if let Some(one) = sides.iter().position(|side| side.parts.is_none()) {
        let many = &sides[1 - one];
        let beside = Beside::new(many, &sides[one]);
        let mut show = |half: Half, meter: &mut Meter| {
            show(if one == 0 { [Half::whole(1), half] } else { [half, Half::whole(1)] }, meter)
        };
        if matches!(sides[one].whole.body().form(), Form::Mesh) {
            // A part beside a mesh costs so much that none is shown before those of lesser bounds.
            let bound = |[half, _]: [Half; 2]| beside.gap(half, f64::INFINITY);
            return search_two(
                [many.all(), Half::whole(1)],
                &bound,
                upper,
                meter,
                &mut |[half, _], meter| show(half, meter),
            );
        }
        return beside.visit(upper, meter, &mut show);
    }
    let frames = frames(&sides[0], &sides[1]);
    let bound = |[p, q]: [Half; 2]| frames.gap(sides[0].framed(p), sides[1].framed(q));
    search_two(sides.each_ref().map(Side::all), &bound, upper, meter, &mut show)
}

/// The same by another bound than the distance: `bound` says of two boxes in the world what no pair of parts
/// in them falls below.
pub(crate) fn visit_pairs_by(
    bodies: [Placed; 2],
    upper: f64,
    bound: impl Fn(&Aabb, &Aabb) -> f64,
    meter: &mut Meter,
    mut visit: impl FnMut([&Part; 2], &mut Meter) -> f64,
) -> f64 {
    let sides = bodies.map(Side::new);
    let bound = |[p, q]: [Half; 2]| bound(&sides[0].bounds(p), &sides[1].bounds(q));
    search_two(sides.each_ref().map(Side::all), &bound, upper, meter, &mut |[p, q], meter| {
        visit([&sides[0].part(p), &sides[1].part(q)], meter)
    })
}

/// The parts of one body near a point, as [`visit_pairs`].
pub(crate) fn visit_parts_near(
    a: Placed,
    point: DVec3,
    upper: f64,
    meter: &mut Meter,
    mut visit: impl FnMut(&Part, &mut Meter) -> f64,
) -> f64 {
    let side = Side::new(a);
    let reach = side.reach() + point.abs().max_element();
    let frames = FramePair::new([(a.pose(), DVec3::ZERO), (&Pose::IDENTITY, DVec3::ZERO)], reach);
    let there = frames.beside(FrameBox { center: point, half: DVec3::ZERO });
    let beside = Beside { parts: &side, there, margin: 0.0, above: None };
    beside.visit(upper, meter, &mut |half: Half, meter: &mut Meter| visit(&side.part(half), meter))
}

/// The parts of one body, those of the least bound first, while that is at most `upper`, as [`visit_pairs_by`].
pub(crate) fn visit_parts(
    a: Placed,
    upper: f64,
    bound: impl Fn(&Aabb) -> f64,
    meter: &mut Meter,
    mut visit: impl FnMut(&Part, &mut Meter) -> f64,
) -> f64 {
    let side = Side::new(a);
    descend(
        side.all(),
        |half, _| bound(&side.bounds(half)),
        upper,
        meter,
        |half, meter| visit(&side.part(half), meter),
    )
}

/// Two bodies in their frames, so that no box has to be posed.
fn frames(a: &Side, b: &Side) -> FramePair {
    FramePair::new([a, b].map(|side| (side.whole.pose(), DVec3::ZERO)), a.reach() + b.reach())
}

/// How near the parts of a body are to another that is no compound, at least.
struct Beside<'a> {
    parts: &'a Side<'a>,
    /// The box of the other in the frame of the parts.
    there: FrameBeside,
    margin: f64,
    /// The other, if it is a half-space.
    above: Option<Halfspace>,
}

impl<'a> Beside<'a> {
    fn new(parts: &'a Side<'a>, other: &Side) -> Self {
        let above = match other.whole.body().form() {
            Form::Halfspace(h) => Some(h.posed(other.whole.pose())),
            Form::Mesh | Form::Convex(_) | Form::Compound(_) => None,
        };
        let there = frames(parts, other).beside(other.framed(Half::whole(1)));
        Self { parts, there, margin: parts.margin + other.margin, above }
    }

    /// Shows the parts of the least gaps, as [`visit_pairs`].
    fn visit(&self, mut upper: f64, meter: &mut Meter, mut show: impl FnMut(Half, &mut Meter) -> f64) -> f64 {
        let mut left = f64::INFINITY;
        // What boxes are to be no farther than, along the axes of the parts.
        let reach = |upper: f64| (upper + self.margin) / METRIC;
        let tree = self.parts.parts.map(|parts| &parts.tree).filter(|_| self.above.is_none());
        let far = tree.and_then(|tree| {
            tree.near(self.there.around(), reach(upper), meter, |half, meter| {
                let gap = self.gap(half, upper);
                if gap > upper {
                    left = left.min(gap);
                } else {
                    upper = show(half, meter).min(upper);
                }
                reach(upper)
            })
        });
        match far {
            Some(far) => left.min((far * METRIC - self.margin).max(0.0)),
            None => {
                let bound = |half: Half, upper: f64| self.gap(half, upper);
                descend(self.parts.all(), bound, upper, meter, show)
            }
        }
    }

    #[inline]
    fn gap(&self, half: Half, upper: f64) -> f64 {
        match &self.above {
            None => (self.there.gap(self.parts.own(half), upper + self.margin) - self.margin).max(0.0),
            Some(halfspace) => self.parts.height(half, halfspace),
        }
    }
}

/// A body as the search sees it.
struct Side<'a> {
    whole: Placed<'a>,
    parts: Option<&'a Parts>,
    /// Around a body that is no compound, without its margin, in its own frame.
    core: Aabb,
    /// How far that body reaches beyond.
    margin: f64,
}

impl<'a> Side<'a> {
    fn new(whole: Placed<'a>) -> Self {
        let (parts, core, margin) = match whole.body().form() {
            Form::Compound(parts) => (Some(&**parts), Aabb::EVERYTHING, 0.0),
            Form::Mesh => (None, whole.body().own_aabb(), 0.0),
            Form::Convex(convex) => (None, convex.core_bounds(), convex.margin()),
            Form::Halfspace(_) => (None, Aabb::EVERYTHING, 0.0),
        };
        Self { whole, parts, core, margin }
    }

    fn all(&self) -> Half {
        self.parts.map_or(Half::whole(1), |parts| parts.tree.whole())
    }

    /// Bound on the absolute coordinates of anything in the frame of the body.
    fn reach(&self) -> f64 {
        self.whole.body().reach(&Pose::IDENTITY)
    }

    /// Around a half in the world.
    fn bounds(&self, half: Half) -> Aabb {
        self.parts
            .map_or_else(|| self.whole.bounds(), |parts| parts.tree.bounds(half).posed(self.whole.pose()))
    }

    /// Around a half in the frame of the body; of a single body without its margin.
    #[inline]
    fn own(&self, half: Half) -> &Aabb {
        self.parts.map_or(&self.core, |parts| parts.tree.bounds(half))
    }

    fn framed(&self, half: Half) -> FrameBox {
        FrameBox::of(self.own(half))
    }

    /// A lower bound on the distance of a half from a half-space.
    fn height(&self, half: Half, halfspace: &Halfspace) -> f64 {
        let (FrameBox { center, half }, pose) = (self.framed(half), self.whole.pose());
        let normal = pose.rotation().transpose() * halfspace.normal;
        let lowest = halfspace.normal.dot(pose.apply(center)) - normal.abs().dot(half) - halfspace.offset;
        let far =
            (self.reach() + pose.translation().abs().max_element()) * halfspace.normal.abs().element_sum();
        let lowest = lowest - 64.0 * f64::EPSILON * (far + halfspace.offset.abs());
        (lowest / length(halfspace.normal) * (1.0 - 8.0 * f64::EPSILON) - self.margin).max(0.0)
    }

    fn part(&self, half: Half) -> Part<'a> {
        part(self.whole, self.parts.map_or(0, |parts| parts.tree.numbers(half)[0]))
    }
}
