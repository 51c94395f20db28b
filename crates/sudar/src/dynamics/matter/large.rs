//! A number of 128 bits, written as one of 64 or as its digits: not every form of texts has larger ones.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Number {
    Small(u64),
    Digits(String),
}

pub fn serialize<S: Serializer>(value: &u128, to: S) -> Result<S::Ok, S::Error> {
    u64::try_from(*value).map_or_else(|_| Number::Digits(value.to_string()), Number::Small).serialize(to)
}

pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<u128, D::Error> {
    match Number::deserialize(from)? {
        Number::Small(value) => Ok(value.into()),
        Number::Digits(digits) => digits.parse().map_err(D::Error::custom),
    }
}
