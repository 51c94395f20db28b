//! A picture of a clash, drawn by our own rasteriser: no graphics card, no window, the same bytes everywhere.
//!
//! The first part is blue, the second orange, what both fill is red and shines through, other parts near it are grey
//! and see-through. The camera looks at the point of the clash from the side from which most of it is seen.

mod camera;
mod marks;
mod paint;
mod raster;
mod view;

use sudar::{Aabb, DVec3};

use marks::Marks;
use paint::Picture;
pub(crate) use view::{Camera, SIZE};
use view::{Soup, View};

use crate::document::{ClashInfo, Document};
use crate::part::Part;

/// How much of the scene is seen from top to bottom, in degrees.
pub(crate) const FIELD_OF_VIEW: f64 = 60.0;

/// No more parts than this are drawn grey, and no more of their triangles.
const NEIGHBOURS: usize = 24;
const NEIGHBOURS_TRIANGLES: usize = 100_000;

/// Takes pictures of the clashes of a document.
pub(crate) struct Photographer<'a> {
    pub parts: &'a [Part],
    pub document: &'a Document<'a>,
    /// Unit vector that is up.
    pub up: DVec3,
}

impl Photographer<'_> {
    /// Where one looks at a clash from and, if it is wanted, what one sees, as PNG. O(triangles of both parts and of
    /// what is near).
    ///
    /// # Errors
    /// Those of the encoder: none in practice, for it writes to memory.
    pub fn shoot(
        &self,
        clash: &ClashInfo<'_>,
        is_pictured: bool,
    ) -> Result<(Camera, Option<Vec<u8>>), png::EncodingError> {
        let marks = Marks::of(self.parts, clash);
        let bounds = [clash.a, clash.b].map(|part| self.document.parts[part].bounds);
        let radius = radius(clash, &marks, &bounds);
        let pair = [clash.a, clash.b].map(|part| soup(&self.parts[part], clash.point));
        let view = camera::best(&pair, &marks, radius, self.up);
        let camera = view.camera(clash.point);
        if !is_pictured {
            return Ok((camera, None));
        }
        let image = self.picture(clash, &view, &pair, &marks, radius).painted();
        Ok((camera, Some(image.png()?)))
    }

    fn picture<'p>(
        &self,
        clash: &ClashInfo<'_>,
        view: &'p View,
        pair: &[Soup; 2],
        marks: &'p Marks,
        radius: f64,
    ) -> Picture<'p> {
        let is_solid = [clash.a, clash.b].map(|part| self.document.parts[part].closed);
        let regions: Vec<Aabb> =
            clash.regions.iter().map(|region| moved(region.bounds, clash.point)).collect();
        let neighbours = self.neighbours(clash, 2.0 * radius);
        let mut picture = Picture::new(view, marks);
        picture.draw_pair(pair, is_solid == [true; 2], &regions);
        neighbours.iter().for_each(|&part| picture.draw_neighbour(&soup(&self.parts[part], clash.point)));
        picture
    }

    /// The parts near a clash that do not belong to it, the nearest first.
    fn neighbours(&self, clash: &ClashInfo<'_>, reach: f64) -> Vec<usize> {
        let distance = |part: usize| {
            let bounds = &self.document.parts[part].bounds;
            clash.point.distance(clash.point.clamp(bounds.min, bounds.max))
        };
        let others = (0..self.parts.len()).filter(|&part| part != clash.a && part != clash.b);
        let mut near: Vec<(f64, usize)> = others.map(|part| (distance(part), part)).collect();
        near.retain(|(distance, _)| *distance <= reach);
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(NEIGHBOURS);
        let mut left = NEIGHBOURS_TRIANGLES;
        let mut fits = |part: &usize| {
            let size = self.document.parts[*part].triangles;
            let fits = size <= left;
            left -= if fits { size } else { 0 };
            fits
        };
        near.into_iter().map(|(_, part)| part).filter(|part| fits(part)).collect()
    }
}

/// The triangles of a part, from `origin`, so that little is rounded.
fn soup(part: &Part, origin: DVec3) -> Soup {
    let Some(mesh) = part.body.mesh() else { return Soup::new() };
    let vertices: Vec<DVec3> = mesh.vertices().iter().map(|&p| part.pose.apply(p) - origin).collect();
    mesh.triangles().iter().map(|triangle| triangle.map(|vertex| vertices[vertex as usize])).collect()
}

fn moved(bounds: Aabb, origin: DVec3) -> Aabb {
    Aabb { min: bounds.min - origin, max: bounds.max - origin }
}

/// How far around the clash is shown beside how large the place is, and beside the size of the smaller part; between
/// the two their geometric mean counts, so that neither a tiny place nor a long pipe is lost.
const AROUND_PLACE: f64 = 2.2;
const AROUND_BETWEEN: f64 = 1.2;
const AROUND_PART: f64 = 0.2;

/// How far around the point of a clash is shown.
fn radius(clash: &ClashInfo<'_>, marks: &Marks, bounds: &[Aabb; 2]) -> f64 {
    let far = |points: &[DVec3]| points.iter().map(|p| p.length()).fold(0.0, f64::max);
    let part = bounds.iter().map(|bounds| 0.5 * bounds.extent().length()).fold(f64::INFINITY, f64::min);
    let place = match clash.regions.first() {
        Some(region) => far(&moved(region.bounds, clash.point).corners()),
        None => far(&marks.points()).min(part.max(clash.distance)),
    };
    let all = bounds.iter().map(|bounds| far(&moved(*bounds, clash.point).corners())).fold(0.0, f64::max);
    let wanted = (AROUND_PLACE * place).max(AROUND_BETWEEN * (place * part).sqrt()).max(AROUND_PART * part);
    let radius = wanted.min(1.1 * all);
    // Parts without extent have to be seen from somewhere.
    if radius > 0.0 && radius.is_finite() { radius } else { 1.0 }
}

#[cfg(test)]
mod tests;
