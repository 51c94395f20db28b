//! Lines written by a thread of their own, so that a run does not wait for its disk.

use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use sudar_formats::Aside;

/// A text file that grows row by row off the hot path and appears under its name when it is whole. Dropped, it is
/// finished too: no row is lost where a run ends early.
///
/// ```
/// let path = std::env::temp_dir().join(format!("sudar-rows-{}.csv", std::process::id()));
/// let rows = sudar_scene::Rows::create(&path, "step,pairs\n")?;
/// (0..3).for_each(|k| rows.add(format!("{k},{}\n", k * k)));
/// rows.finish()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "step,pairs\n0,0\n1,1\n2,4\n");
/// # std::fs::remove_file(path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Rows {
    rows: Option<Sender<String>>,
    written: Option<JoinHandle<io::Result<()>>>,
}

impl Rows {
    /// Starts the file with its head, which ends with a line break.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn create(path: &Path, head: &str) -> io::Result<Self> {
        let mut file = Aside::create(path)?;
        file.write_all(head.as_bytes())?;
        let (rows, incoming) = channel::<String>();
        let written = std::thread::spawn(move || {
            incoming.into_iter().try_for_each(|row| file.write_all(row.as_bytes()))?;
            file.finish()
        });
        Ok(Self { rows: Some(rows), written: Some(written) })
    }

    /// Adds a row with its line break, without waiting. One that cannot be written is reported by
    /// [`finish`](Self::finish).
    pub fn add(&self, row: String) {
        if let Some(rows) = &self.rows {
            // The other end is gone only where writing has failed.
            drop(rows.send(row));
        }
    }

    /// Waits until all is written and gives the file its name.
    ///
    /// # Errors
    /// Those of the operating system, also of earlier rows.
    pub fn finish(mut self) -> io::Result<()> {
        self.end()
    }

    fn end(&mut self) -> io::Result<()> {
        self.rows = None;
        let Some(written) = self.written.take() else { return Ok(()) };
        written.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes rows has ended")))
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = self.end();
    }
}
