//! Building from the bottom up, one item after the other.

use super::{Items, Node, VolumeTree};
use sudar::volume::Volume;

impl<V: Volume> VolumeTree<V> {
    /// A tree into which the items are inserted one by one, each where it enlarges the volumes on its way
    /// least, by volume and where that is equal by the sum of the extents. Without nodes if there are no
    /// items.
    ///
    /// As Pandžić's lecture and Goldsmith and Salmon 1987. One item a leaf. The order of the items matters;
    /// sorted ones may make it as deep as there are items, for which it takes O(n²).
    pub fn bottom_up(items: &Items) -> Self {
        let mut growing: Option<Growing<V>> = None;
        for item in 0..items.len() as u32 {
            match (&mut growing, V::fit(items.points(item))) {
                (Some(growing), Some(volume)) => growing.insert(volume, item),
                (None, Some(volume)) => {
                    growing = Some(Growing { nodes: vec![Link::leaf(volume, item)], root: 0 });
                }
                (_, None) => {}
            }
        }
        growing.map_or_else(Self::default, Growing::laid_out)
    }
}

struct Growing<V> {
    nodes: Vec<Link<V>>,
    root: usize,
}

#[derive(Clone, Copy)]
struct Link<V> {
    volume: V,
    children: Option<[usize; 2]>,
    item: u32,
}

impl<V> Link<V> {
    const fn leaf(volume: V, item: u32) -> Self {
        Self { volume, children: None, item }
    }
}

impl<V: Volume> Growing<V> {
    fn insert(&mut self, volume: V, item: u32) {
        let mut at = self.root;
        while let Some([first, second]) = self.nodes[at].children {
            self.nodes[at].volume = self.nodes[at].volume.merged(&volume);
            let growth = |child: usize| growth(&self.nodes[child].volume, &volume);
            at = if growth(second) < growth(first) { second } else { first };
        }
        // The leaf becomes a node of what it was and the new one.
        let old = self.nodes[at];
        let first = self.nodes.len();
        self.nodes.extend([old, Link::leaf(volume, item)]);
        self.nodes[at] =
            Link { volume: old.volume.merged(&volume), children: Some([first, first + 1]), item: 0 };
    }

    /// The nodes breadth first, so that children follow each other.
    fn laid_out(self) -> VolumeTree<V> {
        let (mut nodes, mut order, mut places) = (Vec::new(), Vec::new(), vec![self.root]);
        let mut i = 0;
        while i < places.len() {
            let link = self.nodes[places[i]];
            let (first, count) = match link.children {
                Some(children) => {
                    let first = places.len() as u32;
                    places.extend(children);
                    (first, 2)
                }
                None => {
                    order.push(link.item);
                    (order.len() as u32 - 1, 1)
                }
            };
            nodes.push(Node { volume: link.volume, first, count, is_leaf: link.children.is_none() });
            i += 1;
        }
        VolumeTree { nodes, order }
    }
}

/// By how much a volume would grow.
fn growth<V: Volume>(volume: &V, by: &V) -> (f64, f64) {
    let merged = volume.merged(by);
    let sum = |v: &V| v.extents().element_sum();
    (merged.volume() - volume.volume(), sum(&merged) - sum(volume))
}
