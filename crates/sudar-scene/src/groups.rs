//! Groups of bodies by name.

use toml::Value;

use crate::error::SceneCause;
use crate::keys::Keys;

/// The groups that a file names, each a bit in the order in which they come.
#[derive(Debug, Default)]
pub struct Groups {
    names: Vec<String>,
    has_numbers: bool,
}

const WANTED: &str = "must be a number of 32 bits, or names of groups such as [\"wall\"]";

impl Groups {
    /// Groups by a set of bits, a name or a list of names.
    pub fn take(&mut self, keys: &mut Keys, key: &'static str) -> Result<Option<u32>, SceneCause> {
        let Some(value) = keys.take(key) else { return Ok(None) };
        let names = match value {
            Value::Integer(bits) => {
                self.has_numbers = true;
                let Ok(bits) = u32::try_from(bits) else {
                    return keys
                        .refuse(key, &format!("must be a whole number from 0 to 4294967295, found {bits}"));
                };
                return self.unmixed(keys, key).map(|()| Some(bits));
            }
            Value::String(name) => vec![name],
            Value::Array(list) => {
                let name =
                    |value| if let Value::String(name) = value { Ok(name) } else { keys.refuse(key, WANTED) };
                list.into_iter().map(name).collect::<Result<_, _>>()?
            }
            Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) | Value::Table(_) => {
                return keys.refuse(key, WANTED);
            }
        };
        let mut bits = 0;
        for name in names {
            let known = self.names.iter().position(|known| *known == name);
            let place = known.unwrap_or(self.names.len());
            if place == 32 {
                return keys.refuse(key, &format!("\"{name}\" is one group too many; there are 32 at most"));
            }
            if known.is_none() {
                self.names.push(name);
            }
            bits |= 1 << place;
        }
        self.unmixed(keys, key).map(|()| Some(bits))
    }

    fn unmixed(&self, keys: &Keys, key: &'static str) -> Result<(), SceneCause> {
        if self.has_numbers && !self.names.is_empty() {
            return keys
                .refuse(key, "groups go by numbers in one place and by names in another; use one of them");
        }
        Ok(())
    }
}
