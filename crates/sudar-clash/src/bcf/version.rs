//! The versions of the format.

/// A version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BcfVersion {
    /// That of 2016, which most tools read.
    #[default]
    V2_1,
    /// That of 2021.
    V3_0,
}

impl BcfVersion {
    /// Every version, the usual one first.
    pub const ALL: [Self; 2] = [Self::V2_1, Self::V3_0];

    /// As files write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V2_1 => "2.1",
            Self::V3_0 => "3.0",
        }
    }
}
