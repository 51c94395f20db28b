//! Which objects form pairs.

/// Collision filter: two objects form a pair if the category of each is in the mask of the other.
///
/// ```
/// use sudar::broad::Filter;
///
/// let (wall, player, ghost) = (Filter::new(1, !0), Filter::new(2, !0), Filter::new(4, !1));
/// assert!(wall.accepts(player) && player.accepts(ghost) && !ghost.accepts(wall));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Filter {
    /// Categories of the object, one bit each.
    pub category: u32,
    /// Categories that it forms pairs with.
    pub mask: u32,
}

impl Filter {
    /// Forms pairs with all that accept category 1.
    pub const ALL: Self = Self { category: 1, mask: !0 };

    /// Forms no pairs.
    pub const NONE: Self = Self { category: 0, mask: 0 };

    /// A filter of these bits.
    pub const fn new(category: u32, mask: u32) -> Self {
        Self { category, mask }
    }

    /// Whether the two form a pair. Symmetric.
    pub const fn accepts(self, other: Self) -> bool {
        self.category & other.mask != 0 && other.category & self.mask != 0
    }
}

impl Default for Filter {
    fn default() -> Self {
        Self::ALL
    }
}
