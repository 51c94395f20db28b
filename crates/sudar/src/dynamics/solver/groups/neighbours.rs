//! Which bodies each body has contacts with.

/// For each body the others, one after the other.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Neighbours {
    /// So many bodies, joined from the first of each pair to the second.
    pub fn link(&mut self, count: usize, joined: impl Iterator<Item = (u32, u32)> + Clone) {
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        for (from, _) in joined.clone() {
            self.starts[from as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.list.clear();
        self.list.resize(sum as usize, 0);
        for (from, to) in joined {
            self.starts[from as usize] -= 1;
            self.list[self.starts[from as usize] as usize] = to;
        }
    }

    /// Those of a body.
    pub fn of(&self, body: u32) -> &[u32] {
        let [start, end] = [body, body + 1].map(|i| self.starts[i as usize] as usize);
        &self.list[start..end]
    }

    /// Those of all bodies together.
    pub fn len(&self) -> usize {
        self.list.len()
    }
}
