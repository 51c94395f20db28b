//! The guide: the pages of the repository as a book, by the program mdbook.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::console::{copy, root, run, say, target, text, write};

/// Builds the book in a folder. False: there is no mdbook, and a line says so.
pub fn build(out: &Path) -> Result<bool> {
    if !is_there("mdbook") {
        say("the guide is left out: there is no mdbook; cargo install mdbook --locked");
        return Ok(false);
    }
    let stage = target().join("guide");
    if stage.is_dir() {
        std::fs::remove_dir_all(&stage).with_context(|| format!("{} cannot be removed", stage.display()))?;
    }
    lay(&stage)?;
    run(Command::new("mdbook").arg("build").arg(&stage))?;
    copy(&stage.join("book"), out, &|_| true)?;
    Ok(true)
}

fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Lays the pages, and what they show and link, as they lie in the repository, so that links stay as they are.
fn lay(stage: &Path) -> Result<()> {
    let root = root();
    let ends = |path: &Path, ending: &str| path.extension().is_some_and(|found| found == ending);
    for name in ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff"] {
        write(&stage.join(name), text(&root.join(name))?)?;
    }
    write(&stage.join("book.toml"), include_str!("../guide/book.toml"))?;
    copy(&root.join("docs"), &stage.join("docs"), &|path| !ends(path, "in"))?;
    copy(&root.join("crates/sudar/examples"), &stage.join("crates/sudar/examples"), &|_| true)?;
    copy(&root.join("crates/sudar-clash/rules"), &stage.join("crates/sudar-clash/rules"), &|_| true)?;
    copy(&root.join("python/examples"), &stage.join("python/examples"), &|_| true)?;
    copy(&root.join("bench/results"), &stage.join("bench/results"), &|_| true)?;
    copy(&root.join("bench/rivals"), &stage.join("bench/rivals"), &|path| ends(path, "md"))?;
    write(&stage.join("bench/README.md"), text(&root.join("bench/README.md"))?)?;
    index(&stage.join("crates/sudar/examples"), "rs", "Examples")?;
    index(&stage.join("crates/sudar-clash/rules"), "toml", "Rules for typical pairs")?;
    index(&stage.join("docs/reproduce"), "csv", "Tables of the papers")?;
    let results = index(&stage.join("bench/results"), "md", "Results")?;
    let chapters = results.iter().map(|[title, name]| format!("  - [{title}](bench/results/{name})\n"));
    let contents = include_str!("../guide/contents.txt");
    write(&stage.join("SUMMARY.md"), format!("{contents}{}", chapters.collect::<String>()))
}

/// Writes the page of a folder that has none, and gives titles and names of the files it lists, the last name first.
fn index(folder: &Path, ending: &str, heading: &str) -> Result<Vec<[String; 2]>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name.ends_with(ending));
    names.sort_by(|a, b| b.cmp(a));
    let titled = |name: String| {
        let content = text(&folder.join(&name))?;
        let first = content.lines().next().unwrap_or_default();
        let is_title = first.starts_with(['#', '/']);
        let title = if is_title { first.trim_start_matches(['#', '/', '!', ' ']) } else { &name };
        Ok([title.to_owned(), name])
    };
    let files = names.into_iter().map(titled).collect::<Result<Vec<_>>>()?;
    let items: String = files.iter().map(|[title, name]| format!("- [{title}]({name})\n")).collect();
    write(&folder.join("README.md"), format!("# {heading}\n\n{items}"))?;
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use super::*;

    /// What links of the form `](target)` name, without what is after `#`; addresses elsewhere left out.
    fn links(page: &str) -> Vec<String> {
        let targets = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let local = targets.filter(|target| {
            !target.starts_with('#') && !target.contains(':') && !target.contains(char::is_whitespace)
        });
        local.map(|target| target.split('#').next().unwrap_or_default().to_owned()).collect()
    }

    fn staged() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        lay(folder.path()).unwrap();
        let path = folder.path().canonicalize().unwrap();
        (folder, path)
    }

    fn chapters(stage: &Path) -> BTreeSet<PathBuf> {
        links(&text(&stage.join("SUMMARY.md")).unwrap()).iter().map(|link| stage.join(link)).collect()
    }

    #[test]
    fn every_page_is_a_chapter() {
        let (_folder, stage) = staged();
        let chapters = chapters(&stage);
        for chapter in &chapters {
            assert!(chapter.is_file(), "contents.txt names {}", chapter.display());
        }
        for folder in ["docs", "docs/history", "docs/decisions", "docs/reproduce", "bench/results"] {
            for entry in std::fs::read_dir(stage.join(folder)).unwrap() {
                let path = entry.unwrap().path();
                let is_page = path.extension().is_some_and(|ending| ending == "md");
                assert!(!is_page || chapters.contains(&path), "{} is not in contents.txt", path.display());
            }
        }
    }

    #[test]
    fn links_lead_to_pages_of_the_book() {
        let (_folder, stage) = staged();
        let chapters = chapters(&stage);
        for chapter in &chapters {
            // The laboratory lies beside the book on the site; a test of its own opens these links.
            for link in links(&text(chapter).unwrap()).into_iter().filter(|link| link != "../../lab/") {
                let target = chapter.parent().unwrap().join(&link);
                let found = target.canonicalize();
                let shown = format!("{} links {link}", chapter.display());
                let found = found.unwrap_or_else(|_| {
                    panic!("{shown}, which the book does not have: lay it in xtask/src/guide.rs")
                });
                assert!(found.starts_with(&stage), "{shown}, outside of the book");
                let page = if found.is_dir() { found.join("README.md") } else { found };
                let is_page = page.extension().is_some_and(|ending| ending == "md");
                assert!(
                    !is_page || chapters.contains(&page),
                    "{shown}, which is no chapter: add it to xtask/guide/contents.txt"
                );
            }
        }
    }
}
