//! From text to a tree of elements with their lines; included files are part of it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::fault::MjcfFault;
use crate::RobotError;
use crate::load::text;
pub(super) use crate::xml::Element;
use crate::xml::{Step, Steps};

/// Deepest nesting of elements: chains of bodies are nested in one another.
const DEEPEST: usize = 512;
/// Most elements of all files together.
const MOST_ELEMENTS: usize = 1_000_000;
/// Most bytes of all files together.
const MOST_TEXT: usize = 256 << 20;
/// Most included files, and how deep they include each other.
const MOST_FILES: usize = 1000;
const DEEPEST_INCLUDE: usize = 32;

/// All elements; the first is the root.
#[derive(Debug)]
pub(super) struct Document {
    pub elements: Vec<Element>,
}

impl Document {
    /// Reads a text and the files that it includes; `folder` is that of the file.
    pub fn parse(text: &str, file: &str, folder: &Path) -> Result<Self, RobotError> {
        let mut builder = Builder {
            document: Self { elements: Vec::new() },
            folder,
            included: HashSet::from([identity(Path::new(file))]),
            bytes: text.len(),
        };
        builder.read(text, &Source { file: file.into(), folder, includes: 0 }, None, 0)?;
        Ok(builder.document)
    }

    pub fn root(&self) -> &Element {
        &self.elements[0]
    }

    /// The children of an element, in order.
    pub fn children<'d>(&'d self, of: &'d Element) -> impl DoubleEndedIterator<Item = &'d Element> + 'd {
        of.children.iter().map(|child| &self.elements[*child])
    }

    /// The children of all sections of a name: MJCF may have several of each.
    pub fn sections<'d>(&'d self, name: &'d str) -> impl Iterator<Item = &'d Element> + 'd {
        self.children(self.root()).filter(move |section| section.name == name)
    }

    pub fn within<'d>(&'d self, section: &'d str) -> impl Iterator<Item = &'d Element> + 'd {
        self.sections(section).flat_map(|section| self.children(section))
    }
}

/// One file.
struct Source<'s> {
    file: Arc<str>,
    folder: &'s Path,
    includes: usize,
}

struct Builder<'s> {
    document: Document,
    /// That of the first file.
    folder: &'s Path,
    included: HashSet<PathBuf>,
    bytes: usize,
}

impl Builder<'_> {
    /// Adds the elements of a text: all, or those within the root of an included file.
    fn read(
        &mut self,
        text: &str,
        source: &Source<'_>,
        within: Option<usize>,
        depth: usize,
    ) -> Result<(), RobotError> {
        let mut steps = Steps::new(text, source.file.clone(), "MJCF", DEEPEST).inside(depth);
        // The elements that are open; the root of an included file stands for the element that it becomes part of.
        let mut open: Vec<usize> = Vec::new();
        while let Some(step) = steps.next()? {
            let Step::Open { element, is_empty } = step else {
                open.pop();
                continue;
            };
            let number = match open.last() {
                None => match within {
                    Some(parent) => parent,
                    None => self.add(element, None)?,
                },
                Some(&parent) if element.name == "include" => {
                    self.include(&element, source, parent, depth + open.len())?;
                    // What stands in an include element is not read; MuJoCo refuses it.
                    self.add(element, None)?
                }
                Some(&parent) => self.add(element, Some(parent))?,
            };
            if !is_empty {
                open.push(number);
            }
        }
        Ok(())
    }

    fn add(&mut self, element: Element, parent: Option<usize>) -> Result<usize, RobotError> {
        let elements = &mut self.document.elements;
        if elements.len() == MOST_ELEMENTS {
            let fault = MjcfFault::TooMany { what: "elements", most: MOST_ELEMENTS };
            return Err(element.place.refuse(fault));
        }
        elements.push(element);
        let number = elements.len() - 1;
        if let Some(parent) = parent {
            elements[parent].children.push(number);
        }
        Ok(number)
    }

    /// Puts the elements of another file in the place of an include. As MuJoCo does, it is looked for from the folder
    /// of the first file, then from that of the file that names it, and no file is included twice.
    fn include(
        &mut self,
        element: &Element,
        source: &Source<'_>,
        parent: usize,
        depth: usize,
    ) -> Result<(), RobotError> {
        let named = element.get("file").unwrap_or_default();
        let refused = |why: &str| {
            element.place.refuse(MjcfFault::Include { name: named.to_owned(), why: why.to_owned() })
        };
        if named.is_empty() {
            return Err(refused("names no file; give the attribute file"));
        }
        if self.included.len() > MOST_FILES || source.includes == DEEPEST_INCLUDE {
            return Err(refused("too many files are included, or each by another; join some"));
        }
        let places = [self.folder.join(named), source.folder.join(named)];
        let Some(path) = places.into_iter().find(|path| path.is_file()) else {
            return Err(refused("is not found; check the name"));
        };
        if !self.included.insert(identity(&path)) {
            return Err(refused("is included already; include each file once"));
        }
        let whole = text(&path).map_err(|error| refused(&error.to_string()))?;
        self.bytes += whole.len();
        if self.bytes > MOST_TEXT {
            return Err(refused("the files are too large together"));
        }
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let file = path.display().to_string().into();
        self.read(
            &whole,
            &Source { file, folder: &folder, includes: source.includes + 1 },
            Some(parent),
            depth,
        )
    }
}

/// The same for all names of a file.
fn identity(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
