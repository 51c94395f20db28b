//! The window.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::script::Script;
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
    /// What comes besides keys and mouse, and the number of the next frame.
    script: Script,
    frame: u64,
    /// Called with the rows of each frame; whether the window is to close.
    each_frame: F,
}

impl<F: FnMut(&mut Lab) -> bool> Window<F> {
    /// Opens it and runs until it is closed.
    ///
    /// # Errors
    /// Of the window system: no display, no OpenGL.
    pub fn run(mut lab: Lab, size: [f32; 2], script: Script, each_frame: F) -> Result<(), eframe::Error>
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
            Ok(Box::new(Self { lab, script, frame: 0, each_frame }) as Box<dyn eframe::App>)
        };
        eframe::run_native("sudar-lab", options, Box::new(start))
    }
}

impl<F: FnMut(&mut Lab) -> bool> eframe::App for Window<F> {
    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        GROUND
    }

    fn raw_input_hook(&mut self, _: &egui::Context, input: &mut egui::RawInput) {
        input.events.extend(self.script.at(self.frame));
        self.frame += 1;
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
        if let Some((name, text)) = self.lab.file() {
            let said = match write_new(Path::new(""), name, &text) {
                Ok(path) => format!("{} is written", path.display()),
                Err(problem) => format!("{name}: {problem}"),
            };
            self.lab.say(said);
        }
        if (self.each_frame)(&mut self.lab) {
            ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        storage.set_string(KEY, self.lab.keep());
    }
}

/// Writes a file of that name, or with a number in it where there are others: nothing is overwritten.
fn write_new(folder: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    let (stem, ending) = name.split_once('.').unwrap_or((name, "txt"));
    let names = std::iter::once(name.to_owned()).chain((2..100).map(|k| format!("{stem}-{k}.{ending}")));
    for path in names.map(|name| folder.join(name)) {
        match File::create_new(&path) {
            Ok(mut file) => return file.write_all(text.as_bytes()).map(|()| path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(ErrorKind::AlreadyExists, "a hundred of them are there already"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        for (text, name) in [("a", "pair.jsonl"), ("b", "pair-2.jsonl"), ("c", "pair-3.jsonl")] {
            assert_eq!(write_new(folder.path(), "pair.jsonl", text).unwrap(), folder.path().join(name));
            assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), text);
        }
        assert!(write_new(&folder.path().join("none"), "pair.jsonl", "a").is_err());
    }
}
