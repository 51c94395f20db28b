//! Points and directions of a clash, for people and for what comes after; none of them decides anything.

use sudar::inside::is_on_triangle;
use sudar::math::{orient2d, orient3d};
use sudar::pair::{TriangleIntersection, triangle_intersection};
use sudar::query::{Body, Distance, DistanceOptions, Work};
use sudar::{DVec3, Shape, Sign, Triangle};

use crate::depth::{box_separation, unit};
use crate::pair::Pair;
use crate::posed::Posed;
use crate::separate::share_no_volume;

/// Gaps are measured to this part of the band of what counts as touching.
const FINE: f64 = 1.0 / 1024.0;

impl Pair<'_> {
    /// A point of both: a corner of one triangle on the other, else the middle of what they have in common, or,
    /// where no triangles meet, a corner of one solid inside the other.
    pub fn common_point(&self, pair: Option<&[u32; 2]>) -> DVec3 {
        let Some((s, t)) = pair.and_then(|p| self.triangles(p)) else {
            let inner = self.a.corner_in(&self.b).or_else(|| self.b.corner_in(&self.a));
            return inner.unwrap_or_else(|| self.a.bounds.center());
        };
        let mut corners = s.corners().map(|p| (p, &t)).into_iter().chain(t.corners().map(|p| (p, &s)));
        if let Some((corner, _)) = corners.find(|&(p, other)| is_on_triangle(&p, other)) {
            return corner;
        }
        match triangle_intersection(&s, &t) {
            Some(TriangleIntersection::Point(p)) => p,
            Some(TriangleIntersection::Segment(s)) => s.a.midpoint(s.b),
            Some(TriangleIntersection::Polygon(corners)) => {
                corners.iter().fold(DVec3::ZERO, |sum, p| sum + *p / corners.len() as f64)
            }
            // Does not happen: the pair was found to meet.
            None => s.a,
        }
    }

    /// The axis along which the boxes have no volume in common.
    pub fn separating_normal_of_boxes(&self) -> Option<DVec3> {
        let (a, b) = (self.a.bounds, self.b.bounds);
        share_no_volume(a, b).then(|| box_separation(a, b).0)
    }

    /// Normal to the plane of one of the two triangles that has them on different sides, towards that of `b`; `None` if
    /// neither plane does, as where two tips meet.
    pub fn separating_normal(&self, pair: &[u32; 2]) -> Option<DVec3> {
        let (s, t) = self.triangles(pair)?;
        match side(&s, &t) {
            Some(Sign::Negative) => unit(-s.scaled_normal()),
            Some(Sign::Zero | Sign::Positive) => unit(s.scaled_normal()),
            None => match side(&t, &s) {
                Some(Sign::Positive) => unit(-t.scaled_normal()),
                Some(Sign::Zero | Sign::Negative) => unit(t.scaled_normal()),
                None => None,
            },
        }
    }

    /// The distance of parts whose surfaces do not meet, between the surfaces if one is open: a solid around an open
    /// surface does not touch it.
    pub fn surface_distance(&self, max: f64, work: &mut Work<'_>) -> Distance {
        let options = DistanceOptions { absolute: self.touch * FINE, ..DistanceOptions::up_to(max) };
        if let Some(found) = work.disjoint_surface_distance(self.a.at(), self.b.at(), &options) {
            return found;
        }
        let found = work.distance(self.a.at(), self.b.at(), &options);
        if found.interval.upper > 0.0 || self.a.body.solid().is_some() == self.b.body.solid().is_some() {
            return found;
        }
        let surface = |part: &Posed<'_>| part.body.mesh().map(|m| Body::new(Shape::Mesh(m.clone())));
        match (surface(&self.a), surface(&self.b)) {
            (Some(a), Some(b)) => work.distance(a.at(self.a.pose), b.at(self.b.pose), &options),
            _ => found,
        }
    }
}

/// On which side of `s`'s plane `t` lies; zero if in it, `None` if on both sides or if `s` has no area.
fn side(s: &Triangle, t: &Triangle) -> Option<Sign> {
    let signs = t.corners().map(|p| orient3d(s.a, s.b, s.c, p));
    let (below, above) = (signs.contains(&Sign::Negative), signs.contains(&Sign::Positive));
    match (below, above) {
        (true, true) => None,
        (true, false) => Some(Sign::Negative),
        (false, true) => Some(Sign::Positive),
        (false, false) => (!has_zero_area(s)).then_some(Sign::Zero),
    }
}

/// Whether the three corners lie on one line, exactly: then all three shadows on the coordinate planes do.
fn has_zero_area(t: &Triangle) -> bool {
    let turned = |p: DVec3| DVec3::new(p.y, p.z, p.x);
    let flat = |[a, b, c]: [DVec3; 3]| orient2d(a.truncate(), b.truncate(), c.truncate()) == Sign::Zero;
    let [first, second] = [t.corners().map(turned), t.corners().map(turned).map(turned)];
    flat(t.corners()) && flat(first) && flat(second)
}
