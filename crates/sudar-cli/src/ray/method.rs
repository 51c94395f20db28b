//! The ways to find hits, each with counters.

use std::sync::Arc;

use serde::Serialize;
use sudar::effort::Budget;
use sudar::pair::ray_triangle_moller_trumbore;
use sudar::query::{Body, Work};
use sudar::shape::Polygon;
use sudar::volume::smallest_sphere;
use sudar::{Aabb, Mesh, Pose, Ray, Shape, Sphere};
use sudar_classic::pick::{Crossings, Goal, Mathematical, Optimal, RayTree, Slabs};

use crate::report;
use crate::scene::PlacedPart;

/// How hits are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Engine,
    Triangle,
    Polygon,
    SphereMathematical,
    SphereOptimal,
    Slabs,
    TopDown,
    BottomUp,
}

impl Method {
    pub const ALL: [Self; 8] = [
        Self::Engine,
        Self::Triangle,
        Self::Polygon,
        Self::SphereMathematical,
        Self::SphereOptimal,
        Self::Slabs,
        Self::TopDown,
        Self::BottomUp,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Triangle => "triangle",
            Self::Polygon => "polygon",
            Self::SphereMathematical => "sphere-mathematical",
            Self::SphereOptimal => "sphere-optimal",
            Self::Slabs => "slabs",
            Self::TopDown => "top-down",
            Self::BottomUp => "bottom-up",
        }
    }
}

/// Tests that were made.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Counts {
    pub spheres: u64,
    pub boxes: u64,
    pub triangles: u64,
    pub polygons: u64,
}

impl Counts {
    pub fn text(self, method: &str) -> String {
        let Self { spheres, boxes, triangles, polygons } = self;
        let all = [(spheres, "sphere"), (boxes, "box"), (triangles, "triangle"), (polygons, "polygon")];
        let some =
            all.iter().filter(|(n, _)| *n > 0).map(|(n, what)| report::count(*n, &format!("{what} test")));
        let some = some.collect::<Vec<_>>().join(", ");
        format!("{method}: {}\n", if some.is_empty() { "no test" } else { &some })
    }
}

/// A hit: the part, the parameter, the triangle.
type Hit = (usize, f64, u32);

/// The parts made ready for a method.
pub struct Searcher {
    method: Method,
    parts: Vec<Ready>,
    counts: Counts,
}

/// A part made ready.
struct Ready {
    mesh: Arc<Mesh>,
    form: Form,
}

enum Form {
    Body(Body),
    Tree(RayTree<Aabb>),
    Sphere(Sphere),
    Plain,
}

impl Searcher {
    pub fn new(parts: &[PlacedPart], method: Method) -> Self {
        let ready = |part: &PlacedPart| {
            let mesh = part.mesh.clone();
            let form = match method {
                Method::Engine => Form::Body(Body::new(Shape::Mesh(mesh.clone()))),
                Method::TopDown => Form::Tree(RayTree::top_down(mesh.clone())),
                Method::BottomUp => Form::Tree(RayTree::bottom_up(mesh.clone())),
                Method::SphereMathematical | Method::SphereOptimal => {
                    smallest_sphere(mesh.vertices()).map_or(Form::Plain, Form::Sphere)
                }
                Method::Triangle | Method::Polygon | Method::Slabs => Form::Plain,
            };
            Ready { mesh, form }
        };
        Self { method, parts: parts.iter().map(ready).collect(), counts: Counts::default() }
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Hits of all parts, sorted by parameter, part and triangle; the first alone unless all are sought.
    pub fn search(&mut self, ray: &Ray, max: f64, goal: Goal) -> Vec<Hit> {
        let (mut hits, mut limit): (Vec<Hit>, f64) = (Vec::new(), max);
        for (i, part) in self.parts.iter().enumerate() {
            let found = part.search(self.method, ray, limit, goal, &mut self.counts);
            hits.extend(found.into_iter().map(|(t, triangle)| (i, t, triangle)));
            if goal == Goal::First {
                limit = hits.iter().map(|hit| hit.1).fold(limit, f64::min);
            }
            if goal == Goal::Any && !hits.is_empty() {
                break;
            }
        }
        hits.sort_by(|p, q| p.1.total_cmp(&q.1).then((p.0, p.2).cmp(&(q.0, q.2))));
        hits.truncate(if goal == Goal::All { hits.len() } else { 1 });
        hits
    }
}

impl Ready {
    fn search(
        &self,
        method: Method,
        ray: &Ray,
        max: f64,
        goal: Goal,
        counts: &mut Counts,
    ) -> Vec<(f64, u32)> {
        match &self.form {
            Form::Body(body) => by_engine(body, ray, max, goal, counts),
            Form::Tree(tree) => {
                let found = tree.search(ray, max, goal, &mut |_| {});
                counts.boxes += found.effort.volume_tests;
                counts.triangles += found.effort.triangle_tests;
                found.hits.iter().map(|hit| (hit.hit.t, hit.triangle)).collect()
            }
            Form::Sphere(sphere) => {
                counts.spheres += 1;
                let met = if method == Method::SphereMathematical {
                    Mathematical::new(ray, sphere).first()
                } else {
                    Optimal::new(ray, sphere).outcome.ok()
                };
                if met.is_some() { self.by_triangles(ray, max, counts) } else { Vec::new() }
            }
            Form::Plain if method == Method::Slabs => {
                counts.boxes += 1;
                let met = Slabs::new(ray, &self.mesh.aabb()).first();
                if met.is_some() { self.by_triangles(ray, max, counts) } else { Vec::new() }
            }
            Form::Plain if method == Method::Polygon => self.by_polygons(ray, max, counts),
            Form::Plain => self.by_triangles(ray, max, counts),
        }
    }

    fn by_triangles(&self, ray: &Ray, max: f64, counts: &mut Counts) -> Vec<(f64, u32)> {
        let count = self.mesh.triangles().len() as u32;
        counts.triangles += u64::from(count);
        let hit = |i| ray_triangle_moller_trumbore(ray, &self.mesh.triangle(i), max).map(|hit| (hit.t, i));
        (0..count).filter_map(hit).collect()
    }

    fn by_polygons(&self, ray: &Ray, max: f64, counts: &mut Counts) -> Vec<(f64, u32)> {
        let count = self.mesh.triangles().len() as u32;
        counts.polygons += u64::from(count);
        let hit = |i| {
            let polygon = Polygon::new(self.mesh.triangle(i).corners().to_vec()).ok()?;
            let found = Crossings::new(ray, &polygon).filter(|found| found.t <= max && found.is_inside())?;
            Some((found.t, i))
        };
        (0..count).filter_map(hit).collect()
    }
}

fn by_engine(body: &Body, ray: &Ray, max: f64, goal: Goal, counts: &mut Counts) -> Vec<(f64, u32)> {
    let mut work = Work::new(Budget::UNLIMITED);
    let placed = body.at(&Pose::IDENTITY);
    let found = match goal {
        Goal::All => work.ray_all(placed, ray, max).found,
        Goal::First => work.ray(placed, ray, max).found.into_iter().collect(),
        // Only that there is one counts; which one it is, is not said.
        Goal::Any if work.ray_any(placed, ray, max).found => {
            counts.add(&work);
            return vec![(0.0, 0)];
        }
        Goal::Any => Vec::new(),
    };
    counts.add(&work);
    found.iter().map(|hit| (hit.t, hit.feature)).collect()
}

impl Counts {
    fn add(&mut self, work: &Work) {
        let statistics = work.statistics();
        self.boxes += statistics.nodes;
        self.triangles += statistics.triangles;
    }
}
