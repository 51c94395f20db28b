//! Geoms: what of a body collides, and what it weighs.

use sudar::query::Body;
use sudar::{Capsule, Cuboid, Cylinder, DVec3, Ellipsoid, Halfspace, Pose, ShapeError, Sphere};

use super::attributes::Attributes;
use super::compiler::{Compiler, FromGeoms};
use super::fault::{MjcfFault, Place};
use super::mass::{Measure, Primitive};
use super::meshes::{Mesh, Meshes};
use super::orientation::{self, direction, frame};
use crate::RobotError;
use crate::frame::Frame;
use crate::inertial::Inertial;
use crate::notes::Notes;

/// The types, in the order of their numbers below.
const TYPES: [&str; 9] =
    ["sphere", "plane", "capsule", "cylinder", "box", "ellipsoid", "mesh", "hfield", "sdf"];

/// A geom in the frame of its body.
#[derive(Debug)]
pub(super) struct Geom {
    /// What collides, if it does.
    pub body: Option<(Body, Pose)>,
    /// `contype` and `conaffinity`.
    pub mask: [u32; 2],
    /// What it weighs, if the mass of its body is that of its geoms.
    pub inertial: Option<Inertial>,
    pub is_plane: bool,
    pub label: String,
    pub place: Place,
}

/// What is needed to read geoms.
pub(super) struct Reader<'r, 'm> {
    pub compiler: &'r Compiler,
    pub meshes: Meshes<'m>,
    pub notes: Notes,
    /// Whether there are bodies that are not read.
    pub has_gaps: bool,
}

/// The collision shape, and what measures the mass.
struct Shape {
    body: Option<Body>,
    measure: Option<Measure>,
    at: Frame,
}

impl Reader<'_, '_> {
    /// Reads a geom that stands in a frame of its body; `is_weighed` says that the body has no mass of its own.
    pub fn geom(
        &mut self,
        found: Attributes,
        around: &Frame,
        has_inertial: bool,
    ) -> Result<Geom, RobotError> {
        let mask = [mask(&found, "contype")?, mask(&found, "conaffinity")?];
        let collides = mask != [0; 2];
        let group = found.whole("group", 0)? as f64;
        let weighs = match self.compiler.from_geoms {
            FromGeoms::Never => false,
            FromGeoms::Always => true,
            FromGeoms::Auto => !has_inertial,
        };
        let [least, most] = self.compiler.groups;
        let weighs = weighs && (least..=most).contains(&group);
        let kind = found.word("type", &TYPES)?.unwrap_or(0);
        let shape = self.shape(kind, &found, collides || weighs, collides)?;
        let at = around.after(&shape.at);
        let pose = at.pose().ok_or_else(|| refuse(&found, "its pose is beyond 1e80"))?;
        let inertial = match shape.measure.filter(|_| weighs) {
            Some(measure) => weight(&found, &measure)?.map(|own| own.seen_from(&pose)),
            None => None,
        };
        self.note(&found, collides, weighs)?;
        let body = shape.body.filter(|_| collides).map(|body| (body, pose));
        Ok(Geom { body, mask, inertial, is_plane: kind == 1, label: found.label, place: found.place })
    }

    /// Says what of contacts and of masses is not read.
    fn note(&mut self, found: &Attributes, collides: bool, weighs: bool) -> Result<(), RobotError> {
        if weighs && found.flag("shellinertia", false)? {
            self.notes.add(&found.place, &found.label, "shellinertia is not read: it weighs as a solid");
        }
        if !collides {
            return Ok(());
        }
        if found.get("friction").is_some() {
            self.notes.add(
                &found.place,
                &found.label,
                "friction is not read: it is that of the world's bodies",
            );
        }
        let wide = [found.number("margin", 0.0)?, found.number("gap", 0.0)?];
        if wide != [0.0; 2] {
            self.notes.add(
                &found.place,
                &found.label,
                "margin and gap are not read: contact begins at touching",
            );
        }
        Ok(())
    }

    fn shape(
        &mut self,
        kind: usize,
        found: &Attributes,
        is_needed: bool,
        collides: bool,
    ) -> Result<Shape, RobotError> {
        if kind < 6 && found.get("mesh").is_none() {
            return if kind == 1 { self.plane(found) } else { self.primitive(kind, found) };
        }
        let at = frame(found, self.compiler)?;
        let none = Shape { body: None, measure: None, at };
        if kind > 6 {
            if is_needed {
                let what = format!("geoms of type {} are not read", TYPES[kind]);
                self.notes.add(&found.place, &found.label, &what);
            }
            return Ok(none);
        }
        // What only shows need not be there.
        if !is_needed {
            return Ok(none);
        }
        let name = found.need("mesh", found.get("mesh").map(str::to_owned))?;
        let Some(mesh) = self.meshes.get(found, &name, &mut self.notes)? else { return Ok(none) };
        if kind != 6 {
            return self.fitted(kind, found, &mesh, &at);
        }
        let body = collides.then(|| Body::new(mesh.hull.clone()));
        Ok(Shape { body, measure: mesh.measure(), at })
    }

    /// A primitive about a mesh, in the frame of its principal axes: with the moments of the mesh, or with its box.
    fn fitted(&self, kind: usize, found: &Attributes, mesh: &Mesh, at: &Frame) -> Result<Shape, RobotError> {
        let fit = mesh.fit(self.compiler.fits_boxes);
        let (inner, half) =
            fit.ok_or_else(|| refuse(found, "the mesh that it is fitted to has no volume"))?;
        let (x, y, z) = (half.x, half.y, half.z);
        let [a, b, c] = match (kind, self.compiler.fits_boxes) {
            (0, false) => [(x + y + z) / 3.0, 0.0, 0.0],
            (0, true) => [half.max_element(), 0.0, 0.0],
            (2, false) => [(x + y) / 2.0, (z - (x + y) / 4.0).max(0.0), 0.0],
            (2, true) => [x.max(y), (z - x.max(y)).max(0.0), 0.0],
            (3, false) => [(x + y) / 2.0, z, 0.0],
            (3, true) => [x.max(y), z, 0.0],
            (4 | 5, _) => [x, y, z],
            (_, _) => return Err(refuse(found, "planes are not fitted to meshes; leave out the mesh")),
        };
        let scale = found.number("fitscale", 1.0)?;
        let primitive = primitive_of(kind, [a * scale, b * scale, c * scale]);
        let body = primitive.body().map_err(|error| refuse(found, &error.to_string()))?;
        Ok(Shape { body: Some(body), measure: Some(primitive.solid()), at: at.after(&inner) })
    }

    /// All below a plane.
    fn plane(&self, found: &Attributes) -> Result<Shape, RobotError> {
        let body = Halfspace::new(DVec3::Z, 0.0).map(Body::new);
        let body = body.map_err(|error| refuse(found, &error.to_string()))?;
        Ok(Shape { body: Some(body), measure: None, at: frame(found, self.compiler)? })
    }

    fn primitive(&self, kind: usize, found: &Attributes) -> Result<Shape, RobotError> {
        let mut size = [0.0; 3];
        for (size, given) in size.iter_mut().zip(found.list("size", 0, 3)?.unwrap_or_default()) {
            *size = given;
        }
        let at = match found.numbers::<6>("fromto")? {
            Some(ends) => fromto(kind, found, ends, &mut size)?,
            None => frame(found, self.compiler)?,
        };
        let primitive = primitive_of(kind, size);
        let body = primitive.body().map_err(|error| refuse(found, &error.to_string()))?;
        let measure = primitive.solid();
        Ok(Shape { body: Some(body), measure: Some(measure), at })
    }
}

fn primitive_of(kind: usize, size: [f64; 3]) -> Primitive {
    let [a, b, _] = size;
    match kind {
        0 => Primitive::Sphere(a),
        2 => Primitive::Capsule(a, b),
        3 => Primitive::Cylinder(a, b),
        4 => Primitive::Box(DVec3::from(size)),
        _ => Primitive::Ellipsoid(DVec3::from(size)),
    }
}

impl Primitive {
    fn body(&self) -> Result<Body, ShapeError> {
        match *self {
            Self::Sphere(radius) => Sphere::new(DVec3::ZERO, radius).map(Body::new),
            Self::Capsule(radius, half) => Capsule::new(radius, half).map(Body::new),
            Self::Cylinder(radius, half) => Cylinder::new(radius, half).map(Body::new),
            Self::Ellipsoid(radii) => Ellipsoid::new(radii).map(Body::new),
            Self::Box(half) => Cuboid::new(half).map(Body::new),
        }
    }
}

fn refuse(found: &Attributes, why: &str) -> RobotError {
    found.refuse(MjcfFault::Shape { of: found.label.clone(), why: why.to_owned() })
}

/// The bits of an attribute.
fn mask(found: &Attributes, attribute: &'static str) -> Result<u32, RobotError> {
    // Negative numbers are those of two's complement.
    Ok(found.whole(attribute, 1)? as u32)
}

/// A geom from one point to another: its z axis goes from the second to the first, its length is theirs.
fn fromto(
    kind: usize,
    found: &Attributes,
    [a, b, c, d, e, f]: [f64; 6],
    size: &mut [f64; 3],
) -> Result<Frame, RobotError> {
    if kind == 0 {
        return Err(refuse(found, "fromto is for capsules, cylinders, boxes and ellipsoids"));
    }
    if found.numbers::<3>("pos")?.is_some_and(|pos| pos != [0.0; 3]) {
        return Err(refuse(found, "has both pos and fromto; keep one"));
    }
    let (from, to) = (DVec3::new(a, b, c), DVec3::new(d, e, f));
    let axis = direction(from - to).ok_or_else(|| refuse(found, "the points of fromto are one"))?;
    let half = (from - to).length() * 0.5;
    // Of boxes and ellipsoids the first size is that across, both ways.
    *size = match kind {
        2 | 3 => [size[0], half, 0.0],
        _ => [size[0], size[0], half],
    };
    Ok(Frame { t: (from + to) * 0.5, ..orientation::to_z(axis) })
}

/// By its mass if it has one, else by its density.
fn weight(found: &Attributes, measure: &Measure) -> Result<Option<Inertial>, RobotError> {
    let mass = match found.numbers::<1>("mass")? {
        Some([mass]) => mass,
        None => found.number("density", 1000.0)? * measure.size,
    };
    if !(0.0..=super::attributes::MOST).contains(&mass) {
        let why = "its mass or density is negative or too large";
        return Err(found.refuse(MjcfFault::Inertia { of: found.label.clone(), why }));
    }
    Ok((mass > 1e-14).then(|| measure.weighing(mass)))
}
