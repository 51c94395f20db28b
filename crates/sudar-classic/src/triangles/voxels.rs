//! A voxel grid over triangles.

use super::finder::{Finder, Probe, bounds_of};
use sudar::pair::triangle_aabb;
use sudar::shape::{Aabb, Triangle};

/// About as many equal voxels as triangles, each with a list of those that meet it.
///
/// Boxes and segments find their voxels by halving blocks of voxels, each of which is compared exactly.
#[derive(Debug, Clone)]
pub(super) struct Voxels {
    bounds: Aabb,
    counts: [usize; 3],
    lists: Vec<Vec<u32>>,
}

/// Voxels from one to before another on each axis.
type Block = [std::ops::Range<usize>; 3];

impl Voxels {
    pub fn new(triangles: &[Triangle]) -> Self {
        let bounds = bounds_of(triangles);
        let extent = bounds.extent();
        // Cubes, of which as many fit as there are triangles.
        let size = libm::cbrt((extent.x / triangles.len().max(1) as f64) * extent.y * extent.z);
        let size = size.max(extent.max_element() / 256.0);
        let counts = [0, 1, 2].map(|k| ((extent[k] / size) as usize).clamp(1, 256));
        let lists = vec![Vec::new(); counts.iter().product()];
        let mut voxels = Self { bounds, counts, lists };
        for (i, triangle) in triangles.iter().enumerate() {
            let mut entered = Vec::new();
            voxels.halve(&|aabb| triangle_aabb(triangle, aabb), &mut |voxel| entered.push(voxel));
            entered.into_iter().for_each(|voxel| voxels.lists[voxel].push(i as u32));
        }
        voxels
    }

    /// Where voxel `number` begins on an axis. Neighbours share their faces exactly.
    fn edge(&self, axis: usize, number: usize) -> f64 {
        let (low, high) = (self.bounds.min[axis], self.bounds.max[axis]);
        if number == self.counts[axis] {
            return high;
        }
        (low + (high - low) * (number as f64 / self.counts[axis] as f64)).min(high)
    }

    fn aabb(&self, block: &Block) -> Aabb {
        let mut aabb = self.bounds;
        for (k, range) in block.iter().enumerate() {
            (aabb.min[k], aabb.max[k]) = (self.edge(k, range.start), self.edge(k, range.end));
        }
        aabb
    }

    /// Calls `visit` with all voxels that pass, which are in blocks that pass.
    fn halve(&self, passes: &dyn Fn(&Aabb) -> bool, visit: &mut dyn FnMut(usize)) -> u64 {
        let mut todo: Vec<Block> = vec![[0..self.counts[0], 0..self.counts[1], 0..self.counts[2]]];
        let mut visits = 0;
        while let Some(block) = todo.pop() {
            visits += 1;
            if !passes(&self.aabb(&block)) {
                continue;
            }
            let axis = [1, 2]
                .into_iter()
                .fold(0, |best, k| if block[k].len() > block[best].len() { k } else { best });
            let std::ops::Range { start, end } = block[axis];
            if end - start == 1 {
                visit((block[0].start * self.counts[1] + block[1].start) * self.counts[2] + block[2].start);
                continue;
            }
            let middle = start.midpoint(end);
            let (mut low, mut high) = (block.clone(), block);
            (low[axis], high[axis]) = (start..middle, middle..end);
            todo.extend([low, high]);
        }
        visits
    }
}

impl Finder for Voxels {
    fn find(&self, probe: &Probe, visit: &mut dyn FnMut(u32)) -> u64 {
        self.halve(&|aabb| probe.meets_box(aabb), &mut |voxel| {
            self.lists[voxel].iter().for_each(|&i| visit(i));
        })
    }

    fn bytes(&self) -> usize {
        let lists: usize = self.lists.iter().map(|list| 4 * list.capacity()).sum();
        self.lists.capacity() * size_of::<Vec<u32>>() + lists
    }
}
