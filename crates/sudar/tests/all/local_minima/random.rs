//! Small random meshes with whole coordinates.

use rand::RngExt;
use sudar_testing::Random;

use super::exact::Point;
use super::oracle::Soup;

/// What the meshes are like.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Triangles between a few points: edges with one, two and more triangles, pinched corners, crossings.
    Wild,
    /// The same on very few coordinates: parallel, coplanar and degenerate triangles, touching.
    Coarse,
    /// A bumpy sheet of a few cells, one above the other as often as not.
    Sheet,
    /// A sheet with heights of 0 and 1 only.
    Steps,
    /// Boxes along the axes.
    Boxes,
    /// Single triangles here and there.
    Dust,
    /// Fans of many triangles: flat, pointed or wavy.
    Fans,
}

pub const KINDS: [Kind; 6] = [Kind::Wild, Kind::Coarse, Kind::Sheet, Kind::Steps, Kind::Boxes, Kind::Dust];

impl Kind {
    pub fn soup(self, random: &mut Random) -> Soup {
        match self {
            Self::Wild => between_points(random, 7, 9, 20),
            Self::Coarse => between_points(random, 6, 8, 2),
            Self::Sheet => sheet(random, 9, 30),
            Self::Steps => sheet(random, 1, 4),
            Self::Boxes => {
                let count = random.random_range(1..=2);
                (0..count).flat_map(|_| cuboid(random)).collect()
            }
            Self::Fans => fan(random),
            Self::Dust => (0..4).flat_map(|_| between_points(random, 3, 1, 12)).collect(),
        }
    }
}

fn point(random: &mut Random, most: i128) -> Point {
    std::array::from_fn(|_| random.random_range(-most..=most))
}

/// Triangles between random points, moved as a whole.
fn between_points(random: &mut Random, points: usize, triangles: usize, most: i128) -> Soup {
    let shift = point(random, most);
    let points: Vec<Point> = (0..points).map(|_| point(random, most)).collect();
    let corner = |random: &mut Random| {
        let p = points[random.random_range(0..points.len())];
        [p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]]
    };
    (0..triangles).map(|_| [corner(random), corner(random), corner(random)]).collect()
}

/// Eighteen triangles around a tip; three in four fans lie behind a plane through it.
fn fan(random: &mut Random) -> Soup {
    // A circle of radius 12, turned by 20° each time.
    const X: [i128; 18] = [12, 11, 9, 6, 2, -2, -6, -9, -11, -12, -11, -9, -6, -2, 2, 6, 9, 11];
    const Y: [i128; 18] = [0, 4, 8, 10, 12, 12, 10, 8, 4, 0, -4, -8, -10, -12, -12, -10, -8, -4];
    let shift = [random.random_range(-3..=3), random.random_range(-3..=3), random.random_range(0..=6)];
    let (kind, side) = (random.random_range(0..4), if random.random_bool(0.5) { 1 } else { -1 });
    let heights: Vec<i128> = (0..X.len())
        .map(|_| match kind {
            0 => 0,
            1 => 2 * side,
            2 => side * random.random_range(0..=3),
            _ => random.random_range(-2..=2),
        })
        .collect();
    let rim = |k: usize| {
        let k = k % X.len();
        [X[k] + shift[0], Y[k] + shift[1], heights[k] + shift[2]]
    };
    (0..X.len()).map(|k| [shift, rim(k), rim(k + 1)]).collect()
}

/// A height field of 2 × 3 cells.
fn sheet(random: &mut Random, heights: i128, lift: i128) -> Soup {
    let (step, shift) = (random.random_range(1..=4), point(random, lift));
    let heights: Vec<i128> = (0..12).map(|_| random.random_range(0..=heights)).collect();
    let at = |i: usize, j: usize| {
        let (x, y, z) = (step * i as i128, step * j as i128, heights[4 * i + j]);
        [x + shift[0] / 4, y + shift[1] / 4, z + shift[2]]
    };
    let cells = (0..2).flat_map(|i| (0..3).map(move |j| (i, j)));
    cells
        .flat_map(|(i, j)| {
            [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
        .collect()
}

fn cuboid(random: &mut Random) -> Soup {
    const FACES: [[usize; 4]; 6] =
        [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];
    let (low, size) = (point(random, 4), point(random, 2));
    let corner =
        |i: usize| std::array::from_fn(|k| low[k] + if i >> k & 1 == 1 { size[k].abs() + 1 } else { 0 });
    let faces = FACES.map(|face| face.map(corner));
    faces.into_iter().flat_map(|[a, b, c, d]: [Point; 4]| [[a, b, c], [a, c, d]]).collect()
}

/// A ring with bumps, 12 × 8 cells, of whole coordinates up to some 600.
pub fn bumpy_ring(random: &mut Random) -> Soup {
    let turn = |i: usize, n: usize| std::f64::consts::TAU * (i % n) as f64 / n as f64;
    let bumps: Vec<f64> = (0..96).map(|_| random.random_range(60.0..140.0)).collect();
    let shift = point(random, 200);
    let at = |i: usize, j: usize| -> Point {
        let (u, v, r) = (turn(i, 12), turn(j, 8), bumps[8 * (i % 12) + j % 8]);
        let out = 300.0 + r * v.cos();
        let p = [out * u.cos(), out * u.sin(), r * v.sin()];
        std::array::from_fn(|k| p[k].round() as i128 + shift[k])
    };
    let cells = (0..12).flat_map(|i| (0..8).map(move |j| (i, j)));
    cells
        .flat_map(|(i, j)| {
            [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
        .collect()
}
