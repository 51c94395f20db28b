//! Queries as lines that `sudar replay` reads.

use sudar::query::DistanceOptions;
use sudar::{DVec3, Ray};
use sudar_record::{AccuracySpec, BodyQuery, Budget, PairQuery, Posed, Query, QueryLine};

use crate::cases::Case;

/// What was asked of the bodies of a case.
#[derive(Debug, Clone, Copy)]
pub enum Asked {
    Intersects,
    Contacts,
    Manifold(f64),
    Distance(DistanceOptions),
    DistanceUnder(u64),
    Within(f64),
    LocalMinima(f64),
    Penetration,
    /// Of the first body.
    Ray(Ray, f64),
    ClosestPoint(DVec3),
    Contains(DVec3),
}

pub fn line(id: String, asked: Asked, case: &Case) -> String {
    let a = Posed::of(case.a.shape(), &case.pose_a);
    let b = Box::new(Posed::of(case.b.shape(), &case.pose_b));
    let accuracy = AccuracySpec { absolute: None, relative: Some(0.0) };
    let mut budget = None;
    let of_two = |ask| Query::Pair { a: a.clone(), b, ask };
    let of_one = |ask| Query::Body { a: a.clone(), ask };
    let query = match asked {
        Asked::Intersects => of_two(PairQuery::Intersects {}),
        Asked::Contacts => of_two(PairQuery::Contacts { max: None }),
        Asked::Manifold(margin) => of_two(PairQuery::Manifold { margin: Some(margin) }),
        Asked::Distance(DistanceOptions { absolute, relative, max }) => of_two(PairQuery::Distance {
            accuracy: AccuracySpec { absolute: Some(absolute), relative: Some(relative) },
            max: max.is_finite().then_some(max),
        }),
        Asked::DistanceUnder(nodes) => {
            budget = Some(Budget { nodes: Some(nodes), ms: None });
            of_two(PairQuery::Distance { accuracy, max: None })
        }
        Asked::Within(tolerance) => of_two(PairQuery::Within { tolerance }),
        Asked::LocalMinima(tolerance) => of_two(PairQuery::LocalMinima { tolerance }),
        Asked::Penetration => of_two(PairQuery::Penetration(AccuracySpec::default())),
        Asked::Ray(ray, max) => of_one(BodyQuery::Ray {
            origin: ray.origin,
            direction: ray.direction,
            max: max.is_finite().then_some(max),
        }),
        Asked::ClosestPoint(point) => of_one(BodyQuery::ClosestPoint { point }),
        Asked::Contains(point) => of_one(BodyQuery::Contains { point, method: None }),
    };
    QueryLine { id: Some(id), query, budget }.to_json().unwrap()
}
