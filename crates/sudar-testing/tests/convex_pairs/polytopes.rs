//! Polytopes against the hull of all differences of their vertices, and in whole numbers.

use sudar::hull::convex_hull;
use sudar::math::{Sign, orient3d};
use sudar::pair::{closest_point_segment, closest_point_triangle};
use sudar::query::{Body, DistanceOptions, distance, intersects, penetration};
use sudar::{DMat3, DVec3, Hull, Pose, Segment, Shape, Triangle};
use sudar_testing::Random;
use sudar_testing::convex_bodies::{Kind, body, lattice_body, vertices};
use sudar_testing::whole::{cross, dot, minus};

pub const FLAT_KINDS: [Kind; 7] = [
    Kind::Point,
    Kind::Segment,
    Kind::Triangle,
    Kind::FlatHull,
    Kind::SmallHull,
    Kind::LargeHull,
    Kind::Cuboid,
];

/// The distance of the origin from the hull, less than zero inside.
fn signed_distance(hull: &Hull) -> f64 {
    let v = hull.vertices();
    let at = |i: u32| v[i as usize];
    match hull.dimension() {
        0 => return v[0].length(),
        1 => return closest_point_segment(DVec3::ZERO, &Segment { a: v[0], b: v[1] }).distance(),
        _ => {}
    }
    let faces: Vec<Vec<DVec3>> = (0..hull.faces().len()).map(|f| hull.face(f).map(at).collect()).collect();
    let inside = hull.dimension() == 3
        && faces
            .iter()
            .all(|f| f[1..].windows(2).all(|p| orient3d(f[0], p[0], p[1], DVec3::ZERO) != Sign::Positive));
    if inside {
        // Of the triangles of a face the largest has the best normal.
        let height = |f: &Vec<DVec3>| {
            let normals = f[1..].windows(2).map(|p| (p[0] - f[0]).cross(p[1] - f[0]));
            let normal = normals.reduce(|n, m| if m.length() > n.length() { m } else { n }).unwrap();
            normal.normalize().dot(f[0])
        };
        return -faces.iter().map(height).fold(f64::INFINITY, f64::min);
    }
    let triangles =
        faces.iter().flat_map(|f| f[1..].windows(2).map(|p| Triangle { a: f[0], b: p[0], c: p[1] }));
    triangles.map(|t| closest_point_triangle(DVec3::ZERO, &t).distance()).fold(f64::INFINITY, f64::min)
}

struct Pair {
    shapes: [Shape; 2],
    poses: [Pose; 2],
}

impl Pair {
    /// All differences of vertices as they stand.
    fn differences(&self) -> Vec<DVec3> {
        let [p, q] = [0, 1].map(|i| {
            vertices(&self.shapes[i]).into_iter().map(|v| self.poses[i].apply(v)).collect::<Vec<_>>()
        });
        p.iter().flat_map(|a| q.iter().map(move |b| *a - *b)).collect()
    }
}

/// Signed distances of random polytopes; returns how many were apart and how many met.
pub fn against_the_hull_of_differences(count: u64) -> [u64; 2] {
    let mut random = Random::new(77);
    let (mut apart, mut met, mut worst) = (0, 0, 0.0f64);
    for _ in 0..count {
        let aspect = [3.0, 100.0][random.below(2)];
        let (k, l) = (random.one_of(&FLAT_KINDS), random.one_of(&FLAT_KINDS));
        let shapes = [body(&mut random, k, 1.0, aspect), body(&mut random, l, 1.0, aspect)];
        let away = random.point();
        let poses = [random.pose(DVec3::ZERO), random.pose(away)];
        let pair = Pair { shapes, poses };
        let points = pair.differences();
        if points.len() > 700 {
            continue;
        }
        let truth = signed_distance(&convex_hull(&points).unwrap());
        let [a, b] = pair.shapes.clone().map(Body::new);
        let [p, q] = &pair.poses;
        let (found, near) =
            (penetration(a.at(p), b.at(q)), distance(a.at(p), b.at(q), &DistanceOptions::EXACT));
        let what = format!("{:?}: {truth} {:?} {:?}", pair.shapes, found.signed, near.interval);
        assert!(found.signed.lower <= truth + 1e-13 && truth <= found.signed.upper + 1e-13, "{what}");
        // The interval is 1e-9 of the depth wide, and rounding.
        assert!(found.signed.width() <= 2e-9 * truth.abs() + 1e-12, "{what}");
        let touching = intersects(a.at(p), b.at(q));
        if truth > 1e-12 {
            assert!(touching.decided() == Some(false), "{what}");
            worst = worst.max((near.interval.upper - truth).abs()).max(near.interval.width());
            assert!((near.interval.upper - truth).abs() <= 1e-12 && near.interval.width() <= 1e-12, "{what}");
            apart += 1;
        } else if truth < -1e-12 {
            assert!(touching.is_touching() && near.interval.upper == 0.0, "{what}");
            met += 1;
        }
    }
    println!(
        "polytopes against the hull of their differences: {apart} apart, {met} meet, distances off by {worst:e}"
    );
    [apart, met]
}

type Whole = [i64; 3];

/// The differences and the directions that can separate: products of the ways between vertices of either body, where
/// these are flat together also products with such products, or lines the ways from body to body across them.
struct Exact {
    points: Vec<Whole>,
    axes: Vec<Whole>,
}

impl Exact {
    fn new(pair: &Pair) -> Self {
        let whole = |p: DVec3| p.to_array().map(|x| x as i64);
        let [p, q] = [0, 1].map(|i| {
            vertices(&pair.shapes[i]).into_iter().map(|v| whole(pair.poses[i].apply(v))).collect::<Vec<_>>()
        });
        let ways = |v: &[Whole]| {
            let all = (0..v.len()).flat_map(|i| (i + 1..v.len()).map(move |j| (i, j)));
            all.map(|(i, j)| minus(v[j], v[i])).collect::<Vec<_>>()
        };
        let mut ways = [ways(&p), ways(&q)].concat();
        reduce(&mut ways);
        let between = minus(p[0], q[0]);
        let mut axes: Vec<Whole> = ways.clone();
        axes.push(between);
        for i in 0..ways.len() {
            let across = cross(ways[i], between);
            axes.extend([across, cross(across, ways[i])]);
            axes.extend(ways[i + 1..].iter().map(|w| cross(ways[i], *w)));
        }
        reduce(&mut axes);
        // In the plane of a flat difference.
        let flat: Vec<Whole> =
            axes.iter().copied().filter(|n| ways.iter().all(|w| dot(*n, *w) == 0)).collect();
        axes.extend(flat.iter().flat_map(|n| ways.iter().map(move |w| cross(*n, *w))).collect::<Vec<_>>());
        reduce(&mut axes);
        let points = p.iter().flat_map(|a| q.iter().map(move |b| minus(*a, *b))).collect();
        Self { points, axes }
    }

    fn range(&self, axis: Whole) -> (i64, i64) {
        let heights = self.points.iter().map(|p| dot(*p, axis));
        heights.fold((i64::MAX, i64::MIN), |(l, h), x| (l.min(x), h.max(x)))
    }

    fn meet(&self) -> bool {
        self.axes.iter().map(|n| self.range(*n)).all(|(low, high)| low <= 0 && high >= 0)
    }

    /// Of bodies that meet.
    fn depth(&self) -> f64 {
        if self.axes.is_empty() {
            return 0.0;
        }
        let depths = self.axes.iter().map(|n| {
            let (low, high) = self.range(*n);
            (-low).min(high) as f64 / (dot(*n, *n) as f64).sqrt()
        });
        depths.fold(f64::INFINITY, f64::min)
    }
}

/// Drops zeros and all but one of parallel directions.
fn reduce(axes: &mut Vec<Whole>) {
    fn gcd(a: i64, b: i64) -> i64 {
        if b == 0 { a.abs() } else { gcd(b, a % b) }
    }
    for axis in axes.iter_mut() {
        let by = axis.iter().fold(0, |g, x| gcd(g, *x));
        let sign = axis.iter().find(|x| **x != 0).map_or(1, |x| x.signum());
        *axis = axis.map(|x| if by == 0 { 0 } else { x / by * sign });
    }
    axes.retain(|a| *a != [0; 3]);
    axes.sort_unstable();
    axes.dedup();
}

fn right_angles(random: &mut Random) -> DMat3 {
    let turns = [DVec3::X, DVec3::Y, DVec3::Z];
    let x = random.below(3);
    let y = (x + 1 + random.below(2)) % 3;
    let signs = [0, 1].map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 });
    let (x, y) = (turns[x] * signs[0], turns[y] * signs[1]);
    DMat3::from_cols(x, y, x.cross(y))
}

/// Yes and no in whole numbers; returns how many were apart, touched and overlapped.
pub fn in_whole_numbers(count: u64) -> [u64; 3] {
    let mut random = Random::new(78);
    let mut counted = [0; 3];
    for _ in 0..count {
        let kinds = [0, 1].map(|_| random.one_of(&FLAT_KINDS));
        let shapes = kinds
            .map(|k| if k == Kind::LargeHull { Kind::SmallHull } else { k })
            .map(|k| lattice_body(&mut random, k));
        let poses = [0, 1].map(|_| {
            let t = random.grid_point(4);
            Pose::from_matrix(right_angles(&mut random), t).unwrap()
        });
        let pair = Pair { shapes, poses };
        let exact = Exact::new(&pair);
        let [a, b] = pair.shapes.clone().map(Body::new);
        let [p, q] = &pair.poses;
        let found = penetration(a.at(p), b.at(q));
        let what = format!("{:?} {:?} {:?}", found.signed, pair.shapes, pair.poses);
        assert_eq!(intersects(a.at(p), b.at(q)).decided(), Some(exact.meet()), "{what}");
        assert_eq!(intersects(b.at(q), a.at(p)).decided(), Some(exact.meet()), "{what}");
        assert_eq!(
            distance(a.at(p), b.at(q), &DistanceOptions::EXACT).interval.upper == 0.0,
            exact.meet(),
            "{what}"
        );
        if exact.meet() {
            let depth = exact.depth();
            assert!(
                found.signed.lower - 1e-14 <= -depth && -depth <= found.signed.upper + 1e-14,
                "{depth} {what}"
            );
            assert!(found.signed.width() <= 2e-9 * depth + 1e-12, "{depth} {what}");
            counted[if depth == 0.0 { 1 } else { 2 }] += 1;
        } else {
            assert!(found.signed.upper > 0.0, "{what}");
            counted[0] += 1;
        }
    }
    println!(
        "polytopes in whole numbers: apart {}, touching {}, overlapping {}",
        counted[0], counted[1], counted[2]
    );
    counted
}
