//! The folder that a store is written to, and the moment in which it becomes the store.
//!
//! A new store is written into a folder beside, which is renamed when it is whole. Over an old one, new files are
//! written beside its own under other names; then a new head takes the place of the old one by one renaming, and files
//! that it does not name are removed. At every moment the folder is the old store or the new one.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use sudar_formats::AsideFolder;

use crate::error::Cause;
use crate::head::{HEAD, Head, Kind};

/// Locked as long as the store is written.
const LOCK: &str = "lock";

/// A folder in which a store is made.
#[derive(Debug)]
pub struct Folder {
    target: PathBuf,
    /// Where files are written: the folder beside, or the target itself.
    beside: Option<AsideFolder>,
    /// Held until the end.
    _lock: Option<File>,
}

impl Folder {
    /// Prepares to write a store: a new one if nothing is there, otherwise over the one that is.
    ///
    /// # Errors
    /// [`Cause::Occupied`], [`Cause::Busy`], [`Cause::Unwritable`].
    pub fn prepare(target: &Path) -> Result<Self, Cause> {
        if target.symlink_metadata().is_ok() {
            return Self::over(target);
        }
        let beside = AsideFolder::create(target).map_err(|error| unwritable(".", &error))?;
        Ok(Self { target: target.to_owned(), beside: Some(beside), _lock: None })
    }

    fn over(target: &Path) -> Result<Self, Cause> {
        if !target.is_dir() || !target.join(HEAD).is_file() {
            return Err(Cause::Occupied);
        }
        let lock = File::options().create(true).truncate(false).write(true).open(target.join(LOCK));
        let lock = lock.map_err(|error| unwritable(LOCK, &error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { target: target.to_owned(), beside: None, _lock: Some(lock) }),
            Err(fs::TryLockError::WouldBlock) => Err(Cause::Busy),
            Err(fs::TryLockError::Error(error)) => Err(unwritable(LOCK, &error)),
        }
    }

    /// Whether a store is there already.
    pub fn has_store(&self) -> bool {
        self.beside.is_none()
    }

    /// The greatest number of a file of a store here, named by the head or left by a run that broke off.
    pub fn last_number(&self) -> u32 {
        ours(self.place()).filter_map(|(_, number)| number).max().unwrap_or(0)
    }

    fn place(&self) -> &Path {
        self.beside.as_ref().map_or(&self.target, AsideFolder::path)
    }

    /// A new file. One of that name which no head names is left from a run that broke off, and is written over.
    pub fn create(&self, name: &str) -> Result<Output, Cause> {
        let file = File::create(self.place().join(name)).map_err(|error| unwritable(name, &error))?;
        Ok(Output { name: name.to_owned(), file: BufWriter::new(file), length: 0 })
    }

    /// Writes a whole file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Cause> {
        let mut file = self.create(name)?;
        file.write(bytes)?;
        file.finish()
    }

    /// Makes what was written the store.
    pub fn commit(self, head: &Head) -> Result<(), Cause> {
        let aside = format!("{HEAD}.new");
        self.write(&aside, &head.bytes())?;
        let place = self.place();
        fs::rename(place.join(&aside), place.join(HEAD)).map_err(|error| unwritable(HEAD, &error))?;
        match self.beside {
            None => {
                // Before anything is removed the new name has to be on the disk.
                sync(&self.target).map_err(|error| unwritable(HEAD, &error))?;
                remove_others(&self.target, head);
            }
            Some(beside) => beside.finish().map_err(|error| unwritable(".", &error))?,
        }
        Ok(())
    }
}

/// Sees the names in a folder to the disk.
#[cfg(unix)]
fn sync(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Where folders cannot be opened, renaming is left to the system.
#[cfg(not(unix))]
fn sync(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Removes files of stores that the head does not name; one that cannot be removed does no harm.
fn remove_others(folder: &Path, head: &Head) {
    for (name, _) in ours(folder) {
        if !head.files.iter().any(|entry| entry.name() == name) {
            let _ = fs::remove_file(folder.join(name));
        }
    }
}

/// The files of a folder that have names of tables or segments, with their numbers.
fn ours(folder: &Path) -> impl Iterator<Item = (String, Option<u32>)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let number = name.rsplit_once('-')?.1.split_once('.')?.0.parse().ok();
        let is_ours = |kind: Kind| number.is_some_and(|number| kind.file_name(number) == name);
        let kinds = Kind::TABLES.into_iter().chain([Kind::Geometry]);
        kinds.into_iter().any(is_ours).then_some((name, number))
    })
}

/// A file that is being written.
#[derive(Debug)]
pub struct Output {
    name: String,
    file: BufWriter<File>,
    /// Bytes so far.
    pub length: u64,
}

impl Output {
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Cause> {
        self.file.write_all(bytes).map_err(|error| unwritable(&self.name, &error))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Zeros up to a multiple of so many bytes.
    pub fn align(&mut self, to: u64) -> Result<(), Cause> {
        let zeros = vec![0; (self.length.next_multiple_of(to) - self.length) as usize];
        self.write(&zeros)
    }

    /// Sees the bytes to the disk, so that no head can be there before what it names.
    pub fn finish(mut self) -> Result<(), Cause> {
        let done = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        done.map_err(|error| unwritable(&self.name, &error))
    }
}

fn unwritable(file: &str, error: &std::io::Error) -> Cause {
    Cause::Unwritable { file: file.to_owned(), why: error.to_string() }
}
