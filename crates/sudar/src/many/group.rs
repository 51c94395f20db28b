//! Groups of objects.

/// Objects that belong together, such as the links of a robot, see
/// [`insert_group`](super::CollisionManager::insert_group).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group(pub(super) u32);
