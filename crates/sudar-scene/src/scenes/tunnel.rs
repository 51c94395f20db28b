//! The tunnel of Maštera 2007: cubes with open sides, one after the other.

use std::f64::consts::PI;

use sudar::glam::{DQuat, DVec3};

use super::turn;
use super::{Scene, SceneError};
use sudar::dynamics::{RigidBody, Settings, ThrusterPair};
use sudar::query::Body;
use sudar::shape::{Cuboid, Sphere};

/// The side of a cube of the tunnel, in metres.
const SIDE: f64 = 10.0;
/// The thickness of its walls.
const WALL: f64 = 0.2;

/// Which sides of a cube are open. One enters along −z, through the side +z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Opening {
    /// `S`: an end, open at +z alone.
    End,
    /// `I`: straight on, open at +z and −z.
    Straight,
    /// `L`: open at +z and −x.
    Left,
    /// `R`: open at +z and +x.
    Right,
}

impl Opening {
    fn open(self) -> [DVec3; 2] {
        match self {
            Self::End => [DVec3::Z, DVec3::Z],
            Self::Straight => [DVec3::Z, -DVec3::Z],
            Self::Left => [DVec3::Z, -DVec3::X],
            Self::Right => [DVec3::Z, DVec3::X],
        }
    }
}

/// A cube of a tunnel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TunnelPiece {
    /// Which sides are open.
    pub opening: Opening,
    /// Its place, in cubes.
    pub position: DVec3,
    /// About this axis it is turned, unit.
    pub axis: DVec3,
    /// By this angle, in units of π.
    pub angle: f64,
}

impl TunnelPiece {
    /// The side of a cube, in metres.
    pub const SIDE: f64 = SIDE;

    /// The middle of the cube in metres.
    pub fn center(&self) -> DVec3 {
        self.position * SIDE
    }

    /// How the cube is turned.
    pub fn rotation(&self) -> DQuat {
        turn(self.axis * (self.angle * PI))
    }

    /// A place in the cube, given in half cubes from its middle, in metres in the world.
    pub fn place(&self, inside: DVec3) -> DVec3 {
        self.center() + inside * (0.5 * SIDE)
    }

    /// The way through which one leaves it, of length 1: out of the open side that is not the first; of an end out of
    /// the one that there is.
    pub fn exit(&self) -> DVec3 {
        self.rotation() * self.opening.open()[1]
    }

    /// A point of the world in the frame of the cube: metres from its middle, with the entrance on the side +z.
    pub fn within(&self, point: DVec3) -> DVec3 {
        self.rotation().inverse() * (point - self.center())
    }

    /// Whether a point is in the cube, or at most so many metres out of it.
    pub fn contains(&self, point: DVec3, slack: f64) -> bool {
        self.within(point).abs().max_element() <= 0.5 * SIDE + slack
    }
}

/// The walls of a piece as static boxes whose inner sides are those of the cube.
///
/// # Errors
/// None in practice.
pub fn tunnel_walls(piece: &TunnelPiece, name: &str) -> Result<Vec<RigidBody>, SceneError> {
    let sides = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let closed = sides.filter(|side| !piece.opening.open().contains(side));
    let mut walls = Vec::new();
    for (number, side) in closed.enumerate() {
        let across = DVec3::splat(0.5 * SIDE) - side.abs() * (0.5 * SIDE - 0.5 * WALL);
        let rotation = piece.rotation();
        walls.push(RigidBody {
            position: piece.center() + rotation * side * (0.5 * SIDE + 0.5 * WALL),
            rotation,
            restitution: 0.0,
            ..RigidBody::fixed(format!("{name} wall {}", number + 1), Cuboid::new(across)?)
        });
    }
    Ok(walls)
}

/// Five cubes with a bend, two balls in the way, and a fighter with its engines on.
///
/// # Errors
/// None in practice.
pub fn tunnel() -> Result<Scene, SceneError> {
    let mut scene = Scene::new(Settings { gravity: DVec3::ZERO, ..Settings::default() });
    let piece = |opening, position: DVec3, angle| TunnelPiece { opening, position, axis: DVec3::Y, angle };
    let pieces = [
        piece(Opening::End, DVec3::ZERO, 1.0),
        piece(Opening::Straight, DVec3::new(0.0, 0.0, -1.0), 0.0),
        piece(Opening::Left, DVec3::new(0.0, 0.0, -2.0), 0.0),
        piece(Opening::Straight, DVec3::new(-1.0, 0.0, -2.0), 0.5),
        piece(Opening::End, DVec3::new(-2.0, 0.0, -2.0), 0.5),
    ];
    for (i, piece) in pieces.iter().enumerate() {
        scene.bodies.extend(tunnel_walls(piece, &format!("cube {}", i + 1))?);
    }
    let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0)?);
    for (i, place) in [DVec3::new(1.0, 0.0, -12.0), DVec3::new(-8.0, -1.0, -20.0)].into_iter().enumerate() {
        scene.bodies.push(RigidBody {
            position: place,
            restitution: 0.5,
            ..RigidBody::new(format!("ball {}", i + 1), ball.clone())
        });
    }
    let mut fighter = RigidBody::new("fighter", super::fighter()?);
    // Its nose, +x, looks along −z.
    fighter.rotation = turn(DVec3::Y * (0.5 * PI)) * turn(DVec3::X * (-0.5 * PI));
    fighter.velocity = DVec3::Z * -6.0;
    (fighter.restitution, fighter.linear_drag, fighter.angular_drag) = (0.5, 0.05, 0.2);
    fighter.thrusters = ThrusterPair::twelve(1.0, 500.0);
    fighter.thrusters[0].throttle = 0.5;
    scene.bodies.push(fighter);
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_leaves_a_cube_where_it_is_open() {
        let piece = |opening, angle| TunnelPiece { opening, position: DVec3::X, axis: DVec3::Y, angle };
        for (opening, angle, exit) in [
            (Opening::End, 1.0, DVec3::NEG_Z),
            (Opening::Straight, 0.0, DVec3::NEG_Z),
            (Opening::Left, 0.0, DVec3::NEG_X),
            (Opening::Right, 0.0, DVec3::X),
            (Opening::Straight, 0.5, DVec3::NEG_X),
            (Opening::Left, 0.5, DVec3::Z),
        ] {
            assert!((piece(opening, angle).exit() - exit).length() < 1e-12, "{opening:?} {angle}");
        }
    }

    #[test]
    fn points_are_in_the_cube_or_beside_it() {
        let piece =
            TunnelPiece { opening: Opening::Straight, position: DVec3::X, axis: DVec3::Y, angle: 0.5 };
        assert!(piece.contains(DVec3::new(14.9, 4.9, -4.9), 0.0));
        assert!(!piece.contains(DVec3::new(15.1, 0.0, 0.0), 0.0) && piece.contains(DVec3::X * 15.1, 0.2));
        // The entrance is at +x.
        assert!((piece.within(DVec3::X * 15.0) - DVec3::Z * 5.0).length() < 1e-12);
    }
}
