//! IFC (ISO 16739), 2x3 to 4.3, as clear text: elements with their shapes, names, classes, storeys and systems.
//!
//! Shapes are made by the crates of ifc-lite (MPL-2.0, <https://github.com/LTplus-AG/ifc-lite>). They do not say what
//! they lose, so it is found here: every product with a body in the file is an [`Element`] or a [`LostElement`]. They
//! may take very long on some files, and there is no way to stop them but to end the process: run [`read_ifc`] in one
//! of its own. A file that is damaged is refused before they see it.

mod entities;
mod relations;

use std::collections::BTreeMap;

use ifc_lite_core::IfcType;
use ifc_lite_processing::data_model::extract_data_model;
use ifc_lite_processing::{
    ExportedElement, ProcessingRequest, ProcessingResult, ProcessingSink, ProductGeometryAudit,
    build_geometry_data_export, process, run_on_geometry_pool,
};

use crate::elements::{Element, Elements, NO_BODY};
use crate::model::LostElement;
use crate::step::Step;
use crate::{Cause, FormatError, source};
use relations::Relations;

/// Which elements are wanted beside the bodies of a building.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IfcOptions {
    /// Rooms and zones: `IfcSpace`, `IfcSpatialZone`, `IfcExternalSpatialElement`, `IfcVirtualElement`.
    pub spaces: bool,
    /// What is cut out of walls and slabs: `IfcOpeningElement`, `IfcOpeningStandardCase`, `IfcVoidingFeature`.
    pub openings: bool,
}

const SPACES: [&str; 4] = ["IfcSpace", "IfcSpatialZone", "IfcExternalSpatialElement", "IfcVirtualElement"];
const OPENINGS: [&str; 3] = ["IfcOpeningElement", "IfcOpeningStandardCase", "IfcVoidingFeature"];

/// The names of representations that are bodies; others are axes, footprints, symbols and boxes.
const BODIES: [&[u8]; 4] = [b"'Body'", b"'Facetation'", b"'Tessellation'", b"'SolidModel'"];
/// Where a representation has no name, the kinds that are bodies.
const SOLIDS: [&[u8]; 12] = [
    b"'SweptSolid'",
    b"'AdvancedSweptSolid'",
    b"'Brep'",
    b"'AdvancedBrep'",
    b"'FacetedBrep'",
    b"'CSG'",
    b"'Clipping'",
    b"'SolidModel'",
    b"'SurfaceModel'",
    b"'Surface3D'",
    b"'Tessellation'",
    b"'MappedRepresentation'",
];

/// Reads the bytes of an IFC file, expanded first if they are gzip data. `name` stands for the file in errors.
///
/// Coordinates are in the unit of the file. Shapes come in single precision about a point near each element. The
/// properties of an element are `class`, `GlobalId`, `storey`, `system` (each), `type` and `tag`, as far as it has
/// them. May take very long, and cannot be stopped.
///
/// # Errors
/// A [`FormatError`] for a file that is damaged or not of this format, or has no usable unit of length.
pub fn read_ifc(bytes: &[u8], name: &str, options: IfcOptions) -> Result<Elements, FormatError> {
    let refused = |cause| FormatError::new(name, cause);
    if bytes.is_empty() {
        return Err(refused(Cause::Empty));
    }
    let bytes = source::expand(bytes.to_vec()).map_err(refused)?;
    let step = Step::read(&bytes).map_err(refused)?;
    let work = || elements(&bytes, &step, options);
    let found = run_on_geometry_pool(work).map_err(|error| Cause::Unreadable(error.to_string()));
    found.and_then(|found| found).map_err(refused)
}

/// Keeps the receipts of what became of each product.
#[derive(Default)]
struct Receipts(ProductGeometryAudit);

impl ProcessingSink for Receipts {
    fn product_geometry_audit(&self) -> Option<ProductGeometryAudit> {
        Some(self.0.clone())
    }
}

fn elements(bytes: &[u8], step: &Step<'_>, options: IfcOptions) -> Result<Elements, Cause> {
    let mut receipts = Receipts::default();
    let result = process(bytes, &ProcessingRequest::full_pass(), &mut receipts);
    if let Some(unit) = result.metadata.length_unit_refused {
        return Err(Cause::Refused(format!(
            "#{unit} is no usable unit of length; mend the units of the project"
        )));
    }
    let model = extract_data_model(bytes);
    let reader = Reader { step, relations: Relations::new(&model), audit: receipts.0, options };
    let products = model.entities.iter().filter(|entity| entity.has_geometry).map(|entity| entity.entity_id);
    Ok(reader.elements(&result, products))
}

struct Reader<'a> {
    step: &'a Step<'a>,
    relations: Relations<'a>,
    audit: ProductGeometryAudit,
    options: IfcOptions,
}

impl Reader<'_> {
    fn elements(&self, result: &ProcessingResult, products: impl Iterator<Item = u32>) -> Elements {
        let unit = result.metadata.length_unit_scale.unwrap_or(1.0);
        let mut shapes = shapes(result);
        let mut found = Elements { unit: Some(unit), ..Elements::default() };
        // Products without a mesh are found as well as meshes of what is said to be no product.
        let mut numbers: Vec<u32> = products.chain(shapes.keys().copied()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            let shape = shapes.remove(&number);
            if shape.is_none() && !self.has_body(number) {
                continue;
            }
            let class = self.class(number);
            if !self.is_wanted(&class) {
                found.left_out += 1;
                continue;
            }
            let (name, properties) = (self.name(number), self.properties(number, class));
            let loss = self.loss(number, shape.is_some());
            match loss {
                Loss::None => {}
                Loss::Approximate => found.approximate += 1,
                Loss::Lost(error) => {
                    found.lost.push(LostElement {
                        name: name.clone(),
                        properties: properties.clone(),
                        error,
                    });
                }
            }
            if let Some(ExportedElement { vertices, faces, .. }) = shape {
                let vertices = vertices.into_iter().map(|p| p.map(|x| x / unit)).collect();
                found.elements.push(Element { name, properties, vertices, triangles: faces });
            }
        }
        found
    }

    /// What the receipt of a product says.
    fn loss(&self, number: u32, has_shape: bool) -> Loss {
        let complete = self.audit.require_complete(number);
        match complete {
            Ok(()) if has_shape => Loss::None,
            Ok(()) => Loss::Lost(NO_BODY.to_owned()),
            Err(reason) => {
                let reason = reason.split_once(": ").map_or(&*reason, |(_, reason)| reason);
                let is_partial = ["dropped representation items", "refused geometry input"]
                    .iter()
                    .any(|serious| reason.contains(serious));
                match (has_shape, is_partial) {
                    (true, true) => Loss::Lost(format!("only a part of its shape could be read ({reason})")),
                    (true, false) => Loss::Approximate,
                    (false, _) => Loss::Lost(format!("{NO_BODY} ({reason})")),
                }
            }
        }
    }

    /// Whether the file gives a product a body, by `Representation`, the seventh attribute of every `IfcProduct`.
    fn has_body(&self, number: u32) -> bool {
        let Some(product) = self.step.entity(number) else { return false };
        let shapes = product.references(6).filter_map(|shape| self.step.entity(shape));
        let mut representations =
            shapes.flat_map(|shape| shape.references(2)).filter_map(|one| self.step.entity(one));
        representations.any(|one| match one.argument(1) {
            Some(name) if name.starts_with(b"'") => BODIES.iter().any(|body| name.eq_ignore_ascii_case(body)),
            Some(_) | None => one.argument(2).is_some_and(|kind| SOLIDS.contains(&kind)),
        })
    }

    /// The class as the standard writes it, `IfcWall`.
    fn class(&self, number: u32) -> String {
        let class = self.step.entity(number).map_or("", |entity| entity.class);
        IfcType::from_str(class).name().to_owned()
    }

    fn is_wanted(&self, class: &str) -> bool {
        (self.options.spaces || !SPACES.contains(&class))
            && (self.options.openings || !OPENINGS.contains(&class))
    }

    fn name(&self, number: u32) -> String {
        let name = self.relations.entity(number).and_then(|entity| entity.name.clone());
        name.unwrap_or_else(|| format!("{} #{number}", self.class(number)))
    }

    fn properties(&self, number: u32, class: String) -> Vec<(String, String)> {
        let entity = self.relations.entity(number);
        let own = |value: Option<&str>| value.map(str::to_owned);
        let mut known = vec![("class", Some(class)), ("GlobalId", entity.and_then(|e| e.global_id.clone()))];
        known.push(("storey", own(self.relations.storey(number))));
        known.extend(self.relations.systems(number).iter().map(|system| ("system", own(Some(system)))));
        known.push(("type", own(self.relations.type_name(number))));
        known.push(("tag", entity.and_then(|e| e.tag.clone())));
        known.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    }
}

enum Loss {
    None,
    Approximate,
    Lost(String),
}

/// The shapes in metres, by the number of their product.
fn shapes(result: &ProcessingResult) -> BTreeMap<u32, ExportedElement> {
    let shift = result.metadata.coordinate_info.origin_shift;
    let placement = result.frame.site_placement();
    let placement = placement.as_ref().map(|matrix| &matrix[..]);
    build_geometry_data_export(&result.meshes, shift, placement).elements
}
