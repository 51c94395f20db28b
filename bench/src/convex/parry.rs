//! parry3d in `f64` and in `f32`, through its public queries on `dyn Shape`.

use ::sudar::Pose;
use glam::{DQuat, DVec3};

use super::answers::{Answers, Query, asked};
use super::cases::Case;
use super::form::Form;

macro_rules! parry {
    ($module:ident, $krate:ident, $real:ty, $name:literal) => {
        /// One of the two packages.
        pub mod $module {
            use super::{Answers, Case, DVec3, Form, Pose, Query, asked, poses};
            use $krate::math::{Pose3, Rot3, Vector};
            use $krate::query::details::contact_manifold_cuboid_cuboid_shapes;
            use $krate::query::{self, ContactManifold};
            use $krate::shape::{Ball, Capsule, Cone, ConvexPolyhedron, Cuboid, Cylinder, Shape};

            /// Times and answers; none if parry does not have the shapes.
            pub fn answers(case: &Case, sweeps: usize) -> Vec<Answers> {
                let Some(first) = case.first.iter().map(shape).collect::<Option<Vec<_>>>() else {
                    return Vec::new();
                };
                let Some(second) = case.second.iter().map(shape).collect::<Option<Vec<_>>>() else {
                    return Vec::new();
                };
                let prepared = Prepared { case, first, second, posed: poses(case, pose), sweeps };
                let mut found = vec![
                    prepared.ask(Query::Touch, touch),
                    prepared.ask(Query::Distance, distance),
                    prepared.ask(Query::Depth, depth),
                ];
                if case.is_of_boxes() {
                    found.push(prepared.ask(Query::Manifold, manifold));
                }
                found
            }

            /// Everything made before the clock starts.
            struct Prepared<'a> {
                case: &'a Case,
                first: Vec<Box<dyn Shape>>,
                second: Vec<Box<dyn Shape>>,
                posed: Vec<[Pose3; 2]>,
                sweeps: usize,
            }

            impl Prepared<'_> {
                fn ask(
                    &self,
                    query: Query,
                    f: impl Fn(&Pose3, &dyn Shape, &Pose3, &dyn Shape) -> f64,
                ) -> Answers {
                    asked($name, query, self.posed.len(), self.sweeps, |i| {
                        let pair = &self.case.pairs[i];
                        let [pose_a, pose_b] = &self.posed[i];
                        f(pose_a, &*self.first[pair.a], pose_b, &*self.second[pair.b])
                    })
                }
            }

            fn touch(pose_a: &Pose3, a: &dyn Shape, pose_b: &Pose3, b: &dyn Shape) -> f64 {
                query::intersection_test(pose_a, a, pose_b, b)
                    .map_or(f64::NAN, |hit| f64::from(u8::from(hit.intersecting)))
            }

            fn distance(pose_a: &Pose3, a: &dyn Shape, pose_b: &Pose3, b: &dyn Shape) -> f64 {
                query::distance(pose_a, a, pose_b, b).map_or(f64::NAN, |found| f64::from(found.distance))
            }

            fn depth(pose_a: &Pose3, a: &dyn Shape, pose_b: &Pose3, b: &dyn Shape) -> f64 {
                query::contact(pose_a, a, pose_b, b, 0.0).map_or(f64::NAN, |found| {
                    found.map_or(0.0, |contact| f64::from((-contact.dist).max(0.0)))
                })
            }

            /// The deepest contact of a manifold made anew, as poses that have nothing to do with each other need it.
            fn manifold(pose_a: &Pose3, a: &dyn Shape, pose_b: &Pose3, b: &dyn Shape) -> f64 {
                let mut manifold = ContactManifold::<(), ()>::new();
                let relative = pose_a.inv_mul(pose_b);
                contact_manifold_cuboid_cuboid_shapes(&relative, a, b, 0.0, &mut manifold);
                manifold
                    .points
                    .iter()
                    .fold(0.0, |deepest: f64, contact| deepest.max(f64::from(-contact.dist)))
            }

            fn vector(v: DVec3) -> Vector {
                Vector::new(v.x as $real, v.y as $real, v.z as $real)
            }

            fn shape(form: &Form) -> Option<Box<dyn Shape>> {
                Some(match form {
                    Form::Hull { vertices, .. } => {
                        let points: Vec<_> = vertices.iter().map(|&v| vector(v)).collect();
                        Box::new(ConvexPolyhedron::from_convex_hull(&points)?)
                    }
                    Form::Cuboid(half) => Box::new(Cuboid::new(vector(*half))),
                    Form::Sphere(radius) => Box::new(Ball::new(*radius as $real)),
                    Form::Capsule { radius, half_length } => {
                        Box::new(Capsule::new_z(*half_length as $real, *radius as $real))
                    }
                    Form::Cylinder { radius, half_length } => {
                        Box::new(Cylinder::new(*half_length as $real, *radius as $real))
                    }
                    Form::Cone { radius, half_length } => {
                        Box::new(Cone::new(*half_length as $real, *radius as $real))
                    }
                    Form::Ellipsoid(_) => return None,
                })
            }

            fn pose(pose: &Pose, form: &Form) -> Pose3 {
                let q = super::turn(pose, form);
                let [x, y, z, w] = q.to_array().map(|x| x as $real);
                Pose3::from_parts(vector(pose.translation()), Rot3::from_xyzw(x, y, z, w).normalize())
            }
        }
    };
}

parry!(double, parry3d_f64, f64, "parry f64");
parry!(single, parry3d, f32, "parry f32");

/// The poses of every pair, made before the clock starts.
fn poses<T>(case: &Case, pose: impl Fn(&Pose, &Form) -> T) -> Vec<[T; 2]> {
    case.pairs
        .iter()
        .map(|p| [pose(&p.pose_a, &case.first[p.a]), pose(&p.pose_b, &case.second[p.b])])
        .collect()
}

/// The rotation of a shape; parry's cylinders and cones lie along y, so that theirs begins with y to z.
fn turn(pose: &Pose, form: &Form) -> DQuat {
    let q = DQuat::from_mat3(&pose.rotation()).normalize();
    match form {
        Form::Cylinder { .. } | Form::Cone { .. } => {
            let half = std::f64::consts::FRAC_1_SQRT_2;
            (q * DQuat::from_xyzw(half, 0.0, 0.0, half)).normalize()
        }
        Form::Hull { .. } | Form::Cuboid(_) | Form::Sphere(_) | Form::Capsule { .. } | Form::Ellipsoid(_) => {
            q
        }
    }
}
