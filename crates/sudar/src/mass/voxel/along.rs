//! What the rays along one axis run through.

use std::cell::OnceCell;

use glam::DVec3;

use super::OddRays;
use super::parts::{Inside, Part, Surface};
use super::runs::{Moments, Runs};
use crate::effort::Meter;
use crate::inside::winding_of_triangle;
use crate::mass::chord::{self, Line};
use crate::mass::rays::{Crossing, Rays};
use crate::math::Pose;
use crate::shape::{Aabb, Mesh, Shape};
use crate::tree::{WideTree, WindingTree, Windings};

/// The moments of all parts by the rays along one axis; counts those that cross an open mesh an odd number of times.
pub(super) fn moments(parts: &[Part], rays: &Rays, odd: OddRays, odd_rays: &mut u64) -> Moments {
    let aabb = parts.iter().fold(Aabb::EMPTY, |sum, part| sum.union(part.aabb()));
    let mut runs = Runs::new(rays, aabb.center());
    for part in parts {
        match part {
            Part::Convex(shape, pose, aabb) => along_chords(shape, pose, aabb, &mut runs),
            Part::Surface(Surface { mesh, inside: Inside::Winding }) => along_crossings(mesh, &mut runs),
            Part::Surface(surface) => *odd_rays += along_sorted(surface, &aabb, odd, &mut runs),
        }
    }
    runs.moments()
}

/// Every crossing of a closed surface begins or ends a run, in whatever order they come.
fn along_crossings(mesh: &Mesh, runs: &mut Runs<'_>) {
    let rays = runs.rays;
    for t in 0..mesh.triangles().len() as u32 {
        let corners = mesh.triangle(t).corners();
        rays.crossings(corners, &(0..rays.v.count), &mut |c| runs.add(c.i, c.j, c.t, f64::from(c.way)));
    }
}

fn along_chords(shape: &Shape, pose: &Pose, aabb: &Aabb, runs: &mut Runs<'_>) {
    let Rays { axis, u, v } = *runs.rays;
    let (back, mut start) = (pose.rotation().transpose(), aabb.min);
    let direction = back * DVec3::AXES[axis];
    for j in 0..v.count {
        start[v.axis] = v.place(j);
        for i in 0..u.count {
            start[u.axis] = u.place(i);
            let origin = back * (start - pose.translation());
            let Some((enter, exit)) = chord_of(shape, &Line { origin, direction }) else { continue };
            runs.add(i, j, start[axis] + exit, 1.0);
            runs.add(i, j, start[axis] + enter, -1.0);
        }
    }
}

fn chord_of(shape: &Shape, line: &Line) -> chord::Chord {
    match shape {
        Shape::Cuboid(c) => chord::cuboid(line, c),
        Shape::Capsule(c) => chord::capsule(line, c),
        Shape::Cylinder(c) => chord::cylinder(line, c),
        Shape::Cone(c) => chord::cone(line, c),
        Shape::Ellipsoid(e) => chord::ellipsoid(line, e),
        // `collect` takes these apart or refuses them.
        Shape::Mesh(_)
        | Shape::Solid(_)
        | Shape::Hull(_)
        | Shape::Sphere(_)
        | Shape::Halfspace(_)
        | Shape::HeightField(_)
        | Shape::Triangle(_)
        | Shape::Segment(_)
        | Shape::Point(_)
        | Shape::PointCloud(_)
        | Shape::Compound(_) => None,
    }
}

/// Rays whose crossings are held at once, so that memory stays small.
const BAND: u32 = 1 << 18;

/// Ray by ray, where crossings must be in order; counts rays with an odd number of them.
fn along_sorted(surface: &Surface, aabb: &Aabb, odd: OddRays, runs: &mut Runs<'_>) -> u64 {
    let rays = runs.rays;
    let rows = (BAND / rays.u.count).max(1);
    let mut odd_rays = 0;
    let mut from = 0;
    while from < rays.v.count {
        let band = from..rays.v.count.min(from + rows);
        let mut found: Vec<Crossing> = Vec::new();
        for t in 0..surface.mesh.triangles().len() as u32 {
            rays.crossings(surface.mesh.triangle(t).corners(), &band, &mut |c| found.push(c));
        }
        found.sort_by(|a, b| (a.j, a.i).cmp(&(b.j, b.i)).then(a.t.total_cmp(&b.t)));
        let mut rest = found.as_slice();
        for j in band {
            for i in 0..rays.u.count {
                let own = rest.iter().take_while(|c| (c.j, c.i) == (j, i)).count();
                let (crossings, after) = rest.split_at(own);
                rest = after;
                odd_rays += u64::from(own % 2 == 1);
                one_ray(surface, [i, j], crossings, aabb, odd, runs);
            }
        }
        from += rows;
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
    let tree = match (&surface.inside, odd) {
        (Inside::Open(tree), OddRays::Weigh) => tree,
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
    let mut weight = |t: f64| {
        place[axis] = t;
        around(tree, &surface.mesh, place)
    };
    let ends = [aabb.min[axis], aabb.max[axis]];
    if is_consistent(ends, crossings, &mut weight) {
        crossings.iter().for_each(|c| runs.add(i, j, c.t, f64::from(c.way)));
    } else {
        let until = crossings.iter().map(|c| c.t).chain([ends[1]]);
        weigh(ends[0], until, weight, |t, weight| runs.add(i, j, t, weight));
    }
}

/// Whether a ray goes through the surface as if there were no hole: from weight 0 back to 0 by its crossings alone, with the weight that this gives
/// in the middle of its longest piece.
fn is_consistent(
    [start, end]: [f64; 2],
    crossings: &[Crossing],
    weight: &mut impl FnMut(f64) -> f64,
) -> bool {
    let (mut from, mut own, mut longest) = (start, 0.0, (f64::NEG_INFINITY, start, 0.0));
    for (to, way) in crossings.iter().map(|c| (c.t, f64::from(c.way))).chain([(end, 0.0)]) {
        if to - from > longest.0 {
            longest = (to - from, 0.5 * (from + to), own);
        }
        (from, own) = (to, own - way);
    }
    own == 0.0 && weight(longest.1) == longest.2
}

/// Adds the pieces of a ray between crossings, each cut where its weight changes.
fn weigh(
    start: f64,
    ends: impl Iterator<Item = f64>,
    mut weight: impl FnMut(f64) -> f64,
    mut add: impl FnMut(f64, f64),
) {
    let mut from = start;
    for to in ends {
        if to > from {
            let places = SAMPLES.map(|part| from + (to - from) * part);
            let weights = places.map(&mut weight);
            let mut low = from;
            for k in 1..places.len() {
                if weights[k] != weights[k - 1] {
                    let cut = cut(places[k - 1], places[k], weights[k - 1], &mut weight);
                    add(cut, weights[k - 1]);
                    add(low, -weights[k - 1]);
                    low = cut;
                }
            }
            add(to, weights[places.len() - 1]);
            add(low, -weights[places.len() - 1]);
        }
        from = from.max(to);
    }
}

/// Where on a piece between crossings weights are taken: next to the ends, where the surface is, and between.
const SAMPLES: [f64; 3] = [0.01, 0.5, 0.99];

/// Where a weight changes between two places, by bisection.
fn cut(mut low: f64, mut high: f64, weight: f64, of: &mut impl FnMut(f64) -> f64) -> f64 {
    for _ in 0..8 {
        let middle = 0.5 * (low + high);
        if of(middle) == weight { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The winding number at a place, rounded to a whole one.
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
    (0.5 * (found.lower + found.upper)).round()
}
