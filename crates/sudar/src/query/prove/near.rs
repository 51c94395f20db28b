//! Points of both bodies that prove how near they are.

use glam::DVec3;

use crate::effort::Meter;
use crate::proof::{Footing, Form, Near, Placed, Spot, Upper, in_piece, stray, upper_bound, upper_holds};
use crate::query::answer::{Distance, DistanceOptions};
use crate::query::bodies::{Part, Placed as At, part};
use crate::query::{Body, distance};

/// A body where it stands, and as its pieces.
type Side<'a> = (At<'a>, &'a Placed);

/// The least upper bound that the points found prove.
pub(super) fn prove(a: Side, b: Side, found: &Distance, meter: &mut Meter) -> Option<Upper> {
    let (p, q, found) = parts_named(a, b, found, meter);
    let touching = found.interval.upper == 0.0;
    let pieces = [p.piece(found.features[0]), q.piece(found.features[1])];
    let mut tries = Vec::new();
    if touching {
        tries.push(Upper { bound: 0.0, near: Near::Pieces { a: pieces[0], b: pieces[1] } });
    }
    let theirs = spots(b.1, &q, pieces[1], found.point_b, touching);
    for a_spot in spots(a.1, &p, pieces[0], found.point_a, touching) {
        for b_spot in &theirs {
            let bound = upper_bound((&a_spot, a.1), (b_spot, b.1));
            let near = Near::Points { a: a_spot.clone(), b: b_spot.clone() };
            tries.extend(bound.map(|bound| Upper { bound, near }));
        }
    }
    tries.sort_by(|x, y| x.bound.total_cmp(&y.bound).then(strays(x).total_cmp(&strays(y))));
    tries.into_iter().find(|upper| upper_holds(upper, a.1, b.1))
}

fn strays(upper: &Upper) -> f64 {
    match &upper.near {
        Near::Points { a, b } => a.stray + b.stray,
        Near::Pieces { .. } => 0.0,
    }
}

/// A body that is no compound: a part of one, or the whole.
struct Single<'a> {
    part: Part<'a>,
    first_piece: u32,
    pieces: u32,
}

/// The two parts that the features name, and what is found of them alone; of bodies that are no compounds, all of it.
fn parts_named<'a>(
    a: Side<'a>,
    b: Side<'a>,
    found: &Distance,
    meter: &mut Meter,
) -> (Single<'a>, Single<'a>, Distance) {
    let (p, q) = (single(a.0, found.features[0]), single(b.0, found.features[1]));
    if p.part.index.is_none() && q.part.index.is_none() {
        return (p, q, *found);
    }
    let found = distance::metered(p.part.at(), q.part.at(), &DistanceOptions::EXACT, meter);
    (p, q, found)
}

fn single<'a>(at: At<'a>, feature: u32) -> Single<'a> {
    let body = at.body();
    let part = part(at, feature.min(body.parts().len().saturating_sub(1) as u32));
    let count =
        |body: &Body| if is_mesh(body) { body.mesh().map_or(1, |m| m.triangles().len() as u32) } else { 1 };
    let before = body.parts().iter().take(part.index.unwrap_or(0) as usize);
    let first_piece = before.map(|(part, _)| count(part)).sum();
    let pieces = count(part.body);
    Single { part, first_piece, pieces }
}

fn is_mesh(body: &Body) -> bool {
    body.mesh().is_some() && body.convex().is_none()
}

impl Single<'_> {
    /// The piece that a feature of this part names.
    fn piece(&self, feature: u32) -> u32 {
        self.first_piece + if self.pieces > 1 { feature.min(self.pieces - 1) } else { 0 }
    }
}

/// Why the point belongs to the body, in as many ways as may serve.
fn spots(placed: &Placed, single: &Single, piece: u32, point: DVec3, touching: bool) -> Vec<Spot> {
    let exactly = |footing, point| Spot { piece, point, stray: 0.0, footing };
    let mut spots = Vec::new();
    match placed.form(piece) {
        Form::Hull { .. } => {
            spots.extend(on_corners(placed, single, piece, point));
            if touching {
                spots.push(exactly(Footing::Itself, point));
            }
        }
        Form::Round(..) => spots.extend(inward(placed, piece, point, center(placed, piece))),
        Form::Halfspace { normal, .. } => {
            let down = normal / normal.abs().max_element();
            let far = point.abs().max_element().max(placed.reach());
            spots.extend(inward(placed, piece, point, point - down * far));
        }
    }
    if touching && single.part.body.solid().is_some() && is_mesh(single.part.body) {
        spots.push(exactly(Footing::Enclosed, point));
    }
    spots
}

fn center(placed: &Placed, piece: u32) -> DVec3 {
    placed.corners(piece).next().unwrap_or(DVec3::ZERO)
}

/// The point, or one as little as need be towards the inside that is exactly in the piece.
fn inward(placed: &Placed, piece: u32, point: DVec3, inside: DVec3) -> Option<Spot> {
    let moved = |k: i32| point + (inside - point) * f64::powi(2.0, -k);
    let tries = std::iter::once(point).chain((0..=56).rev().map(moved));
    let found = tries.into_iter().find(|&p| in_piece(p, placed, piece))?;
    Some(Spot { piece, point: found, stray: 0.0, footing: Footing::Itself })
}

/// The weights of corners whose mean is nearest to the point, as well as can be in `f64`.
fn on_corners(placed: &Placed, single: &Single, piece: u32, point: DVec3) -> Option<Spot> {
    let corners: Vec<DVec3> = placed.corners(piece).collect();
    let simplices: Vec<[u32; 3]> = match corners.len() {
        0 => return None,
        1 => vec![[0, 0, 0]],
        2 => vec![[0, 1, 1]],
        3 => vec![[0, 1, 2]],
        // The faces of boxes and hulls have the same corners, numbered alike.
        _ => single.part.body.mesh()?.triangles().to_vec(),
    };
    let (_, weights) = simplices
        .into_iter()
        .map(|numbers| weights_near(numbers, numbers.map(|i| corners[i as usize]), point))
        .reduce(|best, next| if next.0 < best.0 { next } else { best })?;
    let mut spot = Spot { piece, point, stray: 0.0, footing: Footing::Corners(weights) };
    spot.stray = stray(&spot, placed)?;
    Some(spot)
}

type Weights = Vec<(u32, f64)>;

/// How far the best point with weights is from `p`: of the face, the edges and the corners the nearest.
fn weights_near(numbers: [u32; 3], corners: [DVec3; 3], p: DVec3) -> (f64, Weights) {
    let edges = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| {
        let (u, v) = (corners[i], corners[j]);
        let t = along(u, v, p);
        vec![(i, 1.0 - t), (j, t)]
    });
    let mut tries: Vec<Vec<(usize, f64)>> = (0..3).map(|i| vec![(i, 1.0)]).collect();
    tries.extend(edges);
    tries.extend(in_face(corners, p).map(|w| (0..3).map(|i| (i, w[i])).collect()));
    let off = |weights: &Vec<(usize, f64)>| {
        let total: f64 = weights.iter().map(|(_, w)| w).sum();
        // Seen from the point, so that the mean does not round more far from the origin than near it.
        let sum: DVec3 = weights.iter().map(|&(i, w)| (corners[i] - p) * w).sum();
        (sum / total).length()
    };
    let mut best = (f64::INFINITY, Vec::new());
    for weights in tries {
        let distance = off(&weights);
        if distance < best.0 {
            best = (distance, weights);
        }
    }
    let (distance, weights) = best;
    let named = weights.into_iter().filter(|&(_, w)| w > 0.0).map(|(i, w)| (numbers[i], w));
    (distance, named.collect())
}

/// Where on the segment, from 0 to 1, the nearest point lies.
fn along(u: DVec3, v: DVec3, p: DVec3) -> f64 {
    let edge = v - u;
    let size = edge.abs().max_element();
    let (unit, from) = (edge / size, (p - u) / size);
    let t = from.dot(unit) / unit.length_squared();
    if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 }
}

/// The areas of the triangles that the point's projection makes with the edges, if none is negative.
fn in_face([a, b, c]: [DVec3; 3], p: DVec3) -> Option<DVec3> {
    let size = (b - a).abs().max_element().max((c - a).abs().max_element());
    let [u, v, w] = [a, b, c].map(|q| (q - p) / size);
    let normal = (v - u).cross(w - u);
    let areas = DVec3::new(v.cross(w).dot(normal), w.cross(u).dot(normal), u.cross(v).dot(normal));
    let total = areas.element_sum();
    (total > 0.0 && areas.min_element() >= 0.0).then(|| areas / total)
}
