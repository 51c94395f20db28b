//! Disjoint sets of numbers, each named by one of its own.

/// The name of the set that holds `i`, with the way to it halved (Tarjan and van Leeuwen 1984, "Worst-case analysis of
/// set union algorithms").
#[inline]
pub(crate) fn find(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}

/// Makes one set of two, with the lesser of their names.
pub(crate) fn join(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}
