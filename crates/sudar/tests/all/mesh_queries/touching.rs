//! The triangles of a mesh that another body touches, each of them asked by itself: exactly for balls,
//! capsules, segments, points, half-spaces and flat faces; for cylinders, cones and ellipsoids wherever they
//! do not touch within rounding.

use std::sync::Arc;

use rand::RngExt;
use sudar::hull::convex_hull;
use sudar::math::{Fraction, FractionVec3};
use sudar::pair::triangles_intersect;
use sudar::query::{Body, Work, triangles_touching};
use sudar::{
    Capsule, Compound, Cone, Cuboid, Cylinder, DVec3, Ellipsoid, Halfspace, Pose, Segment, Shape, Sphere,
    Triangle,
};
use sudar_testing::Random;
use sudar_testing::oracle::Count;

use super::budgets::under_budgets;
use super::exact_distance::squared_distance;
use super::exact_ray::encloses;
use super::gauge::{Gauge, least};
use super::pairs::{body, somewhere};
use super::truth::{Placed, root, root_at_most};

/// A body with a posed copy of what it is, for asking single triangles.
struct Other {
    shape: Shape,
    pose: Pose,
    form: Form,
}

enum Form {
    /// All points within the radius of the segment.
    Near([DVec3; 2], f64),
    /// Triangles, around an inside or not.
    Faces(Vec<Triangle>, bool),
    /// Below a plane.
    Below(DVec3, f64),
    Round(Gauge),
    /// Any of these.
    Any(Vec<Other>),
}

/// The mesh against the other one of its pair and against one body of another kind.
pub fn check(a: &Placed, b: &Placed, body_a: &Body, r: &mut Random, seen: &mut Count) {
    let mesh = Other {
        shape: body(b).shape().clone(),
        pose: b.pose,
        form: Form::Faces(b.triangles.clone(), b.solid),
    };
    for other in [Some(mesh), near(a, r)].into_iter().flatten() {
        against(a, body_a, &other, r, seen);
    }
}

fn against(a: &Placed, body_a: &Body, other: &Other, r: &mut Random, seen: &mut Count) {
    let asked: Vec<Option<bool>> = a.triangles.iter().map(|t| other.meets(t, r)).collect();
    let body_b = Body::new(other.shape.clone());
    let found = triangles_touching(body_a.at(&a.pose), body_b.at(&other.pose));
    assert!(found.is_sorted_by(|i, j| i < j));
    for (i, meets) in (0..).zip(&asked) {
        let listed = found.binary_search(&i).is_ok();
        assert!(
            meets.is_none_or(|meets| meets == listed),
            "{i}: {meets:?}, {:?} {:?}",
            other.shape,
            other.pose
        );
    }
    seen.add("touching", found.len());
    seen.add("triangles asked", asked.len());
    seen.add("open", asked.iter().filter(|meets| meets.is_none()).count());
    let ask = |work: &mut Work| work.triangles_touching(body_a.at(&a.pose), body_b.at(&other.pose));
    for (some, all) in under_budgets(r, ask) {
        assert!(some.found.iter().all(|i| found.binary_search(i).is_ok()), "{some:?} of {found:?}");
        assert!(!some.complete || some.found == found, "{some:?} of {found:?}");
        assert!(!all || some.complete, "{some:?}");
        seen.add("cut short", !some.complete);
    }
}

impl Other {
    /// Whether the triangle has a point in common with the body, if that is certain.
    fn meets(&self, t: &Triangle, r: &mut Random) -> Option<bool> {
        match &self.form {
            Form::Near([a, b], radius) => Some(root_at_most(&from_axis(t, [*a, *b]), *radius)),
            Form::Faces(faces, full) => {
                let meets = faces.iter().any(|face| triangles_intersect(face, t));
                Some(meets || (*full && encloses(faces, t.a, r)))
            }
            Form::Below(normal, offset) => {
                let (normal, offset) = (FractionVec3::from(*normal), Fraction::from(*offset));
                Some(t.corners().iter().any(|p| normal.dot(&(*p).into()) <= offset))
            }
            Form::Round(gauge) => {
                let least = least(gauge, &t.corners().map(|p| self.pose.unapply(p)));
                let room = gauge.room(&self.pose, t);
                (least.abs() > room).then_some(least < 0.0)
            }
            Form::Any(parts) => {
                let asked: Vec<_> = parts.iter().map(|part| part.meets(t, r)).collect();
                if asked.contains(&Some(true)) {
                    Some(true)
                } else {
                    asked.into_iter().reduce(Option::and)?
                }
            }
        }
    }
}

/// Something of about the size of the mesh where it is, or of the size of one of its triangles.
fn near(a: &Placed, r: &mut Random) -> Option<Other> {
    let [p, q] = [somewhere(a, r), somewhere(a, r)];
    let size = p.distance(q) * [1.0, 0.3, 0.01][r.random_range(0..3)];
    if size == 0.0 {
        return None;
    }
    let turned = Pose::from_matrix(r.any_pose(1.0).rotation(), p).ok()?;
    let pose = if r.random() { turned } else { Pose::from_translation(p).ok()? };
    match r.random_range(0..12) {
        0 => ball(a, p, r),
        1 => capsule(a, &pose, size, r),
        2 => Some(Other {
            shape: Segment::new(p, q).ok()?.into(),
            pose: Pose::IDENTITY,
            form: Form::Near([p, q], 0.0),
        }),
        3 => Some(Other { shape: Shape::Point(p), pose: Pose::IDENTITY, form: Form::Near([p, p], 0.0) }),
        4 => flat(Cuboid::new(some_sizes(r) * size).ok()?.into(), pose),
        5 => flat(hull(r, size)?, pose),
        6 => flat(Triangle::new(p, q, somewhere(a, r)).ok()?.into(), Pose::IDENTITY),
        7 => halfspace(p, r),
        8 => round(Gauge::Cylinder(size, size * r.random_range(0.1..2.0)), pose),
        9 => round(Gauge::Cone(size, size * r.random_range(0.1..2.0)), pose),
        10 => round(Gauge::Ellipsoid(some_sizes(r) * size), pose),
        _ => compound(a, p, &pose, size, r),
    }
}

fn some_sizes(r: &mut Random) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| r.random_range(0.1..1.0)))
}

/// A ball around the point, often one that touches a triangle as well as an `f64` can, or misses it by an ulp.
fn ball(a: &Placed, center: DVec3, r: &mut Random) -> Option<Other> {
    let radius = touching_radius(a, [center; 2], r);
    let moved = r.random();
    let (at, pose) =
        if moved { (DVec3::ZERO, Pose::from_translation(center).ok()?) } else { (center, Pose::IDENTITY) };
    let form = Form::Near([pose.apply(at); 2], radius);
    Some(Other { shape: Sphere::new(at, radius).ok()?.into(), pose, form })
}

fn capsule(a: &Placed, pose: &Pose, half: f64, r: &mut Random) -> Option<Other> {
    let ends = [-half, half].map(|z| pose.apply(DVec3::Z * z));
    let radius = touching_radius(a, ends, r);
    Some(Other {
        shape: Capsule::new(radius, half).ok()?.into(),
        pose: *pose,
        form: Form::Near(ends, radius),
    })
}

fn touching_radius(a: &Placed, [p, q]: [DVec3; 2], r: &mut Random) -> f64 {
    let t = a.triangles[r.random_range(0..a.triangles.len())];
    let exactly = root(&from_axis(&t, [p, q]));
    match r.random_range(0..5) {
        0 => exactly,
        1 => exactly.next_up(),
        2 => exactly.next_down(),
        _ => exactly * r.random_range(0.0..1.5),
    }
}

/// The square of the distance of a segment; of one that pierces the face there is no nearest pair of parts.
fn from_axis(t: &Triangle, [a, b]: [DVec3; 2]) -> Fraction {
    let axis = Triangle { a, b, c: b };
    if triangles_intersect(t, &axis) {
        Fraction::zero()
    } else {
        squared_distance(&t.corners(), &axis.corners())
    }
}

/// A body of flat faces, by the triangles that it says it has.
fn flat(shape: Shape, pose: Pose) -> Option<Other> {
    let body = Body::new(shape.clone());
    let full = matches!(&shape, Shape::Cuboid(_)) || matches!(&shape, Shape::Hull(h) if h.dimension() == 3);
    let faces = sudar_testing::meshes::posed(body.mesh()?, &pose);
    Some(Other { shape, pose, form: Form::Faces(faces, full) })
}

/// On a grid, so that it may be flat.
fn hull(r: &mut Random, size: f64) -> Option<Shape> {
    let fine = if r.random() { 1.0 } else { 16.0 };
    let points: Vec<DVec3> =
        (0..r.random_range(4..20)).map(|_| (r.point() * fine).round() * (size / fine)).collect();
    Some(Shape::Hull(Arc::new(convex_hull(&points).ok()?)))
}

/// Through the point as nearly as can be.
fn halfspace(p: DVec3, r: &mut Random) -> Option<Other> {
    let normal = if r.random() { DVec3::AXES[r.random_range(0..3)] } else { r.point() };
    let offset = normal.dot(p);
    let form = Form::Below(normal, offset);
    Some(Other { shape: Halfspace::new(normal, offset).ok()?.into(), pose: Pose::IDENTITY, form })
}

fn round(gauge: Gauge, pose: Pose) -> Option<Other> {
    let shape: Shape = match gauge {
        Gauge::Cylinder(radius, half) => Cylinder::new(radius, half).ok()?.into(),
        Gauge::Cone(radius, half) => Cone::new(radius, half).ok()?.into(),
        Gauge::Ellipsoid(radii) => Ellipsoid::new(radii).ok()?.into(),
    };
    Some(Other { shape, pose, form: Form::Round(gauge) })
}

/// A ball and a box, moved together by a pose that does not round.
fn compound(a: &Placed, p: DVec3, pose: &Pose, size: f64, r: &mut Random) -> Option<Other> {
    let parts = [ball(a, p, r)?, flat(Cuboid::new(some_sizes(r) * size).ok()?.into(), *pose)?];
    let named = parts.iter().map(|part| (part.shape.clone(), part.pose)).collect();
    let shape = Shape::Compound(Arc::new(Compound::new(named).ok()?));
    Some(Other { shape, pose: Pose::IDENTITY, form: Form::Any(parts.into()) })
}
