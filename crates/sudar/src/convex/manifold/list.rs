//! Short lists that need no memory of their own.

/// So many items have room without asking for memory: two boxes overlap in at most eight corners.
const INLINE: usize = 8;

/// A list that allocates memory only if it grows long.
#[derive(Debug, Clone)]
pub(super) struct List<T> {
    short: [T; INLINE],
    count: usize,
    /// All items, once there are too many for `short`.
    long: Vec<T>,
}

impl<T: Copy> List<T> {
    /// An empty list. `filler` is never seen.
    #[inline]
    pub fn new(filler: T) -> Self {
        Self { short: [filler; INLINE], count: 0, long: Vec::new() }
    }

    #[inline]
    pub fn push(&mut self, item: T) {
        if self.count < INLINE {
            self.short[self.count] = item;
        } else {
            if self.count == INLINE {
                self.long = self.short.to_vec();
            }
            self.long.push(item);
        }
        self.count += 1;
    }

    #[inline]
    pub fn as_slice(&self) -> &[T] {
        if self.count <= INLINE { &self.short[..self.count] } else { &self.long }
    }

    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        if self.count <= INLINE { &mut self.short[..self.count] } else { &mut self.long }
    }

    /// Drops all items.
    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
        self.long.clear();
    }

    /// Drops the items that the test refuses; keeps the order.
    pub fn keep(&mut self, wanted: impl Fn(&T) -> bool) {
        if self.as_slice().iter().all(&wanted) {
            return;
        }
        let all = self.clone();
        self.clear();
        all.as_slice().iter().filter(|item| wanted(item)).for_each(|item| self.push(*item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_hold_as_much_as_short_ones() {
        let mut list = List::new(0);
        (0..40).for_each(|i| list.push(i));
        assert!(list.as_slice().iter().copied().eq(0..40));
        list.keep(|i| i % 10 == 7);
        assert_eq!(list.as_slice(), [7, 17, 27, 37]);
        list.as_mut_slice()[1] = 5;
        assert_eq!(list.as_slice(), [7, 5, 27, 37]);
    }
}
