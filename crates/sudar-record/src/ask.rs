//! From a written query to its answer.

use std::fmt;
use std::sync::Arc;

use sudar::effort::Budget;
use sudar::query::{Body, Work};
use sudar_classic::broad_phase;

use crate::answer::Answer;
use crate::bounds::{around, check_reach, hull};
use crate::boxes::pairs;
use crate::error::Result;
use crate::query::{Query, SIDES};
use crate::shape::ShapeSpec;
use crate::stand::{Ask, Stand};

/// A query with its shapes loaded and their trees built: what remains is the query alone.
#[derive(Clone)]
pub struct Prepared {
    ask: Arc<Ask>,
    budget: Budget,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("budget", &self.budget).finish_non_exhaustive()
    }
}

impl Query {
    /// Makes the query ready to run. `body` gives the body of a shape, built or from a store.
    ///
    /// # Errors
    /// Those of `body`, of poses and rays, and of queries that do not apply to the shape.
    pub fn prepare(&self, mut body: impl FnMut(&ShapeSpec) -> Result<Body>) -> Result<Prepared> {
        let mut stand = |posed, fields| Stand::new(posed, fields, &mut body);
        let ask: Arc<Ask> = match self {
            Self::Pair { a, b, ask } => {
                let a = stand(a, SIDES[0])?;
                ask.prepare([a, stand(b, SIDES[1])?])?
            }
            Self::Body { a, ask } => ask.prepare(stand(a, SIDES[0])?)?,
            &Self::Passage(spec) => Arc::new(move |_| Ok(spec.ask())),
            Self::Hull { points } => {
                let points = points.clone();
                Arc::new(move |_| hull(&points).map_err(|e| e.inside("points")))
            }
            Self::Bounds { points } => {
                let points = points.clone();
                check_reach("points", &points)?;
                Arc::new(move |_| around(&points, 0.0))
            }
            Self::Pairs { boxes, algorithm, list } => {
                let (boxes, list) = (boxes.aabbs()?, list.unwrap_or(true));
                let name = algorithm.clone().unwrap_or_else(|| "auto".to_owned());
                broad_phase(&name)?;
                Arc::new(move |_| pairs(&boxes, &name, list))
            }
        };
        Ok(Prepared { ask, budget: Budget::UNLIMITED })
    }
}

impl Prepared {
    /// The same question under a budget.
    #[must_use]
    pub fn under(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// The answer. The same bits each time, unless a time ends it.
    ///
    /// # Errors
    /// [`NeedsSolid`](crate::RecordError::NeedsSolid) if the shape of a `contains` has no inside and the method is not
    /// winding numbers; [`Hull`](crate::RecordError::Hull), [`Mass`](crate::RecordError::Mass).
    pub fn ask(&self) -> Result<Answer> {
        (self.ask)(&mut Work::new(self.budget))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sudar::glam::{DQuat, DVec2, DVec3};
    use sudar::hull::convex_hull;
    use sudar::math::Pose;
    use sudar::query::Layer;
    use sudar::shape::{
        Aabb, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, HeightField, Mesh, PointCloud,
        Segment, Shape, Solid, Sphere, Triangle,
    };

    use super::*;
    use crate::{BodyQuery, InsideMethod, PairQuery, PoseSpec, Posed, QueryLine, RecordError, ToleranceSpec};

    fn shapes() -> Vec<Shape> {
        let cube = Arc::new(Mesh::from_aabb(Aabb { min: DVec3::splat(-0.3), max: DVec3::splat(0.7) }));
        let [p, q, r] =
            [DVec3::new(0.1, 0.2, 0.3), DVec3::new(1.0 / 3.0, -1.0, 0.0), DVec3::new(0.0, 0.7, 1e-9)];
        let hull = convex_hull(&[p, q, r, DVec3::ONE, (p + q) * 0.5, DVec3::X]).unwrap();
        let turn = DQuat::from_xyzw(0.5, 0.1, -0.5, 0.7).normalize();
        let heights = [Some(0.1), None, Some(1.0 / 3.0), Some(0.0), Some(-1e-9), Some(0.7)];
        let field = HeightField::new(2, &heights.repeat(2), DVec2::new(0.1, 0.7)).unwrap();
        let parts = vec![
            (Shape::Cone(Cone::new(0.25, 0.4).unwrap()), Pose::new(q, turn).unwrap()),
            (Shape::Hull(Arc::new(hull.clone())), Pose::IDENTITY),
        ];
        vec![
            Shape::Capsule(Capsule::new(0.1, 0.3).unwrap()),
            Shape::Cylinder(Cylinder::new(0.1, 0.3).unwrap()),
            Shape::Cone(Cone::new(0.1, 0.3).unwrap()),
            Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.1, 0.2, 0.3)).unwrap()),
            Shape::Hull(Arc::new(hull)),
            Shape::HeightField(Arc::new(field)),
            Shape::PointCloud(Arc::new(PointCloud::new(vec![p, q, p]).unwrap())),
            Shape::Compound(Arc::new(Compound::new(parts).unwrap())),
            Shape::Solid(Arc::new(Solid::new(cube.clone()).unwrap())),
            Shape::Mesh(cube),
            Shape::Triangle(Triangle::new(p, q, r).unwrap()),
            Shape::Segment(Segment::new(p, q).unwrap()),
            Shape::Point(p),
            Shape::Sphere(Sphere::new(p, 0.9).unwrap()),
            Shape::Cuboid(Cuboid::new(DVec3::new(0.5, 1.0 / 3.0, 0.25)).unwrap()),
            Shape::Halfspace(Halfspace::new(q, -0.1).unwrap()),
        ]
    }

    /// The body that a recorded shape stands for, read back from the line it was written to.
    fn replayed(shape: &Shape, pose: &Pose) -> (Body, Pose) {
        let ask = BodyQuery::ClosestPoint { point: DVec3::ZERO };
        let query = Query::Body { a: Posed::of(shape, pose), ask };
        let line = QueryLine { id: None, query, budget: None }.to_json().unwrap();
        let read = QueryLine::parse(line.as_bytes()).unwrap();
        let Query::Body { a, .. } = read.query else { panic!("another query came back") };
        let body = Body::new(a.shape.shape(|_, _| Err("no file was written".to_owned())).unwrap());
        let pose = a.pose.pose(body.shape()).unwrap();
        (body, pose)
    }

    /// The numbers that make a posed shape what it is.
    fn geometry(shape: &Shape, pose: &Pose) -> Vec<DVec3> {
        let placed = |points: &[DVec3]| points.iter().map(|&p| pose.apply(p)).collect();
        let framed = |numbers: DVec3| {
            let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| pose.rotate(axis));
            [numbers, pose.translation()].into_iter().chain(axes).collect()
        };
        match shape {
            Shape::Sphere(s) => vec![pose.apply(s.center), DVec3::splat(s.radius)],
            Shape::Halfspace(h) => vec![pose.rotate(h.normal), DVec3::splat(h.offset), pose.translation()],
            Shape::Capsule(c) => framed(DVec3::new(c.radius, c.half_length, 0.0)),
            Shape::Cylinder(c) => framed(DVec3::new(c.radius, c.half_length, 1.0)),
            Shape::Cone(c) => framed(DVec3::new(c.radius, c.half_length, 2.0)),
            Shape::Ellipsoid(e) => framed(e.radii),
            Shape::Cuboid(c) => framed(c.half),
            Shape::Mesh(m) => placed(m.vertices()),
            Shape::HeightField(f) => placed(f.mesh().vertices()),
            Shape::PointCloud(c) => placed(c.points()),
            Shape::Solid(s) => placed(s.mesh().vertices()),
            Shape::Triangle(t) => placed(&t.corners()),
            Shape::Segment(s) => placed(&[s.a, s.b]),
            Shape::Point(p) => placed(&[*p]),
            Shape::Hull(h) => {
                let number = |v: u32| DVec3::splat(f64::from(v));
                let loops = h.half_edges().iter().map(|e| number(e.origin));
                h.vertices().iter().map(|&p| pose.apply(p)).chain(loops).collect()
            }
            Shape::Compound(c) => {
                let own = framed(DVec3::ZERO);
                c.parts().iter().flat_map(|(s, p)| geometry(s, p)).chain(own).collect()
            }
        }
    }

    #[test]
    fn a_hull_is_asked_for_by_its_points() {
        let ask = |points: &str| {
            let line = format!(r#"{{"query":"hull","points":{points}}}"#);
            let read = QueryLine::parse(line.as_bytes()).map_err(|bad| bad.error)?;
            let prepared = read.query.prepare(|_| Err(RecordError::PointTooFar))?;
            Ok::<_, RecordError>(serde_json::to_string(&prepared.ask()?).unwrap())
        };
        // A right tetrahedron with a point on a face and a double: volume 1/6, area 3/2 + √3/2.
        let answer = ask("[[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.25,0.25,0],[1,0,0]]").unwrap();
        assert!(answer.starts_with(
            r#"{"dimension":3,"vertices":[0,1,2,3],"faces":[[0,1,3],[0,2,1],[0,3,2],[1,2,3]],"volume":0.16666666666666666,"area":2.366"#
        ));
        let flat = r#"{"dimension":2,"vertices":[0,1,2],"faces":[[0,1,2],[0,2,1]],"volume":0.0,"area":1.0}"#;
        assert_eq!(ask("[[0,0,0],[1,0,0],[0,1,0]]").unwrap(), flat);
        let none = r#"{"dimension":-1,"vertices":[],"faces":[],"volume":0.0,"area":0.0}"#;
        assert_eq!(ask("[]").unwrap(), none);
        let error = ask("[[0,0,0],[1e91,0,0]]").unwrap_err().to_string();
        assert_eq!(error, "`points`: point 1 has a coordinate beyond 1e90; scale the points down");
    }

    #[test]
    fn pairs_of_boxes_are_asked_for_by_the_name_of_an_algorithm() {
        let ask = |fields: &str| {
            let line = format!(r#"{{"query":"pairs",{fields}}}"#);
            let read = QueryLine::parse(line.as_bytes()).map_err(|bad| bad.error)?;
            assert_eq!(read.to_json().unwrap(), line);
            let prepared = read.query.prepare(|_| Err(RecordError::PointTooFar))?;
            Ok::<_, RecordError>(serde_json::to_string(&prepared.ask()?).unwrap())
        };
        let boxes =
            r#""boxes":[[0.0,0.0,0.0,1.0,1.0,1.0],[5.0,0.0,0.0,6.0,1.0,1.0],[1.0,0.5,0.0,2.0,2.0,0.5]]"#;
        for name in &sudar_classic::ALL_BROAD_PHASES[1..] {
            let answer = ask(&format!(r#"{boxes},"algorithm":"{name}""#)).unwrap();
            assert_eq!(answer, format!(r#"{{"count":1,"pairs":[[0,2]],"algorithm":"{name}"}}"#));
        }
        assert_eq!(ask(&format!(r#"{boxes},"list":false"#)).unwrap(), r#"{"count":1,"algorithm":"brute"}"#);
        let error = |fields: &str| ask(fields).unwrap_err().to_string();
        let inverted = error(r#""boxes":[[0.0,0.0,0.0,1.0,-1.0,1.0]]"#);
        assert_eq!(inverted, "`boxes`: the box of object 0 ends before it begins on axis 1; swap its ends");
        assert!(
            error(&format!(r#"{boxes},"algorithm":"magic""#))
                .starts_with("unknown algorithm \"magic\"; known: auto, brute")
        );
        assert!(error(r#""boxes_file":"x.npy""#).contains("x.npy: was not read"));
    }

    #[test]
    fn a_recorded_shape_comes_back_in_the_same_place_bit_for_bit() {
        let turn = DQuat::from_xyzw(0.1, -0.7, 0.5, 0.5).normalize();
        let pose = Pose::new(DVec3::new(1.0 / 3.0, -1e-7, 4e5), turn).unwrap();
        for shape in shapes() {
            let body = Body::new(shape.clone());
            let (again, place) = replayed(&shape, &pose);
            assert_eq!(geometry(body.shape(), &pose), geometry(again.shape(), &place), "{shape:?}");
        }
    }

    #[test]
    fn the_identity_is_not_written() {
        let posed = Posed::of(&Shape::Point(DVec3::X), &Pose::IDENTITY);
        assert_eq!(posed.pose, PoseSpec::IDENTITY);
        let ask = BodyQuery::Contains { point: DVec3::ZERO, method: None };
        let query = Query::Body { a: posed, ask };
        let line = QueryLine { id: None, query, budget: None };
        let text = r#"{"query":"contains","a":{"point":[1.0,0.0,0.0]},"point":[0.0,0.0,0.0]}"#;
        assert_eq!(line.to_json().unwrap(), text);
    }

    /// Two waves with long slopes beside each other, so that searches of a first hit become long.
    fn wave() -> Shape {
        let rows: Vec<Vec<Option<f64>>> = (0..40)
            .map(|y| {
                (0..40).map(|x| Some(0.1 * libm::sin(f64::from(x) * 0.4) + f64::from(y) * 0.02)).collect()
            })
            .collect();
        let field = HeightField::from_rows(&rows, DVec2::splat(0.025)).unwrap();
        Shape::Mesh(field.mesh().clone())
    }

    fn posed(shape: &Shape, x: f64) -> Posed {
        Posed::of(shape, &Pose::from_translation(DVec3::new(x, 0.01, 0.003)).unwrap())
    }

    fn queries(a: &Posed, b: &Posed) -> Vec<Query> {
        let (point, tolerance, accuracy) = (DVec3::new(0.1, 0.2, 0.05), 0.3, crate::AccuracySpec::default());
        let a_end = Some(Box::new(PoseSpec::of(&Pose::from_translation(DVec3::X * 2.0).unwrap())));
        let of_one = [
            BodyQuery::Ray { origin: DVec3::splat(9.0), direction: -DVec3::ONE, max: None },
            BodyQuery::ClosestPoint { point },
            BodyQuery::Contains { point, method: None },
            BodyQuery::Contains { point, method: Some(InsideMethod::Winding) },
        ];
        let of_two = [
            PairQuery::Intersects {},
            PairQuery::Contacts { max: None },
            PairQuery::Manifold { margin: Some(0.01) },
            PairQuery::Distance { accuracy, max: None },
            PairQuery::Within { tolerance },
            PairQuery::LocalMinima { tolerance },
            PairQuery::Penetration(accuracy),
            PairQuery::Sweep { a_end, b_end: None, tolerance: ToleranceSpec::default() },
        ];
        let one = of_one.into_iter().map(|ask| Query::Body { a: a.clone(), ask });
        one.chain(of_two.into_iter().map(|ask| Query::Pair { a: a.clone(), b: Box::new(b.clone()), ask }))
            .collect()
    }

    #[test]
    fn a_query_builds_no_layer_that_was_not_prepared() {
        let mut shapes = shapes();
        shapes.push(wave());
        let mut beside: Vec<String> = Vec::new();
        for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
            for query in [0.0, 0.7].into_iter().flat_map(|x| queries(&posed(a, 0.0), &posed(b, x))) {
                let mut bodies = Vec::new();
                let prepared = query.prepare(|spec| {
                    let body = Body::new(spec.shape(|_, _| Err(String::new()))?);
                    body.prepare(query.layers());
                    bodies.push(body.clone());
                    Ok(body)
                });
                let bytes = || -> Vec<usize> {
                    bodies.iter().flat_map(|body| Layer::ALL.map(|layer| body.layer_bytes(layer))).collect()
                };
                // Some pairs have no contacts.
                let Ok(prepared) = prepared else { continue };
                let before = bytes();
                let _ = prepared.ask();
                for (i, (before, after)) in before.iter().zip(bytes()).enumerate() {
                    if *before != after {
                        beside.push(format!("{}: {}", query.name(), Layer::ALL[i % Layer::ALL.len()].name()));
                    }
                }
            }
        }
        beside.sort();
        beside.dedup();
        assert!(beside.is_empty(), "{beside:?}");
    }
}
