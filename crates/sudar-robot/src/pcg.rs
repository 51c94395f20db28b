//! Random numbers that are the same everywhere: PCG-XSH-RR 64/32 (O'Neill 2014, "PCG: A Family of Simple Fast
//! Space-Efficient Statistically Good Algorithms for Random Number Generation").

/// A source of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Pcg(u64);

impl Pcg {
    pub fn new(seed: u64) -> Self {
        let mut pcg = Self(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
        pcg.next();
        pcg
    }

    fn next(&mut self) -> u32 {
        let old = self.0;
        self.0 = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (((old >> 18) ^ old) >> 27) as u32;
        mixed.rotate_right((old >> 59) as u32)
    }

    /// A number of 0 ≤ x < 1, a multiple of 2⁻⁵³.
    pub fn number(&mut self) -> f64 {
        let high = u64::from(self.next() >> 5);
        let low = u64::from(self.next() >> 6);
        ((high << 26) | low) as f64 / (1u64 << 53) as f64
    }
}
