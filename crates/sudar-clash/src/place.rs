//! Places in words of the building: "level 2, between B and C".

use sudar::{DVec3, Pose};

/// A storey.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// What it is called.
    pub name: String,
    /// How high it begins, along z.
    pub elevation: f64,
}

/// A straight axis of a grid, seen from above.
#[derive(Debug, Clone, PartialEq)]
pub struct GridAxis {
    /// What it is called.
    pub name: String,
    /// Axes of one family lie side by side.
    pub family: u32,
    /// Two points on it: x and y.
    pub line: [[f64; 2]; 2],
}

/// The levels and axes of an assembly. Those that several files have are kept once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Places {
    /// From the lowest up.
    levels: Vec<Level>,
    axes: Vec<GridAxis>,
}

impl Places {
    /// Adds a level that stands so in the world. One of that name and elevation that is there already is kept.
    pub fn add_level(&mut self, level: Level, pose: &Pose) {
        let elevation = pose.apply(DVec3::Z * level.elevation).z;
        let level = Level { elevation, ..level };
        if elevation.is_finite() && !self.levels.contains(&level) {
            let at = self.levels.partition_point(|other| other.elevation <= elevation);
            self.levels.insert(at, level);
        }
    }

    /// Adds an axis that stands so in the world. One of that name and line that is there already is kept, and one
    /// whose points are one is no axis.
    pub fn add_axis(&mut self, axis: GridAxis, pose: &Pose) {
        let line = axis.line.map(|[x, y]| pose.apply(DVec3::new(x, y, 0.0))).map(|p| [p.x, p.y]);
        let is_known = |other: &GridAxis| other.name == axis.name && other.line == line;
        if line[0] != line[1]
            && line.as_flattened().iter().all(|x| x.is_finite())
            && !self.axes.iter().any(is_known)
        {
            self.axes.push(GridAxis { line, ..axis });
        }
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty() && self.axes.is_empty()
    }

    /// Where a point is: the highest level that begins at or below it, and for each family of axes the two that it is
    /// between. None if nothing is known. O(levels + axes).
    pub fn name(&self, point: DVec3) -> Option<String> {
        let mut families: Vec<u32> = self.axes.iter().map(|axis| axis.family).collect();
        families.sort_unstable();
        families.dedup();
        let along = families.into_iter().map(|family| self.between(family, point));
        let words: Vec<String> = self.level(point.z).into_iter().chain(along).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    fn level(&self, z: f64) -> Option<String> {
        let below = self.levels.iter().rev().find(|level| level.elevation <= z);
        below.map(|level| level.name.clone()).or_else(|| Some(format!("below {}", self.levels.first()?.name)))
    }

    /// "between B and C", "at B", or "beside C", the outermost.
    fn between(&self, family: u32, p: DVec3) -> String {
        let axes: Vec<&GridAxis> = self.axes.iter().filter(|axis| axis.family == family).collect();
        let first = axes.first().map_or(DVec3::X, |axis| way(axis));
        let mut ahead: Option<(f64, &str)> = None;
        let mut behind: Option<(f64, &str)> = None;
        for axis in axes {
            let far = offset(axis, first, p);
            if far == 0.0 {
                return format!("at {}", axis.name);
            }
            let side = if far > 0.0 { &mut behind } else { &mut ahead };
            if side.is_none_or(|(least, _)| far.abs() < least) {
                *side = Some((far.abs(), &axis.name));
            }
        }
        match (behind, ahead) {
            (Some((_, one)), Some((_, other))) => {
                format!("between {} and {}", one.min(other), one.max(other))
            }
            (Some((_, one)), None) | (None, Some((_, one))) => format!("beside {one}"),
            (None, None) => String::new(),
        }
    }
}

/// How far a point is to the left of an axis that goes the same way as `first`.
fn offset(axis: &GridAxis, first: DVec3, p: DVec3) -> f64 {
    let way = way(axis);
    let way = if way.dot(first) < 0.0 { -way } else { way };
    let [x, y] = axis.line[0];
    way.cross(p - DVec3::new(x, y, 0.0)).z / way.length()
}

fn way(axis: &GridAxis) -> DVec3 {
    let [[ax, ay], [bx, by]] = axis.line;
    DVec3::new(bx - ax, by - ay, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Places {
        let mut places = Places::default();
        for (name, elevation) in [("level 2", 3.0), ("level 1", 0.0), ("level 2", 3.0)] {
            places.add_level(Level { name: name.to_owned(), elevation }, &Pose::IDENTITY);
        }
        // A, B, C along y at x = 0, 5, 10, of which B is drawn the other way; 1 and 2 along x at y = 0, 6.
        let lines = [
            ("A", 0, [[0.0, 0.0], [0.0, 9.0]]),
            ("B", 0, [[5.0, 9.0], [5.0, 0.0]]),
            ("C", 0, [[10.0, 0.0], [10.0, 9.0]]),
            ("1", 1, [[0.0, 0.0], [9.0, 0.0]]),
            ("2", 1, [[0.0, 6.0], [9.0, 6.0]]),
        ];
        for (name, family, line) in lines {
            let axis = GridAxis { name: name.to_owned(), family, line };
            places.add_axis(axis, &Pose::IDENTITY);
        }
        places
    }

    #[test]
    fn places_are_named_by_level_and_axes() {
        let places = places();
        let name = |x, y, z| places.name(DVec3::new(x, y, z)).unwrap();
        assert_eq!(name(7.0, 2.0, 3.5), "level 2, between B and C, between 1 and 2");
        assert_eq!(name(2.0, 2.0, 3.0), "level 2, between A and B, between 1 and 2");
        assert_eq!(name(5.0, 7.0, 2.9), "level 1, at B, beside 2");
        assert_eq!(name(-1.0, -1.0, -0.1), "below level 1, beside A, beside 1");
        assert_eq!(Places::default().name(DVec3::ZERO), None);
    }

    #[test]
    fn what_stands_elsewhere_is_moved_with_its_file() {
        let mut moved = Places::default();
        let pose = Pose::from_translation(DVec3::new(100.0, 0.0, 50.0)).unwrap();
        moved.add_level(Level { name: "roof".to_owned(), elevation: 9.0 }, &pose);
        let line = [[0.0, 0.0], [0.0, 1.0]];
        moved.add_axis(GridAxis { name: "A".to_owned(), family: 0, line }, &pose);
        assert_eq!(moved.name(DVec3::new(100.0, 7.0, 59.0)).as_deref(), Some("roof, at A"));
    }
}
