//! The laboratory without a window: pictures, and runs from a script.

use std::io::Write;

use egui::{Event, FullOutput, RawInput, Rect, ViewportInfo, pos2, vec2};
use egui_glow::Painter;
use sudar_view::{Gl, GlError};

use crate::app::Lab;

/// Frames of a second.
const RATE: f64 = 60.0;

/// A laboratory that draws into memory. Time is that of its frames, so that equal runs make equal pictures.
pub struct Headless {
    /// The program.
    pub lab: Lab,
    context: egui::Context,
    painter: Painter,
    gl: Gl,
    size: [u32; 2],
    frame: u64,
    scale: f32,
}

impl std::fmt::Debug for Headless {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Headless")
            .field("size", &self.size)
            .field("frame", &self.frame)
            .finish_non_exhaustive()
    }
}

/// What one sees: pixels of red, green, blue and opacity, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Four bytes a pixel.
    pub rgba: Vec<u8>,
}

impl Headless {
    /// Whether a list of choices is open.
    pub fn is_list_open(&self) -> bool {
        egui::Popup::is_any_open(&self.context)
    }

    /// A laboratory of so many pixels, each point so many of them wide.
    ///
    /// # Errors
    /// [`GlError`] where there is no OpenGL without a window.
    pub fn new(lab: Lab, [width, height]: [u32; 2], scale: f32) -> Result<Self, GlError> {
        let gl = Gl::headless(width, height)?;
        let painter = Painter::new(gl.context().clone(), "", None, false)
            .map_err(|error| GlError::Headless(error.to_string()))?;
        let context = egui::Context::default();
        crate::style::set_style(&context);
        Ok(Self { lab, context, painter, gl, size: [width, height], frame: 0, scale })
    }

    /// The driver.
    pub fn gl(&self) -> &Gl {
        &self.gl
    }

    /// How many frames have passed.
    pub fn frames(&self) -> u64 {
        self.frame
    }

    /// One frame with these events, a sixtieth of a second after the last.
    pub fn frame(&mut self, events: Vec<Event>) {
        let output = self.run(events);
        self.paint(output);
    }

    /// The same, with nothing drawn but what fonts and pictures need.
    pub fn advance(&mut self, events: Vec<Event>) {
        let mut output = self.run(events);
        self.painter.paint_and_update_textures(
            self.size,
            output.pixels_per_point,
            &[],
            &mut output.textures_delta,
        );
    }

    fn run(&mut self, events: Vec<Event>) -> FullOutput {
        let [width, height] = self.size.map(|pixels| pixels as f32 / self.scale);
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height))),
            time: Some(self.frame as f64 / RATE),
            predicted_dt: 1.0 / RATE as f32,
            focused: true,
            events,
            ..RawInput::default()
        };
        let info = ViewportInfo { native_pixels_per_point: Some(self.scale), ..ViewportInfo::default() };
        input.viewports.insert(input.viewport_id, info);
        self.frame += 1;
        let lab = &mut self.lab;
        self.context.run_ui(input, |ui| lab.frame(ui))
    }

    fn paint(&mut self, mut output: FullOutput) {
        self.gl.clear_all(crate::style::GROUND);
        let shapes = self.context.tessellate(output.shapes, output.pixels_per_point);
        let textures = &mut output.textures_delta;
        self.painter.paint_and_update_textures(self.size, output.pixels_per_point, &shapes, textures);
    }

    /// What was drawn.
    pub fn picture(&self) -> Picture {
        let [width, height] = self.size;
        Picture { width, height, rgba: self.gl.read_pixels(width, height) }
    }
}

impl Drop for Headless {
    fn drop(&mut self) {
        self.painter.destroy();
    }
}

impl Picture {
    /// Half as wide and high, each pixel the mean of four: smooth edges.
    #[must_use]
    pub fn halved(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let mut rgba = Vec::with_capacity((width * height * 4) as usize);
        for y in 0..height {
            for x in 0..width {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| self.at(2 * x + i, 2 * y + j));
                let mean =
                    |k: usize| four.iter().map(|pixel| u32::from(pixel[k])).sum::<u32>().div_ceil(4) as u8;
                rgba.extend([0, 1, 2, 3].map(mean));
            }
        }
        Self { width, height, rgba }
    }

    /// A pixel, from the upper left; black beyond the edges.
    pub fn at(&self, x: u32, y: u32) -> [u8; 4] {
        let place = (y as usize * self.width as usize + x as usize) * 4;
        let pixel = self.rgba.get(place..place + 4).filter(|_| x < self.width);
        pixel.and_then(|pixel| pixel.try_into().ok()).unwrap_or([0; 4])
    }

    /// Writes it as PNG.
    ///
    /// # Errors
    /// Of writing.
    pub fn write_png(&self, to: impl Write) -> Result<(), png::EncodingError> {
        let mut encoder = png::Encoder::new(to, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&self.rgba)
    }
}
