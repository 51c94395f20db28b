//! Formats that are known by their ending or contents, and not read: which they are, and which free program
//! converts them.

use crate::error::Cause;

const BLENDER: &str = "Blender (free)";
const FREECAD: &str = "FreeCAD (free)";
const IFC: (&str, &str) = ("IFC", "IfcConvert of IfcOpenShell (free)");
const STEP: (&str, &str) = ("STEP", FREECAD);
const IGES: (&str, &str) = ("IGES", FREECAD);
const THREE_MF: (&str, &str) = ("3MF", "PrusaSlicer --export-stl or trimesh (free)");
const FBX: (&str, &str) = ("FBX", "FBX2glTF (free) or Blender (free)");
const URDF: (&str, &str) = ("URDF", "yourdfpy (free), or read the mesh files that it names");
const X3D: (&str, &str) = ("X3D", BLENDER);
const THREE_DXML: (&str, &str) = ("3DXML", "trimesh (free)");
const USD: (&str, &str) = ("USD", BLENDER);
const BLEND: (&str, &str) = ("a Blender scene", BLENDER);
const BREP: (&str, &str) = ("an OpenCASCADE shape (BREP)", FREECAD);
const THREE_DS: (&str, &str) = ("3D Studio (3DS)", "the assimp command (free) or Blender up to 2.79 (free)");
const DXF: (&str, &str) = ("DXF", "FreeCAD (free) or Blender (free)");

fn foreign((what, with): (&'static str, &'static str)) -> Cause {
    Cause::Foreign { what, with }
}

/// By the ending in lower case.
pub(crate) fn by_ending(ending: &str) -> Option<Cause> {
    Some(foreign(match ending {
        "ifc" | "ifczip" | "ifcxml" => IFC,
        "step" | "stp" | "p21" => STEP,
        "iges" | "igs" => IGES,
        "3mf" => THREE_MF,
        "fbx" => FBX,
        "urdf" | "xacro" => URDF,
        "x3d" | "x3dv" | "x3dz" => X3D,
        "3dxml" => THREE_DXML,
        "usd" | "usda" | "usdc" | "usdz" => USD,
        "blend" => BLEND,
        "brep" | "brp" => BREP,
        "3ds" => THREE_DS,
        "dxf" => DXF,
        _ => return None,
    }))
}

/// By the first bytes.
pub(crate) fn by_content(bytes: &[u8]) -> Option<Cause> {
    let start = &bytes[..bytes.len().min(4096)];
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let has = |word: &[u8]| start.windows(word.len()).any(|w| w.eq_ignore_ascii_case(word));
    Some(foreign(if text.starts_with(b"ISO-10303-21") {
        if has(b"IFC2X") || has(b"'IFC4") { IFC } else { STEP }
    } else if is_iges(bytes) {
        IGES
    } else if text.starts_with(b"<") && has(b"<robot") {
        URDF
    } else if text.starts_with(b"#X3D") || (text.starts_with(b"<") && has(b"<X3D")) {
        X3D
    } else if start.starts_with(b"Kaydara FBX Binary") || text.starts_with(b"; FBX") {
        FBX
    } else if start.starts_with(b"PK\x03\x04") && (has(b"3D/3dmodel.model") || has(b"[Content_Types].xml")) {
        THREE_MF
    } else if start.starts_with(b"PXR-USDC") || text.starts_with(b"#usda") {
        USD
    } else if start.starts_with(b"BLENDER") {
        BLEND
    } else if text.starts_with(b"DBRep_DrawableShape") || text.starts_with(b"CASCADE Topology") {
        BREP
    } else if is_3ds(bytes) {
        THREE_DS
    } else {
        return None;
    }))
}

/// Lines of 80 characters, of which the first is of section `S` with number 1.
fn is_iges(bytes: &[u8]) -> bool {
    bytes.get(72..80).is_some_and(|end| {
        end[0] == b'S' && end[1..7].iter().all(|b| matches!(b, b' ' | b'0')) && end[7] == b'1'
    })
}

/// A main chunk `4D4D` as long as the file, and in it a version or an editor chunk.
fn is_3ds(bytes: &[u8]) -> bool {
    let length = bytes.get(2..6).and_then(|four| four.first_chunk::<4>()).map(|b| u32::from_le_bytes(*b));
    let inner = bytes.get(6..8);
    bytes.starts_with(b"MM")
        && length.is_some_and(|length| length as usize == bytes.len())
        && (inner == Some(&[0x02, 0x00]) || inner == Some(&[0x3d, 0x3d]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_their_contents() {
        let iges = [&[b' '; 72][..], b"S      1\n"].concat();
        let cases: [(&[u8], &str); 12] = [
            (b"ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC2X3'));", "IFC"),
            (b"ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));", "STEP"),
            (&iges, "IGES"),
            (b"PK\x03\x04\0\0[Content_Types].xml", "3MF"),
            (b"Kaydara FBX Binary  \0", "FBX"),
            (b"; FBX 7.3.0 project file", "FBX"),
            (b"<?xml?><robot name=\"r\">", URDF.0),
            (b"<X3D profile=\"\">", "X3D"),
            (b"#usda 1.0", "USD"),
            (b"BLENDER-v300", "a Blender scene"),
            (b"DBRep_DrawableShape", "an OpenCASCADE shape (BREP)"),
            (b"MM\x10\0\0\0\x02\0\x0a\0\0\0\x03\0\0\0", "3D Studio (3DS)"),
        ];
        for (bytes, name) in cases {
            let Some(Cause::Foreign { what, .. }) = by_content(bytes) else { panic!("{name}") };
            assert_eq!(what, name);
        }
        assert_eq!(by_content(b"v 0 0 0\n"), None);
        assert_eq!(by_content(b""), None);
    }
}
