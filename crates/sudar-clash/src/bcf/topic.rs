//! A topic: its markup as a tree, in both versions, of which only that is changed which is ours.

use super::error::BcfError;
use super::guid::Guid;
use super::version::BcfVersion;
use super::xml::{Element, parse};

/// A folder of a BCF file with a markup.
#[derive(Debug)]
pub(super) struct Topic {
    /// Its name in the archive, with a `/` at the end.
    pub folder: String,
    pub markup: Element,
    /// As it was read; none if it is new.
    before: Option<Element>,
}

/// What stands in a markup, in the order of its schema.
pub(super) const MARKUP: [&str; 4] = ["Header", "Topic", "Comment", "Viewpoints"];

/// What stands in a topic, in the order of both schemas.
pub(super) const TOPIC: [&str; 21] = [
    "ReferenceLink",
    "ReferenceLinks",
    "Title",
    "Priority",
    "Index",
    "Labels",
    "CreationDate",
    "CreationAuthor",
    "ModifiedDate",
    "ModifiedAuthor",
    "DueDate",
    "AssignedTo",
    "Stage",
    "Description",
    "BimSnippet",
    "DocumentReference",
    "DocumentReferences",
    "RelatedTopic",
    "RelatedTopics",
    "Comments",
    "Viewpoints",
];

/// A viewpoint as the markup lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct View {
    pub guid: String,
    /// The name of its file; empty if there is none.
    pub file: String,
    /// The name of its picture; empty if there is none.
    pub snapshot: String,
}

/// What somebody said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Comment {
    pub date: String,
    pub author: String,
    pub text: String,
    /// The view that it is about; empty if none.
    pub view: String,
}

impl Topic {
    /// A topic that is not in the file yet.
    pub fn new(folder: String, markup: Element) -> Self {
        Self { folder, markup, before: None }
    }

    /// Reads a markup; `entry` is its name in the archive.
    pub fn read(entry: &str, bytes: &[u8]) -> Result<Self, BcfError> {
        let markup = parse(entry, bytes)?;
        if !markup.is("Markup") || markup.child("Topic").is_none() {
            return Err(BcfError::NoTopic(entry.to_owned()));
        }
        let folder = entry.rfind('/').map_or("", |at| &entry[..=at]).to_owned();
        Ok(Self { folder, before: Some(markup.clone()), markup })
    }

    /// Whether it is not as it was read.
    pub fn is_changed(&self) -> bool {
        self.before.as_ref() != Some(&self.markup)
    }

    pub fn topic(&self) -> Option<&Element> {
        self.markup.child("Topic")
    }

    pub fn topic_mut(&mut self) -> Option<&mut Element> {
        self.markup.child_mut("Topic")
    }

    /// An attribute of the topic; empty if it is not there.
    pub fn attribute(&self, key: &str) -> &str {
        self.topic().and_then(|topic| topic.attribute(key)).unwrap_or_default()
    }

    /// The text of an element of the topic; empty if it is not there.
    pub fn text(&self, name: &str) -> String {
        self.topic().map(|topic| topic.text_in(name)).unwrap_or_default()
    }

    pub fn set_text(&mut self, name: &str, text: &str) {
        if let Some(topic) = self.topic_mut() {
            topic.set_text_in(name, text, &TOPIC);
        }
    }

    /// Its identifier, or else the name of its folder.
    pub fn guid(&self) -> &str {
        let folder = self.folder.trim_end_matches('/');
        let folder = folder.rsplit('/').next().unwrap_or(folder);
        Some(self.attribute("Guid")).filter(|guid| !guid.is_empty()).unwrap_or(folder)
    }

    /// Its identifier if it is one of ours.
    pub fn own_guid(&self) -> Option<Guid> {
        Guid::read(self.guid())
    }

    /// The viewpoints that it lists. Version 2.1 has each in the markup, 3.0 all in an element of the topic.
    pub fn views(&self) -> Vec<View> {
        let view = |element: &Element| View {
            guid: element.attribute("Guid").unwrap_or_default().to_owned(),
            file: element.text_in("Viewpoint"),
            snapshot: element.text_in("Snapshot"),
        };
        let nested = self.topic().and_then(|topic| topic.child("Viewpoints"));
        let nested = nested.into_iter().flat_map(|views| views.all("ViewPoint"));
        self.markup.all("Viewpoints").chain(nested).map(view).collect()
    }

    pub fn add_view(&mut self, version: BcfVersion, view: &View, index: usize) {
        let text = |name: &str, text: &str| (!text.is_empty()).then(|| Element::text_of(name, text));
        let parts = [text("Viewpoint", &view.file), text("Snapshot", &view.snapshot)];
        let name = if version == BcfVersion::V2_1 { "Viewpoints" } else { "ViewPoint" };
        let element = Element::new(name)
            .with("Guid", &view.guid)
            .holding(parts.into_iter().flatten())
            .holding([Element::text_of("Index", &index.to_string())]);
        if version == BcfVersion::V2_1 {
            self.markup.insert(element, &MARKUP);
        } else if let Some(views) =
            self.topic_mut().and_then(|topic| topic.child_in_order("Viewpoints", &TOPIC))
        {
            views.insert(element, &[]);
        }
    }

    pub fn drop_view(&mut self, guid: &str) {
        let is_other = |element: &Element| element.attribute("Guid") != Some(guid);
        self.markup.retain(|element| !element.is("Viewpoints") || is_other(element));
        if let Some(views) = self.topic_mut().and_then(|topic| topic.child_mut("Viewpoints")) {
            views.retain(is_other);
        }
    }

    /// What was said, in order of date.
    pub fn comments(&self) -> Vec<Comment> {
        let comment = |element: &Element| Comment {
            date: element.text_in("Date"),
            author: element.text_in("Author"),
            text: element.text_in("Comment"),
            view: element.child("Viewpoint").and_then(|v| v.attribute("Guid")).unwrap_or_default().to_owned(),
        };
        let nested = self.topic().and_then(|topic| topic.child("Comments"));
        let nested = nested.into_iter().flat_map(|comments| comments.all("Comment"));
        let mut all: Vec<Comment> = self.markup.all("Comment").chain(nested).map(comment).collect();
        all.sort_by(|a, b| a.date.cmp(&b.date));
        all
    }

    pub fn add_comment(&mut self, version: BcfVersion, comment: Element) {
        if version == BcfVersion::V2_1 {
            self.markup.insert(comment, &MARKUP);
        } else if let Some(comments) =
            self.topic_mut().and_then(|topic| topic.child_in_order("Comments", &TOPIC))
        {
            comments.insert(comment, &[]);
        }
    }

    /// All that was said, as `author: text`, a line each.
    pub fn said(&self) -> String {
        let said = self.comments().into_iter().filter(|comment| !comment.text.is_empty());
        let line = |Comment { author, text, .. }: Comment| {
            if author.is_empty() { text } else { format!("{author}: {text}") }
        };
        said.map(line).collect::<Vec<_>>().join("\n")
    }

    /// Its labels. Version 2.1 has an element each, 3.0 one that holds all.
    pub fn labels(&self) -> Vec<String> {
        let elements = self.topic().into_iter().flat_map(|topic| topic.all("Labels"));
        let texts = |labels: &Element| {
            let nested: Vec<String> = labels.all("Label").map(Element::text).collect();
            if labels.elements().next().is_some() { nested } else { vec![labels.text()] }
        };
        elements.flat_map(texts).filter(|text| !text.is_empty()).collect()
    }

    pub fn set_labels(&mut self, version: BcfVersion, labels: &[String]) {
        let Some(topic) = self.topic_mut() else { return };
        topic.retain(|element| !element.is("Labels"));
        match version {
            BcfVersion::V2_1 => {
                labels.iter().for_each(|label| topic.insert(Element::text_of("Labels", label), &TOPIC));
            }
            BcfVersion::V3_0 => {
                let labels = labels.iter().map(|label| Element::text_of("Label", label));
                topic.insert(Element::new("Labels").holding(labels), &TOPIC);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "<Markup><Topic Guid='t' TopicStatus='Open'><Title>x</Title><Labels>a</Labels><Labels>b</Labels>\
        </Topic><Comment Guid='1'><Date>2026-02-01T00:00:00Z</Date><Author>B</Author><Comment>second</Comment>\
        <Viewpoint Guid='v'/></Comment><Comment Guid='2'><Date>2026-01-01T00:00:00Z</Date><Author>A</Author>\
        <Comment>first</Comment></Comment><Viewpoints Guid='v'><Viewpoint>v.bcfv</Viewpoint></Viewpoints></Markup>";
    const NEW: &str = "<Markup><Topic Guid='t' TopicStatus='Open'><Title>x</Title><Labels><Label>a</Label>\
        <Label>b</Label></Labels><Comments><Comment Guid='1'><Date>2026-02-01T00:00:00Z</Date><Author>B</Author>\
        <Comment>second</Comment><Viewpoint Guid='v'/></Comment><Comment Guid='2'><Date>2026-01-01T00:00:00Z</Date>\
        <Author>A</Author><Comment>first</Comment></Comment></Comments><Viewpoints><ViewPoint Guid='v'>\
        <Viewpoint>v.bcfv</Viewpoint></ViewPoint></Viewpoints></Topic></Markup>";

    #[test]
    fn both_versions_say_the_same() {
        for (text, version) in [(OLD, BcfVersion::V2_1), (NEW, BcfVersion::V3_0)] {
            let mut topic = Topic::read("f/markup.bcf", text.as_bytes()).unwrap();
            assert!(!topic.is_changed());
            assert_eq!((topic.guid(), topic.folder.as_str()), ("t", "f/"));
            assert_eq!(topic.labels(), ["a", "b"]);
            assert_eq!(topic.said(), "A: first\nB: second");
            assert_eq!(topic.comments()[1].view, "v");
            let view = View { guid: "v".into(), file: "v.bcfv".into(), snapshot: String::new() };
            assert_eq!(topic.views(), std::slice::from_ref(&view));
            topic.drop_view("v");
            assert!(topic.views().is_empty() && topic.is_changed());
            topic.add_view(version, &view, 0);
            topic.set_labels(version, &["a".into(), "b".into()]);
            topic.set_text("AssignedTo", "Ana");
            assert_eq!(
                (topic.views(), topic.labels().len(), topic.text("AssignedTo").as_str()),
                (vec![view], 2, "Ana")
            );
        }
    }

    #[test]
    fn orders_have_every_element_once() {
        for order in [&MARKUP[..], &TOPIC[..]] {
            let mut sorted = order.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), order.len());
        }
    }

    #[test]
    fn a_markup_needs_a_topic() {
        for text in ["<Markup/>", "<Topic/>"] {
            assert!(matches!(Topic::read("f/markup.bcf", text.as_bytes()), Err(BcfError::NoTopic(_))));
        }
        let folder = Topic::read("f/markup.bcf", b"<Markup><Topic/></Markup>").unwrap();
        assert_eq!(folder.guid(), "f");
    }
}
