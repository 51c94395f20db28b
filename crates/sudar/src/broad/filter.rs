//! Which objects form pairs, and which a search is about.

use super::handle::Handle;

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
    /// Forms pairs with all that accept category 1; a search with it [finds](Self::finds) all objects but those of
    /// [`NONE`](Self::NONE).
    pub const ALL: Self = Self { category: 1, mask: !0 };

    /// Forms no pairs, and no search finds it.
    pub const NONE: Self = Self { category: 0, mask: 0 };

    /// A filter of these bits.
    pub const fn new(category: u32, mask: u32) -> Self {
        Self { category, mask }
    }

    /// Whether the two form a pair. Symmetric.
    pub const fn accepts(self, other: Self) -> bool {
        self.category & other.mask != 0 && other.category & self.mask != 0
    }

    /// Whether a search with this filter finds an object of another: [`ALL`](Self::ALL) finds every filter but
    /// [`NONE`](Self::NONE), whatever its category and mask; others find what they [accept](Self::accepts).
    ///
    /// ```
    /// use sudar::broad::Filter;
    ///
    /// let debris = Filter::new(0, !1); // in no category, and not against category 1
    /// assert!(!Filter::ALL.accepts(debris) && Filter::ALL.finds(debris));
    /// assert!(!Filter::ALL.finds(Filter::NONE) && !Filter::new(2, 4).finds(debris));
    /// ```
    pub const fn finds(self, object: Self) -> bool {
        if self.is(Self::ALL) { !object.is(Self::NONE) } else { self.accepts(object) }
    }

    const fn is(self, other: Self) -> bool {
        self.category == other.category && self.mask == other.mask
    }

    /// What this filter finds but for one object, such as the one that looks.
    pub const fn without(self, object: Handle) -> Without {
        Without { filter: self, object }
    }
}

impl Default for Filter {
    fn default() -> Self {
        Self::ALL
    }
}

/// Which objects a search is about: those that a [`Filter`] [finds](Filter::finds), those but one
/// ([`Filter::without`]), or those that a function says yes to.
///
/// A function is called for objects that the search comes near, in any order, for some several times and for others
/// never. Its arguments have to be written with their types.
///
/// ```
/// use sudar::broad::{Filter, Handle};
/// use sudar::dynamics::{RigidBody, Settings, World};
/// use sudar::{DVec3, Ray, Sphere};
///
/// let mut world = World::new(Settings::default())?;
/// let ball = |name: &str, z: f64| RigidBody::fixed(name, Sphere::new(DVec3::Z * z, 1.0).unwrap());
/// let player = world.add(ball("player", 0.0))?;
/// let roof = world.add(ball("roof", 9.0))?;
/// let up = Ray::new(DVec3::ZERO, DVec3::Z)?;
/// assert!(world.ray(&up, 99.0, Filter::ALL).is_some_and(|(body, _)| body == player));
/// assert!(world.ray(&up, 99.0, Filter::ALL.without(player)).is_some_and(|(body, _)| body == roof));
/// let high = |_: Handle, body: &RigidBody| body.name == "roof";
/// assert!(world.ray(&up, 99.0, high).is_some_and(|(body, _)| body == roof));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Seek<T> {
    /// Whether the search is about an object.
    fn wants(&mut self, handle: Handle, object: &T) -> bool;
}

impl<T, F: FnMut(Handle, &T) -> bool> Seek<T> for F {
    fn wants(&mut self, handle: Handle, object: &T) -> bool {
        self(handle, object)
    }
}

/// What a filter finds but for one object, see [`Filter::without`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Without {
    filter: Filter,
    object: Handle,
}

impl<T> Seek<T> for Without
where
    Filter: Seek<T>,
{
    fn wants(&mut self, handle: Handle, object: &T) -> bool {
        handle != self.object && self.filter.wants(handle, object)
    }
}
