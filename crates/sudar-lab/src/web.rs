//! The laboratory in a browser page.

use eframe::wasm_bindgen::prelude::wasm_bindgen;
