//! A scene in Box3D, by its port to Rust, body by body.

use anyhow::{Context, Result, bail, ensure};
use box3d_rust::body::{
    body_get_angular_velocity, body_get_linear_velocity, body_get_transform, body_get_world_center,
    body_set_angular_velocity, body_set_linear_velocity, body_set_mass_data, create_body,
};
use box3d_rust::geometry::{Capsule, MassData, Sphere, SurfaceMaterial, default_surface_material};
use box3d_rust::hull::{create_hull, make_box_hull, make_transformed_box_hull};
use box3d_rust::id::{BodyId, ShapeId};
use box3d_rust::math_functions::{Matrix3, Quat, Transform, VEC3_ONE, Vec3};
use box3d_rust::mesh::{MeshDef, create_mesh};
use box3d_rust::shape::{create_capsule_shape, create_hull_shape, create_mesh_shape, create_sphere_shape};
use box3d_rust::types::{
    BodyDef, BodyType as Kind, ShapeDef, WorldDef, default_body_def, default_shape_def, default_world_def,
};
use box3d_rust::world::World;
use glam::{DMat3, DQuat, DVec3};
use sudar::dynamics::{BodyState, BodyType, Bounds, RigidBody};
use sudar::{Cylinder, Halfspace, Mesh, Shape};
use sudar_scene::{Scene, SceneJoint};

use super::Rival;
use super::box3d_joints::Tie;

/// A world of Box3D with its default settings, in `f32`, where bodies do not sleep. Those that meet at less than 1 m/s
/// do not bounce, and it has one thread.
pub struct Box3d {
    world: World,
    /// Of each body of the scene.
    bodies: Vec<BodyId>,
    step: f32,
}

/// As many as the documentation of its `step` names.
const SUB_STEPS: i32 = 4;

impl Box3d {
    /// The bodies of a scene, with walls around them if it has bounds.
    ///
    /// # Errors
    /// If it has bodies of other shapes than balls, boxes, capsules, cylinders, hulls, half-spaces and meshes that do
    /// not move, or joints other than those that [`Tie`] makes.
    pub fn new(scene: &Scene) -> Result<Self> {
        let gravity = vector(scene.settings.gravity);
        let mut world = World::new(&WorldDef { gravity, enable_sleep: false, ..default_world_def() });
        if let Some(Bounds { min, max }) = scene.settings.bounds {
            for axis in DVec3::AXES {
                for (corner, normal) in [(min, axis), (max, -axis)] {
                    // Balls slide along the walls, and bounce as they themselves do.
                    let wall = RigidBody::fixed("wall", Halfspace::new(normal, normal.dot(corner))?);
                    insert(&mut world, &RigidBody { friction: 0.0, restitution: 0.0, ..wall })?;
                }
            }
        }
        let bodies: Vec<BodyId> =
            scene.bodies.iter().map(|body| insert(&mut world, body)).collect::<Result<_>>()?;
        let ground = create_body(&mut world, &default_body_def());
        for SceneJoint { bodies: ends, joint } in &scene.joints {
            let ids = ends.map(|end| end.map_or(ground, |body| bodies[body]));
            Tie::new(joint, ends.map(|end| end.map(|body| &scene.bodies[body])), ids)?.insert(&mut world)?;
        }
        Ok(Self { world, bodies, step: scene.step as f32 })
    }
}

impl Rival for Box3d {
    fn step(&mut self) {
        self.world.step(self.step, SUB_STEPS);
    }

    fn motions(&self) -> Vec<BodyState> {
        let motion = |&id: &BodyId| {
            let Quat { v, s } = body_get_transform(&self.world, id).q;
            BodyState {
                center: double(body_get_world_center(&self.world, id)),
                rotation: DQuat::from_xyzw(v.x.into(), v.y.into(), v.z.into(), s.into()).normalize(),
                velocity: double(body_get_linear_velocity(&self.world, id)),
                angular_velocity: double(body_get_angular_velocity(&self.world, id)),
            }
        };
        self.bodies.iter().map(motion).collect()
    }
}

pub(super) fn vector(p: DVec3) -> Vec3 {
    Vec3 { x: p.x as f32, y: p.y as f32, z: p.z as f32 }
}

pub(super) fn rotation(q: DQuat) -> Quat {
    Quat { v: vector(DVec3::new(q.x, q.y, q.z)), s: q.w as f32 }
}

fn double(v: Vec3) -> DVec3 {
    DVec3::new(v.x.into(), v.y.into(), v.z.into())
}

fn matrix(m: DMat3) -> Matrix3 {
    Matrix3 { cx: vector(m.x_axis), cy: vector(m.y_axis), cz: vector(m.z_axis) }
}

fn insert(world: &mut World, body: &RigidBody) -> Result<BodyId> {
    let type_ = match body.kind {
        BodyType::Static => Kind::Static,
        BodyType::Dynamic => Kind::Dynamic,
        BodyType::Kinematic => Kind::Kinematic,
    };
    let (position, rotation) = (vector(body.position), rotation(body.rotation));
    let definition = BodyDef { type_, position, rotation, enable_sleep: false, ..default_body_def() };
    let id = create_body(world, &definition);
    let shape = attach(world, id, body)?;
    ensure!(shape.index1 != 0, "Box3D takes no shape \"{}\"", body.name);
    if body.kind == BodyType::Dynamic {
        // A hull of many sides weighs less than the cylinder that it stands for.
        let inertia = body.inertia()?;
        let (mass, center) = (inertia.mass as f32, vector(inertia.center));
        body_set_mass_data(world, id, MassData { mass, center, inertia: matrix(inertia.tensor) });
    }
    // After the mass, whose centre it is of.
    body_set_linear_velocity(world, id, vector(body.velocity));
    body_set_angular_velocity(world, id, vector(body.angular_velocity));
    Ok(id)
}

/// Of a pair the larger restitution and the geometric mean of friction count by default, as with us.
fn surface(body: &RigidBody) -> ShapeDef {
    let (friction, restitution) = (body.friction as f32, body.restitution as f32);
    let base_material = SurfaceMaterial { friction, restitution, ..default_surface_material() };
    ShapeDef { base_material, ..default_shape_def() }
}

fn attach(world: &mut World, id: BodyId, body: &RigidBody) -> Result<ShapeId> {
    let surface = surface(body);
    let shape = match body.body.shape() {
        Shape::Sphere(sphere) => {
            let ball = Sphere { center: vector(sphere.center), radius: sphere.radius as f32 };
            create_sphere_shape(world, id, &surface, &ball)
        }
        Shape::Cuboid(cuboid) => {
            let half = vector(cuboid.half);
            create_hull_shape(world, id, &surface, &make_box_hull(half.x, half.y, half.z).base)
        }
        Shape::Capsule(capsule) => {
            let [center1, center2] = [-1.0, 1.0].map(|side| vector(DVec3::Z * (side * capsule.half_length)));
            let capsule = Capsule { center1, center2, radius: capsule.radius as f32 };
            create_capsule_shape(world, id, &surface, &capsule)
        }
        Shape::Cylinder(cylinder) => attach_hull(world, id, &surface, &corners(cylinder))?,
        Shape::Hull(hull) => attach_hull(world, id, &surface, hull.vertices())?,
        Shape::Halfspace(plane) => attach_plane(world, id, &surface, plane),
        Shape::Mesh(mesh) if body.kind == BodyType::Static => attach_mesh(world, id, &surface, mesh)?,
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
    Ok(shape)
}

/// Corners of the hull that stands for a cylinder, of which Box3D has none. A driven wheel that rolls over them loses a
/// quarter of its push, with 32 sides as well.
fn corners(cylinder: &Cylinder) -> Vec<DVec3> {
    /// Its own cylinders have at most 32.
    const SIDES: u32 = 24;
    let corner = |k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k / 2) / f64::from(SIDES);
        let z = if k.is_multiple_of(2) { -cylinder.half_length } else { cylinder.half_length };
        (cylinder.radius * DVec3::new(libm::cos(angle), libm::sin(angle), 0.0)).with_z(z)
    };
    (0..2 * SIDES).map(corner).collect()
}

fn attach_hull(world: &mut World, id: BodyId, surface: &ShapeDef, corners: &[DVec3]) -> Result<ShapeId> {
    let corners: Vec<Vec3> = corners.iter().map(|&p| vector(p)).collect();
    let hull = create_hull(&corners, corners.len() as i32).context("Box3D finds no hull of these corners")?;
    Ok(create_hull_shape(world, id, surface, &hull))
}

/// A box under a plane stands for the half-space, of which Box3D has none.
fn attach_plane(world: &mut World, id: BodyId, surface: &ShapeDef, plane: &Halfspace) -> ShapeId {
    /// Beyond all scenes, and small enough for `f32`.
    const HALF: f64 = 500.0;
    const THICK: f64 = 10.0;
    let length = plane.normal.length();
    let normal = plane.normal / length;
    let middle = normal * (plane.offset / length - THICK);
    let place = Transform { p: vector(middle), q: rotation(DQuat::from_rotation_arc(DVec3::Z, normal)) };
    let slab = make_transformed_box_hull(HALF as f32, HALF as f32, THICK as f32, place);
    create_hull_shape(world, id, surface, &slab.base)
}

fn attach_mesh(world: &mut World, id: BodyId, surface: &ShapeDef, mesh: &Mesh) -> Result<ShapeId> {
    let definition = MeshDef {
        vertices: mesh.vertices().iter().map(|&p| vector(p)).collect(),
        indices: mesh.triangles().iter().flatten().map(|&corner| corner as i32).collect(),
        // Edges between faces that are known to be flat or hollow stop nothing that slides over them.
        identify_edges: true,
        ..MeshDef::default()
    };
    let mesh = create_mesh(&definition, None).context("Box3D makes no mesh of these triangles")?;
    Ok(create_mesh_shape(world, id, surface, &mesh, VEC3_ONE))
}
