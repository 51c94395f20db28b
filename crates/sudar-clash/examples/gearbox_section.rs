//! Draws the picture of the README: a section through the gears of the built-in gearbox as SVG, with the material
//! that two parts share in red, as the clash check found it.
//!
//! ```text
//! cargo run --release -p sudar-clash --example gearbox_section > docs/gearbox.svg
//! ```

use std::collections::BTreeMap;
use std::io::Write;

use sudar::DVec3;
use sudar_clash::gearbox::{CLEARANCE, gearbox, ignore_joints};
use sudar_clash::{ClashKind, ClashOptions, Part, find_clashes};

/// Height of the section in mm, through the gears and through no vertex.
const HEIGHT: f64 = 28.1;
const COLOURS: [(&str, &str); 9] = [
    ("housing", "#d7dee6"),
    ("ring", "#a9bfd4"),
    ("sun", "#e2b95f"),
    ("planet", "#9cc3a2"),
    ("bush", "#c98f5a"),
    ("pin", "#7f8b99"),
    ("carrier", "#c3b1d6"),
    ("bolt", "#8d8d96"),
    ("", "#b9b9b9"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = gearbox()?;
    let names: Vec<&str> = scene.parts.iter().map(|part| part.name.as_str()).collect();
    let mut options = ClashOptions::new(CLEARANCE)?;
    ignore_joints(&scene, &mut options);
    let report = find_clashes(&scene, &options, &|_, _| {})?;
    let sections: Vec<String> = scene.parts.iter().map(section).collect();
    let hard = report.clashes.iter().filter(|clash| clash.kind == ClashKind::Hard);
    let shared = hard.filter(|c| !sections[c.a].is_empty() && !sections[c.b].is_empty());
    let mut svg = HEAD.to_owned();
    for (name, path) in names.iter().zip(&sections).filter(|(_, path)| !path.is_empty()) {
        svg += &format!("<path fill=\"{}\" d=\"{path}\"><title>{name}</title></path>\n", colour(name));
    }
    for (i, clash) in shared.enumerate() {
        let (a, b) = (&sections[clash.a], &sections[clash.b]);
        let both = format!("{} and {}", names[clash.a], names[clash.b]);
        svg += &format!("<clipPath id=\"c{i}\"><path clip-rule=\"evenodd\" d=\"{a}\"/></clipPath>\n");
        svg +=
            &format!("<path class=\"hit\" clip-path=\"url(#c{i})\" d=\"{b}\"><title>{both}</title></path>\n");
    }
    svg += "</g>\n";
    svg += LEGEND;
    svg += "</svg>\n";
    std::io::stdout().write_all(svg.as_bytes())?;
    Ok(())
}

/// Below, outside of what is turned upward.
const LEGEND: &str = "<text x=\"-83\" y=\"82\" font-family=\"sans-serif\" font-size=\"4.5\" fill=\"#e02b20\">red: in two parts at once</text>\n";

/// Millimetres with y upward, as in the model.
const HEAD: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-84 -84 168 168\" width=\"520\" height=\"520\">\n\
    <title>Section through the gears; the material that two parts share is red</title>\n\
    <style>path{fill-rule:evenodd;stroke:#39424e;stroke-width:.25}.hit{fill:#e02b20;stroke:#e02b20;stroke-width:.8}</style>\n\
    <g transform=\"scale(1,-1)\">\n";

fn colour(name: &str) -> &'static str {
    COLOURS.iter().find(|(start, _)| name.starts_with(start)).map_or("", |(_, colour)| colour)
}

/// The outlines in which the part's surface meets the plane of the section, as an SVG path; empty if it does not.
///
/// A triangle that crosses the plane has one edge that goes up through it and one that comes down; the triangle beyond
/// the edge that comes down goes up there. So the edges that go up lead from one to the next around each outline.
fn section(part: &Part) -> String {
    let Some(mesh) = part.body.mesh() else { return String::new() };
    let vertices: Vec<DVec3> = mesh.vertices().iter().map(|&p| part.pose.apply(p)).collect();
    let above = |i: u32| vertices[i as usize].z > HEIGHT;
    let mut next = BTreeMap::new();
    for &[a, b, c] in mesh.triangles() {
        let edges = [(a, b), (b, c), (c, a)];
        let up = edges.into_iter().find(|&(from, to)| !above(from) && above(to));
        let down = edges.into_iter().find(|&(from, to)| above(from) && !above(to));
        if let (Some(up), Some((from, to))) = (up, down) {
            next.insert(up, (to, from));
        }
    }
    let mut path = String::new();
    while let Some((start, mut edge)) = next.pop_first() {
        path += &format!("M{}", crossing(&vertices, start));
        while edge != start {
            path += &format!("L{}", crossing(&vertices, edge));
            let Some(after) = next.remove(&edge) else { break };
            edge = after;
        }
        path += "Z";
    }
    path
}

/// Where an edge meets the plane, to a hundredth of a millimetre.
fn crossing(vertices: &[DVec3], (from, to): (u32, u32)) -> String {
    let (p, q) = (vertices[from as usize], vertices[to as usize]);
    let at = p.lerp(q, (HEIGHT - p.z) / (q.z - p.z));
    format!("{:.2} {:.2}", at.x, at.y)
}
