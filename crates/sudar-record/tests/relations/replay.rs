//! Queries as lines that `sudar replay` reads.

use sudar::query::DistanceOptions;
use sudar::{DVec3, Ray};
use sudar_record::{AccuracySpec, Budget, Posed, Query, QueryLine};

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
    let b = Posed::of(case.b.shape(), &case.pose_b);
    let accuracy = AccuracySpec { absolute: None, relative: Some(0.0) };
    let mut budget = None;
    let query = match asked {
        Asked::Intersects => Query::Intersects { a, b },
        Asked::Contacts => Query::Contacts { a, b, max: None },
        Asked::Manifold(margin) => Query::Manifold { a, b, margin: Some(margin) },
        Asked::Distance(DistanceOptions { absolute, relative, max }) => Query::Distance {
            a,
            b,
            accuracy: AccuracySpec { absolute: Some(absolute), relative: Some(relative) },
            max: max.is_finite().then_some(max),
        },
        Asked::DistanceUnder(nodes) => {
            budget = Some(Budget { nodes: Some(nodes), ms: None });
            Query::Distance { a, b, accuracy, max: None }
        }
        Asked::Within(tolerance) => Query::Within { a, b, tolerance },
        Asked::LocalMinima(tolerance) => Query::LocalMinima { a, b, tolerance },
        Asked::Penetration => {
            Query::Penetration { a, b, accuracy: AccuracySpec { absolute: None, relative: None } }
        }
        Asked::Ray(ray, max) => Query::Ray {
            a,
            origin: ray.origin,
            direction: ray.direction,
            max: max.is_finite().then_some(max),
        },
        Asked::ClosestPoint(point) => Query::ClosestPoint { a, point },
        Asked::Contains(point) => Query::Contains { a, point, method: None },
    };
    QueryLine { id: Some(id), query, budget }.to_json().unwrap()
}
