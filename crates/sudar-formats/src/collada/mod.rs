//! COLLADA 1.4 and 1.5 (ISO/PAS 17506:2012, "Industrial automation systems and integration: COLLADA digital asset
//! schema specification for 3D visualization of industrial data").
//!
//! Read: `mesh` with `triangles`, `polylist`, `polygons` (with holes too), `tristrips` and `trifans`, under any nesting
//! of `node` and `instance_node` with `matrix`, `translate`, `rotate`, `scale` and `skew`; skinned and morphed meshes
//! in their rest shape. A part is an instance of a geometry, called as its node. Lines and `brep` geometry are counted
//! and left out; materials, cameras, lights, animations and physics are not looked at.
//!
//! Coordinates are those of the file. [`Model::unit`] is the unit that it names, 1 metre without one. The axis that
//! points up is not turned, as robot tools leave it too; [`Model::info`] says which it is.

mod document;
mod geometry;
mod scene;

use crate::error::one_line;
use crate::{Cause, Model, text};
use document::{Document, Node, child};

/// Reads a file's bytes.
pub(crate) fn read(bytes: &[u8], stem: &str) -> Result<Model, Cause> {
    let text = text::decode(bytes);
    let text = String::from_utf8_lossy(&text);
    let xml = document::parse(&text)?;
    let document = Document::new(&xml, &text);
    let root = xml.root_element();
    if root.tag_name().name() != "COLLADA" {
        let name = root.tag_name().name().as_bytes();
        return Err(Cause::expected(document.place(root), "the element COLLADA", name));
    }
    let asset = child(root, "asset");
    let unit = unit(&document, asset)?;
    let mut scene = scene::Scene::new(&document, stem, text.len() as u64);
    scene.show(root)?;
    let model = scene.finish()?;
    Ok(Model { unit: Some(unit), info: info(asset), ..model })
}

/// How many metres the number 1 means.
fn unit(document: &Document<'_>, asset: Option<Node<'_>>) -> Result<f64, Cause> {
    let Some(unit) = asset.and_then(|asset| child(asset, "unit")) else { return Ok(1.0) };
    let Some(meter) = unit.attribute("meter") else { return Ok(1.0) };
    let length = text::number(meter.trim().as_bytes()).filter(|x| *x > 0.0 && x.is_finite());
    length
        .ok_or_else(|| Cause::expected(document.place(unit), "a length above 0 as `meter`", meter.as_bytes()))
}

/// The axis that points up, and which program made the file.
fn info(asset: Option<Node<'_>>) -> Vec<String> {
    let Some(asset) = asset else { return Vec::new() };
    let line = |what: &str, found: Option<Node<'_>>| {
        let text = found?.text()?.trim();
        (!text.is_empty()).then(|| format!("{what}: {}", one_line(text)))
    };
    let contributor = child(asset, "contributor");
    let tool = contributor.and_then(|contributor| child(contributor, "authoring_tool"));
    [line("up axis", child(asset, "up_axis")), line("authoring tool", tool)].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests;
