//! What two solids have in common, region by region: where, how deep, how large.

mod ball;
mod skeleton;

use serde::Serialize;
use sudar::query::Work;
use sudar::{Aabb, DVec3, Interval};

use crate::depth::unit;
use crate::posed::Posed;
pub(crate) use ball::Ball;
use ball::largest_from;
use skeleton::{Piece, Side, common};

/// In which way two parts are in each other at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// The surfaces meet in several closed curves: one part goes through the other and out again.
    Piercing,
    /// The surfaces meet in one closed curve: one part sticks in the other.
    Protruding,
    /// No ball inside both was found: the surfaces lie on each other, or nearly.
    Touching,
    /// One part, or a piece of its surface, lies inside the other.
    Contained,
    /// The parts are the same.
    Duplicate,
}

impl Form {
    /// As the JSON document writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Piercing => "piercing",
            Self::Protruding => "protruding",
            Self::Touching => "touching",
            Self::Contained => "contained",
            Self::Duplicate => "duplicate",
        }
    }
}

/// A connected part of what two solids have in common.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Region {
    /// How far the parts are in each other here. At least the diameter of a ball that is certainly inside both, 0 if
    /// none was found; at most the extent of the region along `direction`: moving one part so far along it takes
    /// what overlaps here out of the other's share of the region. Ends of the region are points where edges meet
    /// triangles, rounded; where an edge grazes a triangle the extent is as uncertain as that point. Of what is
    /// inside as a whole it is the length of the separation of the parts.
    pub depth: Interval,
    /// Unit vector, pointing from the first part to the second, along which the region is thinnest of all that
    /// were tried: normals of triangles that meet here, axes of the world, and the line across the ball.
    pub direction: DVec3,
    /// The middle of the ball, or else of the region's corners.
    pub point: DVec3,
    /// The box around the region.
    pub bounds: Aabb,
    /// The volume of that box.
    pub box_volume: f64,
    /// In which way the parts are in each other.
    pub form: Form,
}

impl Region {
    /// Whether one part, or a piece of its surface, is in the other altogether.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.form, Form::Contained | Form::Duplicate)
    }
}

/// How many searches for a ball a region gets.
const STARTS: usize = 4;
/// A ball so wide beside the region is wide enough: no other start is tried.
const ENOUGH: f64 = 0.5;
/// How many where the region counts as touching by the first.
const MORE_STARTS: usize = 64;
/// How far these begin from the curve, relative to how thin the region is.
const HOPS: [f64; 3] = [0.1, 1e-3, 1e-6];
/// How many normals of triangles are tried for the thinnest direction.
const NORMALS: usize = 12;
/// Two directions closer than this, as a cosine, are one.
pub(crate) const SAME_WAY: f64 = 0.9998;
/// Rounding of points of the curve, relative to the largest coordinate.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The regions of two solids of which these triangles meet, the deepest first. Those in which no ball wider than `band`
/// was found are searched more thoroughly.
pub(crate) fn overlaps(
    parts: [&Posed<'_>; 2],
    pairs: &[[u32; 2]],
    band: f64,
    work: &mut Work<'_>,
) -> Option<Vec<Overlap>> {
    let sides = [side(parts[0])?, side(parts[1])?];
    let common = common(sides, pairs);
    Some(Finder { parts, sides, pairs, shared: &common.shared, band }.all(common.pieces, work))
}

/// The region of solids with the same triangles: all of them.
pub(crate) fn whole_region(parts: [&Posed<'_>; 2], work: &mut Work<'_>) -> Option<Vec<Overlap>> {
    let sides = [side(parts[0])?, side(parts[1])?];
    Some(Finder { parts, sides, pairs: &[], shared: &[], band: 0.0 }.all(vec![Piece::of(&sides[0])], work))
}

/// A region with what is known of it besides.
pub(crate) struct Overlap {
    pub region: Region,
    /// The largest ball that was found in it.
    pub ball: Option<Ball>,
    /// The directions along which it is thinnest, up to [`THIN`] of them.
    pub thin: Vec<DVec3>,
    /// Its corners.
    points: Vec<DVec3>,
}

/// How many thin directions are kept.
const THIN: usize = 4;

impl Overlap {
    /// How far it reaches along a direction, rounded up.
    pub fn extent(&self, direction: DVec3) -> f64 {
        thinnest(&self.points, &[direction]).1
    }

    /// The thin way on which the second part leaves it.
    pub fn way_out(&self) -> DVec3 {
        self.outward(self.region.direction) * self.region.depth.upper
    }

    /// A direction or its opposite: to where the first part ends beside the ball, and the second does not.
    pub fn outward(&self, way: DVec3) -> DVec3 {
        let is_inward = self.ball.is_some_and(|ball| ball.across.dot(way) > 0.0);
        if is_inward { DVec3::ZERO - way } else { way }
    }

    /// No shorter translation separates the parts.
    pub fn room(&self) -> f64 {
        self.ball.map_or(0.0, |ball| ball.apart)
    }
}

fn side<'a>(posed: &'a Posed<'a>) -> Option<Side<'a>> {
    let mesh = posed.body.solid()?.mesh();
    Some(Side { posed, corners: posed.corners()?, triangles: mesh.triangles(), vertices: mesh.vertices() })
}

struct Finder<'a> {
    parts: [&'a Posed<'a>; 2],
    sides: [Side<'a>; 2],
    pairs: &'a [[u32; 2]],
    shared: &'a [Vec<DVec3>],
    band: f64,
}

impl Finder<'_> {
    fn all(&self, pieces: Vec<Piece>, work: &mut Work<'_>) -> Vec<Overlap> {
        let mut overlaps: Vec<Overlap> = pieces.into_iter().map(|piece| self.overlap(piece, work)).collect();
        let depth = |overlap: &Overlap| overlap.region.depth.lower + overlap.region.depth.upper;
        overlaps.sort_by(|a, b| depth(b).total_cmp(&depth(a)));
        overlaps
    }

    fn overlap(&self, piece: Piece, work: &mut Work<'_>) -> Overlap {
        let mut thin: Vec<(DVec3, f64)> =
            self.normals(&piece).into_iter().map(|way| thinnest(&piece.points, &[way])).collect();
        thin.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (region, ball) = self.region(&piece, thin[0], work);
        let mut thin: Vec<DVec3> = thin.iter().map(|(way, _)| *way).take(THIN).collect();
        if !thin.contains(&region.direction) && !thin.contains(&(DVec3::ZERO - region.direction)) {
            thin.push(region.direction);
        }
        Overlap { region, ball, thin, points: piece.points }
    }

    /// A region, given the direction along which it is thinnest of those that were tried, and how thin it is.
    fn region(&self, piece: &Piece, thin: (DVec3, f64), work: &mut Work<'_>) -> (Region, Option<Ball>) {
        let bounds = Aabb::around(piece.points.iter().copied());
        let few = self.ball(piece, &bounds, thin.1, STARTS, work);
        // Whether a region counts as one at all hangs on it.
        let is_open = thin.1 > self.band && few.is_none_or(|ball| 2.0 * ball.radius <= self.band);
        let ball = if is_open && self.band > 0.0 {
            self.ball(piece, &bounds, thin.1, MORE_STARTS, work)
        } else {
            few
        };
        let across = ball.and_then(|ball| unit(ball.across));
        let (direction, extent) = match across.map(|way| thinnest(&piece.points, &[way])) {
            Some(along) if along.1 < thin.1 => along,
            _ => thin,
        };
        let lower = ball.map_or(0.0, |ball| (2.0 * ball.radius).min(extent));
        let form = match (piece.loops, ball) {
            (_, None) => Form::Touching,
            (0, _) => Form::Contained,
            (1, _) => Form::Protruding,
            _ => Form::Piercing,
        };
        let toward = self.parts[1].bounds.center() - self.parts[0].bounds.center();
        let region = Region {
            depth: Interval { lower, upper: extent },
            // Zero minus it, and not its negation, whose zeros would be negative.
            direction: if direction.dot(toward) < 0.0 { DVec3::ZERO - direction } else { direction },
            point: ball.map_or_else(|| middle(&piece.points), |ball| ball.center),
            bounds,
            box_volume: bounds.extent().element_product(),
            form,
        };
        (region, ball)
    }

    /// The largest ball of some searches: from the middle of the region, if both parts hold it, and a little inward
    /// from places on the curve where the surfaces meet and from triangles at corners.
    fn ball(
        &self,
        piece: &Piece,
        bounds: &Aabb,
        extent: f64,
        starts: usize,
        work: &mut Work<'_>,
    ) -> Option<Ball> {
        let is_in_both = |p: &DVec3| self.parts.iter().all(|part| part.holds(*p));
        let stride = piece.pairs.len().div_ceil(starts).max(1);
        let in_both = |(from, way): (DVec3, DVec3)| {
            HOPS.map(|hop| from + way * (hop * extent)).into_iter().find(is_in_both)
        };
        let on_curve = piece.pairs.iter().step_by(stride);
        let on_curve = on_curve.filter_map(|&pair| Some((in_both(self.inward(pair)?)?, self.pairs[pair])));
        let stride = piece.triangles.len().div_ceil(starts).max(1);
        let at_corners = piece.triangles.iter().step_by(stride);
        let at_corners = at_corners.filter_map(|&(side, i)| {
            let way = -self.sides[side].outward(i)?;
            let middle = middle(&self.sides[side].triangle(i).corners());
            let first = if side == 0 { [i, 0] } else { [0, i] };
            Some((in_both((middle, way))?, first))
        });
        let first = piece.pairs.first().map_or([0; 2], |&pair| self.pairs[pair]);
        let centers = [bounds.center(), middle(&piece.points)];
        let center = centers.into_iter().find(is_in_both).map(|start| (start, first));
        let enough = ENOUGH * 0.5 * extent;
        let mut best: Option<Ball> = None;
        for (start, near) in center.into_iter().chain(on_curve).chain(at_corners) {
            // Far from the curve a hop may lead elsewhere.
            let found = largest_from(self.parts, start, near, bounds, enough, work);
            let found = found.filter(|ball| bounds.contains(ball.center));
            let radius = best.map_or(0.0, |best| best.radius);
            best = found.filter(|ball| ball.radius > radius).or(best);
            // No ball is wider than the region.
            if best.is_some_and(|best| best.radius >= enough) {
                break;
            }
        }
        best
    }

    /// The middle of what two triangles share, and the way from there into both solids.
    fn inward(&self, pair: usize) -> Option<(DVec3, DVec3)> {
        let [i, j] = self.pairs[pair];
        let way = self.sides[0].outward(i)? + self.sides[1].outward(j)?;
        Some((middle(&self.shared[pair]), -way.try_normalize()?))
    }

    /// Normals of triangles that meet in a region, each direction once.
    fn normals(&self, piece: &Piece) -> Vec<DVec3> {
        let mut ways: Vec<DVec3> = DVec3::AXES.to_vec();
        let all = piece.pairs.iter().flat_map(|&pair| {
            let [i, j] = self.pairs[pair];
            [self.sides[0].triangle(i), self.sides[1].triangle(j)]
        });
        let at_corners = piece.triangles.iter().map(|&(side, i)| self.sides[side].triangle(i));
        for normal in all.chain(at_corners).filter_map(|t| unit(t.scaled_normal())) {
            if ways.iter().all(|way| way.dot(normal).abs() < SAME_WAY) {
                ways.push(normal);
                if ways.len() == NORMALS {
                    break;
                }
            }
        }
        ways
    }
}

/// The direction along which points reach least far, and how far, rounded up.
fn thinnest(points: &[DVec3], ways: &[DVec3]) -> (DVec3, f64) {
    let size = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let extent = |way: &DVec3| {
        let heights = points.iter().map(|p| way.dot(*p));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        high - low
    };
    let best = ways.iter().map(|way| (*way, extent(way))).min_by(|a, b| a.1.total_cmp(&b.1));
    let (way, extent) = best.unwrap_or((DVec3::X, 0.0));
    (way, extent + ROUNDING * size)
}

fn middle(points: &[DVec3]) -> DVec3 {
    points.iter().map(|p| *p / points.len() as f64).sum()
}
