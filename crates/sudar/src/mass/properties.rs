//! Mass, centre and inertia as one value, and what can be done with it.

use glam::{DMat3, DVec3};

use super::MassError;
use crate::math::{Pose, outer, symmetric_eigen};

/// Mass, centre of mass and inertia tensor of a body.
///
/// As measured, the density is 1 and the mass is the volume. A mesh whose triangles face inward encloses a
/// negative volume: then mass and inertia are negative, and [`MassProperties::outward`] gives those of the
/// body that is meant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// In kilograms; at density 1, in cubic metres.
    pub mass: f64,
    /// The centre of mass in the frame of the body.
    pub center: DVec3,
    /// The inertia tensor about the centre, in the frame of the body: ∫(|r|²·1 − r rᵀ) dm. Symmetric; the
    /// products of inertia stand beside the diagonal with a minus sign, as −∫xy dm.
    pub inertia: DMat3,
}

/// Principal axes of inertia, and the moments about them.
///
/// ```
/// use sudar::mass::mass_properties;
/// use sudar::{Cuboid, DVec3};
///
/// let beam = Cuboid::new(DVec3::new(3.0, 1.0, 1.0))?.into();
/// let axes = mass_properties(&beam)?.principal_axes();
/// assert!(axes.moments.x > axes.moments.z); // turns most easily about its length
/// assert!(axes.axes.z_axis.x.abs() > 0.999);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrincipalAxes {
    /// The moments of inertia, greatest first.
    pub moments: DVec3,
    /// Columns are the axes in the same order, unit, orthogonal and right-handed.
    pub axes: DMat3,
}

impl MassProperties {
    /// Of a body with a mass, a centre, and ∫ r rᵀ dm about the centre.
    pub(super) fn from_second_moment(mass: f64, center: DVec3, second: DMat3) -> Self {
        Self { mass, center, inertia: swapped(second) }
    }

    /// ∫ r rᵀ dm about the centre: what [`MassProperties::inertia`] holds, written otherwise.
    pub fn second_moment(&self) -> DMat3 {
        let half = 0.5 * (self.inertia.x_axis.x + self.inertia.y_axis.y + self.inertia.z_axis.z);
        DMat3::from_diagonal(DVec3::splat(half)) - self.inertia
    }

    /// The same body of another density, in kilograms per cubic metre.
    #[must_use]
    pub fn at_density(&self, density: f64) -> Self {
        Self { mass: self.mass * density, inertia: self.inertia * density, ..*self }
    }

    /// Whether the mass is below zero: the surface faces inward.
    pub fn is_inward(&self) -> bool {
        self.mass < 0.0
    }

    /// With the signs of a surface that faces outward.
    #[must_use]
    pub fn outward(&self) -> Self {
        if self.is_inward() { self.at_density(-1.0) } else { *self }
    }

    /// The inertia tensor about another point of the body's frame, by the parallel axis theorem (Huygens
    /// 1673, Steiner 1840).
    pub fn inertia_about(&self, point: DVec3) -> DMat3 {
        self.inertia + swapped(outer(self.center - point, self.center - point)) * self.mass
    }

    /// Principal axes and moments.
    pub fn principal_axes(&self) -> PrincipalAxes {
        let found = symmetric_eigen(&self.inertia);
        PrincipalAxes { moments: found.values, axes: found.vectors }
    }

    /// The radii of gyration about the principal axes, in the order of [`PrincipalAxes::moments`]: how far
    /// out all of the mass would have to sit to have the same moment.
    pub fn radii_of_gyration(&self) -> DVec3 {
        let square = self.outward().principal_axes().moments / self.mass.abs();
        square.max(DVec3::ZERO).map(f64::sqrt)
    }

    /// The pose that brings the centre to the origin and the principal axes to x, y, z, greatest moment along x.
    pub fn principal_pose(&self) -> Pose {
        let turn = self.principal_axes().axes.transpose();
        Pose::from_matrix(turn, -(turn * self.center)).unwrap_or(Pose::IDENTITY)
    }

    /// Of the body put elsewhere. A pose whose matrix is off a rotation by a little, as poses may be, changes
    /// volume and inertia accordingly.
    #[must_use]
    pub fn posed(&self, pose: &Pose) -> Self {
        let turn = pose.rotation();
        let stretch = turn.determinant();
        let second = turn * self.second_moment() * turn.transpose() * stretch;
        Self::from_second_moment(self.mass * stretch, pose.apply(self.center), second)
    }

    /// Of several bodies that are fixed to each other, in one frame. Where they overlap each counts.
    ///
    /// # Errors
    /// [`MassError::NoVolume`] if there is none, or if they have no mass together.
    pub fn combined(bodies: &[Self]) -> Result<Self, MassError> {
        let none = MassError::NoVolume {
            what: "the whole of the parts",
            way_out: "give at least one of them a volume, and turn over those that face inward",
        };
        let (Some(first), mass) = (bodies.first(), bodies.iter().map(|b| b.mass).sum::<f64>()) else {
            return Err(none);
        };
        // From the first centre, so that nothing is lost where all are far away.
        let offset =
            bodies.iter().fold(DVec3::ZERO, |sum, b| sum + (b.center - first.center) * (b.mass / mass));
        let center = first.center + offset;
        if mass == 0.0 || !center.is_finite() {
            return Err(none);
        }
        let inertia = bodies.iter().fold(DMat3::ZERO, |sum, b| sum + b.inertia_about(center));
        Ok(Self { mass, center, inertia })
    }
}

/// tr(m)·1 − m: from second moments to the tensor of inertia.
fn swapped(m: DMat3) -> DMat3 {
    // Sums of two, since a trace would lose the digits of a slender body.
    let (xx, yy, zz) = (m.x_axis.x, m.y_axis.y, m.z_axis.z);
    // Not −m, which makes −0 of the zeros of a symmetric body.
    let mut tensor = DMat3::ZERO - m;
    (tensor.x_axis.x, tensor.y_axis.y, tensor.z_axis.z) = (yy + zz, zz + xx, xx + yy);
    tensor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mass::mass_properties;
    use crate::shape::{Cuboid, Shape, Sphere};

    fn of(shape: impl Into<Shape>) -> MassProperties {
        mass_properties(&shape.into()).unwrap()
    }

    #[test]
    fn two_halves_make_a_whole() {
        let whole = of(Cuboid::new(DVec3::new(2.0, 3.0, 5.0)).unwrap());
        let half = of(Cuboid::new(DVec3::new(1.0, 3.0, 5.0)).unwrap());
        let at = |x: f64| half.posed(&Pose::from_translation(DVec3::new(x, 0.0, 0.0)).unwrap());
        let joined = MassProperties::combined(&[at(-1.0), at(1.0)]).unwrap();
        assert_eq!((joined.mass, joined.center), (240.0, DVec3::ZERO));
        assert!((joined.inertia - whole.inertia).abs_diff_eq(DMat3::ZERO, 1e-12));
        // Far away nothing is lost but what the coordinates lose.
        let far = MassProperties::combined(&[at(-1.0 + 1e9), at(1.0 + 1e9)]).unwrap();
        assert!((far.inertia - whole.inertia).abs_diff_eq(DMat3::ZERO, 1e-12) && far.center.x == 1e9);
    }

    #[test]
    fn a_turned_box_has_its_principal_moments_and_radii() {
        let bar = of(Cuboid::new(DVec3::new(3.0, 2.0, 1.0)).unwrap());
        let turn = glam::DQuat::from_xyzw(0.5, 0.1, -0.7, 0.5).normalize();
        let posed = bar.posed(&Pose::new(DVec3::new(7.0, 8.0, 9.0), turn).unwrap());
        let found = posed.principal_axes();
        // m/3·(9 + 4), m/3·(9 + 1), m/3·(4 + 1) with m = 48.
        assert!((found.moments - DVec3::new(208.0, 160.0, 80.0)).length() < 1e-11);
        let expected = DVec3::new(13.0, 10.0, 5.0) / 3.0;
        assert!((posed.radii_of_gyration() * posed.radii_of_gyration() - expected).length() < 1e-13);
        let home = posed.posed(&posed.principal_pose());
        assert!(home.center.length() < 1e-13);
        assert!(home.inertia.abs_diff_eq(DMat3::from_diagonal(found.moments), 1e-11));
        assert!((posed.second_moment().determinant() - bar.second_moment().determinant()).abs() < 1e-8);
    }

    #[test]
    fn parallel_axes() {
        let ball = of(Sphere::new(DVec3::new(0.0, 0.0, 4.0), 1.0).unwrap());
        let about = ball.inertia_about(DVec3::ZERO);
        let own = 0.4 * ball.mass;
        assert!((about.x_axis.x - own - 16.0 * ball.mass).abs() < 1e-12);
        assert!((about.z_axis.z - own).abs() < 1e-14);
    }

    #[test]
    fn bodies_that_cancel_are_refused() {
        let cube = of(Cuboid::new(DVec3::ONE).unwrap());
        assert!(MassProperties::combined(&[cube, cube.at_density(-1.0)]).is_err());
        assert!(MassProperties::combined(&[]).is_err());
        assert_eq!(cube.at_density(-2.0).outward().mass, 16.0 / 1.0);
        assert!(cube.at_density(-2.0).radii_of_gyration().abs_diff_eq(cube.radii_of_gyration(), 1e-15));
    }
}
