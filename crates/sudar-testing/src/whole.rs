//! Vectors of whole numbers, for exact arithmetic.

use std::ops::{Add, Mul, Sub};

/// A type of whole numbers, large enough for what is asked.
pub trait Whole: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {}

impl Whole for i64 {}
impl Whole for i128 {}

pub fn minus<T: Whole>(p: [T; 3], q: [T; 3]) -> [T; 3] {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

pub fn dot<T: Whole>(p: [T; 3], q: [T; 3]) -> T {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

pub fn cross<T: Whole>(p: [T; 3], q: [T; 3]) -> [T; 3] {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}
