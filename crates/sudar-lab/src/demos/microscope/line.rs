//! A line of `replay`: the pair under the microscope written down, and read again.

use sudar::Pose;
use sudar_record::{AccuracySpec, PairQuery, PoseSpec, Posed, Query, QueryLine, ToleranceSpec};

use super::model::{FILE, Model};
use super::stand::Stand;
use crate::demo::DemoError;

/// The queries that can be written.
pub const QUERIES: [&str; 7] =
    ["intersects", "contacts", "distance", "local_minima", "penetration", "manifold", "sweep"];

/// What a line says of a pair.
#[derive(Debug)]
pub struct Loaded {
    pub models: [Model; 2],
    /// Where they stand, and the poses to the bit.
    pub stands: [(Stand, Pose); 2],
    /// Where b is at the end of its way, if it moves.
    pub end: Option<Stand>,
    pub query: &'static str,
}

/// Writes a query about two models at their poses; `end` is the pose of the second at the end of its way, `reach` how
/// far minima and manifolds look.
///
/// # Errors
/// [`DemoError`] of the JSON writer.
pub fn write(
    query: &str,
    models: [&Model; 2],
    poses: [&Pose; 2],
    end: &Pose,
    reach: f64,
) -> Result<String, DemoError> {
    let ask = match query {
        "contacts" => PairQuery::Contacts { max: None },
        "distance" => PairQuery::Distance { accuracy: AccuracySpec::default(), max: None },
        "local_minima" => PairQuery::LocalMinima { tolerance: reach },
        "penetration" => PairQuery::Penetration(AccuracySpec::default()),
        "manifold" => PairQuery::Manifold { margin: Some(reach) },
        "sweep" => PairQuery::Sweep {
            a_end: None,
            b_end: Some(Box::new(PoseSpec::of(end))),
            tolerance: ToleranceSpec::default(),
        },
        _ => PairQuery::Intersects {},
    };
    let [a, b] = [0, 1].map(|k| Posed::of(models[k].body.shape(), poses[k]));
    let line = QueryLine { id: None, query: Query::Pair { a, b: Box::new(b), ask }, budget: None };
    line.to_json().map_err(DemoError::of)
}

/// Reads a line about two shapes that stand in it; files cannot be opened from here.
///
/// # Errors
/// [`DemoError`], one line that says what is wrong.
pub fn read(text: &str) -> Result<Loaded, DemoError> {
    let line = QueryLine::parse(text.trim().as_bytes()).map_err(|bad| DemoError(bad.error.to_string()))?;
    let Query::Pair { a, b, ask } = line.query else {
        return Err(DemoError("the line asks about one shape, or none; two are wanted".to_owned()));
    };
    let of = |posed: &Posed| -> Result<(Model, (Stand, Pose)), DemoError> {
        let no_file = |path: &str, _: Option<&str>| {
            Err(format!("{path}: files cannot be opened from here; drop the model instead"))
        };
        let shape = posed.shape.shape(no_file).map_err(DemoError::of)?;
        let pose = posed.pose.pose(&shape).map_err(DemoError::of)?;
        Ok((Model::new(FILE, shape), (Stand::of(&pose), pose)))
    };
    let ((first, at), (second, there)) = (of(&a)?, of(&b)?);
    let (query, end) = match &ask {
        PairQuery::Intersects {} => ("intersects", None),
        PairQuery::Contacts { .. } => ("contacts", None),
        PairQuery::Distance { .. } | PairQuery::Within { .. } => ("distance", None),
        PairQuery::LocalMinima { .. } => ("local_minima", None),
        PairQuery::Penetration(_) => ("penetration", None),
        PairQuery::Manifold { .. } => ("manifold", None),
        PairQuery::Sweep { b_end, .. } => ("sweep", b_end.as_deref()),
    };
    let end = end.map(|spec| spec.pose(second.body.shape())).transpose().map_err(DemoError::of)?;
    Ok(Loaded { models: [first, second], stands: [at, there], end: end.map(|pose| Stand::of(&pose)), query })
}

#[cfg(test)]
mod tests {
    use sudar::DVec3;

    use super::*;
    use crate::demos::microscope::model::built_in;

    #[test]
    fn what_is_written_can_be_read_and_answers_the_same() {
        let models = [built_in("hare").unwrap(), built_in("capsule").unwrap()];
        let stand = Stand { at: DVec3::new(0.3, 1.4, 0.2), turn: DVec3::new(0.1, 0.4, 0.0) };
        let poses = [Pose::IDENTITY, stand.pose()];
        for query in QUERIES {
            let end = Stand::new(0.0, 2.0, 0.0).pose();
            let text = write(query, [&models[0], &models[1]], [&poses[0], &poses[1]], &end, 0.5).unwrap();
            let back = read(&text).unwrap();
            assert_eq!(back.query, query);
            assert!((back.stands[1].0.turn - stand.turn).length() < 1e-12 && back.stands[1].1 == poses[1]);
            assert_eq!(back.end.is_some(), query == "sweep");
            let distance = |models: &[Model; 2]| {
                let search = sudar::query::DistanceOptions::EXACT;
                sudar::query::distance(models[0].body.at(&poses[0]), models[1].body.at(&poses[1]), &search)
            };
            assert_eq!(distance(&back.models), distance(&models));
        }
    }

    #[test]
    fn lines_that_cannot_be_shown_say_why() {
        for (text, says) in [
            ("{", "not JSON"),
            (r#"{"query":"hull","points":[[0,0,0]]}"#, "two are wanted"),
            (r#"{"query":"intersects","a":{"mesh":"m.obj"},"b":{"sphere":1}}"#, "m.obj: files cannot"),
            (r#"{"query":"intersects","a":{"sphere":-1},"b":{"sphere":1}}"#, ""),
        ] {
            let error = read(text).unwrap_err().0;
            assert!(error.contains(says) && !error.contains('\n'), "{error}");
        }
    }
}
