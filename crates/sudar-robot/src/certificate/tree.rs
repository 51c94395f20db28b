//! Trees: which times and pieces each leaf is for.

use super::figure::Range;

/// Times and pieces that a node of a tree is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Region {
    /// Times, from and to.
    pub from: f64,
    /// See `from`.
    pub to: f64,
    pub ranges: [Range; 2],
}

impl Region {
    pub fn middle(&self) -> f64 {
        0.5 * (self.from + self.to)
    }

    pub fn half(&self) -> f64 {
        0.5 * (self.to - self.from)
    }

    /// Both halves by the letter of a node; `None` if it has none.
    pub fn halves(&self, letter: u8) -> Option<[Self; 2]> {
        let middle = self.middle();
        if letter == b't' {
            // Halves of a power of two are exact, until they are too small to be told apart.
            let halves = [Self { to: middle, ..*self }, Self { from: middle, ..*self }];
            return (self.from < middle && middle < self.to).then_some(halves);
        }
        let k = [b'a', b'b'].iter().position(|known| *known == letter)?;
        let of = |range: Range| {
            let mut ranges = self.ranges;
            ranges[k] = range;
            Self { ranges, ..*self }
        };
        Some(self.ranges[k].halves()?.map(of))
    }
}

/// The regions of the leaves of a tree, one after another, as far as the letters are those of one.
pub(super) struct Leaves<'t> {
    letters: std::slice::Iter<'t, u8>,
    open: Vec<Region>,
    /// Whether a letter had no region, or one that it cannot halve.
    is_broken: bool,
}

impl<'t> Leaves<'t> {
    pub fn new(tree: &'t str, root: Region) -> Self {
        Self { letters: tree.as_bytes().iter(), open: vec![root], is_broken: false }
    }

    /// Whether all letters were read, and every region had its own. To be asked at the end.
    pub fn is_whole(&self) -> bool {
        !self.is_broken && self.open.is_empty() && self.letters.len() == 0
    }
}

impl Iterator for Leaves<'_> {
    type Item = Region;

    fn next(&mut self) -> Option<Region> {
        while let (false, Some(&letter)) = (self.is_broken, self.letters.next()) {
            match self.open.pop() {
                Some(region) if letter == b'.' => return Some(region),
                Some(region) => match region.halves(letter) {
                    Some([first, second]) => self.open.extend([second, first]),
                    None => self.is_broken = true,
                },
                None => self.is_broken = true,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(a: u32, b: u32) -> Region {
        let all = |to| Range { id: 1, from: 0, to };
        Region { from: 0.0, to: 1.0, ranges: [all(a), all(b)] }
    }

    #[test]
    fn leaves_tile_all_times_and_pieces() {
        let mut leaves = Leaves::new("ta.tb.t..b...", root(5, 3));
        let found: Vec<Region> = leaves.by_ref().collect();
        assert!(leaves.is_whole());
        let size = |r: &Region| (r.to - r.from) * f64::from(r.ranges[0].count() * r.ranges[1].count());
        assert_eq!((found.len(), found.iter().map(size).sum::<f64>()), (7, 15.0));
        assert_eq!((found[0].to, found[0].ranges[0].to, found[0].ranges[1].to), (0.5, 2, 3));
    }

    #[test]
    fn letters_that_are_no_tree_are_told() {
        for tree in ["", "x", "a", "t", "t.", "..", "a..", "t.x", "b.", "tt..", "t...", &"t".repeat(5000)] {
            let mut leaves = Leaves::new(tree, root(1, 2));
            let count = leaves.by_ref().count();
            assert!(!leaves.is_whole() && count <= 2, "{tree}");
        }
        for tree in [".", "t..", "b.t.."] {
            let mut leaves = Leaves::new(tree, root(1, 2));
            leaves.by_ref().for_each(drop);
            assert!(leaves.is_whole(), "{tree}");
        }
    }
}
