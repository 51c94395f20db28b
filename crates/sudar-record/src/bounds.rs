//! Hulls and bounding volumes, and how the queries for them are answered.

use std::f64::consts::TAU;

use sudar::hull::convex_hull;
use sudar::math::Pose;
use sudar::shape::{Aabb, Compound, Shape};
use sudar::volume::Volume;
use sudar::{DVec3, Mesh};
use sudar_classic::volume::Bounds;

use crate::answer::{Answer, BoundsAnswer, KdopVolumes, ObbAnswer};
use crate::error::{RecordError, Result};

/// Refuses points that are too far away to be computed with.
pub(super) fn check_reach(field: &'static str, points: &[DVec3]) -> Result<()> {
    let reachable = points.iter().all(|p| Shape::point(*p).is_ok());
    if reachable { Ok(()) } else { Err(RecordError::PointTooFar.inside(field)) }
}

/// The convex hull of any number of points.
pub(super) fn hull(points: &[DVec3]) -> Result<Answer> {
    if points.is_empty() {
        return Ok(Answer::Hull { dimension: -1, vertices: vec![], faces: vec![], volume: 0.0, area: 0.0 });
    }
    let hull = convex_hull(points)?;
    let sources = hull.sources();
    let face = |i| hull.face(i).map(|v| sources[v as usize]).collect();
    Ok(Answer::Hull {
        dimension: hull.dimension() as i8,
        vertices: sources.to_vec(),
        faces: (0..hull.faces().len()).map(face).collect(),
        volume: hull.volume(),
        area: hull.area(),
    })
}

/// The volumes around all points at most `margin` from some.
pub(super) fn around(points: &[DVec3], margin: f64) -> Result<Answer> {
    let bounds = Bounds::of(points).ok_or(RecordError::NothingBounded)?;
    let bounds = if margin > 0.0 { bounds.grown(margin) } else { bounds };
    let obb = bounds.tightest_obb();
    Ok(Answer::Bounds(Box::new(BoundsAnswer {
        aabb: bounds.aabb,
        sphere: bounds.sphere,
        obb: ObbAnswer {
            center: obb.center,
            axes: [obb.axes.x_axis, obb.axes.y_axis, obb.axes.z_axis],
            half: obb.half,
        },
        kdop: KdopVolumes {
            six: bounds.dop6.volume(),
            fourteen: bounds.dop14.volume(),
            eighteen: bounds.dop18.volume(),
            twenty_six: bounds.dop26.volume(),
        },
    })))
}

/// Points and a margin around them that hold a posed shape: exactly it for what has corners, for balls and
/// for capsules; for other round shapes a polyhedron around it that is larger by less than 0.2 %.
pub(super) fn cloud_of(shape: &Shape, pose: &Pose) -> Result<(Vec<DVec3>, f64)> {
    let place = |points: &[DVec3]| points.iter().map(|&p| pose.apply(p)).collect();
    let exact = |points: &[DVec3]| Ok((place(points), 0.0));
    match shape {
        Shape::Mesh(mesh) => exact(&corners(mesh)),
        Shape::Solid(solid) => exact(&corners(solid.mesh())),
        Shape::HeightField(field) => exact(&corners(field.mesh())),
        Shape::PointCloud(cloud) => exact(cloud.points()),
        Shape::Triangle(t) => exact(&t.corners()),
        Shape::Segment(s) => exact(&[s.a, s.b]),
        Shape::Point(p) => exact(&[*p]),
        Shape::Hull(hull) => exact(hull.vertices()),
        Shape::Cuboid(c) => exact(&Aabb { min: -c.half, max: c.half }.corners()),
        Shape::Sphere(s) => Ok((place(&[s.center]), s.radius)),
        Shape::Capsule(c) => Ok((place(&[c.axis().a, c.axis().b]), c.radius)),
        Shape::Cylinder(c) => {
            exact(&[ring(c.radius, -c.half_length), ring(c.radius, c.half_length)].concat())
        }
        Shape::Cone(c) => exact(&[ring(c.radius, -c.half_length), vec![DVec3::Z * c.half_length]].concat()),
        Shape::Ellipsoid(e) => exact(&ball(e.radii)),
        Shape::Halfspace(_) => Err(RecordError::Unbounded),
        Shape::Compound(compound) => of_parts(compound, pose),
    }
}

/// Balls and capsules among other parts become polyhedra: one margin serves one kind only.
fn of_parts(compound: &Compound, pose: &Pose) -> Result<(Vec<DVec3>, f64)> {
    let mut all = Vec::new();
    for (shape, own) in compound.parts() {
        let (points, margin) = cloud_of(shape, &pose.after(own))?;
        if margin > 0.0 {
            let ball = ball(DVec3::splat(margin));
            all.extend(points.iter().flat_map(|p| ball.iter().map(move |q| *p + *q)));
        } else {
            all.extend(points);
        }
    }
    Ok((all, 0.0))
}

/// The vertices that triangles use.
fn corners(mesh: &Mesh) -> Vec<DVec3> {
    let mut used: Vec<u32> = mesh.triangles().as_flattened().to_vec();
    used.sort_unstable();
    used.dedup();
    used.into_iter().map(|v| mesh.vertices()[v as usize]).collect()
}

const SIDES: u32 = 64;
const RINGS: u32 = 48;

/// The corners of a polyhedron around an ellipsoid: rings of polygons around circles, so far out that the faces between
/// two rings clear the unit ball too.
fn ball(radii: DVec3) -> Vec<DVec3> {
    let angles = (0..=RINGS).map(|i| TAU * 0.5 * f64::from(i) / f64::from(RINGS));
    let out = 1.0 / libm::cos(TAU * 0.25 / f64::from(RINGS)) * (1.0 + 1e-12);
    angles.flat_map(|u| ring(out * libm::sin(u), out * libm::cos(u))).map(|p| p * radii).collect()
}

/// A polygon around a circle.
fn ring(radius: f64, z: f64) -> Vec<DVec3> {
    let out = radius / libm::cos(TAU * 0.5 / f64::from(SIDES)) * (1.0 + 1e-12);
    let angle = |i: u32| TAU * f64::from(i) / f64::from(SIDES);
    (0..SIDES).map(|i| DVec3::new(out * libm::cos(angle(i)), out * libm::sin(angle(i)), z)).collect()
}

#[cfg(test)]
mod tests {
    use sudar::query::Body;

    use super::*;
    use crate::QueryLine;

    fn ask(fields: &str) -> Result<BoundsAnswer, RecordError> {
        let line = format!(r#"{{"query":"bounds",{fields}}}"#);
        let read = QueryLine::parse(line.as_bytes()).map_err(|bad| bad.error)?;
        assert_eq!(read.to_json().unwrap(), line);
        let prepared =
            read.query.prepare(|spec| Ok(Body::new(spec.shape(|_, _| Err("no file".to_owned()))?)))?;
        let Answer::Bounds(answer) = prepared.ask()? else { panic!("another answer") };
        Ok(*answer)
    }

    #[test]
    fn points_and_shapes_are_bounded() {
        let found = ask(r#""points":[[0.0,0.0,0.0],[2.0,0.0,0.0],[0.0,1.0,0.0],[0.0,0.0,2.0]]"#).unwrap();
        assert_eq!(found.aabb, Aabb { min: DVec3::ZERO, max: DVec3::new(2.0, 1.0, 2.0) });
        // Through (2, 0, 0), (0, 0, 2) and (0, 1, 0) with its centre at (c, 2c − 3/2, c): least for c = 5/6, where
        // the squared radius is (7/6)² + (5/6)² + (1/6)² = 75/36.
        assert!((found.sphere.radius - (75.0f64 / 36.0).sqrt()).abs() < 1e-14);
        assert_eq!(found.kdop.six, 4.0);
        let KdopVolumes { six, fourteen, eighteen, twenty_six } = found.kdop;
        // Volumes are rounded.
        let below = |x: f64, y: f64| x <= y * (1.0 + 1e-12);
        assert!(below(twenty_six, fourteen) && below(twenty_six, eighteen));
        assert!(below(fourteen, six) && below(eighteen, six));
        let ball =
            ask(r#""a":{"sphere":2.0},"pose_a":{"translation":[1.0,0.0,0.0],"rotation":[0.0,0.0,0.0,1.0]}"#);
        let ball = ball.unwrap();
        assert_eq!(ball.sphere.center, DVec3::X);
        assert!((2.0..2.0 + 1e-12).contains(&ball.sphere.radius));
        assert!(ball.aabb.max.x >= 3.0 && ball.aabb.max.x < 3.0 + 1e-12);
    }

    #[test]
    fn round_shapes_are_held_and_little_is_added() {
        for (fields, truth) in [
            (r#""a":{"cylinder":[1.0,2.0]}"#, [1.0, 1.0, 2.0]),
            (r#""a":{"cone":[1.0,2.0]}"#, [1.0, 1.0, 2.0]),
            (r#""a":{"ellipsoid":[1.0,2.0,3.0]}"#, [1.0, 2.0, 3.0]),
            (r#""a":{"capsule":[1.0,2.0]}"#, [1.0, 1.0, 3.0]),
            (
                r#""a":{"compound":[{"shape":{"sphere":1.5}},{"shape":{"box":[1.0,2.0,1.0]}}]}"#,
                [1.5, 2.0, 1.5],
            ),
        ] {
            let found = ask(fields).unwrap().aabb;
            for (truth, found) in truth.into_iter().zip(found.max.to_array()) {
                assert!((truth..truth * 1.002 + 1e-9).contains(&found), "{fields}: {found}");
            }
        }
        // Points of the ellipsoid are inside its polyhedron.
        let ellipsoid = sudar::Ellipsoid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap();
        let (points, _) = cloud_of(&ellipsoid.into(), &Pose::IDENTITY).unwrap();
        let hull = convex_hull(&points).unwrap();
        for i in 0..2000 {
            let (u, v) = (f64::from(i) * 0.0157, f64::from(i) * 2.399);
            let direction =
                DVec3::new(libm::sin(u) * libm::cos(v), libm::sin(u) * libm::sin(v), libm::cos(u));
            assert!(hull.contains(direction * DVec3::new(1.0, 2.0, 3.0)));
        }
    }

    #[test]
    fn what_cannot_be_bounded_is_said() {
        let error = |fields: &str| ask(fields).unwrap_err().to_string();
        assert_eq!(
            error(r#""points":[]"#),
            "nothing is bounded; give `a`, or one point at least in `points`"
        );
        assert_eq!(error(r#""a":{"halfspace":[0.0,0.0,1.0,0.0]}"#), "`a`: a halfspace has no bounds");
        assert!(error(r#""points":[[1e+91,0.0,0.0]]"#).contains("1e90"));
        let both =
            QueryLine::parse(br#"{"query":"bounds","a":{"sphere":1},"points":[[0,0,0]]}"#).unwrap_err();
        assert_eq!(both.error.to_string(), "give either `a` or `points`, not both");
    }
}
