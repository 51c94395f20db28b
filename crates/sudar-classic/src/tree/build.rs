//! Building from the top down.

use sudar::glam::DVec3;

use super::rules::BuildRules;
use super::split::Splitter;
use super::{Items, Node, VolumeTree};
use sudar::volume::Volume;

impl<V: Volume> VolumeTree<V> {
    /// A tree over the items, its volumes fitted to their points; without nodes if there are none.
    ///
    /// O(n·depth) and the cost of fitting. Items are split in half where the rules gave less than one in 64
    /// to a side in 32 nodes on end, so that the tree does not become a list.
    pub fn top_down(items: &Items, rules: &BuildRules) -> Self {
        Self::top_down_with(items, rules, V::fit)
    }

    /// The same with another way to fit, which must contain the points and may refuse an empty list only.
    pub fn top_down_with(items: &Items, rules: &BuildRules, fit: impl FnMut(&[DVec3]) -> Option<V>) -> Self {
        Self::built(items, rules, fit).unwrap_or_default()
    }

    fn built(items: &Items, rules: &BuildRules, mut fit: impl FnMut(&[DVec3]) -> Option<V>) -> Option<Self> {
        let mut order: Vec<u32> = (0..items.len() as u32).collect();
        let mut splitter = Splitter::new(items, *rules);
        let whole = Pending { start: 0, end: order.len(), lopsided: 0 };
        let mut nodes = vec![node_of(&order, items, &mut splitter, &mut fit, whole)?];
        let mut pending = vec![whole];
        let mut i = 0;
        while i < nodes.len() {
            let Pending { start, end, lopsided } = pending[i];
            let volume: V = nodes[i].volume;
            let below = if end - start > rules.leaf.max(1) {
                splitter.split(&mut order[start..end], &volume, lopsided >= 32)
            } else {
                0
            };
            if below > 0 {
                let middle = start + below;
                let smaller = (middle - start).min(end - middle);
                let lopsided = if smaller * 64 < end - start { lopsided + 1 } else { 0 };
                let parts =
                    [(start, middle), (middle, end)].map(|(start, end)| Pending { start, end, lopsided });
                let first = nodes.len() as u32;
                for part in parts {
                    nodes.push(node_of(&order, items, &mut splitter, &mut fit, part)?);
                    pending.push(part);
                }
                nodes[i] = Node { volume, first, count: 2, is_leaf: false };
            }
            i += 1;
        }
        Some(Self { nodes, order })
    }
}

/// A part of the order that is to be a node.
#[derive(Debug, Clone, Copy)]
struct Pending {
    start: usize,
    end: usize,
    /// How many nodes above on end were split very unevenly.
    lopsided: u32,
}

/// A leaf, until it is split.
fn node_of<V: Volume>(
    order: &[u32],
    items: &Items,
    splitter: &mut Splitter,
    fit: &mut impl FnMut(&[DVec3]) -> Option<V>,
    Pending { start, end, .. }: Pending,
) -> Option<Node<V>> {
    let volume = fit(splitter.gathered(items, &order[start..end]))?;
    Some(Node { volume, first: start as u32, count: (end - start) as u32, is_leaf: true })
}
