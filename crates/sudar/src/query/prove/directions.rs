//! Directions along which two sets of pieces may be apart.

use std::sync::Arc;

use glam::DVec3;

use crate::convex::{Convex, Core, Difference, GjkMemory, GjkOptions, Polytope, PosedConvex, gjk};
use crate::hull::convex_hull;
use crate::math::{Pose, sized};
use crate::pair::disjoint_triangle_distance_bounds;
use crate::proof::{Form, Placed, farthest_of_round};
use crate::shape::Triangle;

/// The farthest point of the pieces in a direction; `None` if there is none.
pub(super) fn farthest(body: &Placed, pieces: &[u32], direction: DVec3) -> Option<DVec3> {
    let mut best: Option<(f64, DVec3)> = None;
    for &i in pieces {
        let p = farthest_of_piece(body, i, direction)?;
        let height = direction.dot(p);
        if best.is_none_or(|(highest, _)| height > highest) {
            best = Some((height, p));
        }
    }
    best.map(|(_, p)| p)
}

fn farthest_of_piece(body: &Placed, i: u32, n: DVec3) -> Option<DVec3> {
    let higher = |p: DVec3, q: DVec3| if n.dot(q) > n.dot(p) { q } else { p };
    let corner = body.corners(i).reduce(higher)?;
    match body.form(i) {
        Form::Hull { radius: 0.0 } => Some(corner),
        Form::Hull { radius } => Some(corner + n.normalize_or_zero() * radius),
        Form::Round(round, map) => Some(corner + map * farthest_of_round(round, map.transpose() * n)),
        Form::Halfspace { .. } => None,
    }
}

/// The normal, about along `n`, of the triangle between far-off corners of those that are nearly the highest
/// along it: the larger the face that these make, the truer. `None` if they make none, or lean another way.
pub(super) fn normal_of_top(body: &Placed, pieces: &[u32], n: DVec3) -> Option<DVec3> {
    let unit = n.normalize_or_zero();
    let corners = || pieces.iter().flat_map(|&i| body.corners(i));
    let height = |p: DVec3| unit.dot(p);
    let span = |f: &dyn Fn(DVec3) -> f64| {
        corners().map(f).fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], x| [l.min(x), h.max(x)])
    };
    let [_, top] = span(&height);
    let sides = [0, 1, 2].map(|k| span(&|p| p[k]));
    let size = sides.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
    let on_top: Vec<DVec3> = corners().filter(|&p| height(p) >= top - LEAN * size).collect();
    let farthest = |f: &dyn Fn(DVec3) -> f64| on_top.iter().copied().max_by(|p, q| f(*p).total_cmp(&f(*q)));
    let from = *on_top.first()?;
    let p = farthest(&|p| p.distance(from))?;
    let q = farthest(&|q| q.distance(p))?;
    let r = farthest(&|r| sized(q - p).cross((r - p) / size).length())?;
    let normal = sized(sized(q - p).cross(sized(r - p)));
    let turned = if normal.dot(unit) < 0.0 { -normal } else { normal };
    (turned.dot(unit) > (1.0 - LEAN) * turned.length()).then_some(turned)
}

/// How far directions may lean that rounding may have made of each other, and much more.
const LEAN: f64 = 1e-6;

/// Directions worth a try for two pieces with at most three corners each: between their nearest points, and the axes of
/// separation of triangles, which do not suffer where the nearest points are close: normals, products of edges, and
/// normals of edges within the planes. Each both ways.
pub(super) fn of_flat_pieces(a: (&Placed, u32), b: (&Placed, u32)) -> Vec<DVec3> {
    let (Some(t), Some(u)) = (as_triangle(a), as_triangle(b)) else { return Vec::new() };
    let (nearest, _) = disjoint_triangle_distance_bounds(&t, &u);
    let (ours, theirs) = (edges(&t), edges(&u));
    let [ours_normal, theirs_normal] = [&ours, &theirs].map(|e| longest(e.map(|i| e.map(|j| i.cross(j)))));
    let products = ours.into_iter().flat_map(|e| theirs.map(|f| e.cross(f)));
    let mut axes = vec![nearest.b - nearest.a, ours_normal, theirs_normal];
    axes.extend(products);
    axes.extend(ours.map(|e| e.cross(ours_normal)));
    axes.extend(theirs.map(|e| e.cross(theirs_normal)));
    // From an edge straight to a corner, where that is nearest.
    let between = sized(nearest.b - nearest.a);
    axes.extend(ours.iter().chain(&theirs).map(|e| e.cross(between.cross(*e))));
    axes.into_iter().map(sized).filter(|n| *n != DVec3::ZERO).flat_map(|n| [n, -n]).collect()
}

fn as_triangle((body, i): (&Placed, u32)) -> Option<Triangle> {
    let corners: Vec<DVec3> = body.corners(i).take(4).collect();
    if !matches!(body.form(i), Form::Hull { .. }) {
        return None;
    }
    match corners[..] {
        [p] => Some(Triangle { a: p, b: p, c: p }),
        [p, q] => Some(Triangle { a: p, b: q, c: q }),
        [a, b, c] => Some(Triangle { a, b, c }),
        _ => None,
    }
}

fn edges(t: &Triangle) -> [DVec3; 3] {
    [t.b - t.a, t.c - t.b, t.a - t.c].map(sized)
}

fn longest(vectors: [[DVec3; 3]; 3]) -> DVec3 {
    let longer = |p: DVec3, q: DVec3| if q.length_squared() > p.length_squared() { q } else { p };
    sized(vectors.into_iter().flatten().fold(DVec3::ZERO, longer))
}

/// The direction in which GJK saw two bounded pieces farthest apart, and that between their nearest points,
/// which differs where one of them is round; none if they are not bounded.
pub(super) fn between(a: (&Placed, u32), b: (&Placed, u32)) -> Vec<DVec3> {
    let (Some((p, pose_p)), Some((q, pose_q))) = (as_convex(a), as_convex(b)) else { return Vec::new() };
    let difference = Difference::unposed(PosedConvex::new(&p, &pose_p), PosedConvex::new(&q, &pose_q));
    let found = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
    vec![sized(found.axis), -sized(found.nearest)]
}

fn as_convex((body, i): (&Placed, u32)) -> Option<(Convex, Pose)> {
    let corners: Vec<DVec3> = body.corners(i).collect();
    match body.form(i) {
        Form::Hull { radius } => {
            let core = match corners[..] {
                [p] => Core::Point(p),
                [p, q] => Core::Segment([p, q]),
                [p, q, r] => Core::Triangle([p, q, r]),
                _ => Core::Polytope(Arc::new(Polytope::new(Arc::new(convex_hull(&corners).ok()?)))),
            };
            Some((Convex::new(core, radius), Pose::IDENTITY))
        }
        Form::Round(round, map) => {
            Some((Convex::new(Core::Round(round), 0.0), Pose::from_matrix(map, *corners.first()?).ok()?))
        }
        Form::Halfspace { .. } => None,
    }
}
