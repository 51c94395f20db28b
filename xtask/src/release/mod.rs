//! What must hold before a release, and what is left for a person to do.

mod checks;
mod order;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::console::{cargo, complain, output, root, run as run_program, say, target};
use crate::{lab, web};
use checks::Tree;

/// Checks a release, packs and builds what it consists of, and lists what a person has to do.
///
/// Nothing is published, tagged or sent anywhere.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Needed: publishing itself is done by a person.
    #[arg(long)]
    dry_run: bool,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    if !args.dry_run {
        bail!("a person publishes; `release --dry-run` checks everything and lists the commands");
    }
    let root = root();
    let tree = Tree::read(&root)?;
    let mut problems = tree.problems();
    problems.extend(checks::unclean(&output(
        Command::new("git").current_dir(&root).args(["status", "--porcelain"]),
    )?));
    let order = order::publishable(&tree);
    problems.extend(order.as_ref().err().cloned());
    for problem in &problems {
        complain(problem);
    }
    let (true, Ok(order)) = (problems.is_empty(), order) else { return Ok(ExitCode::FAILURE) };
    make(&root, &order)?;
    list(&tree, &order, root.join(LAB).is_dir(), &host()?);
    Ok(ExitCode::SUCCESS)
}

const LAB: &str = "crates/sudar-lab";

/// Packs the crates, builds the programs and the site.
fn make(root: &Path, order: &[String]) -> Result<()> {
    // Those that need the others cannot be built from their packages: the others are not in the registry yet.
    let names = order.iter().flat_map(|name| ["-p", name]);
    run_program(cargo().args(["package", "--no-verify", "--locked"]).args(names))?;
    build_command()?;
    build_wheel(root)?;
    let has_lab = root.join(LAB).is_dir();
    if has_lab {
        run_program(cargo().args("build --locked --profile dist --bins -p sudar-lab".split(' ')))?;
        web::build(&web::default_folder(), lab::PROFILE, false)?;
    } else {
        say("the site is left out: there is no crate sudar-lab");
    }
    Ok(())
}

/// The command with all that the one in the wheel has. It needs no library of the system it runs on where the target
/// allows that: Linux and Windows.
fn build_command() -> Result<()> {
    let build = "build --locked --profile dist -p sudar-cli --features arrow --target".split(' ');
    let target = host()?;
    let linked = "-C target-feature=+crt-static";
    // Named by its target, a build has build scripts and macros without these flags.
    run_program(cargo().args(build).arg(&target).env("RUSTFLAGS", linked))
}

/// The wheel for this interpreter's platform, with the command inside.
fn build_wheel(root: &Path) -> Result<()> {
    let wheel = "-m pip wheel --quiet --no-deps --wheel-dir".split(' ');
    run_program(Command::new("python3").current_dir(root).args(wheel).arg(wheels()).arg("."))
}

fn wheels() -> PathBuf {
    target().join("wheels")
}

/// The target that rustc builds for if none is named.
fn host() -> Result<String> {
    let said = output(Command::new("rustc").arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}

/// Prints what a person has to do, in order.
fn list(tree: &Tree, order: &[String], has_lab: bool, host: &str) {
    let version = tree.version();
    say("\nAll is ready. What is left, in this order:\n");
    if tree.is_unnamed() {
        say(&format!("in CHANGELOG.md make [Unreleased] [{version}] with the day, and commit"));
    }
    say(&format!("git tag -a v{version} -m 'Sudar {version}'"));
    for name in order {
        say(&format!("cargo publish --locked -p {name}"));
    }
    say(&format!("git push origin v{version}"));
    let dist = target().join("dist");
    let command = target().join(host).join("dist").join("sudar");
    say(&format!("then attach to the release on the host: {}", command.display()));
    say(&format!("                                        {}", wheels().join("sudar-*.whl").display()));
    if has_lab {
        say(&format!("                                        {}", dist.join("sudar-lab").display()));
        say(&format!("and send the site to its server:        {}", web::default_folder().display()));
    }
}
