//! A scene in rapier3d, body by body.

use anyhow::{Result, bail};
use glam::{DQuat, DVec3};
use rapier3d::na::Unit;
use rapier3d::prelude::{
    CoefficientCombineRule, ColliderBuilder, PhysicsWorld, Pose, RigidBodyBuilder, RigidBodyHandle, Rotation,
    Vector,
};
use sudar::Shape;
use sudar::dynamics::{BodyState, BodyType, Bounds, MassSpec, RigidBody};
use sudar_scene::Scene;

/// A world of rapier3d with its default parameters, in `f32`, where bodies do not sleep.
pub struct Rapier {
    world: PhysicsWorld,
    /// Of each body of the scene.
    handles: Vec<RigidBodyHandle>,
}

impl Rapier {
    /// The bodies of a scene, with walls around them if it has bounds.
    ///
    /// # Errors
    /// If it has bodies of other shapes than balls, boxes, hulls, half-spaces and meshes that do not move.
    pub fn new(scene: &Scene) -> Result<Self> {
        let mut world = PhysicsWorld { gravity: vector(scene.settings.gravity), ..PhysicsWorld::default() };
        world.integration_parameters.dt = scene.step as f32;
        if let Some(Bounds { min, max }) = scene.settings.bounds {
            for axis in DVec3::AXES {
                for (corner, normal) in [(min, axis), (max, -axis)] {
                    let wall = surfaced(halfspace(normal), 0.0, 0.0);
                    world.insert(RigidBodyBuilder::fixed().translation(vector(corner)), wall);
                }
            }
        }
        let handles = scene.bodies.iter().map(|body| insert(&mut world, body)).collect::<Result<_>>()?;
        Ok(Self { world, handles })
    }

    /// Advances by the step of the scene.
    pub fn step(&mut self) {
        self.world.step();
    }

    /// Where the bodies of the scene are. Their centres of mass are those of rapier.
    pub fn motions(&self) -> Vec<BodyState> {
        let motion = |handle: &RigidBodyHandle| {
            let body = &self.world.bodies[*handle];
            let q = body.rotation();
            BodyState {
                center: double(body.center_of_mass()),
                rotation: DQuat::from_xyzw(q.x.into(), q.y.into(), q.z.into(), q.w.into()).normalize(),
                velocity: double(body.linvel()),
                angular_velocity: double(body.angvel()),
            }
        };
        self.handles.iter().map(motion).collect()
    }
}

fn vector(p: DVec3) -> Vector {
    Vector::new(p.x as f32, p.y as f32, p.z as f32)
}

fn double(v: Vector) -> DVec3 {
    DVec3::new(v.x.into(), v.y.into(), v.z.into())
}

fn halfspace(normal: DVec3) -> ColliderBuilder {
    ColliderBuilder::halfspace(Unit::new_unchecked(vector(normal.normalize())))
}

/// Of a pair the larger restitution and the geometric mean of friction count, as with us.
fn surfaced(collider: ColliderBuilder, restitution: f64, friction: f64) -> ColliderBuilder {
    collider
        .restitution(restitution as f32)
        .restitution_combine_rule(CoefficientCombineRule::Max)
        .friction(friction as f32)
        .friction_combine_rule(CoefficientCombineRule::GeometricMean)
}

fn insert(world: &mut PhysicsWorld, body: &RigidBody) -> Result<RigidBodyHandle> {
    let shape = match body.body.shape() {
        Shape::Sphere(sphere) => ColliderBuilder::ball(sphere.radius as f32),
        Shape::Cuboid(cuboid) => {
            let half = vector(cuboid.half);
            ColliderBuilder::cuboid(half.x, half.y, half.z)
        }
        Shape::Hull(hull) => {
            let corners: Vec<Vector> = hull.vertices().iter().map(|&p| vector(p)).collect();
            let Some(collider) = ColliderBuilder::convex_hull(&corners) else {
                bail!("rapier3d finds no hull of \"{}\"", body.name)
            };
            collider
        }
        Shape::Halfspace(plane) => halfspace(plane.normal),
        Shape::Mesh(mesh) if body.kind == BodyType::Static => {
            let corners = mesh.vertices().iter().map(|&p| vector(p)).collect();
            ColliderBuilder::trimesh(corners, mesh.triangles().to_vec())?
        }
        other @ (Shape::Mesh(_)
        | Shape::Solid(_)
        | Shape::Triangle(_)
        | Shape::Segment(_)
        | Shape::Point(_)
        | Shape::Capsule(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Ellipsoid(_)
        | Shape::HeightField(_)
        | Shape::PointCloud(_)
        | Shape::Compound(_)) => bail!("\"{}\" is {other:?}, which is not compared", body.name),
    };
    let builder = match body.kind {
        BodyType::Static => RigidBodyBuilder::fixed(),
        BodyType::Dynamic => RigidBodyBuilder::dynamic(),
        BodyType::Kinematic => RigidBodyBuilder::kinematic_velocity_based(),
    };
    let shape = match body.matter {
        MassSpec::Density(density) => shape.density(density as f32),
        MassSpec::Mass(mass) => shape.mass(mass as f32),
        MassSpec::Given { .. } => bail!("\"{}\" has an inertia of its own, which is not compared", body.name),
    };
    let q = body.rotation;
    let rotation = Rotation::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32);
    let builder = builder
        .pose(Pose::from_parts(vector(body.position), rotation))
        .linvel(vector(body.velocity))
        .angvel(vector(body.angular_velocity))
        .can_sleep(false);
    Ok(world.insert(builder, surfaced(shape, body.restitution, body.friction)).0)
}
