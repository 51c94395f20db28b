//! What is drawn, layer by layer, and how the layers become colours.

use std::collections::BTreeMap;

use sudar::{Aabb, DVec3};

use super::marks::Marks;
use super::raster::{Depths, fill, line, pixel_of};
use super::view::{Soup, View};

/// Red, green and blue.
type Colour = [u8; 3];

const PARTS: [Colour; 2] = [[0x2f, 0x6f, 0xde], [0xf2, 0x8c, 0x28]];
const OVERLAP: Colour = [0xd6, 0x14, 0x1e];
const CURVE: Colour = [0x96, 0x06, 0x10];
const NEIGHBOUR: Colour = [0xa4, 0xaa, 0xb2];
const LINE: Colour = [0x1c, 0x22, 0x2c];
const PAPER: Colour = [0xff, 0xff, 0xff];

/// How much of its own colour a layer has: what is before the parts, what stands alone, the overlap behind a surface,
/// lines between faces, the curve where it is hidden.
const VEIL: f64 = 0.2;
const ALONE: f64 = 0.45;
const SHINING: f64 = 0.72;
const LINES: f64 = 0.6;
const HIDDEN: f64 = 0.75;

/// Shades of a colour: few, so that pictures stay small.
const SHADES: f64 = 20.0;
/// Faces whose normals have a lesser cosine are told apart by a line.
const CREASE: f64 = 0.85;
/// A jump in depth, beside the depth, is an outline.
const JUMP: f64 = 0.03;
/// A red area smaller than this gets a ring around it, in pixels.
const SMALL: usize = 30;
const RING: f64 = 26.0;

/// A face at a pixel: which part it is of, and its normal as the eye sees it, towards the eye.
#[derive(Debug, Clone, Copy)]
struct Face {
    side: usize,
    normal: DVec3,
}

/// Surfaces, the nearest at each pixel.
struct Layer {
    depths: Depths,
    /// The number of its face, from 1; 0 for none.
    nearest: Vec<u32>,
    faces: Vec<Face>,
}

impl Layer {
    fn new(size: [usize; 2]) -> Self {
        Self { depths: Depths::new(size), nearest: vec![0; size[0] * size[1]], faces: Vec::new() }
    }

    /// Adds a face, and gives its number.
    fn add(&mut self, face: Face) -> u32 {
        self.faces.push(face);
        self.faces.len() as u32
    }

    fn put(&mut self, pixel: usize, depth: f64, face: u32) {
        if self.depths.put(pixel, depth) {
            self.nearest[pixel] = face;
        }
    }

    fn face(&self, pixel: usize) -> Option<Face> {
        self.faces.get((self.nearest[pixel] as usize).wrapping_sub(1)).copied()
    }
}

/// A surface that the ray of a pixel passes.
struct Passage {
    pixel: usize,
    depth: f64,
    side: usize,
    /// +1 where the ray enters the part, −1 where it leaves it.
    turn: i32,
}

/// A picture being drawn.
pub(super) struct Picture<'a> {
    view: &'a View,
    marks: &'a Marks,
    pair: Layer,
    neighbours: Layer,
    /// Where what both parts fill begins.
    overlap: Depths,
}

impl<'a> Picture<'a> {
    pub fn new(view: &'a View, marks: &'a Marks) -> Self {
        let layer = || Layer::new(view.size);
        Self { view, marks, pair: layer(), neighbours: layer(), overlap: Depths::new(view.size) }
    }

    /// Draws both parts, and what they have in common: the regions of solids, and areas where surfaces meet.
    pub fn draw_pair(&mut self, pair: &[Soup; 2], are_solid: bool, regions: &[Aabb]) {
        let around = if are_solid { self.window(regions) } else { None };
        let mut passages = Vec::new();
        for (side, soup) in pair.iter().enumerate() {
            for triangle in soup {
                self.draw(side, *triangle, around, &mut passages);
            }
        }
        self.find_overlap(passages);
        for area in &self.marks.areas {
            let (view, overlap) = (self.view, &mut self.overlap);
            fill(view, area.map(|p| view.seen(p)), &mut |pixel, depth| {
                overlap.put(pixel, depth);
            });
        }
    }

    /// The columns and rows in which regions are; all if one reaches behind the eye.
    fn window(&self, regions: &[Aabb]) -> Option<[f64; 4]> {
        let corners = regions.iter().flat_map(|region| region.corners()).map(|p| self.view.seen(p));
        let corners: Vec<DVec3> = corners.collect();
        if corners.iter().any(|p| p.z <= self.view.near()) {
            return Some([f64::NEG_INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY]);
        }
        let places = corners.into_iter().map(|p| self.view.pixel(p));
        let (low, high) = places.map(|p| (p, p)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        Some([low.x - 2.0, low.y - 2.0, high.x + 2.0, high.y + 2.0])
    }

    fn draw(
        &mut self,
        side: usize,
        triangle: [DVec3; 3],
        around: Option<[f64; 4]>,
        passages: &mut Vec<Passage>,
    ) {
        let seen = triangle.map(|p| self.view.seen(p));
        if self.view.misses(&seen) {
            return;
        }
        let Some((face, turn)) = face(side, seen) else { return };
        let (width, face) = (self.view.size[0], self.pair.add(face));
        fill(self.view, seen, &mut |pixel, depth| {
            self.pair.put(pixel, depth, face);
            let (x, y) = ((pixel % width) as f64, (pixel / width) as f64);
            if around
                .is_some_and(|[left, top, right, bottom]| x >= left && x <= right && y >= top && y <= bottom)
            {
                passages.push(Passage { pixel, depth, side, turn });
            }
        });
    }

    /// Follows the ray of each pixel through both solids, to where it is in both. A ray that starts within a solid
    /// leaves it once more than it enters.
    fn find_overlap(&mut self, mut passages: Vec<Passage>) {
        passages.sort_by(|p, q| {
            p.pixel.cmp(&q.pixel).then(p.depth.total_cmp(&q.depth)).then(p.side.cmp(&q.side))
        });
        for ray in passages.chunk_by(|p, q| p.pixel == q.pixel) {
            let sum = |side: usize| ray.iter().filter(|p| p.side == side).map(|p| p.turn).sum::<i32>();
            let mut within = [-sum(0), -sum(1)];
            if within.iter().all(|&turns| turns != 0) {
                self.overlap.put(ray[0].pixel, self.view.near());
            }
            for (number, passage) in ray.iter().enumerate() {
                within[passage.side] += passage.turn;
                // An overlap without length is none: flush faces are no volume.
                let is_long = ray.get(number + 1).is_some_and(|next| next.depth > passage.depth);
                if is_long && within.iter().all(|&turns| turns != 0) {
                    self.overlap.put(passage.pixel, passage.depth);
                }
            }
        }
    }

    pub fn draw_neighbour(&mut self, soup: &Soup) {
        for triangle in soup {
            let seen = triangle.map(|p| self.view.seen(p));
            if self.view.misses(&seen) {
                continue;
            }
            let Some((face, _)) = face(0, seen) else { continue };
            let face = self.neighbours.add(face);
            fill(self.view, seen, &mut |pixel, depth| self.neighbours.put(pixel, depth, face));
        }
    }

    /// All layers over each other.
    pub fn painted(&self) -> Image {
        let size = self.view.size;
        let pixels = (0..size[0] * size[1]).map(|pixel| self.colour(pixel)).collect();
        let mut image = Image { size, pixels };
        let curve = self.paint_curve(&mut image);
        let red = (0..size[0] * size[1]).filter(|&pixel| self.overlap.at(pixel) < f64::INFINITY);
        if red.count().max(curve) < SMALL * SMALL / 2 {
            self.paint_ring(&mut image);
        }
        image
    }

    fn colour(&self, pixel: usize) -> Colour {
        let (depth, face) = (self.pair.depths.at(pixel), self.pair.face(pixel));
        let mut colour = face.map_or(PAPER, |face| shaded(PARTS[face.side], face.normal));
        if self.neighbours.depths.at(pixel) < depth
            && let Some(other) = self.neighbours.face(pixel)
        {
            let part = if face.is_some() { VEIL } else { ALONE };
            let edge = if self.is_edge(&self.neighbours, pixel) { 0.3 } else { 0.0 };
            colour = mixed(mixed(colour, shaded(NEIGHBOUR, other.normal), part), LINE, edge);
        }
        if self.overlap.at(pixel) < f64::INFINITY {
            let is_front = self.overlap.is_before_or_at(pixel, depth);
            colour = mixed(colour, OVERLAP, if is_front { 0.92 } else { SHINING });
        }
        let outline = self.is_edge(&self.pair, pixel);
        let rim = self.is_rim(pixel);
        match (rim, outline) {
            (true, _) => mixed(colour, CURVE, HIDDEN),
            (false, true) => mixed(colour, LINE, LINES),
            (false, false) => colour,
        }
    }

    /// The pixels to the right and below, if they are in the picture, otherwise the pixel itself.
    #[inline(always)]
    fn next(&self, pixel: usize) -> [usize; 2] {
        let [width, height] = self.view.size;
        let right = if pixel % width + 1 < width { pixel + 1 } else { pixel };
        [right, if pixel + width < width * height { pixel + width } else { pixel }]
    }

    /// Whether another face or part begins beside a pixel.
    fn is_edge(&self, layer: &Layer, pixel: usize) -> bool {
        let differs = |other: usize| match (layer.face(pixel), layer.face(other)) {
            (None, None) => false,
            (Some(p), Some(q)) => {
                let [near, far] = [pixel, other].map(|pixel| layer.depths.at(pixel));
                let jump = (near - far).abs() > JUMP * near.min(far);
                p.side != q.side || p.normal.dot(q.normal) < CREASE || jump
            }
            (Some(_), None) | (None, Some(_)) => true,
        };
        self.next(pixel).into_iter().any(differs)
    }

    /// Whether the overlap ends beside a pixel.
    fn is_rim(&self, pixel: usize) -> bool {
        let is_red = |pixel: usize| self.overlap.at(pixel) < f64::INFINITY;
        self.next(pixel).into_iter().any(|other| is_red(other) != is_red(pixel))
    }

    /// Draws where the surfaces cross, fainter where that is hidden, and says how many pixels that took.
    fn paint_curve(&self, image: &mut Image) -> usize {
        let mut count = 0;
        for segment in &self.marks.segments {
            line(self.view, segment.map(|p| self.view.seen(p)), &mut |pixel, depth| {
                count += 1;
                let is_seen = self.pair.depths.is_before(pixel, depth);
                let (colour, part) = if is_seen { (OVERLAP, 1.0) } else { (CURVE, HIDDEN) };
                let beside = self.next(pixel).into_iter().filter(|other| *other != pixel);
                for pixel in beside.chain([pixel]) {
                    image.pixels[pixel] = mixed(image.pixels[pixel], colour, part);
                }
            });
        }
        count
    }

    /// A ring around the point of the clash, which is in the middle.
    fn paint_ring(&self, image: &mut Image) {
        let middle = self.view.pixel(self.view.seen(DVec3::ZERO));
        let [width, height] = image.size;
        for pixel in 0..width * height {
            let place = DVec3::new((pixel % width) as f64 + 0.5, (pixel / width) as f64 + 0.5, middle.z);
            if (place.distance(middle) - RING).abs() < 1.5 {
                image.pixels[pixel] = OVERLAP;
            }
        }
        if let Some(pixel) = pixel_of(middle, image.size) {
            let [right, below] = self.next(pixel);
            [right, below, pixel].into_iter().for_each(|pixel| image.pixels[pixel] = OVERLAP);
        }
    }
}

/// A face with its normal towards the eye, and how a ray passes it; none without area.
fn face(side: usize, [a, b, c]: [DVec3; 3]) -> Option<(Face, i32)> {
    let normal = (b - a).cross(c - a).try_normalize()?;
    let is_away = normal.dot(a) > 0.0;
    let normal = if is_away { DVec3::ZERO - normal } else { normal };
    Some((Face { side, normal }, if is_away { -1 } else { 1 }))
}

/// Light from the upper left behind the eye.
const LIGHT: DVec3 = DVec3::new(-0.36, 0.72, -0.59);

/// A colour in that light, in one of few shades.
fn shaded(colour: Colour, normal: DVec3) -> Colour {
    let bright = 0.55 + 0.45 * normal.dot(LIGHT).max(0.0);
    let bright = (bright * SHADES).round() / SHADES;
    mixed([0; 3], colour, bright)
}

/// So much of the second colour over the first.
fn mixed(below: Colour, above: Colour, part: f64) -> Colour {
    // Half up: all is positive.
    let mix = |i: usize| (f64::from(below[i]) * (1.0 - part) + f64::from(above[i]) * part + 0.5) as u8;
    [mix(0), mix(1), mix(2)]
}

/// Colours in rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Image {
    pub size: [usize; 2],
    pub pixels: Vec<Colour>,
}

impl Image {
    /// As PNG, with a palette if that holds all colours.
    pub fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let runs = || self.pixels.chunk_by(|p, q| p == q);
        let mut palette: BTreeMap<Colour, usize> = runs().map(|run| (run[0], 0)).collect();
        palette.values_mut().enumerate().for_each(|(number, place)| *place = number);
        let is_small = palette.len() <= 256;
        let mut bytes = Vec::new();
        let [width, height] = self.size.map(|pixels| pixels as u32);
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_color(if is_small { png::ColorType::Indexed } else { png::ColorType::Rgb });
        if is_small {
            encoder.set_palette(palette.keys().flatten().copied().collect::<Vec<u8>>());
        }
        let mut writer = encoder.write_header()?;
        let data: Vec<u8> = match is_small {
            true => runs().flat_map(|run| std::iter::repeat_n(palette[&run[0]] as u8, run.len())).collect(),
            false => self.pixels.iter().flatten().copied().collect(),
        };
        writer.write_image_data(&data)?;
        writer.finish()?;
        Ok(bytes)
    }
}
