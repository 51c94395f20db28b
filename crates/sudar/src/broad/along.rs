//! Rays through a tree over boxes.

use crate::effort::Meter;
use crate::query::{Halving, RayEntry, visit_by};
use crate::shape::Ray;

/// Shows the numbers of the boxes that a ray may meet up to a finite parameter, about in its order, and perhaps of some
/// that it nearly meets. `visit` returns the parameter up to which others are of interest. Each node costs one of the
/// meter.
pub(crate) fn visit_along(
    tree: &Halving,
    ray: &Ray,
    most: f64,
    meter: &mut Meter,
    mut visit: impl FnMut(u32) -> f64,
) {
    let whole = tree.bounds(tree.whole());
    let bound = RayEntry::new(ray, whole);
    let entry = bound.of(whole);
    // Eight boxes at a time in `f32` where that holds all numbers, else two at a time in `f64`.
    if entry <= most && !tree.along(ray, entry, most, meter, &mut visit) {
        visit_by(tree, |aabb| bound.of(aabb), most, meter, |i, _| visit(i));
    }
}
