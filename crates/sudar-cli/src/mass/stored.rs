//! Figures inside a model file: written into its `WorldInfo`, and found there again.

use serde::Serialize;
use sudar::mass::MassProperties;
use sudar::volume::smallest_sphere;
use sudar::{Aabb, DVec3, Pose, Sphere};

use super::measured::{Measured, listed};

/// How such a line begins.
const MARK: &str = "sudar mass";
/// How far stored figures may be off those measured anew, relative to the greatest of their kind: coordinates
/// were moved and rounded.
const SLACK: f64 = 1e-9;

/// The figures that a file holds.
#[derive(Debug, Serialize)]
pub struct Stored {
    pub exact: Option<Line>,
    pub voxel: Option<Line>,
    pub bounds: Option<Bounds>,
    /// Whether they are those that the model has; by voxels within the estimated errors.
    pub agrees: bool,
}

/// One method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Line {
    pub volume: f64,
    pub density: f64,
    pub inertia: [f64; 6],
}

/// Volumes around the model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    aabb: Aabb,
    /// The smallest.
    sphere: Sphere,
    /// From the origin, where a written model has its centre of mass, to the farthest point: the sphere of the source.
    reach: f64,
}

impl Bounds {
    /// `None` for no points.
    pub fn of(points: &[DVec3]) -> Option<Self> {
        let reach = points.iter().map(|p| p.length()).fold(0.0, f64::max);
        Some(Self { aabb: Aabb::around(points.iter().copied()), sphere: smallest_sphere(points)?, reach })
    }

    pub fn line(&self) -> String {
        let [a, b, c] = [self.aabb.min, self.aabb.max, self.sphere.center].map(spaced);
        let Sphere { radius, .. } = self.sphere;
        format!("{MARK} (bounds): box from {a} to {b} sphere center {c} radius {radius} reach {}", self.reach)
    }

    fn parse(line: &str) -> Option<Self> {
        let words = Words::of(line, "bounds")?;
        let aabb = Aabb { min: words.point("from")?, max: words.point("to")? };
        let sphere = Sphere { center: words.point("center")?, radius: words.number("radius", 1)? };
        Some(Self { aabb, sphere, reach: words.number("reach", 1)? })
    }

    fn is_near(&self, other: &Self) -> bool {
        let pairs = [
            (self.aabb.min, other.aabb.min),
            (self.aabb.max, other.aabb.max),
            (self.sphere.center, other.sphere.center),
            (DVec3::X * self.sphere.radius, DVec3::X * other.sphere.radius),
            (DVec3::X * self.reach, DVec3::X * other.reach),
        ];
        pairs.iter().all(|(a, b)| a.distance(*b) <= SLACK * self.reach)
    }
}

fn spaced(DVec3 { x, y, z }: DVec3) -> String {
    format!("{x} {y} {z}")
}

/// What the model says of itself once it is moved home.
pub fn lines(whole: &Measured, home: &Pose, density: f64) -> Vec<String> {
    let of = |method: &str, found: MassProperties| {
        let there = found.posed(home).at_density(density);
        let [xx, yy, zz, xy, yz, zx] = listed(&there.inertia);
        let DVec3 { x, y, z } = there.center;
        format!(
            "{MARK} ({method}): volume {} density {density} center {x} {y} {z} inertia xx yy zz xy yz zx {xx} {yy} {zz} {xy} {yz} {zx}",
            there.mass / density
        )
    };
    let exact = whole.exact_properties().map(|p| of("exact", p));
    let voxel = whole.voxel_properties().map(|p| of("voxel", p));
    exact.into_iter().chain(voxel).collect()
}

/// The stored figures of a file, if there are any, and whether they are right.
pub fn compare(info: &[String], whole: &Measured, points: &[DVec3], density: f64) -> Option<Stored> {
    let find = |method: &str| info.iter().find_map(|line| parse(line, method));
    let (exact, voxel) = (find("exact"), find("voxel"));
    let bounds = info.iter().find_map(|line| Bounds::parse(line));
    if exact.is_none() && voxel.is_none() && bounds.is_none() {
        return None;
    }
    let near = |line: &Line, found: MassProperties, [volume, inertia]: [f64; 2]| {
        let there = found.at_density(line.density);
        let greatest = line.inertia.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let off =
            listed(&there.inertia).iter().zip(line.inertia).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        let slack = [volume + SLACK * line.volume.abs(), inertia * line.density / density + SLACK * greatest];
        (found.mass - line.volume).abs() <= slack[0] && off <= slack[1]
    };
    let exact_agrees = match (&exact, whole.exact_properties()) {
        (Some(line), Some(found)) => near(line, found, [0.0; 2]),
        (None, _) => true,
        (Some(_), None) => false,
    };
    // A turned grid gives other figures; both are off by no more than was estimated.
    let voxel_agrees = match (&voxel, whole.voxel_properties(), &whole.voxel) {
        (Some(line), Some(found), Some(v)) => {
            near(line, found, [2.0 * v.error.volume, 2.0 * v.error.inertia])
        }
        (None, _, _) => true,
        (Some(_), _, _) => false,
    };
    let bounds_agree = bounds.is_none_or(|line| Bounds::of(points).is_some_and(|found| line.is_near(&found)));
    Some(Stored { exact, voxel, bounds, agrees: exact_agrees && voxel_agrees && bounds_agree })
}

/// The words of a line, each before its numbers.
struct Words<'a>(Vec<&'a str>);

impl<'a> Words<'a> {
    fn of(line: &'a str, what: &str) -> Option<Self> {
        let rest = line.strip_prefix(&format!("{MARK} ({what}): "))?;
        Some(Self(rest.split_whitespace().collect()))
    }

    /// The number so many words after a name.
    fn number(&self, name: &str, skip: usize) -> Option<f64> {
        let at = self.0.iter().position(|word| *word == name)?;
        self.0.get(at + skip)?.parse::<f64>().ok().filter(|x| x.is_finite())
    }

    fn point(&self, name: &str) -> Option<DVec3> {
        Some(DVec3::new(self.number(name, 1)?, self.number(name, 2)?, self.number(name, 3)?))
    }
}

fn parse(line: &str, method: &str) -> Option<Line> {
    let words = Words::of(line, method)?;
    let mut inertia = [0.0; 6];
    for (k, entry) in inertia.iter_mut().enumerate() {
        *entry = words.number("inertia", 7 + k)?;
    }
    Some(Line { volume: words.number("volume", 1)?, density: words.number("density", 1)?, inertia })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_is_written() {
        let line =
            "sudar mass (exact): volume 8 density 2.5 center 0 0 0 inertia xx yy zz xy yz zx 1 2 3 4e-9 -5 6";
        let expected = Line { volume: 8.0, density: 2.5, inertia: [1.0, 2.0, 3.0, 4e-9, -5.0, 6.0] };
        assert_eq!(parse(line, "exact"), Some(expected));
        assert_eq!(parse(line, "voxel"), None);
        for bad in ["", "sudar mass (exact): ", "sudar mass (exact): volume x", &line[..60]] {
            assert_eq!(parse(bad, "exact"), None);
        }
    }

    #[test]
    fn bounds_are_read_as_they_are_written() {
        // Corners of a box of 2 × 4 × 4 around (1, 0, 0): the sphere has the radius 3, and (2, 2, 2) is √12 away.
        let corner =
            |k: usize| DVec3::new(2.0 * (k & 1) as f64, 2.0 * (k & 2) as f64 - 2.0, (k & 4) as f64 - 2.0);
        let points: Vec<DVec3> = (0..8).map(corner).collect();
        let bounds = Bounds::of(&points).unwrap();
        assert!(
            (bounds.sphere.radius - 3.0).abs() < 1e-14 && (bounds.reach - libm::sqrt(12.0)).abs() < 1e-14
        );
        let read = Bounds::parse(&bounds.line()).unwrap();
        assert!(read == bounds && read.is_near(&bounds));
        let other = Bounds { reach: 3.5, ..bounds };
        assert!(!read.is_near(&other) && Bounds::parse("sudar mass (bounds): box from 1").is_none());
    }
}
