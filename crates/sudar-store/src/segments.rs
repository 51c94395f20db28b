//! Segments of geometry being written.

use crate::error::Cause;
use crate::folder::{Folder, Output};
use crate::head::{Entry, Head, Kind};
use crate::record::Place;

/// A segment that has so many bytes is full; a larger mesh has one of its own.
pub const FULL: u64 = 1 << 30;
/// Arrays begin at multiples of this, so that others may map them and read them with any SIMD.
pub const ALIGNMENT: u64 = 64;

/// The segments of a store: those that were there, which are not touched, and new ones.
#[derive(Debug)]
pub struct Segments {
    /// In the order of the head to be.
    list: Vec<Entry>,
    open: Option<Output>,
    /// The number of the next one.
    next: u32,
    full: u64,
}

impl Segments {
    /// Beside those that are there, new ones from that number on.
    pub fn new(list: Vec<Entry>, next: u32) -> Self {
        Self { list, open: None, next, full: FULL }
    }

    /// Adds the arrays of a mesh.
    pub fn add(&mut self, folder: &Folder, arrays: &[u8]) -> Result<Place, Cause> {
        let length = arrays.len() as u64;
        let is_full =
            self.open.as_ref().is_some_and(|open| open.length > 0 && open.length + length > self.full);
        if is_full {
            self.close()?;
        }
        let mut open = match self.open.take() {
            Some(open) => open,
            None => self.start(folder)?,
        };
        open.align(ALIGNMENT)?;
        let offset = open.length;
        open.write(arrays)?;
        self.open = Some(open);
        Ok(Place { segment: self.list.len() as u32 - 1, offset })
    }

    fn start(&mut self, folder: &Folder) -> Result<Output, Cause> {
        if !Head::has_room_for(self.list.len() + 1) {
            // Such a store has some 250 GB or more, see the packer.
            return Err(Cause::TooMany {
                what: "files of geometry",
                count: self.list.len() as u64 + 1,
                limit: self.list.len() as u64,
            });
        }
        let entry = Entry { kind: Kind::Geometry, number: self.next, length: 0, digest: 0 };
        self.next += 1;
        self.list.push(entry);
        folder.create(&entry.name())
    }

    fn close(&mut self) -> Result<(), Cause> {
        if let (Some(open), Some(entry)) = (self.open.take(), self.list.last_mut()) {
            entry.length = open.length;
            open.finish()?;
        }
        Ok(())
    }

    /// All of them, whole.
    pub fn finish(mut self) -> Result<Vec<Entry>, Cause> {
        self.close()?;
        Ok(self.list)
    }
}
