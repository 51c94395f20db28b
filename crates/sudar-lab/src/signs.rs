//! What is written over the picture of a demo: colours and their meaning, the time of a game, banners, lines.

use egui::{Align2, Color32, FontId, Galley, Painter, Pos2, Rect, Ui, Vec2, pos2, vec2};
use std::sync::Arc;
use sudar_view::Color;

use crate::chart;
use crate::demo::{Banner, Demo};

/// From the edge of the picture, in points.
const EDGE: f32 = 10.0;

/// Side of a square of colour, in points.
const SQUARE: f32 = 11.0;

/// Narrower pictures have no legend: it would hide them.
const NARROW: f32 = 420.0;

/// Writes all of it.
pub fn show(ui: &Ui, rect: Rect, demo: &dyn Demo) {
    let painter = ui.painter_at(rect);
    corner(&painter, rect, &demo.status());
    if rect.width() >= NARROW {
        legend(&painter, rect, &demo.legend());
    }
    if let Some(time) = demo.timer() {
        timer(&painter, rect, time);
    }
    if let Some(words) = demo.banner() {
        banner(&painter, rect, &words);
    }
}

/// Lines in the lower left corner.
fn corner(painter: &Painter, rect: Rect, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let galley = painter.layout(
        lines.join("\n"),
        FontId::proportional(14.0),
        Color32::WHITE,
        (rect.width() - 32.0).max(100.0),
    );
    let at = rect.left_bottom() + vec2(EDGE, -EDGE - galley.size().y);
    put(painter, at, galley);
}

/// A text on a dark ground.
fn put(painter: &Painter, at: Pos2, galley: Arc<Galley>) {
    let behind = Rect::from_min_size(at, galley.size()).expand(6.0);
    painter.rect_filled(behind, 4.0, Color32::from_black_alpha(150));
    painter.galley(at, galley, Color32::WHITE);
}

/// A square of each colour with its meaning, in the upper left corner.
fn legend(painter: &Painter, rect: Rect, colors: &[(Color, &'static str)]) {
    let font = FontId::proportional(13.0);
    let galleys: Vec<(Color, Arc<Galley>)> = colors
        .iter()
        .map(|(color, says)| {
            (*color, painter.layout_no_wrap((*says).to_owned(), font.clone(), Color32::from_gray(225)))
        })
        .collect();
    let Some(widest) = galleys.iter().map(|(_, galley)| galley.size().x).reduce(f32::max) else { return };
    let row = galleys.iter().map(|(_, galley)| galley.size().y).fold(0.0, f32::max) + 2.0;
    let from = rect.left_top() + Vec2::splat(EDGE);
    let size = vec2(SQUARE + 7.0 + widest, row * galleys.len() as f32);
    painter.rect_filled(Rect::from_min_size(from, size).expand(6.0), 4.0, Color32::from_black_alpha(120));
    for (k, (color, galley)) in galleys.into_iter().enumerate() {
        let at = from + vec2(0.0, row * k as f32);
        let square = Rect::from_min_size(at + vec2(0.0, 0.5 * (row - SQUARE)), Vec2::splat(SQUARE));
        painter.rect_filled(square, 2.0, chart::of(color));
        painter.galley(at + vec2(SQUARE + 7.0, 0.0), galley, Color32::WHITE);
    }
}

/// The time of a game at the top.
fn timer(painter: &Painter, rect: Rect, time: String) {
    let size = (0.09 * rect.height()).clamp(22.0, 56.0);
    let galley = painter.layout_no_wrap(time, FontId::proportional(size), Color32::WHITE);
    put(painter, pos2(rect.center().x - 0.5 * galley.size().x, rect.top() + EDGE), galley);
}

/// Words over the middle.
fn banner(painter: &Painter, rect: Rect, words: &Banner) {
    let size = (0.11 * rect.height()).clamp(24.0, 72.0);
    let fonts = [FontId::proportional(size), FontId::proportional((0.4 * size).max(14.0))];
    let wide = (rect.width() - 4.0 * EDGE).max(100.0);
    let mut galleys = vec![painter.layout(words.title.clone(), fonts[0].clone(), Color32::WHITE, wide)];
    let lines = words.lines.iter();
    galleys.extend(lines.map(|line| painter.layout(line.clone(), fonts[1].clone(), Color32::WHITE, wide)));
    let high: f32 = galleys.iter().map(|galley| galley.size().y).sum();
    let across = galleys.iter().map(|galley| galley.size().x).fold(0.0, f32::max);
    let behind =
        Align2::CENTER_CENTER.anchor_size(rect.center(), vec2(across, high)).expand2(vec2(24.0, 14.0));
    painter.rect_filled(behind, 8.0, Color32::from_black_alpha(175));
    let mut top = rect.center().y - 0.5 * high;
    for galley in galleys {
        let at = pos2(rect.center().x - 0.5 * galley.size().x, top);
        top += galley.size().y;
        painter.galley(at, galley, Color32::WHITE);
    }
}
