//! The identifiers of topics and viewpoints: made of what they are about, so that each check makes the same, and told
//! from those of other tools.
//!
//! They are UUIDs of version 8, whose bits are free (RFC 9562): 64 of an identity, 32 that say how it stood then, half
//! of them how deep or far apart, 8 that say what this is of it, and 16 that check the rest. So a topic keeps its
//! memory in the tools that keep nothing else.

use std::collections::HashMap;

use sudar::Aabb;

use crate::document::{ClashInfo, Document, GLOBAL_ID, Group};
use crate::options::ClashKind;
use crate::review::repeated_names;
use crate::same_place::bits;
use crate::unit::Unit;

/// What an identifier is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// A clash, as a topic.
    Clash,
    /// A group of clashes, as a topic.
    Group,
    /// Something said about a clash.
    Comment,
    /// A view of a clash that was of this kind.
    View(ClashKind),
}

const CLASH: u16 = 0x10;
const GROUP: u16 = 0x11;
const COMMENT: u16 = 0x12;

impl What {
    fn code(self) -> u16 {
        match self {
            Self::Clash => CLASH,
            Self::Group => GROUP,
            Self::Comment => COMMENT,
            Self::View(kind) => ClashKind::ALL.iter().position(|&known| known == kind).unwrap_or(0) as u16,
        }
    }

    fn of_code(code: u16) -> Option<Self> {
        match code {
            CLASH => Some(Self::Clash),
            GROUP => Some(Self::Group),
            COMMENT => Some(Self::Comment),
            kind => ClashKind::ALL.get(usize::from(kind)).copied().map(Self::View),
        }
    }
}

/// An identifier of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Guid {
    /// The same for all that is about one clash, or one group.
    pub identity: u64,
    /// Changes with how the clash stands, see [`stamp`]; 0 for topics.
    pub stamp: u32,
    pub what: What,
}

impl Guid {
    /// In the form that BCF wants, in small letters.
    pub fn text(self) -> String {
        let (id, stamp) = (self.identity, self.stamp);
        let code = (stamp >> 24 << 8) as u16 | self.what.code();
        format!(
            "{:08x}-{:04x}-8{:03x}-8{:03x}-{:04x}{code:04x}{:04x}",
            id >> 32,
            id >> 16 & 0xffff,
            stamp >> 12 & 0xfff,
            stamp & 0xfff,
            id & 0xffff,
            check(id, stamp, code)
        )
    }

    /// Reads an identifier; none if it is not ours.
    pub fn read(text: &str) -> Option<Self> {
        let digits: String = text.chars().filter(|&c| c != '-').collect();
        let number = |from: usize, to: usize| u64::from_str_radix(digits.get(from..to)?, 16).ok();
        let identity = number(0, 12)? << 16 | number(20, 24)?;
        let code = number(24, 28)?;
        let stamp = (code >> 8 << 24 | number(13, 16)? << 12 | number(17, 20)?) as u32;
        let guid = Self { identity, stamp, what: What::of_code(code as u16 & 0xff)? };
        (guid.text() == text.to_ascii_lowercase()).then_some(guid)
    }

    /// The figure of a clash as it stood then, in metres, right to a part in five thousand; none if it had none.
    pub fn figure(self) -> Option<f64> {
        let code = self.stamp >> 16;
        (code > 0).then(|| libm::exp10(f64::from(code - 1) / PER_DECADE) * LEAST)
    }
}

/// Figures in identifiers: from a tenth of a micrometre on, so many a power of ten, eleven powers in 16 bits.
const LEAST: f64 = 1e-7;
const PER_DECADE: f64 = 5957.0;

/// A figure in metres as an identifier has it. What is less than the least is that.
fn figure_code(metres: f64) -> u32 {
    let decades = libm::log10(metres.max(LEAST) / LEAST);
    1 + ((decades * PER_DECADE).round() as u32).min(0xfffe)
}

/// How many metres a length of a document is; 1 where its unit is not known.
pub(super) fn metres(document: &Document<'_>) -> f64 {
    let unit = Unit::ALL.into_iter().find(|unit| Some(unit.name()) == document.origin.unit);
    unit.map_or(1.0, Unit::metres)
}

fn check(identity: u64, stamp: u32, code: u16) -> u16 {
    let mut hash = Hash::new("sudar clash");
    hash.number(identity);
    hash.number(u64::from(stamp) << 16 | u64::from(code));
    hash.value() as u16
}

/// A hash that is the same everywhere: FNV-1a (Fowler, Noll and Vo, 1991), its bits mixed at the end.
pub(super) struct Hash(u64);

impl Hash {
    pub fn new(about: &str) -> Self {
        let mut hash = Self(0xcbf2_9ce4_8422_2325);
        hash.text(about);
        hash
    }

    /// A text and its end, so that two texts are not the same as one of both.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        self.number(text.len() as u64);
    }

    pub fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Mixed as in splitmix64 (Steele, Lea and Flood, 2014).
    pub fn value(&self) -> u64 {
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }
}

/// What tells each clash of a document from the others, whatever the order of its parts: their `GlobalId`s or else
/// their names, and the boxes around namesakes. Of clashes that this does not tell apart, their order.
pub(super) fn identities(document: &Document<'_>) -> Vec<u64> {
    let repeated = repeated_names(document);
    let part = |number: usize| {
        let part = &document.parts[number];
        let mut hash = Hash::new("part");
        match part.property(GLOBAL_ID).filter(|id| !id.is_empty()) {
            Some(id) => hash.text(id),
            None => {
                hash.text(part.name);
                let place = repeated.get(part.name).copied().unwrap_or(false);
                place.then(|| hash_box(&mut hash, &part.bounds));
            }
        }
        hash.value()
    };
    let mut counts = HashMap::new();
    let identity = |clash: &ClashInfo<'_>| {
        let mut pair = [part(clash.a), part(clash.b)];
        pair.sort_unstable();
        let mut hash = Hash::new("clash");
        pair.into_iter().for_each(|part| hash.number(part));
        counted(hash, &mut counts)
    };
    document.clashes.iter().map(identity).collect()
}

/// What tells each group of a document from the others: by what it is one, its name, and its order among namesakes.
pub(super) fn group_identities(groups: &[Group]) -> Vec<u64> {
    let mut counts = HashMap::new();
    let identity = |group: &Group| {
        let mut hash = Hash::new("group");
        hash.text(group.by);
        hash.text(&group.name);
        counted(hash, &mut counts)
    };
    groups.iter().map(identity).collect()
}

/// The value of a hash, or another one if it was there before.
fn counted(mut hash: Hash, counts: &mut HashMap<u64, u64>) -> u64 {
    let count = counts.entry(hash.value()).or_insert(0);
    *count += 1;
    if *count > 1 {
        hash.number(*count);
    }
    hash.value()
}

fn hash_box(hash: &mut Hash, bounds: &Aabb) {
    bits(bounds).into_iter().for_each(|number| hash.number(number));
}

/// Lengths that differ by less than this part of the smaller of two boxes mostly look the same.
const STEP: f64 = 1.0 / 1024.0;

/// How a clash stands: what its view shows. Another file of the same model, which differs by rounding, mostly gives
/// the same.
pub(super) fn stamp(document: &Document<'_>, clash: &ClashInfo<'_>) -> u32 {
    let boxes = [clash.a, clash.b].map(|part| document.parts[part].bounds);
    let size = boxes.iter().map(|bounds| bounds.extent().length()).fold(f64::INFINITY, f64::min);
    // Without extent nothing can be rounded.
    let rounded = |x: f64| if size > 0.0 { (x / (STEP * size)).round() + 0.0 } else { x };
    let mut hash = Hash::new(clash.kind.name());
    hash.text(clash.form.map_or("", |form| form.name()));
    let depths = [clash.depth, clash.depth_at_least].map(|depth| depth.unwrap_or(-1.0));
    let numbers = clash.point.to_array().into_iter().chain(depths).chain([clash.distance]);
    numbers.for_each(|number| hash.number(rounded(number).to_bits()));
    // In whatever order the parts are.
    let [a, b] = boxes.map(|bounds| {
        let mut hash = Hash::new("box");
        let corners = [bounds.min.to_array(), bounds.max.to_array()];
        corners.as_flattened().iter().for_each(|&number| hash.number(rounded(number).to_bits()));
        hash.value()
    });
    hash.number(a ^ b);
    let code = clash.figure().map_or(0, |figure| figure_code(figure * metres(document)));
    code << 16 | (hash.value() & 0xffff) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_read_as_they_are_written() {
        let whats =
            ClashKind::ALL.map(What::View).into_iter().chain([What::Clash, What::Group, What::Comment]);
        for (n, what) in whats.enumerate() {
            let guid = Guid { identity: 0x0123_4567_89ab_cdef ^ (n as u64) << 60, stamp: 0x89ab_cdef, what };
            let text = guid.text();
            let lengths: Vec<usize> = text.split('-').map(str::len).collect();
            assert_eq!(lengths, [8, 4, 4, 4, 12], "{text}");
            assert!(text.chars().all(|c| c == '-' || matches!(c, '0'..='9' | 'a'..='f')), "{text}");
            assert_eq!(Guid::read(&text), Some(guid));
            assert_eq!(Guid::read(&text.to_ascii_uppercase()), Some(guid));
        }
    }

    #[test]
    fn identifiers_know_how_much_a_clash_was() {
        for figure in [1e-7, 3e-6, 0.1, 0.7, 12.5, 9e3] {
            let guid =
                Guid { identity: 9, stamp: figure_code(figure) << 16 | 5, what: What::View(ClashKind::Hard) };
            let found = Guid::read(&guid.text()).unwrap().figure().unwrap();
            assert!((found / figure - 1.0).abs() < 2e-4, "{figure} {found}");
        }
        assert_eq!((figure_code(0.0), figure_code(1e30), figure_code(f64::INFINITY)), (1, 0xffff, 0xffff));
        assert_eq!(Guid { identity: 9, stamp: 5, what: What::Clash }.figure(), None);
    }

    #[test]
    fn identifiers_of_others_are_not_ours() {
        let foreign = "7ddc3ef0-0ab7-43f1-918a-45e38b42369c";
        let own = Guid { identity: 7, stamp: 0, what: What::Clash }.text();
        let changed = own.replacen('7', "6", 1);
        for text in [foreign, "", "x", "é-é", &changed, &own[1..]] {
            assert_eq!(Guid::read(text), None, "{text}");
        }
    }

    #[test]
    fn texts_do_not_run_together() {
        let of = |texts: &[&str]| {
            let mut hash = Hash::new("x");
            texts.iter().for_each(|text| hash.text(text));
            hash.value()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
    }
}
