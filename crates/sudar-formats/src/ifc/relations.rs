//! What an IFC file says of an element by its relations: storey, system, type.

use std::collections::HashMap;

use ifc_lite_processing::data_model::{DataModel, EntityMetadata};

/// Longer chains of parents are none.
const DEEPEST: usize = 256;

/// How an element hangs on another, the most telling first: `[relating is the parent]` of each kind of relation.
const PARENTS: [&str; 5] = [
    "IFCRELCONTAINEDINSPATIALSTRUCTURE",
    "IFCRELAGGREGATES",
    "IFCRELNESTS",
    "IFCRELFILLSELEMENT",
    "IFCRELVOIDSELEMENT",
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
    entities: HashMap<u32, &'a EntityMetadata>,
    /// Of each element the one that it hangs on.
    parents: HashMap<u32, u32>,
    systems: HashMap<u32, Vec<&'a str>>,
    types: HashMap<u32, &'a str>,
}

impl<'a> Relations<'a> {
    pub fn new(model: &'a DataModel) -> Self {
        let entities: HashMap<u32, &EntityMetadata> =
            model.entities.iter().map(|entity| (entity.entity_id, entity)).collect();
        let mut parents: HashMap<u32, (usize, u32)> = HashMap::new();
        let mut systems: HashMap<u32, Vec<&str>> = HashMap::new();
        let mut types = HashMap::new();
        for relation in &model.relationships {
            let (kind, relating, related) = (&relation.rel_type, relation.relating_id, relation.related_id);
            if let Some(rank) = PARENTS.iter().position(|parent| kind.eq_ignore_ascii_case(parent)) {
                let better = parents.get(&related).is_none_or(|(known, _)| rank < *known);
                if better && related != relating {
                    parents.insert(related, (rank, relating));
                }
            }
            let name = || entities.get(&relating).and_then(|entity| entity.name.as_deref());
            if kind.eq_ignore_ascii_case("IFCRELASSIGNSTOGROUP") && is_one_of(&entities, relating, &SYSTEMS) {
                systems.entry(related).or_default().extend(name());
            } else if kind.eq_ignore_ascii_case("IFCRELDEFINESBYTYPE") {
                types.extend(name().map(|name| (related, name)));
            }
        }
        let parents = parents.into_iter().map(|(element, (_, parent))| (element, parent)).collect();
        Self { entities, parents, systems, types }
    }

    /// What is known of an entity itself.
    pub fn entity(&self, element: u32) -> Option<&'a EntityMetadata> {
        self.entities.get(&element).copied()
    }

    /// The name of the storey that an element is on, found through what it is part of, fills or cuts.
    pub fn storey(&self, element: u32) -> Option<&'a str> {
        let is_storey = |&parent: &u32| is_one_of(&self.entities, parent, &["IFCBUILDINGSTOREY"]);
        let storey = self.ancestors(element).find(is_storey)?;
        self.entities.get(&storey)?.name.as_deref()
    }

    /// The names of the systems that an element, or what it is part of, belongs to.
    pub fn systems(&self, element: u32) -> &[&'a str] {
        let mut chain = std::iter::once(element).chain(self.ancestors(element));
        chain.find_map(|one| self.systems.get(&one)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The name of its type.
    pub fn type_name(&self, element: u32) -> Option<&'a str> {
        self.types.get(&element).copied()
    }

    fn ancestors(&self, element: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(element), |one| self.parents.get(one).copied()).skip(1).take(DEEPEST)
    }
}

fn is_one_of(entities: &HashMap<u32, &EntityMetadata>, number: u32, classes: &[&str]) -> bool {
    let is =
        |entity: &&EntityMetadata| classes.iter().any(|class| entity.type_name.eq_ignore_ascii_case(class));
    entities.get(&number).is_some_and(is)
}
