//! The tunnel files of Maštera 2007.
//!
//! ```text
//! I (0 0 -1)(0 0 1) 0.0 Frustum.wrl (0 0 0)(0 0 1) 1.0 END Kostka.wrl (0 0 0)(0 0 1) 0.0 END
//! ```
//!
//! A piece is its kind (S, I, L or R), its place in cubes, an axis and an angle in units of π, then static
//! bodies and END, then dynamic bodies and END. A body is a file, its place in half cubes from the middle of
//! the piece, an axis and an angle. What stands between `/*` and `*/` is left out. Cubes have sides of 10 m;
//! places of bodies are not turned with their piece.

use std::path::Path;

use sudar::dynamics::{BodyType, RigidBody, Settings};
use sudar::{DVec3, Shape};

use crate::error::SceneCause;
use crate::file;
use crate::scenes::{Opening, Scene, TunnelPiece, tunnel_walls};

type Result<T> = std::result::Result<T, SceneCause>;

/// Reads the text of a tunnel file: without gravity, as the source flies through it. Paths of meshes start from
/// `folder`.
///
/// # Errors
/// A [`SceneCause`] that names the line.
pub fn parse_tunnel(text: &str, folder: &Path) -> Result<Scene> {
    let load = |name: &str| file::mesh(&folder.join(name), None).map(Shape::Mesh);
    Ok(parse_tunnel_with(text, |name| load(name).map_err(|error| error.to_string()))?.scene)
}

/// A tunnel: its cubes in the order of its file, and the scene of their walls and bodies.
#[derive(Debug, Clone)]
pub struct Tunnel {
    /// The cubes. One enters the first and passes through all of them.
    pub pieces: Vec<TunnelPiece>,
    /// Walls and bodies.
    pub scene: Scene,
}

type Load<'l> = dyn Fn(&str) -> std::result::Result<Shape, String> + 'l;

/// As [`parse_tunnel`], with a function that gives the shape of a name, or says in one line why there is none: where
/// there are no files, [`tunnel_model`](crate::tunnel_model) has some.
///
/// ```
/// use sudar_scene::{parse_tunnel_with, tunnel_model};
///
/// let text = "S (0 0 0)(0 1 0) 1.0 END Kostka.wrl (0 0.2 0)(0 0 1) 0.25 END";
/// let tunnel = parse_tunnel_with(text, |name| tunnel_model(name).map_err(|error| error.to_string()))?;
/// // One cube of five walls, and a body in it.
/// assert_eq!((tunnel.pieces.len(), tunnel.scene.bodies.len()), (1, 6));
/// # Ok::<(), sudar_scene::SceneCause>(())
/// ```
///
/// # Errors
/// A [`SceneCause`] that names the line.
pub fn parse_tunnel_with(
    text: &str,
    load: impl Fn(&str) -> std::result::Result<Shape, String>,
) -> Result<Tunnel> {
    parse(text, &load)
}

fn parse(text: &str, load: &Load) -> Result<Tunnel> {
    let mut words = Words::new(text)?;
    let mut scene = Scene::new(Settings { gravity: DVec3::ZERO, ..Settings::default() });
    let mut pieces = Vec::new();
    while let Some((line, word)) = words.next() {
        let opening = match word.as_str() {
            "S" => Opening::End,
            "I" => Opening::Straight,
            "L" => Opening::Left,
            "R" => Opening::Right,
            other => return refuse(line, &format!("a piece is S, I, L or R, found \"{other}\"")),
        };
        let position = words.vector("the place of the piece")?;
        let (axis, angle) = words.turn(line)?;
        let piece = TunnelPiece { opening, position, axis, angle };
        pieces.push(piece);
        scene.bodies.extend(tunnel_walls(&piece, &format!("cube {}", pieces.len()))?);
        for kind in [BodyType::Static, BodyType::Dynamic] {
            bodies(&mut words, &mut scene, &piece, kind, load)?;
        }
    }
    if pieces.is_empty() {
        return refuse(1, "there is no piece; the smallest tunnel is S (0 0 0)(0 0 1) 0.0 END END");
    }
    Ok(Tunnel { pieces, scene })
}

fn refuse<T>(line: usize, problem: &str) -> Result<T> {
    Err(SceneCause::line(line, problem))
}

/// Bodies up to END.
fn bodies(
    words: &mut Words,
    scene: &mut Scene,
    piece: &TunnelPiece,
    kind: BodyType,
    load: &Load,
) -> Result<()> {
    loop {
        let (line, word) = words.needed("END, or the file of a body")?;
        if word == "END" {
            return Ok(());
        }
        if word.starts_with('(') {
            return refuse(line, &format!("the file of a body comes before its place, found \"{word}\""));
        }
        let inside = words.vector("the place of the body")?;
        let (axis, angle) = words.turn(line)?;
        let shape = load(&word).map_err(|error| SceneCause::line(line, error))?;
        let turned = TunnelPiece { axis, angle, ..*piece };
        let name = format!("{word} {}", scene.bodies.len() + 1);
        let body = RigidBody {
            kind,
            position: piece.place(inside),
            rotation: turned.rotation(),
            restitution: 0.5,
            ..RigidBody::new(name, shape)
        };
        if kind == BodyType::Dynamic {
            // Closed meshes are weighed as solids.
            let mut alone = sudar::dynamics::World::new(Settings::default())?;
            alone.add(body.clone()).map_err(|error| SceneCause::line(line, error.to_string()))?;
        }
        scene.bodies.push(body);
    }
}

/// Words and brackets with their lines.
struct Words {
    words: std::vec::IntoIter<(usize, String)>,
    last: usize,
}

impl Words {
    fn new(text: &str) -> Result<Self> {
        let mut words = Vec::new();
        let mut comment = None;
        for (number, line) in (1..).zip(text.lines()) {
            let mut rest = line;
            let mut kept = String::new();
            loop {
                let end = if comment.is_some() { "*/" } else { "/*" };
                let Some((before, after)) = rest.split_once(end) else { break };
                if comment.take().is_none() {
                    kept += before;
                    comment = Some(number);
                }
                kept.push(' ');
                rest = after;
            }
            if comment.is_none() {
                kept += rest;
            }
            let spaced = kept.replace('(', " ( ").replace(')', " ) ").replace(',', " ");
            words.extend(spaced.split_whitespace().map(|word| (number, word.to_owned())));
        }
        if let Some(line) = comment {
            return refuse(line, "the comment has no end; close it with */");
        }
        let last = words.last().map_or(1, |(line, _)| *line);
        Ok(Self { words: words.into_iter(), last })
    }

    fn next(&mut self) -> Option<(usize, String)> {
        self.words.next()
    }

    fn needed(&mut self, what: &str) -> Result<(usize, String)> {
        let last = self.last;
        self.next().map_or_else(|| refuse(last, &format!("the file ends where {what} is needed")), Ok)
    }

    fn bracket(&mut self, bracket: &str, what: &str) -> Result<()> {
        let (line, word) = self.needed(what)?;
        if word != bracket {
            let form = "is three numbers in brackets, such as (0 0 1)";
            return refuse(line, &format!("{what} {form}, found \"{word}\""));
        }
        Ok(())
    }

    fn number(&mut self, what: &str) -> Result<f64> {
        let (line, word) = self.needed(what)?;
        let number: Option<f64> = word.parse().ok().filter(|x: &f64| x.is_finite() && x.abs() < 1e12);
        number.map_or_else(|| refuse(line, &format!("{what} needs a number, found \"{word}\"")), Ok)
    }

    fn vector(&mut self, what: &str) -> Result<DVec3> {
        self.bracket("(", what)?;
        let v = DVec3::new(self.number(what)?, self.number(what)?, self.number(what)?);
        self.bracket(")", what)?;
        Ok(v)
    }

    /// A unit axis and an angle in units of π.
    fn turn(&mut self, line: usize) -> Result<(DVec3, f64)> {
        let axis = self.vector("the axis")?;
        let angle = self.number("the angle")?;
        if axis == DVec3::ZERO && angle != 0.0 {
            return refuse(line, "the axis of a turn must not be (0 0 0)");
        }
        Ok((axis.normalize_or(DVec3::Z), angle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::{Aabb, Mesh};

    fn cube(name: &str) -> std::result::Result<Shape, String> {
        if !name.ends_with(".wrl") {
            return Err(format!("{name}: cannot be read"));
        }
        let mesh = Mesh::from_aabb(Aabb { min: DVec3::splat(-0.5), max: DVec3::splat(0.5) });
        Ok(Shape::Mesh(mesh.into()))
    }

    #[test]
    fn the_example_of_the_source_is_read() {
        let text = "/* two cubes */ I (0 0 0)(0 0 1) 0.0 END END\n\
                    I (0 0 -1)(0 0 1) 0.0 Frustum.wrl (0 0 0)(0 0 1) 1.0 END Kostka.wrl (0 0 0.5)(0 0 1) 0.0 END\n\
                    /* a comment\nover two lines */ R (0 0 -2)(0 0 1) 0.5 END END\n";
        let Tunnel { pieces, scene } = parse(text, &cube).unwrap();
        assert_eq!(pieces.iter().map(|piece| piece.position.z).collect::<Vec<_>>(), [0.0, -1.0, -2.0]);
        // Four walls each, and two bodies.
        assert_eq!(scene.bodies.len(), 14);
        let dynamic: Vec<&RigidBody> =
            scene.bodies.iter().filter(|body| body.kind == BodyType::Dynamic).collect();
        assert_eq!(dynamic.len(), 1);
        assert_eq!(dynamic[0].position, DVec3::new(0.0, 0.0, -10.0 + 2.5));
        assert!(scene.world().is_ok());
    }

    #[test]
    fn errors_name_the_line() {
        let cases = [
            ("I (0 0 0)(0 0 1) 0.0 END END\nX (0 0 0)", "line 2: a piece is S, I, L or R, found \"X\""),
            ("I (0 0)(0 0 1) 0.0 END END", "line 1: the place of the piece needs a number, found \")\""),
            ("I (0 0 0)(0 0 1) 0.0 END\n", "line 1: the file ends where END"),
            ("I (0 0 0)(0 0 1)\nquarter END END", "line 2: the angle needs a number, found \"quarter\""),
            ("I (0 0 0)(0 0 0) 1 END END", "line 1: the axis of a turn must not be"),
            ("I (0 0 0)(0 0 1) 0 a.obj (0 0 0)(0 0 1) 0 END END", "line 1: a.obj: cannot be read"),
            ("I (0 0 0)(0 0 1) 0 END END\n/* open\n", "line 2: the comment has no end"),
            ("", "line 1: there is no piece"),
        ];
        for (text, expected) in cases {
            let found = parse(text, &cube).unwrap_err().to_string();
            assert!(found.starts_with(expected), "{text}: {found}");
        }
    }
}
