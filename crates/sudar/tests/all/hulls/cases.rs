//! Sets of points, from harmless to nasty.

use rand::RngExt;
use sudar::DVec3;
use sudar_testing::Random;

type Class = (&'static str, fn(&mut Random) -> Vec<DVec3>);

/// Sets of some tens to hundreds of points.
pub const CLASSES: [Class; 14] = [
    ("on a sphere", |r| many(r, 300, on_sphere)),
    ("in a ball", |r| many(r, 1000, in_ball)),
    ("in a cube", |r| many(r, 1000, Random::point)),
    ("lattice", |r| lattice(r.random_range(2..7))),
    ("lattice on a sphere", |r| lattice_sphere(r.random_range(5..90))),
    ("lattice moved by ulps", |r| {
        let third = DVec3::splat(1.0 / 3.0);
        lattice(4).into_iter().map(|p| ulps(r, p / 3.0 + third)).collect()
    }),
    ("turned lattice", turned_lattice),
    ("sphere of little depth", |r| {
        let depth = 10_f64.powi(r.random_range(-25..-3));
        many(r, 200, |r| on_sphere(r) * DVec3::new(1.0, 1.0, depth))
    }),
    ("needle", |r| {
        let width = 10_f64.powi(r.random_range(-30..-3));
        many(r, 200, |r| on_sphere(r) * DVec3::new(width, 1.0, width * 0.1))
    }),
    ("all magnitudes", |r| many(r, 60, |r| DVec3::from_array(std::array::from_fn(|_| magnitude(r))))),
    ("subnormal", |r| many(r, 80, |r| (on_sphere(r) * 20.0).round() * f64::from_bits(1))),
    ("each point thrice", |r| many(r, 100, on_sphere).repeat(3)),
    ("two far clusters", |r| {
        many(r, 200, |r| r.point() * 1e-9 + DVec3::ONE * f64::from(r.random_range(0..2)))
    }),
    ("prism", prism),
];

/// Few whole numbers, so that much is coplanar, collinear or equal, and flat altogether.
pub fn grid_points(random: &mut Random) -> Vec<[i64; 3]> {
    let reach = [1, 2, 3, 6][random.random_range(0..4)];
    let count = random.random_range(1..14);
    let [u, v] = std::array::from_fn(|_| [0; 3].map(|_: i32| random.random_range(-2..=2)));
    let flat = random.random_range(0..6);
    (0..count)
        .map(|_| {
            let [s, t]: [i64; 2] = std::array::from_fn(|_| random.random_range(-reach..=reach));
            match flat {
                0 => u.map(|x| x * s),
                1 => std::array::from_fn(|i| u[i] * s + v[i] * t),
                _ => std::array::from_fn(|_| random.random_range(-reach..=reach)),
            }
        })
        .collect()
}

fn many(random: &mut Random, count: usize, point: impl Fn(&mut Random) -> DVec3) -> Vec<DVec3> {
    (0..count).map(|_| point(random)).collect()
}

pub fn in_ball(random: &mut Random) -> DVec3 {
    loop {
        let p = random.point();
        if p.length_squared() <= 1.0 && p != DVec3::ZERO {
            return p;
        }
    }
}

pub fn on_sphere(random: &mut Random) -> DVec3 {
    in_ball(random).normalize()
}

/// n³ whole points from 0 to n − 1.
pub fn lattice(n: i32) -> Vec<DVec3> {
    let axis = || (0..n).map(f64::from);
    axis().flat_map(|x| axis().flat_map(move |y| axis().map(move |z| DVec3::new(x, y, z)))).collect()
}

/// The whole points of a sphere: many are exactly coplanar.
fn lattice_sphere(square: i32) -> Vec<DVec3> {
    let square = f64::from(square);
    let points = lattice(20).into_iter().map(|p| p - DVec3::splat(10.0));
    let on: Vec<DVec3> = points.filter(|p| p.length_squared() == square).collect();
    if on.is_empty() { vec![DVec3::ONE] } else { on }
}

/// A lattice turned by a rounded rotation: coplanar in the idea, not in the numbers.
fn turned_lattice(random: &mut Random) -> Vec<DVec3> {
    let turn = sudar::DQuat::from_vec4(on_sphere(random).extend(random.random_range(-1.0..1.0)).normalize());
    lattice(5).into_iter().map(|p| turn * p + DVec3::splat(0.1)).collect()
}

/// Points exactly on two parallel circles of whole points, and between.
fn prism(random: &mut Random) -> Vec<DVec3> {
    const CIRCLE: [[f64; 2]; 3] = [[25.0, 0.0], [24.0, 7.0], [20.0, 15.0]];
    many(random, 150, |r| {
        let [x, y] = CIRCLE[r.random_range(0..3)];
        let [s, t] = [0, 1].map(|_| if r.random() { 1.0 } else { -1.0 });
        let (x, y) = if r.random() { (x * s, y * t) } else { (y * s, x * t) };
        DVec3::new(x, y, f64::from(r.random_range(-3..=3)))
    })
}

fn magnitude(random: &mut Random) -> f64 {
    random.random_range(-1.0..1.0) * 10_f64.powi(random.random_range(-89..89))
}

fn ulps(random: &mut Random, p: DVec3) -> DVec3 {
    let mut nudge = |x: f64| f64::from_bits((x.to_bits() as i64 + random.random_range(-1..=1)) as u64);
    DVec3::new(nudge(p.x), nudge(p.y), nudge(p.z))
}
