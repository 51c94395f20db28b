//! What lights a scene.

use sudar::DVec3;

/// Light from far away, which casts shadows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sun {
    /// Towards the light; any length but 0.
    pub toward: DVec3,
    /// Middle and radius in metres of the ball in which shadows fall; `None`: no shadows.
    pub shadows: Option<(DVec3, f64)>,
}

impl Default for Sun {
    fn default() -> Self {
        Self { toward: DVec3::new(0.4, -0.55, 1.0), shadows: None }
    }
}

/// A light in the scene, without shadows. A renderer takes the first eight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lamp {
    /// Where it hangs.
    pub at: DVec3,
    /// The distance in metres at which it gives half of its light.
    pub reach: f64,
    /// Red, green and blue from 0 to 1.
    pub color: [f32; 3],
}
