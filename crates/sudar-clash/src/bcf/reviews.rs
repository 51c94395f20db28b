//! What people decided, read from topics: each view of two parts is a clash.

use std::collections::{BTreeSet, HashMap};

use super::guid::{Guid, What, identities, metres};
use super::topic::Topic;
use super::viewpoint::{Component, selected};
use super::xml::{Element, parse};
use super::{Bcf, status};
use crate::document::Document;
use crate::options::ClashKind;
use crate::review::{Boxes, Entry, ReviewLog, Source, boxes, ids, repeated_names};

/// A clash that a topic is about, as far as it says so.
#[derive(Debug, PartialEq)]
struct Claim {
    parts: [Component; 2],
    kind: Option<ClashKind>,
    /// What our own identifiers say.
    identity: Option<u64>,
    /// How much it was, in metres, by the same.
    figure: Option<f64>,
}

impl Bcf {
    /// What people decided about clashes, to be merged with a document of a later check, whose clashes it knows by the
    /// identifiers of topics and views, or else by the `GlobalId`s or names of the two parts that a view selects. Of a
    /// topic that has several such views each is a clash. All comments of a topic become one text.
    pub fn reviews(&self, document: &Document<'_>) -> ReviewLog {
        let known: HashMap<u64, usize> =
            identities(document).into_iter().enumerate().map(|(n, identity)| (identity, n)).collect();
        let (repeated, metres) = (repeated_names(document), metres(document));
        let mut log = ReviewLog::default();
        let mut add = |number: usize, is_own: bool| {
            let topic = &self.topics[number];
            for claim in self.claims(topic) {
                let clash = claim.identity.and_then(|identity| known.get(&identity));
                let clash = clash.map(|&n| &document.clashes[n]);
                let named = clash.map(|clash| {
                    let names = clash.names.map(str::to_owned);
                    (names, ids(document, clash), boxes(document, clash, &repeated))
                });
                let source =
                    Source { topic: number, is_own, knows_kind: claim.kind.is_some(), view: claim.identity };
                let mut entry = entry(topic, &claim, named, source);
                entry.set_figure(claim.figure.map(|figure| figure / metres));
                log.push(entry);
            }
        };
        // Of several topics about the same parts the last entry counts, which is to be one of ours.
        for is_own in [false, true] {
            let numbers = (0..self.topics.len()).filter(|&n| self.topics[n].own_guid().is_some() == is_own);
            numbers.for_each(|number| add(number, is_own));
        }
        log
    }

    /// The clashes that a topic is about, each once.
    fn claims(&self, topic: &Topic) -> Vec<Claim> {
        let own = topic.own_guid();
        let labelled = labelled_kind(topic);
        let listed = topic.views().into_iter().filter_map(|view| Guid::read(&view.guid));
        let newest: HashMap<u64, Guid> = listed.map(|guid| (guid.identity, guid)).collect();
        let mut claims: Vec<Claim> = Vec::new();
        let mut seen = BTreeSet::new();
        for view in self.view_files(topic) {
            let Ok(mut parts) = <[Component; 2]>::try_from(selected(&view)) else { continue };
            parts.sort();
            let guid = view.attribute("Guid").and_then(Guid::read);
            // Views that people speak of stay behind newer ones.
            let guid = guid.map(|guid| newest.get(&guid.identity).copied().unwrap_or(guid));
            let (identity, kind) = match guid {
                Some(guid) => (Some(guid.identity), kind_of(guid.what)),
                None => (own.filter(|own| own.what == What::Clash).map(|own| own.identity), labelled),
            };
            if seen.insert((parts.clone(), identity)) {
                claims.push(Claim { parts, kind, identity, figure: guid.and_then(Guid::figure) });
            }
        }
        // Where a tool has dropped the views, the topic itself still says what it is about.
        if let Some(own) = own.filter(|own| own.what == What::Clash && claims.is_empty()) {
            let parts = [Component::default(), Component::default()];
            claims.push(Claim { parts, kind: labelled, identity: Some(own.identity), figure: None });
        }
        claims
    }

    /// The views in the folder of a topic, whatever their names; what cannot be read is none.
    fn view_files(&self, topic: &Topic) -> Vec<Element> {
        let in_folder = self.files.range(topic.folder.clone()..);
        let in_folder = in_folder.take_while(|(name, _)| name.starts_with(&topic.folder));
        let views = in_folder.filter(|(name, _)| name.to_ascii_lowercase().ends_with(".bcfv"));
        views.filter_map(|(name, bytes)| parse(name, bytes).ok()).collect()
    }
}

fn kind_of(what: What) -> Option<ClashKind> {
    match what {
        What::View(kind) => Some(kind),
        What::Clash | What::Group | What::Comment => None,
    }
}

/// The kind that the labels name, if they name one.
pub(super) fn labelled_kind(topic: &Topic) -> Option<ClashKind> {
    let labels = topic.labels();
    let named = |kind: &ClashKind| labels.iter().any(|label| label.eq_ignore_ascii_case(kind.name()));
    let mut kinds = ClashKind::ALL.into_iter().filter(named);
    kinds.next().filter(|_| kinds.next().is_none())
}

/// Names, `GlobalId`s and boxes of two parts.
type Pair = ([String; 2], Option<[String; 2]>, Option<Boxes>);

/// What a topic says about a clash, of which the parts are known or else as the view has them.
fn entry(topic: &Topic, claim: &Claim, known: Option<Pair>, source: Source) -> Entry {
    let as_viewed = || {
        let ids = claim.parts.each_ref().map(|part| part.id.clone());
        let has_ids = ids.iter().any(|id| !id.is_empty());
        (claim.parts.each_ref().map(|part| part.name.clone()), has_ids.then_some(ids), None)
    };
    let (parts, ids, boxes) = known.unwrap_or_else(as_viewed);
    Entry {
        parts,
        kind: claim.kind.unwrap_or(ClashKind::Hard),
        depth: None,
        gap: None,
        extent: None,
        reopened: None,
        status: status::read(topic.attribute("TopicStatus")),
        assignee: topic.text("AssignedTo"),
        comment: topic.said(),
        ids,
        boxes,
        source: Some(source),
        now: None,
    }
}
