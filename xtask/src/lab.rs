//! The laboratory as a page: compiled for the browser, bound to JavaScript, weighed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::console::{cargo, output, root, run, say, target, text, write};

/// The profile that makes it small.
pub const PROFILE: &str = "wasm";
const TARGET: &str = "wasm32-unknown-unknown";
/// Most bytes of the laboratory as a server sends it, compressed: so that it does not grow unseen
/// (docs/decisions/builds.md).
const MOST: u64 = (2 << 20) + (295 << 10);

/// Builds the page of the laboratory in a folder.
pub fn build(out: &Path, profile: &str) -> Result<()> {
    ready()?;
    // A crate type in the manifest would switch off optimisation across crates: it has to stand here.
    let what = ["rustc", "-p", "sudar-lab", "--lib", "--crate-type", "cdylib", "--no-default-features"];
    let how = ["--target", TARGET, "--profile", profile, "--locked"];
    run(cargo().args(what).args(how).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", SIMD))?;
    let wasm = compiled(profile);
    let bundle = ["run", "--quiet", "--locked", "--manifest-path", "xtask/bundle/Cargo.toml", "--target-dir"];
    run(cargo().args(bundle).arg(target().join("bundle")).arg("--").arg(&wasm).arg(out))?;
    write(&out.join("index.html"), include_str!("../page/lab.html"))?;
    weigh(out, profile)
}

/// Every browser has it since 2023; without it kernels are slow.
const SIMD: &str = "-C target-feature=+simd128";

/// Whether everything is there that the build needs.
fn ready() -> Result<()> {
    let root = root();
    if !root.join("crates/sudar-lab/Cargo.toml").is_file() {
        bail!("there is no crate crates/sudar-lab to build");
    }
    let library = output(std::process::Command::new("rustc").current_dir(&root).args([
        "--print",
        "target-libdir",
        "--target",
        TARGET,
    ]))?;
    if !Path::new(library.trim()).is_dir() {
        bail!("the target {TARGET} is not installed; run: rustup target add {TARGET}");
    }
    let lock = |path: &str| text(&root.join(path));
    agree(&lock("Cargo.lock")?, &lock("xtask/bundle/Cargo.lock")?)
}

/// Where cargo puts the program.
fn compiled(profile: &str) -> PathBuf {
    let folder = match profile {
        "dev" | "test" => "debug",
        "bench" => "release",
        named => named,
    };
    target().join(TARGET).join(folder).join("sudar_lab.wasm")
}

/// Program and tool must have the same version of wasm-bindgen, or the page does not load.
fn agree(workspace: &str, bundle: &str) -> Result<()> {
    let (library, tool) = ("wasm-bindgen", "wasm-bindgen-cli-support");
    let used = locked(workspace, library).with_context(|| format!("Cargo.lock has no {library}"))?;
    let made = locked(bundle, tool).with_context(|| format!("xtask/bundle/Cargo.lock has no {tool}"))?;
    if used != made {
        bail!(
            "{library} is {used} in Cargo.lock, {tool} {made} in xtask/bundle: write \"={used}\" into \
             xtask/bundle/Cargo.toml and run: cargo update --manifest-path xtask/bundle/Cargo.toml"
        );
    }
    Ok(())
}

/// The version of a package in the text of a Cargo.lock.
fn locked<'t>(lock: &'t str, package: &str) -> Option<&'t str> {
    let named = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != named);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

/// Says how large the files are, and refuses a laboratory that has grown too large.
fn weigh(folder: &Path, profile: &str) -> Result<()> {
    let mut total = 0;
    for name in ["sudar_lab_bg.wasm", "sudar_lab.js", "index.html"] {
        let path = folder.join(name);
        let bytes = std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let small = gzipped(&bytes)?;
        say(&format!("{name}: {} kB, {} kB compressed", kilo(bytes.len() as u64), kilo(small)));
        total += small;
    }
    allowed(total, profile)
}

fn allowed(total: u64, profile: &str) -> Result<()> {
    if profile == PROFILE && total > MOST {
        bail!("the laboratory has {} kB compressed, at most {} kB are allowed", kilo(total), kilo(MOST));
    }
    Ok(())
}

fn kilo(bytes: u64) -> u64 {
    bytes.div_ceil(1000)
}

fn gzipped(bytes: &[u8]) -> Result<u64> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    std::io::Write::write_all(&mut encoder, bytes)?;
    Ok(encoder.finish()?.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(package: &str, version: &str) -> String {
        format!(
            "version = 4\n\n[[package]]\nname = \"{package}-shared\"\nversion = \"9.0.0\"\n\n\
             [[package]]\nname = \"{package}\"\nversion = \"{version}\"\nsource = \"registry\"\n"
        )
    }

    #[test]
    fn versions_of_program_and_tool_must_agree() {
        let tool = lock("wasm-bindgen-cli-support", "0.2.130");
        assert!(agree(&lock("wasm-bindgen", "0.2.130"), &tool).is_ok());
        let error = agree(&lock("wasm-bindgen", "0.2.131"), &tool).unwrap_err().to_string();
        assert!(error.contains("write \"=0.2.131\" into xtask/bundle/Cargo.toml"), "{error}");
        assert!(!error.contains('\n'));
        assert!(agree("", &tool).unwrap_err().to_string().contains("Cargo.lock has no wasm-bindgen"));
    }

    #[test]
    fn versions_of_this_repository_agree() {
        let lock = |path: &str| text(&root().join(path)).unwrap();
        agree(&lock("Cargo.lock"), &lock("xtask/bundle/Cargo.lock")).unwrap();
    }

    #[test]
    fn only_the_small_profile_is_limited() {
        assert!(allowed(MOST, PROFILE).is_ok() && allowed(MOST + 1, "dev").is_ok());
        assert!(allowed(MOST + 1, PROFILE).unwrap_err().to_string().contains("2400 kB"));
    }

    #[test]
    fn programs_are_where_cargo_puts_them() {
        assert!(compiled("dev").ends_with("wasm32-unknown-unknown/debug/sudar_lab.wasm"));
        assert!(compiled(PROFILE).ends_with("wasm32-unknown-unknown/wasm/sudar_lab.wasm"));
    }

    #[test]
    fn the_page_loads_what_is_built() {
        let page = include_str!("../page/lab.html");
        for part in [
            "./sudar_lab.js",
            "./sudar_lab_bg.wasm",
            "id=\"sudar-lab\"",
            "start('sudar-lab')",
            "webgl2",
            "give(",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert!(page.contains("rel=\"icon\" href=\"data:"), "no request for an icon that is not there");
    }
}
