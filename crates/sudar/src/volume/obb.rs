//! Oriented boxes.

use glam::{DMat3, DVec3};

use super::obb_fit::{ObbFit, around, fit_obb, half_area};
use super::{Relative, Volume};
use crate::pair::{obb_obb, point_obb};
use crate::shape::Obb;

impl Volume for Obb {
    type Placed = Self;
    type Motion = Relative;

    /// By the covariance of the surface of the convex hull, [`ObbFit::HullSurface`].
    fn fit(points: &[DVec3]) -> Option<Self> {
        fit_obb(points, ObbFit::HullSurface)
    }

    /// Along the axes of the larger one or of the principal axes of the corners of both, whichever is smaller.
    fn merged(&self, other: &Self) -> Self {
        let corners = [self.corners(), other.corners()].concat();
        let larger = if self.volume() < other.volume() { other } else { self };
        let along = around(&corners, &larger.axes);
        let fitted = fit_obb(&corners, ObbFit::Points).unwrap_or(along);
        let best = if half_area(&fitted) < half_area(&along) { fitted } else { along };
        // Corners are rounded.
        let size = corners.iter().fold(0.0, |most: f64, p| most.max(p.abs().max_element()));
        best.grown(16.0 * f64::EPSILON * size)
    }

    fn volume(&self) -> f64 {
        8.0 * self.half.element_product()
    }

    fn middle(&self) -> DVec3 {
        self.center
    }

    fn axes(&self) -> DMat3 {
        self.axes
    }

    fn extents(&self) -> DVec3 {
        self.half * 2.0
    }

    fn holds(&self, p: DVec3) -> bool {
        point_obb(p, self)
    }

    fn overlaps(&self, other: &Self) -> bool {
        obb_obb(self, other)
    }

    fn under(motion: &Relative) -> Relative {
        *motion
    }

    fn placed(&self, motion: &Relative) -> Self {
        let center = motion.apply(self.center);
        let axes = motion.pose().rotation() * self.axes;
        // The centre is rounded, and the axes by some ulp of the half extents.
        let slack = motion.pose().rounding(self.center.abs().max_element())
            + 32.0 * f64::EPSILON * self.half.max_element();
        Self { center, axes, half: self.half }.grown(motion.slack() + slack)
    }

    fn meets(&self, placed: &Self) -> bool {
        obb_obb(self, placed)
    }

    fn between(&self, placed: &Self) -> f64 {
        (self.center - placed.center).length_squared()
    }
}
