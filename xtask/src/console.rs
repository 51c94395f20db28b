//! The repository, other programs, and what people get to see.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Prints a line.
pub fn say(line: &str) {
    // Where nothing can be printed, the exit status has to do.
    let _ = writeln!(io::stdout(), "{line}");
}

/// Prints an error of one line.
pub fn complain(what: &str) {
    let _ = writeln!(io::stderr(), "xtask: {}", what.replace('\n', " "));
}

/// The folder of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The folder that cargo builds in.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |named| root().join(named))
}

/// The cargo that runs this, in the folder of the repository.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a program that must succeed, after a line that says which.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    say(&format!("> {shown}"));
    let status = command.status().with_context(|| format!("{shown} cannot be started"))?;
    if !status.success() {
        bail!("{shown} ended with {status}");
    }
    Ok(())
}

/// What a program prints, which must succeed.
pub fn output(command: &mut Command) -> Result<String> {
    let shown = shown(command);
    let output = command.output().with_context(|| format!("{shown} cannot be started"))?;
    if !output.status.success() {
        bail!("{shown} ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words: Vec<OsString> =
        std::iter::once(program).chain(command.get_args()).map(OsString::from).collect();
    words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// The text of a file.
pub fn text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}

/// Writes a file and the folders that it needs.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    let cannot = || format!("{} cannot be written", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(cannot)?;
    }
    std::fs::write(path, bytes).with_context(cannot)
}

/// Copies the files of a folder and of those in it for which `wanted` is true. Links are followed.
pub fn copy(from: &Path, to: &Path, wanted: &dyn Fn(&Path) -> bool) -> Result<()> {
    let unread = || format!("{} cannot be read", from.display());
    std::fs::create_dir_all(to).with_context(|| format!("{} cannot be made", to.display()))?;
    for entry in std::fs::read_dir(from).with_context(unread)? {
        let path = entry.with_context(unread)?.path();
        let Some(name) = path.file_name() else { continue };
        if path.is_dir() {
            copy(&path, &to.join(name), wanted)?;
        } else if wanted(&path) {
            std::fs::copy(&path, to.join(name))
                .with_context(|| format!("{} cannot be copied", path.display()))?;
        }
    }
    Ok(())
}
