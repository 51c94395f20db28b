//! Figures inside a model file: written into its `WorldInfo`, and found there again.

use serde::Serialize;
use sudar::mass::MassProperties;
use sudar::{DVec3, Pose};

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
pub fn compare(info: &[String], whole: &Measured, density: f64) -> Option<Stored> {
    let find = |method: &str| info.iter().find_map(|line| parse(line, method));
    let (exact, voxel) = (find("exact"), find("voxel"));
    if exact.is_none() && voxel.is_none() {
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
    Some(Stored { exact, voxel, agrees: exact_agrees && voxel_agrees })
}

fn parse(line: &str, method: &str) -> Option<Line> {
    let rest = line.strip_prefix(&format!("{MARK} ({method}): "))?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let after = |name: &str, skip: usize| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + skip)?.parse::<f64>().ok().filter(|x| x.is_finite())
    };
    let mut inertia = [0.0; 6];
    for (k, entry) in inertia.iter_mut().enumerate() {
        *entry = after("inertia", 7 + k)?;
    }
    Some(Line { volume: after("volume", 1)?, density: after("density", 1)?, inertia })
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
}
