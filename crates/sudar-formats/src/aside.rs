//! Files and folders that appear under their name only when they are whole.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, TempDir};

/// The temporary files and folders that are being written now.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is written beside its target, under a hidden name, and renamed when it is whole. Dropped before, it is
/// removed and the target stays as it was.
///
/// A process that is killed cannot remove it; one that ends on a signal should call [`Aside::remove_all`].
#[derive(Debug)]
pub struct Aside {
    writer: Option<BufWriter<NamedTempFile>>,
    temporary: PathBuf,
    target: PathBuf,
}

impl Aside {
    /// Starts a file in the folder of `target`.
    ///
    /// # Errors
    /// Those of the operating system, without the temporary name.
    pub fn create(target: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".sudar-");
        open_to_all(&mut builder, 0o666);
        // Held until the file is noted, so that none is forgotten between.
        let mut all = unfinished();
        let file = builder.tempfile_in(crate::folder(target)).map_err(plain)?;
        let temporary = file.path().to_owned();
        all.push(temporary.clone());
        Ok(Self { writer: Some(BufWriter::new(file)), temporary, target: target.to_owned() })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// Those of the operating system, without the temporary name.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let file = writer.into_inner().map_err(|e| plain(e.into_error()))?;
        file.persist(&self.target).map_err(|e| plain(e.error))?;
        Ok(())
    }

    /// Removes every unfinished file and folder of this process, then does `end`, which should end it: as long as that
    /// takes, no other begins.
    pub fn remove_all(end: impl FnOnce()) {
        let all = unfinished();
        for path in &*all {
            // Nothing more can be done where this fails.
            let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir_all(path));
        }
        end();
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // Removed before it is forgotten.
        self.writer = None;
        unfinished().retain(|path| *path != self.temporary);
    }
}

impl Write for Aside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.as_mut().map_or(Ok(0), |writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// A folder that is filled beside its target, under a hidden name, and renamed when it is whole; else as [`Aside`].
#[derive(Debug)]
pub struct AsideFolder {
    folder: Option<TempDir>,
    temporary: PathBuf,
    target: PathBuf,
}

impl AsideFolder {
    /// Makes a folder beside `target`.
    ///
    /// # Errors
    /// Those of the operating system, without the temporary name.
    pub fn create(target: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".sudar-");
        open_to_all(&mut builder, 0o777);
        let mut all = unfinished();
        let folder = builder.tempdir_in(crate::folder(target)).map_err(plain)?;
        let temporary = folder.path().to_owned();
        all.push(temporary.clone());
        Ok(Self { folder: Some(folder), temporary, target: target.to_owned() })
    }

    /// Where it is as long as it is filled.
    pub fn path(&self) -> &Path {
        &self.temporary
    }

    /// Gives the folder its name; there may be nothing of that name but an empty folder.
    ///
    /// # Errors
    /// Those of the operating system, without the temporary name.
    pub fn finish(mut self) -> io::Result<()> {
        std::fs::rename(&self.temporary, &self.target).map_err(plain)?;
        // It has another name now, under which nothing is to be removed.
        self.folder.take().map(TempDir::keep);
        Ok(())
    }
}

impl Drop for AsideFolder {
    fn drop(&mut self) {
        self.folder = None;
        unfinished().retain(|path| *path != self.temporary);
    }
}

/// The rights of an ordinary new file or folder instead of those of a private temporary one.
#[cfg(unix)]
fn open_to_all(builder: &mut tempfile::Builder<'_, '_>, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
fn open_to_all(_: &mut tempfile::Builder<'_, '_>, _: u32) {}

/// The system's reason without the temporary file's name.
fn plain(error: io::Error) -> io::Error {
    error.raw_os_error().map_or(error, io::Error::from_raw_os_error)
}
