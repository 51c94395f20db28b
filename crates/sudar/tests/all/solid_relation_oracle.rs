//! Relations of solids against sets of grid cells, where the answer is plain: the surfaces of random sets of cells, in
//! different triangulations, flush, nested, with coincident and intersecting faces, slanted, and with gaps of an ulp.
//!
//! `SUDAR_ORACLE_SOLIDS=20000 cargo test --release -p sudar --test all solid_relation_oracle -- --nocapture` for more.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "all of this file is test code")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use glam::{DVec3, IVec3};
use rand::RngExt;
use sudar::inside::{ListedSurface, SolidRelation, Surface, solid_relation};
use sudar::pair::triangles_intersect;
use sudar::{Mesh, Pose, Solid};
use sudar_testing::Random;
use sudar_testing::oracle::{on_all_threads, setting};

/// Cells of the unit grid, named by their least corners.
type Cells = BTreeSet<[i32; 3]>;
/// A quadrilateral by its corners in order.
type Face = [IVec3; 4];

/// A region and faces that enclose it by parity.
struct Body {
    cells: Cells,
    faces: Vec<Face>,
}

/// How a body is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A box.
    Cuboid,
    /// Any cells and the faces between them and the rest.
    Surface,
    /// Cells of edge 2.
    Coarse,
    /// A box with a box-shaped hole inside.
    Hollow,
    /// Cells, each with all its faces, so that inner faces are there twice.
    Cubes,
    /// Boxes that may overlap, where they then exclude each other.
    Boxes,
}

const KINDS: [Kind; 6] = [Kind::Cuboid, Kind::Surface, Kind::Coarse, Kind::Hollow, Kind::Cubes, Kind::Boxes];

fn body(kind: Kind, r: &mut Random) -> Body {
    match kind {
        Kind::Cuboid => from_boxes(&[any_box(r)]),
        Kind::Surface => from_cells(random_cells(r, 1)),
        Kind::Coarse => from_cells(random_cells(r, 2)),
        Kind::Hollow => {
            let outer = [IVec3::ZERO, IVec3::splat(4)];
            let low = IVec3::new(r.random_range(1..=2), r.random_range(1..=2), 1);
            from_boxes(&[outer, [low, IVec3::splat(3)]])
        }
        Kind::Cubes => {
            let cells = random_cells(r, 1);
            let boxes: Vec<_> = cells.iter().map(|&c| [IVec3::from(c), IVec3::from(c) + 1]).collect();
            from_boxes(&boxes)
        }
        Kind::Boxes => {
            let boxes: Vec<_> = (0..r.random_range(2..=3)).map(|_| any_box(r)).collect();
            from_boxes(&boxes)
        }
    }
}

fn any_box(r: &mut Random) -> [IVec3; 2] {
    let mut side = || {
        let low = r.random_range(0..4);
        (low, r.random_range(low + 1..=4))
    };
    let (x, y, z) = (side(), side(), side());
    [IVec3::new(x.0, y.0, z.0), IVec3::new(x.1, y.1, z.1)]
}

/// Up to half of the cells of a grid of edge 4, in cubes of the given edge.
fn random_cells(r: &mut Random, edge: i32) -> Cells {
    let share = r.random_range(0.05..0.5);
    let mut cells = Cells::new();
    let places = 4 / edge;
    while cells.is_empty() {
        for i in 0..places.pow(3) {
            let low = IVec3::new(i % places, i / places % places, i / places / places) * edge;
            if r.random_bool(share) {
                cells.extend(cells_of([low, low + edge]));
            }
        }
    }
    cells
}

fn cells_of([low, high]: [IVec3; 2]) -> impl Iterator<Item = [i32; 3]> {
    (low.x..high.x)
        .flat_map(move |x| (low.y..high.y).flat_map(move |y| (low.z..high.z).map(move |z| [x, y, z])))
}

/// The face of a box at its least or greatest coordinate on an axis.
fn face([low, high]: [IVec3; 2], axis: usize, upper: bool) -> Face {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |at_u: bool, at_v: bool| {
        let mut p = low;
        for (a, up) in [(axis, upper), (u, at_u), (v, at_v)] {
            p[a] = if up { high[a] } else { low[a] };
        }
        p
    };
    [corner(false, false), corner(true, false), corner(true, true), corner(false, true)]
}

fn from_boxes(boxes: &[[IVec3; 2]]) -> Body {
    let mut cells = Cells::new();
    let mut faces = vec![];
    for b in boxes {
        for cell in cells_of(*b) {
            if !cells.remove(&cell) {
                cells.insert(cell);
            }
        }
        faces.extend((0..3).flat_map(|axis| [face(*b, axis, false), face(*b, axis, true)]));
    }
    Body { cells, faces }
}

fn from_cells(cells: Cells) -> Body {
    let mut faces = vec![];
    for &cell in &cells {
        for axis in 0..3 {
            for upper in [false, true] {
                let mut beside = cell;
                beside[axis] += if upper { 1 } else { -1 };
                if !cells.contains(&beside) {
                    let low = IVec3::from(cell);
                    faces.push(face([low, low + 1], axis, upper));
                }
            }
        }
    }
    Body { cells, faces }
}

impl Body {
    fn moved(self, by: IVec3) -> Self {
        Self {
            cells: self.cells.iter().map(|&c| (IVec3::from(c) + by).into()).collect(),
            faces: self.faces.iter().map(|f| f.map(|p| p + by)).collect(),
        }
    }

    /// Triangles of the faces, each cut along either diagonal, its corners placed by `place`.
    fn solid(&self, place: &dyn Fn(IVec3) -> DVec3, r: &mut Random) -> Solid {
        let mut numbers: HashMap<IVec3, u32> = HashMap::new();
        let mut vertices = vec![];
        let mut triangles = vec![];
        for face in &self.faces {
            let mut corners = face.map(|p| {
                *numbers.entry(p).or_insert_with(|| {
                    vertices.push(place(p));
                    vertices.len() as u32 - 1
                })
            });
            corners.rotate_left(r.random_range(0..4));
            let [a, b, c, d] = corners;
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        Solid::new(Arc::new(Mesh::new(vertices, triangles).unwrap())).unwrap()
    }
}

fn expected(a: &Body, b: &Body, meet: bool) -> SolidRelation {
    let both = a.cells.intersection(&b.cells).count();
    match (both == a.cells.len(), both == b.cells.len()) {
        _ if both == 0 && meet => SolidRelation::Touch,
        _ if both == 0 => SolidRelation::Apart,
        (true, true) => SolidRelation::Equal,
        (true, false) => SolidRelation::AInB,
        (false, true) => SolidRelation::BInA,
        (false, false) => SolidRelation::Overlap,
    }
}

/// Maps of the grid that keep the relation: any increasing table on each axis, or any exact linear map.
fn placement(r: &mut Random) -> (&'static str, Box<dyn Fn(IVec3) -> DVec3>) {
    match r.random_range(0..4) {
        0 => ("as it is", Box::new(IVec3::as_dvec3)),
        1 => {
            let scale = 10_f64.powi(r.random_range(-20..20)) * r.random_range(0.1..1.0);
            ("scaled", Box::new(move |p| p.as_dvec3() * scale))
        }
        2 => {
            let m: [DVec3; 3] = std::array::from_fn(|i| {
                let mut v = r.grid_point(2);
                v[i] = 7.0;
                v
            });
            // Diagonally dominant, so invertible.
            (
                "slanted",
                Box::new(move |p| m[0] * f64::from(p.x) + m[1] * f64::from(p.y) + m[2] * f64::from(p.z)),
            )
        }
        _ => {
            let tables: [Vec<f64>; 3] = std::array::from_fn(|_| {
                let mut x = r.random_range(-1.0..1.0);
                (0..20)
                    .map(|_| {
                        x = if r.random() { f64::next_up(x) } else { x + r.random_range(0.01..1.0) };
                        x
                    })
                    .collect()
            });
            (
                "gaps of an ulp",
                Box::new(move |p| DVec3::from_array(std::array::from_fn(|i| tables[i][(p[i] + 8) as usize]))),
            )
        }
    }
}

fn intersecting_pairs(a: &dyn Surface, b: &dyn Surface) -> Vec<[u32; 2]> {
    let mut pairs = vec![];
    for i in 0..a.triangles() {
        let t = a.triangle(i);
        b.near(&t.aabb(), &mut |j| {
            if triangles_intersect(&t, &b.triangle(j)) {
                pairs.push([i, j]);
            }
        });
    }
    pairs.sort_unstable();
    pairs
}

#[test]
fn relations_of_solids_are_those_of_their_cells() {
    let numbers = 0..setting("SUDAR_ORACLE_SOLIDS", 1_000);
    let mut table: BTreeMap<_, usize> = BTreeMap::new();
    for case in on_all_threads(numbers, |seed, seen: &mut Vec<_>| seen.push(check(seed))).concat() {
        *table.entry(case).or_default() += 1;
    }
    println!("| placed | relation | cases |\n|---|---|---|");
    for ((placed, relation), count) in &table {
        println!("| {placed} | {relation} | {count} |");
    }
    // Four placements, six relations.
    assert_eq!(table.len(), 24);
}

fn check(seed: u64) -> (&'static str, String) {
    let r = &mut Random::new(seed);
    let kinds = [KINDS[r.random_range(0..KINDS.len())], KINDS[r.random_range(0..KINDS.len())]];
    let a = body(kinds[0], r);
    let mut b = if r.random_range(0..8) == 0 { from_cells(a.cells.clone()) } else { body(kinds[1], r) };
    if r.random() {
        b = b.moved(IVec3::from_array(std::array::from_fn(|_| r.random_range(-3..=3))));
    }
    if a.cells.is_empty() || b.cells.is_empty() {
        return check(seed + 1_000_000_007);
    }
    let (placed, place) = placement(r);
    let solids = [a.solid(&place, r), b.solid(&place, r)];
    let surfaces = solids.each_ref().map(|s| ListedSurface::new(s, &Pose::IDENTITY));
    let pairs = intersecting_pairs(&surfaces[0], &surfaces[1]);
    let expected = expected(&a, &b, !pairs.is_empty());
    let found = solid_relation(&surfaces[0], &surfaces[1], &pairs);
    assert_eq!(found, expected, "seed {seed}: {kinds:?}, {placed}");
    (placed, format!("{found:?}"))
}
