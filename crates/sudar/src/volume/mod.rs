//! Bounding volumes behind one trait: spheres, boxes along the axes and oriented boxes.
//!
//! | volume | numbers | how it is fitted | overlap of two, one of them moved |
//! |---|---|---|---|
//! | [`Sphere`](crate::shape::Sphere) | 4 | [`smallest_sphere`], [`ritter_sphere`] | distance of the centres |
//! | [`Aabb`](crate::shape::Aabb) | 6 | exactly | 15 separating axes |
//! | [`Obb`](crate::shape::Obb) | 15 | [`fit_obb`] by one of the [`ObbFit`] | 15 separating axes |
//!
//! Every fit contains every point that it was given, exactly, not up to rounding. Every overlap test is on
//! the safe side: it may report volumes that are apart by a few ulp, and never misses two that share a point.
//!
//! The crate `sudar-classic` adds k-DOPs, a hierarchy of any bounding volume, and all volumes around the same points
//! side by side.

mod aabb;
mod obb;
mod obb_calipers;
mod obb_dito;
mod obb_fit;
mod relative;
mod sphere;
mod sphere_fit;

pub use obb_fit::{ObbFit, fit_obb};
pub use relative::Relative;
pub use sphere_fit::{ritter_sphere, smallest_sphere};

use std::fmt::Debug;

use glam::{DMat3, DVec3};

/// A bounding volume in the frame of its body.
pub trait Volume: Copy + Debug + PartialEq {
    /// The volume as it is seen from the frame of another body.
    type Placed: Copy;

    /// A motion made ready for many volumes.
    type Motion: Clone;

    /// A volume around the points, as tight as the kind allows at a cost that building a tree can bear. It
    /// contains each of them exactly. `None` for no points.
    fn fit(points: &[DVec3]) -> Option<Self>;

    /// A volume that contains both, as tight as can be had from the two alone.
    #[must_use]
    fn merged(&self, other: &Self) -> Self;

    /// How much space it takes, rounded; 0 if it is flat.
    fn volume(&self) -> f64;

    /// Its middle, rounded.
    fn middle(&self) -> DVec3;

    /// The directions along which it is measured, as columns: those of its edges if it has any, else x, y and z.
    fn axes(&self) -> DMat3 {
        DMat3::IDENTITY
    }

    /// How long it is along each of its [`axes`](Self::axes), rounded.
    fn extents(&self) -> DVec3;

    /// Whether it contains the point. Never denies one that it contains; may accept one outside by a few ulp.
    fn holds(&self, p: DVec3) -> bool;

    /// Whether two volumes of one frame have a point in common; on the safe side.
    fn overlaps(&self, other: &Self) -> bool;

    /// Makes a motion ready.
    fn under(motion: &Relative) -> Self::Motion;

    /// The volume seen from the frame of another body: what stands for it there contains all its points after
    /// the motion.
    fn placed(&self, motion: &Self::Motion) -> Self::Placed;

    /// Whether this volume and one of the other body have a point in common; on the safe side.
    fn meets(&self, placed: &Self::Placed) -> bool;

    /// A sum of squares by which volumes are compared that are as near to each other as the centres of those
    /// seen from here.
    fn between(&self, placed: &Self::Placed) -> f64;
}
