//! Moving bodies, timed: linear casts beside parry3d-f64, corners on straight lines, sweeps of meshes.
//!
//! `SUDAR_DATA=… cargo run --release --example motions [-- FILE.jsonl]`; the file gets the motions of the
//! meshes with what was found, for `rivals/motions.py`, which asks FCL the same.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example prints what it finds")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use parry3d_f64::math::{Pose3, Rot3, Vector};
use parry3d_f64::query::{ShapeCastOptions, cast_shapes};
use parry3d_f64::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, Shape};
use rand::{RngExt, SeedableRng};
use sudar::motion::Motion;
use sudar::query::{Body, DistanceOptions, Layer, Sweep, SweepOptions, Work, distance, sweep};
use sudar::{DQuat, DVec3, Pose};
use sudar_classic::motion::{PassageOptions, edge_edge, vertex_face};

type Rng = rand_pcg::Pcg64;

fn point(rng: &mut Rng, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| rng.random_range(-size..size)))
}

/// Nanoseconds of one of `count` queries: the least of several runs over all of them.
fn time(count: usize, runs: u32, mut query: impl FnMut(usize)) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..runs {
        let start = Instant::now();
        (0..count).for_each(&mut query);
        least = least.min(start.elapsed().as_nanos() as f64 / count as f64);
    }
    least
}

struct Pair {
    ours: [Body; 2],
    theirs: [Box<dyn Shape>; 2],
    turns: [DQuat; 2],
    place: DVec3,
    way: DVec3,
}

fn vector(v: DVec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

/// A body of a kind for both libraries.
fn body(kind: &str, rng: &mut Rng) -> (Body, Box<dyn Shape>) {
    let mut length = || rng.random_range(0.3..1.0);
    match kind {
        "spheres" => {
            let r = length();
            (Body::new(sudar::Sphere::new(DVec3::ZERO, r).unwrap()), Box::new(Ball::new(r)))
        }
        "boxes" => {
            let half = DVec3::new(length(), length(), length());
            (Body::new(sudar::Cuboid::new(half).unwrap()), Box::new(Cuboid::new(vector(half))))
        }
        "capsules" => {
            let (r, h) = (0.5 * length(), length());
            (Body::new(sudar::Capsule::new(r, h).unwrap()), Box::new(Capsule::new_z(h, r)))
        }
        _ => {
            let points: Vec<DVec3> =
                (0..32).map(|_| point(rng, 1.0).normalize() * DVec3::new(1.0, 0.8, 0.6)).collect();
            let theirs: Vec<_> = points.iter().map(|p| vector(*p)).collect();
            let hull = sudar::hull::convex_hull(&points).unwrap();
            (Body::new(hull), Box::new(ConvexPolyhedron::from_convex_hull(&theirs).unwrap()))
        }
    }
}

fn casts() {
    println!("linear casts, a pair in ns: kind, sudar, parry3d-f64, ratio, hits, different");
    for kind in ["spheres", "boxes", "capsules", "hulls"] {
        let mut rng = Rng::seed_from_u64(9);
        let pairs: Vec<Pair> = (0..1000)
            .map(|_| {
                let ((a, p), (b, q)) = (body(kind, &mut rng), body(kind, &mut rng));
                let turns = [0, 1].map(|_| DQuat::from_scaled_axis(point(&mut rng, 3.0)));
                let place = point(&mut rng, 1.0).normalize() * 4.0;
                let way = point(&mut rng, 1.2) - place * 2.0;
                Pair { ours: [a, b], theirs: [p, q], turns, place, way }
            })
            .collect();
        let posed: Vec<_> = pairs
            .iter()
            .map(|p| {
                let still = Motion::still(&Pose::from_rotation(p.turns[0]).unwrap());
                let moving = Motion::linear(&Pose::new(p.place, p.turns[1]).unwrap(), p.way).unwrap();
                let turn = |q: DQuat| Rot3::from_xyzw(q.x, q.y, q.z, q.w);
                let theirs = [
                    Pose3::from_parts(vector(DVec3::ZERO), turn(p.turns[0])),
                    Pose3::from_parts(vector(p.place), turn(p.turns[1])),
                ];
                (still, moving, theirs)
            })
            .collect();
        let options = SweepOptions::within(1e-6);
        let ours = |i: usize| {
            let (p, (m, n, _)) = (&pairs[i], &posed[i]);
            sweep(p.ours[0].moving(m), p.ours[1].moving(n), &options)
        };
        let theirs = |i: usize| {
            let (p, (_, _, at)) = (&pairs[i], &posed[i]);
            let options = ShapeCastOptions::with_max_time_of_impact(1.0);
            let still = vector(DVec3::ZERO);
            cast_shapes(&at[0], still, &*p.theirs[0], &at[1], vector(p.way), &*p.theirs[1], options).unwrap()
        };
        let (mut hits, mut different) = (0, 0);
        for i in 0..pairs.len() {
            let (found, other) = (ours(i), theirs(i));
            hits += u32::from(found.impact().is_some());
            different += u32::from(found.impact().is_some() != other.is_some());
        }
        let mut least = [f64::INFINITY; 2];
        for _ in 0..10 {
            least[0] = least[0].min(time(pairs.len(), 3, |i| _ = black_box(ours(i))));
            least[1] = least[1].min(time(pairs.len(), 3, |i| _ = black_box(theirs(i))));
        }
        println!(
            "{kind:9} {:7.0} {:7.0} {:5.2} {hits:4} {different}",
            least[0],
            least[1],
            least[1] / least[0]
        );
    }
}

type Query = (bool, [DVec3; 4], [DVec3; 4], f64);

fn corners(folder: &Path) {
    let mut queries: Vec<Query> = Vec::new();
    let Ok(files) = std::fs::read_dir(folder.join("ccd/sample-queries")) else { return };
    let mut files: Vec<PathBuf> = files.flatten().map(|f| f.path()).collect();
    files.sort();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let rows: Vec<DVec3> = text
            .lines()
            .filter(|line| !line.is_empty())
            .map(|line| {
                let n: Vec<f64> = line.split(',').map(|x| x.trim().parse().unwrap()).collect();
                DVec3::new(n[0] / n[1], n[2] / n[3], n[4] / n[5])
            })
            .collect();
        for q in rows.chunks_exact(8) {
            let size = sudar::Aabb::around(q.iter().copied()).extent().max_element();
            let (start, end) = (std::array::from_fn(|i| q[i]), std::array::from_fn(|i| q[4 + i]));
            queries.push((path.to_string_lossy().contains("vertex-face"), start, end, 1e-6 * size));
        }
    }
    let ask = |(is_face, start, end, delta): &Query| {
        let options = PassageOptions { separation: 0.0, delta: *delta };
        if *is_face { vertex_face(start, end, &options) } else { edge_edge(start, end, &options) }
    };
    for is_face in [true, false] {
        let some: Vec<&Query> = queries.iter().filter(|q| q.0 == is_face).collect();
        let hits = some.iter().filter(|q| ask(q).decided() == Some(true)).count();
        let each = time(some.len(), 20, |i| _ = black_box(ask(some[i])));
        let alone = some.iter().map(|query| time(10, 20, |_| _ = black_box(ask(black_box(query)))));
        let middle = median(alone.collect());
        let name = if is_face { "vertex-face" } else { "edge-edge" };
        println!(
            "{name}: {} sample queries, {hits} hits, mean {each:.0} ns, median {middle:.0} ns",
            some.len()
        );
    }
}

fn load(path: &Path) -> Option<Body> {
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let mut numbers = text.lines().filter(|line| !line.starts_with('#'));
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    if path.extension()? == "off" {
        let all: Vec<f64> =
            numbers.by_ref().skip(1).flat_map(str::split_whitespace).map(|x| x.parse().unwrap()).collect();
        let (n, m) = (all[0] as usize, all[1] as usize);
        vertices.extend(all[3..3 + 3 * n].chunks_exact(3).map(DVec3::from_slice));
        triangles.extend(
            all[3 + 3 * n..3 + 3 * n + 4 * m]
                .chunks_exact(4)
                .map(|t| [t[1] as u32, t[2] as u32, t[3] as u32]),
        );
    } else {
        for line in numbers {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("v") => {
                    let n: Vec<f64> = words.map(|x| x.parse().unwrap()).collect();
                    vertices.push(DVec3::from_slice(&n));
                }
                Some("f") => {
                    let n: Vec<u32> =
                        words.map(|x| x.split('/').next().unwrap().parse::<u32>().unwrap() - 1).collect();
                    triangles.extend((1..n.len() - 1).map(|i| [n[0], n[i], n[i + 1]]));
                }
                _ => {}
            }
        }
    }
    let body = Body::new(sudar::Mesh::new(vertices, triangles).ok()?);
    body.prepare(&[Layer::OrientedBoxes]);
    Some(body)
}

/// Two meshes and how far apart their centres are when they are side by side.
struct Meshes<'n> {
    name: &'n str,
    files: [&'n str; 2],
    bodies: [Body; 2],
    reach: f64,
    /// Size of the second.
    scale: f64,
}

fn size(body: &Body) -> f64 {
    body.aabb(&Pose::IDENTITY).extent().max_element()
}

impl<'n> Meshes<'n> {
    fn load(folder: &Path, name: &'n str, files: [&'n str; 2]) -> Option<Self> {
        let [first, second] = files.map(|file| load(&folder.join("meshes").join(file)));
        let bodies = [first?, second?];
        let (reach, scale) = (0.5 * (size(&bodies[0]) + size(&bodies[1])), size(&bodies[1]));
        Some(Self { name, files, bodies, reach, scale })
    }

    /// Motions of the second body that end near the first, graze it, or turn beside it.
    fn motions(&self, kind: &str) -> Vec<Motion> {
        let mut rng = Rng::seed_from_u64(21);
        let middles = self.bodies.each_ref().map(|body| body.aabb(&Pose::IDENTITY).center());
        let reach = self.reach;
        let mut motion = || {
            let turn = |rng: &mut Rng, by: f64| DQuat::from_scaled_axis(point(rng, by));
            let start = turn(&mut rng, 3.0);
            let way = point(&mut rng, 1.0).normalize();
            let side = way.any_orthonormal_vector() * (0.75 * reach);
            let (from, to, by) = match kind {
                "near" => (way * (1.3 * reach), way * (0.5 * reach), 0.3),
                "grazing" => (way * (1.5 * reach) + side, side - way * (1.5 * reach), 0.3),
                _ => (way * reach, way * reach, 3.0),
            };
            let pose = |at: DVec3, q: DQuat| Pose::new(middles[0] + at - q * middles[1], q).unwrap();
            let end = turn(&mut rng, by) * start;
            Motion::between(&pose(from, start), &pose(to, end))
        };
        (0..40).map(|_| motion()).collect()
    }

    fn sweep(&self, work: &mut Work, motion: &Motion) -> Sweep {
        let still = Motion::still(&Pose::IDENTITY);
        let [first, second] = &self.bodies;
        work.sweep(first.moving(&still), second.moving(motion), &SweepOptions::within(1e-6 * self.scale))
    }

    fn distance(&self, motion: &Motion) -> f64 {
        let [first, second] = &self.bodies;
        distance(first.at(&Pose::IDENTITY), second.at(motion.start()), &DistanceOptions::EXACT).interval.upper
    }

    /// Times all motions of a kind, prints a line, and adds one for each motion to `lines`.
    fn measure(&self, kind: &str, lines: &mut String) {
        let motions = self.motions(kind);
        let mut work = Work::default();
        let found: Vec<Sweep> = motions.iter().map(|motion| self.sweep(&mut work, motion)).collect();
        let nodes = work.statistics().nodes / motions.len() as u64;
        // Fresh poses every time: all motions one after the other, the least of several rounds of each.
        let (mut sweeps, mut distances) = (vec![f64::INFINITY; 40], vec![f64::INFINITY; 40]);
        for _ in 0..7 {
            for (i, motion) in motions.iter().enumerate() {
                sweeps[i] = sweeps[i].min(time(1, 1, |_| _ = black_box(self.sweep(&mut work, motion))));
                distances[i] = distances[i].min(time(1, 1, |_| _ = black_box(self.distance(motion))));
            }
        }
        let is_hit = |i: &usize| found[*i].impact().is_some();
        let ratios = (0..40).filter(|i| !is_hit(i)).map(|i| sweeps[i] / distances[i]).collect();
        println!(
            "{:8} {kind:8} {:7.1} {:7.1} {:7.1} {:3} {nodes:6} {:5.2}",
            self.name,
            median(sweeps.clone()) / 1e3,
            sweeps.iter().sum::<f64>() / 40e3,
            median(distances) / 1e3,
            (0..40).filter(is_hit).count(),
            median(ratios)
        );
        let [a, b] = self.files;
        for (i, motion) in motions.iter().enumerate() {
            let (free, hit) = (found[i].free_until().min(1.0), is_hit(&i));
            let (start, end) = (row(motion, 0.0), row(motion, 1.0));
            *lines += &format!(
                "{{\"pair\":\"{}\",\"kind\":\"{kind}\",\"number\":{i},\"a\":\"{a}\",\"b\":\"{b}\",\"start\":{start},\"end\":{end},\"hit\":{hit},\"free\":{free},\"ns\":{}}}\n",
                self.name, sweeps[i],
            );
        }
    }
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The rows of the rotation at a time, and the translation.
fn row(motion: &Motion, time: f64) -> String {
    let pose = motion.at(time);
    let (r, t) = (pose.rotation(), pose.translation());
    format!("{:?}", [r.row(0), r.row(1), r.row(2), t].map(|v| v.to_array()))
}

fn meshes(folder: &Path, out: Option<&Path>) {
    println!(
        "sweeps of meshes in µs: pair, motion, median, mean, median of a distance at the start, hits of 40, nodes, \
         free sweeps in distances (median)"
    );
    let mut lines = String::new();
    for (name, files) in [
        ("bunny", ["classic/bunny-libigl.off", "classic/bunny-libigl.off"]),
        ("fandisk", ["classic/fandisk.obj", "classic/fandisk.obj"]),
        ("env/rob", ["fcl/env.obj", "fcl/rob.obj"]),
    ] {
        let Some(meshes) = Meshes::load(folder, name, files) else { continue };
        for kind in ["near", "grazing", "turning"] {
            meshes.measure(kind, &mut lines);
        }
    }
    if let Some(path) = out {
        std::fs::write(path, lines).unwrap();
    }
}

fn main() {
    casts();
    if let Some(folder) = std::env::var_os("SUDAR_DATA").map(PathBuf::from) {
        corners(&folder);
        meshes(&folder, std::env::args().nth(1).as_deref().map(Path::new));
    }
}
