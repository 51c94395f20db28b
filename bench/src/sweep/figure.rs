//! The sweep as a figure: a row for each verb; steps, time and memory against the number of triangles, as shares of the
//! bound, which is the line at 1.

use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;

use super::case::{Case, Measured};
use super::verbs::{VERBS, Verb};
use crate::generate::extreme::{FAMILIES, Family, Place};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const QUANTITIES: [&str; 3] = ["steps", "time", "memory"];
/// Sizes in pixels.
const PANEL: (u32, u32) = (330, 170);
const LEGEND: u32 = 130;
const HEAD: u32 = 30;
/// Shares below this are drawn there.
const LEAST: f64 = 1e-4;
const MOST: f64 = 1e2;

/// The figure as an SVG document.
///
/// # Errors
/// Those of the drawing.
pub fn svg(found: &[(Case, Measured)]) -> Result<String> {
    let verbs: Vec<Verb> =
        VERBS.into_iter().filter(|&verb| found.iter().any(|(case, _)| case.verb == verb)).collect();
    let size = (3 * PANEL.0 + LEGEND, HEAD + PANEL.1 * verbs.len() as u32);
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
    area.fill(&WHITE)?;
    let title = "Shares of the bound against triangles; solid: apart, dashed: across";
    area.draw(&Text::new(title, (12, 8), ("sans-serif", 15).into_font()))?;
    for (row, verb) in verbs.into_iter().enumerate() {
        for (column, quantity) in QUANTITIES.into_iter().enumerate() {
            let corner = (PANEL.0 * column as u32, HEAD + PANEL.1 * row as u32);
            let panel = area.clone().shrink(corner, PANEL);
            let of_verb = found.iter().filter(|(case, _)| case.verb == verb);
            draw(
                &panel,
                &format!("{}: {quantity}", verb.name()),
                column,
                &of_verb.copied().collect::<Vec<_>>(),
            )?;
        }
    }
    legend(&area)?;
    area.present()?;
    drop(area);
    Ok(text.trim_end().to_owned() + "\n")
}

fn legend(area: &Area) -> Result<()> {
    for (i, family) in FAMILIES.into_iter().enumerate() {
        let (x, y) = (3 * PANEL.0 as i32 + 8, HEAD as i32 + 20 + 20 * i as i32);
        area.draw(&PathElement::new([(x, y), (x + 24, y)], colour(family).stroke_width(2)))?;
        area.draw(&Text::new(family.name(), (x + 30, y - 7), ("sans-serif", 13).into_font()))?;
    }
    Ok(())
}

fn colour(family: Family) -> HSLColor {
    let number = FAMILIES.iter().position(|f| *f == family).unwrap_or(0);
    HSLColor(number as f64 / FAMILIES.len() as f64, 0.85, if number % 2 == 0 { 0.35 } else { 0.5 })
}

fn draw(area: &Area, title: &str, quantity: usize, found: &[(Case, Measured)]) -> Result<()> {
    let sizes = || found.iter().map(|(case, _)| f64::from(case.n));
    let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(1.0, f64::max));
    let mut chart = ChartBuilder::on(area)
        .margin(6)
        .caption(title, ("sans-serif", 13))
        .x_label_area_size(20)
        .y_label_area_size(44)
        .build_cartesian_2d((least..most * 1.01).log_scale(), (LEAST..MOST).log_scale())?;
    chart.configure_mesh().disable_mesh().x_labels(4).y_labels(6).label_style(("sans-serif", 10)).draw()?;
    let bound = [(least, 1.0), (most, 1.0)];
    chart.draw_series(LineSeries::new(bound, BLACK.stroke_width(1)))?;
    for family in FAMILIES {
        for place in [Place::Apart, Place::Across] {
            let of_line = found.iter().filter(|(case, _)| case.family == family && case.place == place);
            let points = of_line.filter_map(|(case, measured)| {
                let share = measured.shares(case)[quantity];
                (!share.is_nan()).then(|| (f64::from(case.n), share.clamp(LEAST, MOST)))
            });
            let style = colour(family).stroke_width(1);
            match place {
                Place::Apart => drop(chart.draw_series(LineSeries::new(points, style))?),
                Place::Across => drop(chart.draw_series(DashedLineSeries::new(points, 5, 3, style))?),
            }
        }
    }
    Ok(())
}
