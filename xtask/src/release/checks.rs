//! What is wrong with a release, one line each.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::console::text;
use crate::manifest::{Manifest, version};

const LICENCE: &str = "MIT OR Apache-2.0";
const UNRELEASED: &str = "## [Unreleased]";
const LICENCE_FILES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// A crate of the workspace.
#[derive(Debug)]
pub struct Crate {
    pub name: String,
    pub manifest: Manifest,
    folder: PathBuf,
}

/// The repository.
#[derive(Debug)]
pub struct Tree {
    root: PathBuf,
    workspace: Manifest,
    crates: Vec<Crate>,
}

impl Tree {
    /// Reads the manifests of the folder `crates`.
    pub fn read(root: &Path) -> Result<Self> {
        let workspace = Manifest::parse(&text(&root.join("Cargo.toml"))?);
        let mut crates = Vec::new();
        for entry in fs::read_dir(root.join("crates")).context("the folder crates cannot be read")? {
            let folder = entry?.path();
            if folder.join("Cargo.toml").is_file() {
                let manifest = Manifest::parse(&text(&folder.join("Cargo.toml"))?);
                let name = manifest.text("package", "name").unwrap_or_default().to_owned();
                crates.push(Crate { name, manifest, folder });
            }
        }
        crates.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { root: root.to_owned(), workspace, crates })
    }

    /// The version of the workspace.
    pub fn version(&self) -> String {
        self.workspace.text("workspace.package", "version").unwrap_or_default().to_owned()
    }

    /// The crates that are published.
    pub fn published(&self) -> impl Iterator<Item = &Crate> {
        self.crates.iter().filter(|one| one.manifest.raw("package", "publish") != Some("false"))
    }

    /// What is asked of a dependency: `value`, or what the workspace asks where that is meant.
    pub fn specification<'t>(&'t self, name: &str, value: &'t str) -> &'t str {
        let is_shared = value == "true" || value.contains("workspace = true");
        if is_shared { self.workspace.raw("workspace.dependencies", name).unwrap_or(value) } else { value }
    }

    /// Everything that is wrong with the files.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = self.shared_versions();
        problems.extend(self.published().flat_map(|one| self.package(one)));
        problems.extend(self.published().flat_map(|one| self.dependencies(one)));
        problems.extend(self.published().flat_map(|one| licences(&one.folder, &one.name)));
        problems.extend(licences(&self.root, "the repository"));
        problems.extend(self.changelog());
        problems.extend(self.citation());
        problems
    }

    /// The workspace names its own crates with its own version.
    fn shared_versions(&self) -> Vec<String> {
        let wanted = self.version();
        let asked = |one: &Crate| {
            version(self.workspace.raw("workspace.dependencies", &one.name)?).map(str::to_owned)
        };
        let wrong =
            self.published().filter_map(|one| Some((one, asked(one)?))).filter(|(_, asked)| *asked != wanted);
        wrong
            .map(|(one, asked)| {
                format!("Cargo.toml: asks for {} {asked}, the version is {wanted}; make them equal", one.name)
            })
            .collect()
    }

    /// Version, licence and description of a crate.
    fn package(&self, one: &Crate) -> Vec<String> {
        let (name, wanted) = (&one.name, self.version());
        let of = |key| one.manifest.package(&self.workspace, key);
        let mut problems = Vec::new();
        if of("version") != Some(wanted.as_str()) {
            let found = of("version").unwrap_or("none");
            problems.push(format!(
                "{name}: has version {found}, the workspace {wanted}; write version.workspace = true"
            ));
        }
        // What a crate brings from elsewhere may add terms of its own.
        let more = format!("({LICENCE}) AND ");
        if !of("license").is_some_and(|found| found == LICENCE || found.starts_with(&more)) {
            let found = of("license").unwrap_or("none");
            problems
                .push(format!("{name}: has licence {found}, not {LICENCE}; write license.workspace = true"));
        }
        if of("description").is_none_or(str::is_empty) {
            problems
                .push(format!("{name}: has no description, without which no registry takes it; write one"));
        }
        problems
    }

    /// What a crate needs must be there for everybody: a path alone is not.
    fn dependencies(&self, one: &Crate) -> Vec<String> {
        let ours = |name: &str| self.crates.iter().find(|other| other.name == name);
        let of_tests = |name: &str| one.manifest.raw("dev-dependencies", name).is_some();
        let mut problems = Vec::new();
        for (name, value) in one.manifest.dependencies() {
            let Some(other) = ours(name) else { continue };
            let has_version = version(self.specification(name, value)).is_some();
            let is_published = self.published().any(|published| published.name == other.name);
            if has_version && !is_published {
                problems.push(format!(
                    "{}: needs {name} by its version, which is not published; name its path alone",
                    one.name
                ));
            } else if !has_version && !of_tests(name) && !of_tests(&format!("{name}.workspace")) {
                problems
                    .push(format!("{}: needs {name} by its path; write {name}.workspace = true", one.name));
            }
        }
        problems
    }

    /// The changelog has something to say about the version, or about what is not released.
    fn changelog(&self) -> Option<String> {
        let version = format!("## [{}]", self.version());
        let Some((heading, is_empty)) =
            [version.as_str(), UNRELEASED].into_iter().find_map(|of| Some((of, self.is_empty_section(of)?)))
        else {
            return Some(format!("CHANGELOG.md: has no section {version}; write one"));
        };
        is_empty.then(|| format!("CHANGELOG.md: section {heading} is empty; say what changed"))
    }

    /// Whether the section of the changelog says nothing; none if there is no such section.
    fn is_empty_section(&self, heading: &str) -> Option<bool> {
        let text = fs::read_to_string(self.root.join("CHANGELOG.md")).unwrap_or_default();
        let mut section = text.lines().skip_while(|line| !line.starts_with(heading));
        section.next()?;
        Some(section.take_while(|line| !line.starts_with("## ")).all(|line| line.trim().is_empty()))
    }

    /// Whether the changelog has not given the version its name yet.
    pub fn is_unnamed(&self) -> bool {
        self.is_empty_section(&format!("## [{}]", self.version())).is_none()
    }

    fn citation(&self) -> Option<String> {
        let text = fs::read_to_string(self.root.join("CITATION.cff")).unwrap_or_default();
        let found =
            text.lines().find_map(|line| line.strip_prefix("version: ")).unwrap_or("none").trim_matches('"');
        let wanted = self.version();
        (found != wanted)
            .then(|| format!("CITATION.cff: has version {found}, the workspace {wanted}; make them equal"))
    }
}

fn licences(folder: &Path, of: &str) -> Vec<String> {
    let is_there =
        |name: &str| fs::metadata(folder.join(name)).is_ok_and(|found| found.is_file() && found.len() > 0);
    let missing = LICENCE_FILES.into_iter().filter(|name| !is_there(name));
    missing.map(|name| format!("{of}: has no file {name}; link the one of the repository")).collect()
}

/// What `git status --porcelain` says against a release.
pub fn unclean(status: &str) -> Option<String> {
    let lines = status.lines().count();
    let first = status.lines().next()?;
    Some(format!(
        "git: {lines} files differ from the last commit ({}, …); commit or remove them",
        first.trim()
    ))
}

#[cfg(test)]
mod tests {
    use super::super::order::publishable;
    use super::*;

    const ROOT: &str = "[workspace.package]\nversion = \"1.0.0\"\nlicense = \"MIT OR Apache-2.0\"\n\
        [workspace.dependencies]\nbase = { path = \"crates/base\", version = \"1.0.0\" }\n\
        tests = { path = \"crates/tests\" }\nz-top = { path = \"crates/z-top\", version = \"1.0.0\" }\n";
    const PACKAGE: &str = "version.workspace = true\nlicense.workspace = true\ndescription = \"x\"\n";

    /// A repository with nothing wrong, changed by writing files of it anew.
    fn tree(changes: &[(&str, &str)]) -> (tempfile::TempDir, Tree) {
        let folder = tempfile::tempdir().unwrap();
        let package = |name: &str, more: &str| format!("[package]\nname = \"{name}\"\n{PACKAGE}{more}");
        let mut files = vec![
            ("Cargo.toml".to_owned(), ROOT.to_owned()),
            ("CHANGELOG.md".to_owned(), "# C\n## [1.0.0]\n\nAll.\n\n## [0.9.0]\n".to_owned()),
            ("CITATION.cff".to_owned(), "cff-version: 1.2.0\nversion: 1.0.0\n".to_owned()),
            (
                "crates/z-top/Cargo.toml".to_owned(),
                package("z-top", "[dev-dependencies]\ntests.workspace = true\n"),
            ),
            (
                "crates/base/Cargo.toml".to_owned(),
                package("base", "[dependencies]\nz-top.workspace = true\n"),
            ),
            (
                "crates/tests/Cargo.toml".to_owned(),
                "[package]\nname = \"tests\"\npublish = false\n".to_owned(),
            ),
        ];
        for home in ["", "crates/base/", "crates/z-top/"] {
            files.extend(LICENCE_FILES.map(|name| (format!("{home}{name}"), "text".to_owned())));
        }
        files.extend(changes.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())));
        for (name, text) in files {
            crate::console::write(&folder.path().join(name), text).unwrap();
        }
        let tree = Tree::read(folder.path()).unwrap();
        (folder, tree)
    }

    /// The one problem of a repository that is changed so.
    fn problem(changes: &[(&str, &str)]) -> String {
        let problems = tree(changes).1.problems();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(!problems[0].contains('\n'));
        problems[0].clone()
    }

    #[test]
    fn a_good_repository_has_no_problems() {
        let (_folder, tree) = tree(&[]);
        assert_eq!(tree.problems(), Vec::<String>::new());
        assert_eq!(
            publishable(&tree),
            Ok(vec!["z-top".to_owned(), "base".to_owned()]),
            "what is needed comes first"
        );
    }

    #[test]
    fn every_crate_has_the_version_of_the_workspace() {
        let other = "[package]\nname = \"base\"\nversion = \"0.9.0\"\nlicense.workspace = true\ndescription = \"x\"\n";
        assert!(
            problem(&[("crates/base/Cargo.toml", other)])
                .starts_with("base: has version 0.9.0, the workspace 1.0.0")
        );
        let asked = ROOT.replace("crates/base\", version = \"1.0.0\"", "crates/base\", version = \"0.9.0\"");
        assert!(problem(&[("Cargo.toml", &asked)]).starts_with("Cargo.toml: asks for base 0.9.0"));
    }

    #[test]
    fn licences_are_named_and_enclosed() {
        let other = format!(
            "[package]\nname = \"base\"\n{}",
            PACKAGE.replace("license.workspace = true", "license = \"MIT\"")
        );
        assert!(problem(&[("crates/base/Cargo.toml", &other)]).starts_with("base: has licence MIT, not"));
        let with_font = other.replace("\"MIT\"", "\"(MIT OR Apache-2.0) AND Ubuntu-font-1.0\"");
        assert!(tree(&[("crates/base/Cargo.toml", &with_font)]).1.problems().is_empty());
        assert!(problem(&[("crates/base/LICENSE-MIT", "")]).starts_with("base: has no file LICENSE-MIT"));
        assert!(problem(&[("LICENSE-APACHE", "")]).starts_with("the repository: has no file LICENSE-APACHE"));
    }

    #[test]
    fn registries_want_a_description() {
        let other = format!("[package]\nname = \"base\"\n{}", PACKAGE.replace("description = \"x\"", ""));
        assert!(problem(&[("crates/base/Cargo.toml", &other)]).starts_with("base: has no description"));
    }

    #[test]
    fn what_is_needed_can_be_had() {
        let with = |more: &str| format!("[package]\nname = \"base\"\n{PACKAGE}[dependencies]\n{more}");
        let by_path = with("z-top = { path = \"../z-top\" }\n");
        assert!(
            problem(&[("crates/base/Cargo.toml", &by_path)]).starts_with("base: needs z-top by its path")
        );
        let unpublished = with("tests = { path = \"../tests\", version = \"1.0.0\" }\n");
        assert!(
            problem(&[("crates/base/Cargo.toml", &unpublished)])
                .starts_with("base: needs tests by its version")
        );
    }

    #[test]
    fn the_changelog_tells_of_the_version() {
        assert!(problem(&[("CHANGELOG.md", "# C\n")]).contains("no section ## [1.0.0]"));
        assert!(problem(&[("CHANGELOG.md", "## [Unreleased]\n\n")]).contains("[Unreleased] is empty"));
        let (_folder, unnamed) = tree(&[("CHANGELOG.md", "## [Unreleased]\nx\n")]);
        assert!(unnamed.problems().is_empty() && unnamed.is_unnamed());
        assert!(!tree(&[]).1.is_unnamed());
        assert!(problem(&[("CHANGELOG.md", "## [1.0.0]\n\n## [0.9.0]\nx\n")]).contains("is empty"));
    }

    #[test]
    fn the_citation_names_the_version() {
        assert!(
            problem(&[("CITATION.cff", "version: 0.9.0\n")]).starts_with("CITATION.cff: has version 0.9.0")
        );
    }

    #[test]
    fn all_problems_are_told() {
        let (_folder, tree) = tree(&[("CHANGELOG.md", ""), ("CITATION.cff", ""), ("LICENSE-MIT", "")]);
        assert_eq!(tree.problems().len(), 3);
    }

    #[test]
    fn crates_that_need_each_other_have_no_order() {
        let other =
            format!("[package]\nname = \"z-top\"\n{PACKAGE}[dev-dependencies]\nbase.workspace = true\n");
        let (_folder, tree) = tree(&[("crates/z-top/Cargo.toml", &other)]);
        assert!(publishable(&tree).unwrap_err().starts_with("base, z-top need each other"));
    }

    #[test]
    fn the_tree_must_be_clean() {
        assert_eq!(unclean(""), None);
        assert!(unclean(" M README.md\n?? x\n").unwrap().starts_with("git: 2 files differ"));
    }

    #[test]
    fn this_repository_can_be_published_in_order() {
        let tree = Tree::read(&crate::console::root()).unwrap();
        let order = publishable(&tree).unwrap();
        assert_eq!(order.first().map(String::as_str), Some("sudar"));
        assert!(!order.contains(&"sudar-testing".to_owned()));
    }
}
