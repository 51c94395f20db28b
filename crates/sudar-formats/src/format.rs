//! Which formats there are and how a file shows its own.

use std::ffi::OsStr;
use std::path::Path;

use crate::Cause;

/// A file format for meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Wavefront OBJ, text.
    Obj,
    /// Stereolithography, text or binary.
    Stl,
    /// Stanford polygon file, text or binary of either byte order.
    Ply,
    /// Object File Format of Geomview, text.
    Off,
    /// glTF 2.0 as JSON.
    Gltf,
    /// glTF 2.0 as one binary file.
    Glb,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 6] = [Self::Obj, Self::Stl, Self::Ply, Self::Off, Self::Gltf, Self::Glb];
    /// Every ending, as messages list them.
    pub(crate) const ENDINGS: &'static str = "obj .stl .ply .off .gltf .glb";

    /// The usual ending of the format's files, in lower case and without a dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Stl => "stl",
            Self::Ply => "ply",
            Self::Off => "off",
            Self::Gltf => "gltf",
            Self::Glb => "glb",
        }
    }

    /// The format that a name's ending tells, in upper or lower case, before a `.gz` if there is one.
    ///
    /// # Errors
    /// [`Cause::NotYet`] for VRML, X3D and 3DXML, [`Cause::UnknownFormat`] for everything else.
    pub fn from_path(path: &Path) -> Result<Self, Cause> {
        let ending = ending_of(&without_gz(path)).unwrap_or_default();
        if let Some(format) = Self::ALL.into_iter().find(|f| f.ending() == ending) {
            return Ok(format);
        }
        Err(match ending.as_str() {
            "wrl" | "vrml" | "wrz" => Cause::NotYet { what: "VRML" },
            "x3d" | "x3dv" | "x3dz" => Cause::NotYet { what: "X3D" },
            "3dxml" => Cause::NotYet { what: "3DXML" },
            _ => Cause::UnknownFormat,
        })
    }

    /// The format that the first bytes tell, where they tell any.
    pub(crate) fn sniff(bytes: &[u8]) -> Result<Self, Cause> {
        let text = bytes.trim_ascii_start();
        if bytes.starts_with(b"glTF") {
            Ok(Self::Glb)
        } else if text.starts_with(b"{") {
            Ok(Self::Gltf)
        } else if text.starts_with(b"ply") {
            Ok(Self::Ply)
        } else if text.starts_with(b"solid") {
            Ok(Self::Stl)
        } else if [&b"OFF"[..], b"COFF", b"NOFF", b"STOFF"].iter().any(|magic| text.starts_with(magic)) {
            Ok(Self::Off)
        } else if text.starts_with(b"#VRML") {
            Err(Cause::NotYet { what: "VRML" })
        } else {
            Err(Cause::UnknownFormat)
        }
    }
}

/// Whether the name ends in `.gz`.
pub(crate) fn is_gz(path: &Path) -> bool {
    ending_of(path).is_some_and(|ending| ending == "gz")
}

/// The name that a part gets that has none: the file's, without folder, `.gz` and ending.
pub(crate) fn stem(path: &Path) -> String {
    let inner = without_gz(path);
    let stem = inner.file_stem().map(OsStr::to_string_lossy).unwrap_or_default();
    if stem.is_empty() { "mesh".to_owned() } else { crate::error::one_line(&stem) }
}

fn without_gz(path: &Path) -> std::path::PathBuf {
    if is_gz(path) { path.with_extension("") } else { path.to_owned() }
}

fn ending_of(path: &Path) -> Option<String> {
    path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_read_in_any_case_and_through_gz() {
        let of = |name: &str| Format::from_path(Path::new(name));
        assert_eq!(of("a/b.STL"), Ok(Format::Stl));
        assert_eq!(of("bunny.obj.gz"), Ok(Format::Obj));
        assert_eq!(of("x.GLB.GZ"), Ok(Format::Glb));
        assert_eq!(of("x.wrl.gz"), Err(Cause::NotYet { what: "VRML" }));
        assert_eq!(of("x.3DXML"), Err(Cause::NotYet { what: "3DXML" }));
        assert_eq!(of("x"), Err(Cause::UnknownFormat));
        assert_eq!(of("x.gz"), Err(Cause::UnknownFormat));
    }

    #[test]
    fn a_stem_has_neither_folder_nor_endings() {
        assert_eq!(stem(Path::new("a/as1.obj.gz")), "as1");
        assert_eq!(stem(Path::new("a.b.stl")), "a.b");
    }

    #[test]
    fn the_message_lists_every_ending() {
        for format in Format::ALL {
            assert!(Cause::UnknownFormat.to_string().contains(&format!(".{}", format.ending())));
        }
    }
}
