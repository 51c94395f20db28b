//! Terrain over a grid, and cross sections swept along a spine.

use sudar::{DMat3, DVec3, glam::DVec2};

use super::here::Here;
use crate::affine::rotation;
use crate::builder::Builder;
use crate::text::check_coordinate;
use crate::{Cause, NoteKind};

/// Heights over a grid in the plane of x and z, up along y.
pub(super) fn elevation(here: Here<'_>, builder: &mut Builder) -> Result<(), Cause> {
    let count = |name| here.number(name, 0.0).map(|n| n.clamp(0.0, 1e9) as usize);
    let (columns, rows) = (count("xDimension")?, count("zDimension")?);
    let (dx, dz) = (here.number("xSpacing", 1.0)?, here.number("zSpacing", 1.0)?);
    let heights = here.numbers("height")?;
    let given = heights.map_or(0, |heights| heights.values.len());
    // A file with fewer heights is refused before anything is reserved for them.
    if columns.saturating_mul(rows) > given {
        let (claimed, room) = (columns.saturating_mul(rows) as u64, given as u64);
        return Err(Cause::Claim { place: here.place(), what: "heights".to_owned(), claimed, room });
    }
    let Some(heights) = heights.filter(|_| columns > 1 && rows > 1) else { return Ok(()) };
    for (i, &height) in heights.values[..columns * rows].iter().enumerate() {
        let point = DVec3::new((i % columns) as f64 * dx, height, (i / columns) as f64 * dz);
        for x in point.to_array() {
            check_coordinate(x, || heights.place(i))?;
        }
        builder.vertices.push(point);
    }
    for row in 1..rows {
        for column in 1..columns {
            let [a, b] = [(row - 1) * columns + column - 1, row * columns + column - 1].map(|i| i as u32);
            builder.face(&[a, b, b + 1, a + 1], || here.place());
        }
    }
    here.wind(builder)
}

/// A cross section in the plane of x and z, scaled and turned at each point of a spine.
pub(super) fn extrusion(here: Here<'_>, builder: &mut Builder) -> Result<(), Cause> {
    const SQUARE: [f64; 10] = [1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0];
    let section = groups(here, "crossSection", &SQUARE)?;
    let spine = groups(here, "spine", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0])?;
    let section: Vec<DVec2> = section.into_iter().map(DVec2::from_array).collect();
    let spine: Vec<DVec3> = spine.into_iter().map(DVec3::from_array).collect();
    let scale: Vec<[f64; 2]> = groups(here, "scale", &[1.0, 1.0])?;
    let orientation: Vec<[f64; 4]> = groups(here, "orientation", &[0.0, 0.0, 1.0, 0.0])?;
    let (Some(&last_scale), Some(&last_turn)) = (scale.last(), orientation.last()) else { return Ok(()) };
    if section.len() < 2 || spine.len() < 2 {
        builder.notes.add(NoteKind::ShortFace, here.place());
        return Ok(());
    }
    check_product(here, section.len(), spine.len())?;
    for (i, (&p, frame)) in spine.iter().zip(frames(&spine)).enumerate() {
        let [sx, sz] = scale.get(i).copied().unwrap_or(last_scale);
        let turn = frame * rotation(orientation.get(i).copied().unwrap_or(last_turn));
        for q in &section {
            let point = p + turn * DVec3::new(q.x * sx, 0.0, q.y * sz);
            for x in point.to_array() {
                check_coordinate(x, || here.place())?;
            }
            builder.vertices.push(point);
        }
    }
    sides(here, &section, &spine, builder);
    caps(here, &section, &spine, builder)?;
    here.wind(builder)
}

/// Most vertices: two short lists could make any number.
const MAX_VERTICES: usize = 1 << 24;

fn check_product(here: Here<'_>, section: usize, spine: usize) -> Result<(), Cause> {
    match section.saturating_mul(spine) {
        count if count > MAX_VERTICES => {
            let what = format!(
                "an extrusion of {count} vertices is too large, {MAX_VERTICES} are possible; split it"
            );
            Err(Cause::Unsupported { place: here.place(), what })
        }
        _ => Ok(()),
    }
}

/// Numbers by groups of N.
fn groups<const N: usize>(here: Here<'_>, name: &str, default: &[f64]) -> Result<Vec<[f64; N]>, Cause> {
    let numbers = here.numbers(name)?;
    let values = numbers.map_or(default, |numbers| &numbers.values);
    let (groups, rest) = values.as_chunks::<N>();
    if rest.is_empty() {
        return Ok(groups.to_vec());
    }
    Err(Cause::ends(here.place(), format!("groups of {N} numbers for `{name}`"), "the list"))
}

/// Quads between neighbouring sections. Where the spine or the section closes, the last vertices are those of
/// the first.
fn sides(here: Here<'_>, section: &[DVec2], spine: &[DVec3], builder: &mut Builder) {
    let (n, m) = (section.len(), spine.len());
    let (closed_section, closed_spine) = (section[0] == section[n - 1], spine[0] == spine[m - 1]);
    let at = |i: usize, j: usize| {
        let i = if closed_spine && i == m - 1 { 0 } else { i };
        let j = if closed_section && j == n - 1 { 0 } else { j };
        (i * n + j) as u32
    };
    for i in 1..m {
        for j in 1..n {
            builder.face(&[at(i - 1, j - 1), at(i - 1, j), at(i, j), at(i, j - 1)], || here.place());
        }
    }
}

/// The polygons at the ends of an open spine.
fn caps(here: Here<'_>, section: &[DVec2], spine: &[DVec3], builder: &mut Builder) -> Result<(), Cause> {
    let (n, m) = (section.len(), spine.len());
    let corners = n - usize::from(section[0] == section[n - 1]);
    if spine[0] == spine[m - 1] || corners < 3 {
        return Ok(());
    }
    let ring = |i: usize| (0..corners as u32).map(move |j| (i * n) as u32 + j);
    if here.truth("beginCap", true)? {
        let first: Vec<u32> = ring(0).rev().collect();
        builder.face(&first, || here.place());
    }
    if here.truth("endCap", true)? {
        let last: Vec<u32> = ring(m - 1).collect();
        builder.face(&last, || here.place());
    }
    Ok(())
}

/// The frames of the cross sections: y along the spine, z where it bends to, as section 6.18 of the standard lays down.
fn frames(spine: &[DVec3]) -> Vec<DMat3> {
    let (m, is_closed) = (spine.len(), spine[0] == spine[spine.len() - 1]);
    let at = |i: usize, step: isize| -> Option<DVec3> {
        let j = i as isize + step;
        let last = m as isize - 1;
        if is_closed {
            // The last point is the first.
            return Some(spine[j.rem_euclid(last) as usize]);
        }
        (0..=last).contains(&j).then(|| spine[j as usize])
    };
    let along = |i: usize| {
        let (before, after) = (at(i, -1).unwrap_or(spine[i]), at(i, 1).unwrap_or(spine[i]));
        unit(after - before)
    };
    let bend = |i: usize| unit((at(i, 1)? - spine[i]).cross(at(i, -1)? - spine[i]));
    let ys = with_neighbours((0..m).map(along).collect(), DVec3::Y);
    let fallback = straight(&ys);
    let mut zs = with_neighbours((0..m).map(bend).collect(), fallback);
    for i in 0..m {
        if i > 0 && zs[i].dot(zs[i - 1]) < 0.0 {
            zs[i] = -zs[i];
        }
    }
    let frame = |(&y, &z): (&DVec3, &DVec3)| {
        let z = unit(z - y * y.dot(z)).unwrap_or_else(|| straight(&[y]));
        DMat3::from_cols(y.cross(z), y, z)
    };
    ys.iter().zip(&zs).map(frame).collect()
}

/// Each direction that there is; where there is none that of the nearest before, else of the first after.
fn with_neighbours(directions: Vec<Option<DVec3>>, none: DVec3) -> Vec<DVec3> {
    let mut last = directions.iter().flatten().next().copied().unwrap_or(none);
    let known = |d: Option<DVec3>| {
        last = d.unwrap_or(last);
        last
    };
    directions.into_iter().map(known).collect()
}

/// The z axis of a straight spine: that of the world turned the shortest way with y.
fn straight(ys: &[DVec3]) -> DVec3 {
    let y = ys[0];
    let axis = DVec3::Y.cross(y);
    let Some(axis) = unit(axis) else { return if y.y < 0.0 { -DVec3::Z } else { DVec3::Z } };
    let angle = libm::atan2(DVec3::Y.cross(y).length(), y.y);
    rotation([axis.x, axis.y, axis.z, angle]) * DVec3::Z
}

/// `None` for a vector of no length, or of one that is out of range.
fn unit(v: DVec3) -> Option<DVec3> {
    let size = v.abs().max_element();
    let unit = v / size;
    let unit = unit / unit.length();
    unit.is_finite().then_some(unit)
}
