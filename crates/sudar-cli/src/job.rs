//! Jobs: work in chunks whose answers are files, so that it can be interrupted, resumed and shared.
//!
//! A folder holds `job.json`, a file of each chunk in `chunks/`, and in `answers/` a file of each that is done. A chunk
//! is called by a hash of what it holds, and its answers are a pure function of it: whoever examines it, and however
//! often, writes the same file. Files are written aside and renamed, so that a file that is there is whole; what was
//! damaged since is found by the checksum in its name, and examined again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::report::{self, write_whole};

/// The file that says what the job is.
const HEAD: &str = "job.json";
/// Larger ones are refused.
const MAX_HEAD: u64 = 1 << 28;

/// What a job is. Two are the same job just where this is the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    /// The version of this format.
    job: u32,
    /// The version that made it.
    version: String,
    /// What is done: `clash`.
    what: String,
    /// The fingerprint of the scene.
    scene: String,
    /// The names of the chunks.
    chunks: Vec<String>,
}

const FORMAT: u32 = 1;

/// The folder of a job.
#[derive(Debug)]
pub struct JobFolder {
    folder: PathBuf,
    head: Head,
}

impl JobFolder {
    /// Makes a job in a folder that is not there or empty, or goes on with it where that is wanted and it is the same.
    /// `bytes` is what the chunk of a number holds, and is asked for one after the other: all of them may be more than
    /// the memory holds.
    ///
    /// # Errors
    /// If the folder holds something else, or another job; if it cannot be written.
    pub fn begin(
        folder: &Path,
        (what, scene): (&str, u128),
        names: Vec<String>,
        mut bytes: impl FnMut(usize) -> Result<Vec<u8>>,
        may_resume: bool,
    ) -> Result<Self> {
        let head = Head {
            job: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            what: what.to_owned(),
            scene: format!("{scene:032x}"),
            chunks: names,
        };
        let job = Self { folder: folder.to_owned(), head };
        if folder.join(HEAD).exists() {
            ensure!(
                may_resume,
                "--job {}: holds a job already; go on with it by --resume, or name another folder",
                folder.display()
            );
            job.is_same_as(&Self::open(folder)?)?;
            job.mend(&mut bytes)?;
            job.try_again()?;
            return Ok(job);
        }
        job.make(&mut bytes)?;
        Ok(job)
    }

    /// The job in a folder.
    ///
    /// # Errors
    /// If there is none that can be read.
    pub fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(HEAD);
        let text = crate::load::text(&path, "JSON", MAX_HEAD)?;
        let head: Head = serde_json::from_str(&text).with_context(|| {
            format!("{}: is no job of this version; begin it anew in an empty folder", path.display())
        })?;
        let is_name = |name: &String| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric());
        ensure!(
            head.job == FORMAT && head.chunks.iter().all(is_name),
            "{}: is no job of this version; begin it anew in an empty folder",
            path.display()
        );
        Ok(Self { folder: folder.to_owned(), head })
    }

    fn is_same_as(&self, other: &Self) -> Result<()> {
        let (own, there) = (&self.head, &other.head);
        let of = |what: &str| -> Result<()> {
            bail!(
                "--job {}: the job there is {what}; finish it as it was begun, or begin anew in an empty folder",
                self.folder.display()
            )
        };
        match () {
            () if own.version != there.version => of(&format!("of Sudar {}", there.version)),
            () if own.what != there.what => of(&format!("one of {}", there.what)),
            () if own.scene != there.scene => of("about a scene that was another, or has changed since"),
            () if own.chunks != there.chunks => of("one with other options"),
            () => Ok(()),
        }
    }

    /// Makes the folder. The head comes last: a job without it is made again.
    fn make(&self, bytes: &mut impl FnMut(usize) -> Result<Vec<u8>>) -> Result<()> {
        let folder = &self.folder;
        let cannot = || format!("--job {}: cannot be made; check the name and the rights", folder.display());
        if folder.is_dir() {
            for entry in fs::read_dir(folder).with_context(cannot)? {
                let name = entry.with_context(cannot)?.file_name();
                ensure!(
                    name == CHUNKS || name == ANSWERS || name == FAILED,
                    "--job {}: holds other files; name an empty folder or a new one",
                    folder.display()
                );
            }
        }
        for part in [CHUNKS, ANSWERS, FAILED] {
            fs::create_dir_all(folder.join(part)).with_context(cannot)?;
        }
        for (number, name) in self.head.chunks.iter().enumerate() {
            write_whole(&folder.join(CHUNKS).join(name), bytes(number)?)?;
        }
        write_whole(&folder.join(HEAD), report::json(&self.head)?)
    }

    /// Writes chunks again that are not there any more, or not as they were.
    fn mend(&self, bytes: &mut impl FnMut(usize) -> Result<Vec<u8>>) -> Result<()> {
        for (number, name) in self.head.chunks.iter().enumerate() {
            let (path, bytes) = (self.folder.join(CHUNKS).join(name), bytes(number)?);
            if fs::read(&path).ok().as_ref() != Some(&bytes) {
                write_whole(&path, bytes)?;
            }
        }
        Ok(())
    }

    /// The names of the chunks, in order.
    pub fn chunks(&self) -> &[String] {
        &self.head.chunks
    }

    /// The chunks without answers, in order. Reads all answers.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn pending(&self) -> Result<Vec<&str>> {
        let files = self.files()?;
        let mut pending = Vec::new();
        for name in &self.head.chunks {
            if whole(&files, name)?.is_none() {
                pending.push(name.as_str());
            }
        }
        Ok(pending)
    }

    /// What a chunk holds.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn chunk(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.folder.join(CHUNKS).join(name);
        fs::read(&path).with_context(|| format!("{}: cannot be read; begin the job anew", path.display()))
    }

    /// Keeps the answers of a chunk.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn put(&self, name: &str, answers: &[u8]) -> Result<()> {
        let file = format!("{name}.{:032x}.arrow", sudar_store::digest(answers));
        write_whole(&self.folder.join(ANSWERS).join(file), answers)
    }

    /// The answers of a chunk that is done; none of one that is not, or whose file was damaged.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn answers(&self, name: &str) -> Result<Option<Vec<u8>>> {
        whole(&self.files()?, name)
    }

    /// The same of each chunk, in order, one read at a time.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn all_answers(&self) -> Result<impl Iterator<Item = Result<Option<Vec<u8>>>> + '_> {
        let files = self.files()?;
        Ok(self.head.chunks.iter().map(move |name| whole(&files, name)))
    }

    /// The files of answers, by chunk, each with the checksum in its name.
    fn files(&self) -> Result<Files> {
        let folder = self.folder.join(ANSWERS);
        let cannot = || format!("{}: cannot be read; check the rights", folder.display());
        let mut files = Files::new();
        for entry in fs::read_dir(&folder).with_context(cannot)? {
            let path = entry.with_context(cannot)?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let parts =
                name.split_once('.').and_then(|(chunk, rest)| Some((chunk, rest.strip_suffix(".arrow")?)));
            if let Some((chunk, sum)) = parts.map(|(chunk, sum)| (chunk.to_owned(), sum.to_owned())) {
                files.entry(chunk).or_default().push((sum, path));
            }
        }
        Ok(files)
    }

    /// Notes that a chunk failed for good, and why.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn set_aside(&self, name: &str, why: &str) -> Result<()> {
        write_whole(
            &self.folder.join(FAILED).join(format!("{name}.txt")),
            format!("{}\n", report::one_line(why)),
        )
    }

    /// The chunks that failed, and why.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn failed(&self) -> Result<Vec<(String, String)>> {
        let mut failed = Vec::new();
        for name in &self.head.chunks {
            if let Ok(why) = fs::read_to_string(self.folder.join(FAILED).join(format!("{name}.txt"))) {
                failed.push((name.clone(), why.trim_end().to_owned()));
            }
        }
        Ok(failed)
    }

    /// Chunks that failed before are tried again.
    fn try_again(&self) -> Result<()> {
        for (name, _) in self.failed()? {
            let path = self.folder.join(FAILED).join(format!("{name}.txt"));
            fs::remove_file(&path).with_context(|| report::cannot_write(&path))?;
        }
        Ok(())
    }
}

type Files = BTreeMap<String, Vec<(String, PathBuf)>>;

/// The answers of a chunk in a file that is as it was written, if there is one.
fn whole(files: &Files, name: &str) -> Result<Option<Vec<u8>>> {
    for (sum, path) in files.get(name).into_iter().flatten() {
        let bytes = fs::read(path)
            .with_context(|| format!("{}: cannot be read; check the rights", path.display()))?;
        if format!("{:032x}", sudar_store::digest(&bytes)) == *sum {
            return Ok(Some(bytes));
        }
    }
    Ok(None)
}

const CHUNKS: &str = "chunks";
const ANSWERS: &str = "answers";
const FAILED: &str = "failed";
