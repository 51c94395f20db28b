//! What a tree is built over.

use sudar::glam::DVec3;

use sudar::shape::Mesh;

/// Things that have points, each with a centre by which it is sorted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Items {
    points: Vec<DVec3>,
    /// The points of item i are `points[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    centers: Vec<DVec3>,
}

impl Items {
    /// No items.
    pub fn new() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    /// Adds one with these points and the mean of them as its centre; without points it is left out and
    /// `false` returned.
    pub fn push(&mut self, points: &[DVec3]) -> bool {
        let mean = points.iter().map(|p| *p / points.len() as f64).sum();
        self.push_at(points, mean)
    }

    /// Adds one with these points and a centre of its own.
    pub fn push_at(&mut self, points: &[DVec3], center: DVec3) -> bool {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        if points.is_empty() || self.points.len() + points.len() > u32::MAX as usize {
            return false;
        }
        self.points.extend_from_slice(points);
        self.starts.push(self.points.len() as u32);
        self.centers.push(center);
        true
    }

    /// The triangles of a mesh.
    pub fn triangles(mesh: &Mesh) -> Self {
        let mut items = Self::new();
        for i in 0..mesh.triangles().len() as u32 {
            items.push(&mesh.triangle(i).corners());
        }
        items
    }

    /// Patches of triangles of a mesh, their centres the means of their vertices, each counted once.
    pub fn patches(mesh: &Mesh, patches: &[Vec<u32>]) -> Self {
        let mut items = Self::new();
        for patch in patches {
            let mut vertices: Vec<u32> = patch.iter().flat_map(|&t| mesh.triangles()[t as usize]).collect();
            vertices.sort_unstable();
            vertices.dedup();
            let points: Vec<DVec3> = vertices.iter().map(|&v| mesh.vertices()[v as usize]).collect();
            items.push(&points);
        }
        items
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.centers.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.centers.is_empty()
    }

    /// The points of item `i`; none if there is no such item.
    pub fn points(&self, i: u32) -> &[DVec3] {
        match self.starts.get(i as usize..i as usize + 2) {
            Some(&[start, end]) => &self.points[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The centre of item `i < len()`.
    pub fn center(&self, i: u32) -> DVec3 {
        self.centers[i as usize]
    }

    /// The largest absolute coordinate of any point.
    pub fn reach(&self) -> f64 {
        self.points.iter().fold(0.0, |most: f64, p| most.max(p.abs().max_element()))
    }
}
