//! Which formats there are and how a file shows its own.

use std::ffi::OsStr;
use std::path::Path;

use crate::error::{Cause, one_line};
use crate::{foreign, text};

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
    /// VRML 2.0, text.
    Vrml,
    /// COLLADA, XML; it is read and not written.
    Collada,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 8] =
        [Self::Obj, Self::Stl, Self::Ply, Self::Off, Self::Gltf, Self::Glb, Self::Vrml, Self::Collada];
    /// Every format that is written.
    pub const WRITTEN: [Self; 7] =
        [Self::Obj, Self::Stl, Self::Ply, Self::Off, Self::Gltf, Self::Glb, Self::Vrml];

    /// The name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Obj => "OBJ",
            Self::Stl => "STL",
            Self::Ply => "PLY",
            Self::Off => "OFF",
            Self::Gltf => "glTF",
            Self::Glb => "GLB",
            Self::Vrml => "VRML",
            Self::Collada => "COLLADA",
        }
    }

    /// The usual ending of the format's files, in lower case and without a dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Stl => "stl",
            Self::Ply => "ply",
            Self::Off => "off",
            Self::Gltf => "gltf",
            Self::Glb => "glb",
            Self::Vrml => "wrl",
            Self::Collada => "dae",
        }
    }

    /// The format that belongs to the ending of a name, in upper or lower case, before a `.gz` if there is one.
    ///
    /// # Errors
    /// [`Cause::Foreign`] for formats that are known and not read, [`Cause::UnknownFormat`] for everything else.
    pub fn from_path(path: &Path) -> Result<Self, Cause> {
        let ending = ending_of(&without_gz(path)).unwrap_or_default();
        if let Some(format) = Self::ALL.into_iter().find(|f| f.ending() == ending) {
            return Ok(format);
        }
        // `.wrz` is gzipped VRML.
        if ["vrml", "wrz"].contains(&ending.as_str()) {
            return Ok(Self::Vrml);
        }
        Err(foreign::by_ending(&ending).unwrap_or(Cause::UnknownFormat))
    }

    /// The format that belongs to the name of a file to be written.
    pub(crate) fn to_write(path: &Path) -> Result<Self, Cause> {
        let unwritten =
            |cause| if let Cause::Foreign { what, .. } = cause { Cause::Unwritten { what } } else { cause };
        let format = Self::from_path(path).map_err(unwritten)?;
        if Self::WRITTEN.contains(&format) {
            Ok(format)
        } else {
            Err(Cause::Unwritten { what: format.name() })
        }
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
            Ok(Self::Vrml)
        } else if is_collada(text) {
            Ok(Self::Collada)
        } else {
            Err(foreign::by_content(bytes).unwrap_or(Cause::UnknownFormat))
        }
    }
}

/// Whether a text is XML and names COLLADA near its beginning.
fn is_collada(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let start = &text[..text.len().min(4096)];
    start.starts_with(b"<") && start.windows(8).any(|word| word == b"<COLLADA")
}

/// The format of a file's content, where its ending says another one.
pub(crate) fn misnamed(bytes: &[u8], named: Format) -> Option<Cause> {
    let text = text::decode(&bytes[..bytes.len().min(4096)]);
    let found = match Format::sniff(bytes) {
        Ok(found) => found,
        Err(cause @ Cause::Foreign { .. }) => return Some(cause),
        Err(_) if is_obj(&text) => Format::Obj,
        Err(_) => return None,
    };
    let differs = found != named;
    differs.then(|| Cause::Misnamed { named: named.name(), what: found.name(), ending: found.ending() })
}

/// Whether lines begin as those of an OBJ file do, and none otherwise.
fn is_obj(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 9] = [b"v", b"vn", b"vt", b"f", b"o", b"g", b"s", b"mtllib", b"usemtl"];
    let mut lines = text.split(|b| matches!(b, b'\n' | b'\r')).map(<[u8]>::trim_ascii).peekable();
    let mut statements = 0;
    while let Some(line) = lines.next() {
        let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        // The last line may be cut.
        if line.is_empty() || line.starts_with(b"#") || lines.peek().is_none() {
            continue;
        }
        if !WORDS.contains(&word) {
            return false;
        }
        statements += 1;
    }
    statements > 0
}

/// Whether the name ends in `.gz`.
pub(crate) fn is_gz(path: &Path) -> bool {
    ending_of(path).is_some_and(|ending| ending == "gz")
}

/// The name that a part gets that has none: the file's, without folder, `.gz` and ending.
pub(crate) fn stem(path: &Path) -> String {
    let inner = without_gz(path);
    let stem = inner.file_stem().map(OsStr::to_string_lossy).unwrap_or_default();
    if stem.is_empty() { "mesh".to_owned() } else { one_line(&stem) }
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
        assert_eq!(of("x.wrl.gz"), Ok(Format::Vrml));
        assert_eq!(of("x.WRZ"), Ok(Format::Vrml));
        assert_eq!(of("x.DAE"), Ok(Format::Collada));
        let write = Format::to_write(Path::new("x.dae")).unwrap_err().to_string();
        assert!(write.starts_with("is COLLADA, which is not written; use one of .obj"), "{write}");
        assert!(matches!(of("x.3DXML"), Err(Cause::Foreign { what: "3DXML", .. })));
        assert!(matches!(of("x.3ds"), Err(Cause::Foreign { what: "3D Studio (3DS)", .. })));
        let write = Format::to_write(Path::new("x.step")).unwrap_err().to_string();
        assert!(write.starts_with("is STEP, which is not written; use one of .obj"), "{write}");
        assert_eq!(of("x"), Err(Cause::UnknownFormat));
        assert_eq!(of("x.gz"), Err(Cause::UnknownFormat));
    }

    #[test]
    fn a_file_under_another_ending_is_known() {
        let obj = b"# x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
        assert_eq!(misnamed(obj, Format::Stl).unwrap().to_string(), "is no STL file but OBJ; name it .obj");
        assert_eq!(misnamed(b"v 1 2 3\nhello\nv 2\n", Format::Stl), None);
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
