//! A query line: a query with its name and budget, and the limits of the format.

use std::time::Duration;

use serde::{Serialize, Serializer};
use sudar::effort;
use sudar::query::Body;

use crate::ask::Prepared;
use crate::error::{MAX_LINE, RecordError, Result};
use crate::fields::{Fields, check_nesting, not_negative, text_in};
use crate::query::Query;
use crate::shape::ShapeSpec;

/// Limit on the work of a query. Queries that need no tree ignore it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Budget {
    /// Tree nodes to visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds to take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl Budget {
    fn parse(text: &str) -> Result<Self> {
        Fields::read(text, "a budget", |fields| {
            Ok(Self { nodes: fields.optional("nodes")?, ms: fields.nested("ms", not_negative)? })
        })
    }

    /// The same as queries take it. A time beyond what a clock can hold is no limit.
    pub fn effort(&self) -> effort::Budget {
        let seconds = |ms: f64| Duration::try_from_secs_f64(ms / 1000.0).ok();
        effort::Budget { nodes: self.nodes.unwrap_or(u64::MAX), time: self.ms.and_then(seconds) }
    }
}

/// One line of a query file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryLine {
    /// Name of the line, repeated in its answer; need not be unique.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The question.
    #[serde(flatten, serialize_with = "with_name")]
    pub query: Query,
    /// How much work it may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
}

/// A line that is no query, with as much of its name as could be read.
#[derive(Debug, Clone, PartialEq)]
pub struct BadLine {
    /// Name of the line, if it stands before the fault.
    pub id: Option<String>,
    /// What is wrong.
    pub error: RecordError,
}

impl QueryLine {
    /// Reads a line, given without its line ending.
    ///
    /// # Errors
    /// [`BadLine`] with one variant of [`RecordError`] per cause.
    pub fn parse(line: &[u8]) -> Result<Self, BadLine> {
        let text = line.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let bad = |error| BadLine { id: text_in(text, "id"), error };
        if text.len() < line.len() {
            return Err(bad(RecordError::NotUtf8 { byte: text.len() + 1 }));
        }
        Self::read(text).map_err(bad)
    }

    fn read(text: &str) -> Result<Self> {
        if text.len() > MAX_LINE {
            return Err(RecordError::TooLong);
        }
        check_nesting(text)?;
        Fields::read(text, "a query line", |fields| {
            let (id, query) = (fields.optional("id")?, Query::read(fields)?);
            Ok(Self { id, query, budget: fields.nested("budget", Budget::parse)? })
        })
    }

    /// Makes the query ready to run under its budget, see [`Query::prepare`].
    ///
    /// # Errors
    /// Those of [`Query::prepare`].
    pub fn prepare(&self, body: impl FnMut(&ShapeSpec) -> Result<Body>) -> Result<Prepared> {
        let budget = self.budget.map_or(effort::Budget::UNLIMITED, |budget| budget.effort());
        Ok(self.query.prepare(body)?.under(budget))
    }

    /// The line, without a line ending.
    ///
    /// # Errors
    /// None for values that were read or recorded; the signature is that of the JSON writer.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

/// A query behind its name.
fn with_name<S: Serializer>(query: &Query, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Named<'a> {
        query: &'static str,
        #[serde(flatten)]
        rest: &'a Query,
    }
    Named { query: query.name(), rest: query }.serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad(line: &str) -> (Option<String>, String) {
        let bad = QueryLine::parse(line.as_bytes()).unwrap_err();
        (bad.id, bad.error.to_string())
    }

    #[test]
    fn every_query_can_be_read_and_written() {
        let lines = [
            r#"{"id":"1","query":"intersects","a":{"sphere":1.0},"b":{"mesh":"m.obj","solid":true}}"#,
            r#"{"query":"contacts","a":{"mesh":"a"},"b":{"mesh":"b"},"pose_b":{"translation":[1.0,2.0,0.1],"rotation":[0.0,0.0,0.0,1.0]},"max":3}"#,
            r#"{"query":"ray","a":{"box":[1.0,1.0,1.0]},"origin":[0.0,0.0,9.0],"direction":[0.0,0.0,-2.0],"max":4.5}"#,
            r#"{"query":"closest_point","a":{"sphere":1.0},"point":[0.0,0.0,9.0],"budget":{"nodes":7,"ms":0.5}}"#,
            r#"{"query":"within","a":{"sphere":1.0},"b":{"mesh":"m.obj"},"tolerance":0.0,"budget":{"ms":2.5}}"#,
            r#"{"query":"local_minima","a":{"sphere":1.0},"b":{"mesh":"m.obj"},"tolerance":0.5}"#,
            r#"{"query":"contains","a":{"sphere":1.0},"point":[0.0,0.0,0.30000000000000004]}"#,
            r#"{"query":"contains","a":{"mesh":"open.obj"},"point":[0.0,0.0,0.5],"method":"winding"}"#,
            r#"{"query":"hull","points":[[0.0,0.0,0.30000000000000004],[1.0,0.0,0.0]]}"#,
        ];
        for line in lines {
            let read = QueryLine::parse(line.as_bytes()).unwrap();
            assert_eq!(read.to_json().unwrap(), line);
        }
    }

    #[test]
    fn unknown_queries_are_errors() {
        assert!(
            bad(r#"{"query":"foo"}"#).1.starts_with("unknown query \"foo\"; known: intersects, contacts")
        );
        assert!(bad(r#"{"id":"x"}"#).1.contains("`query` is missing"));
        assert!(bad(r#"{"query":5}"#).1.starts_with("`query`: invalid type"));
    }

    #[test]
    fn the_id_is_found_when_the_fault_comes_later() {
        let ray = |id: &str, max: &str| {
            bad(&format!(
                r#"{{"id":{id},"query":"ray","a":{{"sphere":1}},"origin":[0,0,0],"direction":[1,0,0],"max":{max}}}"#
            ))
        };
        assert_eq!(
            ray(r#""q""#, "1e999"),
            (Some("q".into()), "`max`: number out of range, at character 5".into())
        );
        assert_eq!(ray(r#""q""#, "NaN").0.as_deref(), Some("q"));
        assert_eq!(ray(r#""q""#, "-1").1, "`max`: must be 0 or more, found -1");
        assert!(ray("7", "1").1.starts_with("`id`: invalid type: integer `7`, expected a string"));
        assert_eq!(ray("7", "1").0, None);
        let cut = QueryLine::parse(b"{\"id\":\"u\",\"query\":\"\xff\"}").unwrap_err();
        assert_eq!((cut.id.as_deref(), cut.error), (Some("u"), RecordError::NotUtf8 { byte: 20 }));
    }

    #[test]
    fn within_needs_a_tolerance_that_is_not_negative() {
        let within = |tail: &str| {
            bad(&format!(r#"{{"query":"within","a":{{"sphere":1}},"b":{{"sphere":1}}{tail}}}"#)).1
        };
        assert_eq!(within(""), "the field `tolerance` is missing; the query \"within\" needs it");
        assert_eq!(within(r#","tolerance":-1"#), "`tolerance`: must be 0 or more, found -1");
    }

    #[test]
    fn budgets_are_what_they_say() {
        let effort = |text: &str| Budget::parse(text).unwrap().effort();
        assert_eq!(effort("{}"), effort::Budget::UNLIMITED);
        assert_eq!(effort(r#"{"nodes":7}"#), effort::Budget::nodes(7));
        assert_eq!(effort(r#"{"ms":1.5}"#), effort::Budget::time(Duration::from_micros(1500)));
        assert_eq!(effort(r#"{"ms":1e300}"#), effort::Budget::UNLIMITED);
    }

    #[test]
    fn nesting_beyond_the_limit_is_refused_and_up_to_it_is_not() {
        let nested = |levels: usize| {
            format!(r#"{{"note":{}{},"query":"foo"}}"#, "[".repeat(levels), "]".repeat(levels))
        };
        // The line's own brace is one level.
        assert!(bad(&nested(63)).1.starts_with("unknown query"));
        assert!(bad(&nested(64)).1.starts_with("brackets are nested deeper than 64"));
        assert!(bad(&nested(100_000)).1.starts_with("brackets are nested deeper than 64"));
        let in_string = format!(r#"{{"note":"\"{}","query":"foo"}}"#, "[".repeat(100));
        assert!(bad(&in_string).1.starts_with("unknown query"));
    }

    #[test]
    fn a_misspelt_field_is_named() {
        let line = r#"{"query":"contains","a":{"sphere":1},"pose_A":{},"point":[0,0,0]}"#;
        assert!(bad(line).1.starts_with("the query \"contains\" has no field `pose_A`"));
    }
}
