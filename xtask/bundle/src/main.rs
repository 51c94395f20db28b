//! `sudar-bundle WASM FOLDER`: writes the module that a page imports, and the program beside it.

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut names = std::env::args_os().skip(1);
    let (Some(wasm), Some(folder)) = (names.next(), names.next()) else {
        return Err("two names are needed: sudar-bundle WASM FOLDER".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm).web(true)?.typescript(false);
    // Names and tools say nothing to those who open the page.
    bindgen.remove_name_section(true).remove_producers_section(true).generate(folder)?;
    Ok(())
}
