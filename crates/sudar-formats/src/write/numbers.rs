//! Numbers and names as the formats write them.

use sudar::DVec3;

use crate::error::{Cause, one_line};

/// Appends a word before and after it, as the text formats want their lines.
pub fn push_numbers(out: &mut Vec<u8>, before: &str, p: DVec3) {
    out.extend(before.as_bytes());
    for (i, x) in p.to_array().into_iter().enumerate() {
        if i > 0 {
            out.push(b' ');
        }
        push_number(out, x);
    }
    out.push(b'\n');
}

/// Appends the shortest decimal that reads back as the same number, without `.0`.
pub fn push_number(out: &mut Vec<u8>, x: f64) {
    let text = format!("{x:?}");
    out.extend(text.strip_suffix(".0").unwrap_or(&text).as_bytes());
}

/// The name as the rest of a line: control characters replaced, and no backslash at the end, which would continue it.
pub fn line_name(name: &str) -> String {
    let name = one_line(name.trim());
    if name.ends_with('\\') { name + "_" } else { name }
}

/// The number in 32 bits; counted in `rounded` if that changes it.
pub fn narrow(x: f64, rounded: &mut u64) -> Result<f32, Cause> {
    let narrow = x as f32;
    if !narrow.is_finite() {
        return Err(Cause::BeyondF32(x));
    }
    *rounded += u64::from(f64::from(narrow) != x);
    Ok(narrow)
}
