//! What other front ends call in place of the commands: the same work on the same options, with the answer given back.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use anyhow::{Context, Result, anyhow};
use sudar::Pose;
use sudar::query::Body;
use sudar_formats::Model;

use crate::clash;
use crate::common::ReadArgs;
use crate::{load, replay, report};

/// By what a search is ended, and how far it is.
#[derive(Debug, Clone, Copy)]
pub struct Watch<'w> {
    /// Once it is set, the search ends soon and its answer is of no use.
    pub cancelled: &'w AtomicBool,
    /// Steps that are done.
    pub done: &'w AtomicUsize,
}

/// Options of a command from its words, without the command's name.
fn parsed<A: clap::Args>(name: &'static str, words: &[OsString]) -> Result<A> {
    let command = A::augment_args(clap::Command::new(name)).no_binary_name(true).disable_help_flag(true);
    let matches = command
        .try_get_matches_from(words)
        .map_err(|error| anyhow!(report::usage_line(&error.to_string())))?;
    Ok(A::from_arg_matches(&matches)?)
}

/// The contents of a file of any format that the command reads, in metres as far as the options say.
///
/// # Errors
/// As the command says them, on one line.
pub fn read(path: &std::path::Path, options: &[OsString]) -> Result<Model> {
    load::model(path, &parsed::<ReadArgs>("read", options)?)
}

/// The JSON document of `sudar clash` with these words: of the files among them, or of the named bodies that are given.
///
/// # Errors
/// As the command says them, on one line.
pub fn clash(
    words: &[OsString],
    parts: Option<Vec<(String, Body, Pose)>>,
    watch: Watch<'_>,
) -> Result<String> {
    report::be_quiet();
    clash::document(&parsed::<clash::Args>("clash", words)?, parts, watch)
}

/// The answers of `sudar replay` to lines of queries, in order; relative paths start from `root`.
pub fn replay(lines: &[Vec<u8>], root: PathBuf) -> Result<Vec<String>> {
    report::be_quiet();
    let queries = [OsString::from("-")];
    let args: replay::Args = parsed("replay", &queries).context("replay")?;
    replay::answers(lines, root, &args)
}
