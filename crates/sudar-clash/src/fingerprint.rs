//! Fingerprints of 128 bits.

use std::hash::{DefaultHasher, Hasher};

use sudar::Mesh;

/// Two hashes of the same words, from different beginnings.
pub(crate) struct Fingerprint([DefaultHasher; 2]);

impl Default for Fingerprint {
    fn default() -> Self {
        let mut both = [DefaultHasher::new(), DefaultHasher::new()];
        both[1].write_u64(1);
        Self(both)
    }
}

impl Fingerprint {
    /// That of bytes.
    pub fn of_bytes(bytes: &[u8]) -> u128 {
        let mut print = Self::default();
        print.0.iter_mut().for_each(|hash| hash.write(bytes));
        print.value()
    }

    /// That of the vertices and triangles of a mesh. O(n).
    pub fn of_mesh(mesh: &Mesh) -> u128 {
        let mut print = Self::default();
        print.word(mesh.vertices().len() as u64);
        mesh.vertices().iter().for_each(|p| p.to_array().into_iter().for_each(|x| print.number(x)));
        mesh.triangles().iter().flatten().for_each(|corner| print.word(u64::from(*corner)));
        print.value()
    }

    pub fn word(&mut self, word: u64) {
        self.0.iter_mut().for_each(|hash| hash.write_u64(word));
    }

    pub fn wide(&mut self, word: u128) {
        self.0.iter_mut().for_each(|hash| hash.write_u128(word));
    }

    /// By its bits: −0 is another number than 0.
    pub fn number(&mut self, x: f64) {
        self.word(x.to_bits());
    }

    pub fn value(&self) -> u128 {
        let [a, b] = self.0.each_ref().map(Hasher::finish);
        u128::from(a) << 64 | u128::from(b)
    }
}
