//! Mass properties by rays through a grid.
//!
//! After Maštera 2007 ("Simulation of collisions on a physical model"), whose tool steps along rays through voxels: rays run along one to
//! three axes, through each cell across them, and what lies between two crossings is summed up in closed form. Here the runs end where the
//! surface is and not at the next voxel, the sums are `f64`, and a comparison with coarser grids estimates what the grid leaves out.

use std::cell::OnceCell;

use glam::{DMat3, DVec3};

use super::chord::{self, Line};
use super::kernel::Total;
use super::polyhedron::{hull_triangles, no_volume};
use super::rays::{Crossing, Rays, Rows};
use super::{MassError, MassProperties, check_size, mass_properties};
use crate::effort::Meter;
use crate::inside::winding_of_triangle;
use crate::math::Pose;
use crate::shape::{Aabb, Ellipsoid, Mesh, Shape};
use crate::tree::{WideTree, WindingTree, Windings};

/// Most cells along the longest side.
pub const MAX_CELLS: u32 = 4096;

/// How fine the grid is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// As many cells along the longest side of the bounding box.
    Cells(u32),
    /// Cells no wider than this.
    Step(f64),
}

/// What becomes of a ray that crosses a mesh with holes an odd number of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OddRays {
    /// The runs of all rays are weighed by winding numbers, rounded to whole ones (Jacobson et al. 2013, "Robust inside-outside segmentation using
    /// generalized winding numbers"). It takes some microseconds a run.
    #[default]
    Weigh,
    /// It is left out, as in the source. Other rays count by parity.
    Drop,
}

/// How to measure by voxels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoxelOptions {
    /// How fine the grid is.
    pub resolution: Resolution,
    /// Along how many axes rays go, 1 to 3: x, then y, then z. Their results are averaged.
    pub axes: u32,
    /// What to do at holes.
    pub odd_rays: OddRays,
}

impl Default for VoxelOptions {
    /// 100 cells along the longest side, rays along all axes.
    fn default() -> Self {
        Self { resolution: Resolution::Cells(100), axes: 3, odd_rays: OddRays::Weigh }
    }
}

/// How far off a result by voxels may be: estimated by what coarser grids and single axes give, not proven.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorEstimate {
    /// Of the mass at density 1, the volume.
    pub mass: f64,
    /// Of the centre: a distance.
    pub center: f64,
    /// Of any entry of the inertia tensor.
    pub inertia: f64,
}

/// What measuring by voxels gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoxelMass {
    /// At density 1.
    pub properties: MassProperties,
    /// How far off they may be.
    pub error: ErrorEstimate,
    /// Cells along x, y, z.
    pub cells: [u32; 3],
    /// How many rays there were.
    pub rays: u64,
    /// How many crossed an open mesh an odd number of times.
    pub odd_rays: u64,
}

/// Mass properties of a body by rays through a grid, also of meshes with holes.
///
/// Closed meshes count as in [`mass_properties`], those whose triangles disagree about the outside by parity; the parts of a compound are
/// added up. O(triangles + rays and crossings) for each axis.
///
/// # Errors
/// [`MassError`] for shapes that have no inside, for a grid that is too fine, and if no ray meets the body.
pub fn voxel_mass(shape: &Shape, options: &VoxelOptions) -> Result<VoxelMass, MassError> {
    if !(1..=3).contains(&options.axes) {
        return Err(MassError::Axes { axes: options.axes });
    }
    let mut parts = Vec::new();
    collect(shape, &Pose::IDENTITY, &mut parts)?;
    let aabb = parts.iter().fold(Aabb::EMPTY, |sum, part| sum.union(part.aabb()));
    let longest = aabb.extent().max_element();
    check_size(longest)?;
    let step = step(options.resolution, longest)?;
    let mut odd_rays = 0;
    let measured = |step: f64, odd_rays: &mut u64| -> Vec<Moments> {
        let along = |axis| moments(&parts, &Rays::new(&aabb, axis, step), options.odd_rays, odd_rays);
        (0..options.axes as usize).map(along).collect()
    };
    let fine = measured(step, &mut odd_rays);
    let others: Vec<Moments> = COARSER
        .iter()
        .flat_map(|factor| measured(step * factor, &mut 0))
        .chain(fine.iter().copied())
        .collect();
    let all = Moments::mean(&fine);
    let origin = aabb.center();
    let properties = all.properties(origin).ok_or_else(|| {
        no_volume("what the rays hit", "take more cells, or turn over pieces that face inward")
    })?;
    let cells = |axis: usize| Rays::new(&aabb, (axis + 2) % 3, step).u.count;
    Ok(VoxelMass {
        properties,
        error: estimate(&properties, &others, origin, &aabb),
        cells: [cells(0), cells(1), cells(2)],
        rays: (0..options.axes as usize).map(|axis| Rays::new(&aabb, axis, step).count()).sum(),
        odd_rays,
    })
}

/// How much wider the cells of the grids are with which the result is compared.
const COARSER: [f64; 4] = [1.2, 1.45, 1.7, 2.0];
/// Greatest difference to one of them, times this, is the estimate.
const CAUTION: f64 = 2.0;

fn step(resolution: Resolution, longest: f64) -> Result<f64, MassError> {
    let (step, cells) = match resolution {
        Resolution::Cells(n) => (longest / f64::from(n), f64::from(n)),
        Resolution::Step(step) => (step, (longest / step).ceil()),
    };
    let fits = step > 0.0 && (1.0..=f64::from(MAX_CELLS)).contains(&cells);
    if fits { Ok(step.min(longest)) } else { Err(MassError::Grid { cells, limit: MAX_CELLS }) }
}

/// The greatest differences of the other results to this one.
fn estimate(found: &MassProperties, others: &[Moments], origin: DVec3, aabb: &Aabb) -> ErrorEstimate {
    // No more is known of what none of the rays of a coarser grid hits.
    let mut error = ErrorEstimate { mass: 0.0, center: 0.0, inertia: 0.0 };
    let reach = aabb.extent().length();
    for other in others {
        let Some(other) = other.properties(origin) else {
            error.center = error.center.max(reach);
            error.mass = error.mass.max(found.mass.abs());
            error.inertia = error.inertia.max(found.mass.abs() * reach * reach);
            continue;
        };
        let inertia = other.inertia - found.inertia;
        error.mass = error.mass.max((other.mass - found.mass).abs());
        error.center = error.center.max((other.center - found.center).length());
        error.inertia = inertia.to_cols_array().into_iter().fold(error.inertia, |m, x| m.max(x.abs()));
    }
    // Rounding, where all grids agree.
    let rounding = 1e-12 * found.mass.abs();
    ErrorEstimate {
        mass: CAUTION * error.mass + rounding,
        center: CAUTION * error.center + 1e-12 * (reach + origin.length()),
        inertia: CAUTION * error.inertia + rounding * reach * reach,
    }
}

/// A body with one kind of inside.
enum Part {
    /// A surface, its vertices where they stand.
    Surface(Surface),
    /// A convex body, its pose, and a box around it.
    Convex(Shape, Pose, Aabb),
}

struct Surface {
    mesh: Mesh,
    inside: Inside,
}

/// What counts as inside.
enum Inside {
    /// As often as the surface winds around it, all triangles facing outward alike.
    Winding,
    /// An odd number of crossings away from infinity.
    Parity,
    /// Where the winding number of a surface with holes is above ½, and so on.
    Open(OnceCell<Box<(WideTree, WindingTree)>>),
}

impl Part {
    fn aabb(&self) -> Aabb {
        match self {
            Self::Surface(surface) => surface.mesh.aabb(),
            Self::Convex(_, _, aabb) => *aabb,
        }
    }
}

/// All parts of a shape, posed.
fn collect(shape: &Shape, pose: &Pose, parts: &mut Vec<Part>) -> Result<(), MassError> {
    match shape {
        Shape::Mesh(mesh) => parts.push(surface(mesh, pose)?),
        Shape::Solid(solid) if solid.is_oriented() => {
            parts.push(Part::Surface(Surface { mesh: posed(solid.mesh(), pose)?, inside: Inside::Winding }));
        }
        Shape::Solid(solid) => parts.push(surface(solid.mesh(), pose)?),
        Shape::Hull(hull) if hull.dimension() == 3 => {
            let mesh =
                Mesh::new(hull.vertices().to_vec(), hull_triangles(hull)).map_err(|_| too_far(pose))?;
            parts.push(surface(&mesh, pose)?);
        }
        Shape::Compound(compound) => {
            for (part, (shape, own)) in compound.parts().iter().enumerate() {
                let whole = together(pose, own).ok_or_else(|| too_far(own))?;
                collect(shape, &whole, parts).map_err(|e| MassError::Part { part, error: e.into() })?;
            }
        }
        Shape::Sphere(s) => {
            let moved =
                Pose::from_matrix(pose.rotation(), pose.apply(s.center)).map_err(|_| too_far(pose))?;
            collect(&Ellipsoid { radii: DVec3::splat(s.radius) }.into(), &moved, parts)?;
        }
        Shape::Cuboid(c) => parts.push(convex(shape, pose, c.half)),
        Shape::Capsule(c) => {
            parts.push(convex(shape, pose, DVec3::new(c.radius, c.radius, c.radius + c.half_length)));
        }
        Shape::Cylinder(c) => parts.push(convex(shape, pose, DVec3::new(c.radius, c.radius, c.half_length))),
        Shape::Cone(c) => parts.push(convex(shape, pose, DVec3::new(c.radius, c.radius, c.half_length))),
        Shape::Ellipsoid(e) => parts.push(convex(shape, pose, e.radii)),
        // They have no inside, and the exact method says why.
        Shape::Hull(_)
        | Shape::Halfspace(_)
        | Shape::HeightField(_)
        | Shape::Triangle(_)
        | Shape::Segment(_)
        | Shape::Point(_)
        | Shape::PointCloud(_) => {
            mass_properties(shape)?;
        }
    }
    Ok(())
}

fn too_far(pose: &Pose) -> MassError {
    MassError::OutOfRange { size: pose.translation().abs().max_element() }
}

fn together(outer: &Pose, inner: &Pose) -> Option<Pose> {
    Pose::from_matrix(outer.rotation() * inner.rotation(), outer.apply(inner.translation())).ok()
}

fn surface(mesh: &Mesh, pose: &Pose) -> Result<Part, MassError> {
    let mesh = posed(mesh, pose)?;
    let topology = mesh.topology();
    let inside = match (topology.is_closed(), topology.turned_edges()) {
        (true, 0) => Inside::Winding,
        (true, _) => Inside::Parity,
        (false, _) => Inside::Open(OnceCell::new()),
    };
    Ok(Part::Surface(Surface { mesh, inside }))
}

fn posed(mesh: &Mesh, pose: &Pose) -> Result<Mesh, MassError> {
    if *pose == Pose::IDENTITY {
        Ok(mesh.clone())
    } else {
        mesh.mapped(|p| pose.apply(p)).map_err(|_| too_far(pose))
    }
}

/// A convex body that reaches as far as this along its own axes, whose centre is the origin.
fn convex(shape: &Shape, pose: &Pose, half: DVec3) -> Part {
    let corners = Aabb { min: -half, max: half }.corners();
    let around = Aabb::around(corners.map(|p| pose.apply(p)));
    Part::Convex(shape.clone(), *pose, tight(shape, pose).unwrap_or(around))
}

/// The box around an ellipsoid, whose corners would be too far out.
fn tight(shape: &Shape, pose: &Pose) -> Option<Aabb> {
    let Shape::Ellipsoid(e) = shape else { return None };
    let turn = pose.rotation().transpose();
    let half = DVec3::from([turn.x_axis, turn.y_axis, turn.z_axis].map(|row| (row * e.radii).length()));
    Some(Aabb { min: pose.translation() - half, max: pose.translation() + half })
}

/// ∫ 1, ∫ r and ∫ r rᵀ about the middle of the box; xx, yy, zz, xy, yz, zx.
#[derive(Debug, Clone, Copy, Default)]
struct Moments([f64; 10]);

impl Moments {
    fn mean(all: &[Self]) -> Self {
        let sum = |k: usize| all.iter().fold(0.0, |sum, m| sum + m.0[k]);
        Self(std::array::from_fn(|k| sum(k) / all.len() as f64))
    }

    /// `None` without a volume.
    fn properties(&self, origin: DVec3) -> Option<MassProperties> {
        let [mass, x, y, z, xx, yy, zz, xy, yz, zx] = self.0;
        let offset = DVec3::new(x, y, z) / mass;
        if mass == 0.0 || !offset.is_finite() {
            return None;
        }
        let about = DMat3::from_cols(DVec3::new(xx, xy, zx), DVec3::new(xy, yy, yz), DVec3::new(zx, yz, zz));
        let own = DMat3::from_cols(offset * offset.x, offset * offset.y, offset * offset.z) * mass;
        Some(MassProperties::from_second_moment(mass, origin + offset, about - own))
    }
}

/// Runs along rays, being summed up.
struct Runs<'a> {
    rays: &'a Rays,
    origin: DVec3,
    /// In the order of axis, `u`, `v`: 1, t, u, v, tt, uu, vv, tu, uv, vt.
    totals: [Total; 10],
}

impl<'a> Runs<'a> {
    fn new(rays: &'a Rays, origin: DVec3) -> Self {
        Self { rays, origin, totals: [Total::default(); 10] }
    }

    /// What is below `t` on the ray of a cell, times a weight: closed sums over the run, as wide as the cell.
    fn add(&mut self, i: u32, j: u32, t: f64, weight: f64) {
        let Rays { axis, u, v } = self.rays;
        let middle = |rows: &Rows, k: u32| rows.middle(k) - self.origin[rows.axis];
        let (x, y, t) = (middle(u, i), middle(v, j), t - self.origin[*axis]);
        let first = weight * t;
        let (square, across) = (first * t / 2.0, [u, v].map(|rows| rows.width * rows.width / 12.0));
        let terms = [
            first,
            square,
            first * x,
            first * y,
            square * t * (2.0 / 3.0),
            first * (x * x + across[0]),
            first * (y * y + across[1]),
            square * x,
            first * x * y,
            square * y,
        ];
        for (total, term) in self.totals.iter_mut().zip(terms) {
            total.add(term);
        }
    }

    /// The moments, in the order of x, y, z.
    fn moments(self) -> Moments {
        let area = self.rays.u.width * self.rays.v.width;
        let values = self.totals.map(|total| total.value() * area);
        // Where x, y and z are found when the axis comes first.
        let place = |k: usize| (k + 3 - self.rays.axis) % 3;
        let mut out = [values[0]; 10];
        for k in 0..3 {
            for group in [1, 4, 7] {
                out[group + k] = values[group + place(k)];
            }
        }
        Moments(out)
    }
}

fn moments(parts: &[Part], rays: &Rays, odd: OddRays, odd_rays: &mut u64) -> Moments {
    let aabb = parts.iter().fold(Aabb::EMPTY, |sum, part| sum.union(part.aabb()));
    let mut runs = Runs::new(rays, aabb.center());
    for part in parts {
        match part {
            Part::Convex(shape, pose, aabb) => along_chords(shape, pose, aabb, &mut runs),
            Part::Surface(Surface { mesh, inside: Inside::Winding }) => along_crossings(mesh, &mut runs),
            Part::Surface(surface) => *odd_rays += along_sorted(surface, &aabb, odd, &mut runs),
        }
    }
    runs.moments()
}

/// Every crossing of a closed surface begins or ends a run, in whatever order they come.
fn along_crossings(mesh: &Mesh, runs: &mut Runs<'_>) {
    let rays = runs.rays;
    for t in 0..mesh.triangles().len() as u32 {
        let corners = mesh.triangle(t).corners();
        rays.crossings(corners, &(0..rays.v.count), &mut |c| runs.add(c.i, c.j, c.t, f64::from(c.way)));
    }
}

fn along_chords(shape: &Shape, pose: &Pose, aabb: &Aabb, runs: &mut Runs<'_>) {
    let Rays { axis, u, v } = *runs.rays;
    let (back, mut start) = (pose.rotation().transpose(), aabb.min);
    let direction = back * DVec3::AXES[axis];
    for j in 0..v.count {
        start[v.axis] = v.place(j);
        for i in 0..u.count {
            start[u.axis] = u.place(i);
            let origin = back * (start - pose.translation());
            let Some((enter, exit)) = chord_of(shape, &Line { origin, direction }) else { continue };
            runs.add(i, j, start[axis] + exit, 1.0);
            runs.add(i, j, start[axis] + enter, -1.0);
        }
    }
}

fn chord_of(shape: &Shape, line: &Line) -> chord::Chord {
    match shape {
        Shape::Cuboid(c) => chord::cuboid(line, c),
        Shape::Capsule(c) => chord::capsule(line, c),
        Shape::Cylinder(c) => chord::cylinder(line, c),
        Shape::Cone(c) => chord::cone(line, c),
        Shape::Ellipsoid(e) => chord::ellipsoid(line, e),
        // `collect` takes these apart or refuses them.
        Shape::Mesh(_)
        | Shape::Solid(_)
        | Shape::Hull(_)
        | Shape::Sphere(_)
        | Shape::Halfspace(_)
        | Shape::HeightField(_)
        | Shape::Triangle(_)
        | Shape::Segment(_)
        | Shape::Point(_)
        | Shape::PointCloud(_)
        | Shape::Compound(_) => None,
    }
}

/// Rays whose crossings are held at once, so that memory stays small.
const BAND: u32 = 1 << 18;

/// Ray by ray, where crossings must be in order; counts rays with an odd number of them.
fn along_sorted(surface: &Surface, aabb: &Aabb, odd: OddRays, runs: &mut Runs<'_>) -> u64 {
    let rays = runs.rays;
    let rows = (BAND / rays.u.count).max(1);
    let mut odd_rays = 0;
    let mut from = 0;
    while from < rays.v.count {
        let band = from..rays.v.count.min(from + rows);
        let mut found: Vec<Crossing> = Vec::new();
        for t in 0..surface.mesh.triangles().len() as u32 {
            rays.crossings(surface.mesh.triangle(t).corners(), &band, &mut |c| found.push(c));
        }
        found.sort_by(|a, b| (a.j, a.i).cmp(&(b.j, b.i)).then(a.t.total_cmp(&b.t)));
        let mut rest = found.as_slice();
        for j in band {
            for i in 0..rays.u.count {
                let own = rest.iter().take_while(|c| (c.j, c.i) == (j, i)).count();
                let (crossings, after) = rest.split_at(own);
                rest = after;
                odd_rays += u64::from(own % 2 == 1);
                one_ray(surface, [i, j], crossings, aabb, odd, runs);
            }
        }
        from += rows;
    }
    odd_rays
}

fn one_ray(
    surface: &Surface,
    [i, j]: [u32; 2],
    crossings: &[Crossing],
    aabb: &Aabb,
    odd: OddRays,
    runs: &mut Runs<'_>,
) {
    let tree = match (&surface.inside, odd) {
        (Inside::Open(tree), OddRays::Weigh) => tree,
        (Inside::Open(_) | Inside::Winding | Inside::Parity, _) => {
            if crossings.len().is_multiple_of(2) {
                for (k, crossing) in crossings.iter().enumerate() {
                    runs.add(i, j, crossing.t, if k % 2 == 0 { -1.0 } else { 1.0 });
                }
            }
            return;
        }
    };
    let axis = runs.rays.axis;
    let mut place = DVec3::ZERO;
    (place[runs.rays.u.axis], place[runs.rays.v.axis]) = (runs.rays.u.place(i), runs.rays.v.place(j));
    let mut weight = |t: f64| {
        place[axis] = t;
        around(tree, &surface.mesh, place)
    };
    let ends = [aabb.min[axis], aabb.max[axis]];
    if is_consistent(ends, crossings, &mut weight) {
        crossings.iter().for_each(|c| runs.add(i, j, c.t, f64::from(c.way)));
    } else {
        let until = crossings.iter().map(|c| c.t).chain([ends[1]]);
        weigh(ends[0], until, weight, |t, weight| runs.add(i, j, t, weight));
    }
}

/// Whether a ray goes through the surface as if there were no hole: from weight 0 back to 0 by its crossings alone, with the weight that this gives
/// in the middle of its longest piece.
fn is_consistent(
    [start, end]: [f64; 2],
    crossings: &[Crossing],
    weight: &mut impl FnMut(f64) -> f64,
) -> bool {
    let (mut from, mut own, mut longest) = (start, 0.0, (f64::NEG_INFINITY, start, 0.0));
    for (to, way) in crossings.iter().map(|c| (c.t, f64::from(c.way))).chain([(end, 0.0)]) {
        if to - from > longest.0 {
            longest = (to - from, 0.5 * (from + to), own);
        }
        (from, own) = (to, own - way);
    }
    own == 0.0 && weight(longest.1) == longest.2
}

/// Adds the pieces of a ray between crossings, each cut where its weight changes.
fn weigh(
    start: f64,
    ends: impl Iterator<Item = f64>,
    mut weight: impl FnMut(f64) -> f64,
    mut add: impl FnMut(f64, f64),
) {
    let mut from = start;
    for to in ends {
        if to > from {
            let places = SAMPLES.map(|part| from + (to - from) * part);
            let weights = places.map(&mut weight);
            let mut low = from;
            for k in 1..places.len() {
                if weights[k] != weights[k - 1] {
                    let cut = cut(places[k - 1], places[k], weights[k - 1], &mut weight);
                    add(cut, weights[k - 1]);
                    add(low, -weights[k - 1]);
                    low = cut;
                }
            }
            add(to, weights[places.len() - 1]);
            add(low, -weights[places.len() - 1]);
        }
        from = from.max(to);
    }
}

/// Where on a piece between crossings weights are taken: next to the ends, where the surface is, and between.
const SAMPLES: [f64; 3] = [0.01, 0.5, 0.99];

/// Where a weight changes between two places, by bisection.
fn cut(mut low: f64, mut high: f64, weight: f64, of: &mut impl FnMut(f64) -> f64) -> f64 {
    for _ in 0..8 {
        let middle = 0.5 * (low + high);
        if of(middle) == weight { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The winding number at a place, rounded to a whole one.
fn around(tree: &OnceCell<Box<(WideTree, WindingTree)>>, mesh: &Mesh, place: DVec3) -> f64 {
    let built = tree.get_or_init(|| {
        let tree = WideTree::new(mesh);
        let moments = WindingTree::new(&tree, mesh);
        Box::new((tree, moments))
    });
    let windings = Windings { tree: &built.0, moments: &built.1, pose: &Pose::IDENTITY };
    let exact = |i: u32| winding_of_triangle(&mesh.triangle(i), place);
    let found = windings.around(place, &mut Meter::unlimited(), &exact, &|w| {
        w.lower.round() == w.upper.round() || w.width() <= 1e-3
    });
    (0.5 * (found.lower + found.upper)).round()
}

#[cfg(test)]
mod tests;
