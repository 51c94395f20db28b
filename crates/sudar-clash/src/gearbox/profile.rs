//! Outlines: circles, hexagons and involute gears.

use std::f64::consts::PI;

use sudar::glam::DVec2;

/// Flank points from the base circle to the tip.
const FLANK_POINTS: usize = 6;
const PRESSURE_ANGLE: f64 = 20.0 * PI / 180.0;

/// A regular polygon of `n` corners, the first at angle 0.
pub fn circle(radius: f64, n: usize) -> Vec<DVec2> {
    (0..n).map(|i| polar(radius, 2.0 * PI * i as f64 / n as f64)).collect()
}

/// An involute gear of standard proportions: height 1 module above the pitch circle and 1.25 below, pressure angle 20°.
pub struct Gear {
    pub module: f64,
    pub teeth: usize,
    /// How much thinner each tooth is on the pitch circle than half the pitch.
    pub backlash: f64,
}

impl Gear {
    pub fn pitch_radius(&self) -> f64 {
        self.module * self.teeth as f64 / 2.0
    }

    /// Outline of an external gear with a tooth centred at angle 0.
    pub fn external(&self) -> Vec<DVec2> {
        let r = self.pitch_radius();
        let thickness = PI * self.module / 2.0 - self.backlash;
        self.outline(r - 1.25 * self.module, r + self.module, thickness, 0.0)
    }

    /// Outline of the opening of an internal gear with a tooth centred at angle 0: its spaces are the teeth
    /// of an external gear, wider by the backlash, and reach from the tips inward to the roots outward.
    pub fn internal(&self) -> Vec<DVec2> {
        let r = self.pitch_radius();
        let space = PI * self.module / 2.0 + self.backlash;
        self.outline(r - self.module, r + 1.25 * self.module, space, PI / self.teeth as f64)
    }

    /// Teeth from radius `low` to `high`, `thickness` wide on the pitch circle, the first centred at angle `first`.
    fn outline(&self, low: f64, high: f64, thickness: f64, first: f64) -> Vec<DVec2> {
        let base = self.pitch_radius() * libm::cos(PRESSURE_ANGLE);
        let half_angle = |radius: f64| {
            let at_pitch = thickness / (2.0 * self.pitch_radius());
            at_pitch + involute(PRESSURE_ANGLE) - involute(libm::acos((base / radius).min(1.0)))
        };
        let start = low.max(base);
        let step = (high - start) / (FLANK_POINTS - 1) as f64;
        let mut radii: Vec<f64> = (0..FLANK_POINTS).map(|i| start + step * i as f64).collect();
        if low < base {
            radii.insert(0, low);
        }
        let mut outline = Vec::with_capacity(self.teeth * 2 * radii.len());
        for k in 0..self.teeth {
            let center = first + 2.0 * PI * k as f64 / self.teeth as f64;
            outline.extend(radii.iter().map(|&r| polar(r, center - half_angle(r))));
            outline.extend(radii.iter().rev().map(|&r| polar(r, center + half_angle(r))));
        }
        outline
    }
}

/// tan α − α: the angle by which a point of an involute has turned where the pressure angle is α.
fn involute(alpha: f64) -> f64 {
    libm::tan(alpha) - alpha
}

fn polar(radius: f64, angle: f64) -> DVec2 {
    let (sin, cos) = libm::sincos(angle);
    DVec2::new(radius * cos, radius * sin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tooth_is_as_thick_as_it_should_be_on_the_pitch_circle() {
        // Half the pitch πm less the backlash: π − 0.2 for module 2; an involute tooth thins outward.
        let gear = Gear { module: 2.0, teeth: 18, backlash: 0.2 };
        let outline = gear.external();
        let tooth = &outline[..2 * (FLANK_POINTS + 1)];
        let widths: Vec<f64> = (0..FLANK_POINTS + 1)
            .map(|i| tooth[i].angle_to(tooth[tooth.len() - 1 - i]) * tooth[i].length())
            .collect();
        let at_pitch = (PI - 0.2) * 1.0;
        assert!(widths[1..].is_sorted_by(|x, y| x > y), "{widths:?}");
        assert!(widths[1] > at_pitch && widths[FLANK_POINTS] < at_pitch);
        assert_eq!(gear.pitch_radius(), 18.0);
    }

    #[test]
    fn outlines_run_counter_clockwise_without_turning_back() {
        let gear = Gear { module: 2.0, teeth: 54, backlash: 0.2 };
        for outline in [gear.external(), gear.internal()] {
            let n = outline.len();
            for i in 0..n {
                assert!(outline[i].perp_dot(outline[(i + 1) % n]) > -1e-9, "{i}");
            }
        }
    }
}
