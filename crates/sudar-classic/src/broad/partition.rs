//! Space divided by planes across an axis, again and again: k-d tree and BSP tree of boxes.

use sudar::broad::Boxes;
use sudar::broad::Region;
use sudar::broad::{FoundPairs, PairFinder};
use sudar::shape::Aabb;

/// How a plane is chosen.
pub(super) trait Cut: Clone + Send + Sync + Default + 'static {
    /// Name of the broad phase.
    const NAME: &str;

    /// An axis and where on it; `None` if there is nothing to divide.
    fn plane(boxes: &Boxes, items: &[u32]) -> Option<(usize, f64)>;
}

/// A k-d tree (Bentley 1975): through the median of the centres, across the axis on which they spread most.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Median;

/// A BSP tree of boxes: through a face of one of them that divides evenly and cuts few (Fuchs, Kedem, Naylor
/// 1980, "On visible surface generation by a priori tree structures", with boxes for polygons).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Face;

impl Cut for Median {
    const NAME: &str = "kd";

    fn plane(boxes: &Boxes, items: &[u32]) -> Option<(usize, f64)> {
        let mut centers: Vec<_> =
            items.iter().map(|&i| boxes.get(i).center()).filter(|c| c.is_finite()).collect();
        let spread = Aabb::around(centers.iter().copied()).extent();
        let axis = [1, 2].into_iter().fold(0, |best, k| if spread[k] > spread[best] { k } else { best });
        let middle = centers.len() / 2;
        (!centers.is_empty()).then(|| {
            (axis, centers.select_nth_unstable_by(middle, |a, b| a[axis].total_cmp(&b[axis])).1[axis])
        })
    }
}

impl Cut for Face {
    const NAME: &str = "bsp";

    fn plane(boxes: &Boxes, items: &[u32]) -> Option<(usize, f64)> {
        /// Boxes whose faces are tried.
        const TRIED: usize = 8;
        let step = items.len().div_ceil(TRIED).max(1);
        // The face must let the box itself lie on one side: what begins at it is beyond, what ends there is cut.
        let faces = items.iter().step_by(step).flat_map(|&i| {
            let b = boxes.get(i);
            (0..3).flat_map(move |k| [(k, b.min[k]), (k, b.max[k].next_up())])
        });
        let sample = items.len().div_ceil(256).max(1);
        let cost = |&(k, x): &(usize, f64)| {
            let (mut below, mut beyond) = (0i64, 0i64);
            for &i in items.iter().step_by(sample) {
                below += i64::from(boxes.get(i).min[k] < x);
                beyond += i64::from(boxes.get(i).max[k] >= x);
            }
            let cut = below + beyond - items.len().div_ceil(sample) as i64;
            (below - beyond).abs() + 4 * cut
        };
        faces.filter(|(_, x)| x.is_finite()).min_by_key(cost)
    }
}

/// The tree, built anew in each frame. A box lies in all leaves that it enters; each pair is compared in the
/// leaf where the overlap begins.
#[derive(Debug, Clone, Default)]
pub(super) struct Partition<C> {
    nodes: Vec<Node>,
    items: Vec<u32>,
    cut: std::marker::PhantomData<C>,
}

#[derive(Debug, Clone, Copy)]
enum Node {
    /// What ends below the plane, and what begins beyond.
    Inner { axis: usize, plane: f64, children: [u32; 2] },
    /// A part of the list of items.
    Leaf { first: u32, last: u32 },
}

/// Fewer boxes than this are not divided.
const LEAF_SIZE: usize = 16;

/// Deeper than this nothing is divided.
const DEPTH: u32 = 48;

const EVERYWHERE: Aabb =
    Aabb { min: sudar::glam::DVec3::splat(f64::NEG_INFINITY), max: sudar::glam::DVec3::splat(f64::INFINITY) };

/// What is below a plane, and what is beyond.
fn cut(bounds: &Aabb, axis: usize, plane: f64) -> [Aabb; 2] {
    let (mut below, mut beyond) = (*bounds, *bounds);
    (below.max[axis], beyond.min[axis]) = (plane, plane);
    [below, beyond]
}

impl<C: Cut> PairFinder for Partition<C> {
    fn name(&self) -> &str {
        C::NAME
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        self.nodes.clear();
        self.items.clear();
        let all: Vec<u32> = boxes.live().collect();
        self.divide(boxes, &all, EVERYWHERE, 0, found);
    }

    fn search(&self, _boxes: &Boxes, region: &Region<'_>, visit: &mut dyn FnMut(u32)) -> bool {
        if let Some(root) = self.nodes.len().checked_sub(1) {
            self.search_below(root as u32, &EVERYWHERE, region, visit);
        }
        true
    }

    fn cells(&self) -> Vec<(u32, Aabb)> {
        let mut found = Vec::new();
        let root = self.nodes.len().checked_sub(1);
        let mut todo: Vec<(u32, u32, Aabb)> =
            root.map(|root| (0, root as u32, EVERYWHERE)).into_iter().collect();
        while let Some((level, number, bounds)) = todo.pop() {
            found.push((level, bounds));
            if let Node::Inner { axis, plane, children } = self.nodes[number as usize] {
                let parts = cut(&bounds, axis, plane);
                todo.extend(children.into_iter().zip(parts).map(|(child, part)| (level + 1, child, part)));
            }
        }
        found
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + 4 * self.items.capacity()
    }
}

impl<C: Cut> Partition<C> {
    fn divide(
        &mut self,
        boxes: &Boxes,
        items: &[u32],
        region: Aabb,
        depth: u32,
        found: &mut FoundPairs,
    ) -> u32 {
        found.counters.visits += items.len() as u64;
        let plane = if items.len() > LEAF_SIZE && depth < DEPTH { C::plane(boxes, items) } else { None };
        let node = plane.and_then(|(axis, plane)| {
            let side = |keep: &dyn Fn(&Aabb) -> bool| -> Vec<u32> {
                items.iter().copied().filter(|&i| keep(boxes.get(i))).collect()
            };
            let halves = [side(&|b| b.min[axis] < plane), side(&|b| b.max[axis] >= plane)];
            // A plane that cuts most of the boxes is of no use.
            let useful = 2 * (halves[0].len() + halves[1].len()) <= 3 * items.len()
                && halves.iter().all(|half| half.len() < items.len());
            useful.then(|| {
                let [below, beyond] = cut(&region, axis, plane);
                let children = [
                    self.divide(boxes, &halves[0], below, depth + 1, found),
                    self.divide(boxes, &halves[1], beyond, depth + 1, found),
                ];
                Node::Inner { axis, plane, children }
            })
        });
        let node = node.unwrap_or_else(|| self.leaf(boxes, items, &region, found));
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn leaf(&mut self, boxes: &Boxes, items: &[u32], region: &Aabb, found: &mut FoundPairs) -> Node {
        let first = self.items.len() as u32;
        self.items.extend_from_slice(items);
        for (k, &i) in items.iter().enumerate() {
            for &j in &items[k + 1..] {
                let begin = boxes.get(i).min.max(boxes.get(j).min);
                // The overlap of boxes without end may begin at minus infinity.
                let here = region.min.cmple(begin).all()
                    && (begin.cmplt(region.max) | region.max.cmpeq(EVERYWHERE.max)).all();
                if here {
                    found.test(boxes, i, j);
                }
            }
        }
        Node::Leaf { first, last: self.items.len() as u32 }
    }

    fn search_below(&self, number: u32, bounds: &Aabb, region: &Region<'_>, visit: &mut dyn FnMut(u32)) {
        match self.nodes[number as usize] {
            Node::Leaf { first, last } => {
                self.items[first as usize..last as usize].iter().for_each(|&i| visit(i));
            }
            Node::Inner { axis, plane, children } => {
                for (child, part) in children.into_iter().zip(cut(bounds, axis, plane)) {
                    if region.meets(&part) {
                        self.search_below(child, &part, region, visit);
                    }
                }
            }
        }
    }
}
