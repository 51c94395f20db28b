//! A node where its fields can be looked up: those of prototypes lead to where these are used.

use super::parse::{Field, Node, Numbers, Value};
use crate::builder::Builder;
use crate::{Cause, Place};

/// The instance of a prototype that a node is part of.
pub(super) struct Env<'a> {
    pub instance: &'a Node,
    pub outer: Option<&'a Self>,
}

/// A node where its fields can be looked up.
#[derive(Clone, Copy)]
pub(super) struct Here<'a> {
    pub node: &'a Node,
    pub env: Option<&'a Env<'a>>,
}

/// A value and where the nodes in it have theirs looked up.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub value: &'a Value,
    pub env: Option<&'a Env<'a>>,
    pub line: u64,
}

fn named<'a>(fields: &'a [Field], name: &str) -> Option<&'a Field> {
    // The last one counts where a field is given twice.
    fields.iter().rev().find(|field| field.name == name)
}

impl<'a> Here<'a> {
    /// What the instance of a prototype is: the first node of its body, if there is any.
    pub fn inside<T>(&self, look: impl FnOnce(Here<'_>) -> T) -> Option<T> {
        let body = self.node.proto.as_ref()?.body.first()?;
        let env = Env { instance: self.node, outer: self.env };
        Some(look(Here { node: body, env: Some(&env) }))
    }

    /// The node itself, or what it is if it is the instance of a prototype, which may be one again.
    pub fn resolved<T>(&self, look: &mut dyn FnMut(Here<'_>) -> T) -> Option<T> {
        if self.node.proto.is_none() {
            return Some(look(*self));
        }
        self.inside(|body| body.resolved(look)).flatten()
    }

    pub fn place(&self) -> Place {
        Place::Line(self.node.line)
    }

    /// The value of a field, if it is given.
    pub fn field(&self, name: &str) -> Option<Found<'a>> {
        let field = named(&self.node.fields, name)?;
        let (mut found, mut env) = (field, self.env);
        // `IS` leads to the prototype's own field, there given or by default.
        while let Value::Is(name) = &found.value {
            let around = env?;
            match named(&around.instance.fields, name) {
                Some(given) => (found, env) = (given, around.outer),
                None => {
                    found = named(&around.instance.proto.as_ref()?.defaults, name)?;
                    return Some(Found { value: &found.value, env: None, line: found.line });
                }
            }
        }
        Some(Found { value: &found.value, env, line: found.line })
    }

    pub fn numbers(&self, name: &str) -> Result<Option<&'a Numbers>, Cause> {
        let Some(found) = self.field(name) else { return Ok(None) };
        match found.value {
            Value::Numbers(numbers) => Ok(Some(numbers)),
            Value::Empty => Ok(None),
            Value::Texts(_) | Value::Nodes(_) | Value::Is(_) => Err(wrong(&found, name, "numbers")),
        }
    }

    /// A field of a fixed number of finite numbers.
    pub fn fixed<const N: usize>(&self, name: &str, default: [f64; N]) -> Result<[f64; N], Cause> {
        let Some(numbers) = self.numbers(name)? else { return Ok(default) };
        let given = <[f64; N]>::try_from(numbers.values.as_slice());
        let found = |_| format!("{} numbers", numbers.values.len());
        let given = given.map_err(|e| Cause::Expected {
            place: numbers.place(0),
            expected: format!("{N} numbers for `{name}`"),
            found: found(e),
        })?;
        for x in given {
            crate::text::check_coordinate(x, || numbers.place(0))?;
        }
        Ok(given)
    }

    pub fn number(&self, name: &str, default: f64) -> Result<f64, Cause> {
        self.fixed(name, [default]).map(|[x]| x)
    }

    pub fn truth(&self, name: &str, default: bool) -> Result<bool, Cause> {
        Ok(self.number(name, f64::from(u8::from(default)))? != 0.0)
    }

    pub fn texts(&self, name: &str) -> &'a [String] {
        match self.field(name).map(|found| found.value) {
            Some(Value::Texts(texts)) => texts,
            Some(Value::Numbers(_) | Value::Nodes(_) | Value::Empty | Value::Is(_)) | None => &[],
        }
    }

    pub fn nodes(&self, name: &str) -> Result<Vec<Here<'a>>, Cause> {
        let Some(found) = self.field(name) else { return Ok(Vec::new()) };
        match found.value {
            Value::Nodes(nodes) => Ok(nodes.iter().map(|node| Here { node, env: found.env }).collect()),
            Value::Empty => Ok(Vec::new()),
            Value::Numbers(_) | Value::Texts(_) | Value::Is(_) => Err(wrong(&found, name, "nodes")),
        }
    }

    /// The first node of a field.
    pub fn child(&self, name: &str) -> Result<Option<Here<'a>>, Cause> {
        Ok(self.nodes(name)?.first().copied())
    }

    /// Turns all triangles over if the field `ccw` is false.
    pub fn wind(&self, builder: &mut Builder) -> Result<(), Cause> {
        if !self.truth("ccw", true)? {
            builder.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        Ok(())
    }
}

fn wrong(found: &Found<'_>, name: &str, expected: &str) -> Cause {
    let kind = match found.value {
        Value::Numbers(_) => "numbers",
        Value::Texts(_) => "strings",
        Value::Nodes(_) => "nodes",
        Value::Empty => "nothing",
        Value::Is(_) => "the field of a prototype",
    };
    let expected = format!("{expected} for `{}`", crate::error::one_line(name));
    Cause::Expected { place: Place::Line(found.line), expected, found: kind.to_owned() }
}
