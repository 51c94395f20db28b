//! An order in which each function follows those that it is most like.

use std::collections::HashMap;

/// Bytes of code that are compared at once.
const GRAM: usize = 6;

/// Bytes of code before a function that it is compared with: less than the 32 kB that compression looks back.
const WINDOW: usize = 24_000;

/// What more functions than this have tells nothing.
const COMMON: usize = 150;

/// How much a function has in common with those before it, by its length to this power: a short one is not to come
/// last of all, nor a long one first.
const POWER: f64 = 0.7;

/// With less in common, by the same measure, a function follows by its name.
const LEAST: f64 = 0.02;

/// Functions by the pieces of their code.
struct Functions<'w> {
    bodies: &'w [&'w [u8]],
    /// The pieces of each function, as numbers.
    pieces: Vec<Vec<usize>>,
    /// The functions that have each piece, unless they are many.
    having: Vec<Vec<usize>>,
}

impl<'w> Functions<'w> {
    fn new(bodies: &'w [&'w [u8]]) -> Self {
        let mut numbers = HashMap::new();
        let mut having: Vec<Vec<usize>> = Vec::new();
        let mut pieces = Vec::new();
        for (function, body) in bodies.iter().enumerate() {
            let hashes = body.windows(GRAM).map(hash);
            let mut own: Vec<usize> = hashes
                .map(|hash| {
                    let next = numbers.len();
                    *numbers.entry(hash).or_insert(next)
                })
                .collect();
            own.sort_unstable();
            own.dedup();
            having.resize(numbers.len(), Vec::new());
            own.iter().for_each(|piece| having[*piece].push(function));
            pieces.push(own);
        }
        having.iter_mut().filter(|having| having.len() >= COMMON).for_each(Vec::clear);
        Self { bodies, pieces, having }
    }
}

fn hash(gram: &[u8]) -> u64 {
    gram.iter().fold(0, |hash: u64, byte| {
        let mixed = (hash ^ u64::from(*byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    })
}

/// The functions that were placed last.
struct Window<'f> {
    functions: &'f Functions<'f>,
    /// How often each piece is in it.
    counts: Vec<u32>,
    /// How many of the pieces of each function are in it.
    shared: Vec<u32>,
    bytes: usize,
}

impl Window<'_> {
    fn add(&mut self, function: usize) {
        self.bytes += self.functions.bodies[function].len();
        for &piece in &self.functions.pieces[function] {
            self.counts[piece] += 1;
            if self.counts[piece] == 1 {
                self.functions.having[piece].iter().for_each(|&other| self.shared[other] += 1);
            }
        }
    }

    fn remove(&mut self, function: usize) {
        self.bytes -= self.functions.bodies[function].len();
        for &piece in &self.functions.pieces[function] {
            self.counts[piece] -= 1;
            if self.counts[piece] == 0 {
                self.functions.having[piece].iter().for_each(|&other| self.shared[other] -= 1);
            }
        }
    }
}

/// The numbers of functions in the new order: after each of them the one that has most in common with those before it,
/// or the next of the given order where none has.
pub fn order(bodies: &[&[u8]], given: &[usize]) -> Vec<usize> {
    let functions = Functions::new(bodies);
    let weights: Vec<f64> = bodies.iter().map(|body| (body.len() as f64 + 20.0).powf(-POWER)).collect();
    let mut window = Window {
        functions: &functions,
        counts: vec![0; functions.having.len()],
        shared: vec![0; bodies.len()],
        bytes: 0,
    };
    let (mut placed, mut first) = (Vec::<usize>::new(), 0);
    let mut left: Vec<usize> = given.to_vec();
    while !left.is_empty() {
        let mut best = (LEAST, 0);
        for (place, &function) in left.iter().enumerate() {
            let likeness = f64::from(window.shared[function]) * weights[function];
            if likeness > best.0 {
                best = (likeness, place);
            }
        }
        // The order of those that are left is kept, by which the first of them is next.
        let next = left.remove(best.1);
        placed.push(next);
        window.add(next);
        while window.bytes > WINDOW && first + 1 < placed.len() {
            window.remove(placed[first]);
            first += 1;
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_functions_stand_side_by_side() {
        let code = |seed: u8| (0..200_u32).map(|k| (k * k % 251) as u8 ^ seed).collect::<Vec<u8>>();
        let bodies = [code(1), code(90), code(1), code(90), code(1)];
        let slices: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
        assert_eq!(order(&slices, &[0, 1, 2, 3, 4]), [0, 2, 4, 1, 3]);
        assert_eq!(order(&slices, &[3, 0, 1, 2, 4]), [3, 1, 0, 2, 4]);
        assert_eq!(order(&[], &[]), [0; 0]);
    }
}
