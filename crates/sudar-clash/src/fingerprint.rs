//! Fingerprints of 128 bits: the first half of BLAKE3, the same on every machine.

use sudar::{DVec3, Mesh};

/// A hash of words, one after another.
#[derive(Default)]
pub(crate) struct Fingerprint(blake3::Hasher);

/// So many vertices or triangles are hashed at a time.
const PIECE: usize = 1 << 12;

impl Fingerprint {
    /// That of bytes.
    pub fn of_bytes(bytes: &[u8]) -> u128 {
        let mut print = Self::default();
        print.0.update(bytes);
        print.value()
    }

    /// That of the vertices and triangles of a mesh. O(n).
    pub fn of_mesh(mesh: &Mesh) -> u128 {
        let mut print = Self::default();
        print.word(mesh.vertices().len() as u64);
        for piece in mesh.vertices().chunks(PIECE) {
            let bytes: Vec<u8> = piece.iter().flat_map(DVec3::to_array).flat_map(f64::to_le_bytes).collect();
            print.0.update(&bytes);
        }
        for piece in mesh.triangles().chunks(PIECE) {
            let bytes: Vec<u8> =
                piece.as_flattened().iter().flat_map(|corner| corner.to_le_bytes()).collect();
            print.0.update(&bytes);
        }
        print.value()
    }

    pub fn word(&mut self, word: u64) {
        self.0.update(&word.to_le_bytes());
    }

    pub fn wide(&mut self, word: u128) {
        self.0.update(&word.to_le_bytes());
    }

    /// By its bits: −0 is another number than 0.
    pub fn number(&mut self, x: f64) {
        self.word(x.to_bits());
    }

    pub fn value(&self) -> u128 {
        let mut first = [0; 16];
        first.copy_from_slice(&self.0.finalize().as_bytes()[..16]);
        u128::from_le_bytes(first)
    }
}
