//! Viewpoints: where one looks from, and which parts are meant.

use sudar::DVec3;

use super::xml::Element;
use super::{BcfVersion, UpAxis};
use crate::document::{GLOBAL_ID, PartInfo};
use crate::snapshot::{Camera, FIELD_OF_VIEW, SIZE};

/// The colours of the two parts of a clash, red, green and blue; snapshots have the same.
const COLOURS: [&str; 2] = ["2F6FDE", "F28C28"];

/// Said where a part has a name alone: whose name that is.
const SYSTEM: &str = "sudar";

/// A part as a viewpoint names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Component {
    /// Its `GlobalId`; empty if there is none.
    pub id: String,
    /// Its name; empty if there is none.
    pub name: String,
}

impl Component {
    /// A part of a document. What is no `GlobalId` as IFC has it is left out, for the schema wants none.
    pub fn of(part: &PartInfo<'_>) -> Self {
        let id = part.property(GLOBAL_ID).filter(|id| is_ifc_id(id)).unwrap_or_default();
        Self { id: id.to_owned(), name: part.name.trim().to_owned() }
    }

    fn is_empty(&self) -> bool {
        self.id.is_empty() && self.name.is_empty()
    }

    fn element(&self) -> Element {
        let element = Element::new("Component");
        let element = if self.id.is_empty() { element } else { element.with("IfcGuid", &self.id) };
        if self.name.is_empty() {
            return element;
        }
        element.holding([
            Element::text_of("OriginatingSystem", SYSTEM),
            Element::text_of("AuthoringToolId", &self.name),
        ])
    }

    fn read(element: &Element) -> Self {
        let id = element.attribute("IfcGuid").unwrap_or_default().trim().to_owned();
        Self { id, name: element.text_in("AuthoringToolId") }
    }
}

/// Whether a text is an identity as IFC compresses it.
pub(super) fn is_ifc_id(text: &str) -> bool {
    text.len() == 22 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

/// The parts that a viewpoint selects.
pub(super) fn selected(view: &Element) -> Vec<Component> {
    let selection = view.child("Components").and_then(|components| components.child("Selection"));
    let found = selection.into_iter().flat_map(|selection| selection.all("Component")).map(Component::read);
    found.filter(|component| !component.is_empty()).collect()
}

/// How lengths and axes of the model become those of BCF: metres, with z up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub metres: f64,
    pub up: UpAxis,
}

impl Frame {
    fn direction(self, v: DVec3) -> DVec3 {
        match self.up {
            UpAxis::Z => v,
            // Zero minus it, and not its negation, whose zero would be negative.
            UpAxis::Y => DVec3::new(v.x, 0.0 - v.z, v.y),
        }
    }

    fn point(self, p: DVec3) -> DVec3 {
        self.direction(p) * self.metres
    }
}

/// The file of a viewpoint that looks at two parts.
pub(super) fn viewpoint(
    version: BcfVersion,
    guid: &str,
    parts: &[Component; 2],
    camera: &Camera,
    frame: Frame,
) -> Element {
    Element::new("VisualizationInfo")
        .with("Guid", guid)
        .holding([components(version, parts), perspective(version, camera, frame)])
}

fn perspective(version: BcfVersion, camera: &Camera, frame: Frame) -> Element {
    let number = |name: &str, x: f64| Element::text_of(name, &x.to_string());
    let vector = |name: &str, v: DVec3| {
        Element::new(name).holding([number("X", v.x), number("Y", v.y), number("Z", v.z)])
    };
    let [width, height] = SIZE.map(|pixels| pixels as f64);
    let aspect = (version == BcfVersion::V3_0).then(|| number("AspectRatio", width / height));
    Element::new("PerspectiveCamera")
        .holding([
            vector("CameraViewPoint", frame.point(camera.eye)),
            vector("CameraDirection", frame.direction(camera.forward)),
            vector("CameraUpVector", frame.direction(camera.up)),
            number("FieldOfView", FIELD_OF_VIEW),
        ])
        .holding(aspect)
}

fn components(version: BcfVersion, parts: &[Component; 2]) -> Element {
    let named: Vec<(&Component, &str)> =
        parts.iter().zip(COLOURS).filter(|(part, _)| !part.is_empty()).collect();
    let all = || named.iter().map(|(part, _)| part.element());
    let colour = |(part, colour): &(&Component, &str)| {
        let element = Element::new("Color").with("Color", colour);
        match version {
            BcfVersion::V2_1 => element.holding([part.element()]),
            BcfVersion::V3_0 => element.holding([Element::new("Components").holding([part.element()])]),
        }
    };
    let some = |name: &str, children: Vec<Element>| {
        (!children.is_empty()).then(|| Element::new(name).holding(children))
    };
    // Viewers find parts by their GlobalIds alone: where one has none, nothing is hidden.
    let hides_others = parts.iter().all(|part| !part.id.is_empty());
    let shown = if hides_others { some("Exceptions", all().collect()) } else { None };
    let visibility =
        Element::new("Visibility").with("DefaultVisibility", if hides_others { "false" } else { "true" });
    Element::new("Components")
        .holding(some("Selection", all().collect()))
        .holding([visibility.holding(shown)])
        .holding(some("Coloring", named.iter().map(colour).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> Camera {
        Camera { eye: DVec3::new(1000.0, 2000.0, 3000.0), forward: DVec3::Y, up: DVec3::Z }
    }

    fn part(id: &str, name: &str) -> Component {
        Component { id: id.to_owned(), name: name.to_owned() }
    }

    const ID: &str = "0K7w7jYlr0Oh2AT7sU$0_m";

    #[test]
    fn parts_are_read_as_they_are_written() {
        let frame = Frame { metres: 0.001, up: UpAxis::Z };
        let parts = [part(ID, "a"), part("", "b <&>")];
        for version in BcfVersion::ALL {
            let view = viewpoint(version, "g", &parts, &camera(), frame);
            assert_eq!(selected(&view), parts);
            let visibility = view.child("Components").unwrap().child("Visibility").unwrap();
            assert_eq!(visibility.attribute("DefaultVisibility"), Some("true"));
        }
        let both = [part(ID, "a"), part(ID, "b")];
        let view = viewpoint(BcfVersion::V2_1, "g", &both, &camera(), frame);
        let visibility = view.child("Components").unwrap().child("Visibility").unwrap();
        assert_eq!(visibility.attribute("DefaultVisibility"), Some("false"));
        assert_eq!(visibility.child("Exceptions").unwrap().all("Component").count(), 2);
    }

    #[test]
    fn places_are_in_metres_with_z_up() {
        let eye = |up: UpAxis| {
            let frame = Frame { metres: 0.001, up };
            let view = viewpoint(BcfVersion::V3_0, "g", &[part("", "a"), part("", "b")], &camera(), frame);
            let camera = view.child("PerspectiveCamera").unwrap();
            let read = |name: &str| {
                let point = camera.child(name).unwrap();
                ["X", "Y", "Z"].map(|axis| point.text_in(axis).parse::<f64>().unwrap())
            };
            [read("CameraViewPoint"), read("CameraDirection"), read("CameraUpVector")]
        };
        assert_eq!(eye(UpAxis::Z), [[1.0, 2.0, 3.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        // With y up, the model's y is BCF's z, and its z comes towards the viewer.
        assert_eq!(eye(UpAxis::Y), [[1.0, -3.0, 2.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]);
    }

    #[test]
    fn only_identities_of_ifc_are_written_as_such() {
        assert!(is_ifc_id(ID));
        for text in
            ["", "short", "0K7w7jYlr0Oh2AT7sU$0_ m", "0K7w7jYlr0Oh2AT7sU$0,m", "éK7w7jYlr0Oh2AT7sU$0_"]
        {
            assert!(!is_ifc_id(text), "{text}");
        }
    }
}
