//! The keys of a table, taken one by one, so that each error names the body and the key.

use sudar::DVec3;
use toml::{Table, Value};

use crate::error::SceneCause;

type Result<T> = std::result::Result<T, SceneCause>;

/// A table whose keys are taken.
pub struct Keys {
    /// What errors call the table.
    owner: String,
    table: Table,
    known: Vec<&'static str>,
}

impl Keys {
    pub fn new(owner: impl Into<String>, table: Table) -> Self {
        Self { owner: owner.into(), table, known: Vec::new() }
    }

    /// Calls the table something else from here on.
    pub fn rename(&mut self, owner: String) {
        self.owner = owner;
    }

    pub fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.table.remove(key)
    }

    pub fn text(&mut self, key: &'static str) -> Result<Option<String>> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => self.refuse(key, &format!("must be a text in quotes, found {}", kind(&other))),
        }
    }

    pub fn flag(&mut self, key: &'static str) -> Result<Option<bool>> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Boolean(flag)) => Ok(Some(flag)),
            Some(_) => self.refuse(key, "must be true or false"),
        }
    }

    pub fn number(&mut self, key: &'static str) -> Result<Option<f64>> {
        let found = self.take(key);
        found.map(|value| self.as_number(key, &value)).transpose()
    }

    pub fn vector(&mut self, key: &'static str) -> Result<Option<DVec3>> {
        Ok(self.numbers::<3>(key)?.map(DVec3::from_array))
    }

    pub fn numbers<const N: usize>(&mut self, key: &'static str) -> Result<Option<[f64; N]>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let Value::Array(list) = &value else {
            return self.refuse(key, &format!("must be a list of {N} numbers, found {}", kind(&value)));
        };
        if list.len() != N {
            return self.refuse(key, &format!("must be a list of {N} numbers, found {}", list.len()));
        }
        let mut numbers = [0.0; N];
        for (number, value) in numbers.iter_mut().zip(list) {
            *number = self.as_number(key, value)?;
        }
        Ok(Some(numbers))
    }

    fn as_number(&self, key: &str, value: &Value) -> Result<f64> {
        let number = match value {
            Value::Float(number) => *number,
            Value::Integer(number) => *number as f64,
            Value::String(_) | Value::Boolean(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => {
                return self.refuse(key, &format!("must be a number, found {}", kind(value)));
            }
        };
        if number.is_finite() {
            Ok(number)
        } else {
            self.refuse(key, &format!("must be finite, found {number}"))
        }
    }

    /// Fails on the first key that nobody took.
    pub fn finish(self) -> Result<()> {
        match self.table.keys().next() {
            None => Ok(()),
            Some(key) => self.refuse(key, &format!("unknown key; known are {}", self.known.join(", "))),
        }
    }

    /// What errors call a key.
    pub fn path(&self, key: &str) -> String {
        format!("{}: {key}", self.owner)
    }

    pub fn refuse<T>(&self, key: &str, problem: &str) -> Result<T> {
        Err(SceneCause::Key { key: self.path(key), problem: problem.to_owned() })
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) | Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a table",
    }
}

/// Whether all numbers in a value are finite.
pub fn is_finite(value: &Value) -> bool {
    match value {
        Value::Float(number) => number.is_finite(),
        Value::Array(list) => list.iter().all(is_finite),
        Value::Table(table) => table.values().all(is_finite),
        Value::String(_) | Value::Integer(_) | Value::Boolean(_) | Value::Datetime(_) => true,
    }
}
