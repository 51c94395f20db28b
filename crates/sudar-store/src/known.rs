//! What is there already when a store is written.

use std::collections::HashMap;
use std::path::Path;

use crate::digest::Digest;
use crate::error::{Cause, StoreError};
use crate::head::Entry;
use crate::record::{Place, StoredMesh};
use crate::segments::FULL;
use crate::store::Store;

/// Above so many segments it counts how full they are.
const MOST_KEPT: usize = 64;

/// What of a store stays in its next revision.
#[derive(Default)]
pub struct Known {
    pub segments: Vec<Entry>,
    pub meshes: HashMap<Digest, (StoredMesh, Place)>,
}

impl Known {
    /// Nothing, unless it is kept; one that is damaged can be written anew, one of a later version not.
    pub fn of(path: &Path, keeps: bool) -> Result<Self, StoreError> {
        let store = Store::open(path);
        if !keeps {
            return match store {
                Err(error) if matches!(error.cause, Cause::Newer(_) | Cause::NotAStore(_)) => Err(error),
                Ok(_) | Err(_) => Ok(Self::default()),
            };
        }
        let (head, meshes) = store?.into_known()?;
        let segments: Vec<Entry> = head.segments().copied().collect();
        // Each revision has segments of its own, and all are held open: many that are not half full are written anew.
        let bytes: u64 = segments.iter().map(|entry| entry.length).fold(0, u64::saturating_add);
        if segments.len() > MOST_KEPT && bytes / (segments.len() as u64) < FULL / 2 {
            return Ok(Self::default());
        }
        let meshes = meshes.into_iter().map(|known| (known.0.content, known)).collect();
        Ok(Self { segments, meshes })
    }
}
