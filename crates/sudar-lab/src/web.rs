//! The laboratory in a browser page.

use eframe::wasm_bindgen::prelude::*;
use eframe::web_sys::{self, HtmlCanvasElement};

use crate::app::{Lab, Link};
use crate::clock::Clock;
use crate::style::{GROUND, set_style};

const KEY: &str = "sudar-lab";

/// Begins the laboratory in the canvas of that id; a link to a demo stands in the address of the page.
///
/// # Errors
/// A text: there is no such canvas, or the browser has no WebGL 2.
#[wasm_bindgen]
pub async fn start(canvas: String) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document());
    let element = document.and_then(|document| document.get_element_by_id(&canvas));
    let missing = || JsValue::from_str(&format!("there is no canvas {canvas:?}"));
    let element: HtmlCanvasElement = element.ok_or_else(missing)?.dyn_into().map_err(|_| missing())?;
    let options = eframe::WebOptions { depth_buffer: 24, ..eframe::WebOptions::default() };
    let make = |context: &eframe::CreationContext<'_>| {
        set_style(&context.egui_ctx);
        let mut lab = Lab::new(Clock(Some(seconds)));
        let kept = storage().and_then(|storage| storage.get_item(KEY).ok()?).unwrap_or_default();
        lab.recall(&kept);
        let mut page = Page { lab, address: String::new(), files: Files::default(), kept, kept_at: 0.0 };
        page.follow();
        if page.address.is_empty() {
            page.lab.greet();
        }
        Ok(Box::new(page) as Box<dyn eframe::App>)
    };
    eframe::WebRunner::new().start(element, options, Box::new(make)).await
}

thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Steps of demos so far: for those who measure.
#[wasm_bindgen]
pub fn steps() -> f64 {
    STEPS.get() as f64
}

fn seconds() -> f64 {
    web_sys::window()
        .and_then(|window| window.performance())
        .map_or(0.0, |performance| performance.now() * 1e-3)
}

#[wasm_bindgen]
extern "C" {
    /// Of the page: the browser saves a file where it saves what is downloaded.
    fn give(name: &str, text: &str);
}

/// Files that were dropped, as far as the browser has read them.
type Files = std::rc::Rc<std::cell::RefCell<Vec<(String, Result<Vec<u8>, String>)>>>;

/// The page's side of the laboratory.
struct Page {
    lab: Lab,
    /// What stood behind the address of the page when it was last looked at.
    address: String,
    files: Files,
    /// What the browser keeps until the next time, and when that was last compared.
    kept: String,
    kept_at: f64,
}

/// What the browser keeps for the page; it may keep nothing. That of eframe keeps more than is wanted, and its parser
/// is a twentieth of the page.
fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

impl Page {
    /// Opens what the address names, when it has changed.
    fn follow(&mut self) {
        let Some(address) = web_sys::window().and_then(|window| window.location().hash().ok()) else {
            return;
        };
        if address == self.address {
            return;
        }
        let link = Link::read(&address);
        self.address = address;
        if let Err(error) = self.lab.go_as_far(&link) {
            self.lab.say(error.to_string());
        }
    }

    /// The address names the demo that is open, so that it can be copied.
    fn name(&mut self) {
        let text = self.lab.link().to_string();
        if text == self.address || (text == "#" && self.address.is_empty()) {
            return;
        }
        let history = web_sys::window().and_then(|window| window.history().ok());
        if history.is_some_and(|h| h.replace_state_with_url(&JsValue::NULL, "", Some(&text)).is_ok()) {
            self.address = text;
        }
    }

    /// Keeps what has changed, every other second.
    fn keep(&mut self) {
        let now = seconds();
        if now < self.kept_at + 2.0 {
            return;
        }
        self.kept_at = now;
        let kept = self.lab.keep();
        if kept != self.kept {
            if let Some(storage) = storage() {
                // A browser that keeps nothing loses nothing but the settings.
                let _ = storage.set_item(KEY, &kept);
            }
            self.kept = kept;
        }
    }

    fn read_files(&mut self, ui: &egui::Ui) {
        for file in ui.input(|state| state.raw.dropped_files.clone()) {
            let files = self.files.clone();
            wasm_bindgen_futures::spawn_local(async move {
                let bytes = file.bytes_async().await;
                files.borrow_mut().push((file.path().display().to_string(), bytes));
            });
        }
        for (name, bytes) in self.files.take() {
            match bytes {
                Ok(bytes) => self.lab.open_file(&name, &bytes),
                Err(problem) => self.lab.say(format!("{name}: {problem}")),
            }
        }
    }
}

impl eframe::App for Page {
    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        GROUND
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        self.follow();
        self.read_files(ui);
        self.lab.frame(ui);
        if let Some((name, text)) = self.lab.file() {
            give(name, &text);
        }
        STEPS.set(self.lab.steps());
        self.name();
        self.keep();
    }
}
