//! The form of a rules file.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::options::ClashKind;
use crate::severity::Severity;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub(super) ignore: Vec<FileIgnore>,
    #[serde(default)]
    pub(super) group: Vec<FileGroup>,
    #[serde(default)]
    pub(super) pair: Vec<FilePair>,
    #[serde(default)]
    pub(super) clearances: BTreeMap<String, BTreeMap<String, Spanned<LengthText>>>,
    #[serde(default)]
    pub(super) matrix: BTreeMap<String, BTreeMap<String, Spanned<Severity>>>,
    #[serde(default)]
    pub(super) level: Vec<FileLevel>,
    #[serde(default)]
    pub(super) grid: Vec<FileGrid>,
    #[serde(default)]
    pub(super) zone: Vec<FileZone>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileZone {
    pub(super) name: String,
    pub(super) of: Spanned<String>,
    pub(super) against: Option<Spanned<String>>,
    pub(super) across: Option<Spanned<LengthText>>,
    pub(super) along: Option<Spanned<LengthText>>,
    pub(super) above: Option<Spanned<LengthText>>,
    pub(super) below: Option<Spanned<LengthText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileLevel {
    pub(super) name: String,
    pub(super) elevation: Spanned<LengthText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileGrid {
    pub(super) axes: BTreeMap<String, [[f64; 2]; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileIgnore {
    pub(super) a: Spanned<String>,
    pub(super) b: Spanned<String>,
    pub(super) kind: Option<Vec<ClashKind>>,
    pub(super) depth: Option<Spanned<LengthText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileGroup {
    pub(super) name: Spanned<String>,
    pub(super) parts: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FilePair {
    pub(super) a: Spanned<String>,
    pub(super) b: Spanned<String>,
    pub(super) clearance: Spanned<LengthText>,
}

/// A length as it stands in the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "a length: a number, or a text as \"5 mm\"")]
pub(super) enum LengthText {
    Number(f64),
    Text(String),
}
