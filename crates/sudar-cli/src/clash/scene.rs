//! Scene files: models, and where each stands.
//!
//! ```toml
//! unit = "m"                      # of the translations; without it they are in the unit of the results
//! [[model]]
//! file = "house.ifc"              # from the folder of this file
//! [[model]]
//! file = "pump.glb"               # a file may stand in several places
//! name = "pump 2"                 # stands before the names of its parts
//! translation = [12.0, 3.5, 0.0]
//! rotation = [0.0, 0.0, 1.0, 0.0] # a unit quaternion, scalar last
//! ```

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use sudar::{DQuat, DVec3, Pose};
use sudar_clash::Unit;

use crate::load;

/// A file, and where its parts stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub file: PathBuf,
    /// What stands before the names of its parts.
    pub name: Option<String>,
    pose: Pose,
    /// The unit of the pose.
    unit: Option<Unit>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scene {
    unit: Option<String>,
    model: Vec<Model>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    file: PathBuf,
    name: Option<String>,
    translation: Option<DVec3>,
    rotation: Option<DQuat>,
    matrix: Option<[f64; 16]>,
}

/// Larger scene files are refused.
const MAX_SCENE: u64 = 64 << 20;

/// The files that are named, those of folders, and those of scene files, in order.
pub fn placed(scenes: &[PathBuf], is_recursive: bool) -> Result<Vec<Placed>> {
    let mut placed = Vec::new();
    for path in scenes {
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) && path.is_file() {
            let text = load::text(path, "TOML", MAX_SCENE)?;
            let folder = path.parent().unwrap_or(Path::new(""));
            placed.extend(parsed(&text, folder).with_context(|| path.display().to_string())?);
        } else {
            let files = load::files(std::slice::from_ref(path), is_recursive)?;
            placed.extend(files.into_iter().map(Placed::alone));
        }
    }
    Ok(placed)
}

fn parsed(text: &str, folder: &Path) -> Result<Vec<Placed>> {
    let scene: Scene = toml::from_str(text).map_err(|error| {
        let line =
            1 + text.bytes().take(error.span().map_or(0, |span| span.start)).filter(|b| *b == b'\n').count();
        anyhow::anyhow!("line {line}: {}", error.message().trim().replace('\n', "; "))
    })?;
    ensure!(!scene.model.is_empty(), "names no model; write [[model]] and file = \"…\" for each");
    let unit = scene.unit.as_deref().map(unit).transpose()?;
    let placed = |(number, model): (usize, Model)| -> Result<Placed> {
        let pose =
            model.pose().with_context(|| format!("model {} ({})", number + 1, model.file.display()))?;
        Ok(Placed { file: folder.join(&model.file), name: model.name, pose, unit })
    };
    scene.model.into_iter().enumerate().map(placed).collect()
}

fn unit(name: &str) -> Result<Unit> {
    let names = Unit::ALL.map(Unit::name).join(", ");
    let found = Unit::ALL.into_iter().find(|unit| unit.name() == name);
    found.with_context(|| format!("'{name}' is no unit; write one of {names}"))
}

impl Model {
    fn pose(&self) -> Result<Pose> {
        match (&self.matrix, self.translation, self.rotation) {
            (Some(matrix), None, None) => Ok(Pose::from_row_major(matrix)?),
            (Some(_), ..) => bail!("give matrix alone, or translation and rotation"),
            (None, translation, rotation) => {
                Ok(Pose::new(translation.unwrap_or_default(), rotation.unwrap_or_default())?)
            }
        }
    }
}

impl Placed {
    /// A file where it is.
    pub fn alone(file: PathBuf) -> Self {
        Self { file, name: None, pose: Pose::IDENTITY, unit: None }
    }

    /// Where the parts stand, in the unit of the results, which may be unknown.
    pub fn pose(&self, results: Option<Unit>) -> Result<Pose> {
        let factor = match (self.unit, results) {
            (Some(unit), Some(results)) if unit != results => unit.metres() / results.metres(),
            (Some(unit), None) if self.pose.translation() != DVec3::ZERO => bail!(
                "the scene file has positions in {}, and the unit of the models is not known; name it with --units",
                unit.name()
            ),
            (Some(_) | None, _) => 1.0,
        };
        Ok(Pose::from_matrix(self.pose.rotation(), self.pose.translation() * factor)?)
    }

    /// The name of a part that the file calls so.
    pub fn named(&self, part: &str) -> String {
        self.name.as_ref().map_or_else(|| part.to_owned(), |name| format!("{name}: {part}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_stand_where_the_file_says_in_the_unit_of_the_results() {
        let text = "unit = 'm'\n[[model]]\nfile = 'a.obj'\n[[model]]\nfile = 'b/c.obj'\nname = 'c'\n\
                    translation = [1, 2.5, 0]\nrotation = [0, 0, 1, 0]\n";
        let placed = parsed(text, Path::new("d")).unwrap();
        assert_eq!(placed[0].file, Path::new("d/a.obj"));
        let pose = placed[1].pose(Some(Unit::Mm)).unwrap();
        assert_eq!(pose.apply(DVec3::new(7.0, 0.0, 0.0)), DVec3::new(993.0, 2500.0, 0.0));
        assert_eq!(
            (placed[1].named("bolt"), placed[0].named("bolt")),
            ("c: bolt".to_owned(), "bolt".to_owned())
        );
        let unknown = placed[1].pose(None).unwrap_err().to_string();
        assert!(unknown.contains("name it with --units"), "{unknown}");
        assert!(placed[0].pose(None).is_ok());
    }

    #[test]
    fn errors_name_the_line_or_the_model() {
        let refused = |text: &str| format!("{:#}", parsed(text, Path::new("")).unwrap_err());
        assert!(refused("[[model]]\nfil = 'a'\n").starts_with("line 2: unknown field `fil`"));
        assert!(refused("model = []\n").starts_with("names no model"));
        assert!(refused("unit = 'ell'\n[[model]]\nfile = 'a'\n").starts_with("'ell' is no unit"));
        let turned = refused("[[model]]\nfile = 'a'\nrotation = [0, 0, 0, 2]\n");
        assert!(turned.starts_with("model 1 (a): ") && turned.contains("length 1"), "{turned}");
        let both = "[[model]]\nfile = 'a'\ntranslation = [0, 0, 1]\n\
                    matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]\n";
        assert!(refused(both).contains("give matrix alone"));
    }
}
