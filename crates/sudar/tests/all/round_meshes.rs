//! Meshes against balls, capsules, segments, cylinders, cones, ellipsoids, boxes and hulls: all verbs, both
//! orders, against every triangle one by one.
//!
//! The judge takes each triangle as a convex body of its own: no tree, and for round bodies another start of
//! the search. `SUDAR_ORACLE_ROUND_MESHES=20000 cargo test --release -p sudar --test all round_meshes` for a
//! long run.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::sync::Arc;

use sudar::effort::Budget;
use sudar::query::{self, Body, Distance, DistanceEnd, DistanceOptions, StopReason, Work};
use sudar::{
    Capsule, Cone, Cuboid, Cylinder, DVec3, Ellipsoid, Interval, Mesh, Pose, Segment, Shape, Solid, Sphere,
    Triangle, hull,
};
use sudar_testing::Random;
use sudar_testing::meshes::soup;
use sudar_testing::oracle::setting;

fn cases() -> u64 {
    setting("SUDAR_ORACLE_ROUND_MESHES", 12)
}

/// Meshes about as large as `scale`, of every hard kind.
fn mesh(kind: u64, random: &mut Random, scale: f64) -> Mesh {
    let mut small = |n: usize, size: f64| {
        let triangle = |_| {
            let c = random.point();
            [c, c + random.point() * size, c + random.point() * size]
        };
        (0..n).flat_map(triangle).collect::<Vec<_>>()
    };
    let corners = match kind % 6 {
        0 => small(60, 0.2),
        1 => small(40, 2.0),
        // In one plane.
        2 => small(80, 0.3).into_iter().map(|p| p.with_z(0.0)).collect(),
        // Each three times.
        3 => small(15, 0.5).repeat(3),
        // Of no area: points and needles on a line.
        4 => small(40, 0.2)
            .chunks(3)
            .enumerate()
            .flat_map(|(i, t)| if i % 2 == 0 { [t[0]; 3] } else { [t[0], t[1], t[0] + (t[1] - t[0]) * 0.5] })
            .collect(),
        _ => return Mesh::from_aabb(sudar::Aabb { min: DVec3::splat(-scale), max: DVec3::splat(scale) }),
    };
    soup(corners.into_iter().map(|p| p * scale).collect())
}

fn bodies(random: &mut Random, size: f64) -> Vec<(&'static str, Shape)> {
    let s = size;
    let points: Vec<DVec3> = (0..12).map(|_| random.point() * s).collect();
    let slender = s * 1e-4;
    let [cylinder, cone] = [s, slender].map(|r| (Cylinder::new(r, s).unwrap(), Cone::new(r, s).unwrap()));
    vec![
        ("sphere", Sphere::new(DVec3::ZERO, s).unwrap().into()),
        ("point", DVec3::ZERO.into()),
        ("segment", Segment::new(random.point() * s, random.point() * s).unwrap().into()),
        ("capsule", Capsule::new(0.5 * s, s).unwrap().into()),
        ("slender capsule", Capsule::new(slender, s).unwrap().into()),
        ("cylinder", cylinder.0.into()),
        ("cone", cylinder.1.into()),
        ("slender cylinder", cone.0.into()),
        ("slender cone", cone.1.into()),
        ("disc", Cylinder::new(s, slender).unwrap().into()),
        ("ellipsoid", Ellipsoid::new(DVec3::new(1.0, 0.6, 0.3) * s).unwrap().into()),
        ("slender ellipsoid", Ellipsoid::new(DVec3::new(slender, slender, s)).unwrap().into()),
        ("box", Cuboid::new(DVec3::new(1.0, 0.6, 0.3) * s).unwrap().into()),
        ("hull", Shape::Hull(Arc::new(hull::convex_hull(&points).unwrap()))),
    ]
}

/// A triangle as the point, segment or triangle that it is.
fn alone(t: Triangle) -> Body {
    let longest = [(t.a, t.b), (t.b, t.c), (t.c, t.a)]
        .into_iter()
        .max_by(|p, q| p.0.distance_squared(p.1).total_cmp(&q.0.distance_squared(q.1)))
        .unwrap();
    if (t.b - t.a).cross(t.c - t.a) != DVec3::ZERO {
        Body::new(t)
    } else if longest.0 == longest.1 {
        Body::new(longest.0)
    } else {
        Body::new(Segment::new(longest.0, longest.1).unwrap())
    }
}

/// What is true of each triangle.
struct Truth {
    each: Vec<Interval>,
    meets: Option<bool>,
}

impl Truth {
    fn of(mesh: &Mesh, pose: &Pose, body: &Body, at: &Pose) -> Self {
        let (mut each, mut meets) = (Vec::new(), Some(false));
        for i in 0..mesh.triangles().len() as u32 {
            let t = alone(mesh.triangle(i));
            each.push(query::distance(t.at(pose), body.at(at), &DistanceOptions::EXACT).interval);
            meets = match query::intersects(t.at(pose), body.at(at)).decided() {
                Some(true) => Some(true),
                None if meets == Some(false) => None,
                Some(false) | None => meets,
            };
        }
        Self { each, meets }
    }

    fn distance(&self) -> Interval {
        let least = |f: fn(&Interval) -> f64| self.each.iter().map(f).fold(f64::INFINITY, f64::min);
        Interval { lower: least(|d| d.lower), upper: least(|d| d.upper) }
    }
}

struct Case<'c> {
    name: String,
    mesh: &'c Body,
    pose: Pose,
    body: Body,
    at: Pose,
    truth: Truth,
    /// Of all coordinates.
    size: f64,
}

impl Case<'_> {
    fn distance(&self, search: &DistanceOptions) -> Distance {
        query::distance(self.mesh.at(&self.pose), self.body.at(&self.at), search)
    }

    /// Two intervals hold the same number.
    fn overlaps(&self, d: Interval) {
        let truth = self.truth.distance();
        assert!(d.lower <= truth.upper && truth.lower <= d.upper, "{}: {d:?} {truth:?}", self.name);
    }

    fn check(&self) {
        let d = self.distance(&DistanceOptions::EXACT);
        self.overlaps(d.interval);
        let rounding = 1e-12 * self.size;
        let apart = d.point_a.distance(d.point_b);
        assert!((apart - d.interval.upper).abs() <= rounding, "{}: {apart} {:?}", self.name, d.interval);
        assert!(d.interval.width() <= 1e-9 * self.size, "{}: {:?}", self.name, d.interval);
        // Only what GJK measures may be wider than the last thousand ulp, and says so.
        let by_gjk = matches!(self.body.shape(), Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_));
        assert!(
            d.end == DistanceEnd::Exact || (by_gjk && d.end == DistanceEnd::Stopped(StopReason::Precision)),
            "{}: {:?}",
            self.name,
            d.end
        );
        self.feature(&d);
        self.swapped(&d);
        self.meeting(&d);
        self.tolerances(&d);
        self.searches(&d);
        self.budgets();
    }

    /// The triangle named has the point, and is as near as any.
    fn feature(&self, d: &Distance) {
        let Some(mesh) = self.mesh.mesh() else { panic!("{}", self.name) };
        let t = Triangle::from(mesh.triangle(d.features[0]).corners().map(|p| self.pose.apply(p)));
        let off = sudar::pair::closest_point_triangle(d.point_a, &t).distance();
        let enclosed = d.interval.upper == 0.0 && self.mesh.solid().is_some();
        assert!(enclosed || off <= 1e-9 * self.size, "{}: off by {off}", self.name);
        let nearest = self.truth.each[d.features[0] as usize];
        assert!(enclosed || nearest.lower <= d.interval.upper + 1e-11 * self.size, "{}", self.name);
    }

    fn swapped(&self, d: &Distance) {
        let other =
            query::distance(self.body.at(&self.at), self.mesh.at(&self.pose), &DistanceOptions::EXACT);
        assert_eq!(other.interval, d.interval, "{}", self.name);
        assert_eq!(other.features, [d.features[1], d.features[0]], "{}", self.name);
    }

    fn meeting(&self, d: &Distance) {
        let found = query::intersects(self.mesh.at(&self.pose), self.body.at(&self.at)).decided();
        let other = query::intersects(self.body.at(&self.at), self.mesh.at(&self.pose)).decided();
        assert_eq!(found, other, "{}", self.name);
        if self.mesh.solid().is_none() {
            assert!(
                found.is_none() || self.truth.meets.is_none() || found == self.truth.meets,
                "{}",
                self.name
            );
        }
        match found {
            Some(true) => assert_eq!(d.interval.upper, 0.0, "{}", self.name),
            Some(false) => assert!(d.interval.upper > 0.0, "{}", self.name),
            None => assert_eq!(d.interval.lower, 0.0, "{}", self.name),
        }
    }

    fn tolerances(&self, d: &Distance) {
        let Interval { lower, upper } = d.interval;
        for tolerance in
            [0.0, 0.5 * lower, lower.next_down(), upper, 1.01 * upper, 2.0 * upper, 1e3 * self.size]
        {
            let expected = if tolerance >= upper { Some(true) } else { Some(false) };
            let found = query::within(self.mesh.at(&self.pose), self.body.at(&self.at), tolerance).decided();
            let other = query::within(self.body.at(&self.at), self.mesh.at(&self.pose), tolerance).decided();
            let close = (tolerance - upper).abs() <= 1e-9 * self.size;
            let fits = |answer: Option<bool>| {
                answer == expected || (close && (answer.is_none() || tolerance < lower.next_up()))
            };
            assert!(
                tolerance < 0.0 || (fits(found) && fits(other)),
                "{}: {found:?} {tolerance} {:?}",
                self.name,
                d.interval
            );
        }
    }

    fn searches(&self, d: &Distance) {
        let upper = d.interval.upper;
        let coarse = [
            DistanceOptions { relative: 0.01, ..DistanceOptions::EXACT },
            DistanceOptions { absolute: 0.3 * upper, ..DistanceOptions::EXACT },
            DistanceOptions { relative: 0.3, max: 2.0 * upper, ..DistanceOptions::EXACT },
        ];
        for search in coarse {
            let found = self.distance(&search);
            self.overlaps(found.interval);
            let width = search.absolute.max(search.relative * found.interval.upper);
            assert!(
                found.interval.width() <= width.max(1e-9 * self.size),
                "{}: {:?}",
                self.name,
                found.interval
            );
        }
        let beyond = self.distance(&DistanceOptions::up_to(0.5 * d.interval.lower));
        self.overlaps(beyond.interval);
        if d.interval.lower > 1e-9 * self.size {
            assert_eq!(beyond.end, DistanceEnd::BeyondMax, "{}: {:?}", self.name, beyond.interval);
        }
    }

    fn budgets(&self) {
        for nodes in [0, 1, 2, 5] {
            let mut work = Work::new(Budget::nodes(nodes));
            let found =
                work.distance(self.mesh.at(&self.pose), self.body.at(&self.at), &DistanceOptions::EXACT);
            self.overlaps(found.interval);
            assert!(work.statistics().nodes <= nodes, "{}", self.name);
            let upper = self.truth.distance().upper;
            let answer = work.within(self.mesh.at(&self.pose), self.body.at(&self.at), 2.0 * upper).decided();
            assert!(answer != Some(false), "{}", self.name);
        }
    }
}

fn run(seed: u64, scale: f64, size: f64, away: f64) {
    let mut random = Random::new(seed);
    let mesh = mesh(seed, &mut random, scale);
    let surface = Body::new(mesh.clone());
    for (name, shape) in bodies(&mut random, size) {
        let place = random.point() * scale;
        let pose = Pose::new(place, random.rotation()).unwrap();
        let direction = random.point().normalize_or(DVec3::X);
        let at = Pose::new(pose.translation() + direction * away, random.rotation()).unwrap();
        let body = Body::new(shape);
        let truth = Truth::of(&mesh, &pose, &body, &at);
        let name = format!("{name}, seed {seed}, scale {scale}, size {size}, away {away}");
        Case { name, mesh: &surface, pose, body, at, truth, size: 4.0 * (scale + size + away) }.check();
    }
}

#[test]
fn beside_the_mesh() {
    for seed in 0..cases() {
        run(seed, 1.0, 0.3, 2.2);
        run(seed + 100, 1.0, 0.4, 0.5);
    }
}

#[test]
fn tiny_and_huge_bodies() {
    for seed in 0..cases() {
        run(seed, 1.0, 1e-7, 1.0);
        run(seed, 1.0, 1e3, 1.001e3);
        run(seed, 1.0, 1e6, 0.8e6);
    }
}

#[test]
fn at_every_scale() {
    for seed in 0..cases() {
        for scale in [1e-12, 1e-4, 1e9] {
            run(seed, scale, 0.3 * scale, 1.5 * scale);
        }
    }
}

#[test]
fn far_away() {
    for seed in 0..cases() {
        run(seed, 1.0, 0.3, 1e3);
        run(seed, 1.0, 0.3, 1e8);
    }
}

#[test]
fn a_body_inside_a_solid_meets_it() {
    let mesh = Mesh::from_aabb(sudar::Aabb { min: DVec3::splat(-4.0), max: DVec3::splat(4.0) });
    let solid = Body::new(Shape::Solid(Arc::new(Solid::new(mesh.into()).unwrap())));
    let mut random = Random::new(3);
    for (name, shape) in bodies(&mut random, 0.5) {
        let (body, at) = (Body::new(shape), Pose::from_translation(DVec3::splat(1.0)).unwrap());
        let here = Pose::IDENTITY;
        let d = query::distance(solid.at(&here), body.at(&at), &DistanceOptions::EXACT);
        assert_eq!((d.interval, d.end), (Interval::point(0.0), DistanceEnd::Exact), "{name}");
        assert!(query::within(body.at(&at), solid.at(&here), 0.0).decided() == Some(true), "{name}");
        assert!(query::intersects(solid.at(&here), body.at(&at)).is_touching(), "{name}");
    }
}

/// A flat grid under bodies that lie above it at one height: all triangles below are equally near. Of a box
/// the first is told; of a cylinder, whose distance from each is searched to twelve digits, one of them.
#[test]
fn of_triangles_equally_near_the_first_is_told() {
    let corner = |i: u32, j: u32| DVec3::new(f64::from(i), f64::from(j), 0.0);
    let cells = (0..12).flat_map(|i| (0..12).map(move |j| (i, j)));
    let corners = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        [a, b, c, a, c, d]
    });
    let mesh = soup(corners.collect());
    let surface = Body::new(mesh.clone());
    let at = Pose::from_translation(DVec3::new(6.0, 6.0, 3.0)).unwrap();
    let flat = [
        Shape::from(Cylinder::new(2.1, 1.0).unwrap()),
        Cuboid::new(DVec3::new(2.1, 2.1, 1.0)).unwrap().into(),
    ];
    for shape in flat {
        let body = Body::new(shape);
        let d = query::distance(surface.at(&Pose::IDENTITY), body.at(&at), &DistanceOptions::EXACT);
        assert!(d.interval.contains(2.0) && d.interval.width() < 1e-12, "{:?}", d.interval);
        let truth = Truth::of(&mesh, &Pose::IDENTITY, &body, &at);
        let told = d.features[0] as usize;
        assert!(truth.each[told].lower <= 2.0 && truth.each[told].upper < 2.0 + 1e-11, "{told}");
        let first = truth.each.iter().position(|d| d.upper <= 2.0 + 1e-12).unwrap();
        assert!(told == first || body.mesh().is_none(), "{told} {first}");
    }
}

/// A regression: capsules, cylinders and the like answered "precision" wherever they were farther apart than asked.
#[test]
fn within_is_decided_however_far() {
    let mesh = soup(vec![DVec3::new(10.0, 0.0, 0.0), DVec3::new(11.0, 0.0, 0.0), DVec3::new(10.0, 1.0, 0.0)]);
    let surface = Body::new(mesh);
    let body = Body::new(Capsule::new(1.0, 1.0).unwrap());
    let here = Pose::IDENTITY;
    let within = |tolerance| query::within(body.at(&here), surface.at(&here), tolerance).decided();
    assert_eq!([1.0, 8.0, 10.0].map(within), [Some(false), Some(false), Some(true)]);
    let d = query::distance(body.at(&here), surface.at(&here), &DistanceOptions::up_to(1.0));
    assert!(d.interval.lower > 1.0 && d.end == DistanceEnd::BeyondMax, "{d:?}");
}
