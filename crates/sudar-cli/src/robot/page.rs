//! A page that shows one configuration, or the end of an edge, with what is nearest.
//!
//! It is the page of clash checks, of the parts where they stand. Round bodies are drawn with flat sides and scanned
//! points as little tetrahedra, and so measured there; the title has the exact answer.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, ensure};
use sudar::query::{Batch, Body};
use sudar::{DVec3, Mesh, PointCloud, Pose, Shape};
use sudar_clash::{
    Assembly, ClashOptions, Document, Part, PartDetails, PartSet, body_of, find_clashes, page,
};
use sudar_robot::{ClearanceOptions, RobotCell};

use super::answers::{Answers, answer};
use crate::report;

/// Half the edge of the cube around the mark of a scanned point, beside the size of the cloud; in metres for one point.
const SPECK: f64 = 1e-3;

/// How far flat sides may be from what is round, beside its longest side.
const FLAT: f64 = 1e-3;

pub fn write(
    path: &Path,
    file: &str,
    cell: &RobotCell,
    q: &[f64],
    row: usize,
    answers: &Answers,
) -> Result<()> {
    let dof = cell.robot().dof();
    let rows = q.len().checked_div(dof).unwrap_or(1);
    ensure!(row < rows, "--show {row}: there are {rows} rows, numbered from 0");
    let q = &q[row * dof..][..dof];
    let found = cell.clearance(q, &ClearanceOptions::default(), &Batch::default())?.remove(0);
    let clearance = found.interval.upper;
    let (assembly, robot_parts) = assembly(cell, q)?;
    // Everything about as near as the nearest, and what its flat sides are off by.
    let near = if clearance.is_finite() { clearance.max(0.0) * 1.1 + 0.01 } else { 0.0 };
    let options = options(cell, &assembly, &robot_parts, near)?;
    let report = find_clashes(&assembly, &options, &|_, _| {})?;
    let details = vec![PartDetails::default(); assembly.parts.len()];
    let mut document = Document::new(&assembly.parts, &details, &report, None);
    document.origin.unit = Some("m");
    let state = match answers.edges.get(row) {
        Some(edge) => format!("the edge from it is {}", answer(edge)),
        None if answers.valid.get(row) == Some(&true) => "valid".to_owned(),
        None => "not valid".to_owned(),
    };
    let nearest = found.nearest.map_or("nothing near".to_owned(), |nearest| {
        let names = [cell.parts()[nearest.part].name.as_str(), cell.name_of(nearest.other)];
        format!("nearest {} and {}, {} m", names[0], names[1], format_args!("{clearance:.6}"))
    });
    let title = format!("{file}, row {row}: {state}; {nearest}");
    report::write_whole(path, page(["Robot", &title], None, &assembly.parts, &document, None, &|| {})?)
}

/// The bodies where they stand, and for each the part of the robot that it belongs to.
fn assembly(cell: &RobotCell, q: &[f64]) -> Result<(Assembly, Vec<Option<usize>>)> {
    let poses = cell.robot().forward(q)?;
    let (mut parts, mut of) = (Vec::new(), Vec::new());
    for (i, part) in cell.parts().iter().enumerate() {
        for (body, at) in part.bodies() {
            parts.extend(drawn(&part.name, body, &poses[part.link].after(at)));
            of.resize(parts.len(), Some(i));
        }
    }
    for (name, body, pose) in cell.objects() {
        parts.extend(drawn(name, body, pose));
        of.resize(parts.len(), None);
    }
    Ok((Assembly { parts }, of))
}

fn options(cell: &RobotCell, assembly: &Assembly, of: &[Option<usize>], near: f64) -> Result<ClashOptions> {
    let mut options = ClashOptions::new(near)?;
    let set = |is: &dyn Fn(usize) -> bool| -> PartSet { (0..assembly.parts.len()).map(is).collect() };
    options.only(set(&|i| of[i].is_some()), set(&|i| of[i].is_none()));
    for pair in cell.self_pairs().iter().filter(|pair| pair.is_checked()) {
        let [a, b] = pair.parts;
        options.only(set(&|i| of[i] == Some(a)), set(&|i| of[i] == Some(b)));
    }
    Ok(options)
}

/// A body as the page can draw it; several for those put together, none for half-spaces.
pub fn drawn(name: &str, body: &Body, pose: &Pose) -> Vec<Part> {
    let one = |body: Body| vec![Part { name: name.to_owned(), body, pose: *pose }];
    if !body.parts().is_empty() {
        let parts = body.parts().iter();
        return parts.flat_map(|(part, at)| drawn(name, part, &pose.after(at))).collect();
    }
    if let Shape::PointCloud(cloud) = body.shape() {
        return specks(cloud).map_or(Vec::new(), |mesh| one(Body::new(Shape::Mesh(Arc::new(mesh)))));
    }
    if body.mesh().is_some() {
        return one(body.clone());
    }
    let size = body.aabb(&Pose::IDENTITY).extent().max_element();
    let round = Mesh::from_shape(body.shape(), FLAT * size);
    round.map_or(Vec::new(), |round| one(body_of(Arc::new(round.mesh))))
}

/// A little tetrahedron about each point, as triangles without area cannot be seen.
fn specks(cloud: &PointCloud) -> Option<Mesh> {
    let size = SPECK * Some(cloud.aabb().extent().length()).filter(|size| *size > 0.0).unwrap_or(1.0);
    let corners =
        [DVec3::ONE, DVec3::new(1.0, -1.0, -1.0), DVec3::new(-1.0, 1.0, -1.0), DVec3::new(-1.0, -1.0, 1.0)];
    let points = cloud.points().iter().flat_map(|p| corners.map(|corner| *p + size * corner)).collect();
    let faces =
        |n: u32| [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]].map(|face| face.map(|k: u32| 4 * n + k));
    Mesh::new(points, (0..u32::try_from(cloud.points().len()).ok()?).flat_map(faces).collect()).ok()
}
