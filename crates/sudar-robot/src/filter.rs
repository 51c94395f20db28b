//! Which links of an MJCF model do not collide, by MuJoCo's rules.

use serde::{Deserialize, Serialize};

/// What the rules look at, by the numbers of links.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Filter {
    /// The first of the links that a link is fixed to, and the same of what carries that; the world is 0.
    pub welds: Vec<[usize; 2]>,
    /// All bits of `contype` and of `conaffinity` of the geoms that collide.
    pub masks: Vec<[u32; 2]>,
}

impl Filter {
    /// Why two links do not collide, if they do not: a body and the one that it hangs on, unless that stands, and
    /// bodies without two geoms of which one has a bit of `contype` that the other has in `conaffinity`. There are two
    /// such geoms if and only if the bits of all geoms together have one in common.
    pub fn reason(&self, a: usize, b: usize) -> Option<&'static str> {
        let [[one, above_one], [other, above_other]] = [self.welds[a], self.welds[b]];
        if one != 0 && other != 0 && (one == above_other || other == above_one) {
            return Some("parent and child");
        }
        let [[type_a, affinity_a], [type_b, affinity_b]] = [self.masks[a], self.masks[b]];
        let meet = type_a & affinity_b != 0 || type_b & affinity_a != 0;
        (!meet).then_some("contype and conaffinity")
    }

    /// Whether a link stands with the world.
    pub fn stands(&self, link: usize) -> bool {
        self.welds[link][0] == 0
    }
}
