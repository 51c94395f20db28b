//! A scene in rapier3d, body by body.

use anyhow::{Result, bail};
use glam::{DQuat, DVec3};
use rapier3d::na::Unit;
use rapier3d::prelude::{
    CoefficientCombineRule, ColliderBuilder, GenericJoint, GenericJointBuilder, JointAxesMask, JointAxis,
    MotorModel, PhysicsWorld, Pose, RigidBodyBuilder, RigidBodyHandle, Rotation, Vector,
};
use sudar::Shape;
use sudar::dynamics::{
    Anchor, Anchors, BodyState, BodyType, Bounds, Joint, MassSpec, Measure, RigidBody, Row, Softness,
};
use sudar_scene::{Scene, SceneJoint};

use super::Rival;

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
    /// If it has bodies of other shapes than balls, boxes, capsules, cylinders, hulls, half-spaces and meshes that do
    /// not move, or joints of distances, gears and pulleys.
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
        let handles: Vec<RigidBodyHandle> =
            scene.bodies.iter().map(|body| insert(&mut world, body)).collect::<Result<_>>()?;
        let ground = world.insert_body(RigidBodyBuilder::fixed());
        for SceneJoint { bodies, joint } in &scene.joints {
            let frames = [0, 1].map(|k| bodies[k].map_or(Pose::IDENTITY, |body| pose(&scene.bodies[body])));
            let ends = bodies.map(|body| body.map_or(ground, |body| handles[body]));
            world.insert_impulse_joint(ends[0], ends[1], generic(joint, frames)?);
        }
        Ok(Self { world, handles })
    }
}

impl Rival for Rapier {
    fn step(&mut self) {
        self.world.step();
    }

    fn motions(&self) -> Vec<BodyState> {
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
        Shape::Capsule(capsule) => {
            ColliderBuilder::capsule_z(capsule.half_length as f32, capsule.radius as f32)
        }
        // Theirs stand along y.
        Shape::Cylinder(cylinder) => {
            ColliderBuilder::cylinder(cylinder.half_length as f32, cylinder.radius as f32)
                .rotation(Vector::X * std::f32::consts::FRAC_PI_2)
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
    let builder = builder
        .pose(pose(body))
        .linvel(vector(body.velocity))
        .angvel(vector(body.angular_velocity))
        .can_sleep(false);
    Ok(world.insert(builder, surfaced(shape, body.restitution, body.friction)).0)
}

fn pose(body: &RigidBody) -> Pose {
    Pose::from_parts(vector(body.position), rotation(body.rotation))
}

fn rotation(q: DQuat) -> Rotation {
    Rotation::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32)
}

/// A joint between two bodies that are at these places, coordinate by coordinate. A cone is bounded about both axes.
fn generic(joint: &Joint, poses: [Pose; 2]) -> Result<GenericJoint> {
    let Anchors::World(anchors) = joint.anchors else { bail!("joints of scenes are given in the world") };
    let [a, b] = [0, 1].map(|k| {
        let Anchor { point, rotation: turn } = anchors[k];
        poses[k].inverse() * Pose::from_parts(vector(point), rotation(turn))
    });
    let builder = GenericJointBuilder::new(JointAxesMask::empty()).local_frame1(a).local_frame2(b);
    let mut built = builder.contacts_enabled(joint.collides).build();
    for (row, axis) in rows(joint)?.iter().zip(AXES) {
        if row.is_locked() {
            built.lock_axes(built.locked_axes | axis.into());
        } else if row.lower.is_finite() && row.upper.is_finite() {
            built.set_limits(axis, [row.lower as f32, row.upper as f32]);
        }
        if let Some(motor) = row.motor {
            built.set_motor_velocity(axis, motor.speed as f32, 1e6);
            built.set_motor_max_force(axis, motor.force as f32);
        }
        if let Some(spring) = row.spring {
            let Softness::Stiffness { stiffness, damping } = spring.softness else {
                bail!("springs are compared by stiffness and damping")
            };
            built.set_motor_model(axis, MotorModel::ForceBased);
            built.set_motor_position(axis, spring.target as f32, stiffness as f32, damping as f32);
        }
    }
    Ok(built)
}

const AXES: [JointAxis; 6] =
    [JointAxis::LinX, JointAxis::LinY, JointAxis::LinZ, JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ];

fn rows(joint: &Joint) -> Result<[Row; 6]> {
    let mut rows = joint.rows;
    match joint.measure {
        Measure::Axes => {}
        Measure::Cone => {
            let lean = Row { lower: -rows[4].upper, ..rows[4] };
            (rows[4], rows[5]) = (lean, lean);
        }
        other
        @ (Measure::Distance | Measure::Gear { .. } | Measure::Rack { .. } | Measure::Pulley { .. }) => {
            bail!("joints that measure {other:?} are not compared")
        }
    }
    Ok(rows)
}
