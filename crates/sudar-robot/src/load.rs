//! From files to robots.

use std::path::{Path, PathBuf};

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::urdf::{Meshes, assemble, describe};
use crate::{Robot, RobotError, mjcf, srdf};

/// Where the files of a robot are besides its URDF or MJCF.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// The SRDF with pairs of links that need not be checked.
    pub srdf: Option<PathBuf>,
    /// The folders of packages, for meshes of a URDF named `package://NAME/…`. Without one, the folder of the URDF and
    /// those above it are searched for `NAME/…`, then for what follows.
    pub packages: Vec<(String, PathBuf)>,
    /// Leave out meshes that are not found or cannot be read, and geometry that URDF does not have, and say so in
    /// [`Robot::notes`]; otherwise they are an error. **What is left out is not checked.**
    pub skip_missing_meshes: bool,
    /// Whether the limits of a joint that mimics another narrow those of the other, so that both keep their own.
    /// Otherwise they do not, and where they would it is in [`Robot::notes`]: such limits are often rounded, or those
    /// of another robot, and would freeze a gripper.
    pub narrow_by_mimics: bool,
}

/// Largest URDF or SRDF file.
const MOST: u64 = 64 << 20;

impl Robot {
    /// Reads a URDF or MJCF file, the meshes of its collision geometry, and the SRDF if one is named. A file is MJCF if
    /// its first element is `mujoco`, whatever it is called.
    ///
    /// Relative mesh names are taken from the folder of the file. A mesh file of a URDF with several parts gives as
    /// many bodies. A closed mesh that is convex becomes a [`Hull`](sudar::Hull), any other closed one a
    /// [`Solid`](sudar::Solid), so that what is inside it counts as in contact; an open one stays a surface. A mesh of
    /// an MJCF is its convex hull, as in MuJoCo. What of an MJCF is not read and matters is in
    /// [`notes`](Self::notes).
    ///
    /// # Errors
    /// [`RobotError`], with what is wrong and where.
    pub fn load(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, RobotError> {
        let path = path.as_ref();
        let mut robot = Self::parse(&text(path)?, &path.display().to_string(), options)?;
        if let Some(path) = &options.srdf {
            robot.disable(&text(path)?, &path.display().to_string())?;
        }
        Ok(robot)
    }

    /// The same from the text of a URDF or MJCF; `name` is that of its file, for messages and for the folder of its
    /// meshes and of the files that it includes. The SRDF of the options is not read: see [`disable`](Self::disable).
    ///
    /// # Errors
    /// [`RobotError`], with what is wrong and where.
    pub fn parse(text: &str, name: &str, options: &LoadOptions) -> Result<Self, RobotError> {
        let folder = Path::new(name).parent().unwrap_or(Path::new("")).to_owned();
        if is_mjcf(text) {
            return mjcf::read(text, name, &folder, options);
        }
        assemble(describe(text, name)?, &mut Meshes::new(folder, options), options.narrow_by_mimics)
    }

    /// Adds the pairs of links that the text of an SRDF leaves out, and its [`groups`](Self::groups). Pairs and groups
    /// with unknown links or joints become notes: SRDFs are often for several variants of a robot.
    ///
    /// # Errors
    /// [`RobotError::NotXml`], [`RobotError::Description`]
    pub fn disable(&mut self, srdf: &str, name: &str) -> Result<(), RobotError> {
        let srdf = srdf::read(srdf, name)?;
        let (groups, notes) = srdf.groups(self, name);
        self.groups.extend(groups);
        self.notes.extend(notes);
        for pair in srdf.disabled {
            match pair.links.iter().find(|link| self.link(link).is_none()) {
                None => self.disabled.push(pair),
                Some(link) => {
                    self.notes.push(format!("{name}: link '{link}' of a disabled pair does not exist"));
                }
            }
        }
        Ok(())
    }
}

/// Whether the first element is that of MJCF.
fn is_mjcf(text: &str) -> bool {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => return element.name().as_ref() == "mujoco",
            Ok(Event::Eof) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

/// The whole of a text file.
pub(crate) fn text(path: &Path) -> Result<String, RobotError> {
    let file = || path.display().to_string();
    let unreadable = |why: String| RobotError::Unreadable { file: file(), why };
    let found = std::fs::metadata(path).map_err(|e| unreadable(e.to_string()))?;
    if !found.is_file() {
        return Err(unreadable("not a regular file".to_owned()));
    }
    if found.len() > MOST {
        return Err(unreadable(format!("larger than {MOST} bytes")));
    }
    std::fs::read_to_string(path).map_err(|e| unreadable(e.to_string()))
}
