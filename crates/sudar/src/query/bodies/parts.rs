//! The parts of compounds: one search over pairs of them, for every query.

use super::body::{Body, Form, Parts};
use super::halving::Half;
use super::placed::Placed;
use super::search::search_two;
use crate::effort::Meter;
use crate::math::Pose;
use crate::shape::Aabb;

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

/// Shows the visitor pairs of parts of two bodies, those of the least bound first, while that is at most `upper`. `bound`
/// says of two boxes what no pair of parts in them falls below, such as their gap. The visitor returns the new `upper`, which never
/// rises. Returns a bound for all pairs not shown. Each pair of nodes opened costs a node; one pair of parts costs none.
pub(crate) fn visit_pairs(
    [a, b]: [Placed; 2],
    upper: f64,
    bound: impl Fn(&Aabb, &Aabb) -> f64,
    meter: &mut Meter,
    mut visit: impl FnMut([&Part; 2], &mut Meter) -> f64,
) -> f64 {
    let sides = [Side::new(a), Side::new(b)];
    let bound = |[p, q]: [Half; 2]| bound(&sides[0].bounds(p), &sides[1].bounds(q));
    search_two(sides.each_ref().map(Side::all), &bound, upper, meter, &mut |[p, q], meter| {
        visit([&sides[0].part(p), &sides[1].part(q)], meter)
    })
}

/// The same for the parts of one body.
pub(crate) fn visit_parts(
    a: Placed,
    upper: f64,
    bound: impl Fn(&Aabb) -> f64,
    meter: &mut Meter,
    mut visit: impl FnMut(&Part, &mut Meter) -> f64,
) -> f64 {
    let side = Side::new(a);
    let bound = |[p, _]: [Half; 2]| bound(&side.bounds(p));
    search_two([side.all(), Half::whole(1)], &bound, upper, meter, &mut |[p, _], meter| {
        visit(&side.part(p), meter)
    })
}

/// A body as the search sees it.
struct Side<'a> {
    whole: Placed<'a>,
    parts: Option<&'a Parts>,
    /// Around the whole.
    bounds: Aabb,
}

impl<'a> Side<'a> {
    fn new(whole: Placed<'a>) -> Self {
        let parts = match whole.body().form() {
            Form::Compound(parts) => Some(&**parts),
            Form::Mesh | Form::Convex(_) | Form::Halfspace(_) => None,
        };
        Self { whole, parts, bounds: whole.bounds() }
    }

    fn all(&self) -> Half {
        self.parts.map_or(Half::whole(1), |parts| parts.tree.whole())
    }

    fn bounds(&self, half: Half) -> Aabb {
        self.parts.map_or(self.bounds, |parts| parts.tree.bounds(half).posed(self.whole.pose()))
    }

    fn part(&self, half: Half) -> Part<'a> {
        part(self.whole, self.parts.map_or(0, |parts| parts.tree.numbers(half)[0]))
    }
}
