//! Names of parts and objects, and the pairs of them that are not checked.

use crate::RobotError;

/// What a name stands for: parts and objects have names of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Named {
    Part(String),
    Object(String),
}

/// Pairs that are not checked.
#[derive(Debug, Clone, Default)]
pub(super) struct Ignored(Vec<[Named; 2]>);

impl Named {
    /// What a name stands for, `by` naming who says it. Where it is that of a part and of an object, a prefix tells.
    pub fn new(
        name: &str,
        by: &str,
        is_part: impl Fn(&str) -> bool,
        is_object: impl Fn(&str) -> bool,
    ) -> Result<Self, RobotError> {
        match (is_part(name), is_object(name)) {
            (true, true) => Err(RobotError::Ambiguous { name: name.to_owned() }),
            (true, false) => Ok(Self::Part(name.to_owned())),
            (false, true) => Ok(Self::Object(name.to_owned())),
            (false, false) => match name.split_once(':') {
                Some(("part", name)) if is_part(name) => Ok(Self::Part(name.to_owned())),
                Some(("object", name)) if is_object(name) => Ok(Self::Object(name.to_owned())),
                _ => Err(unknown(by, "part or object", name)),
            },
        }
    }

    fn is(&self, other: &NamedRef<'_>) -> bool {
        match (self, other) {
            (Self::Part(one), NamedRef::Part(other)) | (Self::Object(one), NamedRef::Object(other)) => {
                one == other
            }
            (Self::Part(_), NamedRef::Object(_)) | (Self::Object(_), NamedRef::Part(_)) => false,
        }
    }

    pub fn borrow(&self) -> NamedRef<'_> {
        match self {
            Self::Part(name) => NamedRef::Part(name),
            Self::Object(name) => NamedRef::Object(name),
        }
    }
}

/// The same without a copy of the name.
#[derive(Debug, Clone, Copy)]
pub(super) enum NamedRef<'n> {
    Part(&'n str),
    Object(&'n str),
}

impl Ignored {
    pub fn add(&mut self, pair: [Named; 2]) {
        self.0.push(pair);
    }

    pub fn has(&self, one: NamedRef<'_>, other: NamedRef<'_>) -> bool {
        self.0.iter().any(|pair| is(pair, one, other))
    }

    pub fn remove(&mut self, one: NamedRef<'_>, other: NamedRef<'_>) {
        self.0.retain(|pair| !is(pair, one, other));
    }

    /// Forgets the pairs of what exists no more.
    pub fn forget(&mut self, gone: NamedRef<'_>) {
        self.0.retain(|[a, b]| !a.is(&gone) && !b.is(&gone));
    }
}

fn is([a, b]: &[Named; 2], one: NamedRef<'_>, other: NamedRef<'_>) -> bool {
    a.is(&one) && b.is(&other) || a.is(&other) && b.is(&one)
}

pub(super) fn unknown(by: &str, what: &'static str, name: &str) -> RobotError {
    RobotError::Unknown { by: by.to_owned(), what, name: name.to_owned() }
}
