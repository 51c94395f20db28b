//! All pairs of triangles that meet.

use super::bodies::{Part, Placed, STOP, visit_pairs};
use super::pairs::meeting::hits_up_to;
use crate::effort::{Meter, Partial};

/// All pairs of triangles that intersect, touching included, sorted by (a, b). Exact.
///
/// Only bodies with triangles have any: the list is empty if either is a ball or half-space, and a body
/// wholly inside a solid touches none of its triangles. The triangles of a primitive are those of
/// [`Body::mesh`](super::Body::mesh). Of compounds these are pairs of parts that have such triangles;
/// [`contacts_of_parts`] says which.
pub fn contacts(a: Placed, b: Placed) -> Vec<[u32; 2]> {
    metered(a, b, usize::MAX, &mut Meter::unlimited()).found
}

/// The first `most` pairs of [`contacts`] that the search finds, sorted; with fewer than that, all of them.
/// Surfaces that lie in each other have as many pairs as the product of their triangles: this takes time and
/// memory for those wanted alone.
///
/// The answer is complete if fewer than `most` pairs were found.
///
/// ```
/// use sudar::query::{Body, contacts_up_to};
/// use sudar::{Aabb, DVec3, Mesh, Pose};
///
/// let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
/// let some = contacts_up_to(cube.at(&Pose::IDENTITY), cube.at(&Pose::IDENTITY), 10);
/// assert!(some.found.len() == 10 && !some.complete);
/// ```
pub fn contacts_up_to(a: Placed, b: Placed, most: usize) -> Partial<Vec<[u32; 2]>> {
    metered(a, b, most, &mut Meter::unlimited())
}

/// The triangles of two parts that meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartContacts {
    /// The numbers of the parts, 0 for bodies that are no compounds.
    pub parts: [u32; 2],
    /// The pairs of their triangles, sorted; never empty.
    pub triangles: Vec<[u32; 2]>,
}

/// The [`contacts`] of every two parts of compounds that have any, sorted by the numbers of the parts; any
/// other body is a single part.
///
/// ```
/// use sudar::query::{Body, contacts_of_parts};
/// use sudar::{Aabb, DVec3, Mesh, Pose};
///
/// let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
/// let beside = Pose::from_translation(DVec3::X)?;
/// let far = Pose::from_translation(DVec3::X * 5.0)?;
/// let row = Body::compound(vec![(cube.clone(), Pose::IDENTITY), (cube.clone(), far)])?;
/// let found = contacts_of_parts(row.at(&Pose::IDENTITY), cube.at(&beside));
/// // Face +x of the first cube, triangles 2 and 3, lies on face −x of the other, triangles 0 and 1.
/// assert_eq!(found[0].parts, [0, 0]);
/// assert!(found.len() == 1 && found[0].triangles.contains(&[2, 0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts_of_parts(a: Placed, b: Placed) -> Vec<PartContacts> {
    of_parts(a, b, [usize::MAX; 2], &mut Meter::unlimited()).found
}

/// At most so many pairs of triangles, or of parts.
pub(super) fn metered(a: Placed, b: Placed, most: usize, meter: &mut Meter) -> Partial<Vec<[u32; 2]>> {
    if most == 0 {
        return Partial::default();
    }
    if a.body().parts().is_empty() && b.body().parts().is_empty() {
        let found = of_bodies(a, b, most, meter);
        let complete = found.len() < most && !meter.is_stopped();
        return Partial { found, complete };
    }
    // One pair of triangles says that two parts meet.
    let Partial { found, complete } = of_parts(a, b, [most, 1], meter);
    Partial { found: found.into_iter().map(|contacts| contacts.parts).collect(), complete }
}

/// At most so many pairs of parts, and of triangles of each.
pub(super) fn of_parts(
    a: Placed,
    b: Placed,
    [most, each]: [usize; 2],
    meter: &mut Meter,
) -> Partial<Vec<PartContacts>> {
    let mut found = Vec::new();
    visit_pairs([a, b], 0.0, meter, |pair, meter| {
        let triangles = of_bodies(pair[0].at(), pair[1].at(), each, meter);
        if !triangles.is_empty() {
            let parts = pair.map(|part: &Part| part.feature(0));
            found.push(PartContacts { parts, triangles });
        }
        if meter.is_stopped() || found.len() >= most { STOP } else { 0.0 }
    });
    found.sort_by_key(|contacts| contacts.parts);
    let complete = found.len() < most && !meter.is_stopped();
    Partial { found, complete }
}

/// The triangles of two bodies that are no compounds; round bodies and half-spaces have none.
fn of_bodies(a: Placed, b: Placed, most: usize, meter: &mut Meter) -> Vec<[u32; 2]> {
    match (a.surface(), b.surface()) {
        (Some(a), Some(b)) => hits_up_to(&a, &b, most, meter),
        (None, _) | (_, None) => Vec::new(),
    }
}
