//! A page that shows a path as an animation: the robot among the objects, and at each instant what is nearest.
//!
//! Round bodies are drawn with flat sides; the distances are those of the exact bodies.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use sudar::query::Batch;
use sudar::{Aabb, DVec3, Pose};
use sudar_robot::{ClearanceOptions, RobotCell, Trajectory};

use super::page::drawn;
use crate::report;

const PAGE: &str = include_str!("motion/page.html");
const SCRIPT: &str = include_str!("motion/page.js");
/// Pictures of a second of motion, and of all of it at most.
const EACH_SECOND: f64 = 30.0;
const MOST: f64 = 600.0;
/// Digits after the point of coordinates, which are for drawing alone.
const DIGITS: f64 = 1e5;

/// What the page shows.
#[derive(Debug, Serialize)]
struct Data<'c> {
    shapes: Vec<Shape>,
    /// When, in seconds; the lists below have a row for each.
    times: Vec<f64>,
    joints: Vec<&'c str>,
    configurations: Vec<Vec<f64>>,
    /// Twelve numbers for each link.
    poses: Vec<Vec<f64>>,
    nearest: Vec<Option<Near>>,
    /// What the camera looks at, and how large it is.
    center: [f64; 3],
    size: f64,
}

#[derive(Debug, Serialize)]
struct Shape {
    /// The link that carries it; none for objects.
    link: Option<usize>,
    vertices: Vec<f64>,
    triangles: Vec<u32>,
}

#[derive(Debug, Serialize)]
struct Near {
    part: String,
    other: String,
    upper: f64,
    point: [f64; 3],
    other_point: [f64; 3],
}

/// Writes the page of a motion.
pub fn write(path: &Path, title: &str, cell: &RobotCell, motion: &Trajectory) -> Result<()> {
    let frames = (motion.duration() * EACH_SECOND).ceil().clamp(1.0, MOST);
    let times: Vec<f64> = (0..=frames as usize).map(|i| motion.duration() * i as f64 / frames).collect();
    let configurations: Vec<Vec<f64>> = times.iter().map(|time| motion.at(*time).configuration).collect();
    let q = configurations.concat();
    let links = cell.robot().links().len();
    let all = cell.robot().forward(&q)?;
    let (shapes, around) = shapes(cell, all.get(..links).unwrap_or_default());
    let center = around.center();
    let data = Data {
        shapes,
        joints: cell.robot().joint_names(),
        poses: all.chunks(links).map(|poses| poses.iter().flat_map(twelve).collect()).collect(),
        nearest: nearest(cell, &q)?,
        times,
        configurations,
        center: center.to_array(),
        size: 0.5 * around.extent().length().max(1e-3),
    };
    // Data of the page must not end its own element.
    let json = serde_json::to_string(&data)?.replace('<', "\\u003c");
    report::write_whole(path, filled(&[("title", &escaped(title)), ("data", &json), ("script", SCRIPT)]))
}

/// The page with its places filled in one pass, so that no filling is searched for places.
fn filled(fillings: &[(&str, &str)]) -> String {
    let mut pieces = PAGE.split("{{");
    let mut page = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (place, rest) = piece.split_once("}}").unwrap_or((piece, ""));
        page += fillings.iter().find(|(name, _)| *name == place).map_or("", |(_, text)| text);
        page += rest;
    }
    page
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// What is drawn, and a box around it where it first stands.
fn shapes(cell: &RobotCell, poses: &[Pose]) -> (Vec<Shape>, Aabb) {
    let (mut shapes, mut around) = (Vec::new(), Aabb::EMPTY);
    let mut add = |drawn: Vec<sudar_clash::Part>, link: Option<(usize, Pose)>| {
        for part in drawn {
            let Some(mesh) = part.body.mesh() else { continue };
            let vertices: Vec<DVec3> = mesh.vertices().iter().map(|p| part.pose.apply(*p)).collect();
            let place = |p: &DVec3| link.as_ref().map_or(*p, |(_, pose)| pose.apply(*p));
            around = around.union(Aabb::around(vertices.iter().map(place)));
            shapes.push(Shape {
                link: link.as_ref().map(|(link, _)| *link),
                vertices: vertices.iter().flat_map(|p| p.to_array().map(rounded)).collect(),
                triangles: mesh.triangles().iter().flatten().copied().collect(),
            });
        }
    };
    for part in cell.parts() {
        for (body, at) in part.bodies() {
            let link = poses.get(part.link).map(|pose| (part.link, *pose));
            add(drawn(&part.name, body, at), link);
        }
    }
    for (name, body, pose) in cell.objects() {
        add(drawn(name, body, pose), None);
    }
    (shapes, around)
}

fn nearest(cell: &RobotCell, q: &[f64]) -> Result<Vec<Option<Near>>> {
    let found = cell.clearance(q, &ClearanceOptions::default(), &Batch::default())?;
    let near = |found: &sudar_robot::Clearance| {
        found.nearest.map(|nearest| Near {
            part: cell.parts()[nearest.part].name.clone(),
            other: cell.name_of(nearest.other).to_owned(),
            upper: found.interval.upper,
            point: nearest.point.to_array(),
            other_point: nearest.other_point.to_array(),
        })
    };
    Ok(found.iter().map(near).collect())
}

fn twelve(pose: &Pose) -> [f64; 12] {
    let r = pose.rotation();
    let columns = [r.x_axis, r.y_axis, r.z_axis, pose.translation()];
    std::array::from_fn(|i| rounded(columns[i / 3][i % 3]))
}

fn rounded(x: f64) -> f64 {
    (x * DIGITS).round() / DIGITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_the_page_is_filled() {
        let page = filled(&[("title", "T{{data}}"), ("data", "D"), ("script", "S")]);
        assert!(page.contains("<title>Robot: T{{data}}</title>") && page.contains("id=\"data\">D</script>"));
        assert_eq!(PAGE.matches("{{").count(), 4);
        assert_eq!(escaped("<b>\"&"), "&lt;b&gt;&quot;&amp;");
    }
}
