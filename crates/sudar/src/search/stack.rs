//! Depth-first search.

use std::ops::ControlFlow;

/// Opens places until none is left or `open` ends the search: the one pushed last first. `open` pushes what
/// it finds below a place. Gives back what `open` ended the search with.
#[inline]
pub(crate) fn depth_first<P, B>(
    mut places: Vec<P>,
    mut open: impl FnMut(P, &mut Vec<P>) -> ControlFlow<B>,
) -> Option<B> {
    while let Some(place) = places.pop() {
        if let ControlFlow::Break(end) = open(place, &mut places) {
            return Some(end);
        }
    }
    None
}
