//! A tetrahedral mesh between triangles that do not move (named in Maštera 2007, "Simulation of collisions on
//! a physical model").

use sudar::glam::DVec3;

use super::delaunay::{Delaunay, LAST, NONE, Site};
use super::finder::{Finder, Probe, bounds_of};
use crate::cells::NumberSet;
use sudar::math::{Sign, orient3d};
use sudar::pair::triangles_intersect;
use sudar::shape::{Aabb, Triangle};

/// The Delaunay tetrahedra of the triangles' corners, and for each a list of the triangles that enter it.
///
/// A probe goes from tetrahedron to tetrahedron to where it begins, and from there to all that it meets,
/// through faces that it meets; these are found exactly. The corners are rounded to a lattice of 2²⁰ steps,
/// for the predicates to be exact: the mesh only divides space, and triangles stay where they are.
#[derive(Debug, Clone)]
pub(super) struct TetrahedralMesh {
    corners: Vec<DVec3>,
    cells: Vec<[u32; 4]>,
    across: Vec<[u32; 4]>,
    items: Vec<Vec<u32>>,
    /// Tetrahedra at the border, and which of their faces.
    border: Vec<(u32, usize)>,
    bounds: Aabb,
}

/// The lattice: x = (base + k)·step with whole numbers, so that its points are exact.
struct Steps {
    base: DVec3,
    step: f64,
}

impl Steps {
    fn around(bounds: &Aabb) -> Self {
        let middle = bounds.min * 0.5 + bounds.max * 0.5;
        // A power of two, so large that the bounds are well inside and that numbers have a bit to spare.
        let least =
            (bounds.extent().max_element() / f64::from(LAST - 4)).max(bounds.reach() / (1u64 << 50) as f64);
        let mut step = f64::MIN_POSITIVE;
        while step < least {
            step *= 2.0;
        }
        Self { base: (middle / step).round() - DVec3::splat(f64::from(LAST / 2)), step }
    }

    fn site(&self, p: DVec3) -> Site {
        let k = ((p / self.step).round() - self.base).clamp(DVec3::ONE, DVec3::splat(f64::from(LAST - 1)));
        [k.x as i32, k.y as i32, k.z as i32]
    }

    fn point(&self, site: Site) -> DVec3 {
        (self.base + DVec3::new(site[0].into(), site[1].into(), site[2].into())) * self.step
    }
}

impl TetrahedralMesh {
    pub fn new(triangles: &[Triangle]) -> Self {
        let steps = Steps::around(&bounds_of(triangles));
        let corners = triangles.iter().flat_map(Triangle::corners);
        let mesh = Delaunay::of(corners.map(|p| steps.site(p)).collect());
        let corners: Vec<DVec3> = mesh.sites.iter().map(|&site| steps.point(site)).collect();
        let faces = (0..mesh.cells.len() as u32).flat_map(|cell| (0..4).map(move |k| (cell, k)));
        let border = faces.filter(|&(cell, k)| mesh.across[cell as usize][k] == NONE).collect();
        let bounds = Aabb::around(corners.iter().copied());
        let items = vec![Vec::new(); mesh.cells.len()];
        let mut found = Self { corners, cells: mesh.cells, across: mesh.across, items, border, bounds };
        found.enter(triangles);
        found
    }

    fn enter(&mut self, triangles: &[Triangle]) {
        let mut first = 0;
        for (i, triangle) in triangles.iter().enumerate() {
            first = self.locate(first, triangle.a).0;
            let entered = self.reached(first, &|face| triangles_intersect(face, triangle));
            entered.into_iter().for_each(|cell| self.items[cell as usize].push(i as u32));
        }
    }

    /// The face opposite of corner `k`.
    fn face(&self, cell: u32, k: usize) -> Triangle {
        let corner = |l: usize| self.corners[self.cells[cell as usize][l] as usize];
        let [a, b, c] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]][k].map(corner);
        Triangle { a, b, c }
    }

    /// A tetrahedron that holds a point inside the bounds, and over how many the way went. The mesh is one of
    /// Delaunay, so that no way goes in a circle.
    fn locate(&self, first: u32, p: DVec3) -> (u32, u64) {
        let (mut cell, mut visits) = (first, 1);
        loop {
            let beyond = (0..4).find(|&k| self.is_beyond(cell, k, p));
            match beyond.map(|k| self.across[cell as usize][k]) {
                Some(next) if next != NONE => cell = next,
                _ => return (cell, visits),
            }
            visits += 1;
        }
    }

    /// Whether a point is strictly on the far side of a face.
    fn is_beyond(&self, cell: u32, k: usize, p: DVec3) -> bool {
        let Triangle { a, b, c } = self.face(cell, k);
        let inner = self.corners[self.cells[cell as usize][k] as usize];
        let (side, own) = (orient3d(a, b, c, p), orient3d(a, b, c, inner));
        side != Sign::Zero && side != own
    }

    /// All tetrahedra reached from the first through faces that are met. What is met is convex; where it goes
    /// through an edge or a corner it meets the faces around as well, so that nothing is left out.
    fn reached(&self, first: u32, meets: &dyn Fn(&Triangle) -> bool) -> Vec<u32> {
        let (mut reached, mut seen) = (vec![first], NumberSet::default());
        seen.insert(first);
        let mut next = 0;
        while next < reached.len() {
            let cell = reached[next];
            next += 1;
            for k in 0..4 {
                let other = self.across[cell as usize][k];
                if other != NONE && !seen.contains(&other) && meets(&self.face(cell, k)) {
                    seen.insert(other);
                    reached.push(other);
                }
            }
        }
        reached
    }

    /// A tetrahedron that the probe meets: where one of its ends is, or where it comes in.
    fn first_met(&self, probe: &Probe) -> Option<(u32, u64)> {
        let inside = match probe {
            Probe::Box(aabb) => {
                let part = Aabb { min: aabb.min.max(self.bounds.min), max: aabb.max.min(self.bounds.max) };
                // None of it is inside where the two are apart.
                (!part.is_empty()).then(|| part.center().clamp(part.min, part.max))
            }
            Probe::Segment(segment) => [segment.a, segment.b].into_iter().find(|p| self.bounds.contains(*p)),
        };
        match (inside, probe) {
            (Some(p), _) => Some(self.locate(0, p)),
            (None, Probe::Box(_)) => None,
            (None, Probe::Segment(_)) => {
                let met = self.border.iter().find(|(cell, k)| probe.meets(&self.face(*cell, *k)));
                met.map(|(cell, _)| (*cell, self.border.len() as u64))
            }
        }
    }
}

impl Finder for TetrahedralMesh {
    fn find(&self, probe: &Probe, visit: &mut dyn FnMut(u32)) -> u64 {
        let Some((first, visits)) = self.first_met(probe) else { return self.border.len() as u64 };
        let reached = self.reached(first, &|face| probe.meets(face));
        for &cell in &reached {
            self.items[cell as usize].iter().for_each(|&i| visit(i));
        }
        visits + reached.len() as u64
    }

    fn bytes(&self) -> usize {
        let items: usize = self.items.iter().map(|list| 4 * list.capacity()).sum();
        self.corners.capacity() * size_of::<DVec3>()
            + self.cells.capacity() * (2 * size_of::<[u32; 4]>() + size_of::<Vec<u32>>())
            + items
            + self.border.capacity() * size_of::<(u32, usize)>()
    }
}
