//! Flat facets cut into triangles in many ways.

use glam::DVec3;
use rand::RngExt;
use sudar::Mesh;
use sudar_testing::Random;
use sudar_testing::meshes::soup;

/// How a flat polygon is cut.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cut {
    /// A fan around a point in the middle, with the sides halved so often.
    Fan(u32),
    /// Squares with random diagonals, and each triangle's corners in random order if wished.
    Grid(u32, bool),
    /// Long strips.
    Strips(u32),
}

pub(super) const CUTS: [Cut; 7] = [
    Cut::Grid(1, false),
    Cut::Grid(2, true),
    Cut::Grid(7, true),
    Cut::Fan(0),
    Cut::Fan(3),
    Cut::Strips(4),
    Cut::Strips(16),
];

/// The parallelogram of four dyadic corners cut in a way, so that all points are exact and neighbours match
/// if their cuts do.
pub(super) fn cut(
    origin: DVec3,
    u: DVec3,
    v: DVec3,
    how: Cut,
    rng: &mut Random,
    triangles: &mut Vec<[DVec3; 3]>,
) {
    let place = |x: f64, y: f64| origin + u * x + v * y;
    match how {
        Cut::Fan(halvings) => {
            let n = 1 << halvings;
            let rim = |side: u32, i: u32| {
                let t = f64::from(i) / f64::from(n);
                match side {
                    0 => place(t, 0.0),
                    1 => place(1.0, t),
                    2 => place(1.0 - t, 1.0),
                    _ => place(0.0, 1.0 - t),
                }
            };
            let middle = place(0.625, 0.375);
            for (side, i) in (0..4).flat_map(|side| (0..n).map(move |i| (side, i))) {
                triangles.push([rim(side, i), rim(side, i + 1), middle]);
            }
        }
        Cut::Grid(halvings, shuffled) => {
            let n = 1 << halvings.min(4);
            let t = |i: u32| f64::from(i) / f64::from(n);
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let [a, b, c, d] =
                    [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| place(t(i), t(j)));
                let pair = if shuffled && rng.random_bool(0.5) {
                    [[a, b, c], [a, c, d]]
                } else {
                    [[a, b, d], [b, c, d]]
                };
                triangles.extend(pair);
            }
        }
        Cut::Strips(n) => {
            let t = |i: u32| f64::from(i) / f64::from(n);
            for i in 0..n {
                let [a, b, c, d] =
                    [(i, 0.0), (i + 1, 0.0), (i + 1, 1.0), (i, 1.0)].map(|(i, y)| place(t(i), y));
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
}

/// The triangles as a mesh, in random order if wished.
pub(super) fn mesh(mut triangles: Vec<[DVec3; 3]>, shuffled: bool, rng: &mut Random) -> Mesh {
    if shuffled {
        for i in (1..triangles.len()).rev() {
            triangles.swap(i, rng.random_range(0..=i));
        }
        triangles.iter_mut().for_each(|t| t.rotate_left(rng.random_range(0..3)));
    }
    soup(triangles.concat())
}

/// The square from −4 to 4 in z = 0.
pub(super) fn plane(how: Cut, rng: &mut Random) -> Mesh {
    let mut triangles = Vec::new();
    cut(DVec3::new(-4.0, -4.0, 0.0), DVec3::X * 8.0, DVec3::Y * 8.0, how, rng, &mut triangles);
    mesh(triangles, true, rng)
}

/// A box, each side cut in the same way: a grid or a fan, whose rims match.
pub(super) fn block(half: DVec3, how: Cut, rng: &mut Random) -> Mesh {
    let mut triangles = Vec::new();
    for axis in 0..3 {
        let [x, y, z] = [0, 1, 2].map(|k| DVec3::AXES[(axis + k) % 3]);
        let [hx, hy, hz] = [x, y, z].map(|n| n * n.dot(half));
        // Seen from outside both turn left.
        cut(hz - hx - hy, hx * 2.0, hy * 2.0, how, rng, &mut triangles);
        cut(-hz - hx - hy, hy * 2.0, hx * 2.0, how, rng, &mut triangles);
    }
    mesh(triangles, true, rng)
}

/// A roof: a prism over the triangle (−2, 0), (2, 0), (0, 1) of x and z, along y from −3 to 3.
pub(super) fn prism(how: Cut, rng: &mut Random) -> Mesh {
    let mut triangles = Vec::new();
    let along = DVec3::Y * 6.0;
    let [p, q, r] = [[-2.0, 0.0], [2.0, 0.0], [0.0, 1.0]].map(|[x, z]| DVec3::new(x, -3.0, z));
    for (from, to) in [(p, q), (q, r), (r, p)] {
        cut(from, along, to - from, how, rng, &mut triangles);
    }
    // The gables, with as many edges along each side as the roof has.
    let n = match how {
        Cut::Fan(halvings) => 1 << halvings,
        Cut::Grid(halvings, _) => 1 << halvings.min(4),
        Cut::Strips(_) => 1,
    };
    let middle = DVec3::new(0.125, 0.0, 0.375);
    for (y, front) in [(-3.0, true), (3.0, false)] {
        for (from, to) in [(p, q), (q, r), (r, p)] {
            for i in 0..n {
                let rim = |i: u32| (from + (to - from) * (f64::from(i) / f64::from(n))).with_y(y);
                let (a, b) = if front { (rim(i), rim(i + 1)) } else { (rim(i + 1), rim(i)) };
                triangles.push([a, b, middle.with_y(y)]);
            }
        }
    }
    mesh(triangles, true, rng)
}
