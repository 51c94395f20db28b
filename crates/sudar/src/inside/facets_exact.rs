//! The same as [`super::facets`] in rational numbers: slow, and no gap is too narrow.

use glam::DVec3;

use super::facets::{Facet, lower_bound};
use super::labels::{Flip, Search};
use super::{ExactPoint, RationalPoint};
use crate::math::{Fraction, FractionVec3};
use crate::pair::flat::as_segment;
use crate::pair::triangle::exact_clip::{hull, inside_triangle};
use crate::shape::{Aabb, Triangle};

/// Takes note of the cells on both sides of all regions of the facet beside these of its cuts, and beside those of
/// triangles that pass through it.
pub(super) fn look_exactly(facet: &Facet, cuts: &[usize], search: &mut Search) -> Flip {
    let exact = ExactFacet::new(facet);
    let mut flip = Flip::No;
    let crossings = facet.cuts.len()..exact.cuts.len();
    for cut in cuts.iter().copied().chain(crossings).map(|i| &exact.cuts[i]) {
        for part in exact.splits(cut).windows(2) {
            let middle = cut.from.exact.towards(&cut.to.exact, &Fraction::simple_between(&part[0], &part[1]));
            for across in [&cut.across.exact, &negative(&cut.across.exact)] {
                if search.is_complete() {
                    return flip;
                }
                flip = flip.or(exact.look_beside(search, &middle, cut, across));
            }
        }
    }
    flip
}

/// An exact vector with the nearest `f64` one, which settles most signs.
struct Near {
    exact: FractionVec3,
    rounded: DVec3,
}

impl From<FractionVec3> for Near {
    fn from(exact: FractionVec3) -> Self {
        Self { rounded: exact.rounded(), exact }
    }
}

/// More than a product of three rounded differences is off by, relative to the sum of the sizes that go into it.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// Below this sum it may have underflown.
const LEAST: f64 = 1e-200;

/// The sign of `u · (p − q)`, if it is certain from rounded numbers.
fn sign_of_height(u: &Near, p: &Near, q: &Near) -> Option<bool> {
    let (u, p, q) = (u.rounded, p.rounded, q.rounded);
    let (height, size) = (u.dot(p - q), u.abs().dot(p.abs() + q.abs()));
    (size > LEAST && size.is_finite() && height.abs() > ROUNDING * size).then_some(height > 0.0)
}

/// Whether both points certainly lie on one side of the plane through `q` with normal `u`, and not in it.
fn are_beside(u: &Near, [p, r]: [&Near; 2], q: &Near) -> bool {
    sign_of_height(u, p, q).zip(sign_of_height(u, r, q)).is_some_and(|(x, y)| x == y)
}

/// A facet with exact coordinates.
struct ExactFacet<'a, 'b> {
    facet: &'a Facet<'b>,
    corners: [FractionVec3; 3],
    normal: FractionVec3,
    cuts: Vec<Cut>,
}

/// A dividing segment of positive length.
struct Cut {
    from: Near,
    to: Near,
    along: Near,
    /// In the plane, perpendicular to the segment.
    across: Near,
}

impl Cut {
    /// Signed distance from the segment's line, in units of its own.
    fn height(&self, p: &FractionVec3) -> Fraction {
        self.across.exact.dot(&(p - &self.from.exact))
    }

    /// How far along the segment a point of its line is: 0 at its beginning, 1 at its end.
    fn parameter(&self, p: &FractionVec3) -> Fraction {
        &self.along.exact.dot(&(p - &self.from.exact)) / &self.along.exact.dot(&self.along.exact)
    }
}

impl<'a, 'b> ExactFacet<'a, 'b> {
    fn new(facet: &'a Facet<'b>) -> Self {
        let corners = facet.triangle.corners().map(FractionVec3::from);
        let normal = (&corners[1] - &corners[0]).cross(&(&corners[2] - &corners[0]));
        let of_edges = facet.cuts.iter().map(|s| (s.a.into(), s.b.into()));
        let of_crossings = facet.crossing.iter().filter_map(|t| common_segment(t, &facet.triangle));
        let cut = |(from, to): (FractionVec3, FractionVec3)| {
            let along = &to - &from;
            Cut { across: normal.cross(&along).into(), from: from.into(), to: to.into(), along: along.into() }
        };
        let cuts = of_edges.chain(of_crossings).map(cut).collect();
        Self { facet, corners, normal, cuts }
    }

    /// The parameters at which others meet the cut, its ends included, in order.
    fn splits(&self, cut: &Cut) -> Vec<Fraction> {
        let (zero, one) = (Fraction::zero(), Fraction::from(1.0));
        let mut splits = vec![zero.clone(), one.clone()];
        let meets = |other: &&Cut| !are_beside(&cut.across, [&other.from, &other.to], &cut.from);
        for other in self.cuts.iter().filter(meets) {
            let (h, k) = (cut.height(&other.from.exact), cut.height(&other.to.exact));
            if h.is_zero() && k.is_zero() {
                splits.extend([cut.parameter(&other.from.exact), cut.parameter(&other.to.exact)]);
            } else if !(&h * &k).is_positive() {
                let meeting = other.from.exact.towards(&other.to.exact, &(&h / &(&h - &k)));
                splits.push(cut.parameter(&meeting));
            }
        }
        splits.retain(|t| *t >= zero && *t <= one);
        splits.sort_unstable();
        splits.dedup();
        splits
    }

    /// Looks above and below the region on one side of the middle of a part of a cut.
    fn look_beside(
        &self,
        search: &mut Search,
        middle: &FractionVec3,
        cut: &Cut,
        across: &FractionVec3,
    ) -> Flip {
        let Some(room) = self.room(middle, cut, across) else { return Flip::No };
        // Triangles may touch this one at single points of the region, so at one of these places none does.
        let triangles: u32 = self.facet.solids.iter().map(|s| s.triangles()).sum();
        for part in 2..triangles.saturating_add(4) {
            let limit = &room / &Fraction::from(f64::from(part));
            let place =
                shifted(middle, across, &Fraction::simple_between(&(&limit / &Fraction::from(2.0)), &limit));
            if !self.holds(&place) {
                return Flip::No;
            }
            if let Some(flip) = self.look_on_both_sides(search, &place) {
                return flip;
            }
        }
        Flip::No
    }

    /// How far from a point of a cut, in units of `across`, the next cut is; `None` if there is none.
    fn room(&self, middle: &FractionVec3, cut: &Cut, across: &FractionVec3) -> Option<Fraction> {
        let square = across.dot(across);
        let distance = |p: &FractionVec3| &across.dot(&(p - middle)) / &square;
        let beside = |p: &FractionVec3| cut.along.exact.dot(&(p - middle));
        let near = Near::from(middle.clone());
        let is_ahead = |other: &&Cut| !are_beside(&cut.along, [&other.from, &other.to], &near);
        let met = self.cuts.iter().filter(is_ahead).flat_map(|other| {
            let (g, h) = (beside(&other.from.exact), beside(&other.to.exact));
            if g.is_zero() && h.is_zero() {
                vec![distance(&other.from.exact), distance(&other.to.exact)]
            } else if (&g * &h).is_positive() {
                vec![]
            } else {
                vec![distance(&other.from.exact.towards(&other.to.exact, &(&g / &(&g - &h))))]
            }
        });
        met.filter(Fraction::is_positive).min()
    }

    /// Whether the triangle strictly holds a point of its plane.
    fn holds(&self, p: &FractionVec3) -> bool {
        let [a, b, c] = &self.corners;
        [(a, b), (b, c), (c, a)]
            .iter()
            .all(|(from, to)| self.normal.cross(&(*to - *from)).dot(&(p - *from)).is_positive())
    }

    /// Looks above and below a point of a region; `None` if another triangle touches this one there.
    fn look_on_both_sides(&self, search: &mut Search, place: &FractionVec3) -> Option<Flip> {
        let above = self.point_beside(place, &self.normal)?;
        let below = self.point_beside(place, &negative(&self.normal))?;
        // Neither is on a surface by construction.
        let (above, below) = (search.look_at(&above)?, search.look_at(&below)?);
        Some(search.compare_sides(self.facet.side, above, below))
    }

    /// A point off the plane so near that no triangle is between; `None` if one touches the place itself.
    fn point_beside(&self, place: &FractionVec3, direction: &FractionVec3) -> Option<RationalPoint> {
        let step = direction.scaled(&self.moderate_length());
        let end = place + &step;
        let square = step.dot(&step);
        let mut free = Fraction::from(1.0);
        for t in self.triangles_near(place, &end, step.rounded()) {
            for hit in inside_triangle(vec![place.clone(), end.clone()], &t) {
                free = free.min(&step.dot(&(&hit - place)) / &square);
            }
        }
        free.is_positive()
            .then(|| shifted(place, &step, &Fraction::simple_between(&Fraction::zero(), &free)).into())
    }

    /// A power of two that makes the normal about a millionth as long as the triangle: any length does, and with a
    /// short one few triangles are near.
    fn moderate_length(&self) -> Fraction {
        let length = self.normal.rounded().abs().max_element();
        let extent = self.facet.triangle.aabb().extent().max_element();
        let exponent = (extent.log2() - length.log2() - 20.0).floor().clamp(-3000.0, 3000.0);
        Fraction::power_of_two(exponent as i64)
    }

    /// All triangles with an area that may come near the segment from one point to another, but those in the plane.
    fn triangles_near(&self, from: &FractionVec3, to: &FractionVec3, step: DVec3) -> Vec<Triangle> {
        let (from, to) = (RationalPoint::from(from.clone()), RationalPoint::from(to.clone()));
        let region: Aabb = from.bounds().union(to.bounds());
        // Twice the length, and more than rounding can matter.
        let reach = 2.0 * step.length() + 64.0 * f64::EPSILON * region.reach();
        let mut near = vec![];
        for (solid, coplanar) in self.facet.solids.iter().zip(&self.facet.coplanar) {
            solid.near(&region, &mut |i| {
                let t = solid.triangle(i);
                let rounding = 64.0 * f64::EPSILON * t.aabb().reach();
                if !coplanar.contains(&i) && lower_bound(region.center(), &t) <= reach + rounding {
                    near.push(t);
                }
            });
        }
        near.retain(|t| as_segment(t).is_none());
        near
    }
}

/// The segment in which a triangle that passes through another meets it.
fn common_segment(t: &Triangle, with: &Triangle) -> Option<(FractionVec3, FractionVec3)> {
    let mut ends = inside_triangle(hull(t), with).into_iter();
    Some((ends.next()?, ends.next()?))
}

fn negative(v: &FractionVec3) -> FractionVec3 {
    &FractionVec3::from(DVec3::ZERO) - v
}

fn shifted(p: &FractionVec3, v: &FractionVec3, by: &Fraction) -> FractionVec3 {
    p + &v.scaled(by)
}
