//! Draws scenes within windows of `egui`.

use std::cell::RefCell;
use std::sync::Arc;

use egui_glow::{CallbackFn, glow};
use sudar_view::{Gl, GlError, Renderer, Scene, Viewport};

/// A renderer and the context that it is for; why there is none.
type Known = Option<(Arc<glow::Context>, Result<Renderer, GlError>)>;

thread_local! {
    // A renderer belongs to the thread of its context; what `egui` calls back must be fit for any thread.
    static RENDERER: RefCell<Known> = const { RefCell::new(None) };
}

/// A shape that shows a scene.
pub fn shape(rect: egui::Rect, scene: Scene) -> egui::Shape {
    let callback = CallbackFn::new(move |info, painter| {
        let port = info.viewport_in_pixels();
        let viewport = Viewport {
            x: port.left_px,
            y: port.from_bottom_px,
            width: port.width_px,
            height: port.height_px,
        };
        paint(painter.gl(), &scene, viewport);
    });
    egui::PaintCallback { rect, callback: Arc::new(callback) }.into()
}

fn paint(context: &Arc<glow::Context>, scene: &Scene, viewport: Viewport) {
    RENDERER.with_borrow_mut(|known| {
        if known.as_ref().is_none_or(|(of, _)| !Arc::ptr_eq(of, context)) {
            *known = Some((context.clone(), Renderer::new(Gl::new(context.clone()))));
        }
        if let Some((_, Ok(renderer))) = known {
            renderer.paint(scene, viewport);
        }
    });
}

/// Why nothing is drawn, once something should have been.
pub fn problem() -> Option<String> {
    RENDERER.with_borrow(|known| match known {
        Some((_, Err(error))) => Some(error.to_string()),
        _ => None,
    })
}
