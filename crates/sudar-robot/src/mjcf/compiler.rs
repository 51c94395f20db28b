//! The sections `compiler`, which say how the others are meant, and what `option` changes.

use std::path::PathBuf;

use super::attributes::Attributes;
use super::document::Document;
use super::fault::MjcfFault;
use crate::RobotError;
use crate::notes::Notes;

/// Where the inertia of a body comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FromGeoms {
    Never,
    Always,
    /// Where there is no element `inertial`.
    Auto,
}

/// What a mesh of a volume weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MeshMass {
    /// The pyramids below its triangles with the middle of its surface as their tip, each counted as positive.
    Legacy,
    /// What its triangles enclose.
    Exact,
    /// Its hull.
    Convex,
    /// A skin of one thickness.
    Shell,
}

/// The settings of a model.
#[derive(Debug, Clone)]
pub(super) struct Compiler {
    pub is_degree: bool,
    /// The axes of Euler angles, 0 to 2, and whether they turn along.
    pub euler: [(usize, bool); 3],
    pub auto_limits: bool,
    pub from_geoms: FromGeoms,
    pub groups: [f64; 2],
    pub least_mass: f64,
    pub least_inertia: f64,
    pub total_mass: Option<f64>,
    pub balances: bool,
    /// Whether geoms that are fitted to meshes have the box around them, or one of the same inertia.
    pub fits_boxes: bool,
    pub mesh_folder: PathBuf,
    pub strips_path: bool,
    pub mesh_mass: MeshMass,
}

impl Default for Compiler {
    fn default() -> Self {
        Self {
            is_degree: true,
            euler: [(0, true), (1, true), (2, true)],
            auto_limits: true,
            from_geoms: FromGeoms::Auto,
            groups: [0.0, 5.0],
            least_mass: 0.0,
            least_inertia: 0.0,
            total_mass: None,
            balances: false,
            fits_boxes: false,
            mesh_folder: PathBuf::new(),
            strips_path: false,
            mesh_mass: MeshMass::Legacy,
        }
    }
}

impl Compiler {
    /// All sections together; later ones count.
    pub fn read(document: &Document, notes: &mut Notes) -> Result<Self, RobotError> {
        let mut compiler = Self::default();
        for section in document.sections("compiler") {
            let found = Attributes::new(None, section)?;
            compiler.section(&found)?;
            if found.flag("alignfree", false)? {
                notes.add(
                    &found.place,
                    "compiler",
                    "alignfree is not read: frames stay where the file has them",
                );
            }
        }
        options(document, notes)?;
        Ok(compiler)
    }

    fn section(&mut self, found: &Attributes) -> Result<(), RobotError> {
        if found.word("coordinate", &["local", "global"])? == Some(1) {
            return Err(found.refuse(MjcfFault::GlobalCoordinates));
        }
        if let Some(angle) = found.word("angle", &["radian", "degree"])? {
            self.is_degree = angle == 1;
        }
        if let Some(sequence) = found.get("eulerseq") {
            self.euler = sequence_of(sequence).ok_or_else(|| {
                let known = "three letters of xyz or XYZ".to_owned();
                let of = found.label.clone();
                found.refuse(MjcfFault::Word { of, attribute: "eulerseq", found: sequence.to_owned(), known })
            })?;
        }
        if let Some(from) = found.word("inertiafromgeom", &["false", "true", "auto"])? {
            self.from_geoms = [FromGeoms::Never, FromGeoms::Always, FromGeoms::Auto][from];
        }
        self.auto_limits = found.flag("autolimits", self.auto_limits)?;
        self.groups = found.numbers("inertiagrouprange")?.unwrap_or(self.groups);
        self.least_mass = found.number("boundmass", self.least_mass)?;
        self.least_inertia = found.number("boundinertia", self.least_inertia)?;
        self.balances = found.flag("balanceinertia", self.balances)?;
        self.strips_path = found.flag("strippath", self.strips_path)?;
        if let Some([total]) = found.numbers("settotalmass")? {
            self.total_mass = Some(total).filter(|total| *total > 0.0);
        }
        if let Some(folder) = found.get("meshdir").or(found.get("assetdir")) {
            self.mesh_folder = PathBuf::from(folder);
        }
        self.fits_boxes = found.flag("fitaabb", self.fits_boxes)?;
        if found.flag("exactmeshinertia", false)? {
            self.mesh_mass = MeshMass::Exact;
        }
        Ok(())
    }

    /// An angle in radians.
    pub fn angle(&self, angle: f64) -> f64 {
        if self.is_degree { angle / 180.0 * std::f64::consts::PI } else { angle }
    }
}

fn sequence_of(text: &str) -> Option<[(usize, bool); 3]> {
    let axis = |letter: char| match letter {
        'x' | 'y' | 'z' => Some((letter as usize - 'x' as usize, true)),
        'X' | 'Y' | 'Z' => Some((letter as usize - 'X' as usize, false)),
        _ => None,
    };
    text.chars().map(axis).collect::<Option<Vec<_>>>()?.try_into().ok()
}

/// What the world has to be told, for the robot does not know it.
fn options(document: &Document, notes: &mut Notes) -> Result<(), RobotError> {
    for section in document.sections("option") {
        let found = Attributes::new(None, section)?;
        if let Some(gravity) = found.numbers::<3>("gravity")?
            && gravity != [0.0, 0.0, -9.81]
        {
            notes.add(&found.place, "option", "gravity is not read: it is that of the world");
        }
        let fluid = ["density", "viscosity"].map(|key| found.number(key, 0.0));
        if fluid.into_iter().collect::<Result<Vec<_>, _>>()?.iter().any(|x| *x != 0.0) {
            notes.add(&found.place, "option", "forces of a medium are not read");
        }
        let flags = document.children(section).filter(|child| child.name == "flag");
        for flag in flags {
            let off = flag.attributes.iter().filter(|(key, value)| {
                **value == *"disable"
                    && [
                        "constraint",
                        "equality",
                        "frictionloss",
                        "limit",
                        "contact",
                        "gravity",
                        "filterparent",
                    ]
                    .contains(&&**key)
            });
            for (key, _) in off {
                notes.add(&flag.place, "flag", &format!("'{key}' is not switched off"));
            }
        }
    }
    Ok(())
}
