//! OpenGL without `unsafe`: the one file of the laboratory that calls it.
//!
//! Every function of `glow` is unsafe, since a context of another thread, a freed object or a size that is not that of
//! its data is undefined. Here sizes come from slices, objects live as long as the [`Gl`] that made them, and `glow`'s
//! context cannot be sent to another thread by safe code that holds it here.
#![allow(unsafe_code)]

use std::sync::Arc;

use glow::{HasContext, PixelPackData};

/// A context of OpenGL ES 3, OpenGL 3.3 or WebGL 2.
#[derive(Clone)]
pub struct Gl {
    context: Arc<glow::Context>,
    #[cfg(not(target_arch = "wasm32"))]
    surface: Option<std::rc::Rc<headless::Surface>>,
}

impl std::fmt::Debug for Gl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gl").field("name", &self.name()).finish()
    }
}

/// Why nothing can be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GlError {
    /// The driver refuses a program.
    #[error("the graphics driver refuses the program for {what}: {log}")]
    Program {
        /// What it draws.
        what: &'static str,
        /// What the driver says.
        log: String,
    },
    /// The driver gives no object.
    #[error("the graphics driver gives no {what}: {problem}")]
    Object {
        /// A buffer, a texture.
        what: &'static str,
        /// What it says.
        problem: String,
    },
    /// There is no context without a window.
    #[error("no OpenGL without a window (EGL): {0}; on Debian: apt install libegl1 libgl1 libgl1-mesa-dri")]
    Headless(String),
}

pub type Program = glow::Program;
pub type Buffer = glow::Buffer;
pub type Uniform = Option<glow::UniformLocation>;

/// A texture of depths and the framebuffer that draws into it.
#[derive(Debug, Clone, Copy)]
pub struct DepthTarget {
    frame: glow::Framebuffer,
    texture: glow::Texture,
    pub size: i32,
}

/// Buffers of what is drawn, with their layout.
#[derive(Debug, Clone, Copy)]
pub struct Drawing {
    array: glow::VertexArray,
    pub instances: Buffer,
    buffers: [Buffer; 2],
    indices: i32,
}

/// An attribute of a vertex or an instance.
#[derive(Debug, Clone, Copy)]
pub enum Attribute {
    /// So many numbers.
    Floats(i32),
    /// Four bytes, 0 to 1 each.
    Bytes,
}

impl Attribute {
    fn bytes(self) -> i32 {
        match self {
            Self::Floats(count) => 4 * count,
            Self::Bytes => 4,
        }
    }
}

/// What the next draw does with depth and colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The nearest is seen.
    Opaque,
    /// Blended over what is there, hidden by what is nearer.
    Blended,
    /// Blended over everything.
    OnTop,
}

impl Gl {
    /// Of a context that is current on this thread.
    pub fn new(context: Arc<glow::Context>) -> Self {
        Self {
            context,
            #[cfg(not(target_arch = "wasm32"))]
            surface: None,
        }
    }

    /// A context without a window that draws into memory, by EGL.
    ///
    /// # Errors
    /// [`GlError::Headless`] where there is none; it names what to install.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn headless(width: u32, height: u32) -> Result<Self, GlError> {
        let (context, surface) = headless::context(width, height)?;
        Ok(Self { context: Arc::new(context), surface: Some(std::rc::Rc::new(surface)) })
    }

    /// Whether it draws into memory.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn is_headless(&self) -> bool {
        self.surface.is_some()
    }

    /// The context of `glow`, for others who draw with it.
    pub fn context(&self) -> &Arc<glow::Context> {
        &self.context
    }

    /// What draws, as the driver calls itself.
    pub fn name(&self) -> String {
        unsafe { self.context.get_parameter_string(glow::RENDERER) }
    }

    /// Whether the processor draws.
    pub(crate) fn is_software(&self) -> bool {
        let name = self.name().to_lowercase();
        ["llvmpipe", "softpipe", "swiftshader", "basic render"].iter().any(|known| name.contains(known))
    }

    /// The framebuffer's pixels, red, green, blue, opacity, the top row first.
    pub fn read_pixels(&self, width: u32, height: u32) -> Vec<u8> {
        let row = width as usize * 4;
        let mut pixels = vec![0; row * height as usize];
        unsafe {
            self.context.read_pixels(
                0,
                0,
                width as i32,
                height as i32,
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                PixelPackData::Slice(Some(&mut pixels)),
            );
        }
        pixels.chunks_exact(row.max(1)).rev().flatten().copied().collect()
    }

    /// Waits until everything is drawn: for those who measure.
    pub fn finish(&self) {
        unsafe { self.context.finish() }
    }

    /// Fills the whole framebuffer, depth too.
    pub fn clear_all(&self, [r, g, b, a]: [f32; 4]) {
        unsafe {
            self.context.disable(glow::SCISSOR_TEST);
            self.context.clear_color(r, g, b, a);
            self.context.depth_mask(true);
            self.context.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
        }
    }

    fn header(&self) -> &'static str {
        // WebGL 2 is OpenGL ES 3, and so are phones; the rest of the text is the same.
        if cfg!(target_arch = "wasm32") || self.context.version().is_embedded {
            "#version 300 es\nprecision highp float;\nprecision highp sampler2DShadow;\n"
        } else {
            "#version 330\n"
        }
    }

    /// A program with its attributes at places 0, 1 and so on, and names that are defined in it.
    pub(crate) fn program(
        &self,
        what: &'static str,
        defined: &[&str],
        vertex: &str,
        fragment: &str,
        attributes: &[&str],
    ) -> Result<Program, GlError> {
        let gl = &self.context;
        let lost = |problem| GlError::Object { what: "program", problem };
        unsafe {
            let program = gl.create_program().map_err(lost)?;
            for (place, name) in (0..).zip(attributes) {
                gl.bind_attrib_location(program, place, name);
            }
            let defined: String = defined.iter().map(|name| format!("#define {name}\n")).collect();
            for (kind, text) in [(glow::VERTEX_SHADER, vertex), (glow::FRAGMENT_SHADER, fragment)] {
                let shader = gl.create_shader(kind).map_err(lost)?;
                gl.shader_source(shader, &format!("{}{defined}{text}", self.header()));
                gl.compile_shader(shader);
                if !gl.get_shader_compile_status(shader) {
                    return Err(GlError::Program { what, log: gl.get_shader_info_log(shader) });
                }
                gl.attach_shader(program, shader);
                gl.delete_shader(shader);
            }
            gl.link_program(program);
            if !gl.get_program_link_status(program) {
                return Err(GlError::Program { what, log: gl.get_program_info_log(program) });
            }
            Ok(program)
        }
    }

    pub(crate) fn uniform(&self, program: Program, name: &str) -> Uniform {
        unsafe { self.context.get_uniform_location(program, name) }
    }

    pub(crate) fn use_program(&self, program: Program) {
        unsafe { self.context.use_program(Some(program)) }
    }

    pub(crate) fn set_matrix(&self, at: &Uniform, matrix: &[f32; 16]) {
        unsafe { self.context.uniform_matrix_4_f32_slice(at.as_ref(), false, matrix) }
    }

    pub(crate) fn set_vectors(&self, at: &Uniform, vectors: &[f32]) {
        if !vectors.is_empty() {
            unsafe { self.context.uniform_4_f32_slice(at.as_ref(), vectors) }
        }
    }

    pub(crate) fn set_integer(&self, at: &Uniform, value: i32) {
        unsafe { self.context.uniform_1_i32(at.as_ref(), value) }
    }

    /// Vertices and indices that stay, and a buffer of instances that is filled anew.
    pub(crate) fn drawing(
        &self,
        (vertices, vertex): (&[f32], &[Attribute]),
        indices: &[u32],
        instance: &[Attribute],
    ) -> Result<Drawing, GlError> {
        let gl = &self.context;
        let lost = |problem| GlError::Object { what: "buffer", problem };
        unsafe {
            let array = gl.create_vertex_array().map_err(lost)?;
            gl.bind_vertex_array(Some(array));
            let corners = gl.create_buffer().map_err(lost)?;
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(corners));
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, &bytes_of(vertices), glow::STATIC_DRAW);
            self.layout(0, vertex, 0);
            let order = gl.create_buffer().map_err(lost)?;
            gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(order));
            let list: Vec<u8> = indices.iter().flat_map(|i| i.to_ne_bytes()).collect();
            gl.buffer_data_u8_slice(glow::ELEMENT_ARRAY_BUFFER, &list, glow::STATIC_DRAW);
            let instances = gl.create_buffer().map_err(lost)?;
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(instances));
            self.layout(vertex.len() as u32, instance, 1);
            gl.bind_vertex_array(None);
            Ok(Drawing { array, instances, buffers: [corners, order], indices: indices.len() as i32 })
        }
    }

    /// Attributes one after the other in the buffer that is bound.
    fn layout(&self, first: u32, attributes: &[Attribute], divisor: u32) {
        let stride = attributes.iter().map(|a| a.bytes()).sum();
        let mut offset = 0;
        for (place, attribute) in (first..).zip(attributes) {
            let (count, kind, is_part) = match attribute {
                Attribute::Floats(count) => (*count, glow::FLOAT, false),
                Attribute::Bytes => (4, glow::UNSIGNED_BYTE, true),
            };
            unsafe {
                self.context.enable_vertex_attrib_array(place);
                self.context.vertex_attrib_pointer_f32(place, count, kind, is_part, stride, offset);
                self.context.vertex_attrib_divisor(place, divisor);
            }
            offset += attribute.bytes();
        }
    }

    pub(crate) fn fill(&self, buffer: Buffer, bytes: &[u8]) {
        unsafe {
            self.context.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
            self.context.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytes, glow::STREAM_DRAW);
        }
    }

    pub(crate) fn draw(&self, drawing: &Drawing, instances: usize) {
        unsafe {
            self.context.bind_vertex_array(Some(drawing.array));
            let (indices, count) = (drawing.indices, instances as i32);
            self.context.draw_elements_instanced(glow::TRIANGLES, indices, glow::UNSIGNED_INT, 0, count);
        }
    }

    pub(crate) fn drop_drawing(&self, drawing: Drawing) {
        unsafe {
            self.context.delete_vertex_array(drawing.array);
            drawing
                .buffers
                .into_iter()
                .chain([drawing.instances])
                .for_each(|b| self.context.delete_buffer(b));
        }
    }

    /// A square texture of depths that compares when it is read.
    pub(crate) fn depth_target(&self, size: i32) -> Result<DepthTarget, GlError> {
        let gl = &self.context;
        let lost = |problem| GlError::Object { what: "texture", problem };
        unsafe {
            let texture = gl.create_texture().map_err(lost)?;
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            let (inside, pixels) = (glow::DEPTH_COMPONENT24 as i32, glow::PixelUnpackData::Slice(None));
            let (depth, kind) = (glow::DEPTH_COMPONENT, glow::UNSIGNED_INT);
            gl.tex_image_2d(glow::TEXTURE_2D, 0, inside, size, size, 0, depth, kind, pixels);
            for (what, value) in [
                (glow::TEXTURE_MIN_FILTER, glow::LINEAR),
                (glow::TEXTURE_MAG_FILTER, glow::LINEAR),
                (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_COMPARE_MODE, glow::COMPARE_REF_TO_TEXTURE),
                (glow::TEXTURE_COMPARE_FUNC, glow::LEQUAL),
            ] {
                gl.tex_parameter_i32(glow::TEXTURE_2D, what, value as i32);
            }
            let frame = gl.create_framebuffer().map_err(lost)?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(frame));
            let place = glow::DEPTH_ATTACHMENT;
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, place, glow::TEXTURE_2D, Some(texture), 0);
            gl.draw_buffers(&[glow::NONE]);
            gl.read_buffer(glow::NONE);
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            Ok(DepthTarget { frame, texture, size })
        }
    }

    /// Draws depths there from now on, on nothing.
    pub(crate) fn begin_depths(&self, target: &DepthTarget) {
        unsafe {
            self.context.bind_framebuffer(glow::FRAMEBUFFER, Some(target.frame));
            self.context.viewport(0, 0, target.size, target.size);
            self.context.disable(glow::SCISSOR_TEST);
            self.context.depth_mask(true);
            self.context.clear(glow::DEPTH_BUFFER_BIT);
        }
        self.mode(Mode::Opaque);
    }

    /// Draws into a part of the screen from now on, over one colour.
    pub(crate) fn begin_screen(&self, [x, y, width, height]: [i32; 4], [r, g, b]: [f32; 3]) {
        unsafe {
            self.context.bind_framebuffer(glow::FRAMEBUFFER, None);
            self.context.viewport(x, y, width, height);
            self.context.enable(glow::SCISSOR_TEST);
            self.context.scissor(x, y, width, height);
            self.context.clear_color(r, g, b, 1.0);
            self.context.depth_mask(true);
            self.context.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
        }
    }

    pub(crate) fn bind_depths(&self, target: &DepthTarget) {
        unsafe {
            self.context.active_texture(glow::TEXTURE0);
            self.context.bind_texture(glow::TEXTURE_2D, Some(target.texture));
        }
    }

    pub(crate) fn mode(&self, mode: Mode) {
        let gl = &self.context;
        unsafe {
            gl.disable(glow::CULL_FACE);
            gl.depth_func(glow::LEQUAL);
            match mode {
                Mode::Opaque => gl.disable(glow::BLEND),
                Mode::Blended | Mode::OnTop => {
                    gl.enable(glow::BLEND);
                    gl.blend_equation(glow::FUNC_ADD);
                    // The picture stays opaque: on a page what is behind it would shine through.
                    let (over, under) = (glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA);
                    gl.blend_func_separate(over, under, glow::ONE, under);
                }
            }
            if mode == Mode::OnTop {
                gl.disable(glow::DEPTH_TEST);
            } else {
                gl.enable(glow::DEPTH_TEST);
            }
            gl.depth_mask(mode == Mode::Opaque);
        }
    }

    /// Leaves out triangles that are seen from behind, or not.
    pub(crate) fn cull(&self, backs: bool) {
        unsafe {
            if backs {
                self.context.enable(glow::CULL_FACE);
            } else {
                self.context.disable(glow::CULL_FACE);
            }
        }
    }

    /// Leaves nothing bound, for those who draw next.
    pub(crate) fn leave(&self) {
        unsafe {
            self.context.disable(glow::CULL_FACE);
            self.context.bind_vertex_array(None);
            self.context.bind_buffer(glow::ARRAY_BUFFER, None);
            self.context.bind_texture(glow::TEXTURE_2D, None);
            self.context.use_program(None);
            self.context.depth_mask(true);
            self.context.disable(glow::DEPTH_TEST);
        }
    }
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_ne_bytes()).collect()
}

#[cfg(not(target_arch = "wasm32"))]
mod headless {
    use std::num::NonZeroU32;

    use glutin::api::egl::config::Config;
    use glutin::api::egl::context::PossiblyCurrentContext;
    use glutin::api::egl::device::Device;
    use glutin::api::egl::display::Display;
    use glutin::api::egl::surface;
    use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
    use glutin::context::{ContextApi, ContextAttributesBuilder, Version};
    use glutin::display::GlDisplay;
    use glutin::prelude::NotCurrentGlContext;
    use glutin::surface::{PbufferSurface, SurfaceAttributesBuilder};

    use super::GlError;

    /// What a context needs as long as it lives.
    pub struct Surface {
        _context: PossiblyCurrentContext,
        _surface: surface::Surface<PbufferSurface>,
    }

    pub fn context(width: u32, height: u32) -> Result<(glow::Context, Surface), GlError> {
        let devices = Device::query_devices().map_err(|error| GlError::Headless(error.to_string()))?;
        let mut last = "no device".to_owned();
        // The first that can: a graphics card without rights comes before the one of software.
        for device in devices {
            match on_device(&device, width, height) {
                Ok(made) => return Ok(made),
                Err(error) => last = error.to_string(),
            }
        }
        Err(GlError::Headless(last))
    }

    type Made = (glow::Context, Surface);

    fn on_device(device: &Device, width: u32, height: u32) -> Result<Made, Box<dyn std::error::Error>> {
        let side = |pixels: u32| NonZeroU32::new(pixels).ok_or("a picture has at least one pixel");
        let (width, height) = (side(width)?, side(height)?);
        // SAFETY: the display, configuration and surface are kept as long as the context, see `Surface`.
        unsafe {
            let display = Display::with_device(device, None)?;
            let wanted = ConfigTemplateBuilder::new()
                .with_surface_type(ConfigSurfaceTypes::PBUFFER)
                .with_alpha_size(8)
                .with_depth_size(24)
                .build();
            let config: Config = display.find_configs(wanted)?.next().ok_or("no configuration with depth")?;
            let api = ContextApi::OpenGl(Some(Version::new(3, 3)));
            let attributes = ContextAttributesBuilder::new().with_context_api(api).build(None);
            let context = display.create_context(&config, &attributes)?;
            let size = SurfaceAttributesBuilder::<PbufferSurface>::new().build(width, height);
            let surface = display.create_pbuffer_surface(&config, &size)?;
            let context = context.make_current(&surface)?;
            let gl = glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name));
            Ok((gl, Surface { _context: context, _surface: surface }))
        }
    }
}
