//! The storeys and the grids of a building.

use sudar::glam::DAffine3;

use super::curve::Curves;
use super::frame::Places;
use super::value::{Entry, Found};
use crate::levels::{GridAxis, Level};
use crate::step::Step;

/// Storeys, the lowest first: as high as they are placed, or else as their elevation says.
pub(super) fn levels(step: &Step<'_>) -> Vec<Level> {
    let mut places = Places::default();
    let level = |entry: Entry<'_>| {
        let placement = entry.get(5).reference();
        let placed = placement.and_then(|place| places.world(step, Some(place)).ok());
        let elevation = placed.map(|frame| frame.translation.z).or_else(|| entry.get(9).number())?;
        Some(Level { name: entry.text(2)?, elevation })
    };
    let mut levels: Vec<Level> = all(step, "IFCBUILDINGSTOREY").filter_map(level).collect();
    levels.sort_by(|a, b| a.elevation.total_cmp(&b.elevation));
    levels
}

/// The straight axes of all grids.
pub(super) fn axes(curves: Curves<'_>) -> Vec<GridAxis> {
    let (mut places, mut found, mut family) = (Places::default(), Vec::new(), 0);
    for grid in all(curves.step, "IFCGRID") {
        let frame = places.world(curves.step, grid.get(5).reference()).unwrap_or_default();
        for direction in [7, 8, 9] {
            let axes = grid.references(direction).unwrap_or_default();
            // An axis that is not read is none: it names places only.
            found.extend(
                axes.into_iter().filter_map(|number| axis(curves, number, &frame, family).ok().flatten()),
            );
            family += 1;
        }
    }
    found
}

fn axis(curves: Curves<'_>, number: u32, frame: &DAffine3, family: u32) -> Found<Option<GridAxis>> {
    let entry = curves.step.entry(number)?;
    let row = curves.row(entry.reference(1)?)?;
    let [p, q] = row.points[..] else { return Ok(None) };
    let line = [p, q].map(|p| frame.transform_point3(p).truncate().to_array());
    Ok(entry.text(0).map(|name| GridAxis { name, family, line }))
}

/// The entities of a class, in the order of their numbers.
fn all<'a>(step: &'a Step<'a>, class: &str) -> impl Iterator<Item = Entry<'a>> {
    let mut numbers: Vec<u32> = step
        .entities
        .iter()
        .filter(|(_, entity)| entity.class.eq_ignore_ascii_case(class))
        .map(|(n, _)| *n)
        .collect();
    numbers.sort_unstable();
    numbers.into_iter().filter_map(|number| step.entry(number).ok())
}
