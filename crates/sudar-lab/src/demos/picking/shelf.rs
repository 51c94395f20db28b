//! A shelf of bodies, and the tests of the lecture that say which one a ray meets first.

use sudar::pair::{RayTriangleHit, ray_triangle_moller_trumbore};
use sudar::shape::{Polygon, PolygonError};
use sudar::{Aabb, DVec3, Pose, Ray, ShapeError, Sphere, Triangle};
use sudar_classic::pick::{Crossings, Mathematical, Optimal, Rejected, Slabs};
use sudar_view::{Color, Figure, Geometry, Scene};
use thiserror::Error;

/// The forms of the test of a sphere, by name.
pub const FORMS: [&str; 2] = ["mathematical", "optimal"];

/// The colours and their meaning.
pub const LEGEND: [(Color, &str); 4] = [
    (Color::VERMILION, "the first that the ray meets"),
    (Color::ORANGE, "met farther back"),
    (Color::SKY, "missed"),
    (Color::YELLOW, "the ray, and where it meets"),
];

/// Why the shelf cannot be built; never of the bodies here.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ShelfError {
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error(transparent)]
    Polygon(#[from] PolygonError),
}

/// A body with a test of its own.
enum Thing {
    Ball(Sphere),
    Cuboid(Aabb),
    Triangle(Triangle),
    Polygon(Polygon),
}

/// The kinds, as counters list them.
const KINDS: [&str; 4] = ["spheres", "boxes", "triangles", "polygons"];

impl Thing {
    fn kind(&self) -> usize {
        match self {
            Self::Ball(_) => 0,
            Self::Cuboid(_) => 1,
            Self::Triangle(_) => 2,
            Self::Polygon(_) => 3,
        }
    }

    /// Its triangles, for pictures.
    fn figure(&self) -> Option<Figure> {
        let (points, triangles) = match self {
            Self::Ball(_) | Self::Cuboid(_) => return None,
            Self::Triangle(triangle) => (triangle.corners().to_vec(), vec![[0, 1, 2]]),
            Self::Polygon(polygon) => {
                let count = polygon.vertices().len() as u32;
                let points = [polygon.vertices(), &[polygon.middle()]].concat();
                (points, (0..count).map(|i| [i, (i + 1) % count, count]).collect())
            }
        };
        Some(Figure::of_geometry(Geometry::of_triangles(&points, &triangles)))
    }
}

/// What a ray met, and what that took.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cast {
    /// Where it meets each body, in units of its direction.
    pub at: Vec<Option<f64>>,
    /// The first body.
    pub first: Option<usize>,
    /// Tests and hits of each kind.
    counts: [[u32; 2]; 4],
    /// Spheres that the optimal form rejects early: those behind, and those that the line passes by.
    rejected: [u32; 2],
    /// Slabs that are cut, and edges of polygons that are crossed.
    slabs: u32,
    crossings: u32,
}

/// The bodies.
pub struct Shelf {
    things: Vec<(Thing, Option<Figure>)>,
}

impl Shelf {
    /// Three of each kind, in rows behind each other.
    pub fn new() -> Result<Self, ShelfError> {
        let mut things = Vec::new();
        for row in 0..3 {
            let at = |column: f64| DVec3::new(column, 2.2 * f64::from(row), 0.9 * f64::from(row) - 0.6);
            things.push(Thing::Ball(Sphere::new(at(-3.3 + 0.5 * f64::from(row)), 0.7)?));
            let (middle, half) = (at(-1.1), DVec3::new(0.7, 0.5, 0.6));
            things.push(Thing::Cuboid(Aabb { min: middle - half, max: middle + half }));
            let corner = |angle: f64| {
                at(1.1) + DVec3::new(libm::cos(angle), 0.3 * libm::sin(2.0 * angle), libm::sin(angle))
            };
            things.push(Thing::Triangle(Triangle::from(
                [0.4, 2.5, 4.6].map(|angle| corner(angle + f64::from(row))),
            )));
            things.push(Thing::Polygon(star(at(3.3), 0.95)?));
        }
        let with_figure = |thing: Thing| {
            let figure = thing.figure();
            (thing, figure)
        };
        Ok(Self { things: things.into_iter().map(with_figure).collect() })
    }

    /// Tests a ray with every body.
    pub fn cast(&self, ray: &Ray, is_optimal: bool) -> Cast {
        let mut cast = Cast::default();
        for (thing, _) in &self.things {
            let t = match thing {
                Thing::Ball(ball) if is_optimal => optimal(ray, ball, &mut cast.rejected),
                Thing::Ball(ball) => Mathematical::new(ray, ball).first(),
                Thing::Cuboid(aabb) => {
                    cast.slabs += 3;
                    Slabs::new(ray, aabb).first()
                }
                Thing::Triangle(triangle) => ray_triangle_moller_trumbore(ray, triangle, f64::INFINITY)
                    .map(|RayTriangleHit { t, .. }| t),
                Thing::Polygon(polygon) => {
                    let found = Crossings::new(ray, polygon);
                    cast.crossings += found.as_ref().map_or(0, |found| found.edges.len() as u32);
                    found.filter(Crossings::is_inside).map(|found| found.t)
                }
            };
            let [tests, hits] = &mut cast.counts[thing.kind()];
            (*tests, *hits) = (*tests + 1, *hits + u32::from(t.is_some()));
            cast.at.push(t);
        }
        let hits = cast.at.iter().enumerate().filter_map(|(i, t)| Some((i, (*t)?)));
        cast.first = hits.min_by(|(_, s), (_, t)| s.total_cmp(t)).map(|(i, _)| i);
        cast
    }

    /// Draws the bodies in the colours of a cast, and its ray.
    pub fn draw(&self, scene: &mut Scene, ray: &Ray, cast: &Cast) {
        for (i, (thing, figure)) in self.things.iter().enumerate() {
            let color = match cast.at.get(i).copied().flatten() {
                _ if cast.first == Some(i) => Color::VERMILION,
                Some(_) => Color::ORANGE,
                None => Color::SKY,
            };
            match (thing, figure) {
                (Thing::Ball(ball), _) => scene.ball(ball.center, ball.radius, color),
                (Thing::Cuboid(aabb), _) => scene.aabb(aabb, color),
                (_, Some(figure)) => scene.figure(figure, &Pose::IDENTITY, color),
                (Thing::Triangle(_) | Thing::Polygon(_), None) => {}
            }
        }
        let end = cast.first.and_then(|i| cast.at[i]).unwrap_or(30.0 / ray.direction.length());
        scene.line_on_top(ray.origin, ray.at(end), Color::YELLOW, 3.0);
        for t in cast.at.iter().flatten() {
            scene.dot(ray.at(*t), 7.0, Color::YELLOW);
        }
    }
}

impl Cast {
    /// The counters in words.
    pub fn lines(&self, form: &str) -> Vec<String> {
        let count = |k: usize| format!("{} {}, {} met", self.counts[k][0], KINDS[k], self.counts[k][1]);
        let [behind, beside] = self.rejected;
        let of_spheres = if form == FORMS[1] {
            format!("{}: {behind} rejected by line 4 (behind), {beside} by line 6 (beside)", count(0))
        } else {
            format!("{}: an equation of second degree each", count(0))
        };
        vec![
            of_spheres,
            format!("{}: {} slabs cut", count(1), self.slabs),
            format!("{}: by barycentric coordinates", count(2)),
            format!("{}: inside where the edges crossed are odd, {} in all", count(3), self.crossings),
        ]
    }
}

fn optimal(ray: &Ray, ball: &Sphere, rejected: &mut [u32; 2]) -> Option<f64> {
    match Optimal::new(ray, ball).outcome {
        Ok(t) => Some(t),
        Err(Rejected::Behind) => {
            rejected[0] += 1;
            None
        }
        Err(Rejected::Beside) => {
            rejected[1] += 1;
            None
        }
    }
}

/// A concave polygon of ten corners.
fn star(middle: DVec3, size: f64) -> Result<Polygon, PolygonError> {
    let corner = |k: u32| {
        let angle = std::f64::consts::PI * (f64::from(k) / 5.0 + 0.1);
        let far = if k.is_multiple_of(2) { size } else { 0.42 * size };
        middle + DVec3::new(far * libm::cos(angle), 0.0, far * libm::sin(angle))
    };
    Polygon::new((0..10).map(corner).collect())
}

#[cfg(test)]
mod tests {
    use sudar::pair::{ray_aabb, ray_polygon, ray_sphere, ray_triangle};

    use super::*;
    use crate::demos::random::Random;

    /// Both forms, and every kind, say what the certain tests of the engine say.
    #[test]
    fn every_test_agrees_with_the_engine() {
        let (shelf, mut random, mut met) = (Shelf::new().unwrap(), Random::new(3), 0);
        for _ in 0..2000 {
            let from = random.direction() * 9.0;
            let ray = Ray::new(from, random.within(DVec3::new(4.0, 4.0, 2.0)) - from).unwrap();
            let [plain, optimal] = [false, true].map(|is_optimal| shelf.cast(&ray, is_optimal));
            assert_eq!(plain.first, optimal.first);
            for (k, (thing, _)) in shelf.things.iter().enumerate() {
                let expected = match thing {
                    Thing::Ball(ball) => ray_sphere(&ray, ball, f64::INFINITY).map(|hit| hit.t),
                    Thing::Cuboid(aabb) => ray_aabb(&ray, aabb, f64::INFINITY).map(|hit| hit.t),
                    Thing::Triangle(t) => ray_triangle(&ray, t, f64::INFINITY).map(|hit| hit.t),
                    Thing::Polygon(p) => ray_polygon(&ray, p, f64::INFINITY).map(|hit| hit.t),
                };
                for cast in [&plain, &optimal] {
                    assert_eq!(cast.at[k].is_some(), expected.is_some(), "{k} {ray:?}");
                    assert!((cast.at[k].unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-9);
                }
                met += u32::from(expected.is_some());
            }
        }
        assert!(met > 300, "{met}");
    }

    #[test]
    fn the_counters_add_up() {
        let shelf = Shelf::new().unwrap();
        let ray = Ray::new(DVec3::new(0.0, -9.0, 0.0), DVec3::NEG_Y).unwrap();
        let cast = shelf.cast(&ray, true);
        assert_eq!((cast.first, cast.rejected), (None, [3, 0]));
        assert_eq!(cast.counts.map(|[tests, _]| tests), [3; 4]);
        assert!(cast.lines("optimal")[0].contains("3 rejected by line 4"));
    }
}
