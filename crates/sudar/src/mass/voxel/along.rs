//! What the rays along one axis run through.

use std::cell::OnceCell;
use std::ops::Range;

use glam::DVec3;

use super::parts::{Holes, Inside, Part, Surface};
use super::runs::{Moments, Runs};
use crate::effort::Meter;
use crate::inside::winding_of_triangle;
use crate::kind::Measured;
use crate::mass::border::Sight;
use crate::mass::rays::{Crossing, OddRays, Rays};
use crate::math::Pose;
use crate::pair::Chord;
use crate::shape::{Aabb, Mesh, Ray};
use crate::tree::{WideTree, WindingTree, Windings};

/// The moments of all parts by the rays along one axis, whose runs may end at whole cells; counts those that cross an
/// open mesh an odd number of times.
pub(super) fn moments(
    parts: &[Part],
    rays: &Rays,
    (at_holes, snap): (OddRays, bool),
    odd_rays: &mut u64,
    meter: &mut Meter,
) -> Moments {
    let aabb = parts.iter().fold(Aabb::EMPTY, |sum, part| sum.union(part.aabb()));
    let mut runs = Runs::new(rays, aabb.center(), snap);
    for part in parts {
        for rows in bands(rays) {
            if meter.is_stopped() || meter.check().is_break() {
                return runs.moments();
            }
            match part {
                Part::Convex(solid, pose, aabb) => {
                    along_chords(solid.as_ref(), pose, aabb, rows, &mut runs, meter);
                }
                Part::Surface(Surface { mesh, inside: Inside::Winding }) => {
                    along_crossings(mesh, rows, &mut runs, meter);
                }
                Part::Surface(surface) => {
                    *odd_rays += along_sorted(surface, at_holes, rows, &mut runs, meter);
                }
            }
        }
    }
    runs.moments()
}

/// Rays that are dealt with at once, so that memory stays small.
const BAND: u32 = 1 << 18;

fn bands(rays: &Rays) -> impl Iterator<Item = Range<u32>> {
    let (rows, count) = ((BAND / rays.u.count).max(1), rays.v.count);
    (0..count.div_ceil(rows)).map(move |band| band * rows..count.min((band + 1) * rows))
}

/// Every crossing of a closed surface begins or ends a run, in any order.
fn along_crossings(mesh: &Mesh, rows: Range<u32>, runs: &mut Runs<'_>, meter: &mut Meter) {
    let rays = runs.rays;
    for t in 0..mesh.triangles().len() as u32 {
        let corners = mesh.triangle(t).corners();
        rays.crossings(corners, &rows, &mut |c| runs.add(c.i, c.j, c.t, f64::from(c.way)));
    }
    // What is stopped ends before the next rows.
    for _ in rows {
        if meter.spend(u64::from(rays.u.count)).is_break() {
            return;
        }
    }
}

fn along_chords(
    solid: &dyn Measured,
    pose: &Pose,
    aabb: &Aabb,
    rows: Range<u32>,
    runs: &mut Runs<'_>,
    meter: &mut Meter,
) {
    let Rays { axis, u, v, .. } = *runs.rays;
    let (back, mut start) = (pose.rotation().transpose(), aabb.min);
    let direction = back * DVec3::AXES[axis];
    for j in rows {
        if meter.spend(u64::from(u.count)).is_break() {
            return;
        }
        start[v.axis] = v.place(j);
        for i in 0..u.count {
            start[u.axis] = u.place(i);
            let origin = back * (start - pose.translation());
            let Some(Chord { enter, exit }) = solid.chord(&Ray { origin, direction }) else { continue };
            runs.add(i, j, start[axis] + exit, 1.0);
            runs.add(i, j, start[axis] + enter, -1.0);
        }
    }
}

/// Ray by ray, where crossings must be in order; counts rays with an odd number of them.
fn along_sorted(
    surface: &Surface,
    odd: OddRays,
    rows: Range<u32>,
    runs: &mut Runs<'_>,
    meter: &mut Meter,
) -> u64 {
    let (rays, aabb) = (runs.rays, surface.mesh.aabb());
    let mut found: Vec<Crossing> = Vec::new();
    for t in 0..surface.mesh.triangles().len() as u32 {
        rays.crossings(surface.mesh.triangle(t).corners(), &rows, &mut |c| found.push(c));
    }
    found.sort_by(|a, b| (a.j, a.i).cmp(&(b.j, b.i)).then(a.t.total_cmp(&b.t)));
    let (mut rest, mut odd_rays) = (found.as_slice(), 0);
    for j in rows {
        for i in 0..rays.u.count {
            if meter.spend(1).is_break() {
                return odd_rays;
            }
            let own = rest.iter().take_while(|c| (c.j, c.i) == (j, i)).count();
            let (crossings, after) = rest.split_at(own);
            rest = after;
            odd_rays += u64::from(own % 2 == 1);
            one_ray(surface, [i, j], crossings, &aabb, odd, runs);
        }
    }
    odd_rays
}

fn one_ray(
    surface: &Surface,
    [i, j]: [u32; 2],
    crossings: &[Crossing],
    aabb: &Aabb,
    odd: OddRays,
    runs: &mut Runs<'_>,
) {
    let holes = match (&surface.inside, odd) {
        (Inside::Open(holes), OddRays::Weigh) => holes,
        (Inside::Open(_) | Inside::Winding | Inside::Parity, _) => {
            if crossings.len().is_multiple_of(2) {
                for (k, crossing) in crossings.iter().enumerate() {
                    runs.add(i, j, crossing.t, if k % 2 == 0 { -1.0 } else { 1.0 });
                }
            }
            return;
        }
    };
    let axis = runs.rays.axis;
    let mut place = DVec3::ZERO;
    (place[runs.rays.u.axis], place[runs.rays.v.axis]) = (runs.rays.u.place(i), runs.rays.v.place(j));
    let (rays, ends) = (runs.rays, [aabb.min[axis], aabb.max[axis]]);
    // Beside its box a surface is seen from one side of a plane.
    let is_beside = |k: usize| place[k] < aabb.min[k] || place[k] > aabb.max[k];
    if is_beside(rays.u.axis) || is_beside(rays.v.axis) {
        return;
    }
    let mut sight = |t: f64, beyond: f64, far: f64| {
        place[axis] = t;
        match holes {
            Holes::Border(border) => {
                let sight = border.seen_from(rays, place, far);
                Sight { beside: sight.beside + beyond, ..sight }
            }
            Holes::Triangles(tree) => {
                Sight { beside: around(tree, &surface.mesh, place), change: f64::INFINITY }
            }
        }
    };
    let pieces = pieces(ends, crossings);
    if is_consistent(&pieces, &mut sight) {
        crossings.iter().for_each(|c| runs.add(i, j, c.t, f64::from(c.way)));
    } else {
        for piece in &pieces {
            weigh(piece, &mut sight, &mut |t, weight| runs.add(i, j, t, weight));
        }
    }
}

/// A part of a ray between two crossings.
struct Stretch {
    from: f64,
    to: f64,
    /// The sum of the crossings beyond it.
    beyond: f64,
}

fn pieces([start, end]: [f64; 2], crossings: &[Crossing]) -> Vec<Stretch> {
    let mut beyond: f64 = crossings.iter().map(|c| f64::from(c.way)).sum();
    let mut from = start;
    let mut pieces = Vec::with_capacity(crossings.len() + 1);
    for (to, way) in crossings.iter().map(|c| (c.t, f64::from(c.way))).chain([(end, 0.0)]) {
        pieces.push(Stretch { from, to: to.max(from), beyond });
        (from, beyond) = (to.max(from), beyond - way);
    }
    pieces
}

/// Whether a ray goes through the surface as if there were no hole: as many crossings out as in, which give
/// the weight in the middle of its longest piece.
fn is_consistent(pieces: &[Stretch], sight: &mut impl FnMut(f64, f64, f64) -> Sight) -> bool {
    let size = |piece: &Stretch| piece.to - piece.from;
    let longest = pieces.iter().max_by(|a, b| size(a).total_cmp(&size(b)));
    pieces.first().is_some_and(|first| first.beyond == 0.0)
        && longest.is_some_and(|piece| {
            sight(0.5 * (piece.from + piece.to), piece.beyond, 0.0).beside.round() == piece.beyond
        })
}

/// Adds a piece of a ray between crossings, cut where its weight changes.
fn weigh(piece: &Stretch, sight: &mut impl FnMut(f64, f64, f64) -> Sight, add: &mut impl FnMut(f64, f64)) {
    let (from, to) = (piece.from, piece.to);
    if to <= from {
        return;
    }
    let mut run = |low: f64, high: f64, weight: f64| {
        add(high, weight);
        add(low, -weight);
    };
    let far = 0.5 * (to - from);
    let middle = sight(from + far, piece.beyond, far);
    let weight = middle.beside.round();
    if (middle.beside - weight).abs() + middle.change < 0.5 {
        return run(from, to, weight);
    }
    let mut of = |t: f64| (t, sight(t, piece.beyond, 0.0).beside);
    let [start, end] = ENDS.map(|part| of(from + (to - from) * part));
    let mut low = from;
    for [p, q] in [[start, (from + far, middle.beside)], [(from + far, middle.beside), end]] {
        if p.1.round() != q.1.round() {
            let cut = cut(p, q, &mut of);
            run(low, cut, p.1.round());
            low = cut;
        }
    }
    run(low, to, end.1.round());
}

/// Where on a piece between crossings weights are taken besides its middle: next to the ends, where the surface is.
const ENDS: [f64; 2] = [0.01, 0.99];

/// Where a winding number passes the middle of what it rounds to at two places, by regula falsi.
fn cut(mut low: (f64, f64), mut high: (f64, f64), of: &mut impl FnMut(f64) -> (f64, f64)) -> f64 {
    let target = 0.5 * (low.1.round() + high.1.round());
    let between = |low: (f64, f64), high: (f64, f64)| {
        let part = (target - low.1) / (high.1 - low.1);
        low.0 + (high.0 - low.0) * if part.is_finite() { part.clamp(0.1, 0.9) } else { 0.5 }
    };
    let rises = high.1 > low.1;
    for _ in 0..4 {
        let next = of(between(low, high));
        if (next.1 < target) == rises { low = next } else { high = next }
    }
    between(low, high)
}

/// The winding number at a place, near enough to round it to a whole one.
fn around(tree: &OnceCell<Box<(WideTree, WindingTree)>>, mesh: &Mesh, place: DVec3) -> f64 {
    let built = tree.get_or_init(|| {
        let tree = WideTree::new(mesh);
        let moments = WindingTree::new(&tree, mesh);
        Box::new((tree, moments))
    });
    let windings = Windings { tree: &built.0, moments: &built.1, pose: &Pose::IDENTITY };
    let exact = |i: u32| winding_of_triangle(&mesh.triangle(i), place);
    let found = windings.around(place, &mut Meter::unlimited(), &exact, &|w| {
        w.lower.round() == w.upper.round() || w.width() <= 1e-3
    });
    0.5 * (found.lower + found.upper)
}
