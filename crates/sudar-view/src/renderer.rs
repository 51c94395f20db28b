//! Draws scenes.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use glam::{DMat4, DVec3, DVec4};

use super::geometry::Geometry;
use super::gl::{Attribute, DepthTarget, Drawing, Gl, GlError, Mode};
use super::order::{Group, ascending, casting, seen};
use super::programs::{Flat, Needs, Solid};
use super::scene::{Line, Look, Scene};
use super::upload;

/// Pixels along a side of the map of shadows.
const SHADOW_PIXELS: i32 = 1024;

/// Lines and dots are drawn this much nearer than they are, in parts of the range of depths, so that those on a surface
/// are seen.
const NEARER: f32 = 2e-4;

/// A part of the screen, in pixels, from its lower left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewport {
    /// From the left.
    pub x: i32,
    /// From the bottom.
    pub y: i32,
    /// Pixels across.
    pub width: i32,
    /// Pixels down.
    pub height: i32,
}

impl Viewport {
    /// All of a picture.
    pub fn whole(width: u32, height: u32) -> Self {
        Self { x: 0, y: 0, width: width as i32, height: height as i32 }
    }

    /// Width by height.
    pub fn aspect(&self) -> f64 {
        f64::from(self.width.max(1)) / f64::from(self.height.max(1))
    }
}

/// Draws scenes with one context. What it uploads of a geometry stays until nobody holds that geometry any more.
#[derive(Debug)]
pub struct Renderer {
    gl: Gl,
    /// By what a scene has; compiled when it is first needed.
    solids: HashMap<Needs, Solid>,
    depth: Solid,
    line: Flat,
    billboard: Flat,
    shadows: DepthTarget,
    /// By address, which stays taken as long as there is a weak count, and look: each has instances of its own.
    known: HashMap<(usize, Look), (Weak<Geometry>, Drawing)>,
    bytes: Vec<u8>,
}

/// Instances of one geometry and look that are ready to be drawn.
#[derive(Debug, Clone, Copy)]
struct Ready {
    drawing: Drawing,
    count: usize,
    is_box: bool,
    /// Its backs are hidden by its fronts.
    hides_backs: bool,
    look: Look,
}

impl Renderer {
    /// For a context that is current.
    ///
    /// # Errors
    /// [`GlError`] if the driver refuses something.
    pub fn new(gl: Gl) -> Result<Self, GlError> {
        let line = ("lines", include_str!("shaders/line.vert"), include_str!("shaders/line.frag"));
        let ends = [0.0, -1.0, 0.0, 1.0, -1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
        let billboard =
            ("billboards", include_str!("shaders/billboard.vert"), include_str!("shaders/billboard.frag"));
        let square = [-1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0, 0.0];
        Ok(Self {
            solids: HashMap::new(),
            depth: Solid::new(&gl, "shadows", &[], include_str!("shaders/depth.frag"))?,
            line: Flat::new(
                &gl,
                line,
                &["a_position", "i_from", "i_to", "i_width", "i_color"],
                &ends,
                &upload::LINE,
            )?,
            billboard: Flat::new(
                &gl,
                billboard,
                &["a_position", "i_position", "i_size", "i_age", "i_color"],
                &square,
                &upload::BILLBOARD,
            )?,
            shadows: gl.depth_target(SHADOW_PIXELS)?,
            known: HashMap::new(),
            bytes: Vec::new(),
            gl,
        })
    }

    /// The context.
    pub fn gl(&self) -> &Gl {
        &self.gl
    }

    /// Draws a scene into a part of the current framebuffer.
    pub fn paint(&mut self, scene: &Scene, viewport: Viewport) {
        if viewport.width <= 0 || viewport.height <= 0 {
            return;
        }
        self.forget();
        let height_of_one = f64::from(viewport.height) / (2.0 * libm::tan(0.5 * scene.camera.field));
        let [opaque, clear] = seen(scene, viewport.aspect(), height_of_one);
        let shadow = scene.sun.shadows.map(|(middle, radius)| shadow_matrix(scene, middle, radius));
        if let Some(matrix) = &shadow {
            let casting =
                self.upload(&casting(scene, f64::from(shadow_pixel(scene))), scene.camera.eye, true);
            self.draw_depths(scene, matrix, &casting);
        }
        let opaque = self.upload(&opaque, scene.camera.eye, true);
        let Viewport { x, y, width, height } = viewport;
        self.gl.begin_screen([x, y, width, height], rgb(scene));
        let clip = scene.camera.clip(viewport.aspect());
        self.gl.mode(Mode::Opaque);
        self.draw_solids(scene, (&clip, shadow.as_ref()), &opaque);
        let half = [0.5 * width as f32, 0.5 * height as f32, NEARER, 0.0];
        self.draw_lines(scene, &clip, half, false);
        // What is clear comes after all that it lets through.
        let clear = self.upload(&clear, scene.camera.eye, false);
        self.gl.mode(Mode::Blended);
        self.draw_solids(scene, (&clip, shadow.as_ref()), &clear);
        self.draw_billboards(scene, &clip, half);
        self.draw_lines(scene, &clip, half, true);
        self.gl.leave();
    }

    /// Frees what nobody shows any more.
    fn forget(&mut self) {
        let gl = &self.gl;
        self.known.retain(|_, (geometry, drawing)| {
            let is_held = geometry.strong_count() > 0;
            if !is_held {
                gl.drop_drawing(*drawing);
            }
            is_held
        });
    }

    fn upload(&mut self, groups: &[Group<'_>], eye: DVec3, is_opaque: bool) -> Vec<Ready> {
        let mut ready = Vec::new();
        for Group { geometry, look, instances } in groups {
            if geometry.is_empty() || instances.is_empty() {
                continue;
            }
            let Some(drawing) = self.drawing(geometry, *look) else { continue };
            self.bytes.clear();
            instances.iter().for_each(|instance| upload::solid(instance, eye, &mut self.bytes));
            self.gl.fill(drawing.instances, &self.bytes);
            // Of what is clear one sees the backs.
            let hides_backs = geometry.is_closed && is_opaque;
            let (count, is_box) = (instances.len(), geometry.is_box);
            ready.push(Ready { drawing, count, is_box, hides_backs, look: *look });
        }
        ready
    }

    /// A driver without memory for one more model shows the others.
    fn drawing(&mut self, geometry: &Arc<Geometry>, look: Look) -> Option<Drawing> {
        let key = (Arc::as_ptr(geometry) as usize, look);
        if let Some((_, drawing)) = self.known.get(&key) {
            return Some(*drawing);
        }
        let vertex = [Attribute::Floats(3), Attribute::Floats(3)];
        let made = self.gl.drawing(
            (geometry.vertices.as_flattened(), &vertex),
            geometry.triangles.as_flattened(),
            &upload::SOLID,
        );
        let drawing = made.ok()?;
        self.known.insert(key, (Arc::downgrade(geometry), drawing));
        Some(drawing)
    }

    fn draw_depths(&self, scene: &Scene, matrix: &DMat4, ready: &[Ready]) {
        self.gl.begin_depths(&self.shadows);
        self.gl.use_program(self.depth.program);
        self.gl.set_matrix(&self.depth.clip, &matrix.as_mat4().to_cols_array());
        self.gl.set_vectors(&self.depth.toward, &four(toward(scene), 0.0));
        ready.iter().for_each(|ready| self.draw_one(&self.depth, ready));
    }

    /// The program that shows what is needed; a driver that refuses one leaves it out.
    fn solid(&mut self, needs: Needs) -> Option<&Solid> {
        if !self.solids.contains_key(&needs) {
            let mut names = needs.names();
            // Where there is no graphics card, the softest edges of shadows take a quarter of the whole frame.
            names.extend((!self.gl.is_software()).then_some("SOFT"));
            let made = Solid::new(&self.gl, "solids", &names, include_str!("shaders/solid.frag"));
            self.solids.insert(needs, made.ok()?);
        }
        self.solids.get(&needs)
    }

    fn draw_solids(&mut self, scene: &Scene, (clip, shadow): (&DMat4, Option<&DMat4>), ready: &[Ready]) {
        for look in [Look::Plain, Look::Bright, Look::Grid] {
            let those = ready.iter().filter(|ready| ready.look == look);
            if those.clone().next().is_none() || self.solid(Needs::of(scene, look)).is_none() {
                continue;
            }
            let Some(solid) = self.solids.get(&Needs::of(scene, look)) else { continue };
            self.begin_solids(solid, scene, clip, shadow);
            those.for_each(|ready| self.draw_one(solid, ready));
        }
    }

    fn begin_solids(&self, solid: &Solid, scene: &Scene, clip: &DMat4, shadow: Option<&DMat4>) {
        let gl = &self.gl;
        gl.use_program(solid.program);
        gl.bind_depths(&self.shadows);
        gl.set_integer(&solid.depths, 0);
        gl.set_matrix(&solid.clip, &clip.as_mat4().to_cols_array());
        gl.set_vectors(&solid.toward, &[0.0, 0.0, 0.0, 1.0]);
        gl.set_vectors(&solid.sun, &four(toward(scene), shadow_pixel(scene)));
        gl.set_matrix(&solid.shadow, &shadow.unwrap_or(&DMat4::IDENTITY).as_mat4().to_cols_array());
        let lamps = &scene.lamps[..scene.lamps.len().min(8)];
        gl.set_integer(&solid.lamp_count, lamps.len() as i32);
        let places = lamps.iter().flat_map(|lamp| four(lamp.at - scene.camera.eye, lamp.reach as f32));
        gl.set_vectors(&solid.lamps, &places.collect::<Vec<_>>());
        let colors = lamps.iter().flat_map(|lamp| [lamp.color[0], lamp.color[1], lamp.color[2], 1.0]);
        gl.set_vectors(&solid.lamp_colors, &colors.collect::<Vec<_>>());
        let [r, g, b] = rgb(scene);
        gl.set_vectors(&solid.fog, &[r, g, b, 1.0 / scene.fog as f32]);
        gl.set_vectors(&solid.eye, &four(scene.camera.eye, 0.0));
    }

    fn draw_one(&self, program: &Solid, ready: &Ready) {
        self.gl.cull(ready.hides_backs);
        self.gl.set_integer(&program.is_box, i32::from(ready.is_box));
        self.gl.draw(&ready.drawing, ready.count);
    }

    fn draw_lines(&mut self, scene: &Scene, clip: &DMat4, half: [f32; 4], on_top: bool) {
        let chosen: Vec<&Line> = scene.lines.iter().filter(|line| line.on_top == on_top).collect();
        if chosen.is_empty() {
            return;
        }
        self.bytes.clear();
        chosen.iter().for_each(|line| upload::line(line, scene.camera.eye, &mut self.bytes));
        self.gl.mode(if on_top { Mode::OnTop } else { Mode::Blended });
        self.draw_flat(&self.line, clip, half, chosen.len());
    }

    fn draw_billboards(&mut self, scene: &Scene, clip: &DMat4, half: [f32; 4]) {
        if scene.billboards.is_empty() {
            return;
        }
        let forward = |at: DVec3| (at - scene.camera.eye).dot(scene.camera.forward);
        let ordered = ascending(&scene.billboards, |billboard| -forward(billboard.at));
        self.bytes.clear();
        ordered.iter().for_each(|b| upload::billboard(b, scene.camera.eye, &mut self.bytes));
        self.gl.mode(Mode::Blended);
        self.gl.use_program(self.billboard.program);
        let [right, up] = scene.camera.axes();
        self.gl.set_vectors(&self.billboard.right, &four(right, 0.0));
        self.gl.set_vectors(&self.billboard.up, &four(up, 0.0));
        self.draw_flat(&self.billboard, clip, half, ordered.len());
    }

    fn draw_flat(&self, flat: &Flat, clip: &DMat4, half: [f32; 4], count: usize) {
        self.gl.use_program(flat.program);
        self.gl.set_matrix(&flat.clip, &clip.as_mat4().to_cols_array());
        self.gl.set_vectors(&flat.half, &half);
        self.gl.fill(flat.drawing.instances, &self.bytes);
        self.gl.draw(&flat.drawing, count);
    }
}

fn four(v: DVec3, w: f32) -> [f32; 4] {
    let v = v.as_vec3();
    [v.x, v.y, v.z, w]
}

fn rgb(scene: &Scene) -> [f32; 3] {
    let [r, g, b, _] = scene.background.0;
    [r, g, b].map(|byte| f32::from(byte) / 255.0)
}

fn toward(scene: &Scene) -> DVec3 {
    scene.sun.toward.normalize_or(DVec3::Z)
}

/// Width of a pixel of the map of shadows, in metres.
fn shadow_pixel(scene: &Scene) -> f32 {
    scene.sun.shadows.map_or(0.0, |(_, radius)| 2.0 * radius as f32 / SHADOW_PIXELS as f32)
}

/// From points relative to the eye to the map of shadows: along the sun, a ball fills it.
fn shadow_matrix(scene: &Scene, middle: DVec3, radius: f64) -> DMat4 {
    let back = toward(scene);
    let right = back.any_orthonormal_vector();
    let up = back.cross(right);
    let size = 1.0 / radius.max(1e-9);
    let middle = middle - scene.camera.eye;
    let row = |axis: DVec3, scale: f64| (axis * scale).extend(-axis.dot(middle) * scale);
    DMat4::from_cols(row(right, size), row(up, size), row(back, -size), DVec4::W).transpose()
}
