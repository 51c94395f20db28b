//! The shapes and poses of each case, always the same ones, and their text for other programs.

use std::fmt::Write as _;

use ::sudar::Pose;
use anyhow::{Context, Result};
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::difference::Difference;
use super::form::Form;
use crate::generate::direction;

/// Different shapes on either side.
const SHAPES: usize = 16;
/// Steps that one pair of shapes walks before the next pair takes over.
const WALK: usize = 250;

/// Shapes and where they are.
#[derive(Debug)]
pub struct Case {
    /// Name, such as `hull32-cuboid`.
    pub name: &'static str,
    /// Whether each pose is a small step from the one before, as long as the shapes stay the same.
    pub walk: bool,
    /// Shapes of the first kind.
    pub first: Vec<Form>,
    /// Shapes of the second kind.
    pub second: Vec<Form>,
    /// Which of them stand where.
    pub pairs: Vec<Pair>,
}

impl Case {
    /// Whether all shapes are boxes.
    pub fn is_of_boxes(&self) -> bool {
        self.first.iter().chain(&self.second).all(|form| matches!(form, Form::Cuboid(_)))
    }
}

/// Two posed shapes.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// Number of the first shape.
    pub a: usize,
    /// Number of the second shape.
    pub b: usize,
    /// Where the first is.
    pub pose_a: Pose,
    /// Where the second is.
    pub pose_b: Pose,
}

impl Pair {
    /// Whether the same two shapes stand here: then a memory of the pair may be used.
    pub fn same_shapes(&self, other: &Self) -> bool {
        (self.a, self.b) == (other.a, other.b)
    }
}

/// A kind of shape, from which random ones are drawn.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Hull(usize),
    Cuboid,
    Sphere,
    Capsule,
    Cylinder,
    Cone,
    Ellipsoid,
}

const KINDS: [(&str, Kind, Kind); 13] = [
    ("hull8-hull8", Kind::Hull(8), Kind::Hull(8)),
    ("hull32-hull32", Kind::Hull(32), Kind::Hull(32)),
    ("hull128-hull128", Kind::Hull(128), Kind::Hull(128)),
    ("hull1000-hull1000", Kind::Hull(1000), Kind::Hull(1000)),
    ("cuboid-cuboid", Kind::Cuboid, Kind::Cuboid),
    ("capsule-capsule", Kind::Capsule, Kind::Capsule),
    ("sphere-sphere", Kind::Sphere, Kind::Sphere),
    ("hull32-cuboid", Kind::Hull(32), Kind::Cuboid),
    ("capsule-cuboid", Kind::Capsule, Kind::Cuboid),
    ("sphere-hull32", Kind::Sphere, Kind::Hull(32)),
    ("cylinder-cylinder", Kind::Cylinder, Kind::Cylinder),
    ("ellipsoid-ellipsoid", Kind::Ellipsoid, Kind::Ellipsoid),
    ("cone-cuboid", Kind::Cone, Kind::Cuboid),
];

/// The names of all cases.
pub fn names() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|&(name, ..)| name)
}

/// The case of a name: `poses` random poses, the distance of the centres 0.9 to 1.1 of the one at which the shapes
/// touch; for a walk, small steps within that range.
///
/// # Errors
/// If there is no such case.
pub fn case(name: &str, poses: usize, walk: bool) -> Result<Case> {
    let known = || format!("there is no case {name}; there are {}", names().collect::<Vec<_>>().join(", "));
    let at = KINDS.iter().position(|k| k.0 == name).with_context(known)?;
    let (name, kind_a, kind_b) = KINDS[at];
    let mut random = Pcg64::seed_from_u64(at as u64);
    let mut shapes = |kind| (0..SHAPES).map(|_| shape(kind, &mut random)).collect::<Result<Vec<_>>>();
    let (first, second) = (shapes(kind_a)?, shapes(kind_b)?);
    let pairs = if walk {
        steps(&first, &second, poses, &mut random)?
    } else {
        (0..poses).map(|_| apart_by_chance(&first, &second, &mut random)).collect::<Result<_>>()?
    };
    Ok(Case { name, walk, first, second, pairs })
}

fn shape(kind: Kind, random: &mut Pcg64) -> Result<Form> {
    let half = |random: &mut Pcg64| random.random_range(0.5..1.0);
    let three = |random: &mut Pcg64| DVec3::new(half(random), half(random), half(random));
    Ok(match kind {
        Kind::Hull(n) => {
            let radii = three(random);
            let points: Vec<_> = (0..n).map(|_| radii * DVec3::from(direction::<3>(random))).collect();
            Form::hull(&points)?
        }
        Kind::Cuboid => Form::Cuboid(three(random)),
        Kind::Sphere => Form::Sphere(half(random)),
        Kind::Capsule => Form::Capsule { radius: 0.6 * half(random), half_length: half(random) },
        Kind::Cylinder => Form::Cylinder { radius: half(random), half_length: half(random) },
        Kind::Cone => Form::Cone { radius: half(random), half_length: half(random) },
        Kind::Ellipsoid => Form::Ellipsoid(three(random)),
    })
}

fn apart_by_chance(first: &[Form], second: &[Form], random: &mut Pcg64) -> Result<Pair> {
    let (a, b) = (random.random_range(0..first.len()), random.random_range(0..second.len()));
    let center = DVec3::from_array(std::array::from_fn(|_| random.random_range(-1.0..1.0)));
    let stand = Stand {
        turn_a: turn(random),
        turn_b: turn(random),
        center,
        away: DVec3::from(direction::<3>(random)),
    };
    let factor = random.random_range(0.9..1.1);
    stand.pair(a, b, &first[a], &second[b], factor)
}

/// A walk: each step turns both bodies by one degree about an axis that wanders, moves the second around the first
/// by 0.01 and in and out by less.
fn steps(first: &[Form], second: &[Form], count: usize, random: &mut Pcg64) -> Result<Vec<Pair>> {
    const DEGREE: f64 = std::f64::consts::PI / 180.0;
    let mut pairs = Vec::new();
    while pairs.len() < count {
        let walk = pairs.len() / WALK;
        let (a, b) = (walk % first.len(), walk % second.len());
        let mut stand = Stand {
            turn_a: turn(random),
            turn_b: turn(random),
            center: DVec3::ZERO,
            away: DVec3::from(direction::<3>(random)),
        };
        let [mut spin_a, mut spin_b, mut around] = [(); 3].map(|()| DVec3::from(direction::<3>(random)));
        for step in 0..WALK.min(count - pairs.len()) {
            for axis in [&mut spin_a, &mut spin_b, &mut around] {
                *axis = (*axis + 0.1 * DVec3::from(direction::<3>(random))).normalize();
            }
            stand.turn_a = rotation(spin_a, DEGREE) * stand.turn_a;
            stand.turn_b = rotation(spin_b, DEGREE) * stand.turn_b;
            stand.away = (stand.away + 0.01 * around.cross(stand.away)).normalize();
            let factor = 1.0 + 0.1 * libm::sin(0.3 + step as f64 * 0.05);
            pairs.push(stand.pair(a, b, &first[a], &second[b], factor)?);
        }
    }
    Ok(pairs)
}

/// Everything about two bodies but the distance of their centres.
struct Stand {
    turn_a: DQuat,
    turn_b: DQuat,
    center: DVec3,
    away: DVec3,
}

impl Stand {
    /// The two bodies at `factor` times the distance at which they touch.
    fn pair(&self, a: usize, b: usize, first: &Form, second: &Form, factor: f64) -> Result<Pair> {
        let pose_a = Pose::new(self.center, self.turn_a.normalize())?;
        let beside = Pose::new(self.center, self.turn_b.normalize())?;
        let touching = Difference::new(first, &pose_a, second, &beside).exit(self.away);
        let pose_b = Pose::from_matrix(beside.rotation(), self.center + self.away * (factor * touching))?;
        Ok(Pair { a, b, pose_a, pose_b })
    }
}

fn turn(random: &mut Pcg64) -> DQuat {
    DQuat::from_array(direction::<4>(random))
}

fn rotation(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// The case as text: shapes, then one line a pose with the numbers of its shapes and, for each body, the nine numbers
/// of its rotation row by row and the three of its translation.
pub fn text(case: &Case) -> Result<String> {
    let mut text = format!("walk {}\n", u8::from(case.walk));
    for (word, forms) in [("first", &case.first), ("second", &case.second)] {
        writeln!(text, "{word} {}", forms.len())?;
        for form in forms {
            write_form(form, &mut text)?;
        }
    }
    writeln!(text, "poses {}", case.pairs.len())?;
    for pair in &case.pairs {
        let numbers: Vec<_> =
            [&pair.pose_a, &pair.pose_b].into_iter().flat_map(row_by_row).map(|x| format!("{x:e}")).collect();
        writeln!(text, "{} {} {}", pair.a, pair.b, numbers.join(" "))?;
    }
    Ok(text)
}

fn write_form(form: &Form, text: &mut String) -> Result<()> {
    match form {
        Form::Hull { vertices, triangles } => {
            writeln!(text, "hull {} {}", vertices.len(), triangles.len())?;
            for v in vertices {
                writeln!(text, "{:e} {:e} {:e}", v.x, v.y, v.z)?;
            }
            for [i, j, k] in triangles {
                writeln!(text, "{i} {j} {k}")?;
            }
        }
        Form::Cuboid(half) => writeln!(text, "cuboid {:e} {:e} {:e}", half.x, half.y, half.z)?,
        Form::Sphere(radius) => writeln!(text, "sphere {radius:e}")?,
        Form::Capsule { radius, half_length } => writeln!(text, "capsule {radius:e} {half_length:e}")?,
        Form::Cylinder { radius, half_length } => writeln!(text, "cylinder {radius:e} {half_length:e}")?,
        Form::Cone { radius, half_length } => writeln!(text, "cone {radius:e} {half_length:e}")?,
        Form::Ellipsoid(radii) => writeln!(text, "ellipsoid {:e} {:e} {:e}", radii.x, radii.y, radii.z)?,
    }
    Ok(())
}

fn row_by_row(pose: &Pose) -> Vec<f64> {
    pose.rotation().transpose().to_cols_array().into_iter().chain(pose.translation().to_array()).collect()
}
