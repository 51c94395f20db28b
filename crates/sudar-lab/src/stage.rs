//! The picture of a demo within the window: draws it and gathers what the pointer does on it.

use egui::{Align2, Color32, Event, EventFilter, FontId, PointerButton, Rect, Sense, Vec2};
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
fn picture(ui: &egui::Ui, rect: Rect, demo: &mut dyn Demo) {
    paint(ui, rect, scene(demo));
}

/// The same for a place that is too small for texts.
pub fn small_picture(ui: &egui::Ui, rect: Rect, demo: &mut dyn Demo) {
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
pub fn paint(ui: &egui::Ui, rect: Rect, mut scene: Scene) {
    let painter = ui.painter_at(rect);
    let labels = std::mem::take(&mut scene.labels);
    let (camera, aspect) = (scene.camera, f64::from(rect.width() / rect.height().max(1.0)));
    painter.add(canvas::shape(rect, scene));
    let mut written: Vec<Rect> = Vec::new();
    for label in labels {
        let Some([x, y]) = camera.project(label.at, aspect) else { continue };
        let at = rect.center() + 0.5 * rect.size() * Vec2::new(x as f32, -y as f32);
        let galley = painter.layout_no_wrap(label.text, FontId::proportional(13.0), chart::of(label.color));
        let place = Align2::LEFT_BOTTOM.anchor_size(at, galley.size());
        // Of texts over each other none could be read: the first stays.
        if written.iter().any(|other| other.intersects(place)) {
            continue;
        }
        written.push(place);
        let dark = Color32::from_black_alpha(190);
        painter.galley_with_override_text_color(place.min + Vec2::splat(1.0), galley.clone(), dark);
        painter.galley(place.min, galley, Color32::WHITE);
    }
    if let Some(problem) = canvas::problem() {
        painter.text(
            rect.center(),
            Align2::CENTER_CENTER,
            problem,
            FontId::proportional(16.0),
            Color32::WHITE,
        );
    }
}
