//! Checksums: the first 16 bytes of BLAKE3, which nobody can aim at.
//!
//! Meshes that have the same checksum are one mesh. With a checksum that can be aimed at, a file from a stranger could
//! put its mesh in the place of another.

/// A checksum of 128 bits.
pub type Digest = u128;

/// The checksum of these bytes.
pub fn digest(bytes: &[u8]) -> Digest {
    let mut sum = Summing::default();
    sum.add(bytes);
    sum.end()
}

/// A checksum of bytes that come one after another.
#[derive(Debug, Clone, Default)]
pub struct Summing(blake3::Hasher);

impl Summing {
    /// Adds bytes at the end.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The checksum of all of them.
    pub fn end(&self) -> Digest {
        let whole = self.0.finalize();
        let mut first = [0; 16];
        first.copy_from_slice(&whole.as_bytes()[..16]);
        u128::from_le_bytes(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_blake3_as_its_authors_publish_it() {
        // BLAKE3's test vector for no bytes: af1349b9f5f9a1a6a0404dea36dcc949 9bcb25c9…
        assert_eq!(digest(b"").to_be_bytes().map(|b| format!("{b:02x}")).concat().len(), 32);
        let first = digest(b"").to_le_bytes().map(|b| format!("{b:02x}")).concat();
        assert_eq!(first, "af1349b9f5f9a1a6a0404dea36dcc949");
        let mut sum = Summing::default();
        [&b"a"[..], b"", b"bc"].into_iter().for_each(|piece| sum.add(piece));
        assert_eq!(sum.end(), digest(b"abc"));
    }
}
