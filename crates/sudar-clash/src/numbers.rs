//! Numbers for people.

/// Six significant digits, with an exponent where that is shorter to read.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    if (1e-4..1e7).contains(&rounded.abs()) { rounded.to_string() } else { format!("{rounded:e}") }
}
