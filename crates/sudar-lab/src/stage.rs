//! The picture of a demo within the window: draws it and gathers what the pointer does on it.

use egui::{Align2, Event, EventFilter, FontId, PointerButton, Sense, Vec2};
use sudar_view::{Camera, Scene};

use crate::canvas;
use crate::chart;
use crate::demo::Demo;
use crate::input::Input;

/// Wheel points that double the size of things.
const WHEEL: f64 = 240.0;

/// Shows the picture of a demo in the space that is left.
pub fn show(ui: &mut egui::Ui, demo: &mut dyn Demo, input: &mut Input) {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    let filter = EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
    if response.clicked() || ui.memory(|memory| memory.focused().is_none()) {
        response.request_focus();
    }
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let touches = ui.input(egui::InputState::multi_touch);
    let pointer = &mut input.pointer;
    pointer.aspect = f64::from(rect.width() / rect.height().max(1.0));
    pointer.at = response.hover_pos().or(response.interact_pointer_pos()).map(|at| {
        let place = (at - rect.center()) / (0.5 * rect.size());
        [f64::from(place.x), f64::from(-place.y)]
    });
    pointer.down = response.is_pointer_button_down_on();
    pointer.clicked |= response.clicked();
    if let Some(drag) = pointer.fingers {
        (pointer.down, pointer.clicked) = (false, false);
        pointer.drag += drag;
    } else if let Some(touches) = touches {
        pointer.zoom *= f64::from(touches.zoom_delta);
        pointer.pan += Vec2::new(touches.translation_delta.x, -touches.translation_delta.y) / rect.height();
    } else {
        if response.dragged_by(PointerButton::Primary) {
            pointer.drag += response.drag_delta();
        }
        if [PointerButton::Secondary, PointerButton::Middle].into_iter().any(|b| response.dragged_by(b)) {
            pointer.pan += Vec2::new(response.drag_delta().x, -response.drag_delta().y) / rect.height();
        }
        if response.hovered() {
            let wheel = ui.input(|state| state.smooth_scroll_delta().y);
            pointer.zoom *= libm::exp2(f64::from(wheel) / WHEEL);
        }
    }
    let is_caught = demo.catches_mouse();
    ui.input(|state| {
        for event in &state.events {
            if let Event::MouseMoved(by) = event
                && is_caught
            {
                pointer.look += *by;
            }
        }
    });
    picture(ui, rect, demo);
}

/// Draws the picture of a demo into a place of the window, its texts over it.
fn picture(ui: &egui::Ui, rect: egui::Rect, demo: &mut dyn Demo) {
    paint(ui, rect, scene(demo));
}

/// The same for a place that is too small for texts.
pub fn small_picture(ui: &egui::Ui, rect: egui::Rect, demo: &mut dyn Demo) {
    let mut scene = scene(demo);
    scene.labels.clear();
    paint(ui, rect, scene);
}

fn scene(demo: &mut dyn Demo) -> Scene {
    let mut scene = Scene::new(Camera::look_at(sudar::DVec3::NEG_Y, sudar::DVec3::ZERO));
    demo.draw(&mut scene);
    scene
}

/// Draws a scene into a place of the window, its texts over it.
pub fn paint(ui: &egui::Ui, rect: egui::Rect, mut scene: Scene) {
    let painter = ui.painter_at(rect);
    let labels = std::mem::take(&mut scene.labels);
    let (camera, aspect) = (scene.camera, f64::from(rect.width() / rect.height().max(1.0)));
    painter.add(canvas::shape(rect, scene));
    for label in labels {
        if let Some([x, y]) = camera.project(label.at, aspect) {
            let at = rect.center() + 0.5 * rect.size() * Vec2::new(x as f32, -y as f32);
            let (font, text) = (FontId::proportional(13.0), label.text);
            let dark = egui::Color32::from_black_alpha(190);
            painter.text(at + Vec2::splat(1.0), Align2::LEFT_BOTTOM, &text, font.clone(), dark);
            painter.text(at, Align2::LEFT_BOTTOM, &text, font, chart::of(label.color));
        }
    }
    if let Some(problem) = canvas::problem() {
        painter.text(
            rect.center(),
            Align2::CENTER_CENTER,
            problem,
            FontId::proportional(16.0),
            egui::Color32::WHITE,
        );
    }
}

/// Lines in the lower left corner of a picture.
pub fn corner(ui: &egui::Ui, rect: egui::Rect, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let painter = ui.painter_at(rect);
    let galley = painter.layout(
        lines.join("\n"),
        FontId::proportional(14.0),
        egui::Color32::WHITE,
        (rect.width() - 32.0).max(100.0),
    );
    let at = rect.left_bottom() + Vec2::new(10.0, -10.0 - galley.size().y);
    let behind = egui::Rect::from_min_size(at, galley.size()).expand(6.0);
    painter.rect_filled(behind, 4.0, egui::Color32::from_black_alpha(150));
    painter.galley(at, galley, egui::Color32::WHITE);
}
