//! Powers of two, by their bits.

/// `2^k`, exactly, for −1022 ≤ k ≤ 1023 (beyond, the nearest of these).
#[inline]
pub(crate) const fn power_of_two(k: i32) -> f64 {
    let k = if k < -1022 {
        -1022
    } else if k > 1023 {
        1023
    } else {
        k
    };
    f64::from_bits(((1023 + k) as u64) << 52)
}

/// `k` with `2^k ≤ x < 2^(k+1)`, for finite `x > 0`.
#[inline]
pub(crate) fn binary_exponent(x: f64) -> i32 {
    let biased = (x.to_bits() >> 52) as i32;
    if biased > 0 { biased - 1023 } else { -1011 - x.to_bits().leading_zeros() as i32 }
}
