//! IFC (ISO 16739), 2x3 to 4.3, as clear text: elements with their shapes, names, classes, storeys and systems.
//!
//! Every product with a body in the file is an [`Element`] or a [`LostElement`]; what a body lacks is named too. What
//! is polygonal in the file keeps its corners. Curves become lines whose corners lie on them, so that a surface is
//! inside the true one where that bulges outwards and outside where it bulges inwards, by at most the deviation of
//! the element. Openings are cut exactly.

mod boolean;
mod brep;
mod building;
mod classes;
mod curve;
mod faces;
mod frame;
mod profile;
mod relations;
mod row;
mod section;
mod shape;
mod solid;
mod spline;
mod surface;
mod trimmed;
mod units;
mod value;

use std::borrow::Cow;
use std::io::{Cursor, Read};
use std::path::Path;

use sudar::glam::DAffine3;

use crate::elements::{Element, Elements, NO_BODY};
use crate::model::LostElement;
use crate::step::Step;
use crate::{Cause, FormatError, source};
use curve::Curves;
use frame::Places;
use relations::Relations;
use shape::Shapes;
use solid::{Solid, stretched};
use units::Units;
use value::{Entry, Lost};

/// Which elements are wanted beside the bodies of a building, and how finely curves are cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IfcOptions {
    /// Rooms and zones: `IfcSpace`, `IfcSpatialZone`, `IfcExternalSpatialElement`, `IfcVirtualElement`.
    pub spaces: bool,
    /// What is cut out of walls and slabs: `IfcOpeningElement`, `IfcOpeningStandardCase`, `IfcVoidingFeature`.
    pub openings: bool,
    /// How far the lines and faces in place of curves may be from them, in metres; at most a hundredth of the radius.
    pub deflection: f64,
}

impl Default for IfcOptions {
    /// Bodies alone, and half a millimetre.
    fn default() -> Self {
        Self { spaces: false, openings: false, deflection: 0.0005 }
    }
}

const SPACES: [&str; 4] = ["IfcSpace", "IfcSpatialZone", "IfcExternalSpatialElement", "IfcVirtualElement"];
const OPENINGS: [&str; 3] = ["IfcOpeningElement", "IfcOpeningStandardCase", "IfcVoidingFeature"];

/// The names of representations that are bodies, the best first; others are axes, footprints, symbols and boxes.
const BODIES: [&str; 4] = ["Body", "Facetation", "Tessellation", "SolidModel"];
/// Where a representation has no name, the kinds that are bodies.
const SOLIDS: [&str; 12] = [
    "SweptSolid",
    "AdvancedSweptSolid",
    "Brep",
    "AdvancedBrep",
    "FacetedBrep",
    "CSG",
    "Clipping",
    "SolidModel",
    "SurfaceModel",
    "Surface3D",
    "Tessellation",
    "MappedRepresentation",
];

/// Reads the bytes of an IFC file, expanded first if they are gzip data or a ZIP archive. `name` stands for the file in
/// errors.
///
/// Coordinates are in the unit of the file. The properties of an element are `class`, `GlobalId`, `storey`, `system`
/// (each), `type` and `tag`, as far as it has them. What one element costs is bounded: some seconds at most.
///
/// # Errors
/// A [`FormatError`] for a file that is damaged or not of this format, or has no usable unit of length.
pub fn read_ifc(bytes: &[u8], name: &str, options: IfcOptions) -> Result<Elements, FormatError> {
    read_ifc_telling(bytes, name, options, &|_, _| {})
}

/// The same, and tells how many products are done of how many, in any order and from any thread.
///
/// # Errors
/// Those of [`read_ifc`].
pub fn read_ifc_telling(
    bytes: &[u8],
    name: &str,
    options: IfcOptions,
    tell: &(dyn Fn(usize, usize) + Sync),
) -> Result<Elements, FormatError> {
    let refused = |cause| FormatError::new(name, cause);
    if bytes.is_empty() {
        return Err(refused(Cause::Empty));
    }
    let bytes = source::expand(bytes.to_vec()).and_then(unzipped).map_err(refused)?;
    let step = Step::read(&bytes).map_err(refused)?;
    let units = Units::of(&step, options.deflection).map_err(refused)?;
    let reader = Reader { step: &step, relations: Relations::new(&step), units, options };
    Ok(reader.elements(tell))
}

/// Whether a name ends as those of IFC files do, before a `.gz` if there is one.
pub(crate) fn is_named(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.ends_with(".ifc") || name.ends_with(".ifczip")
}

/// The IFC file in a ZIP archive, which is what `.ifczip` is; other bytes as they are.
fn unzipped(bytes: Vec<u8>) -> Result<Vec<u8>, Cause> {
    if !bytes.starts_with(b"PK\x03\x04") {
        return Ok(bytes);
    }
    let damaged = |error: &dyn std::fmt::Display| Cause::Refused(format!("is no whole ZIP archive: {error}"));
    let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).map_err(|error| damaged(&error))?;
    let names = archive.file_names().filter_map(|name| name.ok().map(Cow::into_owned));
    let names: Vec<String> = names.filter(|name| is_named(Path::new(name))).collect();
    let [name] = &names[..] else {
        return Err(Cause::Refused(format!("holds {} IFC files instead of one", names.len())));
    };
    let file = archive.by_name(name).map_err(|error| damaged(&error))?;
    let limit = source::expansion_limit(bytes.len() as u64);
    let mut found = Vec::new();
    file.take(limit + 1).read_to_end(&mut found).map_err(|error| damaged(&error))?;
    if found.len() as u64 > limit {
        return Err(Cause::Bomb { limit });
    }
    Ok(found)
}

/// Results in order, on all cores.
#[cfg(feature = "parallel")]
fn mapped<T: Sync, U: Send>(all: &[T], work: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
    use rayon::prelude::*;
    all.par_iter().with_max_len(1).map(work).collect()
}

#[cfg(not(feature = "parallel"))]
fn mapped<T, U>(all: &[T], work: impl Fn(&T) -> U) -> Vec<U> {
    all.iter().map(work).collect()
}

/// How many products with a body a whole IFC file has, of those that are wanted: so many come out of it, or are lost,
/// whatever reads it.
///
/// # Errors
/// Those of [`read_ifc`].
pub fn count_ifc(bytes: &[u8], name: &str, options: IfcOptions) -> Result<usize, FormatError> {
    let refused = |cause| FormatError::new(name, cause);
    let bytes = source::expand(bytes.to_vec()).and_then(unzipped).map_err(refused)?;
    let step = Step::read(&bytes).map_err(refused)?;
    let units = Units::of(&step, options.deflection).map_err(refused)?;
    let reader = Reader { step: &step, relations: Relations::new(&step), units, options };
    let products = step.entities.keys().filter_map(|number| reader.product(*number));
    Ok(products.filter(|product| reader.is_wanted(&product.class)).count())
}

struct Reader<'a> {
    step: &'a Step<'a>,
    relations: Relations<'a>,
    units: Units,
    options: IfcOptions,
}

/// A product with a body.
struct Product<'a> {
    entry: Entry<'a>,
    class: String,
    items: Vec<u32>,
}

/// What became of a product: it is whole, it lacks something, or there is nothing.
enum Made {
    Whole(Element),
    Partly(Element, String),
    Lost(String),
}

impl<'a> Reader<'a> {
    fn elements(&self, tell: &(dyn Fn(usize, usize) + Sync)) -> Elements {
        let mut numbers: Vec<u32> = self.step.entities.keys().copied().collect();
        numbers.sort_unstable();
        let mut found = Elements {
            unit: Some(self.units.metres),
            levels: building::levels(self.step),
            axes: building::axes(Curves { step: self.step, units: self.units }),
            ..Elements::default()
        };
        let all: Vec<Product<'a>> = numbers.into_iter().filter_map(|number| self.product(number)).collect();
        let (wanted, left_out): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|one| self.is_wanted(&one.class));
        found.left_out = left_out.len() as u64;
        let done = std::sync::atomic::AtomicUsize::new(0);
        let made = mapped(&wanted, |product| {
            let made = self.made(product);
            tell(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1, wanted.len());
            made
        });
        for (product, made) in wanted.iter().zip(made) {
            let lost =
                |error| LostElement { name: self.name(product), properties: self.properties(product), error };
            match made {
                Made::Whole(element) => found.elements.push(element),
                Made::Partly(element, why) => {
                    found.lost.push(lost(format!("only a part of its shape could be read ({why})")));
                    found.elements.push(element);
                }
                Made::Lost(why) => found.lost.push(lost(why)),
            }
        }
        found
    }

    /// The product of a number, if it is one and the file gives it a body: by `Representation`, the seventh value of
    /// every `IfcProduct`.
    fn product(&self, number: u32) -> Option<Product<'a>> {
        let entity = self.step.entities.get(&number)?;
        if !entity.class.get(..3).is_some_and(|first| first.eq_ignore_ascii_case("IFC")) {
            return None;
        }
        // What begins with no identity is none, and most of a file: its values are not looked at.
        if !entity.arguments.trim_ascii_start().starts_with(b"'") {
            return None;
        }
        let shape = *entity.references(6).first()?;
        let entry = self.step.entry(number).ok()?;
        if entry.reference(6) != Ok(shape) {
            return None;
        }
        let items = self.body(shape)?;
        Some(Product { class: classes::written(&entry.class), entry, items })
    }

    /// The items of the body of a shape.
    fn body(&self, shape: u32) -> Option<Vec<u32>> {
        let shape = self.step.entry(shape).ok()?;
        if !matches!(&*shape.class, "IFCPRODUCTDEFINITIONSHAPE" | "IFCPRODUCTREPRESENTATION") {
            return None;
        }
        let representations = shape.references(2).ok()?;
        let representations = representations.into_iter().filter_map(|one| self.step.entry(one).ok());
        let rank = |one: &Entry<'_>| match one.text(1) {
            Some(name) => BODIES.iter().position(|body| name.eq_ignore_ascii_case(body)),
            None => one.text(2).filter(|kind| SOLIDS.contains(&&**kind)).map(|_| BODIES.len()),
        };
        let best = representations.filter_map(|one| Some((rank(&one)?, one))).min_by_key(|(rank, _)| *rank);
        best.and_then(|(_, one)| one.references(3).ok())
    }

    fn made(&self, product: &Product<'_>) -> Made {
        let (mut shapes, mut places) = (Shapes::new(self.step, self.units), Places::default());
        let own = product.entry.get(5).reference();
        let frame = match places.world(self.step, own) {
            Ok(frame) => frame,
            Err(Lost(why)) => return Made::Lost(format!("it stands nowhere: {why}")),
        };
        let cuts = self.cuts(product, &mut places, &mut shapes.complaints);
        let solid = shapes.without(&product.items, &cuts);
        let mut complaints = shapes.complaints;
        complaints.dedup();
        let why = match complaints.len() {
            0 => None,
            1 => Some(complaints.remove(0)),
            n => Some(format!("{}, and {} more", complaints[0], n - 1)),
        };
        if solid.surface.triangles.is_empty() {
            return Made::Lost(why.map_or_else(|| NO_BODY.to_owned(), |why| format!("{NO_BODY} ({why})")));
        }
        let element = self.element(product, &stretched(&solid, &frame));
        if element.vertices.iter().flatten().any(|x| !x.is_finite()) {
            return Made::Lost("its coordinates are too large".to_owned());
        }
        match why {
            Some(why) => Made::Partly(element, why),
            None => Made::Whole(element),
        }
    }

    /// The openings of a product, with their places as seen from it.
    fn cuts(
        &self,
        product: &Product<'_>,
        places: &mut Places,
        complaints: &mut Vec<String>,
    ) -> Vec<(Vec<u32>, DAffine3)> {
        if OPENINGS.contains(&&*product.class) {
            return Vec::new();
        }
        let own = product.entry.get(5).reference();
        let mut cuts = Vec::new();
        for opening in self.relations.openings(product.entry.number) {
            let Some(opening) = self.product(opening) else { continue };
            match places.relative(self.step, opening.entry.get(5).reference(), own) {
                Ok(frame) => cuts.push((opening.items, frame)),
                Err(Lost(why)) => complaints.push(format!("an opening is not cut: {why}")),
            }
        }
        cuts
    }

    fn element(&self, product: &Product<'_>, solid: &Solid) -> Element {
        Element {
            name: self.name(product),
            properties: self.properties(product),
            vertices: solid.surface.vertices.iter().map(sudar::DVec3::to_array).collect(),
            triangles: solid.surface.triangles.clone(),
            deviation: solid.deviation,
        }
    }

    fn is_wanted(&self, class: &str) -> bool {
        (self.options.spaces || !SPACES.contains(&class))
            && (self.options.openings || !OPENINGS.contains(&class))
    }

    fn name(&self, product: &Product<'_>) -> String {
        product.entry.text(2).unwrap_or_else(|| format!("{} #{}", product.class, product.entry.number))
    }

    fn properties(&self, product: &Product<'_>) -> Vec<(String, String)> {
        let (entry, number) = (&product.entry, product.entry.number);
        let mut known = vec![("class", Some(product.class.clone())), ("GlobalId", entry.text(0))];
        known.push(("storey", self.relations.storey(number)));
        known.extend(self.relations.systems(number).into_iter().map(|system| ("system", Some(system))));
        known.push(("type", self.relations.type_name(number)));
        // Rooms have a longer name in that place.
        known.push(("tag", entry.text(7).filter(|_| !SPACES.contains(&&*product.class))));
        known.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    }
}
