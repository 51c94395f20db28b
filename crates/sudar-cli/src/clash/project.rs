//! The project that an IFC file is of.

use std::path::Path;

use sudar_clash::BcfProject;

use crate::external::External;

/// What stands before the arguments of the one entity of its kind.
const ENTITY: &[u8] = b"IFCPROJECT(";
/// Its identity and name are within so many bytes.
const NEAR: usize = 4096;

/// `GlobalId` and name of the `IfcProject` of an IFC file; none of other files and of what cannot be read.
pub fn of_file(path: &Path) -> Option<BcfProject> {
    (External::of(path) == Some(External::Ifc))
        .then(|| sudar_formats::load(path).ok())
        .flatten()
        .and_then(|bytes| of(&bytes))
}

fn of(bytes: &[u8]) -> Option<BcfProject> {
    let at = bytes.windows(ENTITY.len()).position(|found| found.eq_ignore_ascii_case(ENTITY))? + ENTITY.len();
    let near = String::from_utf8_lossy(&bytes[at..bytes.len().min(at + NEAR)]);
    let mut texts = arguments(&near);
    let id = texts.next()?;
    let name = texts.nth(1).unwrap_or_default();
    (!id.is_empty()).then_some(BcfProject { id, name })
}

/// The arguments of an entity one after the other: texts without their quotes, anything else empty.
fn arguments(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let own = rest?.trim_start();
        let (text, behind) = match own.strip_prefix('\'') {
            Some(quoted) => quoted_text(quoted),
            None => (String::new(), own),
        };
        rest = behind.find([',', ')', ';']).and_then(|at| behind[at..].strip_prefix(','));
        Some(decoded(&text))
    })
}

/// A text up to its quote, in which two stand for one, and what is behind.
fn quoted_text(mut text: &str) -> (String, &str) {
    let mut found = String::new();
    while let Some((own, behind)) = text.split_once('\'') {
        found += own;
        match behind.strip_prefix('\'') {
            Some(more) => {
                found.push('\'');
                text = more;
            }
            None => return (found, behind),
        }
    }
    // It does not end here.
    (String::new(), "")
}

/// `\X2\00F6\X0\` as the characters it stands for (ISO 10303-21); what is written otherwise stays as it is.
fn decoded(text: &str) -> String {
    let mut pieces = text.split("\\X2\\");
    let mut found = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (digits, rest) = piece.split_once("\\X0\\").unwrap_or((piece, ""));
        let unit = |four: &[u8]| u16::from_str_radix(std::str::from_utf8(four).ok()?, 16).ok();
        let units: Option<Vec<u16>> = digits.as_bytes().chunks(4).map(unit).collect();
        found += &units.map_or(digits.to_owned(), |units| String::from_utf16_lossy(&units));
        found += rest;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_is_found_with_its_name() {
        let of = |line: &str| of(format!("DATA;\n#1=IFCSIUNIT(*,$);\n{line}\n").as_bytes());
        let found = |id: &str, name: &str| Some(BcfProject { id: id.to_owned(), name: name.to_owned() });
        let id = "3QrBVMwsnEgBFJtnQJGLi$";
        let line = format!("#8=IFCPROJECT('{id}',#2,'Anna''s, house',$,$,$,$,(#5),#7);");
        assert_eq!(of(&line), found(id, "Anna's, house"));
        let line = format!("#8= ifcproject( '{id}' , $ , 'H\\X2\\00E4\\X0\\user',$);");
        assert_eq!(of(&line), found(id, "Häuser"));
        assert_eq!(of(&format!("#8=IFCPROJECT('{id}',$,$,$);")), found(id, ""));
        for none in ["#8=IFCPROJECT($,$,'x');", "#8=IFCWALL('x',$,'y');", "#8=IFCPROJECT('unended", ""] {
            assert_eq!(of(none), None, "{none}");
        }
    }
}
