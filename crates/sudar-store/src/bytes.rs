//! Numbers as little-endian bytes, and back.

use sudar::DVec3;

/// Puts numbers after one another.
#[derive(Debug, Default)]
pub struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn u32(&mut self, x: u32) {
        self.raw(&x.to_le_bytes());
    }

    pub fn u64(&mut self, x: u64) {
        self.raw(&x.to_le_bytes());
    }

    pub fn u128(&mut self, x: u128) {
        self.raw(&x.to_le_bytes());
    }

    pub fn f64(&mut self, x: f64) {
        self.raw(&x.to_le_bytes());
    }

    pub fn point(&mut self, p: DVec3) {
        p.to_array().into_iter().for_each(|x| self.f64(x));
    }
}

/// Takes numbers from the front; none where there are not enough bytes.
#[derive(Debug)]
pub struct Reader<'b>(pub &'b [u8]);

impl Reader<'_> {
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn u128(&mut self) -> Option<u128> {
        self.array().map(u128::from_le_bytes)
    }

    pub fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    pub fn point(&mut self) -> Option<DVec3> {
        Some(DVec3::new(self.f64()?, self.f64()?, self.f64()?))
    }
}

/// Vertices as bytes.
pub fn of_points(points: &[DVec3]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(24 * points.len());
    for p in points {
        for x in p.to_array() {
            bytes.extend_from_slice(&x.to_le_bytes());
        }
    }
    bytes
}

/// Numbers as bytes.
pub fn of_numbers(numbers: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4 * numbers.len());
    for x in numbers {
        bytes.extend_from_slice(&x.to_le_bytes());
    }
    bytes
}

/// Bytes as vertices.
pub fn points(bytes: &[u8]) -> Vec<DVec3> {
    let (points, _) = bytes.as_chunks::<24>();
    points.iter().map(|bytes| Reader(bytes).point().unwrap_or_default()).collect()
}

/// Bytes as numbers.
pub fn numbers(bytes: &[u8]) -> Vec<u32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

/// Bytes as triples of numbers.
pub fn triples(bytes: &[u8]) -> Vec<[u32; 3]> {
    let (triples, _) = bytes.as_chunks::<12>();
    let number = |t: &[u8; 12], i: usize| u32::from_le_bytes([t[i], t[i + 1], t[i + 2], t[i + 3]]);
    triples.iter().map(|t| [number(t, 0), number(t, 4), number(t, 8)]).collect()
}
