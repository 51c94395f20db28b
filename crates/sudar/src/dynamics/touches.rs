//! Pairs that touched in a step.

/// Pairs that touched, with the sums of their normal impulses, sorted.
pub type Touches = Vec<([u32; 2], f64)>;

/// Adds the touches of another part of the step.
pub fn merge(touches: &mut Touches, more: Touches) {
    if touches.is_empty() {
        *touches = more;
        return;
    }
    touches.extend(more);
    touches.sort_by_key(|(pair, _)| *pair);
    touches.dedup_by(|(later, more), (first, sum)| {
        let same = later == first;
        *sum += if same { *more } else { 0.0 };
        same
    });
}
