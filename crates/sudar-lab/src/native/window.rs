//! The window.

use crate::app::Lab;
use crate::clock::Clock;
use crate::style::{GROUND, set_style};

const KEY: &str = "sudar-lab";

/// A clock for measurements.
pub fn clock() -> Clock {
    fn seconds() -> f64 {
        static START: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        START.elapsed().as_secs_f64()
    }
    Clock(Some(seconds))
}

/// The window's side of the laboratory.
pub struct Window<F> {
    lab: Lab,
    /// Called with the rows of each frame; whether the window is to close.
    each_frame: F,
}

impl<F: FnMut(&mut Lab) -> bool> Window<F> {
    /// Opens it and runs until it is closed.
    ///
    /// # Errors
    /// Of the window system: no display, no OpenGL.
    pub fn run(mut lab: Lab, size: [f32; 2], each_frame: F) -> Result<(), eframe::Error>
    where
        F: 'static,
    {
        let options = eframe::NativeOptions {
            viewport: egui::ViewportBuilder::default().with_inner_size(size).with_title("Sudar laboratory"),
            depth_buffer: 24,
            ..eframe::NativeOptions::default()
        };
        let start = move |context: &eframe::CreationContext<'_>| {
            set_style(&context.egui_ctx);
            if let Some(text) = context.storage.and_then(|storage| storage.get_string(KEY)) {
                lab.recall(&text);
            }
            Ok(Box::new(Self { lab, each_frame }) as Box<dyn eframe::App>)
        };
        eframe::run_native("sudar-lab", options, Box::new(start))
    }
}

impl<F: FnMut(&mut Lab) -> bool> eframe::App for Window<F> {
    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        GROUND
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let dropped = ui.input(|state| state.raw.dropped_files.clone());
        for file in dropped {
            let name = file.path().display().to_string();
            match file.bytes() {
                Ok(bytes) => self.lab.open_file(&name, &bytes),
                Err(problem) => self.lab.say(format!("{name}: {problem}")),
            }
        }
        self.lab.frame(ui);
        if (self.each_frame)(&mut self.lab) {
            ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        storage.set_string(KEY, self.lab.keep());
    }
}
