//! The sphere tree of O'Sullivan and Dingliana, by octants.

use sudar::glam::DVec3;

use super::{Items, Node, VolumeTree};
use sudar::pair::triangle_aabb;
use sudar::shape::{Aabb, Mesh, Sphere};

/// No cube is split more often: its children would be smaller than what is left of the numbers.
const DEEPEST: u32 = 24;

impl VolumeTree<Sphere> {
    /// A tree of spheres around cubes: the smallest cube around the mesh is split into eight as long as a
    /// cube holds more than `most` triangles, and cubes that hold none go (O'Sullivan and Dingliana 1999,
    /// "Real-time collision detection and response using sphere-trees").
    ///
    /// A triangle belongs to every cube that it meets, so that one triangle may be in several leaves; it is
    /// in at least one leaf at each of its points. Triangles with a common corner are parted by no cube
    /// around it, so that a cube shorter than half of each of its triangles is not split either. Spheres go
    /// if what is of the surface in their cubes is covered by those of leaves beside them. Cubes are split at
    /// most 24 times.
    pub fn octants(mesh: &Mesh, most: usize) -> Self {
        let bounds = mesh.aabb();
        let half = 0.5 * bounds.extent().max_element();
        let middle = bounds.center();
        // Rounded outward, so that the cube holds all of the mesh.
        let cube = Aabb { min: middle - DVec3::splat(half), max: middle + DVec3::splat(half) }.union(bounds);
        let all: Vec<u32> = (0..mesh.triangles().len() as u32).collect();
        let mut tree = Self { nodes: Vec::new(), order: Vec::new() };
        let most = most.max(1);
        let mut cells = vec![Cell { cube, triangles: all, depth: 0 }];
        let mut i = 0;
        while i < cells.len() {
            let cell = std::mem::replace(&mut cells[i], Cell::NONE);
            let children = if cell.triangles.len() > most { split(&cell, mesh, most) } else { Vec::new() };
            let volume = around(&cell.cube);
            let node = if children.is_empty() {
                let first = tree.order.len() as u32;
                tree.order.extend_from_slice(&cell.triangles);
                Node { volume, first, count: cell.triangles.len() as u32, is_leaf: true }
            } else {
                Node { volume, first: cells.len() as u32, count: children.len() as u32, is_leaf: false }
            };
            tree.nodes.push(node);
            cells.extend(children);
            i += 1;
        }
        tree
    }

    /// The same cubes with the smallest spheres around what their triangles have in them, which is what the
    /// cubes cut them to; here around the corners of whole triangles for leaves, and around the spheres below
    /// for the others, where that is smaller than the sphere around the cube.
    pub fn shrunk(mut self, items: &Items) -> Self {
        let mut points = Vec::new();
        for i in (0..self.nodes.len()).rev() {
            let node = self.nodes[i];
            let tight = if node.is_leaf {
                points.clear();
                self.items(i as u32).iter().for_each(|&t| points.extend_from_slice(items.points(t)));
                sudar::volume::smallest_sphere(&points)
            } else {
                let volumes = self.children(i as u32).map(|child| self.node(child).volume);
                volumes.reduce(|a, b| sudar::volume::Volume::merged(&a, &b))
            };
            if let Some(tight) = tight.filter(|tight| tight.radius < node.volume.radius) {
                self.nodes[i].volume = tight;
            }
        }
        self
    }
}

struct Cell {
    cube: Aabb,
    triangles: Vec<u32>,
    depth: u32,
}

impl Cell {
    const NONE: Self = Self { cube: Aabb::EMPTY, triangles: Vec::new(), depth: 0 };
}

/// The sphere through the corners of a cube, rounded outward.
fn around(cube: &Aabb) -> Sphere {
    let center = cube.center();
    let half = (cube.max - center).max(center - cube.min);
    Sphere { center, radius: half.length() * (1.0 + 8.0 * f64::EPSILON) }
}

/// The octants that hold triangles, less those that are covered; none if splitting parts nothing.
fn split(cell: &Cell, mesh: &Mesh, most: usize) -> Vec<Cell> {
    let side = cell.cube.extent().max_element();
    let length = |t: &u32| mesh.triangle(*t).aabb().extent().max_element();
    if cell.depth >= DEEPEST || cell.triangles.iter().all(|t| side < 0.5 * length(t)) {
        return Vec::new();
    }
    let (low, middle, high) = (cell.cube.min, cell.cube.center(), cell.cube.max);
    let octant = |i: usize| {
        let upper = |axis: usize| i >> axis & 1 == 1;
        let min = [0, 1, 2].map(|k| if upper(k) { middle[k] } else { low[k] });
        let max = [0, 1, 2].map(|k| if upper(k) { high[k] } else { middle[k] });
        Aabb { min: min.into(), max: max.into() }
    };
    let held = |cube: Aabb| {
        // Faces of cubes often lie in those of models: which touch would take exact arithmetic, and one more
        // does no harm.
        let grown = cube.grown(1e-9 * side);
        let meets = |t: &u32| triangle_aabb(&mesh.triangle(*t), &grown);
        let triangles: Vec<u32> = cell.triangles.iter().copied().filter(meets).collect();
        Cell { cube, triangles, depth: cell.depth + 1 }
    };
    let mut children: Vec<Cell> =
        (0..8).map(octant).map(held).filter(|child| !child.triangles.is_empty()).collect();
    remove_covered(&mut children, mesh, most);
    children
}

/// Removes cubes in which there is nothing that the spheres of sibling leaves with the same triangles do not
/// cover: a sphere is larger than its cube, so that it covers what just reaches into the cube beside.
fn remove_covered(children: &mut Vec<Cell>, mesh: &Mesh, most: usize) {
    // What another relies on stays.
    let mut relied = vec![false; children.len()];
    let mut removed = vec![false; children.len()];
    for i in 0..children.len() {
        if relied[i] {
            continue;
        }
        let cover = |t: &u32| {
            let part = within(&mesh.triangle(*t).corners(), &children[i].cube);
            (0..children.len()).find(|&j| {
                let other = &children[j];
                let holds =
                    j != i && !removed[j] && other.triangles.len() <= most && other.triangles.contains(t);
                holds && covers(&around(&other.cube), &part)
            })
        };
        let covers: Option<Vec<usize>> = children[i].triangles.iter().map(cover).collect();
        if let Some(covers) = covers {
            removed[i] = true;
            covers.into_iter().for_each(|j| relied[j] = true);
        }
    }
    let mut place = 0;
    children.retain(|_| {
        place += 1;
        !removed[place - 1]
    });
}

/// Whether all points are inside by more than rounding.
fn covers(sphere: &Sphere, points: &[DVec3]) -> bool {
    points.iter().all(|p| (*p - sphere.center).length() <= sphere.radius * (1.0 - 1e-9))
}

/// The part of a polygon in a box (Sutherland and Hodgman 1974), the box grown by more than rounding.
fn within(polygon: &[DVec3], aabb: &Aabb) -> Vec<DVec3> {
    let aabb = aabb.grown(1e-9 * aabb.extent().max_element());
    let mut corners = polygon.to_vec();
    for (axis, sign, bound) in (0..3).flat_map(|k| [(k, 1.0, aabb.max[k]), (k, -1.0, -aabb.min[k])]) {
        let over = |p: DVec3| sign * p[axis] - bound;
        let mut kept = Vec::with_capacity(corners.len() + 1);
        for (i, &p) in corners.iter().enumerate() {
            let q = corners[(i + 1) % corners.len()];
            if over(p) <= 0.0 {
                kept.push(p);
            }
            if (over(p) < 0.0 && over(q) > 0.0) || (over(p) > 0.0 && over(q) < 0.0) {
                kept.push(p + (q - p) * (over(p) / (over(p) - over(q))));
            }
        }
        corners = kept;
    }
    corners
}
