//! The ends of all boxes in order on each axis, kept in order by insertion sort.

use sudar::broad::Boxes;

/// An end of a box on one axis.
#[derive(Debug, Clone, Copy)]
struct EndPoint {
    value: f64,
    /// Twice the number of the box; one more for the greater end.
    id: u32,
}

impl EndPoint {
    fn is_end(self) -> bool {
        self.id & 1 == 1
    }

    /// Where boxes just touch they overlap, so ends come after beginnings.
    fn belongs_after(self, other: Self) -> bool {
        self.value > other.value || (self.value == other.value && self.is_end() && !other.is_end())
    }
}

/// Three sorted lists of 2n end points.
#[derive(Debug, Clone, Default)]
pub(super) struct EndPoints {
    lists: [Vec<EndPoint>; 3],
}

/// What two end points that change places say about their boxes on this axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Swap {
    /// They overlap from now on.
    Begin,
    /// They do not overlap any more.
    End,
}

impl EndPoints {
    /// Adds a box beyond all others.
    pub fn append(&mut self, i: u32) {
        let ends = |id| EndPoint { value: f64::INFINITY, id };
        self.lists.iter_mut().for_each(|list| list.extend([ends(2 * i), ends(2 * i + 1)]));
    }

    /// Drops the boxes that were removed, and reads where the others are now.
    pub fn read(&mut self, boxes: &Boxes) {
        for (axis, list) in self.lists.iter_mut().enumerate() {
            list.retain(|end| boxes.is_live(end.id / 2));
            for end in list {
                let aabb = boxes.get(end.id / 2);
                // Adding zero makes −0 and 0 the same.
                end.value = if end.is_end() { aabb.max[axis] } else { aabb.min[axis] } + 0.0;
            }
        }
    }

    /// Sorts all three lists from scratch.
    pub fn sort(&mut self) {
        for list in &mut self.lists {
            list.sort_unstable_by(|a, b| {
                a.value.total_cmp(&b.value).then((a.id & 1).cmp(&(b.id & 1))).then(a.id.cmp(&b.id))
            });
        }
    }

    /// Sorts one list by insertion; calls `swapped` for all changes of overlap on this axis. Gives back the
    /// number of swaps.
    pub fn insertion_sort(&mut self, axis: usize, mut swapped: impl FnMut(Swap, u32, u32)) -> u64 {
        let list = &mut self.lists[axis];
        let mut swaps = 0;
        for k in 1..list.len() {
            let moving = list[k];
            let mut place = k;
            while place > 0 && list[place - 1].belongs_after(moving) {
                let other = list[place - 1];
                match (moving.is_end(), other.is_end()) {
                    (false, true) => swapped(Swap::Begin, moving.id / 2, other.id / 2),
                    (true, false) => swapped(Swap::End, moving.id / 2, other.id / 2),
                    (true, true) | (false, false) => {}
                }
                list[place] = other;
                place -= 1;
            }
            list[place] = moving;
            swaps += (k - place) as u64;
        }
        swaps
    }

    /// Calls `visit` with all pairs that overlap on one axis, whose list is sorted.
    pub fn overlapping(&self, axis: usize, mut visit: impl FnMut(u32, u32)) {
        let mut begun: Vec<u32> = Vec::new();
        for end in &self.lists[axis] {
            let i = end.id / 2;
            if end.is_end() {
                begun.retain(|&j| j != i);
            } else {
                begun.iter().for_each(|&j| visit(i, j));
                begun.push(i);
            }
        }
    }

    pub fn bytes(&self) -> usize {
        self.lists.iter().map(|list| list.capacity() * size_of::<EndPoint>()).sum()
    }
}
