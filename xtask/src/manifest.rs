//! What a Cargo.toml says, as far as a release asks: sections, keys and the text of their values, a line each.

/// The lines of a manifest.
#[derive(Debug, Default)]
pub struct Manifest {
    /// Section, key and value.
    entries: Vec<[String; 3]>,
}

impl Manifest {
    /// Reads the text of a manifest. Values that go on over several lines are known by their first one.
    pub fn parse(text: &str) -> Self {
        let mut section = String::new();
        let mut entries = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
                name.trim_matches('[').clone_into(&mut section);
            } else if let Some((key, value)) = line.split_once('=') {
                entries.push([section.clone(), key.trim().to_owned(), value.trim().to_owned()]);
            }
        }
        Self { entries }
    }

    /// The value of a key as it is written, quotation marks included.
    pub fn raw(&self, section: &str, key: &str) -> Option<&str> {
        self.entries.iter().find(|[s, k, _]| s == section && k == key).map(|[.., value]| value.as_str())
    }

    /// The text of a key.
    pub fn text(&self, section: &str, key: &str) -> Option<&str> {
        self.raw(section, key).and_then(unquoted)
    }

    /// The text of a key of the package, which may be that of the whole workspace.
    pub fn package<'t>(&'t self, workspace: &'t Self, key: &str) -> Option<&'t str> {
        match self.raw("package", &format!("{key}.workspace")) {
            Some("true") => workspace.text("workspace.package", key),
            _ => self.text("package", key),
        }
    }

    /// Names and specifications of what the package needs, for its tests too.
    pub fn dependencies(&self) -> impl Iterator<Item = (&str, &str)> {
        let of = |section: &str| section == "dependencies" || section.ends_with("-dependencies");
        let anywhere = move |section: &str| of(section) || section.ends_with(".dependencies");
        let all = self.entries.iter().filter(move |[section, ..]| anywhere(section));
        all.map(|[_, key, value]| (key.split('.').next().unwrap_or(key), value.as_str()))
    }
}

/// The version in a specification such as `{ path = "…", version = "0.1.0" }`, if it is one.
pub fn version(specification: &str) -> Option<&str> {
    let rest = specification.split("version = ").nth(1)?;
    rest.strip_prefix('"')?.split('"').next()
}

fn unquoted(value: &str) -> Option<&str> {
    value.strip_prefix('"')?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        # name = "comment"
        [package]
        name = "a"   # its name
        version.workspace = true
        license = "MIT"
        [dependencies]
        b.workspace = true
        c = { path = "../c", version = "0.2.0" }
        [target.'cfg(unix)'.dependencies]
        d = "1"
        [dev-dependencies]
        e = { path = "../e" }
        [[bin]]
        name = "x"
    "#;

    #[test]
    fn keys_are_found_in_their_sections() {
        let workspace = Manifest::parse("[workspace.package]\nversion = \"1.2.3\"\n");
        let manifest = Manifest::parse(TEXT);
        assert_eq!(manifest.package(&workspace, "name"), Some("a"));
        assert_eq!(manifest.package(&workspace, "version"), Some("1.2.3"));
        assert_eq!(manifest.package(&workspace, "license"), Some("MIT"));
        assert_eq!(manifest.package(&workspace, "publish"), None);
        assert_eq!(manifest.text("bin", "name"), Some("x"));
        assert_eq!(manifest.package(&Manifest::default(), "version"), None);
    }

    #[test]
    fn dependencies_of_every_kind_are_listed() {
        let manifest = Manifest::parse(TEXT);
        let names: Vec<&str> = manifest.dependencies().map(|(name, _)| name).collect();
        assert_eq!(names, ["b", "c", "d", "e"]);
        let versions: Vec<_> = manifest.dependencies().map(|(_, value)| version(value)).collect();
        assert_eq!(versions, [None, Some("0.2.0"), None, None]);
    }
}
