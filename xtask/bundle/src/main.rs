//! `sudar-bundle WASM FOLDER`: writes the module that a page imports, and the program beside it.

mod likeness;
mod order;

use std::error::Error;
use std::path::Path;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let mut names = std::env::args_os().skip(1);
    let (Some(wasm), Some(folder)) = (names.next(), names.next()) else {
        return Err("two names are needed: sudar-bundle WASM FOLDER".into());
    };
    let (wasm, folder) = (Path::new(&wasm), Path::new(&folder));
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm).web(true)?.typescript(false);
    // Tools say nothing to those who open the page.
    bindgen.remove_producers_section(true).generate(folder)?;
    let mut name = wasm.file_stem().ok_or("the program has no name")?.to_owned();
    name.push("_bg.wasm");
    let written = folder.join(name);
    let ordered = order::by_likeness(&std::fs::read(&written)?)?;
    std::fs::write(&written, ordered)?;
    Ok(())
}
