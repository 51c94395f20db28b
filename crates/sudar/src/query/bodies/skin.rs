//! The facets of a surface and the sides to which they face.

use glam::DVec3;

use crate::effort::Meter;
use crate::shape::{Bend, Facets, Mesh};

/// Whether a point is inside a solid.
type Encloses<'e> = &'e dyn Fn(DVec3) -> bool;

/// The flat facets of a surface, with the outside of those of a solid.
#[derive(Debug, Default)]
pub(crate) struct Skin {
    pub facets: Facets,
    /// For each facet whether its normal points out of the solid; `None` of surfaces, and where it could not be found.
    outward: Vec<Option<bool>>,
}

/// Where the outside is looked for over a triangle, in parts of its size.
const HEIGHTS: [f64; 3] = [1.0 / 128.0, 1e-5, 1e-8];

/// So many facets of a connected set are tried.
const TRIES: usize = 16;

impl Skin {
    /// Finds them; O(n log n). Orientation of triangles plays no part: of each set of facets that are
    /// connected by creases with two sides one is tested from both sides, and the others follow. `None` if
    /// the meter stops.
    pub fn of(mesh: &Mesh, encloses: Option<Encloses>, meter: &mut Meter) -> Option<Self> {
        let facets = Facets::of(mesh, meter)?;
        let mut outward = vec![None; facets.facets.len()];
        if let Some(encloses) = encloses {
            let links = links(mesh, &facets);
            let mut seen = vec![false; outward.len()];
            for first in 0..outward.len() {
                meter.check().is_continue().then_some(())?;
                if !seen[first] {
                    let set = spread((mesh, encloses), &facets, &links, first as u32, &mut outward);
                    set.into_iter().for_each(|f| seen[f as usize] = true);
                }
            }
        }
        Some(Self { facets, outward })
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.facets.bytes() + size_of_val(&*self.outward)
    }

    /// The unit normal of a facet, in the frame of the body, that points out of the solid.
    pub fn outward(&self, facet: u32) -> Option<DVec3> {
        let normal = self.facets.facets[facet as usize].normal;
        self.outward[facet as usize].map(|out| if out { normal } else { -normal })
    }
}

/// For each facet those beside it, and whether both normals are on the same side of the surface.
fn links(mesh: &Mesh, facets: &Facets) -> Vec<Vec<(u32, bool)>> {
    let mut links = vec![Vec::new(); facets.facets.len()];
    for crease in facets.creases.iter().filter(|crease| crease.bend != Bend::Other) {
        let &[t, u] = facets.wings(crease) else { continue };
        let (Some(f), Some(g)) = (facets.facet(t), facets.facet(u)) else { continue };
        // Neighbours that run along their edge in opposite directions face the same side.
        let front =
            |t: u32, f: u32| mesh.triangle(t).scaled_normal().dot(facets.facets[f as usize].normal) > 0.0;
        let [p, q] = facets.edge_of_wings(mesh, t, u);
        let along = |t: u32| {
            let [a, b, c] = mesh.triangle(t).corners();
            [(a, b), (b, c), (c, a)].contains(&(p, q))
        };
        let same = (along(t) != along(u)) == (front(t, f) == front(u, g));
        links[f as usize].push((g, same));
        links[g as usize].push((f, same));
    }
    links
}

/// Finds the outside of a connected set of facets, and returns them.
fn spread(
    solid: (&Mesh, Encloses),
    facets: &Facets,
    links: &[Vec<(u32, bool)>],
    first: u32,
    outward: &mut [Option<bool>],
) -> Vec<u32> {
    // All as if the first one faced outward.
    outward[first as usize] = Some(true);
    let mut members = vec![first];
    let mut next = 0;
    while let Some(&f) = members.get(next) {
        next += 1;
        for &(g, same) in &links[f as usize] {
            if outward[g as usize].is_none() {
                outward[g as usize] = outward[f as usize].map(|out| out == same);
                members.push(g);
            }
        }
    }
    let seen = |&f: &u32| Some(faces_outward(solid, facets, f)? == outward[f as usize]?);
    let right = members.iter().take(TRIES).find_map(seen);
    for &f in &members {
        outward[f as usize] = right.and_then(|right| outward[f as usize].map(|out| out == right));
    }
    members
}

/// Whether the normal of a facet points out of the solid, as seen from a little over and under its first triangle.
fn faces_outward((mesh, encloses): (&Mesh, Encloses), facets: &Facets, facet: u32) -> Option<bool> {
    let facet = facets.facets[facet as usize];
    let t = mesh.triangle(facet.first);
    let middle = t.a + ((t.b - t.a) + (t.c - t.a)) / 3.0;
    let size = t.aabb().extent().max_element();
    HEIGHTS.iter().find_map(|height| {
        let step = facet.normal * (height * size);
        let (above, below) = (encloses(middle + step), encloses(middle - step));
        (above != below).then_some(below)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::query::Body;
    use crate::shape::{Aabb, Mesh, Solid};

    /// A cube with a cavity, some triangles turned over: out of the cube and into the cavity is outside.
    #[test]
    fn the_outside_does_not_depend_on_orientation() {
        let cube = |half: f64| Mesh::from_aabb(Aabb { min: -DVec3::splat(half), max: DVec3::splat(half) });
        let both = Mesh::joined(&[cube(2.0), cube(1.0)]).unwrap();
        let mut triangles = both.triangles().to_vec();
        triangles.iter_mut().step_by(3).for_each(|t| t.swap(0, 1));
        let mesh = Mesh::new(both.vertices().to_vec(), triangles).unwrap();
        let body = Body::new(Solid::new(Arc::new(mesh)).unwrap());
        let surface = body.surface().unwrap();
        let skin = surface.skin();
        assert_eq!(skin.facets.facets.len(), 12);
        for (f, facet) in (0..).zip(&skin.facets.facets) {
            let p = surface.mesh.triangle(facet.first).a;
            let out = skin.outward(f).unwrap();
            assert_eq!(out.dot(p) > 0.0, p.abs().max_element() > 1.5, "{f} {p} {out}");
        }
    }
}
