//! Tests of the store from outside.

mod damage;
mod round_trip;
