//! A cell by content.

use sudar::{DVec3, Pose, Shape};

use super::error::CertificateError;
use super::model::{
    CertificateBody, CertificateContent, CertificateJoint, CertificateMotion, CertificateNode,
    CertificateOwner, CertificateShape, LeftOut,
};
use super::order::ordered;
use crate::RobotCell;
use crate::frame::Frame;
use crate::node::{Axis, Coordinate, Motion, Node};

impl CertificateContent {
    /// What a cell consists of.
    ///
    /// # Errors
    /// None that a cell gives cause to.
    pub(super) fn of(cell: &RobotCell) -> Result<Self, CertificateError> {
        let robot = cell.robot();
        let limit = |x: f64| x.is_finite().then_some(x);
        let joints = robot.dofs().iter().map(|dof| CertificateJoint {
            name: dof.name.clone(),
            lower: limit(dof.limits.lower),
            upper: limit(dof.limits.upper),
        });
        let (mut owners, mut bodies) = (Vec::new(), Vec::new());
        for part in cell.parts() {
            let owner = owners.len() as u32;
            for (body, at) in part.bodies() {
                bodies.extend(bodies_of(owner, Some(part.node as u32), body.shape(), at));
            }
            owners.push(CertificateOwner {
                name: part.name.clone(),
                is_object: false,
                padding: part.padding,
            });
        }
        for (name, body, pose) in cell.objects() {
            bodies.extend(bodies_of(owners.len() as u32, None, body.shape(), pose));
            owners.push(CertificateOwner { name: name.to_owned(), is_object: true, padding: 0.0 });
        }
        Ok(Self {
            robot: robot.name().to_owned(),
            joints: joints.collect(),
            limit_tolerance: cell.limit_tolerance(),
            nodes: robot.nodes.iter().map(node).collect(),
            owners,
            bodies,
            left_out: left_out(cell),
        })
    }
}

/// Pairs of parts that are not checked, then pairs with objects.
fn left_out(cell: &RobotCell) -> Vec<LeftOut> {
    let parts = cell.self_pairs().iter().filter(|pair| !pair.is_checked()).map(|pair| LeftOut {
        owners: pair.parts.map(|part| part as u32),
        why: pair.reason.name().to_owned(),
    });
    let count = cell.parts().len();
    let objects = cell.object_names().len();
    let mut pairs: Vec<LeftOut> = parts.collect();
    for part in 0..count {
        for object in (0..objects).filter(|&object| !cell.is_checked_with(part, object)) {
            let owners = [part as u32, (count + object) as u32];
            pairs.push(LeftOut { owners, why: "ignored".to_owned() });
        }
    }
    pairs
}

fn node(node: &Node) -> CertificateNode {
    let motion = |turns: bool, axis: &Axis, by: &Coordinate| CertificateMotion {
        turns,
        axis: axis.direction().to_array(),
        dof: by.dof,
        factor: by.factor,
        offset: by.offset,
    };
    let Frame { x, y, z, t } = node.origin;
    CertificateNode {
        parent: node.parent,
        origin: twelve([x, y, z, t]),
        motion: match &node.motion {
            Motion::None => None,
            Motion::Turn(axis, by) => Some(motion(true, axis, by)),
            Motion::Slide(axis, by) => Some(motion(false, axis, by)),
        },
    }
}

fn twelve(columns: [DVec3; 4]) -> [f64; 12] {
    std::array::from_fn(|i| columns[i / 3][i % 3])
}

/// A body, or several where it is a compound: what is flat of that is one body.
fn bodies_of(owner: u32, node: Option<u32>, shape: &Shape, at: &Pose) -> Vec<CertificateBody> {
    let mut parts = Vec::new();
    collect(shape, at, &mut parts);
    let body = |pose: &Pose, shape: CertificateShape| {
        let r = pose.rotation();
        let pose = twelve([r.x_axis, r.y_axis, r.z_axis, pose.translation()]);
        CertificateBody { owner, node, pose, shape }
    };
    if let [(pose, _)] = parts[..] {
        return parts.into_iter().map(|(_, shape)| body(&pose, sorted(shape))).collect();
    }
    let (mut all, mut every) = (Vec::new(), Vec::new());
    let mut others = Vec::new();
    for (pose, shape) in parts {
        if let CertificateShape::Hulls { points, pieces, radius: 0.0, is_solid: false } = shape {
            let first = all.len() as u32;
            all.extend(points.iter().map(|p| pose.apply(DVec3::from(*p)).to_array()));
            let moved = |piece: Vec<u32>| piece.into_iter().map(|i| first + i).collect::<Vec<u32>>();
            every.extend(pieces.into_iter().map(moved));
        } else {
            others.push(body(&pose, sorted(shape)));
        }
    }
    if !every.is_empty() {
        others.push(body(&Pose::IDENTITY, sorted(hulls(all, every, 0.0))));
    }
    others
}

fn sorted(mut shape: CertificateShape) -> CertificateShape {
    if let CertificateShape::Hulls { points, pieces, .. } = &mut shape {
        *pieces = ordered(points, std::mem::take(pieces));
    }
    shape
}

fn hulls(points: Vec<[f64; 3]>, pieces: Vec<Vec<u32>>, radius: f64) -> CertificateShape {
    CertificateShape::Hulls { points, pieces, radius, is_solid: false }
}

/// One piece of all points.
fn hull(points: &[DVec3], radius: f64) -> CertificateShape {
    let numbers = (0..points.len() as u32).collect();
    hulls(points.iter().map(DVec3::to_array).collect(), vec![numbers], radius)
}

fn mesh(mesh: &sudar::Mesh, is_solid: bool) -> CertificateShape {
    CertificateShape::Hulls {
        points: mesh.vertices().iter().map(DVec3::to_array).collect(),
        pieces: mesh.triangles().iter().map(|corners| corners.to_vec()).collect(),
        radius: 0.0,
        is_solid,
    }
}

fn collect(shape: &Shape, at: &Pose, to: &mut Vec<(Pose, CertificateShape)>) {
    let up = |half: f64| DVec3::new(0.0, 0.0, half);
    let disc = |half: f64, radius: f64| (up(half).to_array(), radius);
    let found = match shape {
        Shape::Mesh(of) => mesh(of, false),
        Shape::Solid(of) => mesh(of.mesh(), true),
        Shape::HeightField(of) => mesh(of.mesh(), false),
        Shape::PointCloud(of) => {
            let points: Vec<[f64; 3]> = of.points().iter().map(DVec3::to_array).collect();
            let pieces = (0..points.len() as u32).map(|i| vec![i]).collect();
            hulls(points, pieces, 0.0)
        }
        Shape::Triangle(of) => hull(&of.corners(), 0.0),
        Shape::Segment(of) => hull(&[of.a, of.b], 0.0),
        Shape::Point(of) => hull(&[*of], 0.0),
        Shape::Sphere(of) => hull(&[of.center], of.radius),
        Shape::Capsule(of) => hull(&[up(-of.half_length), up(of.half_length)], of.radius),
        Shape::Cuboid(of) => {
            let side = |i: u32, k: usize| if i >> k & 1 == 1 { of.half[k] } else { -of.half[k] };
            let corners: Vec<DVec3> =
                (0..8).map(|i| DVec3::new(side(i, 0), side(i, 1), side(i, 2))).collect();
            hull(&corners, 0.0)
        }
        Shape::Hull(of) => hull(of.vertices(), 0.0),
        Shape::Cylinder(of) => {
            CertificateShape::Discs(vec![disc(-of.half_length, of.radius), disc(of.half_length, of.radius)])
        }
        Shape::Cone(of) => {
            CertificateShape::Discs(vec![disc(-of.half_length, of.radius), disc(of.half_length, 0.0)])
        }
        Shape::Ellipsoid(of) => CertificateShape::Ellipsoid(of.radii.to_array()),
        Shape::Halfspace(of) => {
            CertificateShape::Halfspace { normal: of.normal.to_array(), offset: of.offset }
        }
        Shape::Compound(of) => {
            return of.parts().iter().for_each(|(part, pose)| collect(part, &at.after(pose), to));
        }
    };
    to.push((*at, found));
}
