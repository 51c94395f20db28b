//! Colours.

/// A colour as the screen takes it: red, green, blue and opacity, 0 to 255 each.
///
/// The named ones are those of Okabe and Ito 2008 ("Color universal design"), which people with any kind of colour
/// blindness tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Color(pub [u8; 4]);

impl Color {
    /// Black.
    pub const BLACK: Self = Self::rgb(0, 0, 0);
    /// Orange.
    pub const ORANGE: Self = Self::rgb(230, 159, 0);
    /// Sky blue.
    pub const SKY: Self = Self::rgb(86, 180, 233);
    /// Bluish green.
    pub const GREEN: Self = Self::rgb(0, 158, 115);
    /// Yellow.
    pub const YELLOW: Self = Self::rgb(240, 228, 66);
    /// Blue.
    pub const BLUE: Self = Self::rgb(0, 114, 178);
    /// Vermilion.
    pub const VERMILION: Self = Self::rgb(213, 94, 0);
    /// Reddish purple.
    pub const PURPLE: Self = Self::rgb(204, 121, 167);
    /// White.
    pub const WHITE: Self = Self::rgb(255, 255, 255);
    /// A grey for what does not move.
    pub const STONE: Self = Self::rgb(150, 155, 163);

    /// The colours to tell bodies apart by, in order.
    pub const CYCLE: [Self; 7] =
        [Self::BLUE, Self::ORANGE, Self::GREEN, Self::PURPLE, Self::SKY, Self::VERMILION, Self::YELLOW];

    /// An opaque colour.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue, 255])
    }

    /// The colour number `i` of [`CYCLE`](Self::CYCLE), which begins again at its end.
    pub const fn cycle(i: usize) -> Self {
        Self::CYCLE[i % Self::CYCLE.len()]
    }

    /// The same colour, less opaque: 0 is nothing, 1 all of it.
    #[must_use]
    pub fn faded(self, opacity: f64) -> Self {
        let [r, g, b, a] = self.0;
        Self([r, g, b, (f64::from(a) * opacity.clamp(0.0, 1.0)) as u8])
    }

    /// From this colour at 0 to the other at 1.
    #[must_use]
    pub fn mix(self, other: Self, part: f64) -> Self {
        let part = part.clamp(0.0, 1.0);
        let one = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * part + 0.5) as u8;
        let ([r, g, b, a], [s, t, u, v]) = (self.0, other.0);
        Self([one(r, s), one(g, t), one(b, u), one(a, v)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_goes_from_one_to_the_other() {
        assert_eq!(Color::BLACK.mix(Color::WHITE, 0.0), Color::BLACK);
        assert_eq!(Color::BLACK.mix(Color::WHITE, 1.0), Color::WHITE);
        assert_eq!(Color::BLACK.mix(Color::WHITE, 0.5), Color::rgb(128, 128, 128));
        assert_eq!(Color::WHITE.faded(0.0).0[3], 0);
    }
}
