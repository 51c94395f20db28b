//! How deep solids are in each other, region by region, where it is known by a closed form.

use std::f64::consts::TAU;
use std::sync::Arc;

use sudar::glam::{DMat3, DVec3};
use sudar::hull::convex_hull;
use sudar::pair::closest_point_triangle;
use sudar::query::{Body, contains};
use sudar::{Aabb, Mesh, Pose};
use sudar_clash::{
    Assembly, Clash, ClashKind, ClashOptions, DepthMeasure, Form, Part, Region, body_of, find_clashes,
};
use sudar_testing::Random;

/// A turn and a shift in general position: depths do not change by it.
fn poses() -> [Pose; 2] {
    let turn = DMat3::from_axis_angle(DVec3::new(0.3, -0.5, 0.8).normalize(), 0.7);
    [Pose::IDENTITY, Pose::from_matrix(turn, DVec3::new(31.0, -7.0, 12.5)).unwrap()]
}

fn part(mesh: Mesh) -> Part {
    Part { name: String::new(), body: body_of(Arc::new(mesh)), pose: Pose::IDENTITY }
}

fn cuboid(min: [f64; 3], max: [f64; 3]) -> Part {
    part(Mesh::from_aabb(Aabb { min: min.into(), max: max.into() }))
}

/// What a profile (radius, z) sweeps around the z axis in `n` steps; closed if the profile is.
fn turned(profile: &[(f64, f64)], n: u32) -> Part {
    let count = profile.len() as u32;
    let vertices = (0..n)
        .flat_map(|k| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(n)).sin_cos();
            profile.iter().map(move |&(r, z)| DVec3::new(r * cos, r * sin, z))
        })
        .collect();
    let mut triangles = Vec::new();
    for k in 0..n {
        let [here, next] = [k, (k + 1) % n].map(|k| k * count);
        for i in 0..count {
            let j = (i + 1) % count;
            triangles.extend([[here + i, next + j, here + j], [here + i, next + i, next + j]]);
        }
    }
    part(Mesh::new(vertices, triangles).unwrap())
}

/// A cylinder around z.
fn cylinder(radius: f64, low: f64, high: f64, n: u32) -> Part {
    let rim = (0..n).map(|k| (TAU * f64::from(k) / f64::from(n)).sin_cos());
    let corners: Vec<DVec3> =
        rim.flat_map(|(sin, cos)| [low, high].map(|z| DVec3::new(radius * cos, radius * sin, z))).collect();
    let hull = Body::new(convex_hull(&corners).unwrap());
    part(Mesh::clone(hull.mesh().unwrap()))
}

fn checked(parts: [&Part; 2], options: &ClashOptions) -> Clash {
    let assembly = Assembly { parts: parts.map(Clone::clone).to_vec() };
    let report = find_clashes(&assembly, options, &|_, _| {}).unwrap();
    assert_eq!(report.clashes.len(), 1);
    report.clashes.into_iter().next().unwrap()
}

/// The clash of two parts; kind, form and depth are the same in general position and with the parts exchanged.
fn clash(a: &Part, b: &Part) -> Clash {
    let options = ClashOptions::default();
    let first = checked([a, b], &options);
    for pose in poses() {
        let [s, t] = [a, b].map(|part| Part { pose, ..part.clone() });
        for other in [checked([&s, &t], &options), checked([&t, &s], &options)] {
            assert_eq!((other.kind, other.form), (first.kind, first.form));
            assert_eq!(other.regions.len(), first.regions.len(), "{other:#?}");
            let [one, two] = [&first, &other].map(|clash| clash.depth.unwrap());
            assert!((one.upper - two.upper).abs() <= 1e-6 * one.upper.max(1e-6), "{one:?} {two:?}");
            assert!((one.lower - two.lower).abs() <= 0.05 * one.upper, "{one:?} {two:?}");
        }
    }
    first
}

/// The depth is known to a thousandth, and holds what it must.
fn is_depth(clash: &Clash, [lower, upper]: [f64; 2]) {
    let depth = clash.depth.unwrap();
    assert_eq!(clash.depth_is, Some("region"));
    assert!(depth.lower <= lower * (1.0 + 1e-9) && depth.lower >= lower * (1.0 - 2e-3), "{depth:?} {lower}");
    assert!((depth.upper - upper).abs() <= 1e-6 * upper, "{depth:?} {upper}");
}

#[test]
fn a_pin_that_is_two_millimetres_too_long_is_two_deep() {
    // A housing whose floor is 14 thick, with the pin from above; off centre, and the pin with many sides.
    let housing = cuboid([-60.0, -45.0, -14.0], [40.0, 50.0, 0.0]);
    let found = clash(&housing, &cylinder(4.0, -2.0, 40.0, 48));
    is_depth(&found, [2.0, 2.0]);
    assert_eq!((found.kind, found.form, found.regions.len()), (ClashKind::Hard, Some(Form::Protruding), 1));
    let region = &found.regions[0];
    assert!((region.bounds.extent() - DVec3::new(8.0, 8.0, 2.0)).length() < 0.1, "{region:?}");
    assert!(region.direction.abs().dot(DVec3::Z) > 0.999);
}

#[test]
fn the_corner_of_a_box_in_a_box_is_as_deep_as_the_shortest_edge_of_the_overlap() {
    let found = clash(&cuboid([0.0; 3], [4.0; 3]), &cuboid([1.5, 2.0, 3.25], [9.0; 3]));
    is_depth(&found, [0.75, 0.75]);
    assert_eq!((found.form, found.regions.len()), (Some(Form::Protruding), 1));
    assert_eq!(found.regions[0].box_volume, 2.5 * 2.0 * 0.75);
}

#[test]
fn a_screw_in_a_hole_that_is_too_narrow_is_in_a_ring() {
    // Hole of radius 3 in a plate 10 thick, screw of radius 3.2: a ring 0.2 wide and 10 high.
    let n = 64;
    let plate = turned(&[(3.0, 0.0), (30.0, 0.0), (30.0, 10.0), (3.0, 10.0)], n);
    let found = clash(&plate, &cylinder(3.2, -5.0, 20.0, n));
    let depth = found.depth.unwrap();
    // Facets of both run along each other: the ring is a little narrower in the middle of each.
    let flat = (TAU / f64::from(2 * n)).cos();
    assert!(depth.lower <= 0.2 && depth.lower >= 0.99 * 0.2 * flat, "{depth:?}");
    // Sideways the screw stays in: out along the axis.
    assert!((depth.upper - 6.4).abs() < 0.1 || (depth.upper - 10.0).abs() < 1e-6, "{depth:?}");
    assert_eq!((found.form, found.regions.len()), (Some(Form::Piercing), 1));
}

#[test]
fn plates_through_each_other_are_as_deep_as_the_thinner() {
    let (low, high) = ([-20.0, -20.0, -1.0], [20.0, 20.0, 1.0]);
    let found = clash(&cuboid(low, high), &cuboid([-15.0, -1.5, -30.0], [15.0, 1.5, 30.0]));
    is_depth(&found, [2.0, 2.0]);
    assert_eq!((found.form, found.regions.len()), (Some(Form::Piercing), 1));
    assert!((found.regions[0].bounds.extent() - DVec3::new(30.0, 3.0, 2.0)).length() < 1e-12);
}

#[test]
fn beams_that_cross_are_as_deep_as_they_overlap() {
    // Along x and y, 3 and 4 high, overlapping by 0.5 in z.
    let found =
        clash(&cuboid([-50.0, -1.0, 0.0], [50.0, 1.0, 3.0]), &cuboid([-1.5, -70.0, 2.5], [1.5, 70.0, 6.5]));
    is_depth(&found, [0.5, 0.5]);
    // A beam that leans goes through, and comes out again.
    let lean = Pose::from_matrix(DMat3::from_rotation_x(0.4), DVec3::new(3.0, 0.2, 1.5)).unwrap();
    let leaning = Part { pose: lean, ..cuboid([-0.5, -70.0, -0.5], [0.5, 70.0, 0.5]) };
    let beam = cuboid([-50.0, -1.0, 0.0], [50.0, 1.0, 3.0]);
    let found = checked([&beam, &leaning], &ClashOptions::default());
    let depth = found.depth.unwrap();
    assert!(depth.lower > 0.99 && depth.lower <= 1.0 && (depth.upper - 1.0).abs() < 1e-9, "{depth:?}");
    assert_eq!(found.form, Some(Form::Piercing));
}

#[test]
fn a_pipe_through_a_row_of_plates_has_a_region_in_each() {
    // One part: five plates, one above the other, ever thicker.
    let mut all = Vec::new();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    let mut add = |min: [f64; 3], max: [f64; 3]| {
        let mesh = Mesh::from_aabb(Aabb { min: min.into(), max: max.into() });
        let first = all.len() as u32;
        all.extend_from_slice(mesh.vertices());
        triangles.extend(mesh.triangles().iter().map(|t| t.map(|v| v + first)));
    };
    for k in 0..5 {
        let z = 10.0 * f64::from(k);
        add([-8.0, -8.0, z], [8.0, 8.0, z + 0.5 * f64::from(k + 1)]);
    }
    let plates = part(Mesh::new(all, triangles).unwrap());
    let found = clash(&plates, &cylinder(2.0, -5.0, 60.0, 24));
    let mut depths: Vec<f64> = found.regions.iter().map(|region| region.depth.upper).collect();
    depths.sort_by(f64::total_cmp);
    assert_eq!(depths.len(), 5);
    for (depth, expected) in depths.iter().zip([0.5, 1.0, 1.5, 2.0, 2.5]) {
        assert!((depth - expected).abs() < 1e-6, "{depths:?}");
    }
    assert!(found.regions.iter().all(|region| region.form == Form::Piercing));
    is_depth(&found, [2.5, 2.5]);
    // A bore as fine as a hair, through which diagonals of the plates go, makes no other regions.
    let bored = turned(&[(1e-3, -5.0), (2.0, -5.0), (2.0, 60.0), (1e-3, 60.0)], 24);
    assert_eq!(clash(&plates, &bored).regions.len(), 5);
}

#[test]
fn a_face_with_a_hole_belongs_to_one_region() {
    // A block with a shaft through it, and a plate across the whole block: what they share is a plate with a hole,
    // whose rim no edge joins to its outline.
    let block = turned(&[(2.0, -10.0), (9.0, -10.0), (9.0, 10.0), (2.0, 10.0)], 12);
    let plate = cuboid([-30.0, -30.0, -1.0], [30.0, 30.0, 1.0]);
    let found = clash(&block, &plate);
    assert_eq!(found.regions.len(), 1, "{:#?}", found.regions);
    is_depth(&found, [2.0, 2.0]);
}

#[test]
fn flush_sides_do_not_part_a_region() {
    // Sides in common planes: no edge goes through the inside of a triangle.
    let found = clash(&cuboid([0.0; 3], [2.0, 1.0, 1.0]), &cuboid([1.75, 0.0, 0.0], [4.0, 1.0, 1.0]));
    is_depth(&found, [0.25, 0.25]);
    assert_eq!(found.regions.len(), 1, "{:#?}", found.regions);
}

#[test]
fn a_sliver_is_as_deep_as_it_is_thin() {
    for depth in [1e-3, 1e-6, 12e-9] {
        let (low, high) =
            (cuboid([0.0; 3], [3.0, 0.4, 1.0]), cuboid([-1.0, -1.0, 1.0 - depth], [5.0, 2.0, 1.5]));
        let found = checked([&low, &high], &ClashOptions::default());
        let depth_found = found.depth.unwrap();
        assert!(
            (depth_found.upper - depth).abs() < 1e-3 * depth && depth_found.lower > 0.9 * depth,
            "{depth_found:?} {depth}"
        );
    }
}

#[test]
fn the_exact_measure_is_that_of_whole_parts() {
    let mut options = ClashOptions::default();
    options.depth = DepthMeasure::Exact;
    // Out sideways is farther than the bar is thick.
    let plates =
        [cuboid([-20.0, -20.0, -1.0], [20.0, 20.0, 1.0]), cuboid([-15.0, -1.5, -30.0], [15.0, 1.5, 30.0])];
    let found = checked([&plates[0], &plates[1]], &options);
    assert_eq!(found.depth_is, Some("penetration"));
    let depth = found.depth.unwrap();
    assert!(depth.upper >= 21.5 && depth.upper < 22.0, "{depth:?}");
    assert_eq!(found.regions.len(), 1);
}

fn encloses(part: &Part, p: DVec3) -> bool {
    contains(part.body.at(&part.pose), p).unwrap()
}

/// Points of a grid in the box that the boxes around two parts have in common.
fn grid(parts: [&Part; 2], step: f64) -> Vec<DVec3> {
    let [a, b] = parts.map(|part| part.body.aabb(&part.pose));
    let (min, max) = (a.min.max(b.min), a.max.min(b.max));
    let along = |k: usize| {
        let count = ((max[k] - min[k]) / step).ceil().max(0.0) as usize;
        (0..count).map(move |i| min[k] + (i as f64 + 0.41) * step)
    };
    along(0).flat_map(|x| along(1).flat_map(move |y| along(2).map(move |z| DVec3::new(x, y, z)))).collect()
}

/// Cells of a grid that lie in both solids, as connected groups: the box around each, and how many cells it has.
fn groups_of_cells(parts: [&Part; 2], step: f64) -> Vec<(Aabb, usize)> {
    let [a, b] = parts.map(|part| part.body.aabb(&part.pose));
    let (min, max) = (a.min.max(b.min), a.max.min(b.max));
    let count = (max - min).to_array().map(|length| (length / step).ceil().max(0.0) as usize + 1);
    let at =
        |[x, y, z]: [usize; 3]| min + DVec3::new(x as f64 + 0.37, y as f64 + 0.41, z as f64 + 0.43) * step;
    let number = |[x, y, z]: [usize; 3]| (z * count[1] + y) * count[0] + x;
    let cells: Vec<[usize; 3]> = (0..count[2])
        .flat_map(|z| (0..count[1]).flat_map(move |y| (0..count[0]).map(move |x| [x, y, z])))
        .collect();
    let mut free: Vec<bool> =
        cells.iter().map(|&cell| parts.iter().all(|part| encloses(part, at(cell)))).collect();
    let mut groups = Vec::new();
    for &seed in &cells {
        let (mut todo, mut bounds, mut size) = (vec![seed], Aabb::EMPTY, 0);
        while let Some(cell) = todo.pop() {
            if !std::mem::take(&mut free[number(cell)]) {
                continue;
            }
            (bounds, size) = (bounds.with(at(cell)), size + 1);
            for k in 0..3 {
                for next in [cell[k].wrapping_sub(1), cell[k] + 1].into_iter().filter(|&n| n < count[k]) {
                    let mut beside = cell;
                    beside[k] = next;
                    todo.push(beside);
                }
            }
        }
        groups.extend((size > 0).then_some((bounds, size)));
    }
    groups
}

/// How far a point is from the nearest of all triangles of a part.
fn room(part: &Part, p: DVec3) -> f64 {
    let mesh = part.body.mesh().unwrap();
    let triangles =
        (0..mesh.triangles().len() as u32).map(|i| part.body.posed_triangle(&part.pose, i).unwrap());
    triangles.map(|t| closest_point_triangle(p, &t).distance()).fold(f64::INFINITY, f64::min)
}

#[test]
fn regions_are_those_that_a_flood_of_cells_finds() {
    let ring = turned(&[(3.0, -1.0), (5.0, -1.2), (5.0, 1.0), (3.2, 1.0)], 20);
    let shell = turned(&[(0.8, -4.0), (4.0, -4.0), (4.0, 4.0), (3.0, 3.6), (2.4, -3.0), (0.8, -3.0)], 14);
    let bar = cuboid([-6.0, -0.9, -0.7], [6.0, 0.9, 0.7]);
    let block = cuboid([-2.5, -3.0, -2.0], [2.5, 3.0, 2.0]);
    let parts = [ring, shell, bar, block];
    let mut random = Random::new(26);
    let (step, mut several) = (0.13, 0);
    for round in 0..60 {
        let pose = random.any_pose(2.5);
        let (a, b) = (&parts[round % 4], &Part { pose, ..parts[(round / 4) % 4].clone() });
        let assembly = Assembly { parts: vec![a.clone(), b.clone()] };
        let report = find_clashes(&assembly, &ClashOptions::default(), &|_, _| {}).unwrap();
        let regions = report.clashes.first().map_or(&[][..], |clash| &clash.regions);
        let groups = groups_of_cells([a, b], step);
        several += usize::from(regions.len() > 1);
        for (bounds, size) in &groups {
            let around = |r: &&Region| {
                let grown = r.bounds.grown(1e-9);
                grown.contains(bounds.min) && grown.contains(bounds.max)
            };
            let Some(region) = regions.iter().find(around) else {
                panic!("{round}: {size} cells in {bounds:?} are in no region of {regions:#?}")
            };
            // Of many cells the box is nearly that of the region.
            if *size > 200 && groups.len() == 1 {
                let wider = region.bounds.extent() - bounds.extent();
                assert!(wider.max_element() < 8.0 * step, "{round}: {region:?} {bounds:?}");
            }
        }
        for region in regions {
            let deep = region.depth.lower > 2.0 * 3f64.sqrt() * step;
            let holds = |(bounds, _): &&(Aabb, usize)| {
                let inner = bounds.grown(step);
                inner.contains(region.point)
            };
            assert!(!deep || groups.iter().any(|group| holds(&group)), "{round}: {region:?} {groups:?}");
            let radius = 0.5 * region.depth.lower;
            let around = [a, b].map(|part| room(part, region.point));
            assert!(radius == 0.0 || around.iter().all(|room| *room >= radius * (1.0 - 1e-12)), "{round}");
            assert!(region.depth.lower <= region.depth.upper);
        }
        // A region for each large group: not two in one. Small ones may hang together where cells are too wide.
        let large = groups.iter().filter(|(_, size)| *size > 300).count();
        let deep = regions.iter().filter(|region| region.depth.lower > 3.0 * step).count();
        assert!(regions.len() >= large && deep <= groups.len(), "{round}: {regions:#?} {groups:?}");
    }
    assert!(several >= 15, "{several}");
}

#[test]
fn what_holds_a_wide_ball_is_no_touch() {
    let ring = turned(&[(3.0, -1.0), (5.0, -1.2), (5.0, 1.0), (3.2, 1.0)], 20);
    let shell = turned(&[(0.8, -4.0), (4.0, -4.0), (4.0, 4.0), (3.0, 3.6), (2.4, -3.0), (0.8, -3.0)], 14);
    let bar = cuboid([-6.0, -0.9, -0.7], [6.0, 0.9, 0.7]);
    let plate = cuboid([-5.0, -5.0, -0.1], [5.0, 5.0, 0.1]);
    let parts = [ring, shell, bar, plate];
    let mut random = Random::new(27);
    let (mut compared, mut least) = (0, 1.0f64);
    for round in 0..64 {
        let (a, b) =
            (&parts[round % 4], &Part { pose: random.any_pose(2.5), ..parts[(round / 4) % 4].clone() });
        // The widest ball about a point of a grid, by the distances to all triangles.
        let inside = grid([a, b], 0.25).into_iter().filter(|p| [a, b].iter().all(|part| encloses(part, *p)));
        let Some(widest) = inside.map(|p| room(a, p).min(room(b, p))).reduce(f64::max) else { continue };
        let kind = banded([a, b], 0.0, widest).map(|(kind, _)| kind);
        assert!(matches!(kind, Some(ClashKind::Hard | ClashKind::Contained)), "{round}: {kind:?} {widest}");
        let found = checked([a, b], &ClashOptions::default());
        least = least.min(found.depth.unwrap().lower / (2.0 * widest));
        compared += 1;
    }
    println!("{compared} pairs; without a band at least {least:.3} of the widest ball");
    assert!(compared >= 50 && least > 0.6, "{compared} {least}");
}

/// Kind, and the exact one, of two parts under a band of what counts as touching.
fn banded(parts: [&Part; 2], clearance: f64, touch: f64) -> Option<(ClashKind, Option<&'static str>)> {
    let assembly = Assembly { parts: parts.map(Clone::clone).to_vec() };
    let mut options = ClashOptions::new(clearance).unwrap();
    options.set_touch(touch).unwrap();
    let report = find_clashes(&assembly, &options, &|_, _| {}).unwrap();
    report.clashes.first().map(|clash| (clash.kind, clash.verdict_without_band))
}

#[test]
fn within_the_band_slivers_and_gaps_are_touches() {
    use ClashKind::{Clearance, Hard, Touch};
    let block = cuboid([0.0; 3], [3.0, 0.4, 1.0]);
    let beside = |z: f64| cuboid([-1.0, -1.0, z], [5.0, 2.0, 1.5]);
    let sliver = beside(1.0 - 12e-9);
    assert_eq!(banded([&block, &sliver], 0.0, 0.0), Some((Hard, None)));
    assert_eq!(banded([&block, &sliver], 0.0, 1e-8), Some((Hard, Some("hard"))));
    assert_eq!(banded([&block, &sliver], 0.0, 1e-7), Some((Touch, Some("hard"))));
    let apart = beside(1.0 + 12e-9);
    assert_eq!(banded([&block, &apart], 0.0, 0.0), None);
    assert_eq!(banded([&block, &apart], 0.0, 1e-8), None);
    assert_eq!(banded([&block, &apart], 0.0, 1e-7), Some((Touch, Some("apart"))));
    assert_eq!(banded([&block, &apart], 1.0, 1e-7), Some((Touch, Some("clearance"))));
    assert_eq!(banded([&block, &beside(1.25)], 0.3, 1e-7), Some((Clearance, Some("clearance"))));
    assert_eq!(banded([&block, &beside(1.0)], 0.0, 1e-7), Some((Touch, Some("touch"))));
    // A press fit: a ring as thin as rounding, ten times as high as the hole is wide.
    let plate = turned(&[(3.0, 0.0), (30.0, 0.0), (30.0, 60.0), (3.0, 60.0)], 32);
    let screw = |radius: f64| cylinder(radius, -5.0, 70.0, 32);
    assert_eq!(banded([&plate, &screw(3.0 + 1e-7)], 0.0, 1e-6), Some((Touch, Some("hard"))));
    assert_eq!(banded([&plate, &screw(3.0 + 1e-5)], 0.0, 1e-6), Some((Hard, Some("hard"))));
    assert_eq!(banded([&plate, &screw(3.0 - 1e-7)], 0.0, 1e-6), Some((Touch, Some("apart"))));
}

#[test]
fn depth_goes_with_the_size_of_the_parts() {
    let scaled = |part: &Part, k: f64| {
        let mesh = part.body.mesh().unwrap();
        let vertices = mesh.vertices().iter().map(|p| *p * k).collect();
        self::part(Mesh::new(vertices, mesh.triangles().to_vec()).unwrap())
    };
    let housing = cuboid([-60.0, -45.0, -14.0], [40.0, 50.0, 0.0]);
    let pin = cylinder(4.0, -2.0, 40.0, 48);
    let inverted = {
        let mesh = pin.body.mesh().unwrap();
        let turned = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
        part(Mesh::new(mesh.vertices().to_vec(), turned).unwrap())
    };
    for power in [-280, -60, 0, 60, 280] {
        let k = 2f64.powi(power);
        for pin in [&pin, &inverted] {
            let found = checked([&scaled(&housing, k), &scaled(pin, k)], &ClashOptions::default());
            let depth = found.depth.unwrap();
            assert_eq!((found.kind, found.form), (ClashKind::Hard, Some(Form::Protruding)), "2^{power}");
            assert!((depth.upper / k - 2.0).abs() < 1e-9 && depth.lower / k > 1.99, "2^{power}: {depth:?}");
        }
    }
}
