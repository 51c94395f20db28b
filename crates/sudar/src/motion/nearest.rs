//! How far two pieces are apart at an instant, and in which direction.

use glam::{DMat3, DVec3};

use super::cast::{CastOutcome, gjk_ray_beside};
use super::course::Instant;
use super::free::{Facing, Gap};
use super::piece::Piece;
use crate::convex::{Convex, Core, Difference, GjkMemory, GjkOptions, PosedConvex, gjk};
use crate::math::{Pose, unit};
use crate::pair::{disjoint_triangle_distance, triangle_intersection, triangles_intersect, widest_direction};
use crate::shape::{Obb, Triangle};

/// What is known of two pieces at an instant, in the frame of the first body.
#[derive(Debug, Clone, Copy)]
pub struct NearestPoints {
    /// They are no farther apart than this: as far as the points, 0 for pieces that meet.
    pub upper: f64,
    /// A point of the first piece.
    pub a: DVec3,
    /// A point of the second.
    pub b: DVec3,
    /// The widest gap found; `None` if there is no direction, because they meet or may meet.
    pub gap: Option<Gap>,
    /// The direction from the first to the second, where it is known however near they are: that of the gap,
    /// or of a plane.
    pub normal: Option<DVec3>,
}

impl NearestPoints {
    fn meet(at: DVec3) -> Self {
        Self::new(0.0, [at, at], None)
    }

    fn new(upper: f64, [a, b]: [DVec3; 2], gap: Option<Gap>) -> Self {
        Self { upper, a, b, gap, normal: gap.map(|gap| gap.normal) }
    }

    /// Along the normal of a plane, whether there is a gap or none.
    fn along(upper: f64, points: [DVec3; 2], gap: Gap) -> Self {
        let normal = Some(gap.normal);
        Self { normal, ..Self::new(upper, points, Some(gap).filter(|gap| gap.width > 0.0)) }
    }
}

/// The distance of two pieces that are not bounds, and the direction in which they are apart by it, for certain.
///
/// `memory` is of the same two pieces, or empty. Cost: that of the distance of two triangles, some 0.2 µs, or of GJK.
pub fn nearest(
    instant: &Instant,
    a: &Piece,
    b: &Piece,
    separation: f64,
    memory: &mut GjkMemory,
) -> NearestPoints {
    let facing = Facing::new(instant, a, b);
    match (a, b) {
        (Piece::Triangle(t), Piece::Triangle(u)) => {
            triangles(&facing, t, &u.posed(&instant.relative), separation)
        }
        (Piece::Plane(h), _) => over(&facing, b, h.normal, separation),
        (_, Piece::Plane(h)) => {
            let under = instant.turn() * -h.normal;
            beneath(&facing, a, under, separation)
        }
        (Piece::Triangle(t), Piece::Convex(_)) => {
            let convex = Convex::new(Core::Triangle(t.corners()), 0.0);
            convexes(&facing, &PosedConvex::new(&convex, &Pose::IDENTITY), b, separation, memory)
        }
        (Piece::Convex(p), Piece::Convex(_) | Piece::Triangle(_)) => {
            convexes(&facing, p, b, separation, memory)
        }
        (Piece::Bound(_), _) | (_, Piece::Bound(_)) => {
            NearestPoints::new(f64::INFINITY, [DVec3::ZERO; 2], apart(&facing, separation))
        }
    }
}

/// When two convex pieces that do not turn first touch, by a ray against their difference; none of others.
pub fn ray(instant: &Instant, pieces: [&Piece; 2], left: f64, tolerances: [f64; 2]) -> Option<CastOutcome> {
    let cast = |a: PosedConvex, b: PosedConvex| {
        gjk_ray_beside(&Difference::new(a, b), instant.velocity, left, tolerances, instant.slack).outcome
    };
    let triangle = |t: Triangle| Convex::new(Core::Triangle(t.corners()), 0.0);
    if instant.axes.iter().any(Option::is_some) {
        return None;
    }
    match pieces {
        [Piece::Convex(p), Piece::Convex(q)] => {
            let pose = instant.relative.after(q.pose());
            Some(cast(*p, PosedConvex::new(q.convex(), &pose)))
        }
        [Piece::Triangle(t), Piece::Convex(q)] => {
            let (convex, pose) = (triangle(*t), instant.relative.after(q.pose()));
            Some(cast(PosedConvex::new(&convex, &Pose::IDENTITY), PosedConvex::new(q.convex(), &pose)))
        }
        [Piece::Convex(p), Piece::Triangle(u)] => {
            let convex = triangle(u.posed(&instant.relative));
            Some(cast(*p, PosedConvex::new(&convex, &Pose::IDENTITY)))
        }
        _ => None,
    }
}

/// A direction in which two pieces are apart, of those that separate them long without that their distance is
/// looked for: the faces of boxes and triangles, and from middle to middle. Of several, that which keeps them
/// apart longest.
pub fn apart(facing: &Facing, separation: f64) -> Option<Gap> {
    if let [Piece::Bound(a), Piece::Bound(b)] = facing.pieces() {
        return boxes(facing, a, b, separation);
    }
    let mut best: Option<Gap> = None;
    let mut best_time = 0.0;
    facing.directions(&mut |normal| {
        let gap = facing.along(normal, separation);
        if gap.width > 0.0 && (best.is_none() || gap.time() > best_time) {
            (best, best_time) = (Some(gap), gap.time());
        }
        best_time < f64::INFINITY
    });
    best
}

/// The same for two boxes, whose heights along the axes of either come from the same nine products.
fn boxes(facing: &Facing, a: &Obb, b: &Obb, separation: f64) -> Option<Gap> {
    let instant = facing.instant();
    let across = instant.turn() * b.axes;
    let between = instant.relative.apply(b.center) - a.center;
    // Axes may be orthonormal to seven digits only: heights and what is taken off make up for that.
    let loose = |half: DVec3| half + DVec3::splat(2e-6 * half.element_sum());
    let (half_a, half_b) = (loose(a.half), loose(b.half));
    let products = a.axes.transpose() * across;
    let taken = (instant.slack + separation) * (1.0 + 2e-6);
    let by_rows = DMat3::from_cols(products.x_axis.abs(), products.y_axis.abs(), products.z_axis.abs());
    let (reach_b, reach_a) = (by_rows * half_b, by_rows.transpose() * half_a);
    let mut best: Option<(DVec3, f64, f64)> = None;
    let mut best_time = 0.0;
    let mut look = |normal: DVec3, reach: f64| {
        let height = normal.dot(between);
        let width = height.abs() - reach - taken;
        if width > 0.0 {
            let toward = if height < 0.0 { -normal } else { normal };
            let gap = Gap { normal: toward, width, rate: facing.rate(toward) };
            if gap.time() > best_time {
                (best, best_time) = (Some((toward, width, gap.rate)), gap.time());
            }
        }
    };
    for k in 0..3 {
        look(a.axes.col(k), half_a[k] + reach_b[k]);
        look(across.col(k), half_b[k] + reach_a[k]);
    }
    if let Some(normal) = unit(between) {
        let reach = |axes: &DMat3, half: DVec3| (axes.transpose() * normal).abs().dot(half);
        look(normal, reach(&a.axes, half_a) + reach(&across, half_b));
    }
    best.map(|(toward, width, rate)| {
        let size = toward.length();
        Gap { normal: toward / size, width: width / size, rate: rate / size }
    })
}

impl Facing<'_, '_> {
    /// Shows likely directions from the first piece to the second until the visitor has enough.
    fn directions(&self, show: &mut dyn FnMut(DVec3) -> bool) {
        let [a, b] = self.pieces();
        let instant = self.instant();
        let turn = instant.relative.rotation();
        if let Piece::Plane(h) = a {
            show(h.normal);
            return;
        }
        if let Piece::Plane(h) = b {
            show(turn * -h.normal);
            return;
        }
        let ((p, _), (q, _)) = (a.ball(), b.ball());
        let between = instant.relative.apply(q) - p;
        if unit(between).is_some_and(|n| !show(n)) {
            return;
        }
        let toward = |n: DVec3| if n.dot(between) < 0.0 { -n } else { n };
        let _ = faces(a, &mut |n| show(toward(n))) && faces(b, &mut |n| show(toward(turn * n)));
    }
}

/// Shows the normals of a piece's faces, if these are few; whether the visitor wants more.
fn faces(piece: &Piece, show: &mut dyn FnMut(DVec3) -> bool) -> bool {
    match piece {
        Piece::Bound(Obb { axes, .. }) => {
            [axes.x_axis, axes.y_axis, axes.z_axis].into_iter().filter_map(unit).all(show)
        }
        Piece::Triangle(t) => unit((t.b - t.a).cross(t.c - t.a)).is_none_or(show),
        Piece::Convex(c) => {
            let (core, axes) = (c.convex().core(), c.pose().rotation());
            let is_square =
                core.half_extent().is_some() || core.round().is_some_and(|r| r.kind().is_square());
            !is_square || (show(axes.x_axis) && show(axes.y_axis) && show(axes.z_axis))
        }
        Piece::Plane(h) => show(h.normal),
    }
}

/// Two triangles. The points of [`disjoint_triangle_distance`] mean nothing if they intersect; a gap along
/// their direction proves that they do not.
fn triangles(facing: &Facing, t: &Triangle, u: &Triangle, separation: f64) -> NearestPoints {
    let found = disjoint_triangle_distance(t, u);
    let upper = found.distance();
    let near = |gap| NearestPoints::new(upper, [found.a, found.b], gap);
    let along = |way: DVec3| unit(way).map(|normal| facing.along(normal, separation));
    if let Some(gap) = along(found.b - found.a)
        && gap.width + separation > 0.5 * upper
    {
        return near(Some(gap));
    }
    if triangles_intersect(t, u) {
        return NearestPoints::meet(triangle_intersection(t, u).map_or(found.a, |common| common.middle()));
    }
    near(along(widest_direction(t, u, &found)).filter(|gap| gap.width > 0.0))
}

/// A piece over a half-space.
fn over(facing: &Facing, piece: &Piece, normal: DVec3, separation: f64) -> NearestPoints {
    let gap = facing.along(normal, separation);
    let instant = facing.instant();
    let lowest = instant.relative.apply(piece.highest(instant.turn().transpose() * -normal));
    let height = (gap.width + separation).max(0.0);
    let upper = (gap.width + separation + 2.0 * instant.slack).max(0.0);
    NearestPoints::along(upper, [lowest - normal * height, lowest], gap)
}

/// A piece of the first body and a half-space of the second; `under` points into it.
fn beneath(facing: &Facing, piece: &Piece, under: DVec3, separation: f64) -> NearestPoints {
    let gap = facing.along(under, separation);
    let deepest = piece.highest(under);
    let height = (gap.width + separation).max(0.0);
    let upper = (gap.width + separation + 2.0 * facing.instant().slack).max(0.0);
    NearestPoints::along(upper, [deepest, deepest + under * height], gap)
}

/// Two convex pieces by GJK, the second given in its own frame.
fn convexes(
    facing: &Facing,
    a: &PosedConvex,
    b: &Piece,
    separation: f64,
    memory: &mut GjkMemory,
) -> NearestPoints {
    let relative = &facing.instant().relative;
    match b {
        Piece::Convex(q) => {
            let pose = relative.after(q.pose());
            searched(facing, *a, PosedConvex::new(q.convex(), &pose), separation, memory)
        }
        Piece::Triangle(u) => {
            let convex = Convex::new(Core::Triangle(u.posed(relative).corners()), 0.0);
            searched(facing, *a, PosedConvex::new(&convex, &Pose::IDENTITY), separation, memory)
        }
        Piece::Bound(_) | Piece::Plane(_) => NearestPoints::meet(a.center()),
    }
}

fn searched(
    facing: &Facing,
    a: PosedConvex,
    b: PosedConvex,
    separation: f64,
    memory: &mut GjkMemory,
) -> NearestPoints {
    let difference = Difference::unposed(a, b);
    let found = gjk(&difference, memory, &GjkOptions::DISTANCE);
    *memory = GjkMemory::of(&difference, &found);
    let (core_a, core_b) = found.simplex.witnesses();
    let (p, q) = (a.center() + core_a, b.center() + core_b);
    let margins = [a.convex().margin(), b.convex().margin()];
    let sum = margins[0] + margins[1];
    if found.encloses || found.distance.upper <= sum {
        let share = if sum > 0.0 { margins[0] / sum } else { 0.5 };
        return NearestPoints::meet(p + (q - p) * share);
    }
    let directions = [unit(q - p), unit(-found.nearest), unit(found.axis)];
    let wider = |best: Option<Gap>, normal: DVec3| {
        let gap = facing.along(normal, separation);
        if gap.width > best.map_or(0.0, |best| best.width) { Some(gap) } else { best }
    };
    let gap = directions.into_iter().flatten().fold(None, wider);
    let normal = unit(q - p).unwrap_or(DVec3::ZERO);
    let (p, q) = (p + normal * margins[0], q - normal * margins[1]);
    // The margins are taken off along the direction of the points, which are as far apart as the search says.
    let upper = (found.distance.upper - sum).max(0.0) + 2.0 * f64::EPSILON * sum;
    NearestPoints::new(upper, [p, q], gap.or_else(|| apart(facing, separation)))
}
