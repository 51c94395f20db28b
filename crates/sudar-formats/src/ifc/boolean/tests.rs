use std::collections::HashMap;

use proptest::prelude::*;
use sudar::DVec3;

use super::*;

const GRID: f64 = 1.0 / (1_u64 << 27) as f64;

fn block(min: DVec3, max: DVec3) -> Surface {
    let vertices = (0..8_u32).map(|i| {
        let pick = |bit: u32, low: f64, high: f64| if i & bit == 0 { low } else { high };
        DVec3::new(pick(1, min.x, max.x), pick(2, min.y, max.y), pick(4, min.z, max.z))
    });
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Surface { vertices: vertices.collect(), triangles }
}

fn turned(surface: &Surface, turn: sudar::glam::DQuat) -> Surface {
    let vertices = surface.vertices.iter().map(|p| turn * *p).collect();
    Surface { vertices, triangles: surface.triangles.clone() }
}

fn volume(surface: &Surface) -> f64 {
    let of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| surface.vertices[i as usize]);
        a.dot(b.cross(c)) / 6.0
    };
    surface.triangles.iter().map(of).sum()
}

fn is_closed(surface: &Surface) -> bool {
    let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
    for &[a, b, c] in &surface.triangles {
        for (p, q) in [(a, b), (b, c), (c, a)] {
            *edges.entry((p, q)).or_default() += 1;
            *edges.entry((q, p)).or_default() -= 1;
        }
    }
    edges.values().all(|count| *count == 0)
}

fn made(solids: &[Surface], tree: &Tree) -> Surface {
    let made = evaluate(solids, tree, GRID, &mut 50_000_000).unwrap();
    assert!(is_closed(&made));
    made
}

fn without(others: impl IntoIterator<Item = usize>) -> Tree {
    Tree::Difference(Box::new(Tree::Solid(0)), others.into_iter().map(Tree::Solid).collect())
}

#[test]
fn a_wall_without_its_openings_is_closed_and_weighs_what_it_should() {
    let wall = block(DVec3::ZERO, DVec3::new(5.0, 0.3, 3.0));
    // Flush with both faces, through them, a niche, at the floor, across a corner, and none that meets it.
    let openings = [
        block(DVec3::new(1.0, 0.0, 1.0), DVec3::new(2.0, 0.3, 2.0)),
        block(DVec3::new(2.5, -0.1, 0.0), DVec3::new(3.0, 0.4, 2.0)),
        block(DVec3::new(3.5, 0.2, 1.0), DVec3::new(4.0, 0.3, 2.0)),
        block(DVec3::new(4.5, -0.1, 2.5), DVec3::new(6.0, 0.5, 4.0)),
        block(DVec3::new(7.0, 0.0, 0.0), DVec3::new(8.0, 1.0, 1.0)),
    ];
    let solids: Vec<Surface> = std::iter::once(wall).chain(openings).collect();
    let expected = 5.0 * 0.3 * 3.0 - 0.3 - 0.5 * 0.3 * 2.0 - 0.5 * 0.1 - 0.5 * 0.3 * 0.5;
    let found = made(&solids, &without(1..6));
    assert!((volume(&found) - expected).abs() < 1e-6, "{}", volume(&found));
}

#[test]
fn what_is_flush_to_the_last_digits_leaves_no_film() {
    let wall = block(DVec3::ZERO, DVec3::new(5.0, 0.3, 3.0));
    let opening = block(DVec3::new(1.0, 1e-7, 1.0), DVec3::new(2.0, 0.3 - 1e-8, 2.0));
    let found = made(&[wall, opening], &without([1]));
    assert!((volume(&found) - (4.5 - 0.3)).abs() < 1e-6);
    // Three ways round the hole and eight corners there: no face closes it.
    assert!(found.vertices.iter().all(|p| p.y == 0.0 || p.y == 0.3), "{:?}", found.vertices);
}

/// The faces, edges and corners of a wall with holes through it: a film over one of them makes it a pocket.
fn holes(surface: &Surface) -> i64 {
    let used: BTreeSet<u32> = surface.triangles.iter().flatten().copied().collect();
    let (corners, faces) = (used.len() as i64, surface.triangles.len() as i64);
    1 - (corners - faces / 2) / 2
}

#[test]
fn turned_walls_have_no_film_over_openings_that_are_flush() {
    let mut random = sudar_testing::Random::new(46);
    for _ in 0..100 {
        let turn = sudar::glam::DQuat::from_axis_angle(random.direction(), random.within(0.0, 3.0));
        let thickness = random.within(0.05, 0.6);
        let wall = block(DVec3::ZERO, DVec3::new(5.0, thickness, 3.0));
        // Through from face to face, to the last digits, and one from the floor.
        let off = random.within(-4e-7, 4e-7);
        let openings = [
            block(DVec3::new(1.0, off, 1.0), DVec3::new(2.0, thickness, 2.0)),
            block(DVec3::new(3.0, 0.0, 0.5), DVec3::new(4.0, thickness - off, 2.5)),
            block(DVec3::new(2.25, 0.0, 0.0), DVec3::new(2.75, thickness, 2.0)),
        ];
        let solids: Vec<Surface> =
            std::iter::once(wall).chain(openings).map(|solid| turned(&solid, turn)).collect();
        let found = made(&solids, &without(1..4));
        let expected = thickness * (15.0 - 1.0 - 2.0 - 1.0);
        assert!((volume(&found) - expected).abs() < 1e-5, "{} {expected}", volume(&found));
        assert_eq!(holes(&found), 2);
    }
}

#[test]
fn equal_solids_leave_nothing_or_themselves() {
    let cube = || block(DVec3::ZERO, DVec3::ONE);
    let both = || Box::new([Tree::Solid(0), Tree::Solid(1)]);
    assert!(made(&[cube(), cube()], &without([1])).triangles.is_empty());
    for tree in [Tree::Union(both()), Tree::Intersection(both())] {
        assert!((volume(&made(&[cube(), cube()], &tree)) - 1.0).abs() < 1e-9);
    }
}

#[test]
fn open_and_endless_work_is_refused() {
    let mut open = block(DVec3::ZERO, DVec3::ONE);
    open.triangles.pop();
    let cube = || block(DVec3::splat(0.5), DVec3::splat(2.0));
    let made = |solids: &[Surface], steps: u64| evaluate(solids, &without([1]), GRID, &mut steps.clone());
    assert_eq!(made(&[open, cube()], 2000), Err(Failure::Open));
    assert_eq!(made(&[cube(), block(DVec3::ZERO, DVec3::ONE)], 500), Err(Failure::Steps));
    assert_eq!(made(&[cube(), block(DVec3::ZERO, DVec3::splat(1e9))], 2000), Err(Failure::Size));
}

/// The volume of a combination of boxes along the axes, by the cells between all their coordinates.
fn volume_in_cells(boxes: &[[DVec3; 2]], tree: &Tree) -> f64 {
    let planes = [0, 1, 2].map(|axis| {
        let mut row: Vec<f64> = boxes.iter().flatten().map(|p| p[axis]).collect();
        row.sort_by(f64::total_cmp);
        row
    });
    let mut sum = 0.0;
    for x in planes[0].windows(2) {
        for y in planes[1].windows(2) {
            for z in planes[2].windows(2) {
                let (min, max) = (DVec3::new(x[0], y[0], z[0]), DVec3::new(x[1], y[1], z[1]));
                let middle = (min + max) / 2.0;
                let is_in = |i: usize| middle.cmpgt(boxes[i][0]).all() && middle.cmplt(boxes[i][1]).all();
                if tree.holds(&is_in) {
                    sum += (max - min).element_product();
                }
            }
        }
    }
    sum
}

fn any_box() -> impl Strategy<Value = [DVec3; 2]> {
    // Few values, so that boxes often share planes.
    prop::array::uniform3((0..4_u8, 1..4_u8)).prop_map(|rows| {
        let low = rows.map(|(low, _)| f64::from(low) * 0.1);
        let high = rows.map(|(low, size)| f64::from(low + size) * 0.1);
        [DVec3::from_array(low), DVec3::from_array(high)]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn boxes_have_the_volume_of_their_cells(
        boxes in prop::collection::vec(any_box(), 2..6),
        kind in 0..4_usize,
        angle in 0.0..6.0_f64,
        is_turned: bool,
    ) {
        let last = boxes.len() - 1;
        let rest = || (1..last).map(Tree::Solid).fold(Tree::Solid(0), |a, b| Tree::Union(Box::new([a, b])));
        let tree = match kind {
            0 => without(1..boxes.len()),
            1 => Tree::Union(Box::new([rest(), Tree::Solid(last)])),
            2 => Tree::Intersection(Box::new([rest(), Tree::Solid(last)])),
            _ => Tree::Difference(Box::new(rest()), vec![Tree::Solid(last)]),
        };
        let turn = if is_turned {
            sudar::glam::DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), angle)
        } else {
            sudar::glam::DQuat::IDENTITY
        };
        let solids: Vec<Surface> = boxes.iter().map(|[min, max]| turned(&block(*min, *max), turn)).collect();
        let found = volume(&made(&solids, &tree));
        prop_assert!((found - volume_in_cells(&boxes, &tree)).abs() < 1e-6, "{found}");
    }
}
