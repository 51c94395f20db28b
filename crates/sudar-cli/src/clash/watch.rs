//! `--watch`: the report in a browser, made anew whenever a file of the check changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::Result;
use sudar_clash::Checked;

use super::args::Args;
use super::once::{once, page_of};
use super::scene;
use super::server::{Board, Server};
use super::subject::Loaded;
use super::table;
use crate::report::{self, Verdict};

/// How long between two looks at the files. What changes between two looks is still being written.
const LOOK: Duration = Duration::from_millis(300);

/// Checks, serves the page, and checks again until the process is interrupted.
pub fn run(args: &Args, port: u16) -> Result<Verdict> {
    let board = Arc::new(Board::default());
    let server = Server::start(port, Arc::clone(&board))?;
    report::print(&format!("{} until you press Ctrl-C\n", server.address()))?;
    loop {
        // Seen before the work, so that what is written meanwhile is noticed.
        let before = settled(args);
        if let Err(error) = round(args, &board) {
            let text = report::one_line(&format!("{error:#}"));
            report::complain(&format!("{text}; it is checked again when a file changes"));
            board.fail(text);
        }
        let expected = before.with_own(args);
        while expected == Seen::now(args) {
            thread::sleep(LOOK);
        }
    }
}

/// One check, shown on the board and in a line.
fn round(args: &Args, board: &Board) -> Result<Verdict> {
    once(args, |loaded: &Loaded, _: &[String], checked: &Checked<'_>| {
        let page = page_of(&loaded.title, args.baseline.as_deref(), &loaded.subject, checked)?;
        board.show(sudar_clash::served(&page));
        report::print(&format!(
            "{}\n",
            table::headline(&loaded.title, &checked.document, checked.log.as_ref())
        ))?;
        for complaint in loaded.complaints() {
            report::complain(&complaint.to_string());
        }
        Ok(())
    })
}

/// The files once nothing in them changes any more.
fn settled(args: &Args) -> Seen {
    let mut last = Seen::now(args);
    loop {
        thread::sleep(LOOK);
        let next = Seen::now(args);
        if next == last {
            return next;
        }
        last = next;
    }
}

/// How long each file is and when it was written; nothing for one that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen(Vec<(PathBuf, Option<(u64, SystemTime)>)>);

impl Seen {
    fn now(args: &Args) -> Self {
        Self(files(args).into_iter().map(|path| (path.clone(), stamp(&path))).collect())
    }

    /// The same with the files that the check itself writes as they are now.
    fn with_own(mut self, args: &Args) -> Self {
        for (path, seen) in &mut self.0 {
            if args.own().any(|own| own == path) {
                *seen = stamp(path);
            }
        }
        self
    }
}

/// What a check is made from.
fn files(args: &Args) -> Vec<PathBuf> {
    // A scene file that cannot be read says nothing of its models.
    let placed = scene::placed(&args.scenes, args.recursive).unwrap_or_default();
    let models = placed.into_iter().map(|placed| placed.file);
    let mut files: Vec<PathBuf> = args.scenes.iter().chain(&args.ignore).cloned().chain(models).collect();
    files.extend(args.own().map(Path::to_owned));
    files.extend(args.baseline.clone());
    files.sort();
    files.dedup();
    files
}

fn stamp(path: &Path) -> Option<(u64, SystemTime)> {
    let found = fs::metadata(path).ok()?;
    Some((found.len(), found.modified().ok()?))
}
