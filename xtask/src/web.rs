//! The web site: the laboratory in the browser, the guide, and the documentation of the crates.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use crate::console::{cargo, copy, run as run_program, say, target, write};
use crate::{guide, lab, serve};

/// Builds the web site: the laboratory, the guide, and the documentation of the crates.
///
/// The guide needs the program mdbook and is left out without it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Serve the site on this machine afterwards, until interrupted.
    #[arg(long)]
    serve: bool,
    /// The port to serve on.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// The folder of the site [default: target/site].
    #[arg(long)]
    out: Option<PathBuf>,
    /// The cargo profile of the laboratory. Its size is limited with this one alone.
    #[arg(long, default_value = lab::PROFILE)]
    profile: String,
    /// Build the laboratory and nothing else.
    #[arg(long)]
    lab_only: bool,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let out = args.out.clone().unwrap_or_else(default_folder);
    build(&out, &args.profile, args.lab_only)?;
    if args.serve {
        serve::forever(&out, args.port)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the site is if nothing else is said.
pub fn default_folder() -> PathBuf {
    target().join("site")
}

/// Builds the site, or its laboratory alone. What lies in the folder besides is left as it is.
pub fn build(out: &Path, profile: &str, lab_only: bool) -> Result<()> {
    lab::build(&out.join("lab"), profile)?;
    let mut parts = vec![LAB];
    if !lab_only {
        if guide::build(&out.join("guide"))? {
            parts.push(GUIDE);
        }
        document(&out.join("api"))?;
        parts.push(API);
    }
    write(&out.join("laboratory.png"), PICTURE)?;
    write(&out.join("index.html"), front(&parts))?;
    say(&format!("the site is in {}", out.display()));
    Ok(())
}

/// What the front page shows; docs/laboratory.md has the command that makes it.
const PICTURE: &[u8] = include_bytes!("../../docs/laboratory.png");

/// The documentation of every crate of the workspace.
fn document(out: &Path) -> Result<()> {
    run_program(cargo().args(["doc", "--workspace", "--no-deps", "--locked"]))?;
    let lock = |path: &Path| path.file_name().is_some_and(|name| name == ".lock");
    copy(&target().join("doc"), out, &|path| !lock(path))
}

/// A part of the site on its front page.
#[derive(Clone, Copy)]
struct Part {
    link: &'static str,
    name: &'static str,
    about: &'static str,
}

const LAB: Part = Part {
    link: "lab/",
    name: "Laboratory",
    about: "Bodies to move with the mouse, classic algorithms at work, rigid bodies. It runs in this browser.",
};
const GUIDE: Part = Part {
    link: "guide/docs/guide.html",
    name: "Guide",
    about: "What to call for which task, in Rust and on the command line; how it works, and why it is so.",
};
const API: Part = Part {
    link: "api/sudar/index.html",
    name: "Documentation of the crates",
    about: "Every public item of the library and of the crates around it.",
};

/// The front page: what the site has.
fn front(parts: &[Part]) -> String {
    let item = |part: &Part| {
        format!("    <li><a href=\"{}\">{}</a><p>{}</p></li>\n", part.link, part.name, part.about)
    };
    include_str!("../page/front.html")
        .replace("<!-- parts -->", parts.iter().map(item).collect::<String>().trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_page_links_what_there_is() {
        let page = front(&[LAB, API]);
        assert!(page.contains("href=\"lab/\"") && page.contains("href=\"api/sudar/index.html\""));
        assert!(!page.contains("guide/") && !page.contains("<!-- parts -->"));
        assert!(page.contains("rel=\"icon\" href=\"data:"));
        assert!(page.contains("src=\"laboratory.png\"") && PICTURE.starts_with(b"\x89PNG"));
    }

    #[test]
    fn the_guide_begins_where_the_front_page_links() {
        assert!(crate::console::root().join("docs/guide.md").is_file());
    }
}
