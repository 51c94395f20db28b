//! A tunnel to fly through: where it begins, what is inside, and where it ends.

use sudar::dynamics::{BodyType, MassSpec, RigidBody};
use sudar::shape::Shape;
use sudar::{Aabb, Cuboid, DMat3, DQuat, DVec3};
use sudar_scene::{Tunnel, TunnelPiece, parse_tunnel_with, tunnel_model, tunnel_walls};

use crate::demo::DemoError;

/// The tunnels that are built in, from easy to cruel, and the one of a file that was opened.
pub const TUNNELS: [&str; 4] = ["easy", "winding", "cruel", "file"];

/// Of what moves in a tunnel, in kg/m³: hollow, so that missiles throw it.
const DENSITY: f64 = 100.0;

/// Cubes and bodies that a file may have at most.
const MOST: usize = 2000;

/// A tunnel, its cubes in the order of the flight.
pub struct Course {
    pub tunnel: Tunnel,
    pub walls: Vec<Wall>,
}

/// The inner side of a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// The middle of the box that it is.
    pub at: DVec3,
    pub rotation: DQuat,
    pub half: DVec3,
    /// Out of the wall into the cube, of length 1.
    pub inward: DVec3,
    /// The number of its cube.
    pub cube: usize,
}

impl Course {
    /// A tunnel that is built in.
    pub fn built_in(name: &str) -> Result<Self, DemoError> {
        Self::read(match name {
            "easy" => include_str!("../../../tunnels/easy.txt"),
            "winding" => include_str!("../../../tunnels/winding.txt"),
            "cruel" => include_str!("../../../tunnels/cruel.txt"),
            _ => return Err(DemoError(format!("there is no tunnel {name:?}"))),
        })
    }

    /// A tunnel of a file, with models that are built in.
    ///
    /// # Errors
    /// One line that names the line of the file.
    pub fn read(text: &str) -> Result<Self, DemoError> {
        let load = |name: &str| tunnel_model(name).map_err(|error| error.to_string());
        let mut tunnel = parse_tunnel_with(text, load).map_err(DemoError::of)?;
        let moving = tunnel.scene.bodies.iter_mut().filter(|body| body.kind == BodyType::Dynamic);
        moving.for_each(|body| body.matter = MassSpec::Density(DENSITY));
        let size = tunnel.pieces.len() + tunnel.scene.bodies.len();
        if size > MOST {
            return Err(DemoError(format!("{size} cubes, walls and bodies are too many; {MOST} may be")));
        }
        let mut walls = Vec::new();
        for (cube, piece) in tunnel.pieces.iter().enumerate() {
            let made = tunnel_walls(piece, "wall").map_err(DemoError::of)?;
            walls.extend(made.iter().filter_map(|body| Wall::of(body, cube, piece)));
        }
        Ok(Self { tunnel, walls })
    }

    /// How many cubes there are.
    pub fn cubes(&self) -> usize {
        self.tunnel.pieces.len()
    }

    /// Where the fighter begins: in the middle of the first cube, its nose, +x, towards the way out of it.
    pub fn start(&self) -> (DVec3, DQuat) {
        let first = &self.tunnel.pieces[0];
        let ahead = first.exit();
        let up = if ahead.y.abs() < 0.9 { DVec3::Y } else { DVec3::X };
        let left = up.cross(ahead).normalize();
        (first.center(), DQuat::from_mat3(&DMat3::from_cols(ahead, left, ahead.cross(left))))
    }

    /// The cube in which a point is, the last of several.
    pub fn cube_of(&self, point: DVec3) -> Option<usize> {
        self.tunnel.pieces.iter().rposition(|piece| piece.contains(point, 0.0))
    }

    /// Whether a point is in some cube, or at most so many metres out of all.
    pub fn contains(&self, point: DVec3, slack: f64) -> bool {
        self.tunnel.pieces.iter().any(|piece| piece.contains(point, slack))
    }

    /// Whether a point is beyond the middle of the last cube: there the flight ends.
    pub fn is_passed(&self, point: DVec3) -> bool {
        let last = &self.tunnel.pieces[self.cubes() - 1];
        last.contains(point, 0.0) && last.within(point).z < 0.0
    }

    /// Around all cubes.
    pub fn bounds(&self) -> Aabb {
        let cubes = self.tunnel.pieces.iter().map(TunnelPiece::center);
        Aabb::around(cubes).grown(0.5 * TunnelPiece::SIDE)
    }

    /// The middle of the far side of the last cube, with the way there: where a gate of light stands.
    pub fn goal(&self) -> (DVec3, DQuat) {
        let last = &self.tunnel.pieces[self.cubes() - 1];
        (last.center(), last.rotation())
    }
}

impl Wall {
    fn of(body: &RigidBody, cube: usize, piece: &TunnelPiece) -> Option<Self> {
        let Shape::Cuboid(Cuboid { half }) = body.body.shape() else { return None };
        let inward = (piece.center() - body.position).normalize_or_zero();
        Some(Self { at: body.position, rotation: body.rotation, half: *half, inward, cube })
    }
}
