//! Octomaps: trees of cubes that sensors found occupied or free (Armin Hornung, Kai M. Wurm, Maren Bennewitz, Cyrill
//! Stachniss, Wolfram Burgard, "OctoMap: an efficient probabilistic 3D mapping framework based on octrees", 2013).
//!
//! A `.bt` file has two bits for each child of each node that has children: unknown, free, occupied, or with children
//! of its own. A `.ot` file has for each node the logarithm of the odds that it is occupied, and a byte that says which
//! children it has. Both go through the tree in the order of the children; child i lies towards greater x if bit 0 of i
//! is set, towards greater y by bit 1, greater z by bit 2.

use std::collections::HashMap;
use std::path::Path;

use sudar::query::Body;
use sudar::{Cuboid, DVec3, Pose};

use crate::error::one_line;
use crate::{Cause, FormatError, Place, source, text};

/// Levels below the root: the root is 2¹⁶ of the smallest cubes wide, and its middle is the origin.
const DEPTH: u32 = 16;
/// Most occupied cubes of a file.
const MOST: usize = 1 << 24;

/// A map of cubes, in metres.
#[derive(Debug, Clone, PartialEq)]
pub struct Octomap {
    /// The width of the smallest cubes.
    pub resolution: f64,
    /// The occupied cubes in the order of the file: leaves of the tree, of any level.
    pub occupied: Vec<Voxel>,
    /// How many leaves are free.
    pub free: u64,
}

/// An occupied cube.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Voxel {
    /// Its middle.
    pub center: DVec3,
    /// Half its width.
    pub half: f64,
}

impl Octomap {
    /// Whether a file is called as an octomap: `.bt` or `.ot`, also with `.gz`.
    pub fn is_named(path: &Path) -> bool {
        let name =
            path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        name.ends_with(".bt") || name.ends_with(".ot")
    }

    /// Reads a file, which may be gzipped. What is unknown is not occupied.
    ///
    /// # Errors
    /// A [`FormatError`] with the [`Cause`].
    pub fn read(path: &Path) -> Result<Self, FormatError> {
        let name = path.display().to_string();
        Self::parse(&crate::load(path)?, &name)
    }

    /// The same of bytes; `name` stands for the file in errors.
    ///
    /// # Errors
    /// A [`FormatError`] with the [`Cause`].
    pub fn parse(bytes: &[u8], name: &str) -> Result<Self, FormatError> {
        let read = || {
            let bytes = source::expand(bytes.to_vec())?;
            Reader::new(&bytes)?.all()
        };
        read().map_err(|cause| FormatError::new(name, cause))
    }

    /// The occupied cubes as one body, of which equal cubes share their shape; none without any. O(n log n).
    ///
    /// # Errors
    /// [`Cause::TooFar`] for cubes that no body can hold.
    pub fn body(&self) -> Result<Option<Body>, Cause> {
        let mut shapes: HashMap<u64, Body> = HashMap::new();
        let mut parts = Vec::with_capacity(self.occupied.len());
        let far = |half: f64| Cause::TooFar { place: Place::File, found: half };
        for voxel in &self.occupied {
            let shape = match shapes.get(&voxel.half.to_bits()) {
                Some(shape) => shape.clone(),
                None => {
                    let cube = Cuboid::new(DVec3::splat(voxel.half)).map_err(|_| far(voxel.half))?;
                    shapes.entry(voxel.half.to_bits()).or_insert(cube.into()).clone()
                }
            };
            let at = Pose::from_translation(voxel.center).map_err(|_| far(voxel.center.max_element()))?;
            parts.push((shape, at));
        }
        if parts.is_empty() {
            return Ok(None);
        }
        Body::compound(parts).map(Some).map_err(|_| far(self.resolution))
    }
}

/// What the nodes of a file hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `.bt`.
    States,
    /// `.ot`, with so many bytes beside the odds.
    Odds { extra: usize },
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    kind: Kind,
    map: Octomap,
}

/// A node on the way: its middle, half its width, and how many levels are below it.
#[derive(Debug, Clone, Copy)]
struct Cube {
    voxel: Voxel,
    below: u32,
}

impl Cube {
    fn child(&self, i: usize) -> Self {
        let half = self.voxel.half * 0.5;
        let side = |bit: usize| if i & bit == 0 { -half } else { half };
        let center = self.voxel.center + DVec3::new(side(1), side(2), side(4));
        Self { voxel: Voxel { center, half }, below: self.below.saturating_sub(1) }
    }
}

/// The lines before the data.
struct Header {
    /// How many they are, and where the data begin.
    lines: u64,
    end: usize,
    id: String,
    resolution: Option<f64>,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self, Cause> {
        let mut header = Self { lines: 0, end: 0, id: String::new(), resolution: None };
        loop {
            header.lines += 1;
            let place = Place::Line(header.lines);
            let rest = &bytes[header.end..];
            let Some(end) = rest.iter().position(|b| *b == b'\n') else {
                return Err(Cause::ends(place, "a line `data`", "the file"));
            };
            header.end += end + 1;
            let words = rest[..end].trim_ascii();
            let gap = words.iter().position(u8::is_ascii_whitespace).unwrap_or(words.len());
            let (key, value) = (&words[..gap], words[gap..].trim_ascii());
            match key {
                b"data" => return Ok(header),
                b"id" => header.id = one_line(&String::from_utf8_lossy(value)),
                b"res" => {
                    let found = text::number(value).filter(|x| *x > 1e-80 && *x < 1e80);
                    let wrong = || Cause::expected(place, "a width above 0 after `res`", value);
                    header.resolution = Some(found.ok_or_else(wrong)?);
                }
                _ => {}
            }
        }
    }
}

impl<'b> Reader<'b> {
    /// Reads the lines before the data.
    fn new(bytes: &'b [u8]) -> Result<Self, Cause> {
        let binary = bytes.starts_with(b"# Octomap OcTree binary file");
        if !binary && !bytes.starts_with(b"# Octomap OcTree file") {
            let first = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
            return Err(Cause::expected(
                Place::Line(1),
                "`# Octomap OcTree` and `file` or `binary file`",
                first,
            ));
        }
        let header = Header::read(bytes)?;
        let place = Place::Line(header.lines);
        let missing =
            || Cause::ends(place.clone(), "a line `res` with the width of cubes", "the lines before");
        let resolution = header.resolution.ok_or_else(missing)?;
        let extra = match header.id.as_str() {
            "OcTree" => 0,
            "ColorOcTree" => 3,
            "OcTreeStamped" => 4,
            // The states are the same whatever the nodes are.
            _ if binary => 0,
            id => {
                let known = "the id OcTree, ColorOcTree or OcTreeStamped";
                return Err(Cause::expected(place, known, id.as_bytes()));
            }
        };
        let kind = if binary { Kind::States } else { Kind::Odds { extra } };
        Ok(Self { bytes, at: header.end, kind, map: Octomap { resolution, occupied: Vec::new(), free: 0 } })
    }

    fn all(mut self) -> Result<Octomap, Cause> {
        let half = self.map.resolution * f64::from(1 << (DEPTH - 1));
        let root = Cube { voxel: Voxel { center: DVec3::ZERO, half }, below: DEPTH };
        // A map without nodes has no data.
        if self.at < self.bytes.len() {
            match self.kind {
                Kind::States => self.states(&root)?,
                Kind::Odds { extra } => self.odds(&root, extra)?,
            }
        }
        match self.bytes.len() - self.at {
            0 => Ok(self.map),
            rest => Err(Cause::Expected {
                place: Place::Byte(self.at as u64),
                expected: "the end of the file".to_owned(),
                found: format!("{rest} more bytes"),
            }),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Cause> {
        let place = Place::Byte(self.at as u64);
        let found = self.bytes[self.at..].first_chunk::<N>();
        let found = found.ok_or_else(|| Cause::ends(place, "a node", "the file"))?;
        self.at += N;
        Ok(*found)
    }

    fn occupied(&mut self, cube: &Cube) -> Result<(), Cause> {
        if self.map.occupied.len() == MOST {
            return Err(Cause::TooMany {
                what: "occupied cubes",
                count: MOST as u64 + 1,
                limit: MOST as u64,
            });
        }
        self.map.occupied.push(cube.voxel);
        Ok(())
    }

    fn inner(&self, cube: &Cube) -> Result<(), Cause> {
        if cube.below > 0 {
            return Ok(());
        }
        let place = Place::Byte(self.at as u64);
        Err(Cause::expected(place, format!("at most {DEPTH} levels"), b"children below them"))
    }

    /// A node with children, by two bits for each.
    fn states(&mut self, cube: &Cube) -> Result<(), Cause> {
        self.inner(cube)?;
        let bits = u16::from_le_bytes(self.take()?);
        for i in 0..8 {
            let child = cube.child(i);
            match bits >> (2 * i) & 3 {
                1 => self.map.free += 1,
                2 => self.occupied(&child)?,
                3 => self.states(&child)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// A node by its odds and children.
    fn odds(&mut self, cube: &Cube, extra: usize) -> Result<(), Cause> {
        let odds = f32::from_le_bytes(self.take()?);
        for _ in 0..extra {
            self.take::<1>()?;
        }
        let [children] = self.take()?;
        if odds.is_nan() {
            let place = Place::Byte(self.at as u64);
            return Err(Cause::expected(place, "the logarithm of odds", b"NaN"));
        }
        if children == 0 {
            // As likely as not counts as occupied, as in OctoMap.
            if odds >= 0.0 {
                return self.occupied(cube);
            }
            self.map.free += 1;
            return Ok(());
        }
        self.inner(cube)?;
        (0..8).filter(|i| children >> i & 1 == 1).try_for_each(|i| self.odds(&cube.child(i), extra))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may fail")]

    use super::*;

    fn file(first: &str, id: &str, data: &[u8]) -> Vec<u8> {
        [format!("# Octomap OcTree {first}\n# c\nid {id}\nsize 1\nres 0.5\ndata\n").as_bytes(), data].concat()
    }

    fn read(bytes: &[u8]) -> Result<Octomap, Cause> {
        Octomap::parse(bytes, "map").map_err(|error| error.cause)
    }

    /// The way to the smallest cube that begins at the origin: up at the root, then down at each level.
    fn ways() -> Vec<usize> {
        std::iter::once(7).chain(std::iter::repeat_n(0, DEPTH as usize - 1)).collect()
    }

    #[test]
    fn the_smallest_cube_at_the_origin_is_where_it_should_be() {
        let expected = Voxel { center: DVec3::splat(0.25), half: 0.25 };
        let mut bits = Vec::new();
        for (level, way) in ways().iter().enumerate() {
            let state: u16 = if level + 1 == DEPTH as usize { 2 } else { 3 };
            bits.extend((state << (2 * way)).to_le_bytes());
        }
        assert_eq!(read(&file("binary file", "OcTree", &bits)).unwrap().occupied, [expected]);
        for (id, extra) in [("OcTree", 0), ("ColorOcTree", 3), ("OcTreeStamped", 4)] {
            let mut nodes = Vec::new();
            for children in ways().iter().map(|way| 1u8 << way).chain([0]) {
                nodes.extend(0.4_f32.to_le_bytes());
                nodes.extend(vec![9; extra]);
                nodes.push(children);
            }
            let map = read(&file("file", id, &nodes)).unwrap();
            assert_eq!((map.occupied, map.resolution), (vec![expected], 0.5));
        }
    }

    #[test]
    fn large_leaves_are_large_cubes_and_free_ones_none() {
        // Child 1 is occupied, child 2 free, child 5 has children, of which 6 is occupied.
        let bits = [2_u16 << 2 | 1 << 4 | 3 << 10, 2 << 12].map(u16::to_le_bytes).concat();
        let map = read(&file("binary file", "OcTree", &bits)).unwrap();
        let half = 0.5 * f64::from(1 << 14);
        let inner = DVec3::new(half - half / 2.0, -half + half / 2.0, half + half / 2.0);
        let expected = [
            Voxel { center: DVec3::new(half, -half, -half), half },
            Voxel { center: inner, half: half / 2.0 },
        ];
        assert_eq!((map.occupied.as_slice(), map.free), (expected.as_slice(), 1));
        let body = map.body().unwrap().unwrap();
        let aabb = body.aabb(&Pose::IDENTITY);
        assert_eq!(
            (aabb.min, aabb.max),
            (DVec3::new(0.0, -2.0 * half, -2.0 * half), DVec3::new(2.0 * half, 0.0, 2.0 * half))
        );
        let nothing = read(&file("binary file", "OcTree", b"")).unwrap();
        assert!(nothing.body().unwrap().is_none());
    }

    #[test]
    fn bad_files_are_refused() {
        let refused = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert!(refused(b"solid x").contains("expected `# Octomap OcTree`"));
        assert!(refused(b"# Octomap OcTree file\nres 1\n").contains("a line `data`"));
        assert!(refused(b"# Octomap OcTree file\nid OcTree\ndata\n").contains("a line `res`"));
        assert!(refused(b"# Octomap OcTree file\nid OcTree\nres -1\ndata\n").contains("a width above 0"));
        assert!(refused(&file("file", "Other", b"")).contains("the id OcTree"));
        assert!(refused(&file("binary file", "OcTree", &[1])).contains("the end of the file"));
        assert!(refused(&file("binary file", "OcTree", &[0; 3])).contains("1 more bytes"));
        assert!(refused(&file("binary file", "OcTree", &[0xff; 1000])).contains("at most 16 levels"));
        assert!(
            refused(&file("file", "OcTree", &[f32::NAN.to_le_bytes().to_vec(), vec![0]].concat()))
                .contains("NaN")
        );
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let mut random = sudar_testing::Random::new(16);
        for i in 0..2000 {
            let count = random.below(200);
            let data: Vec<u8> = (0..count).map(|_| random.below(256) as u8).collect();
            let first = if i % 2 == 0 { "file" } else { "binary file" };
            // That it comes back is the test, and that no more is made than the bytes can say.
            if let Ok(map) = read(&file(first, "OcTree", &data)) {
                assert!(map.occupied.len() + map.free as usize <= 4 * count + 1);
            }
        }
    }
}
