//! What experiments write, and how they fail.

use std::error::Error;

/// What experiments return: any error ends one.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// A file to be written.
#[derive(Debug, Clone)]
pub struct File {
    /// Its name, with its ending.
    pub name: String,
    /// Its contents.
    pub text: String,
}
