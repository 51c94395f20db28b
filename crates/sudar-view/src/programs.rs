//! Programs of the graphics card.

use super::gl::{Attribute, Drawing, Gl, GlError, Program, Uniform};
use super::scene::{Look, Scene};

/// What a program for solids must be able to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Needs {
    shadows: bool,
    lamps: bool,
    fog: bool,
    look: Look,
}

impl Needs {
    pub fn of(scene: &Scene, look: Look) -> Self {
        let is_lit = look != Look::Bright;
        Self {
            shadows: is_lit && scene.sun.shadows.is_some(),
            lamps: is_lit && !scene.lamps.is_empty(),
            fog: scene.fog.is_finite() && scene.fog > 0.0,
            look,
        }
    }

    pub fn names(self) -> Vec<&'static str> {
        let look = match self.look {
            Look::Plain => "PLAIN",
            Look::Grid => "GRID",
            Look::Bright => "BRIGHT",
        };
        let wanted = [(self.shadows, "SHADOWS"), (self.lamps, "LAMPS"), (self.fog, "FOG"), (true, look)];
        wanted.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, name)| name).collect()
    }
}

#[derive(Debug)]
pub struct Solid {
    pub program: Program,
    pub clip: Uniform,
    pub toward: Uniform,
    pub is_box: Uniform,
    pub sun: Uniform,
    pub shadow: Uniform,
    pub depths: Uniform,
    pub lamp_count: Uniform,
    pub lamps: Uniform,
    pub lamp_colors: Uniform,
    pub fog: Uniform,
    pub eye: Uniform,
}

#[derive(Debug)]
pub struct Flat {
    pub program: Program,
    pub drawing: Drawing,
    pub clip: Uniform,
    pub half: Uniform,
    pub right: Uniform,
    pub up: Uniform,
}

impl Solid {
    pub fn new(gl: &Gl, what: &'static str, defined: &[&str], fragment: &str) -> Result<Self, GlError> {
        let names = ["a_position", "a_normal", "i_position", "i_rotation", "i_scale", "i_color"];
        let program = gl.program(what, defined, include_str!("shaders/solid.vert"), fragment, &names)?;
        let at = |name| gl.uniform(program, name);
        Ok(Self {
            program,
            clip: at("u_clip"),
            toward: at("u_toward"),
            is_box: at("u_is_box"),
            sun: at("u_sun"),
            shadow: at("u_shadow"),
            depths: at("u_depths"),
            lamp_count: at("u_lamp_count"),
            lamps: at("u_lamps"),
            lamp_colors: at("u_lamp_colors"),
            fog: at("u_fog"),
            eye: at("u_eye"),
        })
    }
}

impl Flat {
    pub fn new(
        gl: &Gl,
        (what, vertex, fragment): (&'static str, &str, &str),
        names: &[&str],
        corners: &[f32],
        instance: &[Attribute],
    ) -> Result<Self, GlError> {
        let program = gl.program(what, &[], vertex, fragment, names)?;
        let drawing = gl.drawing((corners, &[Attribute::Floats(3)]), &[0, 1, 2, 0, 2, 3], instance)?;
        let at = |name| gl.uniform(program, name);
        Ok(Self {
            program,
            drawing,
            clip: at("u_clip"),
            half: at("u_half"),
            right: at("u_right"),
            up: at("u_up"),
        })
    }
}
