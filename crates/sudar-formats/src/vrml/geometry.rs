//! From the nodes of geometry to vertices and triangles.

use sudar::DVec3;

use super::here::Here;
use super::{solids, swept};
use crate::builder::Builder;
use crate::text::check_coordinate;
use crate::{Cause, NoteKind};

/// Adds the vertices and triangles of a geometry; a note if it has none.
pub(super) fn read(here: Here<'_>, builder: &mut Builder) -> Result<(), Cause> {
    match here.node.kind.as_str() {
        "IndexedFaceSet" => faces(here, builder),
        "ElevationGrid" => swept::elevation(here, builder),
        "Extrusion" => swept::extrusion(here, builder),
        "Box" => solids::cuboid(here, builder),
        "Sphere" => solids::sphere(here, builder),
        "Cone" => solids::cone(here, builder),
        "Cylinder" => solids::cylinder(here, builder),
        "IndexedLineSet" => left_out(NoteKind::Line, here, builder),
        "PointSet" => left_out(NoteKind::Point, here, builder),
        _ => left_out(NoteKind::SkippedNode, here, builder),
    }
}

fn left_out(kind: NoteKind, here: Here<'_>, builder: &mut Builder) -> Result<(), Cause> {
    builder.notes.add(kind, here.place());
    Ok(())
}

/// Polygons, each up to a −1. `convex`, `solid` and `creaseAngle` say nothing about where triangles are, nor
/// do colours, normals and textures.
fn faces(here: Here<'_>, builder: &mut Builder) -> Result<(), Cause> {
    let Some(coord) = here.child("coord")? else { return Ok(()) };
    coord.resolved(&mut |coord| points(coord, builder)).unwrap_or(Ok(()))?;
    let Some(indices) = here.numbers("coordIndex")? else { return Ok(()) };
    let mut corners = Vec::new();
    for (i, &index) in indices.values.iter().enumerate() {
        if index == -1.0 {
            builder.face(&corners, || indices.place(i));
            corners.clear();
        } else if index.fract() == 0.0 {
            corners.push(builder.checked(index as i64, || indices.place(i))?);
        } else {
            let found = index.to_string();
            return Err(Cause::expected(indices.place(i), "the number of a vertex", found.as_bytes()));
        }
    }
    // The last mark may be missing.
    if !corners.is_empty() {
        builder.face(&corners, || indices.place(indices.values.len()));
    }
    here.wind(builder)
}

fn points(coord: Here<'_>, builder: &mut Builder) -> Result<(), Cause> {
    let Some(numbers) = coord.numbers("point")? else { return Ok(()) };
    for (i, point) in numbers.values.chunks(3).enumerate() {
        let place = || numbers.place(3 * i);
        let &[x, y, z] = point else {
            return Err(Cause::ends(place(), "three coordinates for each point", "the list"));
        };
        for x in [x, y, z] {
            check_coordinate(x, place)?;
        }
        builder.vertices.push(DVec3::new(x, y, z));
    }
    Ok(())
}
