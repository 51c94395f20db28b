//! Halves eight side by side in `f32`: every third level of the tree, which is a third of the nodes to open and a
//! quarter of the memory to read.
//!
//! `f32` proposes: boxes are rounded outward, so that none is left out that `f64` would show. (Eight children a node
//! and a stack as in Wald et al. 2014, "Embree".)

use fearless_simd::Simd;
use glam::DVec3;

use crate::effort::Meter;
use crate::math::power_of_two;
use crate::shape::Aabb;

/// Halves that are nodes here, level by level, each with the boxes of its eight parts.
#[derive(Debug, Clone)]
pub(super) struct Eights {
    /// Where the boxes are about, and units of the tree, of which the whole has one or two, for one of theirs.
    pub origin: DVec3,
    pub scale: f64,
    /// How many levels of halves there are below each node of the first level, and of the others.
    first: u32,
    nodes: Vec<Eight>,
    /// Where the nodes of each level begin.
    starts: Vec<u32>,
}

/// Eight boxes, a list a coordinate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eight {
    pub low: [[f32; 8]; 3],
    pub high: [[f32; 8]; 3],
}

/// What nothing meets.
const NOTHING: Eight = Eight { low: [[FAR as f32; 8]; 3], high: [[-FAR as f32; 8]; 3] };

/// Levels of halves that a node stands for.
const LEVELS: u32 = 3;

/// Ends farther from the origin of the tree, in its units, are put here.
pub(super) const FAR: f64 = 1e30;

/// More than ends between −1 and 1 are rounded by.
const ROUNDING: f64 = 1.0 / (1 << 22) as f64;

/// What boxes are tested for, eight at a time.
pub(super) trait Test<S: Simd> {
    /// Which of eight boxes pass, and what each is worth: up to `limit` it is of interest, and the least first.
    fn pass(&mut self, simd: S, node: &Eight, limit: f32) -> (u32, [f32; 8]);
}

impl Eights {
    /// Of a tree with `depth` levels of halves below the whole, from the box at each of the 2^`depth` places of the
    /// last, if there is one; `None` if the boxes have no end.
    pub fn new<'a>(depth: u32, whole: &Aabb, boxes: impl Fn(u32) -> Option<&'a Aabb>) -> Option<Self> {
        let size = whole.extent().max_element();
        // False for what is no number too.
        if depth == 0 || !(size > 1e-250 && whole.reach() < 1e250) {
            return None;
        }
        let (_, exponent) = libm::frexp(size);
        let first = (depth - 1) % LEVELS + 1;
        let (mut starts, mut count) = (vec![0], 1);
        for level in (first..depth).step_by(LEVELS as usize) {
            starts.push(count);
            count += 1 << level;
        }
        let nodes = vec![NOTHING; count as usize];
        let mut eights =
            Self { origin: whole.center(), scale: power_of_two(1 - exponent), first, nodes, starts };
        eights.fill_last(depth, boxes);
        for node in (1..eights.nodes.len() as u32).rev() {
            eights.fill_above(node);
        }
        Some(eights)
    }

    /// Fills the last level with the boxes themselves, of which none reaches beyond the whole.
    fn fill_last<'a>(&mut self, depth: u32, boxes: impl Fn(u32) -> Option<&'a Aabb>) {
        let (origin, scale) = (self.origin * self.scale, self.scale);
        let (last, width) = (self.starts.len() - 1, if self.starts.len() == 1 { 1 << depth } else { 8 });
        let nodes = &mut self.nodes[self.starts[last] as usize..];
        for (place, node) in (0..).step_by(width).zip(nodes) {
            for slot in 0..width {
                let Some(aabb) = boxes(place + slot as u32) else { continue };
                for k in 0..3 {
                    node.low[k][slot] = (aabb.min[k] * scale - origin[k] - ROUNDING) as f32;
                    node.high[k][slot] = (aabb.max[k] * scale - origin[k] + ROUNDING) as f32;
                }
            }
        }
    }

    /// Puts the box around the eight of a node where the level above has it.
    fn fill_above(&mut self, node: u32) {
        let level = self.starts.partition_point(|start| *start <= node) - 1;
        let place = node - self.starts[level];
        let (above, slot) =
            if level == 1 { (0, place) } else { (self.starts[level - 1] + (place >> LEVELS), place & 7) };
        let Eight { low, high } = self.nodes[node as usize];
        let above = &mut self.nodes[above as usize];
        for k in 0..3 {
            above.low[k][slot as usize] =
                low[k].into_iter().fold(f32::INFINITY, |a, b| if b < a { b } else { a });
            above.high[k][slot as usize] =
                high[k].into_iter().fold(f32::NEG_INFINITY, |a, b| if b > a { b } else { a });
        }
    }

    /// Puts the part of a level elsewhere, by its place in it.
    fn put(&mut self, level: usize, place: u32, aabb: &Aabb) {
        let (node, slot) = if level == 0 { (0, place) } else { (place >> LEVELS, place & 7) };
        let (origin, scale) = (self.origin, self.scale);
        let node = &mut self.nodes[(self.starts[level] + node) as usize];
        let end = |x: f64, origin: f64| ((x - origin) * scale).clamp(-FAR, FAR);
        // More than the rounding of both steps.
        let off = |x: f64| x.abs() * (1.0 / f64::from(1 << 22)) + 1e-30;
        for k in 0..3 {
            let (low, high) = (end(aabb.min[k], origin[k]), end(aabb.max[k], origin[k]));
            node.low[k][slot as usize] = (low - off(low)) as f32;
            node.high[k][slot as usize] = (high + off(high)) as f32;
        }
    }

    /// Follows a half that got another box, if it is a part of a node.
    pub fn set(&mut self, half: u32, aabb: &Aabb) {
        let depth = u32::BITS - 1 - half.leading_zeros();
        if depth >= self.first && (depth - self.first).is_multiple_of(LEVELS) {
            self.put(((depth - self.first) / LEVELS) as usize, half - (1 << depth), aabb);
        }
    }

    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Eight>() + 4 * self.starts.capacity()
    }

    /// Shows the places of the boxes that pass a test, about in the order of their worth; `visit` returns the limit for
    /// those that follow. Returns no more than the worth of any that was on the list and is not shown. Each node costs
    /// one of the meter.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn traverse<S: Simd>(
        &self,
        simd: S,
        test: &mut impl Test<S>,
        mut limit: f32,
        meter: &mut Meter,
        mut visit: impl FnMut(u32, &mut Meter) -> f32,
    ) -> f32 {
        let (mut left, last) = (f32::INFINITY, self.starts.len() as u32);
        let mut waiting = Stack::default();
        waiting.push(0.0, 0, 0);
        while let Some((worth, level, place)) = waiting.pop() {
            if worth > limit {
                left = left.min(worth);
                continue;
            }
            if level == last {
                limit = limit.min(visit(place, meter));
                continue;
            }
            if meter.spend(1).is_break() {
                return waiting.least().min(worth).min(left);
            }
            let node = &self.nodes[(self.starts[level as usize] + place) as usize];
            let (mut passed, worths) = test.pass(simd, node, limit);
            let bottom = waiting.len;
            while passed != 0 {
                let slot = passed.trailing_zeros();
                passed &= passed - 1;
                waiting.insert(bottom, worths[slot as usize], level + 1, place << LEVELS | slot);
            }
        }
        left
    }
}

/// Halves that wait to be opened: at most seven a level, and eight of the last.
struct Stack {
    waiting: [(f32, u32, u32); Self::MOST],
    len: usize,
}

impl Default for Stack {
    fn default() -> Self {
        Self { waiting: [(0.0, 0, 0); Self::MOST], len: 0 }
    }
}

impl Stack {
    /// For 2³² boxes.
    const MOST: usize = 7 * 11 + 2;

    #[inline(always)]
    fn push(&mut self, worth: f32, level: u32, place: u32) {
        self.waiting[self.len] = (worth, level, place);
        self.len += 1;
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(f32, u32, u32)> {
        self.len = self.len.checked_sub(1)?;
        Some(self.waiting[self.len])
    }

    /// The least worth of all.
    fn least(&self) -> f32 {
        self.waiting[..self.len].iter().fold(f32::INFINITY, |least, (worth, ..)| least.min(*worth))
    }

    /// Pushes, and puts in order what is above `bottom`: the least last, so that it is opened next.
    #[inline(always)]
    fn insert(&mut self, bottom: usize, worth: f32, level: u32, place: u32) {
        self.push(worth, level, place);
        let mut k = self.len - 1;
        while k > bottom && self.waiting[k - 1].0 < worth {
            self.waiting.swap(k, k - 1);
            k -= 1;
        }
    }
}
