//! Clashes to topics: new ones are added, known ones brought up to date, all others left as they are.

use std::collections::{BTreeMap, HashMap};

use sudar::DVec3;
use sudar::query::{Batch, Work};

use super::error::BcfError;
use super::guid::{Guid, What, group_identities, identities, metres, stamp};
use super::topic::{Topic, View};
use super::viewpoint::{Component, Frame, viewpoint};
use super::xml::{Element, parse, write};
use super::{Bcf, BcfBy, BcfOptions, BcfVersion, NO_DATE, UpAxis, status, texts};
use crate::document::{ClashInfo, Document, Group, ReviewStatus};
use crate::growth::Change;
use crate::part::Part;
use crate::review::{ReviewLog, Source};
use crate::snapshot::{Camera, Photographer};

/// What topics of clashes are, for other tools.
const TOPIC_TYPE: &str = "Clash";

/// Who writes if nobody is named.
const AUTHOR: &str = "sudar clash";

/// So many clashes of a topic have a picture, the deepest; the others a view alone.
const PICTURES: usize = 8;

/// No more files are named in a topic.
const FILES: usize = 8;

/// Where a topic of clashes stands.
#[derive(Debug, Default)]
struct Plan {
    /// The clashes it is about and what is known of where they were read.
    clashes: Vec<(usize, Option<Source>)>,
    /// The statuses of these, and of those that are no more.
    statuses: Vec<ReviewStatus>,
    /// Those of these clashes that were decided and have grown since.
    grown: Vec<(usize, Change)>,
}

/// A view that is to be made.
struct Job {
    topic: usize,
    clash: usize,
    guid: String,
    index: usize,
}

impl Bcf {
    /// Writes the clashes of a document as topics, which stand as the log says that was merged with it. `parts` are
    /// those of the document. `done` is called after each view that is made, from any thread; a clash that stands as
    /// before keeps its view.
    ///
    /// A topic has type `Clash`, a status, a priority and labels by kind and form, and for each clash a view that looks
    /// at its point and selects and colours the two parts, with a picture. Lengths become metres; where the unit is not
    /// known they are taken for such. Equal input gives equal output, for any number of threads.
    ///
    /// # Errors
    /// Those of the picture writer, and of a file of extensions that cannot be read.
    pub fn update(
        &mut self,
        log: &ReviewLog,
        parts: &[Part],
        document: &Document<'_>,
        options: &BcfOptions,
        done: &(dyn Fn() + Sync),
    ) -> Result<(), BcfError> {
        let identities = identities(document);
        let mut writer = Writer { bcf: self, document, options, identities };
        let plans = writer.plans(log);
        let jobs = writer.bring_up_to_date(&plans);
        let up = if options.up == UpAxis::Y { DVec3::Y } else { DVec3::Z };
        let photographer = Photographer { parts, document, up };
        let shoot = |_: &mut Work<'_>, job: &Job| {
            let shot = photographer.shoot(&document.clashes[job.clash], job.index < PICTURES);
            done();
            shot
        };
        let shots = Batch::default().each(&jobs, shoot).answers;
        for (job, shot) in jobs.iter().zip(shots) {
            let (camera, picture) = shot?;
            writer.add_view(job, &camera, picture);
        }
        self.add_project(options, &document.origin.files);
        self.add_extensions()
    }

    /// Version 3.0 wants a list of all words that topics use. What is in it stays.
    fn add_extensions(&mut self) -> Result<(), BcfError> {
        if self.version == BcfVersion::V2_1 {
            return Ok(());
        }
        let name = format!("{}extensions.xml", self.root);
        let mut root = match self.files.get(&name) {
            Some(bytes) => parse(&name, bytes)?,
            None => Element::new("Extensions"),
        };
        let before = root.clone();
        let own = texts::own_labels();
        let authors: std::collections::BTreeSet<String> = self
            .topics
            .iter()
            .flat_map(|topic| ["CreationAuthor", "AssignedTo"].map(|key| topic.text(key)))
            .collect();
        let users: Vec<&str> = authors.iter().map(String::as_str).filter(|user| !user.is_empty()).collect();
        let statuses = ReviewStatus::ALL.map(status::written);
        let lists: [(&str, &str, &[&str]); 5] = [
            ("TopicTypes", "TopicType", &[TOPIC_TYPE]),
            ("TopicStatuses", "TopicStatus", &statuses),
            ("Priorities", "Priority", &texts::PRIORITIES),
            ("TopicLabels", "TopicLabel", &own),
            ("Users", "User", &users),
        ];
        let order: Vec<&str> =
            lists.iter().map(|(list, ..)| *list).chain(["SnippetTypes", "Stages"]).collect();
        for (list, item, words) in lists {
            let Some(list) = root.child_in_order(list, &order) else { continue };
            for word in words {
                if !list.all(item).any(|known| known.text() == *word) {
                    list.insert(Element::text_of(item, word), &[]);
                }
            }
        }
        if root != before {
            self.files.insert(name, write(&root));
        }
        Ok(())
    }
}

/// What is written where.
struct Writer<'b, 'd> {
    bcf: &'b mut Bcf,
    document: &'b Document<'d>,
    options: &'b BcfOptions,
    identities: Vec<u64>,
}

impl<'b, 'd> Writer<'b, 'd> {
    /// For each topic that is concerned its clashes. Topics that are not there yet are added.
    fn plans(&mut self, log: &ReviewLog) -> BTreeMap<usize, Plan> {
        let clashes = self.document.clashes.iter().enumerate();
        let number: HashMap<[usize; 2], usize> = clashes.map(|(n, clash)| ([clash.a, clash.b], n)).collect();
        let mut plans: BTreeMap<usize, Plan> = BTreeMap::new();
        let mut new: Vec<(usize, ReviewStatus)> = Vec::new();
        for entry in log.entries() {
            let clash = entry.now.and_then(|pair| number.get(&pair).copied());
            match (entry.source, clash) {
                (Some(source), clash) if source.is_own || entry.now.is_some() => {
                    let plan = plans.entry(source.topic).or_default();
                    plan.statuses.push(entry.status);
                    plan.clashes.extend(clash.map(|clash| (clash, entry.source)));
                    plan.grown.extend(clash.zip(entry.reopened));
                }
                (None, Some(clash)) if self.options.takes(entry.kind) => new.push((clash, entry.status)),
                (Some(_) | None, _) => {}
            }
        }
        new.sort_unstable_by_key(|(clash, _)| *clash);
        let groups = group_identities(&self.document.groups);
        let topics = self.bcf.topics.iter().enumerate();
        let mut known: HashMap<(u64, bool), usize> = topics
            .filter_map(|(n, topic)| {
                topic.own_guid().map(|guid| ((guid.identity, guid.what == What::Group), n))
            })
            .collect();
        for (clash, status) in new {
            let topic = self.topic_for(clash, &groups, &mut known);
            let plan = plans.entry(topic).or_default();
            plan.statuses.push(status);
            plan.clashes.push((clash, None));
        }
        plans
    }

    /// The topic of a clash that has none yet. `known` has the numbers of our own by identity, and whether of a group.
    fn topic_for(&mut self, clash: usize, groups: &[u64], known: &mut HashMap<(u64, bool), usize>) -> usize {
        let group = self.document.clashes[clash].group.filter(|_| self.options.by == BcfBy::Group);
        let (identity, what) = match group.and_then(|group| groups.get(group)) {
            Some(&identity) => (identity, What::Group),
            None => (self.identities[clash], What::Clash),
        };
        *known.entry((identity, what == What::Group)).or_insert_with(|| {
            let group = group.map(|group| &self.document.groups[group]);
            let topic = self.new_topic(&Guid { identity, stamp: 0, what }.text(), group, clash);
            self.bcf.topics.push(topic);
            self.bcf.topics.len() - 1
        })
    }

    fn new_topic(&self, guid: &str, group: Option<&Group>, clash: usize) -> Topic {
        let clash = &self.document.clashes[clash];
        let text = |name: &str, text: &str| Element::text_of(name, text);
        let date = self.options.date.as_deref().unwrap_or(NO_DATE);
        let index = (self.bcf.version == BcfVersion::V2_1)
            .then(|| text("Index", &(self.bcf.topics.len() + 1).to_string()));
        let topic = Element::new("Topic")
            .with("Guid", guid)
            .with("TopicType", TOPIC_TYPE)
            .with("TopicStatus", status::written(ReviewStatus::New))
            .holding([text("Title", &texts::title(group, clash)), text("Priority", texts::priority(clash))])
            .holding(index)
            .holding([text("CreationDate", date), text("CreationAuthor", self.author())]);
        let markup = Element::new("Markup").holding(self.header()).holding([topic]);
        Topic::new(format!("{}{guid}/", self.bcf.root), markup)
    }

    fn author(&self) -> &str {
        let author = self.options.author.trim();
        if author.is_empty() { AUTHOR } else { author }
    }

    /// The files that were checked, if they are few.
    fn header(&self) -> Option<Element> {
        let files = &self.document.origin.files;
        let key = if self.bcf.version == BcfVersion::V2_1 { "isExternal" } else { "IsExternal" };
        // Which of several files the project is of is not known.
        let project = self.options.ifc_project().filter(|_| files.len() == 1);
        let file = |name: &String| {
            let file = Element::new("File");
            let file = project.map_or(file.clone(), |id| file.with("IfcProject", id));
            file.with(key, "true").holding([Element::text_of("Filename", name)])
        };
        let named = files.iter().filter(|name| !name.trim().is_empty()).map(file);
        let named: Vec<Element> = named.collect();
        (!named.is_empty() && files.len() <= FILES).then(|| match self.bcf.version {
            BcfVersion::V2_1 => Element::new("Header").holding(named),
            BcfVersion::V3_0 => Element::new("Header").holding([Element::new("Files").holding(named)]),
        })
    }

    /// Sets what has changed in each topic, and says which views are missing.
    fn bring_up_to_date(&mut self, plans: &BTreeMap<usize, Plan>) -> Vec<Job> {
        let mut jobs = Vec::new();
        for (&topic, plan) in plans {
            let is_new =
                !self.bcf.files.contains_key(&format!("{}markup.bcf", self.bcf.topics[topic].folder));
            self.set_status(topic, plan);
            plan.grown.iter().for_each(|(clash, change)| self.say_grown(topic, *clash, change));
            if self.bcf.topics[topic].own_guid().is_some() {
                let missing = self.missing_views(topic, plan);
                if !missing.is_empty() || is_new || self.is_renamed(topic, plan) {
                    self.set_texts(topic, plan);
                }
                jobs.extend(missing);
            }
            if !is_new && self.bcf.topics[topic].is_changed() {
                self.say_who(topic);
            }
        }
        jobs
    }

    /// The status, where what stands there means another. An unknown word of another tool so stays as long as it may.
    fn set_status(&mut self, topic: usize, plan: &Plan) {
        let Some(wanted) = status::together(&plan.statuses) else { return };
        let topic = &mut self.bcf.topics[topic];
        let old = topic.attribute("TopicStatus");
        if (old.is_empty() || status::read(old) != wanted)
            && let Some(topic) = topic.topic_mut()
        {
            topic.set_attribute("TopicStatus", status::written(wanted));
        }
    }

    fn say_who(&mut self, topic: usize) {
        let Some(date) = self.options.date.clone() else { return };
        let author = self.author().to_owned();
        let topic = &mut self.bcf.topics[topic];
        topic.set_text("ModifiedDate", &date);
        topic.set_text("ModifiedAuthor", &author);
    }

    /// A comment on why a clash is open again.
    fn say_grown(&mut self, topic: usize, clash: usize, change: &Change) {
        let info = &self.document.clashes[clash];
        let stamp = stamp(self.document, info);
        let guid = Guid { identity: self.identities[clash], stamp, what: What::Comment }.text();
        let unit = self.document.origin.unit.map_or(String::new(), |unit| format!(" {unit}"));
        let [a, b] = info.names;
        let text = [
            ("Date", self.options.date.clone().unwrap_or_else(|| NO_DATE.to_owned())),
            ("Author", self.author().to_owned()),
            ("Comment", format!("open again: {a} × {b}: {change}{unit}")),
        ];
        let text = text.iter().map(|(name, text)| Element::text_of(name, text));
        let comment = Element::new("Comment").with("Guid", &guid).holding(text);
        self.bcf.topics[topic].add_comment(self.bcf.version, comment);
    }

    /// Whether a part of the one clash of a topic has another name than its description says.
    fn is_renamed(&self, topic: usize, plan: &Plan) -> bool {
        let [(clash, _)] = plan.clashes[..] else { return false };
        let said = texts::said_pair(&self.bcf.topics[topic]);
        said.is_some_and(|said| said != texts::pair(&self.document.clashes[clash]))
    }

    /// Title, priority, labels and description, each as far as it is ours.
    fn set_texts(&mut self, topic: usize, plan: &Plan) {
        let mut numbers: Vec<usize> = plan.clashes.iter().map(|(clash, _)| *clash).collect();
        numbers.sort_by(|&a, &b| self.depth(b).total_cmp(&self.depth(a)).then(a.cmp(&b)));
        let document = self.document;
        let clashes: Vec<&ClashInfo<'_>> = numbers.iter().map(|&n| &document.clashes[n]).collect();
        let Some(first) = clashes.first() else { return };
        let version = self.bcf.version;
        let topic = &mut self.bcf.topics[topic];
        let is_group = topic.own_guid().is_some_and(|guid| guid.what == What::Group);
        let group = first.group.and_then(|group| document.groups.get(group)).filter(|_| is_group);
        let old_kind = super::reviews::labelled_kind(topic);
        if !is_group && texts::is_own_title(topic, first) {
            topic.set_text("Title", &texts::title(None, first));
        }
        if old_kind.is_some_and(|kind| topic.text("Priority") == texts::priority_of(kind)) {
            topic.set_text("Priority", texts::priority(first));
        }
        let labels = texts::labels(&clashes, &topic.labels());
        if topic.labels() != labels {
            topic.set_labels(version, &labels);
        }
        let description = texts::description(document, group, &clashes, topic);
        topic.set_text("Description", &description);
    }

    fn depth(&self, clash: usize) -> f64 {
        self.document.clashes[clash].depth_at_least.unwrap_or(-1.0)
    }

    /// The views that a topic is to have, and has not. Those that they take the place of are dropped, unless somebody
    /// has commented on them: views that people have seen are never changed.
    fn missing_views(&mut self, topic: usize, plan: &Plan) -> Vec<Job> {
        let mut wanted: Vec<(usize, Option<Source>)> = plan.clashes.clone();
        wanted.sort_by(|&(a, _), &(b, _)| self.depth(b).total_cmp(&self.depth(a)).then(a.cmp(&b)));
        let mut missing = Vec::new();
        for (index, (clash, source)) in wanted.into_iter().enumerate() {
            let info = &self.document.clashes[clash];
            let identity = self.identities[clash];
            let what = What::View(info.kind);
            let guid = Guid { identity, stamp: stamp(self.document, info), what }.text();
            let views = self.bcf.topics[topic].views();
            if views.iter().any(|view| view.guid.eq_ignore_ascii_case(&guid)) {
                continue;
            }
            let earlier = source.and_then(|source| source.view).unwrap_or(identity);
            let own = |view: &View| {
                Guid::read(&view.guid).filter(|guid| [identity, earlier].contains(&guid.identity))
            };
            // Its view says how much was accepted, and growth is measured by that.
            let is_decided = info.review.as_ref().is_some_and(|review| review.status.is_decided());
            if is_decided && views.iter().filter_map(own).any(|guid| guid.what == what) {
                continue;
            }
            let is_old = |view: &&View| own(view).is_some();
            views.iter().filter(is_old).for_each(|view| self.drop_view(topic, view));
            missing.push(Job { topic, clash, guid, index });
        }
        missing
    }

    fn drop_view(&mut self, topic: usize, view: &View) {
        let bcf = &mut *self.bcf;
        let topic = &mut bcf.topics[topic];
        if topic.comments().iter().any(|comment| comment.view.eq_ignore_ascii_case(&view.guid)) {
            return;
        }
        topic.drop_view(&view.guid);
        for name in [&view.file, &view.snapshot] {
            bcf.files.remove(&format!("{}{name}", topic.folder));
        }
    }

    /// Adds a view with its files. The first of a topic has the names that old tools want.
    fn add_view(&mut self, job: &Job, camera: &Camera, picture: Option<Vec<u8>>) {
        let clash = &self.document.clashes[job.clash];
        let frame = Frame { metres: metres(self.document), up: self.options.up };
        let parts = [clash.a, clash.b].map(|part| Component::of(&self.document.parts[part]));
        let bcf = &mut *self.bcf;
        let topic = &mut bcf.topics[job.topic];
        let files = &mut bcf.files;
        let free = |usual: &str, files: &super::Files| {
            let (stem, ending) = usual.split_once('.').unwrap_or((usual, ""));
            let is_taken = files.contains_key(&format!("{}{usual}", topic.folder));
            if is_taken { format!("{stem}-{}.{ending}", job.guid) } else { usual.to_owned() }
        };
        let file = free("viewpoint.bcfv", files);
        let snapshot = free("snapshot.png", files);
        let view = viewpoint(bcf.version, &job.guid, &parts, camera, frame);
        files.insert(format!("{}{file}", topic.folder), write(&view));
        let snapshot = picture.map(|picture| {
            files.insert(format!("{}{snapshot}", topic.folder), picture);
            snapshot
        });
        let view = View { guid: job.guid.clone(), file, snapshot: snapshot.unwrap_or_default() };
        topic.add_view(bcf.version, &view, job.index);
    }
}
