//! In which order, and in how many triangles, instances are drawn.

use std::sync::Arc;

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

/// Opaque instances from near to far, so that what is hidden is not lit; clear ones from far to near, so that they
/// blend.
/// Each in as many triangles as its size on the screen wants.
pub fn sorted(scene: &Scene, height_of_one: f64) -> [Vec<Group<'_>>; 2] {
    let eye = scene.camera.eye;
    let away = |i: &Instance| (i.place.at - eye).length_squared() as f32;
    let mut all = [Vec::new(), Vec::new()];
    for batch in &scene.batches {
        let (mut near, mut clear): (Vec<&Instance>, Vec<&Instance>) =
            batch.instances.iter().partition(|instance| instance.color.0[3] == 255);
        if near.len() < SORTED {
            near.sort_by(|a, b| away(a).total_cmp(&away(b)));
        }
        clear.sort_by(|a, b| away(b).total_cmp(&away(a)));
        for (groups, instances) in all.iter_mut().zip([near, clear]) {
            groups.extend(by_level(batch, instances, |i| {
                let (radius, away) = (i.place.scale.max_element(), f64::from(away(i)).sqrt());
                (radius / away.max(1e-9) * height_of_one) as f32
            }));
        }
    }
    all
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
