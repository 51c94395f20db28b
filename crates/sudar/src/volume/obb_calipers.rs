//! The smallest rectangle around a shadow, by rotating calipers.

use glam::{DMat3, DVec2, DVec3};

/// The axes turned about one of them, so that the rectangle around the shadow of the points along it has the
/// least area.
///
/// A side of that rectangle lies along an edge of the hull of the shadow (Freeman and Shapira 1975, "Determining the
/// minimum-area encasing rectangle for an arbitrary closed curve").
pub(super) fn turned_flat(points: &[DVec3], axes: &DMat3, about: usize) -> DMat3 {
    let (u, v) = (axes.col((about + 1) % 3), axes.col((about + 2) % 3));
    let shadow: Vec<DVec2> = points.iter().map(|p| DVec2::new(u.dot(*p), v.dot(*p))).collect();
    let Some(side) = best_side(&outline(shadow)) else { return *axes };
    let mut turned = *axes;
    *turned.col_mut((about + 1) % 3) = u * side.x + v * side.y;
    *turned.col_mut((about + 2) % 3) = v * side.x - u * side.y;
    turned
}

/// The convex hull of points in the plane, counter-clockwise, by Andrew's monotone chain; up to rounding,
/// which costs tightness alone.
fn outline(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut chain: Vec<DVec2> = Vec::with_capacity(points.len() + 1);
    let half = |chain: &mut Vec<DVec2>, points: &mut dyn Iterator<Item = DVec2>, least: usize| {
        for p in points {
            while chain.len() > least && !turns_left(chain[chain.len() - 2], chain[chain.len() - 1], p) {
                chain.pop();
            }
            chain.push(p);
        }
    };
    half(&mut chain, &mut points.iter().copied(), 1);
    let lower = chain.len();
    half(&mut chain, &mut points.iter().rev().skip(1).copied(), lower);
    chain.pop();
    chain
}

fn turns_left(a: DVec2, b: DVec2, c: DVec2) -> bool {
    (b - a).perp_dot(c - a) > 0.0
}

/// The direction of the edge on which the smallest rectangle stands.
fn best_side(outline: &[DVec2]) -> Option<DVec2> {
    let n = outline.len();
    let mut best: Option<(f64, DVec2)> = None;
    // The farthest corners ahead, across and behind only move forward as the edge turns.
    let (mut ahead, mut across, mut behind) = (1, 1, 1);
    for i in 0..n {
        let Some(side) = (outline[(i + 1) % n] - outline[i]).try_normalize() else { continue };
        let (along, up) = (|k: usize| side.dot(outline[k % n]), |k: usize| side.perp_dot(outline[k % n]));
        advance(&mut ahead, i, n, along);
        across = across.max(ahead);
        advance(&mut across, i, n, up);
        behind = behind.max(across);
        advance(&mut behind, i, n, |k| -along(k));
        let area = (along(ahead) - along(behind)) * (up(across) - up(i));
        if best.is_none_or(|(least, _)| area < least) {
            best = Some((area, side));
        }
    }
    best.map(|(_, side)| side)
}

/// Moves a caliper on while the next corner is no less far; at most once around.
fn advance(at: &mut usize, from: usize, n: usize, height: impl Fn(usize) -> f64) {
    *at = (*at).max(from + 1);
    while *at < from + n && height(*at + 1) >= height(*at) {
        *at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn no_edge_has_a_smaller_rectangle() {
        let mut random = Random::new(5);
        for case in 0..200 {
            let reach = if case % 2 == 0 { 4.0 } else { 1e6 };
            let points: Vec<DVec2> =
                (0..12).map(|_| DVec2::new(random.number() * reach, random.number()).round()).collect();
            let outline = outline(points);
            let area = |side: DVec2| {
                let range = |d: DVec2| {
                    let heights = outline.iter().map(|p| d.dot(*p));
                    let (low, high) =
                        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
                    high - low
                };
                range(side) * range(side.perp())
            };
            let Some(best) = best_side(&outline) else { continue };
            for i in 0..outline.len() {
                let edge = outline[(i + 1) % outline.len()] - outline[i];
                let other = area(edge.normalize());
                assert!(area(best) <= other * (1.0 + 1e-12) + 1e-12, "{outline:?}");
            }
        }
    }
}
