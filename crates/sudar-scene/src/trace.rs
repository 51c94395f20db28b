//! What a run leaves behind, as lines of CSV.

use std::fmt::Write as _;

use sudar::dynamics::{BodyType, DynamicsError, Energy, Handle, World};

/// The columns of [`energy_row`].
pub const ENERGY_HEADER: &str = "time,kinetic,potential,total,px,py,pz,lx,ly,lz,contacts,deepest";

/// The energy of a step as a line of CSV, with a line break: joules, momentum and angular momentum about the origin,
/// how many pairs touched in the step, and the largest depth at its end. `time` in seconds.
pub fn energy_row(time: f64, energy: &Energy, contacts: usize, deepest: f64) -> String {
    let Energy { kinetic, potential, momentum: p, angular_momentum: l } = energy;
    let total = energy.total();
    format!(
        "{time},{kinetic},{potential},{total},{},{},{},{},{},{},{contacts},{deepest}\n",
        p.x, p.y, p.z, l.x, l.y, l.z
    )
}

/// Writes down where the bodies of a world are that can move, and how they move.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Bodies that move, with their names as they stand in a table.
    moving: Vec<(Handle, String)>,
}

impl Trace {
    /// The columns of [`rows`](Self::rows).
    pub const HEADER: &str = "time,body,px,py,pz,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz";

    /// A trace of the dynamic and kinematic bodies that the world has now.
    pub fn new(world: &World) -> Self {
        let moves = world.bodies().filter(|(_, body)| body.kind != BodyType::Static);
        Self { moving: moves.map(|(id, body)| (id, quoted(&body.name))).collect() }
    }

    /// The bodies at this time in seconds, a line of CSV each, with line breaks: frame of the body, velocity of its
    /// centre of mass, angular velocity in the world.
    ///
    /// # Errors
    /// [`DynamicsError`] if a body is no more.
    pub fn rows(&self, time: f64, world: &World) -> Result<String, DynamicsError> {
        let mut text = String::new();
        for (id, name) in &self.moving {
            let (p, q) = world.frame(*id)?;
            let motion = world.motion(*id)?;
            let (v, w) = (motion.velocity, motion.angular_velocity);
            // Writing to a text cannot fail.
            let _ = writeln!(
                text,
                "{time},{name},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z
            );
        }
        Ok(text)
    }
}

/// A cell in quotes if it holds a comma (RFC 4180).
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_are_quoted() {
        assert_eq!((quoted("a b"), quoted("a,\"b\"")), ("a b".to_owned(), "\"a,\"\"b\"\"\"".to_owned()));
    }
}
