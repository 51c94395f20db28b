//! A public benchmark of clash checks: a building of three disciplines with planted faults, and the truth of each pair.
//!
//! The building is made of boxes in whole millimetres, so that the truth comes from whole numbers and from no geometry
//! of this crate. Its files are IFC4 (metres, millimetres and feet, at the coordinates of a country) and STEP.

mod building;
mod ifc;
mod step;
mod truth;

use serde_json::{Value, json};

use building::{Discipline, Element, building};
use truth::{CLEARANCE, truth};

/// The files of the benchmark: names and texts. `truth.json` lists the elements, and all pairs that are apart by at
/// most the clearance, each with its kind. Every call gives the same. O(elements²), a moment.
pub fn benchmark() -> Vec<(String, String)> {
    let elements = building();
    let files = Discipline::ALL.into_iter().flat_map(|discipline| {
        let name = discipline.name();
        let ifc = (format!("{name}.ifc"), ifc::file(discipline, &elements));
        [ifc, (format!("{name}.step"), step::file(discipline, &elements))]
    });
    let truth = format!("{:#}\n", document(&elements));
    files.chain([("truth.json".to_owned(), truth)]).collect()
}

fn document(elements: &[Element]) -> Value {
    let parts: Vec<Value> = elements
        .iter()
        .map(|e| json!({"name": e.name, "class": e.class, "file": e.discipline.name(), "storey": e.storey}))
        .collect();
    let mut pairs = Vec::new();
    for (i, a) in elements.iter().enumerate() {
        for b in &elements[i + 1..] {
            let Some(truth) = truth(a, b) else { continue };
            let planted = a.planted.or(b.planted);
            pairs.push(json!({
                "names": [a.name, b.name], "kind": truth.kind.name(), "depth": truth.depth,
                "gap": (truth.gap_squared as f64).sqrt(), "planted": planted.is_some_and(|why| why == truth.kind.name()),
            }));
        }
    }
    json!({"unit": "mm", "clearance": CLEARANCE, "elements": parts, "pairs": pairs})
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sudar::{Aabb, DVec3, Mesh, Pose};

    use super::*;
    use crate::options::ClashOptions;
    use crate::part::{Assembly, Part, body_of};

    #[test]
    fn every_planted_fault_is_what_it_was_planted_for() {
        let elements = building();
        for a in elements.iter().filter(|e| e.planted.is_some()) {
            let kinds: Vec<&str> = elements
                .iter()
                .filter(|b| b.name != a.name)
                .filter_map(|b| Some(truth(a, b)?.kind.name()))
                .collect();
            match a.planted {
                Some("near miss") => assert!(kinds.is_empty(), "{}: {kinds:?}", a.name),
                Some(why) => assert!(kinds.contains(&why), "{}: {kinds:?}", a.name),
                None => {}
            }
        }
    }

    #[test]
    fn nothing_is_in_the_way_but_what_was_planted() {
        let elements: Vec<Element> = building().into_iter().filter(|e| e.planted.is_none()).collect();
        for (i, a) in elements.iter().enumerate() {
            for b in &elements[i + 1..] {
                let kind = truth(a, b).map(|truth| truth.kind.name());
                assert!(matches!(kind, None | Some("touch")), "{} × {}: {kind:?}", a.name, b.name);
            }
        }
    }

    #[test]
    fn no_gap_is_so_near_to_the_clearance_that_rounding_decides() {
        let elements = building();
        let pairs =
            elements.iter().enumerate().flat_map(|(i, a)| elements[i + 1..].iter().map(move |b| (a, b)));
        for gap in pairs.filter_map(|(a, b)| Some(truth(a, b)?.gap_squared)) {
            assert!(gap < CLEARANCE * CLEARANCE, "{gap}");
        }
    }

    #[test]
    fn the_check_of_the_boxes_agrees_with_the_whole_numbers() {
        // Those without openings, which are boxes here too.
        let elements: Vec<Element> = building().into_iter().filter(|e| e.openings.is_empty()).collect();
        let part = |e: &Element| {
            let [min, max] = e.block.map(|p| DVec3::from_array(p.map(|x| x as f64)));
            let body = body_of(Mesh::from_aabb(Aabb { min, max }).into());
            Part { name: e.name.clone(), body, pose: Pose::IDENTITY }
        };
        let assembly = Assembly { parts: elements.iter().map(part).collect() };
        let options = ClashOptions::new(CLEARANCE as f64).unwrap();
        let found = crate::find_clashes(&assembly, &options, &|_, _| {}).unwrap();
        let found: BTreeMap<(usize, usize), _> = found.clashes.iter().map(|c| ((c.a, c.b), c)).collect();
        for (i, a) in elements.iter().enumerate() {
            for (j, b) in elements.iter().enumerate().skip(i + 1) {
                let (truth, clash) = (truth(a, b), found.get(&(i, j)));
                assert_eq!(truth.map(|t| t.kind), clash.map(|c| c.kind), "{} × {}", a.name, b.name);
                if let (Some(depth), Some(found)) = (truth.and_then(|t| t.depth), clash.and_then(|c| c.depth))
                {
                    let depth = depth as f64;
                    assert!(
                        found.lower <= depth + 1e-9 && depth <= found.upper + 1e-9,
                        "{}: {found:?}",
                        a.name
                    );
                }
            }
        }
    }
}
