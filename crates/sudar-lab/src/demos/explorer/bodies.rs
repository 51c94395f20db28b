//! Bodies of any shape in a container: a world of the library, for all that boxes along the axes cannot show.

use std::sync::Arc;

use sudar::broad::Handle;
use sudar::dynamics::{
    BodyState, BodyType, Bounds, DynamicsError, Response, RigidBody, Settings as Rules, Step, World,
};
use sudar::hull::convex_hull;
use sudar::query::Body;
use sudar::{Aabb, Capsule, Cone, Cuboid, Cylinder, DVec3, Shape, ShapeError, Sphere};
use sudar_classic::broad::broad_phase_with;
use sudar_classic::response::{Detection, response, response_with};
use sudar_view::Figure;

use super::settings::{NONE, Settings};
use super::work::Work;
use crate::clock::Clock;
use crate::demos::random::Random;

/// Bodies pass through each other; pairs that touch are found all the same.
#[derive(Debug)]
struct Passing;

impl Response for Passing {
    fn name(&self) -> &str {
        "off"
    }

    fn advance(&self, step: &mut dyn Step) -> Result<(), DynamicsError> {
        step.fly(step.seconds());
        step.keep_inside();
        let touching = step.touching()?;
        step.report(touching.into_iter().map(|pair| (pair.bodies, 0.0)).collect());
        Ok(())
    }
}

/// The bodies.
pub struct Bodies {
    pub world: World,
    pub list: Vec<(Handle, Figure)>,
    /// Pairs that touched in the last step.
    pub touching: Vec<[Handle; 2]>,
}

impl Bodies {
    /// Bodies on the corners of a grid, turned and on their ways in any direction.
    pub fn new(settings: &Settings, blocks: &[Aabb]) -> Result<Self, String> {
        let algorithm = if settings.algorithm == NONE { "auto" } else { settings.algorithm };
        let phase = broad_phase_with(algorithm, settings.tuning()).map_err(|error| error.to_string())?;
        let mut world =
            World::with_broad_phase(rules(settings)?, phase).map_err(|error| error.to_string())?;
        for block in blocks {
            add_block(&mut world, block)?;
        }
        let (mut random, mut list) = (Random::new(settings.seed), Vec::new());
        let kinds = kinds(settings.shapes, settings.size).map_err(|error| error.to_string())?;
        let figures: Vec<Figure> = kinds.iter().map(|body| Figure::new(body.shape())).collect();
        for (i, position) in places(settings, blocks).into_iter().enumerate() {
            let kind = i % kinds.len();
            let is_turned = settings.shapes != "boxes";
            let body = RigidBody {
                position,
                rotation: if is_turned { random.rotation() } else { sudar::DQuat::IDENTITY },
                velocity: random.direction() * settings.speed,
                restitution: 1.0,
                friction: 0.0,
                ..RigidBody::new(format!("body {i}"), kinds[kind].clone())
            };
            let handle = world.add(body).map_err(|error| error.to_string())?;
            list.push((handle, figures[kind].clone()));
        }
        Ok(Self { world, list, touching: Vec::new() })
    }

    /// Lets another law hold from now on.
    pub fn set_rules(&mut self, settings: &Settings) -> Result<(), String> {
        self.world.set_settings(rules(settings)?).map_err(|error| error.to_string())
    }

    /// Moves on.
    pub fn step(&mut self, seconds: f64, clock: Clock) -> Result<Work, String> {
        self.world.set_clock(clock.0);
        let report = self.world.step(seconds).map_err(|error| error.to_string())?;
        self.touching = report.touches.iter().filter_map(|touch| Some([touch.a?, touch.b?])).collect();
        let work = self.world.work();
        Ok(Work {
            pairs: work.pairs,
            counters: work.counters,
            bytes: self.world.broad_phase().memory(),
            phases: [work.broad_seconds, work.narrow_seconds, work.response_seconds],
        })
    }

    /// Turns all towards a point, as fast as they are; makes all faster by a factor.
    pub fn redirect(&mut self, to: Option<DVec3>, factor: f64) {
        for (handle, _) in &self.list {
            let Ok(motion) = self.world.motion(*handle) else { continue };
            let speed = motion.velocity.length() * factor;
            let way = to.map_or(motion.velocity, |to| to - motion.center).normalize_or_zero();
            let motion = BodyState { velocity: way * speed, ..motion };
            // Only numbers without end are refused.
            let _ = self.world.set_motion(*handle, motion);
        }
    }

    /// The box of each body.
    pub fn boxes(&self) -> Vec<Aabb> {
        let moving = self.world.bodies().filter(|(_, body)| body.kind != BodyType::Static);
        moving.filter_map(|(handle, body)| Some(body.body.aabb(&self.world.pose(handle).ok()?))).collect()
    }
}

fn rules(settings: &Settings) -> Result<Rules, String> {
    let response: Arc<dyn Response> = match settings.resolution {
        "springs" => response("spring").map_err(|error| error.to_string())?,
        "translation" => response_with("mtv", Detection::Static).map_err(|error| error.to_string())?,
        "solver" => response("solver").map_err(|error| error.to_string())?,
        _ => Arc::new(Passing),
    };
    let half = DVec3::splat(0.5 * settings.width());
    Ok(Rules {
        gravity: DVec3::ZERO,
        response,
        bounds: Some(Bounds { min: -half, max: half }),
        ..Rules::default()
    })
}

fn add_block(world: &mut World, block: &Aabb) -> Result<(), String> {
    let shape = Cuboid::new(0.5 * block.extent()).map_err(|error| error.to_string())?;
    let body = RigidBody {
        position: block.center(),
        restitution: 1.0,
        friction: 0.0,
        ..RigidBody::fixed("block", shape)
    };
    world.add(body).map(drop).map_err(|error| error.to_string())
}

fn kinds(shapes: &str, size: f64) -> Result<Vec<Body>, ShapeError> {
    let half = 0.5 * size;
    let cuboid = |flat: f64| Cuboid::new(DVec3::new(half, half * 0.8, half * flat)).map(Shape::from);
    let ball = || Sphere::new(DVec3::ZERO, half).map(Shape::from);
    let capsule = || Capsule::new(0.5 * half, 0.5 * half).map(Shape::from);
    let cylinder = || Cylinder::new(0.7 * half, 0.7 * half).map(Shape::from);
    let cone = || Cone::new(0.8 * half, 0.8 * half).map(Shape::from);
    let list = match shapes {
        "balls" => vec![ball()?],
        "capsules" => vec![capsule()?],
        "cylinders" => vec![cylinder()?],
        "cones" => vec![cone()?],
        "icosahedra" => vec![icosahedron(half)],
        "mixed" => vec![cuboid(0.6)?, ball()?, capsule()?, cylinder()?, cone()?, icosahedron(half)],
        _ => vec![cuboid(0.8)?, cuboid(0.5)?],
    };
    Ok(list.into_iter().map(Body::new).collect())
}

fn icosahedron(radius: f64) -> Shape {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let signs = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
    let corners = signs.into_iter().flat_map(|[s, t]| {
        let (a, b) = (s, t * golden);
        [DVec3::new(0.0, a, b), DVec3::new(a, b, 0.0), DVec3::new(b, 0.0, a)]
    });
    let scale = radius / (1.0 + golden * golden).sqrt();
    let corners: Vec<DVec3> = corners.map(|corner| corner * scale).collect();
    match convex_hull(&corners) {
        Ok(hull) => Shape::Hull(Arc::new(hull)),
        // Twelve corners of a ball always have a hull.
        Err(_) => Shape::Point(DVec3::ZERO),
    }
}

/// Places of a grid in the container, but not in blocks.
fn places(settings: &Settings, blocks: &[Aabb]) -> Vec<DVec3> {
    let (count, width) = (settings.count() as usize, settings.width());
    let is_free = |at: &DVec3| blocks.iter().all(|block| !block.grown(0.8 * settings.size).contains(*at));
    let grid = |side: usize| -> Vec<DVec3> {
        let step = (width - 1.2 * settings.size) / side.max(2) as f64;
        let at = |k: usize| (k as f64 - 0.5 * (side as f64 - 1.0)) * step;
        let all =
            (0..side.pow(3)).map(|i| DVec3::new(at(i % side), at(i / side % side), at(i / side / side)));
        all.filter(is_free).collect()
    };
    let most = (1..=64).map(grid).find(|places| places.len() >= count).unwrap_or_default();
    most.into_iter().take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_and_resolution_runs() {
        let block = Aabb { min: DVec3::splat(-1.0), max: DVec3::ONE };
        for shapes in super::super::settings::SHAPES {
            for resolution in super::super::settings::RESOLUTIONS {
                let settings = Settings { objects: 30, shapes, resolution, ..Settings::default() };
                let mut bodies = Bodies::new(&settings, &[block]).unwrap();
                assert_eq!(bodies.list.len(), 30);
                for _ in 0..20 {
                    bodies.step(1.0 / 60.0, Clock::default()).unwrap();
                }
                assert_eq!(bodies.boxes().len(), 30, "{shapes} {resolution}");
            }
        }
    }

    #[test]
    fn bodies_that_pass_keep_their_speed() {
        let settings = Settings { objects: 50, resolution: "off", shapes: "balls", ..Settings::default() };
        let mut bodies = Bodies::new(&settings, &[]).unwrap();
        for _ in 0..300 {
            bodies.step(1.0 / 60.0, Clock::default()).unwrap();
        }
        let speeds = bodies.list.iter().map(|(h, _)| bodies.world.motion(*h).unwrap().velocity.length());
        assert!(speeds.into_iter().all(|speed| (speed - settings.speed).abs() < 1e-9));
    }
}
