//! What an IFC file says of an element by its relations: storey, system, type, openings.

use std::collections::HashMap;

use crate::step::Step;

/// Longer chains of parents are none.
const DEEPEST: usize = 256;

/// How an element hangs on another, the most telling first, and which values are the parent and the children.
const PARENTS: [(&str, usize, usize); 5] = [
    ("IFCRELCONTAINEDINSPATIALSTRUCTURE", 5, 4),
    ("IFCRELAGGREGATES", 4, 5),
    ("IFCRELNESTS", 4, 5),
    ("IFCRELFILLSELEMENT", 4, 5),
    ("IFCRELVOIDSELEMENT", 4, 5),
];

/// Groups that are systems.
const SYSTEMS: [&str; 6] = [
    "IFCSYSTEM",
    "IFCBUILDINGSYSTEM",
    "IFCBUILTSYSTEM",
    "IFCDISTRIBUTIONSYSTEM",
    "IFCDISTRIBUTIONCIRCUIT",
    "IFCELECTRICALCIRCUIT",
];

/// The relations of a file.
pub(super) struct Relations<'a> {
    step: &'a Step<'a>,
    /// Of each element the one that it hangs on, and by which of [`PARENTS`].
    parents: HashMap<u32, (usize, u32)>,
    systems: HashMap<u32, Vec<u32>>,
    types: HashMap<u32, u32>,
    openings: HashMap<u32, Vec<u32>>,
}

impl<'a> Relations<'a> {
    pub fn new(step: &'a Step<'a>) -> Self {
        let mut found = Self {
            step,
            parents: HashMap::new(),
            systems: HashMap::new(),
            types: HashMap::new(),
            openings: HashMap::new(),
        };
        let is_relation = |number: &u32| {
            step.entities[number].class.get(..6).is_some_and(|first| first.eq_ignore_ascii_case("IFCREL"))
        };
        let mut relations: Vec<u32> = step.entities.keys().copied().filter(is_relation).collect();
        relations.sort_unstable();
        relations.into_iter().for_each(|number| found.add(number));
        found
    }

    fn add(&mut self, number: u32) {
        let Ok(entry) = self.step.entry(number) else { return };
        let all = |i: usize| entry.references(i).or_else(|_| entry.reference(i).map(|one| vec![one]));
        if let Some(rank) = PARENTS.iter().position(|(class, ..)| entry.class == *class) {
            let (_, parent, children) = PARENTS[rank];
            let (Ok(parent), Ok(children)) = (entry.reference(parent), all(children)) else { return };
            for child in children {
                let is_better = self.parents.get(&child).is_none_or(|(known, _)| rank < *known);
                if is_better && child != parent {
                    self.parents.insert(child, (rank, parent));
                }
                if entry.class == "IFCRELVOIDSELEMENT" {
                    self.openings.entry(parent).or_default().push(child);
                }
            }
        } else if entry.class == "IFCRELASSIGNSTOGROUP" {
            let (Ok(children), Ok(group)) = (all(4), entry.reference(6)) else { return };
            if self.is_one_of(group, &SYSTEMS) {
                children.into_iter().for_each(|child| self.systems.entry(child).or_default().push(group));
            }
        } else if entry.class == "IFCRELDEFINESBYTYPE" {
            let (Ok(children), Ok(kind)) = (all(4), entry.reference(5)) else { return };
            self.types.extend(children.into_iter().map(|child| (child, kind)));
        }
    }

    /// The name of an entity: the third value of every `IfcRoot`.
    fn name(&self, number: u32) -> Option<String> {
        self.step.entry(number).ok()?.text(2)
    }

    /// The name of the storey that an element is on, found through what it is part of, fills or cuts.
    pub fn storey(&self, element: u32) -> Option<String> {
        let storey =
            self.ancestors(element).find(|parent| self.is_one_of(*parent, &["IFCBUILDINGSTOREY"]))?;
        self.name(storey)
    }

    /// The names of the systems that an element, or what it is part of, belongs to.
    pub fn systems(&self, element: u32) -> Vec<String> {
        let mut chain = std::iter::once(element).chain(self.ancestors(element));
        let systems = chain.find_map(|one| self.systems.get(&one));
        systems.into_iter().flatten().filter_map(|system| self.name(*system)).collect()
    }

    /// The name of its type.
    pub fn type_name(&self, element: u32) -> Option<String> {
        self.name(*self.types.get(&element)?)
    }

    /// What is cut out of an element: its own openings, and those of the whole that it is a part of.
    pub fn openings(&self, element: u32) -> Vec<u32> {
        let wholes = std::iter::successors(Some(element), |one| {
            self.parents
                .get(one)
                .filter(|(rank, _)| PARENTS[*rank].0 == "IFCRELAGGREGATES")
                .map(|(_, whole)| *whole)
        });
        wholes.take(DEEPEST).filter_map(|one| self.openings.get(&one)).flatten().copied().collect()
    }

    fn ancestors(&self, element: u32) -> impl Iterator<Item = u32> + '_ {
        let parent = |one: &u32| self.parents.get(one).map(|(_, parent)| *parent);
        std::iter::successors(Some(element), parent).skip(1).take(DEEPEST)
    }

    fn is_one_of(&self, number: u32, classes: &[&str]) -> bool {
        let class = self.step.entities.get(&number).map_or("", |entity| entity.class);
        classes.iter().any(|known| class.eq_ignore_ascii_case(known))
    }
}
