//! Why a proof was refused.

use thiserror::Error;

/// Why a proof does not hold for these bodies.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum ProofError {
    /// The proof is of a format that this version does not know.
    #[error("the proof has format {found}, this version checks format {}", super::PROOF_FORMAT)]
    Format {
        /// Its format.
        found: u32,
    },
    /// A number is NaN or infinite, or a bound is negative.
    #[error("{what} must be finite and, if a bound or weight, not negative")]
    Number {
        /// What the number stands for.
        what: &'static str,
    },
    /// An order does not name every piece once.
    #[error("the order of the pieces of body {body} does not name each of them exactly once")]
    Order {
        /// `"a"` or `"b"`.
        body: &'static str,
    },
    /// A block is empty or reaches beyond the pieces.
    #[error("block {block} is empty or reaches beyond the pieces of a body")]
    Range {
        /// Number of the block.
        block: usize,
    },
    /// Two blocks overlap, or some pair of pieces is in none.
    #[error("the blocks do not cover each pair of pieces exactly once")]
    NotTiled,
    /// Along its direction a block is not far enough apart.
    #[error("block {block} is not apart by the bound along its direction")]
    TooNear {
        /// Number of the block.
        block: usize,
    },
    /// Surfaces are apart, but one body may lie inside the other.
    #[error("a part of one body lies inside the other, which is solid")]
    Inside,
    /// A piece or corner does not exist.
    #[error("the witnesses name a piece or corner that does not exist")]
    NoSuchPiece,
    /// The weights of corners are all zero.
    #[error("the weights of a witness must not be negative nor all zero")]
    Weights,
    /// A witness is not where it is said to be.
    #[error("the witness of body {body} does not lie on the piece that it names")]
    OffPiece {
        /// `"a"` or `"b"`.
        body: &'static str,
    },
    /// The witnesses are farther apart than the bound, or the pieces said to meet do not.
    #[error("the witnesses are farther apart than the upper bound")]
    TooFar,
}
