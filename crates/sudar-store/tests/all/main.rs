//! Tests of the store from outside.

mod round_trip;
