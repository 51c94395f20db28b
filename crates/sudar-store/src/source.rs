//! A file of a store, read by ranges.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::error::Cause;

/// A file that is open for reading, from any number of threads.
#[derive(Debug)]
pub struct Source {
    /// Its name within the store.
    pub name: String,
    file: File,
    pub length: u64,
}

impl Source {
    /// Opens a regular file.
    pub fn open(folder: &Path, name: String) -> Result<Self, Cause> {
        let opened = File::open(folder.join(&name)).and_then(|file| Ok((file.metadata()?, file)));
        match opened {
            Ok((found, file)) if found.is_file() => Ok(Self { name, file, length: found.len() }),
            Ok(_) => Err(Cause::Unreadable { file: name, why: "it is no regular file".to_owned() }),
            Err(error) => Err(Cause::Unreadable { file: name, why: error.to_string() }),
        }
    }

    /// Opens a file that has to be so long.
    pub fn of_length(folder: &Path, name: String, expected: u64) -> Result<Self, Cause> {
        let source = Self::open(folder, name)?;
        match source.length {
            found if found == expected => Ok(source),
            found => Err(Cause::Length { file: source.name, expected, found }),
        }
    }

    /// So many bytes from there on. No memory is taken for bytes that are not in the file.
    pub fn range(&self, start: u64, length: u64) -> Result<Vec<u8>, Cause> {
        let end = start.checked_add(length).filter(|end| *end <= self.length);
        if end.is_none() {
            let expected = start.saturating_add(length);
            return Err(Cause::Length { file: self.name.clone(), expected, found: self.length });
        }
        let mut bytes = Vec::new();
        let size = usize::try_from(length).map_err(|_| Cause::Memory(length))?;
        bytes.try_reserve_exact(size).map_err(|_| Cause::Memory(length))?;
        bytes.resize(size, 0);
        match read_exact_at(&self.file, &mut bytes, start) {
            Ok(()) => Ok(bytes),
            Err(error) => Err(Cause::Unreadable { file: self.name.clone(), why: error.to_string() }),
        }
    }

    /// All of it.
    pub fn whole(&self) -> Result<Vec<u8>, Cause> {
        self.range(0, self.length)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut start: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, start) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                bytes = &mut bytes[count..];
                start += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// On platforms without reads at a place. Those that are known have no threads that could move the place between.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(mut file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(bytes)
}
