//! Figures: panels of lines or bars beside each other, one legend, a title and a caption, as SVG.

use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::output::axis::{Axis, Ruler, Scale};

type Result<T> = std::result::Result<T, DrawError>;

/// Why a figure could not be drawn.
type DrawError = Box<dyn std::error::Error + Send + Sync>;

/// A figure: panels beside each other, row by row, two in a row, with one legend.
#[derive(Debug)]
pub struct Figure {
    title: String,
    panels: Vec<Panel>,
    caption: Vec<String>,
}

/// A plot with its axes.
#[derive(Debug)]
pub struct Panel {
    title: String,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
}

impl Panel {
    /// A plot of these series.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis, series: Vec<Series>) -> Self {
        Self { title: title.into(), x, y, series }
    }
}

/// Values that belong together.
#[derive(Debug)]
pub struct Series {
    label: String,
    look: Look,
    points: Vec<(f64, f64)>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    /// The number of a colour and of a shape of points.
    number: usize,
    kind: Kind,
}

/// What stands for the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Line,
    Curve,
    Marks,
    DashedLine,
    Band,
    Bar { place: usize, of: usize },
}

impl Series {
    fn new(label: impl Into<String>, number: usize, kind: Kind, points: Vec<(f64, f64)>) -> Self {
        Self { label: label.into(), look: Look { number, kind }, points }
    }

    /// A line with marks; `number` selects its colour and the shape of its marks.
    pub fn line(label: impl Into<String>, number: usize, points: Vec<(f64, f64)>) -> Self {
        Self::new(label, number, Kind::Line, points)
    }

    /// A line without marks.
    pub fn curve(label: impl Into<String>, number: usize, points: Vec<(f64, f64)>) -> Self {
        Self::new(label, number, Kind::Curve, points)
    }

    /// Marks without a line.
    pub fn marks(label: impl Into<String>, number: usize, points: Vec<(f64, f64)>) -> Self {
        Self::new(label, number, Kind::Marks, points)
    }

    /// A dashed line with marks.
    pub fn dashed(label: impl Into<String>, number: usize, points: Vec<(f64, f64)>) -> Self {
        Self::new(label, number, Kind::DashedLine, points)
    }

    /// What lies between the first and the last x, shaded over the whole height.
    pub fn band(label: impl Into<String>, number: usize, points: Vec<(f64, f64)>) -> Self {
        Self::new(label, number, Kind::Band, points)
    }

    /// Bars, in the place from the left of so many side by side.
    pub fn bars(
        label: impl Into<String>,
        number: usize,
        [place, of]: [usize; 2],
        points: Vec<(f64, f64)>,
    ) -> Self {
        Self::new(label, number, Kind::Bar { place, of }, points)
    }
}

/// Colours that people of any kind of colour vision tell apart (Okabe and Ito 2008, "Color universal design"), a grey,
/// a brown and a violet.
const COLOURS: [RGBColor; 11] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(240, 228, 66),
    RGBColor(127, 127, 127),
    RGBColor(120, 70, 30),
    RGBColor(90, 20, 110),
];
const GREY: RGBColor = RGBColor(90, 90, 90);
const PALE: RGBColor = RGBColor(225, 225, 225);
const FONT: &str = "sans-serif";

/// Sizes in pixels.
const PANEL: (i32, i32) = (470, 350);
const LEGEND: i32 = 210;
const HEAD: i32 = 44;
const LINE: i32 = 17;
const IN_A_ROW: usize = 2;
/// Marks of a line are at least so far apart.
const NEXT_MARK: u32 = 9;
/// The width of a letter of the caption and of the title, about.
const LETTER: i32 = 7;
const TITLE_LETTER: i32 = 10;
const TITLE_LINE: i32 = 23;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Ruler, Ruler>>;

impl Figure {
    /// A figure; below the panels its caption, a paragraph each: what was measured and on what.
    pub fn new(title: impl Into<String>, panels: Vec<Panel>, caption: &[&str]) -> Self {
        Self { title: title.into(), panels, caption: caption.iter().map(|&line| line.to_owned()).collect() }
    }

    /// The figure as an SVG document.
    ///
    /// # Errors
    /// None in practice; the signature is that of the plotting library.
    pub fn svg(&self) -> Result<String> {
        self.marked("")
    }

    /// The same, which says that it comes from a quick run.
    pub(crate) fn quick_svg(&self) -> Result<String> {
        self.marked("QUICK RUN, not to be compared")
    }

    fn marked(&self, mark: &str) -> Result<String> {
        let mut text = String::new();
        self.draw(&SVGBackend::with_string(&mut text, self.size()).into_drawing_area(), mark)?;
        Ok(text.trim_end().to_owned() + "\n")
    }

    fn rows(&self) -> usize {
        self.panels.len().div_ceil(IN_A_ROW)
    }

    fn columns(&self) -> usize {
        self.panels.len().min(IN_A_ROW)
    }

    fn size(&self) -> (u32, u32) {
        let width = self.width();
        let height = self.head() + PANEL.1 * self.rows() as i32 + LINE * self.wrapped().len() as i32 + 10;
        (width.unsigned_abs(), height.unsigned_abs())
    }

    fn width(&self) -> i32 {
        PANEL.0 * self.columns() as i32 + LEGEND
    }

    /// The caption in lines that are not too long.
    fn wrapped(&self) -> Vec<String> {
        let most = (self.width() / LETTER).unsigned_abs() as usize;
        self.caption.iter().flat_map(|text| in_lines(text, most)).collect()
    }

    fn title(&self) -> Vec<String> {
        in_lines(&self.title, ((self.width() - 32) / TITLE_LETTER).unsigned_abs() as usize)
    }

    /// Where the panels begin.
    fn head(&self) -> i32 {
        HEAD + TITLE_LINE * (self.title().len() as i32 - 1)
    }

    fn draw(&self, area: &Area, mark: &str) -> Result<()> {
        area.fill(&WHITE)?;
        for (i, line) in self.title().iter().enumerate() {
            text(area, line, (16, 14 + TITLE_LINE * i as i32), 19, &BLACK)?;
        }
        if !mark.is_empty() {
            text(area, mark, (PANEL.0 * self.columns() as i32 + 6, self.head() + 6), 12, &COLOURS[1])?;
        }
        for (i, panel) in self.panels.iter().enumerate() {
            let corner = (PANEL.0 * (i % IN_A_ROW) as i32, self.head() + PANEL.1 * (i / IN_A_ROW) as i32);
            let (width, height) = (PANEL.0.unsigned_abs(), PANEL.1.unsigned_abs());
            panel.draw(area, &area.clone().shrink(corner, (width, height)))?;
        }
        self.legend(area)?;
        let below = self.head() + PANEL.1 * self.rows() as i32 + 2;
        for (i, line) in self.wrapped().iter().enumerate() {
            text(area, line, (16, below + LINE * i as i32), 12, &GREY)?;
        }
        area.present()?;
        Ok(())
    }

    /// One entry for each look, right of the panels.
    fn legend(&self, area: &Area) -> Result<()> {
        let left = PANEL.0 * self.columns() as i32 + 6;
        let mut seen: Vec<Look> = Vec::new();
        for series in self.panels.iter().flat_map(|p| &p.series) {
            if seen.contains(&series.look) {
                continue;
            }
            let y = self.head() + 40 + 22 * seen.len() as i32;
            seen.push(series.look);
            series.look.sample(area, (left, y))?;
            text(area, &series.label, (left + 38, y - 7), 13, &BLACK)?;
        }
        Ok(())
    }
}

/// The words of a text in lines of at most so many letters.
fn in_lines(text: &str, most: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + word.chars().count() >= most {
            lines.push(std::mem::take(&mut line));
        }
        let gap = if line.is_empty() { "" } else { " " };
        line = line + gap + word;
    }
    lines.push(line);
    lines
}

fn text(area: &Area, line: &str, at: (i32, i32), size: i32, colour: &RGBColor) -> Result<()> {
    area.draw(&Text::new(line.to_owned(), at, (FONT, size).into_font().color(colour)))?;
    Ok(())
}

impl Panel {
    /// Draws into a part of the whole figure.
    fn draw(&self, whole: &Area, area: &Area) -> Result<()> {
        let all = || self.series.iter().flat_map(|s| &s.points);
        let (x, y) = (Ruler::new(&self.x, all().map(|p| p.0)), Ruler::new(&self.y, all().map(|p| p.1)));
        let floor = y.low();
        let names = Names::of(&self.x);
        let x = if names.upright { x.without_texts() } else { x };
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .caption(&self.title, (FONT, 15))
            .x_label_area_size(names.room)
            .y_label_area_size(62)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .bold_line_style(PALE)
            .axis_style(GREY)
            .label_style((FONT, 12))
            .x_label_style((FONT, names.size))
            .axis_desc_style((FONT, 13))
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .draw()?;
        names.draw(whole, &chart, floor)?;
        self.series.iter().try_for_each(|series| series.draw(whole, &mut chart, self, floor))
    }
}

/// How the names along an axis are written so that they do not overlap.
struct Names<'a> {
    names: &'a [String],
    size: i32,
    /// Whether they are written upwards, by [`Names::draw`].
    upright: bool,
    /// Pixels below the axis.
    room: i32,
}

impl<'a> Names<'a> {
    fn of(axis: &'a Axis) -> Self {
        const BESIDE: i32 = 24 + 62;
        let Scale::Named(names) = &axis.scale else {
            return Self { names: &[], size: 12, upright: false, room: 44 };
        };
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as i32;
        let wide = |size: i32| longest * size * 6 / 10 + 2;
        let place = (PANEL.0 - BESIDE) / (names.len() as i32).max(1);
        match [12, 10].into_iter().find(|&size| wide(size) <= place) {
            Some(size) => Self { names, size, upright: false, room: 44 },
            None => Self { names, size: 11, upright: true, room: 34 + wide(11) },
        }
    }

    fn draw(&self, area: &Area, chart: &Chart, floor: f64) -> Result<()> {
        let font = (FONT, self.size).into_font().transform(FontTransform::Rotate270);
        let style = TextStyle::from(font).pos(Pos::new(HPos::Right, VPos::Center));
        for (i, name) in self.names.iter().enumerate().filter(|_| self.upright) {
            let (x, y) = chart.backend_coord(&(i as f64, floor));
            area.draw(&Text::new(name.clone(), (x, y + 8), style.clone()))?;
        }
        Ok(())
    }
}

impl Series {
    fn draw(&self, area: &Area, chart: &mut Chart, panel: &Panel, floor: f64) -> Result<()> {
        let place = |p: &(f64, f64)| Some((panel.x.scale.place(p.0)?, panel.y.scale.place(p.1)?));
        let points: Vec<(f64, f64)> = self.points.iter().filter_map(place).collect();
        let colour = self.look.colour();
        match self.look.kind {
            Kind::Line => {
                chart.draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?;
            }
            Kind::Curve => {
                chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
                return Ok(());
            }
            Kind::Marks => {}
            Kind::DashedLine => {
                chart.draw_series(DashedLineSeries::new(points.clone(), 6, 4, colour.stroke_width(2)))?;
            }
            Kind::Band => {
                let ends = points.first().zip(points.last()).map(|(first, last)| (first.0, last.0));
                if let Some((left, right)) = ends {
                    let top = chart.y_range().end;
                    chart.draw_series([Rectangle::new(
                        [(left, floor), (right, top)],
                        colour.mix(0.25).filled(),
                    )])?;
                    for x in [left, right] {
                        chart.draw_series(LineSeries::new([(x, floor), (x, top)], colour.stroke_width(1)))?;
                    }
                }
                return Ok(());
            }
            Kind::Bar { place, of } => {
                let bar = |&(x, y): &(f64, f64)| {
                    let width = 0.84 / of as f64;
                    let left = x - 0.42 + width * place as f64;
                    Rectangle::new([(left, floor), (left + width, y)], colour.filled())
                };
                chart.draw_series(points.iter().map(bar))?;
                return Ok(());
            }
        }
        let mut last = None;
        for spot in points.iter().map(|p| chart.backend_coord(p)) {
            if last.is_none_or(|last| is_off(last, spot)) {
                self.look.mark(area, spot)?;
                last = Some(spot);
            }
        }
        Ok(())
    }
}

/// Whether a mark is far enough from the last one to be seen.
fn is_off(last: (i32, i32), spot: (i32, i32)) -> bool {
    last.0.abs_diff(spot.0).max(last.1.abs_diff(spot.1)) >= NEXT_MARK
}

impl Look {
    fn colour(self) -> RGBColor {
        COLOURS[self.number % COLOURS.len()]
    }

    /// What the legend shows: a piece of the line with a point, or a block.
    fn sample(self, area: &Area, (x, y): (i32, i32)) -> Result<()> {
        let ends = [(x, y), (x + 30, y)];
        match self.kind {
            Kind::Line => area.draw(&PathElement::new(ends, self.colour().stroke_width(2)))?,
            Kind::Curve => {
                area.draw(&PathElement::new(ends, self.colour().stroke_width(2)))?;
                return Ok(());
            }
            Kind::Marks => {}
            Kind::DashedLine => {
                area.draw(&DashedPathElement::new(ends, 6, 4, self.colour().stroke_width(2)))?;
            }
            Kind::Bar { .. } | Kind::Band => {
                area.draw(&Rectangle::new([(x, y - 6), (x + 30, y + 6)], self.colour().filled()))?;
                return Ok(());
            }
        }
        self.mark(area, (x + 15, y))
    }

    /// The shape at a point of a line.
    fn mark(self, area: &Area, (x, y): (i32, i32)) -> Result<()> {
        let style = self.colour().filled();
        match self.number % 4 {
            0 => area.draw(&Circle::new((x, y), 4, style))?,
            1 => area.draw(&TriangleMarker::new((x, y), 5, style))?,
            2 => area.draw(&Rectangle::new([(x - 3, y - 3), (x + 3, y + 3)], style))?,
            _ => area.draw(&Cross::new((x, y), 4, self.colour().stroke_width(2)))?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(kind: Kind) -> Figure {
        let series = |number, label: &str| Series {
            label: label.to_owned(),
            look: Look { number, kind },
            points: vec![(8.0, 3.0), (16.0, 0.0), (32.0, 12.0)],
        };
        let panel = |title: &str| Panel {
            title: title.to_owned(),
            x: Axis::binary("vertices"),
            y: Axis::decimal("time in ns"),
            series: vec![series(0, "one & only"), series(1, "another")],
        };
        let panels = vec![panel("left"), panel("right"), panel("below")];
        Figure { title: "Title".to_owned(), panels, caption: vec!["caption".to_owned()] }
    }

    /// Numbers behind a name in all tags of a kind.
    fn numbers(svg: &str, tag: &str, name: &str) -> Vec<f64> {
        let (tag, name) = (format!("<{tag} "), format!("{name}=\""));
        let after = svg.split(&tag).skip(1).filter_map(|rest| rest.split_once('>'));
        let found = after.filter_map(|(attributes, _)| attributes.split_once(&name));
        found.filter_map(|(_, value)| value.split('"').next()?.parse().ok()).collect()
    }

    #[test]
    fn losses_are_drawn_below_zero_and_marks_inside_the_panel() {
        let mut figure = figure(Kind::Line);
        for panel in &mut figure.panels {
            (panel.x.scale, panel.y.scale) = (Scale::Linear, Scale::Linear);
            panel.series.truncate(1);
            panel.series[0].points = vec![(0.0, 0.0), (10.0, -0.73), (20.0, 0.1)];
        }
        figure.panels.truncate(1);
        let svg = figure.svg().unwrap();
        let heights = numbers(&svg, "circle", "cy");
        // The legend's mark is the last; the panel ends above its labels and its margin.
        let bottom = f64::from(HEAD + PANEL.1 - 12 - 44);
        assert!(heights.len() == 4 && heights.iter().all(|y| (60.0..=bottom).contains(y)), "{heights:?}");
        assert!(heights[1] > heights[0] + 50.0 && heights[2] < heights[0], "{heights:?}");
        assert!(svg.contains("-0.6\n"), "{svg}");
    }

    #[test]
    fn long_titles_are_in_several_lines_and_many_names_upright() {
        let mut figure = figure(Kind::Bar { place: 0, of: 1 });
        figure.title = "A title that is far too long ".repeat(5);
        figure.panels.truncate(1);
        figure.panels[0].x.scale = Scale::Named((0..12).map(|i| format!("mid-range d c {i}")).collect());
        let svg = figure.svg().unwrap();
        assert_eq!(svg.matches("rotate(270").count(), 13, "{svg}");
        let titles = figure.title();
        assert!(titles.len() > 1 && titles.iter().all(|line| line.chars().count() < 65), "{titles:?}");
    }

    #[test]
    fn titles_axes_and_one_legend_are_drawn() {
        for kind in [
            Kind::Line,
            Kind::Curve,
            Kind::Marks,
            Kind::DashedLine,
            Kind::Band,
            Kind::Bar { place: 0, of: 1 },
        ] {
            let svg = figure(kind).svg().unwrap();
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            let count = |what: &str| svg.matches(what).count();
            assert_eq!((count("Title\n"), count("caption\n"), count("one &amp; only\n")), (1, 1, 1), "{svg}");
            assert_eq!((count("left\n"), count("below\n"), count("time in ns\n")), (1, 1, 3));
        }
    }
}
