//! Parts that are the same in the same place, which all clash alike.

use std::collections::HashMap;

use sudar::Aabb;

use crate::found::Clash;
use crate::options::ClashOptions;

/// Of so many parts in one place every clash is listed.
pub(crate) const LISTED: usize = 32;

/// The parts of an assembly, those with equal vertices, triangles and poses together.
#[derive(Debug)]
pub(crate) struct Places {
    /// The parts of each place, in order; the first stands for all.
    members: Vec<Vec<usize>>,
}

impl Places {
    /// Puts parts together that are alike, in the same place, and have the same rules. O(n) on the whole.
    pub fn of(boxes: &[Aabb], are_alike: &dyn Fn(usize, usize) -> bool, options: &ClashOptions) -> Self {
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut of_box: HashMap<([u64; 6], u64, Vec<bool>), Vec<usize>> = HashMap::new();
        for (i, bounds) in boxes.iter().enumerate() {
            let known = of_box
                .entry((bits(bounds), options.deviation(i).to_bits(), options.standing(i)))
                .or_default();
            let same = known.iter().find(|&&place| are_alike(i, members[place][0]));
            if let Some(&place) = same {
                members[place].push(i);
            } else {
                known.push(members.len());
                members.push(vec![i]);
            }
        }
        Self { members }
    }

    /// The part that stands for each place.
    pub fn first_parts(&self) -> impl Iterator<Item = usize> + '_ {
        self.members.iter().map(|members| members[0])
    }

    /// The places of several parts.
    pub fn shared(&self) -> Vec<usize> {
        (0..self.members.len()).filter(|&place| self.members[place].len() > 1).collect()
    }

    /// The first parts of two places, or the first two of one.
    pub fn first_two(&self, [p, q]: [usize; 2]) -> [usize; 2] {
        [self.members[p][0], self.members[q][usize::from(p == q)]]
    }

    /// How many pairs of parts two places have, or one place in itself.
    pub fn pairs(&self, [p, q]: [usize; 2]) -> usize {
        let [m, n] = [p, q].map(|place| self.members[place].len());
        if p == q { m * (m - 1) / 2 } else { m * n }
    }

    /// The pairs of parts of two places that are listed, each with the lower number first.
    pub fn listed(&self, [p, q]: [usize; 2]) -> Vec<[usize; 2]> {
        let few = |place: usize| &self.members[place][..self.members[place].len().min(LISTED)];
        if p != q {
            let pairs = few(p).iter().flat_map(|&i| few(q).iter().map(move |&j| [i.min(j), i.max(j)]));
            return pairs.collect();
        }
        let all = &self.members[p];
        let near = few(p).iter().enumerate().flat_map(|(n, &i)| few(p)[n + 1..].iter().map(move |&j| [i, j]));
        near.chain(all.iter().skip(LISTED).map(|&j| [all[0], j])).collect()
    }

    /// What the first parts of two places are to each other, for all that are listed.
    pub fn spread<'a>(&'a self, clash: &'a Clash, places: [usize; 2]) -> impl Iterator<Item = Clash> + 'a {
        self.listed(places).into_iter().map(move |pair| self.between(clash, pair, places))
    }

    /// The parts of each place that has several.
    pub fn into_shared(self) -> Vec<Vec<usize>> {
        self.members.into_iter().filter(|members| members.len() > 1).collect()
    }

    /// The clash of the first parts of two places as that of two others.
    fn between(&self, clash: &Clash, [a, b]: [usize; 2], [p, _]: [usize; 2]) -> Clash {
        let is_turned = self.members[p].binary_search(&a).is_err();
        let clash = if is_turned { clash.turned() } else { clash.clone() };
        Clash { a, b, ..clash }
    }
}

/// Bits that are equal just where the boxes are.
pub(crate) fn bits(bounds: &Aabb) -> [u64; 6] {
    let [a, b, c] = bounds.min.to_array();
    let [d, e, f] = bounds.max.to_array();
    [a, b, c, d, e, f].map(|x| (x + 0.0).to_bits())
}
