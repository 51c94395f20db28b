//! In which order, and in how many triangles, instances are drawn.

use std::sync::Arc;

use glam::{DVec3, DVec4};

use super::camera::Camera;
use super::geometry::Geometry;
use super::scene::{Batch, Instance, Look, Scene};

/// Instances of one geometry and look, in the order in which they are drawn.
pub struct Group<'s> {
    pub geometry: Arc<Geometry>,
    pub look: Look,
    pub instances: Vec<&'s Instance>,
}

/// More instances than this are drawn in any order: to sort them takes longer than what it spares.
const SORTED: usize = 20_000;

/// Things by a number of each, the least first, and equal ones as they were. The sort is of numbers alone: one for all
/// kinds of things.
pub fn ascending<T: Clone>(list: &[T], number: impl FnMut(&T) -> f64) -> Vec<T> {
    let mut numbers: Vec<(f64, u32)> = list.iter().map(number).zip(0..).collect();
    numbers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    numbers.iter().map(|(_, place)| list[*place as usize].clone()).collect()
}

/// What a camera sees of a scene: opaque instances from near to far, so that what is hidden is not lit; clear ones from
/// far to near, so that they blend. Each in as many triangles as its size on the screen wants; `height_of_one` is that
/// of a metre a metre away, in pixels.
pub fn seen(scene: &Scene, aspect: f64, height_of_one: f64) -> [Vec<Group<'_>>; 2] {
    let eye = scene.camera.eye;
    let away = |i: &Instance| (i.place.at - eye).length_squared() as f32;
    let sides = sides(&scene.camera, aspect);
    let mut all = [Vec::new(), Vec::new()];
    for batch in &scene.batches {
        let reach = f64::from(batch.geometry.reach);
        let is_seen = |i: &&Instance| {
            let (to, radius) = (i.place.at - eye, reach * i.place.scale.abs().max_element());
            sides.iter().all(|side| side.dot(to) >= -radius)
        };
        let (mut near, clear): (Vec<&Instance>, Vec<&Instance>) =
            batch.instances.iter().filter(is_seen).partition(|instance| is_opaque(instance));
        if near.len() < SORTED {
            near = ascending(&near, |i| f64::from(away(i)));
        }
        let clear = ascending(&clear, |i| -f64::from(away(i)));
        for (groups, instances) in all.iter_mut().zip([near, clear]) {
            groups.extend(by_level(batch, instances, |i| {
                let (radius, away) = (i.place.scale.max_element(), f64::from(away(i)).sqrt());
                (radius / away.max(1e-9) * height_of_one) as f32
            }));
        }
    }
    all
}

/// All opaque instances, in as many triangles as their size in the map of shadows wants; `pixel` is the width of one.
pub fn casting(scene: &Scene, pixel: f64) -> Vec<Group<'_>> {
    let groups = scene.batches.iter().flat_map(|batch| {
        let opaque = batch.instances.iter().filter(|instance| is_opaque(instance)).collect();
        by_level(batch, opaque, |i| (i.place.scale.max_element() / (2.0 * pixel)) as f32)
    });
    groups.collect()
}

fn is_opaque(instance: &Instance) -> bool {
    instance.color.0[3] == 255
}

/// Inner normals, of length 1, of the four planes through the eye and the sides of the picture.
fn sides(camera: &Camera, aspect: f64) -> [DVec3; 4] {
    let clip = camera.clip(aspect);
    let side = |row: DVec4| row.truncate().normalize_or_zero();
    let [x, y, w] = [0, 1, 3].map(|k| clip.row(k));
    [side(w + x), side(w - x), side(w + y), side(w - y)]
}

/// The instances by the version of their geometry that is fine enough.
fn by_level<'s>(
    batch: &Batch,
    instances: Vec<&'s Instance>,
    pixels: impl Fn(&Instance) -> f32,
) -> Vec<Group<'s>> {
    let group = |geometry: &Arc<Geometry>, instances| Group {
        geometry: geometry.clone(),
        look: batch.look,
        instances,
    };
    if batch.geometry.coarser.is_empty() {
        return vec![group(&batch.geometry, instances)];
    }
    let mut groups: Vec<Group<'s>> = Vec::new();
    for instance in instances {
        let level = batch.geometry.level(pixels(instance));
        match groups.iter_mut().find(|known| Arc::ptr_eq(&known.geometry, level)) {
            Some(known) => known.instances.push(instance),
            None => groups.push(group(level, vec![instance])),
        }
    }
    groups
}
