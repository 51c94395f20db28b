//! Which links of an MJCF model do not collide, by MuJoCo's rules.

use serde::{Deserialize, Serialize};

use crate::Robot;

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

    /// Whether it knows so many links.
    pub fn has(&self, links: usize) -> bool {
        self.welds.len() == links && self.masks.len() == links
    }
}

impl Robot {
    /// The rules of MJCF for a link, if its robot has such, and its number among the links of that robot.
    fn rules(&self, link: usize) -> Option<(&Filter, usize)> {
        match self.member_of(link).and_then(|member| self.members.get(member)) {
            Some(member) => Some((member.filter.as_ref()?, link - member.links.start)),
            None => Some((self.filter.as_ref()?, link)),
        }
    }

    /// Whether the robot of a link has rules of MJCF.
    pub(crate) fn has_rules(&self, link: usize) -> bool {
        self.rules(link).is_some()
    }

    /// Why the rules of MJCF leave two links out, if they do: links of two robots are never left out.
    pub(crate) fn filtered(&self, a: usize, b: usize) -> Option<&'static str> {
        if self.member_of(a) != self.member_of(b) {
            return None;
        }
        let ((filter, a), (_, b)) = (self.rules(a)?, self.rules(b)?);
        filter.reason(a, b)
    }

    /// Whether a link stands with the world of an MJCF.
    pub(crate) fn stands(&self, link: usize) -> bool {
        self.rules(link).is_some_and(|(filter, link)| filter.stands(link))
    }
}
